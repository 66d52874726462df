"""BA-10: commission that is marked at a spot when a win is paid in full, and collected when the player leaves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from houseway.table.card_round import events as tell
from houseway.table.state import TableState


def mark(table: TableState, spot: int, wagers: Iterable[str]) -> Iterator[tell.CommissionMarked]:
    """The mark for wagers that are paid now; none for a player who left, who is paid after commission."""
    hand = table.round.play.hands[spot]
    cents = sum(hand.lines[wager].commission for wager in wagers)
    if cents and not hand.left:
        yield tell.CommissionMarked(**_where(table), spot=spot, player=hand.player, cents=cents)


def collect(table: TableState, spots: Iterable[int]) -> Iterator[tell.CommissionCollected]:
    """What the players at these spots pay, where something is marked."""
    for spot in spots:
        if spot in table.commission:
            yield tell.CommissionCollected(
                **_where(table), spot=spot, player=table.seats[spot], cents=table.commission[spot]
            )


def unmark(table: TableState) -> Iterator[tell.CommissionUnmarked]:
    """FL-12: the marks that go with a void round; what was collected already is in the money that goes back."""
    for spot, hand in sorted(table.round.play.hands.items()):
        cents = min(hand.marked, table.commission.get(spot, 0))
        if cents:
            yield tell.CommissionUnmarked(**_where(table), spot=spot, player=hand.player, cents=cents)


def evolve_commission(owed: dict[int, int], event: Any) -> dict[int, int]:
    """What is marked at each spot after an event."""
    match event:
        case tell.CommissionMarked():
            return {**owed, event.spot: owed.get(event.spot, 0) + event.cents}
        case tell.CommissionCollected() | tell.CommissionWrittenOff() | tell.CommissionUnmarked():
            left = owed[event.spot] - event.cents
            others = {spot: cents for spot, cents in owed.items() if spot != event.spot}
            return {**others, event.spot: left} if left else others
        case _:
            return owed


def _where(table: TableState) -> dict[str, Any]:
    return {"table": table.id, "round": table.round.number}
