"""An entry of the journal: one accepted command and everything that came of it, chained to the entry before it.

What an entry holds has a format, and the entry says which:

1. as it was before there was a number: neither salt nor code;
2. with a random salt, so that its hash cannot be searched for what it holds (TR-10), and stored beside a code (TR-12);
3. with events of the clock, one of which may be earlier than the entry before it;
4. with actions of spots by name, and streets of a board;
5. with surveillance as a role: who verified a large win is who gave the order (FL-7).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec import Struct

from houseway.manager.events import Event
from houseway.manager.store.base import Head, Row
from houseway.refusal import Refusal

FORMAT: Final = 5
"""The format in which entries are written. Raised with every change of what an entry or an event holds."""
FIRST_CODED: Final = 2
"""From this format on every entry has a salt and a code."""
SALT_BYTES: Final = 16


class Entry(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Who asked what, when, and what happened. A default is not written: older entries do not have these fields."""

    seq: int
    at: int
    """Microseconds since 1970, UTC."""
    day: str
    """The gaming day."""
    order: str
    """The id of the command."""
    digest: str
    """What the command asked, in short."""
    by: str
    second: str
    kind: str
    table: str
    round: int
    events: tuple[Event, ...]
    screen: str = ""
    """Who was signed in on the screen where ``by`` presented a card; empty where that was ``by``."""
    format: int = 1
    salt: str = ""
    """TR-10: random, in hex; nobody can try what an entry may hold against its hash."""

    def shown_events(self) -> list[dict[str, Any]]:
        """Its events as they leave the house. Whoever may see a card finds it in the view of the table."""
        return [event.show_fields() for event in self.events if event.SHOWN is not None]


class _Written(Struct):
    """What is read of an entry that cannot be read otherwise."""

    format: int = 1


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Entry)
_FORMAT_DECODER = msgspec.json.Decoder(_Written)


def chained(previous: str, body: str) -> str:
    """PR-24: the hash of an entry, over its text and the hash before it."""
    return hashlib.sha256(f"{previous}\n{body}".encode()).hexdigest()


def row_of(entry: Entry, previous: Head, code_of: Callable[[str, str], str] | None = None) -> Row:
    """An entry as it is stored after another; ``code_of`` makes its code of its hash and text."""
    if entry.seq != previous.seq + 1:
        raise RuntimeError(f"entry {entry.seq} cannot follow entry {previous.seq}")
    body = _ENCODER.encode(entry).decode()
    hash_ = chained(previous[1], body)
    code = "" if code_of is None else code_of(hash_, body)
    # A named tuple's own constructor is a function in Python.
    return tuple.__new__(
        Row,
        (entry.seq, entry.at, entry.day, entry.order, entry.kind, entry.table, entry.round, body, hash_, code),
    )


def entry_of(body: str) -> Entry:
    """The entry that a row holds; one that a newer program wrote is refused."""
    try:
        entry = _DECODER.decode(body)
    except msgspec.ValidationError:
        _refuse_newer(_FORMAT_DECODER.decode(body).format)
        raise
    if entry.format != FORMAT:
        _refuse_newer(entry.format)
    return entry


def _refuse_newer(format: int) -> None:
    if format > FORMAT:
        raise Refusal(
            "journal",
            f"has an entry of format {format}, newer than this program knows (up to {FORMAT}); "
            "start the newer Houseway, this one could damage it",
        )


def written_form(entry: Entry, body: str) -> str:
    """An entry as the program of its format writes it.

    In the format of today that is one text. An earlier program knew fewer fields: those that its text does not have
    are left out, and everything else, to the last comma, must be as it is written today.
    """
    text = _ENCODER.encode(entry)
    if entry.format < FORMAT and text != body.encode():
        text = _ENCODER.encode(_as_known(msgspec.json.decode(text), msgspec.json.decode(body)))
    return text.decode()


def _as_known(now: Any, then: Any) -> Any:
    """What is written today, without the fields that an earlier text does not have."""
    if isinstance(now, dict) and isinstance(then, dict):
        return {key: _as_known(value, then[key]) for key, value in now.items() if key in then}
    if isinstance(now, list) and isinstance(then, list) and len(now) == len(then):
        return [_as_known(one, other) for one, other in zip(now, then, strict=True)]
    return now
