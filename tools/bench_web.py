"""Speed of the API, as ratios in one run: durable orders over HTTP beside an empty Starlette endpoint.

    python tools/bench_web.py [--seconds 5] [--streams 500] [--profile]

Both are one server process, driven by the same client: a process of its own with 32 keep-alive sockets, each sending
its next request when the last was answered. Every order is durable in SQLite before its answer. Then the same load
with display streams open on a link whose meter all the tables feed: how long after the answer to a COIN IN does each
stream have the meter with it? With ``--profile`` the server says where its time went.
"""

from __future__ import annotations

import argparse
import bisect
import json
import os
import resource
import select
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from cProfile import Profile
from io import StringIO
from pathlib import Path
from pstats import Stats
from typing import Any, Final, NamedTuple

from bench_floor import floor_of

CONNECTIONS: Final = 32
TABLES: Final = 64
ASKED_RATE: Final = 0.06
ASKED_SECONDS: Final = 1.0
WARM_SECONDS: Final = 0.3
EMPTY: Final = "an empty Starlette endpoint"
API: Final = "/api/v1"
PIN: Final = "1234"
ENTRY: Final = b'"entry":'
PLACES: Final = 45
"""How many places of each thread are listed with ``--profile``."""


# ------------------------------------------------------------------------------------------------------------- servers


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def serve_empty(port: int) -> None:
    """A Starlette application with one endpoint that does nothing."""
    import uvicorn
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

    async def empty(request: Request) -> Response:
        return Response(b"null", media_type="application/json")

    app = Starlette(routes=[Route("/empty", empty, methods=["POST"])])
    uvicorn.run(
        app, port=port, loop="uvloop", http="httptools", ws="none", access_log=False, log_level="warning", workers=1
    )


def serve_floor(folder: Path, port: int, sample: str) -> None:
    """The floor, as `houseway serve` serves it."""
    from houseway.manager.floor import Floor
    from houseway.manager.server_settings import ServerSettings
    from houseway.web.server import serve

    settings = ServerSettings(db=str(folder / "floor.db"), key_file=folder / "houseway.key", port=port)
    if not sample:
        serve(settings)
        return
    loop, writer = Profile(), Profile()
    work: Any = Floor._work
    Floor._work = lambda self: writer.runcall(work, self)  # type: ignore[method-assign]
    try:
        loop.runcall(serve, settings)
    finally:
        Path(sample).write_text(f"the event loop:\n{_spent(loop)}\nthe floor's thread:\n{_spent(writer)}", "utf-8")


def _spent(profile: Profile) -> str:
    """Where the time of a thread went, the places that took most themselves first."""
    text = StringIO()
    Stats(profile, stream=text).strip_dirs().sort_stats("tottime").print_stats(PLACES)
    return "\n".join(line for line in text.getvalue().splitlines()[2:] if line.strip())


class Served(NamedTuple):
    """A server process."""

    port: int
    pid: int

    def cpu_seconds(self) -> float:
        """What its threads have used of the processors so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def server(log: Path, *arguments: str) -> Iterator[Served]:
    """A server process of this tool, stopped at the end; it writes its log into a file, as a service does."""
    port = free_port()
    with log.open("ab") as lines:
        command = [sys.executable, __file__, *arguments, "--port", str(port)]
        process = subprocess.Popen(command, stdout=lines, stderr=lines)
    try:
        for _ in range(400):
            if process.poll() is not None:
                raise RuntimeError(f"the server did not start: {log.read_text()}")
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield Served(port, process.pid)
    finally:
        process.terminate()
        process.wait(30)


# -------------------------------------------------------------------------------------------------------------- client


class Load(NamedTuple):
    """What the client did."""

    rate: float
    """Answers a second."""
    p50: float
    p99: float
    """Seconds."""
    failed: int
    cpu: float
    """Seconds of the processors that the server used for an answer: a busy machine does not change that."""
    booked: list[tuple[int, float]]
    """Of every answer that named an entry: the entry, and when it came."""


class Connection:
    """One keep-alive socket, which sends the next of its requests whenever it has the answer to the last."""

    def __init__(self, port: int, requests: Sequence[bytes], number: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._requests = requests
        self._number = number
        self._next = 0
        self._buffer = b""
        self._sent = 0.0

    def send(self) -> None:
        request = self._requests[self._next % len(self._requests)]
        self._next += 1
        key = b"%d-%d-%d" % (os.getpid(), self._number, self._next)
        self._sent = time.monotonic()
        self.socket.sendall(request.replace(b"%KEY%", key))

    def read(self) -> tuple[bool, float, bytes] | None:
        """What came, if it is whole: whether it was a 200, how long it took, and its body."""
        part = self.socket.recv(65536)
        if not part:
            raise ConnectionError("the server closed a connection")
        self._buffer += part
        head, end, body = self._buffer.partition(b"\r\n\r\n")
        if not end:
            return None
        lower = head.lower()
        at = lower.find(b"content-length:")
        length = int(lower[at + 15 :].split(b"\r\n", 1)[0])
        if len(body) < length:
            return None
        self._buffer = body[length:]
        return head[9:12] == b"200", time.monotonic() - self._sent, body[:length]


def drive(plan: dict[str, Any]) -> dict[str, Any]:
    """Send for so many seconds; what happened in the warming up is not counted."""
    poll = select.epoll()
    connections = {}
    for number, requests in enumerate(plan["requests"]):
        connection = Connection(plan["port"], [request.encode() for request in requests], number)
        connections[connection.socket.fileno()] = connection
        poll.register(connection.socket, select.EPOLLIN)
    for connection in connections.values():
        connection.send()
    begins = time.monotonic() + WARM_SECONDS
    ends = begins + plan["seconds"]
    took: list[float] = []
    booked: list[tuple[int, float]] = []
    answers, failed, words = 0, 0, b""
    while (now := time.monotonic()) < ends:
        for handle, _ in poll.poll(0.1):
            connection = connections[handle]
            answer = connection.read()
            if answer is None:
                continue
            good, seconds, body = answer
            answers += 1
            if not good:
                failed, words = failed + 1, body
            elif plan["booked"] and b'"lock_in"' in body:
                at = body.index(ENTRY) + len(ENTRY)
                booked.append((int(body[at : body.index(b",", at)]), time.monotonic()))
            if now >= begins:
                took.append(seconds)
            connection.send()
    for connection in connections.values():
        connection.socket.close()
    took.sort()
    return {
        "rate": len(took) / plan["seconds"],
        "p50": took[len(took) // 2],
        "p99": took[len(took) * 99 // 100],
        "answers": answers,
        "failed": failed,
        "words": words.decode("utf-8", "replace"),
        "booked": booked,
    }


def driven(folder: Path, to: Served, requests: list[list[str]], seconds: float, *, booked: bool = False) -> Load:
    """Have the client's own process send these requests."""
    plan = folder / "plan.json"
    plan.write_text(json.dumps({"port": to.port, "requests": requests, "seconds": seconds, "booked": booked}))
    before = to.cpu_seconds()
    done = subprocess.run([sys.executable, __file__, "--drive", str(plan)], stdout=subprocess.PIPE, check=True)
    result = json.loads(done.stdout)
    if words := result.pop("words"):
        print(f"  a request failed: {words[:300]}")
    return Load(cpu=(to.cpu_seconds() - before) / result.pop("answers"), **result)


def request(path: str, headers: dict[str, str], body: str = "{}") -> str:
    """A request with a key of its own."""
    lines = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json", "Idempotency-Key: %KEY%"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, f"Content-Length: {len(body)}", "", body])


def chips(headers: dict[str, str]) -> list[list[str]]:
    """Chips on sensors and off again."""
    return _shared(
        [
            [
                request(f"{API}/tables/T{table}/light", headers, '{"spot":2}'),
                request(f"{API}/tables/T{table}/unlight", headers, '{"spot":2}'),
            ]
            for table in range(1, TABLES + 1)
        ]
    )


def rounds(headers: dict[str, str]) -> list[list[str]]:
    """Whole rounds: COIN IN with three lit sensors, and the close."""
    return _shared(
        [
            [
                request(f"{API}/tables/T{table}/lock-in", headers, '{"lit":[1,3,5]}'),
                request(f"{API}/tables/T{table}/close-round", headers),
            ]
            for table in range(1, TABLES + 1)
        ]
    )


def _shared(by_table: list[list[str]]) -> list[list[str]]:
    """Each connection has tables of its own."""
    return [
        [request for requests in by_table[number::CONNECTIONS] for request in requests] for number in range(CONNECTIONS)
    ]


# ------------------------------------------------------------------------------------------------------------- streams


def watch(plan: dict[str, Any]) -> dict[str, Any]:
    """Read every stream until told to stop; when each entry's meter was there, at every stream."""
    poll = select.epoll()
    streams: dict[int, tuple[socket.socket, bytearray, list[tuple[int, int, float]]]] = {}
    counts: Counter[str] = Counter()
    for token in plan["tokens"]:
        connection = socket.create_connection(("127.0.0.1", plan["port"]))
        text = f"GET {API}/stream?subject=link/L HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n\r\n"
        connection.sendall(text.encode())
        streams[connection.fileno()] = (connection, bytearray(), [])
        poll.register(connection, select.EPOLLIN)
    began = False
    until = time.monotonic() + 600
    while time.monotonic() < until and (not Path(plan["stop"]).exists() or any(poll.poll(0.2))):
        for handle, _ in poll.poll(0.2):
            connection, buffer, frames = streams[handle]
            part = connection.recv(262_144)
            now = time.monotonic()
            if not part:
                poll.unregister(handle)
                counts["cut off"] += 1
                continue
            buffer += part
            counts["bytes"] += len(part)
            *whole, rest = bytes(buffer).split(b"\n\n")
            buffer[:] = rest
            for event in whole:
                at = event.find(b"event: ")
                kind = event[at + 7 : event.find(b"\n", at)].decode() if at >= 0 else ""
                counts[kind] += 1
                if kind == "meters":
                    data = json.loads(event[event.index(b"data: ") + 6 :].split(b"\r\n")[0])
                    frames.append((data["entry"], data["meters"]["main"], now))
        if not began and counts["view"] >= len(streams):
            began = True
            Path(plan["ready"]).touch()
    return {"counts": dict(counts), "found": [stream_frames for _, _, stream_frames in streams.values()]}


def with_streams(folder: Path, to: Served, tokens: list[str], requests: list[list[str]], seconds: float) -> bool:
    """The load with the streams open; whether every display had every value in time."""
    plan, ready, stop, out = (folder / name for name in ("watch.json", "ready", "stop", "watched.json"))
    plan.write_text(
        json.dumps({"port": to.port, "tokens": tokens, "ready": str(ready), "stop": str(stop), "out": str(out)})
    )
    watcher = subprocess.Popen([sys.executable, __file__, "--watch", str(plan)])
    while not ready.exists():
        if watcher.poll() is not None:
            raise RuntimeError("the streams could not be opened")
        time.sleep(0.05)
    load = driven(folder, to, requests, seconds, booked=True)
    time.sleep(1.5)
    stop.touch()
    watcher.wait(60)
    report = json.loads(out.read_text())
    late = latenesses(load.booked, report["found"])
    never = sum(lateness is None for lateness in late)
    times = sorted(lateness for lateness in late if lateness is not None)
    tell(f"rounds, {len(tokens)} streams", load)
    each = {kind: round(count / len(tokens), 1) for kind, count in sorted(report["counts"].items())}
    print(f"    each stream got: {each}")
    if not times:
        print("    no display got any meter: NO")
        return False
    in_time = times[-1] <= ASKED_SECONDS and not never
    print(
        f"    {len(load.booked):,} coin-ins at {len(report['found'])} displays: the meter with it there after "
        f"{statistics.median(times):.3f} s, 99% {times[len(times) * 99 // 100]:.3f} s, at most {times[-1]:.3f} s, "
        f"never {never}; asked within {ASKED_SECONDS:g} s: {'yes' if in_time else 'NO'}",
        flush=True,
    )
    last = {frames[-1][1] for frames in report["found"] if frames}
    print(f"    every display ends on the same value: {'yes' if len(last) == 1 else f'NO, {len(last)} of them'}")
    return in_time and len(last) == 1 and not load.failed


def latenesses(booked: list[tuple[int, float]], frames: list[list[tuple[int, int, float]]]) -> list[float | None]:
    """For every coin-in and every display: how long after the answer the display had the meter with it."""
    late: list[float | None] = []
    for arrivals in frames:
        entries = [entry for entry, _, _ in arrivals]
        for entry, answered in booked:
            at = bisect.bisect_left(entries, entry)
            late.append(max(arrivals[at][2] - answered, 0.0) if at < len(arrivals) else None)
    return late


# ----------------------------------------------------------------------------------------------------------- the floor


def make_floor(folder: Path) -> str:
    """A floor of many tables on one link, its meter open, with a dealer; answers the manager's PIN."""
    from houseway.manager.commands import Order, Role, SeedMeter
    from houseway.manager.floor import FirstPerson, Floor
    from houseway.manager.keyring import Keyring
    from houseway.manager.signing import new_key
    from houseway.manager.store import open_store

    new_key(folder / "houseway.key")
    floor = Floor(open_store(str(folder / "floor.db")), keys=Keyring.load(folder / "houseway.key"))
    people: dict[str, Role] = {"m": "manager", "e": "executive", "d": "dealer"}
    first = [FirstPerson(who, who, role, who, PIN) for who, role in people.items()]
    floor.found(floor_of(TABLES), first, pin_set=True)
    floor.handle(Order(id="seed", by="m", command=SeedMeter(link="L", meter="main")))
    floor.close()
    return PIN


def signed_in(port: int, card: str) -> dict[str, str]:
    """The headers of somebody who signed in."""
    import httpx

    with httpx.Client(base_url=f"http://127.0.0.1:{port}") as http:
        answer = http.post(f"{API}/session", json={"card": card, "pin": PIN})
        answer.raise_for_status()
        cookies = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
        return {"Cookie": cookies, "X-CSRF-Token": answer.json()["csrf"]}


def displays(port: int, count: int) -> list[str]:
    """The tokens of so many displays of the link."""
    import httpx

    tokens = []
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", headers=signed_in(port, "m"), timeout=30) as http:
        for number in range(count):
            body = {"device": f"display-{number}", "right": "display", "subject": "L"}
            answer = http.post(f"{API}/devices/issue-device", json=body, headers={"Idempotency-Key": f"i{number}"})
            answer.raise_for_status()
            tokens.append(answer.json()["token"])
    return tokens


def balanced(folder: Path) -> bool:
    """Whether the floor that was served holds together: chain, postings, totals and snapshot."""
    from houseway.books.verify import verify
    from houseway.manager.store import open_store

    store = open_store(str(folder / "floor.db"), read_only=True)
    try:
        findings = verify(store)
        verdict = f"NO: {findings.bad[0]}" if findings.bad else "yes"
        print(f"  the journal of {findings.entries:,} entries verifies: {verdict}")
        return not findings.bad
    finally:
        store.close()


def tell(name: str, load: Load, empty: float = 0.0) -> None:
    """Print a load."""
    part = f", {load.rate / empty:.3f} of the empty endpoint" if empty else ""
    print(
        f"  {name}: {load.rate:,.0f} a second, median {load.p50 * 1000:.1f} ms, p99 {load.p99 * 1000:.1f} ms, "
        f"{load.cpu * 1e6:.0f} µs of processor each{part}"
        f"{f', {load.failed} FAILED' if load.failed else ''}",
        flush=True,
    )


def together(loads: Sequence[Load]) -> Load:
    """Several short loads as one."""
    count = len(loads)
    return Load(
        sum(load.rate for load in loads) / count,
        statistics.median(load.p50 for load in loads),
        max(load.p99 for load in loads),
        sum(load.failed for load in loads),
        sum(load.cpu for load in loads) / count,
        [],
    )


def bench(seconds: float, turns: int, streams: int, profile: str) -> bool:
    """Everything, in one run. The loads take turns, so that whatever else the machine does falls on all of them."""
    with tempfile.TemporaryDirectory(prefix="hw") as name:
        folder = Path(name)
        make_floor(folder)
        print(f"API, one server process, {CONNECTIONS} keep-alive connections, {TABLES} tables, SQLite:")
        floor = ("--serve", "floor", "--folder", name, "--sample", profile)
        with server(folder / "log", "--serve", "empty") as empty, server(folder / "log", *floor) as served:
            headers = signed_in(served.port, "d")
            plans = {
                EMPTY: (empty, [[request("/empty", headers)]] * CONNECTIONS),
                "chips on and off": (served, chips(headers)),
                "whole rounds": (served, rounds(headers)),
            }
            loads_by_title: dict[str, list[Load]] = {title: [] for title in plans}
            for _ in range(turns):
                for title, (where, requests) in plans.items():
                    loads_by_title[title].append(driven(folder, where, requests, seconds / turns))
            loads = {title: together(parts) for title, parts in loads_by_title.items()}
            good = True
            for title, load in loads.items():
                good = told(title, load, loads[EMPTY]) and good
            if streams:
                good = with_streams(folder, served, displays(served.port, streams), rounds(headers), seconds) and good
        good = balanced(folder) and good
        if profile:
            print(Path(profile).read_text("utf-8"))
    return good


def told(title: str, load: Load, empty: Load) -> bool:
    """Print a load; whether it reached what was asked."""
    tell(title, load, empty.rate)
    if title == EMPTY:
        return True
    reached = load.rate / empty.rate >= ASKED_RATE and not load.failed
    times = f"p99 {load.p99 / empty.p99:.1f} times, processor time {load.cpu / empty.cpu:.1f} times the empty one's"
    print(f"    {times}; asked {ASKED_RATE}: {'yes' if reached else 'NO'}")
    return reached


def main() -> int:
    """Run it, or one of its processes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=6.0, help="how long each load lasts, all turns together")
    parser.add_argument("--turns", type=int, default=4, help="in how many turns")
    parser.add_argument("--streams", type=int, default=500, help="how many displays watch the link")
    parser.add_argument("--profile", action="store_true", help="say where the server's time went")
    for name in ("--serve", "--folder", "--sample", "--drive", "--watch"):
        parser.add_argument(name, default="", help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, default=0, help=argparse.SUPPRESS)
    args = parser.parse_args()
    _allow_sockets()
    if args.serve == "empty":
        serve_empty(args.port)
    elif args.serve == "floor":
        serve_floor(Path(args.folder), args.port, args.sample)
    elif args.drive:
        json.dump(drive(json.loads(Path(args.drive).read_text())), sys.stdout)
    elif args.watch:
        plan = json.loads(Path(args.watch).read_text())
        Path(plan["out"]).write_text(json.dumps(watch(plan)))
    else:
        with tempfile.NamedTemporaryFile(prefix="hw") as report:
            return 0 if bench(args.seconds, args.turns, args.streams, report.name if args.profile else "") else 1
    return 0


def _allow_sockets() -> None:
    """As many open sockets as the system lets us have."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


if __name__ == "__main__":
    sys.exit(main())
