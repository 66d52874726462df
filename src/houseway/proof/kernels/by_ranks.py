"""By ranks: games whose values fall apart by rank, so that a hand is how many cards of each rank it holds.

How many dealer hands of every value stand against each of the player's is counted in two halves of the ranks, two to
seven and eight to ace: for either half, what a player holds of it decides how many ways a dealer has to hold a set of
its ranks with a number of cards. Many sets of a half come to the same whatever the other half holds; they are found by
comparing the value of every set of the thirteen ranks, and only what tells them apart is carried on. Joining two halves
is then a product of two small tables.

Values are asked of the rankings, once for every set of ranks. Nothing here is compiled: the products are integer
arithmetic of whole arrays. Cost: one product for every pair of holdings of the two halves and every dealer value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import Any, Final

import numpy as np

from houseway.cards import Card, rank_of
from houseway.games.model import Game, Hand
from houseway.proof.cardsets import Deck, Ints
from houseway.proof.compiled import Progress
from houseway.proof.leaves import Leaves, Outcomes, distinct_rows, in_key_order, joined
from houseway.ranking.ranking import Ranking

RANKS: Final = 13
LOWER: Final = 6
"""How many ranks the lower half has."""


def count_leaves(game: Game, outcomes: Outcomes, deck: Deck, told: Progress, more: Ints | None = None) -> Leaves:
    """The leaves of a game by ranks: a step for every value of the dealer's."""
    what = game.title
    told(what, 0.0)
    in_deck = ranks_in(deck)
    table = value_of_ranks(outcomes.theirs[0].ranking)
    dealt = _dealt(in_deck, game.player_cards, game.dealer_cards, table)
    told(what, 0.8)
    cards = _representatives(dealt.held, deck)
    own_columns = [_own_column(hand, dealt, table, outcomes.theirs[0].ranking, cards) for hand in outcomes.own]
    own_values, own = distinct_rows(own_columns, len(cards))
    dealer_values = dealt.dealer_values[:, None]
    every = np.broadcast_to(np.arange(len(dealer_values)), (len(own_values), len(dealer_values)))
    leaves = Leaves(
        deck, True, (), cards, (dealt.held << 4 * np.arange(RANKS)).sum(axis=1), dealt.ways, own, own_values,
        dealer_values, joined(every, more, len(dealer_values)), dealt.against.T[:, :, None],
        comb(len(deck) - game.player_cards, game.dealer_cards), 1,
    )  # fmt: skip
    leaves.check()
    told(what, 1.0)
    return in_key_order(leaves)


def _own_column(hand: Hand, dealt: _Dealt, table: Ints, ranking: Ranking, cards: Ints) -> Ints:
    if hand.ranking is ranking:
        return table[dealt.ranks]
    value = hand.ranking.value
    return np.array([value(*held) for held in cards.tolist()], dtype=np.int64)


def value_of_ranks(ranking: Ranking) -> Ints:
    """The value of every set of ranks, by the ranking."""
    return np.array([ranking.compiled(ranks) for ranks in range(1 << RANKS)], np.int64)


def ways_by_value(ranking: Ranking, deck: Sequence[Card], cards: int) -> dict[int, int]:
    """In how many ways so many cards of a deck come to each value."""
    table = value_of_ranks(ranking)
    ways = _ways_by_set(np.array([ranks_in(deck)], np.int64), cards)[0, :, cards]
    values, place = np.unique(table, return_inverse=True)
    counts = np.zeros(len(values), np.int64)
    np.add.at(counts, place, ways)
    return {value: count for value, count in zip(values.tolist(), counts.tolist(), strict=True) if count}


def ranks_in(deck: Sequence[Card]) -> list[int]:
    """How many cards of each rank, two to ace."""
    counts = [0] * RANKS
    for card in deck:
        counts[rank_of(card) - 2] += 1
    return counts


# ------------------------------------------------------------------------------------------------ the count


@dataclass(frozen=True, slots=True, eq=False)
class _Dealt:
    """Every hand of the player by its ranks, and the dealer hands beside it."""

    held: Ints
    ways: Ints
    ranks: Ints
    """The set of ranks, as bits."""
    dealer_values: Ints
    against: Ints
    """A row for each hand: how many dealer hands have every one of ``dealer_values``."""


@dataclass(frozen=True, slots=True, eq=False)
class _Half:
    """What a player may hold of half the ranks, and what that leaves a dealer."""

    held: Ints
    cards: Ints
    ways: Ints
    ranks: Ints
    """The set of the ranks held, as bits."""
    dealer: Ints
    """By holding, kind of set and number of cards: the ways a dealer has."""


def _dealt(in_deck: Sequence[int], own: int, dealt: int, values: Ints) -> _Dealt:
    table = values.reshape(1 << RANKS - LOWER, 1 << LOWER)
    lower_kinds, lower_kind = np.unique(table, axis=1, return_inverse=True)
    upper_kinds, upper_kind = np.unique(table, axis=0, return_inverse=True)
    firsts = np.unique(upper_kind.ravel(), return_index=True)[1]
    value_of_kinds = lower_kinds[firsts]
    lower = _half(in_deck[:LOWER], own, dealt, lower_kind.ravel(), lower_kinds.shape[1])
    upper = _half(in_deck[LOWER:], own, dealt, upper_kind.ravel(), len(upper_kinds))
    reached = _ways_by_set(np.array([in_deck], np.int64), dealt)[0, :, dealt] > 0
    dealer_values = np.unique(values[reached])
    parts = []
    for cards in range(own + 1):
        low, up = np.flatnonzero(lower.cards == cards), np.flatnonzero(upper.cards == own - cards)
        if len(low) and len(up):
            against = _joined(lower.dealer[low], upper.dealer[up], value_of_kinds, dealer_values)
            parts.append((np.repeat(low, len(up)), np.tile(up, len(low)), against))
    low, up, against = (np.concatenate(part) for part in zip(*parts, strict=True))
    return _Dealt(
        np.concatenate((lower.held[low], upper.held[up]), axis=1),
        lower.ways[low] * upper.ways[up],
        upper.ranks[up] << LOWER | lower.ranks[low],
        dealer_values,
        against,
    )


def _joined(lower: Ints, upper: Ints, value_of_kinds: Ints, dealer_values: Ints) -> Ints:
    """For every pair of holdings, the lower running slower: the dealer hands of each value, from both halves' ways."""
    upper = upper[:, :, ::-1]
    against = np.empty((len(lower), len(upper), len(dealer_values)), np.int64)
    for place, value in enumerate(dealer_values.tolist()):
        kinds = [kind for kind in range(len(value_of_kinds)) if value in value_of_kinds[kind]]
        left = [lower[:, value_of_kinds[kind] == value].sum(axis=1) for kind in kinds]
        # The dealer's cards of the lower half rise along the columns as those of the upper half fall.
        against[:, :, place] = np.concatenate(left, axis=1) @ upper[:, kinds].reshape(len(upper), -1).T
    return against.reshape(-1, len(dealer_values))


def _half(in_deck: Sequence[int], own: int, dealt: int, kind: Ints, kinds: int) -> _Half:
    held = np.indices([count + 1 for count in in_deck]).reshape(len(in_deck), -1).T.astype(np.int64)
    held = held[held.sum(axis=1) <= own]
    choose = np.array([[comb(n, k) for k in range(5)] for n in range(5)], np.int64)
    dealer = np.zeros((len(held), kinds, dealt + 1), np.int64)
    by_set = _ways_by_set(np.array(in_deck) - held, dealt)
    for ranks in range(len(kind)):
        dealer[:, kind[ranks]] += by_set[:, ranks]
    return _Half(
        held,
        held.sum(axis=1),
        choose[np.array(in_deck), held].prod(axis=1),
        ((held > 0) << np.arange(len(in_deck))).sum(axis=1),
        dealer,
    )


def _ways_by_set(left: Ints, most: int) -> Any:
    """In how many ways a dealer holds exactly a set of ranks with a number of cards, where ``left`` of each are left.

    The axes: a row of ``left``, the set of ranks as bits, the number of cards up to ``most``.
    """
    ways = np.zeros((len(left), 1, most + 1), np.int64)
    ways[:, 0, 0] = 1
    for rank in range(left.shape[1]):
        holding = np.zeros_like(ways)
        for cards in range(1, min(most, int(left[:, rank].max())) + 1):
            choices = np.array([comb(count, cards) for count in left[:, rank].tolist()], np.int64)
            holding[:, :, cards:] += ways[:, :, : most + 1 - cards] * choices[:, None, None]
        ways = np.concatenate((ways, holding), axis=1)
    return ways


def _representatives(held: Ints, deck: Deck) -> Ints:
    """For every count of ranks a hand of the deck that has it, the lowest suits first."""
    by_rank: list[list[int]] = [[card for card in deck if rank_of(card) == rank] for rank in range(2, 2 + RANKS)]
    size = int(held[0].sum())
    cards = np.empty((len(held), size), dtype=np.uint8)
    at = np.zeros(len(held), dtype=np.int64)
    for rank in range(RANKS):
        for count in range(1, len(by_rank[rank]) + 1):
            rows = np.flatnonzero(held[:, rank] >= count)
            cards[rows, at[rows]] = by_rank[rank][count - 1]
            at[rows] += 1
    return cards
