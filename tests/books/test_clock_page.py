"""The Game Manager's page while the clock is not believed: two people confirm it there, or put the time right."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.books.test_clock import put_off, serving_off
from tests.pages.pages_kit import House

WIDTHS = (360, 820, 1280)


def present(page: Page, title: str, who: str) -> None:
    """On a demonstration one press presents the card of a second person."""
    dialog = page.get_by_role("dialog", name=title)
    dialog.get_by_role("button", name=who).click()
    expect(dialog).to_have_count(0)


def test_two_people_confirm_a_clock_and_later_repair_the_time(
    tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving_off(tmp_path, monkeypatch) as server:
        house = House(server, browser)
        try:
            manager = house.open("/manager", "5001")
            panel = manager.locator("section", has=manager.get_by_role("heading", name="The clock is not believed"))
            expect(manager.get_by_role("heading", name="Links and meters")).to_be_visible()
            expect(panel).to_have_count(0)
            # Four hours ahead: it shows up by itself, and the supervisor is told as well.
            put_off(tmp_path, 4 * 3600)
            expect(panel).to_contain_text("Orders are taken, and carry the floor's time.")
            supervisor = house.open("/", "3001")
            expect(supervisor.get_by_text("is not believed").first).to_be_visible()
            for width in WIDTHS:
                manager.set_viewport_size({"width": width, "height": 900})
                wide = manager.evaluate("document.documentElement.scrollWidth")
                assert wide <= width, f"the page is {wide} wide at {width}"
                manager.screenshot(path=str(tmp_path / f"doubt-{width}.png"))
            panel.get_by_role("button", name="Confirm the clock").click()
            manager.screenshot(path=str(tmp_path / "confirm.png"))
            present(manager, "Confirm the clock", "Demo executive")
            expect(panel).to_have_count(0)
            # It was wrong after all. Set right, it is behind the entries, and the floor's time is repaired.
            put_off(tmp_path, 0)
            expect(panel).to_contain_text("the floor's entries lie in the future")
            panel.get_by_role("button", name="Repair the floor's time").click()
            manager.get_by_label("Reason").fill("the new battery was set to another zone")
            for width in WIDTHS:
                manager.set_viewport_size({"width": width, "height": 900})
                manager.screenshot(path=str(tmp_path / f"repair-{width}.png"))
            present(manager, "Repair the floor's time", "Demo executive")
            expect(panel).to_have_count(0)
            house.forgive()
        finally:
            house.close()
