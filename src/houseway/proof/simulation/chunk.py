"""One chunk of a simulation: some consecutive rounds of a plan, played by the compiled loop of its game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

import numpy as np

from houseway.games import straight_edge_1 as edge_1
from houseway.games import straight_edge_2 as edge_2
from houseway.proof.simulation import caribbean_stud, six_card_pai_gow, straight_edge, three_card_poker
from houseway.proof.simulation.kernels import simulation_digest
from houseway.proof.simulation.plan import PROGRESSIVE_HANDS, WAGERS, Plan
from houseway.proof.simulation.search import bits_of
from houseway.proof.simulation.strategies import best_way, hand_choose
from houseway.proof.simulation.stream import groups, seed_words
from houseway.proof.simulation.tally import SESSION, SUMS, Ints, Tally
from houseway.ranking import arrays, runs
from houseway.refusal import Fault

CHUNK: Final = 500_000
"""Rounds of a chunk: the same for every run, so that chunks are the same whoever plays them."""


def play_chunk(plan: Plan, first: int, rounds: int) -> Tally:
    """Play ``rounds`` rounds from number ``first`` on. This is what workers are sent."""
    if plan.digest != simulation_digest():
        raise Fault("a worker has other rules, pay tables or solvers than the one who asks; install the same version")
    made = _Arrays(plan, rounds)
    played, events = KERNELS[plan.game](plan, made, first, rounds)
    if made.counts[0]:
        raise ArithmeticError(f"{made.counts[0]} results of {plan.game} lie outside their bounds")
    now, least, most, drop = made.bankroll.tolist()
    return Tally(
        rounds,
        tuple(made.counts[at : at + line.size] for at, line in zip(made.starts, plan.lines, strict=True)),
        made.sums[list(plan.places)].astype(object),
        int(played),
        made.rows,
        made.awards.astype(object),
        (now, least, most, drop),
        [made.sessions],
        made.events[: int(events)].copy(),
    )


class _Arrays:
    """What a loop reads and writes, by the wager numbers of its game."""

    def __init__(self, plan: Plan, rounds: int) -> None:
        wagers = len(WAGERS[plan.game])
        widest = max([len(line.num) for line in plan.lines] + [1])
        self.stakes = np.zeros(wagers, np.int64)
        self.num = np.zeros((wagers, widest), np.int64)
        self.den = np.zeros((wagers, widest), np.int64)
        self.money = np.zeros(wagers, np.int64)
        self.weights = np.zeros(wagers, np.int64)
        self.slots = np.zeros((wagers, 3), np.int64)
        self.starts: list[int] = []
        start = 1
        for place, line, weight in zip(plan.places, plan.lines, plan.weights, strict=True):
            self.stakes[place] = line.unit
            self.num[place, : len(line.num)] = line.num
            self.den[place, : len(line.den)] = line.den
            self.money[place] = line.money
            self.weights[place] = weight
            self.slots[place] = start, line.low, line.size
            self.starts.append(start)
            start += line.size
        self.counts = np.zeros(start, np.int64)
        self.sums = np.zeros((wagers, SUMS), np.int64)
        self.bankroll = np.zeros(4, np.int64)
        self.sessions = np.zeros(-(-rounds // SESSION), np.int64)
        hands = len(PROGRESSIVE_HANDS[plan.game])
        tables = plan.progressives
        self.cost = np.array([one.cost for one in tables], np.int64).reshape(len(tables), hands)
        self.envy = np.array([one.envy for one in tables], np.int64).reshape(len(tables), hands)
        self.event = np.zeros(hands, np.int64)
        for one in tables:
            self.event |= np.array(one.meter, np.int64) >= 0
        self.rows = np.zeros(hands, np.int64)
        self.awards = np.zeros((len(tables), SUMS), np.int64)
        # Only the part of these that is written to takes memory.
        self.events: Ints = np.empty(rounds * plan.spots if self.event.any() else 0, np.int64)
        self.flags = np.array(plan.flags, np.int64)
        self.order = np.array(plan.order, np.int64)
        self.terms = np.array(plan.terms, np.int64)

    def arguments(self, plan: Plan, first: int, rounds: int) -> tuple[Any, ...]:
        """What every game's loop takes, in its order."""
        return (
            *(first, rounds, *seed_words(plan.seed), plan.deck, groups(plan.deck, plan.cards), plan.spots),
            *(self.stakes, self.num, self.den, self.money, self.weights, self.slots, self.flags),
            *(self.order, self.terms, self.cost, self.envy, self.event),
            *(self.counts, self.sums, self.bankroll, self.sessions, self.rows, self.awards, self.events),
        )


@cache
def run_table(version: int) -> Ints:
    """The run of every set of ranks, by the rule."""
    rule = runs.wrapping_run if version == 1 else runs.straight_run
    return np.array([rule(ranks) for ranks in range(1 << 13)], np.int64)


def _caribbean_stud(plan: Plan, made: _Arrays, first: int, rounds: int) -> Any:
    way = plan.way
    lookups = *arrays.table_arrays("five_card"), *way.limits, way.hands, bits_of(way.hands)
    return caribbean_stud.play(*made.arguments(plan, first, rounds), *lookups)


def _three_card_poker(plan: Plan, made: _Arrays, first: int, rounds: int) -> Any:
    lookups = *arrays.table_arrays("five_card"), plan.way.limits[0]
    return three_card_poker.play(*made.arguments(plan, first, rounds), *lookups)


def _straight_edge(plan: Plan, made: _Arrays, first: int, rounds: int) -> Any:
    way = plan.way
    version, game = (1, edge_1.GAME) if plan.game == edge_1.GAME.key else (2, edge_2.GAME)
    lookups = version, game.dealer_cards, run_table(version), way.by_run, way.hands, bits_of(way.hands)
    return straight_edge.play(*made.arguments(plan, first, rounds), *lookups)


def _six_card_pai_gow(plan: Plan, made: _Arrays, first: int, rounds: int) -> Any:
    way = plan.way
    lines = [np.array(one, np.int64).reshape(len(one), 2) for one in (way.setting_lines, way.doubling_lines)]
    envy = next((line.envy for line in plan.lines if line.wager == "fortune"), ())
    lookups = *arrays.table_arrays("joker"), best_way(way.element), hand_choose(), *lines, np.array(envy, np.int64)
    return six_card_pai_gow.play(*made.arguments(plan, first, rounds), *lookups)


KERNELS: Final[Mapping[str, Callable[[Plan, _Arrays, int, int], Any]]] = {
    "caribbean-stud": _caribbean_stud,
    "three-card-poker": _three_card_poker,
    "straight-edge-1": _straight_edge,
    "straight-edge-2": _straight_edge,
    "six-card-pai-gow": _six_card_pai_gow,
}
