"""Write docs/commands.md from the program's own --help, so that the page cannot say anything else."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parent.parent / "docs" / "commands.md"

HEAD = """# Commands

Every command answers `--help`; this page is made from those answers by `tools/cli_reference.py`.

Exit codes: 0 done, 1 done and something was found (a defect, a gap, a line in error), 2 refused: one line on standard
error says which field, what was wrong and what is allowed. Colour is used on a terminal only.
"""


def reference() -> str:
    """The whole page."""
    os.environ["TERMINAL_WIDTH"] = os.environ["COLUMNS"] = "100"
    import click
    import typer

    from houseway.cli import program

    group = typer.main.get_command(program())
    if not isinstance(group, click.Group) and not hasattr(group, "commands"):
        raise TypeError("the program has no commands")
    parts = [HEAD]
    for name, command in every_command(group):
        context = typer.Context(command, info_name=f"houseway {name}", max_content_width=100, terminal_width=100)
        parts.append(f"## houseway {name}\n\n```text\n{command.get_help(context).rstrip()}\n```\n")
    return "\n".join(parts)


def every_command(group: Any, before: str = "") -> Iterator[tuple[str, Any]]:
    """Every command with its full name, those of the groups within included."""
    for name, command in group.commands.items():
        yield f"{before}{name}", command
        if hasattr(command, "commands"):
            yield from every_command(command, f"{before}{name} ")


def main() -> int:
    """Write the page, or with --check say whether it is up to date."""
    page = reference()
    if "--check" in sys.argv:
        same = PAGE.exists() and PAGE.read_text("utf-8") == page
        print(
            "docs/commands.md is up to date" if same else "docs/commands.md is out of date: run tools/cli_reference.py"
        )
        return 0 if same else 1
    PAGE.write_text(page, "utf-8")
    print(f"wrote {PAGE.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
