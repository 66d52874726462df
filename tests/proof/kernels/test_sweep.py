"""The sweep on its larger games: hands of five and six cards, a card shown, wild cards, raises with a condition."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.proof.test_solver import Cards, both, few, hold_against, own_cache, short_decks

from houseway.cards import JOKER, Card, read_cards
from houseway.games import all_games
from houseway.games.model import Game
from houseway.paytables import Odds, OddsRow, PayTable
from houseway.proof import leaves
from houseway.proof.bench import base_tables
from houseway.proof.kernels import sweep
from houseway.proof.solver import SWEEP, choose_kernel

__all__ = ["own_cache"]

CRAZY, FOUR, WILD = (all_games()[key] for key in ("crazy-four-poker", "four-card-poker", "dj-wild"))
HIGH = [Card(13 * suit + rank) for suit in range(4) for rank in (12, 11, 10)]
DECKS = {
    CRAZY: read_cards("Ac Ad Kc Kd Qh 9c 8h 7h 4s 3s"),
    FOUR: read_cards("Ac Ad Kc Kd Qh 9c 8h 7h 4s 3s 3d"),
    WILD: (*read_cards("2c Kc Kd 9h 9s 7c 7d 4h 4s"), JOKER),
}


def high_decks(cards: int) -> Any:
    """Decks with aces, kings and queens: pairs of aces, and dealers who do not qualify, are common."""
    rest = st.lists(st.integers(0, 51), min_size=cards, max_size=cards, unique=True)
    chosen = st.permutations(HIGH)
    return st.builds(lambda high, low: tuple(dict.fromkeys([*high[:6], *map(Card, low)]))[:cards], chosen, rest)


@few
@given(high_decks(10))
def test_crazy_four_poker_equals_brute_force(deck: Cards) -> None:
    hold_against(*both(CRAZY, base_tables(CRAZY), deck))


@few
@given(st.one_of(high_decks(11), short_decks(11, 11)))
def test_four_card_poker_equals_brute_force(deck: Cards) -> None:
    hold_against(*both(FOUR, base_tables(FOUR), deck))


@few
@given(st.lists(st.integers(0, 52), min_size=8, max_size=8, unique=True), st.permutations([0, 13, 26, 39, 52]))
def test_dj_wild_equals_brute_force(cards: list[int], wilds: list[int]) -> None:
    deck = tuple(map(Card, list(dict.fromkeys([*wilds[:2], *cards]))[:10]))
    if len(deck) == 10:
        hold_against(*both(WILD, base_tables(WILD), deck))


@pytest.mark.parametrize("game", DECKS, ids=lambda game: game.key)
def test_every_one_of_them_is_swept_and_equals_brute_force_on_a_chosen_deck(game: Game) -> None:
    assert choose_kernel(game).kernel == SWEEP
    hold_against(*both(game, base_tables(game), DECKS[game]))


def test_a_house_table_without_a_row_is_priced_from_the_same_count() -> None:
    """A Super Bonus that does not pay straights: they push or lose, as lower hands do."""
    rows = tuple(OddsRow(hand, (Odds(odds, 1),)) for hand, odds in (("four_aces", 7), ("flush", 2)))
    table = PayTable(CRAZY.key, "super_bonus", "own", (), True, (), "", rows, {}, 0, {}, False, "a test")
    hold_against(*both(CRAZY, {"super_bonus": table}, DECKS[CRAZY]))


# ------------------------------------------------------------------------------------------------ planted errors


@pytest.mark.parametrize("game", DECKS, ids=lambda game: game.key)
def test_a_sweep_that_asks_one_value_too_late_is_caught(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hands equal to the player's would count among the lower ones."""
    true = sweep._count_below
    monkeypatch.setattr(sweep, "_count_below", lambda *given: true(*given[:8], given[8] + 1, *given[9:]))
    with pytest.raises((AssertionError, ArithmeticError)):
        hold_against(*both(game, base_tables(game), DECKS[game]))


def test_a_sweep_that_miscounts_one_up_card_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    true = sweep._count_below

    def wrong(*given: Any) -> Any:
        entered = true(*given)
        given[11][given[9][0], given[10][0], -1] += 1
        return entered

    monkeypatch.setattr(sweep, "_count_below", wrong)
    with pytest.raises((AssertionError, ArithmeticError)):
        hold_against(*both(FOUR, base_tables(FOUR), DECKS[FOUR]))


def test_a_solver_that_lets_any_hand_raise_three_times_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    true = leaves.told

    def open_to_all(game: Any, table: Any, rule: Any, *rest: Any) -> Any:
        said = true(game, table, rule, *rest)
        return said * 0 + 1 if rule.__name__ == "aces_or_better" else said

    monkeypatch.setattr(leaves, "told", open_to_all)
    with pytest.raises(AssertionError):
        hold_against(*both(CRAZY, base_tables(CRAZY), DECKS[CRAZY]))
