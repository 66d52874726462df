"""Neither side chooses the deck (TR-11), and no card is in the database before something shows it (TR-10).

Every attack is made on a real floor with a real file, by a house that changed its program, and must be found by the
checks that anybody can make. Each is there a second time with the check taken out: then it is not found.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec
import pytest
from tests.keys import KEYS
from tests.manager.card_books import deck_from
from tests.table.table_kit import KEY, Opener, Room, rooms
from tests.table.transcripts.kit import PlayTable
from tools import deck_vectors
from typer.testing import CliRunner

from houseway.books.rounds import journalled
from houseway.cards import DECK_52, DECK_53, Card, text_of
from houseway.cli import program
from houseway.games import all_games, approved_book
from houseway.games.round import PLAY
from houseway.manager.commands import Order, digest_of
from houseway.manager.entry import Entry, entry_of
from houseway.manager.floor import Floor
from houseway.manager.keyring import Keyring
from houseway.manager.shoe import SealingShoe
from houseway.manager.state import FloorState, caught_up, snapshot_of
from houseway.manager.store import open_store
from houseway.ranking import five_card
from houseway.refusal import Refusal
from houseway.table import chi_square, machine
from houseway.table.card_round import commands as ask
from houseway.table.card_round import decide as play_decide
from houseway.table.card_round import events as line
from houseway.table.card_round import events as tell
from houseway.table.card_round.cards import Deck, Promise, opened
from houseway.table.card_round.state import Play
from houseway.table.card_round.view import Who, view
from houseway.table.commitment import SeedStream, Shuffled, commit, new_deck, seal, shuffle
from houseway.table.notation import RoundRecord, check_deck, parse_round, settle_record, write_round
from houseway.table.notation import deck as checks

ANTE: Final = {"ante": 1000}
GAMES: Final = {
    "caribbean-stud": ANTE,
    "three-card-poker": ANTE,
    "straight-edge-1": ANTE,
    "straight-edge-2": {"ante": 1000, "blind": 1000},
    "six-card-pai-gow": {"base": 1000},
}
EVERYBODY: Final = (Who("player", "p1"), Who("player", "p2"), Who("dealer"), Who("surveillance"), Who("display"))


@pytest.fixture
def open_room(tmp_path: Path) -> Iterator[Opener]:
    yield from rooms(tmp_path)


def fair(room: Room, shoe: SealingShoe | None = None) -> Room:
    """A room whose shoe does not cheat, or as it is told."""
    room.floor.shoe = room.shoe = shoe or SealingShoe(KEY)  # type: ignore[assignment]  # it needs no stacking
    return room


def bet(room: Room, spot: int, cents: int = 1000, added: str = "", wager: str = "ante") -> Entry:
    room.sit(spot)
    command = ask.Bet(table="T1", spot=spot, wager=wager, cents=cents, player_seed=added)
    return room.do(f"player/p{spot}", command)


def play_on(room: Room) -> RoundRecord:
    """From the call to the close, everybody plays; the record of the round."""
    number = room.round().number
    room.call()
    room.press(0)
    for spot in room.play().hands:
        room.act(spot, "play", by=f"player/p{spot}")
    room.reveal()
    room.reconcile_all()
    room.end("T1")
    return record(room, number)


def record(room: Room, number: int) -> RoundRecord:
    return journalled(room.store, "T1", number, room.state.configured)


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(program(arguments[0]), arguments)
    return done.exit_code, done.output


def both_checks(room: Room) -> list[int]:
    """The exit codes of `shuffle verify` and `round check` for round 1, from the floor's own database."""
    commands = (("shuffle", "verify"), ("round", "check"))
    return [run(*command, "T1", "1", "--db", str(room.file))[0] for command in commands]


# ---------------------------------------------------------------------------------------------------- how it should be


@pytest.mark.clause("TR-11", "FL-3")
def test_the_house_commits_before_wagers_the_players_add_and_the_deck_follows(open_room: Opener) -> None:
    room = fair(open_room(linked=False))
    seated = room.do("player/p2", ask.SitDown(table="T1", spot=2, player="p2"))
    (promised,) = (event for event in seated.events if isinstance(event, tell.SeedCommitted))
    assert (promised.round, room.events(tell.WagerPlaced)) == (1, [])
    bet(room, 2, added="two is my number")
    bet(room, 1, added="ab" * 32)
    bet(room, 4)
    for who in EVERYBODY:
        shown = view(room.felt(), who).deck
        assert shown is not None
        assert (shown.round, shown.commitment, shown.seed) == (1, promised.commitment, "")
        assert (shown.player_seeds, shown.house_only) == ({1: "ab" * 32, 2: "two is my number"}, (4,))
    made = play_on(room)
    (done,) = room.events(tell.DeckOpened)
    seed = bytes.fromhex(done.seed)
    assert commit(seed, table="T1", round=1) == promised.commitment
    order = deck_from(seed, "T1", 1, {1: "ab" * 32, 2: "two is my number"}, DECK_52)
    assert list(done.order) == order, "worked out another way, it is the same deck"
    assert [card for one in made.of(line.PacketDealt) for card in one.cards] == order[:20]
    assert check_deck(made) == [] == settle_record(made, approved_book())
    last = room.seen("player", "p1").last_deck
    assert last is not None
    assert (last.round, last.seed, last.house_only) == (1, done.seed, (4,))
    for who in (Who("player", "a stranger"), Who("display")):
        unopened = view(room.felt(), who).last_deck
        assert unopened is not None
        assert unopened.seed == "", "a folded hand of others is nobody's to compute"
    following = room.seen("player", "p1").deck
    assert following is not None
    assert (following.round, following.commitment) == (2, room.events(tell.SeedCommitted)[1].commitment)
    closed = next(entry for entry in room.entries() if entry.kind == "close_round")
    assert [type(event).__name__ for event in closed.events][-1] == "SeedCommitted"
    assert both_checks(room) == [0, 0]


@pytest.mark.clause("TR-11")
def test_the_next_round_is_promised_by_the_end_of_the_one_before_and_checked_with_it(open_room: Opener) -> None:
    room = fair(open_room(linked=False))
    bet(room, 1, added="first")
    play_on(room)
    bet(room, 1, added="second")
    made = play_on(room)
    assert isinstance(made.steps[0], line.SeedCommitted)
    assert check_deck(made) == []
    bet(room, 1, added="third")
    room.no_more_bets()
    room.void("T1")
    voided = record(room, 3)
    assert voided.of(line.DeckOpened)[0].order == ()
    assert check_deck(voided) == []
    assert len({event.commitment for event in room.events(tell.SeedCommitted)}) == 4


@pytest.mark.clause("TR-11")
def test_a_round_without_a_players_seed_says_so(open_room: Opener) -> None:
    room = fair(open_room(linked=False))
    bet(room, 1)
    made = play_on(room)
    assert "shuffle house alone 1 column 2\n" in write_round(made)
    assert "the house's seed alone" in run("shuffle", "verify", "T1", "1", "--db", str(room.file))[1]
    assert "made from the house's seed alone" in run("round", "check", "T1", "1", "--db", str(room.file))[1]


@pytest.mark.clause("TR-11")
def test_a_players_seed_is_fixed_for_the_round_and_for_those_in_it(open_room: Opener) -> None:
    room = fair(open_room(linked=False))
    bet(room, 1, added="mine")
    assert bet(room, 1, 2000, added="mine").events[0].cents == 2000  # type: ignore[union-attr]
    refusal = room.refused(lambda: bet(room, 1, 1500, added="another"))
    assert (refusal.field, refusal.sentence) == ("player_seed", "your seed for this round is fixed: it is 'mine'")
    bet(room, 2, added="of one who goes")
    bet(room, 2, 0)
    bet(room, 3, added="of one who leaves")
    room.leave(3, by="player/p3")
    room.do("player/q3", ask.SitDown(table="T1", spot=3, player="q3"))
    room.do("player/q3", ask.Bet(table="T1", spot=3, wager="ante", cents=1000, player_seed="of one who comes"))
    room.call()
    room.press()
    (shuffled,) = room.events(tell.DeckShuffled)
    assert (shuffled.player_seeds, shuffled.house_only) == ({1: "mine", 3: "of one who comes"}, ())


@pytest.mark.clause("TR-11")
@pytest.mark.parametrize("text", [" x", "x ", " ", "x" * 129, "é", "a\nb", "a\tb", "\x00", "ab\u2028cd"])
def test_a_seed_that_could_not_be_written_down_is_refused(open_room: Opener, text: str) -> None:
    room = fair(open_room(linked=False))
    room.sit(1)
    refusal = room.refused(lambda: bet(room, 1, added=text))
    assert refusal.field == "player_seed"
    assert "printable ASCII" in refusal.sentence
    assert not room.play().hands


@pytest.mark.clause("TR-11")
def test_a_seed_is_for_tables_that_the_system_deals_at(open_room: Opener) -> None:
    room = open_room(linked=False, kind="cards")
    room.sit(1)
    added = ask.Bet(table="T1", spot=1, wager="ante", cents=1000, player_seed="mine")
    assert "deals real cards" in room.refused(lambda: room.do("d1", added)).sentence
    assert not room.events(tell.SeedCommitted)


# ------------------------------------------------------------------------------------------------- a house that cheats


class ChoosingShoe(SealingShoe):
    """A house that prepares seven seeds for a round and, once it knows the players', deals the best one for itself."""

    def promise(self, table: str, round: int) -> Promise:
        self.prepared = [bytes([number]) * 32 for number in range(7)]
        return Promise(
            commit(self.prepared[0], table=table, round=round), seal(self.prepared[0], KEY, table=table, round=round)
        )

    def _opened(self, sealed: str, table: str, round: int, cards: Any, player_seeds: Any, positions: int) -> Deck:
        decks = [
            (seed, shuffle(cards, seed, player_seeds, positions, table=table, round=round)) for seed in self.prepared
        ]
        seed, made = max(decks, key=lambda one: five_card.value(*one[1].order[5:10]))
        return Deck(made.order, made.start, seed=seed.hex())


def chosen_among_seven(open_room: Opener) -> Room:
    """A round in which the house dealt itself the best of seven."""
    room = fair(open_room(linked=False), ChoosingShoe(KEY))
    for number in count():
        bet(room, 1, added=f"mine {number}")
        play_on(room)
        if room.events(tell.DeckOpened)[-1].seed != bytes(32).hex():
            return room
    raise AssertionError


@pytest.mark.clause("TR-11")
def test_a_house_that_picks_among_seven_decks_is_found_out(open_room: Opener) -> None:
    room = chosen_among_seven(open_room)
    number = room.round().number - 1
    defects = check_deck(record(room, number))
    assert defects == ["the opened seed is not the one that was committed to: the house chose another"]
    for command in (("shuffle", "verify"), ("round", "check")):
        code, told = run(*command, "T1", str(number), "--db", str(room.file))
        assert (code, defects[0] in told) == (1, True)


@pytest.mark.clause("TR-11")
def test_planted_the_same_house_goes_unseen_where_the_commitment_is_not_opened(
    open_room: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = chosen_among_seven(open_room)
    monkeypatch.setattr(checks, "opens", lambda *_, **__: True)
    assert check_deck(record(room, room.round().number - 1)) == []


def _promises_at_the_deal(patch: pytest.MonkeyPatch) -> None:
    """A program that publishes the commitment only when everybody's seed is in."""
    late = play_decide._seed_committed
    patch.setattr(play_decide, "_seed_committed", lambda felt: late(felt) if felt.play.called else ())
    patch.setattr(machine, "promised", lambda felt, number: ())


@pytest.mark.clause("TR-11", "FL-3")
def test_a_house_that_commits_after_the_wagers_is_found_out(open_room: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    _promises_at_the_deal(monkeypatch)
    room = fair(open_room(linked=False))
    bet(room, 1, added="mine")
    made = play_on(room)
    assert check_deck(made) == [
        "the house committed to its seed after the first wager; it must before",
        "the house committed to its seed after spot 1 had added one: it could choose",
    ]
    assert both_checks(room) == [1, 1]


@pytest.mark.clause("TR-11", "FL-3")
def test_planted_a_late_commitment_goes_unseen_where_nobody_looks_when(
    open_room: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    _promises_at_the_deal(monkeypatch)
    room = fair(open_room(linked=False))
    bet(room, 1, added="mine")
    made = play_on(room)
    monkeypatch.setattr(checks, "_promise_defects", lambda record: ())
    assert check_deck(made) == []


class OwnOrder(SealingShoe):
    """A house that keeps its promise and then deals another deck."""

    def _shuffled(self, cards: Any, seed: bytes, player_seeds: Any, positions: int, **where: Any) -> Shuffled:
        return Shuffled(tuple(reversed(cards)), 1 if positions else 0)


@pytest.mark.clause("TR-11")
def test_a_house_that_deals_another_deck_than_follows_is_found_out(
    open_room: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = fair(open_room(linked=False), OwnOrder(KEY))
    bet(room, 1, added="mine")
    made = play_on(room)
    assert check_deck(made) == ["the opened deck is not the one that follows from the seeds"]
    assert both_checks(room) == [1, 1]
    monkeypatch.setattr(checks, "shuffle", lambda cards, *_, **__: Shuffled(tuple(reversed(cards)), 0))
    assert check_deck(made) == [], "planted: the same house goes unseen where the deck is not computed again"


@pytest.mark.clause("TR-11")
@pytest.mark.parametrize("in_deck", [{}, {1: "mine"}, {1: "not mine", 2: "hers"}])
def test_a_house_that_leaves_a_players_seed_out_or_changes_it_is_found_out(
    open_room: Opener, monkeypatch: pytest.MonkeyPatch, in_deck: dict[int, str]
) -> None:
    monkeypatch.setattr(Play, "contributed", property(lambda play: in_deck))
    room = fair(open_room(linked=False))
    bet(room, 1, added="mine")
    bet(room, 2, added="hers")
    made = play_on(room)
    assert check_deck(made)
    assert both_checks(room) == [1, 1]


@pytest.mark.clause("TR-11")
def test_a_text_that_was_changed_afterwards_is_found_out(open_room: Opener, tmp_path: Path) -> None:
    """Also where the text of a round comes from the house: the seeds, the hands and the face-up card must fit."""
    room = fair(open_room(linked=False))
    bet(room, 1, added="mine")
    text = write_round(play_on(room))
    order = [card for one in parse_round(text).of(line.DeckOpened) for card in one.order]
    hand, dealer = text_of(order[:5]), text_of(order[5:10])
    for old, new in (
        ('"mine"', '"yours"'),
        (f"deal 1: {hand}", f"deal 1: {dealer}"),
        (f"deal dealer: {dealer}", f"deal dealer: {text_of(order[10:15])}"),
        ("shuffle seeds 1", "shuffle house alone 1"),
    ):
        assert old in text
        changed = text.replace(old, new)
        if old.startswith("deal 1"):
            changed = changed.replace(f"deal dealer: {dealer}", f"deal dealer: {hand}")
        file = tmp_path / "changed.round"
        file.write_text(changed, "utf-8")
        assert run("shuffle", "verify", str(file))[0] == 1, old


# -------------------------------------------------------------------------------------------------- the deck is uniform


def p_values(seed: str) -> list[float]:
    """The p-values of decks that a stubborn player always adds the same to."""
    drawn = Random(seed)
    decks = [
        shuffle(DECK_53, drawn.randbytes(32), {1: "7"}, 0, table="T1", round=number).order for number in range(3_000)
    ]
    return [result.p for result in chi_square.results(chi_square.tally(decks, DECK_53))]


@pytest.mark.clause("TR-11")
def test_the_deck_is_uniform_whatever_a_player_adds() -> None:
    assert min(min(p, 1 - p) for p in p_values("fair")) > 1e-4


@pytest.mark.clause("TR-11")
def test_planted_a_stream_that_favours_some_cards_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SeedStream, "randrange", lambda self, stop: self._byte() % stop)
    assert min(p_values("fair")) < 1e-6


@pytest.mark.clause("TR-11")
def test_every_vector_is_what_the_procedure_gives_and_a_second_program_agrees() -> None:
    text = deck_vectors.FILE.read_text("utf-8")
    assert text == deck_vectors.text(), "python tools/deck_vectors.py writes it anew"
    vectors = json.loads(text)["vectors"]
    assert len(vectors) >= 12
    assert {one["game"] for one in vectors} == set(all_games())
    for one in vectors:
        game = all_games()[one["game"]]
        pack = game.pack(game.defaults)
        added = {int(spot): added for spot, added in one["player_seeds"].items()}
        order = deck_from(bytes.fromhex(one["seed"]), one["table"], one["round"], added, pack)
        assert text_of(order) == one["order"]


# ------------------------------------------------------------------------------------------------------------ sealed


class KnownDeck(SealingShoe):
    """A shoe that deals a known deck; everything random about it is always the same."""

    def __init__(self, order: tuple[Card, ...]) -> None:
        super().__init__(KEY, entropy=Random(7).randbytes)
        self._known_order = order

    def _shuffled(self, cards: Any, seed: bytes, player_seeds: Any, positions: int, **where: Any) -> Shuffled:
        return Shuffled(self._known_order, 1 if positions else 0)


def open_round(open_room: Opener, game: str, order: tuple[Card, ...]) -> Room:
    """A round of two players with a known deck, decided and not turned over; the first sets a pai gow hand."""
    room = fair(open_room(game, linked=False), KnownDeck(order))
    room.bets({1: GAMES[game], 2: GAMES[game]})
    room.call()
    room.press(0)
    for spot in (1, 2):
        if game == "six-card-pai-gow":
            room.act(spot, "low", card=text_of((room.hand(spot).cards[-1],)), by=f"player/p{spot}")
        else:
            room.act(spot, "play", by=f"player/p{spot}")
    return room


def hidden_places(room: Room) -> list[int]:
    """The places of the deck that nobody but their player has seen."""
    game, play = room.game(), room.play()
    up = {play.dealer_first + place for place in game.dealer_face_up}
    return [place for place in range(len(game.deck)) if place not in up]


def kept(room: Room) -> list[bytes]:
    """Everything that the floor keeps of the events and the state."""
    rows = [msgspec.json.encode(entry_of(row.body).events) for row in room.store.entries()]
    digests = [entry_of(row.body).digest.encode() for row in room.store.entries()]
    state = caught_up(FloorState(), room.store)
    tables = msgspec.json.encode(msgspec.json.decode(snapshot_of(state).body)["tables"])
    return [*rows, *digests, tables]


def in_database(room: Room, order: tuple[Card, ...]) -> list[str]:
    """Two or more cards that lie on each other in the deck, in any form, in any byte of the database's files."""
    folder = room.file.parent
    data = b"".join(file.read_bytes() for file in sorted(folder.iterdir()) if file.name.startswith(room.file.name))
    found = []
    for place in range(len(order) - 2):
        cards = order[place : place + 3]
        numbers = ",".join(map(str, cards))
        for form in (text_of(cards), text_of(cards).replace(" ", ""), numbers, numbers.replace(",", ", ")):
            found += [form] if form.encode() in data else []
    for place in range(len(order) - 3):
        raw = bytes(order[place : place + 4])
        found += [str(raw)] if raw in data else []
        # Three bytes are four letters of base64 wherever they begin.
        found += [
            letters
            for shift in range(3)
            if (letters := base64.b64encode(bytes(order[place + shift : place + shift + 9])).decode())
            and letters.encode() in data
        ]
    return found


def other_order(room: Room, order: tuple[Card, ...], seed: int) -> tuple[Card, ...]:
    """The same deck with the cards that were not shown in other places."""
    places = hidden_places(room)
    made = list(order)
    for place, other in zip(places, Random(seed).sample(places, len(places)), strict=True):
        made[place] = order[other]
    return tuple(made)


@pytest.mark.clause("TR-10")
@pytest.mark.parametrize("game", GAMES)
def test_no_hidden_card_is_in_the_database_while_the_round_is_open(open_room: Opener, game: str) -> None:
    order = new_deck(all_games()[game].deck, Random(1).randbytes)
    room = open_round(open_room, game, order)
    assert in_database(room, order) == []
    another = open_round(open_room, game, other_order(room, order, 5))
    assert room.play().hands[1].cards != another.play().hands[1].cards
    assert kept(room) == kept(another), "what is kept does not depend on any hidden card"
    backup = room.file.parent / f"{room.file.name}.backup"
    room.store.backup(backup)
    assert in_database(room, order) == []
    room.reveal()
    assert in_database(room, order), "once the cards are turned over, the search finds them"


def _with_cards(patch: pytest.MonkeyPatch) -> None:
    """A program that writes the cards of every packet down, as it did once."""
    deal = play_decide._DECIDE[ask.Deal]

    def dealt(felt: Any, command: Any) -> Any:
        events = deal(felt, command)
        play = play_decide._evolved(felt, events)
        order = play_decide._deck(felt, play).order
        packets = [event for event in events if isinstance(event, tell.PacketDealt)]
        cards = {id(one): order[one.first : one.first + one.count] for one in packets}
        return tuple(msgspec.structs.replace(one, cards=cards[id(one)]) if id(one) in cards else one for one in events)

    patch.setitem(play_decide._DECIDE, ask.Deal, dealt)


@pytest.mark.clause("TR-10")
def test_planted_cards_in_the_packets_are_found(open_room: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    _with_cards(monkeypatch)
    order = new_deck(DECK_52, Random(1).randbytes)
    assert in_database(open_round(open_room, "caribbean-stud", order), order)


@pytest.mark.clause("TR-10")
def test_the_digest_of_a_setting_does_not_tell_the_card(open_room: Opener) -> None:
    """Fifty-three hashes would give the low card of a hand that nobody has turned over."""
    choices = [ask.Act(table="T1", spot=1, action="low", card=text_of((card,))) for card in DECK_53]
    assert len({digest_of(Order(id="one", by="player/p1", command=choice)) for choice in choices}) == 1
    other = ask.Act(table="T1", spot=1, action="house_way")
    assert digest_of(Order(id="one", by="player/p1", command=other)) not in {
        digest_of(Order(id="one", by="player/p1", command=choice)) for choice in choices
    }


@pytest.mark.clause("TR-10")
def test_without_the_key_an_open_round_stays_sealed_and_a_closed_one_is_read(open_room: Opener) -> None:
    order = new_deck(DECK_52, Random(1).randbytes)
    room = open_round(open_room, "three-card-poker", order)
    store = open_store(str(room.file), create=False, read_only=True)
    state = caught_up(FloorState(), store)
    store.close()
    hands = state.tables["T1"].round.play.hands
    assert [hand.cards for hand in hands.values()] == [(), ()]
    assert opened(state.tables["T1"], None) == state.tables["T1"]
    with pytest.raises(Refusal, match="does not open"):
        opened(state.tables["T1"], SealingShoe(bytes(32)))
    room.reveal()
    room.reconcile_all()
    room.end("T1")
    dealt = record(room, 1).of(line.PacketDealt)
    assert [one.cards for one in dealt] == [order[:3], order[3:6], order[6:9]]


@pytest.mark.clause("TR-14", "TR-11")
def test_a_sealing_key_that_was_replaced_still_opens_what_it_sealed(open_room: Opener, tmp_path: Path) -> None:
    room = fair(open_room(linked=False), SealingShoe(*KEYS.secrets("sealing")))
    bet(room, 1, added="mine")
    ring = Keyring(KEYS.signing, {"sealing": (b"n" * 32,)})
    room.floor.close()
    room.store = open_store(str(room.file))
    room.floor = Floor(room.store, keys=ring, clock=room.clock, threaded=False)
    room.shoe = room.floor.shoe  # type: ignore[assignment]
    assert check_deck(play_on(room)) == []
    assert not room.state.tables["T1"].round.play.shuffled


# ------------------------------------------------------------------------------------------------------ from before


@pytest.mark.clause("TR-11")
def test_players_who_sat_there_before_the_program_was_replaced_get_a_promise_with_the_first_wager(
    open_room: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = fair(open_room(linked=False))
    with monkeypatch.context() as before:
        before.setattr(play_decide, "promised", lambda felt, number: ())
        room.sit(1, 2)
    first = bet(room, 1, added="not counted: the house could look at it first")
    assert [type(event) for event in first.events] == [tell.SeedCommitted, tell.WagerPlaced]
    bet(room, 2, added="counted")
    made = play_on(room)
    (shuffled,) = made.of(line.DeckShuffled)
    assert ([*shuffled.player_seeds], shuffled.house_only) == ([2], (1,))
    assert check_deck(made) == []


@pytest.mark.clause("TR-11")
def test_a_round_in_progress_is_finished_as_it_began(open_room: Opener) -> None:
    """Its commitment was to the order, which was sealed in the form of that time."""
    from houseway.table import first_deck
    from houseway.table.commitment import about, cipher

    order, nonce, fresh = new_deck(DECK_52, Random(3).randbytes), b"n" * 32, b"f" * 12
    plain = bytes((0,)) + nonce + bytes(order)
    locked = cipher(KEY).encrypt(fresh, plain, about(first_deck.TITLE, "T1", 1))
    sealed = first_deck.SEAL + base64.urlsafe_b64encode(fresh + locked).decode()

    def as_before(felt: Any) -> Any:
        return (
            tell.DeckCommitted(
                **felt.where,
                commitment=first_deck.commit(order, nonce),
                sealed=sealed,
                start=0,
                targets=(1, 0),
                column=0,
            ),
        )

    room = fair(open_room(linked=False))
    with pytest.MonkeyPatch.context() as before:
        before.setattr(play_decide, "promised", lambda felt, number: ())
        room.bets({1: ANTE})
        room.call()
        before.setattr(play_decide, "_deck_shuffled", as_before)
        room.press(1)
    room.press(0)
    assert room.hand(1).cards == order[:5]
    room.act(1, "play")
    room.reveal()
    room.reconcile_all()
    room.end("T1")
    made = record(room, 1)
    (opened,) = made.of(line.DeckOpened)
    assert (opened.nonce, opened.order) == (nonce.hex(), order)
    assert check_deck(made) == [] == settle_record(made, approved_book())
    assert parse_round(write_round(made)) == made
    bet(room, 1, added="the new way")
    assert check_deck(play_on(room)) == []


# ------------------------------------------------------------------------------------------------------ the command


@pytest.mark.clause("TR-11")
def test_shuffle_verify_takes_the_facts_alone_and_a_round_as_json(tmp_path: Path) -> None:
    one = json.loads(deck_vectors.FILE.read_text("utf-8"))["vectors"][-2]
    facts = [
        *("--table", one["table"], "--round", str(one["round"]), "--game", one["game"], "--seed", one["seed"]),
        *(part for spot, text in one["player_seeds"].items() for part in ("--player-seed", f"{spot}={text}")),
    ]
    code, told = run("shuffle", "verify", *facts, "--commitment", one["commitment"], "--json")
    answer = json.loads(told)
    assert (code, answer["deck"], answer["start"], answer["defects"]) == (0, one["order"], one["start"], [])
    code, told = run("shuffle", "verify", *facts, "--commitment", "0" * 64)
    assert (code, "NOT dealt as promised" in told) == (1, True)
    table = PlayTable(tmp_path, "three-card-poker", "touch")
    made = table.play({4: {"ante": 1_000}}, {4: PLAY})
    file = tmp_path / "round.json"
    file.write_text(json.dumps({"notation": write_round(made)}), "utf-8")
    assert run("shuffle", "verify", str(file))[0] == 0


@pytest.mark.clause("TR-11")
@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"--seed": "12"}, "--seed: must be 64 hexadecimal digits"),
        ({"--commitment": "Z" * 64}, "--commitment: must be 64 hexadecimal digits"),
        ({"--game": "bridge"}, "bridge"),
        ({"--player-seed": "x"}, "--player-seed"),
        ({"--player-seed": "3= x"}, "player_seed"),
        ({"--round": None}, "--round: must be given"),
    ],
)
def test_shuffle_verify_refuses_what_it_cannot_answer(changed: Mapping[str, str | None], said: str) -> None:
    facts = {"--table": "T1", "--round": "1", "--game": "caribbean-stud", "--seed": "0" * 64, "--commitment": "0" * 64}
    given = [part for name, value in {**facts, **changed}.items() if value is not None for part in (name, value)]
    done = CliRunner().invoke(program("shuffle"), ["shuffle", "verify", *given])
    assert isinstance(done.exception, Refusal)
    assert said in str(done.exception)
