"""What stands before every request: its size, its time, and the headers that every answer carries."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from houseway.web.problem import Problem

MOST_BYTES: Final = 64 * 1024
LARGE: Final = {"/api/v1/floor/configure": 1_500_000, "/api/v1/floor/check": 1_500_000}
"""A whole floor file may be larger than other requests."""

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
NO_STORE: Final = (b"cache-control", b"no-store")

Watcher = Callable[[Scope, int, float], None]
"""Told of every answer: the request, its status and how many seconds it took to begin."""


class Guard:
    """Wraps the application."""

    def __init__(
        self, app: ASGIApp, *, body_seconds: float, secure: bool, watcher: Watcher, hosts: frozenset[str] = frozenset()
    ) -> None:
        self._app = app
        self._body_seconds = body_seconds
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

        async def told(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = message["headers"] = [*message.get("headers", ()), *self._headers]
                if not any(name.lower() == b"cache-control" for name, _ in headers):
                    headers.append(NO_STORE)
                self._watcher(scope, status, time.perf_counter() - began)
            await send(message)

        try:
            self._check_host(scope)
            if scope["method"] in ("GET", "HEAD"):
                await self._app(scope, receive, told)
            else:
                whole = await self._read(scope, receive)
                if whole is not None:
                    await self._app(scope, whole, told)
        except Problem as problem:
            if not status:
                response = problem.response()
                response.headers["connection"] = "close"
                await response(scope, receive, told)

    def _check_host(self, scope: Scope) -> None:
        """A page of another site that had its own name point here must get nothing (DNS rebinding)."""
        if not self._hosts:
            return
        given = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"host"), "")
        name = given.rpartition(":")[0] if not given.endswith("]") and ":" in given else given
        if name.lower() not in self._hosts:
            raise Problem(400, "host", f"{given[:60]!r} is not a name of this machine's own; use 127.0.0.1", "Host")

    async def _read(self, scope: Scope, receive: Receive) -> Receive | None:
        """The whole body first, within its size and time; then nothing can hold up what follows.

        None where the sender is gone before it was whole: nobody is left to answer.
        """
        most = LARGE.get(scope["path"], MOST_BYTES)
        parts: list[bytes] = []
        size = 0
        for name, value in scope["headers"]:
            if name == b"content-length" and (not value.isdigit() or int(value) > most):
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


def _once(message: Message, receive: Receive) -> Receive:
    """Give a message first, then go on."""
    given = False

    async def next_message() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return message

    return next_message
