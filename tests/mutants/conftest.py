"""The count of the mutants at the end of a run."""

from __future__ import annotations

import pytest

CAUGHT = "test_mutants.py::test_the_tests_of_the_broken_clause_catch_the_mutant["


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    tried = {
        outcome: sum(CAUGHT in report.nodeid for report in terminalreporter.getreports(outcome))
        for outcome in ("passed", "failed", "error")
    }
    if sum(tried.values()):
        terminalreporter.write_line(f"mutants caught {tried['passed']} of {sum(tried.values())}")
