"""What a solver finds, the same for every game: what each choice is worth by what a spot sees, and what play comes to.

A `PointTable` has a row for every class of hands (and of board cards, where some are seen) and a column for every card
that the dealer may show; where the dealer shows none there is one column. Worths are whole numbers: the net results in
parts of the unit wager, summed over everything that the player cannot see.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from houseway.cards import DECK_53, Card
from houseway.games.flow import shown_at
from houseway.games.model import Decide, Derived, Game, Hand, Rule, Thumb
from houseway.proof.cardsets import values_of
from houseway.proof.distribution import Distribution
from houseway.proof.shape import needed, option_numbers
from houseway.refusal import Refusal
from houseway.rule import arguments_of

EVERY_CARD: Final = tuple(sorted(DECK_53))
"""A deck in which the place of a card is its number."""
FEW: Final = 1 << 10
"""Values below this are counted, not sorted."""
Ints: TypeAlias = npt.NDArray[Any]
Flags: TypeAlias = npt.NDArray[np.bool_]
Policy: TypeAlias = Mapping[str, Ints]
"""By node: the place of a choice for every row and column of its table."""


@dataclass(frozen=True, eq=False)
class PointTable:
    """What every choice is worth at a decision, with everything that may be seen there."""

    point: Decide
    hands: npt.NDArray[np.uint8]
    """The spot's cards, one hand for each class."""
    board: npt.NDArray[np.uint8]
    """The board cards that are seen; no columns where none are."""
    keys: npt.NDArray[np.int64]
    """The hand of each row: its cards as bits, or, where suits do not matter, the count of rank r at bit 4 (r - 2)."""
    values: Ints
    """What the hand is worth by the game's value of a hand; 0 where that is not known yet."""
    ways: Ints
    """How many deals of the cards seen, the dealer's apart, a row stands for."""
    possible: Flags
    """Rows by columns: whether the dealer's card is none of those seen elsewhere."""
    worth: Ints
    """Rows by choices by columns: net results in parts of the unit, summed over ``cases`` ways the other cards lie."""
    cases: int
    unit: int
    open: Flags
    """Rows by choices: where a choice has a condition, whether these cards meet it."""
    stakes: tuple[int, ...]
    """By choice: what is wagered after it, in units; of two choices worth the same the smaller stake is ``best``."""

    @cached_property
    def best(self) -> npt.NDArray[np.uint8]:
        """The place of the best choice; where two are worth the same that with the smaller stake."""
        return best_choice(self.worth, self.open, self.stakes)

    @cached_property
    def best_larger(self) -> npt.NDArray[np.uint8]:
        """The same where ties go to the larger stake."""
        return best_choice(self.worth, self.open, tuple(-stake for stake in self.stakes))

    @cached_property
    def ties(self) -> Flags:
        """Where two choices are worth exactly the same, and are the best."""
        found: Flags = self.possible & (self.best != self.best_larger)
        return found

    def fractions(self, row: int, column: int = 0) -> list[Fraction]:
        """The average net result of every choice, per unit wager; closed choices included."""
        return [Fraction(int(worth), self.cases * self.unit) for worth in self.worth[row, :, column]]


def best_choice(worth: Ints, opened: Flags, stakes: Sequence[int]) -> npt.NDArray[np.uint8]:
    """The place of the best open choice by row and column; of equals that with the smallest stake, then the first."""
    order = sorted(range(len(stakes)), key=lambda place: (stakes[place], place))
    best = np.full((worth.shape[0], worth.shape[2]), order[0], dtype=np.uint8)
    most = worth[:, order[0]]
    taken = np.broadcast_to(opened[:, order[0], None], best.shape)
    for place in order[1:]:
        better = opened[:, place, None] & (~taken | (worth[:, place] > most))
        best = np.where(better, np.uint8(place), best)
        most = np.where(better, worth[:, place], most)
        taken = taken | better
    return best


@dataclass(frozen=True, slots=True)
class PlayResult:
    """What a way to play comes to, over every deal."""

    distribution: Distribution
    """Per unit of the first base wager; a hit is a round that ends ahead."""
    frequencies: Mapping[str, tuple[Fraction, ...]]
    """By node: how often each choice is made, out of all rounds."""
    follow_frequency: Fraction
    """How often a wager is made that follows from a decision."""


class Solution(ABC):
    """A solved base game."""

    game: Game
    deck: tuple[Card, ...]
    """Sorted; a column of a table is a place here."""
    options: Mapping[str, Any]
    points: Mapping[str, PointTable]
    """By node: the key of its decision point, wherever every spot comes to it with the same stakes."""

    @abstractmethod
    def play(self, policy: Policy | None = None) -> PlayResult:
        """What deciding so comes to; a node that the policy leaves out is played the best way."""

    @abstractmethod
    def row_of(
        self, node: str, cards: Sequence[Card], dealer: Sequence[Card], board: Sequence[Card]
    ) -> tuple[int, int]:
        """Row and column of what a spot sees at a node."""

    @cached_property
    def best(self) -> PlayResult:
        """What the best play comes to, ties to the smaller stake."""
        return self.play()

    def edge(self, policy: Policy) -> Fraction:
        """The house edge of a way to play; where one decision is made quicker than all of ``play``."""
        if len(self.points) != 1:
            return self.play(policy).distribution.house_edge
        ((key, table),) = self.points.items()
        chosen = policy[key]
        by_row = sum(
            np.where(table.possible & (chosen == place), table.worth[:, place], 0).sum(axis=1)
            for place in range(len(table.stakes))
        ).tolist()
        cases = table.possible.sum(axis=1).tolist()
        ways = table.ways.tolist()
        total = sum(count * number for count, number in zip(cases, ways, strict=True)) * table.cases * table.unit
        return Fraction(-sum(worth * count for worth, count in zip(by_row, ways, strict=True)), total)

    @property
    def larger(self) -> Policy:
        """The best play where ties go to the larger stake."""
        return {key: table.best_larger for key, table in self.points.items()}

    @property
    def has_ties(self) -> bool:
        """Whether two choices are somewhere worth exactly the same."""
        return any(bool(table.ties.any()) for table in self.points.values())

    def advise(
        self,
        cards: Sequence[Card],
        dealer_seen: Sequence[Card] = (),
        board_seen: Sequence[Card] = (),
        node: str = "",
    ) -> list[tuple[str, Fraction]]:
        """Every open choice and its average net result per unit wager, the best first, of equals the smaller stake."""
        chosen = node or next(
            (key for key, table in self.points.items() if table.board.shape[1] == len(board_seen)), ""
        )
        if chosen not in self.points:
            raise Refusal("board", f"no decision of {self.game.key} is made with {len(board_seen)} board cards in view")
        table = self.points[chosen]
        row, column = self.row_of(chosen, cards, dealer_seen, board_seen)
        worth = table.fractions(row, column)
        order = sorted(
            (place for place in range(len(worth)) if table.open[row, place]),
            key=lambda place: (-worth[place], table.stakes[place], place),
        )
        return [(table.point.choices[place].key, worth[place]) for place in order]

    def by_thumb(self, thumb: Thumb) -> dict[str, Ints]:
        """The policy of a rule of thumb; a point that it says nothing of is played the best way."""
        return {key: self._thumb_at(table, thumb) for key, table in self.points.items()}

    def _thumb_at(self, table: PointTable, thumb: Thumb) -> Ints:
        if thumb.blind_to:
            return blind(self.game, table, thumb.blind_to)
        rule = thumb.rules.get(table.point.key)
        return table.best if rule is None else told(self.game, table, rule, self.deck, self.options)


def blind(game: Game, table: PointTable, zone: str) -> Ints:
    """The best play of somebody who does not look at a zone."""
    known = game.zone_of("dealer")
    if known is not None and known.key == zone:
        worth = np.where(table.possible[:, None, :], table.worth, 0).sum(axis=2, keepdims=True)
        return np.broadcast_to(best_choice(worth, table.open, table.stakes), table.possible.shape)
    known = game.zone_of("table")
    if known is None or known.key != zone:
        raise Refusal("rule of thumb", f"{game.key} has no zone {zone} of the dealer or the table")
    _, row = np.unique(table.keys, return_inverse=True)
    sums = np.zeros((int(row.max()) + 1, *table.worth.shape[1:]), dtype=object)
    np.add.at(sums, row, table.worth.astype(object) * table.ways.astype(object)[:, None, None])
    opened = np.ones(sums.shape[:2], dtype=np.bool_)
    return best_choice(sums, opened, table.stakes)[row]


def told(game: Game, table: PointTable, rule: Rule, deck: Sequence[Card], options: Mapping[str, Any]) -> Ints:
    """What a rule says for every row and column; it is asked once for every set of values that comes."""
    names = arguments_of(rule)
    numbers = option_numbers(game, options)
    by_row, by_column = seen_values(game, table, rule, deck)
    rows = [by_row[name] for name in by_row]
    columns = [by_column[name] for name in by_column]
    row_sets, row = _distinct(rows, len(table.hands))
    column_sets, column = _distinct(columns, table.possible.shape[1])
    derived = [value for key in needed(game, [rule]) if isinstance(value := game.value_of(key), Derived)]
    answers = np.empty((len(row_sets), len(column_sets)), dtype=np.int64)
    for at, own in enumerate(row_sets):
        for up, shown in enumerate(column_sets):
            env = {**numbers, **dict(zip(by_row, own, strict=True)), **dict(zip(by_column, shown, strict=True))}
            for value in derived:
                env[value.key] = value.rule(*[env[name] for name in arguments_of(value.rule)])
            answers[at, up] = int(rule(*[env[name] for name in names]))
    return answers[row][:, column]


def seen_values(
    game: Game, table: PointTable, rule: Rule, deck: Sequence[Card]
) -> tuple[dict[str, Ints], dict[str, Ints]]:
    """The values of cards that a rule needs: those that go with the row, and those that go with the dealer's card."""
    dealer = game.zone_of("dealer")
    by_row: dict[str, Ints] = {}
    by_column: dict[str, Ints] = {}
    for key in needed(game, [rule]):
        value = game.value_of(key)
        if not isinstance(value, Hand):
            continue
        zones = {zone for zone, _ in value.places}
        if dealer is not None and zones == {dealer.key}:
            by_column[key] = np.array([value.ranking.value(card) for card in deck], dtype=np.int64)
        elif dealer is not None and dealer.key in zones:
            raise Refusal(
                f"value {key}", "is of the dealer's and other cards together, which no rule of thumb can be counted by"
            )
        elif key == game.hand and not table.board.shape[1]:
            by_row[key] = np.asarray(table.values)
        else:
            by_row[key] = row_values(game, table, value)
    return by_row, by_column


def row_values(game: Game, table: PointTable, hand: Hand) -> Ints:
    """A value of the spot's and the board's cards, by row."""
    spot, board = game.zone_of("spot"), game.zone_of("table")
    shown = list(shown_at(game, table.point)[board.key]) if board else []
    columns: list[Ints] = []
    for zone, places in hand.places:
        if spot is not None and zone == spot.key:
            columns += [table.hands[:, place] for place in (range(spot.cards) if places is None else places)]
        elif board is not None and zone == board.key:
            columns += [table.board[:, shown.index(place)] for place in (places or range(board.cards))]
    return values_of(hand.ranking, EVERY_CARD, np.stack(columns, axis=1))


def _distinct(arrays: Sequence[Ints], size: int) -> tuple[list[tuple[int, ...]], Ints]:
    """The different tuples that arrays of one length hold side by side, and which of them stands where."""
    if not arrays:
        return [()], np.zeros(size, dtype=np.int64)
    if len(arrays) == 1 and size > FEW and int(arrays[0].min()) >= 0 and int(arrays[0].max()) < FEW:
        there = np.flatnonzero(np.bincount(arrays[0], minlength=1))
        place_of = np.zeros(FEW, dtype=np.int64)
        place_of[there] = np.arange(len(there))
        return [(value,) for value in there.tolist()], place_of[arrays[0]]
    if len(arrays) == 1:
        values, place = np.unique(arrays[0], return_inverse=True)
        return [(value,) for value in values.tolist()], place
    found, place = np.unique(np.stack(arrays, axis=1), axis=0, return_inverse=True)
    return [tuple(row) for row in found.tolist()], place.ravel()
