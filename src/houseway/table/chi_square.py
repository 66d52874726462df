"""Tests of a shuffler: what many shuffled decks should look like, and how likely it is that chance made them so.

Three statistics, each with the distribution it really has for whole decks, in which cards are not independent: every
card is in a deck once. All three are chi-squares when there are enough decks (``enough``).

- *position*: how often each card lay in each place. The counts of N decks of n cards vary together as those of
  permutation matrices do, so the sum of squares times (n - 1) / N has (n - 1)² degrees of freedom.
- *serial*: how often each card lay right above each other one. What the first and last places decide is taken out; the
  rest falls into a part that is the same for both orders of a pair, with variance N / n, and a part that changes sign
  with the order, with variance N (n + 1) / (n (n - 1)).
- *runs*: how many rising runs a deck falls into, against the Eulerian numbers, which count just that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import exp, factorial, lgamma, log
from operator import gt
from typing import Final, NamedTuple

LEAST_EXPECTED: Final = 5
"""A chi-square needs about so many expected in every cell."""
SUSPICIOUS: Final = 1e-6
"""Chance gives a smaller p-value, or one as near to 1, to one honest test in half a million."""


class Tally(NamedTuple):
    """What was counted in some decks; cards are numbered by their place in the new deck."""

    size: int
    """Cards in a deck."""
    decks: int
    positions: tuple[int, ...]
    """How often card c lay in place p, at ``p * size + c``."""
    pairs: tuple[int, ...]
    """How often card a lay right above card b, at ``a * size + b``."""
    runs: tuple[int, ...]
    """How many decks fell into r rising runs, at r."""

    @property
    def cards(self) -> int:
        return self.decks * self.size


class Result(NamedTuple):
    """One test of many decks."""

    test: str
    statistic: float
    freedom: int
    p: float
    """The chance that an honest shuffler gives a statistic at least as large."""

    @property
    def suspicious(self) -> bool:
        """Whether chance hardly explains it: too uneven, or too even."""
        return self.p < SUSPICIOUS or self.p > 1 - SUSPICIOUS


def tally(orders: Sequence[Sequence[int]], deck: Sequence[int]) -> Tally:
    """Count these decks; a card is known by its place in the new ``deck``."""
    size = len(deck)
    place = bytearray(256)
    for at, card in enumerate(deck):
        place[card] = at
    numbered = [bytes(order).translate(place) for order in orders]
    every = b"".join(numbered)
    columns = [every[at::size] for at in range(size)]
    positions = [count[card] for count in map(Counter, columns) for card in range(size)]
    pairs: Counter[tuple[int, int]] = Counter()
    for above, below in pairwise(columns):
        pairs.update(zip(above, below, strict=True))
    runs = Counter(1 + sum(map(gt, order, order[1:])) for order in numbered)
    return Tally(
        size,
        len(orders),
        tuple(positions),
        tuple(pairs[above, below] for above in range(size) for below in range(size)),
        tuple(runs[count] for count in range(size + 1)),
    )


def together(first: Tally, other: Tally) -> Tally:
    """Both counts as one."""
    return Tally(
        first.size,
        first.decks + other.decks,
        _added(first.positions, other.positions),
        _added(first.pairs, other.pairs),
        _added(first.runs, other.runs),
    )


def _added(first: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(first, other, strict=True))


def enough(counted: Tally) -> bool:
    """Whether there are enough decks for the chi-squares to hold."""
    return counted.decks >= LEAST_EXPECTED * counted.size


def results(counted: Tally) -> tuple[Result, ...]:
    """All three tests."""
    return position_test(counted), serial_test(counted), runs_test(counted)


def position_test(counted: Tally) -> Result:
    """Position × card."""
    size, decks = counted.size, counted.decks
    # In whole numbers: n² Σ (count - N/n)² = Σ (n count - N)².
    squares = sum((size * count - decks) ** 2 for count in counted.positions)
    return _result("position", squares * (size - 1) / (decks * size**2), (size - 1) ** 2)


def serial_test(counted: Tally) -> Result:
    """Which card lies above which."""
    size = counted.size
    even, odd = serial_parts(counted)
    return _result("serial", even + odd, size * size - 3 * size + 1)


def serial_parts(counted: Tally) -> tuple[float, float]:
    """The two independent parts: n (n - 3) / 2 degrees of freedom the same both ways, (n - 1)(n - 2) / 2 one way."""
    size, decks = counted.size, counted.decks
    sums, differences = _both_ways(counted)
    row_sums = [sum(row) for row in sums]
    total = sum(row_sums) / (2 * (size - 1))
    each = [(row - total) / (size - 2) for row in row_sums]
    lean = [sum(row) / size for row in differences]
    even = odd = 0.0
    for a in range(size):
        for b in range(a):
            even += (sums[a][b] - each[a] - each[b]) ** 2
            odd += (differences[a][b] - lean[a] + lean[b]) ** 2
    # A sum or difference of two counts has twice the variance of its part in each of them.
    return even * size / (2 * decks), odd * size * (size - 1) / (2 * decks * (size + 1))


def _both_ways(counted: Tally) -> tuple[list[list[int]], list[list[int]]]:
    """For every pair of cards the count of both orders together, and of one less the other."""
    size = counted.size
    rows = [counted.pairs[size * card : size * (card + 1)] for card in range(size)]
    sums = [[rows[a][b] + rows[b][a] for b in range(size)] for a in range(size)]
    differences = [[rows[a][b] - rows[b][a] for b in range(size)] for a in range(size)]
    return sums, differences


def runs_test(counted: Tally) -> Result:
    """Rising runs a deck, rare counts taken together at either end."""
    orders = factorial(counted.size)
    expected = [counted.decks * number / orders for number in eulerian(counted.size)]
    cells = _pooled(list(zip(expected, counted.runs[1:], strict=True)))
    statistic = sum((count - due) ** 2 / due for due, count in cells)
    return _result("runs", statistic, len(cells) - 1)


def eulerian(size: int) -> list[int]:
    """How many orders of ``size`` cards fall into 1, 2, … ``size`` rising runs."""
    row = [1]
    for cards in range(2, size + 1):
        row = [
            (runs + 1) * (row[runs] if runs < cards - 1 else 0) + (cards - runs) * (row[runs - 1] if runs else 0)
            for runs in range(cards)
        ]
    return row


def _pooled(cells: list[tuple[float, int]]) -> list[tuple[float, int]]:
    """The cells (expected, seen) with those at either end joined until each expects enough."""
    for end in (0, -1):
        while len(cells) > 2 and cells[end][0] < LEAST_EXPECTED:
            due, count = cells.pop(end)
            # Its neighbour stands at that end now.
            cells[end] = (cells[end][0] + due, cells[end][1] + count)
    return cells


def _result(test: str, statistic: float, freedom: int) -> Result:
    return Result(test, statistic, freedom, chi_square_survival(statistic, freedom))


# ------------------------------------------------------------------------------------- the distribution


def chi_square_survival(statistic: float, freedom: int) -> float:
    """The chance that a chi-square with so many degrees of freedom is at least ``statistic``."""
    return upper_gamma(freedom / 2, statistic / 2)


def upper_gamma(a: float, x: float) -> float:
    """The regularised upper incomplete gamma function Q(a, x), for a > 0."""
    if x <= 0:
        return 1.0
    scale = exp(a * log(x) - x - lgamma(a))
    return 1 - scale * _series(a, x) if x < a + 1 else scale * _fraction(a, x)


def _series(a: float, x: float) -> float:
    """Σ xᵏ / (a (a + 1) … (a + k)): converges quickly below x = a + 1."""
    term = total = 1 / a
    while term > total * 1e-17:
        a += 1
        term *= x / a
        total += term
    return total


def _fraction(a: float, x: float) -> float:
    """Legendre's continued fraction by Lentz's method: converges quickly above x = a + 1."""
    b = x + 1 - a
    c, d = float("inf"), 1 / b
    value = d
    for step in range(1, 100_000):
        numerator = step * (a - step)
        b += 2
        d = 1 / (b + numerator * d)
        c = b + numerator / c
        value *= c * d
        if abs(c * d - 1) < 1e-15:
            return value
    raise ArithmeticError(f"the continued fraction of the incomplete gamma function at {a}, {x} did not converge")


def batches(decks: int, at_once: int) -> Iterable[int]:
    """``decks`` in parts of at most ``at_once``."""
    while decks > 0:
        yield min(decks, at_once)
        decks -= at_once
