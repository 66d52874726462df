"""The progressive display: it counts up and never past the truth, tells of a win, and says why it shows nothing."""

from __future__ import annotations

import base64
import os
import signal
from importlib.resources import files
from typing import Any

from playwright.sync_api import Browser, Page, expect
from tests.pages.pages_kit import PHONE, House

LONG = 40_000
WALL = (1920, 1080)
PORTRAIT = (1080, 1920)

COUNTING = """async (address) => {
  const { RISE, Rolling } = await import(address);
  let seed = 7;
  const random = (below) => { seed = (seed * 48271) % 2147483647; return seed % below; };
  const wrong = [];
  const check = (good, what) => { if (!good) wrong.push(what); };
  for (let run = 0; run < 400; run += 1) {
    const meter = new Rolling(random(1000000));
    const said = [];
    let now = random(1000), truth = meter.shown, before = truth;
    for (let step = 0; step < 60; step += 1) {
      now += random(220);
      if (random(3) === 0) {
        const falls = random(6) === 0;
        truth = falls ? random(truth + 1) : truth + random([3, 500, 2000000][random(3)]);
        meter.aim(truth, now);
        if (truth < before) check(meter.shown === truth, "a fall is shown at once");
        said.push({ now, truth });
        before = Math.min(before, truth);
      }
      const shown = meter.at(now);
      check(Number.isInteger(shown), "whole cents");
      check(shown <= truth, "past the truth");
      check(shown >= before, "falls by itself");
      check(meter.rising === (shown !== truth), "knows whether it rises");
      for (const [at, one] of said.entries()) {
        const least = Math.min(...said.slice(at).map((later) => later.truth));
        if (now - one.now >= RISE) check(shown >= least, "too slow");
      }
      before = shown;
    }
    check(meter.at(now + RISE) === truth, "does not arrive");
  }
  return { RISE, wrong: [...new Set(wrong)] };
}"""

WATCH = """() => {
  window.seen = [];
  const read = () => {
    const found = document.querySelector("[data-amount='main']");
    const words = found?.textContent.replace(/[$,.]/g, "");
    if (words && seen.at(-1) !== Number(words)) seen.push(Number(words));
  };
  read();
  const everything = { subtree: true, childList: true, characterData: true };
  new MutationObserver(read).observe(document.getElementById("main"), everything);
}"""

OUTSIDE = """() => [...document.querySelectorAll("main .money, main h1, main h2, main p")]
  .filter((one) => { const box = one.getBoundingClientRect();
    return box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1; })
  .map((one) => one.textContent)"""


def fits(page: Page) -> None:
    """All of it is on the screen: nobody can scroll a wall."""
    assert page.evaluate(OUTSIDE) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "wider than the screen"


def test_counting_up_never_goes_past_the_true_value(browser: Browser) -> None:
    """The module that counts, by itself: 400 meters that rise and fall at random."""
    text = files("houseway.web").joinpath("static", "js", "rolling.js").read_bytes()
    page = browser.new_page()
    address = f"data:text/javascript;base64,{base64.b64encode(text).decode()}"
    found: dict[str, Any] = page.evaluate(COUNTING, address)
    page.close()
    assert found["wrong"] == []
    assert found["RISE"] < 1_000, "a change is seen within a second"


def test_a_meter_counts_up_a_win_is_celebrated_and_the_meter_falls(house: House) -> None:
    dealer, supervisor = house.person("2001"), house.person("3001")
    screens = [house.open("/display/stud", "6001", size=size) for size in (WALL, PORTRAIT, PHONE)]
    wall, phone = screens[0], screens[2]
    wall.emulate_media(reduced_motion="no-preference")
    expect(wall.locator(".display-amount")).to_have_text("$10,000.00")
    wall.evaluate(WATCH)
    dealer.order("tables/CS-1/lock-in", lit=[1, 2, 3])
    expect(wall.locator(".display-amount")).to_have_text("$10,002.10")
    dealer.order("tables/CS-1/name-win", spot=2, hand="royal_flush")
    for screen in screens:
        expect(screen.locator(".display-claim")).to_contain_text("$10,002.10")
        fits(screen)
    house.person("4001").order("tables/CS-1/j-pot", spot=2)
    expect(wall.locator(".display-won")).to_have_count(0)
    supervisor.order("tables/CS-1/run")
    for screen in screens:
        expect(screen.locator(".display-won")).to_have_text("Jackpot won!$10,002.10royal flush · Table CS-1")
        expect(screen.locator(".display-amount")).to_have_text("$10,000.06")
        fits(screen)
    seen = wall.evaluate("seen")
    rises, falls = seen[: seen.index(1_000_210) + 1], seen[seen.index(1_000_210) + 1 :]
    assert len(rises) > 3, "it counts"
    assert rises == sorted(rises)
    assert max(seen) == 1_000_210, "and never past the true value"
    assert falls == [1_000_006], "it falls at once"
    # Who asked for no motion is shown the win without any.
    assert wall.locator(".display-confetti").count() == 1
    assert phone.locator(".display-confetti").count() == 0
    expect(wall.locator(".display-won")).to_have_count(0, timeout=LONG)
    expect(wall.locator(".display-amount")).to_have_text("$10,000.06")


def test_several_meters_a_closed_link_and_small_wins(house: House) -> None:
    dealer, supervisor, technician = house.person("2001"), house.person("3001"), house.person("7001")
    screens = [house.open("/display/three-level", "6001", size=size) for size in (WALL, PORTRAIT, PHONE)]
    for screen in screens:
        expect(screen.locator(".display-meter h2")).to_have_text(["mega", "major", "minor"])
        expect(screen.locator(".display-amount")).to_have_text(["$10,000.00", "$1,000.00", "$100.00"])
        fits(screen)
    dealer.order("tables/CS-3/lock-in", lit=[1, 2])
    for spot, hand in ((1, "straight_flush"), (2, "flush")):
        dealer.order("tables/CS-3/name-win", spot=spot, hand=hand)
    for screen in screens:
        expect(screen.locator(".display-meter.pending")).to_have_count(1)
        expect(screen.locator(".display-meter.pending h2")).to_have_text("major")
        fits(screen)
    supervisor.order("tables/CS-3/confirm", spot=1)
    supervisor.order("tables/CS-3/confirm", spot=2)
    technician.order("floor/suspend", what="link", id="three-level", why="the meters are counted")
    for screen in screens:
        won = screen.locator(".display-won-words")
        expect(won).to_have_text(["Progressive win!", "Jackpot won!"])
        expect(screen.get_by_text("The progressive is closed at the moment")).to_be_visible()
        fits(screen)


def test_a_silent_game_manager_is_as_good_as_lost_and_comes_back_by_itself(house: House) -> None:
    wall = house.open("/display/stud", "3001")
    expect(wall.locator(".display-amount")).to_have_text("$10,000.00")
    process = house.server.process
    assert process is not None
    os.kill(process.pid, signal.SIGSTOP)
    try:
        expect(wall.get_by_role("main").get_by_role("alert")).to_contain_text("Connection lost", timeout=LONG)
        assert "$" not in wall.locator("main").inner_text()
    finally:
        os.kill(process.pid, signal.SIGCONT)
    # On the same stream: nothing happened that it would have to hear of.
    expect(wall.locator(".display-amount")).to_have_text("$10,000.00", timeout=LONG)
    house.forgive()


def test_a_display_without_a_good_token_says_what_it_needs(house: House) -> None:
    manager = house.person("5001")

    def token(device: str, link: str) -> str:
        return str(manager.order("devices/issue-device", device=device, right="display", subject=link)["token"])

    wall = house.open("/display/stud", size=PHONE)
    sign = wall.get_by_role("main").get_by_role("alert").filter(has_text="shows nothing")
    expect(sign).to_contain_text("It has no token.")
    expect(sign).to_contain_text("which a manager issues")
    fits(wall)
    wall.goto(f"{house.server.url}/display/stud#token={token('other', 'three-card')}")
    expect(sign).to_contain_text("Its token is not for this jackpot.")
    # The good one in the same window's address, then taken back: the figure is gone.
    wall.goto(f"{house.server.url}/display/stud#token={token('wall', 'stud')}")
    expect(wall.locator(".display-amount")).to_have_text("$10,000.00")
    manager.order("devices/revoke-device", device="wall", reason="stolen")
    expect(sign).to_contain_text("Its token is good no more")
    assert "$" not in wall.locator("main").inner_text()
    manager_screen = house.open("/display/nowhere", "5001", size=WALL)
    expect(manager_screen.get_by_role("main").get_by_role("alert")).to_contain_text(
        "There is no jackpot named nowhere on this floor."
    )
