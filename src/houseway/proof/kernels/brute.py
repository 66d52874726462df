"""Brute force: every deal of a short deck, settled by the game itself, and backward induction over what a spot sees.

It knows nothing of classes, sums or shortcuts: plain Python over the declaration, `games.flow` and `Game.settle`. That
makes it slow and obviously right, and so the test of every other kernel. A kernel is tested like this: draw a short
deck and options, then ask of ``solve_brute(game, tables, options, deck)`` and of the kernel, for every node,

* every hand that the table of brute force holds: ``solution.advise(cards, dealer_seen, board_seen, node)`` is equal;
* ``solution.play()`` and ``solution.play(solution.by_thumb(thumb))`` have equal distributions and frequencies.

Cards are dealt as sets wherever the order of places cannot matter: places of one zone that are seen at the same points
and that the same values look at are filled together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, Final, NamedTuple

import numpy as np

from houseway.cards import Card
from houseway.games.flow import is_open, made_by, next_point
from houseway.games.model import Decide, Game, Hand
from houseway.games.round import Action, Round, Spot
from houseway.paytables import PayTable
from houseway.proof.compiled import Progress
from houseway.proof.distribution import Distribution
from houseway.proof.shape import (
    Node,
    base_rules,
    base_stakes,
    decision_rules,
    exact_unit,
    needed_hands,
    nodes,
    seen_by,
)
from houseway.proof.solution import PlayResult, PointTable, Policy, Solution
from houseway.refusal import Refusal

MOST_DEALS: Final = 400_000
"""More than so many deals would take minutes; a short deck has fewer."""


class Deal(NamedTuple):
    """One way that the cards may lie."""

    cards: tuple[Card, ...]
    dealer: tuple[Card, ...]
    board: tuple[Card, ...]


class Sight(NamedTuple):
    """What a spot sees at a point."""

    cards: tuple[Card, ...]
    dealer: tuple[Card, ...]
    board: tuple[Card, ...]


class Move(NamedTuple):
    """A choice with what the player adds to it."""

    place: int
    low_place: int | None
    """The place of the low card, where the player sets the hand."""
    cents: int


Moves = tuple[Move, ...]


class Worths(NamedTuple):
    """What every choice is worth at its best with one sight, summed over the deals that look so."""

    worth: tuple[int, ...]
    open: tuple[bool, ...]
    cases: int


class BruteSolution(Solution):
    """A base game solved deal by deal."""

    def __init__(
        self, game: Game, tables: Mapping[str, PayTable], options: Mapping[str, Any], deck: Sequence[Card]
    ) -> None:
        self.game = game
        self.deck = tuple(sorted(deck))
        self.options = {**game.defaults, **options}
        self.unit = exact_unit(game, tables)
        self._tables = tables
        self._stakes = {key: units * self.unit for key, units in base_stakes(game).items()}
        self.deals = list(deals_of(game, self.deck))
        if not self.deals:
            raise Refusal("deck", f"{len(self.deck)} cards are too few to deal {game.key}")
        self._nodes = {(node.point.key, _stakes_key(node.stakes, node.taken_back)): node for node in nodes(game)}
        self._nets: dict[Moves, list[int]] = {}
        self._staked: dict[Moves, tuple[Mapping[str, int], frozenset[str]]] = {}
        self._stepped: dict[Moves, list[tuple[str, Move]]] = {}
        self.verdicts: dict[str, dict[Sight, Worths]] = {}
        self._lines = self._decided((), None)
        self.points = {node.key: self._table(node) for node in nodes(game) if node.key in self.verdicts}

    def play(self, policy: Policy | None = None) -> PlayResult:
        lines = self._lines if policy is None else self._decided((), policy)
        nets: Counter[int] = Counter()
        wagered = 0
        follows = 0
        chosen: dict[str, Counter[int]] = {key: Counter() for key in self.points}
        for place, line in enumerate(lines):
            nets[self._net_of(line)[place]] += 1
            for node, move in self._steps(line):
                chosen[node][move.place] += 1
            stakes, rest = self._after(line)
            wagered += sum(cents for wager, cents in stakes.items() if wager not in rest)
            follows += len(stakes) > len(self._stakes)
        total = len(lines)
        distribution = Distribution(
            self.unit,
            nets,
            total,
            sum(count for net, count in nets.items() if net > 0),
            Fraction(wagered, total * self.unit),
        )
        frequencies = {
            key: tuple(Fraction(chosen[key][place], total) for place in range(len(self.points[key].point.choices)))
            for key in self.points
        }
        return PlayResult(distribution, frequencies, Fraction(follows, total))

    def row_of(
        self, node: str, cards: Sequence[Card], dealer: Sequence[Card], board: Sequence[Card]
    ) -> tuple[int, int]:
        row = self._rows[node][tuple(sorted(cards)), tuple(board)]
        return row, self.deck.index(dealer[0]) if dealer else 0

    # -------------------------------------------------------------------------------------------- the induction

    def _decided(self, line: Moves, policy: Policy | None) -> list[Moves]:
        """Deal by deal the line of play from here on: at every decision what is worth most, or what a policy says."""
        point = self._point(line)
        if point is None:
            return [line] * len(self.deals)
        node = self._node(point, line)
        moves = list(self._moves(point))
        lines = [self._decided((*line, move), policy) for move in moves]
        nets = [[self._net_of(line)[place] for place, line in enumerate(every)] for every in lines]
        alike: dict[Sight, list[int]] = {}
        for place, deal in enumerate(self.deals):
            alike.setdefault(self._sight(point, deal), []).append(place)
        moves_by_deal: list[Moves] = [()] * len(self.deals)
        verdicts: dict[Sight, Worths] = {}
        rows = self._rows_of(alike)
        for sight, places in alike.items():
            sums = [sum(net[place] for place in places) for net in nets]
            opened = [self._is_open(point, move, self.deals[places[0]]) for move in moves]
            if policy is not None and node.key in policy:
                row = rows[sight.cards, sight.board]
                column = self.deck.index(sight.dealer[0]) if sight.dealer else 0
                choice = int(policy[node.key][row, column])
                opened_here = [move.place == choice for move in moves]
            else:
                opened_here = opened
            best = self._best(moves, sums, opened_here, line)
            for place in places:
                moves_by_deal[place] = lines[best][place]
            by_choice = range(len(point.choices))
            verdicts[sight] = Worths(
                tuple(
                    max(sum_ for move, sum_ in zip(moves, sums, strict=True) if move.place == at) for at in by_choice
                ),
                tuple(
                    any(is_open_ for move, is_open_ in zip(moves, opened, strict=True) if move.place == at)
                    for at in by_choice
                ),
                len(places),
            )
        if policy is None:
            self.verdicts[node.key] = verdicts
        return moves_by_deal

    def _best(self, moves: Sequence[Move], sums: Sequence[int], opened: Sequence[bool], line: Moves) -> int:
        """The place of the best open move; of equals that with the smallest stake."""

        def wagered(move: Move) -> int:
            return sum(self._after((*line, move))[0].values())

        choices = [place for place in range(len(moves)) if opened[place]]
        return min(choices, key=lambda place: (-sums[place], wagered(moves[place]), place))

    def _moves(self, point: Decide) -> Iterator[Move]:
        for place, choice in enumerate(point.choices):
            lows = range(self.game.player_cards) if choice.sets == "player" else (None,)
            optional = [stake for stake in choice.stakes if stake.optional]
            amounts = [0, *(stake.times * self._stakes[stake.of] for stake in optional)]
            for low in lows:
                for cents in amounts:
                    yield Move(place, low, cents)

    def _is_open(self, point: Decide, move: Move, deal: Deal) -> bool:
        choice = point.choices[move.place]
        return is_open(self.game, choice, deal.cards, deal.dealer, deal.board, self.options)

    def _sight(self, point: Decide, deal: Deal) -> Sight:
        dealer, board = seen_by(self.game, point)
        return Sight(
            tuple(sorted(deal.cards)),
            tuple(deal.dealer[place] for place in dealer),
            tuple(deal.board[place] for place in board),
        )

    # -------------------------------------------------------------------------------------------- lines of play

    def _point(self, line: Moves) -> Decide | None:
        """The decision that a line of play comes to."""
        actions: tuple[Action, ...] = ()
        for move in line:
            point = next_point(self.game, self._stakes, actions)
            if point is None:
                raise ValueError(f"{self.game.key}: more moves than decisions")
            actions = (*actions, self._action(point, move, self.deals[0]))
        return next_point(self.game, self._stakes, actions)

    def _action(self, point: Decide, move: Move, deal: Deal) -> Action:
        choice = point.choices[move.place]
        card = None if move.low_place is None else deal.cards[move.low_place]
        return Action(choice.key, card, move.cents)

    def _actions(self, line: Moves, deal: Deal) -> tuple[Action, ...]:
        actions: tuple[Action, ...] = ()
        for move in line:
            point = next_point(self.game, self._stakes, actions)
            if point is None:
                raise ValueError(f"{self.game.key}: more moves than decisions")
            actions = (*actions, self._action(point, move, deal))
        return actions

    def _after(self, line: Moves) -> tuple[Mapping[str, int], frozenset[str]]:
        """What is staked after a line of play."""
        if line not in self._staked:
            wagers = made_by(self.game, self._stakes, self._actions(line, self.deals[0]))
            self._staked[line] = wagers.wagers, wagers.taken_back
        return self._staked[line]

    def _node(self, point: Decide, line: Moves) -> Node:
        stakes, rest = self._after(line)
        units = {wager: cents // self.unit for wager, cents in stakes.items()}
        known = self._nodes.get((point.key, _stakes_key(units, rest)))
        return known or Node(point.key, point, units, rest)

    def _steps(self, line: Moves) -> list[tuple[str, Move]]:
        if line not in self._stepped:
            self._stepped[line] = [
                (self._node(point, line[:place]).key, move)
                for place, move in enumerate(line)
                if (point := self._point(line[:place])) is not None
            ]
        return self._stepped[line]

    def _net_of(self, line: Moves) -> list[int]:
        """The net result of a whole line of play, deal by deal, settled by the game."""
        if line not in self._nets:
            self._nets[line] = [self._net(line, deal) for deal in self.deals]
        return self._nets[line]

    def _net(self, line: Moves, deal: Deal) -> int:
        spot = Spot(1, deal.cards, self._stakes, self._actions(line, deal))
        round_ = Round(deal.dealer, (spot,), self._tables, self.options, deal.board)
        results = self.game.settle(round_).spots[0].wagers.values()
        return sum(result.returned - result.wagered for result in results)

    # -------------------------------------------------------------------------------------------- as tables

    @staticmethod
    def _rows_of(sights: Mapping[Sight, Any]) -> dict[tuple[tuple[Card, ...], tuple[Card, ...]], int]:
        rows = sorted({(sight.cards, sight.board) for sight in sights})
        return {row: place for place, row in enumerate(rows)}

    @property
    def _rows(self) -> dict[str, dict[tuple[tuple[Card, ...], tuple[Card, ...]], int]]:
        return {key: self._rows_of(verdict) for key, verdict in self.verdicts.items()}

    def _table(self, node: Node) -> PointTable:
        verdicts = self.verdicts[node.key]
        rows = self._rows_of(verdicts)
        dealer, board = seen_by(self.game, node.point)
        if len(dealer) > 1:
            raise Refusal(
                "dealer", f"{len(dealer)} cards of the dealer's are seen at {node.key}; a table has one at most"
            )
        columns = len(self.deck) if dealer else 1
        choices = node.point.choices
        worth = np.zeros((len(rows), len(choices), columns), dtype=np.int64)
        possible = np.zeros((len(rows), columns), dtype=np.bool_)
        opened = np.zeros((len(rows), len(choices)), dtype=np.bool_)
        cases = 0
        for sight, verdict in verdicts.items():
            row = rows[sight.cards, sight.board]
            column = self.deck.index(sight.dealer[0]) if sight.dealer else 0
            worth[row, :, column] = verdict.worth
            possible[row, column] = True
            opened[row] = verdict.open
            cases = verdict.cases
        hands = np.array([row[0] for row in rows], dtype=np.uint8).reshape(len(rows), -1)
        value = self.game.value_of(self.game.hand)
        known = isinstance(value, Hand) and {zone for zone, _ in value.places} == {self.game.zones[0].key}
        return PointTable(
            point=node.point,
            hands=hands,
            board=np.array([row[1] for row in rows], dtype=np.uint8).reshape(len(rows), len(board)),
            keys=np.array([sum(1 << int(card) for card in row[0]) for row in rows], dtype=np.int64),
            values=np.array(
                [value.ranking.value(*row[0]) if known and isinstance(value, Hand) else 0 for row in rows],
                dtype=np.int64,
            ),
            ways=np.ones(len(rows), dtype=np.int64),
            possible=possible,
            worth=worth,
            cases=cases,
            unit=self.unit,
            open=opened,
            stakes=stakes_after(node),
        )


def solve_brute(
    game: Game,
    tables: Mapping[str, PayTable],
    options: Mapping[str, Any] | None = None,
    deck: Sequence[Card] | None = None,
    progress: Progress | None = None,
) -> BruteSolution:
    """The best play of a base game over every deal of a short deck."""
    return BruteSolution(game, tables, options or {}, game.deck if deck is None else deck)


def stakes_after(node: Node) -> tuple[int, ...]:
    """By choice of a node: what is wagered after it, in units, optional stakes left."""
    rows = []
    for choice in node.point.choices:
        stakes = dict(node.stakes)
        for stake in choice.stakes:
            if not stake.optional:
                stakes[stake.wager] = stake.times * stakes[stake.of]
        gone = node.taken_back | {choice.takes_back}
        rows.append(sum(units for wager, units in stakes.items() if wager not in gone))
    return tuple(rows)


def _stakes_key(stakes: Mapping[str, int], taken_back: frozenset[str]) -> tuple[Any, ...]:
    return tuple(sorted(stakes.items())), taken_back


# ------------------------------------------------------------------------------------------------ the deals


def deals_of(game: Game, deck: Sequence[Card]) -> Iterator[Deal]:
    """Every deal that can be told apart; all of them come equally often."""
    groups = place_groups(game)
    for count, lying in enumerate(_filled(groups, tuple(deck))):
        zones: dict[str, dict[int, Card]] = {zone.key: {} for zone in game.zones}
        for (zone, places), cards in zip(groups, lying, strict=True):
            zones[zone].update(zip(places, cards, strict=True))
        by_owner = {zone.owner: tuple(zones[zone.key][place] for place in range(zone.cards)) for zone in game.zones}
        if count == MOST_DEALS:
            raise Refusal("deck", f"{len(deck)} cards make more than {MOST_DEALS:,} deals of {game.key}; shorten it")
        yield Deal(by_owner["spot"], by_owner.get("dealer", ()), by_owner.get("table", ()))


def place_groups(game: Game) -> list[tuple[str, tuple[int, ...]]]:
    """Places of a zone that are seen at the same points, and that the same values look at, go together."""
    hands = needed_hands(game, (*base_rules(game), *decision_rules(game)))
    groups: list[tuple[str, tuple[int, ...]]] = []
    for zone in game.zones:
        marks: dict[tuple[Any, ...], list[int]] = {}
        for place in range(zone.cards):
            sights = tuple(_sees(game, point, zone.owner, place) for point in game.points)
            looks = tuple(
                any(name == zone.key and places is not None and place in places for name, places in hand.places)
                for hand in hands
            )
            marks.setdefault((sights, looks), []).append(place)
        groups += [(zone.key, tuple(places)) for places in marks.values()]
    return groups


def _sees(game: Game, point: Decide, owner: str, place: int) -> bool:
    dealer, board = seen_by(game, point)
    return owner == "spot" or place in (dealer if owner == "dealer" else board)


def _filled(groups: Sequence[tuple[str, tuple[int, ...]]], deck: tuple[Card, ...]) -> Iterator[list[tuple[Card, ...]]]:
    if not groups:
        yield []
        return
    for cards in combinations(deck, len(groups[0][1])):
        rest = tuple(card for card in deck if card not in cards)
        for others in _filled(groups[1:], rest):
            yield [cards, *others]
