"""BA-10: commission that is marked at the spot, and paid when the player leaves; the money balances all the way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.keys import KEYS
from tests.table.table_kit import Opener, Room, rooms

from houseway.books.rounds import journalled
from houseway.books.verify import verify
from houseway.cards import read_cards
from houseway.games import approved_book
from houseway.games.flow import BOARD
from houseway.manager.changes import check_changes
from houseway.refusal import NotAllowed, Refusal
from houseway.table.card_round import commands as ask
from houseway.table.card_round import events as tell
from houseway.table.card_round.step_offer import step
from houseway.table.notation import parse_round, settle_record, write_round
from houseway.table.progressive_round.commands import CloseRound, VoidRound

BANKER_WINS = "Kc 9c Kd Kh"
"""Player, Banker, Player, Banker: nothing against a natural nine."""
MARKED = {"commission_collected": "marked"}


@pytest.fixture
def open_room(tmp_path: Path) -> Iterator[Opener]:
    yield from rooms(tmp_path)


def banker_wins(room: Room, wagers: Mapping[int, int], *, reconcile: bool = True) -> None:
    """A round that the Banker wins, up to the last payment."""
    room.bets({spot: {"banker": cents} for spot, cents in wagers.items()})
    room.call()
    if room.state.tables["T1"].config.kind == "virtual":
        room.shoe.on_top = read_cards(BANKER_WINS)
        room.press(0)
    else:
        room.enter(BOARD, BANKER_WINS)
    room.reveal()
    if reconcile:
        room.reconcile_all()


def close(room: Room) -> None:
    room.do("d1", CloseRound(table="T1"))


def owed(room: Room) -> int:
    """What the ledger says that players owe, in cents."""
    return room.balances().get("commission/T1", 0) // 10_000


def players(room: Room) -> int:
    return room.balances().get("players/T1", 0) // 10_000


def text_of_round(room: Room, number: int) -> str:
    return write_round(journalled(room.store, "T1", number, room.state.configured))


def of(entry: Any, kind: type) -> list[Any]:
    return [event for event in entry.events if isinstance(event, kind)]


@pytest.mark.clause("BA-10")
@pytest.mark.parametrize("kind", ["virtual", "cards"])
def test_marked_commission_is_paid_in_full_and_collected_when_the_player_leaves(open_room: Opener, kind: str) -> None:
    room = open_room("baccarat", kind=kind, options=MARKED)
    banker_wins(room, {1: 1000, 2: 1010}, reconcile=False)
    due = step(room.felt())
    assert due is not None
    assert (due.spot, due.pay_cents, due.mark_cents) == (2, 1010, 51), "a part of a cent goes to the house"
    entry = room.reconcile()
    assert [(event.returned, event.wagered) for event in of(entry, tell.Reconciled)] == [(1969, 1010)]
    assert [(event.spot, event.cents) for event in of(entry, tell.CommissionMarked)] == [(2, 51)]
    room.reconcile_all()
    assert room.seen("display").commission == {1: 50, 2: 51}
    assert (room.rack(), owed(room), players(room)) == (-950 - 959 - 101, 101, 950 + 959)
    close(room)
    gone = room.leave(1, by=room.player(1))
    assert [(event.spot, event.player, event.cents) for event in of(gone, tell.CommissionCollected)] == [(1, "p1", 50)]
    assert of(gone, tell.SeatLeft)
    paid = room.do("d1", ask.CollectCommission(table="T1"))
    assert [(event.spot, event.cents) for event in of(paid, tell.CommissionCollected)] == [(2, 51)]
    assert room.seen().commission == {}
    assert (room.rack(), owed(room), players(room)) == (-1909, 0, 1909), "as if it had been collected at once"
    assert verify(room.store, ring=KEYS).bad == ()


@pytest.mark.clause("BA-10")
def test_collected_at_once_nothing_is_marked(open_room: Opener) -> None:
    room = open_room("baccarat")
    banker_wins(room, {1: 1000}, reconcile=False)
    due = step(room.felt())
    assert due is not None
    assert (due.pay_cents, due.mark_cents) == (950, 0)
    assert not of(room.reconcile(), tell.CommissionMarked)
    assert (room.rack(), owed(room)) == (-950, 0)
    close(room)
    with pytest.raises(Refusal, match="no commission is marked at T1"):
        room.do("d1", ask.CollectCommission(table="T1"))


@pytest.mark.clause("BA-10")
def test_marks_add_up_over_rounds_and_no_other_wager_or_version_has_them(open_room: Opener) -> None:
    room = open_room("baccarat", kind="cards", options=MARKED)
    for _ in range(3):
        banker_wins(room, {1: 1000})
        close(room)
    assert room.seen().commission == {1: 150}
    ez = open_room("baccarat", options={**MARKED, "version": "ez"})
    banker_wins(ez, {1: 1000})
    assert ez.seen().commission == {}


@pytest.mark.clause("BA-10")
def test_a_player_who_leaves_in_mid_round_pays_what_is_marked_and_is_paid_after_commission(open_room: Opener) -> None:
    room = open_room("baccarat", options=MARKED)
    banker_wins(room, {1: 1000})
    close(room)
    banker_wins(room, {1: 2000}, reconcile=False)
    gone = room.leave(1, by=room.player(1))
    assert [event.cents for event in of(gone, tell.CommissionCollected)] == [50]
    due = step(room.felt())
    assert due is not None
    assert (due.pay_cents, due.mark_cents) == (1900, 0)
    last = room.reconcile()
    assert [event.held_for for event in of(last, tell.Reconciled)] == ["p1"]
    assert not of(last, tell.CommissionMarked)
    assert (owed(room), players(room)) == (0, 950 + 1900)


@pytest.mark.clause("BA-10", "FL-12")
@pytest.mark.parametrize("collected", [False, True])
def test_a_void_round_takes_its_marks_off(open_room: Opener, collected: bool) -> None:
    """Also where the commission was collected in between: then it is in what goes back."""
    room = open_room("baccarat", kind="cards", options=MARKED)
    banker_wins(room, {1: 1000})
    close(room)
    banker_wins(room, {1: 4000, 3: 2000})
    assert room.seen().commission == {1: 250, 3: 100}
    if collected:
        room.do("d1", ask.CollectCommission(table="T1", spot=1))
    void = room.do("s1", VoidRound(table="T1", cause="a card too many"), second="e1")
    marks = [(event.spot, event.cents) for event in of(void, tell.CommissionUnmarked)]
    assert marks == ([(3, 100)] if collected else [(1, 200), (3, 100)])
    assert room.seen().commission == ({} if collected else {1: 50})
    assert (owed(room), players(room)) == (0 if collected else 50, 950)
    assert room.rack() == -players(room) - owed(room)


@pytest.mark.clause("BA-10")
def test_commission_that_nobody_pays_is_written_off_by_two_people(open_room: Opener) -> None:
    room = open_room("baccarat", kind="cards", options=MARKED)
    banker_wins(room, {1: 1000})
    close(room)
    with pytest.raises(NotAllowed):
        room.do("d1", ask.WriteOffCommission(table="T1", spot=1, cause="walked away"))
    with pytest.raises(Refusal, match="cause: must be given in words"):
        room.do("s1", ask.WriteOffCommission(table="T1", spot=1, cause=" "), second="e1")
    with pytest.raises(Refusal, match="spot: no commission is marked at spot 2"):
        room.do("s1", ask.WriteOffCommission(table="T1", spot=2, cause="walked away"), second="e1")
    with pytest.raises(NotAllowed, match="second"):
        room.do("s1", ask.WriteOffCommission(table="T1", spot=1, cause="walked away"))
    room.do("s1", ask.WriteOffCommission(table="T1", spot=1, cause="walked away"), second="e1")
    assert (owed(room), players(room), room.rack()) == (0, 1000, -1000)
    assert not of(room.leave(1), tell.CommissionCollected)


def test_a_table_with_marked_commission_stays_on_the_floor(open_room: Opener) -> None:
    """Else nobody could collect it."""
    room = open_room("baccarat", options=MARKED)
    banker_wins(room, {1: 1000})
    close(room)
    bare = replace(room.state.config, tables=(), links=())
    with pytest.raises(Refusal, match="T1 has commission marked; collect it before"):
        check_changes(room.state, bare)
    room.do("d1", ask.CollectCommission(table="T1"))
    check_changes(room.state, bare)


@pytest.mark.clause("BA-10")
@pytest.mark.parametrize("kind", ["virtual", "cards"])
def test_the_text_of_a_round_tells_marks_and_is_played_again(open_room: Opener, kind: str) -> None:
    room = open_room("baccarat", kind=kind, options=MARKED)
    banker_wins(room, {1: 1000})
    close(room)
    banker_wins(room, {1: 2000, 2: 500})
    room.leave(1, by=room.player(1))
    close(room)
    for round_number, lines in (
        (1, ["pay 1 banker win 10.00 -> 19.50 commission 0.50", "commission marked 1 0.50 by p1"]),
        (2, ["commission marked 2 0.25 by p2", "commission collected 1 1.50 by p1"]),
    ):
        text = text_of_round(room, round_number)
        assert all(line in text for line in lines), text
        assert settle_record(parse_round(text), approved_book()) == []


@pytest.mark.clause("BA-10")
def test_marks_survive_a_restart(open_room: Opener) -> None:
    room = open_room("baccarat", options=MARKED)
    banker_wins(room, {1: 1000})
    before = room.state
    room.restart()
    assert room.state == before
    assert room.seen().commission == {1: 50}


# ------------------------------------------------------------------------------------- a new shoe at a physical table


@pytest.mark.clause("BA-1", "BA-11")
def test_people_change_the_shoe_of_a_physical_table_and_the_count_goes_by_what_they_enter(open_room: Opener) -> None:
    room = open_room("baccarat", kind="cards")
    assert room.seen("display").shoe.known == "unknown"
    banker_wins(room, {1: 1000})
    with pytest.raises(Refusal, match="a round is being dealt"):
        room.do("d1", ask.ChangeShoe(table="T1"))
    close(room)
    assert room.seen("display").shoe.known == "unknown"
    assert len(room.seen("display").shoe.bead_road) == 1
    room.do("d1", ask.ChangeShoe(table="T1"))
    shoe = room.seen("display").shoe
    assert (shoe.known, shoe.left, shoe.before_cut, shoe.bead_road) == ("entered", 416, 400, ())
    banker_wins(room, {1: 1000})
    close(room)
    shoe = room.seen("display").shoe
    assert (shoe.left, len(shoe.bead_road), shoe.last_round) == (412, 1, False)
    for _ in range(99):
        banker_wins(room, {1: 1000})
        close(room)
    assert room.seen("display").shoe.last_round
    assert room.seen().prompt == 'the cut card is out: change the shoe, then press "new shoe"'
    room.do("d1", ask.ChangeShoe(table="T1"))
    banker_wins(room, {1: 1000})
    close(room)
    text = text_of_round(room, 102)
    assert "new shoe decks 8 cut 400" in text
    assert settle_record(parse_round(text), approved_book()) == []


@pytest.mark.clause("CW-1")
def test_cards_burned_for_a_war_are_counted_and_only_a_physical_shoe_is_changed_by_people(open_room: Opener) -> None:
    room = open_room("casino-war", kind="cards")
    room.do("d1", ask.ChangeShoe(table="T1"))
    room.bets({1: {"bet": 500}})
    room.call()
    room.cards({1: "7c", 0: "7d"})
    room.act(1, "war")
    room.enter(1, "9c")
    room.enter(0, "5d")
    room.reveal()
    assert {wager: line.why for wager, line in room.hand(1).lines.items()} == dict.fromkeys(
        ("bet", "war"), "War: nine beats five"
    )
    room.reconcile_all()
    close(room)
    assert room.seen("display").shoe.left == 312 - 2 - 3 - 2
    with pytest.raises(Refusal, match="T1 shuffles its shoe itself"):
        open_room("casino-war").do("d1", ask.ChangeShoe(table="T1"))
    with pytest.raises(Refusal, match="Mississippi Stud is not dealt from a shoe"):
        open_room("mississippi-stud", kind="cards", linked=False).do("d1", ask.ChangeShoe(table="T1"))
