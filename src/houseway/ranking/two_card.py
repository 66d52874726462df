"""Two cards as a player looks at them: pairs above everything, then the higher rank, the lower one, and one suit.

A value is one integer, higher is better. It ranks what a hand begins with; no game is won by it.
"""

from __future__ import annotations

from typing import Final

from houseway.cards import RANK_NAMES, RANK_PLURALS, rank_of, suit_of
from houseway.ranking.ranking import by_rule
from houseway.rule import rule

PAIRED: Final = 1 << 12


@rule
def value_of_two(a: int, b: int) -> int:
    """What two cards that are known to be different are worth, higher is better."""
    high = max(rank_of(a), rank_of(b))
    low = min(rank_of(a), rank_of(b))
    if high == low:
        return PAIRED | high << 8
    return high << 8 | low << 4 | (1 if suit_of(a) == suit_of(b) else 0)


@rule
def is_pair(value: int) -> bool:
    return value >= PAIRED


@rule
def high_rank(value: int) -> int:
    """The rank of the pair, or the higher of the two."""
    return value >> 8 & 15


@rule
def low_rank(value: int) -> int:
    """The lower rank of two cards that are no pair; 0 for a pair."""
    return value >> 4 & 15


@rule
def is_suited(value: int) -> bool:
    return value & 1 == 1


def name(value: int) -> str:
    """Two cards in words: pair of nines; A-K suited."""
    if is_pair(value):
        return f"pair of {RANK_PLURALS[high_rank(value)]}"
    return f"{RANK_NAMES[high_rank(value)]}-{RANK_NAMES[low_rank(value)]}{' suited' if is_suited(value) else ''}"


TWO_CARDS: Final = by_rule(value_of_two, 2, name)
