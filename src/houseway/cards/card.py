"""A card is an integer: ``13 * suit + rank - 2``, clubs, diamonds, hearts, spades, deuce to ace; the joker is 52.

Written rank then suit (``Ah``, ``Td``), the joker ``Jk``; ``10d`` is read as ``Td``. There is no other spelling, so
that a slip of the finger is refused rather than guessed at.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NewType

from houseway.refusal import Refusal
from houseway.rule import rule

Card = NewType("Card", int)

TEN: Final = 10
JACK: Final = 11
QUEEN: Final = 12
KING: Final = 13
ACE: Final = 14

RANK_LETTERS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
SUIT_NAMES: Final = ("clubs", "diamonds", "hearts", "spades")
RANK_NAMES: Final = (
    *("", "", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    *("ten", "jack", "queen", "king", "ace"),
)
"""Names by rank, 2 to 14."""
RANK_PLURALS: Final = tuple("sixes" if name == "six" else name + "s" if name else "" for name in RANK_NAMES)

JOKER: Final = Card(52)
NO_CARD: Final = Card(-1)
"""In a place that is dealt by rule and stayed empty."""
DECK_52: Final[tuple[Card, ...]] = tuple(Card(number) for number in range(52))
DECK_53: Final[tuple[Card, ...]] = (*DECK_52, JOKER)

_TEXTS: Final[tuple[str, ...]] = (*(rank + suit for suit in SUITS for rank in RANK_LETTERS), "Jk")
_CARDS: Final[dict[str, Card]] = {text: Card(number) for number, text in enumerate(_TEXTS)} | {
    "10" + suit: Card(13 * number + 8) for number, suit in enumerate(SUITS)
}


@rule
def rank_of(card: int) -> int:
    """2 to 14. The joker has no rank of its own; where one is asked for it is an ace (PG-1)."""
    if card == 52:
        return 14
    return card % 13 + 2


@rule
def suit_of(card: int) -> int:
    """0 to 3, clubs to spades; 4 for the joker."""
    return card // 13


def text_of(cards: Iterable[int]) -> str:
    """The one text form: ``Ah Kd Jk``."""
    return " ".join([_TEXTS[card] for card in cards])


def parse_card(text: str) -> Card:
    """The card that ``text`` names; anything else is refused."""
    card = _CARDS.get(text)
    if card is None:
        raise Refusal("card", f"{_shown(text)} is not a card; write rank then suit, such as Ah, Td or 2c, joker Jk")
    return card


def read_cards(text: str) -> tuple[Card, ...]:
    """The cards that ``text`` names, in order, as many as there are."""
    try:
        return tuple(map(_CARDS.__getitem__, text.split()))
    except KeyError as unknown:
        parse_card(unknown.args[0])
        raise


def parse_cards(text: str, count: int, *, joker: bool = False) -> tuple[Card, ...]:
    """A hand of exactly ``count`` different cards; the joker only where the deck has one."""
    cards = read_cards(text)
    if len(cards) != count:
        raise Refusal("cards", f"{len(cards)} cards where exactly {count} are dealt")
    if len(set(cards)) != count:
        raise Refusal("cards", f"{text_of([first_repeated(cards)])} is there twice")
    if not joker and JOKER in cards:
        raise Refusal("cards", "a joker in a game played with 52 cards")
    return cards


def first_repeated(cards: Sequence[Card]) -> Card:
    """The first card that comes a second time."""
    seen: set[Card] = set()
    for card in cards:
        if card in seen:
            return card
        seen.add(card)
    raise LookupError("no card is repeated")


def _shown(text: str) -> str:
    return repr(text if len(text) <= 12 else text[:12] + "…")
