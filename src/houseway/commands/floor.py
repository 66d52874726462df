"""``houseway floor``: start a floor, serve it, look at it, and give it single orders."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from uuid import uuid4

import typer

from houseway.commands.arguments import (
    DEFAULT_DATABASE,
    DEFAULT_KEY_FILE,
    AsJson,
    Card,
    Database,
    KeyFile,
    SecondCard,
)
from houseway.money import dollars
from houseway.refusal import Refusal

if TYPE_CHECKING:
    from houseway.manager.commands import Command
    from houseway.manager.floor import Done, Floor
    from houseway.manager.state import Staff

floor_app = typer.Typer(
    name="floor", help="Run a floor: start, serve, look, and give orders.", no_args_is_help=True, rich_markup_mode=None
)
staff_app = typer.Typer(
    name="staff", help="The people of a floor, their cards and roles.", no_args_is_help=True, rich_markup_mode=None
)

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
    """Start a new floor: make its database, its signing key and the first manager's card, whose PIN is shown once."""
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
        first = floor.found(config)
        name = floor.store.name
    finally:
        floor.close()
    if as_json:
        from houseway.commands.screen import print_json

        print_json(
            {"database": name, "key_file": str(key_file), "staff": first.staff, "card": first.card, "pin": first.pin}
        )
        return
    sys.stdout.write(
        f"{config.policies.site}: {len(config.tables)} tables, {len(config.links)} links, in {name}\n"
        f"signing key {key_file}: keep it outside the database, and a copy of it elsewhere\n"
        f"first manager {first.staff}: card {first.card}, PIN {first.pin} (shown this once)\n"
    )


@floor_app.command()
def serve(db: Database = DEFAULT_DATABASE, key_file: KeyFile = DEFAULT_KEY_FILE) -> None:
    """Serve a floor without screens: orders on standard input, answers on standard output, one JSON object a line."""
    import logging

    from houseway.manager.service import Service

    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")

    def write(text: bytes) -> None:
        sys.stdout.buffer.write(text)
        sys.stdout.buffer.flush()

    with opened(db, key_file) as floor:
        sys.stderr.write(f"serving {floor.store.name}, {len(floor.state.tables)} tables, entry {floor.state.seq}\n")
        sys.stderr.flush()
        try:
            Service(floor, write).serve(sys.stdin.buffer)
        except KeyboardInterrupt:
            sys.stderr.write("stopped; orders in hand are finished\n")


@floor_app.command("show")
def show_floor(db: Database = DEFAULT_DATABASE, as_json: AsJson = False) -> None:
    """Show what stands where: meters, reserves, claims and what they are due, tables, alarms."""
    import msgspec

    from houseway.commands.screen import console, print_json, show, table
    from houseway.manager.state import load_state
    from houseway.manager.store import open_store
    from houseway.manager.view import floor_view

    store = open_store(db, create=False, read_only=True)
    try:
        view = msgspec.to_builtins(floor_view(load_state(store)))
    finally:
        store.close()
    if as_json:
        print_json(view)
        return
    out = console()
    meters = table("meters", "link", "meter", "shows", "reserve", "state", right=("shows", "reserve"))
    claims = table("open claims", "table", "spot", "hand", "meter", "due", "turn", right=("due",))
    for link in view["links"]:
        for one in link["meters"]:
            state = "retired" if one["retired"] else "open" if one["opened"] else "not opened"
            state = "; ".join([state, *link["stops"]])
            meters.add_row(link["id"], one["meter"], dollars(one["cents"]), dollars(one["reserve_cents"]), state)
        for one in link["claims"]:
            claims.add_row(
                one["table"],
                str(one["spot"]),
                one["hand"].replace("_", " "),
                one["meter"] or "tray",
                dollars(one["due_cents"]),
                "J-POT" if one["at_j_pot"] else str(one["turn"]),
            )
    tables = table("tables", "table", "game", "console", "link", "round", "spots in")
    for one in view["tables"]:
        spots = ", ".join(map(str, one["lit"])) if one["locked"] else "before lock-in"
        tables.add_row(one["id"], one["game"], one["console"], one["link"] or "none", str(one["round"]), spots)
    show(out, meters)
    if claims.row_count:
        show(out, claims)
    show(out, tables)
    for alarm in view["alarms"]:
        out.print(f"alarm {alarm['alarm']}: {alarm['link']}: {alarm['text']}", markup=False)
    out.print(f"as of entry {view['entry']}", markup=False)


@floor_app.command()
def apply(
    file: FloorFileArgument,
    reason: Annotated[str, typer.Option(help="Why, and on whose authority.")],
    card: Card,
    db: Database = DEFAULT_DATABASE,
    key_file: KeyFile = DEFAULT_KEY_FILE,
) -> None:
    """Bring a changed floor file into force, from the next round on; lists what changed."""
    from houseway.manager.commands import Configure
    from houseway.manager.events import FloorConfigured
    from houseway.manager.floor_file import load_floor

    config = load_floor(file)
    with opened(db, key_file) as floor:
        done = give(floor, Configure(config=config, reason=reason), signed_in(floor, card))
    changes = [change for event in done.entry.events if isinstance(event, FloorConfigured) for change in event.changes]
    for change in changes:
        sys.stdout.write(f"{change}\n")
    sys.stdout.write(f"entry {done.entry.seq}: {len(changes)} changes\n" if changes else "nothing differs\n")


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
        asked = msgspec.json.decode(command, type=PlainCommand)
    except (msgspec.DecodeError, UnicodeError) as wrong:
        raise Refusal("order", f"{wrong}; houseway floor orders lists what can be asked") from None
    with opened(db, key_file) as floor:
        by = signed_in(floor, card)
        second = signed_in(floor, second_card, second=True) if second_card else None
        done = give(floor, asked, by, second, order)
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
    made = table("orders", "type", "fields", "may be given by", "seconded by", "what it is")
    for one in known:
        made.add_row(
            one["type"], ", ".join(one["fields"]), ", ".join(one["roles"]), ", ".join(one["seconds"]), one["says"]
        )
    show(console(), made)


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
            "says": " ".join((command.__doc__ or "").split()),
        }


@staff_app.command("list")
def list_staff(db: Database = DEFAULT_DATABASE, as_json: AsJson = False) -> None:
    """List the staff: who, which role, whether the card is valid."""
    from houseway.commands.screen import console, print_json, show, table
    from houseway.manager.state import load_state
    from houseway.manager.store import open_store

    store = open_store(db, create=False, read_only=True)
    try:
        state = load_state(store)
    finally:
        store.close()
    if as_json:
        print_json(
            [
                {"id": one.id, "name": one.name, "role": one.role, "card": one.card, "active": one.active}
                for one in state.staff.values()
            ]
        )
        return
    made = table("staff", "id", "name", "role", "card", "state")
    for one in state.staff.values():
        how = "dismissed" if not one.active else "locked" if one.locked_until > state.at else "valid"
        made.add_row(one.id, one.name, one.role, one.card, how)
    show(console(), made)


@staff_app.command("add")
def add_staff(
    staff: Annotated[str, typer.Argument(help="A short id for the journal, such as s-miller.")],
    name: Annotated[str, typer.Option(help="The name.")],
    role: Annotated[str, typer.Option(help="dealer, supervisor, executive, manager, auditor or technician.")],
    card: Card,
    new_card: Annotated[str, typer.Option(help="The new member's card; made up when left out.")] = "",
    db: Database = DEFAULT_DATABASE,
    key_file: KeyFile = DEFAULT_KEY_FILE,
    as_json: AsJson = False,
) -> None:
    """Enrol a member of staff, or give one a new card; the new PIN is made here and shown once."""
    from typing import get_args

    from houseway.commands.screen import print_json
    from houseway.manager.commands import Enroll, Role
    from houseway.manager.credentials import credential_digest, new_credential, random_card, random_pin

    roles = get_args(Role)
    if role not in roles:
        raise Refusal("role", f"{role!r} is none; it may be {', '.join(roles)}")
    pin = random_pin()
    credential = new_credential(new_card or random_card(), staff, pin)
    command = Enroll(
        staff=staff,
        name=name,
        role=role,  # type: ignore[arg-type]  # checked above
        card=credential.card,
        credential=credential_digest(credential),
    )
    with opened(db, key_file) as floor:
        give(floor, command, signed_in(floor, card), credential=credential)
    if as_json:
        print_json({"staff": staff, "role": role, "card": credential.card, "pin": pin})
        return
    sys.stdout.write(f"{name} ({staff}), {role}: card {credential.card}, PIN {pin} (shown this once)\n")


def backup(
    target: Annotated[Path, typer.Argument(help="The file to write; it must not exist.")],
    db: Database = DEFAULT_DATABASE,
) -> None:
    """Copy a floor's whole database, as of one moment, into one file, while the floor runs."""
    from houseway.manager.store import open_store

    store = open_store(db, create=False, read_only=True)
    try:
        store.backup(target)
    finally:
        store.close()
    copy = open_store(str(target), create=False, read_only=True)
    try:
        seq = copy.head().seq
    finally:
        copy.close()
    sys.stdout.write(f"{target}: {seq} entries\n")


def restore(
    source: Annotated[Path, typer.Argument(help="A file that houseway backup wrote.")],
    db: Database = DEFAULT_DATABASE,
) -> None:
    """Restore a backup into a new database, and verify it: the chain, and every meter replayed from the journal."""
    from houseway.manager.replay import replay
    from houseway.manager.store import open_store
    from houseway.manager.store import restore as restore_into
    from houseway.manager.verify import verify

    restore_into(source, db)
    store = open_store(db, create=False, read_only=True)
    try:
        findings, again = verify(store), replay(store)
        name, seq = store.name, store.head().seq
    finally:
        store.close()
    for finding in findings.bad:
        sys.stdout.write(f"{finding}\n")
    if findings.bad or not again.equal:
        sys.stdout.write(f"{name}: restored, but it does not verify\n")
        raise typer.Exit(1)
    sys.stdout.write(f"{name}: {seq} entries restored; the chain verifies and every meter replays to the same\n")


@contextmanager
def opened(db: str, key_file: Path = DEFAULT_KEY_FILE) -> Iterator[Floor]:
    """A floor opened for writing with its keys, and closed again whatever happens."""
    from houseway.manager.floor import Floor
    from houseway.manager.keyring import Keyring
    from houseway.manager.store import open_store
    from houseway.manager.store.base import StoreFault

    floor = Floor(open_store(db, create=False), keys=Keyring.load(key_file))
    try:
        if floor.state.config is None:
            raise Refusal("floor", f"{floor.store.name} holds none yet; houseway floor start makes one")
        yield floor
    except StoreFault as fault:
        raise Refusal("database", str(fault)) from None
    finally:
        floor.close()


def signed_in(floor: Floor, card: str, *, second: bool = False) -> Staff:
    """Who presents this card, with the PIN from the environment or asked for without echo."""
    name = "HOUSEWAY_SECOND_PIN" if second else "HOUSEWAY_PIN"
    pin = os.environ.get(name)
    if pin is None:
        if not sys.stdin.isatty():
            raise Refusal("pin", f"is not given; set {name}, or run this on a terminal")
        pin = typer.prompt(f"PIN of card {card}", hide_input=True)
    return floor.sign_in(card, pin)


def give(
    floor: Floor,
    command: Command,
    by: Staff,
    second: Staff | None = None,
    id: str = "",
    credential: Any = None,
) -> Done:
    """Give an order and wait for it."""
    from houseway.manager.commands import Order

    order = Order(id=id or str(uuid4()), by=by.id, second=second.id if second else "", command=command)
    return floor.handle(order, credential)
