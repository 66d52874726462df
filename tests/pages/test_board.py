"""A game with a board and three decisions in a real browser: nothing on the pages knows it, everything is drawn from
what the game declares and the server offers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect
from tests.board_kit import board_floor, board_game
from tests.pages.pages_kit import TABLET, House
from tests.web.web_kit import serving_here

__all__ = ["board_game"]
PICTURES = Path("build/pictures")
WIDTHS = {360: 740, 768: 1024, 1280: 800}


@pytest.fixture
def house(tmp_path: Path, browser: Browser, board_game: object) -> Iterator[House]:
    with serving_here(tmp_path, text=board_floor()) as server:
        windows = House(server, browser)
        try:
            yield windows
            windows.check()
        finally:
            windows.close()


def press(page: Page, words: str, more: str = "") -> None:
    """The big button, once it says this."""
    button = page.locator("#main-press")
    expect(button).to_contain_text(words, ignore_case=True)
    expect(button).to_contain_text(more, ignore_case=True)
    expect(button).to_be_enabled()
    button.click()


def enter(page: Page, whose: str, cards: str) -> None:
    """Type cards, once the page asks for those of this place, and press the big button."""
    count = len(cards) // 2
    expect(page.locator("#main-press")).to_contain_text(f"{whose}: 0 of {count}", ignore_case=True)
    page.keyboard.type(cards)
    press(page, "Enter", f"{whose}: {count} of {count}")


def board(page: Page) -> Locator:
    return page.get_by_role("group", name="Board", exact=True)


def shown(page: Page, street: str, face_up: int) -> None:
    """The board as it lies: so many of its five cards are turned over."""
    expect(board(page)).to_contain_text(street, ignore_case=True)
    expect(board(page).get_by_role("img")).to_have_count(5)
    expect(board(page).get_by_role("img", name="card face down")).to_have_count(5 - face_up)


def choices(player: Page) -> list[str]:
    """The choices that a player has, as the buttons name them."""
    group = player.get_by_role("group", name="Your decision")
    expect(group).to_be_visible()
    return [" ".join(button.inner_text().split()) for button in group.get_by_role("button").all()]


def fits(page: Page, name: str) -> None:
    """At every width nothing sticks out, and what is pressed is large enough; a picture is kept of each."""
    before = page.viewport_size
    PICTURES.mkdir(parents=True, exist_ok=True)
    for width, height in WIDTHS.items():
        page.set_viewport_size({"width": width, "height": height})
        page.screenshot(path=PICTURES / f"{name}-{width}.png", full_page=True)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{name} at {width}: {wide} wide"
        outside = page.evaluate(
            """(width) => [...document.querySelectorAll(".board *, .dealer-place *, .felt-dealer *, .decide *")]
                .filter((one) => { const box = one.getBoundingClientRect(); return box.left < 0 || box.right > width; })
                .map((one) => one.outerHTML.slice(0, 80))""",
            width,
        )
        assert outside == [], (name, width)
        small = page.evaluate(
            """() => [...document.querySelectorAll(".decide button, #main-press")]
                .filter((one) => one.getBoundingClientRect().width < 44 || one.getBoundingClientRect().height < 44)
                .map((one) => one.innerText)"""
        )
        assert small == [], (name, width)
    assert before is not None
    page.set_viewport_size(before)


def sit(house: House, name: str, spot: int) -> Page:
    player = house.open("/seat/V-SUM", player=name)
    player.get_by_role("button", name=f"Sit at spot {spot}").click()
    expect(player.get_by_role("heading", name="Sum of Seven", level=1)).to_be_visible()
    for _ in range(2):
        player.get_by_role("button", name="Add $5.00", exact=True).click()
    expect(player.locator(".tray-total")).to_have_text("In all $10.00")
    return player


def test_three_streets_from_the_seat_and_from_the_dealers_side(house: House) -> None:
    dealer = house.open("/table/V-SUM", "2001", size=TABLET)
    ann, ben = sit(house, "Ann", 2), sit(house, "Ben", 5)
    ann.get_by_role("button", name="DEMONSTRATION: choose my cards").click()
    ann.get_by_role("button", name="Two aces").click()
    ann.get_by_role("button", name="Deal me these").click()
    ben.get_by_role("button", name="DEMONSTRATION: choose my cards").click()
    for card in ("two of clubs", "three of diamonds"):
        ben.get_by_role("dialog").get_by_role("button", name=card, exact=True).click()
    ben.get_by_role("button", name="Deal me these").click()
    expect(ben.get_by_role("dialog")).to_have_count(0)
    press(dealer, "no more bets")
    dealer.get_by_role("button", name="All packets").click()

    shown(ann, "Board", 0)
    shown(dealer, "Board", 0)
    assert choices(ann) == ["Check", "3x adds $30.00 Play", "4x adds $40.00 Play"]
    # The highest raise takes two high cards, which Ben has not.
    assert choices(ben) == ["Check", "3x adds $30.00 Play"]
    fits(ann, "seat-before-the-flop")
    expect(dealer.locator("#main-press")).to_be_disabled()
    expect(dealer.locator("#main-press")).to_contain_text("2, 5")
    ben.get_by_role("button", name=re.compile("^3x")).click()
    ann.get_by_role("button", name="Check").click()
    expect(ann.locator(".seat-prompt")).to_contain_text("The dealer turns over the next cards.")

    press(dealer, "turn over Flop")
    shown(ann, "Flop", 3)
    shown(dealer, "Flop", 3)
    expect(ann.locator(".seat-prompt")).to_contain_text("Flop: your turn.")
    assert choices(ann) == ["Check", "2x adds $20.00 Play"]
    expect(dealer.locator(".spot.at-5")).to_contain_text("3x")
    expect(dealer.locator(".spot.at-2")).to_contain_text("Check")
    expect(ben.locator(".seat-prompt")).to_contain_text("Waiting for spot 2")
    expect(ben.locator(".felt-spot", has_text="Ann")).to_contain_text("Check · …")
    fits(ann, "seat-flop")
    fits(dealer, "dealer-flop")
    answer = Axe().run(ann)
    assert answer.violations_count == 0, answer.generate_report()
    ann.get_by_role("button", name="Check").click()

    press(dealer, "turn over Turn and river")
    shown(ann, "Turn and river", 5)
    assert choices(ann) == ["1x adds $10.00 Play", "Fold"]
    fits(ann, "seat-river")
    ann.get_by_role("button", name=re.compile("^1x")).click()

    press(dealer, "turn over the dealer's cards")
    expect(ann.locator(".result-lines")).to_contain_text("Play")
    fits(ann, "seat-result")
    fits(dealer, "dealer-reconciling")
    press(dealer, "done", "spot 5")
    press(dealer, "done", "spot 2")
    press(dealer, "END GAME")
    expect(dealer.locator(".console")).to_contain_text("Round 2")


def test_the_deck_of_a_board_game_can_be_checked(house: House) -> None:
    dealer = house.open("/table/V-SUM", "2001", size=TABLET)
    ann = sit(house, "Ann", 4)
    press(dealer, "no more bets")
    dealer.get_by_role("button", name="All packets").click()
    ann.get_by_role("button", name=re.compile("^3x")).click()
    expect(ann.get_by_role("button", name="Play", exact=False)).to_have_count(0)
    expect(ann.locator(".place", has_text="Play")).to_contain_text("$30.00")
    expect(dealer.locator(".spot.at-4")).to_contain_text("$30")
    press(dealer, "turn over Flop")
    press(dealer, "turn over Turn and river")
    press(dealer, "turn over the dealer's cards")
    press(dealer, "done", "spot 4")
    press(dealer, "END GAME")
    ann.get_by_role("button", name="Check this round").click()
    dialog = ann.get_by_role("dialog")
    expect(dialog).to_contain_text("All in order.")
    expect(dialog).to_contain_text("Every packet came off the top of that deck")
    dialog.get_by_text("The details").click()
    expect(dialog.locator("dt", has_text="Board")).to_be_visible()


def test_real_cards_are_entered_street_by_street(house: House) -> None:
    page = house.open("/table/SUM-1", "2001", size=TABLET)
    spot = page.get_by_role("button", name="Spot 3", exact=False).and_(page.locator(".spot"))
    spot.click()
    page.get_by_label("Player's name").fill("Cleo")
    page.get_by_role("button", name="Seat", exact=True).click()
    page.get_by_role("button", name="Least $5.00").click()
    press(page, "Place", "$5.00")
    expect(spot).to_contain_text("$5")
    page.get_by_role("button", name="Close").click()
    press(page, "No more bets")
    enter(page, "Spot 3", "AsKs")
    enter(page, "Dealer", "2c3d")
    expect(page.get_by_role("button", name="4x · +$20.00")).to_be_visible()
    fits(page, "dealer-says-what-was-done")
    press(page, "Check", "Spot 3")
    expect(page.locator("#main-press")).to_contain_text("Flop: 0 of 3", ignore_case=True)
    expect(page.get_by_role("button", name="ace of spades: seen already")).to_be_disabled()
    fits(page, "dealer-enters-the-flop")
    enter(page, "Flop", "9c9d9h")
    shown(page, "Flop", 3)
    page.get_by_role("button", name="2x · +$10.00").click()
    # A spot that has raised is not asked any more: the rest of the board comes next.
    enter(page, "Turn and river", "4s5s")
    shown(page, "Turn and river", 5)
    press(page, "turn over the dealer's cards")
    expect(page.locator(".step-pay")).to_contain_text("$15.00")
    press(page, "done", "spot 3")
    press(page, "END GAME")
    expect(page.locator(".console")).to_contain_text("Round 2")


def test_a_supervisor_sees_the_board_and_what_the_spots_did(house: House) -> None:
    dealer = house.open("/table/V-SUM", "2001", size=TABLET)
    ann = sit(house, "Ann", 1)
    press(dealer, "no more bets")
    dealer.get_by_role("button", name="All packets").click()
    ann.get_by_role("button", name="Check").click()
    press(dealer, "turn over Flop")
    supervisor = house.open("/supervisor", "3001")
    supervisor.get_by_role("button", name=re.compile("V-SUM")).click()
    dialog = supervisor.get_by_role("dialog")
    shown(supervisor, "Flop", 3)
    expect(dialog).to_contain_text("Spot 1 · Ann: Check …")
