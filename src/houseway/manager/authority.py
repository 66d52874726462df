"""Who gives an order, whether that person may, and with whom where it takes two (TR-5, TR-7).

Pure: the floor as it stood, and what an order or its journal entry says. So a journal can be judged again later.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from houseway.manager import access
from houseway.manager import commands as ask
from houseway.manager import events as tell
from houseway.manager.entry import Entry
from houseway.manager.permissions import PERMISSIONS, Right, players_may
from houseway.manager.state import FloorState, Staff
from houseway.refusal import NotAllowed, Refusal
from houseway.table.card_round.decide import PLAYER
from houseway.table.progressive_round.commands import TableCommand

HOUR: Final = 3_600_000_000
_ABOUT_STAFF: Final = (ask.Enroll, ask.Unlock)


class Asked(NamedTuple):
    """What is known of an order from its entry alone, and all that its authority depends on."""

    kind: str
    by: str
    second: str = ""
    table: str = ""
    """The table it is given at; empty for the Game Manager."""
    about: str = ""
    """Whose card it makes or frees; empty for no one's."""


def asked_in(order: ask.Order) -> Asked:
    """An order, as its authority is judged."""
    command = order.command
    table = command.table if isinstance(command, TableCommand) else ""
    about = command.staff if isinstance(command, _ABOUT_STAFF) else ""
    return Asked(ask.kind_of(command), order.by, order.second, table, about)


def asked_by(entry: Entry) -> Asked:
    """The order that an entry was written for, as its authority is judged."""
    about = next(
        (event.staff for event in entry.events if isinstance(event, tell.StaffEnrolled | tell.StaffUnlocked)), ""
    )
    return Asked(entry.kind, entry.by, entry.second, entry.table, about)


def check_authority(state: FloorState, asked: Asked, now: int, rights: Mapping[str, Right] = PERMISSIONS) -> Staff:
    """Who gives the order, if that person may, and with whom where it takes two; else a NotAllowed."""
    kind, right = asked.kind, rights[asked.kind]
    if asked.by.startswith(PLAYER):
        return access.player_of(state, asked, kind, players_may(rights))
    if asked.by.startswith(access.DEVICE):
        return access.device_of(state, asked, kind)
    member = _on_staff(state, asked.by)
    if member is None:
        raise NotAllowed("by", f"{asked.by!r} is not on the staff of this floor", rule="role")
    if member.role not in right.roles:
        allowed = " or ".join(sorted(right.roles))
        raise NotAllowed("by", f"{_spoken(kind)} is for: {allowed}; {member.name} is {member.role}", rule="role")
    if not right.takes_second(state.tables.get(asked.table)) or _nobody_to_second(state, asked, right):
        if not asked.second:
            return member
        if right.second_when is None:
            raise Refusal("second", f"{_spoken(kind)} takes one person; leave the second out")
    second = _on_staff(state, asked.second)
    allowed = " or ".join(sorted(right.seconds))
    if second is None:
        raise NotAllowed("second", f"{_spoken(kind)} takes a second person: {allowed}", rule=SECOND_PERSON)
    if second.id == member.id:
        raise NotAllowed("second", "the second person must be another than the first", rule=SECOND_PERSON)
    if second.role not in right.seconds:
        raise NotAllowed(
            "second", f"the second person must be: {allowed}; {second.name} is {second.role}", rule=SECOND_PERSON
        )
    if asked.about in (member.id, second.id):
        whose = member if asked.about == member.id else second
        raise NotAllowed("second", f"{_spoken(kind)} is about {whose.name}; two others must do it", rule=SECOND_PERSON)
    check_second(state, member, second, now)
    return member


SECOND_PERSON: Final = "second person"


def check_second(state: FloorState, first: Staff, second: Staff, now: int) -> None:
    """TR-5: nobody makes their own second person.

    For `seconding_wait_hours` nobody is the second person of those who enrolled them, gave them a card or changed
    their role, nor the other way round; unless an executive who is neither of the two took part in that.
    """
    hours = state.policies.seconding_wait_hours
    for new, old in ((second, first), (first, second)):
        fresh = new.enrolled_at > now - hours * HOUR
        if fresh and old.id in new.enrolled_by and new.vouched_by in ("", old.id):
            raise NotAllowed(
                "second",
                f"{old.name} enrolled {new.name} less than {hours} hours ago; until then another person must second",
                rule=SECOND_PERSON,
            )


def _on_staff(state: FloorState, id: str) -> Staff | None:
    """A member whose card opens something: on the staff, with a PIN of their own."""
    member = state.staff.get(id)
    return member if member is not None and member.active and member.pin_set else None


def _nobody_to_second(state: FloorState, asked: Asked, right: Right) -> bool:
    """Whether a floor from before TR-5 has one manager and nobody else: that manager enrols the next person alone.

    A floor that was founded since always keeps two people (`decide.keep_two`), so there it never holds.
    """
    others = [member for member in state.staff.values() if member.active and member.id != asked.by]
    return asked.kind == "enroll" and not any(other.role in right.seconds for other in others)


def _spoken(kind: str) -> str:
    return kind.replace("_", " ")
