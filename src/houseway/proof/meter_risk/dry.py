"""The risk of running dry before the next jackpot, and what the house then covers (PR-7).

One walk up the ladder. From rung k three things are found at once: the chance to reach k + 1, the chance that a fixed
award finds too little on the meter before that, and what is missing then. Down again they add up to the risk from every
level. A meter that ran dry starts again from nothing, so what is missing in all until the jackpot is a geometric sum.

Only positive numbers are added, multiplied and divided: a risk of 1e-30 has as many right digits as one of a half.
Plain Python, since the floor's adviser quotes it and the floor has no compiler.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import count, takewhile
from math import exp, floor, log, log10
from typing import Final

from houseway.proof.meter_risk.ladder import Ladder, Start, check_solvable, decay_of, ladder_of, restarts
from houseway.proof.meter_risk.model import MeterModel

QUICK_RUNGS: Final = 3_000
FINE_RUNGS: Final = 12_000
NEGLIGIBLE: Final = 1e-7
"""How much of a risk may lie above the top of the ladder, as a part of it."""
E_FOLDS: Final = 20.0
MOST: Final = 8
"""A ladder grows to so many times the rungs that were asked for, and no further."""
FAR_DOWN: Final = 300.0
"""An exponent well within what a float can hold."""


@dataclass(frozen=True, slots=True)
class DryRisk:
    """The risk from every rung of a ladder."""

    rung_cents: float
    wagers_to_a_rung: int
    chances: tuple[float, ...]
    """By rung: the chance that the meter runs dry before the next jackpot."""
    missing: tuple[float, ...]
    """By rung: what is missing the first time it does, in cents, times that chance."""

    @property
    def top_cents(self) -> float:
        """From here on the risk weighs nothing."""
        return (len(self.chances) - 1) * self.rung_cents

    def chance(self, level_cents: float) -> float:
        """The chance that a meter at this level runs dry before the next jackpot."""
        return self._at(self.chances, level_cents)

    def times(self, level_cents: float) -> float:
        """How many awards on average find too little on it until then."""
        return self.chance(level_cents) * self._again

    def shortfall(self, level_cents: float) -> float:
        """What the house covers on average until then, in cents."""
        return self._at(self.missing, level_cents) + self.chance(level_cents) * self.missing[0] * self._again

    @property
    def _again(self) -> float:
        """How often a meter that is dry runs dry, that time included, until the jackpot."""
        return 1 / (1 - self.chances[0])

    def _at(self, values: tuple[float, ...], level_cents: float) -> float:
        """Between two rungs as the chances fall: by a like factor for every cent."""
        rung = level_cents / self.rung_cents
        below = int(rung)
        if below + 1 >= len(values):
            return 0.0
        low, high = values[below], values[below + 1]
        if low <= 0 or high <= 0:
            return low + (high - low) * (rung - below)
        return float(low * (high / low) ** (rung - below))


@dataclass(frozen=True, slots=True)
class Outlook:
    """What to expect between two jackpots."""

    chance: float
    """That the meter runs dry."""
    times: float
    """How many awards find too little on it, on average."""
    shortfall_cents: float
    """What the house covers, on average."""

    @property
    def shortfall_when_dry_cents(self) -> float:
        """What the house covers on average if it runs dry at all."""
        return self.shortfall_cents / self.chance if self.chance else 0.0


NEVER: Final = Outlook(0.0, 0.0, 0.0)


def outlook(risk: DryRisk | None, starts: Iterable[Start]) -> Outlook:
    """The risk from a level that is not known, or from one: a meter that no fixed award comes off never runs dry."""
    if risk is None:
        return NEVER
    chance = times = shortfall = 0.0
    for start in starts:
        chance += start.chance * risk.chance(start.cents)
        times += start.chance * risk.times(start.cents)
        shortfall += start.chance * risk.shortfall(start.cents)
    return Outlook(chance, times, shortfall)


def from_the_seed(model: MeterModel, risk: DryRisk | None) -> Outlook:
    """With the reserve empty: the first jackpot, and the second of two that come together."""
    return outlook(risk, [Start(float(model.seed_cents), 1.0)])


def after_a_jackpot(model: MeterModel, risk: DryRisk | None) -> Outlook:
    """With what the reserve holds when a jackpot is won."""
    if risk is None:
        return NEVER
    known = takewhile(lambda start: start.cents < risk.top_cents, restarts(model, risk.rung_cents))
    return outlook(risk, known)


def in_words(chance: float) -> str:
    """A chance for people: a percentage, or one in so many."""
    if chance <= 0:
        return "none"
    if chance < 1e-12:
        return "less than 1 in a million million"
    if chance < 1e-4:
        digits = floor(log10(1 / chance)) - 1
        return f"1 in {round(1 / chance / 10**digits) * 10**digits:,}"
    if chance < 0.01:
        return f"{100 * chance:.2f}%"
    return f"{100 * chance:.1f}%" if chance < 0.9995 else "over 99.9%"


@lru_cache(maxsize=64)
def dry_risk(model: MeterModel, rungs: int = QUICK_RUNGS) -> DryRisk | None:
    """The risk of a meter from every level up to its seed and beyond; None where no fixed award comes off it.

    TooHigh where a ladder of about so many rungs would not do. The adviser asks the same again and again, so answers
    are kept.
    """
    if not model.fixed:
        return None
    check_solvable(model)
    largest = max(award.cents for award in model.fixed)
    decay = decay_of(model)
    # A full reserve is as rare as it is safe: beyond this the two together weigh nothing.
    reserve, ends = float(model.reserve), float(model.jackpot_chance)
    reach = model.seed_cents + E_FOLDS * reserve / (decay.down * reserve + ends)
    span = reach + max(E_FOLDS / (decay.up + decay.down), 4.0 * largest)
    return _walk(ladder_of(model, span, rungs, MOST * rungs), model.seed_cents, reach, MOST * rungs)


class _Window:
    """Sums of risk and loss over the rungs from a rising lower end to the newest, relative to the lower end.

    A running difference would lose small sums in the errors of large ones. So the older part is kept as sums from every
    rung up to an edge, the newer as one sum; when the lower end passes the edge all of it becomes the older part.
    """

    __slots__ = ("back_dry", "back_lost", "edge", "first", "front_dry", "front_lost", "reference")

    def __init__(self) -> None:
        self.edge = self.first = 0
        self.reference = self.back_dry = self.back_lost = 0.0
        self.front_dry: list[float] = []
        self.front_lost: list[float] = []

    def add(self, log: float, dry: float, lost: float) -> None:
        """One more rung at the upper end."""
        weight = exp(log - self.reference)
        self.back_dry += weight * dry
        self.back_lost += weight * lost

    def sums(self, low: int, logs: list[float], dry: list[float], lost: list[float]) -> tuple[float, float]:
        """The sums from a rung up to the newest."""
        high = len(dry)
        if low >= high:
            return 0.0, 0.0
        if low >= self.edge or self.reference - logs[low] > FAR_DOWN:
            self._turn(low, high, logs, dry, lost)
        weight = exp(self.reference - logs[low])
        place = low - self.first
        return weight * (self.front_dry[place] + self.back_dry), weight * (self.front_lost[place] + self.back_lost)

    def _turn(self, low: int, high: int, logs: list[float], dry: list[float], lost: list[float]) -> None:
        self.first, self.edge, self.reference = low, high, logs[low]
        self.back_dry = self.back_lost = 0.0
        both_dry = both_lost = 0.0
        self.front_dry, self.front_lost = [0.0] * (high - low), [0.0] * (high - low)
        for place in range(high - 1, low - 1, -1):
            weight = exp(logs[place] - self.reference)
            both_dry += weight * dry[place]
            both_lost += weight * lost[place]
            self.front_dry[place - low] = both_dry
            self.front_lost[place - low] = both_lost


def _walk(ladder: Ladder, start_cents: int, reach_cents: float, most: int) -> DryRisk:
    start, reach = int(start_cents / ladder.rung_cents), int(reach_cents / ladder.rung_cents)
    awards = [(award, _Window()) for award in ladder.awards]
    logs, ups, dry, lost = [0.0], list[float](), list[float](), list[float]()
    total = block = 0.0
    block_end = 0
    for rung in count():
        at = rung + ladder.place
        up, back, risk, loss = ladder.up, 0.0, 0.0, 0.0
        here = logs[rung]
        for award, window in awards:
            chance = award.chance
            left = at * award.keep - award.fall
            if left < 0:
                risk += chance
                loss -= chance * left
                continue
            low = int(left)
            part = left - low
            if low >= rung:
                up += chance * part
                back += chance * (1 - part)
                continue
            climbed = (1 - part) * ups[low] + part
            back += chance * climbed * exp(here - logs[low + 1])
            above_dry, above_lost = window.sums(low + 1, logs, dry, lost)
            risk += chance * ((1 - part) * dry[low] + climbed * above_dry)
            loss += chance * ((1 - part) * lost[low] + climbed * above_lost)
        rest = 1 - back
        ups.append(up / rest)
        dry.append(risk / rest)
        lost.append(loss / rest)
        logs.append(here + log(up / rest))
        for _, window in awards:
            window.add(here, risk / rest, loss / rest)
        if rung < start:
            continue
        term = exp(here - logs[start]) * dry[rung]
        total += term
        block += term
        if rung >= block_end:
            if block_end and rung > reach and (block <= NEGLIGIBLE * total or rung > most):
                break
            block, block_end = 0.0, rung + 50 + int(ladder.longest_fall) + rung // 20
    return _down_again(ladder, ups, dry, lost)


def _down_again(ladder: Ladder, ups: list[float], dry: list[float], lost: list[float]) -> DryRisk:
    chance = missing = 0.0
    for rung in range(len(ups) - 1, -1, -1):
        chance = dry[rung] + ups[rung] * chance
        missing = lost[rung] + ups[rung] * missing
        dry[rung], lost[rung] = chance, missing * ladder.rung_cents
    return DryRisk(ladder.rung_cents, ladder.wagers, tuple(dry), tuple(lost))
