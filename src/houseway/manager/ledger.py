"""What every event does to the money: the table's events in `progressive_round.ledger`, the Game Manager's here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from houseway.manager import events as tell
from houseway.manager.entry import Entry
from houseway.manager.store.base import Posting, TotalKey
from houseway.table.progressive_round.events import TableEvent
from houseway.table.progressive_round.ledger import (
    Line,
    house_account,
    meter_account,
    players_account,
    reserve_account,
    table_lines,
)

# A named tuple's own constructor is a function in Python: of several for every coin-in, that is felt.
_new: Final = tuple.__new__


def taken_over_account(link: str) -> str:
    """What an earlier system held."""
    return f"taken_over/{link}"


def lines(event: tell.Event) -> list[Line]:
    """The money that an event moves; every event's lines sum to zero."""
    if isinstance(event, TableEvent):
        return table_lines(event)
    return [line for line in _manager_lines(event) if line.micros]


def _manager_lines(event: tell.AnyManagerEvent) -> Iterator[Line]:
    match event:
        case tell.MeterOpened():
            purpose = "taken over" if event.taken_over else "seed"
            source = taken_over_account(event.link) if event.taken_over else house_account(event.link)
            yield Line(source, purpose, -event.value - event.reserve)
            yield Line(meter_account(event.link, event.meter), purpose, event.value)
            yield Line(reserve_account(event.link, event.meter), purpose, event.reserve)
        case tell.WinUndone():
            yield Line(players_account(event.table), "adjustment", event.players)
            yield from _changes(event.link, event.meter, event.meter_change, event.reserve_change, event.house)
        case tell.MeterAdjusted():
            yield from _changes(event.link, event.meter, event.meter_change, event.reserve_change, event.house)
        case tell.LateWinPaid():
            yield Line(players_account(event.table), "adjustment", event.from_meter + event.from_house)
            yield from _changes(
                event.link,
                event.meter,
                event.seed + event.from_reserve - event.from_meter,
                -event.from_reserve,
                -event.from_house - event.seed,
            )
        case tell.MeterTransferred():
            yield Line(meter_account(event.link, event.meter), "transfer", -event.value)
            yield Line(meter_account(event.to_link, event.to_meter), "transfer", event.value)
            yield Line(reserve_account(event.link, event.meter), "transfer", -event.reserve)
            yield Line(reserve_account(event.to_link, event.to_meter), "transfer", event.reserve)


def _changes(link: str, meter: str, on_meter: int, on_reserve: int, on_house: int) -> Iterator[Line]:
    if meter:
        yield Line(meter_account(link, meter), "adjustment", on_meter)
        yield Line(reserve_account(link, meter), "adjustment", on_reserve)
    yield Line(house_account(link), "adjustment", on_house)


def postings_of(entry: Entry, moves: Iterable[list[Line]] | None = None) -> list[Posting]:
    """An entry's money, line by line. It balances, event by event, or nothing is written.

    ``moves`` are the lines of its events, where they were made already.
    """
    seq = entry.seq
    all_lines: list[Line] = []
    for postings in map(lines, entry.events) if moves is None else moves:
        if postings and sum([line[2] for line in postings]):
            raise RuntimeError(f"entry {seq} does not balance: {postings}")
        all_lines += postings
    return [_new(Posting, (seq, number, *line)) for number, line in enumerate(all_lines)]


def totals_of(entry: Entry, postings: Iterable[Posting], into: dict[TotalKey, int]) -> None:
    """Add an entry's postings to the totals of its gaming day and table."""
    day, table = entry.day, entry.table
    for _, _, account, purpose, micros in postings:
        key = _new(TotalKey, (day, table, account, purpose))
        into[key] = into.get(key, 0) + micros
