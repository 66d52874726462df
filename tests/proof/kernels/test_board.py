"""Sorted boards against brute force on short decks, planted errors, another pay table, and the whole deck."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from houseway.cards import DECK_52, Card, parse_cards
from houseway.games import find_game
from houseway.proof.keep import holding
from houseway.proof.kernels import board, board_prices
from houseway.proof.kernels.board import count_boards, why_not_board
from houseway.proof.kernels.board_play import BoardSolution, solve_board
from houseway.proof.kernels.brute import solve_brute
from houseway.proof.solver import BOARD, SUPERSETS, choose_kernel, solve
from houseway.ranking.ranking import by_rule
from houseway.refusal import Refusal
from houseway.rule import rule


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
ULTIMATE, BONUS, ONE_CARD = games.ULTIMATE_TEXAS_HOLDEM, games.TEXAS_HOLDEM_BONUS, games.ONE_CARD
NINE = [Card(card) for card in (0, 4, 8, 13, 17, 21, 26, 30, 34)]
"""Three ranks in three suits that can be renamed: more makes brute force slow."""

random_decks = settings(max_examples=2, deadline=None, suppress_health_check=list(HealthCheck))


@random_decks
@given(same.short_decks(9, 9), st.sampled_from(["3 or 4", "4"]), st.sampled_from("AB"))
def test_ultimate_equals_brute_force_on_short_decks(deck: list[Card], multiples: str, blind: str) -> None:
    tables = games.pay_tables(ULTIMATE, blind=blind)
    options = {"preflop_multiples": multiples}
    same.hold_against(
        solve_board(ULTIMATE, tables, options, deck=deck), solve_brute(ULTIMATE, tables, options, deck=deck)
    )


@settings(random_decks, max_examples=1)
@given(same.short_decks(9, 9), st.sampled_from(["straight", "flush"]))
def test_bonus_equals_brute_force_on_short_decks(deck: list[Card], ante_pays_from: str) -> None:
    tables = games.pay_tables(BONUS)
    options = {"ante_pays_from": ante_pays_from}
    same.hold_against(solve_board(BONUS, tables, options, deck=deck), solve_brute(BONUS, tables, options, deck=deck))


def test_rules_of_thumb_and_ties_equal_brute_force() -> None:
    tables = games.pay_tables(ULTIMATE)
    ours, brute = solve_board(ULTIMATE, tables, deck=NINE), solve_brute(ULTIMATE, tables, deck=NINE)
    same.hold_against(ours, brute)
    for thumb in ULTIMATE.thumbs:
        same.hold_plays(ours.play(ours.by_thumb(thumb)), brute.play(brute.by_thumb(thumb)))
    same.hold_plays(ours.play(ours.larger), brute.play(brute.larger))


def test_a_node_without_a_table_is_played_board_by_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the whole deck needs at the river, tried where it can be held against tables."""
    tables = games.pay_tables(ULTIMATE)
    counts = count_boards(ULTIMATE, deck=NINE)
    with_table = BoardSolution(ULTIMATE, tables, {}, counts)
    assert "river" in with_table.points
    monkeypatch.setattr(board_prices, "MOST_ROWS", 0)
    without = BoardSolution(ULTIMATE, tables, {}, counts)
    assert "river" not in without.points
    for thumb in ULTIMATE.thumbs:
        assert without.play(without.by_thumb(thumb)) == with_table.play(with_table.by_thumb(thumb))
    tabled = {key: table.best_larger for key, table in with_table.points.items()}
    assert without.play(without.larger) == with_table.play(tabled)


# ------------------------------------------------------------------------------------------------ one card each


@settings(random_decks, max_examples=4)
@given(same.short_decks(7, 11))
def test_one_card_each_and_several_cuts_equal_brute_force(deck: list[Card]) -> None:
    same.hold_against(solve_board(ONE_CARD, {}, deck=deck), solve_brute(ONE_CARD, {}, deck=deck))


# ------------------------------------------------------------------------------------------------ planted errors


def test_a_planted_miscount_is_caught() -> None:
    """One of the dealer's holes too few below some hands of the first board."""
    tables = games.pay_tables(ULTIMATE)
    counts = count_boards(ULTIMATE, deck=NINE)
    brute = solve_brute(ULTIMATE, tables, deck=NINE)
    counts.records[0] -= (counts.records[0] & board.MOST_COUNT) > 0
    with pytest.raises((AssertionError, ArithmeticError)):
        same.hold_against(BoardSolution(ULTIMATE, tables, {}, counts), brute)


def test_a_planted_renaming_is_caught() -> None:
    """Suits of the own cards that are not renamed with those of the board."""
    tables = games.pay_tables(ULTIMATE)
    counts = count_boards(ULTIMATE, deck=NINE)
    counts.renamed[1:] = counts.renamed[:1]
    with pytest.raises((AssertionError, ArithmeticError)):
        same.hold_against(BoardSolution(ULTIMATE, tables, {}, counts), solve_brute(ULTIMATE, tables, deck=NINE))


def test_a_ranking_that_names_a_suit_is_counted_without_renaming_it() -> None:
    @rule
    def spades_first(a: int, b: int, c: int) -> int:
        return a % 13 + b % 13 + c % 13 + 20 * (a // 13 == 3) + 20 * (b // 13 == 3) + 20 * (c // 13 == 3)

    ranking = by_rule(spades_first, 3)
    deck = tuple(Card(13 * suit + rank) for suit in range(4) for rank in (1, 5, 9))
    assert board.suits_alike(ranking, deck, 3) == [[0, 1, 2], [3]]


# ------------------------------------------------------------------------------------------------ prices and refusals


def test_another_pay_table_prices_without_counting(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = count_boards(ULTIMATE, deck=NINE)
    expected = solve_board(ULTIMATE, games.pay_tables(ULTIMATE, blind="B"), deck=NINE).play()
    monkeypatch.setattr(board, "hand_values", None)
    monkeypatch.setattr(board, "_count_beside", None)
    assert BoardSolution(ULTIMATE, games.pay_tables(ULTIMATE, blind="B"), {}, counts).play() == expected


def test_the_questions_of_one_game_share_a_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables and options are priced from what is held; later it is counted again."""
    tables = games.pay_tables(BONUS)
    flush = solve_board(BONUS, tables, {"ante_pays_from": "flush"}, deck=NINE).play()
    with holding():
        solve_board(BONUS, tables, deck=NINE)
        monkeypatch.setattr(board, "hand_values", None)
        assert solve_board(BONUS, tables, {"ante_pays_from": "flush"}, deck=NINE).play() == flush
    with pytest.raises(TypeError):
        solve_board(BONUS, tables, deck=NINE)


def test_the_solver_chooses_by_shape() -> None:
    assert choose_kernel(ULTIMATE).kernel == choose_kernel(BONUS).kernel == BOARD
    assert choose_kernel(games.MISSISSIPPI_STUD).kernel == SUPERSETS
    found = solve(ULTIMATE, games.pay_tables(ULTIMATE), deck=NINE)
    assert found.play() == solve_board(ULTIMATE, games.pay_tables(ULTIMATE), deck=NINE).play()


def test_what_it_cannot_count_is_said() -> None:
    game = find_game("three-card-poker")
    assert game is not None
    assert why_not_board(game, game.deck)
    with pytest.raises(Refusal, match=r"cannot be counted by sorting boards: "):
        count_boards(games.LET_IT_RIDE)
    with pytest.raises(Refusal, match="8 cards are too few to deal ultimate-texas-holdem"):
        count_boards(ULTIMATE, deck=NINE[:8])
    solution = solve_board(ULTIMATE, games.pay_tables(ULTIMATE), deck=NINE)
    with pytest.raises(Refusal, match="no decision of ultimate-texas-holdem is made with 4 board cards in view"):
        solution.advise(NINE[:2], (), NINE[2:6])


# ------------------------------------------------------------------------------------------------ the whole deck


def percent(figure: Any) -> float:
    return round(100 * float(figure), 3)


@pytest.mark.long
def test_ultimate_texas_holdem_on_the_whole_deck() -> None:
    """Published: 2.185%, average bet 4.15, element of risk 0.53%, deviation 4.94."""
    solution = solve_board(ULTIMATE, games.pay_tables(ULTIMATE))
    played = solution.best.distribution
    assert len(solution.counts.boards) == 134_459
    assert solution.counts.cuts.tolist() == [407]
    assert len(solution.counts.values) == 4824
    assert percent(played.house_edge) == 2.185
    assert round(float(played.wagered), 2) == 4.15
    assert round(100 * float(played.element_of_risk), 2) == 0.53
    assert round(played.standard_deviation, 2) == 4.94
    assert played.total == 1326 * 19_600 * 1081 * 990
    frequencies = solution.best.frequencies
    assert frequencies["preflop"][1] == 0
    assert solution.advise(parse_cards("As Kd", 2))[0][0] == "4x"
    assert solution.advise(parse_cards("2s 2d", 2))[0][0] == "check"
    assert solution.advise(parse_cards("3s 3d", 2))[0][0] == "4x"
    board_cards = parse_cards("Ah Kh Qh Jh Th", 5)
    assert solution.advise(parse_cards("2s 2d", 2), (), board_cards)[0] == ("1x", 0)


@pytest.mark.long
def test_texas_holdem_bonus_on_the_whole_deck() -> None:
    """Published: 2.04% in Las Vegas."""
    solution = solve_board(BONUS, games.pay_tables(BONUS))
    played = solution.best.distribution
    assert round(100 * float(played.house_edge), 2) == 2.04
    assert played.total == 1326 * 19_600 * 47 * 46 * 990


def test_part_of_a_deck_has_every_deal() -> None:
    """Twenty cards, four suits that are alike: totals of weights equal the number of deals."""
    deck = [card for card in DECK_52 if card % 13 > 7]
    solution = solve_board(ULTIMATE, games.pay_tables(ULTIMATE), deck=deck)
    played = solution.best.distribution
    assert played.total == sum(played.ways.values()) == 190 * 816 * 105 * 78
    for node in ("preflop", "flop"):
        table = solution.points[node]
        worth = np.take_along_axis(table.worth[:, :, 0], table.best.astype(np.int64), axis=1)[:, 0]
        if node == "preflop":
            assert int((worth * table.ways).sum()) == played.mean * played.total * played.unit
