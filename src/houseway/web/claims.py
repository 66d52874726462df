"""An open claim with everything a supervisor has to know of it before he confirms it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from houseway.manager.state import FloorState
from houseway.progressive.link import Claim, Due, LinkState, dues, queue
from houseway.table.decide import needs_tax_form
from houseway.table.state import TableState

Before = Literal["j_pot", "round", "named", "order"]


class WaitsFor(Struct, frozen=True, kw_only=True):
    """PR-17, PR-32: a claim that must be confirmed or dropped first, and why."""

    table: str
    round: int
    spot: int
    hand: str
    why: Before
    """It stands between J-POT and RUN; its round claimed the meter before; it was named before the first win of the
    round was confirmed; or the round's award order puts it first."""


class ClaimDoc(Struct, frozen=True, kw_only=True):
    """An open claim. Amounts are cents."""

    link: str
    link_name: str
    table: str
    round: int
    spot: int
    hand: str
    hand_words: str
    pay_table: str
    percent: int
    """The share of the meter that its row of the pay table pays; 0 for a fixed award."""
    fixed_cents: int
    wager_cents: int
    meter: str
    """Empty for an award from the tray."""
    held_cents: int
    """What the meter holds for this claim."""
    due_cents: int
    from_meter_cents: int
    from_tray_cents: int
    """Without the shortfall."""
    shortfall_cents: int
    """PR-7: what the meter cannot give, and the house pays."""
    turn: int
    """PR-32: its place among all claims on its meter; 1 when it may be confirmed."""
    waits_for: tuple[WaitsFor, ...]
    """Those before it, in the order in which they must be confirmed."""
    award_order: Literal["right_to_left", "left_to_right", "list"]
    """PR-17: in which order the winners of its round are paid."""
    award_order_spots: tuple[int, ...]
    award_order_reference: str
    """The internal control that orders otherwise than the rules."""
    named_by: str
    named_by_name: str
    named_at: int
    next_press: Literal["confirm", "j_pot", "run"]
    """PR-16: how its table's console records it: in one step, or in two."""
    executive: bool
    """PR-15: whether it takes an Executive card."""
    executive_from_cents: int
    surveillance: bool
    """FL-18: whether surveillance must verify it before its round closes."""
    tax_form: bool


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
        executive=touch and due.cents >= policies.executive_from_cents,
        executive_from_cents=policies.executive_from_cents,
        surveillance=policies.washington and due.cents > policies.surveillance_over_cents,
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
