"""What a viewer is shown of a table, a link, the floor and the Game Manager: the subjects of answers and streams."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, get_args

from msgspec.structs import replace

from houseway.api.floor import ClockLine, FloorDoc, LinkDoc, ManagerDoc, OrderRight, TableDoc
from houseway.books.view import (
    alarm_line,
    device_lines,
    link_line,
    meter_line,
    needs,
    next_prizes,
    pending_lines,
    table_line,
)
from houseway.manager.clock import Reading
from houseway.manager.commands import PlainCommand
from houseway.manager.floor import Floor
from houseway.manager.permissions import PERMISSIONS, PLAYERS_MAY
from houseway.manager.state import FloorState
from houseway.table.card_round import offers, step_offer
from houseway.table.card_round.cards import opened
from houseway.table.card_round.decide import Felt
from houseway.table.card_round.next_press import next_press
from houseway.table.card_round.view import view as play_view
from houseway.table.progressive_round.commands import TableCommand
from houseway.table.progressive_round.decide import Context
from houseway.table.progressive_round.view import Press, table_view
from houseway.web.claims import claim_docs
from houseway.web.problem import Problem
from houseway.web.who import Principal

_PRESSES_FOR: Final = frozenset({"dealer", "supervisor", "executive"})
_AT_TABLES: Final = tuple(
    str(command.__struct_config__.tag) for command in get_args(PlainCommand) if issubclass(command, TableCommand)
)


def table_doc(state: FloorState, name: str, viewer: Principal, floor: Floor) -> TableDoc:
    """A table as a viewer may see it; refused where there is none of that name, or it is not his to see."""
    table = state.tables.get(name)
    if table is None:
        raise Problem(404, "no-table", f"there is no table {name!r}; the floor has {', '.join(state.tables)}", "table")
    if viewer.kind == "device" and viewer.subject != name:
        raise Problem(403, "not-allowed", f"this device's token is for {viewer.subject}", "table")
    link = state.links.get(table.config.link)
    now = max(state.at, floor.clock.now)
    context = Context(state.seq + 1, now, "", "", state.day, state.policies, demonstration=state.demonstration)
    felt = Felt(opened(table, floor.shoe), link, context, None)
    sees_cards = table.config.kind != "progressive"
    pressing = viewer.reader in _PRESSES_FOR
    progressive = table_view(felt.desk, presses=pressing and not sees_cards) if felt.desk is not None else None
    presses: tuple[Press, ...] = ()
    if pressing:
        presses = tuple(offers.presses(felt)) if sees_cards else progressive.presses if progressive else ()
    if progressive is not None:
        progressive = replace(progressive, presses=())
    if progressive is not None:
        if not pressing:
            progressive = replace(progressive, unnamed=(), called_at=0, arrived_at=0)
        if viewer.kind != "staff":
            claims = tuple(replace(one, named_by="") for one in progressive.claims)
            progressive = replace(progressive, claims=claims)
        if sees_cards and not felt.play.revealed:
            progressive = replace(progressive, unnamed=(), face_up=())
    may = _may(viewer, virtual=felt.is_virtual)
    return TableDoc(
        entry=state.seq,
        table=name,
        game=table.config.game,
        kind=table.config.kind,
        console=table.config.console,
        spots=table.config.spots,
        link=table.config.link,
        currency=state.policies.currency,
        demonstration=state.demonstration,
        advice=state.policies.advice and felt.is_virtual,
        wagers=tuple(offers.wagers(felt)) if sees_cards else (),
        actions=tuple(offers.actions(felt, viewer.who)) if sees_cards else (),
        totals=tuple(offers.totals(felt, viewer.who)) if sees_cards else (),
        step=step_offer.step(felt) if sees_cards and viewer.kind == "staff" else None,
        hands=_hands(felt),
        presses=presses,
        next_press=next_press(felt, viewer.who, may, presses, progressive) if pressing else None,
        may=may,
        takes_second=tuple(tag for tag in _AT_TABLES if PERMISSIONS[tag].takes_second(table))
        if viewer.kind == "staff"
        else (),
        claims=tuple(claim_docs(state, table)) if viewer.kind == "staff" else (),
        to_verify=tuple(offers.to_verify(table, state.policies)) if viewer.kind == "staff" else (),
        malfunction=table.malfunction if viewer.kind == "staff" else "",
        repair=tuple(offers.repair(felt)) if viewer.kind == "staff" else (),
        stops=(*table.stops.values(), *(link.stops.values() if link else ())),
        progressive=progressive,
        play=play_view(felt, viewer.who) if sees_cards else None,
    )


def _may(viewer: Principal, *, virtual: bool) -> tuple[str, ...]:
    if viewer.kind == "player":
        return tuple(sorted(PLAYERS_MAY))
    if viewer.kind != "staff":
        return ()
    # TR-8: at a virtual table the players sit down, bet and decide; of the cards of a demonstration a dealer has one.
    own = PLAYERS_MAY - {"stand_up", "stack_deck"} if virtual else frozenset()
    return tuple(tag for tag in _AT_TABLES if viewer.reader in PERMISSIONS[tag].roles and tag not in own)


def _hands(felt: Felt) -> tuple[str, ...]:
    if felt.link is None:
        return ()
    terms = felt.desk.terms if felt.desk is not None and felt.round.locked else felt.link.now
    return tuple(row.hand for row in terms.table.rows)


def link_doc(state: FloorState, name: str, viewer: Principal) -> LinkDoc:
    """A link as a viewer may see it."""
    link = state.links.get(name)
    if link is None:
        raise Problem(404, "no-link", f"there is no link {name!r}; the floor has {', '.join(state.links)}", "link")
    if viewer.reader == "display" and viewer.subject != name:
        raise Problem(403, "not-allowed", f"this device's token is for {viewer.subject}", "link")
    if viewer.reader == "sensor" and viewer.subject not in link.tables:
        raise Problem(403, "not-allowed", f"this device's token is for {viewer.subject}", "link")
    line = link_line(link) if viewer.kind == "staff" else None
    return LinkDoc(
        entry=state.seq,
        link=name,
        name=link.name,
        currency=state.policies.currency,
        tables=link.tables,
        wager_cents=link.now.wager_cents,
        pay_table=link.now.table.id,
        meters=tuple(meter_line(meter, held) for meter, held in link.meters.items()),
        pending=tuple(pending_lines(link)),
        next_cents=next_prizes(link),
        stops=tuple(link.stops.values()),
        claims=line.claims if line else (),
    )


def floor_doc(state: FloorState, viewer: Principal) -> FloorDoc:
    """The floor as a viewer may see it."""
    return FloorDoc(
        entry=state.seq,
        at=state.at,
        site=state.policies.site,
        currency=state.policies.currency,
        needs=tuple(needs(state)),
        tables=tuple(table_line(table) for table in state.tables.values()),
        links=tuple(link_doc(state, name, viewer) for name in state.links),
    )


def manager_doc(state: FloorState, clock: Reading) -> ManagerDoc:
    """The Game Manager's view."""
    return ManagerDoc(
        entry=state.seq,
        at=state.at,
        currency=state.policies.currency,
        links=tuple(link_line(link) for link in state.links.values()),
        alarms=tuple(alarm_line(one) for one in state.alarms),
        accounts=state.accounts,
        devices=tuple(device_lines(state)),
        signed_in=len({one.who for one in state.signed.values()}),
        configured=state.configured[-1],
        terms={name: link.now.meters for name, link in state.links.items()},
        suspended=tuple(_suspended(state)),
        clock=ClockLine(now=clock.now, shows=clock.wall, doubt=clock.words, stops=clock.stops, behind=clock.is_behind),
        rights=_RIGHTS,
    )


def _suspended(state: FloorState) -> Iterator[str]:
    for name, table in state.tables.items():
        if "suspended" in table.stops:
            yield f"table/{name}"
    for name, link in state.links.items():
        if "suspended" in link.stops:
            yield f"link/{name}"


_RIGHTS: Final = {
    tag: OrderRight(roles=tuple(sorted(right.roles)), seconds=tuple(sorted(right.seconds)))
    for tag, right in PERMISSIONS.items()
    if tag not in _AT_TABLES
}
