"""A whole house in a few words, so that a test of the Game Manager reads like the rule book.

    house = House(tmp_path, tables=2, contribution="70%", reserve="5%", seed=10_000_00)
    house.coin_in("T1", 1, 3, 5)
    house.name("T1", 3, "royal_flush")
    house.confirm("T1", 3)
    assert house.meter() == 10_000_00

It is a real floor on a real SQLite file with a clock of its own. Amounts are cents unless they are called micros.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace
from tests.keys import KEYS
from tests.staff_kit import founding, with_credentials

from houseway.games import approved_book, find_game
from houseway.manager import commands as office
from houseway.manager.config import FloorConfig, LinkConfig
from houseway.manager.decide import Office, decide
from houseway.manager.entry import Entry, entry_of, row_of
from houseway.manager.events import Event
from houseway.manager.floor import INSTALLATION, Done, Floor
from houseway.manager.ledger import postings_of
from houseway.manager.past import Journal
from houseway.manager.state import FloorState, after, caught_up
from houseway.manager.store import open_store
from houseway.manager.store.base import Head, Row
from houseway.paytables import ProgressiveTable
from houseway.progressive.link import Claim, LinkState, MeterState, dues
from houseway.progressive.terms import MICROS_PER_CENT, MeterTerms, Terms
from houseway.refusal import NotAllowed, Refusal
from houseway.table.card_round.decide import PLAYER
from houseway.table.config import Console, Policies, TableConfig
from houseway.table.progressive_round import commands as felt
from houseway.table.progressive_round.decide import Context, Desk
from houseway.table.progressive_round.events import TableEvent
from houseway.table.progressive_round.view import TableView, table_view
from houseway.table.state import Round

ZONE: Final = "America/Los_Angeles"
STAFF: Final[Mapping[str, office.Role]] = {
    "m1": "manager",
    "d1": "dealer",
    "d2": "dealer",
    "s1": "supervisor",
    "s2": "supervisor",
    "e1": "executive",
    "m2": "manager",
    "a1": "auditor",
    "t1": "technician",
    "o1": "surveillance",
}
"""Everybody, from the founding on."""
GAMES: Final = {"five-card-link": "caribbean-stud", "straight-edge": "straight-edge-1"}
"""At which game a shared pay table is played here."""


def bp(rate: str) -> int:
    """A rate in hundredths of a percent: "12.34%" is 1234."""
    scaled = Decimal(rate.removesuffix("%")) * 100
    assert scaled == int(scaled), rate
    return int(scaled)


def pay_table(name: str, game: str = "") -> ProgressiveTable:
    """An approved progressive table by its name."""
    return next(
        table
        for table in approved_book().tables
        if isinstance(table, ProgressiveTable) and table.id == name and game in ("", table.game)
    )


@cache
def _empty_database() -> bytes:
    """A database without a floor, made once: every house starts from a copy."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "empty.db"
        open_store(str(file)).close()
        return file.read_bytes()


class Clock:
    """A clock that goes only when it is told to."""

    def __init__(self, local: str) -> None:
        self.now = 0
        self.set(local)

    def __call__(self) -> int:
        return self.now

    def set(self, local: str) -> None:
        """By the site's own time, as "2026-03-01 20:00"."""
        self.now = int(datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(ZONE)).timestamp()) * 1_000_000

    def later(self, seconds: int) -> None:
        self.now += seconds * 1_000_000


class House:
    """A floor with its staff, one link L1 over tables T1, T2, …, and perhaps a second one, L2, with table X1."""

    def __init__(
        self,
        folder: Path,
        *,
        table: str = "CSTUD-01",
        game: str = "",
        console: Console | Mapping[str, Console] = "touch",
        tables: int = 1,
        spots: int = 6,
        wager: int | None = None,
        contribution: str | Mapping[str, str] = "70%",
        reserve: str | Mapping[str, str] = "0%",
        seed: int | Mapping[str, int] = 10_000_00,
        maximum: int | None = None,
        fixed_from: str = "as_marked",
        options: Mapping[str, Any] | None = None,
        second_link: bool = False,
        washington: bool = False,
        seeded: bool = True,
        at: str = "2026-03-01 20:00",
        **policies: Any,
    ) -> None:
        self.file = folder / "floor.db"
        self.clock = Clock(at)
        self._numbers = count(1)
        pays = pay_table(table, game)
        terms = Terms(
            table=pays,
            wager_cents=wager or pays.stated_wager_cents or 100,
            meters={
                name: MeterTerms(
                    contribution_bp=bp(_of(contribution, name)),
                    reserve_bp=bp(_of(reserve, name)),
                    seed_cents=_of(seed, name),
                    maximum_cents=maximum,
                )
                for name in pays.meters
            },
            fixed_from=fixed_from,
        )
        names = {"L1": tuple(f"T{number}" for number in range(1, tables + 1))}
        if second_link:
            names["L2"] = ("X1",)
        played = find_game(GAMES.get(pays.game, pays.game))
        assert played is not None, pays.game
        self.config = FloorConfig(
            policies=Policies(
                site="Test house", jurisdiction="Washington", time_zone=ZONE, washington=washington, **policies
            ),
            tables=tuple(
                TableConfig(
                    id=one,
                    game=played.key,
                    console=console if isinstance(console, str) else console[one],
                    spots=spots,
                    link=link,
                    options={**played.defaults, **(options or {})},
                    second_spot_envies=played.second_spot_envies,
                )
                for link, joined in names.items()
                for one in joined
            ),
            links=tuple(
                LinkConfig(id=link, name=f"Link {link}", tables=joined, terms=terms) for link, joined in names.items()
            ),
        )
        self._make()
        self._found()
        if seeded:
            for link in names:
                for meter in pays.meters:
                    self.do("m1", office.SeedMeter(link=link, meter=meter))

    def _found(self) -> None:
        self.do(INSTALLATION, founding(self.config, STAFF, KEYS))

    def _make(self) -> None:
        self.file.write_bytes(_empty_database())
        self._open()

    def _open(self) -> None:
        self.store = open_store(str(self.file))
        self.floor = Floor(self.store, keys=KEYS, clock=self.clock, threaded=False)

    # ------------------------------------------------------------------------------------------------- the floor itself

    def restart(self) -> None:
        """Closed down and started again."""
        self.floor.close()
        self._open()

    def power_cut(self) -> None:
        """Gone without a word, and started again: nothing but what was durable is left."""
        self.store.close()
        self._open()

    def give(self, order: office.Order) -> Done:
        """An order as it is."""
        named, credentials = with_credentials(order)
        return self.floor.handle(named, *credentials)

    def do(self, by: str, command: office.Command, second: str = "", id: str = "") -> Entry:
        """A command under an id of its own; the entry it made. A player who was not let in yet is let in first."""
        name = by.removeprefix(PLAYER)
        if by.startswith(PLAYER) and name not in self.state.guests:
            self.do("d1", office.Admit(player=name, code=f"code of {name}"))
        number = f"order-{next(self._numbers)}"
        return self.give(office.Order(id=id or number, by=by, second=second, command=command)).entry

    def refused(self, ask: Callable[[], object]) -> Refusal:
        """Why something is not done; and nothing at all has changed by it."""
        before = settled(self.state)
        with pytest.raises(Refusal) as raised:
            ask()
        assert settled(self.state) == before
        return raised.value

    def not_allowed(self, ask: Callable[[], object]) -> str:
        """The rule of authority that something is refused for."""
        refusal = self.refused(ask)
        assert isinstance(refusal, NotAllowed), refusal
        return refusal.rule

    @property
    def state(self) -> FloorState:
        return self.floor.state

    def replayed(self) -> FloorState:
        """The floor as its journal alone tells it, from the first entry on."""
        return caught_up(FloorState(), self.store)

    def entries(self) -> list[Entry]:
        return [entry_of(row.body) for row in self.store.entries()]

    def events(self, kind: type) -> list[Any]:
        """Everything of one kind that ever happened, in order."""
        return [event for entry in self.entries() for event in entry.events if isinstance(event, kind)]

    def balances(self) -> dict[str, int]:
        """What every account holds, in micros."""
        return self.store.balances()

    def moved(self, purpose: str) -> dict[str, int]:
        """In micros, by account: everything that ever moved for one purpose."""
        found: dict[str, int] = {}
        for posting in self.store.postings():
            if posting.purpose == purpose:
                found[posting.account] = found.get(posting.account, 0) + posting.micros
        return found

    # ----------------------------------------------------------------------------------------------------- at the table

    def light(self, table: str, *spots: int, by: str = "d1", base_wager: bool = True) -> Entry:
        """Chips on sensors."""
        for spot in spots:
            entry = self.do(by, felt.Light(table=table, spot=spot, base_wager=base_wager))
        return entry

    def unlight(self, table: str, spot: int) -> Entry:
        return self.do("d1", felt.Unlight(table=table, spot=spot))

    def coin_in(self, table: str, *spots: int, by: str = "d1") -> Entry:
        """COIN IN / START GAME with these sensors lit; with none named, those that were lit before."""
        return self.do(by, felt.LockIn(table=table, lit=spots or None))

    def correct(self, table: str, spot: int, wagered: bool, by: str = "s1", reason: str = "chip slid off") -> Entry:
        return self.do(by, felt.CorrectCount(table=table, spot=spot, wagered=wagered, reason=reason))

    def deal(self, table: str) -> Entry:
        """The first card is out."""
        return self.do("d1", felt.FirstCard(table=table))

    def fold(self, table: str, spot: int) -> Entry:
        return self.do("d1", felt.Fold(table=table, spot=spot))

    def see(self, table: str, spot: int, hand: str) -> Entry:
        return self.do("d1", felt.SeeHand(table=table, spot=spot, hand=hand))

    def same_player(self, table: str, *spots: int) -> Entry:
        return self.do("d1", felt.SamePlayer(table=table, spots=spots))

    def name(self, table: str, spot: int, hand: str, by: str = "d1") -> Entry:
        """The hand button."""
        return self.do(by, felt.NameWin(table=table, spot=spot, hand=hand))

    def drop(self, table: str, spot: int, by: str = "s1", reason: str = "misread") -> Entry:
        return self.do(by, felt.DropClaim(table=table, spot=spot, reason=reason))

    def arrive(self, table: str, by: str = "s1") -> Entry:
        return self.do(by, felt.Arrive(table=table))

    def confirm(self, table: str, spot: int, by: str = "e1") -> Entry:
        return self.do(by, felt.Confirm(table=table, spot=spot))

    def j_pot(self, table: str, spot: int, by: str = "e1") -> Entry:
        return self.do(by, felt.JPot(table=table, spot=spot))

    def run(self, table: str, by: str = "s1") -> Entry:
        return self.do(by, felt.Run(table=table))

    def record(self, table: str, spot: int) -> Entry:
        """A claim is confirmed and paid in the way of its table's console; the entry that logged it."""
        if self.state.tables[table].config.console == "touch":
            return self.confirm(table, spot)
        logged = self.j_pot(table, spot)
        self.run(table)
        return logged

    def win(self, table: str, spot: int, hand: str) -> int:
        """A win named, confirmed and paid; its number."""
        self.name(table, spot, hand)
        return self.record(table, spot).seq

    def verify(self, table: str, win: int) -> Entry:
        """Surveillance has looked."""
        return self.do("o1", felt.Surveillance(table=table, win=win, player="P. Layer"))

    def end(self, table: str, by: str = "d1") -> Entry:
        """GAME OVER / END GAME."""
        return self.do(by, felt.CloseRound(table=table))

    def void(self, table: str, malfunction: bool = False, cause: str = "four cards in a hand") -> Entry:
        """By a supervisor, with a second one beside, as it takes once the cards are turned."""
        return self.do("s1", felt.VoidRound(table=table, cause=cause, malfunction=malfunction), "s2")

    # ---------------------------------------------------------------------------------------------- at the Game Manager

    def undo(
        self,
        win: int,
        by: str = "m1",
        second: str = "m2",
        reason: office.Reason = "malfunction",
        explanation: str = "the hand was misread",
    ) -> Entry:
        return self.do(by, office.UndoWin(win=win, reason=reason, explanation=explanation), second)

    def adjust(
        self, cents: int, reason: office.Reason = "malfunction", *, meter: str = "main", part: Any = "meter"
    ) -> Entry:
        command = office.AdjustMeter(
            link="L1", meter=meter, part=part, cents=cents, reason=reason, explanation="as found in the count"
        )
        return self.do("m1", command, "a1")

    def pay_late(self, table: str, round: int, spot: int, hand: str, *, second: str = "m2", **fields: Any) -> Entry:
        command = office.PayLateWin(
            table=table, round=round, spot=spot, hand=hand, **{"evidence": "camera 4, 20:15", **fields}
        )
        return self.do("m1", command, second)

    def transfer(self, meter: str, to_meter: str, *, to_link: str = "L1", second: str = "m2", **fields: Any) -> Entry:
        command = office.Transfer(
            link="L1",
            meter=meter,
            to_link=to_link,
            to_meter=to_meter,
            **{"authority": "letter of 2026-02-01", **fields},
        )
        return self.do("m1", command, second)

    def suspend(self, what: Any, id: str) -> Entry:
        return self.do("t1", office.Suspend(what=what, id=id, why="the network is down"))

    def resume(self, what: Any, id: str) -> Entry:
        return self.do("t1", office.Resume(what=what, id=id))

    def reconfigure(self, config: FloorConfig | None = None, by: str = "m1", second: str = "e1", **meter: Any) -> Entry:
        """A changed floor file; with words such as ``seed_cents=…``, every meter of L1 is changed so."""
        wanted = config or self.with_meters(**meter)
        entry = self.do(by, office.Configure(config=wanted, reason="approved 2026-02-01"), second)
        self.config = wanted
        return entry

    def with_meters(self, **changes: Any) -> FloorConfig:
        """The floor file with the terms of L1's meters changed."""
        first, *others = self.config.links
        meters = {name: replace(one, **changes) for name, one in first.terms.meters.items()}
        changed = replace(first, terms=replace(first.terms, meters=meters))
        return replace(self.config, links=(changed, *others))

    # ------------------------------------------------------------------------------------------------ what stands where

    def link(self, link: str = "L1") -> LinkState:
        return self.state.links[link]

    def round(self, table: str = "T1") -> Round:
        return self.state.tables[table].round

    def _meter(self, meter: str, link: str) -> MeterState:
        meters = self.link(link).meters
        return meters[meter or next(iter(meters))]

    def meter(self, meter: str = "", link: str = "L1") -> int:
        """What a meter shows; the link's first where none is named."""
        return self._meter(meter, link).shown_cents

    def micros(self, meter: str = "", link: str = "L1") -> int:
        """What a meter holds, to the millionth."""
        return self._meter(meter, link).value

    def reserve(self, meter: str = "", link: str = "L1") -> int:
        """What a reserve holds, to the millionth."""
        return self._meter(meter, link).reserve

    def claim(self, table: str, spot: int) -> Claim | None:
        return next((one for one in self._claims() if one.table == table and one.spot == spot), None)

    def _claims(self) -> Iterator[Claim]:
        for link in self.state.links.values():
            yield from link.claims

    def due(self, table: str, spot: int) -> int:
        """What an open claim is to be paid as things stand."""
        return dues(self._link_of(table))[table, spot].cents

    def due_at(self, table: str) -> dict[int, int]:
        """What every open claim of a table is to be paid, by spot."""
        return {spot: due.cents for (at, spot), due in dues(self._link_of(table)).items() if at == table}

    def _link_of(self, table: str) -> LinkState:
        link = self.state.link_of(table)
        assert link is not None
        return link

    def view(self, table: str = "T1") -> TableView:
        """What the table's console shows."""
        state = self.state
        context = Context(state.seq + 1, self.clock(), "d1", "dealer", "", state.policies)
        return table_view(Desk(state.tables[table], self._link_of(table), context))

    def house_micros(self, link: str = "L1") -> int:
        """What the house has on a link."""
        return self.balances().get(f"house/{link}", 0)

    def players_micros(self, table: str = "T1") -> int:
        """What the players of a table have won beyond what they wagered."""
        return self.balances().get(f"players/{table}", 0)


Opener = Callable[..., House]


def opened(folder: Path) -> Iterator[Opener]:
    """For a fixture: opens houses, each in a folder of its own, and closes them all down at the end."""
    houses: list[House] = []

    def open_house(**settings: Any) -> House:
        room = folder / f"house-{len(houses) + 1}"
        room.mkdir()
        houses.append(House(room, **settings))
        return houses[-1]

    yield open_house
    for house in houses:
        house.floor.close()


class PaperHouse(House):
    """The same house without a database: the same decisions on the same state, for very many of them."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(Path(), **settings)

    def _make(self) -> None:
        self._state = FloorState()
        self._book: list[Entry] = []
        self._held: dict[str, int] = {}

    def balances(self) -> dict[str, int]:
        return dict(self._held)

    def replayed(self) -> FloorState:
        """Through the text of every entry, as a journal would keep it."""
        state = FloorState()
        for entry in self._book:
            state = after(state, entry_of(row_of(entry, Head(entry.seq - 1, "")).body), "")
        return state

    @property
    def state(self) -> FloorState:
        return self._state

    def entries(self) -> list[Entry]:
        return list(self._book)

    def give(self, order: office.Order) -> Done:
        state, day = self._state, datetime.fromtimestamp(self.clock() // 1_000_000, ZoneInfo(ZONE)).date().isoformat()
        past = Journal(_NOTHING, self._book, lambda row: entry_of(row.body))
        events = decide(Office(state, order, state.seq + 1, self.clock(), day, past))
        subject = next((event for event in events if isinstance(event, TableEvent)), None)
        entry = Entry(
            seq=state.seq + 1,
            at=self.clock(),
            day=day,
            order=order.id,
            digest="",
            by=order.by,
            second=order.second,
            kind=office.kind_of(order.command),
            table=subject.table if subject else "",
            round=subject.round if subject else 0,
            events=events,
        )
        postings = postings_of(entry)
        self._state = after(state, entry, "")
        self._book.append(entry)
        for posting in postings:
            self._held[posting.account] = self._held.get(posting.account, 0) + posting.micros
        return Done(entry, repeated=False)


class _Nothing:
    """A store in which nothing is: the journal of a paper house is all in its own book."""

    def entry(self, seq: int) -> None:
        return None

    def round_entries(self, table: str, round: int) -> list[Row]:
        return []


_NOTHING: Any = _Nothing()


def settled(state: FloorState) -> FloorState:
    """The floor without the number of its last entry: a refusal of authority is written down and changes no more."""
    return replace(state, seq=0, hash="", at=0)


def micros(cents: int) -> int:
    return cents * MICROS_PER_CENT


def only(entry: Entry, kind: type) -> Any:
    """The one event of a kind in an entry."""
    found: list[Event] = [event for event in entry.events if isinstance(event, kind)]
    assert len(found) == 1, entry.events
    return found[0]


def _of(setting: Any, meter: str) -> Any:
    return setting[meter] if isinstance(setting, Mapping) else setting
