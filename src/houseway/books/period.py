"""The books of a period: balances before and after it, what moved, and what must hold of them.

They are made of the totals by gaming day, table, account and purpose alone: what they cost grows with days and
accounts, never with the length of the journal.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, timedelta
from typing import Final, NamedTuple

import msgspec

from houseway.manager.entry import Entry, entry_of
from houseway.manager.keyring import Keyring
from houseway.manager.state import FloorState, load_state
from houseway.manager.store.base import Head, Row, Store, TotalKey
from houseway.refusal import Refusal

KINDS: Final = ("players", "rack", "commission", "meter", "reserve", "house", "taken_over")
"""The kinds of accounts in the ledger."""
FIRST_DAY: Final = date(1970, 1, 1)
LAST_DAY: Final = date(9998, 12, 31)
GAME_MANAGER: Final = "Game Manager"
"""Where a report by table shows what happened at no table."""
_DOLLAR: Final = 1_000_000
_TRIES: Final = 5
ONE_DAY: Final = timedelta(days=1)


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

    def closing(self) -> dict[str, int]:
        """Each account at the end of the period."""
        return _add_totals(self.opening, self.totals.items())

    def accounts(self, *kinds: str) -> list[str]:
        """The accounts of these kinds that the books know, in order."""
        named = {*self.opening, *(key.account for key in self.totals)}
        return sorted(account for account in named if account_kind(account) in kinds)


def read_books(store: Store, first: date, last: date) -> Books:
    """The books of one moment: read again while the floor wrote in between."""
    begin, after = first.isoformat(), (last + ONE_DAY).isoformat()
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


def _add_totals(balances: Mapping[str, int], totals: Iterable[tuple[TotalKey, int]]) -> dict[str, int]:
    added = dict(balances)
    for key, micros in totals:
        added[key.account] = added.get(key.account, 0) + micros
    return added


def account_kind(account: str) -> str:
    return account.partition("/")[0]


def account_owner(account: str) -> tuple[str, str]:
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
    "void": {"players": ANY, "rack": ANY, "commission": -1, "meter": -1, "reserve": -1, "house": -1},
    "wagers": {"players": -1, "rack": 1},
    "paid": {"players": 1, "rack": -1},
    # BA-10
    "commission marked": {"rack": -1, "commission": 1},
    "commission collected": {"commission": -1, "rack": 1},
    "commission written off": {"commission": -1, "players": 1},
}
"""Every purpose of the ledger, the kinds of accounts it moves, and whether it only adds or only takes there."""
_SHARED_OUT: Final = ("contribution", "reserve", "over maximum", "kept")
"""PR-2: the parts that the coin-in is shared out into."""


def purpose_family(purpose: str) -> str:
    """The purpose whose postings a posting balances with: a wager and its parts together, every other by itself."""
    return "coin-in" if purpose in _SHARED_OUT else purpose


def _wrong_places(books: Books) -> Iterator[str]:
    """Every total stands on an account that its purpose moves, in the direction it moves it."""
    for key, micros in books.totals.items():
        place = f"{key.day}, {_table(key.table)}, {key.account}, {key.purpose}"
        kinds = PURPOSES.get(key.purpose)
        if kinds is None or account_kind(key.account) not in KINDS:
            yield f"{place}: {money(micros)} is on an account or for a purpose that the ledger does not know"
        elif account_kind(key.account) not in kinds:
            yield f"{place}: {money(micros)} is on an account that this purpose never moves"
        elif micros * kinds[account_kind(key.account)] < 0:
            yield f"{place}: {money(micros)} goes the wrong way for this purpose"


def _wrong_sums(books: Books) -> Iterator[str]:
    """Every entry balances, so the totals of a day and table do, purpose by purpose."""
    sums: dict[tuple[str, str, str], int] = {}
    for key, micros in books.totals.items():
        place = key.day, key.table, purpose_family(key.purpose)
        sums[place] = sums.get(place, 0) + micros
    for (day, table, family), micros in sorted(sums.items()):
        if micros:
            purposes = ", ".join((family, *_SHARED_OUT)) if family == "coin-in" else family
            yield f"{day}, {_table(table)}: the totals for {purposes} sum to {money(micros)} and not to zero"


def _wrong_opening(books: Books) -> Iterator[str]:
    """All accounts together hold nothing: money only moves between them."""
    whole = sum(books.opening.values())
    if whole:
        yield f"before {books.first}: all accounts together hold {money(whole)} and not zero"


def _differences(books: Books) -> Iterator[str]:
    """What the database says an account holds is the opening and the sum of the totals."""
    if books.until < books.first:
        return
    ours = _add_totals(books.opening, ((key, micros) for key, micros in books.totals.items() if key.day < books.until))
    for account in sorted({*ours, *books.balances}):
        summed, balance = ours.get(account, 0), books.balances.get(account, 0)
        if summed != balance:
            yield f"{account} before {books.until}: the totals sum to {money(summed)}, the balance is {money(balance)}"


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
    _wrong_places,
    _wrong_sums,
    _wrong_opening,
    _differences,
    _below_zero,
)
"""Everything that must hold in the books of any period."""


def _table(table: str) -> str:
    return f"table {table}" if table else GAME_MANAGER


def read_entry(row: Row) -> Entry:
    """The entry that a row holds; one that is none any more is refused."""
    try:
        return entry_of(row.body)
    except msgspec.DecodeError:
        raise Refusal("journal", f"entry {row.seq} cannot be read; run houseway journal verify") from None
