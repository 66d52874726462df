"""A second opinion on the side wagers of six-card pai gow: by classes of hands, written for it alone."""

from __future__ import annotations

from functools import cache

import numpy as np

from houseway.cards import DECK_53
from houseway.games import six_card_pai_gow as game
from houseway.games.six_card_pai_gow import INSURANCE_HANDS
from houseway.paytables import PayTable
from houseway.proof.distribution import Distribution, side_wager
from houseway.proof.pai_gow_hands import Deck, set_hands, sorted_deck
from houseway.ranking.poker import CATEGORIES, category


@cache
def ways_by_value(deck: Deck = DECK_53) -> dict[int, int]:
    """In how many ways six cards come whose best five are worth a value, by value."""
    hands = set_hands(sorted_deck(deck))
    counts = np.zeros(len(hands.values), np.int64)
    np.add.at(counts, hands.best, hands.ways)
    return {value: count for value, count in zip(hands.values, counts.tolist(), strict=True) if count}


def ways_by_category(deck: Deck = DECK_53) -> dict[str, int]:
    """In how many ways six cards come by the category of their best five, the rows of Fortune and the progressive.

    The hand of one other player is any six cards just as one's own is, so these are the odds of envy as well.
    """
    ways = dict.fromkeys(CATEGORIES, 0)
    for value, count in ways_by_value(deck).items():
        ways[CATEGORIES[category(value)]] += count
    return ways


def fortune(table: PayTable, deck: Deck = DECK_53) -> Distribution:
    """Fortune on the own hand, envy apart (PGF-1)."""
    num, den = table.schedule(CATEGORIES)
    return side_wager(ways_by_value(deck), lambda best, wager: game.fortune_returned(best, wager, num, den), den)


def insurance(table: PayTable, deck: Deck = DECK_53) -> Distribution:
    """Insurance (PGI-1)."""
    num, den = table.schedule(INSURANCE_HANDS)
    return side_wager(ways_by_value(deck), lambda best, wager: game.insurance_returned(best, wager, num, den), den)
