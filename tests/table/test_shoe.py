"""Tables that deal from a shoe: it lives across rounds, is promised as a whole, and never dealt past its cut card."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.table.table_kit import KEY, Room

from houseway.books.rounds import journalled
from houseway.cards import read_cards, text_of
from houseway.games import approved_book
from houseway.games.baccarat import GAME as BACCARAT
from houseway.games.casino_war import GAME as WAR
from houseway.games.flow import BOARD
from houseway.manager.shoe import SealingShoe
from houseway.refusal import Refusal
from houseway.table.card_round import commands as ask
from houseway.table.card_round import events as tell
from houseway.table.card_round.shoe import RoadCell, bead_road, big_road
from houseway.table.commitment import opens, shuffle
from houseway.table.notation import check_deck, parse_round, settle_record, write_round
from houseway.table.notation.deck import cards_not_of
from houseway.table.progressive_round.commands import CloseRound, VoidRound

Opener = Callable[..., Room]


@pytest.fixture
def open_room(tmp_path: Path) -> Iterator[Opener]:
    rooms: list[Room] = []

    def opened(game: str, **settings: Any) -> Room:
        folder = tmp_path / str(len(rooms))
        folder.mkdir()
        rooms.append(Room(folder, game, linked=False, **settings))
        return rooms[-1]

    yield opened
    for room in rooms:
        room.floor.close()


def play_round(room: Room, wagers: Mapping[int, Mapping[str, int]], on_top: str = "") -> list[Any]:
    """A whole round, every spot in war; gives back its events."""
    before = room.state.seq
    room.bets(wagers)
    if on_top:
        room.shoe.on_top = read_cards(on_top)
    room.call()
    room.press(0)
    while not room.play().revealed:
        for spot, hand in room.play().hands.items():
            if room.spot(spot).deciding and not hand.actions:
                room.act(spot, "war")
        room.reveal()
    room.reconcile_all()
    room.do("d1", CloseRound(table="T1"))
    return [event for entry in room.entries() if entry.seq > before for event in entry.events]


def of(events: list[Any], kind: type) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


BET = {1: {"bet": 500}, 3: {"bet": 500}}


@pytest.mark.clause("CW-5", "CW-8")
def test_a_war_burns_three_cards_and_deals_from_the_left_with_one_card_for_the_dealer(open_room: Opener) -> None:
    room = open_room("casino-war")
    # Spots 1 and 3 and the dealer hold sevens; three cards are burned; then a nine, a two, and the dealer's five.
    events = play_round(room, BET, "7c 7d 7h Ks Kd Kh 9c 2c 5d")
    drawn = of(events, tell.CardDrawn)
    assert [(event.target, text_of((event.card,)), event.burned) for event in drawn] == [
        (1, "9c", 3),
        (3, "2c", 0),
        (0, "5d", 0),
    ]
    results = {
        event.spot: {wager: line.returned for wager, line in event.lines.items()}
        for event in of(events, tell.SpotResult)
    }
    assert results == {1: {"bet": 500, "war": 1000}, 3: {"bet": 0, "war": 0}}
    assert room.state.tables["T1"].shoe.out == 9


@pytest.mark.clause("CW-1")
def test_a_shoe_lives_across_rounds_and_is_opened_when_its_cut_card_is_out(open_room: Opener) -> None:
    room = open_room("casino-war", spots=2, options={"penetration": 25})
    commitment, rounds, events = room.seen().commitment, 0, []
    places: list[tuple[int, str]] = []
    while not of(events, tell.DeckOpened):
        assert room.seen("display").commitment == (commitment or room.seen().commitment)
        events = play_round(room, {1: {"bet": 500}})
        commitment = commitment or of(events, tell.SeedCommitted)[0].commitment
        rounds += 1
        places += [(event.first, text_of(event.cards)) for event in of(events, tell.PacketDealt)]
        places += [(event.first, text_of((event.card,))) for event in of(events, tell.CardDrawn)]
        shoe = room.state.tables["T1"].shoe
        assert shoe is not None
        if not of(events, tell.DeckOpened):
            assert shoe.out < 312 // 4, "the round in which the cut card comes out is the last one"
            assert not of(events, tell.SeedCommitted)[1:], "the promise is for the whole shoe"
    (opened,) = of(events, tell.DeckOpened)
    assert rounds > 20
    assert len(opened.order) == 312
    assert opens(commitment, bytes.fromhex(opened.seed), table="T1", round=opened.shoe)
    assert all(text_of((opened.order[place],)) == card for place, card in places)
    (promise,) = of(events, tell.SeedCommitted)
    assert promise.commitment != commitment, "the next shoe has a promise of its own"
    fresh = room.seen("display").shoe
    assert fresh is not None
    assert (fresh.left, fresh.before_cut, fresh.last_round) == (312, 78, False)


@pytest.mark.clause("BA-1", "TR-11")
def test_a_shoe_follows_from_the_seed_of_the_house_and_those_of_the_players_of_its_first_round(
    open_room: Opener,
) -> None:
    room = open_room("baccarat", spots=2)
    room.floor.shoe = SealingShoe(KEY)
    room.sit(1)
    room.do(room.player(1), ask.Bet(table="T1", spot=1, wager="player", cents=500, player_seed="my own words"))
    first = play_round(room, {1: {"player": 500}})
    (shuffled,) = of(first, tell.DeckShuffled)
    assert (shuffled.player_seeds, shuffled.decks, shuffled.cut) == ({1: "my own words"}, 8, 400)
    room.do(
        room.player(1), ask.Bet(table="T1", spot=1, wager="player", cents=500, player_seed="too late for this shoe")
    )
    second = play_round(room, {1: {"player": 500}})
    assert not of(second, tell.PlayerSeedAdded) + of(second, tell.DeckShuffled)
    (continued,) = of(second, tell.ShoeContinued)
    assert continued.first == sum(event.count for event in of(first, tell.PacketDealt)) + len(of(first, tell.CardDrawn))
    shoe = room.state.tables["T1"].shoe
    assert shoe is not None
    deck = room.floor.shoe.deck(shoe.sealed, "T1", shoe.round, BACCARAT.deck * 8, shoe.player_seeds, 0)
    made = shuffle(BACCARAT.deck * 8, bytes.fromhex(deck.seed), {1: "my own words"}, 0, table="T1", round=shoe.round)
    dealt = [card for event in of(first, tell.PacketDealt) for card in event.cards]
    assert tuple(dealt) == made.order[: len(dealt)]


def test_no_card_that_is_not_dealt_leaves_the_shoe(open_room: Opener) -> None:
    """TR-10: the journal, the state and every view hold the cards that lie open and no others."""
    room = open_room("baccarat", spots=2)
    room.shoe.on_top = read_cards("9c 2c Kd 3d")
    room.bets({1: {"player": 500}})
    room.call()
    room.press(0)
    order = room.floor.shoe.deck(
        (shoe := room.state.tables["T1"].shoe).sealed, "T1", shoe.round, BACCARAT.deck * 8, shoe.player_seeds, 0
    ).order
    hidden = text_of(order[4:10])
    told = repr([entry.events for entry in room.entries()]) + repr(room.state.tables["T1"])
    for kind in ("player", "dealer", "surveillance", "display"):
        told += repr(room.seen(kind, "p1" if kind == "player" else ""))
    assert hidden not in told
    assert repr(order[4:8])[1:-1] not in told
    assert room.seen("display").board == "9c 2c Kd 3d -- --"


def test_a_voided_round_leaves_its_cards_out_of_the_shoe(open_room: Opener) -> None:
    room = open_room("baccarat", spots=2)
    play_round(room, {1: {"player": 500}})
    out = room.state.tables["T1"].shoe.out
    room.bets({1: {"player": 500}})
    room.call()
    room.press(0)
    room.do("s1", VoidRound(table="T1", cause="a card fell down"))
    shoe = room.state.tables["T1"].shoe
    assert shoe is not None
    assert shoe.out == out + 4
    (continued,) = of(play_round(room, {1: {"player": 500}}), tell.ShoeContinued)
    assert continued.first == out + 4


@pytest.mark.clause("BA-3", "BA-4", "BA-5")
def test_third_cards_come_off_the_top_where_the_rules_call_for_them(open_room: Opener) -> None:
    room = open_room("baccarat", spots=2)
    # Player 2, Banker 6; Player draws a 6: Banker draws too.
    events = play_round(room, {1: {"player": 500}, 2: {"banker": 500}}, "2c 3c Kd 3d 6h Ad")
    assert [(event.place, text_of((event.card,)), event.label) for event in of(events, tell.CardDrawn)] == [
        (4, "6h", "Player's third card"),
        (5, "Ad", "Banker's third card"),
    ]
    (revealed,) = of(events, tell.DealerRevealed)
    assert revealed.winner == "player"


@pytest.mark.parametrize("game", ["casino-war", "baccarat"])
def test_a_physical_table_enters_the_cards_it_dealt(open_room: Opener, game: str) -> None:
    room = open_room(game, kind="physical", spots=3)
    if game == "casino-war":
        room.bets({1: {"bet": 500}, 2: {"bet": 500}})
        room.call()
        room.cards({1: "7c", 2: "9c", 0: "7c"})
        assert room.seen().stage == "deciding"
        room.act(1, "war")
        assert room.seen().prompt == "burn 3 cards; deal War to spot 1, the dealer and enter it"
        with pytest.raises(Refusal, match="War is dealt to"):
            room.enter(2, "Kc")
        room.enter(1, "7c")
        room.enter(0, "8c")
        room.reveal()
        assert {wager: line.returned for wager, line in room.hand(1).lines.items()} == {"bet": 0, "war": 0}
        assert room.hand(2).lines["bet"].returned == 1000
        return
    room.bets({1: {"player": 500}})
    room.call()
    room.enter(BOARD, "2c 3c Kd 3d")
    with pytest.raises(Refusal, match="must be 1"):
        room.enter(BOARD, "6h 6d")
    room.enter(BOARD, "6h")
    room.enter(BOARD, "Ad")
    room.reveal()
    assert room.hand(1).lines["player"].returned == 1000
    assert room.seen("display").shoe.bead_road == (RoadCell(column=0, row=0, side="player"),)


def test_the_same_card_comes_as_often_as_there_are_decks_and_no_more(open_room: Opener) -> None:
    room = open_room("casino-war", kind="physical", spots=7)
    room.bets({spot: {"bet": 500} for spot in range(1, 8)})
    room.call()
    for spot in range(1, 7):
        room.enter(spot, "7c")
    with pytest.raises(Refusal, match="6 times already"):
        room.enter(7, "7c")


def test_cards_of_a_shoe_cannot_be_chosen() -> None:
    assert WAR.shoe is not None
    assert WAR.deals_open


@pytest.mark.clause("BA-11")
def test_the_bead_road_runs_down_six_rows_and_the_big_road_changes_column_with_the_winner() -> None:
    results = ["tie", "player", "player", "tie", "banker", *["banker"] * 6, "player"]
    beads = [(cell.column, cell.row, cell.side) for cell in bead_road(results)]
    assert beads[:2] == [(0, 0, "tie"), (0, 1, "player")]
    assert beads[6] == (1, 0, "banker")
    big = [(cell.column, cell.row, cell.side, cell.ties) for cell in big_road(results)]
    assert big == [
        (0, 0, "player", 1), (0, 1, "player", 1),
        *[(1, row, "banker", 0) for row in range(6)], (2, 5, "banker", 0),
        (2, 0, "player", 0),
    ]  # fmt: skip


@pytest.mark.clause("BA-11")
def test_a_run_that_meets_another_one_turns_right_and_stays_in_its_row() -> None:
    runs = [*["player"] * 8, *["banker"] * 7]
    big = [(cell.column, cell.row) for cell in big_road(runs)]
    assert big == [*[(0, row) for row in range(6)], (1, 5), (2, 5), *[(1, row) for row in range(5)], (2, 4), (3, 4)]


@pytest.mark.clause("TR-11")
def test_the_text_of_every_round_settles_again_and_its_cards_are_those_of_the_shoe(open_room: Opener) -> None:
    room = open_room("casino-war", spots=2, options={"penetration": 25})
    room.floor.shoe = SealingShoe(KEY)
    for _ in range(4):
        play_round(room, {1: {"bet": 500, "tie": 100}, 2: {"bet": 500}})
    shoe = room.state.tables["T1"].shoe
    assert shoe is not None
    deck = room.floor.shoe.deck(shoe.sealed, "T1", shoe.round, WAR.deck * 6, shoe.player_seeds, 0)
    for number in range(1, 5):
        record = journalled(room.store, "T1", number, room.state.configured)
        again = parse_round(write_round(record))
        assert again == record
        assert settle_record(again, approved_book()) == []
        assert check_deck(again) == []
        assert [*cards_not_of(again, deck.order)] == []
        assert [*cards_not_of(again, (*deck.order[1:], deck.order[0]))] != []


def test_a_shoe_survives_a_stop_in_the_middle_of_a_round(open_room: Opener) -> None:
    """The journal alone brings it back: where it stands, and every card that is still to come."""
    room = open_room("casino-war", spots=2)
    play_round(room, {1: {"bet": 500}})
    room.bets({1: {"bet": 500}})
    room.call()
    room.press(0)
    before = room.state.tables["T1"]
    assert before.shoe is not None
    room.floor.close()
    room._open()
    after = room.state.tables["T1"]
    assert (after.shoe, after.round.play.taken) == (before.shoe, before.round.play.taken)
    while not room.play().revealed:
        if room.spot(1).deciding:
            room.act(1, "war")
        room.reveal()
    room.reconcile_all()
    room.do("d1", CloseRound(table="T1"))
    closed = room.state.tables["T1"].shoe
    assert closed is not None
    (continued,) = of(play_round(room, {1: {"bet": 500}}), tell.ShoeContinued)
    assert (continued.shoe, continued.first) == (before.shoe.round, closed.out)
