"""The orders of the API: every command of the floor at an address of its own, made from the commands themselves."""

from __future__ import annotations

import re
from functools import cache
from typing import Annotated, Any, Final, NamedTuple, TypeAlias, get_args
from urllib.parse import quote

import msgspec
from msgspec import Meta, Struct, field

from houseway.api.route import PREFIX, Route
from houseway.manager.commands import Admit, Configure, DeviceRight, Enroll, IssueDevice, PlainCommand, Role
from houseway.manager.permissions import PERMISSIONS
from houseway.refusal import Refusal
from houseway.table.progressive_round.commands import TableCommand


class Carried(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An order that was carried out and is durable. Sent again with the same key, it answers the same."""

    entry: int
    """Its entry in the journal."""
    at: int
    """Microseconds since 1970."""
    day: str
    """The gaming day."""
    type: str
    table: str
    round: int
    currency: str
    """Of every amount in it; amounts are integers, in cents."""
    events: list[dict[str, Any]]
    """What happened, without cards: those are in the views."""
    card: str = ""
    """With an enrolment: the new card."""
    code: str = ""
    """With an enrolment: the code with which the new member sets a PIN. With the admission of a player: theirs."""
    token: str = ""
    """With a device: its token; it is kept nowhere."""


GROUPS: Final = {
    "configure": "floor",
    "suspend": "floor",
    "resume": "floor",
    "acknowledge": "floor",
    "seed_meter": "links",
    "open_meter": "links",
    "enter_account": "links",
    "record_deposit": "links",
    "undo_win": "adjustments",
    "adjust_meter": "adjustments",
    "pay_late_win": "adjustments",
    "transfer": "adjustments",
    "replace_key": "journal",
    "confirm_clock": "floor",
    "repair_clock": "floor",
    "enroll": "staff",
    "dismiss": "staff",
    "unlock": "staff",
    "admit": "players",
    "issue_device": "devices",
    "revoke_device": "devices",
}
"""Under which name the Game Manager's orders stand; a table's stand under the table."""


_ENCODER: Final = msgspec.json.Encoder()


class Address(NamedTuple):
    """An order as it is sent."""

    path: str
    body: bytes


def tag_of(command: type[Struct]) -> str:
    """A command's name, as the journal writes it."""
    return str(command.__struct_config__.tag)


@cache
def place_of(command: type[Struct]) -> str:
    """A command's address, with ``{table}`` where its table stands."""
    tag = tag_of(command)
    spoken = tag.replace("_", "-")
    if issubclass(command, TableCommand):
        return f"/tables/{{table}}/{spoken}"
    if tag not in GROUPS:
        raise Refusal("command", f"{tag} is not given over the network")
    return f"/{GROUPS[tag]}/{spoken}"


def address_of(command: PlainCommand) -> Address:
    """Where a command goes, and its body."""
    if isinstance(command, Configure | Enroll | Admit | IssueDevice):
        raise Refusal("command", f"has a method of its own: {tag_of(type(command))}(…)")
    body: dict[str, Any] = msgspec.to_builtins(command)
    del body["type"]
    path = place_of(type(command))
    if isinstance(command, TableCommand):
        path = path.replace("{table}", quote(body.pop("table"), safe=""))
    return Address(f"{PREFIX}{path}", _ENCODER.encode(body))


KEY_FORM: Final = re.compile(r"[!-~](?:[ -~]{0,98}[!-~])?")


_MOST: Final = 10**12


_NUMBER: TypeAlias = Annotated[int, Meta(ge=-_MOST, le=_MOST)]


_BOUNDED: Final[dict[Any, Any]] = {
    int: _NUMBER,
    str: Annotated[str, Meta(max_length=2_000)],
    tuple[int, ...]: Annotated[tuple[_NUMBER, ...], Meta(max_length=100)],
    tuple[int, ...] | None: Annotated[tuple[_NUMBER, ...], Meta(max_length=100)] | None,
}
"""What comes over the network has bounds: every database can hold it."""


class ConfigureBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    floor: str
    """The changed floor file, as TOML."""
    reason: str


class EnrollBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    staff: str
    name: str
    role: Role
    card: str = ""
    """The new card; made up where none is given."""


class AdmitBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    player: str


class IssueDeviceBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    device: str
    right: DeviceRight
    subject: str = ""


SPECIAL: Final[dict[str, type[Struct]]] = {
    "configure": ConfigureBody,
    "enroll": EnrollBody,
    "admit": AdmitBody,
    "issue_device": IssueDeviceBody,
}
"""The orders whose body is not the command: the server checks, makes or keeps something apart for them."""


@cache
def body_of(command: type[Struct]) -> type[Struct]:
    """A command as a body: its fields but for the table, which is in the address."""
    fields: list[Any] = []
    for part in msgspec.structs.fields(command):
        kind = _BOUNDED.get(part.type, part.type)
        if part.name == "table" and issubclass(command, TableCommand):
            continue
        if part.required:
            fields.append((part.name, kind))
        elif part.default_factory is not msgspec.NODEFAULT:
            fields.append((part.name, kind, field(default_factory=part.default_factory)))
        else:
            fields.append((part.name, kind, part.default))
    return msgspec.defstruct(
        f"{command.__name__}Body",
        fields,
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
        namespace={"__doc__": command.__doc__},
    )


def _route(command: Any) -> Route[Carried]:
    tag = tag_of(command)
    right = PERMISSIONS[tag]
    roles = ", ".join(sorted(right.roles))
    seconded = f" Seconded by: {right.seconded}." if right.seconded else ""
    return Route(
        method="POST",
        path=place_of(command),
        name=tag,
        tag=GROUPS.get(tag, "tables"),
        says=f"{' '.join((command.__doc__ or '').split())} For: {roles}.{seconded}",
        may=tag,
        answer=Carried,
        body=SPECIAL.get(tag) or body_of(command),
        order=True,
    )


_COMMANDS: Final = (*get_args(PlainCommand), Enroll, Admit, IssueDevice)
ORDERS: Final = {
    command: _route(command) for command in sorted(_COMMANDS, key=lambda kind: not issubclass(kind, TableCommand))
}
"""The route of every command that may be given over the network; those of the tables first: they come most often."""
