"""What every request handler has at hand: the floor, the keys, the live hub, and threads for what takes its time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from houseway.manager.clock import SECOND
from houseway.manager.floor import Floor
from houseway.manager.server_settings import ServerSettings
from houseway.manager.state import FloorState
from houseway.manager.transparency.publish import Publisher
from houseway.web.deadlines import CLOSE_SECONDS, READS_TAKE, Deadlines, ends_in_time
from houseway.web.limiter import SLOW_AT_ONCE, Limiter, Lines, OrderRates
from houseway.web.secrets import Keys
from houseway.web.settings import checkpoint_place
from houseway.web.who import Doorkeeper

if TYPE_CHECKING:
    from houseway.web.hub import Hub

T = TypeVar("T")


class Site:
    """One process that serves a floor."""

    def __init__(self, floor: Floor, keys: Keys, settings: ServerSettings, hub: Hub) -> None:
        self.floor = floor
        self.keys = keys
        self.settings = settings
        self.hub = hub
        self.door = Doorkeeper(keys, settings.idle_minutes * 60, settings.secure, self.seconds)
        self.limiter = Limiter(settings.sign_ins_a_minute)
        self.publisher = Publisher(floor, checkpoint_place(settings), settings.witnesses, settings.checkpoint_seconds)
        self.order_rates = OrderRates(
            settings.orders_a_second,
            settings.orders_a_second_per_address,
            settings.orders_a_second_per_person,
            settings.orders_a_second_per_player,
        )
        self.deadlines = Deadlines(settings.order_seconds)
        self._slow = Lines(SLOW_AT_ONCE)
        """Callers that wait for a thread of the readers, so that one address does not take all of them."""
        self.readers = ThreadPoolExecutor(4, thread_name_prefix="houseway-read")
        self.pins = ThreadPoolExecutor(2, thread_name_prefix="houseway-pin")
        """Argon2 takes its time on purpose: a few threads do that, so that the floor does not wait."""
        self.hangs = False

    @property
    def state(self) -> FloorState:
        return self.floor.state

    def seconds(self) -> int:
        """Seconds since 1970, as the floor's entries are timed."""
        return self.floor.clock.now // SECOND

    @property
    def demonstration(self) -> bool:
        """TR-9: whether the floor was founded as a demonstration."""
        return self.state.demonstration

    async def read(self, network: str, work: Callable[..., T], *arguments: object) -> T:
        """Have a thread of the readers do something for an address that may take its time."""
        return await self.deadlines.read(self._in_line(network, work, *arguments), READS_TAKE)

    async def _in_line(self, network: str, work: Callable[..., T], *arguments: object) -> T:
        async with self._slow.place(network):
            return await asyncio.get_running_loop().run_in_executor(self.readers, work, *arguments)

    async def refresh(self) -> FloorState:
        """Take in what other processes wrote, before somebody is refused who may be known there."""
        loop = asyncio.get_running_loop()
        return await self.deadlines.read(loop.run_in_executor(self.readers, self.floor.refresh))

    def close(self) -> None:
        """End the threads; `hangs` says whether one waits for a database that does not answer."""
        self.publisher.stop()
        self.publisher.join()
        self.hangs = not ends_in_time(self._end_threads, CLOSE_SECONDS)

    def _end_threads(self) -> None:
        for threads in (self.readers, self.pins):
            threads.shutdown(wait=False, cancel_futures=True)
        for threads in (self.readers, self.pins):
            threads.shutdown(wait=True)
