"""The floor as data for people: every link, meter, reserve and table, open claims with what they are due, alarms."""

from __future__ import annotations

from typing import Any

from houseway.manager.state import FloorState
from houseway.progressive.link import LinkState, dues, queue
from houseway.progressive.terms import cents_of


def floor_view(state: FloorState) -> dict[str, Any]:
    """What stands where, as of the last durable entry. Amounts are cents; a meter shows whole cents, rounded down."""
    return {
        "entry": state.seq,
        "at": state.at,
        "links": [_link(link) for link in state.links.values()],
        "tables": [
            {
                "id": table.id,
                "game": table.config.game,
                "console": table.config.console,
                "link": table.config.link,
                "round": table.round.number,
                "locked": table.round.locked,
                "lit": table.round.lit,
                "waiting": table.round.waiting,
                "wins": [
                    {"win": win.number, "spot": win.spot, "hand": win.hand, "cents": win.cents, "paid": win.paid}
                    for win in table.round.wins
                    if win.stands
                ],
                "stops": list(table.stops.values()),
            }
            for table in state.tables.values()
        ],
        "alarms": [{"alarm": one.number, "at": one.at, "link": one.link, "text": one.text} for one in state.alarms],
        "staff": [
            {"id": one.id, "name": one.name, "role": one.role, "active": one.active} for one in state.staff.values()
        ],
    }


def _link(link: LinkState) -> dict[str, Any]:
    amounts = dues(link)
    turn = {
        (claim.table, claim.spot): place
        for meter in link.meters
        for place, claim in enumerate(queue(link, meter), start=1)
    }
    return {
        "id": link.id,
        "name": link.name,
        "tables": link.tables,
        "pay_table": link.now.table.id,
        "wager_cents": link.now.wager_cents,
        "meters": [
            {
                "meter": name,
                "cents": meter.shown_cents,
                "reserve_cents": cents_of(meter.reserve),
                "opened": meter.opened,
                "retired": meter.retired,
            }
            for name, meter in link.meters.items()
        ],
        "claims": [
            {
                "table": claim.table,
                "round": claim.round,
                "spot": claim.spot,
                "hand": claim.hand,
                "meter": claim.meter,
                "turn": turn.get((claim.table, claim.spot), 1),
                "due_cents": amounts[claim.table, claim.spot].cents,
                "named_by": claim.named_by,
                "at_j_pot": claim.fixed is not None,
            }
            for claim in link.claims
        ],
        "stops": list(link.stops.values()),
    }
