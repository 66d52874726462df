"""What happened at a table. An event says everything that follows from it: replaying it needs no rule and no sum."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Union

from houseway.money import dollars, exact_dollars
from houseway.progressive.link import Claim, Due
from houseway.progressive.terms import cents_of
from houseway.table.event import Event, Say, count_seconds, if_any, join, name_spots, show, speak
from houseway.table.progressive_round import commands as ask


class TableEvent(Event, frozen=True, kw_only=True, tag=True):
    """Something that happened in a round at a table."""

    table: str
    round: int


class ProgressiveEvent(TableEvent, frozen=True, kw_only=True, tag=True):
    """Something of the progressive."""


class SensorLit(ProgressiveEvent, frozen=True, kw_only=True, tag="sensor_lit"):
    """A chip lies on a spot's sensor."""

    spot: int
    waits: bool
    """Whether it came after lock-in and so waits for the next round."""

    PRESS = ask.Light
    TEXT = "light {spot:spot}{waits:flag}"
    SHOWN = show("spot", "waits")
    FOLLOWS = True

    def in_words(self, say: Say) -> str:
        late = if_any(self.waits, " after lock-in; the chip waits for the next round")
        return f"The sensor of spot {self.spot} lit{late}."


class SensorDark(ProgressiveEvent, frozen=True, kw_only=True, tag="sensor_dark"):
    """The chip was taken off again."""

    spot: int

    PRESS = ask.Unlight
    TEXT = "dark {spot:spot}"
    SHOWN = show("spot")
    FOLLOWS = True

    def in_words(self, say: Say) -> str:
        return f"The sensor of spot {self.spot} went dark."


class LockedIn(ProgressiveEvent, frozen=True, kw_only=True, tag="locked_in"):
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

    PRESS = ask.LockIn
    TEXT = "@lock_in {spots:spots} at {wager_cents:money}"
    SHOWN = show("link", "spots", "wager_cents")

    def in_words(self, say: Say) -> str:
        where = if_any(self.link, f" on link {self.link}, under its terms {self.terms}")
        over = [f"{exact_dollars(micros)} of meter {name}" for name, micros in self.excess.items()]
        more = if_any(over, f" Over the posted maximum, so to the reserve: {join(over)}.")
        return f"{say.lock_in}: {name_spots(self.spots)} at {dollars(self.wager_cents)} each{where}.{more}"


class CountCorrected(ProgressiveEvent, frozen=True, kw_only=True, tag="count_corrected"):
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

    PRESS = ask.CorrectCount
    TEXT = "count {spot:spot} {wagered:inout} {reason:text}"
    SHOWN = show("link", "spot", "wagered", "wager_cents", "reason")

    def in_words(self, say: Say) -> str:
        where = if_any(self.link, f" on link {self.link}")
        after_all = "is in after all" if self.wagered else "is not in after all"
        return f"Count corrected{where}: spot {self.spot} {after_all}. Reason: {self.reason}."


class CardsOut(ProgressiveEvent, frozen=True, kw_only=True, tag="cards_out"):
    """The first card was dealt."""

    PRESS = ask.FirstCard
    TEXT = "first card"
    SHOWN = show()
    FOLLOWS = True

    def in_words(self, say: Say) -> str:
        return "The first card was dealt; the count of wagers stands."


class Folded(ProgressiveEvent, frozen=True, kw_only=True, tag="folded"):
    """PR-34: a spot folded; its wager and contribution stay."""

    spot: int

    PRESS = ask.Fold
    TEXT = "fold {spot:spot}"
    SHOWN = show("spot")
    FOLLOWS = True

    def in_words(self, say: Say) -> str:
        return f"Spot {self.spot} folded."


class HandSeen(ProgressiveEvent, frozen=True, kw_only=True, tag="hand_seen"):
    """PR-13: what the system saw a spot to hold; empty for nothing that wins."""

    spot: int
    hand: str

    PRESS = ask.SeeHand
    TEXT = "see {spot:spot} {hand:name}"

    def in_words(self, say: Say) -> str:
        return f"Spot {self.spot} was seen to hold {speak(self.hand) or 'nothing that wins'}."

    def parts(self) -> Iterable[Event]:
        return (self,) if self.hand else ()


class PlayersPaired(ProgressiveEvent, frozen=True, kw_only=True, tag="players_paired"):
    """PR-18: these spots are one player's."""

    spots: tuple[int, ...]

    PRESS = ask.SamePlayer
    TEXT = "same player {spots:spots}"
    SHOWN = show("spots")

    def in_words(self, say: Say) -> str:
        return f"One player plays {name_spots(self.spots)}."


class ClaimNamed(ProgressiveEvent, frozen=True, kw_only=True, tag="claim_named"):
    """PR-13, PR-29: a win was named and a supervisor called."""

    link: str
    claim: Claim

    PRESS = ask.NameWin
    TEXT = (
        "name {claim.spot:spot} {claim.hand:name}[ {claim.percent:number}%][ fixed {claim.fixed_cents:money}]"
        "[ from {claim.meter:name}] by {claim.named_by:name}"
    )
    SHOWN = show("link", "claim.spot", "claim.hand", "claim.meter", on="link")

    def in_words(self, say: Say) -> str:
        claim = self.claim
        share = f"{claim.percent}%" if claim.percent else dollars(claim.fixed_cents)
        source = f"meter {claim.meter}" if claim.meter else "the tray"
        where = if_any(self.link, f" on link {self.link}")
        return (
            f"{claim.named_by} named a win{where}: spot {claim.spot}, {speak(claim.hand)}, {share} from {source}. "
            "A supervisor was called."
        )


class ClaimDropped(ProgressiveEvent, frozen=True, kw_only=True, tag="claim_dropped"):
    """A claim is none any more: pressed again, found wrong, or its round voided."""

    link: str
    spot: int
    reason: str

    PRESS = ask.DropClaim
    TEXT = "drop {spot:spot} {reason:text}"
    SHOWN = show("link", "spot", "reason", on="link")

    def in_words(self, say: Say) -> str:
        where = if_any(self.link, f" on link {self.link}")
        return f"The claim of spot {self.spot}{where} was dropped: {self.reason}."


class SupervisorArrived(ProgressiveEvent, frozen=True, kw_only=True, tag="supervisor_arrived"):
    """PR-29: how long the call took, in microseconds."""

    waited: int

    PRESS = ask.Arrive
    TEXT = "supervisor arrives"
    SHOWN = show(on="floor", to="staff")

    def in_words(self, say: Say) -> str:
        return f"The supervisor arrived{if_any(self.waited, f' {count_seconds(self.waited)} after the call')}."


class WinLogged(ProgressiveEvent, frozen=True, kw_only=True, tag="win_logged"):
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

    PRESS = ask.Confirm
    TEXT = (
        "@record {claim.spot:spot} {claim.hand:name} win {win:number}: meter {due.from_meter_cents:money} "
        "tray {due.from_tray_cents:money}[ short {due.shortfall_cents:money}]"
        "[ of {claim.meter:name} holding {due.held_cents:money}] by {confirmed_by:name}"
    )
    SHOWN = show(
        *("link", "win", "surveillance", "tax_form", "envy_cents", "claim.spot", "claim.hand", "claim.meter"),
        *("due.cents",),
        on="link",
        to="everybody",
    )

    def in_words(self, say: Say) -> str:
        due, claim = self.due, self.claim
        where = if_any(self.link, f" on link {self.link}")
        from_meter = f"{dollars(due.from_meter_cents)} of it from meter {claim.meter}, which held"
        named = if_any(claim.named_by, f" Named by {claim.named_by}, confirmed by {self.confirmed_by}")
        return "".join(
            (
                f"Win {self.win} was logged{where}: spot {claim.spot}, {speak(claim.hand)}, ",
                f"{dollars(due.cents)} to pay",
                if_any(claim.meter, f", {from_meter} {dollars(due.held_cents)} for it"),
                f".{named or f' Confirmed by {self.confirmed_by}'}",
                f"{if_any(self.waited, f' {count_seconds(self.waited)} after the call')}.",
                if_any(
                    due.shortfall_cents, f" The meter could not give {dollars(due.shortfall_cents)}; the house does."
                ),
                if_any(
                    self.envy_cents,
                    f" Every other spot with the wager wins {dollars(self.envy_cents)} envy by it at the close.",
                ),
                if_any(self.surveillance, " Surveillance must verify it before the round closes."),
                if_any(self.tax_form, " It needs a tax form."),
            )
        )


class WinPaid(ProgressiveEvent, frozen=True, kw_only=True, tag="win_paid"):
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

    PRESS = ask.Run
    TEXT = "@paid {spot:spot} win {win:number}{reseeded:flag}"
    SHOWN = show(
        *("link", "win", "spot", "meter", "reseeded", "before_cents", "after_cents"), on="link", to="everybody"
    )

    @property
    def before_cents(self) -> int:
        """What the meter showed before."""
        return cents_of(self.before)

    @property
    def after_cents(self) -> int:
        """What the meter showed afterwards."""
        return cents_of(self.after)

    def in_words(self, say: Say) -> str:
        paid = f"Win {self.win} was paid to spot {self.spot}"
        if not self.link:
            return f"{paid}{if_any(self.reseeded, '; the meter was reseeded')}."
        parts = [f"{exact_dollars(self.from_meter)} from meter {self.meter}"] if self.meter else []
        if self.from_tray or not parts:
            parts.append(f"{exact_dollars(self.from_tray)} from the tray")
        short, before, after = map(exact_dollars, (self.shortfall, self.before, self.after))
        return "".join(
            (
                f"{paid} on link {self.link}: {join(parts)}.",
                if_any(self.shortfall, f" {short} of it is a shortfall: the meter ran dry and the house covers it."),
                if_any(self.meter, f" Meter {self.meter} went from {before} to {after}."),
                if_any(self.reseeded, name_reseeding(self.seed, self.from_reserve)),
            )
        )


def name_reseeding(seed: int, from_reserve: int) -> str:
    """What a meter starts again from, in words."""
    return f" It was reseeded with {exact_dollars(seed)} and {exact_dollars(from_reserve)} from its reserve."


class SurveillanceVerified(ProgressiveEvent, frozen=True, kw_only=True, tag="surveillance_verified"):
    """FL-18."""

    win: int
    observer: str
    player: str

    TEXT = "surveillance win {win:number} player {player:name} by {observer:name}"
    SHOWN = show("win", observer="wins", player="wins")

    def in_words(self, say: Say) -> str:
        return (
            f"Surveillance verified hand, wager, payout and player of win {self.win}: "
            f"observer {self.observer}, player {self.player}."
        )


class EnvyPaid(ProgressiveEvent, frozen=True, kw_only=True, tag="envy_paid"):
    """PR-18: one spot is paid because of another's hand."""

    link: str
    spot: int
    win: int
    winner: int
    cents: int

    TEXT = "envy {spot:spot} {cents:money} for {winner:spot}"
    SHOWN = show("link", "spot", "win", "winner", "cents", on="floor")

    def in_words(self, say: Say) -> str:
        where = if_any(self.link, f" on link {self.link}")
        cause = f"win {self.win}" if self.win else "the hand"
        return f"Spot {self.spot} was paid {dollars(self.cents)} envy{where} because of {cause} of spot {self.winner}."


class RoundClosed(ProgressiveEvent, frozen=True, kw_only=True, tag="round_closed"):
    """PR-19. The meters as they stood are kept for a win that is noticed later (PR-36)."""

    link: str
    meters: dict[str, int]
    spots: tuple[int, ...]
    winners: tuple[int, ...]
    terms: int
    wager_cents: int

    PRESS = ask.CloseRound
    TEXT = "@close"
    SHOWN = show("link", "spots", "winners")

    def in_words(self, say: Say) -> str:
        if not self.link:
            return f"{say.close}: the round is over."
        meters = [f"{name} {exact_dollars(micros)}" for name, micros in self.meters.items()]
        winners = f"winners {name_spots(self.winners)}" if self.winners else "no winner"
        return (
            f"{say.close}: the round is over, with {name_spots(self.spots)} in it, {winners}. "
            f"Link {self.link} stood at {join(meters)}."
        )


class RoundVoided(ProgressiveEvent, frozen=True, kw_only=True, tag="round_voided"):
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

    PRESS = ask.VoidRound
    TEXT = "void {cause:text} returning {returned:micros}{malfunction:flag}"
    SHOWN = show("link", "cause", "spots", on="floor")

    def in_words(self, say: Say) -> str:
        why = f"{if_any(self.malfunction, 'a recorded malfunction: ')}{self.cause}"
        void = f"The round was voided, because of {why}. {exact_dollars(self.returned)} went back to the players"
        if not self.link:
            return f"{void}."
        off = [f"{exact_dollars(micros)} off meter {name}" for name, micros in self.meters.items() if micros]
        off += [
            f"{exact_dollars(micros)} off the reserve of {name}" for name, micros in self.reserves.items() if micros
        ]
        meters = f" On link {self.link} this took {join(off)}." if off else " The meters kept what they had."
        short = f" {exact_dollars(self.short)} that meters or reserves no longer held was covered too."
        return f"{void}; the house covered {exact_dollars(self.covered)}.{meters}{if_any(self.short, short)}"


if TYPE_CHECKING:
    AnyTableEvent = ProgressiveEvent
else:
    AnyTableEvent = Union[tuple(ProgressiveEvent.kinds())]  # noqa: UP007  made of what is declared above
