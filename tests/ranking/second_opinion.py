"""A second opinion on every ranking, written from the definitions and sharing nothing with ``houseway.ranking``.

It knows no look-up table, no packed digits and no weights. Five ranks are judged by how many of their ten pairs are
equal; ties are broken card by card; the joker is tried as every card it may be. The scores are its own: only the
categories and the order are compared with the first opinion.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

Columns = npt.NDArray[np.uint8]
Scores = npt.NDArray[np.int32]

CHUNK = 1 << 21
CATEGORY_STEP = 1_000_000
"""More than the largest number of five digits to base 15."""


@numba.njit
def score_of_ranks(ranks: Any, suited: bool, pai_gow: bool, sorting: Any) -> int:
    """What five ranks (2 to 14) score; ``sorting`` is room for five numbers."""
    equal_pairs = 0
    for one in range(5):
        alike = 0
        for other in range(5):
            if ranks[one] == ranks[other]:
                alike += 1
        equal_pairs += alike - 1
        sorting[one] = 100 * alike + ranks[one]
    equal_pairs //= 2
    for end in range(4, 0, -1):
        for place in range(end):
            if sorting[place] < sorting[place + 1]:
                sorting[place], sorting[place + 1] = sorting[place + 1], sorting[place]
    tie_break = 0
    for place in range(5):
        tie_break = 15 * tie_break + sorting[place] % 100

    if equal_pairs == 10:
        return 10 * CATEGORY_STEP
    if equal_pairs == 6:
        return 7 * CATEGORY_STEP + tie_break
    if equal_pairs == 4:
        return 6 * CATEGORY_STEP + tie_break
    if equal_pairs == 3:
        return 3 * CATEGORY_STEP + tie_break
    if equal_pairs == 2:
        return 2 * CATEGORY_STEP + tie_break
    if equal_pairs == 1:
        return CATEGORY_STEP + tie_break

    highest = sorting[0] % 100
    second = sorting[1] % 100
    lowest = sorting[4] % 100
    height = 0
    if highest - lowest == 4:
        height = 2 * highest
    if highest == 14 and second == 5:
        height = 27 if pai_gow else 10
    if suited and height == 28:
        return 9 * CATEGORY_STEP
    if suited and height > 0:
        return 8 * CATEGORY_STEP + height
    if suited:
        return 5 * CATEGORY_STEP + tie_break
    if height > 0:
        return 4 * CATEGORY_STEP + height
    return tie_break


@numba.njit
def score_of_cards(cards: Any, pai_gow: bool, ranks: Any, sorting: Any) -> int:
    """What five cards without a joker score."""
    suited = True
    for place in range(5):
        ranks[place] = 2 + cards[place] % 13
        if cards[place] // 13 != cards[0] // 13:
            suited = False
    return score_of_ranks(ranks, suited, pai_gow, sorting)


@numba.njit
def score_with_joker(cards: Any, ranks: Any, sorting: Any) -> int:
    """What four cards and a joker (in the last place) score: the best of everything the joker may be.

    It may always be an ace, though of no suit; and it may be any card that the hand lacks if that makes a straight, a
    flush, a straight flush or a royal flush.
    """
    for place in range(4):
        ranks[place] = 2 + cards[place] % 13
    ranks[4] = 14
    best = score_of_ranks(ranks, False, True, sorting)
    for card in range(52):
        held = False
        for place in range(4):
            if cards[place] == card:
                held = True
        if held:
            continue
        cards[4] = card
        score = score_of_cards(cards, True, ranks, sorting)
        category = score // CATEGORY_STEP
        if category in (4, 5, 8, 9) and score > best:
            best = score
    return best


@numba.njit
def score_five(hands: Any, pai_gow: bool) -> Any:
    """Scores of a table of hands, one row a card place; a joker, 52, stands last."""
    scores = np.empty(hands.shape[1], dtype=np.int32)
    cards = np.empty(5, dtype=np.int64)
    ranks = np.empty(5, dtype=np.int64)
    sorting = np.empty(5, dtype=np.int64)
    for hand in range(hands.shape[1]):
        for place in range(5):
            cards[place] = hands[place, hand]
        if cards[4] == 52:
            scores[hand] = score_with_joker(cards, ranks, sorting)
        else:
            scores[hand] = score_of_cards(cards, pai_gow, ranks, sorting)
    return scores


@numba.njit
def score_three(hands: Any) -> Any:
    """Scores of three-card hands, the category in the place of the ten thousands."""
    scores = np.empty(hands.shape[1], dtype=np.int32)
    for hand in range(hands.shape[1]):
        a = 2 + hands[0, hand] % 13
        b = 2 + hands[1, hand] % 13
        c = 2 + hands[2, hand] % 13
        if b > a:
            a, b = b, a
        if c > b:
            b, c = c, b
        if b > a:
            a, b = b, a
        suited = hands[0, hand] // 13 == hands[1, hand] // 13 and hands[1, hand] // 13 == hands[2, hand] // 13
        straight = a == b + 1 and b == c + 1
        if a == 14 and b == 3 and c == 2:
            straight = True
            a, b, c = 3, 2, 1
        if a == b and b == c:
            category = 4
        elif b in (a, c):
            category = 1
            if b == c:
                a, b, c = b, c, a
        elif straight:
            category = 5 if suited else 3
        else:
            category = 2 if suited else 0
        scores[hand] = 10_000 * category + 225 * a + 15 * b + c
    return scores


@numba.njit
def place_of(cards: Any, binomials: Any) -> int:
    """The place of five rising cards when hands are ordered by their highest card first."""
    place = 0
    for card in range(5):
        place += binomials[cards[card], card + 1]
    return place


@numba.njit
def scatter(hands: Any, scores: Any, binomials: Any, by_place: Any) -> None:
    """Put the scores of five-card hands where ``place_of`` finds them."""
    cards = np.empty(5, dtype=np.int64)
    for hand in range(hands.shape[1]):
        for row in range(5):
            cards[row] = hands[row, hand]
        by_place[place_of(cards, binomials)] = scores[hand]


@numba.njit
def score_six(hands: Any, binomials: Any, by_place: Any) -> Any:
    """The best score among the six fives of every six-card hand."""
    scores = np.empty(hands.shape[1], dtype=np.int32)
    cards = np.empty(5, dtype=np.int64)
    for hand in range(hands.shape[1]):
        best = -1
        for without in range(6):
            at = 0
            for row in range(6):
                if row != without:
                    cards[at] = hands[row, hand]
                    at += 1
            best = max(best, by_place[place_of(cards, binomials)])
        scores[hand] = best
    return scores


@numba.njit
def fill(state: Any, deck: int, hands: Any) -> int:
    """Write the hands from ``state`` on, in lexicographic order, and leave ``state`` behind the last one."""
    count = len(state)
    for hand in range(hands.shape[1]):
        if state[0] < 0:
            return hand
        for place in range(count):
            hands[place, hand] = state[place]
        place = count - 1
        while place >= 0 and state[place] == deck - count + place:
            place -= 1
        if place < 0:
            state[0] = -1
            continue
        state[place] += 1
        for later in range(place + 1, count):
            state[later] = state[later - 1] + 1
    return int(hands.shape[1])


@numba.njit
def hold_against(values: Any, scores: Any, score_of_value: Any) -> int:
    """Note which score each value stands for; how many hands contradict what an earlier hand said."""
    contradictions = 0
    for hand in range(len(values)):
        if score_of_value[values[hand]] == -1:
            score_of_value[values[hand]] = scores[hand]
        elif score_of_value[values[hand]] != scores[hand]:
            contradictions += 1
    return contradictions


def all_hands(deck: int, count: int) -> Iterator[Columns]:
    """Every hand of ``count`` cards in lexicographic order, a table of at most ``CHUNK`` hands at a time."""
    state = np.arange(count, dtype=np.int64)
    left = comb(deck, count)
    while left:
        hands = np.empty((count, min(left, CHUNK)), dtype=np.uint8)
        if fill(state, deck, hands) != hands.shape[1]:
            raise AssertionError("fewer hands than there are")
        left -= hands.shape[1]
        yield hands


def binomial_table() -> npt.NDArray[np.int64]:
    """``[n, k]``: in how many ways k of n can be chosen."""
    return np.array([[comb(n, k) for k in range(6)] for n in range(54)], dtype=np.int64)


def five_card_scores(deck: int) -> tuple[npt.NDArray[np.int64], Scores]:
    """What ``score_six`` looks up: the scores of all five-card hands by place."""
    binomials = binomial_table()
    by_place = np.full(comb(deck, 5), -1, dtype=np.int32)
    for hands in all_hands(deck, 5):
        scatter(hands, score_five(hands, deck == 53), binomials, by_place)
    return binomials, by_place


def longest_run(held: set[str], circle: str, *, wraps: bool) -> tuple[int, str]:
    """The longest run among the ranks held and its ending card, by walking every stretch of the ``circle``."""
    stretches = [circle[start:stop] for start, stop in combinations(range(len(circle) + 1), 2)]
    if wraps:
        doubled = circle + circle
        stretches = [doubled[start : start + size] for start in range(13) for size in range(1, 14)]
    found = [stretch for stretch in stretches if set(stretch) <= held]
    best = max(found, key=lambda stretch: (len(stretch), "23456789TJQKA".index(stretch[-1])), default="")
    return (len(best), best[-1]) if best else (0, "")
