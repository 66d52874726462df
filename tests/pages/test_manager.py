"""The Game Manager's pages in a real browser: the live monitor, reports, configuration, staff and approvals."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any

from playwright.sync_api import FilePayload, Locator, Page, expect
from tests.pages.pages_kit import TABLET, House
from tests.web.web_kit import API, Person

from houseway.manager.floor_file import read_floor

DIALOG = "dialog[open]"


def dollars(cents: int) -> str:
    return f"${cents // 100:,}.{cents % 100:02}"


def exact(micros: int) -> str:
    whole, rest = divmod(micros, 1_000_000)
    return f"${whole:,}.{f'{rest:06}'.rstrip('0').ljust(2, '0')}"


def meter_row(page: Page, link: str) -> Locator:
    return page.locator("table.meters tr").filter(has=page.get_by_text(link, exact=True))


def table_card(page: Page, table: str) -> Locator:
    return page.locator("article").filter(has=page.get_by_role("link", name=table, exact=True))


def books(person: Person, link: str) -> tuple[str, str]:
    """A link's first meter and its reserve, as the API has them."""
    found = next(one for one in person.get("manager")["links"] if one["id"] == link)
    return dollars(found["meters"][0]["cents"]), dollars(found["meters"][0]["reserve_cents"])


def coin_in(dealer: Person, table: str, *spots: int) -> None:
    for spot in spots:
        dealer.order(f"tables/{table}/light", spot=spot)
    dealer.order(f"tables/{table}/lock-in")


def test_the_monitor_is_live_in_two_browsers_and_gives_orders(house: House) -> None:
    manager = house.open("/manager", card="5001")
    auditor = house.open("/manager", card="6001", size=TABLET, dark=False)
    dealer, looks = house.person("2001"), house.person("6001")
    before = books(looks, "stud")
    for page in (manager, auditor):
        expect(meter_row(page, "Caribbean Stud Jackpot")).to_contain_text(before[0])
        expect(page.get_by_text("No claim is open.")).to_be_visible()

    coin_in(dealer, "CS-1", 1, 2)
    after = books(looks, "stud")
    assert after != before
    for page in (manager, auditor):
        expect(meter_row(page, "Caribbean Stud Jackpot")).to_contain_text(after[0])
        expect(meter_row(page, "Caribbean Stud Jackpot")).to_contain_text(after[1])
        expect(table_card(page, "CS-1")).to_contain_text("2 in")

    # A table is suspended with a reason by who may, and the other sees why.
    expect(auditor.get_by_role("button", name="Suspend TCP-1")).to_have_count(0)
    manager.get_by_role("button", name="Suspend TCP-1", exact=True).click()
    manager.locator(DIALOG).get_by_role("button", name="Suspend").click()
    expect(manager.locator(DIALOG).get_by_role("alert").filter(has_text="must be given in words")).to_be_visible()
    manager.locator(DIALOG).get_by_label("Why").fill("the layout is torn")
    manager.locator(DIALOG).get_by_role("button", name="Suspend").click()
    expect(manager.locator(DIALOG)).to_have_count(0)
    expect(table_card(auditor, "TCP-1")).to_contain_text("the layout is torn")
    manager.get_by_role("button", name="Resume TCP-1", exact=True).click()
    expect(table_card(auditor, "TCP-1")).not_to_contain_text("the layout is torn")

    # The prize account falls short: the link stops, until it does not.
    auditor.get_by_role("button", name="Prize account of Two Way Bad Beat").click()
    auditor.get_by_label("Balance").fill("a lot")
    auditor.get_by_label("The account is short").check()
    auditor.get_by_label("Reference").fill("bank statement 3")
    auditor.locator(DIALOG).get_by_role("button", name="Enter balance").click()
    expect(auditor.locator(DIALOG).get_by_text("must be an amount")).to_be_visible()
    auditor.get_by_label("Balance").fill("4,000.50")
    auditor.locator(DIALOG).get_by_role("button", name="Enter balance").click()
    expect(meter_row(manager, "Two Way Bad Beat")).to_contain_text("its prize account is short")
    short = manager.locator("li").filter(has_text="Two Way Bad Beat").filter(has_text="SHORT")
    expect(short).to_contain_text("$4,000.50")
    gets_a_token_once_and_loses_it(house, manager)


def gets_a_token_once_and_loses_it(house: House, manager: Page) -> None:
    """A display, which shows its link with the token and nothing after it was revoked."""
    manager.get_by_role("button", name="Issue a token").click()
    manager.get_by_label("Name of the device").fill("wall 1")
    manager.get_by_label("What it is").select_option("sensor")
    expect(manager.get_by_label("For which link or table").locator("option").first).to_contain_text("TCP-1")
    manager.get_by_label("What it is").select_option("display")
    manager.get_by_label("For which link or table").select_option("stud")
    manager.locator(DIALOG).get_by_role("button", name="Issue a token").click()
    expect(manager.locator(DIALOG).get_by_text("letters, digits and dashes").last).to_be_visible()
    manager.get_by_label("Name of the device").fill("wall-1")
    manager.locator(DIALOG).get_by_role("button", name="Issue a token").click()
    address = manager.get_by_label("Open this address on the display").input_value()
    token = manager.get_by_role("textbox", name="Token").input_value()
    assert address == f"{house.server.url}/display/stud#token={token}"
    manager.get_by_role("button", name="I have it").click()
    expect(manager.locator(DIALOG)).to_have_count(0)
    # A dialog leaves the page when the browser tells that it is closed, a moment after it is.
    manager.wait_for_function("token => !document.documentElement.outerHTML.includes(token)", arg=token)

    display = house.open(address.removeprefix(house.server.url))
    expect(display.get_by_text(books(house.person("6001"), "stud")[0])).to_be_visible()

    manager.get_by_role("button", name="Revoke wall-1").click()
    manager.get_by_label("Reason").fill("taken off the wall")
    manager.locator(DIALOG).get_by_role("button", name="Revoke").click()
    expect(manager.locator("li").filter(has_text="wall-1")).to_contain_text("revoked")
    answer = house.server.somebody().http.get(f"{API}/links/stud", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 401


def opens(page: Page, text: str) -> None:
    """Choose a floor file; it stands in the page then, to be changed."""
    file: FilePayload = {"name": "floor.toml", "mimeType": "text/plain", "buffer": text.encode()}
    page.get_by_label("Open a file").set_input_files(file)
    expect(page.get_by_label("Floor file")).to_have_value(text)


def with_new_links(text: str) -> str:
    """The floor file with two more links, and a table for the second."""
    return f"""{text}
[[tables]]
id = "V-CS2"
game = "caribbean-stud"
console = "touch"
spots = 7
kind = "virtual"
limits.ante = {{ min = "5.00", max = "100.00" }}
limits.bet = {{ min = "10.00", max = "200.00" }}

[[links]]
id = "second-stud"
name = "Second Stud Jackpot"
tables = ["V-CS2"]
pay_table = "CSTUD-01"
wager = "1.00"
meters.main = {{ contribution = "70%", reserve = "2%", seed = "10,000.00" }}

[[links]]
id = "new-beat"
name = "New Bad Beat"
tables = ["SE1-2"]
pay_table = "TWBB-1"
wager = "5.00"
meters.main = {{ contribution = "10%", reserve = "1%", seed = "5,000.00" }}
"""


def test_a_configuration_is_checked_advised_on_and_applied(house: House) -> None:
    manager = house.open("/manager/configuration", card="5001")
    seen = house.open("/manager/configuration", card="7001", size=TABLET)
    text = house.server.file.read_text("utf-8")
    stud = manager.locator("tr").filter(has_text="Caribbean Stud Jackpot").first
    expect(stud).to_contain_text("70%")
    expect(stud).to_contain_text("$500,000.00")
    manager.locator("summary").filter(has_text="TCP-1").first.click()
    expect(manager.locator("details[data-table='TCP-1']")).to_contain_text("$200.00")

    # It begins from what is in force, which changes nothing.
    inforce = house.person("5001").get("floor/file")["floor"]
    expect(manager.get_by_label("Floor file")).to_have_value(inforce)
    assert read_floor(inforce.encode(), "floor", Path()).config == read_floor(text.encode(), "floor", Path()).config

    # Every defect at once, and no way to apply it.
    wrong = text.replace('contribution = "70%"', 'contribution = "99%"').replace(
        'console = "touch"', 'console = "tuch"'
    )
    opens(manager, wrong)
    manager.get_by_role("button", name="Check").click()
    expect(manager.get_by_role("heading", name=re.compile("Defects: "))).to_be_visible()
    told = house.person("5001").http.post(f"{API}/floor/check", json={"floor": wrong}).json()
    assert len(told["defects"]) > 1
    expect(manager.locator(".finding.bad")).to_have_count(len(told["defects"]))
    expect(manager.get_by_role("button", name="Apply")).to_have_count(0)

    # A change that the advisor has something to say about.
    changed = with_new_links(text).replace(
        'seed = "10,000.00", maximum = "500,000.00"', 'seed = "9,000.00", maximum = "500,000.00"'
    )
    opens(manager, changed)
    expect(manager.get_by_text("The text was changed since.")).to_be_visible()
    manager.get_by_role("button", name="Check").click()
    advice = house.person("5001").http.post(f"{API}/floor/check", json={"floor": changed}).json()["advice"]
    expect(manager.locator(".finding.warn")).to_have_count(len(advice))
    said = next(one for one in advice if one["where"].startswith("link stud"))
    expect(manager.locator(".finding.warn").filter(has_text=said["what"])).to_be_visible()
    manager.get_by_role("button", name="Apply").click()
    expect(manager.get_by_role("alert").filter(has_text="must be given in words")).to_be_visible()
    manager.get_by_label("Reason for the change").fill("the old seed was for another table")
    manager.get_by_role("button", name="Apply").click()
    manager.locator(DIALOG).get_by_role("button", name="Demo executive").click()
    expect(manager.get_by_text("In force from the next round: entry")).to_be_visible()
    (entry,) = house.person("5001").get("journal", kind="configure")["items"]
    assert any("link stud" in change for change in entry["events"][0]["changes"])
    expect(manager.locator(".finding.good")).to_have_text(entry["events"][0]["changes"])
    expect(stud).to_contain_text("$9,000.00")
    manager.get_by_role("button", name="Begin again from what is in force").click()
    expect(manager.get_by_label("Floor file")).to_have_value(re.compile('seed = "9,000.00", maximum = "500,000.00"'))
    expect(seen.locator("tr").filter(has_text="Caribbean Stud Jackpot").first).to_contain_text("$9,000.00")
    terms = house.person("5001").get("manager")["terms"]["stud"]["main"]
    assert terms["seed_cents"] == 900_000

    # A technician may have a file checked, and cannot apply it.
    opens(seen, text)
    seen.get_by_role("button", name="Check").click()
    expect(seen.get_by_text("No defect")).to_be_visible()
    expect(seen.get_by_role("button", name="Apply")).to_have_count(0)
    a_meter_is_seeded_and_another_taken_over_by_two(house, manager)


def a_meter_is_seeded_and_another_taken_over_by_two(house: House, manager: Page) -> None:
    manager.goto(f"{house.server.url}/manager")
    seeded = meter_row(manager, "Second Stud Jackpot")
    seeded.get_by_role("button", name="Seed").click()
    expect(manager.locator(DIALOG)).to_contain_text("$10,000.00")
    manager.locator(DIALOG).get_by_role("button", name="Seed").click()
    expect(seeded).to_contain_text("$10,000.00")
    row = meter_row(manager, "New Bad Beat")
    expect(row).to_contain_text("not opened")
    row.get_by_role("button", name="Take over").click()
    manager.get_by_label("The meter showed").fill("6,200.10")
    manager.get_by_label("Its reserve held").fill("12")
    manager.get_by_label("Where the reading is on record").fill("last report of the old system")
    manager.get_by_label("Card").fill("5001")
    manager.get_by_label("PIN").fill("1234")
    manager.locator(DIALOG).get_by_role("button", name="Confirm").click()
    expect(manager.locator(DIALOG).get_by_role("alert").filter(has_text=re.compile("."))).to_be_visible()
    manager.get_by_label("Card").fill("6001")
    manager.get_by_label("PIN").fill("1234")
    manager.locator(DIALOG).get_by_role("button", name="Confirm").click()
    expect(row).to_contain_text("$6,200.10")
    expect(row).to_contain_text("$12.00")


def test_somebody_is_enrolled_signs_in_and_is_dismissed(house: House) -> None:  # noqa: PLR0915  # one person, step by step
    manager = house.open("/manager/staff", card="5001")
    form = manager.locator("#doing")
    form.get_by_role("button", name="Enrol").click()
    expect(form.get_by_role("alert").first).to_contain_text("must be given in words")
    form.get_by_label("Name").fill("Dana Dealer")
    form.get_by_label("Id").fill("d-31")
    form.get_by_label("Role").select_option("dealer")
    form.get_by_role("button", name="Enrol").click()
    # The second person presents a card; on a demonstration that is one press. Nobody is their own second.
    second = manager.locator(DIALOG)
    expect(second.get_by_role("button", name="Demo manager", exact=True)).to_have_count(0)
    second.get_by_role("button", name="Demo dealer", exact=True).click()
    expect(second.get_by_role("alert")).to_contain_text("the second person must be")
    second.get_by_role("button", name="Demo executive").click()
    card, code = manager.locator("#new-card").inner_text(), manager.locator("#new-code").inner_text()
    manager.get_by_role("button", name="Handed over").click()
    assert code not in manager.locator("main").inner_text().split()
    expect(manager.locator("tr").filter(has_text="Dana Dealer")).to_contain_text("no PIN set yet")

    dana = house.open("/sign-in")
    staff = dana.locator("section").filter(has=dana.get_by_role("heading", name="Staff"))
    staff.get_by_label("Card").fill(card)
    staff.get_by_label("PIN").fill(code)
    staff.get_by_role("button", name="Sign in").click()
    # The card has no PIN yet: the page leads to where one is set.
    setting = dana.locator("#set-pin")
    expect(setting.get_by_label("New PIN", exact=True)).to_be_focused()
    setting.get_by_label("New PIN", exact=True).fill("1234")
    setting.get_by_label("New PIN again").fill("1234")
    setting.get_by_role("button", name="Set the PIN").click()
    expect(setting.get_by_role("alert")).to_contain_text("counts up or down")
    setting.get_by_label("New PIN", exact=True).fill("735190")
    setting.get_by_label("New PIN again").fill("735199")
    setting.get_by_role("button", name="Set the PIN").click()
    expect(setting.get_by_role("alert")).to_contain_text("not the same")
    setting.get_by_label("New PIN again").fill("735190")
    setting.get_by_role("button", name="Set the PIN").click()
    expect(dana.locator("header")).to_contain_text("Dana Dealer")

    # A new card: the old one opens nothing any more.
    manager.get_by_role("button", name="New card or role for Dana Dealer").click()
    form.get_by_role("button", name="Make the card").click()
    manager.locator(DIALOG).get_by_role("button", name="Demo executive").click()
    expect(manager.locator("#new-card")).not_to_have_text(card)
    newer, code = manager.locator("#new-card").inner_text(), manager.locator("#new-code").inner_text()
    assert signs_in(house, card, "735190") == 401
    given = {"card": newer, "pin": code, "new_pin": "735190"}
    assert house.server.somebody().http.post(f"{API}/session/pin", json=given).status_code == 200
    assert signs_in(house, newer, "735190") == 200

    manager.get_by_role("button", name="Dismiss Dana Dealer").click()
    form.get_by_label("Reason").fill("moved away")
    form.get_by_role("button", name="Dismiss").click()
    manager.locator(DIALOG).get_by_role("button", name="Demo auditor").click()
    expect(manager.locator("tr").filter(has_text="Dana Dealer")).to_contain_text("dismissed")
    assert signs_in(house, newer, "735190") != 200
    auditor = house.open("/manager/staff", card="6001")
    expect(auditor.get_by_text("Dana Dealer")).to_be_visible()
    expect(auditor.locator("#doing")).to_have_count(0)
    dealer = house.open("/manager/staff", card="2001")
    expect(dealer.get_by_role("heading", name="Not for you")).to_be_visible()


def signs_in(house: House, card: str, pin: str) -> int:
    return house.server.somebody().http.post(f"{API}/session", json={"card": card, "pin": pin}).status_code


def drawn(page: Page, name: str) -> list[tuple[str, int]]:
    """The figures beside a chart."""
    rows = page.get_by_role("region", name=name).locator("tbody tr")
    return [(row.locator("th").inner_text(), int(row.get_attribute("data-value") or "")) for row in rows.all()]


def test_a_report_is_drawn_from_what_the_api_says(house: House) -> None:
    dealer, auditor = house.person("2001"), house.person("6001")
    for table, rounds, spots in (("CS-1", 2, (1, 2, 3)), ("TCP-1", 1, (1, 4)), ("SE1-1", 1, (2,))):
        for _ in range(rounds):
            coin_in(dealer, table, *spots)
            dealer.order(f"tables/{table}/close-round")
    page = house.open("/manager/reports", card="6001")
    by_day = page.get_by_role("region", name=re.compile("^Coin-in by day"))
    expect(by_day).to_be_visible()
    first, last = (page.get_by_label(name).input_value() for name in ("First gaming day", "Last gaming day"))
    period = {"from": first, "to": last}
    for by in ("day", "table"):
        groups = [one for one in auditor.get(f"reports/{by}", **period)["groups"] if one["key"]]
        name = f"Coin-in by {by} from {first} to {last}"
        assert drawn(page, name) == [(one["key"], one["coin_in_micros"]) for one in groups]
        chart = page.get_by_role("img", name=name)
        assert [float(bar.get_attribute("height") or 0) > 0 for bar in chart.locator("rect").all()] == [
            one["coin_in_micros"] > 0 for one in groups
        ]
        heights = bars_in_proportion(chart, [one["coin_in_micros"] for one in groups])
        assert heights

    # One day of a meter, movement by movement.
    page.get_by_role("button", name="Today").click()
    page.get_by_label("Meter", exact=True).select_option("stud/main")
    expect(page.get_by_role("img", name=f"Meter stud/main from {last} to {last}")).to_be_visible()
    history = auditor.get("links/stud/meters/main/history", **{"from": last, "to": last})["items"]
    wanted = [one["meter_after_micros"] for one in history if one["part"] == "meter" and one["entry"]]
    assert [value for _, value in drawn(page, f"Meter stud/main from {last} to {last}")] == wanted

    # The report itself, and its documents.
    page.get_by_role("group", name="Grouped by").get_by_role("button", name="Link").click()
    total = auditor.get("reports/link", **{"from": last, "to": last})["total"]
    foot = page.locator("table.report tfoot")
    for figure in ("coin_in_micros", "contributions_micros", "closing_reserve_micros"):
        expect(foot).to_contain_text(exact(total[figure]))
    expect(page.get_by_text("Everything reconciles")).to_be_visible()
    section = page.locator("section").filter(has=page.locator("table.report"))
    with page.expect_download() as begun:
        section.get_by_role("link", name="CSV").click()
    rows = list(csv.DictReader(io.StringIO(begun.value.path().read_text("utf-8"))))
    assert {row["link"] for row in rows} >= {"stud", "three-card"}
    with page.expect_download() as begun:
        section.get_by_role("link", name="PDF").click()
    assert begun.value.path().read_bytes().startswith(b"%PDF")

    # What accrued is to be deposited; a period that ends before it begins is refused beside its fields.
    deposit = page.locator("form").filter(has=page.get_by_role("button", name="Record deposit"))
    deposit.get_by_label("Link").select_option("stud")
    deposit.get_by_label("Amount deposited").fill("4.32")
    deposit.get_by_label("Deposit slip").fill("slip 17")
    deposit.get_by_role("button", name="Record deposit").click()
    row = page.locator("tr").filter(has_text="Caribbean Stud Jackpot")
    expect(row.locator("td").nth(2)).to_have_text("$4.32")
    page.get_by_label("First gaming day").fill("2031-01-02")
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".period").get_by_role("alert").first).to_contain_text("comes before its last")


def bars_in_proportion(chart: Locator, values: list[int]) -> bool:
    """Whether each column is as high, against the highest, as its figure is."""
    heights: list[Any] = chart.locator("rect").evaluate_all(
        "bars => bars.map((bar) => Number(bar.getAttribute('height')))"
    )
    return all(
        abs(height / max(heights) - value / max(values)) < 0.01 for height, value in zip(heights, values, strict=True)
    )


def test_approvals_say_what_is_missing_and_why_a_table_is_shut(house: House) -> None:
    technician = house.open("/manager/approvals", card="7001", size=TABLET)
    expect(technician.get_by_text("No table is kept shut.")).to_be_visible()
    manager = house.person("5001")
    text = house.server.file.read_text("utf-8")
    cut = text.replace("items.controls_approved = {", "# items.controls_approved = {", 1)
    cut = re.sub(r'\[\[equipment\]\]\nid = "monitors".*?\n\n', "", cut, flags=re.DOTALL)
    manager.seconded("floor/configure", floor=cut, reason="the papers are with the commission")
    said = manager.get("approvals")
    shut = [one for one in said["tables"] if one["because"]]
    assert {one["table"] for one in shut} >= {"TCP-1", "CS-3"}
    expect(technician.get_by_role("heading", name=f"Tables kept shut: {len(shut)}")).to_be_visible()
    for one in shut:
        for why in one["because"]:
            expect(technician.get_by_text(why, exact=True).first).to_be_visible()
    game = technician.locator("article").filter(has_text="Three Card Poker")
    expect(game).to_contain_text("missing")
    technician.get_by_text("Everything that is approved").click()
    kinds = manager.get("equipment/approved")["items"]
    expect(technician.locator("details tbody tr")).to_have_count(len(kinds))
