"""The procedure clauses of the four game files, driven through orders at tables that deal, settle and reconcile.

A test takes a virtual table unless it says otherwise: the shoe deals the hands that the test names. Spot 0 is
the dealer.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.json import encode
from tests.manager.floor_kit import only
from tests.table.table_kit import Opener, rooms

from houseway.cards import DECK_52, DECK_53, read_cards, text_of
from houseway.games.flow import EMPTY
from houseway.manager.shoe import SealingShoe
from houseway.table.card_round import commands as ask
from houseway.table.card_round.events import (
    BetsClosed,
    DeckOpened,
    DeckShuffled,
    ForfeitCollected,
    HandShown,
    PacketDealt,
    Reconciled,
)
from houseway.table.card_round.view import Viewer
from houseway.table.progressive_round import commands as press
from houseway.table.progressive_round.console import WORDS

ANTE = {"ante": 1000}
VIEWERS: tuple[Viewer, ...] = ("player", "dealer", "surveillance", "display")
FLUSH, TRIPS, STRAIGHT = "Ah Jh 6h 5h 3h", "8c 8d 8h Kd 2s", "5c 6d 7c 8h 9s"
PAIR, RAGS, MORE_RAGS = "Tc Td 4c 7s 2h", "2c 5d 9d Js Qc", "3c 6s 9c Jd Ks"
KINGS = "Kc Kh 4d 7d 8s"
NO_HAND = "2d 4h 6c 9h Qs"
"""A dealer's hand without ace and king, for Caribbean Stud."""


@pytest.fixture
def open_room(tmp_path: Path) -> Iterator[Opener]:
    yield from rooms(tmp_path)


# ------------------------------------------------------------------------------------------------------- Caribbean Stud


@pytest.mark.clause("CS-10")
@pytest.mark.parametrize("console", ["touch", "keypad"])
def test_a_progressive_hand_is_checked_without_a_dealers_hand_and_stays_face_up_until_verified(
    open_room: Opener, console: str
) -> None:
    room = open_room(console=console)
    room.bets({1: ANTE | {"bonus": 500, "progressive": 1}, 2: ANTE})
    room.call()
    room.cards({1: FLUSH, 2: PAIR, 0: NO_HAND})
    for spot in (1, 2):
        room.act(spot, "play")
    room.reveal()
    assert room.play().dealer_plays is False
    assert room.seen().unnamed == ((1, "flush"),), "it is checked although the dealer has no hand"
    room.reconcile()
    room.name("T1", 1, "flush")
    room.reconcile()
    assert room.spot(2).place == "racked"
    assert room.spot(1).place == "face up"
    assert "supervisor" in " ".join(room.spot(1).face_up_for)
    room.arrive("T1")
    assert room.spot(1).place == "face up", "he has come, and has not verified it yet"
    room.record("T1", 1)
    assert room.spot(1).place == "racked"
    room.end("T1")


@pytest.mark.clause("CS-5", "CS-11")
@pytest.mark.parametrize("kind", ["virtual", "cards"])
def test_forfeits_are_collected_in_any_order_with_counted_cards_before_the_dealer_turns(
    open_room: Opener, kind: str
) -> None:
    room = open_room(kind=kind)
    room.bets(dict.fromkeys((1, 2, 3, 4), ANTE))
    room.call()
    room.cards({1: RAGS, 2: PAIR, 3: MORE_RAGS, 4: TRIPS, 0: KINGS})
    room.act(3, "fold")
    assert "no forfeit lies there" in room.refused(lambda: room.collect(4)).sentence
    assert only(room.collect(3), ForfeitCollected).wagered == 1000, "as a player folds, while others think"
    assert (room.rack(), room.spot(3).place) == (1000, "racked")
    assert room.refused(room.collect).sentence == "no forfeit is left to be collected"
    for spot, action in {1: "fold", 2: "fold", 4: "play"}.items():
        room.act(spot, action)
    assert (room.seen().stage, room.seen().prompt) == (
        "collecting",
        "collect the forfeits of spot 2, 1; take the Ante, then spread and count the 5 cards and rack them",
    )
    refusal = room.refused(lambda: room.do("d1", ask.Reveal(table="T1")))
    assert refusal.sentence == "the dealer's cards stay down until the forfeits of spot 2, 1 are collected"
    assert only(room.collect(1), ForfeitCollected).counted == 5
    room.collect()
    assert [event.spot for event in room.events(ForfeitCollected)] == [3, 1, 2]
    assert (room.rack(), room.play().revealed) == (3000, False)
    room.reveal()
    assert [step.spot for step in room.play().steps] == [4], "nothing of a fold is left to reconcile"
    assert "turned over" in room.refused(room.collect).sentence


@pytest.mark.clause("CS-5")
def test_a_voided_round_gives_collected_forfeits_back(open_room: Opener) -> None:
    room = open_room(linked=False)
    room.bets({1: ANTE, 2: ANTE})
    room.call()
    room.cards({1: RAGS, 2: PAIR, 0: KINGS})
    room.act(1, "fold")
    room.collect(1)
    assert room.rack() == 1000
    room.do("s1", press.VoidRound(table="T1", cause="six cards at spot 2"))
    assert room.rack() == 0


@pytest.mark.clause("CS-7", "SE2-4")
@pytest.mark.parametrize("kind", ["virtual", "cards"])
@pytest.mark.parametrize(
    ("game", "bets", "hands", "at_once", "prompt"),
    [
        (
            "caribbean-stud",
            ANTE | {"bonus": 500},
            {1: RAGS, 2: PAIR, 3: MORE_RAGS, 0: NO_HAND},
            [(3, 3000, 4000), (2, 3000, 4000)],
            '"no hand"; pay every Ante 1 to 1 and give every Bet back, in one pass around the table',
        ),
        (
            "straight-edge-2",
            ANTE | {"blind": 1000},
            {
                1: "2c 4d 6h 8s Tc Qd Qh",
                2: "9c Td Jh Qs 3c 3d 5h",
                3: "Ac Kd 7h 7s 5c 5d 3h",
                0: "2h 2s 4c 4h 6c 6s 8c",
            },
            [(3, 1000, 1000), (2, 1000, 1000)],
            "give every Ante back, in one pass around the table",
        ),
    ],
)
def test_without_a_dealers_hand_one_immediate_pass_around_the_table_comes_first(
    open_room: Opener,
    game: str,
    bets: dict[str, int],
    hands: dict[int, str],
    at_once: list[tuple[int, int, int]],
    prompt: str,
    kind: str,
) -> None:
    room = open_room(game, kind=kind)
    room.bets(dict.fromkeys((1, 2, 3), bets))
    room.call()
    room.cards(hands)
    for spot, action in {1: "fold", 2: "play", 3: "play"}.items():
        room.act(spot, action)
    room.reveal()
    assert room.seen().prompt == prompt
    settled = [event for event in room.reconcile().events if isinstance(event, Reconciled)]
    assert [(event.spot, event.wagered, event.returned) for event in settled] == at_once, (
        "one press, hands in play only"
    )
    rest = [(step.spot, step.wagers) for step in room.play().steps]
    expected = ("bonus",) if game == "caribbean-stud" else ("play", "blind")
    assert rest == [(3, expected), (2, expected)], "everything else after it, spot by spot"


@pytest.mark.clause("CS-11", "CSC-5")
def test_a_collected_fold_does_not_bring_its_cover_all_forward(open_room: Opener) -> None:
    room = open_room()
    room.bets({1: ANTE | {"cover_all": 100}, 2: ANTE})
    room.call()
    room.cards({1: RAGS, 2: PAIR, 0: KINGS})
    room.act(1, "fold")
    room.act(2, "play")
    room.collect()
    assert room.spot(1).place == "counted, kept on the layout", "the highest hand may be a folded one"
    room.reveal()
    refusal = room.refused(lambda: room.reconcile(1))
    assert "spot 2 is next" in refusal.sentence


@pytest.mark.clause("CSC-4")
def test_cover_all_needs_a_shuffler_in_its_mode(open_room: Opener) -> None:
    plain = open_room(dealing="caribbean-stud")
    plain.bets({1: ANTE})
    refusal = plain.refused(lambda: plain.bet(1, "cover_all", 100))
    assert "Caribbean Stud Poker Cover All" in refusal.sentence
    proper = open_room(dealing="caribbean-stud-cover-all")
    proper.bets({1: ANTE | {"cover_all": 100}})
    assert proper.hand(1).wagers["cover_all"] == 100


@pytest.mark.clause("CSC-4")
def test_the_screen_shows_the_column_once_the_dealer_has_taken_his_packet(open_room: Opener) -> None:
    room = open_room(dealing="caribbean-stud-cover-all")
    # Whether or not anybody bet Cover All.
    room.bets({1: ANTE, 3: ANTE, 5: ANTE})
    room.call()
    for packets in (1, 2, 3):
        room.press()
        assert room.seen().packets_out == packets
        assert (room.seen().column, "Cover All" in " ".join(room.seen().screen[1:])) == (0, False)
    room.press()
    assert room.seen().column == 4, "three players and the dealer"
    assert "Cover All: 4 hands" in room.seen().screen


@pytest.mark.clause("CSC-5", "CSC-A1")
def test_a_candidate_for_the_highest_hand_is_left_exposed_and_replaced_by_a_higher_one(open_room: Opener) -> None:
    room = open_room()
    room.bets({1: ANTE | {"cover_all": 100}, 2: ANTE, 3: ANTE, 4: ANTE})
    room.call()
    room.cards({4: PAIR, 3: TRIPS, 2: FLUSH, 1: RAGS, 0: KINGS})
    for spot in (1, 2, 3, 4):
        room.act(spot, "play")
    room.reveal()
    exposed = []
    while len(room.play().steps) > 1:
        room.reconcile()
        exposed.append([one.spot for one in room.seen("display").spots if one.place == "face up"])
    assert exposed == [[], [3], [2], [2]], "a pair is none, trips are one from here on, the flush takes their place"
    assert room.play().steps[0].wagers == ("cover_all",), "Cover All after every other wager"
    room.reconcile()
    assert room.hand(1).lines["cover_all"].result == "win"
    assert room.spot(2).place == "racked"


@pytest.mark.clause("CSC-A1")
@pytest.mark.parametrize(
    ("options", "hand", "place"),
    [
        ({}, TRIPS, "face up"),
        ({}, STRAIGHT, "face up"),
        ({"cover_all_expose_from": "straight"}, TRIPS, "racked"),
        ({"cover_all_expose_from": "straight"}, STRAIGHT, "face up"),
    ],
)
def test_from_which_hand_on_a_candidate_is_exposed_is_the_houses(
    open_room: Opener, options: dict[str, str], hand: str, place: str
) -> None:
    room = open_room(options=options)
    room.bets({1: ANTE | {"cover_all": 100}, 3: ANTE})
    room.call()
    room.cards({3: hand, 1: RAGS, 0: KINGS})
    for spot in (1, 3):
        room.act(spot, "play")
    room.reveal()
    room.reconcile()
    assert room.spot(3).place == place


@pytest.mark.clause("CSC-A3")
def test_dealt_by_hand_the_dealer_enters_the_number_of_hands_and_the_display_shows_the_column(
    open_room: Opener,
) -> None:
    room = open_room(kind="cards", dealing="hand")
    room.bets({1: ANTE | {"cover_all": 100}, 2: ANTE})
    room.call()
    room.enter(1, RAGS)
    room.enter(2, PAIR)
    assert "must be entered" in room.refused(lambda: room.enter(0, NO_HAND)).sentence
    assert "3 hands are in this round" in room.refused(lambda: room.enter(0, NO_HAND, hands=4)).sentence
    assert room.seen("display").column == 0
    room.enter(0, NO_HAND, hands=3)
    assert room.seen("display").column == 3
    assert room.seen("display").screen == ("Cover All: 3 hands",)


# ----------------------------------------------------------------------------------------------------- Three Card Poker


@pytest.mark.clause("TC-5")
def test_after_no_more_bets_no_wager_is_taken_and_the_display_names_the_spots_without_pair_plus(
    open_room: Opener,
) -> None:
    room = open_room("three-card-poker")
    room.bets({1: ANTE, 2: ANTE | {"pair_plus": 500}, 4: ANTE})
    refusal = room.refused(room.press)
    assert "no more bets" in refusal.sentence, "the call comes before the first packet"
    assert room.seen().without == {}
    entry = room.no_more_bets()
    assert only(entry, BetsClosed).without["pair_plus"] == (1, 4)
    assert room.seen().without["pair_plus"] == (1, 4)
    for wager, cents in (("pair_plus", 500), ("ante", 2000), ("ante", 0)):
        assert "no more bets" in room.refused(lambda w=wager, c=cents: room.bet(1, w, c)).sentence
    room.lock()
    room.press()
    assert room.play().out == 1


@pytest.mark.clause("TC-15")
def test_forfeits_are_collected_after_every_decision_and_before_the_dealers_hand(open_room: Opener) -> None:
    room = open_room("three-card-poker")
    room.bets({1: ANTE | {"pair_plus": 500}, 2: ANTE, 3: ANTE | {"six_card_bonus": 100}})
    room.call()
    room.cards({1: "2h 5d 9c", 2: "As Kd 4c", 3: "3h 6d 8c", 0: "Qd 8d 4h"})
    for spot in (1, 3):
        room.act(spot, "fold")
    assert room.spot(1).place == "folded, to be collected"
    refusal = room.refused(room.collect)
    assert refusal.sentence == "forfeits are collected after all have decided; missing: spot 2"
    room.act(2, "play")
    refusal = room.refused(lambda: room.do("d1", ask.Reveal(table="T1")))
    assert "until the forfeits of spot 3, 1 are collected" in refusal.sentence
    collected = [event for event in room.collect().events if isinstance(event, ForfeitCollected)]
    assert [(event.spot, event.wagers, event.wagered, event.counted) for event in collected] == [
        (3, ("ante",), 1000, 0),
        (1, ("ante", "pair_plus"), 1500, 3),
    ], "the cards under the 6 Card Bonus stay"
    assert (room.rack(), room.spot(1).place, room.spot(3).place) == (2500, "racked", "tucked under its wager")
    room.reveal()
    assert [(step.spot, step.wagers) for step in room.play().steps] == [
        (3, ("six_card_bonus",)),
        (2, ("play", "ante")),
    ]


@pytest.mark.clause("TCB-5")
def test_a_folded_hand_with_a_six_card_bonus_is_tucked_and_not_collected(open_room: Opener) -> None:
    room = open_room("three-card-poker")
    room.bets({1: ANTE | {"six_card_bonus": 100}, 2: ANTE})
    room.call()
    room.cards({1: "2h 2d 9c", 2: "As Kd 4c", 0: "2c 2s 4h"})
    room.act(1, "fold")
    room.act(2, "fold")
    assert room.spot(1).place == "tucked under its wager"
    assert room.spot(2).place == "folded, to be collected"
    room.reveal()
    assert (room.spot(2).place, room.spot(1).place) == ("racked", "tucked under its wager")
    assert room.hand(1).lines["six_card_bonus"].result == "win", "four deuces of the two hands"
    room.reconcile()
    assert room.spot(1).place == "racked"


# -------------------------------------------------------------------------------------------------------- Straight Edge


@pytest.mark.clause("SE-5")
@pytest.mark.parametrize(
    ("game", "hand", "laid_away"),
    [
        ("straight-edge-1", "Jc Qd Kh As 2c 7d 7h", "7d 7h"),
        ("straight-edge-2", "Jc Qd Kh As 2c 7d 7h", "2c 7d 7h"),
        ("straight-edge-2", "3c 4d 5h 5s 6c Kd Jh", "5s Kd Jh"),
    ],
)
def test_the_cards_outside_the_run_stay_at_the_spot_until_it_is_settled(
    open_room: Opener, game: str, hand: str, laid_away: str
) -> None:
    room = open_room(game)
    made = {"ante": 1000, **({"blind": 1000} if game == "straight-edge-2" else {})}
    room.bets({1: made, 2: made})
    room.call()
    room.cards({1: hand})
    assert room.spot(1, "player", "p1").discards == "", "nothing is laid away before the decision"
    room.act(1, "play")
    assert room.spot(1, "player", "p1").discards == laid_away
    assert set(room.spot(1, "player", "p2").discards.split()) == {"??"}
    room.act(2, "fold")
    assert room.spot(2, "player", "p2").discards == "", "a folded spot plays no run"
    room.reveal()
    assert (room.spot(1).discards, room.spot(1).place) == (laid_away, "at the spot")
    room.reconcile()
    assert (room.spot(1).discards, room.spot(1).place) == ("", "racked")


# -------------------------------------------------------------------------------------------------------------- Pai Gow


@pytest.mark.clause("PG-3")
@pytest.mark.parametrize("start", range(1, 8))
def test_packets_go_counter_clockwise_from_the_position_on_the_shufflers_screen(open_room: Opener, start: int) -> None:
    room = open_room("six-card-pai-gow")
    room.bets({spot: {"base": 1000} for spot in range(1, 7)})
    room.call()
    room.shoe.on_top, room.shoe.start = DECK_53[::-1], start
    room.press()
    assert (room.seen("display").start, f"start position: {start}" in room.seen("display").screen) == (start, True)
    room.press(0)
    dealt = [event.target for event in room.events(PacketDealt)]
    # Position 1 is the dealer; 2 is spot 6, and so on counter-clockwise to 7, which is spot 1.
    circle = [0, 6, 5, 4, 3, 2, 1]
    assert dealt == circle[start - 1 :] + circle[: start - 1]
    assert [(event.first, event.count) for event in room.events(PacketDealt)] == [(6 * turn, 6) for turn in range(7)]
    out = [*room.play().hands.items(), (0, None)]
    for spot, hand in out:
        place = 6 * dealt.index(spot)
        assert (room.play().dealer if hand is None else hand.cards) == DECK_53[::-1][place : place + 6]


@pytest.mark.clause("PG-3")
def test_the_number_of_positions_and_the_dealers_place_are_set_per_table(open_room: Opener) -> None:
    room = open_room("six-card-pai-gow", spots=4, options={"positions": 5, "dealer_position": 3})
    room.bets({spot: {"base": 1000} for spot in range(1, 5)})
    room.call()
    room.stack({}, start=2)
    room.press(0)
    assert [event.target for event in room.events(PacketDealt)] == [1, 0, 4, 3, 2]


@pytest.mark.clause("PG-3")
def test_the_start_position_is_drawn_for_every_deck() -> None:
    """From a shoe that is not stacked: every position comes up, and no other."""
    shoe = SealingShoe(b"k" * 32)
    sealed = {number: shoe.promise("T1", number).sealed for number in range(400)}
    drawn = {shoe.deck(one, "T1", number, DECK_53, {}, 7).start for number, one in sealed.items()}
    assert drawn == set(range(1, 8))


@pytest.mark.clause("PG-6", "FL-6")
def test_the_dealers_cards_are_revealed_and_set_only_after_every_player_has_set(open_room: Opener) -> None:
    room = open_room("six-card-pai-gow")
    room.bets({1: {"base": 1000}, 2: {"base": 1000}})
    room.call()
    room.cards({})
    refusal = room.refused(room.reveal)
    assert "spots 1 and 2 have not set" in refusal.sentence
    room.act(1, "house_way")
    assert "spot 2 has not set" in room.refused(room.reveal).sentence
    assert set(room.seen("dealer").dealer.split()) == {"??"}
    room.act(2, "low", card=text_of(room.hand(2).cards[:1]))
    entry = room.reveal()
    assert only(entry, HandShown).spot == 0
    assert text_of(room.play().dealer) == room.seen("player", "p1").dealer


@pytest.mark.clause("PG-18")
def test_a_packet_for_an_empty_position_goes_unseen_to_the_rack_and_neither_counts_nor_envies(
    open_room: Opener,
) -> None:
    room = open_room("six-card-pai-gow")
    room.bets({2: {"base": 1000, "fortune": 500}, 5: {"base": 1000}})
    room.call()
    # Position 7, spot 1, is empty and gets four kings; it would pay envy if it counted.
    kings, dealer, other = "Kc Kd Kh Ks 2c 3d", "Ac Qd 9h 7s 5c 4d", "Qh Jc 9s 8d 6h 3c"
    order = (kings, dealer, "2h 3h 4h 5h 6c 7c", other, "8h 9c Th Jd Qc Ah", "2s 3s 4s 5s 6s 8s", "Js Td 8c 7d 4c 2d")
    room.shoe.on_top, room.shoe.start = read_cards(" ".join(order)), 7
    room.press(0)
    assert set(room.play().hands) == {2, 5}
    racked = [event for event in room.events(PacketDealt) if event.target == EMPTY]
    assert (len(racked), racked[0].first) == (4, 0)
    held = [card for hand in room.play().hands.values() for card in hand.cards]
    assert not {*read_cards(kings)} & {*held, *room.play().dealer}
    for spot in (2, 5):
        room.act(spot, "house_way")
    room.reveal()
    assert "fortune_envy" not in room.hand(2).lines
    assert all(b"Kh" not in encode(room.seen(who)) for who in VIEWERS)
    room.reconcile_all()
    room.end("T1")


# ------------------------------------------------------------------------------------------------------ the shuffler


@pytest.mark.clause("FL-2")
@pytest.mark.parametrize("console", ["touch", "keypad"])
def test_the_green_button_dispenses_packets_and_the_next_deck_is_shuffled(open_room: Opener, console: str) -> None:
    room = open_room("three-card-poker", console=console)
    room.bets({2: ANTE, 4: ANTE})
    room.no_more_bets()
    refusal = room.refused(room.press)
    assert WORDS[room.state.tables["T1"].config.console].lock_in in refusal.sentence
    room.lock()
    room.stack({2: "2h 5d 9c", 4: "As Kd 4c", 0: "Qd 8c 4h"})
    seen = []
    for _ in range(3):
        entry = room.press()
        seen.append((only(entry, PacketDealt).target, f"packets out: {len(seen) + 1}" in room.seen().screen))
    assert seen == [(2, True), (4, True), (0, True)]
    assert "the remaining cards are out; the next deck is shuffled" in room.seen().screen
    assert "next one shuffled" in room.refused(room.press).sentence
    for spot in (2, 4):
        room.act(spot, "play")
    room.reveal()
    room.reconcile_all()
    room.end("T1")
    room.bets({2: ANTE})
    room.call()
    room.press()
    first, second = room.events(DeckShuffled)
    assert first.commitment != second.commitment
    assert sorted(room.events(DeckOpened)[0].order) == sorted(DECK_52)
