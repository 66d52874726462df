"""The list of everything the API answers."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any, Final

from msgspec import Struct

from houseway.api import floor, journal, library, registers, reports, rounds, seat, session, stream, wins
from houseway.api.orders import ORDERS
from houseway.api.route import PREFIX, Chapter, Route

DESCRIPTION: Final = "/openapi.json"


class IndexLine(Struct, frozen=True, kw_only=True):
    """One thing that can be asked."""

    method: str
    path: str
    name: str
    """Its operationId in the description."""
    says: str


class Index(Struct, frozen=True, kw_only=True):
    """What this server is, and everything that it can be asked."""

    name: str
    version: str
    description: str
    """Where the description in OpenAPI is."""
    addresses: tuple[IndexLine, ...]


top = Chapter("index")
INDEX = top.get(
    "index", "", "Everything that this API can be asked, and where its description is.", may="", answer=Index
)

_SECTIONS: Final = (
    *(session.session, stream.stream, seat.seat, floor.present, registers.people, registers.registers),
    *(rounds.rounds, wins.wins, reports.reporting, journal.journal, library.library, top),
)
ROUTES: Final[tuple[Route[Any], ...]] = (
    *ORDERS.values(),
    *(route for section in _SECTIONS for route in section.routes),
)
"""Everything the API answers; the orders first, since they come most often."""


def index() -> Index:
    """The list as it is served."""
    lines = (
        IndexLine(method=route.method, path=f"{PREFIX}{route.path}", name=route.name, says=route.says)
        for route in ROUTES
    )
    return Index(name="Houseway", version=version("houseway"), description=DESCRIPTION, addresses=tuple(lines))
