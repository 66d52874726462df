"""What the screens say while nothing can be recorded, in a real browser, and that they clear it by themselves."""

from __future__ import annotations

import resource
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from tests.pages.pages_kit import House, browser, playwright  # noqa: F401  fixtures
from tests.web.web_kit import Server, make_floor

from houseway.manager.store import open_store

SAID = "Nothing can be recorded right now."
FIVE_SECONDS = 5.0
LONG = 15_000
SCREENS = (
    ("/table/CS-1", "2001"),
    ("/supervisor", "3001"),
    ("/manager", "5001"),
    ("/", "3001"),
    ("/display/stud", "3001"),
)
WIDTHS = (360, 820, 1280)


@pytest.fixture
def slow_house(tmp_path: Path, browser: Browser) -> Iterator[House]:  # noqa: F811  a fixture
    """The demonstration floor, whose orders have a second to be recorded."""
    database = str(tmp_path / "floor.db")
    server = Server(make_floor(tmp_path, database), database, "--order-seconds", "1").start()
    made = House(server, browser)
    try:
        yield made
        made.check()
    finally:
        made.close()
        server.stop()


@contextmanager
def full_disk(server: Server) -> Iterator[None]:
    """The server's files may not grow any more."""
    assert server.process is not None
    before = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (8_192, before[1]))
    try:
        yield
    finally:
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, before)


@pytest.mark.clause("PR-38")
def test_every_screen_says_within_five_seconds_that_nothing_can_be_recorded(slow_house: House) -> None:
    house = slow_house
    windows = [
        (path, house.open(path, card, size=(width, 800)))
        for (path, card), width in zip(SCREENS, (360, 820, 1280, 820, 1280), strict=True)
    ]
    seat = house.open("/seat/V-TCP", player="Ann", size=(360, 740))
    windows.append(("/seat", seat))
    wall = next(page for path, page in windows if path.startswith("/display"))
    expect(wall.locator(".display-amount")).to_have_text("$10,000.00")
    desk = windows[0][1]
    expect(desk.locator("main")).to_contain_text("CS-1")
    with full_disk(house.server):
        began = time.monotonic()
        for path, page in windows:
            expect(page.get_by_text(SAID).locator("visible=true").first, path).to_be_visible(timeout=LONG)
        assert time.monotonic() - began < FIVE_SECONDS
        # An amount that nobody can win now is not advertised.
        assert "$" not in wall.locator("main").inner_text()
        for width in WIDTHS:
            for path, page in windows:
                page.set_viewport_size({"width": width, "height": 800})
                wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                assert wide <= 0, f"{path} at {width}"
                assert page.get_by_text(SAID).locator("visible=true").first.is_visible(), f"{path} at {width}"
    for path, page in windows:
        expect(page.get_by_text(SAID), path).to_have_count(0, timeout=LONG)
    expect(wall.locator(".display-amount")).to_have_text("$10,000.00")
    house.forgive()


def test_a_press_while_the_database_hangs_is_sent_again_and_counts_once(slow_house: House) -> None:
    """Row 5: the page sends a 503 uncertain again, under the same key."""
    house = slow_house
    desk = house.open("/table/CS-1", "2001")
    answers: list[tuple[int, str]] = []
    desk.on(
        "response",
        lambda one: (
            answers.append((one.status, one.request.headers["idempotency-key"]))
            if one.request.method == "POST"
            else None
        ),
    )
    spot = desk.get_by_role("button", name="Spot 3").and_(desk.locator(".spot"))
    expect(spot).to_be_visible()
    with closing(sqlite3.connect(house.server.database, isolation_level=None, timeout=10)) as other:
        other.execute("BEGIN IMMEDIATE")
        spot.click()
        with desk.expect_response(lambda one: one.status == 503):
            pass
        other.execute("ROLLBACK")
    with desk.expect_response(lambda one: one.status == 200 and one.request.method == "POST"):
        pass
    (key,) = {key for _, key in answers}
    with closing(open_store(house.server.database, create=False, read_only=True)) as store:
        assert [row.order for row in store.entries() if row.order == key] == [key]
    house.forgive()
