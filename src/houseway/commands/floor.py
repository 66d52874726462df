"""``houseway floor``: start a floor, serve it, look at it, and give it single orders."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from uuid import uuid4

import typer

from houseway.commands.arguments import (
    DEFAULT_DATABASE,
    DEFAULT_KEY_FILE,
    FIRST_CODES,
    AsJson,
    Card,
    Checkpoints,
    Database,
    KeyFile,
    ReadingKeyFile,
    SecondCard,
    reading_keys,
)
from houseway.commands.open_floor import give, open_floor, sign_in, sign_in_both
from houseway.money import dollars
from houseway.refusal import Refusal

if TYPE_CHECKING:
    from houseway.manager.config import FloorConfig
    from houseway.manager.floor import FirstPerson, Floor
floor_app = typer.Typer(
    name="floor", help="Run a floor: start, serve, look, and give orders.", no_args_is_help=True, rich_markup_mode=None
)
clock_app = typer.Typer(
    name="clock",
    help="The clock that a floor goes by: look at it, confirm it, put the floor's time right.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
floor_app.add_typer(clock_app)
FloorFileArgument = Annotated[
    Path, typer.Argument(metavar="FLOOR.toml", help="The floor file; houseway init writes one.")
]


@floor_app.command()
def start(
    file: FloorFileArgument,
    db: Database = DEFAULT_DATABASE,
    key_file: KeyFile = DEFAULT_KEY_FILE,
    as_json: AsJson = False,
) -> None:
    """Start a new floor: its database, its keys, and the cards of a manager and an executive.

    Each of the two sets a PIN with `houseway staff pin`. Their codes are shown on a terminal; without one they are
    written to a file beside the keys that only you may read.
    """
    from houseway.manager.floor import Floor
    from houseway.manager.floor_file import load_floor
    from houseway.manager.keyring import Keyring
    from houseway.manager.signing import new_key
    from houseway.manager.store import open_store
    from houseway.manager.store.base import EMPTY

    config = load_floor(file)
    store = open_store(db)
    try:
        if store.head() != EMPTY:
            raise Refusal("floor", f"{store.name} was started already; houseway floor apply changes it")
        if not key_file.exists():
            new_key(key_file)
        floor = Floor(store, keys=Keyring.load(key_file))
    except BaseException:
        store.close()
        raise
    try:
        first, file_of_codes = found_and_hand_out(floor, config, key_file, to_file=as_json)
        name = floor.store.name
    finally:
        floor.close()
    if as_json:
        from houseway.commands.screen import print_json

        people = [{"staff": person.staff, "role": person.role, "card": person.card} for person in first]
        print_json({"database": name, "key_file": str(key_file), "staff": people, "codes_file": str(file_of_codes)})
        return
    sys.stdout.write(
        f"{config.policies.site}: {len(config.tables)} tables, {len(config.links)} links, in {name}\n"
        f"keys {key_file}: keep them outside the database, and a copy of them elsewhere\n"
    )
    say_first_people(first, file_of_codes)


def found_and_hand_out(
    floor: Floor, config: FloorConfig, key_file: Path, *, to_file: bool = False
) -> tuple[tuple[FirstPerson, ...], Path | None]:
    """Found a floor. Its first people's codes go to a file that only its owner reads, unless a terminal shows them.

    Answers with the people, and the file; None where `say_first_people` shows the codes.
    """
    if sys.stdout.isatty() and not to_file:
        return floor.found(config), None
    file = key_file.with_name(FIRST_CODES)
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise Refusal(str(file), "is there already, with the codes of another floor; move it away first") from None
    except OSError as error:
        raise Refusal(str(file), f"cannot be written: {error.strerror}") from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as code_file:
            first = floor.found(config)
            code_file.writelines(f"{person.staff} {person.role} {person.card} {person.secret}\n" for person in first)
            code_file.flush()
            os.fsync(code_file.fileno())
    except BaseException:
        if floor.state.config is None:
            file.unlink()
        raise
    return first, file


def say_first_people(first: Sequence[FirstPerson], file: Path | None) -> None:
    """Say who the first people of a floor are; their codes only where a terminal shows them."""
    for person in first:
        code = f", code {person.secret} (shown this once)" if file is None else ""
        sys.stdout.write(f"{person.staff}, {person.role}: card {person.card}{code}\n")
    if file is not None:
        sys.stdout.write(f"their codes are in {file}, which only you may read; delete it once they are handed over\n")
    sys.stdout.write("each of them sets a PIN first: houseway staff pin --card CARD, or the sign-in page\n")
    sys.stdout.flush()


@floor_app.command()
def serve(db: Database = DEFAULT_DATABASE, key_file: KeyFile = DEFAULT_KEY_FILE) -> None:
    """Serve a floor without screens: orders on standard input, answers on standard output, one JSON object a line."""
    import logging

    from houseway.commands.service import Service
    from houseway.manager.memory import spare_what_is_loaded

    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")

    def write(text: bytes) -> None:
        sys.stdout.buffer.write(text)
        sys.stdout.buffer.flush()

    with open_floor(db, key_file) as floor:
        sys.stderr.write(f"serving {floor.store.name}, {len(floor.state.tables)} tables, entry {floor.state.seq}\n")
        sys.stderr.flush()
        spare_what_is_loaded()
        try:
            Service(floor, write).serve(sys.stdin.buffer)
        except KeyboardInterrupt:
            sys.stderr.write("stopped; orders in hand are finished\n")


@floor_app.command("show")
def show_floor(key_file: ReadingKeyFile = None, db: Database = DEFAULT_DATABASE, as_json: AsJson = False) -> None:
    """Show what stands where: meters, reserves, claims and what they are due, tables, alarms."""
    import msgspec

    from houseway.books.view import floor_view
    from houseway.commands.screen import console, print_json, show, table
    from houseway.manager.state import load_state
    from houseway.manager.store import open_store

    store = open_store(db, create=False, read_only=True)
    try:
        view = msgspec.to_builtins(floor_view(load_state(store, reading_keys(key_file))))
    finally:
        store.close()
    if as_json:
        print_json(view)
        return
    out = console()
    meters = table("meters", "link", "meter", "shows", "reserve", "state", right=("shows", "reserve"))
    claims = table("open claims", "table", "spot", "hand", "meter", "due", "turn", right=("due",))
    for link in view["links"]:
        for meter in link["meters"]:
            state = "retired" if meter["retired"] else "open" if meter["opened"] else "not opened"
            state = "; ".join([state, *link["stops"]])
            meters.add_row(link["id"], meter["meter"], dollars(meter["cents"]), dollars(meter["reserve_cents"]), state)
        for claim in link["claims"]:
            claims.add_row(
                claim["table"],
                str(claim["spot"]),
                claim["hand"].replace("_", " "),
                claim["meter"] or "tray",
                dollars(claim["due_cents"]),
                "J-POT" if claim["at_j_pot"] else str(claim["turn"]),
            )
    tables = table("tables", "table", "game", "console", "link", "round", "spots in")
    for row in view["tables"]:
        spots = ", ".join(map(str, row["lit"])) if row["locked"] else "before lock-in"
        tables.add_row(row["id"], row["game"], row["console"], row["link"] or "none", str(row["round"]), spots)
    show(out, meters)
    if claims.row_count:
        show(out, claims)
    show(out, tables)
    for alarm in view["alarms"]:
        out.print(f"alarm {alarm['alarm']}: {alarm['link']}: {alarm['text']}", markup=False)
    out.print(f"as of entry {view['entry']}", markup=False)


@floor_app.command("file")
def write_file(
    file: Annotated[
        Path | None, typer.Argument(metavar="FLOOR.toml", help="Your own file; its comments and its order are kept.")
    ] = None,
    key_file: ReadingKeyFile = None,
    db: Database = DEFAULT_DATABASE,
) -> None:
    """Print the configuration in force as a floor file, to begin a change from.

    With your own FLOOR.toml, print that file with every difference to the floor in force put right:
    houseway floor file floor.toml > new.toml
    """
    from houseway.manager.floor_file import load_floor
    from houseway.manager.floor_file.text import floor_text, update_floor_text
    from houseway.manager.state import load_state
    from houseway.manager.store import open_store

    store = open_store(db, create=False, read_only=True)
    try:
        config = load_state(store, reading_keys(key_file)).config
    finally:
        store.close()
    if config is None:
        raise Refusal(db, "has no floor yet; houseway floor start founds one")
    described = load_floor(file) if file is not None else None
    if file is None or described is None:
        sys.stdout.write(floor_text(config))
    else:
        sys.stdout.write(update_floor_text(file.read_text("utf-8-sig"), described, config))


@floor_app.command()
def apply(
    file: FloorFileArgument,
    reason: Annotated[str, typer.Option(help="Why, and on whose authority.")],
    card: Card,
    second_card: SecondCard,
    db: Database = DEFAULT_DATABASE,
    key_file: KeyFile = DEFAULT_KEY_FILE,
) -> None:
    """Bring a changed floor file into force, from the next round on; lists what changed. It takes two people."""
    from houseway.manager.commands import Configure
    from houseway.manager.events import FloorConfigured
    from houseway.manager.floor_file import load_floor

    config = load_floor(file)
    with open_floor(db, key_file) as floor:
        by, second = sign_in_both(floor, card, second_card)
        done = give(floor, Configure(config=config, reason=reason), by, second)
    changes = [change for event in done.entry.events if isinstance(event, FloorConfigured) for change in event.changes]
    for change in changes:
        sys.stdout.write(f"{change}\n")
    sys.stdout.write(f"entry {done.entry.seq}: {len(changes)} changes\n" if changes else "nothing differs\n")


@floor_app.command()
def recover(
    reason: Annotated[str, typer.Option(help="What happened to the database, for the journal.")],
    card: Card,
    second_card: SecondCard,
    known_to: Annotated[
        int | None,
        typer.Option(min=1, help="The last entry that the floor is known to have had, where no mark or head says it."),
    ] = None,
    checkpoint: Checkpoints = None,
    db: Database = DEFAULT_DATABASE,
    key_file: KeyFile = DEFAULT_KEY_FILE,
) -> None:
    """Go on with a restored floor that lacks entries it is known to have had. It takes two people.

    Writes an entry that says what is missing; from then on the floor starts again. docs/recovery.md says what to
    compare before, and how to enter what is missing afterwards.
    """
    from houseway.manager.commands import Order, Recover
    from houseway.manager.mark import read_marks
    from houseway.manager.recovery import Claim, claims, in_words

    with open_floor(db, key_file, recovering=True) as floor:
        state, keys = floor.state, floor.keys
        try:
            read_marks(key_file)
        except Refusal:
            if known_to is None and not checkpoint:
                raise
            # A mark that cannot be read says nothing; the two people, or a signed head, do.
            keys = replace(keys, file=None)
        claims_ahead = [claim for claim in claims(floor.store, state, keys, checkpoint or ()) if not claim.holds]
        if known_to is not None and known_to > state.seq:
            claims_ahead.append(Claim("your word", known_to, False))
        if not claims_ahead:
            raise Refusal(
                "journal",
                f"has all that this floor is known to have had, up to entry {state.seq}; nothing is to recover",
            )
        last = max(claim.known_to for claim in claims_ahead)
        furthest = [claim for claim in claims_ahead if claim.known_to == last]
        by, second = sign_in_both(floor, card, second_card)
        command = Recover(
            entries=state.seq,
            known_to=last,
            known_hash=max(claim.hash for claim in furthest),
            root=max(claim.root for claim in furthest),
            reason=reason,
        )
        done = floor.recover(Order(id=str(uuid4()), by=by.id, second=second.id, command=command))
    for ahead in claims_ahead:
        sys.stdout.write(f"{in_words(state, ahead)}\n")
    sys.stdout.write(
        f"entry {done.entry.seq}: restored from entry {state.seq}, known to entry {last}; the floor starts "
        "again; docs/recovery.md says how to enter what is missing\n"
    )


@floor_app.command("do")
def give_order(
    command: Annotated[str, typer.Argument(help='The order, as JSON: {"type": "seed_meter", "link": …}.')],
    card: Card,
    second_card: SecondCard = "",
    order: Annotated[str, typer.Option("--id", help="The order's id; the same id is carried out once.")] = "",
    db: Database = DEFAULT_DATABASE,
    key_file: KeyFile = DEFAULT_KEY_FILE,
    as_json: AsJson = False,
) -> None:
    """Give one order. `houseway floor orders` lists them, and who may give which."""
    import msgspec

    from houseway.commands.screen import print_json
    from houseway.manager.commands import PlainCommand

    try:
        plain_command = msgspec.json.decode(command, type=PlainCommand)
    except (msgspec.DecodeError, UnicodeError) as wrong:
        raise Refusal("order", f"{wrong}; houseway floor orders lists what can be asked") from None
    with open_floor(db, key_file) as floor:
        by = sign_in(floor, card)
        second = sign_in(floor, second_card, second=True) if second_card else None
        done = give(floor, plain_command, by, second, order)
    events = msgspec.to_builtins(done.entry.events)
    if as_json:
        print_json({"entry": done.entry.seq, "repeated": done.repeated, "events": events})
        return
    happened = ", ".join(event["type"].replace("_", " ") for event in events) or "nothing: it was so already"
    again = " (carried out before)" if done.repeated else ""
    sys.stdout.write(f"entry {done.entry.seq}{again}: {happened}\n")


@floor_app.command("orders")
def list_orders(as_json: AsJson = False) -> None:
    """List every order: what it needs to know, who may give it, and who must second it."""
    from houseway.commands.screen import console, print_json, show, table

    known = list(_orders())
    if as_json:
        print_json(known)
        return
    rows = table("orders", "type", "fields", "may be given by", "seconded by", "what it is")
    for kind in known:
        rows.add_row(kind["type"], ", ".join(kind["fields"]), ", ".join(kind["roles"]), kind["seconded"], kind["says"])
    show(console(), rows)


def _orders() -> Iterator[dict[str, Any]]:
    from typing import get_args

    import msgspec

    from houseway.manager.commands import PlainCommand
    from houseway.manager.permissions import PERMISSIONS

    for command in get_args(PlainCommand):
        name = str(command.__struct_config__.tag)
        right = PERMISSIONS[name]
        yield {
            "type": name,
            "fields": [field.name if field.required else f"{field.name}?" for field in msgspec.structs.fields(command)],
            "roles": sorted(right.roles),
            "seconds": sorted(right.seconds),
            "seconded": right.seconded,
            "says": " ".join((command.__doc__ or "").split()),
        }


@clock_app.command("show")
def show_clock(key_file: ReadingKeyFile = None, db: Database = DEFAULT_DATABASE, as_json: AsJson = False) -> None:
    """Show this machine's clock beside the last entry, and what a floor that starts now makes of it."""
    from houseway.commands.screen import print_json
    from houseway.manager.clock import started, utc
    from houseway.manager.state import load_state
    from houseway.manager.store import open_store

    store = open_store(db, create=False, read_only=True)
    try:
        state = load_state(store, reading_keys(key_file))
    finally:
        store.close()
    reading = started(state.at, may_rest=state.demonstration)
    if as_json:
        print_json(
            {
                "clock": reading.wall,
                "last_entry": state.at,
                "believed": not reading.doubt,
                "doubt": reading.words,
                "doubted_machines": sorted(state.doubts),
            }
        )
        return
    sys.stdout.write(f"this machine's clock: {utc(reading.wall)}\nlast entry, {state.seq}: {utc(state.at)}\n")
    for where in sorted(state.doubts):
        sys.stdout.write(f"the floor does not believe the clock of {where}\n")
    sys.stdout.write(f"{reading.words or 'a floor that starts now believes the clock'}\n")


@clock_app.command("confirm")
def confirm_clock(
    card: Card, second_card: SecondCard, db: Database = DEFAULT_DATABASE, key_file: KeyFile = DEFAULT_KEY_FILE
) -> None:
    """Confirm that this machine's clock is right, where the floor does not believe it. It takes two people."""
    from houseway.manager.clock import SECOND, utc
    from houseway.manager.commands import ConfirmClock

    with open_floor(db, key_file) as floor:
        by, second = sign_in_both(floor, card, second_card)
        done = give(floor, ConfirmClock(clock_seconds=floor.clock.wall // SECOND), by, second)
    sys.stdout.write(f"entry {done.entry.seq}: the clock is confirmed; the floor goes by {utc(done.entry.at)}\n")


@clock_app.command("repair")
def repair_clock(
    reason: Annotated[str, typer.Option(help="What was wrong with the clock, for the journal.")],
    card: Card,
    second_card: SecondCard,
    db: Database = DEFAULT_DATABASE,
    key_file: KeyFile = DEFAULT_KEY_FILE,
) -> None:
    """Put the floor's time right where entries lie in the future of the right clock. It takes two people."""
    from houseway.manager.clock import SECOND, utc
    from houseway.manager.commands import RepairClock

    with open_floor(db, key_file) as floor:
        by, second = sign_in_both(floor, card, second_card)
        done = give(floor, RepairClock(clock_seconds=floor.clock.wall // SECOND, reason=reason), by, second)
    sys.stdout.write(f"entry {done.entry.seq}: the time is put right; the floor goes by {utc(done.entry.at)}\n")
