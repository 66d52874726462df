"""What happened at the Game Manager, beside what happened at a table. Amounts are micros unless named cents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Union

from houseway.manager.clock import DoubtKind
from houseway.manager.commands import DeviceRight, KeyPurpose, Role
from houseway.manager.config import FloorConfig
from houseway.manager.gaming_day import utc_time
from houseway.money import dollars, exact_dollars
from houseway.table.card_round.events import AnyPlayEvent
from houseway.table.event import Event as AnyEvent
from houseway.table.event import Say, if_any, show, speak
from houseway.table.progressive_round.adjustments import (
    REASONS,
    LateWinPaid,
    ManualChange,
    Reason,
    WinUndone,
    name_changes,
)
from houseway.table.progressive_round.events import AnyTableEvent

__all__ = ["LateWinPaid", "WinUndone"]


class ManagerEvent(AnyEvent, frozen=True, kw_only=True, tag=True):
    """Something that happened at the Game Manager."""


class FloorConfigured(ManagerEvent, frozen=True, kw_only=True, tag="floor_configured"):
    """PR-3: the whole configuration in force, and what changed in it, in words."""

    config: FloorConfig
    changes: tuple[str, ...]
    reason: str

    SHOWN = show("changes", "reason", on="floor")

    def in_words(self, say: Say) -> str:
        return f"The floor was configured: {'; '.join(self.changes)}. Reason: {self.reason}."


class MeterOpened(ManagerEvent, frozen=True, kw_only=True, tag="meter_opened"):
    """A meter has its first money: its seed, or what an earlier system held."""

    link: str
    meter: str
    taken_over: bool
    value: int
    reserve: int
    reference: str

    SHOWN = show("link", "meter", "taken_over", on="link")

    def in_words(self, say: Say) -> str:
        source = "taken over from an earlier system" if self.taken_over else "opened with its seed"
        return (
            f"Meter {self.meter} of link {self.link} was {source}: {exact_dollars(self.value)}, "
            f"reserve {exact_dollars(self.reserve)}. Reference: {self.reference}."
        )


class StaffEnrolled(ManagerEvent, frozen=True, kw_only=True, tag="staff_enrolled"):
    staff: str
    name: str
    role: Role
    card: str
    credential: str
    demonstration: bool = False
    pin_set: bool = True
    """False where the member has an enrolment code and no PIN yet: the card opens nothing (TR-5)."""

    SHOWN = show("staff", "name", "role", on="manager")

    def in_words(self, say: Say) -> str:
        return f"{self.name} ({self.staff}) was enrolled as {self.role} with card {self.card}."


class PinSet(ManagerEvent, frozen=True, kw_only=True, tag="pin_set"):
    """A member set the card's PIN."""

    staff: str
    card: str
    credential: str

    SHOWN = show("staff", on="manager")

    def in_words(self, say: Say) -> str:
        return f"{self.staff} set a PIN for card {self.card}."


class StaffDismissed(ManagerEvent, frozen=True, kw_only=True, tag="staff_dismissed"):
    staff: str
    reason: str

    SHOWN = show("staff", on="manager")

    def in_words(self, say: Say) -> str:
        return f"{self.staff} was dismissed; the card is valid no more. Reason: {self.reason}."


class StaffUnlocked(ManagerEvent, frozen=True, kw_only=True, tag="staff_unlocked"):
    staff: str

    SHOWN = show("staff", on="manager")

    def in_words(self, say: Say) -> str:
        return f"The card of {self.staff} was unlocked."


class SignedIn(ManagerEvent, frozen=True, kw_only=True, tag="signed_in"):
    staff: str
    session: str = ""
    """The digest of what the browser holds; empty where a card was presented for one order."""
    network: str = ""
    """Where from; empty for the floor's own machine."""

    SHOWN = show("staff", on="manager")

    def in_words(self, say: Say) -> str:
        where = if_any(self.network, f" at {self.network}")
        return f"{self.staff} {'signed in' if self.session else 'presented card and PIN'}{where}."


class PlayerAdmitted(ManagerEvent, frozen=True, kw_only=True, tag="player_admitted"):
    player: str
    code: str

    SHOWN = show("player", on="manager")

    def in_words(self, say: Say) -> str:
        return f"{self.player} was admitted as a player and given a code."


class PlayerEntered(ManagerEvent, frozen=True, kw_only=True, tag="player_entered"):
    """A code was used; the player stays signed in."""

    player: str
    session: str
    again: str = ""
    """The digest of the player's return code; empty before there were any."""

    SHOWN = show("player", on="manager")

    def in_words(self, say: Say) -> str:
        return f"The player {self.player} used the code and is signed in."


class SignedOut(ManagerEvent, frozen=True, kw_only=True, tag="signed_out"):
    who: str
    session: str

    SHOWN = show("who", on="manager")

    def in_words(self, say: Say) -> str:
        return f"Signed out: {self.who}."


class DeviceIssued(ManagerEvent, frozen=True, kw_only=True, tag="device_issued"):
    device: str
    right: DeviceRight
    subject: str
    token: str

    SHOWN = show("device", "right", "subject", on="manager")

    def in_words(self, say: Say) -> str:
        subject = if_any(self.subject, f" for {self.subject}")
        return f"The device {self.device} was given a token: {self.right}{subject}."


class DeviceRevoked(ManagerEvent, frozen=True, kw_only=True, tag="device_revoked"):
    device: str
    reason: str

    SHOWN = show("device", "reason", on="manager")

    def in_words(self, say: Say) -> str:
        return f"The token of the device {self.device} was revoked. Reason: {self.reason}."


class AuthorityRefused(ManagerEvent, frozen=True, kw_only=True, tag="authority_refused"):
    """Somebody asked for what is not theirs to do. Nothing else came of it."""

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

    def in_words(self, say: Say) -> str:
        return "".join(
            (
                f"Refused ({self.rule}): {speak(self.asked)}. {self.sentence}.",
                if_any(self.card, f" The card presented: {self.card}."),
                if_any(self.network, f" It was presented at {self.network}."),
                if_any(self.failed, f" It counts as a wrong PIN of {self.staff}."),
                if_any(self.locked_until, f" The card is locked until {utc_time(self.locked_until)}."),
                if_any(self.unrecorded, f" {self.unrecorded} refusals before it were too many to write down."),
            )
        )


class MeterAdjusted(ManualChange, frozen=True, kw_only=True, tag="meter_adjusted"):
    """FL-15: a meter or reserve was put right; changes are signed and sum to zero."""

    link: str
    meter: str
    meter_change: int
    reserve_change: int
    house: int
    reason: Reason
    explanation: str

    SHOWN = show("link", "meter", "reason", "explanation", on="link", to="books")

    def in_words(self, say: Say) -> str:
        changes = name_changes(self.meter_change, self.reserve_change, self.house)
        return (
            f"Meter {self.meter} of link {self.link} was adjusted by hand.{changes}"
            f" Reason: {REASONS[self.reason]}. {self.explanation}."
        )


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

    SHOWN = show("link", "meter", "to_link", "to_meter", "retired", on="link", to="books")

    def in_words(self, say: Say) -> str:
        return (
            f"{exact_dollars(self.value)} and {exact_dollars(self.reserve)} of reserve went from meter {self.meter} of "
            f"link {self.link} to meter {self.to_meter} of link {self.to_link}."
            f"{if_any(self.retired, ' The meter was retired.')} Authority: {self.authority}."
        )


class AccountEntered(ManagerEvent, frozen=True, kw_only=True, tag="account_entered"):
    """FL-17."""

    link: str
    balance_cents: int
    short: bool
    reference: str

    SHOWN = show("link", "balance_cents", "short", on="link", to="books")

    def in_words(self, say: Say) -> str:
        state = "short: its tables take no wager until it is not" if self.short else "sufficient"
        return (
            f"The prize account of link {self.link} was entered at {dollars(self.balance_cents)}, {state}. "
            f"Reference: {self.reference}."
        )


class DepositRecorded(ManagerEvent, frozen=True, kw_only=True, tag="deposit_recorded"):
    """FL-17."""

    link: str
    week: str
    cents: int
    reference: str

    SHOWN = show("link", "week", "cents", on="link", to="books")

    def in_words(self, say: Say) -> str:
        return (
            f"A deposit of {dollars(self.cents)} to the prize account of link {self.link} was recorded for the "
            f"week of {self.week}. Reference: {self.reference}."
        )


class Suspended(ManagerEvent, frozen=True, kw_only=True, tag="suspended"):
    what: Literal["table", "link"]
    id: str
    why: str

    SHOWN = show("what", "id", "why", on="link")

    def in_words(self, say: Say) -> str:
        return f"{self.what.capitalize()} {self.id} was suspended: {self.why}."


class Resumed(ManagerEvent, frozen=True, kw_only=True, tag="resumed"):
    what: Literal["table", "link"]
    id: str

    SHOWN = show("what", "id", on="link")

    def in_words(self, say: Say) -> str:
        return f"{self.what.capitalize()} {self.id} was resumed."


class AlarmSeen(ManagerEvent, frozen=True, kw_only=True, tag="alarm_seen"):
    alarm: int

    SHOWN = show("alarm", on="floor")

    def in_words(self, say: Say) -> str:
        return f"The alarm of entry {self.alarm} was acknowledged."


class KeyReplaced(ManagerEvent, frozen=True, kw_only=True, tag="key_replaced"):
    """From the next head on this key signs, or from the next entry on this secret serves its purpose."""

    key: str
    reason: str
    purpose: KeyPurpose = "signing"
    secret_id: str = ""
    """The name of the secret; empty for the key that signs."""

    SHOWN = show("key", "reason", on="manager")

    def in_words(self, say: Say) -> str:
        if self.purpose == "signing":
            return f"The journal is signed with key {self.key} from here on. Reason: {self.reason}."
        return f"The {self.purpose} secret is {self.secret_id} from here on. Reason: {self.reason}."


class Restored(ManagerEvent, frozen=True, kw_only=True, tag="restored"):
    """The floor goes on from a restored journal, though it is known to have had other entries."""

    entries: int
    known_to: int
    known_hash: str = ""
    root: str = ""
    reason: str

    SHOWN = show("entries", "known_to", "reason", on="manager")

    def in_words(self, say: Say) -> str:
        known = f"{if_any(self.known_hash, f' (hash {self.known_hash})')}{if_any(self.root, f' (root {self.root})')}"
        return (
            f"The floor went on from a restored journal of {self.entries} entries; it is known to have had "
            f"entry {self.known_to}{known}. Reason: {self.reason}."
        )


class ClockDoubted(ManagerEvent, frozen=True, kw_only=True, tag="clock_doubted"):
    """The clock of a machine is not believed; its entries go by the last believed time and by counting."""

    where: str
    doubt: DoubtKind
    shown: int
    """What it showed, in microseconds since 1970."""

    SHOWN = show("where", "doubt", "shown", on="floor")

    def in_words(self, say: Say) -> str:
        why = {
            "jump": "it jumped",
            "behind": "it was behind the last entry when the floor started",
            "gap": "it was far ahead of the last entry when the floor started",
            "other": "another server wrote entries ahead of it",
        }.get(self.doubt, self.doubt)
        return f"The clock of {self.where} is not believed, because {why}. It showed {utc_time(self.shown)}."


class ClockTrusted(ManagerEvent, frozen=True, kw_only=True, tag="clock_trusted"):
    """The clock of a machine came back by itself, and is believed again."""

    where: str

    SHOWN = show("where", on="floor")

    def in_words(self, say: Say) -> str:
        return f"The clock of {self.where} is believed again."


class ClockConfirmed(ManagerEvent, frozen=True, kw_only=True, tag="clock_confirmed"):
    """Two people confirmed the clock; this entry carries its time."""

    was: int
    """What the floor went by until then, in microseconds since 1970."""

    SHOWN = show("was", on="floor")

    def in_words(self, say: Say) -> str:
        return f"The clock was confirmed; until here the floor went by {utc_time(self.was)}."


class ClockRepaired(ManagerEvent, frozen=True, kw_only=True, tag="clock_repaired"):
    """Two people put the time right: this entry alone is earlier than the one before it."""

    was: int
    """The time of the entry before it, in microseconds since 1970."""
    reason: str

    SHOWN = show("was", "reason", on="floor")

    def in_words(self, say: Say) -> str:
        return (
            f"The time was put right: the entry before this one carries {utc_time(self.was)}, which was wrong. "
            f"Reason: {self.reason}."
        )


if TYPE_CHECKING:
    AnyManagerEvent = ManagerEvent | ManualChange
    Event = AnyTableEvent | AnyPlayEvent | AnyManagerEvent
else:
    AnyManagerEvent = Union[(*ManagerEvent.kinds(), *ManualChange.kinds())]
    Event = Union[AnyTableEvent, AnyPlayEvent, AnyManagerEvent]  # noqa: UP007
