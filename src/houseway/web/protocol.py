"""What a connection may do before a request is one: how long, how large, how many.

uvicorn reads HTTP/1.1 with httptools; this holds it to limits, so that slow and hostile clients cost little and nobody
else waits for them. A request that is refused here gets a problem as any other, or the connection is just closed where
an answer to an earlier request is still under way.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from http import HTTPStatus
from itertools import count
from typing import Any, Final, NamedTuple, cast

import httptools
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from houseway.web.problem import Problem

HEADER_BYTES: Final = 16 * 1024
"""How long a request's first line and headers may be together."""
MOST_PIPELINED: Final = 16
"""How many requests may wait on one connection for the answer to the one before."""
LINGER_SECONDS: Final = 2.0
LINGER_BYTES: Final = 4_000_000
"""Who still sends while he is refused is heard for so long, or else he would never read the answer."""

_PROCESS: Final = secrets.token_hex(4)
_NUMBERS: Final = count(1)


class Limits(NamedTuple):
    """What connections are held to."""

    connections: int
    header_seconds: float
    refused: Callable[[Problem, str], None]
    """Told what was refused here, and the address it came from."""


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
        self.idle_since: float | None = None
        """Since when it waits for a request; None while it is answered one."""

    # ------------------------------------------------------------------------------------------------ the connection

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody connects; where there is no room, who waits idle for longest makes some."""
        super().connection_made(transport)
        self.idle_since = self.loop.time()
        if len(self.connections) > self._limits.connections and not self._make_room():
            full = Problem(503, "too-many-connections", "too many connections are open; try again later")
            self._refuse(full, linger=False)
            return
        self._await_head()

    def _make_room(self) -> bool:
        others = cast("set[LimitedProtocol]", self.connections)
        idle = [(one.idle_since, id(one), one) for one in others if one.idle_since is not None and one is not self]
        if not idle:
            return False
        evicted = min(idle)[2]
        evicted.idle_since = None
        evicted.transport.abort()
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """The server stops: a request that has not arrived whole was never taken."""
        cycle = self.cycle
        if cycle is not None and cycle.more_body and not cycle.response_started and not self.pipeline:
            self.transport.close()
            return
        super().shutdown()

    # ------------------------------------------------------------------------------------------------ what arrives

    def data_received(self, data: bytes) -> None:
        """Bytes arrived; what is none of HTTP ends the connection."""
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

    def on_headers_complete(self) -> None:
        self._stop_waiting()
        self._in_head = False
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if size > HEADER_BYTES:
            raise _TooMuch(_too_large())
        if len(self.pipeline) >= MOST_PIPELINED:
            raise _TooMuch(Problem(400, "pipelined", f"at most {MOST_PIPELINED} requests may wait on a connection"))
        super().on_headers_complete()
        self.idle_since = None
        request = f"{_PROCESS}-{next(_NUMBERS):x}"
        self.scope["state"]["request_id"] = request
        # The answer is made by a task that has not begun yet.
        cycle = self.cycle
        cycle.default_headers = [*cycle.default_headers, (b"x-request-id", request.encode())]
        cycle.transport = cast("asyncio.Transport", _PoliteTransport(self))

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._in_head = True
        self._head_bytes = 0

    def on_response_complete(self) -> None:
        if self._lingering:
            return
        super().on_response_complete()
        if not self.pipeline and self.cycle.response_complete:
            self.idle_since = self.loop.time()
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
            body = problem.response().body
            status = HTTPStatus(problem.details.status)
            head = (
                f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-type: application/problem+json\r\n"
                f"content-length: {len(body)}\r\ncache-control: no-store\r\nconnection: close\r\n\r\n"
            )
            self.transport.write(head.encode() + bytes(body))
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


class _PoliteTransport:
    """What an answer writes to: closing waits for the other side to read it."""

    def __init__(self, protocol: LimitedProtocol) -> None:
        self._protocol = protocol
        self.write = protocol.transport.write
        self.is_closing = protocol.transport.is_closing

    def close(self) -> None:
        self._protocol.answered_last()


def _too_large() -> Problem:
    return Problem(431, "headers-too-large", f"the headers must be at most {HEADER_BYTES:,} bytes together")
