"""Four-card poker (CF-2), best of four, five or six cards: a flush beats a straight, three of a kind beats both.

A value is one integer, higher is better: the category above four rank digits of four bits each. The ace is high, and
low in A-2-3-4, the lowest straight.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Any, Final

from houseway.cards import ACE, RANK_NAMES, RANK_PLURALS, rank_of, suit_of
from houseway.ranking.door import check_hand
from houseway.ranking.poker import RANKS, grouped
from houseway.ranking.ranking import Ranking
from houseway.rule import Ints, rule

HIGH_CARD: Final = 0
PAIR: Final = 1
TWO_PAIR: Final = 2
STRAIGHT: Final = 3
FLUSH: Final = 4
THREE_OF_A_KIND: Final = 5
STRAIGHT_FLUSH: Final = 6
FOUR_OF_A_KIND: Final = 7

CATEGORIES: Final = (
    *("high_card", "pair", "two_pair", "straight", "flush", "three_of_a_kind", "straight_flush", "four_of_a_kind"),
)
DECK: Final = 52
WHEEL: Final = (14, 4, 3, 2)

WEIGHTS: Final = (0, 1, 5, 21, 55, 153, 368, 856, 1424, 2603, 4967, 8194, 13663)
"""By rank, deuce to ace: numbers for which four ranks are told apart by their sum. Building the values checks that."""
SUIT_BITS: Final = 16
SUITED: Final = 4 * WEIGHTS[-1] + 1
"""Where the hands of one suit begin, above the largest sum."""


@rule
def category(value: int) -> int:
    """The category number of a four-card value."""
    return value >> 16


@rule
def first_rank(value: int) -> int:
    """The rank that decides first within the category: of a pair its rank, of no pair the highest card."""
    return (value >> 12) & 15


@rule
def value_of_four(a: int, b: int, c: int, d: int, words: Ints, values: Ints) -> int:
    """The value of four cards that are known to be different cards of the deck."""
    w = words[a]
    x = words[b]
    y = words[c]
    z = words[d]
    place = (w + x + y + z) & 0xFFFF
    if w & x & y & z & 0xF0000:
        place += SUITED
    return values[place]


@rule
def value_of_five(a: int, b: int, c: int, d: int, e: int, words: Ints, values: Ints) -> int:
    """The best value among the five fours of five different cards."""
    best = value_of_four(a, b, c, d, words, values)
    best = max(best, value_of_four(a, b, c, e, words, values))
    best = max(best, value_of_four(a, b, d, e, words, values))
    best = max(best, value_of_four(a, c, d, e, words, values))
    return max(best, value_of_four(b, c, d, e, words, values))


@rule
def value_of_six(a: int, b: int, c: int, d: int, e: int, f: int, words: Ints, values: Ints) -> int:
    """The best value among the fifteen fours of six different cards: those without the last, then those with it."""
    best = value_of_five(a, b, c, d, e, words, values)
    best = max(best, value_of_four(a, b, c, f, words, values))
    best = max(best, value_of_four(a, b, d, f, words, values))
    best = max(best, value_of_four(a, b, e, f, words, values))
    best = max(best, value_of_four(a, c, d, f, words, values))
    best = max(best, value_of_four(a, c, e, f, words, values))
    best = max(best, value_of_four(a, d, e, f, words, values))
    best = max(best, value_of_four(b, c, d, f, words, values))
    best = max(best, value_of_four(b, c, e, f, words, values))
    best = max(best, value_of_four(b, d, e, f, words, values))
    return max(best, value_of_four(c, d, e, f, words, values))


def value_of_ranks(ranks: tuple[int, ...], suited: bool) -> int:
    """The value of four ranks by the definitions."""
    groups = grouped(ranks)
    shape = tuple(count for count, _ in groups)
    order = tuple(rank for _, rank in groups)
    if shape == (4,):
        return _pack(FOUR_OF_A_KIND, order)
    if shape == (3, 1):
        return _pack(THREE_OF_A_KIND, order)
    if shape == (2, 2):
        return _pack(TWO_PAIR, order)
    if shape == (2, 1, 1):
        return _pack(PAIR, order)
    top = 4 if order == WHEEL else order[0] if order[0] - order[3] == 3 else 0
    if top:
        return _pack(STRAIGHT_FLUSH if suited else STRAIGHT, (top,))
    return _pack(FLUSH if suited else HIGH_CARD, order)


def _pack(category_number: int, ranks: tuple[int, ...]) -> int:
    value = category_number
    for place in range(4):
        value = value << 4 | (ranks[place] if place < len(ranks) else 0)
    return value


@cache
def words() -> tuple[int, ...]:
    """By card: its weight, with one bit a suit above it."""
    return tuple(WEIGHTS[rank_of(card) - 2] | 1 << (SUIT_BITS + suit_of(card)) for card in range(DECK))


@cache
def values() -> dict[int, int]:
    """Every hand's value by the sum of its weights, the hands of one suit from ``SUITED`` on; built at first use."""
    by_sum: dict[int, int] = {}
    for ranks in combinations_with_replacement(RANKS, 4):
        place = sum(WEIGHTS[rank - 2] for rank in ranks)
        if place in by_sum:
            raise ValueError(f"two hands share the weight sum {place}")
        by_sum[place] = value_of_ranks(ranks, False)
    for ranks in combinations(RANKS, 4):
        by_sum[SUITED + sum(WEIGHTS[rank - 2] for rank in ranks)] = value_of_ranks(ranks, True)
    return by_sum


def value(a: int, b: int, c: int, d: int) -> int:
    """What four cards are worth, higher is better. A wrong or repeated card is refused."""
    check_hand((a, b, c, d), 4, DECK)
    return value_of_four(a, b, c, d, words(), values())  # type: ignore[arg-type]  # a dict is read as a list is


def best_of_five(a: int, b: int, c: int, d: int, e: int) -> int:
    """What the best four of five cards are worth. A wrong or repeated card is refused."""
    check_hand((a, b, c, d, e), 5, DECK)
    return value_of_five(a, b, c, d, e, words(), values())  # type: ignore[arg-type]


def best_of_six(a: int, b: int, c: int, d: int, e: int, f: int) -> int:
    """What the best four of six cards are worth. A wrong or repeated card is refused."""
    check_hand((a, b, c, d, e, f), 6, DECK)
    return value_of_six(a, b, c, d, e, f, words(), values())  # type: ignore[arg-type]


@cache
def name(hand_value: int) -> str:
    """A name for people, such as "two pair, kings and tens"."""
    first, second = hand_value >> 12 & 15, hand_value >> 8 & 15
    match category(hand_value):
        case 7:
            return f"four of a kind, {RANK_PLURALS[first]}"
        case 6:
            return f"straight flush, {RANK_NAMES[first]} high"
        case 5:
            return f"three of a kind, {RANK_PLURALS[first]}"
        case 4:
            return f"flush, {RANK_NAMES[first]} high"
        case 3:
            return f"straight, {RANK_NAMES[first]} high"
        case 2:
            return f"two pair, {RANK_PLURALS[first]} and {RANK_PLURALS[second]}"
        case 1:
            return f"pair of {RANK_PLURALS[first]}"
        case _:
            return f"{RANK_NAMES[first]} high" if first != ACE or second != 13 else "ace king high"


def category_key(hand_value: int) -> str:
    """The row key of a value's category."""
    return CATEGORIES[category(hand_value)]


def _lookups() -> tuple[Any, ...]:
    from houseway.ranking import arrays

    return arrays.four_card_arrays()


FOUR_CARDS: Final = Ranking("four_cards", 4, value, value_of_four, _lookups, name, category_key)
BEST_OF_FIVE: Final = Ranking(
    "four_of_five", 5, best_of_five, value_of_five, _lookups, name, category_key, best_of=FOUR_CARDS
)
BEST_OF_SIX: Final = Ranking(
    "four_of_six", 6, best_of_six, value_of_six, _lookups, name, category_key, best_of=BEST_OF_FIVE
)
