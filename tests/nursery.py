"""Real processes that run `houseway`, without the second that each would take to import it.

One process imports the program once and forks for every command; what it forks is a process of its own, which can be
stopped, killed and waited for. `tests/web/test_running.py` starts the program as the world does.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping, Sequence
from multiprocessing import get_context
from pathlib import Path
from subprocess import TimeoutExpired
from typing import Final

READY: Final = ("houseway.commands.serve", "houseway.web.server", "houseway.web.demonstration", "tests.nursery")
"""What every command of a server needs."""
_FORKING: Final = get_context("forkserver")
_FORKING.set_forkserver_preload(list(READY))


class Forked:
    """A process, as `subprocess.Popen` would have it."""

    def __init__(self, arguments: Sequence[str], log: Path, folder: Path, environment: Mapping[str, str]) -> None:
        given = (list(arguments), str(log), str(folder), dict(environment))
        self._process = _FORKING.Process(target=_run, args=given, daemon=True)
        self._process.start()

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def poll(self) -> int | None:
        """Its exit code once it has ended."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        code = self._process.exitcode
        if code is None:
            raise TimeoutExpired("houseway", timeout or 0)
        return code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def _run(arguments: list[str], log: str, folder: str, environment: dict[str, str]) -> None:
    """In the forked process: what the operating system would have set up, then the program."""
    from houseway.cli import main

    signal.signal(signal.SIGINT, signal.default_int_handler)
    written = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for stream in (1, 2):
        os.dup2(written, stream)
    os.close(written)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = ["houseway", *arguments]
    main()
