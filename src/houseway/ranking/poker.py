"""What five poker cards are worth, as tables made from the definitions: shared by the plain and the joker ranking.

A value is one integer, higher is better: the category in the top digits (base 16), then the ranks that break ties,
most important first. So ``0x2_D8A00``, two
pair, kings and eights with a ten, can be read, compared and named without any further table.

The tables are keyed by the *sum of a weight per rank*: the weights are chosen so that no two sets of five ranks share
a sum, whatever the order of the cards. One table holds the hands as if they were not of one suit, one as if they were.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import Final

from houseway.cards import ACE, JOKER, RANK_NAMES, RANK_PLURALS
from houseway.rule import Ints, rule

HIGH_CARD: Final = 0
PAIR: Final = 1
TWO_PAIR: Final = 2
THREE_OF_A_KIND: Final = 3
STRAIGHT: Final = 4
FLUSH: Final = 5
FULL_HOUSE: Final = 6
FOUR_OF_A_KIND: Final = 7
STRAIGHT_FLUSH: Final = 8
ROYAL_FLUSH: Final = 9
FIVE_ACES: Final = 10

CATEGORIES: Final = (
    *("high_card", "pair", "two_pair", "three_of_a_kind", "straight", "flush", "full_house"),
    *("four_of_a_kind", "straight_flush", "royal_flush", "five_aces"),
)
"""Row keys of the pay tables by category number; ``five_aces`` exists only with a joker."""

TOP_DIGIT: Final = 20
"""How far the category stands above the five rank digits of four bits each."""

RANKS: Final = tuple(range(2, ACE + 1))
WHEEL: Final = (14, 5, 4, 3, 2)
BROADWAY: Final = (14, 13, 12, 11, 10)

JOKER_WEIGHT: Final = 130285
WEIGHTS: Final = (0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415)
"""By rank, deuce to ace: the smallest increasing numbers for which five ranks (four of a kind at most, the joker
beside them) are told apart by their sum. Building the tables checks that."""

SUITED: Final = 4 * WEIGHTS[-1] + JOKER_WEIGHT + 1
"""In the array door's list of values: where the hands of one suit begin, above the largest sum."""

SUIT_BITS: Final = 24

SEVEN_WEIGHTS: Final = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
"""By rank, deuce to ace: numbers for which seven ranks (four of a kind at most) are told apart by their sum. Building
the list of values checks that."""
SEVEN_SUM: Final = (1 << 23) - 1
"""The bits that a sum of seven weights takes."""
PAGE_BITS: Final = 12
PAGES: Final = (4 * SEVEN_WEIGHTS[-1] + 3 * SEVEN_WEIGHTS[-2] >> PAGE_BITS) + 1
"""Sums of seven weights lie far apart: they are kept in pages that are laid over each other where they do not meet."""
THREE_OF_EACH_SUIT: Final = 0x3333 << SUIT_BITS
FIVE_OF_A_SUIT: Final = 0x8888 << SUIT_BITS
"""Suits are counted in four bits each. Counted from three, five cards of a suit set the highest of its bits."""


@rule
def category(value: int) -> int:
    """The category number of a five-card value."""
    return value >> 20


@rule
def first_rank(value: int) -> int:
    """The rank that decides first within the category: of a pair its rank, of no pair the highest card."""
    return (value >> 16) & 15


def pack(category_number: int, ranks: Sequence[int]) -> int:
    """One integer from a category and up to five ranks, most important first."""
    value = category_number
    for place in range(5):
        value = value << 4 | (ranks[place] if place < len(ranks) else 0)
    return value


StraightRank = Callable[[tuple[int, ...]], int]
"""What a set of five falling ranks is worth as a straight; 0 when it is none."""


def grouped(ranks: Sequence[int]) -> list[tuple[int, int]]:
    """(how often, rank) pairs, biggest group first, then highest rank."""
    return sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)


def value_of_ranks(ranks: Sequence[int], suited: bool, straight_rank: StraightRank) -> int:
    """The value of five ranks by the definitions of poker."""
    groups = grouped(ranks)
    shape = tuple(count for count, _ in groups)
    order = [rank for _, rank in groups]
    if shape == (5,):
        return pack(FIVE_ACES, order)
    if shape == (4, 1):
        return pack(FOUR_OF_A_KIND, order)
    if shape == (3, 2):
        return pack(FULL_HOUSE, order)
    if shape == (3, 1, 1):
        return pack(THREE_OF_A_KIND, order)
    if shape == (2, 2, 1):
        return pack(TWO_PAIR, order)
    if shape == (2, 1, 1, 1):
        return pack(PAIR, order)
    straight = straight_rank(tuple(order))
    if suited and tuple(order) == BROADWAY:
        return pack(ROYAL_FLUSH, [straight])
    if straight:
        return pack(STRAIGHT_FLUSH if suited else STRAIGHT, [straight])
    return pack(FLUSH if suited else HIGH_CARD, order)


@dataclass(frozen=True, slots=True)
class Tables:
    """The value of every hand by the sum of its weights, and what each card adds to that sum."""

    cards: int
    """How many different cards there are: 52 or 53."""
    plain: dict[int, int]
    suited: dict[int, int]

    @property
    def words(self) -> tuple[int, ...]:
        """By card: its weight, with one bit a suit above it (the joker has all four), for the array door."""
        return tuple(
            JOKER_WEIGHT | 15 << SUIT_BITS if card == JOKER else WEIGHTS[card % 13] | 1 << (SUIT_BITS + card // 13)
            for card in range(self.cards)
        )

    def values(self) -> list[int]:
        """Both tables as one list by weight sum, the hands of one suit from ``SUITED`` on; 0 where no hand is."""
        values = [0] * (2 * SUITED)
        for key, value in self.plain.items():
            values[key] = value
        for key, value in self.suited.items():
            values[SUITED + key] = value
        return values


@rule
def value_of_five(a: int, b: int, c: int, d: int, e: int, words: Ints, values: Ints) -> int:
    """The value of five cards that are known to be different cards of the deck: the array door's one look-up.

    The branch chooses an index and not a table: compiled, that is six times as fast.
    """
    v = words[a]
    w = words[b]
    x = words[c]
    y = words[d]
    z = words[e]
    place = (v + w + x + y + z) & 0xFFFFFF
    if v & w & x & y & z & 0xF000000:
        place += SUITED
    return values[place]


@rule
def value_of_six(a: int, b: int, c: int, d: int, e: int, f: int, words: Ints, values: Ints) -> int:
    """The best value among the six fives of six different cards."""
    best = value_of_five(a, b, c, d, e, words, values)
    best = max(best, value_of_five(a, b, c, d, f, words, values))
    best = max(best, value_of_five(a, b, c, e, f, words, values))
    best = max(best, value_of_five(a, b, d, e, f, words, values))
    best = max(best, value_of_five(a, c, d, e, f, words, values))
    return max(best, value_of_five(b, c, d, e, f, words, values))


@rule
def value_of_seven(a: int, b: int, c: int, d: int, e: int, f: int, g: int, words: Ints, values: Ints) -> int:
    """The best value among the twenty-one fives of seven different cards, in two look-ups.

    Five cards of a suit leave two others: too few for a full house or four of a kind, so a flush decides alone.
    """
    total = words[a] + words[b] + words[c] + words[d] + words[e] + words[f] + words[g] + THREE_OF_EACH_SUIT
    flush = total & FIVE_OF_A_SUIT
    if flush == 0:
        place = total & SEVEN_SUM
        return values[values[place >> PAGE_BITS] + (place & (1 << PAGE_BITS) - 1)]
    suit = 0
    while flush != 8 << (SUIT_BITS + 4 * suit):
        suit += 1
    ranks = 0
    for card in (a, b, c, d, e, f, g):
        if card // 13 == suit:
            ranks |= 1 << card % 13
    return values[PAGES + ranks]


def seven_card_words() -> tuple[int, ...]:
    """By card: its weight among seven, with one for its suit above it."""
    return tuple(SEVEN_WEIGHTS[card % 13] | 1 << (SUIT_BITS + 4 * (card // 13)) for card in range(52))


def seven_card_values(tables: Tables) -> list[int]:
    """What ``value_of_seven`` looks up: where each page of sums begins, the flushes by their ranks, and the pages."""
    flushes = [0] * (1 << 13)
    for count in (5, 6, 7):
        for ranks in combinations(RANKS, count):
            best = max(tables.suited[_weight(five)] for five in combinations(ranks, 5))
            flushes[sum(1 << (rank - 2) for rank in ranks)] = best
    plain: dict[int, int] = {}
    for ranks in combinations_with_replacement(RANKS, 7):
        if not any(ranks[place] == ranks[place + 4] for place in range(3)):
            weights = [WEIGHTS[rank - 2] for rank in ranks]
            best = max(tables.plain[sum(five)] for five in set(combinations(weights, 5)))
            _enter(plain, sum(SEVEN_WEIGHTS[rank - 2] for rank in ranks), best)
    pages: list[dict[int, int]] = [{} for _ in range(PAGES)]
    for weight, best in plain.items():
        pages[weight >> PAGE_BITS][weight & (1 << PAGE_BITS) - 1] = best
    starts, entries = _laid_over(pages)
    first = PAGES + len(flushes)
    return [*(first + start for start in starts), *flushes, *entries]


def _laid_over(pages: Sequence[dict[int, int]]) -> tuple[list[int], list[int]]:
    """Where each page begins in one list of entries that holds them all, the fullest laid first."""
    starts = [0] * len(pages)
    taken = 0
    entries: dict[int, int] = {}
    for page in sorted(range(len(pages)), key=lambda page: -len(pages[page])):
        meets = 0
        for place in pages[page]:
            meets |= taken >> place
        start = (~meets & meets + 1).bit_length() - 1
        starts[page] = start
        taken |= sum(1 << place for place in pages[page]) << start
        entries |= {start + place: value for place, value in pages[page].items()}
    return starts, [entries.get(place, 0) for place in range(max(starts) + (1 << PAGE_BITS))]


def build_tables(straight_rank: StraightRank, *, joker: bool) -> Tables:
    """Every hand's value, from the definitions."""
    plain: dict[int, int] = {}
    suited: dict[int, int] = {}
    for ranks in combinations_with_replacement(RANKS, 5):
        if ranks[0] != ranks[4]:
            _enter(plain, _weight(ranks), value_of_ranks(ranks, False, straight_rank))
    for ranks in combinations(RANKS, 5):
        _enter(suited, _weight(ranks), value_of_ranks(ranks, True, straight_rank))
    if joker:
        for four in combinations_with_replacement(RANKS, 4):
            _enter(plain, _weight(four) + JOKER_WEIGHT, _with_joker(four, straight_rank))
        for four in combinations(RANKS, 4):
            _enter(suited, _weight(four) + JOKER_WEIGHT, _suited_with_joker(four, straight_rank))
    return Tables(cards=53 if joker else 52, plain=plain, suited=suited)


def _weight(ranks: Sequence[int]) -> int:
    return sum(WEIGHTS[rank - 2] for rank in ranks)


def _enter(table: dict[int, int], key: int, value: int) -> None:
    if key in table:
        raise ValueError(f"two hands share the weight sum {key}")
    table[key] = value


def _with_joker(ranks: tuple[int, ...], straight_rank: StraightRank) -> int:
    """PG-1 for four cards not of one suit: the joker is an ace, or completes a straight."""
    return max(
        value_of_ranks((*ranks, rank), False, straight_rank)
        for rank in RANKS
        if rank == ACE or (rank not in ranks and straight_rank(_falling(*ranks, rank)))
    )


def _suited_with_joker(ranks: tuple[int, ...], straight_rank: StraightRank) -> int:
    """PG-1 for four cards of one suit: the highest rank the flush lacks, or what completes a straight flush."""
    missing = [rank for rank in RANKS if rank not in ranks]
    return max(
        value_of_ranks((*ranks, rank), True, straight_rank)
        for rank in missing
        if rank == missing[-1] or straight_rank(_falling(*ranks, rank))
    )


def _falling(*ranks: int) -> tuple[int, ...]:
    return tuple(sorted(ranks, reverse=True))


def describe(value: int, straight_words: Callable[[int], str]) -> str:
    """A name for people, such as "full house, kings over tens"."""
    ranks = [value >> shift & 15 for shift in (16, 12, 8, 4, 0)]
    first, second = ranks[0], ranks[1]
    match value >> TOP_DIGIT:
        case 10:
            return "five aces"
        case 9:
            return "royal flush"
        case 8:
            return f"straight flush, {straight_words(first)}"
        case 7:
            return f"four of a kind, {RANK_PLURALS[first]}"
        case 6:
            return f"full house, {RANK_PLURALS[first]} over {RANK_PLURALS[second]}"
        case 5:
            return f"flush, {RANK_NAMES[first]} high"
        case 4:
            return f"straight, {straight_words(first)}"
        case 3:
            return f"three of a kind, {RANK_PLURALS[first]}"
        case 2:
            return f"two pair, {RANK_PLURALS[first]} and {RANK_PLURALS[second]}"
        case 1:
            return f"pair of {RANK_PLURALS[first]}"
        case _:
            return f"{RANK_NAMES[first]} high" if first != ACE or second != 13 else "ace king high"
