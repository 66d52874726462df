"""A distribution adds up, and its figures follow from it."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import pytest

from houseway.games.rules import returned_to
from houseway.proof.distribution import Distribution, exact_wager, side_wager

COIN = Distribution(unit=2, ways={-2: 50, 3: 40, 0: 10, 7: 0}, total=100, hits=40)


def test_figures_follow_from_the_ways() -> None:
    assert COIN.ways == {-2: 50, 0: 10, 3: 40}
    assert COIN.house_edge == Fraction(-1, 10)
    assert COIN.hit_frequency == Fraction(2, 5)
    mean = Fraction(1, 10)
    assert COIN.variance == Fraction(50 * 4 + 40 * 9, 400) - mean**2
    assert COIN.standard_deviation == pytest.approx(sqrt(1.4 - 0.01))
    assert COIN.probabilities() == {
        Fraction(-1): Fraction(1, 2),
        Fraction(0): Fraction(1, 10),
        Fraction(3, 2): Fraction(2, 5),
    }


def test_the_element_of_risk_is_per_unit_of_everything_wagered() -> None:
    game = Distribution(unit=1, ways={-1: 3, 1: 1}, total=4, hits=1, wagered=Fraction(5, 2))
    assert game.house_edge == Fraction(1, 2)
    assert game.element_of_risk == Fraction(1, 5)


@pytest.mark.parametrize(
    ("unit", "ways", "total", "hits", "wagered"),
    [
        (1, {-1: 3, 1: 1}, 5, 1, 1),
        (1, {-1: 5, 1: -1}, 4, 1, 1),
        (0, {-1: 3, 1: 1}, 4, 1, 1),
        (1, {}, 0, 0, 1),
        (1, {-1: 3, 1: 1}, 4, 5, 1),
        (1, {-1: 3, 1: 1}, 4, 1, Fraction(1, 2)),
    ],
)
def test_what_does_not_add_up_is_refused(
    unit: int, ways: dict[int, int], total: int, hits: int, wagered: Fraction
) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        Distribution(unit, ways, total, hits, Fraction(wagered))


def test_a_side_wager_is_asked_of_its_rule_with_a_wager_that_rounds_nothing() -> None:
    num, den = (0, 3, 6, 1), (0, 2, 5, 3)
    assert exact_wager(den) == 30
    assert exact_wager((0, 0)) == 1
    made = side_wager({0: 70, 1: 20, 2: 9, 3: 1}, lambda row, wager: returned_to(wager, row, num, den), den)
    assert made.unit == 30
    assert made.ways == {-30: 70, 10: 1, 36: 9, 45: 20}
    assert made.hit_frequency == Fraction(30, 100)
    assert made.house_edge == 1 - Fraction(20 * 5, 200) - Fraction(9 * 11, 500) - Fraction(4, 300)


def test_on_a_for_one_wager_anything_returned_is_a_win() -> None:
    pays = {0: 0, 1: 1, 2: 5}
    assert side_wager({0: 7, 1: 2, 2: 1}, lambda row, wager: pays[row] * wager, (1,)).hits == 1
    assert side_wager({0: 7, 1: 2, 2: 1}, lambda row, wager: pays[row] * wager, (1,), for_one=True).hits == 3
