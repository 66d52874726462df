"""The schemas of all games, written out, so that the pay tables are tested without the games' modules."""

from __future__ import annotations

from houseway.paytables import Schema

FIVE_CARD = (
    "royal_flush",
    "straight_flush",
    "four_of_a_kind",
    "full_house",
    "flush",
    "straight",
    "three_of_a_kind",
)
THREE_CARD = ("straight_flush", "three_of_a_kind", "straight")
FORTUNE = ("five_aces", *FIVE_CARD)
RUNS = ("7", "6", "5", "4")

SCHEMAS = (
    Schema("three-card-poker", "ante_bonus", "odds", THREE_CARD),
    Schema("three-card-poker", "pair_plus", "odds", (*THREE_CARD, "flush", "pair")),
    Schema("three-card-poker", "six_card_bonus", "odds", FIVE_CARD),
    Schema(
        "three-card-poker",
        "progressive",
        "progressive",
        ("akq_spades", "akq_other_suit", *THREE_CARD, "flush", "pair"),
    ),
    Schema("caribbean-stud", "bet", "odds", (*FIVE_CARD, "two_pair", "pair", "high_card")),
    Schema("caribbean-stud", "bonus", "odds", (*FIVE_CARD, "two_pair", "pair_of_tens_or_better")),
    Schema("caribbean-stud", "cover_all", "columns", FIVE_CARD, (2, 3, 4, 5, 6, 7, 8)),
    Schema("caribbean-stud", "progressive", "progressive", (*FIVE_CARD, "two_pair")),
    Schema("five-card-link", "progressive", "progressive", (*FIVE_CARD, "two_pair")),
    Schema("straight-edge-1", "play", "odds", ("6", "5", "4", "3", "2", "1", "0")),
    Schema("straight-edge-1", "bonus", "odds", RUNS),
    Schema("straight-edge-2", "blind", "odds", ("6", "5", "4", "3", "2", "1")),
    Schema("straight-edge-2", "four_plus", "odds", RUNS),
    Schema("straight-edge", "insurance", "odds", ("no_two_card_straight",)),
    Schema("straight-edge", "progressive", "progressive", RUNS),
    Schema("six-card-pai-gow", "fortune", "odds", FORTUNE),
    Schema("six-card-pai-gow", "insurance", "odds", ("8", "9", "10", "jack", "queen", "king")),
    Schema("six-card-pai-gow", "progressive", "progressive", FORTUNE),
)
