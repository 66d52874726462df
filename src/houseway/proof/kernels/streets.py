"""What the kernels for shared boards have in common: streets, ways through the decisions, and what comes back.

A *street* is a number of board cards in view at some decision. Cards of the board that are turned together, or that no
value tells apart, are sets: so what a spot sees at a street is its own cards and a set of board cards. A *chain* is one
way in which the cards of a whole board may have come street by street.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import comb, factorial, prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from houseway.games.flow import asks
from houseway.games.model import Decide, Game, Hand, Rule
from houseway.paytables import PayTable
from houseway.proof.leaves import PLAIN_PAIRS, Outcomes
from houseway.proof.shape import (
    Course,
    Node,
    after_choice,
    base_rules,
    base_stakes,
    needed_hands,
    nodes,
    seen_by,
)
from houseway.rule import arguments_of

Ints = npt.NDArray[Any]


# ------------------------------------------------------------------------------------------------ the shape


def board_sides(game: Game, rules: Sequence[Rule]) -> tuple[tuple[Hand, ...], tuple[Hand, ...], tuple[Hand, ...]]:
    """The values of cards that rules need: of the spot's cards and the board, of the dealer's and the board, others."""
    own: list[Hand] = []
    theirs: list[Hand] = []
    others: list[Hand] = []
    spot, dealer, board = (game.zone_of(owner) for owner in ("spot", "dealer", "table"))
    shared = {(board.key, None)} if board else set()
    for hand in needed_hands(game, rules):
        places = set(hand.places)
        if spot is not None and places == {(spot.key, None)} | shared:
            own.append(hand)
        elif dealer is not None and places == {(dealer.key, None)} | shared:
            theirs.append(hand)
        else:
            others.append(hand)
    return tuple(own), tuple(theirs), tuple(others)


def why_no_board_game(game: Game) -> str:
    """Why neither kernel for shared boards can count a game, in a sentence; empty where one may."""
    if game.solver:
        return "it names a solver of its own"
    if game.splits:
        return "its hands are set"
    if any(stake.optional for point in game.points for choice in point.choices for stake in choice.stakes):
        return "a stake of a decision is optional"
    if game.highest is not None and any(game.highest.key in arguments_of(rule) for rule in base_rules(game)):
        return "its base game looks at the hands of other spots"
    if any(seen_by(game, point)[0] for point in game.points):
        return "the dealer shows a card"
    own, _, others = board_sides(game, base_rules(game))
    if others:
        return f"value {others[0].key} looks at other cards than the spot's, or the dealer's, with the whole board"
    if len(own) != 1:
        return f"its base game looks at {len(own)} values of the spot's cards with the board; one can be counted"
    return ""


def seen_cards(game: Game, point: Decide) -> int:
    """How many board cards are in view at a point."""
    return len(seen_by(game, point)[1])


@cache
def streets(game: Game) -> tuple[int, ...]:
    """The numbers of board cards in view at the decisions, rising; the whole board last."""
    return tuple(sorted({*(seen_cards(game, point) for point in game.points), game.board_cards}))


def chains(seen: Sequence[int]) -> int:
    """In how many ways the cards of the last of these streets come, street by street, from the first on."""
    return factorial(seen[-1] - seen[0]) // prod(factorial(after - before) for before, after in pairwise(seen))


# ------------------------------------------------------------------------------------------------ through the decisions


class Tree(NamedTuple):
    """Every way through the decisions."""

    nodes: tuple[Node, ...]
    """In the order of the flow."""
    branches: Mapping[str, tuple[str | int, ...]]
    """By node and choice: the node that comes next, or the place of an ending."""
    endings: tuple[Course, ...]
    """What is staked at the end; the ways to it are left out."""
    first: str | int


@cache
def tree_of(game: Game) -> Tree:
    """The tree of a game's decisions; ways that come to the same stakes are one."""
    known = {_state(node.point.key, node.stakes, node.taken_back): node.key for node in nodes(game)}
    endings: dict[tuple[Any, ...], Course] = {}
    branches: dict[str, tuple[str | int, ...]] = {}

    def after(course: Course, at: int) -> str | int:
        while at < len(game.points) and (course.folded or not asks(game.points[at], course.stakes)):
            at += 1
        if at == len(game.points):
            state = _state(str(course.folded), course.stakes, course.taken_back)
            endings.setdefault(state, course._replace(steps=()))
            return list(endings).index(state)
        point = game.points[at]
        key = known[_state(point.key, course.stakes, course.taken_back)]
        if key not in branches:
            branches[key] = tuple(
                after(after_choice(course, key, place, choice), at + 1) for place, choice in enumerate(point.choices)
            )
        return key

    first = after(Course((), base_stakes(game), False, frozenset()), 0)
    return Tree(nodes(game), branches, tuple(endings.values()), first)


def _state(name: str, stakes: Mapping[str, int], taken_back: frozenset[str]) -> tuple[Any, ...]:
    return name, tuple(sorted(stakes.items())), taken_back


def stakes_by_choice(node: Node) -> tuple[int, ...]:
    """What is wagered after each choice of a node, in units."""
    course = Course((), node.stakes, False, node.taken_back)
    return tuple(
        after_choice(course, node.key, place, choice).wagered for place, choice in enumerate(node.point.choices)
    )


def follows(game: Game, ending: Course) -> bool:
    """Whether a wager was made that follows from a decision."""
    return any(key in game.followers for key in ending.stakes)


# ------------------------------------------------------------------------------------------------ what comes back


class BoardOutcomes(Outcomes):
    """What comes back on the base game of an ending, by the spot's value and the dealer's."""

    def __init__(self, game: Game, options: Mapping[str, Any]) -> None:
        scored = [(wager.key, wager.pays) for wager in game.wagers if wager.key in game.base and wager.pays is not None]
        super().__init__(game, options, scored, board_sides)
        self.plain_pairs = PLAIN_PAIRS // len(tree_of(game).endings)
        self._options = {**game.defaults, **options}

    def alive(self, ending: Course) -> dict[str, int]:
        """The wagers and awards of the base game that are settled by their rules, each counted once."""
        found = {}
        for key in self.game.base:
            wager = self.game.wager(key)
            if wager is None or wager.pays is None or key in ending.taken_back:
                continue
            is_made = wager.of in ending.stakes if wager.kind == "award" else key in ending.stakes
            if is_made and (not ending.folded or self.game.stays(key, self._options)):
                found[key] = 1
        return found

    def nets(
        self, ending: Course, own: Ints, dealers: Ints, unit: int, tables: Mapping[str, PayTable]
    ) -> tuple[Ints, Ints]:
        """By own value and step of the dealer's rising values: where the step starts, and the net result in it."""
        odds = {
            wager.key: tables[wager.table_key].schedule(wager.hands)
            for wager in self.game.wagers
            if wager.key in self.game.base and wager.hands
        }
        return self._net(ending, own, dealers, unit, odds, self.alive(ending))

    def told_apart(self, ending: Course, own: Ints, dealers: Ints) -> tuple[Ints, Ints]:
        """The same with odds and wagers that are all different: what no pay table could tell apart is equal."""
        odds = {
            wager.key: ([101 + 13 * row * row + row for row in range(len(wager.hands))], [1] * len(wager.hands))
            for wager in self.game.wagers
            if wager.key in self.game.base and wager.hands
        }
        weights = {key: 0x9E3779B1 * (place + 1) | 1 for place, key in enumerate(self.alive(ending))}
        return self._net(ending, own, dealers, 1, odds, weights)

    def _net(
        self,
        ending: Course,
        own: Ints,
        dealers: Ints,
        unit: int,
        odds: Mapping[str, tuple[Sequence[int], Sequence[int]]],
        weights: Mapping[str, int],
    ) -> tuple[Ints, Ints]:
        wagered = ending.wagered * unit
        if not weights:
            starts = np.zeros((len(own), 1), dtype=np.int64)
            return starts, np.full(starts.shape, -wagered, dtype=np.int64)
        stakes = {name: units * unit for name, units in ending.stakes.items()}
        for name in weights:
            stakes.setdefault(name, 0)
        starts, totals = self.found(own, dealers, stakes, weights, odds)
        return starts, totals - wagered


class UnequalClassError(ArithmeticError):
    """A pay table that tells apart what was counted as one outcome."""


def ways_to_deal(deck: int, own: int, seen: Sequence[int]) -> int:
    """In how many ways the board cards come, street by street, beside a spot's own cards."""
    return prod(comb(deck - own - before, after - before) for before, after in pairwise(seen))
