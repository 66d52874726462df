"""What a wager comes to: every net result, and in how many of the equally likely cases it comes.

Counts are whole numbers and every figure is an exact fraction; the standard deviation alone, a root, is a float.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, sqrt
from typing import TypeVar

Case = TypeVar("Case")


@dataclass(frozen=True, slots=True)
class Distribution:
    """Every net result of a wager and its number of cases, out of ``total`` equally likely ones."""

    unit: int
    """How many parts the wager is cut into, so that every result is a whole number of parts."""
    ways: Mapping[int, int]
    """By net result in parts of the wager (a wager lost is ``-unit``): the number of cases. Rising, no zeros."""
    total: int
    hits: int
    """In how many cases the wager returns anything as a win."""
    wagered: Fraction = Fraction(1)
    """The average of everything wagered per unit of the wager: 1, or in a base game the wagers that follow too."""

    def __post_init__(self) -> None:
        ways = {int(net): int(count) for net, count in sorted(self.ways.items()) if count}
        object.__setattr__(self, "ways", ways)
        if self.unit < 1 or self.total < 1:
            raise ValueError(f"a distribution needs a unit and cases, not {self.unit} and {self.total}")
        if min(ways.values(), default=0) < 0 or sum(ways.values()) != self.total:
            raise ValueError(f"the cases sum to {sum(ways.values())}, not to {self.total}")
        if not 0 <= self.hits <= self.total or self.wagered < 1:
            raise ValueError(f"{self.hits} hits in {self.total} cases, {self.wagered} wagered")

    @property
    def mean(self) -> Fraction:
        """The average net result per unit of the wager."""
        return Fraction(sum(net * count for net, count in self.ways.items()), self.total * self.unit)

    @property
    def house_edge(self) -> Fraction:
        """The expected loss per unit of the wager."""
        return -self.mean

    @property
    def element_of_risk(self) -> Fraction:
        """The expected loss per unit of everything wagered."""
        return self.house_edge / self.wagered

    @property
    def hit_frequency(self) -> Fraction:
        """How often the wager returns anything as a win."""
        return Fraction(self.hits, self.total)

    @property
    def variance(self) -> Fraction:
        """The variance of the net result, the wager being 1."""
        squares = sum(net * net * count for net, count in self.ways.items())
        return Fraction(squares, self.total * self.unit**2) - self.mean**2

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)

    def probabilities(self) -> dict[Fraction, Fraction]:
        """The probability of every net result per unit of the wager, rising."""
        return {Fraction(net, self.unit): Fraction(count, self.total) for net, count in self.ways.items()}


def exact_wager(denominators: Iterable[int]) -> int:
    """The smallest wager on which no pay of a schedule is rounded; a denominator of 0 is a row that does not exist."""
    return lcm(*(den for den in denominators if den))


def side_wager(
    ways: Mapping[Case, int],
    returned: Callable[[Case, int], int],
    denominators: Iterable[int],
    *,
    for_one: bool = False,
) -> Distribution:
    """The distribution of a wager that is settled without a decision.

    ``ways`` counts the cases by whatever the rule looks at (a hand's value, a row), and ``returned(case, wager)`` is
    that rule, asked with a wager on which every pay is whole. On a "for 1" wager anything returned is a win.
    """
    unit = exact_wager(denominators)
    nets: dict[int, int] = {}
    hits = 0
    for case, count in ways.items():
        back = returned(case, unit)
        nets[back - unit] = nets.get(back - unit, 0) + count
        if back > unit or (for_one and back > 0):
            hits += count
    return Distribution(unit, nets, sum(ways.values()), hits)
