"""The sweep: own cards against hidden cards of the dealer's own, of any size and ranking, with a card shown or none.

What is needed is how many of the dealer's hands lie below each step, hands that hold the card shown and none of the
player's. With F(T) the number of hands below the step that hold all of T, that is the sum over every subset S of the
player's cards of (-1)^|S| F(S + shown). F is kept for all sets smaller than the dealer's hand and grows as hands are
entered in rising order of value; every question is asked when the hands below its step have been entered.

Cost: each of the C(deck, dealer's cards) hands is entered under its subsets, and each class of own hands asks once for
every step but the last, with all its subsets (times the deck, where a card is shown).
"""

from __future__ import annotations

from math import comb
from typing import Any, Final

import numpy as np

from houseway.games.model import Game
from houseway.proof.cardsets import Deck, Ints, class_sizes, every_set, values_of_sets, verified_suits
from houseway.proof.compiled import Progress, jit, part, side_by_side
from houseway.proof.fits import seen_columns, sides_of
from houseway.proof.hands import binomials
from houseway.proof.leaves import Leaves, Outcomes, distinct_rows, in_key_order, joined
from houseway.proof.shape import decision_rules

PORTION: Final = 8192
"""Questions answered between two reports of progress."""


def count_leaves(game: Game, outcomes: Outcomes, deck: Deck, told: Progress, more: Ints | None = None) -> Leaves:
    """The leaves of a game by the sweep; ``more`` names starts of steps beyond those that the rules show."""
    own_cards, dealer_cards = game.player_cards, game.dealer_cards
    shows = seen_columns(game)
    what = game.title
    told(what, 0.0)
    hands, dealers = every_set(deck, own_cards), every_set(deck, dealer_cards)
    # The player decides by some values too: suits may be renamed only where none of them changes.
    deciding = sides_of(game, decision_rules(game))[0]
    own_columns = [values_of_sets(hand.ranking, deck, own_cards) for hand in outcomes.own]
    dealer_columns = [values_of_sets(hand.ranking, deck, dealer_cards) for hand in outcomes.theirs]
    valued = {id(column): (hands, column) for column in own_columns}
    valued |= {id(column): (dealers, column) for column in dealer_columns}
    for hand in deciding:
        column = values_of_sets(hand.ranking, deck, own_cards)
        valued[id(column)] = hands, column
    suits = verified_suits(deck, list(valued.values()))
    sizes = class_sizes(deck, hands, suits)
    stands = np.flatnonzero(sizes)
    dealer_values, place = distinct_rows(dealer_columns, len(dealers))
    own_values, own = distinct_rows([column[stands] for column in own_columns], len(stands))
    told(what, 0.2)
    starts = joined(outcomes.steps(own_values, dealer_values), more, len(dealer_values))
    cases = comb(len(deck) - own_cards - shows, dealer_cards - shows)
    columns = len(deck) if shows else 1
    counts = np.full((starts.shape[1], len(stands), columns), cases, dtype=np.int32)
    _ask(deck, dealers, place, hands[stands], starts[own], counts, shows, told, what)
    for step in range(starts.shape[1] - 1, 0, -1):
        counts[step] -= counts[step - 1]
    cards = np.array(deck, dtype=np.uint8)[hands[stands]]
    leaves = Leaves(
        deck, False, tuple(map(tuple, suits)), cards, (np.int64(1) << cards.astype(np.int64)).sum(axis=1),
        sizes[stands].astype(np.int64), own, own_values, dealer_values, starts, counts, cases, columns,
    )  # fmt: skip
    if shows:
        counts[:, ~leaves.possible()] = 0
    leaves.check()
    told(what, 1.0)
    return in_key_order(leaves)


def _ask(
    deck: Deck,
    dealers: Ints,
    place: Ints,
    hands: Ints,
    starts: Ints,
    below: Ints,
    shows: int,
    told: Progress,
    what: str,
) -> None:
    """Fill ``below``, by step the hands below its end, where a next one starts; in two halves at once.

    Questions are asked in rising order of those starts. A last step has no end and is left as it is.
    """
    end = int(place.max()) + 1
    # Numbers of 16 bits are sorted by their digits, several times as fast.
    order = np.argsort(place.astype(np.uint16) if end <= 1 << 16 else place, kind="stable")
    in_order, place_in_order = dealers[order], place[order]
    limits = starts[:, 1:].T.ravel()
    asked = np.flatnonzero(limits < end)
    asked = asked[np.argsort(limits[asked], kind="stable")]
    step, which = asked // max(len(hands), 1), asked % max(len(hands), 1)
    cards = dealers.shape[1]
    choose = binomials(len(deck), cards)
    sizes = [comb(len(deck), size) for size in range(cards)]
    offsets = np.array([0, *np.cumsum(sizes)], dtype=np.int64)

    def half(first: int, last: int, name: str) -> None:
        held = np.zeros(sum(sizes), dtype=np.int32)
        entered = 0
        for start in range(first, last, PORTION):
            rows = slice(start, min(start + PORTION, last))
            entered = _count_below(
                *(in_order, place_in_order, place, entered, held, choose, offsets),
                *(hands, limits[asked[rows]], step[rows], which[rows], below, shows),
            )
            told(name, (rows.stop - first) / (last - first))

    middle = len(asked) // 2
    side_by_side(
        lambda: half(0, middle, f"{what}, lower hands"),
        lambda: half(middle, len(asked), f"{what}, higher hands"),
    )


# ------------------------------------------------------------------------------------------------ compiled


@part
def _enter(cards: Any, held: Any, choose: Any, offsets: Any, numbers: Any, sizes: Any) -> None:
    """Count a hand under each of its subsets but itself."""
    count = len(cards)
    held[0] += 1
    for highest in range(count):
        bit = 1 << highest
        for rest in range(bit):
            size = sizes[rest] + 1
            number = numbers[rest] + choose[size, cards[highest]]
            sizes[bit | rest] = size
            numbers[bit | rest] = number
            if size < count:
                held[offsets[size] + number] += 1


@part
def _beside(cards: Any, held: Any, place: Any, limit: Any, choose: Any, offsets: Any, dealt: Any, chosen: Any) -> Any:
    """How many hands below ``limit`` hold none of the cards."""
    found = 0
    for subset in range(1 << len(cards)):
        count = 0
        for i in range(len(cards)):
            if subset >> i & 1:
                chosen[count] = cards[i]
                count += 1
        if count > dealt:
            continue
        number = 0
        for i in range(count):
            number += choose[i + 1, chosen[i]]
        sign = -1 if count & 1 else 1
        if count < dealt:
            found += sign * held[offsets[count] + number]
        elif place[number] < limit:
            found += sign
    return found


@part
def _beside_shown(
    cards: Any, held: Any, place: Any, limit: Any, choose: Any, offsets: Any, dealt: Any, chosen: Any, found: Any
) -> None:
    """For every card shown: how many hands below ``limit`` hold it and none of the cards.

    The card shown stands in one of the gaps between the chosen cards; in a gap the number of the whole set is that of
    the chosen cards, those above the gap moved up by one, and of the card shown.
    """
    found[:] = 0
    for subset in range(1 << len(cards)):
        count = 0
        for i in range(len(cards)):
            if subset >> i & 1:
                chosen[count] = cards[i]
                count += 1
        if count >= dealt:
            continue
        sign = -1 if count & 1 else 1
        for gap in range(count + 1):
            low = chosen[gap - 1] + 1 if gap > 0 else 0
            high = chosen[gap] if gap < count else len(found)
            number = 0
            for i in range(count):
                number += choose[i + 1, chosen[i]] if i < gap else choose[i + 2, chosen[i]]
            if count + 1 < dealt:
                number += offsets[count + 1]
                for up in range(low, high):
                    found[up] += sign * held[number + choose[gap + 1, up]]
            else:
                for up in range(low, high):
                    if place[number + choose[gap + 1, up]] < limit:
                        found[up] += sign


@jit()
def _count_below(
    in_order: Any, place_in_order: Any, place: Any, entered: Any, held: Any, choose: Any, offsets: Any,
    hands: Any, limits: Any, step: Any, which: Any, below: Any, shows: Any,
) -> Any:  # fmt: skip
    """Answer questions in the order of their limits, going on from ``entered`` hands; gives back how many are now."""
    dealt = in_order.shape[1]
    theirs = np.empty(dealt, dtype=np.int64)
    cards = np.empty(hands.shape[1], dtype=np.int64)
    chosen = np.empty(hands.shape[1], dtype=np.int64)
    found = np.empty(below.shape[2], dtype=np.int64)
    numbers = np.zeros(1 << dealt, dtype=np.int64)
    sizes = np.zeros(1 << dealt, dtype=np.int64)
    for question in range(len(limits)):
        while entered < len(in_order) and place_in_order[entered] < limits[question]:
            for i in range(dealt):
                theirs[i] = in_order[entered, i]
            _enter(theirs, held, choose, offsets, numbers, sizes)
            entered += 1
        for i in range(len(cards)):
            cards[i] = hands[which[question], i]
        if shows == 0:
            below[step[question], which[question], 0] = _beside(
                cards, held, place, limits[question], choose, offsets, dealt, chosen
            )
        else:
            _beside_shown(cards, held, place, limits[question], choose, offsets, dealt, chosen, found)
            for up in range(len(found)):
                below[step[question], which[question], up] = found[up]
    return entered
