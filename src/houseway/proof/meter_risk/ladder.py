"""The ladder: a meter's levels as rungs, and what can happen on the way from one to the next.

A meter climbs rung by rung, a number of wagers to each, and an award throws it down any number of rungs; it never jumps
up. So whoever reaches rung k + 1 has passed rung k. After an award on the way from k, which leaves rung j, the meter is
back at k with the chance that the rungs from j to k - 1 are climbed one after another, and that is known by then: one
walk up the ladder solves what would else be a system of as many equations as there are rungs (``dry``, ``jackpot``).

An award that ends between two rungs is divided between them so that the mean is kept. With one contribution to a rung
that is the only approximation; where there would be too many rungs, several contributions make one.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from math import exp, expm1, log1p, sqrt
from typing import Final, NamedTuple

from houseway.proof.meter_risk.model import WHOLE, MeterModel


class Award(NamedTuple):
    """An award as a fall: it leaves ``keep`` times the level less ``fall``, in rungs."""

    chance: float
    """That it is what comes before the next rung is climbed."""
    keep: float
    fall: float


class Ladder(NamedTuple):
    """A meter's ladder: every rung is alike."""

    rung_cents: float
    wagers: int
    """How many contributions make a rung."""
    up: float
    """The chance that nothing takes from the meter before the next rung."""
    jackpot: float
    awards: tuple[Award, ...]
    place: float
    """How far up, 0 to 1, an award finds the meter on average."""

    @property
    def longest_fall(self) -> float:
        """The largest fixed award, in rungs."""
        return max((award.fall for award in self.awards), default=0.0)


MOST_AWARDS: Final = 20.0
"""How many awards may be expected on the way to the next rung."""


class TooHigh(ValueError):  # noqa: N818  an answer: nothing is wrong but the size
    """The levels of a meter are too many contributions apart for a ladder that can be walked."""


def check_solvable(model: MeterModel) -> None:
    """A meter that gets nothing, or is never won whole, has no life between jackpots to be solved."""
    if model.contribution == 0 or model.jackpot_ways == 0:
        raise ValueError(f"meter {model.name} gets nothing of the wagers, or is never won whole")


def ladder_of(model: MeterModel, span_cents: float, rungs: int, most: int) -> Ladder:
    """A ladder of about so many rungs up to an amount, never more than ``most``.

    A rung is at least one contribution, and not so many that it would hardly ever be climbed without an award.
    """
    contribution = float(model.contribution)
    ways = model.award_ways
    chance = ways / model.total
    wagers = max(1, min(round(span_cents / (rungs * contribution)), int(MOST_AWARDS / chance)))
    if span_cents > most * wagers * contribution:
        raise TooHigh(f"the ladder of meter {model.name} has more than {most:,} rungs")
    before = -expm1(wagers * log1p(-chance))
    rung = wagers * contribution
    return Ladder(
        rung_cents=rung,
        wagers=wagers,
        up=1 - before,
        jackpot=before * model.jackpot_ways / ways,
        awards=(
            *(Award(before * share.ways / ways, 1 - share.percent / WHOLE, 0.0) for share in model.shares),
            *(Award(before * fixed.ways / ways, 1.0, fixed.cents / rung) for fixed in model.fixed),
        ),
        place=_place(chance, wagers, before),
    )


def _place(chance: float, wagers: int, before: float) -> float:
    """Which of so many trials is the first to succeed, given that one does: the mean, as a part of all of them."""
    if wagers == 1 or chance * wagers < 1e-4:
        return (wagers + 1) / (2 * wagers)
    return (1 / chance - wagers * (1 - before) / before) / wagers


class Decay(NamedTuple):
    """How fast chances fall with the distance, by cent, from the first two moments of one wager."""

    up: float
    """Of climbing so far before the 100% award."""
    down: float
    """Of falling so far before it."""


def decay_of(model: MeterModel) -> Decay:
    """The two roots of the diffusion with this drift and variance that ends with the 100% award."""
    drift, ends = float(model.drift), float(model.jackpot_chance)
    variance = sum(award.ways / model.total * award.cents**2 for award in model.fixed)
    if variance == 0:
        return Decay(ends / drift if drift > 0 else float("inf"), float("inf"))
    root = sqrt(drift**2 + 2 * ends * variance)
    # Both roots as a quotient of what does not cancel.
    if drift >= 0:
        return Decay(2 * ends / (drift + root), (drift + root) / variance)
    return Decay((root - drift) / variance, 2 * ends / (root - drift))


class Start(NamedTuple):
    """A level that a meter may start again from, and with what chance."""

    cents: float
    chance: float


def restarts(model: MeterModel, step_cents: float, negligible: float = 1e-13) -> Iterator[Start]:
    """PR-4: seed and reserve after a 100% award, in steps of about this size whose means are exact.

    The reserve holds what the wagers since the award before have put there, and their number is geometric.
    """
    each, ends = float(model.reserve), float(model.jackpot_chance)
    if each == 0:
        yield Start(float(model.seed_cents), 1.0)
        return
    wagers = max(1, round(step_cents / each))
    before = -expm1(wagers * log1p(-ends))
    mean = wagers * _place(ends, wagers, before)
    for first in count(0, wagers):
        beyond = exp(first * log1p(-ends))
        if beyond <= negligible:
            # What is left of the tail in one step: its mean is as far off as from the beginning.
            yield Start(model.seed_cents + each * (first + 1 / ends), beyond)
            return
        yield Start(model.seed_cents + each * (first + mean), beyond * before)
