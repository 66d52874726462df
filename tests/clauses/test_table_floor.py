"""Rounds with cards on a floor: shuffler, verify display, irregularities, and the progressive where the cards matter.

Driven through orders. The base game is Caribbean Stud with CSTUD-01 on a $10,000 seed unless a test says otherwise;
spot 0 is the dealer.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.manager.floor_kit import micros, only
from tests.table.table_kit import KEY, Opener, Room, rooms

from houseway.cards import DECK_52, DECK_53, text_of
from houseway.manager.entry import entry_of
from houseway.manager.permissions import MAY_READ
from houseway.manager.shoe import SealingShoe
from houseway.table.card_round import commands as ask
from houseway.table.card_round.cards import deck_of
from houseway.table.card_round.events import (
    Acted,
    DealerRevealed,
    DeckOpened,
    DeckShuffled,
    ForfeitCollected,
    HandShown,
    MalfunctionRecorded,
    PacketDealt,
    Reconciled,
    SeatLeft,
    SeedCommitted,
    SignedOver,
    WagerPlaced,
)
from houseway.table.commitment import opens, shuffle
from houseway.table.config import Console
from houseway.table.progressive_round import commands as press
from houseway.table.progressive_round.console import WORDS
from houseway.table.progressive_round.events import (
    CardsOut,
    ClaimDropped,
    EnvyPaid,
    Folded,
    HandSeen,
    RoundClosed,
    RoundVoided,
    SupervisorArrived,
    WinLogged,
)
from houseway.web.views import table_doc
from houseway.web.who import Principal

CONSOLES: tuple[Console, ...] = ("touch", "keypad")
ANTE = {"ante": 1000}
BOTH = ANTE | {"progressive": 1}
BASE = {"base": 1000}
ROYAL, FLUSH, PAIR, RAGS = "As Ks Qs Js Ts", "Ah Jh 9h 6h 3h", "Tc Td 4c 7s 2h", "2c 5d 9d Jc Qc"
NO_HAND, KINGS = "2d 4h 6c 9c Qd", "Kd Kh 3s 6d 9s"
STEPS = ("guide", "off", "unplugged", "replaced", "connected", "on", "service_called", "resumed")
"""A shuffler that is swapped, in the order of FL-13."""
SET_AS_HIGH = ("Ac Kd 9h 7s 5c 3d", "Qh Jd 9s 8d 6h 3c", "Kc Th 8h 7d 4c 2d")
"""Pai gow hands without a pair."""


@pytest.fixture
def open_room(tmp_path: Path) -> Iterator[Opener]:
    yield from rooms(tmp_path)


def dealt(room: Room, hands: dict[int, str], *, progressive: bool = True) -> None:
    """A round of Caribbean Stud whose spots all play, up to the reveal."""
    room.bets({spot: BOTH if progressive else ANTE for spot in hands if spot})
    room.call()
    room.cards(hands)
    for spot in hands:
        if spot:
            room.act(spot, "play")


def finished(room: Room) -> None:
    """The rest of a round in which nobody wins a progressive."""
    room.reveal()
    room.reconcile_all()
    room.end("T1")


# --------------------------------------------------------------------------------------------- FL-3: shuffled fairly


@pytest.mark.clause("FL-3")
@pytest.mark.parametrize("ends", ["closed", "voided"])
def test_the_deck_is_committed_to_before_the_first_wager_and_opened_when_the_round_is_over(
    open_room: Opener, ends: str
) -> None:
    room = open_room()
    room.floor.shoe = SealingShoe(KEY)
    room.sit(1)
    (committed,) = room.events(SeedCommitted)
    assert room.seen("player", "p1").commitment == committed.commitment
    assert not room.events(WagerPlaced)
    room.bets({1: ANTE})
    room.call()
    first = room.press().events
    assert [type(one) for one in first].index(DeckShuffled) < [type(one) for one in first].index(PacketDealt)
    room.press()
    room.act(1, "play")
    assert not room.events(DeckOpened)
    if ends == "closed":
        finished(room)
    else:
        room.void("T1")
    (opened,) = room.events(DeckOpened)
    assert opened.commitment == committed.commitment
    seed = bytes.fromhex(opened.seed)
    assert opens(committed.commitment, seed, table="T1", round=1)
    assert opened.order == shuffle(DECK_52, seed, {}, 0, table="T1", round=1).order
    assert [(event.first, event.count) for event in room.events(PacketDealt)] == [(0, 5), (5, 5)]
    if ends == "closed":
        (revealed,) = room.events(DealerRevealed)
        assert revealed.cards == opened.order[5:10], "what was dealt is what was promised"
    _, following = room.events(SeedCommitted)
    assert (following.round, following.commitment == committed.commitment) == (2, False)


@pytest.mark.clause("FL-3")
@pytest.mark.parametrize("game", ["caribbean-stud", "six-card-pai-gow"])
def test_no_journal_entry_holds_a_hidden_card_before_the_deck_is_opened(open_room: Opener, game: str) -> None:
    room = open_room(game)
    room.bets({1: ANTE if game == "caribbean-stud" else BASE})
    room.call()
    started = room.state.seq
    room.stack({})
    room.press()
    rows = [row for row in room.store.entries() if row.seq > started]
    for row in rows:
        for event in entry_of(row.body).events:
            assert not getattr(event, "cards", ())
            assert not getattr(event, "order", ())
    order = deck_of(room.state.tables["T1"], room.state.tables["T1"].round.play, room.floor.shoe).order
    bodies = "".join(row.body for row in rows)
    # The deck lies in the journal neither as numbers in a row nor as text.
    for place in range(len(order) - 3):
        assert ",".join(map(str, order[place : place + 4])) not in bodies
        assert text_of(order[place : place + 4]) not in bodies


@pytest.mark.clause("FL-3")
def test_a_real_shoe_never_promises_the_same_deck_twice() -> None:
    shoe = SealingShoe(b"k" * 32)
    fresh = [shoe.promise("T1", number) for number in range(50)]
    assert len({one.commitment for one in fresh}) == len({one.sealed for one in fresh}) == 50
    decks = [shoe.deck(promise.sealed, "T1", number, DECK_53, {}, 7) for number, promise in enumerate(fresh)]
    assert len({deck.seed for deck in decks}) == 50, "every round has a seed of its own"
    assert len({deck.order[0] for deck in decks}) > 15, "fifty decks of 53 cards begin with many different ones"


# ----------------------------------------------------------------------------------------------- FL-4: kinds of table


@pytest.mark.clause("FL-4")
def test_a_physical_table_enters_the_cards_it_dealt_and_the_system_settles_and_checks(open_room: Opener) -> None:
    room = open_room(kind="cards")
    room.bets({1: BOTH, 2: ANTE})
    room.call()
    assert "enter them" in room.refused(room.press).sentence
    assert room.seen().prompt == "enter the cards of spot 1, spot 2, the dealer"
    room.enter(1, FLUSH)
    assert room.refused(lambda: room.enter(2, "Ah Td 4c 7s 2h")).sentence == "Ah is in this round already"
    assert "joker" not in room.refused(lambda: room.enter(2, "Tc Td 4c 7s")).sentence
    room.enter(2, PAIR)
    room.enter(0, KINGS)
    room.act(1, "play")
    room.act(2, "play")
    room.reveal()
    assert {spot: hand.outcome for spot, hand in room.play().hands.items()} == {1: "win", 2: "lose"}
    assert "make flush, not royal flush" in room.refused(lambda: room.name("T1", 1, "royal_flush")).sentence
    room.reconcile()
    room.win("T1", 1, "flush")
    room.reconcile()
    # The loser's 10 and 20; against the flush, 10 to 1 and 20 at 5 to 1.
    assert room.rack() == 3000 - 1000 - 2000 * 5
    room.end("T1")


@pytest.mark.clause("FL-4", "CS-5")
def test_at_a_physical_table_a_spot_decides_while_its_cards_are_face_down(open_room: Opener) -> None:
    """The dealer sees and enters a hand when it is turned over; by then everybody has decided."""
    room = open_room(kind="cards")
    room.bets({1: BOTH, 2: BOTH})
    room.call()
    room.act(1, "fold")
    assert room.round().dealt, "a decision shows that the cards are out: the count stands"
    room.act(2, "play")
    assert "has no cards yet" in room.refused(room.reveal).sentence
    for spot, cards in {0: KINGS, 1: RAGS, 2: PAIR}.items():
        room.enter(spot, cards)
    assert "they stand" in room.refused(lambda: room.enter(2, FLUSH)).sentence
    finished(room)
    assert room.rack() == 1000 + 3000


@pytest.mark.clause("FL-4")
@pytest.mark.parametrize("console", CONSOLES)
def test_a_table_that_enters_no_cards_uses_the_system_for_the_progressive_alone(
    open_room: Opener, console: Console
) -> None:
    room = open_room(kind="progressive", console=console)
    for command in (
        ask.SitDown(table="T1", spot=1, player="p1"),
        ask.Deal(table="T1"),
        ask.EnterCards(table="T1", spot=1, cards=PAIR),
        ask.Reveal(table="T1"),
    ):
        assert "progressive alone" in room.refused(lambda one=command: room.do("d1", one)).sentence
    room.coin_in("T1", 1, 2)
    room.win("T1", 2, "flush")
    room.end("T1")


# ------------------------------------------------------------------------------------- FL-5 … FL-7, FL-20: the display


def pai_gow(open_room: Opener, *spots: int, **settings: object) -> Room:
    room = open_room("six-card-pai-gow", **settings)
    room.bets(dict.fromkeys(spots, BASE))
    room.call()
    room.cards(dict(zip(spots, SET_AS_HIGH, strict=False)))
    return room


@pytest.mark.clause("FL-5")
@pytest.mark.parametrize("kind", ["virtual", "cards"])
def test_the_display_reads_a_hand_and_shows_its_house_way_setting(open_room: Opener, kind: str) -> None:
    room = open_room("six-card-pai-gow", kind=kind)
    room.bets({1: BASE})
    room.call()
    room.cards({1: "Ac Ad Kh Kd 5c 5d", 0: "2c 3d 9h Ts Jc Qd"})
    shown = only(room.act(1, "house_way"), HandShown)
    # PG-13: of three pairs a card of the highest goes low.
    assert (shown.spot, text_of((shown.low,))[0]) == (1, "A")
    assert sorted((*shown.high, shown.low)) == sorted(room.hand(1).cards)
    dealers = only(room.reveal(), HandShown)
    assert (dealers.spot, text_of((dealers.low,))) == (0, "Jc")
    assert room.hand(1).set_low == shown.low, "and it is what the hand is settled by"


@pytest.mark.clause("FL-6")
def test_a_players_hand_is_shown_only_when_every_other_player_has_set_and_the_display_says_who_is_missing(
    open_room: Opener,
) -> None:
    room = pai_gow(open_room, 1, 2, 3)
    room.act(2, "house_way")
    assert not room.events(HandShown)
    assert room.seen().display == "spot 2 is not shown yet: spots 1 and 3 have not set (FL-6)"
    room.act(3, "low", card="2d")
    assert not room.events(HandShown)
    assert room.seen().display == "spot 2 is not shown yet: spot 1 has not set (FL-6)"
    entry = room.act(1, "low", card="3d")
    assert only(entry, HandShown).spot == 2
    assert room.seen().display == "the dealer may be shown"


@pytest.mark.clause("FL-6")
def test_a_hand_that_its_player_set_is_not_shown(open_room: Opener) -> None:
    room = pai_gow(open_room, 1, 2)
    room.act(1, "low", card="3d")
    room.act(2, "low", card="3c")
    assert not room.events(HandShown)
    assert only(room.reveal(), HandShown).spot == 0


@pytest.mark.clause("FL-7")
def test_surveillance_sees_the_display_live_and_what_it_showed_is_recorded_with_its_time(open_room: Opener) -> None:
    room = pai_gow(open_room, 1, 2)
    room.act(1, "house_way")
    room.clock.later(40)
    entry = room.act(2, "low", card="3c")
    assert (entry.at, only(entry, HandShown).spot) == (room.clock(), 1)
    (shown,) = room.seen("surveillance").on_display
    assert (shown.who, shown.at, shown.low) == (1, room.clock(), "Kd")
    assert room.seen("player", "p1").on_display == (shown,)
    assert room.seen("player", "p2").on_display == room.seen("display").on_display == ()
    room.clock.later(20)
    room.reveal()
    assert [(one.who, one.at) for one in room.seen("surveillance").on_display] == [(1, entry.at), (0, room.clock())]


@pytest.mark.clause("FL-7")
def test_a_card_of_surveillance_opens_every_table_and_its_verify_display(open_room: Opener) -> None:
    """As its own screens get it: the wins to verify too, and no button of the dealer or the supervisor."""
    room = pai_gow(open_room, 1, 2)
    room.act(1, "house_way")
    room.act(2, "low", card="3c")
    looks = {role: Principal("staff", "x", "X", role) for role in ("surveillance", "dealer", "technician")}
    docs = {role: table_doc(room.state, "T1", who, room.floor) for role, who in looks.items()}
    shown = {role: [one.who for one in doc.play.on_display] for role, doc in docs.items() if doc.play}
    assert shown == {"surveillance": [1], "dealer": [], "technician": []}
    seen = docs["surveillance"]
    assert (seen.presses, seen.may) == ((), ("surveillance", "verify_payout"))
    assert all("surveillance" in MAY_READ[what] for what in ("floor", "table", "meters", "claims", "wins", "rounds"))
    assert not any("surveillance" in MAY_READ[what] for what in ("journal", "reports", "staff", "adjustments"))


@pytest.mark.clause("FL-20")
def test_those_who_ask_for_the_house_way_are_shown_highest_spot_first_once_all_others_have_set(
    open_room: Opener,
) -> None:
    room = pai_gow(open_room, 1, 2, 3)
    room.act(1, "house_way")
    room.act(3, "house_way")
    assert not room.events(HandShown)
    room.act(2, "low", card="3c")
    assert [event.spot for event in room.events(HandShown)] == [3, 1]


@pytest.mark.clause("FL-20")
def test_a_table_where_everybody_asks_for_the_house_way_does_not_wait_for_ever(open_room: Opener) -> None:
    room = pai_gow(open_room, 1, 2, 3)
    for spot in (1, 2, 3):
        room.act(spot, "house_way")
    assert [event.spot for event in room.events(HandShown)] == [3, 2, 1]
    finished(room)


# ------------------------------------------------------------------------------------------------------- FL-12: voids


@pytest.mark.clause("FL-12", "PR-20")
@pytest.mark.parametrize("kind", ["virtual", "cards"])
def test_a_void_is_for_everybody_wagers_go_back_cards_are_dead_and_the_next_deck_is_used(
    open_room: Opener, kind: str
) -> None:
    room = open_room(kind=kind, contribution="70%")
    room.bets({1: BOTH, 2: BOTH, 3: ANTE})
    room.call()
    assert room.micros() == micros(10_000_00) + 2 * 700_000
    if kind == "cards":
        refusal = room.refused(lambda: room.enter(1, "As Ks Qs Js"))
        assert "voids the round" in refusal.sentence
    room.cards({1: ROYAL, 2: PAIR, 3: RAGS, 0: NO_HAND})
    room.act(1, "play")
    entry = room.void("T1", cause="spot 2 has six cards")
    voided = only(entry, RoundVoided)
    assert (voided.spots, voided.returned) == ((1, 2), micros(200))
    assert room.micros() == micros(10_000_00), "the contributions come off the meter again"
    assert (room.players_micros(), room.rack()) == (0, 0), "every wager is back"
    assert (room.round().number, room.play().hands, room.play().dealer) == (2, {}, ()), "all hands are dead"
    assert room.state.tables["T1"].seats == {1: "p1", 2: "p2", 3: "p3"}
    assert "the hands are not turned over" in room.refused(lambda: room.name("T1", 1, "royal_flush")).sentence
    dealt(room, {1: PAIR, 0: NO_HAND}, progressive=False)
    if kind == "virtual":
        first, second = room.events(DeckShuffled)
        assert first.commitment != second.commitment
    finished(room)


@pytest.mark.clause("FL-12")
def test_a_round_is_voided_also_when_wagers_were_taken_and_paid(open_room: Opener) -> None:
    """The wrong number of cards may show only when a hand is counted into the rack: every wager goes back even then."""
    room = open_room()
    room.bets({1: ANTE, 2: ANTE})
    assert "not begun" in room.refused(lambda: room.void("T1")).sentence
    room.call()
    room.cards({1: PAIR, 2: RAGS, 0: NO_HAND})
    for spot in (1, 2):
        room.act(spot, "play")
    room.reveal()
    room.reconcile()
    taken = room.balances().get("rack/T1", 0)
    assert taken
    assert only(room.void("T1"), RoundVoided).rack == taken
    assert room.balances().get("rack/T1", 0) == 0
    assert room.balances().get("players/T1", 0) == 0


@pytest.mark.clause("PR-20")
def test_a_round_with_a_confirmed_win_is_not_voided_until_the_win_is_adjusted(open_room: Opener) -> None:
    room = open_room()
    dealt(room, {1: FLUSH, 2: PAIR, 0: NO_HAND})
    room.reveal()
    win = room.win("T1", 1, "flush")
    assert "adjust it before" in room.refused(lambda: room.void("T1")).sentence
    room.undo(win)
    assert only(room.void("T1"), RoundVoided).spots == (1, 2)


# -------------------------------------------------------------------------------------------------- FL-13: malfunction


@pytest.mark.clause("FL-13")
def test_a_malfunction_is_recorded_step_by_step_and_nothing_is_dealt_meanwhile(open_room: Opener) -> None:
    room = open_room()
    room.bets({1: ANTE})
    room.call()
    room.stack({1: PAIR, 0: NO_HAND})
    room.press()
    assert "no malfunction on record" in room.refused(lambda: room.fault("guide")).sentence
    assert room.refused(lambda: room.fault("failed")).field == "what", "what happened must be said"
    room.fault("failed", "card jam")
    for place, step in enumerate(STEPS):
        assert "out of order" in room.refused(room.press).sentence
        assert room.seen().prompt.startswith("shuffler out of order; next: ")
        wrong = STEPS[place + 2] if place + 2 < len(STEPS) else "guide"
        if wrong != "resumed":
            assert "is not next" in room.refused(lambda step=wrong: room.fault(step, "x")).sentence
        room.fault(step, "backup 7" if step == "replaced" else "", by="t1" if step == "service_called" else "d1")
    recorded = [(event.step, event.note) for event in room.events(MalfunctionRecorded)]
    assert recorded == [("failed", "card jam"), *((one, "backup 7" if one == "replaced" else "") for one in STEPS)]
    room.press()
    assert (len(room.hand(1).cards), len(room.play().dealer)) == (5, 5), "play goes on where it stood"


@pytest.mark.clause("FL-13")
def test_a_swap_names_the_backup(open_room: Opener) -> None:
    room = open_room()
    room.fault("failed", "card jam")
    for step in STEPS[:3]:
        room.fault(step)
    assert room.refused(lambda: room.fault("replaced")).field == "note"


@pytest.mark.clause("FL-13")
def test_the_regulators_own_procedure_is_named_and_then_play_resumes(open_room: Opener) -> None:
    room = open_room()
    room.bets({1: ANTE})
    room.call()
    room.fault("failed", "card jam")
    assert room.refused(lambda: room.fault("procedure")).field == "procedure"
    room.fault("procedure", "tribal procedure 12")
    assert "is not next" in room.refused(lambda: room.fault("off")).sentence
    room.fault("resumed")
    assert room.events(MalfunctionRecorded)[-1].over
    room.press()


@pytest.mark.clause("FL-13", "PR-20")
def test_or_the_round_is_voided_and_a_malfunction_given_as_the_cause_is_on_record(open_room: Opener) -> None:
    room = open_room(washington=True)
    room.bets({1: BOTH})
    room.call()
    before = room.micros()
    assert "not on record" in room.refused(lambda: room.void("T1", malfunction=True)).sentence
    room.fault("failed", "card jam")
    entry = room.void("T1", malfunction=True, cause="card jam")
    assert only(entry, MalfunctionRecorded).over
    assert room.micros() == before - 700_000, "with a recorded malfunction the contribution comes off (FL-15)"
    room.bets({1: ANTE})
    room.call()
    room.press()


@pytest.mark.clause("FL-13")
@pytest.mark.parametrize("kind", ["cards", "progressive"])
def test_a_physical_tables_shuffler_is_recorded_too(open_room: Opener, kind: str) -> None:
    room = open_room(kind=kind)
    room.fault("failed", "no power")
    room.fault("guide")
    room.fault("resumed")
    assert [event.step for event in room.events(MalfunctionRecorded)] == ["failed", "guide", "resumed"]


# -------------------------------------------------------------------------------------------------------- FL-22: calls


@pytest.mark.clause("FL-22")
@pytest.mark.parametrize("console", CONSOLES)
def test_the_console_prompts_every_step_in_its_own_words(open_room: Opener, console: Console) -> None:
    room, words, other = open_room(console=console), WORDS[console], WORDS[CONSOLES[console == "touch"]]
    prompts = [room.seen().prompt]
    room.bets({1: ANTE})
    room.no_more_bets()
    prompts.append(room.seen().prompt)
    room.lock()
    prompts.append(room.seen().prompt)
    room.cards({1: PAIR, 0: NO_HAND})
    prompts.append(room.seen().prompt)
    room.act(1, "play")
    prompts.append(room.seen().prompt)
    room.reveal()
    prompts.append(room.seen().prompt)
    room.reconcile()
    prompts.append(room.seen().prompt)
    assert prompts == [
        'place your bets; then call "no more bets"',
        f'"no more bets"; {words.lock_in}',
        "press the green button for the next packet",
        "waiting for spot 1",
        "turn the dealer's cards over",
        '"no hand"; pay every Ante 1 to 1 and give every Bet back, in one pass around the table',
        words.close,
    ]
    assert not any(word in " ".join(prompts) for word in (other.lock_in, other.close))


@pytest.mark.clause("FL-22")
@pytest.mark.parametrize(
    ("game", "dealer", "call"),
    [
        ("caribbean-stud", NO_HAND, '"no hand"'),
        ("caribbean-stud", KINGS, ""),
        ("three-card-poker", "Jd 8c 4h", '"dealer doesn\'t play"'),
        ("three-card-poker", "Qd 8c 4h", '"dealer plays with a queen"'),
        ("three-card-poker", "2d 2c 4h", '"dealer plays with a queen"'),
    ],
)
def test_the_dealers_call_is_prompted_when_his_cards_are_turned_over(
    open_room: Opener, game: str, dealer: str, call: str
) -> None:
    room = open_room(game)
    room.bets({1: ANTE})
    room.call()
    room.cards({1: PAIR if game == "caribbean-stud" else "As Kd 4c", 0: dealer})
    room.act(1, "play")
    calls = ('"no hand"', '"dealer doesn\'t play"', '"dealer plays with a queen"')
    assert not any(one in room.seen().prompt for one in calls), "not before the reveal"
    room.reveal()
    assert [one for one in calls if one in room.seen().prompt] == ([call] if call else [])


# ------------------------------------------------------------------------------------------------- FL-23: who leaves


@pytest.mark.clause("FL-23")
@pytest.mark.parametrize("kind", ["virtual", "cards"])
def test_who_leaves_in_mid_round_folds_an_undecided_hand_and_his_wagers_stand(open_room: Opener, kind: str) -> None:
    room = open_room(kind=kind)
    room.bets({1: BOTH, 2: ANTE})
    room.call()
    room.cards({1: ROYAL, 2: PAIR, 0: NO_HAND})
    entry = room.leave(1, by="player/p1" if kind == "virtual" else "d1")
    decided = only(entry, Acted)
    assert (decided.action, decided.how, only(entry, SeatLeft).held) == ("fold", "left", True)
    assert only(entry, Folded).spot == 1
    room.act(2, "play")
    room.reveal()
    assert room.seen().unnamed == (), "a folded royal flush wins nothing"
    room.reconcile_all()
    assert room.rack() == 1000 - 1000, "his ante against the other's"
    room.end("T1")


@pytest.mark.clause("FL-23")
@pytest.mark.parametrize("when", ["before the deal", "between packets"])
def test_who_leaves_before_his_cards_are_there_folds_when_they_are(open_room: Opener, when: str) -> None:
    room = open_room()
    room.bets({1: ANTE, 2: ANTE})
    room.call()
    room.stack({1: PAIR, 2: RAGS, 0: NO_HAND})
    if when == "between packets":
        room.press()
    room.leave(2)
    assert not room.events(Acted)
    room.press(0)
    assert [(event.spot, event.how) for event in room.events(Acted)] == [(2, "left")]


@pytest.mark.clause("FL-23")
@pytest.mark.parametrize("kind", ["virtual", "cards"])
def test_at_pai_gow_the_hand_of_who_left_is_set_the_house_way_and_shown(open_room: Opener, kind: str) -> None:
    room = open_room("six-card-pai-gow", kind=kind)
    room.bets({1: BASE, 2: BASE})
    room.call()
    room.leave(1)
    room.leave(2)
    room.cards({1: SET_AS_HIGH[0], 2: SET_AS_HIGH[1], 0: SET_AS_HIGH[2]})
    assert {event.spot: event.action for event in room.events(Acted)} == {1: "house_way", 2: "house_way"}
    assert [event.spot for event in room.events(HandShown)] == [2, 1]
    room.reveal()
    room.reconcile_all()
    assert {event.held_for for event in room.events(Reconciled)} == {"p1", "p2"}
    room.end("T1")


@pytest.mark.clause("FL-23")
def test_winnings_and_envy_of_who_left_are_held_and_logged(open_room: Opener) -> None:
    room = open_room("six-card-pai-gow")
    room.bets({1: BASE | {"fortune": 500}, 2: BASE})
    room.call()
    room.cards({1: "Ac Ad Kh Kd 5c 5d", 2: "9c 9d 9h 2s 2c 4d", 0: "2d 3d 7h 8s Tc Qd"})
    room.act(1, "house_way")
    room.act(2, "house_way")
    room.leave(1)
    assert room.state.tables["T1"].seats == {2: "p2"}
    room.reveal()
    room.reconcile_all()
    held = {event.wagers: (event.returned, event.held_for) for event in room.events(Reconciled) if event.spot == 1}
    assert held[("base", "fortune")] == (2000, "p1"), "the base wager won"
    assert held[("fortune_envy",)][0] > 0, "another player's full house"
    assert {who for _, who in held.values()} == {"p1"}
    assert {event.held_for for event in room.events(Reconciled) if event.spot == 2} == {""}


@pytest.mark.clause("FL-23")
def test_who_takes_the_spot_of_one_who_left_has_nothing_in_the_round(open_room: Opener) -> None:
    room = open_room()
    room.bets({1: ANTE, 2: ANTE})
    room.call()
    room.cards({1: PAIR, 2: RAGS, 0: NO_HAND})
    room.act(1, "play")
    room.leave(1)
    room.do("player/new", ask.SitDown(table="T1", spot=1, player="new"))
    assert room.not_allowed(lambda: room.do("player/new", ask.Act(table="T1", spot=1, action="play")))
    assert set(room.spot(1, "player", "new").cards.split()) == {"??"}
    assert only(room.leave(1), SeatLeft).held is False
    room.act(2, "fold")
    room.reveal()
    room.reconcile_all()
    assert {event.spot: event.held_for for event in room.events(Reconciled)} == {1: "p1"}
    assert [event.spot for event in room.events(ForfeitCollected)] == [2]


@pytest.mark.clause("FL-23")
@pytest.mark.parametrize(("game", "kind"), [("three-card-poker", "fold"), ("six-card-pai-gow", "house_way")])
def test_who_never_decides_is_decided_for_when_his_time_is_up(open_room: Opener, game: str, kind: str) -> None:
    room = open_room(game, options={"decision_timeout_seconds": 30})
    made = BASE if game == "six-card-pai-gow" else ANTE
    room.bets({1: made, 2: made})
    room.call()
    assert "nothing to decide" in room.refused(lambda: room.time_up(1)).sentence
    room.press(0)
    room.clock.later(29)
    assert "may still think" in room.refused(lambda: room.time_up(1)).sentence
    room.clock.later(1)
    decided = only(room.time_up(1), Acted)
    assert (decided.action, decided.how) == (kind, "time")
    assert not room.hand(2).actions


@pytest.mark.clause("FL-23")
def test_without_a_time_limit_everybody_may_think(open_room: Opener) -> None:
    room = open_room()
    room.bets({1: ANTE})
    room.call()
    room.press(0)
    room.clock.later(100_000)
    assert "all the time" in room.refused(lambda: room.time_up(1)).sentence


# ------------------------------------------------------------------------------------------------ FL-24: shift change


@pytest.mark.clause("FL-24")
@pytest.mark.parametrize("console", CONSOLES)
def test_a_sign_over_lists_the_open_round_claims_and_meters_and_no_dealer_of_the_claim_confirms_it(
    open_room: Opener, console: Console
) -> None:
    room = open_room(console=console)
    dealt(room, {1: FLUSH, 2: PAIR, 0: NO_HAND})
    room.reveal()
    room.name("T1", 1, "flush", by="s1")
    signed = only(room.sign_over("s2", by="s1"), SignedOver)
    assert (signed.to, signed.locked, signed.claims) == ("s2", True, (1,))
    assert signed.meters == {"main": room.micros()}
    confirm = press.Confirm(table="T1", spot=1) if console == "touch" else press.JPot(table="T1", spot=1)
    assert room.not_allowed(lambda: room.do("s1", confirm)) == "own claim"
    assert room.not_allowed(lambda: room.do("s2", confirm)) == "own claim", "he is the dealer of the claim now"
    room.do("e1", confirm)
    if console == "keypad":
        assert room.not_allowed(lambda: room.run("T1", by="s2")) == "own claim"
        room.run("T1", by="e1")
    room.reconcile_all()
    room.end("T1")


@pytest.mark.clause("FL-24")
@pytest.mark.parametrize("kind", ["virtual", "progressive"])
def test_a_table_between_rounds_is_signed_over_too_to_another_dealer(open_room: Opener, kind: str) -> None:
    room = open_room(kind=kind)
    assert room.refused(lambda: room.sign_over("d1")).field == "to"
    signed = only(room.sign_over("d2"), SignedOver)
    assert (signed.locked, signed.claims) == (False, ())


@pytest.mark.clause("FL-24")
def test_coin_in_counts_on_its_own_day_and_a_win_on_the_day_it_is_confirmed(open_room: Opener) -> None:
    """The gaming day of 1 March ends at six in the morning of 2 March."""
    room = open_room(at="2026-03-02 03:00")
    dealt(room, {1: FLUSH, 2: PAIR, 0: NO_HAND})
    booked = next(entry for entry in room.entries() if entry.kind == "lock_in")
    room.clock.set("2026-03-02 07:00")
    room.reveal()
    room.name("T1", 1, "flush")
    logged = room.record("T1", 1)
    assert (booked.day, logged.day) == ("2026-03-01", "2026-03-02")


# --------------------------------------------------------------------------- the progressive where the cards matter


@pytest.mark.clause("PR-10")
def test_a_progressive_wager_needs_the_base_games_and_lights_the_sensor(open_room: Opener) -> None:
    room = open_room("three-card-poker", kind="cards")
    room.bets({1: ANTE, 2: {"pair_plus": 500}})
    room.bet(1, "progressive", 100)
    assert room.round().lit == (1,)
    room.bet(2, "progressive", 100)
    assert "spot 2" in room.refused(room.no_more_bets).sentence, "Pair Plus is not the base game"
    room.bet(2, "progressive", 0)
    assert room.round().lit == (1,)
    room.call()
    refusal = room.refused(lambda: room.correct("T1", 2, True))
    assert "ante" in str(refusal), "nor by a corrected count"


@pytest.mark.clause("PR-11", "PR-28")
@pytest.mark.parametrize("console", CONSOLES)
def test_lock_in_books_every_progressive_wager_once_and_the_light_stays_on(open_room: Opener, console: Console) -> None:
    room = open_room(console=console)
    room.bets({1: BOTH, 2: ANTE, 3: BOTH})
    assert "no more bets" in room.refused(room.lock).sentence
    room.no_more_bets()
    room.lock()
    assert room.players_micros() == -micros(200)
    assert not room.lock().events, "pressed again it does nothing"
    assert "no more bets" in room.refused(lambda: room.bet(2, "progressive", 100)).sentence
    room.cards({1: PAIR, 2: RAGS, 3: "3c 5h 7c 8d Jd", 0: NO_HAND})
    for spot in (1, 2, 3):
        room.act(spot, "fold")
        assert room.round().lit == (1, 3)
    room.reveal()
    assert room.round().lit == (1, 3)


@pytest.mark.clause("PR-12")
def test_the_wagers_of_a_spot_are_reconciled_together_with_its_progressive(open_room: Opener) -> None:
    room = open_room()
    room.bets({1: BOTH | {"bonus": 500}, 2: BOTH | {"bonus": 500}})
    room.call()
    room.cards({1: PAIR, 2: FLUSH, 0: KINGS})
    for spot in (1, 2):
        room.act(spot, "play")
    room.reveal()
    refusal = room.refused(room.reconcile)
    assert "spot 2 holds flush: name that win before the spot is reconciled" in refusal.sentence
    room.name("T1", 2, "flush")
    assert only(room.reconcile(), Reconciled).wagers == ("ante", "bet", "bonus")
    assert only(room.reconcile(), Reconciled).spot == 1


@pytest.mark.clause("PR-13")
@pytest.mark.parametrize("kind", ["virtual", "cards"])
def test_the_cards_decide_which_win_is_named_and_one_nobody_named_is_pointed_out(open_room: Opener, kind: str) -> None:
    room = open_room(kind=kind)
    dealt(room, {1: FLUSH, 2: PAIR, 0: NO_HAND})
    assert "not turned over yet" in room.refused(lambda: room.name("T1", 1, "flush")).sentence
    entry = room.reveal()
    assert {event.spot: event.hand for event in entry.events if isinstance(event, HandSeen)} == {1: "flush", 2: ""}
    assert room.seen().unnamed == ((1, "flush"),)
    assert room.seen("player", "p2").unnamed == (), "that is the console's to show"
    for spot, hand in ((1, "royal_flush"), (2, "flush")):
        assert "the cards of spot" in room.refused(lambda s=spot, h=hand: room.name("T1", s, h)).sentence
    room.name("T1", 1, "flush")
    assert only(room.name("T1", 1, "flush"), ClaimDropped).reason == "pressed again"
    room.name("T1", 1, "flush")
    room.reconcile_all()
    room.drop("T1", 1)
    assert "that nobody named" in room.refused(lambda: room.end("T1")).sentence
    room.win("T1", 1, "flush")
    room.end("T1")


@pytest.mark.clause("PR-14")
def test_only_a_spot_with_a_progressive_wager_wins_and_once_a_round(open_room: Opener) -> None:
    room = open_room()
    room.bets({1: BOTH, 2: ANTE})
    room.call()
    room.cards({1: FLUSH, 2: ROYAL, 0: NO_HAND})
    for spot in (1, 2):
        room.act(spot, "play")
    room.reveal()
    assert room.seen().unnamed == ((1, "flush"),), "the royal flush has no wager on it"
    assert "no progressive wager" in room.refused(lambda: room.name("T1", 2, "royal_flush")).sentence
    room.win("T1", 1, "flush")
    assert "once a round" in room.refused(lambda: room.name("T1", 1, "flush")).sentence
    room.reconcile_all()
    room.end("T1")
    assert room.meter() == 10_000_00 + 70 - (0 if room.events(WinLogged)[0].due.from_meter_cents == 0 else 5000)


@pytest.mark.clause("PR-15", "PR-16")
@pytest.mark.parametrize("console", CONSOLES)
def test_a_win_by_the_cards_is_a_claim_until_a_supervisor_records_it(open_room: Opener, console: Console) -> None:
    room = open_room(console=console)
    dealt(room, {1: ROYAL, 2: PAIR, 0: NO_HAND})
    room.reveal()
    room.name("T1", 1, "royal_flush", by="s1")
    before = room.micros()
    recorded = room.confirm if console == "touch" else room.j_pot
    assert room.not_allowed(lambda: recorded("T1", 1, by="s1")) == "own claim"
    assert room.not_allowed(lambda: recorded("T1", 1, by="s2")) == "executive"
    recorded("T1", 1, by="e1")
    if console == "keypad":
        assert room.micros() == before, "logged and fixed; the meter moves at RUN"
        room.restart()
        room.run("T1", by="s2")
    assert room.micros() == micros(10_000_00), "the whole meter is paid and it is reseeded"


@pytest.mark.clause("PR-17")
def test_two_meter_wins_of_a_round_are_paid_from_the_dealers_right(open_room: Opener) -> None:
    room = open_room()
    dealt(room, {1: "Ac Kc Qc Jc Tc", 4: ROYAL, 0: NO_HAND.replace("6c", "6h").replace("9c", "9h")})
    room.reveal()
    room.name("T1", 1, "royal_flush")
    room.name("T1", 4, "royal_flush")
    assert "spot 4 (royal flush) comes first" in room.refused(lambda: room.confirm("T1", 1)).sentence
    room.confirm("T1", 4)
    room.confirm("T1", 1)
    assert [event.due.cents for event in room.events(WinLogged)] == [10_001_40, 10_000_00]


@pytest.mark.clause("PR-18", "PR-30")
def test_a_hand_that_triggers_envy_stays_face_up_until_envy_is_paid_at_the_close(open_room: Opener) -> None:
    room = open_room(progressive="CSTUD-15")
    room.bets({1: BOTH, 2: BOTH, 3: ANTE})
    room.call()
    room.cards({1: PAIR, 2: ROYAL, 3: RAGS, 0: NO_HAND})
    for spot in (1, 2, 3):
        room.act(spot, "fold" if spot == 1 else "play")
    room.reveal()
    room.reconcile()
    room.win("T1", 2, "royal_flush")
    room.reconcile_all()
    places = {spot: room.spot(spot, "display").place for spot in (1, 2, 3)}
    assert places == {1: "racked", 2: "face up", 3: "racked"}
    assert room.spot(2).face_up_for == ("it triggers envy",)
    assert not room.events(EnvyPaid)
    room.end("T1")
    assert [(event.spot, event.cents) for event in room.events(EnvyPaid)] == [(1, 1_000_00)]


@pytest.mark.clause("PR-19")
@pytest.mark.parametrize("console", CONSOLES)
def test_the_round_closes_only_when_everything_is_done_and_then_the_table_is_new(
    open_room: Opener, console: Console
) -> None:
    room, word = open_room(console=console), WORDS[console].close
    room.bets({1: BOTH, 2: BOTH})
    room.call()
    room.cards({1: FLUSH, 2: PAIR, 0: NO_HAND})
    reasons = [room.refused(lambda: room.end("T1")).sentence]
    for spot in (1, 2):
        room.act(spot, "play")
    room.reveal()
    room.name("T1", 1, "flush")
    reasons.append(room.refused(lambda: room.end("T1")).sentence)
    room.reconcile_all()
    reasons.append(room.refused(lambda: room.end("T1")).sentence)
    assert reasons == [
        f"{word} must wait: the dealer's cards are not turned over",
        f"{word} must wait: ante, bet of spot 2 are to be reconciled",
        f"{word} must wait: spot 1 claims flush and is not confirmed",
    ]
    room.record("T1", 1)
    assert only(room.end("T1"), RoundClosed).winners == (1,)
    assert (room.round().number, room.round().lit, room.play().hands) == (2, (), {})


@pytest.mark.clause("PR-29")
def test_naming_a_win_calls_a_supervisor_and_call_and_arrival_are_timed(open_room: Opener) -> None:
    room = open_room()
    dealt(room, {1: FLUSH, 2: PAIR, 0: NO_HAND})
    room.reveal()
    room.name("T1", 1, "flush")
    room.clock.later(95)
    assert only(room.arrive("T1"), SupervisorArrived).waited == 95_000_000
    room.clock.later(5)
    assert only(room.record("T1", 1), WinLogged).waited == 100_000_000


@pytest.mark.clause("PR-34")
def test_a_fold_leaves_the_wager_and_its_contribution_and_the_folded_hand_wins_nothing(open_room: Opener) -> None:
    room = open_room()
    room.bets({1: BOTH, 2: BOTH})
    room.call()
    room.cards({1: ROYAL, 2: PAIR, 0: NO_HAND})
    before = room.micros(), room.players_micros()
    room.act(1, "fold")
    room.act(2, "play")
    assert (room.micros(), room.players_micros()) == before
    room.reveal()
    assert room.players_micros() == before[1] - 1000 * 10_000, "the Ante is forfeited, and nothing else"
    assert room.round().booked == (1, 2)
    assert "does not qualify" in room.refused(lambda: room.name("T1", 1, "royal_flush")).sentence
    room.reconcile_all()
    room.end("T1")
    assert room.micros() == before[0]


@pytest.mark.clause("PR-35")
def test_the_count_is_corrected_before_the_first_card_and_not_after(open_room: Opener) -> None:
    room = open_room(kind="cards")
    room.bets({1: BOTH, 2: ANTE})
    room.call()
    room.correct("T1", 2, True)
    room.correct("T1", 1, False)
    assert (room.round().booked, room.hand(1).wagers, "progressive" in room.hand(2).wagers) == ((2,), ANTE, True)
    assert room.players_micros() == -micros(100)
    assert "has no base wager" in room.refused(lambda: room.correct("T1", 5, True)).sentence
    assert only(room.enter(1, PAIR), CardsOut).round == 1
    assert "the first card is out" in room.refused(lambda: room.correct("T1", 1, True)).sentence


@pytest.mark.clause("TR-8")
def test_the_count_of_a_virtual_table_is_what_its_players_placed(open_room: Opener) -> None:
    room = open_room()
    room.bets({1: BOTH, 2: ANTE})
    room.call()
    for spot, wagered in ((1, False), (2, True)):
        assert room.not_allowed(lambda spot=spot, wagered=wagered: room.correct("T1", spot, wagered)) == "own spot"  # type: ignore[misc]


@pytest.mark.clause("PR-36")
def test_a_win_noticed_after_the_close_is_paid_by_adjustment_at_that_rounds_meter(open_room: Opener) -> None:
    """The dealer entered a wrong card, so the system saw no win; the camera shows a straight flush."""
    room = open_room(kind="cards")
    dealt(room, {1: "5h 6h 7h 8h 9d", 2: PAIR, 0: NO_HAND})
    room.reveal()
    room.reconcile_all()
    room.end("T1")
    at_close = room.micros()
    dealt(room, {1: RAGS, 2: PAIR, 0: NO_HAND.replace("9c", "9h")})
    assert room.micros() > at_close
    room.refused(lambda: room.name("T1", 1, "straight_flush"))
    before = room.players_micros()
    room.pay_late("T1", 1, 1, "straight_flush")
    assert room.players_micros() - before == micros(1_000_14), "a tenth of $10,001.40"


@pytest.mark.clause("PR-37")
def test_undoing_a_win_cancels_its_unpaid_envy(open_room: Opener) -> None:
    room = open_room(progressive="CSTUD-15")
    dealt(room, {1: PAIR, 2: ROYAL, 0: NO_HAND})
    room.reveal()
    win = room.win("T1", 2, "royal_flush")
    assert room.spot(2).face_up_for
    room.undo(win)
    assert "it triggers envy" not in room.spot(2).face_up_for
    room.win("T1", 2, "royal_flush")
    room.reconcile_all()
    room.end("T1")
    assert len(room.events(EnvyPaid)) == 1, "one winner, envied once"


@pytest.mark.clause("PR-38")
@pytest.mark.parametrize("game", ["caribbean-stud", "three-card-poker", "six-card-pai-gow", "straight-edge-1"])
def test_after_a_power_cut_every_table_stands_exactly_where_it_stood(open_room: Opener, game: str) -> None:
    room = open_room(game, tables=2)
    made = {wager.key: 1000 for wager in room.game().wagers if wager.kind == "required"} or dict(ANTE)

    def cut() -> None:
        before, seen = room.state, room.seen("player", "p1")
        room.power_cut()
        assert room.state == before
        assert room.seen("player", "p1") == seen
        assert room.replayed() == before

    room.bets({1: made | {"progressive": 1}, 2: made})
    cut()
    room.no_more_bets()
    cut()
    room.lock()
    room.stack({})
    room.press()
    cut()
    room.press(0)
    cut()
    decision = "house_way" if game == "six-card-pai-gow" else "play"
    room.act(1, decision)
    cut()
    room.act(2, decision)
    room.reveal()
    cut()
    for spot, hand in room.seen().unnamed:
        room.win("T1", spot, hand)
    room.reconcile()
    cut()
    room.reconcile_all()
    cut()
    room.end("T1")
    cut()
    (opened,) = room.events(DeckOpened)
    committed = room.events(SeedCommitted)[0]
    assert opens(committed.commitment, bytes.fromhex(opened.seed), table="T1", round=1)


@pytest.mark.clause("PR-38")
def test_while_a_link_is_lost_nothing_is_locked_in_and_the_open_round_goes_on(open_room: Opener) -> None:
    room = open_room(tables=2)
    dealt(room, {1: FLUSH, 2: PAIR, 0: NO_HAND})
    room.bets({1: BOTH}, table="T2")
    room.suspend("link", "L1")
    room.no_more_bets(table="T2")
    assert "takes no progressive wager now" in room.refused(lambda: room.lock(table="T2")).sentence
    room.reveal()
    room.win("T1", 1, "flush")
    room.reconcile_all()
    room.end("T1")
    room.resume("link", "L1")
    room.lock(table="T2")
    room.press(0, table="T2")
    assert room.events(DealerRevealed)[-1].table == "T1"
