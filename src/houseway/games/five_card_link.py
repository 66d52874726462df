"""The multi-game progressive: which five cards a game of the link brings, and how its tables are written (FV-1).

A game that joins names the cards in its declaration; that they are five random cards of 52 is computed, not listed.
"""

from __future__ import annotations

from typing import Final

from houseway.games.model import ProgressiveHand, Rule
from houseway.paytables import Schema
from houseway.ranking.poker import CATEGORIES

FAMILY: Final = "five-card-link"
HANDS: Final = tuple(reversed(CATEGORIES[2:10]))
"""The rows that a table may have, the best first."""
SCHEMA: Final = Schema(FAMILY, "progressive", "progressive", HANDS)


def five_cards(row: Rule) -> ProgressiveHand:
    """The progressive of a game whose rule says the category of five cards."""
    return ProgressiveHand(row, CATEGORIES)
