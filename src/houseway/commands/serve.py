"""``houseway serve`` and ``houseway up``: a floor on the network."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from houseway.commands.arguments import setting_option, take_settings
from houseway.refusal import Refusal

if TYPE_CHECKING:
    from houseway.manager.floor import Floor
    from houseway.manager.floor_file import FloorFile

SHOWN_CHANGES = 3
BOT_TABLES: Final = ("CS-2", "CS-4", "PG-1", "SE1-1", "V-MS", "V-UTH", "V-CF", "V-BA")


Port = Annotated[int | None, setting_option("port")]


def serve(
    file: Annotated[Path, typer.Argument(metavar="FLOOR.toml", help="The floor file; houseway init writes one.")],
    **options: Any,
) -> None:
    """Serve a floor over HTTP: the API, the live streams and the pages. A new database becomes a new floor.

    Settings come from [server] in the floor file, then the environment, then these options (docs/server.md).
    """
    from houseway.web.server import serve as run
    from houseway.web.settings import resolve_settings

    floor_file = _read(file)
    settings = resolve_settings(_server_part(floor_file, file), file.parent, options)
    if floor_file.config is None and "://" not in settings.db and not Path(settings.db).exists():
        raise _defective(file, floor_file)
    run(
        settings,
        lambda floor: _found(floor, floor_file, file, settings.key_file),
        create=floor_file.config is not None,
    )


take_settings(serve)


def up(
    folder: Annotated[Path, typer.Option("--dir", help="Where the demonstration is kept.")] = Path("demo-floor"),
    port: Port = None,
    bots: Annotated[
        bool, typer.Option("--bots/--no-bots", help="Have bots play at some of its tables, so that its meters move.")
    ] = False,
) -> None:
    """Start a demonstration: a floor with every game, and staff whose cards are no secret, on this machine alone."""
    from houseway.web.demonstration import found_demonstration
    from houseway.web.server import serve as run
    from houseway.web.settings import resolve_settings

    file = folder / "floor.toml"
    _write_floor_file(file)
    floor_file = _read(file)
    part = _server_part(floor_file, file)
    options = {"db": str(folder / "houseway.db"), "key_file": folder / "houseway.key", "port": port}
    # What it prints first is to stay in sight: no line for each request.
    settings = resolve_settings(part, folder, {**options, "log_level": part.get("log_level", "warning")})
    if floor_file.config is None and not Path(settings.db).exists():
        raise _defective(file, floor_file)

    def found_demo(floor: Floor) -> None:
        config = floor_file.config or floor.state.config
        if config is None:
            raise _defective(file, floor_file)
        found_demonstration(floor, config)
        _say_what_differs(floor, floor_file, file)
        tables.extend(table for table in BOT_TABLES if bots and table in floor.state.tables)

    playing: list[subprocess.Popen[bytes]] = []
    tables: list[str] = []

    def ready(address: str) -> None:
        _show_demonstration(address, tables)
        if tables:
            playing.append(_start_bots(address, tables))

    try:
        run(settings, found_demo, create=floor_file.config is not None, ready=ready)
    finally:
        for table_name in playing:
            table_name.terminate()
            table_name.wait()


def _read(file: Path) -> FloorFile:
    from houseway.manager.floor_file import MOST_BYTES, read_bytes, read_floor

    return read_floor(read_bytes(file, MOST_BYTES + 1), file.name, file.parent)


def _server_part(floor_file: FloorFile, file: Path) -> Mapping[str, Any]:
    if floor_file.server is None:
        about = [defect for defect in floor_file.defects if defect.where == "server"] or floor_file.defects
        raise Refusal(str(file), str(about[0]))
    return floor_file.server


def _defective(file: Path, floor_file: FloorFile) -> Refusal:
    count = len(floor_file.defects)
    more = f"; and {count - 1} more, which houseway check lists" if count > 1 else ""
    return Refusal(str(file), f"{floor_file.defects[0]}{more}")


def _found(floor: Floor, floor_file: FloorFile, file: Path, key_file: Path) -> None:
    """Found the floor that a file describes, or say how the file differs from the one that is in force."""
    if floor.state.config is not None:
        _say_what_differs(floor, floor_file, file)
        return
    if floor_file.config is None:
        raise _defective(file, floor_file)
    from houseway.commands.floor import found_and_hand_out, say_first_people

    first, codes = found_and_hand_out(floor, floor_file.config, key_file)
    sys.stdout.write(f"{floor_file.config.policies.site}: a new floor in {floor.store.name}\n")
    say_first_people(first, codes)


def _say_what_differs(floor: Floor, floor_file: FloorFile, file: Path) -> None:
    """What is served is what is in force; the file comes into force by a manager's order alone."""
    from houseway.manager.changes import differences

    if floor_file.config is None:
        sys.stderr.write(f"{file}: {_defective(file, floor_file).sentence}; serving the floor that is in force\n")
        return
    changes = differences(floor.state, floor_file.config)
    if not changes:
        return
    shown = "".join(f"  {change}\n" for change in changes[:SHOWN_CHANGES])
    more = f"  and {len(changes) - SHOWN_CHANGES} more\n" if len(changes) > SHOWN_CHANGES else ""
    sys.stderr.write(
        f"{file} differs from the floor that is in force, which is served:\n{shown}{more}"
        f"two people bring it into force: houseway floor apply {file} --reason … --card … --second-card …,\n"
        "with the server stopped,\n"
        "or POST /api/v1/floor/configure while it runs\n"
    )
    sys.stderr.flush()


def _write_floor_file(file: Path) -> None:
    """The demonstration's floor file, whole or not at all; a floor file that is there is kept."""
    from houseway.manager.floor_file import demonstration_floor

    if file.exists():
        return
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
        with os.fdopen(handle, "w", encoding="utf-8") as code_file:
            code_file.write(demonstration_floor())
        Path(name).chmod(0o644)
        Path(name).replace(file)
    except OSError as error:
        raise Refusal(str(file), f"cannot be written: {error.strerror}") from None


def _start_bots(address: str, tables: Sequence[str]) -> subprocess.Popen[bytes]:
    """Bots at some tables; all others are for people to try."""
    command = [sys.executable, "-m", "houseway.cli", "bots", "--url", address, "--tables", ",".join(tables)]
    command += ["--pace", "3", "--simple"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _show_demonstration(address: str, bot_tables: Sequence[str]) -> None:
    """The addresses, and the cards that are no secret."""
    from houseway.commands.screen import console, show, table
    from houseway.web.demonstration import FIRST, PIN, STAFF

    out = console()
    places = table(f"a demonstration floor at {address}", "address", "what is there")
    for path, what in (
        ("/", "the pages"),
        ("/api/v1", "the API"),
        ("/openapi.json", "its description"),
        ("/healthz", "whether the server answers"),
        ("/readyz", "whether its database does"),
        ("/metrics", "numbers for Prometheus"),
    ):
        places.add_row(f"{address}{path}", what)
    cards = table("cards that are no secret; they work on this machine alone", "card", "PIN", "role", "who")
    for person in (FIRST, *STAFF):
        cards.add_row(person.card, PIN, person.role, person.name)
    show(out, places)
    show(out, cards)
    if bot_tables:
        out.print(f"bots play at {', '.join(bot_tables)}; the other tables are yours", markup=False)
    out.print("Ctrl-C stops it; houseway up goes on where it stopped", markup=False)
    sys.stdout.flush()
