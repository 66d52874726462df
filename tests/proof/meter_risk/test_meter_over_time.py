"""The level and the house win over time: against recursions and convolutions written out."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod, sqrt

import numpy as np
import pytest
from tests.proof.meter_risk.meter_kit import STUD, THREE, chances_of, meter_of, terms_of, toy

from houseway.proof.meter_risk.fan import QUANTILES, fan_of
from houseway.proof.meter_risk.house import House, Payment, Winnings, house_of
from houseway.proof.meter_risk.jackpot import jackpot_law
from houseway.proof.meter_risk.model import MeterModel


def mean_levels(model: MeterModel, marks: list[int]) -> list[float]:
    """The mean level of a meter that never runs dry, wager by wager, with the mean of its reserve beside it."""
    q, s = float(model.jackpot_chance), float(model.shared)
    contributed, reserved, fixed = float(model.contribution), float(model.reserve), float(model.fixed_out)
    level, reserve, found = float(model.seed_cents), 0.0, []
    for wager in range(1, marks[-1] + 1):
        level += contributed
        reserve += reserved
        # A jackpot does not ask for the level, nor for the reserve.
        level = (1 - q - s) * level - fixed + q * (model.seed_cents + reserve)
        reserve *= 1 - q
        if wager in marks:
            found.append(level)
    return found


@pytest.mark.parametrize(
    "model",
    [meter_of(STUD, "CSTUD-01", 6_000, 100), meter_of(STUD, "CSTUD-06", 5_000), meter_of(STUD, "CSTUD-14", 2_400, 100),
     meter_of(THREE, "1", 1_300, 100)],
    ids=["fixed awards", "a frequent share", "shares", "frequent jackpots"],
)  # fmt: skip
def test_the_mean_of_the_fan_is_that_of_the_recursion(model: MeterModel) -> None:
    marks = [3_000, 30_000, 90_000]
    fan = fan_of(model, marks)
    assert fan.means_cents == pytest.approx(mean_levels(model, marks), rel=3e-3)
    for levels in fan.levels_cents:
        assert list(levels) == sorted(levels)


def test_in_the_long_run_the_fan_is_the_law_of_the_jackpot() -> None:
    """A hand does not know the level, so the level it finds and the level of the jackpot are alike."""
    model = toy(jackpot=2, shares=((10, 10),), fixed=((5, 400),), reserve=Fraction(3), seed=5_000)
    (levels,) = fan_of(model, [20_000]).levels_cents
    law = jackpot_law(model)
    for part, level in zip(QUANTILES, levels, strict=True):
        assert level == pytest.approx(law.quantile(part), rel=0.02)


def test_without_awards_the_fan_is_exact() -> None:
    model = toy(jackpot=1, total=10_000_000, contribution=50, seed=1_000)
    (levels,) = fan_of(model, [1_000]).levels_cents
    assert levels[1:] == pytest.approx([51_000] * 4, rel=2e-3)


# ------------------------------------------------------------------------------------------------ the house

SMALL = House(
    wager_cents=100,
    total=10,
    kept=Fraction(60),
    reserve=Fraction(0),
    payments=(Payment("a", 3, 40, 0, 0), Payment("b", 1, 100, 60, 0), Payment("c", 1, 0, 0, 250)),
)


def every_result(house: House, wagers: int) -> dict[Fraction, Fraction]:
    """What the house has won after so many wagers, by every way in which their hands may come."""
    nothing = house.total - sum(one.ways for one in house.payments)
    hands = [(nothing, 0), *((one.ways, one.cents) for one in house.payments)]
    found: dict[Fraction, Fraction] = {}
    for dealt in product(hands, repeat=wagers):
        won = house.kept * wagers - sum(cents for _, cents in dealt)
        chance = Fraction(prod(ways for ways, _ in dealt), house.total**wagers)
        found[won] = found.get(won, Fraction(0)) + chance
    return found


def test_the_law_of_the_house_win_is_that_of_every_case() -> None:
    results = every_result(SMALL, 5)
    winnings = SMALL.after(5)
    loss = sum(chance for won, chance in results.items() if won < 0)
    assert winnings.chance_of_loss == pytest.approx(float(loss), abs=1e-12)
    for part in (0.01, 0.05, 0.3, 0.5, 0.95):
        below = Fraction(0)
        for won in sorted(results):
            below += results[won]
            if below >= part:
                assert winnings.quantile(part) == pytest.approx(float(won))
                break
    mean = sum(won * chance for won, chance in results.items())
    assert SMALL.mean * 5 == mean
    variance = sum((won - mean) ** 2 * chance for won, chance in results.items())
    assert SMALL.variance * 5 == variance
    assert SMALL.deviation(5) == pytest.approx(sqrt(variance))


@pytest.mark.parametrize(("game", "name", "rate"), [(STUD, "CSTUD-14", 2_400), (THREE, "1", 1_300)])
def test_the_law_of_many_wagers_has_the_exact_moments(game: str, name: str, rate: int) -> None:
    chances, wagers = chances_of(game), 90_000
    house = house_of(terms_of(game, name, rate, 100), chances.rows, chances.total, 6)
    winnings = Winnings.of(house, wagers)
    paid = np.arange(len(winnings.paid)) * winnings.unit_cents
    mean = winnings.kept_cents - float(winnings.paid @ paid)
    assert mean == pytest.approx(float(house.mean) * wagers, rel=1e-6)
    deviation = sqrt(float(winnings.paid @ (paid - float(winnings.paid @ paid)) ** 2))
    assert deviation == pytest.approx(house.deviation(wagers), rel=1e-4)


def test_a_house_that_pays_nothing_wins_what_it_keeps() -> None:
    house = House(100, 10, Fraction(25), Fraction(5), ())
    winnings = house.after(40)
    assert winnings.quantile(0.05) == winnings.quantile(0.95) == 1_000
    assert winnings.chance_of_loss == 0
    assert house.break_even_rate == 1
