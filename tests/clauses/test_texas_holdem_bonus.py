"""Texas Hold'em Bonus clause by clause: HB."""

from __future__ import annotations

from typing import Any

import pytest
from tests.clauses.board_rounds import Table, back, results

from houseway.games.texas_holdem_bonus import GAME

TABLE = Table(GAME, {}, ("ante",))
hand, refused = TABLE.hand, TABLE.refused
BOARD = "Qc 9d 7h 4s 2c"
DEALER = "Qd 3d"
EVERY = ("play", "bet", "bet")
STREETS = ("flop", "turn", "river")


def settle(board: str, *spots: dict[str, Any], dealer: str = DEALER, **fields: Any) -> dict[str, Any]:
    return TABLE.settle(board, *spots, dealer=dealer, **fields)


@pytest.mark.clause("HB-1")
def test_two_cards_each_and_five_shared_three_one_and_one() -> None:
    dealt = GAME.deal(GAME.deck, (1, 2), GAME.defaults)
    assert (len(dealt.hands[1]), len(dealt.dealer), len(dealt.board)) == (2, 2, 5)
    assert [reveal.places for reveal in GAME.reveals] == [(0, 1, 2), (3,), (4,)]
    assert refused("Qc 9d 7h 4s", hand("Ah Ad", *EVERY), dealer=DEALER) == "board"
    assert refused(BOARD, hand("Ah", *EVERY), dealer=DEALER) == "spots[0].cards"


@pytest.mark.clause("HB-2")
def test_an_ante_is_required_and_the_bonus_is_optional() -> None:
    assert refused(BOARD, {**hand("Ah Ad", *EVERY), "wagers": {"bonus": 100}}, dealer=DEALER) == "spots[0].wagers.ante"
    assert back(settle(BOARD, hand("Ah Ad", *EVERY))).keys() == {"ante", *STREETS}
    assert back(settle(BOARD, hand("Ah Ad", *EVERY, bonus=100)))["bonus"] == 3_100


@pytest.mark.clause("HB-3")
def test_a_fold_loses_the_ante_or_the_flop_wager_is_two_antes() -> None:
    folded = settle(BOARD, hand("Ah Ad", "fold"))
    assert (back(folded), folded["spots"][0]["outcome"]) == ({"ante": 0}, "fold")
    assert settle(BOARD, hand("Ah Ad", *EVERY))["spots"][0]["wagers"]["flop"]["wagered"] == 2_000
    for wrong in ("check", "bet", "2x"):
        assert refused(BOARD, hand("Ah Ad", wrong), dealer=DEALER) == "spots[0].actions[0]"


@pytest.mark.clause("HB-4", "HB-5")
@pytest.mark.parametrize("turn", ["check", "bet"])
@pytest.mark.parametrize("river", ["check", "bet"])
def test_turn_and_river_are_one_ante_each_or_nothing(turn: str, river: str) -> None:
    wagers = settle(BOARD, hand("Ah Ad", "play", turn, river))["spots"][0]["wagers"]
    made = {wager: wagers[wager]["wagered"] for wager in ("turn", "river") if wager in wagers}
    assert made == {wager: 1_000 for wager, word in (("turn", turn), ("river", river)) if word == "bet"}


@pytest.mark.clause("HB-4", "HB-5")
def test_nobody_folds_later_and_nothing_is_wagered_after_the_fifth_card() -> None:
    assert refused(BOARD, hand("Ah Ad", "play", "fold"), dealer=DEALER) == "spots[0].actions[1]"
    assert refused(BOARD, hand("Ah Ad", "play", "bet", "fold"), dealer=DEALER) == "spots[0].actions[2]"
    assert refused(BOARD, hand("Ah Ad", *EVERY, "bet"), dealer=DEALER) == "spots[0].actions[3]"
    assert refused(BOARD, hand("Ah Ad", "play", "bet"), dealer=DEALER) == "spots[0].actions"
    assert [type(step).__name__ for step in GAME.flow] == ["Decide", "Reveal"] * 3


@pytest.mark.clause("HB-6")
def test_the_best_five_of_seven_count_and_the_dealer_always_plays() -> None:
    assert settle("As Ks Qs 2d 2h", hand("Js Ts", *EVERY), dealer="2c 2s")["spots"][0]["category"] == "royal_flush"
    low = settle(BOARD, hand("Kd Jd", *EVERY), dealer="6d 3h")
    assert low["dealer"]["qualifies"] is None
    assert back(low) == {"ante": 1_000, "flop": 4_000, "turn": 2_000, "river": 2_000}
    assert back(settle(BOARD, hand("6h 3h", *EVERY), dealer="Kd Jd")) == {"ante": 0, "flop": 0, "turn": 0, "river": 0}


@pytest.mark.clause("HB-7")
@pytest.mark.parametrize(
    ("cards", "board", "straight", "flush"),
    [
        ("Ah Ad", BOARD, 1_000, 1_000),
        ("7c 7d", "7h 9s Kh 3s 2c", 1_000, 1_000),
        ("9h 8h", "7c 6h 5d Kd Kc", 2_000, 1_000),
        ("Kh 9h", "7h 4h 2h 8d 3c", 2_000, 2_000),
        ("7c 7d", "7h Ks Kh 3s 2c", 2_000, 2_000),
    ],
)
def test_the_ante_wins_from_the_houses_hand_on(cards: str, board: str, straight: int, flush: int) -> None:
    for name, ante in (("straight", straight), ("flush", flush)):
        answer = settle(board, hand(cards, *EVERY), dealer="Jd 4d", options={"ante_pays_from": name})
        assert back(answer) == {"ante": ante, "flop": 4_000, "turn": 2_000, "river": 2_000}
    default = settle(board, hand(cards, *EVERY), dealer="Jd 4d")
    assert back(default)["ante"] == straight


@pytest.mark.clause("HB-8", "HB-A1")
def test_equal_hands_push_everything() -> None:
    equal = settle(BOARD, hand("Qh 3c", *EVERY))
    assert set(results(equal).values()) == {"push"}
    board = settle("As Ks Qs Js Ts", hand("2c 3d", *EVERY), dealer="9h 8h")
    assert set(results(board).values()) == {"push"}, "also with a straight or better on the board"


@pytest.mark.clause("HB-8")
def test_a_worse_hand_loses_everything() -> None:
    assert set(back(settle(BOARD, hand("9h 3c", *EVERY))).values()) == {0}
    assert set(back(settle("Kh 9h 7h 4h 2s", hand("6h 3c", *EVERY), dealer="Ah 3d")).values()) == {0}


@pytest.mark.clause("HB-9")
@pytest.mark.parametrize(
    ("cards", "dealer", "odds"),
    [
        ("As Ad", "Ac Ah", 1_000),
        ("As Ad", "Ac Kh", 30),
        ("As Ks", DEALER, 25),
        ("As Qs", DEALER, 20),
        ("As Js", DEALER, 20),
        ("As Kd", DEALER, 15),
        ("Kc Kd", DEALER, 10),
        ("Jc Jd", DEALER, 10),
        ("As Qh", DEALER, 5),
        ("As Jd", DEALER, 5),
        ("Tc Td", DEALER, 3),
        ("2s 2d", DEALER, 3),
        ("As Ts", DEALER, -1),
        ("Ks Qs", DEALER, -1),
    ],
)
def test_the_bonus_looks_at_two_cards_and_survives_a_fold(cards: str, dealer: str, odds: int) -> None:
    for actions in (EVERY, ("fold",)):
        answer = settle("9d 7h 4s 2c 3c", hand(cards, *actions, bonus=100), dealer=dealer)
        assert back(answer)["bonus"] == 100 * (1 + odds)


@pytest.mark.clause("HB-10")
def test_settling_runs_from_the_right_the_river_first() -> None:
    wagers = ("river", "turn", "flop", "ante", "bonus")
    assert TABLE.order(*reversed(wagers)) == [(2, wagers), (1, wagers)]
