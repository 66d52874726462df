"""The dealer shares the board: every class of boards is sorted once, and sums are pushed down to what is seen earlier.

On a board every hole, the spot's or the dealer's, has one value. With the holes in rising order, how many of the
dealer's lie below a spot's, or are equal, is the number passed so far less those that hold a card of the spot's; and
likewise below each *cut*, a value of the dealer's at which what comes back changes whatever the spot holds. That is
counted once. Pricing turns those numbers into what choices are worth with the whole board in view, and adds them to
every smaller part of the board, with suits renamed so that the part is the one that stands for its class.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import comb, prod
from typing import Any, Final

import numpy as np

from houseway.cards import Card
from houseway.games.model import Game
from houseway.proof.cardsets import (
    Deck,
    Ints,
    alike_suits,
    class_sizes,
    every_set,
    sorted_deck,
    values_of,
)
from houseway.proof.compiled import Progress, jit, part, side_by_side, silent
from houseway.proof.kernels.streets import BoardOutcomes, board_sides, tree_of, why_no_board_game
from houseway.proof.kernels.suit_classes import renamings
from houseway.proof.shape import base_rules, needs_options
from houseway.ranking.ranking import Ranking
from houseway.refusal import Refusal

MOST_HOLES: Final = 300_000_000
"""More holes on all boards than so many would take too long, and too much room."""
MOST_VALUE: Final = 1 << 26
MOST_CUTS: Final = 16
COUNT_BITS: Final = 11
MOST_COUNT: Final = (1 << COUNT_BITS) - 1
CLASS_SHIFT: Final = 2 * COUNT_BITS
MOST_CLASSES: Final = 1 << (32 - CLASS_SHIFT)
"""A record is the number of the dealer's holes below a spot's, that of the equal ones, and the class of its value."""
MOST_OPTIONS: Final = 16
"""Up to so many ways to set options are counted at once."""
PORTION: Final = 256
"""Boards between two reports of progress."""
SAMPLE: Final = 40_000
"""Random hands on which it is verified that suits can be renamed, where there are more."""


def why_not_board(game: Game, deck: Sequence[Card]) -> str:
    """Why this kernel cannot count a game, in a sentence; empty where it can."""
    reason = why_no_board_game(game)
    if reason:
        return reason
    own, theirs, _ = board_sides(game, base_rules(game))
    if len(theirs) != 1 or not game.board_cards:
        return "its base game does not set the spot's hand against the dealer's with one board"
    if own[0].ranking.key != theirs[0].ranking.key:
        return f"{own[0].key} and {theirs[0].key} are ranked by different rankings"
    if game.player_cards != game.dealer_cards or game.player_cards > 2:
        return "the spot and the dealer do not have one card each, or two"
    fewest = comb(len(deck), game.board_cards) // 24 * comb(len(deck) - game.board_cards, game.player_cards)
    return f"it has {fewest:,} holes on boards; {MOST_HOLES:,} can be counted" if fewest > MOST_HOLES else ""


@dataclass(frozen=True, eq=False)
class BoardCounts:
    """How the dealer's holes lie beside every hole of a spot's, on every class of boards; no pay table has a part."""

    deck: Deck
    suits: list[list[int]]
    """Groups of suits that may be renamed."""
    renamed: Ints
    """Every renaming."""
    boards: Ints
    """By class: places in the deck."""
    weights: Ints
    holes: Ints
    """Places among the cards that a board leaves."""
    values: Ints
    """What hands may be worth, rising."""
    classes: Ints
    """By value: its outcome class."""
    segments: Ints
    """By outcome class: how many cuts lie at or below its values."""
    cuts: Ints
    """The places in ``values`` at which the dealer's value changes what comes back, whatever the spot holds."""
    records: Ints
    """By board and hole: holes of the dealer's below it, equal to it, and its class."""
    below: Ints
    """By board and cut: how many holes lie below it, and how many of those hold each card that the board leaves."""

    @property
    def against(self) -> int:
        """How many holes the dealer may have beside a spot's."""
        own = self.holes.shape[1]
        return comb(len(self.deck) - self.boards.shape[1] - own, own)


def count_boards(
    game: Game,
    options: Mapping[str, Any] | None = None,
    deck: Sequence[Card] | None = None,
    progress: Progress | None = None,
) -> BoardCounts:
    """Count a game once; pay tables, and the options that its rules ask for, price it afterwards."""
    cards = sorted_deck(game.deck if deck is None else deck)
    reason = why_not_board(game, cards)
    if reason:
        raise Refusal(game.key, f"cannot be counted by sorting boards: {reason}")
    size = game.board_cards
    if len(cards) < size + 2 * game.player_cards:
        raise Refusal("deck", f"{len(cards)} cards are too few to deal {game.key}")
    report = progress or silent
    report(game.key, 0.0)
    outcomes = [BoardOutcomes(game, chosen) for chosen in option_sets(game, options or {})]
    ranking = outcomes[0].own[0].ranking
    suits = suits_alike(ranking, cards, size + game.player_cards)
    every = every_set(cards, size)
    weights = class_sizes(cards, every, suits).astype(np.int64)
    boards = np.ascontiguousarray(every[weights > 0])
    weights = weights[weights > 0]
    if int(weights.sum()) != comb(len(cards), size):
        raise ArithmeticError(f"classes of {weights.sum()} boards where {comb(len(cards), size)} are")
    left = len(cards) - size
    holes = every_set(cards[:left], game.player_cards)
    if len(boards) * len(holes) > MOST_HOLES:
        raise Refusal(game.key, f"has {len(boards) * len(holes):,} holes on boards; {MOST_HOLES:,} can be counted")
    records = np.empty((len(boards), len(holes)), dtype=np.uint32)

    def value(half: slice) -> Ints:
        """Put values in place of the records, and mark those that come."""
        known = np.zeros(MOST_VALUE if half.stop > half.start else 1, dtype=np.bool_)
        for rows in portions(half):
            if not _note_values(hand_values(ranking, cards, boards[rows], holes), records[rows], known):
                raise Refusal(game.key, f"has a hand whose value is not from 0 to {MOST_VALUE - 1}")
            report(game.key, 0.4 * (rows.stop - half.start) / (half.stop - half.start))
        return np.flatnonzero(known)

    first, second = halves(len(boards))
    values = np.union1d(*side_by_side(lambda: value(first), lambda: value(second)))
    place = np.zeros(int(values[-1]) + 1, dtype=np.int16)
    place[values] = np.arange(len(values))
    classes, segments, cuts = outcome_classes(game, outcomes, values)
    below = np.zeros((len(boards), len(cuts), left + 1), dtype=np.uint16)

    def sort(half: slice) -> None:
        for rows in portions(half):
            _count_beside(records[rows], holes, place, classes, len(values), cuts, left, below[rows])
            report(game.key, 0.4 + 0.6 * (rows.stop - half.start) / (half.stop - half.start))

    side_by_side(lambda: sort(first), lambda: sort(second))
    return BoardCounts(
        *(cards, suits, renamings(cards, suits), boards, weights, holes),
        *(values, classes, segments, cuts, records, below),
    )


def option_sets(game: Game, options: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The options under every value of those that base rules ask for; as they are where those are too many."""
    values_by_name = {
        name: option.values or ((False, True) if isinstance(option.default, bool) else ())
        for name in needs_options(game, base_rules(game))
        if (option := game.options_by_name[name])
    }
    if not 0 < prod(map(len, values_by_name.values())) <= MOST_OPTIONS:
        return [dict(options)]
    return [
        {**options, **dict(zip(values_by_name, values, strict=True))} for values in product(*values_by_name.values())
    ]


def halves(count: int) -> tuple[slice, slice]:
    """Two halves that are counted at once."""
    return slice(0, count // 2), slice(count // 2, count)


def portions(rows: slice) -> Iterator[slice]:
    """A few boards after the other."""
    for first in range(rows.start, rows.stop, PORTION):
        yield slice(first, min(first + PORTION, rows.stop))


def hand_values(ranking: Ranking, deck: Deck, boards: Ints, holes: Ints) -> Ints:
    """The values of all holes on boards, board by board."""
    sets = np.empty((len(boards) * len(holes), boards.shape[1] + holes.shape[1]), dtype=np.uint8)
    _lay_holes(boards, holes, len(deck), sets)
    return values_of(ranking, deck, sets)


def suits_alike(ranking: Ranking, deck: Deck, size: int) -> list[list[int]]:
    """The suits that may be renamed: same ranks in the deck, and no value of all hands, or of many, changes."""
    if comb(len(deck), size) <= SAMPLE:
        order = every_set(deck, size).astype(np.int64)
    else:
        source = np.random.default_rng(20240607)
        order = np.argsort(source.random((SAMPLE, len(deck))), axis=1)[:, :size]
    values = values_of(ranking, deck, order.astype(np.uint8))
    groups: list[list[int]] = []
    for alike in alike_suits(deck):
        parts: list[list[int]] = []
        for suit in alike:
            for together in parts:
                swapped = renamings(deck, [[together[-1], suit]])[-1]
                if np.array_equal(values_of(ranking, deck, swapped[order].astype(np.uint8)), values):
                    together.append(suit)
                    break
            else:
                parts.append([suit])
        groups += parts
    return groups


def outcome_classes(game: Game, outcomes: Sequence[BoardOutcomes], values: Ints) -> tuple[Ints, Ints, Ints]:
    """By value its outcome class, by class its segment, and the cuts: read off the rules, whatever tables pay."""
    found = [
        under.told_apart(ending, values[:, None], values[:, None])
        for under in outcomes
        for ending in tree_of(game).endings
    ]
    own = np.arange(len(values))[:, None]
    cuts: set[int] = set()
    for starts, _ in found:
        cuts |= set(starts[(starts != own) & (starts != own + 1) & (starts < len(values)) & (starts > 0)].tolist())
    if len(cuts) > MOST_CUTS:
        raise Refusal(
            game.key, f"changes what comes back at {len(cuts)} values of the dealer's; {MOST_CUTS} can be counted"
        )
    lines = np.array(sorted(cuts), dtype=np.int64)
    segments = (lines[None, :] <= own).sum(axis=1)
    rows = np.concatenate([segments[:, None], *(beside(starts, totals, lines) for starts, totals in found)], axis=1)
    kinds, classes = np.unique(rows, axis=0, return_inverse=True)
    if len(kinds) > MOST_CLASSES:
        raise Refusal(game.key, f"tells {len(kinds)} hands apart by what they pay; {MOST_CLASSES} can be counted")
    return classes.ravel().astype(np.int64), kinds[:, 0].astype(np.int64), lines


def beside(starts: Ints, totals: Ints, cuts: Ints) -> Ints:
    """Results by own value and place of the dealer's hand beside it: between cuts, below, equal and above.

    For an own value in segment s the places are: the segments below s, the rest of s below it, the equal hands, the
    rest of s above it, and the segments above s.
    """
    count = len(starts)
    own = np.arange(count)[:, None]
    lines = np.broadcast_to(cuts[None, :], (count, len(cuts)))
    edges = np.sort(np.concatenate([np.zeros_like(own), lines, own, own + 1], axis=1), axis=1)
    step = (starts[:, None, :] <= np.minimum(edges, count - 1)[:, :, None]).sum(axis=2) - 1
    results = np.take_along_axis(totals, step, axis=1)
    known = (starts[:, :, None] == edges[:, None, :]).any(axis=2) | (starts >= count)
    if not known.all():
        raise ArithmeticError("results change between the places beside a hand")
    return results


# ------------------------------------------------------------------------------------------------ compiled


@jit()
def _lay_holes(boards: Any, holes: Any, deck: Any, sets: Any) -> None:
    """Every hole beside every board, as places in the deck."""
    left = np.empty(deck, dtype=np.uint8)
    size = boards.shape[1]
    for board in range(len(boards)):
        cards_left(boards[board], deck, left)
        for hole in range(len(holes)):
            row = board * len(holes) + hole
            for at in range(size):
                sets[row, at] = boards[board, at]
            for at in range(holes.shape[1]):
                sets[row, size + at] = left[holes[hole, at]]


@jit()
def _note_values(values: Any, records: Any, known: Any) -> Any:
    """Write values into records and mark them; False where one is no value that can be counted."""
    count = records.shape[1]
    for board in range(len(records)):
        for hole in range(count):
            value = values[board * count + hole]
            if value < 0 or value >= len(known):
                return False
            records[board, hole] = value
            known[value] = True
    return True


@part
def cards_left(board: Any, deck: Any, left: Any) -> None:
    """The places in the deck that a board leaves, rising."""
    at = 0
    count = 0
    for place in range(deck):
        if at < len(board) and board[at] == place:
            at += 1
        else:
            left[count] = place
            count += 1


@jit()
def _count_beside(
    records: Any, holes: Any, place: Any, classes: Any, values: Any, cuts: Any, left: Any, below: Any
) -> None:
    """Turn the values of holes into records, board by board."""
    own = holes.shape[1]
    count = len(holes)
    at_value = np.empty(count, dtype=np.int64)
    order = np.empty(count, dtype=np.int64)
    first = np.zeros(values + 1, dtype=np.int64)
    passed = np.zeros(left, dtype=np.int64)
    equal = np.zeros(left, dtype=np.int64)
    for board in range(len(records)):
        first[:] = 0
        for hole in range(count):
            value = place[records[board, hole]]
            at_value[hole] = value
            first[value + 1] += 1
        for value in range(values):
            first[value + 1] += first[value]
        for hole in range(count):
            order[first[at_value[hole]]] = hole
            first[at_value[hole]] += 1
        passed[:] = 0
        start = 0
        cut = 0
        while start < count:
            value = at_value[order[start]]
            while cut < len(cuts) and cuts[cut] <= value:
                below[board, cut, 0] = start
                for card in range(left):
                    below[board, cut, card + 1] = passed[card]
                cut += 1
            end = start
            while end < count and at_value[order[end]] == value:
                for at in range(own):
                    equal[holes[order[end], at]] += 1
                end += 1
            for place_in_order in range(start, end):
                hole = order[place_in_order]
                lower = start
                same = end - start + own - 1
                for at in range(own):
                    lower -= passed[holes[hole, at]]
                    same -= equal[holes[hole, at]]
                records[board, hole] = lower | same << COUNT_BITS | classes[value] << CLASS_SHIFT
            for place_in_order in range(start, end):
                for at in range(own):
                    card = holes[order[place_in_order], at]
                    passed[card] += equal[card]
                    equal[card] = 0
            start = end
        while cut < len(cuts):
            below[board, cut, 0] = count
            for card in range(left):
                below[board, cut, card + 1] = passed[card]
            cut += 1


@part
def places_on_board(
    records: Any, below: Any, board: Any, holes: Any, segments: Any, against: Any, kinds: Any, places: Any
) -> None:
    """By hole on a board: its outcome class, and how many of the dealer's holes lie in each place beside it."""
    own = holes.shape[1]
    cuts = below.shape[1]
    for hole in range(len(holes)):
        record = np.int64(records[board, hole])
        kind = record >> CLASS_SHIFT
        kinds[hole] = kind
        segment = segments[kind]
        lower = record & MOST_COUNT
        equal = record >> COUNT_BITS & MOST_COUNT
        before = np.int64(0)
        at = 0
        for cut in range(cuts + 1):
            if cut == segment:
                places[hole, at] = lower - before
                places[hole, at + 1] = equal
                before = lower + equal
                at += 2
            if cut < cuts:
                passed = np.int64(below[board, cut, 0])
                for card in range(own):
                    passed -= below[board, cut, holes[hole, card] + 1]
                if cut >= segment:
                    passed += own - 1
                places[hole, at] = passed - before
                before = passed
                at += 1
        places[hole, at] = against - before
