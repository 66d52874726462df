"""Crazy 4 Poker clause by clause: CF."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.clauses.ask import Answer, Table, back, beside, outcome, results, spot
from tests.table.table_kit import Opener, rooms

from houseway.cards import JOKER, text_of
from houseway.games.crazy_four_poker import GAME
from houseway.table.card_round.events import Reconciled

TABLE = Table(GAME, queens_up="1", progressive="01")
FOUR_ACES = "Ac Ad Ah As 9d"
QUADS = "7c 7d 7h 7s Kd"
STRAIGHT_FLUSH = "9h 8h 7h 6h 2c"
TRIPS = "Jc Jd Jh 8s 3d"
FLUSH = "Ah Jh 8h 3h 2c"
STRAIGHT = "Ts 9d 8h 7c 2c"
TWO_PAIR = "Jc Jd 8h 8s 3d"
ACES = "Ac Ad 9h 6s 3c"
QUEENS = "Qd Qh 9h 6s 3c"
JACKS = "Jd Jh 9h 6s 3c"

KING_HIGH = "Ks 9c 6d 5h 2s"
"""The lowest kind of hand that qualifies."""
NO_QUALIFIER = "Qs Jc 9c 5h 2s"
KINGS_AND_TENS = "Kh Ks Td Tc 4s"


def hand(cards: str, action: str = "1x", *, ante: int = 1000, **side: int) -> Answer:
    return spot(cards, action, ante=ante, super_bonus=ante, **side)


@pytest.fixture
def open_room(tmp_path: Path) -> Iterator[Opener]:
    yield from rooms(tmp_path)


@pytest.mark.clause("CF-1")
def test_five_cards_each_of_52_and_the_best_four_count() -> None:
    assert (len(GAME.deck), JOKER in GAME.deck, GAME.dealer_face_up) == (52, False, ())
    for cards in ("9c 8d 7h 6s", "9c 8d 7h 6s 5c 5d", "9c 8d 7h 6s Jk", "Ks 8d 7h 6s 5c"):
        assert TABLE.refused(KING_HIGH, hand(cards)) == "spots[0].cards"
    assert TABLE.refused("Ks 9c 6d 5h", hand(STRAIGHT)) == "dealer"
    # The fifth card counts for nobody, wherever it lies: equal fours push, whoever holds the higher fifth.
    own = ["Ks", "Kh", "Qs", "Jd", "2c"]
    for first in range(5):
        answer = TABLE.settle("Kd Kc Qh Jh 9s", hand(" ".join(own[first:] + own[:first])))
        assert (outcome(answer), back(answer)) == ("push", {"ante": 1000, "play": 1000, "super_bonus": 1000})


@pytest.mark.clause("CF-2")
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        pytest.param("2c 2d 2h 2s 3c", "Ah Kh Qh Jh 3d", id="four of a kind beats a straight flush"),
        pytest.param("Ah 2h 3h 4h 9c", "Ac Ad As Kc Qd", id="a straight flush beats three of a kind"),
        pytest.param("5h 4h 3h 2h 9c", "Ad 2d 3d 4d 9s", id="A-2-3-4 is the lowest straight flush"),
        pytest.param("2c 2d 2h 4s 3c", "Ah Kh Qh 9h 3d", id="three of a kind beats a flush"),
        pytest.param("3c 3d 3h 4s 2c", "2d 2h 2s Ac Kd", id="the rank of the three counts first"),
        pytest.param("7h 5h 3h 2h Kc", "Ac Kd Qh Js 2d", id="a flush beats a straight"),
        pytest.param("Ah Kh 9h 5h 2c", "As Ks 9s 4s 2d", id="flushes are told apart by their fourth card"),
        pytest.param("Ac 2d 3h 4s 9c", "Ad Ah Kc Kd 2s", id="a straight, even A-2-3-4, beats two pair"),
        pytest.param("2s 3d 4h 5s 9c", "Ac 2d 3h 4d 9d", id="A-2-3-4 is the lowest straight"),
        pytest.param("Ac Kd Qh Js 2d", "Kc Qd Jh Ts 2s", id="the ace-high straight is the highest"),
        pytest.param("3c 3d 2h 2s 9c", "Ac Ad Kh Qs 9d", id="two pair beats a pair"),
        pytest.param("Ac Ad 3h 3s 9c", "Kc Kd Qh Qs 9d", id="two pair: the higher pair counts first"),
        pytest.param("Ac Ad 4h 4s 2c", "Ah As 3c 3d Kc", id="two pair: then the lower pair"),
        pytest.param("2c 2d 9h 7s 4c", "Ac Kd Qh 9s 4d", id="a pair beats no pair"),
        pytest.param("Kc Kd 9h 5s 2c", "Kh Ks 9c 4s 3c", id="pairs are told apart by two kickers"),
        pytest.param("Ac Kd 9h 5s 3c", "Ad Kh 9s 4c 3d", id="no pair: down to the fourth card"),
    ],
)
def test_the_ranking_of_four_cards(better: str, worse: str) -> None:
    assert outcome(TABLE.settle(worse, hand(better))) == "win"
    assert outcome(TABLE.settle(better, hand(worse))) == "lose"


@pytest.mark.clause("CF-3")
def test_ante_and_super_bonus_are_required_and_equal_and_the_rest_is_optional() -> None:
    assert TABLE.refused(KING_HIGH, spot(ACES, "1x", super_bonus=1000)) == "spots[0].wagers.ante"
    assert TABLE.refused(KING_HIGH, spot(ACES, "1x", ante=1000)) == "spots[0].wagers.super_bonus"
    assert TABLE.refused(KING_HIGH, spot(ACES, "1x", ante=1000, super_bonus=500)) == "spots[0].wagers.super_bonus"
    assert TABLE.refused(KING_HIGH, hand(ACES, play=1000)) == "spots[0].wagers.play"
    answer = TABLE.settle(
        KING_HIGH, hand(ACES, queens_up=500, progressive=100),
        meters={"main": 100_000_00}, seeds={"main": 10_000_00},
    )  # fmt: skip
    assert back(answer) == {"ante": 2000, "play": 2000, "super_bonus": 1000, "queens_up": 1000, "progressive": 0}


@pytest.mark.clause("CF-4")
@pytest.mark.parametrize("times", [1, 2, 3])
def test_aces_or_better_may_bet_up_to_three_times_the_ante(times: int) -> None:
    answer = TABLE.settle(KING_HIGH, hand(ACES, f"{times}x", ante=700))
    assert answer["spots"][0]["wagers"]["play"] == {"result": "win", "wagered": 700 * times, "returned": 1400 * times}


@pytest.mark.clause("CF-4")
@pytest.mark.parametrize(
    ("cards", "more"),
    [("Kc Kd Qh Jh 9h", False), ("Ac Kd Qh Th 9h", False), (ACES, True), ("2c 2d 3h 3s 9h", True), (FLUSH, True)],
)
def test_lower_hands_bet_the_ante_once_or_fold(cards: str, more: bool) -> None:
    dealer = "Ks 8c 6d 5s 4s" if cards != FLUSH else KING_HIGH
    for action in ("2x", "3x"):
        if more:
            assert TABLE.settle(dealer, hand(cards, action))["spots"][0]["wagers"]["play"]["wagered"] in (2000, 3000)
        else:
            assert TABLE.refused(dealer, hand(cards, action)) == "spots[0].actions[0]"
    assert TABLE.settle(dealer, hand(cards, "1x"))["spots"][0]["wagers"]["play"]["wagered"] == 1000
    for action in ("4x", "0x", "play", "check"):
        assert TABLE.refused(dealer, hand(cards, action)) == "spots[0].actions[0]"


@pytest.mark.clause("CF-4")
@pytest.mark.parametrize("dealer", [KING_HIGH, NO_QUALIFIER])
def test_a_fold_loses_ante_and_super_bonus_and_makes_no_play(dealer: str) -> None:
    answer = TABLE.settle(dealer, hand(FOUR_ACES, "fold"))
    assert (outcome(answer), back(answer)) == ("fold", {"ante": 0, "super_bonus": 0})


@pytest.mark.clause("CF-5")
@pytest.mark.parametrize(
    ("dealer", "qualifies"),
    [
        ("Ks 5c 4d 3h 9s", True),
        ("Qs Jc Td 8h 6s", False),
        ("As 9c 5d 4h 7s", True),
        ("2s 2c 5d 4h 8s", True),
        ("Qc Qd 5c 4h 8s", True),
        ("2s 3c 4d 5h 9s", True),
    ],
)
def test_the_dealer_qualifies_with_king_high_or_better(dealer: str, qualifies: bool) -> None:
    assert TABLE.settle(dealer, hand(beside(dealer, TRIPS, "9c 9d 9h Ts 3d")))["dealer"]["qualifies"] is qualifies


@pytest.mark.clause("CF-5", "CF-A1")
@pytest.mark.parametrize("cards", ["Td 9h 7h 4s 3c", "Qd Jd 9s 5s 2c", JACKS])
def test_without_a_qualifier_play_wins_and_ante_pushes_whatever_the_spot_holds(cards: str) -> None:
    answer = TABLE.settle(NO_QUALIFIER, hand(cards))
    assert results(answer) == {"ante": "push", "play": "win", "super_bonus": "push"}
    assert (outcome(answer), back(answer)) == ("win", {"ante": 1000, "play": 2000, "super_bonus": 1000})


@pytest.mark.clause("CF-A1")
def test_a_worse_hand_than_one_that_does_not_qualify_still_wins_its_play() -> None:
    assert back(TABLE.settle("Qs Jc 9c 5h 2s", hand("Td 8d 7h 4s 3c", ante=300)))["play"] == 600


@pytest.mark.clause("CF-6")
def test_against_a_qualifier_the_better_hand_wins_equal_hands_push_and_a_worse_one_loses_both() -> None:
    won = TABLE.settle(KING_HIGH, hand(JACKS))
    assert (outcome(won), back(won)) == ("win", {"ante": 2000, "play": 2000, "super_bonus": 1000})
    tied = TABLE.settle("Ks 9c 6d 5h 2s", hand("Kd 9h 6s 5d 3c"))
    assert (outcome(tied), back(tied)) == ("push", {"ante": 1000, "play": 1000, "super_bonus": 1000})
    lost = TABLE.settle(KINGS_AND_TENS, hand(JACKS))
    assert (outcome(lost), back(lost)) == ("lose", {"ante": 0, "play": 0, "super_bonus": 0})


@pytest.mark.clause("CF-7")
@pytest.mark.parametrize(
    ("cards", "won"),
    [(FOUR_ACES, 2000), (QUADS, 300), (STRAIGHT_FLUSH, 150), (TRIPS, 20), (FLUSH, 15), (STRAIGHT, 10)],
)
@pytest.mark.parametrize(
    "dealers",
    [(KING_HIGH,), ("Qs Jc 9c 5h 4s", "Qs Td 9c 5h 4s"), ("4c 4d 4h 4s 5c",)],
    ids=["king high", "no qualifier", "four of a kind"],
)
def test_super_bonus_pays_a_straight_or_better_whatever_the_dealer_holds(
    cards: str, won: int, dealers: tuple[str, ...]
) -> None:
    answer = TABLE.settle(beside(cards, *dealers), hand(cards, ante=10))
    assert back(answer)["super_bonus"] == 10 + won


@pytest.mark.clause("CF-7")
def test_super_bonus_pays_a_hand_that_loses() -> None:
    answer = TABLE.settle(QUADS, hand("Ts 9s 8s 6s 2c", ante=101))
    assert results(answer) == {"ante": "lose", "play": "lose", "super_bonus": "win"}
    assert back(answer)["super_bonus"] == 101 + 151, "3 to 2, rounded down to the cent"


@pytest.mark.clause("CF-8")
@pytest.mark.parametrize(
    ("dealer", "cards", "returned"),
    [
        (KING_HIGH, TWO_PAIR, 1000),
        ("Ks 9c 6d 5h 2s", "Kd 9h 6s 5d 3c", 1000),
        (NO_QUALIFIER, "Td 8d 7h 4s 3c", 1000),
        (KINGS_AND_TENS, TWO_PAIR, 0),
        (KING_HIGH, "Qs Jc 9d 5d 3s", 0),
    ],
    ids=["wins", "ties", "no qualifier", "two pair that loses", "queen high that loses"],
)
def test_below_a_straight_super_bonus_pushes_unless_the_hand_loses(dealer: str, cards: str, returned: int) -> None:
    assert back(TABLE.settle(dealer, hand(cards)))["super_bonus"] == returned


@pytest.mark.clause("CF-9")
@pytest.mark.parametrize(
    ("table", "rows"),
    [
        ("1", (50, 40, 8, 4, 3, 2, 1)),
        ("2", (50, 30, 9, 4, 3, 2, 1)),
        ("3", (50, 30, 8, 4, 3, 2, 1)),
        ("4", (50, 40, 7, 4, 3, 2, 1)),
    ],
)
def test_the_four_tables_of_queens_up(table: str, rows: tuple[int, ...]) -> None:
    hands = (QUADS, STRAIGHT_FLUSH, TRIPS, FLUSH, STRAIGHT, TWO_PAIR, QUEENS)
    for cards, to_one in zip(hands, rows, strict=True):
        for dealer in ("Ks 5c 4d 9c Tc", "4c 4d 4h 4s 5c"):
            answer = TABLE.settle(dealer, hand(cards, queens_up=100), tables={"queens_up": table})
            assert back(answer)["queens_up"] == 100 + 100 * to_one, (cards, dealer)
    assert back(TABLE.settle(KING_HIGH, hand(JACKS, queens_up=100)))["queens_up"] == 0
    assert back(TABLE.settle(KING_HIGH, hand("Ac Kd Qh Th 9s", queens_up=100)))["queens_up"] == 0


@pytest.mark.clause("CF-9")
@pytest.mark.parametrize(("options", "returned"), [({}, 0), ({"folded_keeps_queens_up": True}, 900)])
def test_queens_up_loses_with_a_fold_unless_the_house_keeps_it(options: dict[str, Any], returned: int) -> None:
    answer = TABLE.settle(KING_HIGH, hand(TRIPS, "fold", queens_up=100), options=options)
    assert back(answer) == {"ante": 0, "super_bonus": 0, "queens_up": returned}


@pytest.mark.clause("CF-1", "CF-10")
def test_the_deal_is_face_down_and_settling_runs_from_the_dealers_right(open_room: Opener) -> None:
    room = open_room("crazy-four-poker")
    placed = {"ante": 1000, "super_bonus": 1000}
    room.bets({1: placed | {"queens_up": 500}, 3: placed | {"progressive": 1}, 5: placed})
    room.call()
    room.cards({1: ACES, 3: TWO_PAIR, 5: "Qs Jh 9d 5d 4c", 0: "Ks 9c 6d 5h 2s"})
    assert room.seen("player", "p1").dealer == "?? ?? ?? ?? ??", "no card of the dealer's is seen"
    room.act(1, "3x")
    room.act(3, "1x")
    room.act(5, "fold")
    room.reveal()
    assert [step.spot for step in room.play().steps] == [3, 1], "a fold is settled when it is made"
    assert room.play().steps[-1].wagers == ("ante", "play", "super_bonus", "queens_up")
    room.reconcile_all()
    assert [event.spot for event in room.events(Reconciled)][-2:] == [3, 1]
    assert GAME.reconcile == ("ante", "play", "super_bonus", "queens_up", "progressive")
    assert text_of(room.hand(1).cards) == ACES
