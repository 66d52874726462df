"""A demonstration floor deals cards that somebody chose; a real floor never does."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.table.table_kit import KEY, Room

from houseway.cards import read_cards
from houseway.games import all_games
from houseway.manager.shoe import SealingShoe
from houseway.refusal import NotAllowed, Refusal
from houseway.table.card_round.cards import deck_of
from houseway.table.card_round.commands import Deal, StackDeck
from houseway.table.card_round.events import DeckOpened, DeckStacked
from houseway.table.progressive_round.commands import VoidRound


def demonstration(folder: Path, game: str, **settings: object) -> Room:
    room = Room(folder, game, linked=False, demonstration=True, **settings)
    room.floor.shoe = SealingShoe(KEY)
    return room


HANDS = {
    "caribbean-stud": ("As Ks Qs Js Ts", "2h 7d 9c 3c 4d"),
    "three-card-poker": ("As Ks Qs", "2h 7d 9c"),
    "straight-edge-1": ("As Ks Qs Js Ts 9s 8s", "2h 7d 9c 3c 4d Jd Kc Qd"),
    "straight-edge-2": ("As Ks Qs Js Ts 9s 8s", "2h 7d 9c 3c 4d Jd Kc"),
    "six-card-pai-gow": ("As Ac Ad Ah Jk 9s", "2h 7d 9c 3c 4d Jd"),
}


@pytest.mark.parametrize("game", HANDS)
def test_the_chosen_cards_are_dealt_and_the_rest_is_a_whole_deck(tmp_path: Path, game: str) -> None:
    mine, dealers = HANDS[game]
    room = demonstration(tmp_path, game)
    wagers = {"ante": 1000, **({"blind": 1000} if game == "straight-edge-2" else {})}
    wagers = {"base": 1000} if game == "six-card-pai-gow" else wagers
    room.bets({1: wagers, 2: wagers})
    room.do("player/p2", StackDeck(table="T1", spot=2, cards=mine))
    room.do("d1", StackDeck(table="T1", spot=0, cards=dealers))
    assert room.play().stacked.keys() == {0, 2}
    room.call()
    room.do("d1", Deal(table="T1", packets=0))
    assert room.play().hands[2].cards == read_cards(mine)
    assert room.play().dealer == read_cards(dealers)
    order = deck_of(room.state.tables["T1"], room.play(), room.floor.shoe).order
    assert sorted(order) == sorted(all_games()[game].deck)


def test_a_choice_is_taken_back_and_ends_with_its_round(tmp_path: Path) -> None:
    room = demonstration(tmp_path, "three-card-poker")
    room.bets({1: {"ante": 1000}})
    room.do("player/p1", StackDeck(table="T1", spot=1, cards="As Ks Qs"))
    done = room.do("player/p1", StackDeck(table="T1", spot=1, cards=""))
    assert [type(event) for event in done.events] == [DeckStacked]
    assert not room.play().stacked
    room.do("player/p1", StackDeck(table="T1", spot=1, cards="As Ks Qs"))
    room.call()
    room.do("d1", Deal(table="T1", packets=0))
    voided = room.do("s1", VoidRound(table="T1", cause="try again"), "s2")
    assert any(isinstance(event, DeckOpened) for event in voided.events)
    assert not room.play().stacked


def test_on_a_real_floor_no_deck_is_stacked(tmp_path: Path) -> None:
    room = Room(tmp_path, "three-card-poker", linked=False)
    room.bets({1: {"ante": 1000}})
    with pytest.raises(NotAllowed, match="a demonstration floor alone"):
        room.do("player/p1", StackDeck(table="T1", spot=1, cards="As Ks Qs"))


@pytest.mark.parametrize(
    ("spot", "cards", "why"),
    [
        (1, "As Ks", "cards: must be 3"),
        (1, "As Ks Jk", "not in the deck"),
        (1, "2c 3c 4c", "was chosen already"),
        (3, "As Ks Qs", "spot"),
        (1, "Zz", "Zz"),
    ],
)
def test_a_choice_that_cannot_be_dealt_is_refused(tmp_path: Path, spot: int, cards: str, why: str) -> None:
    room = demonstration(tmp_path, "three-card-poker")
    room.bets({1: {"ante": 1000}, 2: {"ante": 1000}})
    room.do("player/p2", StackDeck(table="T1", spot=2, cards="2c 3h 4h"))
    with pytest.raises(Refusal, match=why):
        room.do("player/p1", StackDeck(table="T1", spot=spot, cards=cards))


def test_a_player_chooses_for_his_own_spot_alone_and_before_the_shuffle(tmp_path: Path) -> None:
    room = demonstration(tmp_path, "three-card-poker")
    room.bets({1: {"ante": 1000}, 2: {"ante": 1000}})
    name = room.play().hands[1].player
    room.do(f"player/{name}", StackDeck(table="T1", spot=1, cards="As Ks Qs"))
    for spot in (0, 2):
        with pytest.raises(NotAllowed):
            room.do(f"player/{name}", StackDeck(table="T1", spot=spot, cards="2c 3c 4c"))
    room.call()
    room.do("d1", Deal(table="T1", packets=1))
    with pytest.raises(Refusal, match="is shuffled"):
        room.do("player/p2", StackDeck(table="T1", spot=2, cards="2c 3c 4c"))
