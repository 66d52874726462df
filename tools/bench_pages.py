"""Speed of the pages in a real browser, in one run, while bots play at fifty tables of the same floor.

    python tools/bench_pages.py [--tables 50] [--presses 50] [--pace 1.5]

The first page: from the start of the navigation until it shows its main content, in a browser that has seen nothing of
the house yet; beside a bare page that asks for nothing. A dealer's press: from the press until the page shows the
sensor lit, and until it shows what the Game Manager has recorded; beside the same order given to the API without a
page, in turns with it.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Final, NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

ROOT: Final = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.web.web_kit import API, Person, Server, make_floor  # noqa: E402

from houseway.commands.load_floor import DEFAULT_MIX, floor_text, read_mix  # noqa: E402
from houseway.web.demonstration import PIN  # noqa: E402

TABLE: Final = "progressive-levels-1"
"""The browser's; the bots have all the others."""
LAUNCH: Final = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")
OPENED: Final = 9
ASKED_FIRST: Final = 1_000.0
ASKED_PRESS: Final = 100.0
WARM_SECONDS: Final = 5.0
START_SECONDS: Final = 90.0
BARE: Final = b'<!doctype html><html lang="en"><title>bare</title><main id="main"><h1>bare</h1></main></html>'

USABLE: Final = """
new MutationObserver((_, observer) => {
  if (!document.querySelector("main h1") || document.querySelector("main > .loading")) return;
  observer.disconnect();
  requestAnimationFrame(() => { window.usable = performance.now(); });
}).observe(document, { childList: true, subtree: true });
"""
"""Notes in a page when its main content is there to be seen."""

WHEN_USABLE: Final = """() => new Promise((done) => {
  const look = () => (window.usable ? done(window.usable) : setTimeout(look, 10));
  look();
})"""

PRESSED: Final = """(spot) => new Promise((done, fail) => {
  const button = document.querySelector(`.spot.at-${spot}`);
  const before = button.getAttribute("aria-pressed");
  const began = performance.now();
  let shown = 0;
  const look = () => {
    if (button.getAttribute("aria-pressed") === before) return;
    shown ||= performance.now() - began;
    if (button.classList.contains("going")) return;
    observer.disconnect();
    requestAnimationFrame(() => done([shown, performance.now() - began]));
  };
  const observer = new MutationObserver(look);
  observer.observe(button, { attributes: true });
  setTimeout(() => fail(new Error("nothing came of a press")), 10_000);
  button.click();
})"""
"""Presses a sensor: milliseconds until it is shown as pressed, and until what is shown is what was recorded."""


class Times(NamedTuple):
    """Milliseconds that something took."""

    title: str
    each: list[float]

    @property
    def median(self) -> float:
        return statistics.median(self.each)

    def tell(self, beside: Times | None = None, asked: float = 0.0) -> bool:
        """Print it, beside another where there is one; whether it is as quick as was asked."""
        worst = sorted(self.each)[int(len(self.each) * 0.95)]
        ratio = f"   {self.median / beside.median:5.1f} times {beside.title}" if beside else ""
        print(f"  {self.title:<44} median {self.median:7.1f} ms   p95 {worst:7.1f} ms{ratio}")
        if not asked:
            return True
        good = self.median < asked
        print(f"    asked under {asked:g} ms: {'yes' if good else 'NO'}")
        return good


# ------------------------------------------------------------------------------------------------------ what is around


class _Bare(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(BARE)))
        self.end_headers()
        # A browser that is closed no longer wants its icon.
        with suppress(ConnectionError):
            self.wfile.write(BARE)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is noted."""


@contextmanager
def bare_page() -> Iterator[str]:
    """The address of a page with one heading and nothing else."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Bare)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def bots(url: str, pace: float, log: Path) -> Iterator[None]:
    """A process with bots at every table but the browser's."""
    command = [sys.executable, __file__, "--bots", url, "--pace", str(pace)]
    with log.open("wb") as lines:
        process = subprocess.Popen(command, stdout=lines, stderr=lines)
    try:
        until = time.monotonic() + START_SECONDS
        while b"playing" not in log.read_bytes():
            if process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"the bots did not start: {log.read_text('utf-8', 'replace')}")
            time.sleep(0.1)
        yield
        if process.poll() is not None:
            raise RuntimeError(f"the bots stopped: {log.read_text('utf-8', 'replace')}")
    finally:
        process.terminate()
        process.wait(30)


async def play(url: str, pace: float) -> None:
    """Bots at every table but the browser's, until the process is ended."""
    from random import Random

    from houseway.client.asking import Card
    from houseway.client.crew import Cards, Crew, Happened
    from houseway.client.floor_bots import Manner
    from houseway.client.strategy import Simple

    def told(happened: Happened) -> None:
        if happened.what in ("fault", "shut"):
            print(happened.table, happened.what, happened.words, flush=True)

    cards = Cards(Card("2001", PIN), Card("3001", PIN), Card("4001", PIN), Card("8001", PIN))
    async with Crew(url, cards, mind=Simple(), random=Random(1), players=3, manner=Manner(pace)) as crew:
        dealers = [await crew.dealer(one) for one in await crew.layouts() if one.table != TABLE]
        print(f"playing at {len(dealers)} tables", flush=True)
        await crew.keep_alive(dealers, told, asyncio.Event())


# --------------------------------------------------------------------------------------------------- what is measured


def opened(browser: Browser, title: str, url: str, path: str = "", card: str = "") -> Times:
    """How long a page takes to show its main content, each time in a new browser."""
    found = []
    for _ in range(OPENED):
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        if card:
            answer = context.request.post(f"{url}{API}/session", data={"card": card, "pin": PIN})
            assert answer.ok, answer.text()
        page = context.new_page()
        page.add_init_script(USABLE)
        page.goto(f"{url}{path}")
        found.append(float(page.evaluate(WHEN_USABLE)))
        context.close()
    return Times(title, found)


def pressed(page: Page, dealer: Person, presses: int) -> tuple[Times, Times, Times]:
    """A sensor pressed on a page, in turns with the order that it makes, given to the API without one."""
    shown, recorded, ordered = [], [], []
    for turn in range(presses):
        first, then = page.evaluate(PRESSED, 1)
        shown.append(first)
        recorded.append(then)
        began = time.perf_counter()
        dealer.order(f"tables/{TABLE}/{'unlight' if turn % 2 else 'light'}", spot=2)
        ordered.append(1_000 * (time.perf_counter() - began))
        page.wait_for_selector(f".at-2[aria-pressed={'false' if turn % 2 else 'true'}]")
    return (
        Times("a press, until the page shows it", shown),
        Times("a press, until what is recorded is shown", recorded),
        Times("the order alone", ordered),
    )


def bench(tables: int, presses: int, pace: float) -> bool:
    chromium = shutil.which("chromium") or shutil.which("chromium-headless-shell")
    if chromium is None:
        print("Chromium is missing; apt-get install chromium")
        return False
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright, bare_page() as bare:
        folder = Path(name)
        database = str(folder / "floor.db")
        server = Server(make_floor(folder, database, floor_text(tables + 1, read_mix(DEFAULT_MIX))), database).start()
        try:
            browser = playwright.chromium.launch(executable_path=chromium, args=list(LAUNCH))
            with bots(server.url, pace, folder / "bots.log"):
                time.sleep(WARM_SECONDS)
                print(f"{tables} bot tables, each doing something every {pace:g} s, beside one browser:")
                context = browser.new_context(viewport={"width": 1024, "height": 768})
                context.request.post(f"{server.url}{API}/session", data={"card": "2002", "pin": PIN})
                page = context.new_page()
                page.goto(f"{server.url}/table/{TABLE}")
                page.wait_for_selector(".spot.at-1")
                before = entries(server)
                began = time.perf_counter()
                shown, recorded, ordered = pressed(page, server.sign_in("2002"), presses)
                rate = (entries(server) - before) / (time.perf_counter() - began)
                context.close()
                nothing = opened(browser, "a bare page", bare)
                first = opened(browser, "the first page, /sign-in", server.url, "/sign-in")
                floor = opened(browser, "the floor, /", server.url, "/", "3001")
            browser.close()
        finally:
            server.stop()
    print(f"  the floor recorded {rate:.0f} entries a second meanwhile")
    ordered.tell()
    shown.tell(ordered, ASKED_PRESS)
    good = recorded.tell(ordered, ASKED_PRESS)
    nothing.tell()
    good = first.tell(nothing, ASKED_FIRST) and good
    return floor.tell(nothing, ASKED_FIRST) and good


def entries(server: Server) -> int:
    """How many entries the journal has."""
    found: list[dict[str, int]] = server.sign_in("6001").get("journal", limit=1)["items"]
    return found[0]["entry"]


def main() -> int:
    """Run it, or its bots."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=50, help="at how many tables bots play")
    parser.add_argument("--presses", type=int, default=50, help="how often the dealer presses")
    parser.add_argument("--pace", type=float, default=1.5, help="seconds between two things that a bot does")
    parser.add_argument("--bots", default="", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.bots:
        with suppress(KeyboardInterrupt):
            asyncio.run(play(args.bots, args.pace))
        return 0
    return 0 if bench(args.tables, args.presses, args.pace) else 1


if __name__ == "__main__":
    sys.exit(main())
