"""Many million rounds of every game: each edge within four exact standard errors of the counted one."""

from __future__ import annotations

import os
from math import sqrt
from typing import Any

import pytest

from houseway.games import approved_book, find_game
from houseway.proof.collect import BASE
from houseway.proof.executors import Engine
from houseway.proof.simulation import Link, Setup, plan_of, results_of, simulate

ROUNDS = 200_000_000
FEWER_ROUNDS = 20_000_000
"""Of the games that came later."""
SEED = 20_260_101
APART = 4.0

RUNS: dict[str, dict[str, Any]] = {
    "three-card-poker A": {
        "tables": {BASE: "A", "pair_plus": "A", "six_card_bonus": "TCP-6B1"},
        "progressives": ("1", "2"),
    },
    "three-card-poker B": {"tables": {BASE: "B", "pair_plus": "B", "six_card_bonus": "TCP-6B2"}},
    "three-card-poker C": {"tables": {BASE: "C", "pair_plus": "C", "six_card_bonus": "TCP-6B3"}},
    "three-card-poker D": {"tables": {BASE: "A", "pair_plus": "D", "six_card_bonus": "TCP-6B4"}},
    "caribbean-stud 1": {"tables": {"bonus": "CPSB-01"}, "progressives": ("CSTUD-01", "CSTUD-08", "CSTUD-15")},
    "caribbean-stud 2": {"tables": {"bonus": "CPSB-02"}, "strategy": "three rules"},
    "caribbean-stud 3": {"tables": {"bonus": "CPSB-03"}, "strategy": "ignores the up card"},
    **{f"caribbean-stud, {spots} spots": {"spots": spots, "wagers": ("cover_all",)} for spots in range(2, 8)},
    "straight-edge-1 1": {"tables": {"bonus": "1"}, "progressives": ("TWBB-1",)},
    "straight-edge-1 2": {"tables": {"bonus": "2"}, "strategy": "play a 3-card straight to the two"},
    "straight-edge-2 1": {"progressives": ("TWBB-2",)},
    "six-card-pai-gow best": {"tables": {"fortune": "1"}, "progressives": ("2",)},
    "six-card-pai-gow house way": {"tables": {"fortune": "2"}, "strategy": "house-way"},
    "six-card-pai-gow best setting": {"tables": {"fortune": "3"}, "strategy": "best setting"},
    "six-card-pai-gow doubling": {"wagers": (BASE,), "strategy": "house way, doubling"},
}
FEWER_RUNS: dict[str, dict[str, Any]] = {
    **{
        key: {}
        for key in (
            *("mississippi-stud", "let-it-ride", "ultimate-texas-holdem", "texas-holdem-bonus", "crazy-four-poker"),
            *("four-card-poker", "dj-wild", "casino-war", "baccarat"),
        )
    },
    "texas-holdem-bonus, thumb": {"strategy": "fold 7-2 and worse"},
}
UNPRINTED = Link({"": 1500}, {"": 200}, {"": 500_000})
"""Where neither a contribution nor a seed is printed."""


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "rounds"), [*((name, ROUNDS) for name in RUNS), *((name, FEWER_ROUNDS) for name in FEWER_RUNS)]
)
def test_edges_are_those_counted(name: str, rounds: int) -> None:
    asked = dict({**RUNS, **FEWER_RUNS}[name])
    game = find_game(name.replace(",", "").split()[0])
    assert game is not None
    asked["progressives"] = tuple(asked.get("progressives", ()))
    if asked["progressives"] and game.key in ("straight-edge-1", "straight-edge-2", "six-card-pai-gow"):
        asked["link"] = UNPRINTED
    plan = plan_of(Setup(game, seed=SEED, **asked))
    made = results_of(simulate(plan, rounds, Engine(workers=os.cpu_count())), approved_book())
    assert made.rounds == rounds
    for one in made.wagers:
        assert one.exact is not None, one.name
        error = one.sample.standard_error
        if one.exact.standard_deviation is not None and (plan.spots == 1 or one.wager == "cover_all"):
            # The spots of a round win Cover All together.
            error = one.exact.standard_deviation / sqrt(rounds)
        edge = -one.sample.mean
        nearest = min(max(edge, one.exact.house_edge.low), one.exact.house_edge.high)
        assert abs(float(edge - nearest)) < APART * error, (one.name, one.to_json())
        if one.exact.hit_frequency is not None:
            hits = one.exact.hit_frequency
            share = one.hits / one.sample.hands
            spread = sqrt(float(hits.middle) * float(1 - hits.middle) / rounds)
            assert float(hits.low) - APART * spread < share < float(hits.high) + APART * spread, one.name
