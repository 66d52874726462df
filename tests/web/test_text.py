"""The words on the pages: every name that a page's script asks for is there, and no page's words hide a shared one."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files

import pytest

from houseway.web.pages import PAGES
from houseway.web.text import page_text

WEB = files("houseway.web")
NAMES = sorted({page.name for page in PAGES})
ASKED = re.compile(r"\bt\(\s*\"([a-z_][\w.-]*)\"\s*[,)]")


def kind(value: object) -> str:
    return "group" if isinstance(value, dict) else "words"


@pytest.mark.parametrize("page", NAMES)
def test_a_pages_words_take_the_place_of_shared_ones_only_in_kind(page: str) -> None:
    shared = tomllib.loads(WEB.joinpath("text", "en", "all.toml").read_text("utf-8"))
    place = WEB.joinpath("text", "en", f"{page}.toml")
    assert place.is_file()
    own = tomllib.loads(place.read_text("utf-8"))
    assert "title" in own
    assert {name for name in own.keys() & shared.keys() if kind(own[name]) != kind(shared[name])} == set()
    for name in own.keys() & shared.keys():
        if kind(own[name]) == "group":
            assert set(shared[name]) <= set(own[name]), f"{page}: [{name}] hides words that all pages share"


@pytest.mark.parametrize("page", NAMES)
def test_every_word_that_a_page_asks_for_is_there(page: str) -> None:
    text = page_text("en", page)
    script = WEB.joinpath("static", "js", "pages", f"{page}.js").read_text("utf-8")
    missing = []
    for name in ASKED.findall(script):
        found: object = text
        for part in name.split("."):
            found = found.get(part) if isinstance(found, dict) else None
        if not isinstance(found, str):
            missing.append(name)
    assert missing == []
