"""The ladder: against the whole system of equations, against fractions, and against what must hold."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import exp, log1p

import numpy as np
import pytest
from tests.proof.meter_risk.meter_kit import STUD, THREE, meter_of, toy

from houseway.proof.meter_risk.dry import (
    FINE_RUNGS,
    after_a_jackpot,
    dry_risk,
    from_the_seed,
    in_words,
)
from houseway.proof.meter_risk.jackpot import jackpot_law
from houseway.proof.meter_risk.ladder import TooHigh, ladder_of, restarts
from houseway.proof.meter_risk.model import MeterModel

MIXED = toy(shares=((10, 10), (7, 37)), fixed=((20, 900), (60, 230)), reserve=Fraction(3))
SHALLOW = toy(shares=((30, 1),), fixed=((10, 20), (25, 45), (3, 4_000)), contribution=30, seed=700)
SINKING = toy(shares=((2, 50),), fixed=((90, 700),), contribution=50, reserve=Fraction(2), seed=3_000)


def system(model: MeterModel, rungs: int, *, stays: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The chain with one contribution a rung as a matrix, with the chance of running dry and what is missing then.

    With ``stays`` a dry meter goes on from nothing; else it is gone.
    """
    step = float(model.contribution)
    moves, dry, missing = np.zeros((rungs, rungs)), np.zeros(rungs), np.zeros(rungs)
    nothing = 1 - model.award_ways / model.total
    for rung in range(rungs):
        level = rung + 1
        ends = [(nothing, float(min(level, rungs - 1)))]
        ends += [(one.ways / model.total, level * (1 - one.percent / 100)) for one in model.shares]
        for one in model.fixed:
            left = level - one.cents / step
            if left < 0:
                dry[rung] += one.ways / model.total
                missing[rung] -= one.ways / model.total * left * step
                ends += [(one.ways / model.total, 0.0)] if stays else []
            else:
                ends.append((one.ways / model.total, left))
        for chance, left in ends:
            low = min(int(left), rungs - 1)
            moves[rung, low] += chance * (1 - left + low)
            moves[rung, min(low + 1, rungs - 1)] += chance * (left - low)
    return moves, dry, missing


@pytest.mark.parametrize("model", [MIXED, SHALLOW, SINKING], ids=["mixed", "shallow", "sinking"])
def test_the_risk_solves_the_whole_system(model: MeterModel) -> None:
    risk = dry_risk(model, 1_000_000)
    assert risk is not None
    assert risk.wagers_to_a_rung == 1
    moves, dry, missing = system(model, 900, stays=False)
    rest = np.eye(900) - moves
    chances, first = np.linalg.solve(rest, dry), np.linalg.solve(rest, missing)
    seed = int(model.seed_cents / risk.rung_cents)
    for rung in range(seed + 1):
        assert risk.chances[rung] == pytest.approx(chances[rung], rel=1e-5)
        assert risk.missing[rung] == pytest.approx(first[rung], rel=1e-5)
    # All that is missing until the jackpot, however often it runs dry.
    moves, _, missing = system(model, 900, stays=True)
    whole = np.linalg.solve(np.eye(900) - moves, missing)
    assert risk.shortfall(0) == pytest.approx(whole[0], rel=1e-5)
    assert risk.shortfall(seed * risk.rung_cents) == pytest.approx(whole[seed], rel=1e-5)


@pytest.mark.parametrize("model", [MIXED, SHALLOW, SINKING], ids=["mixed", "shallow", "sinking"])
def test_the_law_of_the_jackpot_solves_the_whole_system(model: MeterModel) -> None:
    law = jackpot_law(model, 1_000_000)
    step = float(model.contribution)
    assert law.cents[0] == step
    rungs = 1_500
    starts = np.zeros(rungs)
    for start in restarts(model, step):
        low = int(start.cents / step)
        part = start.cents / step - low
        starts[min(low, rungs - 1)] += start.chance * (1 - part)
        starts[min(low + 1, rungs - 1)] += start.chance * part
    moves, _, _ = system(model, rungs, stays=True)
    visits = np.linalg.solve((np.eye(rungs) - moves).T, starts) * float(model.jackpot_chance)
    found = np.zeros(rungs)
    found[: len(law.chances)] = law.chances[:rungs]
    # The matrix has a top, and just below it more than there should be.
    assert np.abs(found - visits)[:1_200].max() < 1e-9
    assert law.mean == pytest.approx(float(visits @ (np.arange(rungs) + 1) * step), rel=1e-6)


def test_a_tiny_risk_has_as_many_right_digits_as_a_large_one() -> None:
    """Against fractions: a meter that climbs one rung with each wager and falls by three with one in fifty."""
    model = toy(jackpot=1, fixed=((20, 150),), contribution=50, seed=3_000)
    risk = dry_risk(model, 1_000_000)
    assert risk is not None
    rungs, fall, none = 160, Fraction(20, 1_000), Fraction(979, 1_000)
    # Chances to reach the next rung, and to run dry before it, from the bottom up as fractions.
    up: list[Fraction] = []
    dry: list[Fraction] = []
    for rung in range(rungs):
        if rung < 2:
            up.append(none)
            dry.append(fall)
            continue
        below = rung - 2
        back, lost = Fraction(1), Fraction(0)
        for between in range(below, rung):
            lost += back * dry[between]
            back *= up[between]
        up.append(none / (1 - fall * back))
        dry.append(fall * lost / (1 - fall * back))
    chance = Fraction(0)
    exact = [chance := dry[rung] + up[rung] * chance for rung in reversed(range(rungs))][::-1]
    assert float(exact[60]) < 1e-30
    for rung in (0, 1, 2, 5, 20, 40, 60):
        assert risk.chances[rung] == pytest.approx(float(exact[rung]), rel=1e-6)


@pytest.mark.parametrize(
    ("game", "name", "contribution", "reserve"),
    [(STUD, "CSTUD-01", 7_000, 0), (STUD, "CSTUD-01", 5_000, 100), (STUD, "CSTUD-06", 7_000, 100),
     (STUD, "CSTUD-14", 2_400, 100), (THREE, "1", 1_300, 100)],
)  # fmt: skip
def test_the_ladder_keeps_the_exact_mean(game: str, name: str, contribution: int, reserve: int) -> None:
    model = meter_of(game, name, contribution, reserve)
    law = jackpot_law(model)
    assert law.mean == pytest.approx(float(model.exact_mean_jackpot), rel=1e-7)
    assert law.deviation == pytest.approx(model.jackpot_deviation, rel=1e-3)
    assert sum(law.chances) == pytest.approx(1)


@pytest.mark.parametrize(
    ("name", "contribution", "reserve", "seed"),
    [
        ("CSTUD-02", 4_000, 0, None),
        ("CSTUD-01", 7_000, 0, 0),
        ("CSTUD-01", 3_000, 100, None),
        ("CSTUD-10", 5_000, 50, 0),
    ],
)
def test_what_goes_on_a_meter_that_runs_dry_comes_off_it(
    name: str, contribution: int, reserve: int, seed: int | None
) -> None:
    """The mean jackpot from the flow of money, and from the law of the jackpot: two solvers that share no step."""
    model = meter_of(STUD, name, contribution, reserve, seed)
    usual = after_a_jackpot(model, dry_risk(model, FINE_RUNGS))
    covered = usual.shortfall_cents * float(model.jackpot_chance)
    assert covered > 0
    assert float(model.mean_jackpot(covered)) == pytest.approx(jackpot_law(model).mean, rel=2e-3)


def test_the_law_of_a_meter_with_nothing_but_a_jackpot() -> None:
    model = toy(jackpot=4, contribution=70, seed=500)
    law = jackpot_law(model, 1_000_000)
    for part in (0.05, 0.5, 0.95):
        assert law.quantile(part) == pytest.approx(500 + 70 * model.wagers_until(part), abs=71)
    # The seed is between two rungs, so a little of the first jackpots is put on the rung below.
    for wagers in (1, 10, 100, 1_000):
        upto = sum(chance for cents, chance in zip(law.cents, law.chances, strict=True) if cents <= 500 + 70 * wagers)
        assert upto == pytest.approx(1 - exp(wagers * log1p(-0.004)), abs=0.004)


def test_the_reserve_is_there_with_its_mean() -> None:
    model = toy(reserve=Fraction(7, 2), seed=900)
    found = list(restarts(model, 100.0))
    assert sum(one.chance for one in found) == pytest.approx(1, abs=1e-12)
    mean = sum(one.chance * one.cents for one in found)
    assert mean == pytest.approx(float(model.restart[0]), rel=1e-10)
    spread = sum(one.chance * (one.cents - mean) ** 2 for one in found)
    assert spread == pytest.approx(float(model.restart[1]), rel=0.01)
    assert [tuple(one) for one in restarts(toy(seed=900), 100.0)] == [(900.0, 1.0)]


@pytest.mark.parametrize(("name", "seed"), [("CSTUD-02", None), ("CSTUD-10", None), ("CSTUD-01", 100_000)])
def test_more_on_the_meter_is_less_risk(name: str, seed: int | None) -> None:
    outlooks = []
    for rate in (3_000, 5_000, 6_000, 7_000, 9_000):
        model = meter_of(STUD, name, rate, 0, seed)
        risk = dry_risk(model)
        assert risk is not None
        chances = [risk.chance(level) for level in range(0, model.seed_cents, model.seed_cents // 50)]
        assert chances == sorted(chances, reverse=True)
        outlooks.append(from_the_seed(model, risk))
    for less, more in pairwise(outlooks):
        assert more.chance < less.chance
        assert more.shortfall_cents < less.shortfall_cents
        assert more.chance <= more.times


@pytest.mark.parametrize(("name", "rate", "seed"), [("CSTUD-02", 5_000, None), ("CSTUD-01", 6_000, 50_000)])
def test_the_quick_ladder_says_what_the_fine_one_says(name: str, rate: int, seed: int | None) -> None:
    model = meter_of(STUD, name, rate, 0, seed)
    quick, fine = (from_the_seed(model, dry_risk(model, rungs)) for rungs in (3_000, FINE_RUNGS))
    assert quick.chance == pytest.approx(fine.chance, rel=0.01)
    assert quick.shortfall_cents == pytest.approx(fine.shortfall_cents, rel=0.01)


def test_a_reserve_makes_it_safer_than_the_seed_alone() -> None:
    model = meter_of(STUD, "CSTUD-02", 6_000, 100)
    risk = dry_risk(model)
    assert 0 < after_a_jackpot(model, risk).chance < from_the_seed(model, risk).chance


def test_a_meter_that_no_fixed_award_comes_off_never_runs_dry() -> None:
    model = meter_of(STUD, "CSTUD-14", 2_500)
    assert dry_risk(model) is None
    assert after_a_jackpot(model, None).chance == from_the_seed(model, None).shortfall_cents == 0


def test_what_cannot_be_solved_is_told() -> None:
    with pytest.raises(ValueError, match="gets nothing of the wagers"):
        dry_risk(toy(contribution=0, fixed=((1, 5),)))
    with pytest.raises(ValueError, match="never won whole"):
        jackpot_law(toy(jackpot=0))
    with pytest.raises(TooHigh):
        dry_risk(meter_of(STUD, "CSTUD-12", 1, 0, 500_000_000))


def test_a_seed_far_above_what_comes_in_is_still_solved() -> None:
    """The chance to climb it is far below what a number can hold; only the way down matters."""
    model = meter_of(STUD, "CSTUD-12", 10, 0, 40_000_000)
    outlook = from_the_seed(model, dry_risk(model))
    assert 0 < outlook.chance < 1
    days = model.seed_cents / -float(model.drift)
    assert outlook.chance == pytest.approx(exp(-days * float(model.jackpot_chance)), rel=0.05)


def test_a_rung_is_never_less_than_a_contribution() -> None:
    assert ladder_of(toy(contribution=70), 100.0, 1_000, 10_000).wagers == 1
    ladder = ladder_of(toy(contribution=70), 700_000.0, 1_000, 10_000)
    assert ladder.wagers == 10
    assert ladder.up + ladder.jackpot + sum(award.chance for award in ladder.awards) == pytest.approx(1)
    places = [0.995 ** (place - 1) * 0.005 for place in range(1, 11)]
    mean = sum(place * chance for place, chance in enumerate(places, start=1)) / sum(places) / 10
    assert ladder.place == pytest.approx(mean, rel=1e-9)


@pytest.mark.parametrize(
    ("chance", "words"),
    [(0.0, "none"), (1e-13, "less than 1 in a million million"), (2.4142e-10, "1 in 4,100,000,000"),
     (0.00271, "0.27%"), (0.28149, "28.1%"), (0.9999, "over 99.9%")],
)  # fmt: skip
def test_a_chance_in_words(chance: float, words: str) -> None:
    assert in_words(chance) == words
