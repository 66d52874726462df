# A floor from nothing to a paid jackpot, in an empty folder: `bash first-floor.sh`. Needs `houseway` on the path.
set -e
houseway init >/dev/null
houseway floor start floor.toml --json > first-card.json

# The first manager's card and PIN are shown once; here a file keeps them.
value() { sed 's/.*"'"$2"'": "\([^"]*\)".*/\1/' "$1"; }
manager_card=$(value first-card.json card) manager_pin=$(value first-card.json pin)
as_manager() { HOUSEWAY_CARD=$manager_card HOUSEWAY_PIN=$manager_pin "$@"; }

as_manager houseway staff add d-lee --name "Dealer Lee" --role dealer --json > dealer.json
as_manager houseway staff add s-miller --name "Supervisor Miller" --role supervisor --json > supervisor.json
as_dealer() { HOUSEWAY_CARD=$(value dealer.json card) HOUSEWAY_PIN=$(value dealer.json pin) "$@"; }
as_supervisor() { HOUSEWAY_CARD=$(value supervisor.json card) HOUSEWAY_PIN=$(value supervisor.json pin) "$@"; }

echo "The meter gets its seed:"
as_manager houseway floor do '{"type": "seed_meter", "link": "three-card", "meter": "main"}'
echo "START GAME with three lit sensors, then a win is named; the supervisor confirms it, and END GAME pays the envy:"
as_dealer houseway floor do '{"type": "lock_in", "table": "TCP-1", "lit": [1, 3, 5]}'
as_dealer houseway floor do '{"type": "name_win", "table": "TCP-1", "spot": 3, "hand": "akq_spades"}'
as_supervisor houseway floor do '{"type": "confirm", "table": "TCP-1", "spot": 3}'
as_dealer houseway floor do '{"type": "close_round", "table": "TCP-1"}'
echo "Nobody confirms his own claim, and what he may not do is written down:"
as_dealer houseway floor do '{"type": "confirm", "table": "TCP-1", "spot": 3}' || true
houseway journal verify
