"""A second opinion on caribbean stud, written for it alone, before one solver counted every game.

Caribbean Stud Poker, counted: own five cards, the dealer's up card, and every four cards under it.

The player decides with his five cards and the up card in view. Seen from there, Ante and Bet come back by the dealer's
value in a few steps (below ace-king, below the player, equal, above), which are read off the rules. What is needed is
how many of the dealer's hands lie below each step: hands that hold the up card u and none of the player's five cards.
With F(T) the number of hands below the step that hold all of T, that is the sum over every subset S of the player's
cards of (-1)^|S| F(S + u). F is kept for all sets of one to four cards and grows as hands are entered in rising
order; every question is asked when the hands below its step have been entered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
from tests.proof.second_opinions.hands import five_card_order, suit_twins

from houseway.cards import DECK_52, JACK, KING, QUEEN, Card, rank_of, suit_of
from houseway.games import caribbean_stud as game
from houseway.games.caribbean_stud import BET_HANDS, BONUS_HANDS, ante_returned, bet_returned
from houseway.paytables import PayTable
from houseway.proof.compiled import Progress, jit, part, side_by_side, silent
from houseway.proof.distribution import Distribution, exact_wager, side_wager
from houseway.proof.hands import SUITS, binomials, class_size, deck_array
from houseway.ranking import five_card
from houseway.ranking.poker import CATEGORIES, HIGH_CARD, PAIR, TOP_DIGIT, category, pack, value_of_five

Deck: TypeAlias = tuple[Card, ...]
Ints: TypeAlias = npt.NDArray[np.int64]
Flags: TypeAlias = npt.NDArray[np.bool_]

MOST_STEPS: Final = 8
"""More steps than the rules make; a rule that made more is refused, not miscounted."""

PORTION: Final = 8192
"""Questions answered between two reports of progress."""


@dataclass(frozen=True, slots=True)
class Hands:
    """Every five-card hand of a deck, by the number of its set of places."""

    cards: npt.NDArray[np.uint8]
    """Rising places in the deck."""
    place: npt.NDArray[np.int16]
    """In the order of values."""
    size: npt.NDArray[np.int8]
    """How many hands the hand stands for, 0 where another stands for it."""


@cache
def every_hand(deck: Deck) -> Hands:
    words, places, _ = five_card_order()
    return Hands(*_every_hand(deck_array(deck), comb(len(deck), 5), words, places, *suit_twins(deck)))


@cache
def ways_by_value(deck: Deck = DECK_52) -> dict[int, int]:
    """In how many ways a five-card hand of every value is dealt."""
    _, _, values = five_card_order()
    counts = np.bincount(every_hand(deck).place, minlength=len(values))
    return {int(value): int(count) for value, count in zip(values, counts, strict=True) if count}


@cache
def ways_by_category(deck: Deck = DECK_52) -> dict[str, int]:
    """In how many ways a hand of every category is dealt: the rows of the progressives (CSP-1)."""
    ways = dict.fromkeys(CATEGORIES[:10], 0)
    for value, count in ways_by_value(deck).items():
        ways[CATEGORIES[category(value)]] += count
    return ways


def bonus(table: PayTable, deck: Deck = DECK_52) -> Distribution:
    """The Bonus of a hand that is not folded (CSB-2)."""
    num, den = table.schedule(BONUS_HANDS)
    return side_wager(ways_by_value(deck), lambda hand, wager: game.bonus_returned(hand, wager, num, den), den)


@dataclass(frozen=True, slots=True)
class BaseGame:
    """Ante and Bet under one way to decide."""

    distribution: Distribution
    """Per unit of Ante; a hit is a round that ends ahead."""
    raise_frequency: Fraction


@dataclass(frozen=True, slots=True)
class Solution:
    """What the Bet is worth with every hand against every up card, and what any way to decide comes to.

    One row for each class of hands that differ only in the names of suits, one column for each up card.
    """

    deck: Deck
    ante: int
    bet: int
    numbers: Ints
    """The number, as a set of places in the deck, of the hand that stands for each class; rising."""
    cards: npt.NDArray[np.uint8]
    """Its cards."""
    values: Ints
    ways: Ints
    """How many hands the class has."""
    possible: Flags
    """Whether the up card is none of the hand's own cards."""
    worth: Ints
    """The net result of betting, summed over every four cards under the up card, in parts of the Ante."""
    nets: Ints
    """The net result of betting by step."""
    counts: npt.NDArray[np.int32]
    """By step, class and up card: how many of the dealer's hands lie in the step."""

    @property
    def holes(self) -> int:
        """How many sets of four cards may lie under the up card."""
        return comb(len(self.deck) - 6, 4)

    @property
    def best(self) -> Flags:
        """Where betting is worth more than folding."""
        return self.possible & (self.worth > -self.ante * self.holes)

    @property
    def best_without_up_card(self) -> Flags:
        """The same for a player who does not look at the up card: one decision for a hand."""
        worth = np.where(self.possible, self.worth, 0).sum(axis=1)
        bets = worth > -self.ante * self.holes * self.possible.sum(axis=1)
        return np.broadcast_to(bets[:, None], self.possible.shape)

    @property
    def bet_from(self) -> int:
        """The lowest value from which on every hand is best bet, whatever the up card."""
        folds = self.values[(self.possible & ~self.best).any(axis=1)]
        return int(self.values[self.values > folds.max(initial=-1)].min(initial=np.iinfo(np.int64).max))

    @property
    def fold_below(self) -> int:
        """The lowest value that is best bet against some up card; every lower hand is best folded."""
        return int(self.values[self.best.any(axis=1)].min(initial=np.iinfo(np.int64).max))

    def worth_of(self, cards: Sequence[Card], up: Card) -> Fraction:
        """The average net result of betting these cards against this up card, per unit of Ante; folding is worth -1."""
        named = _in_class_form(self.deck, cards, up)
        places = sorted(self.deck.index(card) for card in named[:-1])
        number = sum(comb(place, size) for size, place in enumerate(places, start=1))
        row = int(np.searchsorted(self.numbers, number))
        return Fraction(int(self.worth[row, self.deck.index(named[-1])]), self.ante * self.holes)

    def from_value(self, value: int) -> Flags:
        """Bet this hand or better, whatever the up card."""
        return np.broadcast_to((self.values >= value)[:, None], self.possible.shape)

    def play(self, bets: Flags) -> BaseGame:
        """What deciding so comes to, over every deal."""
        bets = bets & self.possible
        nets: dict[int, int] = {}
        for step in range(len(self.counts)):
            counts = np.where(bets, self.counts[step], 0).sum(axis=1, dtype=np.int64) * self.ways
            kinds, kind = np.unique(self.nets[step], return_inverse=True)
            sums = np.zeros(len(kinds), dtype=np.int64)
            np.add.at(sums, kind, counts)
            for net, count in zip(kinds.tolist(), sums.tolist(), strict=True):
                nets[net] = nets.get(net, 0) + count
        total = comb(len(self.deck), 5) * (len(self.deck) - 5) * self.holes
        raised = int((bets.sum(axis=1) * self.ways).sum()) * self.holes
        nets[-self.ante] = nets.get(-self.ante, 0) + total - raised
        frequency = Fraction(raised, total)
        hits = sum(count for net, count in nets.items() if net > 0)
        wagered = 1 + frequency * Fraction(self.bet, self.ante)
        return BaseGame(Distribution(self.ante, nets, total, hits, wagered), frequency)


def solve(bet_table: PayTable, deck: Deck = DECK_52, progress: Progress | None = None) -> Solution:
    """The worth of every hand against every up card, by the rules and the pay table of the Bet."""
    told = progress or silent
    told("caribbean stud", 0.0)
    deck = tuple(sorted(deck))
    hands = every_hand(deck)
    stands = np.flatnonzero(hands.size)
    cards, place = hands.cards[stands], hands.place[stands].astype(np.int64)
    num, den = bet_table.schedule(BET_HANDS)
    ante = exact_wager(den)
    bet = 2 * ante
    _, _, values = five_card_order()
    schedule = np.array(num, dtype=np.int64), np.array(den, dtype=np.int64)
    starts, nets, steps = _steps(values, np.unique(hands.place), ante, bet, *schedule, MOST_STEPS)
    if steps.max() > MOST_STEPS:
        raise ValueError(f"what comes back changes more than {MOST_STEPS} times with the dealer's value")
    most = int(steps.max())
    counts = np.full((most, len(stands), len(deck)), comb(len(deck) - 6, 4), dtype=np.int32)
    _ask(deck, hands, cards, [starts[place, step] for step in range(1, most)], counts, told)
    # So far every step counts the hands below its end; in it are those that the step before has not.
    for step in range(most - 1, 0, -1):
        counts[step] -= counts[step - 1]
    net = nets[place].T[:most]
    possible = np.ones((len(stands), len(deck)), dtype=np.bool_)
    np.put_along_axis(possible, cards.astype(np.int64), False, axis=1)
    worth = np.zeros(possible.shape, dtype=np.int64)
    for step in range(most):
        worth += counts[step] * net[step][:, None]
    told("caribbean stud", 1.0)
    ways = hands.size[stands].astype(np.int64)
    own = deck_array(deck)[cards].astype(np.uint8)
    return Solution(deck, ante, bet, stands, own, values[place], ways, possible, worth, net, counts)


def _ask(
    deck: Deck,
    hands: Hands,
    cards: npt.NDArray[np.uint8],
    starts: Sequence[Ints],
    below: npt.NDArray[np.int32],
    told: Progress,
) -> None:
    """Fill ``below``, by step the hands below its end, where a next one starts; in two halves at once.

    Questions are asked in rising order of those starts. The last step of a class has no end and is left as it is.
    """
    order = np.argsort(hands.place, kind="stable")
    in_order, place_in_order = hands.cards[order], hands.place[order]
    limits = np.concatenate([np.zeros(0, dtype=np.int64), *starts])
    asked = np.flatnonzero(limits)
    asked = asked[np.argsort(limits[asked], kind="stable")]
    step, which = asked // len(cards), asked % len(cards)
    choose = binomials(len(deck), 5)
    sizes = [comb(len(deck), size) for size in range(1, 5)]
    offsets = np.array([0, 0, *np.cumsum(sizes)[:-1]], dtype=np.int64)

    def half(first: int, last: int, name: str) -> None:
        held = np.zeros(sum(sizes), dtype=np.int32)
        entered = 0
        for start in range(first, last, PORTION):
            rows = slice(start, min(start + PORTION, last))
            entered = _count_below(
                *(in_order, place_in_order, hands.place, entered, held, choose, offsets),
                *(cards, limits[asked[rows]], step[rows], which[rows], below),
            )
            told(name, (rows.stop - first) / (last - first))

    middle = len(asked) // 2
    side_by_side(
        lambda: half(0, middle, "caribbean stud, lower hands"),
        lambda: half(middle, len(asked), "caribbean stud, higher hands"),
    )


def _in_class_form(deck: Deck, cards: Sequence[Card], up: Card) -> list[Card]:
    """The cards and the up card with twin suits renamed, so that the hand is the one that stands for its class."""
    before, _ = suit_twins(deck)
    held = [sum(1 << rank_of(card) for card in cards if suit_of(card) == suit) for suit in range(SUITS)]
    groups: list[list[int]] = []
    for suit in range(SUITS):
        if before[suit] < 0:
            groups.append([])
        next(group for group in groups if not group or before[suit] in group).append(suit)
    renamed = {
        old: new
        for group in groups
        for old, new in zip(sorted(group, key=lambda suit: -held[suit]), group, strict=True)
    }
    return [Card(13 * renamed[suit_of(card)] + rank_of(card) - 2) for card in (*cards, up)]


def by_three_rules(solution: Solution) -> Flags:
    """A way to play that fits on a card: pairs always, below ace-king never, ace-king by the up card.

    With ace-king, bet where the up card is a queen or lower and pairs one of yours; or is an ace or king and you hold
    a queen or jack; or pairs none of yours, is lower than your fourth highest card, and you hold a queen.
    """
    ranks = np.sort(solution.cards.astype(np.int64) % 13 + 2, axis=1)[:, ::-1]
    up = np.array([rank_of(card) for card in sorted(solution.deck)], dtype=np.int64)[None, :]
    pairs_one = (ranks[:, :, None] == up[:, None, :]).any(axis=1)
    queen = (ranks == QUEEN).any(axis=1)[:, None]
    queen_or_jack = queen | (ranks == JACK).any(axis=1)[:, None]
    rules = (pairs_one & (up <= QUEEN)) | ((up >= KING) & queen_or_jack) | (~pairs_one & queen & (up < ranks[:, 3:4]))
    bets: Flags = solution.from_value(PAIR << TOP_DIGIT) | (solution.from_value(game.ACE_KING) & rules)
    return bets


RULES_OF_THUMB: Final[Mapping[str, Callable[[Solution], Flags]]] = {
    "raise any pair or better": lambda solution: solution.from_value(PAIR << TOP_DIGIT),
    "raise A-K-4-3-2 or better": lambda solution: solution.from_value(pack(HIGH_CARD, (14, 13, 4, 3, 2))),
    "raise A-K-J-8-3 or better": lambda solution: solution.from_value(pack(HIGH_CARD, (14, 13, 11, 8, 3))),
    "the best that ignores the up card": lambda solution: solution.best_without_up_card,
    "ace-king by three rules on the up card": by_three_rules,
    "raise every hand": lambda solution: solution.possible,
}
"""Ways to play that a person can keep in mind; what each costs is its edge less that of ``Solution.best``."""


def advise(cards: Sequence[Card], up: Card, bet_table: PayTable, deck: Deck = DECK_52) -> dict[str, Fraction]:
    """The average net result of each choice with these cards against this up card, per unit of Ante."""
    words, places, values = five_card_order()
    num, den = bet_table.schedule(BET_HANDS)
    ante = exact_wager(den)
    bet = 2 * ante
    own = five_card.value(*cards)
    rest = np.array([card for card in deck if card != up and card not in cards], dtype=np.int64)
    net = 0
    for place, count in enumerate(_dealer_places(rest, int(up), words, places, len(values)).tolist()):
        if count:
            dealer = int(values[place])
            back = ante_returned(own, dealer, ante) + bet_returned(own, dealer, bet, num, den)
            net += count * (back - ante - bet)
    return {"play": Fraction(net, comb(len(rest), 4) * ante), "fold": Fraction(-1)}


@jit()
def _every_hand(deck: Any, number: Any, words: Any, places: Any, before: Any, nth: Any) -> Any:
    cards = np.empty((number, 5), dtype=np.uint8)
    place = np.empty(number, dtype=np.int16)
    size = np.empty(number, dtype=np.int8)
    ranks = np.zeros(SUITS, dtype=np.int64)
    run = np.zeros(SUITS, dtype=np.int64)
    hand = 0
    for e in range(4, len(deck)):
        for d in range(3, e):
            for c in range(2, d):
                for b in range(1, c):
                    for a in range(b):
                        cards[hand, 0] = a
                        cards[hand, 1] = b
                        cards[hand, 2] = c
                        cards[hand, 3] = d
                        cards[hand, 4] = e
                        place[hand] = value_of_five(deck[a], deck[b], deck[c], deck[d], deck[e], words, places)
                        ranks[:] = 0
                        for held in range(5):
                            card = deck[cards[hand, held]]
                            ranks[suit_of(card)] |= 1 << rank_of(card)
                        size[hand] = class_size(ranks, before, nth, run)
                        hand += 1
    return cards, place, size


@jit()
def _steps(values: Any, places: Any, ante: Any, bet: Any, num: Any, den: Any, most: Any) -> Any:
    """By the player's place: where, with the dealer's place rising, what comes back changes, and the net from there.

    A start of 0 is no step; the first step starts at the lowest hand and has none.
    """
    starts = np.zeros((len(values), most), dtype=np.int64)
    nets = np.zeros((len(values), most), dtype=np.int64)
    steps = np.zeros(len(values), dtype=np.int64)
    for own in places:
        player = values[own]
        last = -1
        for place in places:
            dealer = values[place]
            back = ante_returned(player, dealer, ante) + bet_returned(player, dealer, bet, num, den)
            if back != last:
                if steps[own] < most:
                    if last >= 0:
                        starts[own, steps[own]] = place
                    nets[own, steps[own]] = back - ante - bet
                steps[own] += 1
                last = back
    return starts, nets, steps


@part
def _enter(five: Any, held: Any, choose: Any, offsets: Any) -> None:
    """Count a hand under each of its sets of one to four cards."""
    for i in range(5):
        one = choose[1, five[i]]
        held[offsets[1] + one] += 1
        for j in range(i + 1, 5):
            two = one + choose[2, five[j]]
            held[offsets[2] + two] += 1
            for k in range(j + 1, 5):
                three = two + choose[3, five[k]]
                held[offsets[3] + three] += 1
                for m in range(k + 1, 5):
                    held[offsets[4] + three + choose[4, five[m]]] += 1


@part
def _beside(five: Any, held: Any, place: Any, limit: Any, choose: Any, offsets: Any, chosen: Any, found: Any) -> None:
    """For every up card: how many hands below ``limit`` hold it and none of the five cards.

    The up card stands in one of the gaps between the chosen cards; in a gap the number of the whole set is that of the
    chosen cards, those above the gap moved up by one, and of the up card. All five chosen leave no room for it.
    """
    found[:] = 0
    for subset in range(31):
        count = 0
        for i in range(5):
            if subset >> i & 1:
                chosen[count] = five[i]
                count += 1
        sign = -1 if count & 1 else 1
        for gap in range(count + 1):
            low = chosen[gap - 1] + 1 if gap > 0 else 0
            high = chosen[gap] if gap < count else len(found)
            number = 0
            for i in range(count):
                number += choose[i + 1, chosen[i]] if i < gap else choose[i + 2, chosen[i]]
            if count < 4:
                number += offsets[count + 1]
                for up in range(low, high):
                    found[up] += sign * held[number + choose[gap + 1, up]]
            else:
                for up in range(low, high):
                    if place[number + choose[gap + 1, up]] < limit:
                        found[up] += sign


@jit()
def _count_below(
    in_order: Any,
    place_in_order: Any,
    place: Any,
    entered: Any,
    held: Any,
    choose: Any,
    offsets: Any,
    cards: Any,
    limits: Any,
    step: Any,
    which: Any,
    below: Any,
) -> Any:
    """Answer questions in the order of their limits, going on from ``entered`` hands; gives back how many are now."""
    five = np.empty(5, dtype=np.int64)
    chosen = np.empty(5, dtype=np.int64)
    found = np.empty(below.shape[2], dtype=np.int64)
    for question in range(len(limits)):
        while entered < len(in_order) and place_in_order[entered] < limits[question]:
            for i in range(5):
                five[i] = in_order[entered, i]
            _enter(five, held, choose, offsets)
            entered += 1
        for i in range(5):
            five[i] = cards[which[question], i]
        _beside(five, held, place, limits[question], choose, offsets, chosen, found)
        for up in range(len(found)):
            below[step[question], which[question], up] = found[up]
    return entered


@jit()
def _dealer_places(rest: Any, up: Any, words: Any, places: Any, size: Any) -> Any:
    """How many of the hands made of the up card and four others stand at each place."""
    counts = np.zeros(size, dtype=np.int64)
    for a in range(3, len(rest)):
        for b in range(2, a):
            for c in range(1, b):
                for d in range(c):
                    counts[value_of_five(rest[a], rest[b], rest[c], rest[d], up, words, places)] += 1
    return counts
