"""Whether the floor can record: found out by doing it, in a thread of its own that may wait for the database."""

from __future__ import annotations

import logging
import time
from threading import Event, Thread
from typing import Final

from houseway.manager.floor import Floor

LOOK_SECONDS: Final = 0.25
PROBE_SECONDS: Final = 1.0
"""A floor that has made nothing durable for so long is tried."""
STALE_SECONDS: Final = 3.0
"""After so long without a success nothing can be recorded, whatever the try that is under way will say."""
REFUSED: Final = "nothing can be recorded now: the database refuses to write; the server's log says why"
SILENT: Final = "nothing can be recorded now: the database does not answer"

log = logging.getLogger("houseway.recording")


class Recording:
    """Watches one floor. What it knows can be asked at any time and costs nothing."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._failed_at: float | None = None
        """When the last try failed; None before one did."""
        self._stopping = Event()
        self._thread: Thread | None = None

    def start(self) -> None:
        self._thread = Thread(target=self._watch, name="houseway-probe", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()

    def join(self, seconds: float) -> None:
        """Wait until nothing is tried any more; a database that hangs is not waited for."""
        if self._thread is not None:
            self._thread.join(seconds)

    @property
    def why_not(self) -> str:
        """Why nothing can be recorded now; empty while it can."""
        if self._floor.broken:
            return self._floor.broken
        recorded = self._floor.recorded_at
        if self._failed_at is not None and self._failed_at > recorded:
            return REFUSED
        return SILENT if time.monotonic() - recorded > STALE_SECONDS else ""

    def _watch(self) -> None:
        wait = LOOK_SECONDS
        while not self._stopping.wait(wait):
            wait = LOOK_SECONDS
            if self._floor.broken or time.monotonic() - self._floor.recorded_at < PROBE_SECONDS:
                continue
            try:
                self._floor.probe()
            except Exception as fault:
                log.warning("nothing can be recorded: %s", fault)
                self._failed_at = time.monotonic()
                wait = PROBE_SECONDS
