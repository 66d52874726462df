"""The journal for people and other programs: paragraphs in plain English, CSV for a spreadsheet, JSON Lines.

Everything is made from the entries themselves, one after another, and handed on line by line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

import msgspec

from houseway.manager.entry import Entry, entry_of
from houseway.manager.gaming_day import MICROS, Calendar, utc_time
from houseway.manager.ledger import postings_of
from houseway.manager.state import FloorState
from houseway.manager.store.base import Head, Posting, Row, Store
from houseway.money import exact_dollars
from houseway.refusal import Refusal
from houseway.spreadsheet import csv_line
from houseway.table.event import Say

SAY: Final = Say()
"""The journal speaks no console's words, and calls a wager by its key."""
SLACK: Final = 3 * 86_400 * MICROS
"""How far a gaming day can lie from where the calendar puts it: time zone or day start may have changed since."""
ENTRY_COLUMNS: Final = (
    *("entry", "utc", "local", "gaming_day", "order", "by", "second", "screen"),
    *("kind", "table", "round", "what", "hash"),
)
POSTING_COLUMNS: Final = (
    *("entry", "line", "utc", "gaming_day", "by", "kind", "table", "round", "account", "purpose", "micros", "dollars"),
)


class Period(NamedTuple):
    """Gaming days, both included; None for no bound."""

    first: date | None = None
    last: date | None = None

    def holds(self, day: str) -> bool:
        """Whether a gaming day lies in it."""
        return (self.first is None or self.first.isoformat() <= day) and (
            self.last is None or day <= self.last.isoformat()
        )


class Site(NamedTuple):
    """What words need to know of the floor: its clock, and whose id is whose."""

    zone: ZoneInfo
    names: Mapping[str, str] = {}

    @classmethod
    def of(cls, state: FloorState) -> Site:
        """The site of a floor as it stands."""
        return cls(ZoneInfo(state.policies.time_zone), {person.id: person.name for person in state.staff.values()})


def period_of(first: date | None, last: date | None) -> Period:
    """A period, refused when it ends before it begins."""
    if first is not None and last is not None and last < first:
        raise Refusal("--to", f"{last} is before {first}, where the period begins")
    return Period(first, last)


def entry_range(store: Store, state: FloorState, period: Period) -> tuple[int, int]:
    """The first and last entry of a period as of a state; refused when there is none.

    The gaming day is the one that the entry itself was given.
    """
    if state.config is None:
        raise Refusal("floor", "it has not been founded; its journal is empty")
    calendar = Calendar(state.policies.time_zone, state.policies.day_starts)
    first = 1 if period.first is None else _first_in(store, state, calendar, period, period.first)
    last = state.seq
    # Where two people put the time right, the last entry can be of a day before the period.
    if first and (period.last is not None or not period.holds(state.day)):
        last = _last_in(store, state, calendar, period, period.last or date.max)
    if not first or not last or first > last:
        raise Refusal("--from", f"no entry is in that period; {_known_days(store, state)}")
    return first, last


def _first_in(store: Store, state: FloorState, calendar: Calendar, period: Period, day: date) -> int:
    begins = _moment(calendar, day, -SLACK)
    # The first entry is normally of that very day; only where none is, the days after it are asked for.
    for ends in (_moment(calendar, day, SLACK), _END_OF_TIME):
        near, _ = store.between(begins, ends)
        if near:
            return next((row.seq for row in store.entries(near - 1, state.seq) if period.holds(row.day)), 0)
    return 0


def _last_in(store: Store, state: FloorState, calendar: Calendar, period: Period, day: date) -> int:
    ends = _moment(calendar, day + _DAY if day < date.max else day, SLACK)
    for begins in (_moment(calendar, day, -SLACK), 0):
        near, until = store.between(begins, ends)
        written_lines = 0
        for row in store.entries(near - 1, min(until, state.seq)) if near else ():
            if period.holds(row.day):
                written_lines = row.seq
        if written_lines:
            return written_lines
    return 0


_DAY: Final = timedelta(days=1)
_END_OF_TIME: Final = 2**62


def _moment(calendar: Calendar, day: date, change: int) -> int:
    try:
        return max(calendar.begins(day) + change, 0)
    except (OverflowError, ValueError):
        return 0 if day.year < 1970 else _END_OF_TIME


def _known_days(store: Store, state: FloorState) -> str:
    first, last = store.entry(1), store.entry(state.seq)
    return f"the journal goes from {first.day} to {last.day}" if first and last else "the journal is empty"


def read_entry(row: Row) -> Entry:
    """The entry of a row; refused when it cannot be read."""
    try:
        return entry_of(row.body)
    except (msgspec.MsgspecError, UnicodeError, RecursionError, TypeError):
        raise Refusal(f"entry {row.seq}", "cannot be read; `houseway journal verify` says what is wrong") from None


# --------------------------------------------------------------------------------------------------------- plain text


def as_text(rows: Iterable[Row], site: Site) -> Iterator[str]:
    """One paragraph an entry: number, time, gaming day, who, what happened, and its money line by line."""
    for row in rows:
        yield paragraph(read_entry(row), site)


def paragraph(entry: Entry, site: Site) -> str:
    """One entry in plain English."""
    where = f", table {plain(entry.table)}" if entry.table else ""
    where += f" round {entry.round}" if entry.table and entry.round else ""
    lines = [f"{entry.seq}. {local_time(entry.at, site.zone)}, gaming day {plain(entry.day)}{where}"]
    second = f", with {_person(entry.second, site)}" if entry.second else ""
    screen = f", on the screen of {_person(entry.screen, site)}" if entry.screen else ""
    lines.append(f"   {plain(entry.kind).replace('_', ' ')}, by {_person(entry.by, site)}{second}{screen}")
    lines += [f"   {plain(event.in_words(SAY))}" for event in entry.events] or ["   Nothing changed."]
    lines += _money_lines(_postings(entry))
    return "\n".join(lines) + "\n\n"


def _person(id: str, site: Site) -> str:
    name = site.names.get(id, "")
    return f"{plain(name)} ({plain(id)})" if name and name != id else plain(id)


def _postings(entry: Entry) -> list[Posting]:
    try:
        return postings_of(entry)
    except RuntimeError:
        raise Refusal(f"entry {entry.seq}", "does not balance; `houseway journal verify` says more") from None


def _money_lines(postings: Sequence[Posting]) -> Iterator[str]:
    amounts = [exact_dollars(posting.micros, sign=True) for posting in postings]
    wide = max(map(len, amounts), default=0)
    for posting, amount in zip(postings, amounts, strict=True):
        yield f"      {amount:>{wide}}  {plain(posting.account)}  ({plain(posting.purpose)})"


def local_time(at: int, zone: ZoneInfo) -> str:
    """A moment by the site's clock, with its distance from UTC: an hour that comes twice is told apart."""
    try:
        moment = datetime.fromtimestamp(at // MICROS, zone)
    except (OverflowError, ValueError, OSError):
        return f"{at} microseconds after 1970"
    offset = moment.strftime("%z")
    return f"{moment:%Y-%m-%d %H:%M:%S} {offset[:3]}:{offset[3:5]}"


def plain(text: str) -> str:
    """Text as it can be shown: what a terminal could take for a command is spelled out."""
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else ascii(character)[1:-1] for character in text)


# ------------------------------------------------------------------------------------------- for spreadsheets, programs


def as_entries_csv(rows: Iterable[Row], site: Site) -> Iterator[str]:
    """One line an entry."""
    yield _csv_line(ENTRY_COLUMNS)
    for row in rows:
        entry = read_entry(row)
        yield _csv_line(
            (
                *(entry.seq, utc_time(entry.at), local_time(entry.at, site.zone), entry.day, entry.order, entry.by),
                *(entry.second, entry.screen, entry.kind, entry.table, entry.round or ""),
                *(" ".join(plain(event.in_words(SAY)) for event in entry.events), row.hash),
            )
        )


def as_postings_csv(rows: Iterable[Row]) -> Iterator[str]:
    """One line a posting."""
    yield _csv_line(POSTING_COLUMNS)
    for row in rows:
        entry = read_entry(row)
        for posting in _postings(entry):
            yield _csv_line(
                (
                    *(entry.seq, posting.line, utc_time(entry.at), entry.day, entry.by, entry.kind, entry.table),
                    *(entry.round or "", posting.account, posting.purpose, posting.micros, _plain_dollars(posting)),
                )
            )


def _plain_dollars(posting: Posting) -> str:
    whole, part = divmod(abs(posting.micros), MICROS)
    return f"{'-' if posting.micros < 0 else ''}{whole}.{part:06}"


def _csv_line(cells: Iterable[object]) -> str:
    return csv_line(plain(cell) if isinstance(cell, str) else cell for cell in cells)


class _Line(msgspec.Struct, frozen=True, kw_only=True):
    previous: str
    hash: str
    postings: list[dict[str, str | int]]
    entry: msgspec.Raw


def as_json_lines(rows: Iterable[Row], before: Head) -> Iterator[str]:
    """One JSON object a line: the entry as its hash is taken over, that hash, the one before it, and the money."""
    previous = before.hash
    for row in rows:
        postings: list[dict[str, str | int]] = [
            {"account": posting.account, "purpose": posting.purpose, "micros": posting.micros}
            for posting in _postings(read_entry(row))
        ]
        line = _Line(previous=previous, hash=row.hash, postings=postings, entry=msgspec.Raw(row.body))
        yield msgspec.json.encode(line).decode() + "\n"
        previous = row.hash
