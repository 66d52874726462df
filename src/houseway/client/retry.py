"""When something is tried again, and how long to wait before: pure, for both clients.

An order carries a key of its own, so that sent twice it is carried out once: it may be tried again whatever happened to
the answer. What has no key is tried again only where it cannot have arrived.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final, NamedTuple

import httpx

from houseway.client.problems import Unreachable
from houseway.refusal import Fault, Refusal

SERVICE_AWAY: Final = frozenset({502, 503, 504})
_NOT_RECORDED: Final = (b"urn:houseway:problem:unavailable", b"urn:houseway:problem:busy")
TOO_MANY: Final = 429
_NEVER_SENT: Final = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


class Patience(NamedTuple):
    """How often and how long somebody tries."""

    tries: int = 6
    first_wait: float = 0.1
    """Seconds before the second try; then twice as long each time."""
    longest_wait: float = 5.0

    def wait(self, tried: int, draw: Callable[[], float] = random.random) -> float:
        """How long to wait after so many tries: between half of it and all of it, so that not all come back at once."""
        whole = min(self.longest_wait, self.first_wait * 2.0 ** min(tried - 1, 30))
        return whole * (0.5 + 0.5 * draw())


PATIENT: Final = Patience()


class Tries:
    """The tries of one request."""

    def __init__(self, patience: Patience, *, repeatable: bool, key: str = "") -> None:
        self._patience = patience
        self._repeatable = repeatable
        self._key = key
        self._tried = 0

    def broken(self, error: httpx.TransportError) -> float:
        """The request got no answer: how long to wait before the next try; raises where there is none."""
        if isinstance(error, httpx.UnsupportedProtocol):
            raise Refusal("url", f"is no address of a floor: {error}") from None
        words = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        return self._again(words, may=self._repeatable or isinstance(error, _NEVER_SENT))

    def answered(self, response: httpx.Response, error: Refusal | Fault) -> float:
        """A problem came: how long to wait before the next try; raises it where there is none."""
        status = response.status_code
        after = _seconds(response.headers.get("retry-after", ""))
        if status in SERVICE_AWAY:
            # Without a key only what says that nothing was recorded.
            may = self._repeatable or any(kind in response.content for kind in _NOT_RECORDED)
            wait = self._again(str(error), may=may)
            return max(wait, min(after, self._patience.longest_wait))
        if status == TOO_MANY and 0 < after <= self._patience.longest_wait:
            return max(self._again(str(error), may=True), after)
        raise error

    def _again(self, words: str, *, may: bool) -> float:
        self._tried += 1
        if not may or self._tried >= self._patience.tries:
            times = f" after {self._tried} tries" if self._tried > 1 else ""
            raise Unreachable(f"the floor cannot be reached{times}: {words}", self._key) from None
        return self._patience.wait(self._tried)


def _seconds(text: str) -> float:
    """A Retry-After in seconds; 0 where it is none, or a date."""
    return float(text) if text.isascii() and text.isdigit() and len(text) < 7 else 0.0
