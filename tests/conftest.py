"""The clause marks of all tests: checked at collection, and written with their outcomes on request.

``pytest --clause-results=build/clauses.json`` leaves the file that ``houseway clauses`` reads. (With a
space for the ``=`` and no folder named, pytest takes an existing results file for a folder of tests and never
comes here.) Under pytest-xdist the workers hand their marks over at their end; only the controller writes.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Generator, Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer.testing

import houseway
from houseway.clauses import catalogue, checkout, results
from houseway.clauses.results import Outcome, Results
from houseway.refusal import Refusal

WORKER_KEY = "clause_marks"
FINISHED = {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED}
SEVERITY = list(Outcome)

Marks = dict[str, list[str]]

# The tree of commands is the same in every test, and takes longer to build than most commands to run.
typer.testing._get_command = cache(typer.testing._get_command)


@pytest.fixture(autouse=True)
def no_fixed_hashes() -> Iterator[None]:
    """Dask fixes the hashes of its workers through this process's environment; no server starts with that (TR-1)."""
    yield
    os.environ.pop("PYTHONHASHSEED", None)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("clauses", "clauses of the specification")
    group.addoption("--clause-results", metavar="PATH", help="write the outcome of every marked test to PATH")
    group.addoption(
        "--clause-merge",
        action="store_true",
        help="add to the results already at PATH when they are of the same commit, instead of replacing them",
    )


def pytest_configure(config: pytest.Config) -> None:
    path = config.getoption("--clause-results")
    if path and not hasattr(config, "workerinput") and not config.getoption("--collect-only"):
        file = config.invocation_params.dir / path
        recorder = Recorder(file, config.getoption("--clause-merge"), checkout.state(config.rootpath))
        config.pluginmanager.register(recorder, "clause-recorder")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Thousands of tests are kept until the end: the garbage collector need not look through them again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Fail the collection of a file whose marks name no clause: a proof of nothing must not look like one."""
    report = yield
    defects = [
        defect for node in report.result or () if isinstance(node, pytest.Item) for defect in _mark_defects(node)
    ]
    if defects:
        report.outcome = "failed"
        report.longrepr = "\n".join(defects)
        report.result = []
    return report


def pytest_collection_finish(session: pytest.Session) -> None:
    """Hand over what was selected: the controller of a distributed run collects nothing itself."""
    marks = {item.nodeid: ids for item in session.items if (ids := _clause_ids(item))}
    output: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
    recorder = session.config.pluginmanager.get_plugin("clause-recorder")
    if output is not None:
        output[WORKER_KEY] = marks
    elif isinstance(recorder, Recorder):
        recorder.marks.update(marks)


def _clause_ids(item: pytest.Item) -> list[str]:
    return list(dict.fromkeys(str(name) for mark in item.iter_markers("clause") for name in mark.args))


def _mark_defects(item: pytest.Item) -> list[str]:
    known = catalogue.load().clauses
    defects = [
        f"{item.nodeid}: a clause mark needs the ids of the clauses it proves, and nothing else"
        for mark in item.iter_markers("clause")
        if mark.kwargs or not mark.args
    ]
    unknown = [name for name in _clause_ids(item) if name not in known]
    if unknown:
        defects.append(f"{item.nodeid}: no clause {', '.join(unknown)} in the catalogue (houseway/clauses)")
    return defects


class Recorder:
    """Gathers marks and outcomes over the run and writes them at its end, unless it was cut short."""

    def __init__(self, file: Path, merge: bool, source: checkout.Checkout) -> None:
        self.file = file
        self.merge = merge
        self.source = source
        self.marks: Marks = {}
        self.outcomes: dict[str, Outcome] = {}
        self.cut_short = False
        self.remark = ""

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A worker of pytest-xdist has finished; one that crashed has no output, its replacement has."""
        self.marks.update(getattr(node, "workeroutput", {}).get(WORKER_KEY, {}))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self.cut_short |= report.failed

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.passed and report.when != "call":
            return
        outcome = Outcome(report.outcome)
        if report.failed and report.when in ("setup", "teardown"):
            outcome = Outcome.ERROR
        worst = max(outcome, self.outcomes.get(report.nodeid, outcome), key=SEVERITY.index)
        self.outcomes[report.nodeid] = worst

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if self.cut_short or exitstatus not in FINISHED or session.shouldstop or session.shouldfail:
            self.remark = f"{self.file} was not written: the run was cut short"
            return
        clauses = results.by_clause(self.marks, self.outcomes)
        run = Results(self.source.commit, self.source.dirty, datetime.now(UTC), houseway.__version__, clauses)
        if self.merge:
            run = self.merged(run)
        results.write(self.file, run)

    def merged(self, run: Results) -> Results:
        try:
            return results.merged(results.read(self.file, catalogue.load()), run)
        except FileNotFoundError:
            return run
        except Refusal as refusal:
            self.remark = f"{self.file} was replaced: {refusal.sentence}"
            return run

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.remark:
            terminalreporter.write_line(self.remark)


PLANTED = "test_mutants.py::test_the_tests_of_a_clause_catch_"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many planted changes were caught, where a run tried any.

    It stands here because the controller of pytest-xdist reads no conftest further down.
    """
    tried = {
        outcome: sum(PLANTED in report.nodeid for report in terminalreporter.getreports(outcome))
        for outcome in ("passed", "failed", "error")
    }
    if sum(tried.values()):
        terminalreporter.write_line(f"planted changes caught {tried['passed']} of {sum(tried.values())}")
