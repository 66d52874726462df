"""Caribbean Stud over random deals: the rules that pay at the table, compiled around a block of rounds."""

from __future__ import annotations

from typing import Any

import numpy as np

from houseway.cards import rank_of, suit_of
from houseway.games.caribbean_stud import (
    ante_returned,
    bet_returned,
    bonus_returned,
    cover_all_returned,
)
from houseway.proof.compiled import part
from houseway.proof.pai_gow_hands import RANKS, class_form
from houseway.proof.simulation.kernels import loop
from houseway.proof.simulation.search import looked_up
from houseway.proof.simulation.stream import BLOCK, deal_block
from houseway.proof.simulation.tally import account
from houseway.ranking.poker import category, value_of_five

HAND = 5


@part
def decide(
    players: Any, cards: Any, rounds: int, always: int, never: int, between: Any, bits: int, unclear: Any, bets: Any
) -> None:
    """Which hands of a block are bet: by value alone, or where that does not decide by hand and up card.

    ``between`` has the hands between, one for all that differ only in the names of suits, and the up cards against
    which each is bet, as bits; the up card's suit is renamed as the hand's are.
    """
    spots = len(players)
    for spot in range(spots):
        count = 0
        for at in range(rounds):
            player = players[spot, at]
            bets[spot, at] = player >= always
            unclear[count] = at
            count += (player >= never) & (player < always)
        for place in range(count):
            at = unclear[place]
            held: Any = 0
            for card in range(HAND * spot, HAND * spot + HAND):
                held |= 1 << np.int64(cards[card, at])
            ups = looked_up(between, bits, class_form(held))
            up: Any = np.int64(cards[len(cards) - 1, at])
            suit = suit_of(up)
            own = held >> 13 * suit & RANKS
            renamed = 0
            for other in range(4):
                theirs = held >> 13 * other & RANKS
                renamed += (theirs > own) | ((theirs == own) & (other < suit))
            bets[spot, at] = ups >> (13 * renamed + rank_of(up) - 2) & 1


@loop()
def play(  # noqa: PLR0915  a round is one loop, compiled whole
    first: Any, rounds: Any, key: Any, other: Any, deck: Any, groups: Any, spots: Any,
    stakes: Any, num: Any, den: Any, money: Any, weights: Any, slots: Any, flags: Any,
    order: Any, terms: Any, cost: Any, envy: Any, event: Any,
    counts: Any, sums: Any, bankroll: Any, sessions: Any, rows: Any, awards: Any, events: Any,
    words: Any, values: Any, always: Any, never: Any, between: Any, bits: Any,
) -> Any:  # fmt: skip
    """Play rounds; gives back how many hands were bet and how many events there are.

    A hand is bet from the value ``always`` on and folded below ``never``; between them ``decide`` looks it up.
    """
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
    unclear = np.zeros(BLOCK + 1, dtype=np.int64)
    dealers = np.zeros(BLOCK, dtype=np.int64)
    players = np.zeros((spots, BLOCK), dtype=np.int64)
    bet_num, bonus_num, cover_num = num[0], num[1], num[2]
    bet_den, bonus_den, cover_den = den[0], den[1], den[2]
    ante = stakes[0]
    bonus = stakes[1]
    cover = stakes[2]
    bet = 2 * ante
    folded_keeps_bonus = flags[0]
    folded_counts = flags[1]
    played = 0
    known = 0
    for start in range(0, rounds, BLOCK):
        here = min(BLOCK, rounds - start)
        deal_block(first + start, key, other, deck, groups, fractions, places, taken, cards)
        for at in range(here):
            dealers[at] = value_of_five(
                cards[d, at], cards[d + 1, at], cards[d + 2, at], cards[d + 3, at], cards[d + 4, at], words, values
            )
            for spot in range(spots):
                c = HAND * spot
                players[spot, at] = value_of_five(
                    cards[c, at], cards[c + 1, at], cards[c + 2, at], cards[c + 3, at], cards[c + 4, at], words, values
                )
        decide(players, cards, here, always, never, between, bits, unclear, follows)
        for at in range(here):
            dealer = dealers[at]
            highest = dealer
            for spot in range(spots):
                player = players[spot, at]
                hands[spot, at] = category(player)
                net = -ante
                bets = follows[spot, at]
                if bets == 1:
                    played += 1
                    net = (
                        ante_returned(player, dealer, ante)
                        + bet_returned(player, dealer, bet, bet_num, bet_den)
                        - ante
                        - bet
                    )
                nets[0, spot, at] = net
                if bets == 1 or folded_counts == 1:
                    highest = max(highest, player)
                if bonus > 0:
                    net = -bonus
                    if bets == 1 or folded_keeps_bonus == 1:
                        net = bonus_returned(player, bonus, bonus_num, bonus_den) - bonus
                    nets[1, spot, at] = net
            if cover > 0:
                net = cover_all_returned(highest, cover, cover_num, cover_den) - cover
                for spot in range(spots):
                    nets[2, spot, at] = net
        known = account(
            start, here, nets, won, hands, follows, moved, stakes, money, weights, slots,
            order, terms, cost, envy, event, counts, sums, bankroll, sessions, rows, awards, events, known,
        )  # fmt: skip
    return played, known
