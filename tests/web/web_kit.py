"""Real servers to test with, and people in front of them.

    with serving(tmp_path, database) as server:
        dealer = server.sign_in("2001")
        dealer.order("tables/CS-1/light", spot=1)

A server is a process of its own on the demonstration floor, on a SQLite file or a PostgreSQL database. Where time must
pass, or a setting be tried, `serving_here` runs it in a thread of the test, with a clock that can be put on.
"""

from __future__ import annotations

import os
import secrets
import signal
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, Self
from unittest.mock import patch
from uuid import uuid4

import httpx
import uvicorn
from tests.nursery import Forked
from tests.staff_kit import CHEAP

from houseway.manager import credentials
from houseway.manager.floor import Floor
from houseway.manager.floor_file import example_floor, read_floor
from houseway.manager.keyring import Keyring
from houseway.manager.server_settings import ServerSettings
from houseway.manager.signing import new_key
from houseway.manager.store import open_store
from houseway.web.app import make_app
from houseway.web.demonstration import PIN, found_demonstration
from houseway.web.limiter import Limiter

API = "/api/v1"
MANY = dict.fromkeys(
    (
        *("sign_ins_a_minute", "streams_per_person", "orders_a_second", "orders_a_second_per_address"),
        *("orders_a_second_per_person", "orders_a_second_per_player"),
    ),
    100000,
)
"""All of a test's people come from one address, and they are quicker than people."""
NEW_PIN = "806315"
"""What somebody who is enrolled sets, fit for every role."""


_PORTS = range(10_000, 32_000)
"""Ports that the system gives to no outgoing connection."""
_given: set[int] = set()


def free_port() -> int:
    """A port that nobody has now. No two calls get the same one, in this process or in a parallel worker of the tests.

    A server that did not get its port would not be missed: whoever has it answers in its place.
    """
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    ours = _PORTS[worker::workers]
    while True:
        port = ours[secrets.randbelow(len(ours))]
        with socket.socket() as one, suppress(OSError):
            if port not in _given:
                one.bind(("0.0.0.0", port))
                _given.add(port)
                return port


def make_floor(folder: Path, database: str, text: str | None = None) -> Path:
    """Found a demonstration floor in a database; answers where its floor file is. Its key is beside it."""
    file, key = folder / "floor.toml", folder / "houseway.key"
    file.write_text(text or example_floor(), "utf-8")
    if text is None and "://" not in database:
        made = _example()
        key.write_bytes(made[0])
        key.chmod(0o600)
        Path(database).write_bytes(made[1])
        return file
    new_key(key)
    found = read_floor(file.read_bytes(), file.name, folder)
    assert found.config is not None, found.defects
    floor = Floor(open_store(database), keys=Keyring.load(key))
    try:
        # Each hash says how dear it is to check; these are cheap, since a test signs many people in.
        with patch.object(credentials, "_hasher", lambda: CHEAP):
            found_demonstration(floor, found.config)
    finally:
        floor.close()
    return file


@cache
def _example() -> tuple[bytes, bytes]:
    """The key and the SQLite database of the example floor, founded once in a run: PINs are slow to make."""
    with TemporaryDirectory() as folder:
        database = Path(folder) / "floor.db"
        make_floor(Path(folder), str(database), example_floor())
        return (Path(folder) / "houseway.key").read_bytes(), database.read_bytes()


class Server:
    """One process that serves a floor."""

    def __init__(self, file: Path, database: str, *options: str, port: int = 0) -> None:
        self.file = file
        self.database = database
        self.options = options
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: Forked | None = None
        self.log = file.parent / f"server-{self.port}.log"
        self.people: list[Person] = []

    def start(self) -> Self:
        command = ["serve", str(self.file), "--db", self.database]
        command += ["--key-file", str(self.file.parent / "houseway.key"), "--port", str(self.port), *self.options]
        environment = {**{f"HOUSEWAY_{name.upper()}": str(most) for name, most in MANY.items()}, **os.environ}
        self.process = Forked(command, self.log, self.file.parent, environment)
        until = time.monotonic() + 30
        while time.monotonic() < until:
            if self.process.poll() is not None:
                raise AssertionError(f"the server ended: {self.log.read_text()}")
            try:
                if httpx.get(f"{self.url}/readyz", timeout=1, verify=_certificates()).status_code == 200:
                    assert self.process.poll() is None, f"another server answers for it: {self.log.read_text()}"
                    return self
            except httpx.TransportError:
                time.sleep(0.02)
        raise AssertionError("the server did not get ready")

    def stop(self) -> int:
        """Ask it to stop, as an operating system does; answers its exit code."""
        assert self.process is not None
        for person in self.people:
            person.http.close()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(20)
        self.process = None
        return code

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        assert self.process is not None
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process = None

    def sign_in(self, card: str, pin: str = PIN) -> Person:
        """Somebody of the demonstration's staff, signed in."""
        person = self.somebody()
        person.sign_in(card, pin)
        return person

    def somebody(self) -> Person:
        """Somebody who has not signed in."""
        self.people.append(Person(self.url))
        return self.people[-1]

    def player(self, name: str, dealer: Person) -> Person:
        """A player whom a dealer let in."""
        code = dealer.order("players/admit", player=name)["code"]
        person = self.somebody()
        person.welcomed(person.http.post(f"{API}/session/player", json={"code": code}))
        return person


@cache
def _certificates() -> ssl.SSLContext:
    """Whom to trust over TLS, read once: it takes longer than most requests."""
    return ssl.create_default_context()


class InHand(str):
    """A card that will be presented with an order."""

    def __new__(cls, person: Person, card: str, key: str, pin: str) -> InHand:
        made = super().__new__(cls, f"the card {card} in hand")
        made.card = (person, card, key, pin)
        return made

    card: tuple[Person, str, str, str]

    def shown(self, path: str, header: str) -> str:
        """The token for an order, as By-Card or Second-Card."""
        person, card, key, pin = self.card
        return person.present(card, key, path, header.partition("-")[0].lower(), pin)


class Person:
    """Somebody with a browser of his own."""

    def __init__(self, url: str) -> None:
        self.http = httpx.Client(base_url=url, timeout=10, verify=_certificates())

    def sign_in(self, card: str, pin: str = PIN) -> dict[str, Any]:
        return self.welcomed(self.http.post(f"{API}/session", json={"card": card, "pin": pin}))

    def welcomed(self, response: httpx.Response) -> dict[str, Any]:
        assert response.status_code == 200, response.text
        answer: dict[str, Any] = response.json()
        self.http.headers["X-CSRF-Token"] = answer["csrf"]
        return answer

    def get(self, path: str, **query: Any) -> dict[str, Any]:
        """Look at something."""
        response = self.http.get(f"{API}/{path}", params=query)
        assert response.status_code == 200, response.text
        answer: dict[str, Any] = response.json()
        return answer

    def send(self, path: str, key: str = "", headers: dict[str, str] | None = None, **body: Any) -> httpx.Response:
        """Give an order, whatever comes of it."""
        given = {"Idempotency-Key": key or str(uuid4())}
        for name, value in (headers or {}).items():
            given[name] = value.shown(path, name) if isinstance(value, InHand) else value
        return self.http.post(f"{API}/{path}", json=body, headers=given)

    def order(self, path: str, key: str = "", headers: dict[str, str] | None = None, **body: Any) -> dict[str, Any]:
        """Give an order that is carried out."""
        response = self.send(path, key, headers, **body)
        assert response.status_code == 200, response.text
        answer: dict[str, Any] = response.json()
        return answer

    def send_seconded(self, path: str, key: str = "", second_card: str = "4001", **body: Any) -> httpx.Response:
        """Give an order with a second person, who presents a card here, whatever comes of it."""
        key = key or str(uuid4())
        return self.send(path, key, {"Second-Card": self.present(second_card, key)}, **body)

    def seconded(self, path: str, key: str = "", second_card: str = "4001", **body: Any) -> dict[str, Any]:
        """Give an order with a second person that is carried out."""
        response = self.send_seconded(path, key, second_card, **body)
        assert response.status_code == 200, response.text
        answer: dict[str, Any] = response.json()
        return answer

    def enroll(self, staff: str, role: str, pin: str = NEW_PIN, **more: str) -> str:
        """Somebody enrolled by this manager and the executive, who then sets a PIN; the card."""
        made = self.seconded("staff/enroll", staff=staff, name=staff.title(), role=role, **more)
        given = {"card": made["card"], "pin": made["code"], "new_pin": pin}
        with httpx.Client(base_url=self.http.base_url, timeout=10, verify=_certificates()) as new:
            response = new.post(f"{API}/session/pin", json=given)
        assert response.status_code == 200, response.text
        return str(made["card"])

    def present(self, card: str, key: str, path: str = "", role: str = "by", pin: str = PIN) -> str:
        """The token of somebody who presents a card here, for one order.

        Without a path the card is only in hand: `send` presents it for the very order it comes with.
        """
        if not path:
            return InHand(self, card, key, pin)
        asked = {"card": card, "pin": pin, "key": key, "path": path, "role": role}
        response = self.http.post(f"{API}/presence", json=asked)
        assert response.status_code == 200, response.text
        return str(response.json()["token"])


@contextmanager
def serving(folder: Path, database: str = "", *options: str, text: str | None = None) -> Iterator[Server]:
    """A running server on a new demonstration floor; on a SQLite file unless told otherwise."""
    database = database or str(folder / "floor.db")
    server = Server(make_floor(folder, database, text), database, *options).start()
    try:
        yield server
    finally:
        if server.process is not None:
            server.stop()


class Clock:
    """The time as a server in this process knows it: the real one, put on by `later`."""

    def __init__(self) -> None:
        self._ahead = 0.0

    def later(self, seconds: float) -> None:
        self._ahead += seconds

    def micros(self) -> int:
        return time.time_ns() // 1_000 + int(self._ahead * 1_000_000)

    def time(self) -> float:
        return time.time() + self._ahead

    def monotonic(self) -> float:
        return time.monotonic() + self._ahead

    def __getattr__(self, name: str) -> Any:
        return getattr(time, name)


class ServerHere(Server):
    """A server in a thread of this process, with any settings, and a clock that can be put on."""

    def __init__(self, file: Path, database: str, **settings: Any) -> None:
        super().__init__(file, database)
        self.clock = Clock()
        key = file.parent / "houseway.key"
        given = {**MANY, **settings}
        self.settings = ServerSettings(db=database, key_file=key, port=self.port, **given)
        self.floor = Floor(open_store(database, create=False), keys=Keyring.load(key), clock=self.clock.micros)
        self.app: Any = make_app(self.floor, self.settings)
        config = uvicorn.Config(
            self.app, port=self.port, ws="none", access_log=False, log_level="warning", proxy_headers=False
        )
        self._uvicorn = uvicorn.Server(config)
        self._thread = Thread(target=self._uvicorn.run)

    @property
    def site(self) -> Any:
        app = self.app
        while not hasattr(app, "state"):
            app = app._app
        return app.state.site

    def start(self) -> Self:
        self.site.limiter = Limiter(self.settings.sign_ins_a_minute, self.clock.monotonic)
        self._thread.start()
        until = time.monotonic() + 30
        while not self._uvicorn.started:
            assert self._thread.is_alive(), "the server ended"
            assert time.monotonic() < until, "the server did not get ready"
            time.sleep(0.01)
        return self

    def stop(self) -> int:
        for person in self.people:
            person.http.close()
        self._uvicorn.should_exit = True
        self._thread.join(20)
        self.floor.close()
        return 1 if self._thread.is_alive() else 0


@contextmanager
def serving_here(
    folder: Path, database: str = "", text: str | None = None, founded: bool = False, **settings: Any
) -> Iterator[ServerHere]:
    """A server on a new demonstration floor, or on the one ``founded`` there, in a thread of the test."""
    database = database or str(folder / "floor.db")
    file = folder / "floor.toml" if founded else make_floor(folder, database, text)
    server = ServerHere(file, database, **settings)
    server.start()
    try:
        yield server
    finally:
        assert server.stop() == 0
