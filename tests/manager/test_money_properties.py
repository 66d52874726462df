"""What must always hold, whatever is pressed: random evenings through the real floor on a real database.

Money is conserved, meters are the sum of their postings, a replayed journal gives the same floor, a refusal changes
nothing, an order that is sent again is done once, and spots can be renumbered.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import msgspec
import pytest
from msgspec.structs import replace
from tests.manager.floor_kit import House, Opener, PaperHouse, opened, settled

from houseway.manager import commands as office
from houseway.manager.entry import Entry
from houseway.progressive.link import promised
from houseway.refusal import NotAllowed, Refusal
from houseway.table.progressive_round import commands as felt
from houseway.table.progressive_round.events import EnvyPaid, LockedIn, RoundVoided, WinPaid

HANDS: Final = ("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight")
TABLES: Final = ("T1", "T2", "T3", "X1")
CONSOLES: Final = {"T1": "touch", "T2": "keypad", "T3": "touch", "X1": "keypad"}
SETTINGS: Final[tuple[dict[str, Any], ...]] = (
    {"table": "CSTUD-15", "reserve": "7.77%", "contribution": "33.33%", "seed": 100_00},
    {"table": "CSTUD-01", "reserve": "5%", "seed": 1_000_00, "washington": True, "maximum": 1_020_00},
    {"table": "CSTUD-07", "reserve": "0%", "contribution": "99.99%", "seed": 0},
    {
        "table": "ML03",
        "wager": 2_50,
        "contribution": {"mega": "11.11%", "major": "7%", "minor": "3%"},
        "reserve": {"mega": "1%", "major": "0%", "minor": "2.5%"},
        "seed": {"mega": 500_00, "major": 50_00, "minor": 5_00},
        "fixed_from": "meter:minor",
    },
)


@pytest.fixture
def open_house(tmp_path: Path) -> Iterator[Opener]:
    yield from opened(tmp_path)


# ----------------------------------------------------------------------------------------------------- a random evening


class Wish(NamedTuple):
    """What somebody wants."""

    by: str
    command: office.Command
    second: str = ""


class Evening:
    """Somebody presses something, mostly sensible."""

    def __init__(self, house: House, seed: int) -> None:
        self.house, self.random = house, Random(seed)

    def wish(self) -> Wish:
        table = self.random.choice(TABLES)
        kinds = self._kinds(table)
        kind = self.random.choices(list(kinds), list(kinds.values()))[0]
        wish: Wish = getattr(self, kind)(table)
        if self.random.random() < 0.03:
            wish = wish._replace(by=self.random.choice(["d1", "s1", "m1", "a1", "nobody", ""]))
        return wish

    def _kinds(self, table: str) -> dict[str, int]:
        """What is likely to be wanted, and how much."""
        state, link = self.house.round(table), self.house._link_of(table)
        office_work = {"undo": 2, "adjust": 1, "late": 2, "move": 1, "open": 3, "stop": 1, "configure": 1, "seen": 1}
        if not state.locked:
            return {"light": 4, "lock_in": 12, "pair": 1, **office_work}
        claims = 8 if link.claims else 1
        return {
            "name": 8,
            "confirm": claims,
            "run": claims // 2 + 1,
            "drop": 1,
            "close": 8,
            "void": 1,
            "correct": 1 if state.dealt else 5,
            "fold": 2,
            "see": 1,
            "arrive": 1,
            "watch": 6 if state.wins else 0,
            "light": 1,
            "lock_in": 1,
            **office_work,
        }

    def spot(self) -> int:
        return self.random.randint(1, 6) if self.random.random() < 0.98 else self.random.choice([0, 7, -1])

    def booked(self, table: str) -> int:
        return self.random.choice([*self.house.round(table).booked] or [self.spot()])

    def link(self) -> str:
        return self.random.choice(["L1", "L2"])

    def meter(self, link: str) -> str:
        return self.random.choice(list(self.house.link(link).meters))

    # The table.

    def light(self, table: str) -> Wish:
        kind = felt.Unlight if self.random.random() < 0.2 else felt.Light
        return Wish("d1", kind(table=table, spot=self.spot()))

    def lock_in(self, table: str) -> Wish:
        lit = tuple(self.random.sample(range(1, 7), self.random.randint(1, 6)))
        return Wish("d1", felt.LockIn(table=table, lit=lit if self.random.random() < 0.8 else None))

    def pair(self, table: str) -> Wish:
        return Wish("d1", felt.SamePlayer(table=table, spots=(self.spot(), self.spot())))

    def correct(self, table: str) -> Wish:
        spot, wagered = self.spot(), self.random.random() < 0.5
        return Wish("s1", felt.CorrectCount(table=table, spot=spot, wagered=wagered, reason="slid"))

    def fold(self, table: str) -> Wish:
        return Wish("d1", felt.Fold(table=table, spot=self.spot()))

    def see(self, table: str) -> Wish:
        hand = self.random.choice(["", "", *HANDS])
        return Wish("d1", felt.SeeHand(table=table, spot=self.booked(table), hand=hand))

    def name(self, table: str) -> Wish:
        spot = self.booked(table)
        seen = self.house.round(table).seen.get(spot)
        return Wish("d1", felt.NameWin(table=table, spot=spot, hand=seen or self.random.choice(HANDS)))

    def _claimed(self, table: str) -> tuple[str, int]:
        """Mostly somebody whose turn it may be."""
        claims = [claim for link in self.house.state.links.values() for claim in link.claims]
        if not claims or self.random.random() < 0.2:
            return table, self.spot()
        claim = self.random.choice(claims)
        return claim.table, claim.spot

    def confirm(self, table: str) -> Wish:
        table, spot = self._claimed(table)
        if CONSOLES[table] == "touch":
            return Wish(self.random.choice(["e1", "e1", "s1"]), felt.Confirm(table=table, spot=spot))
        return Wish("e1", felt.JPot(table=table, spot=spot))

    def run(self, table: str) -> Wish:
        return Wish("s1", felt.Run(table=self._claimed(table)[0]))

    def drop(self, table: str) -> Wish:
        table, spot = self._claimed(table)
        return Wish("s1", felt.DropClaim(table=table, spot=spot, reason="misread"))

    def arrive(self, table: str) -> Wish:
        return Wish("s1", felt.Arrive(table=table))

    def watch(self, table: str) -> Wish:
        number = self.random.choice([win.number for win in self.house.round(table).wins] or [1])
        return Wish("o1", felt.Surveillance(table=table, win=number, player="P"))

    def close(self, table: str) -> Wish:
        return Wish("d1", felt.CloseRound(table=table))

    def void(self, table: str) -> Wish:
        return Wish("s1", felt.VoidRound(table=table, cause="jam", malfunction=self.random.random() < 0.5), "s2")

    # The Game Manager.

    def undo(self, table: str) -> Wish:
        wins = [event.win for event in self.house.events(WinPaid)]
        win = self.random.choice(wins or [1])
        return Wish("m1", office.UndoWin(win=win, reason="malfunction", explanation="misread"), "m2")

    def adjust(self, table: str) -> Wish:
        link = self.link()
        command = office.AdjustMeter(
            link=link,
            meter=self.meter(link),
            part=self.random.choice(["meter", "meter", "reserve"]),
            cents=self.random.choice([-1, -2_00, 3_33, -50_00, 40_00]),
            reason=self.random.choice(["malfunction", "malfunction", "maximum", "seed_recovered"]),
            explanation="found in the count",
        )
        return Wish("m1", command, "a1")

    def late(self, table: str) -> Wish:
        number = self.random.randint(1, max(1, self.house.round(table).number))
        hand = self.random.choice(HANDS)
        command = office.PayLateWin(table=table, round=number, spot=self.spot(), hand=hand, evidence="camera 4")
        return Wish("m1", command, "m2")

    def move(self, table: str) -> Wish:
        link, other = self.link(), self.link()
        command = office.Transfer(
            link=link, meter=self.meter(link), to_link=other, to_meter=self.meter(other), authority="letter"
        )
        return Wish("m1", command, "m2")

    def open(self, table: str) -> Wish:
        closed = [
            (link.id, name)
            for link in self.house.state.links.values()
            for name, one in link.meters.items()
            if not one.opened
        ]
        link, meter = self.random.choice(closed or [("L1", self.meter("L1"))])
        if self.random.random() < 0.5:
            return Wish("m1", office.SeedMeter(link=link, meter=meter))
        taken = office.OpenMeter(link=link, meter=meter, meter_cents=123_45, reserve_cents=6_78, reference="reading")
        return Wish("m1", taken, "a1")

    def stop(self, table: str) -> Wish:
        if self.random.random() < 0.3:
            return Wish("t1", office.Suspend(what="table", id=table, why="wiring"))
        return Wish("t1", office.Resume(what="table", id=table))

    def configure(self, table: str) -> Wish:
        changes = self.random.choice(
            [{"contribution_bp": 10_00}, {"reserve_bp": 3_33}, {"seed_cents": 77_00}, {"contribution_bp": 25_01}]
        )
        self.house.config = self.house.with_meters(**changes)
        return Wish("m1", office.Configure(config=self.house.config, reason="approved"), "e1")

    def seen(self, table: str) -> Wish:
        alarms = [alarm.number for alarm in self.house.state.alarms]
        return Wish("t1", office.Acknowledge(alarm=self.random.choice(alarms or [1])))


def order_of(wish: Wish, number: int) -> office.Order:
    return office.Order(id=f"wish-{number}", by=wish.by, second=wish.second, command=wish.command)


# ------------------------------------------------------------------------------------------------ what must always hold


def check_books(house: House) -> None:
    """All accounts sum to zero, and every meter and reserve is what its account holds."""
    held = house.balances()
    assert sum(held.values()) == 0
    for link in house.state.links.values():
        for name, meter in link.meters.items():
            assert meter.value == held.get(f"meter/{link.id}/{name}", 0) >= 0
            assert meter.reserve == held.get(f"reserve/{link.id}/{name}", 0) >= 0
            kept = promised(link, name)
            assert meter.value >= kept.held
            assert meter.reserve >= kept.reserve


def check_entry(entry: Entry) -> None:
    """What players gave and got is what the events say, counted another way than the ledger does."""
    for event in entry.events:
        if isinstance(event, LockedIn):
            parts = sum(event.meters.values()) + sum(event.reserves.values()) + event.kept
            assert parts == event.wager_cents * len(event.spots) * 10_000
            assert min([*event.meters.values(), *event.reserves.values(), event.kept]) >= 0
        if isinstance(event, RoundVoided):
            assert event.returned == sum(event.meters.values()) + sum(event.reserves.values()) + event.covered
        if isinstance(event, WinPaid):
            assert event.after == event.before - event.from_meter + event.seed + event.from_reserve
            assert event.shortfall <= event.from_tray


def press(house: House, order: office.Order) -> Entry | Refusal:
    """Give an order; a refusal leaves everything as it was."""
    before, held = settled(house.state), house.balances()
    try:
        entry = house.give(order).entry
    except Refusal as refusal:
        assert settled(house.state) == before
        assert house.balances() == held
        return refusal
    check_entry(entry)
    return entry


@pytest.mark.clause("PR-2", "PR-16")
@pytest.mark.parametrize("setting", range(len(SETTINGS)))
def test_a_random_evening_keeps_its_books(open_house: Opener, setting: int) -> None:
    house = open_house(tables=3, console=CONSOLES, second_link=True, **SETTINGS[setting])
    evening, given = Evening(house, setting), []
    wrong = 0
    for number in range(220):
        house.clock.later(evening.random.randint(0, 600))
        order = order_of(evening.wish(), number)
        head = house.state.seq
        answer = press(house, order)
        check_books(house)
        lines = list(house.store.postings(head))
        assert sum(line.micros for line in lines) == 0
        if isinstance(answer, Entry):
            given.append((order, answer))
            assert house.state.seq == head + 1
        else:
            wrong += 1
            assert lines == []
            assert house.state.seq == head + (1 if isinstance(answer, NotAllowed) else 0)
        if number % 10 == 0 and given:
            _send_again(house, *evening.random.choice(given))
        if number % 60 == 59:
            assert house.replayed() == house.state
            evening.random.choice([house.restart, house.power_cut])()
            assert house.replayed() == house.state
    assert len(given) > 80
    assert wrong > 20
    assert house.events(WinPaid)


def _send_again(house: House, order: office.Order, entry: Entry) -> None:
    """The same order again answers the same and changes nothing; its id with another body is refused."""
    before, held = house.state, house.balances()
    answer = house.give(order)
    assert (answer.entry, answer.repeated) == (entry, True)
    for other in (
        replace(order, by="m2"),
        replace(order, second="e1"),
        replace(order, command=felt.CloseRound(table="T1", round=99)),
    ):
        with pytest.raises(Refusal, match=f"entry {entry.seq}"):
            house.give(other)
    assert house.state == before
    assert house.balances() == held


@pytest.mark.clause("PR-2", "PR-20", "PR-23")
@pytest.mark.parametrize("setting", range(len(SETTINGS)))
def test_many_random_evenings_keep_their_books(setting: int) -> None:
    """The same decisions without a database, many more of them."""
    happened: set[str] = set()
    for seed in range(12):
        house = evening_on_paper(setting, 1_000 + seed, 300)
        happened |= {event.__class__.__name__ for entry in house.entries() for event in entry.events}
    assert {
        "LockedIn",
        "CountCorrected",
        "ClaimDropped",
        "WinPaid",
        "RoundClosed",
        "RoundVoided",
        "WinUndone",
        "MeterAdjusted",
        "LateWinPaid",
        "MeterOpened",
        "FloorConfigured",
    } <= happened
    # Two meters together are over a maximum, so nothing is transferred where there is one.
    assert ("MeterTransferred" in happened) == ("maximum" not in SETTINGS[setting])


@pytest.mark.long
@pytest.mark.parametrize("setting", range(len(SETTINGS)))
def test_very_many_random_evenings_keep_their_books(setting: int) -> None:
    for seed in range(400):
        evening_on_paper(setting, 50_000 + seed, 400)


def evening_on_paper(setting: int, seed: int, presses: int) -> PaperHouse:
    house = PaperHouse(tables=3, console=CONSOLES, second_link=True, **SETTINGS[setting])
    evening = Evening(house, seed)
    for number in range(presses):
        house.clock.later(1)
        press(house, order_of(evening.wish(), number))
        check_books(house)
    assert settled(house.replayed()) == settled(house.state)
    return house


# ----------------------------------------------------------------------------------------------------- spots renumbered


@pytest.mark.clause("PR-17")
@pytest.mark.parametrize("seed", range(15))
def test_spots_can_be_renumbered(seed: int) -> None:
    """The same evening in a mirror: spot 1 is spot 6, and the house pays from the other side."""
    setting = SETTINGS[seed % len(SETTINGS)]
    here = PaperHouse(tables=3, console=CONSOLES, second_link=True, **setting)
    there = PaperHouse(
        tables=3, console=CONSOLES, second_link=True, options={"award_order": "left_to_right"}, **setting
    )
    evening = Evening(here, seed)
    for number in range(250):
        wish = evening.wish()
        if isinstance(wish.command, office.Configure):
            continue
        first = press(here, order_of(wish, number))
        second = press(there, order_of(wish._replace(command=mirrored(wish.command)), number))
        assert isinstance(first, Entry) == isinstance(second, Entry), (wish, first, second)
        assert here.balances() == there.balances(), wish
    assert wins(here) == [(7 - spot, amount) for spot, amount in wins(there)]
    assert envy(here) == sorted((7 - spot, 7 - winner, cents) for spot, winner, cents in envy(there))
    assert wins(here)


def mirrored(command: office.Command) -> office.Command:
    """The command with every spot seen from the other side."""
    fields: dict[str, Any] = {}
    if isinstance(spot := getattr(command, "spot", None), int):
        fields["spot"] = 7 - spot
    for name in ("lit", "spots"):
        spots = getattr(command, name, None)
        if spots is not None:
            fields[name] = tuple(7 - one for one in spots)
    return msgspec.structs.replace(command, **fields)


def wins(house: House) -> list[tuple[int, int]]:
    """Who was paid how much, in order."""
    return [(event.spot, event.from_meter + event.from_tray) for event in house.events(WinPaid)]


def envy(house: House) -> list[tuple[int, int, int]]:
    """Who was paid because of whom; within a round in no order that matters."""
    return sorted((event.spot, event.winner, event.cents) for event in house.events(EnvyPaid))
