"""6 Card Fortune Pai Gow Poker clause by clause: PG, PGD, PGF, PGI. (Fortune envy and PGP are in test_awards.py.)"""

from __future__ import annotations

from typing import Any

import pytest

from houseway.adjudication import settle_object
from houseway.cards import DECK_53, text_of
from houseway.games import approved_book
from houseway.games.six_card_pai_gow import GAME
from houseway.refusal import Refusal

KINGS_AND_NINE = "Kh Kd 9c 7s 4h 2d"
"""As the house way sets it: kings with 7-4-2, the nine low."""
SEVENS_AND_KING = "7h 7d Kc 6s 4h 2d"
EIGHTS_AND_KING = "8h 8d Kc 6s 4h 2d"
KING_HIGH = "Ks Jd 9h 7c 5s 3d"


def hand(cards: str, spot: int = 1, *, low: str = "", double: int = 0, **wagers: int) -> dict[str, Any]:
    """A spot with a base wager of $10, set the house way unless a low card is named."""
    decision: dict[str, Any] = {"low": low} if low else {"house_way": True}
    if double:
        decision["double_down"] = double
    return {"spot": spot, "cards": cards, "wagers": {"base": 1000, **wagers}, "decision": decision}


def settle(dealer: str, *spots: dict[str, Any], **fields: Any) -> dict[str, Any]:
    request = {"game": "six-card-pai-gow", "dealer": dealer, "spots": list(spots), **fields}
    return settle_object(request, approved_book())


def refused(dealer: str, *spots: dict[str, Any], **fields: Any) -> str:
    """The field that a wrong request is refused for."""
    with pytest.raises(Refusal) as refusal:
        settle(dealer, *spots, **fields)
    return refusal.value.field


def outcome(dealer: str, *spots: dict[str, Any]) -> str:
    return str(settle(dealer, *spots)["spots"][0]["outcome"])


def back(answer: dict[str, Any], place: int = 0) -> dict[str, int]:
    """What every wager of a spot gives back, in cents."""
    return {wager: entry["returned"] for wager, entry in answer["spots"][place]["wagers"].items()}


def others(cards: str) -> str:
    """Six cards for the other side of the felt."""
    held = cards.split()
    return " ".join([card for card in text_of(DECK_53[::5]).split() if card not in held][:6])


def rule_lines(clause: str) -> list[tuple[str, bool]]:
    return [(line.text, line.fixed) for part in GAME.rule_card for line in part.lines if clause in line.clauses]


# ---------------------------------------------------------------------------------------- joker and ranking


@pytest.mark.clause("PG-1")
@pytest.mark.parametrize(
    ("cards", "category"),
    [
        pytest.param("Jk Kd Th 8c 5s 2d", "high_card", id="an ace: ace high"),
        pytest.param("Jk Ad Th 8c 5s 2d", "pair", id="an ace: a pair of aces"),
        pytest.param("Jk Ks Kd 9h 5c 3s", "pair", id="not a third king"),
        pytest.param("Jk 9s 9d 5h 5c 2s", "two_pair", id="not a third nine"),
        pytest.param("Jk Ad As Th 8c 5s", "three_of_a_kind", id="an ace: three aces"),
        pytest.param("Jk 9s 9d 9h 5c 2s", "three_of_a_kind", id="not a fourth nine"),
        pytest.param("Jk 9s 8d 6h 5c 2s", "straight", id="completes a straight inside"),
        pytest.param("Jk Ad Ks Qh Jc 4d", "straight", id="a straight before a pair of aces"),
        pytest.param("Jk As 9s 5s 3s Kd", "flush", id="completes a flush"),
        pytest.param("Jk As Ad 9s 5s 3s", "flush", id="a flush before three aces"),
        pytest.param("Jk Ad As Kh Kc 5s", "full_house", id="an ace: aces full"),
        pytest.param("Jk Ad As Ah Kc 5s", "four_of_a_kind", id="an ace: four aces"),
        pytest.param("Jk 9s 8s 6s 5s Ad", "straight_flush", id="completes a straight flush"),
        pytest.param("Jk As Ks Qs Js Td", "royal_flush", id="completes a royal flush"),
        pytest.param("Jk Ks Qs Js Ts 2d", "royal_flush", id="the ace of a royal flush"),
        pytest.param("Jk Ad As Ah Ac 5s", "five_aces", id="five aces"),
    ],
)
def test_the_joker_is_an_ace_or_completes_a_straight_flush_or_straight_flush(cards: str, category: str) -> None:
    assert settle(others(cards), hand(cards))["spots"][0]["category"] == category


@pytest.mark.clause("PG-1")
@pytest.mark.parametrize(
    ("dealer", "high_won"),
    [
        pytest.param("Ah Qh Jh Th 8h 2c", True, id="A-K-9-4-3 beats A-Q-J-T-8"),
        pytest.param("Ah Kh 9h 5h 2h 2c", False, id="and loses to A-K-9-5-2"),
        pytest.param("Ah Kh 9h 4h 2h 2c", True, id="and beats A-K-9-4-2"),
    ],
)
def test_in_a_flush_the_joker_is_the_highest_rank_the_flush_lacks(dealer: str, high_won: bool) -> None:
    """Where the flush has its ace, the joker is a king: no second ace. The low card, a ten, beats the deuce."""
    assert outcome(dealer, hand("As Jk 9s 4s 3s Td", low="Td")) == ("win" if high_won else "push")


@pytest.mark.clause("PG-1")
def test_53_cards_with_one_joker_six_each() -> None:
    assert (len(GAME.deck), len(set(GAME.deck))) == (53, 53)
    assert text_of(GAME.deck).split().count("Jk") == 1
    assert refused("Jk Kd 9c 7s 4h 2d", hand("Jk Ks Qs Js Ts 2h")) == "spots[0].cards", "there is one joker"
    assert refused(KINGS_AND_NINE, hand("Jk Ks Qs Js Ts")) == "spots[0].cards"
    assert refused("Kh Kd 9c 7s 4h", hand(KING_HIGH)) == "dealer"


@pytest.mark.clause("PG-2")
@pytest.mark.parametrize(
    ("better", "worse", "dealers_sixth"),
    [
        pytest.param("Ah Kh Qh Jh Th", "5s 4s 3s 2s As", "7c", id="a royal flush beats the suited wheel"),
        pytest.param("5s 4s 3s 2s As", "Kh Qh Jh Th 9h", "7c", id="the suited wheel beats the king-high one"),
        pytest.param("Kh Qh Jh Th 9h", "8c 8d 8h 8s 2c", "6c", id="a straight flush beats four of a kind"),
        pytest.param("8c 8d 8h 8s Kc", "Ac Ad Ah Ks Kd", "6c", id="four of a kind beats a full house"),
        pytest.param("4c 4d 4h 5s 5d", "Ah Kh Qh Jh 9h", "7c", id="a full house beats a flush"),
        pytest.param("8h 6h 5h 4h 2h", "Ac Kd Qs Js Tc", "Kc", id="a flush beats a straight"),
        pytest.param("Ac Kd Qh Js Tc", "5c 4d 3h 2s Ah", "8s", id="the wheel is below the ace-high straight"),
        pytest.param("5c 4d 3h 2s Ac", "Kc Qd Jh Ts 9c", "7s", id="the wheel is above the king-high straight"),
        pytest.param("6c 5d 4h 3s 2c", "Ac Ad Ah Ks Qc", "8d", id="a straight beats three of a kind"),
        pytest.param("2c 2d 2h 9s 7c", "Ac Ad Kh Ks Qc", "Jd", id="three of a kind beats two pair"),
        pytest.param("3c 3d 2h 2s 7c", "Ac Ad Kh Qs 9c", "8d", id="two pair beats a pair"),
        pytest.param("2c 2d 9h 7s 5c", "Ac Kd Qh Js 9c", "8s", id="a pair beats no pair"),
    ],
)
def test_five_card_poker_with_the_wheel_as_second_highest_straight(better: str, worse: str, dealers_sixth: str) -> None:
    """The player's low joker wins the low side, so the base wager wins with the better high hand and else pushes."""
    assert outcome(f"{worse} {dealers_sixth}", hand(f"{better} Jk", low="Jk")) == "win"
    assert outcome(f"{better} {dealers_sixth}", hand(f"{worse} Jk", low="Jk")) == "push"


@pytest.mark.clause("PG-2")
def test_five_aces_are_on_top() -> None:
    assert outcome("Kh Qh Jh Th 9h 2c", hand("Ac Ad Ah As Jk 3c", low="3c")) == "win"
    assert outcome("Ac Ad Ah As Jk 2c", hand("Kh Qh Jh Th 9h 3c", low="3c")) == "push"


# ------------------------------------------------------------------------------------------- setting the hand


@pytest.mark.clause("PG-4")
@pytest.mark.parametrize(
    ("cards", "low", "fouls"),
    [
        pytest.param("Ks Jd 9h 7c 5s 3d", "Ks", True, id="a king below a jack-high hand"),
        pytest.param("Ks Jd 9h 7c 5s 3d", "Jd", False, id="a jack below a king-high hand"),
        pytest.param("2s 2d Ah 9c 7s 4d", "Ah", False, id="a pair outranks an ace"),
        pytest.param("As Ah Kd 9c 5s 3h", "As", False, id="ace below ace high: equal"),
        pytest.param("Jk Ah Kd 9c 5s 3h", "Jk", False, id="joker below ace high: equal"),
        pytest.param("Jk Ah Kd 9c 5s 3h", "Ah", False, id="ace below a joker as ace: equal"),
        pytest.param("Jk Kd 9c 7s 5h 3d", "Jk", True, id="joker below king high"),
        pytest.param("Ks Kd Qh 9c 5s 3h", "Ks", False, id="king below king high: equal"),
        pytest.param("Qs Qd Kh 9c 5s 3h", "Kh", False, id="king below a pair"),
        pytest.param("As 9d 8h 7c 6s 5d", "As", False, id="ace below a straight"),
    ],
)
def test_the_high_hand_must_outrank_the_low_card(cards: str, low: str, fouls: bool) -> None:
    answer = settle(others(cards), hand(cards, low=low))
    assert (answer["spots"][0]["outcome"] == "foul") is fouls


@pytest.mark.clause("PG-4")
def test_a_foul_loses_the_base_wager_and_the_side_wagers_still_play() -> None:
    weakest_dealer = "9d 8h 6c 5d 3h 2c"
    flush = hand("Ks 9s 7s 4s 2s Qd", low="Ks", fortune=500, insurance=100, progressive=100)
    answer = settle(
        weakest_dealer,
        flush,
        tables={"fortune": "1", "progressive": "2"},
        meters={"main": 1_000_000},
        seeds={"main": 100_000},
    )
    assert answer["spots"][0]["outcome"] == "foul"
    assert back(answer) == {"base": 0, "fortune": 5500, "insurance": 0, "progressive": 600}
    weak = settle(weakest_dealer, hand("Ks Jd 9h 7c 5s 3d", low="Ks", insurance=100))
    assert (weak["spots"][0]["outcome"], back(weak)) == ("foul", {"base": 0, "insurance": 400})


@pytest.mark.clause("PG-4")
def test_six_cards_are_set_five_high_and_one_low() -> None:
    answer = settle(KINGS_AND_NINE, hand("As Qd Jh 8c 5s 3d", low="5s"))
    assert sorted(answer["spots"][0]["set"]["high"].split()) == sorted(["As", "Qd", "Jh", "8c", "3d"])
    assert (answer["spots"][0]["set"]["low"], answer["spots"][0]["set"]["by"]) == ("5s", "player")
    assert refused(KINGS_AND_NINE, hand("As Qd Jh 8c 5s 3d", low="5d")) == "spots[0].decision.low"


@pytest.mark.clause("PG-5")
def test_a_player_may_ask_for_the_house_way() -> None:
    answer = settle(SEVENS_AND_KING, hand("8s 8c Ah 9c 5s 2s"))
    assert answer["spots"][0]["set"] == {"high": "9c 8c 8s 5s 2s", "low": "Ah", "by": "house way"}
    assert (answer["spots"][0]["outcome"], back(answer)) == ("win", {"base": 2000})
    cards = {"spot": 1, "cards": "8s 8c Ah 9c 5s 2s", "wagers": {"base": 1000}}
    for decision in ({}, {"house_way": False}, {"house_way": True, "low": "Ah"}, {"fold": True}, {"double_down": 1000}):
        assert refused(SEVENS_AND_KING, {**cards, "decision": decision}).startswith("spots[0].decision")


@pytest.mark.clause("PG-7")
@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        pytest.param("Ah Ad Ts 7d 4c 2s", "win", id="both won"),
        pytest.param("Ah Ad 9s 7d 4c 2s", "push", id="high won, the low copy goes to the house"),
        pytest.param("Ah Ad 8s 7d 4c 2s", "push", id="high won, low lost"),
        pytest.param("Ks Kc Ts 7d 4c 2s", "push", id="the high copy goes to the house, low won"),
        pytest.param("Ks Kc 9s 7d 4c 2s", "lose", id="two copies"),
        pytest.param("Qs Qc Ts 7d 4c 2s", "push", id="high lost, low won"),
        pytest.param("Qs Qc 8s 7d 4c 2s", "lose", id="both lost"),
    ],
)
def test_high_meets_high_low_meets_low_and_the_house_wins_copies(cards: str, expected: str) -> None:
    assert outcome(KINGS_AND_NINE, hand(cards)) == expected


@pytest.mark.clause("PG-8")
def test_a_players_low_joker_beats_even_the_dealers_ace() -> None:
    deuces_and_ace = "2h 2d Ac 9s 7h 4d"
    assert settle(deuces_and_ace, hand("Ks Kc Jk 8d 5c 3s"))["dealer"]["set"]["low"] == "Ac"
    assert outcome(deuces_and_ace, hand("Ks Kc Jk 8d 5c 3s", low="Jk")) == "win"
    assert outcome(deuces_and_ace, hand("Ks Kc As 8d 5c 3s", low="As")) == "push", "an ace is only a copy"


@pytest.mark.clause("PG-A2")
def test_the_dealers_low_joker_is_an_ace_and_beats_a_low_ace_as_a_copy() -> None:
    deuces_and_joker = "2h 2d Jk 9s 7h 4d"
    answer = settle(deuces_and_joker, hand("Ks Kc As 8d 5c 3s", low="As"))
    assert answer["dealer"]["set"]["low"] == "Jk"
    assert answer["spots"][0]["outcome"] == "push", "high won, low lost to the copy"
    assert outcome(deuces_and_joker, hand("Ks Kc Qs 8d 5c 3s", low="Qs")) == "push"
    assert rule_lines("PG-A2") == [("The dealer's joker as low card is an ace.", True)]


@pytest.mark.clause("PG-9")
@pytest.mark.parametrize(
    ("cards", "returned", "result"),
    [("Ah Ad Ts 7d 4c 2s", 2000, "win"), ("Ah Ad 8s 7d 4c 2s", 1000, "push"), ("Qs Qc 8s 7d 4c 2s", 0, "lose")],
)
def test_both_won_pays_even_money_one_each_pushes_both_lost_loses(cards: str, returned: int, result: str) -> None:
    answer = settle(KINGS_AND_NINE, hand(cards))
    assert answer["spots"][0]["wagers"]["base"] == {"result": result, "wagered": 1000, "returned": returned}
    assert answer["spots"][0]["outcome"] == result


# --------------------------------------------------------------------------------------------- the house way


def sets(clause: str, *rows: tuple[str, str]) -> list[Any]:
    """Rows of the table below: six cards and the card that goes low (either of two where they are equal)."""
    return [pytest.param(cards, low, id=f"{cards} - {low}", marks=pytest.mark.clause(clause)) for cards, low in rows]


@pytest.mark.parametrize(
    ("cards", "low"),
    [
        *sets(
            "PG-10",
            ("Ks Jd 9h 7c 5s 3d", "Jd"),
            ("As Kd Th 8c 5s 2d", "Kd"),
            ("9s 8d 6h 5c 3s 2d", "8d"),
            ("Qs Jd 9h 8c 6s 2d", "Jd"),
            ("As Ks 9s 5s 3d 2h", "Ks"),
            ("As Kd Qh Jc 9s 7d", "Kd"),
            ("Jk Kd Th 8c 5s 2d", "Kd"),
            ("Jk 9d 8h 5c 4s 2d", "9d"),
            ("Jk Qs Th 7d 6c 4s", "Qs"),
        ),
        *sets(
            "PG-11",
            # a pair
            ("8s 8d Ah 9c 5s 2d", "Ah"),
            ("2s 2d Kh Qc 9s 7d", "Kh"),
            ("As Ad Kh 9c 5s 2d", "Kh"),
            ("As Jk Kh 9c 5s 2d", "Kh"),
            ("Ks Kd Jk 8h 5c 2s", "Jk"),
            ("7s 7d Jk Th 4c 2s", "Jk"),
            # two pair
            ("Ks Kd 4h 4c 9s 2d", "9s"),
            ("As Ad 4h 4c Ks Qd", "Ks"),
            ("Ks Kd 4h 4c Jk 9d", "Jk"),
            ("As Jk 4h 4c Ks 9d", "Ks"),
            ("As Jk 5h 5c 9s 2d", "9s"),
            # three of a kind
            ("9s 9d 9h Ac Ks 2d", "Ac"),
            ("As Ad Ah Kc 5s 2d", "Kc"),
            ("As Ad Jk Kc 9s 2d", "Kc"),
            ("9s 9d 9h Jk 5s 2d", "Jk"),
            # a straight
            ("9s 8d 7h 6c 5s Kd", "Kd"),
            ("As Kd Qh Jc Ts 2d", "2d"),
            ("5s 4d 3h 2c As Kd", "Kd"),
            ("9s 8d 7h 6c 5s 9d", "9s/9d"),
            ("9s 8d Jk 6c 5s Kd", "Kd"),
            ("As Kd Jk Jc Ts 4d", "4d"),
            ("9s 9d 8h 7c 6s Jk", "9s/9d"),
            ("As 5d 4h 3c Jk 9s", "9s"),
            # a flush
            ("Ks 9s 7s 4s 2s Ad", "Ad"),
            ("As Ks 9s 4s 2s Kd", "Kd"),
            ("As 9s 7s 4s Jk Kd", "Kd"),
            ("9s 7s 4s 3s Jk 2d", "2d"),
            # a full house
            ("9s 9d 9h 5c 5s Ad", "Ad"),
            ("As Ad Ah Kc Ks Qd", "Qd"),
            ("As Ad Jk Kc Ks Qd", "Qd"),
            ("Ks Kd Kh As Jk 5d", "5d"),
            ("9s 9d 9h 5c 5s Jk", "Jk"),
            # four of a kind
            ("9s 9d 9h 9c Ks 4d", "Ks"),
            ("9s 9d 9h 9c Jk 4d", "Jk"),
            ("As Ad Ah Jk Ks Qd", "Ks"),
            # a straight flush, a royal flush
            ("9s 8s 7s 6s 5s Ad", "Ad"),
            ("9s 8s 7s 6s Jk Ad", "Ad"),
            ("5s 4s 3s 2s As Kd", "Kd"),
            ("As Ks Qs Js Ts Ad", "Ad"),
            ("As Ks Qs Js Jk Kd", "Kd"),
            ("As Ks Qs Js Ts 2d", "2d"),
            # five aces
            ("As Ad Ah Ac Jk Kd", "Kd"),
            ("As Ad Ah Ac Jk 2d", "2d"),
        ),
        *sets(
            "PG-12",
            ("Ks Kd Kh 5c 5s 5d", "Ks/Kd/Kh"),
            ("As Ad Ah 2c 2s 2d", "As/Ad/Ah"),
            ("3s 3d 3h 2c 2s 2d", "3s/3d/3h"),
            ("As Ad Jk Kc Ks Kd", "Jk"),
            ("As Ad Jk 2c 2s 2d", "Jk"),
        ),
        *sets(
            "PG-13",
            ("Ks Kd 9h 9c 4s 4d", "Ks/Kd"),
            ("As Ad Kh Kc Qs Qd", "As/Ad"),
            ("4s 4d 3h 3c 2s 2d", "4s/4d"),
            ("As Jk Kh Kc Qs Qd", "Jk"),
            ("As Jk 3h 3c 2s 2d", "Jk"),
        ),
        *sets(
            "PG-14",
            # six to a straight
            ("9s 8d 7h 6c 5s 4d", "9s"),
            ("As Kd Qh Jc Ts 9d", "As"),
            ("As 2d 3h 4c 5s 6d", "As"),
            ("Jk 9d 8h 7c 6s 5d", "Jk"),
            ("9s 8d Jk 6c 5s 4d", "9s"),
            ("As Kd Qh Jc Jk 9d", "As"),
            ("Jk Kd Qh Jc Ts 9d", "Jk"),
            ("Jk 6d 5h 4c 3s 2d", "Jk"),
            ("As 2d Jk 4c 5s 6d", "As"),
            # six to a flush
            ("Ks Js 9s 7s 4s 2s", "Ks"),
            ("As Js 9s 7s 4s 2s", "As"),
            ("Jk Ks Js 8s 4s 2s", "Jk"),
            ("Jk As Js 8s 4s 2s", "Jk"),
            # six to a straight flush
            ("9s 8s 7s 6s 5s 4s", "9s"),
            ("As 2s 3s 4s 5s 6s", "As"),
            ("Ks Qs Js Ts 9s 8s", "Ks"),
            ("Jk 9s 8s 7s 6s 5s", "Jk"),
            ("9s 8s Jk 6s 5s 4s", "9s"),
            # a royal flush is kept whole
            ("As Ks Qs Js Ts 9s", "9s"),
            ("As Ks Qs Js Jk 9s", "9s"),
            ("Jk Ks Qs Js Ts 9s", "9s"),
            ("As Ks Qs Js Ts Jk", "Jk"),
        ),
        *sets(
            "PG-15",
            ("9s 8s 7s 6s 5d 2s", "5d"),
            ("Ks 8s 7s 6s 5s 9d", "9d"),
            ("As 9s 5s 4s 3s 2d", "2d"),
            ("As Ks Qs Js 4s Td", "Td"),
            ("Ks 9s 8s 7s Jk Td", "Td"),
        ),
        *sets(
            "PG-16",
            ("Ks 9s 8s 7s 6s 5s", "Ks"),
            ("9s 8s 7s 6s 5s 2s", "2s"),
            ("As 9s 8s 7s 6s 5s", "As"),
            ("5s 4s 3s 2s As Ks", "Ks"),
            ("Ks 8s 7s 6s 5s Jk", "Ks"),
            ("8s 7s 6s 5s Jk 2s", "2s"),
            ("As Ks Qs Js Ts 2s", "2s"),
        ),
        *sets(
            "PG-A1",
            # four of a kind and a pair
            ("9s 9d 9h 9c Ks Kd", "Ks/Kd"),
            ("Ks Kd Kh Kc 9s 9d", "9s/9d"),
            ("As Ad Ah Jk Ks Kd", "Ks/Kd"),
            ("9s 9d 9h 9c As Jk", "Jk"),
            # a joker above an ace as low card
            ("As 2d 3h 4c 5s Jk", "Jk"),
        ),
    ],
)
def test_the_house_way_sets_the_low_card(cards: str, low: str) -> None:
    other = others(cards)
    dealer = settle(cards, hand(other))["dealer"]
    player = settle(other, hand(cards))["spots"][0]
    assert dealer["category"] == player["category"], "the high hand as set is of the best category of all six cards"
    for setting in (dealer["set"], player["set"]):
        assert setting["low"] in low.split("/")
        assert setting["by"] == "house way"
        assert sorted([*setting["high"].split(), setting["low"]]) == sorted(cards.split())


@pytest.mark.clause("PG-12", "PG-13")
@pytest.mark.parametrize(
    ("cards", "high"),
    [
        ("Ks Kd Kh 5c 5s 5d", "K K 5 5 5"),
        ("Ks Kd 9h 9c 4s 4d", "K 9 9 4 4"),
    ],
)
def test_what_stays_high_of_two_trips_and_of_three_pairs(cards: str, high: str) -> None:
    setting = settle(cards, hand(others(cards)))["dealer"]["set"]
    assert [card[0] for card in setting["high"].split()] == high.split()


@pytest.mark.clause("PG-A1")
def test_the_reading_of_the_house_way_stands_on_the_rule_card() -> None:
    [(text, fixed)] = rule_lines("PG-A1")
    assert fixed
    assert "the best category whole, then the highest low card, a joker above an ace" in text


@pytest.mark.clause("PG-17")
def test_six_players_seven_packets_and_positions_counted_counter_clockwise_from_the_dealer() -> None:
    assert (GAME.most_spots, GAME.defaults["positions"], GAME.defaults["dealer_position"]) == (6, 7, 1)
    packets = [text_of(DECK_53[first : first + 6]) for first in range(0, 42, 6)]
    dealt = GAME.deal(DECK_53, (1, 2, 3, 4, 5, 6), GAME.defaults, first=3)
    assert text_of(dealt.dealer) == packets[5], "positions 3, 4, 5, 6, 7, then 1, the dealer"
    assert [text_of(dealt.hands[spot]) for spot in (5, 4, 3, 2, 1, 6)] == [*packets[:5], packets[6]]
    assert dealt.rack == DECK_53[42:]
    assert dealt.face_up == ()
    [(text, _)] = rule_lines("PG-17")
    assert "taken from pai gow poker as the Commission posts it" in text
    assert refused(KINGS_AND_NINE, hand(KING_HIGH, 7)) == "spots[0].spot"


@pytest.mark.clause("PG-17")
def test_an_empty_position_is_dealt_a_packet_too() -> None:
    dealt = GAME.deal(DECK_53, (6,), GAME.defaults, first=1)
    assert text_of(dealt.dealer) == text_of(DECK_53[:6])
    assert {spot: text_of(cards) for spot, cards in dealt.hands.items()} == {6: text_of(DECK_53[6:12])}
    assert dealt.rack == DECK_53[12:]


# -------------------------------------------------------------------------------------------- Double Down


@pytest.mark.clause("PGD-1")
def test_a_double_equals_the_base_wager() -> None:
    answer = settle(EIGHTS_AND_KING, hand("As Ah Kd 9c 5s 3h", low="Kd", double=1000))
    assert answer["spots"][0]["wagers"]["double_down"]["wagered"] == 1000
    assert "double_down" not in back(settle(EIGHTS_AND_KING, hand("As Ah Kd 9c 5s 3h")))
    house_way = settle(EIGHTS_AND_KING, hand("As Ah Kd 9c 5s 3h", double=1000))
    assert house_way["spots"][0]["wagers"]["double_down"]["wagered"] == 1000
    for amount in (999, 1001, 2000, -1000):
        wrong = hand("As Ah Kd 9c 5s 3h", double=amount)
        assert refused(EIGHTS_AND_KING, wrong) == "spots[0].decision.double_down"
    for amount in (0, 1000.0, "1000", True):
        wrong = {**hand("As Ah Kd 9c 5s 3h"), "decision": {"house_way": True, "double_down": amount}}
        assert refused(EIGHTS_AND_KING, wrong) == "spots[0].decision.double_down"
    assert refused(EIGHTS_AND_KING, hand("As Ah Kd 9c 5s 3h", double_down=1000)) == "spots[0].wagers.double_down"


@pytest.mark.clause("PGD-1")
def test_a_double_for_less_needs_the_house_option_and_a_double_for_more_is_never_taken() -> None:
    dealer = "8h 8d Qc 6s 4h 2d"
    for amount in (1, 999, 1000):
        allowed = hand("As Ah Kd 9c 5s 3h", double=amount)
        answer = settle(dealer, allowed, options={"double_down_for_less": True})
        assert back(answer) == {"base": 2000, "double_down": 2 * amount}
    less, more = (hand("As Ah Kd 9c 5s 3h", double=amount) for amount in (999, 1001))
    assert refused(dealer, less, options={"double_down_for_less": False}) == "spots[0].decision.double_down"
    assert refused(dealer, more, options={"double_down_for_less": True}) == "spots[0].decision.double_down"


@pytest.mark.clause("PGD-2")
@pytest.mark.parametrize(
    ("dealer", "cards", "low", "base", "double"),
    [
        pytest.param("8h 8d Qc 6s 4h 2d", "As Ah Kd 9c 5s 3h", "Kd", 2000, 2000, id="eights: wins with the base"),
        pytest.param("8h 8d Qc 6s 4h 2d", "As Ah Jd 9c 5s 3h", "Jd", 1000, 1000, id="eights: pushes with the base"),
        pytest.param("8h 8d Qc 6s 4h 2d", "7s 7h Jd 9c 5s 3h", "Jd", 0, 0, id="eights: loses with the base"),
        pytest.param("7h 7d Qc 6s 4h 2d", "As Ah Kd 9c 5s 3h", "Kd", 2000, 1000, id="sevens: a push beside a win"),
        pytest.param("7h 7d Qc 6s 4h 2d", "5s 5h Jd 9c 4s 3h", "Jd", 0, 1000, id="sevens: a push beside a loss"),
        pytest.param("8h 8d Qc 6s 4h 2d", "Ks Jd 9h 7c 5s 3h", "Ks", 0, 0, id="eights: a foul loses both"),
        pytest.param("7h 7d Qc 6s 4h 2d", "Ks Jd 9h 8c 5s 3h", "Ks", 0, 1000, id="sevens: the foul's double pushes"),
    ],
)
def test_a_double_has_action_against_eights_or_better_only(
    dealer: str, cards: str, low: str, base: int, double: int
) -> None:
    assert back(settle(dealer, hand(cards, low=low, double=1000))) == {"base": base, "double_down": double}


@pytest.mark.clause("PGD-2", "PGD-A1")
@pytest.mark.parametrize(
    ("dealer", "action"),
    [
        pytest.param("8h 8d Kc 6s 4h 2d", True, id="eights"),
        pytest.param("7h 7d Kc 6s 4h 2d", False, id="sevens"),
        pytest.param("7h 7d Ac Ks Qh Jd", False, id="sevens, whatever goes low"),
        pytest.param("Ah Kd Qc 9s 7h 5d", False, id="ace high"),
        pytest.param("Ah Jk Qc 9s 7h 5d", True, id="ace and joker: a pair of aces"),
        pytest.param("3h 3d 2c 2s Kh 9d", True, id="two pair"),
        pytest.param("8h 8d 5c 5s 3h 3d", True, id="three pairs: fives and threes as set"),
        pytest.param("6h 5d 4c 3s 2h Kd", True, id="a straight"),
    ],
)
def test_eights_are_looked_for_in_the_dealers_high_hand_as_set(dealer: str, action: bool) -> None:
    answer = settle(dealer, hand(others(dealer), double=1000))
    assert answer["dealer"]["qualifies"] is action


@pytest.mark.clause("PGD-A1")
def test_where_eights_are_looked_for_stands_on_the_rule_card() -> None:
    assert rule_lines("PGD-A1") == [("That is judged on the dealer's high hand as set.", True)]


# --------------------------------------------------------------------------------------- Fortune and Insurance

FORTUNE_HANDS = (
    "As Ad Ah Ac Jk Kd",
    "As Ks Qs Js Jk 2d",
    "9s 8s 7s 6s 5s Ad",
    "9s 9d 9h 9c Ks 4d",
    "9s 9d 9h 5c 5s Ad",
    "Ks 9s 7s 4s 2s Ad",
    "9s 8d 7h 6c 5s Kd",
    "9s 9d 9h Ac Ks 2d",
)


@pytest.mark.clause("PGF-1")
@pytest.mark.parametrize(
    ("table", "rows"),
    [
        ("1", (1000, 250, 100, 50, 15, 10, 8, 5)),
        ("2", (1000, 250, 100, 50, 15, 11, 9, 6)),
        ("3", (1000, 250, 100, 50, 15, 10, 8, 6)),
    ],
)
def test_fortune_pays_three_of_a_kind_or_better_by_its_table(table: str, rows: tuple[int, ...]) -> None:
    for cards, to_one in zip(FORTUNE_HANDS, rows, strict=True):
        answer = settle(others(cards), hand(cards, fortune=300), tables={"fortune": table})
        assert back(answer)["fortune"] == 300 + 300 * to_one, cards
    two_pair = hand("Ks Kd 4h 4c 9s 9d", fortune=300)
    assert back(settle(others("Ks Kd 4h 4c 9s 9d"), two_pair, tables={"fortune": table}))["fortune"] == 0


@pytest.mark.clause("PGF-1")
def test_fortune_looks_at_the_best_five_of_six_however_they_are_set() -> None:
    tables = {"fortune": "2"}
    broken = hand("9s 8d 7h 6c 5s Kd", low="8d", fortune=100)
    answer = settle("Ah Ad Ac 4h 4d Qc", broken, tables=tables)
    assert (answer["spots"][0]["outcome"], back(answer)) == ("lose", {"base": 0, "fortune": 1000})
    fouled = settle("Qh Qc Tc 4h 4d 2c", hand("Ks 9s 7s 4s 2s 3d", low="Ks", fortune=100), tables=tables)
    assert (fouled["spots"][0]["outcome"], back(fouled)) == ("foul", {"base": 0, "fortune": 1200})
    assert "fortune" not in back(settle(KINGS_AND_NINE, hand(KING_HIGH)))


@pytest.mark.clause("PGI-1")
@pytest.mark.parametrize(
    ("cards", "to_one"),
    [
        pytest.param("8s 7d 5h 4c 3s 2d", 100, id="8-high"),
        pytest.param("9s 8d 6h 5c 3s 2d", 30, id="9-high"),
        pytest.param("Ts 8d 6h 5c 3s 2d", 10, id="10-high"),
        pytest.param("Js 8d 6h 5c 3s 2d", 7, id="jack-high"),
        pytest.param("Qs 8d 6h 5c 3s 2d", 4, id="queen-high"),
        pytest.param("Ks 8d 6h 5c 3s 2d", 3, id="king-high"),
        pytest.param("As 8d 6h 5c 3s 2d", None, id="ace-high"),
        pytest.param("Jk 8d 8h 5h 3c 2d", None, id="a pair of eights and the joker"),
        pytest.param("Jk Kd Th 8c 5s 2d", None, id="the joker is an ace"),
        pytest.param("Ks Kd 7h 5c 4s 2d", None, id="a pair of kings"),
        pytest.param("9s 9d 7h 5c 4s 2d", None, id="a pair of nines"),
        pytest.param("8s 7d 6h 5c 4s 2d", None, id="a straight"),
        pytest.param("8s 7s 5s 4s 3s 2d", None, id="a flush"),
    ],
)
def test_insurance_pays_hands_of_king_high_or_less(cards: str, to_one: int | None) -> None:
    answer = settle(others(cards), hand(cards, insurance=200))
    assert back(answer)["insurance"] == (0 if to_one is None else 200 + 200 * to_one)


@pytest.mark.clause("PGI-1")
def test_insurance_is_optional_and_asks_nothing_of_the_base_wager() -> None:
    assert "insurance" not in back(settle(KINGS_AND_NINE, hand("Ks 8d 6h 5c 3s 2s")))
    answer = settle(KINGS_AND_NINE, hand("Ks 8d 6h 5c 3s 2s", insurance=200))
    assert (answer["spots"][0]["outcome"], back(answer)) == ("lose", {"base": 0, "insurance": 800})
