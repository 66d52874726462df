"""The shuffler: modes, green button, malfunctions; the deck it shuffles, promises, seals; and the tests of fairness."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import os
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, permutations
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from houseway.cards import DECK_52, DECK_53, Card, shuffled
from houseway.commands.shuffle import shuffle_app
from houseway.games import Game, all_games, approved_book
from houseway.games.round import Dealt
from houseway.paytables import PayTable
from houseway.refusal import Refusal
from houseway.table import chi_square, commitment
from houseway.table import shuffler as machine
from houseway.table.commitment import SeedStream, check_dealt, commit, new_deck, opens, seal, unseal
from houseway.table.shuffler import STEPS, Shuffler, Step, mode_named, modes

GAMES = all_games()
KEY = bytes(range(32))
SEED = bytes(range(100, 132))
FITTING = {
    "three-card-poker": {"three-card-poker"},
    "caribbean-stud": {"caribbean-stud", "caribbean-stud-cover-all"},
    "straight-edge-1": {"straight-edge", "seven-cards"},
    "straight-edge-2": {"straight-edge", "seven-cards"},
    "six-card-pai-gow": {"six-card-pai-gow"},
}
"""Every mode that a table of the game may use, and no other."""

Shuffle = Callable[[Sequence[Card]], tuple[Card, ...]]


def seeded(seed: int) -> Callable[[int], bytes]:
    return random.Random(seed).randbytes


# ----------------------------------------------------------------------------------------------------- modes


@pytest.mark.parametrize("game", FITTING)
def test_a_mode_that_does_not_fit_the_game_is_refused(game: str) -> None:
    assert {mode.key for mode in modes() if machine.mode_fits(mode, GAMES[game]) is None} == FITTING[game]


@pytest.mark.parametrize(
    ("game", "mode", "said"),
    [
        (
            "three-card-poker",
            "caribbean-stud",
            "packets of 5 from 52 cards; Three Card Poker takes packets of 3 from 52",
        ),
        ("straight-edge-1", "pai-gow", "packets of 7 from 53 cards"),
        ("six-card-pai-gow", "pai-gow", "takes packets of 6 from 53"),
    ],
)
def test_the_refusal_says_what_the_mode_deals_and_what_the_game_takes(game: str, mode: str, said: str) -> None:
    sentence = machine.mode_fits(mode_named(mode), GAMES[game])
    assert sentence is not None
    assert said in sentence
    assert "(FL-1)" in sentence


def test_a_mode_of_the_right_size_but_another_game_is_refused() -> None:
    other = machine.MachineMode("four-card", "Another five card game", 5, 52)
    sentence = machine.mode_fits(other, GAMES["caribbean-stud"])
    assert sentence is not None
    assert "allowed is Caribbean Stud Poker or Caribbean Stud Poker Cover All" in sentence


def test_cover_all_needs_the_mode_that_shows_its_column() -> None:
    stud = GAMES["caribbean-stud"]
    plain, with_column = mode_named("caribbean-stud"), mode_named("caribbean-stud-cover-all")
    assert "CSC-4" in (machine.mode_fits(plain, stud, cover_all=True) or "")
    assert machine.mode_fits(with_column, stud, cover_all=True) is None
    assert machine.usual_dealing(stud) == "caribbean-stud"
    assert machine.usual_dealing(stud, cover_all=True) == "caribbean-stud-cover-all"


def test_caribbean_stud_and_the_games_of_a_shoe_are_dealt_by_hand() -> None:
    by_hand = {key for key, game in GAMES.items() if machine.dealing_fits(machine.HAND, game) is None}
    assert by_hand == {"caribbean-stud", "casino-war", "baccarat"}
    assert machine.dealing_fits(machine.HAND, GAMES["caribbean-stud"], cover_all=True) is None


def test_an_unknown_mode_is_refused_with_those_there_are() -> None:
    refused = machine.dealing_fits("roulette", GAMES["caribbean-stud"]) or ""
    assert "allowed are baccarat, caribbean-stud, caribbean-stud-cover-all, casino-war, crazy-four-poker" in refused


def test_a_game_that_names_no_mode_has_one_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    own = dataclasses.replace(GAMES["three-card-poker"], key="own", title="Our Own", shuffler=())
    monkeypatch.setitem(all_games(), "own", own)
    assert [mode.key for mode in machine.modes_for(own)] == ["own"]
    assert machine.usual_dealing(own) == "own"
    assert "not set to Three Card Poker" in (machine.dealing_fits("own", GAMES["three-card-poker"]) or "")
    borrows = dataclasses.replace(own, any_mode_of_its_size=True)
    monkeypatch.setitem(all_games(), "own", borrows)
    assert {mode.key for mode in machine.modes_for(borrows)} == {"own", "three-card-poker", "let-it-ride"}


def test_packets_and_decks_are_those_there_are() -> None:
    assert {mode.packet for mode in modes()} == {game.player_cards for game in GAMES.values()} | {7}
    assert {mode.deck for mode in modes()} == {52, 53}


# ----------------------------------------------------------------------------------------------- green button


def ready(mode: str, start: int = 0) -> Shuffler:
    return machine.shuffled_in(Shuffler(mode=mode), start)


def dispensed(shuffler: Shuffler, order: Sequence[Card]) -> tuple[Shuffler, tuple[Card, ...]]:
    shuffler, out = machine.press(shuffler)
    return shuffler, tuple(order[out.first : out.after])


def dealt_by_button(game: Game, spots: Sequence[int], order: Sequence[Card], start: int) -> Dealt:
    """A round as a dealer deals it, press by press, written from the rules of play and not from ``Game.deal``."""
    shuffler = ready(machine.usual_dealing(game), start)
    hands: dict[int, tuple[Card, ...]] = {}
    rack: tuple[Card, ...] = ()
    dealer: tuple[Card, ...] = ()
    if start:
        for turn in range(7):
            position = (start + turn - 1) % 7 + 1
            shuffler, packet = dispensed(shuffler, order)
            if position == 1:
                dealer = packet
            elif 8 - position in spots:
                hands[8 - position] = packet
            else:
                rack += packet
    else:
        for spot in sorted(spots):
            shuffler, hands[spot] = dispensed(shuffler, order)
        shuffler, dealer = dispensed(shuffler, order)
        if game.key == "straight-edge-1":
            shuffler, following = dispensed(shuffler, order)
            dealer, rack = (*dealer, following[0]), following[1:]
    shuffler, remaining = dispensed(machine.dealer_served(shuffler), order)
    assert shuffler.phase == "shuffling"
    face_up = dealer[4:] if game.key == "caribbean-stud" else ()
    return Dealt(hands, dealer, face_up, rack + remaining)


@pytest.mark.parametrize("key", FITTING)
def test_the_button_deals_what_the_rulebook_deals(key: str) -> None:
    game = GAMES[key]
    for count in range(1, game.most_spots + 1):
        order = new_deck(game.deck, seeded(count))
        spots = random.Random(count).sample(range(1, game.most_spots + 1), count)
        for start in range(1, 8) if key == "six-card-pai-gow" else (0,):
            made = dealt_by_button(game, spots, order, start)
            assert made == game.deal(order, spots, game.defaults, start or 1)
            every = [*made.dealer, *made.rack, *(card for hand in made.hands.values() for card in hand)]
            assert sorted(every) == list(game.deck)


def test_the_button_waits_for_the_next_deck() -> None:
    shuffler, _ = machine.press(ready("three-card-poker"))
    shuffler, out = machine.press(machine.dealer_served(shuffler))
    assert out == (3, 52, 0)
    with pytest.raises(Refusal, match="is shuffling the next deck"):
        machine.press(shuffler)
    shuffler, out = machine.press(machine.shuffled_in(shuffler))
    assert out == (0, 3, 1)
    assert shuffler.deck == 2


def test_every_packet_is_out_before_the_deck_is_empty() -> None:
    shuffler = ready("straight-edge")
    sizes = []
    for _ in range(8):
        shuffler, out = machine.press(shuffler)
        sizes.append(out.after - out.first)
    assert sizes == [7] * 7 + [3]
    with pytest.raises(Refusal, match="every card of the deck is out"):
        machine.press(shuffler)


def test_steps_out_of_turn_are_refused() -> None:
    with pytest.raises(Refusal, match="no packet out for the dealer"):
        machine.dealer_served(ready("three-card-poker"))
    with pytest.raises(Refusal, match="has a deck in"):
        machine.shuffled_in(ready("three-card-poker"))
    with pytest.raises(Refusal, match="is a position from 1"):
        ready("six-card-pai-gow")
    with pytest.raises(Refusal, match="not shown in this mode"):
        ready("three-card-poker", 3)


def test_the_start_position_is_on_the_screen_from_the_first_press() -> None:
    shuffler = ready("six-card-pai-gow", 5)
    assert machine.screen(shuffler).start_position is None
    shuffler, _ = machine.press(shuffler)
    assert machine.screen(shuffler).start_position == 5
    assert machine.screen(shuffler).words == ("6 Card Fortune Pai Gow", "packets out: 1", "start position: 5")
    shuffler, _ = machine.press(shuffler)
    assert machine.screen(shuffler)[1:3] == (2, 5)


def test_every_start_position_is_equally_likely() -> None:
    source = _Given(bytes(range(256)))
    drawn = Counter(machine.start_position(7, source) for _ in range(252))
    assert drawn == dict.fromkeys(range(1, 8), 36)


@pytest.mark.parametrize("hands", range(2, 9))
def test_the_cover_all_column_is_the_number_of_hands(hands: int) -> None:
    shuffler = ready("caribbean-stud-cover-all")
    for _ in range(hands):
        shuffler, _ = machine.press(shuffler)
        assert machine.screen(shuffler).cover_all_column is None
    shuffler, _ = machine.press(machine.dealer_served(shuffler))
    assert machine.screen(shuffler).cover_all_column == hands
    shuffler = machine.shuffled_in(shuffler)
    assert machine.screen(shuffler).cover_all_column == hands, "it stays until Cover All is settled"
    assert machine.screen(machine.press(shuffler)[0]).cover_all_column is None


def test_a_dealer_alone_has_no_cover_all_column() -> None:
    shuffler, _ = machine.press(ready("caribbean-stud-cover-all"))
    with pytest.raises(Refusal, match="columns for 2 to 8"):
        machine.press(machine.dealer_served(shuffler))


def test_the_plain_mode_shows_no_column() -> None:
    shuffler, _ = machine.press(machine.press(ready("caribbean-stud"))[0])
    shuffler, _ = machine.press(machine.dealer_served(shuffler))
    assert machine.screen(shuffler).cover_all_column is None


def test_the_screen_shows_what_the_column_pays() -> None:
    table = approved_book().only_approved(("caribbean-stud",), "cover_all")
    assert isinstance(table, PayTable)
    assert machine.cover_all_pays(table, 2)[0] == ("royal_flush", "500 to 1")
    assert dict(machine.cover_all_pays(table, 8))["three_of_a_kind"] == "3 to 1"
    with pytest.raises(Refusal, match="allowed are"):
        machine.cover_all_pays(table, 9)


# ------------------------------------------------------------------------------------------------ malfunctions


def broken() -> Shuffler:
    return machine.failed(machine.press(ready("three-card-poker"))[0], "cards jammed", "D7", 1)


def after(steps: Sequence[Step]) -> Shuffler:
    shuffler = broken()
    for at, step in enumerate(steps, start=2):
        shuffler = machine.take_step(shuffler, step, "S2", at, "backup B-2" if step == "replaced" else "")
    return shuffler


@pytest.mark.parametrize("done", range(len(STEPS)))
def test_steps_are_recorded_in_order_and_in_no_other(done: int) -> None:
    shuffler = after(STEPS[:done])
    allowed = {STEPS[done]} | ({"resumed"} if done == 1 else set())
    for step in STEPS:
        if step in allowed:
            machine.take_step(shuffler, step, "S2", 99, "backup B-2")
        else:
            with pytest.raises(Refusal, match="is not next; next: "):
                machine.take_step(shuffler, step, "S2", 99, "backup B-2")


def test_a_swap_is_on_record_with_who_when_and_which_backup() -> None:
    fault = after(STEPS).fault
    assert fault is not None
    assert fault.ended
    assert fault.backup == "backup B-2"
    assert [(taken.step, taken.by, taken.at) for taken in fault.steps] == [
        (step, "S2", at) for at, step in enumerate(STEPS, start=2)
    ]
    assert machine.next_steps(fault) == ()


def test_nothing_is_dealt_from_a_broken_shuffler() -> None:
    for done in range(len(STEPS)):
        shuffler = after(STEPS[:done])
        assert any("out of order" in line for line in machine.screen(shuffler).words)
        for act in (machine.press, machine.dealer_served, machine.shuffled_in):
            with pytest.raises(Refusal, match=r"out of order: next: .*FL-13"):
                act(shuffler)
    shuffler, out = machine.press(after(STEPS))
    assert out == (3, 6, 2)
    assert not any("out of order" in line for line in machine.screen(shuffler).words)


def test_play_resumes_where_the_guide_helped() -> None:
    shuffler = machine.take_step(after(["guide"]), "resumed", "S2", 9)
    assert shuffler.fault is not None
    assert shuffler.fault.ended


def test_the_backup_must_be_named() -> None:
    with pytest.raises(Refusal, match="note: is empty"):
        machine.take_step(after(["guide", "off", "unplugged"]), "replaced", "S2", 9, "  ")


def test_the_regulators_own_procedure_is_named_instead() -> None:
    shuffler = machine.name_procedure(after(["guide", "off"]), "Commission procedure 12")
    with pytest.raises(Refusal, match="next: resume play"):
        machine.take_step(shuffler, "unplugged", "S2", 9)
    fault = machine.take_step(shuffler, "resumed", "S2", 9).fault
    assert fault is not None
    assert fault.ended
    assert fault.procedure == "Commission procedure 12"
    with pytest.raises(Refusal, match="procedure: is empty"):
        machine.name_procedure(broken(), " ")


def test_a_void_ends_it_and_the_deck_is_shuffled_anew() -> None:
    shuffler = machine.void_fault(broken())
    assert (shuffler.phase, shuffler.packets, shuffler.cards) == ("shuffling", 0, 0)
    assert machine.press(machine.shuffled_in(shuffler))[1] == (0, 3, 1)


def test_no_step_without_a_malfunction() -> None:
    for act in (lambda one: machine.take_step(one, "guide", "S2", 1), machine.void_fault):
        for shuffler in (ready("three-card-poker"), after(STEPS)):
            with pytest.raises(Refusal, match="no malfunction on record"):
                act(shuffler)
    with pytest.raises(Refusal, match="what: is empty"):
        machine.failed(ready("three-card-poker"), "", "D7", 1)


def test_a_shuffler_survives_a_restart() -> None:
    for shuffler in (broken(), after(STEPS), ready("six-card-pai-gow", 3)):
        assert msgspec.json.decode(msgspec.json.encode(shuffler), type=Shuffler) == shuffler


# ---------------------------------------------------------------------------------------------- unbiased decks


@pytest.mark.parametrize("stop", range(1, 54))
def test_a_byte_chooses_every_number_equally_often(stop: int) -> None:
    """Every byte once: each number comes up as often as each other, and what is left over is thrown away."""
    stream = _Given(bytes(range(256)))
    kept = 256 - 256 % stop
    assert Counter(stream.randrange(stop) for _ in range(kept)) == dict.fromkeys(range(stop), kept // stop)


@pytest.mark.parametrize("stop", [257, 300, 1_000, 65_535, 65_536])
def test_two_bytes_choose_every_number_equally_often(stop: int) -> None:
    stream = _Given(b"".join(number.to_bytes(2, "big") for number in range(65_536)))
    kept = 65_536 - 65_536 % stop
    assert Counter(stream.randrange(stop) for _ in range(kept)) == dict.fromkeys(range(stop), kept // stop)


class _Given(SeedStream):
    """A stream of exactly these bytes."""

    def __init__(self, given: bytes) -> None:
        super().__init__(b"")
        self._given = given

    def block(self, counter: int) -> bytes:
        return self._given[32 * counter : 32 * counter + 32]


@pytest.mark.parametrize("stop", [0, -1, 65_537])
def test_two_bytes_cannot_choose_among_more_than_they_have(stop: int) -> None:
    with pytest.raises(ValueError, match="1 to 65536"):
        SeedStream(KEY).randrange(stop)


def test_every_order_is_equally_likely() -> None:
    """A deck of three from every two bytes that are not thrown away: all six orders, each as often."""
    deck = DECK_52[:3]
    seen: Counter[tuple[Card, ...]] = Counter()
    for first in range(255):
        for second in range(256):
            seen[shuffled(deck, _Given(bytes((first, second)) + bytes(30)))] += 1
    assert set(seen) == set(permutations(deck))
    assert len(set(seen.values())) == 1


def test_a_deck_comes_from_the_operating_system() -> None:
    decks = {new_deck(DECK_53) for _ in range(50)}
    assert len(decks) == 50
    assert all(sorted(deck) == list(DECK_53) for deck in decks)
    assert new_deck.__defaults__ == (os.urandom,)


# ------------------------------------------------------------------------------------------ promised and sealed


def test_anybody_can_check_a_commitment() -> None:
    """Written out by hand, as a player with a hash tool would."""
    text = f"houseway seed 2\nCS-1\n12\n{KEY.hex()}\n"
    assert commit(KEY, table="CS-1", round=12) == hashlib.sha256(text.encode()).hexdigest()


@given(st.binary(min_size=32, max_size=32), st.integers(0, 255))
def test_a_commitment_opens_to_one_seed_of_one_round_only(seed: bytes, bit: int) -> None:
    promise = commit(seed, table="CS-1", round=4)
    assert opens(promise, seed, table="CS-1", round=4)
    assert not opens(promise, seed, table="CS-1", round=5)
    assert not opens(promise, seed, table="CS-2", round=4)
    flipped = bytearray(seed)
    flipped[bit // 8] ^= 1 << bit % 8
    assert not opens(promise, bytes(flipped), table="CS-1", round=4)
    assert not opens(promise, seed[:-1], table="CS-1", round=4)
    assert not opens("", seed, table="CS-1", round=4)


def test_a_short_seed_hides_nothing_and_is_refused() -> None:
    for make in (lambda: commit(b"1", table="CS-1", round=1), lambda: seal(b"1", KEY, table="CS-1", round=1)):
        with pytest.raises(Refusal, match="must have 32"):
            make()


@given(st.binary(min_size=32, max_size=32), st.integers(1, 10**9))
def test_a_sealed_seed_opens_as_it_was(seed: bytes, number: int) -> None:
    sealed = seal(seed, KEY, table="CS-1", round=number)
    assert unseal(sealed, [KEY], table="CS-1", round=number) == seed
    assert unseal(sealed, [bytes(32), KEY], table="CS-1", round=number) == seed, "also with a key that was replaced"


def test_a_sealed_seed_opens_for_nobody_else() -> None:
    sealed = seal(SEED, KEY, table="CS-1", round=21)
    other = bytes(32)
    for key, table, number in ((other, "CS-1", 21), (KEY, "CS-2", 21), (KEY, "CS-1", 22), (KEY, "1\nCS-1", 2)):
        with pytest.raises(Refusal, match="does not open"):
            unseal(sealed, [key], table=table, round=number)
    with pytest.raises(Refusal, match="key: has 5 bytes; it must have 32"):
        unseal(sealed, [b"short"], table="CS-1", round=21)


def test_a_sealed_seed_that_was_changed_does_not_open() -> None:
    sealed = seal(SEED, KEY, table="CS-1", round=21)
    for at in range(len(sealed)):
        changed = sealed[:at] + ("A" if sealed[at] != "A" else "B") + sealed[at + 1 :]
        with pytest.raises(Refusal, match="does not open"):
            unseal(changed, [KEY], table="CS-1", round=21)
    for text in ("", "hw2.", "hw2.é", sealed[4:], sealed + "=", sealed[:-4], "hw2.AAAA", f"hw1.{sealed[4:]}"):
        with pytest.raises(Refusal, match="does not open"):
            unseal(text, [KEY], table="CS-1", round=21)


def test_equal_seeds_are_sealed_differently() -> None:
    assert len({seal(SEED, KEY, table="CS-1", round=1) for _ in range(20)}) == 20


@pytest.mark.parametrize("key", FITTING)
def test_a_round_dealt_as_promised_has_no_defect(key: str) -> None:
    game, start = GAMES[key], 3 if key == "six-card-pai-gow" else 0
    order = new_deck(game.deck, seeded(9))
    dealt = game.deal(order, (1, 3, 4), game.defaults, start or 1)
    assert check_dealt(order, dealt, game, start=start) == []


@pytest.mark.parametrize("key", FITTING)
def test_every_departure_from_the_promise_is_named(key: str) -> None:
    game, start = GAMES[key], 3 if key == "six-card-pai-gow" else 0
    order = new_deck(game.deck, seeded(9))
    dealt = game.deal(order, (1, 3), game.defaults, start or 1)
    swapped = Dealt({1: dealt.hands[3], 3: dealt.hands[1]}, dealt.dealer, dealt.face_up, dealt.rack)
    found = check_dealt(order, swapped, game, start=start)
    assert [defect.split(":")[0] for defect in found] == ["spot 1", "spot 3"]
    held_back = Dealt(dealt.hands, dealt.dealer[::-1], dealt.face_up, dealt.rack)
    assert any(one.startswith("the dealer:") for one in check_dealt(order, held_back, game, start=start))
    short = Dealt(dealt.hands, dealt.dealer, dealt.face_up, dealt.rack[1:])
    assert [one.split(":")[0] for one in check_dealt(order, short, game, start=start)] == ["the rack"]
    forged = (order[1], *order[1:])
    assert "is not the deck" in check_dealt(forged, dealt, game)[-1]


# ------------------------------------------------------------------------------------------- tests of fairness


def survival_of_even(statistic: Fraction, freedom: int) -> float:
    """The closed form for even degrees of freedom, in exact fractions up to one exponential."""
    half = statistic / 2
    term = total = Fraction(1)
    for k in range(1, freedom // 2):
        term *= half / k
        total += term
    # The sum can be beyond a float; its logarithm is not.
    return math.exp(math.log(total.numerator) - math.log(total.denominator) - float(half))


@pytest.mark.parametrize(
    ("statistic", "freedom"),
    [
        (1, 2),
        (30, 2),
        (5, 10),
        (40, 10),
        (100, 100),
        (180, 100),
        (2500, 2600),
        (2704, 2704),
        (3200, 2704),
        (4000, 2600),
    ],
)
def test_the_chi_square_is_the_closed_form(statistic: int, freedom: int) -> None:
    expected = survival_of_even(Fraction(statistic), freedom)
    assert chi_square.chi_square_survival(statistic, freedom) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("statistic", [0.001, 0.5, 1.0, 3.841458820694124, 10.0, 60.0])
def test_one_degree_of_freedom_is_the_normal_distribution(statistic: float) -> None:
    expected = math.erfc(math.sqrt(statistic / 2))
    assert chi_square.chi_square_survival(statistic, 1) == pytest.approx(expected, rel=1e-12)


def test_the_chi_square_at_its_ends() -> None:
    assert chi_square.chi_square_survival(0, 5) == 1
    assert chi_square.chi_square_survival(1e6, 2601) == 0
    assert chi_square.chi_square_survival(1, 2601) == pytest.approx(1)


@pytest.mark.parametrize("size", [4, 5, 6])
def test_each_statistic_averages_its_degrees_of_freedom(size: int) -> None:
    """Over all orders of a small deck, exactly: so the variances that the statistics divide by are right."""
    deck = DECK_52[:size]
    orders = list(permutations(deck))
    tallies = [chi_square.tally([order], deck) for order in orders]
    for test in (chi_square.position_test, chi_square.serial_test):
        made = [test(one) for one in tallies]
        assert sum(one.statistic for one in made) / len(orders) == pytest.approx(made[0].freedom)
    parts = [chi_square.serial_parts(one) for one in tallies]
    assert sum(even for even, _ in parts) / len(orders) == pytest.approx(size * (size - 3) / 2)
    assert sum(odd for _, odd in parts) / len(orders) == pytest.approx((size - 1) * (size - 2) / 2)


def test_eulerian_numbers_count_rising_runs() -> None:
    for size in range(1, 7):
        counted = Counter(1 + sum(one > other for one, other in pairwise(order)) for order in permutations(range(size)))
        assert chi_square.eulerian(size) == [counted[runs] for runs in range(1, size + 1)]
    assert sum(chi_square.eulerian(52)) == math.factorial(52)


def test_all_orders_once_are_as_even_as_can_be() -> None:
    deck = DECK_52[:6]
    counted = chi_square.tally(list(permutations(deck)), deck)
    assert all(result.statistic == pytest.approx(0, abs=1e-9) for result in chi_square.results(counted))
    assert all(result.suspicious for result in chi_square.results(counted)), "too even to be chance"


def test_a_tally_counts_and_adds_up() -> None:
    orders = [new_deck(DECK_53, seeded(seed)) for seed in range(30)]
    whole = chi_square.tally(orders, DECK_53)
    parts = chi_square.together(chi_square.tally(orders[:7], DECK_53), chi_square.tally(orders[7:], DECK_53))
    assert whole == parts
    assert whole.cards == 30 * 53
    for place in (0, 20, 52):
        for card in (0, 13, 52):
            assert whole.positions[53 * place + card] == sum(order[place] == card for order in orders)
    for above, below in ((0, 1), (52, 3), (17, 44)):
        seen = sum((above, below) in pairwise(order) for order in orders)
        assert whole.pairs[53 * above + below] == seen
    assert sum(whole.runs) == 30


def fair(source: random.Random) -> Shuffle:
    return lambda deck: new_deck(deck, source.randbytes)


def swaps_with_any(source: random.Random) -> Shuffle:
    """The well-known mistake: every card changes places with any card."""

    def shuffle(deck: Sequence[Card]) -> tuple[Card, ...]:
        order = list(deck)
        for at in range(len(order)):
            other = source.randrange(len(order))
            order[at], order[other] = order[other], order[at]
        return tuple(order)

    return shuffle


def never_stays(source: random.Random) -> Shuffle:
    """Off by one: no card may be chosen to stay where it is."""

    class OffByOne:
        def randrange(self, stop: int, /) -> int:
            return source.randrange(stop - 1) if stop > 1 else 0

    return lambda deck: shuffled(deck, OffByOne())


def keeps_every_byte(source: random.Random) -> Shuffle:
    """A byte modulo the bound, none thrown away: small numbers come up a little too often."""

    class Modulo:
        def randrange(self, stop: int, /) -> int:
            return source.getrandbits(8) % stop

    return lambda deck: shuffled(deck, Modulo())


def only_cuts(source: random.Random) -> Shuffle:
    """One cut: every card is everywhere equally often, and always above the same one."""

    def shuffle(deck: Sequence[Card]) -> tuple[Card, ...]:
        at = source.randrange(len(deck))
        return (*deck[at:], *deck[:at])

    return shuffle


def pairs_stay(source: random.Random) -> Shuffle:
    """Two cards that lay together stay so: places are fair, neighbours are not."""

    def shuffle(deck: Sequence[Card]) -> tuple[Card, ...]:
        pairs = [(deck[at], deck[at + 1]) for at in range(0, len(deck), 2)]
        source.shuffle(pairs)
        return tuple(card for pair in pairs for card in (pair if source.random() < 0.5 else pair[::-1]))

    return shuffle


def results_of(shuffle: Shuffle, decks: int) -> dict[str, chi_square.Result]:
    counted = chi_square.tally([shuffle(DECK_52) for _ in range(decks)], DECK_52)
    return {result.test: result for result in chi_square.results(counted)}


@pytest.mark.parametrize(
    ("planted", "caught_by"),
    [
        (swaps_with_any, {"position"}),
        (never_stays, {"position"}),
        (keeps_every_byte, {"position"}),
        (only_cuts, {"serial", "runs"}),
        (pairs_stay, {"serial"}),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_a_biased_shuffler_is_caught(planted: Callable[[random.Random], Shuffle], caught_by: set[str]) -> None:
    found = results_of(planted(random.Random(5)), 8_000)
    for test in caught_by:
        assert found[test].p < 1e-6, found
        assert found[test].suspicious


def test_what_one_test_does_not_see_another_does() -> None:
    found = results_of(pairs_stay(random.Random(5)), 4_000)
    assert found["position"].p > 1e-6


@pytest.mark.parametrize("seed", range(3))
def test_our_shuffler_passes(seed: int) -> None:
    found = results_of(fair(random.Random(seed)), 4_000)
    assert not any(result.suspicious for result in found.values()), found


def test_honest_p_values_are_spread_evenly() -> None:
    """300 small honest runs: a tenth of the p-values in every tenth, within chance."""
    source = random.Random(11)
    deck = DECK_52[:8]
    for name in ("position", "serial", "runs"):
        tenths: Counter[int] = Counter()
        for _ in range(300):
            counted = chi_square.tally([new_deck(deck, source.randbytes) for _ in range(150)], deck)
            p = {result.test: result.p for result in chi_square.results(counted)}[name]
            tenths[min(int(p * 10), 9)] += 1
        uneven = sum((tenths[tenth] - 30) ** 2 / 30 for tenth in range(10))
        assert chi_square.chi_square_survival(uneven, 9) > 1e-4, (name, tenths)


# ------------------------------------------------------------------------------------------------- the command


def run(*arguments: str) -> Any:
    return CliRunner().invoke(shuffle_app, ["test", *arguments])


def test_the_command_prints_p_values_for_every_deck() -> None:
    done = run("--cards", "30000", "--seed", "a", "--json")
    assert done.exit_code == 0, done.output
    answer = json.loads(done.stdout)
    assert [deck["deck"] for deck in answer["decks"]] == [52, 53]
    for deck in answer["decks"]:
        assert deck["cards"] >= 30_000
        assert [test["test"] for test in deck["tests"]] == ["position", "serial", "runs"]
        assert all(0 < test["p"] < 1 for test in deck["tests"])
    assert run("--cards", "30000", "--seed", "a", "--json").stdout == done.stdout
    assert run("--cards", "30000", "--seed", "b", "--json").stdout != done.stdout


def test_the_command_shuffles_from_the_secure_source(monkeypatch: pytest.MonkeyPatch) -> None:
    used = []

    def watched(deck: Sequence[Card], entropy: Callable[[int], bytes]) -> tuple[Card, ...]:
        used.append(entropy)
        return new_deck(deck, entropy)

    monkeypatch.setattr(commitment, "new_deck", watched)
    done = run("--cards", "20000", "--game", "six-card-pai-gow")
    assert "secure source" in done.stdout
    assert len(used) == math.ceil(20_000 / 53)
    assert set(used) == {os.urandom}


def test_the_command_says_when_the_shuffler_is_biased(monkeypatch: pytest.MonkeyPatch) -> None:
    shuffle = swaps_with_any(random.Random(1))
    monkeypatch.setattr(commitment, "new_deck", lambda deck, entropy: shuffle(deck))
    done = run("--cards", "300000", "--game", "caribbean-stud", "--json")
    assert done.exit_code == 1
    tests = {test["test"]: test for test in json.loads(done.stdout)["decks"][0]["tests"]}
    assert tests["position"]["p"] < 1e-6
    assert tests["position"]["suspicious"]
    assert "SUSPICIOUS" in run("--cards", "300000", "--game", "caribbean-stud").stdout


def test_an_interrupted_run_shows_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(after_decks: int) -> Iterator[tuple[Card, ...]]:
        for seed in range(after_decks):
            yield new_deck(DECK_52, seeded(seed))
        raise KeyboardInterrupt

    decks = interrupted(9_000)
    monkeypatch.setattr(commitment, "new_deck", lambda deck, entropy: next(decks))
    done = run("--json")
    assert done.exit_code == 130
    answer = json.loads(done.stdout)
    assert answer["interrupted"]
    assert [deck["decks"] for deck in answer["decks"]] == [8_000]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--cards", "5"), "--cards: is 5; it must be from 20,000"),
        (("--cards", "-1"), "--cards: is -1"),
        (("--game", "bridge"), "is not a game here"),
    ],
)
def test_wrong_requests_are_refused(arguments: tuple[str, ...], said: str) -> None:
    done = run(*arguments)
    assert isinstance(done.exception, Refusal)
    assert said in str(done.exception)
