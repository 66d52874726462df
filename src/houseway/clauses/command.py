"""``houseway clauses``: the matrix clause → tests → outcome, for a person at a terminal or as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from houseway.clauses import catalogue as catalogues
from houseway.clauses import matrix as matrices
from houseway.clauses import results as runs
from houseway.clauses.checkout import Checkout, find_root, state
from houseway.clauses.matrix import Matrix, Row, Status
from houseway.clauses.results import Results
from houseway.refusal import Refusal

if TYPE_CHECKING:
    from rich.table import Table

HAS_GAPS = 1
NO_RESULTS = 1
REFUSED = 2

NAMES_SHOWN = 2
PLAIN_WIDTH = 160
"""Columns of the table where no terminal says how wide it is: a file or a pipe should not be folded at 80."""

STYLES = {Status.PROVED: "green", Status.FAILING: "bold red", Status.NO_TEST: "red", Status.SKIPPED: "yellow"}


def clauses(
    prefix: Annotated[
        str | None, typer.Argument(help="Only the clauses whose id begins so, such as CSB or PR-3.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the matrix as JSON.")] = False,
    results: Annotated[
        Path | None,
        typer.Option(
            "--results",
            metavar="FILE",
            help="The results of a test run.",
            show_default=str(runs.DEFAULT_FILE),
        ),
    ] = None,
    gaps: Annotated[bool, typer.Option("--gaps", help="Only what is built and not proved.")] = False,
) -> None:
    """Show every clause of the specification with the tests that prove it and their outcome.

    Exit code 0: every clause asked for that is built is proved. 1: gaps, or no results. 2: a wrong request.
    """
    catalogue = catalogues.load()
    root = find_root(Path.cwd())
    file = results or (root or Path.cwd()) / runs.DEFAULT_FILE
    try:
        chosen = catalogue.matching(prefix) if prefix else tuple(catalogue.clauses.values())
    except Refusal as refusal:
        _stop(f"Nothing to show: {refusal.sentence}.", REFUSED)
    try:
        run = runs.read(file, catalogue)
    except FileNotFoundError:
        _stop(f"There are no test results at {file}: make them with `make test`.", NO_RESULTS)
    except Refusal as refusal:
        _stop(f"The results in {file} cannot be used: {refusal.sentence}.", REFUSED)

    matrix = matrices.build(catalogue, run, chosen)
    shown = matrix.gaps() if gaps else matrix.rows
    here = state(root) if root else None
    if as_json:
        typer.echo(json.dumps(_document(matrix, shown, run, here), indent=2, ensure_ascii=False))
    else:
        _print(matrix, shown, run, here)
    if matrix.gaps():
        raise typer.Exit(HAS_GAPS)


def _stop(sentence: str, code: int) -> NoReturn:
    typer.echo(sentence, err=True)
    raise typer.Exit(code)


def _print(matrix: Matrix, shown: tuple[Row, ...], run: Results, here: Checkout | None) -> None:
    from rich.console import Console

    console = Console(highlight=False, markup=False)
    if not console.is_terminal:
        console = Console(highlight=False, markup=False, width=PLAIN_WIDTH)
    for line in provenance(run, here, datetime.now(UTC)):
        console.print(line)
    if shown:
        console.print(_table(shown))
    for line in summary(matrix):
        console.print(line)


def _table(rows: tuple[Row, ...]) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table("clause", "what it says", "document", "tests", "outcome")
    table.columns[0].no_wrap = True
    table.columns[1].ratio = 5
    table.columns[2].ratio = 2
    table.columns[3].ratio = 4
    table.columns[4].ratio = 2
    for row in rows:
        cells = (row.clause.id, row.clause.says, row.clause.source, tests_in_words(row))
        table.add_row(*map(Text, cells), Text(row.status, style=STYLES.get(row.status, "dim")))
    return table


def provenance(run: Results, here: Checkout | None, now: datetime) -> Iterator[str]:
    """Say what the results speak for, and whatever speaks against relying on them."""
    time = run.time.astimezone(UTC)
    commit = f"commit {run.commit[:12]}" if run.commit else "no commit known"
    yield f"Results of {time:%Y-%m-%d %H:%M} UTC ({age(now - time)}), Houseway {run.version}, {commit}."
    if run.dirty:
        yield "The source had changes that were not committed when they were made."
    if here and here.commit != run.commit:
        at = f"commit {here.commit[:12]}" if here.commit else "no commit"
        yield f"The checkout is now at {at}, another state than this: make the results anew with `make test`."


def age(passed: timedelta) -> str:
    """How long ago, in the largest unit that fits."""
    seconds = int(passed.total_seconds())
    if seconds < 0:
        return "dated in the future"
    for size, unit in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= size:
            count = seconds // size
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "less than a minute ago"


def summary(matrix: Matrix) -> Iterator[str]:
    """The counts, then the gaps by name: what a reader wants to know last and a regulator first."""
    counts = ", ".join(f"{count} {status}" for status, count in matrix.counts().items() if count)
    yield f"{_number(len(matrix.rows), 'clause')}: {counts}."
    gaps = matrix.gaps()
    if gaps:
        named = ", ".join(f"{row.clause.id} ({row.status})" for row in gaps)
        yield f"{_number(len(gaps), 'gap')} in what is built: {named}."
    else:
        yield "No gaps: every clause here that is built is proved."


def tests_in_words(row: Row) -> str:
    """How many test functions, their first names, and what did not pass."""
    if not row.tests:
        return ""
    names = [f"{test.name.rpartition('::')[2]}{f' ×{test.cases}' if test.cases > 1 else ''}" for test in row.tests]
    more = ["…"] if len(names) > NAMES_SHOWN else []
    return f"{len(names)}: {', '.join(names[:NAMES_SHOWN] + more)}"


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _document(matrix: Matrix, shown: tuple[Row, ...], run: Results, here: Checkout | None) -> dict[str, Any]:
    return {
        "results": {
            "commit": run.commit,
            "dirty": run.dirty,
            "time": run.time.astimezone(UTC).isoformat(timespec="seconds"),
            "version": run.version,
            "age_seconds": int((datetime.now(UTC) - run.time).total_seconds()),
            "checkout_commit": here.commit if here else None,
            "same_commit": here.commit == run.commit if here else None,
        },
        "clauses": [
            {
                "id": row.clause.id,
                "says": row.clause.says,
                "source": row.clause.source,
                "part": row.clause.part.name,
                "built": row.clause.part.built,
                "ambiguous": row.clause.ambiguous,
                "status": row.status,
                "tests": [{"test": test.name, **test.outcomes} for test in row.tests],
            }
            for row in shown
        ],
        "counts": matrix.counts(),
        "gaps": [row.clause.id for row in matrix.gaps()],
    }
