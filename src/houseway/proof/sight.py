"""What choices are worth with the cards that one spot sees, counted from there on and from nowhere else.

With two cards and a flop in view a board goes on in 1,081 ways and the dealer holds 990 hands in each: that is counted
in a moment, without a compiler, and comes to the very fractions of the whole game's solution. Where the dealer has a
hand, the *cuts* of the game are needed: the dealer's values at which what comes back changes whatever the spot holds.
Whoever solved the whole game knows them (`houseway.proof.openings`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations
from math import comb
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from houseway.cards import Card
from houseway.games.flow import is_open
from houseway.games.model import Game
from houseway.paytables import PayTable
from houseway.proof.cardsets import values_of
from houseway.proof.generated import asked_amounts
from houseway.proof.kernels.streets import (
    BoardOutcomes,
    Tree,
    chains,
    seen_cards,
    stakes_by_choice,
    streets,
    tree_of,
    ways_to_deal,
)
from houseway.proof.shape import Node, exact_unit, needed_hands
from houseway.ranking.five_card import BEST_OF_SEVEN, FIVE_CARDS
from houseway.ranking.poker import FIVE_OF_A_SUIT, SEVEN_SUM, THREE_OF_EACH_SUIT, seven_card_words
from houseway.ranking.ranking import Ranking

Ints = npt.NDArray[Any]

MOST_SETS: Final = 250_000
"""So many sets of cards are valued and counted in a tenth of a second."""
FLUSH: Final = 5


def node_at(game: Game, board: int) -> Node | None:
    """The first decision that is made with so many board cards in view."""
    return next((node for node in tree_of(game).nodes if seen_cards(game, node.point) == board), None)


def is_short(game: Game, board: int) -> bool:
    """Whether everything from a decision on is few enough cards to count at once, and open whatever cards come."""
    rest = len(game.deck) - game.player_cards - board
    hidden = game.board_cards - board
    later = [node for node in tree_of(game).nodes if seen_cards(game, node.point) > board]
    conditions = [choice.when for node in later for choice in node.point.choices if choice.when is not None]
    return comb(rest, hidden + game.dealer_cards) <= MOST_SETS and not needed_hands(game, conditions)


class OneSight:
    """What one spot sees, and everything that may come of it."""

    def __init__(
        self,
        game: Game,
        tables: Mapping[str, PayTable],
        options: Mapping[str, Any],
        cards: Sequence[Card],
        board: Sequence[Card],
        cuts: Sequence[int] = (),
    ) -> None:
        self.game, self.cards, self.board = game, tuple(cards), tuple(board)
        self.options = {**game.defaults, **options}
        self.unit = exact_unit(game, tables)
        self.rest = tuple(card for card in sorted(game.deck) if card not in (*cards, *board))
        self._tables = tables
        self._cuts = np.array(sorted(cuts), dtype=np.int64)
        self._tree: Tree = tree_of(game)
        self._nodes = {node.key: node for node in self._tree.nodes}
        self._outcomes = BoardOutcomes(game, self.options)
        self._hidden = game.board_cards - len(board)
        self._best: dict[str, Ints] = {}
        self._worth_of: dict[int, Ints] = {}
        self._amounts = asked_amounts(game, self._outcomes.scored)
        self._known_returns: dict[tuple[str, int, tuple[int, ...]], Ints] = {}
        self._own, self._places, self._count = self._count_hands()

    def advise(self, node: Node) -> list[tuple[str, Fraction]]:
        """Every open choice and its average net result per unit wager, the best first, of equals the smaller stake."""
        worth = [int(worths[0]) for worths in self._choices(node)]
        stakes = stakes_by_choice(node)
        against = comb(len(self.rest) - self._hidden, self.game.dealer_cards)
        cases = ways_to_deal(len(self.game.deck), self.game.player_cards, self._from(len(self.board))) * against
        opened = [
            place
            for place, choice in enumerate(node.point.choices)
            if is_open(self.game, choice, self.cards, (), self.board, self.options)
        ]
        order = sorted(opened, key=lambda place: (-worth[place], stakes[place], place))
        return [(node.point.choices[place].key, Fraction(worth[place], cases * self.unit)) for place in order]

    # -------------------------------------------------------------------------------------------- from the end

    def _from(self, first: int) -> tuple[int, ...]:
        return tuple(street for street in streets(self.game) if street >= first)

    def _choices(self, node: Node) -> list[Ints]:
        """By choice: what it is worth with every set of board cards that may be seen at a node."""
        street_now = seen_cards(self.game, node.point)
        worths = []
        for after in self._tree.branches[node.key]:
            if isinstance(after, int):
                worths.append(
                    self._sum_up(self._worth_at_end(after), self._hidden, street_now) * chains(self._from(street_now))
                )
                continue
            then = seen_cards(self.game, self._nodes[after].point)
            between = [street for street in self._from(street_now) if street <= then]
            worths.append(self._sum_up(self._best_at(after), then - len(self.board), street_now) * chains(between))
        return worths

    def _best_at(self, key: str) -> Ints:
        if key not in self._best:
            node = self._nodes[key]
            worth = [
                worths
                for choice, worths in zip(node.point.choices, self._choices(node), strict=True)
                if is_open(self.game, choice, self.cards, (), self.board, self.options)
            ]
            self._best[key] = np.max(worth, axis=0)
        return self._best[key]

    def _sum_up(self, values: Ints, larger: int, street: int) -> Ints:
        """By set of cards seen at a street: the sum of what the larger sets around it are worth."""
        size = street - len(self.board)
        if size == larger:
            return values
        sets = sets_of(len(self.rest), larger)
        sums = np.zeros(comb(len(self.rest), size), dtype=np.int64)
        for part in combinations(range(larger), size):
            np.add.at(sums, numbers_of(sets[:, list(part)]), values)
        return sums

    # -------------------------------------------------------------------------------------------- counting

    def _count_hands(self) -> tuple[Ints, list[tuple[int, int]], Ints]:
        """The spot's value by way in which the board goes on, the pairs of values that stand for what may happen, and
        how many of the dealer's hands are of each."""
        boards = sets_of(len(self.rest), self._hidden)
        hand, theirs = self._outcomes.own[0].ranking, self.game.dealer_cards
        own_values = self._values(hand, (*self.cards, *self.board), boards)
        values, own = np.unique(own_values, return_inverse=True)
        own = own.ravel()
        if not theirs:
            return own, [(int(value), 0) for value in values], np.ones((len(boards), 1), dtype=np.int64)
        sets = sets_of(len(self.rest), self._hidden + theirs)
        dealers = self._values(self._outcomes.theirs[0].ranking, self.board, sets)
        segments = np.searchsorted(self._cuts, dealers, side="right")
        width = 3 * (len(self._cuts) + 1)
        counts = np.zeros(len(boards) * width, dtype=np.int64)
        standing = np.full(len(values) * width, -1, dtype=np.int64)
        for part in combinations(range(self._hidden + theirs), self._hidden):
            number = numbers_of(sets[:, list(part)])
            mine = own_values[number]
            place = 3 * segments + (dealers >= mine) + (dealers > mine)
            counts += np.bincount(number * width + place, minlength=len(counts))
            standing[own[number] * width + place] = dealers
        pairs = [(int(values[at // width]), int(dealer)) for at, dealer in enumerate(standing.tolist())]
        return own, pairs, counts.reshape(len(boards), width)

    def _values(self, ranking: Ranking, beside: Sequence[Card], sets: Ints) -> Ints:
        fixed = np.broadcast_to(np.array(beside, dtype=np.int64), (len(sets), len(beside)))
        every = np.concatenate([fixed, np.array(self.rest, dtype=np.int64)[sets]], axis=1)
        return values_without_compiler(ranking, every)

    def _worth_at_end(self, place: int) -> Ints:
        """What an ending is worth by way in which the board goes on, summed over the dealer's hands."""
        if place not in self._worth_of:
            nets = self._nets(place).reshape(-1, self._count.shape[1])
            self._worth_of[place] = (self._count * nets[self._own]).sum(axis=1)
        return self._worth_of[place]

    def _nets(self, place: int) -> Ints:
        """The net result of an ending for every pair of values."""
        ending = self._tree.endings[place]
        nets = np.full(len(self._places), -ending.wagered * self.unit, dtype=np.int64)
        stakes = {name: units * self.unit for name, units in ending.stakes.items()}
        for wager in self._outcomes.alive(ending):
            amounts = tuple(stakes.get(name, 0) for name in self._amounts)
            key = wager, stakes.get(wager, 0), amounts
            if key not in self._known_returns:
                self._known_returns[key] = self._returns(wager, dict.fromkeys((wager, *self._amounts), 0) | stakes)
            nets += self._known_returns[key]
        return nets

    def _returns(self, wager: str, stakes: Mapping[str, int]) -> Ints:
        """What a wager gives back for every pair of values."""
        hands = {known.key: known.hands for known in self.game.wagers}[wager]
        table = {known.key: known.table_key for known in self.game.wagers}[wager]
        odds = {wager: self._tables[table].schedule(hands)} if hands else {}
        returns = np.zeros(len(self._places), dtype=np.int64)
        if not self.game.dealer_cards:
            own = np.array([[value] for value, _ in self._places], dtype=np.int64)
            nobody = np.zeros((1, 0), dtype=np.int64)
            return self._outcomes.found(own, nobody, stakes, {wager: 1}, odds)[1][:, 0]
        for value, places in self._by_own.items():
            own = np.array([[value]], dtype=np.int64)
            dealers = np.array([[self._places[at][1]] for at in places], dtype=np.int64)
            starts, totals = self._outcomes.found(own, dealers, stakes, {wager: 1}, odds)
            returns[places] = totals[0][np.searchsorted(starts[0], np.arange(len(places)), side="right") - 1]
        return returns

    @cached_property
    def _by_own(self) -> dict[int, list[int]]:
        """By value of the spot's: the pairs with it that come, the dealer's values rising."""
        by_value: dict[int, list[int]] = {}
        for at, (own, dealer) in sorted(enumerate(self._places), key=lambda pair: pair[1][1]):
            if dealer >= 0:
                by_value.setdefault(own, []).append(at)
        return by_value


# ------------------------------------------------------------------------------------------------ sets and values


@cache
def sets_of(count: int, size: int) -> Ints:
    """All sets of ``size`` of so many places, by number, as `houseway.proof.cardsets` numbers them."""
    sets = np.zeros((1, 0), dtype=np.int64)
    for have in range(size):
        parts = [
            np.concatenate([sets[: comb(place, have)], np.full((comb(place, have), 1), place)], axis=1)
            for place in range(have, count)
        ]
        sets = np.concatenate(parts, axis=0) if parts else np.zeros((0, have + 1), dtype=np.int64)
    return sets


def numbers_of(sets: Ints) -> Ints:
    """The numbers of sets of rising places."""
    numbers = np.zeros(len(sets), dtype=np.int64)
    for at in range(sets.shape[1]):
        ways = np.array([comb(place, at + 1) for place in range(int(sets.max(initial=0)) + 1)], dtype=np.int64)
        numbers += ways[sets[:, at]]
    return numbers


def values_without_compiler(ranking: Ranking, hands: Ints) -> Ints:
    """What a ranking makes of hands of cards.

    Five cards, or the best five of seven, depend on their ranks, and on the ranks of one suit where that has five: so
    one hand stands for many. Other rankings value every hand as it is.
    """
    if ranking not in (FIVE_CARDS, BEST_OF_SEVEN):
        return values_of(ranking, tuple(Card(card) for card in range(53)), hands)
    words = np.array(seven_card_words(), dtype=np.int64)
    total = words[hands].sum(axis=1) + THREE_OF_EACH_SUIT
    key = total & SEVEN_SUM  # seven ranks are told apart by their weights, and so are five of them
    flush = np.flatnonzero(total & FIVE_OF_A_SUIT)
    above = int(key.max()) + 1
    ranks, suits = hands[flush] % 13, hands[flush] // 13
    for suit in range(4):
        in_suit = suits == suit
        enough = in_suit.sum(axis=1) >= FLUSH
        key[flush[enough]] = above + np.where(in_suit, 1 << ranks, 0).sum(axis=1)[enough]
    standing, place = _first_of_each(key)
    values = np.array([ranking.value(*hand) for hand in _rows(hands[standing])], dtype=np.int64)
    return values[place]


def _first_of_each(keys: Ints) -> tuple[Ints, Ints]:
    """One place of every key, and by place which key it has."""
    room = np.zeros(int(keys.max()) + 1, dtype=np.int32)
    places = np.arange(len(keys), dtype=np.int32)
    room[keys] = places
    standing = np.flatnonzero(room[keys] == places)
    room[keys[standing]] = np.arange(len(standing))
    return standing, room[keys]


def _rows(hands: Ints) -> Iterable[list[int]]:
    rows: list[list[int]] = hands.tolist()
    return rows
