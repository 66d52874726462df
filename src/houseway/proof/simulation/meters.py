"""The meters of a progressive over a simulation: one after another in the order of the rounds.

What a meter holds depends on every award before, so this part is not shared out. The workers send only the hands that
draw on a meter; between them a meter grows by the same amount every round (PR-2), so each such hand is one step.
All money is whole: millionths of a dollar on the meters, cents in the awards.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from houseway.progressive.awards import drawn, share
from houseway.progressive.terms import MICROS_PER_CENT, split
from houseway.proof.simulation.kernels import loop
from houseway.proof.simulation.plan import Plan, Progressive

Ints: TypeAlias = npt.NDArray[np.int64]

HITS: Final = 0
FROM_METER: Final = 1
SHORT: Final = 2
SHORTFALL: Final = 3
BOOK: Final = 4
"""Columns by row: awards that drew on a meter, the cents it gave, how often it could not give all, and what the house
gave instead (PR-7)."""


STEP: Final = 10_000
"""Rounds between two points of a meter's path."""


@dataclass(slots=True)
class Meters:
    """The meters of one progressive table, as they stand."""

    progressive: Progressive
    spots: int
    held: Ints = field(init=False)
    reserve: Ints = field(init=False)
    book: Ints = field(init=False)
    """By row of the game: the columns above."""
    seeded: Ints = field(init=False)
    """By meter: how often it was won whole and started again."""
    rounds: int = 0
    jackpots: list[Ints] = field(default_factory=list)
    """By step: the place of each meter that was won whole, what it came to in cents, and after how many rounds."""
    path: list[tuple[int, ...]] = field(default_factory=list)
    """After each step: the rounds played, then what every meter shows, in cents."""
    _rates: Ints = field(init=False)

    def __post_init__(self) -> None:
        terms = self.progressive.terms
        parts = split(terms, self.spots)
        names = list(terms.meters)
        self._rates = np.array([[parts.meters[name], parts.reserves.get(name, 0)] for name in names], np.int64)
        self.held = np.array([terms.meters[name].seed_cents * MICROS_PER_CENT for name in names], np.int64)
        self.reserve = np.zeros(len(names), np.int64)
        self.book = np.zeros((len(self.progressive.percent), BOOK), np.int64)
        self.seeded = np.zeros(len(names), np.int64)

    def run(self, events: Ints, rounds: int) -> None:
        """Go on by one chunk: its events and its number of rounds."""
        progressive = self.progressive
        seeds = np.array([meter.seed_cents for meter in progressive.terms.meters.values()], np.int64)
        rows = [np.array(column, np.int64) for column in (progressive.percent, progressive.amount, progressive.meter)]
        jackpots = np.zeros((len(events), 3), np.int64)
        for first in range(0, rounds, STEP):
            step = min(STEP, rounds - first)
            here = slice(*np.searchsorted(events, (first << 8, first + step << 8)))
            count = _run(
                *(events[here] - (first << 8), step, self._rates, seeds * MICROS_PER_CENT, *rows),
                *(self.held, self.reserve, self.book, self.seeded, jackpots),
            )
            won = jackpots[:count].copy()
            won[:, 2] += self.rounds
            self.jackpots.append(won)
            self.rounds += step
            self.path.append((self.rounds, *(self.held // MICROS_PER_CENT).tolist()))

    def check(self) -> None:
        """Whatever came on the meters is there or was paid: nothing is made and nothing is lost."""
        terms = self.progressive.terms
        seeds = [meter.seed_cents * MICROS_PER_CENT for meter in terms.meters.values()]
        came = sum(
            seed * (1 + int(won)) + self.rounds * int(rates.sum())
            for seed, won, rates in zip(seeds, self.seeded, self._rates, strict=True)
        )
        there = int(self.held.sum()) + int(self.reserve.sum()) + int(self.book[:, FROM_METER].sum()) * MICROS_PER_CENT
        if came != there:
            raise ArithmeticError(f"{came} micros came on the meters and {there} are there or were paid")


def meters_of(plan: Plan) -> list[Meters]:
    """The meters of every progressive of a plan, at their seeds."""
    return [Meters(progressive, plan.spots) for progressive in plan.progressives]


@loop()
def _run(
    events: Any, rounds: Any, rates: Any, seeds: Any, percent: Any, amount: Any, meter: Any,
    values: Any, reserve: Any, book: Any, seeded: Any, jackpots: Any,
) -> Any:  # fmt: skip
    """Pay the events of a chunk in their order; gives back how many of them won a whole meter.

    A round's wagers are on the meter before anything is paid from it (PR-11); a second winner of the whole meter in one
    round gets what it was started again with (PR-4, PR-17).
    """
    booked = 0
    count = 0
    for place in range(len(events)):
        row = events[place] & 15
        number = events[place] >> 8
        at = meter[row]
        if at < 0:
            continue
        for one in range(len(values)):
            values[one] += rates[one, 0] * (number + 1 - booked)
            reserve[one] += rates[one, 1] * (number + 1 - booked)
        booked = number + 1
        shown = values[at] // MICROS_PER_CENT
        if percent[row] > 0:
            paid = share(shown, percent[row])
        else:
            paid = drawn(shown, amount[row])
            if paid < amount[row]:
                book[row, 2] += 1
                book[row, 3] += amount[row] - paid
        book[row, 0] += 1
        book[row, 1] += paid
        values[at] -= paid * MICROS_PER_CENT
        if percent[row] == 100:
            values[at] += seeds[at] + reserve[at]
            reserve[at] = 0
            seeded[at] += 1
            jackpots[count, 0] = at
            jackpots[count, 1] = paid
            jackpots[count, 2] = number + 1
            count += 1
    for one in range(len(values)):
        values[one] += rates[one, 0] * (rounds - booked)
        reserve[one] += rates[one, 1] * (rounds - booked)
    return count
