"""The screens that stand at a table: the verify display, the shuffler's screen, and the sign, which prints."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.pages.pages_kit import PHONE, TABLET, House
from tests.web.web_kit import Person, Server, make_floor

from houseway.manager.floor_file import example_floor

CARDS = 'kind = "cards"\npay_tables = { fortune = "1" }'
FLOOR = example_floor().replace(CARDS, CARDS.replace("cards", "virtual", 1))
"""The example floor, but that the shuffler of the pai gow table PG-2 is the system's own."""
HANDS = {
    0: "2c 3d 9h Ts Jc Qd",
    1: "As Kd 9c 7h 4d 2s",
    2: "Ac Ad Kh Ks 5c 5d",
    3: "Qs Qh 8c 6d 4c 3h",
}


@pytest.fixture
def pai_gow(tmp_path: Path, browser: Browser) -> Iterator[House]:
    database = str(tmp_path / "floor.db")
    server = Server(make_floor(tmp_path, database, FLOOR), database).start()
    made = House(server, browser)
    try:
        yield made
        made.check()
    finally:
        made.close()
        server.stop()


def seated(house: House, dealer: Person, table: str, spot: int, **wagers: int) -> Person:
    """A player who sits at a spot and has bet."""
    player = house.server.player(f"guest {spot}", dealer)
    player.order(f"tables/{table}/sit-down", spot=spot, player=f"guest {spot}")
    for wager, cents in wagers.items():
        player.order(f"tables/{table}/bet", spot=spot, wager=wager, cents=cents)
    return player


def dealt(house: House, dealer: Person, table: str, hands: dict[int, str], **wagers: int) -> dict[int, Person]:
    """A round with these cards, as a demonstration may have them, dealt and waiting for decisions; its players."""
    players = {spot: seated(house, dealer, table, spot, **wagers) for spot in hands if spot}
    for spot, cards in hands.items():
        players.get(spot, dealer).order(f"tables/{table}/stack-deck", spot=spot, cards=cards)
    dealer.order(f"tables/{table}/no-more-bets")
    dealer.order(f"tables/{table}/lock-in")
    dealer.order(f"tables/{table}/deal", packets=0)
    return players


def wide_enough(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "wider than the screen"


def test_the_verify_display_refuses_until_everybody_has_set_and_says_who_is_missing(pai_gow: House) -> None:
    dealer, table = pai_gow.person("2001"), "tables/PG-2"
    screens = [pai_gow.open("/verify/PG-2", "3001", size=size) for size in (TABLET, PHONE)]
    at_table = pai_gow.open("/verify/PG-2", "2001", size=TABLET)
    for screen in (*screens, at_table):
        expect(screen.get_by_text("no hands that are set lie on the table")).to_be_visible()
    players = dealt(pai_gow, dealer, "PG-2", HANDS, base=1000)
    everybody = (*screens, at_table)
    for screen in everybody:
        line, spots, hands = screen.get_by_role("status"), screen.get_by_role("listitem"), screen.get_by_role("article")
        expect(
            line.filter(has_text="the dealer is not shown yet: spots 1, 2 and 3 have not set (FL-6)")
        ).to_be_visible()
        expect(spots).to_have_text(["Spot 1 still sets", "Spot 2 still sets", "Spot 3 still sets"])
        expect(hands).to_have_count(0)
        wide_enough(screen)
    # The shuffler of this game shows where the deal began.
    start = dealer.get(table)["play"]["start"]
    assert 1 <= start <= 7
    shuffler = pai_gow.open("/shuffler/PG-2", "2001", size=PHONE)
    expect(shuffler.locator(".device-figure").filter(has_text="position")).to_have_text(f"start position: {start}")
    players[2].order(f"{table}/act", spot=2, action="house_way")
    for screen in everybody:
        expect(screen.get_by_text("spot 2 is not shown yet: spots 1 and 3 have not set (FL-6)")).to_be_visible()
        expect(screen.get_by_role("listitem")).to_have_text(
            ["Spot 1 still sets", "Spot 2 has chosen", "Spot 3 still sets"]
        )
    players[1].order(f"{table}/act", spot=1, action="low", card="Kd")
    for screen in everybody:
        expect(screen.get_by_text("spot 2 is not shown yet: spot 3 has not set (FL-6)")).to_be_visible()
        assert screen.get_by_role("article").count() == 0, "nothing is shown before its time"
    players[3].order(f"{table}/act", spot=3, action="low", card="8c")
    for screen in screens:
        shown = screen.get_by_role("article")
        expect(shown).to_have_count(1)
        expect(shown.get_by_role("heading")).to_have_text("Spot 2")
        # Of three pairs a card of the highest goes low.
        expect(shown.get_by_role("group", name="Low card").get_by_role("img", name="ace of")).to_have_count(1)
        expect(shown.get_by_role("group", name="High hand").get_by_role("img")).to_have_count(5)
        expect(screen.get_by_text("the dealer may be shown")).to_be_visible()
        wide_enough(screen)
    # The dealer sees no player's hand before the reveal.
    expect(at_table.get_by_text("the dealer may be shown")).to_be_visible()
    expect(at_table.get_by_role("article")).to_have_count(0)
    expect(at_table.get_by_text("everybody else when the dealer's hand is turned over")).to_be_visible()
    dealer.order(f"{table}/reveal")
    for screen in everybody:
        expect(screen.get_by_role("article").get_by_role("heading")).to_have_text(["Dealer", "Spot 2"])


def test_the_shufflers_screen_shows_its_mode_packets_and_the_cover_all_column(house: House) -> None:
    dealer = house.person("2001")
    stud, phone = (house.open("/shuffler/V-CS", "2001", size=size) for size in (TABLET, PHONE))
    figures = stud.locator(".device-figure")
    expect(stud.get_by_text("Caribbean Stud Poker Cover All")).to_be_visible()
    expect(figures).to_have_text(["packets out: 0"])
    for spot in (1, 2, 4):
        seated(house, dealer, "V-CS", spot, ante=500, cover_all=100)
    dealer.order("tables/V-CS/no-more-bets")
    dealer.order("tables/V-CS/lock-in")
    dealer.order("tables/V-CS/deal")
    expect(figures).to_have_text(["packets out: 1"])
    expect(stud.get_by_role("heading", name="Cover All pays")).to_have_count(0)
    dealer.order("tables/V-CS/deal", packets=0)
    expect(figures).to_have_text(["packets out: 4", "Cover All: 4 hands"])
    expect(stud.get_by_role("heading", name="Cover All pays, with 4 hands")).to_be_visible()
    expect(stud.get_by_role("row", name="royal flush")).to_have_text("royal flush250 to 1")
    expect(stud.get_by_text("the remaining cards are out")).to_be_visible()
    commitment = dealer.get("tables/V-CS")["play"]["commitment"]
    for screen in (stud, phone):
        expect(screen.get_by_text(commitment)).to_be_visible()
        wide_enough(screen)
    # A table of which the system sees no cards.
    other = house.open("/shuffler/CS-1", "2001")
    expect(other.get_by_text("its shuffler is not seen here")).to_be_visible()


def test_a_table_has_a_sign_that_prints(house: House) -> None:
    sign = house.open("/sign/V-CS")
    expect(sign.get_by_role("heading", level=1)).to_have_text("Caribbean Stud Poker")
    expect(sign.get_by_text("DEMONSTRATION: Caribbean Stud Poker has no real approval")).to_be_visible()
    expect(sign.get_by_role("row", name="Ante")).to_have_text("Ante$5.00$100.00")
    names = ["Limits", "Virtual Caribbean Stud Jackpot", "Bet", "Caribbean Stud Bonus", "Cover All", "Rules", "House"]
    headings = sign.get_by_role("heading", level=2)
    expect(headings).to_contain_text(names)
    expect(headings).to_have_count(len(names))
    bonus = sign.locator(".sign-table", has=sign.get_by_role("heading", name="Caribbean Stud Bonus"))
    expect(bonus.get_by_role("row", name="royal flush")).to_have_text("royal flush1000 to 1")
    expect(sign.get_by_text("Each spot folds, or makes a Bet of exactly twice its Ante.")).to_be_visible()
    expect(sign.get_by_text("100% of the meter")).to_be_visible()
    wide_enough(sign)
    # On paper: black on white from a dark room too, still marked, and without what can only be pressed.
    sign.emulate_media(media="print")
    expect(sign.get_by_role("button", name="Print")).to_be_hidden()
    expect(sign.get_by_role("banner").first).to_be_hidden()
    notice = sign.get_by_role("note").filter(has_text="no real approval")
    expect(notice).to_be_visible()
    expect(notice).to_have_css("color", "rgb(0, 0, 0)")
    expect(sign.locator("html")).to_have_css("background-color", "rgb(255, 255, 255)")
    paper = sign.pdf(format="Letter")
    assert paper.startswith(b"%PDF-")
    assert 1 <= paper.count(b"/Type /Page\n") <= 3
    small = house.open("/sign/CS-3", size=PHONE)
    expect(small.get_by_text("$25,000.00 since 2026-01-01")).to_be_visible()
    wide_enough(small)
    nowhere = house.open("/sign/NONE")
    expect(nowhere.get_by_role("main")).to_contain_text("there is no table 'NONE'")
