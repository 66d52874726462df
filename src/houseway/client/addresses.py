"""Where every order goes and what is sent there: its address and its body, made from the command itself."""

from __future__ import annotations

from functools import cache
from typing import Any, Final, NamedTuple
from urllib.parse import quote

import msgspec
from msgspec import Struct

from houseway.manager.commands import Admit, Configure, Enroll, IssueDevice, PlainCommand
from houseway.refusal import Refusal
from houseway.table.progressive_round.commands import TableCommand

PREFIX: Final = "/api/v1"

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
        own = {"configure": "configure", "enroll": "enroll", "admit": "admit", "issue_device": "issue_device"}
        raise Refusal("command", f"has a method of its own: {own[tag_of(type(command))]}(…)")
    body: dict[str, Any] = msgspec.to_builtins(command)
    del body["type"]
    path = place_of(type(command))
    if isinstance(command, TableCommand):
        path = path.replace("{table}", quote(body.pop("table"), safe=""))
    return Address(f"{PREFIX}{path}", _ENCODER.encode(body))
