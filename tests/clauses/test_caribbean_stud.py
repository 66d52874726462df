"""Caribbean Stud Poker clause by clause: CS, CSB and CSC. (The progressive, CSP, is in test_awards.py.)"""

from __future__ import annotations

from typing import Any

import pytest

from houseway.adjudication import settle_object
from houseway.cards import DECK_52, JOKER, text_of
from houseway.games import approved_book
from houseway.games.caribbean_stud import GAME
from houseway.refusal import Refusal

ROYAL = "Ah Kh Qh Jh Th"
STRAIGHT_FLUSH = "9h 8h 7h 6h 5h"
QUADS = "7c 7d 7h 7s 2h"
FULL_HOUSE = "7c 7d 7h 2s 2h"
FLUSH = "Kh 9h 7h 4h 2h"
STRAIGHT = "9h 8h 7c 6h 5h"
TRIPS = "7c 7d 7h 9h 2h"
TWO_PAIR = "7c 7d 9h 9s 2c"
TENS = "Tc Td 9h 4h 2c"
NINES = "9c 9d Th 4h 2c"
ACE_KING = "Ac Kh Qh 9s 2c"

NO_QUALIFIER = "As Qd Js 8s 3d"
LOWEST_QUALIFIER = "As Kd 4c 3s 2d"


def hand(cards: str, spot: int = 1, *, ante: int = 1000, fold: bool = False, **side: int) -> dict[str, Any]:
    decision = {"fold": True} if fold else {"play": True}
    return {"spot": spot, "cards": cards, "wagers": {"ante": ante, **side}, "decision": decision}


def settle(dealer: str, *spots: dict[str, Any], **fields: Any) -> dict[str, Any]:
    request = {"game": "caribbean-stud", "dealer": dealer, "spots": list(spots), **fields}
    return settle_object(request, approved_book())


def refused(dealer: str, *spots: dict[str, Any], **fields: Any) -> str:
    """The field that a wrong request is refused for."""
    with pytest.raises(Refusal) as refusal:
        settle(dealer, *spots, **fields)
    return refusal.value.field


def back(answer: dict[str, Any], place: int = 0) -> dict[str, int]:
    """What every wager of a spot gives back, in cents."""
    return {wager: entry["returned"] for wager, entry in answer["spots"][place]["wagers"].items()}


def results(answer: dict[str, Any], place: int = 0) -> dict[str, str]:
    return {wager: entry["result"] for wager, entry in answer["spots"][place]["wagers"].items()}


# ------------------------------------------------------------------------------------------- the base game


@pytest.mark.clause("CS-1")
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        pytest.param("As Ks Qs Js Ts", "Kh Qh Jh Th 9h", id="a royal flush beats a straight flush"),
        pytest.param("Kh Qh Jh Th 9h", "5d 4d 3d 2d Ad", id="the wheel is the lowest straight flush"),
        pytest.param("5d 4d 3d 2d Ad", "Kc Kd Kh Ks 2c", id="a straight flush beats four of a kind"),
        pytest.param("Ac Ad Ah As 2c", "Kc Kd Kh Ks Qc", id="four aces beat four kings"),
        pytest.param("2c 2d 2h 2s 3c", "Ac Ad Ah Ks Kc", id="four of a kind beats a full house"),
        pytest.param("3c 3d 3h 4s 4c", "2c 2d 2h As Ac", id="the trips of a full house count first"),
        pytest.param("2c 2d 2h 3s 3c", "Ah Kh Qh Jh 9h", id="a full house beats a flush"),
        pytest.param("Ah Kh 9h 5h 3h", "As Ks 9s 5s 2s", id="flushes are told apart by their fifth card"),
        pytest.param("7h 5h 4h 3h 2h", "Ac Kd Qh Js Tc", id="a flush beats a straight"),
        pytest.param("Ac Kd Qh Js Tc", "Kc Qd Jh Ts 9c", id="the ace-high straight is the highest"),
        pytest.param("6c 5d 4h 3s 2c", "5c 4d 3h 2s Ac", id="the wheel is the lowest straight"),
        pytest.param("5c 4d 3h 2s Ac", "Ad Ah As Kc Qd", id="a straight beats three of a kind"),
        pytest.param("2c 2d 2h 4s 3c", "Ac Ad Kh Ks Qc", id="three of a kind beats two pair"),
        pytest.param("Ac Ad 3h 3s 2c", "Kc Kd Qh Qs Jc", id="two pair: the higher pair counts first"),
        pytest.param("Ac Ad 4h 4s 2c", "Ah As 3c 3d Kc", id="two pair: then the lower pair"),
        pytest.param("Ac Ad 4h 4s 5c", "Ah As 4c 4d 3c", id="two pair: then the fifth card"),
        pytest.param("3c 3d 2h 2s 4c", "Ac Ad Kh Qs Jc", id="two pair beats a pair"),
        pytest.param("Ac Ad 5h 4s 3c", "Ah As 5c 4d 2c", id="pairs are told apart by their kickers"),
        pytest.param("2c 2d 5h 4s 3c", "Ac Kd Qh Js 9c", id="a pair beats no pair"),
        pytest.param("Ac Kd Qh Js 9c", "Ad Kh Qs Jc 8d", id="no pair: down to the fifth card"),
    ],
)
def test_five_card_poker_ranks_as_everywhere(better: str, worse: str) -> None:
    assert settle(worse, hand(better))["spots"][0]["outcome"] == "win"
    assert settle(better, hand(worse))["spots"][0]["outcome"] == "lose"


@pytest.mark.clause("CS-1")
def test_player_and_dealer_have_five_cards_of_one_deck_of_52() -> None:
    assert (len(GAME.deck), len(set(GAME.deck)), JOKER in GAME.deck) == (52, 52, False)
    assert refused(LOWEST_QUALIFIER, hand("9c 8d 7h 6s")) == "spots[0].cards"
    assert refused(LOWEST_QUALIFIER, hand("9c 8d 7h 6s 5c 5d")) == "spots[0].cards"
    assert refused("As Kd 4c 3s", hand(STRAIGHT)) == "dealer"
    assert refused("As Kd 4c 3s 2d 2h", hand(STRAIGHT)) == "dealer"
    assert refused(LOWEST_QUALIFIER, hand("9c 8d 7h 6s Jk")) == "spots[0].cards"
    assert refused(LOWEST_QUALIFIER, hand("As 8d 7h 6s 5c")) == "spots[0].cards", "the dealer has that ace"


@pytest.mark.clause("CS-2")
def test_an_ante_is_required_and_the_rest_is_optional() -> None:
    for side in ("bonus", "cover_all", "progressive"):
        without_ante = {"spot": 1, "cards": STRAIGHT, "wagers": {side: 100}, "decision": {"play": True}}
        assert refused(LOWEST_QUALIFIER, without_ante) == "spots[0].wagers.ante"
    assert refused(LOWEST_QUALIFIER, {**hand(STRAIGHT), "wagers": {}}) == "spots[0].wagers.ante"
    assert back(settle(LOWEST_QUALIFIER, hand(STRAIGHT))) == {"ante": 2000, "bet": 10_000}
    answer = settle(
        LOWEST_QUALIFIER,
        hand(STRAIGHT, bonus=300, cover_all=400, progressive=100),
        tables={"bonus": "CPSB-01", "progressive": "CSTUD-07"},
        meters={"main": 1_000_000},
        seeds={"main": 1_000_000},
    )
    assert back(answer) == {"ante": 2000, "bet": 10_000, "bonus": 7800, "cover_all": 10_400, "progressive": 2500}


@pytest.mark.clause("CS-3")
def test_the_deal_runs_clockwise_from_spot_1_and_ends_with_the_dealer_whose_fifth_card_is_seen() -> None:
    dealt = GAME.deal(DECK_52, (5, 1, 3), GAME.defaults)
    assert {spot: text_of(cards) for spot, cards in dealt.hands.items()} == {
        1: "2c 3c 4c 5c 6c",
        3: "7c 8c 9c Tc Jc",
        5: "Qc Kc Ac 2d 3d",
    }
    assert text_of(dealt.dealer) == "4d 5d 6d 7d 8d"
    assert text_of(dealt.face_up) == "8d", "the bottom card of the dealer's packet"
    assert dealt.rack == DECK_52[20:], "the rest of the deck"


@pytest.mark.clause("CS-4")
@pytest.mark.parametrize("ante", [1, 1000, 2_501])
def test_the_bet_is_exactly_twice_the_ante(ante: int) -> None:
    answer = settle(LOWEST_QUALIFIER, hand(NINES, ante=ante))
    assert answer["spots"][0]["wagers"]["bet"] == {"result": "win", "wagered": 2 * ante, "returned": 4 * ante}
    assert answer["spots"][0]["wagered"] == 3 * ante


@pytest.mark.clause("CS-4")
@pytest.mark.parametrize(
    "decision",
    [{}, {"play": 1000}, {"play": 3000}, {"play": True, "bet": 1000}, {"play": True, "fold": True}, {"fold": False}],
    ids=str,
)
def test_no_other_decision_and_no_other_amount_is_accepted(decision: dict[str, Any]) -> None:
    assert refused(LOWEST_QUALIFIER, {**hand(NINES), "decision": decision}) == "spots[0].decision"


@pytest.mark.clause("CS-4")
def test_the_bet_cannot_be_placed_before_the_cards_are_seen() -> None:
    assert refused(LOWEST_QUALIFIER, hand(NINES, bet=2000)) == "spots[0].wagers.bet"


@pytest.mark.clause("CS-5")
@pytest.mark.parametrize("dealer", [LOWEST_QUALIFIER, NO_QUALIFIER])
def test_a_fold_loses_the_ante_and_makes_no_bet(dealer: str) -> None:
    answer = settle(dealer, hand(ROYAL, fold=True))
    assert answer["spots"][0]["outcome"] == "fold"
    assert answer["spots"][0]["wagers"] == {"ante": {"result": "lose", "wagered": 1000, "returned": 0}}


@pytest.mark.clause("CS-6")
@pytest.mark.parametrize(
    ("dealer", "qualifies"),
    [
        ("As Kd 4c 3s 2d", True),
        ("As Qd Jc Ts 9d", False),
        ("As Kd Qc Js 9d", True),
        ("Kd Qc Js Ts 8d", False),
        ("2c 2d 3h 4s 6c", True),
        ("7c 5d 4h 3s 2c", False),
        ("5c 4d 3h 2s Ac", True),
        ("7d 5d 4d 3d 2d", True),
    ],
)
def test_the_dealer_qualifies_with_ace_king_or_any_pair_or_better(dealer: str, qualifies: bool) -> None:
    assert settle(dealer, hand("Kh Qh 9h 8h 6s"))["dealer"]["qualifies"] is qualifies


@pytest.mark.clause("CS-6")
def test_what_the_boundary_of_qualifying_moves() -> None:
    nines = hand("9c 9h 8h 7c 5s")
    assert back(settle("As Kd 4c 3s 2d", nines)) == {"ante": 2000, "bet": 4000}
    assert back(settle("As Qd Jc Ts 9d", nines)) == {"ante": 2000, "bet": 2000}


@pytest.mark.clause("CS-7")
@pytest.mark.parametrize("cards", ["7c 5d 4h 3s 2c", NINES, ROYAL, "Ah Qc Jh 8d 3c"])
def test_without_a_qualifier_the_ante_wins_even_money_and_the_bet_pushes_whatever_the_player_holds(cards: str) -> None:
    answer = settle(NO_QUALIFIER, hand(cards))
    assert back(answer) == {"ante": 2000, "bet": 2000}
    assert results(answer) == {"ante": "win", "bet": "push"}
    assert answer["spots"][0]["outcome"] == "win"


@pytest.mark.clause("CS-8")
def test_against_a_qualifier_the_higher_hand_wins_a_tie_pushes_and_a_lower_hand_loses_both() -> None:
    won = settle(LOWEST_QUALIFIER, hand("Ac Kh 5h 3d 2c"))
    assert (won["spots"][0]["outcome"], back(won)) == ("win", {"ante": 2000, "bet": 4000})
    tied = settle(LOWEST_QUALIFIER, hand("Ac Kh 4h 3d 2c"))
    assert (tied["spots"][0]["outcome"], back(tied)) == ("push", {"ante": 1000, "bet": 2000})
    assert results(tied) == {"ante": "push", "bet": "push"}
    lost = settle("Ac Kh 4h 3d 2c", hand("As Qh Jd Td 9d"))
    assert (lost["spots"][0]["outcome"], back(lost)) == ("lose", {"ante": 0, "bet": 0})
    assert results(lost) == {"ante": "lose", "bet": "lose"}


@pytest.mark.clause("CS-8")
def test_a_tie_pushes_the_bet_and_does_not_pay_by_the_hand() -> None:
    assert back(settle("9c 8d 7h 6s 5c", hand("9d 8h 7s 6c 5d"))) == {"ante": 1000, "bet": 2000}


@pytest.mark.clause("CS-9")
@pytest.mark.parametrize(
    ("cards", "bet_returned"),
    [
        (ROYAL, 202_000),
        (STRAIGHT_FLUSH, 102_000),
        (QUADS, 42_000),
        (FULL_HOUSE, 16_000),
        (FLUSH, 12_000),
        (STRAIGHT, 10_000),
        (TRIPS, 8000),
        (TWO_PAIR, 6000),
        (NINES, 4000),
        (ACE_KING, 4000),
    ],
)
def test_a_winning_ante_pays_even_money_and_a_winning_bet_by_the_players_hand(cards: str, bet_returned: int) -> None:
    assert back(settle(LOWEST_QUALIFIER, hand(cards))) == {"ante": 2000, "bet": bet_returned}


# --------------------------------------------------------------------------------------- Caribbean Stud Bonus


@pytest.mark.clause("CSB-1")
def test_the_bonus_is_a_wager_of_its_own_of_any_amount_beside_the_ante() -> None:
    tables = {"bonus": "CPSB-01"}
    small = settle(LOWEST_QUALIFIER, hand(TENS, ante=100_000, bonus=1), tables=tables)
    assert small["spots"][0]["wagers"]["bonus"] == {"result": "win", "wagered": 1, "returned": 2}
    large = settle(LOWEST_QUALIFIER, hand(TENS, ante=1, bonus=100_000), tables=tables)
    assert large["spots"][0]["wagers"]["bonus"] == {"result": "win", "wagered": 100_000, "returned": 200_000}
    wager = GAME.wager("bonus")
    assert wager is not None
    assert (wager.kind, wager.equals) == ("optional", "")
    assert "bonus" not in settle(LOWEST_QUALIFIER, hand(TENS))["spots"][0]["wagers"]


@pytest.mark.clause("CSB-2")
@pytest.mark.parametrize(
    ("table", "rows"),
    [
        ("CPSB-01", (1000, 200, 100, 50, 40, 25, 7, 3, 1)),
        ("CPSB-02", (1000, 200, 100, 50, 40, 25, 6, 3, 1)),
        ("CPSB-03", (1000, 200, 100, 50, 40, 20, 6, 3, 1)),
    ],
)
def test_the_bonus_pays_tens_or_better_by_its_table(table: str, rows: tuple[int, ...]) -> None:
    hands = (ROYAL, STRAIGHT_FLUSH, QUADS, FULL_HOUSE, FLUSH, STRAIGHT, TRIPS, TWO_PAIR, TENS)
    for cards, to_one in zip(hands, rows, strict=True):
        answer = settle(LOWEST_QUALIFIER, hand(cards, bonus=500), tables={"bonus": table})
        assert back(answer)["bonus"] == 500 + 500 * to_one, cards


@pytest.mark.clause("CSB-2")
@pytest.mark.parametrize(
    ("cards", "returned"),
    [("Tc Td 9h 4h 2c", 1000), ("9c 9d Th 4h 2c", 0), ("Ac Ad 9h 4h 2c", 1000), ("Ac Kh Qh Jd 9c", 0)],
)
def test_the_bonus_begins_at_a_pair_of_tens(cards: str, returned: int) -> None:
    answer = settle("3s 3d Qs Js 8s", hand(cards, bonus=500), tables={"bonus": "CPSB-01"})
    assert back(answer)["bonus"] == returned


@pytest.mark.clause("CSB-2")
@pytest.mark.parametrize("dealer", ["Ks Kd Kc 4s 4d", NO_QUALIFIER])
def test_the_bonus_looks_at_the_players_own_five_cards_only(dealer: str) -> None:
    answer = settle(dealer, hand(TENS, bonus=500), tables={"bonus": "CPSB-01"})
    assert back(answer)["bonus"] == 1000


@pytest.mark.clause("CSB-A1")
def test_a_folded_hand_loses_its_bonus_unless_the_house_lets_it_keep_it() -> None:
    folded = hand(ROYAL, fold=True, bonus=500)
    tables = {"bonus": "CPSB-01"}
    assert back(settle(LOWEST_QUALIFIER, folded, tables=tables)) == {"ante": 0, "bonus": 0}
    for keeps, returned in ((False, 0), (True, 500_500)):
        answer = settle(LOWEST_QUALIFIER, folded, tables=tables, options={"folded_keeps_bonus": keeps})
        assert back(answer) == {"ante": 0, "bonus": returned}
    losing = settle(
        LOWEST_QUALIFIER, hand(NINES, fold=True, bonus=500), tables=tables, options={"folded_keeps_bonus": True}
    )
    assert back(losing) == {"ante": 0, "bonus": 0}


# ------------------------------------------------------------------------------------------------- Cover All


JUNK = (
    *("Ac Qd 9s 5c 3d", "Ad Qs 9c 5d 3s", "As Qc 9d 5s 3c"),
    *("Kc Jd 8s 6c 2d", "Kd Js 8c 6d 2c", "Ks Jc 8d 6s 4c", "Tc Td 4d 4s 3h"),
)
"""Seven hands below three of a kind that share no card with each other or with the hands of COVER_ALL."""

COVER_ALL = {
    ROYAL: (500, 300, 250, 200, 150, 125, 100),
    STRAIGHT_FLUSH: (200, 125, 100, 90, 80, 70, 40),
    QUADS: (60, 40, 30, 20, 17, 15, 7),
    FULL_HOUSE: (40, 30, 20, 15, 12, 9, 6),
    FLUSH: (35, 20, 15, 10, 9, 7, 5),
    STRAIGHT: (25, 17, 10, 8, 7, 5, 4),
    TRIPS: (9, 6, 5, 4, 3, 3, 3),
}


@pytest.mark.clause("CSC-1")
def test_cover_all_is_optional_and_needs_an_ante() -> None:
    assert "cover_all" not in back(settle(LOWEST_QUALIFIER, hand(TRIPS)))
    assert back(settle(LOWEST_QUALIFIER, hand(TRIPS, cover_all=100)))["cover_all"] == 1000
    alone = {**hand(TRIPS), "wagers": {"cover_all": 100}}
    assert refused(LOWEST_QUALIFIER, alone) == "spots[0].wagers.ante"


@pytest.mark.clause("CSC-2")
@pytest.mark.parametrize(
    ("dealer", "second", "returned"),
    [
        pytest.param("As Kd 4c 3s 2d", "Qc Qd 9h 9s 5c", 0, id="two pair is not enough"),
        pytest.param("As Kd 4c 3s 2d", "Qc Qd Qh 9s 5c", 700, id="another player's three of a kind"),
        pytest.param("Qc Qd Qh 9s 5c", "As Kd 4c 3s 2d", 700, id="the dealer's three of a kind"),
    ],
)
def test_every_cover_all_wins_together_on_the_highest_hand_at_the_table(
    dealer: str, second: str, returned: int
) -> None:
    answer = settle(dealer, hand("Jc 8d 7h 6s 2c", cover_all=100), hand(second, 2, cover_all=100))
    assert [back(answer, place)["cover_all"] for place in (0, 1)] == [returned, returned]


@pytest.mark.clause("CSC-3")
@pytest.mark.parametrize("hands_dealt", range(2, 9))
@pytest.mark.parametrize("highest", COVER_ALL, ids=str)
def test_cover_all_pays_the_highest_hand_from_the_column_of_hands_dealt(highest: str, hands_dealt: int) -> None:
    dealer, *others = JUNK
    spots = [hand(highest, 1, cover_all=200)]
    spots += [hand(cards, number) for number, cards in enumerate(others[: hands_dealt - 2], start=2)]
    answer = settle(dealer, *spots)
    to_one = COVER_ALL[highest][hands_dealt - 2]
    assert back(answer)["cover_all"] == 200 + 200 * to_one


@pytest.mark.clause("CSC-3")
def test_only_the_single_highest_hand_pays() -> None:
    answer = settle(
        "Qc Qd Qh 9s 5c",
        hand(STRAIGHT_FLUSH, 1, cover_all=100),
        hand("2c 2d 2h 4s 3c", 2, cover_all=100),
    )
    assert [back(answer, place)["cover_all"] for place in (0, 1)] == [12_600, 12_600]


@pytest.mark.clause("CSC-A2")
def test_a_folded_hand_counts_as_the_highest_hand_unless_the_house_says_otherwise() -> None:
    dealer = "As Kd 4c 3s 2d"
    spots = hand("Jc 8d 7h 6s 2c", 1, cover_all=100), hand("Qc Qd Qh 9s 5c", 2, fold=True)
    assert back(settle(dealer, *spots))["cover_all"] == 700
    for counts, returned in ((True, 700), (False, 0)):
        answer = settle(dealer, *spots, options={"cover_all_counts_folded": counts})
        assert back(answer)["cover_all"] == returned


@pytest.mark.clause("CSC-A2", "CSC-3")
def test_a_folded_hand_was_dealt_and_stays_in_the_column_even_where_it_does_not_count() -> None:
    spots = hand("Qc Qd Qh 9s 5c", 1, cover_all=100), hand("Jc 8d 7h 6s 2c", 2, fold=True)
    answer = settle("As Kd 4c 3s 2d", *spots, options={"cover_all_counts_folded": False})
    assert back(answer)["cover_all"] == 700, "three hands dealt: 6 to 1, not the 9 to 1 of two"


@pytest.mark.clause("CSC-A4")
@pytest.mark.parametrize("counts", [True, False])
def test_the_cover_all_of_a_folded_spot_still_wins(counts: bool) -> None:
    folded = hand("Jc 8d 7h 6s 2c", 1, fold=True, cover_all=100)
    answer = settle("Qc Qd Qh 9s 5c", folded, options={"cover_all_counts_folded": counts})
    assert back(answer) == {"ante": 0, "cover_all": 1000}
    lines = [line for section in GAME.rule_card for line in section.lines if "CSC-A4" in line.clauses]
    assert [(line.text, line.fixed) for line in lines] == [("A spot that folded keeps its Cover All.", True)]


@pytest.mark.clause("CSC-A4", "CSC-A2")
def test_a_folded_spot_wins_cover_all_with_its_own_folded_hand() -> None:
    folded = hand("Qc Qd Qh 9s 5c", 1, fold=True, cover_all=100)
    assert back(settle("As Kd 4c 3s 2d", folded)) == {"ante": 0, "cover_all": 1000}
    without = settle("As Kd 4c 3s 2d", folded, options={"cover_all_counts_folded": False})
    assert back(without) == {"ante": 0, "cover_all": 0}
