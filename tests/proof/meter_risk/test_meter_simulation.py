"""Meters played with random hands: what is solved lies within four standard errors, whoever plays."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from random import Random
from typing import Any

import numpy as np
import pytest
from tests.proof.meter_risk.meter_kit import PAI_GOW, STUD, THREE, chances_of, meter_of, table_of, terms_of, toy

from houseway.progressive import Entry, Meter, Policy, award_round
from houseway.proof.compiled import jit
from houseway.proof.meter_risk import simulate
from houseway.proof.meter_risk.dry import FINE_RUNGS, after_a_jackpot, dry_risk
from houseway.proof.meter_risk.fan import QUANTILES, fan_of
from houseway.proof.meter_risk.house import house_of
from houseway.proof.meter_risk.model import MeterModel, models_of
from houseway.proof.meter_risk.simulate import CYCLES_A_BATCH, play_cycles, play_runs

JACKPOTS = 100_000


def agrees(model: MeterModel, jackpots: int) -> None:
    """Mean jackpot, waits, running dry and shortfall, each within four standard errors of the solved one."""
    played = play_cycles(model, jackpots, seed=20_260_401)
    assert played.jackpots >= jackpots
    risk = dry_risk(model, FINE_RUNGS)
    usual = after_a_jackpot(model, risk)
    solved = float(model.mean_jackpot(usual.shortfall_cents * float(model.jackpot_chance)))
    mean, error = played.mean(played.jackpots_cents)
    assert abs(mean - solved) < 4 * error
    if risk is None or usual.chance < 1e-9:
        # The error from the exact deviation: jackpots hang together through the reserve alone.
        if model.reserve == 0:
            assert abs(mean - solved) < 4 * model.jackpot_deviation / sqrt(played.jackpots)
        assert np.std(played.jackpots_cents) == pytest.approx(model.jackpot_deviation, rel=0.02)
        assert not played.times_dry.any()
        assert not played.missing_cents.any()
    wait, wait_error = played.mean(played.wagers)
    assert abs(wait - float(1 / model.jackpot_chance)) < 4 * wait_error
    if usual.chance > 1e-3:
        for counted, expected in (
            ((played.times_dry > 0) * 1.0, usual.chance),
            (played.times_dry, usual.times),
            (played.missing_cents, usual.shortfall_cents),
        ):
            found, found_error = played.mean(counted)
            assert abs(found - expected) < 4 * found_error


@pytest.mark.parametrize(
    ("game", "name", "rate", "reserve"),
    [(STUD, "CSTUD-14", 2_500, 0), (STUD, "CSTUD-15", 2_000, 100), (THREE, "1", 1_300, 100), (THREE, "2", 2_000, 0)],
)
def test_solved_and_simulated_agree_over_a_hundred_thousand_jackpots(
    game: str, name: str, rate: int, reserve: int
) -> None:
    agrees(meter_of(game, name, rate, reserve), JACKPOTS)


@pytest.mark.parametrize(
    ("name", "rate", "reserve", "seed"),
    [("CSTUD-02", 5_000, 0, None), ("CSTUD-01", 7_000, 0, 0), ("CSTUD-10", 4_500, 100, 0)],
)
def test_a_meter_that_runs_dry_is_solved_too(name: str, rate: int, reserve: int, seed: int | None) -> None:
    agrees(meter_of(STUD, name, rate, reserve, seed), 4_000)


@pytest.mark.long
@pytest.mark.parametrize("rate", [7_000, 6_000, 5_000])
@pytest.mark.parametrize(("name", "reserve"), [("CSTUD-01", 0), ("CSTUD-01", 100), ("CSTUD-02", 0)])
def test_tables_that_pay_all_off_the_meter_over_a_hundred_thousand_jackpots(name: str, reserve: int, rate: int) -> None:
    agrees(meter_of(STUD, name, rate, reserve), JACKPOTS)


@pytest.mark.parametrize(
    ("game", "name", "rate", "seed", "fixed_from"),
    [(STUD, "CSTUD-01", 6_000, 1_000_000, "as_marked"), (STUD, "ML03", 500, 500_000, "as_marked"),
     (PAI_GOW, "2", 2_500, 2_000_000, "meter")],
)  # fmt: skip
def test_levels_and_house_win_are_within_four_standard_errors(
    game: str, name: str, rate: int, seed: int, fixed_from: str
) -> None:
    terms, chances = terms_of(game, name, rate, 100, seed, fixed_from), chances_of(game)
    marks = (10_000, 50_000)
    played = play_runs(terms, chances.rows, chances.total, 5, marks, 1_000, seed=5)
    assert played.runs == 1_000
    house = house_of(terms, chances.rows, chances.total, 5)
    fans = [fan_of(model, marks) for model in models_of(terms, chances.rows, chances.total).values()]
    for place, mark in enumerate(marks):
        for number, fan in enumerate(fans):
            levels = played.levels_cents[:, place, number]
            error = levels.std(ddof=1) / sqrt(played.runs)
            grid = 0.004 * fan.means_cents[place]
            assert abs(levels.mean() - fan.means_cents[place]) < 4 * error + grid
            for part, level in zip(QUANTILES, fan.levels_cents[place], strict=True):
                upto = (levels <= level * 1.005).mean(), (levels <= level * 0.995).mean()
                slack = 4 * sqrt(part * (1 - part) / played.runs)
                assert upto[1] - slack <= part <= upto[0] + slack
        won = played.house_cents[:, place]
        if not played.missing_cents.any():
            assert abs(won.mean() - float(house.mean) * mark) < 4 * house.deviation(mark) / sqrt(played.runs)


def test_the_house_pays_what_a_dry_meter_cannot() -> None:
    """Of the same hands: what the house wins less is what was missing."""
    chances = chances_of(STUD)
    marks = (40_000,)
    empty, full = (
        play_runs(terms_of(STUD, "CSTUD-02", 3_000, 0, seed), chances.rows, chances.total, 0, marks, 200, seed=9)
        for seed in (0, 10_000_000_000)
    )
    assert empty.missing_cents.any()
    assert not full.missing_cents.any()
    kept = 70 * marks[0]
    seeds = (kept - full.house_cents[:, 0]) // 10_000_000_000
    assert (empty.house_cents[:, 0] == kept - empty.missing_cents[:, 0]).all()
    assert (full.house_cents[:, 0] == kept - seeds * 10_000_000_000).all()


@jit(cache=False)
def _drawn_rows(state: Any, ways: Any, total: Any, found: Any) -> None:
    for place in range(len(found)):
        found[place] = simulate.next_row(ways, total, state)


def test_rows_come_as_often_as_they_have_ways() -> None:
    ways = np.array([4, 36, 624, 3_744, 5_108], np.uint64)
    found = np.zeros(400_000, np.int64)
    _drawn_rows(simulate._stream(1, 2), ways, ways.sum(), found)
    counts = np.bincount(found, minlength=5)
    expected = ways / ways.sum() * len(found)
    assert ((counts - expected) ** 2 / expected).sum() < 24  # four degrees of freedom: one in twelve thousand


def test_a_meter_is_paid_as_the_table_pays_it() -> None:
    """One cycle by the rules that the floor's own awards use, hand for hand, on a link with every kind of row."""
    table, random = table_of(STUD, "CSTUD-06"), Random(3)
    value, reserve = 1_000_000 * 10_000, 0
    for _ in range(400):
        gap = random.randint(1, 4_000)
        value, reserve = value + gap * 700_000, reserve + gap * 10_000
        row = random.choice(table.rows)
        awards = award_round(
            table, {"main": Meter(value // 10_000, 1_000_000, reserve // 10_000)}, [Entry(1, row.hand, 100)], Policy()
        )
        (award,) = awards.awards
        seed = 1_000_000 if row.percent == 100 else None
        if row.percent is not None:
            paid = simulate.share(simulate.cents_of(value), row.percent)
        else:
            paid = simulate.drawn(simulate.cents_of(value), row.fixed_cents or 0)
        before = value // 10_000, reserve // 10_000
        value, reserve = simulate.after_drawing(value, reserve, paid, seed)
        assert paid == award.from_meter_cents
        # The floor keeps parts of a cent that one round alone does not show.
        assert abs(value // 10_000 - award.meter_after_cents) <= 1, before


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_the_same_seed_plays_the_same_whoever_plays(workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    model = toy(shares=((10, 10),), fixed=((20, 300),), reserve=Fraction(1))
    first = play_cycles(model, 5_000, seed=4)
    monkeypatch.setattr("houseway.proof.meter_risk.simulate.os.cpu_count", lambda: workers)
    again = play_cycles(model, 5_000, seed=4)
    assert (first.jackpots_cents == again.jackpots_cents).all()
    assert (first.wagers == again.wagers).all()
    other = play_cycles(model, 5_000, seed=5)
    assert (first.wagers != other.wagers).any()


def test_interrupted_it_gives_what_it_has() -> None:
    def told(_what: str, done: float) -> None:
        if done > 0:
            raise KeyboardInterrupt

    played = play_cycles(toy(), 2_000 * CYCLES_A_BATCH, seed=1, progress=told)
    assert 0 < played.jackpots < played.asked
    assert played.jackpots % CYCLES_A_BATCH == 0
    terms, chances = terms_of(STUD, "CSTUD-14", 2_500), chances_of(STUD)
    runs = play_runs(terms, chances.rows, chances.total, 6, (10_000,), 400_000, seed=1, progress=told)
    assert 0 < runs.runs < runs.asked
    assert len(runs.levels_cents) == len(runs.missing_cents) == runs.runs
