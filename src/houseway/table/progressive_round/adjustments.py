"""What the Game Manager puts right by hand, in a round that is played or over."""

from __future__ import annotations

from typing import Literal

from houseway.money import dollars, exact_dollars
from houseway.table.event import Event, Say, if_any, join, show, speak
from houseway.table.progressive_round.events import name_reseeding

Reason = Literal["won", "malfunction", "maximum", "undisplayed_funds", "seed_recovered"]
"""FL-15: the closed list of reasons for which a meter may be adjusted."""
REASONS: dict[Reason, str] = {
    "won": "it was won",
    "malfunction": "a malfunction or a recorded mistake is corrected",
    "maximum": "it exceeds its posted maximum",
    "undisplayed_funds": "undisplayed funds are booked as receipts",
    "seed_recovered": "seed money is recovered",
}


class ManualChange(Event, frozen=True, kw_only=True, tag=True):
    """Money that the Game Manager puts right by hand."""


class WinUndone(ManualChange, frozen=True, kw_only=True, tag="win_undone"):
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

    TEXT = "undo {spot:spot} win {win:number} {explanation:text}"
    SHOWN = show(
        *("win", "link", "table", "round", "spot", "meter", "reason", "explanation"),
        on="link",
        to="books",
        explanation="adjustments",
    )

    def in_words(self, say: Say) -> str:
        if not self.link:
            return f"Win {self.win} of spot {self.spot} was undone: {self.explanation}."
        meter = if_any(self.meter, f", meter {self.meter}")
        covered = f" The house covered {exact_dollars(self.covered)} that the meter no longer held."
        return (
            f"Win {self.win} was undone: link {self.link}{meter}, table {self.table}, round {self.round}, "
            f"spot {self.spot}.{name_changes(self.meter_change, self.reserve_change, self.house)}"
            f"{if_any(self.covered, covered)} Reason: {REASONS[self.reason]}. {self.explanation}."
        )


class LateWinPaid(ManualChange, frozen=True, kw_only=True, tag="late_win_paid"):
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

    TEXT = "late {spot:spot} {hand:name} win {win:number}: {cents:money} {evidence:text}"
    SHOWN = show(
        *("win", "link", "table", "round", "spot", "hand", "meter", "cents", "tax_form"),
        on="link",
        to="books",
        evidence="adjustments",
    )

    def in_words(self, say: Say) -> str:
        award = f"spot {self.spot}, {speak(self.hand)}, {dollars(self.cents)}"
        if not self.link:
            return f"Win {self.win} was paid late: {award}. Evidence: {self.evidence}."
        from_meter, before, after = map(exact_dollars, (self.from_meter, self.before, self.after))
        return "".join(
            (
                f"Win {self.win} was paid late on link {self.link}: table {self.table}, round {self.round}, {award}",
                if_any(self.meter, f", {from_meter} from meter {self.meter}, which went from {before} to {after}"),
                f", {exact_dollars(self.from_house)} from the house.",
                if_any(self.reseeded, name_reseeding(self.seed, self.from_reserve)),
                if_any(self.tax_form, " It needs a tax form."),
                f" Reason: {REASONS[self.reason]}. Evidence: {self.evidence}.",
            )
        )


def name_changes(on_meter: int, on_reserve: int, on_house: int) -> str:
    """Signed changes in words."""
    changes = {"meter": on_meter, "reserve": on_reserve, "house": on_house}
    moved = [f"{name} {exact_dollars(micros, sign=True)}" for name, micros in changes.items() if micros]
    return f" Changes: {join(moved)}." if moved else " No money moved."
