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
    """A table with these columns; those named in ``right`` are aligned right. ``show`` prints its title in one line."""
    from rich import box
    from rich.table import Table

    grid = Table(title=title, box=box.SIMPLE_HEAD, pad_edge=False)
    for place, column in enumerate(columns):
        # The first column names the row, and a name is never broken.
        grid.add_column(column, justify="right" if column in right else "left", overflow="fold", no_wrap=place == 0)
    return grid


def show(out: Console, grid: Table) -> None:
    """Print a table with its title above and its caption below, neither squeezed to the table's width."""
    title, caption = grid.title, grid.caption
    grid.title = grid.caption = None
    if title:
        out.print(str(title), style="bold", markup=False)
    out.print(grid)
    if caption:
        out.print(f"{caption}\n", markup=False)


def print_json(value: Any) -> None:
    """``value`` as JSON on standard output: indented for a person, on one line for a program."""
    json.dump(value, sys.stdout, indent=2 if sys.stdout.isatty() else None, ensure_ascii=False)
    sys.stdout.write("\n")
