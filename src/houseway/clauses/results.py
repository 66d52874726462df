"""What a test run said about the clauses: the file that the test suite writes and the matrix reads.

Writer and reader share this module, so that the two cannot drift apart.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from houseway.clauses.catalogue import Catalogue
from houseway.refusal import Refusal

DEFAULT_FILE = Path("build", "clauses.json")
"""Where the test suite leaves its results, under the root of the checkout."""

FIELDS = {"commit", "dirty", "time", "version", "clauses"}


class Outcome(StrEnum):
    """How one test ended. An error is a test that could not be carried through."""

    PASSED = "passed"
    SKIPPED = "skipped"
    FAILED = "failed"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Results:
    """The outcome of every marked test, by clause and test, and which state of the source it speaks for."""

    commit: str | None
    dirty: bool
    time: datetime
    version: str
    clauses: Mapping[str, Mapping[str, Outcome]]

    def to_json(self) -> str:
        """The text of the results file; clauses and tests sorted, so that two runs compare line by line."""
        document = {
            "commit": self.commit,
            "dirty": self.dirty,
            "time": self.time.astimezone(UTC).isoformat(timespec="seconds"),
            "version": self.version,
            "clauses": {clause: dict(sorted(tests.items())) for clause, tests in sorted(self.clauses.items())},
        }
        return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def by_clause(marks: Mapping[str, Iterable[str]], outcomes: Mapping[str, Outcome]) -> dict[str, dict[str, Outcome]]:
    """Turn each test's clauses and outcome around. A test that was to run and never reported is an error."""
    clauses: dict[str, dict[str, Outcome]] = {}
    for test, ids in marks.items():
        for clause in ids:
            clauses.setdefault(clause, {})[test] = outcomes.get(test, Outcome.ERROR)
    return clauses


def merged(earlier: Results, later: Results) -> Results:
    """Both runs as one, or only the later one when they speak of different commits or versions.

    The time stays the earlier one: the whole is as old as its oldest half.
    """
    if (earlier.commit, earlier.version) != (later.commit, later.version):
        return later
    clauses = {
        clause: {**earlier.clauses.get(clause, {}), **later.clauses.get(clause, {})}
        for clause in {**earlier.clauses, **later.clauses}
    }
    return replace(later, dirty=earlier.dirty or later.dirty, time=min(earlier.time, later.time), clauses=clauses)


def parse(text: str, catalogue: Catalogue) -> Results:
    """Read a results file, or refuse it in one sentence."""
    try:
        document = json.loads(text)
    except ValueError as error:
        raise Refusal("results", f"this is not JSON ({error})") from None
    if not isinstance(document, dict) or set(document) != FIELDS:
        raise Refusal("results", f"this is not a file of clause results, which has {', '.join(sorted(FIELDS))}")
    commit, dirty, version = document["commit"], document["dirty"], document["version"]
    if not (isinstance(commit, str | None) and isinstance(dirty, bool) and isinstance(version, str)):
        raise Refusal("results", "commit should be text or null, dirty true or false, and version text")
    return Results(commit, dirty, _time(document["time"]), version, _clauses(document["clauses"], catalogue))


def read(file: Path, catalogue: Catalogue) -> Results:
    """Read the results file at ``file``; a missing one stays a ``FileNotFoundError``."""
    try:
        return parse(file.read_text(encoding="utf-8"), catalogue)
    except FileNotFoundError:
        raise
    except (OSError, UnicodeDecodeError) as error:
        raise Refusal("results", f"the file cannot be read ({error})") from None


def write(file: Path, results: Results) -> None:
    """Write the results file in one step: a reader sees the old results or the new, never half of them."""
    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_name(file.name + ".part")
    unfinished.write_text(results.to_json(), encoding="utf-8")
    unfinished.replace(file)


def _time(value: Any) -> datetime:
    try:
        time = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        raise Refusal("results", f"time should be an ISO date and time, not {value!r}") from None
    if time.tzinfo is None:
        raise Refusal("results", f"time should carry its time zone, unlike {value!r}")
    return time


def _clauses(value: Any, catalogue: Catalogue) -> dict[str, dict[str, Outcome]]:
    if not (isinstance(value, dict) and all(isinstance(tests, dict) for tests in value.values())):
        raise Refusal("results", "clauses should map each clause to its tests and their outcomes")
    unknown = sorted(set(value) - set(catalogue.clauses))
    if unknown:
        raise Refusal("results", f"the catalogue of this version has no clause {', '.join(unknown)}")
    try:
        return {clause: {test: Outcome(outcome) for test, outcome in tests.items()} for clause, tests in value.items()}
    except ValueError:
        allowed = ", ".join(Outcome)
        raise Refusal("results", f"the outcome of a test is one of {allowed}") from None
