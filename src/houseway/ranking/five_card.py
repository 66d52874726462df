"""Five-card poker, the standard ranking, best of five, six or seven cards; a royal flush is its own category (CS-1)."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from houseway.cards import RANK_NAMES
from houseway.ranking import door, poker
from houseway.ranking.ranking import Ranking

DECK = 52


def straight_rank(ranks: tuple[int, ...]) -> int:
    """The top card of five falling ranks in sequence; A-2-3-4-5 is the lowest straight, topped by the five."""
    if ranks == poker.WHEEL:
        return 5
    return ranks[0] if ranks[0] - ranks[4] == 4 else 0


@cache
def tables() -> poker.Tables:
    """Every hand's value; built at first use."""
    return poker.build_tables(straight_rank, joker=False)


value, value_of_six = door.doors(tables, DECK)
value_of_seven = door.door_of_seven(value, DECK)


@cache
def name(hand_value: int) -> str:
    """A name for people, such as "full house, kings over tens"."""
    return poker.describe(hand_value, _straight_words)


def _straight_words(top: int) -> str:
    return f"{RANK_NAMES[top]} high"


def category(hand_value: int) -> str:
    """The row key of a value's category."""
    return poker.CATEGORIES[poker.category(hand_value)]


def _lookups() -> tuple[Any, ...]:
    from houseway.ranking import arrays

    return arrays.table_arrays("five_card")


def _lookups_of_seven() -> tuple[Any, ...]:
    from houseway.ranking import arrays

    return arrays.seven_card_arrays()


FIVE_CARDS: Final = Ranking("five_cards", 5, value, poker.value_of_five, _lookups, name, category)
BEST_OF_SIX: Final = Ranking(
    "best_of_six", 6, value_of_six, poker.value_of_six, _lookups, name, category, best_of=FIVE_CARDS
)
BEST_OF_SEVEN: Final = Ranking(
    "best_of_seven", 7, value_of_seven, poker.value_of_seven, _lookups_of_seven, name, category
)
