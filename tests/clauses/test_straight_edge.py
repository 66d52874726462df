"""Straight Edge Poker clause by clause: SE, SE1 and SE2. (The Two Way Bad Beat, SEB, is in test_awards.py.)

Suits never matter here, so hands are written by their ranks alone: the player's cards come from clubs and diamonds,
the dealer's from hearts and spades.
"""

from __future__ import annotations

from typing import Any

import pytest

from houseway.adjudication import settle_object
from houseway.cards import DECK_52, JOKER, text_of
from houseway.games import Game, approved_book, find_game
from houseway.refusal import Refusal

SINGLE_QUEEN = "2 4 6 8 T Q Q"
SINGLE_QUEEN_OF_8 = "2 4 6 8 T Q Q T"
SINGLE_ACE = "A 3 5 7 9 J J"
NINE_TEN = "9 T 2 4 6 Q Q"
EIGHT_NINE = "8 9 2 4 6 J K"
RUNS = {
    7: "3 4 5 6 7 8 9",
    6: "3 4 5 6 7 8 K",
    5: "3 4 5 6 7 T K",
    4: "3 4 5 6 9 J K",
    3: "3 4 5 8 T Q Q",
    2: "3 4 7 9 J K K",
}
"""Hands whose longest run has so many cards, in both versions."""


def game(version: int) -> Game:
    found = find_game(f"straight-edge-{version}")
    assert found is not None
    return found


def cards(ranks: str, suits: str = "cd") -> str:
    """Cards of these ranks: the first of a rank in the first suit, a second one in the second suit."""
    words = ranks.split()
    return " ".join(rank + suits[words[:place].count(rank)] for place, rank in enumerate(words))


def dealers(version: int, ranks: str) -> str:
    """Seven ranks as the dealer's hand; in version 1 his eighth card repeats the first, which changes nothing."""
    return f"{ranks} {ranks[0]}" if version == 1 else ranks


def settle(version: int, dealer: str, player: str, *, fold: bool = False, **fields: Any) -> dict[str, Any]:
    """One player's round; every other name given that is no field of a request is a wager of his."""
    asked = {name: fields.pop(name) for name in ("tables", "options") if name in fields}
    required = {"ante": 1000} if version == 1 else {"ante": 1000, "blind": 1000}
    spot = {
        "spot": 1,
        "cards": cards(player),
        "wagers": {**required, **fields},
        "decision": {"fold": True} if fold else {"play": True},
    }
    request = {"game": f"straight-edge-{version}", "dealer": cards(dealer, "hs"), "spots": [spot], **asked}
    return settle_object(request, approved_book())


def refused(request: dict[str, Any]) -> str:
    """The field that a wrong request is refused for."""
    with pytest.raises(Refusal) as refusal:
        settle_object(request, approved_book())
    return refusal.value.field


def back(answer: dict[str, Any]) -> dict[str, int]:
    """What every wager of the spot gives back, in cents."""
    return {wager: entry["returned"] for wager, entry in answer["spots"][0]["wagers"].items()}


def results(answer: dict[str, Any]) -> dict[str, str]:
    return {wager: entry["result"] for wager, entry in answer["spots"][0]["wagers"].items()}


def run(version: int, ranks: str) -> tuple[int, str]:
    """The longest run the game finds in a player's hand: its length and its ending card."""
    dealer = dealers(version, SINGLE_QUEEN)
    category = settle(version, dealer, ranks)["spots"][0]["category"]
    return category["length"], category["ending"]


def rule_lines(version: int, clause: str) -> list[tuple[str, bool]]:
    sections = game(version).rule_card
    return [(line.text, line.fixed) for section in sections for line in section.lines if clause in line.clauses]


# --------------------------------------------------------------------------------------------- both versions


@pytest.mark.clause("SE-1")
@pytest.mark.parametrize("version", [1, 2])
def test_a_second_card_of_a_rank_neither_helps_nor_hurts_a_run(version: int) -> None:
    assert run(version, "5 6 7 8 2 J K") == (4, "8")
    assert run(version, "5 6 6 7 7 8 K") == (4, "8")
    assert run(version, "5 5 6 6 9 9 J") == (2, "6")


@pytest.mark.clause("SE-1")
@pytest.mark.parametrize("version", [1, 2])
def test_packets_of_seven_from_one_deck_of_52_and_suits_do_not_matter(version: int) -> None:
    played = game(version)
    assert (len(played.deck), len(set(played.deck)), JOKER in played.deck) == (52, 52, False)
    assert played.player_cards == 7
    dealer = dealers(version, SINGLE_QUEEN)
    wagers = {"ante": 1000} if version == 1 else {"ante": 1000, "blind": 1000}
    found = []
    for hand in ("5c 6c 7c 8c 2c Jc Kc", "5c 6d 7c 8d 2d Jd Kc"):
        spot = {"spot": 1, "cards": hand, "wagers": wagers, "decision": {"play": True}}
        request = {"game": played.key, "dealer": cards(dealer, "hs"), "spots": [spot]}
        found.append(settle_object(request, approved_book())["spots"])
        for wrong in (hand[:-3], hand + " Ac", hand[:-2] + "Jk"):
            assert refused({**request, "spots": [{**spot, "cards": wrong}]}) == "spots[0].cards"
    assert found[0] == found[1]


@pytest.mark.parametrize("version", [1, 2])
def test_the_table_seats_six(version: int) -> None:
    wagers = {"ante": 1000} if version == 1 else {"ante": 1000, "blind": 1000}
    spot = {"spot": 6, "cards": cards(RUNS[4]), "wagers": wagers, "decision": {"play": True}}
    request = {"game": f"straight-edge-{version}", "dealer": cards(dealers(version, SINGLE_QUEEN), "hs")}
    assert settle_object({**request, "spots": [spot]}, approved_book())["spots"][0]["spot"] == 6
    assert refused({**request, "spots": [{**spot, "spot": 7}]}) == "spots[0].spot"


@pytest.mark.clause("SE-2")
@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize(
    ("ranks", "length", "ending"),
    [
        ("5 6 7 9 J K K", 3, "7"),
        ("2 3 4 8 T J Q", 3, "Q"),
        ("5 6 8 9 J K K", 2, "9"),
        ("4 5 6 Q K A A", 3, "A"),
        ("2 3 4 5 Q K K", 4, "5"),
    ],
)
def test_a_hand_is_worth_its_longest_run_and_of_several_the_one_that_ends_highest(
    version: int, ranks: str, length: int, ending: str
) -> None:
    assert run(version, ranks) == (length, ending)


@pytest.mark.clause("SE-2")
@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        pytest.param("2 3 4 5 8 T Q", "T J Q 2 4 6 8", id="a longer run beats a shorter one"),
        pytest.param("5 6 7 9 J K K", "4 5 6 9 J K K", id="equal lengths: the higher ending card"),
        pytest.param("Q K A 3 5 7 9", "J Q K 2 4 6 8", id="the ace is the highest ending card"),
    ],
)
def test_length_first_and_then_the_ending_card(version: int, better: str, worse: str) -> None:
    assert settle(version, dealers(version, worse), better)["spots"][0]["outcome"] == "win"
    assert settle(version, dealers(version, better), worse)["spots"][0]["outcome"] == "lose"


@pytest.mark.clause("SE-3")
@pytest.mark.parametrize("version", [1, 2])
def test_insurance_wins_25_to_1_on_a_run_of_one_card_and_on_nothing_longer(version: int) -> None:
    dealer = dealers(version, RUNS[4])
    assert back(settle(version, dealer, SINGLE_QUEEN, insurance=300))["insurance"] == 7800
    assert back(settle(version, dealer, SINGLE_ACE, insurance=300))["insurance"] == 7800
    for ranks in (RUNS[2], RUNS[3], RUNS[7], "2 A 4 6 8 T T", "K A 3 5 7 9 J"):
        assert back(settle(version, dealer, ranks, insurance=300))["insurance"] == 0, ranks
    assert "insurance" not in back(settle(version, dealer, SINGLE_QUEEN))


@pytest.mark.clause("SE-4")
@pytest.mark.parametrize("version", [1, 2])
def test_every_wager_has_an_amount_of_its_own(version: int) -> None:
    side = "bonus" if version == 1 else "four_plus"
    dealer = dealers(version, SINGLE_QUEEN)
    asked = {side: 1, "insurance": 250_000, "tables": {side: "1"}}
    wagers = settle(version, dealer, RUNS[7], **asked)["spots"][0]["wagers"]
    assert (wagers["ante"]["wagered"], wagers[side]["wagered"], wagers["insurance"]["wagered"]) == (1000, 1, 250_000)
    assert {wager.key: wager.equals for wager in game(version).wagers if wager.equals} == (
        {} if version == 1 else {"blind": "ante"}
    )


@pytest.mark.clause("SE-4")
def test_a_lone_card_is_a_run_of_one_for_comparing_and_for_the_margin() -> None:
    assert run(1, SINGLE_ACE) == (1, "A")
    higher = settle(1, SINGLE_QUEEN_OF_8, SINGLE_ACE)
    assert (higher["spots"][0]["outcome"], back(higher)) == ("win", {"ante": 2000, "play": 2000})
    by_three = settle(1, SINGLE_QUEEN_OF_8, RUNS[4])
    assert back(by_three)["play"] == 4000, "four cards against one is won by three: 3 to 1"
    lower = settle(1, SINGLE_ACE + " 9", SINGLE_QUEEN)
    assert (lower["spots"][0]["outcome"], back(lower)) == ("lose", {"ante": 0, "play": 0})
    assert back(settle(2, SINGLE_QUEEN, RUNS[4]))["blind"] == 4000


# ------------------------------------------------------------------------------------------------- version 1


@pytest.mark.clause("SE1-1")
def test_version_1_deals_seven_cards_to_players_and_eight_to_the_dealer_face_down() -> None:
    dealt = game(1).deal(DECK_52, (1, 4), game(1).defaults)
    assert {spot: text_of(hand) for spot, hand in dealt.hands.items()} == {
        1: "2c 3c 4c 5c 6c 7c 8c",
        4: "9c Tc Jc Qc Kc Ac 2d",
    }
    assert text_of(dealt.dealer) == "3d 4d 5d 6d 7d 8d 9d Td", "his packet and the top card of the next"
    assert dealt.face_up == ()
    spot = {"spot": 1, "cards": cards(RUNS[4]), "wagers": {"ante": 1000}, "decision": {"play": True}}
    for dealer in (SINGLE_QUEEN, SINGLE_QUEEN_OF_8 + " 8"):
        assert refused({"game": "straight-edge-1", "dealer": cards(dealer, "hs"), "spots": [spot]}) == "dealer"


@pytest.mark.clause("SE1-1")
def test_the_dealers_eighth_card_counts() -> None:
    answer = settle(1, "3 4 5 6 7 8 9 T", SINGLE_ACE)
    assert answer["dealer"]["category"] == {"length": 8, "ending": "T"}
    assert answer["dealer"]["qualifies"] is None, "there is nothing to qualify for"


@pytest.mark.clause("SE1-2")
@pytest.mark.parametrize(
    ("ranks", "length", "ending"),
    [
        ("J Q K A 2 3 7", 6, "3"),
        ("K A 2 5 7 9 J", 3, "2"),
        ("A 2 3 4 7 9 J", 4, "4"),
        ("T J Q K A 2 3", 7, "3"),
        ("9 T J Q K A 2", 7, "2"),
    ],
)
def test_in_version_1_a_run_may_pass_through_the_ace(ranks: str, length: int, ending: str) -> None:
    assert run(1, ranks) == (length, ending)


@pytest.mark.clause("SE1-2")
def test_the_dealers_run_passes_through_the_ace_too() -> None:
    answer = settle(1, "K A 2 3 6 8 T T", RUNS[4])
    assert answer["dealer"]["category"] == {"length": 4, "ending": "3"}


@pytest.mark.clause("SE1-3")
def test_version_1_needs_an_ante_and_offers_bonus_and_insurance() -> None:
    for side in ("bonus", "insurance", "progressive"):
        spot = {"spot": 1, "cards": cards(RUNS[4]), "wagers": {side: 100}, "decision": {"play": True}}
        request = {"game": "straight-edge-1", "dealer": cards(SINGLE_QUEEN_OF_8, "hs"), "spots": [spot]}
        assert refused(request) == "spots[0].wagers.ante"
    assert back(settle(1, SINGLE_QUEEN_OF_8, RUNS[4])) == {"ante": 2000, "play": 4000}
    full = settle(1, SINGLE_QUEEN_OF_8, RUNS[4], bonus=200, insurance=100, tables={"bonus": "1"})
    assert back(full) == {"ante": 2000, "play": 4000, "bonus": 500, "insurance": 0}


@pytest.mark.clause("SE1-4")
def test_version_1_folds_and_loses_the_ante_or_plays_for_exactly_one_ante() -> None:
    played = settle(1, SINGLE_QUEEN_OF_8, RUNS[2])
    assert played["spots"][0]["wagers"]["play"] == {"result": "win", "wagered": 1000, "returned": 2000}
    folded = settle(1, SINGLE_QUEEN_OF_8, RUNS[7], fold=True)
    assert folded["spots"][0]["outcome"] == "fold"
    assert folded["spots"][0]["wagers"] == {"ante": {"result": "lose", "wagered": 1000, "returned": 0}}
    request = {"game": "straight-edge-1", "dealer": cards(SINGLE_QUEEN_OF_8, "hs")}
    for decision in ({}, {"play": 2000}, {"play": True, "fold": True}):
        spot = {"spot": 1, "cards": cards(RUNS[4]), "wagers": {"ante": 1000}, "decision": decision}
        assert refused({**request, "spots": [spot]}) == "spots[0].decision"


@pytest.mark.clause("SE1-5")
def test_in_version_1_insurance_survives_a_fold() -> None:
    assert back(settle(1, SINGLE_QUEEN_OF_8, SINGLE_ACE, fold=True, insurance=100)) == {"ante": 0, "insurance": 2600}
    assert back(settle(1, SINGLE_QUEEN_OF_8, RUNS[2], fold=True, insurance=100)) == {"ante": 0, "insurance": 0}


@pytest.mark.clause("SE1-6")
@pytest.mark.parametrize(
    ("player", "outcome"),
    [
        pytest.param("3 4 5 6 9 J K", "win", id="a longer run"),
        pytest.param("5 6 7 9 J K K", "win", id="equal length, a higher ending card"),
        pytest.param("4 5 6 8 T Q Q", "win", id="a copy goes to the player"),
        pytest.param("3 4 5 8 T Q Q", "lose", id="equal length, a lower ending card"),
        pytest.param("K A 3 5 7 9 J", "lose", id="a shorter run, however high"),
    ],
)
def test_in_version_1_copies_go_to_the_player(player: str, outcome: str) -> None:
    assert settle(1, "4 5 6 8 T Q Q T", player)["spots"][0]["outcome"] == outcome


@pytest.mark.clause("SE1-7")
@pytest.mark.parametrize(
    ("player", "play_returned"),
    [
        pytest.param(SINGLE_QUEEN, 2000, id="won by 0, a copy: 1 to 1"),
        pytest.param(SINGLE_ACE, 2000, id="won by 0: 1 to 1"),
        pytest.param(RUNS[2], 2000, id="won by 1: 1 to 1"),
        pytest.param(RUNS[3], 3000, id="won by 2: 2 to 1"),
        pytest.param(RUNS[4], 4000, id="won by 3: 3 to 1"),
        pytest.param(RUNS[5], 9000, id="won by 4: 8 to 1"),
        pytest.param(RUNS[6], 26_000, id="won by 5: 25 to 1"),
        pytest.param(RUNS[7], 201_000, id="won by 6: 200 to 1"),
    ],
)
def test_a_win_pays_the_ante_even_money_and_play_by_the_margin(player: str, play_returned: int) -> None:
    answer = settle(1, SINGLE_QUEEN_OF_8, player)
    assert back(answer) == {"ante": 2000, "play": play_returned}
    assert results(answer) == {"ante": "win", "play": "win"}


@pytest.mark.clause("SE1-7")
def test_six_cards_against_three_are_won_by_three() -> None:
    assert back(settle(1, "4 5 6 8 T Q Q T", RUNS[6])) == {"ante": 2000, "play": 4000}


@pytest.mark.clause("SE1-8")
@pytest.mark.parametrize("dealer", ["3 4 5 6 8 T T Q", "5 6 7 9 J K K J"])
def test_otherwise_ante_and_play_lose(dealer: str) -> None:
    answer = settle(1, dealer, RUNS[3])
    assert (answer["spots"][0]["outcome"], back(answer)) == ("lose", {"ante": 0, "play": 0})
    assert results(answer) == {"ante": "lose", "play": "lose"}


@pytest.mark.clause("SE1-9")
@pytest.mark.parametrize(("table", "rows"), [("1", (8200, 3200, 1400)), ("2", (10_200, 4200, 1000))])
@pytest.mark.parametrize(
    "dealer",
    [pytest.param(SINGLE_QUEEN_OF_8, id="the hand wins"), pytest.param("3 4 5 6 7 8 9 T", id="the hand loses")],
)
def test_the_bonus_of_version_1_pays_runs_from_four_cards_even_when_the_hand_loses(
    table: str, rows: tuple[int, ...], dealer: str
) -> None:
    for length, returned in zip((7, 6, 5), rows, strict=True):
        answer = settle(1, dealer, RUNS[length], bonus=200, tables={"bonus": table})
        assert back(answer)["bonus"] == returned, length
    assert back(settle(1, dealer, RUNS[4], bonus=200, tables={"bonus": table}))["bonus"] == 500
    assert back(settle(1, dealer, RUNS[3], bonus=200, tables={"bonus": table}))["bonus"] == 0


@pytest.mark.clause("SE1-9")
@pytest.mark.parametrize(("bonus", "returned"), [(1, 2), (2, 5), (3, 7), (99, 247), (101, 252)])
def test_three_to_two_is_rounded_down_to_the_cent(bonus: int, returned: int) -> None:
    for table in ("1", "2"):
        answer = settle(1, SINGLE_QUEEN_OF_8, RUNS[4], bonus=bonus, tables={"bonus": table})
        assert back(answer)["bonus"] == returned


@pytest.mark.clause("SE1-A1")
def test_in_version_1_a_folded_hand_loses_its_bonus_unless_the_house_lets_it_keep_it() -> None:
    asked = {"fold": True, "bonus": 200, "tables": {"bonus": "1"}}
    assert back(settle(1, SINGLE_QUEEN_OF_8, RUNS[7], **asked)) == {"ante": 0, "bonus": 0}
    for keeps, returned in ((False, 0), (True, 8200)):
        answer = settle(1, SINGLE_QUEEN_OF_8, RUNS[7], options={"folded_keeps_bonus": keeps}, **asked)
        assert back(answer) == {"ante": 0, "bonus": returned}


@pytest.mark.clause("SE1-A2")
@pytest.mark.parametrize(
    ("player", "dealer", "outcome"),
    [
        pytest.param("J Q K A 2 3 7", "4 5 6 7 8 9 Q Q", "lose", id="the three of J-Q-K-A-2-3 is below a nine"),
        pytest.param("4 5 6 7 8 9 Q", "J Q K A 2 3 7 7", "win", id="and a nine above it"),
        pytest.param("J Q K A 2 3 7", "T J Q K A 2 6 6", "win", id="a three is above a two"),
        pytest.param("T J Q K A 2 6", "9 T J Q K A 4 4", "lose", id="a two beyond the ace is below the ace"),
    ],
)
def test_an_ending_card_beyond_the_ace_counts_by_its_own_rank(player: str, dealer: str, outcome: str) -> None:
    assert settle(1, dealer, player)["spots"][0]["outcome"] == outcome


@pytest.mark.clause("SE1-A2")
def test_within_a_hand_too_and_the_rule_card_says_so() -> None:
    assert run(1, "K A 2 6 7 8 T") == (3, "8"), "not K-A-2"
    assert rule_lines(1, "SE1-A2") == [("An ending card beyond the ace counts by its own rank.", True)]


# ------------------------------------------------------------------------------------------------- version 2


@pytest.mark.clause("SE2-1")
@pytest.mark.parametrize(
    ("ranks", "length", "ending"),
    [
        ("J Q K A 2 3 7", 4, "A"),
        ("K A 2 5 7 9 J", 2, "A"),
        ("A 2 3 4 7 9 J", 4, "4"),
        ("T J Q K A 2 3", 5, "A"),
        ("Q K A 2 3 4 5", 5, "5"),
    ],
)
def test_in_version_2_the_ace_is_lowest_or_highest_and_runs_do_not_wrap(ranks: str, length: int, ending: str) -> None:
    assert run(2, ranks) == (length, ending)


@pytest.mark.clause("SE2-1")
def test_version_2_deals_seven_cards_to_everybody() -> None:
    dealt = game(2).deal(DECK_52, (2,), game(2).defaults)
    assert (text_of(dealt.hands[2]), text_of(dealt.dealer)) == ("2c 3c 4c 5c 6c 7c 8c", "9c Tc Jc Qc Kc Ac 2d")
    assert dealt.face_up == ()
    wagers = {"ante": 1000, "blind": 1000}
    spot = {"spot": 1, "cards": cards(RUNS[4]), "wagers": wagers, "decision": {"play": True}}
    for dealer in (SINGLE_QUEEN_OF_8, "2 4 6 8 T Q"):
        assert refused({"game": "straight-edge-2", "dealer": cards(dealer, "hs"), "spots": [spot]}) == "dealer"


@pytest.mark.clause("SE2-2")
@pytest.mark.parametrize(
    ("wagers", "field"),
    [
        ({"blind": 1000}, "ante"),
        ({"ante": 1000}, "blind"),
        ({"ante": 1000, "blind": 999}, "blind"),
        ({"ante": 1000, "blind": 1001}, "blind"),
        ({"four_plus": 100, "insurance": 100}, "ante"),
    ],
)
def test_version_2_needs_an_ante_and_an_equal_blind(wagers: dict[str, int], field: str) -> None:
    spot = {"spot": 1, "cards": cards(RUNS[4]), "wagers": wagers, "decision": {"play": True}}
    request = {"game": "straight-edge-2", "dealer": cards(SINGLE_QUEEN, "hs"), "spots": [spot]}
    assert refused(request) == f"spots[0].wagers.{field}"


@pytest.mark.clause("SE2-2")
def test_four_plus_and_insurance_are_optional() -> None:
    assert set(back(settle(2, NINE_TEN, RUNS[4]))) == {"ante", "blind", "play"}
    full = settle(2, NINE_TEN, RUNS[4], four_plus=100, insurance=100)
    assert back(full) == {"ante": 2000, "play": 4000, "blind": 3000, "four_plus": 300, "insurance": 0}


@pytest.mark.clause("SE2-3")
def test_version_2_folds_and_loses_both_or_plays_for_exactly_two_antes() -> None:
    played = settle(2, NINE_TEN, RUNS[3])
    assert played["spots"][0]["wagers"]["play"] == {"result": "win", "wagered": 2000, "returned": 4000}
    for dealer in (NINE_TEN, EIGHT_NINE):
        folded = settle(2, dealer, RUNS[7], fold=True)
        assert folded["spots"][0]["outcome"] == "fold"
        assert back(folded) == {"ante": 0, "blind": 0}, "a folded Ante is not returned, qualified or not"
    request = {"game": "straight-edge-2", "dealer": cards(NINE_TEN, "hs")}
    for decision in ({}, {"play": 1000}, {"play": True, "fold": True}):
        wagers = {"ante": 1000, "blind": 1000}
        spot = {"spot": 1, "cards": cards(RUNS[4]), "wagers": wagers, "decision": decision}
        assert refused({**request, "spots": [spot]}) == "spots[0].decision"


@pytest.mark.clause("SE2-4")
@pytest.mark.parametrize(
    ("dealer", "qualifies"),
    [
        (NINE_TEN, True),
        (EIGHT_NINE, False),
        ("T J 2 4 6 8 8", True),
        ("2 3 4 6 8 T Q", True),
        ("2 3 5 7 9 J K", False),
        ("A 2 4 6 8 T Q", False),
        ("K A 3 5 7 9 J", True),
        (SINGLE_ACE, False),
    ],
)
def test_the_dealer_qualifies_with_nine_ten_or_better(dealer: str, qualifies: bool) -> None:
    answer = settle(2, dealer, RUNS[5])
    assert answer["dealer"]["qualifies"] is qualifies
    assert back(answer)["ante"] == (2000 if qualifies else 1000)


@pytest.mark.clause("SE2-4")
def test_without_a_qualifier_the_ante_comes_back_and_play_and_blind_are_settled_as_usual() -> None:
    won = settle(2, EIGHT_NINE, RUNS[4])
    assert (won["spots"][0]["outcome"], back(won)) == ("win", {"ante": 1000, "play": 4000, "blind": 3000})
    assert results(won) == {"ante": "push", "play": "win", "blind": "win"}
    lost = settle(2, EIGHT_NINE, RUNS[2])
    assert (lost["spots"][0]["outcome"], back(lost)) == ("lose", {"ante": 1000, "play": 0, "blind": 0})
    assert results(lost) == {"ante": "push", "play": "lose", "blind": "lose"}


@pytest.mark.clause("SE2-5")
@pytest.mark.parametrize(
    ("dealer", "player", "ante", "blind"),
    [
        pytest.param(NINE_TEN, RUNS[3], 2000, 2000, id="won by 1: 1 to 1"),
        pytest.param(NINE_TEN, RUNS[4], 2000, 3000, id="won by 2: 2 to 1"),
        pytest.param(NINE_TEN, RUNS[5], 2000, 4000, id="won by 3: 3 to 1"),
        pytest.param(NINE_TEN, RUNS[6], 2000, 6000, id="won by 4: 5 to 1"),
        pytest.param(NINE_TEN, RUNS[7], 2000, 26_000, id="won by 5: 25 to 1"),
        pytest.param(SINGLE_QUEEN, RUNS[7], 1000, 101_000, id="won by 6: 100 to 1"),
    ],
)
def test_a_win_pays_ante_and_play_even_money_and_the_blind_by_the_margin(
    dealer: str, player: str, ante: int, blind: int
) -> None:
    assert back(settle(2, dealer, player)) == {"ante": ante, "play": 4000, "blind": blind}


@pytest.mark.clause("SE2-6")
def test_a_loss_loses_all_three_and_a_copy_pushes_all_three() -> None:
    lost = settle(2, "2 3 4 6 8 T Q", RUNS[2])
    assert (lost["spots"][0]["outcome"], back(lost)) == ("lose", {"ante": 0, "play": 0, "blind": 0})
    assert set(results(lost).values()) == {"lose"}
    for copied in (NINE_TEN, EIGHT_NINE):
        tied = settle(2, copied, copied)
        assert (tied["spots"][0]["outcome"], back(tied)) == ("push", {"ante": 1000, "play": 2000, "blind": 1000})
        assert set(results(tied).values()) == {"push"}


@pytest.mark.clause("SE2-6")
@pytest.mark.parametrize("margin_zero", ["push", "one_to_one", "lose"])
def test_a_copy_pushes_the_blind_whatever_the_house_does_at_margin_zero(margin_zero: str) -> None:
    answer = settle(2, NINE_TEN, NINE_TEN, options={"blind_on_margin_zero": margin_zero})
    assert back(answer) == {"ante": 1000, "play": 2000, "blind": 1000}


@pytest.mark.clause("SE2-7")
@pytest.mark.parametrize(
    "dealer", [pytest.param(SINGLE_QUEEN, id="the hand wins"), pytest.param("8 9 T J Q K A", id="the hand loses")]
)
def test_four_plus_pays_runs_from_four_cards_even_when_the_hand_loses(dealer: str) -> None:
    for length, returned in ((7, 5100), (6, 1600), (5, 900), (4, 300), (3, 0), (2, 0)):
        assert back(settle(2, dealer, RUNS[length], four_plus=100))["four_plus"] == returned, length


@pytest.mark.clause("SE2-A1")
def test_the_blind_of_a_hand_won_at_equal_length_pushes_unless_the_house_says_otherwise() -> None:
    higher = "T J 2 4 6 8 8"
    assert back(settle(2, NINE_TEN, higher)) == {"ante": 2000, "play": 4000, "blind": 1000}
    for value, returned, result in (("push", 1000, "push"), ("one_to_one", 2000, "win"), ("lose", 0, "lose")):
        answer = settle(2, NINE_TEN, higher, options={"blind_on_margin_zero": value})
        assert back(answer) == {"ante": 2000, "play": 4000, "blind": returned}
        assert results(answer)["blind"] == result
    lower = settle(2, higher, NINE_TEN, options={"blind_on_margin_zero": "one_to_one"})
    assert back(lower) == {"ante": 0, "play": 0, "blind": 0}


@pytest.mark.clause("SE2-A2")
def test_in_version_2_a_fold_keeps_insurance_and_loses_four_plus_unless_the_house_says_otherwise() -> None:
    insured = {"fold": True, "insurance": 100}
    assert back(settle(2, NINE_TEN, SINGLE_ACE, **insured)) == {"ante": 0, "blind": 0, "insurance": 2600}
    for keeps, returned in ((True, 2600), (False, 0)):
        answer = settle(2, NINE_TEN, SINGLE_ACE, options={"folded_keeps_insurance": keeps}, **insured)
        assert back(answer)["insurance"] == returned
    four_plus = {"fold": True, "four_plus": 100}
    assert back(settle(2, NINE_TEN, RUNS[4], **four_plus)) == {"ante": 0, "blind": 0, "four_plus": 0}
    for keeps, returned in ((True, 300), (False, 0)):
        answer = settle(2, NINE_TEN, RUNS[4], options={"folded_keeps_four_plus": keeps}, **four_plus)
        assert back(answer)["four_plus"] == returned
