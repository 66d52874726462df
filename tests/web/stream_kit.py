"""People who watch live streams, by sockets of their own or inside the process, and what they should have been told.

    with watching(server, dealer, "table/CS-1", "floor") as watcher:
        dealer.order("tables/CS-1/light", spot=1)
        step = watcher.wait("step")

What a watcher should have got is worked out here from the journal, and not by the program's own streams.
"""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from threading import Condition, Thread
from typing import Any, Final, NamedTuple

from tests.web.web_kit import API, Person, Server

from houseway.manager.entry import Entry, entry_of
from houseway.manager.store import open_store

OF_LINKS: Final = frozenset(
    {
        *("claim_named", "claim_dropped", "win_logged", "win_paid", "win_undone", "late_win_paid"),
        *("meter_adjusted", "meter_opened", "meter_transferred", "account_entered", "deposit_recorded"),
        *("suspended", "resumed"),
    }
)
PUBLIC_OF_LINKS: Final = frozenset({"win_logged", "win_paid"})
OF_FLOOR: Final = OF_LINKS | {
    *("round_voided", "malfunction_recorded", "supervisor_arrived", "floor_configured", "alarm_seen", "envy_paid"),
    *("clock_doubted", "clock_trusted", "clock_confirmed", "clock_repaired"),
}
PATIENCE: Final = 20.0
"""Seconds after which something did not happen at all."""


class Told(NamedTuple):
    """One message of a stream."""

    event: str
    data: dict[str, Any]
    id: int | None
    at: float
    """When it was read."""

    @property
    def subject(self) -> str:
        return str(self.data.get("subject", ""))


class Reading:
    """Makes messages of a stream's bytes, in whatever pieces they come."""

    def __init__(self) -> None:
        self.told: list[Told] = []
        self.last_id: int | None = None
        """As a browser keeps it, for coming back."""
        self._rest = b""

    def take(self, part: bytes) -> list[Told]:
        """More bytes; answers the messages that are whole now."""
        *whole, self._rest = (self._rest + part).split(b"\n\n")
        new = []
        for block in whole:
            kind, data, number = "message", "", None
            for line in block.decode("utf-8").split("\n"):
                name, _, value = line.partition(": ")
                if name == "event":
                    kind = value
                elif name == "data":
                    data = value
                elif name == "id":
                    number = self.last_id = int(value)
            if data:
                new.append(Told(kind, json.loads(data), number, time.monotonic()))
        self.told += new
        return new


class Watcher:
    """Somebody who watches by a socket of his own, and notes every message."""

    def __init__(
        self, port: int, headers: dict[str, str], subjects: Iterable[str], *, since: int | None = None, small: int = 0
    ) -> None:
        self.reading = Reading()
        self.over = False
        """Whether the server ended it."""
        self.status = 0
        self.head = b""
        self._closed = False
        self._changed = Condition()
        self.socket = socket.socket()
        if small:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, small)
        given = dict(headers)
        if since is not None:
            given["Last-Event-ID"] = str(since)
        query = "&".join(f"subject={subject}" for subject in subjects)
        lines = [f"GET {API}/stream?{query} HTTP/1.1", "Host: 127.0.0.1"]
        lines += [f"{name}: {value}" for name, value in given.items()]
        self._thread: Thread | None = None
        try:
            self.socket.connect(("127.0.0.1", port))
            self.socket.sendall("\r\n".join([*lines, "", ""]).encode())
        except OSError:
            self.socket.close()
            raise

    def start(self) -> Watcher:
        """Begin to read."""
        self._thread = Thread(target=self._read, daemon=True)
        self._thread.start()
        return self

    @property
    def told(self) -> list[Told]:
        return list(self.reading.told)

    def of(self, *events: str, subject: str = "") -> list[Told]:
        """The messages of some kinds, of one subject or of all."""
        return [one for one in self.told if one.event in events and (not subject or one.subject == subject)]

    def wait(self, event: str, fits: Callable[[Told], bool] = lambda one: True, seconds: float = PATIENCE) -> Told:
        """The first message of a kind that fits, once it is there."""
        until = time.monotonic() + seconds
        with self._changed:
            seen = 0
            while True:
                told = self.reading.told
                for one in told[seen:]:
                    if one.event == event and fits(one):
                        return one
                seen = len(told)
                left = until - time.monotonic()
                if left <= 0 or (self.over and seen == len(self.reading.told)):
                    kinds = [(one.event, one.data.get("entry")) for one in told[-10:]]
                    raise AssertionError(f"no {event} came; over: {self.over}, status {self.status}, last {kinds}")
                self._changed.wait(left)

    def wait_over(self, seconds: float = PATIENCE) -> bool:
        """Whether the server ended it within so many seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: self.over, seconds)

    def close(self) -> None:
        """Go away without a word, as a lost connection does."""
        self._closed = True
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        if self._thread is not None:
            self._thread.join(PATIENCE)

    def _read(self) -> None:
        buffer, chunked = b"", False
        try:
            while part := self.socket.recv(65536):
                buffer += part
                if not self.status:
                    head, found, rest = buffer.partition(b"\r\n\r\n")
                    if not found:
                        continue
                    self.head, buffer, self.status = head, rest, int(head.split(b" ", 2)[1])
                    chunked = b"transfer-encoding: chunked" in head.lower()
                buffer = self._chunks(buffer) if chunked else b""
        except (OSError, EOFError):
            pass
        with self._changed:
            self.over = not self._closed
            self._changed.notify_all()

    def _chunks(self, buffer: bytes) -> bytes:
        """Take the whole chunks off; answers what is left."""
        while True:
            size, found, rest = buffer.partition(b"\r\n")
            if not found:
                return buffer
            length = int(size, 16)
            if len(rest) < length + 2:
                return buffer
            if not length:
                raise EOFError
            with self._changed:
                self.reading.take(rest[:length])
                self._changed.notify_all()
            buffer = rest[length + 2 :]


def headers_of(person: Person) -> dict[str, str]:
    """What somebody's browser sends along."""
    cookies = "; ".join(f"{name}={value}" for name, value in person.http.cookies.items())
    return {"Cookie": cookies, "X-CSRF-Token": person.http.headers.get("X-CSRF-Token", "")}


def token_headers(token: str) -> dict[str, str]:
    """What a device sends along."""
    return {"Authorization": f"Bearer {token}"}


@contextmanager
def watching(
    server: Server, who: Person | dict[str, str], *subjects: str, since: int | None = None
) -> Iterator[Watcher]:
    """Somebody watches; his current views are there."""
    headers = who if isinstance(who, dict) else headers_of(who)
    watcher = Watcher(server.port, headers, subjects, since=since).start()
    try:
        for subject in subjects:
            watcher.wait("view", lambda one, name=subject: one.subject == name)
        yield watcher
    finally:
        watcher.close()


@contextmanager
def again(person: Person) -> Iterator[Person]:
    """The same person at a second browser window: the same cookie, a connection of its own."""
    other = Person(str(person.http.base_url))
    other.http.cookies.update(person.http.cookies)
    other.http.headers["X-CSRF-Token"] = person.http.headers["X-CSRF-Token"]
    try:
        yield other
    finally:
        other.http.close()


# ------------------------------------------------------------------------------------------------ what should have come


def journal_of(database: str, after: int = 0) -> list[Entry]:
    """Everything in a floor's journal after an entry."""
    store = open_store(database, create=False, read_only=True)
    try:
        return [entry_of(row.body) for row in store.entries(after)]
    finally:
        store.close()


def steps_of_table(entries: Iterable[Entry], table: str, *, cards: bool = False, public: bool = False) -> list[int]:
    """The entries that somebody who watches a table must be told, each once and in order."""
    hidden = {"folded"} if cards else set()
    if public:
        hidden |= {"signed_over", "malfunction_recorded", "supervisor_arrived"}
    return [
        entry.seq
        for entry in entries
        if entry.table == table and any(event.SHOWN is not None and event.kind not in hidden for event in entry.events)
    ]


def steps_with(entries: Iterable[Entry], kinds: Iterable[str], link: str = "") -> list[int]:
    """The entries in which one of these happened, on one link or anywhere."""
    wanted = set(kinds)
    return [
        entry.seq
        for entry in entries
        if any(
            str(event.__struct_config__.tag) in wanted and (not link or getattr(event, "link", "") == link)
            for event in entry.events
        )
    ]


def chained(told: Iterable[Told], subject: str) -> list[int]:
    """The steps of a subject in the order they came, after checking that each names the one before it."""
    last: int | None = None
    found: list[int] = []
    for one in told:
        if one.subject != subject:
            continue
        if one.event == "view" and last is None:
            last = one.data["last"]
        elif one.event == "step":
            assert last is not None, "a step came before the first view"
            assert one.data["previous"] == last, (
                f"{subject}: {one.data['previous']} before {one.data['entry']}, had {last}"
            )
            assert one.data["entry"] > last
            last = one.data["entry"]
            found.append(last)
    return found
