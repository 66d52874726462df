"""Reports and records, clause by clause: PR-25 and the Washington rules FL-14 and FL-17."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from tests.manager.floor_kit import House

from houseway.books.accruals import accruals
from houseway.books.meter_history import meter_history
from houseway.books.reports import report
from houseway.manager import commands as office

SUNDAY, MONDAY = date(2026, 3, 1), date(2026, 3, 2)
DOLLAR = 1_000_000


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Any]:
    """Two tables on a link with one meter: $1 wagers, 70% to the meter, 5% to the reserve, a seed of $10,000."""
    made = House(tmp_path, tables=2, reserve="5%", second_link=True)
    yield made
    made.floor.close()


def figures(house: Any, by: Any, first: date = SUNDAY, last: date = SUNDAY) -> dict[str, Any]:
    found = report(house.store, house.state.policies, first, last, by)
    assert found.defects == ()
    return {group.key: group for group in found.groups}


@pytest.mark.clause("PR-25")
def test_wagers_are_reported_with_what_became_of_them(house: Any) -> None:
    """Three wagers at T1, two at T2, one on the other link: by day, by table, by link and by meter."""
    house.coin_in("T1", 1, 2, 3)
    house.coin_in("T2", 1, 2)
    house.coin_in("X1", 6)
    day = figures(house, "day")["2026-03-01"]
    assert (day.micros("coin_in"), day.micros("contributions")) == (6 * DOLLAR, 4_200_000)
    assert (day.micros("reserve"), day.micros("kept")) == (300_000, 1_500_000)
    tables = figures(house, "table")
    assert [tables[one].micros("coin_in") for one in ("T1", "T2", "X1")] == [3 * DOLLAR, 2 * DOLLAR, DOLLAR]
    links = figures(house, "link")
    assert [links[one].micros("coin_in") for one in ("L1", "L2")] == [5 * DOLLAR, DOLLAR]
    meters = figures(house, "meter")
    assert [meters[one].micros("contributions") for one in ("L1/main", "L2/main")] == [3_500_000, 700_000]


@pytest.mark.clause("PR-25")
def test_awards_are_reported_from_the_meter_and_from_the_tray_with_their_envy(tmp_path: Path) -> None:
    house = House(tmp_path, table="CSTUD-15", reserve="5%")
    house.coin_in("T1", 1, 2, 3)
    house.win("T1", 3, "royal_flush")
    house.win("T1", 1, "flush")
    house.end("T1")
    link = figures(house, "link")["L1"]
    assert link.micros("awards_from_meter") == 10_002_100_000
    assert link.micros("awards_from_tray") == 40 * DOLLAR
    assert link.micros("envy") == 2 * 1_000 * DOLLAR
    assert link.micros("seeds") == 2 * 10_000 * DOLLAR
    assert link.micros("reseeds_from_reserve") == 150_000
    house.floor.close()


@pytest.mark.clause("PR-25")
def test_a_shortfall_is_reported(tmp_path: Path) -> None:
    """PR-7: the meter had $20.70 of the $100."""
    house = House(tmp_path, seed=20_00)
    house.coin_in("T1", 1)
    house.win("T1", 1, "full_house")
    table = figures(house, "table")["T1"]
    assert table.micros("awards_from_meter") == 20_700_000
    assert table.micros("shortfalls") == 79_300_000
    house.floor.close()


@pytest.mark.clause("PR-25")
def test_adjustments_transfers_voids_and_corrections_are_reported(house: Any) -> None:
    house.coin_in("T1", 1, 2)
    house.correct("T1", 3, True)
    house.void("T1", malfunction=True)
    house.adjust(250)
    house.transfer("main", "main", to_link="L2")
    meters = figures(house, "meter")
    assert meters["L1/main"].micros("count_corrections_of_meter") == 700_000
    assert meters["L1/main"].micros("voids_of_meter") == -2_100_000
    assert meters["L1/main"].micros("adjustments_of_meter") == 2_500_000
    assert meters["L1/main"].micros("transfers_of_meter") == -10_002_500_000
    assert meters["L2/main"].micros("transfers_of_meter") == 10_002_500_000
    assert meters["L1"].micros("voids_to_players") == 3 * DOLLAR


@pytest.mark.clause("PR-25")
def test_a_meter_that_is_taken_over_is_reported(tmp_path: Path) -> None:
    house = House(tmp_path, seeded=False)
    opening = office.OpenMeter(link="L1", meter="main", meter_cents=12_345_67, reserve_cents=89, reference="old system")
    house.do("m1", opening, "m2")
    link = figures(house, "link")["L1"]
    assert (link.micros("taken_over_to_meter"), link.micros("taken_over_to_reserve")) == (12_345_670_000, 890_000)
    house.floor.close()


@pytest.mark.clause("PR-25")
def test_opening_and_what_came_less_what_went_is_closing(house: Any) -> None:
    """Sunday's meter closes where Monday's opens, and each day's flows are all of the difference."""
    house.coin_in("T1", 1, 2, 3)
    house.end("T1")
    house.clock.set("2026-03-02 20:00")
    house.coin_in("T1", 1)
    house.win("T1", 1, "full_house")
    days = figures(house, "day", SUNDAY, MONDAY)
    sunday, monday = days["2026-03-01"], days["2026-03-02"]
    assert sunday.opening == (0, 0)
    assert sunday.closing == monday.opening == (20_002_100_000, 150_000)
    assert monday.closing == (20_002_100_000 + 700_000 - 100 * DOLLAR, 200_000)
    alone = figures(house, "day", MONDAY, MONDAY)["2026-03-02"]
    assert (alone.opening, alone.closing) == (monday.opening, monday.closing), "whatever day the report begins on"


@pytest.mark.clause("PR-25")
def test_parts_of_a_cent_are_reported_and_not_rounded(tmp_path: Path) -> None:
    house = House(tmp_path, contribution="12.34%", reserve="0.01%")
    for _ in range(3):
        house.coin_in("T1", 1)
        house.end("T1")
    link = figures(house, "link")["L1"]
    assert (link.micros("contributions"), link.micros("reserve"), link.micros("kept")) == (370_200, 300, 2_629_500)
    house.floor.close()


@pytest.mark.clause("PR-25")
def test_books_that_do_not_agree_are_named(house: Any) -> None:
    """A total that somebody changed by one millionth of a dollar."""
    import sqlite3

    house.coin_in("T1", 1)
    house.floor.close()
    with sqlite3.connect(house.file) as database:
        database.execute("UPDATE totals SET micros = micros - 1 WHERE purpose = 'contribution'")
    database.close()
    house._open()
    (defect,) = report(house.store, house.state.policies, SUNDAY, SUNDAY, "link").defects
    assert defect.startswith("2026-03-01, table T1: the totals for coin-in, contribution,")


# ------------------------------------------------------------------------------------------------------- Washington


@pytest.mark.clause("FL-14")
def test_the_beginning_amount_and_every_rise_and_fall_are_on_record_with_their_explanation(house: Any) -> None:
    house.coin_in("T1", 1, 2)
    win = house.win("T1", 2, "full_house")
    house.end("T1")
    house.undo(win)
    house.adjust(-100, "seed_recovered")
    found = [one for one in meter_history(house.store, "L1", "main", SUNDAY, SUNDAY) if one.part == "meter"]
    assert [(one.purpose, one.micros, one.meter_after_micros) for one in found] == [
        ("brought forward", 0, 0),
        ("seed", 10_000 * DOLLAR, 10_000 * DOLLAR),
        ("contribution", 1_400_000, 10_001_400_000),
        ("award from meter", -100 * DOLLAR, 9_901_400_000),
        ("adjustment", 100 * DOLLAR, 10_001_400_000),
        ("adjustment", -DOLLAR, 10_000_400_000),
    ]
    assert [one.explanation for one in found[1:]] == [
        "the seed it begins with",
        "2 wagers of $1.00 at table T1, round 1",
        f"win {win} at table T1, spot 2",
        f"win {win} undone, because a malfunction or a recorded mistake is corrected: the hand was misread",
        "adjusted, because seed money is recovered: as found in the count",
    ]
    assert found[-1].meter_after_micros == house.micros()


@pytest.mark.clause("FL-14")
def test_every_movement_names_its_entry_its_time_and_who_made_it(house: Any) -> None:
    house.clock.set("2026-03-01 21:00")
    entry = house.coin_in("T1", 1, by="d2")
    last = list(meter_history(house.store, "L1", "main", SUNDAY, SUNDAY))[-1]
    assert (last.entry, last.at, last.by, last.table, last.round) == (entry.seq, entry.at, "d2", "T1", 1)
    adjusted = house.adjust(-100, "seed_recovered")
    last = list(meter_history(house.store, "L1", "main", SUNDAY, SUNDAY))[-1]
    assert (last.entry, last.by, last.second) == (adjusted.seq, "m1", "a1")


@pytest.mark.clause("FL-17")
def test_accruals_are_reported_by_the_day(house: Any) -> None:
    """70% and 5% of every wager accrue, and what a correction or a void takes back does not."""
    house.coin_in("T1", 1, 2, 3, 4)
    house.correct("T1", 4, False)
    house.end("T1")
    house.coin_in("T1", 1)
    house.void("T1", malfunction=True)
    week = accruals(house.store, house.state.policies, "L1", SUNDAY)
    assert [day.accrued for day in week.days] == [0, 0, 0, 0, 0, 0, 2_250_000]
    (main,) = week.days[-1].meters
    assert (main.contributions, main.reserve, main.corrections) == (3_500_000, 250_000, -1_500_000)


@pytest.mark.clause("FL-17")
def test_all_that_accrued_in_a_week_is_to_be_deposited_whatever_was_won(house: Any) -> None:
    house.coin_in("T1", 1, 2, 3)
    house.win("T1", 1, "royal_flush")
    house.end("T1")
    week = accruals(house.store, house.state.policies, "L1", SUNDAY)
    assert (week.due_cents, week.deposited_cents, week.difference_cents) == (225, 0, -225)
    house.clock.set("2026-03-04 12:00")
    house.do("a1", office.RecordDeposit(link="L1", week="2026-02-23", cents=225, reference="slip 17"))
    week = accruals(house.store, house.state.policies, "L1", SUNDAY)
    assert (week.due_cents, week.deposited_cents, week.difference_cents) == (225, 225, 0)


@pytest.mark.clause("FL-17")
def test_a_short_prize_account_stops_the_games_of_its_link_until_it_is_not(house: Any) -> None:
    def enter(short: bool) -> None:
        house.do("a1", office.EnterAccount(link="L1", balance_cents=100, short=short, reference="statement"))

    enter(True)
    assert "prize account is short" in house.refused(lambda: house.coin_in("T1", 1)).sentence
    house.coin_in("X1", 1)
    enter(False)
    house.coin_in("T1", 1)
    week = accruals(house.store, house.state.policies, "L1", SUNDAY)
    assert week.account is not None
    assert not week.account.short
