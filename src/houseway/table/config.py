"""What a table and its site are set to: the checked result of a floor file, as it enters the journal."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from houseway.paytables import PayTable

Console = Literal["keypad", "touch"]


class Dated(Struct, frozen=True):
    """An amount in force from a day on."""

    since: str
    """The first day, ISO."""
    cents: int
    reference: str = ""


class SeparateGames(Struct, frozen=True):
    """FL-9: how many separate games one hand may carry, from a day on, and what does not count as one."""

    since: str
    """The first day, ISO."""
    games: int
    reference: str
    not_counted: tuple[str, ...] = ()
    """Wagers that this reading does not count; every other wager that is placed by itself counts."""


class Limits(Struct, frozen=True, kw_only=True):
    """The posted limits of one wager at one table."""

    minimum_cents: int
    maximum_cents: int
    aggregate: tuple[Dated, ...] = ()
    """FL-25: the posted aggregate payout limits of this wager; none where empty."""


class TableConfig(Struct, frozen=True, kw_only=True):
    """One table of the floor."""

    id: str
    game: str
    console: Console
    spots: int
    link: str = ""
    """The link whose progressive it plays; empty for none."""
    kind: Literal["progressive", "cards", "virtual"] = "progressive"
    """FL-4: the progressive alone, real cards that the dealer enters, or cards that our shuffler deals."""
    dealing: str = ""
    """FL-1: the shuffler's mode, or "hand"."""
    pay_tables: dict[str, str] = {}
    tables: dict[str, PayTable] = {}
    """The pay tables themselves, by wager: a round settles by what was journalled, whatever a file says later."""
    options: dict[str, Any] = {}
    """Every house option that bears on the progressive or the game, by name, defaults included."""
    second_spot_envies: bool = False
    """The game's own rule about a player's second spot (PR-18)."""
    limits: dict[str, Limits] = {}
    award_order_reference: str = ""
    """PR-17: the internal control that orders the awards otherwise."""


class Policies(Struct, frozen=True, kw_only=True):
    """What the site decides for all its tables."""

    site: str
    jurisdiction: str
    kind: Literal["commercial", "tribal"] = "commercial"
    currency: str = "USD"
    time_zone: str = "America/Los_Angeles"
    day_starts: str = "06:00"
    week_starts: int = 0
    """The first day of the week of FL-17's deposits, 0 for Monday."""
    executive_from_cents: int = 1_000_000
    """PR-15, TR-7: from this amount up a win takes an Executive card."""
    washington: bool = False
    """Whether the Washington rules FL-14, FL-15, FL-17 and FL-18 are in force."""
    surveillance_over_cents: int = 300_000
    """FL-18: a win over this needs a surveillance verification before its round closes."""
    tax_forms: tuple[Dated, ...] = (Dated("1977-01-01", 60_000), Dated("2026-01-01", 200_000))
    """FL-18: from which winnings a tax form is needed, dated; the odds condition is `tax_multiple`."""
    tax_multiple: int = 300
    authorised_limits: tuple[Dated, ...] = ()
    """FL-9: the most a single wager may be, dated, where the operator enters it, as from a tribe's compact."""
    separate_games: tuple[SeparateGames, ...] = ()
    """FL-9: how many separate games one hand may carry, dated, where the operator enters another reading of the law."""
    failures_before_lockout: int = 5
    """TR-6: from so many different places wrong PINs for one card lock it wherever it has not opened before."""
    lockout_minutes: int = 15
    seconding_wait_hours: int = 24
    """TR-5: for so long nobody is the second person of those who enrolled them."""
    advice: bool = False
    """Whether players at virtual tables may ask what each choice is worth."""
    demonstration: bool = False
    """FL-10: whether the floor is open by demonstration approvals; there alone a deck can be stacked."""

    def needs_surveillance(self, cents: int) -> bool:
        """FL-18: whether surveillance must verify a win of so much before its round closes."""
        return self.washington and cents > self.surveillance_over_cents
