"""What the second opinions on poker games share: the hands of a deck, in order of value, and suits that are alike."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from houseway.cards import rank_of, suit_of
from houseway.proof.hands import SUITS
from houseway.ranking import arrays


def suit_twins(deck: Sequence[int]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """For every suit: the suit before it that has the same ranks in the deck (-1: none), and the how-manieth it is."""
    ranks = [frozenset(rank_of(card) for card in deck if suit_of(card) == suit) for suit in range(SUITS)]
    before = np.full(SUITS, -1, dtype=np.int64)
    nth = np.ones(SUITS, dtype=np.int64)
    for suit in range(SUITS):
        for other in range(suit):
            if ranks[other] == ranks[suit]:
                before[suit] = other
                nth[suit] = nth[other] + 1
    return before, nth


@cache
def five_card_order() -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """``words`` and ``places`` for ``poker.value_of_five``, which then gives a hand's place in the order of values.

    The third array is the value of every place; place 0 belongs to no hand. Places are few and close together, so a
    count by place is a short array.
    """
    words, values = arrays.table_arrays("five_card")
    ordered = np.unique(values)
    return words, np.searchsorted(ordered, values).astype(np.int32), ordered.astype(np.int64)
