"""6 Card Fortune Pai Gow over random deals: the rules that pay at the table, compiled around a block of rounds."""

from __future__ import annotations

from typing import Any

import numpy as np

from houseway.games.rules import LOSE
from houseway.games.six_card_pai_gow import (
    base_returned,
    dealer_low_rank,
    double_returned,
    fortune_returned,
    fouls,
    insurance_returned,
    low_rank,
    matchup,
    setting_merit,
)
from houseway.proof.compiled import part
from houseway.proof.simulation.kernels import loop
from houseway.proof.simulation.stream import BLOCK, deal_block
from houseway.proof.simulation.tally import account
from houseway.ranking.poker import category, value_of_five

HAND = 6


@part
def set_hand(cards: Any, at: int, first: int, sorted_cards: Any, highs: Any, words: Any, values: Any) -> int:
    """The cards of a hand in rising order and the value of the high hand by place of the low card.

    Gives back the place that the house way sets low (PG-10 to PG-16).
    """
    for place in range(HAND):
        card = cards[first + place, at]
        down = place
        while down > 0 and sorted_cards[down - 1] > card:
            sorted_cards[down] = sorted_cards[down - 1]
            down -= 1
        sorted_cards[down] = card
    most = -1
    house = 0
    for place in range(HAND):
        low = sorted_cards[place]
        sorted_cards[place] = sorted_cards[0]
        highs[place] = value_of_five(
            sorted_cards[1], sorted_cards[2], sorted_cards[3], sorted_cards[4], sorted_cards[5], words, values
        )
        sorted_cards[place] = low
        merit = setting_merit(highs[place], low_rank(low))
        if merit > most:
            most = merit
            house = place
    return house


@part
def fits(high: int, low: int, lines: Any) -> bool:
    """Whether a setting fits a line of a rule of thumb: a low card and a high hand at least so good."""
    found = False
    for line in range(len(lines)):
        found = found or (low >= lines[line, 0] and high >= lines[line, 1])
    return found


@part
def set_by_lines(sorted_cards: Any, highs: Any, house: int, lines: Any) -> int:
    """Of the settings that fit a line and do not foul the highest low card, then the better high hand; else house."""
    most = -1
    chosen = house
    for at in range(HAND):
        low = low_rank(sorted_cards[at])
        if not fouls(highs[at], low) and fits(highs[at], low, lines):
            liking = low << 24 | highs[at]
            if liking > most:
                most = liking
                chosen = at
    return chosen


@part
def hand_number(sorted_cards: Any, choose: Any) -> int:
    """The number of a hand among all sets of six cards."""
    number = 0
    for at in range(HAND):
        number += choose[at, sorted_cards[at]]
    return number


@loop()
def play(  # noqa: PLR0915  a round is one loop, compiled whole
    first: Any, rounds: Any, key: Any, other: Any, deck: Any, groups: Any, spots: Any,
    stakes: Any, num: Any, den: Any, money: Any, weights: Any, slots: Any, flags: Any,
    order: Any, terms: Any, cost: Any, envy: Any, event: Any,
    counts: Any, sums: Any, bankroll: Any, sessions: Any, rows: Any, awards: Any, events: Any,
    words: Any, values: Any, best_way: Any, choose: Any, setting_lines: Any, doubling_lines: Any, flat_envy: Any,
) -> Any:  # fmt: skip
    """Play rounds; gives back how many hands were doubled and how many events there are.

    Where ``best_way`` is not empty it says by the number of a hand how it is set and whether it is doubled; else hands
    are set and doubled by the lines of a rule of thumb, and where there are none by the house way and never.
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
    if len(flat_envy) > 0:
        won = np.zeros((2, spots, BLOCK), dtype=np.int64)
    sorted_cards = np.zeros(HAND, dtype=np.int64)
    highs = np.zeros(HAND, dtype=np.int64)
    fortune_num, insurance_num = num[1], num[2]
    fortune_den, insurance_den = den[1], den[2]
    base = stakes[0]
    fortune = stakes[1]
    insurance = stakes[2]
    by_table = len(best_way) > 0
    played = 0
    known = 0
    for start in range(0, rounds, BLOCK):
        here = min(BLOCK, rounds - start)
        deal_block(first + start, key, other, deck, groups, fractions, places, taken, cards)
        for at in range(here):
            place = set_hand(cards, at, d, sorted_cards, highs, words, values)
            dealer_high = highs[place]
            dealer_low = dealer_low_rank(sorted_cards[place])
            for spot in range(spots):
                place = set_hand(cards, at, HAND * spot, sorted_cards, highs, words, values)
                best = highs[0]
                for other_place in range(1, HAND):
                    best = max(best, highs[other_place])
                hands[spot, at] = category(best)
                doubled = 0
                if by_table:
                    way = best_way[hand_number(sorted_cards, choose)]
                    place = way & 7
                    doubled = way >> 3
                else:
                    if len(setting_lines) > 0:
                        place = set_by_lines(sorted_cards, highs, place, setting_lines)
                    if fits(highs[place], low_rank(sorted_cards[place]), doubling_lines):
                        doubled = 1
                high = highs[place]
                low = low_rank(sorted_cards[place])
                outcome = LOSE
                if not fouls(high, low):
                    outcome = matchup(high, low, dealer_high, dealer_low)
                net = base_returned(outcome, base) - base
                if doubled == 1:
                    played += 1
                    net += double_returned(outcome, dealer_high, base) - base
                nets[0, spot, at] = net
                follows[spot, at] = doubled
                if fortune > 0:
                    nets[1, spot, at] = fortune_returned(best, fortune, fortune_num, fortune_den) - fortune
                if insurance > 0:
                    nets[2, spot, at] = insurance_returned(best, insurance, insurance_num, insurance_den) - insurance
            if len(flat_envy) > 0:
                for spot in range(spots):
                    won[1, spot, at] = 0
                    for another in range(spots):
                        if another != spot:
                            won[1, spot, at] += flat_envy[hands[another, at]]
        known = account(
            start, here, nets, won, hands, follows, moved, stakes, money, weights, slots,
            order, terms, cost, envy, event, counts, sums, bankroll, sessions, rows, awards, events, known,
        )  # fmt: skip
    return played, known
