"""The words on the pages, apart from the code: one folder a language, one file a page, and what all pages share."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def page_text(language: str, page: str) -> dict[str, Any]:
    """The words of a page, on top of those that all pages share."""
    shared, own = _read(language, "all"), _read(language, page)
    return {**shared, **own}


def _read(language: str, name: str) -> dict[str, Any]:
    place = files("houseway.web.text").joinpath(language, f"{name}.toml")
    return tomllib.loads(place.read_text("utf-8")) if place.is_file() else {}
