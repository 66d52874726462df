"""Advice counted from one sight: the same fractions as the whole game's solution, and no whole game solved for it."""

from __future__ import annotations

import importlib.util
import random
import sys
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from houseway.cards import DECK_52, Card
from houseway.games import find_game
from houseway.games.model import Game
from houseway.proof import advise, compiled, openings
from houseway.proof.bench import base_tables
from houseway.proof.keep import holding
from houseway.proof.kernels import board_play, supersets
from houseway.proof.kernels.board_play import solve_board
from houseway.proof.kernels.streets import seen_cards
from houseway.proof.openings import find_opening, opening_of
from houseway.proof.sight import OneSight, is_short, node_at, numbers_of, sets_of, values_without_compiler
from houseway.proof.solver import solve
from houseway.proof.store import shipped
from houseway.ranking.five_card import BEST_OF_SEVEN, FIVE_CARDS


def kernel_games() -> ModuleType:
    known = "kernel_tests_games"
    if known not in sys.modules:
        spec = importlib.util.spec_from_file_location(known, Path(__file__).parent / "kernels" / "games.py")
        assert spec is not None
        assert spec.loader is not None
        sys.modules[known] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[known])
    return sys.modules[known]


ONE_CARD: Game = kernel_games().ONE_CARD


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A cache of this test's own."""
    monkeypatch.setenv(compiled.CACHE_VARIABLE, str(tmp_path))
    compiled.cache_folder.cache_clear()
    yield
    compiled.cache_folder.cache_clear()


def game_of(key: str) -> Game:
    game = find_game(key)
    assert game is not None
    return game


def sights(game: Game, each: int) -> Iterator[tuple[int, list[Card], list[Card]]]:
    """Drawn cards at every decision."""
    source = random.Random(20261118)
    for street in sorted({seen_cards(game, point) for point in game.points}):
        for _ in range(each):
            cards = source.sample(sorted(game.deck), game.player_cards + street)
            yield street, cards[: game.player_cards], cards[game.player_cards :]


def test_sets_have_their_numbers() -> None:
    sets = sets_of(9, 4)
    assert sorted(map(tuple, sets.tolist())) == list(combinations(range(9), 4))
    assert numbers_of(sets).tolist() == list(range(len(sets)))


@pytest.mark.parametrize("ranking", [FIVE_CARDS, BEST_OF_SEVEN], ids=lambda ranking: ranking.key)
def test_one_hand_stands_for_many_and_is_worth_the_same(ranking: Any) -> None:
    """Drawn from the whole deck, and from two suits, where flushes and straight flushes are common."""
    source = random.Random(7)
    decks = (list(DECK_52), [card for card in DECK_52 if card < 26])
    hands = [source.sample(deck, ranking.cards) for deck in decks for _ in range(2_000)]
    values = values_without_compiler(ranking, np.array(hands, dtype=np.int64))
    assert values.tolist() == [ranking.value(*hand) for hand in hands]


@pytest.mark.parametrize("key", ["let-it-ride", "mississippi-stud"])
def test_a_sight_without_a_dealer_equals_the_whole_game(key: str) -> None:
    game = game_of(key)
    tables = base_tables(game)
    whole = solve(game, tables)
    for street, cards, board in sights(game, 3):
        node = node_at(game, street)
        assert node is not None
        assert is_short(game, street)
        assert OneSight(game, tables, {}, cards, board).advise(node) == whole.advise(cards, (), board)


def test_a_sight_against_a_dealer_equals_the_whole_game() -> None:
    """A small game whose rules cut the dealer's hands in two places beside the comparison, on the whole deck."""
    whole = solve_board(ONE_CARD, {})
    opening = opening_of(whole)
    assert len(opening.cuts) == 2
    for street, cards, board in sights(ONE_CARD, 4):
        node = node_at(ONE_CARD, street)
        assert node is not None
        assert OneSight(ONE_CARD, {}, {}, cards, board, opening.cuts).advise(node) == whole.advise(cards, (), board)
        if not board:
            assert opening.advise(cards) == whole.advise(cards)


@pytest.mark.long
@pytest.mark.parametrize("key", ["ultimate-texas-holdem", "texas-holdem-bonus"])
def test_every_street_against_a_dealer_equals_the_whole_game(key: str) -> None:
    game = game_of(key)
    tables = base_tables(game)
    with holding():
        whole = solve_board(game, tables)
    opening = opening_of(whole)
    assert opening == find_opening(game, tables, {})
    for street, cards, board in sights(game, 6):
        node = node_at(game, street)
        assert node is not None
        known = whole.advise(cards, (), board)
        assert (OneSight(game, tables, {}, cards, board, opening.cuts).advise(node) if board else known) == known


@pytest.mark.parametrize(("key", "label"), [("ultimate-texas-holdem", "A"), ("texas-holdem-bonus", "straight")])
def test_shipped_openings_come_to_the_shipped_edge(key: str, label: str) -> None:
    """The best choice with every two cards, over all of them, is what the whole game costs."""
    game = game_of(key)
    opening = find_opening(game, base_tables(game), {})
    assert opening is not None, "run tools/ship_figures.py --changed"
    hands = list(combinations(sorted(game.deck), game.player_cards))
    total = sum((opening.advise(cards)[0][1] for cards in hands), Fraction(0))
    counted = (shipped() or {})[key, "base", label]
    assert counted.distribution is not None
    assert -total / len(hands) == counted.distribution.house_edge


@pytest.mark.parametrize("key", ["ultimate-texas-holdem", "texas-holdem-bonus", "mississippi-stud", "let-it-ride"])
def test_advice_solves_no_whole_game(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """At no decision, with nothing kept but what is shipped; and nothing is compiled for it."""

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a whole game is counted")

    for module, name in (
        *((board_play, "count_boards"), (board_play, "solve_board"), (supersets, "count_supersets")),
        *((advise, "solve"), (compiled.Kernel, "__call__")),
    ):
        monkeypatch.setattr(module, name, refuse)
    game = game_of(key)
    for street, cards, board in sights(game, 1):
        node = node_at(game, street)
        assert node is not None
        found = advise.choices(game, cards, board=board).choices
        assert {choice.what for choice in found} == {choice.key for choice in node.point.choices}


@pytest.mark.usefixtures("own_cache")
def test_what_is_not_shipped_is_counted_once_and_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    solved: list[str] = []

    def solving(game: Game, *given: Any, **named: Any) -> Any:
        solved.append(game.key)
        return solve_board(game, *given, **named)

    monkeypatch.setattr(board_play, "solve_board", solving)
    first = advise.choices(ONE_CARD, [Card(5)], board=[Card(9)])
    again = advise.choices(ONE_CARD, [Card(5)], board=[Card(9)])
    assert first == again
    assert solved == [ONE_CARD.key]


def test_an_opening_belongs_to_its_tables_options_and_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of("ultimate-texas-holdem")
    tables = base_tables(game)
    assert find_opening(game, tables, {}) is not None
    names = {openings.name_of(game, tables, {"preflop_multiples": value}) for value in ("3 or 4", "4")}
    assert len(names) == 2
    monkeypatch.setattr(openings, "game_digest", lambda _game: "another")
    assert find_opening(game, tables, {}) is None
