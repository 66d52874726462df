"""An open claim with everything a supervisor has to know of it before he confirms it."""

from __future__ import annotations

from collections.abc import Iterator

from houseway.api.floor import Before, ClaimDoc, WaitsFor
from houseway.manager.state import FloorState
from houseway.progressive.link import Claim, Due, LinkState, dues, queue
from houseway.table.progressive_round.decide import needs_executive, needs_tax_form
from houseway.table.state import TableState


def claim_docs(state: FloorState, table: TableState) -> Iterator[ClaimDoc]:
    """The open claims of a table; those on one meter in the order in which they must be confirmed."""
    link = state.links.get(table.config.link)
    if link is None:
        return
    amounts = dues(link)
    waiting = {claim.spot: _before(link, claim) for claim in link.claims_at(table.id)}
    for claim in sorted(link.claims_at(table.id), key=lambda one: (len(waiting[one.spot]), one.place)):
        yield _doc(state, table, link, claim, amounts[claim.table, claim.spot], waiting[claim.spot])


def _doc(
    state: FloorState, table: TableState, link: LinkState, claim: Claim, due: Due, before: tuple[WaitsFor, ...]
) -> ClaimDoc:
    policies, terms = state.policies, link.terms[table.round.terms]
    order = table.config.options.get("award_order", "right_to_left")
    listed = () if isinstance(order, str) else tuple(order)
    named = state.staff.get(claim.named_by)
    touch = table.config.console == "touch"
    return ClaimDoc(
        link=link.id,
        link_name=link.name,
        table=table.id,
        round=claim.round,
        spot=claim.spot,
        hand=claim.hand,
        hand_words=f"{terms.table.by} {claim.hand.replace('_', ' ')}".lstrip(),
        pay_table=terms.table.label,
        percent=claim.percent,
        fixed_cents=claim.fixed_cents,
        wager_cents=table.round.wager_cents,
        meter=claim.meter,
        held_cents=due.held_cents,
        due_cents=due.cents,
        from_meter_cents=due.from_meter_cents,
        from_tray_cents=due.from_tray_cents - due.shortfall_cents,
        shortfall_cents=due.shortfall_cents,
        turn=len(before) + 1,
        waits_for=before,
        award_order="list" if listed else order,
        award_order_spots=listed,
        award_order_reference=table.config.award_order_reference,
        named_by=claim.named_by,
        named_by_name=named.name if named else claim.named_by,
        named_at=claim.named_at,
        next_press="confirm" if touch else "run" if claim.fixed is not None else "j_pot",
        executive=needs_executive(policies, claim, due.cents),
        executive_from_cents=policies.executive_from_cents,
        surveillance=policies.needs_surveillance(due.cents),
        tax_form=needs_tax_form(policies, due.cents, table.round.wager_cents, state.day),
    )


def _before(link: LinkState, claim: Claim) -> tuple[WaitsFor, ...]:
    """Everything that stands before a claim on its meter; an award from the tray waits for nothing."""
    found: list[WaitsFor] = []
    for other in queue(link, claim.meter) if claim.meter else ():
        if (other.table, other.spot) == (claim.table, claim.spot):
            break
        found.append(
            WaitsFor(table=other.table, round=other.round, spot=other.spot, hand=other.hand, why=_why(other, claim))
        )
    return tuple(found)


def _why(other: Claim, claim: Claim) -> Before:
    if other.fixed is not None:
        return "j_pot"
    if not other.is_at(claim.table, claim.round):
        return "round"
    return "named" if bool(other.rank) != bool(claim.rank) else "order"
