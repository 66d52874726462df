"""One result whoever plays: one, two and four processes, a cluster, and either with a worker killed on the way."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from houseway.games import approved_book, find_game
from houseway.proof import executors
from houseway.proof.executors import Crew, Engine, Here, crew
from houseway.proof.simulation import Link, Setup, plan_of, results_of, run, simulate
from houseway.proof.simulation.plan import Plan
from houseway.refusal import Fault, Refusal

ROUNDS = 123_456
CHUNK = 10_000


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "CHUNK", CHUNK)


@pytest.fixture(scope="module")
def plan() -> Plan:
    game = find_game("caribbean-stud")
    assert game is not None
    return plan_of(
        Setup(
            game, spots=3, seed=9, strategy="three rules", progressives=("CSTUD-15",), link=Link({"": 2100}, {"": 100})
        )
    )


def said(plan: Plan, engine: Engine, told: Callable[[int, int], None] | None = None, rounds: int = ROUNDS) -> Any:
    made = results_of(simulate(plan, rounds, engine, told), approved_book()).to_json()
    assert not made["interrupted"]
    return {name: value for name, value in made.items() if not name.startswith(("seconds", "rounds_per"))}


@pytest.fixture(scope="module")
def alone(plan: Plan) -> Any:
    """What one process says; the module's chunks are the same for all engines."""
    patch = pytest.MonkeyPatch()
    patch.setattr(run, "CHUNK", CHUNK)
    try:
        return said(plan, Engine(workers=1))
    finally:
        patch.undo()


def test_chunks_do_not_matter_but_for_the_books(plan: Plan, alone: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "CHUNK", 3 * CHUNK)
    assert said(plan, Engine(workers=1)) == alone


@pytest.mark.parametrize("workers", [2, 4])
def test_processes_say_what_one_says(plan: Plan, alone: Any, workers: int) -> None:
    assert said(plan, Engine(workers=workers)) == alone


def test_a_killed_process_changes_nothing(plan: Plan, alone: Any) -> None:
    killed: list[int] = []

    def kill(done: int, _asked: int) -> None:
        if not killed and done >= 2 * CHUNK:
            worker = multiprocessing.active_children()[0]
            killed.append(worker.pid or 0)
            os.kill(worker.pid or 0, signal.SIGKILL)

    assert said(plan, Engine(workers=2), kill) == alone
    assert killed


WORKING = """
import time
from houseway.proof.executors import Engine, crew

if __name__ == "__main__":
    with crew(Engine(workers=2)) as made:
        import os
        jobs = [made.executor.submit(os.getpid) for _ in range(20)]
        print(*{job.result() for job in jobs}, flush=True)
        time.sleep(600)
"""


def test_workers_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "working.py"
    script.write_text(WORKING)
    parent = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    workers = [int(word) for word in parent.stdout.readline().split()]
    assert workers
    parent.kill()
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 30
    while any(Path(f"/proc/{worker}").exists() for worker in workers) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not [worker for worker in workers if Path(f"/proc/{worker}").exists()]


def test_a_pool_that_always_breaks_is_given_up(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    made = 0

    class Breaking(Here):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
            return super().submit(broken)

    def broken() -> None:
        raise run.BrokenExecutor

    @contextmanager
    def crews(engine: Engine) -> Iterator[Crew]:
        nonlocal made
        made += 1
        yield Crew(Breaking(), 1)

    monkeypatch.setattr(run, "crew", crews)
    with pytest.raises(run.BrokenExecutor):
        simulate(plan, ROUNDS, Engine(workers=2))
    assert made == run.TRIES


def test_interrupted_it_says_what_it_has(plan: Plan) -> None:
    """The chunks done without a gap, exactly as a shorter run has them."""

    def stop(done: int, _asked: int) -> None:
        if done == 5 * CHUNK:
            raise KeyboardInterrupt

    made = simulate(plan, ROUNDS, Engine(workers=1), stop)
    assert made.interrupted
    assert made.tally.rounds == 5 * CHUNK
    got = results_of(made, approved_book()).to_json()
    shorter = said(plan, Engine(workers=1), rounds=5 * CHUNK)
    assert {name: got[name] for name in ("rounds", "wagers", "bankroll", "meters")} == {
        name: shorter[name] for name in ("rounds", "wagers", "bankroll", "meters")
    }


def test_a_worker_with_other_rules_is_not_believed(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    from houseway.proof.simulation import chunk

    monkeypatch.setattr(chunk, "plan_digest", lambda _game: "other")
    with pytest.raises(Fault, match="other rules"):
        simulate(plan, CHUNK, Engine(workers=1))


# ------------------------------------------------------------------------------------------------ the cluster


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A real scheduler and three worker processes on this machine, restarted when they die."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as made:
        yield made


def test_a_cluster_says_what_one_process_says(plan: Plan, alone: Any, cluster: Any) -> None:
    assert said(plan, Engine("dask", scheduler=cluster.scheduler_address)) == alone


def test_a_killed_cluster_worker_changes_nothing(plan: Plan, alone: Any, cluster: Any) -> None:
    killed: list[int] = []

    def kill(done: int, _asked: int) -> None:
        if not killed and done >= 3 * CHUNK:
            nanny = next(iter(cluster.workers.values()))
            killed.append(nanny.pid)
            os.kill(nanny.pid, signal.SIGKILL)

    assert said(plan, Engine("dask", scheduler=cluster.scheduler_address), kill) == alone
    assert killed


def test_figures_are_counted_on_the_cluster(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every figure of a game, counted afresh by a worker, is the one counted here."""
    from houseway.proof import compiled
    from houseway.proof.collect import Request, all_figures

    monkeypatch.setattr(compiled, "cache_folder", lambda: None)
    asked = Request(games=("straight-edge-2",), fresh=True)
    there = all_figures(asked, engine=Engine("dask", scheduler=cluster.scheduler_address))
    here = all_figures(Request(games=("straight-edge-2",)))
    assert [one.to_json(distribution=True) | {"seconds": 0} for one in there] == [
        one.to_json(distribution=True) | {"seconds": 0} for one in here
    ]


def test_a_scheduler_that_is_not_there_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(executors, "CONNECT_SECONDS", 0.3)
    with pytest.raises(Fault, match="cannot be reached"), crew(Engine("dask", scheduler="tcp://127.0.0.1:9")):
        pass


@pytest.mark.parametrize(
    ("engine", "sentence"),
    [
        (Engine("spark"), "engine: 'spark' is not known"),
        (Engine("dask"), "scheduler: is missing"),
        (Engine("local", scheduler="tcp://127.0.0.1:1"), "scheduler: belongs to --engine dask"),
        (Engine("dask", 2, "tcp://127.0.0.1:1"), "workers: are those of the cluster"),
        (Engine("local", 0), "workers: must be a whole number"),
    ],
)
def test_an_engine_that_does_not_fit_is_refused(engine: Engine, sentence: str) -> None:
    with pytest.raises(Refusal, match=sentence):
        engine.check()


def test_the_seam_is_an_executor() -> None:
    for workers in (1, 2):
        with crew(Engine(workers=workers)) as made:
            assert isinstance(made.executor, Executor)
            assert made.executor.submit(pow, 2, 5).result() == 32
            assert made.size == workers
