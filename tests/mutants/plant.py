"""Planted changes: the lists, how a change is put into a copy of the package, and what its tests make of it.

A list is a TOML file beside this one; the top of ``rules.toml`` says what its fields mean. ``caught_by.toml`` records,
for each change, the quickest test of each broken clause that fails with it: that test is tried first, and every other
test of the clause only where it no longer fails. ``python -m tests.mutants.record`` writes the record.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[2]
PACKAGE: Final = ROOT / "src" / "houseway"
TESTS: Final = ROOT / "tests"
RECORD: Final = Path(__file__).with_name("caught_by.toml")
INTERPRETER: Final = "interpreter"
"""What no clause is about: the tests of the interpreter must fail."""
INTERPRETER_TEST: Final = "tests/games/test_interpreter.py"
STAGES: Final = (
    re.compile(r"tests/clauses/test_(?!screens)"),
    re.compile(r"tests/(table|manager)/test_(?!simulation|crash)"),
    re.compile(r"tests/"),
)
"""Where the tests of a clause are looked for, one after the other: those without a server or a browser come first."""
SAMPLE: Final = 40
LONGEST_SECONDS: Final = 180
LONG_AGO: Final = 1_000_000_000
"""When a changed file says that it was written: never in the second of the bytecode of the unchanged one."""


@dataclass(frozen=True)
class Mutant:
    """One planted change."""

    change: str
    file: str
    old: str
    new: str
    breaks: tuple[str, ...]
    after: str = ""

    @property
    def place_faults(self) -> list[str]:
        """Why the change cannot be planted, in a sentence; nothing where it can."""
        text = _source(self.file)
        if text is None:
            return [f"{self.change}: there is no file src/houseway/{self.file}"]
        anchor = self.after or self.old
        times = text.count(anchor)
        if self.old == self.new:
            return [f"{self.change}: old and new are the same text"]
        if times != 1:
            found = "is not found" if not times else f"stands {times} times, not once,"
            return [f"{self.change}: the text {anchor!r} {found} in src/houseway/{self.file}"]
        if self.old not in text[text.index(anchor) :]:
            return [
                f"{self.change}: the text {self.old!r} is not found after {self.after!r} in src/houseway/{self.file}"
            ]
        return []

    @property
    def changed_text(self) -> str:
        """The whole file with the change in it."""
        text = _source(self.file) or ""
        place = text.index(self.old, text.index(self.after or self.old))
        return text[:place] + self.new + text[place + len(self.old) :]


def moved_to(mutant: Mutant) -> str:
    """The one other file where the text of a change stands now; empty where there is none, or several."""
    names = (str(path.relative_to(PACKAGE)) for path in sorted(PACKAGE.rglob("*.py")))
    fitting = [name for name in names if not replace(mutant, file=name).place_faults]
    return fitting[0] if len(fitting) == 1 else ""


def follow(moved: dict[str, str]) -> None:
    """Write into the lists where the texts of changes have moved to: the new file by the change's sentence."""
    for list_ in Path(__file__).parent.glob("*.toml"):
        parts = list_.read_text("utf-8").split("[[mutant]]\n")
        for place, part in enumerate(parts):
            change = tomllib.loads(part).get("change", "") if place else ""
            if change in moved:
                parts[place] = re.sub(r'^file = ".*"$', f'file = "{moved[change]}"', part, count=1, flags=re.MULTILINE)
        list_.write_text("[[mutant]]\n".join(parts), "utf-8")


@cache
def _source(file: str) -> str | None:
    path = PACKAGE / file
    return path.read_text("utf-8") if path.is_file() else None


@cache
def mutants() -> tuple[Mutant, ...]:
    """Every planted change of every list."""
    files = sorted(file for file in Path(__file__).parent.glob("*.toml") if file != RECORD)
    listed = [fields for file in files for fields in tomllib.loads(file.read_text("utf-8"))["mutant"]]
    return tuple(Mutant(**{**fields, "breaks": tuple(fields["breaks"])}) for fields in listed)


def sample(commit: str) -> tuple[Mutant, ...]:
    """At least `SAMPLE` of all changes, other ones at each commit: every n-th, from a place that the commit decides."""
    every = mutants()
    turns = max(1, len(every) // SAMPLE)
    first = int(commit[:8] or "0", 16) % turns
    return every[first::turns]


def plant(mutant: Mutant | None, folder: Path) -> Path:
    """A package in a new folder with the change in it: links to the real files, but for the one that is changed."""
    _mirror(folder / "houseway", PACKAGE, mutant, tuple(Path(mutant.file).parts) if mutant is not None else ())
    return folder / "houseway"


def _mirror(target: Path, source: Path, mutant: Mutant | None, path: Sequence[str]) -> None:
    target.mkdir()
    for child in source.iterdir():
        here = target / child.name
        if mutant is None or not path or child.name != path[0]:
            here.symlink_to(child)
        elif len(path) > 1:
            _mirror(here, child, mutant, path[1:])
        else:
            here.write_text(mutant.changed_text, "utf-8")
            os.utime(here, (LONG_AGO, LONG_AGO))


# ------------------------------------------------------------------------------------------------- tests of clauses


@cache
def _test_texts() -> dict[str, str]:
    return {str(file.relative_to(ROOT)): file.read_text("utf-8") for file in sorted(TESTS.rglob("test_*.py"))}


def files_of(clauses: Iterable[str]) -> list[list[str]]:
    """The test files that name one of the clauses, stage by stage; each file once."""
    wanted = list(clauses)
    naming = [name for name, text in _test_texts().items() if any(f'"{clause}"' in text for clause in wanted)]
    naming += [INTERPRETER_TEST] if INTERPRETER in wanted else []
    stages: list[list[str]] = []
    for stage in STAGES:
        before = {name for names in stages for name in names}
        stages.append([name for name in naming if stage.match(name) and name not in before])
    return [names for names in stages if names]


@cache
def record() -> dict[str, list[str]]:
    """By change: the tests that caught it last."""
    return tomllib.loads(RECORD.read_text("utf-8")) if RECORD.exists() else {}


def write_record(caught: dict[str, list[str]]) -> None:
    """The record, in the order of the lists."""
    lines = [
        f"{json.dumps(mutant.change, ensure_ascii=False)} = {json.dumps(caught[mutant.change], ensure_ascii=False)}\n"
        for mutant in mutants()
        if mutant.change in caught
    ]
    RECORD.write_text(
        "# By planted change: the quickest test of each clause that it breaks. Written by\n"
        "# `python -m tests.mutants.record`; a test that is renamed is looked for again among those of its clause.\n\n"
        + "".join(lines),
        "utf-8",
    )


# ------------------------------------------------------------------------------------------------------ the tests run


class Outcome(NamedTuple):
    """What the tests of some clauses made of a package."""

    ran: int
    failed: dict[str, dict[str, float]]
    """By clause: its tests that failed, with the seconds each took."""
    trouble: str
    """Why the tests could not be run; empty where they were."""

    def caught(self, clauses: Iterable[str]) -> bool:
        """Whether every one of the clauses has a test that failed."""
        return not self.trouble and set(clauses) == set(self.failed)

    def quickest(self, clauses: Iterable[str]) -> list[str]:
        """The fewest seconds: a test for each clause, one that serves several only once."""
        return list(dict.fromkeys(min(self.failed[name], key=self.failed[name].__getitem__) for name in clauses))


class Bench:
    """A warm Python that runs tests against planted packages, each in a process of its own."""

    def __init__(self) -> None:
        self._server = subprocess.Popen(
            [sys.executable, "-m", "tests.mutants.warm"],
            cwd=ROOT,
            env={**os.environ, "PYTEST_ADDOPTS": "", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, package: Path, clauses: Sequence[str], tests: Sequence[str], *, all_of_them: bool = False) -> Outcome:
        """What the tests among these that carry the clauses make of the package."""
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        job = {
            "package": str(package),
            "clauses": list(clauses),
            "tests": list(tests),
            "seconds": LONGEST_SECONDS,
            "all": all_of_them,
        }
        self._server.stdin.write(json.dumps(job) + "\n")
        self._server.stdin.flush()
        answer: dict[str, Any] = json.loads(self._server.stdout.readline())
        return Outcome(answer["ran"], answer["failed"], answer["trouble"])

    def judge(self, mutant: Mutant, folder: Path, *, again: bool = False) -> Outcome:
        """The test on record; where that does not catch the change, or ``again``, all tests of its clauses."""
        package = plant(mutant, folder)
        if not again and mutant.change in record():
            outcome = self.run(package, mutant.breaks, record()[mutant.change])
            if outcome.caught(mutant.breaks):
                return outcome
        ran, failed, troubles = 0, dict[str, dict[str, float]](), list[str]()
        for tests in files_of(mutant.breaks):
            outcome = self.run(package, mutant.breaks, tests, all_of_them=again)
            ran += outcome.ran
            troubles += [outcome.trouble] if outcome.trouble else []
            failed = {**outcome.failed, **failed}
            if set(failed) == set(mutant.breaks):
                return Outcome(ran, failed, "")
        return Outcome(ran, failed, troubles[0] if troubles else "" if ran else f"no test carries {mutant.breaks}")

    def close(self) -> None:
        """The warm Python ends, also one that is still warming up."""
        self._server.kill()
        self._server.communicate()
