"""The win page: everything on record about one win, as data and as a document to file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

import msgspec

from houseway.books.pdf import check_target, render, save
from houseway.books.reports import floor_state, money, read_entry
from houseway.manager import events as tell
from houseway.manager.config import FloorConfig
from houseway.manager.entry import Entry, chained
from houseway.manager.gaming_day import MICROS as MICROSECONDS
from houseway.manager.gaming_day import Calendar
from houseway.manager.state import FloorState
from houseway.manager.store.base import EMPTY, Row, Store
from houseway.paytables import ProgressiveRow
from houseway.progressive.terms import MICROS_PER_CENT, Terms
from houseway.refusal import Refusal
from houseway.table.progressive_round import events as at_table
from houseway.table.progressive_round.adjustments import REASONS

_MINUTE: Final = 60
_HOUR: Final = 3_600
_LEFT: Final = ("Where", "What was won", "Paid from", "Meter")
"""The sections that stand in the left column of the page."""

Found = TypeVar("Found")
Step: TypeAlias = tuple[Row, Entry]


# -------------------------------------------------------------------------------------------------------- the record


class Person(NamedTuple):
    """Somebody on the staff."""

    id: str
    name: str

    def __str__(self) -> str:
        return f"{self.name} ({self.id})" if self.name else self.id


class Moment(NamedTuple):
    """A time: in UTC, and by the site's clock as it stood then."""

    at: int
    """Microseconds since 1970."""
    utc: str
    local: str


class Deed(NamedTuple):
    """Who did something, when, and the entry of the journal that holds it."""

    by: Person
    when: Moment
    entry: int
    hash: str
    second: Person | None = None


class Verified(NamedTuple):
    """FL-18: what surveillance verified."""

    observer: str
    player: str
    recorded: Deed


class Undone(NamedTuple):
    """PR-23: the adjustment that undid the win."""

    deed: Deed
    reason: str
    explanation: str


class Envy(NamedTuple):
    """PR-18: what a spot was paid because of the win."""

    spot: int
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WinRecord:
    """PR-22: one win. Money is cents where people are paid, micros on the meter."""

    number: int
    """The number of the entry that recorded it: it finds the win again."""
    hash: str
    intact: bool
    """Whether the entry and the hash of the one before it still make this hash (PR-24)."""
    site: str
    currency: str
    time_zone: str
    day: str
    """The gaming day it counts on: that of its confirmation (FL-24)."""
    late: bool
    """PR-36: whether it was noticed after its round had closed."""
    link: str
    link_name: str
    meter: str
    """Empty for an award from the tray."""
    table: str
    game: str
    console: str
    round: int
    spot: int
    hand: str
    """Its key on the pay table."""
    hand_words: str
    pay_table: str
    row: str
    """The row of the pay table, in words."""
    wager_cents: int
    amount_cents: int
    from_meter_cents: int
    from_tray_cents: int
    """Without the shortfall."""
    shortfall_cents: int
    """PR-7: what the meter could not give and the house paid."""
    meter_before: int | None
    """None between J-POT and RUN, and for an award from the tray."""
    meter_after: int | None
    reseeded: bool
    seed: int
    from_reserve: int
    named: Deed | None
    """None for a win that was noticed late."""
    confirmed: Deed
    """Who logged it and so fixed its amount; for a late win, who paid it and with whom."""
    paid: Deed | None
    """When the meter was adjusted: on a touch console with the confirmation, on the keypad at RUN; None before that."""
    arrived_after: int | None
    """PR-29: from the call to the supervisor's arrival, in microseconds; None where nobody said so."""
    confirmed_after: int | None
    """PR-29: from the call to the confirmation."""
    surveillance: bool
    """FL-18: whether surveillance must verify it."""
    verified: Verified | None
    tax_form: bool
    evidence: str
    """What a late win was paid on."""
    envy: tuple[Envy, ...]
    undone: Undone | None

    @property
    def status(self) -> str:
        """How it stands, in a few words."""
        if self.undone is not None:
            return f"undone by entry {self.undone.deed.entry}"
        if self.paid is None:
            return "logged at J-POT, not yet paid"
        return "paid late" if self.late else "paid"


def win_record(store: Store, number: int, state: FloorState | None = None) -> WinRecord:
    """Everything on record about a win; a Refusal where that number is none."""
    state = state or floor_state(store)
    if not 0 < number <= state.seq:
        raise Refusal("win", f"there is no win {number}: the journal has the entries 1 to {state.seq}")
    row = store.entry(number)
    if row is None:
        raise Refusal("journal", f"entry {number} is missing; run houseway journal verify")
    entry = read_entry(row)
    logged = _event(((row, entry),), at_table.WinLogged)
    late = _event(((row, entry),), tell.LateWinPaid)
    if logged is None and late is None:
        raise Refusal("win", _no_win(number, entry))
    return _Reader(store, state, row, entry).record(logged, late)


def _no_win(number: int, entry: Entry) -> str:
    """What the entry is instead; where it belongs to a win, that win's number."""
    for event in entry.events:
        if isinstance(event, at_table.WinPaid | at_table.SurveillanceVerified | at_table.EnvyPaid | tell.WinUndone):
            return f"there is no win {number}: entry {number} belongs to win {event.win}"
    return f"there is no win {number}: entry {number} is a {entry.kind.replace('_', ' ')}"


class _Reader:
    """Looks up in the journal what belongs to one win."""

    def __init__(self, store: Store, state: FloorState, row: Row, entry: Entry) -> None:
        self._store = store
        self._state = state
        self._row = row
        self._entry = entry
        self._steps: tuple[Step, ...] = tuple(
            (one, read_entry(one)) for one in store.round_entries(entry.table, entry.round)
        )
        locked = _event(self._steps, at_table.LockedIn)
        self._locked = locked[1] if locked else None
        self._config = self._configured(locked[0][1].seq if locked else entry.seq)
        policies = self._configured(entry.seq).policies
        self._policies = policies
        self._calendar = Calendar(policies.time_zone, policies.day_starts)

    def record(
        self,
        logged: tuple[Step, at_table.WinLogged] | None,
        late: tuple[Step, tell.LateWinPaid] | None,
    ) -> WinRecord:
        """The win, from either of the two events that can make one."""
        if logged is not None:
            return self._common(logged[1].claim.hand, logged[1].link, self._of_logged(logged[1]))
        if late is not None:
            return self._common(late[1].hand, late[1].link, self._of_late(late[1]))
        raise RuntimeError(f"entry {self._entry.seq} records no win")

    def _common(self, hand: str, link: str, own: dict[str, Any]) -> WinRecord:
        row, entry = self._row, self._entry
        table = next((one for one in self._config.tables if one.id == entry.table), None)
        linked = next((one for one in self._config.links if one.id == link), None)
        before = self._store.entry(entry.seq - 1)
        previous = before.hash if before else EMPTY.hash
        return WinRecord(
            number=entry.seq,
            hash=row.hash,
            intact=chained(previous, row.body) == row.hash,
            site=self._policies.site,
            currency=self._policies.currency,
            time_zone=self._policies.time_zone,
            day=entry.day,
            link=link,
            link_name=linked.name if linked else link,
            table=entry.table,
            game=table.game if table else "",
            console=table.console if table else "",
            round=entry.round,
            hand=hand,
            hand_words=_hand_words(linked.terms, hand) if linked else spoken(hand),
            pay_table=linked.terms.table.label if linked else "",
            row=_row_words(linked.terms, hand, self._policies.currency) if linked else "",
            wager_cents=self._locked.wager_cents if self._locked else 0,
            confirmed=self._deed((row, entry)),
            undone=self._undone(),
            **own,
        )

    def _of_logged(self, logged: at_table.WinLogged) -> dict[str, Any]:
        """A win that was named and confirmed in its round. On the keypad its payment is in a later entry."""
        claim, due = logged.claim, logged.due
        paid = _event(self._steps, at_table.WinPaid, logged.win)
        arrived = _event(self._steps, at_table.SupervisorArrived)
        moved = paid[1] if paid else None
        return {
            "late": False,
            "meter": claim.meter,
            "spot": claim.spot,
            "amount_cents": due.cents,
            "from_meter_cents": due.from_meter_cents,
            "from_tray_cents": due.from_tray_cents - due.shortfall_cents,
            "shortfall_cents": due.shortfall_cents,
            "meter_before": moved.before if moved and moved.meter else None,
            "meter_after": moved.after if moved and moved.meter else None,
            "reseeded": moved.reseeded if moved else False,
            "seed": moved.seed if moved else 0,
            "from_reserve": moved.from_reserve if moved else 0,
            "named": self._named(claim.spot, claim.named_at),
            "paid": self._deed(paid[0]) if paid else None,
            "arrived_after": arrived[1].waited if arrived else None,
            "confirmed_after": logged.waited,
            "surveillance": logged.surveillance,
            "verified": self._verified(logged.win),
            "tax_form": logged.tax_form,
            "evidence": "",
            "envy": tuple(self._envy(logged.win)),
        }

    def _of_late(self, late: tell.LateWinPaid) -> dict[str, Any]:
        """PR-36: a win paid by adjustment, after its round had closed."""
        from_house = late.from_house // MICROS_PER_CENT
        return {
            "late": True,
            "meter": late.meter,
            "spot": late.spot,
            "amount_cents": late.cents,
            "from_meter_cents": late.from_meter // MICROS_PER_CENT,
            "from_tray_cents": 0 if late.meter else from_house,
            "shortfall_cents": from_house if late.meter else 0,
            "meter_before": late.before if late.meter else None,
            "meter_after": late.after if late.meter else None,
            "reseeded": late.reseeded,
            "seed": late.seed,
            "from_reserve": late.from_reserve,
            "named": None,
            "paid": self._deed((self._row, self._entry)),
            "arrived_after": None,
            "confirmed_after": None,
            "surveillance": False,
            "verified": None,
            "tax_form": late.tax_form,
            "evidence": late.evidence,
            "envy": (),
        }

    def _named(self, spot: int, at: int) -> Deed | None:
        """Who named it: a claim can be taken back and named again, so the time says which."""
        for step in self._steps:
            for event in step[1].events:
                if isinstance(event, at_table.ClaimNamed) and (event.claim.spot, event.claim.named_at) == (spot, at):
                    return self._deed(step)
        return None

    def _verified(self, win: int) -> Verified | None:
        found = _event(self._steps, at_table.SurveillanceVerified, win)
        return Verified(found[1].observer, found[1].player, self._deed(found[0])) if found else None

    def _envy(self, win: int) -> Iterator[Envy]:
        for _, entry in self._steps:
            for event in entry.events:
                if isinstance(event, at_table.EnvyPaid) and event.win == win:
                    yield Envy(event.spot, event.cents)

    def _undone(self) -> Undone | None:
        seq = self._state.undone.get(self._entry.seq)
        row = self._store.entry(seq) if seq else None
        if row is None:
            return None
        entry = read_entry(row)
        found = _event(((row, entry),), tell.WinUndone, self._entry.seq)
        if found is None:
            return None
        return Undone(self._deed((row, entry)), REASONS[found[1].reason], found[1].explanation)

    def _deed(self, step: Step) -> Deed:
        row, entry = step
        second = self._person(entry.second) if entry.second else None
        return Deed(self._person(entry.by), self._moment(entry.at), entry.seq, row.hash, second)

    def _person(self, id: str) -> Person:
        member = self._state.staff.get(id)
        return Person(id, member.name if member else "")

    def _moment(self, at: int) -> Moment:
        utc = datetime.fromtimestamp(at // MICROSECONDS, UTC)
        return Moment(at, f"{utc:%Y-%m-%d %H:%M:%S} UTC", f"{self._calendar.local(at):%Y-%m-%d %H:%M:%S %Z}")

    def _configured(self, seq: int) -> FloorConfig:
        """The configuration in force when an entry was made: a round keeps the terms it was locked in with (PR-3)."""
        number = max((one for one in self._state.configured if one < seq), default=0)
        row = self._store.entry(number) if number else None
        found = _event(((row, read_entry(row)),), tell.FloorConfigured) if row else None
        if found is None:
            raise Refusal("journal", f"entry {seq} has no configuration before it; run houseway journal verify")
        return found[1].config


def _event(steps: Iterable[Step], kind: type[Found], win: int | None = None) -> tuple[Step, Found] | None:
    """The first event of a kind, of a certain win where one is given, and the step it happened in."""
    for step in steps:
        for event in step[1].events:
            if isinstance(event, kind) and (win is None or getattr(event, "win", None) == win):
                return step, event
    return None


def _row_words(terms: Terms, hand: str, currency: str) -> str:
    """A row of the pay table, such as "royal flush: 100% of meter mega"."""
    row = terms.table.row(hand)
    words = _hand_words(terms, hand)
    return f"{words}: {_award_words(row, terms, currency)}" if row else words


def _hand_words(terms: Terms, hand: str) -> str:
    """A hand for people; where the rows of the table are no hands, with what they are, as "length of straight 7"."""
    return f"{terms.table.by} {spoken(hand)}".lstrip()


def _award_words(row: ProgressiveRow, terms: Terms, currency: str) -> str:
    if row.percent is not None:
        return f"{row.percent}% of meter {row.meter}"
    if row.for_one is not None:
        return f"{row.for_one.num} for {row.for_one.den}"
    stated = terms.table.stated_wager_cents
    fixed = money((row.fixed_cents or 0) * MICROS_PER_CENT, currency)
    return f"{fixed} for {money(stated * MICROS_PER_CENT, currency)}" if stated else fixed


def spoken(key: str) -> str:
    """A key for people."""
    return key.replace("_", " ").replace("-", " ")


def duration(micros: int) -> str:
    """How long something took, for people."""
    seconds = micros // MICROSECONDS
    minutes = f"{seconds % _HOUR // _MINUTE} min {seconds % _MINUTE:02} s"
    return f"{seconds // _HOUR} h {minutes}" if seconds >= _HOUR else minutes


def win_data(record: WinRecord) -> dict[str, Any]:
    """A win as plain data."""
    names = record.__dataclass_fields__
    return {name: _builtins(getattr(record, name)) for name in names} | {"status": record.status}


def _builtins(value: Any) -> Any:
    """Named tuples as objects, so that a program need not count places."""
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: _builtins(one) for name, one in value._asdict().items()}
    return [_builtins(one) for one in value] if isinstance(value, tuple) else msgspec.to_builtins(value)


# ------------------------------------------------------------------------------------------------------ the document


def win_page_pdf(record: WinRecord, path: Path, *, force: bool = False) -> None:
    """PR-22: the win page as a document. The same win in the same state is the same file."""
    check_target(path, force=force)
    last = record.undone.deed if record.undone else record.paid or record.confirmed
    save(render("win_page", win_document(record), last.when.at // MICROSECONDS), path, force=force)


def win_document(record: WinRecord) -> dict[str, Any]:
    """What the template of a win page shows: the same sections on a screen."""
    shown = [{"title": title, "rows": [list(row) for row in rows]} for title, rows in win_sections(record)]
    return {
        "number": str(record.number),
        "site": record.site,
        "amount": money(record.amount_cents * MICROS_PER_CENT, record.currency),
        "status": record.status,
        "undone": record.undone is not None,
        "intact": record.intact,
        "headline": f"{record.hand_words} · table {record.table}, spot {record.spot}",
        "left": [one for one in shown if one["title"] in _LEFT],
        "right": [one for one in shown if one["title"] not in _LEFT],
        "hash": record.hash,
        "signatures": _signatures(record),
    }


def win_sections(record: WinRecord) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """A win in labelled lines, by subject; a line that says nothing is left out."""
    made = (
        ("Where", _where(record)),
        ("What was won", _what(record)),
        ("Paid from", _paid_from(record)),
        ("Meter", _meter(record)),
        ("People", _people(record)),
        ("Verification", _checks(record)),
        ("Envy", _envied(record)),
        ("Undone", _undoing(record)),
    )
    return tuple((title, rows) for title, found in made if (rows := tuple(found)))


Rows: TypeAlias = Iterator[tuple[str, str]]


def _where(record: WinRecord) -> Rows:
    yield "link", _named_id(record.link_name, record.link)
    yield "table", f"{record.table}{f', {spoken(record.game)}' if record.game else ''}"
    yield "spot", str(record.spot)
    yield "round", str(record.round)
    yield "console", record.console
    yield "gaming day", record.day


def _what(record: WinRecord) -> Rows:
    yield "hand", record.hand_words
    yield "pay table", record.pay_table
    yield "row", record.row
    yield "wager", _cents(record, record.wager_cents)
    yield "amount", _cents(record, record.amount_cents)


def _paid_from(record: WinRecord) -> Rows:
    if record.meter:
        yield f"meter {record.meter}", _cents(record, record.from_meter_cents)
    if record.from_tray_cents:
        yield "tray", _cents(record, record.from_tray_cents)
    if record.shortfall_cents:
        yield "house, for what the meter lacked", _cents(record, record.shortfall_cents)


def _meter(record: WinRecord) -> Rows:
    if record.meter_before is None or record.meter_after is None:
        return
    yield f"{record.meter} before", money(record.meter_before, record.currency)
    yield "award", money(-record.from_meter_cents * MICROS_PER_CENT, record.currency)
    if record.reseeded:
        yield "seed", money(record.seed, record.currency)
        yield "from its reserve", money(record.from_reserve, record.currency)
    yield f"{record.meter} after", money(record.meter_after, record.currency)


def _people(record: WinRecord) -> Rows:
    if record.named is not None:
        yield from _deed_rows("named by", record.named)
    if record.arrived_after is not None:
        yield "call to arrival", duration(record.arrived_after)
    yield from _deed_rows("paid late by" if record.late else "confirmed by", record.confirmed)
    if record.confirmed_after is not None:
        yield "call to confirmation", duration(record.confirmed_after)
    if record.paid is not None and record.paid.entry != record.confirmed.entry:
        yield from _deed_rows("meter adjusted by", record.paid)


def _deed_rows(label: str, deed: Deed) -> Rows:
    yield label, str(deed.by)
    if deed.second is not None:
        yield "with", str(deed.second)
    yield "at", deed.when.local
    yield "", deed.when.utc


def _checks(record: WinRecord) -> Rows:
    if record.verified is not None:
        yield "surveillance", record.verified.observer
        yield "player", record.verified.player
        yield from _deed_rows("recorded by", record.verified.recorded)
    elif record.late:
        yield "surveillance", "none on record: paid on its evidence, by two people"
    else:
        yield "surveillance", "needed, not yet verified" if record.surveillance else "not needed"
    yield "tax form", "needed" if record.tax_form else "not needed"
    if record.evidence:
        yield "evidence", record.evidence


def _envied(record: WinRecord) -> Rows:
    for one in record.envy:
        yield f"spot {one.spot}", _cents(record, one.cents)


def _undoing(record: WinRecord) -> Rows:
    if record.undone is None:
        return
    yield "entry", f"{record.undone.deed.entry}"
    yield from _deed_rows("by", record.undone.deed)
    yield "reason", record.undone.reason
    yield "explanation", record.undone.explanation


def _signatures(record: WinRecord) -> Sequence[str]:
    observer = ("surveillance",) if record.surveillance or record.verified else ()
    return ("player", "dealer", "supervisor", *observer, "cage")


def _named_id(name: str, id: str) -> str:
    return name if name == id else f"{name} ({id})"


def _cents(record: WinRecord, cents: int) -> str:
    return money(cents * MICROS_PER_CENT, record.currency)
