"""Six-card pai gow's ranking (PG-1, PG-2): 53 cards, the joker an ace or the card that completes a straight, flush,
straight flush or royal flush; five aces on top; A-2-3-4-5 the second-highest straight."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from houseway.cards import ACE, RANK_NAMES
from houseway.ranking import door, poker
from houseway.ranking.ranking import Ranking

DECK = 53
BROADWAY_RANK = 15
WHEEL_RANK = 14
"""The wheel stands between the ace-high and the king-high straight (PG-2)."""


def straight_rank(ranks: tuple[int, ...]) -> int:
    """What five falling ranks in sequence are worth as a straight: 15 ace high, 14 the wheel, 13 king high … 6."""
    if ranks == poker.WHEEL:
        return WHEEL_RANK
    if ranks[0] - ranks[4] != 4:
        return 0
    return BROADWAY_RANK if ranks[0] == ACE else ranks[0]


@cache
def tables() -> poker.Tables:
    """Every hand's value; built at first use."""
    return poker.build_tables(straight_rank, joker=True)


value, value_of_six = door.doors(tables, DECK)


@cache
def name(hand_value: int) -> str:
    """A name for people, such as "full house, kings over tens"."""
    return poker.describe(hand_value, _straight_words)


def _straight_words(rank: int) -> str:
    if rank == WHEEL_RANK:
        return "ace to five"
    return f"{RANK_NAMES[min(rank, ACE)]} high"


def category(hand_value: int) -> str:
    """The row key of a value's category."""
    return poker.CATEGORIES[poker.category(hand_value)]


def _lookups() -> tuple[Any, ...]:
    from houseway.ranking import arrays

    return arrays.table_arrays("joker")


FIVE_CARDS: Final = Ranking("joker_five_cards", 5, value, poker.value_of_five, _lookups, name, category)
BEST_OF_SIX: Final = Ranking(
    "joker_best_of_six", 6, value_of_six, poker.value_of_six, _lookups, name, category, best_of=FIVE_CARDS
)
