"""What a loop needs to know of a declaration: which values are used where, which wagers make a line, who sees what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from typing import Any, Final, NamedTuple

import numpy as np

from houseway.cards import Card
from houseway.games.flow import shown_at
from houseway.games.model import PROGRESSIVE, Decide, Derived, Game, Hand, LaterDeal, Rule, Wager
from houseway.proof.shape import Node, nodes
from houseway.ranking.ranking import Ranking
from houseway.refusal import Refusal
from houseway.rule import arguments_of

BASE: Final = "base"
"""The line of the base game."""
SIMPLE: Final = "simple"
"""The declared simple way to play."""
MOST_BITS: Final = 16
"""A ranking of a set of bits is asked beforehand for every set, up to so many bits."""


class Seen(NamedTuple):
    """The cards that a spot sees at a point, as a loop writes them."""

    own: tuple[str, ...]
    board: tuple[str, ...]
    up: str
    """The dealer's card that is seen; empty where none is."""


class Declared:
    """A declaration as the loops read it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        spot, dealer, table = (game.zone_of(owner) for owner in ("spot", "dealer", "table"))
        self.spot_zone = spot.key if spot else ""
        self.dealer_zone = dealer.key if dealer else ""
        self.board_zone = table.key if table else ""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Everything that a rule may ask for by name."""
        game = self.game
        highest = (game.highest.key,) if game.highest else ()
        return (
            *(value.key for value in game.values),
            *highest,
            *(wager.key for wager in game.wagers),
            *(option.name for option in game.options),
        )

    # -------------------------------------------------------------------------------------------- cards

    @property
    def table_cards(self) -> int:
        """How many places of a round belong to no spot."""
        return sum(zone.places for zone in self.game.zones if zone.owner != "spot")

    @property
    def spot_cards(self) -> int:
        """How many places a spot has."""
        return sum(zone.places for zone in self.game.zones if zone.owner == "spot")

    def size_of(self, zone: str) -> int:
        return next(known.places for known in self.game.zones if known.key == zone)

    def places_of(self, zone: str) -> list[str]:
        """The cards of a zone; of a hand that is set the low card lies first."""
        for split in self.game.splits:
            if zone == split.high:
                return [f"held[{place}]" for place in range(1, self.size_of(split.zone))]
            if zone == split.low:
                return ["held[0]"]
        first = {self.spot_zone: "c", self.dealer_zone: "d", self.board_zone: "b"}[zone]
        return [
            f"cards[{first} + {place}, at]" if place else f"cards[{first}, at]" for place in range(self.size_of(zone))
        ]

    def seen_at(self, point: Decide) -> Seen:
        """What a spot sees at a point."""
        shown = shown_at(self.game, point)
        ups = shown.get(self.dealer_zone, ())
        if len(ups) > 1:
            raise Refusal("game", f"{self.game.key} shows {len(ups)} of the dealer's cards; loops know one")
        board = self.places_of(self.board_zone) if self.board_zone else []
        own = self.places_of(self.spot_zone)
        return Seen(
            tuple(own[place] for place in shown[self.spot_zone]),
            tuple(board[place] for place in shown.get(self.board_zone, ())),
            self.places_of(self.dealer_zone)[ups[0]] if ups else "",
        )

    def by_board(self, point: Decide) -> bool:
        """Whether the best choice is looked up by the whole board, which the dealer shares, and the own cards."""
        return bool(self.game.dealer_cards) and 0 < self.game.board_cards == len(self.seen_at(point).board)

    # -------------------------------------------------------------------------------------------- values

    def hand(self, key: str) -> Hand:
        value = self.game.value_of(key)
        if not isinstance(value, Hand):
            raise TypeError(f"{self.game.key}: {key} is not the value of a hand")
        return value

    @cached_property
    def by_rank(self) -> bool:
        """Whether suits never matter to the base game and its decisions."""
        rules = [wager.pays for wager in self.base_wagers if wager.pays is not None]
        asked = self.with_what_they_need(name for rule in rules for name in arguments_of(rule))
        hands = [value for value in self.game.values if isinstance(value, Hand) and value.key in asked]
        return bool(hands) and not any(hand.ranking.suits_matter for hand in hands)

    @cached_property
    def _shared_zones(self) -> set[str]:
        split = self.game.split_of(self.dealer_zone)
        return {self.dealer_zone, self.board_zone} | ({split.high, split.low} if split else set())

    @cached_property
    def _shared(self) -> frozenset[str]:
        """The values that are the same for every spot of a round."""
        found: set[str] = set()
        for value in self.game.values:
            if isinstance(value, Derived):
                asked = [name for name in arguments_of(value.rule) if self.game.value_of(name) is not None]
                same = all(name in found for name in asked)
            else:
                same = all(zone in self._shared_zones for zone, _ in value.places)
            if same:
                found.add(value.key)
        return frozenset(found)

    def is_shared(self, key: str) -> bool:
        return key in self._shared

    def with_what_they_need(self, names: Iterable[str]) -> set[str]:
        """These names, and those that the values among them are derived from."""
        found: set[str] = set()
        waiting = list(names)
        while waiting:
            key = waiting.pop()
            if key not in found:
                found.add(key)
                value = self.game.value_of(key)
                if isinstance(value, Derived):
                    waiting += arguments_of(value.rule)
        return found

    @cached_property
    def stored(self) -> tuple[str, ...]:
        """The values of cards that are computed once for a block: those of the base game and of hands that are set."""
        game = self.game
        asked: set[str] = {key for point in game.points if (key := self.value_at(point))}
        for wager in self.base_wagers:
            asked |= self.with_what_they_need(arguments_of(wager.pays) if wager.pays else ())
        if game.highest is not None:
            asked |= {game.highest.of, game.highest.dealer}
        split_zones = {zone for split in game.splits for zone in (split.zone, split.high, split.low)}
        return tuple(
            value.key
            for value in game.values
            if isinstance(value, Hand)
            and (value.key in asked or any(zone in split_zones for zone, _ in value.places))
            and not self.deals_of(value)
        )

    def deals_of(self, hand: Hand) -> tuple[LaterDeal, ...]:
        """The later deals that fill a place which a value looks at."""
        if not self.game.later_deals:
            return ()
        looks = {
            (zone, place)
            for zone, places in hand.places
            for place in (range(self.size_of(zone)) if places is None else places)
        }
        return tuple(deal for deal in self.game.later_deals if looks.intersection(deal.to))

    @cached_property
    def common(self) -> Mapping[str, tuple[str, ...]]:
        """Values that are not stored and that two or more side wagers ask for, with those wagers."""
        users: dict[str, list[str]] = {}
        for line, wagers in self.lines.items():
            if line == BASE:
                continue
            asked = self.with_what_they_need(
                name for wager in wagers if wager.pays for name in arguments_of(wager.pays)
            )
            for value in self.game.values:
                if isinstance(value, Hand) and value.key in asked and value.key not in self.stored:
                    users.setdefault(value.key, []).append(line)
        return {key: tuple(lines) for key, lines in users.items() if len(lines) > 1}

    def value_at(self, point: Decide) -> str:
        """The value of the spot's hand where it is seen at a point; empty where it is not."""
        if any(choice.sets for choice in point.choices):
            return ""
        shown = shown_at(self.game, point)
        hand = self.hand(self.game.hand)
        for zone, places in hand.places:
            if zone not in shown or not set(range(self.size_of(zone)) if places is None else places) <= {*shown[zone]}:
                return ""
        return hand.key

    def nodes_at(self, point: Decide) -> tuple[Node, ...]:
        """The different stakes with which a spot may come to a point: what is best may depend on them."""
        return tuple(node for node in nodes(self.game) if node.point is point)

    def rules_at(self, point: Decide) -> list[tuple[str, Rule]]:
        """The rules by which a point can be played: the simple way first, then every rule of thumb that has one."""
        thumbs = [(thumb.words, thumb.rules[point.key]) for thumb in self.game.thumbs if point.key in thumb.rules]
        return [(SIMPLE, point.sample), *thumbs]

    # -------------------------------------------------------------------------------------------- wagers

    @cached_property
    def base_wagers(self) -> tuple[Wager, ...]:
        return tuple(wager for wager in self.game.wagers if wager.key in self.game.base)

    @cached_property
    def placed(self) -> tuple[str, ...]:
        """The wagers that a spot makes before the deal, the progressive apart."""
        return tuple(
            wager.key
            for wager in self.game.wagers
            if wager.kind in ("required", "optional") and wager.key != PROGRESSIVE
        )

    @cached_property
    def following(self) -> tuple[str, ...]:
        """The wagers that choices make."""
        return tuple(self.game.followers)

    def is_sure(self, wager: str) -> bool:
        """Whether a wager is always made."""
        known = self.game.wager(wager)
        return known is not None and known.kind == "required"

    def leader_of(self, line: str) -> str:
        """The first wager of a line that is made before the deal."""
        return next(wager.key for wager in self.lines[line] if wager.kind in ("required", "optional"))

    def needs_leader(self, line: str) -> bool:
        """Whether no wager of a line stands without the first of it."""
        leader = self.leader_of(line)
        others = [wager for wager in self.lines[line] if wager.kind in ("required", "optional") and wager.key != leader]
        return all(leader in (wager.needs, wager.equals) for wager in others)

    def is_made(self, wager: str, line: str) -> bool:
        """Whether a wager of a line is there wherever the line is settled: where it is not, a spot folded."""
        leader = self.leader_of(line)
        if self.is_sure(wager) or (wager == leader and self.needs_leader(line)):
            return True
        point = self.game.points[0] if self.game.points else None
        if point is None or point.unless or point.needs not in ("", leader) or not self.needs_leader(line):
            return False
        known = self.game.wager(wager)
        return (
            known is not None
            and known.kind == "follows"
            and known.after_fold == "loses"
            and all(
                choice.folds or any(stake.wager == wager and not stake.optional for stake in choice.stakes)
                for choice in point.choices
            )
        )

    @cached_property
    def surrendered(self) -> frozenset[str]:
        """The wagers of which a choice may give up one half."""
        return frozenset(
            choice.surrenders for point in self.game.points for choice in point.choices if choice.surrenders
        )

    @cached_property
    def taken_back(self) -> frozenset[str]:
        """The wagers that a choice may take back."""
        return frozenset(
            choice.takes_back for point in self.game.points for choice in point.choices if choice.takes_back
        )

    @cached_property
    def can_fold(self) -> bool:
        return any(choice.folds for point in self.game.points for choice in point.choices)

    @cached_property
    def lines(self) -> Mapping[str, tuple[Wager, ...]]:
        """What is counted apart: the base game, and every other wager with the awards paid on it."""
        found: dict[str, list[Wager]] = {BASE: list(self.base_wagers)} if self.base_wagers else {}
        for wager in self.game.wagers:
            if wager.key in self.game.base or wager.pays is None:
                continue
            line = wager.of or wager.key
            if wager.kind == "follows":
                line = BASE
            found.setdefault(BASE if line in self.game.base else line, []).append(wager)
        return {line: tuple(wagers) for line, wagers in found.items()}

    @cached_property
    def with_tables(self) -> tuple[Wager, ...]:
        """The wagers that pay by a table of odds."""
        return tuple(wager for wager in self.game.wagers if wager.hands and wager.pays is not None)

    @cached_property
    def envied(self) -> tuple[Wager, ...]:
        """The wagers whose tables may pay flat envy."""
        return tuple(wager for wager in self.game.wagers if wager.envy_row is not None)

    @cached_property
    def options(self) -> tuple[str, ...]:
        """The house options that rules, folds and the highest hand ask for."""
        game = self.game
        rules = [rule for wager in game.wagers for rule in (wager.pays, wager.envy_row) if rule is not None]
        rules += [rule for point in game.points for _, rule in self.rules_at(point)]
        rules += [choice.when for point in game.points for choice in point.choices if choice.when is not None]
        rules += [point.when for point in game.points if point.when is not None]
        rules += [deal.when for deal in game.later_deals if deal.when is not None]
        rules += [game.progressive.row] if game.progressive else []
        asked = self.with_what_they_need(name for rule in rules for name in arguments_of(rule))
        asked |= {wager.after_fold for wager in game.wagers}
        asked |= {game.highest.counts_folded} if game.highest else set()
        return tuple(option.name for option in game.options if option.name in asked)

    def option_numbers(self, options: Mapping[str, Any]) -> list[int]:
        """These options as the loops take them."""
        return [int(self.game.options_by_name[name].number(options[name])) for name in self.options]


@cache
def bit_tables(ranking: Ranking, deck: Sequence[Card]) -> tuple[Any, Any] | None:
    """For a ranking of a set of bits: the bit of every card, and the value of every set; None where those are many."""
    if ranking.card_bit is None:
        return None
    bits = [ranking.card_bit(card) for card in range(max(deck) + 1)]
    together = 0
    for bit in bits:
        together |= bit
    if together.bit_length() > MOST_BITS:
        return None
    worth = [ranking.compiled(held, *ranking.lookups()) for held in range(1 << together.bit_length())]
    return np.array(bits, np.int64), np.array(worth, np.int64)


def has_optional(point: Decide) -> bool:
    """Whether a choice of the point makes a wager that the player may leave."""
    return any(stake.optional for choice in point.choices for stake in choice.stakes)


def sets_hands(point: Decide) -> bool:
    """Whether hands are set at the point."""
    return any(choice.sets for choice in point.choices)
