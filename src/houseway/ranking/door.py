"""The validated door: one hand at a time, every wrong hand refused with a sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import NoReturn, TypeAlias

from houseway.cards import Card, text_of
from houseway.ranking.poker import SUIT_BITS, Tables
from houseway.refusal import Refusal

FiveCards: TypeAlias = Callable[[int, int, int, int, int], int]
SixCards: TypeAlias = Callable[[int, int, int, int, int, int], int]
SevenCards: TypeAlias = Callable[[int, int, int, int, int, int, int], int]


def doors(build: Callable[[], Tables], deck: int) -> tuple[FiveCards, SixCards]:
    """The validated value of five cards, and of the best five of six. Tables are built at the first hand.

    Cards of different rank cannot be the same card, and cards of one rank cannot be of one suit: so a hand needs only
    one of the two checks, and its table entry says which (below zero: ranks repeat). The weight sums of impossible
    hands, such as five deuces, never meet that of a hand of five different ranks.
    """
    weights: tuple[int, ...] = ()
    suits: tuple[int, ...] = ()
    values: dict[int, int] = {}
    suited: dict[int, int] = {}

    def load() -> None:
        nonlocal weights, suits, values, suited
        tables = build()
        words = tables.words
        weights = tuple(word & (1 << SUIT_BITS) - 1 for word in words)
        suits = tuple(word >> SUIT_BITS for word in words)
        suited = tables.suited
        values = {key: value if key in suited else -value for key, value in tables.plain.items()}

    def value(a: int, b: int, c: int, d: int, e: int) -> int:
        """What five cards are worth, higher is better. A wrong or repeated card is refused."""
        if not (type(a) is type(b) is type(c) is type(d) is type(e) is int) or (a | b | c | d | e) < 0:
            refuse_hand((a, b, c, d, e), 5, deck)
        try:
            key = weights[a] + weights[b] + weights[c] + weights[d] + weights[e]
            found = values[key]
        except (IndexError, KeyError):
            if values:
                refuse_hand((a, b, c, d, e), 5, deck)
            load()
            return value(a, b, c, d, e)
        if found < 0:
            if len({a, b, c, d, e}) != 5:
                refuse_hand((a, b, c, d, e), 5, deck)
            return -found
        if suits[a] & suits[b] & suits[c] & suits[d] & suits[e]:
            return suited[key]
        return found

    def value_of_six(a: int, b: int, c: int, d: int, e: int, f: int) -> int:
        """What the best five of six cards are worth. A wrong or repeated card is refused."""
        check_hand((a, b, c, d, e, f), 6, deck)
        return max(
            value(a, b, c, d, e),
            value(a, b, c, d, f),
            value(a, b, c, e, f),
            value(a, b, d, e, f),
            value(a, c, d, e, f),
            value(b, c, d, e, f),
        )

    return value, value_of_six


def door_of_seven(value: FiveCards, deck: int) -> SevenCards:
    """The validated value of the best five of seven cards, from that of five."""

    def value_of_seven(a: int, b: int, c: int, d: int, e: int, f: int, g: int) -> int:
        """What the best five of seven cards are worth. A wrong or repeated card is refused."""
        cards = (a, b, c, d, e, f, g)
        check_hand(cards, 7, deck)
        return max(value(*five) for five in combinations(cards, 5))

    return value_of_seven


def check_hand(cards: Sequence[int], count: int, deck: int) -> None:
    """Refuse a hand that is not ``count`` different cards of the deck."""
    for card in cards:
        if type(card) is not int or not 0 <= card < deck:
            refuse_hand(cards, count, deck)
    if len(cards) != count or len(set(cards)) != count:
        refuse_hand(cards, count, deck)


def refuse_hand(cards: Sequence[int], count: int, deck: int) -> NoReturn:
    """Say what is wrong with a hand that has no value."""
    if len(cards) != count:
        raise Refusal("cards", f"{len(cards)} cards where exactly {count} are dealt")
    for card in cards:
        if type(card) is not int or not 0 <= card < deck:
            raise Refusal("cards", f"{card!r} is not a card; a card is a whole number from 0 to {deck - 1}")
    for card in cards:
        if cards.count(card) > 1:
            raise Refusal("cards", f"{text_of([Card(card)])} is there twice")
    raise Refusal("cards", f"{list(cards)!r} is not a hand of {count} cards")
