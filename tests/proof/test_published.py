"""Figures of the trade's literature beside the count: reproduced, or different and said why."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from houseway.games import find_game
from houseway.games.model import Game, LiteratureFigure
from houseway.proof.distribution import Distribution
from houseway.proof.figure import Counted
from houseway.proof.published import compare

SMALLER = Distribution(1, {-1: 51, 1: 49}, 100, 49, Fraction(2))
LARGER = Distribution(1, {-2: 10, -1: 31, 1: 49, 0: 10}, 100, 49, Fraction(5, 2))
"""The same edge with other stakes: 2% of the first wager."""


def game_with(*published: LiteratureFigure) -> Game:
    game = find_game("three-card-poker")
    assert game is not None
    return replace(game, published=published)


def counted(larger: Distribution | None = None) -> Counted:
    return Counted("three-card-poker", "base", "A", 0.0, SMALLER, larger)


def test_a_published_figure_is_reproduced_when_the_count_rounds_to_it() -> None:
    known = LiteratureFigure("base", "A", house_edge="2.0%", element_of_risk="1.00%", average_bet="2.0")
    found = compare(counted(), game_with(known))
    assert (found.verdict, found.why, found.notes) == ("reproduced", "", ())
    assert found.texts == {
        "house_edge": "2.0%", "element_of_risk": "1.00%", "average_bet": "2.0", "standard_deviation": None
    }  # fmt: skip


@pytest.mark.parametrize(
    ("edge", "verdict"), [("2.0%", "reproduced"), ("2.1%", "differs"), ("2.1% or 2.0%", "reproduced")]
)
def test_one_digit_off_differs(edge: str, verdict: str) -> None:
    assert compare(counted(), game_with(LiteratureFigure("base", "A", house_edge=edge))).verdict == verdict


def test_a_difference_is_told_with_its_reason() -> None:
    known = LiteratureFigure("base", "A", average_bet="2.05", why="The author counts a push as no bet.")
    found = compare(counted(), game_with(known))
    assert found.verdict == "differs"
    assert found.why == (
        "The average bet is published as 2.05; counted it is 2.0000. The author counts a push as no bet."
    )


def test_the_larger_stake_may_be_what_is_published() -> None:
    known = LiteratureFigure("base", "A", average_bet="2.5")
    assert compare(counted(), game_with(known)).verdict == "differs"
    found = compare(counted(LARGER), game_with(known))
    assert found.verdict == "reproduced"
    assert found.notes == (
        "the published average bet, 2.5, takes the larger stake where two choices are worth the same",
    )


def test_another_table_has_nothing_published() -> None:
    assert compare(counted(), game_with(LiteratureFigure("base", "B", house_edge="2%"))).verdict == "not published"


def test_ties_survive_the_file() -> None:
    assert Counted.from_json(counted(LARGER).to_json()) == counted(LARGER)
