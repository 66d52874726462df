"""A round out of the journal: the record of one that is over, under the configuration it was played by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from houseway.books.export import read_entry
from houseway.manager.config import DEMONSTRATED
from houseway.manager.entry import Entry
from houseway.manager.events import FloorConfigured
from houseway.manager.state import FloorState, after
from houseway.manager.store.base import Store
from houseway.refusal import Refusal
from houseway.table.card_round.events import DeckStacked, SeedCommitted
from houseway.table.notation import Played, RoundRecord, record_of


def journalled(store: Store, table: str, number: int, configured: Sequence[int]) -> RoundRecord:
    """A round of the journal, under the configuration it was played by; refused while it is not over.

    ``configured`` are the numbers of the entries that configured the floor, its founding first.
    """
    entries = [read_entry(row) for row in store.round_entries(table, number)]
    if not entries:
        raise Refusal("round", f"the journal has no round {number} of table {table}")
    promised = [
        event
        for row in store.round_entries(table, number - 1)
        if '"seed_committed"' in row.body
        for event in read_entry(row).events
        if isinstance(event, SeedCommitted) and event.round == number
    ]
    begun = next((entry.seq for entry in entries if entry.kind in ("no_more_bets", "lock_in")), entries[0].seq)
    played = _played(store, table, max((seq for seq in configured if seq < begun), default=0))
    site = _named(played.site, is_demonstration(store, configured))
    return record_of(entries, played._replace(site=site), promised)


def is_demonstration(store: Store, configured: Sequence[int]) -> bool:
    """TR-9: whether a floor was founded as a demonstration, by its founding entry and nothing later."""
    row = store.entry(configured[0]) if configured else None
    return row is not None and after(FloorState(), read_entry(row), "").demonstration


def _named(site: str, demonstration: bool) -> str:
    """A site as its founding lets it be called, whatever a configuration in between said."""
    bare = site.removeprefix(DEMONSTRATED)
    return f"{DEMONSTRATED}{bare}" if demonstration else bare


def chosen_cards(entry: Entry) -> Iterator[str]:
    """TR-9: the cards that somebody chose in an entry: none on a real floor."""
    for event in entry.events:
        if isinstance(event, DeckStacked) and event.cards:
            yield f"cards were chosen at {event.table} in round {event.round}, and this floor is no demonstration"


def _played(store: Store, table: str, seq: int) -> Played:
    """What an entry configured for a table."""
    row = store.entry(seq)
    for event in read_entry(row).events if row is not None else ():
        if isinstance(event, FloorConfigured):
            config = next((table_config for table_config in event.config.tables if table_config.id == table), None)
            if config is not None:
                link = next((link for link in event.config.links if link.id == config.link), None)
                return Played(event.config.policies.site, config, link.terms if link is not None else None)
    raise Refusal("table", f"{table!r} was not configured when that round was played")
