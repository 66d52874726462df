"""Every planted bug of mutants.toml is caught by the clause tests, and by a test of the very clause it breaks.

A mutant is a copy of the package with one text replaced. Another Python runs the clause tests against that copy, only
those that carry the ids of the broken clauses, and every one of these clauses must have a test that fails. What no
clause is about yet, such as a wager that is taken back, breaks the tests of the interpreter instead.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "houseway"
INTERPRETER = "interpreter"
INTERPRETER_TEST = ROOT / "tests" / "games" / "test_interpreter.py"
CLAUSE_TESTS = [
    ROOT / "tests" / "clauses" / f"test_{name}.py"
    for name in (
        "caribbean_stud",
        "three_card_poker",
        "straight_edge",
        "six_card_pai_gow",
        "awards",
        "crazy_four_poker",
        "four_card_poker",
        "dj_wild",
    )
]

RUN = """
import json, sys
from pathlib import Path
import pytest
import houseway
from houseway.games import approved_book

class Chosen:
    '''Runs the tests of some clauses, and remembers which of the clauses had a test that failed.'''

    def __init__(self, wanted):
        self.wanted = set(wanted)
        self.by_test = {}
        self.ran, self.failed = 0, set()

    def pytest_collection_modifyitems(self, items):
        for item in items:
            ids = {name for mark in item.iter_markers("clause") for name in mark.args}
            if item.path.name == "test_interpreter.py":
                ids.add("interpreter")
            self.by_test[item.nodeid] = ids & self.wanted
        items[:] = [item for item in items if self.by_test[item.nodeid]]

    def pytest_runtest_logreport(self, report):
        if report.when == "call":
            self.ran += 1
            if report.failed:
                self.failed |= self.by_test[report.nodeid]

package, clauses, files = json.loads(sys.argv[1])
if Path(houseway.__file__).parent != Path(package):
    sys.exit(f"this is not the mutant but {houseway.__file__}")
approved_book()  # a change that the loader of the pay tables refuses is no mutant: it never runs
chosen = Chosen(clauses)
status = pytest.main(["-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", *files], plugins=[chosen])
print(json.dumps({"status": int(status), "ran": chosen.ran, "failed": sorted(chosen.failed)}))
"""


@dataclass(frozen=True)
class Mutant:
    change: str
    file: str
    old: str
    new: str
    breaks: tuple[str, ...]
    after: str = ""

    def place(self, text: str) -> int:
        """Where the text to be replaced begins; it must be there in exactly the way the list says."""
        assert self.old != self.new, f"{self.change}: nothing is changed"
        anchor = self.after or self.old
        assert text.count(anchor) == 1, f"{self.change}: {anchor!r} is {text.count(anchor)} times in {self.file}"
        place = text.find(self.old, text.index(anchor))
        assert place >= 0, f"{self.change}: {self.old!r} is not in {self.file} behind {self.after!r}"
        return place

    def applied(self, text: str) -> str:
        place = self.place(text)
        return text[:place] + self.new + text[place + len(self.old) :]


def mutants() -> list[Mutant]:
    listed = tomllib.loads(Path(__file__).with_name("mutants.toml").read_text("utf-8"))["mutant"]
    return [Mutant(**{**fields, "breaks": tuple(fields["breaks"])}) for fields in listed]


MUTANTS = mutants()


def clause_run(package: Path, clauses: tuple[str, ...]) -> dict[str, object]:
    """What became of the tests of these clauses when the program is the one in ``package``."""
    named = [str(file) for file in CLAUSE_TESTS if any(f'"{name}"' in file.read_text("utf-8") for name in clauses)]
    named += [str(INTERPRETER_TEST)] if INTERPRETER in clauses else []
    run = subprocess.run(
        [sys.executable, "-c", RUN, json.dumps([str(package), clauses, named])],
        cwd=ROOT,
        env={
            **os.environ,
            "PYTHONPATH": str(package.parent),
            "PYTEST_ADDOPTS": "",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    lines = run.stdout.splitlines()
    assert run.returncode == 0, run.stdout + run.stderr
    assert lines, run.stderr
    outcome: dict[str, object] = json.loads(lines[-1])
    assert outcome["status"] in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED), run.stdout
    assert outcome["ran"], f"no test carries {', '.join(clauses)}"
    return outcome


def test_every_mutant_still_fits_the_program() -> None:
    """So that the list cannot rot: the texts stand where it says, and the clauses exist in the tests."""
    texts = {file: (PACKAGE / file).read_text("utf-8") for file in {mutant.file for mutant in MUTANTS}}
    tests = "".join(file.read_text("utf-8") for file in CLAUSE_TESTS)
    for mutant in MUTANTS:
        changed = mutant.applied(texts[mutant.file])
        if mutant.file.endswith(".py"):
            compile(changed, mutant.file, "exec")
        else:
            tomllib.loads(changed)
        for name in mutant.breaks:
            assert name == INTERPRETER or f'"{name}"' in tests, f"{mutant.change}: no test carries {name}"
    assert len({mutant.change for mutant in MUTANTS}) == len(MUTANTS)
    assert len({(mutant.file, mutant.after, mutant.old, mutant.new) for mutant in MUTANTS}) == len(MUTANTS)


@pytest.mark.long
def test_the_unchanged_program_passes_what_the_mutants_fail(tmp_path: Path) -> None:
    """Otherwise a mutant might be caught by a test that fails anyway."""
    shutil.copytree(PACKAGE, tmp_path / "houseway")
    clauses = tuple(sorted({name for mutant in MUTANTS for name in mutant.breaks}))
    outcome = clause_run(tmp_path / "houseway", clauses)
    assert outcome["failed"] == []


@pytest.mark.long
@pytest.mark.parametrize("mutant", [pytest.param(mutant, id=mutant.change) for mutant in MUTANTS])
def test_the_tests_of_the_broken_clause_catch_the_mutant(mutant: Mutant, tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / "houseway")
    file = tmp_path / "houseway" / mutant.file
    file.write_text(mutant.applied(file.read_text("utf-8")), "utf-8")
    outcome = clause_run(tmp_path / "houseway", mutant.breaks)
    assert outcome["failed"] == sorted(mutant.breaks)
