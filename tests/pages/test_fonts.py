"""Every page fits its screen, whatever font it gets: phone, tablet and desktop.

A fontconfig file gives each browser one family alone. All three are made from the DejaVu Sans that matplotlib brings,
so a new machine needs no fonts of its own. The floor has the longest names that it allows, and millions on its meters.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import matplotlib as mpl
import pytest
from fontTools import subset
from fontTools.ttLib import TTFont
from playwright.sync_api import Browser, Page, Playwright, expect
from tests.pages.pages_kit import OPTIONS, House, chromium
from tests.pages.test_every_page import CARDS, VISITS, address, settled
from tests.web.web_kit import Server, serving

from houseway.manager.access import LONGEST_NAME
from houseway.manager.floor_file import example_floor
from houseway.web import demonstration

FONTS = {"narrow": 0.7, "wide": 1.0, "very wide": 1.15}
"""How wide the letters are beside those of DejaVu Sans: Arial Narrow is at 0.7, Arial at 0.85. DejaVu Sans is the
widest font of an ordinary machine; beyond it words may break, but nothing may be cut off."""
ORDINARY = ("narrow", "wide")
SIZES = {
    "narrow": ((360, 740), (820, 1180), (1280, 800)),
    "wide": ((360, 740), (390, 844), (768, 1024), (820, 1180), (1280, 800)),
    "very wide": ((360, 740), (768, 1024), (1280, 800)),
}
"""Of the screens: width and height."""
LETTERS = (*range(0x20, 0x180), *range(0x2000, 0x2300), *range(0x2600, 0x2700))
ZERO = 0.636
"""How wide a nought is in DejaVu Sans, beside the size of the type."""
WRONG = Path(__file__).with_name("fits.js").read_text("utf-8")

PLAYER, OTHER = "Wilhelmina" * 4, f"{'Maximilianus' * 2} {'Wammensberger' * 2}"[:LONGEST_NAME]
assert len(PLAYER) == LONGEST_NAME


def long(table: str) -> str:
    """A table's id as long as one may be."""
    return f"{table}.{'Riverside' * 4}"[:32]


def floor_text() -> str:
    """The example floor under the longest names, with millions on its meters, and two more virtual tables."""
    text = example_floor() + MORE
    for was, now in (
        ("Riverside Card Room", "Riversidecardroom" * 4),
        ('"25,000.00"', '"25,000,000.00"'),
        ('"500,000.00"', '"98,765,432.10"'),
    ):
        assert was in text
        text = text.replace(was, now[:64])
    text = re.sub(r'seed = "[0-9,]+\.00"', 'seed = "9,876,543.21"', text)
    links = text.index("[[links]]")
    named = re.sub(r'name = "(.*)"', lambda found: f'name = "{(found[1].replace(" ", "") * 8)[:64]}"', text[links:])
    text = text[:links] + named
    for table in re.findall(r'^\[\[tables\]\]\nid = "(.*)"', text, re.MULTILINE):
        text = text.replace(f'"{table}"', f'"{long(table)}"')
    return text


MORE = """
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

[[tables]]
id = "V-SE"
game = "straight-edge-1"
console = "keypad"
spots = 6
kind = "virtual"
pay_tables = { bonus = "1" }
limits.ante = { min = "5.00", max = "100.00" }
limits.play = { min = "5.00", max = "100.00" }
limits.bonus = { min = "1.00", max = "25.00" }
limits.insurance = { min = "1.00", max = "25.00" }
"""


class View(NamedTuple):
    """A page as somebody has it before him, with what he pressed there."""

    path: str
    role: str
    at: str = ""
    presses: tuple[str, ...] = ()
    """Names of buttons, pressed one after the other."""


TABLES = re.findall(r'^\[\[tables\]\]\nid = "(.*)"', example_floor(), re.MULTILINE)
VIEWS = (
    *(
        View(one.path, one.role, one.at, (one.press,) if one.press else ())
        for one in VISITS
        if one.path != "/sign/{table}"
    ),
    *(View("/sign/{table}", "", table) for table in TABLES),
    View("/seat/{table}", "player", "V-SE", ("Ante",)),
    View("/seat/{table}", "player", "V-SE", ("choose my cards",)),
    View("/seat/{table}", "player", "V-PG"),
    View("/seat/{table}", "player", "V-TCP"),
    View("/seat/{table}", "player", "V-CS", ("Leave the table",)),
    View("/table/{table}", "dealer", "CS-1", ("Spot 2",)),
    View("/table/{table}", "dealer", "CS-3", ("Spot 2",)),
    View("/table/{table}", "dealer", "V-PG"),
    View("/table/{table}", "dealer", "V-SE", ("Spot 2",)),
    View("/table/{table}", "dealer", "V-SE", ("More …", "choose the dealer's cards")),
    View("/table/{table}", "dealer", "V-TCP"),
    View("/supervisor", "supervisor", presses=("J-POT",)),
    View("/supervisor", "supervisor", presses=("CS-3",)),
    View("/manager", "manager", presses=("Issue a token",)),
    View("/manager", "manager", presses=("Suspend",)),
    View("/manager/adjustments", "manager", presses=("Late win",)),
    View("/manager/adjustments", "manager", presses=("Transfer",)),
    View("/manager/configuration", "manager", presses=("Check",)),
    View("/verify/{table}", "supervisor", "V-PG"),
    View("/display/{link}", "supervisor", "virtual-three-card"),
)


class Evening:
    """A floor in the middle of an evening: claims that wait, a win, and rounds at every stage."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.dealer = server.sign_in("2001")
        self.supervisor = server.sign_in("3001")
        self.executive = server.sign_in("4001")
        self.player = server.player(PLAYER, self.dealer)
        self.other = server.player(OTHER, self.dealer)
        self.win = self.won = 0
        self._claims()
        self._cards()
        self._virtual()

    def seat(self, window: Page) -> None:
        """Make a window the player's."""
        jar = self.player.http.cookies.jar
        window.context.add_cookies(
            [{"name": one.name, "value": one.value or "", "url": self.server.url} for one in jar]
        )

    def jackpot(self) -> None:
        """One more spot of a table wins all that is on its meter."""
        self.won += 1
        self.order("SE1-1", "name-win", spot=self.won, hand="7")
        self.supervisor.order(f"tables/{long('SE1-1')}/arrive")
        self.executive.order(f"tables/{long('SE1-1')}/j-pot", spot=self.won)
        self.executive.order(f"tables/{long('SE1-1')}/run")

    def order(self, table: str, command: str, **body: object) -> dict[str, object]:
        return self.dealer.order(f"tables/{long(table)}/{command}", **body)

    def _claims(self) -> None:
        for table in ("CS-1", "CS-2", "CS-3", "SE1-1", "TCP-1"):
            self.order(table, "lock-in", lit=[1, 2, 3, 5])
        self.order("CS-2", "name-win", spot=1, hand="four_of_a_kind")
        self.supervisor.order(f"tables/{long('CS-2')}/arrive")
        self.win = int(self.supervisor.order(f"tables/{long('CS-2')}/j-pot", spot=1)["entry"])
        self.supervisor.order(f"tables/{long('CS-2')}/run")
        for table in ("CS-1", "CS-3"):
            self.order(table, "name-win", spot=2, hand="royal_flush")
            self.order(table, "name-win", spot=5, hand="straight_flush")

    def _cards(self) -> None:
        for spot, name in ((2, PLAYER), (5, OTHER)):
            self.order("PG-2", "sit-down", spot=spot, player=name)
            self.order("PG-2", "bet", spot=spot, wager="base", cents=20_000)
        self.order("PG-2", "no-more-bets")
        self.order("PG-2", "lock-in")

    def _virtual(self) -> None:
        self._bet("V-SE", {2: "", 4: ""}, ante=10_000, bonus=2_500)
        self._bet("V-CS", {2: "As Ks Qs Js Ts", 4: "Kd Kh 9c 5s 2d"}, ante=10_000, progressive=100)
        self._bet("V-PG", {0: "2c 3d 9h Ts Jc Qd", 2: "Ac Ad Kh Ks 5c 5d", 4: "Qs Qh 8c 6d 4c 3h"}, base=20_000)
        self._bet("V-TCP", {2: "As Ks Qs", 4: "Kd Kh 9c"}, ante=10_000, pair_plus=5_000, progressive=100)
        for table in ("V-CS", "V-PG", "V-TCP"):
            self.order(table, "no-more-bets")
            if table != "V-PG":
                self.order(table, "lock-in")
            self.order(table, "deal", packets=0)
        for spot, person in ((2, self.player), (4, self.other)):
            person.order(f"tables/{long('V-TCP')}/act", spot=spot, action="play")
        self.order("V-TCP", "reveal")

    def _bet(self, table: str, hands: dict[int, str], **wagers: int) -> None:
        for spot, cards in hands.items():
            person, name = (self.player, PLAYER) if spot == 2 else (self.other, OTHER)
            if spot:
                person.order(f"tables/{long(table)}/sit-down", spot=spot, player=name)
                for wager, cents in wagers.items():
                    person.order(f"tables/{long(table)}/bet", spot=spot, wager=wager, cents=cents)
            if cards:
                (person if spot else self.dealer).order(f"tables/{long(table)}/stack-deck", spot=spot, cards=cards)


def fonts(folder: Path, width: float) -> Path:
    """A fontconfig file that knows one family alone: DejaVu Sans, with letters so many times as wide."""
    ttf = Path(mpl.get_data_path()) / "fonts" / "ttf"
    for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"):
        font = TTFont(ttf / name)
        options = subset.Options(
            layout_features=[], hinting=False, drop_tables=["FFTM", "kern", "GPOS", "GSUB", "GDEF"]
        )
        reduced = subset.Subsetter(options)
        reduced.populate(unicodes=LETTERS)
        reduced.subset(font)
        for key in font.getGlyphOrder():
            glyph = font["glyf"][key]
            if glyph.isComposite():
                for part in glyph.components:
                    part.x = round(part.x * width)
            elif glyph.numberOfContours > 0:
                glyph.coordinates.scale((width, 1))
                glyph.coordinates.toInt()
            glyph.recalcBounds(font["glyf"])
            advance, bearing = font["hmtx"][key]
            font["hmtx"][key] = (round(advance * width), round(bearing * width))
        font.save(folder / name)
    file = folder / "fonts.conf"
    file.write_text(
        f"<fontconfig><dir>{folder}</dir><cachedir>{folder}/cache</cachedir></fontconfig>",
        "utf-8",
    )
    return file


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    staff = tuple(one._replace(name=f"{one.role}{PLAYER}"[:LONGEST_NAME]) for one in demonstration.STAFF)
    with (
        patch.object(demonstration, "STAFF", staff),
        serving(tmp_path_factory.mktemp("long-names"), text=floor_text()) as server,
    ):
        yield Evening(server)


@pytest.fixture(params=FONTS)
def font(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def browser(tmp_path: Path, playwright: Playwright, font: str) -> Iterator[Browser]:
    """A browser that has one font."""
    given = {"FONTCONFIG_FILE": str(fonts(tmp_path, FONTS[font]))}
    started = playwright.chromium.launch(executable_path=chromium(), args=list(OPTIONS), env={**os.environ, **given})
    yield started
    started.close()


def wrong(window: Page, font: str) -> Iterator[str]:
    """What does not fit at any size of the screen."""
    for width, height in SIZES[font]:
        window.set_viewport_size({"width": width, "height": height})
        for one in window.evaluate(WRONG, {"whole": font in ORDINARY}):
            yield f"{font} font, {width} px: {one}"


def looked_at(window: Page, view: View, font: str) -> Iterator[str]:
    settled(window)
    for press in view.presses:
        window.get_by_role("button", name=press).first.click()
    window.evaluate("() => document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    for one in wrong(window, font):
        yield f"{view.path} {view.at} {' '.join(view.presses)}: {one}"


def test_no_page_is_wider_than_its_screen(evening: Evening, browser: Browser, font: str) -> None:
    """Nor is anything on it cut off, out of reach, or written over something else."""
    house = House(evening.server, browser)
    windows: dict[str, Page] = {}
    found: list[str] = []
    # A narrow font changes nothing in a dialog or on a sign that fits with a wide one.
    views = {view.path: view for view in VIEWS if not view.presses}.values() if font == "narrow" else VIEWS
    for view in views:
        if view.role not in windows:
            windows[view.role] = house.open("/sign-in", CARDS.get(view.role, ""))
            if view.role == "player":
                evening.seat(windows[view.role])
        window, at = windows[view.role], view.at
        if "{table}" in view.path:
            at = long(at)
        window.goto(f"{evening.server.url}{address(view.path, at.replace('WIN', str(evening.win)))}")
        found += looked_at(window, view, font)
    wall = windows["supervisor"]
    wall.goto(f"{evening.server.url}/display/bad-beat")
    settled(wall)
    evening.jackpot()
    expect(wall.locator(".display-won")).to_be_visible()
    found += [f"a win on /display: {one}" for one in wrong(wall, font)]
    noughts = wall.evaluate("""() => {
      const pen = document.createElement("canvas").getContext("2d");
      pen.font = "100px sans-serif";
      return pen.measureText("0000000000").width;
    }""")
    house.close()
    assert noughts / 1000 == pytest.approx(ZERO * FONTS[font], rel=0.02), "the browser has another font"
    assert not found, "\n".join(found)
    house.check()


SPOILED = {
    "the page is 500 px wide; its widest element is main > p.broad": '<p class="broad">broad</p>',
    "is cut off by main > p.clipped": '<p class="clipped">clipped</p>',
    "main > a.off cannot be reached, the screen cuts it off": '<a class="off" href="/">off</a>',
    "main > button.small stands out of main > button.small": '<button class="small">small button</button>',
    'main > p.under "under" lies over main > p.over "over"': '<p class="under">under</p><p class="over">over</p>',
    'main > p.broken breaks a word: "broken"': '<p class="broken">broken</p>',
}
LOOKS = """* { margin: 0 }
.broad { width: 500px }
.clipped { width: 2em; overflow: hidden }
.off { position: absolute; left: -90px }
.small { width: 2em; white-space: nowrap }
.under { position: absolute; top: 90px }
.over { position: absolute; top: 92px }
.broken { width: 3ch; overflow-wrap: anywhere }
"""


@pytest.mark.parametrize("font", ["wide"], indirect=True)
def test_what_does_not_fit_is_found(browser: Browser, font: str) -> None:
    """Each fault by its own words; a page without one, and a table that scrolls by itself, are left alone."""
    window = browser.new_page()
    for words, spoiled in SPOILED.items():
        window.set_content(f"<style>{LOOKS}</style><main>{spoiled}</main>")
        said = list(wrong(window, font))
        assert said, spoiled
        assert words in said[0], said
    window.set_content("<main><p>good</p><div style='overflow: auto'><p style='width: 2000px'>wide</p></div></main>")
    assert list(wrong(window, font)) == []
