"""PR-21 on the screen: what the Game Manager shows, live."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect
from tests.pages.pages_kit import House, browser, house, playwright
from tests.web.web_kit import Person

__all__ = ["browser", "house", "playwright"]


def dollars(cents: int) -> str:
    return f"${cents // 100:,}.{cents % 100:02}"


def shows_every_meter(page: Page, manager: Person) -> None:
    for link in manager.get("manager")["links"]:
        body = page.locator("table.meters tbody").filter(has=page.get_by_text(link["name"], exact=True))
        expect(body.locator("tr")).to_have_count(len(link["meters"]))
        for row, meter in zip(body.locator("tr").all(), link["meters"], strict=True):
            expect(row).to_contain_text(dollars(meter["cents"]))
            expect(row).to_contain_text(dollars(meter["reserve_cents"]))


@pytest.mark.clause("PR-21")
def test_the_game_manager_shows_the_floor_live(house: House) -> None:
    """Every link, meter, reserve and table; open claims; confirmed wins with the amount to pay; alarms."""
    page = house.open("/manager", card="5001")
    manager, dealer = house.person("5001"), house.person("2001")
    supervisor = house.person("3001")
    shows_every_meter(page, manager)
    for table in manager.get("floor")["tables"]:
        expect(page.locator("article").get_by_role("link", name=table["id"], exact=True)).to_be_visible()

    at = "tables/CS-1"
    for spot in (1, 2, 3):
        dealer.order(f"{at}/light", spot=spot)
    dealer.order(f"{at}/lock-in")
    dealer.order(f"{at}/first-card")
    shows_every_meter(page, manager)

    dealer.order(f"{at}/name-win", spot=2, hand="straight_flush")
    (claim,) = manager.get("claims")["items"]
    waiting = page.locator("section").filter(has=page.get_by_role("heading", name="Open claims"))
    expect(waiting.get_by_role("listitem")).to_contain_text(["CS-1 · Spot 2"])
    expect(waiting.get_by_role("listitem")).to_contain_text(dollars(claim["due_cents"]))

    supervisor.order(f"{at}/arrive")
    supervisor.order(f"{at}/j-pot", spot=2)
    supervisor.order(f"{at}/run")
    (win,) = manager.get("wins")["items"]
    confirmed = page.locator("section").filter(has=page.get_by_role("heading", name="Confirmed wins"))
    expect(confirmed.get_by_role("listitem")).to_contain_text(dollars(win["cents"]))
    bag = confirmed.get_by_role("link", name=re.compile("Win page"))
    expect(bag).to_have_attribute("href", f"/manager/wins/{win['win']}")
    expect(waiting.get_by_role("listitem")).to_have_count(0)
    shows_every_meter(page, manager)

    # PR-7: a fixed award that its meter cannot give raises an alarm.
    raise_alarm(manager, dealer, supervisor)
    (alarm,) = manager.get("manager")["alarms"]
    heading = page.get_by_role("heading", name="Alarms")
    expect(heading).to_be_visible()
    expect(page.get_by_text(alarm["text"])).to_be_visible()
    page.get_by_role("button", name=re.compile("^Acknowledge")).click()
    expect(heading).to_have_count(0)
    assert manager.get("manager")["alarms"] == []


def raise_alarm(manager: Person, dealer: Person, supervisor: Person) -> None:
    """Leave ten dollars on the meter, and have a flush paid from it."""
    dealer.order("tables/CS-1/close-round")
    held = next(one for one in manager.get("links")["items"] if one["link"] == "stud")["meters"][0]["cents"]
    key = str(uuid4())
    second = {"Second-Card": manager.present("4001", key)}
    words = {"reason": "malfunction", "explanation": "the meter was set too high"}
    manager.order("adjustments/adjust-meter", key, second, link="stud", meter="main", cents=10_00 - held, **words)
    dealer.order("tables/CS-2/light", spot=1)
    dealer.order("tables/CS-2/lock-in")
    dealer.order("tables/CS-2/first-card")
    dealer.order("tables/CS-2/name-win", spot=1, hand="flush")
    supervisor.order("tables/CS-2/arrive")
    supervisor.order("tables/CS-2/j-pot", spot=1)
    supervisor.order("tables/CS-2/run")
