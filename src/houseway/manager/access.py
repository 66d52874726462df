"""Who may come in beside the staff's own cards: players with a code, devices with a token, and signing out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houseway.manager import commands as ask
from houseway.manager import events as tell
from houseway.manager.permissions import DEVICES_MAY
from houseway.manager.state import Device, FloorState, Staff
from houseway.refusal import NotAllowed, Refusal
from houseway.table.commands import TableCommand
from houseway.table.play.decide import PLAYER

if TYPE_CHECKING:
    from houseway.manager.decide import Office

DEVICE = "device/"
"""How the id of a device that gives an order begins."""
LONGEST_NAME = 40


def admit(office: Office, command: ask.Admit) -> tuple[tell.Event, ...]:
    """A player gets a code for a name."""
    name = command.player
    if not name.strip() or name != name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        raise Refusal("player", f"must be a name of 1 to {LONGEST_NAME} printable characters")
    return (tell.PlayerAdmitted(player=name, code=command.code),)


def enter(office: Office, command: ask.Enter) -> tuple[tell.Event, ...]:
    """A player uses his code."""
    code = office.state.codes.get(command.code)
    if code is None or code.until <= office.now:
        raise NotAllowed("code", "is not one that is waiting to be used; ask the dealer for a new one", rule="sign-in")
    return (tell.PlayerEntered(player=code.player, session=command.session),)


def sign_out(office: Office, command: ask.SignOut) -> tuple[tell.Event, ...]:
    """Somebody ends his own session."""
    signed = office.state.signed.get(command.session)
    if signed is None:
        return ()
    if signed.who != office.order.by:
        raise NotAllowed("session", "is another's", rule="role")
    return (tell.SignedOut(who=signed.who, session=command.session),)


def issue_device(office: Office, command: ask.IssueDevice) -> tuple[tell.Event, ...]:
    """A device gets its token."""
    state, name = office.state, command.device
    if not name or len(name) > LONGEST_NAME or not name.isascii() or not name.replace("-", "").isalnum():
        raise Refusal("device", f"must be a name of 1 to {LONGEST_NAME} letters, digits and dashes")
    known = state.devices.get(name)
    if known is not None and known.active:
        raise Refusal("device", f"{name!r} has a token already; revoke it first")
    match command.right:
        case "display" if command.subject not in state.links:
            raise Refusal("subject", f"must be a link of this floor: {', '.join(state.links)}")
        case "sensor" if command.subject not in state.tables:
            raise Refusal("subject", f"must be a table of this floor: {', '.join(state.tables)}")
        case "casino" if command.subject:
            raise Refusal("subject", "must be empty for a casino's system, which reads the whole floor")
    return (tell.DeviceIssued(device=name, right=command.right, subject=command.subject, token=command.token),)


def revoke_device(office: Office, command: ask.RevokeDevice) -> tuple[tell.Event, ...]:
    """A device's token is good no more."""
    device = office.state.devices.get(command.device)
    if device is None:
        raise Refusal("device", f"{command.device!r} is none of this floor")
    if not command.reason.strip():
        raise Refusal("reason", "must be given in words")
    return (tell.DeviceRevoked(device=device.id, reason=command.reason),) if device.active else ()


def player_of(order: ask.Order, kind: str, allowed: frozenset[str]) -> Staff:
    """A player of a virtual table, who acts for his own spot; whose spot that is the table knows."""
    if kind not in allowed:
        raise NotAllowed("by", f"{kind.replace('_', ' ')} is not for players", rule="role")
    name = order.by.removeprefix(PLAYER)
    if not name.strip():
        raise NotAllowed("by", "a player must be named", rule="role")
    return Staff(id=order.by, name=name, role="player", card="", credential="")


def device_of(state: FloorState, order: ask.Order, kind: str) -> Staff:
    """A device, which may do what it was made for, at its own table."""
    device = state.devices.get(order.by.removeprefix(DEVICE))
    if device is None or not device.active:
        raise NotAllowed("by", f"{order.by!r} has no valid token", rule="role")
    if kind not in DEVICES_MAY[device.right] or not _at_its_table(device, order.command):
        raise NotAllowed("by", f"{kind.replace('_', ' ')} is not for this device", rule="role")
    return Staff(id=order.by, name=device.id, role="device", card="", credential="")


def _at_its_table(device: Device, command: ask.Command) -> bool:
    return isinstance(command, TableCommand) and command.table == device.subject
