"""Who does the work: this process, processes on this machine, or a Dask cluster, all through one seam.

Whatever runs in parallel is handed to a ``concurrent.futures.Executor``. The functions it is given are module level and
their arguments plain data, so that it does not matter where they run.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from multiprocessing.process import BaseProcess
from threading import Thread, Timer
from typing import Any, Final, TypeVar

from houseway.extras import need
from houseway.refusal import Fault, Refusal

LOCAL: Final = "local"
DASK: Final = "dask"
ENGINES: Final = (LOCAL, DASK)
CONNECT_SECONDS: Final = 10
END_SECONDS: Final = 3.0
"""How long processes that have nothing more to do may take to end."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Engine:
    """Which executor is meant: a number of processes here, or the cluster of a Dask scheduler."""

    name: str = LOCAL
    workers: int | None = None
    """Processes on this machine; as many as it has cores where none is given."""
    scheduler: str | None = None
    """The address of a Dask scheduler, such as tcp://10.0.0.5:8786."""

    def check(self) -> None:
        """Refuse what does not fit together."""
        if self.name not in ENGINES:
            raise Refusal("engine", f"{self.name[:40]!r} is not known; there are {' and '.join(ENGINES)}")
        if self.name == DASK and not self.scheduler:
            raise Refusal(
                "scheduler", "is missing; give the address of the Dask scheduler, such as tcp://10.0.0.5:8786"
            )
        if self.name == LOCAL and self.scheduler:
            raise Refusal("scheduler", "belongs to --engine dask")
        if self.name == DASK and self.workers is not None:
            raise Refusal("workers", "are those of the cluster; leave it out with --engine dask")
        if self.workers is not None and not 1 <= self.workers <= 1024:
            raise Refusal("workers", "must be a whole number from 1 to 1024")


@dataclass(frozen=True, slots=True)
class Crew:
    """An executor and how many jobs it can do at once."""

    executor: Executor
    size: int


@contextmanager
def crew(engine: Engine) -> Iterator[Crew]:
    """The executor of an engine for as long as it is needed."""
    engine.check()
    if engine.name == DASK:
        yield from _dask(engine.scheduler or "")
        return
    size = engine.workers or os.cpu_count() or 1
    if size == 1:
        yield Crew(Here(), 1)
        return
    pool = ProcessPoolExecutor(size, mp_context=get_context("spawn"), initializer=_follow_the_parent)
    try:
        yield Crew(pool, size)
    finally:
        # A process that was killed while it held the lock of the queue leaves the others waiting for it for ever.
        impatient = Timer(END_SECONDS, _kill, [list((pool._processes or {}).values())])
        impatient.daemon = True
        impatient.start()
        pool.shutdown(wait=True, cancel_futures=True)
        impatient.cancel()


def _kill(processes: list[BaseProcess]) -> None:
    for process in processes:
        process.kill()


def _dask(address: str) -> Iterator[Crew]:
    need("cluster", "engine dask")
    from distributed import Client

    try:
        connect: Any = Client
        client = connect(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise Fault(
            f"the Dask scheduler at {address} cannot be reached: {str(error) or type(error).__name__}"
        ) from None
    with client:
        cores = sum(client.ncores().values())
        if not cores:
            raise Fault(f"the Dask scheduler at {address} has no workers")
        executor = client.get_executor(pure=False)
        try:
            yield Crew(executor, cores)
        finally:
            executor.shutdown(wait=False)


def result_of(job: Future[Result]) -> Result:
    """What a job came to; a cluster that could not do it is a fault and says why."""
    try:
        return job.result()
    except CancelledError:
        raise Fault("the cluster was lost while it worked") from None
    except Exception as error:
        if type(error).__module__.startswith("distributed"):
            raise Fault(f"the cluster could not do a job: {error}") from None
        raise


class Here(Executor):
    """An executor that does the work at once, in this process."""

    def submit(self, fn: Callable[..., Result], /, *args: Any, **kwargs: Any) -> Future[Result]:
        future: Future[Result] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def _follow_the_parent() -> None:
    """Ctrl-C reaches every process of a terminal, and only the one that gathers results is to answer it.

    But one that is gone without a word, killed, leaves nobody to work for: a worker then ends by itself.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: Any) -> None:
    parent.join()
    os._exit(1)
