"""The Game Manager's money, clause by clause: PR-1 … PR-8 live, PR-23, PR-26, PR-32, PR-36, PR-37 and PR-38.

Unless a test says otherwise it is a $1 wager on CSTUD-01, of which 70 cents go to the meter, and a seed of $10,000.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from tests.manager.floor_kit import House, Opener, micros, only, opened

from houseway.books.view import floor_view
from houseway.manager.commands import Acknowledge, OpenMeter, SeedMeter, Transfer
from houseway.manager.config import FloorConfig
from houseway.manager.events import FloorConfigured, LateWinPaid, MeterTransferred, WinUndone
from houseway.table.config import Console
from houseway.table.progressive_round.events import EnvyPaid, LockedIn, WinLogged, WinPaid

CONSOLES: tuple[Console, ...] = ("touch", "keypad")


@pytest.fixture
def open_house(tmp_path: Path) -> Iterator[Opener]:
    yield from opened(tmp_path)


@pytest.fixture
def house(open_house: Opener) -> House:
    return open_house()


# ----------------------------------------------------------------------------------------------------- links and meters


@pytest.mark.clause("PR-1")
def test_a_link_joins_several_tables_on_one_meter(open_house: Opener) -> None:
    house = open_house(tables=3, second_link=True)
    for number in (1, 2, 3):
        house.coin_in(f"T{number}", *range(1, number + 1))
    house.coin_in("X1", 1)
    assert house.meter() == 10_004_20
    assert house.meter(link="L2") == 10_000_70
    house.win("T2", 2, "royal_flush")
    assert (house.meter(), house.meter(link="L2")) == (10_000_00, 10_000_70)


@pytest.mark.clause("PR-1")
def test_a_link_owns_one_or_more_meters_each_with_its_own_part(open_house: Opener) -> None:
    house = open_house(
        table="ML03",
        contribution={"mega": "10%", "major": "20%", "minor": "5%"},
        reserve={"mega": "1%", "major": "2%", "minor": "0%"},
        seed={"mega": 50_000_00, "major": 5_000_00, "minor": 500_00},
    )
    house.coin_in("T1", 1, 2)
    assert {name: house.meter(name) for name in house.link().meters} == {
        "mega": 50_000_20,
        "major": 5_000_40,
        "minor": 500_10,
    }
    assert [house.reserve(name) for name in ("mega", "major", "minor")] == [micros(2), micros(4), 0]


@pytest.mark.clause("PR-1")
def test_a_meter_without_its_first_money_takes_no_wager(open_house: Opener) -> None:
    house = open_house(seeded=False)
    assert "opened" in house.refused(lambda: house.coin_in("T1", 1)).sentence
    house.do("m1", SeedMeter(link="L1", meter="main"))
    house.coin_in("T1", 1)
    assert house.refused(lambda: house.do("m1", SeedMeter(link="L1", meter="main"))).field == "meter"


@pytest.mark.clause("PR-1", "PR-25")
def test_a_running_jackpot_is_taken_over_once_by_two_people_with_its_reading(open_house: Opener) -> None:
    house = open_house(seeded=False)
    taken = OpenMeter(
        link="L1", meter="main", meter_cents=23_456_78, reserve_cents=12_34, reference="reading 2026-03-01"
    )
    assert house.not_allowed(lambda: house.do("m1", taken)) == "second person"
    assert house.not_allowed(lambda: house.do("m1", taken, "m1")) == "second person"
    assert house.refused(lambda: house.do("m1", replace(taken, reference=""), "a1")).field == "reference"
    house.do("m1", taken, "a1")
    assert (house.meter(), house.reserve()) == (23_456_78, micros(12_34))
    assert house.balances()["taken_over/L1"] == micros(-23_456_78 - 12_34)
    assert house.refused(lambda: house.do("m1", taken, "a1")).field == "meter"


@pytest.mark.clause("PR-2")
def test_a_wager_is_split_exactly_and_what_the_meter_shows_is_rounded_down(open_house: Opener) -> None:
    house = open_house(contribution="33.33%", reserve="12.34%", seed=0)
    for _ in range(7):
        house.coin_in("T1", 1)
        house.end("T1")
    assert Fraction(house.micros(), 1_000_000) == 7 * Fraction(3333, 10_000)
    assert Fraction(house.reserve(), 1_000_000) == 7 * Fraction(1234, 10_000)
    assert Fraction(house.house_micros(), 1_000_000) == 7 * Fraction(10_000 - 3333 - 1234, 10_000)
    assert house.meter() == 2_33  # of $2.3331
    assert sum(house.balances().values()) == 0


@pytest.mark.clause("PR-2", "PR-4")
def test_the_part_of_a_cent_that_an_award_leaves_stays_on_the_meter(open_house: Opener) -> None:
    house = open_house(contribution="33.33%")
    house.coin_in("T1", 1)
    house.win("T1", 1, "royal_flush")
    assert house.events(WinPaid)[0].from_meter == micros(10_000_33)
    assert house.micros() == micros(10_000_00) + 3_300


@pytest.mark.clause("PR-2")
def test_all_of_a_wager_may_go_to_the_meter_and_its_reserve(open_house: Opener) -> None:
    house = open_house(contribution="90%", reserve="10%", seed=0)
    house.coin_in("T1", 1, 2)
    assert (house.micros(), house.reserve(), house.house_micros()) == (micros(1_80), micros(20), 0)


# -------------------------------------------------------------------------------------------------- changed terms, PR-3


@pytest.mark.clause("PR-3")
def test_a_change_of_rates_or_seed_is_authorised_dated_and_logged(house: House) -> None:
    for staff in ("d1", "s1", "e1", "a1", "t1"):
        wanted = house.with_meters(contribution_bp=80_00)
        assert house.not_allowed(lambda staff=staff, wanted=wanted: house.reconfigure(wanted, by=staff)) == "role"  # type: ignore[misc]
    house.clock.later(3600)
    entry = house.reconfigure(contribution_bp=80_00, reserve_bp=5_00, seed_cents=12_000_00)
    logged = only(entry, FloorConfigured)
    assert (entry.by, entry.at) == ("m1", house.clock())
    assert logged.reason == "approved 2026-02-01"
    assert list(logged.changes) == [
        "link L1 terms meters main contribution_bp: 7000 became 8000",
        "link L1 terms meters main reserve_bp: 0 became 500",
        "link L1 terms meters main seed_cents: 1000000 became 1200000",
    ]


@pytest.mark.clause("PR-3")
def test_a_change_takes_effect_between_rounds_and_a_round_keeps_its_terms(open_house: Opener) -> None:
    house = open_house(tables=2)
    house.coin_in("T1", 1, 2)
    house.reconfigure(contribution_bp=10_00, reserve_bp=5_00, seed_cents=500_00)
    assert house.meter() == 10_001_40
    # T2 begins a round and is under the new terms; T1 still reseeds at what its round was locked in with.
    house.coin_in("T2", 1)
    assert (house.meter(), house.reserve()) == (10_001_50, micros(5))
    house.win("T1", 1, "royal_flush")
    assert house.meter() == 10_000_05
    house.end("T1")
    house.coin_in("T1", 1)
    assert house.meter() == 10_000_15
    house.win("T1", 1, "royal_flush")
    assert house.meter() == 500_05


@pytest.mark.clause("PR-3", "PR-31")
@pytest.mark.parametrize(
    "rates",
    [
        {"contribution_bp": 100_01},
        {"contribution_bp": 90_00, "reserve_bp": 10_01},
        {"contribution_bp": -1},
        {"reserve_bp": -1},
        {"seed_cents": -1},
    ],
)
def test_rates_are_0_to_100_percent_and_together_at_most_100(house: House, rates: dict[str, int]) -> None:
    """Whoever sends the change: the Game Manager itself refuses it, not only the check of the floor file."""
    wanted = house.with_meters(**rates)
    assert house.refused(lambda: house.reconfigure(wanted)).field == "floor"
    house.reconfigure(contribution_bp=90_00, reserve_bp=10_00)
    house.coin_in("T1", 1)
    assert house.house_micros() == micros(-10_000_00)


@pytest.mark.clause("PR-3")
def test_a_changed_seed_moves_no_money_by_itself(house: House) -> None:
    stood = house.balances()
    house.reconfigure(seed_cents=20_000_00)
    assert house.balances() == stood


@pytest.mark.clause("PR-3")
def test_a_round_keeps_its_terms_over_a_restart_and_several_changes(open_house: Opener) -> None:
    house = open_house(tables=2)
    house.coin_in("T1", 1, 2)
    house.reconfigure(seed_cents=300_00)
    house.restart()
    house.reconfigure(seed_cents=200_00)
    house.coin_in("T2", 1)
    house.reconfigure(seed_cents=100_00)
    house.power_cut()
    house.win("T1", 1, "royal_flush")
    assert house.meter() == 10_000_00
    house.win("T2", 1, "royal_flush")
    assert house.meter() == 200_00
    assert house.replayed() == house.state
    house.end("T1")
    house.end("T2")
    assert list(house.link().terms) == [house.link().version]


def two_tables_with(config: FloorConfig, **changes: object) -> FloorConfig:
    first = config.links[0]
    return replace(config, links=(replace(first, terms=replace(first.terms, **changes)),))


@pytest.mark.clause("PR-3", "PR-39")
def test_wager_and_pay_table_change_only_when_every_table_of_the_link_is_between_rounds(open_house: Opener) -> None:
    house = open_house(table="01", tables=2)
    house.coin_in("T2", 1)
    wanted = two_tables_with(house.config, wager_cents=500)
    assert "T2 is in a round" in house.refused(lambda: house.reconfigure(wanted)).sentence
    house.end("T2")
    house.reconfigure(wanted)
    house.coin_in("T1", 1)
    assert house.meter() == 10_000_70 + 3_50


@pytest.mark.clause("PR-3")
def test_a_tables_own_settings_change_between_its_rounds(open_house: Opener) -> None:
    house = open_house(tables=2)
    house.coin_in("T1", 1)
    first, second = house.config.tables
    other = replace(house.config, tables=(replace(first, console="keypad"), second))
    assert "T1 is in a round" in house.refused(lambda: house.reconfigure(other)).sentence
    gone = replace(house.config, tables=(second,), links=(replace(house.config.links[0], tables=("T2",)),))
    assert "T1 is in a round" in house.refused(lambda: house.reconfigure(gone)).sentence
    house.end("T1")
    house.reconfigure(other)
    assert house.view("T1").words.lock_in == "COIN IN"


@pytest.mark.clause("PR-3", "PR-36")
def test_a_table_that_comes_back_to_the_floor_goes_on_counting_its_rounds(open_house: Opener) -> None:
    """A round is found again by its number: no two rounds of a table share one."""
    house = open_house(tables=2)
    house.coin_in("T2", 1)
    house.end("T2")
    whole = house.config
    house.reconfigure(replace(whole, tables=whole.tables[:1], links=(replace(whole.links[0], tables=("T1",)),)))
    house.reconfigure(whole)
    assert house.round("T2").number == 2


@pytest.mark.clause("PR-3", "PR-26")
def test_a_meter_that_holds_money_is_not_configured_away(open_house: Opener) -> None:
    house = open_house(second_link=True)
    without = replace(house.config, tables=house.config.tables[:1], links=house.config.links[:1])
    assert "holds money" in house.refused(lambda: house.reconfigure(without)).sentence


# -------------------------------------------------------------------------------------------------- awards, PR-4 … PR-8


@pytest.mark.clause("PR-4")
@pytest.mark.parametrize("console", CONSOLES)
def test_all_of_the_meter_is_paid_and_it_restarts_at_seed_and_reserve(open_house: Opener, console: Console) -> None:
    house = open_house(console=console, reserve="10%")
    for _ in range(3):
        house.coin_in("T1", 1, 2)
        house.end("T1")
    house.coin_in("T1", 1)
    assert (house.meter(), house.reserve()) == (10_004_90, micros(70))
    win = house.win("T1", 1, "royal_flush")
    assert house.round().wins[0].cents == 10_004_90
    assert (house.meter(), house.reserve()) == (10_000_70, 0)
    assert house.moved("seed") == {"house/L1": micros(-20_000_00), "meter/L1/main": micros(20_000_00)}
    assert house.moved("reseed from reserve") == {"reserve/L1/main": micros(-70), "meter/L1/main": micros(70)}
    assert max(house.link().meters["main"].reseeds.values()) >= win


@pytest.mark.clause("PR-4")
def test_only_the_meter_that_was_won_is_reseeded(open_house: Opener) -> None:
    house = open_house(table="ML03", contribution="10%", reserve="1%")
    house.coin_in("T1", 1, 2)
    house.win("T1", 2, "straight_flush")
    assert [house.meter(name) for name in ("mega", "major", "minor")] == [10_000_20, 10_000_02, 10_000_20]
    assert [house.reserve(name) for name in ("mega", "major", "minor")] == [micros(2), 0, micros(2)]


@pytest.mark.clause("PR-4", "PR-31")
def test_a_meter_without_a_seed_restarts_from_its_reserve_alone(open_house: Opener) -> None:
    house = open_house(seed=0, reserve="10%")
    house.coin_in("T1", 1, 2, 3)
    house.win("T1", 3, "royal_flush")
    assert (house.meter(), house.reserve()) == (30, 0)


@pytest.mark.clause("PR-5")
def test_a_smaller_share_is_rounded_down_to_the_cent_and_taken_off(open_house: Opener) -> None:
    house = open_house(table="CSTUD-06", seed=10_000_19)
    house.coin_in("T1", 1, 2)
    house.name("T1", 1, "four_of_a_kind")
    house.name("T1", 2, "straight_flush")
    # 10 % of 10,001.59 is 1,000.159; then 1 % of 9,001.44 is 90.0144.
    assert house.due_at("T1") == {2: 1_000_15, 1: 90_01}
    house.confirm("T1", 2)
    house.confirm("T1", 1)
    assert house.meter() == 10_001_59 - 1_000_15 - 90_01
    assert house.link().meters["main"].reseeds == {}


@pytest.mark.clause("PR-6")
def test_a_fixed_row_is_paid_from_where_the_pay_table_says(open_house: Opener) -> None:
    house = open_house(table="CSTUD-07")
    house.coin_in("T1", 1, 2)
    house.win("T1", 2, "flush")
    assert house.meter() == 10_001_40 - 50_00
    house.win("T1", 1, "straight")
    assert house.meter() == 10_001_40 - 50_00
    assert house.moved("award from meter")["players/T1"] == micros(50_00)
    assert house.moved("award from tray") == {"house/L1": micros(-25_00), "players/T1": micros(25_00)}


@pytest.mark.clause("PR-6")
@pytest.mark.parametrize(
    ("fixed_from", "mega", "major"),
    [("as_marked", 0, 0), ("tray", 0, 0), ("meter:mega", 50_00, 0), ("meter:major", 0, 50_00)],
)
def test_where_the_pay_table_leaves_it_open_the_link_decides(
    open_house: Opener, fixed_from: str, mega: int, major: int
) -> None:
    house = open_house(table="ML01", contribution="10%", fixed_from=fixed_from)
    house.coin_in("T1", 1)
    house.win("T1", 1, "full_house")
    assert (house.meter("mega"), house.meter("major")) == (10_000_10 - mega, 10_000_10 - major)
    assert house.players_micros() == micros(50_00 - 1_00)


@pytest.mark.clause("PR-7")
@pytest.mark.parametrize("console", CONSOLES)
def test_a_fixed_award_the_meter_cannot_give_is_paid_in_full_and_raised_as_an_alarm(
    open_house: Opener, console: Console
) -> None:
    house = open_house(console=console, seed=400_00)
    house.coin_in("T1", 1)
    house.name("T1", 1, "four_of_a_kind")
    assert house.due("T1", 1) == 500_00
    house.record("T1", 1)
    assert house.meter() == 0
    paid = house.events(WinPaid)[0]
    assert (paid.from_meter, paid.from_tray, paid.shortfall) == (micros(400_70), micros(99_30), micros(99_30))
    assert house.moved("shortfall") == {"house/L1": micros(-99_30), "players/T1": micros(99_30)}
    (alarm,) = house.state.alarms
    assert "running dry" in alarm.text
    assert "main" in alarm.text
    house.power_cut()
    assert house.state.alarms == (alarm,)
    house.do("t1", Acknowledge(alarm=alarm.number))
    assert not house.state.alarms
    assert house.refused(lambda: house.do("t1", Acknowledge(alarm=alarm.number))).field == "alarm"


@pytest.mark.clause("PR-7")
def test_an_award_that_just_empties_the_meter_is_no_shortfall(open_house: Opener) -> None:
    house = open_house(seed=499_30)
    house.coin_in("T1", 1)
    house.win("T1", 1, "four_of_a_kind")
    assert house.meter() == 0
    assert house.state.alarms == ()
    assert house.moved("shortfall") == {}


@pytest.mark.clause("PR-8")
@pytest.mark.parametrize(("table", "wager", "flush"), [("CSTUD-01", 1_00, 50_00), ("CSTUD-10", 2_50, 125_00)])
def test_a_table_that_states_its_wager_takes_exactly_that(
    open_house: Opener, table: str, wager: int, flush: int
) -> None:
    house = open_house(table=table)
    assert only(house.coin_in("T1", 1), LockedIn).wager_cents == wager
    assert house.players_micros() == micros(-wager)
    house.name("T1", 1, "flush")
    assert house.due("T1", 1) == flush


@pytest.mark.clause("PR-8")
def test_elsewhere_for_one_pays_scale_with_the_links_wager_and_percentages_do_not(open_house: Opener) -> None:
    one, five = open_house(table="01", wager=1_00), open_house(table="01", wager=5_00)
    for house in (one, five):
        house.coin_in("T1", 1, 2)
        house.name("T1", 1, "flush")
        house.name("T1", 2, "straight_flush")
    assert one.due_at("T1") == {1: 40_00, 2: 1_000_14}
    assert five.due_at("T1") == {1: 200_00, 2: 1_000_70}


# ------------------------------------------------------------------------------------------ undoing a win, PR-23, PR-37


@pytest.mark.clause("PR-23")
@pytest.mark.parametrize("console", CONSOLES)
def test_a_confirmed_win_is_undone_only_by_an_adjustment_that_restores_the_meter_and_the_reseed(
    open_house: Opener, console: Console
) -> None:
    house = open_house(console=console, reserve="10%")
    house.coin_in("T1", 1, 2)
    before = house.balances()
    win = house.win("T1", 1, "royal_flush")
    original = house.entries()[win - 1]
    entry = house.undo(win)
    undone = only(entry, WinUndone)
    assert (undone.win, undone.reason, undone.explanation) == (win, "malfunction", "the hand was misread")
    assert (entry.by, entry.second) == ("m1", "m2")
    assert (house.meter(), house.reserve()) == (10_001_40, micros(20))
    assert house.balances() == before
    assert house.entries()[win - 1] == original
    assert entry.seq > win
    assert house.round().win(1) is None


@pytest.mark.clause("PR-23")
def test_undoing_takes_off_what_was_paid_and_leaves_what_came_since(open_house: Opener) -> None:
    house = open_house(tables=2, reserve="10%")
    house.coin_in("T1", 1)
    win = house.win("T1", 1, "royal_flush")
    house.end("T1")
    house.coin_in("T2", 1, 2, 3)
    house.undo(win)
    assert (house.meter(), house.reserve()) == (10_000_70 + 2_10, micros(10 + 30))


@pytest.mark.clause("PR-23")
def test_undoing_the_first_of_several_wins_leaves_the_others_as_they_were(open_house: Opener) -> None:
    house = open_house(tables=2, seed=100_00)
    house.coin_in("T1", 1)
    house.coin_in("T2", 1, 2)
    first = house.win("T1", 1, "royal_flush")
    house.win("T2", 1, "royal_flush")
    house.win("T2", 2, "four_of_a_kind")
    assert house.meter() == 0
    undone = only(house.undo(first), WinUndone)
    assert house.meter() == 2_10
    assert undone.covered == 0
    second = house.events(WinLogged)[1].win
    undone = only(house.undo(second), WinUndone)
    # It had taken 100.00 off and put 100.00 down again: nothing changes on the meter.
    assert (house.meter(), undone.meter_change, undone.covered) == (2_10, 0, 0)


@pytest.mark.clause("PR-23")
def test_what_the_meter_cannot_give_back_of_a_reseed_the_house_covers(open_house: Opener) -> None:
    house = open_house(tables=2, seed=100_00)
    house.coin_in("T1", 1)
    house.coin_in("T2", 1, 2)
    house.win("T1", 1, "four_of_a_kind")
    win = house.win("T2", 2, "royal_flush")
    house.win("T2", 1, "four_of_a_kind")
    # The royal flush took nothing off an empty meter and reseeded it; the reseed has been won since.
    undone = only(house.undo(win), WinUndone)
    assert (house.meter(), undone.covered) == (0, micros(100_00))
    assert sum(house.balances().values()) == 0


@pytest.mark.clause("PR-23")
def test_an_adjustment_needs_a_reason_a_second_person_and_the_role(house: House) -> None:
    house.coin_in("T1", 1)
    win = house.win("T1", 1, "flush")
    for by in ("d1", "s1", "e1", "a1"):
        assert house.not_allowed(lambda by=by: house.undo(win, by=by)) == "role"  # type: ignore[misc]
    for second in ("", "m1", "d1", "s1", "nobody"):
        assert house.not_allowed(lambda second=second: house.undo(win, second=second)) == "second person"  # type: ignore[misc]
    for explanation in ("", " "):
        assert house.refused(lambda text=explanation: house.undo(win, explanation=text)).field == "explanation"  # type: ignore[misc]
    assert house.refused(lambda: house.undo(win, reason="")).field == "reason"  # type: ignore[arg-type]
    house.undo(win, second="a1")


@pytest.mark.clause("PR-23")
def test_a_win_is_undone_once_and_only_a_win(house: House) -> None:
    booked = house.coin_in("T1", 1)
    win = house.win("T1", 1, "flush")
    undone = house.undo(win)
    assert f"entry {undone.seq}" in house.refused(lambda: house.undo(win)).sentence
    for wrong in (booked.seq, undone.seq, 0, 9_999):
        assert house.refused(lambda wrong=wrong: house.undo(wrong)).field == "win"  # type: ignore[misc]


@pytest.mark.clause("PR-23", "PR-32")
def test_a_meter_with_an_open_claim_is_not_adjusted_under_it(open_house: Opener) -> None:
    house = open_house(tables=2)
    house.coin_in("T1", 1)
    house.coin_in("T2", 1)
    win = house.win("T1", 1, "flush")
    house.name("T2", 1, "royal_flush")
    assert "T2 spot 1" in house.refused(lambda: house.undo(win)).sentence
    assert house.refused(lambda: house.adjust(-5_00)).field == "meter"
    house.confirm("T2", 1)
    house.undo(win)


@pytest.mark.clause("PR-37")
def test_undoing_a_win_does_not_reclaim_envy_already_paid(open_house: Opener) -> None:
    house = open_house(table="CSTUD-15")
    house.coin_in("T1", 1, 2)
    win = house.win("T1", 2, "straight_flush")
    house.end("T1")
    house.undo(win)
    assert house.moved("envy")["players/T1"] == micros(300_00)
    assert house.players_micros() == micros(300_00 - 2_00)
    assert house.meter() == 10_001_40


@pytest.mark.clause("PR-37")
def test_envy_that_is_not_paid_yet_is_cancelled(open_house: Opener) -> None:
    house = open_house(table="CSTUD-15")
    house.coin_in("T1", 1, 2, 3)
    house.name("T1", 3, "royal_flush")
    house.name("T1", 2, "straight_flush")
    house.confirm("T1", 3)
    house.confirm("T1", 2)
    house.undo(house.round().wins[0].number)
    house.end("T1")
    assert {(paid.spot, paid.winner) for paid in house.events(EnvyPaid)} == {(1, 2), (3, 2)}


# ----------------------------------------------------------------------------------------------------- transfers, PR-26


@pytest.mark.clause("PR-26")
def test_a_meter_is_moved_with_its_reserve_and_nothing_goes_away(open_house: Opener) -> None:
    house = open_house(second_link=True, reserve="10%")
    house.coin_in("T1", 1, 2)
    house.end("T1")
    entry = house.transfer("main", "main", to_link="L2", authority="commission letter 77")
    moved = only(entry, MeterTransferred)
    assert (moved.authority, entry.by, entry.second) == ("commission letter 77", "m1", "m2")
    assert (house.meter(), house.reserve()) == (0, 0)
    assert (house.meter(link="L2"), house.reserve(link="L2")) == (20_001_40, micros(20))
    assert house.moved("transfer").keys() == {"meter/L1/main", "meter/L2/main", "reserve/L1/main", "reserve/L2/main"}
    assert sum(house.moved("transfer").values()) == 0


@pytest.mark.clause("PR-26")
def test_a_retired_meter_takes_no_wager_any_more_and_a_moved_one_only_with_new_money(open_house: Opener) -> None:
    moved, retired = open_house(second_link=True), open_house(second_link=True)
    moved.transfer("main", "main", to_link="L2")
    moved.refused(lambda: moved.coin_in("T1", 1))
    moved.do("m1", SeedMeter(link="L1", meter="main"))
    moved.coin_in("T1", 1)
    retired.transfer("main", "main", to_link="L2", retire=True)
    assert "retired" in retired.refused(lambda: retired.coin_in("T1", 1)).sentence
    assert retired.refused(lambda: retired.do("m1", SeedMeter(link="L1", meter="main"))).field == "meter"
    retired.coin_in("X1", 1)


@pytest.mark.clause("PR-26")
def test_a_transfer_names_its_authority_and_takes_two_people_between_rounds(open_house: Opener) -> None:
    house = open_house(second_link=True)
    assert house.refused(lambda: house.transfer("main", "main", to_link="L2", authority=" ")).field == "authority"
    assert house.refused(lambda: house.transfer("main", "main")).field == "to_meter"
    assert house.refused(lambda: house.transfer("main", "grand", to_link="L2")).field == "meter"
    assert house.not_allowed(lambda: house.transfer("main", "main", to_link="L2", second="")) == "second person"
    house.coin_in("T1", 1)
    assert "T1 is in a round" in house.refused(lambda: house.transfer("main", "main", to_link="L2")).sentence
    house.name("T1", 1, "royal_flush")
    assert house.refused(lambda: house.transfer("main", "main", to_link="L2")).field == "meter"


@pytest.mark.clause("PR-26")
def test_one_meter_of_a_link_goes_to_another_of_the_same_link(open_house: Opener) -> None:
    house = open_house(table="ML03", contribution="10%", seed={"mega": 1_000_00, "major": 100_00, "minor": 10_00})
    house.transfer("minor", "mega", retire=True)
    assert [house.meter(name) for name in ("mega", "major", "minor")] == [1_010_00, 100_00, 0]


@pytest.mark.clause("PR-26")
@pytest.mark.parametrize("retire", [True, False])
def test_money_goes_only_to_a_meter_in_play(open_house: Opener, retire: bool) -> None:
    house = open_house(second_link=True)
    house.transfer("main", "main", to_link="L2", retire=retire)
    back = Transfer(link="L2", meter="main", to_link="L1", to_meter="main", authority="letter")
    assert house.refused(lambda: house.do("m1", back, "m2")).field == "to_meter"
    assert house.refused(lambda: house.transfer("main", "main", to_link="L2")).field == "meter"
    assert house.meter(link="L2") == 20_000_00


@pytest.mark.clause("PR-26", "PR-23", "PR-36")
def test_no_money_comes_back_to_a_meter_that_is_out_of_play(open_house: Opener) -> None:
    house = open_house(second_link=True)
    house.coin_in("T1", 1, 2)
    win = house.win("T1", 1, "flush")
    house.end("T1")
    house.transfer("main", "main", to_link="L2", retire=True)
    assert house.refused(lambda: house.undo(win)).field == "win"
    late = only(house.pay_late("T1", 1, 2, "royal_flush"), LateWinPaid)
    assert (late.from_meter, late.from_house) == (0, micros(9_951_40))
    assert (house.micros(), house.reserve()) == (0, 0)


# -------------------------------------------------------------------------------------- hits from several tables, PR-32


@pytest.mark.clause("PR-32")
def test_a_claim_takes_what_the_meter_held_when_its_rounds_first_claim_was_named(open_house: Opener) -> None:
    """What is booked later belongs to the next prize."""
    house = open_house(tables=2, reserve="10%")
    house.coin_in("T1", 1, 2)
    house.name("T1", 1, "royal_flush")
    house.coin_in("T2", 1, 2, 3)
    assert house.due("T1", 1) == 10_001_40
    assert house.meter() == 10_003_50
    house.name("T1", 2, "royal_flush")
    # The second winner gets seed and the reserve of that moment; T2's wagers are for nobody at T1.
    assert house.due_at("T1") == {2: 10_001_40, 1: 10_000_20}
    house.confirm("T1", 2)
    assert house.due_at("T1") == {1: 10_000_20}
    house.confirm("T1", 1)
    assert (house.meter(), house.reserve()) == (10_000_00 + 2_10 + 30, 0)


@pytest.mark.clause("PR-32")
def test_the_order_between_rounds_is_the_time_of_their_first_claims(open_house: Opener) -> None:
    house = open_house(tables=3)
    for table in ("T1", "T2", "T3"):
        house.coin_in(table, 1, 2)
    house.name("T2", 1, "straight_flush")
    house.name("T3", 2, "royal_flush")
    house.name("T1", 2, "royal_flush")
    house.name("T2", 2, "royal_flush")
    # T2 was first: its spot 2, then its spot 1, though that royal flush was named last. Then T3, then T1.
    assert house.due_at("T2") == {2: 10_004_20, 1: 1_000_00}
    assert house.due("T3", 2) == 9_000_00
    assert house.due("T1", 2) == 10_000_00
    for table, spot in (("T1", 2), ("T3", 2), ("T2", 1)):
        assert "T2 spot 2" in house.refused(lambda table=table, spot=spot: house.confirm(table, spot)).sentence  # type: ignore[misc]
    for table, spot in (("T2", 2), ("T2", 1), ("T3", 2), ("T1", 2)):
        house.confirm(table, spot)
    assert [paid.from_meter for paid in house.events(WinPaid)] == [
        micros(10_004_20),
        micros(1_000_00),
        micros(9_000_00),
        micros(10_000_00),
    ]
    assert house.meter() == 10_000_00


@pytest.mark.clause("PR-32")
def test_what_came_between_two_first_claims_is_the_second_rounds(open_house: Opener) -> None:
    house = open_house(tables=3)
    house.coin_in("T1", 1)
    house.name("T1", 1, "royal_flush")
    house.coin_in("T2", 1, 2)
    house.name("T2", 1, "royal_flush")
    house.coin_in("T3", 1, 2, 3)
    assert (house.due("T1", 1), house.due("T2", 1)) == (10_000_70, 10_001_40)
    house.confirm("T1", 1)
    assert house.due("T2", 1) == 10_001_40
    house.confirm("T2", 1)
    assert house.meter() == 10_002_10


@pytest.mark.clause("PR-32")
def test_a_claim_cannot_be_confirmed_before_an_earlier_one_is_confirmed_or_dropped(open_house: Opener) -> None:
    house = open_house(tables=2, console={"T1": "touch", "T2": "keypad"})
    house.coin_in("T1", 1)
    house.coin_in("T2", 1)
    house.name("T1", 1, "flush")
    house.name("T2", 1, "royal_flush")
    assert "T1 spot 1" in house.refused(lambda: house.j_pot("T2", 1)).sentence
    house.drop("T1", 1)
    house.j_pot("T2", 1)
    house.run("T2")
    assert house.round("T2").wins[0].cents == 10_001_40


@pytest.mark.clause("PR-32")
def test_a_dropped_claim_changes_nothing_but_the_amounts_behind_it(open_house: Opener) -> None:
    house = open_house(tables=2)
    house.coin_in("T1", 1, 2, 3)
    house.coin_in("T2", 1)
    for spot in (1, 2, 3):
        house.name("T1", spot, "straight_flush")
    house.name("T2", 1, "royal_flush")
    # 10,002.80: a tenth, a tenth of the rest, a tenth of that; and all that is left.
    assert house.due_at("T1") == {3: 1_000_28, 2: 900_25, 1: 810_22}
    assert house.due("T2", 1) == 7_292_05
    house.drop("T1", 2)
    assert house.due_at("T1") == {3: 1_000_28, 1: 900_25}
    assert house.due("T2", 1) == 8_102_27
    house.name("T1", 3, "straight_flush")
    assert house.due_at("T1") == {1: 1_000_28}
    assert house.due("T2", 1) == 9_002_52
    assert house.meter() == 10_002_80


@pytest.mark.clause("PR-32")
def test_amounts_are_recomputed_until_the_first_is_confirmed_and_then_the_order_is_firm(open_house: Opener) -> None:
    house = open_house()
    house.coin_in("T1", 1, 2, 3, 4)
    house.name("T1", 1, "royal_flush")
    assert house.due_at("T1") == {1: 10_002_80}
    house.name("T1", 3, "royal_flush")
    assert house.due_at("T1") == {3: 10_002_80, 1: 10_000_00}
    house.confirm("T1", 3)
    # Spot 4 would have come first; but an order that was acted on is not turned round.
    house.name("T1", 4, "straight_flush")
    assert house.due_at("T1") == {1: 10_000_00, 4: 1_000_00}
    assert "spot 1" in house.refused(lambda: house.confirm("T1", 4)).sentence
    house.name("T1", 2, "flush")
    assert house.due_at("T1") == {1: 10_000_00, 4: 1_000_00, 2: 50_00}
    for spot in (1, 4, 2):
        house.confirm("T1", spot)
    assert house.meter() == 10_000_00 - 1_000_00 - 50_00


@pytest.mark.clause("PR-32", "PR-16")
def test_on_the_keypad_the_order_is_firm_from_j_pot_on(open_house: Opener) -> None:
    house = open_house(console="keypad")
    house.coin_in("T1", 2, 4, 6)
    house.name("T1", 2, "royal_flush")
    house.name("T1", 4, "royal_flush")
    house.j_pot("T1", 4)
    house.name("T1", 6, "straight_flush")
    assert house.due_at("T1") == {4: 10_002_10, 2: 10_000_00, 6: 1_000_00}
    house.run("T1")
    assert house.due_at("T1") == {2: 10_000_00, 6: 1_000_00}
    house.refused(lambda: house.j_pot("T1", 6))


@pytest.mark.clause("PR-32")
def test_the_meter_itself_moves_only_on_confirmation(open_house: Opener) -> None:
    house = open_house(tables=2, reserve="10%")
    house.coin_in("T1", 1, 2)
    stood = house.balances()
    house.name("T1", 1, "royal_flush")
    house.name("T1", 2, "royal_flush")
    house.drop("T1", 2)
    assert house.balances() == stood
    house.confirm("T1", 1)
    assert house.meter() == 10_000_20


@pytest.mark.clause("PR-32")
def test_claims_on_different_meters_or_links_do_not_wait_for_each_other(open_house: Opener) -> None:
    house = open_house(table="ML03", tables=2, contribution="10%", second_link=True)
    for table in ("T1", "T2", "X1"):
        house.coin_in(table, 1)
    house.name("T1", 1, "royal_flush")
    house.name("T2", 1, "straight_flush")
    house.name("X1", 1, "royal_flush")
    house.confirm("X1", 1)
    house.confirm("T2", 1)
    house.confirm("T1", 1)


@pytest.mark.clause("PR-32")
def test_a_round_that_won_before_keeps_its_place_until_it_closes(open_house: Opener) -> None:
    house = open_house(tables=2)
    house.coin_in("T1", 1, 2)
    house.coin_in("T2", 1)
    house.win("T1", 2, "straight_flush")
    house.name("T2", 1, "royal_flush")
    house.name("T1", 1, "flush")
    assert "T1 spot 1" in house.refused(lambda: house.confirm("T2", 1)).sentence
    assert house.due("T2", 1) == 10_002_10 - 1_000_21 - 50_00
    house.confirm("T1", 1)
    house.end("T1")
    house.coin_in("T1", 1)
    house.name("T1", 1, "royal_flush")
    # A new round is behind.
    assert house.due("T2", 1) == 10_002_10 - 1_000_21 - 50_00
    assert house.due("T1", 1) == 10_000_70


@pytest.mark.clause("PR-32")
def test_a_fixed_award_is_not_paid_from_what_was_booked_after_its_claim(open_house: Opener) -> None:
    house = open_house(tables=2, seed=100_00)
    house.coin_in("T1", 1)
    house.name("T1", 1, "four_of_a_kind")
    for _ in range(3):
        house.coin_in("T2", 1, 2, 3, 4, 5, 6)
        house.end("T2")
    house.confirm("T1", 1)
    paid = house.events(WinPaid)[0]
    assert (paid.from_meter, paid.shortfall) == (micros(100_70), micros(399_30))
    assert house.meter() == 12_60


@pytest.mark.clause("PR-32", "PR-38")
def test_order_and_amounts_come_through_a_power_cut(open_house: Opener) -> None:
    house = open_house(tables=2, reserve="10%")
    house.coin_in("T1", 1, 2)
    house.name("T1", 1, "royal_flush")
    house.coin_in("T2", 1)
    house.name("T2", 1, "royal_flush")
    house.name("T1", 2, "straight_flush")
    stood = house.due_at("T1"), house.due_at("T2"), house.state
    house.power_cut()
    assert (house.due_at("T1"), house.due_at("T2"), house.state) == stood
    house.restart()
    assert (house.due_at("T1"), house.due_at("T2")) == stood[:2]
    house.refused(lambda: house.confirm("T2", 1))
    for table, spot in (("T1", 2), ("T1", 1), ("T2", 1)):
        house.confirm(table, spot)


@pytest.mark.clause("PR-32")
def test_the_game_manager_shows_every_claims_turn_and_amount(open_house: Opener) -> None:
    house = open_house(tables=2)
    house.coin_in("T1", 1, 2)
    house.coin_in("T2", 1)
    house.name("T1", 1, "royal_flush")
    house.name("T2", 1, "royal_flush")
    house.name("T1", 2, "straight_flush")
    shown = [msgspec.to_builtins(one) for one in floor_view(house.state).links[0].claims]
    assert {(one["table"], one["spot"]): (one["turn"], one["due_cents"]) for one in shown} == {
        ("T1", 2): (1, 1_000_21),
        ("T1", 1): (2, 9_001_89),
        ("T2", 1): (3, 10_000_00),
    }


# ----------------------------------------------------------------------------------------------------- late wins, PR-36


@pytest.mark.clause("PR-36")
def test_a_win_noticed_later_is_paid_at_its_rounds_meter_value(open_house: Opener) -> None:
    house = open_house(reserve="10%")
    house.coin_in("T1", 1, 2)
    house.end("T1")
    house.coin_in("T1", 1, 2, 3)
    house.end("T1")
    entry = house.pay_late("T1", 1, 2, "royal_flush")
    late = only(entry, LateWinPaid)
    assert (late.cents, late.evidence, late.reason) == (10_001_40, "camera 4, 20:15", "won")
    assert (entry.by, entry.second) == ("m1", "m2")
    assert late.from_house == 0
    assert (house.meter(), house.reserve()) == (10_000_00 + 2_10 + 50, 0)
    assert house.moved("adjustment")["players/T1"] == micros(10_001_40)


@pytest.mark.clause("PR-36")
def test_if_the_meter_was_won_since_the_house_pays_what_it_no_longer_holds_above_its_seed(house: House) -> None:
    house.coin_in("T1", 1, 2)
    house.end("T1")
    house.coin_in("T1", 1)
    house.win("T1", 1, "royal_flush")
    house.end("T1")
    house.coin_in("T1", 1, 2)
    late = only(house.pay_late("T1", 1, 2, "royal_flush"), LateWinPaid)
    assert (late.cents, late.from_meter, late.from_house) == (10_001_40, micros(1_40), micros(10_000_00))
    assert not late.reseeded
    assert house.meter() == 10_000_00


@pytest.mark.clause("PR-36")
@pytest.mark.parametrize(("hand", "cents"), [("straight_flush", 1_000_14), ("flush", 50_00)])
def test_a_late_share_or_fixed_award_comes_off_the_meter(house: House, hand: str, cents: int) -> None:
    house.coin_in("T1", 1, 2)
    house.end("T1")
    house.pay_late("T1", 1, 2, hand)
    assert house.meter() == 10_001_40 - cents


@pytest.mark.clause("PR-36")
def test_late_only_by_manual_adjustment_with_its_evidence(house: House) -> None:
    house.coin_in("T1", 1)
    assert "no closed round" in house.refused(lambda: house.pay_late("T1", 1, 1, "flush")).sentence
    house.end("T1")
    assert house.refused(lambda: house.name("T1", 1, "flush")).field == "table"
    assert house.refused(lambda: house.pay_late("T1", 1, 1, "flush", evidence=" ")).field == "evidence"
    assert house.refused(lambda: house.pay_late("T1", 1, 2, "flush")).field == "spot"
    assert house.refused(lambda: house.pay_late("T1", 1, 1, "two_pair")).field == "hand"
    house.pay_late("T1", 1, 1, "flush")
    assert "once a round" in house.refused(lambda: house.pay_late("T1", 1, 1, "flush")).sentence


@pytest.mark.clause("PR-36", "PR-14")
def test_a_spot_that_won_in_the_round_does_not_win_late_as_well(house: House) -> None:
    house.coin_in("T1", 1)
    house.win("T1", 1, "flush")
    house.end("T1")
    assert "once a round" in house.refused(lambda: house.pay_late("T1", 1, 1, "royal_flush")).sentence


@pytest.mark.clause("PR-36", "PR-23")
def test_the_right_hand_is_paid_late_when_the_wrong_one_was_undone(house: House) -> None:
    """At the value the meter had for that round before the wrong award."""
    house.coin_in("T1", 1, 2)
    wrong = house.win("T1", 1, "royal_flush")
    house.end("T1")
    house.undo(wrong)
    assert only(house.pay_late("T1", 1, 1, "straight_flush"), LateWinPaid).cents == 1_000_14
    assert house.meter() == 10_001_40 - 1_000_14


@pytest.mark.clause("PR-23", "PR-36")
def test_a_late_win_is_undone_like_any_other_and_may_then_be_paid_rightly(open_house: Opener) -> None:
    house = open_house(reserve="10%")
    house.coin_in("T1", 1)
    house.end("T1")
    before = house.balances()
    wrong = house.pay_late("T1", 1, 1, "royal_flush")
    house.undo(wrong.seq)
    assert house.balances() == before
    assert "undone already" in house.refused(lambda: house.undo(wrong.seq)).sentence
    assert only(house.pay_late("T1", 1, 1, "flush"), LateWinPaid).cents == 50_00


@pytest.mark.clause("PR-23", "PR-36")
def test_after_an_undone_reseed_a_late_win_comes_off_the_meter_again(house: House) -> None:
    """The meter was not won since: it holds what it held, and pays what it would have paid."""
    house.coin_in("T1", 1)
    house.end("T1")
    house.coin_in("T1", 1)
    win = house.win("T1", 1, "royal_flush")
    house.end("T1")
    house.undo(win)
    assert only(house.pay_late("T1", 1, 1, "flush"), LateWinPaid).from_house == 0
    assert house.meter() == 10_001_40 - 50_00


@pytest.mark.clause("PR-36", "PR-20")
def test_nothing_is_won_late_in_a_voided_round(house: House) -> None:
    house.coin_in("T1", 1)
    house.void("T1")
    assert house.refused(lambda: house.pay_late("T1", 1, 1, "flush")).field == "round"


@pytest.mark.clause("PR-36", "PR-3")
def test_a_late_win_goes_by_the_terms_of_its_round(house: House) -> None:
    house.coin_in("T1", 1)
    house.end("T1")
    house.reconfigure(seed_cents=500_00)
    house.coin_in("T1", 1)
    house.end("T1")
    house.pay_late("T1", 1, 1, "royal_flush")
    assert house.meter() == 10_000_00 + 70


# ------------------------------------------------------------------------------------------ link lost, power cut, PR-38


@pytest.mark.clause("PR-38")
@pytest.mark.parametrize(("what", "id"), [("link", "L1"), ("table", "T1")])
def test_while_the_link_is_lost_there_is_no_new_lock_in_and_open_rounds_go_on(
    open_house: Opener, what: str, id: str
) -> None:
    house = open_house(tables=2, console={"T1": "keypad", "T2": "touch"})
    house.coin_in("T1", 1, 2)
    house.name("T1", 1, "royal_flush")
    house.suspend(what, id)
    assert "network" in house.view("T1").stops[0]
    house.j_pot("T1", 1)
    house.run("T1")
    house.win("T1", 2, "flush")
    house.end("T1")
    assert "network" in house.refused(lambda: house.coin_in("T1", 1)).sentence
    if what == "link":
        house.refused(lambda: house.coin_in("T2", 1))
    else:
        house.coin_in("T2", 1)
    house.resume(what, id)
    house.coin_in("T1", 1)


@pytest.mark.clause("PR-38")
@pytest.mark.parametrize("stop", ["restart", "power_cut"])
@pytest.mark.parametrize("console", CONSOLES)
def test_open_rounds_and_claims_resume_exactly_where_they_stood(
    open_house: Opener, console: Console, stop: str
) -> None:
    """After every single step of a round the power goes; the evening ends as if it never had."""
    calm, stormy = open_house(console=console, table="CSTUD-15", reserve="5%"), None
    stormy = open_house(console=console, table="CSTUD-15", reserve="5%")
    for house in (calm, stormy):

        def then(house: House = house) -> None:
            if house is stormy:
                stood = house.state
                getattr(house, stop)()
                assert house.state == stood

        house.light("T1", 1, 3)
        then()
        house.coin_in("T1")
        then()
        house.light("T1", 5)
        house.correct("T1", 2, wagered=True)
        then()
        house.same_player("T1", 1, 2)
        house.fold("T1", 2)
        house.see("T1", 1, "straight_flush")
        then()
        house.name("T1", 3, "royal_flush")
        house.name("T1", 1, "straight_flush")
        then()
        house.record("T1", 3)
        then()
        house.record("T1", 1)
        then()
        house.end("T1")
        then()
    assert stormy.balances() == calm.balances()
    assert stormy.round() == calm.round()
    assert stormy.link() == calm.link()


@pytest.mark.clause("PR-38")
def test_a_suspension_outlives_a_restart(house: House) -> None:
    house.suspend("link", "L1")
    house.power_cut()
    house.refused(lambda: house.coin_in("T1", 1))
    house.resume("link", "L1")
    house.coin_in("T1", 1)
