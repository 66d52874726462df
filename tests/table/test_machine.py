"""The round machine by itself: what may be pressed at which stage, what the console shows; and nothing trips it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.manager.floor_kit import PaperHouse, pay_table

from houseway.manager.commands import kind_of
from houseway.manager.permissions import PERMISSIONS
from houseway.progressive.link import Claim, LinkState, MeterState, due, with_claim
from houseway.progressive.terms import MeterTerms, Terms, split
from houseway.refusal import NotAllowed, Refusal
from houseway.table.config import Console
from houseway.table.progressive_round import commands as ask
from houseway.table.progressive_round import events as tell
from houseway.table.progressive_round.commands import AnyTableCommand
from houseway.table.progressive_round.console import WORDS
from houseway.table.progressive_round.decide import Context, decide
from houseway.table.progressive_round.evolve import apply_lines, evolve, evolve_link
from houseway.table.progressive_round.ledger import Line, table_lines
from houseway.table.state import Round

CONSOLES: tuple[Console, ...] = ("touch", "keypad")


# ---------------------------------------------------------------------------------------------------- stages of a round


def fresh(house: PaperHouse) -> None:
    """Nothing yet; a chip on spot 1."""
    house.light("T1", 1)


def locked(house: PaperHouse) -> None:
    house.coin_in("T1", 1, 2)


def dealt(house: PaperHouse) -> None:
    locked(house)
    house.deal("T1")


def claimed(house: PaperHouse) -> None:
    dealt(house)
    house.name("T1", 2, "flush")


def at_j_pot(house: PaperHouse) -> None:
    claimed(house)
    house.j_pot("T1", 2)


def won(house: PaperHouse) -> None:
    claimed(house)
    house.record("T1", 2)


COMMANDS: dict[str, AnyTableCommand] = {
    "light": ask.Light(table="T1", spot=5),
    "unlight": ask.Unlight(table="T1", spot=5),
    "lock_in": ask.LockIn(table="T1"),
    "correct_count": ask.CorrectCount(table="T1", spot=5, wagered=True, reason="slid"),
    "first_card": ask.FirstCard(table="T1"),
    "fold": ask.Fold(table="T1", spot=1),
    "see_hand": ask.SeeHand(table="T1", spot=1, hand="flush"),
    "same_player": ask.SamePlayer(table="T1", spots=(1, 2)),
    "name_win": ask.NameWin(table="T1", spot=1, hand="flush"),
    "drop_claim": ask.DropClaim(table="T1", spot=2, reason="misread"),
    "arrive": ask.Arrive(table="T1"),
    "j_pot": ask.JPot(table="T1", spot=2),
    "run": ask.Run(table="T1"),
    "confirm": ask.Confirm(table="T1", spot=2),
    "close_round": ask.CloseRound(table="T1"),
    "void_round": ask.VoidRound(table="T1", cause="jam"),
}
ALWAYS = {"light", "same_player"}
PLAYING = ALWAYS | {"fold", "see_hand", "name_win"}
STAGES: list[tuple[Console, Callable[[PaperHouse], None], set[str]]] = [
    ("touch", fresh, ALWAYS | {"lock_in"}),
    ("touch", locked, PLAYING | {"correct_count", "first_card", "close_round", "void_round"}),
    ("touch", dealt, PLAYING | {"close_round", "void_round"}),
    ("touch", claimed, PLAYING | {"drop_claim", "arrive", "confirm", "void_round"}),
    ("touch", won, PLAYING | {"close_round"}),
    ("keypad", claimed, PLAYING | {"drop_claim", "arrive", "j_pot", "void_round"}),
    ("keypad", at_j_pot, PLAYING | {"run"}),
    ("keypad", won, PLAYING | {"close_round"}),
]
"""By console and stage: what makes something happen. Everything else is refused, or does nothing."""


def happens(house: PaperHouse, command: AnyTableCommand) -> bool:
    kind = kind_of(command)
    by = "e1" if kind in ("j_pot", "run", "confirm") else _one_who_may(command)
    try:
        return bool(house.do(by, command, "s2" if kind == "void_round" else "").events)
    except NotAllowed:
        raise
    except Refusal:
        return False


def _one_who_may(command: AnyTableCommand) -> str:
    return "d1" if "dealer" in PERMISSIONS[kind_of(command)].roles else "s1"


@pytest.mark.clause("PR-11", "PR-13", "PR-15", "PR-16", "PR-19")
@pytest.mark.parametrize(("console", "stage", "possible"), STAGES, ids=lambda one: getattr(one, "__name__", None))
def test_what_may_be_pressed_at_each_stage(
    console: Console, stage: Callable[[PaperHouse], None], possible: set[str]
) -> None:
    found = set()
    for name, command in COMMANDS.items():
        house = PaperHouse(console=console)
        stage(house)
        if happens(house, command):
            found.add(name)
    assert found == possible


@pytest.mark.clause("PR-11", "PR-13", "PR-15", "PR-16", "PR-19")
@pytest.mark.parametrize(("console", "stage", "possible"), STAGES, ids=lambda one: getattr(one, "__name__", None))
def test_the_console_offers_just_that(
    console: Console, stage: Callable[[PaperHouse], None], possible: set[str]
) -> None:
    house = PaperHouse(console=console)
    stage(house)
    before = house.state
    offered = {press.command for press in house.view().presses}
    # A sensor, cards that are seen and who plays two spots are no buttons.
    assert offered - {"drop_claim", "correct_count"} == possible - {
        "light",
        "same_player",
        "see_hand",
        "drop_claim",
        "correct_count",
    }
    assert ("drop_claim" in offered) == ("drop_claim" in possible)
    assert ("correct_count" in offered) == ("correct_count" in possible)
    assert house.state is before


def test_every_command_of_a_table_is_decided_and_somebodys_to_give() -> None:
    assert {kind_of(command) for command in COMMANDS.values()} | {"surveillance"} == {
        kind.__struct_config__.tag for kind in get_args(AnyTableCommand)
    }
    for kind in get_args(AnyTableCommand):
        assert kind.__struct_config__.tag in PERMISSIONS


def test_a_table_without_a_link_plays_no_progressive() -> None:
    house = PaperHouse()
    context = Context(1, 0, "d1", "dealer", "2026-03-01", house.state.policies)
    with pytest.raises(Refusal, match="no progressive"):
        decide(house.state.tables["T1"], None, ask.LockIn(table="T1"), context)


# ----------------------------------------------------------------------------------------------- what the console shows


@pytest.mark.clause("PR-11", "PR-16", "PR-19")
@pytest.mark.parametrize(
    ("console", "lock_in", "close"), [("touch", "START GAME", "END GAME"), ("keypad", "COIN IN", "GAME OVER")]
)
def test_a_console_speaks_the_words_of_its_generation(console: Console, lock_in: str, close: str) -> None:
    house = PaperHouse(console=console)
    assert (house.view().words.lock_in, house.view().words.close) == (lock_in, close)
    assert {press.command: press.label for press in house.view().presses}["lock_in"] == lock_in
    house.coin_in("T1", 1)
    assert {press.command: press.label for press in house.view().presses}["close_round"] == close
    house.name("T1", 1, "flush")
    labels = {press.label for press in house.view().presses}
    assert ("CONFIRM" in labels, "J-POT" in labels) == (console == "touch", console == "keypad")


@pytest.mark.clause("PR-11")
@pytest.mark.parametrize("console", CONSOLES)
def test_a_refusal_names_the_button_that_comes_first(console: Console) -> None:
    house = PaperHouse(console=console)
    assert WORDS[console].lock_in in house.refused(lambda: house.end("T1")).sentence


@pytest.mark.clause("PR-15", "PR-32")
def test_the_console_shows_what_each_claim_is_due_and_whose_turn_it_is() -> None:
    house = PaperHouse(tables=2, executive_from_cents=10_000_00)
    house.coin_in("T1", 1, 4)
    house.coin_in("T2", 2)
    house.name("T2", 2, "flush")
    house.name("T1", 1, "royal_flush")
    house.name("T1", 4, "straight_flush", by="s2")
    shown = house.view("T1").claims
    assert [(one.spot, one.turn, one.due_cents, one.executive, one.named_by) for one in shown] == [
        (4, 2, 995_21, False, "s2"),
        (1, 3, 8_956_89, False, "d1"),
    ]
    assert {press.command: press.spots for press in house.view("T2").presses}["confirm"] == (2,)
    assert "confirm" not in {press.command for press in house.view("T1").presses}
    house.drop("T1", 4)
    house.drop("T2", 2)
    (royal,) = house.view("T1").claims
    assert (royal.turn, royal.due_cents, royal.executive) == (1, 10_002_10, True)


@pytest.mark.clause("PR-13")
def test_a_hand_button_is_lit_for_the_spots_that_can_still_win() -> None:
    house = PaperHouse()
    house.coin_in("T1", 1, 2, 3, 4)
    house.fold("T1", 1)
    house.win("T1", 2, "flush")
    house.name("T1", 3, "flush")
    buttons = {press.command: press.spots for press in house.view().presses}
    # Spot 3 can be taken back, spot 4 can be named; 1 folded and 2 has won.
    assert buttons["name_win"] == (3, 4)
    assert buttons["fold"] == (4, 5, 6)


def test_an_unlocked_table_shows_its_lights_and_nothing_of_the_round_before() -> None:
    house = PaperHouse(table="CSTUD-15")
    house.coin_in("T1", 1, 2)
    house.win("T1", 2, "royal_flush")
    house.end("T1")
    house.light("T1", 3)
    view = house.view()
    assert (view.round, view.lit, view.booked) == (2, (3,), ())
    assert (view.claims, view.wins, view.envy, view.face_up, view.unnamed) == ((), (), (), (), ())


# ----------------------------------------------------------------------------------------------------- nothing trips it

numbers = st.integers(-3, 12)
words = st.text(max_size=6) | st.sampled_from(["royal_flush", "flush", "straight_flush", ""])
anything = st.one_of(
    st.builds(ask.Light, table=st.just("T1"), round=numbers, spot=numbers, base_wager=st.booleans()),
    st.builds(ask.Unlight, table=st.just("T1"), spot=numbers),
    st.builds(ask.LockIn, table=st.just("T1"), lit=st.none() | st.lists(numbers, max_size=8).map(tuple)),
    st.builds(ask.CorrectCount, table=st.just("T1"), spot=numbers, wagered=st.booleans(), reason=words),
    st.builds(ask.FirstCard, table=st.just("T1"), round=numbers),
    st.builds(ask.Fold, table=st.just("T1"), spot=numbers),
    st.builds(ask.SeeHand, table=st.just("T1"), spot=numbers, hand=words),
    st.builds(ask.SamePlayer, table=st.just("T1"), spots=st.lists(numbers, max_size=4).map(tuple)),
    st.builds(ask.NameWin, table=st.just("T1"), spot=numbers, hand=words),
    st.builds(ask.DropClaim, table=st.just("T1"), spot=numbers, reason=words),
    st.builds(ask.Arrive, table=st.just("T1")),
    st.builds(ask.JPot, table=st.just("T1"), spot=numbers),
    st.builds(ask.Run, table=st.just("T1")),
    st.builds(ask.Confirm, table=st.just("T1"), spot=numbers),
    st.builds(ask.Surveillance, table=st.just("T1"), win=numbers, player=words),
    st.builds(ask.CloseRound, table=st.just("T1"), round=numbers),
    st.builds(ask.VoidRound, table=st.just("T1"), cause=words, malfunction=st.booleans()),
)


def refusal_of(house: PaperHouse, by: str, command: AnyTableCommand) -> Refusal | None:
    try:
        house.do(by, command)
    except Refusal as refusal:
        return refusal
    return None


@settings(max_examples=60, deadline=None)
@given(console=st.sampled_from(CONSOLES), pressed=st.lists(anything, max_size=25))
def test_whatever_is_pressed_it_is_done_or_refused_in_a_sentence(
    console: Console, pressed: list[AnyTableCommand]
) -> None:
    house = PaperHouse(console=console, table="CSTUD-15", reserve="5%", washington=True, maximum=10_001_00)
    house.coin_in("T1", 1, 2, 3)
    for command in pressed:
        by = "e1" if "executive" in PERMISSIONS[kind_of(command)].roles else "d1"
        before, refusal = house.state, refusal_of(house, by, command)
        if refusal is not None:
            assert house.state is before
            assert refusal.field
            assert refusal.sentence
        house.view()
    held = house.balances()
    assert sum(held.values()) == 0
    assert house.micros() == held["meter/L1/main"]


# ----------------------------------------------------------------------------------------------------- events and money

EVENTS: list[tell.AnyTableEvent] = [
    tell.LockedIn(
        table="T1",
        round=1,
        link="L1",
        terms=1,
        spots=(1, 2),
        wager_cents=100,
        meters={"main": 1_000_000},
        reserves={"main": 500_000},
        excess={"main": 400_000},
        kept=500_000,
    ),
    tell.CountCorrected(
        table="T1",
        round=1,
        link="L1",
        spot=2,
        wagered=False,
        wager_cents=100,
        meters={"main": -500_000},
        reserves={"main": -250_000},
        excess={"main": -200_000},
        kept=-250_000,
        reason="slid",
    ),
    tell.WinPaid(
        table="T1",
        round=1,
        link="L1",
        win=7,
        spot=1,
        meter="main",
        from_meter=900_000,
        from_tray=100_000,
        shortfall=100_000,
        seed=50_000,
        from_reserve=20_000,
        reseeded=True,
        before=0,
        after=0,
    ),
    tell.EnvyPaid(table="T1", round=1, link="L1", spot=2, win=7, winner=1, cents=300),
    tell.RoundVoided(
        table="T1",
        round=1,
        link="L1",
        cause="jam",
        malfunction=False,
        spots=(1,),
        returned=1_000_000,
        meters={"main": 400_000},
        reserves={"main": 100_000},
        covered=500_000,
        short=0,
    ),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_the_lines_of_every_event_sum_to_zero_and_none_is_empty(event: tell.AnyTableEvent) -> None:
    lines = table_lines(event)
    assert sum(line.micros for line in lines) == 0
    assert all(line.micros and line.purpose and line.account for line in lines)
    assert {line.account.partition("/")[0] for line in lines} <= {"players", "meter", "reserve", "house"}


def test_events_without_money_have_no_lines() -> None:
    assert table_lines(tell.CardsOut(table="T1", round=1)) == []
    assert table_lines(tell.SensorLit(table="T1", round=1, spot=1, waits=False)) == []


def link_with(**fields: Any) -> LinkState:
    terms = Terms(table=pay_table("CSTUD-01"), wager_cents=100, meters={"main": MeterTerms(contribution_bp=70_00)})
    meters = {"main": MeterState(value=5_000_000, reserve=100_000, opened=True)}
    return LinkState(
        **{"id": "L1", "name": "L", "tables": ("T1",), "version": 1, "terms": {1: terms}, "meters": meters, **fields}
    )


def test_no_meter_or_reserve_falls_below_zero_whatever_an_event_says() -> None:
    for account in ("meter/L1/main", "reserve/L1/main"):
        with pytest.raises(RuntimeError, match="below zero"):
            apply_lines(link_with(), [Line(account, "award from meter", -5_000_001)])


def test_lines_of_another_link_leave_a_link_alone() -> None:
    link = link_with()
    assert apply_lines(link, [Line("meter/L2/main", "contribution", 1), Line("house/L1", "kept", 1)]) is link


def test_a_win_is_not_paid_that_was_not_logged() -> None:
    claim = Claim(
        table="T1", round=1, spot=1, hand="flush", meter="main", fixed_cents=1, place=0, named_by="d1", named_at=0
    )
    paid = EVENTS[2]
    for link in (link_with(), with_claim(link_with(), claim)):
        with pytest.raises(RuntimeError, match="without having been logged"):
            evolve_link(link, paid)


def test_a_meter_that_holds_less_than_it_promised_stops_the_program_not_the_player() -> None:
    """It cannot be; if it is, the books are wrong and nothing may be paid from them."""
    house = PaperHouse()
    house.coin_in("T1", 1)
    house.name("T1", 1, "royal_flush")
    link = replace(house.link(), meters={"main": replace(house.link().meters["main"], value=1)})
    context = Context(99, 0, "e1", "executive", "2026-03-01", house.state.policies)
    with pytest.raises(RuntimeError, match="less than it promised"):
        decide(house.state.tables["T1"], link, ask.Confirm(table="T1", spot=1), context)


def test_evolving_answers_a_new_table_and_leaves_the_old_one() -> None:
    house = PaperHouse()
    table = house.state.tables["T1"]
    after = evolve(table, EVENTS[0], 5)
    assert (after.round.booked, table.round) == ((1, 2), Round())


@pytest.mark.clause("PR-2")
@given(
    wager=st.integers(1, 100_000),
    wagers=st.integers(0, 9),
    rates=st.lists(st.tuples(st.integers(0, 2_000), st.integers(0, 1_000)), min_size=1, max_size=3),
)
def test_a_split_adds_up_to_the_wagers_and_every_part_is_exact(
    wager: int, wagers: int, rates: list[tuple[int, int]]
) -> None:
    meters = {str(at): MeterTerms(contribution_bp=one, reserve_bp=two) for at, (one, two) in enumerate(rates)}
    parts = split(Terms(table=pay_table("CSTUD-01"), wager_cents=wager, meters=meters), wagers)
    assert sum(parts.meters.values()) + sum(parts.reserves.values()) + parts.kept == wager * wagers * 10_000
    for at, (one, two) in enumerate(rates):
        assert parts.meters[str(at)] * 10_000 == wager * wagers * 10_000 * one
        assert parts.reserves.get(str(at), 0) * 10_000 == wager * wagers * 10_000 * two


@pytest.mark.clause("PR-5", "PR-7")
@given(held=st.integers(0, 10**12), percent=st.sampled_from([1, 10, 100]), fixed=st.integers(1, 10**7))
def test_no_claim_takes_more_than_the_meter_shows(held: int, percent: int, fixed: int) -> None:
    claim = Claim(
        table="T1", round=1, spot=1, hand="x", meter="main", percent=percent, place=0, named_by="", named_at=0
    )
    share = due(claim, held)
    assert share.cents == share.from_meter_cents == held // 10_000 * percent // 100
    amount = due(replace(claim, percent=0, fixed_cents=fixed), held)
    assert amount.cents == fixed
    assert amount.from_meter_cents == min(fixed, held // 10_000)
    assert amount.shortfall_cents == amount.from_tray_cents == fixed - amount.from_meter_cents
