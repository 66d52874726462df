"""Cover All, counted: the highest of two to eight hands of one round.

A limit is a hand from which on the wager pays more. Of n hands none reaches the limit: that is what is counted. Hands
that reach it are of two kinds. Of some *shapes* (how often ranks repeat: three and one and one, three and two, …)
every hand does, whatever its ranks and suits; how many such hands can be dealt depends on nothing but how many cards
each rank has left, so they are counted to any number by rank counts alone. The others, straights and flushes, are few
and are taken card by card. By inclusion and exclusion over these others,

    none = sum over j of (-1)^j C(n, j) E_j,

where E_j counts the deals in which j given hands are such others and none of the rest is of a reaching shape. E_0,
E_1 and E_2 are exact, and the number of three such hands side by side is too: for two and three hands that is all. From
four hands on the sum stops there. Partial sums of such a sum lie on alternate sides of the truth (Bonferroni), the
third term is held between the least and the most its deals allow, and so is a limit for the fourth: the bounds that
come out hold the truth for certain. Where there are few others (straight flushes) all terms are counted.

Shapes and hands come from the values that the rankings give; no hand is named here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import groupby
from math import comb, factorial, prod, sqrt
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from houseway.cards import DECK_52, Card, rank_of
from houseway.games.caribbean_stud import cover_all_returned
from houseway.paytables import PayTable
from houseway.proof.caribbean_stud import every_hand
from houseway.proof.compiled import Progress, jit, part, side_by_side, silent
from houseway.proof.distribution import Distribution, exact_wager
from houseway.proof.hands import binomials, deck_array, five_card_order
from houseway.ranking.poker import CATEGORIES

Deck: TypeAlias = tuple[Card, ...]
Left: TypeAlias = tuple[int, int, int, int]
"""How many ranks have one, two, three and four cards left; that is all a count by shapes needs to know."""
Ints: TypeAlias = npt.NDArray[np.int64]

FEW: Final = 100
"""Up to so many other hands every set of disjoint ones is visited."""
MOST_HANDS: Final = 8
NIBBLES: Final = 0x1111111111111
"""The lowest bit of each of thirteen four-bit counts, one a rank."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """An exact number, or two that hold the truth between them."""

    low: Fraction
    high: Fraction

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError(f"bounds {self.low} to {self.high} hold nothing")

    @property
    def exact(self) -> bool:
        return self.low == self.high

    @property
    def middle(self) -> Fraction:
        return (self.low + self.high) / 2

    def __add__(self, other: Bounds) -> Bounds:
        return Bounds(self.low + other.low, self.high + other.high)

    def __sub__(self, other: Bounds) -> Bounds:
        return Bounds(self.low - other.high, self.high - other.low)

    def times(self, factor: int | Fraction) -> Bounds:
        ends = (self.low * factor, self.high * factor)
        return Bounds(min(ends), max(ends))


@dataclass(frozen=True, slots=True)
class CoverAll:
    """What a Cover All comes to with a number of hands in the round, the dealer's included."""

    hands: int
    house_edge: Bounds
    hit_frequency: Bounds
    results: tuple[tuple[Fraction, Bounds], ...]
    """Every net result per unit of the wager, and its probability."""
    distribution: Distribution | None
    """Where every case is counted."""

    @property
    def exact(self) -> bool:
        return self.house_edge.exact

    @property
    def standard_deviation(self) -> float:
        """From the middles of the bounds, which are closer together than any digit shown."""
        if self.distribution:
            return self.distribution.standard_deviation
        mean = sum(net * chance.middle for net, chance in self.results)
        return sqrt(sum(net * net * chance.middle for net, chance in self.results) - mean**2)


def cover_all(table: PayTable, hands: int, deck: Deck = DECK_52, progress: Progress | None = None) -> CoverAll:
    """Cover All with ``hands`` hands dealt, every hand counting (CSC-2, CSC-3, CSC-A2)."""
    told = progress or silent
    told(f"cover all, {hands} hands", 0.0)
    deck = tuple(sorted(deck))
    num, den = table.schedule(CATEGORIES, hands)
    unit = exact_wager(den)
    steps = list(_steps(deck, lambda value: cover_all_returned(value, unit, num, den)))
    total = _deals(len(deck), hands)
    everything = Bounds(Fraction(total), Fraction(total))
    reaching = []
    for number, (limit, _) in enumerate(steps):
        reaching.append(everything - none_reaches(deck, hands, limit) if number else everything)
        told(f"cover all, {hands} hands", (number + 1) / len(steps))
    nothing = Bounds(Fraction(0), Fraction(0))
    results: dict[int, Bounds] = {}
    returned = nothing
    hits = nothing
    last_back = 0
    last_hit = False
    for (_, back), reaches, above in zip(steps, reaching, [*reaching[1:], nothing], strict=True):
        hit = back > unit
        returned += reaches.times(back - last_back)
        hits += reaches.times(int(hit) - int(last_hit))
        ways = reaches - above
        results[back - unit] = results.get(back - unit, nothing) + Bounds(max(ways.low, Fraction(0)), ways.high)
        last_back, last_hit = back, hit
    edge = Bounds(Fraction(1), Fraction(1)) - returned.times(Fraction(1, total * unit))
    exact = all(ways.exact for ways in results.values())
    return CoverAll(
        hands,
        edge,
        hits.times(Fraction(1, total)),
        tuple((Fraction(net, unit), ways.times(Fraction(1, total))) for net, ways in sorted(results.items())),
        Distribution(unit, {net: int(ways.low) for net, ways in results.items()}, total, int(hits.low))
        if exact
        else None,
    )


def _steps(deck: Deck, returned: Callable[[int], int]) -> Iterator[tuple[int, int]]:
    """Where, with the highest hand rising, what comes back changes: the first place and what comes back from there."""
    _, _, values = five_card_order()
    last = None
    for place in np.unique(every_hand(deck).place).tolist():
        back = returned(int(values[place]))
        if back != last:
            yield place, back
            last = back


def _deals(cards: int, hands: int) -> int:
    """In how many ways a number of hands, told apart, is dealt from so many cards."""
    return prod(comb(cards - 5 * hand, 5) for hand in range(hands))


@cache
def none_reaches(deck: Deck, hands: int, limit: int) -> Bounds:
    """In how many deals of ``hands`` hands none stands at the place ``limit`` or above."""
    shapes, others = _reaching(deck, limit)
    cards = len(deck)
    if 5 * hands > cards or hands > MOST_HANDS:
        raise ValueError(f"{hands} hands cannot be dealt from {cards} cards")
    if not others.few:
        return _bounded(deck, hands, shapes, others)
    counts = others.disjoint(min(cards // 5, MOST_HANDS))
    terms = [_none_of_shapes(_left(deck), shapes, hands)]
    terms += [_term(counts[j], shapes, hands - j) for j in range(1, hands + 1)]
    none = Fraction(sum((-1) ** j * comb(hands, j) * term for j, term in enumerate(terms)))
    return Bounds(none, none)


def _bounded(deck: Deck, hands: int, shapes: Shapes, others: Others) -> Bounds:
    """The sum up to its third term, and how far it can be from the truth."""
    counts = others.disjoint(2)
    first = [_none_of_shapes(_left(deck), shapes, hands)]
    first += [_term(counts[j], shapes, hands - j) for j in range(1, min(hands, 2) + 1)]
    known = sum((-1) ** j * comb(hands, j) * term for j, term in enumerate(first))
    low = high = known
    if hands >= 3:
        three, four_at_most = others.threes()
        rests = [_none_of_shapes(left, shapes, hands - 3) for left in _lefts(_left(deck), 15)]
        low -= comb(hands, 3) * three * max(rests)
        high -= comb(hands, 3) * three * min(rests)
        if hands >= 4:
            rests = [_none_of_shapes(left, shapes, hands - 4) for left in _lefts(_left(deck), 20)]
            high += comb(hands, 4) * four_at_most * max(rests)
    return Bounds(Fraction(low), Fraction(high))


def _term(counts: dict[Left, int], shapes: Shapes, hands: int) -> int:
    """E_j from the ways in which j other hands leave the ranks."""
    return sum(ways * _none_of_shapes(left, shapes, hands) for left, ways in counts.items())


Shape: TypeAlias = tuple[int, ...]
"""How often the ranks of a hand repeat, falling: a full house is (3, 2)."""
Shapes: TypeAlias = frozenset[Shape]


@cache
def _shape_of_hands(deck: Deck) -> tuple[npt.NDArray[np.int8], tuple[Shape, ...]]:
    """The shape of every hand, as a number into the list beside it."""
    # A rank's place in the deck is enough: equal ranks pair up, and the number of pairs among five cards, ten at most,
    # tells the shapes apart: 0 none, 1 a pair, 2 two pair, 3 three, 4 full house, 6 four, 10 five.
    ranks = deck_array(deck).astype(np.uint8)[every_hand(deck).cards] % 13
    pairs = np.zeros(len(ranks), dtype=np.int8)
    for i in range(5):
        for j in range(i):
            pairs += ranks[:, i] == ranks[:, j]
    shapes: list[Shape] = [()] * 11
    for shape in ((1, 1, 1, 1, 1), (2, 1, 1, 1), (2, 2, 1), (3, 1, 1), (3, 2), (4, 1)):
        shapes[sum(comb(count, 2) for count in shape)] = shape
    return pairs, tuple(shapes)


@cache
def _reaching(deck: Deck, limit: int) -> tuple[Shapes, Others]:
    """The shapes whose every hand reaches the limit, and the other hands that do."""
    place = every_hand(deck).place
    shape, names = _shape_of_hands(deck)
    dealt = np.bincount(shape, minlength=len(names))
    reach = np.bincount(shape[place >= limit], minlength=len(names))
    free = np.flatnonzero((dealt > 0) & (dealt == reach))
    others = np.flatnonzero((place >= limit) & ~np.isin(shape, free))
    return frozenset(names[number] for number in free), _others(deck, others.tobytes())


@cache
def _others(deck: Deck, numbers: bytes) -> Others:
    """One object for each set of other hands: several limits share theirs, and what was counted over them."""
    return Others(deck, np.frombuffer(numbers, dtype=np.int64))


class Others:
    """Hands that are taken card by card, and how many of them lie side by side."""

    def __init__(self, deck: Deck, numbers: Ints) -> None:
        hands = every_hand(deck)
        self.deck = deck
        self.cards = hands.cards[numbers].astype(np.int64)
        self.size = hands.size[numbers].astype(np.int64)
        self.bits = (np.int64(1) << self.cards).sum(axis=1)
        ranks = deck_array(deck)[self.cards] % 13
        self.ranks = (np.int64(1) << 4 * ranks).sum(axis=1)
        self._disjoint: dict[int, list[dict[Left, int]]] = {}
        self._threes: tuple[int, int] | None = None

    @property
    def few(self) -> bool:
        return len(self.cards) <= FEW

    def disjoint(self, most: int) -> list[dict[Left, int]]:
        """By number of hands, up to ``most``: the ways to deal disjoint ones in order, by what they leave."""
        if most not in self._disjoint:
            stands = self.size > 0
            counts = np.zeros((most + 1, 1 << 16), dtype=np.int64)
            whole = sum(1 << 4 * (rank_of(card) - 2) for card in self.deck)
            _disjoint_sets(
                *(self.bits[stands], self.ranks[stands], self.size[stands]),
                *(self.bits, self.ranks, whole, most, counts),
            )
            self._disjoint[most] = [
                # The first hand is told apart from the others, which were taken as a set.
                {_unpacked(key): int(counts[j, key]) * factorial(j - 1) for key in np.flatnonzero(counts[j]).tolist()}
                for j in range(most + 1)
            ]
        return self._disjoint[most]

    def threes(self) -> tuple[int, int]:
        """How many ordered threes of disjoint hands there are, and a number that the fours do not exceed."""
        if self._threes is None:
            stands = np.flatnonzero(self.size)
            choose = binomials(len(self.deck), 5)
            sizes = [comb(len(self.deck), size) for size in range(1, 5)]
            offsets = np.array([0, 0, *np.cumsum(sizes)[:-1]], dtype=np.int64)
            pairs, beside = np.concatenate(
                side_by_side(
                    *(
                        lambda half=half: _pairs_beside(
                            half, self.cards, self.bits, choose, offsets, np.zeros(sum(sizes), dtype=np.int32)
                        )
                        for half in np.array_split(stands, 2)
                    )
                ),
                axis=1,
            )
            size = self.size[stands]
            fours = sum(int(a) * int(b) * int(c) for a, b, c in zip(size, pairs, beside, strict=True))
            self._threes = int((size * pairs).sum()), fours
        return self._threes


def _unpacked(key: int) -> Left:
    return key & 15, key >> 4 & 15, key >> 8 & 15, key >> 12


def _left(deck: Deck) -> Left:
    """What a whole deck has."""
    counts = [sum(rank_of(card) == rank for card in deck) for rank in range(2, 15)]
    return counts.count(1), counts.count(2), counts.count(3), counts.count(4)


@cache
def _lefts(left: Left, cards: int) -> frozenset[Left]:
    """Everything that may be left when so many cards are gone."""
    if cards == 0:
        return frozenset([left])
    return frozenset(
        after for before in _lefts(left, cards - 1) for held in range(1, 5) if (after := _without(before, held, 1))
    )


def _without(left: Left, held: int, taken: int) -> Left | None:
    """What is left when a rank that has ``held`` cards loses ``taken``; None where there is no such rank."""
    if not left[held - 1]:
        return None
    counts = list(left)
    counts[held - 1] -= 1
    if held > taken:
        counts[held - taken - 1] += 1
    a, b, c, d = counts
    return a, b, c, d


@cache
def _none_of_shapes(left: Left, shapes: Shapes, hands: int) -> int:
    """In how many ways hands are dealt from what is left, none of them of these shapes."""
    cards = sum(count * (held + 1) for held, count in enumerate(left))
    return sum(
        (-1) ** i * comb(hands, i) * _of_shapes(left, shapes, i) * _deals(cards - 5 * i, hands - i)
        for i in range(hands + 1)
    )


@cache
def _of_shapes(left: Left, shapes: Shapes, hands: int) -> int:
    """In how many ways hands are dealt from what is left, all of them of these shapes."""
    if hands == 0:
        return 1
    return sum(ways * _of_shapes(after, shapes, hands - 1) for after, ways in _one_of_shapes(left, shapes).items())


@cache
def _one_of_shapes(left: Left, shapes: Shapes) -> dict[Left, int]:
    """What one hand of these shapes can leave, and in how many ways."""
    found: dict[Left, int] = {}
    for shape in shapes:
        # Ranks are chosen in order; those that give equally many cards could have come in any order.
        orders = prod(factorial(len(list(same))) for _, same in groupby(shape))
        ordered: dict[Left, int] = {}
        _choose_ranks(left, shape, (), 1, ordered)
        for after, ways in ordered.items():
            found[after] = found.get(after, 0) + ways // orders
    return found


def _choose_ranks(untouched: Left, shape: Shape, touched: tuple[int, ...], ways: int, found: dict[Left, int]) -> None:
    """Give each part of the shape a rank of its own; ``touched`` has what the ranks already chosen have left."""
    if not shape:
        counts = list(untouched)
        for held in touched:
            if held:
                counts[held - 1] += 1
        a, b, c, d = counts
        found[a, b, c, d] = found.get((a, b, c, d), 0) + ways
        return
    taken = shape[0]
    for held in range(taken, 5):
        rest = _without(untouched, held, held)
        if rest is not None:
            more = ways * untouched[held - 1] * comb(held, taken)
            _choose_ranks(rest, shape[1:], (*touched, held - taken), more, found)


@part
def _key(left: Any) -> Any:
    """How many ranks have one, two, three and four cards left, in four bits each; ``left`` has four bits a rank."""
    ones = left & NIBBLES
    twos = left >> 1 & NIBBLES
    three = ((ones & twos) * NIBBLES >> 48) & 15
    one = (ones * NIBBLES >> 48 & 15) - three
    two = (twos * NIBBLES >> 48 & 15) - three
    four = (left >> 2 & NIBBLES) * NIBBLES >> 48 & 15
    return one | two << 4 | three << 8 | four << 12


@jit()
def _disjoint_sets(
    first_bits: Any,
    first_ranks: Any,
    first_size: Any,
    bits: Any,
    ranks: Any,
    whole: Any,
    most: Any,
    counts: Any,
) -> None:
    """Every set of disjoint hands beside each first hand, counted under the number of hands and what is left."""
    next_hand = np.zeros(most + 1, dtype=np.int64)
    used_bits = np.zeros(most + 1, dtype=np.int64)
    used_ranks = np.zeros(most + 1, dtype=np.int64)
    for first in range(len(first_bits)):
        level = 1
        next_hand[1] = 0
        used_bits[1] = first_bits[first]
        used_ranks[1] = first_ranks[first]
        counts[1, _key(whole - used_ranks[1])] += first_size[first]
        while level > 0:
            hand = next_hand[level]
            if level == most or hand == len(bits):
                level -= 1
                continue
            next_hand[level] += 1
            if bits[hand] & used_bits[level] == 0:
                used_bits[level + 1] = used_bits[level] | bits[hand]
                used_ranks[level + 1] = used_ranks[level] + ranks[hand]
                level += 1
                next_hand[level] = hand + 1
                counts[level, _key(whole - used_ranks[level])] += first_size[first]


@part
def _shift(five: Any, held: Any, choose: Any, offsets: Any, by: Any) -> Any:
    """Enter a hand (``by`` 1) or take it out (-1), and say how the sum over sets T of (-1)^|T| F(T)^2 changes.

    F(T) is the number of hands that hold T. The sum, the empty set's part left to the caller, is the number of ordered
    pairs of disjoint hands: each pair is counted once for every set of cards it shares, with alternating sign.
    """
    change = 0
    for i in range(5):
        one = choose[1, five[i]] + offsets[1]
        change -= 2 * by * held[one] + 1
        held[one] += by
        two_of = choose[1, five[i]]
        for j in range(i + 1, 5):
            two = two_of + choose[2, five[j]]
            at = two + offsets[2]
            change += 2 * by * held[at] + 1
            held[at] += by
            for k in range(j + 1, 5):
                three = two + choose[3, five[k]]
                at = three + offsets[3]
                change -= 2 * by * held[at] + 1
                held[at] += by
                for m in range(k + 1, 5):
                    at = three + choose[4, five[m]] + offsets[4]
                    change += 2 * by * held[at] + 1
                    held[at] += by
    # No two hands share all five cards.
    return change - by


@jit()
def _pairs_beside(firsts: Any, cards: Any, bits: Any, choose: Any, offsets: Any, held: Any) -> Any:
    """For each first hand: the ordered pairs of disjoint hands beside it, and the single hands beside it."""
    found = np.zeros((2, len(firsts)), dtype=np.int64)
    entered = np.zeros(len(cards), dtype=np.bool_)
    shared = 0
    beside = 0
    for number in range(len(firsts)):
        first = bits[firsts[number]]
        # First hands that follow each other share cards, so few hands have to be entered or taken out between them.
        for hand in range(len(cards)):
            free = bits[hand] & first == 0
            if free != entered[hand]:
                entered[hand] = free
                by = 1 if free else -1
                shared += _shift(cards[hand], held, choose, offsets, by)
                beside += by
        found[0, number] = beside * beside + shared
        found[1, number] = beside
    return found
