"""A second opinion on four-card poker and on wild cards: each hand is judged as a whole, no set of fours is tried and
no wild card is replaced. Scores are its own: the category in the millions, then ranks to base 15."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

STEP = 1_000_000


@numba.njit
def highest_of(counts: Any, least: int, without: int, other: int) -> int:
    """The highest rank with at least so many cards, two ranks apart; 0 where there is none."""
    for rank in range(14, 1, -1):
        if counts[rank] >= least and rank not in (without, other):
            return rank
    return 0


@numba.njit
def run_of_four(held: Any) -> int:
    """The top of the highest four ranks in a row, the ace low in the last; 0 where there are none."""
    for top in range(14, 4, -1):
        if held[top] and held[top - 1] and held[top - 2] and held[top - 3]:
            return top
    return 4 if held[4] and held[3] and held[2] and held[14] else 0


@numba.njit
def score_four(hands: Any) -> Any:
    """The best four of hands of four cards or more, one row a card place."""
    scores = np.empty(hands.shape[1], dtype=np.int32)
    counts = np.zeros(15, dtype=np.int64)
    suited = np.zeros((4, 15), dtype=np.int64)
    for hand in range(hands.shape[1]):
        counts[:] = 0
        suited[:] = 0
        for place in range(hands.shape[0]):
            card = hands[place, hand]
            counts[2 + card % 13] += 1
            suited[card // 13, 2 + card % 13] = 1
        four = highest_of(counts, 4, 0, 0)
        three = highest_of(counts, 3, 0, 0)
        straight_flush, flush = 0, 0
        for suit in range(4):
            straight_flush = max(straight_flush, run_of_four(suited[suit]))
            if suited[suit].sum() >= 4:
                taken, ranks = 0, 0
                for rank in range(14, 1, -1):
                    if suited[suit, rank] and taken < 4:
                        taken += 1
                        ranks = 15 * ranks + rank
                flush = max(flush, ranks)
        straight = run_of_four(counts)
        pair = highest_of(counts, 2, 0, 0)
        second = highest_of(counts, 2, pair, 0) if pair else 0
        if four:
            score = 7 * STEP + four
        elif straight_flush:
            score = 6 * STEP + straight_flush
        elif three:
            score = 5 * STEP + 15 * three + highest_of(counts, 1, three, 0)
        elif flush:
            score = 4 * STEP + flush
        elif straight:
            score = 3 * STEP + straight
        elif second:
            score = 2 * STEP + 15 * pair + second
        elif pair:
            first = highest_of(counts, 1, pair, 0)
            score = STEP + 225 * pair + 15 * first + highest_of(counts, 1, pair, first)
        else:
            score, taken = 0, 0
            for rank in range(14, 1, -1):
                if counts[rank] and taken < 4:
                    taken += 1
                    score = 15 * score + rank
        scores[hand] = score
    return scores


@numba.njit
def straight_top(counts: Any, naturals: int) -> int:
    """The top of the highest straight that the natural cards fit in, no two of a rank; 0 where there is none."""
    for top in range(14, 4, -1):
        inside = 0
        for step in range(5):
            rank = 14 if top == 5 and step == 4 else top - step
            inside += min(counts[rank], 1)
        if inside == naturals:
            return top
    return 0


@numba.njit
def filled_from_the_top(counts: Any, missing: int) -> int:
    """Five ranks of a flush: those held, and the highest that it lacks."""
    ranks = 0
    for rank in range(14, 1, -1):
        if counts[rank] == 0 and missing > 0:
            missing -= 1
            ranks = 15 * ranks + rank
        elif counts[rank]:
            ranks = 15 * ranks + rank
    return ranks


@numba.njit
def score_wild(hands: Any) -> Any:
    """Five cards, deuces and joker wild."""
    scores = np.empty(hands.shape[1], dtype=np.int32)
    counts = np.zeros(15, dtype=np.int64)
    for hand in range(hands.shape[1]):
        counts[:] = 0
        wilds, suit, one_suit = 0, -1, True
        for place in range(5):
            card = hands[place, hand]
            if card == 52 or card % 13 == 0:
                wilds += 1
                continue
            counts[2 + card % 13] += 1
            if suit not in (-1, card // 13):
                one_suit = False
            suit = card // 13
        naturals = 5 - wilds
        most, different = counts.max(), np.count_nonzero(counts)
        first = highest_of(counts, most, 0, 0)
        top = straight_top(counts, naturals) if different == naturals else 0
        others = 0
        for rank in range(14, 1, -1):
            if rank != first:
                for _ in range(counts[rank]):
                    others = 15 * others + rank
        if wilds == 5:
            score = 11 * STEP
        elif one_suit and top == 14:
            score = 10 * STEP
        elif different == 1:
            score = 9 * STEP + first
        elif one_suit and top:
            score = 8 * STEP + top
        elif most + wilds == 4:
            score = 7 * STEP + 15 * first + others
        elif different == 2:
            score = 6 * STEP + 15 * first + highest_of(counts, 1, first, 0)
        elif one_suit and different == naturals:
            score = 5 * STEP + filled_from_the_top(counts, wilds)
        elif top:
            score = 4 * STEP + top
        elif most + wilds == 3:
            score = 3 * STEP + 225 * first + others
        elif different == 3:
            second = highest_of(counts, 2, first, 0)
            score = 2 * STEP + 225 * first + 15 * second + highest_of(counts, 1, first, second)
        elif most + wilds == 2:
            score = STEP + 15 * 225 * first + others
        else:
            score = others + first * 15**4
        scores[hand] = score
    return scores
