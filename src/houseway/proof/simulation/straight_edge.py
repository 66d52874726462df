"""Straight Edge, both versions, over random deals: the rules that pay at the table, compiled around a block of rounds.

The run of every set of ranks is asked of the rule beforehand, as the count does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houseway.cards import rank_of
from houseway.games.straight_edge import bad_beat_row, insurance_returned, length_returned
from houseway.games.straight_edge_1 import ante_returned as ante_returned_1
from houseway.games.straight_edge_1 import play_returned as play_returned_1
from houseway.games.straight_edge_2 import ante_returned as ante_returned_2
from houseway.games.straight_edge_2 import blind_returned
from houseway.games.straight_edge_2 import play_returned as play_returned_2
from houseway.proof.compiled import part
from houseway.proof.simulation.kernels import loop
from houseway.proof.simulation.search import looked_up
from houseway.proof.simulation.stream import BLOCK, deal_block
from houseway.proof.simulation.tally import account
from houseway.ranking.runs import rank_bit

HAND = 7
LOOK = 2
"""Where a run does not decide."""


@part
def ranks_key(cards: Any, at: int, first: int) -> int:
    """How many cards of each rank a hand holds, four bits a rank, deuce lowest."""
    key = 0
    for place in range(first, first + HAND):
        key += 1 << 4 * (rank_of(cards[place, at]) - 2)
    return key


@part
def run_at(cards: Any, at: int, first: int, last: int, runs: Any) -> Any:
    """What the cards from ``first`` to ``last`` are worth."""
    ranks = 0
    for place in range(first, last):
        ranks |= rank_bit(cards[place, at])
    return runs[ranks]


@loop()
def play(  # noqa: PLR0915  a round is one loop, compiled whole
    first: Any, rounds: Any, key: Any, other: Any, deck: Any, groups: Any, spots: Any,
    stakes: Any, num: Any, den: Any, money: Any, weights: Any, slots: Any, flags: Any,
    order: Any, terms: Any, cost: Any, envy: Any, event: Any,
    counts: Any, sums: Any, bankroll: Any, sessions: Any, rows: Any, awards: Any, events: Any,
    version: Any, dealer_cards: Any, runs: Any, by_run: Any, played_hands: Any, bits: Any,
) -> Any:  # fmt: skip
    """Play rounds; gives back how many hands were played and how many events there are.

    ``by_run`` says by a hand's run whether it is played; where it says ``LOOK``, the hands that are
    stand in ``played_hands``.
    """
    d = HAND * spots
    dealt = d + dealer_cards
    fractions = np.empty(BLOCK, dtype=np.int64)
    places = np.empty((dealt, BLOCK), dtype=np.uint8)
    taken = np.empty((dealt, BLOCK), dtype=np.uint8)
    cards = np.empty((dealt, BLOCK), dtype=np.uint8)
    nets = np.zeros((len(stakes), spots, BLOCK), dtype=np.int64)
    won = np.zeros((0, spots, BLOCK), dtype=np.int64)
    hands = np.zeros((spots, BLOCK), dtype=np.int64)
    follows = np.zeros((spots, BLOCK), dtype=np.int64)
    moved = np.zeros(BLOCK, dtype=np.int64)
    base_num, length_num, insurance_num = num[0], num[1], num[2]
    base_den, length_den, insurance_den = den[0], den[1], den[2]
    ante = stakes[0]
    on_length = stakes[1]
    insurance = stakes[2]
    margin_zero = flags[0]
    folded_keeps_length = flags[1]
    folded_keeps_insurance = flags[2]
    before = ante if version == 1 else 2 * ante
    play_wager = ante if version == 1 else 2 * ante
    played = 0
    known = 0
    for start in range(0, rounds, BLOCK):
        here = min(BLOCK, rounds - start)
        deal_block(first + start, key, other, deck, groups, fractions, places, taken, cards)
        for at in range(here):
            dealer = run_at(cards, at, d, dealt, runs)
            for spot in range(spots):
                c = HAND * spot
                player = run_at(cards, at, c, c + HAND, runs)
                hands[spot, at] = bad_beat_row(player, dealer)
                net = -before
                plays = by_run[player]
                if plays == LOOK:
                    plays = looked_up(played_hands, bits, ranks_key(cards, at, c))
                if plays == 1:
                    played += 1
                    if version == 1:
                        back = ante_returned_1(player, dealer, ante) + play_returned_1(
                            player, dealer, play_wager, base_num, base_den
                        )
                    else:
                        back = (
                            ante_returned_2(player, dealer, ante)
                            + play_returned_2(player, dealer, play_wager)
                            + blind_returned(player, dealer, ante, margin_zero, base_num, base_den)
                        )
                    net = back - before - play_wager
                nets[0, spot, at] = net
                follows[spot, at] = plays
                if on_length > 0:
                    net = -on_length
                    if plays == 1 or folded_keeps_length == 1:
                        net = length_returned(player, on_length, length_num, length_den) - on_length
                    nets[1, spot, at] = net
                if insurance > 0:
                    net = -insurance
                    if plays == 1 or folded_keeps_insurance == 1:
                        net = insurance_returned(player, insurance, insurance_num, insurance_den) - insurance
                    nets[2, spot, at] = net
        known = account(
            start, here, nets, won, hands, follows, moved, stakes, money, weights, slots,
            order, terms, cost, envy, event, counts, sums, bankroll, sessions, rows, awards, events, known,
        )  # fmt: skip
    return played, known
