"""Let It Ride clause by clause: LR, and the five cards of its progressive (FV-1)."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.clauses.board_rounds import Table, back, results
from tests.table.table_kit import Room

from houseway.games.flow import BOARD, EMPTY, targets
from houseway.games.let_it_ride import GAME
from houseway.table.card_round.events import Acted

TABLE = Table(GAME, {"three_card_bonus": "1", "progressive": "01"}, ("bet_1", "bet_2", "bet_dollar"))
hand, settle, refused = TABLE.hand, TABLE.settle, TABLE.refused
LOW = "9c 2h"
RIDE = ("ride", "ride")


@pytest.mark.clause("LR-1")
def test_three_cards_each_two_shared_and_one_burned() -> None:
    dealt = GAME.deal(GAME.deck, (1, 2), GAME.defaults)
    deck = list(GAME.deck)
    assert dealt.hands == {1: tuple(deck[:3]), 2: tuple(deck[3:6])}
    assert targets(GAME, (1, 2), GAME.defaults, 1) == (1, 2, EMPTY, BOARD)
    assert dealt.board == tuple(deck[7:9]), "the card before it is burned"
    assert deck[6] in dealt.rack
    assert refused("9c 2h 3d", hand("Kc Kd 4h", *RIDE)) == "board"
    assert refused(LOW, hand("Kc Kd 4h", *RIDE), dealer="Ac Ad 4d") == "dealer"


@pytest.mark.clause("LR-2")
def test_three_equal_wagers_are_required() -> None:
    for wager in ("bet_1", "bet_2", "bet_dollar"):
        spot = hand("Kc Kd 4h", *RIDE)
        del spot["wagers"][wager]
        assert refused(LOW, spot) == f"spots[0].wagers.{wager}"
    for wager in ("bet_1", "bet_2"):
        spot = hand("Kc Kd 4h", *RIDE)
        spot["wagers"][wager] = 500
        assert refused(LOW, spot) == f"spots[0].wagers.{wager}"
    beside = hand("Kc Kd 4h", *RIDE, three_card_bonus=100)
    assert back(settle(LOW, beside)).keys() == {"bet_1", "bet_2", "bet_dollar", "three_card_bonus"}


@pytest.mark.clause("LR-3", "LR-4")
@pytest.mark.parametrize("first", ["take_back", "ride"])
@pytest.mark.parametrize("second", ["take_back", "ride"])
def test_each_of_two_wagers_is_taken_back_or_left_whatever_the_other(first: str, second: str) -> None:
    answer = settle(LOW, hand("Kc Kd 4h", first, second))
    expected = {"take_back": "taken_back", "ride": "win"}
    assert results(answer) == {"bet_1": expected[first], "bet_2": expected[second], "bet_dollar": "win"}
    left = 1 + (first == "ride") + (second == "ride")
    assert (answer["spots"][0]["wagered"], answer["spots"][0]["returned"]) == (1_000 * left, 2_000 * left)


@pytest.mark.clause("LR-3", "LR-4")
def test_wager_1_is_decided_on_three_cards_and_wager_2_on_four() -> None:
    assert [type(step).__name__ for step in GAME.flow] == ["Decide", "Reveal"] * 2
    assert [choice.takes_back for point in GAME.points for choice in point.choices] == ["bet_1", "", "bet_2", ""]
    assert refused(LOW, hand("Kc Kd 4h", "ride")) == "spots[0].actions"
    assert refused(LOW, hand("Kc Kd 4h", *RIDE, "ride")) == "spots[0].actions[2]"


@pytest.mark.clause("LR-5")
def test_the_dollar_wager_stays_and_nobody_folds() -> None:
    assert refused(LOW, hand("Kc Kd 4h", "fold")) == "spots[0].actions[0]"
    answer = settle(LOW, hand("8c 7d 4h", "take_back", "take_back"))
    assert back(answer) == {"bet_1": 1_000, "bet_2": 1_000, "bet_dollar": 0}
    assert answer["spots"][0]["outcome"] == "lose"
    assert not any(choice.folds for point in GAME.points for choice in point.choices)


@pytest.mark.clause("LR-6")
@pytest.mark.parametrize(
    ("cards", "board", "odds"),
    [
        ("As Ks Qs", "Js Ts", 1_000),
        ("9s 8s 7s", "6s 5s", 200),
        ("7c 7d 7h", "7s 2h", 50),
        ("7c 7d 7h", "2s 2h", 11),
        ("Kh 9h 7h", "4h 2h", 8),
        ("9h 8h 7c", "6h 5h", 5),
        ("7c 7d 7h", "9h 2h", 3),
        ("7c 9d 7h", "9s 2c", 2),
        ("Tc Td 9h", "5s 2c", 1),
        ("9c 9d Th", "5s 2c", -1),
        ("Ac Kd 9h", "6s 2c", -1),
    ],
)
def test_what_is_left_pays_by_one_hand_and_one_table(cards: str, board: str, odds: int) -> None:
    answer = settle(board, hand(cards, "ride", "take_back"))
    assert back(answer) == {"bet_1": 1_000 * (1 + odds), "bet_2": 1_000, "bet_dollar": 1_000 * (1 + odds)}
    assert answer["spots"][0]["outcome"] == ("win" if odds > 0 else "lose")


@pytest.mark.clause("LR-7")
@pytest.mark.parametrize(
    ("cards", "by_table"),
    [
        ("As Ks Qs", (50, 50, 40, 40)),
        ("9s 8s 7s", (40, 40, 40, 40)),
        ("7c 7d 7h", (30, 30, 30, 30)),
        ("9s 8s 7h", (6, 6, 6, 6)),
        ("Ks 8s 7s", (4, 3, 4, 3)),
        ("7c 7d 2h", (1, 1, 1, 1)),
        ("Kc Qd 2h", (-1, -1, -1, -1)),
    ],
)
def test_the_bonus_looks_at_the_spots_own_three_cards(cards: str, by_table: tuple[int, ...]) -> None:
    for name, odds in zip("1234", by_table, strict=True):
        spot = hand(cards, "take_back", "take_back", three_card_bonus=100)
        answer = settle("9c 2c", spot, tables={"three_card_bonus": name})
        assert back(answer)["three_card_bonus"] == 100 * (1 + odds)


@pytest.mark.clause("LR-8")
def test_a_wager_taken_back_goes_back_at_once_and_is_no_push(tmp_path: Path) -> None:
    room = Room(tmp_path, GAME.key, kind="virtual", spots=2)
    room.bets({1: {"bet_1": 1_000, "bet_2": 1_000, "bet_dollar": 1_000}})
    room.call()
    room.cards({1: "Kc Kd 4h", BOARD: "9c 2h"})
    assert room.spot(1).wagers["bet_1"] == 1_000
    entry = room.act(1, "take_back")
    assert "bet_1" not in room.spot(1).wagers, "it is the player's again before another card is turned"
    acted = [event for event in entry.events if isinstance(event, Acted)]
    assert [(event.point, event.action) for event in acted] == [("first", "take_back")]
    while room.seen().stage != "reconciling":
        if room.spot(1).deciding:
            room.act(1, "ride")
        else:
            room.reveal()
    assert {wager: line.result for wager, line in room.hand(1).lines.items()} == {
        "bet_1": "taken_back", "bet_2": "win", "bet_dollar": "win"
    }  # fmt: skip
    answer = settle(LOW, hand("Kc Kd 4h", "take_back", "ride"))["spots"][0]
    assert answer["wagers"]["bet_1"] == {"result": "taken_back", "wagered": 1_000, "returned": 1_000}
    assert (answer["wagered"], answer["returned"]) == (2_000, 4_000), "it is in neither total"


@pytest.mark.clause("LR-9")
def test_settling_runs_from_the_right_the_dollar_first() -> None:
    wagers = ("bet_dollar", "bet_2", "bet_1", "three_card_bonus", "progressive")
    assert TABLE.order(*reversed(wagers[:-1])) == [(2, wagers[:-1]), (1, wagers[:-1])]
    assert GAME.reconcile == wagers


@pytest.mark.clause("FV-1")
def test_the_progressive_is_won_by_the_three_cards_and_the_two() -> None:
    link = {"meters": {"main": 1_000_000}, "seeds": {"main": 100_000}}
    won = settle("Js Ts", hand("As Ks Qs", "take_back", "take_back", progressive=100), **link)
    lost = settle("Js 2d", hand("As Ks Qs", "take_back", "take_back", progressive=100), **link)
    assert back(won)["progressive"] > 0 == back(lost)["progressive"]
