"""Pictures of every page, at desktop and tablet size, from a demonstration floor in the middle of an evening.

    python tools/screenshots.py [--only NAME …]

They go to ``docs/pictures``. The floor is made for it and thrown away; nothing of it is drawn by hand.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

ROOT: Final = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.web.web_kit import Person, Server, make_floor  # noqa: E402

from houseway.games import Game, all_games  # noqa: E402
from houseway.manager.floor_file import demonstration_floor  # noqa: E402

PICTURES: Final = ROOT / "docs" / "pictures"
SIZES: Final = {"desktop": (1280, 800), "tablet": (1024, 768), "phone": (390, 844)}
SPOT: Final = 3
SEATS: Final = {
    table["game"]: table["id"]
    for table in reversed(tomllib.loads(demonstration_floor())["tables"])
    if table.get("kind") == "virtual"
}
"""The virtual table of each game, the first one."""
NEW_SEATS: Final = tuple(key for key, game in all_games().items() if game.has_public_rules)
"""Games from public rules: each has a picture of a seat."""
LAUNCH: Final = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")


class Shot(NamedTuple):
    """One page to be pictured."""

    name: str
    path: str
    card: str = ""
    player: str = ""
    before: Callable[[Page], None] | None = None
    sizes: tuple[str, ...] = ("desktop", "tablet")
    dark: bool = True


class Evening:
    """A floor with something going on: coin-in at several tables, a jackpot that waits, a win that was confirmed."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.dealer = server.sign_in("2001")
        self.supervisor = server.sign_in("3001")
        self.win = 0
        self.round_ = 0

    def play(self) -> None:
        for round_ in range(6):
            for table in ("CS-1", "CS-2", "TCP-1", "CS-3"):
                for spot in range(1, 3 + (round_ + len(table)) % 4):
                    self.dealer.order(f"tables/{table}/light", spot=spot)
                self.dealer.order(f"tables/{table}/lock-in")
                if (table, round_) == ("CS-2", 3):
                    self._won(table)
                if round_ < 5:
                    self.dealer.order(f"tables/{table}/close-round")
        self.dealer.order("tables/CS-1/first-card")
        self.dealer.order("tables/CS-1/name-win", spot=2, hand="straight_flush")
        self._virtual()

    def take_seats(self) -> None:
        """Ann at every game from public rules; a demonstration has tables for them."""
        for key in NEW_SEATS:
            game = all_games()[key]
            if game.shoe is None:
                self.take_seat(game)
            else:
                # Enough rounds for a road of results, or until Ann is asked.
                self.play_shoe(game, 100 if game.points else 31)

    def _won(self, table: str) -> None:
        self.dealer.order(f"tables/{table}/name-win", spot=1, hand="four_of_a_kind")
        self.supervisor.order(f"tables/{table}/arrive")
        console = self.dealer.get(f"tables/{table}")["console"]
        if console == "touch":
            self.win = int(self.supervisor.order(f"tables/{table}/confirm", spot=1)["entry"])
        else:
            self.win = int(self.supervisor.order(f"tables/{table}/j-pot", spot=1)["entry"])
            self.supervisor.order(f"tables/{table}/run")

    def _virtual(self) -> None:
        """Caribbean Stud, where Ann is to decide on her hand."""
        self.ann: Person = self.server.player("Ann", self.dealer)
        self.bob: Person = self.server.player("Bob", self.dealer)
        for person, name, spot, cards in (
            (self.ann, "Ann", 2, "As Ks Qs Js Ts"),
            (self.bob, "Bob", 4, "Kd Kh 9c 5s 2d"),
        ):
            table = "tables/V-CS"
            person.order(f"{table}/sit-down", spot=spot, player=name)
            person.order(f"{table}/bet", spot=spot, wager="ante", cents=2500)
            person.order(f"{table}/bet", spot=spot, wager="progressive", cents=100)
            person.order(f"{table}/stack-deck", spot=spot, cards=cards)
        self.dealer.order("tables/V-CS/no-more-bets")
        self.dealer.order("tables/V-CS/lock-in")
        self.dealer.order("tables/V-CS/deal", packets=0)

    def take_seat(self, game: Game) -> None:
        """At the virtual table of a game: Ann with a hand to be proud of, about to decide; after the first street where
        there are several.
        """
        here = f"tables/{SEATS[game.key]}"
        self.ann.order(f"{here}/sit-down", spot=SPOT, player="Ann")
        self._bet(here, game, 2500)
        if game.example_hands:
            self.ann.order(f"{here}/stack-deck", spot=SPOT, cards=next(iter(game.example_hands.values())))
        self._deal(here)
        while len(game.points) > 1 and not any(card != "??" for card in self.ann.get(here)["play"]["board"].split()):
            offers = [offer for offer in self.ann.get(here)["actions"] if not (offer["folds"] or offer["takes_back"])]
            for offer in offers[:1]:
                self.ann.order(f"{here}/act", spot=SPOT, action=offer["action"])
            self.dealer.order(f"{here}/reveal")

    def play_shoe(self, game: Game, rounds: int) -> None:
        """So many rounds from a shoe; the last one stays open, and so does one in which Ann is asked."""
        here = f"tables/{SEATS[game.key]}"
        self.ann.order(f"{here}/sit-down", spot=SPOT, player="Ann")
        for number in range(1, rounds + 1):
            self._bet(here, game, 2500)
            self._deal(here)
            while self.ann.get(here)["play"]["stage"] not in ("reconciling", "closing"):
                if self.ann.get(here)["actions"]:
                    return
                self.dealer.order(f"{here}/reveal")
            if number == rounds:
                return
            while self.dealer.get(here)["play"]["stage"] == "reconciling":
                self.dealer.order(f"{here}/reconcile")
            self.dealer.order(f"{here}/close-round")

    def _bet(self, here: str, game: Game, cents: int) -> None:
        for wager in first_wagers(game):
            self.ann.order(f"{here}/bet", spot=SPOT, wager=wager, cents=cents if wager in game.base else 2000)

    def _deal(self, here: str) -> None:
        self.dealer.order(f"{here}/no-more-bets")
        if self.dealer.get(here)["link"]:
            self.dealer.order(f"{here}/lock-in")
        self.dealer.order(f"{here}/deal", packets=0)


def first_wagers(game: Game) -> list[str]:
    """What is bet before the deal: everything required, else the first wager of the base game; and a side wager."""
    required = [wager.key for wager in game.wagers if wager.kind == "required"]
    together = game.wagers_together(game.defaults)
    sides = [wager.key for wager in game.wagers if wager.kind == "optional" and wager.key in together and wager.pays]
    base = required or [*game.base[:1]] or [*game.at_least_one[:1]]
    return [*base, *[side for side in sides if side not in base][:1]]


def shots(evening: Evening) -> Iterator[Shot]:
    """Every page."""
    yield Shot("sign-in", "/sign-in")
    yield Shot("floor", "/", "3001")
    yield Shot("floor-light", "/", "3001", sizes=("desktop",), dark=False)
    yield Shot("dealer-touch", "/table/CS-3", "2001")
    yield Shot("dealer-keypad", "/table/CS-1", "2001")
    yield Shot("dealer-virtual", "/table/V-CS", "2001")
    yield Shot("dealer-cards", "/table/PG-2", "2001")
    yield Shot("seat", "/seat/V-CS", player="Ann")
    for key in NEW_SEATS:
        yield Shot(f"seat-{key}", f"/seat/{SEATS[key]}", player="Ann", sizes=("tablet", "phone"))
    yield Shot("dealer-board", f"/table/{SEATS['ultimate-texas-holdem']}", "2001")
    yield Shot("dealer-shoe", f"/table/{SEATS['baccarat']}", "2001")
    yield Shot("supervisor", "/supervisor", "3001")
    yield Shot("manager", "/manager", "5001")
    yield Shot("wins", "/manager/wins", "5001")
    if evening.win:
        yield Shot("win", f"/manager/wins/{evening.win}", "5001")
    yield Shot("adjustments", "/manager/adjustments", "5001")
    yield Shot("reports", "/manager/reports", "5001")
    yield Shot("configuration", "/manager/configuration", "5001")
    yield Shot("staff", "/manager/staff", "5001")
    yield Shot("approvals", "/manager/approvals", "5001")
    yield Shot("journal", "/manager/journal", "6001")
    yield Shot("display", "/display/stud", "3001")
    yield Shot("display-levels", "/display/three-level", "3001")
    yield Shot("shuffler", "/shuffler/V-CS", "3001")
    yield Shot("verify", "/verify/PG-2", "3001")
    yield Shot("signage", "/sign/CS-1")


def take(browser: Browser, evening: Evening, shot: Shot, size: str) -> list[str]:
    """One picture; answers with what went wrong in the page."""
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if shot.dark else "light",
        reduced_motion="reduce",
        locale="en-US",
    )
    wrong: list[str] = []
    url = evening.server.url
    if shot.card:
        context.request.post(f"{url}/api/v1/session", data={"card": shot.card, "pin": "1234"})
    if shot.player:
        cookies = evening.ann.http.cookies.jar
        context.add_cookies([{"name": cookie.name, "value": cookie.value or "", "url": url} for cookie in cookies])
    page = context.new_page()
    page.on("pageerror", lambda error: wrong.append(f"{shot.name}: {error}"))
    page.goto(f"{url}{shot.path}")
    page.wait_for_timeout(1_200)
    if shot.before is not None:
        shot.before(page)
    page.screenshot(path=PICTURES / f"{shot.name}-{size}.png")
    context.close()
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=[], help="the names of single pictures")
    only = set(parser.parse_args().only)
    PICTURES.mkdir(exist_ok=True)
    chromium = shutil.which("chromium") or shutil.which("chromium-headless-shell")
    if chromium is None:
        print("Chromium is missing; apt-get install chromium")
        return 2
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        browser = playwright.chromium.launch(executable_path=chromium, args=list(LAUNCH))
        database = str(folder / "floor.db")
        server = Server(make_floor(folder, database, demonstration_floor()), database).start()
        evening = Evening(server)
        evening.play()
        evening.take_seats()
        for shot in shots(evening):
            for size in shot.sizes:
                if not only or shot.name in only:
                    wrong += take(browser, evening, shot, size)
                    print(f"{shot.name}-{size}.png")
        server.stop()
        browser.close()
    for one in wrong:
        print(one)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
