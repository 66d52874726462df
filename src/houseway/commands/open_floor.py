"""A floor opened for one command, and the people who give its orders."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import typer

from houseway.commands.arguments import (
    DEFAULT_KEY_FILE,
)
from houseway.refusal import Refusal

if TYPE_CHECKING:
    from houseway.manager.commands import Command
    from houseway.manager.floor import Done, Floor
    from houseway.manager.state import Staff


@contextmanager
def open_floor(db: str, key_file: Path = DEFAULT_KEY_FILE, *, recovering: bool = False) -> Iterator[Floor]:
    """A floor opened for writing with its keys, and closed again whatever happens."""
    from houseway.manager.floor import Floor
    from houseway.manager.keyring import Keyring
    from houseway.manager.store import open_store

    keys = Keyring.load(key_file)
    store = open_store(db, create=False)
    try:
        floor = Floor(store, keys=keys, recovering=recovering)
    except BaseException:
        store.close()
        raise
    try:
        if floor.state.config is None:
            raise Refusal("floor", f"{floor.store.name} holds none yet; houseway floor start makes one")
        yield floor
    finally:
        floor.close()


def sign_in(floor: Floor, card: str, *, second: bool = False) -> Staff:
    """The member of staff with this card; the PIN is from the environment, or asked for without echo."""
    return floor.sign_in(card, ask_secret("HOUSEWAY_SECOND_PIN" if second else "HOUSEWAY_PIN", f"PIN of card {card}"))


def sign_in_both(floor: Floor, card: str, second_card: str) -> tuple[Staff, Staff]:
    """The two people of an order that takes two."""
    return sign_in(floor, card), sign_in(floor, second_card, second=True)


def ask_secret(name: str, words: str, *, twice: bool = False) -> str:
    """A PIN or code, from the environment or asked for without echo."""
    secret = os.environ.get(name)
    if secret is not None:
        return secret
    if not sys.stdin.isatty():
        raise Refusal("pin", f"is not given; set {name}, or run this on a terminal")
    return str(typer.prompt(words, hide_input=True, confirmation_prompt=twice))


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
    return floor.handle(order, *([credential] if credential else []))
