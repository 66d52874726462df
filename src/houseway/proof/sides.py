"""Wagers that are settled without a decision, and the rows of progressives: counted over the cards that they look at.

A rule names the values that it needs, and these the places where their cards lie. Where it does not matter which of the
cards lies where, which is verified before it is used, sets of cards are counted; where a rule sets the spot's hand
against the dealer's, the leaves of the base game are asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb, prod
from random import Random
from typing import Any, Final, TypeAlias

import numpy as np

from houseway.cards import JOKER, Card
from houseway.games.model import Derived, Game, Hand, Rule
from houseway.proof.cardsets import SMALL, Deck, Ints, set_portions, tally_values, values_of
from houseway.proof.fits import is_by_rank
from houseway.proof.shape import needed, needed_hands, option_numbers
from houseway.refusal import Refusal
from houseway.rule import arguments_of

Place: TypeAlias = tuple[str, int]
"""A zone and a place in it."""
Cases: TypeAlias = Mapping[tuple[int, ...], int]
"""By the values that a rule needs: in how many of the equally likely cases they come."""

MOST_SETS: Final = 200_000_000
MOST_ARRANGED: Final = 3_000_000
TRIED: Final = 1_000
"""Random sets of cards on which it is verified that their order does not matter."""


class RuleAsked:
    """A rule with everything but the values of cards filled in."""

    def __init__(self, game: Game, rule: Rule, options: Mapping[str, Any]) -> None:
        self.hands = needed_hands(game, [rule])
        self._names = arguments_of(rule)
        self._rule = rule
        self._derived = [value for key in needed(game, [rule]) if isinstance(value := game.value_of(key), Derived)]
        self._known: dict[str, Any] = {**option_numbers(game, options)}
        self._wagers = [wager.key for wager in game.wagers]

    def __call__(self, values: Sequence[int], stake: int = 0, odds: tuple[Any, Any] = ((), ())) -> int:
        env = {**self._known, **dict.fromkeys(self._wagers, stake), "stake": stake, "num": odds[0], "den": odds[1]}
        env.update(zip((hand.key for hand in self.hands), values, strict=True))
        for value in self._derived:
            env[value.key] = value.rule(*[env[name] for name in arguments_of(value.rule)])
        return int(self._rule(*[env[name] for name in self._names]))


def places_of(game: Game, hands: Sequence[Hand]) -> tuple[Place, ...]:
    """Every place that some value looks at, in the order of the zones."""
    found: set[Place] = set()
    for hand in hands:
        for zone, places in hand.places:
            size = next(known.cards for known in game.zones if known.key == zone)
            found |= {(zone, place) for place in (range(size) if places is None else places)}
    order = {zone.key: number for number, zone in enumerate(game.zones)}
    return tuple(sorted(found, key=lambda place: (order[place[0]], place[1])))


def count_cases(game: Game, rule: Rule, options: Mapping[str, Any], rows: int, deck: Deck) -> Cases | None:
    """The cases of a rule by the values of its cards; None where it sets two hands against each other.

    ``rows`` is how many rows its pay table has: it is asked with odds that are all different while it is verified that
    the order of the cards does not matter.
    """
    asked = RuleAsked(game, rule, options)
    places = places_of(game, asked.hands)
    at = {place: number for number, place in enumerate(places)}
    columns = [
        [at[zone, place] for zone, some in hand.places for place in (_all(game, zone) if some is None else some)]
        for hand in asked.hands
    ]
    if not places:
        return {(): 1}
    if _order_is_free(asked, columns, len(places), rows, deck):
        by_ranks = _by_ranks(asked.hands, len(places), deck)
        if by_ranks is not None or comb(len(deck), len(places)) > MOST_SETS:
            return by_ranks
        return _sets(tuple(asked.hands), tuple(map(tuple, columns)), len(places), deck)
    groups = [[number for number, place in enumerate(places) if place[0] == zone.key] for zone in game.zones]
    groups = [group for group in groups if group]
    left, ways = len(deck), []
    for group in groups:
        ways.append(comb(left, len(group)))
        left -= len(group)
    if prod(ways) > MOST_ARRANGED:
        return None
    return _arranged(asked.hands, columns, groups, deck)


def _all(game: Game, zone: str) -> range:
    return range(next(known.cards for known in game.zones if known.key == zone))


def _order_is_free(asked: RuleAsked, columns: Sequence[Sequence[int]], size: int, rows: int, deck: Deck) -> bool:
    """Whether a rule says the same however its cards are arranged over their places.

    A swap of two places and a turn of all of them make every arrangement. Few sets are all tried, many by a sample.
    """
    if size > len(deck):
        raise Refusal("deck", f"{len(deck)} cards are too few")
    odds = [101 + 13 * row * row + row for row in range(rows + 1)], [1] * (rows + 1)
    if comb(len(deck), size) <= SMALL:
        sets = np.concatenate(list(set_portions(deck, size)))
    else:
        source = Random(20_230_401)
        sets = np.array([source.sample(range(len(deck)), size) for _ in range(TRIED)], dtype=np.uint8)

    def said(order: Sequence[int]) -> Ints:
        values = [
            values_of(hand.ranking, deck, np.ascontiguousarray(sets[:, [order[place] for place in places]]))
            for hand, places in zip(asked.hands, columns, strict=True)
        ]
        kinds, kind = np.unique(np.stack(values, axis=1), axis=0, return_inverse=True)
        return np.array([asked(kind, 1000, odds) for kind in kinds.tolist()])[kind.ravel()]

    swap = [1, 0, *range(2, size)] if size > 1 else [0]
    turn = [*range(1, size), 0]
    before = said(range(size))
    return all(np.array_equal(before, said(order)) for order in (swap, turn))


@lru_cache(maxsize=4)
def _sets(hands: tuple[Hand, ...], columns: tuple[tuple[int, ...], ...], size: int, deck: Deck) -> Cases:
    """Wagers that look at the same values share this count."""
    counts: dict[tuple[int, ...], int] = {}
    for sets in set_portions(deck, size):
        values = [
            values_of(hand.ranking, deck, sets if list(places) == list(range(size)) else sets[:, list(places)])
            for hand, places in zip(hands, columns, strict=True)
        ]
        for key, count in tallied(values).items():
            counts[key] = counts.get(key, 0) + count
    return counts


def tallied(columns: Sequence[Ints]) -> dict[tuple[int, ...], int]:
    """How often each tuple of values comes."""
    if len(columns) == 1:
        return {(value,): count for value, count in tally_values(columns[0]).items()}
    found, ways = np.unique(np.stack(columns, axis=1), axis=0, return_counts=True)
    return {tuple(values): count for values, count in zip(found.tolist(), ways.tolist(), strict=True)}


def _by_ranks(hands: Sequence[Hand], size: int, deck: Deck) -> Cases | None:
    """The same by ranks alone, where the one value is that of a set of ranks."""
    from houseway.proof.kernels.by_ranks import ways_by_value

    if len(hands) != 1 or not is_by_rank(hands[0].ranking) or JOKER in deck:
        return None
    return {(value,): ways for value, ways in ways_by_value(hands[0].ranking, deck, size).items()}


def _arranged(
    hands: Sequence[Hand], columns: Sequence[Sequence[int]], groups: Sequence[Sequence[int]], deck: Deck
) -> Cases:
    """Every arrangement: the cards of one zone as a set, zone by zone."""
    counts: dict[tuple[int, ...], int] = {}
    lying: dict[int, Card] = {}

    def fill(zone: int, rest: tuple[Card, ...]) -> None:
        if zone == len(groups):
            key = tuple(
                hand.ranking.value(*[lying[place] for place in places])
                for hand, places in zip(hands, columns, strict=True)
            )
            counts[key] = counts.get(key, 0) + 1
            return
        for cards in combinations(rest, len(groups[zone])):
            lying.update(zip(groups[zone], cards, strict=True))
            fill(zone + 1, tuple(card for card in rest if card not in cards))

    fill(0, deck)
    return counts


def refuse_side(game: Game, what: str) -> Refusal:
    """What is said of a wager that no count reaches."""
    return Refusal("wager", f"no kernel counts the {what} of {game.key}: it sets hands against each other, and the "
                   "base game is not counted by one that keeps them apart")  # fmt: skip
