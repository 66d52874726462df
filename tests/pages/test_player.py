"""The player's seat: a whole round of every game, the dealer at one screen and the player at another."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from tests.pages.pages_kit import PHONE, TABLET, House
from tests.web.web_kit import Person, Server, make_floor

from houseway.cards import read_cards
from houseway.games import all_games
from houseway.manager.floor_file import example_floor
from houseway.web.text import page_text

FLOOR = (
    # The virtual Caribbean Stud table on a pay table with envy, beside the keypad tables' own.
    'pay_table = "CSTUD-15"'.join(example_floor().rsplit('pay_table = "CSTUD-01"', 1))
    + """
[[tables]]
id = "V-TWO"
game = "three-card-poker"
console = "touch"
spots = 7
kind = "virtual"
pay_tables = { designator = "TCP-01" }
options = { two_spots = true }
limits.ante = { min = "5.00", max = "100.00" }
limits.play = { min = "5.00", max = "100.00" }
limits.pair_plus = { min = "5.00", max = "50.00" }

[[tables]]
id = "V-SE1"
game = "straight-edge-1"
console = "keypad"
spots = 6
kind = "virtual"
pay_tables = { bonus = "1" }
options = { decision_timeout_seconds = 600 }
limits.ante = { min = "5.00", max = "100.00" }
limits.play = { min = "5.00", max = "100.00" }
limits.bonus = { min = "1.00", max = "25.00" }
limits.insurance = { min = "1.00", max = "25.00" }

[[tables]]
id = "V-SE2"
game = "straight-edge-2"
console = "touch"
spots = 6
kind = "virtual"
limits.ante = { min = "5.00", max = "100.00" }
limits.blind = { min = "5.00", max = "100.00" }
limits.play = { min = "10.00", max = "200.00" }

[[tables]]
id = "V-PG"
game = "six-card-pai-gow"
console = "touch"
spots = 6
kind = "virtual"
pay_tables = { fortune = "1" }
limits.base = { min = "10.00", max = "200.00" }
limits.double_down = { min = "10.00", max = "200.00" }
limits.fortune = { min = "1.00", max = "50.00" }
"""
)
ALL_PACKETS = page_text("en", "table")["deal_all"]
RANKS, SUITS = page_text("en", "seat")["ranks"], page_text("en", "seat")["suits"]
NOTHING = "2h 7d 9c 3c 4d"
"""The dealer has nothing at Caribbean Stud, and does not play."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder: Path = tmp_path_factory.mktemp("players")
    database = str(folder / "floor.db")
    running = Server(make_floor(folder, database, FLOOR), database).start()
    yield running
    running.stop()


@pytest.fixture
def house(server: Server, browser: Browser) -> Iterator[House]:
    """The same floor for all tests here; each plays at a table of its own."""
    made = House(server, browser)
    try:
        yield made
        made.check()
    finally:
        made.close()


class Dealing:
    """A dealer at his screen, with what he does there for a round."""

    def __init__(self, house: House, table: str) -> None:
        self.table = table
        self.api = house.person("2001")
        self.page = house.open(f"/table/{table}", card="2002", size=TABLET)

    @property
    def doc(self) -> dict[str, Any]:
        return self.api.get(f"tables/{self.table}")

    def press(self, words: str) -> None:
        """The big button, once it says this."""
        self.page.locator("#main-press", has_text=words).click()

    def stack(self, cards: str) -> None:
        """The dealer's own cards: those of a spot are for its player to choose (TR-8)."""
        self.api.order(f"tables/{self.table}/stack-deck", spot=0, cards=cards)

    def deal(self, lock_in: str = "") -> None:
        self.press("no more bets")
        if lock_in:
            self.press(lock_in)
        self.page.get_by_role("button", name=ALL_PACKETS).click()

    def reveal(self, *, folded: bool = False) -> None:
        """CS-5, TC-15: what a fold gives up is collected before the dealer's cards are turned over."""
        if folded:
            self.press("collect forfeits")
        self.press("turn over")

    def close(self, words: str) -> None:
        while self.doc["play"]["next_step"]:
            self.api.order(f"tables/{self.table}/reconcile")
        self.press(words)


def circle(player: Page, name: str) -> Locator:
    """A betting place on the felt."""
    return player.get_by_role("group", name="Your wagers").get_by_role("button", name=name)


def put(player: Page, wager: str, *amounts: str) -> None:
    """Chips on a place."""
    circle(player, wager).click()
    for amount in amounts:
        player.get_by_role("button", name=f"Add {amount}", exact=True).click()


def stack(player: Page, cards: str) -> None:
    """The player chooses the cards of the spot that the page shows."""
    player.get_by_role("button", name="DEMONSTRATION: choose my cards").click()
    dialog = player.get_by_role("dialog")
    for card in cards.split():
        dialog.get_by_role("button", name=f"{RANKS[card[0]]} of {SUITS[card[1]]}", exact=True).click()
    dialog.get_by_role("button", name="Deal me these").click()
    expect(dialog).to_have_count(0)


def lines(player: Page) -> dict[str, str]:
    """What every wager came to, as the player reads it."""
    rows = player.locator(".result-lines tbody tr")
    expect(rows.first).to_be_visible()
    found = {}
    for row in rows.all():
        label = row.locator("th").evaluate("cell => cell.firstChild.textContent")
        found[label] = row.locator("td").last.inner_text()
    return found


def net(player: Page) -> Locator:
    return player.locator(".result-figure")


def placed(dealing: Dealing, spot: int, wagers: dict[str, int]) -> None:
    """Wait until the table has them: what is put down is sent a moment later."""
    for _ in range(200):
        spots = {one["spot"]: one["wagers"] for one in dealing.doc["play"]["spots"]}
        if spots.get(spot, {}) == wagers:
            return
        dealing.page.wait_for_timeout(25)
    assert spots.get(spot, {}) == wagers


def test_three_card_poker_on_two_spots_and_the_deck_is_checked(house: House) -> None:
    """In by the guest form, a table from the list, both spots decided, the same again, and away."""
    dealing = Dealing(house, "V-TWO")
    ann = house.open("/seat")
    ann.get_by_label("Your name at the table").fill("Ann")
    ann.get_by_label("Your name at the table").press("Enter")
    table = ann.locator("article", has_text="V-TWO")
    table.get_by_role("button", name="Sit at spot 3").click()
    expect(ann.get_by_role("heading", name="Three Card Poker", level=1)).to_be_visible()
    put(ann, "Ante", "$5.00", "$5.00")
    put(ann, "Pair Plus", "$5.00")
    placed(dealing, 3, {"ante": 1000, "pair_plus": 500})
    stack(ann, "Kc Kd 4h")
    ann.get_by_role("button", name="Play spot 4 too").click()
    ann.get_by_role("button", name="Show spot 4").click()
    expect(ann.get_by_role("heading", name="Your spot 4")).to_be_visible()
    put(ann, "Ante", "$25.00")
    placed(dealing, 4, {"ante": 2500})
    expect(ann.locator(".tray-total")).to_have_text("In all $25.00")
    stack(ann, "9c 7d 2h")
    dealing.stack("Qs 8c 3d")
    expect(ann.get_by_text("DEMONSTRATION · chosen cards: the dealer, spot 3, spot 4")).to_be_visible()
    dealing.deal()
    ann.get_by_role("button", name="Fold").click()
    # The hand that still waits comes by itself.
    expect(ann.get_by_role("heading", name="Your spot 3")).to_be_visible()
    expect(ann.get_by_role("group", name="Your cards").get_by_role("img")).to_have_count(3)
    expect(ann.get_by_role("img", name="king of clubs")).to_be_visible()
    expect(ann.get_by_role("img", name="queen of spades")).to_have_count(0)
    ann.get_by_role("button", name=re.compile("Play.*adds \\$10.00 Play")).click()
    dealing.reveal(folded=True)
    expect(net(ann)).to_have_text(["+$25.00", "−$25.00"])
    assert "pair of kings beats" in ann.locator(".result-lines").first.inner_text()
    expect(ann.get_by_role("img", name="queen of spades")).to_be_visible()
    dealing.close("END GAME")
    # What came of the round stays while the next one is bet on.
    expect(ann.locator(".brief-figure")).to_have_text(["+$25.00", "−$25.00"])
    ann.get_by_role("button", name="Check this round").click()
    checked = ann.get_by_role("dialog")
    # The check hides nothing: where cards were chosen it does not call the deck a shuffled one.
    expect(checked).to_contain_text("The cards of this round were chosen.")
    expect(checked).to_contain_text("The house’s secret fits the lock that was published.")
    checked.get_by_text("The round, step by step").click()
    expect(checked.locator(".round-words li").first).to_be_visible()
    checked.get_by_role("button", name="Close").click()
    ann.get_by_role("button", name="Same as before").click()
    placed(dealing, 3, {"ante": 1000, "pair_plus": 500})
    expect(ann.locator(".result")).to_have_count(0)
    ann.get_by_role("button", name="Clear all").click()
    placed(dealing, 3, {})
    ann.get_by_role("button", name="Leave spot 3").click()
    ann.get_by_role("button", name="Leave the table").click()
    expect(ann.get_by_role("heading", name="Choose a table")).to_be_visible()
    assert dealing.doc["play"]["seats"] == {}


def in_with_the_progressive(dealing: Dealing, player: Page, spot: int) -> Page:
    player.get_by_role("button", name=f"Sit at spot {spot}").click()
    expect(player.get_by_role("button", name="Light the progressive")).to_be_disabled()
    put(player, "Ante", "$5.00", "$5.00")
    player.get_by_role("button", name="Light the progressive for $1.00").click()
    placed(dealing, spot, {"ante": 1000, "progressive": 100})
    expect(player.get_by_role("button", name="Progressive is lit")).to_have_attribute("aria-pressed", "true")
    return player


def test_caribbean_stud_with_a_progressive_win_envy_and_advice(house: House) -> None:
    """A royal flush: the claim, the supervisor, the confirmation; and the envy of the player beside."""
    dealing = Dealing(house, "V-CS")
    ann = in_with_the_progressive(dealing, house.open("/seat/V-CS", player="Ann CS"), 2)
    ben = in_with_the_progressive(dealing, house.open("/seat/V-CS", player="Ben CS", size=PHONE, dark=False), 5)
    ann.get_by_role("button", name="DEMONSTRATION: choose my cards").click()
    ann.get_by_role("button", name="Royal flush").click()
    ann.get_by_role("button", name="Deal me these").click()
    expect(ann.get_by_text("DEMONSTRATION · chosen cards: spot 2")).to_be_visible()
    dealing.stack(NOTHING)
    stack(ben, "Kc Kd 6h 8s Jc")
    dealing.deal("COIN IN")
    expect(ann.get_by_role("group", name="Cards of spot 5").get_by_role("img", name="card face down")).to_have_count(5)
    ann.get_by_role("switch", name="Advice").click()
    play = ann.get_by_role("button", name=re.compile("^Play"))
    expect(play).to_contain_text("Best")
    advice = {
        one["action"]: one
        for one in ann.evaluate("fetch('/api/v1/tables/V-CS/advice?spot=2').then(answer => answer.json())")["choices"]
    }
    expect(play).to_contain_text(f"exactly {advice['play']['exact']}")
    expect(ann.get_by_role("button", name=re.compile("^Fold"))).to_contain_text("−1.0000")
    # By the keyboard alone.
    play.focus()
    ann.keyboard.press("Enter")
    expect(ann.get_by_text("Waiting for spot 5.")).to_be_visible()
    ben.get_by_role("button", name=re.compile("^Play")).click()
    dealing.reveal()
    assert lines(ann) == {"Ante": "+$10.00", "Bet": "$0.00", "Progressive": "waiting"}
    expect(net(ann)).to_have_text("+$9.00")
    assert lines(ben) == {"Ante": "+$10.00", "Bet": "$0.00", "Progressive": "−$1.00"}
    # CS-7: the dealer does not qualify, so that one pass around the table settles ante and bet of both.
    while dealing.doc["play"]["next_step"]:
        dealing.api.order("tables/V-CS/reconcile")
    dealing.api.order("tables/V-CS/name-win", spot=2, hand="royal_flush")
    meter = dealing.doc["progressive"]["meters"]["main"]
    amount = f"${meter // 100:,}.{meter % 100:02}"
    won = ann.locator(".celebration")
    expect(won).to_contain_text("royal flush on spot 2")
    expect(won.locator(".win-amount")).to_have_text(amount)
    expect(won).to_contain_text("Waiting for the supervisor to confirm it.")
    expect(ben.locator(".celebration")).to_have_count(0)
    supervisor = house.person("3001")
    house.person("4001").order("tables/V-CS/j-pot", spot=2)
    supervisor.order("tables/V-CS/run")
    expect(won).to_contain_text("Confirmed. Congratulations!")
    total = meter - 100 + 1000
    expect(net(ann)).to_have_text(f"+${total // 100:,}.{total % 100:02}")
    expect(ben.locator(".celebration")).to_contain_text("Envy: spot 2 won, and you win $1,000.00.")
    expect(net(ben)).to_have_text("+$1,009.00")
    win = next(iter(dealing.doc["progressive"]["wins"]))["number"]
    house.person("8001").order("tables/V-CS/surveillance", win=win, player="Ann")
    dealing.close("GAME OVER")
    expect(ann.get_by_text("Place your bets.")).to_be_visible()
    expect(won).to_contain_text("Confirmed. Congratulations!")
    expect(ann.locator(".brief-figure")).to_have_text(f"+${total // 100:,}.{total % 100:02}")


def test_straight_edge_1_and_a_player_who_leaves_in_mid_round(house: House) -> None:
    dealing = Dealing(house, "V-SE1")
    ann, ben = house.open("/seat/V-SE1", player="Ann SE1"), house.open("/seat/V-SE1", player="Ben SE1", size=PHONE)
    for player, spot in ((ann, 1), (ben, 2)):
        player.get_by_role("button", name=f"Sit at spot {spot}").click()
        player.get_by_label("Amount on Ante").fill("12.50")
        player.get_by_label("Amount on Ante").press("Enter")
        placed(dealing, spot, {"ante": 1250})
    put(ann, "Bonus", "$1.00", "$1.00")
    placed(dealing, 1, {"ante": 1250, "bonus": 200})
    stack(ann, "9c 8d 7h 6s 5c Kd 2h")
    dealing.stack("As Qd 9h 7c 5d 3s 2c Ac")
    dealing.deal()
    expect(ann.get_by_role("timer")).to_contain_text("seconds left")
    ben.get_by_role("button", name="Leave the table").click()
    ben.get_by_role("button", name="Leave", exact=True).click()
    expect(ben.get_by_role("heading", name="Choose a table")).to_be_visible()
    ann.get_by_role("button", name=re.compile("^Play adds \\$12.50 Play")).click()
    expect(ann.get_by_text("All have decided. The dealer collects what folded hands give up.")).to_be_visible()
    dealing.reveal(folded=True)
    found = lines(ann)
    assert found.keys() == {"Ante", "Play", "Bonus"}
    assert all(value.startswith("+") for value in found.values()), found
    total = next(one for one in dealing.doc["totals"] if one["spot"] == 1)
    assert total["net_cents"] == total["returned_cents"] - (1250 + 1250 + 200)
    expect(net(ann)).to_have_text(f"+${total['net_cents'] // 100}.{total['net_cents'] % 100:02}")
    dealing.close("GAME OVER")
    expect(ann.get_by_text("Place your bets.")).to_be_visible()


def test_straight_edge_2_where_the_blind_matches_and_a_void_gives_all_back(house: House) -> None:
    dealing = Dealing(house, "V-SE2")
    ann = house.open("/seat/V-SE2", player="Ann SE2", size=TABLET)
    ann.get_by_role("button", name="Sit at spot 6").click()
    put(ann, "Ante", "$5.00", "$5.00")
    expect(circle(ann, "Blind")).to_contain_text("$10.00")
    placed(dealing, 6, {"ante": 1000, "blind": 1000})
    stack(ann, "9c 8d 7h 6s 5c Kd 2h")
    dealing.stack("As Qd 9h 7c 5d 3s 2c")
    dealing.deal()
    ann.get_by_role("button", name=re.compile("^Play adds \\$20.00 Play")).click()
    dealing.reveal()
    found = lines(ann)
    assert found["Ante"] == "+$10.00"
    assert found["Play"] == "+$20.00"
    assert found["Blind"].startswith("+")
    dealing.close("END GAME")
    ann.get_by_role("button", name="Same as before").click()
    placed(dealing, 6, {"ante": 1000, "blind": 1000})
    dealing.deal()
    expect(ann.get_by_text("Your turn.")).to_be_visible()
    house.person("3001").seconded("tables/V-SE2/void-round", cause="a card was exposed")
    expect(ann.get_by_text("Round 2 was voided: a card was exposed. Every wager goes back.")).to_be_visible()


def test_pai_gow_is_set_by_tapping_the_low_card_with_a_foul_warning_or_the_house_way(house: House) -> None:
    dealing = Dealing(house, "V-PG")
    ann = house.open("/seat/V-PG", player="Ann PG", size=TABLET)
    ben = house.open("/seat/V-PG", player="Ben PG", size=PHONE, dark=False)
    for player, spot in ((ann, 4), (ben, 5)):
        player.get_by_role("button", name=f"Sit at spot {spot}").click()
        put(player, "Base wager", "$25.00")
        placed(dealing, spot, {"base": 2500})
    stack(ann, "Ks Qd 9c 7h 4d 2s")
    stack(ben, "Kd Qh 9h 7s 4s 2h")
    dealing.stack("Ah Qc Jc 8d 5d 3s")
    dealing.deal()
    done = ann.get_by_role("button", name="Set my hand")
    expect(done).to_be_disabled()
    ann.get_by_role("button", name="king of spades as the low hand: fouls").click()
    expect(ann.get_by_text("This fouls.")).to_be_visible()
    expect(ann.get_by_role("button", name="Set it all the same")).to_be_enabled()
    ann.get_by_role("button", name="queen of diamonds as the low hand").click()
    expect(ann.get_by_text("This fouls.")).to_have_count(0)
    expect(ann.get_by_text("Low: queen of diamonds. High: king high.")).to_be_visible()
    ann.get_by_role("switch", name="Double down").click()
    done.click()
    expect(ann.get_by_role("heading", name="Your spot 4 · Set")).to_be_visible()
    ben.get_by_role("button", name="House way").click()
    expect(ben.get_by_role("heading", name="Your spot 5 · House way")).to_be_visible()
    dealing.reveal()
    # The dealer has no pair of eights: the double comes back.
    assert lines(ann) == {"Base wager": "−$25.00", "Double Down": "$0.00"}
    assert lines(ben) == {"Base wager": "−$25.00"}
    expect(net(ann)).to_have_text("−$25.00")
    expect(ann.get_by_role("group", name="Low hand").last.get_by_role("img")).to_have_count(1)
    dealing.close("END GAME")
    expect(ann.get_by_text("Place your bets.")).to_be_visible()


def test_a_press_ends_on_what_it_began_on_though_the_table_changes_meanwhile(house: House) -> None:
    dealer = house.person("2001")
    player = house.open("/seat/V-TCP", player="Eve", size=PHONE)
    player.get_by_role("button", name="Sit at spot 6").click()
    button = player.get_by_role("button", name="DEMONSTRATION: choose my cards")
    button.hover()
    player.mouse.down()
    # A line comes in above the button, which would move away from under the finger.
    another = house.server.player("Fay", dealer)
    another.order("tables/V-TCP/sit-down", spot=2, player="Fay")
    another.order("tables/V-TCP/stack-deck", spot=2, cards="As Ks Qs")
    sign = player.get_by_text("chosen cards: spot 2")
    player.wait_for_timeout(500)
    assert sign.count() == 0
    player.mouse.up()
    expect(player.get_by_role("dialog")).to_be_visible()
    expect(sign.first).to_be_attached()
    player.get_by_role("button", name="Close").click()
    another.order("tables/V-TCP/stack-deck", spot=2, cards="")
    another.order("tables/V-TCP/stand-up", spot=2)


def test_limits_are_told_beside_the_wager_and_the_progressive_closes_without_word(house: House) -> None:
    dealer = house.person("2001")
    code = dealer.order("players/admit", player="Cat")["code"]
    cat = house.open("/seat/V-TCP", size=PHONE)
    cat.get_by_label("The dealer's code, or your return code").fill("WRONG")
    cat.get_by_label("The dealer's code, or your return code").press("Enter")
    expect(cat.locator(".field-error", has_text="ask the dealer for a new one")).to_be_visible()
    cat.get_by_label("The dealer's code, or your return code").fill(code)
    cat.get_by_label("The dealer's code, or your return code").press("Enter")
    cat.get_by_role("button", name="Sit at spot 7").click()
    put(cat, "Ante", "$1.00")
    expect(cat.get_by_role("alert")).to_contain_text(["Ante: ante is $5.00 to $100.00 here"])
    assert dealer.get("tables/V-TCP")["play"]["spots"] == []
    expect(cat.get_by_role("button", name="Add $500.00", exact=True)).to_be_disabled()
    cat.get_by_label("Amount on Ante").fill("five")
    cat.get_by_label("Amount on Ante").press("Enter")
    expect(cat.get_by_text("That is no amount.")).to_be_visible()
    put(cat, "Ante", "$5.00")
    lamp = cat.get_by_role("button", name="Light the progressive for $1.00")
    expect(lamp).to_be_enabled()
    assert house.server.process is not None
    os.kill(house.server.process.pid, signal.SIGSTOP)
    try:
        expect(lamp).to_be_disabled()
        expect(cat.get_by_text("The progressive wager is closed until it is back.")).to_be_visible()
    finally:
        os.kill(house.server.process.pid, signal.SIGCONT)
    expect(lamp).to_be_enabled()
    # Staff do not play here, and a table that nobody has is said to be none.
    expect(house.open("/seat/V-TCP", card="2001").get_by_text("You are signed in as staff")).to_be_visible()
    expect(
        house.open("/seat/CS-1", player="Dan").get_by_text("There is no virtual table of that name.")
    ).to_be_visible()


@pytest.mark.parametrize("key", all_games())
def test_the_hands_to_choose_are_hands_of_the_game(key: str) -> None:
    game = all_games()[key]
    assert bool(game.example_hands) == bool(game.player_cards)
    for cards in game.example_hands.values():
        read = read_cards(cards)
        assert len(set(read)) == game.player_cards
        assert set(read) <= set(game.deck)


def test_totals_are_for_everybody_and_settings_for_the_player_alone(house: House) -> None:
    dealer = house.person("2001")
    ann: Person = house.server.player("Ann sums", dealer)
    table = "tables/V-PG"
    ann.order(f"{table}/sit-down", spot=1, player="Ann sums")
    ann.order(f"{table}/bet", spot=1, wager="fortune", cents=100)
    total = ann.get(table)["totals"][0]
    assert (total["staked_cents"], total["settled"]) == (100, False)
    assert total["lacks"] == "wagers.base: is missing; Base wager is required to be dealt in"
    ann.order(f"{table}/bet", spot=1, wager="base", cents=1000)
    assert ann.get(table)["totals"][0]["lacks"] == ""
    ann.order(f"{table}/stack-deck", spot=1, cards="Ks Qd 9c 7h 4d 2s")
    dealer.order(f"{table}/no-more-bets")
    dealer.order(f"{table}/deal", packets=0)
    offers = {one["action"]: one for one in ann.get(table)["actions"]}
    fouls = {one["low"]: one["fouls"] for one in offers["low"]["settings"]}
    assert fouls == {"Ks": True, "Qd": False, "9c": False, "7h": False, "4d": False, "2s": False}
    assert offers["low"]["settings"][1]["hand"] == "king high"
    assert offers["low"]["seconds_left"] is None
    assert dealer.get(table)["actions"] == []
    ann.order(f"{table}/act", spot=1, action="house_way")
    dealer.order(f"{table}/reveal")
    total = ann.get(table)["totals"][0]
    assert total["settled"]
    assert [one["wager"] for one in total["lines"]] == ["base", "fortune"]
    assert total["net_cents"] == sum(one["returned_cents"] - one["wagered_cents"] for one in total["lines"])
    # Another player is told the sums, and no reason: it would name a folded hand.
    others = house.server.player("Ben sums", dealer).get(table)["totals"][0]
    assert others == {**total, "lines": []}
