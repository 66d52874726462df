"""What an answer that is no success becomes: a refusal with its sentence, or a fault."""

from __future__ import annotations

from typing import Final

import msgspec

from houseway.api.problem import ProblemDetails
from houseway.refusal import Fault, NotAllowed, Refusal

KIND: Final = "urn:houseway:problem:"
_DECODER: Final = msgspec.json.Decoder(ProblemDetails)


class Refused(Refusal):
    """Refused by the server: with the status of its answer and the kind of problem it named."""

    def __init__(self, field: str, sentence: str, *, status: int, kind: str) -> None:
        super().__init__(field, sentence)
        self.status = status
        self.kind = kind


class Unreachable(Fault):
    """The floor could not be reached, or said that it cannot take orders now, as often as it was tried.

    With an order whose answer was lost it is not known whether it was carried out; sent again with the same key it is
    carried out once.
    """

    def __init__(self, sentence: str, key: str = "") -> None:
        super().__init__(sentence)
        self.key = key
        """The order's Idempotency-Key; empty where it was none."""


class Failed(Fault):
    """The server said that its program failed, or answered something that is none of its answers."""


def error_of(status: int, body: bytes) -> Refusal | Fault:
    """The exception that an answer is."""
    try:
        problem = _DECODER.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return Failed(f"the server answered {status}, and nothing that can be read")
    kind = problem.type.removeprefix(KIND)
    if status in (401, 403):
        return NotAllowed(problem.field, problem.detail, rule=kind)
    if status >= 500:
        return Failed(problem.detail)
    return Refused(problem.field, problem.detail, status=status, kind=kind)
