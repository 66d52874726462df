"""Baccarat's points (BA-1): aces count 1, tens and faces 0, others their number; a hand is worth the last digit.

A third card that is not there is -1 and counts nothing; the value of a hand says nothing of how many cards it has.
"""

from __future__ import annotations

from typing import Final

from houseway.cards import ACE, RANK_NAMES, TEN, rank_of
from houseway.ranking.door import refuse_hand
from houseway.ranking.ranking import Ranking
from houseway.rule import rule

DECK: Final = 52
NO_THIRD: Final = 10
"""What stands for the points of a card that was not drawn."""


@rule
def card_points(card: int) -> int:
    """What one card counts."""
    rank = rank_of(card)
    if rank == ACE:
        return 1
    return 0 if rank >= TEN else rank


@rule
def points_of_two(card: int, other: int) -> int:
    """What two cards are worth."""
    return (card_points(card) + card_points(other)) % 10


@rule
def points_of_hand(card: int, other: int, third: int) -> int:
    """What two or three cards are worth; the third is -1 where none was drawn."""
    if third < 0:
        return points_of_two(card, other)
    return (card_points(card) + card_points(other) + card_points(third)) % 10


@rule
def third_points(third: int) -> int:
    """What a third card counts, or NO_THIRD."""
    return NO_THIRD if third < 0 else card_points(third)


@rule
def rank_or_nothing(card: int) -> int:
    """The rank of a card; 0 where none was dealt."""
    return 0 if card < 0 else rank_of(card)


def _check(cards: tuple[int, ...], count: int, empty: int) -> None:
    """Refuse what is no hand; the same card may be there more than once. The last ``empty`` places may be -1."""
    for place, card in enumerate(cards):
        least = -1 if place >= count - empty else 0
        if type(card) is not int or not least <= card < DECK:
            refuse_hand(cards, count, DECK)


def two_value(card: int, other: int) -> int:
    """What two cards are worth. A wrong card is refused; one that is there twice is not."""
    _check((card, other), 2, 0)
    return points_of_two(card, other)


def hand_value(card: int, other: int, third: int) -> int:
    """What two or three cards are worth. A wrong card is refused; one that is there twice is not."""
    _check((card, other, third), 3, 1)
    return points_of_hand(card, other, third)


def third_value(third: int) -> int:
    """What a third card counts. A wrong card is refused."""
    _check((third,), 1, 1)
    return third_points(third)


def rank_value(card: int) -> int:
    """The rank of a card; 0 where none was dealt. A wrong card is refused."""
    _check((card,), 1, 1)
    return rank_or_nothing(card)


def rank_name(rank: int) -> str:
    """A rank in words; nothing where no card was dealt."""
    return RANK_NAMES[rank]


def no_category(_value: int) -> None:
    """Points and single cards have no category."""
    return


TWO_CARD_POINTS: Final = Ranking(
    "two_card_points", 2, two_value, points_of_two, category=no_category, suits_matter=False
)
POINTS: Final = Ranking("points", 3, hand_value, points_of_hand, category=no_category, suits_matter=False)
THIRD_CARD: Final = Ranking("third_card", 1, third_value, third_points, category=no_category, suits_matter=False)
SINGLE_CARD: Final = Ranking(
    "single_card", 1, rank_value, rank_or_nothing, name=rank_name, category=no_category, suits_matter=False
)
