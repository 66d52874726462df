"""How far results swing: deviation, volatility index, and between which bounds a number of rounds ends.

All of it is seen from the house: what it wins of a unit wagered. Of a progressive wager it keeps what it does not
contribute, and pays tray awards, seeds and envy; shares of a meter are the players' money and cost it nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import ceil, erfc, sqrt
from typing import Any, Final, NamedTuple

from houseway.paytables import PayTable, ProgressiveTable, Table
from houseway.proof.figure import Counted, Figure
from houseway.proof.printed import Setup, odds_of
from houseway.proof.progressive import WHOLE

ROUNDS: Final = (*(step * 10**power for power in range(3, 7) for step in (1, 5)), 10**7)
LEVELS: Final = {"90%": 1.644854, "95%": 1.959964, "99%": 2.575829}
"""How many deviations to either side of its mean hold so much of a normal distribution."""
VOLATILITY_LEVEL: Final = "90%"
COCHRAN: Final = 25
"""Cochran's rule: a sum may be taken for normal from 25 times its squared skewness on."""
DIGITS: Final = 6


class Result(NamedTuple):
    """What the house wins of a unit wagered, and how often."""

    win: Fraction
    chance: Fraction


class Spread(NamedTuple):
    """The moments of the house's result."""

    mean: Fraction
    deviation: float
    skewness: float

    @property
    def normal_from(self) -> int:
        """From how many rounds on the normal approximation is fair."""
        return max(1, ceil(COCHRAN * self.skewness**2))

    def to_json(self) -> dict[str, Any]:
        return {
            "standard_deviation": _rounded(self.deviation),
            "skewness": _rounded(self.skewness),
            "volatility_index": _rounded(LEVELS[VOLATILITY_LEVEL] * self.deviation),
            "normal_from": self.normal_from,
            "confidence": [self._after(rounds) for rounds in ROUNDS],
        }

    def _after(self, rounds: int) -> dict[str, Any]:
        mean, error = float(self.mean), self.deviation / sqrt(rounds)
        behind = erfc(mean / (error * sqrt(2))) / 2 if error else float(mean < 0)
        return {
            "rounds": rounds,
            "normal": rounds >= self.normal_from,
            **{level: [_rounded(mean - by * error), _rounded(mean + by * error)] for level, by in LEVELS.items()},
            "house_behind": _rounded(behind),
        }


def spread_of(counted: Counted, figure: Figure, table: Table | None, setup: Setup) -> Spread | None:
    """The spread of a wager; None where money that is not known bears on it."""
    if figure.house_edge is None:
        return None
    if isinstance(table, ProgressiveTable):
        results = _progressive(counted, figure, table, setup)
        return None if results is None else _exact(results, figure)
    if isinstance(table, PayTable) and table.envy_cents:
        return _exact(_with_envy(counted, table, setup), figure)
    distribution = counted.distribution
    if distribution is not None:
        return _exact([Result(-net, chance) for net, chance in distribution.probabilities().items()], figure)
    return _between_bounds(counted, figure)


def _exact(results: Sequence[Result], figure: Figure) -> Spread:
    if sum(result.chance for result in results) != 1:
        raise ValueError(f"the chances of {figure.game} {figure.wager} {figure.table} do not sum to 1")
    mean = sum((result.win * result.chance for result in results), Fraction(0))
    if figure.house_edge is None or mean != figure.house_edge.exact:
        raise ValueError(f"the results of {figure.game} {figure.wager} {figure.table} do not come to its house edge")
    variance = sum((result.win**2 * result.chance for result in results), Fraction(0)) - mean**2
    return Spread(mean, sqrt(variance), _skewness(results, mean, sqrt(variance)))


def _skewness(results: Iterable[Result], mean: Fraction, deviation: float) -> float:
    third = float(sum((result.chance * (result.win - mean) ** 3 for result in results), Fraction(0)))
    return third / deviation**3 if deviation else 0.0


def _between_bounds(counted: Counted, figure: Figure) -> Spread | None:
    """Where chances are bounds their middles stand for them; the deviation is the one counted."""
    if figure.house_edge is None or figure.standard_deviation is None:
        return None
    mean, deviation = figure.house_edge.middle, figure.standard_deviation
    middles = [Result(-net, chance.middle) for net, chance in counted.results]
    return Spread(mean, deviation, _skewness(middles, mean, deviation))


def _progressive(counted: Counted, figure: Figure, table: ProgressiveTable, setup: Setup) -> list[Result] | None:
    odds = odds_of(counted, table, setup)
    returns = figure.returns
    if returns is None or returns.contribution is None:
        return None
    results = []
    for row in table.rows:
        cost = odds.envy(row) * odds.others
        if row.percent == WHOLE and row.meter is not None:
            seed = odds.seed_cents(row.meter)
            if seed is None:
                return None
            cost += Fraction(seed, odds.wager_cents)
        elif row.percent is None and odds.drawn_on(row) is None:
            cost += odds.fixed(row)
        results.append(Result(1 - returns.contribution - cost, odds.chance(row)))
    lost = 1 - sum((result.chance for result in results), Fraction(0))
    return [*results, Result(1 - returns.contribution, lost)]


def _with_envy(counted: Counted, table: PayTable, setup: Setup) -> list[Result]:
    """By the own hand: what it is paid, and what every other player is paid for it."""
    stake = 0 if table.returns_wager else 1
    results = []
    for hand, ways in counted.rows.items():
        odds = table.odds(hand)
        paid = Fraction(-1) if odds is None else Fraction(odds.num, odds.den) - stake
        envy = Fraction(table.envy_cents.get(hand, 0), table.envy_minimum_cents) * setup.other_spots
        results.append(Result(-paid - envy, Fraction(ways, counted.total)))
    return results


def _rounded(value: float) -> float:
    return round(value, DIGITS) + 0.0
