"""Rounds in a few words, for the clause tests of games whose spots answer with ``actions``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from houseway.adjudication import settle_object
from houseway.games import Game, approved_book
from houseway.refusal import Refusal

Answer = dict[str, Any]


class Table:
    """Settles rounds of one game from the approved pay tables."""

    def __init__(self, game: Game, **tables: str) -> None:
        self.game = game
        self.tables = tables

    def settle(self, dealer: str, *spots: Answer, tables: dict[str, str] | None = None, **fields: Any) -> Answer:
        """The answer to a round; ``tables`` replaces some of the table's own."""
        used = {wager for spot in spots for wager in spot["wagers"]}
        needed = self.game.tables_needed([wager for wager in used if self.game.wager(wager) is not None])
        chosen = {wager: name for wager, name in {**self.tables, **(tables or {})}.items() if wager in needed}
        request = {"game": self.game.key, "dealer": dealer, "spots": list(spots), "tables": chosen, **fields}
        return settle_object(request, approved_book())

    def refused(self, dealer: str, *spots: Answer, **fields: Any) -> str:
        """The field that a wrong round is refused for."""
        with pytest.raises(Refusal) as refusal:
            self.settle(dealer, *spots, **fields)
        return refusal.value.field

    def lines(self, clause: str) -> str:
        """What the rule card says of a clause."""
        return " ".join(_lines(self.game, clause))


def _lines(game: Game, clause: str) -> Iterator[str]:
    for section in game.rule_card:
        yield from (line.text for line in section.lines if clause in line.clauses)


def spot(cards: str, *actions: str, number: int = 1, **wagers: int) -> Answer:
    """A spot of a request; without actions it has nothing to decide."""
    asked: Answer = {"spot": number, "cards": cards, "wagers": wagers}
    return {**asked, "actions": list(actions)} if actions else asked


def back(answer: Answer, place: int = 0) -> dict[str, int]:
    """What every wager of a spot gives back, in cents."""
    return {wager: entry["returned"] for wager, entry in answer["spots"][place]["wagers"].items()}


def results(answer: Answer, place: int = 0) -> dict[str, str]:
    return {wager: entry["result"] for wager, entry in answer["spots"][place]["wagers"].items()}


def outcome(answer: Answer, place: int = 0) -> str | None:
    found: str | None = answer["spots"][place]["outcome"]
    return found


def beside(cards: str, *candidates: str) -> str:
    """The first of these hands that shares no card with the others."""
    return next(hand for hand in candidates if not set(hand.split()) & set(cards.split()))


def categories(answer: Answer) -> Sequence[str]:
    return [seat["category"] for seat in answer["spots"]]
