"""Sums over supersets against brute force on short decks, against deals counted otherwise, and on the whole deck."""

from __future__ import annotations

import importlib.util
import sys
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from houseway.cards import DECK_52, Card
from houseway.games import find_game
from houseway.games.model import Game
from houseway.proof.kernels import supersets
from houseway.proof.kernels.brute import solve_brute
from houseway.proof.kernels.supersets import SupersetSolution, count_supersets, solve_supersets, why_not_supersets
from houseway.refusal import Refusal


def load(name: str) -> ModuleType:
    """A module that lies beside this one."""
    known = f"kernel_tests_{name}"
    if known not in sys.modules:
        spec = importlib.util.spec_from_file_location(known, Path(__file__).with_name(f"{name}.py"))
        assert spec is not None
        assert spec.loader is not None
        sys.modules[known] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[known])
    return sys.modules[known]


games, same = load("games"), load("same")

STUD, RIDE = games.MISSISSIPPI_STUD, games.LET_IT_RIDE
SHORT = [Card(card) for card in (0, 4, 8, 9, 13, 21, 34)]
"""Seven cards: brute force over Mississippi Stud takes seconds with more."""

random_decks = settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))


@random_decks
@given(same.short_decks(6, 9))
def test_let_it_ride_equals_brute_force_on_short_decks(deck: list[Card]) -> None:
    tables = games.pay_tables(RIDE)
    same.hold_against(solve_supersets(RIDE, tables, deck=deck), solve_brute(RIDE, tables, deck=deck))


@random_decks
@given(same.short_decks(6, 6), st.sampled_from(["standard", "straight-5"]))
def test_mississippi_stud_equals_brute_force_on_short_decks(deck: list[Card], base: str) -> None:
    tables = games.pay_tables(STUD, base=base)
    same.hold_against(solve_supersets(STUD, tables, deck=deck), solve_brute(STUD, tables, deck=deck))


@pytest.mark.parametrize("game", [STUD, RIDE], ids=lambda game: game.key)
def test_rules_of_thumb_equal_brute_force(game: Game) -> None:
    tables = games.pay_tables(game)
    ours, brute = solve_supersets(game, tables, deck=SHORT), solve_brute(game, tables, deck=SHORT)
    for thumb in game.thumbs:
        same.hold_plays(ours.play(ours.by_thumb(thumb)), brute.play(brute.by_thumb(thumb)))
    same.hold_plays(ours.play(ours.larger), brute.play(brute.larger))


def test_a_planted_error_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sum over supersets that leaves out one of the parts of a set."""
    tables = games.pay_tables(RIDE)
    whole = supersets._subsets
    counts = count_supersets(RIDE, deck=SHORT)
    monkeypatch.setattr(supersets, "_subsets", lambda size, part: whole(size, part)[1:])
    with pytest.raises(ArithmeticError, match="do not have"):
        count_supersets(RIDE, deck=SHORT)
    with pytest.raises(AssertionError):
        same.hold_against(SupersetSolution(RIDE, tables, {}, counts), solve_brute(RIDE, tables, deck=SHORT))


def test_a_planted_price_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A maximum that forgets the last choice."""
    tables = games.pay_tables(RIDE)
    deck = [Card(card) for card in (8, 21, 34, 9, 22, 0, 1)]
    monkeypatch.setattr(SupersetSolution, "_best_of", lambda self, node: self._worths[node][:, :-1].max(axis=1))
    with pytest.raises(AssertionError):
        same.hold_against(solve_supersets(RIDE, tables, deck=deck), solve_brute(RIDE, tables, deck=deck))


def test_another_pay_table_prices_without_counting(monkeypatch: pytest.MonkeyPatch) -> None:
    deck = [card for card in DECK_52 if card % 13 > 7]
    counts = count_supersets(STUD, deck=deck)
    before = {key: array.copy() for key, array in counts.counts.items()}
    expected = solve_supersets(STUD, games.pay_tables(STUD, base="straight-5"), deck=deck).play()
    monkeypatch.setattr(supersets, "_count_in_subsets", None)
    monkeypatch.setattr(supersets, "values_of_sets", None)
    first = SupersetSolution(STUD, games.pay_tables(STUD), {}, counts).play()
    second = SupersetSolution(STUD, games.pay_tables(STUD, base="straight-5"), {}, counts).play()
    assert second.distribution == expected.distribution
    assert first.distribution.house_edge > second.distribution.house_edge
    assert all(np.array_equal(before[key], counts.counts[key]) for key in before)


def test_suits_may_be_renamed_in_advice() -> None:
    deck = [card for card in DECK_52 if card % 13 in (0, 4, 8, 9, 12)]
    solution = solve_supersets(STUD, games.pay_tables(STUD), deck=deck)
    node = "fourth after 2x"
    assert solution.advise([Card(0), Card(4)], (), [Card(13)], node) == solution.advise(
        [Card(39), Card(43)], (), [Card(26)], node
    )


def test_what_it_cannot_count_is_said() -> None:
    game = find_game("caribbean-stud")
    assert game is not None
    assert "dealer" in why_not_supersets(game, game.deck)
    with pytest.raises(Refusal, match=r"cannot be counted by sums over supersets: "):
        count_supersets(games.ULTIMATE_TEXAS_HOLDEM)
    with pytest.raises(Refusal, match="4 cards are too few to deal mississippi-stud"):
        count_supersets(STUD, deck=[Card(0), Card(1), Card(2), Card(3)])


def percent(figure: Fraction, digits: int = 2) -> Any:
    return round(100 * float(figure), digits)


@pytest.mark.long
def test_let_it_ride_on_the_whole_deck() -> None:
    """Published: 3.51%, element of risk 2.85 or 2.86%, deviation 5.17."""
    solution = solve_supersets(RIDE, games.pay_tables(RIDE))
    smaller, larger = solution.best.distribution, solution.play(solution.larger).distribution
    assert percent(smaller.house_edge) == 3.51
    assert smaller.house_edge == larger.house_edge
    assert round(larger.standard_deviation, 2) == 5.17
    assert percent(larger.element_of_risk) == 2.85
    assert smaller.total == 22100 * 49 * 48


@pytest.mark.long
@pytest.mark.parametrize(("table", "edge"), [("standard", 4.91), ("straight-5", 3.76)])
def test_mississippi_stud_on_the_whole_deck(table: str, edge: float) -> None:
    """Published: 4.91%, 3.76% where a straight pays 5, average bet 3.59, element of risk 1.37%."""
    solution = solve_supersets(STUD, games.pay_tables(STUD, base=table))
    smaller, larger = solution.best.distribution, solution.play(solution.larger).distribution
    assert percent(smaller.house_edge) == edge
    assert smaller.house_edge == larger.house_edge
    if table == "standard":
        assert round(float(larger.wagered), 2) == 3.59
        assert percent(larger.element_of_risk) == 1.37
    assert smaller.total == 1326 * 50 * 49 * 48
