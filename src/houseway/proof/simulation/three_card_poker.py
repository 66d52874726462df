"""Three Card Poker over random deals: the rules that pay at the table, compiled around a block of rounds."""

from __future__ import annotations

from typing import Any

import numpy as np

from houseway.cards import suit_of
from houseway.games.three_card_poker import (
    ante_bonus,
    ante_returned,
    pair_plus_returned,
    play_returned,
    progressive_row,
    six_card_bonus_returned,
)
from houseway.proof.simulation.kernels import loop
from houseway.proof.simulation.stream import BLOCK, deal_block
from houseway.proof.simulation.tally import account
from houseway.ranking.poker import value_of_six
from houseway.ranking.three_card import value_of_three

HAND = 3


@loop()
def play(
    first: Any, rounds: Any, key: Any, other: Any, deck: Any, groups: Any, spots: Any,
    stakes: Any, num: Any, den: Any, money: Any, weights: Any, slots: Any, flags: Any,
    order: Any, terms: Any, cost: Any, envy: Any, event: Any,
    counts: Any, sums: Any, bankroll: Any, sessions: Any, rows: Any, awards: Any, events: Any,
    words: Any, values: Any, play_from: Any,
) -> Any:  # fmt: skip
    """Play rounds; gives back how many hands were played and how many events there are."""
    d = HAND * spots
    dealt = d + HAND
    fractions = np.empty(BLOCK, dtype=np.int64)
    places = np.empty((dealt, BLOCK), dtype=np.uint8)
    taken = np.empty((dealt, BLOCK), dtype=np.uint8)
    cards = np.empty((dealt, BLOCK), dtype=np.uint8)
    nets = np.zeros((len(stakes), spots, BLOCK), dtype=np.int64)
    won = np.zeros((0, spots, BLOCK), dtype=np.int64)
    hands = np.zeros((spots, BLOCK), dtype=np.int64)
    follows = np.zeros((spots, BLOCK), dtype=np.int64)
    moved = np.zeros(BLOCK, dtype=np.int64)
    bonus_num, pair_num, six_num = num[0], num[1], num[2]
    bonus_den, pair_den, six_den = den[0], den[1], den[2]
    ante = stakes[0]
    pair_plus = stakes[1]
    six_card = stakes[2]
    play_wager = ante
    equal_lose = flags[0] == 1
    played = 0
    known = 0
    for start in range(0, rounds, BLOCK):
        here = min(BLOCK, rounds - start)
        deal_block(first + start, key, other, deck, groups, fractions, places, taken, cards)
        for at in range(here):
            dealer = value_of_three(cards[d, at], cards[d + 1, at], cards[d + 2, at])
            for spot in range(spots):
                c = HAND * spot
                player = value_of_three(cards[c, at], cards[c + 1, at], cards[c + 2, at])
                hands[spot, at] = progressive_row(player, suit_of(cards[c, at]))
                net = -ante
                plays = 0
                if player >= play_from:
                    plays = 1
                    played += 1
                    net = (
                        ante_returned(player, dealer, ante, equal_lose)
                        + play_returned(player, dealer, play_wager, equal_lose)
                        + ante_bonus(player, ante, bonus_num, bonus_den)
                        - ante
                        - play_wager
                    )
                nets[0, spot, at] = net
                follows[spot, at] = plays
                if pair_plus > 0:
                    net = -pair_plus
                    if plays == 1:
                        net = pair_plus_returned(player, pair_plus, pair_num, pair_den) - pair_plus
                    nets[1, spot, at] = net
                if six_card > 0:
                    best = value_of_six(
                        cards[c, at], cards[c + 1, at], cards[c + 2, at],
                        cards[d, at], cards[d + 1, at], cards[d + 2, at], words, values,
                    )  # fmt: skip
                    nets[2, spot, at] = six_card_bonus_returned(best, six_card, six_num, six_den) - six_card
        known = account(
            start, here, nets, won, hands, follows, moved, stakes, money, weights, slots,
            order, terms, cost, envy, event, counts, sums, bankroll, sessions, rows, awards, events, known,
        )  # fmt: skip
    return played, known
