"""The walks in CONTRIBUTING.md: every file that they pass through is there, and has what they say it has."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("## Adding a game")[0]
STOP: Final = re.compile(r"`([\w/-]+\.(?:py|js))`(?: \| |,? \(?)`(\w+)`")
"""A file, and beside it the name that it has for the thing."""


def stops() -> list[tuple[str, str]]:
    text = re.sub(r"`(\w+/[\w/]+\.py)`,\s+`", r"`\1` (`", PAGE)
    return sorted({(file, name) for file, name in STOP.findall(re.sub(r"\s+", " ", text))})


def test_the_walks_are_read() -> None:
    assert len(stops()) > 25


@pytest.mark.parametrize(("file", "name"), stops())
def test_a_stop_of_a_walk_is_there(file: str, name: str) -> None:
    source = (ROOT / "src" / "houseway" / file).read_text("utf-8")
    declares = rf"(?:def|class|function|const|async) {name}\b|\b{name}\(|import .*\b{name}\b"
    assert re.search(declares, source), f"{file} has no {name}"
