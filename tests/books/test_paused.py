"""A server process that stands still stops the floor for seconds, and writes nothing when it wakes.

On PostgreSQL alone: a SQLite file has one writing process, so a paused one keeps nobody waiting but its own clients.
"""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Event
from uuid import uuid4

import httpx
import psycopg
import pytest
from tests.web.web_kit import Person, Server, make_floor

from houseway.books.verify import verify
from houseway.manager.keyring import Keyring
from houseway.manager.store import open_store, postgres, wire
from houseway.manager.store.base import Head, Row, StoreFault

IN_TRANSACTION = """
    SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'houseway' AND state = 'idle in transaction'"""
LONGEST_STOP = 3.5


@contextmanager
def two_servers(folder: Path, database: str) -> Iterator[tuple[Server, Server]]:
    file = make_floor(folder, database)
    one, other = Server(file, database), Server(file, database)
    try:
        yield one.start(), other.start()
    finally:
        for server in (one, other):
            if server.process is not None:
                server.process.send_signal(signal.SIGCONT)
                server.stop()


def press_on(dealer: Person, answers: dict[str, httpx.Response], enough: Event) -> None:
    """Give one order after another until it is enough; what is answered is kept by its id."""
    rng = random.Random(7)
    while not enough.is_set():
        key = str(uuid4())
        path, spot = rng.choice(("light", "unlight")), rng.randint(1, 6)
        with suppress(httpx.HTTPError):
            answers[key] = dealer.send(f"tables/CS-1/{path}", key, spot=spot)


def paused_in_transaction(server: Server, activity: psycopg.Connection[tuple[int]]) -> None:
    """Stop a process at random until it stands still with the floor's lock in its hand."""
    assert server.process is not None
    for _ in range(200):
        time.sleep(random.uniform(0.001, 0.02))
        os.kill(server.process.pid, signal.SIGSTOP)
        time.sleep(0.05)
        if activity.execute(IN_TRANSACTION).fetchall():
            return
        os.kill(server.process.pid, signal.SIGCONT)
    pytest.fail("the process was never hit inside a transaction")


def test_a_paused_server_stops_the_other_for_seconds_and_writes_nothing_when_it_wakes(
    tmp_path: Path, new_postgres: Callable[[], str]
) -> None:
    database = new_postgres()
    with (
        two_servers(tmp_path, database) as (paused, other),
        psycopg.connect(database, autocommit=True) as activity,
        ThreadPoolExecutor(4) as pool,
    ):
        dealers = [paused.sign_in("2001") for _ in range(4)]
        here = other.sign_in("2002")
        answers: dict[str, httpx.Response] = {}
        enough = Event()
        pressing = [pool.submit(press_on, dealer, answers, enough) for dealer in dealers]
        stops = []
        try:
            for _ in range(2):
                paused_in_transaction(paused, activity)
                began = time.monotonic()
                here.order("tables/CS-2/light", spot=1)
                stops.append(time.monotonic() - began)
                here.order("tables/CS-2/unlight", spot=1)
                at = activity.execute("SELECT max(seq) FROM journal").fetchone()
                time.sleep(0.2)
                assert activity.execute("SELECT max(seq) FROM journal").fetchone() == at, "the paused process wrote"
                assert paused.process is not None
                os.kill(paused.process.pid, signal.SIGCONT)
                time.sleep(0.3)
        finally:
            enough.set()
            if paused.process is not None:
                paused.process.send_signal(signal.SIGCONT)
        for one in pressing:
            one.result(timeout=30)
        print(f"the other server waited {', '.join(f'{one:.2f}' for one in stops)} s")
        assert max(stops) < LONGEST_STOP, stops
        assert any(response.status_code == 200 for response in answers.values())
        written = {row[0]: row[1] for row in activity.execute("SELECT order_id, seq FROM journal")}
        for key, response in answers.items():
            if response.status_code == 200:
                assert written[key] == response.json()["entry"]
            else:
                # It lost the lock and the transaction with it, and says so.
                assert response.status_code in (409, 503), response.text
                assert key not in written, response.text
                if response.status_code == 503:
                    assert response.json()["detail"], response.text
        assert sum(response.status_code == 503 for response in answers.values()) >= 1
    with closing(open_store(database, create=False, read_only=True)) as store:
        assert verify(store, ring=Keyring.load(tmp_path / "houseway.key")).bad == ()


def row_after(head: Head) -> Row:
    """A row that a store takes; what it says does not matter here."""
    return Row(head.seq + 1, 1_000, "2026-11-16", "some order", "light", "", 0, "{}", "1" * 64, "")


def test_an_order_of_a_session_that_was_ended_is_not_recorded_and_says_so(
    tmp_path: Path, new_postgres: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same from inside: the lock is lost between the decision and the commit, and the answer is certain."""
    monkeypatch.setattr(postgres, "WRITER", postgres.WRITER.replace("'2s'", "'50ms'"))
    with closing(open_store(new_postgres())) as store:
        head = store.begin()
        time.sleep(0.3)
        with pytest.raises(StoreFault, match="before this order reached it") as fault:
            store.known(["some order"])
        assert not fault.value.uncertain
        head = store.begin()
        store.append([row_after(head)], [], {})
        time.sleep(0.3)
        with pytest.raises(StoreFault, match="before this order reached it") as fault:
            store.commit()
        assert not fault.value.uncertain, "nothing of it had reached the server"
        assert store.begin() == head
        store.rollback()


def test_a_server_that_hangs_is_left_and_the_outcome_is_uncertain(
    tmp_path: Path, new_postgres: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database's own process stands still in the middle of a transaction: no order waits for ever."""
    monkeypatch.setattr(wire, "ANSWER_SECONDS", 0.5)
    monkeypatch.setattr(postgres, "ANSWER_SECONDS", 0.5)
    database = new_postgres()
    with closing(open_store(database)) as store, psycopg.connect(database, autocommit=True) as activity:
        head = store.begin()
        ((pid,),) = activity.execute(IN_TRANSACTION).fetchall()
        store.append([row_after(head)], [], {})
        os.kill(pid, signal.SIGSTOP)
        try:
            began = time.monotonic()
            with pytest.raises(StoreFault, match=r"no answer for 0\.5 seconds") as fault:
                store.commit()
            assert time.monotonic() - began < 2
            assert fault.value.uncertain
        finally:
            os.kill(pid, signal.SIGCONT)
        # It had arrived: what was uncertain turns out to be recorded, once.
        assert store.begin().seq == 1
        store.rollback()


def test_an_order_that_waits_for_the_lock_is_not_failed_at_the_first_time_out(
    new_postgres: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "WRITER", "SET lock_timeout = '200ms'")
    database = new_postgres()
    with closing(open_store(database)) as store, closing(open_store(database)) as other, ThreadPoolExecutor(1) as pool:
        other.begin()
        waiting = pool.submit(store.begin)
        time.sleep(0.7)
        other.rollback()
        assert waiting.result(timeout=3).seq == 0
        store.rollback()
