"""Rounds of games with a shared board, as requests: for the clause tests of those games."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.adjudication import settle_object
from houseway.games import approved_book
from houseway.games.model import Game
from houseway.refusal import Refusal
from houseway.table.card_round.agenda import steps
from houseway.table.card_round.state import Hand, Line

Answer = dict[str, Any]


class Table:
    """Settles rounds of one game; every wager is 1,000 cents unless a test says otherwise."""

    def __init__(self, game: Game, tables: dict[str, str], required: tuple[str, ...]) -> None:
        self.game = game
        self.tables = tables
        self.required = required

    def hand(self, cards: str, *actions: str, spot: int = 1, stake: int = 1_000, **side: int) -> dict[str, Any]:
        """A spot with the required wagers and these beside them."""
        wagers = {**dict.fromkeys(self.required, stake), **side}
        return {"spot": spot, "cards": cards, "wagers": wagers, "actions": list(actions)}

    def settle(self, board: str, *spots: dict[str, Any], dealer: str = "", **fields: Any) -> Answer:
        request = {"game": self.game.key, "tables": self.tables, "board": board, "spots": list(spots), **fields}
        if dealer:
            request["dealer"] = dealer
        return settle_object(request, approved_book())

    def refused(self, board: str, *spots: dict[str, Any], dealer: str = "", **fields: Any) -> str:
        """The field that a wrong request is refused for."""
        with pytest.raises(Refusal) as refusal:
            self.settle(board, *spots, dealer=dealer, **fields)
        return refusal.value.field

    def order(self, *wagers: str) -> list[tuple[int, tuple[str, ...]]]:
        """In which order two spots with these wagers are settled."""
        lines = {wager: Line(result="lose", wagered=100, returned=0, why="") for wager in wagers}
        hands = {spot: Hand(player="ada", wagers=dict.fromkeys(wagers, 100), lines=lines) for spot in (1, 2)}
        return [(step.spot, step.wagers) for step in steps(self.game, hands, self.game.defaults, None)]


def back(answer: Answer, place: int = 0) -> dict[str, int]:
    """What every wager of a spot gives back, in cents."""
    return {wager: entry["returned"] for wager, entry in answer["spots"][place]["wagers"].items()}


def results(answer: Answer, place: int = 0) -> dict[str, str]:
    return {wager: entry["result"] for wager, entry in answer["spots"][place]["wagers"].items()}
