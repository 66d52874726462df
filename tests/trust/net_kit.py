"""Servers as they really run, in a thread of a test, so that a guard can be taken out of one."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any

import uvicorn
from tests.trust.attacks import SOURCE
from tests.web.web_kit import ServerHere, make_floor

from houseway.web.protocol import LimitedProtocol
from houseway.web.server import FloorServer, listen

HEAD = b"Host: 127.0.0.1\r\n"


class LimitedHere(ServerHere):
    """With its own protocol, as `houseway serve` has it."""

    def __init__(self, file: Path, database: str, **settings: Any) -> None:
        super().__init__(file, database, **settings)
        config = uvicorn.Config(
            self.app,
            http=LimitedProtocol,
            loop="uvloop",
            ws="none",
            access_log=False,
            log_config=None,
            proxy_headers=bool(self.settings.trusted_proxies),
            forwarded_allow_ips=list(self.settings.trusted_proxies),
        )
        self._sockets = listen(self.settings)
        self._uvicorn = FloorServer(config, self.settings)
        self._thread = Thread(target=self._uvicorn.run, args=(self._sockets,))

    def stop(self) -> int:
        code = super().stop()
        for one in self._sockets:
            one.close()
        return code


@contextmanager
def limited(folder: Path, **settings: Any) -> Iterator[LimitedHere]:
    """A server on a new demonstration floor, with its own protocol, in a thread of the test."""
    database = str(folder / "floor.db")
    server = LimitedHere(make_floor(folder, database), database, stop_seconds=1, **settings)
    server.start()
    try:
        yield server
    finally:
        assert server.stop() == 0


def connect(port: int, source: str = SOURCE, small: int = 0) -> socket.socket:
    """A connection from another address than the other people's."""
    made = socket.socket()
    made.settimeout(10)
    if small:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, small)
    made.bind((source, 0))
    made.connect(("127.0.0.1", port))
    return made


def told(port: int, text: bytes, source: str = SOURCE) -> bytes:
    """What comes back for some bytes, until the other side closes; it is asked to."""
    parts = []
    with connect(port, source) as made, suppress(ConnectionError):
        made.sendall(text)
        while part := made.recv(65_536):
            parts.append(part)
    return b"".join(parts)


def status(answer: bytes) -> int:
    """The status of the first answer; 0 where the connection was just closed."""
    return int(answer[9:12]) if answer.startswith(b"HTTP/1.1 ") else 0


def get(path: bytes = b"/healthz", headers: bytes = HEAD) -> bytes:
    return b"GET " + path + b" HTTP/1.1\r\n" + headers + b"Connection: close\r\n\r\n"


def is_open(made: socket.socket) -> bool:
    """Whether the other side still holds a connection of which nothing was read; what waits is read now."""
    with suppress(OSError):
        made.settimeout(0.02)
        try:
            while made.recv(1_000_000):
                pass
        except TimeoutError:
            return True
    return False


def soon(fits: Any, seconds: float = 6.0) -> bool:
    """Whether something comes true before long."""
    until = time.monotonic() + seconds
    while not fits():
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True
