"""Staff, devices, approvals, equipment and the floor file in force."""

from __future__ import annotations

from msgspec import Struct

from houseway.api.paging import Day, PageQuery
from houseway.api.route import Chapter
from houseway.books.view import DeviceLine
from houseway.manager.advice import Advice
from houseway.manager.commands import AnyRole
from houseway.paytables.checks import Defect
from houseway.table.equipment import Kind

people = Chapter("staff")


class StaffItem(Struct, frozen=True, kw_only=True):
    """A member of staff; never the card."""

    id: str
    name: str
    role: AnyRole
    active: bool
    locked_until: int
    """Until when wrong PINs lock the card, in microseconds since 1970; 0 for not."""
    demonstration: bool
    """Whether card and PIN are no secret."""
    pin_set: bool
    """Whether the member has set a PIN; until then the card opens nothing."""


class StaffPage(Struct, frozen=True, kw_only=True):
    items: tuple[StaffItem, ...]
    next: str | None


class DevicesPage(Struct, frozen=True, kw_only=True):
    items: tuple[DeviceLine, ...]
    next: str | None


ALL_STAFF = people.get(
    "all_staff",
    "/staff",
    "Everybody on the staff, those who were dismissed too.",
    may="staff",
    answer=StaffPage,
    query=PageQuery,
)
DEVICES = people.get(
    "devices",
    "/devices",
    "The devices that have, or had, a token of their own.",
    may="devices",
    answer=DevicesPage,
    query=PageQuery,
)
registers = Chapter("registers")


class OnQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    on: Day = ""
    """As of this day; today where none is given."""


class GameApproval(Struct, frozen=True, kw_only=True):
    """Where the floor stands with the approval of one of its games."""

    game: str
    demonstration: bool
    there: tuple[str, ...]
    missing: tuple[str, ...]


class TableShut(Struct, frozen=True, kw_only=True):
    """Everything that keeps a table shut; nothing where it may open."""

    table: str
    because: tuple[str, ...]


class Approvals(Struct, frozen=True, kw_only=True):
    site: str
    """commercial or tribal."""
    on: str
    games: tuple[GameApproval, ...]
    tables: tuple[TableShut, ...]


APPROVALS = registers.get(
    "approvals",
    "/approvals",
    "The approvals of the floor's games, what is missing of them by clause, and which tables that keeps shut.",
    may="approvals",
    answer=Approvals,
    query=OnQuery,
)


class EquipmentItem(Struct, frozen=True, kw_only=True):
    """One machine of the site, and what is approved of its kind."""

    id: str
    kind: str
    title: str
    version: str
    tables: tuple[str, ...]
    """The tables it serves; empty for all of them."""
    backup: bool
    approved: Kind | None
    """None where nobody knows its kind."""


class TableLacks(Struct, frozen=True, kw_only=True):
    table: str
    missing: tuple[str, ...]


class EquipmentDoc(Struct, frozen=True, kw_only=True):
    equipment: tuple[EquipmentItem, ...]
    tables: tuple[TableLacks, ...]


class ApprovedEquipment(Struct, frozen=True, kw_only=True):
    items: tuple[Kind, ...]
    next: str | None


EQUIPMENT = registers.get(
    "equipment",
    "/equipment",
    "The floor's equipment, and everything that its tables lack by clause.",
    may="equipment",
    answer=EquipmentDoc,
)
APPROVED_EQUIPMENT = registers.get(
    "approved_equipment",
    "/equipment/approved",
    "Every kind of equipment that is approved, with its version and documents.",
    may="equipment",
    answer=ApprovedEquipment,
    query=PageQuery,
)


class FloorInForce(Struct, frozen=True, kw_only=True):
    """The configuration in force as a floor file."""

    entry: int
    """The entry that put it in force."""
    floor: str
    """The file, as TOML; without the comments of the one that was read."""


FLOOR_IN_FORCE = registers.get(
    "floor_in_force",
    "/floor/file",
    "The configuration in force as a floor file, to begin a change from.",
    may="manager",
    answer=FloorInForce,
)


class FloorText(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A floor file to look through."""

    floor: str
    """The file, as TOML."""


class ExactEdge(Struct, frozen=True, kw_only=True):
    """A share of the wager: as a fraction, and as a decimal."""

    exact: str
    value: float


class CheckedLink(Struct, frozen=True, kw_only=True):
    id: str
    tables: tuple[str, ...]
    pay_table: str
    approved: bool
    wager_cents: int
    house_edge: ExactEdge | None
    """Null where it is not computed."""


class FloorCheck(Struct, frozen=True, kw_only=True):
    """What is wrong with a floor file, and the advice on it."""

    currency: str
    """Empty where the file has a defect."""
    tables: tuple[str, ...]
    links: tuple[CheckedLink, ...]
    defects: tuple[Defect, ...]
    advice: tuple[Advice, ...]


CHECK_FLOOR = registers.post(
    "check_floor",
    "/floor/check",
    "Look through a floor file: every defect, and the advice on it. Nothing is changed.",
    may="manager",
    body=FloorText,
    answer=FloorCheck,
)
