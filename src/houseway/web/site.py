"""What every request handler has at hand: the floor, the keys, the live hub, and threads for what takes its time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from houseway.manager.floor import Floor
from houseway.manager.state import FloorState
from houseway.web.limiter import Limiter
from houseway.web.secrets import Keys
from houseway.web.settings import ServerSettings
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
        self.readers = ThreadPoolExecutor(4, thread_name_prefix="houseway-read")
        self.pins = ThreadPoolExecutor(2, thread_name_prefix="houseway-pin")
        """Argon2 takes its time on purpose: a few threads do that, so that the floor does not wait."""

    @property
    def state(self) -> FloorState:
        return self.floor.state

    @property
    def demonstration(self) -> bool:
        """Whether somebody on the staff has a card and PIN that are no secret."""
        return any(one.demonstration and one.active for one in self.state.staff.values())

    def close(self) -> None:
        self.readers.shutdown(wait=True, cancel_futures=True)
        self.pins.shutdown(wait=True, cancel_futures=True)
