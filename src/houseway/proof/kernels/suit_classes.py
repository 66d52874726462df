"""Sets of cards that differ in the names of suits alone: one stands for each class, and each is renamed into it.

Beside a set that stands for its class lie other cards, such as a spot's own beside a board. Renamings that leave the
set as it is make classes among those: of the holes that they turn into each other one stands for all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations, product
from math import comb
from typing import Any

import numpy as np

from houseway.cards import JOKER
from houseway.proof.cardsets import Deck, Ints, every_set
from houseway.proof.compiled import jit, part
from houseway.proof.hands import SUITS, binomials


def renamings(deck: Deck, groups: Sequence[Sequence[int]]) -> Ints:
    """Every way to rename suits within groups, as a place in the deck for every place; the first changes nothing."""
    places = {int(card): place for place, card in enumerate(deck)}
    found = []
    for orders in product(*(permutations(group) for group in groups)):
        named = list(range(SUITS))
        for group, order in zip(groups, orders, strict=True):
            for old, new in zip(group, order, strict=True):
                named[old] = new
        found.append(
            [
                places[card] if card == JOKER else places[13 * named[int(card) // 13] + int(card) % 13]
                for card in map(int, deck)
            ]
        )
    return np.array(found, dtype=np.int64)


def renamed_sets(deck: Deck, size: int, renamed: Ints) -> Ints:
    """By renaming and number of a set: the number of the set that it becomes."""
    sets = every_set(deck, size).astype(np.int64)
    choose = binomials(len(deck), size)
    found = np.zeros((len(renamed), len(sets)), dtype=np.uint32)
    for place, names in enumerate(renamed):
        every = np.sort(names[sets], axis=1)
        for at in range(size):
            found[place] += choose[at + 1, every[:, at]].astype(np.uint32)
    return found


@dataclass(frozen=True, eq=False)
class SuitClasses:
    """The classes of the sets of one size, and of the holes beside each."""

    size: int
    sets: Ints
    """By class: the set that stands for it."""
    weights: Ints
    """By class: how many sets it has."""
    number: Ints
    """By set: its class."""
    renaming: Ints
    """By set: the renaming that turns it into the one that stands for its class."""
    holes: Ints
    """By class and hole: the hole that stands for it; -1 where it holds a card of the set."""
    row_class: Ints
    """By row, a set with a hole that stand for all that can be renamed into them: the class of the set."""
    row_hole: Ints
    row_ways: Ints

    def row_of(self, number: int, hole: int, beside: Ints) -> int:
        """The row of a set and a hole; ``beside`` renames holes."""
        kind = int(self.number[number])
        standing = int(self.holes[kind, beside[self.renaming[number], hole]])
        key = kind * self.holes.shape[1] + standing
        keys = self.row_class.astype(np.int64) * self.holes.shape[1] + self.row_hole
        return int(np.searchsorted(keys, key))

    def dense(self, by_row: Ints) -> Ints:
        """What is known by row, by class and hole."""
        row = np.zeros(self.holes.shape, dtype=by_row.dtype)
        row[self.row_class, self.row_hole] = by_row
        kinds = np.arange(len(self.holes))[:, None]
        return np.where(self.holes >= 0, row[kinds, np.maximum(self.holes, 0)], 0).astype(by_row.dtype)


def suit_classes(deck: Deck, size: int, hole: int, renamed: Ints) -> SuitClasses:
    """Classes of the sets of ``size`` cards, with holes of ``hole`` cards beside them."""
    sets = every_set(deck, size) if size else np.zeros((1, 0), dtype=np.uint8)
    number = np.empty(len(sets), dtype=np.int32)
    renaming = np.empty(len(sets), dtype=np.uint8)
    weights = np.zeros(len(sets), dtype=np.int64)
    _find_classes(sets, renamed, binomials(len(deck), max(size, 1)), number, renaming, weights)
    standing = np.flatnonzero(weights)
    place = np.full(len(sets), -1, dtype=np.int32)
    place[standing] = np.arange(len(standing))
    number = place[number]
    beside = renamed_sets(deck, hole, renamed)
    holes = np.empty((len(standing), comb(len(deck), hole)), dtype=np.int32)
    sizes = np.zeros(holes.shape, dtype=np.uint8)
    _find_holes(sets[standing], renamed, beside, every_set(deck, hole), holes, sizes)
    row_class, row_hole = np.nonzero(sizes)
    row_ways = weights[standing][row_class] * sizes[row_class, row_hole]
    if int(row_ways.sum()) != comb(len(deck), size) * comb(len(deck) - size, hole):
        raise ArithmeticError(f"classes of {size} and {hole} cards stand for {row_ways.sum()} deals")
    return SuitClasses(
        size,
        sets[standing],
        weights[standing],
        number,
        renaming,
        holes,
        row_class.astype(np.int32),
        row_hole.astype(np.int32),
        row_ways,
    )


@part
def _number_of(cards: Any, names: Any, choose: Any, room: Any) -> Any:
    """The number of a set of places that is renamed."""
    size = len(cards)
    for at in range(size):
        place = names[cards[at]]
        slot = at
        while slot > 0 and room[slot - 1] > place:
            room[slot] = room[slot - 1]
            slot -= 1
        room[slot] = place
    number = 0
    for at in range(size):
        number += choose[at + 1, room[at]]
    return number


@jit()
def _find_classes(sets: Any, renamed: Any, choose: Any, number: Any, renaming: Any, weights: Any) -> None:
    """The set of the lowest number stands for a class; ``weights`` is how many a class has, at that set."""
    room = np.empty(max(sets.shape[1], 1), dtype=np.int64)
    for row in range(len(sets)):
        lowest = row
        by = 0
        for place in range(len(renamed)):
            other = _number_of(sets[row], renamed[place], choose, room)
            if other < lowest:
                lowest = other
                by = place
        number[row] = lowest
        renaming[row] = by
        weights[lowest] += 1


@jit()
def _find_holes(sets: Any, renamed: Any, beside: Any, hole_cards: Any, holes: Any, sizes: Any) -> None:
    """By class and hole: the lowest hole that it becomes while the set stays, and how many holes that stands for."""
    stays = np.empty(len(renamed), dtype=np.int64)
    for kind in range(len(sets)):
        count = 0
        for place in range(len(renamed)):
            same = True
            for at in range(sets.shape[1]):
                found = False
                for other in range(sets.shape[1]):
                    if renamed[place, sets[kind, at]] == sets[kind, other]:
                        found = True
                if not found:
                    same = False
            if same:
                stays[count] = place
                count += 1
        for hole in range(len(hole_cards)):
            lies = True
            for at in range(hole_cards.shape[1]):
                for other in range(sets.shape[1]):
                    if hole_cards[hole, at] == sets[kind, other]:
                        lies = False
            if not lies:
                holes[kind, hole] = -1
                continue
            lowest = hole
            for at in range(count):
                lowest = min(lowest, beside[stays[at], hole])
            holes[kind, hole] = lowest
            sizes[kind, lowest] += 1
