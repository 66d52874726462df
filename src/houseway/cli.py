"""The ``houseway`` command."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from typing import Annotated, Final

import typer

from houseway import __version__
from houseway.extras import missing_extra
from houseway.refusal import FAULT_EXIT, Fault, Refusal

HELP: Final = (
    "Houseway: an open table-games system. One rulebook that runs a floor, proves the mathematics, and shows it."
)
COMMANDS: Final = {
    "settle": "commands.settle",
    "games": "commands.rules",
    "rules": "commands.rules",
    "paytables": "commands.tables",
    "check": "commands.tables",
    "figures": "commands.proof",
    "prove": "commands.proof",
    "strategy": "commands.proof",
    "advise": "commands.proof",
    "simulate": "commands.simulate",
    "meter": "commands.meter",
    "par": "commands.par",
    "clauses": "clauses.command",
    "demo": "commands.demo",
    "init": "commands.floor_file",
    "report": "commands.reports",
    "accruals": "commands.reports",
    "history": "commands.reports",
    "win": "commands.reports",
    "approvals": "commands.equipment",
    "equipment": "commands.equipment",
    "serve": "commands.serve",
    "up": "commands.serve",
    "doctor": "commands.doctor",
    "bots": "commands.load",
    "load": "commands.load",
    "backup": "commands.backup",
    "restore": "commands.backup",
}
"""Every command and the module that has it, in the order in which help lists them."""
GROUPS: Final = {
    "floor": "commands.floor",
    "staff": "commands.staff",
    "journal": "commands.journal",
    "witness": "commands.witness",
    "round": "commands.rounds",
    "shuffle": "commands.shuffle",
}
"""Every command with commands of its own."""


def _version(wanted_version: bool) -> None:
    if wanted_version:
        typer.echo(f"houseway {__version__}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    """Options before the command."""


@cache
def program(name: str = "") -> typer.Typer:
    """The program with one command, or with all: to build them all takes longer than most of them run."""
    app = typer.Typer(
        name="houseway",
        help=HELP,
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    )
    app.callback()(_options)
    for command in _asked(COMMANDS, name):
        app.command()(getattr(import_module(f"houseway.{COMMANDS[command]}"), command))
    for group in _asked(GROUPS, name):
        app.add_typer(getattr(import_module(f"houseway.{GROUPS[group]}"), f"{group}_app"))
    return app


def _asked(names: Iterable[str], name: str) -> list[str]:
    return [known_name for known_name in names if name in ("", known_name)]


def main() -> None:
    """Run the command line: a refusal is one line on standard error and exit code 2, a fault one line and 75."""
    first = sys.argv[1] if len(sys.argv) > 1 else ""
    try:
        program(first if first in COMMANDS or first in GROUPS else "")()
    except Refusal as refusal:
        sys.stderr.write(f"houseway: {_one_line(str(refusal))}\n")
        sys.exit(2)
    except Fault as fault:
        sys.stderr.write(f"houseway: {_one_line(str(fault))}\n")
        sys.exit(FAULT_EXIT)
    except ModuleNotFoundError as error:
        missing = missing_extra(error, first)
        if missing is None:
            raise
        sys.stderr.write(f"houseway: {missing}\n")
        sys.exit(2)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)


def _one_line(text: str) -> str:
    return " ".join(text.encode("utf-8", "replace").decode().split())


if __name__ == "__main__":
    main()
