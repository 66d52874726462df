"""What went wrong, told over HTTP as problem details (RFC 9457): one plain sentence, and the field it is about."""

from __future__ import annotations

import logging

import msgspec
from starlette.responses import Response

from houseway.api.problem import MEDIA_TYPE, TITLES, ProblemDetails
from houseway.extras import MissingExtra, missing_extra
from houseway.manager.decide import PinNotSet
from houseway.manager.floor import UsedId
from houseway.manager.store.base import StoreFault
from houseway.manager.waiting import MustWait
from houseway.refusal import Fault, NotAllowed, Refusal

log = logging.getLogger("houseway.web")


class Problem(Exception):  # noqa: N818  an answer, not an error of the program
    """Raised anywhere while a request is answered."""

    def __init__(self, status: int, kind: str, detail: str, field: str = "", **headers: str) -> None:
        super().__init__(detail)
        self.details = ProblemDetails(
            type=f"urn:houseway:problem:{kind}", title=TITLES[status], status=status, detail=detail, field=field
        )
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}

    def response(self) -> Response:
        return Response(
            msgspec.json.encode(self.details), self.details.status, headers=self.headers, media_type=MEDIA_TYPE
        )


def retry_after(seconds: int) -> dict[str, str]:
    """The header that says when to come back: every 503 has one."""
    return {"Retry-After": str(seconds)}


def away(kind: str, detail: str, seconds: int = 1) -> Problem:
    """A 503: it cannot be done now, and when to come back."""
    problem = Problem(503, kind, detail)
    problem.headers |= retry_after(seconds)
    return problem


def uncertain() -> Problem:
    """The 503 of an order that may have been recorded, or may yet be."""
    return away(
        "uncertain",
        "the database has not answered; whether this was recorded is not certain: send it again with the same key",
    )


def problem_of(error: Exception) -> Problem:
    """The problem that an exception is."""
    match error:
        case Problem():
            return error
        case NotAllowed(rule="sign-in" | "locked card"):
            return Problem(401, "sign-in", error.sentence, error.field)
        case NotAllowed():
            return Problem(403, "not-allowed", error.sentence, error.field)
        case PinNotSet():
            return Problem(403, "set-pin", error.sentence, error.field)
        case MustWait():
            return Problem(429, "too-many", error.sentence, error.field, Retry_After=str(error.seconds))
        case UsedId():
            return Problem(422, "used-key", error.sentence, "Idempotency-Key")
        case MissingExtra():
            return Problem(501, "not-installed", str(error))
        case ModuleNotFoundError() if missing := missing_extra(error, "this"):
            return Problem(501, "not-installed", str(missing))
        case Refusal():
            return Problem(409, "refused", error.sentence, error.field)
        case StoreFault() if error.uncertain:
            log.error("the database failed: %s", error)
            return uncertain()
        case Fault():
            log.error("the database failed: %s", error)
            return away("unavailable", "the floor's database does not answer; nothing was recorded")
    log.error("a request failed", exc_info=error)
    return Problem(500, "failed", "the program failed on this request; nothing was recorded")
