"""A wager on the highest of two to eight hands of a round, such as Cover All, counted.

It serves every game whose hands of five cards, the dealer's included, are ranked alike.

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
from houseway.games.model import Game, Hand, Rule, Wager
from houseway.paytables import PayTable
from houseway.proof.cardsets import class_sizes, every_set, values_of, values_of_sets, verified_suits
from houseway.proof.compiled import Progress, jit, part, side_by_side, silent
from houseway.proof.distribution import Distribution, exact_wager
from houseway.proof.figure import Simulation
from houseway.proof.hands import binomials, deck_array
from houseway.ranking.ranking import Ranking
from houseway.refusal import Refusal
from houseway.rule import arguments_of

Deck: TypeAlias = tuple[Card, ...]
Left: TypeAlias = tuple[int, int, int, int]
"""How many ranks have one, two, three and four cards left; that is all a count by shapes needs to know."""
Ints: TypeAlias = npt.NDArray[np.int64]

FEW: Final = 100
"""Up to so many other hands every set of disjoint ones is visited."""
MOST_HANDS: Final = 8
SIMULATED_ROUNDS: Final = 2_000_000
SIMULATION_SEED: Final = 20_230_401
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


def ranking_of(game: Game) -> Ranking:
    """The ranking of the hands of which the highest counts, or a refusal that says why it cannot be counted."""
    if game.highest is None:
        raise Refusal("wager", f"{game.key} does not say which hand is the highest")
    own, dealer = game.value_of(game.highest.of), game.value_of(game.highest.dealer)
    if not isinstance(own, Hand) or not isinstance(dealer, Hand) or own.ranking is not dealer.ranking:
        raise Refusal("wager", f"the hands of {game.key}, the dealer's included, are not ranked alike")
    if (game.player_cards, game.dealer_cards) != (5, 5) or len(own.places) != 1:
        raise Refusal(
            "wager", f"the highest of several hands is counted for hands of five cards; {game.key} has others"
        )
    return own.ranking


def cover_all(
    game: Game, wager: Wager, table: PayTable, hands: int, deck: Deck = DECK_52, progress: Progress | None = None
) -> CoverAll:
    """A wager on the highest hand with ``hands`` hands dealt, every hand counting (CSC-2, CSC-3, CSC-A2)."""
    told = progress or silent
    what = f"{wager.label}, {hands} hands"
    told(what, 0.0)
    ranking = ranking_of(game)
    deck = tuple(sorted(deck))
    odds = table.schedule(wager.hands, hands)
    unit = exact_wager(odds[1])
    pays = _returned(game, wager)
    steps = list(_steps(ranking, deck, lambda value: pays(value, unit, odds)))
    total = _deals(len(deck), hands)
    everything = Bounds(Fraction(total), Fraction(total))
    reaching = []
    for number, (limit, _) in enumerate(steps):
        reaching.append(everything - none_reaches(ranking, deck, hands, limit) if number else everything)
        told(what, (number + 1) / len(steps))
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


def _returned(game: Game, wager: Wager) -> Callable[[int, int, tuple[Any, Any]], int]:
    """What the wager gives back, by the highest value, the stake and the odds."""
    rule: Rule | None = wager.pays
    if rule is None or game.highest is None:
        raise Refusal("wager", f"{wager.key} of {game.key} has no rule")
    names = arguments_of(rule)
    key = game.highest.key
    unknown = [name for name in names if name not in (key, wager.key, "stake", "num", "den")]
    if unknown:
        raise Refusal("wager", f"{wager.key} of {game.key} looks at {unknown[0]} beside the highest hand")

    def returned(value: int, stake: int, odds: tuple[Any, Any]) -> int:
        env = {key: value, wager.key: stake, "stake": stake, "num": odds[0], "den": odds[1]}
        return int(rule(*[env[name] for name in names]))

    return returned


@dataclass(frozen=True, slots=True)
class RankedHands:
    """Every five-card hand of a deck, by the number of its set of places."""

    cards: npt.NDArray[np.uint8]
    place: Ints
    """In the order of values."""
    values: Ints
    """By place."""
    size: npt.NDArray[np.int8]
    """How many hands the hand stands for, 0 where another stands for it."""


@cache
def ranked_hands(ranking: Ranking, deck: Deck) -> RankedHands:
    """All hands, and classes of them where suits may be renamed."""
    cards = every_set(deck, 5)
    values = values_of_sets(ranking, deck, 5)
    ordered, place = np.unique(values, return_inverse=True)
    sizes = class_sizes(deck, cards, verified_suits(deck, [(cards, values)]))
    return RankedHands(cards, place, ordered, sizes)


def _steps(ranking: Ranking, deck: Deck, returned: Callable[[int], int]) -> Iterator[tuple[int, int]]:
    """Where, with the highest hand rising, what comes back changes: the first place and what comes back from there."""
    last = None
    for place, value in enumerate(ranked_hands(ranking, deck).values.tolist()):
        back = returned(value)
        if back != last:
            yield place, back
            last = back


def _deals(cards: int, hands: int) -> int:
    """In how many ways a number of hands, told apart, is dealt from so many cards."""
    return prod(comb(cards - 5 * hand, 5) for hand in range(hands))


@cache
def none_reaches(ranking: Ranking, deck: Deck, hands: int, limit: int) -> Bounds:
    """In how many deals of ``hands`` hands none stands at the place ``limit`` or above."""
    shapes, others = _reaching(ranking, deck, limit)
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
def _shape_of_hands(ranking: Ranking, deck: Deck) -> tuple[npt.NDArray[np.int8], tuple[Shape, ...]]:
    """The shape of every hand, as a number into the list beside it."""
    # A rank's place in the deck is enough: equal ranks pair up, and the number of pairs among five cards, ten at most,
    # tells the shapes apart: 0 none, 1 a pair, 2 two pair, 3 three, 4 full house, 6 four, 10 five.
    ranks = deck_array(deck).astype(np.uint8)[ranked_hands(ranking, deck).cards] % 13
    pairs = np.zeros(len(ranks), dtype=np.int8)
    for i in range(5):
        for j in range(i):
            pairs += ranks[:, i] == ranks[:, j]
    shapes: list[Shape] = [()] * 11
    for shape in ((1, 1, 1, 1, 1), (2, 1, 1, 1), (2, 2, 1), (3, 1, 1), (3, 2), (4, 1)):
        shapes[sum(comb(count, 2) for count in shape)] = shape
    return pairs, tuple(shapes)


@cache
def _reaching(ranking: Ranking, deck: Deck, limit: int) -> tuple[Shapes, Others]:
    """The shapes whose every hand reaches the limit, and the other hands that do."""
    place = ranked_hands(ranking, deck).place
    shape, names = _shape_of_hands(ranking, deck)
    dealt = np.bincount(shape, minlength=len(names))
    reach = np.bincount(shape[place >= limit], minlength=len(names))
    free = np.flatnonzero((dealt > 0) & (dealt == reach))
    others = np.flatnonzero((place >= limit) & ~np.isin(shape, free))
    return frozenset(names[number] for number in free), _others(ranking, deck, others.tobytes())


@cache
def _others(ranking: Ranking, deck: Deck, numbers: bytes) -> Others:
    """One object for each set of other hands: several limits share theirs, and what was counted over them."""
    return Others(ranking, deck, np.frombuffer(numbers, dtype=np.int64))


class Others:
    """Hands that are taken card by card, and how many of them lie side by side."""

    def __init__(self, ranking: Ranking, deck: Deck, numbers: Ints) -> None:
        hands = ranked_hands(ranking, deck)
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


# ------------------------------------------------------------------------------------------------ a second witness


@cache
def highest_dealt(ranking: Ranking, deck: Deck, most: int) -> list[dict[int, int]]:
    """By number of hands: how often a hand of each value was the highest of random deals."""
    cards = np.empty((SIMULATED_ROUNDS, 5 * most), dtype=np.uint8)
    _deal_rounds(np.arange(len(deck), dtype=np.int64), np.array([SIMULATION_SEED]), cards)
    found: list[dict[int, int]] = [{}]
    highest = np.zeros(SIMULATED_ROUNDS, dtype=np.int64)
    for hand in range(most):
        values = values_of(ranking, deck, np.ascontiguousarray(cards[:, 5 * hand : 5 * hand + 5]))
        highest = np.maximum(highest, values)
        kinds, times = np.unique(highest, return_counts=True)
        found.append(dict(zip(kinds.tolist(), times.tolist(), strict=True)))
    return found


def simulated(game: Game, wager: Wager, table: PayTable, hands: int) -> Simulation:
    """The same wager over random deals, paid by the rule; the error is that of the sample."""
    most = max(table.columns)
    highest = highest_dealt(ranking_of(game), tuple(game.deck), most)
    odds = table.schedule(wager.hands, hands)
    unit = exact_wager(odds[1])
    returned = _returned(game, wager)
    net = square = 0
    for value, times in highest[hands].items():
        result = returned(value, unit, odds) - unit
        net += result * times
        square += result * result * times
    mean = net / (SIMULATED_ROUNDS * unit)
    variance = square / (SIMULATED_ROUNDS * unit**2) - mean**2
    return Simulation(round(-mean, 6), round(sqrt(variance / SIMULATED_ROUNDS), 6), SIMULATED_ROUNDS, SIMULATION_SEED)


@part
def drawn_below(limit: Any, state: Any) -> Any:
    """A random whole number below ``limit``, from the high bits of Knuth's linear congruential generator.

    Only compiled does the multiplication wrap around, as the generator wants.
    """
    most = (1 << 31) - (1 << 31) % limit
    while True:
        state[0] = state[0] * 6364136223846793005 + 1442695040888963407
        drawn = state[0] >> 33 & 0x7FFFFFFF
        if drawn < most:
            return drawn % limit


@jit()
def _deal_rounds(deck: Any, state: Any, dealt: Any) -> None:
    """Deal a round of cards into every row, hand by hand."""
    for row in range(len(dealt)):
        for at in range(dealt.shape[1]):
            other = at + drawn_below(len(deck) - at, state)
            card = deck[other]
            deck[other] = deck[at]
            deck[at] = card
            dealt[row, at] = card
