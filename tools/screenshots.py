"""Pictures of every page, at desktop and tablet size, from a demonstration floor in the middle of an evening.

    python tools/screenshots.py [--only NAME …]

They go to ``docs/pictures``. The floor is made for it and thrown away; nothing of it is drawn by hand.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

ROOT: Final = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.seat_floor import seat_floor, table_id  # noqa: E402
from tests.web.web_kit import Person, Server, make_floor  # noqa: E402

from houseway.games import Game, all_games  # noqa: E402

SEATS: Final = tuple(key for key, game in all_games().items() if game.has_public_rules and game.shoe is None)
"""Games that are not on the example floor and have no shoe: each has a picture of a seat."""
PICTURES: Final = ROOT / "docs" / "pictures"
SHOE_FLOOR: Final = ROOT / "tools" / "shoe_floor.toml"
SIZES: Final = {"desktop": (1280, 800), "tablet": (1024, 768)}
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
        """Caribbean Stud, where Ann is to decide on a hand that she was dealt."""
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

    def take_seats(self, games: Iterable[str]) -> None:
        """At the virtual table of each game: Ann with a hand to be proud of, about to decide."""
        for key in games:
            game = all_games()[key]
            table = f"tables/{table_id(game)}"
            self.ann.order(f"{table}/sit-down", spot=3, player="Ann")
            for wager in first_wagers(game):
                self.ann.order(f"{table}/bet", spot=3, wager=wager, cents=2500)
            if game.example_hands:
                cards = list(game.example_hands.values())[-1]
                self.ann.order(f"{table}/stack-deck", spot=3, cards=cards)
            self.dealer.order(f"{table}/no-more-bets")
            self.dealer.order(f"{table}/deal", packets=0)


def first_wagers(game: Game) -> list[str]:
    """What is bet before the deal: everything required, else the first wager of the base game; and a side wager."""
    required = [wager.key for wager in game.wagers if wager.kind == "required"]
    sides = [wager.key for wager in game.wagers if wager.kind == "optional" and wager.pays is not None]
    base = required or [game.base[0]]
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
    for key in SEATS:
        yield Shot(f"seat-{key}", f"/seat/{table_id(all_games()[key])}", player="Ann", sizes=("tablet",))
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


class ShoeEvening(Evening):
    """Two tables that deal from a shoe: baccarat after 31 rounds, and a spot of Casino War that is asked."""

    def play(self) -> None:
        self.ann = self.server.player("Ann", self.dealer)
        self._rounds("V-BA", {"banker": 2500, "tie": 500, "dragon_bonus_banker": 100}, 31)
        self._rounds("V-CW", {"bet": 2500, "tie": 500}, 100)

    def _rounds(self, table: str, wagers: dict[str, int], rounds: int) -> None:
        """So many rounds; the last one stays open, and so does one in which the player is asked."""
        here = f"tables/{table}"
        self.ann.order(f"{here}/sit-down", spot=2, player="Ann")
        for number in range(1, rounds + 1):
            for wager, cents in wagers.items():
                self.ann.order(f"{here}/bet", spot=2, wager=wager, cents=cents)
            self.dealer.order(f"{here}/no-more-bets")
            self.dealer.order(f"{here}/deal", packets=0)
            while self.ann.get(here)["play"]["stage"] not in ("reconciling", "closing"):
                if self.ann.get(here)["actions"]:
                    return
                self.dealer.order(f"{here}/reveal")
            if number == rounds:
                return
            while self.dealer.get(here)["play"]["stage"] == "reconciling":
                self.dealer.order(f"{here}/reconcile")
            self.dealer.order(f"{here}/close-round")


def shoe_shots() -> Iterator[Shot]:
    """The games that are dealt from a shoe."""
    yield Shot("seat-baccarat", "/seat/V-BA", player="Ann", sizes=("desktop",))
    yield Shot("seat-casino-war", "/seat/V-CW", player="Ann", sizes=("desktop",))


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
        shoes = {shot.name for shot in shoe_shots()}
        for kind, text in ((Evening, seat_floor(SEATS)), (ShoeEvening, SHOE_FLOOR.read_text("utf-8"))):
            if only and not (only & shoes if kind is ShoeEvening else only - shoes):
                continue
            place = folder / kind.__name__
            place.mkdir()
            database = str(place / "floor.db")
            server = Server(make_floor(place, database, text), database).start()
            evening = kind(server)
            evening.play()
            if kind is Evening:
                evening.take_seats(SEATS)
            for shot in shoe_shots() if kind is ShoeEvening else shots(evening):
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
