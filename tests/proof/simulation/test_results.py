"""What a simulation says: edges beside their figures, errors that know the shared dealer, bankroll and paths."""

from __future__ import annotations

from fractions import Fraction
from math import isclose, sqrt
from statistics import mean, pvariance
from typing import Any

import pytest

from houseway.games import approved_book, find_game
from houseway.paytables import PayTable
from houseway.proof.collect import BASE
from houseway.proof.executors import Engine
from houseway.proof.simulation import Link, Results, Setup, plan_of, results_of, simulate
from houseway.proof.simulation.chunk import play_chunk
from houseway.proof.simulation.tally import nothing, sample_of
from houseway.refusal import Refusal

LINK = Link({"": 1500}, {"": 200}, {"": 500_000})
SMALL: dict[str, tuple[int, dict[str, Any]]] = {
    "caribbean-stud": (400_000, {"progressives": ("CSTUD-09",)}),
    "caribbean-stud, seven spots": (80_000, {"spots": 7, "strategy": "three rules", "progressives": ("CSTUD-16",)}),
    "three-card-poker": (400_000, {"progressives": ("2",), "tables": {"six_card_bonus": "TCP-6B3"}}),
    "three-card-poker, lose": (200_000, {"options": {"equal_hands": "lose"}, "spots": 2}),
    "straight-edge-1": (300_000, {"progressives": ("TWBB-1",), "link": LINK}),
    "straight-edge-2": (300_000, {"strategy": "play a 2-card straight to the ace or better"}),
    "six-card-pai-gow": (150_000, {"strategy": "house-way"}),
    "six-card-pai-gow, six spots": (40_000, {"strategy": "never double", "spots": 6, "tables": {"fortune": "1"}}),
    "six-card-pai-gow, setting": (150_000, {"strategy": "king or better low", "wagers": ("insurance",)}),
}


def made(name: str, rounds: int, **asked: Any) -> Results:
    game = find_game(name.partition(",")[0])
    assert game is not None
    plan = plan_of(Setup(game, seed=31, **asked))
    return results_of(simulate(plan, rounds, Engine(workers=1)), approved_book())


@pytest.mark.parametrize("name", SMALL)
def test_edges_lie_within_four_errors_of_the_counted_ones(name: str) -> None:
    rounds, asked = SMALL[name]
    results = made(name, rounds, **asked)
    for one in results.wagers:
        assert one.exact is not None
        assert one.deviations is not None
        assert abs(one.deviations) < 4, (one.name, one.to_json())
        if one.exact.hit_frequency is not None:
            share = float(one.exact.hit_frequency.middle)
            assert abs(one.hits / one.sample.hands - share) < 4.5 * sqrt(share * (1 - share) / rounds)


def test_another_pay_table_would_be_seen() -> None:
    """The comparison above can fail: the figure of another table lies many errors away."""
    game = find_game("three-card-poker")
    assert game is not None
    results = made("three-card-poker", 400_000, tables={"pair_plus": "A"})
    other = made("three-card-poker", 1_000, tables={"pair_plus": "D"})
    here, there = results.wagers[1], other.wagers[1]
    assert here.exact is not None
    assert there.exact is not None
    assert here.exact_error is not None
    assert abs(float(-here.sample.mean - there.exact.house_edge.middle)) > 8 * here.exact_error


def test_the_error_is_that_of_whole_rounds() -> None:
    """Seven spots against one dealer are not seven times the evidence: from round sums, one by one."""
    game = find_game("caribbean-stud")
    assert game is not None
    plan = plan_of(Setup(game, spots=7, seed=3, strategy="three rules", wagers=("cover_all",)))
    rounds = 600
    totals: dict[str, list[int]] = {line.wager: [] for line in plan.lines}
    for round_ in range(rounds):
        tally = play_chunk(plan, round_, 1)
        for place, line in enumerate(plan.lines):
            counts = tally.counts[place].tolist()
            totals[line.wager].append(sum((line.low + at) * count for at, count in enumerate(counts)))
    results = results_of(simulate(plan, rounds, Engine(workers=1)), approved_book())
    for one, line in zip(results.wagers, plan.lines, strict=True):
        sums = totals[line.wager]
        assert one.sample.mean == Fraction(sum(sums), rounds * 7 * line.unit)
        assert isclose(one.sample.standard_error, sqrt(pvariance(sums) / rounds) / (7 * line.unit))
    cover = results.wagers[1]
    alone = sqrt(pvariance(totals["cover_all"]) / 49 / (7 * rounds))
    assert isclose(cover.sample.standard_error, alone * sqrt(7) / plan.lines[1].unit)


def test_a_sample_of_nothing_has_no_error() -> None:
    assert sample_of(0, 0, 0, 1, 1).standard_error == float("inf")


def test_the_bankroll_is_the_sum_of_what_the_first_spot_won() -> None:
    game = find_game("three-card-poker")
    assert game is not None
    plan = plan_of(Setup(game, seed=8, spots=2))
    rounds = 2_500
    moves = []
    for round_ in range(rounds):
        moves.append(play_chunk(plan, round_, 1).bankroll[0])
    results = results_of(simulate(plan, rounds, Engine(workers=1)), approved_book())
    unit = plan.bankroll_unit
    path = [sum(moves[:count]) for count in range(rounds + 1)]
    bankroll = results.bankroll
    assert bankroll.end * unit == path[-1]
    assert (bankroll.least * unit, bankroll.most * unit) == (min(path), max(path))
    assert bankroll.deepest_fall * unit == max(max(path[: at + 1]) - now for at, now in enumerate(path))
    assert [(at, value * unit) for at, value in bankroll.path] == [
        (at, path[at]) for at in (0, 1_000, 2_000, 2_500)
    ]  # fmt: skip
    assert bankroll.sessions == 2
    sessions = sorted((path[1_000], path[2_000] - path[1_000]))
    assert dict(bankroll.quantiles)[1] * unit == sessions[0]
    assert mean(moves) < 0


def test_added_chunks_are_one_run() -> None:
    game = find_game("straight-edge-1")
    assert game is not None
    plan = plan_of(Setup(game, seed=8, spots=3, progressives=("TWBB-2",), link=LINK))
    whole = nothing(plan.lines, 8, 1)
    whole.add(play_chunk(plan, 0, 5_000))
    parts = nothing(plan.lines, 8, 1)
    for first in range(0, 5_000, 1_000):
        parts.add(play_chunk(plan, first, 1_000))
    assert parts.bankroll == whole.bankroll
    assert [counts.tolist() for counts in parts.counts] == [counts.tolist() for counts in whole.counts]
    assert parts.sums.tolist() == whole.sums.tolist()
    assert parts.rows.tolist() == whole.rows.tolist()
    assert parts.progressive.tolist() == whole.progressive.tolist()
    assert (parts.rounds, parts.played) == (whole.rounds, whole.played)


def test_a_house_table_is_simulated_beside_its_own_figure() -> None:
    from dataclasses import replace

    from houseway.paytables import Book, Odds, OddsRow

    book = approved_book()
    table = book.find(("three-card-poker",), "pair_plus", "A")
    assert isinstance(table, PayTable)
    rows = tuple(OddsRow(row.hand, (Odds(7, 2),)) if row.hand == "flush" else row for row in table.rows)
    mine = replace(table, id="HALVES", aliases=(), rows=rows, approved=False, source="house.toml")
    both = book.with_house_tables(Book((mine,)))
    game = find_game("three-card-poker")
    assert game is not None
    plan = plan_of(Setup(game, seed=2, wagers=("pair_plus",), tables={"pair_plus": "HALVES"}, book=both))
    results = results_of(simulate(plan, 100_000, Engine(workers=1)), both)
    assert plan.lines[1].unit == 2
    assert any(net == Fraction(7, 2) for net, _ in results.wagers[1].outcomes)
    assert results.wagers[1].deviations is not None
    assert abs(results.wagers[1].deviations) < 4


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"spots": 0}, "spots: must be from 1 to 7"),
        ({"spots": 8}, "spots: must be from 1 to 7"),
        ({"seed": -1}, "seed: must be"),
        ({"seed": 1 << 64}, "seed: must be"),
        ({"wagers": ("fortune",)}, "wager: 'fortune' is not simulated at caribbean-stud"),
        ({"tables": {"bonus": "CPSB-99"}}, "tables: 'CPSB-99' is no bonus table"),
        ({"tables": {"bonus": "CPSB-01"}, "wagers": (BASE,)}, "tables: 'bonus' has no pay table in this simulation"),
        ({"strategy": "house-way"}, "only six-card-pai-gow has a house way"),
        ({"strategy": "raise"}, "strategy: 'raise' fits more than one"),
        ({"strategy": "bluff"}, "strategy: 'bluff' is not known; there are best, simple, raise any pair"),
        ({"options": {"equal_hands": "lose"}}, "option equal_hands"),
        ({"options": {"award_order": (2, 1)}, "spots": 3}, "must name every spot"),
    ],
)
def test_what_does_not_fit_is_refused(asked: dict[str, Any], said: str) -> None:
    game = find_game("caribbean-stud")
    assert game is not None
    with pytest.raises(Refusal, match=said):
        plan_of(Setup(game, **asked))


@pytest.mark.parametrize("rounds", [0, -5, 1 << 60])
def test_a_number_of_rounds_that_cannot_be_played_is_refused(rounds: int) -> None:
    game = find_game("caribbean-stud")
    assert game is not None
    with pytest.raises(Refusal, match="rounds: must be"):
        simulate(plan_of(Setup(game, strategy="three rules")), rounds)
