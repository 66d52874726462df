"""Reports: what every gaming day, table, link or meter took in and paid out, to the micro (PR-25)."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from houseway.books.period import (
    CHECKS,
    GAME_MANAGER,
    KINDS,
    ONE_DAY,
    Books,
    account_kind,
    account_owner,
    check_period,
    money,
    purpose_family,
    read_books,
)
from houseway.manager.store.base import Head, Store, TotalKey
from houseway.refusal import Refusal
from houseway.table.config import Policies

By: TypeAlias = Literal["day", "table", "link", "meter"]
GROUPINGS: Final[tuple[By, ...]] = ("day", "table", "link", "meter")
MOST_DAYS: Final = 3_660
"""A report by day shows every day of its period, also those without play: ten years and no more."""
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
    "commission_marked": Field("commission marked", "commission"),
    "commission_collected": Field("commission collected", "commission", -1),
    "commission_written_off": Field("commission written off", "commission", -1),
    "voids_of_commission": Field("void", "commission"),
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
    books = read_books(store, first, last)
    closing = books.closing()
    every = _holding(books.opening, books.accounts("meter", "reserve"))
    total = Group("total", "all", _whole(books), every, _holding(closing, books.accounts("meter", "reserve")))
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
        place = key.purpose, account_kind(key.account)
        flows[place] = flows.get(place, 0) + micros
    return flows


def _holding(balances: Mapping[str, int], accounts: Iterable[str]) -> Holding:
    sums = {"meter": 0, "reserve": 0}
    for account in accounts:
        sums[account_kind(account)] += balances.get(account, 0)
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
        day += ONE_DAY


def _owners(books: Books, flows: Mapping[str, Flows], by: By) -> Iterator[Group]:
    """Every link, or every meter and then what its link did beside its meters; also those without any movement."""
    closing = books.closing()
    accounts: dict[str, list[str]] = {name: [] for name in flows}
    for account in books.accounts("meter", "reserve"):
        link, meter = account_owner(account)
        accounts.setdefault(f"{link}/{meter}" if by == "meter" else link, []).append(account)
    for name in sorted(accounts, key=lambda name: (name.partition("/")[0], "/" not in name, name)):
        moved, own = flows.get(name, {}), accounts[name]
        if own or by == "link":
            yield Group(name, name, moved, _holding(books.opening, own), _holding(closing, own))
        elif any(moved.values()):
            yield Group(name, f"{name}, beside its meters", moved)


Share: TypeAlias = tuple[str, str, str, int]
"""A group, a purpose and a kind of account that a total counts in, as it is or the other way round."""


def _share_by_link(key: TotalKey) -> Iterator[Share]:
    """An account of a link counts there. What moved between it and the players is read from its side.

    The accounts of players and racks name a table and not a link, and a table can change its link.
    """
    kind = account_kind(key.account)
    if kind not in KINDS or kind in ("players", "rack"):
        return
    link, _ = account_owner(key.account)
    yield link, key.purpose, kind, 1
    if key.purpose != "transfer":
        yield link, purpose_family(key.purpose), "players", -1


def _share_by_meter(key: TotalKey) -> Iterator[Share]:
    """A meter and its reserve by themselves, with the awards it paid; the rest counts with its link.

    A wager is shared out between all meters of its link: no coin-in is one meter's.
    """
    link, meter = account_owner(key.account)
    name = f"{link}/{meter}" if meter else link
    for _, purpose, kind, sign in _share_by_link(key):
        mirrored = kind == "players" and key.purpose != "award from meter"
        yield (link if mirrored else name), purpose, kind, sign


_SHARES: Final[Mapping[By, Callable[[TotalKey], Iterable[Share]]]] = {
    "day": lambda key: ((key.day, key.purpose, account_kind(key.account), 1),),
    "table": lambda key: ((key.table, key.purpose, account_kind(key.account), 1),),
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
