"""A real browser in front of a real server.

    def test_something(house: House) -> None:
        dealer = house.open("/table/CS-1", card="2001")
        dealer.get_by_role("button", name="Spot 1").click()

Every window is a browser of its own: nobody shares a cookie. At the end no window may have reported an error, and none
may have asked anything of another host.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import gettempdir
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Playwright,
    Request,
    expect,
    sync_playwright,
)
from tests.web.web_kit import API, Person, Server, make_floor

from houseway.web.demonstration import PIN

PROGRAMS = ("chromium-headless-shell", "chromium")
OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
DESKTOP = (1280, 800)
TABLET = (1024, 768)
PHONE = (390, 844)
PATIENCE = 60_000
"""The most milliseconds that a test waits for a page. A longer wait costs nothing when the page is right."""


def chromium() -> str:
    """Where Debian's Chromium is; installed where it is missing and that may be, else the tests are not run.

    The build without windows is preferred: the same engine, at half the cost. Who has the other one already is
    given no second, but for a machine of the project's own, where CI is set.
    """
    with (Path(gettempdir()) / f"houseway-chromium-{os.geteuid()}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        enough = PROGRAMS[:1] if os.environ.get("CI") else PROGRAMS
        for name in PROGRAMS:
            if not any(map(shutil.which, enough)):
                _install(name)
            enough = PROGRAMS
    found = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if found:
        return found
    words = "Chromium is missing: the pages were not opened; remedy: apt-get install chromium"
    if os.environ.get("CI"):
        pytest.fail(words)
    pytest.skip(words)


def _install(name: str) -> None:
    """Have the system install a program, where we may."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return
    for command in (["update", "-q"], ["install", "-y", "-q", "--no-install-recommends", name]):
        with suppress(subprocess.TimeoutExpired):
            subprocess.run(
                # A new machine may be busy with its own updates.
                ["apt-get", "-o", "DPkg::Lock::Timeout=240", *command],
                check=False,
                timeout=300,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
            )


class House:
    """A server and the windows open on it."""

    def __init__(self, server: Server, browser: Browser) -> None:
        self.server = server
        self.browser = browser
        self.contexts: list[BrowserContext] = []
        self.errors: list[str] = []
        self.elsewhere: list[str] = []

    def open(
        self, path: str, card: str = "", *, size: tuple[int, int] = DESKTOP, dark: bool = True, player: str = ""
    ) -> Page:
        """A window of somebody's own: a member of staff by his card, a guest by a name, or nobody."""
        context = self.browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
            locale="en-US",
        )
        self.contexts.append(context)
        if card:
            answer = context.request.post(f"{self.server.url}{API}/session", data={"card": card, "pin": PIN})
            assert answer.ok, answer.text()
        if player:
            answer = context.request.post(f"{self.server.url}{API}/session/guest", data={"name": player})
            assert answer.ok, answer.text()
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", self._asked)
        page.goto(f"{self.server.url}{path}")
        return page

    def person(self, card: str) -> Person:
        """Somebody who uses the API and no page."""
        return self.server.sign_in(card)

    def forgive(self) -> None:
        """Forget the errors so far: a server that was stopped leaves some in a browser's console."""
        self.errors.clear()

    def close(self) -> None:
        for context in self.contexts:
            context.close()

    def check(self) -> None:
        """Nothing went wrong in any window, and nothing left the house."""
        assert self.errors == []
        assert self.elsewhere == []

    def _said(self, message: ConsoleMessage) -> None:
        # A refusal is an answer: the browser notes its status, the page tells the sentence.
        if message.type == "error" and "the server responded with a status of 4" not in message.text:
            self.errors.append(message.text)

    def _asked(self, request: Request) -> None:
        host = urlsplit(request.url).netloc
        if host != urlsplit(self.server.url).netloc and not request.url.startswith(("data:", "blob:", "about:")):
            self.elsewhere.append(request.url)


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    """A driver for one file of tests: while it runs, nothing else in this process can run an event loop."""
    path = chromium()
    assert path
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[Browser]:
    started = playwright.chromium.launch(executable_path=chromium(), args=list(OPTIONS))
    yield started
    started.close()


@pytest.fixture
def house(tmp_path: Path, browser: Browser) -> Iterator[House]:
    """The demonstration floor, with nobody in front of it yet."""
    database = str(tmp_path / "floor.db")
    server = Server(make_floor(tmp_path, database), database).start()
    made = House(server, browser)
    try:
        yield made
        made.check()
    finally:
        made.close()
        if server.process is not None:
            server.stop()
