"""The accruals and deposits of a link, by gaming day, for a week (FL-17)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, NamedTuple

import msgspec

from houseway.books.period import (
    ONE_DAY,
    account_kind,
    account_owner,
    check_period,
    floor_state,
    read_books,
    read_entry,
)
from houseway.manager import events as tell
from houseway.manager.gaming_day import Calendar
from houseway.manager.state import FloorState, PrizeAccount
from houseway.manager.store.base import Head, Store, TotalKey
from houseway.progressive.terms import MICROS_PER_CENT
from houseway.refusal import Refusal
from houseway.table.config import Policies

ACCRUING: Final = ("contribution", "reserve", "over maximum", "count corrected", "void")
"""What of the players' wagers came to meters and reserves, and what of it was given back."""


class Deposit(NamedTuple):
    """A deposit to the prize account, as it was recorded."""

    entry: int
    at: int
    by: str
    cents: int
    reference: str


@dataclass(frozen=True, slots=True)
class MeterAccrual:
    """What one meter and its reserve accrued on one gaming day, in micros."""

    meter: str
    contributions: int
    reserve: int
    """To the reserve, with what the meter's posted maximum left over."""
    corrections: int
    """Count corrections and voids, mostly negative."""

    @property
    def accrued(self) -> int:
        """The accrual of the day."""
        return self.contributions + self.reserve + self.corrections


@dataclass(frozen=True, slots=True)
class DayAccrual:
    """FL-17: what is reported for one gaming day."""

    day: date
    meters: tuple[MeterAccrual, ...]

    @property
    def accrued(self) -> int:
        """All meters together, in micros."""
        return sum(meter.accrued for meter in self.meters)


@dataclass(frozen=True, slots=True)
class Accruals:
    """FL-17: the week of a link: what accrued day by day, what is to be deposited for it, and what was."""

    link: str
    name: str
    first: date
    last: date
    head: Head
    """Where the journal stood when the books were read, and when its last entry was made."""
    at: int
    days: tuple[DayAccrual, ...]
    awards: int
    """What was paid from the meters in the week, in micros: it is drawn from the account and lowers no deposit."""
    seeds: int
    """What the house put on the meters in the week: its own money, which the account must hold all the same."""
    held: int
    """What meters and reserves hold at the end of the week, or now where it is not over: the account must cover it."""
    deposits: tuple[Deposit, ...]
    account: PrizeAccount | None
    """The prize account as it was last entered; None where it never was."""

    @property
    def accrued(self) -> int:
        """The accruals of the week, in micros."""
        return sum(day.accrued for day in self.days)

    @property
    def due_cents(self) -> int:
        """What is to be deposited for the week: all that accrued, a part of a cent rounded up."""
        return max(0, -(-self.accrued // MICROS_PER_CENT))

    @property
    def deposited_cents(self) -> int:
        """What was recorded as deposited for the week."""
        return sum(deposit.cents for deposit in self.deposits)

    @property
    def difference_cents(self) -> int:
        """Deposited less due: negative while a deposit is missing."""
        return self.deposited_cents - self.due_cents


def accruals(store: Store, policies: Policies, link: str, day: date, state: FloorState | None = None) -> Accruals:
    """FL-17: the accruals and the deposit of one link in the week that a gaming day is in.

    ``state`` is the floor as it stands, where somebody knows it: without a key that means reading every entry.
    """
    state = state or floor_state(store)
    known = known_links(store, state)
    if link not in known:
        raise Refusal("link", f"{link!r} is not a link of this floor; it has {', '.join(known) or 'none'}")
    return next(_accruals(store, policies, state, (link,), day))


def all_accruals(store: Store, policies: Policies, day: date, state: FloorState | None = None) -> tuple[Accruals, ...]:
    """FL-17: the same for every link of the floor."""
    state = state or floor_state(store)
    return tuple(_accruals(store, policies, state, known_links(store, state), day))


def known_links(store: Store, state: FloorState) -> tuple[str, ...]:
    """The links that are configured, and those that were and still have an account."""
    once = {account_owner(account)[0] for account in store.balances() if account_kind(account) == "meter"}
    return tuple(dict.fromkeys((*state.links, *sorted(once))))


def _accruals(
    store: Store, policies: Policies, state: FloorState, links: Iterable[str], day: date
) -> Iterator[Accruals]:
    check_period(day, day)
    calendar = Calendar(policies.time_zone, policies.day_starts)
    first, last = calendar.week_of(day, policies.week_starts)
    books = read_books(store, first, last)
    closing = books.closing()
    deposits = _deposits(store, calendar.begins(first), first, last)
    for link in links:
        own = [account for account in books.accounts("meter", "reserve") if account_owner(account)[0] == link]
        totals = {key: micros for key, micros in books.totals.items() if key.account in own}
        yield Accruals(
            link=link,
            name=state.links[link].name if link in state.links else link,
            first=first,
            last=last,
            head=books.head,
            at=books.at,
            days=tuple(_day_accrual(totals, first + number * ONE_DAY) for number in range(7)),
            awards=-sum(micros for key, micros in totals.items() if key.purpose == "award from meter"),
            seeds=sum(micros for key, micros in totals.items() if key.purpose == "seed"),
            held=sum(closing[account] for account in own),
            deposits=tuple(deposits.get(link, ())),
            account=state.accounts.get(link),
        )


def _day_accrual(totals: Mapping[TotalKey, int], day: date) -> DayAccrual:
    meters = sorted({account_owner(key.account)[1] for key in totals})
    by_meter: dict[str, dict[str, int]] = {meter: dict.fromkeys(ACCRUING, 0) for meter in meters}
    for key, micros in totals.items():
        if key.day == day.isoformat() and key.purpose in ACCRUING:
            by_meter[account_owner(key.account)[1]][key.purpose] += micros
    return DayAccrual(
        day,
        tuple(
            MeterAccrual(
                meter,
                sums["contribution"],
                sums["reserve"] + sums["over maximum"],
                sums["count corrected"] + sums["void"],
            )
            for meter, sums in by_meter.items()
        ),
    )


def _deposits(store: Store, since: int, first: date, last: date) -> dict[str, list[Deposit]]:
    """The deposits recorded for a week, by link. None is recorded before its week begins."""
    by_link: dict[str, list[Deposit]] = {}
    begin, _ = store.between(since, _FOR_EVER)
    if not begin:
        return by_link
    for row in store.entries(begin - 1):
        if row.kind != "record_deposit":
            continue
        entry = read_entry(row)
        for event in entry.events:
            if isinstance(event, tell.DepositRecorded) and first <= date.fromisoformat(event.week) <= last:
                deposit = Deposit(entry.seq, entry.at, entry.by, event.cents, event.reference)
                by_link.setdefault(event.link, []).append(deposit)
    return by_link


_FOR_EVER: Final = 2**62


def accruals_data(week: Accruals) -> dict[str, Any]:
    """The week of a link as plain data."""
    account = week.account
    return {
        "link": week.link,
        "name": week.name,
        "week": {"first": week.first.isoformat(), "last": week.last.isoformat()},
        "journal": {"entry": week.head.seq, "hash": week.head.hash, "at": week.at},
        "days": [
            {
                "day": day.day.isoformat(),
                "accrued_micros": day.accrued,
                "meters": [
                    {
                        "meter": meter.meter,
                        "contributions_micros": meter.contributions,
                        "reserve_micros": meter.reserve,
                        "corrections_micros": meter.corrections,
                        "accrued_micros": meter.accrued,
                    }
                    for meter in day.meters
                ],
            }
            for day in week.days
        ],
        "accrued_micros": week.accrued,
        "awards_micros": week.awards,
        "seeds_micros": week.seeds,
        "held_micros": week.held,
        "due_cents": week.due_cents,
        "deposited_cents": week.deposited_cents,
        "difference_cents": week.difference_cents,
        "deposits": [deposit._asdict() for deposit in week.deposits],
        "account": None if account is None else msgspec.to_builtins(account),
    }
