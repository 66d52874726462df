"""Looking a hand up: a table of keys and values, hashed, that a compiled loop can ask."""

from __future__ import annotations

from math import comb
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from houseway.proof.compiled import part
from houseway.proof.simulation.kernels import loop

Ints: TypeAlias = npt.NDArray[np.int64]

CARDS: Final = 53
MOST_NUMBERED: Final = 9
WAYS: Final = np.array([[comb(card, size) for card in range(CARDS)] for size in range(MOST_NUMBERED)])
"""By size and card: what a card adds to the number of a set in which it is the card of that place from below."""


def hashed(keys: Ints, values: Ints) -> Ints:
    """A table for ``looked_up``: a key above zero and its value in each row, at least half of the rows empty."""
    bits = max(2 * len(keys), 2).bit_length()
    table = np.zeros((1 << bits, 2), np.int64)
    if len(keys):
        _fill(np.ascontiguousarray(keys, np.int64), np.ascontiguousarray(values, np.int64), bits, table)
    return table


def bits_of(table: Ints) -> int:
    """What ``looked_up`` needs to know of a table's size."""
    return len(table).bit_length() - 1


@part
def first_row(key: int, bits: int) -> int:
    """Where the search for a key begins. No product leaves 63 bits: what happens beyond is not defined."""
    mixed = (key & 0x7FFFFFFF) * 0x2545F491 ^ (key >> 31) * 0x369DEA0F
    return (mixed >> 24 ^ mixed) & (1 << bits) - 1


@part
def looked_up(table: Any, bits: int, key: int) -> Any:
    """The value of a key; 0 where the table does not have it."""
    last = (1 << bits) - 1
    row = first_row(key, bits)
    while table[row, 0] != key:
        if table[row, 0] == 0:
            return 0
        row = row + 1 & last
    return table[row, 1]


@loop()
def _fill(keys: Any, values: Any, bits: Any, table: Any) -> None:
    last = (1 << bits) - 1
    for place in range(len(keys)):
        row = first_row(keys[place], bits)
        while table[row, 0] != 0:
            row = row + 1 & last
        table[row, 0] = keys[place]
        table[row, 1] = values[place]


# ------------------------------------------------------------------------------------------------ classes of cards


@part
def ranks_key(card: Any) -> Any:
    """A card where suits do not matter: four bits a rank, deuce lowest, so that cards of one rank add up."""
    if card == 52:
        return np.int64(1) << np.int64(52)
    return np.int64(1) << np.int64(4 * (card % 13))


@part
def class_key(own: Any, board: Any, by_rank: int) -> Any:
    """What cards are looked up by: the same for all that differ only in the names of suits, and never 0.

    ``own`` and ``board`` are sets of bits by card, or sums of ``ranks_key``.
    """
    if by_rank == 0:
        a = (own & 0x1FFF) << 13 | board & 0x1FFF
        b = (own >> 13 & 0x1FFF) << 13 | board >> 13 & 0x1FFF
        c = (own >> 26 & 0x1FFF) << 13 | board >> 26 & 0x1FFF
        d = (own >> 39 & 0x1FFF) << 13 | board >> 39 & 0x1FFF
        a, b = max(a, b), min(a, b)
        c, d = max(c, d), min(c, d)
        a, c = max(a, c), min(a, c)
        b, d = max(b, d), min(b, d)
        b, c = max(b, c), min(b, c)
        own = a >> 13 | b >> 13 << 13 | c >> 13 << 26 | d >> 13 << 39 | own >> 52 << 52
        board = a & 0x1FFF | (b & 0x1FFF) << 13 | (c & 0x1FFF) << 26 | (d & 0x1FFF) << 39 | board >> 52 << 52
    if board == 0:
        return own
    low = (own & 0x7FFFFFFF) * 0x2545F491 ^ (board & 0x7FFFFFFF) * 0x3C6EF35F
    high = (own >> 31) * 0x369DEA0F ^ (board >> 31) * 0x2C9277B5
    return (low ^ (high & 0xFFFFFFFFFFFFF) << 9 ^ low >> 23 ^ high >> 31) & 0x3FFFFFFFFFFFFFFF | 0x4000000000000000


@part
def column_of(own: Any, board: Any, up: Any, by_rank: int) -> Any:
    """Where the dealer's up card stands beside a class of cards: its suit is renamed as theirs are."""
    if by_rank == 1:
        return 13 if up == 52 else up % 13
    if up == 52:
        return 52
    suit = up // 13
    mine = (own >> 13 * suit & 0x1FFF) << 13 | board >> 13 * suit & 0x1FFF
    renamed = 0
    for other in range(4):
        theirs = (own >> 13 * other & 0x1FFF) << 13 | board >> 13 * other & 0x1FFF
        renamed += (theirs > mine) | ((theirs == mine) & (other < suit))
    return 13 * renamed + up % 13


@part
def hand_number(held: Any, choose: Any) -> int:
    """The number of a hand in rising order among all hands of its size."""
    number = 0
    for place in range(len(choose)):
        number += choose[place, held[place]]
    return number


@part
def fits(high: int, low: int, lines: Any) -> bool:
    """Whether a setting fits a line of a rule of thumb: a low card and a high hand at least so good."""
    found = False
    for line in range(len(lines)):
        found = found or (low >= lines[line, 0] and high >= lines[line, 1])
    return found


# ------------------------------------------------------------------------------------------------ whole boards


@part
def number_of_set(cards: Any, size: int) -> Any:
    """The number of a set of cards, which is put in rising order."""
    number = 0
    for at in range(size):
        card = cards[at]
        slot = at
        while slot > 0 and cards[slot - 1] > card:
            cards[slot] = cards[slot - 1]
            slot -= 1
        cards[slot] = card
    for at in range(size):
        number += WAYS[at + 1, cards[at]]
    return number


@part
def renamed_card(card: Any, names: Any) -> Any:
    """A card with another suit: ``names`` has two bits for every suit."""
    return card if card == CARDS - 1 else 13 * (names >> 2 * (card // 13) & 3) + card % 13


@part
def choice_of_bits(choices: Any, row: Any, planes: Any, hole: Any) -> Any:
    """A choice whose bits stand in as many rows."""
    choice = 0
    for plane in range(planes):
        choice |= (choices[row + plane, hole >> 3] >> (hole & 7) & 1) << plane
    return choice


@loop()
def lay_boards(boards: Any, names: Any, back: Any, rows: Any) -> None:
    """By the number of every board: its class, and the names that suits have there."""
    cards = np.zeros(boards.shape[1], np.int64)
    for board in range(len(boards)):
        for renaming in range(len(names)):
            for at in range(len(cards)):
                cards[at] = renamed_card(np.int64(boards[board, at]), names[renaming])
            number = number_of_set(cards, len(cards))
            rows[number, 0] = board
            rows[number, 1] = back[renaming]


@loop()
def lay_choices(boards: Any, deck: Any, holes: Any, chosen: Any, first: Any, step: Any, planes: Any, bits: Any) -> None:
    """Set the bits of the choices with every hole on every board, in the rows from ``first`` on."""
    left = np.zeros(len(deck), np.int64)
    cards = np.zeros(holes.shape[1], np.int64)
    for board in range(len(boards)):
        at = 0
        for card in deck:
            is_on_board = False
            for place in range(boards.shape[1]):
                is_on_board |= boards[board, place] == card
            if not is_on_board:
                left[at] = card
                at += 1
        for hole in range(len(holes)):
            for place in range(len(cards)):
                cards[place] = left[holes[hole, place]]
            number = number_of_set(cards, len(cards))
            for plane in range(planes):
                bit = (chosen[board, hole] >> plane & 1) << (number & 7)
                bits[first + step * board + plane, number >> 3] |= np.uint8(bit)
