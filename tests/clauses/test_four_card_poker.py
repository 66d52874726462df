"""Four Card Poker clause by clause: FC."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.clauses.ask import Answer, Table, back, beside, outcome, results, spot
from tests.table.table_kit import Opener, rooms

from houseway.cards import JOKER
from houseway.games.four_card_poker import GAME
from houseway.table.card_round.events import Reconciled

TABLE = Table(GAME, ante_bonus="1", aces_up="1", progressive="01")
QUADS = "7c 7d 7h 7s Kd"
STRAIGHT_FLUSH = "9h 8h 7h 6h 2c"
TRIPS = "Jc Jd Jh 8s 3d"
FLUSH = "Ah Jh 8h 3h 2c"
STRAIGHT = "Ts 9d 8h 7c 2c"
TWO_PAIR = "Jc Jd 8h 8s 3d"
ACES = "Ac Ad 9h 6s 3c"
KINGS = "Kc Kd 9h 6s 3c"
JACK_HIGH = "Jh 9s 8c 5d 3s"

LOW = "Ts 9c 6d 5h 4c 2s"
"""A dealer's hand that nearly everything beats: ten high."""
FOURS = "4c 4d 4h 4s 5c Tc"


def hand(cards: str, action: str = "1x", *, ante: int = 1000, **side: int) -> Answer:
    return spot(cards, action, ante=ante, **side)


@pytest.fixture
def open_room(tmp_path: Path) -> Iterator[Opener]:
    yield from rooms(tmp_path)


@pytest.mark.clause("FC-1")
def test_five_cards_for_a_spot_six_for_the_dealer_and_the_best_four_count() -> None:
    assert (len(GAME.deck), JOKER in GAME.deck) == (52, False)
    assert TABLE.refused(LOW, hand("9d 8d 7h 6s")) == "spots[0].cards"
    assert TABLE.refused(LOW, hand("9d 8d 7h 6s 5c 5d")) == "spots[0].cards"
    assert TABLE.refused("Ts 9c 6d 5h 4c", hand(ACES)) == "dealer"
    assert TABLE.refused(LOW, hand("9d 8d 7h 6s Jk")) == "spots[0].cards"
    # The dealer's pair is made with the sixth card; the fifth and sixth beside the best four count for nobody.
    assert outcome(TABLE.settle("Kh 9c 6d 5h 4c Ks", hand("Qc Qd 9h 6s 3c"))) == "lose"
    assert outcome(TABLE.settle("Kh Ks Jc 9s 8c 7c", hand("Kc Kd Jd 9h 3c"))) == "win"


@pytest.mark.clause("FC-1")
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("2c 2d 2h 2s 3c", "Ah Kh Qh Jh 3d 4s"),
        ("Ah 2h 3h 4h 9c", "Ac Ad As Kc Qd 7s"),
        ("2c 2d 2h 4s 3c", "Ah Kh Qh 9h 3d 4c"),
        ("7h 5h 3h 2h Kc", "Ac Kd Qh Js 2d 2s"),
        ("Ac 2d 3h 4s 9c", "Ad Ah Kc Kd 2s 9d"),
        ("2s 3d 4h 5s 9c", "Ac 2d 3h 4d 9d 9h"),
        ("3c 3d 2h 2s 9c", "Ac Ad Kh Qs 9d 7d"),
        ("2c 2d 9h 7s 4c", "Ac Kd Qh 9s 4d 3d"),
        ("Ac Kd 9h 5s 3c", "Ad Kh 8s 4c 3d 6d"),
    ],
)
def test_hands_are_ranked_as_at_crazy_4_poker(better: str, worse: str) -> None:
    assert outcome(TABLE.settle(worse, hand(better))) == "win"
    assert (
        outcome(TABLE.settle(f"{better} {beside(f'{better} {worse}', '6c', '8d', 'Ts')}", hand(worse[:14]))) == "lose"
    )


@pytest.mark.clause("FC-2")
def test_a_spot_bets_the_ante_or_aces_up_or_both_and_progressive_needs_the_ante() -> None:
    assert TABLE.refused(LOW, spot(ACES)) == "spots[0].wagers"
    assert back(TABLE.settle(LOW, hand(ACES))) == {"ante": 2000, "play": 2000}
    assert back(TABLE.settle(LOW, spot(ACES, aces_up=500))) == {"aces_up": 1000}
    assert back(TABLE.settle(LOW, hand(ACES, aces_up=300))) == {"ante": 2000, "play": 2000, "aces_up": 600}
    meters = {"meters": {"main": 1_000_000}, "seeds": {"main": 1_000_000}}
    assert TABLE.refused(LOW, spot(ACES, aces_up=500, progressive=100), **meters) == "spots[0].wagers.progressive"
    assert back(TABLE.settle(LOW, hand(ACES, progressive=100), **meters))["progressive"] == 0


@pytest.mark.clause("FC-3")
@pytest.mark.parametrize("times", [1, 2, 3])
def test_play_is_once_twice_or_three_times_the_ante_with_any_hand(times: int) -> None:
    for cards in (ACES, JACK_HIGH):
        answer = TABLE.settle("Ts 9c 6d 5h 4c 2s", hand(cards, f"{times}x", ante=700))
        assert answer["spots"][0]["wagers"]["play"] == {
            "result": "win", "wagered": 700 * times, "returned": 1400 * times
        }  # fmt: skip


@pytest.mark.clause("FC-3")
def test_a_fold_loses_the_ante_and_nothing_else_may_be_said() -> None:
    answer = TABLE.settle(LOW, hand(QUADS, "fold"))
    assert (outcome(answer), back(answer)) == ("fold", {"ante": 0})
    for action in ("4x", "0x", "play", "check"):
        assert TABLE.refused(LOW, hand(QUADS, action)) == "spots[0].actions[0]"
    assert TABLE.refused(LOW, spot(QUADS, ante=1000)).startswith("spots[0]."), "nothing said is no fold"
    assert TABLE.refused(LOW, hand(QUADS, play=1000)) == "spots[0].wagers.play"


@pytest.mark.clause("FC-4")
def test_the_dealer_always_plays_and_equal_hands_win_for_the_player() -> None:
    for dealer in (LOW, FOURS):
        assert TABLE.settle(dealer, hand(JACK_HIGH))["dealer"]["qualifies"] is None
    won = TABLE.settle("7s 6c 5h 3h 2c 8h", hand("Kc 9d 4d 3c 2h", "2x"))
    assert (outcome(won), results(won)) == ("lose", {"ante": "lose", "play": "lose"}), "the dealer has a straight"
    tied = TABLE.settle("Kh Ks Jc 9s 8c 7c", hand("Kc Kd Jd 9h 3c", "3x"))
    assert (outcome(tied), back(tied)) == ("win", {"ante": 2000, "play": 6000})
    higher = TABLE.settle(LOW, hand(JACK_HIGH, "2x"))
    assert (outcome(higher), back(higher)) == ("win", {"ante": 2000, "play": 4000})
    lower = TABLE.settle("Qs 9c 6d 5h 4c 2s", hand(JACK_HIGH, "2x"))
    assert (outcome(lower), back(lower)) == ("lose", {"ante": 0, "play": 0})


@pytest.mark.clause("FC-5")
@pytest.mark.parametrize(("table", "rows"), [("1", (25, 20, 2)), ("2", (30, 15, 2))])
@pytest.mark.parametrize("dealer", [LOW, FOURS])
def test_three_of_a_kind_or_better_is_paid_on_the_ante_whatever_the_dealer_holds(
    table: str, rows: tuple[int, ...], dealer: str
) -> None:
    for cards, to_one in zip(("7c 7d 7h 7s Kd", "Jh Qh Kh Th 2c", TRIPS), rows, strict=True):
        answer = TABLE.settle(dealer, hand(cards, "2x", ante=100), tables={"ante_bonus": table})
        assert answer["spots"][0]["wagers"]["ante_bonus"] == {
            "result": "win", "wagered": 0, "returned": 100 * to_one
        }  # fmt: skip
    assert "ante_bonus" not in back(TABLE.settle(dealer, hand(FLUSH), tables={"ante_bonus": table}))


@pytest.mark.clause("FC-5")
def test_a_folded_hand_has_no_ante_bonus() -> None:
    assert back(TABLE.settle(LOW, hand(QUADS, "fold"))) == {"ante": 0}


@pytest.mark.clause("FC-6")
@pytest.mark.parametrize(
    ("table", "rows"),
    [
        ("1", (50, 40, 9, 6, 4, 2, 1)),
        ("2", (50, 40, 7, 6, 5, 2, 1)),
        ("3", (50, 40, 8, 5, 4, 3, 1)),
        ("4", (50, 40, 8, 6, 4, 2, 1)),
        ("5", (50, 40, 7, 5, 4, 3, 1)),
    ],
)
def test_the_five_tables_of_aces_up(table: str, rows: tuple[int, ...]) -> None:
    hands = (QUADS, STRAIGHT_FLUSH, TRIPS, FLUSH, STRAIGHT, TWO_PAIR, ACES)
    for cards, to_one in zip(hands, rows, strict=True):
        for dealer in (beside(cards, "Tc 9c 6d 5h 4c 2s"), FOURS):
            answer = TABLE.settle(dealer, hand(cards, aces_up=100), tables={"aces_up": table})
            assert back(answer)["aces_up"] == 100 + 100 * to_one, (cards, dealer)
    for cards in (KINGS, JACK_HIGH):
        assert back(TABLE.settle(LOW, hand(cards, aces_up=100), tables={"aces_up": table}))["aces_up"] == 0


@pytest.mark.clause("FC-6")
def test_a_fold_loses_aces_up() -> None:
    assert back(TABLE.settle(LOW, hand(QUADS, "fold", aces_up=100))) == {"ante": 0, "aces_up": 0}


@pytest.mark.clause("FC-7")
def test_aces_up_alone_has_no_decision_and_no_outcome() -> None:
    answer = TABLE.settle(LOW, spot(ACES, aces_up=500))
    assert (outcome(answer), back(answer)) == (None, {"aces_up": 1000})
    assert TABLE.settle(LOW, {**spot(ACES, aces_up=500), "actions": []}) == answer
    for action in ("fold", "1x"):
        assert TABLE.refused(LOW, spot(ACES, action, aces_up=500)) == "spots[0].actions[0]"


@pytest.mark.clause("FC-1", "FC-7", "FC-8")
def test_the_first_card_of_the_dealer_is_seen_and_settling_runs_from_the_dealers_right(open_room: Opener) -> None:
    room = open_room("four-card-poker")
    room.bets({1: {"ante": 1000, "aces_up": 500}, 3: {"aces_up": 500}, 5: {"ante": 1000}})
    room.call()
    room.cards({1: TRIPS, 3: ACES, 5: "Qs Tc 9d 5d 4h", 0: "Ks 9c 6d 5h 4c 2s"})
    assert room.seen("player", "p1").dealer.split()[0] == "Ks"
    assert "9c" not in room.seen("player", "p1").dealer
    room.act(1, "2x")
    room.act(5, "fold")
    room.reveal()
    assert [step.spot for step in room.play().steps] == [3, 1], "a fold is settled when it is made"
    assert room.play().steps[-1].wagers == ("ante", "play", "ante_bonus", "aces_up")
    room.reconcile_all()
    assert [event.spot for event in room.events(Reconciled)][-2:] == [3, 1]
    assert GAME.reconcile == ("ante", "play", "ante_bonus", "aces_up", "progressive")
