"""Random deals that depend on nothing but the seed and the number of the round.

Philox 4x32-10 (Salmon, Moraes, Dror and Shaw, 2011) turns a counter into random bits: there is no state to carry from
one round to the next, so any worker can deal any round and gets the same cards. The counter holds the round, the group
of cards and the attempt; the key is the seed.

A group is as many cards as one draw of 58 bits can tell apart. A draw is a fraction of one: times the number of cards
left, its whole part is the place of the next card and its broken part goes on. What is left at the end says whether
the draw lies in the few that would make some deals likelier than others; those are drawn again, so that every deal is
equally likely, exactly (Lemire's method for one number, used for the product of all of them).

Everything here is plain integer arithmetic under masks, so the same functions run compiled and as they stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from houseway.proof.compiled import part
from houseway.proof.simulation.kernels import loop

Ints: TypeAlias = npt.NDArray[np.int64]
Bytes: TypeAlias = npt.NDArray[np.uint8]

WORD: Final = 0xFFFFFFFF
BITS: Final = 58
"""Of a draw: with six bits for the number of cards left the product stays within 64."""
FRACTION: Final = (1 << BITS) - 1
BLOCK: Final = 1024
"""Rounds dealt together: long enough for the compiler to draw several at a time, short enough to stay in the cache."""
SELDOM: Final = 16
"""Of so many draws for a group at most one is to be drawn again."""
SEEDS: Final = 1 << 64


def seed_words(seed: int) -> tuple[int, int]:
    """The two words of the key."""
    return seed & WORD, seed >> 32 & WORD


def groups(deck: int, cards: int) -> Ints:
    """How ``cards`` cards off a deck are drawn: by group where it ends, and the least leftover that counts."""
    if not 0 < cards <= deck < 1 << 6:
        raise ValueError(f"{cards} cards cannot be dealt from {deck}")
    groups: list[tuple[int, int]] = []
    first = last = least = 0
    while first < cards:
        for end in range(first + 1, cards + 1):
            deals = prod(deck - place for place in range(first, end))
            if deals <= FRACTION and (1 << BITS) % deals <= FRACTION // SELDOM:
                last, least = end, (1 << BITS) % deals
        groups.append((last, least))
        first = last
    return np.array(groups, dtype=np.int64)


@part
def philox(a: int, b: int, c: int, d: int, key: int, other: int) -> tuple[int, int, int, int]:
    """Four random words of 32 bits for a counter of four words and a key of two."""
    for _ in range(10):
        left = a * 0xD2511F53
        right = c * 0xCD9E8D57
        a = right >> 32 & 0xFFFFFFFF ^ b ^ key
        b = right & 0xFFFFFFFF
        c = left >> 32 & 0xFFFFFFFF ^ d ^ other
        d = left & 0xFFFFFFFF
        key = key + 0x9E3779B9 & 0xFFFFFFFF
        other = other + 0xBB67AE85 & 0xFFFFFFFF
    return a, b, c, d


@part
def drawn(round: int, group: int, attempt: int, key: int, other: int) -> int:
    """58 random bits."""
    high, low, _, _ = philox(round & 0xFFFFFFFF, round >> 32 & 0xFFFFFFFF, group, attempt, key, other)
    return high << 26 | low >> 6


@part
def draw_block(start: int, group: int, key: int, other: int, fractions: Any) -> None:
    """``drawn`` of a block of rounds at the first attempt, written out so that several are drawn at a time."""
    for at in range(len(fractions)):
        a = start + at & 0xFFFFFFFF
        b = start + at >> 32 & 0xFFFFFFFF
        c = group
        d = 0
        first = key
        second = other
        for _ in range(10):
            left = a * 0xD2511F53
            right = c * 0xCD9E8D57
            a = right >> 32 & 0xFFFFFFFF ^ b ^ first
            b = right & 0xFFFFFFFF
            c = left >> 32 & 0xFFFFFFFF ^ d ^ second
            d = left & 0xFFFFFFFF
            first = first + 0x9E3779B9 & 0xFFFFFFFF
            second = second + 0xBB67AE85 & 0xFFFFFFFF
        fractions[at] = a << 26 | b >> 6


@part
def place_cards(fraction: int, first: int, last: int, deck: int, places: Any, at: int) -> int:
    """The places of the cards ``first`` to ``last`` of one round from a draw; gives back what is left of it."""
    for card in range(first, last):
        share = fraction * (deck - card)
        places[card, at] = card + (share >> 58 & 63)
        fraction = share & 0x3FFFFFFFFFFFFFF
    return fraction


@part
def place_block(start: int, key: int, other: int, deck: int, groups: Any, fractions: Any, places: Any) -> None:
    """The places of all cards of a block of rounds: by card and round, where in the rest of the deck it lies."""
    first = 0
    for group in range(len(groups)):
        last = groups[group, 0]
        least = groups[group, 1]
        draw_block(start, group, key, other, fractions)
        for card in range(first, last):
            left = deck - card
            for at in range(len(fractions)):
                share = fractions[at] * left
                places[card, at] = card + (share >> 58 & 63)
                fractions[at] = share & 0x3FFFFFFFFFFFFFF
        for at in range(len(fractions)):
            attempt = 0
            rest = fractions[at]
            while rest < least:
                attempt += 1
                rest = place_cards(drawn(start + at, group, attempt, key, other), first, last, deck, places, at)
        first = last


@part
def or_moved(chosen: Any, places: Any, others: Any, moved: Any) -> None:
    """Where a card's place is one that an earlier card was taken from: the card that was moved there."""
    for at in range(len(chosen)):
        here = chosen[at]
        there = moved[at]
        chosen[at] = there if others[at] == places[at] else here


@part
def or_moved_again(target: Any, place: Any, others: Any, moved: Any) -> None:
    """Where the card at the head of the rest is one that was moved there: that card."""
    for at in range(len(target)):
        here = target[at]
        there = moved[at]
        target[at] = there if others[at] == place else here


@part
def deal_block(
    start: int, key: int, other: int, deck: int, groups: Any, fractions: Any, places: Any, moved: Any, cards: Any
) -> None:
    """The cards of a block of rounds, each off a deck in its order: by card and round.

    This is the shuffle of Fisher and Yates without a deck: a card is the number of its place, unless that place was
    taken before; then it is the card that was moved there from the head of the rest. Every step is done for all rounds
    of the block at once.
    """
    place_block(start, key, other, deck, groups, fractions, places)
    for card in range(len(cards)):
        for at in range(len(fractions)):
            cards[card, at] = places[card, at]
            moved[card, at] = card
        for before in range(card):
            or_moved(cards[card], places[card], places[before], moved[before])
            or_moved_again(moved[card], np.uint8(card), places[before], moved[before])


@part
def deal_shoe(start: int, key: int, other: int, shoe: int, deck: int, places: Any, moved: Any, cards: Any) -> None:
    """The cards of a block of rounds, each off a full shoe of several decks: by card and round.

    Every card has a draw of its own, of 32 bits: times the number of cards left, its high word is the place, and a low
    word that would make some places likelier is drawn again (Lemire). The shuffle is that of ``deal_block``.
    """
    for at in range(cards.shape[1]):
        low = start + at & 0xFFFFFFFF
        high = start + at >> 32 & 0xFFFFFFFF
        for card in range(len(places)):
            left = shoe - card
            attempt = 0
            word, _, _, _ = philox(low, high, card, attempt, key, other)
            share = word * left
            while share & 0xFFFFFFFF < 4294967296 % left:
                attempt += 1
                word, _, _, _ = philox(low, high, card, attempt, key, other)
                share = word * left
            place = card + (share >> 32)
            here = place
            head = card
            for before in range(card):
                if places[before] == place:
                    here = moved[before]
                if places[before] == card:
                    head = moved[before]
            places[card] = place
            moved[card] = head
            cards[card, at] = here % deck


def cards_of_round(seed: int, round: int, deck: int, count: int) -> tuple[int, ...]:
    """The first ``count`` cards of one round, as every worker deals them; plain Python, nothing compiled."""
    places: dict[tuple[int, int], int] = {}
    key, other = seed_words(seed)
    first = 0
    for group, (last, least) in enumerate(groups(deck, count).tolist()):
        attempt = 0
        while place_cards(drawn(round, group, attempt, key, other), first, last, deck, places, 0) < least:
            attempt += 1
        first = last
    order = list(range(deck))
    for card in range(count):
        place = places[card, 0]
        order[card], order[place] = order[place], order[card]
    return tuple(order[:count])


def deal(seed: int, rounds: Sequence[int], deck: int, count: int) -> Bytes:
    """The cards of several consecutive rounds, compiled: one row a round."""
    deals = np.empty((len(rounds), count), dtype=np.uint8)
    if len(rounds):
        _deal(rounds[0], *seed_words(seed), deck, groups(deck, count), deals)
    return deals


@loop()
def _deal(start: Any, key: Any, other: Any, deck: Any, groups: Any, deals: Any) -> None:
    count = deals.shape[1]
    fractions = np.empty(BLOCK, dtype=np.int64)
    places = np.empty((count, BLOCK), dtype=np.uint8)
    moved = np.empty((count, BLOCK), dtype=np.uint8)
    cards = np.empty((count, BLOCK), dtype=np.uint8)
    for first in range(0, len(deals), BLOCK):
        deal_block(start + first, key, other, deck, groups, fractions, places, moved, cards)
        for at in range(min(BLOCK, len(deals) - first)):
            for card in range(count):
                deals[first + at, card] = cards[card, at]
