"""Every planted change is caught, and by a test that carries the very clause it breaks.

A change is a copy of the package with one text replaced. A warm Python forks for each, so that the copy is imported
anew, and runs the test on record; every clause that the change breaks must have a test that fails. What no clause is
about yet, such as a wager that is taken back, breaks the tests of the interpreter instead.

All changes are tried in the long run, a sample in every run: every n-th change, from a place that the commit decides.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.mutants.plant import (
    INTERPRETER,
    ROOT,
    SAMPLE,
    Bench,
    Mutant,
    mutants,
    plant,
    record,
    sample,
)

from houseway.clauses import catalogue, checkout

FAMILIES = ("PR", "FL")
"""The clauses of the progressive and of the floor: each has a planted change."""


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.close()


def test_every_planted_change_still_fits_the_program() -> None:
    """So that the lists cannot rot: the texts stand where they say, and the clauses are in the catalogue."""
    faults = [fault for mutant in mutants() for fault in mutant.place_faults]
    assert not faults, "\n".join(faults)
    known = {*catalogue.load().clauses, INTERPRETER}
    for mutant in mutants():
        if mutant.file.endswith(".py"):
            compile(mutant.changed_text, mutant.file, "exec")
        else:
            tomllib.loads(mutant.changed_text)
        unknown = [name for name in mutant.breaks if name not in known]
        assert not unknown, f"{mutant.change}: unknown clause {', '.join(unknown)}"
    assert len({mutant.change for mutant in mutants()}) == len(mutants())
    assert len({(mutant.file, mutant.after, mutant.old, mutant.new) for mutant in mutants()}) == len(mutants())


def test_every_clause_of_the_progressive_and_the_floor_has_a_planted_change() -> None:
    broken = {name for mutant in mutants() for name in mutant.breaks}
    due = {name for name in catalogue.load().clauses if name.split("-")[0] in FAMILIES}
    assert sorted(due - broken) == []


def test_the_sample_comes_round_to_every_change() -> None:
    turns = len(mutants()) // SAMPLE
    drawn = [sample(f"{turn:08x}") for turn in range(turns)]
    assert sorted(mutant.change for part in drawn for mutant in part) == sorted(mutant.change for mutant in mutants())
    assert min(map(len, drawn)) >= SAMPLE


def test_every_record_is_of_a_planted_change() -> None:
    assert sorted(set(record()) - {mutant.change for mutant in mutants()}) == []


def caught(bench: Bench, mutant: Mutant, folder: Path) -> None:
    outcome = bench.judge(mutant, folder)
    survives = [name for name in mutant.breaks if name not in outcome.failed]
    assert not outcome.trouble, f"{mutant.change}: {outcome.trouble}"
    assert not survives, f"{mutant.change}: no test of {', '.join(survives)} fails; {outcome.ran} were tried"


@pytest.mark.parametrize("mutant", [pytest.param(m, id=m.change) for m in sample(checkout.state(ROOT).commit or "")])
def test_the_tests_of_a_clause_catch_a_sample_of_the_planted_changes(
    mutant: Mutant, tmp_path: Path, bench: Bench
) -> None:
    caught(bench, mutant, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("mutant", [pytest.param(m, id=m.change) for m in mutants()])
def test_the_tests_of_a_clause_catch_the_planted_change(mutant: Mutant, tmp_path: Path, bench: Bench) -> None:
    caught(bench, mutant, tmp_path)


@pytest.mark.long
def test_the_unchanged_program_passes_what_the_planted_changes_fail(tmp_path: Path, bench: Bench) -> None:
    """Otherwise a change might be caught by a test that fails anyway."""
    package = plant(None, tmp_path)
    clauses = sorted({name for mutant in mutants() for name in mutant.breaks})
    tests = sorted({test for tests in record().values() for test in tests})
    for first in range(0, len(tests), 60):
        outcome = bench.run(package, clauses, tests[first : first + 60])
        assert (outcome.failed, outcome.trouble) == ({}, "")
