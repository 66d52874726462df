"""Cells for spreadsheets: text from people stays text.

A spreadsheet runs a cell that begins like a formula, also in a file that came from somebody else. Every CSV file and
every sheet that we write takes its cells from here.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable
from typing import Final

_STARTS: Final = frozenset("=+-@")
"""What a formula begins with."""
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,400}(?:\.[0-9]{1,400})?(?:e[+-]?[0-9]{1,4}|/[0-9]{1,400})?")
"""A number, or a fraction of two: a spreadsheet reads it, and runs nothing."""


def runs(text: str) -> bool:
    """Whether a spreadsheet may take a text for something to run, once it has trimmed and normalized it."""
    if _NUMBER.fullmatch(text):
        return False
    # Full-width signs count as the plain ones, as some spreadsheets take them.
    first = next((character for character in unicodedata.normalize("NFKC", text) if not _is_trimmed(character)), "")
    return first in _STARTS or text[:1] in ("\t", "\r", "\n")


def _is_trimmed(character: str) -> bool:
    return character.isspace() or unicodedata.category(character) in ("Cc", "Cf")


def cell(value: object) -> object:
    """A value as a cell; text that a spreadsheet would run gets an apostrophe, which makes it text."""
    return f"'{value}" if isinstance(value, str) and runs(value) else value


def csv_line(cells: Iterable[object]) -> str:
    """One line of comma separated values."""
    line = io.StringIO()
    # With this end the writer quotes a cell that holds a line end of either kind: unquoted, it would begin a row.
    csv.writer(line, lineterminator="\r\n").writerow([cell(value) for value in cells])
    return f"{line.getvalue()[:-2]}\n"


def csv_text(heading: Iterable[object], rows: Iterable[Iterable[object]]) -> Iterable[str]:
    """A whole table of comma separated values, line by line."""
    yield csv_line(heading)
    for row in rows:
        yield csv_line(row)
