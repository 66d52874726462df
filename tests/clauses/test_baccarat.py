"""Baccarat clause by clause. (The shoe at a table and its roads are in test_shoe_clauses.py.)"""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.clauses.shoe_opinion import baccarat_round

from houseway.adjudication import settle_object
from houseway.games import approved_book
from houseway.games.baccarat import GAME
from houseway.refusal import Refusal

ROUNDS = 1_000
LONG_ROUNDS = 20_000


def settle(player: str, banker: str, *spots: dict[str, int], **fields: Any) -> dict[str, Any]:
    made = [{"spot": number, "wagers": wagers} for number, wagers in enumerate(spots or ({"player": 1000},), start=1)]
    request = {"game": "baccarat", "player": player, "banker": banker, "spots": made, **fields}
    return settle_object(request, approved_book())


def refused(player: str, banker: str, *spots: dict[str, int], **fields: Any) -> str:
    with pytest.raises(Refusal) as refusal:
        settle(player, banker, *spots, **fields)
    return refusal.value.field


def back(answer: dict[str, Any], place: int = 0) -> dict[str, int]:
    return {wager: entry["returned"] for wager, entry in answer["spots"][place]["wagers"].items()}


EZ = {"options": {"version": "ez"}}
SEVENS = ("2c 4d", "2c 2d 3h")
"""Player six, Banker seven with three cards."""


@pytest.mark.clause("BA-1")
def test_a_card_may_come_as_often_as_there_are_decks() -> None:
    assert settle("9c 9c", "9c 8d")["winner"] == "player"
    many = ("5c 5c 5c", "5c 5c 5c")
    assert settle(*many)["winner"] == "tie"
    assert refused("9c 9c", "9c 8d", options={"decks": 4}) == "options.decks"
    with pytest.raises(Refusal, match="joker"):
        settle("Jk 9c", "9c 8d")


@pytest.mark.clause("BA-1")
@pytest.mark.parametrize(
    ("player", "banker", "winner"),
    [
        ("Ac 8c", "Kc 8d", "player"),
        ("Tc 8c", "Qc 8d", "tie"),
        ("7c 9c", "Jc 7d", "banker"),
        ("9c 9d", "Kc 9h", "banker"),
    ],
)
def test_aces_count_one_tens_and_faces_nothing_and_the_last_digit_counts(player: str, banker: str, winner: str) -> None:
    assert settle(player, banker)["winner"] == winner


@pytest.mark.clause("BA-2")
def test_which_wagers_a_spot_may_make() -> None:
    cards = ("9c 8c", "9d 7c")
    for alone in ("player", "banker", "tie", "dragon_bonus_player", "dragon_bonus_banker"):
        assert set(back(settle(*cards, {alone: 100}))) == {alone}
    assert refused(*cards, {}) == "spots[0].wagers"
    assert refused(*cards, {"player": 100, "banker": 100}) == "spots[0].wagers.banker"
    for side in ("dragon_7", "panda_8"):
        assert refused(*cards, {"player": 100, side: 100}) == f"spots[0].wagers.{side}", (
            "with commission it is not offered"
        )
        assert refused(*cards, {side: 100}, **EZ) == f"spots[0].wagers.{side}"
        assert refused(*cards, {"dragon_bonus_player": 100, side: 100}, **EZ) == f"spots[0].wagers.{side}"
        assert set(back(settle(*cards, {"tie": 100, side: 100}, **EZ))) == {"tie", side}
    assert set(back(settle(*cards, {"dragon_bonus_player": 100}, **EZ))) == {"dragon_bonus_player"}


@pytest.mark.clause("BA-3")
@pytest.mark.parametrize(
    ("player", "banker"), [("9c Kc", "2d 3c"), ("2d 3c", "9c Kc"), ("8c Kc", "2d 3c"), ("2d Kc", "8c Kd")]
)
def test_a_natural_on_either_side_ends_the_hand(player: str, banker: str) -> None:
    settle(player, banker)
    assert refused(f"{player} 2h", banker) == "player"
    assert refused(player, f"{banker} 2h") == "banker"


@pytest.mark.clause("BA-4")
@pytest.mark.parametrize("points", range(8))
def test_player_draws_on_five_and_less(points: int) -> None:
    two = f"Kc {'Tc' if points == 0 else 'Ac' if points == 1 else f'{points}c'}"
    stands = points >= 6
    with_third = (f"{two} Kd", "7d Kh")
    without = (two, "7d Kh")
    settle(*(without if stands else with_third))
    assert refused(*(with_third if stands else without)) == "player"


DRAWS = {0: "0123456789", 1: "0123456789", 2: "0123456789", 3: "012345679", 4: "234567", 5: "4567", 6: "67", 7: ""}
"""By the points of Banker's two cards: what Player's third card counts where Banker draws."""


def card_of(points: int, suit: str) -> str:
    return f"{'T' if points == 0 else 'A' if points == 1 else points}{suit}"


@pytest.mark.clause("BA-5")
@pytest.mark.parametrize("two", range(8))
def test_banker_draws_by_its_points_and_the_third_card_of_player(two: int) -> None:
    banker = f"Kd {card_of(two, 'd')}"
    for third in range(10):
        player = f"Kc Qc {card_of(third, 'h')}"
        draws = str(third) in DRAWS[two]
        assert refused(player, banker if draws else f"{banker} Ks") == "banker"
        settle(player, f"{banker} Ks" if draws else banker)
    assert refused("Kc 6c", f"{banker} Ks" if two > 5 else banker) == "banker", "Player stood"
    settle("Kc 6c", banker if two > 5 else f"{banker} Ks")


@pytest.mark.clause("BA-6")
def test_the_hand_nearer_nine_wins() -> None:
    player, banker, tie = ("9c Kc", "8c Kd"), ("8c Kd", "9c Kc"), ("9c Kc", "9d Kd")
    wagers = ({"player": 500}, {"banker": 500}, {"tie": 500})
    returned = [
        [next(iter(back(settle(*cards, *wagers), place).values())) for place in range(3)]
        for cards in (player, banker, tie)
    ]
    assert returned == [[1000, 0, 0], [0, 975, 0], [500, 500, 4500]]
    assert [settle(*cards)["winner"] for cards in (player, banker, tie)] == ["player", "banker", "tie"]
    assert back(settle(*tie, {"tie": 500}, tables={"tie": "9"})) == {"tie": 5000}


@pytest.mark.clause("BA-7")
def test_banker_pays_19_to_20_or_one_to_one_but_for_a_seven_with_three_cards() -> None:
    wins = ("8c Kd", "9c Kc")
    assert [back(settle(*wins, {"banker": cents}))["banker"] for cents in (2000, 99)] == [3900, 99 + 94]
    assert back(settle(*wins, {"banker": 2000}, **EZ)) == {"banker": 4000}
    assert back(settle(*SEVENS, {"banker": 2000})) == {"banker": 3900}
    assert settle(*SEVENS, {"banker": 2000}, **EZ)["spots"][0]["wagers"]["banker"]["result"] == "push"
    assert back(settle("6c Kd", "7c Kc", {"banker": 2000}, **EZ)) == {"banker": 4000}, "a seven with two cards"


@pytest.mark.clause("BA-8")
def test_dragon_7_and_panda_8() -> None:
    both = {"tie": 100, "dragon_7": 100, "panda_8": 100}

    def sides(player: str, banker: str) -> list[int]:
        returned = back(settle(player, banker, both, **EZ))
        return [returned["dragon_7"], returned["panda_8"]]

    assert sides(*SEVENS) == [4100, 0]
    assert sides("6c Kd", "7c Kc") == [0, 0], "two cards"
    assert sides("2c 2d 4h", "7c Kc") == [0, 2600]
    assert sides("8c Kd", "7c Kc") == [0, 0], "a natural is no Panda 8"
    assert sides("2c 2d 3h", "2h 2s 3h") == [0, 0], "a tie"


@pytest.mark.clause("BA-9")
@pytest.mark.parametrize(
    ("player", "banker", "pays"),
    [
        ("9c Kc", "7d Kd", 1), ("8c Kc", "9d Kd", None), ("9c Kc", "8d Kd", 1), ("9c Kc", "9d Kd", 0),
        ("Kc Qc 9h", "Kd Qd Kh", 30), ("Kc Qc 8h", "Kd 3d", 2), ("6c Kc", "Ad Ad Kh", 1), ("7c Kc", "Ad Ad Kh", 2),
        ("6c Kc", "Kd Kd Kh", 4), ("7c Kc", "Kd Kd Kh", 6), ("Kc Ac 7c", "Kd Kd Kh", 10), ("7c Kc", "6d Kd", None),
        ("7c Kc", "2d 2d Kh", None), ("7c Kc", "7d Kd", None), ("6c Kc", "Ad Ad Ah", None),
    ],
)  # fmt: skip
def test_dragon_bonus_pays_by_the_margin(player: str, banker: str, pays: int | None) -> None:
    returned = 0 if pays is None else 100 + 100 * pays
    assert back(settle(player, banker, {"dragon_bonus_player": 100})) == {"dragon_bonus_player": returned}


@pytest.mark.clause("BA-9")
def test_dragon_bonus_on_banker_is_for_the_bankers_side() -> None:
    assert back(settle("7d Kd", "9c Kc", {"dragon_bonus_banker": 100})) == {"dragon_bonus_banker": 200}
    assert back(settle("Kd Kd Kh", "Ac 2d 5d", {"dragon_bonus_banker": 100})) == {"dragon_bonus_banker": 1100}
    assert back(settle("9c Kc", "7d Kd", {"dragon_bonus_banker": 100})) == {"dragon_bonus_banker": 0}


@pytest.mark.clause("BA-10")
def test_nobody_decides_and_returned_is_after_commission_however_it_is_collected() -> None:
    assert GAME.points == ()
    entry = {"spot": 1, "wagers": {"banker": 2000}, "actions": ["draw"]}
    request = {"game": "baccarat", "player": "8c Kd", "banker": "9c Kc", "spots": [entry]}
    with pytest.raises(Refusal, match=r"actions"):
        settle_object(request, approved_book())
    ways = [
        settle("8c Kd", "9c Kc", {"banker": 2000}, options={"commission_collected": way})
        for way in ("at_once", "marked")
    ]
    assert [back(answer) for answer in ways] == [{"banker": 3900}] * 2


@pytest.mark.clause("BA-12")
def test_figures_are_those_of_a_full_shoe() -> None:
    """Every published figure of eight decks is reproduced, and six decks have their own."""
    pytest.importorskip("numpy")
    from houseway.proof.collect import Request, all_figures

    figures = all_figures(Request(games=("baccarat",)))
    assert {figure.published_verdict for figure in figures if figure.table != "9"} == {"reproduced"}
    assert {figure.assumptions for figure in figures} == {("a freshly shuffled shoe of 8 decks",)}
    names = [(figure.wager, figure.table) for figure in figures]
    assert sorted(names) == sorted(
        [
            ("player", "standard"), ("banker", "commission"), ("banker", "ez"), ("tie", "8"), ("tie", "9"),
            ("dragon_7", "40"), ("panda_8", "25"), ("dragon_bonus_player", "standard"),
            ("dragon_bonus_banker", "standard"),
        ]
    )  # fmt: skip


def test_a_spot_has_no_cards_and_no_result_of_its_own() -> None:
    entry = settle("9c Kc", "7d Kd")["spots"][0]
    assert (entry["outcome"], entry["category"]) == (None, None)
    request = {"game": "baccarat", "player": "9c Kc", "banker": "7d Kd"}
    with pytest.raises(Refusal, match=r"spots\[0\].cards"):
        settle_object({**request, "spots": [{"spot": 1, "cards": "Ah", "wagers": {"tie": 1}}]}, approved_book())
    with pytest.raises(Refusal, match="board"):
        settle_object({**request, "board": "Ah", "spots": [{"spot": 1, "wagers": {"tie": 1}}]}, approved_book())


def check_rounds(rounds: int) -> None:
    source = random.Random(1718)
    for _ in range(rounds):
        request, expected, winner = baccarat_round(source)
        answer = settle_object(request, approved_book())
        assert [back(answer, place) for place in range(len(expected))] == expected, request
        assert answer["winner"] == winner


@pytest.mark.clause("BA-3", "BA-4", "BA-5", "BA-6", "BA-7", "BA-8", "BA-9")
def test_random_rounds_agree_with_a_second_settlement() -> None:
    check_rounds(ROUNDS)


@pytest.mark.long
def test_many_random_rounds_agree_with_a_second_settlement() -> None:
    check_rounds(LONG_ROUNDS)
