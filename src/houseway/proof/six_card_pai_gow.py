"""6 Card Fortune Pai Gow Poker, counted: its side wagers, and the base game set by the house way or at its best.

**Suits.** Renaming the suits changes no rule, so hands are counted by class: of the hands that differ only in the names
of their suits the one whose suits hold falling sets of ranks stands for all, with their number. The 22,957,480 hands of
the deck are 1,097,447 classes.

**Against the dealer.** What a setting is worth follows from how many dealer hands its high hand beats, how many its low
card beats, and how many both beat, among the dealer hands that share no card with the player's. They are counted by
inclusion and exclusion: the dealer hands that hold all cards of a set, summed over the sets of the player's cards with
alternating signs. ``held[set, l]``, how many dealer hands hold the set and have a low card of rank below ``l``, grows
as the dealer hands come in by rising high hand, and a setting is asked at the moment when exactly the high hands that
it beats are in. Sets too are kept by class, which leaves 171,199 of them.

**Doubling.** Whether a double down has action depends on the dealer's high hand alone: ``held`` as it stands when the
first hand with action is about to come in parts the hands without action from those with it.

Who wins, and what that pays, is asked of the rules; the counting supposes only that a high hand or a low card that
beats another beats every lower one too, and that action begins at some high hand and does not end above it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, permutations
from math import comb
from typing import Final

import numpy as np

from houseway.cards import ACE, DECK_53, JOKER, RANK_NAMES, RANK_PLURALS, Card, suit_of
from houseway.games import six_card_pai_gow as game
from houseway.games.rules import LOSE, PUSH, WIN
from houseway.games.settle import house_way_place, settings
from houseway.games.six_card_pai_gow import JOKER_LOW, low_rank
from houseway.proof.compiled import Progress, side_by_side, silent
from houseway.proof.distribution import Distribution
from houseway.proof.pai_gow_hands import (
    HAND,
    LOWS,
    Dealers,
    Deck,
    Ints,
    cards_in,
    class_form,
    dealer_hands,
    judge,
    list_sets,
    lows_of_dealers,
    set_hands,
    sorted_deck,
    suits_of,
    sweep,
)
from houseway.proof.pai_gow_solver import ELEMENTS
from houseway.ranking import joker
from houseway.ranking.poker import (
    PAIR,
    THREE_OF_A_KIND,
    TWO_PAIR,
    category,
    first_rank,
    pack,
)

# ------------------------------------------------------------------------------------------------ one hand


@dataclass(frozen=True, slots=True)
class Setting:
    """One of the six ways to set a hand, and what it is worth."""

    low: Card
    high: tuple[Card, ...]
    fouls: bool
    house_way: bool
    base: Fraction
    """The average net result of the base wager, per unit of it."""
    double_down: Fraction
    """The average net result of a double down, per unit of it: doubling is right where it is above zero."""
    wins: Fraction
    pushes: Fraction
    loses: Fraction

    @property
    def best(self) -> Fraction:
        """Base wager and double down together, doubling where that is right."""
        return self.base + max(self.double_down, Fraction(0))


def advise(cards: Sequence[Card], deck: Deck = DECK_53) -> list[Setting]:
    """All six settings of a hand against every dealer hand, the most valuable first, the house way before its equals.

    The dealer hands are counted once for a deck and saved; a hand then takes a fraction of a second, nothing compiled.
    """
    if len(set(cards)) != HAND or not set(cards) <= set(deck):
        raise ValueError("six different cards of the deck")
    dealers = dealer_hands(sorted_deck(deck))
    counts = _dealers_beside(cards, dealers, suits_of(deck))
    total = comb(len(deck) - HAND, HAND)
    if int(counts.sum()) != total:
        raise ArithmeticError(f"{counts.sum()} dealer hands where {total} are")
    quiet = _first_with_action(dealers.values)
    house = house_way_place(game.GAME, game.GAME.splits[0], cards)
    made = []
    for high, low, at in settings(game.GAME, cards):
        fouls = bool(game.fouls(high, low))
        cut = _high_hands_beaten(high, dealers.values)
        edges = sorted({0, cut, quiet, len(dealers.values)})
        outcomes = dict.fromkeys((WIN, PUSH, LOSE), 0)
        base = double = 0
        for first, last in pairwise(edges):
            for dealer_low, count in enumerate(counts[first:last].sum(axis=0).tolist()):
                outcome = game.matchup(high, low, dealers.values[first], dealer_low)
                outcome = LOSE if fouls else outcome
                outcomes[outcome] += count
                base += count * (game.base_returned(outcome, 1) - 1)
                double += count * (game.double_returned(outcome, dealers.values[first], 1) - 1)
        made.append(
            Setting(
                cards[at],
                tuple(card for place, card in enumerate(cards) if place != at),
                fouls,
                at == house,
                *(Fraction(sum_, total) for sum_ in (base, double)),
                *(Fraction(outcomes[outcome], total) for outcome in (WIN, PUSH, LOSE)),
            )
        )
    return sorted(made, key=lambda made: (-made.best, not made.house_way, -low_rank(made.low), -made.base))


def _dealers_beside(cards: Sequence[Card], dealers: Dealers, suits: int) -> Ints:
    """The dealer hands that share no card with ``cards``, by the order of their high hand and the rank of their low."""
    renamed = list(permutations(range(suits)))
    clear = np.zeros(len(dealers.hands), np.int64)
    for names in renamed:
        taken = sum(1 << (JOKER if card == JOKER else 13 * names[suit_of(card)] + card % 13) for card in cards)
        clear += dealers.hands & taken == 0
    counts = np.zeros((len(dealers.values), LOWS), np.int64)
    np.add.at(counts, (dealers.highs, dealers.lows), clear * dealers.ways)
    return counts // len(renamed)


# ------------------------------------------------------------------------------------------------ the base game


@dataclass(frozen=True, slots=True)
class Element:
    """The base game played in one of the four ways."""

    distribution: Distribution
    """Per unit of the base wager; a hit is a base wager that wins."""
    double_frequency: Fraction


@dataclass(frozen=True, slots=True)
class Line:
    """Part of a rule of thumb: a low card of at least this rank beside a high hand of at least this value."""

    low: int
    high: int = 0

    def __str__(self) -> str:
        low = "the joker" if self.low == JOKER_LOW else f"a low {RANK_NAMES[self.low]}"
        first = RANK_PLURALS[min(first_rank(self.high), ACE)]
        match category(self.high):
            case 2:
                high = f"two pair, {first} up,"
            case 6:
                high = f"a full house of {first}"
            case _:
                high = joker.name(self.high)
        return f"{high} or better beside {low}"


@dataclass(frozen=True, slots=True)
class Difference:
    """A hand that is worth more when it is not set by the house way."""

    cards: Deck
    house_low: Card
    best_low: Card
    gain: Fraction
    """Per unit of the base wager."""


@dataclass(frozen=True, slots=True, eq=False)
class BaseGame:
    """The base game, its four elements, and every class of hands behind them."""

    elements: dict[str, Element]
    total: int
    """Hands of the player."""
    dealers: int
    """Hands of the dealer beside each."""
    hands: Ints
    """A class of hands by the card numbers it holds, as bits."""
    ways: Ints
    high_values: Ints
    """By class and place of the low card: the value of the high hand."""
    lows: Ints
    """The rank of the low card; 0 for a setting that fouls or is the same as one before it."""
    chosen: Ints
    """By class: the place of the low card in the house way, in the best setting, and in the best with doubling."""
    worth: Ints
    """By base wager and double down, class, place of the low card: its net results, summed over the dealer's hands."""

    @property
    def differs_frequency(self) -> Fraction:
        """How often the house way is not the best setting."""
        return Fraction(int(self.ways[self.chosen[:, 0] != self.chosen[:, 1]].sum()), self.total)

    def class_of(self, cards: Sequence[Card]) -> int:
        """Where the class of a hand stands in the arrays."""
        form = class_form(sum(1 << card for card in cards))
        place = int(np.searchsorted(self.hands, form))
        if place == len(self.hands) or self.hands[place] != form:
            raise ValueError("six different cards of the deck")
        return place

    def differences(self, each: int = 1) -> list[Difference]:
        """Hands where the house way gives most away, ``each`` for every pair of categories of the two high hands."""
        at = np.flatnonzero(self.chosen[:, 0] != self.chosen[:, 1])
        house, best = self.chosen[at, 0], self.chosen[at, 1]
        gain = self.worth[0, at, best] - self.worth[0, at, house]
        kinds = (self.high_values[at, house] >> 20) << 4 | self.high_values[at, best] >> 20
        seen: dict[int, int] = {}
        found = []
        for place in np.argsort(-gain, kind="stable").tolist():
            kind = int(kinds[place])
            seen[kind] = seen.get(kind, 0) + 1
            if seen[kind] <= each:
                cards = cards_in(int(self.hands[at[place]]))
                found.append(
                    Difference(cards, cards[house[place]], cards[best[place]], Fraction(int(gain[place]), self.dealers))
                )
        return found

    def cost_of_setting(self, lines: Sequence[Line]) -> Fraction:
        """What a rule of thumb for setting costs against the best setting, per unit of the base wager, undoubled.

        Of the settings that fit a line the one with the highest low card is chosen, then with the better high hand; the
        house way where none fits.
        """
        fits = np.zeros(self.lows.shape, bool)
        for line in lines:
            fits |= (self.lows >= max(line.low, 1)) & (self.high_values >= line.high)
        liking = np.where(fits, self.lows.astype(np.int64) << 24 | self.high_values, -1)
        chosen = np.where(fits.any(axis=1), liking.argmax(axis=1), self.chosen[:, 0])
        hands = np.arange(len(self.hands))
        lost = self.worth[0, hands, self.chosen[:, 1]] - self.worth[0, hands, chosen]
        return self._average(lost)

    def cost_of_doubling(self, lines: Sequence[Line]) -> Fraction:
        """What a rule of thumb for doubling costs a hand set by the house way: doubled where it fits a line."""
        high, low, worth = self._house_way()
        doubled = np.zeros(len(low), bool)
        for line in lines:
            doubled |= (low >= line.low) & (high >= line.high)
        return self._average(np.maximum(worth, 0) - np.where(doubled, worth, 0))

    def doubling_lines(self) -> list[Line]:
        """For every low card the high hand from which on to double a hand set by the house way: the best such table.

        High hands go by category and first rank. The better the low card, the less the high hand needs; a low card with
        which doubling is never right has no line, and one that needs what a lower one needs has none of its own.
        """
        high, low, worth = self._house_way()
        steps = np.unique(high >> 16 << 16)
        lines: list[Line] = []
        for rank in range(2, JOKER_LOW + 1):
            here = low == rank
            gains = np.zeros(len(steps), np.int64)
            np.add.at(gains, np.searchsorted(steps, high[here] >> 16 << 16), worth[here] * self.ways[here])
            falling = gains[::-1].cumsum()
            if falling.max() > 0:
                least = int(steps[::-1][falling.argmax()])
                if not lines or least != lines[-1].high:
                    lines.append(Line(rank, least))
        return lines

    def _house_way(self) -> tuple[Ints, Ints, Ints]:
        """High hand, low card and the worth of a double down, by class."""
        hands = np.arange(len(self.hands))
        house = self.chosen[:, 0]
        return self.high_values[hands, house], self.lows[hands, house], self.worth[1, hands, house]

    def _average(self, sums: Ints) -> Fraction:
        return Fraction(int((self.ways * sums.astype(np.int64)).sum()), self.total * self.dealers)


SETTING_RULES: Final[dict[str, tuple[Line, ...]]] = {
    "the house way": (),
    "the joker low unless that fouls, else the house way": (Line(JOKER_LOW),),
    "king or better low where a pair or better is left, else the house way": (Line(13, pack(PAIR, ())),),
    "the joker low unless that fouls; an ace low where a pair or better is left; a king or a queen where a pair of "
    "sevens or better is left; else the house way": (
        *(Line(JOKER_LOW), Line(ACE, pack(PAIR, ()))),
        Line(12, pack(PAIR, (7,))),
    ),
}
"""Rules of thumb for setting a hand, by their words."""

DOUBLING_RULES: Final[dict[str, tuple[Line, ...]]] = {
    "never double": (),
    "double with a pair of aces or better": (Line(0, pack(PAIR, (ACE,))),),
    "double with two pair or better": (Line(0, pack(TWO_PAIR, ())),),
    "double with three of a kind or better": (Line(0, pack(THREE_OF_A_KIND, ())),),
    "double with two pair or better beside a queen or better": (Line(12, pack(TWO_PAIR, ())),),
    "double with two pair or better beside a queen or better, and with a pair of queens or better beside an ace or the "
    "joker": (Line(12, pack(TWO_PAIR, ())), Line(ACE, pack(PAIR, (12,)))),
    "double with three of a kind or better beside a ten or better, two pair beside a queen, a pair of aces beside a "
    "king, a pair of jacks beside an ace or the joker": (
        *(Line(10, pack(THREE_OF_A_KIND, ())), Line(12, pack(TWO_PAIR, ()))),
        *(Line(13, pack(PAIR, (ACE,))), Line(ACE, pack(PAIR, (11,)))),
    ),
}
"""Rules of thumb for doubling a hand set by the house way, by their words."""


def base_game(*, deck: Deck = DECK_53, progress: Progress | None = None) -> BaseGame:
    """Every player hand against every dealer hand, in the four ways to play.

    A setting other than the house way is chosen only where it is worth more (of several such the one with the highest
    low card), and a hand is doubled only where that is worth more than nothing.
    """
    told = progress or silent
    told("six card pai gow", 0.0)
    hands = set_hands(sorted_deck(deck))
    count = len(hands.hands)
    every = np.arange(count)
    dealer_highs = hands.highs[every, hands.house]
    dealer_lows = lows_of_dealers(hands)
    told("six card pai gow", 0.2)
    sets, shares = list_sets(hands)
    told("six card pai gow", 0.4)

    values = hands.values
    quiet = _first_with_action(values)
    beats = np.array([_high_hands_beaten(value, values) for value in values], np.int16)
    below_of_low = np.array([0] + [_low_ranks_beaten(low) for low in range(1, LOWS)], np.int8)
    beaten = beats[hands.highs.ravel()]
    columns = below_of_low[hands.lows.ravel()]
    asked = np.flatnonzero(columns).astype(np.int32)
    asked = asked[np.argsort(beaten[asked], kind="stable")]
    asked_before = _ends(beaten[asked], len(values) + 1)
    dealers = np.argsort(dealer_highs, kind="stable").astype(np.int32)
    dealers_below = _ends(dealer_highs, len(values))

    high_won = np.zeros(count * HAND, np.int32)
    both_won = np.zeros(count * HAND, np.int32)
    at_quiet = np.zeros((len(shares), LOWS), np.int32)

    def swept(first: int, last: int) -> Ints:
        held = np.zeros((len(shares), LOWS), np.int32)
        sweep(
            *(sets, hands.ways, shares, dealers, dealers_below, dealer_highs, dealer_lows),
            *(asked, asked_before, columns, first, last, quiet, held, at_quiet, high_won, both_won),
        )
        return held

    # Either half of the questions has its own count of dealers; the second half must let the first half's in too.
    work = 2 * asked_before[1:] + dealers_below
    middle = int(np.searchsorted(work, asked_before[-1] + dealers_below[-1]))
    held = side_by_side(lambda: swept(0, middle), lambda: swept(middle, len(values) + 1))[1]
    told("six card pai gow", 0.8)

    against = comb(len(deck) - HAND, HAND)
    chosen = np.empty((count, 3), np.int8)
    worth = np.full((2, count, HAND), -against, np.int32)

    def judged(first: int, last: int) -> Ints:
        counted = np.zeros((len(ELEMENTS), 2, 2, 4), np.int64)
        judge(
            *(sets, hands.ways, shares, dealer_highs, dealer_lows, hands.house, columns, beaten, high_won, both_won),
            *(held, quiet, at_quiet, against, _nets(values, quiet), counted, chosen, worth, first, last),
        )
        return counted

    first_half, second_half = side_by_side(lambda: judged(0, count // 2), lambda: judged(count // 2, count))
    counted = first_half + second_half
    told("six card pai gow", 1.0)
    total = int(hands.ways.sum())
    return BaseGame(
        {name: _element(counted[place], _nets(values, quiet), total * against) for place, name in enumerate(ELEMENTS)},
        *(total, against, hands.hands, hands.ways, np.array(values)[hands.highs], hands.lows, chosen, worth),
    )


def _nets(values: Sequence[int], quiet: int) -> Ints:
    """What base wager and double down (first axis) come to, without and with action, by what the player wins.

    The four cells are: nothing, the low hand alone, the high hand alone, both.
    """
    nets = np.zeros((2, 2, 4), np.int64)
    for action in (0, 1):
        dealer_high = values[min(quiet, len(values) - 1)] if action else values[0]
        for cell in range(4):
            outcome = game.matchup(1 if cell >> 1 else -1, 1 if cell & 1 else -1, 0, 0)
            nets[0, action, cell] = game.base_returned(outcome, 1) - 1
            nets[1, action, cell] = game.double_returned(outcome, dealer_high, 1) - 1
    return nets


def _element(cells: Ints, nets: Ints, total: int) -> Element:
    """An element from its cases by doubled or not, action or not, and what the player wins."""
    ways: dict[int, int] = {}
    hits = 0
    for doubled, action, cell in np.ndindex(2, 2, 4):
        count = int(cells[doubled, action, cell])
        net = int(nets[0, action, cell] + doubled * nets[1, action, cell])
        ways[net] = ways.get(net, 0) + count
        hits += count if nets[0, action, cell] > 0 else 0
    doubles = Fraction(int(cells[1].sum()), total)
    return Element(Distribution(1, ways, total, hits, 1 + doubles), doubles)


def _high_hands_beaten(high: int, dealer_highs: Sequence[int]) -> int:
    """How many of the rising dealer high hands a high hand beats, by the rule."""
    return bisect_left(dealer_highs, True, key=lambda dealer: game.matchup(high, 1, dealer, 0) != WIN)


def _low_ranks_beaten(low: int) -> int:
    """The lowest rank of a dealer's low card that the player's does not beat, by the rule; 15 where there is none."""
    return bisect_left(range(LOWS - 1), True, key=lambda dealer: game.matchup(1, low, 0, dealer) != WIN)


def _first_with_action(dealer_highs: Sequence[int]) -> int:
    """How many of the rising dealer high hands give a double down no action, by the rule."""
    return bisect_left(dealer_highs, True, key=lambda dealer: bool(game.double_has_action(dealer)))


def _ends(keys: Ints, size: int) -> Ints:
    """Of keys below ``size``: how many are below each, and how many there are."""
    return np.concatenate(([0], np.cumsum(np.bincount(keys, minlength=size))))
