"""Washington's rules on progressives, clause by clause: FL-14, FL-15, FL-17's stop and FL-18, and PR-20 under FL-15."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.manager.floor_kit import STAFF, House, Opener, micros, only, opened

from houseway.books.view import floor_view
from houseway.books.win_record import win_record
from houseway.manager.commands import AdjustMeter, Command, EnterAccount, UndoWin
from houseway.manager.events import LateWinPaid, MeterAdjusted, MeterOpened
from houseway.manager.permissions import PERMISSIONS
from houseway.table.config import Console, Dated
from houseway.table.progressive_round.adjustments import REASONS
from houseway.table.progressive_round.commands import Surveillance
from houseway.table.progressive_round.decide import needs_tax_form
from houseway.table.progressive_round.events import RoundVoided, SurveillanceVerified, WinLogged

CONSOLES: tuple[Console, ...] = ("touch", "keypad")


@pytest.fixture
def open_house(tmp_path: Path) -> Iterator[Opener]:
    yield from opened(tmp_path)


@pytest.fixture
def house(open_house: Opener) -> House:
    return open_house(washington=True, reserve="5%")


# ------------------------------------------------------------------------------------------------- posted and on record


@pytest.mark.clause("FL-14")
def test_the_amount_that_can_be_won_is_posted_at_each_table(open_house: Opener) -> None:
    house = open_house(washington=True, tables=2, table="ML03", contribution="3.33%")
    house.coin_in("T2", 1, 2)
    house.win("T2", 2, "straight_flush")
    house.coin_in("T1", 1)
    for table in ("T1", "T2"):
        assert house.view(table).meters == {"mega": 10_000_09, "major": 10_000_03, "minor": 10_000_09}
    shown = [msgspec.to_builtins(one) for one in floor_view(house.state).links[0].meters]
    assert {one["meter"]: one["cents"] for one in shown} == house.view("T1").meters


@pytest.mark.clause("FL-14")
def test_the_beginning_amount_is_on_record(house: House) -> None:
    opened_with = house.events(MeterOpened)
    assert [(one.meter, one.value, one.reference) for one in opened_with] == [("main", micros(10_000_00), "seed")]


@pytest.mark.clause("FL-14")
def test_every_rise_and_fall_of_a_meter_is_on_record_with_its_explanation(open_house: Opener) -> None:
    house = open_house(washington=True, tables=2, reserve="10%", second_link=True)
    house.coin_in("T1", 1, 2)
    house.correct("T1", 2, wagered=False)
    first = house.win("T1", 1, "royal_flush")
    house.verify("T1", first)
    house.end("T1")
    house.coin_in("T2", 1)
    house.void("T2", malfunction=True)
    house.coin_in("T2", 1)
    house.end("T2")
    house.undo(first)
    house.adjust(-1_00)
    house.pay_late("T2", 2, 1, "flush")
    house.transfer("main", "main", to_link="L2")
    posted = [line for line in house.store.postings() if line.account == "meter/L1/main"]
    assert [line.purpose for line in posted] == [
        "seed",
        "contribution",
        "count corrected",
        "award from meter",
        "seed",
        "reseed from reserve",
        "contribution",
        "void",
        "contribution",
        "adjustment",
        "adjustment",
        "adjustment",
        "transfer",
    ]
    value = 0
    journal = {entry.seq: entry for entry in house.entries()}
    for line in posted:
        value += line.micros
        assert line.micros != 0
        assert value >= 0
        assert journal[line.seq].by in ("m1", "d1", "s1", "e1")
    assert value == house.micros() == 0


# ------------------------------------------------------------------------------------------------ why a meter goes down


@pytest.mark.clause("FL-15")
def test_a_meter_goes_down_by_hand_only_for_a_reason_of_the_closed_list(house: House) -> None:
    assert set(REASONS) == {"won", "malfunction", "maximum", "undisplayed_funds", "seed_recovered"}
    for reason in ("malfunction", "undisplayed_funds", "seed_recovered"):
        entry = house.adjust(-10_00, reason)
        adjusted = only(entry, MeterAdjusted)
        assert (adjusted.reason, adjusted.meter_change) == (reason, micros(-10_00))
    assert house.meter() == 9_970_00
    assert house.house_micros() == micros(-9_970_00)


@pytest.mark.clause("FL-15")
@pytest.mark.parametrize("reason", ["", "because", "WON", "marketing"])
def test_any_other_reason_is_refused(house: House, reason: Any) -> None:
    house.coin_in("T1", 1)
    win = house.win("T1", 1, "flush")
    assert "malfunction" in house.refused(lambda: house.adjust(-10_00, reason)).sentence
    assert house.refused(lambda: house.undo(win, reason=reason)).field == "reason"
    for command in (
        AdjustMeter(link="L1", meter="main", cents=-1, reason=reason, explanation="x"),
        UndoWin(win=win, reason=reason, explanation="x"),
    ):
        with pytest.raises(msgspec.ValidationError):
            msgspec.json.decode(msgspec.json.encode(command), type=Command)


@pytest.mark.clause("FL-15", "PR-23")
def test_an_adjustment_takes_two_people_and_an_explanation_and_leaves_no_less_than_nothing(house: House) -> None:
    fall = AdjustMeter(link="L1", meter="main", cents=-1_00, reason="malfunction", explanation="double count")
    assert house.not_allowed(lambda: house.do("m1", fall)) == "second person"
    assert house.not_allowed(lambda: house.do("s1", fall, "m1")) == "role"
    assert house.refused(lambda: house.do("m1", replace(fall, explanation=""), "a1")).field == "explanation"
    assert house.refused(lambda: house.do("m1", replace(fall, cents=0), "a1")).field == "cents"
    assert house.refused(lambda: house.do("m1", replace(fall, cents=-10_000_01), "a1")).field == "cents"
    assert house.refused(lambda: house.do("m1", replace(fall, part="reserve"), "a1")).field == "cents"
    house.do("m1", replace(fall, cents=-10_000_00), "a1")
    assert house.meter() == 0


@pytest.mark.clause("FL-15")
def test_a_win_is_no_bare_amount_and_a_rise_only_corrects_a_malfunction(house: House) -> None:
    assert house.refused(lambda: house.adjust(-50_00, "won")).field == "reason"
    assert house.refused(lambda: house.adjust(50_00, "seed_recovered")).field == "reason"
    house.adjust(50_00, "malfunction")
    assert house.meter() == 10_050_00


@pytest.mark.clause("FL-15")
def test_a_maximum_may_not_be_set_below_the_present_amount(house: House) -> None:
    house.coin_in("T1", 1)
    house.end("T1")
    below = house.with_meters(maximum_cents=10_000_69)
    assert "maximum" in house.refused(lambda: house.reconfigure(below)).sentence
    house.reconfigure(maximum_cents=10_000_70)


@pytest.mark.clause("FL-15")
def test_above_its_posted_maximum_the_excess_goes_to_the_reserve(open_house: Opener) -> None:
    house = open_house(washington=True, reserve="5%", maximum=10_003_00)
    house.coin_in("T1", 1, 2, 3)
    house.end("T1")
    assert (house.meter(), house.reserve()) == (10_002_10, micros(15))
    house.coin_in("T1", 1, 2, 3)
    assert (house.meter(), house.reserve()) == (10_003_00, micros(30 + 1_20))
    assert house.moved("over maximum") == {"reserve/L1/main": micros(1_20)}
    house.end("T1")
    house.coin_in("T1", 1)
    assert (house.meter(), house.reserve()) == (10_003_00, micros(35 + 1_90))
    assert sum(house.balances().values()) == 0


@pytest.mark.clause("FL-15", "PR-20", "PR-35")
def test_what_went_over_the_maximum_comes_back_out_of_the_reserve(open_house: Opener) -> None:
    house = open_house(reserve="5%", maximum=10_001_00)
    before = house.balances()
    house.coin_in("T1", 1, 2)
    house.correct("T1", 3, wagered=True)
    assert (house.meter(), house.reserve()) == (10_001_00, micros(15 + 1_10))
    house.correct("T1", 1, wagered=False)
    assert (house.meter(), house.reserve()) == (10_001_00, micros(10 + 40))
    house.void("T1")
    assert {account: held for account, held in house.balances().items() if held} == before


@pytest.mark.clause("FL-15")
def test_what_exceeds_the_maximum_is_moved_to_the_reserve_and_no_more(open_house: Opener) -> None:
    """A reseed may lift a meter over its maximum; by hand that excess goes where it belongs."""
    house = open_house(washington=True, reserve="30%", maximum=10_001_00)
    for _ in range(3):
        house.coin_in("T1", 1, 2, 3, 4, 5, 6)
        house.end("T1")
    house.coin_in("T1", 1)
    win = house.win("T1", 1, "royal_flush")
    house.verify("T1", win)
    house.end("T1")
    over = house.meter() - 10_001_00
    assert over > 0
    assert house.refused(lambda: house.adjust(-over - 1, "maximum")).field == "cents"
    stood = house.house_micros()
    house.adjust(-over, "maximum")
    assert (house.meter(), house.reserve()) == (10_001_00, micros(over))
    assert house.house_micros() == stood
    assert house.refused(lambda: house.adjust(-1, "maximum")).field == "cents"


@pytest.mark.clause("FL-15", "PR-23")
def test_an_undone_win_lifts_the_meter_to_its_maximum_and_the_rest_goes_to_the_reserve(open_house: Opener) -> None:
    house = open_house(washington=True, maximum=10_002_00)
    house.coin_in("T1", 1, 2)
    win = house.win("T1", 1, "straight_flush")
    house.end("T1")
    house.adjust(1_000_00)
    house.undo(win)
    # 9,001.26 and 1,000.00, and 1,000.14 come back: 999.40 too much.
    assert (house.meter(), house.reserve()) == (10_002_00, micros(999_40))
    assert sum(house.balances().values()) == 0


@pytest.mark.clause("FL-15", "PR-26")
def test_nothing_else_lifts_a_meter_over_its_maximum(open_house: Opener) -> None:
    house = open_house(washington=True, maximum=10_001_00, second_link=True)
    assert house.refused(lambda: house.adjust(1_01, "malfunction")).field == "cents"
    house.adjust(1_00, "malfunction")
    assert house.refused(lambda: house.transfer("main", "main", to_link="L2")).field == "to_meter"


@pytest.mark.clause("PR-20", "FL-15")
def test_where_the_rule_is_in_force_a_voided_rounds_contributions_stay_on_the_meter(house: House) -> None:
    house.coin_in("T1", 1, 2)
    voided = only(house.void("T1"), RoundVoided)
    assert (voided.meters, voided.reserves, voided.covered) == ({}, {}, micros(2_00))
    assert (house.meter(), house.reserve()) == (10_001_40, micros(10))
    assert house.players_micros() == 0


@pytest.mark.clause("PR-20", "FL-15")
def test_unless_the_cause_is_a_recorded_malfunction(house: House) -> None:
    house.coin_in("T1", 1, 2)
    voided = only(house.void("T1", malfunction=True, cause="shuffler jammed"), RoundVoided)
    assert (voided.malfunction, voided.cause) == (True, "shuffler jammed")
    assert (house.meter(), house.reserve()) == (10_000_00, 0)


# ---------------------------------------------------------------------------------------------------- the prize account


@pytest.mark.clause("FL-17")
def test_while_the_prize_account_is_short_the_games_of_its_link_stop(open_house: Opener) -> None:
    house = open_house(washington=True, tables=2, second_link=True)
    account = EnterAccount(link="L1", balance_cents=9_000_00, short=True, reference="statement of Monday")
    house.coin_in("T1", 1)
    assert house.not_allowed(lambda: house.do("s1", account)) == "role"
    house.do("a1", account)
    house.end("T1")
    for table in ("T1", "T2"):
        assert "prize account is short" in house.refused(lambda table=table: house.coin_in(table, 1)).sentence  # type: ignore[misc]
    house.coin_in("X1", 1)
    house.power_cut()
    house.refused(lambda: house.coin_in("T1", 1))
    house.do("a1", replace(account, balance_cents=10_000_00, short=False))
    house.coin_in("T1", 1)


# ----------------------------------------------------------------------------------------------- surveillance and taxes


def claim_of(house: House, hand: str = "royal_flush") -> WinLogged:
    """One spot wins; the win as it was logged."""
    house.coin_in("T1", 1)
    house.name("T1", 1, hand)
    house.record("T1", 1)
    logged: WinLogged = house.events(WinLogged)[-1]
    return logged


@pytest.mark.clause("FL-18")
@pytest.mark.parametrize("console", CONSOLES)
def test_a_win_over_3000_dollars_needs_surveillance_before_it_closes(open_house: Opener, console: Console) -> None:
    house = open_house(washington=True, console=console, seed=2_999_31)
    win = claim_of(house)
    assert (win.due.cents, win.surveillance) == (3_000_01, True)
    assert "surveillance" in house.refused(lambda: house.end("T1")).sentence
    entry = house.verify("T1", win.win)
    verified = only(entry, SurveillanceVerified)
    assert (entry.by, entry.at) == ("o1", house.clock())
    assert (verified.win, verified.observer, verified.player) == (win.win, "O1", "P. Layer")
    house.end("T1")


@pytest.mark.clause("FL-18")
def test_a_win_of_3000_dollars_needs_none(open_house: Opener) -> None:
    house = open_house(washington=True, seed=2_999_30)
    win = claim_of(house)
    assert (win.due.cents, win.surveillance) == (3_000_00, False)
    house.end("T1")


@pytest.mark.clause("FL-18")
def test_the_verification_is_of_that_win_and_names_who_and_whom(open_house: Opener) -> None:
    house = open_house(washington=True)
    win = claim_of(house)
    said = Surveillance(table="T1", win=win.win, player="P. Layer")
    assert house.refused(lambda: house.do("o1", replace(said, win=win.win + 1))).field == "win"
    assert house.refused(lambda: house.do("o1", replace(said, player=" "))).field == "player"
    house.refused(lambda: house.end("T1"))
    house.do("o1", said)
    house.end("T1")


@pytest.mark.clause("FL-7", "FL-18")
def test_nobody_but_surveillance_verifies_and_surveillance_changes_nothing_else(open_house: Opener) -> None:
    """With its own card it gives the two orders that record what it saw, and seconds a large late win; no other."""
    house = open_house(washington=True)
    said = Surveillance(table="T1", win=claim_of(house).win, player="P. Layer")
    for staff in STAFF:
        if staff != "o1":
            assert house.not_allowed(lambda staff=staff: house.do(staff, said)) == "role", staff
    orders = {kind for kind, right in PERMISSIONS.items() if "surveillance" in right.roles}
    seconds = {kind for kind, right in PERMISSIONS.items() if "surveillance" in right.seconds}
    assert (orders, seconds) == ({"surveillance", "verify_payout"}, {"pay_late_win"})
    assert house.do("o1", said).by == "o1"


@pytest.mark.clause("FL-18")
def test_a_win_that_was_undone_waits_for_no_surveillance(open_house: Opener) -> None:
    house = open_house(washington=True)
    win = claim_of(house)
    house.undo(win.win)
    house.end("T1")


@pytest.mark.clause("FL-18", "PR-36")
def test_a_late_win_over_3000_dollars_names_who_verified_it_and_who_won(open_house: Opener) -> None:
    house = open_house(washington=True, seed=2_999_31)
    house.coin_in("T1", 1)
    house.end("T1")
    for second in ("m2", "e1", "a1"):
        pay = partial(house.pay_late, "T1", 1, 1, "royal_flush", second=second, player="P. Layer")
        assert house.not_allowed(pay) == "second person", second
    assert house.refused(lambda: house.pay_late("T1", 1, 1, "royal_flush", second="o1")).field == "player"
    entry = house.pay_late("T1", 1, 1, "royal_flush", second="o1", player="P. Layer")
    late = only(entry, LateWinPaid)
    assert (late.cents, late.observer, late.player) == (3_000_01, "O1", "P. Layer")
    verified = win_record(house.store, late.win).verified
    assert verified is not None
    assert (verified.observer, verified.player, verified.recorded.entry) == ("O1", "P. Layer", entry.seq)


@pytest.mark.clause("FL-7")
def test_surveillance_does_not_second_a_late_win_that_it_need_not_verify(open_house: Opener) -> None:
    house = open_house(washington=True, seed=2_999_30)
    house.coin_in("T1", 1)
    house.end("T1")
    pay = partial(house.pay_late, "T1", 1, 1, "royal_flush", player="P. Layer")
    assert house.not_allowed(partial(pay, second="o1")) == "second person"
    late = only(pay(second="e1"), LateWinPaid)
    assert (late.cents, late.observer) == (3_000_00, "")


@pytest.mark.clause("FL-18")
def test_elsewhere_the_policy_is_off(open_house: Opener) -> None:
    house = open_house(washington=False)
    assert not claim_of(house).surveillance
    house.end("T1")


@pytest.mark.clause("FL-18")
@pytest.mark.parametrize(
    ("at", "table", "cents", "flagged"),
    [
        ("2025-12-31 20:00", "CSTUD-01", 600_00, True),
        ("2025-12-31 20:00", "CSTUD-01", 599_99, False),
        ("2026-01-01 20:00", "CSTUD-01", 600_00, False),
        ("2026-01-01 20:00", "CSTUD-01", 1_999_99, False),
        ("2026-01-01 20:00", "CSTUD-01", 2_000_00, True),
        ("2025-12-31 20:00", "CSTUD-12", 1_500_00, True),
        ("2025-12-31 20:00", "CSTUD-12", 1_499_99, False),
    ],
)
def test_a_win_that_needs_a_tax_form_is_flagged_by_the_days_threshold_and_300_times_the_wager(
    open_house: Opener, at: str, table: str, cents: int, flagged: bool
) -> None:
    contributed = 70 if table == "CSTUD-01" else 3_50
    house = open_house(washington=True, at=at, table=table, seed=cents - contributed)
    win = claim_of(house)
    assert win.due.cents == cents
    assert win.tax_form is flagged
    assert house.round().wins[0].tax_form is flagged


@pytest.mark.clause("FL-18")
def test_the_thresholds_are_a_dated_table_and_the_gaming_day_decides(open_house: Opener) -> None:
    """At three in the morning of New Year's Day it is still the gaming day before."""
    night = open_house(washington=True, at="2026-01-01 03:00", seed=1_000_00)
    morning = open_house(washington=True, at="2026-01-01 06:00", seed=1_000_00)
    assert claim_of(night).tax_form
    assert not claim_of(morning).tax_form
    later = replace(night.config.policies, tax_forms=(Dated("2026-06-01", 700_00), Dated("2020-01-01", 600_00)))
    for day, cents, flagged in (
        ("2019-12-31", 10_000_00, False),
        ("2026-05-31", 600_00, True),
        ("2026-06-01", 699_99, False),
        ("2026-06-01", 700_00, True),
    ):
        assert needs_tax_form(later, cents, 1_00, day) is flagged
