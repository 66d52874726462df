"""What stood at a table before a round of text began, as its lines tell: seats, marks of commission, the shoe."""

from __future__ import annotations

from typing import Final

from houseway.table.card_round import events as play
from houseway.table.card_round.settle import options_of
from houseway.table.card_round.state import ShoeState
from houseway.table.config import TableConfig
from houseway.table.notation.record import RoundRecord, known_game

SEATED: Final = (
    *(play.WagerPlaced, play.SeatLeft, play.PlayerSeedAdded, play.CommissionCollected, play.CommissionWrittenOff),
)
"""What only somebody does who sits there."""
PROMISED: Final = "0" * 64
"""In place of a commitment, where the round tells none."""


def first_shoe(record: RoundRecord, config: TableConfig) -> ShoeState | None:
    """The shoe that the round goes on with; none where it begins one, or has a deck of its own."""
    game = known_game(record.game)
    decks = game.copies(options_of(config))
    for shoe in record.of(play.ShoeContinued):
        return ShoeState(
            game=record.game,
            round=shoe.shoe,
            commitment=PROMISED,
            sealed=PROMISED,
            decks=decks,
            cards=decks * len(game.deck),
            out=shoe.first,
        )
    return None


def first_marks(record: RoundRecord) -> dict[int, int]:
    """BA-10: the commission that earlier rounds marked and this one collected, written off, or took off."""
    owed: dict[int, int] = {}
    now: dict[int, int] = {}
    for step in record.steps:
        if isinstance(step, play.CommissionMarked):
            now[step.spot] = now.get(step.spot, 0) + step.cents
        elif isinstance(step, play.CommissionCollected | play.CommissionWrittenOff):
            before = step.cents - now.pop(step.spot, 0)
            if before > 0:
                owed.setdefault(step.spot, before)
    return owed


def first_seats(record: RoundRecord) -> dict[int, str]:
    """Who sat there before the round began: those who bet or left, and whom no line seats before that."""
    seats: dict[int, str] = {}
    seated: set[int] = set()
    for step in record.steps:
        if isinstance(step, play.Seated):
            seated.add(step.spot)
        elif isinstance(step, SEATED) and step.spot not in seated:
            seats.setdefault(step.spot, step.player)
            seated.add(step.spot)
    return seats
