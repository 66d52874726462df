"""Everything on record about one win, looked up in the journal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, TypeAlias, TypeVar

from msgspec import Struct

from houseway.books.period import floor_state, money, read_entry
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

Event = TypeVar("Event")
Step: TypeAlias = tuple[Row, Entry]


class WinPerson(Struct, frozen=True):
    """Somebody on the staff."""

    id: str
    name: str

    def __str__(self) -> str:
        return f"{self.name} ({self.id})" if self.name else self.id


class WinMoment(Struct, frozen=True):
    """A time: in UTC, and by the site's clock as it stood then."""

    at: int
    """Microseconds since 1970."""
    utc: str
    local: str


class WinDeed(Struct, frozen=True):
    """Who did something, when, and the entry of the journal that holds it."""

    by: WinPerson
    when: WinMoment
    entry: int
    hash: str
    second: WinPerson | None = None


class WinVerified(Struct, frozen=True):
    """FL-18: what surveillance verified."""

    observer: str
    player: str
    recorded: WinDeed


class WinUndoing(Struct, frozen=True):
    """PR-23: the adjustment that undid the win."""

    deed: WinDeed
    reason: str
    explanation: str


class WinEnvy(Struct, frozen=True):
    """PR-18: what a spot was paid because of the win."""

    spot: int
    cents: int


class WinRecord(Struct, frozen=True, kw_only=True):
    """Everything on record about a win (PR-22): its win page. Micros are millionths of the currency's unit."""

    number: int
    """The number of the entry that recorded it: it finds the win again."""
    hash: str
    intact: bool
    """Whether the entry and the hash of the one before it still make this hash (PR-24)."""
    status: str
    """How it stands, in a few words."""
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
    meter_before_micros: int | None
    """None between J-POT and RUN, and for an award from the tray."""
    meter_after_micros: int | None
    reseeded: bool
    seed_micros: int
    from_reserve_micros: int
    named: WinDeed | None
    """None for a win that was noticed late."""
    confirmed: WinDeed
    """Who logged it and so fixed its amount; for a late win, who paid it and with whom."""
    paid: WinDeed | None
    """When the meter was adjusted: on a touch console with the confirmation, on the keypad at RUN; None before that."""
    arrived_after_microseconds: int | None
    """PR-29: from the call to the supervisor's arrival; None where nobody said so."""
    confirmed_after_microseconds: int | None
    """PR-29: from the call to the confirmation."""
    surveillance: bool
    """FL-18: whether surveillance must verify it."""
    verified: WinVerified | None
    tax_form: bool
    evidence: str
    """What a late win was paid on."""
    envy: tuple[WinEnvy, ...]
    undone: WinUndoing | None


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
            (row, read_entry(row)) for row in store.round_entries(entry.table, entry.round)
        )
        locked = _event(self._steps, at_table.LockedIn)
        self._locked = locked[1] if locked else None
        self._config = self._config_before(locked[0][1].seq if locked else entry.seq)
        policies = self._config_before(entry.seq).policies
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
        table = next((table for table in self._config.tables if table.id == entry.table), None)
        linked = next((config for config in self._config.links if config.id == link), None)
        before = self._store.entry(entry.seq - 1)
        previous = before.hash if before else EMPTY.hash
        undone = self._undoing()
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
            hand_words=_hand_words(linked.terms, hand) if linked else key_words(hand),
            pay_table=linked.terms.table.label if linked else "",
            row=_row_words(linked.terms, hand, self._policies.currency) if linked else "",
            wager_cents=self._locked.wager_cents if self._locked else 0,
            status=_status(undone, own["paid"], own["late"]),
            confirmed=self._deed((row, entry)),
            undone=undone,
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
            "meter_before_micros": moved.before if moved and moved.meter else None,
            "meter_after_micros": moved.after if moved and moved.meter else None,
            "reseeded": moved.reseeded if moved else False,
            "seed_micros": moved.seed if moved else 0,
            "from_reserve_micros": moved.from_reserve if moved else 0,
            "named": self._naming(claim.spot, claim.named_at),
            "paid": self._deed(paid[0]) if paid else None,
            "arrived_after_microseconds": arrived[1].waited if arrived else None,
            "confirmed_after_microseconds": logged.waited,
            "surveillance": logged.surveillance,
            "verified": self._verification(logged.win),
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
            "meter_before_micros": late.before if late.meter else None,
            "meter_after_micros": late.after if late.meter else None,
            "reseeded": late.reseeded,
            "seed_micros": late.seed,
            "from_reserve_micros": late.from_reserve,
            "named": None,
            "paid": self._deed((self._row, self._entry)),
            "arrived_after_microseconds": None,
            "confirmed_after_microseconds": None,
            "surveillance": bool(late.observer),
            "verified": self._late_verification(late),
            "tax_form": late.tax_form,
            "evidence": late.evidence,
            "envy": (),
        }

    def _naming(self, spot: int, at: int) -> WinDeed | None:
        """Who named it: a claim can be taken back and named again, so the time says which."""
        for step in self._steps:
            for event in step[1].events:
                if isinstance(event, at_table.ClaimNamed) and (event.claim.spot, event.claim.named_at) == (spot, at):
                    return self._deed(step)
        return None

    def _verification(self, win: int) -> WinVerified | None:
        verification = _event(self._steps, at_table.SurveillanceVerified, win)
        if verification is None:
            return None
        step, event = verification
        return WinVerified(event.observer, event.player, self._deed(step))

    def _late_verification(self, late: tell.LateWinPaid) -> WinVerified | None:
        """FL-18: a large win that is paid late is verified with its payment."""
        deed = self._deed((self._row, self._entry))
        return WinVerified(late.observer, late.player, deed) if late.observer else None

    def _envy(self, win: int) -> Iterator[WinEnvy]:
        for _, entry in self._steps:
            for event in entry.events:
                if isinstance(event, at_table.EnvyPaid) and event.win == win:
                    yield WinEnvy(event.spot, event.cents)

    def _undoing(self) -> WinUndoing | None:
        seq = self._state.undone.get(self._entry.seq)
        row = self._store.entry(seq) if seq else None
        if row is None:
            return None
        entry = read_entry(row)
        undoing = _event(((row, entry),), tell.WinUndone, self._entry.seq)
        if undoing is None:
            return None
        return WinUndoing(self._deed((row, entry)), REASONS[undoing[1].reason], undoing[1].explanation)

    def _deed(self, step: Step) -> WinDeed:
        row, entry = step
        second = self._person(entry.second) if entry.second else None
        return WinDeed(self._person(entry.by), self._moment(entry.at), entry.seq, row.hash, second)

    def _person(self, id: str) -> WinPerson:
        member = self._state.staff.get(id)
        return WinPerson(id, member.name if member else "")

    def _moment(self, at: int) -> WinMoment:
        utc = datetime.fromtimestamp(at // MICROSECONDS, UTC)
        return WinMoment(at, f"{utc:%Y-%m-%d %H:%M:%S} UTC", f"{self._calendar.local(at):%Y-%m-%d %H:%M:%S %Z}")

    def _config_before(self, seq: int) -> FloorConfig:
        """The configuration in force when an entry was made: a round keeps the terms it was locked in with (PR-3)."""
        number = max((entry for entry in self._state.configured if entry < seq), default=0)
        row = self._store.entry(number) if number else None
        configured = _event(((row, read_entry(row)),), tell.FloorConfigured) if row else None
        if configured is None:
            raise Refusal("journal", f"entry {seq} has no configuration before it; run houseway journal verify")
        return configured[1].config


def _status(undone: WinUndoing | None, paid: WinDeed | None, late: bool) -> str:
    if undone is not None:
        return f"undone by entry {undone.deed.entry}"
    if paid is None:
        return "logged at J-POT, not yet paid"
    return "paid late" if late else "paid"


def _event(steps: Iterable[Step], kind: type[Event], win: int | None = None) -> tuple[Step, Event] | None:
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
    return f"{terms.table.by} {key_words(hand)}".lstrip()


def _award_words(row: ProgressiveRow, terms: Terms, currency: str) -> str:
    if row.percent is not None:
        return f"{row.percent}% of meter {row.meter}"
    if row.for_one is not None:
        return f"{row.for_one.num} for {row.for_one.den}"
    stated = terms.table.stated_wager_cents
    fixed = money((row.fixed_cents or 0) * MICROS_PER_CENT, currency)
    return f"{fixed} for {money(stated * MICROS_PER_CENT, currency)}" if stated else fixed


def key_words(key: str) -> str:
    """A key for people."""
    return key.replace("_", " ").replace("-", " ")
