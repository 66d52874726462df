"""The round machine with cards: what may be asked at which stage, what each viewer sees, what is refused and why."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.json import encode
from msgspec.structs import replace
from tests.manager.floor_kit import only
from tests.table.table_kit import Opener, Room, rooms

from houseway.cards import Card, text_of
from houseway.games import all_games
from houseway.refusal import NotAllowed, Refusal
from houseway.table.card_round import commands as ask
from houseway.table.card_round.events import BetsClosed, DeckOpened, Reconciled
from houseway.table.card_round.view import PlayView
from houseway.table.machine import decide
from houseway.table.progressive_round import commands as press
from houseway.table.progressive_round.events import EnvyPaid, PlayersPaired, RoundVoided

GAMES = tuple(all_games())
DEALT_AT_ONCE = tuple(key for key, game in all_games().items() if not game.reveals and game.shoe is None)
"""Games whose cards are all dealt before the one decision; tests/table/test_leaks.py looks at streets and shoes."""
CARD = re.compile(r"(?<![0-9A-Za-z])(?:[2-9TJQKA][cdhs]|Jk)(?![0-9A-Za-z])")
ANTE = {"ante": 1000}
PAIR, RAGS, FLUSH, NO_HAND = "Tc Td 4c 7s 2h", "2c 5d 9d Jc Qc", "Ah Jh 9h 6h 3h", "2d 4h 6c 9c Qd"


@pytest.fixture
def open_room(tmp_path: Path) -> Iterator[Opener]:
    yield from rooms(tmp_path)


def made(game: str) -> dict[str, int]:
    """What a spot must bet, and a progressive beside it."""
    required = {wager.key: 1000 for wager in all_games()[game].wagers if wager.kind == "required"}
    progressive = {"progressive": 1} if all_games()[game].progressive is not None else {}
    return {**(required or ANTE), **progressive}


def decision(game: str) -> str:
    """What every hand may do but fold."""
    choices = [choice for choice in all_games()[game].points[0].choices if choice.when is None and not choice.folds]
    return "house_way" if all_games()[game].splits else choices[0].key


# ------------------------------------------------------------------------------------------------------ stage by stage

STAGES: dict[str, Callable[[Room], object]] = {
    "betting": lambda room: room.bets({1: ANTE, 2: ANTE | {"progressive": 1}}),
    "called": lambda room: room.no_more_bets(),
    "locked": lambda room: room.lock(),
    "dealing": lambda room: (room.stack({1: PAIR, 2: FLUSH, 0: NO_HAND}), room.press()),
    "deciding": lambda room: (room.press(0), room.act(1, "play")),
    "decided": lambda room: room.act(2, "play"),
    "revealed": lambda room: room.reveal(),
    "claimed": lambda room: room.name("T1", 2, "flush"),
    "reconciled": lambda room: room.reconcile_all(),
    "recorded": lambda room: room.confirm("T1", 2),
}
ALLOWED: dict[str, set[str]] = {
    "betting": {"sit", "bet", "stand", "call"},
    "called": {"sit", "stand", "lock", "void"},
    "locked": {"sit", "stand", "deal", "void"},
    "dealing": {"sit", "stand", "deal", "void"},
    "deciding": {"sit", "stand", "act", "void"},
    "decided": {"sit", "stand", "reveal", "void"},
    "revealed": {"sit", "stand", "name", "reconcile", "void"},
    "claimed": {"sit", "stand", "name", "reconcile", "confirm", "void"},
    "reconciled": {"sit", "stand", "name", "confirm", "void"},
    "recorded": {"sit", "stand", "close"},
}
COMMANDS: dict[str, tuple[str, Any]] = {
    "sit": ("player/p5", ask.SitDown(table="T1", spot=5, player="p5")),
    "bet": ("player/p1", ask.Bet(table="T1", spot=1, wager="bonus", cents=500)),
    "stand": ("d1", ask.StandUp(table="T1", spot=1)),
    "call": ("d1", ask.NoMoreBets(table="T1")),
    "lock": ("d1", press.LockIn(table="T1")),
    "deal": ("d1", ask.Deal(table="T1")),
    "enter": ("d1", ask.EnterCards(table="T1", spot=1, cards=RAGS)),
    "act": ("player/p2", ask.Act(table="T1", spot=2, action="play")),
    "reveal": ("d1", ask.Reveal(table="T1")),
    "name": ("d1", press.NameWin(table="T1", spot=2, hand="flush")),
    "reconcile": ("d1", ask.Reconcile(table="T1")),
    "confirm": ("e1", press.Confirm(table="T1", spot=2)),
    "correct": ("s1", press.CorrectCount(table="T1", spot=1, wagered=True, reason="chip slid off")),
    "close": ("d1", press.CloseRound(table="T1")),
    "void": ("s1", press.VoidRound(table="T1", cause="six cards")),
    "light": ("d1", press.Light(table="T1", spot=1)),
    "see": ("d1", press.SeeHand(table="T1", spot=1, hand="flush")),
    "fold": ("d1", press.Fold(table="T1", spot=1)),
}


@pytest.mark.parametrize("stage", STAGES)
def test_at_every_stage_what_is_allowed_is_done_and_all_else_refused_in_a_sentence(
    open_room: Opener, stage: str
) -> None:
    room = open_room()
    for name, reach in STAGES.items():
        reach(room)
        if name == stage:
            break
    answers = {name: _asked(room, by, command) for name, (by, command) in COMMANDS.items()}
    assert {name for name, answer in answers.items() if isinstance(answer, tuple) and answer} == ALLOWED[stage]
    assert all(" " in answer.sentence for answer in answers.values() if isinstance(answer, Refusal))


def _asked(room: Room, by: str, command: Any) -> tuple[Any, ...] | Refusal:
    """What a command would make happen, or why not; nothing is done."""
    felt = room.felt()
    guest = room.state.guests.get(by.removeprefix("player/"))
    role = "player" if by.startswith("player/") else room.state.staff[by].role
    context = felt.context._replace(by=by, role=role, guest=guest.id if guest else 0)
    try:
        return decide(felt.table, felt.link, command, context, room.shoe)
    except Refusal as refusal:
        return refusal


@pytest.mark.parametrize("console", ["touch", "keypad"])
def test_a_command_for_another_round_is_refused(open_room: Opener, console: str) -> None:
    room = open_room(console=console)
    room.bets({1: ANTE})
    refusal = room.refused(lambda: room.do("d1", ask.NoMoreBets(table="T1", round=7)))
    assert "is in round 1" in refusal.sentence


# -------------------------------------------------------------------------------------------------------- who sees what


def seen_cards(view: PlayView) -> set[str]:
    """Every card that stands anywhere in a view, in any field."""
    return set(CARD.findall(encode(view).decode()))


def text(cards: tuple[Card, ...]) -> set[str]:
    return set(text_of(cards).split())


def test_the_search_for_cards_finds_them(open_room: Opener) -> None:
    room = open_room("six-card-pai-gow")
    room.bets({1: {"base": 1000}})
    room.call()
    room.press(0)
    view = room.seen("player", "p1")
    assert seen_cards(view) == text(room.hand(1).cards)
    assert seen_cards(replace(view, prompt=text_of(room.play().dealer))) > text(room.play().dealer)
    assert all(CARD.fullmatch(one) for one in text(room.game().deck)), "the joker too"


@pytest.mark.parametrize("kind", ["virtual", "cards"])
@pytest.mark.parametrize("game", DEALT_AT_ONCE)
def test_no_view_holds_a_hand_or_a_hole_card_before_its_time(open_room: Opener, game: str, kind: str) -> None:
    room = open_room(game, kind=kind)
    room.bets({1: made(game), 2: made(game), 3: made(game)})
    room.call()
    deck = room.game().deck[::-1]
    size, dealer = room.game().player_cards, room.game().dealer_cards
    # Every third card, so that nobody holds a run.
    mixed = [*deck[::3], *deck[1::3], *deck[2::3]]
    hands = {spot: text_of(mixed[(spot - 1) * size : spot * size]) for spot in (1, 2, 3)}
    hands[0] = text_of(mixed[3 * size : 3 * size + dealer])

    def check(spots: tuple[int, ...]) -> None:
        play = room.play()
        out = all(hand.cards for hand in play.hands.values()) and bool(play.dealer)
        up = {text_of((play.dealer[place],)) for place in room.game().dealer_face_up} if out else set()
        for spot in spots:
            # TR-8: at a real table the dealer wrote the names down; they are no player's token.
            own = text(play.hands[spot].cards) if kind == "virtual" else set()
            assert seen_cards(room.seen("player", f"p{spot}")) == own | up
        assert seen_cards(room.seen("display")) == up
        assert seen_cards(room.seen("player", "")) == seen_cards(room.seen("player", "stranger")) == up
        if kind == "virtual":
            assert seen_cards(room.seen("dealer")) == up

    if kind == "virtual":
        room.stack(hands)
        while not room.play().dealt:
            room.press()
            check((1, 2, 3))
    else:
        for spot in (0, 1, 2, 3):
            room.enter(spot, hands[spot])
            check((1, 2, 3))
    for spot in (1, 2):
        room.act(spot, decision(game))
        check((1, 2, 3))
    room.act(3, "house_way" if game == "six-card-pai-gow" else "fold")
    check((1, 2, 3))
    room.reveal()
    open_hands = {spot: text(hand.cards) for spot, hand in room.play().hands.items() if not hand.folded}
    everything = set().union(*open_hands.values()) | text(room.play().dealer)
    assert seen_cards(room.seen("player", "p1")) == everything, "a folded hand goes unseen to the rack"
    own = text(room.hand(3).cards) if kind == "virtual" else set()
    assert seen_cards(room.seen("player", "p3")) == everything | own


def test_how_a_pai_gow_hand_was_set_is_not_seen_before_the_reveal(open_room: Opener) -> None:
    room = open_room("six-card-pai-gow")
    room.bets({1: {"base": 1000}, 2: {"base": 1000}})
    room.call()
    room.press(0)
    room.act(1, "low", card=text_of(room.hand(1).cards[:1]))
    assert room.spot(1, "player", "p2").decided == "set"
    room.act(2, "house_way")
    assert room.spot(2, "player", "p1").decided == "set"
    room.reveal()
    assert room.spot(2, "player", "p1").decided == "house_way"
    assert room.spot(2, "player", "p1").set_high


def test_results_are_seen_by_nobody_before_the_reveal(open_room: Opener) -> None:
    room = open_room()
    room.bets({1: ANTE})
    room.call()
    room.cards({1: PAIR, 0: NO_HAND})
    room.act(1, "play")
    spot = room.spot(1, "player", "p1")
    assert (spot.name, spot.outcome, spot.lines, room.seen().dealer_hand) == ("", "", {}, "")
    room.reveal()
    spot = room.spot(1, "player", "p1")
    assert (spot.name, spot.outcome, spot.lines["ante"].returned) == ("pair of tens", "win", 2000)


def test_a_folded_hand_kept_for_cover_all_lies_open_for_everybody(open_room: Opener) -> None:
    room = open_room()
    room.bets({1: ANTE | {"cover_all": 100}, 2: ANTE})
    room.call()
    room.cards({1: RAGS, 2: FLUSH, 0: NO_HAND})
    room.act(1, "play")
    room.act(2, "fold")
    room.collect()
    assert set(room.spot(2, "player", "p1").cards.split()) == {"??"}
    room.reveal()
    assert room.spot(2, "player", "p1").cards == FLUSH


# ------------------------------------------------------------------------------------------------- wagers and decisions


def test_a_player_acts_for_his_own_spot_only(open_room: Opener) -> None:
    room = open_room()
    room.bets({1: ANTE, 2: ANTE})
    for command in (
        ask.Bet(table="T1", spot=2, wager="ante", cents=500),
        ask.StandUp(table="T1", spot=2),
        ask.SitDown(table="T1", spot=4, player="p9"),
        ask.NoMoreBets(table="T1"),
    ):
        with pytest.raises(NotAllowed):
            room.do("player/p1", command)
    room.do("player/p1", ask.Bet(table="T1", spot=1, wager="ante", cents=500))
    assert room.hand(1).wagers == {"ante": 500}


def test_a_wager_without_a_pay_table_is_not_offered(open_room: Opener) -> None:
    room = open_room(without_tables=("bonus",))
    room.bets({1: ANTE})
    assert "no pay table" in room.refused(lambda: room.bet(1, "bonus", 500)).sentence


def test_a_decision_waits_for_the_dealers_face_up_card(open_room: Opener) -> None:
    room = open_room()
    room.bets({1: ANTE})
    room.call()
    room.press()
    assert "after the deal" in room.refused(lambda: room.act(1, "play")).sentence
    assert room.seen("player", "p1").dealer == ""
    room.press()
    assert room.seen("player", "p1").dealer.split()[:4] == ["??"] * 4
    assert room.seen("player", "p1").dealer.split()[4] == text_of(room.play().dealer[4:])
    room.act(1, "play")


def test_the_button_is_not_pressed_a_negative_number_of_times(open_room: Opener) -> None:
    room = open_room()
    room.bets({1: ANTE})
    room.call()
    assert room.refused(lambda: room.press(-1)).field == "packets"


@pytest.mark.parametrize(
    ("limit", "for_less", "double", "taken"),
    [
        (None, False, 1000, True),
        (None, False, 500, False),
        (None, True, 500, False),
        (600, False, 1000, False),
        (600, True, 600, True),
        (600, True, 500, False),
        (600, True, 1000, False),
        (2000, True, 1000, True),
        (2000, True, 900, False),
    ],
)
def test_a_double_is_for_less_only_as_far_as_its_posted_limit_forces(
    open_room: Opener, limit: int | None, for_less: bool, double: int, taken: bool
) -> None:
    """PGD-1."""
    limits = {"base": (500, 2000), **({"double_down": (100, limit)} if limit else {})}
    room = open_room("six-card-pai-gow", options={"double_down_for_less": for_less}, limits=limits)
    room.bets({1: {"base": 1000}})
    room.call()
    room.press(0)
    if taken:
        room.act(1, "house_way", cents=double)
        assert [action.cents for action in room.hand(1).actions] == [double]
    else:
        assert room.refused(lambda: room.act(1, "house_way", cents=double)).field == "cents"


def test_two_spots_of_one_player_are_paired_in_every_round(open_room: Opener) -> None:
    """PR-18, TC-4."""
    room = open_room("three-card-poker", options={"two_spots": True})
    for spot in (2, 3):
        room.do("player/ann", ask.SitDown(table="T1", spot=spot, player="ann"))
    third = ask.SitDown(table="T1", spot=4, player="ann")
    assert "side by side" in room.refused(lambda: room.do("player/ann", third)).sentence
    for _ in range(2):
        room.bets({2: ANTE, 3: ANTE, 5: ANTE})
        entry = room.no_more_bets()
        assert only(entry, PlayersPaired).spots == (2, 3)
        assert only(entry, BetsClosed)
        room.void("T1")


def test_a_void_before_lock_in_leaves_no_light_and_no_money_behind(open_room: Opener) -> None:
    room = open_room()
    room.bets({1: ANTE | {"progressive": 1}})
    room.no_more_bets()
    assert only(room.void("T1"), RoundVoided).returned == 0
    assert (room.round().lit, room.play().hands) == ((), {})
    (unused,) = room.events(DeckOpened)
    assert unused.order == (), "the seed is opened; no deck was made of it"


def test_a_links_wager_that_changed_under_the_chips_is_not_booked(open_room: Opener) -> None:
    """PR-39."""
    room = open_room(progressive="01")
    room.bets({1: ANTE | {"progressive": 1}})
    room.no_more_bets()
    (link,) = room.config.links
    room.reconfigure(replace(room.config, links=(replace(link, terms=replace(link.terms, wager_cents=500)),)))
    assert "is not $5.00" in room.refused(room.lock).sentence
    room.void("T1")


def test_envy_of_who_left_is_paid_to_his_spot_and_marked_as_held(open_room: Opener) -> None:
    """FL-23, PR-18."""
    room = open_room(progressive="CSTUD-15")
    room.bets({1: ANTE | {"progressive": 1}, 2: ANTE | {"progressive": 1}})
    room.call()
    room.cards({1: RAGS, 2: "As Ks Qs Js Ts", 0: NO_HAND})
    room.act(1, "play")
    room.act(2, "play")
    room.leave(1)
    room.reveal()
    room.win("T1", 2, "royal_flush")
    room.reconcile_all()
    assert (room.spot(1).held_for, room.spot(2).held_for) == ("p1", "")
    room.end("T1")
    assert [event.spot for event in room.events(EnvyPaid)] == [1]


# ---------------------------------------------------------------------------------------------------- reasons in words


def lines(room: Room, spot: int) -> dict[str, str]:
    return {wager: f"{line.result}: {line.why}" for wager, line in room.hand(spot).lines.items()}


def test_every_wager_has_its_result_and_its_reason_in_words(open_room: Opener) -> None:
    room = open_room()
    room.bets({1: ANTE | {"bonus": 100, "cover_all": 100}, 2: ANTE | {"cover_all": 100}})
    room.call()
    room.cards({1: PAIR, 2: RAGS, 0: NO_HAND})
    room.act(1, "play")
    room.act(2, "fold")
    room.reveal()
    assert lines(room, 1) == {
        "ante": "win: the dealer does not play: queen high",
        "bet": "push: the dealer does not play: queen high",
        "bonus": "win: pair of tens wins",
        "cover_all": "lose: does not win on the highest hand at the table",
    }
    assert lines(room, 2) == {
        "ante": "lose: folded",
        "cover_all": "lose: does not win on the highest hand at the table",
    }


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({}, "2-card straight"),
        ({"folded_keeps_insurance": False}, "folded"),
    ],
)
def test_a_wager_that_a_fold_leaves_in_play_is_not_lost_by_folding(
    open_room: Opener, options: dict[str, bool], why: str
) -> None:
    room = open_room("straight-edge-2", options=options)
    room.bets({1: {"ante": 1000, "blind": 1000, "insurance": 100}})
    room.call()
    room.cards({1: "2c 3d 5h 7s 9c Jd Kh"})
    room.act(1, "fold")
    room.reveal()
    assert lines(room, 1)["ante"] == "lose: folded"
    assert why in lines(room, 1)["insurance"]


def test_money_moves_when_a_wager_is_reconciled_and_not_before(open_room: Opener) -> None:
    room = open_room("three-card-poker", linked=False)
    room.bets({1: ANTE | {"pair_plus": 500}, 2: {"pair_plus": 500}})
    room.call()
    room.cards({1: "2h 5d 9c", 2: "As Ad 4c", 0: "Kd Qc 4h"})
    room.act(1, "play")
    room.reveal()
    assert room.rack() == 0
    assert only(room.reconcile(), Reconciled).returned == 1000
    assert room.rack() == -500
    room.reconcile()
    assert room.rack() == -500 + 2500
    room.end("T1")
