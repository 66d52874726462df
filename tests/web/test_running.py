"""Running a server: how it starts and stops, what it logs and counts, TLS and proxies. Real processes throughout."""

from __future__ import annotations

import json
import re
import signal
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from tests.keys import KEYS
from tests.web.test_settings import make_certificate
from tests.web.web_kit import API, NEW_PIN, Person, serving, serving_here

from houseway.books.verify import verify
from houseway.manager.commands import Dismiss, Order
from houseway.manager.floor import Done, Floor
from houseway.manager.floor_file import example_floor, load_floor
from houseway.manager.keyring import Keyring
from houseway.manager.store import open_store
from houseway.progressive.terms import cents_of
from houseway.refusal import Refusal
from houseway.web.demonstration import FIRST, STAFF, found_demonstration
from houseway.web.logs import formatter, hide_secrets
from houseway.web.site import Site


class Running(NamedTuple):
    """A `houseway` process that serves."""

    process: subprocess.Popen[bytes]
    url: str
    out: Path
    log: Path

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(30)


@contextmanager
def started(folder: Path, *arguments: str) -> Iterator[Running]:
    """A process in a folder, once it says that it serves."""
    out, log = folder / "out.txt", folder / "log.txt"
    with out.open("wb") as stdout, log.open("wb") as stderr:
        process = subprocess.Popen(
            [sys.executable, "-m", "houseway.cli", *arguments], stdout=stdout, stderr=stderr, cwd=folder
        )
    try:
        until = time.monotonic() + 60
        # A server says it to its log; a demonstration to people, and it is ready when it has told them how to stop it.
        logged = re.compile(r"address\W+(https?://[^\s\"]+)")
        shown = re.compile(r"a demonstration floor at (https?://\S+).*Ctrl-C", re.DOTALL)
        while not (found := logged.search(log.read_text()) or shown.search(out.read_text())):
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < until, log.read_text()
            time.sleep(0.05)
        yield Running(process, found[1], out, log)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            process.wait(30)


def read_floor_of(database: str) -> Floor:
    keys = Keyring.load(next(Path(database).parent.glob("*.key")))
    return Floor(open_store(database, create=False), keys=keys, threaded=False)


# ------------------------------------------------------------------------------------------------ stopping


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_streams_finishes_orders_and_leaves_with_0(number: signal.Signals, tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        dealer = server.sign_in("2001")
        cookies, token = dealer.http.cookies, dealer.http.headers["X-CSRF-Token"]
        heard: list[str] = []
        carried: list[int] = []
        opened = threading.Event()

        def watch() -> None:
            with (
                httpx.Client(base_url=server.url, cookies=cookies, timeout=20) as http,
                http.stream("GET", f"{API}/stream", params={"subject": "table/CS-1"}) as stream,
            ):
                for line in stream.iter_lines():
                    heard.append(line)
                    opened.set()

        def order(spot: int) -> None:
            with httpx.Client(
                base_url=server.url, cookies=cookies, headers={"X-CSRF-Token": token}, timeout=30
            ) as http:
                for count in range(10_000):
                    what = "unlight" if count % 2 else "light"
                    key = {"Idempotency-Key": f"{spot}-{count}"}
                    try:
                        done = http.post(f"{API}/tables/CS-1/{what}", json={"spot": spot}, headers=key)
                    except httpx.TransportError:
                        return
                    assert done.status_code == 200, done.text
                    carried.append(done.json()["entry"])

        threads = [threading.Thread(target=watch), *(threading.Thread(target=order, args=(n,)) for n in range(1, 5))]
        for thread in threads:
            thread.start()
        assert opened.wait(10)
        time.sleep(0.5)
        process = server.process
        assert process is not None
        process.send_signal(number)
        assert process.wait(20) == 0, server.log.read_text()
        server.process = None
        dealer.http.close()
        for thread in threads:
            thread.join(20)
        assert "event: bye" in heard
        assert len(carried) > 20
        store = open_store(server.database, create=False, read_only=True)
        try:
            assert {row.seq for row in store.entries()} >= set(carried)
            assert verify(store).whole
            kept = store.snapshot()
            assert kept is not None
            assert kept.seq == store.head().seq, "a clean end keeps a snapshot"
        finally:
            store.close()
        assert "Traceback" not in server.log.read_text()


def test_a_request_that_has_not_arrived_whole_does_not_hold_up_the_end(tmp_path: Path) -> None:
    with serving(tmp_path, "", "--stop-seconds", "60", "--body-seconds", "60") as server, httpx.Client() as http:

        def body() -> Iterator[bytes]:
            yield b"{"
            began.set()
            released.wait(30)

        began, released = threading.Event(), threading.Event()

        def send() -> None:
            with suppress(httpx.TransportError):
                http.post(f"{server.url}{API}/session", content=body(), headers={"content-type": "application/json"})

        thread = threading.Thread(target=send)
        thread.start()
        assert began.wait(10)
        time.sleep(0.3)
        before = time.monotonic()
        assert server.stop() == 0
        assert time.monotonic() - before < 30
        released.set()
        thread.join(10)


def test_a_second_signal_ends_at_once() -> None:
    program = """
import os, signal, time
from houseway.web.server import _Stop
with _Stop():
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(0.1)
    print("still here", flush=True)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(30)
    print("too late", flush=True)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=25, check=False)
    assert (done.returncode, done.stdout) == (-signal.SIGTERM, "still here\n")


# ------------------------------------------------------------------------------------------------ starting


def test_a_new_database_becomes_a_floor_whose_first_codes_are_their_owners_alone(tmp_path: Path) -> None:
    file = tmp_path / "floor.toml"
    file.write_text(f'{example_floor()}\n[server]\nport = 0\ndb = "floor.db"\nkey_file = "floor.key"\n')
    with started(tmp_path, "serve", str(file)) as server:
        # TR-14: without a terminal the codes are in a file of their owner's, and in nothing that is logged.
        codes = tmp_path / "first-codes.txt"
        assert codes.stat().st_mode & 0o777 == 0o600
        people = [line.split() for line in codes.read_text().splitlines()]
        said = server.out.read_text() + server.log.read_text()
        assert str(codes) in said
        assert not any(code in said for *_, code in people)
        person = Person(server.url)
        _, _, card, code = people[0]
        given = {"card": card, "pin": code, "new_pin": NEW_PIN}
        assert person.welcomed(person.http.post(f"{API}/session/pin", json=given))["role"] == "manager"
        assert person.get("floor")["links"]
        person.http.close()
        assert server.stop() == 0
    file.write_text(file.read_text().replace("lockout_minutes = 15", "lockout_minutes = 16"))
    with started(tmp_path, "serve", str(file)) as server:
        assert server.out.read_text() == ""
        said = server.log.read_text()
        assert "differs from the floor that is in force, which is served" in said
        assert "15 became 16" in said
        assert "houseway floor apply" in said
        assert server.stop() == 0
    floor = read_floor_of(str(tmp_path / "floor.db"))
    assert floor.state.policies.lockout_minutes == 15
    floor.close()
    # A floor goes on also when its file has come to have a defect; only a new one needs it whole.
    file.write_text(file.read_text().replace('console = "touch"', 'console = "tuch"', 1))
    with started(tmp_path, "serve", str(file)) as server:
        assert "tuch" in server.log.read_text()
        assert "serving the floor that is in force" in server.log.read_text()


def test_up_serves_a_demonstration_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    for run in range(2):
        with started(tmp_path, "up", "--dir", "demo", "--port", "0") as server:
            shown = server.out.read_text()
            for path in ("/", "/openapi.json", "/healthz", "/readyz", "/metrics"):
                assert f"{server.url}{path} " in shown
            for one in (FIRST, *STAFF):
                assert re.search(rf"{one.card} +1234 +{one.role} +{one.name}", shown)
            for path in ("/openapi.json", "/healthz"):
                assert httpx.get(f"{server.url}{path}", timeout=30).status_code == 200
            person = Person(server.url)
            person.sign_in("2001")
            assert person.get("tables/CS-1")["progressive"]["lit"] == ([2] if run else [])
            if not run:
                person.order("tables/CS-1/light", spot=2)
            person.http.close()
            assert server.stop(signal.SIGINT) == 0
            # Where to look stays in sight: no line for each request.
            assert server.log.read_text() == ""


def test_up_keeps_the_floor_file_that_is_there(tmp_path: Path) -> None:
    text = example_floor().replace("Riverside Card Room", "My Own Room") + "\n[server]\nport = 0\n"
    (tmp_path / "floor.toml").write_text(text)
    with started(tmp_path, "up", "--dir", str(tmp_path)) as server:
        person = Person(server.url)
        assert "My Own Room" in person.get("session")["site"]
        person.http.close()
    assert (tmp_path / "floor.toml").read_text() == text


class PowerCutError(Exception):
    pass


class Stumbling(Floor):
    """A floor whose power fails before one of its orders."""

    left = 0

    def handle(self, order: Order, *credentials: Any) -> Done:
        if not self.left:
            raise PowerCutError
        self.left -= 1
        return super().handle(order, *credentials)


@pytest.mark.parametrize("orders", [0, 1, 4, 10])
def test_a_founding_that_was_interrupted_is_finished(orders: int, tmp_path: Path) -> None:
    (tmp_path / "floor.toml").write_text(example_floor())
    config = load_floor(tmp_path / "floor.toml")
    floor = Stumbling(open_store(str(tmp_path / "floor.db")), keys=KEYS, threaded=False)
    floor.left = orders
    with pytest.raises(PowerCutError):
        found_demonstration(floor, config)
    floor.close()
    again = Floor(open_store(str(tmp_path / "floor.db")), keys=KEYS, threaded=False)
    try:
        found_demonstration(again, config)
        assert again.state.staff.keys() == {one.staff for one in (FIRST, *STAFF)}
        assert all(meter.opened for link in again.state.links.values() for meter in link.meters.values())
        seq = again.state.seq
        assert seq == 11
        gone = Dismiss(staff="demo-dealer", reason="gone")
        again.handle(Order(id="x", by=FIRST.staff, second="demo-executive", command=gone))
        found_demonstration(again, config)
        assert again.state.seq == seq + 1, "what was done once is not done again"
        assert not again.state.staff["demo-dealer"].active
    finally:
        again.close()


def test_a_floor_that_is_no_demonstration_is_not_made_one(tmp_path: Path) -> None:
    (tmp_path / "floor.toml").write_text(example_floor())
    config = load_floor(tmp_path / "floor.toml")
    floor = Floor(open_store(str(tmp_path / "floor.db")), keys=KEYS, threaded=False)
    try:
        floor.found(config)
        with pytest.raises(Refusal, match="no demonstration"):
            found_demonstration(floor, config)
    finally:
        floor.close()


# ------------------------------------------------------------------------------------------------ the log


def test_the_log_has_a_line_for_each_request_and_no_secret(tmp_path: Path) -> None:
    secrets: set[str] = {"1234", "987654", "QUERYSECRET", "HEADERSECRET", "PATHSECRET"}
    with serving(tmp_path, "", "--log", "json", "--log-level", "debug") as server:
        manager = server.sign_in("5001")
        dealer = server.sign_in("2001")
        wrong = server.somebody()
        assert wrong.http.post(f"{API}/session", json={"card": "2002", "pin": "987654"}).status_code == 401
        assert wrong.http.post(f"{API}/session", json={"card": "2002", "pin": 987654}).status_code == 422
        done = dealer.send("tables/CS-1/light", key="order-1", spot=3)
        assert done.status_code == 200
        assert dealer.send("tables/CS-1/light", spot=99).status_code == 409
        device = manager.order("devices/issue-device", device="box-1", right="sensor", subject="CS-1")
        bearer = {"Authorization": f"Bearer {device['token']}"}
        assert wrong.send("tables/CS-1/light", headers=bearer, spot=4).status_code == 200
        assert (
            wrong.send("tables/CS-1/light", headers={"Authorization": "Bearer x.HEADERSECRET"}, spot=4).status_code
            == 401
        )
        player = server.player("Ada", dealer)
        enrolled = manager.seconded("staff/enroll", staff="s-1", name="New", role="dealer")
        presence = dealer.present("3001", "order-2", "tables/CS-1/void-round")
        assert dealer.send("tables/CS-1/void-round", "order-2", {"By-Card": presence}, reason="x").status_code < 500
        assert wrong.http.get(f"{API}/session?token=QUERYSECRET").status_code == 422
        assert wrong.http.get("/PATHSECRET").status_code == 404
        cookie = {"Cookie": f"houseway={manager.http.cookies['houseway']}broken"}
        assert wrong.http.get(f"{API}/floor", headers=cookie).status_code == 401
        for person in (manager, dealer, player):
            secrets.add(person.http.cookies["houseway"])
            secrets.add(person.http.cookies["houseway"].partition(".")[0])
            secrets.add(person.http.headers["X-CSRF-Token"])
        secrets |= {device["token"], device["token"].partition(".")[2], enrolled["code"], presence}
        assert server.stop() == 0
    text = server.log.read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    # A PIN is short: a number in a line that is one by itself is no leak.
    for line in lines:
        for harmless in ("time", "ms", "request", "entry"):
            line.pop(harmless, None) if harmless != "request" else None
    searched = "\n".join(json.dumps({k: v for k, v in line.items() if k != "request"}) for line in lines)
    assert [one for one in secrets if one in searched] == []
    assert [one for one in secrets if len(one) > 6 and one in text] == []
    by_request = {line["request"]: line for line in lines if line.get("event") == "request"}
    order = by_request[done.headers["x-request-id"]]
    assert {key: order[key] for key in ("level", "method", "path", "status", "who", "table")} == {
        "level": "info",
        "method": "POST",
        "path": "/api/v1/tables/{table}/light",
        "status": 200,
        "who": "demo-dealer",
        "table": "CS-1",
    }
    statuses = {(line["path"], line["status"], line["level"]) for line in by_request.values()}
    assert ("/api/v1/session", 401, "warning") in statuses
    assert ("none", 404, "warning") in statuses
    assert ("/api/v1/session", 200, "debug") in statuses
    assert "houseway.floor" in {line["logger"] for line in lines}, "what the floor says goes the same way"


def test_what_looks_like_a_secret_is_taken_out_of_anything_that_is_logged() -> None:
    token = "box-1." + "0a" * 32
    cookie = "abc_DEF-123.1700000000." + "0b" * 16
    for text in (
        f"failed on {token}",
        f"Authorization: Bearer {token}",
        f"Cookie: houseway={cookie}",
        f"{{'pin': '{token}'}}",
        '{"card": "2001", "pin": "271828"}',
        "pin=271828&card=1",
        "postgresql://floor:271828@db.example/floor",
    ):
        hidden = hide_secrets(text)
        assert "[hidden]" in hidden
        assert not any(secret in hidden for secret in (token, cookie, "271828", "0a" * 32))
    plain = "entry 12 of stud by demo-dealer: the meter is not open (PR-4)"
    assert hide_secrets(plain) == plain


@pytest.mark.parametrize("kind", ["people", "json"])
def test_an_exception_is_logged_without_its_secrets(kind: Any) -> None:
    import logging

    try:
        raise ValueError("pin=271828")
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "", 1, "failed with %s", ("token=314159",), sys.exc_info())
    written = formatter(kind).format(record)
    assert "ValueError" in written
    assert "271828" not in written
    assert "314159" not in written


# ------------------------------------------------------------------------------------------------ numbers


def numbers(text: str) -> dict[str, float]:
    rows = [line.rpartition(" ") for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in rows}


def test_metrics_count_requests_and_read_the_money_from_the_database(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        dealer = server.sign_in("2001")
        for spot in (1, 2, 3):
            dealer.order("tables/CS-1/light", spot=spot)
        dealer.order("tables/CS-1/lock-in")
        assert dealer.send("tables/CS-1/light", spot=99).status_code == 409
        found = numbers(httpx.get(f"{server.url}/metrics", timeout=30).text)
        route = "/api/v1/tables/{table}/light"
        assert found[f'houseway_requests_total{{method="POST",route="{route}",status="200"}}'] == 3
        assert found[f'houseway_requests_total{{method="POST",route="{route}",status="409"}}'] == 1
        assert found[f'houseway_orders_refused_total{{route="{route}",status="409"}}'] == 1
        assert found[f'houseway_request_seconds_count{{route="{route}"}}'] == 4
        assert found['houseway_entries_seen_total{kind="light"}'] == 3
        assert found["houseway_database_up"] == 1
        assert found["houseway_ledger_difference_micros"] == 0
        assert found["process_resident_memory_bytes"] > 0
        entries = found["houseway_entries_total"]
        assert server.stop() == 0
    store = open_store(server.database, create=False, read_only=True)
    balances, seq = store.balances(), store.head().seq
    store.close()
    assert entries == seq
    shown = {name: value for name, value in found.items() if name.startswith(("houseway_meter", "houseway_reserve"))}
    assert len(shown) == 20
    for name, value in shown.items():
        labels = dict(re.findall(r'(\w+)="([^"]*)"', name))
        kind = "meter" if name.startswith("houseway_meter") else "reserve"
        assert value == cents_of(balances.get(f"{kind}/{labels['link']}/{labels['meter']}", 0)), name
        assert labels["currency"] == "USD"
    # Three wagers of a dollar, of which 70 cents go on the meter and 2 into its reserve.
    assert shown['houseway_meter_cents{currency="USD",link="stud",meter="main"}'] == 1_000_000 + 210
    assert shown['houseway_reserve_cents{currency="USD",link="stud",meter="main"}'] == 6


def test_who_may_read_metrics(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A demonstration takes nothing that was forwarded; this is how other floors answer it.
    monkeypatch.setattr(Site, "demonstration", False)
    forwarded = {"X-Forwarded-For": "198.51.100.7"}
    with serving_here(tmp_path) as server:
        manager = server.sign_in("5001")
        token = manager.order("devices/issue-device", device="casino-1", right="casino")["token"]
        sensor = manager.order("devices/issue-device", device="box-1", right="sensor", subject="CS-1")["token"]
        people: dict[str, Person] = {card: server.sign_in(card) for card in ("2001", "3001", "4001", "6001", "7001")}
        people["5001"] = manager

        def status(http: httpx.Client, **headers: str) -> int:
            return http.get("/metrics", headers={**forwarded, **headers}).status_code

        assert httpx.get(f"{server.url}/metrics", timeout=30).status_code == 200
        nobody = server.somebody().http
        assert status(nobody) == 401
        assert nobody.get("/metrics", headers=forwarded).headers["content-type"] == "application/problem+json"
        assert status(nobody, Authorization=f"Bearer {token}") == 200
        assert status(nobody, Authorization=f"Bearer {sensor}") == 403
        assert {card: status(person.http) for card, person in people.items()} == {
            **dict.fromkeys(("2001", "3001"), 403),
            **dict.fromkeys(("4001", "5001", "6001", "7001"), 200),
        }
    with serving_here(tmp_path, founded=True, metrics="open") as again:
        assert httpx.get(f"{again.url}/metrics", headers=forwarded, timeout=30).status_code == 200


# ------------------------------------------------------------------------------------------------ TLS and proxies


def test_tls_by_certificate_files(tmp_path: Path) -> None:
    make_certificate(tmp_path)
    text = '[server]\nport = 0\ntls_certificate = "certificate.pem"\ntls_key = "key.pem"\n'
    (tmp_path / "floor.toml").write_text(f"{example_floor()}\n{text}")
    with started(tmp_path, "up", "--dir", str(tmp_path)) as server:
        assert server.url.startswith("https://127.0.0.1:")
        trust = ssl.create_default_context(cafile=str(tmp_path / "certificate.pem"))
        with httpx.Client(base_url=server.url, verify=trust, timeout=30) as http:
            answer = http.post(f"{API}/session", json={"card": "2001", "pin": "1234"})
            assert answer.status_code == 200
            cookie = answer.headers["set-cookie"]
            assert cookie.startswith("__Host-houseway=")
            assert "; Secure" in cookie
            assert "strict-transport-security" in answer.headers
        with pytest.raises(httpx.TransportError):
            httpx.get(server.url.replace("https", "http"))
        old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        old.check_hostname = False
        old.verify_mode = ssl.CERT_NONE
        with pytest.warns(DeprecationWarning, match="TLSv1_1"):
            old.maximum_version = ssl.TLSVersion.TLSv1_1
        with httpx.Client(verify=old) as http, pytest.raises(httpx.TransportError):
            http.get(server.url)
        assert server.stop() == 0


@pytest.mark.parametrize("trusted", [True, False])
def test_a_proxy_is_believed_only_where_it_is_trusted(trusted: bool, tmp_path: Path) -> None:
    """By what counts tries to sign in: the address of the client."""
    real = example_floor().replace("demonstration = true\n", "").replace("DEMONSTRATION: no such file", "file 7")
    (tmp_path / "floor.toml").write_text(f"{real}\n[server]\nport = 0\nsign_ins_a_minute = 2\n")
    options = ["--trusted-proxy", "127.0.0.1"] if trusted else ["--trusted-proxy", "198.51.100.1"]
    with started(tmp_path, "serve", "floor.toml", *options) as server:

        def tried(address: str) -> int:
            headers = {"X-Forwarded-For": f"192.0.2.77, {address}", "X-Forwarded-Proto": "https"}
            body = {"card": "1", "pin": "1"}
            return httpx.post(f"{server.url}{API}/session", json=body, headers=headers, timeout=30).status_code

        assert [tried("203.0.113.1") for _ in range(3)] == [401, 401, 429]
        assert tried("203.0.113.2") == (401 if trusted else 429)
        assert server.stop() == 0
        said = server.log.read_text()
        assert ("203.0.113.1" in said) is trusted
        assert ("address=127.0.0.1" in said) is not trusted
        assert "192.0.2.77" not in said, "what a client claims before the proxy adds to it is not believed"
