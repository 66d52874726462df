"""What every request handler has at hand: the floor, the keys, the live hub, and threads for what takes its time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from houseway.manager.floor import Floor
from houseway.manager.state import FloorState
from houseway.manager.transparency.publish import Publisher
from houseway.web.limiter import SLOW_AT_ONCE, Limiter, Lines, OrderRates
from houseway.web.secrets import Keys
from houseway.web.settings import ServerSettings, checkpoint_place
from houseway.web.who import Doorkeeper

if TYPE_CHECKING:
    from houseway.web.hub import Hub


class Site:
    """One process that serves a floor."""

    def __init__(self, floor: Floor, keys: Keys, settings: ServerSettings, hub: Hub) -> None:
        self.floor = floor
        self.keys = keys
        self.settings = settings
        self.hub = hub
        self.door = Doorkeeper(keys, settings.idle_minutes * 60, settings.secure)
        self.limiter = Limiter(settings.sign_ins_a_minute)
        self.publisher = Publisher(floor, checkpoint_place(settings), settings.witnesses, settings.checkpoint_seconds)
        self.order_rates = OrderRates(
            settings.orders_a_second,
            settings.orders_a_second_per_address,
            settings.orders_a_second_per_person,
            settings.orders_a_second_per_player,
        )
        self.slow = Lines(SLOW_AT_ONCE)
        """Who waits for a thread of the readers, so that one address does not take all of them."""
        self.readers = ThreadPoolExecutor(4, thread_name_prefix="houseway-read")
        self.pins = ThreadPoolExecutor(2, thread_name_prefix="houseway-pin")
        """Argon2 takes its time on purpose: a few threads do that, so that the floor does not wait."""

    @property
    def state(self) -> FloorState:
        return self.floor.state

    @property
    def demonstration(self) -> bool:
        """TR-9: whether the floor was founded as a demonstration."""
        return self.state.demonstration

    def close(self) -> None:
        self.publisher.stop()
        self.publisher.join()
        self.readers.shutdown(wait=True, cancel_futures=True)
        self.pins.shutdown(wait=True, cancel_futures=True)
