"""What happened at a table. An event says everything that follows from it: replaying it needs no rule and no sum."""

from __future__ import annotations

from msgspec import Struct

from houseway.progressive.link import Claim, Due


class TableEvent(Struct, frozen=True, kw_only=True, tag=True):
    """Something that happened in a round at a table."""

    table: str
    round: int


class SensorLit(TableEvent, frozen=True, kw_only=True, tag="sensor_lit"):
    """A chip lies on a spot's sensor."""

    spot: int
    waits: bool
    """Whether it came after lock-in and so waits for the next round."""


class SensorDark(TableEvent, frozen=True, kw_only=True, tag="sensor_dark"):
    spot: int


class LockedIn(TableEvent, frozen=True, kw_only=True, tag="locked_in"):
    """PR-11: the wagers of a round, booked once."""

    link: str
    terms: int
    """The number of the terms this round is played under."""
    spots: tuple[int, ...]
    wager_cents: int
    meters: dict[str, int]
    """What each meter rises by, in micros."""
    reserves: dict[str, int]
    """What each reserve rises by, in micros, excess included."""
    excess: dict[str, int]
    """FL-15: the part of a reserve's rise that is there because the meter stands at its maximum."""
    kept: int
    """What the house keeps, in micros."""


class CountCorrected(TableEvent, frozen=True, kw_only=True, tag="count_corrected"):
    """PR-35: one spot more, or one less, in a round that is locked in."""

    link: str
    spot: int
    wagered: bool
    wager_cents: int
    meters: dict[str, int]
    """Signed: a spot that was not in takes its parts off again."""
    reserves: dict[str, int]
    excess: dict[str, int]
    kept: int
    reason: str


class CardsOut(TableEvent, frozen=True, kw_only=True, tag="cards_out"):
    """The first card was dealt."""


class Folded(TableEvent, frozen=True, kw_only=True, tag="folded"):
    spot: int


class HandSeen(TableEvent, frozen=True, kw_only=True, tag="hand_seen"):
    """PR-13: what the system saw a spot to hold; empty for nothing that wins."""

    spot: int
    hand: str


class PlayersPaired(TableEvent, frozen=True, kw_only=True, tag="players_paired"):
    """PR-18: these spots are one player's."""

    spots: tuple[int, ...]


class ClaimNamed(TableEvent, frozen=True, kw_only=True, tag="claim_named"):
    """PR-13, PR-29: a win was named and a supervisor called."""

    link: str
    claim: Claim


class ClaimDropped(TableEvent, frozen=True, kw_only=True, tag="claim_dropped"):
    """A claim is none any more: pressed again, found wrong, or its round voided."""

    link: str
    spot: int
    reason: str


class SupervisorArrived(TableEvent, frozen=True, kw_only=True, tag="supervisor_arrived"):
    """PR-29: how long the call took, in microseconds."""

    waited: int


class WinLogged(TableEvent, frozen=True, kw_only=True, tag="win_logged"):
    """PR-16: a win is recorded and its amount fixed."""

    link: str
    win: int
    """Its number: that of the journal entry it is in."""
    claim: Claim
    due: Due
    confirmed_by: str
    waited: int
    """PR-29: from the call to the confirmation, in microseconds."""
    surveillance: bool
    """FL-18: whether surveillance must verify it before the round closes."""
    tax_form: bool
    envy_cents: int
    """What every other spot with the wager wins by it at the close."""


class WinPaid(TableEvent, frozen=True, kw_only=True, tag="win_paid"):
    """PR-16: the award is off the meter, or out of the tray, and the meter reseeded where all of it was won."""

    link: str
    win: int
    spot: int
    meter: str
    """Empty for an award from the tray."""
    from_meter: int
    """In micros, as everything below."""
    from_tray: int
    shortfall: int
    """Part of ``from_tray`` (PR-7)."""
    seed: int
    """What the house put on the meter to start it again; 0 when it was not reseeded."""
    from_reserve: int
    """What the reserve put on it."""
    reseeded: bool
    before: int
    """The meter before and after, for the win page."""
    after: int


class SurveillanceVerified(TableEvent, frozen=True, kw_only=True, tag="surveillance_verified"):
    """FL-18."""

    win: int
    observer: str
    player: str


class EnvyPaid(TableEvent, frozen=True, kw_only=True, tag="envy_paid"):
    """PR-18: one spot is paid because of another's hand."""

    link: str
    spot: int
    win: int
    winner: int
    cents: int


class RoundClosed(TableEvent, frozen=True, kw_only=True, tag="round_closed"):
    """PR-19. The meters as they stood are kept for a win that is noticed later (PR-36)."""

    link: str
    meters: dict[str, int]
    spots: tuple[int, ...]
    winners: tuple[int, ...]
    terms: int
    wager_cents: int


class RoundVoided(TableEvent, frozen=True, kw_only=True, tag="round_voided"):
    """PR-20: wagers given back, contributions taken off again; all in micros."""

    link: str
    cause: str
    malfunction: bool
    spots: tuple[int, ...]
    returned: int
    """What the players get back."""
    meters: dict[str, int]
    """What comes off each meter, as positive amounts."""
    reserves: dict[str, int]
    covered: int
    """What the house pays of it: the part it had kept, and what meters and reserves could not give."""
    short: int
    """The part of ``covered`` that should have come off a meter or reserve."""
    rack: int = 0
    """FL-12: what the rack gives back of wagers taken already, less what was paid on them; may be negative."""


AnyTableEvent = (
    SensorLit
    | SensorDark
    | LockedIn
    | CountCorrected
    | CardsOut
    | Folded
    | HandSeen
    | PlayersPaired
    | ClaimNamed
    | ClaimDropped
    | SupervisorArrived
    | WinLogged
    | WinPaid
    | SurveillanceVerified
    | EnvyPaid
    | RoundClosed
    | RoundVoided
)
