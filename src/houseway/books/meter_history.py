"""Every rise and fall of a meter, explained from the journal (FL-14)."""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from houseway.books.period import FIRST_DAY, ONE_DAY, account_kind, check_period, money, read_entry
from houseway.manager import events as tell
from houseway.manager.gaming_day import MICROS as MICROSECONDS
from houseway.manager.ledger import lines
from houseway.manager.store.base import Posting, Row, Store
from houseway.progressive.terms import MICROS_PER_CENT
from houseway.refusal import Refusal
from houseway.table.progressive_round import events as at_table
from houseway.table.progressive_round.adjustments import REASONS
from houseway.table.progressive_round.ledger import meter_account, reserve_account

_CHUNK: Final = 1_000
Part: TypeAlias = Literal["meter", "reserve"]


class Movement(Struct, frozen=True):
    """FL-14: one rise or fall of a meter or its reserve, with its explanation."""

    entry: int
    """The number of the journal's entry; 0 for what was brought forward."""
    at: int
    """Microseconds since 1970, UTC; 0 for what was brought forward."""
    day: str
    part: Part
    purpose: str
    micros: int
    meter_after_micros: int
    reserve_after_micros: int
    by: str
    second: str
    table: str
    round: int
    explanation: str


UNEXPLAINED: Final = "the entry does not say this: run houseway journal verify"
BROUGHT_FORWARD: Final = "brought forward"


def meter_history(store: Store, link: str, meter: str, first: date, last: date) -> Iterator[Movement]:
    """FL-14: every movement of a meter and its reserve in a period, in order; first what was brought forward."""
    check_period(first, last)
    known = sorted(account for account in store.balances() if account_kind(account) == "meter")
    if meter_account(link, meter) not in known:
        names = ", ".join(account.partition("/")[2] for account in known) or "none"
        raise Refusal("meter", f"{link}/{meter} never had any money; the meters that had are {names}")
    return _history(store, link, meter, first, last)


def _history(store: Store, link: str, meter: str, first: date, last: date) -> Iterator[Movement]:
    accounts: dict[str, Part] = {meter_account(link, meter): "meter", reserve_account(link, meter): "reserve"}
    opening = store.balances(first.isoformat())
    holds = {part: opening.get(account, 0) for account, part in accounts.items()}
    yield Movement(
        *(0, 0, first.isoformat(), "meter", BROUGHT_FORWARD, 0, holds["meter"], holds["reserve"], "", "", "", 0),
        f"what it held before {first}",
    )
    for row, postings in _moving(store, accounts, first, last):
        entry = read_entry(row)
        booked = [(event, line) for event in entry.events for line in lines(event)]
        for posting in postings:
            part = accounts[posting.account]
            holds[part] += posting.micros
            event, line = booked[posting.line] if posting.line < len(booked) else (None, None)
            is_told = event is not None and line == (posting.account, posting.purpose, posting.micros)
            yield Movement(
                entry.seq,
                entry.at,
                entry.day,
                part,
                posting.purpose,
                posting.micros,
                holds["meter"],
                holds["reserve"],
                entry.by,
                entry.second,
                entry.table,
                entry.round,
                explain(event, posting) if is_told and event is not None else UNEXPLAINED,
            )


def _moving(store: Store, accounts: Iterable[str], first: date, last: date) -> Iterator[tuple[Row, list[Posting]]]:
    """The entries of a period that moved one of these accounts, with those postings."""
    # The day of an entry is the one it was booked on, whatever the policies say now. So the clock only narrows the
    # search: a gaming day lies within two days of the calendar's, in any time zone.
    low, high = _utc(first - 2 * ONE_DAY) if first - 2 * ONE_DAY > FIRST_DAY else 0, _utc(last + 3 * ONE_DAY)
    begin, end = store.between(low, high)
    for after in range(begin - 1, end, _CHUNK) if begin else ():
        until = min(after + _CHUNK, end)
        by_entry: dict[int, list[Posting]] = {}
        for posting in store.postings(after, until):
            if posting.account in accounts:
                by_entry.setdefault(posting.seq, []).append(posting)
        if not by_entry:
            continue
        for row in store.entries(after, until):
            if row.seq in by_entry and first.isoformat() <= row.day <= last.isoformat():
                yield row, by_entry[row.seq]


def _utc(day: date) -> int:
    return round(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()) * MICROSECONDS


def explain(event: tell.Event, posting: Posting) -> str:
    """FL-14: why money moved, in a sentence."""
    match event:
        case at_table.LockedIn():
            wagers = (
                f"{len(event.spots)} {'wager' if len(event.spots) == 1 else 'wagers'} of {_cents(event.wager_cents)}"
            )
            over = ", over the posted maximum" if posting.purpose == "over maximum" else ""
            return f"{wagers} at table {event.table}, round {event.round}{over}"
        case at_table.CountCorrected():
            was = "was in and had not been counted" if event.wagered else "had been counted and was not in"
            return f"spot {event.spot} of table {event.table}, round {event.round}, {was}: {event.reason}"
        case at_table.WinPaid():
            paid = "" if posting.purpose == "award from meter" else "it starts again after "
            return f"{paid}win {event.win} at table {event.table}, spot {event.spot}"
        case at_table.RoundVoided():
            return f"round {event.round} of table {event.table} voided: {event.cause}"
        case tell.MeterOpened():
            return f"taken over: {event.reference}" if event.taken_over else "the seed it begins with"
        case tell.WinUndone():
            return f"win {event.win} undone, because {REASONS[event.reason]}: {event.explanation}"
        case tell.MeterAdjusted():
            return f"adjusted, because {REASONS[event.reason]}: {event.explanation}"
        case tell.LateWinPaid():
            hand = event.hand.replace("_", " ")
            where = f"{hand} at table {event.table}, round {event.round}, spot {event.spot}"
            return f"win {event.win} paid late, {where}: {event.evidence}"
        case tell.MeterTransferred():
            retired = ", which retires it" if event.retired else ""
            whither = f"{event.to_link}/{event.to_meter}"
            return f"all of {event.link}/{event.meter} to {whither}{retired}: {event.authority}"
        case _:
            return UNEXPLAINED


def _cents(cents: int) -> str:
    return money(cents * MICROS_PER_CENT)
