"""Straight Edge's ranking: a hand is worth its longest run of consecutive ranks; suits never matter (SE-1, SE-2).

A value is one integer, higher is better: the length of the run above the rank of its ending card (four bits, the ace
14). Version 1 lets a run pass through the ace (SE1-2); in version 2 the ace is the lowest or the highest card (SE2-1).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from houseway.cards import RANK_NAMES, Card, rank_of
from houseway.cards.card import RANK_LETTERS
from houseway.ranking.door import check_hand
from houseway.ranking.ranking import Ranking
from houseway.rule import rule

DECK: Final = 52


@rule
def length(value: int) -> int:
    """How many cards the run has; 1 when no two ranks follow each other (SE-4)."""
    return value >> 4


@rule
def ending(value: int) -> int:
    """The rank of the run's top card, 2 to 14."""
    return value & 15


@rule
def rank_bit(card: int) -> int:
    """One bit a rank, deuce lowest: a hand's ranks are the bits of its cards put together."""
    return 1 << (rank_of(card) - 2)


@rule
def held(ranks: int, rank: int) -> int:
    """1 when the set of ranks holds ``rank``, else 0; rank 1 is the ace below the deuce."""
    if rank == 1:
        rank = 14
    return ranks >> (rank - 2) & 1


@rule
def wrapping_run(ranks: int) -> int:
    """Version 1: the longest run, which may pass through the ace; of several, the one with the highest ending card.

    An ending card beyond the ace counts by its own rank (SE1-A2): J-Q-K-A-2-3 ends in a three.
    """
    best = 0
    for top in range(2, 15):
        count = 0
        rank = top
        while count < 13 and held(ranks, rank) == 1:
            count += 1
            rank -= 1
            if rank == 1:
                rank = 14
        if count > 0:
            best = max(best, count << 4 | top)
    return best


@rule
def straight_run(ranks: int) -> int:
    """Version 2: the longest run with the ace at either end but never inside; the highest ending card of several."""
    best = 0
    for top in range(2, 15):
        count = 0
        rank = top
        while rank > 0 and held(ranks, rank) == 1:
            count += 1
            rank -= 1
        if count > 0:
            best = max(best, count << 4 | top)
    return best


def ranks_of(cards: Sequence[int], count: int) -> int:
    """The set of ranks in a validated hand of ``count`` cards, as bits."""
    check_hand(cards, count, DECK)
    ranks = 0
    for card in cards:
        ranks |= rank_bit(card)
    return ranks


def category_of(value: int) -> dict[str, int | str]:
    """The category as the contract writes it: ``{"length": 4, "ending": "9"}``."""
    return {"length": length(value), "ending": RANK_LETTERS[ending(value) - 2]}


def name(value: int) -> str:
    """A name for people, such as "4-card straight to the nine"."""
    return f"{length(value)}-card straight to the {RANK_NAMES[ending(value)]}"


def wrapping_value(*cards: int) -> int:
    """What the run of a validated hand is worth in version 1."""
    return wrapping_run(ranks_of(cards, len(cards)))


def straight_value(*cards: int) -> int:
    """What the run of a validated hand is worth in version 2."""
    return straight_run(ranks_of(cards, len(cards)))


def wrapping_cards(cards: Sequence[Card]) -> tuple[Card, ...]:
    """The cards of the run, in version 1."""
    return run_cards(wrapping_value(*cards), cards)


def straight_cards(cards: Sequence[Card]) -> tuple[Card, ...]:
    """The cards of the run, in version 2."""
    return run_cards(straight_value(*cards), cards)


def run_cards(value: int, cards: Sequence[Card]) -> tuple[Card, ...]:
    """The cards that make a run: of several with one rank, the first."""
    wanted = [(ending(value) - 2 - turn) % 13 + 2 for turn in range(length(value))]
    kept: list[Card] = []
    for card in cards:
        if rank_of(card) in wanted:
            wanted.remove(rank_of(card))
            kept.append(card)
    return tuple(kept)


WRAPPING: Final = Ranking(
    "wrapping_runs", 0, wrapping_value, wrapping_run, name=name, category=category_of, suits_matter=False,
    card_bit=rank_bit, needed=wrapping_cards,
)  # fmt: skip
STRAIGHT: Final = Ranking(
    "straight_runs", 0, straight_value, straight_run, name=name, category=category_of, suits_matter=False,
    card_bit=rank_bit, needed=straight_cards,
)  # fmt: skip
