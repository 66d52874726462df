"""Servers with a defect built in that a run must find, and one whose clock can be set wrong."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import msgspec

from houseway.manager.commands import Order
from houseway.manager.entry import Entry
from houseway.manager.floor import Floor
from houseway.manager.store.base import Head, Posting, TotalKey

LATE: Final = 0.3
"""How many seconds a planted server leaves what it acknowledged unwritten."""
JUMP: Final = "HOUSEWAY_CRASH_JUMP"
"""Names in the environment by how many seconds a clock jumps."""


def _answer_early() -> None:
    """Acknowledge orders when they are written, and make them durable only now and then."""
    from houseway.manager.store.sqlite import SqliteStore

    begin, commit, rollback = SqliteStore.begin, SqliteStore.commit, SqliteStore.rollback
    since: list[float] = []

    def late_commit(store: SqliteStore) -> None:
        if not since:
            since.append(time.monotonic())

    def lazy_begin(store: SqliteStore) -> Head:
        if since and time.monotonic() - since[0] < LATE:
            return store._open_at()
        if since:
            since.clear()
            commit(store)
        return begin(store)

    def lazy_rollback(store: SqliteStore) -> None:
        if not since:
            rollback(store)

    patch.object(SqliteStore, "commit", late_commit).start()
    patch.object(SqliteStore, "begin", lazy_begin).start()
    patch.object(SqliteStore, "rollback", lazy_rollback).start()


def _do_twice() -> None:
    """Carry out what was sent once a second time, under an id of its own."""
    submit = Floor.submit

    def twice(floor: Floor, order: Order, *credentials: Any) -> Any:
        done = submit(floor, order, *credentials)
        submit(floor, msgspec.structs.replace(order, id=f"{order.id}~"))
        return done

    patch.object(Floor, "submit", twice).start()


def _lose_a_line() -> None:
    """Leave one line of every entry's money out of the totals."""
    from houseway.manager.ledger import totals_of

    def less(entry: Entry, postings: Sequence[Posting], into: dict[TotalKey, int]) -> None:
        totals_of(entry, postings[1:], into)

    patch("houseway.manager.floor.totals_of", less).start()


def _jump(*, at_start: bool = False) -> None:
    """Have the process's wall clock jump at SIGUSR1, and come back at the next; the steady clock goes on."""
    seconds = int(os.environ[JUMP])
    offset = seconds if at_start else 0
    ns, plain = time.time_ns, time.time

    def jump(number: int, frame: object) -> None:
        nonlocal offset
        offset = 0 if offset else seconds

    signal.signal(signal.SIGUSR1, jump)
    patch.object(time, "time_ns", lambda: ns() + offset * 1_000_000_000).start()
    patch.object(time, "time", lambda: plain() + offset).start()


DEFECTS: Final[dict[str, Callable[[], None]]] = {"early": _answer_early, "twice": _do_twice, "line": _lose_a_line}
"""Defects that a run must find: the check of the check."""
PLANTED: Final[dict[str, Callable[[], None]]] = {
    **DEFECTS,
    "clock": _jump,
    "wrong clock": partial(_jump, at_start=True),
}


def serve_planted(name: str, url: str, key_file: Path) -> None:
    """Serve a floor with a defect, or with a clock that can be set wrong; leaves as the command would."""
    from houseway import cli

    PLANTED[name]()
    serve = ["houseway", "floor", "serve", "--db", url, "--key-file", str(key_file)]
    with patch("sys.argv", serve):
        cli.main()
