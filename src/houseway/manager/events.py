"""What happened at the Game Manager, beside what happened at a table. Amounts are micros unless named cents."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from houseway.manager.clock import DoubtKind
from houseway.manager.commands import DeviceRight, KeyPurpose, Reason, Role
from houseway.manager.config import FloorConfig
from houseway.table.card_round.events import AnyPlayEvent
from houseway.table.progressive_round.events import AnyTableEvent


class ManagerEvent(Struct, frozen=True, kw_only=True, tag=True):
    """Something that happened at the Game Manager."""


class FloorConfigured(ManagerEvent, frozen=True, kw_only=True, tag="floor_configured"):
    """PR-3: the whole configuration in force, and what changed in it, in words."""

    config: FloorConfig
    changes: tuple[str, ...]
    reason: str


class MeterOpened(ManagerEvent, frozen=True, kw_only=True, tag="meter_opened"):
    """A meter has its first money: its seed, or what an earlier system held."""

    link: str
    meter: str
    taken_over: bool
    value: int
    reserve: int
    reference: str


class StaffEnrolled(ManagerEvent, frozen=True, kw_only=True, tag="staff_enrolled"):
    staff: str
    name: str
    role: Role
    card: str
    credential: str
    demonstration: bool = False
    pin_set: bool = True
    """False where the member has an enrolment code and no PIN yet: the card opens nothing (TR-5)."""


class PinSet(ManagerEvent, frozen=True, kw_only=True, tag="pin_set"):
    """A member set the card's PIN."""

    staff: str
    card: str
    credential: str


class StaffDismissed(ManagerEvent, frozen=True, kw_only=True, tag="staff_dismissed"):
    staff: str
    reason: str


class StaffUnlocked(ManagerEvent, frozen=True, kw_only=True, tag="staff_unlocked"):
    staff: str


class SignedIn(ManagerEvent, frozen=True, kw_only=True, tag="signed_in"):
    staff: str
    session: str = ""
    """The digest of what his browser holds; empty where a card was presented for one order."""
    network: str = ""
    """Where from; empty for the floor's own machine."""


class PlayerAdmitted(ManagerEvent, frozen=True, kw_only=True, tag="player_admitted"):
    player: str
    code: str


class PlayerEntered(ManagerEvent, frozen=True, kw_only=True, tag="player_entered"):
    """A code was used; the player stays signed in."""

    player: str
    session: str
    again: str = ""
    """The digest of the player's return code; empty before there were any."""


class SignedOut(ManagerEvent, frozen=True, kw_only=True, tag="signed_out"):
    who: str
    session: str


class DeviceIssued(ManagerEvent, frozen=True, kw_only=True, tag="device_issued"):
    device: str
    right: DeviceRight
    subject: str
    token: str


class DeviceRevoked(ManagerEvent, frozen=True, kw_only=True, tag="device_revoked"):
    device: str
    reason: str


class AuthorityRefused(ManagerEvent, frozen=True, kw_only=True, tag="authority_refused"):
    """Somebody asked for what he may not do. Nothing else came of it."""

    asked: str
    """The command."""
    rule: str
    """Sign-in, role, second person, own claim, executive."""
    sentence: str
    staff: str
    card: str
    locked_until: int
    """When this refusal locked the card: until when; else 0."""
    failed: bool
    """Whether it was a wrong PIN, which counts toward a lock-out."""
    unrecorded: int
    """How many refusals before it were not written down, because there were too many."""
    network: str = ""
    """Where a wrong PIN was tried; empty for the floor's own machine."""


class WinUndone(ManagerEvent, frozen=True, kw_only=True, tag="win_undone"):
    """PR-23: the win's money goes back to where it came from. Changes are signed; they sum to zero."""

    win: int
    link: str
    table: str
    round: int
    spot: int
    meter: str
    players: int
    meter_change: int
    reserve_change: int
    house: int
    covered: int
    """What the house pays of it because the meter no longer holds its part."""
    reason: Reason
    explanation: str


class MeterAdjusted(ManagerEvent, frozen=True, kw_only=True, tag="meter_adjusted"):
    """FL-15: a meter or reserve was put right; changes are signed and sum to zero."""

    link: str
    meter: str
    meter_change: int
    reserve_change: int
    house: int
    reason: Reason
    explanation: str


class LateWinPaid(ManagerEvent, frozen=True, kw_only=True, tag="late_win_paid"):
    """PR-36: paid at the meter value of its round."""

    win: int
    link: str
    table: str
    round: int
    spot: int
    hand: str
    meter: str
    cents: int
    from_meter: int
    from_house: int
    """From the tray, or because the meter no longer holds it."""
    seed: int
    from_reserve: int
    reseeded: bool
    before: int
    after: int
    tax_form: bool
    evidence: str
    observer: str
    """FL-18: who of surveillance verified it, and the player; empty where that was not needed."""
    player: str
    reason: Reason


class MeterTransferred(ManagerEvent, frozen=True, kw_only=True, tag="meter_transferred"):
    """PR-26."""

    link: str
    meter: str
    to_link: str
    to_meter: str
    value: int
    reserve: int
    authority: str
    retired: bool


class AccountEntered(ManagerEvent, frozen=True, kw_only=True, tag="account_entered"):
    """FL-17."""

    link: str
    balance_cents: int
    short: bool
    reference: str


class DepositRecorded(ManagerEvent, frozen=True, kw_only=True, tag="deposit_recorded"):
    """FL-17."""

    link: str
    week: str
    cents: int
    reference: str


class Suspended(ManagerEvent, frozen=True, kw_only=True, tag="suspended"):
    what: Literal["table", "link"]
    id: str
    why: str


class Resumed(ManagerEvent, frozen=True, kw_only=True, tag="resumed"):
    what: Literal["table", "link"]
    id: str


class AlarmSeen(ManagerEvent, frozen=True, kw_only=True, tag="alarm_seen"):
    alarm: int


class KeyReplaced(ManagerEvent, frozen=True, kw_only=True, tag="key_replaced"):
    """From the next head on this key signs, or from the next entry on this secret serves its purpose."""

    key: str
    reason: str
    purpose: KeyPurpose = "signing"
    secret_id: str = ""
    """The name of the secret; empty for the key that signs."""


class Restored(ManagerEvent, frozen=True, kw_only=True, tag="restored"):
    """The floor goes on from a restored journal, though it is known to have had other entries."""

    entries: int
    known_to: int
    known_hash: str = ""
    root: str = ""
    reason: str


class ClockDoubted(ManagerEvent, frozen=True, kw_only=True, tag="clock_doubted"):
    """The clock of a machine is not believed; its entries go by the last believed time and by counting."""

    where: str
    doubt: DoubtKind
    shown: int
    """What it showed, in microseconds since 1970."""


class ClockTrusted(ManagerEvent, frozen=True, kw_only=True, tag="clock_trusted"):
    """The clock of a machine came back by itself, and is believed again."""

    where: str


class ClockConfirmed(ManagerEvent, frozen=True, kw_only=True, tag="clock_confirmed"):
    """Two people confirmed the clock; this entry carries its time."""

    was: int
    """What the floor went by until then, in microseconds since 1970."""


class ClockRepaired(ManagerEvent, frozen=True, kw_only=True, tag="clock_repaired"):
    """Two people put the time right: this entry alone is earlier than the one before it."""

    was: int
    """The time of the entry before it, in microseconds since 1970."""
    reason: str


AnyManagerEvent = (
    FloorConfigured
    | MeterOpened
    | StaffEnrolled
    | PinSet
    | StaffDismissed
    | StaffUnlocked
    | SignedIn
    | AuthorityRefused
    | WinUndone
    | MeterAdjusted
    | LateWinPaid
    | MeterTransferred
    | AccountEntered
    | DepositRecorded
    | Suspended
    | Resumed
    | AlarmSeen
    | KeyReplaced
    | Restored
    | PlayerAdmitted
    | PlayerEntered
    | SignedOut
    | DeviceIssued
    | DeviceRevoked
    | ClockDoubted
    | ClockTrusted
    | ClockConfirmed
    | ClockRepaired
)
Event = AnyTableEvent | AnyPlayEvent | AnyManagerEvent
