"""The log: one line a request and one for whatever the floor says, as JSON or for people. Never a secret.

A line about a request is made of what is known to be harmless: the route's own path, never the address that was asked;
no header, no query, no body. What other parts of the program say is searched for anything that looks like a secret.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import MutableMapping
from typing import Any, Final, Literal, TextIO

import msgspec
import structlog
from starlette.requests import HTTPConnection
from starlette.types import Scope

from houseway.web.limiter import Quiet
from houseway.web.problem import Problem
from houseway.web.site import Site

OPEN: Final = frozenset({"/healthz", "/readyz", "/metrics", "/openapi.json"})
WHO: Final = "houseway.who"
"""Where a request's scope says who asked."""
HIDDEN: Final = "[hidden]"
REFUSALS_A_SECOND: Final = 20
"""So many refusals of one address are logged a second; the next line says how many were left out."""
_SECRETS: Final = (
    # A cookie, a token of presence, a device's token: each ends in a long sum that only the floor can make.
    # It begins where such a word begins, and gives nothing back: a long word is looked through once.
    (re.compile(r"(?<![A-Za-z0-9_=-])[A-Za-z0-9_=-]++(?:\.[0-9]++)?\.[0-9a-f]{32}(?:[0-9a-f]{32})?\b"), HIDDEN),
    (re.compile(r"(?i)\b(bearer\s+)[^\s\"',;]+"), rf"\1{HIDDEN}"),
    (re.compile(r"(?i)(\b(?:houseway|__host-houseway)=)[^\s\"',;]+"), rf"\1{HIDDEN}"),
    (
        re.compile(r"""(?i)\b((?:pin|password|code|token|secret|cookie|csrf)\b["']?\s*[:=]\s*["']?)[^\s"',;&}]+"""),
        rf"\1{HIDDEN}",
    ),
    (re.compile(r"(\b[a-z]+://)[^\s/@]+@"), rf"\1{HIDDEN}@"),
)

Event = MutableMapping[str, Any]
Kind = Literal["people", "json"]
requests: Final = logging.getLogger("houseway.requests")
connections: Final = logging.getLogger("houseway.connections")


def hide_secrets(text: str) -> str:
    """A text without what looks like a secret in it."""
    for pattern, instead in _SECRETS:
        text = pattern.sub(instead, text)
    return text


def _hidden(logger: object, name: str, event: Event) -> Event:
    """A structlog processor: nothing that leaves holds a secret. Fields of our own making are none to begin with."""
    if not event.pop(_OURS, False):
        for key, value in event.items():
            if isinstance(value, str) and key not in _PLAIN:
                event[key] = hide_secrets(value)
    return event


_OURS: Final = "_ours"
_PLAIN: Final = frozenset({"level", "logger", "time"})


def _fields(logger: object, name: str, event: Event) -> Event:
    """What a line about a request is made of, which the record carries as it is."""
    fields = getattr(event.get("_record"), "fields", None)
    if fields:
        event.update(fields)
        event[_OURS] = True
    return event


def _json(value: Any, **options: Any) -> str:
    return msgspec.json.encode(value, enc_hook=str).decode()


_STAMP: Final = structlog.processors.TimeStamper(fmt="iso", utc=True, key="time")


def _renderer(kind: Kind, colours: bool) -> Any:
    if kind == "json":
        return structlog.processors.JSONRenderer(serializer=_json)
    return structlog.dev.ConsoleRenderer(
        colors=colours,
        exception_formatter=structlog.dev.plain_traceback,
        timestamp_key="time",
        pad_event_to=24,
        pad_level=True,
    )


def formatter(kind: Kind, *, colours: bool = False) -> logging.Formatter:
    """How records are written."""
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[structlog.stdlib.add_log_level, structlog.stdlib.add_logger_name, _STAMP, _fields],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            _hidden,
            _renderer(kind, colours),
        ],
    )


class _Lines:
    """Lines about requests: there are many, so they go to the stream without the detour of a record."""

    def __init__(self) -> None:
        self._logger: Any = None

    def start(self, kind: Kind, stream: TextIO) -> None:
        self._logger = structlog.wrap_logger(
            structlog.WriteLogger(stream),
            processors=[_STAMP, _renderer(kind, stream.isatty())],
            wrapper_class=structlog.BoundLogger,
            cache_logger_on_first_use=True,
        )

    def write(self, level: int, fields: dict[str, Any]) -> None:
        """One line; as a record where no log was started."""
        if self._logger is None:
            requests.log(level, "request", extra={"fields": fields})
        else:
            name = logging.getLevelName(level).lower()
            self._logger.msg("request", level=name, logger=requests.name, **fields)


_lines: Final = _Lines()
_quiet: Final = Quiet(REFUSALS_A_SECOND)


def start_logging(kind: Kind, level: str, stream: TextIO = sys.stderr) -> None:
    """Have everything that this process logs written in one form."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter(kind, colours=stream.isatty()))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    _lines.start(kind, stream)
    # uvicorn's own word on starting and stopping says nothing that ours does not.
    logging.getLogger("uvicorn").setLevel(logging.WARNING)
    logging.getLogger("asyncio").setLevel(logging.WARNING)


def refused_connection(problem: Problem, address: str) -> None:
    """A connection that was refused before there was a request."""
    before = _quiet.left_out(address)
    if before is None:
        return
    fields = {"status": problem.details.status, "problem": problem.details.type.rpartition(":")[2], "address": address}
    if before:
        fields["left_out"] = before
    connections.warning("connection refused", extra={"fields": fields})


class RequestLog:
    """Writes a line for each request: orders at info, refusals and failures as warnings, the rest for debugging."""

    def __init__(self, site: Site, orders: frozenset[str]) -> None:
        self._site = site
        self._orders = orders
        """The paths of orders."""

    def answered(self, scope: Scope, path: str, status: int, seconds: float) -> None:
        """Told of every answer; ``path`` is the route's own."""
        level = logging.WARNING if status >= 400 else logging.INFO if path in self._orders else logging.DEBUG
        if not requests.isEnabledFor(level):
            return
        address = scope["client"][0] if scope.get("client") else ""
        before = _quiet.left_out(address) if status >= 400 else 0
        if before is None:
            return
        fields: dict[str, Any] = {
            "method": scope["method"],
            "path": path,
            "status": status,
            "ms": round(seconds * 1000, 2),
            "who": self._who(scope) or "nobody",
            "request": scope.get("state", {}).get("request_id", ""),
        }
        table = scope.get("path_params", {}).get("table")
        if table in self._site.state.tables:
            fields["table"] = table
        if status >= 400 and address:
            fields["address"] = address
        if before:
            fields["left_out"] = before
        _lines.write(level, fields)

    def _who(self, scope: Scope) -> str:
        """Who asked: as the route found it, or found here where it did not come so far."""
        person: str | None = scope.get(WHO)
        if person is None:
            person = self._site.door.known(self._site.state, HTTPConnection(scope), asks=False).id
        return person


def route_path(scope: Scope) -> str:
    """The path of the route that answered, as it is written in the list of routes; never what was asked."""
    path = getattr(scope.get("route"), "path", None)
    if path is None:
        return scope["path"] if scope["path"] in OPEN else "none"
    return str(path)
