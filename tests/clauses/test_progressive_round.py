"""A round with a progressive, clause by clause: PR-10 … PR-20, PR-28 … PR-30, PR-34 and PR-35, on both consoles.

Unless a test says otherwise it is a $1 wager on CSTUD-01, of which 70 cents go to the meter, and a seed of $10,000.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.manager.floor_kit import House, Opener, micros, only, opened

from houseway.manager.events import AuthorityRefused
from houseway.table.config import Console
from houseway.table.progressive_round.commands import NameWin
from houseway.table.progressive_round.console import WORDS
from houseway.table.progressive_round.events import (
    ClaimDropped,
    CountCorrected,
    EnvyPaid,
    LockedIn,
    RoundVoided,
    SupervisorArrived,
    WinLogged,
    WinPaid,
)
from houseway.table.state import Round

CONSOLES: tuple[Console, ...] = ("touch", "keypad")


@pytest.fixture
def open_house(tmp_path: Path) -> Iterator[Opener]:
    yield from opened(tmp_path)


@pytest.fixture
def house(open_house: Opener) -> House:
    return open_house()


# --------------------------------------------------------------------------------------------------- wagers and lock-in


@pytest.mark.clause("PR-10")
def test_a_progressive_wager_lights_the_sensor_of_its_spot(house: House) -> None:
    house.light("T1", 3)
    assert house.round().lit == (3,)
    house.unlight("T1", 3)
    assert house.round().lit == ()


@pytest.mark.clause("PR-10")
def test_without_the_base_games_wager_there_is_no_progressive_one(house: House) -> None:
    refusal = house.refused(lambda: house.light("T1", 3, base_wager=False))
    assert refusal.field == "spot"
    assert "base game" in refusal.sentence
    house.coin_in("T1")
    assert house.round().booked == ()


@pytest.mark.clause("PR-10")
def test_only_the_spots_of_the_table_have_a_sensor(open_house: Opener) -> None:
    house = open_house(spots=5)
    assert "1 to 5" in house.refused(lambda: house.light("T1", 6)).sentence
    assert house.refused(lambda: house.coin_in("T1", 0)).field == "spot"


@pytest.mark.clause("PR-11")
@pytest.mark.parametrize("console", CONSOLES)
def test_lock_in_counts_the_lit_sensors_and_books_each_wager_once(open_house: Opener, console: Console) -> None:
    house = open_house(console=console, reserve="5%")
    house.light("T1", 1, 3, 5)
    locked = only(house.coin_in("T1"), LockedIn)
    assert locked.spots == (1, 3, 5)
    assert house.round().booked == house.view().booked == (1, 3, 5)
    assert house.meter() == 10_002_10
    assert house.reserve() == micros(15)
    assert house.players_micros() == micros(-3_00)
    # Of three dollars, 2.10 are on the meter, 15 cents in the reserve; the house keeps 75 cents and gave the seed.
    assert house.house_micros() == micros(75 - 10_000_00)


@pytest.mark.clause("PR-11")
def test_pressed_again_in_the_same_round_it_does_nothing(house: House) -> None:
    house.coin_in("T1", 1, 3)
    stood = house.link(), house.round()
    assert house.coin_in("T1").events == ()
    assert house.coin_in("T1", 1, 2, 3, 4).events == ()
    assert (house.link(), house.round()) == stood
    assert house.meter() == 10_001_40


@pytest.mark.clause("PR-11")
def test_later_wagers_wait_for_the_next_round(house: House) -> None:
    house.coin_in("T1", 1)
    house.light("T1", 4)
    assert house.round().booked == (1,)
    assert house.view().waiting == (4,)
    assert house.refused(lambda: house.name("T1", 4, "flush")).field == "spot"
    house.end("T1")
    assert house.round().lit == (4,)
    house.coin_in("T1")
    assert house.round().booked == (4,)
    assert house.meter() == 10_001_40


@pytest.mark.clause("PR-11")
def test_the_sensors_report_at_lock_in_is_what_counts(house: House) -> None:
    """A chip was taken off unseen and another put down: what is lit then is booked."""
    house.light("T1", 1, 2)
    house.coin_in("T1", 2, 6)
    assert house.round().booked == (2, 6)


@pytest.mark.clause("PR-11", "PR-38")
def test_a_command_for_another_round_is_refused(house: House) -> None:
    """A press that comes late, over a bad line, must not count in the round after."""
    house.coin_in("T1", 1)
    house.end("T1")
    house.coin_in("T1", 1)
    late = NameWin(table="T1", round=1, spot=1, hand="flush")
    assert house.refused(lambda: house.do("d1", late)).field == "round"


@pytest.mark.clause("PR-28")
def test_the_light_stays_on_all_round_as_the_record(house: House) -> None:
    house.coin_in("T1", 2, 5)
    house.unlight("T1", 5)
    assert house.view().lit == house.view().booked == (2, 5)
    house.win("T1", 5, "flush")
    assert house.view().lit == (2, 5)
    house.end("T1")
    assert house.view().lit == ()


# ----------------------------------------------------------------------------------------------------------- reconciled


@pytest.mark.clause("PR-12")
def test_standard_bonus_and_progressive_wagers_of_a_spot_are_settled_together(
    settle: Callable[[dict[str, Any]], dict[str, Any]],
) -> None:
    answer = settle(
        {
            "game": "caribbean-stud",
            "tables": {"progressive": "CSTUD-15", "bonus": "CPSB-01"},
            "dealer": "Ac Kc 6s 5h 2d",
            "spots": [
                {
                    "spot": 2,
                    "cards": "As Ks Qs Js Ts",
                    "wagers": {"ante": 1000, "bonus": 100, "progressive": 100},
                    "decision": {"play": True},
                },
                {
                    "spot": 5,
                    "cards": "3c 4d 9h 8h 7s",
                    "wagers": {"ante": 1000, "bonus": 100, "progressive": 100},
                    "decision": {"fold": True},
                },
            ],
            "meters": {"main": 12_000_00},
            "seeds": {"main": 10_000_00},
        }
    )
    royal, folded = answer["spots"]
    assert set(royal["wagers"]) == {"ante", "bet", "bonus", "progressive"}
    assert royal["wagers"]["progressive"]["from_meter"] == 12_000_00
    assert folded["wagers"]["progressive"]["envy"] == 1_000_00
    for spot in (royal, folded):
        assert spot["wagered"] == sum(wager["wagered"] for wager in spot["wagers"].values())
        assert spot["returned"] == sum(wager["returned"] for wager in spot["wagers"].values())


@pytest.mark.clause("PR-12")
@pytest.mark.parametrize("console", CONSOLES)
def test_a_spots_progressive_is_reconciled_within_its_own_round(open_house: Opener, console: Console) -> None:
    """The progressive-only table: a round goes on until every claim is paid or dropped; then it is over for good."""
    house = open_house(console=console)
    house.coin_in("T1", 2, 4)
    house.name("T1", 4, "flush")
    assert house.refused(lambda: house.end("T1")).field == "table"
    house.record("T1", 4)
    house.end("T1")
    assert house.players_micros() == micros(50_00 - 2_00)
    assert house.round().wins == ()
    assert house.link().claims == ()


# --------------------------------------------------------------------------------------------------------- naming a win


@pytest.mark.clause("PR-13")
@pytest.mark.parametrize("console", CONSOLES)
def test_a_win_is_named_by_spot_and_hand_and_toggles_off_when_pressed_again(
    open_house: Opener, console: Console
) -> None:
    house = open_house(console=console)
    house.coin_in("T1", 1, 3)
    house.name("T1", 3, "straight_flush")
    claim = house.claim("T1", 3)
    assert claim is not None
    assert (claim.hand, claim.named_by) == ("straight_flush", "d1")
    assert house.due("T1", 3) == 1_000_14
    only(house.name("T1", 3, "straight_flush"), ClaimDropped)
    assert house.claim("T1", 3) is None
    house.name("T1", 3, "flush")
    assert house.due("T1", 3) == 50_00


@pytest.mark.clause("PR-13")
def test_another_hand_button_waits_until_the_first_is_off(house: House) -> None:
    house.coin_in("T1", 1)
    house.name("T1", 1, "flush")
    assert "flush" in house.refused(lambda: house.name("T1", 1, "full_house")).sentence


@pytest.mark.clause("PR-13")
def test_a_hand_that_is_not_on_the_pay_table_is_refused_with_those_that_are(house: House) -> None:
    house.coin_in("T1", 1)
    refusal = house.refused(lambda: house.name("T1", 1, "two_pair"))
    assert refusal.field == "hand"
    assert "royal_flush, straight_flush, four_of_a_kind, full_house, flush" in refusal.sentence


@pytest.mark.clause("PR-13")
@pytest.mark.parametrize("seen", ["flush", ""])
def test_a_named_win_that_the_cards_do_not_support_is_refused(house: House, seen: str) -> None:
    house.coin_in("T1", 1, 2)
    house.see("T1", 1, seen)
    assert house.refused(lambda: house.name("T1", 1, "royal_flush")).field == "hand"
    house.name("T1", 2, "royal_flush")
    assert house.claim("T1", 2) is not None


@pytest.mark.clause("PR-13")
@pytest.mark.parametrize("console", CONSOLES)
def test_cards_seen_after_the_naming_are_looked_at_before_it_is_paid(open_house: Opener, console: Console) -> None:
    house = open_house(console=console)
    house.coin_in("T1", 1)
    house.name("T1", 1, "royal_flush")
    house.see("T1", 1, "flush")
    assert house.refused(lambda: house.record("T1", 1)).field == "hand"
    house.name("T1", 1, "royal_flush")
    house.name("T1", 1, "flush")
    house.record("T1", 1)
    assert house.meter() == 10_000_70 - 50_00


@pytest.mark.clause("PR-13")
def test_a_win_nobody_named_is_pointed_out_before_the_round_can_close(house: House) -> None:
    house.coin_in("T1", 1, 2)
    house.see("T1", 2, "full_house")
    assert house.view().unnamed == ((2, "full_house"),)
    refusal = house.refused(lambda: house.end("T1"))
    assert "spot 2 holds full house" in refusal.sentence
    house.win("T1", 2, "full_house")
    assert house.view().unnamed == ()
    house.end("T1")


@pytest.mark.clause("PR-13")
def test_a_hand_seen_at_a_spot_without_the_wager_holds_nothing_up(house: House) -> None:
    house.coin_in("T1", 1)
    house.see("T1", 2, "royal_flush")
    house.fold("T1", 1)
    house.see("T1", 1, "royal_flush")
    house.end("T1")


@pytest.mark.clause("PR-13")
def test_with_physical_cards_the_dealers_word_and_the_supervisors_verification_are_taken(house: House) -> None:
    house.coin_in("T1", 1)
    win = house.win("T1", 1, "full_house")
    logged = only(house.entries()[win - 1], WinLogged)
    assert (logged.claim.named_by, logged.confirmed_by) == ("d1", "e1")


@pytest.mark.clause("PR-14")
def test_only_a_spot_with_a_wager_booked_in_this_round_can_win(house: House) -> None:
    assert house.refused(lambda: house.name("T1", 1, "flush")).field == "table"
    house.coin_in("T1", 1, 3)
    assert "1, 3" in house.refused(lambda: house.name("T1", 2, "flush")).sentence
    house.end("T1")
    house.coin_in("T1", 2)
    house.refused(lambda: house.name("T1", 1, "flush"))
    house.name("T1", 2, "flush")


@pytest.mark.clause("PR-14")
@pytest.mark.parametrize("console", CONSOLES)
def test_a_spot_wins_once_a_round(open_house: Opener, console: Console) -> None:
    house = open_house(console=console)
    house.coin_in("T1", 1)
    house.win("T1", 1, "flush")
    assert "once a round" in house.refused(lambda: house.name("T1", 1, "flush")).sentence
    assert "once a round" in house.refused(lambda: house.name("T1", 1, "royal_flush")).sentence
    house.end("T1")
    house.coin_in("T1", 1)
    house.name("T1", 1, "flush")


@pytest.mark.clause("PR-14", "PR-23")
def test_a_spot_whose_win_was_undone_can_win_in_that_round(house: House) -> None:
    house.coin_in("T1", 1)
    win = house.win("T1", 1, "royal_flush")
    house.undo(win)
    house.win("T1", 1, "flush")
    assert house.meter() == 10_000_70 - 50_00


# ----------------------------------------------------------------------------------------------------------- confirming


@pytest.mark.clause("PR-15")
@pytest.mark.parametrize("console", CONSOLES)
def test_a_named_win_is_only_a_claim_until_it_is_confirmed(open_house: Opener, console: Console) -> None:
    house = open_house(console=console)
    house.coin_in("T1", 1)
    stood = house.balances()
    house.name("T1", 1, "royal_flush")
    assert house.balances() == stood
    assert house.round().wins == ()
    house.record("T1", 1)
    assert house.balances() != stood


@pytest.mark.clause("PR-15")
def test_a_dealer_confirms_nothing(open_house: Opener) -> None:
    house = open_house(tables=2, console={"T1": "touch", "T2": "keypad"})
    house.coin_in("T1", 1)
    house.name("T1", 1, "flush")
    assert house.not_allowed(lambda: house.confirm("T1", 1, by="d2")) == "role"
    house.coin_in("T2", 1)
    house.name("T2", 1, "flush")
    assert house.not_allowed(lambda: house.j_pot("T2", 1, by="d2")) == "role"


@pytest.mark.clause("PR-15")
@pytest.mark.parametrize("role", ["m2", "a1", "t1"])
def test_nor_does_anyone_who_is_no_supervisor(house: House, role: str) -> None:
    house.coin_in("T1", 1)
    house.name("T1", 1, "flush")
    assert house.not_allowed(lambda: house.confirm("T1", 1, by=role)) == "role"


@pytest.mark.clause("PR-15")
@pytest.mark.parametrize("console", CONSOLES)
def test_who_named_a_win_cannot_confirm_it(open_house: Opener, console: Console) -> None:
    house = open_house(console=console)
    house.coin_in("T1", 1)
    house.name("T1", 1, "flush", by="s1")
    press = house.confirm if console == "touch" else house.j_pot
    assert house.not_allowed(lambda: press("T1", 1, by="s1")) == "own claim"
    assert house.events(AuthorityRefused)[-1].rule == "own claim"
    press("T1", 1, by="s2")
    if console == "keypad":
        assert house.not_allowed(lambda: house.run("T1", by="s1")) == "own claim"
        house.run("T1", by="s2")
    assert house.round().wins[0].paid


@pytest.mark.clause("PR-15")
def test_who_took_a_claim_over_by_naming_it_again_cannot_confirm_it_either(house: House) -> None:
    house.coin_in("T1", 1)
    house.name("T1", 1, "flush", by="d1")
    house.name("T1", 1, "flush", by="s1")
    house.name("T1", 1, "flush", by="s1")
    assert house.not_allowed(lambda: house.confirm("T1", 1, by="s1")) == "own claim"


@pytest.mark.clause("PR-15")
@pytest.mark.parametrize(("least", "supervisor_may"), [(100_00, False), (100_01, True)])
def test_from_a_configured_amount_up_a_touch_console_asks_for_an_executive_card(
    open_house: Opener, least: int, supervisor_may: bool
) -> None:
    house = open_house(executive_from_cents=least)
    house.coin_in("T1", 1)
    house.name("T1", 1, "full_house")
    assert house.view().claims[0].executive is not supervisor_may
    if supervisor_may:
        house.confirm("T1", 1, by="s1")
    else:
        assert house.not_allowed(lambda: house.confirm("T1", 1, by="s1")) == "executive"
        house.confirm("T1", 1, by="e1")
    assert house.round().wins[0].cents == 100_00


@pytest.mark.clause("PR-15")
def test_the_keypad_takes_an_executives_card_from_the_same_amount_up(open_house: Opener) -> None:
    house = open_house(console="keypad", executive_from_cents=10_000_70)
    house.coin_in("T1", 1)
    house.name("T1", 1, "royal_flush")
    assert house.not_allowed(lambda: house.j_pot("T1", 1, by="s1")) == "executive"
    house.j_pot("T1", 1, by="e1")
    house.run("T1", by="s1")
    assert house.round().wins[0].cents == 10_000_70
    below = open_house(console="keypad", executive_from_cents=10_000_71)
    below.coin_in("T1", 1)
    below.name("T1", 1, "royal_flush")
    below.j_pot("T1", 1, by="s1")


@pytest.mark.clause("PR-15", "PR-16")
def test_each_console_records_a_win_in_its_own_way_only(open_house: Opener) -> None:
    house = open_house(tables=2, console={"T1": "touch", "T2": "keypad"})
    for table in ("T1", "T2"):
        house.coin_in(table, 1)
        house.name(table, 1, "flush")
    assert "CONFIRM" in house.refused(lambda: house.j_pot("T1", 1)).sentence
    assert "CONFIRM" in house.refused(lambda: house.run("T1")).sentence
    assert "J-POT" in house.refused(lambda: house.confirm("T2", 1)).sentence


@pytest.mark.clause("PR-16")
def test_touch_logs_the_win_and_takes_it_off_the_meter_in_one_step(open_house: Opener) -> None:
    house = open_house(reserve="5%")
    house.coin_in("T1", 1, 2)
    house.name("T1", 2, "royal_flush")
    entry = house.confirm("T1", 2)
    logged, paid = only(entry, WinLogged), only(entry, WinPaid)
    assert logged.win == paid.win == entry.seq
    assert logged.due.cents == 10_001_40
    assert (paid.before, paid.after) == (micros(10_001_40), micros(10_000_10))
    assert (paid.seed, paid.from_reserve, paid.reseeded) == (micros(10_000_00), micros(10), True)
    assert (house.meter(), house.reserve()) == (10_000_10, 0)


@pytest.mark.clause("PR-16")
def test_it_happens_whole_or_not_at_all(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The power goes after everything was handed to the database and before it was durable: nothing happened."""
    house.coin_in("T1", 1)
    house.name("T1", 1, "royal_flush")
    before, balances = house.state, house.balances()

    def gone() -> None:
        raise OSError("no power")

    monkeypatch.setattr(house.store, "commit", gone)
    with pytest.raises(OSError, match="no power"):
        house.confirm("T1", 1)
    house.power_cut()
    assert house.state == before
    assert house.balances() == balances
    house.confirm("T1", 1)
    assert house.meter() == 10_000_00
    assert len(house.events(WinLogged)) == len(house.events(WinPaid)) == 1


@pytest.mark.clause("PR-16")
def test_keypad_j_pot_fixes_the_amount_and_run_adjusts_the_meter(open_house: Opener) -> None:
    house = open_house(console="keypad", tables=2)
    house.coin_in("T1", 1, 2)
    house.name("T1", 2, "royal_flush")
    assert house.refused(lambda: house.run("T1")).field == "table"
    logged = house.j_pot("T1", 2)
    assert only(logged, WinLogged).due.cents == 10_001_40
    assert house.meter() == 10_001_40
    assert not house.round().wins[0].paid
    house.coin_in("T2", 1)
    paid = only(house.run("T1"), WinPaid)
    assert paid.win == logged.seq
    assert paid.from_meter == micros(10_001_40)
    assert house.meter() == 10_000_70
    assert house.round().wins[0].paid


@pytest.mark.clause("PR-16", "PR-38")
def test_a_crash_between_j_pot_and_run_resumes_there(open_house: Opener) -> None:
    house = open_house(console="keypad")
    house.coin_in("T1", 1, 2)
    house.name("T1", 2, "royal_flush")
    house.j_pot("T1", 2)
    stood = house.state
    house.power_cut()
    assert house.state == stood
    assert house.view().claims[0].at_j_pot
    assert [press.command for press in house.view().presses if press.command in ("run", "j_pot")] == ["run"]
    house.run("T1")
    assert house.meter() == 10_000_00
    house.end("T1")


@pytest.mark.clause("PR-16")
def test_between_j_pot_and_run_the_claim_is_neither_dropped_nor_named_otherwise(open_house: Opener) -> None:
    house = open_house(console="keypad")
    house.coin_in("T1", 1, 2)
    house.name("T1", 1, "flush")
    house.name("T1", 2, "flush")
    house.j_pot("T1", 2)
    for press in (
        lambda: house.name("T1", 2, "flush"),
        lambda: house.drop("T1", 2),
        lambda: house.j_pot("T1", 2),
        lambda: house.j_pot("T1", 1),
        lambda: house.end("T1"),
        lambda: house.void("T1"),
        lambda: house.undo(house.round().wins[0].number),
    ):
        house.refused(press)
    house.run("T1")
    house.j_pot("T1", 1)


@pytest.mark.clause("PR-16")
def test_an_award_from_the_tray_is_not_undone_between_j_pot_and_run_either(open_house: Opener) -> None:
    house = open_house(table="CSTUD-14", console="keypad")
    house.coin_in("T1", 1)
    house.name("T1", 1, "flush")
    win = house.j_pot("T1", 1).seq
    assert "turn the key back to RUN" in house.refused(lambda: house.undo(win)).sentence
    house.run("T1")
    house.undo(win)


@pytest.mark.clause("PR-16")
def test_nothing_else_draws_on_that_meter_between_j_pot_and_run(open_house: Opener) -> None:
    """Not even a table whose round came first on the meter, since it won there before."""
    house = open_house(tables=3, console={"T1": "touch", "T2": "keypad", "T3": "touch"})
    house.coin_in("T1", 1, 2, 3)
    house.coin_in("T3", 1, 2)
    house.win("T1", 3, "straight_flush")
    house.coin_in("T2", 1)
    house.name("T2", 1, "royal_flush")
    house.j_pot("T2", 1)
    fixed = house.due("T2", 1)
    house.name("T1", 2, "royal_flush")
    assert house.due("T1", 2) == 10_000_00
    for draw in (
        lambda: house.confirm("T1", 2),
        lambda: house.void("T3"),
        lambda: house.correct("T3", 1, wagered=False),
        lambda: house.adjust(-1),
    ):
        house.refused(draw)
    assert house.due("T2", 1) == fixed
    house.run("T2")
    house.confirm("T1", 2)
    house.void("T3")
    assert [win.from_meter for win in house.events(WinPaid)][1:] == [micros(fixed), micros(10_000_00)]


@pytest.mark.clause("PR-16")
def test_another_meter_of_the_link_is_not_held_up(open_house: Opener) -> None:
    house = open_house(table="ML03", console="keypad", tables=2, contribution="10%")
    for table in ("T1", "T2"):
        house.coin_in(table, 1)
    house.name("T1", 1, "royal_flush")
    house.j_pot("T1", 1)
    house.name("T2", 1, "straight_flush")
    house.j_pot("T2", 1)
    house.run("T2")
    assert (house.meter("mega"), house.meter("major")) == (10_000_20, 10_000_00)


# ---------------------------------------------------------------------------------------------------------- award order


@pytest.mark.clause("PR-17")
@pytest.mark.parametrize(
    ("order", "first_to_last"),
    [
        ("right_to_left", (6, 4, 1)),
        ("left_to_right", (1, 4, 6)),
        ([4, 6, 1, 2, 3, 5], (4, 6, 1)),
    ],
)
def test_meter_wins_of_a_round_are_confirmed_in_the_houses_order(
    open_house: Opener, order: object, first_to_last: tuple[int, ...]
) -> None:
    house = open_house(options={"award_order": order}, reserve="10%")
    house.coin_in("T1", 1, 4, 6)
    for spot in (4, 1, 6):
        house.name("T1", spot, "royal_flush")
    first, second, third = first_to_last
    # The reserve of 30 cents goes to the first reseed; the third winner gets the bare seed.
    amounts = {first: 10_002_10, second: 10_000_30, third: 10_000_00}
    assert house.due_at("T1") == amounts
    assert f"spot {first}" in house.refused(lambda: house.confirm("T1", second)).sentence
    assert f"spot {first}" in house.refused(lambda: house.confirm("T1", third)).sentence
    for spot in first_to_last:
        house.confirm("T1", spot)
    assert [(win.spot, win.cents) for win in house.round().wins] == [(spot, amounts[spot]) for spot in first_to_last]


@pytest.mark.clause("PR-17")
def test_the_order_holds_for_percentages_and_fixed_awards_of_the_meter_too(house: House) -> None:
    house.coin_in("T1", 1, 2, 3)
    house.name("T1", 1, "straight_flush")
    house.name("T1", 2, "royal_flush")
    house.name("T1", 3, "flush")
    assert house.due_at("T1") == {3: 50_00, 2: 9_952_10, 1: 1_000_00}
    house.refused(lambda: house.confirm("T1", 1))
    house.refused(lambda: house.confirm("T1", 2))
    for spot in (3, 2, 1):
        house.confirm("T1", spot)
    assert house.meter() == 9_000_00


@pytest.mark.clause("PR-17")
def test_awards_from_the_tray_wait_for_nobody(open_house: Opener) -> None:
    house = open_house(table="CSTUD-14")
    house.coin_in("T1", 1, 6)
    house.name("T1", 6, "royal_flush")
    house.name("T1", 1, "flush")
    house.confirm("T1", 1)
    assert house.meter() == 10_001_40


# ----------------------------------------------------------------------------------------------------------------- envy


def envy(house: House) -> list[tuple[int, int, int]]:
    """Who was paid, because of whom, how much."""
    return [(paid.spot, paid.winner, paid.cents) for paid in house.events(EnvyPaid)]


@pytest.mark.clause("PR-18")
@pytest.mark.parametrize("console", CONSOLES)
def test_envy_is_paid_at_the_end_of_the_round_to_every_other_spot_with_a_wager(
    open_house: Opener, console: Console
) -> None:
    house = open_house(table="CSTUD-15", console=console, tables=2)
    house.coin_in("T1", 1, 3, 6)
    house.coin_in("T2", 2)
    house.win("T1", 3, "straight_flush")
    assert envy(house) == []
    house.end("T1")
    assert envy(house) == [(6, 3, 300_00), (1, 3, 300_00)]
    assert house.players_micros("T2") == micros(-1_00)
    assert house.moved("envy") == {"house/L1": micros(-600_00), "players/T1": micros(600_00)}


@pytest.mark.clause("PR-18")
def test_envy_is_paid_once_per_qualifying_winner_and_winners_envy_each_other(open_house: Opener) -> None:
    house = open_house(table="CSTUD-15")
    house.coin_in("T1", 1, 2, 3)
    house.name("T1", 3, "royal_flush")
    house.name("T1", 2, "straight_flush")
    house.confirm("T1", 3)
    house.confirm("T1", 2)
    house.end("T1")
    assert sorted(envy(house)) == [(1, 2, 300_00), (1, 3, 1_000_00), (2, 3, 1_000_00), (3, 2, 300_00)]


@pytest.mark.clause("PR-18")
def test_a_spot_without_the_wager_neither_gets_nor_causes_envy(open_house: Opener) -> None:
    house = open_house(table="CSTUD-15")
    house.coin_in("T1", 1, 2)
    house.see("T1", 5, "royal_flush")
    house.end("T1")
    assert envy(house) == []


@pytest.mark.clause("PR-18")
def test_where_the_house_says_so_a_hand_without_the_wager_causes_envy(open_house: Opener) -> None:
    house = open_house(table="CSTUD-15", options={"envy_needs_wager": False})
    house.coin_in("T1", 1, 2)
    house.see("T1", 5, "royal_flush")
    house.end("T1")
    assert sorted(envy(house)) == [(1, 5, 1_000_00), (2, 5, 1_000_00)]


@pytest.mark.clause("PR-18")
def test_whether_a_second_spot_envies_the_first_is_the_games_rule(open_house: Opener) -> None:
    stud = open_house(table="CSTUD-15")
    poker = open_house(table="1", game="three-card-poker")
    for house, hand in ((stud, "royal_flush"), (poker, "akq_spades")):
        house.coin_in("T1", 1, 2, 3)
        house.same_player("T1", 2, 3)
        house.win("T1", 3, hand)
        house.end("T1")
    assert envy(stud) == [(1, 3, 1_000_00)]
    assert envy(poker) == [(2, 3, 100_00), (1, 3, 100_00)]


@pytest.mark.clause("PR-18", "PR-8")
def test_envy_scales_with_the_links_wager(open_house: Opener) -> None:
    house = open_house(table="01", wager=500)
    house.coin_in("T1", 1, 2)
    house.win("T1", 2, "straight_flush")
    house.end("T1")
    assert envy(house) == [(1, 2, 1_500_00)]


@pytest.mark.clause("PR-A2")
@pytest.mark.parametrize(("option", "paid"), [(True, 500_00), (False, 100_00)])
def test_whether_envy_grows_with_the_wager_is_the_houses_option(open_house: Opener, option: bool, paid: int) -> None:
    house = open_house(table="TWBB-1", wager=500, options={"envy_scales": option})
    house.coin_in("T1", 1, 2)
    house.win("T1", 2, "7")
    assert [logged.envy_cents for logged in house.events(WinLogged)] == [paid]
    house.end("T1")
    assert envy(house) == [(1, 2, paid)]


@pytest.mark.clause("PR-A1")
@pytest.mark.parametrize(("option", "paid"), [(True, [(1, 2, 300_00)]), (False, [])])
def test_whether_a_folded_spot_wins_envy_is_the_houses_option(
    open_house: Opener, option: bool, paid: list[tuple[int, int, int]]
) -> None:
    house = open_house(table="CSTUD-15", options={"folded_wins_envy": option})
    house.coin_in("T1", 1, 2)
    house.fold("T1", 1)
    house.win("T1", 2, "straight_flush")
    house.end("T1")
    assert envy(house) == paid


# --------------------------------------------------------------------------------------------------- the end of a round


@pytest.mark.clause("PR-19")
@pytest.mark.parametrize("console", CONSOLES)
def test_the_round_closes_only_when_no_claim_is_open_then_the_table_is_reset(
    open_house: Opener, console: Console
) -> None:
    house = open_house(console=console)
    house.coin_in("T1", 1, 2)
    house.fold("T1", 2)
    house.name("T1", 1, "flush")
    refusal = house.refused(lambda: house.end("T1"))
    assert WORDS[console].close in refusal.sentence
    assert "spot 1" in refusal.sentence
    house.record("T1", 1)
    house.end("T1")
    assert house.round() == Round(number=2)
    assert house.refused(lambda: house.end("T1")).field == "table"


@pytest.mark.clause("PR-19")
def test_a_dropped_claim_holds_nothing_up(house: House) -> None:
    house.coin_in("T1", 1)
    house.name("T1", 1, "flush")
    assert house.not_allowed(lambda: house.drop("T1", 1, by="d1")) == "role"
    assert house.refused(lambda: house.drop("T1", 1, reason=" ")).field == "reason"
    house.drop("T1", 1)
    house.end("T1")
    assert house.meter() == 10_000_70


@pytest.mark.clause("PR-19")
def test_a_claim_at_another_table_holds_nothing_up(open_house: Opener) -> None:
    house = open_house(tables=2)
    house.coin_in("T1", 1)
    house.coin_in("T2", 1)
    house.name("T2", 1, "royal_flush")
    house.end("T1")
    assert house.round("T1").number == 2


# --------------------------------------------------------------------------------------------------------- a void round


@pytest.mark.clause("PR-20")
def test_a_void_gives_every_wager_back_and_takes_its_contributions_off_again(open_house: Opener) -> None:
    house = open_house(reserve="5%")
    before = house.balances()
    house.coin_in("T1", 1, 2, 3)
    entry = house.void("T1")
    voided = only(entry, RoundVoided)
    assert (voided.spots, voided.returned) == ((1, 2, 3), micros(3_00))
    assert house.moved("void") == {
        "players/T1": micros(3_00),
        "meter/L1/main": micros(-2_10),
        "reserve/L1/main": micros(-15),
        "house/L1": micros(-75),
    }
    assert {account: held for account, held in house.balances().items() if held} == before
    assert house.round().number == 2


@pytest.mark.clause("PR-20")
def test_a_void_leaves_the_coin_in_where_it_was_as_an_entry_of_its_own(house: House) -> None:
    booked = house.coin_in("T1", 1)
    voided = house.void("T1", cause="a hand with six cards")
    assert [entry.seq for entry in house.entries()][-2:] == [booked.seq, voided.seq]
    assert (voided.by, only(voided, RoundVoided).cause) == ("s1", "a hand with six cards")


@pytest.mark.clause("PR-20")
def test_a_void_needs_a_cause_and_a_supervisor(house: House) -> None:
    house.coin_in("T1", 1)
    assert house.refused(lambda: house.void("T1", cause=" ")).field == "cause"
    assert house.refused(lambda: house.void("T9")).field == "table"
    house.end("T1")
    assert house.refused(lambda: house.void("T1")).field == "table"


@pytest.mark.clause("PR-20")
def test_a_void_never_brings_the_meter_below_its_seed(open_house: Opener) -> None:
    """The contributions were won at another table meanwhile: the house gives the wagers back alone."""
    house = open_house(tables=2, reserve="5%")
    house.coin_in("T1", 1, 2, 3, 4)
    house.coin_in("T2", 1)
    house.win("T2", 1, "royal_flush")
    house.end("T2")
    assert house.meter() == 10_000_25
    voided = only(house.void("T1"), RoundVoided)
    # 2.80 are wanted back; 25 cents of reserve lie above the seed, and 20 cents of reserve are wanted and gone.
    assert voided.meters == {"main": micros(25)}
    assert voided.reserves == {"main": 0}
    assert voided.short == micros(2_80 - 25 + 20)
    assert house.meter() == 10_000_00
    assert house.players_micros("T1") == 0


@pytest.mark.clause("PR-20", "PR-32")
def test_a_void_takes_nothing_that_another_table_has_been_promised(open_house: Opener) -> None:
    """Neither off the meter, nor out of the reserve, from which the second winner is paid."""
    house = open_house(tables=2, reserve="5%")
    house.coin_in("T2", 1, 2, 3, 4, 5, 6)
    house.coin_in("T1", 1, 2)
    house.name("T1", 1, "royal_flush")
    house.name("T1", 2, "royal_flush")
    promised = house.due_at("T1")
    assert promised == {2: 10_005_60, 1: 10_000_40}
    house.void("T2")
    assert house.due_at("T1") == promised
    house.confirm("T1", 2)
    house.confirm("T1", 1)
    assert [win.cents for win in house.round().wins] == [10_005_60, 10_000_40]


@pytest.mark.clause("PR-20")
def test_a_round_with_a_confirmed_win_is_not_voided_until_that_win_is_adjusted(house: House) -> None:
    house.coin_in("T1", 1, 2)
    win = house.win("T1", 1, "flush")
    assert f"win {win}" in house.refused(lambda: house.void("T1")).sentence
    house.undo(win)
    house.void("T1")
    assert house.meter() == 10_000_00
    assert house.players_micros() == 0


@pytest.mark.clause("PR-20")
def test_a_void_drops_the_rounds_open_claims_and_no_others(open_house: Opener) -> None:
    house = open_house(tables=2)
    for table in ("T1", "T2"):
        house.coin_in(table, 1)
        house.name(table, 1, "royal_flush")
    entry = house.void("T1")
    assert only(entry, ClaimDropped).spot == 1
    assert house.claim("T1", 1) is None
    assert house.due("T2", 1) == 10_001_40
    house.confirm("T2", 1)


@pytest.mark.clause("PR-20", "PR-11")
def test_chips_that_waited_are_for_the_round_after_the_void(house: House) -> None:
    house.coin_in("T1", 1)
    house.light("T1", 2)
    house.void("T1")
    assert house.round().lit == (2,)


# ------------------------------------------------------------------------------------- calls, face up, folds, the count


@pytest.mark.clause("PR-29")
def test_naming_a_win_calls_a_supervisor_and_call_and_arrival_are_timed(house: House) -> None:
    house.coin_in("T1", 1, 2)
    assert house.refused(lambda: house.arrive("T1")).field == "table"
    house.name("T1", 1, "flush")
    called = house.clock()
    house.clock.later(90)
    assert house.view().called_at == called
    assert only(house.arrive("T1"), SupervisorArrived).waited == 90_000_000
    assert house.view().arrived_at == called + 90_000_000
    house.clock.later(30)
    assert only(house.confirm("T1", 1), WinLogged).waited == 120_000_000


@pytest.mark.clause("PR-29")
def test_a_name_that_is_taken_back_ends_its_call_and_the_next_one_starts_its_own(house: House) -> None:
    house.coin_in("T1", 1, 2)
    house.name("T1", 1, "flush")
    house.clock.later(300)
    house.name("T1", 1, "flush")
    assert (house.view().called_at, house.view().arrived_at) == (0, 0)
    assert house.refused(lambda: house.arrive("T1")).field == "table", "nobody is called any more"
    house.name("T1", 1, "straight_flush")
    house.clock.later(50)
    house.name("T1", 2, "flush")
    assert house.view().called_at == house.clock() - 50_000_000
    house.name("T1", 1, "straight_flush")
    house.clock.later(20)
    assert only(house.arrive("T1"), SupervisorArrived).waited == 20_000_000, "from the name that is left"
    assert only(house.confirm("T1", 2), WinLogged).waited == 20_000_000, "never before the arrival"


@pytest.mark.clause("PR-29")
def test_a_win_named_later_calls_again(house: House) -> None:
    house.coin_in("T1", 1, 2)
    house.win("T1", 1, "flush")
    house.clock.later(600)
    house.name("T1", 2, "flush")
    house.clock.later(40)
    assert only(house.arrive("T1"), SupervisorArrived).waited == 40_000_000
    house.clock.later(20)
    assert only(house.confirm("T1", 2), WinLogged).waited == 60_000_000


@pytest.mark.clause("PR-29")
def test_a_supervisor_who_confirms_has_arrived(open_house: Opener) -> None:
    house = open_house(console="keypad")
    house.coin_in("T1", 1)
    house.name("T1", 1, "flush")
    house.clock.later(75)
    house.j_pot("T1", 1)
    assert house.round().arrived_at - house.round().called_at == 75_000_000
    assert house.arrive("T1").events == ()


@pytest.mark.clause("PR-30")
@pytest.mark.parametrize("console", CONSOLES)
def test_a_hand_that_causes_envy_stays_face_up_until_envy_is_paid(open_house: Opener, console: Console) -> None:
    house = open_house(table="CSTUD-15", console=console)
    house.coin_in("T1", 1, 2, 3)
    house.name("T1", 2, "straight_flush")
    assert house.view().face_up == (2,)
    house.record("T1", 2)
    house.win("T1", 3, "flush")
    assert house.view().face_up == (2,)
    assert {(one.spot, one.cents) for one in house.view().envy} == {(1, 300_00), (3, 300_00)}
    house.end("T1")
    assert house.view().face_up == ()


@pytest.mark.clause("PR-30")
def test_a_hand_that_nobody_can_envy_is_locked_up_like_the_others(open_house: Opener) -> None:
    alone = open_house(table="CSTUD-15")
    alone.coin_in("T1", 2)
    alone.win("T1", 2, "royal_flush")
    assert alone.view().face_up == ()
    without = open_house(table="CSTUD-01")
    without.coin_in("T1", 1, 2)
    without.win("T1", 2, "royal_flush")
    assert without.view().face_up == ()


@pytest.mark.clause("PR-30", "PR-37")
def test_a_win_that_was_undone_or_dropped_need_not_stay_face_up(open_house: Opener) -> None:
    house = open_house(table="CSTUD-15")
    house.coin_in("T1", 1, 2, 3)
    win = house.win("T1", 3, "royal_flush")
    house.name("T1", 2, "straight_flush")
    assert house.view().face_up == (2, 3)
    house.drop("T1", 2)
    house.undo(win)
    assert house.view().face_up == ()


@pytest.mark.clause("PR-34")
def test_a_fold_after_lock_in_leaves_the_wager_and_its_contribution_in_place(house: House) -> None:
    house.coin_in("T1", 1, 2)
    stood = house.balances()
    house.fold("T1", 1)
    assert house.round().booked == (1, 2)
    assert house.balances() == stood
    assert house.meter() == 10_001_40
    house.end("T1")
    assert house.balances() == stood


@pytest.mark.clause("PR-34")
@pytest.mark.parametrize("qualifies", [True, False])
def test_whether_a_folded_hand_wins_is_the_houses_option(open_house: Opener, qualifies: bool) -> None:
    house = open_house(options={"folded_qualifies": qualifies})
    house.coin_in("T1", 1)
    house.fold("T1", 1)
    if qualifies:
        house.win("T1", 1, "flush")
        assert house.meter() == 10_000_70 - 50_00
    else:
        assert "folded" in house.refused(lambda: house.name("T1", 1, "flush")).sentence


@pytest.mark.clause("PR-34")
def test_a_spot_with_a_claim_or_a_win_does_not_fold(house: House) -> None:
    house.coin_in("T1", 1)
    house.name("T1", 1, "flush")
    assert house.refused(lambda: house.fold("T1", 1)).field == "spot"
    house.confirm("T1", 1)
    assert house.refused(lambda: house.fold("T1", 1)).field == "spot"


@pytest.mark.clause("PR-35")
def test_before_the_first_card_a_supervisor_may_correct_the_count_and_it_is_logged(open_house: Opener) -> None:
    house = open_house(reserve="5%")
    house.coin_in("T1", 1, 2)
    entry = house.correct("T1", 5, wagered=True, reason="chip between sensors")
    corrected = only(entry, CountCorrected)
    assert (entry.by, corrected.spot, corrected.reason) == ("s1", 5, "chip between sensors")
    assert (house.round().booked, house.meter(), house.reserve()) == ((1, 2, 5), 10_002_10, micros(15))
    house.correct("T1", 1, wagered=False)
    assert (house.round().booked, house.meter(), house.reserve()) == ((2, 5), 10_001_40, micros(10))
    assert house.players_micros() == micros(-2_00)
    house.name("T1", 5, "flush")
    assert house.refused(lambda: house.name("T1", 1, "flush")).field == "spot"


@pytest.mark.clause("PR-35")
def test_the_count_is_not_corrected_by_a_dealer_nor_without_a_reason_nor_to_what_it_is(house: House) -> None:
    house.coin_in("T1", 1)
    assert house.not_allowed(lambda: house.correct("T1", 2, wagered=True, by="d1")) == "role"
    assert house.refused(lambda: house.correct("T1", 2, wagered=True, reason="")).field == "reason"
    assert house.refused(lambda: house.correct("T1", 1, wagered=True)).field == "spot"
    assert house.refused(lambda: house.correct("T1", 2, wagered=False)).field == "spot"


@pytest.mark.clause("PR-35")
@pytest.mark.parametrize("shows", ["deal", "fold", "see", "name"])
def test_after_the_first_card_the_count_stands(house: House, shows: str) -> None:
    """A chip that was not counted goes back without action. Whatever shows that cards are out ends the correcting."""
    house.coin_in("T1", 1)
    if shows == "deal":
        house.deal("T1")
    elif shows == "fold":
        house.fold("T1", 1)
    elif shows == "see":
        house.see("T1", 1, "")
    else:
        house.name("T1", 1, "flush")
    refusal = house.refused(lambda: house.correct("T1", 2, wagered=True))
    assert "goes back" in refusal.sentence
    house.refused(lambda: house.correct("T1", 1, wagered=False))
    assert house.meter() == 10_000_70


@pytest.mark.clause("PR-35", "PR-11")
def test_a_late_chip_that_is_counted_in_does_not_wait_for_the_next_round_as_well(house: House) -> None:
    house.coin_in("T1", 1)
    house.light("T1", 2)
    house.correct("T1", 2, wagered=True)
    house.end("T1")
    assert house.round().lit == ()


@pytest.mark.clause("PR-35", "PR-20")
def test_a_correction_brings_no_meter_below_its_seed(open_house: Opener) -> None:
    house = open_house(tables=2)
    house.coin_in("T1", 1, 2)
    house.coin_in("T2", 1)
    house.win("T2", 1, "royal_flush")
    house.end("T2")
    house.correct("T1", 1, wagered=False)
    assert house.meter() == 10_000_00
    assert house.players_micros("T1") == micros(-1_00)


@pytest.mark.clause("PR-35", "PR-3")
def test_a_correction_goes_by_the_terms_of_its_round(house: House) -> None:
    house.coin_in("T1", 1)
    house.reconfigure(contribution_bp=10_00)
    house.correct("T1", 2, wagered=True)
    assert house.meter() == 10_001_40
