"""The interpreter, at a small game with everything that a declaration can say: which wagers stand, what they pay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from tests.games.small_games import set_game, small

from houseway.adjudication.contract import settle_object
from houseway.cards import read_cards
from houseway.games import all_games
from houseway.games.flow import amounts_of, course_of, made_by, next_point
from houseway.games.model import Game
from houseway.games.round import Action, Round, Settlement, Spot
from houseway.paytables import Book, PayTable, read
from houseway.refusal import Refusal

GAME = small()
SET_GAME = set_game()
TABLES = """
[[paytable]]
game = "small-game"
wager = "bonus"
id = "B"
pays = "to"
rows = { twenty = "5" }

[[paytable]]
game = "small-game"
wager = "side"
id = "S"
pays = "to"
rows = { ace = "10" }
"""


def book() -> Book:
    tables, defects = read(TABLES, "small.toml", GAME.schemas, approved=True)
    assert not defects
    return tables


def tables() -> dict[str, PayTable]:
    return {table.wager: table for table in book().tables if isinstance(table, PayTable)}


def spot(cards: str, actions: str, number: int = 1, **wagers: int) -> Spot:
    chosen = tuple(Action(name) for name in actions.split())
    return Spot(number, read_cards(cards), {"ante": 100} | wagers, chosen)


def settled(*spots: Spot, dealer: str = "9d", board: str = "5c", **options: Any) -> Settlement:
    chosen = GAME.defaults | options if options else GAME.defaults
    return GAME.settle(Round(read_cards(dealer), spots, tables(), chosen, read_cards(board)))


def returned(settlement: Settlement) -> dict[str, int]:
    return {key: result.returned for key, result in settlement.spots[0].wagers.items()}


# ------------------------------------------------------------------------------------------------ what is paid


@pytest.mark.parametrize(
    ("actions", "wagers", "expected"),
    [
        ("1x", {}, {"ante": 200, "play": 200}),
        ("2x", {}, {"ante": 200, "play": 400}),
        ("check 2x", {"extra": 50}, {"ante": 200, "play": 400, "extra": 100}),
        ("take_back 1x", {"extra": 50}, {"ante": 200, "play": 200, "extra": 50}),
        ("3x", {"extra": 50}, {"ante": 200, "play": 600, "extra": 100}),
        ("fold", {}, {"ante": 0}),
        ("check fold", {"extra": 50}, {"ante": 0, "extra": 0}),
        ("take_back fold", {"extra": 50}, {"ante": 0, "extra": 50}),
    ],
)
def test_choices_make_wagers_and_the_better_hand_is_paid(
    actions: str, wagers: Mapping[str, int], expected: dict[str, int]
) -> None:
    assert returned(settled(spot("Tc", actions, **wagers))) == expected


def test_a_tie_pushes_and_a_lower_hand_loses() -> None:
    assert returned(settled(spot("9c", "2x"))) == {"ante": 100, "play": 200}
    assert returned(settled(spot("8c", "2x"))) == {"ante": 0, "play": 0}
    assert [settled(spot(card, "2x")).spots[0].outcome for card in ("Tc", "9c", "8c")] == ["win", "push", "lose"]


def test_what_a_spot_took_back_has_a_result_of_its_own() -> None:
    result = settled(spot("Tc", "take_back fold", extra=50)).spots[0].wagers["extra"]
    assert (result.result, result.wagered, result.returned) == ("taken_back", 50, 50)


def test_an_award_is_paid_on_its_wager_only_to_a_hand_that_was_not_folded() -> None:
    assert returned(settled(spot("Qc", "1x"), board="8c")) == {"ante": 200, "play": 200, "bonus": 500}
    assert returned(settled(spot("Qc", "fold"), board="8c")) == {"ante": 0}
    assert "bonus" not in returned(settled(spot("Jc", "1x"), board="8c"))


def test_an_option_says_whether_a_fold_keeps_a_wager() -> None:
    for keeps, comes_back in ((False, 0), (True, 110)):
        round_ = settled(spot("2c", "fold", side=10), board="Ac", keeps_side=keeps)
        assert returned(round_)["side"] == comes_back
    assert returned(settled(spot("2c", "1x", side=10), board="Ac"))["side"] == 110


def test_a_rule_is_given_nothing_for_a_wager_that_was_not_made() -> None:
    """Ratio gives back what Play is beside the Ante, and stays when the spot folds."""
    assert [returned(settled(spot("2c", actions, ratio=7)))["ratio"] for actions in ("2x", "1x", "fold")] == [2, 1, 0]


def test_the_progressive_hand_is_a_row_by_its_name() -> None:
    assert [settled(spot(card, "1x"), board="8c").spots[0].progressive_hand for card in ("Qc", "Jc")] == ["twenty", ""]


def test_every_spot_has_its_own_hand_and_all_share_the_board() -> None:
    round_ = settled(spot("Tc", "1x"), spot("8c", "1x", number=3))
    assert [(known.number, known.hand, known.outcome) for known in round_.spots] == [
        (1, "15", "win"),
        (3, "13", "lose"),
    ]
    assert round_.dealer.hand == "14"


# ------------------------------------------------------------------------------------------------ who is asked


@pytest.mark.parametrize(
    ("wagers", "actions", "expected"),
    [
        ({}, "", "after"),
        ({"extra": 5}, "", "before"),
        ({"extra": 5}, "check", "after"),
        ({"extra": 5}, "take_back", "after"),
        ({"extra": 5}, "3x", ""),
        ({}, "fold", ""),
        ({}, "2x", ""),
    ],
)
def test_a_spot_is_asked_where_it_needs_to_be(wagers: Mapping[str, int], actions: str, expected: str) -> None:
    chosen = [Action(name) for name in actions.split()]
    point = next_point(GAME, {"ante": 100} | wagers, chosen)
    assert (point.key if point else "") == expected


def test_what_a_spot_has_made_follows_from_its_actions() -> None:
    wagers = {"ante": 100, "extra": 50}
    made = made_by(GAME, wagers, (Action("take_back"), Action("2x")))
    assert (dict(made.wagers), made.folded, made.taken_back) == ({**wagers, "play": 200}, False, {"extra"})
    assert made_by(GAME, {"ante": 100}, (Action("fold"),)).folded
    assert dict(made_by(GAME, wagers, ()).wagers) == wagers


def test_actions_that_do_not_fit_are_a_bug_of_the_caller() -> None:
    for actions in (("fly",), ("fold", "1x"), ("1x", "1x")):
        with pytest.raises(ValueError, match="small-game"):
            made_by(GAME, {"ante": 100}, tuple(Action(name) for name in actions))


def test_courses_are_kept_by_what_was_done_and_not_by_how_much() -> None:
    course = course_of(SET_GAME, {"base": 100}, (Action("low", read_cards("As")[0], 40),))
    assert course is course_of(SET_GAME, {"base": 300}, (Action("low", read_cards("2c")[0], 7),))
    assert course is not course_of(SET_GAME, {"base": 300}, (Action("low", read_cards("2c")[0]),))
    assert amounts_of(course, {"base": 100}, (Action("low", None, 40),)) == {"base": 100, "double": 40}


# ------------------------------------------------------------------------------------------------ hands that are set


def set_round(*spots: Spot, dealer: str = "2c 3c", **options: Any) -> Settlement:
    return SET_GAME.settle(Round(read_cards(dealer), spots, {}, SET_GAME.defaults | options))


def hand(cards: str, *actions: Action, number: int = 1, game: Game = SET_GAME) -> Spot:
    return Spot(number, read_cards(cards), {"base": 100}, actions or (Action("house_way"),))


def test_the_house_way_is_the_setting_of_most_merit() -> None:
    """Merit is the high card less the low one."""
    for cards in ("Ks 4d", "4d Ks"):
        (known,) = set_round(hand(cards)).spots
        assert known.setting is not None
        assert (known.setting.low, known.setting.by) == (read_cards("4d")[0], "house way")


def test_a_player_sets_as_he_says() -> None:
    (known,) = set_round(hand("Ks 4d", Action("low", read_cards("Ks")[0]))).spots
    assert known.setting is not None
    assert (known.setting.high, known.setting.low, known.setting.by) == (
        read_cards("4d"), read_cards("Ks")[0], "player"
    )  # fmt: skip


def test_the_highest_hand_of_the_round_counts_for_every_spot() -> None:
    low, high = hand("2s 3s"), hand("As Ks", number=2)
    assert [known.wagers["base"].returned for known in set_round(low, high).spots] == [200, 200]
    assert [known.wagers["base"].returned for known in set_round(low).spots] == [0]
    assert [known.wagers["base"].returned for known in set_round(low, dealer="Ac Kc").spots] == [200]


# ------------------------------------------------------------------------------------------------ the door


@pytest.fixture
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(all_games(), GAME.key, GAME)


def request(cards: str, actions: Any, **wagers: int) -> dict[str, Any]:
    asked = {"spot": 1, "cards": cards, "wagers": {"ante": 100} | wagers, "actions": actions}
    return {"game": GAME.key, "dealer": "9d", "board": "5c", "spots": [asked]}


@pytest.mark.usefixtures("_installed")
def test_what_was_taken_back_is_in_neither_sum_of_the_answer() -> None:
    (known,) = settle_object(request("Tc", ["take_back", "1x"], extra=50), book())["spots"]
    assert (known["wagered"], known["returned"]) == (200, 400)


@pytest.mark.usefixtures("_installed")
def test_a_choice_is_open_only_with_the_cards_that_open_it() -> None:
    assert settle_object(request("Tc", ["3x"], extra=50), book())["spots"][0]["wagered"] == 450
    with pytest.raises(Refusal) as refusal:
        settle_object(request("9c", ["3x"], extra=50), book())
    assert str(refusal.value) == (
        "spots[0].actions[0]: 3x is not open with these cards; open are check, take_back"
    )  # fmt: skip
