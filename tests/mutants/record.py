"""Try planted changes and record which test catches each: `python -m tests.mutants.record [WORDS]`.

Without ``--again`` a change is tried only with the test on record, where that still catches it. WORDS are part of the
change's sentence, or a clause. The survivors are printed: each is a test to be made stronger, or a defect.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory

from tests.mutants.plant import Bench, Mutant, Outcome, follow, moved_to, mutants, record, write_record

SAVED_EVERY = 20


def try_out(bench: Bench, mutant: Mutant, *, again: bool) -> Outcome:
    """What the tests make of one change."""
    with TemporaryDirectory() as folder:
        return bench.judge(mutant, Path(folder), again=again)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--again", action="store_true", help="try every test of the clauses, to find the quickest")
    parser.add_argument(
        "--follow", action="store_true", help="where a text has moved to one other file, write that down"
    )
    parser.add_argument("--new", action="store_true", help="only the changes that have no test on record")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("words", nargs="*", help="part of a change's sentence, or a clause")
    asked = parser.parse_args()
    chosen = [
        mutant
        for mutant in mutants()
        if not asked.words or any(word in mutant.change or word in mutant.breaks for word in asked.words)
        if not (asked.new and mutant.change in record())
    ]
    moved = {mutant.change: moved_to(mutant) for mutant in chosen if mutant.place_faults}
    if asked.follow and any(moved.values()):
        follow({change: file for change, file in moved.items() if file})
        print(f"{sum(map(bool, moved.values()))} changes follow their text to another file; run this again")
        return 2
    faults = [fault for mutant in chosen for fault in mutant.place_faults]
    if faults:
        print("\n".join(faults))
        return 2
    benches: SimpleQueue[Bench] = SimpleQueue()
    for _ in range(asked.workers):
        benches.put(Bench())

    def tried(mutant: Mutant) -> Outcome:
        bench = benches.get()
        try:
            return try_out(bench, mutant, again=asked.again)
        finally:
            benches.put(bench)

    caught = {mutant.change: record()[mutant.change] for mutant in mutants() if mutant.change in record()}
    survivors = 0
    with ThreadPoolExecutor(asked.workers) as pool:
        for number, (mutant, outcome) in enumerate(zip(chosen, pool.map(tried, chosen), strict=True), start=1):
            if not number % SAVED_EVERY:
                write_record(caught)
            if outcome.caught(mutant.breaks):
                caught[mutant.change] = outcome.quickest(mutant.breaks)
                continue
            survivors += 1
            missing = [name for name in mutant.breaks if name not in outcome.failed]
            print(f"SURVIVES {mutant.change} [{', '.join(missing)}] {outcome.ran} tests {outcome.trouble}", flush=True)
    write_record(caught)
    print(f"planted changes caught {len(chosen) - survivors} of {len(chosen)}")
    while not benches.empty():
        benches.get().close()
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
