"""Reports: what every gaming day, table, link or meter took in and paid out, to the micro (PR-25, FL-14, FL-17).

A report is made of the totals by gaming day, table, account and purpose alone: what it costs grows with days and
accounts, never with the length of the journal. Only `meter_history`, which explains every movement, reads entries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import msgspec

from houseway.manager import events as tell
from houseway.manager.entry import Entry, entry_of
from houseway.manager.gaming_day import MICROS as MICROSECONDS
from houseway.manager.gaming_day import Calendar
from houseway.manager.keyring import Keyring
from houseway.manager.ledger import lines
from houseway.manager.state import FloorState, PrizeAccount, load_state
from houseway.manager.store.base import Head, Posting, Row, Store, TotalKey
from houseway.progressive.terms import MICROS_PER_CENT
from houseway.refusal import Refusal
from houseway.table.config import Policies
from houseway.table.progressive_round import events as at_table
from houseway.table.progressive_round.adjustments import REASONS
from houseway.table.progressive_round.ledger import meter_account, reserve_account

By: TypeAlias = Literal["day", "table", "link", "meter"]
GROUPINGS: Final[tuple[By, ...]] = ("day", "table", "link", "meter")
KINDS: Final = ("players", "rack", "meter", "reserve", "house", "taken_over")
"""The kinds of accounts in the ledger."""
FIRST_DAY: Final = date(1970, 1, 1)
LAST_DAY: Final = date(9998, 12, 31)
MOST_DAYS: Final = 3_660
"""A report by day shows every day of its period, also those without play: ten years and no more."""
GAME_MANAGER: Final = "Game Manager"
"""Where a report by table shows what happened at no table."""
_DOLLAR: Final = 1_000_000
_TRIES: Final = 5
_CHUNK: Final = 1_000
_DAY: Final = timedelta(days=1)


# ------------------------------------------------------------------------------------------------------ money, in words


def money(micros: int, currency: str = "USD") -> str:
    """An exact amount for people: two decimals where it is whole cents, else as many more as it needs, at most six."""
    whole, rest = divmod(abs(micros), _DOLLAR)
    unit = "$" if currency == "USD" else f"{currency} "
    return f"{'-' if micros < 0 else ''}{unit}{whole:,}.{_decimals(rest)}"


def plain(micros: int) -> str:
    """The same amount for a spreadsheet: no sign of the currency and no separators."""
    whole, rest = divmod(abs(micros), _DOLLAR)
    return f"{'-' if micros < 0 else ''}{whole}.{_decimals(rest)}"


def _decimals(rest: int) -> str:
    return f"{rest:06}".rstrip("0").ljust(2, "0")


# ---------------------------------------------------------------------------------------------------- what is asked for


def floor_state(store: Store, keys: Keyring | None = None) -> FloorState:
    """The floor as it stands; a database without one is refused."""
    state = load_state(store, keys)
    if state.config is None:
        raise Refusal("database", f"{store.name} holds no floor yet; its first start founds one")
    return state


def check_period(first: date, last: date) -> None:
    """Refuse a period that ends before it begins, or lies outside any calendar of ours."""
    for field, day in (("from", first), ("to", last)):
        if not FIRST_DAY <= day <= LAST_DAY:
            raise Refusal(field, f"{day} is out of range; days go from {FIRST_DAY} to {LAST_DAY}")
    if first > last:
        raise Refusal("from", f"{first} is after {last}; the first day of a period comes before its last")


# ------------------------------------------------------------------------------------------------ the books of a period


class Books(NamedTuple):
    """What the database holds of a period."""

    first: str
    last: str
    head: Head
    at: int
    """When the last entry was made."""
    opening: Mapping[str, int]
    """Each account before the period."""
    totals: Mapping[TotalKey, int]
    until: str
    balances: Mapping[str, int]
    """Each account before the day ``until``, as the database adds it up: to be held against our own sum."""
    ahead: tuple[str, ...] = ()
    """Days with money that are after the period and after the last entry's: a clock that was wrong gave them."""

    @property
    def whole(self) -> bool:
        """Whether every day of the period could be held against the balances."""
        return self.until > self.last

    def held(self) -> dict[str, int]:
        """Each account at the end of the period."""
        return _added(self.opening, self.totals.items())

    def accounts(self, *kinds: str) -> list[str]:
        """The accounts of these kinds that the books know, in order."""
        named = {*self.opening, *(key.account for key in self.totals)}
        return sorted(account for account in named if _kind(account) in kinds)


def _read(store: Store, first: date, last: date) -> Books:
    """The books of one moment: read again while the floor wrote in between."""
    begin, after = first.isoformat(), (last + _DAY).isoformat()
    for _ in range(_TRIES):
        head = store.head()
        opening, totals, balances = store.balances(begin), store.totals(begin, last.isoformat()), store.balances(after)
        if store.head() == head:
            break
    row = store.entry(head.seq)
    if store.head() != head:
        # It writes faster than we read. Nothing is added any more to the days before the one it is in.
        after = min(after, row.day if row else begin)
        balances = store.balances(after)
    here = max(row.day, last.isoformat()) if row else last.isoformat()
    ahead = tuple(sorted({key.day for key in store.totals(here) if key.day > here} if store.head() == head else ()))
    return Books(begin, last.isoformat(), head, row.at if row else 0, opening, totals, after, balances, ahead)


def _added(balances: Mapping[str, int], totals: Iterable[tuple[TotalKey, int]]) -> dict[str, int]:
    added = dict(balances)
    for key, micros in totals:
        added[key.account] = added.get(key.account, 0) + micros
    return added


def _kind(account: str) -> str:
    return account.partition("/")[0]


def _owner(account: str) -> tuple[str, str]:
    """The link and the meter that an account is named after; the meter empty where it has none."""
    link, _, meter = account.partition("/")[2].partition("/")
    return link, meter


# ------------------------------------------------------------------------------------------ what must hold in the books

ANY: Final = 0
PURPOSES: Final[Mapping[str, Mapping[str, int]]] = {
    "coin-in": {"players": -1},
    "contribution": {"meter": 1},
    "reserve": {"reserve": 1},
    "over maximum": {"reserve": 1},
    "kept": {"house": 1},
    "count corrected": {"players": ANY, "meter": ANY, "reserve": ANY, "house": ANY},
    "award from meter": {"meter": -1, "players": 1},
    "award from tray": {"house": -1, "players": 1},
    "shortfall": {"house": -1, "players": 1},
    "envy": {"house": -1, "players": 1},
    "seed": {"house": -1, "meter": 1, "reserve": 1},
    "reseed from reserve": {"reserve": -1, "meter": 1},
    "taken over": {"taken_over": -1, "meter": 1, "reserve": 1},
    "adjustment": {"players": ANY, "meter": ANY, "reserve": ANY, "house": ANY},
    "transfer": {"meter": ANY, "reserve": ANY},
    # What the rack gives back of wagers it took, less what it paid on them, may be more or less than nothing.
    "void": {"players": ANY, "rack": ANY, "meter": -1, "reserve": -1, "house": -1},
    "wagers": {"players": -1, "rack": 1},
    "paid": {"players": 1, "rack": -1},
}
"""Every purpose of the ledger, the kinds of accounts it moves, and whether it only adds or only takes there."""
_SHARED_OUT: Final = ("contribution", "reserve", "over maximum", "kept")
"""PR-2: the parts that the coin-in is shared out into."""


def _family(purpose: str) -> str:
    """The purpose whose postings a posting balances with: a wager and its parts together, every other by itself."""
    return "coin-in" if purpose in _SHARED_OUT else purpose


def _misplaced(books: Books) -> Iterator[str]:
    """Every total stands on an account that its purpose moves, in the direction it moves it."""
    for key, micros in books.totals.items():
        place = f"{key.day}, {_table(key.table)}, {key.account}, {key.purpose}"
        kinds = PURPOSES.get(key.purpose)
        if kinds is None or _kind(key.account) not in KINDS:
            yield f"{place}: {money(micros)} is on an account or for a purpose that the ledger does not know"
        elif _kind(key.account) not in kinds:
            yield f"{place}: {money(micros)} is on an account that this purpose never moves"
        elif micros * kinds[_kind(key.account)] < 0:
            yield f"{place}: {money(micros)} goes the wrong way for this purpose"


def _unbalanced(books: Books) -> Iterator[str]:
    """Every entry balances, so the totals of a day and table do, purpose by purpose."""
    sums: dict[tuple[str, str, str], int] = {}
    for key, micros in books.totals.items():
        place = key.day, key.table, _family(key.purpose)
        sums[place] = sums.get(place, 0) + micros
    for (day, table, family), micros in sorted(sums.items()):
        if micros:
            purposes = ", ".join((family, *_SHARED_OUT)) if family == "coin-in" else family
            yield f"{day}, {_table(table)}: the totals for {purposes} sum to {money(micros)} and not to zero"


def _opening_unbalanced(books: Books) -> Iterator[str]:
    """All accounts together hold nothing: money only moves between them."""
    whole = sum(books.opening.values())
    if whole:
        yield f"before {books.first}: all accounts together hold {money(whole)} and not zero"


def _differing(books: Books) -> Iterator[str]:
    """What the database says an account holds is the opening and the sum of the totals."""
    if books.until < books.first:
        return
    ours = _added(books.opening, ((key, micros) for key, micros in books.totals.items() if key.day < books.until))
    for account in sorted({*ours, *books.balances}):
        summed, kept = ours.get(account, 0), books.balances.get(account, 0)
        if summed != kept:
            yield f"{account} before {books.until}: the totals sum to {money(summed)}, the balance is {money(kept)}"


def _below_zero(books: Books) -> Iterator[str]:
    """No meter or reserve holds less than nothing at the end of any day."""
    holds = {account: books.opening.get(account, 0) for account in books.accounts("meter", "reserve")}
    days: dict[str, list[tuple[str, int]]] = {books.first: []}
    for key, micros in books.totals.items():
        days.setdefault(key.day, []).append((key.account, micros))
    for day, moved in sorted(days.items()):
        for account, micros in moved:
            if account in holds:
                holds[account] += micros
        for account, micros in holds.items():
            if micros < 0:
                yield f"{account} holds {money(micros)} at the end of {day}; nothing holds less than zero"


CHECKS: Final[tuple[Callable[[Books], Iterator[str]], ...]] = (
    _misplaced,
    _unbalanced,
    _opening_unbalanced,
    _differing,
    _below_zero,
)
"""Everything that must hold in the books of any period."""


def _table(table: str) -> str:
    return f"table {table}" if table else GAME_MANAGER


# ------------------------------------------------------------------------------------------------------ PR-25: a report

Flows: TypeAlias = Mapping[tuple[str, str], int]
"""By purpose and kind of account: what that put there, or took off where negative."""


class Holding(NamedTuple):
    """What meters and reserves hold, in micros."""

    meter: int
    reserve: int


class Field(NamedTuple):
    """A figure of a report: a purpose on one kind of account, turned so that it usually is not negative."""

    purpose: str
    kind: str
    sign: int = 1


FIELDS: Final[Mapping[str, Field]] = {
    "coin_in": Field("coin-in", "players", -1),
    "contributions": Field("contribution", "meter"),
    "reserve": Field("reserve", "reserve"),
    "over_maximum": Field("over maximum", "reserve"),
    "kept": Field("kept", "house"),
    "awards_from_meter": Field("award from meter", "meter", -1),
    "awards_from_tray": Field("award from tray", "house", -1),
    "shortfalls": Field("shortfall", "house", -1),
    "envy": Field("envy", "house", -1),
    "seeds": Field("seed", "meter"),
    "seeds_of_reserve": Field("seed", "reserve"),
    "reseeds_from_reserve": Field("reseed from reserve", "meter"),
    "adjustments_of_meter": Field("adjustment", "meter"),
    "adjustments_of_reserve": Field("adjustment", "reserve"),
    "adjustments_of_house": Field("adjustment", "house"),
    "adjustments_to_players": Field("adjustment", "players"),
    "transfers_of_meter": Field("transfer", "meter"),
    "transfers_of_reserve": Field("transfer", "reserve"),
    "voids_of_meter": Field("void", "meter"),
    "voids_of_reserve": Field("void", "reserve"),
    "voids_of_house": Field("void", "house"),
    "voids_to_players": Field("void", "players"),
    "voids_of_rack": Field("void", "rack"),
    "count_corrections_of_coin_in": Field("count corrected", "players", -1),
    "count_corrections_of_meter": Field("count corrected", "meter"),
    "count_corrections_of_reserve": Field("count corrected", "reserve"),
    "count_corrections_of_house": Field("count corrected", "house"),
    "taken_over_to_meter": Field("taken over", "meter"),
    "taken_over_to_reserve": Field("taken over", "reserve"),
    "card_wagers": Field("wagers", "rack"),
    "card_payments": Field("paid", "rack", -1),
}
"""Every figure of a report by its name: together they are all that the ledger can say of a group."""


@dataclass(frozen=True, slots=True)
class Group:
    """One day, table, link or meter of a report, or all of them together."""

    key: str
    label: str
    """For people."""
    flows: Flows
    opening: Holding | None = None
    """What its meters and reserves held before the period; None for a group that has none, such as a table."""
    closing: Holding | None = None

    def micros(self, name: str) -> int:
        """A figure by its name in `FIELDS`."""
        field = FIELDS[name]
        return field.sign * self.flows.get((field.purpose, field.kind), 0)

    @property
    def change(self) -> Holding:
        """What came to its meters and reserves in the period, less what went."""
        return Holding(self._sum("meter"), self._sum("reserve"))

    def _sum(self, kind: str) -> int:
        return sum(micros for (_, where), micros in self.flows.items() if where == kind)


@dataclass(frozen=True, slots=True)
class Report:
    """PR-25: the flows of a period by day, table, link or meter."""

    site: str
    currency: str
    first: date
    last: date
    by: By
    head: Head
    """Where the journal stood when the books were read."""
    at: int
    """When its last entry was made."""
    groups: tuple[Group, ...]
    total: Group
    defects: tuple[str, ...]
    """Everything that does not reconcile; empty in a sound database."""
    notes: tuple[str, ...] = ()


def report(store: Store, policies: Policies, first: date, last: date, by: By) -> Report:
    """PR-25: the report of the gaming days from ``first`` to ``last``, both included."""
    if by not in GROUPINGS:
        raise Refusal("by", f"{by!r} is no grouping; allowed are {', '.join(GROUPINGS)}")
    check_period(first, last)
    if by == "day" and (last - first).days >= MOST_DAYS:
        raise Refusal("to", f"a report by day covers at most {MOST_DAYS:,} days; choose another --by, or fewer days")
    books = _read(store, first, last)
    held = books.held()
    every = _holding(books.opening, books.accounts("meter", "reserve"))
    total = Group("total", "all", _whole(books), every, _holding(held, books.accounts("meter", "reserve")))
    groups = tuple(_groups(books, by))
    defects = [sentence for check in CHECKS for sentence in check(books)]
    defects += [sentence for group in (*groups, total) for sentence in _does_not_close(group)]
    notes = []
    if not books.whole:
        notes.append(f"the floor was writing: {books.until} and later days could not be held against the balances")
    if books.ahead:
        days = ", ".join(books.ahead)
        notes.append(f"money that moved while the clock was wrong is booked on {days}, and is not in this report")
    return Report(
        site=policies.site,
        currency=policies.currency,
        first=first,
        last=last,
        by=by,
        head=books.head,
        at=books.at,
        groups=groups,
        total=total,
        defects=tuple(defects),
        notes=tuple(notes),
    )


def _does_not_close(group: Group) -> Iterator[str]:
    """Opening + in − out = closing."""
    if group.opening is None or group.closing is None:
        return
    for part, opening, change, closing in zip(Holding._fields, group.opening, group.change, group.closing, strict=True):
        if opening + change != closing:
            yield (
                f"{group.label}, {part}: {money(opening)} at the opening and {money(change)} in and out make "
                f"{money(opening + change)}, and {money(closing)} at the closing"
            )


def _whole(books: Books) -> Flows:
    flows: dict[tuple[str, str], int] = {}
    for key, micros in books.totals.items():
        place = key.purpose, _kind(key.account)
        flows[place] = flows.get(place, 0) + micros
    return flows


def _holding(balances: Mapping[str, int], accounts: Iterable[str]) -> Holding:
    sums = {"meter": 0, "reserve": 0}
    for account in accounts:
        sums[_kind(account)] += balances.get(account, 0)
    return Holding(**sums)


def _groups(books: Books, by: By) -> Iterator[Group]:
    flows: dict[str, dict[tuple[str, str], int]] = {}
    for key, micros in books.totals.items():
        for name, purpose, kind, sign in _SHARES[by](key):
            found = flows.setdefault(name, {})
            found[purpose, kind] = found.get((purpose, kind), 0) + sign * micros
    if by == "day":
        yield from _days(books, flows)
    elif by == "table":
        for name in sorted(flows, key=lambda name: (not name, name)):
            yield Group(name, name or GAME_MANAGER, flows[name])
    else:
        yield from _owners(books, flows, by)


def _days(books: Books, flows: Mapping[str, Flows]) -> Iterator[Group]:
    """Every day of the period, each opening where the one before it closed."""
    holds = _holding(books.opening, books.accounts("meter", "reserve"))
    day, last = date.fromisoformat(books.first), date.fromisoformat(books.last)
    while day <= last:
        name = day.isoformat()
        opened = Group(name, name, flows.get(name, {}), holds)
        holds = Holding(holds.meter + opened.change.meter, holds.reserve + opened.change.reserve)
        yield Group(name, name, opened.flows, opened.opening, holds)
        day += _DAY


def _owners(books: Books, flows: Mapping[str, Flows], by: By) -> Iterator[Group]:
    """Every link, or every meter and then what its link did beside its meters; also those without any movement."""
    held = books.held()
    accounts: dict[str, list[str]] = {name: [] for name in flows}
    for account in books.accounts("meter", "reserve"):
        link, meter = _owner(account)
        accounts.setdefault(f"{link}/{meter}" if by == "meter" else link, []).append(account)
    for name in sorted(accounts, key=lambda name: (name.partition("/")[0], "/" not in name, name)):
        moved, own = flows.get(name, {}), accounts[name]
        if own or by == "link":
            yield Group(name, name, moved, _holding(books.opening, own), _holding(held, own))
        elif any(moved.values()):
            yield Group(name, f"{name}, beside its meters", moved)


Share: TypeAlias = tuple[str, str, str, int]
"""A group, a purpose and a kind of account that a total counts in, as it is or the other way round."""


def _share_by_link(key: TotalKey) -> Iterator[Share]:
    """An account of a link counts there. What moved between it and the players is read from its side.

    The accounts of players and racks name a table and not a link, and a table can change its link.
    """
    kind = _kind(key.account)
    if kind not in KINDS or kind in ("players", "rack"):
        return
    link, _ = _owner(key.account)
    yield link, key.purpose, kind, 1
    if key.purpose != "transfer":
        yield link, _family(key.purpose), "players", -1


def _share_by_meter(key: TotalKey) -> Iterator[Share]:
    """A meter and its reserve by themselves, with the awards it paid; the rest counts with its link.

    A wager is shared out between all meters of its link: no coin-in is one meter's.
    """
    link, meter = _owner(key.account)
    name = f"{link}/{meter}" if meter else link
    for _, purpose, kind, sign in _share_by_link(key):
        mirrored = kind == "players" and key.purpose != "award from meter"
        yield (link if mirrored else name), purpose, kind, sign


_SHARES: Final[Mapping[By, Callable[[TotalKey], Iterable[Share]]]] = {
    "day": lambda key: ((key.day, key.purpose, _kind(key.account), 1),),
    "table": lambda key: ((key.table, key.purpose, _kind(key.account), 1),),
    "link": _share_by_link,
    "meter": _share_by_meter,
}


def report_data(report: Report) -> dict[str, Any]:
    """A report as plain data: every figure in micros."""
    return {
        "site": report.site,
        "currency": report.currency,
        "from": report.first.isoformat(),
        "to": report.last.isoformat(),
        "by": report.by,
        "journal": {"entry": report.head.seq, "hash": report.head.hash, "at": report.at},
        "groups": [_group_data(group) for group in report.groups],
        "total": _group_data(report.total),
        "defects": list(report.defects),
        "notes": list(report.notes),
    }


def _group_data(group: Group) -> dict[str, Any]:
    return {"key": group.key, **{f"{name}_micros": micros for name, micros in figures(group).items()}}


def figures(group: Group) -> dict[str, int | None]:
    """Every figure of a group by its name, in micros."""
    return {
        **{name: group.micros(name) for name in FIELDS},
        "opening_meter": group.opening.meter if group.opening else None,
        "closing_meter": group.closing.meter if group.closing else None,
        "opening_reserve": group.opening.reserve if group.opening else None,
        "closing_reserve": group.closing.reserve if group.closing else None,
    }


# ----------------------------------------------------------------------------------------- FL-17: accruals and deposits

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
    once = {_owner(account)[0] for account in store.balances() if _kind(account) == "meter"}
    return tuple(dict.fromkeys((*state.links, *sorted(once))))


def _accruals(
    store: Store, policies: Policies, state: FloorState, links: Iterable[str], day: date
) -> Iterator[Accruals]:
    check_period(day, day)
    calendar = Calendar(policies.time_zone, policies.day_starts)
    first, last = calendar.week_of(day, policies.week_starts)
    books = _read(store, first, last)
    held = books.held()
    deposits = _deposits(store, calendar.begins(first), first, last)
    for link in links:
        own = [account for account in books.accounts("meter", "reserve") if _owner(account)[0] == link]
        totals = {key: micros for key, micros in books.totals.items() if key.account in own}
        yield Accruals(
            link=link,
            name=state.links[link].name if link in state.links else link,
            first=first,
            last=last,
            head=books.head,
            at=books.at,
            days=tuple(_day_accrual(totals, first + number * _DAY) for number in range(7)),
            awards=-sum(micros for key, micros in totals.items() if key.purpose == "award from meter"),
            seeds=sum(micros for key, micros in totals.items() if key.purpose == "seed"),
            held=sum(held[account] for account in own),
            deposits=tuple(deposits.get(link, ())),
            account=state.accounts.get(link),
        )


def _day_accrual(totals: Mapping[TotalKey, int], day: date) -> DayAccrual:
    meters = sorted({_owner(key.account)[1] for key in totals})
    found: dict[str, dict[str, int]] = {meter: dict.fromkeys(ACCRUING, 0) for meter in meters}
    for key, micros in totals.items():
        if key.day == day.isoformat() and key.purpose in ACCRUING:
            found[_owner(key.account)[1]][key.purpose] += micros
    return DayAccrual(
        day,
        tuple(
            MeterAccrual(
                meter,
                sums["contribution"],
                sums["reserve"] + sums["over maximum"],
                sums["count corrected"] + sums["void"],
            )
            for meter, sums in found.items()
        ),
    )


def _deposits(store: Store, since: int, first: date, last: date) -> dict[str, list[Deposit]]:
    """The deposits recorded for a week, by link. None is recorded before its week begins."""
    found: dict[str, list[Deposit]] = {}
    begin, _ = store.between(since, _FOR_EVER)
    if not begin:
        return found
    for row in store.entries(begin - 1):
        if row.kind != "record_deposit":
            continue
        entry = read_entry(row)
        for event in entry.events:
            if isinstance(event, tell.DepositRecorded) and first <= date.fromisoformat(event.week) <= last:
                deposit = Deposit(entry.seq, entry.at, entry.by, event.cents, event.reference)
                found.setdefault(event.link, []).append(deposit)
    return found


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


# -------------------------------------------------------------------------------- FL-14: every rise and fall of a meter

Part: TypeAlias = Literal["meter", "reserve"]


class Movement(msgspec.Struct, frozen=True):
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
    known = sorted(account for account in store.balances() if _kind(account) == "meter")
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
        made = [(event, line) for event in entry.events for line in lines(event)]
        for posting in postings:
            part = accounts[posting.account]
            holds[part] += posting.micros
            event, line = made[posting.line] if posting.line < len(made) else (None, None)
            told = event is not None and line == (posting.account, posting.purpose, posting.micros)
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
                explain(event, posting) if told and event is not None else UNEXPLAINED,
            )


def _moving(store: Store, accounts: Iterable[str], first: date, last: date) -> Iterator[tuple[Row, list[Posting]]]:
    """The entries of a period that moved one of these accounts, with those postings."""
    # The day of an entry is the one it was booked on, whatever the policies say now. So the clock only narrows the
    # search: a gaming day lies within two days of the calendar's, in any time zone.
    low, high = _utc(first - 2 * _DAY) if first - 2 * _DAY > FIRST_DAY else 0, _utc(last + 3 * _DAY)
    begin, end = store.between(low, high)
    for after in range(begin - 1, end, _CHUNK) if begin else ():
        until = min(after + _CHUNK, end)
        found: dict[int, list[Posting]] = {}
        for posting in store.postings(after, until):
            if posting.account in accounts:
                found.setdefault(posting.seq, []).append(posting)
        if not found:
            continue
        for row in store.entries(after, until):
            if row.seq in found and first.isoformat() <= row.day <= last.isoformat():
                yield row, found[row.seq]


def _utc(day: date) -> int:
    return round(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()) * MICROSECONDS


def read_entry(row: Row) -> Entry:
    """The entry that a row holds; one that is none any more is refused."""
    try:
        return entry_of(row.body)
    except msgspec.DecodeError:
        raise Refusal("journal", f"entry {row.seq} cannot be read; run houseway journal verify") from None


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
