"""What a simulation says, beside what was counted: edges with their standard errors, outcomes, bankroll and meters.

Everything but the roots is made of whole numbers, so that the same rounds give the same words to the last digit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import isfinite, sqrt
from typing import Any, Final

import numpy as np

from houseway.games import all_games
from houseway.paytables import Book
from houseway.proof.collect import BASE, Request, all_figures, figure_name, is_counted, label_of, progressive_odds
from houseway.proof.figure import Figure, Quantity
from houseway.proof.progressive import Odds
from houseway.proof.simulation.meters import FROM_METER, HITS, SHORT, SHORTFALL, Meters
from houseway.proof.simulation.plan import PROGRESSIVE, Plan, Progressive, progressive_hands
from houseway.proof.simulation.run import Played
from houseway.proof.simulation.tally import (
    DROP,
    ENVIED,
    ENVY,
    LEAST,
    MOST,
    NOW,
    SESSION,
    SQUARES,
    Line,
    Sample,
    sample_of,
)

DIGITS: Final = 9
"""Behind the point of whatever is not exact."""
PATH: Final = 500
"""Points of a path that are told; every n-th where there are more."""
QUANTILES: Final = (1, 5, 25, 50, 75, 95, 99)


@dataclass(frozen=True, slots=True)
class Exact:
    """What was counted for a wager, as far as it was."""

    house_edge: Quantity
    hit_frequency: Quantity | None = None
    standard_deviation: float | None = None
    outcomes: tuple[tuple[Fraction, Quantity], ...] = ()
    """Every net result per unit of the wager and its probability."""


@dataclass(frozen=True, slots=True)
class WagerResult:
    """One wager of a simulation beside its figure."""

    wager: str
    table: str
    sample: Sample
    hits: int
    outcomes: tuple[tuple[Fraction, int], ...]
    """Every net result per unit of the wager and how often it came; falling. Envy is not in it."""
    exact: Exact | None
    spots: int
    envy: Fraction | None = None
    """Of a wager that pays flat envy: what it came to per unit."""
    envied: int = 0

    @property
    def name(self) -> str:
        return f"{self.wager} {self.table}" if self.wager == PROGRESSIVE else self.wager

    @property
    def exact_error(self) -> float | None:
        """The standard error by the exact standard deviation, as if no two hands shared a dealer."""
        if self.exact is None or self.exact.standard_deviation is None or not self.sample.hands:
            return None
        return self.exact.standard_deviation / sqrt(self.sample.hands)

    @property
    def error(self) -> float:
        """The error to judge by: the exact one of a single spot; of several the larger of it and the sample's.

        A sample in which something rare has not come yet thinks too well of itself, the exact one does not; but it does
        not know that spots share the dealer's cards.
        """
        if self.exact_error is None:
            return self.sample.standard_error
        return self.exact_error if self.spots == 1 else max(self.exact_error, self.sample.standard_error)

    @property
    def deviations(self) -> float | None:
        """By how many standard errors it lies above the counted edge; of bounds the nearer end counts."""
        if self.exact is None or not self.error or not self.sample.hands:
            return None
        edge = -self.sample.mean
        nearest = min(max(edge, self.exact.house_edge.low), self.exact.house_edge.high)
        return float(edge - nearest) / self.error

    def to_json(self) -> dict[str, Any]:
        hands = self.sample.hands
        data: dict[str, Any] = {
            "table": self.table,
            "hands": hands,
            "house_edge": _rounded(self.sample.house_edge),
            "standard_error": _rounded(self.sample.standard_error),
            "hit_frequency": _rounded(self.hits / hands) if hands else None,
        }
        if self.envy is not None:
            data["envy"] = _rounded(float(self.envy))
            data["envied"] = self.envied
        if self.exact is not None:
            error = self.exact_error
            data["exact"] = {
                "house_edge": self.exact.house_edge.to_json(),
                "hit_frequency": self.exact.hit_frequency.to_json() if self.exact.hit_frequency else None,
                "standard_deviation": _rounded(self.exact.standard_deviation),
                "standard_error": _rounded(error),
            }
            data["deviations"] = _rounded(self.deviations, 3)
        chances = dict(self.exact.outcomes) if self.exact else {}
        data["outcomes"] = [
            {
                "net": str(net),
                "count": count,
                "share": _rounded(count / hands),
                "exact": _rounded(float(chances[net].middle)) if net in chances else None,
            }
            for net, count in self.outcomes
        ]
        return data


@dataclass(frozen=True, slots=True)
class Bankroll:
    """The first spot's bankroll: every wager of it of one unit, the progressive apart."""

    end: Fraction
    least: Fraction
    most: Fraction
    deepest_fall: Fraction
    sessions: int
    """Whole sessions of ``SESSION`` rounds."""
    quantiles: tuple[tuple[int, Fraction], ...]
    """In percent: what a session came to at most, so often."""
    path: tuple[tuple[int, Fraction], ...]
    """After so many rounds: where it stood."""

    def to_json(self) -> dict[str, Any]:
        return {
            "end": _rounded(float(self.end)),
            "min": _rounded(float(self.least)),
            "max": _rounded(float(self.most)),
            "deepest_fall": _rounded(float(self.deepest_fall)),
            "session_rounds": SESSION,
            "sessions": self.sessions,
            "session_quantiles": {str(at): _rounded(float(value)) for at, value in self.quantiles},
            "path": [[rounds, _rounded(float(value))] for rounds, value in self.path],
        }


@dataclass(frozen=True, slots=True)
class MeterResult:
    """What the meters of a progressive table did; money in cents."""

    table: str
    wager_cents: int
    wagers: int
    contributed_micros: int
    meters: tuple[dict[str, Any], ...]
    rows: tuple[dict[str, Any], ...]
    envy_cents: int
    player_return: Fraction
    """Awards and envy paid, per unit wagered."""
    path: tuple[tuple[int, ...], ...]
    jackpots: tuple[tuple[int, int, int], ...]
    """The place of the meter, what was won in cents, and after how many rounds."""

    def to_json(self) -> dict[str, Any]:
        return {
            "table": self.table,
            "wager_cents": self.wager_cents,
            "wagers": self.wagers,
            "contributed": _rounded(self.contributed_micros / 1_000_000),
            "player_return": _rounded(float(self.player_return)),
            "envy_cents": self.envy_cents,
            "meters": list(self.meters),
            "rows": list(self.rows),
            "path": [list(point) for point in self.path],
        }


@dataclass(frozen=True, slots=True)
class Results:
    """Everything that a simulation says."""

    plan: Plan
    asked: int
    rounds: int
    seconds: float
    interrupted: bool
    follows: Fraction
    """How often the wager that follows from the decision was made."""
    wagers: tuple[WagerResult, ...]
    bankroll: Bankroll
    meters: tuple[MeterResult, ...]

    def to_json(self) -> dict[str, Any]:
        plan = self.plan
        return {
            "game": plan.game,
            "rounds": self.rounds,
            "asked": self.asked,
            "interrupted": self.interrupted,
            "spots": plan.spots,
            "seed": plan.seed,
            "strategy": plan.way.name,
            "digest": plan.digest,
            "options": {name: value for name, value in plan.options.items() if _away(plan, name, value)},
            "seconds": round(self.seconds, 3),
            "rounds_per_second": round(self.rounds / self.seconds) if self.seconds else None,
            "follow_frequency": _rounded(float(self.follows)),
            "wagers": {wager.name: wager.to_json() for wager in self.wagers},
            "bankroll": self.bankroll.to_json(),
            "meters": [meter.to_json() for meter in self.meters],
        }


def results_of(played: Played, book: Book) -> Results:
    """What was played, beside the figures of the same wagers and tables."""
    plan, tally = played.plan, played.tally
    exact = _figures(plan, book)
    wagers = [
        _wager(plan, line, tally.counts[place], tally.sums[place], tally.rounds, exact.get(line.wager))
        for place, line in enumerate(plan.lines)
    ]
    for place, progressive in enumerate(plan.progressives):
        known = exact.get(f"{PROGRESSIVE} {progressive.table.id}")
        wagers.append(_progressive(plan, progressive, tally.rows, tally.progressive[place], tally.rounds, known))
    hands = tally.rounds * plan.spots
    return Results(
        plan=plan,
        asked=played.asked,
        rounds=tally.rounds,
        seconds=played.seconds,
        interrupted=played.interrupted,
        follows=Fraction(tally.played, hands) if hands else Fraction(0),
        wagers=tuple(wagers),
        bankroll=_bankroll(plan, played),
        meters=tuple(
            _meters(plan, meters, tally.rows, int(tally.progressive[place][ENVY]))
            for place, meters in enumerate(played.meters)
        ),
    )


def _wager(plan: Plan, line: Line, counts: Any, sums: Any, rounds: int, exact: Exact | None) -> WagerResult:
    nets = [(line.low + place, count) for place, count in enumerate(counts.tolist()) if count]
    envy = int(sums[ENVY])
    total = sum(net * count for net, count in nets) * line.money + envy
    won_from = -line.unit if line.for_one else 0
    return WagerResult(
        line.wager,
        line.table or plan.way.name,
        sample_of(total, int(sums[SQUARES]), rounds, plan.spots, line.stake),
        sum(count for net, count in nets if net > won_from),
        tuple((Fraction(net, line.unit), count) for net, count in reversed(nets)),
        exact,
        plan.spots,
        Fraction(envy, max(rounds, 1) * plan.spots * line.stake) if line.envy else None,
        int(sums[ENVIED]),
    )


def _progressive(
    plan: Plan, progressive: Progressive, rows: Any, sums: Any, rounds: int, exact: Exact | None
) -> WagerResult:
    """The edge as it is counted: money on the meter is returned, a meter that is won costs its seed."""
    wager = progressive.terms.wager_cents
    paid = sum(count * cost for count, cost in zip(rows.tolist(), progressive.cost, strict=True)) + int(sums[ENVY])
    sample = sample_of(paid, int(sums[SQUARES]), rounds, plan.spots, wager)
    names = progressive_hands(all_games()[plan.game])
    pays = {place for place, hand in enumerate(names) if progressive.table.row(hand) is not None}
    hits = sum(count for place, count in enumerate(rows.tolist()) if place in pays)
    return WagerResult(
        PROGRESSIVE,
        progressive.table.id,
        replace(sample, mean=sample.mean + progressive.rate - 1),
        hits,
        (),
        exact,
        plan.spots,
        Fraction(int(sums[ENVY]), max(rounds, 1) * plan.spots * wager) if any(progressive.envy) else None,
        int(sums[ENVIED]),
    )


def _bankroll(plan: Plan, played: Played) -> Bankroll:
    tally, unit = played.tally, plan.bankroll_unit
    sessions = np.concatenate([np.zeros(0, np.int64), *tally.sessions])
    whole = sessions[: tally.rounds // SESSION]
    path = [(0, Fraction(0))]
    if len(sessions):
        ends = np.minimum(np.arange(1, len(sessions) + 1) * SESSION, tally.rounds)
        sums = np.cumsum(sessions)
        step = -(-len(sums) // PATH)
        places = sorted({*range(step - 1, len(sums), step), len(sums) - 1})
        path += [(int(ends[place]), Fraction(int(sums[place]), unit)) for place in places]
    ordered = np.sort(whole)
    quantiles = tuple(
        (at, Fraction(int(ordered[(len(ordered) - 1) * at // 100]), unit)) for at in QUANTILES if len(ordered)
    )
    return Bankroll(
        end=Fraction(tally.bankroll[NOW], unit),
        least=Fraction(tally.bankroll[LEAST], unit),
        most=Fraction(tally.bankroll[MOST], unit),
        deepest_fall=Fraction(tally.bankroll[DROP], unit),
        sessions=len(whole),
        quantiles=quantiles,
        path=tuple(path),
    )


def _meters(plan: Plan, meters: Meters, rows: Any, envy: int) -> MeterResult:
    progressive = meters.progressive
    names = list(progressive.terms.meters)
    jackpots = np.concatenate([np.zeros((0, 3), np.int64), *meters.jackpots])
    wagers = meters.rounds * plan.spots
    terms = progressive.terms.meters
    states = []
    for place, name in enumerate(names):
        won = jackpots[jackpots[:, 0] == place, 1]
        states.append(
            {
                "meter": name,
                "contribution_bp": terms[name].contribution_bp,
                "reserve_bp": terms[name].reserve_bp,
                "seed_cents": terms[name].seed_cents,
                "cents": int(meters.held[place]) // 10_000,
                "reserve_cents": int(meters.reserve[place]) // 10_000,
                "jackpots": len(won),
                "mean_jackpot_cents": _rounded(float(won.mean()), 2) if len(won) else None,
                "largest_jackpot_cents": int(won.max()) if len(won) else None,
                "rounds_between": _rounded(meters.rounds / len(won), 1) if len(won) else None,
            }
        )
    paid = envy
    lines = []
    for place, hand in enumerate(progressive_hands(all_games()[plan.game])):
        if progressive.table.row(hand) is None:
            continue
        count = int(rows[place])
        book = meters.book[place]
        tray = count * progressive.amount[place] if progressive.meter[place] < 0 else int(book[SHORTFALL])
        paid += int(book[FROM_METER]) + tray
        lines.append(
            {
                "hand": hand,
                "count": count,
                "from_meter": progressive.meter[place] >= 0,
                "awards_from_meter": int(book[HITS]),
                "from_meter_cents": int(book[FROM_METER]),
                "from_tray_cents": tray,
                "ran_dry": int(book[SHORT]),
                "shortfall_cents": int(book[SHORTFALL]),
            }
        )
    step = max(1, -(-len(meters.path) // PATH))
    path = [(0, *(meter.seed_cents for meter in terms.values())), *meters.path[step - 1 :: step]]
    if meters.path and path[-1] != meters.path[-1]:
        path.append(meters.path[-1])
    return MeterResult(
        progressive.table.id,
        progressive.terms.wager_cents,
        wagers,
        int(progressive.rate * progressive.terms.wager_cents * wagers * 10_000),
        tuple(states),
        tuple(lines),
        envy,
        Fraction(paid, max(wagers, 1) * progressive.terms.wager_cents),
        tuple(path),
        tuple((int(at), int(cents), int(rounds)) for at, cents, rounds in jackpots.tolist()),
    )


# ------------------------------------------------------------------------------------------------ the counted figures


def _figures(plan: Plan, book: Book) -> dict[str, Exact]:
    """The figures of the same wagers, tables and options, by wager; of the base game as it was played."""
    game = all_games()[plan.game]
    options = {name: value for name, value in plan.options.items() if _away(plan, name, value)}
    figures: dict[str, Exact] = {}
    if not is_counted(game):
        return figures
    for line in plan.lines:
        if line.wager == BASE:
            continue
        label = line.table or label_of(game, line.wager, options)
        request = Request(
            *(book, (plan.game,), (figure_name(game, line.wager),), (label,), options),
            others=plan.spots - 1,
        )
        figures[line.wager] = _exact(all_figures(request)[0])
    way = plan.way
    if way.edge is not None:
        counted = way.distribution
        figures[BASE] = Exact(
            Quantity.of(way.edge),
            Quantity.of(counted.hit_frequency) if counted else None,
            counted.standard_deviation if counted else None,
            tuple((net, Quantity.of(chance)) for net, chance in counted.probabilities().items()) if counted else (),
        )
    for progressive in plan.progressives:
        seeds = {name: meter.seed_cents for name, meter in progressive.terms.meters.items()}
        request = Request(
            *(book, (plan.game,), (PROGRESSIVE,), (progressive.table.id,), options, progressive.rate, seeds),
            others=plan.spots - 1,
        )
        # The figure's deviation is that of the player's awards with the meter at its seed; here the house's is needed.
        odds = progressive_odds(plan.game, progressive.table, request)
        figures[f"{PROGRESSIVE} {progressive.table.id}"] = replace(
            _exact(all_figures(request)[0]), standard_deviation=_deviation(plan, progressive, odds)
        )
    return figures


def _deviation(plan: Plan, progressive: Progressive, odds: Odds) -> float:
    """The standard deviation of what the house pays for one hand, envy to the others included, per unit wagered."""
    mean = square = Fraction(0)
    for place, hand in enumerate(progressive_hands(all_games()[plan.game])):
        chance = Fraction(odds.rows.get(hand, 0), odds.total)
        paid = Fraction(
            progressive.cost[place] + progressive.envy[place] * (plan.spots - 1), progressive.terms.wager_cents
        )
        mean += chance * paid
        square += chance * paid**2
    return sqrt(square - mean**2)


def _exact(figure: Figure) -> Exact:
    if figure.house_edge is None:
        raise ValueError(f"{figure.game} {figure.wager} {figure.table} has no house edge")
    outcomes = tuple((outcome.net, outcome.chance) for outcome in figure.outcomes if outcome.net is not None)
    return Exact(figure.house_edge, figure.hit_frequency, figure.standard_deviation, outcomes)


def _away(plan: Plan, name: str, value: Any) -> bool:
    return bool(all_games()[plan.game].defaults[name] != value)


def _rounded(number: float | None, digits: int = DIGITS) -> float | None:
    return None if number is None or not isfinite(number) else round(number, digits)
