"""Where a meter stands after so many wagers: the whole law of its level, step by step.

When a jackpot comes does not depend on the level, and what the meter starts again from, seed and reserve, depends only
on how long the one before it was ago. So the law of the level needs no second dimension for the reserve:

    law after a step = (1 - chance of a jackpot) * (climb and awards applied to the law) + chance * law of the restart

where the restart after t wagers is the seed and what a geometric number of wagers, cut off at t, put on the reserve.

The law lies on cells. A step is the number of wagers that climbs one cell, so climbing is exact; where the fixed awards
are whole cells, so are they. What falls between two cells is divided so that the mean is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, exp, expm1, gcd, log1p
from typing import Any, Final

from houseway.proof.meter_risk.model import WHOLE, MeterModel

STEPS: Final = 1_500
CELLS: Final = 10_000
JACKPOTS_A_STEP: Final = 0.02
SHARES_A_STEP: Final = 0.05
NEGLIGIBLE: Final = 1e-9
"""Sums of awards in one step that are rarer than this are left out."""
QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True, slots=True)
class Fan:
    """Quantiles and means of the level after so many wagers, in cents."""

    wagers: tuple[int, ...]
    levels_cents: tuple[tuple[float, ...], ...]
    """For every number of wagers, the quantiles in the order of ``QUANTILES``."""
    means_cents: tuple[float, ...]


def fan_of(model: MeterModel, wagers: Sequence[int]) -> Fan:
    """The fan of a freshly seeded meter with an empty reserve after these numbers of wagers, which must rise."""
    import numpy as np

    grid = _Grid(model, wagers[-1])
    law = grid.first()
    steps, quantiles, means = 0, [], []
    for mark in wagers:
        until = round(mark / grid.wagers)
        while steps < until:
            law = grid.step(law, steps)
            steps += 1
        summed = np.cumsum(law) - law / 2
        quantiles.append(tuple(float(np.interp(part, summed, grid.levels)) for part in QUANTILES))
        means.append(float(law @ grid.levels))
    return Fan(tuple(wagers), tuple(quantiles), tuple(means))


class _Grid:
    """The cells of a meter up to a number of wagers, and one step on them."""

    def __init__(self, model: MeterModel, horizon: int) -> None:
        import numpy as np

        self.model = model
        contribution, reserve = float(model.contribution), float(model.reserve)
        highest = model.seed_cents + (contribution + reserve) * horizon
        self.cell = self._cell(horizon, highest)
        self.wagers = self.cell / contribution
        """How many wagers a step has; a real number."""
        self.cells = ceil(highest / self.cell) + 3
        self.levels = np.arange(self.cells) * self.cell
        self.won = -expm1(self.wagers * log1p(-float(model.jackpot_chance)))
        self.taps = self._taps()
        self.shares = [self._share(share.percent / WHOLE, share.ways / model.total) for share in model.shares]
        self._ages = np.zeros(self.cells)

    def _cell(self, horizon: int, highest: float) -> float:
        model = self.model
        wagers = min(
            horizon / STEPS,
            JACKPOTS_A_STEP / float(model.jackpot_chance),
            *(SHARES_A_STEP * model.total / share.ways for share in model.shares),
        )
        width = max(float(model.contribution) * max(wagers, 1.0), highest / CELLS)
        common = gcd(*(award.cents for award in model.fixed)) if model.fixed else 0
        return common / ceil(common / width) if common > width / 2 else width

    def first(self) -> Any:
        import numpy as np

        law = np.zeros(self.cells)
        self._put(law, self.model.seed_cents / self.cell, 1.0)
        return law

    def step(self, law: Any, steps: int) -> Any:
        """The law one step later."""
        import numpy as np

        law = np.concatenate(([0.0], law[:-2], [law[-2] + law[-1]]))
        for low, part, chance in self.shares:
            moved = chance * law
            law = law - moved + np.bincount(low, moved * (1 - part), self.cells)
            law += np.bincount(low + 1, moved * part, self.cells + 1)[: self.cells]
        if self.taps:
            fallen = np.zeros(self.cells)
            for cells, chance in self.taps:
                fallen[: self.cells - cells] += chance * law[cells:]
                fallen[0] += chance * law[:cells].sum()
            law = fallen
        law *= 1 - self.won
        law += self.won * self._restart(steps)
        return law

    def _restart(self, steps: int) -> Any:
        """Where a jackpot in this step leaves the meter; on average half a step of contributions comes on top."""
        model, each = self.model, float(self.model.reserve) / self.cell
        seed = model.seed_cents / self.cell + 0.5
        if each == 0:
            if steps == 0:
                self._put(self._ages, seed, 1.0)
            return self._ages
        law = self._ages.copy()
        at = seed + each * self.wagers * (steps + 0.5)
        left = exp(steps * log1p(-self.won))
        self._put(law, at, left)
        self._put(self._ages, at, left * self.won)
        return law

    def _put(self, law: Any, at: float, chance: float) -> None:
        low = min(int(at), self.cells - 2)
        part = min(at - low, 1.0)
        law[low] += chance * (1 - part)
        law[low + 1] += chance * part

    def _share(self, percent: float, chance: float) -> tuple[Any, Any, float]:
        """Where a share leaves each cell, found on average half a cell below it, and how often one comes in a step."""
        import numpy as np

        place = np.arange(self.cells)
        left = place - percent * np.maximum(place - 0.5, 0)
        low = left.astype(np.int64)
        return low, left - low, chance * self.wagers

    def _taps(self) -> list[tuple[int, float]]:
        """What the fixed awards of one step take together: cells, and the chance."""
        import numpy as np

        model = self.model
        if not model.fixed:
            return []
        longest = max(award.cents for award in model.fixed) / self.cell
        expected = self.wagers * sum(award.ways for award in model.fixed) / model.total
        size = 1 << ceil((longest + 1) * (expected + 8 * expected**0.5 + 8)).bit_length()
        one_wager = np.zeros(size)
        one_wager[0] = 1.0
        for fixed_award in model.fixed:
            low, part = divmod(fixed_award.cents / self.cell, 1)
            chance = fixed_award.ways / model.total
            one_wager[0] -= chance
            one_wager[int(low)] += chance * (1 - part)
            one_wager[int(low) + 1] += chance * part
        irfft = np.fft.irfft(np.fft.rfft(one_wager) ** self.wagers, size)
        irfft = np.where(irfft > NEGLIGIBLE, irfft, 0.0)[: self.cells]
        irfft /= irfft.sum()
        return [(int(cells), float(irfft[cells])) for cells in np.flatnonzero(irfft)]
