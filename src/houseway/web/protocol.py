"""What a connection may do before a request is one: how long, how large, how many.

uvicorn reads HTTP/1.1 with httptools; this holds it to limits, so that slow and hostile clients cost little and nobody
else waits for them. A request that is refused here gets a problem as any other, or the connection is just closed where
an answer to an earlier request is still under way.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import socket
import ssl
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from http import HTTPStatus
from ipaddress import ip_address, ip_network
from itertools import count
from typing import Any, Final, NamedTuple, cast

import httptools
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from houseway.api.problem import MEDIA_TYPE
from houseway.web.limiter import Lines, Room, Turns, busy, network_of
from houseway.web.problem import Problem, away

log = logging.getLogger("houseway.connections")
HEADER_BYTES: Final = 16 * 1024
"""How long a request's first line and headers may be together."""
MOST_HEADERS: Final = 64
MOST_PIPELINED: Final = 16
"""How many requests may wait on one connection for the answer to the one before."""
FREE_PARTS: Final = 256
LEAST_PART_BYTES: Final = 64
"""A body may come in so many parts of any size; after that they are at least so long on average."""
LEAST_TAKEN_BYTES: Final = 4 * 1024
"""A client takes so much of what waits for it, or all, within `write_seconds`."""
PROBES: Final = (b"/healthz", b"/readyz")
PROBE_STARTS: Final = tuple(b"GET %s " % path for path in PROBES)
LINGER_SECONDS: Final = 2.0
LINGER_BYTES: Final = 4_000_000
"""A client that still sends while it is refused is read for so long, or it would never read the answer."""

_PROCESS: Final = secrets.token_hex(4)
_NUMBERS: Final = count(1)


class Limits(NamedTuple):
    """What connections are held to."""

    crowd: Crowd
    header_seconds: float
    write_seconds: float
    refused: Callable[[Problem, str], None]
    """Told what was refused here, and the address it came from."""
    turns: Turns
    """Whose turn it is to be read."""
    probes: Turns
    """The same for those who only ask whether the server is alive and ready."""
    handshakes: Lines
    room: Room
    """Where requests wait for their answer."""


class Crowd:
    """Everybody who is connected, by address: nobody may take the room of all others."""

    def __init__(self, in_all: int, per_address: int, proxies: Sequence[str], *, proxies_alone: bool) -> None:
        self._in_all = in_all
        self._per_address = per_address
        self._proxies = tuple(ip_network(proxy, strict=False) for proxy in proxies)
        self._proxies_alone = proxies_alone
        """Whether nobody else may come: plain HTTP is for the proxy, which speaks TLS to everybody."""
        self._count = 0
        self._of: Counter[str] = Counter()
        self._idle: dict[str, OrderedDict[LimitedProtocol, None]] = {}
        """Connections that wait for a request, by address; the longest waiting first."""

    def enter(self, connection: LimitedProtocol, address: str) -> Problem | None:
        """Let somebody in, or say why not; where there is no room, who waits idle for longest makes some."""
        self._count += 1
        self._of[connection.network] += 1
        proxy = self.is_proxy(address)
        if self._proxies_alone and not proxy:
            return Problem(403, "proxy-alone", "this server is reached through its proxy alone")
        if not proxy and self._of[connection.network] > self._per_address and not self._evict(connection.network):
            return Problem(
                429,
                "too-many-connections",
                f"your address has {self._per_address:,} connections open, which is the most; close one first",
                Retry_After="2",
            )
        if self._count > self._in_all:
            crowded = max(self._idle, key=lambda network: self._of[network], default=None)
            if crowded is None or not self._evict(crowded):
                return away("too-many-connections", "too many connections are open; try again later", 2)
        return None

    def is_proxy(self, address: str) -> bool:
        """Whether an address speaks for others."""
        if not self._proxies:
            return False
        try:
            ip = ip_address(address)
        except ValueError:
            return False
        return (self._proxies_alone and ip.is_loopback) or any(ip in proxy for proxy in self._proxies)

    def _evict(self, network: str) -> bool:
        if network not in self._idle:
            return False
        evicted = next(iter(self._idle[network]))
        self.leave(evicted)
        evicted.transport.abort()
        return True

    def leave(self, connection: LimitedProtocol) -> None:
        """Somebody is gone."""
        if connection.left:
            return
        connection.left = True
        self.busy(connection)
        self._count -= 1
        self._of[connection.network] -= 1
        if not self._of[connection.network]:
            del self._of[connection.network]

    def idle(self, connection: LimitedProtocol) -> None:
        """Somebody waits for nothing but a next request."""
        if not connection.left:
            self._idle.setdefault(connection.network, OrderedDict())[connection] = None

    def busy(self, connection: LimitedProtocol) -> None:
        """Somebody is being answered."""
        waiting = self._idle.get(connection.network)
        if waiting is not None:
            waiting.pop(connection, None)
            if not waiting:
                del self._idle[connection.network]


class _TooMuch(Exception):  # noqa: N818  an answer on its way through the parser
    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


class LimitedProtocol(HttpToolsProtocol):
    """One connection."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        loop: asyncio.AbstractEventLoop,
        limits: Limits,
    ) -> None:
        super().__init__(config, server_state, app_state, loop)
        self._limits = limits
        self._in_head = True
        self._head_bytes = 0
        self._head_timer: asyncio.TimerHandle | None = None
        self._lingering = False
        self._drained = 0
        self._held: list[bytes] = []
        """What arrived and waits for its turn to be read."""
        self._parts = 0
        self._body_bytes = 0
        self._unanswered: list[RequestResponseCycle] = []
        """The request that is being answered, and those that wait behind it."""
        self._written = 0
        self._taken = 0
        self._taken_at = 0.0
        """How much of what was written had been taken, and when that was last enough."""
        self._sent_away: Problem | None = None
        """What the request that arrives now will be told, without being read."""
        self.network = ""
        self.crowded = ""
        """The network that requests of this connection are counted for; empty where a proxy brings those of many."""
        self.left = False

    # ------------------------------------------------------------------------------------------------ the connection

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody connects, and has shaken hands where TLS is spoken."""
        super().connection_made(transport)
        if self.scheme == "http":
            full = self.enter(self.client[0] if self.client else "")
            if full is not None:
                self._refuse(full, linger=False)
                return
        self._limits.crowd.idle(self)
        self._await_head()

    def enter(self, address: str) -> Problem | None:
        """Take a place among all connections, or say why there is none."""
        self.network = network_of(address)
        self.crowded = "" if self._limits.crowd.is_proxy(address) else self.network
        return self._limits.crowd.enter(self, address)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._limits.crowd.leave(self)
        for cycle in self._unanswered:
            # Of several only the last is known to the class beneath; the others would go on for nobody.
            cycle.disconnected = True
            cycle.message_event.set()
        super().connection_lost(exc)

    def cut_off_if_stuck(self, now: float) -> None:
        """End the connection of a client that does not read what it asked for; looked at every second."""
        waiting = self.transport.get_write_buffer_size()
        taken_bytes = self._written - waiting
        if not waiting or taken_bytes - self._taken >= LEAST_TAKEN_BYTES:
            self._taken, self._taken_at = taken_bytes, now
        elif now - self._taken_at >= self._limits.write_seconds:
            seconds = self._limits.write_seconds
            stuck = Problem(408, "does-not-read", f"took nothing of its answer for {seconds:g} seconds")
            self._limits.refused(stuck, self.client[0] if self.client else "")
            self.transport.abort()

    def write(self, data: bytes) -> None:
        """Send something, and count it."""
        self._written += len(data)
        self.transport.write(data)

    def shutdown(self) -> None:
        """The server stops: a request that has not arrived whole was never taken."""
        cycle = self.cycle
        if cycle is not None and cycle.more_body and not cycle.response_started and not self.pipeline:
            self.transport.close()
            return
        super().shutdown()

    # ------------------------------------------------------------------------------------------------ what arrives

    def data_received(self, data: bytes) -> None:
        """Bytes arrived; they are read when it is their address's turn."""
        self._held.append(data)
        if len(self._held) == 1:
            turns = self._limits.probes if data.startswith(PROBE_STARTS) else self._limits.turns
            turns.run(self.network, self._read_held)
        if self._held and not self._lingering:
            self.flow.pause_reading()

    def _read_held(self) -> None:
        data = b"".join(self._held)
        self._held.clear()
        if self.parser is not None:
            if not self._lingering:
                self.flow.resume_reading()
            self._read(data)

    def _read(self, data: bytes) -> None:
        """Read bytes; what is none of HTTP ends the connection."""
        if self._lingering:
            self._drained += len(data)
            if self._drained > LINGER_BYTES:
                self.transport.close()
            return
        self._unset_keepalive_if_required()
        self._head_bytes += len(data)
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            # We speak nothing else; the request itself is answered as any other.
            if self.cycle is not None:
                self.cycle.keep_alive = False
            return
        except httptools.HttpParserError as error:
            cause = error.__context__
            self._refuse(
                cause.problem if isinstance(cause, _TooMuch) else Problem(400, "not-http", "this is no HTTP request")
            )
            return
        if self._in_head and self._head_bytes > HEADER_BYTES:
            self._refuse(_too_large())

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self._head_timer is None:
            self._await_head()

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._in_head:
            raise _TooMuch(Problem(400, "trailers", "headers after the body are not taken"))
        if len(self.headers) >= MOST_HEADERS:
            raise _TooMuch(Problem(431, "headers-too-large", f"there may be at most {MOST_HEADERS} headers"))
        super().on_header(name, value)

    def on_body(self, body: bytes) -> None:
        self._parts += 1
        self._body_bytes += len(body)
        if self._parts > FREE_PARTS + self._body_bytes // LEAST_PART_BYTES:
            raise _TooMuch(Problem(400, "small-parts", "the body comes in too many small parts"))
        if self._sent_away is None:
            super().on_body(body)

    def on_headers_complete(self) -> None:
        self._stop_waiting()
        self._in_head = False
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if size > HEADER_BYTES:
            raise _TooMuch(_too_large())
        if len(self.pipeline) >= MOST_PIPELINED:
            raise _TooMuch(Problem(400, "pipelined", f"at most {MOST_PIPELINED} requests may wait on a connection"))
        self._parts = self._body_bytes = 0
        if self._is_shed():
            self._sent_away = busy()
            # Its body is let pass, for as long as a head may take.
            self._head_timer = self.loop.call_later(self._limits.header_seconds, self.transport.close)
            return
        super().on_headers_complete()
        self._limits.crowd.busy(self)
        request = f"{_PROCESS}-{next(_NUMBERS):x}"
        self.scope["state"]["request_id"] = request
        # The answer is made by a task that has not begun yet.
        cycle = self.cycle
        self._unanswered.append(cycle)
        cycle.default_headers = [*cycle.default_headers, (b"x-request-id", request.encode())]
        cycle.transport = cast("asyncio.Transport", _PoliteTransport(self))

    def on_message_complete(self) -> None:
        self._in_head = True
        self._head_bytes = 0
        if self._sent_away is not None:
            self._send_away(self._sent_away)
        else:
            super().on_message_complete()

    def _is_shed(self) -> bool:
        """Whether there is no room for the request whose head has arrived; one behind another is looked at later."""
        if self.cycle is not None and not self.cycle.response_complete:
            return False
        order = self.parser.get_method() not in (b"GET", b"HEAD")
        if not order and self.url in PROBES:
            return False
        return not self._limits.room.has(self.crowded, order=order)

    def _send_away(self, problem: Problem) -> None:
        """Answer a request that nobody read. It costs next to nothing, and the connection is kept for the next try."""
        self._sent_away = None
        self._stop_waiting()
        self._limits.refused(problem, self.client[0] if self.client else "")
        stays = (
            self.parser.should_keep_alive()
            and not self.parser.should_upgrade()
            and self.parser.get_http_version() != "1.0"
        )
        self.write(_raw(problem, stays=stays))
        if not stays:
            self.transport.close()
            return
        self._unset_keepalive_if_required()
        self.timeout_keep_alive_task = self.loop.call_later(self.timeout_keep_alive, self.timeout_keep_alive_handler)

    def on_response_complete(self) -> None:
        self._unanswered = [cycle for cycle in self._unanswered if not cycle.response_complete]
        if self._lingering:
            return
        super().on_response_complete()
        if not self.pipeline and self.cycle.response_complete:
            self._limits.crowd.idle(self)
            if self.cycle.more_body:
                # Nobody reads what is still coming, and the next request would never be reached.
                self._linger()

    # ------------------------------------------------------------------------------------------------ the end

    def answered_last(self) -> None:
        """The last answer was given; where the request has not arrived whole, its sender may not have read it yet."""
        if self.cycle.more_body:
            self._linger()
        else:
            self.transport.close()

    def _linger(self) -> None:
        """Close, but let the other side first read what it was told."""
        if self._lingering or self.transport.is_closing():
            return
        self._lingering = True
        self._stop_waiting()
        self._unset_keepalive_if_required()
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.flow.resume_reading()
        self._head_timer = self.loop.call_later(LINGER_SECONDS, self.transport.close)

    def _refuse(self, problem: Problem, *, linger: bool = True) -> None:
        """Say what is wrong and close; only close where that would be said into an answer."""
        self._limits.refused(problem, self.client[0] if self.client else "")
        under_way = self.cycle is not None and not self.cycle.response_complete
        if not under_way and not self.transport.is_closing():
            self.write(_raw(problem, stays=False))
            if linger:
                self._linger()
                return
        self.transport.close()

    def _await_head(self) -> None:
        self._head_timer = self.loop.call_later(self._limits.header_seconds, self._head_is_late)

    def _stop_waiting(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _head_is_late(self) -> None:
        self._head_timer = None
        if not self._head_bytes:
            # It never said anything.
            self.transport.close()
            return
        seconds = self._limits.header_seconds
        self._refuse(Problem(408, "too-slow", f"the headers did not arrive within {seconds:g} seconds"))


async def shake_hands(
    protocol: LimitedProtocol, raw: socket.socket, address: str, context: ssl.SSLContext, limits: Limits
) -> None:
    """Have a connection speak TLS, which costs more to begin with than most requests.

    It has its place before it begins, and one address has only some handshakes under way at once.
    """
    full = protocol.enter(address)
    try:
        if full is not None:
            limits.refused(full, address)
            return
        async with limits.handshakes.place(protocol.network):
            await asyncio.get_running_loop().connect_accepted_socket(
                lambda: protocol, raw, ssl=context, ssl_handshake_timeout=limits.header_seconds
            )
    except (OSError, ssl.SSLError) as error:
        log.debug("no handshake with %s: %s", address, error)
    finally:
        if protocol.transport is None:
            limits.crowd.leave(protocol)
            raw.close()


class _PoliteTransport:
    """What an answer writes to: closing waits for the other side to read it."""

    def __init__(self, protocol: LimitedProtocol) -> None:
        self._protocol = protocol
        self.write = protocol.write
        self.is_closing = protocol.transport.is_closing

    def close(self) -> None:
        self._protocol.answered_last()


def _raw(problem: Problem, *, stays: bool) -> bytes:
    """A problem as it is sent by who does not ask the application."""
    body = bytes(problem.response().body)
    status = HTTPStatus(problem.details.status)
    own = "".join(f"{name.lower()}: {value}\r\n" for name, value in problem.headers.items())
    head = (
        f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-type: {MEDIA_TYPE}\r\n{own}"
        f"content-length: {len(body)}\r\ncache-control: no-store\r\n"
        f"connection: {'keep-alive' if stays else 'close'}\r\n\r\n"
    )
    return head.encode() + body


def _too_large() -> Problem:
    return Problem(431, "headers-too-large", f"the headers must be at most {HEADER_BYTES:,} bytes together")
