"""``houseway init`` and the floor's half of ``houseway check``: a file to begin with, and what is wrong with one."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from houseway.refusal import Refusal

if TYPE_CHECKING:
    from houseway.manager.config import FloorConfig, LinkConfig

NAME = "floor.toml"


def init(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Where to write it; made where it does not exist.")
    ] = Path(),
    force: Annotated[bool, typer.Option("--force", help="Replace a floor file that is already there.")] = False,
) -> None:
    """Write floor.toml, a commented example floor with five games, to begin with."""
    from houseway.manager.floor_file import example_floor

    file = folder / NAME
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write(file, example_floor(), replace=force)
    except FileExistsError:
        raise Refusal(str(file), "is already there; --force replaces it") from None
    except OSError as error:
        raise Refusal(str(file), f"cannot be written: {error.strerror}") from None
    sys.stdout.write(f"wrote {file}: edit it, then run houseway check {file}\n")


def _write(file: Path, text: str, *, replace: bool) -> None:
    """Write a file whole or not at all; without ``replace`` one that is there stays."""
    if not replace:
        with file.open("x", encoding="utf-8") as new_file:
            new_file.write(text)
        return
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as new_file:
            new_file.write(text)
        Path(name).chmod(0o644)
        Path(name).replace(file)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def check_floor(file: Path, text: bytes, as_json: bool) -> int:
    """Show what is wrong with a floor file, and the advice on it; answers how many defects it has."""
    from houseway.commands.screen import print_json
    from houseway.commands.tables import plural
    from houseway.manager.floor_file import read_floor

    floor_file = read_floor(text, file.name, file.parent)
    if as_json:
        print_json(
            {
                "file": str(file),
                "tables": [table.id for table in floor_file.config.tables] if floor_file.config else [],
                "links": [link_data(link, floor_file.config) for link in floor_file.config.links]
                if floor_file.config
                else [],
                "separate_games": combinations_of(floor_file.config) if floor_file.config else {},
                "defects": [{"where": defect.where, "what": defect.what} for defect in floor_file.defects],
                "advice": [
                    {"where": advice.where, "clause": advice.clause, "what": advice.what}
                    for advice in floor_file.advice
                ],
            }
        )
        return len(floor_file.defects)
    for defect in floor_file.defects:
        sys.stdout.write(f"{defect}\n")
    if floor_file.config is not None:
        for link in floor_file.config.links:
            sys.stdout.write(f"{link_words(link, floor_file.config)}\n")
        for table, sentence in combinations_of(floor_file.config).items():
            sys.stdout.write(f"table {table}: {sentence}\n")
    for advice in floor_file.advice:
        sys.stdout.write(f"advice: {advice} ({advice.clause})\n")
    advised = f"{len(floor_file.advice)} pieces of advice" if len(floor_file.advice) != 1 else "1 piece of advice"
    if floor_file.config is None:
        sys.stdout.write(f"{file}: {len(floor_file.defects)} {plural('defect', len(floor_file.defects))}, {advised}\n")
        return len(floor_file.defects)
    tables, links = len(floor_file.config.tables), len(floor_file.config.links)
    sys.stdout.write(
        f"{file}: no defect, {tables} {plural('table', tables)}, {links} {plural('link', links)}, {advised}\n"
    )
    return 0


def combinations_of(floor: FloorConfig) -> dict[str, str]:
    """FL-9: by table, what one hand may carry today, where the table offers more wagers than that."""
    from datetime import date

    from houseway.books.signage import combinations_at

    today = date.today().isoformat()
    sentences = {table.id: combinations_at(floor, table, today) for table in floor.tables}
    return {table: sentence for table, sentence in sentences.items() if sentence}


def games_of(link: LinkConfig, floor: FloorConfig) -> list[str]:
    """The games that a link joins, each once."""
    games = {table.id: table.game for table in floor.tables}
    return list(dict.fromkeys(games[table] for table in link.tables))


def link_data(link: LinkConfig, floor: FloorConfig) -> dict[str, Any]:
    """A link as plain data, with its house edge; null where that is not computed."""
    from houseway.manager.advice import house_edge

    edge = house_edge(link, games_of(link, floor))
    return {
        "id": link.id,
        "tables": list(link.tables),
        "pay_table": link.terms.table.id,
        "approved": link.terms.table.approved,
        "wager_cents": link.terms.wager_cents,
        "house_edge": None if edge is None else {"exact": str(edge), "value": round(float(edge), 10)},
    }


def link_words(link: LinkConfig, floor: FloorConfig) -> str:
    """A link on one line: what it pays by, what it takes, and its house edge."""
    from houseway.manager.advice import NOT_COMPUTED, house_edge
    from houseway.money import dollars
    from houseway.proof.figure import percent

    edge = house_edge(link, games_of(link, floor))
    words = NOT_COMPUTED if edge is None else percent(edge, 2)
    return (
        f"link {link.id}: {', '.join(link.tables)} on {link.terms.table.label}, "
        f"wager {dollars(link.terms.wager_cents)}, house edge {words}"
    )
