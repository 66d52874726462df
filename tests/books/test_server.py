"""A server whose database is slow, full, gone, changed or asked too much: what it says, and how it ends.

Real servers on real databases. A database is made slow by another process that keeps it locked, and full by a limit on
the size of the server's files.
"""

from __future__ import annotations

import ast
import json
import os
import re
import resource
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

import httpx
import psycopg
import pytest
from tests.databases import new_postgres, postgres  # noqa: F401  fixtures
from tests.nursery import Forked
from tests.trust.test_record import append_row, promoted
from tests.web.stream_kit import watching
from tests.web.web_kit import API, Person, Server, _certificates, make_floor, serving

import houseway.web as web_package
from houseway.books.verify import verify
from houseway.client import Beat, Client, Failed, Stalled, TableLink
from houseway.client.retry import Patience
from houseway.manager.codes import Codes
from houseway.manager.entry import entry_of, row_of
from houseway.manager.floor import Floor
from houseway.manager.floor_file import example_floor
from houseway.manager.keyring import Keyring
from houseway.manager.signing import new_key
from houseway.manager.store import open_store
from houseway.refusal import FAULT_EXIT, Fault, Refusal
from houseway.table.progressive_round.commands import Light
from houseway.web.limiter import Room
from houseway.web.problem import Problem

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from crash import PostgresServer

FIVE_SECONDS = 5.0
UNIT = Path(__file__).parents[2] / "docs" / "houseway.service"


def houseway(folder: Path, *arguments: str) -> tuple[int, list[str]]:
    """A command to its end: the exit code, and the lines that it said."""
    log = folder / "said.txt"
    log.unlink(missing_ok=True)
    done = Forked(list(arguments), log, folder, dict(os.environ))
    return done.wait(60), log.read_text().splitlines()


@contextmanager
def locked(database: str) -> Iterator[None]:
    """Another process's hand on a floor: nothing can be written meanwhile."""
    with closing(sqlite3.connect(database, isolation_level=None, timeout=10)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@contextmanager
def full_disk(server: Server) -> Iterator[None]:
    """The server's files may not grow any more."""
    assert server.process is not None
    before = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (8_192, before[1]))
    try:
        yield
    finally:
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, before)


def until(holds: Callable[[], bool], seconds: float = 20.0) -> float:
    """Wait for something; answers how long that took."""
    began = time.monotonic()
    while not holds():
        assert time.monotonic() - began < seconds, "it did not happen"
        time.sleep(0.05)
    return time.monotonic() - began


def ready(server: Server) -> int:
    """What the server says of itself, on a connection of its own."""
    return httpx.get(f"{server.url}/readyz", timeout=10, verify=_certificates()).status_code


def gone(server: Server) -> None:
    """The server ended by itself; nobody is in front of it any more."""
    for person in server.people:
        person.http.close()
    server.process = None


def kind(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["type"].rpartition(":")[2]


def entries_of(database: str, key: str) -> int:
    with closing(open_store(database, create=False, read_only=True)) as store:
        return sum(row.order == key for row in store.entries())


# ----------------------------------------------------------------------------------------------- how a command ends


def test_a_fault_ends_with_75_and_wrong_input_with_2(tmp_path: Path) -> None:
    """Row 6: who starts a program again must know whether that can help."""
    (tmp_path / "floor.toml").write_text(example_floor())
    nobody = "postgresql://nobody@127.0.0.1:1/floor"
    serve = ["serve", "floor.toml", "--port", "0"]
    new_key(tmp_path / "houseway.key")
    for command in (serve, ["journal", "verify"], ["floor", "serve"], ["accruals"]):
        code, said = houseway(tmp_path, *command, "--db", nobody)
        assert (code, len(said)) == (FAULT_EXIT, 1), (command, said)
        assert "cannot be reached" in said[0]
    code, said = houseway(tmp_path, "serve", "floor.toml", "--port", "99999")
    assert (code, len(said)) == (2, 1)


def test_a_server_started_before_postgresql_comes_up_by_itself() -> None:
    """Row 6: after a power cut. The loop does what systemd does by the unit file."""
    with tempfile.TemporaryDirectory(prefix="hw") as name:
        folder = Path(name)
        database_server = PostgresServer(folder / "pg")
        try:
            (folder / "floor").mkdir()
            database = database_server.new()
            server = Server(make_floor(folder / "floor", database), database)
            database_server.kill()
            ended: list[int] = []
            stop = Event()
            command = ["serve", str(server.file), "--db", database, "--port", str(server.port)]
            command += ["--key-file", str(folder / "floor" / "houseway.key")]

            def keep_up() -> None:
                while not stop.is_set():
                    server.process = Forked(command, server.log, folder / "floor", dict(os.environ))
                    ended.append(server.process.wait(60))
                    if ended[-1] in (0, *_numbers("RestartPreventExitStatus")):
                        return
                    stop.wait(0.2)

            system = Thread(target=keep_up)
            system.start()
            try:
                until(lambda: len(ended) >= 2)
                assert set(ended) == {FAULT_EXIT}
                database_server.start()
                until(lambda: _is_ready(server))
            finally:
                stop.set()
                assert server.process is not None
                server.process.send_signal(signal.SIGTERM)
                system.join(20)
            assert ended[-1] == 0
            assert "Traceback" not in server.log.read_text()
        finally:
            database_server.close()


def _is_ready(server: Server) -> bool:
    try:
        return ready(server) == 200
    except httpx.TransportError:
        return False


def _numbers(setting: str) -> list[int]:
    found = re.findall(rf"^{setting}=(.*)$", UNIT.read_text(), re.MULTILINE)
    return [int(number) for line in found for number in line.split()]


def test_the_unit_starts_again_after_faults_and_never_after_wrong_settings() -> None:
    text = UNIT.read_text()
    assert _numbers("RestartPreventExitStatus") == [2]
    assert re.search(r"^Restart=on-failure$", text, re.MULTILINE), "exit codes but 0, and signals"
    # A database may take minutes to recover: however often, it is tried again.
    assert _numbers("StartLimitIntervalSec") == [0]
    assert re.search(r"^After=.*\bpostgresql\.service\b", text, re.MULTILINE)


# ----------------------------------------------------------------------------------------- a floor that takes nothing


def take_back_the_last_entry(database: str) -> None:
    """What a restored backup does: the journal ends before what was acknowledged."""
    with closing(sqlite3.connect(database, timeout=10)) as other:
        (seq,) = other.execute("SELECT seq FROM head").fetchone()
        other.execute("DELETE FROM journal WHERE seq = ?", (seq,))
        other.execute("DELETE FROM postings WHERE seq = ?", (seq,))
        other.execute("UPDATE head SET seq = seq - 1, hash = (SELECT hash FROM journal WHERE seq = head.seq - 1)")
        other.commit()


def test_a_floor_that_takes_nothing_more_ends_its_server(tmp_path: Path) -> None:
    """Row 1: noticed by the follower, without an order; the streams are told, and the process ends with 75."""
    with serving(tmp_path) as server:
        dealer = server.sign_in("2001")
        dealer.order("tables/CS-1/light", spot=1)
        with watching(server, dealer, "table/CS-1") as watch:
            watch.wait("beat")
            began = time.monotonic()
            take_back_the_last_entry(server.database)
            said: list[tuple[int, Any]] = []
            process = server.process
            assert process is not None
            while process.poll() is None and time.monotonic() - began < 20:
                try:
                    answer = dealer.http.get("/readyz")
                    said.append((answer.status_code, answer.json()["status"]))
                    time.sleep(0.05)
                except httpx.TransportError:
                    break
            assert process.wait(20) == FAULT_EXIT, server.log.read_text()
            assert time.monotonic() - began < 10
            assert said[-1][0] == 503
            assert "takes nothing more" in said[-1][1]
            assert "takes nothing more" in watch.wait("bye").data["why"]
        gone(server)
        last = server.log.read_text().splitlines()[-1]
        assert last.startswith("houseway: this floor takes nothing more: ")
        assert "Traceback" not in server.log.read_text()


def test_an_order_that_finds_a_changed_journal_ends_the_server_too(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        dealer = server.sign_in("2001")
        with closing(open_store(server.database, create=False, read_only=True)) as store:
            last, head = entry_of([*store.entries()][-1].body), store.head()
        append_row(Path(server.database), row_of(promoted(last), head, lambda *_: "ab" * 16))
        refused = dealer.send("tables/CS-1/light", spot=1)
        assert refused.status_code == 503
        assert refused.headers["Retry-After"]
        assert server.process is not None
        assert server.process.wait(20) == FAULT_EXIT
        gone(server)


def test_a_damaged_journal_is_one_sentence_at_the_next_start(tmp_path: Path) -> None:
    """Row 1: a break in the chain, and an entry that is chained but cannot have happened; never a traceback."""
    database = str(tmp_path / "floor.db")
    file = make_floor(tmp_path, database)
    key = str(tmp_path / "houseway.key")
    whole = Path(database).read_bytes()
    # An entry with chain and code as they should be, about a table that the floor does not have.
    keys = Keyring.load(Path(key))
    floor = Floor(open_store(database), keys=keys, threaded=False)
    try:
        state, last = floor.state, entry_of([*floor.store.entries()][-1].body)
        codes = Codes(floor.keys)
    finally:
        floor.close()
    impossible = row_of(_at_no_table(last), state.head, codes.maker(state.key_ids))
    append_row(Path(database), impossible)
    serve = ("serve", str(file), "--db", database, "--key-file", key, "--port", "0")
    for words in ("cannot have happened", "does not follow from entry"):
        for command in (serve, ("floor", "serve", "--db", database, "--key-file", key)):
            code, said = houseway(tmp_path, *command)
            assert (code, len(said)) == (FAULT_EXIT, 1), said
            assert words in said[0]
            assert said[0].startswith("houseway: the journal: ")
            assert "houseway journal verify" in said[0]
        code, said = houseway(tmp_path, "journal", "verify", "--db", database, "--key-file", key)
        assert code == 1, said
        assert "Traceback" not in "\n".join(said)
        code, said = houseway(tmp_path, "doctor", str(file), "--db", database, "--key-file", key)
        assert code == 1
        assert "Traceback" not in "\n".join(said)
        Path(database).write_bytes(whole)
        with closing(sqlite3.connect(database, timeout=10)) as other:
            other.execute("UPDATE journal SET hash = ? WHERE seq = 3", ("0" * 64,))
            other.execute("DELETE FROM snapshot")
            other.commit()


def _at_no_table(last: Any) -> Any:
    from msgspec.structs import replace

    from houseway.table.progressive_round.events import SensorLit

    event = SensorLit(table="NONE", round=1, spot=1, waits=False)
    return replace(last, seq=last.seq + 1, order="impossible", kind="light", table="NONE", round=1, events=(event,))


# -------------------------------------------------------------------------------------------- ready means: can record


def test_a_full_disk_is_said_by_readiness_streams_and_orders_and_is_over_with_it(tmp_path: Path) -> None:
    """Row 7."""
    with serving(tmp_path) as server:
        dealer = server.sign_in("2001")
        dealer.order("tables/CS-1/light", spot=1)
        with watching(server, dealer, "table/CS-1") as watch:
            watch.wait("beat")
            with full_disk(server):
                began = time.monotonic()
                told = watch.wait("stalled")
                assert told.at - began < FIVE_SECONDS
                assert "nothing can be recorded" in told.data["why"]
                answer = dealer.http.get("/readyz")
                assert (answer.status_code, answer.json()["status"]) == (503, told.data["why"])
                assert answer.headers["Retry-After"]
                assert dealer.http.get("/healthz").status_code == 200
                refused = dealer.send("tables/CS-1/light", key="later", spot=2)
                assert refused.status_code == 503, refused.text
                assert refused.headers["Retry-After"]
                # Not even once in between: it is not a matter of luck.
                mark = time.monotonic()
                time.sleep(1.5)
                assert not [one for one in watch.of("beat") if one.at > mark]
                assert dealer.http.get("/metrics").text.count("\nhouseway_recording 0.0\n") == 1
            over = time.monotonic()
            watch.wait("beat", lambda one: one.at > over)
            assert ready(server) == 200
            dealer.order("tables/CS-1/light", key="later", spot=2)
        assert server.stop() == 0
        with closing(open_store(server.database, create=False, read_only=True)) as store:
            assert verify(store).whole
        assert entries_of(server.database, "later") == 1


def test_a_table_closes_its_progressive_at_once_and_opens_it_again(tmp_path: Path) -> None:
    """PR-38 at the client: a beat that never came is noticed after five seconds, this is said."""
    with serving(tmp_path) as server, Client(server.url) as client:
        client.sign_in("2001", "1234")
        link, began, opened = TableLink(["table/CS-1"]), 0.0, ExitStack()
        for event in client.stream(["table/CS-1"]):
            link.take(event)
            if isinstance(event, Beat) and not began:
                assert link.open
                began = time.monotonic()
                opened.enter_context(full_disk(server))
            elif isinstance(event, Stalled):
                assert time.monotonic() - began < FIVE_SECONDS
                assert not link.open
                with pytest.raises(Refusal, match="the progressive wager is closed: nothing can be recorded"):
                    link.check(Light(table="CS-1", spot=1))
                opened.close()
            elif isinstance(event, Beat) and "nothing can be recorded" in server.log.read_text():
                assert link.open
                break


def test_an_idle_floor_probes_and_writes_nothing_down(tmp_path: Path) -> None:
    """The probe is a real write that leaves no trace in the books."""
    with serving(tmp_path) as server, closing(open_store(server.database, create=False, read_only=True)) as store:
        before = store.head()
        wal = Path(f"{server.database}-wal")
        size = wal.stat().st_mtime_ns
        until(lambda: wal.stat().st_mtime_ns != size, FIVE_SECONDS)
        assert store.head() == before
        assert verify(store).whole


# -------------------------------------------------------------------------------------------------------- deadlines


def test_a_hanging_database_is_answered_in_time_and_holds_up_nothing_else(tmp_path: Path) -> None:
    """Rows 8 and 7: 503 uncertain after the deadline; the same key later finds the one entry."""
    with serving(tmp_path, "", "--order-seconds", "1") as server:
        dealer, other = server.sign_in("2001"), server.somebody()
        with watching(server, dealer, "table/CS-1") as watch, ThreadPoolExecutor(8) as crowd:
            watch.wait("beat")
            with locked(server.database):
                began = time.monotonic()
                orders = [crowd.submit(dealer.send, "tables/CS-1/light", f"slow-{n}", spot=n) for n in (1, 2)]
                sign_ins = [
                    crowd.submit(
                        lambda: httpx.post(
                            f"{server.url}{API}/session",
                            json={"card": "2001", "pin": "1234"},
                            timeout=10,
                            verify=_certificates(),
                        )
                    )
                    for _ in range(4)
                ]
                took = []
                for path in ("/healthz", "/readyz", "/sign-in", "/static/chip.svg") * 4:
                    asked = time.monotonic()
                    assert other.http.get(path).status_code in (200, 404, 503)
                    took.append(time.monotonic() - asked)
                assert sorted(took)[len(took) // 2] < 0.1, took
                for answer in (one.result() for one in orders):
                    assert kind(answer) == (503, "uncertain")
                    assert answer.headers["Retry-After"]
                assert time.monotonic() - began < 3
                assert {one.result().status_code for one in sign_ins} == {503}
                assert time.monotonic() - began < 4
                # The stream says so, and goes on.
                watch.wait("stalled", seconds=FIVE_SECONDS)
            again = until_carried(dealer, "slow-1", spot=1)
            assert again.headers["Idempotent-Replayed"] == "true"
            until_carried(dealer, "slow-2", spot=2)
            until(lambda: ready(server) == 200, 8)
        assert entries_of(server.database, "slow-1") == 1


def until_carried(dealer: Person, key: str, **body: Any) -> httpx.Response:
    """An order sent again until it is answered, as clients do."""
    answer = dealer.send("tables/CS-1/light", key, **body)
    while answer.status_code == 503:
        time.sleep(float(answer.headers["Retry-After"]))
        answer = dealer.send("tables/CS-1/light", key, **body)
    assert answer.status_code == 200, answer.text
    return answer


def test_reads_that_hang_are_answered_too_and_leave_room_for_the_rest(
    tmp_path: Path,
    new_postgres: Callable[[], str],  # noqa: F811  a fixture
) -> None:
    """Row 8: the journal is locked against readers; more reads than there are threads."""
    database = new_postgres()
    with serving(tmp_path, database, "--order-seconds", "1") as server:
        auditor, other = server.sign_in("5001"), server.somebody()
        with psycopg.connect(database) as lock, ThreadPoolExecutor(8) as crowd:
            lock.execute("LOCK TABLE journal, postings IN ACCESS EXCLUSIVE MODE")
            began = time.monotonic()
            reads = [crowd.submit(auditor.http.get, f"{API}/journal") for _ in range(7)]
            time.sleep(0.3)
            took = []
            for path in ("/healthz", "/readyz", "/static/chip.svg") * 5:
                asked = time.monotonic()
                other.http.get(path)
                took.append(time.monotonic() - asked)
            assert sorted(took)[len(took) // 2] < 0.1, took
            for answer in (one.result() for one in reads):
                assert kind(answer) == (503, "unavailable")
                assert answer.headers["Retry-After"]
            assert time.monotonic() - began < 8
            lock.rollback()
        until(lambda: ready(server) == 200)
        assert server.sign_in("2001").get("floor")["links"]
        assert auditor.get("journal")["items"]


# -------------------------------------------------------------------------------------- stopping while it is slow


def test_a_stop_while_the_database_is_slow_answers_503_and_the_client_tries_again(tmp_path: Path) -> None:
    """Row 5: never 500 and never a cut connection; under the same id the order is there once."""
    database = str(tmp_path / "floor.db")
    server = Server(make_floor(tmp_path, database), database, "--stop-seconds", "1", "--order-seconds", "60").start()
    statuses: list[tuple[int, object]] = []
    patience = Patience(tries=120, first_wait=0.2, longest_wait=1.0)
    watcher = lambda one: statuses.append((one.status, one.outcome)) if one.key else None  # noqa: E731
    with Client(server.url, patience=patience, watcher=watcher) as client, ThreadPoolExecutor(1) as crowd:
        client.sign_in("2001", "1234")
        process = server.process
        assert process is not None
        with locked(database):
            given = crowd.submit(client.order, Light(table="CS-1", spot=3), key="mine")
            time.sleep(0.5)
            began = time.monotonic()
            process.send_signal(signal.SIGTERM)
            until(lambda: bool(statuses))
            assert statuses[0][0] == 503, statuses
            assert "not certain" in str(statuses[0][1])
            code = process.wait(20)
            assert time.monotonic() - began < 15
        assert code in (0, FAULT_EXIT)
        assert "Traceback" not in server.log.read_text()
        server.process = None
        server.start()
        assert given.result().type == "light"
        assert 500 not in {status for status, _ in statuses}
        server.stop()
    assert entries_of(database, "mine") == 1


def test_a_server_stops_although_its_database_hangs_for_good(
    tmp_path: Path,
    new_postgres: Callable[[], str],  # noqa: F811  a fixture
) -> None:
    """Row 5: orders and reads that never end; the process is gone in time, and says what that means."""
    database = new_postgres()
    with serving(tmp_path, database, "--stop-seconds", "1", "--order-seconds", "60") as server:
        dealer, manager = server.sign_in("2001"), server.sign_in("5001")
        with psycopg.connect(database) as lock, ThreadPoolExecutor(4) as crowd:
            lock.execute("LOCK TABLE journal, head IN ACCESS EXCLUSIVE MODE")
            order = crowd.submit(dealer.send, "tables/CS-1/light", "never", spot=1)
            read = crowd.submit(manager.http.get, f"{API}/journal")
            time.sleep(0.5)
            process = server.process
            assert process is not None
            process.send_signal(signal.SIGTERM)
            assert kind(order.result()) == (503, "uncertain")
            assert kind(read.result()) == (503, "unavailable")
            began = time.monotonic()
            assert process.wait(25) == FAULT_EXIT
            assert time.monotonic() - began < 20
            gone(server)
            lock.rollback()
        assert "ends without closing it" in server.log.read_text().splitlines()[-1]
    assert entries_of(database, "never") == 0


def test_a_500_is_not_tried_again() -> None:
    """The program failed: sent again it would fail again, and nobody would look."""
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.path)
        problem = {"type": "urn:houseway:problem:failed", "title": "", "status": 500, "detail": "failed", "field": ""}
        return httpx.Response(500, json=problem)

    with Client("http://floor", transport=httpx.MockTransport(answer)) as client, pytest.raises(Failed):
        client.order(Light(table="CS-1", spot=1))
    assert len(asked) == 1


# ------------------------------------------------------------------------------------------------------- Retry-After


def test_every_503_is_made_in_one_place_and_says_when_to_come_back(tmp_path: Path) -> None:
    """Row 15: no other code of the server makes one; and where a connection itself is refused it is said too."""
    made: list[str] = []
    for file in Path(web_package.__path__[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            given = node.args if isinstance(node, ast.Call) else []
            if any(isinstance(one, ast.Constant) and one.value == 503 for one in given):
                made.append(f"{file.name}: {ast.unparse(node)}")
    ready = "health.py: JSONResponse(body, 503, retry_after(1))"
    assert sorted(made) == [ready, "problem.py: Problem(503, kind, detail)"]
    with serving(tmp_path, "", "--most-connections", "10", "--connections-per-address", "100") as server:
        dealer = server.sign_in("2001")
        cookie = f"houseway={dealer.http.cookies['houseway']}"
        held = []
        try:
            for _ in range(12):
                one = socket.create_connection(("127.0.0.1", server.port))
                one.settimeout(5)
                held.append(one)
                one.sendall(
                    f"GET {API}/stream?subject=floor HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {cookie}\r\n\r\n".encode()
                )
                answer = one.recv(4_096)
            assert b" 503 " in answer.splitlines()[0]
            assert re.search(rb"\r\nretry-after: \d+\r\n", answer.lower())
        finally:
            for one in held:
                one.close()


# ---------------------------------------------------------------------------------------------------------- overload


def test_readers_are_sent_away_before_orders_and_one_address_before_all() -> None:
    room, told = Room(16), list[Problem]()

    def refused(network: str, *, order: bool) -> bool:
        try:
            room.check(network, order=order)
        except Problem as problem:
            told.append(problem)
            return True
        return False

    places = [room.place("here") for _ in range(4)]
    assert (refused("here", order=False), refused("here", order=True)) == (True, False)
    assert not refused("there", order=False)
    places += [room.place("here") for _ in range(4)]
    assert refused("here", order=True), "one address has half"
    assert (refused("there", order=False), refused("there", order=True)) == (True, False)
    places += [room.place(f"there-{n}") for n in range(8)]
    assert refused("elsewhere", order=True)
    for place in places:
        place.leave()
        place.leave()
    assert not refused("here", order=False)
    assert {(one.details.status, one.details.type) for one in told} == {(503, "urn:houseway:problem:busy")}
    assert all(1 <= int(one.headers["Retry-After"]) <= 5 for one in told)


def test_what_there_is_no_room_for_is_refused_at_once_and_never_recorded(tmp_path: Path) -> None:
    """Row 16, one by one: the database is held, so that what is taken waits."""
    with serving(tmp_path, "", "--most-waiting", "8", "--order-seconds", "4") as server:
        dealer, other = server.sign_in("2001"), server.somebody()
        other.http.cookies = dealer.http.cookies
        with ThreadPoolExecutor(8) as crowd:
            with locked(server.database):
                taken = [crowd.submit(dealer.send, "tables/CS-1/light", f"taken-{n}", spot=n) for n in range(1, 5)]
                time.sleep(0.5)
                began = time.monotonic()
                for path in (f"{API}/floor", f"{API}/stream?subject=floor", "/sign-in"):
                    answer = other.http.get(path)
                    assert kind(answer) == (503, "busy")
                    assert answer.headers["Retry-After"]
                refused = dealer.send("tables/CS-1/light", "refused", spot=5)
                assert kind(refused) == (503, "busy")
                assert time.monotonic() - began < 1
                assert other.http.get("/healthz").status_code == 200
                assert other.http.get("/readyz").status_code in (200, 503)
            assert {one.result().status_code for one in taken} == {200}
        assert entries_of(server.database, "refused") == 0
        assert dealer.http.get(f"{API}/floor").status_code == 200


class Probed:
    """Somebody who asks again and again whether the server is ready, each time on a new connection."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._stop = Event()
        self.took: list[float] = []
        self.statuses: set[bytes] = set()
        self._thread = Thread(target=self._ask)

    def __enter__(self) -> Probed:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._stop.set()
        self._thread.join()
        self.took.sort()

    def parts(self) -> dict[str, float]:
        """The seconds within which so much of it was answered."""
        last = len(self.took) - 1
        return {f"{part}%": round(self.took[last * part // 100], 3) for part in (50, 90, 99, 100)}

    def _ask(self) -> None:
        while not self._stop.wait(0.05):
            for path in ("/readyz", "/healthz"):
                began = time.monotonic()
                with socket.create_connection(("127.0.0.1", self._port), timeout=30) as one:
                    one.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
                    self.statuses.add(one.recv(1_000)[9:12])
                self.took.append(time.monotonic() - began)


def overload(server: Server, dealer: Person, clients: int, seconds: float) -> dict[str, Any]:
    """What a crowd in a process of its own got."""
    cookie, csrf = dealer.http.cookies["houseway"], dealer.http.headers["X-CSRF-Token"]
    given = (server.port, cookie, csrf, clients, seconds, 5)
    command = [sys.executable, "-m", "tests.books.overload", *map(str, given)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=seconds + 60)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def hold_out(folder: Path, clients: int, seconds: float, *options: str) -> None:
    """Row 16: nobody times out, everybody is answered or sent away, readiness answers, and then all is as before."""
    with serving(folder, "", "--connections-per-address", "4000", "--log-level", "warning", *options) as server:
        dealer = server.sign_in("2001")
        calm = overload(server, dealer, 16, 2)
        with Probed(server.port) as probed:
            crowd = overload(server, dealer, clients, seconds)
        after = overload(server, dealer, 16, 2)
        figures = f"calm {calm}\ncrowd {crowd}\nafter {after}\nprobes {probed.parts()}"
        print(figures)
        assert set(crowd) <= {"200", "409", "503", "a_second", "p50", "p99", "worst"}, figures
        assert crowd["503"] > 0, figures
        assert crowd["200"] > 0, figures
        assert probed.statuses == {b"200"}, figures
        assert probed.parts()["90%"] < 0.1, figures
        assert after["a_second"] > calm["a_second"] / 3, figures
        assert server.stop() == 0
        with closing(open_store(server.database, create=False, read_only=True)) as store:
            assert verify(store).whole


def test_a_crowd_is_sent_away_in_time_and_readiness_answers(tmp_path: Path) -> None:
    hold_out(tmp_path, 400, 4, "--most-waiting", "64")


@pytest.mark.long
def test_3500_terminals_are_sent_away_in_time_and_readiness_answers(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(10_000, hard), hard))
    try:
        hold_out(tmp_path, 3_500, 20)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_fault_is_no_refusal() -> None:
    """The two are told apart by their exit codes alone, so no class may be both."""
    assert not issubclass(Fault, Refusal)
    assert not issubclass(Refusal, Fault)
