"""Progressives: where the money of a wager comes back from, what the maker must have set, and what the meter changes.

Everything is per unit of the wager and exact. Money put on a meter is the players' and comes back in the end, so the
contribution is a return, however it is shared between percentage and fixed-from-meter awards; the house pays the tray
awards, the seed each time a meter is won, and envy:

    edge = 1 - tray - contribution - seed - envy of one other spot * other spots
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Final

from houseway.paytables import ProgressiveRow, ProgressiveTable
from houseway.progressive import Policy
from houseway.progressive.awards import DOLLAR, check_policy, envy_amount, fixed_amount, source_meter
from houseway.proof.figure import Claim, Returns
from houseway.refusal import Refusal

WHOLE: Final = 100


@dataclass(frozen=True, slots=True)
class Odds:
    """A progressive table and how often each of its hands comes: all that its figures are made of."""

    table: ProgressiveTable
    rows: Mapping[str, int]
    """In how many of ``total`` cases each hand comes, hands that win nothing included."""
    total: int
    others: int
    """Other spots with the wager, for envy."""
    policy: Policy = field(default_factory=Policy)
    seeds_cents: Mapping[str, int] = field(default_factory=dict)
    """Seeds by meter where they are given; else the printed one, where there is one."""

    def __post_init__(self) -> None:
        check_policy(self.table, self.policy)
        unknown = [name for name in self.seeds_cents if name not in self.table.meters]
        if unknown:
            known = ", ".join(self.table.meters)
            raise Refusal("seed", f"{unknown[0]!r} is not a meter of {self.table.label}; it has {known}")

    @property
    def wager_cents(self) -> int:
        """The wager that the figures are for: the stated one, that of the printed figures, or one dollar."""
        return self.table.stated_wager_cents or self.table.figures_wager_cents or DOLLAR

    def chance(self, row: ProgressiveRow) -> Fraction:
        """How often a spot holds the hand of this row."""
        return Fraction(self.rows[row.hand], self.total)

    @property
    def hit_frequency(self) -> Fraction:
        return sum((self.chance(row) for row in self.table.rows), Fraction(0))

    def fixed(self, row: ProgressiveRow) -> Fraction:
        """What a row that is no percentage pays, per unit of the wager."""
        unit = self._exact_wager
        return Fraction(fixed_amount(row, self.table, unit), unit)

    def envy(self, row: ProgressiveRow) -> Fraction:
        """What one other spot wins by this hand, per unit of its wager."""
        if not self.policy.envy_scales:
            return Fraction(row.envy_cents, self.wager_cents)
        unit = self._exact_wager
        return Fraction(envy_amount(row, self.table, unit), unit)

    @property
    def _exact_wager(self) -> int:
        """A wager on which no award and no envy is rounded."""
        odds = (row.for_one.den for row in self.table.rows if row.for_one)
        return lcm(self.table.stated_wager_cents or DOLLAR, *odds)

    def drawn_on(self, row: ProgressiveRow) -> str | None:
        """The meter an award comes off, None for the tray."""
        return source_meter(row, self.table, self.policy)

    @property
    def tray(self) -> Fraction:
        """What the house pays for fixed awards."""
        return self._sum(row for row in self._fixed_rows if self.drawn_on(row) is None)

    @property
    def fixed_from_meter(self) -> Fraction:
        """What fixed awards take off meters: the players' own contributions, and no return of the house's."""
        return self._sum(row for row in self._fixed_rows if self.drawn_on(row) is not None)

    @property
    def envy_per_other(self) -> Fraction:
        return sum((self.chance(row) * self.envy(row) for row in self.table.rows), Fraction(0))

    @property
    def seed_cost(self) -> Fraction | None:
        """Seed times the chance of the 100% award, all meters together; None where a meter's seed is not known."""
        cost = Fraction(0)
        for row in self.table.rows:
            if row.percent == WHOLE and row.meter is not None:
                seed = self.seed_cents(row.meter)
                if seed is None:
                    return None
                cost += self.chance(row) * Fraction(seed, self.wager_cents)
        return cost

    def seed_cents(self, meter: str) -> int | None:
        """The seed of a meter: given, or printed for the table's only meter."""
        return self.seeds_cents.get(meter, self.table.seed_cents if len(self.table.meters) == 1 else None)

    @property
    def _fixed_rows(self) -> tuple[ProgressiveRow, ...]:
        return tuple(row for row in self.table.rows if row.percent is None)

    def _sum(self, rows: Iterable[ProgressiveRow]) -> Fraction:
        return sum((self.chance(row) * self.fixed(row) for row in rows), Fraction(0))

    def house_edge(self, contribution: Fraction) -> Fraction:
        """The edge with this contribution to meters and reserves; a seed that is not known costs nothing here."""
        return self.left_for_contribution(Fraction(0)) - contribution - (self.seed_cost or 0)

    def left_for_contribution(self, edge: Fraction) -> Fraction:
        """What contribution and seed cost together must come to for this edge."""
        return 1 - edge - self.tray - self.envy_per_other * self.others

    @property
    def break_even_cents(self) -> Fraction | None:
        """The meter at which awards and envy come to the wager, contributions not counted; 0 where any meter does.

        None where no meter has a 100% row, or several have one.
        """
        if len(self.table.meters) != 1 or not any(row.percent == WHOLE for row in self.table.rows):
            return None
        share = sum(
            (self.chance(row) * Fraction(row.percent, WHOLE) for row in self.table.rows if row.percent), start=0
        )
        if share == 0:
            return None
        rest = 1 - self._sum(self._fixed_rows) - self.envy_per_other * self.others
        return max(rest / share * self.wager_cents, Fraction(0))

    def player_edge(self, meters_cents: int | Mapping[str, int]) -> Fraction:
        """What the player gains per unit wagered with the meters at these amounts; below zero he loses.

        A whole number stands for the only meter. Contributions are not counted: they belong to later rounds.
        """
        if not isinstance(meters_cents, Mapping):
            meters_cents = dict.fromkeys(self.table.meters, meters_cents)
        shares = sum(
            (
                self.chance(row) * Fraction(row.percent * meters_cents[row.meter], WHOLE * self.wager_cents)
                for row in self.table.rows
                if row.percent is not None and row.meter is not None
            ),
            Fraction(0),
        )
        return shares + self._sum(self._fixed_rows) + self.envy_per_other * self.others - 1

    def drift_cents(self, contribution: Fraction, meter_cents: int) -> Fraction:
        """How much the only meter moves on average with each wager, standing at this amount (PR-40).

        What is contributed, less the shares and fixed awards taken off it, plus the seed when it is won.
        """
        if len(self.table.meters) != 1:
            raise ValueError(f"{self.table.label} has several meters")
        shares = self.player_edge(meter_cents) - self.player_edge(0)
        into = contribution + (self.seed_cost or 0)
        return (into - shares - self.fixed_from_meter) * self.wager_cents


def returns(odds: Odds, printed_edge: Claim | None = None, given: Fraction | None = None) -> Returns:
    """The returns of a table: with the given contribution, else with the one that the printed edge tells."""
    if given is not None and not 0 <= given <= 1:
        raise Refusal("contribution", "must be a rate from 0 to 1, or from 0% to 100%")
    contribution, inferred, together = given, False, None
    if given is None and printed_edge is not None:
        if odds.seed_cost is None:
            together = odds.left_for_contribution(printed_edge.share)
        else:
            contribution = inferred_contribution(odds, printed_edge)
            inferred = contribution is not None
    even = odds.break_even_cents
    return Returns(
        *(odds.tray, odds.seed_cost, odds.envy_per_other, odds.others, contribution, inferred, together),
        None if even is None else even / DOLLAR,
    )


def inferred_contribution(odds: Odds, printed_edge: Claim) -> Fraction | None:
    """The whole percent with which the count reproduces the printed edge; None where no whole percent does."""
    rates = (Fraction(rate, WHOLE) for rate in range(WHOLE + 1))
    return next((rate for rate in rates if printed_edge.reproduced_by(odds.house_edge(rate))), None)
