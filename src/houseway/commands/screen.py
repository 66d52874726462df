"""What the commands share for showing things: a console that colours only on a terminal, JSON, dollars."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


def console() -> Console:
    """A console on standard output; piped, it is wide and without colour."""
    from rich.console import Console

    if sys.stdout.isatty():
        return Console(highlight=False)
    return Console(highlight=False, width=120, no_color=True)


def table(title: str, *columns: str, right: tuple[str, ...] = ()) -> Table:
    """A table with these columns; those named in ``right`` are aligned right."""
    from rich import box
    from rich.table import Table

    made = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        made.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return made


def print_json(value: Any) -> None:
    """``value`` as JSON on standard output: indented for a person, on one line for a program."""
    json.dump(value, sys.stdout, indent=2 if sys.stdout.isatty() else None, ensure_ascii=False)
    sys.stdout.write("\n")


def dollars(cents: int) -> str:
    """Whole cents as dollars, such as $1,234.50."""
    sign = "-" if cents < 0 else ""
    return f"{sign}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"
