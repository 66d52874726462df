"""What went wrong, as a client is told it (RFC 9457): one plain sentence, and the field it is about."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

MEDIA_TYPE: Final = "application/problem+json"
TITLES: Final = {
    400: "The request cannot be read",
    401: "Sign in first",
    403: "Not allowed",
    404: "There is no such thing here",
    405: "This cannot be done here",
    406: "It cannot be given in that form",
    408: "The request took too long to arrive",
    409: "Refused",
    413: "The request is too large",
    414: "The address is too long",
    415: "The request must be JSON",
    422: "The request does not say what is needed",
    429: "Too many at once",
    431: "The request's headers are too large",
    500: "The program failed",
    501: "Not installed here",
    503: "The floor cannot be reached",
}


class ProblemDetails(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A problem as a client gets it (RFC 9457)."""

    type: str
    """A name for the kind of problem that does not change: ``urn:houseway:problem:`` and a word."""
    title: str
    status: int
    detail: str
    """One sentence for a person: what was wrong, and what is allowed."""
    field: str = ""
    """Which part of the request it is about."""
