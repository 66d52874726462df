"""The rule card as a document: every game's, and one with a board and streets."""

from __future__ import annotations

import msgspec
import pytest
from tests.board_kit import GAME

from houseway.games import all_games
from houseway.games.card import RuleCard, RulePoint, RuleStreet, rule_card


@pytest.mark.parametrize("key", all_games())
def test_it_can_be_written_and_read_again(key: str) -> None:
    card = rule_card(all_games()[key])
    assert msgspec.json.decode(msgspec.json.encode(card), type=RuleCard) == card
    assert card.short_title


def test_streets_and_decisions_are_in_their_order() -> None:
    card = rule_card(GAME)
    assert (card.player_cards, card.dealer_cards, card.board_cards) == (2, 2, 5)
    names = [step.name if isinstance(step, RuleStreet) else step.point for step in card.flow]
    assert names == ["preflop", "Flop", "flop", "Turn and river", "river"]
    first = card.flow[0]
    assert isinstance(first, RulePoint)
    assert first.name == "Before the flop"
    assert [(choice.choice, choice.conditional) for choice in first.choices] == [
        ("check", False),
        ("3x", False),
        ("4x", True),
    ]
    assert [(stake.wager, stake.of, stake.times) for stake in first.choices[2].stakes] == [("play", "ante", 4)]
