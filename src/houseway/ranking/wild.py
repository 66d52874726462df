"""DJ Wild's ranking (DJ-1, DJ-2): 53 cards, the four deuces and the joker stand for any card.

A wild card may double a card of the hand, as five of a kind does, but not in a flush: there it is the highest rank that
the flush lacks (DJ-A1).
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from typing import Any, Final

from houseway.cards import JOKER, RANK_NAMES, RANK_PLURALS
from houseway.ranking import five_card, poker
from houseway.ranking.door import check_hand
from houseway.ranking.ranking import Ranking

DECK: Final = 53
DEUCE: Final = 2
WILDS: Final = 5
"""Four deuces and the joker."""

HIGH_CARD: Final = 0
PAIR: Final = 1
TWO_PAIR: Final = 2
THREE_OF_A_KIND: Final = 3
STRAIGHT: Final = 4
FLUSH: Final = 5
FULL_HOUSE: Final = 6
FOUR_OF_A_KIND: Final = 7
STRAIGHT_FLUSH: Final = 8
FIVE_OF_A_KIND: Final = 9
ROYAL_FLUSH: Final = 10
FIVE_WILDS: Final = 11

CATEGORIES: Final = (*poker.CATEGORIES[:9], "five_of_a_kind", "royal_flush", "five_wilds")

_FROM_POKER: Final = {poker.FIVE_ACES: FIVE_OF_A_KIND, poker.ROYAL_FLUSH: ROYAL_FLUSH}
"""Where five of a kind and the royal flush stand here; the categories below them keep their numbers."""
_NO_RANKS: Final = (1 << poker.TOP_DIGIT) - 1


def value_of_ranks(natural: tuple[int, ...], suited: bool) -> int:
    """The value of the cards that are not wild, the rest of five being wild: the best of all that those may be.

    With ``suited`` only what five cards of one suit make.
    """
    wilds = 5 - len(natural)
    if wilds == WILDS:
        return FIVE_WILDS << poker.TOP_DIGIT
    return max(
        _rank((*natural, *others), suited)
        for others in combinations_with_replacement(poker.RANKS, wilds)
        if not suited or len({*natural, *others}) == 5  # DJ-A1
    )


def _rank(ranks: tuple[int, ...], suited: bool) -> int:
    value = poker.value_of_ranks(ranks, suited, five_card.straight_rank)
    number = poker.category(value)
    return _FROM_POKER.get(number, number) << poker.TOP_DIGIT | value & _NO_RANKS


@cache
def words() -> tuple[int, ...]:
    """By card: its weight, with one bit a suit above it; a wild card has the deuce's weight and all four suits."""
    plain = five_card.tables().words
    return tuple(
        15 << poker.SUIT_BITS if card == JOKER or card % 13 == 0 else plain[card] for card in range(DECK)
    )  # the deuce's weight is 0


@cache
def values() -> dict[int, int]:
    """Every hand's value by the sum of its weights, those of one suit from ``poker.SUITED`` on; built at first use."""
    by_sum: dict[int, int] = {}
    for wilds in range(WILDS + 1):
        for natural in combinations_with_replacement(poker.RANKS[1:], 5 - wilds):
            if len(natural) == 5 and natural[0] == natural[4]:
                continue
            place = sum(poker.WEIGHTS[rank - 2] for rank in natural)
            if place in by_sum:
                raise ValueError(f"two hands share the weight sum {place}")
            by_sum[place] = value_of_ranks(natural, False)
            if len(set(natural)) == len(natural):
                by_sum[poker.SUITED + place] = max(by_sum[place], value_of_ranks(natural, True))
    return by_sum


def value(a: int, b: int, c: int, d: int, e: int) -> int:
    """What five cards are worth, higher is better. A wrong or repeated card is refused."""
    check_hand((a, b, c, d, e), 5, DECK)
    return poker.value_of_five(a, b, c, d, e, words(), values())  # type: ignore[arg-type]  # read as a list is


@cache
def name(hand_value: int) -> str:
    """A name for people, such as "five of a kind, kings"."""
    number, first = poker.category(hand_value), poker.first_rank(hand_value)
    if number == FIVE_WILDS:
        return "five wilds"
    if number == ROYAL_FLUSH:
        return "royal flush"
    if number == FIVE_OF_A_KIND:
        return f"five of a kind, {RANK_PLURALS[first]}"
    return poker.describe(hand_value, lambda top: f"{RANK_NAMES[top]} high")


def category_key(hand_value: int) -> str:
    """The row key of a value's category."""
    return CATEGORIES[poker.category(hand_value)]


def _lookups() -> tuple[Any, ...]:
    from houseway.ranking import arrays

    return arrays.wild_arrays()


FIVE_CARDS: Final = Ranking("wild_five_cards", 5, value, poker.value_of_five, _lookups, name, category_key)
