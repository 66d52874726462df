"""From a marked test to the page a regulator reads: marks, results file, matrix, command."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

import houseway
from houseway.clauses import catalogue, checkout, command, matrix, results
from houseway.clauses.matrix import Status
from houseway.clauses.results import Outcome, Results
from houseway.refusal import Refusal

CONFTEST = Path(__file__).resolve().parents[1] / "conftest.py"
CATALOGUE = catalogue.load()
UNBUILT = sum(not clause.part.built for clause in CATALOGUE.clauses.values())
NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)

WRITE = "--clause-results=build/clauses.json"
TWO_WORKERS = ("-p", "xdist", "-n", "2")

PASSED, SKIPPED, FAILED, ERROR = Outcome.PASSED, Outcome.SKIPPED, Outcome.FAILED, Outcome.ERROR


def run_of(clauses: Mapping[str, Mapping[str, Outcome]], commit: str | None = "a" * 40) -> Results:
    return Results(commit, False, NOON, "0.1.0", clauses)


def proof_of_everything_built() -> Results:
    return run_of({c.id: {"tests/t.py::test": PASSED} for c in CATALOGUE.clauses.values() if c.part.built})


# ---------------------------------------------------------------- the matrix


@pytest.mark.parametrize(
    ("clause", "outcomes", "status"),
    [
        ("CS-4", [PASSED], Status.PROVED),
        ("CS-4", [PASSED, PASSED], Status.PROVED),
        ("CS-4", [PASSED, FAILED], Status.FAILING),
        ("CS-4", [PASSED, ERROR], Status.FAILING),
        ("CS-4", [SKIPPED, FAILED], Status.FAILING),
        ("CS-4", [PASSED, SKIPPED], Status.SKIPPED),
        ("CS-4", [SKIPPED], Status.SKIPPED),
        ("CS-4", [], Status.NO_TEST),
        ("CS-10", [], Status.NO_TEST),
        ("CS-10", [SKIPPED], Status.SKIPPED),
        ("CS-10", [PASSED], Status.PROVED),
        ("FL-12", [], Status.NO_TEST),
        ("PR-4", [], Status.NO_TEST),
        ("PR-4", [PASSED], Status.PROVED),
        ("PR-4", [PASSED, SKIPPED], Status.SKIPPED),
        ("PR-4", [FAILED], Status.FAILING),
        ("PR-22", [], Status.NO_TEST),
    ],
)
def test_the_status_of_a_clause(clause: str, outcomes: list[Outcome], status: Status) -> None:
    assert matrix.status_of(CATALOGUE.clauses[clause], outcomes) is status


def test_cases_of_a_parametrised_test_are_one_test() -> None:
    tests = {"t.py::test_a[1-x::y]": PASSED, "t.py::test_a[2]": FAILED, "t.py::TestB::test_c": PASSED}
    built = matrix.build(CATALOGUE, run_of({"CS-4": tests}))
    (row,) = (row for row in built.rows if row.clause.id == "CS-4")
    assert [(test.name, test.cases) for test in row.tests] == [
        ("t.py::TestB::test_c", 1),
        ("t.py::test_a", 2),
    ]
    assert row.tests[1].outcomes == {PASSED: 1, FAILED: 1}


def test_the_matrix_has_every_clause_in_order_and_counts_them() -> None:
    built = matrix.build(CATALOGUE, run_of({"CS-4": {"t": PASSED}, "CS-6": {"t": FAILED}}))
    assert [row.clause.id for row in built.rows] == list(CATALOGUE.clauses)
    assert built.counts() == {
        Status.PROVED: 1,
        Status.FAILING: 1,
        Status.SKIPPED: 0,
        Status.NO_TEST: len(CATALOGUE.clauses) - 2 - UNBUILT,
        Status.NOT_BUILT: UNBUILT,
    }


def test_gaps_are_what_is_built_and_not_proved() -> None:
    assert matrix.build(CATALOGUE, proof_of_everything_built()).gaps() == ()
    nothing = matrix.build(CATALOGUE, run_of({"CS-4": {"t": PASSED}, "PR-1": {"t": FAILED}})).gaps()
    assert {row.clause.part.name for row in nothing} == {p.name for p in CATALOGUE.parts.values() if p.built}
    assert len(nothing) == len(CATALOGUE.clauses) - 1 - UNBUILT
    assert "CS-4" not in {row.clause.id for row in nothing}


# ---------------------------------------------------------------- the results file


def test_results_survive_being_written_and_read(tmp_path: Path) -> None:
    run = run_of({"CS-6": {"t.py::b": FAILED, "t.py::a": PASSED}, "CS-4": {"t.py::ä": SKIPPED}}, commit=None)
    results.write(tmp_path / "build" / "clauses.json", run)
    assert results.read(tmp_path / "build" / "clauses.json", CATALOGUE) == run
    assert [file.name for file in (tmp_path / "build").iterdir()] == ["clauses.json"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{", "not JSON"),
        ("[]", "not a file of clause results"),
        ('{"clauses": {}}', "not a file of clause results"),
        ({"commit": 7}, "commit should be"),
        ({"dirty": "no"}, "dirty true or false"),
        ({"time": "yesterday"}, "ISO"),
        ({"time": 12}, "ISO"),
        ({"time": "2024-05-01T12:00:00"}, "time zone"),
        ({"clauses": []}, "map each clause"),
        ({"clauses": {"CS-4": "passed"}}, "map each clause"),
        ({"clauses": {"XY-1": {}}}, "no clause XY-1"),
        ({"clauses": {"CS-4": {"t": "fine"}}}, "one of passed, skipped, failed, error"),
    ],
)
def test_a_broken_results_file_is_refused(text: str | dict[str, Any], complaint: str) -> None:
    if isinstance(text, dict):
        text = json.dumps({**json.loads(run_of({}).to_json()), **text})
    with pytest.raises(Refusal, match=complaint):
        results.parse(text, CATALOGUE)


def test_a_test_that_never_reported_is_an_error() -> None:
    marks = {"a": ["CS-4", "CS-6"], "b": ["CS-4"]}
    assert results.by_clause(marks, {"b": PASSED}) == {
        "CS-4": {"a": ERROR, "b": PASSED},
        "CS-6": {"a": ERROR},
    }


def test_runs_of_one_commit_are_merged() -> None:
    earlier = replace(run_of({"CS-4": {"a": FAILED, "b": PASSED}, "CS-5": {"a": PASSED}}), dirty=True)
    later = replace(run_of({"CS-4": {"a": PASSED}, "CS-6": {"c": PASSED}}), time=NOON + timedelta(hours=1))
    both = results.merged(earlier, later)
    assert both.clauses == {
        "CS-4": {"a": PASSED, "b": PASSED},
        "CS-5": {"a": PASSED},
        "CS-6": {"c": PASSED},
    }
    assert both.time == NOON
    assert both.dirty


def test_runs_of_two_commits_are_not_merged() -> None:
    later = run_of({"CS-6": {"c": PASSED}}, commit="b" * 40)
    assert results.merged(run_of({"CS-4": {"a": FAILED}}), later) == later


# ---------------------------------------------------------------- marks, through pytest

SAMPLE = """
import pytest

@pytest.mark.clause("CS-4")
def test_good():
    pass

@pytest.mark.clause("CS-4", "CS-6")
@pytest.mark.parametrize("number", [1, 2])
def test_one_case_bad(number):
    assert number == 1

@pytest.mark.clause("CS-2")
@pytest.mark.skip(reason="sample")
def test_left_out():
    pass

@pytest.mark.clause("CS-8")
@pytest.mark.xfail
def test_known_to_fail():
    raise AssertionError

@pytest.fixture
def broken():
    raise RuntimeError

@pytest.mark.clause("CS-9")
def test_cannot_start(broken):
    pass

@pytest.fixture
def untidy():
    yield
    raise RuntimeError

@pytest.mark.clause("CSB-2")
def test_cannot_end(untidy):
    pass

@pytest.mark.clause("CSB-1")
class TestGroup:
    @pytest.mark.clause("CSB-3")
    def test_inside(self):
        pass

def test_without_a_mark():
    pass
"""

SAMPLE_OUTCOMES = {
    "CS-4": {
        "tests/test_sample.py::test_good": "passed",
        "tests/test_sample.py::test_one_case_bad[1]": "passed",
        "tests/test_sample.py::test_one_case_bad[2]": "failed",
    },
    "CS-6": {
        "tests/test_sample.py::test_one_case_bad[1]": "passed",
        "tests/test_sample.py::test_one_case_bad[2]": "failed",
    },
    "CS-2": {"tests/test_sample.py::test_left_out": "skipped"},
    "CS-8": {"tests/test_sample.py::test_known_to_fail": "skipped"},
    "CS-9": {"tests/test_sample.py::test_cannot_start": "error"},
    "CSB-1": {"tests/test_sample.py::TestGroup::test_inside": "passed"},
    "CSB-2": {"tests/test_sample.py::test_cannot_end": "error"},
    "CSB-3": {"tests/test_sample.py::TestGroup::test_inside": "passed"},
}

GOOD = """
import pytest

@pytest.mark.clause("{clause}")
def test_good():
    pass
"""

alone_and_distributed = pytest.mark.parametrize("workers", [(), TWO_WORKERS], ids=["alone", "two"])


class Project:
    """A tiny project with our conftest, tested by a pytest of its own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.file = root / "build" / "clauses.json"
        (root / "tests").mkdir()
        shutil.copy(CONFTEST, root / "tests")
        (root / "pyproject.toml").write_text(
            '[project]\nname = "houseway"\n[tool.pytest.ini_options]\naddopts = ["--strict-markers"]\n'
            'testpaths = ["tests"]\nfilterwarnings = ["error"]\nmarkers = ["clause(*ids): sample"]\n'
        )
        (root / ".gitignore").write_text("__pycache__/\nbuild/\n")

    def holds(self, name: str, text: str) -> None:
        (self.root / "tests" / name).write_text(text)

    def git(self, *arguments: str) -> str:
        identity = [
            "-c",
            "user.name=Sample",
            "-c",
            "user.email=sample@example.org",
            "-c",
            "commit.gpgsign=false",
        ]
        done = subprocess.run(
            ["git", *identity, *arguments],
            cwd=self.root,
            env=environment(),
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()

    def commit(self) -> str:
        """Commit all there is, and name the commit."""
        if not (self.root / ".git").exists():
            self.git("init", "--quiet")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--no-verify", "--allow-empty", "--message", "sample")
        return self.git("rev-parse", "HEAD")

    def pytest(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments],
            cwd=self.root,
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        )

    def results(self, *arguments: str) -> dict[str, Any]:
        """Run the tests and give what they wrote."""
        done = self.pytest(WRITE, *arguments)
        assert self.file.exists(), done.stdout + done.stderr
        written: dict[str, Any] = json.loads(self.file.read_text(encoding="utf-8"))
        return written


def environment() -> dict[str, str]:
    """Without what an outer pytest or a git hook left behind, and without plugins that take long to load."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "GIT_"))}
    return {**kept, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


@alone_and_distributed
def test_every_marked_test_is_written_with_its_outcome(project: Project, workers: tuple[str, ...]) -> None:
    project.holds("test_sample.py", SAMPLE)
    commit = project.commit()
    begun = datetime.now(UTC).replace(microsecond=0)
    written = project.results(*workers)
    assert written["clauses"] == SAMPLE_OUTCOMES
    assert (written["commit"], written["dirty"]) == (commit, False)
    assert written["version"] == houseway.__version__
    assert begun <= datetime.fromisoformat(written["time"]) <= datetime.now(UTC)
    run = results.read(project.file, CATALOGUE)
    statuses = {row.clause.id: row.status for row in matrix.build(CATALOGUE, run).rows}
    assert statuses["CS-4"] is statuses["CS-9"] is statuses["CSB-2"] is Status.FAILING
    assert statuses["CS-2"] is statuses["CS-8"] is Status.SKIPPED
    assert statuses["CSB-1"] is statuses["CSB-3"] is Status.PROVED


@alone_and_distributed
def test_a_mark_that_names_no_clause_fails_the_collection(project: Project, workers: tuple[str, ...]) -> None:
    project.holds("test_unknown.py", GOOD.replace('"{clause}"', '"CS-4", "CS-99"'))
    project.holds("test_empty.py", GOOD.replace('"{clause}"', ""))
    project.holds("test_keyword.py", GOOD.replace('"{clause}"', 'id="CS-4"'))
    project.holds("test_right.py", GOOD.format(clause="CS-4"))
    done = project.pytest(WRITE, *workers)
    assert done.returncode != 0
    assert "test_unknown.py::test_good: no clause CS-99 in the catalogue" in done.stdout
    for name in ("empty", "keyword"):
        assert f"test_{name}.py::test_good: a clause mark needs the ids of the clauses" in done.stdout
    assert "build/clauses.json was not written" in done.stdout
    assert not project.file.exists()


def test_marks_are_checked_without_asking_for_results(project: Project) -> None:
    project.holds("test_wrong.py", GOOD.format(clause="CS-99"))
    done = project.pytest()
    assert done.returncode != 0
    assert "no clause CS-99 in the catalogue" in done.stdout


@alone_and_distributed
def test_a_run_cut_short_writes_nothing(project: Project, workers: tuple[str, ...]) -> None:
    project.holds("test_sample.py", SAMPLE)
    done = project.pytest(WRITE, "-x", *workers)
    assert "was not written: the run was cut short" in done.stdout
    assert not project.file.exists()


def test_collecting_only_writes_nothing(project: Project) -> None:
    project.holds("test_right.py", GOOD.format(clause="CS-4"))
    project.pytest(WRITE, "--collect-only")
    assert not project.file.exists()


def test_a_worker_that_dies_leaves_its_test_failing(project: Project) -> None:
    project.holds("test_right.py", GOOD.format(clause="CS-4"))
    project.holds("test_dies.py", GOOD.format(clause="CS-5").replace("pass", "__import__('os')._exit(1)"))
    written = project.results(*TWO_WORKERS)
    assert written["clauses"] == {
        "CS-4": {"tests/test_right.py::test_good": "passed"},
        "CS-5": {"tests/test_dies.py::test_good": "failed"},
    }


def test_a_second_run_adds_to_the_first_when_asked(project: Project) -> None:
    project.holds("test_a.py", GOOD.format(clause="CS-4"))
    project.holds("test_b.py", GOOD.format(clause="CS-5"))
    project.commit()
    project.results("tests/test_a.py")
    both = project.results("tests/test_b.py", "--clause-merge", *TWO_WORKERS)
    assert set(both["clauses"]) == {"CS-4", "CS-5"}
    second = project.results("tests/test_b.py")
    assert set(second["clauses"]) == {"CS-5"}


def test_a_run_of_another_commit_replaces_the_file(project: Project) -> None:
    project.holds("test_a.py", GOOD.format(clause="CS-4"))
    project.holds("test_b.py", GOOD.format(clause="CS-5"))
    project.commit()
    project.results("tests/test_a.py")
    commit = project.commit()
    written = project.results("tests/test_b.py", "--clause-merge")
    assert set(written["clauses"]) == {"CS-5"}
    assert written["commit"] == commit


def test_a_broken_file_is_replaced_and_said_so(project: Project) -> None:
    project.holds("test_a.py", GOOD.format(clause="CS-4"))
    project.file.parent.mkdir()
    project.file.write_text("{")
    done = project.pytest(WRITE, "--clause-merge")
    assert "was replaced: this is not JSON" in done.stdout
    assert set(json.loads(project.file.read_text())["clauses"]) == {"CS-4"}


def test_uncommitted_changes_are_on_record(project: Project) -> None:
    project.holds("test_a.py", GOOD.format(clause="CS-4"))
    project.commit()
    project.holds("test_b.py", GOOD.format(clause="CS-5"))
    assert project.results()["dirty"]


def test_without_a_repository_there_is_no_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert checkout.state(tmp_path) == checkout.Checkout(None, False)
    monkeypatch.setenv("PATH", "")
    assert checkout.state(tmp_path) == checkout.Checkout(None, False)


def test_the_root_is_the_nearest_houseway_project(project: Project, tmp_path: Path) -> None:
    inner = tmp_path / "other"
    inner.mkdir()
    (inner / "pyproject.toml").write_text('[project]\nname = "other"\n')
    assert checkout.find_root(inner) == project.root
    assert checkout.find_root(Path("/")) == CONFTEST.parents[1]


# ---------------------------------------------------------------- the command


@pytest.fixture
def call(project: Project, monkeypatch: pytest.MonkeyPatch) -> Caller:
    """`houseway clauses`, called in the sample project."""
    monkeypatch.chdir(project.root)
    for name in ("COLUMNS", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return Caller(project)


class Caller:
    def __init__(self, project: Project) -> None:
        self.project = project
        self.app = typer.Typer()
        self.app.command("clauses")(command.clauses)

    def __call__(self, *arguments: str, run: Results | None = None) -> Result:
        if run:
            results.write(self.project.file, run)
        return CliRunner().invoke(self.app, list(arguments))


def test_a_complete_proof_is_told_as_such(call: Caller) -> None:
    commit = call.project.commit()
    run = replace(proof_of_everything_built(), commit=commit, time=datetime.now(UTC) - timedelta(hours=2, minutes=5))
    told = call(run=run)
    assert told.exit_code == 0
    first, *_ = told.stdout.splitlines()
    assert f"{run.time:%Y-%m-%d %H:%M} UTC (2 hours ago), Houseway 0.1.0, commit {commit[:12]}." in first
    assert "not committed" not in told.stdout
    assert "another state" not in told.stdout
    for id_ in CATALOGUE.clauses:
        assert f"│ {id_} " in told.stdout
    every = len(CATALOGUE.clauses)
    waiting = f", {UNBUILT} not built yet" if UNBUILT else ""
    assert f"{every} clauses: {every - UNBUILT} proved{waiting}." in told.stdout
    assert told.stdout.splitlines()[-1] == "No gaps: every clause here that is built is proved."
    assert "\x1b" not in told.stdout


def test_a_failing_clause_and_a_missing_test_are_gaps(call: Caller) -> None:
    tests = {f"tests/t.py::test_{name}": PASSED for name in "xyz"}
    run = run_of({"CSB-1": {"tests/t.py::test_a[1]": PASSED, "tests/t.py::test_a[2]": FAILED}, "CSB-2": tests})
    told = call("CSB", run=run)
    assert told.exit_code == 1
    assert "1: test_a ×2" in told.stdout
    assert "3: test_x, test_y, …" in told.stdout
    assert "4 clauses: 1 proved, 1 failing, 2 no test." in told.stdout
    assert "3 gaps in what is built: CSB-1 (failing), CSB-3 (no test), CSB-A1 (no test)." in told.stdout
    assert "CSC" not in told.stdout


def test_only_the_gaps_are_shown_when_asked(call: Caller) -> None:
    told = call("CS-", "--gaps", run=run_of({"CS-4": {"t.py::test": PASSED}}))
    assert told.exit_code == 1
    assert "│ CS-6 " in told.stdout
    assert "│ CS-4 " not in told.stdout
    assert "│ CS-10 " in told.stdout
    assert "11 clauses: 1 proved, 10 no test." in told.stdout


def test_a_part_that_is_not_built_leaves_no_gap() -> None:
    clause = CATALOGUE.clauses["PR-22"]
    later = replace(clause, part=replace(clause.part, built=False))
    assert matrix.status_of(later, []) is Status.NOT_BUILT
    assert matrix.status_of(later, [PASSED]) is Status.NOT_BUILT
    unbuilt = replace(CATALOGUE, clauses={**CATALOGUE.clauses, "PR-22": later})
    everything = {id_: {"t": PASSED} for id_ in CATALOGUE.clauses if id_ != "PR-22"}
    assert matrix.build(unbuilt, run_of(everything)).gaps() == ()


def test_results_of_another_state_are_said_to_be(call: Caller) -> None:
    commit = call.project.commit()
    told = call(run=replace(proof_of_everything_built(), dirty=True))
    assert f"The checkout is now at commit {commit[:12]}, another state" in told.stdout
    assert "changes that were not committed" in told.stdout


def test_the_matrix_as_json(call: Caller) -> None:
    commit = call.project.commit()
    tests = {"t.py::test_a[1]": PASSED, "t.py::test_a[2]": FAILED}
    told = call("CSB", "--json", run=run_of({"CSB-A1": tests}, commit=commit))
    assert told.exit_code == 1
    document = json.loads(told.stdout)
    assert document["results"].pop("age_seconds") > 0
    assert document["results"] == {
        "commit": commit,
        "dirty": False,
        "time": "2024-05-01T12:00:00+00:00",
        "version": "0.1.0",
        "checkout_commit": commit,
        "same_commit": True,
    }
    assert document["gaps"] == ["CSB-1", "CSB-2", "CSB-3", "CSB-A1"]
    assert document["counts"]["failing"] == 1
    clause = CATALOGUE.clauses["CSB-A1"]
    assert document["clauses"][3] == {
        "id": "CSB-A1",
        "says": clause.says,
        "source": clause.source,
        "part": "rulebook",
        "built": True,
        "ambiguous": True,
        "status": "failing",
        "tests": [{"test": "t.py::test_a", "passed": 1, "failed": 1}],
    }
    gaps = json.loads(call("--json", "--gaps").stdout)
    assert [clause["id"] for clause in gaps["clauses"]] == gaps["gaps"]


def test_results_are_found_from_a_folder_below(call: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(call.project.root / "tests")
    assert call(run=proof_of_everything_built()).exit_code == 0


def test_results_may_lie_elsewhere(call: Caller, tmp_path: Path) -> None:
    results.write(tmp_path / "elsewhere.json", proof_of_everything_built())
    assert call("--results", str(tmp_path / "elsewhere.json")).exit_code == 0


def test_without_results_it_says_how_to_make_them(call: Caller) -> None:
    told = call()
    assert told.exit_code == 1
    assert told.stdout == ""
    assert "no test results" in told.stderr
    assert "make test" in told.stderr


@pytest.mark.parametrize("text", ["{", "{}", '{"name": "something else"}', None, b"\xff\xfe"])
def test_a_file_that_is_not_ours_is_refused_in_a_sentence(call: Caller, text: str | bytes | None) -> None:
    call.project.file.parent.mkdir()
    if text is None:
        call.project.file.mkdir()
    elif isinstance(text, bytes):
        call.project.file.write_bytes(text)
    else:
        call.project.file.write_text(text)
    told = call()
    assert told.exit_code == 2
    assert told.stdout == ""
    assert told.stderr.count("\n") == 1
    assert "cannot be used" in told.stderr


def test_an_unknown_prefix_is_refused_in_a_sentence(call: Caller) -> None:
    told = call("XY", run=proof_of_everything_built())
    assert told.exit_code == 2
    assert "“XY”; the known prefixes are CS, CSB, CSC, CSP, TC" in told.stderr


@pytest.mark.parametrize(
    ("passed", "words"),
    [
        (timedelta(seconds=-5), "dated in the future"),
        (timedelta(seconds=59), "less than a minute ago"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(minutes=59), "59 minutes ago"),
        (timedelta(hours=26), "1 day ago"),
        (timedelta(days=9), "9 days ago"),
    ],
)
def test_age_in_words(passed: timedelta, words: str) -> None:
    assert command.age(passed) == words
