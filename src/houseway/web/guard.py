"""What stands before every request: its size, its time, its turn, and the headers that every answer carries."""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter
from collections.abc import Callable
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from houseway.web.limiter import PROBES_AT_ONCE, STARTS_AT_ONCE, Place, Room, Turns, network_of
from houseway.web.problem import Problem
from houseway.web.who import cookie_name, take_cookie

MOST_BYTES: Final = 64 * 1024
LARGE: Final = {"/api/v1/floor/configure": 1_500_000, "/api/v1/floor/check": 1_500_000}
"""A whole floor file may be larger than other requests."""
MOST_PATH_BYTES: Final = 1_024
MOST_QUERY_FIELDS: Final = 128
PROBES: Final = frozenset({"/healthz", "/readyz"})
"""What load balancers ask, which must be answered however much is asked."""
HOST_FORM: Final = re.compile(rb"(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?")
FORWARDED: Final = frozenset({b"forwarded", b"x-real-ip", b"via", b"cf-connecting-ip", b"true-client-ip"})
_FORWARDED_PREFIX: Final = b"x-forwarded-"

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS: Final[tuple[tuple[bytes, bytes], ...]] = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=()"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
STRICT_TRANSPORT: Final = (b"strict-transport-security", b"max-age=31536000")
BUSY: Final = 503
"""Who is to come back may do so on the same connection: a new one costs both sides more."""
NO_STORE: Final = (b"cache-control", b"no-store")

Watcher = Callable[[Scope, int, float], None]
"""Told of every answer: the request, its status and how many seconds it took to begin."""


class Guard:
    """Wraps the application."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        body_seconds: float,
        secure: bool,
        watcher: Watcher,
        at_once: int,
        room: Room,
        is_demonstration: Callable[[], bool],
        hosts: frozenset[str] = frozenset(),
    ) -> None:
        self._app = app
        self._body_seconds = body_seconds
        self._at_once = at_once
        """How many requests of one address may be under way; a proxy may bring more than an address may connect."""
        self._under_way: Counter[str] = Counter()
        self._turns = Turns(STARTS_AT_ONCE)
        self._probes = Turns(PROBES_AT_ONCE)
        self._room = room
        self._is_demonstration = is_demonstration
        self._cookie = cookie_name(secure)
        self._headers = [*HEADERS, STRICT_TRANSPORT] if secure else [*HEADERS]
        self._watcher = watcher
        self._hosts = hosts
        """The names it answers to; any where there are none."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        status = 0
        place: Place | None = None

        async def told(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                if place is not None:
                    # A live stream goes on, but it does not wait any more.
                    place.leave()
                headers_before = message.get("headers", ())
                # A page may have a policy of its own: the checker is allowed its own script and no other.
                own = {name.lower() for name, _ in headers_before}
                headers = message["headers"] = [
                    *headers_before,
                    *(header for header in self._headers if header[0] not in own),
                ]
                if not any(name.lower() == b"cache-control" for name, _ in headers):
                    headers.append(NO_STORE)
                self._watcher(scope, status, time.perf_counter() - began)
            await send(message)

        network = network_of(scope["client"][0] if scope.get("client") else "")
        order = scope["method"] not in ("GET", "HEAD")
        probe = not order and scope["path"] in PROBES
        self._under_way[network] += 1
        try:
            if not probe:
                self._room.check(network, order=order)
            with (place := self._room.place(network)):
                await (self._probes if probe else self._turns).mine(network)
                take_cookie(scope, self._cookie)
                self._check(scope, network)
                if not order:
                    await self._app(scope, receive, told)
            # Who is slow to send takes nobody's place meanwhile.
            whole = await self._read(scope, receive) if order else None
            if whole is not None:
                self._room.check(network, order=True)
                with (place := self._room.place(network)):
                    await self._turns.mine(network)
                    await self._app(scope, whole, told)
        except Problem as problem:
            if not status:
                response = problem.response()
                if problem.details.status != BUSY:
                    response.headers["connection"] = "close"
                await response(scope, receive, told)
        finally:
            self._under_way[network] -= 1
            if not self._under_way[network]:
                del self._under_way[network]

    def _check(self, scope: Scope, network: str) -> None:
        """Refuse what nobody needs to send before anything reads it."""
        if self._under_way[network] > self._at_once:
            raise Problem(
                429,
                "too-many-requests",
                f"at most {self._at_once:,} requests may be under way from one address",
                Retry_After="2",
            )
        if len(scope["raw_path"]) > MOST_PATH_BYTES:
            raise Problem(414, "too-long", f"must be at most {MOST_PATH_BYTES:,} bytes", "path")
        if scope["query_string"].count(b"&") >= MOST_QUERY_FIELDS:
            raise Problem(414, "too-long", f"must hold at most {MOST_QUERY_FIELDS} fields", "query")
        self._check_host(scope)
        if is_forwarded(scope) and self._is_demonstration():
            raise Problem(
                403,
                "forwarded",
                "this is a demonstration, for its own machine alone; it takes nothing that was forwarded",
            )

    def _check_host(self, scope: Scope) -> None:
        """One host, in its form; on a machine of its own, one of that machine's names.

        A page of another site that had its own name point here must get nothing (DNS rebinding).
        """
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        if len(hosts) > 1:
            raise Problem(400, "host", f"is given {len(hosts)} times; a request has one", "Host")
        if not hosts and scope["http_version"] == "1.1":
            raise Problem(400, "host", "is missing; a request has one", "Host")
        if hosts and not HOST_FORM.fullmatch(hosts[0]):
            raise Problem(400, "host", "must be a name or an address, and a port", "Host")
        if not self._hosts:
            return
        host = hosts[0].decode("latin-1") if hosts else ""
        name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
        if name.lower() not in self._hosts:
            raise Problem(400, "host", f"{host[:60]!r} is not a name of this machine's own; use 127.0.0.1", "Host")

    async def _read(self, scope: Scope, receive: Receive) -> Receive | None:
        """The whole body first, within its size and time; then nothing can hold up what follows.

        None where the sender is gone before it was whole: nobody is left to answer.
        """
        most = LARGE.get(scope["path"], MOST_BYTES)
        parts: list[bytes] = []
        size = 0
        for name, value in scope["headers"]:
            if name == b"content-length" and (not value.isdigit() or len(value) > 12 or int(value) > most):
                raise Problem(413, "too-large", f"must be at most {most:,} bytes", "body")
        until = time.monotonic() + self._body_seconds
        more = True
        while more:
            try:
                message = await asyncio.wait_for(receive(), max(until - time.monotonic(), 0.001))
            except TimeoutError:
                raise Problem(
                    408, "too-slow", f"the body did not arrive within {self._body_seconds:g} seconds", "body"
                ) from None
            if message["type"] == "http.disconnect":
                return None
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            if size > most:
                raise Problem(413, "too-large", f"must be at most {most:,} bytes", "body")
            more = message.get("more_body", False)
        return _once({"type": "http.request", "body": b"".join(parts), "more_body": False}, receive)


def is_forwarded(scope: Scope) -> bool:
    """Whether a request says that somebody passed it on."""
    return any(name in FORWARDED or name.startswith(_FORWARDED_PREFIX) for name, _ in scope["headers"])


def _once(message: Message, receive: Receive) -> Receive:
    """Give a message first, then go on."""
    sent = False

    async def next_message() -> Message:
        nonlocal sent
        if sent:
            return await receive()
        sent = True
        return message

    return next_message
