"""What the solvers of poker games share: the hands of a deck, in order of value, and in classes of equal suits.

A deck is any set of cards, so that a count can be held against brute force on a short one. Suits that have the same
ranks in it can be renamed without changing any result: of the hands that differ in such names alone one is counted,
with the number of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from houseway.cards import rank_of, suit_of
from houseway.proof.compiled import part
from houseway.ranking import arrays

SUITS = 4


def deck_array(deck: Sequence[int]) -> npt.NDArray[np.int64]:
    """The cards of a deck in rising order; solvers speak of a card by its place in it."""
    cards = np.array(sorted(deck), dtype=np.int64)
    if len(cards) == 0 or len(set(cards.tolist())) != len(cards) or cards[0] < 0 or cards[-1] > 51:
        raise ValueError("a deck is a set of different cards without a joker")
    return cards


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


@cache
def five_card_order() -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """``words`` and ``places`` for ``poker.value_of_five``, which then gives a hand's place in the order of values.

    The third array is the value of every place; place 0 belongs to no hand. Places are few and close together, so a
    count by place is a short array.
    """
    words, values = arrays.table_arrays("five_card")
    ordered = np.unique(values)
    return words, np.searchsorted(ordered, values).astype(np.int32), ordered.astype(np.int64)


def binomials(cards: int, most: int) -> npt.NDArray[np.int64]:
    """Row k, column c: the ways to choose k of c. A set of places p0 < p1 < … has the number C(p0,1) + C(p1,2) + …"""
    return np.array([[comb(n, k) for n in range(cards + 1)] for k in range(most + 1)], dtype=np.int64)
