"""The matrix clause → tests → outcome: pure functions of the catalogue and the results of a test run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from houseway.clauses.catalogue import Catalogue, Clause
from houseway.clauses.results import Outcome, Results


class Status(StrEnum):
    """What the tests say about a clause."""

    PROVED = "proved"
    FAILING = "failing"
    SKIPPED = "test skipped"
    NO_TEST = "no test"
    NOT_BUILT = "not built yet"


@dataclass(frozen=True, slots=True)
class MarkedTest:
    """One test function with the outcomes of its cases: parametrised cases are one proof, not many."""

    name: str
    outcomes: Mapping[Outcome, int]

    @property
    def cases(self) -> int:
        """How many cases of the function ran."""
        return sum(self.outcomes.values())


@dataclass(frozen=True, slots=True)
class Row:
    """One clause with its tests."""

    clause: Clause
    tests: tuple[MarkedTest, ...]
    status: Status

    @property
    def is_gap(self) -> bool:
        """Whether a built part owes the proof of this clause."""
        return self.clause.part.built and self.status is not Status.PROVED


@dataclass(frozen=True, slots=True)
class Matrix:
    """The rows asked for, in the order of the specification."""

    rows: tuple[Row, ...]

    def counts(self) -> dict[Status, int]:
        """How many clauses have each status, the zeros included."""
        counter = Counter(row.status for row in self.rows)
        return {status: counter[status] for status in Status}

    def gaps(self) -> tuple[Row, ...]:
        """The clauses of built parts that are not proved."""
        return tuple(row for row in self.rows if row.is_gap)


def build(catalogue: Catalogue, results: Results, clauses: Iterable[Clause] | None = None) -> Matrix:
    """Lay the results against the catalogue, or against some of its clauses."""
    chosen = catalogue.clauses.values() if clauses is None else clauses
    return Matrix(tuple(_row(clause, results.clauses.get(clause.id, {})) for clause in chosen))


def status_of(clause: Clause, outcomes: Iterable[Outcome]) -> Status:
    """Proved takes a built part, at least one test and nothing but passes; a skipped test has shown nothing."""
    kinds = set(outcomes)
    if kinds & {Outcome.FAILED, Outcome.ERROR}:
        return Status.FAILING
    if not clause.part.built:
        return Status.NOT_BUILT
    if kinds == {Outcome.PASSED}:
        return Status.PROVED
    return Status.SKIPPED if kinds else Status.NO_TEST


def function_of(test: str) -> str:
    """The test function of a node id: ``a.py::test_b[1-2]`` is a case of ``a.py::test_b``."""
    file, separator, name = test.partition("::")
    return file + separator + name.partition("[")[0]


def _row(clause: Clause, tests: Mapping[str, Outcome]) -> Row:
    functions: dict[str, Counter[Outcome]] = {}
    for test, outcome in tests.items():
        functions.setdefault(function_of(test), Counter())[outcome] += 1
    groups = tuple(MarkedTest(name, dict(counter)) for name, counter in sorted(functions.items()))
    return Row(clause, groups, status_of(clause, tests.values()))
