"""Gaming days: from the day's start by the site's clock to the next one, whatever the clocks do in between (FL-24)."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from houseway.refusal import Refusal

MICROS: Final = 1_000_000
"""Microseconds in a second."""
_DAY: Final = timedelta(days=1)


class Calendar:
    """The gaming days of one time zone and day start. Several threads may ask it."""

    def __init__(self, time_zone: str, day_starts: str) -> None:
        self.zone = _zone(time_zone)
        self.starts = _time_of_day(day_starts)
        # Commands come in order of time: the day that the last one was in almost always holds the next one too.
        # One tuple, replaced whole: a thread never sees the beginning of one day with the name of another.
        self._known = (0, 0, "")

    def day_of(self, at: int) -> str:
        """The gaming day, ISO, of a moment in microseconds since 1970: the last one that has begun by then."""
        first, last, known = self._known
        if first <= at < last:
            return known
        day = datetime.fromtimestamp(at // MICROS, self.zone).date()
        # One step at most: yesterday's start is past whenever the clock shows today, and where clocks go back over
        # midnight they show yesterday for less than a day once more.
        if at < self.begins(day):
            day -= _DAY
        elif at >= self.begins(day + _DAY):
            day += _DAY
        self._known = self.begins(day), self.begins(day + _DAY), day.isoformat()
        return day.isoformat()

    def begins(self, day: date) -> int:
        """The moment a gaming day begins, in microseconds since 1970: the first at which the clock shows its start.

        A start that the clocks skip that day begins where they land; one that comes twice begins the first time.
        """
        wall = datetime.combine(day, self.starts)
        moment = self._seconds(wall, fold=0)
        if self._wall(moment) != wall:
            moment = self._landing(wall)
        return moment * MICROS

    def local(self, at: int) -> datetime:
        """A moment by the site's clock."""
        return datetime.fromtimestamp(at // MICROS, self.zone).replace(microsecond=at % MICROS)

    def week_of(self, day: date, first_weekday: int) -> tuple[date, date]:
        """FL-17: the first and last gaming day of the week that a day is in; 0 for a week that begins on Monday."""
        first = day - timedelta(days=(day.weekday() - first_weekday) % 7)
        return first, first + timedelta(days=6)

    def _landing(self, wall: datetime) -> int:
        """The second at which the clocks jumped over a time that no clock showed."""
        # Python reads such a time by the clock after the jump (fold 1: too early) or before it (fold 0: too late).
        early, late = self._seconds(wall, fold=1), self._seconds(wall, fold=0)
        while late - early > 1:
            middle = (early + late) // 2
            if self._wall(middle) < wall:
                early = middle
            else:
                late = middle
        return late

    def _seconds(self, wall: datetime, *, fold: int) -> int:
        return round(wall.replace(tzinfo=self.zone, fold=fold).astimezone(UTC).timestamp())

    def _wall(self, seconds: int) -> datetime:
        return datetime.fromtimestamp(seconds, self.zone).replace(tzinfo=None)


def _zone(name: str) -> ZoneInfo:
    """A time zone by its name; ZoneInfo raises one of several errors for a wrong one, by what is wrong."""
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError):
        raise Refusal("time_zone", f'{name!r} is not a time zone; write its IANA name, "America/Los_Angeles"') from None


def _time_of_day(text: str) -> time:
    if re.fullmatch(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]", text) is None:
        raise Refusal("day_starts", f'{text!r} is not a time of day; write hours and minutes from "00:00" to "23:59"')
    return time.fromisoformat(text)


def utc_time(at: int) -> str:
    """A moment in UTC, to the microsecond."""
    try:
        return f"{datetime.fromtimestamp(at // MICROS, UTC):%Y-%m-%dT%H:%M:%S}.{at % MICROS:06}Z"
    except (OverflowError, ValueError, OSError):
        return str(at)
