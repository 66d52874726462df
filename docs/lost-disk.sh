# A floor loses its disk and goes on from a backup, in an empty folder: `bash lost-disk.sh`. Needs `houseway` on the path.
set -e
houseway init >/dev/null
houseway floor start floor.toml >/dev/null
card() { awk -v who="$1" '$1 == who { print $3 }' first-codes.txt; }
code() { awk -v who="$1" '$1 == who { print $4 }' first-codes.txt; }
set_pin() { HOUSEWAY_PIN=$2 HOUSEWAY_NEW_PIN=$3 houseway staff pin --card "$1" >/dev/null; }
set_pin "$(card manager-1)" "$(code manager-1)" 806315
set_pin "$(card executive-1)" "$(code executive-1)" 725904
export HOUSEWAY_CARD=$(card manager-1) HOUSEWAY_PIN=806315
both="--second-card $(card executive-1)"
export HOUSEWAY_SECOND_PIN=725904

houseway floor do '{"type": "seed_meter", "link": "three-card", "meter": "main"}' >/dev/null
houseway backup night.db >/dev/null
echo "After the backup the floor goes on, and signs a checkpoint that is kept elsewhere:"
houseway floor do '{"type": "suspend", "what": "table", "id": "TCP-1", "why": "a new deck"}'
houseway floor do '{"type": "resume", "what": "table", "id": "TCP-1"}'
houseway journal head --output evening.head

rm houseway.db
echo "The disk is lost. The backup is restored, and says what it lacks:"
houseway restore night.db --checkpoint evening.head
echo "Nobody is served from it:"
houseway floor serve </dev/null || true
echo "Two people confirm the loss, and enter what is missing:"
houseway floor recover $both --checkpoint evening.head --reason "the disk of the night of the 14th was lost"
houseway floor do '{"type": "adjust_meter", "link": "three-card", "meter": "main", "cents": 4225, "reason": "malfunction",
  "explanation": "the display read $1,042.25 when the disk was lost, entry 12"}' $both
houseway journal verify
