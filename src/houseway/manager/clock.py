"""Which time entries carry: the wall clock's, as long as it can be believed.

A wall clock can be set to anything. So it is held against a second clock that nobody sets and that only counts: where
the two move apart by more than `LIMIT`, entries go on by the last believed time and the counting clock, and two people
are asked. At a start there is nothing to count from: there the last entry of the journal is the measure.

Times are microseconds since 1970, UTC: the change to summer time is none of a clock's concern.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from datetime import UTC, datetime
from threading import Lock
from typing import Final, Literal, NamedTuple

CLOCK: Final = "floor/clock"
"""By whom the floor's own entries about its clock are. The slash keeps it from being the id of anybody on the staff."""

SECOND: Final = 1_000_000
LIMIT: Final = 5 * SECOND
"""How far the two clocks may move apart, and how far the last entry may lie ahead of the wall clock."""
DRIFT: Final = 1_000
"""One part in so many by which a clock that is being corrected slowly, as NTP does, may run fast or slow."""
LONGEST_GAP: Final = 3 * 24 * 3_600 * SECOND
"""After so long without an entry, more than a weekend, a start does not believe the clock; a demonstration may rest."""
SHOWN_WITHIN: Final = 600 * SECOND
"""How long two people may take from reading the clock to confirming it."""
HEARD_WITHIN: Final = 60 * SECOND
"""How long it may take to hear that two people have set the time at another server."""

_COUNTING: Final[int] = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)

DoubtKind = Literal["jump", "behind", "gap", "other"]
"""Why a clock is not believed: it jumped; it was behind the last entry at a start, or far ahead of it; or another
server writes entries ahead of it."""


def system_clock() -> int:
    """Now by the wall clock, in microseconds since 1970."""
    return time.time_ns() // 1_000


def counting_clock() -> int:
    """Microseconds since some moment, counted on also while the machine is suspended, where the system knows that."""
    return time.clock_gettime_ns(_COUNTING) // 1_000


class Reading(NamedTuple):
    """One look at the clock."""

    now: int
    """What an entry carries that is made now."""
    wall: int
    """What the wall clock shows."""
    last: int = 0
    """The time of the last entry."""
    doubt: DoubtKind | Literal[""] = ""
    stops: bool = False
    """Whether orders have to wait until the time is certain."""

    @property
    def is_behind(self) -> bool:
        """Whether the wall clock shows a time before the last entry: then only a repair makes entries follow it."""
        return self.wall + LIMIT < self.last

    @property
    def words(self) -> str:
        """What is wrong and what to do, in one sentence; empty where the clock is believed."""
        wall, now, last = utc(self.wall), utc(self.now), utc(self.last)
        match self.doubt:
            case "":
                return ""
            case "jump":
                what = f"this machine's clock jumped: it shows {wall}, and the floor goes by {now}"
            case "other":
                what = f"another server wrote an entry at {last}, but this machine's clock shows {wall}"
            case _:
                what = f"the last entry was made at {last}, but this machine's clock shows {wall}"
        do = "repair the floor's time" if self.is_behind else "confirm it"
        command = "repair" if self.is_behind else "confirm"
        return (
            f"{what}; set the clock right, or let two people {do} "
            f"(Game Manager page, or houseway floor clock {command})"
        )


class Clock:
    """The time of a floor's entries. Any thread may ask.

    Without a counting clock the wall clock has nothing to be held against, and is believed: so a test that puts its
    clock on by a day says that a day has passed.
    """

    def __init__(
        self, wall: Callable[[], int] = system_clock, counting: Callable[[], int] | None = counting_clock
    ) -> None:
        self._wall = wall
        self._counting = counting
        self._lock = Lock()
        self._offset = self._believed = self._last_tick = 0
        self._doubt: DoubtKind | Literal[""] = ""
        self._stops = False
        self.start(0)

    @property
    def where(self) -> str:
        """The machine whose clock this is."""
        return platform.node()

    def ticks(self) -> int:
        """Microseconds to measure how long something takes; setting the wall clock does not change them."""
        return (self._counting or self._wall)()

    def start(self, last: int, *, may_rest: bool = True) -> None:
        """Look for the first time; ``last`` is when the last entry was made, 0 for none yet.

        ``may_rest`` is for a floor that nobody looks after for weeks.
        """
        with self._lock:
            wall, tick = self._wall(), self.ticks()
            self._settle(wall, tick)
            if self._counting is None or not last:
                return
            gap = wall - last
            if gap < -LIMIT or (gap > LONGEST_GAP and not may_rest):
                self._settle(last, tick)
                self._doubt, self._stops = "behind" if gap < 0 else "gap", True

    def read(self, last: int = 0) -> Reading:
        """The time for an entry after one that was made at ``last``: never before it."""
        if self._counting is None:
            wall = self._wall()
            return Reading(max(wall, last), wall, last)
        with self._lock:
            wall, tick = self._wall(), self._counting()
            now = self._look(wall, tick)
            doubt = self._doubt or ("other" if last > now + LIMIT else "")
            return Reading(now if now > last else last, wall, last, doubt, self._stops)

    def set(self, at: int) -> None:
        """Two people have set the time to ``at`` just now, here or at another server."""
        with self._lock:
            wall, tick = self._wall(), self.ticks()
            if -LIMIT <= wall - at <= HEARD_WITHIN:
                self._settle(wall, tick)
            else:
                self._settle(at, tick)
                self._look(wall, tick)

    def _settle(self, at: int, tick: int) -> None:
        self._offset = self._believed = at - tick
        self._last_tick = tick
        self._doubt, self._stops = "", False

    def _look(self, wall: int, tick: int) -> int:
        """The time now: by the wall clock where the two clocks agree, else by the counting one."""
        apart = wall - tick - self._offset
        if tick - self._last_tick < SECOND and -LIMIT <= apart <= LIMIT and not self._doubt:
            # Hundreds of orders a second: one look a second is enough for what follows.
            self._believed = wall - tick
            return wall
        # Once in doubt, it must come back to where it was.
        slack = 0 if self._doubt else (tick - self._last_tick) // DRIFT
        self._last_tick = tick
        if abs(apart) > LIMIT + slack:
            self._doubt = self._doubt or "jump"
            return self._believed + tick
        # What it is held against follows slowly: many small jumps are not believed either.
        self._offset += max(-slack, min(slack, apart))
        self._believed = wall - tick
        self._doubt, self._stops = "", False
        return wall


def started(last: int, *, may_rest: bool) -> Reading:
    """What a floor would make of this machine's clock if it started now."""
    clock = Clock()
    clock.start(last, may_rest=may_rest)
    return clock.read(last)


def utc(at: int) -> str:
    """A moment for people, to the second."""
    try:
        return f"{datetime.fromtimestamp(at // SECOND, UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (OverflowError, ValueError, OSError):
        return f"{at // SECOND} seconds after 1970"
