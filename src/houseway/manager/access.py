"""Who may come in beside the staff's own cards: players with a code, devices with a token, and signing out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houseway.manager import commands as ask
from houseway.manager import events as tell
from houseway.manager.permissions import DEVICES_MAY
from houseway.manager.state import LONGEST_SIGNED_IN, FloorState, Staff
from houseway.refusal import NotAllowed, Refusal
from houseway.table.card_round.decide import PLAYER

if TYPE_CHECKING:
    from houseway.manager.authority import Asked
    from houseway.manager.decide import Office

DEVICE = "device/"
"""How the id of a device that gives an order begins."""
LONGEST_NAME = 40


def admit(office: Office, command: ask.Admit) -> tuple[tell.Event, ...]:
    """A player gets a code for a name that is nobody's now; a code that was not used is replaced."""
    name = command.player
    if not name.strip() or name != name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        raise Refusal("player", f"must be a name of 1 to {LONGEST_NAME} printable characters")
    why = taken(office.state, name, office.now)
    if why:
        raise Refusal("player", why)
    return (tell.PlayerAdmitted(player=name, code=command.code),)


def taken(state: FloorState, name: str, now: int) -> str:
    """TR-8: why nobody else may be let in under a name now; empty where the name is free."""
    who, since = f"{PLAYER}{name}", now - LONGEST_SIGNED_IN
    if any(sign_in.who == who and sign_in.since > since for sign_in in state.signed.values()):
        return f"{name!r} is signed in; take another name, or come back with the return code of that seat"
    table = state.place_of(name)
    if table:
        return f"{name!r} has a place at {table}; take another name, or come back with the return code of that seat"
    return ""


def player_with(state: FloorState, code: str, now: int) -> str:
    """Whom a code lets in, by its digest: one that waits to be used, or a return code; empty for nobody."""
    waiting = state.codes.get(code)
    if waiting is not None:
        return waiting.player if waiting.until > now else ""
    return next((name for name, guest in state.guests.items() if guest.again and guest.again == code), "")


def enter(office: Office, command: ask.Enter) -> tuple[tell.Event, ...]:
    """A player uses a code."""
    player = player_with(office.state, command.code, office.now)
    if not player:
        raise NotAllowed("code", "is not one that is waiting to be used; ask the dealer for a new one", rule="sign-in")
    return (tell.PlayerEntered(player=player, session=command.session, again=command.again),)


def sign_out(office: Office, command: ask.SignOut) -> tuple[tell.Event, ...]:
    """A person ends their own session."""
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
        raise Refusal("device", f"{command.device!r} is not a device of this floor")
    if not command.reason.strip():
        raise Refusal("reason", "must be given in words")
    return (tell.DeviceRevoked(device=device.id, reason=command.reason),) if device.active else ()


def player_of(state: FloorState, order: Asked, kind: str, allowed: frozenset[str]) -> Staff:
    """A player who was let in and acts for a spot of their own; whose spot that is the table knows."""
    if kind not in allowed:
        raise NotAllowed("by", f"{kind.replace('_', ' ')} is not for players", rule="role")
    name = order.by.removeprefix(PLAYER)
    if name not in state.guests:
        raise NotAllowed("by", "was not let in; ask the dealer for a code", rule="role")
    return Staff(id=order.by, name=name, role="player", card="", credential="")


def device_of(state: FloorState, order: Asked, kind: str) -> Staff:
    """A device, which may do what it was made for, at its own table."""
    device = state.devices.get(order.by.removeprefix(DEVICE))
    if device is None or not device.active:
        raise NotAllowed("by", f"{order.by!r} has no valid token", rule="role")
    if kind not in DEVICES_MAY[device.right] or order.table != device.subject:
        raise NotAllowed("by", f"{kind.replace('_', ' ')} is not for this device", rule="role")
    return Staff(id=order.by, name=device.id, role="device", card="", credential="")
