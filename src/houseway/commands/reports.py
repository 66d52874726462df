"""``houseway report``, ``accruals``, ``history`` and ``win``: what a floor has on record, for people who file it."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

import typer

from houseway.commands.arguments import DEFAULT_DATABASE, AsJson, Database, reading_keys
from houseway.refusal import Refusal
from houseway.spreadsheet import csv_text

if TYPE_CHECKING:
    from rich.console import Console

    from houseway.books.meter_history import Movement
    from houseway.books.pdf import Section
    from houseway.books.reports import Report
    from houseway.books.win_record import WinRecord
    from houseway.manager.state import FloorState
    from houseway.manager.store.base import Store
    from houseway.table.config import Policies

By = Literal["day", "table", "link", "meter"]
SCREEN_GAP = 3
"""What a table on the screen leaves between two columns."""

AsCsv = Annotated[bool, typer.Option("--csv", help="As comma separated values, for a spreadsheet.")]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE.pdf", help="Write a PDF document to this file instead.")
]
Force = Annotated[bool, typer.Option("--force", help="With -o: replace the file where it exists.")]
From = Annotated[
    str | None,
    typer.Option("--from", metavar="DAY", help="The first gaming day, such as 2026-11-30; today where none is given."),
]
To = Annotated[
    str | None,
    typer.Option("--to", metavar="DAY", help="The last gaming day; the same as the first where none is given."),
]


def report(
    first: From = None,
    last: To = None,
    by: Annotated[str, typer.Option(metavar="|".join(get_args(By)), help="What one line of it stands for.")] = "day",
    db: Database = DEFAULT_DATABASE,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    output: Output = None,
    force: Force = False,
) -> None:
    """Report what a floor took in and paid out by gaming day, table, link or meter, reconciled to the micro.

    Exit code 1 when something does not reconcile; the report says what.
    """
    from houseway.books import reports
    from houseway.books.period import plain

    _one_form(as_json, as_csv, output, force=force)
    grouping = _grouping(by)
    with reading(db) as (store, state):
        policies = state.policies
        days = _period(first, last, policies)
        report = reports.report(store, policies, *days, grouping)
    if as_json:
        from houseway.commands.screen import print_json

        print_json(reports.report_data(report))
    elif as_csv:
        figures = [(group.key, reports.figures(group)) for group in report.groups]
        names = reports.figures(report.total)
        _write_csv(
            (by, *names),
            ((key, *("" if cell is None else plain(cell) for cell in row.values())) for key, row in figures),
        )
    elif output is not None:
        from houseway.books.pdf import report_pdf

        report_pdf(report, output, force=force)
        sys.stdout.write(f"{output}: report by {by} of {report.first} to {report.last}\n")
    else:
        _show_report(report)
    if not as_json:
        for defect in report.defects:
            sys.stderr.write(f"does not reconcile: {defect}\n")
    if report.defects:
        raise typer.Exit(1)


def accruals(
    day: Annotated[
        str | None,
        typer.Option("--day", metavar="DAY", help="A gaming day of the week to show; today where none is given."),
    ] = None,
    link: Annotated[str | None, typer.Option(help="Only this link.")] = None,
    db: Database = DEFAULT_DATABASE,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    output: Output = None,
    force: Force = False,
) -> None:
    """Show what each link accrued day by day in a week, what is to be deposited for it, and what was deposited."""
    from houseway.books import accruals as accruals_book
    from houseway.books import pdf
    from houseway.books.period import plain

    _one_form(as_json, as_csv, output, force=force)
    with reading(db) as (store, state):
        policies = state.policies
        chosen = _day("--day", day) if day is not None else _today(policies)
        if link is None:
            weeks: Sequence[accruals_book.Accruals] = accruals_book.all_accruals(store, policies, chosen, state)
        else:
            weeks = (accruals_book.accruals(store, policies, link, chosen, state),)
    if as_json:
        from houseway.commands.screen import print_json

        print_json([accruals_book.accruals_data(week) for week in weeks])
    elif as_csv:
        _write_csv(
            ("link", "day", "meter", "contributions", "reserve", "corrections", "accrued"),
            (
                (week.link, day.day, meter.meter, *map(plain, pdf.accrual_cells(meter)))
                for week in weeks
                for day in week.days
                for meter in day.meters
            ),
        )
    elif output is not None:
        pdf.accruals_pdf(weeks, policies, output, force=force)
        sys.stdout.write(f"{output}: accruals of {weeks[0].first} to {weeks[0].last}\n")
    else:
        from houseway.commands.screen import console

        out = console()
        for week in weeks:
            _show_section(out, pdf.accruals_section(week), "day and meter", policies.currency)
            for sentence in pdf.accruals_words(week, policies.currency):
                out.print(sentence, markup=False)
            out.print()
        if not weeks:
            out.print("The floor has no link, so nothing accrues.")


def history(
    link: Annotated[str, typer.Argument(help="The link.")],
    meter: Annotated[str, typer.Argument(help="One of its meters.")],
    first: From = None,
    last: To = None,
    db: Database = DEFAULT_DATABASE,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Show every rise and fall of a meter and its reserve, with its explanation and its entry in the journal."""
    from msgspec.structs import asdict

    from houseway.books.meter_history import Movement, meter_history
    from houseway.books.period import plain

    _one_form(as_json, as_csv, None, force=False)
    with reading(db) as (store, state):
        policies = state.policies
        moved = meter_history(store, link, meter, *_period(first, last, policies))
        if as_json:
            from houseway.commands.screen import print_json

            print_json([asdict(movement) for movement in moved])
        elif as_csv:
            amounts = {"micros": "change", "meter_after_micros": "meter_after", "reserve_after_micros": "reserve_after"}
            heading = [amounts.get(name, name) for name in Movement.__struct_fields__]
            rows = (asdict(movement) for movement in moved)
            _write_csv(heading, ([plain(row[n]) if n in amounts else row[n] for n in row] for row in rows))
        else:
            _show_history(f"{link}/{meter}", moved, policies)


def win(
    number: Annotated[int, typer.Argument(help="The number of the win: that of its entry in the journal.")],
    db: Database = DEFAULT_DATABASE,
    as_json: AsJson = False,
    output: Output = None,
    force: Force = False,
) -> None:
    """Show everything on record about a win, or write its win page."""
    from houseway.books.win_page import win_page_pdf
    from houseway.books.win_record import win_record

    _one_form(as_json, False, output, force=force)
    with reading(db) as (store, state):
        record = win_record(store, number, state)
    if as_json:
        import msgspec

        from houseway.commands.screen import print_json

        print_json(msgspec.to_builtins(record))
    elif output is not None:
        win_page_pdf(record, output, force=force)
        sys.stdout.write(f"{output}: win {record.number}, {record.status}\n")
    else:
        _show_win(record)


# -------------------------------------------------------------------------------------------------------- what is asked


@contextmanager
def reading(db: str) -> Iterator[tuple[Store, FloorState]]:
    """A floor's database, opened to read, and the floor as it stands; a database that fails is a refusal."""
    from houseway.books.period import floor_state
    from houseway.manager.store import open_store

    store = open_store(db, create=False, read_only=True)
    try:
        yield store, floor_state(store, reading_keys(None))
    finally:
        store.close()


def _one_form(as_json: bool, as_csv: bool, output: Path | None, *, force: bool) -> None:
    """Refuse two forms at once, and a document that could not be written, before anything is read."""
    from houseway.books.pdf import check_target

    flags = [
        name for name, is_set in (("--json", as_json), ("--csv", as_csv), ("--output", output is not None)) if is_set
    ]
    if len(flags) > 1:
        raise Refusal(flags[1], f"stands beside {flags[0]}; choose one of them")
    if output is not None:
        check_target(output, force=force)
    elif force:
        raise Refusal("--force", "replaces a file; it needs -o FILE.pdf")


def _grouping(by: str) -> By:
    for known in get_args(By):
        if by == known:
            return known  # type: ignore[no-any-return]
    raise Refusal("--by", f"{by!r} is no grouping; allowed are {', '.join(get_args(By))}")


def _period(first: str | None, last: str | None, policies: Policies) -> tuple[date, date]:
    begin = _day("--from", first) if first is not None else _today(policies)
    return begin, _day("--to", last) if last is not None else begin


def _day(field: str, text: str) -> date:
    try:
        if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text, re.ASCII):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise Refusal(field, f"{text[:40]!r} is not a day; write it as 2026-11-30")


def _today(policies: Policies) -> date:
    """The gaming day that it is now at the site."""
    from houseway.manager.gaming_day import Calendar

    now = time.time_ns() // 1_000
    return date.fromisoformat(Calendar(policies.time_zone, policies.day_starts).day_of(now))


# ------------------------------------------------------------------------------------------------------ how it is shown


def _write_csv(heading: Iterable[str], rows: Iterable[Iterable[Any]]) -> None:
    sys.stdout.writelines(csv_text(heading, rows))


def _show_report(report: Report) -> None:
    from houseway.books.pdf import sections
    from houseway.commands.screen import console

    out = console()
    out.print(
        f"{report.site}: gaming days {report.first} to {report.last}, journal at entry {report.head.seq}\n",
        markup=False,
    )
    for section in sections(report):
        _show_section(out, section, report.by, report.currency)
    for note in report.notes:
        out.print(note, markup=False)
    if not report.defects:
        out.print("Everything reconciles: opening + in - out = closing, and all accounts together hold zero.")


def _show_section(out: Console, section: Section, first: str, currency: str) -> None:
    from houseway.books.pdf import sheets
    from houseway.commands.screen import show, table

    for sheet in sheets(section, currency, out.width, gap=SCREEN_GAP):
        grid = table(sheet.title, first, *sheet.headings, right=sheet.headings)
        for label, cells in sheet.rows:
            grid.add_row(label, *cells)
        if sheet.total is not None:
            grid.add_section()
            grid.add_row(sheet.total[0], *sheet.total[1], style="bold")
        show(out, grid)


def _show_history(name: str, moved: Iterator[Movement], policies: Policies) -> None:
    from houseway.books.period import money
    from houseway.commands.screen import console, show, table
    from houseway.manager.gaming_day import Calendar

    calendar = Calendar(policies.time_zone, policies.day_starts)
    right = ("change", "meter", "reserve")
    grid = table(name, "entry", "time", "for", *right, "explanation", right=("entry", *right))
    for movement in moved:
        amounts = (movement.micros, movement.meter_after_micros, movement.reserve_after_micros)
        grid.add_row(
            str(movement.entry or ""),
            f"{calendar.local(movement.at):%Y-%m-%d %H:%M:%S}" if movement.at else movement.day,
            movement.purpose if movement.part == "meter" else f"{movement.purpose} (reserve)",
            *(money(micros, policies.currency) for micros in amounts),
            movement.explanation,
        )
    show(console(), grid)


def _show_win(record: WinRecord) -> None:
    from houseway.books.period import money
    from houseway.books.win_page import win_sections
    from houseway.commands.screen import console, show, table
    from houseway.progressive.terms import MICROS_PER_CENT

    out = console()
    amount = money(record.amount_cents * MICROS_PER_CENT, record.currency)
    out.print(f"{record.site}: win {record.number}, {amount}, {record.status}\n", markup=False)
    for title, rows in win_sections(record):
        grid = table(title, "what", "on record")
        grid.show_header = False
        for label, value in rows:
            grid.add_row(label, value)
        show(out, grid)
    out.print(f"journal entry {record.number}, hash {record.hash}", markup=False)
    if not record.intact:
        out.print("The entry no longer fits its hash: it was changed after it was written.", markup=False)
