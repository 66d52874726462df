"""The journal itself."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from houseway.api.paging import Limit, WalkQuery
from houseway.api.route import TEXT, Chapter
from houseway.manager import events as tell

journal = Chapter("journal")


class EntryDoc(Struct, frozen=True, kw_only=True):
    """An entry of the journal.

    While a round is open at a table that sees its cards, its entries are told by what is shown of them alone, and
    without what could be used to find a card: the order's id and digest, and the hash.
    """

    entry: int
    at: int
    day: str
    by: str
    second: str
    screen: str
    """Who was signed in on the screen where ``by`` presented a card; empty where that was ``by``."""
    kind: str
    table: str
    round: int
    whole: bool
    """Whether everything in it is told."""
    order: str
    """The id of the order; empty where the entry is not told whole, as are digest, hash and words."""
    digest: str
    hash: str
    words: str
    events: tuple[tell.Event, ...]
    """What happened; amounts are millionths unless named cents. None where the entry is not told whole."""
    shown: list[dict[str, Any]]
    """What is shown of an entry that is not told whole."""


class EntriesPage(Struct, frozen=True, kw_only=True):
    currency: str
    items: tuple[EntryDoc, ...]
    next: str | None


class JournalQuery(WalkQuery, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A page of the journal, of one table or kind of entry where that is named."""

    limit: Limit = 50
    table: str = ""
    kind: str = ""


class WitnessDoc(Struct, frozen=True, kw_only=True):
    """What a witness said last."""

    address: str
    good: bool
    """Whether it cosigned."""
    alarm: bool
    """Whether it has seen another journal than this one."""
    words: str
    at: int
    """When it said so, in seconds since 1970."""


class HeadDoc(Struct, frozen=True, kw_only=True):
    """Where the journal stands, signed where the server has the key, and what witnesses have seen of it."""

    site: str
    seq: int
    hash: str
    at: int
    """When it was asked for."""
    key: str
    """The public key that signs the journal."""
    vkey: str
    """The same key as the tools of transparency logs take it."""
    text: str
    """The signed checkpoint as `houseway journal verify --head` reads it; empty where the key is not at hand."""
    published: str
    """The newest checkpoint that enough witnesses have cosigned; empty where there is none yet."""
    witnessed: int
    """The entry that it is of."""
    witnesses: tuple[WitnessDoc, ...]
    fault: str
    """Why no checkpoint could be published; empty where it could."""


class VerifyQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    first: Annotated[
        int, Meta(ge=0, le=10**18, description="The first entry; the last thousand where none is named.")
    ] = 0
    last: Annotated[int, Meta(ge=0, le=10**18, description="The last entry; the newest where none is named.")] = 0


class BadEntry(Struct, frozen=True, kw_only=True):
    entry: int
    what: str


class Verified(Struct, frozen=True, kw_only=True):
    """Whether some entries are chained to each other as they were written."""

    first: int
    last: int
    entries: int
    whole: bool
    bad: tuple[BadEntry, ...]


ENTRIES = journal.get(
    "entries", "/journal", "The journal, entry by entry.", may="journal", answer=EntriesPage, query=JournalQuery
)
JOURNAL_HEAD = journal.get(
    "journal_head",
    "/journal/head",
    "Where the journal stands now, signed. Keep it elsewhere: it shows a cut-off or rewritten journal later.",
    may="journal",
    answer=HeadDoc,
)
CHECKPOINT = journal.file(
    "checkpoint",
    "/journal/checkpoint",
    "The newest checkpoint that enough witnesses have cosigned (c2sp.org/tlog-checkpoint).",
    may="checkpoint",
    media=TEXT,
)
VERIFY_JOURNAL = journal.get(
    "verify_journal",
    "/journal/verify",
    "Check the chain of at most 10,000 entries; `houseway journal verify` checks all, and every line of money.",
    may="journal",
    answer=Verified,
    query=VerifyQuery,
)
ONE_ENTRY = journal.get("one_entry", "/journal/{entry}", "One entry of the journal.", may="journal", answer=EntryDoc)
