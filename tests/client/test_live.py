"""The client and the bots at a real server: also when it is stopped, killed and started again."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Self

import pytest
from tests.board_kit import board_floor, board_game
from tests.web.web_kit import Server, serving, serving_here

from houseway.books.verify import verify
from houseway.client import (
    Card,
    Client,
    Gap,
    Lost,
    Patience,
    Refused,
    Step,
    StreamEvent,
    TableLink,
    Unreachable,
    View,
)
from houseway.client.crew import Cards, Crew, Happened
from houseway.client.floor_bots import Manner
from houseway.client.strategy import Simple
from houseway.client.tally import Tally
from houseway.games import Game, all_games
from houseway.manager.commands import AdjustMeter
from houseway.manager.floor_file import demonstration_floor, read_floor
from houseway.manager.store import open_store
from houseway.refusal import NotAllowed, Refusal
from houseway.table.progressive_round.commands import CloseRound, FirstCard, Light, LockIn, NameWin
from houseway.web.demonstration import PIN

__all__ = ["board_game"]
STAFF = Cards(Card("2001", PIN), Card("3001", PIN), Card("4001", PIN), Card("8001", PIN))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("live")) as made:
        yield made


def until(what: Callable[[], bool], seconds: float = 30.0) -> bool:
    """Whether something comes true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if what():
            return True
        time.sleep(0.02)
    return False


class Listener:
    """Somebody who watches a stream in a thread of his own."""

    def __init__(self, url: str, *subjects: str) -> None:
        self.client = Client(url)
        self.client.sign_in("6001", PIN)
        self.events: list[StreamEvent] = []
        self.link = TableLink(subjects)
        self._done = False
        self._thread = threading.Thread(target=self._listen, args=(subjects,), daemon=True)
        self._thread.start()

    def _listen(self, subjects: tuple[str, ...]) -> None:
        for event in self.client.stream(subjects):
            self.link.take(event)
            self.events.append(event)
            if self._done:
                return

    def steps(self) -> list[int]:
        return [one.entry for one in self.events if isinstance(one, Step)]

    def of(self, kind: type[StreamEvent]) -> int:
        return sum(isinstance(one, kind) for one in self.events)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """He reads on to the next event; where the server is gone, that is that it is lost."""
        self._done = True
        self._thread.join(30)
        self.client.close()


def test_orders_and_views(server: Server) -> None:
    with Client(server.url) as dealer:
        assert dealer.sign_in("2001", PIN).role == "dealer"
        assert dealer.who().name == "Demo dealer"
        first = dealer.order(Light(table="TCP-1", spot=2), key="client-1")
        assert dealer.order(Light(table="TCP-1", spot=2), key="client-1") == first
        with pytest.raises(Refused, match="Idempotency-Key") as used:
            dealer.order(Light(table="TCP-1", spot=3), key="client-1")
        assert (used.value.status, used.value.kind) == (422, "used-key")
        view = dealer.table("TCP-1").progressive
        assert view is not None
        assert view.lit == (2,)
        with pytest.raises(Refused, match="locked its wagers in"):
            dealer.order(FirstCard(table="TCP-1"))
        with pytest.raises(NotAllowed):
            dealer.manager()
        assert dealer.link("stud").tables == ("CS-1", "CS-2")
        dealer.sign_out()
        with pytest.raises(NotAllowed):
            dealer.floor()


def test_two_people_and_a_card_on_anothers_screen(server: Server) -> None:
    adjust = AdjustMeter(link="stud", meter="main", cents=100, reason="malfunction", explanation="it counted wrongly")
    with Client(server.url) as manager:
        manager.sign_in("5001", PIN)
        with pytest.raises(NotAllowed):
            manager.order(adjust)
        assert manager.order(adjust, second=Card("4001", PIN)).type == "adjust_meter"
        device = manager.issue_device("sensor-9", "sensor", "CS-3")
        with pytest.raises(NotAllowed):
            manager.enroll("d-9", "Nine", "dealer")
        enrolled = manager.enroll("d-9", "Nine", "dealer", second=Card("4001", PIN))
    with Client(server.url, token=device.token) as box:
        assert box.order(Light(table="CS-3", spot=1)).entry > 0
        with pytest.raises(NotAllowed):
            box.order(LockIn(table="CS-3"))
    with Client(server.url) as dealer:
        with pytest.raises(NotAllowed):
            dealer.sign_in(enrolled.card, enrolled.code)
        assert dealer.set_pin(enrolled.card, enrolled.code, "4719").name == "Nine"
        assert dealer.sign_in(enrolled.card, "4719").name == "Nine"


def test_nobody_answers() -> None:
    patience = Patience(tries=2, first_wait=0.01)
    with Client("http://127.0.0.1:9", patience=patience) as client, pytest.raises(Unreachable, match="after 2 tries"):
        client.who()


async def _played(url: str, tally: Tally, rounds: int, tables: tuple[str, ...] = ()) -> Counter[str]:
    """Bots play until every table has closed so many rounds."""
    counted, stop, left = Counter[str](), asyncio.Event(), Counter[str]()

    def told(happened: Happened) -> None:
        assert happened.what == "round", happened
        counted[happened.table] += 1
        if min(counted[name] for name in left) >= rounds:
            stop.set()

    async with Crew(url, STAFF, mind=Simple(), random=Random(5), manner=Manner(wins=0.5), watcher=tally.watch) as crew:
        layouts = await crew.layouts(tables)
        left.update(one.table for one in layouts)
        await asyncio.wait_for(crew.keep_alive([await crew.dealer(one) for one in layouts], told, stop), timeout=120)
    return counted


def test_bots_play_every_table_of_the_demonstration(tmp_path: Path) -> None:
    """All fourteen games; six of them on one mega, major and minor link."""
    tally = Tally()
    with serving(tmp_path, text=demonstration_floor()) as own:
        founded = open_entries(own)
        counted = asyncio.run(_played(own.url, tally, 1))
        assert own.stop() == 0
    config = read_floor(demonstration_floor().encode(), "floor.toml", tmp_path).config
    assert config is not None
    assert {table.game for table in config.tables if table.kind == "virtual"} == set(all_games())
    assert counted.keys() == {table.id for table in config.tables if table.kind != "progressive" or table.link}
    assert not tally.errors
    assert not tally.refused
    store = open_store(own.database, create=False, read_only=True)
    try:
        kinds = Counter(row.kind for row in store.entries(founded))
        assert not list(tally.unaccounted(store.entries(founded)))
        assert not verify(store).bad
        assert sum(store.balances().values()) == 0
    finally:
        store.close()
    # Somebody named a win at both kinds of console, and somebody recorded it.
    assert kinds["confirm"]
    assert kinds["run"]
    assert kinds["close_round"] == sum(counted.values())


def test_bots_play_a_game_with_a_board_street_by_street(tmp_path: Path, board_game: Game) -> None:
    """They know nothing of it but its declaration and what the table offers."""
    tally = Tally()
    with serving_here(tmp_path, text=board_floor()) as own:
        counted = asyncio.run(_played(own.url, tally, 8, ("V-SUM", "SUM-1")))
        kinds = Counter(row.kind for row in own.floor.store.entries())
    assert min(counted.values()) >= 8
    assert not tally.errors
    assert not tally.refused
    assert kinds["act"] > 2 * sum(counted.values())
    # Two streets and the end at the virtual table; at the other the streets are entered.
    assert kinds["reveal"] == 3 * counted["V-SUM"] + counted["SUM-1"]
    assert board_game.points


def open_entries(server: Server) -> int:
    """The last entry of a server's floor."""
    store = open_store(server.database, create=False, read_only=True)
    try:
        return store.head().seq
    finally:
        store.close()


def test_a_table_that_is_none_is_refused(server: Server) -> None:
    with pytest.raises(Refusal, match="not a table of this floor"):
        asyncio.run(_played(server.url, Tally(), 1, ("X-1",)))


@pytest.mark.clause("PR-38")
def test_a_server_that_stands_still_closes_the_progressive_until_it_goes_on(tmp_path: Path) -> None:
    with (
        serving(tmp_path) as own,
        Listener(own.url, "table/CS-1", "link/stud") as listener,
        Client(own.url) as dealer,
    ):
        dealer.sign_in("2001", PIN)
        link, process = listener.link, own.process
        assert process is not None
        assert until(lambda: link.open)
        link.carried(dealer.order(Light(table="CS-1", spot=1)))
        booked = link.carried(dealer.order(LockIn(table="CS-1")))
        os.kill(process.pid, signal.SIGSTOP)
        stopped = time.monotonic()
        try:
            assert until(lambda: not link.open)
            assert 3.5 < time.monotonic() - stopped < 15
            with pytest.raises(Refusal, match="the base game may go on, and recorded wagers stand"):
                link.check(Light(table="CS-1", spot=2))
            link.check(NameWin(table="CS-1", spot=1, hand="flush"))
            assert link.acknowledged == booked
        finally:
            os.kill(process.pid, signal.SIGCONT)
        assert until(lambda: link.open)
        view = dealer.table("CS-1").progressive
        assert view is not None
        assert view.booked == (1,)


def test_a_server_that_is_killed_under_a_client_loses_nothing(tmp_path: Path) -> None:
    with serving(tmp_path) as own, Listener(own.url, "table/CS-1", "link/stud") as listener:
        assert until(lambda: listener.link.open)
        carried: list[int] = []
        stop = threading.Event()

        def deal() -> None:
            with Client(own.url, patience=Patience(tries=40, longest_wait=1.0)) as dealer:
                dealer.sign_in("2001", PIN)
                while not stop.is_set():
                    for command in (
                        Light(table="CS-1", spot=1),
                        LockIn(table="CS-1"),
                        FirstCard(table="CS-1"),
                        CloseRound(table="CS-1"),
                    ):
                        carried.append(dealer.order(command).entry)

        work = threading.Thread(target=deal)
        work.start()
        try:
            for _ in range(2):
                before = len(carried)
                assert until(lambda before=before: len(carried) > before + 10)  # type: ignore[misc]
                own.kill()
                own.start()
            before = len(carried)
            assert until(lambda: len(carried) > before + 10)
        finally:
            stop.set()
            work.join(60)
        last = carried[-1]
        assert until(lambda: bool(listener.steps()) and max(listener.steps()) >= last)
        assert until(lambda: listener.link.open)
        assert own.stop() == 0
    assert listener.of(Lost) >= 2
    assert listener.of(View) >= 3
    assert listener.of(Gap) == 0
    assert len(set(carried)) == len(carried)
    store = open_store(own.database, create=False, read_only=True)
    try:
        rows = [row for row in store.entries() if row.table == "CS-1"]
    finally:
        store.close()
    assert [row.seq for row in rows] == carried
    first = min(listener.steps())
    table = [one.entry for one in listener.events if isinstance(one, Step) and one.subject == "table/CS-1"]
    assert sorted(table) == [row.seq for row in rows if row.seq >= first]
    assert len(set(table)) == len(table)
