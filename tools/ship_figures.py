"""Count every approved figure afresh and write the data file that ships with the program.

With --changed only the games whose rules, tables or kernel changed since are counted, and of those only the games that
are named, where any are: ``ship_figures.py --changed let-it-ride``. What is shipped and still good stays.
With --check nothing is written: the exit code says whether the shipped file is what a fresh count gives.
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace

from houseway.proof.collect import Request, count, questions_of
from houseway.proof.figure import Counted
from houseway.proof.store import SHIPPED, shipped, shipped_text


def counts_now(*, changed: bool) -> list[Counted]:
    """Every count behind the approved figures, made now; with ``changed`` those that are still good are taken."""
    started = time.perf_counter()

    def told(what: str, done: float) -> None:
        if done >= 1.0:
            print(f"{time.perf_counter() - started:6.1f} s  {what}", flush=True)

    questions = questions_of(Request(games=tuple(word for word in sys.argv[1:] if not word.startswith("--"))))
    counted = count(questions, fresh=not changed, progress=told)
    known = {(figure.game, figure.wager, figure.table) for figure in counted}
    return [*(figure for key, figure in (shipped() or {}).items() if changed and key not in known), *counted]


def main() -> int:
    """Write the file, or compare."""
    counts = counts_now(changed="--changed" in sys.argv)
    if "--check" in sys.argv:
        known = shipped() or {}
        stale = [count for count in counts if not same(known.get((count.game, count.wager, count.table)), count)]
        for game in stale:
            print(f"{game.game} {game.wager} {game.table} is not what is shipped")
        if stale or len(known) != len(counts):
            print(f"{SHIPPED.name} is out of date: run tools/ship_figures.py")
            return 1
        print(f"{SHIPPED.name} is what a fresh count gives, {len(counts)} counts")
        return 0
    SHIPPED.write_text(shipped_text(counts), "utf-8")
    print(f"wrote {SHIPPED.name}, {len(counts)} counts")
    return 0


def same(known: Counted | None, counted: Counted) -> bool:
    """Whether two counts say the same; how long they took does not matter."""
    return known is not None and replace(known, seconds=0.0).to_json() == replace(counted, seconds=0.0).to_json()


if __name__ == "__main__":
    sys.exit(main())
