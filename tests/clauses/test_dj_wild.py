"""DJ Wild Stud Poker clause by clause: DJ."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.clauses.ask import Answer, Table, back, categories, outcome, spot
from tests.table.table_kit import Opener, rooms

from houseway.cards import JOKER
from houseway.games.dj_wild import GAME
from houseway.table.card_round.events import Reconciled

TABLE = Table(GAME)
LOW = "Tc 8d 7d 5h 3s"
"""Ten high: the dealer always plays."""
THREES = "3c 3d 3h 3s 5c"


def hand(cards: str, action: str = "play", *, ante: int = 1000, number: int = 1) -> Answer:
    return spot(cards, action, number=number, ante=ante, blind=ante)


@pytest.fixture
def open_room(tmp_path: Path) -> Iterator[Opener]:
    yield from rooms(tmp_path)


@pytest.mark.clause("DJ-1")
def test_53_cards_and_deuces_and_joker_stand_for_any_card() -> None:
    assert (len(GAME.deck), len(set(GAME.deck)), JOKER in GAME.deck) == (53, 53, True)
    for wild in ("2c", "2d", "2h", "2s", "Jk"):
        assert categories(TABLE.settle(LOW, hand(f"9c 9d Kh Js {wild}"))) == ["three_of_a_kind"]
        assert categories(TABLE.settle(LOW, hand(f"9c Td Jh Qs {wild}"))) == ["straight"]
        assert categories(TABLE.settle(LOW, hand(f"9c 9d Kh Ks {wild}"))) == ["full_house"]
    assert categories(TABLE.settle(LOW, hand("Ac 3d 4h 5s Jk"))) == ["straight"], "the joker may be a deuce"
    assert TABLE.settle("9c 9d Kh Js Jk", hand("3c 4d 5h 6h Ts"))["dealer"]["category"] == "three_of_a_kind"


@pytest.mark.clause("DJ-2")
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        pytest.param("2c 2d 2h 2s Jk", "Ah Kh Qh Jh Th", id="five wilds beat a royal flush"),
        pytest.param("Ah 2c 2d Jk Th", "Kc Kd Kh Ks 2h", id="a royal flush with wilds beats five of a kind"),
        pytest.param("2c 2d 2h Jk As", "Kc Kd Kh Ks 2s", id="four wilds and an ace are a royal flush"),
        pytest.param("3c 3d 3h 3s 2c", "Kh Qh Jh Th 9h", id="five of a kind beats a straight flush"),
        pytest.param("Kc Kd 2h 2s Jk", "Qc Qd Qh Qs 2d", id="five kings beat five queens"),
        pytest.param("Ah 3h 4h 5h 2c", "Kc Kd Kh 2s Ac", id="a straight flush beats four of a kind"),
        pytest.param("3c 3d 2h 2s 5c", "Ac Ad Ks Kh Jk", id="four of a kind beats a full house"),
        pytest.param("3c 3d 4h 4s 2d", "Ah Kh 9h 5h 3h", id="a full house beats a flush"),
        pytest.param("8h 6h 5h 3h 9h", "Ac Kd Qh Js 2d", id="a flush beats a straight"),
        pytest.param("Ac 3d 4h 5s 2c", "Ad As Ah Kc 9d", id="a straight beats three of a kind"),
        pytest.param("3c 3d 2h 5s 7c", "Ac Ad Kh Ks 9d", id="three of a kind beats two pair"),
        pytest.param("3c 3d 4h 4s 6c", "Ac Ad Kh Qs 9d", id="two pair beats a pair"),
        pytest.param("4c 4d 5h 6s 9c", "Ac Kd Qh Js 9d", id="a pair beats a high card"),
    ],
)
def test_the_ranking_with_wild_cards(better: str, worse: str) -> None:
    assert outcome(TABLE.settle(worse, hand(better))) == "win"
    assert outcome(TABLE.settle(better, hand(worse))) == "lose"


@pytest.mark.clause("DJ-A1")
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        pytest.param("Ah Kh 9h 5h 3h", "As Qs 9s 5s 3s", id="flushes without wilds are told apart as ever"),
        pytest.param("Kh 9h 5h 4h 2c", "As Qs 9s 5s 3s", id="the wild card is the ace where that is missing"),
        pytest.param("Ah 9h 5h 4h 2c", "As Qs 9s 5s 3s", id="beside an ace the wild card is the king, not an ace"),
        pytest.param("Ah Kh Jh 6h 2c", "As Ks 2d 7s 4s", id="beside ace and king it is the queen"),
    ],
)
def test_in_a_flush_a_wild_card_is_the_highest_rank_it_lacks(better: str, worse: str) -> None:
    assert outcome(TABLE.settle(worse, hand(better))) == "win"
    assert outcome(TABLE.settle(better, hand(worse))) == "lose"


@pytest.mark.clause("DJ-A1")
def test_two_flushes_filled_from_the_top_are_equal() -> None:
    assert outcome(TABLE.settle("Ac Kc 9c 5c 3c", hand("Ah 9h 5h 3h 2d"))) == "push"


@pytest.mark.clause("DJ-3", "DJ-7")
def test_nothing_of_the_dealers_is_seen_and_settling_runs_from_the_dealers_right(open_room: Opener) -> None:
    assert TABLE.refused(LOW, hand("9c 9d Kh Js")) == "spots[0].cards"
    assert TABLE.refused("Tc 8d 7d 5h", hand("9c 9d Kh Js 4c")) == "dealer"
    room = open_room("dj-wild", linked=False)
    room.bets({spot_number: {"ante": 1000, "blind": 1000} for spot_number in (1, 3, 5)})
    room.call()
    room.cards({1: "9c 9d Kh Js 4c", 3: "2c 2d 2h 2s Jk", 5: "Qs Jh 9h 5d 4h", 0: LOW})
    assert room.seen("player", "p1").dealer == "?? ?? ?? ?? ??"
    room.act(1, "play")
    room.act(3, "play")
    room.act(5, "fold")
    room.reveal()
    assert [step.spot for step in room.play().steps] == [3, 1], "a fold is settled when it is made"
    assert room.play().steps[-1].wagers == ("play", "ante", "blind")
    room.reconcile_all()
    assert [event.spot for event in room.events(Reconciled)][-2:] == [3, 1]
    assert GAME.reconcile == ("play", "ante", "blind")


@pytest.mark.clause("DJ-4")
def test_ante_and_blind_are_required_and_equal_and_there_is_no_progressive() -> None:
    cards = "9c 9d Kh Js 4c"
    assert TABLE.refused(LOW, spot(cards, "play", ante=1000)) == "spots[0].wagers.blind"
    assert TABLE.refused(LOW, spot(cards, "play", blind=1000)) == "spots[0].wagers.ante"
    assert TABLE.refused(LOW, spot(cards, "play", ante=1000, blind=999)) == "spots[0].wagers.blind"
    for wager in ("progressive", "trips"):
        assert TABLE.refused(LOW, spot(cards, "play", ante=1000, blind=1000, **{wager: 100})) == (
            f"spots[0].wagers.{wager}"
        )
    assert GAME.progressive is None
    assert "not offered" in TABLE.lines("DJ-4")


@pytest.mark.clause("DJ-5")
@pytest.mark.parametrize("ante", [1, 1000, 2501])
def test_play_is_exactly_twice_the_ante(ante: int) -> None:
    answer = TABLE.settle(LOW, hand("9c 9d Kh Js 4c", ante=ante))
    assert answer["spots"][0]["wagers"]["play"] == {"result": "win", "wagered": 2 * ante, "returned": 4 * ante}
    for action in ("1x", "2x", "check"):
        assert TABLE.refused(LOW, hand("9c 9d Kh Js 4c", action)) == "spots[0].actions[0]"


@pytest.mark.clause("DJ-5")
def test_a_fold_loses_ante_and_blind() -> None:
    answer = TABLE.settle(LOW, hand("2c 2d 2h 2s Jk", "fold"))
    assert (outcome(answer), back(answer)) == ("fold", {"ante": 0, "blind": 0})


@pytest.mark.clause("DJ-6")
@pytest.mark.parametrize(
    ("cards", "to_one"),
    [
        ("2c 2d 2h 2s Jk", 1000),
        ("Ah Kh Qh Jh 2c", 50),
        ("9c 9d 9h 9s 2c", 10),
        ("9h 8h 7h 6h 2c", 9),
        ("9c 9d 9h 2s 4d", 4),
        ("9c 9d Kh Ks 2d", 3),
        ("Kh 9h 6h 4h 8h", 2),
        ("9c Td Jh Qs 2c", 1),
        ("9c 9d Kh Js 2c", 0),
        ("Ah Kd Qh 9s 4d", 0),
    ],
)
def test_a_winning_blind_is_paid_by_the_hand_and_comes_back_below_the_last_row(cards: str, to_one: int) -> None:
    answer = TABLE.settle(LOW, hand(cards, ante=100))
    assert answer["dealer"]["qualifies"] is None
    assert (outcome(answer), back(answer)) == ("win", {"ante": 200, "play": 400, "blind": 100 + 100 * to_one})


@pytest.mark.clause("DJ-6")
def test_equal_hands_push_all_three_and_a_worse_hand_loses_all_three() -> None:
    tied = TABLE.settle("9c Td Jh Qs Kc", hand("9d Ts Js Qd Kd"))
    assert (outcome(tied), back(tied)) == ("push", {"ante": 1000, "play": 2000, "blind": 1000})
    lost = TABLE.settle(THREES, hand("9c Td Jh Qs 2c"))
    assert (outcome(lost), back(lost)) == ("lose", {"ante": 0, "play": 0, "blind": 0})
