"""Three-card poker (TC-2): a straight beats a flush; the ace is high, but low in 3-2-A, the lowest straight.

A value is one integer, higher is better: the category above three rank digits of four bits each.
"""

from __future__ import annotations

from typing import Final

from houseway.cards import ACE, RANK_NAMES, RANK_PLURALS, rank_of, suit_of
from houseway.ranking.door import check_hand
from houseway.ranking.ranking import Ranking
from houseway.rule import rule

HIGH_CARD: Final = 0
PAIR: Final = 1
FLUSH: Final = 2
STRAIGHT: Final = 3
THREE_OF_A_KIND: Final = 4
STRAIGHT_FLUSH: Final = 5

CATEGORIES: Final = ("high_card", "pair", "flush", "straight", "three_of_a_kind", "straight_flush")
DECK: Final = 52


@rule
def category(value: int) -> int:
    """The category number of a three-card value."""
    return value >> 12


@rule
def value_of_three(a: int, b: int, c: int) -> int:
    """What three cards that are known to be different are worth, higher is better."""
    x = rank_of(a)
    y = rank_of(b)
    z = rank_of(c)
    top = max(x, y, z)
    low = min(x, y, z)
    middle = x + y + z - top - low
    suited = suit_of(a) == suit_of(b) and suit_of(b) == suit_of(c)
    if top == low:
        return THREE_OF_A_KIND << 12 | top << 8
    if top == middle:
        return PAIR << 12 | top << 8 | low << 4
    if middle == low:
        return PAIR << 12 | low << 8 | top << 4
    if top == ACE and middle == 3 and low == 2:
        straight_top = 3
    elif top - low == 2:
        straight_top = top
    else:
        straight_top = 0
    if straight_top and suited:
        return STRAIGHT_FLUSH << 12 | straight_top << 8
    if straight_top:
        return STRAIGHT << 12 | straight_top << 8
    if suited:
        return FLUSH << 12 | top << 8 | middle << 4 | low
    return top << 8 | middle << 4 | low


def value(a: int, b: int, c: int) -> int:
    """What three cards are worth, higher is better. A wrong or repeated card is refused."""
    check_hand((a, b, c), 3, DECK)
    return value_of_three(a, b, c)


def name(hand_value: int) -> str:
    """A name for people, such as "flush, ace high"."""
    first = hand_value >> 8 & 15
    match category(hand_value):
        case 5:
            return f"straight flush, {RANK_NAMES[first]} high"
        case 4:
            return f"three of a kind, {RANK_PLURALS[first]}"
        case 3:
            return f"straight, {RANK_NAMES[first]} high"
        case 2:
            return f"flush, {RANK_NAMES[first]} high"
        case 1:
            return f"pair of {RANK_PLURALS[first]}"
        case _:
            return f"{RANK_NAMES[first]} high"


def category_key(hand_value: int) -> str:
    """The row key of a value's category."""
    return CATEGORIES[category(hand_value)]


THREE_CARDS: Final = Ranking("three_cards", 3, value, value_of_three, name=name, category=category_key)
