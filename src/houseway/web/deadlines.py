"""How long anybody waits here for the database: until a deadline, or until the server must answer in order to stop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from typing import Final, TypeVar

from houseway.web.limiter import ANSWERS_AT_ONCE, Turns
from houseway.web.problem import away, uncertain

READS_TAKE: Final = 3
"""A report or a search may take so many times as long as an order."""
CLOSE_SECONDS: Final = 5.0
"""How long the end of a server waits for the database to close."""
NOT_BEGUN: Final = "the floor's database has not answered in time; nothing was recorded"
NOT_READ: Final = "the floor's database has not answered in time; ask again"

T = TypeVar("T")


class Deadlines:
    """Everybody who waits. Everything is called on the event loop."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._waiting: set[asyncio.Timeout] = set()
        self._over = False
        self._answers = Turns(ANSWERS_AT_ONCE)

    async def recorded(self, future: Future[T]) -> T:
        """What a thread makes of an order; a 503 where that is not durable in time, though it may be later."""
        try:
            done = await self._within(self._seconds, asyncio.wrap_future(future))
        except TimeoutError:
            if future.cancelled():
                raise away("unavailable", NOT_BEGUN) from None
            raise uncertain() from None
        # Many become durable together; nobody else shall wait until all of them are answered.
        await self._answers.mine("")
        return done

    async def read(self, waiting: Awaitable[T], takes: int = 1) -> T:
        """What comes of looking at something; a 503 where it does not come in time."""
        try:
            return await self._within(self._seconds * takes, waiting)
        except TimeoutError:
            raise away("unavailable", NOT_READ) from None

    def end(self) -> None:
        """The server stops now: whoever still waits is answered."""
        self._over = True
        now = asyncio.get_running_loop().time()
        for timeout in tuple(self._waiting):
            if not timeout.expired():
                timeout.reschedule(now)

    async def _within(self, seconds: float, waiting: Awaitable[T]) -> T:
        async with asyncio.timeout(0 if self._over else seconds) as timeout:
            self._waiting.add(timeout)
            try:
                return await waiting
            finally:
                self._waiting.discard(timeout)


def ends_in_time(work: Callable[[], None], seconds: float) -> bool:
    """Whether something that may hang ends in time; what it raises is raised."""
    raised: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=run, name="houseway-close", daemon=True)
    thread.start()
    thread.join(seconds)
    if raised:
        raise raised[0]
    return not thread.is_alive()
