"""Rounds with streets: a board that everybody shares, several decisions, and everything a table does with them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.table.board_games import BOARD_GAMES, OPEN_BOARD, RIVER_STUD
from tests.table.table_kit import Room
from tests.table.transcripts.kit import PlayTable
from typer.testing import CliRunner

from houseway.cards import Card, read_cards, text_of
from houseway.commands.rounds import round_app
from houseway.commands.shuffle import shuffle_app
from houseway.games import all_games, approved_book
from houseway.games.flow import BOARD
from houseway.games.round import Action
from houseway.table.card_round import commands as ask
from houseway.table.card_round import events as line
from houseway.table.card_round.events import Acted, BoardTurned, DealerRevealed, PacketDealt
from houseway.table.card_round.next_press import NextPress, next_press
from houseway.table.card_round.offers import actions, presses
from houseway.table.card_round.view import Who
from houseway.table.config import Limits
from houseway.table.event import Say
from houseway.table.limits import effective
from houseway.table.notation import RoundRecord, check_deck, in_words, parse_round, settle_record, write_round
from houseway.table.progressive_round.commands import CloseRound

Opener = Callable[..., Room]
ANTE = {"ante": 1_000}
HANDS = {1: "Ah Kd", 2: "7c 2d", BOARD: "As 9c 4h"}


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    for key, game in BOARD_GAMES.items():
        monkeypatch.setitem(all_games(), key, game)


@pytest.fixture
def open_room(tmp_path: Path) -> Iterator[Opener]:
    rooms: list[Room] = []

    def opened(game: str = RIVER_STUD.key, **settings: Any) -> Room:
        folder = tmp_path / str(len(rooms))
        folder.mkdir()
        rooms.append(Room(folder, game, linked=False, **settings))
        return rooms[-1]

    yield opened
    for room in rooms:
        assert room.replayed() == room.state
        room.floor.close()


def dealt(open_room: Opener, kind: str = "virtual", **settings: Any) -> Room:
    """Two spots of River Stud with their cards."""
    room = open_room(kind=kind, **settings)
    room.bets({1: ANTE, 2: ANTE})
    room.call()
    if kind == "virtual":
        room.cards(HANDS)
    else:
        for spot in (1, 2):
            room.enter(spot, HANDS[spot])
    return room


def turn(room: Room) -> None:
    """The next street: turned by the system, or entered as a real one lies."""
    if room.state.tables["T1"].config.kind == "virtual":
        room.reveal()
    else:
        room.enter(BOARD, HANDS[BOARD].split()[len(room.play().board_up)])


def offered(room: Room, spot: int) -> dict[str, dict[str, int]]:
    """What a spot may do, and what that adds."""
    felt = room.felt()
    virtual = felt.is_virtual
    who = Who("player", f"p{spot}", room.state.guests[f"p{spot}"].id) if virtual else Who("dealer")
    return {offer.action: offer.adds for offer in actions(felt, who) if offer.spot == spot}


# --------------------------------------------------------------------------------------------------- street by street


@pytest.mark.parametrize("kind", ["virtual", "cards"])
def test_a_round_goes_street_by_street_to_its_close(open_room: Opener, kind: str) -> None:
    room = dealt(open_room, kind)
    assert room.seen().board == "?? ?? ??"
    assert offered(room, 1) == {"1x": {"third": 1_000}, "2x": {"third": 2_000}, "3x": {"third": 3_000}, "fold": {}}
    assert room.seen().stage == "deciding"
    assert room.spot(1).deciding == "3rd Street"
    room.act(1, "3x")
    assert "missing: spot 2" in room.refused(lambda: turn(room)).sentence
    assert "has decided: 3x" in room.refused(lambda: room.act(1, "1x")).sentence
    room.act(2, "1x")
    assert room.seen().stage == "turning"
    assert "4th Street" in room.seen().prompt
    turn(room)
    assert (room.seen().board, room.seen().street) == ("As ?? ??", "4th Street")
    assert room.spot(1).actions == ("3x",)
    room.act(2, "fold")
    room.act(1, "1x")
    turn(room)
    assert (room.seen().board, room.seen().street) == ("As 9c ??", "5th Street")
    assert not offered(room, 2), "a spot that folded is not asked again"
    assert "has decided: 1x, fold" in room.refused(lambda: room.act(2, "1x")).sentence
    room.act(1, "2x")
    assert room.seen().stage == "collecting"
    if kind == "cards":
        room.collect()
        assert "the board lacks 1 of its cards" in room.refused(room.reveal).sentence
        turn(room)
    room.reveal()
    (revealed,) = room.events(DealerRevealed)
    assert (revealed.cards, revealed.name) == ((), "")
    assert room.seen().board == "As 9c 4h"
    lines = {wager: (one.wagered, one.returned) for wager, one in room.hand(1).lines.items()}
    assert lines == {"ante": (1_000, 2_000), "third": (3_000, 6_000), "fourth": (1_000, 2_000), "fifth": (2_000, 4_000)}
    assert {wager: one.returned for wager, one in room.hand(2).lines.items()} == {"ante": 0, "third": 0}
    assert room.hand(1).lines["ante"].why == "pair of aces wins"
    assert room.hand(2).lines["ante"].why == "folded"
    room.reconcile_all()
    room.end("T1")
    assert room.rack() == 2_000 - 7_000
    turned = [(event.label, event.places, event.cards) for event in room.events(BoardTurned)]
    cards = read_cards(HANDS[BOARD])
    assert turned == [("4th Street", (0,), cards[:1]), ("5th Street", (1,), cards[1:2]), ("", (2,), cards[2:])]
    assert [(event.spot, event.point, event.action, event.folds) for event in room.events(Acted)] == [
        (1, "third", "3x", False),
        (2, "third", "1x", False),
        (2, "fourth", "fold", True),
        (1, "fourth", "1x", False),
        (1, "fifth", "2x", False),
    ]


def test_the_board_is_sealed_until_it_is_turned(open_room: Opener) -> None:
    room = dealt(open_room)
    (packet,) = [event for event in room.events(PacketDealt) if event.target == BOARD]
    assert (packet.count, packet.cards) == (3, ())
    assert room.state.tables["T1"].round.play.board == ()
    for kind in ("player", "dealer", "surveillance", "display"):
        assert room.seen(kind, "p1").board == "?? ?? ??"


@pytest.mark.parametrize("kind", ["virtual", "cards"])
def test_streets_survive_a_power_cut(open_room: Opener, kind: str) -> None:
    room = dealt(open_room, kind)
    for spot in (1, 2):
        room.act(spot, "1x")
    turn(room)
    room.act(1, "2x")
    before, seen = room.state, room.seen()
    room.power_cut()
    assert (room.state, room.seen()) == (before, seen)
    assert room.seen().board == "As ?? ??"
    room.act(2, "1x")
    turn(room)


KILLED = """
    import os, signal, sys
    from pathlib import Path
    from houseway.games import all_games
    from tests.table.board_games import BOARD_GAMES
    from tests.table.transcripts.kit import PlayTable
    from houseway.games.round import Action
    from houseway.table.card_round import commands as play

    all_games().update(BOARD_GAMES)
    table = PlayTable(Path(sys.argv[1]), "river-stud", link=False)
    for spot in (1, 2):
        table.bet(spot, {"ante": 1_000})
    table.begin()
    table.by_dealer(play.Deal(table=table.id, packets=0))
    for spot in (1, 2):
        table.act(spot, Action("2x"))
    table.reveal()
    table.act(1, Action("1x"))
    print(table.state.round.play.board_up, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_round_goes_on_after_kill_9_between_two_streets(tmp_path: Path) -> None:
    """The process is gone between the first and the second street; another opens the file and plays on."""
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(KILLED), str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    table = PlayTable.reopened(tmp_path, "river-stud")
    play = table.state.round.play
    assert str(play.board_up) == done.stdout.strip()
    assert [[action.action for action in hand.actions] for hand in play.hands.values()] == [["2x", "1x"], ["2x"]]
    table.act(2, Action("fold"))
    table.reveal()
    table.act(1, Action("3x"))
    record = table.finish()
    assert settle_record(record, approved_book()) == []
    assert check_deck(record) == []


# ------------------------------------------------------------------------------------------------ limits and refusals


@pytest.mark.parametrize("kind", ["virtual", "cards"])
def test_every_choice_over_the_posted_limit_is_refused_and_not_offered(open_room: Opener, kind: str) -> None:
    limits = {"ante": (500, 2_000), "third": (500, 2_500), "fourth": (500, 1_500), "fifth": (500, 10_000)}
    room = dealt(open_room, kind, limits=limits)
    assert set(offered(room, 1)) == {"1x", "2x", "fold"}
    refusal = room.refused(lambda: room.act(1, "3x"))
    assert refusal.field == "action"
    assert "$30.00; the posted limits are $5.00 to $25.00" in refusal.sentence
    room.act(1, "2x")
    room.act(2, "1x")
    turn(room)
    assert set(offered(room, 1)) == {"1x", "fold"}
    for choice in ("2x", "3x"):
        assert "posted limits" in room.refused(lambda choice=choice: room.act(1, choice)).sentence  # type: ignore[misc]
    for spot in (1, 2):
        room.act(spot, "1x")
    turn(room)
    assert set(offered(room, 1)) == {"1x", "2x", "3x", "fold"}


def test_a_wager_that_a_choice_makes_narrows_the_one_it_follows(open_room: Opener) -> None:
    """FL-8: an Ante whose lowest multiple is over the posted maximum is not taken."""
    room = open_room(limits={"ante": (500, 10_000), "third": (500, 5_000), "fourth": (500, 9_000), "fifth": (1, 9_000)})
    room.sit(1)
    assert "$50.00 here" in room.refused(lambda: room.bet(1, "ante", 10_000)).sentence
    room.bet(1, "ante", 5_000)


def test_what_a_choice_does_not_take_is_refused(open_room: Opener) -> None:
    room = dealt(open_room)
    assert "allowed: fold, 1x, 2x, 3x" in room.refused(lambda: room.act(1, "play")).sentence
    assert room.refused(lambda: room.act(1, "1x", card="Ah")).field == "card"
    assert room.refused(lambda: room.act(1, "1x", cents=5)).field == "cents"


def test_a_physical_table_enters_what_it_turns_and_may_correct_it_until_a_spot_acts(open_room: Opener) -> None:
    room = dealt(open_room, "cards")
    assert "until all have decided" in room.refused(lambda: room.enter(BOARD, "As")).sentence
    for spot in (1, 2):
        room.act(spot, "1x")
    assert "enter the cards of 4th Street" in room.refused(room.reveal).sentence
    assert "must be 1" in room.refused(lambda: room.enter(BOARD, "As 9c")).sentence
    assert "in this round already" in room.refused(lambda: room.enter(BOARD, "Ah")).sentence
    room.enter(BOARD, "Ac")
    room.enter(BOARD, "As")
    assert room.seen().board == "As ?? ??"
    room.act(1, "1x")
    assert "missing: spot 2" in room.refused(lambda: room.enter(BOARD, "Ac")).sentence
    room.act(2, "1x")
    room.enter(BOARD, "9c")
    for spot in (1, 2):
        room.act(spot, "fold")
    room.enter(BOARD, "4h")
    room.reveal()
    assert room.seen().board == "As 9c 4h"


def test_a_board_is_entered_only_where_there_is_one(open_room: Opener) -> None:
    room = dealt(open_room, "cards")
    assert "-2 for the board" in room.refused(lambda: room.enter(0, "Ah Kh")).sentence


# ------------------------------------------------------------------------------------------- players who do not decide


def test_a_player_who_left_does_at_every_decision_what_the_game_says(open_room: Opener) -> None:
    room = dealt(open_room)
    for spot in (1, 2):
        room.act(spot, "1x")
    room.leave(2)
    turn(room)
    assert [(event.spot, event.point, event.how) for event in room.events(Acted)[2:]] == [(2, "fourth", "left")]
    assert room.hand(2).folded
    room.act(1, "1x")
    turn(room)


def test_time_runs_anew_for_every_decision(open_room: Opener) -> None:
    room = dealt(open_room, options={"decision_timeout_seconds": 30})
    for spot in (1, 2):
        room.clock.later(20)
        room.act(spot, "1x")
    assert "nothing to decide" in room.refused(lambda: room.time_up(1)).sentence
    turn(room)
    room.clock.later(29)
    assert "may still think" in room.refused(lambda: room.time_up(1)).sentence
    room.clock.later(1)
    room.time_up(1)
    assert (room.hand(1).folded, room.hand(1).actions[-1].how) == (True, "time")


# ------------------------------------------------------------------------------ a dealer's card, conditions, take-backs


def open_board(open_room: Opener, kind: str = "virtual") -> Room:
    room = open_room(OPEN_BOARD.key, kind=kind)
    room.bets({1: ANTE, 2: ANTE | {"side": 500}, 3: ANTE | {"side": 500}})
    room.call()
    if kind == "virtual":
        room.cards({1: "Ah Ad", 2: "Kd 2d", 3: "3c 4c", 0: "9c 8c", BOARD: "7h 7d"})
    return room


def test_the_declaration_says_who_is_asked_what(open_room: Opener) -> None:
    room = open_board(open_room)
    assert room.seen().board == "7h ??"
    assert (set(offered(room, 1)), set(offered(room, 2))) == ({"check", "2x", "4x"}, {"check", "2x"})
    assert "not open with these cards" in room.refused(lambda: room.act(2, "4x")).sentence
    room.act(1, "4x")
    room.act(2, "check")
    room.act(3, "check")
    assert room.seen().dealer == "?? ??"
    room.reveal()
    assert (room.seen().dealer, room.seen().street) == ("?? 8c", "Dealer's card")
    assert not offered(room, 1), "it raised before, and has nothing on the side"
    room.act(2, "1x")
    assert set(offered(room, 2)) == {"let_it_ride", "take_back"}
    room.act(3, "fold")
    assert not offered(room, 3)
    room.act(2, "take_back")
    room.reveal()
    assert room.seen().board == "7h 7d"
    assert {wager: one.result for wager, one in room.hand(2).lines.items()} == {
        "ante": "lose",
        "raised": "lose",
        "side": "taken_back",
    }
    assert {wager: one.result for wager, one in room.hand(3).lines.items()} == {"ante": "lose", "side": "lose"}
    room.reconcile_all()
    room.end("T1")


def test_a_real_table_settles_only_what_the_cards_were_open_for(open_room: Opener) -> None:
    room = open_board(open_room, "cards")
    room.enter(BOARD, "7h")
    room.act(1, "4x")
    for spot in (2, 3):
        room.act(spot, "2x")
    room.reveal()
    for spot in (2, 3):
        room.act(spot, "let_it_ride")
    for spot, cards in {2: "Kd 2d", 3: "3c 4c", 0: "9c 8c", 1: "Ah Kc", BOARD: "7d"}.items():
        room.enter(spot, cards)
    assert "spot 1 chose 4x, which is not open with its cards" in room.refused(room.reveal).sentence


# -------------------------------------------------------------------------------------------------- the text of a round


def play_river(folder: Path, *, kind: str = "virtual") -> RoundRecord:
    """A whole round of River Stud on a demonstration floor."""
    table = PlayTable(folder, RIVER_STUD.key, kind=kind, link=False)
    table.stack({1: "Ah Kd", 2: "7c 2d", BOARD: "As 9c 4h"} if kind == "virtual" else {})
    for spot in (1, 2):
        table.bet(spot, ANTE)
    table.begin()
    if kind == "virtual":
        table.by_dealer(ask.Deal(table=table.id, packets=0))
    else:
        for spot in (1, 2):
            table.by_dealer(ask.EnterCards(table=table.id, spot=spot, cards=HANDS[spot]))
    for choices in ({1: "3x", 2: "1x"}, {1: "1x", 2: "fold"}, {1: "2x"}):
        for spot, choice in choices.items():
            table.act(spot, Action(choice))
        if kind == "cards":
            card = HANDS[BOARD].split()[len(table.state.round.play.board_up)]
            table.by_dealer(ask.EnterCards(table=table.id, spot=BOARD, cards=card))
        elif len(choices) > 1:
            table.reveal()
    return table.finish()


@pytest.mark.parametrize("kind", ["virtual", "cards"])
def test_the_text_of_a_round_has_its_streets_and_settles_to_the_same_cents(tmp_path: Path, kind: str) -> None:
    record = play_river(tmp_path, kind=kind)
    text = write_round(record)
    assert parse_round(text) == record
    assert 'turn board "4th Street" 1: As\ndecide 1 1x at fourth\ndecide 2 fold at fourth\nturn board' in text
    assert ("deal board: As 9c 4h\n" in text) == (kind == "virtual")
    assert settle_record(record, approved_book()) == []
    assert check_deck(record) == []
    told = list(in_words(record))
    assert "4th Street: the dealer turned over As, of the board." in told
    assert "Spot 1 decided: 3x." in told
    (tmp_path / "one.round").write_text(text)
    for command in ("check", "replay"):
        done = CliRunner().invoke(round_app, [command, str(tmp_path / "one.round")])
        assert done.exit_code == 0, done.output
    if kind == "virtual":
        done = CliRunner().invoke(shuffle_app, ["verify", str(tmp_path / "one.round")])
        assert (done.exit_code, "dealt as promised" in done.output) == (0, True), done.output


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ('turn board "4th Street" 1: As', 'turn board "4th Street" 1: Ac', "deck"),
        ("deal board: As 9c 4h", "deal board: 9c As 4h", "deck"),
        ('turn board "5th Street" 2: 9c\n', "", "spot"),
        ("decide 1 1x at fourth\n", "", "board turn"),
        ("decide 1 3x at third", "decide 1 2x at third", "spot"),
    ],
)
def test_a_text_that_was_changed_is_found(tmp_path: Path, before: str, after: str, why: str) -> None:
    text = write_round(play_river(tmp_path))
    assert before in text
    record = parse_round(text.replace(before, after))
    found = [str(one) for one in settle_record(record, approved_book())]
    found += [f"deck: {one}" for one in check_deck(record)]
    assert any(one.startswith(why) for one in found), found


def test_a_street_before_its_turn_is_found(tmp_path: Path) -> None:
    record = play_river(tmp_path)
    streets = [step for step in record.steps if isinstance(step, line.BoardTurned)]
    others = [step for step in record.steps if step is not streets[0]]
    place = next(place for place, step in enumerate(others) if isinstance(step, line.Acted))
    early = replace(record, steps=(*others[:place], streets[0], *others[place:]))
    assert any("stays down" in str(one) or "order" in str(one) for one in settle_record(early, approved_book()))


def test_the_journal_says_actions_and_streets_in_words(open_room: Opener) -> None:
    room = dealt(open_room)
    for spot in (1, 2):
        room.act(spot, "1x")
    room.reveal()
    words = [event.in_words(Say()) for kind in (Acted, BoardTurned) for event in room.events(kind)]
    assert words == [
        "Spot 1 decided: 1x.",
        "Spot 2 decided: 1x.",
        "4th Street: the dealer turned over As, of the board.",
    ]


# ------------------------------------------------------------------------------------------------------ the next press


def press_of(room: Room) -> NextPress:
    felt = room.felt()
    may = ("lock_in", "confirm", "act", "reveal", "deal", "enter_cards")
    found = next_press(felt, Who("dealer"), may, tuple(presses(felt)), None)
    assert found is not None
    return found


@pytest.mark.parametrize("kind", ["virtual", "cards"])
@pytest.mark.parametrize("game", BOARD_GAMES)
def test_a_round_is_played_by_pressing_what_comes_next(open_room: Opener, game: str, kind: str) -> None:
    """The server's next press leads through a whole round; at a virtual table players act where it says wait."""
    room = open_room(game, kind=kind)
    room.bets({1: ANTE, 2: ANTE})
    played = all_games()[game]
    deck = iter(played.deck)
    for _ in range(60):
        found = press_of(room)
        if found.command == "wait":
            spot = next(spot for spot in (1, 2) if offered(room, spot))
            room.act(spot, next(iter(offered(room, spot))))
            continue
        body = dict(found.body)
        if "cards" in found.fields:
            body["cards"] = " ".join(text for _, text in zip(range(found.cards), _texts(deck), strict=False))
        room.do("d1", PRESSED[found.command](table="T1", **body))
        if found.command == "close_round":
            return
    raise AssertionError("the round did not come to its end")


def _texts(deck: Iterator[Card]) -> Iterator[str]:
    return (text_of((card,)) for card in deck)


KINDS = (ask.NoMoreBets, ask.Deal, ask.EnterCards, ask.Act, ask.Reveal, ask.Reconcile, CloseRound)
PRESSED: dict[str, Any] = {str(kind.__struct_config__.tag): kind for kind in KINDS}


def test_posted_limits_of_a_game_are_checked_for_every_wager_it_makes() -> None:
    """The limits that a table posts for street wagers narrow its Ante."""
    posted = {"ante": Limits(minimum_cents=500, maximum_cents=10_000)}
    for wager in ("third", "fourth", "fifth"):
        posted[wager] = Limits(minimum_cents=600, maximum_cents=6_000)
    found = effective(RIVER_STUD, "ante", posted)
    assert (found.minimum_cents, found.maximum_cents) == (500, 6_000)
