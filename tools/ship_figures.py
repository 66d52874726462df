"""Count every approved figure afresh and write the data file that ships with the program.

With --changed only the games whose rules, tables or kernel changed since are counted, and of those only the games that
are named, where any are: ``ship_figures.py --changed let-it-ride``. What is shipped and still good stays.
The openings of games in which the dealer shares the board go into a file beside it (`houseway.proof.openings`).
With --check nothing is written: the exit code says whether the shipped file is what a fresh count gives.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import Any

from houseway.games import approved_book
from houseway.games.model import Game
from houseway.paytables import PayTable
from houseway.proof import openings
from houseway.proof.bench import base_tables
from houseway.proof.collect import Request, count, counted_games, questions_of
from houseway.proof.digest import game_digest
from houseway.proof.figure import Counted
from houseway.proof.keep import holding
from houseway.proof.kernels.board_play import solve_board
from houseway.proof.shape import decision_rules, needs_options
from houseway.proof.solver import BOARD, choose_kernel
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


def openings_now(*, changed: bool) -> list[tuple[str, Mapping[str, Any]]]:
    """Every opening of approved tables; with ``changed`` those that are still good are taken."""
    known = openings.shipped_openings() if changed else {}
    every: list[tuple[str, Mapping[str, Any]]] = []
    for game in counted_games():
        if choose_kernel(game).kernel != BOARD:
            continue
        with holding():
            for tables, options in openings_asked(game):
                name = f"{game_digest(game)} {openings.name_of(game, tables, options)}"
                if name in known:
                    every.append((name, known[name]))
                else:
                    opening = openings.opening_of(solve_board(game, tables, options))
                    every.append((name, opening.to_json()))
                    print(f"opening of {game.key}, {options or 'no options'}", flush=True)
    return every


def openings_asked(game: Game) -> Iterator[tuple[dict[str, PayTable], dict[str, Any]]]:
    """The approved tables of a base game under every value of the options that bear on play."""
    names = dict.fromkeys((*game.bearing["base"], *needs_options(game, decision_rules(game))))
    values = [[(name, value) for value in game.options_by_name[name].values] for name in names]
    base = game.base_table
    decided = [table for table in approved_book().of(game.families, base) if isinstance(table, PayTable)]
    for table in decided if base else [None]:
        for chosen in product(*values):
            yield base_tables(game, table), dict(chosen)


def main() -> int:
    """Write the file, or compare."""
    counts = counts_now(changed="--changed" in sys.argv)
    opened = openings_now(changed="--changed" in sys.argv)
    if "--check" in sys.argv:
        known = shipped() or {}
        stale = [count for count in counts if not same(known.get((count.game, count.wager, count.table)), count)]
        for game in stale:
            print(f"{game.game} {game.wager} {game.table} is not what is shipped")
        if stale or len(known) != len(counts):
            print(f"{SHIPPED.name} is out of date: run tools/ship_figures.py")
            return 1
        if openings.SHIPPED.read_text("utf-8") != openings.shipped_text(opened):
            print(f"{openings.SHIPPED.name} is out of date: run tools/ship_figures.py")
            return 1
        print(f"{SHIPPED.name} is what a fresh count gives, {len(counts)} counts")
        return 0
    SHIPPED.write_text(shipped_text(counts), "utf-8")
    openings.SHIPPED.write_text(openings.shipped_text(opened), "utf-8")
    print(f"wrote {SHIPPED.name}, {len(counts)} counts, and {openings.SHIPPED.name}, {len(opened)} openings")
    return 0


def same(known: Counted | None, counted: Counted) -> bool:
    """Whether two counts say the same; how long they took does not matter."""
    return known is not None and replace(known, seconds=0.0).to_json() == replace(counted, seconds=0.0).to_json()


if __name__ == "__main__":
    sys.exit(main())
