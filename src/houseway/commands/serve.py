"""``houseway serve`` and ``houseway up``: a floor on the network."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from houseway.refusal import Refusal

if TYPE_CHECKING:
    from houseway.manager.floor import Floor
    from houseway.manager.floor_file import FloorFile
    from houseway.manager.floor_file.draft import ServerPart

SHOWN_CHANGES = 3
BOT_TABLES = "CS-2,CS-4,PG-1,SE1-1"


def _set(help: str, variable: str, *names: str) -> Any:
    return typer.Option(*names, envvar=f"HOUSEWAY_{variable}", help=help, show_default=False)


Port = Annotated[int | None, _set("The port to listen on; 0 for any that is free.", "PORT")]


def serve(
    file: Annotated[Path, typer.Argument(metavar="FLOOR.toml", help="The floor file; houseway init writes one.")],
    host: Annotated[str | None, _set("The address to listen on.", "HOST")] = None,
    port: Port = None,
    db: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|URL",
            envvar="HOUSEWAY_DB",
            help="The floor's database: a file (SQLite), or postgresql://… .",
            show_default=False,
        ),
    ] = None,
    key_file: Annotated[Path | None, _set("The file of the floor's key.", "KEY")] = None,
    tls_certificate: Annotated[Path | None, _set("The certificate for TLS, with its chain.", "TLS_CERTIFICATE")] = None,
    tls_key: Annotated[Path | None, _set("The certificate's key.", "TLS_KEY")] = None,
    plain_http: Annotated[
        bool | None,
        _set("Let others reach it without TLS.", "PLAIN_HTTP", "--plain-http"),
    ] = None,
    trusted_proxies: Annotated[
        list[str] | None,
        _set("A proxy whose word about clients is taken; may be given again.", "TRUSTED_PROXIES", "--trusted-proxy"),
    ] = None,
    idle_minutes: Annotated[int | None, _set("Minutes without a request until one signs in.", "IDLE_MINUTES")] = None,
    log: Annotated[str | None, _set("The log: people or json.", "LOG")] = None,
    log_level: Annotated[str | None, _set("From where on it is logged: debug, info or warning.", "LOG_LEVEL")] = None,
    metrics: Annotated[str | None, _set("Who may read /metrics: local or open.", "METRICS")] = None,
    sign_ins_a_minute: Annotated[
        int | None, _set("Tries to sign in that an address has in a minute.", "SIGN_INS_A_MINUTE")
    ] = None,
    most_streams: Annotated[int | None, _set("Live streams at once.", "MOST_STREAMS")] = None,
    streams_per_address: Annotated[
        int | None, _set("Live streams of one address at once.", "STREAMS_PER_ADDRESS")
    ] = None,
    streams_per_person: Annotated[int | None, _set("Live streams of one person at once.", "STREAMS_PER_PERSON")] = None,
    most_connections: Annotated[int | None, _set("Connections at once.", "MOST_CONNECTIONS")] = None,
    connections_per_address: Annotated[
        int | None, _set("Connections of one address at once.", "CONNECTIONS_PER_ADDRESS")
    ] = None,
    orders_a_second: Annotated[int | None, _set("Orders a second in all.", "ORDERS_A_SECOND")] = None,
    orders_a_second_per_address: Annotated[
        int | None, _set("Orders a second of one address.", "ORDERS_A_SECOND_PER_ADDRESS")
    ] = None,
    orders_a_second_per_person: Annotated[
        int | None, _set("Orders a second of one member of staff or device.", "ORDERS_A_SECOND_PER_PERSON")
    ] = None,
    orders_a_second_per_player: Annotated[
        int | None, _set("Orders a second of one player.", "ORDERS_A_SECOND_PER_PLAYER")
    ] = None,
    most_waiting: Annotated[
        int | None, _set("Requests that may wait for their answer at once.", "MOST_WAITING")
    ] = None,
    order_seconds: Annotated[int | None, _set("Seconds for an order to be recorded.", "ORDER_SECONDS")] = None,
    header_seconds: Annotated[int | None, _set("Seconds for a request's headers to arrive.", "HEADER_SECONDS")] = None,
    body_seconds: Annotated[int | None, _set("Seconds for a request's body to arrive.", "BODY_SECONDS")] = None,
    write_seconds: Annotated[
        int | None, _set("Seconds that a client may take nothing of its answer.", "WRITE_SECONDS")
    ] = None,
    keep_alive_seconds: Annotated[
        int | None, _set("Seconds that a connection waits for its next request.", "KEEP_ALIVE_SECONDS")
    ] = None,
    stop_seconds: Annotated[
        int | None, _set("Seconds that a stop waits for answers under way.", "STOP_SECONDS")
    ] = None,
    witnesses: Annotated[
        list[str] | None,
        _set("The address of a witness that checkpoints are sent to; may be given again.", "WITNESSES", "--witness"),
    ] = None,
    checkpoint_file: Annotated[
        Path | None, _set("Where the latest cosigned checkpoint is kept.", "CHECKPOINT_FILE")
    ] = None,
    checkpoint_seconds: Annotated[
        int | None, _set("Seconds from one checkpoint to the next.", "CHECKPOINT_SECONDS")
    ] = None,
) -> None:
    """Serve a floor over HTTP: the API, the live streams and the pages. A new database becomes a new floor.

    Settings come from [server] in the floor file, then the environment, then these options (docs/server.md).
    """
    given = {name: value for name, value in locals().items() if name != "file"}
    from houseway.web.server import serve as run
    from houseway.web.settings import layered

    found = _read(file)
    settings = layered(_server_part(found, file), file.parent, given)
    if found.config is None and "://" not in settings.db and not Path(settings.db).exists():
        raise _defective(file, found)
    run(settings, lambda floor: _found(floor, found, file, settings.key_file), create=found.config is not None)


def up(
    folder: Annotated[Path, typer.Option("--dir", help="Where the demonstration is kept.")] = Path("demo-floor"),
    port: Port = None,
    bots: Annotated[
        bool, typer.Option("--bots/--no-bots", help="Have bots play at some of its tables, so that its meters move.")
    ] = False,
) -> None:
    """Start a demonstration: the example floor with staff whose cards are no secret, on this machine alone."""
    from houseway.web.demonstration import found_demonstration
    from houseway.web.server import serve as run
    from houseway.web.settings import layered

    file = folder / "floor.toml"
    _write_example(file)
    found = _read(file)
    part = _server_part(found, file)
    given = {"db": str(folder / "houseway.db"), "key_file": folder / "houseway.key", "port": port}
    # What it prints first is to stay in sight: no line for each request.
    settings = layered(part, folder, {**given, "log_level": part.log_level or "warning"})
    if found.config is None and not Path(settings.db).exists():
        raise _defective(file, found)

    def found_demo(floor: Floor) -> None:
        config = found.config or floor.state.config
        if config is None:
            raise _defective(file, found)
        found_demonstration(floor, config)
        _say_what_differs(floor, found, file)

    playing: list[subprocess.Popen[bytes]] = []

    def ready(address: str) -> None:
        _show_demonstration(address, bots)
        if bots:
            playing.append(_start_bots(address))

    try:
        run(settings, found_demo, create=found.config is not None, ready=ready)
    finally:
        for one in playing:
            one.terminate()
            one.wait()


def _read(file: Path) -> FloorFile:
    from houseway.manager.floor_file import MOST_BYTES, read_bytes, read_floor

    return read_floor(read_bytes(file, MOST_BYTES + 1), file.name, file.parent)


def _server_part(found: FloorFile, file: Path) -> ServerPart:
    if found.server is None:
        about = [one for one in found.defects if one.where == "server"] or found.defects
        raise Refusal(str(file), str(about[0]))
    return found.server


def _defective(file: Path, found: FloorFile) -> Refusal:
    count = len(found.defects)
    more = f"; and {count - 1} more, which houseway check lists" if count > 1 else ""
    return Refusal(str(file), f"{found.defects[0]}{more}")


def _found(floor: Floor, found: FloorFile, file: Path, key_file: Path) -> None:
    """Found the floor that a file describes, or say how the file differs from the one that is in force."""
    if floor.state.config is not None:
        _say_what_differs(floor, found, file)
        return
    if found.config is None:
        raise _defective(file, found)
    from houseway.commands.floor import found_and_hand_out, say_first_people

    first, codes = found_and_hand_out(floor, found.config, key_file)
    sys.stdout.write(f"{found.config.policies.site}: a new floor in {floor.store.name}\n")
    say_first_people(first, codes)


def _say_what_differs(floor: Floor, found: FloorFile, file: Path) -> None:
    """What is served is what is in force; the file comes into force by a manager's order alone."""
    from houseway.manager.changes import differences

    if found.config is None:
        sys.stderr.write(f"{file}: {_defective(file, found).sentence}; serving the floor that is in force\n")
        return
    changes = differences(floor.state, found.config)
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


def _write_example(file: Path) -> None:
    """The example floor, whole or not at all; a floor file that is there is kept."""
    from houseway.manager.floor_file import example_floor

    if file.exists():
        return
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
        with os.fdopen(handle, "w", encoding="utf-8") as made:
            made.write(example_floor())
        Path(name).chmod(0o644)
        Path(name).replace(file)
    except OSError as error:
        raise Refusal(str(file), f"cannot be written: {error.strerror}") from None


def _start_bots(address: str) -> subprocess.Popen[bytes]:
    """Bots at tables that use the system for their progressive alone; all others are for people to try."""
    command = [sys.executable, "-m", "houseway.cli", "bots", "--url", address, "--tables", BOT_TABLES, "--pace", "3"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _show_demonstration(address: str, bots: bool) -> None:
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
    for one in (FIRST, *STAFF):
        cards.add_row(one.card, PIN, one.role, one.name)
    show(out, places)
    show(out, cards)
    if bots:
        out.print(f"bots play at {BOT_TABLES.replace(',', ', ')}; the other tables are yours", markup=False)
    out.print("Ctrl-C stops it; houseway up goes on where it stopped", markup=False)
    sys.stdout.flush()
