"""What the house wins with a progressive wager, and how far it swings.

Of each wager the house keeps what goes neither on a meter nor on a reserve; the money there is the players'. From what
it keeps come the awards of the tray, envy, the seed each time a meter is won, and what a dry meter could not give. All
but the last does not depend on the level: its mean and variance are exact, and what many wagers come to is found as the
power of the law of one by a Fourier transform. What dry meters cost is taken off as a mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, gcd, sqrt
from typing import Any, Final

from houseway.progressive import Policy
from houseway.progressive.awards import envy_amount, fixed_amount, source_meter
from houseway.progressive.terms import MICROS_PER_CENT, Terms, split
from houseway.proof.meter_risk.model import WHOLE

LARGEST_TRANSFORM: Final = 1 << 20
DEVIATIONS: Final = 12


@dataclass(frozen=True, slots=True)
class Payment:
    """What a hand costs the house beside the meter."""

    hand: str
    ways: int
    tray_cents: int
    envy_cents: int
    seed_cents: int

    @property
    def cents(self) -> int:
        return self.tray_cents + self.envy_cents + self.seed_cents


@dataclass(frozen=True, slots=True)
class House:
    """The house's side of a link's wager."""

    wager_cents: int
    total: int
    kept: Fraction
    """What it keeps of a wager, in cents, before anything is paid."""
    reserve: Fraction
    """What a wager puts on reserves, in cents."""
    payments: tuple[Payment, ...]

    @property
    def mean(self) -> Fraction:
        """What it wins with a wager on average, in cents, dry meters not counted."""
        return self.kept - self._mean_of(lambda loss: loss.cents)

    @property
    def edge(self) -> Fraction:
        return self.mean / self.wager_cents

    @property
    def seeds(self) -> Fraction:
        """What seeds cost with a wager, in cents."""
        return self._mean_of(lambda loss: loss.seed_cents)

    @property
    def tray(self) -> Fraction:
        return self._mean_of(lambda loss: loss.tray_cents)

    @property
    def envy(self) -> Fraction:
        return self._mean_of(lambda loss: loss.envy_cents)

    @property
    def variance(self) -> Fraction:
        """Of what it wins with one wager, in square cents."""
        mean = self._mean_of(lambda loss: loss.cents)
        return self._mean_of(lambda loss: loss.cents**2) - mean**2

    def deviation(self, wagers: int) -> float:
        """The standard deviation of what it wins with so many wagers, in cents."""
        return sqrt(wagers * self.variance)

    @property
    def break_even_rate(self) -> Fraction:
        """What meters and reserves together may get of a wager until the house wins nothing on average."""
        return 1 - (self.tray + self.envy + self.seeds) / self.wager_cents

    def _mean_of(self, what: Any) -> Fraction:
        return sum((Fraction(payment.ways * what(payment), self.total) for payment in self.payments), Fraction(0))

    def after(self, wagers: int) -> Winnings:
        """The law of what it has won after so many wagers."""
        return Winnings.of(self, wagers)


@dataclass(frozen=True, slots=True)
class Winnings:
    """What the house may have won by a day: the chance of having paid so many units."""

    kept_cents: float
    unit_cents: float
    paid: Any
    """By number of units."""

    @staticmethod
    def of(house: House, wagers: int) -> Winnings:
        import numpy as np

        amounts = [payment for payment in house.payments if payment.cents]
        income = float(house.kept) * wagers
        if not amounts:
            return Winnings(income, 1.0, np.ones(1))
        mean = float(house.kept - house.mean) * wagers
        largest = max(amount.cents for amount in amounts)
        far = mean + DEVIATIONS * house.deviation(wagers) + 3 * largest
        unit = float(max(gcd(*(amount.cents for amount in amounts)), 2 * far / LARGEST_TRANSFORM))
        size = 1 << ceil(far / unit + 2).bit_length()
        one_wager = np.zeros(size)
        one_wager[0] = 1.0
        for cents in amounts:
            low, part = divmod(cents.cents / unit, 1)
            chance = cents.ways / house.total
            one_wager[0] -= chance
            one_wager[int(low)] += chance * (1 - part)
            one_wager[int(low) + 1] += chance * part
        paid = np.fft.irfft(np.fft.rfft(one_wager) ** wagers, size)
        return Winnings(income, unit, np.maximum(paid, 0.0))

    def quantile(self, part: float) -> float:
        """The win in cents that is not reached with this chance."""
        import numpy as np

        more = np.cumsum(self.paid[::-1])[::-1]
        units = int(np.searchsorted(-more, -part, side="right")) - 1
        return self.kept_cents - max(units, 0) * self.unit_cents

    @property
    def chance_of_loss(self) -> float:
        """The chance that it has paid more than it kept."""
        units = int(self.kept_cents / self.unit_cents)
        return float(min(1.0, max(0.0, self.paid[units + 1 :].sum())))


def house_of(terms: Terms, rows: Mapping[str, int], total: int, others: int, *, envy_scales: bool = True) -> House:
    """The house's side of a link, with so many other spots in for envy."""
    table, policy = terms.table, Policy(fixed_from=terms.fixed_from)
    shares = split(terms, 1)
    payments = []
    for row in table.rows:
        fixed = row.percent is None and source_meter(row, table, policy) is None
        payments.append(
            Payment(
                hand=row.hand,
                ways=rows[row.hand],
                tray_cents=fixed_amount(row, table, terms.wager_cents) if fixed else 0,
                envy_cents=others * envy_amount(row, table, terms.wager_cents, scales=envy_scales),
                seed_cents=terms.meters[row.meter].seed_cents if row.percent == WHOLE and row.meter else 0,
            )
        )
    return House(
        wager_cents=terms.wager_cents,
        total=total,
        kept=Fraction(shares.kept, MICROS_PER_CENT),
        reserve=Fraction(sum(shares.reserves.values()), MICROS_PER_CENT),
        payments=tuple(payments),
    )
