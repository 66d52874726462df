"""The win page in a browser, clause PR-22: the money bag on a win opens it, and it prints."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.pages.pages_kit import House, browser, house, playwright

from houseway.money import dollars

__all__ = ["browser", "house", "playwright"]

PRINTED = "window.print = () => { document.documentElement.dataset.printed = 'yes'; };"


def line(page: Page, section: str, label: str) -> Locator:
    """What stands beside a label in a section of the page."""
    term = page.get_by_role("term").filter(has_text=label)
    return (
        page.get_by_role("region", name=section, exact=True).locator("div").filter(has=term).get_by_role("definition")
    )


@pytest.mark.clause("PR-22")
def test_the_money_bag_on_a_win_prints_its_win_page(house: House) -> None:
    """Everything that the clause lists: on the screen, on paper, and found again by its number."""
    dealer, executive = house.person("2001"), house.person("4001")
    dealer.order("tables/CS-3/lock-in", lit=[2, 5])
    meters = {one["meter"]: one["cents"] for one in dealer.get("links/three-level")["meters"]}
    dealer.order("tables/CS-3/name-win", spot=5, hand="royal_flush")
    confirmed = executive.order("tables/CS-3/confirm", spot=5)
    number = confirmed["entry"]
    after = {one["meter"]: one["cents"] for one in dealer.get("links/three-level")["meters"]}
    page = house.open("/manager/wins", "5001")
    page.add_init_script(PRINTED)
    bag = page.get_by_role("row").filter(has_text="CS-3").get_by_role("link", name=f"win page of win {number}")
    expect(bag.locator("svg.money-bag")).to_be_visible()
    bag.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Win page No. {number}")
    amount = dollars(meters["mega"])
    for section, label, words in (
        ("Where", "Link", "Mega Major Minor"),
        ("Where", "Meter", "mega"),
        ("Where", "Table", "CS-3"),
        ("Where", "Spot", "5"),
        ("What was won", "Hand", "royal flush"),
        ("What was won", "Pay table row", "royal flush: 100% of meter mega"),
        ("What was won", "Amount", amount),
        ("Meter before and after", "Before", amount),
        ("Meter before and after", "After", dollars(after["mega"])),
        ("Who and when", "Named by", "Demo dealer"),
        ("Who and when", "Confirmed by", "Demo executive"),
    ):
        expect(line(page, section, label).first).to_contain_text(words)
    record = executive.get(f"wins/{number}")
    for deed, label in (("named", "Named by"), ("confirmed", "Confirmed by")):
        expect(line(page, "Who and when", label).first).to_contain_text(record[deed]["when"]["utc"])
    # On paper: all of it, nothing of the screen's own, and room to sign.
    page.get_by_role("button", name="Print").click()
    expect(page.locator("html")).to_have_attribute("data-printed", "yes")
    page.emulate_media(media="print")
    for gone in (page.get_by_role("navigation"), page.get_by_role("button", name="Print")):
        expect(gone).to_be_hidden()
    expect(page.locator(".signatures")).to_be_visible()
    expect(page.get_by_role("region", name="Where", exact=True)).to_be_visible()
    assert page.pdf(format="Letter").startswith(b"%PDF-")
    # The number finds the entry again, and the document is the same win's.
    page.emulate_media(media="screen")
    document = page.context.request.get(f"{house.server.url}/api/v1/wins/{number}/page.pdf")
    assert document.ok
    assert document.headers["content-type"] == "application/pdf"
    assert document.body().startswith(b"%PDF-")
    page.goto(f"{house.server.url}/manager/journal")
    page.get_by_label("Entry number").fill(str(number))
    page.get_by_role("button", name="Find").click()
    found = page.get_by_role("article", name=f"Entry {number}", exact=True)
    expect(found).to_contain_text("spot 5, royal flush")
    expect(found).to_contain_text(amount)
