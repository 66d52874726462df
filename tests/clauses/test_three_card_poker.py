"""Three Card Poker clause by clause: TC and TCB. (The progressive, TCX, is in test_awards.py.)"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.table.table_kit import Room

from houseway.adjudication import settle_object
from houseway.cards import DECK_52, JOKER, parse_cards, text_of
from houseway.games import approved_book
from houseway.games.round import PLAY, Round, Spot
from houseway.games.three_card_poker import GAME
from houseway.refusal import Refusal
from houseway.table.card_round.offers import wagers

STRAIGHT_FLUSH = "9h 8h 7h"
TRIPS = "9h 9d 9c"
STRAIGHT = "9h 8d 7h"
FLUSH = "9h 8h 6h"
PAIR = "9h 9d 6h"

QUEEN_HIGH = "Qs 3d 2c"
JACK_HIGH = "Js Td 8c"


def hand(cards: str, spot: int = 1, *, fold: bool = False, **wagers: int) -> dict[str, Any]:
    """A spot with the wagers named, an Ante of $10 where none is."""
    made = wagers or {"ante": 1000}
    entry: dict[str, Any] = {"spot": spot, "cards": cards, "wagers": made}
    if "ante" in made:
        entry["decision"] = {"fold": True} if fold else {"play": True}
    return entry


def settle(dealer: str, *spots: dict[str, Any], **fields: Any) -> dict[str, Any]:
    tables = {"ante_bonus": "A", "pair_plus": "A", "six_card_bonus": "TCP-6B1"} | fields.pop("tables", {})
    request = {"game": "three-card-poker", "dealer": dealer, "spots": list(spots), "tables": tables, **fields}
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


def rule_lines(clause: str) -> str:
    return " ".join(line.text for section in GAME.rule_card for line in section.lines if clause in line.clauses)


# ------------------------------------------------------------------------------------------- the base game


@pytest.mark.clause("TC-1")
def test_three_cards_each_from_52_cards() -> None:
    assert (len(GAME.deck), len(set(GAME.deck)), JOKER in GAME.deck) == (52, 52, False)
    dealt = GAME.deal(DECK_52, (7, 2), GAME.defaults)
    assert {spot: text_of(cards) for spot, cards in dealt.hands.items()} == {2: "2c 3c 4c", 7: "5c 6c 7c"}
    assert text_of(dealt.dealer) == "8c 9c Tc"
    assert dealt.face_up == (), "no card of the dealer is seen, the bottom one neither"
    assert "approved shuffler" in rule_lines("TC-1")
    assert refused("Qs 3d 2c 2d", hand(PAIR)) == "dealer"
    assert refused(QUEEN_HIGH, hand("9h 9d 6h 5h")) == "spots[0].cards"
    assert refused(QUEEN_HIGH, hand("9h 9d Jk")) == "spots[0].cards"
    assert refused(QUEEN_HIGH, hand("9h 9d Qs")) == "spots[0].cards", "the dealer has that queen"


def test_the_table_seats_seven() -> None:
    assert settle(QUEEN_HIGH, hand(PAIR, 7))["spots"][0]["spot"] == 7
    assert refused(QUEEN_HIGH, hand(PAIR, 8)) == "spots[0].spot"


@pytest.mark.clause("TC-2")
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        pytest.param("3h 2h Ah", "As Ad Ac", id="a straight flush beats three of a kind"),
        pytest.param("Ah Kh Qh", "Kd Qd Jd", id="A-K-Q is the highest straight flush"),
        pytest.param("4h 3h 2h", "3d 2d Ad", id="3-2-A is the lowest straight flush"),
        pytest.param("3h 3d 3c", "2h 2d 2c", id="three of a kind by rank"),
        pytest.param("2h 2d 2c", "Ah Kd Qc", id="three of a kind beats a straight"),
        pytest.param("Ah Kd Qc", "Kh Qd Jc", id="A-K-Q is the highest straight"),
        pytest.param("4h 3d 2c", "3h 2d Ac", id="3-2-A is the lowest straight"),
        pytest.param("3h 2d Ac", "Ah Kh Jh", id="a straight beats a flush"),
        pytest.param("Ah 4h 2h", "Kd Qd Td", id="the ace is high in a flush"),
        pytest.param("Ah Kh 9h", "Ad Kd 8d", id="flushes are told apart by their third card"),
        pytest.param("5h 3h 2h", "Ac Ad Kc", id="a flush beats a pair"),
        pytest.param("Ac Ad 2h", "Kc Kd Qh", id="pairs by rank, the ace high"),
        pytest.param("4c 4d 3h", "4h 4s 2h", id="pairs of one rank by the kicker"),
        pytest.param("2c 2d 3h", "Ah Kd Jc", id="a pair beats no pair"),
        pytest.param("Ah 4d 2c", "Kh Qd Tc", id="the ace is high"),
        pytest.param("Ah Kd 9c", "Ad Kc 8h", id="no pair: down to the third card"),
    ],
)
def test_the_ranking_of_three_cards(better: str, worse: str) -> None:
    assert settle(worse, hand(better))["spots"][0]["outcome"] == "win"
    assert settle(better, hand(worse))["spots"][0]["outcome"] == "lose"


@pytest.mark.clause("TC-2")
def test_k_a_2_is_no_straight() -> None:
    assert settle(JACK_HIGH, hand("Kh Ad 2c"))["spots"][0]["category"] == "high_card"


@pytest.mark.clause("TC-3")
def test_ante_alone_pair_plus_alone_or_both_in_different_amounts() -> None:
    assert back(settle(QUEEN_HIGH, hand(PAIR, ante=1000))) == {"ante": 2000, "play": 2000}
    assert back(settle(QUEEN_HIGH, hand(PAIR, pair_plus=300))) == {"pair_plus": 600}
    both = settle(QUEEN_HIGH, hand(PAIR, ante=1000, pair_plus=1))
    assert back(both) == {"ante": 2000, "play": 2000, "pair_plus": 2}
    other = settle(QUEEN_HIGH, hand(PAIR, ante=1, pair_plus=1000))
    assert back(other) == {"ante": 2, "play": 2, "pair_plus": 2000}
    assert refused(QUEEN_HIGH, {"spot": 1, "cards": PAIR, "wagers": {}}) == "spots[0].wagers"


@pytest.mark.clause("TC-3")
def test_the_house_may_require_the_ante() -> None:
    alone = hand(PAIR, pair_plus=300)
    assert back(settle(QUEEN_HIGH, alone, options={"ante_required": False})) == {"pair_plus": 600}
    assert refused(QUEEN_HIGH, alone, options={"ante_required": True}) == "spots[0].wagers.ante"
    both = settle(QUEEN_HIGH, hand(PAIR, ante=100, pair_plus=300), options={"ante_required": True})
    assert back(both) == {"ante": 200, "play": 200, "pair_plus": 600}


@pytest.mark.clause("TC-4")
def test_the_two_spots_of_one_player_are_two_independent_hands() -> None:
    option = next(option for option in GAME.options if option.name == "two_spots")
    assert (option.default, option.fits(True), option.fits(False)) == (False, True, True)
    tables = {"ante_bonus": approved_book().find(GAME.families, "ante_bonus", "A")}
    first = Spot(3, parse_cards(STRAIGHT, 3), {"ante": 1000}, (PLAY,), player="Ada")
    second = Spot(4, parse_cards("Jh 4d 2h", 3), {"ante": 500}, (PLAY,), player="Ada")
    options = {**GAME.defaults, "two_spots": True}
    together = GAME.settle(Round(parse_cards(QUEEN_HIGH, 3), (first, second), tables, options)).spots
    assert [spot.outcome for spot in together] == ["win", "lose"]
    assert {wager: entry.returned for wager, entry in together[0].wagers.items()} == {
        "ante": 2000,
        "play": 2000,
        "ante_bonus": 1000,
    }
    assert {wager: entry.returned for wager, entry in together[1].wagers.items()} == {"ante": 0, "play": 0}


@pytest.mark.clause("TC-6")
@pytest.mark.parametrize("ante", [1, 1000, 2_501])
def test_the_play_wager_equals_the_ante(ante: int) -> None:
    answer = settle(QUEEN_HIGH, hand(PAIR, ante=ante))
    assert answer["spots"][0]["wagers"]["play"] == {"result": "win", "wagered": ante, "returned": 2 * ante}


@pytest.mark.clause("TC-6")
@pytest.mark.parametrize("dealer", [QUEEN_HIGH, JACK_HIGH])
def test_a_fold_loses_the_ante_and_with_it_pair_plus(dealer: str) -> None:
    answer = settle(dealer, hand(STRAIGHT_FLUSH, fold=True, ante=1000, pair_plus=500))
    assert answer["spots"][0]["outcome"] == "fold"
    assert back(answer) == {"ante": 0, "pair_plus": 0}
    assert results(answer) == {"ante": "lose", "pair_plus": "lose"}


@pytest.mark.clause("TC-6")
@pytest.mark.parametrize(
    "decision", [{}, {"play": 2000}, {"play": True, "fold": True}, {"play": False}, {"play": True, "ante": 5}], ids=str
)
def test_an_ante_is_played_for_itself_or_folded_and_nothing_else(decision: dict[str, Any]) -> None:
    assert refused(QUEEN_HIGH, {**hand(PAIR), "decision": decision}) == "spots[0].decision"


@pytest.mark.clause("TC-7")
@pytest.mark.parametrize(
    ("dealer", "plays"),
    [
        ("Qs 3d 2c", True),
        ("Js Td 8c", False),
        ("Js Td 9c", True),
        ("5s 3s 2s", True),
        ("2s 2d 3c", True),
        ("3s 2d Ac", True),
        ("Ks 3d 2c", True),
        ("5s 3d 2c", False),
    ],
)
def test_the_dealer_plays_with_queen_high_or_better(dealer: str, plays: bool) -> None:
    answer = settle(dealer, hand("Kh Kd Kc"))
    assert answer["dealer"]["qualifies"] is plays
    assert back(answer)["play"] == (2000 if plays else 1000)


@pytest.mark.clause("TC-8")
@pytest.mark.parametrize("cards", ["5h 4d 2h", "Jh Tc 8h", PAIR])
def test_when_the_dealer_does_not_play_the_ante_wins_and_play_pushes(cards: str) -> None:
    answer = settle(JACK_HIGH, hand(cards))
    assert back(answer) == {"ante": 2000, "play": 1000}
    assert results(answer) == {"ante": "win", "play": "push"}
    assert answer["spots"][0]["outcome"] == "win"


@pytest.mark.clause("TC-9")
def test_when_the_dealer_plays_the_better_hand_decides_ante_and_play() -> None:
    won = settle(QUEEN_HIGH, hand("Qh 4d 2h"))
    assert (won["spots"][0]["outcome"], back(won)) == ("win", {"ante": 2000, "play": 2000})
    lost = settle("Qs 4c 2c", hand("Qh 3d 2h"))
    assert (lost["spots"][0]["outcome"], back(lost)) == ("lose", {"ante": 0, "play": 0})
    assert results(lost) == {"ante": "lose", "play": "lose"}


@pytest.mark.clause("TC-A1")
def test_equal_hands_push_unless_the_house_lets_them_lose() -> None:
    equal = hand("Qh 3h 2d")
    for options in ({}, {"equal_hands": "push"}):
        pushed = settle(QUEEN_HIGH, equal, options=options)
        assert (pushed["spots"][0]["outcome"], back(pushed)) == ("push", {"ante": 1000, "play": 1000})
        assert results(pushed) == {"ante": "push", "play": "push"}
    lost = settle(QUEEN_HIGH, equal, options={"equal_hands": "lose"})
    assert (lost["spots"][0]["outcome"], back(lost)) == ("lose", {"ante": 0, "play": 0})
    assert refused(QUEEN_HIGH, equal, options={"equal_hands": "win"}) == "options.equal_hands"


@pytest.mark.clause("TC-A1")
@pytest.mark.parametrize("equal_hands", ["push", "lose"])
def test_equal_hands_below_queen_high_win_because_the_dealer_does_not_play(equal_hands: str) -> None:
    answer = settle(JACK_HIGH, hand("Jh Tc 8h"), options={"equal_hands": equal_hands})
    assert back(answer) == {"ante": 2000, "play": 1000}


@pytest.mark.clause("TC-10")
@pytest.mark.parametrize(("table", "rows"), [("A", (5, 4, 1)), ("B", (5, 3, 1)), ("C", (4, 3, 1))])
@pytest.mark.parametrize(
    "dealer",
    [
        pytest.param(QUEEN_HIGH, id="the hand wins"),
        pytest.param(JACK_HIGH, id="the dealer does not play"),
        pytest.param("As Ks Qs", id="the hand loses"),
    ],
)
def test_the_ante_bonus_is_paid_on_the_ante_whatever_the_dealer_holds(
    table: str, rows: tuple[int, ...], dealer: str
) -> None:
    for cards, to_one in zip((STRAIGHT_FLUSH, TRIPS, STRAIGHT), rows, strict=True):
        answer = settle(dealer, hand(cards), tables={"ante_bonus": table})
        entry = answer["spots"][0]["wagers"]["ante_bonus"]
        assert entry == {"result": "win", "wagered": 0, "returned": 1000 * to_one}, cards


@pytest.mark.clause("TC-10")
def test_the_ante_bonus_begins_at_a_straight_and_is_not_paid_on_a_fold() -> None:
    assert "ante_bonus" not in back(settle(QUEEN_HIGH, hand(FLUSH)))
    assert "ante_bonus" not in back(settle(QUEEN_HIGH, hand(PAIR)))
    assert "ante_bonus" not in back(settle(QUEEN_HIGH, hand(STRAIGHT_FLUSH, fold=True)))
    assert "ante_bonus" not in back(settle(QUEEN_HIGH, hand(STRAIGHT_FLUSH, pair_plus=500)))


@pytest.mark.clause("TC-10")
def test_a_beaten_straight_loses_ante_and_play_and_keeps_its_bonus() -> None:
    answer = settle("Ts 9d 8c", hand("9h 8d 7h"))
    assert back(answer) == {"ante": 0, "play": 0, "ante_bonus": 1000}
    assert (answer["spots"][0]["outcome"], answer["spots"][0]["returned"]) == ("lose", 1000)


@pytest.mark.clause("TC-11")
@pytest.mark.parametrize(
    ("table", "rows"),
    [("A", (40, 30, 6, 4, 1)), ("B", (40, 25, 6, 4, 1)), ("C", (40, 30, 5, 4, 1)), ("D", (40, 30, 6, 3, 1))],
)
@pytest.mark.parametrize("dealer", [QUEEN_HIGH, JACK_HIGH, "As Ks Qs"])
def test_pair_plus_pays_a_pair_or_better_whatever_the_dealer_holds(
    table: str, rows: tuple[int, ...], dealer: str
) -> None:
    for cards, to_one in zip((STRAIGHT_FLUSH, TRIPS, STRAIGHT, FLUSH, PAIR), rows, strict=True):
        answer = settle(dealer, hand(cards, pair_plus=500), tables={"pair_plus": table})
        assert back(answer) == {"pair_plus": 500 + 500 * to_one}, cards
        beside = settle(dealer, hand(cards, ante=1000, pair_plus=500), tables={"pair_plus": table})
        assert back(beside)["pair_plus"] == 500 + 500 * to_one, cards
    assert back(settle(dealer, hand("Ah Kd Jh", pair_plus=500), tables={"pair_plus": table})) == {"pair_plus": 0}


@pytest.mark.clause("TC-11")
def test_pair_plus_alone_has_no_decision_and_no_outcome() -> None:
    answer = settle(QUEEN_HIGH, hand(PAIR, pair_plus=500))
    assert answer["spots"][0]["outcome"] is None
    assert settle(QUEEN_HIGH, {**hand(PAIR, pair_plus=500), "decision": {}}) == answer
    for decision in ({"play": True}, {"fold": True}):
        assert refused(QUEEN_HIGH, {**hand(PAIR, pair_plus=500), "decision": decision}) == "spots[0].decision"


@pytest.mark.clause("TC-12")
@pytest.mark.parametrize(
    ("designator", "ante_bonus", "trips", "straight", "flush"),
    [
        pytest.param("TCP-01", 4, 30, 6, 4, id="TCP-01 A/A"),
        pytest.param("TCP-02", 4, 25, 6, 4, id="TCP-02 A/B"),
        pytest.param("TCP-03", 3, 30, 6, 4, id="TCP-03 B/A"),
        pytest.param("TCP-04", 3, 25, 6, 4, id="TCP-04 B/B"),
        pytest.param("TCP-05", 3, 30, 6, 4, id="TCP-05 C/A"),
        pytest.param("TCP-06", 3, 25, 6, 4, id="TCP-06 C/B"),
        pytest.param("TCP-07", 4, 30, 5, 4, id="TCP-07 A/C"),
        pytest.param("TCP-08", 3, 30, 5, 4, id="TCP-08 B/C"),
        pytest.param("TCP-09", 3, 30, 5, 4, id="TCP-09 C/C"),
        pytest.param("TCP-10", 4, 30, 6, 3, id="TCP-10 A/D"),
        pytest.param("TCP-11", 3, 30, 6, 3, id="TCP-11 B/D"),
        pytest.param("TCP-12", 3, 30, 6, 3, id="TCP-12 C/D"),
    ],
)
def test_a_designator_names_an_ante_bonus_and_a_pair_plus_table(
    designator: str, ante_bonus: int, trips: int, straight: int, flush: int
) -> None:
    def pays(cards: str) -> dict[str, int]:
        request = {
            "game": "three-card-poker",
            "tables": {"designator": designator},
            "dealer": QUEEN_HIGH,
            "spots": [hand(cards, ante=100, pair_plus=100)],
        }
        return back(settle_object(request, approved_book()))

    # Tables B and C of the Ante Bonus differ in the straight flush alone: C pays 4.
    straight_flush = 4 if designator in ("TCP-05", "TCP-06", "TCP-09", "TCP-12") else 5
    assert pays(STRAIGHT_FLUSH) == {
        "ante": 200,
        "play": 200,
        "ante_bonus": 100 * straight_flush,
        "pair_plus": 4100,
    }
    assert pays(TRIPS) == {
        "ante": 200,
        "play": 200,
        "ante_bonus": 100 * ante_bonus,
        "pair_plus": 100 + 100 * trips,
    }
    assert pays(STRAIGHT)["pair_plus"] == 100 + 100 * straight
    assert pays(FLUSH)["pair_plus"] == 100 + 100 * flush


@pytest.mark.clause("TC-12")
def test_a_designator_beside_another_table_is_refused() -> None:
    spot = hand(PAIR, ante=100, pair_plus=100)
    assert refused(QUEEN_HIGH, spot, tables={"designator": "TCP-02"}) == "tables.designator"
    assert refused(QUEEN_HIGH, spot, tables={"designator": "TCP-13"}) == "tables.designator"
    assert back(settle(QUEEN_HIGH, spot, tables={"designator": "TCP-01"})) == {
        "ante": 200,
        "play": 200,
        "pair_plus": 200,
    }


@pytest.mark.clause("TC-13")
def test_another_order_of_reconciling_names_every_wager_once() -> None:
    option = next(option for option in GAME.options if option.name == "reconcile_order")
    assert option.default == "play ante_bonus ante pair_plus"
    assert option.fits("pair_plus ante play ante_bonus")
    assert not option.fits("play ante_bonus ante")
    assert not option.fits("play play ante_bonus ante")
    assert not option.fits("play ante_bonus ante pair_plus progressive")
    assert "from the dealer's right" in rule_lines("TC-13")


@pytest.mark.clause("TC-14")
def test_a_settled_spot_is_one_players_and_the_rule_card_says_so() -> None:
    mine, yours = hand(PAIR, 1), hand("Kh Kd 6c", 1)
    assert refused(QUEEN_HIGH, mine, yours) == "spots[1].spot", "no second player on a spot"
    assert refused(QUEEN_HIGH, {**mine, "against": 2}) == "spots[0].against"
    assert "do not bet with each other" in rule_lines("TC-14")


# --------------------------------------------------------------------------------------------- 6 Card Bonus


@pytest.mark.clause("TCB-1")
@pytest.mark.parametrize(
    ("cards", "dealer", "to_one"),
    [
        pytest.param("As Ks Qs", "Js Ts 2d", 1000, id="royal flush"),
        pytest.param("9s 8s 7s", "6s 5s Ad", 200, id="straight flush"),
        pytest.param("9s 9h 2d", "9d 9c Kd", 50, id="four of a kind"),
        pytest.param("9s 9h 2d", "2c 2h Kd", 25, id="full house"),
        pytest.param("As 9s 4s", "Ks 3s 2d", 20, id="flush"),
        pytest.param("As 2d 3h", "4s 5c Kd", 10, id="straight, the ace low"),
        pytest.param("9s 9h 2d", "9d Kc 4d", 5, id="three of a kind"),
        pytest.param("9s 9h 2d", "2c Kc Kd", None, id="three pairs are two pair"),
        pytest.param("5h 6h 7h", "8s 9h Kh", 20, id="straight and flush: five-card ranking, the flush"),
        pytest.param("9s 9h 2d", "9d Kc Kd", 25, id="trips and a pair: the full house"),
    ],
)
def test_the_best_five_of_the_players_and_the_dealers_cards(cards: str, dealer: str, to_one: int | None) -> None:
    answer = settle(dealer, hand(cards, ante=1000, six_card_bonus=100))
    assert back(answer)["six_card_bonus"] == (0 if to_one is None else 100 + 100 * to_one)


@pytest.mark.clause("TCB-1")
def test_the_bonus_is_optional_and_needs_an_ante() -> None:
    assert "six_card_bonus" not in back(settle(QUEEN_HIGH, hand(PAIR)))
    without_ante = hand(PAIR, pair_plus=100, six_card_bonus=100)
    assert refused(QUEEN_HIGH, without_ante) == "spots[0].wagers.six_card_bonus"


@pytest.mark.clause("TCB-2")
def test_the_bonus_stays_in_play_when_the_player_folds() -> None:
    answer = settle("9d Kc 4d", hand("9s 9h 2d", fold=True, ante=1000, six_card_bonus=100))
    assert back(answer) == {"ante": 0, "six_card_bonus": 600}


@pytest.mark.clause("TCB-3")
@pytest.mark.parametrize(
    ("table", "rows"),
    [
        ("TCP-6B1", (1000, 200, 50, 25, 20, 10, 5)),
        ("TCP-6B2", (1000, 200, 50, 25, 15, 10, 5)),
        ("TCP-6B3", (1000, 200, 100, 20, 15, 9, 8)),
        ("TCP-6B4", (1000, 200, 100, 20, 15, 10, 7)),
    ],
)
def test_the_four_tables_of_the_bonus(table: str, rows: tuple[int, ...]) -> None:
    rounds = (
        ("As Ks Qs", "Js Ts 2d"),
        ("9s 8s 7s", "6s 5s Ad"),
        ("9s 9h 2d", "9d 9c Kd"),
        ("9s 9h 2d", "2c 2h Kd"),
        ("As 9s 4s", "Ks 3s 2d"),
        ("As 2d 3h", "4s 5c Kd"),
        ("9s 9h 2d", "9d Kc 4d"),
    )
    for (cards, dealer), to_one in zip(rounds, rows, strict=True):
        spot = hand(cards, ante=1000, six_card_bonus=100)
        answer = settle(dealer, spot, tables={"six_card_bonus": table})
        assert back(answer)["six_card_bonus"] == 100 + 100 * to_one, (cards, dealer)


@pytest.mark.clause("TCB-4")
def test_a_dollar_is_advised_and_other_amounts_are_taken() -> None:
    wager = GAME.wager("six_card_bonus")
    assert wager is not None
    assert wager.advice_cents == 100
    assert "$1 wager is recommended" in rule_lines("TCB-4")
    answer = settle("9d Kc 4d", hand("9s 9h 2d", ante=1000, six_card_bonus=2500))
    assert back(answer)["six_card_bonus"] == 15_000


@pytest.mark.clause("TCB-4")
def test_another_six_card_bonus_than_a_dollar_draws_advice() -> None:
    assert GAME.advice({"ante": 1_000, "six_card_bonus": 100}) == ()
    assert GAME.advice({"ante": 1_000}) == ()
    assert GAME.advice({"ante": 1_000, "six_card_bonus": 2_500}) == (
        "6 Card Bonus of 2500 cents: 100 cents are recommended",
    )


@pytest.mark.clause("TC-A2")
@pytest.mark.parametrize("kind", ["virtual", "cards"])
def test_pair_plus_alone_carries_side_wagers_only_where_the_house_says_so(tmp_path: Path, kind: str) -> None:
    alone = {"pair_plus": 500, "six_card_bonus": 100}
    assert refused(JACK_HIGH, hand(PAIR, **alone)) == "spots[0].wagers.six_card_bonus"
    options = {"side_wagers_need_ante": False}
    assert back(settle(JACK_HIGH, hand(TRIPS, **alone), options=options)) == {
        "pair_plus": 500 * 31,
        "six_card_bonus": 600,
    }
    for need_ante in (True, False):
        folder = tmp_path / str(need_ante)
        folder.mkdir()
        room = Room(folder, "three-card-poker", kind=kind, options={"side_wagers_need_ante": need_ante})
        room.bets({1: alone | {"progressive": 1}})
        needs = {offer.wager: offer.needs for offer in wagers(room.felt())}
        expected = "ante" if need_ante else ""
        assert (needs["six_card_bonus"], needs["progressive"]) == (expected, expected), "as the screen offers them"
        if need_ante:
            assert "needs a wager on ante" in room.refused(room.no_more_bets).sentence
        else:
            room.call()
            room.cards({1: TRIPS, 0: JACK_HIGH})
            room.reveal()
            assert room.hand(1).lines["six_card_bonus"].returned == 600
        room.floor.close()
