"""The live stream: what can be watched, and what is told of it."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from houseway.api.route import EVENTS, Chapter


class Step(Struct, frozen=True, kw_only=True):
    """Something that happened to a subject; none is skipped."""

    subject: str
    entry: int
    at: int
    type: str
    table: str
    round: int
    events: list[dict[str, Any]]
    by: str = ""
    """Who did it; for staff alone."""
    previous: int = -1
    """The step before it; -1 where it is told again after a break."""

    @property
    def missed(self) -> bool:
        """Whether it happened while the connection was gone."""
        return self.previous < 0


class Meters(Struct, frozen=True, kw_only=True):
    """What can be won of each meter of a link, in cents."""

    subject: str
    entry: int
    currency: str
    meters: dict[str, int]


class Beat(Struct, frozen=True, kw_only=True):
    """The Game Manager is there, and can record."""

    entry: int
    at: int


class Stalled(Struct, frozen=True, kw_only=True):
    """The Game Manager is there, but nothing can be recorded now; it comes each second until that is over."""

    entry: int
    at: int
    why: str


class Bye(Struct, frozen=True, kw_only=True):
    """The server ends the stream, and says why."""

    why: str


class StreamQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to watch."""

    subject: tuple[str, ...] = ("floor",)
    """table/ID, link/ID, floor or manager; as many as the page shows."""


stream = Chapter("stream")
STREAM = stream.file(
    "stream",
    "/stream",
    "Watch tables, links, the floor or the Game Manager live: first the current view of each, then every change.",
    may="meters",
    query=StreamQuery,
    media=EVENTS,
)
