"""The supervisor's page and what comes after it: win pages, adjustments, the journal, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from tests.pages.pages_kit import TABLET, House
from tests.web.web_kit import Person, Server, serving

from houseway.money import dollars
from houseway.web.demonstration import PIN

SUPERVISOR, EXECUTIVE, MANAGER, AUDITOR, SURVEILLANCE = "3001", "4001", "5001", "6001", "8001"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One floor for all of them: every test ends the rounds that it began."""
    with serving(tmp_path_factory.mktemp("supervisor")) as running:
        yield running


@pytest.fixture
def house(server: Server, browser: Browser) -> Iterator[House]:
    made = House(server, browser)
    try:
        yield made
        made.check()
    finally:
        made.close()


def finish(house: House, *tables: str) -> None:
    """Surveillance verifies what it must, and the rounds close."""
    supervisor = house.person(SUPERVISOR)
    for table in tables:
        for one in supervisor.get(f"tables/{table}")["to_verify"]:
            house.person(SURVEILLANCE).order(f"tables/{table}/surveillance", win=one["win"], player="P. Winner")
        supervisor.order(f"tables/{table}/close-round")


def name_wins(dealer: Person, table: str, **hands: int) -> None:
    for hand, spot in hands.items():
        dealer.order(f"tables/{table}/name-win", spot=spot, hand=hand)


def claim(page: Page, table: str, spot: int) -> Locator:
    return page.get_by_role("article", name=f"Claim at table {table}, spot {spot}:")


def due(person: Person, table: str, spot: int) -> str:
    claims = person.get(f"tables/{table}")["claims"]
    return dollars(next(one["due_cents"] for one in claims if one["spot"] == spot))


def say(page: Page, **fields: str) -> None:
    """Fill in what an open dialog asks for."""
    for label, text in fields.items():
        page.get_by_role("dialog").get_by_label(label.replace("_", " "), exact=True).fill(text)


def present(page: Page, card: str) -> None:
    """Card and PIN in an open dialog."""
    say(page, Card=card, PIN=PIN)
    page.get_by_role("dialog").get_by_role("button", name="Confirm", exact=True).click()


def press_in_dialog(page: Page, label: str | re.Pattern[str]) -> None:
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name=label).click()
    expect(dialog).to_have_count(0)


def verified(house: House) -> None:
    """FL-18: surveillance verifies the win on its own screen, with its own card."""
    page = house.open("/surveillance", SURVEILLANCE, size=TABLET)
    page.get_by_role("article", name="Table CS-3 · Spot 2").get_by_role("button", name="I verified it").click()
    say(page, Player="P. Winner")
    press_in_dialog(page, "Record it")
    expect(page.get_by_role("heading", name="Nothing waits for you.")).to_be_visible()


def test_a_win_from_the_sensor_to_the_win_page(house: House, tmp_path: Path) -> None:
    """A small win with the supervisor's card, a large one with the executive's, its page, its PDF, its entry."""
    page = house.open("/supervisor", SUPERVISOR, size=TABLET)
    expect(page.get_by_role("heading", name="No claim waits.")).to_be_visible()
    dealer, box = house.person("2001"), house.server.somebody()
    issued = house.person(MANAGER).order("devices/issue-device", device="box", right="sensor", subject="CS-3")
    box.http.headers["Authorization"] = f"Bearer {issued['token']}"
    for spot in (1, 2):
        box.order("tables/CS-3/light", spot=spot)
    dealer.order("tables/CS-3/lock-in")
    name_wins(dealer, "CS-3", royal_flush=2, flush=1)
    large, small = claim(page, "CS-3", 2), claim(page, "CS-3", 1)
    amount = due(dealer, "CS-3", 2)
    expect(large).to_contain_text(amount)
    expect(large).to_contain_text("Royal flush: 100% of meter mega", ignore_case=True)
    expect(large).to_contain_text("Demo dealer at")
    expect(large.get_by_role("timer")).to_have_text(re.compile(r"^\d\d:\d\d$"))
    for flag in ("EXECUTIVE CARD from $10,000.00", "SURVEILLANCE must verify", "TAX FORM"):
        expect(large).to_contain_text(flag)
        expect(small).not_to_contain_text(flag)
    # He came when he says so, and that is timed.
    page.get_by_role("button", name="I am at the table").first.click()
    expect(large).to_contain_text("came after")
    expect(page.get_by_role("button", name="I am at the table")).to_have_count(0)
    # With his own card the small one, after one more look at it.
    small.get_by_role("button", name="CONFIRM", exact=True).click()
    press_in_dialog(page, "Confirm $40.00")
    expect(small).to_have_count(0)
    # The large one is explained before it is refused; his card presented again makes him no executive.
    expect(large).to_contain_text(f"Not with your card: {amount} needs an Executive card")
    large.get_by_role("button", name="CONFIRM with an Executive card").click()
    present(page, SUPERVISOR)
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("needs an Executive card")
    assert [win["spot"] for win in dealer.get("tables/CS-3")["progressive"]["wins"]] == [1]
    present(page, EXECUTIVE)
    expect(large).to_have_count(0)
    win = next(one for one in dealer.get("tables/CS-3")["progressive"]["wins"] if one["spot"] == 2)["number"]
    waiting = page.get_by_role("article", name=f"Win {win}")
    expect(waiting).to_contain_text("waits for surveillance")
    verified(house)
    expect(waiting).to_contain_text("surveillance verified")
    page.get_by_role("link", name=f"Open the win page of win {win}").click()
    expect(page.get_by_role("heading", name=f"Win page No. {win}")).to_be_visible()
    expect(page.get_by_role("region", name="Who and when")).to_contain_text("Demo executive")
    expect(page.get_by_role("region", name="Verification")).to_contain_text("Demo surveillance")
    with page.expect_download() as waiting:
        page.get_by_role("link", name="PDF").click()
    waiting.value.save_as(tmp_path / "win.pdf")
    assert (tmp_path / "win.pdf").read_bytes().startswith(b"%PDF-")
    # A supervisor's card opens no journal, so none is offered; a manager finds the win in it.
    expect(page.get_by_role("link", name="Find it in the journal")).to_have_count(0)
    office = house.open(f"/manager/wins/{win}", MANAGER)
    office.get_by_role("link", name="Find it in the journal").click()
    entry = office.get_by_role("article", name=f"Entry {win}", exact=True)
    expect(entry).to_contain_text(f"Win {win} was logged")
    expect(entry).to_contain_text("confirm, by Demo executive")
    dealer.order("tables/CS-3/close-round")


def test_a_keypad_records_in_two_steps_and_who_named_it_may_not(house: House) -> None:
    """J-POT, then RUN; what waits says why. A claim that a supervisor named himself takes another's card."""
    dealer, supervisor = house.person("2001"), house.person(SUPERVISOR)
    dealer.order("tables/CS-1/lock-in", lit=[1, 4])
    supervisor.order("tables/CS-1/name-win", spot=4, hand="straight_flush")
    name_wins(dealer, "CS-1", full_house=1)
    page = house.open("/supervisor", SUPERVISOR)
    first, second = claim(page, "CS-1", 4), claim(page, "CS-1", 1)
    expect(first).to_contain_text("who named a win cannot confirm it")
    first.get_by_role("button", name="J-POT with a supervisor's card").click()
    present(page, EXECUTIVE)
    expect(second).to_contain_text("it stands between J-POT and RUN")
    expect(second.get_by_role("button", name="J-POT")).to_be_disabled()
    expect(first.get_by_role("listitem").filter(has_text="RUN")).to_have_attribute("aria-current", "step")
    expect(first.get_by_role("button", name="No win")).to_have_count(0)
    first.get_by_role("button", name="RUN with a supervisor's card").click()
    present(page, EXECUTIVE)
    expect(first).to_have_count(0)
    second.get_by_role("button", name="J-POT", exact=True).click()
    press_in_dialog(page, "J-POT $100.00")
    second.get_by_role("button", name="RUN", exact=True).click()
    press_in_dialog(page, "RUN: pay $100.00")
    expect(page.get_by_role("heading", name="No claim waits.")).to_be_visible()
    dealer.order("tables/CS-1/close-round")


def test_two_winners_in_one_round_and_one_at_another_table(house: House) -> None:
    """The order is enforced and said in words, by the table's own order; a dropped claim changes what follows."""
    dealer = house.person("2001")
    dealer.order("tables/CS-3/lock-in", lit=[2, 5])
    dealer.order("tables/CS-4/lock-in", lit=[1, 3])
    dealer.order("tables/CS-3/name-win", spot=2, hand="royal_flush")
    dealer.order("tables/CS-3/name-win", spot=5, hand="royal_flush")
    for spot in (3, 1):
        dealer.order("tables/CS-4/name-win", spot=spot, hand="royal_flush")
    page = house.open("/supervisor", EXECUTIVE)
    group = page.get_by_role("region", name="Claims on Mega Major Minor")
    expect(group).to_contain_text("4 claims wait on this meter")
    places = [("CS-3", 5), ("CS-3", 2), ("CS-4", 1), ("CS-4", 3)]
    headings = [f"Table {table} · Spot {spot}" for table, spot in places]
    expect(group.get_by_role("heading", level=3)).to_have_text(headings)
    for table, spot in places[1:]:
        expect(claim(page, table, spot).get_by_role("button", name="CONFIRM")).to_be_disabled()
    expect(claim(page, "CS-3", 2)).to_contain_text(
        "First table CS-3, spot 5 (royal flush): in one round winners are paid from the dealer's farthest right"
    )
    expect(claim(page, "CS-4", 1)).to_contain_text("the earlier round is served first")
    expect(claim(page, "CS-4", 3)).to_contain_text(
        "winners are paid from the dealer's left (Internal controls 4.2), and spot 1 sits farther left"
    )
    whole = due(dealer, "CS-3", 5)
    assert whole != due(dealer, "CS-3", 2)
    # No win after all: who comes next is paid what the first would have been.
    claim(page, "CS-3", 5).get_by_role("button", name="No win").click()
    say(page, Why_it_is_no_win="the ten is a nine")
    press_in_dialog(page, "It is no win")
    expect(claim(page, "CS-3", 5)).to_have_count(0)
    expect(claim(page, "CS-3", 2)).to_contain_text(whole)
    claim(page, "CS-3", 2).get_by_role("button", name="CONFIRM", exact=True).click()
    press_in_dialog(page, f"Confirm {whole}")
    for spot in (1, 3):
        here = claim(page, "CS-4", spot)
        here.get_by_role("button", name="CONFIRM", exact=True).click()
        press_in_dialog(page, f"Confirm {due(dealer, 'CS-4', spot)}")
        expect(here).to_have_count(0)
    expect(page.get_by_role("heading", name="No claim waits.")).to_be_visible()
    finish(house, "CS-3", "CS-4")


def test_the_cards_that_the_system_saw_stand_beside_the_claim(house: House) -> None:
    dealer = house.person("2001")
    ann, at = house.server.player("Ann", dealer), "tables/V-TCP"
    ann.order(f"{at}/sit-down", spot=2, player="Ann")
    ann.order(f"{at}/stack-deck", spot=2, cards="As Ks Qs")
    for wager, cents in (("ante", 500), ("progressive", 100)):
        ann.order(f"{at}/bet", spot=2, wager=wager, cents=cents)
    dealer.order(f"{at}/no-more-bets")
    dealer.order(f"{at}/lock-in")
    dealer.order(f"{at}/deal", packets=0)
    ann.order(f"{at}/act", spot=2, action="play")
    dealer.order(f"{at}/reveal")
    spot, hand = dealer.get(at)["play"]["unnamed"][0]
    dealer.order(f"{at}/name-win", spot=spot, hand=hand)
    page = house.open("/supervisor", SUPERVISOR)
    shown = claim(page, "V-TCP", 2).get_by_role("group", name="Cards of spot 2").get_by_role("img")
    for place, card in enumerate(("ace", "king", "queen")):
        expect(shown.nth(place)).to_have_attribute("aria-label", f"{card} of spades")
    expect(claim(page, "V-TCP", 2)).to_contain_text("The system saw:")
    claim(page, "V-TCP", 2).get_by_role("button", name="CONFIRM", exact=True).click()
    press_in_dialog(page, re.compile("Confirm"))
    while (step := dealer.get(at)["step"]) is not None:
        dealer.order(f"{at}/reconcile", spot=step["spot"])
    finish(house, "V-TCP")


def test_the_count_is_corrected_and_a_round_is_voided(house: House) -> None:
    dealer = house.person("2001")
    dealer.order("tables/TCP-1/lock-in", lit=[2, 3])
    page = house.open("/supervisor", SUPERVISOR)

    def progressive() -> dict[str, Any]:
        shown: dict[str, Any] = dealer.get("tables/TCP-1")["progressive"]
        return shown

    page.get_by_role("button", name="TCP-1").click()
    expect(page.get_by_role("button", name="Spot 3 is in", exact=True)).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Spot 5 is not in").click()
    page.get_by_role("dialog").get_by_label("What was wrong").fill("the sensor of spot 5 is dark")
    press_in_dialog(page, "Correct the count")
    assert progressive()["booked"] == [2, 3, 5]
    # After the first card the count stands: it is said, not offered.
    dealer.order("tables/TCP-1/first-card")
    page.get_by_role("button", name="TCP-1").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("the first card is out")
    before = progressive()["round"]
    dialog.get_by_role("button", name="Void the round").click()
    expect(page.get_by_label("Cause", exact=True)).to_be_focused()
    page.get_by_label("Cause", exact=True).fill("a hand had four cards")
    # TR-7: a card is out, so a second person presents a card; on a demonstration that is one press.
    page.get_by_role("dialog").get_by_role("button", name="Demo executive").click()
    expect(page.get_by_role("status").filter(has_text="is void")).to_have_text(
        f"Round {before} of table TCP-1 is void."
    )
    after = progressive()
    assert (after["round"], after["booked"]) == (before + 1, [])
    voided = house.person(MANAGER).get("journal", table="TCP-1", kind="void_round")["items"][0]
    assert "a hand had four cards" in voided["words"]


def test_what_two_people_put_right(house: House) -> None:
    """A win is undone, and a meter adjusted, by a manager and a second person; nobody does it alone."""
    dealer, executive = house.person("2001"), house.person(EXECUTIVE)
    dealer.order("tables/CS-3/lock-in", lit=[2])
    name_wins(dealer, "CS-3", royal_flush=2)
    win = executive.order("tables/CS-3/confirm", spot=2)["entry"]
    finish(house, "CS-3")
    page = house.open("/manager/wins", MANAGER)
    page.get_by_role("link", name=f"Open the win page of win {win}").click()
    page.get_by_role("link", name="Undo it by adjustment").click()
    expect(page.get_by_label("Number of the win")).to_have_value(str(win))
    expect(page.locator("form")).to_contain_text("royal flush, table CS-3")
    page.get_by_label("Reason").select_option(label="A malfunction or a recorded mistake is corrected")
    page.get_by_label("Explanation").fill("the hand was misread")
    page.get_by_role("button", name="Undo the win").click()
    expect(page.get_by_role("dialog")).to_contain_text(f"Win No. {win} is undone.")
    for alone in (MANAGER, SUPERVISOR):
        present(page, alone)
        expect(page.get_by_role("dialog").get_by_role("alert")).not_to_be_empty()
        expect(page.get_by_role("dialog").get_by_label("PIN")).to_have_value("")
    assert executive.get(f"wins/{win}")["undone"] is None
    present(page, EXECUTIVE)
    undone = page.get_by_role("article", name="Adjustment, entry").first
    expect(undone).to_contain_text("A win was undone")
    expect(undone).to_contain_text("the hand was misread")
    expect(undone).to_contain_text("by demo-manager, with demo-executive")
    held = executive.get("links/three-card")["meters"][0]["cents"]
    # A meter: what is typed is checked where it is typed; then it takes two again.
    page.get_by_role("button", name="Meter or reserve").click()
    page.get_by_label("Link").select_option(label="Ace King Queen of Spades")
    expect(page.locator("form")).to_contain_text(f"It holds {dollars(held)}")
    page.get_by_label("By how much, in dollars").fill("a little")
    page.get_by_label("Which way").select_option(label="rises")
    page.get_by_label("Reason").select_option(value="malfunction")
    page.get_by_label("Explanation").fill("ten coin-ins were not counted")
    page.get_by_role("button", name="Adjust", exact=True).click()
    expect(page.get_by_role("alert").filter(has_text="Enter an amount above nothing")).to_be_visible()
    page.get_by_label("By how much, in dollars").fill("1.30")
    page.get_by_role("button", name="Adjust", exact=True).click()
    present(page, AUDITOR)
    expect(page.get_by_role("status").filter(has_text="Done.")).to_contain_text("the meter rises by $1.30")
    assert executive.get("links/three-card")["meters"][0]["cents"] == held + 1_30
    # The win's own page tells it, and the books that only others may write in are read all the same.
    page.goto(f"{house.server.url}/manager/wins/{win}")
    expect(page.get_by_role("region", name="Undone")).to_contain_text("the hand was misread")
    reader = house.open("/manager/adjustments", EXECUTIVE)
    expect(reader.get_by_text("A manager makes an adjustment")).to_be_visible()
    expect(reader.get_by_role("article", name="Adjustment, entry").first).to_contain_text(
        "ten coin-ins were not counted"
    )


def test_a_late_win_and_a_transfer(house: House) -> None:
    dealer = house.person("2001")
    dealer.order("tables/CS-3/lock-in", lit=[2])
    played = dealer.get("tables/CS-3")["progressive"]["round"]
    dealer.order("tables/CS-3/close-round")
    page = house.open("/manager/adjustments?kind=pay_late_win", MANAGER, size=TABLET, dark=False)
    page.get_by_label("Table").select_option("CS-3")
    page.get_by_label("Round").fill(str(played))
    page.get_by_label("Spot").select_option("2")
    page.get_by_label("Hand").select_option(label="flush")
    page.get_by_label("Evidence").fill("recording of camera 4")
    page.get_by_role("button", name="Pay the late win").click()
    present(page, EXECUTIVE)
    expect(page.get_by_role("article", name="Adjustment, entry").first).to_contain_text("recording of camera 4")
    page.get_by_role("status").get_by_role("link", name="win No.").click()
    expect(page.get_by_text("paid late", exact=True)).to_be_visible()
    page.goto(f"{house.server.url}/manager/adjustments?kind=transfer")
    page.get_by_label("From link").select_option(label="Fortune Pai Gow")
    page.get_by_label("From meter").select_option("royal flush")
    page.get_by_label("To link").select_option(label="Ace King Queen of Spades")
    page.get_by_label("Authority").fill("Commission letter 7")
    page.get_by_label("Retire the meter").check()
    page.get_by_role("button", name="Transfer").last.click()
    present(page, AUDITOR)
    moved = page.get_by_role("article", name="Adjustment, entry").first
    expect(moved).to_contain_text("from Fortune Pai Gow · royal flush to Ace King Queen of Spades · main")
    meters = dealer.get("links/pai-gow")["meters"]
    assert [one["meter"] for one in meters if one["retired"]] == ["royal flush"]


def test_the_journal_is_read_page_by_page_and_searched(house: House) -> None:
    dealer = house.person("2001")
    for _ in range(14):
        dealer.order("tables/CS-4/light", spot=1)
        dealer.order("tables/CS-4/unlight", spot=1)
    page = house.open("/manager/journal", AUDITOR)
    entries = page.get_by_role("article")
    expect(entries).to_have_count(25)
    newest = int(house.person(AUDITOR).get("journal", limit=1)["items"][0]["entry"])
    expect(entries.first).to_have_attribute("aria-label", re.compile(rf"Entry ({newest}|{newest - 1})$"))
    page.get_by_role("button", name="Earlier entries").click()
    expect(entries.nth(25)).to_be_visible()
    page.get_by_label("Table").select_option("CS-4")
    page.get_by_role("button", name="Find").click()
    expect(entries.first).to_contain_text("table CS-4")
    page.get_by_label("Table").select_option("")
    page.get_by_label("Entry number").fill("1")
    page.get_by_role("button", name="Find").click()
    expect(entries).to_have_count(1)
    expect(entries).to_have_attribute("aria-current", "true")
    assert page.url.endswith("?entry=1")
    page.get_by_label("Entry number").fill("99999")
    page.get_by_role("button", name="Find").click()
    expect(page.get_by_role("alert").filter(has_text="the journal has the entries 1 to")).to_be_visible()
    page.get_by_role("button", name="Check the chain").click()
    expect(page.get_by_role("status").filter(has_text="the chain is whole")).to_be_visible()


def test_where_there_is_no_win_and_where_a_dealer_is_signed_in(house: House) -> None:
    page = house.open("/manager/wins?link=bad-beat", SUPERVISOR)
    expect(page.get_by_text("No win of that link and table is on record.")).to_be_visible()
    page.goto(f"{house.server.url}/manager/wins/1")
    expect(page.get_by_role("heading", name="No such win")).to_be_visible()
    # A dealer may look at the claims, and a supervisor confirms them there with his card.
    dealer = house.person("2001")
    dealer.order("tables/CS-3/lock-in", lit=[1])
    name_wins(dealer, "CS-3", flush=1)
    screen = house.open("/supervisor", "2001")
    claim(screen, "CS-3", 1).get_by_role("button", name="CONFIRM with a supervisor's card").click()
    present(screen, SUPERVISOR)
    expect(screen.get_by_role("article", name="Win ")).to_contain_text("confirmed: pay it")
    page.goto(f"{house.server.url}/manager/wins")
    expect(page.get_by_role("row").filter(has_text="CS-3").first).to_contain_text("$40.00")
    finish(house, "CS-3")
