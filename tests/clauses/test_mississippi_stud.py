"""Mississippi Stud clause by clause: MS, and the five cards of its progressive (FV-1, FV-3)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.clauses.board_rounds import Table, back, results
from tests.table.table_kit import Room

from houseway.games import approved_book
from houseway.games.flow import BOARD
from houseway.games.mississippi_stud import GAME
from houseway.paytables import PayTable

TABLE = Table(GAME, {"three_card_bonus": "1", "progressive": "01"}, ("ante",))
hand, settle, refused = TABLE.hand, TABLE.settle, TABLE.refused
RAINBOW = "9c 5d 2h"
ONCE = ("1x", "1x", "1x")
BASE = ("ante", "third_street", "fourth_street", "fifth_street")


@pytest.mark.clause("MS-1")
def test_two_cards_each_three_shared_and_no_dealer() -> None:
    dealt = GAME.deal(GAME.deck, (1, 3), GAME.defaults)
    assert (len(dealt.hands[1]), len(dealt.board), dealt.dealer) == (2, 3, ())
    assert "dealer" not in settle(RAINBOW, hand("Ah Ad", *ONCE))
    assert refused(RAINBOW, hand("Ah Ad", *ONCE), dealer="Kc Kd") == "dealer"
    assert refused("9c 5d", hand("Ah Ad", *ONCE)) == "board"
    assert refused(RAINBOW, hand("Ah", *ONCE)) == "spots[0].cards"


@pytest.mark.clause("MS-2")
def test_an_ante_is_required_and_the_rest_is_optional() -> None:
    without = {**hand("Ah Ad", *ONCE), "wagers": {"three_card_bonus": 100}}
    assert refused(RAINBOW, without) == "spots[0].wagers.ante"
    assert back(settle(RAINBOW, hand("Ah Ad", *ONCE))).keys() == set(BASE)
    beside = settle(RAINBOW, hand("Ah Ad", *ONCE, three_card_bonus=500))
    assert back(beside)["three_card_bonus"] == 0


@pytest.mark.clause("MS-3", "MS-4", "MS-5")
@pytest.mark.parametrize("place", [0, 1, 2])
def test_every_street_takes_one_two_or_three_antes_or_a_fold(place: int) -> None:
    for word, cents in (("1x", 1_000), ("2x", 2_000), ("3x", 3_000)):
        actions = [*("1x",) * place, word, *("1x",) * (2 - place)]
        answer = settle(RAINBOW, hand("Ah Ad", *actions))
        assert answer["spots"][0]["wagers"][BASE[1 + place]]["wagered"] == cents
    folded = settle(RAINBOW, hand("Ah Ad", *("1x",) * place, "fold"))
    assert (folded["spots"][0]["outcome"], len(back(folded))) == ("fold", 1 + place)
    for wrong in ("4x", "check", "play"):
        assert refused(RAINBOW, hand("Ah Ad", *("1x",) * place, wrong)) == f"spots[0].actions[{place}]"


@pytest.mark.clause("MS-3", "MS-4", "MS-5")
def test_three_decisions_and_no_more_each_after_one_more_card() -> None:
    assert refused(RAINBOW, hand("Ah Ad", "1x", "1x")) == "spots[0].actions"
    assert refused(RAINBOW, hand("Ah Ad", *ONCE, "1x")) == "spots[0].actions[3]"
    assert refused(RAINBOW, hand("Ah Ad", "1x", "fold", "1x")) == "spots[0].actions[2]"
    assert [reveal.places for reveal in GAME.reveals] == [(0,), (1,), (2,)]
    assert [type(step).__name__ for step in GAME.flow] == ["Decide", "Reveal"] * 3


@pytest.mark.clause("MS-6")
def test_a_fold_loses_the_ante_and_every_street() -> None:
    answer = settle(RAINBOW, hand("Ah Ad", "3x", "2x", "fold"))
    assert back(answer) == {"ante": 0, "third_street": 0, "fourth_street": 0}
    assert answer["spots"][0]["category"] == "pair", "the hand that it would have had"


@pytest.mark.clause("MS-7")
@pytest.mark.parametrize(
    ("cards", "board", "odds"),
    [
        ("As Ks", "Qs Js Ts", 500),
        ("9s 8s", "7s 6s 5s", 100),
        ("7c 7d", "7h 7s 2h", 40),
        ("7c 7d", "7h 2s 2h", 10),
        ("Kh 9h", "7h 4h 2h", 6),
        ("9h 8h", "7c 6h 5h", 4),
        ("7c 7d", "7h 9h 2h", 3),
        ("7c 9d", "7h 9s 2c", 2),
        ("Jc Jd", "9h 5s 2c", 1),
        ("Tc Td", "9h 5s 2c", 0),
        ("6c 6d", "9h 5s 2c", 0),
        ("5c 5d", "9h 6s 2c", -1),
        ("Ac Kd", "9h 6s 2c", -1),
    ],
)
def test_all_base_wagers_pay_by_one_hand_and_one_table(cards: str, board: str, odds: int) -> None:
    answer = settle(board, hand(cards, "3x", "1x", "2x"))
    staked = dict(zip(BASE, (1_000, 3_000, 1_000, 2_000), strict=True))
    assert back(answer) == {wager: cents * (1 + odds) for wager, cents in staked.items()}
    word = "win" if odds > 0 else "push" if odds == 0 else "lose"
    assert {*results(answer).values(), answer["spots"][0]["outcome"]} == {word}


@pytest.mark.clause("MS-8")
def test_a_straight_pays_four_or_five() -> None:
    def pays(**fields: Any) -> int:
        return back(settle("7c 6h 5h", hand("9h 8h", *ONCE), **fields))["ante"] // 1_000 - 1

    assert [pays(), pays(options={"straight_pays": 4}), pays(options={"straight_pays": 5})] == [4, 4, 5]
    assert pays(tables={"base": "straight-5"}) == 5
    assert pays(tables={"base": "straight-5"}, options={"straight_pays": 5}) == 5
    both = {"tables": {"base": "standard"}, "options": {"straight_pays": 5}}
    assert refused("7c 6h 5h", hand("9h 8h", *ONCE), **both) == "tables.base"
    for wrong in (3, 6, "5", True):
        assert refused("7c 6h 5h", hand("9h 8h", *ONCE), options={"straight_pays": wrong}) == "options.straight_pays"


@pytest.mark.clause("MS-9")
def test_the_bonus_looks_at_the_community_cards_alone_and_survives_a_fold() -> None:
    answer = settle(
        "7c 7d 7h",
        hand("Ah Ad", *ONCE, spot=1, three_card_bonus=500),
        hand("2c 3d", "fold", spot=2, three_card_bonus=500),
    )
    assert [back(answer, place)["three_card_bonus"] for place in (0, 1)] == [15_500, 15_500]
    assert back(settle("9c 5d 2h", hand("7c 7d", *ONCE, three_card_bonus=500)))["three_card_bonus"] == 0


@pytest.mark.clause("MS-9")
@pytest.mark.parametrize(
    ("board", "odds"),
    [("As Ks Qs", 50), ("9s 8s 7s", 40), ("7c 7d 7h", 30), ("9s 8s 7h", 6), ("Ks 8s 7s", 4), ("7c 7d 2h", 1)],
)
def test_the_rows_of_the_bonus(board: str, odds: int) -> None:
    assert back(settle(board, hand("2c 3d", "fold", three_card_bonus=100)))["three_card_bonus"] == 100 * (1 + odds)
    second = settle(board, hand("2c 3d", "fold", three_card_bonus=100), tables={"three_card_bonus": "2"})
    assert back(second)["three_card_bonus"] == 100 * (1 + (3 if odds == 4 else odds))


@pytest.mark.clause("MS-10")
def test_a_seat_never_sees_another_seats_cards_before_the_end(tmp_path: Path) -> None:
    room = Room(tmp_path, GAME.key, kind="virtual", spots=2)
    room.bets({1: {"ante": 1_000}, 2: {"ante": 1_000}})
    room.call()
    room.cards({1: "Ah Ad", 2: "Kc Kd", BOARD: RAINBOW})
    while room.seen().stage != "reconciling":
        assert room.spot(1, "player", "p1").cards == "Ah Ad"
        assert set(room.spot(2, "player", "p1").cards.split()) <= {"??"}
        deciding = [spot for spot in (1, 2) if room.spot(spot).deciding]
        if deciding:
            room.act(deciding[0], "1x")
        else:
            room.reveal()


@pytest.mark.clause("MS-11")
def test_settling_runs_from_the_right_base_wagers_first() -> None:
    wagers = (*BASE, "three_card_bonus", "progressive")
    assert TABLE.order(*reversed(wagers[:-1])) == [(2, wagers[:-1]), (1, wagers[:-1])]
    assert GAME.reconcile == wagers


LINK = {"meters": {"main": 1_000_000}, "seeds": {"main": 100_000}}


@pytest.mark.clause("FV-1", "MS-A1", "FV-3")
def test_the_progressive_is_won_by_the_two_cards_and_the_three() -> None:
    royal = hand("As Ks", *ONCE, progressive=100)
    won = settle("Qs Js Ts", royal, **LINK)
    assert back(won)["progressive"] > 0
    folded = hand("As Ks", "fold", progressive=100)
    assert back(settle("Qs Js Ts", folded, **LINK))["progressive"] == 0
    kept = settle("Qs Js Ts", folded, options={"folded_qualifies": True}, **LINK)
    assert back(kept)["progressive"] == back(won)["progressive"], "judged on the cards it would have had"
    assert back(settle("Qs Js 2d", royal, **LINK))["progressive"] == 0


@pytest.mark.clause("MS-8")
def test_both_tables_differ_in_the_straight_alone() -> None:
    first, second = (approved_book().find((GAME.key,), "base", name) for name in ("standard", "straight-5"))
    assert isinstance(first, PayTable)
    assert isinstance(second, PayTable)
    assert [row.hand for row in first.rows if first.odds(row.hand) != second.odds(row.hand)] == ["straight"]
