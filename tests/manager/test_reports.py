"""Reports: every figure counted a second time from the postings, books that do not reconcile, and the commands."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
import typer
import typst
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.manager.floor_kit import House

from houseway.books import accruals, pdf
from houseway.books import meter_history as history
from houseway.books.meter_history import meter_history
from houseway.books.period import money, plain
from houseway.books.reports import FIELDS, GROUPINGS, Group, Report, report
from houseway.books.win_record import win_record
from houseway.commands import reports as commands
from houseway.manager import commands as office
from houseway.manager import events as tell
from houseway.manager.entry import Entry, row_of
from houseway.manager.gaming_day import MICROS as SECOND
from houseway.manager.ledger import postings_of, totals_of
from houseway.manager.store import open_store, restore
from houseway.manager.store.base import EMPTY, Head, Posting, Row, TotalKey
from houseway.progressive.terms import MICROS_PER_CENT
from houseway.refusal import Refusal
from houseway.table.config import Policies
from houseway.table.progressive_round import events as at_table

POLICIES = Policies(site="Test house", jurisdiction="Washington")
FIRST = date(2026, 3, 1)
DAYS = [FIRST + timedelta(days=number) for number in range(4)]
THREE_METERS: dict[str, Any] = {
    "table": "ML03",
    "wager": 500,
    "contribution": {"mega": "12.34%", "major": "5.55%", "minor": "1.01%"},
    "reserve": {"mega": "0.77%", "major": "0%", "minor": "0.13%"},
    "seed": {"mega": 10_000_00, "major": 1_000_00, "minor": 100_00},
    "executive_from_cents": 10**9,
}


# ------------------------------------------------------------------------------------------------ money, for people


@pytest.mark.parametrize(
    ("micros", "shown", "for_spreadsheets"),
    [
        (0, "$0.00", "0.00"),
        (1, "$0.000001", "0.000001"),
        (-1, "-$0.000001", "-0.000001"),
        (10_000, "$0.01", "0.01"),
        (1_234_560_000, "$1,234.56", "1234.56"),
        (1_234_567_890, "$1,234.56789", "1234.56789"),
        (-1_234_567_800_000, "-$1,234,567.80", "-1234567.80"),
        (999_999, "$0.999999", "0.999999"),
    ],
)
def test_money_is_exact_and_has_no_more_decimals_than_it_needs(micros: int, shown: str, for_spreadsheets: str) -> None:
    assert (money(micros), plain(micros)) == (shown, for_spreadsheets)


@given(st.integers(-(10**18), 10**18))
def test_money_can_be_read_back(micros: int) -> None:
    text = money(micros)
    whole, _, decimals = text.replace("$", "").replace(",", "").replace("-", "").partition(".")
    assert (-1 if text.startswith("-") else 1) * (int(whole) * 10**6 + int(decimals.ljust(6, "0"))) == micros
    assert len(decimals) == 2 or decimals[-1] != "0"


def test_another_currency_is_named() -> None:
    assert money(1_500_000, "EUR") == "EUR 1.50"


# ------------------------------------------------------------------------- a floor's worth of entries, held in memory


class Memory:
    """A store of a few entries. What a report must not read is not there: it would fail."""

    name = "memory"

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self.rows: list[Row] = []
        self.kept: list[Posting] = []
        self.sums: dict[TotalKey, int] = {}
        for entry in entries:
            self.add(entry)

    def add(self, entry: Entry) -> None:
        self.rows.append(row_of(entry, self.head()))
        made = postings_of(entry)
        self.kept += made
        totals_of(entry, made, self.sums)

    def head(self) -> Head:
        return Head(self.rows[-1].seq, self.rows[-1].hash) if self.rows else EMPTY

    def entry(self, seq: int) -> Row | None:
        return self.rows[seq - 1] if 0 < seq <= len(self.rows) else None

    def totals(self, first_day: str | None = None, last_day: str | None = None) -> dict[TotalKey, int]:
        return {
            key: micros
            for key, micros in self.sums.items()
            if (first_day or "") <= key.day and (last_day is None or key.day <= last_day)
        }

    def balances(self, before_day: str | None = None) -> dict[str, int]:
        found: dict[str, int] = {}
        for key, micros in self.sums.items():
            if before_day is None or key.day < before_day:
                found[key.account] = found.get(key.account, 0) + micros
        return found


def entry(seq: int, day: date, *events: tell.Event, table: str = "") -> Entry:
    at = (day - date(1970, 1, 1)).days * 86_400 * SECOND + seq
    return Entry(
        seq=seq,
        at=at,
        day=day.isoformat(),
        order=f"o{seq}",
        digest="",
        by="somebody",
        second="",
        kind="test",
        table=table,
        round=1,
        events=events,
    )


METERS = {"L1": ("mega", "minor"), "L2": ("main",)}
TABLES = {"T1": "L1", "T2": "L1", "T3": "L2"}


class Maker:
    """Makes events that a floor could have made, and keeps its own, simple books of what is where."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.holds = {(link, meter, part): 0 for link in METERS for meter in METERS[link] for part in ("value", "kept")}

    def some(self, most: int) -> int:
        return self.random.choice((0, most, self.random.randint(0, most), self.random.randint(0, most // 7)))

    def move(self, link: str, meter: str, value: int, reserve: int) -> None:
        self.holds[link, meter, "value"] += value
        self.holds[link, meter, "kept"] += reserve

    def event(self) -> tuple[tell.Event, str]:
        """Something that happened, and the table it happened at."""
        table = self.random.choice(list(TABLES))
        link = TABLES[table]
        meter = self.random.choice(METERS[link])
        made = self.random.choice(
            (
                *(self.locked, self.locked, self.locked, self.corrected, self.paid, self.envied, self.voided),
                *(self.opened, self.adjusted, self.undone, self.late, self.transferred),
            )
        )(table, link, meter)
        return made, getattr(made, "table", "")

    def parts(self, link: str, wager_micros: int) -> tuple[dict[str, int], dict[str, int], dict[str, int], int]:
        left = wager_micros
        meters, reserves, excess = {}, {}, {}
        for name in METERS[link]:
            meters[name] = self.some(left // 3)
            reserves[name] = self.some(left // 5)
            excess[name] = self.some(reserves[name])
            left -= meters[name] + reserves[name]
        return meters, reserves, excess, left

    def locked(self, table: str, link: str, meter: str) -> tell.Event:
        cents, spots = self.random.choice((100, 250, 500)), tuple(range(1, self.random.randint(1, 7)))
        meters, reserves, excess, kept = self.parts(link, cents * len(spots) * MICROS_PER_CENT)
        for name in METERS[link]:
            self.move(link, name, meters[name], reserves[name])
        return at_table.LockedIn(
            table=table, round=1, link=link, terms=1, spots=spots, wager_cents=cents,
            meters=meters, reserves=reserves, excess=excess, kept=kept,
        )  # fmt: skip

    def corrected(self, table: str, link: str, meter: str) -> tell.Event:
        meters, reserves, excess, kept = self.parts(link, 100 * MICROS_PER_CENT)
        for name in METERS[link]:
            self.move(link, name, meters[name], reserves[name])
        return at_table.CountCorrected(
            table=table, round=1, link=link, spot=2, wagered=True, wager_cents=100, reason="slid off",
            meters=meters, reserves=reserves, excess=excess, kept=kept,
        )  # fmt: skip

    def paid(self, table: str, link: str, meter: str) -> tell.Event:
        value, reserve = self.holds[link, meter, "value"], self.holds[link, meter, "kept"]
        whole = self.random.random() < 0.3
        from_meter = value if whole else self.some(value)
        seed, from_reserve = (self.some(10**9), reserve) if whole else (0, 0)
        shortfall = self.some(10**7)
        self.move(link, meter, seed + from_reserve - from_meter, -from_reserve)
        return at_table.WinPaid(
            table=table, round=1, link=link, win=1, spot=1, meter=meter, from_meter=from_meter,
            from_tray=shortfall + self.some(10**8), shortfall=shortfall, seed=seed, from_reserve=from_reserve,
            reseeded=whole, before=value, after=self.holds[link, meter, "value"],
        )  # fmt: skip

    def envied(self, table: str, link: str, meter: str) -> tell.Event:
        return at_table.EnvyPaid(table=table, round=1, link=link, spot=1, win=1, winner=2, cents=self.some(100_000))

    def voided(self, table: str, link: str, meter: str) -> tell.Event:
        off = {name: self.some(self.holds[link, name, "value"]) for name in METERS[link]}
        reserves = {name: self.some(self.holds[link, name, "kept"]) for name in METERS[link]}
        covered = self.some(10**8)
        for name in METERS[link]:
            self.move(link, name, -off[name], -reserves[name])
        return at_table.RoundVoided(
            table=table, round=1, link=link, cause="four cards", malfunction=True, spots=(1,), meters=off,
            reserves=reserves, covered=covered, short=0, returned=covered + sum(off.values()) + sum(reserves.values()),
        )  # fmt: skip

    def opened(self, table: str, link: str, meter: str) -> tell.Event:
        taken_over = self.random.random() < 0.5
        value, reserve = self.some(10**10), self.some(10**8) if taken_over else 0
        self.move(link, meter, value, reserve)
        return tell.MeterOpened(
            link=link, meter=meter, taken_over=taken_over, value=value, reserve=reserve, reference="reading"
        )

    def changes(self, link: str, meter: str) -> tuple[int, int]:
        value, reserve = self.holds[link, meter, "value"], self.holds[link, meter, "kept"]
        change = self.random.choice((self.some(10**8), -self.some(value))), self.random.choice((0, -self.some(reserve)))
        self.move(link, meter, *change)
        return change

    def adjusted(self, table: str, link: str, meter: str) -> tell.Event:
        on_meter, on_reserve = self.changes(link, meter)
        return tell.MeterAdjusted(
            link=link, meter=meter, meter_change=on_meter, reserve_change=on_reserve, house=-on_meter - on_reserve,
            reason="malfunction", explanation="as counted",
        )  # fmt: skip

    def undone(self, table: str, link: str, meter: str) -> tell.Event:
        on_meter, on_reserve = self.changes(link, meter)
        players = -self.some(10**8)
        return tell.WinUndone(
            win=1, link=link, table=table, round=1, spot=1, meter=meter, players=players, meter_change=on_meter,
            reserve_change=on_reserve, house=-players - on_meter - on_reserve, covered=0, reason="malfunction",
            explanation="misread",
        )  # fmt: skip

    def late(self, table: str, link: str, meter: str) -> tell.Event:
        value, reserve = self.holds[link, meter, "value"], self.holds[link, meter, "kept"]
        from_meter, seed, from_reserve = self.some(value), self.some(10**9), self.some(reserve)
        self.move(link, meter, seed + from_reserve - from_meter, -from_reserve)
        return tell.LateWinPaid(
            win=1, link=link, table=table, round=1, spot=1, hand="flush", meter=meter, cents=1, from_meter=from_meter,
            from_house=self.some(10**7), seed=seed, from_reserve=from_reserve, reseeded=bool(seed), before=value,
            after=0, tax_form=False, evidence="camera", observer="", player="", reason="won",
        )  # fmt: skip

    def transferred(self, table: str, link: str, meter: str) -> tell.Event:
        to_link, to_meter = self.random.choice([(to, name) for to in METERS for name in METERS[to]])
        value, reserve = self.holds[link, meter, "value"], self.holds[link, meter, "kept"]
        self.move(link, meter, -value, -reserve)
        self.move(to_link, to_meter, value, reserve)
        return tell.MeterTransferred(
            link=link, meter=meter, to_link=to_link, to_meter=to_meter, value=value, reserve=reserve,
            authority="letter", retired=False,
        )  # fmt: skip


class Made(NamedTuple):
    store: Memory
    readings: dict[date, dict[tuple[str, str, str], int]]
    """The maker's own books at the end of each day."""


def made_up(seed: int, size: int) -> Made:
    random = Random(seed)
    maker, store, readings = Maker(random), Memory(), {}
    seq = 0
    for day in DAYS:
        for _ in range(random.randint(0, size)):
            seq += 1
            event, table = maker.event()
            store.add(entry(seq, day, event, table=table))
        readings[day] = dict(maker.holds)
    return Made(store, readings)


SEEDS = st.integers(0, 10**9)
SIZES = st.sampled_from((0, 1, 3, 12, 40))
PERIODS = st.tuples(st.integers(0, 3), st.integers(0, 3)).map(sorted)


@settings(deadline=None)
@given(SEEDS, SIZES, PERIODS)
def test_whatever_happens_a_report_reconciles(seed: int, size: int, period: list[int]) -> None:
    made = made_up(seed, size)
    first, last = DAYS[period[0]], DAYS[period[1]]
    for by in GROUPINGS:
        found = report(made.store, POLICIES, first, last, by)
        assert found.defects == ()
        assert found.notes == ()
        adds_up(found)
        is_what_the_postings_say(found, made.store)
        closes_at(found, made.readings, last)
        if first > DAYS[0]:
            opens_at(found, made.readings, first - timedelta(days=1))


def adds_up(found: Report) -> None:
    """Every figure of all groups together is that of the whole, and every group opens and closes on its own figures."""
    for name in FIELDS:
        assert sum(group.micros(name) for group in found.groups) == found.total.micros(name), name
    for group in (*found.groups, found.total):
        assert group.micros("coin_in") == sum(
            group.micros(name) for name in ("contributions", "reserve", "over_maximum", "kept")
        ) or (found.by == "meter")
        if group.opening is None or group.closing is None:
            continue
        assert group.opening.meter + meter_change(group) == group.closing.meter
        assert group.opening.reserve + reserve_change(group) == group.closing.reserve


def meter_change(group: Group) -> int:
    """In words of the report: what came to a meter less what went."""
    figure = group.micros
    came = figure("contributions") + figure("seeds") + figure("reseeds_from_reserve") + figure("taken_over_to_meter")
    other = figure("adjustments_of_meter") + figure("transfers_of_meter") + figure("voids_of_meter")
    return came + other + figure("count_corrections_of_meter") - figure("awards_from_meter")


def reserve_change(group: Group) -> int:
    figure = group.micros
    came = figure("reserve") + figure("over_maximum") + figure("seeds_of_reserve") + figure("taken_over_to_reserve")
    other = figure("adjustments_of_reserve") + figure("transfers_of_reserve") + figure("voids_of_reserve")
    return came + other + figure("count_corrections_of_reserve") - figure("reseeds_from_reserve")


def is_what_the_postings_say(found: Report, store: Memory) -> None:
    """Second opinion: every posting of the period, one by one, put where a clerk would."""
    days = {row.seq: row.day for row in store.rows}
    at = {row.seq: row.table for row in store.rows}
    counted: dict[tuple[str, str], int] = {}
    for posting in store.kept:
        day = days[posting.seq]
        if not found.first.isoformat() <= day <= found.last.isoformat():
            continue
        kind, _, rest = posting.account.partition("/")
        whose = {"day": day, "table": at[posting.seq], "link": rest.split("/")[0], "meter": rest}[found.by]
        for name, field in FIELDS.items():
            if (field.purpose, field.kind) == (posting.purpose, kind) and not (
                kind == "players" and found.by in ("link", "meter")
            ):
                counted[whose, name] = counted.get((whose, name), 0) + field.sign * posting.micros
    shown = {
        (group.key, name): group.micros(name)
        for group in found.groups
        for name, field in FIELDS.items()
        if not (field.kind == "players" and found.by in ("link", "meter"))
    }
    assert {place: micros for place, micros in shown.items() if micros} == {
        place: micros for place, micros in counted.items() if micros
    }


def closes_at(found: Report, readings: dict[date, dict[tuple[str, str, str], int]], day: date) -> None:
    held = readings[day]
    assert found.total.closing == (
        sum(micros for (_, _, part), micros in held.items() if part == "value"),
        sum(micros for (_, _, part), micros in held.items() if part == "kept"),
    )
    for group in found.groups:
        if found.by == "meter" and "/" in group.key:
            link, meter = group.key.split("/")
            assert group.closing == (held[link, meter, "value"], held[link, meter, "kept"])
        if found.by == "link":
            meters = METERS[group.key]
            assert group.closing == tuple(
                sum(held[group.key, one, part] for one in meters) for part in ("value", "kept")
            )


def opens_at(found: Report, readings: dict[date, dict[tuple[str, str, str], int]], day: date) -> None:
    held = readings[day]
    assert found.total.opening == (
        sum(micros for (_, _, part), micros in held.items() if part == "value"),
        sum(micros for (_, _, part), micros in held.items() if part == "kept"),
    )


# --------------------------------------------------------------------------------------- books that do not reconcile


@settings(deadline=None)
@given(SEEDS, st.sampled_from((1, -1, 10_000, -123_456_789)), st.data())
def test_one_wrong_total_is_named(seed: int, by_micros: int, data: st.DataObject) -> None:
    """Any total that is changed by any amount: the defect names its day, its table and its purpose."""
    store = made_up(seed, 12).store
    if not store.sums:
        return
    key = data.draw(st.sampled_from(sorted(store.sums)))
    store.sums[key] += by_micros
    wrong = "; ".join(report(store, POLICIES, DAYS[0], DAYS[-1], data.draw(st.sampled_from(GROUPINGS))).defects)
    assert key.day in wrong
    assert (key.table or "Game Manager") in wrong
    assert key.purpose in wrong


@settings(deadline=None)
@given(SEEDS)
def test_a_wrong_total_before_the_period_is_noticed(seed: int) -> None:
    store = made_up(seed, 5).store
    if not (before := [key for key in store.sums if key.day < DAYS[2].isoformat()]):
        return
    store.sums[before[0]] += 1
    found = report(store, POLICIES, DAYS[2], DAYS[3], "link")
    assert f"before {DAYS[2]}: all accounts together hold $0.000001 and not zero" in found.defects


def one_round() -> Memory:
    store = Memory()
    store.add(
        entry(1, FIRST, tell.MeterOpened(link="L", meter="m", taken_over=False, value=10**9, reserve=0, reference=""))
    )
    store.add(
        entry(
            2,
            FIRST,
            at_table.LockedIn(
                table="T", round=1, link="L", terms=1, spots=(1, 2), wager_cents=100, meters={"m": 1_400_000},
                reserves={"m": 100_000}, excess={}, kept=500_000,
            ),
            table="T",
        )
    )  # fmt: skip
    return store


class Drifting(Memory):
    """A store whose balance of one account is not the sum of its totals, from a day on."""

    def balances(self, before_day: str | None = None) -> dict[str, int]:
        found = super().balances(before_day)
        if before_day is None or before_day > FIRST.isoformat():
            found["meter/L/m"] += 1
        return found


def test_a_drifting_balance_is_named() -> None:
    store = one_round()
    store.__class__ = Drifting
    for by in GROUPINGS:
        (defect,) = report(store, POLICIES, FIRST, FIRST, by).defects
        assert defect == (
            "meter/L/m before 2026-03-02: the totals sum to $1,001.40, the balance is $1,001.400001"
        )  # fmt: skip


@pytest.mark.parametrize(
    ("account", "purpose", "micros", "says"),
    [
        ("meter/L/m", "tip", 5, "does not know"),
        ("pocket/L", "kept", 5, "does not know"),
        ("house/L", "contribution", 5, "never moves"),
        ("meter/L/m", "award from meter", 5, "goes the wrong way"),
        ("players/T", "coin-in", 5, "goes the wrong way"),
    ],
)
def test_money_where_none_belongs_is_named(account: str, purpose: str, micros: int, says: str) -> None:
    store = one_round()
    store.sums[TotalKey("2026-03-01", "X", account, purpose)] = micros
    found = report(store, POLICIES, FIRST, FIRST, "day").defects
    assert any(says in defect and account in defect and purpose in defect for defect in found)


def test_a_meter_below_zero_is_named() -> None:
    store = one_round()
    for account, micros in (("meter/L/m", -2 * 10**9), ("house/L", 2 * 10**9)):
        store.sums[TotalKey("2026-03-01", "", account, "adjustment")] = micros
    assert report(store, POLICIES, FIRST, FIRST, "day").defects == (
        "meter/L/m holds -$998.60 at the end of 2026-03-01; nothing holds less than zero",
    )
    assert report(store, POLICIES, FIRST + timedelta(days=1), FIRST + timedelta(days=1), "day").defects == (
        "meter/L/m holds -$998.60 at the end of 2026-03-02; nothing holds less than zero",
    )


class Busy(Memory):
    """A floor that writes an entry whenever somebody looks."""

    writes = 0

    def totals(self, first_day: str | None = None, last_day: str | None = None) -> dict[TotalKey, int]:
        found = super().totals(first_day, last_day)
        if self.writes:
            self.writes -= 1
            seq = len(self.rows) + 1
            envy = at_table.EnvyPaid(table="T", round=1, link="L", spot=1, win=1, winner=2, cents=5)
            self.add(entry(seq, FIRST, envy, table="T"))
        return found


@pytest.mark.parametrize(("writes", "settled"), [(1, True), (4, True), (10_000, False)])
def test_a_floor_that_writes_meanwhile_is_no_defect(writes: int, settled: bool) -> None:
    """Books of two moments would not agree. A pause is waited for; without one, the days that are over are checked."""
    store = one_round()
    store.__class__ = Busy
    store.writes = writes
    found = report(store, POLICIES, FIRST, FIRST, "day")
    assert found.defects == ()
    assert (found.notes == ()) == settled
    if not settled:
        assert "2026-03-01 and later days could not be held against the balances" in found.notes[0]


def test_a_report_reads_nothing_but_totals_and_balances() -> None:
    """What it costs does not grow with the journal: the store here has no way to read one."""
    store = made_up(1, 40).store
    assert not hasattr(store, "entries")
    assert not hasattr(store, "postings")
    assert report(store, POLICIES, DAYS[0], DAYS[-1], "day").total.micros("coin_in") > 0


# ----------------------------------------------------------------------------------------------------- a real floor


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Any]:
    made = House(
        tmp_path, tables=2, console={"T1": "touch", "T2": "keypad", "X1": "touch"}, second_link=True, **THREE_METERS
    )
    yield made
    made.floor.close()


def busy_evening(house: Any) -> None:
    """A bit of everything, over midnight and into the next gaming day."""
    house.coin_in("T1", 1, 3, 5)
    house.coin_in("T2", 2, 4)
    house.correct("T2", 6, True)
    house.win("T1", 3, "royal_flush")
    house.win("T1", 5, "full_house")
    house.end("T1")
    house.win("T2", 4, "four_of_a_kind")
    house.end("T2")
    house.clock.set("2026-03-02 05:59")
    house.coin_in("X1", 1, 2)
    house.name("X1", 2, "straight_flush")
    house.clock.set("2026-03-02 06:00")
    house.confirm("X1", 2)
    house.end("X1")
    house.coin_in("T1", 1, 2)
    house.void("T1", malfunction=True)
    house.adjust(-123, "seed_recovered", meter="mega")
    house.coin_in("T1", 1, 2)
    win = house.win("T1", 1, "four_of_a_kind")
    house.undo(win)
    house.end("T1")
    house.pay_late("T1", 3, 2, "straight")
    house.transfer("minor", "minor", to_link="L2")


def test_a_busy_evening_reconciles_by_everything(house: Any) -> None:
    busy_evening(house)
    state = house.state
    for by in GROUPINGS:
        found = report(house.store, state.policies, FIRST, FIRST + timedelta(days=1), by)
        assert found.defects == ()
        adds_up(found)
        held = [meter for link in state.links.values() for meter in link.meters.values()]
        assert found.total.closing == (sum(one.value for one in held), sum(one.reserve for one in held))
        assert found.head == house.store.head()
    meters = {group.key: group for group in report(house.store, state.policies, FIRST, DAYS[1], "meter").groups}
    for link in state.links.values():
        for name, meter in link.meters.items():
            assert meters[f"{link.id}/{name}"].closing == (meter.value, meter.reserve)


def test_coin_in_counts_on_its_own_day_and_a_win_on_the_day_it_is_confirmed(house: Any) -> None:
    """FL-24: the round was locked in a minute before the day began, its win confirmed as it did."""
    house.clock.set("2026-03-02 05:59")
    house.coin_in("X1", 1, 2)
    house.name("X1", 2, "straight_flush")
    house.clock.set("2026-03-02 06:00")
    house.confirm("X1", 2)
    first, second = report(house.store, POLICIES, FIRST, DAYS[1], "day").groups
    assert (first.micros("coin_in"), first.micros("awards_from_meter")) == (10_000_000, 0)
    assert (second.micros("coin_in"), second.micros("awards_from_meter")) == (0, 1_000_550_000 // 10_000 * 10_000)
    assert first.closing == second.opening


def test_a_transfer_between_links_is_nobodys_winnings(house: Any) -> None:
    house.transfer("minor", "minor", to_link="L2")
    groups = {group.key: group for group in report(house.store, POLICIES, FIRST, FIRST, "link").groups}
    assert groups["L1"].micros("transfers_of_meter") == -100_000_000
    assert groups["L2"].micros("transfers_of_meter") == 100_000_000
    assert all(
        not micros for group in groups.values() for (_, kind), micros in group.flows.items() if kind == "players"
    )
    assert report(house.store, POLICIES, FIRST, FIRST, "link").total.micros("transfers_of_meter") == 0


def test_a_table_has_no_meter_of_its_own_but_changes_one(house: Any) -> None:
    house.coin_in("T1", 1)
    house.coin_in("T2", 1, 2)
    found = report(house.store, POLICIES, FIRST, FIRST, "table")
    changed = {group.label: group.change.meter for group in found.groups}
    assert changed == {"T1": 945_000, "T2": 1_890_000, "Game Manager": 22_200_000_000}
    assert all(group.opening is None and group.closing is None for group in found.groups)
    assert found.total.closing is not None
    assert found.total.closing.meter == sum(changed.values())


def test_a_planted_wrong_total_in_the_database_is_named(house: Any) -> None:
    busy_evening(house)
    house.floor.close()
    with sqlite3.connect(house.file) as database:
        changed = database.execute(
            "UPDATE totals SET micros = micros + 1 WHERE day = '2026-03-02' AND table_id = 'T1' AND purpose = 'kept'"
        )
        assert changed.rowcount == 1
    database.close()
    done = command(commands.report, "--from", "2026-03-01", "--to", "2026-03-02", "--db", str(house.file))
    assert done.code == 1
    assert "2026-03-02, table T1: the totals for coin-in" in done.err
    assert "Everything reconciles" not in done.out


# --------------------------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("first", "last", "by", "field"),
    [
        (DAYS[1], DAYS[0], "day", "from"),
        (date(1969, 12, 31), DAYS[0], "day", "from"),
        (DAYS[0], date.max, "link", "to"),
        (date(2000, 1, 1), date(2026, 1, 1), "day", "to"),
        (DAYS[0], DAYS[0], "spot", "by"),
    ],
)
def test_a_wrong_question_is_refused(first: date, last: date, by: Any, field: str) -> None:
    with pytest.raises(Refusal) as refused:
        report(one_round(), POLICIES, first, last, by)
    assert refused.value.field == field


def test_every_day_of_a_period_is_shown_and_days_to_come_are_empty() -> None:
    found = report(one_round(), POLICIES, FIRST - timedelta(days=2), FIRST + timedelta(days=2), "day")
    assert [group.closing.meter for group in found.groups if group.closing] == [0, 0, *[1_001_400_000] * 3]
    assert report(Memory(), POLICIES, FIRST, FIRST, "link").groups == ()
    assert report(Memory(), POLICIES, FIRST, FIRST, "link").total.closing == (0, 0)


# ------------------------------------------------------------------------------------------- FL-17: accruals by week


def test_accruals_are_gathered_by_day_meter_and_week(house: Any) -> None:
    house.coin_in("T1", 1, 2)
    house.correct("T1", 3, True)
    house.end("T1")
    house.clock.set("2026-03-04 12:00")
    house.coin_in("T1", 1)
    house.end("T1")
    week = accruals.accruals(house.store, house.state.policies, "L1", date(2026, 3, 1))
    assert (week.first, week.last) == (date(2026, 2, 23), date(2026, 3, 1))
    sunday = week.days[-1]
    assert {one.meter: (one.contributions, one.reserve, one.corrections) for one in sunday.meters} == {
        "mega": (1_234_000, 77_000, 655_500),
        "major": (555_000, 0, 277_500),
        "minor": (101_000, 13_000, 57_000),
    }
    assert week.accrued == sum(day.accrued for day in week.days) == sunday.accrued == 2_970_000
    following = accruals.accruals(house.store, house.state.policies, "L1", date(2026, 3, 5))
    assert [day.accrued for day in following.days] == [0, 0, 990_000, 0, 0, 0, 0]
    (first, second) = accruals.all_accruals(house.store, house.state.policies, date(2026, 3, 1))
    assert (first, second.accrued) == (week, 0)


def test_a_week_begins_where_the_site_says(tmp_path: Path) -> None:
    house = House(tmp_path, week_starts=6)
    week = accruals.accruals(house.store, house.state.policies, "L1", date(2026, 3, 1))
    assert (week.first, week.last) == (date(2026, 3, 1), date(2026, 3, 7))
    house.floor.close()


def test_awards_and_seeds_lower_and_raise_no_deposit(house: Any) -> None:
    house.coin_in("T1", 1, 2)
    before = accruals.accruals(house.store, house.state.policies, "L1", FIRST)
    house.win("T1", 1, "royal_flush")
    after = accruals.accruals(house.store, house.state.policies, "L1", FIRST)
    assert before.due_cents == after.due_cents == 198
    assert (before.awards, after.awards) == (0, 10_001_230_000)
    assert after.seeds - before.seeds == 10_000_000_000
    assert after.held == sum(one.value + one.reserve for one in house.link("L1").meters.values())


def test_a_void_that_takes_contributions_back_lowers_the_accrual(house: Any) -> None:
    house.coin_in("T1", 1, 2)
    house.void("T1", malfunction=True)
    week = accruals.accruals(house.store, house.state.policies, "L1", FIRST)
    assert (week.accrued, week.due_cents) == (0, 0)
    assert any(one.corrections for one in week.days[-1].meters)


def test_what_a_posted_maximum_leaves_over_accrues_to_the_reserve(tmp_path: Path) -> None:
    """FL-15: it comes from the wagers all the same."""
    house = House(tmp_path, reserve="5%", seed=100_00, maximum=100_50)
    house.coin_in("T1", 1, 2, 3)
    week = accruals.accruals(house.store, house.state.policies, "L1", FIRST)
    (main,) = week.days[-1].meters
    assert (main.contributions, main.reserve, main.accrued) == (500_000, 150_000 + 1_600_000, 2_250_000)
    link = report(house.store, POLICIES, FIRST, FIRST, "link").groups[0]
    assert (link.micros("reserve"), link.micros("over_maximum")) == (150_000, 1_600_000)
    house.floor.close()


def deposit(house: Any, cents: int, week: str = "2026-02-23", link: str = "L1") -> int:
    command = office.RecordDeposit(link=link, week=week, cents=cents, reference="slip 17")
    return house.do("a1", command).seq


def test_deposits_stand_beside_what_is_due(tmp_path: Path) -> None:
    house = House(tmp_path, contribution="12.34%", reserve="0.01%")
    house.coin_in("T1", 1, 2, 3)
    policies = house.state.policies
    week = accruals.accruals(house.store, policies, "L1", FIRST)
    assert (week.accrued, week.due_cents, week.difference_cents) == (370_500, 38, -38)
    house.clock.set("2026-03-04 12:00")
    numbers = [deposit(house, 30), deposit(house, 8, "2026-02-25"), deposit(house, 99, "2026-03-02")]
    week = accruals.accruals(house.store, policies, "L1", FIRST)
    assert [(one.entry, one.cents, one.by, one.reference) for one in week.deposits] == [
        (numbers[0], 30, "a1", "slip 17"),
        (numbers[1], 8, "a1", "slip 17"),
    ]
    assert (week.deposited_cents, week.difference_cents) == (38, 0)
    following = accruals.accruals(house.store, policies, "L1", date(2026, 3, 2))
    assert (following.deposited_cents, following.difference_cents) == (99, 99)
    house.floor.close()


def test_the_prize_account_is_shown_as_last_entered(house: Any) -> None:
    assert accruals.accruals(house.store, house.state.policies, "L1", FIRST).account is None
    for short in (True, False):
        house.do("a1", office.EnterAccount(link="L1", balance_cents=5, short=short, reference="statement 9"))
        week = accruals.accruals(house.store, house.state.policies, "L1", FIRST)
        assert week.account is not None
        assert (week.account.balance_cents, week.account.short) == (5, short)
        words = " ".join(pdf.accruals_words(week, "USD"))
        assert "statement 9" in words
        assert ("SHORT" in words) == short


def test_accruals_of_an_unknown_link_are_refused(house: Any) -> None:
    with pytest.raises(Refusal, match="'L9' is not a link of this floor; it has L1, L2"):
        accruals.accruals(house.store, house.state.policies, "L9", FIRST)


# ------------------------------------------------------------------------------------ FL-14: the history of a meter


def test_the_history_of_every_meter_is_its_postings_with_a_running_value(house: Any) -> None:
    busy_evening(house)
    for link in house.state.links.values():
        for name, meter in link.meters.items():
            moved = list(meter_history(house.store, link.id, name, FIRST, DAYS[1]))
            first, *rest = moved
            assert (first.purpose, first.meter_after_micros, first.reserve_after_micros) == ("brought forward", 0, 0)
            assert (rest[-1].meter_after_micros, rest[-1].reserve_after_micros) == (meter.value, meter.reserve)
            accounts = {"meter": f"meter/{link.id}/{name}", "reserve": f"reserve/{link.id}/{name}"}
            assert [(one.entry, accounts[one.part], one.purpose, one.micros) for one in rest] == [
                (one.seq, one.account, one.purpose, one.micros)
                for one in house.store.postings()
                if one.account in accounts.values()
            ]
            assert all(one.explanation and one.explanation != history.UNEXPLAINED for one in rest)


def test_every_kind_of_movement_is_explained(house: Any) -> None:
    busy_evening(house)
    told = {
        (one.purpose, one.explanation)
        for name in ("mega", "major", "minor")
        for one in meter_history(house.store, "L1", name, FIRST, DAYS[1])
    }
    for purpose, part in (
        ("seed", "the seed it begins with"),
        ("contribution", "3 wagers of $5.00 at table T1, round 1"),
        ("count corrected", "spot 6 of table T2, round 1, was in and had not been counted: chip slid off"),
        ("award from meter", "at table T1, spot 3"),
        ("reseed from reserve", "it starts again after win"),
        ("void", "round 2 of table T1 voided: four cards in a hand"),
        ("adjustment", "adjusted, because seed money is recovered: as found in the count"),
        ("adjustment", "undone, because a malfunction or a recorded mistake is corrected: the hand was misread"),
        ("transfer", "all of L1/minor to L2/minor: letter of 2026-02-01"),
    ):
        assert any(purpose == one and part in words for one, words in told), (purpose, part)


def test_a_history_begins_with_what_was_brought_forward(house: Any) -> None:
    house.coin_in("T1", 1)
    house.clock.set("2026-03-02 12:00")
    house.end("T1")
    house.coin_in("T1", 1)
    whole = list(meter_history(house.store, "L1", "mega", FIRST, DAYS[1]))
    second = list(meter_history(house.store, "L1", "mega", DAYS[1], DAYS[1]))
    assert second[0].meter_after_micros == 10_000_617_000
    assert second[1:] == [one for one in whole if one.day == "2026-03-02"]
    assert len(list(meter_history(house.store, "L1", "mega", DAYS[2], DAYS[3]))) == 1
    assert next(meter_history(house.store, "L1", "mega", date(1970, 1, 1), date(1970, 1, 2))).meter_after_micros == 0


def test_a_day_is_the_one_an_entry_was_booked_on(house: Any) -> None:
    """The policies change; the history of the days before does not."""
    from msgspec.structs import replace

    house.clock.set("2026-03-02 04:00")
    house.coin_in("T1", 1)
    house.end("T1")
    before = list(meter_history(house.store, "L1", "mega", FIRST, FIRST))
    policies = replace(house.config.policies, day_starts="00:00")
    house.reconfigure(replace(house.config, policies=policies))
    assert list(meter_history(house.store, "L1", "mega", FIRST, FIRST)) == before
    assert before[-1].day == "2026-03-01"


def test_a_long_history_is_read_piece_by_piece(house: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    busy_evening(house)
    whole = list(meter_history(house.store, "L1", "mega", FIRST, DAYS[1]))
    for size in (1, 2, 7):
        monkeypatch.setattr(history, "_CHUNK", size)
        assert list(meter_history(house.store, "L1", "mega", FIRST, DAYS[1])) == whole


def test_a_posting_that_its_entry_does_not_say_is_not_explained_away(house: Any) -> None:
    house.coin_in("T1", 1)
    house.floor.close()
    with sqlite3.connect(house.file) as database:
        database.execute(
            "UPDATE postings SET micros = micros + 1 WHERE purpose = 'contribution' AND account LIKE '%mega'"
        )
    database.close()
    store = open_store(str(house.file), create=False, read_only=True)
    assert [one.explanation for one in meter_history(store, "L1", "mega", FIRST, FIRST)][2] == history.UNEXPLAINED
    store.close()


@pytest.mark.parametrize(("link", "meter"), [("L1", "none"), ("L9", "mega"), ("", "")])
def test_the_history_of_an_unknown_meter_is_refused(house: Any, link: str, meter: str) -> None:
    with pytest.raises(Refusal, match="L1/major, L1/mega, L1/minor"):
        meter_history(house.store, link, meter, FIRST, FIRST)


# --------------------------------------------------------------------------------------- sections, and the documents


def test_a_section_adds_up_from_left_to_right(house: Any) -> None:
    busy_evening(house)
    for by in GROUPINGS:
        for section in pdf.sections(report(house.store, POLICIES, FIRST, DAYS[1], by)):
            assert section.total is not None
            for line in (*section.lines, section.total):
                assert len(line.cells) == len(section.headings)
                cells = dict(zip(section.headings, line.cells, strict=True))
                opening, closing = cells.pop("opening", None), cells.pop("closing", None)
                change = cells.pop("change", None)
                if opening is not None:
                    assert opening + sum(cells.values()) == closing
                if change is not None:
                    assert sum(cells.values()) == change
                if "in all" in cells:
                    whole = cells.pop("in all")
                    assert sum(cells.values()) == whole


def test_columns_in_which_nothing_moved_are_left_out() -> None:
    shown = pdf.sections(report(one_round(), POLICIES, FIRST, FIRST, "day"))
    assert {section.title: section.headings for section in shown} == {
        "Wagers, and what became of them": ("coin-in", "to meters", "to reserves", "kept"),
        "Meters": ("opening", "contributions", "seeds", "closing"),
        "Reserves": ("opening", "reserve", "closing"),
        "The house": ("kept", "seeds", "in all"),
    }


@pytest.mark.parametrize("width", [20, 60, 90, 120, 1_000])
def test_a_section_too_wide_for_its_paper_goes_on_below(house: Any, width: int) -> None:
    busy_evening(house)
    for section in pdf.sections(report(house.store, POLICIES, FIRST, DAYS[1], "day")):
        made = list(pdf.sheets(section, "USD", width))
        assert tuple(heading for sheet in made for heading in sheet.headings) == section.headings
        for sheet in made:
            assert len(sheet.rows) == len(section.lines)
            needed = 10 + sum(
                2 + max(len(heading), *(len(cells[place]) for _, cells in sheet.rows))
                for place, heading in enumerate(sheet.headings)
            )
            assert needed <= width or len(sheet.headings) == 1


def test_decimal_points_stand_one_below_the_other(house: Any) -> None:
    house.coin_in("T1", 1)
    for section in pdf.sections(report(house.store, POLICIES, FIRST, FIRST, "meter")):
        for sheet in pdf.sheets(section, "USD", 1_000):
            for place in range(len(sheet.headings)):
                column = [cells[place] for _, cells in sheet.rows if cells[place].strip()]
                assert len({len(text) - text.index(".") for text in column}) <= 1


def texts(name: str, data: dict[str, Any], label: str) -> list[str]:
    """What a document really shows under a label, in order."""
    found = typst.query(pdf.template(name), f"<{label}>", sys_inputs={"data": json.dumps(data)})
    return [_text(one) for one in json.loads(found)]


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "".join(map(_text, content))
    if not isinstance(content, dict):
        return ""
    if content.get("func") == "space":
        return " "
    return str(content.get("text", "")) or "".join(_text(content.get(part)) for part in ("body", "children", "child"))


def test_the_document_shows_every_figure(house: Any) -> None:
    busy_evening(house)
    made = report(house.store, POLICIES, FIRST, DAYS[1], "day")
    data = pdf.report_document(made)
    assert texts("report", data, "title") == ["Progressive report by day"]
    assert texts("report", data, "section") == [one["title"] for one in data["sections"]]
    wanted = [cell for one in data["sections"] for row in one["rows"] for cell in row["cells"]]
    assert texts("report", data, "figure") == wanted
    assert money(made.groups[0].micros("coin_in")) in wanted
    assert texts("report", data, "defect") == []


def test_the_document_says_loudly_what_does_not_reconcile() -> None:
    store = one_round()
    store.sums[TotalKey("2026-03-01", "T", "house/L", "kept")] += 1
    made = report(store, POLICIES, FIRST, FIRST, "day")
    assert texts("report", pdf.report_document(made), "defect") == list(made.defects)


def test_a_long_document_has_a_page_for_everything(house: Any, tmp_path: Path) -> None:
    made = report(house.store, POLICIES, FIRST, FIRST + timedelta(days=100), "day")
    assert len(pdf.picture("report", pdf.report_document(made))) > 3
    file = tmp_path / "long.pdf"
    pdf.report_pdf(made, file)
    content = file.read_bytes()
    assert content.startswith(b"%PDF-")
    pdf.report_pdf(made, file, force=True)
    assert file.read_bytes() == content
    assert [one.name for one in tmp_path.iterdir() if one.suffix in (".pdf", ".part")] == ["long.pdf"]


def test_words_of_people_are_not_typesetting(house: Any) -> None:
    """A reference with the signs of the typesetter in it is shown as it stands."""
    reference = "#panic() *a* $x$ \\ [b] <c> @d"
    house.do("a1", office.RecordDeposit(link="L1", week="2026-02-23", cents=1, reference=reference))
    weeks = accruals.all_accruals(house.store, POLICIES, FIRST)
    below = texts("report", pdf.accruals_document(weeks, POLICIES), "below")
    assert any(reference in one for one in below)


# ---------------------------------------------------------------------------------------------------- the commands


class Ran(NamedTuple):
    code: int
    out: str
    err: str


def command(function: Callable[..., None], *arguments: str) -> Ran:
    """Run a command as the program does: a refusal is one line on standard error and exit code 2."""
    app = typer.Typer(pretty_exceptions_enable=False, rich_markup_mode=None)
    app.command()(function)
    out, err = io.StringIO(), io.StringIO()
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = out, err
    try:
        code = typer.main.get_command(app).main(list(arguments), standalone_mode=False) or 0
    except Refusal as refusal:
        code = 2
        err.write(f"{refusal}\n")
    finally:
        sys.stdout, sys.stderr = before
    return Ran(code, out.getvalue(), err.getvalue())


@pytest.fixture
def evening(house: Any) -> str:
    busy_evening(house)
    house.clock.later(3_600)
    house.floor.close()
    return str(house.file)


PERIOD = ("--from", "2026-03-01", "--to", "2026-03-02")


@pytest.mark.parametrize("by", GROUPINGS)
def test_a_report_on_the_screen_as_json_and_as_csv_is_the_same(evening: str, by: str) -> None:
    shown = command(commands.report, *PERIOD, "--by", by, "--db", evening)
    assert (shown.code, shown.err) == (0, "")
    assert "Everything reconciles" in shown.out
    data = json.loads(command(commands.report, *PERIOD, "--by", by, "--db", evening, "--json").out)
    assert (data["from"], data["to"], data["by"], data["defects"]) == ("2026-03-01", "2026-03-02", by, [])
    assert money(data["total"]["coin_in_micros"]) in shown.out
    rows = list(
        csv.DictReader(io.StringIO(command(commands.report, *PERIOD, "--by", by, "--db", evening, "--csv").out))
    )
    assert [row[by] for row in rows] == [group["key"] for group in data["groups"]]
    for row, group in zip(rows, data["groups"], strict=True):
        for name in row.keys() - {by}:
            micros = group[f"{name}_micros"]
            assert row[name] == ("" if micros is None else plain(micros)), name


def test_a_report_of_today_needs_no_days(evening: str) -> None:
    data = json.loads(command(commands.report, "--db", evening, "--json").out)
    assert data["from"] == data["to"]
    assert data["total"]["coin_in_micros"] == 0
    assert data["total"]["opening_meter_micros"] == data["total"]["closing_meter_micros"] > 0


def test_reading_changes_nothing(evening: str) -> None:
    before = Path(evening).read_bytes()
    for function, arguments in (
        (commands.report, PERIOD),
        (commands.accruals, ("--day", "2026-03-01")),
        (commands.history, ("L1", "mega", *PERIOD)),
    ):
        assert command(function, *arguments, "--db", evening).code == 0
    assert Path(evening).read_bytes() == before


def test_accruals_on_the_screen_as_json_and_as_csv(evening: str) -> None:
    shown = command(commands.accruals, "--day", "2026-03-01", "--db", evening)
    data = json.loads(command(commands.accruals, "--day", "2026-03-01", "--db", evening, "--json").out)
    assert [week["link"] for week in data] == ["L1", "L2"]
    for week in data:
        assert f"To be deposited for the week: {money(week['due_cents'] * MICROS_PER_CENT)}" in shown.out
    rows = list(
        csv.DictReader(io.StringIO(command(commands.accruals, "--day", "2026-03-01", "--db", evening, "--csv").out))
    )
    assert [row["accrued"] for row in rows] == [
        plain(meter["accrued_micros"]) for week in data for day in week["days"] for meter in day["meters"]
    ]
    only = json.loads(command(commands.accruals, "--day", "2026-03-01", "--link", "L2", "--db", evening, "--json").out)
    assert only == data[1:]


def test_a_history_on_the_screen_as_json_and_as_csv(evening: str) -> None:
    arguments = ("L1", "mega", *PERIOD, "--db", evening)
    data = json.loads(command(commands.history, *arguments, "--json").out)
    rows = list(csv.DictReader(io.StringIO(command(commands.history, *arguments, "--csv").out)))
    assert [(row["entry"], row["change"], row["explanation"]) for row in rows] == [
        (str(one["entry"]), plain(one["micros"]), one["explanation"]) for one in data
    ]
    shown = command(commands.history, *arguments)
    assert shown.code == 0
    assert all(money(one["meter_after_micros"]) in shown.out for one in data)


@pytest.mark.parametrize(
    ("function", "arguments"), [(commands.report, PERIOD), (commands.accruals, ("--day", "2026-03-01"))]
)
def test_a_document_is_written_once_and_replaced_only_when_forced(
    evening: str, tmp_path: Path, function: Callable[..., None], arguments: tuple[str, ...]
) -> None:
    file = tmp_path / "document.pdf"
    done = command(function, *arguments, "--db", evening, "-o", str(file))
    assert (done.code, done.err) == (0, "")
    assert str(file) in done.out
    first = file.read_bytes()
    assert first.startswith(b"%PDF-")
    file.write_bytes(b"mine")
    refused = command(function, *arguments, "--db", evening, "-o", str(file))
    assert (refused.code, refused.out, file.read_bytes()) == (2, "", b"mine")
    assert "exists already" in refused.err
    assert command(function, *arguments, "--db", evening, "-o", str(file), "--force").code == 0
    assert file.read_bytes() == first


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--from", "2026-03-02", "--to", "2026-03-01"), "from: 2026-03-02 is after 2026-03-01"),
        (("--from", "yesterday"), "--from: 'yesterday' is not a day; write it as 2026-11-30"),
        (("--from", "20260301"), "is not a day"),
        (("--from", "2026-W09-7"), "is not a day"),
        (("--from", "2026-02-30"), "is not a day"),
        (("--to", "x" * 5_000), "--to: "),
        (("--from", "9999-12-31"), "out of range"),
        (("--from", "0001-01-01", "--to", "2026-01-01"), "out of range"),
        (("--by", "spot"), "--by: 'spot' is no grouping; allowed are day, table, link, meter"),
        (("--json", "--csv"), "--csv: stands beside --json"),
        (("--json", "-o", "a.pdf"), "--output: stands beside --json"),
        (("--force",), "--force: "),
        (("-o", "report.txt"), "must end in .pdf"),
        (("-o", "/nowhere/at/all/report.pdf"), "there is no folder /nowhere/at/all"),
        (("-o", "."), "must end in .pdf"),
    ],
)
def test_a_wrong_report_is_one_sentence(evening: str, arguments: tuple[str, ...], says: str) -> None:
    done = command(commands.report, *arguments, "--db", evening)
    assert (done.code, done.out, len(done.err.splitlines())) == (2, "", 1)
    assert says in done.err
    assert len(done.err) < 300


def test_a_file_that_cannot_be_written_is_one_sentence(evening: str, tmp_path: Path) -> None:
    folder = tmp_path / "folder.pdf"
    folder.mkdir()
    loop = tmp_path / "loop.pdf"
    loop.symlink_to(loop)
    long = tmp_path / f"{'x' * 300}.pdf"
    for target in (folder, loop, long):
        for force in ((), ("--force",)):
            done = command(commands.report, *PERIOD, "--db", evening, "-o", str(target), *force)
            if target is loop and force:
                continue
            assert (done.code, done.out, len(done.err.splitlines())) == (2, "", 1), target
    assert not list(tmp_path.glob("*.part"))
    assert not list(tmp_path.glob(".*.part"))


def test_a_disk_that_is_full_leaves_nothing_behind(
    evening: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(io.BytesIO):
        def write(self, content: Any) -> int:
            raise OSError(28, "No space left on device")

    def full(self: Path, mode: str = "r") -> Any:
        assert mode == "xb"
        self.touch()
        return Full()

    old = tmp_path / "old.pdf"
    old.write_bytes(b"mine")
    monkeypatch.setattr(Path, "open", full)
    for target, force in ((tmp_path / "new.pdf", False), (old, True)):
        with pytest.raises(Refusal, match="cannot be written: No space left on device"):
            pdf.save(b"%PDF", target, force=force)
    monkeypatch.undo()
    assert old.read_bytes() == b"mine"
    assert sorted(one.name for one in tmp_path.iterdir() if "pdf" in one.name or "part" in one.name) == ["old.pdf"]


@pytest.mark.parametrize("function", [commands.report, commands.accruals])
def test_a_database_that_is_none_is_one_sentence(tmp_path: Path, function: Callable[..., None]) -> None:
    text = tmp_path / "text.db"
    text.write_text("this is no database" * 100)
    empty = tmp_path / "empty.db"
    open_store(str(empty)).close()
    for database in (tmp_path / "missing.db", text, tmp_path, empty):
        done = command(function, "--db", str(database))
        assert (done.code, done.out, len(done.err.splitlines())) == (2, "", 1), database
        assert "Traceback" not in done.err
    assert "holds no floor yet" in command(function, "--db", str(empty)).err


@pytest.mark.parametrize("name", ["report", "accruals", "history", "win"])
def test_every_option_is_explained(name: str) -> None:
    app = typer.Typer()
    app.command()(getattr(commands, name))
    parameters = [one for one in typer.main.get_command(app).params if one.name != "help"]
    missing = [one.name for one in parameters if not getattr(one, "help", None)]
    assert missing in ([], ["install_completion", "show_completion"])
    assert re.match(r"\w.+\.$", (getattr(commands, name).__doc__ or "").split("\n\n")[0].strip(), re.DOTALL)


@settings(max_examples=20, deadline=None)
@given(SEEDS)
def test_a_random_evening_on_a_real_floor(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    """Whatever people try, refused or not: the report of the floor's books reconciles, and is what its meters say."""
    random = Random(seed)
    house = House(
        tmp_path_factory.mktemp("floor"),
        tables=2,
        console={"T1": "touch", "T2": "keypad", "X1": "touch"},
        second_link=True,
        **THREE_METERS,
    )
    try:
        for _ in range(40):
            try:
                try_something(house, random)
            except Refusal:
                continue
        day = FIRST + timedelta(days=6)
        for by in GROUPINGS:
            found = report(house.store, house.state.policies, FIRST, day, by)
            assert found.defects == ()
            adds_up(found)
            for link in house.state.links.values():
                for name, meter in link.meters.items():
                    for group in found.groups:
                        if group.key == f"{link.id}/{name}":
                            assert group.closing == (meter.value, meter.reserve)
    finally:
        house.floor.close()


def try_something(house: Any, random: Random) -> None:
    """One thing that somebody does, sensible or not."""
    table, spot = random.choice(("T1", "T2", "X1")), random.randint(1, 6)
    hand = random.choice(("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "straight"))
    house.clock.later(random.choice((1, 60, 3_600, 20_000)))
    random.choice(
        (
            lambda: house.coin_in(table, *random.sample(range(1, 7), 3)),
            lambda: house.coin_in(table, *random.sample(range(1, 7), 3)),
            lambda: house.correct(table, spot, random.random() < 0.5),
            lambda: house.win(table, random.choice(house.round(table).booked or (1,)), hand),
            lambda: house.win(table, random.choice(house.round(table).booked or (1,)), hand),
            lambda: house.end(table),
            lambda: house.end(table),
            lambda: house.void(table, random.random() < 0.5),
            lambda: house.adjust(random.choice((-100, 250)), meter="mega"),
            lambda: house.undo(random.choice([one.seq for one in house.entries()])),
            lambda: house.pay_late(table, random.randint(1, 3), spot, hand),
            lambda: house.transfer("minor", "minor", to_link="L2"),
        )
    )()


def test_both_databases_give_the_same_report(house: Any, tmp_path: Path, new_postgres: Callable[[], str]) -> None:
    """The same floor in a SQLite file and on a PostgreSQL server: reports, accruals, histories and wins."""
    busy_evening(house)
    house.store.backup(tmp_path / "copy.db")
    address = new_postgres()
    restore(tmp_path / "copy.db", address)
    other = open_store(address, create=False, read_only=True)
    policies = house.state.policies
    for by in GROUPINGS:
        assert report(other, policies, FIRST, DAYS[1], by) == report(house.store, policies, FIRST, DAYS[1], by)
    assert accruals.all_accruals(other, policies, FIRST) == accruals.all_accruals(house.store, policies, FIRST)
    histories = [list(meter_history(store, "L1", "mega", FIRST, DAYS[1])) for store in (other, house.store)]
    assert histories[0] == histories[1]
    win = next(event.win for event in house.events(at_table.WinPaid))
    assert win_record(other, win) == win_record(house.store, win)
    other.close()
