"""The words on the pages, apart from the code: one folder a language, one file a page, and what all pages share."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Final

ALSO: Final = {"seat": "check"}
"""Whose words a page borrows: the seat checks rounds in the words of the checker."""


@cache
def page_text(language: str, page: str) -> dict[str, Any]:
    """The words of a page, on top of those that it borrows and that all pages share."""
    shared, own = own_text(language, "all"), own_text(language, page)
    borrowed = own_text(language, ALSO[page]) if page in ALSO else {}
    return {**shared, **borrowed, **own}


def own_text(language: str, name: str) -> dict[str, Any]:
    """The words of one file alone."""
    place = files("houseway.web.text").joinpath(language, f"{name}.toml")
    return tomllib.loads(place.read_text("utf-8")) if place.is_file() else {}
