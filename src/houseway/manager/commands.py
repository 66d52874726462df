"""What can be asked of the Game Manager, beside what is asked of a table."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from houseway.manager.clock import DoubtKind
from houseway.manager.config import FloorConfig
from houseway.table.card_round.commands import Act, AnyPlayCommand
from houseway.table.progressive_round.adjustments import Reason
from houseway.table.progressive_round.commands import AnyTableCommand

Role = Literal["dealer", "supervisor", "executive", "manager", "auditor", "technician", "surveillance"]
AnyRole = Role | Literal["player", "device"]
DeviceRight = Literal["display", "sensor", "casino"]
"""What a device may do: show one link, report the sensors of one table, or read what a casino's system needs."""
KeyPurpose = Literal["signing", "codes", "sealing", "web", "pepper"]
"""What a key of the floor is for."""


class ManagerCommand(Struct, frozen=True, kw_only=True, tag=True):
    """Something a person does at the Game Manager."""


class Person(Struct, frozen=True, kw_only=True):
    """Somebody who is put on the staff."""

    staff: str
    name: str
    role: Role
    card: str
    credential: str
    """The digest of what the card is checked against."""


class Found(ManagerCommand, frozen=True, kw_only=True, tag="found"):
    """The first command of a floor: its configuration, its first people and the key that signs its journal."""

    config: FloorConfig
    people: tuple[Person, ...]
    """TR-5: two or more, so that every order that takes two people can be given."""
    key: str
    """The public key, in hex."""
    key_ids: dict[str, str] = {}
    """TR-14: the floor's other secrets, by purpose, as the journal names them."""
    demonstration: bool = False
    """Whether cards and PINs are no secret: such a floor answers on its own machine alone."""
    pin_set: bool = False
    """Whether the people have PINs already; otherwise each sets one with an enrolment code."""


class Configure(ManagerCommand, frozen=True, kw_only=True, tag="configure"):
    """PR-3: a changed floor file, in force from the next round on; by two people."""

    config: FloorConfig
    reason: str


class SeedMeter(ManagerCommand, frozen=True, kw_only=True, tag="seed_meter"):
    """A new meter gets its seed from the house."""

    link: str
    meter: str


class OpenMeter(ManagerCommand, frozen=True, kw_only=True, tag="open_meter"):
    """A meter that ran on an earlier system is taken over at its last reading; by two people, once."""

    link: str
    meter: str
    meter_cents: int
    reserve_cents: int
    reference: str
    """Where the old system's last reading is on record."""


class Enroll(ManagerCommand, frozen=True, kw_only=True, tag="enroll"):
    """A new member of staff, another role, or a new card; by two people. The new member then sets a PIN (TR-5)."""

    staff: str
    name: str
    role: Role
    card: str
    credential: str
    """The digest of what the enrolment code is checked against."""


class Dismiss(ManagerCommand, frozen=True, kw_only=True, tag="dismiss"):
    """A member of staff whose card is valid no more; by two people."""

    staff: str
    reason: str


class Unlock(ManagerCommand, frozen=True, kw_only=True, tag="unlock"):
    """A card that was locked after wrong PINs is freed; by two people."""

    staff: str


class SignIn(ManagerCommand, frozen=True, kw_only=True, tag="sign_in"):
    """A card was presented, and its PIN tried before this is asked."""

    card: str
    fits: str
    """The digest of the credential that the PIN fits; empty where it fits none."""
    session: str = ""
    """The digest of the secret that his browser gets, where he stays signed in; empty for this once."""
    network: str = ""
    """Where the card was presented; empty for the floor's own machine."""


class SetPin(ManagerCommand, frozen=True, kw_only=True, tag="set_pin"):
    """TR-5: a member sets the card's PIN, with the enrolment code or the PIN so far."""

    card: str
    fits: str
    """The digest of the credential that the code or PIN fits; empty where it fits none."""
    credential: str
    """The digest of what the card is checked against from now on; empty where nothing fits."""
    session: str = ""
    network: str = ""


class Enter(ManagerCommand, frozen=True, kw_only=True, tag="enter"):
    """A player gives the code of the admission, or the return code of the last entry, and stays signed in."""

    code: str
    """The digest of the code."""
    session: str
    again: str = ""
    """The digest of the return code: it alone brings the player back to the seat from another screen (TR-8)."""


class SignOut(ManagerCommand, frozen=True, kw_only=True, tag="sign_out"):
    """Somebody signs out; his session is over, in every process."""

    session: str


class Admit(ManagerCommand, frozen=True, kw_only=True, tag="admit"):
    """A player is let in to the virtual tables under a name; the code for it is his alone and good once."""

    player: str
    code: str
    """The digest of the code."""


class IssueDevice(ManagerCommand, frozen=True, kw_only=True, tag="issue_device"):
    """A display, a sensor box or a casino's system gets a token of its own, for one narrow purpose."""

    device: str
    right: DeviceRight
    subject: str = ""
    """The link that a display shows, or the table of a sensor box."""
    token: str
    """The digest of the token."""


class RevokeDevice(ManagerCommand, frozen=True, kw_only=True, tag="revoke_device"):
    """A device's token is good no more."""

    device: str
    reason: str


class UndoWin(ManagerCommand, frozen=True, kw_only=True, tag="undo_win"):
    """PR-23: a confirmed win is undone."""

    win: int
    reason: Reason
    explanation: str


class AdjustMeter(ManagerCommand, frozen=True, kw_only=True, tag="adjust_meter"):
    """FL-15: a meter or its reserve is put right."""

    link: str
    meter: str
    part: Literal["meter", "reserve"] = "meter"
    cents: int
    """How much it rises; negative for a fall."""
    reason: Reason
    explanation: str


class PayLateWin(ManagerCommand, frozen=True, kw_only=True, tag="pay_late_win"):
    """PR-36: a win noticed after its round closed."""

    table: str
    round: int
    spot: int
    hand: str
    evidence: str
    player: str = ""
    """FL-18: the player whom surveillance verified; needed for a large win, which surveillance seconds."""
    reason: Reason = "won"


class Transfer(ManagerCommand, frozen=True, kw_only=True, tag="transfer"):
    """PR-26: all that a meter and its reserve hold goes to another meter."""

    link: str
    meter: str
    to_link: str
    to_meter: str
    authority: str
    retire: bool = False


class EnterAccount(ManagerCommand, frozen=True, kw_only=True, tag="enter_account"):
    """FL-17: what the prize account of a link holds, and whether that is short."""

    link: str
    balance_cents: int
    short: bool
    reference: str


class RecordDeposit(ManagerCommand, frozen=True, kw_only=True, tag="record_deposit"):
    """FL-17: the weekly deposit to the prize account was made."""

    link: str
    week: str
    """The first gaming day of the week it is for."""
    cents: int
    reference: str


class Suspend(ManagerCommand, frozen=True, kw_only=True, tag="suspend"):
    """PR-38: no new lock-in at a table, or on a link; open rounds and claims stand."""

    what: Literal["table", "link"]
    id: str
    why: str


class Resume(ManagerCommand, frozen=True, kw_only=True, tag="resume"):
    what: Literal["table", "link"]
    id: str


class Acknowledge(ManagerCommand, frozen=True, kw_only=True, tag="acknowledge"):
    """An alarm was seen."""

    alarm: int


class ReplaceKey(ManagerCommand, frozen=True, kw_only=True, tag="replace_key"):
    """TR-14: another key signs the journal from here on, or another secret serves its purpose."""

    key: str = ""
    """The public key, in hex; for signing alone."""
    purpose: KeyPurpose = "signing"
    secret_id: str = ""
    """For any other purpose: the name of the secret, which `houseway journal key replace` writes to the key file."""
    reason: str


class Recover(ManagerCommand, frozen=True, kw_only=True, tag="recover"):
    """Go on with a journal that lost entries, or is another than the one known: two people know what is missing.

    Given on the machine itself, with `houseway floor recover`, and in no other way.
    """

    entries: int
    """Where the journal ended when it was restored."""
    known_to: int
    """The last entry that this floor is known to have had."""
    known_hash: str = ""
    """The hash of that entry, by the mark beside the key file; empty where none was found."""
    root: str = ""
    """The root over all entries up to it, by a checkpoint; empty where none was given."""
    reason: str


class ConfirmClock(ManagerCommand, frozen=True, kw_only=True, tag="confirm_clock"):
    """The clock is right though the floor does not believe it; entries follow it again. By two people."""

    clock_seconds: int
    """What the clock showed when they looked, in seconds since 1970."""


class RepairClock(ManagerCommand, frozen=True, kw_only=True, tag="repair_clock"):
    """Entries lie in the future of the clock, which is right; from this entry on they carry its time. By two people."""

    clock_seconds: int
    """What the clock, which is right now, showed when they looked, in seconds since 1970."""
    reason: str


class NoteClock(ManagerCommand, frozen=True, kw_only=True, tag="note_clock"):
    """The floor itself writes down that it does not believe its clock, or that it does again."""

    where: str
    """The machine."""
    doubt: DoubtKind | Literal[""]
    shown: int
    """What its clock shows, in microseconds since 1970."""


AnyManagerCommand = (
    Configure
    | SeedMeter
    | OpenMeter
    | Dismiss
    | Unlock
    | UndoWin
    | AdjustMeter
    | PayLateWin
    | Transfer
    | EnterAccount
    | RecordDeposit
    | Suspend
    | Resume
    | Acknowledge
    | ReplaceKey
    | RevokeDevice
    | ConfirmClock
    | RepairClock
)
PlainCommand = AnyTableCommand | AnyPlayCommand | AnyManagerCommand
"""What can be asked in so many words. The others come with a secret that is checked or kept apart from the journal."""
Command = PlainCommand | Found | Enroll | SignIn | SetPin | Enter | SignOut | Admit | IssueDevice | Recover | NoteClock


class Order(Struct, frozen=True, kw_only=True):
    """A command with its id, and who gives it. Sent twice, it is done once."""

    id: str
    by: str
    """The member of staff, or the device, that gives it."""
    second: str = ""
    """The second person, where one is needed."""
    screen: str = ""
    """Who is signed in on the screen where ``by`` presented a card; empty where that is ``by``."""
    command: Command


def kind_of(command: Command) -> str:
    """The command's name, as the journal and the permission table write it."""
    return _kind(type(command))


@cache
def _kind(command: type[Struct]) -> str:
    tag = command.__struct_config__.tag
    if not isinstance(tag, str):
        raise TypeError(f"{command.__name__} has no name")
    return tag


_ENCODER = msgspec.json.Encoder(order="sorted")


def digest_of(order: Order) -> str:
    """What an order asks, in short: the same id with anything else asked is refused.

    A credential is salted anew each time it is made, so it does not make another order of the same enrolment. Nor does
    the screen: it is where an order is given, and no part of what it asks. Which card a player sets apart is left out
    too: the hand is sealed, and a digest over one of its cards would tell it (TR-10).
    """
    command = order.command
    if isinstance(command, Enroll):
        command = replace(command, credential="")
    if isinstance(command, Act) and command.card:
        command = replace(command, card="any")
    asked = {"id": order.id, "by": order.by, "second": order.second, "command": command}
    return hashlib.sha256(_ENCODER.encode(asked)).hexdigest()[:32]
