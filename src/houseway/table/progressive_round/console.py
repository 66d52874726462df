"""The words of the two console generations: one machine, two vocabularies."""

from __future__ import annotations

from typing import NamedTuple

from houseway.table.config import Console


class Words(NamedTuple):
    """What one generation calls the steps of a round."""

    lock_in: str
    name_win: str
    record: str
    close: str


WORDS: dict[Console, Words] = {
    "keypad": Words(
        lock_in="COIN IN",
        name_win="the hand button",
        record="the supervisor's key to JPH, J-POT, then the key back to RUN",
        close="GAME OVER",
    ),
    "touch": Words(
        lock_in="START GAME",
        name_win="the player spot, then the hand button",
        record="CONFIRM, then a Supervisor or Executive card",
        close="END GAME",
    ),
}
