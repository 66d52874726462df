"""The stand-alone checker (TR-11): one HTML file with everything inside, that recomputes a deck without our server.

It is put together from the very modules the seat uses, so that both say the same. The file carries a policy of its own,
which the browser keeps even when it is opened from a disk: it runs this script alone, and asks nothing of any network.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

MODULES: Final = ("page", "dom", "fair", "verdict", "checker")
"""The scripts of ``static/js`` that are in it, each after those it uses."""
SHEETS: Final = ("00-tokens", "10-base", "36-check")
_IMPORT: Final = re.compile(r"^import .*;\n", re.MULTILINE)
_EXPORT: Final = re.compile(r"^export ", re.MULTILINE)


class Parts(NamedTuple):
    """What the page is put together from."""

    script: str
    style: str
    policy: str
    """What the browser lets it do: run this script, and nothing else."""


@cache
def checker_parts() -> Parts:
    """The insides of the checker."""
    script, style = _script(), "".join(_read("css", f"{name}.css") for name in SHEETS)
    policy = (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    return Parts(script, style, policy)


def _script() -> str:
    """All modules as one."""
    whole = "".join(_EXPORT.sub("", _IMPORT.sub("", _read("js", f"{name}.js"))) for name in MODULES)
    if "</script" in whole:
        raise ValueError("a script that ends itself cannot stand inside a page")
    return whole


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _read(folder: str, name: str) -> str:
    return files("houseway.web").joinpath("static", folder, name).read_text("utf-8")
