"""A second opinion on three card poker, written for it alone, before one solver counted every game.

Three Card Poker, counted: every hand, every six cards, and every dealer's hand against every player's.

The player sees nothing but his own three cards, so his best decision is one for each hand; hands that differ only in
the names of suits are one class.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from tests.proof.second_opinions.hands import five_card_order, suit_twins

from houseway.cards import DECK_52, Card, rank_of, suit_of
from houseway.games import three_card_poker as game
from houseway.games.three_card_poker import (
    PROGRESSIVE_HANDS,
    SIX_CARD_HANDS,
    ante_bonus,
    ante_returned,
    play_returned,
    progressive_row,
)
from houseway.paytables import PayTable
from houseway.proof.compiled import Progress, jit, silent
from houseway.proof.distribution import Distribution, exact_wager, side_wager
from houseway.proof.hands import class_size, deck_array
from houseway.ranking.poker import value_of_six
from houseway.ranking.three_card import CATEGORIES, value_of_three

Deck: TypeAlias = tuple[Card, ...]
Ints: TypeAlias = npt.NDArray[np.int64]


@cache
def ways_by_value(deck: Deck = DECK_52) -> dict[int, int]:
    """In how many ways a three-card hand of every value is dealt."""
    return _ways_by_value(deck)


def _ways_by_value(cards: Sequence[Card]) -> dict[int, int]:
    ways: dict[int, int] = {}
    for hand in combinations(cards, 3):
        value = value_of_three(*hand)
        ways[value] = ways.get(value, 0) + 1
    return ways


@cache
def ways_by_row(deck: Deck = DECK_52) -> dict[str, int]:
    """In how many ways a hand of every progressive row is dealt, rows that no table pays included (TCX-1)."""
    ways = dict.fromkeys(PROGRESSIVE_HANDS, 0)
    for hand in combinations(deck, 3):
        ways[PROGRESSIVE_HANDS[progressive_row(value_of_three(*hand), suit_of(hand[0]))]] += 1
    return ways


@cache
def six_card_ways(deck: Deck = DECK_52) -> dict[int, int]:
    """In how many ways six cards come whose best five are worth a value, by value."""
    words, places, values = five_card_order()
    counts = _six_card_places(deck_array(deck), words, places, len(values))
    return {int(value): int(count) for value, count in zip(values, counts, strict=True) if count}


def pair_plus(table: PayTable, deck: Deck = DECK_52) -> Distribution:
    """Pair Plus of a hand that is not folded (TC-11)."""
    num, den = table.schedule(CATEGORIES)
    return side_wager(ways_by_value(deck), lambda hand, wager: game.pair_plus_returned(hand, wager, num, den), den)


def six_card_bonus(table: PayTable, deck: Deck = DECK_52) -> Distribution:
    """The 6 Card Bonus over every six cards: which three are the player's does not matter (TCB-1)."""
    num, den = table.schedule(SIX_CARD_HANDS)
    return side_wager(six_card_ways(deck), lambda best, wager: game.six_card_bonus_returned(best, wager, num, den), den)


@dataclass(frozen=True, slots=True)
class HandClass:
    """Hands that differ only in the names of suits, and what playing one of them is worth."""

    cards: tuple[Card, ...]
    """One of them."""
    value: int
    ways: int
    play: Fraction
    """The average net result of playing it, per unit of Ante; folding it is worth -1."""

    @property
    def plays(self) -> bool:
        return self.play > -1


@dataclass(frozen=True, slots=True)
class BaseGame:
    """Ante and Play under the best decision for every hand, or under a given rule of thumb."""

    distribution: Distribution
    """Per unit of Ante; a hit is a round that ends ahead."""
    play_frequency: Fraction
    classes: tuple[HandClass, ...]
    """Every class, the best value first."""

    @property
    def play_from(self) -> int | None:
        """The value from which on every hand is worth playing, every lower one worth folding; None if there is none."""
        played = [hand.value for hand in self.classes if hand.plays]
        folded = [hand.value for hand in self.classes if not hand.plays]
        if not played or (folded and max(folded) >= min(played)):
            return None
        return min(played)


def base_game(
    bonus_table: PayTable,
    equal_hands: str = "push",
    *,
    decide: Callable[[int], bool] | None = None,
    deck: Deck = DECK_52,
    progress: Progress | None = None,
) -> BaseGame:
    """Ante, Play and Ante Bonus against every dealer's hand.

    ``decide`` says by a hand's value whether it is played; without it every hand is played that is worth it.
    """
    told = progress or silent
    told("three card poker", 0.0)
    dealt = _dealt(tuple(sorted(deck)))
    ways, counts = dealt.ways, dealt.counts
    told("three card poker", 0.8)
    num, den = bonus_table.schedule(CATEGORIES)
    ante = exact_wager(den)
    play = ante
    returned = _returned_when_played(
        *(dealt.values, dealt.dealer_values, ante, play),
        *(np.array(num, dtype=np.int64), np.array(den, dtype=np.int64)),
        equal_hands == "lose",
    )
    against = comb(len(deck) - 3, 3)
    net = returned - ante - play
    worth = [int(sum_) for sum_ in (net * counts).sum(axis=1)]
    classes = tuple(
        HandClass(tuple(Card(card) for card in hand), int(value), int(count), Fraction(sum_, against * ante))
        for hand, value, count, sum_ in zip(dealt.cards.tolist(), dealt.values, ways, worth, strict=True)
    )
    played = np.array([decide(hand.value) if decide else hand.plays for hand in classes], dtype=bool)

    nets: dict[int, int] = {}
    kinds, kind = np.unique(net[played], return_inverse=True)
    weights = np.zeros(len(kinds), dtype=np.int64)
    np.add.at(weights, kind.ravel(), (counts[played] * ways[played, None]).ravel())
    for result, count in zip(kinds.tolist(), weights.tolist(), strict=True):
        nets[result] = count
    total = comb(len(deck), 3) * against
    folded = int(ways[~played].sum()) * against
    nets[-ante] = nets.get(-ante, 0) + folded
    frequency = Fraction(total - folded, total)
    told("three card poker", 1.0)
    return BaseGame(
        Distribution(
            ante,
            nets,
            total,
            sum(count for result, count in nets.items() if result > 0),
            1 + frequency * Fraction(play, ante),
        ),
        frequency,
        tuple(sorted(classes, key=lambda hand: (-hand.value, hand.cards))),
    )


def advise(
    cards: Sequence[Card], bonus_table: PayTable, equal_hands: str = "push", deck: Deck = DECK_52
) -> dict[str, Fraction]:
    """The average net result of each choice with these cards, per unit of Ante; plain Python, no compiling."""
    num, den = bonus_table.schedule(CATEGORIES)
    ante = exact_wager(den)
    play = ante
    value = value_of_three(*cards)
    rest = [card for card in deck if card not in cards]
    lose = equal_hands == "lose"
    net = 0
    for dealer, count in _ways_by_value(rest).items():
        net += count * (ante_returned(value, dealer, ante, lose) + play_returned(value, dealer, play, lose))
    against = comb(len(rest), 3)
    net += against * (ante_bonus(value, ante, num, den) - ante - play)
    return {"play": Fraction(net, against * ante), "fold": Fraction(-1)}


@dataclass(frozen=True, slots=True)
class _Dealt:
    """Every class of player hands against every value of the dealer's."""

    cards: Ints
    values: Ints
    ways: Ints
    dealer_values: Ints
    counts: Ints
    """A row for each class: how many dealer hands of every value there are beside it."""


@cache
def _dealt(deck: Deck) -> _Dealt:
    before, nth = suit_twins(deck)
    hands = list(combinations(deck, 3))
    run = [0] * 4
    sizes = [class_size(_ranks_by_suit(hand), before.tolist(), nth.tolist(), run) for hand in hands]
    values = np.array([value_of_three(*hand) for hand in hands], dtype=np.int64)
    bits = np.array([sum(1 << card for card in hand) for hand in hands], dtype=np.int64)
    ways = np.array(sizes, dtype=np.int64)
    stands = ways > 0
    dealer_values, place = np.unique(values, return_inverse=True)
    counts = _dealer_counts(bits[stands], bits, place, len(dealer_values))
    return _Dealt(np.array(hands, dtype=np.int64)[stands], values[stands], ways[stands], dealer_values, counts)


def _ranks_by_suit(hand: tuple[Card, ...]) -> list[int]:
    ranks = [0] * 4
    for card in hand:
        ranks[suit_of(card)] |= 1 << rank_of(card)
    return ranks


@jit()
def _dealer_counts(players: Any, dealers: Any, place: Any, size: Any) -> Any:
    counts = np.zeros((len(players), size), dtype=np.int64)
    for player in range(len(players)):
        for dealer in range(len(dealers)):
            if players[player] & dealers[dealer] == 0:
                counts[player, place[dealer]] += 1
    return counts


@jit()
def _returned_when_played(
    players: Any, dealers: Any, ante: Any, play: Any, num: Any, den: Any, equal_hands_lose: Any
) -> Any:
    """What comes back on Ante, Play and Ante Bonus, by the player's and the dealer's value."""
    returned = np.empty((len(players), len(dealers)), dtype=np.int64)
    for p in range(len(players)):
        player = players[p]
        bonus = ante_bonus(player, ante, num, den)
        for d in range(len(dealers)):
            dealer = dealers[d]
            returned[p, d] = (
                ante_returned(player, dealer, ante, equal_hands_lose)
                + play_returned(player, dealer, play, equal_hands_lose)
                + bonus
            )
    return returned


@jit()
def _six_card_places(deck: Any, words: Any, places: Any, size: Any) -> Any:
    counts = np.zeros(size, dtype=np.int64)
    for a in range(5, len(deck)):
        for b in range(4, a):
            for c in range(3, b):
                for d in range(2, c):
                    for e in range(1, d):
                        for f in range(e):
                            best = value_of_six(deck[a], deck[b], deck[c], deck[d], deck[e], deck[f], words, places)
                            counts[best] += 1
    return counts
