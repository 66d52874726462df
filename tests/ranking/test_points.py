"""Baccarat's points: every hand of two and of three cards, through both doors, against a second opinion."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest

from houseway.cards import NO_CARD, text_of
from houseway.ranking import arrays
from houseway.ranking.points import NO_THIRD, POINTS, SINGLE_CARD, THIRD_CARD, TWO_CARD_POINTS
from houseway.refusal import Refusal

WORTH = {letter: index for index, letter in enumerate("0A23456789")} | dict.fromkeys("TJQK", 0)
"""The second opinion reads the card as it is written."""


def second_opinion(*cards: int) -> int:
    return int(str(sum(WORTH[text[0]] for text in text_of(cards).split()))[-1])


@pytest.mark.clause("BA-1")
def test_every_hand_of_two_and_three_cards_is_worth_the_last_digit_of_its_sum() -> None:
    deck = range(52)
    two = list(product(deck, repeat=2))
    assert [TWO_CARD_POINTS.value(*hand) for hand in two] == [second_opinion(*hand) for hand in two]
    assert [POINTS.value(*hand, NO_CARD) for hand in two] == [second_opinion(*hand) for hand in two]
    columns = [column.ravel().astype(np.uint8) for column in np.meshgrid(deck, deck, deck, indexing="ij")]
    values = arrays.points(*columns)
    # A hand of three: by its points, 52 * 52 * 52 hands. Four kinds of card count nothing, nine one to nine.
    ways = Counter({worth: 1 if worth else 4 for worth in range(10)})
    expected = Counter[int]()
    for hand in product(range(10), repeat=3):
        expected[sum(hand) % 10] += 64 * ways[hand[0]] * ways[hand[1]] * ways[hand[2]]
    assert Counter(values.tolist()) == expected
    every = list(range(0, 52**3, 97))
    assert [POINTS.value(*(int(column[place]) for column in columns)) for place in every] == values[every].tolist()


def test_a_third_card_and_a_single_card_may_be_missing() -> None:
    assert [THIRD_CARD.value(card) for card in (NO_CARD, 12, 6, 8)] == [NO_THIRD, 1, 8, 0]
    assert [SINGLE_CARD.value(card) for card in (NO_CARD, 12, 13)] == [0, 14, 2]
    assert SINGLE_CARD.name(14) == "ace"


@pytest.mark.parametrize("cards", [(-1, 3, 4), (3, -1, 4), (3, 4, -2), (3, 4, 52), (3, 4, True)])
def test_a_wrong_card_is_refused(cards: tuple[int, ...]) -> None:
    with pytest.raises(Refusal):
        POINTS.value(*cards)


def test_the_same_card_may_come_from_two_decks() -> None:
    assert (POINTS.value(7, 7, 7), TWO_CARD_POINTS.value(7, 7)) == (7, 8)
