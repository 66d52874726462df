"""One bad clock tick: what a floor does about a clock that jumps, lags or is far off at a start.

A machine here has two clocks, as every machine has: one on the wall that anybody can set, and one that only counts.
`Machine.pass_time` lets both go on; `Machine.jump` sets the one on the wall. The tests of a real server process set
the wall clock of that process alone, through a file, since the machine's own clock is not a test's to set.
"""

from __future__ import annotations

import gzip
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import date
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from msgspec.structs import replace
from tests import nursery
from tests.keys import KEYS
from tests.manager.floor_kit import House
from tests.staff_kit import enroll
from tests.web import web_kit
from tests.web.web_kit import API, Server, make_floor

from houseway.books.bundle import check_bundle, write_bundle
from houseway.books.export import Period
from houseway.books.replay import replay
from houseway.books.reports import report
from houseway.books.verify import next_time, verify
from houseway.books.view import needs
from houseway.manager import clock as clock_module
from houseway.manager import commands as office
from houseway.manager import events as tell
from houseway.manager.clock import LIMIT, LONGEST_GAP, SECOND, Clock
from houseway.manager.entry import FORMAT, entry_of
from houseway.manager.floor import Floor
from houseway.manager.floor_file import example_floor
from houseway.manager.keyring import Keyring
from houseway.manager.signing import new_key
from houseway.manager.state import LONGEST_SIGNED_IN, load_state
from houseway.manager.store import open_store
from houseway.progressive.terms import MICROS_PER_CENT
from houseway.refusal import NotAllowed, Refusal
from houseway.table.progressive_round import commands as felt
from houseway.table.progressive_round.events import SupervisorArrived
from houseway.web.demonstration import FIRST, STAFF

DAY = 24 * 3600
FAR = 400 * DAY
DAYS = (date(2026, 3, 1), date(2027, 4, 5))
"""The right gaming day, and the one that a clock 400 days ahead gave."""


class Machine:
    """A wall clock that can be set, and one that only counts."""

    def __init__(self, wall: int) -> None:
        self.wall = wall
        self.ticks = 7 * SECOND

    def pass_time(self, seconds: float) -> None:
        self.wall += int(seconds * SECOND)
        self.ticks += int(seconds * SECOND)

    def jump(self, seconds: float) -> None:
        self.wall += int(seconds * SECOND)

    def clock(self) -> Clock:
        return Clock(lambda: self.wall, lambda: self.ticks)


class TimedHouse(House):
    """A house whose floor looks at both clocks of its machine."""

    machine: Machine

    def _open(self) -> None:
        if not hasattr(self, "machine"):
            self.machine = Machine(self.clock.now)
        self.store = open_store(str(self.file))
        self.floor = Floor(self.store, keys=KEYS, clock=self.machine.clock(), threaded=False)

    def confirm_clock(self, by: str = "m1", second: str = "e1") -> Any:
        return self.do(by, office.ConfirmClock(clock_seconds=self.machine.wall // SECOND), second)

    def repair_clock(self, by: str = "m1", second: str = "e1", reason: str = "the battery was empty") -> Any:
        return self.do(by, office.RepairClock(clock_seconds=self.machine.wall // SECOND, reason=reason), second)

    def is_whole(self) -> None:
        """The chain, the codes, the times and every meter, read again from the first entry."""
        assert verify(self.store, ring=KEYS).bad == ()
        assert replay(self.store, keys=KEYS).equal
        assert self.replayed() == self.state


@pytest.fixture
def house(tmp_path: Path) -> Iterator[TimedHouse]:
    made = TimedHouse(tmp_path)
    yield made
    made.floor.close()


# --------------------------------------------------------------------------------------------------- the clock alone


def test_a_machine_that_was_suspended_or_is_corrected_slowly_is_believed() -> None:
    machine = Machine(1_700_000_000 * SECOND)
    clock = machine.clock()
    machine.pass_time(8 * 3600)
    assert clock.read().now == machine.wall
    for _ in range(100):
        machine.pass_time(600)
        machine.jump(0.3)
        assert clock.read() == (machine.wall, machine.wall, 0, "", False), "500 parts in a million, for 17 hours"


@pytest.mark.parametrize("jump", [LIMIT // SECOND + 1, -LIMIT // SECOND - 1, FAR, -FAR])
def test_a_jump_is_not_believed_until_the_clock_comes_back(jump: int) -> None:
    machine = Machine(1_700_000_000 * SECOND)
    clock = machine.clock()
    begin = machine.wall
    machine.jump(jump)
    machine.pass_time(10)
    assert (clock.read().now, clock.read().doubt) == (begin + 10 * SECOND, "jump")
    machine.pass_time(3600)
    assert (clock.read().now, clock.read().doubt) == (begin + 3610 * SECOND, "jump"), "patience does not help it"
    machine.jump(-jump + 1)
    assert clock.read() == (machine.wall, machine.wall, 0, "", False)


def test_many_small_jumps_are_no_way_round() -> None:
    machine = Machine(1_700_000_000 * SECOND)
    clock = machine.clock()
    for _ in range(100):
        machine.pass_time(1)
        machine.jump(1)
        clock.read()
    assert clock.read().doubt == "jump"


def test_a_clock_of_the_caller_s_own_is_the_time_itself() -> None:
    """How tests say that a day has passed: one clock has nothing to be held against."""
    machine = Machine(1_700_000_000 * SECOND)
    clock = Clock(lambda: machine.wall, None)
    clock.start(machine.wall + FAR * SECOND)
    machine.jump(FAR)
    assert clock.read() == (machine.wall, machine.wall, 0, "", False)


# ------------------------------------------------------------------------------------------------- while a floor runs


def test_two_seconds_at_400_days_ahead_leave_no_entry_there(house: TimedHouse) -> None:
    before = house.light("T1", 1)
    house.machine.pass_time(60)
    house.machine.jump(FAR)
    during = house.light("T1", 2)
    house.machine.pass_time(2)
    still = house.light("T1", 3)
    house.machine.jump(-FAR)
    after = house.light("T1", 4)
    assert [one.at - before.at for one in (during, still, after)] == [60 * SECOND, 62 * SECOND, 62 * SECOND]
    assert {one.day for one in house.entries()} == {before.day}
    (doubted,) = house.events(tell.ClockDoubted)
    assert (doubted.doubt, doubted.shown - before.at) == ("jump", (FAR + 60) * SECOND)
    assert len(house.events(tell.ClockTrusted)) == 1
    # It is an alarm like every other: for supervisors and managers, until somebody has seen it.
    (alarm,) = house.state.alarms
    assert "is not believed: it showed 2027-04-06" in alarm.text
    assert [one.text for one in needs(house.state) if one.what == "alarm"] == [alarm.text]
    house.do("m1", office.Acknowledge(alarm=alarm.number))
    assert house.state.alarms == () == tuple(house.state.doubts)
    house.is_whole()


def test_an_idle_floor_raises_the_alarm_too(house: TimedHouse) -> None:
    house.machine.jump(3600)
    for _ in range(3):
        house.floor.refresh()
    assert [alarm.number for alarm in house.state.alarms] == [house.state.seq]
    assert len(house.events(tell.ClockDoubted)) == 1


def test_two_people_confirm_a_clock_that_was_set_right(house: TimedHouse) -> None:
    before = house.light("T1", 1)
    assert "there is nothing to confirm" in house.refused(house.confirm_clock).sentence
    house.machine.jump(3600)
    house.light("T1", 2)
    assert house.not_allowed(lambda: house.confirm_clock("m1", "")) == "second person"
    assert house.not_allowed(lambda: house.confirm_clock("s1", "e1")) == "role"
    assert {one.at for one in house.entries()[-3:]} == {before.at}, "who may not set the clock has not set it"
    other = office.ConfirmClock(clock_seconds=house.machine.wall // SECOND + DAY)
    assert "must be what the clock shows now" in house.refused(lambda: house.do("m1", other, "e1")).sentence
    assert "nothing to repair" in house.refused(house.repair_clock).sentence
    confirmed = house.confirm_clock()
    assert confirmed.at == house.machine.wall == before.at + 3600 * SECOND
    house.machine.pass_time(5)
    assert house.light("T1", 3).at == house.machine.wall
    assert (house.state.doubts, house.floor.clock.doubt) == ({}, "")
    house.is_whole()


def test_the_floor_alone_notes_what_it_makes_of_its_clock(house: TimedHouse) -> None:
    note = office.NoteClock(where="here", doubt="jump", shown=1)
    assert house.not_allowed(lambda: house.do("m1", note, "e1")) == "role"
    assert "note_clock" not in {one["type"] for one in _orders()}


def _orders() -> Sequence[Mapping[str, Any]]:
    from houseway.commands.floor import _orders as known

    return list(known())


# ---------------------------------------------------------------------------------------------------------- at a start


def reopened(house: TimedHouse, passed: float) -> None:
    """Closed, and started again after so long by the wall clock."""
    house.floor.close()
    house.machine.pass_time(60)
    house.machine.jump(passed - 60)
    house._open()
    house.floor.refresh()


@pytest.mark.parametrize(("passed", "words"), [(LONGEST_GAP // SECOND + 60, "confirm it"), (-3600, "repair")])
def test_a_start_far_from_the_last_entry_takes_orders_once_two_people_are_sure(
    house: TimedHouse, passed: int, words: str
) -> None:
    enroll(house.floor, "m1", "e1", "lee", "dealer")
    before = house.light("T1", 1)
    reopened(house, passed)
    refusal = house.refused(lambda: house.light("T1", 2))
    assert refusal.field == "clock"
    assert f"{before_text(before.at)} UTC, but this machine's clock shows {before_text(house.machine.wall)} UTC" in str(
        refusal
    )
    assert words in refusal.sentence
    # Signing in works, and its entry carries the last time and what was counted since.
    house.machine.pass_time(30)
    assert house.floor.sign_in("card-lee", "806315").id == "lee"
    assert house.state.at == before.at + 30 * SECOND
    done = house.confirm_clock() if passed > 0 else house.repair_clock()
    assert done.at == house.machine.wall
    assert house.light("T1", 2).at == house.machine.wall
    house.is_whole()


def before_text(at: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(at // SECOND))


def test_a_start_after_a_weekend_or_with_the_clock_set_right_asks_nobody(house: TimedHouse) -> None:
    house.light("T1", 1)
    reopened(house, 5 * DAY // 2)
    assert house.light("T1", 2).at == house.machine.wall
    reopened(house, -3600)
    assert house.floor.clock.stops
    house.machine.jump(3600)
    assert house.light("T1", 3).at == house.machine.wall
    assert not house.events(tell.ClockConfirmed)


def test_a_demonstration_may_rest_for_months(tmp_path: Path) -> None:
    house = TimedHouse(tmp_path, demonstration=True)
    reopened(house, 200 * DAY)
    assert house.state.demonstration
    assert house.light("T1", 1).at == house.machine.wall
    house.floor.close()


# ------------------------------------------------------------------------------------------------ a poisoned journal


def poisoned(folder: Path) -> TimedHouse:
    """A floor as the program of before would have left it: one tick was 400 days ahead, and everything follows it.

    It is written with a clock that is believed; then a machine whose clock is right opens it.
    """
    house = House(folder, lockout_minutes=15, failures_before_lockout=3)
    right = house.clock.now
    enroll(house.floor, "m1", "e1", "lee", "dealer")
    house.light("T1", 1)
    house.clock.later(FAR)
    house.coin_in("T1", 1, 2)
    house.name("T1", 2, "royal_flush")
    for place in ("a", "b", "c"):
        with pytest.raises(NotAllowed):
            house.floor.sign_in("card-lee", "000000", network=place)
    enroll(house.floor, "m1", "m2", "kim", "supervisor")
    house.floor.sign_in("card-kim", "806315", session="a session", network="a")
    house.do("d1", office.Admit(player="ann", code="a code"))
    house.do("player/ann", office.Enter(code="a code", session="another", again="again"))
    house.floor.close()
    made = TimedHouse.__new__(TimedHouse)
    made.__dict__.update(house.__dict__)
    made.machine = Machine(right + 3600 * SECOND)
    made._open()
    made.floor.refresh()
    return made


def test_a_poisoned_journal_is_put_right_by_two_people_and_a_reason(tmp_path: Path) -> None:
    house = poisoned(tmp_path)
    wrong = house.state.at
    assert wrong > house.machine.wall + (FAR - DAY) * SECOND
    assert house.refused(lambda: house.light("T1", 1)).field == "clock"
    assert "repair" in house.refused(house.confirm_clock).sentence
    assert house.not_allowed(lambda: house.repair_clock(second="")) == "second person"
    assert house.refused(lambda: house.repair_clock(reason=" ")).field == "reason"
    state = house.state
    assert state.staff["lee"].locked_until > wrong
    assert state.signed
    assert state.guests["ann"].since > house.machine.wall
    repaired = house.repair_clock()
    (event,) = house.events(tell.ClockRepaired)
    assert (event.was, repaired.at, repaired.day) == (wrong, house.machine.wall, "2026-03-01")
    # From here on entries follow the right time, and nothing lasts until a moment that the wrong clock showed.
    assert house.state.at == house.machine.wall
    assert house.state.staff["lee"].locked_until == 0
    assert house.floor.sign_in("card-lee", "806315", network="d").id == "lee"
    assert house.state.signed == {}
    assert house.state.staff["kim"].enrolled_at == house.machine.wall
    assert house.state.guests["ann"].since == house.machine.wall
    assert house.state.tables["T1"].round.called_at == house.machine.wall
    house.machine.pass_time(90)
    house.do("s1", felt.Arrive(table="T1"))
    assert [one.waited for one in house.events(SupervisorArrived)] == [90 * SECOND]
    house.floor.sign_in("card-kim", "806315", session="new", network="a")
    assert house.state.signed["new"].since + LONGEST_SIGNED_IN < wrong
    house.is_whole()
    assert verify(house.store, ring=KEYS).repaired == (repaired.seq,)
    house.restart()
    assert house.light("T1", 3).at == house.machine.wall
    # The money of that time stays on the day it was booked on, and the reports of the right days say so.
    right, wrong_day = (report(house.store, house.state.policies, day, day, "day") for day in DAYS)
    assert right.notes == (
        "money that moved while the clock was wrong is booked on 2027-04-05, and is not in this report",
    )
    assert (wrong_day.total.micros("coin_in"), wrong_day.notes) == (200 * MICROS_PER_CENT, ())
    assert right.defects == wrong_day.defects == ()
    house.floor.close()


def test_an_order_of_the_same_transaction_follows_the_repair(tmp_path: Path) -> None:
    house = poisoned(tmp_path)
    repair = office.RepairClock(clock_seconds=house.machine.wall // SECOND, reason="battery")
    orders = [
        office.Order(id="repair", by="m1", second="e1", command=repair),
        office.Order(id="light", by="d1", command=felt.Light(table="T1", spot=5)),
    ]
    taken = [house.floor._taken(one, ()) for one in orders]
    house.floor._carry_out(house.floor._group())
    assert all(job.future.exception() is None for job in taken)
    assert [one.at for one in house.entries()[-2:]] == [house.machine.wall] * 2
    house.is_whole()
    house.floor.close()


def test_an_earlier_entry_is_a_finding_unless_it_repairs_the_one_before_it(house: TimedHouse) -> None:
    entry = house.light("T1", 1)
    repair = tell.ClockRepaired(was=entry.at + 9, reason="battery")
    assert next_time(entry.at + 9, entry) == (entry.at + 9, "is earlier than the entry before it")
    assert next_time(entry.at + 9, replace(entry, events=(repair,))) == (entry.at, "")
    for before in (entry.at + 10, entry.at - 1):
        assert "puts the time right, but" in next_time(before, replace(entry, events=(repair,)))[1]


def test_a_bundle_of_a_repaired_journal_is_in_order(tmp_path: Path) -> None:
    house = poisoned(tmp_path)
    house.repair_clock()
    house.light("T1", 4)
    house.floor.close()
    with closing(open_store(str(house.file), create=False, read_only=True)) as store:
        days = DAYS
        whole = [
            (None, None),
            (None, days[0]),
            (days[0], None),
            (days[0], days[0]),
            (days[1], days[1]),
            (days[1], None),
        ]
        for number, period in enumerate(whole):
            target = tmp_path / f"bundle-{number}.jsonl"
            write_bundle(store, load_state(store), Period(*period), KEYS.signing, house.machine.wall, target)
            assert check_bundle(target, ()).bad == (), period


# ----------------------------------------------------------------------------------------------- several processes


def test_another_server_that_writes_ahead_of_our_clock_is_an_alarm_here(
    tmp_path: Path, new_postgres: Callable[[], str]
) -> None:
    """One server was started a day ahead: the other is not dragged along in silence, and two people put it right."""
    url = new_postgres()
    house = House(tmp_path)
    machine, ahead = Machine(house.clock.now), Machine(house.clock.now)
    numbers = count(1)
    house.floor.close()

    def opened(of: Machine) -> Floor:
        return Floor(open_store(url), keys=KEYS, clock=of.clock(), threaded=False)

    def give(floor: Floor, by: str, command: office.Command, second: str = "") -> Any:
        from tests.staff_kit import with_credentials

        order = office.Order(id=f"order-{next(numbers)}", by=by, second=second, command=command)
        order, credentials = with_credentials(order)
        return floor.handle(order, *credentials).entry

    from tests.manager.floor_kit import INSTALLATION, STAFF
    from tests.staff_kit import founding

    with closing(opened(machine)) as here:
        give(here, INSTALLATION, founding(house.config, STAFF, KEYS))
        ahead.jump(DAY)
        with closing(opened(ahead)) as there:
            wrong = give(there, "d1", felt.Light(table="T1", spot=1))
            assert wrong.at == ahead.wall
            machine.pass_time(1)
            ours = give(here, "d1", felt.Light(table="T1", spot=2))
            assert ours.at == wrong.at, "no entry is before the one before it"
            assert [one.doubt for one in events(here, tell.ClockDoubted)] == ["other"]
            assert "another server wrote an entry at" in here.clock.words
            repair = office.RepairClock(clock_seconds=machine.wall // SECOND, reason="that server's clock is wrong")
            assert give(here, "m1", repair, "e1").at == machine.wall
            # The other one goes by the time that two people have set, and knows that its own clock is off.
            machine.pass_time(5)
            ahead.pass_time(5)
            late = give(there, "d1", felt.Light(table="T1", spot=3))
            assert abs(late.at - machine.wall) <= LIMIT
            assert there.clock.doubt == "jump"
            assert give(here, "d1", felt.Light(table="T1", spot=4)).at == max(machine.wall, late.at)
            assert here.clock.doubt == ""
            assert verify(here.store, ring=KEYS).bad == ()


def events(floor: Floor, kind: type) -> list[Any]:
    return [one for row in floor.store.entries() for one in entry_of(row.body).events if isinstance(one, kind)]


# ------------------------------------------------------------------------------------------------ a real server


class OffsetForked(nursery.Forked):
    """A server process whose wall clock is as far off as a file says."""

    def __init__(self, arguments: Sequence[str], log: Path, folder: Path, environment: Mapping[str, str]) -> None:
        given = (list(arguments), str(log), str(folder), dict(environment))
        self._process = nursery._FORKING.Process(target=_run_off, args=given, daemon=True)
        self._process.start()


def _run_off(arguments: list[str], log: str, folder: str, environment: dict[str, str]) -> None:
    file = Path(folder) / "offset"
    clock_module.time = SimpleNamespace(  # type: ignore[assignment]
        time_ns=lambda: time.time_ns() + int(file.read_text()) * 1_000_000_000,
        clock_gettime_ns=time.clock_gettime_ns,
    )
    nursery._run(arguments, log, folder, environment)


def put_off(folder: Path, seconds: int) -> None:
    """Set the wall clock of the server processes of a folder."""
    made = folder / "offset.new"
    made.write_text(str(seconds))
    made.replace(folder / "offset")


@contextmanager
def serving_off(folder: Path, monkeypatch: pytest.MonkeyPatch, *, demonstration: bool = True) -> Iterator[Server]:
    monkeypatch.setattr(web_kit, "Forked", OffsetForked)
    database = str(folder / "floor.db")
    put_off(folder, 0)
    file = make_floor(folder, database) if demonstration else real_floor(folder, database)
    server = Server(file, database)
    try:
        yield server.start()
    finally:
        if server.process is not None:
            server.stop()


def real_floor(folder: Path, database: str) -> Path:
    """A floor with the demonstration's people that is none, founded just now."""
    file, key = folder / "floor.toml", folder / "houseway.key"
    file.write_text(example_floor(), "utf-8")
    new_key(key)
    (folder / "house").mkdir()
    house = House(folder / "house")
    house.floor.close()
    with closing(Floor(open_store(database), keys=Keyring.load(key), threaded=False)) as floor:
        floor.found(house.config, (FIRST, *STAFF), pin_set=True)
    return file


def now() -> int:
    return time.time_ns() // 1_000


def ready(server: Server) -> dict[str, Any]:
    answer: dict[str, Any] = httpx.get(f"{server.url}/readyz").json()
    return answer


def test_a_real_server_goes_on_by_the_right_time_while_its_clock_is_400_days_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving_off(tmp_path, monkeypatch) as server:
        dealer, manager = server.sign_in("2001"), server.sign_in("5001")
        dealer.order("tables/CS-1/light", spot=1)
        put_off(tmp_path, FAR)
        during = dealer.order("tables/CS-1/light", spot=2)
        assert abs(during["at"] - now()) < LIMIT
        # Somebody who signs in meanwhile is signed in for twelve hours, not for 400 days; nobody is signed out.
        late = server.sign_in("3001")
        assert "jumped" in ready(server)["clock"]
        clock = manager.get("manager")["clock"]
        assert clock["shows"] - clock["now"] > (FAR - 60) * SECOND
        assert not clock["stops"]
        assert [one["what"] for one in late.get("floor")["needs"]] == ["alarm"]
        put_off(tmp_path, 0)
        after = dealer.order("tables/CS-1/light", spot=3)
        assert abs(after["at"] - now()) < LIMIT
        assert late.http.get(f"{API}/floor").status_code == 200
        assert "clock" not in ready(server)
        assert not manager.get("manager")["clock"]["doubt"]
        assert "the clock is not believed" in server.log.read_text()
        assert server.stop() == 0
    with closing(open_store(server.database, create=False, read_only=True)) as store:
        assert verify(store, ring=Keyring.load(tmp_path / "houseway.key")).bad == ()
        assert max(row.at for row in store.entries()) <= now()


def test_a_real_server_that_starts_with_its_clock_far_off_waits_for_two_people(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving_off(tmp_path, monkeypatch, demonstration=False) as server:
        server.sign_in("2001")
        server.stop()
        put_off(tmp_path, FAR)
        server.start()
        manager = server.sign_in("5001")
        refused = manager.send("floor/suspend", what="table", id="T1", why="to try it")
        assert refused.status_code == 409, refused.text
        assert "let two people confirm it" in refused.json()["detail"]
        assert ready(server)["status"] == "ready"
        seen = manager.get("manager")["clock"]
        assert seen["stops"]
        seconds = seen["shows"] // SECOND
        assert manager.send("floor/confirm-clock", clock_seconds=seconds).status_code == 403
        # They confirm a wrong clock; later it is set right, and they put that right too.
        manager.seconded("floor/confirm-clock", clock_seconds=seconds)
        assert manager.http.get(f"{API}/manager").status_code == 401, "more than twelve hours have passed"
        manager = server.sign_in("5001")
        assert not manager.get("manager")["clock"]["doubt"]
        wrong = manager.order("floor/suspend", what="table", id="T1", why="to try it")
        assert wrong["at"] - now() > (FAR - 60) * SECOND
        put_off(tmp_path, 0)
        seen = manager.get("manager")["clock"]
        assert seen["behind"]
        answer = manager.seconded(
            "floor/repair-clock", clock_seconds=seen["shows"] // SECOND, reason="a wrong clock was confirmed"
        )
        assert abs(answer["at"] - now()) < LIMIT
        # What was signed in by the wrong clock signs in again.
        assert manager.http.get(f"{API}/manager").status_code == 401
        again = server.sign_in("5001")
        assert not again.get("manager")["clock"]["doubt"]
        assert server.stop() == 0
    with closing(open_store(server.database, create=False, read_only=True)) as store:
        found = verify(store, ring=Keyring.load(tmp_path / "houseway.key"))
        assert (found.bad, len(found.repaired)) == ((), 1)


# ------------------------------------------------------------------------------------------- a floor of before


def test_a_floor_of_before_there_were_events_of_the_clock_goes_on(tmp_path: Path) -> None:
    """Written in format 2 by the version before, it opens, verifies, is confirmed by two people, and goes on."""
    file, key = tmp_path / "floor.db", tmp_path / "houseway.key"
    floors = Path(__file__).parents[1] / "trust" / "floors"
    with closing(sqlite3.connect(file)) as database:
        database.executescript(gzip.decompress((floors / "format-2.sql.gz").read_bytes()).decode())
    key.write_bytes((floors / "format-2.key").read_bytes())
    key.chmod(0o600)
    keys = Keyring.load(key)
    with closing(open_store(str(file), create=False, read_only=True)) as store:
        assert {entry_of(row.body).format for row in store.entries()} == {2}
        assert verify(store, ring=keys).bad == ()
        last = load_state(store, keys)
    # The machine's own clock: that floor has not been written to for months.
    with closing(Floor(open_store(str(file)), keys=keys, threaded=False)) as floor:
        account = office.EnterAccount(link="stud", balance_cents=1, short=False, reference="statement 13")
        with pytest.raises(Refusal, match="let two people confirm it"):
            floor.handle(office.Order(id="early", by="boss", command=account))
        confirm = office.ConfirmClock(clock_seconds=floor.clock.wall // SECOND)
        floor.handle(office.Order(id="confirm", by="boss", second="exec", command=confirm))
        done = floor.handle(office.Order(id="account", by="boss", command=account))
        assert abs(done.entry.at - now()) < LIMIT
        assert done.entry.format == FORMAT
        assert floor.state.seq == last.seq + 3
        assert verify(floor.store, ring=keys).bad == ()
        assert replay(floor.store, keys=keys).equal
