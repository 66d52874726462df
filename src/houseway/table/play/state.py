"""A round with cards as it stands."""

from __future__ import annotations

from msgspec import Struct

from houseway.cards import Card
from houseway.table.verify_display import Shown


class Decided(Struct, frozen=True, kw_only=True):
    """What a spot decided, and how it came about."""

    kind: str
    low: Card | None = None
    double_cents: int = 0
    how: str = "player"
    """player, left (FL-23) or time."""


class Line(Struct, frozen=True, kw_only=True):
    """What one wager came to, and why."""

    result: str
    wagered: int
    returned: int
    envy: int = 0
    why: str = ""


class Hand(Struct, frozen=True, kw_only=True):
    """One spot of the round."""

    player: str
    wagers: dict[str, int] = {}
    cards: tuple[Card, ...] = ()
    decision: Decided | None = None
    since: int = 0
    """When its player could first decide."""
    name: str = ""
    """What the hand is called, once the round is settled."""
    outcome: str = ""
    set_high: tuple[Card, ...] = ()
    set_low: Card | None = None
    set_by: str = ""
    lines: dict[str, Line] = {}
    """By wager, once the round is settled."""
    reconciled: tuple[str, ...] = ()
    """The wagers that were taken or paid."""
    verified: tuple[str, ...] = ()
    """FL-18: wagers whose large win surveillance verified."""
    left: bool = False

    @property
    def folded(self) -> bool:
        return self.decision is not None and self.decision.kind == "fold"


class Step(Struct, frozen=True, kw_only=True):
    """One step of reconciling: some wagers of one spot."""

    spot: int
    wagers: tuple[str, ...]


class Play(Struct, frozen=True, kw_only=True):
    """The cards and wagers of the present round."""

    hands: dict[int, Hand] = {}
    called: bool = False
    """After "no more bets"."""
    commitment: str = ""
    """FL-3: what the deck's order was committed to before the first card."""
    sealed: str = ""
    """The deck's order, sealed: no undealt card lies open anywhere."""
    start: int = 0
    """PG-3: the position that gets the first packet; 0 where the game has none."""
    targets: tuple[int, ...] = ()
    """Whom the packets go to, in order: a spot, 0 for the dealer, -1 for an empty position."""
    out: int = 0
    """Packets that are out."""
    stacked: dict[int, tuple[Card, ...]] = {}
    """On a demonstration floor: cards chosen for spots, 0 for the dealer. No real floor has any."""
    dealer: tuple[Card, ...] = ()
    racked: tuple[Card, ...] = ()
    """Packets of empty positions, unseen (PG-18)."""
    revealed: bool = False
    dealer_hand: str = ""
    dealer_plays: bool | None = None
    dealer_high: tuple[Card, ...] = ()
    dealer_low: Card | None = None
    steps: tuple[Step, ...] = ()
    """What is still to be reconciled, in order."""
    column: int = 0
    """CSC-4: the Cover All column in force, the number of hands in the round; 0 where nobody bet it."""

    shown: tuple[Shown, ...] = ()
    """FL-7: what the verify display showed, in order."""
    dealers: tuple[str, ...] = ()
    """FL-24: who signed the table over in this round, and to whom."""

    @property
    def dealt(self) -> bool:
        """Whether every packet of the round is out."""
        return bool(self.targets) and self.out >= len(self.targets)
