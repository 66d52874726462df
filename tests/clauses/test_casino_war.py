"""Casino War clause by clause. (The shoe at a table is in test_shoe_clauses.py.)"""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
from tests.clauses.shoe_opinion import war_round

from houseway.adjudication import settle_object
from houseway.games import approved_book
from houseway.games.casino_war import GAME
from houseway.refusal import Refusal

ROUNDS = 1_000
LONG_ROUNDS = 20_000


def settle(dealer: str, *spots: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return settle_object({"game": "casino-war", "dealer": dealer, "spots": list(spots), **fields}, approved_book())


def spot(cards: str, *actions: str, number: int = 1, war_card: str = "", **wagers: int) -> dict[str, Any]:
    made: dict[str, Any] = {"spot": number, "cards": cards, "wagers": wagers or {"bet": 1000}}
    if actions:
        made["actions"] = list(actions)
    return {**made, "war_card": war_card} if war_card else made


def refused(dealer: str, *spots: dict[str, Any], **fields: Any) -> str:
    with pytest.raises(Refusal) as refusal:
        settle(dealer, *spots, **fields)
    return refusal.value.field


def back(answer: dict[str, Any], place: int = 0) -> dict[str, int]:
    return {wager: entry["returned"] for wager, entry in answer["spots"][place]["wagers"].items()}


@pytest.mark.clause("CW-1")
def test_a_card_may_come_as_often_as_there_are_decks() -> None:
    six = [spot("Kh", number=number) for number in range(1, 7)]
    assert settle("2c", *six)["spots"][5]["outcome"] == "win"
    seventh = [*six, spot("Kh", number=7)]
    assert refused("2c", *seventh) == "spots[6].cards"
    assert settle("2c", *seventh, options={"decks": 8})["spots"][6]["outcome"] == "win"
    assert refused("2c", *six, options={"decks": 7}) == "options.decks"


@pytest.mark.clause("CW-1")
def test_penetration_is_a_percentage_without_effect_on_a_settlement() -> None:
    answers = [settle("2c", spot("Kh"), options={"penetration": percent}) for percent in (25, 50, 90)]
    assert answers == [settle("2c", spot("Kh"))] * 3
    for wrong in (24, 91, "50", 50.0, True):
        assert refused("2c", spot("Kh"), options={"penetration": wrong}) == "options.penetration"


@pytest.mark.clause("CW-2")
def test_a_bet_is_required_and_tie_is_not() -> None:
    assert refused("2c", spot("Kh", tie=100)) == "spots[0].wagers.bet"
    assert set(back(settle("2c", spot("Kh", bet=100, tie=100)))) == {"bet", "tie"}
    assert settle("Ks", spot("Kh", "surrender"))["spots"][0]["outcome"] == "surrender", "suits do not matter"


@pytest.mark.clause("CW-3")
def test_the_higher_card_wins_one_to_one() -> None:
    assert back(settle("Kc", spot("Ah", bet=700))) == {"bet": 1400}
    assert back(settle("Ac", spot("Kh", bet=700))) == {"bet": 0}
    assert back(settle("2c", spot("3h", bet=700))) == {"bet": 1400}


@pytest.mark.clause("CW-4")
def test_equal_cards_are_surrendered_for_half_or_go_to_war() -> None:
    entry = settle("Kc", spot("Kh", "surrender", bet=501))["spots"][0]
    assert entry["wagers"]["bet"] == {"result": "surrender", "wagered": 501, "returned": 250}
    war = settle("Kc", spot("Kh", "war", war_card="3c", bet=501), war_dealer="2c")["spots"][0]
    assert war["wagers"]["war"]["wagered"] == 501
    assert refused("Kc", spot("Kh")) == "spots[0].actions"
    assert refused("Kc", spot("Qh", "war", war_card="3c"), war_dealer="2c") == "spots[0].actions[0]"
    assert refused("Kc", spot("Kh", "fold")) == "spots[0].actions[0]"


@pytest.mark.clause("CW-5")
@pytest.mark.parametrize(
    ("own", "other", "returned"),
    [
        ("9c", "8c", {"bet": 500, "war": 1000}),
        ("8d", "8c", {"bet": 500, "war": 1000}),
        ("7d", "8c", {"bet": 0, "war": 0}),
    ],
)
def test_a_higher_or_equal_card_wins_the_war(own: str, other: str, returned: dict[str, int]) -> None:
    answer = settle("Kc", spot("Kh", "war", war_card=own, bet=500), war_dealer=other)
    assert back(answer) == returned
    assert answer["spots"][0]["outcome"] == ("win" if returned["war"] else "lose")


@pytest.mark.clause("CW-5")
def test_war_cards_are_there_in_a_war_and_nowhere_else() -> None:
    war = spot("Kh", "war", war_card="3c")
    assert refused("Kc", war) == "war_dealer"
    assert refused("Kc", spot("Kh", "war"), war_dealer="2c") == "spots[0].war_card"
    assert refused("Kc", spot("Kh", "surrender"), war_dealer="2c") == "war_dealer"
    assert refused("Kc", spot("Kh", "surrender", war_card="3c")) == "spots[0].war_card"
    assert refused("Kc", spot("2h"), war, war_dealer="2c 3c") == "war_dealer"


@pytest.mark.clause("CW-6")
@pytest.mark.parametrize(("own", "bonus"), [("8d", 500), ("9d", None), ("7d", None)])
def test_an_equal_card_in_the_war_pays_a_bonus_where_the_house_says_so(own: str, bonus: int | None) -> None:
    war = spot("Kh", "war", war_card=own, bet=500)
    assert "war_bonus" not in back(settle("Kc", war, war_dealer="8c"))
    entry = settle("Kc", war, war_dealer="8c", options={"war_tie_bonus": True})["spots"][0]["wagers"]
    assert entry.get("war_bonus") == (bonus and {"result": "win", "wagered": 0, "returned": bonus})


@pytest.mark.clause("CW-7")
def test_tie_pays_by_the_first_two_cards_alone() -> None:
    surrendered = settle("Kc", spot("Kh", "surrender", bet=100, tie=300))
    assert back(surrendered)["tie"] == 3300
    assert back(settle("Kc", spot("Kh", "surrender", bet=100, tie=300), tables={"tie": "11"}))["tie"] == 3600
    assert back(settle("Kc", spot("Ah", bet=100, tie=300)))["tie"] == 0


@pytest.mark.clause("CW-8")
def test_one_card_of_the_dealers_counts_against_every_spot_in_war() -> None:
    cards = {1: "9c", 2: "8d", 3: "7d"}
    wars = [spot("Kh", "war", number=number, war_card=card) for number, card in cards.items()]
    answer = settle("Kc", *wars, war_dealer="8c")
    assert [back(answer, place)["war"] for place in range(3)] == [2000, 2000, 0]


@pytest.mark.clause("CW-9")
def test_figures_are_those_of_a_full_shoe() -> None:
    """Of 312 cards 311 are left for the dealer, 23 of them of the spot's rank; after that 310 for the war."""
    pytest.importorskip("numpy")
    from houseway.proof.collect import Request, all_figures

    figures = {figure.table: figure for figure in all_figures(Request(games=("casino-war",)))}
    assert figures["10"].house_edge is not None
    assert figures["10"].house_edge.exact == 1 - Fraction(23, 311) * 11
    assert figures["10"].assumptions == ("a freshly shuffled shoe of 6 decks",)


def test_a_hand_has_no_category_and_the_dealer_does_not_qualify() -> None:
    answer = settle("Kc", spot("Ah"))
    assert answer["dealer"] == {"hand": "king", "category": None, "qualifies": None}
    assert answer["spots"][0]["category"] is None


def check_rounds(rounds: int) -> None:
    source = random.Random(1713)
    for _ in range(rounds):
        request, expected = war_round(source)
        answer = settle_object(request, approved_book())
        assert [back(answer, place) for place in range(len(expected))] == expected, request


@pytest.mark.clause("CW-3", "CW-4", "CW-5", "CW-6", "CW-7", "CW-8")
def test_random_rounds_agree_with_a_second_settlement() -> None:
    check_rounds(ROUNDS)


@pytest.mark.long
def test_many_random_rounds_agree_with_a_second_settlement() -> None:
    check_rounds(LONG_ROUNDS)


def test_rules_say_so_on_the_card() -> None:
    text = " ".join(line.text for section in GAME.sections for line in section.lines)
    assert "burns three cards" in text
    assert "Public sources" in text
