"""One chunk of a simulation: some consecutive rounds of a plan, played by the compiled loop of its game."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from houseway.games import find_game
from houseway.games.model import Game
from houseway.proof.simulation.declared import Declared, sets_hands
from houseway.proof.simulation.loops import loops_of, plan_digest
from houseway.proof.simulation.plan import Plan, progressive_hands
from houseway.proof.simulation.solved import hand_choose, settings_of
from houseway.proof.simulation.stream import groups, seed_words
from houseway.proof.simulation.tally import SESSION, SUMS, Ints, Tally
from houseway.proof.simulation.ways import PointWay
from houseway.refusal import Fault

CHUNK: Final = 500_000
"""Rounds of a chunk: the same for every run, so that chunks are the same whoever plays them."""


def play_chunk(plan: Plan, first: int, rounds: int) -> Tally:
    """Play ``rounds`` rounds from number ``first`` on. This is what workers are sent."""
    game = find_game(plan.game)
    if game is None or plan.digest != plan_digest(game):
        raise Fault("a worker has other rules, pay tables or solvers than the one who asks; install the same version")
    loops = loops_of(game)
    arrays = _Arrays(plan, game, loops.declared, rounds)
    arguments = arrays.arguments(plan, game, first, rounds)
    played, events, missing = loops.play(*arguments, *loops.lookups)
    if missing:
        raise ArithmeticError(f"{missing} decisions of {plan.game} are not known to the way {plan.way.name!r}")
    if arrays.counts[0]:
        raise ArithmeticError(f"{arrays.counts[0]} results of {plan.game} lie outside their bounds")
    now, least, most, drop = arrays.bankroll.tolist()
    return Tally(
        rounds,
        tuple(arrays.counts[at : at + line.size] for at, line in zip(arrays.starts, plan.lines, strict=True)),
        arrays.sums[list(plan.places)].astype(object),
        int(played),
        arrays.rows,
        arrays.awards.astype(object),
        (now, least, most, drop),
        [arrays.sessions],
        arrays.events[: int(events)].copy(),
    )


class _Arrays:
    """What a loop reads and writes, by the lines and wagers of its game."""

    def __init__(self, plan: Plan, game: Game, declared: Declared, rounds: int) -> None:
        lines = len(declared.lines)
        self.amounts = np.array(plan.amounts, np.int64)
        self.options = np.array(declared.option_numbers(plan.options), np.int64)
        self.num, self.den = odds_arrays(plan.odds)
        flat = {line.wager: line.envy for line in plan.lines}
        self.flat = [np.array(flat.get(wager.key, ()), np.int64) for wager in declared.envied]
        self.stakes = np.zeros(lines, np.int64)
        self.money = np.zeros(lines, np.int64)
        self.weights = np.zeros(lines, np.int64)
        self.slots = np.zeros((lines, 3), np.int64)
        self.starts: list[int] = []
        start = 1
        for place, line, weight in zip(plan.places, plan.lines, plan.weights, strict=True):
            self.stakes[place] = line.unit
            self.money[place] = line.money
            self.weights[place] = weight
            self.slots[place] = start, line.low, line.size
            self.starts.append(start)
            start += line.size
        self.counts = np.zeros(start, np.int64)
        self.sums = np.zeros((lines, SUMS), np.int64)
        self.bankroll = np.zeros(4, np.int64)
        self.sessions = np.zeros(-(-rounds // SESSION), np.int64)
        hands = len(progressive_hands(game))
        tables = plan.progressives
        self.cost = np.array([table.cost for table in tables], np.int64).reshape(len(tables), hands)
        self.envy = np.array([table.envy for table in tables], np.int64).reshape(len(tables), hands)
        self.event = np.zeros(hands, np.int64)
        for table in tables:
            self.event |= np.array(table.meter, np.int64) >= 0
        self.rows = np.zeros(hands, np.int64)
        self.awards = np.zeros((len(tables), SUMS), np.int64)
        # Only the part of these that is written to takes memory.
        self.events: Ints = np.empty(rounds * plan.spots if self.event.any() else 0, np.int64)
        self.order = np.array(plan.order, np.int64)
        self.terms = np.array(plan.terms, np.int64)

    @staticmethod
    def _groups(plan: Plan, game: Game) -> Ints:
        """How the cards of a deck are drawn; those of a shoe are drawn one by one."""
        return groups(plan.deck, plan.cards) if game.shoe is None else np.zeros((0, 2), np.int64)

    def arguments(self, plan: Plan, game: Game, first: int, rounds: int) -> tuple[Any, ...]:
        """What the loop takes before the look-ups of its rankings, in its order."""
        points = plan.way.points or tuple(PointWay() for _ in game.points)
        tables = [
            table
            for point, way in zip(game.points, points, strict=True)
            if not sets_hands(point)
            for table in way.tables()
        ]
        return (
            *(first, rounds, *seed_words(plan.seed), plan.deck, self._groups(plan, game), plan.spots),
            *(self.amounts, self.options, self.num, self.den, *self.flat),
            *(self.stakes, self.money, self.weights, self.slots),
            *(self.order, self.terms, self.cost, self.envy, self.event),
            *(self.counts, self.sums, self.bankroll, self.sessions, self.rows, self.awards, self.events),
            np.array([way.rule for way in points], np.int64),
            np.array([way.numbers() for way in points], np.int64).reshape(len(points), 5),
            *tables,
            *(settings_of(game, plan.way.settings), hand_choose(game)),
            *(np.array(lines, np.int64).reshape(-1, 2) for lines in (plan.way.setting_lines, plan.way.extra_lines)),
        )


def odds_arrays(odds: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]) -> tuple[Ints, Ints]:
    """Numerators and denominators by wager and row."""
    widest = max([len(num) for num, _ in odds] + [1])
    table = np.zeros((2, len(odds), widest), np.int64)
    for place, (num, den) in enumerate(odds):
        table[0, place, : len(num)] = num
        table[1, place, : len(den)] = den
    return table[0], table[1]
