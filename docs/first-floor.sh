# A floor from nothing to a paid jackpot, in an empty folder: `bash first-floor.sh`. Needs `houseway` on the path.
set -e
houseway init >/dev/null
houseway floor start floor.toml >/dev/null

# A floor begins with two people. Their cards and codes are in a file that only you may read, as there is no terminal.
card() { awk -v who="$1" '$1 == who { print $3 }' first-codes.txt; }
code() { awk -v who="$1" '$1 == who { print $4 }' first-codes.txt; }
value() { sed 's/.*"'"$2"'": "\([^"]*\)".*/\1/' "$1"; }

# Everybody sets a PIN with the code. Real people type it where nobody looks; here a script plays all of them.
set_pin() { HOUSEWAY_PIN=$2 HOUSEWAY_NEW_PIN=$3 houseway staff pin --card "$1" >/dev/null; }
set_pin "$(card manager-1)" "$(code manager-1)" 806315
set_pin "$(card executive-1)" "$(code executive-1)" 725904
as_both() {
  HOUSEWAY_CARD=$(card manager-1) HOUSEWAY_PIN=806315 \
    HOUSEWAY_SECOND_CARD=$(card executive-1) HOUSEWAY_SECOND_PIN=725904 "$@"
}

as_both houseway staff add d-lee --name "Dealer Lee" --role dealer --json > dealer.json
as_both houseway staff add s-miller --name "Supervisor Miller" --role supervisor --json > supervisor.json
set_pin "$(value dealer.json card)" "$(value dealer.json code)" 4719
set_pin "$(value supervisor.json card)" "$(value supervisor.json code)" 380497
as_dealer() { HOUSEWAY_CARD=$(value dealer.json card) HOUSEWAY_PIN=4719 "$@"; }
as_supervisor() { HOUSEWAY_CARD=$(value supervisor.json card) HOUSEWAY_PIN=380497 "$@"; }

echo "The meter gets its seed:"
HOUSEWAY_CARD=$(card manager-1) HOUSEWAY_PIN=806315 \
  houseway floor do '{"type": "seed_meter", "link": "three-card", "meter": "main"}'
echo "START GAME with three lit sensors, then a win is named; the supervisor confirms it, and END GAME pays the envy:"
as_dealer houseway floor do '{"type": "lock_in", "table": "TCP-1", "lit": [1, 3, 5]}'
as_dealer houseway floor do '{"type": "name_win", "table": "TCP-1", "spot": 3, "hand": "akq_spades"}'
as_supervisor houseway floor do '{"type": "confirm", "table": "TCP-1", "spot": 3}'
as_dealer houseway floor do '{"type": "close_round", "table": "TCP-1"}'
echo "Nobody confirms a claim of their own, and what somebody may not do is written down:"
as_dealer houseway floor do '{"type": "confirm", "table": "TCP-1", "spot": 3}' || true
houseway journal verify
