"""Classes of hands that differ in the names of suits alone: of those one is counted, with the number of them."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from houseway.proof.compiled import part

SUITS = 4


def deck_array(deck: Sequence[int]) -> npt.NDArray[np.int64]:
    """The cards of a deck in rising order; solvers speak of a card by its place in it."""
    cards = np.array(sorted(deck), dtype=np.int64)
    if len(cards) == 0 or len(set(cards.tolist())) != len(cards) or cards[0] < 0 or cards[-1] > 51:
        raise ValueError("a deck is a set of different cards without a joker")
    return cards


@part
def class_size(ranks: Any, before: Any, nth: Any, run: Any) -> int:
    """How many hands differ from this one in the names of twin suits alone; 0 where another stands for them.

    ``ranks`` is the set of ranks, as bits, that the hand holds in each suit. Of all the ways to hand out the sets of a
    group of twin suits the falling one stands for all, and there are as many as the sets have different orders.
    """
    size = 1
    for suit in range(SUITS):
        run[suit] = 1
        other = before[suit]
        if other >= 0:
            if ranks[suit] > ranks[other]:
                return 0
            if ranks[suit] == ranks[other]:
                run[suit] = run[other] + 1
        size = size * nth[suit] // run[suit]
    return size


def binomials(cards: int, most: int) -> npt.NDArray[np.int64]:
    """Row k, column c: the ways to choose k of c. A set of places p0 < p1 < … has the number C(p0,1) + C(p1,2) + …"""
    return np.array([[comb(n, k) for n in range(cards + 1)] for k in range(most + 1)], dtype=np.int64)
