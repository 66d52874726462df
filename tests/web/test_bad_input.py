"""Bad input: a clear 4xx, or a closed connection; the server's memory stays flat and others are served meanwhile."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from tests.web.web_kit import API, Person, Server, serving

SLOW = 2
"""Seconds that headers and bodies have here."""
CONNECTIONS = 120
HEAD = b"Host: 127.0.0.1\r\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    options = ("--header-seconds", str(SLOW), "--body-seconds", str(SLOW), "--most-connections", str(CONNECTIONS))
    with serving(tmp_path_factory.mktemp("bad"), "", *options) as made:
        yield made
        text = made.log.read_text()
        assert "Traceback" not in text, text


@pytest.fixture(scope="module")
def dealer(server: Server) -> Person:
    return server.sign_in("2001")


@pytest.fixture(autouse=True)
def others_are_served(server: Server) -> Iterator[None]:
    """Before, and after whatever a test did."""
    yield
    assert httpx.get(f"{server.url}/readyz", timeout=10).status_code == 200


def resident(server: Server) -> int:
    assert server.process is not None
    return int(psutil.Process(server.process.pid).memory_info().rss)


def connect(server: Server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=20)


def told(one: socket.socket) -> bytes:
    """Everything that comes until the other side closes."""
    parts = []
    with suppress(ConnectionError):
        while part := one.recv(65_536):
            parts.append(part)
    return b"".join(parts)


def asked(server: Server, text: bytes) -> bytes:
    """What the server says to these bytes."""
    with connect(server) as one:
        with suppress(ConnectionError):
            one.sendall(text)
        return told(one)


def status_of(answer: bytes) -> int:
    assert answer.startswith(b"HTTP/1.1 "), answer[:80]
    return int(answer[9:12])


def problem(response: httpx.Response, status: int, kind: str) -> dict[str, Any]:
    """A problem as it should be: one sentence, in its own form."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    found: dict[str, Any] = response.json()
    assert found["type"] == f"urn:houseway:problem:{kind}"
    assert found["status"] == status
    assert found["detail"]
    return found


def send(person: Person, body: bytes, path: str = "tables/CS-1/light") -> httpx.Response:
    headers = {"Idempotency-Key": f"bad-{time.monotonic_ns()}", "Content-Type": "application/json"}
    return person.http.post(f"{API}/{path}", content=body, headers=headers)


# ------------------------------------------------------------------------------------------------ bodies


@pytest.mark.parametrize(
    ("body", "status", "kind"),
    [
        (b'{"spot": "two"}', 422, "invalid"),
        (b'{"spot": 2.5}', 422, "invalid"),
        (b'{"spot": null}', 422, "invalid"),
        (b'{"spot": true}', 422, "invalid"),
        (b'{"spot": [2]}', 422, "invalid"),
        (b"[2]", 422, "invalid"),
        (b"2", 422, "invalid"),
        (b"{}", 422, "invalid"),
        (b"", 422, "invalid"),
        (b'{"spot": 2, "spit": 3}', 422, "invalid"),
        (b'{"spot": 1e400}', 422, "invalid"),
        (b'{"spot": 99999999999999999999999999999999}', 422, "invalid"),
        (b'{"spot": -1}', 409, "refused"),
        (b'{"spot": 9223372036854775807}', 422, "invalid"),
        (b'{"spot": NaN}', 400, "unreadable"),
        (b'{"spot": Infinity}', 400, "unreadable"),
        (b'{"spot": 2', 400, "unreadable"),
        (b'{"spot": 2}}', 400, "unreadable"),
        (b"spot=2", 400, "unreadable"),
        (b"\xff\xfe\x00", 400, "unreadable"),
        (b'{"sp\xc3\x28ot": 2}', 400, "unreadable"),
        (b'{"spot": 2, "\xed\xa0\x80": 2}', 400, "unreadable"),
        (b"[" * 30_000 + b"]" * 30_000, 422, "invalid"),
        (b'{"x": ' * 9_000 + b"1" + b"}" * 9_000, 422, "invalid"),
        (b'{"spot": ' + b"[" * 30_000 + b"]" * 30_000 + b"}", 422, "invalid"),
        (b'{"spot": ' + b"9" * 60_000 + b"}", 422, "invalid"),
    ],
    ids=lambda value: repr(value[:24]) if isinstance(value, bytes) else str(value),
)
def test_a_body_that_is_wrong(dealer: Person, body: bytes, status: int, kind: str) -> None:
    found = send(dealer, body)
    if found.status_code in (400, 422) and len(body) > 10_000:
        # Nested too deeply, or not what is wanted: either may be said first.
        status, kind = found.status_code, {400: "unreadable", 422: "invalid"}[found.status_code]
    problem(found, status, kind)


def test_100_000_brackets(dealer: Person) -> None:
    """More than an order may hold, and as a floor file, which may be larger, still no more than an answer."""
    body = b"[" * 100_000
    problem(send(dealer, body), 413, "too-large")
    response = send(dealer, body, "floor/configure")
    assert response.status_code in (400, 422), response.text
    deep = json.dumps({"floor": "x = " + "[" * 100_000, "reason": "x"}).encode()
    assert send(dealer, deep, "floor/configure").status_code in (403, 409, 422)


def test_a_key_that_is_there_twice_is_one_order(dealer: Person) -> None:
    """JSON leaves open which one counts; it is one value, and it is checked as any."""
    assert send(dealer, b'{"spot": 99, "spot": "x"}').status_code == 422
    assert send(dealer, b'{"spot": "x", "spot": 99}').status_code in (409, 422)


def test_what_is_not_json_is_not_read(dealer: Person) -> None:
    key = {"Idempotency-Key": "x"}
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""):
        response = dealer.http.post(
            f"{API}/tables/CS-1/light", content=b'{"spot": 2}', headers={**key, "Content-Type": kind}
        )
        problem(response, 415, "not-json")


@pytest.mark.parametrize("size", [64 * 1024 + 1, 10_000_000])
def test_a_body_that_is_too_large_by_its_length(dealer: Person, server: Server, size: int) -> None:
    before = resident(server)
    problem(send(dealer, b" " * size), 413, "too-large")
    assert resident(server) - before < 8_000_000


def test_a_body_that_is_too_large_in_chunks(dealer: Person, server: Server) -> None:
    sent = 0

    def chunks() -> Iterator[bytes]:
        nonlocal sent
        for _ in range(10_000):
            sent += 65_536
            yield b" " * 65_536

    before = resident(server)
    with suppress(httpx.TransportError):
        headers = {"Idempotency-Key": "x", "Content-Type": "application/json"}
        problem(dealer.http.post(f"{API}/tables/CS-1/light", content=chunks(), headers=headers), 413, "too-large")
    assert sent < 100_000_000
    assert resident(server) - before < 8_000_000


def test_a_body_just_below_the_limit_is_read(dealer: Person) -> None:
    body = b'{"spot": 99' + b" " * (64 * 1024 - 12) + b"}"
    assert len(body) == 64 * 1024
    problem(send(dealer, body), 409, "refused")


def test_a_get_with_an_endless_body_does_not_stay(server: Server) -> None:
    with connect(server) as one:
        one.sendall(b"GET /healthz HTTP/1.1\r\n" + HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
        ended = threading.Event()

        def drip() -> None:
            with suppress(OSError):
                while not ended.is_set():
                    one.sendall(b"1\r\nx\r\n")
                    time.sleep(0.02)

        thread = threading.Thread(target=drip)
        thread.start()
        try:
            assert status_of(told(one)) == 200
        finally:
            ended.set()
            thread.join(10)


# ------------------------------------------------------------------------------------------------ headers


@pytest.mark.parametrize(
    "text",
    [
        b"GET /" + b"x" * 70_000 + b" HTTP/1.1\r\n" + HEAD + b"\r\n",
        b"GET / HTTP/1.1\r\n" + HEAD + b"X: " + b"x" * 20_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + HEAD + b"X: " + b"x" * 20_000,
        b"GET / HTTP/1.1\r\n" + HEAD + b"A: b\r\n" * 4_000 + b"\r\n",
        b"GET / HTTP/1.1\r\n" + HEAD + b"Cookie: " + b"houseway=x; " * 4_000 + b"\r\n\r\n",
    ],
    ids=["a long address", "a long header", "an unfinished header", "many headers", "many cookies"],
)
def test_headers_that_are_too_large(server: Server, text: bytes) -> None:
    answer = asked(server, text)
    assert status_of(answer) == 431
    assert b"content-type: application/problem+json" in answer
    assert b"urn:houseway:problem:headers-too-large" in answer


def test_endless_headers_cost_nothing(server: Server) -> None:
    before = resident(server)
    with connect(server) as one:
        one.sendall(b"GET / HTTP/1.1\r\n" + HEAD + b"X: ")
        with suppress(ConnectionError):
            for _ in range(1_000):
                one.sendall(b"x" * 65_536)
        assert status_of(told(one) or b"HTTP/1.1 431") == 431
    assert resident(server) - before < 8_000_000


@pytest.mark.parametrize(
    "text",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 200,
        b"\x00\xff\x00\xff\r\n\r\n",
        b"HELLO\r\n\r\n",
        b"GET / HTTP/9.9\r\n" + HEAD + b"\r\n",
        b"GET / HTTP/1.1\r\nHost x\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + HEAD + b"X\x00Y: 1\r\n\r\n",
        b"POST / HTTP/1.1\r\n" + HEAD + b"Content-Length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\n" + HEAD + b"Content-Length: 5x\r\n\r\n",
        b"POST / HTTP/1.1\r\n" + HEAD + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n",
        b"POST / HTTP/1.1\r\n" + HEAD + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST / HTTP/1.1\r\n" + HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ],
    ids=lambda text: repr(text[:60]),
)
def test_what_is_no_http(server: Server, text: bytes) -> None:
    answer = asked(server, text)
    assert not answer or 400 <= status_of(answer) < 500
    if answer:
        assert b"Traceback" not in answer


@pytest.mark.parametrize(
    "path", [b"/%", b"/%zz", b"/%ff%fe", b"/api/v1/tables/%00", b"/api/v1/tables/..%2f..", b"/\x7f", b"//", b"*"]
)
def test_an_odd_address(server: Server, path: bytes) -> None:
    answer = asked(server, b"GET " + path + b" HTTP/1.1\r\n" + HEAD + b"Connection: close\r\n\r\n")
    assert not answer or 400 <= status_of(answer) < 500


def test_an_upgrade_is_answered_as_any_request(server: Server) -> None:
    upgrade = b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n\r\n"
    answer = asked(server, b"GET /healthz HTTP/1.1\r\n" + HEAD + upgrade)
    assert status_of(answer) == 200


# ------------------------------------------------------------------------------------------------ slow clients


def test_slow_headers(server: Server) -> None:
    with connect(server) as one:
        began = time.monotonic()
        one.sendall(b"GET /healthz HTTP/1.1\r\n")
        ended = threading.Event()

        def drip() -> None:
            with suppress(OSError):
                while not ended.is_set():
                    one.sendall(b"A: b\r\n")
                    time.sleep(0.2)

        thread = threading.Thread(target=drip)
        thread.start()
        try:
            answer = told(one)
        finally:
            ended.set()
            thread.join(10)
        assert status_of(answer) == 408
        assert b"the headers did not arrive within 2 seconds" in answer
        assert time.monotonic() - began >= SLOW


def test_slow_headers_of_the_second_request(server: Server) -> None:
    with connect(server) as one:
        one.sendall(b"GET /healthz HTTP/1.1\r\n" + HEAD + b"\r\n")
        first = b""
        while not first.endswith(b'{"status":"ok"}'):
            first += one.recv(65_536)
        one.sendall(b"GET /healthz HTTP/1.1\r\nA: ")
        assert status_of(told(one)) == 408


@pytest.mark.parametrize("length", [b"Content-Length: 100\r\n\r\n{", b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"])
def test_a_slow_body(server: Server, length: bytes) -> None:
    answer = asked(server, b"POST /api/v1/session HTTP/1.1\r\n" + HEAD + b"Content-Type: application/json\r\n" + length)
    assert status_of(answer) == 408
    assert b"the body did not arrive within 2 seconds" in answer


def test_a_connection_that_says_nothing_is_closed(server: Server) -> None:
    assert asked(server, b"") == b""


@pytest.mark.parametrize(
    "text",
    [
        b"GET /heal",
        b"GET /healthz HTTP/1.1\r\nHost:",
        b"POST /api/v1/session HTTP/1.1\r\n" + HEAD + b"Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
    ],
)
def test_half_a_request_from_one_who_leaves(server: Server, text: bytes) -> None:
    for _ in range(20):
        with connect(server) as one:
            one.sendall(text)


# ------------------------------------------------------------------------------------------------ many


def test_pipelined_requests_are_answered_in_order_up_to_a_limit(server: Server) -> None:
    one = b"GET /healthz HTTP/1.1\r\n" + HEAD + b"\r\n"
    last = b"GET /nothing HTTP/1.1\r\n" + HEAD + b"Connection: close\r\n\r\n"
    answer = asked(server, one * 10 + last)
    assert answer.count(b"HTTP/1.1 200") == 10
    assert answer.index(b"HTTP/1.1 404") > answer.rindex(b"HTTP/1.1 200")
    before = resident(server)
    for _ in range(10):
        flood = asked(server, one * 20_000)
        assert flood.count(b"HTTP/1.1") < 20_000
    assert resident(server) - before < 16_000_000


def test_garbage_after_a_request(server: Server) -> None:
    answer = asked(server, b"GET /healthz HTTP/1.1\r\n" + HEAD + b"\r\n\x00\xff garbage \r\n\r\n")
    statuses = [int(part[:3]) for part in answer.split(b"HTTP/1.1 ")[1:]]
    assert statuses in ([], [200], [200, 400])


def test_more_connections_than_there_is_room_for(server: Server, dealer: Person) -> None:
    """Those who only hold a connection make room for one who asks."""
    before = resident(server)
    with ExitStack() as stack:
        for _ in range(4 * CONNECTIONS):
            one = stack.enter_context(connect(server))
            one.sendall(b"GET /healthz HTTP/1.1\r\nA: ")
        with httpx.Client(base_url=server.url, timeout=10) as http:
            for _ in range(5):
                assert http.get("/healthz").status_code == 200
        response = send(dealer, b'{"spot": 99}')
        assert response.status_code == 409
    assert resident(server) - before < 24_000_000


def test_somebody_is_served_while_slow_clients_come_and_come(server: Server) -> None:
    stop = threading.Event()

    def come() -> None:
        while not stop.is_set():
            with ExitStack() as stack, suppress(OSError):
                for _ in range(20):
                    stack.enter_context(connect(server)).sendall(b"POST /api/v1/session HTTP/1.1\r\nContent-Le")
                time.sleep(0.1)

    threads = [threading.Thread(target=come) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        with httpx.Client(base_url=server.url, timeout=10) as http:
            assert {http.get("/healthz").status_code for _ in range(100)} == {200}
    finally:
        stop.set()
        for thread in threads:
            thread.join(20)


def test_memory_stays_flat_over_all_of_it(server: Server, dealer: Person) -> None:
    bad = [
        b"[" * 60_000,
        b'{"spot": "' + b"x" * 60_000 + b'"}',
        b'{"spot": ' + b"9" * 60_000 + b"}",
        b'{"' + b"k" * 60_000 + b'": 1}',
    ]

    def round_of_it() -> None:
        for number in range(25):
            for body in bad:
                assert send(dealer, body).status_code in (400, 422)
            asked(server, b"GET /" + str(number).encode() * 60 + b" HTTP/1.1\r\n" + HEAD + b"Connection: close\r\n\r\n")
            asked(server, b"GET / HTTP/1.1\r\nX: " + b"x" * 40_000)

    round_of_it()
    before = resident(server)
    for _ in range(3):
        round_of_it()
    assert resident(server) - before < 6_000_000


def test_the_addresses_of_a_scan_are_one_number(server: Server) -> None:
    """What was asked never becomes a label: a scan would fill the memory with them."""
    for number in range(50):
        assert httpx.get(f"{server.url}/scan-{number}").status_code == 404
    text = httpx.get(f"{server.url}/metrics").text
    assert "scan-" not in text
    assert 'route="none",status="404"' in text


def test_refused_connections_are_counted(server: Server) -> None:
    assert status_of(asked(server, b"GET / HTTP/1.1\r\nX: " + b"x" * 40_000)) == 431
    text = httpx.get(f"{server.url}/metrics").text
    assert 'houseway_connections_refused_total{problem="headers-too-large"}' in text


def test_too_many_streams(tmp_path: Path) -> None:
    with serving(tmp_path, "", "--most-streams", "2", "--streams-per-address", "2") as server, ExitStack() as stack:
        dealer = server.sign_in("2001")
        for _ in range(2):
            stream = stack.enter_context(dealer.http.stream("GET", f"{API}/stream", params={"subject": "floor"}))
            assert stream.status_code == 200
        problem(dealer.http.get(f"{API}/stream", params={"subject": "floor"}), 503, "too-many-streams")
