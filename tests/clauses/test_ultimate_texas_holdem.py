"""Ultimate Texas Hold'em clause by clause: UT, and the five cards of its progressive (FV-1, FV-3)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.clauses.board_rounds import Table, back, results

from houseway.games.ultimate_texas_holdem import GAME

TABLE = Table(GAME, {"blind": "A", "trips": "A", "progressive": "01"}, ("ante", "blind"))
hand, refused = TABLE.hand, TABLE.refused
BOARD = "Qc 9d 7h 4s 2c"
LOW_DEALER = "6d 3d"
"""Queen high on that board: no pair."""
PAIRED_DEALER = "Qd 3d"


def settle(board: str, *spots: dict[str, Any], dealer: str = PAIRED_DEALER, **fields: Any) -> dict[str, Any]:
    return TABLE.settle(board, *spots, dealer=dealer, **fields)


@pytest.mark.clause("UT-1")
def test_two_cards_each_and_five_shared() -> None:
    dealt = GAME.deal(GAME.deck, (1, 2), GAME.defaults)
    assert (len(dealt.hands[1]), len(dealt.dealer), len(dealt.board)) == (2, 2, 5)
    assert dealt.face_up == ()
    assert refused("Qc 9d 7h 4s", hand("Ah Ad", "4x"), dealer=LOW_DEALER) == "board"
    assert refused(BOARD, hand("Ah Ad 3c", "4x"), dealer=LOW_DEALER) == "spots[0].cards"
    assert refused(BOARD, hand("Ah Ad", "4x"), dealer="6d") == "dealer"


@pytest.mark.clause("UT-2")
def test_ante_and_blind_are_required_and_equal() -> None:
    for wager in ("ante", "blind"):
        spot = hand("Ah Ad", "4x")
        del spot["wagers"][wager]
        assert refused(BOARD, spot, dealer=LOW_DEALER) == f"spots[0].wagers.{wager}"
    unequal = hand("Ah Ad", "4x", blind=500)
    assert refused(BOARD, unequal, dealer=LOW_DEALER) == "spots[0].wagers.blind"
    assert back(settle(BOARD, hand("Ah Ad", "4x", trips=100))).keys() == {"ante", "blind", "play", "trips"}


@pytest.mark.clause("UT-3", "UT-4", "UT-5", "UT-6")
@pytest.mark.parametrize(
    ("actions", "times"),
    [(["4x"], 4), (["3x"], 3), (["check", "2x"], 2), (["check", "check", "1x"], 1), (["check", "check", "fold"], 0)],
)
def test_one_play_wager_the_sooner_the_larger(actions: list[str], times: int) -> None:
    wagers = settle(BOARD, hand("Ah Ad", *actions))["spots"][0]["wagers"]
    assert wagers.get("play", {"wagered": 0})["wagered"] == 1_000 * times
    if times > 1:
        assert (
            refused(BOARD, hand("Ah Ad", *actions, "check"), dealer=LOW_DEALER) == f"spots[0].actions[{len(actions)}]"
        )


@pytest.mark.clause("UT-3", "UT-4", "UT-5", "UT-6")
@pytest.mark.parametrize(
    ("actions", "place"),
    [(["2x"], 0), (["fold"], 0), (["check", "3x"], 1), (["check", "fold"], 1), (["check", "check", "2x"], 2)],
)
def test_every_street_has_its_own_multiples(actions: list[str], place: int) -> None:
    assert refused(BOARD, hand("Ah Ad", *actions), dealer=LOW_DEALER) == f"spots[0].actions[{place}]"


@pytest.mark.clause("UT-3")
def test_the_house_may_allow_four_times_alone() -> None:
    options = {"preflop_multiples": "4"}
    assert refused(BOARD, hand("Ah Ad", "3x"), dealer=LOW_DEALER, options=options) == "spots[0].actions[0]"
    assert back(settle(BOARD, hand("Ah Ad", "4x"), options=options))["play"] == 8_000
    assert refused(BOARD, hand("Ah Ad", "4x"), dealer=LOW_DEALER, options={"preflop_multiples": 4}) == (
        "options.preflop_multiples"
    )


@pytest.mark.clause("UT-4", "UT-5")
def test_three_cards_are_turned_then_two() -> None:
    assert [reveal.places for reveal in GAME.reveals] == [(0, 1, 2), (3, 4)]
    assert [type(step).__name__ for step in GAME.flow] == ["Decide", "Reveal", "Decide", "Reveal", "Decide"]


@pytest.mark.clause("UT-5")
def test_a_fold_loses_ante_and_blind_also_against_nothing() -> None:
    answer = settle(BOARD, hand("Ah Ad", "check", "check", "fold"), dealer=LOW_DEALER)
    assert (back(answer), answer["spots"][0]["outcome"]) == ({"ante": 0, "blind": 0}, "fold")
    assert answer["spots"][0]["category"] == "pair"


@pytest.mark.clause("UT-7")
def test_the_best_five_of_seven_count() -> None:
    board = "As Ks Qs 2d 2h"
    assert settle(board, hand("Js Ts", "4x"), dealer="2c 2s")["spots"][0]["category"] == "royal_flush"
    whole = settle("As Ks Qs Js Ts", hand("2c 3d", "4x"), dealer="9h 8h")
    assert results(whole) == {"ante": "push", "blind": "push", "play": "push"}, "both play the board"


@pytest.mark.clause("UT-7")
@pytest.mark.parametrize(
    ("board", "dealer", "qualifies"),
    [
        (BOARD, LOW_DEALER, False),
        (BOARD, PAIRED_DEALER, True),
        (BOARD, "6d 6h", True),
        ("Qc Qh 7h 4s 2c", "6d 3d", True),
    ],
)
def test_the_dealer_qualifies_with_a_pair_also_on_the_board(board: str, dealer: str, qualifies: bool) -> None:
    assert settle(board, hand("Ah As", "4x"), dealer=dealer)["dealer"]["qualifies"] is qualifies


@pytest.mark.clause("UT-8")
@pytest.mark.parametrize(("cards", "play"), [("Kd Jd", 8_000), ("5d 3c", 0)])
def test_the_ante_comes_back_where_the_dealer_has_nothing(cards: str, play: int) -> None:
    answer = settle(BOARD, hand(cards, "4x"), dealer="Jh 6d")
    assert (back(answer)["ante"], back(answer)["play"]) == (1_000, play)


@pytest.mark.clause("UT-9")
def test_a_better_hand_wins_play_and_ante_and_pushes_the_blind_below_its_table() -> None:
    answer = settle(BOARD, hand("Ah Ad", "4x"))
    assert (back(answer), results(answer)["blind"]) == ({"ante": 2_000, "blind": 1_000, "play": 8_000}, "push")
    assert answer["spots"][0]["outcome"] == "win"


@pytest.mark.clause("UT-9", "UT-11")
@pytest.mark.parametrize(
    ("cards", "board", "odds_a", "odds_b"),
    [
        ("As Ks", "Qs Js Ts 2d 2h", 500, 500),
        ("9s 8s", "7s 6s 5s 2d 2h", 50, 50),
        ("7c 7d", "7h 7s Kh Kd 3c", 10, 10),
        ("7c 7d", "7h Ks Kh 3d 2c", 3, 3),
        ("Kh 9h", "7h 4h 2h 2d 3c", 1.5, 1.5),
        ("9h 8h", "7c 6h 5d Kd Kc", 1, 0),
        ("7c 7d", "7h 9s Kh 3d 2c", 0, 0),
    ],
)
def test_the_blind_pays_by_its_table(cards: str, board: str, odds_a: float, odds_b: float) -> None:
    for name, odds in (("A", odds_a), ("B", odds_b)):
        answer = settle(board, hand(cards, "check", "check", "1x"), dealer="Jd 4d", tables={"blind": name})
        assert back(answer)["blind"] == int(1_000 * (1 + odds))


@pytest.mark.clause("UT-10")
def test_equal_hands_push_and_a_worse_one_loses() -> None:
    equal = settle(BOARD, hand("Qh 3c", "4x"))
    assert results(equal) == {"ante": "push", "blind": "push", "play": "push"}
    worse = settle(BOARD, hand("9h 3c", "4x"))
    assert back(worse) == {"ante": 0, "blind": 0, "play": 0}
    beaten_by_nothing = settle(BOARD, hand("5d 3c", "4x"), dealer="Jh 6d")
    assert back(beaten_by_nothing) == {"ante": 1_000, "blind": 0, "play": 0}


@pytest.mark.clause("UT-12")
@pytest.mark.parametrize(
    ("cards", "board", "pays"),
    [
        ("As Ks", "Qs Js Ts 2d 2h", {"A": 50, "B": 50, "C": 50, "D": 50}),
        ("9s 8s", "7s 6s 5s 2d 2h", {"A": 40, "B": 40, "C": 40, "D": 40}),
        ("7c 7d", "7h 7s Kh Kd 3c", {"A": 30, "B": 30, "C": 30, "D": 20}),
        ("7c 7d", "7h Ks Kh 3d 2c", {"A": 9, "B": 8, "C": 8, "D": 7}),
        ("Kh 9h", "7h 4h 2h 2d 3c", {"A": 7, "B": 6, "C": 7, "D": 6}),
        ("9h 8h", "7c 6h 5d Kd Kc", {"A": 4, "B": 5, "C": 4, "D": 5}),
        ("7c 7d", "7h 9s Kh 3d 2c", {"A": 3, "B": 3, "C": 3, "D": 3}),
        ("7c 7d", "9h 9s Kh 3d 2c", {"A": -1, "B": -1, "C": -1, "D": -1}),
    ],
)
def test_trips_pays_the_spots_best_five_whatever_the_dealer_holds(cards: str, board: str, pays: dict[str, int]) -> None:
    for name, odds in pays.items():
        for dealer in ("Jd 4d", "Ac Ad"):
            answer = settle(board, hand(cards, "4x", trips=100), dealer=dealer, tables={"blind": "A", "trips": name})
            assert back(answer)["trips"] == 100 * (1 + odds)


@pytest.mark.clause("UT-13")
def test_settling_runs_from_the_right_play_first() -> None:
    wagers = ("play", "ante", "blind", "trips", "progressive")
    assert TABLE.order(*reversed(wagers[:-1])) == [(2, wagers[:-1]), (1, wagers[:-1])]
    assert GAME.reconcile == wagers


@pytest.mark.clause("UT-A1")
def test_a_folded_hand_keeps_its_trips_unless_the_house_says_otherwise() -> None:
    spot = hand("7c 7d", "check", "check", "fold", trips=100)
    board = "7h 9s Kh 3s 2c"
    assert back(settle(board, spot))["trips"] == 400
    assert back(settle(board, spot, options={"folded_keeps_trips": False}))["trips"] == 0


LINK = {"meters": {"main": 1_000_000}, "seeds": {"main": 100_000}}


@pytest.mark.clause("FV-1", "FV-3")
def test_the_progressive_is_won_by_the_two_cards_and_the_first_three_of_the_board() -> None:
    first = settle("Qs Js Ts 2d 2h", hand("As Ks", "4x", progressive=100), dealer="Jd 4d", **LINK)
    later = settle("Qs Js 2d 2h Ts", hand("As Ks", "4x", progressive=100), dealer="Jd 4d", **LINK)
    assert back(first)["progressive"] > 0 == back(later)["progressive"]
    folded = hand("As Ks", "check", "check", "fold", progressive=100)
    assert back(settle("Qs Js Ts 2d 2h", folded, dealer="Jd 4d", **LINK))["progressive"] == 0
    kept = settle("Qs Js Ts 2d 2h", folded, dealer="Jd 4d", options={"folded_qualifies": True}, **LINK)
    assert back(kept)["progressive"] == back(first)["progressive"]
