"""A simulation from the first round to the last: chunks go out to an executor and are added up in their order.

Whatever the executor, the chunks are the same and so is their order, and sums are whole numbers: the result depends on
the plan and the number of rounds alone. When it is interrupted the chunks that are done without a gap are the result.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from dataclasses import dataclass
from typing import Final, TypeAlias

from houseway.games import all_games
from houseway.proof.executors import Crew, Engine, crew, result_of
from houseway.proof.simulation.chunk import CHUNK, play_chunk
from houseway.proof.simulation.meters import Meters, meters_of
from houseway.proof.simulation.plan import Plan, check_rounds, progressive_hands
from houseway.proof.simulation.tally import Tally, nothing

AHEAD: Final = 2
"""Chunks in hand for each worker, so that none waits for the one who adds up."""
TRIES: Final = 3
"""How often a pool that lost a process is made anew."""
WAIT_SECONDS: Final = 0.2

Told: TypeAlias = Callable[[int, int], None]
"""Told how many rounds are done, and of how many."""


@dataclass(frozen=True, slots=True)
class Played:
    """A simulation as far as it came."""

    plan: Plan
    asked: int
    """Rounds."""
    tally: Tally
    meters: tuple[Meters, ...]
    seconds: float
    """From the first chunk sent out to the last one added; compiling included."""
    interrupted: bool


def simulate(plan: Plan, rounds: int, engine: Engine | None = None, on_progress: Told | None = None) -> Played:
    """Play ``rounds`` rounds; Ctrl-C ends it early with what is done."""
    check_rounds(rounds)
    request = engine or Engine()
    request.check()
    if request.workers is None and rounds <= CHUNK:
        request = Engine(request.name, 1 if request.scheduler is None else None, request.scheduler)
    run = _Run(plan, rounds, on_progress)
    started = time.perf_counter()
    interrupted = False
    try:
        for attempt in range(1, TRIES + 1):
            try:
                with crew(request) as workers:
                    run.go_on(workers)
                break
            except BrokenExecutor:
                if attempt == TRIES:
                    raise
    except KeyboardInterrupt:
        interrupted = True
    for meters in run.meters:
        meters.check()
    return Played(plan, rounds, run.tally, tuple(run.meters), time.perf_counter() - started, interrupted)


class _Run:
    """What is done, and what is still to do."""

    def __init__(self, plan: Plan, rounds: int, on_progress: Told | None) -> None:
        self.plan = plan
        self.rounds = rounds
        self.tally = nothing(plan.lines, len(progressive_hands(all_games()[plan.game])), len(plan.progressives))
        self.meters = meters_of(plan)
        self._told = on_progress
        self._finished: dict[int, Tally] = {}
        """Chunks that came before one that stands before them."""

    def go_on(self, workers: Crew) -> None:
        """Send out every chunk that is not done; a chunk that was lost with its worker is sent again."""
        going: dict[Future[Tally], int] = {}
        sent = self.tally.rounds
        try:
            while self.tally.rounds < self.rounds:
                while sent < self.rounds and len(going) < AHEAD * workers.size:
                    if sent not in self._finished:
                        job = workers.executor.submit(play_chunk, self.plan, sent, min(CHUNK, self.rounds - sent))
                        going[job] = sent
                    sent += CHUNK
                done, _ = wait(going, timeout=WAIT_SECONDS, return_when=FIRST_COMPLETED)
                for job in done:
                    self._finished[going.pop(job)] = result_of(job)
                self._add_up()
        finally:
            for job in going:
                job.cancel()

    def _add_up(self) -> None:
        while (tally := self._finished.pop(self.tally.rounds, None)) is not None:
            for meters in self.meters:
                meters.run(tally.events, tally.rounds)
            self.tally.add(tally)
            if self._told is not None:
                self._told(self.tally.rounds, self.rounds)
