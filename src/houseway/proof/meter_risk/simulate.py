"""Meters played out with random hands: a second witness beside what is solved.

The compiled loops pay by the very functions of the floor, in whole micros: what a share and a fixed award take
(``share``, ``drawn``), what a meter shows (``cents_of``), what is left on meter and reserve (``after_drawing``). Hands
that win nothing are skipped: the wait for the next award is geometric.

Every batch has a random stream of its own, made from the seed and its number, so the result does not depend on how many
threads play.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from math import log, log1p
from typing import Any, Final, TypeVar

from houseway.progressive import Policy
from houseway.progressive.awards import drawn, envy_amount, fixed_amount, share, source_meter
from houseway.progressive.link import after_drawing
from houseway.progressive.terms import MICROS_PER_CENT, Terms, cents_of, split
from houseway.proof.compiled import Progress, jit, part, silent
from houseway.proof.meter_risk.model import WHOLE, MeterModel

CYCLES_A_BATCH: Final = 500
RUNS_A_BATCH: Final = 50
NO_METER: Final = -1

Made = TypeVar("Made")

# Functions of the floor that are not marked as rules; compiled from their own source like those.
part(cents_of)
part(after_drawing)

UNCACHED: Final[dict[str, Any]] = {"cache": False}
"""The folder of compiled code is named by the rules of the games and does not know those of the progressive."""


@part
def next_bits(state: Any) -> Any:
    """The next 64 random bits of a stream: a counter in its own odd steps, mixed (splitmix)."""
    state[0] += state[1]
    return mixed(state[0])


@part
def mixed(bits: Any) -> Any:
    """64 bits of which each depends on all those given."""
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB
    return bits ^ (bits >> 31)


@part
def next_below(limit: Any, state: Any) -> Any:
    """A random whole number below ``limit``, every one with the same chance."""
    even = 0xFFFFFFFFFFFFFFFF // limit * limit
    while True:
        bits = next_bits(state)
        if bits < even:
            return bits % limit


@part
def next_wait(log_none: Any, state: Any) -> Any:
    """How many wagers to the next award: geometric."""
    return 1 + int(log(((next_bits(state) >> 11) + 1) * 2.0**-53) / log_none)


@part
def next_row(ways: Any, total: Any, state: Any) -> Any:
    """Which of the rows came, each with as many ways as it has."""
    left = next_below(total, state)
    row = 0
    while left >= ways[row]:
        left -= ways[row]
        row += 1
    return row


@jit(**UNCACHED)
def _cycles(
    state: Any, ways: Any, total: Any, log_none: Any, percents: Any, fixed: Any, terms: Any, jackpots: Any
) -> None:
    """Jackpot after jackpot: for each what it paid, the wagers since the last, the times dry and what was missing.

    The first jackpot only fills the reserve; from then on every cycle starts as in the long run.
    """
    contribution, reserve_rate, seed = terms[0], terms[1], terms[2]
    value, reserve, wagers, times, missing = seed * MICROS_PER_CENT, 0, 0, 0, 0
    cycle = -1
    while cycle < len(jackpots):
        gap = next_wait(log_none, state)
        wagers += gap
        value += gap * contribution
        reserve += gap * reserve_rate
        row = next_row(ways, total, state)
        cents = cents_of(value)
        if percents[row] == WHOLE:
            paid = share(cents, WHOLE)
            if cycle >= 0:
                jackpots[cycle, 0] = paid
                jackpots[cycle, 1] = wagers
                jackpots[cycle, 2] = times
                jackpots[cycle, 3] = missing
            value, reserve = after_drawing(value, reserve, paid, seed)
            wagers, times, missing = 0, 0, 0
            cycle += 1
        elif percents[row]:
            value, reserve = after_drawing(value, reserve, share(cents, percents[row]), None)
        else:
            paid = drawn(cents, fixed[row])
            if paid < fixed[row]:
                times += 1
                missing += fixed[row] - paid
            value, reserve = after_drawing(value, reserve, paid, None)


@jit(**UNCACHED)
def _runs(
    state: Any, ways: Any, total: Any, log_none: Any, rows: Any, terms: Any, values: Any, marks: Any, levels: Any,
    house: Any, short: Any,
) -> None:  # fmt: skip
    """Run after run from freshly seeded meters: levels and house win at every mark, and what was missing in all.

    By row: meter, percent, fixed award, what the house pays beside the meter, in cents. By meter: contribution and
    reserve in micros, seed in cents.
    """
    meters = len(terms)
    value, reserve = [0] * meters, [0] * meters
    for run in range(len(levels)):
        for meter in range(meters):
            value[meter] = terms[meter, 2] * MICROS_PER_CENT
            reserve[meter] = 0
        wagers, mark, paid_out = 0, 0, 0
        while mark < len(marks):
            gap = next_wait(log_none, state)
            while mark < len(marks) and wagers + gap > marks[mark]:
                more = marks[mark] - wagers
                for meter in range(meters):
                    levels[run, mark, meter] = cents_of(value[meter] + more * terms[meter, 0])
                house[run, mark] = cents_of(marks[mark] * values) - paid_out
                mark += 1
            wagers += gap
            for meter in range(meters):
                value[meter] += gap * terms[meter, 0]
                reserve[meter] += gap * terms[meter, 1]
            row = next_row(ways, total, state)
            meter = rows[row, 0]
            if mark == len(marks):
                break
            paid_out += rows[row, 3]
            if meter < 0:
                continue
            cents = cents_of(value[meter])
            if rows[row, 1] == WHOLE:
                seed = terms[meter, 2]
                value[meter], reserve[meter] = after_drawing(value[meter], reserve[meter], share(cents, WHOLE), seed)
                paid_out += seed
            elif rows[row, 1]:
                value[meter], reserve[meter] = after_drawing(
                    value[meter], reserve[meter], share(cents, rows[row, 1]), None
                )
            else:
                paid = drawn(cents, rows[row, 2])
                short[run, meter] += rows[row, 2] - paid
                paid_out += rows[row, 2] - paid
                value[meter], reserve[meter] = after_drawing(value[meter], reserve[meter], paid, None)


def _stream(seed: int, number: int) -> Any:
    """The random stream of a batch: where it starts, and its odd step."""
    import hashlib

    import numpy as np

    digest = hashlib.sha256(f"{seed} {number}".encode()).digest()
    return np.array([int.from_bytes(digest[:8]), int.from_bytes(digest[8:16]) | 1], np.uint64)


@dataclass(frozen=True, slots=True)
class Cycles:
    """Many jackpots, batch by batch; a batch knows nothing of the others."""

    jackpots_cents: Any
    """All arrays have one line a batch."""
    wagers: Any
    times_dry: Any
    missing_cents: Any
    asked: int

    @property
    def jackpots(self) -> int:
        return int(self.jackpots_cents.size)

    def mean(self, of: Any) -> tuple[float, float]:
        """A mean and its standard error, which is taken from the means of the batches."""
        import numpy as np

        means = of.mean(axis=1)
        error = means.std(ddof=1) / np.sqrt(len(means)) if len(means) > 1 else float("nan")
        return float(means.mean()), float(error)

    def quantile(self, share: float) -> float:
        import numpy as np

        return float(np.quantile(self.jackpots_cents, share))


@dataclass(frozen=True, slots=True)
class Runs:
    """Many runs over the same days."""

    marks: tuple[int, ...]
    """The wagers after which levels and house win were noted."""
    levels_cents: Any
    """By run, mark and meter."""
    house_cents: Any
    """By run and mark."""
    missing_cents: Any
    """By run and meter."""
    asked: int

    @property
    def runs(self) -> int:
        return len(self.house_cents)


def play_cycles(model: MeterModel, jackpots: int, seed: int, progress: Progress = silent) -> Cycles:
    """Play so many jackpots of one meter, rounded up to whole batches; Ctrl-C gives what there is by then."""
    import numpy as np

    rows = [
        (model.jackpot_ways, WHOLE, 0),
        *((share.ways, share.percent, 0) for share in model.shares),
        *((award.ways, 0, award.cents) for award in model.fixed),
    ]
    ways = np.array([row[0] for row in rows], np.uint64)
    percents, fixed = (np.array([row[place] for row in rows], np.int64) for place in (1, 2))
    terms = np.array([model.contribution_micros, model.reserve_micros, model.seed_cents], np.int64)
    total = ways.sum()
    log_none = log1p(-int(total) / model.total)

    def batch(number: int) -> Any:
        zeros = np.zeros((CYCLES_A_BATCH, 4), np.int64)
        _cycles(_stream(seed, number), ways, total, log_none, percents, fixed, terms, zeros)
        return zeros

    batches = -(-jackpots // CYCLES_A_BATCH)
    array = np.array(_batches(batch, batches, f"{model.name}: jackpots", progress))
    array = array.reshape(-1, CYCLES_A_BATCH, 4)
    return Cycles(array[..., 0], array[..., 1], array[..., 2], array[..., 3], batches * CYCLES_A_BATCH)


def play_runs(
    terms: Terms,
    rows: Mapping[str, int],
    cases: int,
    others: int,
    marks: tuple[int, ...],
    runs: int,
    seed: int,
    progress: Progress = silent,
    *,
    envy_scales: bool = True,
) -> Runs:
    """Play a link so many times over, from fresh seeds to the last mark; Ctrl-C gives what there is by then."""
    import numpy as np

    table, policy, names = terms.table, Policy(fixed_from=terms.fixed_from), list(terms.meters)
    shares = split(terms, 1)
    lines = []
    for row in table.rows:
        source = source_meter(row, table, policy)
        fixed = fixed_amount(row, table, terms.wager_cents) if row.percent is None else 0
        envy = envy_amount(row, table, terms.wager_cents, scales=envy_scales)
        beside = others * envy + (fixed if source is None else 0)
        lines.append((NO_METER if source is None else names.index(source), row.percent or 0, fixed, beside))
    ways = np.array([rows[row.hand] for row in table.rows], np.uint64)
    total = ways.sum()
    facts = np.array(
        [(shares.meters[name], shares.reserves.get(name, 0), terms.meters[name].seed_cents) for name in names], np.int64
    )
    log_none = log1p(-int(total) / cases)
    at = np.array(marks, np.int64)

    def batch(number: int) -> tuple[Any, Any, Any]:
        levels = np.zeros((RUNS_A_BATCH, len(marks), len(names)), np.int64)
        house = np.zeros((RUNS_A_BATCH, len(marks)), np.int64)
        short = np.zeros((RUNS_A_BATCH, len(names)), np.int64)
        stream = _stream(seed, -1 - number)
        _runs(stream, ways, total, log_none, np.array(lines, np.int64), facts, shares.kept, at, levels, house, short)
        return levels, house, short

    batches = -(-runs // RUNS_A_BATCH)
    played_runs = _batches(batch, batches, "months of play", progress)
    empty = np.zeros((0, len(marks), len(names)), np.int64)
    levels = np.concatenate([empty, *(run[0] for run in played_runs)])
    house = np.concatenate([empty[:, :, 0], *(run[1] for run in played_runs)])
    short = np.concatenate([empty[:, 0], *(run[2] for run in played_runs)])
    return Runs(marks, levels, house, short, batches * RUNS_A_BATCH)


def _batches(batch: Callable[[int], Made], number: int, what: str, progress: Progress) -> list[Made]:
    """All batches in their order, on every core; interrupted, those that are done."""
    results: dict[int, Made] = {}
    waiting = iter(range(number))
    workers = os.cpu_count() or 1
    progress(what, 0.0)
    with ThreadPoolExecutor(max_workers=workers, thread_name_prefix="meter") as pool:
        open_: dict[Future[Made], int] = {}
        try:
            while len(results) < number:
                for job in islice(waiting, 2 * workers - len(open_)):
                    open_[pool.submit(batch, job)] = job
                done, _ = wait(open_, timeout=0.2, return_when=FIRST_COMPLETED)
                for future in done:
                    results[open_.pop(future)] = future.result()
                progress(what, len(results) / number)
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
    return [results[number] for number in sorted(results)]
