"""The first five minutes: a guest, a dealer and an executive, with nothing to go by but what the pages say."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect
from tests.pages.pages_kit import TABLET, House

from houseway.web.demonstration import PIN

EXECUTIVE = "4001"
SURVEILLANCE = "8001"
TABLE = "V-CS"


def be(house: House, role: str, **more: tuple[int, int]) -> Page:
    """Somebody opens the house's address, is asked to sign in, and presses whom he wants to be."""
    window = house.open("/", **more)
    expect(window.get_by_role("heading", level=1)).to_have_text("Sign in")
    window.get_by_role("button", name=role, exact=True).click()
    expect(window.get_by_role("heading", name="Tables")).to_be_visible()
    return window


def come_in(house: House, name: str) -> Page:
    """A guest gives a name and is shown where he can sit."""
    window = house.open("/")
    guest = window.locator("section").filter(has_text="Guests of this demonstration")
    guest.get_by_label("Your name").fill(name)
    guest.get_by_role("button", name="Sign in").click()
    expect(window.get_by_role("heading", level=1)).to_have_text("Choose a table")
    return window


def press(window: Page, words: str) -> None:
    """A button, by how its words begin, as soon as it can be pressed."""
    window.get_by_role("button", name=re.compile(f"^{re.escape(words)}", re.IGNORECASE)).click()


def next_press(window: Page, words: str) -> None:
    """The dealer's big button, once it says this."""
    window.locator("#main-press", has_text=words).click()


def present(window: Page, card: str, **fields: str) -> None:
    """Fill in what a dialog asks for, with card and PIN."""
    dialog = window.get_by_role("dialog")
    for label, text in {**fields, "Card": card, "PIN": PIN}.items():
        dialog.get_by_label(label, exact=True).fill(text)
    dialog.get_by_role("button", name="Confirm", exact=True).click()
    expect(dialog).to_have_count(0)


def test_a_royal_flush_from_the_sign_in_to_the_journal(house: House, tmp_path: Path) -> None:  # noqa: PLR0915  # one path, step by step
    """Sit down, choose the cards, bet, play, win, have it confirmed, keep its page, and find it in the journal."""
    player = come_in(house, "Grace")
    table = player.get_by_role("article").filter(has_text=TABLE)
    meter = table.locator(".seat-meters dd").inner_text()
    table.get_by_role("button", name="Sit at spot 3").click()
    expect(player.get_by_role("heading", name="Your spot 3")).to_be_visible()
    press(player, "DEMONSTRATION: choose my cards")
    press(player, "Royal flush")
    press(player, "Deal me these")
    expect(player.get_by_role("main")).to_contain_text("DEMONSTRATION · chosen cards: spot 3")
    # A small one: what the Bet wins must not need surveillance too, whatever the dealer has.
    press(player, "Add $5.00")
    expect(player.get_by_role("button", name="Ante $5.00")).to_be_visible()
    press(player, "Light the progressive for $1.00")
    expect(player.get_by_role("status").first).to_have_text("Your bets are down. Change them until the call.")

    dealer = be(house, "dealer", size=TABLET)
    dealer.get_by_role("link", name=re.compile(f"^{TABLE}")).click()
    next_press(dealer, "No more bets")
    next_press(dealer, "COIN IN")
    press(dealer, "All packets")
    press(player, "Play")
    expect(player.get_by_role("main")).to_contain_text("Your spot 3 · Play")
    next_press(dealer, "Turn over")
    button = dealer.locator("#main-press")
    expect(button).to_contain_text(re.compile("royal flush|done"))
    # CS-7: where the dealer has no hand, the pass around the table comes first and leaves nothing else to reconcile.
    presses = ["Done", "royal flush"] if "done" in button.inner_text().lower() else ["royal flush", "Done"]
    for words in presses:
        next_press(dealer, words)
    expect(player.get_by_role("status").filter(has_text="Progressive!")).to_contain_text("Waiting for the supervisor")

    # The executive comes to the dealer's screen with card and PIN: to log it, and to adjust the meter.
    next_press(dealer, "J-POT")
    present(dealer, EXECUTIVE)
    next_press(dealer, "RUN")
    present(dealer, EXECUTIVE)
    next_press(dealer, "Verify")
    present(dealer, SURVEILLANCE, **{"Player's name": "Grace"})
    expect(player.get_by_role("status").filter(has_text="Progressive!")).to_contain_text("Confirmed. Congratulations!")
    next_press(dealer, "GAME OVER")
    expect(dealer.get_by_role("main")).to_contain_text("Place your bets")

    executive = be(house, "executive")
    executive.get_by_role("link", name="Wins").click()
    executive.get_by_role("link", name=re.compile("^Open the win page")).click()
    heading = executive.get_by_role("heading", level=1)
    expect(heading).to_have_text(re.compile(r"^Win page No\. \d+$"))
    number = heading.inner_text().split()[-1]
    page = executive.get_by_role("main")
    for words in ("royal flush · table V-CS, spot 3", "Demo surveillance", "Demo executive", "Demo dealer"):
        expect(page).to_contain_text(words, ignore_case=True)
    # The jackpot was what the player had been shown, and seventy cents of his own dollar.
    won = executive.get_by_role("region", name="What was won")
    before = executive.get_by_role("region", name="Meter before and after")
    assert meter == "$10,000.00"
    expect(won).to_contain_text("$10,000.70")
    expect(before).to_contain_text("$10,000.70")
    with executive.expect_download() as waiting:
        executive.get_by_role("link", name="PDF").click()
    waiting.value.save_as(tmp_path / "win.pdf")
    assert (tmp_path / "win.pdf").read_bytes().startswith(b"%PDF-")
    executive.get_by_role("link", name="Find it in the journal").click()
    entry = executive.get_by_role("article", name=f"Entry {number}", exact=True)
    expect(entry).to_contain_text(f"Win {number} was logged")
    expect(entry.get_by_role("link", name=f"To win page No. {number}")).to_be_visible()
