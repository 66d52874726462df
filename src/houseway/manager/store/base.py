"""What a floor needs of its database. One class for SQLite and one for PostgreSQL keep to it.

Four tables hold history and money, one holds secrets, two save time:

* ``journal``: one row an entry, only ever appended. ``body`` is the entry itself; the other columns repeat parts of
  it so that an entry can be found.
* ``postings``: the entries' money movements, line by line.
* ``totals``: the same movements summed by gaming day, table, account and purpose. Balances and reports come from here.
* ``head``: one row, where the journal stands; whoever writes holds its lock.
* ``credentials``: what a card and PIN are checked against; the journal holds a digest of each.
* ``snapshot``: the state of the floor as of some entry, so that a start need not read the whole journal.
* ``tree``: the upper nodes of the Merkle tree over the entries' bodies, so that a proof need not read them all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from threading import Event
from typing import NamedTuple, Protocol, TypeAlias

from houseway.manager.transparency.tree import KeptNode
from houseway.refusal import Fault


class Head(NamedTuple):
    """Where the journal stands: the last entry's number and hash."""

    seq: int
    hash: str


EMPTY: Head = Head(0, "0" * 64)
"""Before the first entry."""


class Row(NamedTuple):
    """One entry of the journal as it is stored."""

    seq: int
    at: int
    """Microseconds since 1970, UTC."""
    day: str
    """The gaming day, ISO."""
    order: str
    """The id of the command that made it; no two entries share one."""
    kind: str
    table: str
    """The table it is about, or empty."""
    round: int
    """The round it is about, or 0."""
    body: str
    """The entry in canonical JSON: what the hash is taken over."""
    hash: str
    code: str = ""
    """TR-12: made with the floor's key over hash and body; empty for an entry of before there were codes."""


class Posting(NamedTuple):
    """One line of an entry's money: so much more (or less) on one account."""

    seq: int
    line: int
    account: str
    purpose: str
    micros: int


class TotalKey(NamedTuple):
    """What a total is summed by."""

    day: str
    table: str
    account: str
    purpose: str


Totals: TypeAlias = Mapping[TotalKey, int]


class Snapshot(NamedTuple):
    """The floor as of an entry."""

    seq: int
    hash: str
    """The hash of that entry."""
    body: bytes
    code: str = ""
    """TR-12: made with the floor's key over all of it; a snapshot that it does not fit is not used."""


class Credential(NamedTuple):
    """What a card is checked against; only its digest is in the journal."""

    card: str
    staff: str
    pin_hash: str
    """Argon2, with its salt and parameters."""


class Store(Protocol):
    """A floor's database. ``begin`` to ``commit`` is one writer's; everything else reads and may run beside it."""

    name: str
    """For people: the file, or the server and database, without a password."""

    def begin(self) -> Head:
        """Open the write transaction and take the floor's lock; answers where the journal stands now."""
        ...

    def known(self, orders: Sequence[str]) -> dict[str, Row]:
        """Inside the write transaction: the entries that these commands made already, by command id."""
        ...

    def append(self, rows: Sequence[Row], postings: Sequence[Posting], totals: Totals) -> None:
        """Add entries (in order, directly after the head), their postings, and add ``totals`` to those kept."""
        ...

    def add_credential(self, credential: Credential) -> None:
        """Inside the write transaction: keep a credential, in place of the card's earlier one."""
        ...

    def save_snapshot(self, snapshot: Snapshot) -> None:
        """Inside the write transaction: keep it in place of the earlier one."""
        ...

    def add_nodes(self, nodes: Sequence[KeptNode]) -> None:
        """Inside the write transaction: keep nodes of the tree; those that are there stay as they are."""
        ...

    def commit(self) -> None:
        """Make everything since ``begin`` durable."""
        ...

    def rollback(self) -> None:
        """Forget everything since ``begin``; allowed also when nothing is open."""
        ...

    def probe(self) -> Head:
        """Whether something can be recorded now: a whole transaction, as durable as any, that changes nothing."""
        ...

    def head(self) -> Head:
        """Where the journal stands, without a lock."""
        ...

    def entries(self, after: int = 0, until: int | None = None) -> Iterator[Row]:
        """The entries after one number, up to and including another, in order, streamed."""
        ...

    def entry(self, seq: int) -> Row | None: ...

    def bodies(self, first: int, last: int) -> list[str]:
        """The bodies of the entries from one number to another, both included."""
        ...

    def node(self, level: int, place: int) -> str | None:
        """A node of the tree, where it is kept."""
        ...

    def node_count(self) -> int:
        """How many nodes of the tree are kept."""
        ...

    def round_entries(self, table: str, round: int) -> list[Row]:
        """Everything recorded of one round, in order."""
        ...

    def between(self, first: int, last: int) -> tuple[int, int]:
        """The first and last entry number with a time in [first, last); (0, 0) where there is none."""
        ...

    def postings(self, after: int = 0, until: int | None = None) -> Iterator[Posting]: ...

    def totals(self, first_day: str | None = None, last_day: str | None = None) -> dict[TotalKey, int]:
        """The totals of the gaming days in [first, last], both included; all without."""
        ...

    def balances(self, before_day: str | None = None) -> dict[str, int]:
        """Each account's balance, of all days or only those before one."""
        ...

    def snapshot(self) -> Snapshot | None: ...

    def credential(self, card: str) -> Credential | None: ...

    def credentials(self) -> Iterator[Credential]: ...

    def strangers(self) -> list[str]:
        """TR-12: what the database has beside the floor's own tables, in words: tables, triggers, views, columns."""
        ...

    def wait(self, seconds: float, stopped: Event) -> None:
        """Wait until another process may have written something, at most so long, or until it is stopped."""
        ...

    def backup(self, target: Path) -> None:
        """Copy the whole database, as of one moment, into a new file, while the floor runs."""
        ...

    def close(self) -> None: ...


class StoreFault(Fault):
    """The database could not do it. Nothing of the open transaction was kept, unless ``uncertain``."""

    def __init__(self, sentence: str, *, uncertain: bool = False, fatal: bool = False) -> None:
        super().__init__(sentence)
        self.uncertain = uncertain
        """Whether the commit itself may have happened: the writer must look before it answers."""
        self.fatal = fatal
        """Whether the database is not the one that was opened: nothing more may be written to it by this process."""
