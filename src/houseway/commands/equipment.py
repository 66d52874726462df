"""``houseway equipment`` and ``houseway approvals``: what a floor has, what is missing, and by which clause."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from houseway.commands.arguments import AsJson
from houseway.refusal import Refusal

if TYPE_CHECKING:
    from houseway.manager.floor_file import FloorFile
    from houseway.paytables import Defect
    from houseway.table.equipment import Equipment, Kind

FLOOR = typer.Argument(metavar="FLOOR.toml", help="The floor file; houseway init writes one.")


def equipment(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FLOOR.toml]", help="The floor file; without one, the approved equipment is listed."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List a floor's equipment and everything its tables lack, by clause. Exit code 1 when there is something."""
    if file is None:
        _show_register(as_json)
        return
    floor_file = _read(file)
    items = floor_file.registers.equipment if floor_file.registers else ()
    lacking = dict(floor_file.registers.lacking) if floor_file.registers else {}
    if as_json:
        _print(
            {
                "equipment": [_item_data(item) for item in items],
                "tables": [{"table": table, "missing": missing} for table, missing in lacking.items()],
                "defects": _defect_data(floor_file.defects),
            }
        )
    else:
        _show_equipment(items)
        every = dict.fromkeys(sentence for missing in lacking.values() for sentence in missing)
        _show_missing(str(file), list(every), floor_file.defects)
    if floor_file.defects or any(lacking.values()):
        raise typer.Exit(1)


def approvals(
    file: Annotated[Path, FLOOR],
    on: Annotated[
        str | None, typer.Option("--on", metavar="DAY", help="As of this day, such as 2026-01-01; today otherwise.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the approvals of a floor's games and what is missing, by clause. Exit code 1 when there is something."""
    from houseway.table.approvals import DEMONSTRATION, lines

    floor_file = _read(file, _day(on) if on is not None else None)
    known = floor_file.registers
    kind = known.kind if known else "commercial"
    games = known.games if known else ()
    if as_json:
        _print(
            {
                "site": kind,
                "on": known.on.isoformat() if known else None,
                "games": [
                    {
                        "game": game.game,
                        "state": game.state,
                        "demonstration": game.demonstration,
                        "there": lines(game.checklist, kind) if game.checklist is not None else [],
                        "missing": list(game.faults),
                    }
                    for game in games
                ],
                "defects": _defect_data(floor_file.defects),
            }
        )
    else:
        for game in games:
            there = lines(game.checklist, kind) if game.checklist is not None else []
            sys.stdout.write("".join(f"{line}\n" for line in [*there, game.line]))
        marked = f"{DEMONSTRATION}: {file}" if any(game.demonstration for game in games) else str(file)
        _show_missing(marked, [fault for game in games for fault in game.faults], floor_file.defects)
    if floor_file.defects or any(game.faults for game in games):
        raise typer.Exit(1)


def _read(file: Path, on: date | None = None) -> FloorFile:
    """The floor file, whatever is wrong with it; what cannot be opened is refused."""
    from houseway.manager.floor_file import MOST_BYTES, read_bytes, read_floor

    return read_floor(read_bytes(file, MOST_BYTES + 1), file.name, file.parent, on)


def _day(on: str) -> date:
    try:
        return date.fromisoformat(on)
    except ValueError:
        raise Refusal("--on", f"is {on!r}; it must be a day such as 2026-01-01") from None


def _show_equipment(items: Sequence[Equipment]) -> None:
    from houseway.commands import screen
    from houseway.table.equipment import register

    table = screen.table("Registered equipment", "id", "equipment", "version", "approved", "tables")
    for item in items:
        tables = ", ".join(item.tables) or "all"
        kind = register().kinds[item.kind]
        table.add_row(item.id, item.title, item.version, _approved(kind), tables + " (backup)" * item.backup)
    screen.show(screen.console(), table)


def _show_register(as_json: bool) -> None:
    """The approved equipment."""
    from houseway.commands import screen
    from houseway.table.equipment import register

    kinds = list(register().kinds.values())
    if as_json:
        _print([{**_kind_data(kind), "documents": list(kind.documents)} for kind in kinds])
        return
    table = screen.table("Approved equipment (FL-11)", "kind", "equipment", "part", "approved", "documents")
    for kind in kinds:
        table.add_row(kind.key, kind.title, kind.part, _approved(kind), ", ".join(kind.documents))
    screen.show(screen.console(), table)


def _approved(kind: Kind) -> str:
    """Which version of a kind is approved, in words."""
    if kind.approved == "any":
        return "no version printed"
    lower = f", {kind.cover_all_version} for Cover All" if kind.cover_all_version else ""
    exact = f", exactly in {' and '.join(kind.exact_documents)}" if kind.exact_documents else ""
    return f"{kind.version} {'exactly' if kind.approved == 'exact' else 'or higher'}{lower}{exact}"


def _show_missing(file: str, missing: Sequence[str], defects: Sequence[Defect]) -> None:
    lines = [*map(str, defects), *missing]
    lines.append(f"{file}: {len(missing)} missing, {len(defects)} defects" if lines else f"{file}: nothing is missing")
    sys.stdout.write("".join(f"{line}\n" for line in lines))


def _item_data(item: Equipment) -> dict[str, Any]:
    from houseway.table.equipment import register

    return {
        "id": item.id,
        "version": item.version,
        "tables": list(item.tables),
        "backup": item.backup,
        **_kind_data(register().kinds[item.kind]),
    }


def _kind_data(kind: Kind) -> dict[str, Any]:
    return {"kind": kind.key, "title": kind.title, "part": kind.part, "approved": _approved(kind)}


def _defect_data(defects: Sequence[Defect]) -> list[dict[str, str]]:
    return [{"where": defect.where, "what": defect.what} for defect in defects]


def _print(value: Any) -> None:
    from houseway.commands.screen import print_json

    print_json(value)
