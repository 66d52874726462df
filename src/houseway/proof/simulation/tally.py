"""What a simulation counts: whole numbers only, so that chunks can be added up in any number of workers.

Of every wager the net results are counted one by one, in parts of the wager, and beside them the sum of the squares of
what a whole round came to: spots of one round share the dealer's cards, and the standard error must know that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from houseway.proof.compiled import part

Ints: TypeAlias = npt.NDArray[np.int64]

SESSION: Final = 1_000
"""Rounds of a session; what a spot won or lost in each is kept, and their running sum is the path of its bankroll."""

SQUARES: Final = 0
ENVY: Final = 1
ENVIED: Final = 2
SUMS: Final = 3
"""Columns of a wager's sums: squares of whole rounds, flat envy, and how often envy was paid."""

NOW: Final = 0
LEAST: Final = 1
MOST: Final = 2
DROP: Final = 3
"""The bankroll within a chunk: where it stands, its lowest and highest point, and its deepest fall from a height."""


@dataclass(frozen=True, slots=True)
class Line:
    """One wager of a simulation on one pay table."""

    wager: str
    table: str
    """As a figure names it."""
    unit: int
    """How many parts the wager is cut into, so that every pay is a whole number of parts."""
    low: int
    high: int
    """The least and the greatest net result there can be, in parts."""
    for_one: bool = False
    """On a table that pays "for" one anything returned is a win."""
    money: int = 1
    """What a part is worth in the wager's own money: cents where flat envy is paid, else the part itself."""
    envy: tuple[int, ...] = ()
    """Flat envy by row."""

    @property
    def size(self) -> int:
        return self.high - self.low + 1

    @property
    def stake(self) -> int:
        """The wager in its own money."""
        return self.unit * self.money


@dataclass(slots=True)
class Tally:
    """Everything counted over consecutive rounds from the first on."""

    rounds: int
    counts: tuple[Ints, ...]
    """By wager: how often each net result came, from its least one on."""
    sums: Ints
    """By wager: the columns above."""
    played: int
    """Hands that made the wager which follows from the decision."""
    rows: Ints
    """How often a hand that qualifies stood in each row of the progressive."""
    progressive: Ints
    """By progressive table: the columns above, of what the house pays a round; in cents."""
    bankroll: tuple[int, int, int, int]
    sessions: list[Ints] = field(default_factory=list)
    """By chunk: what the first spot won or lost in each session."""
    events: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    """Of one chunk: the hands that draw on a meter, in the order in which they are paid."""

    def add(self, later: Tally) -> None:
        """Add the chunk that comes after; its events are not kept."""
        self.rounds += later.rounds
        self.counts = tuple(mine + theirs for mine, theirs in zip(self.counts, later.counts, strict=True))
        self.sums = self.sums + later.sums
        self.played += later.played
        self.rows = self.rows + later.rows
        self.progressive = self.progressive + later.progressive
        now, least, most, drop = self.bankroll
        self.bankroll = (
            now + later.bankroll[NOW],
            min(least, now + later.bankroll[LEAST]),
            max(most, now + later.bankroll[MOST]),
            max(drop, later.bankroll[DROP], most - now - later.bankroll[LEAST]),
        )
        self.sessions.extend(later.sessions)


def nothing(lines: Sequence[Line], rows: int, progressives: int) -> Tally:
    """A tally of no rounds. Sums that may outgrow a machine's integers are Python's own."""
    return Tally(
        0,
        tuple(np.zeros(line.size, np.int64) for line in lines),
        np.zeros((len(lines), SUMS), object),
        0,
        np.zeros(rows, np.int64),
        np.zeros((progressives, SUMS), object),
        (0, 0, 0, 0),
    )


@dataclass(frozen=True, slots=True)
class Sample:
    """What the rounds say of one wager."""

    hands: int
    mean: Fraction
    """The average net result per unit of the wager."""
    standard_error: float

    @property
    def house_edge(self) -> float:
        return float(-self.mean)


def sample_of(total: int, squares: int, rounds: int, spots: int, stake: int) -> Sample:
    """Mean and standard error per hand, from the sum over all rounds and the sum of the squares of each."""
    if not rounds:
        return Sample(0, Fraction(0), float("inf"))
    variance = Fraction(squares, rounds) - Fraction(total, rounds) ** 2
    mean = Fraction(total, rounds * spots * stake)
    return Sample(rounds * spots, mean, sqrt(variance / rounds) / (spots * stake))


@part
def enter(nets: Any, wager: int, rounds: int, slots: Any, counts: Any) -> None:
    """Count the net results of a wager; one outside its bounds goes to place 0, where nothing may ever be."""
    first = slots[wager, 0]
    low = slots[wager, 1]
    size = slots[wager, 2]
    for spot in range(nets.shape[1]):
        for at in range(rounds):
            place = nets[wager, spot, at] - low
            if place < 0 or place >= size:
                counts[0] += 1
            else:
                counts[first + place] += 1


@part
def add_up(nets: Any, won: Any, wager: int, rounds: int, money: Any, weights: Any, sums: Any, moved: Any) -> None:
    """The squares of whole rounds, the envy won beside the wager, and what moves the first spot's bankroll."""
    squares = 0
    for at in range(rounds):
        total = 0
        for spot in range(nets.shape[1]):
            total += nets[wager, spot, at] * money[wager]
            if len(won) > wager:
                total += won[wager, spot, at]
        squares += total * total
        moved[at] += nets[wager, 0, at] * money[wager] * weights[wager]
    sums[wager, 0] += squares
    if len(won) > wager:
        for at in range(rounds):
            moved[at] += won[wager, 0, at] * weights[wager]
            for spot in range(nets.shape[1]):
                sums[wager, 1] += won[wager, spot, at]
                if won[wager, spot, at] > 0:
                    sums[wager, 2] += 1


@part
def bank(moved: Any, start: int, rounds: int, bankroll: Any, sessions: Any) -> None:
    """Move the first spot's bankroll, round by round."""
    now = bankroll[0]
    least = bankroll[1]
    most = bankroll[2]
    drop = bankroll[3]
    for at in range(rounds):
        sessions[(start + at) // SESSION] += moved[at]
        now += moved[at]
        moved[at] = 0
        least = min(least, now)
        most = max(most, now)
        drop = max(drop, most - now)
    bankroll[0] = now
    bankroll[1] = least
    bankroll[2] = most
    bankroll[3] = drop


@part
def award(
    round: int, at: int, hands: Any, stayed: Any, order: Any, terms: Any, cost: Any, envy: Any, event: Any,
    rows: Any, sums: Any, events: Any, known: int,
) -> int:  # fmt: skip
    """The progressive wagers of a round: which rows came, what the house pays for them, and who draws on a meter.

    ``hands`` are rows by spot, ``order`` the spots as they are paid (PR-17); ``terms`` says whether a folded hand
    qualifies (CSP-A1) and whether it wins envy (PR-A1). Gives back how many events there are now.
    """
    spots = len(order)
    for turn in range(spots):
        spot = order[turn]
        row = hands[spot, at]
        if stayed[spot, at] == 1 or terms[0] == 1:
            rows[row] += 1
            if event[row] == 1:
                events[known] = (round * 16 + spot) * 16 + row
                known += 1
    for table in range(len(cost)):
        total = 0
        for spot in range(spots):
            row = hands[spot, at]
            if stayed[spot, at] == 1 or terms[0] == 1:
                total += cost[table, row]
                if envy[table, row] > 0:
                    for other in range(spots):
                        if other != spot and (stayed[other, at] == 1 or terms[1] == 1):
                            total += envy[table, row]
                            sums[table, 1] += envy[table, row]
                            sums[table, 2] += 1
        sums[table, 0] += total * total
    return known


@part
def account(
    start: int, rounds: int, nets: Any, won: Any, hands: Any, stayed: Any, moved: Any,
    stakes: Any, money: Any, weights: Any, slots: Any, order: Any, terms: Any, cost: Any, envy: Any, event: Any,
    counts: Any, sums: Any, bankroll: Any, sessions: Any, rows: Any, awards: Any, events: Any, known: int,
) -> int:  # fmt: skip
    """Count a block of rounds: by wager, spot and round what it came to, and which spots did not fold.

    ``won`` is flat envy in the same order, empty where the game has none. Gives back how many events there are now.
    """
    for wager in range(len(stakes)):
        if stakes[wager] > 0:
            enter(nets, wager, rounds, slots, counts)
            add_up(nets, won, wager, rounds, money, weights, sums, moved)
    bank(moved, start, rounds, bankroll, sessions)
    if len(cost) > 0:
        for at in range(rounds):
            known = award(start + at, at, hands, stayed, order, terms, cost, envy, event, rows, awards, events, known)
    return known
