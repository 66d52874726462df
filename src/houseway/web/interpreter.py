"""What this Python can do to a server: defects that let one request hold everybody up are refused at start.

Each is found by looking at what this interpreter does, not at its version.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Mapping
from http.cookies import _unquote  # measured here, and called nowhere else
from typing import Final

from houseway.refusal import Refusal

MOST_DIGITS: Final = 100_000
"""Turning so many digits into a number takes a few milliseconds; it takes four times as long for twice as many."""
BACKSLASHES: Final = 1_000
GROWTH: Final = 4
"""How many times longer the longer of two cookies is."""


def defects(environment: Mapping[str, str] = os.environ) -> Iterator[str]:
    """What is wrong with this interpreter, each with what to do about it."""
    digits = sys.get_int_max_str_digits() if hasattr(sys, "get_int_max_str_digits") else 0
    if not 0 < digits <= MOST_DIGITS:
        yield (
            "this Python reads numbers of any length, so that one of a million digits holds everybody up; "
            "unset PYTHONINTMAXSTRDIGITS, or take a Python of 3.11.4 or later"
        )
    seed = environment.get("PYTHONHASHSEED", "")
    if sys.flags.hash_randomization == 0 or (seed not in ("", "random") and not sys.flags.ignore_environment):
        yield (
            "this Python's hashes can be foreseen, so that names chosen to collide hold everybody up; "
            "unset PYTHONHASHSEED"
        )


def check_interpreter() -> None:
    """Refuse to serve with an interpreter that has such a defect."""
    for defect in defects():
        raise Refusal("python", defect)


def cookies_are_slow() -> bool:
    """Whether this Python's own cookie parser has the defect that makes hostile cookies slow (CVE-2024-7592).

    The server never calls it, so this is nothing to refuse.
    """
    short, long = (_fastest('"' + "\\" * count + '"') for count in (BACKSLASHES, GROWTH * BACKSLASHES))
    return long > 2 * GROWTH * short


def _fastest(cookie: str, tries: int = 3) -> float:
    """The shortest of a few times that the parser takes, so that a busy machine does not look like a slow parser."""
    times = []
    for _ in range(tries):
        began = time.perf_counter()
        _unquote(cookie)
        times.append(time.perf_counter() - began)
    return min(times)
