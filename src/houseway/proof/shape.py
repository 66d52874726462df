"""What a solver reads off a declaration: the stakes of the base game, the ways through its decisions, what rules need.

A *node* is a decision as a spot comes to it: the point, and what its choices before have staked. Where every spot
comes to a point with the same stakes the node has the key of the point. A *course* is a whole way through the
decisions, from the deal to the settlement: with it every stake of the base game is known.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from math import lcm
from typing import Any, NamedTuple

from houseway.games.flow import asks, shown_at
from houseway.games.model import Choice, Decide, Derived, Game, Hand, Rule
from houseway.paytables import PayTable
from houseway.rule import arguments_of


class Course(NamedTuple):
    """A whole way through the decisions."""

    steps: tuple[tuple[str, int], ...]
    """Node by node: its key and the place of the choice among those of its point."""
    stakes: Mapping[str, int]
    """Every wager of the base game that is made, in units."""
    folded: bool
    taken_back: frozenset[str]

    @property
    def wagered(self) -> int:
        """What stays wagered, in units."""
        return sum(units for wager, units in self.stakes.items() if wager not in self.taken_back)


class Node(NamedTuple):
    """A decision as a spot comes to it."""

    key: str
    point: Decide
    stakes: Mapping[str, int]
    taken_back: frozenset[str]


def base_stakes(game: Game) -> dict[str, int]:
    """What is wagered on the base game before the deal: one unit on each of its wagers."""
    return {key: 1 for key in game.base if _kind(game, key) in ("required", "optional")}


def _kind(game: Game, key: str) -> str:
    wager = game.wager(key)
    return wager.kind if wager is not None else ""


def exact_unit(game: Game, tables: Mapping[str, PayTable]) -> int:
    """The smallest unit on which no pay of the base game is rounded."""
    dens = [den for key, hands in base_schedules(game) for den in tables[key].schedule(hands)[1] if den]
    dens += [wager.parts for wager in game.wagers if wager.key in game.base]
    dens += [2 for point in game.points for choice in point.choices if choice.surrenders in game.base]
    return lcm(*dens)


def base_schedules(game: Game) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The tables that the base game pays by, with the rows as the rules number them."""
    for wager in game.wagers:
        if wager.key in game.base and wager.hands:
            yield wager.table_key, wager.hands


@cache
def nodes(game: Game) -> tuple[Node, ...]:
    """Every decision as a spot may come to it, in the order of the flow."""
    found: dict[tuple[Any, ...], Node] = {}
    for _, _, node in _walk(game):
        if node is not None:
            found.setdefault(_state(node), node)
    place = {point.key: number for number, point in enumerate(game.points)}
    return tuple(sorted(found.values(), key=lambda node: place[node.point.key]))


@cache
def courses(game: Game) -> tuple[Course, ...]:
    """Every whole way through the decisions."""
    return tuple(course for course, _, node in _walk(game) if node is None)


def _walk(game: Game) -> Iterator[tuple[Course, tuple[str, ...], Node | None]]:
    """Every way through the decisions so far, with the node that it comes to; None where it is at its end."""
    alone = _come_to_alike(game)
    waiting: list[tuple[Course, tuple[str, ...], int]] = [(Course((), base_stakes(game), False, frozenset()), (), 0)]
    while waiting:
        course, said, at = waiting.pop(0)
        while at < len(game.points) and (course.folded or not asks(game.points[at], course.stakes)):
            at += 1
        if at == len(game.points):
            yield course, said, None
            continue
        point = game.points[at]
        key = point.key if point.key in alone else f"{point.key} after {', '.join(said) or 'the deal'}"
        yield course, said, Node(key, point, course.stakes, course.taken_back)
        for place, choice in enumerate(point.choices):
            waiting.append((after_choice(course, key, place, choice), (*said, choice.key), at + 1))


def after_choice(course: Course, node: str, place: int, choice: Choice) -> Course:
    """A course one choice further; optional stakes are left."""
    stakes = dict(course.stakes)
    for stake in choice.stakes:
        if not stake.optional:
            stakes[stake.wager] = stake.times * stakes[stake.of]
    taken = course.taken_back | ({choice.takes_back} if choice.takes_back else frozenset())
    return Course((*course.steps, (node, place)), stakes, course.folded or choice.folds, taken)


def _state(node: Node) -> tuple[Any, ...]:
    return node.point.key, tuple(sorted(node.stakes.items())), node.taken_back


@cache
def _come_to_alike(game: Game) -> frozenset[str]:
    """The points that every spot comes to with the same stakes."""
    states: dict[str, set[tuple[Any, ...]]] = {}
    waiting = [(Course((), base_stakes(game), False, frozenset()), 0)]
    while waiting:
        course, at = waiting.pop()
        while at < len(game.points) and (course.folded or not asks(game.points[at], course.stakes)):
            at += 1
        if at < len(game.points):
            point = game.points[at]
            states.setdefault(point.key, set()).add(_state(Node("", point, course.stakes, course.taken_back)))
            waiting += [
                (after_choice(course, point.key, place, choice), at + 1) for place, choice in enumerate(point.choices)
            ]
    return frozenset(key for key, found in states.items() if len(found) == 1)


# ------------------------------------------------------------------------------------------------ what rules need


def needed(game: Game, rules: Collection[Rule]) -> tuple[str, ...]:
    """The values that rules need, those that other values follow from included, in the order of the declaration."""
    wanted: set[str] = set()
    waiting = [name for rule in rules for name in arguments_of(rule)]
    while waiting:
        name = waiting.pop()
        if name not in wanted:
            wanted.add(name)
            value = game.value_of(name)
            if isinstance(value, Derived):
                waiting += arguments_of(value.rule)
    return tuple(value.key for value in game.values if value.key in wanted)


def needed_hands(game: Game, rules: Collection[Rule]) -> tuple[Hand, ...]:
    """The values of cards among them."""
    found = [game.value_of(key) for key in needed(game, rules)]
    return tuple(value for value in found if isinstance(value, Hand))


def needs_options(game: Game, rules: Collection[Rule]) -> tuple[str, ...]:
    """The house options that rules ask for, and the values that they are given."""
    asked = [name for rule in rules for name in arguments_of(rule)]
    for key in needed(game, rules):
        value = game.value_of(key)
        if isinstance(value, Derived):
            asked += arguments_of(value.rule)
    return tuple(option.name for option in game.options if option.name in asked)


def base_rules(game: Game) -> tuple[Rule, ...]:
    """The rules of the base game's wagers."""
    return tuple(wager.pays for wager in game.wagers if wager.key in game.base and wager.pays is not None)


def decision_rules(game: Game) -> tuple[Rule, ...]:
    """The rules that a player decides by, or may."""
    conditions = [choice.when for point in game.points for choice in point.choices if choice.when is not None]
    thumbs = [rule for thumb in game.thumbs for rule in thumb.rules.values()]
    return (*conditions, *thumbs)


def zones_of(hand: Hand) -> frozenset[str]:
    """The zones that a value looks at."""
    return frozenset(zone for zone, _ in hand.places)


def seen_by(game: Game, point: Decide) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The places of the dealer's cards and of the board that a spot sees at a point."""
    shown = shown_at(game, point)
    dealer, board = game.zone_of("dealer"), game.zone_of("table")
    return shown[dealer.key] if dealer else (), shown[board.key] if board else ()


def option_numbers(game: Game, options: Mapping[str, Any]) -> dict[str, int]:
    """Options as rules take them."""
    chosen = {**game.defaults, **options}
    return {
        option.name: option.number(chosen[option.name])
        for option in game.options
        if option.values or isinstance(option.default, bool | int)
    }
