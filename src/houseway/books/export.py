"""The journal for people and other programs: paragraphs in plain English, CSV for a spreadsheet, JSON Lines.

Everything is made from the entries themselves, one after another, and handed on line by line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import singledispatch
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

import msgspec

from houseway.books.export_play import play_words
from houseway.manager import events as manager
from houseway.manager.commands import REASONS
from houseway.manager.entry import Entry, entry_of
from houseway.manager.gaming_day import MICROS, Calendar
from houseway.manager.ledger import postings_of
from houseway.manager.state import FloorState
from houseway.manager.store.base import Head, Posting, Row, Store
from houseway.progressive.terms import MICROS_PER_CENT
from houseway.refusal import Refusal
from houseway.spreadsheet import csv_line
from houseway.table.progressive_round import events as table

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
        return cls(ZoneInfo(state.policies.time_zone), {one.id: one.name for one in state.staff.values()})


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
        found = 0
        for row in store.entries(near - 1, min(until, state.seq)) if near else ():
            if period.holds(row.day):
                found = row.seq
        if found:
            return found
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
    told = [f"{entry.seq}. {local_time(entry.at, site.zone)}, gaming day {plain(entry.day)}{where}"]
    second = f", with {_person(entry.second, site)}" if entry.second else ""
    screen = f", on the screen of {_person(entry.screen, site)}" if entry.screen else ""
    told.append(f"   {plain(entry.kind).replace('_', ' ')}, by {_person(entry.by, site)}{second}{screen}")
    told += [f"   {words(event)}" for event in entry.events] or ["   Nothing changed."]
    told += _money_lines(_postings(entry))
    return "\n".join(told) + "\n\n"


def _person(id: str, site: Site) -> str:
    name = site.names.get(id, "")
    return f"{plain(name)} ({plain(id)})" if name and name != id else plain(id)


def _postings(entry: Entry) -> list[Posting]:
    try:
        return postings_of(entry)
    except RuntimeError:
        raise Refusal(f"entry {entry.seq}", "does not balance; `houseway journal verify` says more") from None


def _money_lines(postings: Sequence[Posting]) -> Iterator[str]:
    amounts = [dollars(posting.micros, sign=True) for posting in postings]
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


def utc_time(at: int) -> str:
    """A moment in UTC, to the microsecond."""
    try:
        return f"{datetime.fromtimestamp(at // MICROS, UTC):%Y-%m-%dT%H:%M:%S}.{at % MICROS:06}Z"
    except (OverflowError, ValueError, OSError):
        return str(at)


def dollars(micros: int, *, sign: bool = False) -> str:
    """Micros as dollars: to the cent where they are whole cents, else to the last micro."""
    whole, part = divmod(abs(micros), MICROS)
    digits = f"{part // MICROS_PER_CENT:02}" if part % MICROS_PER_CENT == 0 else f"{part:06}"
    return f"{'-' if micros < 0 else '+' if sign else ''}${whole:,}.{digits}"


def plain(text: str) -> str:
    """Text as it can be shown: what a terminal could take for a command is spelled out."""
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)


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
                *(" ".join(words(event) for event in entry.events), row.hash),
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
    return csv_line(plain(one) if isinstance(one, str) else one for one in cells)


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
            {"account": one.account, "purpose": one.purpose, "micros": one.micros} for one in _postings(read_entry(row))
        ]
        line = _Line(previous=previous, hash=row.hash, postings=postings, entry=msgspec.Raw(row.body))
        yield msgspec.json.encode(line).decode() + "\n"
        previous = row.hash


# ---------------------------------------------------------------------------------------- what happened, in plain words


@singledispatch
def words(event: object) -> str:
    """What happened, as one or more sentences."""
    return plain(play_words(event))


@words.register
def _(event: table.SensorLit) -> str:
    late = " after lock-in; the chip waits for the next round" if event.waits else ""
    return f"The sensor of spot {event.spot} lit{late}."


@words.register
def _(event: table.SensorDark) -> str:
    return f"The sensor of spot {event.spot} went dark."


@words.register
def _(event: table.LockedIn) -> str:
    spots = f"{_spots(event.spots)} at {_cents(event.wager_cents)} each" if event.spots else "no spot is in"
    over = [f"{dollars(micros)} of meter {plain(name)}" for name, micros in event.excess.items()]
    more = f" Over the posted maximum, so to the reserve: {_list(over)}." if over else ""
    return f"Wagers locked in on link {plain(event.link)} under its terms {event.terms}: {spots}.{more}"


@words.register
def _(event: table.CountCorrected) -> str:
    how = "is in after all" if event.wagered else "is not in after all"
    return f"Count corrected on link {plain(event.link)}: spot {event.spot} {how}. Reason: {plain(event.reason)}."


@words.register
def _(event: table.CardsOut) -> str:
    return "The first card was dealt; the count of wagers stands."


@words.register
def _(event: table.Folded) -> str:
    return f"Spot {event.spot} folded."


@words.register
def _(event: table.HandSeen) -> str:
    return f"Spot {event.spot} was seen to hold {_hand(event.hand) if event.hand else 'nothing that wins'}."


@words.register
def _(event: table.PlayersPaired) -> str:
    return f"One player plays {_spots(event.spots)}."


@words.register
def _(event: table.ClaimNamed) -> str:
    claim = event.claim
    share = f"{claim.percent}%" if claim.percent else _cents(claim.fixed_cents)
    source = f"{share} from meter {plain(claim.meter)}" if claim.meter else f"{share} from the tray"
    return (
        f"A win was named on link {plain(event.link)}: spot {claim.spot}, {_hand(claim.hand)}, {source}. "
        "A supervisor was called."
    )


@words.register
def _(event: table.ClaimDropped) -> str:
    return f"The claim of spot {event.spot} on link {plain(event.link)} was dropped: {plain(event.reason)}."


@words.register
def _(event: table.SupervisorArrived) -> str:
    return f"The supervisor arrived {_seconds(event.waited)} after the call."


@words.register
def _(event: table.WinLogged) -> str:
    due, claim = event.due, event.claim
    told = [
        f"Win {event.win} was logged on link {plain(event.link)}: spot {claim.spot}, {_hand(claim.hand)}, "
        f"{_cents(due.cents)} to pay"
    ]
    if claim.meter:
        told.append(f", {_cents(due.from_meter_cents)} of it from meter {plain(claim.meter)}")
        told.append(f", which held {_cents(due.held_cents)} for it")
    told.append(f". Named by {plain(claim.named_by)}, confirmed by {plain(event.confirmed_by)}")
    told.append(f" {_seconds(event.waited)} after the call.")
    if due.shortfall_cents:
        told.append(f" The meter could not give {_cents(due.shortfall_cents)}; the house does.")
    if event.envy_cents:
        told.append(f" Every other spot with the wager wins {_cents(event.envy_cents)} envy by it at the close.")
    if event.surveillance:
        told.append(" Surveillance must verify it before the round closes.")
    if event.tax_form:
        told.append(" It needs a tax form.")
    return "".join(told)


@words.register
def _(event: table.WinPaid) -> str:
    told = [f"Win {event.win} was paid to spot {event.spot} on link {plain(event.link)}:"]
    parts = [f"{dollars(event.from_meter)} from meter {plain(event.meter)}"] if event.meter else []
    if event.from_tray or not parts:
        parts.append(f"{dollars(event.from_tray)} from the tray")
    told.append(f" {_list(parts)}.")
    if event.shortfall:
        told.append(f" {dollars(event.shortfall)} of it is a shortfall: the meter ran dry and the house covers it.")
    if event.meter:
        told.append(f" Meter {plain(event.meter)} went from {dollars(event.before)} to {dollars(event.after)}.")
    if event.reseeded:
        told.append(f" It was reseeded with {dollars(event.seed)} and {dollars(event.from_reserve)} from its reserve.")
    return "".join(told)


@words.register
def _(event: table.SurveillanceVerified) -> str:
    return (
        f"Surveillance verified hand, wager, payout and player of win {event.win}: "
        f"observer {plain(event.observer)}, player {plain(event.player)}."
    )


@words.register
def _(event: table.EnvyPaid) -> str:
    return (
        f"Spot {event.spot} was paid {_cents(event.cents)} envy on link {plain(event.link)} "
        f"because of win {event.win} of spot {event.winner}."
    )


@words.register
def _(event: table.RoundClosed) -> str:
    meters = [f"{plain(name)} {dollars(micros)}" for name, micros in event.meters.items()]
    winners = f", winners {_spots(event.winners)}" if event.winners else ", no winner"
    spots = _spots(event.spots) if event.spots else "no spot"
    return f"The round was closed with {spots} in it{winners}. Link {plain(event.link)} stood at {_list(meters)}."


@words.register
def _(event: table.RoundVoided) -> str:
    off = [f"{dollars(micros)} off meter {plain(name)}" for name, micros in event.meters.items() if micros]
    off += [f"{dollars(micros)} off the reserve of {plain(name)}" for name, micros in event.reserves.items() if micros]
    taken = f" On link {plain(event.link)} this took {_list(off)}." if off else " The meters kept what they had."
    short = f" {dollars(event.short)} that meters or reserves no longer held was covered too." if event.short else ""
    why = "a recorded malfunction: " if event.malfunction else ""
    return (
        f"The round was voided, because of {why}{plain(event.cause)}. {dollars(event.returned)} went back to the "
        f"players; the house covered {dollars(event.covered)}.{taken}{short}"
    )


@words.register
def _(event: manager.FloorConfigured) -> str:
    changes = "; ".join(plain(change) for change in event.changes)
    return f"The floor was configured: {changes}. Reason: {plain(event.reason)}."


@words.register
def _(event: manager.MeterOpened) -> str:
    how = "taken over from an earlier system" if event.taken_over else "opened with its seed"
    return (
        f"Meter {plain(event.meter)} of link {plain(event.link)} was {how}: {dollars(event.value)}, "
        f"reserve {dollars(event.reserve)}. Reference: {plain(event.reference)}."
    )


@words.register
def _(event: manager.StaffEnrolled) -> str:
    return f"{plain(event.name)} ({plain(event.staff)}) was enrolled as {event.role} with card {plain(event.card)}."


@words.register
def _(event: manager.PinSet) -> str:
    return f"{plain(event.staff)} set a PIN for card {plain(event.card)}."


@words.register
def _(event: manager.StaffDismissed) -> str:
    return f"{plain(event.staff)} was dismissed; the card is valid no more. Reason: {plain(event.reason)}."


@words.register
def _(event: manager.StaffUnlocked) -> str:
    return f"The card of {plain(event.staff)} was unlocked."


@words.register
def _(event: manager.SignedIn) -> str:
    at = f" at {plain(event.network)}" if event.network else ""
    return f"{plain(event.staff)} {'signed in' if event.session else 'presented card and PIN'}{at}."


@words.register
def _(event: manager.PlayerAdmitted) -> str:
    return f"{plain(event.player)} was admitted as a player and given a code."


@words.register
def _(event: manager.PlayerEntered) -> str:
    return f"The player {plain(event.player)} used the code and is signed in."


@words.register
def _(event: manager.SignedOut) -> str:
    return f"Signed out: {plain(event.who)}."


@words.register
def _(event: manager.DeviceIssued) -> str:
    subject = f" for {plain(event.subject)}" if event.subject else ""
    return f"The device {plain(event.device)} was given a token: {event.right}{subject}."


@words.register
def _(event: manager.DeviceRevoked) -> str:
    return f"The token of the device {plain(event.device)} was revoked. Reason: {plain(event.reason)}."


@words.register
def _(event: manager.AuthorityRefused) -> str:
    told = [f"Refused ({plain(event.rule)}): {plain(event.asked).replace('_', ' ')}. {plain(event.sentence)}."]
    if event.card:
        told.append(f" The card presented: {plain(event.card)}.")
    if event.network:
        told.append(f" It was presented at {plain(event.network)}.")
    if event.failed:
        told.append(f" It counts as a wrong PIN of {plain(event.staff)}.")
    if event.locked_until:
        told.append(f" The card is locked until {utc_time(event.locked_until)}.")
    if event.unrecorded:
        told.append(f" {event.unrecorded} refusals before it were too many to write down.")
    return "".join(told)


@words.register
def _(event: manager.WinUndone) -> str:
    where = f"table {plain(event.table)}, round {event.round}, spot {event.spot}"
    meter = f", meter {plain(event.meter)}" if event.meter else ""
    told = [f"Win {event.win} was undone: link {plain(event.link)}{meter}, {where}."]
    told.append(_changes(event.meter_change, event.reserve_change, event.house))
    if event.covered:
        told.append(f" The house covered {dollars(event.covered)} that the meter no longer held.")
    told.append(f" Reason: {REASONS[event.reason]}. {plain(event.explanation)}.")
    return "".join(told)


@words.register
def _(event: manager.MeterAdjusted) -> str:
    return (
        f"Meter {plain(event.meter)} of link {plain(event.link)} was adjusted by hand."
        f"{_changes(event.meter_change, event.reserve_change, event.house)}"
        f" Reason: {REASONS[event.reason]}. {plain(event.explanation)}."
    )


@words.register
def _(event: manager.LateWinPaid) -> str:
    told = [
        f"Win {event.win} was paid late on link {plain(event.link)}: table {plain(event.table)}, round {event.round}, "
        f"spot {event.spot}, {_hand(event.hand)}, {_cents(event.cents)}"
    ]
    if event.meter:
        told.append(f", {dollars(event.from_meter)} from meter {plain(event.meter)}, ")
        told.append(f"which went from {dollars(event.before)} to {dollars(event.after)}")
    told.append(f", {dollars(event.from_house)} from the house.")
    if event.reseeded:
        told.append(f" It was reseeded with {dollars(event.seed)} and {dollars(event.from_reserve)} from its reserve.")
    if event.tax_form:
        told.append(" It needs a tax form.")
    told.append(f" Reason: {REASONS[event.reason]}. Evidence: {plain(event.evidence)}.")
    return "".join(told)


@words.register
def _(event: manager.MeterTransferred) -> str:
    retired = " The meter was retired." if event.retired else ""
    return (
        f"{dollars(event.value)} and {dollars(event.reserve)} of reserve went from meter {plain(event.meter)} of link "
        f"{plain(event.link)} to meter {plain(event.to_meter)} of link {plain(event.to_link)}.{retired} "
        f"Authority: {plain(event.authority)}."
    )


@words.register
def _(event: manager.AccountEntered) -> str:
    short = "short: its tables take no wager until it is not" if event.short else "sufficient"
    return (
        f"The prize account of link {plain(event.link)} was entered at {_cents(event.balance_cents)}, {short}. "
        f"Reference: {plain(event.reference)}."
    )


@words.register
def _(event: manager.DepositRecorded) -> str:
    return (
        f"A deposit of {_cents(event.cents)} to the prize account of link {plain(event.link)} was recorded for the "
        f"week of {plain(event.week)}. Reference: {plain(event.reference)}."
    )


@words.register
def _(event: manager.Suspended) -> str:
    return f"{event.what.capitalize()} {plain(event.id)} was suspended: {plain(event.why)}."


@words.register
def _(event: manager.Resumed) -> str:
    return f"{event.what.capitalize()} {plain(event.id)} was resumed."


@words.register
def _(event: manager.AlarmSeen) -> str:
    return f"The alarm of entry {event.alarm} was acknowledged."


@words.register
def _(event: manager.KeyReplaced) -> str:
    if event.purpose == "signing":
        return f"The journal is signed with key {plain(event.key)} from here on. Reason: {plain(event.reason)}."
    return f"The {event.purpose} secret is {plain(event.secret_id)} from here on. Reason: {plain(event.reason)}."


@words.register
def _(event: manager.Restored) -> str:
    known = f" (hash {plain(event.known_hash)})" if event.known_hash else ""
    known += f" (root {plain(event.root)})" if event.root else ""
    return (
        f"The floor went on from a restored journal of {event.entries} entries; it is known to have had "
        f"entry {event.known_to}{known}. Reason: {plain(event.reason)}."
    )


@words.register
def _(event: manager.ClockDoubted) -> str:
    why = {
        "jump": "it jumped",
        "behind": "it was behind the last entry when the floor started",
        "gap": "it was far ahead of the last entry when the floor started",
        "other": "another server wrote entries ahead of it",
    }.get(event.doubt, plain(event.doubt))
    return f"The clock of {plain(event.where)} is not believed, because {why}. It showed {utc_time(event.shown)}."


@words.register
def _(event: manager.ClockTrusted) -> str:
    return f"The clock of {plain(event.where)} is believed again."


@words.register
def _(event: manager.ClockConfirmed) -> str:
    return f"The clock was confirmed; until here the floor went by {utc_time(event.was)}."


@words.register
def _(event: manager.ClockRepaired) -> str:
    return (
        f"The time was put right: the entry before this one carries {utc_time(event.was)}, which was wrong. "
        f"Reason: {plain(event.reason)}."
    )


def _changes(on_meter: int, on_reserve: int, on_house: int) -> str:
    parts = (("meter", on_meter), ("reserve", on_reserve), ("house", on_house))
    moved = [f"{name} {dollars(micros, sign=True)}" for name, micros in parts if micros]
    return f" Changes: {_list(moved)}." if moved else " No money moved."


def _cents(cents: int) -> str:
    return dollars(cents * MICROS_PER_CENT)


def _hand(key: str) -> str:
    return plain(key).replace("_", " ")


def _seconds(micros: int) -> str:
    minutes, seconds = divmod(micros // MICROS, 60)
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"


def _spots(spots: Sequence[int]) -> str:
    return f"spot{'' if len(spots) == 1 else 's'} {_list([str(spot) for spot in spots])}"


def _list(parts: Sequence[str]) -> str:
    if len(parts) < 2:
        return "".join(parts) or "nothing"
    return f"{', '.join(parts[:-1])} and {parts[-1]}"
