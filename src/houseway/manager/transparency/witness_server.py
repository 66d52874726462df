"""A witness over HTTP (c2sp.org/tlog-witness): the standard library's server, held to small limits.

A witness is a program that others must be able to read through in an hour; it does without our own web server. Nothing
it says is secret and everything is signed, so it needs no TLS to be believed.
"""

from __future__ import annotations

import logging
import socket
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from threading import Lock, Timer
from typing import Any, Final

from houseway.manager.transparency.witness import MOST_REQUEST_BYTES, PLAIN, Answer, Witness
from houseway.refusal import Refusal

SECONDS: Final = 15.0
"""A connection is closed after so long, whatever it does."""
MOST_CONNECTIONS: Final = 64
MOST_OF_ONE: Final = 8
"""Connections at once from one address."""

log = logging.getLogger("houseway.witness")


class WitnessServer(ThreadingHTTPServer):
    """Answers for a witness until it is shut down."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, witness: Witness, host: str, port: int) -> None:
        self.witness = witness
        self._counting = Lock()
        self._open: Counter[str] = Counter()
        try:
            if ip_address(host).version == 6:
                self.address_family = socket.AF_INET6
            super().__init__((host, port), _Handler)
        except ValueError:
            raise Refusal("host", f"{host!r} is not an address, such as 127.0.0.1") from None
        except OverflowError:
            raise Refusal("port", f"{port} is not a port; allowed: 0 to 65535") from None
        except OSError as error:
            raise Refusal("port", f"{host} port {port} cannot be listened on: {error.strerror}") from None

    @property
    def address(self) -> str:
        """Where it listens."""
        host, port = self.server_address[:2]
        return f"http://[{host!s}]:{port}" if self.address_family == socket.AF_INET6 else f"http://{host!s}:{port}"

    def verify_request(self, request: Any, client_address: Any) -> bool:
        """Whether there is room for one more connection, in all and of its address."""
        with self._counting:
            room = self._open.total() < MOST_CONNECTIONS and self._open[client_address[0]] < MOST_OF_ONE
            if room:
                self._open[client_address[0]] += 1
        return room

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """One connection, for a limited time."""
        late = Timer(SECONDS, _cut, [request])
        late.daemon = True
        late.start()
        try:
            super().process_request_thread(request, client_address)
        finally:
            late.cancel()
            with self._counting:
                self._open[client_address[0]] -= 1

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away, or a bug; neither ends the witness."""
        log.debug("a connection from %s failed", client_address[0], exc_info=True)


def _cut(request: socket.socket) -> None:
    try:
        request.shutdown(socket.SHUT_RDWR)
    except OSError:
        # It is closed already.
        return


class _Handler(BaseHTTPRequestHandler):
    """One connection: one request, one answer."""

    server: WitnessServer
    server_version = "houseway-witness"
    sys_version = ""
    timeout = SECONDS

    def do_POST(self) -> None:
        """``/add-checkpoint``"""
        if self.path != "/add-checkpoint":
            self._give(Answer(404, "this witness takes POST /add-checkpoint\n"))
            return
        length = self.headers.get("content-length", "")
        if not (length.isascii() and length.isdigit() and len(length) < 10):
            self._give(Answer(411, "Content-Length: must say how long the request is\n"))
            return
        if int(length) > MOST_REQUEST_BYTES:
            self._give(Answer(413, f"request: must be at most {MOST_REQUEST_BYTES:,} bytes\n"))
            return
        body = self.rfile.read(int(length))
        try:
            answer = self.server.witness.add_checkpoint(body)
        except OSError as error:
            log.error("cannot keep what was seen, so nothing is cosigned: %s", error)
            answer = Answer(500, "this witness cannot keep what it sees, so it cosigns nothing\n")
        if answer.status != 200:
            log.warning("refused a checkpoint from %s: %d %s", self.client_address[0], answer.status, answer.text[:200])
        self._give(answer)

    def do_GET(self) -> None:
        """``/<origin hash>/checkpoint``"""
        parts = self.path.split("/")
        latest = self.server.witness.latest(parts[1]) if len(parts) == 3 and parts[2] == "checkpoint" else None
        self._give(Answer(200, latest) if latest is not None else Answer(404, "there is no checkpoint here\n"))

    def _give(self, answer: Answer) -> None:
        body = answer.text.encode()
        self.send_response(answer.status)
        self.send_header("content-type", answer.media or PLAIN)
        self.send_header("content-length", str(len(body)))
        self.send_header("x-content-type-options", "nosniff")
        self.send_header("connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Not a line for every request."""
