"""TR-4: whatever `next` says, who signs in stays on the floor's own pages. In a real browser."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from playwright.sync_api import Page, Route
from tests.pages.pages_kit import House

ELSEWHERE = (
    "/\\127.0.0.2:{port}/evil",
    "/\\/127.0.0.2:{port}/evil",
    "//127.0.0.2:{port}/evil",
    "/\t/127.0.0.2:{port}/evil",
    "/\n/127.0.0.2:{port}/evil",
    "\t//127.0.0.2:{port}/evil",
    "/..//127.0.0.2:{port}/evil",
    "/.//127.0.0.2:{port}/evil",
    "http://127.0.0.2:{port}/evil",
    "http:127.0.0.2:{port}/evil",
    "\\\\127.0.0.2:{port}/evil",
    "javascript:document.title='evil'",
    "data:text/html,evil",
    "/%09/127.0.0.2:{port}/evil",
    " //127.0.0.2:{port}/evil",
)
OLD = 'location.href = next && next !== "/" && next.startsWith("/") && !next.startsWith("//") ? next : home;'
"""How the page chose before."""


def signed_in(house: House, next: str) -> Page:
    """A window after a demonstration's dealer signed in on it by one press."""
    page = house.open(f"/sign-in?next={quote(next, safe='')}")
    with page.expect_navigation(wait_until="commit"):
        page.get_by_role("button", name="dealer", exact=True).click()
    page.wait_for_load_state()
    return page


@pytest.mark.clause("TR-4")
def test_after_signing_in_nobody_is_sent_to_another_site(house: House) -> None:
    for one in ELSEWHERE:
        page = signed_in(house, one.format(port=house.server.port))
        assert page.url.startswith(f"{house.server.url}/"), one
        page.context.close()
    house.contexts.clear()


@pytest.mark.clause("TR-4")
@pytest.mark.parametrize("path", ["/table/CS-1?x=1#spot"])
def test_after_signing_in_one_goes_on_to_where_one_was(house: House, path: str) -> None:
    assert signed_in(house, path).url == f"{house.server.url}{path}"


@pytest.mark.clause("TR-4")
def test_planted_with_the_old_rule_of_the_page_one_is_sent_elsewhere(house: House) -> None:
    """And the house notices that something left it."""

    def old(route: Route) -> None:
        text = route.fetch().text()
        begin = text.index("  const next = onThisSite")
        end = text.index("\n}", begin)
        words = 'const next = new URLSearchParams(location.search).get("next"); const home = "/";'
        route.fulfill(body=f"{text[:begin]}{words} {OLD}{text[end:]}", content_type="text/javascript")

    page = house.open("/healthz")
    page.route("**/pages/sign-in.js*", old)
    there = ELSEWHERE[0].format(port=house.server.port)
    page.goto(f"{house.server.url}/sign-in?next={quote(there, safe='')}")
    with page.expect_request(lambda request: "127.0.0.2" in request.url):
        page.get_by_role("button", name="dealer", exact=True).click()
    assert any("127.0.0.2" in one for one in house.elsewhere)
    house.elsewhere.clear()
    house.forgive()
