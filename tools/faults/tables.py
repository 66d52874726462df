"""The raw tables of a floor, read by our own SQL and added up by our own sums: what the program says is not asked."""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

Rows = list[tuple[Any, ...]]

QUESTIONS: Final = {
    "journal": "SELECT seq, at, day, order_id, kind, table_id, round, body, hash, code FROM journal ORDER BY seq",
    "postings": "SELECT seq, line, account, purpose, micros FROM postings ORDER BY seq, line",
    "totals": "SELECT day, table_id, account, purpose, micros FROM totals ORDER BY day, table_id, account, purpose",
    "head": "SELECT id, seq, hash FROM head",
    "tree": "SELECT level, place, hash FROM tree ORDER BY level, place",
    "credentials": "SELECT card, staff, pin_hash FROM credentials ORDER BY card",
    "snapshot": "SELECT id, seq, hash, body, code FROM snapshot",
}


class Unreadable(Exception):  # noqa: N818  what a database is then
    """A database whose tables the database system itself cannot read."""


class Line(NamedTuple):
    """An entry of the journal as its row has it, its text taken apart by nobody but us."""

    seq: int
    at: int
    order: str
    body: str
    hash: str


class Tables(NamedTuple):
    """Everything a database holds."""

    rows: dict[str, Rows]

    @property
    def lines(self) -> list[Line]:
        return [Line(row[0], row[1], row[3], row[7], row[8]) for row in self.rows["journal"]]

    def defects(self) -> Iterator[str]:
        """What is wrong with the journal by itself: numbers, hashes, columns, head, postings, totals."""
        previous, seq = "0" * 64, 0
        for row in self.rows["journal"]:
            body = row[7]
            if row[0] != seq + 1:
                yield f"entry {row[0]} follows entry {seq}"
            if hashlib.sha256(f"{previous}\n{body}".encode()).hexdigest() != row[8]:
                yield f"entry {row[0]} is not chained to the one before it"
            seq, previous = row[0], row[8]
            try:
                text = msgspec.json.decode(body)
            except (msgspec.DecodeError, UnicodeEncodeError):
                yield f"entry {seq} cannot be read"
                continue
            values = tuple(text.get(name, default) for name, default in _COLUMNS.items())
            if values != row[:7]:
                yield f"entry {seq} is filed under {row[:7]}, its text says {values}"
        if self.rows["head"] != [(1, seq, previous)]:
            yield f"the head is {self.rows['head']}, the last entry is {seq}"
        yield from self._unbalanced()

    def _unbalanced(self) -> Iterator[str]:
        sums: dict[int, int] = defaultdict(int)
        accounts: dict[str, int] = defaultdict(int)
        for seq, _, account, _, micros in self.rows["postings"]:
            sums[seq] += micros
            accounts[account] += micros
        for seq, micros in sums.items():
            if micros:
                yield f"the postings of entry {seq} sum to {micros}"
        totals: dict[str, int] = defaultdict(int)
        for _, _, account, _, micros in self.rows["totals"]:
            totals[account] += micros
        for account in {*accounts, *totals}:
            if accounts[account] != totals[account]:
                yield f"{account}: postings {accounts[account]}, totals {totals[account]}"


_COLUMNS: Final = {"seq": 0, "at": 0, "day": "", "order": "", "kind": "", "table": "", "round": 0}
"""The columns of a row that repeat its text, with what a text that leaves them out means."""


def read_tables(url: str) -> Tables:
    """All tables of a floor that nobody serves. A file is copied first: looking at it must not mend it."""
    if "://" in url:
        return _read_postgres(url)
    with copied(Path(url)) as copy:
        return _read_sqlite(copy)


@contextmanager
def copied(file: Path) -> Iterator[Path]:
    """A copy of a database file with its log, to be looked at and thrown away."""
    with tempfile.TemporaryDirectory(prefix="hw", dir=file.parent) as folder:
        for path in (file, Path(f"{file}-wal")):
            if path.exists():
                shutil.copyfile(path, Path(folder) / path.name)
        yield Path(folder) / file.name


def _read_sqlite(file: Path) -> Tables:
    if not file.exists():
        raise Unreadable("there is no file of that name")
    try:
        with closing(sqlite3.connect(file, isolation_level=None)) as database:
            return _read(lambda question: database.execute(question).fetchall())
    # Text that is no text raises an error of its own.
    except (sqlite3.Error, UnicodeError) as error:
        raise Unreadable(str(error)) from error


def _read_postgres(url: str) -> Tables:
    import psycopg

    try:
        with psycopg.connect(url) as database:
            return _read(lambda question: database.execute(question.encode()).fetchall())
    except (psycopg.Error, UnicodeError) as error:
        raise Unreadable(str(error)) from error


def _read(ask: Callable[[str], Sequence[tuple[Any, ...]]]) -> Tables:
    return Tables({table: list(ask(question)) for table, question in QUESTIONS.items()})
