"""What a few cards may still become: runs and suits, for the rules of thumb of games that turn cards one by one.

A mask has bit r for rank r, and bit 1 for an ace that counts low.
"""

from __future__ import annotations

from typing import Final

from houseway.cards import ACE, JACK, rank_of, suit_of
from houseway.rule import rule

RUN_OF_FIVE: Final = 31
TOP_MASK: Final = 1 << ACE
OPEN_LOW_ENDS: Final = (1 << JACK) - (1 << 2)
"""The ranks from which four in a row have a rank below and one above: from 2-3-4-5 to T-J-Q-K."""


@rule
def rank_bit(card: int) -> int:
    return 1 << rank_of(card)


@rule
def with_low_ace(mask: int) -> int:
    """The same ranks with the ace low as well."""
    return mask | 2 if mask & TOP_MASK else mask


@rule
def ranks_in(mask: int) -> int:
    """How many ranks a mask has."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@rule
def has_run(mask: int) -> bool:
    """Whether five ranks follow each other, the ace high or low."""
    ranks = with_low_ace(mask)
    return ranks & ranks >> 1 & ranks >> 2 & ranks >> 3 & ranks >> 4 != 0


@rule
def needs_one(mask: int) -> bool:
    """Whether one more rank makes a run of five."""
    ranks = with_low_ace(mask)
    near = False
    for low in range(1, 11):
        near = near or ranks_in(ranks >> low & RUN_OF_FIVE) == 4
    return near


@rule
def is_open_ended(mask: int) -> bool:
    """Whether four ranks in a row can be completed at either end."""
    return mask & mask >> 1 & mask >> 2 & mask >> 3 & OPEN_LOW_ENDS != 0


@rule
def four_of_a_suit(a: int, b: int, c: int, d: int) -> bool:
    return suit_of(a) == suit_of(b) and suit_of(b) == suit_of(c) and suit_of(c) == suit_of(d)
