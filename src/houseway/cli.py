"""The ``houseway`` command."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from copy import copy
from typing import Annotated

import typer
from typer.main import get_command_name

from houseway import __version__
from houseway.clauses.command import clauses
from houseway.commands.demo import demo
from houseway.commands.doctor import doctor
from houseway.commands.equipment import approvals, equipment
from houseway.commands.floor import backup, floor_app, restore, staff_app
from houseway.commands.floor_file import init
from houseway.commands.journal import journal_app
from houseway.commands.load import bots, load
from houseway.commands.meter import meter
from houseway.commands.par import par
from houseway.commands.proof import advise, figures, prove, strategy
from houseway.commands.reports import accruals, history, report, win
from houseway.commands.rounds import round_app
from houseway.commands.rules import games, rules
from houseway.commands.serve import serve, up
from houseway.commands.settle import settle
from houseway.commands.shuffle import shuffle_app
from houseway.commands.simulate import simulate
from houseway.commands.tables import check, paytables
from houseway.refusal import Fault, Refusal

app = typer.Typer(
    name="houseway",
    help="Houseway: an open table-games system. One rulebook that runs a floor, proves the mathematics, and shows it.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
for command in (settle, games, rules, paytables, check, figures, prove, strategy, advise, simulate, meter, par):
    app.command()(command)
for other in (clauses, demo, init):
    app.command()(other)
for reading in (report, accruals, history, win):
    app.command()(reading)
for register in (approvals, equipment):
    app.command()(register)
for serving in (serve, up, doctor):
    app.command()(serving)
for playing in (bots, load):
    app.command()(playing)
app.command()(backup)
app.command()(restore)
for group in (floor_app, staff_app, journal_app, round_app, shuffle_app):
    app.add_typer(group)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"houseway {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    """Options before the command."""


def only(arguments: Sequence[str]) -> typer.Typer:
    """The program with no more than the command that is asked for: to build them all takes longer than most run."""
    name = arguments[0] if arguments else ""
    commands = [
        one for one in app.registered_commands if one.callback and get_command_name(one.callback.__name__) == name
    ]
    groups = [one for one in app.registered_groups if one.typer_instance and one.typer_instance.info.name == name]
    if not commands and not groups:
        return app
    narrow = copy(app)
    narrow.registered_commands, narrow.registered_groups = commands, groups
    return narrow


def main() -> None:
    """Run the command line: a refusal is one line on standard error and exit code 2."""
    try:
        only(sys.argv[1:])()
    except Refusal as refusal:
        sys.stderr.write(f"houseway: {_one_line(str(refusal))}\n")
        sys.exit(2)
    except Fault as fault:
        sys.stderr.write(f"houseway: {_one_line(str(fault))}\n")
        sys.exit(2)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)


def _one_line(text: str) -> str:
    return " ".join(text.encode("utf-8", "replace").decode().split())


if __name__ == "__main__":
    main()
