"""The dealer's table in a real browser: whole rounds on both skins, by one big button at one place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect
from tests.pages.pages_kit import TABLET, House
from tests.web.web_kit import Server, make_floor

UPRIGHT = (768, 1024)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[House]:
    """One floor for all: every test plays at tables of its own."""
    folder = tmp_path_factory.mktemp("dealer")
    server = Server(make_floor(folder, str(folder / "floor.db")), str(folder / "floor.db")).start()
    made = House(server, browser)
    yield made
    made.close()
    if server.process is not None:
        server.stop()


@pytest.fixture(autouse=True)
def nothing_wrong(house: House) -> Iterator[None]:
    yield
    house.check()


def table(house: House, name: str, card: str = "2001", size: tuple[int, int] = TABLET) -> Page:
    page = house.open(f"/table/{name}", card, size=size)
    expect(page.locator(".desk")).to_be_visible()
    return page


def main_press(page: Page, words: str, more: str = "") -> None:
    """Press the big button, once it says this."""
    button = page.locator("#main-press")
    expect(button).to_contain_text(words, ignore_case=True)
    if more:
        expect(button).to_contain_text(more, ignore_case=True)
    expect(button).to_be_enabled()
    button.click()


def spot(page: Page, number: int) -> Locator:
    return page.get_by_role("button", name=f"Spot {number}", exact=False).and_(page.locator(".spot"))


def present(page: Page, card: str, **fields: str) -> None:
    """Fill a question in, with somebody's card and PIN, and see it carried out."""
    dialog = page.locator("dialog[open]")
    for name, words in fields.items():
        dialog.locator(f"input[name={name}]").fill(words)
    dialog.get_by_label("Card").fill(card)
    dialog.get_by_label("PIN").fill("1234")
    dialog.get_by_role("button", name="Confirm").click()
    expect(dialog).to_have_count(0)


def no_scrolling(page: Page) -> None:
    """Nothing of the page is outside the screen, and nothing in its parts is hidden by scrolling."""
    hidden = page.evaluate(
        """() => ["html", "main", ".desk-panel", ".console", ".felt"].filter((name) => {
            const one = document.querySelector(name);
            return one.scrollHeight > one.clientHeight + 2 || one.scrollWidth > one.clientWidth + 2;
        })"""
    )
    assert hidden == []


def prompt(page: Page) -> Locator:
    return page.get_by_role("main").get_by_role("status")


def test_touch_round_with_two_winners(house: House) -> None:
    """From the sensors to END GAME; both winners are confirmed from the dealer's right, and envy is told."""
    page = table(house, "TCP-1")
    for number in (2, 4, 7):
        spot(page, number).click()
        expect(spot(page, number)).to_have_attribute("aria-pressed", "true")
    spot(page, 6).click()
    spot(page, 6).click()
    expect(spot(page, 6)).to_have_attribute("aria-pressed", "false")
    expect(page.get_by_text("3 lit")).to_be_visible()
    main_press(page, "START GAME")
    main_press(page, "First card")
    no_scrolling(page)

    spot(page, 3).click()
    expect(page.get_by_text("No progressive wager of this spot")).to_be_visible()
    hands = page.get_by_role("group", name="Hands of spot")
    spot(page, 4).click()
    hands.get_by_role("button", name="A K Q of spades").click()
    spot(page, 7).click()
    hands.get_by_role("button", name="three of a kind").click()
    spot(page, 7).click()
    hands.get_by_role("button", name="three of a kind", pressed=True).click()
    expect(page.locator(".claim-line")).to_have_count(1)
    spot(page, 7).click()
    hands.get_by_role("button", name="A K Q of spades").click()
    claims = page.get_by_role("list", name="Claims waiting").locator(".claim-line")
    expect(claims).to_have_count(2)
    expect(claims.nth(0)).to_contain_text("Spot 7")
    expect(claims.nth(0)).to_contain_text("$1,000.39")
    expect(claims.nth(1)).to_contain_text("waits: number 2 in line")
    expect(claims.nth(1).get_by_role("button", name="CONFIRM")).to_have_count(0)
    expect(page.get_by_text("Supervisor called at")).to_be_visible()
    no_scrolling(page)

    main_press(page, "CONFIRM", "Spot 7 · $1,000.39")
    dialog = page.locator("dialog[open]")
    dialog.get_by_label("Card").fill("2001")
    dialog.get_by_label("PIN").fill("1234")
    dialog.get_by_role("button", name="Confirm").click()
    expect(dialog.get_by_role("alert")).not_to_be_empty()
    present(page, "3001")
    expect(page.get_by_text("Supervisor here since")).to_be_visible()
    main_press(page, "CONFIRM", "Spot 4 · $1,000.03")
    present(page, "3001")
    expect(page.get_by_role("heading", name="Envy to be paid")).to_be_visible()
    expect(page.locator(".closing")).to_contain_text("Spot 2 $100.00 for the hand of spot 7")
    # PR-28: the lights are the record of the round.
    expect(page.locator(".spot.is-lit")).to_have_count(3)
    main_press(page, "END GAME", "round 1")
    expect(page.locator(".spot.is-lit")).to_have_count(0)
    expect(page.locator(".console")).to_contain_text("Round 2")


def test_sensor_taps_before_the_stream_answers(house: House) -> None:
    """Every tap is an order, also when the order before was carried out and no view has told of it yet."""
    page = house.open("/table/PG-1", "2001", size=TABLET)
    # No word comes from the stream, and no time passes in which the page would ask by itself.
    page.route("**/api/v1/stream*", lambda route: None)
    page.clock.install()
    page.reload()
    expect(page.locator(".desk")).to_be_visible()
    page.clock.pause_at(datetime.now() + timedelta(seconds=1))
    for command, pressed in (("light", "true"), ("unlight", "false"), ("light", "true"), ("unlight", "false")):
        with page.expect_response(f"**/tables/PG-1/{command}") as answered:
            spot(page, 2).click()
        assert answered.value.ok
        expect(spot(page, 2)).to_have_attribute("aria-pressed", pressed)
        shown = house.person("2002").get("tables/PG-1")["progressive"]["lit"]
        assert shown == ([2] if pressed == "true" else [])


def test_keypad_round(house: House) -> None:
    """The keypad's words and keys: COIN IN, a hand key, J-POT and RUN with the key, GAME OVER."""
    page = table(house, "CS-1")
    for number in (1, 3):
        spot(page, number).click()
    display = page.get_by_role("group", name="Display of the console")
    expect(display).to_contain_text("IN: 1 3")
    main_press(page, "COIN IN")
    expect(display).to_contain_text("locked in")
    keys = page.locator(".hand-keys")
    expect(keys.get_by_role("button", name="royal flush")).to_be_disabled()
    spot(page, 1).click()
    page.get_by_role("button", name="Fold", exact=True).click()
    expect(spot(page, 1)).to_contain_text("folded")
    spot(page, 3).click()
    keys.get_by_role("button", name="straight flush").click()
    expect(display).to_contain_text("SPOT 3 straight flush $1,000.14")
    spot(page, 3).click()
    keys.get_by_role("button", name="straight flush", pressed=True).click()
    expect(display).not_to_contain_text("straight flush")
    spot(page, 3).click()
    keys.get_by_role("button", name="royal flush").click()
    expect(display).to_contain_text("SPOT 3 royal flush $10,001.40")
    no_scrolling(page)
    main_press(page, "J-POT", "$10,001.40")
    present(page, "4001")
    expect(prompt(page)).to_contain_text("Turn the key back to RUN")
    main_press(page, "RUN")
    present(page, "3001")
    main_press(page, "Verify", "Spot 3")
    present(page, "8001", player="Ann Lee")
    expect(page.locator(".closing")).to_contain_text("verified")
    expect(page.locator(".closing")).to_contain_text("tax form")
    main_press(page, "GAME OVER")
    expect(display).to_contain_text("ROUND 2")
    expect(display).to_contain_text("IN: none")


def test_virtual_round(house: House) -> None:  # noqa: PLR0915  # one round, step by step
    """Packets by the green button, decisions of players on their own screens, every step with what to take or pay."""
    page = table(house, "V-TCP")
    api = house.person("2002")
    expect(page.locator("#main-press")).to_be_disabled()
    spot(page, 2).click()
    expect(page.get_by_text("on their own screens").first).to_be_visible()
    page.get_by_role("button", name="Give a code").click()
    dialog = page.locator("dialog[open]")
    dialog.get_by_label("Player's name").fill("Ann")
    dialog.get_by_role("button", name="Give a code").click()
    code = page.get_by_role("dialog", name="The player's code").locator(".code").inner_text()
    page.get_by_role("button", name="Close").last.click()
    ann = house.server.somebody()
    ann.welcomed(ann.http.post("/api/v1/session/player", json={"code": code}))
    ann.order("tables/V-TCP/sit-down", spot=2, player="Ann")
    bob = house.server.player("Bob", api)
    bob.order("tables/V-TCP/sit-down", spot=5, player="Bob")
    bob.order("tables/V-TCP/bet", spot=5, wager="ante", cents=1000)

    # TR-8: the dealer has no button to bet, or to choose cards, for a player.
    expect(page.get_by_role("group", name="Wagers")).to_have_count(0)
    expect(page.get_by_role("button", name="Choose its cards")).to_have_count(0)
    ann.order("tables/V-TCP/bet", spot=2, wager="ante", cents=3000)
    ann.order("tables/V-TCP/bet", spot=2, wager="progressive", cents=100)
    expect(spot(page, 2)).to_contain_text("$30")
    expect(spot(page, 2)).to_have_class(re.compile("is-lit"))
    ann.order("tables/V-TCP/stack-deck", spot=2, cards="As Ks Qs")
    expect(spot(page, 2)).to_contain_text("chosen")

    page.get_by_role("button", name="More …").click()
    page.get_by_role("button", name="choose the dealer's cards").click()
    page.keyboard.type("2d4h7c")
    page.keyboard.press("Enter")
    main_press(page, "No more bets")
    main_press(page, "START GAME")
    main_press(page, "Deal")
    expect(spot(page, 2).locator(".playing-card")).to_have_count(3)
    page.get_by_role("button", name="All packets").click()
    expect(page.locator("#main-press")).to_contain_text("for spot 2, 5")
    expect(page.locator("#main-press")).to_be_disabled()
    ann.order("tables/V-TCP/act", spot=2, action="play")
    bob.order("tables/V-TCP/act", spot=5, action="fold")
    # TC-15: what Bob gave up is collected before the dealer's hand is turned over.
    step = page.locator(".step")
    expect(step).to_contain_text("Spot 5: Ante")
    expect(step).to_contain_text("TAKE$10.00")
    main_press(page, "collect forfeits", "Spot 5")
    main_press(page, "Turn over")
    expect(prompt(page)).to_contain_text("dealer doesn't play")
    main_press(page, "A K Q of spades", "Spot 2")
    expect(step).to_contain_text("PAY$180.00")
    expect(step).to_contain_text("the dealer does not play")
    no_scrolling(page)
    main_press(page, "Done", "Spot 2")
    main_press(page, "CONFIRM", "Spot 2")
    present(page, "3001")
    main_press(page, "END GAME")
    expect(page.locator(".console")).to_contain_text("Round 2")


def test_real_cards_are_entered(house: House) -> None:
    """A pai gow round of real cards: typed and tapped, those seen greyed out, set by the low card."""
    page = table(house, "PG-2")
    for number, name in ((2, "Ann"), (5, "Bob")):
        spot(page, number).click()
        page.get_by_label("Player's name").fill(name)
        page.get_by_role("button", name="Seat", exact=True).click()
        page.get_by_role("button", name="Least $10.00").click()
        main_press(page, "Place", "$10.00")
        expect(spot(page, number)).to_contain_text("$10")
    page.get_by_role("button", name="Close").click()
    main_press(page, "No more bets")
    main_press(page, "START GAME")
    expect(prompt(page)).to_contain_text("nter the cards of spot 2, spot 5, the dealer")
    page.keyboard.type("askSqs")
    page.keyboard.press("Backspace")
    page.keyboard.type("Qs10sJs2d")
    expect(page.get_by_role("group", name="6 of 6 cards")).to_be_visible()
    no_scrolling(page)
    main_press(page, "Enter", "Spot 2: 6 of 6")
    expect(page.locator("#main-press")).to_contain_text("Spot 5: 0 of 6")
    expect(page.get_by_role("button", name="ace of spades: seen already")).to_be_disabled()
    page.keyboard.type("As")
    expect(page.locator(".desk-error")).to_contain_text("ace of spades: seen already")
    for card in ("joker", "ace of hearts", "nine of hearts", "nine of clubs", "four of clubs", "three of diamonds"):
        page.get_by_role("button", name=card, exact=True).click()
    main_press(page, "Enter", "Spot 5: 6 of 6")
    expect(page.locator("#main-press")).to_contain_text("Dealer: 0 of 6")
    page.keyboard.type("KdKhQd7h8d9s")
    main_press(page, "Enter", "Dealer: 6 of 6")
    page.get_by_role("button", name="two of diamonds low").click()
    page.get_by_role("button", name="Double down · +$10.00").click()
    no_scrolling(page)
    main_press(page, "Set", "Spot 2")
    main_press(page, "House way", "Spot 5")
    main_press(page, "Turn over")
    expect(page.locator(".step-figures")).to_contain_text("Spot 5")
    expect(page.locator(".step-lines")).to_contain_text("against pair of kings")
    main_press(page, "Done", "Spot 5")
    expect(page.locator(".step-figures")).to_contain_text("Spot 2")
    expect(page.locator(".step-lines")).to_contain_text("royal flush")
    main_press(page, "Done", "Spot 2")
    main_press(page, "END GAME")
    expect(page.locator(".console")).to_contain_text("Round 2")


def test_void_and_who_may(house: House) -> None:
    """A supervisor's card voids a round; who only looks on has no control; the shuffler's repair goes on record."""
    page = table(house, "CS-3", size=UPRIGHT)
    auditor = table(house, "CS-3", card="6001")
    for number in (1, 2):
        spot(page, number).click()
    expect(page.get_by_text("2 lit")).to_be_visible()
    main_press(page, "START GAME")
    no_scrolling(page)
    expect(auditor.locator(".spot.is-lit")).to_have_count(2)
    expect(auditor.get_by_text("You are looking on")).to_be_visible()
    expect(auditor.get_by_role("main").get_by_role("button")).to_have_count(0)

    page.get_by_role("button", name="More …").click()
    page.get_by_role("button", name="the shuffler is out of order").click()
    page.get_by_label("What happened").fill("A card is jammed")
    page.get_by_role("button", name="Confirm").click()
    expect(prompt(page)).to_contain_text("out of order")
    main_press(page, "follow the guide on the machine")
    page.get_by_role("button", name="resume play").click()
    expect(prompt(page)).to_contain_text("Locked in")

    page.get_by_role("button", name="More …").click()
    page.get_by_role("button", name="Void the round").click()
    page.get_by_role("button", name="A hand has the wrong number of cards").click()
    dialog = page.locator("dialog[open]")
    expect(dialog.get_by_label("Cause")).to_have_value("A hand has the wrong number of cards")
    present(page, "3001")
    expect(page.locator(".console")).to_contain_text("Round 2")
    expect(page.locator(".spot.is-lit")).to_have_count(0)

    # TR-7: once a card is out, a second person presents a card too; on a demonstration each is one press.
    spot(page, 1).click()
    main_press(page, "START GAME")
    house.person("2001").order("tables/CS-3/first-card")
    page.get_by_role("button", name="More …").click()
    page.get_by_role("button", name="Void the round").click()
    page.get_by_role("button", name="A hand has the wrong number of cards").click()
    expect(dialog).to_contain_text("First person: present your card.")
    dialog.get_by_role("button", name="Demo supervisor").click()
    expect(dialog).to_contain_text("Second person: present your card.")
    dialog.get_by_role("button", name="Demo executive").click()
    expect(page.locator(".console")).to_contain_text("Round 3")


def test_a_table_is_signed_over(house: House) -> None:
    """FL-24: the next dealer presents his card, and is the one signed in. A supervisor's own sign-in is his card."""
    page = table(house, "CS-4")
    page.get_by_role("button", name="More …").click()
    page.get_by_role("button", name="Sign the table over").click()
    dialog = page.locator("dialog[open]")
    expect(dialog).to_contain_text("Meter mega")
    dialog.get_by_label("Card").fill("2002")
    dialog.get_by_label("PIN").fill("1234")
    dialog.get_by_role("button", name="Take over").click()
    expect(page.get_by_text("Demo dealer two")).to_be_visible()
    spot(page, 2).click()
    main_press(page, "START GAME")
    expect(prompt(page)).to_contain_text("Locked in")
    spot(page, 2).click()
    page.get_by_role("button", name="full house").click()
    supervisor = table(house, "CS-4", card="3001")
    supervisor.get_by_role("button", name="Supervisor here").click()
    expect(page.get_by_text("Supervisor here since")).to_be_visible()
    main_press(supervisor, "CONFIRM", "Spot 2")
    expect(page.locator(".closing")).to_contain_text("Spot 2: full house")
    main_press(page, "END GAME")
    expect(page.locator(".console")).to_contain_text("Round 2")


def test_nobody_is_kept_out(house: House) -> None:
    """axe finds no serious violation, on the touch skin in a light room and on the keypad in a dark one."""
    for name, dark in (("PG-1", False), ("V-CS", True)):
        page = house.open(f"/table/{name}", "2001", size=TABLET, dark=dark)
        expect(page.locator("#main-press")).to_be_visible()
        spot(page, 1).click()
        found = Axe().run(page).response["violations"]
        assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []


def test_link_lost(house: House) -> None:
    """PR-38: without word from the Game Manager no sensor is lit and nothing is locked in; it opens again by itself."""
    page = table(house, "SE1-1")
    spot(page, 1).click()
    expect(page.locator("#main-press")).to_be_enabled()
    house.server.stop()
    expect(page.get_by_text("No word from the Game Manager")).to_be_visible()
    expect(page.locator("#main-press")).to_be_disabled()
    expect(spot(page, 2)).to_be_disabled()
    house.server.start()
    expect(page.locator("#main-press")).to_be_enabled()
    main_press(page, "COIN IN")
    expect(page.locator(".lcd")).to_contain_text("locked in")
    house.forgive()
