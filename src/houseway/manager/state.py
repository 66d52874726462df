"""The floor as it stands: the sum of everything in the journal, small enough to keep in memory and in one snapshot."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from houseway.manager import events as tell
from houseway.manager.clock import DoubtKind, utc
from houseway.manager.codes import VERIFY, Codes, read_next
from houseway.manager.commands import AnyRole, DeviceRight
from houseway.manager.config import FloorConfig
from houseway.manager.entry import FIRST_CODED, Entry
from houseway.manager.keyring import Keyring
from houseway.manager.ledger import lines
from houseway.manager.readiness import stops as stops_on
from houseway.manager.store.base import EMPTY, Head, Snapshot, Store
from houseway.progressive.link import LinkState, MeterState
from houseway.refusal import Damaged, Refusal
from houseway.table.card_round.decide import PLAYER
from houseway.table.card_round.events import AnyPlayEvent
from houseway.table.config import Policies
from houseway.table.progressive_round.events import AnyTableEvent, RoundClosed, RoundVoided, TableEvent, WinPaid
from houseway.table.progressive_round.evolve import apply_lines, evolve_link, not_after, undo_win
from houseway.table.progressive_round.evolve import evolve as evolve_table
from houseway.table.progressive_round.ledger import Line
from houseway.table.state import Round, TableState

log = logging.getLogger("houseway.floor")
RESEEDS_KEPT: Final = 20
_ENDS_A_ROUND: Final = (RoundClosed, RoundVoided)
STATE_FORMAT: Final = 11
"""Raised with every change of what the state holds or how events change it: a snapshot of another is not used."""

PLACES_KEPT: Final = 16
"""How many places are remembered for a card."""
LONGEST_SIGNED_IN: Final = 12 * 3_600_000_000
"""After this long everybody signs in anew, in microseconds."""
CODE_GOOD_FOR: Final = 10 * 60_000_000
"""How long a player's code waits to be used."""


class Staff(Struct, frozen=True, kw_only=True):
    """A member of staff."""

    id: str
    name: str
    role: AnyRole
    card: str
    credential: str
    """The digest of what the card is checked against."""
    active: bool = True
    failures: int = 0
    """Wrong PINs in a row."""
    failed_from: tuple[str, ...] = ()
    """The different places they came from."""
    opened_from: tuple[str, ...] = ()
    """The last places where the card and its PIN fitted: a lock does not hold there (TR-6)."""
    locked_until: int = 0
    demonstration: bool = False
    """Whether card and PIN are no secret."""
    pin_set: bool = True
    """TR-5: until the member has set a PIN, the card opens nothing."""
    enrolled_by: tuple[str, ...] = ()
    """Who enrolled the member, last: one or two people; nobody for the first people of a floor."""
    enrolled_at: int = 0
    vouched_by: str = ""
    """The one of them who was an executive then; empty for none."""


class Signed(Struct, frozen=True, kw_only=True):
    """Somebody who stays signed in; known by the digest of the secret he holds."""

    who: str
    """A member of staff, or ``player/`` and a name."""
    since: int
    guest: int = 0
    """A player's admission; 0 for staff."""


class Guest(Struct, frozen=True, kw_only=True):
    """TR-8: the player whom a name stands for now."""

    id: int
    """The admission: the entry that let this player in. Seats and hands carry it, so that no namesake has them."""
    since: int
    again: str = ""
    """The digest of the return code."""


class Code(Struct, frozen=True, kw_only=True):
    """A code that a player was admitted with and has not used yet."""

    player: str
    until: int


class Device(Struct, frozen=True, kw_only=True):
    """A device with a token of its own."""

    id: str
    right: DeviceRight
    subject: str
    token: str
    """The digest of the token."""
    active: bool = True


class Alarm(Struct, frozen=True, kw_only=True):
    """Something a person at the Game Manager should look at."""

    number: int
    """The entry that raised it."""
    at: int
    link: str
    text: str


class PrizeAccount(Struct, frozen=True, kw_only=True):
    """FL-17: the prize account of a link as it was last entered."""

    balance_cents: int
    short: bool
    at: int
    reference: str


class FloorState(Struct, frozen=True, kw_only=True):
    """A floor as of one entry."""

    format: int = STATE_FORMAT
    seq: int = EMPTY.seq
    hash: str = EMPTY.hash
    at: int = 0
    day: str = ""
    """The gaming day of that entry: approvals and limits are judged by it."""
    config: FloorConfig | None = None
    configured: tuple[int, ...] = ()
    """The entries that configured the floor."""
    tables: dict[str, TableState] = {}
    rounds: dict[str, int] = {}
    """Where tables that are off the floor stopped: their rounds are counted on from there."""
    links: dict[str, LinkState] = {}
    staff: dict[str, Staff] = {}
    alarms: tuple[Alarm, ...] = ()
    accounts: dict[str, PrizeAccount] = {}
    undone: dict[int, int] = {}
    """Wins undone by an adjustment: the win's number, and the entry that undid it."""
    late: dict[str, int] = {}
    """Wins paid late, by "table/round/spot": the entry that paid it."""
    key: str = ""
    """The public key that signs the journal's head, in hex."""
    key_ids: dict[str, str] = {}
    """TR-14: the secrets in force, by purpose, as `keyring.secret_id` names them."""
    uncoded: Head = EMPTY
    """The last entry without a code: of before there were codes."""
    signed: dict[str, Signed] = {}
    """Who is signed in, by the digest of his secret; who was is forgotten after `LONGEST_SIGNED_IN`."""
    codes: dict[str, Code] = {}
    """Codes of players, by digest."""
    guests: dict[str, Guest] = {}
    """TR-8: the players who were let in, by name; one person a name."""
    demonstration: bool = False
    """TR-9: whether the floor was founded as a demonstration; nothing changes that later."""
    devices: dict[str, Device] = {}
    doubts: dict[str, DoubtKind] = {}
    """The machines whose clock is not believed."""
    clock_set: int = 0
    """The entry by which two people last confirmed the clock or put the time right."""

    @property
    def head(self) -> Head:
        return Head(self.seq, self.hash)

    @property
    def policies(self) -> Policies:
        if self.config is None:
            raise RuntimeError("the floor has not been founded")
        return self.config.policies

    def member(self, card: str) -> Staff | None:
        """Whose card this is."""
        return next((member for member in self.staff.values() if member.card == card), None)

    def place_of(self, player: str) -> str:
        """The table where somebody of that name sits, or has a hand in the round; empty for none."""
        for name, table in self.tables.items():
            if player in table.seats.values() or any(hand.player == player for hand in table.round.play.hands.values()):
                return name
        return ""

    def link_of(self, table: str) -> LinkState | None:
        """The link that a table plays."""
        state = self.tables.get(table)
        return self.links.get(state.config.link) if state else None


def after(state: FloorState, entry: Entry, hash: str, moves: Iterable[list[Line]] | None = None) -> FloorState:
    """The floor after an entry of the journal; ``moves`` are its events' lines, where they were made already."""
    for event, moves_of_event in zip(entry.events, moves or map(lines, entry.events), strict=True):
        state = evolve(state, event, entry, moves_of_event)
    if entry.day != state.day:
        state = _judged(replace(state, day=entry.day))
    if entry.format < FIRST_CODED:
        state = replace(state, uncoded=Head(entry.seq, hash))
    return replace(state, seq=entry.seq, hash=hash, at=entry.at)


def evolve(state: FloorState, event: tell.Event, entry: Entry, moves: list[Line]) -> FloorState:
    """The floor after one event and the money it moved.

    Money first: marks are taken on what a meter held then.
    """
    if isinstance(event, TableEvent):
        return _table_event(state, event, entry, moves)
    return _manager_event(_moved(state, event, moves), event, entry)


def _moved(state: FloorState, event: tell.AnyManagerEvent, moves: list[Line]) -> FloorState:
    """The meters after the event's money moved."""
    if not moves:
        return state
    links = dict(state.links)
    for name in _links_of(event):
        links[name] = apply_lines(links[name], moves)
    return replace(state, links=links)


def _links_of(event: tell.AnyManagerEvent) -> Iterable[str]:
    if isinstance(event, tell.MeterTransferred):
        return {event.link: 0, event.to_link: 0}
    link = getattr(event, "link", "")
    return (link,) if link else ()


def _table_event(state: FloorState, event: AnyTableEvent | AnyPlayEvent, entry: Entry, moves: list[Line]) -> FloorState:
    tables = {**state.tables, event.table: evolve_table(state.tables[event.table], event, entry.at)}
    link_id = getattr(event, "link", "")
    if not link_id:
        return replace(state, tables=tables)
    link = evolve_link(apply_lines(state.links[link_id], moves), event)
    alarms = state.alarms
    if isinstance(event, WinPaid):
        if event.reseeded:
            link = _meter_changed(link, event.meter, reseeds=_reseeds(link, event.meter, event.win, entry.seq))
        if event.shortfall:
            alarms = (*alarms, _running_dry(link_id, event.meter, event.win, entry))
    if isinstance(event, _ENDS_A_ROUND):
        link = _terms_in_use(link, tables)
    return replace(state, tables=tables, links={**state.links, link_id: link}, alarms=alarms)


def _reseeds(link: LinkState, meter: str, win: int, entry: int) -> dict[int, int]:
    """The wins of all of a meter that still stand: the newest few, since an adjustment seldom goes further back."""
    known = link.meters[meter].reseeds
    return {**dict(list(known.items())[1 - RESEEDS_KEPT :]), win: entry}


def _running_dry(link: str, meter: str, win: int, entry: Entry) -> Alarm:
    """PR-7: a meter could not give all that a fixed award takes."""
    text = f"meter {meter} is running dry: it could not give all of win {win}"
    return Alarm(number=entry.seq, at=entry.at, link=link, text=text)


def _terms_in_use(link: LinkState, tables: dict[str, TableState]) -> LinkState:
    """Without the terms that no round is played under any more."""
    if len(link.terms) == 1:
        return link
    used = {tables[table].round.terms for table in link.tables if tables[table].round.locked}
    return replace(link, terms={number: term for number, term in link.terms.items() if number in {*used, link.version}})


def _meter_changed(link: LinkState, meter: str, **changes: bool | dict[int, int]) -> LinkState:
    return replace(link, meters={**link.meters, meter: replace(link.meters[meter], **changes)})


def _manager_event(state: FloorState, event: tell.AnyManagerEvent, entry: Entry) -> FloorState:
    match event:
        case tell.FloorConfigured():
            founding = state.config is None and event.config.policies.demonstration
            configured = _configured(replace(state, demonstration=state.demonstration or founding), event.config)
            return _judged(replace(configured, day=entry.day, configured=(*state.configured, entry.seq)))
        case tell.MeterOpened():
            return _with_link(state, _meter_changed(state.links[event.link], event.meter, opened=True))
        case tell.WinUndone():
            tables = {
                name: undo_win(table, event.win) if name == event.table else table
                for name, table in state.tables.items()
            }
            undone = {**state.undone, event.win: entry.seq}
            late = {where: win for where, win in state.late.items() if win != event.win}
            changed = _unmarked(replace(state, tables=tables, undone=undone, late=late), event.link, event.meter)
            if not event.meter:
                return changed
            link = changed.links[event.link]
            standing = {win: at for win, at in link.meters[event.meter].reseeds.items() if win != event.win}
            return _with_link(changed, _meter_changed(link, event.meter, reseeds=standing))
        case tell.MeterAdjusted():
            return _unmarked(state, event.link, event.meter)
        case tell.LateWinPaid():
            late = {**state.late, f"{event.table}/{event.round}/{event.spot}": entry.seq}
            changed = _unmarked(replace(state, late=late), event.link, event.meter)
            link = changed.links[event.link]
            if event.reseeded:
                reseeds = _reseeds(link, event.meter, event.win, entry.seq)
                changed = _with_link(changed, _meter_changed(link, event.meter, reseeds=reseeds))
            if event.meter and event.from_house:
                alarm = _running_dry(event.link, event.meter, event.win, entry)
                changed = replace(changed, alarms=(*changed.alarms, alarm))
            return changed
        case tell.MeterTransferred():
            link = _meter_changed(state.links[event.link], event.meter, opened=False, retired=event.retired)
            return _unmarked(_with_link(state, link), event.link, event.meter)
        case tell.AccountEntered():
            account = PrizeAccount(
                balance_cents=event.balance_cents, short=event.short, at=entry.at, reference=event.reference
            )
            changed = replace(state, accounts={**state.accounts, event.link: account})
            why = "its prize account is short" if event.short else ""
            return _with_link(changed, _stopped(changed.links[event.link], "account", why))
        case tell.Suspended():
            return _with_stop(state, event.what, event.id, event.why)
        case tell.Resumed():
            return _with_stop(state, event.what, event.id, "")
        case tell.AlarmSeen():
            return replace(state, alarms=tuple(alarm for alarm in state.alarms if alarm.number != event.alarm))
        case tell.KeyReplaced(purpose="signing"):
            return replace(state, key=event.key)
        case tell.KeyReplaced():
            return replace(state, key_ids={**state.key_ids, event.purpose: event.secret_id})
        case tell.ClockDoubted() | tell.ClockTrusted() | tell.ClockConfirmed() | tell.ClockRepaired():
            return _clock_event(state, event, entry)
        case _:
            return _access_event(state, event, entry)


def _access_event(state: FloorState, event: tell.AnyManagerEvent, entry: Entry) -> FloorState:
    """Who is on the staff, who is signed in, and which devices have a token."""
    match event:
        case tell.StaffEnrolled():
            known = Staff(
                id=event.staff,
                name=event.name,
                role=event.role,
                card=event.card,
                credential=event.credential,
                demonstration=event.demonstration,
                pin_set=event.pin_set,
            )
            # The first people of a floor, and those of a journal from before enrolment codes, are nobody's new member.
            if not event.pin_set and entry.by in state.staff:
                by = tuple(name for name in (entry.by, entry.second) if name)
                executive = next((name for name in by if state.staff[name].role == "executive"), "")
                known = replace(known, enrolled_by=by, enrolled_at=entry.at, vouched_by=executive)
            # Before founding wrote it into the policies, the first manager's card alone told a demonstration.
            demonstration = state.demonstration or (event.demonstration and entry.kind == "found")
            enrolled = replace(state, staff={**state.staff, event.staff: known}, demonstration=demonstration)
            return _signed_out(enrolled, event.staff)
        case tell.StaffDismissed():
            return _signed_out(_with_staff(state, event.staff, active=False), event.staff)
        case tell.PinSet():
            changed = _with_staff(state, event.staff, credential=event.credential, pin_set=True, **_FREE)
            return _signed_out(changed, event.staff)
        case tell.StaffUnlocked():
            return _with_staff(state, event.staff, **_FREE)
        case tell.SignedIn():
            places = _with_place(state.staff[event.staff].opened_from, event.network)
            known_again = _with_staff(state, event.staff, opened_from=places, **_FREE)
            return _signed_in(known_again, event.session, event.staff, entry.at) if event.session else known_again
        case tell.PlayerAdmitted():
            left = {
                code: admission
                for code, admission in state.codes.items()
                if admission.player != event.player and admission.until > entry.at
            }
            code = Code(player=event.player, until=entry.at + CODE_GOOD_FOR)
            guests = {**_guests_here(state, entry.at), event.player: Guest(id=entry.seq, since=entry.at)}
            admitted = replace(state, codes={**left, event.code: code}, guests=guests)
            return _signed_out(admitted, f"{PLAYER}{event.player}")
        case tell.PlayerEntered():
            # With a return code the session before is over: one person, one screen.
            codes = {code: admission for code, admission in state.codes.items() if admission.player != event.player}
            guest = replace(state.guests[event.player], since=entry.at, again=event.again)
            entered = replace(state, codes=codes, guests={**state.guests, event.player: guest})
            who = f"{PLAYER}{event.player}"
            return _signed_in(_signed_out(entered, who), event.session, who, entry.at, guest.id)
        case tell.SignedOut():
            return replace(
                state, signed={key: session for key, session in state.signed.items() if key != event.session}
            )
        case tell.DeviceIssued():
            device = Device(id=event.device, right=event.right, subject=event.subject, token=event.token)
            return replace(state, devices={**state.devices, event.device: device})
        case tell.DeviceRevoked():
            device = replace(state.devices[event.device], active=False)
            return replace(state, devices={**state.devices, event.device: device})
        case tell.AuthorityRefused():
            if not event.failed:
                return state
            member = state.staff[event.staff]
            return _with_staff(
                state,
                event.staff,
                failures=member.failures + 1,
                failed_from=strange_places(member, event.network),
                locked_until=event.locked_until or member.locked_until,
            )
        case _:
            return state


ClockEvent = tell.ClockDoubted | tell.ClockTrusted | tell.ClockConfirmed | tell.ClockRepaired


def _clock_event(state: FloorState, event: ClockEvent, entry: Entry) -> FloorState:
    """Whose clock is not believed, and what follows where two people set the time."""
    match event:
        case tell.ClockDoubted():
            text = f"the clock of {event.where} is not believed: it showed {utc(event.shown)}"
            alarm = Alarm(number=entry.seq, at=entry.at, link="", text=text)
            return replace(state, doubts={**state.doubts, event.where: event.doubt}, alarms=(*state.alarms, alarm))
        case tell.ClockTrusted():
            return replace(
                state, doubts={where: doubt for where, doubt in state.doubts.items() if where != event.where}
            )
        case tell.ClockConfirmed():
            return replace(state, doubts={}, clock_set=entry.seq)
        case tell.ClockRepaired():
            return _repaired(replace(state, doubts={}, clock_set=entry.seq), entry.at)


def _repaired(state: FloorState, now: int) -> FloorState:
    """Without what lasts until, or began at, a moment that the wrong clock showed."""
    longest_lock = now + state.policies.lockout_minutes * 60_000_000
    staff = {
        name: replace(
            member,
            locked_until=member.locked_until if member.locked_until <= longest_lock else 0,
            enrolled_at=min(member.enrolled_at, now),
        )
        for name, member in state.staff.items()
    }
    return replace(
        state,
        staff=staff,
        signed={key: session for key, session in state.signed.items() if session.since <= now},
        codes={key: code for key, code in state.codes.items() if code.until <= now + CODE_GOOD_FOR},
        guests={name: replace(guest, since=min(guest.since, now)) for name, guest in state.guests.items()},
        tables={name: not_after(table, now) for name, table in state.tables.items()},
    )


def _configured(state: FloorState, config: FloorConfig) -> FloorState:
    """PR-3: tables and links as configured; what they hold stays theirs."""
    configured = {table.id for table in config.tables}
    gone = {name: table.round.number for name, table in state.tables.items() if name not in configured}
    rounds = {**state.rounds, **gone}
    tables = {}
    for table in config.tables:
        known = state.tables.get(table.id)
        if known is None:
            tables[table.id] = TableState(config=table, round=Round(number=rounds.pop(table.id, 1)))
        else:
            # A chip on a spot that is there no more is nobody's wager.
            lit = known.round.lit if known.round.locked else tuple(x for x in known.round.lit if x <= table.spots)
            tables[table.id] = replace(known, config=table, round=replace(known.round, lit=lit))
    links = {}
    for one in config.links:
        link = state.links.get(one.id)
        if link is None:
            meters = {name: MeterState() for name in one.terms.meters}
            links[one.id] = LinkState(
                id=one.id, name=one.name, tables=one.tables, version=1, terms={1: one.terms}, meters=meters
            )
            continue
        meters = {**{name: MeterState() for name in one.terms.meters}, **link.meters}
        changed = replace(link, name=one.name, tables=one.tables, meters=meters)
        if one.terms != link.now:
            version = link.version + 1
            changed = replace(changed, version=version, terms={**link.terms, version: one.terms})
        links[one.id] = _terms_in_use(changed, tables)
    return replace(state, config=config, tables=tables, links=links, rounds=rounds)


def _judged(state: FloorState) -> FloorState:
    """FL-9 to FL-11: tables shut, or open again, by what is on file and in force on the day."""
    if state.config is None:
        return state
    why = stops_on(state.config, state.day)
    tables = {
        name: replace(table, stops=_stops(table.stops, "approval", why.get(name, "")))
        for name, table in state.tables.items()
    }
    return replace(state, tables=tables)


def _with_link(state: FloorState, link: LinkState) -> FloorState:
    return replace(state, links={**state.links, link.id: link})


_FREE: Final[dict[str, Any]] = {"failures": 0, "failed_from": (), "locked_until": 0}
"""A card on which no wrong PIN weighs."""


def strange_places(member: Staff, network: str) -> tuple[str, ...]:
    """The places of wrong PINs, with this one; where the card has opened before is none of them."""
    return member.failed_from if network in member.opened_from else _with_place(member.failed_from, network)


def _with_place(places: tuple[str, ...], place: str) -> tuple[str, ...]:
    return (*(other for other in places if other != place), place)[-PLACES_KEPT:]


def _with_staff(state: FloorState, staff: str, **changes: Any) -> FloorState:
    return replace(state, staff={**state.staff, staff: replace(state.staff[staff], **changes)})


def _signed_in(state: FloorState, session: str, who: str, now: int, guest: int = 0) -> FloorState:
    lasting = {key: session for key, session in state.signed.items() if session.since > now - LONGEST_SIGNED_IN}
    return replace(state, signed={**lasting, session: Signed(who=who, since=now, guest=guest)})


def _guests_here(state: FloorState, now: int) -> dict[str, Guest]:
    """Without those who came long ago and have nothing at any table: their names are free."""
    return {
        name: guest
        for name, guest in state.guests.items()
        if guest.since > now - LONGEST_SIGNED_IN or state.place_of(name)
    }


def _signed_out(state: FloorState, who: str) -> FloorState:
    return replace(state, signed={key: session for key, session in state.signed.items() if session.who != who})


def _unmarked(state: FloorState, link: str, meter: str) -> FloorState:
    """No claim is open on a meter that is adjusted: what it held for rounds before means nothing any more."""
    known = state.links[link]
    return _with_link(state, replace(known, marks={name: here for name, here in known.marks.items() if name != meter}))


def _stopped(link: LinkState, kind: str, why: str) -> LinkState:
    return replace(link, stops=_stops(link.stops, kind, why))


def _stops(stops: dict[str, str], kind: str, why: str) -> dict[str, str]:
    left = {name: stop for name, stop in stops.items() if name != kind}
    return {**left, kind: why} if why else left


def _with_stop(state: FloorState, what: str, id: str, why: str) -> FloorState:
    if what == "link":
        return _with_link(state, _stopped(state.links[id], "suspended", why))
    table = state.tables[id]
    return replace(state, tables={**state.tables, id: replace(table, stops=_stops(table.stops, "suspended", why))})


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(FloorState)


def snapshot_of(state: FloorState) -> Snapshot:
    """The state as it is kept, so that a start need not read the whole journal; without its code."""
    return Snapshot(state.seq, state.hash, _ENCODER.encode(state))


class _Written(Struct):
    """What is read of a snapshot before anything else."""

    format: int = 0


def kept_state(store: Store, codes: Codes | None) -> FloorState | None:
    """The state that was saved, if this floor saved it, in this program's words; else None: it is only a cache.

    Without codes nobody can say who wrote it, so it is not used.
    """
    snapshot = store.snapshot() if codes is not None else None
    state = genuine(snapshot, codes) if snapshot is not None and codes is not None else None
    row = store.entry(state.seq) if state is not None else None
    if state is not None and (row is None or row.hash != state.hash):
        log.warning("the saved state is of entry %s, which this journal does not have; it is not used", state.seq)
        return None
    return state


def genuine(snapshot: Snapshot, codes: Codes) -> FloorState | None:
    """The state in a snapshot, if the floor saved it, in this program's words."""
    if not codes.snapshot_fits(snapshot):
        log.warning("the saved state of entry %s does not fit the floor's key; it is not used", snapshot.seq)
        return None
    try:
        if format_of(snapshot) != STATE_FORMAT:
            return None
        state = _DECODER.decode(snapshot.body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    return state if state.head == Head(snapshot.seq, snapshot.hash) else None


def format_of(snapshot: Snapshot) -> int:
    """In which format a snapshot was saved."""
    return msgspec.json.decode(snapshot.body, type=_Written).format


def caught_up(state: FloorState, store: Store, until: int | None = None, codes: Codes | None = None) -> FloorState:
    """The state after the entries that came since; refused at the first that does not follow, or is not the floor's."""
    for row in store.entries(state.seq, until):
        entry = read_next(row, state.head, state.uncoded, state.key_ids, codes)
        try:
            state = after(state, entry, row.hash)
        except Exception as wrong:
            # Chained, and yet nothing that can have happened on this floor: of two journals that were joined, or a bug.
            raise Damaged(
                f"the journal: entry {entry.seq} cannot have happened after entry {state.seq} "
                f"({type(wrong).__name__}: {wrong}); {VERIFY}"
            ) from wrong
    return state


def load_state(store: Store, keys: Keyring | None = None) -> FloorState:
    """The floor as it stands: the saved state where the floor's keys tell it to be genuine, and the entries since.

    Without keys every entry is read, and only their chain is checked.
    """
    codes = Codes(keys) if keys is not None else None
    return checked(caught_up(kept_state(store, codes) or FloorState(), store, codes=codes), keys)


def checked(state: FloorState, keys: Keyring | None) -> FloorState:
    """A loaded state, if the entries without a code are those that the key file knows of."""
    if keys is not None and keys.uncoded is not None and keys.uncoded != state.uncoded:
        last = keys.uncoded.seq
        known = f"after entry {last}, with its hash," if last else "from the first on"
        raise Refusal(
            "journal",
            f"its entries have no code up to {state.uncoded.seq}, but the key file says that those {known} have one; "
            "`houseway journal verify` says what is wrong",
        )
    return state
