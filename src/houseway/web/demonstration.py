"""A floor to try out: staff whose cards and PINs are no secret, and meters that are seeded. On one machine alone."""

from __future__ import annotations

import hashlib
from typing import Final

from houseway.manager.commands import Order, Role, SeedMeter
from houseway.manager.config import FloorConfig
from houseway.manager.floor import FirstPerson, Floor
from houseway.refusal import Refusal

PIN: Final = "1234"


def _person(staff: str, name: str, role: Role, card: str) -> FirstPerson:
    return FirstPerson(staff, name, role, card, PIN)


FIRST: Final = _person("demo-manager", "Demo manager", "manager", "5001")
STAFF: Final = (
    _person("demo-dealer", "Demo dealer", "dealer", "2001"),
    _person("demo-dealer-2", "Demo dealer two", "dealer", "2002"),
    _person("demo-supervisor", "Demo supervisor", "supervisor", "3001"),
    _person("demo-executive", "Demo executive", "executive", "4001"),
    _person("demo-manager-2", "Demo manager two", "manager", "5002"),
    _person("demo-auditor", "Demo auditor", "auditor", "6001"),
    _person("demo-technician", "Demo technician", "technician", "7001"),
    _person("demo-surveillance", "Demo surveillance", "surveillance", "8001"),
)


def found_demonstration(floor: Floor, config: FloorConfig) -> None:
    """The first start of a demonstration: its staff, and every meter with its seed.

    Called again after it was interrupted, it does what is missing, on the floor that was founded. Once everything has
    been done it does nothing.
    """
    if floor.state.config is None:
        floor.found(config, (FIRST, *STAFF), demonstration=True, pin_set=True)
    elif FIRST.staff not in floor.state.staff:
        raise Refusal("floor", f"{floor.store.name} holds one that is no demonstration; houseway serve serves it")
    founded = floor.state.config
    if founded is None or floor.state.seq >= _entries(founded):
        return
    for link in founded.links:
        for meter in link.terms.meters:
            if not floor.state.links[link.id].meters[meter].opened:
                name = hashlib.sha256(f"{link.id}/{meter}".encode()).hexdigest()[:16]
                command = SeedMeter(link=link.id, meter=meter)
                floor.handle(Order(id=f"demo-seed-{name}", by=FIRST.staff, command=command))


def _entries(config: FloorConfig) -> int:
    """How many entries founding makes: as long as there are fewer, it was interrupted."""
    return 1 + sum(len(link.terms.meters) for link in config.links)
