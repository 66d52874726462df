"""``actions`` and ``board`` of the contract, at games that have several decisions and cards that everybody shares."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.proof.kernels.games import GAMES, LET_IT_RIDE, MISSISSIPPI_STUD, ULTIMATE_TEXAS_HOLDEM

from houseway.adjudication import settle_object, settle_text, write_json
from houseway.cards import shuffled, text_of
from houseway.games import all_games, approved_book
from houseway.games.flow import is_open, next_point
from houseway.games.model import Game
from houseway.games.round import Action
from houseway.refusal import Refusal

# fmt: off
STUD: dict[str, Any] = {
    "game": MISSISSIPPI_STUD.key, "tables": {"base": "standard"}, "board": "Ah 9c 4d",
    "spots": [
        {"spot": 1, "cards": "As Kd", "wagers": {"ante": 500}, "actions": ["3x", "1x", "2x"]},
        {"spot": 2, "cards": "7c 2d", "wagers": {"ante": 500}, "actions": ["1x", "fold"]},
        {"spot": 4, "cards": "Qc 3d", "wagers": {"ante": 500}, "actions": ["fold"]},
    ],
}
RIDE: dict[str, Any] = {
    "game": LET_IT_RIDE.key, "tables": {"base": "standard"}, "board": "Ah 9c",
    "spots": [{"spot": 1, "cards": "Th Td 4c", "wagers": {"bet_1": 500, "bet_2": 500, "bet_dollar": 500},
               "actions": ["take_back", "ride"]}],
}
TEXAS: dict[str, Any] = {
    "game": ULTIMATE_TEXAS_HOLDEM.key, "tables": {"blind": "A"}, "dealer": "Qs Qd", "board": "Ah 9c 4d 2s 7h",
    "spots": [{"spot": 1, "cards": "As Kd", "wagers": {"ante": 500, "blind": 500}, "actions": ["check", "2x"]}],
}
# fmt: on


@pytest.fixture(autouse=True, scope="module")
def _installed() -> Iterator[None]:
    before = dict(all_games())
    all_games().update({game.key: game for game in GAMES})
    yield
    all_games().clear()
    all_games().update(before)


def settled(request: Any) -> dict[str, Any]:
    return settle_object(request, approved_book())


def refused(request: Any) -> str:
    with pytest.raises(Refusal) as refusal:
        settled(request)
    return str(refusal.value)


def changed(request: dict[str, Any], *, spot: int = 0, **fields: Any) -> dict[str, Any]:
    """The request with some fields of one of its spots changed; None takes a field away."""
    copy: dict[str, Any] = json.loads(json.dumps(request))
    for name, value in fields.items():
        if value is None:
            del copy["spots"][spot][name]
        else:
            copy["spots"][spot][name] = value
    return copy


# ------------------------------------------------------------------------------------------------ what is answered


def test_each_decision_makes_its_wager_and_a_fold_ends_them() -> None:
    answer = settled(STUD)
    assert "dealer" not in answer
    played, folded, at_once = answer["spots"]
    assert {key: wager["wagered"] for key, wager in played["wagers"].items()} == {
        "ante": 500, "third_street": 1500, "fourth_street": 500, "fifth_street": 1000
    }  # fmt: skip
    assert (played["outcome"], played["category"], played["wagered"], played["returned"]) == ("win", "pair", 3500, 7000)
    assert {key: wager["wagered"] for key, wager in folded["wagers"].items()} == {"ante": 500, "third_street": 500}
    assert (folded["outcome"], folded["returned"]) == ("fold", 0)
    assert set(at_once["wagers"]) == {"ante"}


def test_a_wager_that_is_taken_back_is_in_neither_sum() -> None:
    (spot,) = settled(RIDE)["spots"]
    assert spot["wagers"]["bet_1"] == {"result": "taken_back", "wagered": 500, "returned": 500}
    assert (spot["wagered"], spot["returned"]) == (1000, 2000)


def test_a_game_with_a_dealer_and_a_board_answers_for_both() -> None:
    answer = settled(TEXAS)
    assert answer["dealer"] == {"hand": "pair of queens", "category": "pair", "qualifies": True}
    (spot,) = answer["spots"]
    assert {key: wager["returned"] for key, wager in spot["wagers"].items()} == {
        "ante": 1000,
        "play": 2000,
        "blind": 500,
    }


def test_a_spot_without_decisions_needs_no_actions() -> None:
    """Pair Plus alone decides nothing: absent and empty are one answer."""
    request = {
        "game": "three-card-poker", "tables": {"pair_plus": "A"}, "dealer": "Qs 7d 2c",
        "spots": [{"spot": 1, "cards": "Ah Kd 3c", "wagers": {"pair_plus": 500}}],
    }  # fmt: skip
    answers = [settle_object(one, approved_book()) for one in (request, changed(request, actions=[]))]
    assert answers[0] == answers[1]


@pytest.mark.parametrize(
    ("action", "decision"),
    [
        ("house_way", {"house_way": True}),
        ({"house_way": True, "double_down": 500}, {"house_way": True, "double_down": 500}),
        ({"low": "Kd", "double_down": 500}, {"low": "Kd", "double_down": 500}),
    ],
)
def test_actions_say_what_the_old_decision_says(action: Any, decision: Any) -> None:
    spot = {"spot": 1, "cards": "Ah Kd 3c 9h 9c 2s", "wagers": {"base": 500}}
    request = {"game": "six-card-pai-gow", "dealer": "Qs Qd 7c 5h 2c Jk"}
    assert settle_object(request | {"spots": [spot | {"actions": [action]}]}, approved_book()) == settle_object(
        request | {"spots": [spot | {"decision": decision}]}, approved_book()
    )


# ------------------------------------------------------------------------------------------------ what is refused


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        (changed(STUD, actions=None), "spots[0].actions: is missing; this spot decides between fold, 1x, 2x, 3x"),
        (changed(STUD, actions=[]), "spots[0].actions: has 0; this spot still decides between fold, 1x, 2x, 3x"),
        (changed(STUD, actions=["3x"]), "spots[0].actions: has 1; this spot still decides between fold, 1x, 2x, 3x"),
        (changed(STUD, actions=["3x", "1x", "2x", "1x"]), "spots[0].actions[3]: is one too many"),
        (changed(STUD, spot=1, actions=["fold", "fold"]), "spots[1].actions[1]: is one too many"),
        (changed(STUD, actions=["3x", "4x", "1x"]), "spots[0].actions[1]: must be one of fold, 1x, 2x, 3x"),
        (changed(STUD, actions=["3x", 1, "1x"]), "spots[0].actions[1]: must be one of fold, 1x, 2x, 3x"),
        (changed(STUD, actions=["3x", {"1x": False}, "1x"]), "spots[0].actions[1]: must be true, or "),
        (changed(STUD, actions=["3x", {}, "1x"]), 'spots[0].actions[1]: must be {"fold": true} or '),
        (changed(STUD, actions="3x"), "spots[0].actions: must be a list of the spot's actions, in order"),
        (changed(STUD, decision={"play": True}), "spots[0].actions: stands beside decision; give one of the two"),
        (
            changed(STUD, actions=None, decision={"1x": True}),
            "spots[0].decision: is for games with one decision; mississippi-stud takes actions",
        ),
        (changed(TEXAS, actions=["4x", "2x"]), "spots[0].actions[1]: is one too many"),
        (
            changed(TEXAS, actions=["check", "check"]),
            "spots[0].actions: has 2; this spot still decides between fold, 1x",
        ),
        (STUD | {"board": "Ah 9c"}, "board: has 2 cards where exactly 3 are dealt"),
        (STUD | {"board": ["Ah", "9c", "4d"]}, "board: must be cards as text, such as Ah Kd 3c"),
        (STUD | {"board": "Ah 9c Kd"}, "spots[0].cards: Kd is there twice in this round"),
        (STUD | {"board": "Ah 9c Ah"}, "board: Ah is there twice"),
        (TEXAS | {"board": "Ah 9c 4d 2s Qd"}, "board: Qd is there twice in this round"),
        (TEXAS | {"dealer": "Qs Qs"}, "dealer: Qs is there twice"),
        (STUD | {"dealer": "Qs"}, "dealer: must be left out: mississippi-stud deals the dealer no cards"),
        ({key: value for key, value in STUD.items() if key != "board"}, "board: is missing"),
        ({key: value for key, value in TEXAS.items() if key != "dealer"}, "dealer: is missing"),
    ],
)
def test_a_wrong_request_is_refused_by_its_field(request_: dict[str, Any], sentence: str) -> None:
    assert refused(request_).startswith(sentence)


def test_a_game_without_a_board_takes_none() -> None:
    request = {"game": "three-card-poker", "dealer": "Qs 7d 2c", "board": "Ah", "spots": []}
    assert refused(request) == "board: must be left out: three-card-poker deals the board no cards"


def test_a_choice_that_the_house_does_not_open_is_refused() -> None:
    request = changed(TEXAS, actions=["3x"]) | {"options": {"preflop_multiples": "4"}}
    assert refused(request) == "spots[0].actions[0]: 3x is not open with these cards; open are check, 4x"


# ------------------------------------------------------------------------------------------------ anything at all


def played(
    game: Game, source: random.Random, cards: Any, wagers: Mapping[str, int], dealer: Any, board: Any
) -> list[str]:
    """Actions by lot to the end."""
    actions: tuple[Action, ...] = ()
    while (point := next_point(game, wagers, actions)) is not None:
        opened = [choice for choice in point.choices if is_open(game, choice, cards, dealer, board)]
        actions = (*actions, Action(source.choice(opened).key))
    return [action.name for action in actions]


def make_round(game: Game, spots: int, seed: int) -> dict[str, Any]:
    """A valid request with everything that the contract has for the game, the progressive apart."""
    source = random.Random(seed)
    numbers = sorted(source.sample(range(1, game.most_spots + 1), min(spots, game.most_spots)))
    dealt = game.deal(shuffled(game.deck, source), numbers, game.defaults)
    asked = []
    for number in numbers:
        placed = [wager for wager in game.wagers if wager.kind == "required"]
        optional = [wager for wager in game.wagers if wager.kind == "optional" and wager.key != "progressive"]
        placed += [wager for wager in optional if source.random() < 0.5]
        wagers = {wager.key: source.randint(1, 10_000) for wager in placed}
        wagers |= {wager.key: wagers[wager.equals] for wager in placed if wager.equals}
        cards = dealt.hands[number]
        actions = played(game, source, cards, wagers, dealt.dealer, dealt.board)
        asked.append({"spot": number, "cards": text_of(cards), "wagers": wagers, "actions": actions})
    tables = {key: approved_book().of(game.families, key)[0].id for key in game.table_wagers if key != "progressive"}
    request = {"game": game.key, "tables": tables, "spots": asked, "board": text_of(dealt.board)}
    return request | ({"dealer": text_of(dealt.dealer)} if game.dealer_cards else {})


rounds = st.builds(make_round, st.sampled_from(GAMES), st.integers(1, 7), st.integers(0, 2**32))


@settings(deadline=None)
@given(rounds)
def test_valid_rounds_are_settled_and_add_up(request: dict[str, Any]) -> None:
    game = all_games()[request["game"]]
    answer = settle_text(json.dumps(request), approved_book())
    assert json.loads(write_json(answer)) == answer
    for asked, spot in zip(request["spots"], answer["spots"], strict=True):
        counted = [wager for wager in spot["wagers"].values() if wager["result"] != "taken_back"]
        for sum_of in ("wagered", "returned"):
            assert spot[sum_of] == sum(wager[sum_of] for wager in counted)
        assert set(asked["wagers"]) <= set(spot["wagers"])
        assert (spot["outcome"] == "fold") == ("fold" in asked["actions"])
        made = {key for key in spot["wagers"] if key not in asked["wagers"]}
        assert all(game.wager(key).kind in ("follows", "award") for key in made)  # type: ignore[union-attr]


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 5)
    | st.sampled_from(["fold", "1x", "check", "ride", "Ah", "", "é\u2028"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["fold", "1x", "low", "x"]), inner, max_size=2)
    ),
    max_leaves=6,
)


@given(rounds, st.sampled_from(["actions", "board", "dealer", "decision"]), ANYTHING)
def test_broken_rounds_are_answered_or_refused(request: dict[str, Any], field: str, value: Any) -> None:
    """Whatever stands in one of the fields: an answer, or a sentence that begins with the field it is about."""
    if field in ("actions", "decision"):
        request["spots"][0][field] = value
    else:
        request[field] = value
    refusal = None
    try:
        settle_text(json.dumps(request), approved_book())
    except Refusal as refused_:
        refusal = refused_
    if refusal is not None:
        named = "spots[0]." if field in ("actions", "decision") else field
        assert refusal.field.startswith((named, "spots["))
        assert refusal.sentence.strip()
        assert "\n" not in str(refusal)
