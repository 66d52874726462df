"""One meter of a link as a process: what each wager puts on it, and what each hand takes off it, exactly.

The wagers of a link come one after another and every hand is taken as independent of the others: each puts its share on
the meter (PR-2), then takes what its hand wins (PR-4 … PR-7). Hands of one round hang together a little through the
cards they share, and the wagers of a round are all on the meter before its first award; both are left out.

Between two 100% awards the level is a Markov chain whose steps are linear in the level, so its moments are fractions.
With

    c, r    what a wager puts on the meter and on its reserve
    q       the chance of the 100% award
    s, f    what other shares take of the meter, and what fixed awards take off it, on average with each wager
    d       what the house covers because the meter is dry (PR-7), on average with each wager

whatever goes on the meter comes off it again: ``c + r + q * seed + d = f + (q + s) * mean jackpot``. A hand does not
know the level, so the mean level that it finds and the mean jackpot are one number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, log1p, sqrt
from typing import Final, NamedTuple

from houseway.progressive import Policy
from houseway.progressive.awards import fixed_amount, source_meter
from houseway.progressive.terms import MICROS_PER_CENT, Terms, split

WHOLE: Final = 100


class Fixed(NamedTuple):
    """A fixed award that comes off the meter."""

    hand: str
    ways: int
    cents: int


class Share(NamedTuple):
    """An award of part of the meter, in percent."""

    hand: str
    ways: int
    percent: int


@dataclass(frozen=True, slots=True)
class MeterModel:
    """A meter: of ``total`` equally likely hands, how many win what of it."""

    name: str
    total: int
    jackpot_ways: int
    shares: tuple[Share, ...]
    fixed: tuple[Fixed, ...]
    contribution_micros: int
    """What one wager puts on the meter."""
    reserve_micros: int
    seed_cents: int

    @property
    def contribution(self) -> Fraction:
        """What one wager puts on the meter, in cents."""
        return Fraction(self.contribution_micros, MICROS_PER_CENT)

    @property
    def reserve(self) -> Fraction:
        """What one wager puts on the reserve, in cents."""
        return Fraction(self.reserve_micros, MICROS_PER_CENT)

    @property
    def jackpot_chance(self) -> Fraction:
        return Fraction(self.jackpot_ways, self.total)

    @property
    def award_ways(self) -> int:
        """How many hands win anything of the meter."""
        return self.jackpot_ways + sum(share.ways for share in self.shares) + sum(award.ways for award in self.fixed)

    @property
    def shared(self) -> Fraction:
        """The part of the meter that awards short of 100% take, on average with each wager."""
        return sum((Fraction(share.ways * share.percent, self.total * WHOLE) for share in self.shares), Fraction(0))

    @property
    def fixed_out(self) -> Fraction:
        """What fixed awards ask of the meter on average with each wager, in cents."""
        return sum((Fraction(award.ways * award.cents, self.total) for award in self.fixed), Fraction(0))

    @property
    def drift(self) -> Fraction:
        """How far each wager moves a low meter on average, in cents: what is contributed less the fixed awards."""
        return self.contribution - self.fixed_out

    def mean_jackpot(self, covered: Fraction | float = Fraction(0)) -> Fraction | float:
        """The average 100% award in cents, when the house covers so many cents with each wager (PR-7).

        It leaves out that a share is rounded down to the cent.
        """
        into = self.jackpot_chance * self.seed_cents + self.reserve + self.contribution - self.fixed_out
        return (into + covered) / (self.jackpot_chance + self.shared)

    @property
    def exact_mean_jackpot(self) -> Fraction:
        """The average 100% award of a meter that never runs dry."""
        return Fraction(self.mean_jackpot())

    @property
    def restart(self) -> tuple[Fraction, Fraction]:
        """What the meter starts again from, seed and reserve, in cents: mean and variance."""
        q = self.jackpot_chance
        return self.seed_cents + self.reserve / q, self.reserve**2 * (1 - q) / q**2

    @property
    def jackpot_deviation(self) -> float:
        """The standard deviation of the 100% award of a meter that never runs dry, in cents, from exact moments."""
        q, c, mean = self.jackpot_chance, self.contribution, self.exact_mean_jackpot
        start, spread = self.restart
        rows = [
            *((Fraction(share.ways, self.total), 1 - Fraction(share.percent, WHOLE), c) for share in self.shares),
            *((Fraction(award.ways, self.total), Fraction(1), c - award.cents) for award in self.fixed),
        ]
        nothing = 1 - q - sum(chance for chance, _, _ in rows)
        # A level y that a hand finds becomes keep * y + added for the next one; the squares of all levels add up to
        # those of the restarts and of what earlier levels became.
        squares = total = Fraction(0)
        for chance, keep, added in [*rows, (nothing, Fraction(1), c)]:
            squares += chance * (added**2 + 2 * added * keep * mean)
            total += chance * keep**2
        second = (q * ((start + c) ** 2 + spread) + squares) / (1 - total)
        return sqrt(second - mean**2)

    def wagers_until(self, chance: float) -> int:
        """After how many wagers the 100% award has come with this chance."""
        return max(1, ceil(log1p(-chance) / log1p(-float(self.jackpot_chance))))


def models_of(terms: Terms, rows: Mapping[str, int], total: int) -> dict[str, MeterModel]:
    """The meters of a link, with how often each hand comes; what each wager gives is what the floor books (PR-2)."""
    shares = split(terms, 1)
    policy = Policy(fixed_from=terms.fixed_from)
    models = {}
    for name, meter in terms.meters.items():
        here = [row for row in terms.table.rows if source_meter(row, terms.table, policy) == name]
        models[name] = MeterModel(
            name=name,
            total=total,
            jackpot_ways=sum(rows.get(row.hand, 0) for row in here if row.percent == WHOLE),
            shares=tuple(
                Share(row.hand, rows[row.hand], row.percent)
                for row in here
                if row.percent is not None and row.percent != WHOLE and rows.get(row.hand, 0)
            ),
            fixed=tuple(
                Fixed(row.hand, rows[row.hand], fixed_amount(row, terms.table, terms.wager_cents))
                for row in here
                if row.percent is None and rows.get(row.hand, 0)
            ),
            contribution_micros=shares.meters[name],
            reserve_micros=shares.reserves.get(name, 0),
            seed_cents=meter.seed_cents,
        )
    return models
