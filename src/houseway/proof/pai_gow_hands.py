"""Classes of six-card hands and of the sets of cards in them: the compiled part of the pai gow count.

``six_card_pai_gow`` says what is counted and why it is enough; here are the loops that do it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import comb
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from houseway.cards import DECK_53, Card, rank_of, suit_of
from houseway.games import six_card_pai_gow as game
from houseway.games.six_card_pai_gow import low_rank, setting_merit
from houseway.proof.compiled import cache_folder, jit, part, side_by_side
from houseway.ranking import arrays
from houseway.ranking.poker import value_of_five

Deck: TypeAlias = tuple[Card, ...]
Ints: TypeAlias = npt.NDArray[Any]

HAND: Final = 6
SETS: Final = 62
ODD_SETS: Final = 32
"""The sets of one to five of six cards, and how many of them have one, three or five."""
LOWS: Final = 16
"""Columns of ``held``: column l counts the low cards of rank below l, the last column all of them."""
RANKS: Final = (1 << 13) - 1


@dataclass(frozen=True, slots=True, eq=False)
class Hands:
    """Every class of hands, set in all six ways."""

    deck: Deck
    suits: int
    values: tuple[int, ...]
    """What high hands are worth, rising; below, a high hand is its place here."""
    hands: Ints
    ways: Ints
    highs: Ints
    lows: Ints
    house: Ints
    best: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Dealers:
    """Every class of dealer hands, set by the house way."""

    values: tuple[int, ...]
    hands: Ints
    ways: Ints
    highs: Ints
    lows: Ints


def sorted_deck(deck: Deck) -> Deck:
    return tuple(sorted(deck))


def suits_of(deck: Deck) -> int:
    """How many suits a deck has; all must have the same ranks, else they could not be renamed."""
    ranks = [frozenset(rank_of(card) for card in deck if suit_of(card) == suit) for suit in range(4)]
    suits = sum(map(bool, ranks))
    if len(set(deck)) != len(deck) or len(deck) < 2 * HAND or len(set(ranks[:suits])) != 1 or any(ranks[suits:]):
        raise ValueError(
            "a deck for two hands has the same ranks in each of its suits, clubs first, and perhaps a joker"
        )
    return suits


@cache
def set_hands(deck: Deck) -> Hands:
    suits = suits_of(deck)
    words, values = arrays.table_arrays("joker")
    ordered = np.unique(values)
    order = np.searchsorted(ordered, values).astype(np.int16)
    # Only the part of these that is written to takes memory.
    hands = np.empty(comb(len(deck), HAND), np.int64)
    ways = np.empty(len(hands), np.int32)
    count = _list_classes(np.array(deck, np.int64), suits, HAND, hands, ways)
    hands, ways = hands[:count].copy(), ways[:count].copy()
    highs = np.empty((count, HAND), np.int16)
    lows = np.empty((count, HAND), np.int8)
    house = np.empty(count, np.int8)
    best = np.empty(count, np.int16)

    def set_part(first: int, last: int) -> None:
        _set_all_ways(hands, words, values, order, highs, lows, house, best, first, last)

    side_by_side(lambda: set_part(0, count // 2), lambda: set_part(count // 2, count))
    return Hands(deck, suits, tuple(ordered.tolist()), hands, ways, highs, lows, house, best)


def lows_of_dealers(hands: Hands) -> Ints:
    """The rank of the house way's low card when the hand is the dealer's."""
    as_dealer = np.zeros(LOWS, np.int8)
    for card in DECK_53:
        as_dealer[low_rank(card)] = game.dealer_low_rank(card)
    return as_dealer[hands.lows[np.arange(len(hands.hands)), hands.house]]


def dealer_hands(deck: Deck) -> Dealers:
    """The dealer's hands, from the file of an earlier count if there is one."""
    folder = cache_folder() if deck == DECK_53 else None
    file = folder / "six-card-pai-gow-dealers.npz" if folder else None
    if file and file.exists():
        with np.load(file) as saved:
            return Dealers(
                tuple(saved["values"].tolist()), *(saved[name] for name in ("hands", "ways", "highs", "lows"))
            )
    hands = set_hands(deck)
    dealers = Dealers(
        *(hands.values, hands.hands, hands.ways.astype(np.int8)),
        *(hands.highs[np.arange(len(hands.hands)), hands.house], lows_of_dealers(hands)),
    )
    if file:
        _save(file, dealers)
    return dealers


def _save(file: Path, dealers: Dealers) -> None:
    """Written under another name first: a file that is there is whole."""
    with NamedTemporaryFile(dir=file.parent, suffix=".npz", delete=False) as unfinished:
        np.savez(
            unfinished,
            values=np.array(dealers.values),
            **{name: getattr(dealers, name) for name in ("hands", "ways", "highs", "lows")},
        )
    Path(unfinished.name).replace(file)


def list_sets(hands: Hands) -> tuple[Ints, Ints]:
    """The classes of the sets of cards in every hand, and of every class how many renamings leave it as it is."""
    choose = np.array([[comb(card, size) for size in range(HAND)] for card in range(len(DECK_53))], np.int64)
    start = np.concatenate(([0], np.cumsum([comb(len(DECK_53), size) for size in range(HAND)])))
    classes = np.zeros(start[HAND], np.int32)
    shares = np.empty(start[HAND], np.int32)
    count = _number_sets(np.array(hands.deck, np.int64), hands.suits, choose, start, classes, shares)
    steps = np.zeros((SETS + 1, 3), np.int64)
    for column, chosen in enumerate(sorted(range(1, SETS + 1), key=lambda chosen: chosen.bit_count() % 2 == 0)):
        steps[chosen] = chosen.bit_length() - 1, chosen.bit_count(), column
    sets = np.empty((len(hands.hands), SETS), np.int32)

    def list_part(first: int, last: int) -> None:
        _list_sets_of_hands(hands.hands, choose, start, classes, steps, sets, first, last)

    half = len(sets) // 2
    side_by_side(lambda: list_part(0, half), lambda: list_part(half, len(sets)))
    return sets, shares[:count].copy()


def cards_in(held: int) -> Deck:
    return tuple(card for card in DECK_53 if held >> card & 1)


# ------------------------------------------------------------------------------------------------ compiled


@part
def _next_places(places: Any, first: int, size: int, deck: int) -> bool:
    """Step the rising places from ``first`` on to their next set, the highest moving last; False at the end."""
    at = first
    while at < size - 1 and places[at] + 1 == places[at + 1]:
        places[at] = at
        at += 1
    places[at] += 1
    return bool(places[size - 1] < deck)


@part
def class_form(held: int) -> int:
    """The cards that stand for the class of ``held``: the suits renamed so that their sets of ranks fall."""
    a = held & RANKS
    b = held >> 13 & RANKS
    c = held >> 26 & RANKS
    d = held >> 39 & RANKS
    a, b = max(a, b), min(a, b)
    c, d = max(c, d), min(c, d)
    a, c = max(a, c), min(a, c)
    b, d = max(b, d), min(b, d)
    b, c = max(b, c), min(b, c)
    return a | b << 13 | c << 26 | d << 39 | held >> 52 << 52


@part
def _renamings(held: int, suits: int) -> int:
    """How many ways to rename the suits leave cards in class form as they are."""
    ways = 1
    same = 1
    for suit in range(1, suits):
        if held >> 13 * suit & RANKS == held >> 13 * (suit - 1) & RANKS:
            same += 1
            ways *= same
        else:
            same = 1
    return ways


@part
def _number(held: int, choose: Any) -> int:
    """The number of a set of cards a < b < c … among those of its size: C(a, 1) + C(b, 2) + C(c, 3) …"""
    number = 0
    size = 0
    card = 0
    while held >> card:
        if held >> card & 1:
            size += 1
            number += choose[card, size]
        card += 1
    return number


@part
def _read_cards(held: int, cards: Any) -> None:
    """The cards of a hand, rising."""
    card = 0
    for at in range(HAND):
        while held >> card & 1 == 0:
            card += 1
        cards[at] = card
        card += 1


@jit()
def _list_classes(deck: Any, suits: Any, size: Any, hands: Any, ways: Any) -> Any:
    """Every hand in class form and how many hands its class has; gives the number of classes."""
    places = np.arange(size)
    all_renamings = _renamings(0, suits)
    count = 0
    more = True
    while more:
        others = 0
        for at in range(1, size):
            others |= 1 << deck[places[at]]
        for first in range(places[1]):
            held = others | 1 << deck[first]
            if held == class_form(held):
                hands[count] = held
                ways[count] = all_renamings // _renamings(held, suits)
                count += 1
        more = _next_places(places, 1, size, len(deck))
    return count


@jit()
def _number_sets(deck: Any, suits: Any, choose: Any, start: Any, classes: Any, shares: Any) -> Any:
    """The class of every set of one to five cards, by its number, and the renamings that leave each class; gives their
    number. Class 0 is the set of no card."""
    shares[0] = _renamings(0, suits)
    count = 1
    for size in range(1, HAND):
        for numbering in (True, False):
            places = np.arange(size)
            more = True
            while more:
                held = 0
                number = start[size]
                for at in range(size):
                    held |= 1 << deck[places[at]]
                    number += choose[deck[places[at]], at + 1]
                form = class_form(held)
                if numbering and held == form:
                    classes[number] = count
                    shares[count] = _renamings(held, suits)
                    count += 1
                elif not numbering and held != form:
                    classes[number] = classes[start[size] + _number(form, choose)]
                more = _next_places(places, 0, size, len(deck))
    return count


@jit()
def _set_all_ways(
    hands: Any, words: Any, values: Any, order: Any, highs: Any, lows: Any, house: Any, best: Any, first: Any, last: Any
) -> None:
    """Of every hand the six settings, which of them is the house way, and the best five cards."""
    cards = np.empty(HAND, np.int64)
    for hand in range(first, last):
        _read_cards(hands[hand], cards)
        most = -1
        best[hand] = 0
        for at in range(HAND):
            low = cards[at]
            cards[at] = cards[0]
            high = value_of_five(cards[1], cards[2], cards[3], cards[4], cards[5], words, values)
            highs[hand, at] = value_of_five(cards[1], cards[2], cards[3], cards[4], cards[5], words, order)
            cards[at] = low
            lows[hand, at] = low_rank(low)
            best[hand] = max(best[hand], highs[hand, at])
            merit = setting_merit(high, low_rank(low))
            if merit > most:
                most = merit
                house[hand] = at
            if merit < 0:
                lows[hand, at] = 0
            for other in range(at):
                if highs[hand, other] == highs[hand, at] and lows[hand, other] == lows[hand, at]:
                    lows[hand, at] = 0


@jit()
def _list_sets_of_hands(
    hands: Any, choose: Any, start: Any, classes: Any, steps: Any, sets: Any, first: Any, last: Any
) -> None:
    """The classes of the sets of one to five cards of every hand, those of odd size first.

    A set of places within the hand is read as bits; ``steps`` says of each its highest place, its size and its column.
    """
    cards = np.empty(HAND, np.int64)
    numbers = np.zeros(SETS + 1, np.int64)
    for hand in range(first, last):
        _read_cards(hands[hand], cards)
        for chosen in range(1, SETS + 1):
            highest = steps[chosen, 0]
            size = steps[chosen, 1]
            numbers[chosen] = numbers[chosen ^ 1 << highest] + choose[cards[highest], size]
            sets[hand, steps[chosen, 2]] = classes[start[size] + numbers[chosen]]


@part
def _enter(held: Any, sets: Any, hand: int, low: int, ways: int, shares: Any) -> None:
    """Let the dealer hands of one class in.

    Together they hold ``ways`` sets for each of the sets of this one hand, spread evenly over the sets of its class.
    Every entry of ``held`` is kept times the number of all renamings, so that an even share is a whole number.
    """
    for column in range(low + 1, LOWS):
        held[0, column] += ways * shares[0]
    for at in range(SETS):
        cards = sets[hand, at]
        share = ways * shares[cards]
        for column in range(low + 1, LOWS):
            held[cards, column] += share


@part
def _apart(held: Any, sets: Any, hand: int, column: int, itself: bool, renamings: int) -> Any:
    """How many dealer hands that are in share no card with a player's; ``itself``: whether his own hand is in."""
    count = 0
    count += held[0, column]
    for at in range(ODD_SETS):
        count -= held[sets[hand, at], column]
    for at in range(ODD_SETS, SETS):
        count += held[sets[hand, at], column]
    if itself:
        count += renamings
    return count // renamings


@jit()
def sweep(
    sets: Any, ways: Any, shares: Any, dealers: Any, dealers_below: Any, dealer_highs: Any, dealer_lows: Any,
    asked: Any, asked_before: Any, columns: Any, first: Any, last: Any, quiet: Any, held: Any, at_quiet: Any,
    high_won: Any, both_won: Any,
) -> None:  # fmt: skip
    """Let the dealer hands in by rising high hand, and ask the settings that beat from ``first`` on and fewer than
    ``last`` of the high hands; ``at_quiet`` takes a copy when the hands without action are in."""
    entered = 0
    for below in range(first, last):
        while entered < dealers_below[below]:
            hand = dealers[entered]
            _enter(held, sets, hand, dealer_lows[hand], ways[hand], shares)
            entered += 1
        if below == quiet:
            for cards in range(len(held)):
                for column in range(LOWS):
                    at_quiet[cards, column] = held[cards, column]
        for place in range(asked_before[below], asked_before[below + 1]):
            setting = asked[place]
            hand = setting // HAND
            column = columns[setting]
            itself = dealer_highs[hand] < below
            high_won[setting] = _apart(held, sets, hand, LOWS - 1, itself, shares[0])
            itself = itself and dealer_lows[hand] < column
            both_won[setting] = _apart(held, sets, hand, column, itself, shares[0])


@part
def _fill(cells: Any, at: int, action: int, dealers: int, high_won: int, low_won: int, both_won: int) -> None:
    """Dealer hands by what the player wins: nothing, the low hand alone, the high hand alone, both."""
    cells[at, action, 0] = dealers - high_won - low_won + both_won
    cells[at, action, 1] = low_won - both_won
    cells[at, action, 2] = high_won - both_won
    cells[at, action, 3] = both_won


@part
def _comes_first(columns: Any, beaten: Any, hand: int, at: int, other: int) -> bool:
    """Which of two settings is meant where both are worth the same: the higher low card, then the better high hand."""
    a = hand * HAND + at
    b = hand * HAND + other
    return bool(columns[a] > columns[b] or (columns[a] == columns[b] and beaten[a] > beaten[b]))


@jit()
def judge(
    sets: Any, ways: Any, shares: Any, dealer_highs: Any, dealer_lows: Any, house: Any, columns: Any, beaten: Any,
    high_won: Any, both_won: Any, held: Any, quiet: Any, at_quiet: Any, dealers: Any, nets: Any,
    counted: Any, chosen: Any, worth: Any, first: Any, last: Any,
) -> None:  # fmt: skip
    """Choose settings and doubles, and count what comes of them."""
    cells = np.zeros((HAND, 2, 4), np.int64)
    for hand in range(first, last):
        is_quiet = dealer_highs[hand] < quiet
        without_action = _apart(at_quiet, sets, hand, LOWS - 1, is_quiet, shares[0])
        by_house = house[hand]
        best = by_house
        best_doubling = by_house
        for step in range(-1, HAND):
            # The house way goes first and yields only to a setting that is worth more.
            at = by_house if step < 0 else step
            setting = hand * HAND + at
            column = columns[setting]
            if column == 0:
                continue
            is_below = dealer_lows[hand] < column
            low_won = _apart(held, sets, hand, column, is_below, shares[0])
            low_won_quiet = _apart(at_quiet, sets, hand, column, is_below and is_quiet, shares[0])
            _fill(cells, at, 1, dealers, high_won[setting], low_won, both_won[setting])
            if beaten[setting] <= quiet:
                _fill(cells, at, 0, without_action, high_won[setting], low_won_quiet, both_won[setting])
            else:
                _fill(cells, at, 0, without_action, without_action, low_won_quiet, low_won_quiet)
            value = 0
            double = 0
            for cell in range(4):
                cells[at, 1, cell] -= cells[at, 0, cell]
                for action in range(2):
                    value += cells[at, action, cell] * nets[0, action, cell]
                    double += cells[at, action, cell] * nets[1, action, cell]
            worth[0, hand, at] = value
            worth[1, hand, at] = double
            more = value - worth[0, hand, best]
            if more > 0 or (more == 0 and best != by_house and _comes_first(columns, beaten, hand, at, best)):
                best = at
            more = value + max(double, 0) - worth[0, hand, best_doubling] - max(worth[1, hand, best_doubling], 0)
            if more > 0 or (
                more == 0 and best_doubling != by_house and _comes_first(columns, beaten, hand, at, best_doubling)
            ):
                best_doubling = at
        chosen[hand, 0] = by_house
        chosen[hand, 1] = best
        chosen[hand, 2] = best_doubling
        house_doubles = 1 if worth[1, hand, by_house] > 0 else 0
        best_doubles = 1 if worth[1, hand, best_doubling] > 0 else 0
        for action in range(2):
            for cell in range(4):
                counted[0, 0, action, cell] += ways[hand] * cells[by_house, action, cell]
                counted[1, 0, action, cell] += ways[hand] * cells[best, action, cell]
                counted[2, house_doubles, action, cell] += ways[hand] * cells[by_house, action, cell]
                counted[3, best_doubles, action, cell] += ways[hand] * cells[best_doubling, action, cell]
