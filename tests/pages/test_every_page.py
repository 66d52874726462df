"""What holds for every page: it can be read, heard and used without a mouse, and opens for nobody else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect
from playwright.sync_api import Page as Window
from tests.pages.pages_kit import House
from tests.web.web_kit import serving
from tools.screenshots import Evening

from houseway.manager.floor_file import example_floor
from houseway.manager.permissions import MAY_READ
from houseway.web.demonstration import FIRST
from houseway.web.demonstration import STAFF as OTHERS
from houseway.web.pages import PAGES

MOST_BYTES = 150_000
"""Of everything that the first page loads."""
FIRST_PAGES = ("/", "/sign-in")
MOST_TABS = 300
PATIENCE = 15_000
"""Milliseconds, for a machine that is busy."""
GRAVE = frozenset({"serious", "critical"})
CARDS: dict[str, str] = {one.role: one.card for one in (FIRST, *OTHERS)}
AXE = Axe()

LOADED = """() => ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
  .reduce((sum, one) => sum + one.decodedBodySize, 0)"""
SCRIPT = """() => {
window.tabbed = new Set();
let last = null;
window.nameOf = (one) => {
  const words = one.getAttribute("aria-label") || one.textContent || one.name;
  return `${one.tagName} ${words.trim().slice(0, 40)}`;
};
window.focused = () => {
  const on = document.activeElement;
  // In a field for a date Tab goes from the month to the day to the year.
  if (on === last && on !== document.body) return "";
  last = on;
  if (on === document.body) return "outside";
  if (tabbed.has(on)) return "again";
  tabbed.add(on);
  const look = getComputedStyle(on), box = on.getBoundingClientRect();
  const wide = box.width > 1 && box.right > 0 && box.left < innerWidth;
  const high = box.height > 1 && box.bottom > 0 && box.top < innerHeight;
  return wide && high && look.outlineStyle !== "none" && parseFloat(look.outlineWidth) >= 2 ? "" : nameOf(on);
};
const CONTROLS = "a[href], button, input, select, textarea, summary, [tabindex='0']";
window.missed = () => [...document.querySelectorAll(CONTROLS)]
  .filter((one) => !one.disabled && one.tabIndex >= 0 && one.checkVisibility({ visibilityProperty: true }))
  .filter((one) => !tabbed.has(one) && !(one.type === "radio" && [...tabbed].some((other) => other.name === one.name)))
  .map(nameOf);
}"""
"""Follows the focus: which element has it, whether it is seen there, and which never had it."""


class Visit(NamedTuple):
    """A page as somebody opens it who may, on a floor where something is going on."""

    path: str
    """As it stands in the list of pages."""
    role: str
    """A member of staff, ``player`` for Ann, who is in the middle of a hand, or nobody."""
    at: str = ""
    """Of the names in the path, those that are meant."""
    press: str = ""
    """A press that opens a dialog, which is then looked at."""


VISITS = (
    Visit("/sign-in", ""),
    Visit("/", "supervisor"),
    Visit("/table/{table}", "dealer", "CS-3"),
    Visit("/table/{table}", "dealer", "CS-1"),
    Visit("/table/{table}", "dealer", "V-CS", press="More …"),
    Visit("/table/{table}", "dealer", "PG-2"),
    Visit("/table/{table}", "auditor", "TCP-1"),
    Visit("/seat", ""),
    Visit("/seat", "player"),
    Visit("/seat/{table}", "player", "V-CS"),
    Visit("/supervisor", "supervisor"),
    Visit("/supervisor", "executive", press="No win"),
    Visit("/surveillance", "surveillance"),
    Visit("/manager", "manager"),
    Visit("/manager/wins", "auditor"),
    Visit("/manager/wins/{win}", "manager", "WIN"),
    Visit("/manager/adjustments", "manager"),
    Visit("/manager/reports", "executive"),
    Visit("/manager/configuration", "manager"),
    Visit("/manager/staff", "manager"),
    Visit("/manager/approvals", "technician"),
    Visit("/manager/journal", "auditor"),
    Visit("/display/{link}", "supervisor", "stud"),
    Visit("/display/{link}", "supervisor", "three-level"),
    Visit("/verify/{table}", "supervisor", "PG-2"),
    Visit("/shuffler/{table}", "supervisor", "V-CS"),
    Visit("/sign/{table}", "", "CS-1"),
)


def address(path: str, meant: str = "") -> str:
    """A page's address: the name in its path replaced by the one that is meant."""
    return f"{path.partition('{')[0]}{meant}" if "{" in path else path


def settled(window: Window) -> None:
    """Wait until the page shows what it has to say."""
    expect(window.locator("main h1")).to_have_count(1, timeout=PATIENCE)
    expect(window.locator("main .loading:visible")).to_have_count(0, timeout=PATIENCE)


def violations(window: Window, *only: str) -> list[str]:
    """What axe finds that keeps somebody from using the page."""
    options: dict[str, Any] = {"resultTypes": ["violations"], **({"runOnly": list(only)} if only else {})}
    if not window.evaluate("() => 'axe' in window"):
        window.evaluate(AXE.axe_script)
    found = window.evaluate("async (options) => (await axe.run(options)).violations", options)
    return [
        f"{one['impact']}: {one['id']}: {node['html'][:160]}"
        for one in found
        if one["impact"] in GRAVE
        for node in one["nodes"][:5]
    ]


def tabbed(window: Window) -> list[str]:
    """Go through the page with the Tab key; what was focused without being seen, and what cannot be reached."""
    window.evaluate(SCRIPT)
    wrong, outside = [], 0
    for _ in range(MOST_TABS):
        window.keyboard.press("Tab")
        found = window.evaluate("focused()")
        # Once out of the page and in again from its beginning: a page may put the focus into its middle.
        outside += found == "outside"
        if found == "again" or outside == 2:
            break
        if found not in ("", "outside"):
            wrong.append(f"the focus is not seen on {found}")
    return wrong + [f"Tab does not reach {one}" for one in window.evaluate("missed()")]


def seated(house: House, evening: Evening) -> Window:
    """A window of Ann's, who sits at a table already."""
    window = house.open("/sign-in")
    cookies = [{"name": one.name, "value": one.value, "url": house.server.url} for one in evening.ann.http.cookies.jar]
    window.context.add_cookies(cookies)  # type: ignore[arg-type]
    return window


def looked_at(window: Window, visit: Visit) -> Iterator[str]:
    """Everything that is wrong with a page."""
    settled(window)
    if not re.fullmatch(r"\S.* · \S.*", window.title()):
        yield f"its title is {window.title()!r}"
    if window.locator("html").get_attribute("lang") != "en":
        yield "it does not say its language"
    if window.locator("h1").count() != 1:
        yield "it has not one heading of the first level"
    loaded = window.evaluate(LOADED)
    if not 0 < loaded < (MOST_BYTES if visit.path in FIRST_PAGES else 2 * MOST_BYTES):
        yield f"it loads {loaded:,} bytes"
    yield from tabbed(window)
    if visit.press:
        window.get_by_role("button", name=visit.press).first.click()
        expect(window.get_by_role("dialog")).to_be_visible()
    yield from violations(window)
    window.emulate_media(color_scheme="light")
    # Only the colours have changed.
    yield from violations(window, "color-contrast")


def test_every_page_is_visited() -> None:
    assert {one.path for one in VISITS} == {one.path for one in PAGES}


@pytest.mark.parametrize("visits", [VISITS[:9], VISITS[9:18], VISITS[18:]], ids=lambda some: some[0].path)
def test_every_page_can_be_read_heard_and_used_by_keyboard(house: House, visits: Sequence[Visit]) -> None:
    """In the dark and in the light, on a floor in the middle of an evening; nothing else than the house is asked."""
    evening = Evening(house.server)
    evening.play()
    windows = {"player": seated(house, evening)}
    wrong = []
    for visit in visits:
        if visit.role not in windows:
            windows[visit.role] = house.open("/sign-in", CARDS.get(visit.role, ""))
        window = windows[visit.role]
        window.emulate_media(color_scheme="dark")
        window.goto(f"{house.server.url}{address(visit.path, visit.at.replace('WIN', str(evening.win)))}")
        wrong += [f"{visit.path} {visit.at} {visit.role}: {one}" for one in looked_at(window, visit)]
    assert wrong == []


SPOILED = """<!doctype html><html lang="en"><title>Spoiled</title><main><h1>Spoiled</h1>
<button></button>
<button style="color: #777777; background: #666666">grey</button>
<button style="outline: none">hidden</button>
<button onfocus="this.blur()">shy</button>
<button style="outline: 3px solid; background: #ffffff; color: #000000">good</button></main></html>"""


def test_what_is_wrong_with_a_page_is_found(browser: Browser) -> None:
    """A button without words, grey on grey, a focus that cannot be seen, and a control that Tab passes by."""
    window = browser.new_page()
    window.set_content(SPOILED)
    stops, found = tabbed(window), violations(window)
    window.close()
    assert "the focus is not seen on BUTTON hidden" in stops
    assert "Tab does not reach BUTTON shy" in stops
    assert not any("good" in one for one in stops)
    assert {one.split(": ")[1] for one in found} == {"button-name", "color-contrast"}


def test_a_page_opens_for_who_may_and_for_nobody_else(house: House) -> None:
    """Nobody is sent to sign in, and comes back to where he wanted to go; who may not is told so."""
    server = house.server
    dealer, manager, nobody = server.sign_in(CARDS["dealer"]), server.sign_in(CARDS["manager"]), server.somebody()
    display = server.somebody()
    issued = manager.order("devices/issue-device", device="wall", right="display", subject="stud")
    display.http.headers["Authorization"] = f"Bearer {issued['token']}"
    people = {"dealer": dealer, "manager": manager, "player": server.player("Ann", dealer), "display": display}
    for role in ("supervisor", "executive", "auditor", "technician", "surveillance"):
        people[role] = server.sign_in(CARDS[role])
    for page in PAGES:
        path = address(page.path, "stud" if "link" in page.path else "1" if "win" in page.path else "CS-1")
        answer = nobody.http.get(path)
        if page.may:
            assert (answer.status_code, answer.headers["location"]) == (303, f"/sign-in?next={path}")
        else:
            assert answer.status_code == 200, path
        for reader, person in people.items():
            answer = person.http.get(path)
            may = not page.may or reader in MAY_READ[page.may]
            assert answer.status_code == (200 if may else 403), (reader, path)
            assert ("<h1>Not for you</h1>" in answer.text) is not may
        refused = [reader for reader in people if page.may and reader not in MAY_READ[page.may]]
        assert bool(refused) is bool(page.may), path
    window = house.open("/manager/journal", CARDS["dealer"])
    settled(window)
    expect(window.get_by_role("heading", level=1)).to_have_text("Not for you")
    expect(window.locator("#toast")).to_be_empty()
    assert [*tabbed(window), *violations(window)] == []
    window.get_by_role("button", name="Sign out").click()
    window.wait_for_url("**/sign-in")
    window.goto(f"{server.url}/manager/wins")
    window.wait_for_url("**/sign-in?next=/manager/wins")
    window.get_by_role("button", name="manager").click()
    window.wait_for_url("**/manager/wins")
    expect(window.get_by_role("heading", level=1)).to_have_text("Wins")


NOTHING = (
    ("/", "manager", "This floor has no progressive link."),
    ("/supervisor", "supervisor", "No claim waits."),
    ("/surveillance", "surveillance", "Nothing waits for you."),
    ("/manager", "manager", "This floor has no progressive link."),
    ("/manager/wins", "manager", "Nobody has won a progressive yet."),
    ("/manager/adjustments", "manager", "Nothing was ever adjusted here."),
    ("/manager/reports", "manager", "No progressive wager was locked in during these days."),
    ("/manager/configuration", "manager", "This floor has no progressive link."),
    ("/manager/approvals", "manager", "No equipment is registered."),
    ("/manager/staff", "manager", "Demo manager"),
    ("/manager/journal?table=ONE", "manager", "No entry of that table is on record."),
    ("/table/ONE", "dealer", "This table plays no progressive"),
    ("/shuffler/ONE", "dealer", "its shuffler is not seen here"),
    ("/verify/ONE", "dealer", "has no verify display"),
    ("/sign/ONE", "dealer", "Limits"),
    ("/seat", "player", "No virtual table is open here."),
    # names that nobody knows
    ("/table/NONE", "dealer", "there is no table 'NONE'"),
    ("/shuffler/NONE", "dealer", "there is no table 'NONE'"),
    ("/verify/NONE", "dealer", "there is no table 'NONE'"),
    ("/sign/NONE", "dealer", "there is no table 'NONE'"),
    ("/seat/NONE", "player", "there is no table 'NONE'"),
    ("/manager/wins/999", "manager", "No such win"),
    ("/manager/journal?entry=999999", "manager", "the journal has the entries 1 to"),
    ("/display/none", "manager", "none"),
)


def test_where_there_is_nothing_a_page_says_so(tmp_path: Path, browser: Browser) -> None:
    """One table, no link and no equipment: every page has words for it, and for names that are not known."""
    text = example_floor()
    first, second = (at.start() for at in list(re.finditer(r"^\[\[tables\]\]", text, re.MULTILINE))[:2])
    smallest = f"{text[:first]}{text[first:second]}".replace('id = "TCP-1"', 'id = "ONE"')
    with serving(tmp_path, text=smallest) as server:
        house = House(server, browser)
        windows = {
            role: house.open("/sign-in", CARDS[role]) for role in ("dealer", "supervisor", "manager", "surveillance")
        }
        windows["player"] = house.open("/sign-in", player="Ann")
        wrong = []
        for path, role, words in NOTHING:
            window = windows[role]
            window.goto(f"{server.url}{path}")
            try:
                settled(window)
                expect(window.locator("main")).to_contain_text(words, timeout=PATIENCE)
            except AssertionError as error:
                wrong.append(f"{path}: {error}")
        house.close()
    assert wrong == []
    house.check()
