"""One address of the API as data: its path, who may ask, what comes in and what goes out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from msgspec import Struct

from houseway.manager.permissions import MAY_READ

PREFIX: Final = "/api/v1"
JSON: Final = "application/json"
CSV: Final = "text/csv"
PDF: Final = "application/pdf"
TEXT: Final = "text/plain"
EVENTS: Final = "text/event-stream"


T = TypeVar("T")


@dataclass(frozen=True)
class Route(Generic[T]):
    """One thing that can be asked."""

    method: str
    path: str
    """What stands after `PREFIX`."""
    name: str
    """The operation's name in the API's description."""
    tag: str
    says: str
    """What it does, in one sentence."""
    may: str
    """What it lets you read (`MAY_READ`), the order it gives (`PERMISSIONS`), or "" where everybody may."""
    answer: type[T] | None = None
    """The type that comes back as JSON; None where it is something else, as `media` says."""
    body: type[Struct] | None = None
    query: type[Struct] | None = None
    media: tuple[str, ...] = (JSON,)
    order: bool = False
    """Whether it is an order, which takes an Idempotency-Key; the floor decides who may give it."""
    status: int = 200
    signed_in: bool = False
    """Whether somebody must be signed in though everybody may."""

    @property
    def is_closed(self) -> bool:
        """Whether it answers nobody who is not signed in."""
        if self.order or self.signed_in:
            return True
        return bool(self.may) and "anyone" not in MAY_READ[self.may]


class Chapter:
    """The routes under one heading of the description."""

    def __init__(self, tag: str) -> None:
        self.tag = tag
        self.routes: list[Route[Any]] = []

    def get(
        self,
        name: str,
        path: str,
        says: str,
        *,
        may: str,
        answer: type[T],
        query: type[Struct] | None = None,
        media: tuple[str, ...] = (JSON,),
    ) -> Route[T]:
        """Something to look at."""
        return self.add(Route("GET", path, name, self.tag, says, may, answer, query=query, media=media))

    def file(
        self, name: str, path: str, says: str, *, may: str, media: str, query: type[Struct] | None = None
    ) -> Route[None]:
        """Something to look at that is not JSON."""
        return self.add(Route("GET", path, name, self.tag, says, may, query=query, media=(media,)))

    def post(
        self, name: str, path: str, says: str, *, may: str, body: type[Struct], answer: type[T], signed_in: bool = False
    ) -> Route[T]:
        """Something to send that is no order of the floor."""
        return self.add(Route("POST", path, name, self.tag, says, may, answer, body, signed_in=signed_in))

    def add(self, route: Route[T]) -> Route[T]:
        self.routes.append(route)
        return route
