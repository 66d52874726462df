"""How a floor's database is read row by row, exactly as it is stored, as of one moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import count
from typing import Any, Final, TypeAlias

from houseway.manager.store.base import Store

PAGE: Final = 1000
"""Entries read at a time."""
MOST_CHASES: Final = 3
"""So often a journal is read to where it ended before; then all that has come since is read in one moment."""
SHOWN: Final = 60
"""So much of a wrong value is shown."""

JOURNAL: Final = "SELECT seq, at, day, order_id, kind, table_id, round, body, hash, code FROM journal"
BODIES: Final = "SELECT body FROM journal ORDER BY seq"
LAST: Final = "SELECT max(seq) FROM journal"
POSTINGS: Final = "SELECT seq, line, account, purpose, micros FROM postings"
TOTALS: Final = "SELECT day, table_id, account, purpose, micros FROM totals ORDER BY day, table_id, account, purpose"
HEAD: Final = "SELECT id, seq, hash FROM head"
CREDENTIALS: Final = "SELECT card, staff, pin_hash FROM credentials ORDER BY card"
SNAPSHOT: Final = "SELECT id, seq, hash, body, code FROM snapshot"

Values: TypeAlias = tuple[Any, ...]
Ask: TypeAlias = Callable[[str], Iterator[Values]]
"""Puts one question to a database, as of one moment, and answers with the rows exactly as they are stored."""
Reading: TypeAlias = Callable[[], AbstractContextManager[Ask]]
"""Opens one moment of a database."""
Progress: TypeAlias = Callable[[int, int], None]
"""Told how many entries have been read, of how many."""


class Unreadable(Exception):  # noqa: N818  a finding, not an error of the program
    """A table could not be read to its end."""


def reading_of(store: Store) -> Reading:
    """How a store's tables are read as they are stored: each moment is one transaction of one of its readers."""
    from houseway.manager.store.postgres import PostgresStore
    from houseway.manager.store.sqlite import SqliteStore

    # The store's own questions answer with what a floor needs; here every row counts, and all as of one moment.
    if isinstance(store, SqliteStore):
        return lambda: _sqlite_moment(store._readers.lease())
    if isinstance(store, PostgresStore):
        return lambda: _postgres_moment(store._readers.lease())
    raise TypeError(f"no way to read {type(store).__name__} row by row is known")


@contextmanager
def _sqlite_moment(lease: AbstractContextManager[Any]) -> Iterator[Ask]:
    with lease as connection:
        usual = connection.text_factory
        # Text that is no UTF-8 is a finding like any other, not an end of the reading.
        connection.text_factory = _any_text
        connection.execute("BEGIN")
        try:
            yield connection.execute
        finally:
            connection.text_factory = usual
            if connection.in_transaction:
                connection.execute("ROLLBACK")


def _any_text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


@contextmanager
def _postgres_moment(lease: AbstractContextManager[Any]) -> Iterator[Ask]:
    with lease as connection:
        connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        numbers = count(1)

        def ask(question: str) -> Iterator[Values]:
            # A cursor with a name stays on the server and hands over a page at a time; two may be open at once.
            with connection.cursor(f"houseway_verify_{next(numbers)}") as rows:
                rows.itersize = PAGE
                yield from rows.execute(question)

        try:
            yield ask
        finally:
            connection.execute("ROLLBACK")


def read_rows(table: str, ask: Ask, question: str) -> Iterator[Values]:
    """The rows of a table; what its driver raises becomes one thing to look out for."""
    try:
        # Not "yield from": given up half-way, that would close a cursor whose database may be closed already.
        for row in ask(question):  # noqa: UP028
            yield row
    except Exception as error:
        raise Unreadable(f"table {table} cannot be read: {show_value(error)}") from error


class Pace:
    """How many entries to read at a time, so that a floor which writes on meanwhile is caught up with in the end."""

    def __init__(self) -> None:
        self.end = -1
        """Where the journal ended when this was last looked up."""
        self._chases = 0

    def limit(self, ask: Ask, place: int) -> int:
        """So many from here; everything there is, once the end has run away often enough."""
        if place >= self.end:
            last = next(read_rows("journal", ask, LAST))[0]
            self.end = last if type(last) is int else place
            self._chases += 1
        return PAGE if self._chases <= MOST_CHASES else 2**62


def show_value(value: object) -> str:
    """Any value or error, short and on one line."""
    text = value if isinstance(value, str) else str(value) if isinstance(value, Exception) else repr(value)
    text = " ".join(text.split()) or repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
