"""Sets of cards of a deck: all of them in order, what a ranking makes of each, and classes that differ in suits alone.

A set of places p0 < p1 < … in the sorted deck has the number C(p0, 1) + C(p1, 2) + …, and stands there. Suits that have
the same ranks in the deck can be renamed without changing what cards are worth. That is a claim about the rankings: it
is verified on every set that is valued, and suits for which it does not hold stay apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from math import comb
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from houseway.cards import JOKER, Card, rank_of, suit_of
from houseway.proof.compiled import jit
from houseway.proof.generated import value_kernel
from houseway.proof.hands import SUITS, binomials, class_size
from houseway.ranking.ranking import Ranking

Deck: TypeAlias = tuple[Card, ...]
Ints: TypeAlias = npt.NDArray[Any]

SMALL: Final = 30_000
"""Up to so many sets are valued as at the table; a compiler takes longer."""
PORTION: Final = 1 << 20
SLOTS: Final = 1 << 17
"""Room for the different values of a tally."""


def sorted_deck(deck: Sequence[int]) -> Deck:
    """A deck in rising order; a card that is there twice or does not exist is refused."""
    cards = tuple(Card(card) for card in sorted(deck))
    if not cards or len(set(cards)) != len(cards) or cards[0] < 0 or cards[-1] > JOKER:
        raise ValueError("a deck is a set of different cards")
    return cards


# ------------------------------------------------------------------------------------------------ classes


Twins: TypeAlias = tuple[Ints, Ints]
"""For every suit: the suit before it that it may be swapped with (-1: none), and its index in that group."""


def twins_of(groups: Sequence[Sequence[int]]) -> Twins:
    """Suits in groups within which they may be renamed."""
    before = np.full(SUITS, -1, dtype=np.int64)
    nth = np.ones(SUITS, dtype=np.int64)
    for group in groups:
        for place, suit in enumerate(group[1:], start=1):
            before[suit] = group[place - 1]
            nth[suit] = place + 1
    return before, nth


def alike_suits(deck: Sequence[int]) -> list[list[int]]:
    """The suits of a deck in groups that have the same ranks in it."""
    groups: dict[frozenset[int], list[int]] = {}
    for suit in range(SUITS):
        ranks = frozenset(rank_of(card) for card in deck if suit_of(card) == suit)
        groups.setdefault(ranks, []).append(suit)
    return list(groups.values())


def verified_suits(deck: Deck, valued: Sequence[tuple[Ints, Ints]]) -> list[list[int]]:
    """The suits that may be renamed: same ranks in the deck, and no value of any set changes.

    ``valued`` pairs all sets of a size with their values.
    """
    groups: list[list[int]] = []
    for alike in alike_suits(deck):
        parts: list[list[int]] = []
        for suit in alike:
            for part in parts:
                if all(_same_when_swapped(deck, part[-1], suit, sets, values) for sets, values in valued):
                    part.append(suit)
                    break
            else:
                parts.append([suit])
        groups += parts
    return groups


def _same_when_swapped(deck: Deck, first: int, second: int, sets: Ints, values: Ints) -> bool:
    swapped = {first: second, second: first}
    places = {card: place for place, card in enumerate(deck)}
    renamed = np.array(
        [
            places[Card(13 * swapped.get(suit_of(card), suit_of(card)) + card % 13)] if card != JOKER else places[card]
            for card in deck
        ],
        dtype=np.int64,
    )
    return bool(_values_stay(sets, renamed, values, binomials(len(deck), sets.shape[1])))


def in_class_form(groups: Sequence[Sequence[int]], cards: Sequence[int], others: Sequence[int] = ()) -> list[Card]:
    """Cards, and others beside them, with suits renamed so that the cards are those that stand for their class."""
    held = [sum(1 << rank_of(card) for card in cards if suit_of(card) == suit) for suit in range(SUITS)]
    renamed = {
        old: new
        for group in groups
        for old, new in zip(sorted(group, key=lambda suit: -held[suit]), group, strict=True)
    }
    return [Card(card if card == JOKER else 13 * renamed[suit_of(card)] + card % 13) for card in (*cards, *others)]


def set_number(deck: Deck, cards: Sequence[int]) -> int:
    """The number of a set of cards of the deck."""
    places = sorted(deck.index(Card(card)) for card in cards)
    return sum(comb(place, size) for size, place in enumerate(places, start=1))


@cache
def every_set(deck: Deck, size: int) -> Ints:
    """All sets of so many cards, by number: rising places in the deck."""
    sets = np.empty((comb(len(deck), size), size), dtype=np.uint8)
    _list_sets(len(deck), sets, np.arange(size))
    return sets


def class_sizes(deck: Deck, sets: Ints, groups: Sequence[Sequence[int]]) -> Ints:
    """How many sets each stands for; 0 where another stands for it."""
    before, nth = twins_of(groups)
    sizes = np.empty(len(sets), dtype=np.int8)
    _class_sizes(np.array(deck, dtype=np.int64), sets, before, nth, sizes)
    return sizes


# ------------------------------------------------------------------------------------------------ values


_known_values: dict[tuple[Deck, str, int], Ints] = {}


def values_of_sets(ranking: Ranking, deck: Deck, size: int) -> Ints:
    """What a ranking makes of every set of so many cards, by number. Kept while the process lives."""
    key = deck, ranking.key, size
    if key not in _known_values:
        _known_values[key] = values_of(ranking, deck, every_set(deck, size))
    return _known_values[key]


def values_of(ranking: Ranking, deck: Deck, sets: Ints) -> Ints:
    """What a ranking makes of sets of cards, given as places in the deck."""
    kernel = value_kernel(ranking, sets.shape[1]) if len(sets) > SMALL else None
    if kernel is None:
        return _valued_plainly(ranking.value, deck, sets)
    values = np.empty(len(sets), dtype=np.int64)
    kernel(np.array(deck, dtype=np.int64), sets, values, *ranking.lookups())
    return values


def _valued_plainly(value: Callable[..., int], deck: Deck, sets: Ints) -> Ints:
    cards = np.array(deck, dtype=np.int64)[sets.astype(np.int64)].tolist()
    return np.array([value(*hand) for hand in cards], dtype=np.int64)


def tally(deck: Deck, size: int, rankings: Sequence[Ranking]) -> dict[tuple[int, ...], int]:
    """In how many sets of so many cards each tuple of values comes; a few million sets a second."""
    counts: dict[tuple[int, ...], int] = {}
    for sets in set_portions(deck, size):
        columns = [values_of(ranking, deck, sets) for ranking in rankings]
        if len(columns) == 1:
            for value, count in tally_values(columns[0]).items():
                counts[(value,)] = counts.get((value,), 0) + count
            continue
        found, ways = np.unique(np.stack(columns, axis=1), axis=0, return_counts=True)
        for values, count in zip(found.tolist(), ways.tolist(), strict=True):
            counts[tuple(values)] = counts.get(tuple(values), 0) + count
    return counts


def set_portions(deck: Deck, size: int) -> Iterator[Ints]:
    """All sets of so many cards, a portion at a time."""
    total = comb(len(deck), size)
    places = np.arange(size)
    for first in range(0, total, PORTION):
        sets = np.empty((min(PORTION, total - first), size), dtype=np.uint8)
        _list_sets(len(deck), sets, places)
        yield sets


def tally_values(values: Ints) -> Mapping[int, int]:
    """How often each value comes."""
    if len(values) <= SMALL:
        found, ways = np.unique(values, return_counts=True)
        return dict(zip(found.tolist(), ways.tolist(), strict=True))
    slots = np.empty(SLOTS, dtype=np.int64)
    counts = np.zeros(SLOTS, dtype=np.int64)
    if not _tally(values, slots, counts):
        found, ways = np.unique(values, return_counts=True)
        return dict(zip(found.tolist(), ways.tolist(), strict=True))
    taken = np.flatnonzero(counts)
    return dict(zip(slots[taken].tolist(), counts[taken].tolist(), strict=True))


# ------------------------------------------------------------------------------------------------ compiled


@jit()
def _list_sets(deck: Any, sets: Any, places: Any) -> None:
    """Fill ``sets`` in the order of their numbers from ``places`` on, and leave there the set that comes next."""
    size = len(places)
    for row in range(len(sets)):
        for at in range(size):
            sets[row, at] = places[at]
        at = 0
        while at < size - 1 and places[at] + 1 == places[at + 1]:
            places[at] = at
            at += 1
        places[at] += 1


@jit()
def _class_sizes(deck: Any, sets: Any, before: Any, nth: Any, sizes: Any) -> None:
    ranks = np.zeros(SUITS + 1, dtype=np.int64)
    run = np.zeros(SUITS, dtype=np.int64)
    for row in range(len(sets)):
        ranks[:] = 0
        for at in range(sets.shape[1]):
            card = deck[sets[row, at]]
            ranks[suit_of(card)] |= 1 << rank_of(card)
        sizes[row] = class_size(ranks, before, nth, run)


@jit()
def _values_stay(sets: Any, renamed: Any, values: Any, choose: Any) -> Any:
    """Whether every set is worth what it is worth with its places renamed."""
    size = sets.shape[1]
    places = np.empty(size, dtype=np.int64)
    for row in range(len(sets)):
        for at in range(size):
            place = renamed[sets[row, at]]
            slot = at
            while slot > 0 and places[slot - 1] > place:
                places[slot] = places[slot - 1]
                slot -= 1
            places[slot] = place
        number = 0
        for at in range(size):
            number += choose[at + 1, places[at]]
        if values[number] != values[row]:
            return False
    return True


@jit()
def _tally(values: Any, slots: Any, counts: Any) -> Any:
    """Count values in a table of slots; False where there are too many different ones."""
    room = len(slots)
    taken = 0
    for row in range(len(values)):
        value = values[row]
        slot = (value * 40503 + (value >> 9)) & (room - 1)
        while counts[slot] > 0 and slots[slot] != value:
            slot = (slot + 1) & (room - 1)
        if counts[slot] == 0:
            taken += 1
            if 2 * taken > room:
                return False
            slots[slot] = value
        counts[slot] += 1
    return True
