"""``houseway par``: the mathematics of a game as a document for a laboratory, and a check of such a document."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from houseway.commands.arguments import AsJson
from houseway.commands.proof import HouseOption, TableOption, WagerOption
from houseway.refusal import Refusal

if TYPE_CHECKING:
    from houseway.proof.par import Asked, HouseFile

MOST_SHOWN = 20


def par(
    game: Annotated[str | None, typer.Argument(help="The game, such as caribbean-stud.")] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Where to write: FILE.pdf, FILE.xlsx or FILE.json."),
    ] = None,
    verify: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Count again everything that this JSON sheet says. Exit code 1 when a figure does not hold.",
        ),
    ] = None,
    table: TableOption = None,
    wager: WagerOption = None,
    option: HouseOption = None,
    paytable: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE", help="A sheet of the tables in this file of the house's own instead, not approved."
        ),
    ] = None,
    contribution: Annotated[
        str | None,
        typer.Option(metavar="RATE", help="What progressive wagers put on meters and reserves, such as 0.14 or 14%."),
    ] = None,
    seed: Annotated[
        list[str] | None, typer.Option(metavar="[METER=]DOLLARS", help="The seed of a progressive's meter.")
    ] = None,
    fresh: Annotated[
        bool | None,
        typer.Option(
            "--fresh/--kept",
            help="Count every case again, or believe the counts that are kept under this digest of the rules. Without "
            "either, a sheet is made from kept counts and verified with fresh ones.",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write a par sheet of a game: rules, pay tables, every case, edge, volatility, strategy, method, remarks.

    The ending of the file says whether it becomes a PDF, a workbook or JSON; all three hold the same figures.
    """
    if verify is not None:
        arguments = {"GAME": game, "--output": output, "--table": table, "--wager": wager, "--option": option,
                 "--paytable": paytable, "--contribution": contribution, "--seed": seed}  # fmt: skip
        beside = next((name for name, value in arguments.items() if value), None)
        if beside is not None:
            raise Refusal(beside, "stands beside --verify; the file itself says what is counted")
        _verify(verify, fresh is not False, as_json)
        return
    if game is None:
        raise Refusal("game", "is missing; name one, or a file with --verify")
    request = _asked(game, wager, table, option, paytable or [], contribution, seed)
    _write(request, output, fresh is True, force, as_json)


def _asked(
    game: str,
    wagers: list[str] | None,
    tables: list[str] | None,
    options: list[str] | None,
    files: list[Path],
    contribution: str | None,
    seeds: list[str] | None,
) -> Asked:
    from houseway.commands.proof import _options, _rate, _seed
    from houseway.commands.rules import named_game
    from houseway.proof.par import Asked

    chosen = named_game(game)
    return Asked(
        game=chosen.key,
        wagers=tuple(wagers or ()),
        tables=tuple(tables or ()),
        options=_options(options, [chosen]),
        contribution=None if contribution is None else _rate(contribution),
        seeds_cents=dict(_seed(text) for text in seeds or ()),
        house=tuple(map(_house_file, files)),
    )


def _house_file(path: Path) -> HouseFile:
    """A file that loads without a defect, with its text."""
    from houseway.games import all_schemas
    from houseway.paytables import load_house_file
    from houseway.proof.par import HouseFile

    load_house_file(path, all_schemas())
    return HouseFile(path.name, path.read_text("utf-8-sig"))


def _write(request: Asked, output: Path | None, fresh: bool, force: bool, as_json: bool) -> None:
    from houseway.commands import screen
    from houseway.commands.proof import _counting
    from houseway.proof.par import make
    from houseway.proof.par.files import check_target, save

    if output is None and not as_json:
        raise Refusal("output", "is missing; name a file with -o FILE.pdf, .xlsx or .json, or ask for --json")
    if output is not None:
        check_target(output, force=force)
    data = _counting(lambda progress: make(request, fresh=fresh, progress=progress))
    if output is not None:
        save(data, output, force=force)
    if as_json:
        screen.print_json(data)
        return
    sys.stdout.write(f"wrote {output}: {_words(data)}, content {data['content_sha256'][:16]}…\n")


def _words(data: dict[str, Any]) -> str:
    wagers = len(data["wagers"])
    return f"{data['game']['title']}, {wagers} {'wager' if wagers == 1 else 'wagers'}"


def _verify(path: Path, fresh: bool, as_json: bool) -> None:
    from houseway.commands import screen
    from houseway.commands.proof import _counting
    from houseway.proof.par import check
    from houseway.proof.par.verify import read

    data = read(path)
    differences = _counting(lambda progress: check(data, fresh=fresh, progress=progress))
    if as_json:
        screen.print_json(
            {
                "file": path.name,
                "holds": not differences,
                "differences": [difference._asdict() for difference in differences],
            }
        )
    elif differences:
        for shown_difference in differences[:MOST_SHOWN]:
            sys.stdout.write(f"{shown_difference}\n")
        if len(differences) > MOST_SHOWN:
            sys.stdout.write(f"and {len(differences) - MOST_SHOWN} more\n")
        sys.stdout.write(f"{path} does not hold\n")
    else:
        how = "every case counted again" if fresh else "computed again from the kept counts"
        sys.stdout.write(f"{path} holds: {_words(data)}, {how}\n")
    if differences:
        raise typer.Exit(1)
