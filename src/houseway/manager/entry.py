"""An entry of the journal: one accepted command and everything that came of it, chained to the entry before it."""

from __future__ import annotations

import hashlib

import msgspec
from msgspec import Struct

from houseway.manager.events import Event
from houseway.manager.store.base import Head, Row


class Entry(Struct, frozen=True, kw_only=True):
    """Who asked what, when, and what happened."""

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


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Entry)


def chained(previous: str, body: str) -> str:
    """PR-24: the hash of an entry, over its text and the hash before it."""
    return hashlib.sha256(f"{previous}\n{body}".encode()).hexdigest()


def row_of(entry: Entry, previous: Head) -> Row:
    """An entry as it is stored after another."""
    if entry.seq != previous.seq + 1:
        raise RuntimeError(f"entry {entry.seq} cannot follow entry {previous.seq}")
    body = _ENCODER.encode(entry).decode()
    return Row(
        entry.seq,
        entry.at,
        entry.day,
        entry.order,
        entry.kind,
        entry.table,
        entry.round,
        body,
        chained(previous.hash, body),
    )


def entry_of(body: str) -> Entry:
    """The entry that a row holds."""
    return _DECODER.decode(body)
