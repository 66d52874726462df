"""Hurt a serving floor again and again, and look each time whether anything was lost, doubled or went unnoticed.

    make crash KILLS=40 [SEED=7] [DATABASE=sqlite|postgres|both]

A real server process does the mixture of `floor_load` for eight tables at once, whole rounds with cards among it. Then
something happens to it, a kind of event after another (`faults.events`): ``kill -9`` at any moment; on PostgreSQL the
database server is killed, or replaced by a standby that is behind; on SQLite an older file gets the floor's name, or
the log is deleted; a bit of a log or a byte of a table rots; a server or the database stands still; syncs fail; the
clock jumps. After each: every order that was acknowledged is there once, as it was acknowledged; every other one is
there whole or not at all, and sent again under its id it is done once; all money is conserved; and where the event
itself took something away, the system says so before it goes on. The last line counts what was found.
"""

from __future__ import annotations

import argparse
import secrets
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Final

from faults.check import check
from faults.counts import Counts, Stuck, progress
from faults.databases import PostgresServer, opened
from faults.defects import DEFECTS, PLANTED, serve_planted
from faults.events import EVENTS, rotation
from faults.life import Life, found_floor
from faults.server import Attempt, Attempts, Server, key_beside
from floor_load import SIX_GAMES, STUD

__all__ = ["Attempt", "Attempts", "Counts", "PostgresServer", "Server", "check", "found_floor", "key_beside"]

EVENTS_A_FLOOR: Final = 12
"""A floor that grew for ever would be verified for longer and longer."""
INTERRUPTED: Final = 130


def crash(
    events: int,
    seed: int,
    databases: Sequence[str],
    counts: Counts,
    planted: str = "",
    only: Sequence[str] = (),
    joined: Sequence[str] = (STUD, STUD),
) -> None:
    """Have so many events happen, shared out between the databases, and count what is found.

    ``joined`` are the games on the mega / major / minor link.
    """
    for number, kind in enumerate(databases, start=1):
        until = events * number // len(databases)
        # A short name: the name of a socket in it may not be long.
        folder = Path(tempfile.mkdtemp(prefix="hw"))
        try:
            with opened(kind, folder) as database:
                kinds = rotation(kind, Random(f"{kind} events of {seed}"), only)
                floors = 0
                while counts.total < until:
                    floors += 1
                    counts.floor = f"{kind} floor {floors}"
                    orders = Random(f"{kind} floor {floors} of {seed}")
                    life = Life(database, orders, folder / str(floors), counts, planted, joined)
                    try:
                        _live(life, kinds, min(EVENTS_A_FLOOR, until - counts.total), seed)
                    finally:
                        life.kill()
                    database.drop(life.url)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _live(life: Life, kinds: Iterator[str], most: int, seed: int) -> None:
    """One floor, until an event ends it or there were enough; then it is stopped in good order and checked."""
    events = EVENTS[life.database.name]
    for _ in range(most):
        kind = life.counts.now = next(kinds)
        life.plan = Random(f"event {life.counts.total} of {seed}")
        began = time.monotonic()
        goes_on = events[kind](life)
        life.counts.events[kind] += 1
        progress(f"{life.database.name}, {kind}, {time.monotonic() - began:.1f} s: {life.counts.found}")
        if not goes_on:
            return
    life.finish()


def main() -> int:
    """Run, say what was found, and answer 1 where anything was."""
    parser = argparse.ArgumentParser(description="Hurt a serving floor again and again, and check it each time.")
    parser.add_argument("--kills", type=int, default=40, help="how many events; a third of them are kills")
    parser.add_argument(
        "--seed", type=int, default=None, help="of the orders and of the moments; made up when left out"
    )
    parser.add_argument("--database", choices=["sqlite", "postgres", "both"], default="both")
    every = sorted({kind for kinds in EVENTS.values() for kind in kinds})
    parser.add_argument("--only", choices=every, action="append", default=[], help="a kind of event; may be repeated")
    parser.add_argument("--six-games", action="store_true", help="six games on the mega / major / minor link")
    parser.add_argument("--planted", choices=DEFECTS, default="", help=argparse.SUPPRESS)
    parser.add_argument("--serve-planted", choices=PLANTED, default="", help=argparse.SUPPRESS)
    parser.add_argument("--db", default="", help=argparse.SUPPRESS)
    parser.add_argument("--key-file", type=Path, default=None, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve_planted:
        serve_planted(args.serve_planted, args.db, args.key_file)
        return 0
    seed = secrets.randbelow(10**6) if args.seed is None else args.seed
    progress(f"seed {seed}")
    databases = ["sqlite", "postgres"] if args.database == "both" else [args.database]
    counts = Counts()
    try:
        crash(
            args.kills,
            seed,
            databases,
            counts,
            args.planted,
            args.only,
            SIX_GAMES if args.six_games else (STUD, STUD),
        )
    except Stuck as stuck:
        counts.find("lost", str(stuck))
    except KeyboardInterrupt:
        progress("interrupted")
        return INTERRUPTED
    progress(counts.by_kind)
    print(counts.line, flush=True)
    return 0 if counts.clean else 1


if __name__ == "__main__":
    sys.exit(main())
