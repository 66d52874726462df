"""People on the staff of a floor in a test.

    found, credentials = founding(config, {"m1": "manager", "e1": "executive"})
    enroll(floor, "m1", "e1", "lee", "dealer", pin="4711")

Whom a test founds its floor with has a PIN already, so that every one of them may give orders and second at once; what
is kept of it fits no PIN where no test tries one, since argon2 takes its time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from unittest.mock import patch

import pytest
from argon2 import PasswordHasher
from msgspec.structs import replace
from tests.keys import KEYS

from houseway.manager import credentials
from houseway.manager.commands import Command, Enroll, Found, Order, Person, Role, SetPin
from houseway.manager.config import FloorConfig
from houseway.manager.credentials import credential_digest, new_credential, random_code
from houseway.manager.floor import Floor
from houseway.manager.keyring import Keyring
from houseway.manager.state import Staff
from houseway.manager.store.base import Credential

_numbers = count(1)
PIN = "806315"
"""One that every role may have."""


CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""Argon2 as weak as it can be: each hash says how dear it is to check, and a test checks many."""


@pytest.fixture(scope="session", autouse=True)
def cheap_pins() -> Iterator[None]:
    """PINs that are quick to make and to check, in this process."""
    with patch.object(credentials, "_hasher", lambda: CHEAP):
        yield


def tried_by_none(card: str, staff: str) -> Credential:
    """A credential that no PIN fits."""
    return Credential(card, staff, "tried by no test of this kit")


def founding(config: FloorConfig, people: Mapping[str, Role], keys: Keyring = KEYS) -> Found:
    """The founding of a floor with these people, who have PINs that no test tries."""
    return Found(
        config=config,
        people=tuple(
            Person(
                staff=staff,
                name=staff.upper(),
                role=role,
                card=f"card-{staff}",
                credential=credential_digest(tried_by_none(f"card-{staff}", staff)),
            )
            for staff, role in people.items()
        ),
        key=keys.public,
        key_ids=keys.names,
        pin_set=True,
    )


def credentials_of(command: Command, by: str = "") -> tuple[Credential, ...]:
    """The credentials that must come with a command which names such."""
    match command:
        case Found():
            return tuple(tried_by_none(one.card, one.staff) for one in command.people)
        case Enroll():
            return (tried_by_none(command.card, command.staff),)
        case SetPin():
            return (tried_by_none(command.card, by),)
        case _:
            return ()


def with_credentials(order: Order) -> tuple[Order, tuple[Credential, ...]]:
    """An order as the floor takes it, with the credentials that no PIN fits."""
    made = credentials_of(order.command, order.by)
    if isinstance(order.command, Enroll | SetPin):
        order = replace(order, command=replace(order.command, credential=credential_digest(made[0])))
    return order, made


def enroll(
    floor: Floor, first: str, second: str, staff: str, role: Role, *, pin: str = PIN, card: str = "", name: str = ""
) -> Staff:
    """A member enrolled by two people, who then sets a PIN; two entries. Without a PIN, only enrolled."""
    code = random_code()
    credential = new_credential(card or f"card-{staff}", staff, code, floor.keys)
    command = Enroll(
        staff=staff,
        name=name or staff.title(),
        role=role,
        card=credential.card,
        credential=credential_digest(credential),
    )
    floor.handle(Order(id=f"enrol-{staff}-{next(_numbers)}", by=first, second=second, command=command), credential)
    return floor.set_pin(credential.card, code, pin) if pin else floor.state.staff[staff]
