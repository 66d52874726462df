"""The floor as data for people: every link, meter, reserve and table, open claims with what they are due, alarms.

Amounts are cents; a meter shows whole cents, rounded down. Nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from houseway.manager.commands import AnyRole, DeviceRight
from houseway.manager.state import Alarm, FloorState
from houseway.money import dollars
from houseway.progressive.link import LinkState, MeterState, dues, next_prize, queue
from houseway.progressive.terms import cents_of
from houseway.table.card_round.offers import to_verify
from houseway.table.state import TableState


class MeterLine(Struct, frozen=True, kw_only=True):
    """A meter, as everybody may see it."""

    meter: str
    cents: int
    opened: bool
    retired: bool


class MeterBooks(MeterLine, frozen=True, kw_only=True):
    """A meter with what its reserve holds, which is the house's own business."""

    reserve_cents: int


class ClaimLine(Struct, frozen=True, kw_only=True):
    """An open claim."""

    table: str
    round: int
    spot: int
    hand: str
    meter: str
    """Empty for an award from the tray."""
    turn: int
    """PR-32: its place among the claims on its meter; 1 when it may be confirmed."""
    due_cents: int
    named_by: str
    at_j_pot: bool
    """PR-16: whether its amount is fixed and only RUN is missing."""


class PendingLine(Struct, frozen=True, kw_only=True):
    """PR-33: an award that waits to be confirmed, as everybody may see it."""

    meter: str
    table: str
    cents: int


class LinkLine(Struct, frozen=True, kw_only=True):
    """A link with its meters and open claims."""

    id: str
    name: str
    tables: tuple[str, ...]
    pay_table: str
    wager_cents: int
    meters: tuple[MeterBooks, ...]
    claims: tuple[ClaimLine, ...]
    stops: tuple[str, ...]
    """Why nothing is locked in on it now."""


class WinLine(Struct, frozen=True, kw_only=True):
    """A confirmed win of the present round."""

    win: int
    spot: int
    hand: str
    cents: int
    paid: bool


class TableLine(Struct, frozen=True, kw_only=True):
    """A table at a glance."""

    id: str
    game: str
    kind: str
    console: str
    link: str
    round: int
    locked: bool
    lit: tuple[int, ...]
    waiting: tuple[int, ...]
    wins: tuple[WinLine, ...]
    called_at: int
    """PR-29: when a supervisor was called and has not come, 0 for not."""
    malfunction: str
    stops: tuple[str, ...]


class StaffLine(Struct, frozen=True, kw_only=True):
    id: str
    name: str
    role: AnyRole
    active: bool


class AlarmLine(Struct, frozen=True, kw_only=True):
    alarm: int
    at: int
    link: str
    text: str


class FloorView(Struct, frozen=True, kw_only=True):
    """What stands where, as of the last durable entry."""

    entry: int
    at: int
    links: tuple[LinkLine, ...]
    tables: tuple[TableLine, ...]
    alarms: tuple[AlarmLine, ...]
    staff: tuple[StaffLine, ...]


class Need(Struct, frozen=True, kw_only=True):
    """Something on the floor that waits for a person."""

    what: str
    """In a word: claim, verify, malfunction, alarm, stop, meter."""
    table: str
    link: str
    since: int
    """When it began, 0 where that is not known."""
    text: str


class DeviceLine(Struct, frozen=True, kw_only=True):
    id: str
    right: DeviceRight
    subject: str
    active: bool


def floor_view(state: FloorState) -> FloorView:
    """The whole floor."""
    return FloorView(
        entry=state.seq,
        at=state.at,
        links=tuple(link_line(link) for link in state.links.values()),
        tables=tuple(table_line(table) for table in state.tables.values()),
        alarms=tuple(alarm_line(alarm) for alarm in state.alarms),
        staff=tuple(staff_lines(state)),
    )


def alarm_line(alarm: Alarm) -> AlarmLine:
    return AlarmLine(alarm=alarm.number, at=alarm.at, link=alarm.link, text=alarm.text)


def staff_lines(state: FloorState) -> Iterator[StaffLine]:
    for member in state.staff.values():
        yield StaffLine(id=member.id, name=member.name, role=member.role, active=member.active)


def device_lines(state: FloorState) -> Iterator[DeviceLine]:
    for device in state.devices.values():
        yield DeviceLine(id=device.id, right=device.right, subject=device.subject, active=device.active)


def table_line(table: TableState) -> TableLine:
    """One table at a glance."""
    here = table.round
    return TableLine(
        id=table.id,
        game=table.config.game,
        kind=table.config.kind,
        console=table.config.console,
        link=table.config.link,
        round=here.number,
        locked=here.locked,
        lit=here.lit,
        waiting=here.waiting,
        wins=tuple(
            WinLine(win=win.number, spot=win.spot, hand=win.hand, cents=win.cents, paid=win.paid)
            for win in here.wins
            if win.stands
        ),
        called_at=here.called_at if not here.arrived_at else 0,
        malfunction=table.malfunction,
        stops=tuple(table.stops.values()),
    )


def meter_line(name: str, meter: MeterState) -> MeterLine:
    return MeterLine(meter=name, cents=meter.shown_cents, opened=meter.opened, retired=meter.retired)


def link_line(link: LinkState) -> LinkLine:
    """One link with its claims."""
    amounts = dues(link)
    turn = {
        (claim.table, claim.spot): place
        for meter in link.meters
        for place, claim in enumerate(queue(link, meter), start=1)
    }
    return LinkLine(
        id=link.id,
        name=link.name,
        tables=link.tables,
        pay_table=link.now.table.id,
        wager_cents=link.now.wager_cents,
        meters=tuple(
            MeterBooks(
                meter=name,
                cents=meter.shown_cents,
                opened=meter.opened,
                retired=meter.retired,
                reserve_cents=cents_of(meter.reserve),
            )
            for name, meter in link.meters.items()
        ),
        claims=tuple(
            ClaimLine(
                table=claim.table,
                round=claim.round,
                spot=claim.spot,
                hand=claim.hand,
                meter=claim.meter,
                turn=turn.get((claim.table, claim.spot), 1),
                due_cents=amounts[claim.table, claim.spot].cents,
                named_by=claim.named_by,
                at_j_pot=claim.fixed is not None,
            )
            for claim in link.claims
        ),
        stops=tuple(link.stops.values()),
    )


def pending_lines(link: LinkState) -> Iterator[PendingLine]:
    """PR-33: what is pending on each meter, and at which table."""
    amounts = dues(link)
    for meter in link.meters:
        for claim in queue(link, meter):
            due = amounts[claim.table, claim.spot]
            yield PendingLine(meter=meter, table=claim.table, cents=due.cents)


def next_prizes(link: LinkState) -> dict[str, int]:
    """PR-33: for each meter with an open claim, what the next prize has so far, in cents."""
    claimed = {claim.meter for claim in link.claims if claim.meter}
    return {meter: cents_of(next_prize(link, meter)) for meter in link.meters if meter in claimed}


def needs(state: FloorState) -> list[Need]:
    """What waits for a person: claims and calls first, then what is broken, then what is shut."""
    found: list[Need] = []
    for link in state.links.values():
        for claim in link.claims:
            called = state.tables[claim.table].round.called_at
            words = f"spot {claim.spot}: {claim.hand.replace('_', ' ')} waits to be confirmed"
            found.append(Need(what="claim", table=claim.table, link=link.id, since=called, text=words))
    for table in state.tables.values():
        for offer in to_verify(table, state.policies):
            wager = offer.wager.replace("_", " ")
            words = f"spot {offer.spot}: surveillance must verify the {wager} win of {dollars(offer.cents)}"
            found.append(Need(what="verify", table=table.id, link="", since=0, text=words))
        if table.malfunction:
            found.append(Need(what="malfunction", table=table.id, link="", since=0, text=table.malfunction))
    for alarm in state.alarms:
        found.append(Need(what="alarm", table="", link=alarm.link, since=alarm.at, text=alarm.text))
    for table in state.tables.values():
        for why in table.stops.values():
            found.append(Need(what="stop", table=table.id, link="", since=0, text=why))
    for link in state.links.values():
        for why in link.stops.values():
            found.append(Need(what="stop", table="", link=link.id, since=0, text=why))
        for name, meter in link.meters.items():
            if not meter.opened and not meter.retired and name in link.now.meters:
                text = f"meter {name} has not been opened; a manager seeds it"
                found.append(Need(what="meter", table="", link=link.id, since=0, text=text))
    return found
