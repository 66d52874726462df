"""Charts as plain numbers from 0 to 1; the template of the document draws them, and nothing else is needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, floor, log10, sqrt
from typing import Any, Final

from houseway.money import dollars
from houseway.proof.figure import percent
from houseway.proof.par.spread import LEVELS, ROUNDS

POINTS: Final = 32
TICKS: Final = 5
MARGIN: Final = 0.12
"""What is left free below a line, so that its marks can be read."""


def ticks(low: float, high: float, most: int = TICKS) -> list[Fraction]:
    """Round numbers from ``low`` to ``high``, at most so many."""
    if not low < high:
        return []
    power = floor(log10(high - low)) - 2
    for step in (Fraction(10) ** (power + place) * factor for place in range(4) for factor in (1, 2, 5)):
        first, last = ceil(Fraction(low) / step), floor(Fraction(high) / step)
        if last - first < most:
            return [step * number for number in range(first, last + 1)]
    return []


def share_words(share: Fraction) -> str:
    """A share of an axis as a percentage with no more digits than it needs, up to four."""
    digits = next((digits for digits in range(4) if (share * 100 * 10**digits).denominator == 1), 4)
    return percent(share, digits)


def funnel(mean: float, deviation: float) -> dict[str, Any]:
    """How the house's win per unit wagered closes in on its mean, over the rounds of the confidence table."""
    first, last = log10(ROUNDS[0]), log10(ROUNDS[-1])
    widest = max(LEVELS.values()) * deviation / sqrt(ROUNDS[0])
    low, high = min(mean - widest, 0.0), max(mean + widest, 0.0)

    def y(value: float) -> float:
        return (value - low) / (high - low)

    bands = []
    for by in sorted(LEVELS.values(), reverse=True):
        upper, lower = [], []
        for point in range(POINTS + 1):
            at = point / POINTS
            error = by * deviation / sqrt(10 ** (first + at * (last - first)))
            upper.append([at, y(mean + error)])
            lower.append([at, y(mean - error)])
        bands.append([*upper, *reversed(lower)])
    return {
        "bands": bands,
        "lines": [{"points": [[0, y(mean)], [1, y(mean)]], "kind": "main"}],
        "zero": y(0.0),
        "x": [
            {"at": (power - first) / (last - first), "text": _rounds(10**power)}
            for power in range(round(first), round(last) + 1)
        ],
        "y": [{"at": y(float(tick)), "text": share_words(tick)} for tick in ticks(low, high)],
        "marks": [],
        "x_title": "rounds",
    }


def _rounds(number: int) -> str:
    return f"{number // 10**6} M" if number >= 10**6 else f"{number // 1000} k"


def player_edge(rows: Sequence[Mapping[str, Any]], even_cents: Fraction) -> dict[str, Any]:
    """The player's edge against the meter: a straight line through nothing at the break-even meter."""
    most = max(int(row["meter_cents"]) for row in rows)
    edges = [float(row["edge"]["value"]) for row in rows]
    low, high = min(edges), max(edges)
    low -= (high - low) * MARGIN

    def y(value: float) -> float:
        return (value - low) / (high - low)

    seeds = [row for row in rows if row["seed"]]
    return {
        "bands": [],
        "lines": [
            {"points": [[int(row["meter_cents"]) / most, y(edge)] for row, edge in zip(rows, edges, strict=True)],
             "kind": "main"}
        ],
        "zero": y(0.0),
        "x": [{"at": float(tick) / most, "text": f"${float(tick) / 100:,.0f}"} for tick in ticks(0, most, 4)],
        "y": [{"at": y(float(tick)), "text": share_words(tick)} for tick in ticks(low, high)],
        "marks": [
            {"at": [float(even_cents) / most, y(0.0)], "text": f"break-even {dollars(floor(even_cents))}",
             "side": "left"},
            *({"at": [int(row["meter_cents"]) / most, y(float(row["edge"]["value"]))], "text": "seed", "side": "right"}
              for row in seeds),
        ],
        "x_title": "meter",
    }  # fmt: skip


def bar(chance: float, least: float) -> float:
    """How long a bar is on a logarithmic scale from a little below the least chance to certainty."""
    if chance <= 0:
        return 0.0
    decades = max(1, ceil(-log10(least) + 0.3)) if least > 0 else 1
    return max(0.0, 1 + log10(chance) / decades)
