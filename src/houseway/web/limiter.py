"""How often one address may try to sign in."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Final

from houseway.web.problem import Problem

MINUTE: Final = 60.0
MOST_ADDRESSES: Final = 10_000


class Limiter:
    """Counts tries by address within the last minute; it remembers only so many addresses."""

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._clock = clock
        self._tries: OrderedDict[str, deque[float]] = OrderedDict()

    def count(self, address: str) -> None:
        """Count a try; refused when there were too many."""
        now = self._clock()
        tries = self._tries.setdefault(address, deque())
        self._tries.move_to_end(address)
        while tries and tries[0] <= now - MINUTE:
            tries.popleft()
        if len(tries) >= self._most:
            wait = int(tries[0] + MINUTE - now) + 1
            raise Problem(
                429, "too-many", f"too many tries from this address; try again in {wait} seconds", Retry_After=str(wait)
            )
        tries.append(now)
        if len(self._tries) > MOST_ADDRESSES:
            self._tries.popitem(last=False)
