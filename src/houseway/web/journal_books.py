"""The journal itself, over HTTP."""

from __future__ import annotations

import time
from collections.abc import Iterator

from msgspec.structs import replace
from starlette.responses import PlainTextResponse, Response

from houseway.api import journal as api_journal
from houseway.api.journal import BadEntry, EntriesPage, EntryDoc, HeadDoc, Verified, WitnessDoc
from houseway.books.export import Site as Words
from houseway.books.export import paragraph, read_entry
from houseway.manager import events as tell
from houseway.manager.entry import Entry, chained
from houseway.manager.state import FloorState
from houseway.manager.store.base import EMPTY, Row
from houseway.manager.transparency.checkpoint import log_verifier, signed_checkpoint
from houseway.manager.transparency.publish import floor_signer
from houseway.table.card_round.events import SeedCommitted
from houseway.web.listing import (
    MOST_VERIFIED,
    WINDOW,
    number_in,
    walked,
)
from houseway.web.problem import Problem
from houseway.web.routes import Ask, Handlers

journal = Handlers()


@journal.answers(api_journal.ENTRIES, slow=True)
def entries(ask: Ask) -> EntriesPage:
    state, query = ask.site.state, ask.query
    words = Words.of(state)

    def found(row: Row) -> Iterator[EntryDoc]:
        if query.table in ("", row.table) and query.kind in ("", row.kind):
            yield _entry_doc(row, state, words)

    items, following = walked(ask, query, found)
    return EntriesPage(currency=state.policies.currency, items=items, next=following)


def _entry_doc(row: Row, state: FloorState, words: Words) -> EntryDoc:
    """An entry as it may be read; ``state`` is not older than the entry."""
    entry = read_entry(row)
    whole = not _secret(entry, state)
    return EntryDoc(
        entry=entry.seq,
        at=entry.at,
        day=entry.day,
        by=entry.by,
        second=entry.second,
        screen=entry.screen,
        kind=entry.kind,
        table=entry.table,
        round=entry.round,
        whole=whole,
        order=entry.order if whole else "",
        digest=entry.digest if whole else "",
        hash=row.hash if whole else "",
        words=paragraph(entry, words) if whole else "",
        events=tuple(map(_without_seal, entry.events)) if whole else (),
        shown=[] if whole else entry.shown_events(),
    )


def _without_seal(event: tell.Event) -> tell.Event:
    """A sealed seed may be that of an open round; it is of no use to anybody but the shoe."""
    return replace(event, sealed="") if isinstance(event, SeedCommitted) else event


def _secret(entry: Entry, state: FloorState) -> bool:
    """Whether an entry is of an open round whose cards the system sees, or holds the digest of a code still good."""
    table = state.tables.get(entry.table)
    if table is not None and table.config.kind != "progressive" and entry.round >= table.round.number:
        return True
    return any(isinstance(event, tell.PlayerAdmitted) and event.code in state.codes for event in entry.events)


@journal.answers(api_journal.JOURNAL_HEAD, slow=True)
def journal_head(ask: Ask) -> HeadDoc:
    floor, publisher = ask.site.floor, ask.site.publisher
    state, tree, latest = floor.state, floor.tree, publisher.latest
    own = floor.keys.public == state.key
    signer = floor_signer(floor)
    return HeadDoc(
        site=state.policies.site,
        seq=state.seq,
        hash=state.hash,
        at=time.time_ns() // 1_000,
        key=state.key,
        vkey=log_verifier(signer.name, state.key).text,
        text=signed_checkpoint(signer, tree.size, tree.root).text if own else "",
        published=latest.text if latest is not None else "",
        witnessed=latest.size if latest is not None else 0,
        witnesses=tuple(
            WitnessDoc(
                address=witness.address, good=witness.good, alarm=witness.alarm, words=witness.words, at=int(witness.at)
            )
            for witness in publisher.told.values()
        ),
        fault=publisher.fault,
    )


@journal.answers(api_journal.CHECKPOINT, slow=True)
def checkpoint(ask: Ask) -> Response:
    latest = ask.site.publisher.latest
    if latest is None:
        raise Problem(404, "no-checkpoint", "no checkpoint has been published yet; ask again in a minute")
    return PlainTextResponse(latest.text)


@journal.answers(api_journal.VERIFY_JOURNAL, slow=True)
def verify_journal(ask: Ask) -> Verified:
    store, newest = ask.site.floor.store, ask.site.state.seq
    last = min(ask.query.last or newest, newest)
    first = ask.query.first or max(last - WINDOW + 1, 1)
    if first > last:
        raise Problem(422, "invalid", f"must be an entry from 1 to {last}", "first")
    if last - first >= MOST_VERIFIED:
        raise Problem(422, "invalid", f"at most {MOST_VERIFIED:,} entries are checked at once", "last")
    before = store.entry(first - 1) if first > 1 else None
    previous = before.hash if before else EMPTY.hash
    bad: list[BadEntry] = []
    count, expected = 0, first
    for row in store.entries(first - 1, last):
        count += 1
        if row.seq != expected:
            bad.append(BadEntry(entry=expected, what="is missing"))
        if chained(previous, row.body) != row.hash:
            bad.append(BadEntry(entry=row.seq, what="does not fit its hash and the hash before it"))
        previous, expected = row.hash, row.seq + 1
    if expected <= last:
        bad.append(BadEntry(entry=expected, what="is missing"))
    return Verified(first=first, last=last, entries=count, whole=not bad, bad=tuple(bad))


@journal.answers(api_journal.ONE_ENTRY, slow=True)
def one_entry(ask: Ask) -> EntryDoc:
    number, state = number_in(ask, "entry"), ask.site.state
    row = ask.site.floor.store.entry(number) if 0 < number <= state.seq else None
    if row is None:
        raise Problem(404, "no-entry", f"the journal has the entries 1 to {state.seq}", "entry")
    return _entry_doc(row, state, Words.of(state))
