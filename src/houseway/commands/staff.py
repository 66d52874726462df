"""``houseway staff``: the people of a floor, their cards and PINs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from houseway.commands.arguments import (
    DEFAULT_DATABASE,
    DEFAULT_KEY_FILE,
    AsJson,
    Card,
    Database,
    KeyFile,
    ReadingKeyFile,
    SecondCard,
    reading_keys,
)
from houseway.commands.open_floor import ask_secret, give, open_floor, sign_in_both
from houseway.refusal import Refusal

if TYPE_CHECKING:
    from houseway.manager.state import Staff
staff_app = typer.Typer(
    name="staff", help="The people of a floor, their cards and roles.", no_args_is_help=True, rich_markup_mode=None
)


@staff_app.command("list")
def list_staff(key_file: ReadingKeyFile = None, db: Database = DEFAULT_DATABASE, as_json: AsJson = False) -> None:
    """List the staff: who, which role, whether the card is valid."""
    from houseway.commands.screen import console, print_json, show, table
    from houseway.manager.state import load_state
    from houseway.manager.store import open_store

    store = open_store(db, create=False, read_only=True)
    try:
        state = load_state(store, reading_keys(key_file))
    finally:
        store.close()
    if as_json:
        print_json(
            [
                {
                    "id": member.id,
                    "name": member.name,
                    "role": member.role,
                    "card": member.card,
                    "active": member.active,
                }
                for member in state.staff.values()
            ]
        )
        return
    members = table("staff", "id", "name", "role", "card", "state")
    for member in state.staff.values():
        members.add_row(member.id, member.name, member.role, member.card, _card_state(member, state.at))
    show(console(), members)


def _card_state(member: Staff, now: int) -> str:
    if not member.active:
        return "dismissed"
    if not member.pin_set:
        return "no PIN set"
    return "locked" if member.locked_until > now else "valid"


@staff_app.command("add")
def add_staff(
    staff: Annotated[str, typer.Argument(help="A short id for the journal, such as s-miller.")],
    name: Annotated[str, typer.Option(help="The name.")],
    role: Annotated[
        str, typer.Option(help="dealer, supervisor, executive, manager, auditor, technician or surveillance.")
    ],
    card: Card,
    second_card: SecondCard,
    new_card: Annotated[str, typer.Option(help="The new member's card; made up when left out.")] = "",
    db: Database = DEFAULT_DATABASE,
    key_file: KeyFile = DEFAULT_KEY_FILE,
    as_json: AsJson = False,
) -> None:
    """Enrol a member of staff, or give one another role or a new card. It takes two people.

    The code that is shown once is for the new member, who sets a PIN with it: houseway staff pin.
    """
    from typing import get_args

    from houseway.commands.screen import print_json
    from houseway.manager.commands import Enroll, Role
    from houseway.manager.credentials import credential_digest, new_credential, random_card, random_code

    roles = get_args(Role)
    if role not in roles:
        raise Refusal("role", f"unknown role {role!r}; allowed: {', '.join(roles)}")
    code = random_code()
    with open_floor(db, key_file) as floor:
        by, second = sign_in_both(floor, card, second_card)
        credential = new_credential(new_card or random_card(), staff, code, floor.keys)
        command = Enroll(
            staff=staff,
            name=name,
            role=role,  # type: ignore[arg-type]  # checked above
            card=credential.card,
            credential=credential_digest(credential),
        )
        give(floor, command, by, second, credential=credential)
    if as_json:
        print_json({"staff": staff, "role": role, "card": credential.card, "code": code})
        return
    sys.stdout.write(
        f"{name} ({staff}), {role}: card {credential.card}, code {code} (shown this once)\n"
        f"{name} sets a PIN with it first: houseway staff pin --card {credential.card}, or the sign-in page\n"
    )


@staff_app.command("pin")
def set_pin(card: Card, db: Database = DEFAULT_DATABASE, key_file: KeyFile = DEFAULT_KEY_FILE) -> None:
    """Set your own PIN, with your enrolment code or your PIN so far.

    Both are asked for, or taken from HOUSEWAY_PIN and HOUSEWAY_NEW_PIN.
    """
    with open_floor(db, key_file) as floor:
        so_far = ask_secret("HOUSEWAY_PIN", f"enrolment code or PIN of card {card}")
        member = floor.set_pin(card, so_far, ask_secret("HOUSEWAY_NEW_PIN", "new PIN", twice=True))
    sys.stdout.write(f"{member.name} ({member.id}): the PIN is set\n")
