"""Gaming days across clock changes, held against a slow reading of the clock minute by minute."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.manager.gaming_day import MICROS, Calendar
from houseway.refusal import Refusal

HOUR = 3_600 * MICROS
MINUTE = 60 * MICROS
SPRING, AUTUMN = date(2026, 3, 8), date(2026, 11, 1)
"""In Los Angeles the clocks go from 02:00 to 03:00, and from 02:00 to 01:00."""

ZONES = (
    "America/Los_Angeles",
    "America/Sao_Paulo",  # midnight itself is skipped
    "America/Havana",  # midnight comes twice
    "America/St_Johns",  # the clocks went back from 00:01 to 23:01 the day before
    "Australia/Lord_Howe",  # half an hour
    "Antarctica/Troll",  # two hours
    "Pacific/Apia",  # a whole day was left out
    "Pacific/Kwajalein",  # likewise, and once a day came nearly twice
    "Asia/Kathmandu",
    "UTC",
)


def micros(text: str) -> int:
    """A moment written in UTC or with its offset."""
    return round(datetime.fromisoformat(text).timestamp()) * MICROS


def calendar(starts: str = "06:00", zone: str = "America/Los_Angeles") -> Calendar:
    return Calendar(zone, starts)


@pytest.mark.parametrize(
    ("starts", "day", "begins"),
    [
        ("06:00", date(2026, 3, 7), "2026-03-07T06:00-08:00"),
        ("06:00", SPRING, "2026-03-08T06:00-07:00"),
        ("06:00", AUTUMN, "2026-11-01T06:00-08:00"),
        # Inside the skipped hour the day begins where the clocks land, whichever minute was meant.
        ("02:00", SPRING, "2026-03-08T03:00-07:00"),
        ("02:30", SPRING, "2026-03-08T03:00-07:00"),
        ("02:59", SPRING, "2026-03-08T03:00-07:00"),
        ("03:00", SPRING, "2026-03-08T03:00-07:00"),
        ("01:59", SPRING, "2026-03-08T01:59-08:00"),
        # Inside the repeated hour it begins the first time.
        ("00:59", AUTUMN, "2026-11-01T00:59-07:00"),
        ("01:00", AUTUMN, "2026-11-01T01:00-07:00"),
        ("01:30", AUTUMN, "2026-11-01T01:30-07:00"),
        ("01:59", AUTUMN, "2026-11-01T01:59-07:00"),
        ("02:00", AUTUMN, "2026-11-01T02:00-08:00"),
    ],
)
def test_a_day_begins_when_the_clock_first_shows_its_start(starts: str, day: date, begins: str) -> None:
    assert calendar(starts).begins(day) == micros(begins)


@pytest.mark.parametrize(("day", "hours"), [(date(2026, 3, 7), 23), (date(2026, 10, 31), 25), (AUTUMN, 24)])
def test_a_day_with_a_clock_change_is_an_hour_shorter_or_longer(day: date, hours: int) -> None:
    days = calendar()
    assert days.begins(day + timedelta(days=1)) - days.begins(day) == hours * HOUR


@pytest.mark.parametrize(
    ("starts", "moment", "day"),
    [
        ("06:00", "2026-03-08T01:59:59-08:00", "2026-03-07"),
        ("06:00", "2026-03-08T05:59:59-07:00", "2026-03-07"),
        ("06:00", "2026-03-08T06:00:00-07:00", "2026-03-08"),
        ("02:30", "2026-03-08T01:59:59-08:00", "2026-03-07"),
        ("02:30", "2026-03-08T03:00:00-07:00", "2026-03-08"),
        # The second time round the clock shows 01:10 again, but the day that began at 01:30 is on.
        ("01:30", "2026-11-01T01:29:59-07:00", "2026-10-31"),
        ("01:30", "2026-11-01T01:30:00-07:00", "2026-11-01"),
        ("01:30", "2026-11-01T01:10:00-08:00", "2026-11-01"),
        ("01:30", "2026-11-01T01:40:00-08:00", "2026-11-01"),
        ("00:00", "2026-11-01T00:00:00-07:00", "2026-11-01"),
        ("23:59", "2026-11-01T23:58:59-08:00", "2026-10-31"),
    ],
)
def test_the_day_of_a_moment(starts: str, moment: str, day: str) -> None:
    assert calendar(starts).day_of(micros(moment)) == day


def test_the_last_microsecond_of_a_day_is_still_in_it() -> None:
    days = calendar()
    begins = days.begins(SPRING)
    assert [days.day_of(at) for at in (begins - 1, begins, begins + 1)] == ["2026-03-07", "2026-03-08", "2026-03-08"]


def test_a_calendar_day_that_a_site_never_had_begins_where_the_clocks_land() -> None:
    """Samoa went from 29 to 31 December 2011."""
    days = calendar("06:00", "Pacific/Apia")
    assert days.begins(date(2011, 12, 30)) == micros("2011-12-31T00:00+14:00")
    assert days.begins(date(2011, 12, 31)) == micros("2011-12-31T06:00+14:00")
    moments = ("2011-12-29T23:59-10:00", "2011-12-31T05:59+14:00", "2011-12-31T06:00+14:00")
    assert [days.day_of(micros(at)) for at in moments] == ["2011-12-29", "2011-12-30", "2011-12-31"]
    assert calendar("00:00", "Pacific/Apia").day_of(micros("2011-12-31T00:00+14:00")) == "2011-12-31"


CHANGES = [
    ("America/Los_Angeles", date(2026, 3, 8)),
    ("America/Los_Angeles", date(2026, 11, 1)),
    ("America/Sao_Paulo", date(2018, 11, 4)),
    ("America/Sao_Paulo", date(2018, 2, 18)),
    ("America/Havana", date(2026, 3, 8)),
    ("America/Havana", date(2026, 11, 1)),
    ("America/St_Johns", date(2010, 11, 7)),
    ("America/St_Johns", date(2010, 3, 14)),
    ("Australia/Lord_Howe", date(2026, 4, 5)),
    ("Antarctica/Troll", date(2026, 3, 29)),
    ("Pacific/Apia", date(2011, 12, 30)),
    ("Pacific/Kwajalein", date(1993, 8, 21)),
    ("Pacific/Kwajalein", date(1969, 10, 1)),
]


@pytest.mark.parametrize(("zone", "around"), CHANGES)
@pytest.mark.parametrize("starts", ["00:00", "00:30", "01:30", "02:30", "06:00", "23:30"])
def test_every_minute_around_a_clock_change_against_reading_the_clock(zone: str, around: date, starts: str) -> None:
    """Second opinion: walk through the minutes; a day has begun once the clock has shown its start, or gone past it."""
    days, clock = Calendar(zone, starts), ZoneInfo(zone)
    moment = datetime(around.year, around.month, around.day, tzinfo=UTC) - timedelta(days=3)
    begun = ""
    for _ in range(6 * 24 * 60):
        wall = moment.astimezone(clock)
        last = wall.date() if wall.strftime("%H:%M") >= starts else wall.date() - timedelta(days=1)
        begun = max(begun, last.isoformat())
        assert days.day_of(round(moment.timestamp()) * MICROS) == begun, moment
        moment += timedelta(minutes=1)


@given(
    st.sampled_from(ZONES),
    st.times().map(lambda one: one.strftime("%H:%M")),
    st.integers(0, 2_000_000_000 * MICROS),
)
def test_days_follow_each_other_and_every_moment_is_in_one(zone: str, starts: str, at: int) -> None:
    days = Calendar(zone, starts)
    day = date.fromisoformat(days.day_of(at))
    assert days.begins(day) <= at < days.begins(day + timedelta(days=1))
    assert Calendar(zone, starts).day_of(at) == days.day_of(at)
    assert days.local(at).timestamp() == pytest.approx(at / MICROS, abs=1e-3)


def test_what_was_asked_before_does_not_change_the_answer() -> None:
    """The calendar remembers the day it answered last, also when several threads ask."""
    days = calendar("01:30")
    first = micros("2026-10-31T00:00+00:00")
    moments = [first + minute * 7 * MINUTE for minute in range(400)]
    expected = [calendar("01:30").day_of(at) for at in moments]
    order = [(place * 157) % len(moments) for place in range(len(moments))]
    with ThreadPoolExecutor(8) as threads:
        for place, found in threads.map(lambda place: (place, days.day_of(moments[place])), order * 5):
            assert found == expected[place]


@pytest.mark.parametrize(
    ("day", "first_weekday", "week"),
    [
        ("2026-03-08", 0, ("2026-03-02", "2026-03-08")),
        ("2026-03-09", 0, ("2026-03-09", "2026-03-15")),
        ("2026-03-08", 6, ("2026-03-08", "2026-03-14")),
        ("2026-03-07", 6, ("2026-03-01", "2026-03-07")),
        ("2026-01-01", 3, ("2026-01-01", "2026-01-07")),
    ],
)
def test_the_week_of_a_day(day: str, first_weekday: int, week: tuple[str, str]) -> None:
    found = calendar().week_of(date.fromisoformat(day), first_weekday)
    assert tuple(one.isoformat() for one in found) == week


@pytest.mark.parametrize("zone", ["", "Mars/Olympus", "/etc/passwd", "../UTC", "America", "a\0b", "x" * 5_000])
def test_an_unknown_time_zone_is_refused(zone: str) -> None:
    with pytest.raises(Refusal, match="is not a time zone"):
        Calendar(zone, "06:00")


@pytest.mark.parametrize("starts", ["", "6", "6:00", "24:00", "06:60", "06:00:00", "06:00+02:00", "noon"])
def test_a_wrong_day_start_is_refused(starts: str) -> None:
    with pytest.raises(Refusal, match="is not a time of day"):
        Calendar("UTC", starts)
