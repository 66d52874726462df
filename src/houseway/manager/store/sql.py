"""What both databases are asked in the same words, and the checks that both writers keep."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, Final

from houseway.manager.store.base import (
    Credential,
    Head,
    Posting,
    Row,
    Snapshot,
    StoreFault,
    TotalKey,
)

LAST_SEQ: Final = 2**63 - 1

PAGE: Final = 1000
"""Rows read at a time, so that a long report holds no transaction open behind a running floor."""

ROW: Final = "seq, at, day, order_id, kind, table_id, round, body, hash, code"
ENTRY: Final = f"SELECT {ROW} FROM journal WHERE seq = ?"
ENTRIES: Final = f"SELECT {ROW} FROM journal WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?"
ROUND: Final = f"SELECT {ROW} FROM journal WHERE table_id = ? AND round = ? ORDER BY seq"
# Materialized, or PostgreSQL looks for the least number by walking the whole journal.
BETWEEN: Final = """
    WITH found AS MATERIALIZED (SELECT seq FROM journal WHERE at >= ? AND at < ?)
    SELECT min(seq), max(seq) FROM found"""
POSTINGS: Final = """
    SELECT seq, line, account, purpose, micros FROM postings
    WHERE (seq, line) > (?, ?) AND seq <= ? ORDER BY seq, line LIMIT ?"""
TOTALS: Final = """
    SELECT day, table_id, account, purpose, micros FROM totals
    WHERE day >= ? AND day <= ? ORDER BY day, table_id, account, purpose"""
BALANCES: Final = """
    SELECT account, CAST(sum(micros) AS BIGINT) FROM totals WHERE day < ? GROUP BY account ORDER BY account"""
HEAD: Final = "SELECT seq, hash FROM head"
PROBE: Final = ("UPDATE head SET seq = seq + 1", "UPDATE head SET seq = seq - 1")
"""There and back: SQLite does not write a page that holds the very same as before."""
SNAPSHOT: Final = "SELECT seq, hash, body, code FROM snapshot"
BODIES: Final = "SELECT body FROM journal WHERE seq >= ? AND seq <= ? ORDER BY seq"
NODE: Final = "SELECT hash FROM tree WHERE level = ? AND place = ?"
NODE_COUNT: Final = "SELECT count(*) FROM tree"
CREDENTIAL: Final = "SELECT card, staff, pin_hash FROM credentials WHERE card = ?"
CREDENTIALS: Final = "SELECT card, staff, pin_hash FROM credentials ORDER BY card"

ADD_CREDENTIAL: Final = """
    INSERT INTO credentials (card, staff, pin_hash) VALUES (?, ?, ?)
    ON CONFLICT (card) DO UPDATE SET staff = excluded.staff, pin_hash = excluded.pin_hash"""
SAVE_SNAPSHOT: Final = """
    INSERT INTO snapshot (id, seq, hash, body, code) VALUES (1, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE
    SET seq = excluded.seq, hash = excluded.hash, body = excluded.body, code = excluded.code"""

ADD_NODE: Final = "INSERT INTO tree (level, place, hash) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"

BEFORE_ALL_DAYS: Final = ""
AFTER_ALL_DAYS: Final = "\U0010ffff"


class SqlStore(ABC):
    """The reading half of a store, and where its open transaction stands."""

    name: str
    _at: Head | None = None
    """The last entry as the open transaction will leave it; None when none is open."""

    @abstractmethod
    def _rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """All rows that a question has as its answer, read beside the writer."""

    @abstractmethod
    def begin(self) -> Head:
        """Open the write transaction; answers where the journal stands now."""

    @abstractmethod
    def commit(self) -> None:
        """Make everything since ``begin`` durable."""

    @abstractmethod
    def _write(self, statement: str, *values: object) -> object:
        """Run one statement inside the write transaction."""

    @abstractmethod
    def rollback(self) -> None:
        """Forget everything since ``begin``; allowed also when nothing is open."""

    def probe(self) -> Head:
        """Whether something can be recorded now: a whole transaction, as durable as any, that changes nothing."""
        head = self.begin()
        for statement in PROBE:
            self._write(statement)
        self.commit()
        return head

    def head(self) -> Head:
        """Where the journal stands, without a lock."""
        return self._one_head(self._rows(HEAD))

    def entries(self, after: int = 0, until: int | None = None) -> Iterator[Row]:
        """The entries after one number, up to and including another, in order, streamed."""
        last = LAST_SEQ if until is None else until
        while page := self._rows(ENTRIES, after, last, PAGE):
            yield from map(Row._make, page)
            after = page[-1][0]

    def entry(self, seq: int) -> Row | None:
        """One entry by its number."""
        rows = self._rows(ENTRY, seq)
        return Row._make(rows[0]) if rows else None

    def bodies(self, first: int, last: int) -> list[str]:
        """The bodies of the entries from one number to another, both included."""
        return [body for (body,) in self._rows(BODIES, first, last)]

    def node(self, level: int, place: int) -> str | None:
        """A node of the tree, where it is kept."""
        rows = self._rows(NODE, level, place)
        return str(rows[0][0]) if rows else None

    def node_count(self) -> int:
        """How many nodes of the tree are kept."""
        ((count,),) = self._rows(NODE_COUNT)
        return int(count)

    def round_entries(self, table: str, round: int) -> list[Row]:
        """Everything recorded of one round, in order."""
        return [Row._make(row) for row in self._rows(ROUND, table, round)]

    def between(self, first: int, last: int) -> tuple[int, int]:
        """The first and last entry number with a time in [first, last); (0, 0) where there is none."""
        ((low, high),) = self._rows(BETWEEN, first, last)
        return (low or 0, high or 0)

    def postings(self, after: int = 0, until: int | None = None) -> Iterator[Posting]:
        """The lines of the entries after one number, up to and including another, in order, streamed."""
        last = LAST_SEQ if until is None else until
        place = (after, LAST_SEQ)
        while page := self._rows(POSTINGS, *place, last, PAGE):
            yield from map(Posting._make, page)
            place = page[-1][:2]

    def totals(self, first_day: str | None = None, last_day: str | None = None) -> dict[TotalKey, int]:
        """The totals of the gaming days in [first, last], both included; all without."""
        first = BEFORE_ALL_DAYS if first_day is None else first_day
        last = AFTER_ALL_DAYS if last_day is None else last_day
        return {TotalKey._make(key): micros for *key, micros in self._rows(TOTALS, first, last)}

    def balances(self, before_day: str | None = None) -> dict[str, int]:
        """Each account's balance, of all days or only those before one."""
        return dict(self._rows(BALANCES, AFTER_ALL_DAYS if before_day is None else before_day))

    def snapshot(self) -> Snapshot | None:
        """The floor as it was last saved."""
        rows = self._rows(SNAPSHOT)
        return Snapshot._make(rows[0]) if rows else None

    def credential(self, card: str) -> Credential | None:
        """What one card is checked against."""
        rows = self._rows(CREDENTIAL, card)
        return Credential._make(rows[0]) if rows else None

    def credentials(self) -> Iterator[Credential]:
        """Every card's credential, in the order of the cards."""
        yield from map(Credential._make, self._rows(CREDENTIALS))

    def _one_head(self, rows: Sequence[tuple[Any, ...]]) -> Head:
        """The one row of ``head``; a database that lost it is not written to."""
        if len(rows) != 1:
            raise StoreFault(f"{self.name}: the table head has {len(rows)} rows, not one; restore a backup")
        return Head._make(rows[0])

    def _open_at(self) -> Head:
        """Where the open transaction stands; a write outside of one is a bug."""
        if self._at is None:
            raise RuntimeError("a write outside begin … commit")
        return self._at

    def _must_be_closed(self) -> None:
        """A second ``begin`` is a bug."""
        if self._at is not None:
            raise RuntimeError("begin inside begin … commit")

    def _after(self, rows: Sequence[Row]) -> Head:
        """The head after these entries; entries that do not follow it directly are a bug."""
        at = self._open_at()
        for expected, row in enumerate(rows, at.seq + 1):
            if row.seq != expected:
                raise RuntimeError(f"entry {row.seq} appended where {expected} comes next")
        return Head(rows[-1].seq, rows[-1].hash) if rows else at
