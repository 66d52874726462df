"""The law of the jackpot: how large the meter is when all of it is won.

A hand does not know the level, so each visit of a rung ends with the 100% award by the same chance, and the expected
visits of a rung between two jackpots are, but for a factor, the chance that the jackpot is won there. They are found
from the top of the ladder downwards: whoever comes to rung k starts there, climbs from below, or falls from a higher
rung to it or below it and climbs; a fall below k and the climb back count as one stay. A meter that ran dry goes on
from nothing (PR-7). Only positive numbers are added, multiplied and divided.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import exp, log, sqrt
from typing import Final

from houseway.proof.meter_risk.ladder import Ladder, check_solvable, decay_of, ladder_of, restarts
from houseway.proof.meter_risk.model import MeterModel

RUNGS: Final = 5_000
TOP: Final = 25.0
"""A ladder ends where the meter comes with a chance of exp(-TOP)."""
MOST: Final = 10
"""A ladder grows to so many times the rungs that were asked for, and no further."""


@dataclass(frozen=True, slots=True)
class Law:
    """Amounts in cents, rising, and the chance of each."""

    cents: tuple[float, ...]
    chances: tuple[float, ...]
    upto: tuple[float, ...]

    @staticmethod
    def of(cents: Sequence[float], chances: Sequence[float]) -> Law:
        """A law from chances that are brought to a sum of 1."""
        total = sum(chances)
        shares = tuple(chance / total for chance in chances)
        return Law(tuple(cents), shares, tuple(accumulate(shares)))

    @property
    def mean(self) -> float:
        return sum(cents * chance for cents, chance in zip(self.cents, self.chances, strict=True))

    @property
    def deviation(self) -> float:
        mean = self.mean
        return sqrt(sum((cents - mean) ** 2 * chance for cents, chance in zip(self.cents, self.chances, strict=True)))

    def quantile(self, part: float) -> float:
        """The amount that is not passed with this chance."""
        return self.cents[min(bisect_left(self.upto, part), len(self.cents) - 1)]


def jackpot_law(model: MeterModel, rungs: int = RUNGS) -> Law:
    """What the 100% award pays, over many of them, each meter started again by the one before."""
    check_solvable(model)
    ladder = ladder_of(model, _span(model), rungs, MOST * rungs)
    starts = _starts(model, ladder)
    climbs = _up(ladder, len(starts), int(model.seed_cents / ladder.rung_cents), MOST * rungs)
    visits = _down(ladder, climbs, starts)
    return Law.of([(rung + ladder.place) * ladder.rung_cents for rung in range(len(visits))], visits)


def _span(model: MeterModel) -> float:
    """How high the meter may come: as far as it climbs before TOP, or to where its shares stop it."""
    start, _ = model.restart
    reserve = TOP * float(start - model.seed_cents)
    far = TOP / decay_of(model).up
    if model.shared and model.drift > 0:
        far = min(far, float(model.drift / model.shared) + sqrt(float(_variance(model) / model.shared)) * 5)
    return model.seed_cents + reserve + far


def _variance(model: MeterModel) -> float:
    return sum(award.ways / model.total * award.cents**2 for award in model.fixed) + float(model.contribution) ** 2


def _starts(model: MeterModel, ladder: Ladder) -> list[float]:
    """By rung the chance that the meter starts again there."""
    steps: list[float] = []
    for start in restarts(model, ladder.rung_cents):
        low, part = divmod(start.cents / ladder.rung_cents, 1)
        place = int(low)
        steps.extend([0.0] * (place + 2 - len(steps)))
        steps[place] += start.chance * (1 - part)
        steps[place + 1] += start.chance * part
    return steps


@dataclass(frozen=True, slots=True)
class _Climbs:
    """What the walk up found, by rung."""

    logs: list[float]
    """The logarithm of the chance to climb there from the bottom without a jackpot."""
    ups: list[float]
    leaves: list[float]
    """The chance that a stay on a rung, falls below it and climbs back included, ends with what happens next."""


def _up(ladder: Ladder, least: int, seed: int, most: int) -> _Climbs:
    climbs = _Climbs([0.0], [], [])
    logs, ups, leaves = climbs.logs, climbs.ups, climbs.leaves
    rung = 0
    while rung < least or (logs[rung] > logs[min(seed, rung)] - TOP and rung < most):
        at = rung + ladder.place
        up, back, here = ladder.up, 0.0, logs[rung]
        for award in ladder.awards:
            left = max(0.0, at * award.keep - award.fall)
            low = int(left)
            part = left - low
            if low >= rung:
                up += award.chance * part
                back += award.chance * (1 - part)
            else:
                back += award.chance * ((1 - part) * ups[low] + part) * exp(here - logs[low + 1])
        leaves.append(1 - back)
        ups.append(up / (1 - back))
        logs.append(here + log(ups[rung]))
        rung += 1
    return climbs


class _Falls:
    """The falls of one award from the rungs above, as a sum from the newest, lowest, to a sinking upper end.

    Made by additions alone: the part above an edge as sums from the edge to every rung, the part below as one sum.
    """

    __slots__ = ("back", "edge", "front", "landing", "parts", "reference", "sizes", "top", "values")

    def __init__(self, top: int) -> None:
        self.top = top
        self.edge = top + 1
        self.front: list[float] = []
        self.back = self.reference = 0.0
        self.landing = [0] * (top + 1)
        self.parts = [0.0] * (top + 1)
        self.sizes = [0.0] * (top + 1)
        self.values = [0.0] * (top + 1)

    def add(self, rung: int, low: int, part: float, size: float, climbs: _Climbs) -> None:
        """A rung's falls: so many, to ``low`` or the one above it."""
        self.landing[rung], self.parts[rung], self.sizes[rung] = low, part, size
        climbed = (1 - part) * climbs.ups[low] + part
        self.values[rung] = log(size * climbed) - climbs.logs[low + 1] if size * climbed > 0 else -float("inf")
        self.back += exp(self.values[rung] + self.reference)

    def reaching(self, rung: int, climbs: _Climbs) -> float:
        """How many of the falls from above come to a rung, there or by climbing from below it."""
        integral = 0.0
        while self.top > rung and self.landing[self.top] >= rung:
            if self.landing[self.top] == rung:
                integral += self.sizes[self.top] * (1 - self.parts[self.top])
            self.top -= 1
        if self.top <= rung:
            return integral
        if self.top < self.edge:
            self._turn(rung + 1, climbs.logs[rung])
        total = self.front[self.top - self.edge] + self.back
        return integral + total * exp(climbs.logs[rung] - self.reference)

    def _turn(self, low: int, reference: float) -> None:
        self.edge, self.reference, self.back = low, reference, 0.0
        values = (exp(value + reference) for value in self.values[low : self.top + 1])
        self.front = list(accumulate(values))


def _down(ladder: Ladder, climbs: _Climbs, starts: list[float]) -> list[float]:
    """The expected visits of every rung."""
    top = len(climbs.ups) - 1
    arrived = []
    carried = 0.0
    for rung in range(top + 1):
        carried = (starts[rung] if rung < len(starts) else 0.0) + (climbs.ups[rung - 1] * carried if rung else 0.0)
        arrived.append(carried)
    falls = [(award, _Falls(top)) for award in ladder.awards]
    visits = [0.0] * (top + 1)
    for rung in range(top, -1, -1):
        come = arrived[rung] + sum(fall.reaching(rung, climbs) for _, fall in falls)
        visits[rung] = come / climbs.leaves[rung]
        for award, fall in falls:
            left = max(0.0, (rung + ladder.place) * award.keep - award.fall)
            low = int(left)
            if low < rung:
                fall.add(rung, low, left - low, visits[rung] * award.chance, climbs)
            else:
                fall.landing[rung] = low
    return visits
