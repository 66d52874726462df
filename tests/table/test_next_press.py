"""The next press, decided by the server: pressing nothing else leads through whole rounds of every game."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
from tests.table.table_kit import Room

from houseway.cards import text_of
from houseway.games import all_games
from houseway.games.flow import packet_size
from houseway.table.card_round import commands as ask
from houseway.table.card_round.next_press import NextPress, next_press
from houseway.table.card_round.offers import actions, presses
from houseway.table.card_round.view import Who
from houseway.table.progressive_round import commands as press
from houseway.table.progressive_round.view import table_view

MAY: Final = ("lock_in", "confirm", "malfunction_step")
KINDS: Final = (
    *(ask.NoMoreBets, ask.Deal, ask.EnterCards, ask.Act, ask.Reveal, ask.Reconcile, ask.MalfunctionStep),
    *(press.LockIn, press.NameWin, press.Confirm, press.JPot, press.Run, press.CloseRound, press.FirstCard),
)
COMMANDS: Final[dict[str, Any]] = {str(kind.__struct_config__.tag): kind for kind in KINDS}
WAGERS: Final = {"six-card-pai-gow": {"base": 1_000}, "straight-edge-2": {"ante": 1_000, "blind": 1_000}}
WINNING: Final = {
    "caribbean-stud": "As Ks Qs Js Ts",
    "three-card-poker": "As Ks Qs",
    "six-card-pai-gow": "As Ks Qs Js Ts 2d",
    "straight-edge-1": "2c 3d 4h 5s 6c 7d 8h",
    "straight-edge-2": "2c 3d 4h 5s 6c 7d 8h",
}


def pressed(room: Room, may: tuple[str, ...] = MAY) -> NextPress | None:
    felt = room.felt()
    console = table_view(felt.desk, presses=False) if felt.desk is not None else None
    return next_press(felt, Who("dealer"), may, tuple(presses(felt)), console)


def player_acts(room: Room) -> None:
    """The first spot that is asked takes its first choice."""
    for spot in room.play().hands:
        who = Who("player", f"p{spot}", room.state.guests[f"p{spot}"].id)
        offers = [offer for offer in actions(room.felt(), who) if not offer.takes_card]
        if offers:
            room.act(spot, offers[0].action)
            return
    raise AssertionError("nobody is asked")


def play_through(room: Room, hands: dict[int, str]) -> list[str]:
    """Press what comes next until the round is over; what was pressed."""
    done: list[str] = []
    for _ in range(80):
        found = pressed(room)
        assert found is not None
        if found.command == "wait":
            player_acts(room)
            continue
        body = dict(found.body)
        if "cards" in found.fields:
            body["cards"] = hands[body["spot"]]
        by = {"confirm": "e1", "j_pot": "e1", "run": "s1"}.get(found.command, "d1")
        room.do(by, COMMANDS[found.command](table="T1", **body))
        done.append(found.command)
        if found.command == "close_round":
            return done
    raise AssertionError(f"the round did not come to its end: {done}")


@pytest.mark.parametrize("console", ["touch", "keypad"])
@pytest.mark.parametrize("kind", ["virtual", "cards"])
@pytest.mark.parametrize("game", WINNING)
def test_a_round_with_a_win_is_pressed_through(tmp_path: Path, game: str, kind: str, console: Any) -> None:
    room = Room(tmp_path, game, kind=kind, console=console)
    wagers = WAGERS.get(game, {"ante": 1_000})
    room.bets({1: wagers | {"progressive": 1}, 2: wagers})
    played = all_games()[game]
    rest = [text_of((card,)) for card in played.deck if text_of((card,)) not in WINNING[game].split()]
    hands = {1: WINNING[game]}
    for target in (2, 0):
        size = packet_size(played, target)
        hands[target], rest = " ".join(rest[:size]), rest[size:]
    if kind == "virtual":
        room.stack(hands)
    done = play_through(room, hands)
    assert done[0] == "no_more_bets"
    assert done[1] == "lock_in"
    assert "reveal" in done
    assert ("deal" in done) == (kind == "virtual")
    assert ("enter_cards" in done) == ("act" in done) == (kind == "cards")
    if "name_win" in done:
        assert ("confirm" in done, "run" in done) == (console == "touch", console == "keypad")
    assert room.state.tables["T1"].round.number == 2
    room.floor.close()


def test_a_win_is_named_and_confirmed_by_the_next_press(tmp_path: Path) -> None:
    room = Room(tmp_path)
    room.bets({1: {"ante": 1_000, "progressive": 1}})
    room.stack({1: WINNING["caribbean-stud"], 0: "2c 4d 6h 8s 9c"})
    done = play_through(room, {})
    assert done.index("name_win") < done.index("confirm") < done.index("close_round")
    room.floor.close()


def test_who_only_looks_has_none_and_a_broken_shuffler_comes_first(tmp_path: Path) -> None:
    room = Room(tmp_path)
    assert pressed(room, ("sit_down", "bet")) is None
    waits = pressed(room)
    assert waits is not None
    assert (waits.command, waits.more) == ("wait", "for wagers")
    room.do("d1", ask.MalfunctionStep(table="T1", step="failed", note="a card is stuck"))
    repair = pressed(room)
    assert repair is not None
    assert (repair.command, repair.body, repair.urgent) == ("malfunction_step", {"step": "guide"}, True)
    assert pressed(room, ("sit_down",)) is None
    room.floor.close()
