"""Screens of the games with a board or a shoe, on the demonstration floor: everything that matters is in sight."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.pages.pages_kit import DESKTOP, PHONE, TABLET, House
from tests.web.web_kit import Person, Server, make_floor

from houseway.manager.floor_file import demonstration_floor

SPOT = 3


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("demonstration")
    database = str(folder / "floor.db")
    server = Server(make_floor(folder, database, demonstration_floor()), database).start()
    house = House(server, browser)
    try:
        yield house
        house.check()
    finally:
        house.close()
        server.stop()


def bet_and_deal(player: Person, dealer: Person, table: str, wagers: dict[str, int]) -> None:
    for wager, cents in wagers.items():
        player.order(f"tables/{table}/bet", spot=SPOT, wager=wager, cents=cents)
    dealer.order(f"tables/{table}/no-more-bets")
    if dealer.get(f"tables/{table}")["link"]:
        dealer.order(f"tables/{table}/lock-in")
    dealer.order(f"tables/{table}/deal", packets=0)


def bottom_of(page: Page, selector: str) -> float:
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["y"] + box["height"]


def seat(house: House, player: Person, table: str, size: tuple[int, int]) -> Page:
    page = house.open("/sign-in", size=size)
    jar = player.http.cookies.jar
    page.context.add_cookies(
        [{"name": cookie.name, "value": cookie.value or "", "url": house.server.url} for cookie in jar]
    )
    page.goto(f"{house.server.url}/seat/{table}")
    expect(page.locator(".felt-mine")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{table} is wider than the screen"
    return page


def test_a_seat_at_a_board_shows_dealer_board_hand_and_wagers_at_once(room: House) -> None:
    """Three meters, the dealer's hand, five cards on the board, the own hand and its wagers: a tablet shows all."""
    dealer, table = room.person("2001"), "V-UTH"
    player = room.server.player("Ann", dealer)
    player.order(f"tables/{table}/sit-down", spot=SPOT, player="Ann")
    bet_and_deal(player, dealer, table, {"ante": 2500, "blind": 2500, "trips": 2000})
    player.order(f"tables/{table}/act", spot=SPOT, action="check")
    dealer.order(f"tables/{table}/reveal")
    for size in (DESKTOP, TABLET):
        page = seat(room, player, table, size)
        expect(page.locator(".board-street")).to_have_text("Flop")
        assert bottom_of(page, ".places") < size[1], "the wagers are below the screen"
    page = seat(room, player, table, PHONE)
    assert bottom_of(page, ".my-cards") < PHONE[1], "the own cards are below the screen"


def test_baccarat_shows_the_spot_before_the_roads_and_their_newest_results(room: House) -> None:
    dealer, table = room.person("2001"), "V-BA"
    player = room.server.player("Bea", dealer)
    player.order(f"tables/{table}/sit-down", spot=SPOT, player="Bea")
    path = f"tables/{table}"
    while True:
        bet_and_deal(player, dealer, table, {"player": 2000})
        while dealer.get(path)["play"]["stage"] not in ("reconciling", "closing"):
            dealer.order(f"{path}/reveal")
        columns = {cell["column"] for cell in dealer.get(path)["play"]["shoe"]["big_road"]}
        if len(columns) > 13:
            break
        while dealer.get(path)["play"]["stage"] == "reconciling":
            dealer.order(f"{path}/reconcile")
        dealer.order(f"{path}/close-round")
    page = seat(room, player, table, TABLET)
    assert bottom_of(page, ".places") < TABLET[1], "the wagers are below the screen"
    desk = room.open(f"/table/{table}", card="2001", size=TABLET)
    road = desk.locator(".road-window").last
    expect(road).to_be_visible()
    inside, outside = road.locator("svg").bounding_box(), road.bounding_box()
    assert inside is not None
    assert outside is not None
    assert inside["width"] > outside["width"], "the road is too short to tell"
    assert inside["x"] + inside["width"] <= outside["x"] + outside["width"] + 1, "the newest result is out of sight"
    # The name of a wager is whole on the dealer's spot.
    name = desk.locator(".spot-wagers .wager span").first
    assert name.evaluate("(element) => element.scrollWidth <= element.clientWidth + 1"), "the wager's name is cut off"


def test_a_sign_says_push_and_names_every_pay_table(room: House) -> None:
    stud = room.open("/sign/V-MS")
    expect(stud.get_by_role("heading", name="Base game")).to_be_visible()
    expect(stud.get_by_role("row", name="pair of sixes to tens")).to_have_text("pair of sixes to tenspush")
    baccarat = room.open("/sign/V-BA")
    expect(baccarat.get_by_role("heading", name="Dragon Bonus Pay table standard")).to_be_visible()
