"""A floor to try out: staff whose cards and PINs are no secret, and meters that are seeded. On one machine alone."""

from __future__ import annotations

import hashlib
from typing import Final, NamedTuple

from houseway.manager.commands import Enroll, Order, Role, SeedMeter
from houseway.manager.config import FloorConfig
from houseway.manager.credentials import credential_digest, new_credential
from houseway.manager.floor import FirstCard, Floor
from houseway.refusal import Refusal


class DemoCard(NamedTuple):
    """Somebody on the staff of a demonstration."""

    staff: str
    name: str
    role: Role
    card: str


PIN: Final = "1234"
FIRST: Final = DemoCard("demo-manager", "Demo manager", "manager", "5001")
STAFF: Final = (
    DemoCard("demo-dealer", "Demo dealer", "dealer", "2001"),
    DemoCard("demo-dealer-2", "Demo dealer two", "dealer", "2002"),
    DemoCard("demo-supervisor", "Demo supervisor", "supervisor", "3001"),
    DemoCard("demo-executive", "Demo executive", "executive", "4001"),
    DemoCard("demo-manager-2", "Demo manager two", "manager", "5002"),
    DemoCard("demo-auditor", "Demo auditor", "auditor", "6001"),
    DemoCard("demo-technician", "Demo technician", "technician", "7001"),
)


def found_demonstration(floor: Floor, config: FloorConfig) -> None:
    """The first start of a demonstration: its staff, and every meter with its seed.

    Called again after it was interrupted, it does what is missing, on the floor that was founded. Once everything has
    been done it does nothing: who was dismissed stays dismissed.
    """
    if floor.state.config is None:
        floor.found(config, FIRST.name, FirstCard(FIRST.staff, FIRST.card, PIN))
    elif FIRST.staff not in floor.state.staff:
        raise Refusal("floor", f"{floor.store.name} holds one that is no demonstration; houseway serve serves it")
    founded = floor.state.config
    if founded is None or floor.state.seq >= _entries(founded):
        return
    for one in STAFF:
        if one.staff in floor.state.staff:
            continue
        credential = new_credential(one.card, one.staff, PIN)
        enroll = Enroll(
            staff=one.staff,
            name=one.name,
            role=one.role,
            card=one.card,
            credential=credential_digest(credential),
            demonstration=True,
        )
        floor.handle(Order(id=f"demo-enroll-{one.staff}", by=FIRST.staff, command=enroll), credential)
    for link in founded.links:
        for meter in link.terms.meters:
            if not floor.state.links[link.id].meters[meter].opened:
                name = hashlib.sha256(f"{link.id}/{meter}".encode()).hexdigest()[:16]
                command = SeedMeter(link=link.id, meter=meter)
                floor.handle(Order(id=f"demo-seed-{name}", by=FIRST.staff, command=command))


def _entries(config: FloorConfig) -> int:
    """How many entries founding makes: as long as there are fewer, it was interrupted."""
    return 1 + len(STAFF) + sum(len(link.terms.meters) for link in config.links)
