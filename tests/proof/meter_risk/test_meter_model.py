"""The meter as a process: its exact moments, against the proof's figures and against sums made another way."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import pytest
from tests.proof.meter_risk.meter_kit import PAI_GOW, STUD, THREE, chances_of, meter_of, table_of, terms_of, toy

from houseway.progressive.terms import MICROS_PER_CENT, split
from houseway.proof.meter_risk.house import house_of
from houseway.proof.meter_risk.model import MeterModel, models_of
from houseway.proof.progressive import Odds

APPROVED = [
    *((STUD, f"CSTUD-{number:02}") for number in range(1, 17)),
    *((STUD, name) for name in ("01", "ML01", "ML03")),
    *((THREE, name) for name in ("1", "2")),
    *((PAI_GOW, name) for name in ("2", "3", "4", "5")),
    *((game, name) for game in ("straight-edge-1", "straight-edge-2") for name in ("TWBB-1", "TWBB-2")),
]


def test_the_meter_of_cstud_01_in_whole_numbers() -> None:
    model = meter_of(STUD, "CSTUD-01", 6_000, 100)
    assert (model.total, model.jackpot_ways, model.seed_cents) == (2_598_960, 4, 1_000_000)
    assert [(one.ways, one.percent) for one in model.shares] == [(36, 10)]
    assert [(one.ways, one.cents) for one in model.fixed] == [(624, 50_000), (3_744, 10_000), (5_108, 5_000)]
    assert (model.contribution, model.reserve) == (60, 1)
    assert model.drift == 60 - Fraction(624 * 50_000 + 3_744 * 10_000 + 5_108 * 5_000, 2_598_960)


@pytest.mark.parametrize(("game", "name"), APPROVED)
def test_what_a_wager_gives_is_what_the_floor_books(game: str, name: str) -> None:
    terms, chances = terms_of(game, name, 1_234, 56, 777), chances_of(game)
    booked = split(terms, 1)
    for meter, model in models_of(terms, chances.rows, chances.total).items():
        assert model.contribution_micros == booked.meters[meter]
        assert model.reserve_micros == booked.reserves[meter]


@pytest.mark.parametrize(("game", "name"), [one for one in APPROVED if len(table_of(*one).meters) == 1])
@pytest.mark.parametrize("fixed_from", ["as_marked", "meter", "tray"])
def test_the_drift_is_that_of_the_proof(game: str, name: str, fixed_from: str) -> None:
    from houseway.progressive import Policy

    chances = chances_of(game)
    terms = terms_of(game, name, 1_500, 0, 123_400, fixed_from)
    (model,) = models_of(terms, chances.rows, chances.total).values()
    odds = Odds(
        table_of(game, name), chances.rows, chances.total, 0, Policy(fixed_from=fixed_from), {model.name: 123_400}
    )
    seeds = model.jackpot_chance * model.seed_cents
    assert model.drift + seeds == odds.drift_cents(Fraction(15, 100), 0)
    shared = (model.jackpot_chance + model.shared) * 1_000_000
    assert model.drift + seeds - shared == odds.drift_cents(Fraction(15, 100), 1_000_000)


@pytest.mark.parametrize(("game", "name"), APPROVED)
def test_the_house_edge_is_that_of_the_proof(game: str, name: str) -> None:
    chances, others = chances_of(game), 5
    terms = terms_of(game, name, 1_000, 100, 400_000)
    house = house_of(terms, chances.rows, chances.total, others)
    odds = Odds(
        table_of(game, name), chances.rows, chances.total, others, seeds_cents=dict.fromkeys(terms.meters, 400_000)
    )
    assert house.edge == odds.house_edge(Fraction(11, 100) * len(terms.meters))
    assert house.kept == Fraction(split(terms, 1).kept, MICROS_PER_CENT)
    assert house.break_even_rate == house.edge + Fraction(11, 100) * len(terms.meters)


def followed(model: MeterModel, wagers: int) -> tuple[float, float]:
    """Mean and deviation of the jackpot, by following the moments of the level wager by wager from every restart."""
    q, c = float(model.jackpot_chance), float(model.contribution)
    rows = [
        *((one.ways / model.total, 1 - one.percent / 100, 0.0) for one in model.shares),
        *((one.ways / model.total, 1.0, float(one.cents)) for one in model.fixed),
    ]
    rows.append((1 - q - sum(row[0] for row in rows), 1.0, 0.0))
    start, spread = (float(one) for one in model.restart)
    here, first, second = 1.0, start + c, (start + c) ** 2 + spread
    mean = square = 0.0
    for _ in range(wagers):
        mean += q * first
        square += q * second
        later = [
            (p, p * (keep * first + (c - fall) * here),
             p * (keep**2 * second + 2 * keep * (c - fall) * first + (c - fall) ** 2 * here))
            for p, keep, fall in rows
        ]  # fmt: skip
        first, second = sum(one[1] for one in later), sum(one[2] for one in later)
        here *= sum(one[0] for one in rows)
        # first and second are those of the level that the next hand finds, on the paths without a jackpot so far
    return mean, sqrt(square - mean**2)


@pytest.mark.parametrize(
    "model",
    [
        toy(),
        toy(reserve=Fraction(3, 2)),
        toy(shares=((10, 10), (7, 37)), reserve=Fraction(5, 2)),
        toy(fixed=((20, 1_500), (60, 23)), seed=200_000),
        toy(shares=((30, 1),), fixed=((2, 400),), reserve=Fraction(1), seed=0),
    ],
    ids=["jackpot alone", "reserve", "shares", "fixed", "everything"],
)
def test_the_moments_are_those_of_following_the_level(model: MeterModel) -> None:
    mean, deviation = followed(model, 8_000)
    assert float(model.exact_mean_jackpot) == pytest.approx(mean, rel=1e-9)
    assert model.jackpot_deviation == pytest.approx(deviation, rel=1e-9)


def test_a_meter_with_nothing_but_a_jackpot_is_a_geometric_number_of_contributions() -> None:
    model = toy(jackpot=4, contribution=70, seed=500)
    assert model.exact_mean_jackpot == 500 + 70 * 250
    assert model.jackpot_deviation == pytest.approx(70 * sqrt((1 - 0.004) / 0.004**2))
    assert model.wagers_until(0.5) == 173  # 0.996 ** 172 is above a half, 0.996 ** 173 below
    assert 0.996**173 < 0.5 < 0.996**172


def test_a_hand_that_a_game_cannot_make_draws_nothing() -> None:
    terms = terms_of(STUD, "CSTUD-01", 6_000)
    (model,) = models_of(terms, {"royal_flush": 4, "flush": 100}, 1_000_000).values()
    assert [one.hand for one in model.fixed] == ["flush"]
    assert model.shares == ()
    assert model.award_ways == 104
