"""A Python that has everything but this program in memory, and forks for each planted change.

Jobs come as lines of JSON on the standard input: the package to be tried, the clauses, the tests, the most seconds, and
whether all tests are wanted or only enough of them.
The answer to each is a line of JSON: how many tests ran, which failed by clause, and what went wrong otherwise.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import select
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
WARM = (
    *("tests.table.table_kit", "houseway.adjudication", "houseway.books.reports", "houseway.manager.floor_file"),
    *("alembic.command", "cryptography.hazmat.primitives.asymmetric.ed25519", "hypothesis", "typer.testing"),
)
"""What is imported beforehand. Our own modules among it are forgotten again: what they import from elsewhere stays."""


class Chosen:
    """Runs the tests of some clauses, and remembers those that failed; all of them, or until every clause has one."""

    def __init__(self, clauses: list[str], *, all_of_them: bool) -> None:
        self.wanted = set(clauses)
        self.all_of_them = all_of_them
        self.by_test: dict[str, set[str]] = {}
        self.ran = 0
        self.failed: dict[str, dict[str, float]] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            ids = {name for mark in item.iter_markers("clause") for name in mark.args}
            if item.path.name == "test_interpreter.py":
                ids.add("interpreter")
            self.by_test[item.nodeid] = ids & self.wanted
        items[:] = [item for item in items if self.by_test[item.nodeid] and _is_certain(item)]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":
            self.ran += 1
            if report.failed:
                for name in self.by_test[report.nodeid]:
                    self.failed.setdefault(name, {})[report.nodeid] = report.duration

    def pytest_runtest_teardown(self, item: pytest.Item) -> None:
        if self.is_enough:
            item.session.shouldstop = "every clause has a test that failed"

    @property
    def is_enough(self) -> bool:
        return not self.all_of_them and set(self.failed) == self.wanted


def _is_certain(item: pytest.Item) -> bool:
    """Whether a test is quick and says the same each time: random ones may fail by their deadline, on any program."""
    drawn = getattr(getattr(item, "function", None), "is_hypothesis_test", False)
    return not drawn and item.get_closest_marker("long") is None


def warm_up() -> None:
    for name in WARM:
        importlib.import_module(name)
    for name in [name for name in sys.modules if name.split(".")[0] in ("houseway", "tests")]:
        del sys.modules[name]
    gc.collect()
    gc.freeze()


def answer(job: dict[str, Any], out: int) -> None:
    """In the child: run the tests, and write what came of them."""
    package = Path(job["package"])
    sys.path.insert(0, str(package.parent))
    os.environ["PYTHONPATH"] = str(package.parent)
    importlib.invalidate_caches()
    found: dict[str, Any] = {"ran": 0, "failed": {}, "trouble": ""}
    try:
        import houseway
        from houseway.games import approved_book

        if Path(houseway.__file__ or "").parent != package:
            found["trouble"] = f"this is not the planted package but {houseway.__file__}"
        else:
            approved_book()  # a change that the loader of the pay tables refuses is none: it never runs
            chosen = Chosen(job["clauses"], all_of_them=job["all"])
            options = ["-q", "--no-header", "--tb=no", "--assert=plain", "-pno:cacheprovider", "-ppytest_timeout"]
            status = pytest.main([*options, *job["tests"]], plugins=[chosen])
            found |= {"ran": chosen.ran, "failed": chosen.failed}
            ended = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED)
            if status not in ended and not chosen.is_enough:
                found["trouble"] = f"pytest ended with {status!r}: the tests could not be collected"
    except Exception as wrong:
        found["trouble"] = f"the changed program does not start: {type(wrong).__name__}: {wrong}"
    with os.fdopen(out, "w") as pipe:
        json.dump(found, pipe)


def forked(job: dict[str, Any]) -> str:
    """The answer of a child; where it takes too long, that."""
    inlet, outlet = os.pipe()
    child = os.fork()
    if not child:
        os.setpgid(0, 0)
        os.close(inlet)
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        answer(job, outlet)
        os._exit(0)
    os.close(outlet)
    parts: list[bytes] = []
    until = time.monotonic() + job["seconds"]
    trouble = ""
    while True:
        ready, _, _ = select.select([inlet], [], [], max(0.0, until - time.monotonic()))
        if not ready:
            trouble = f"the tests took longer than {job['seconds']} seconds"
            break
        part = os.read(inlet, 65_536)
        if not part:
            break
        parts.append(part)
    os.close(inlet)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    text = b"".join(parts).decode()
    if trouble or not text:
        return json.dumps({"ran": 0, "failed": {}, "trouble": trouble or "the process of the tests ended by itself"})
    return text


def main() -> None:
    sys.dont_write_bytecode = True
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    warm_up()
    for line in sys.stdin:
        print(forked(json.loads(line)), flush=True)


if __name__ == "__main__":
    main()
