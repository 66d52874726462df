"""Documents to read and to file: reports as sections of figures, and PDF made without network or installed fonts."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from houseway.books.accruals import Accruals, MeterAccrual
from houseway.books.period import money
from houseway.books.reports import FIELDS, Field, Group, Report
from houseway.manager.gaming_day import MICROS as MICROSECONDS
from houseway.progressive.terms import MICROS_PER_CENT
from houseway.refusal import Refusal
from houseway.table.config import Policies

SUFFIX: Final = ".pdf"
FIGURE_SPACE: Final = "\u2007"
"""As wide as a digit."""
PAPER_WIDTH: Final = 140
"""How many digits go on a line of paper."""


# -------------------------------------------------------------------------------------------------- sections of figures


class Line(NamedTuple):
    """One line of a section; None where a figure has no meaning there."""

    label: str
    cells: tuple[int | None, ...]


class Section(NamedTuple):
    """A part of a report that adds up by itself, in micros."""

    title: str
    headings: tuple[str, ...]
    lines: tuple[Line, ...]
    total: Line | None = None


class _Spec(NamedTuple):
    title: str
    cells: tuple[tuple[str, Field], ...]
    holds: Literal["", "meter", "reserve"] = ""
    sums_to: str = ""


def _on(kind: str, *cells: tuple[str, str]) -> tuple[tuple[str, Field], ...]:
    return tuple((heading, Field(purpose, kind)) for heading, purpose in cells)


_COMMON: Final = (
    ("corrected", "count corrected"),
    ("voided", "void"),
    ("adjusted", "adjustment"),
    ("transfers", "transfer"),
    ("taken over", "taken over"),
)
_SPECS: Final = (
    _Spec(
        "Wagers, and what became of them",
        (
            ("coin-in", FIELDS["coin_in"]),
            ("to meters", FIELDS["contributions"]),
            ("to reserves", FIELDS["reserve"]),
            ("over maximum", FIELDS["over_maximum"]),
            ("kept", FIELDS["kept"]),
            ("corrected", FIELDS["count_corrections_of_coin_in"]),
        ),
    ),
    _Spec(
        "Paid to players",
        _on(
            "players",
            ("from meters", "award from meter"),
            ("from the tray", "award from tray"),
            ("shortfalls", "shortfall"),
            ("envy", "envy"),
            ("voided", "void"),
            ("adjusted", "adjustment"),
        ),
        sums_to="in all",
    ),
    _Spec(
        "Meters",
        _on(
            "meter",
            ("contributions", "contribution"),
            ("awards", "award from meter"),
            ("seeds", "seed"),
            ("from reserve", "reseed from reserve"),
            *_COMMON,
        ),
        holds="meter",
    ),
    _Spec(
        "Reserves",
        _on(
            "reserve",
            ("reserve", "reserve"),
            ("over maximum", "over maximum"),
            ("seeds", "seed"),
            ("to meter", "reseed from reserve"),
            *_COMMON,
        ),
        holds="reserve",
    ),
    _Spec(
        "The house",
        _on(
            "house",
            ("kept", "kept"),
            ("seeds", "seed"),
            ("from the tray", "award from tray"),
            ("shortfalls", "shortfall"),
            ("envy", "envy"),
            *_COMMON[:3],
        ),
        sums_to="in all",
    ),
)


def sections(report: Report) -> tuple[Section, ...]:
    """A report as people read it. A column in which nothing moved, and a section without any, is left out."""
    parts = []
    for spec in _SPECS:
        moved = [
            (heading, field)
            for heading, field in spec.cells
            if any(group.flows.get(field[:2]) for group in (*report.groups, report.total))
        ]
        if moved or spec.holds:
            parts.append(_section(report, spec._replace(cells=tuple(moved))))
    return tuple(parts)


def _section(report: Report, spec: _Spec) -> Section:
    ends = ("change",) if spec.holds and report.by == "table" else ()
    headings = [heading for heading, _ in spec.cells]
    if spec.holds:
        headings = ["opening", *headings, *ends, "closing"]
    elif spec.sums_to:
        headings.append(spec.sums_to)
    changes = bool(ends)
    return Section(
        spec.title,
        tuple(headings),
        tuple(Line(group.label, _cells(group, spec, changes)) for group in report.groups),
        Line(report.total.label, _cells(report.total, spec, changes)),
    )


def _cells(group: Group, spec: _Spec, changes: bool) -> tuple[int | None, ...]:
    cells = [field.sign * group.flows.get(field[:2], 0) for _, field in spec.cells]
    if not spec.holds:
        return (*cells, sum(cells)) if spec.sums_to else tuple(cells)
    opening = getattr(group.opening, spec.holds) if group.opening else None
    closing = getattr(group.closing, spec.holds) if group.closing else None
    return (opening, *cells, *((sum(cells),) if changes else ()), closing)


def accrual_cells(meter: MeterAccrual) -> tuple[int, int, int, int]:
    """What a line of accruals shows."""
    return meter.contributions, meter.reserve, meter.corrections, meter.accrued


def accruals_section(week: Accruals) -> Section:
    """The week of a link as people read it: a line for each day and meter, and the week below."""
    cells = {f"{day.day} {meter.meter}": accrual_cells(meter) for day in week.days for meter in day.meters}
    return Section(
        f"{week.name}: accruals from {week.first} to {week.last}",
        ("contributions", "reserve", "corrections", "accrued"),
        tuple(Line(label, cell) for label, cell in cells.items()),
        Line("week", tuple(map(sum, zip(*cells.values(), strict=True))) or (0, 0, 0, 0)),
    )


class Sheet(NamedTuple):
    """A section in words, narrow enough for its paper or screen: a wide section makes several."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    """The label of each line, and its figures."""
    total: tuple[str, tuple[str, ...]] | None


def sheets(section: Section, currency: str, width: int, *, gap: int = 2, blank: str = " ") -> Iterator[Sheet]:
    """A section as text with the decimal points of each column one below the other, as many columns as fit a sheet."""
    lines = (*section.lines, *((section.total,) if section.total else ()))
    columns = [
        _aligned([line.cells[place] for line in lines], currency, blank) for place in range(len(section.headings))
    ]
    names = max((len(line.label) for line in lines), default=0)
    widths = [max(map(len, (heading, *column))) for heading, column in zip(section.headings, columns, strict=True)]
    for number, chosen in enumerate(_fitting([width + gap for width in widths], width - names)):
        rows = tuple((line.label, tuple(columns[place][row] for place in chosen)) for row, line in enumerate(lines))
        yield Sheet(
            section.title if not number else f"{section.title}, continued",
            tuple(section.headings[place] for place in chosen),
            rows[:-1] if section.total else rows,
            rows[-1] if section.total else None,
        )


def _aligned(cells: Sequence[int | None], currency: str, blank: str) -> list[str]:
    texts = ["" if cell is None else money(cell, currency) for cell in cells]
    decimals = [len(text.partition(".")[2]) for text in texts]
    most = max(decimals, default=0)
    return [text + blank * (most - places) for text, places in zip(texts, decimals, strict=True)]


def _fitting(widths: Sequence[int], width: int) -> Iterator[list[int]]:
    """The places of the columns, sheet by sheet: as many as fit the width, at least one."""
    chosen: list[int] = []
    used = 0
    for place, needed in enumerate(widths):
        if chosen and used + needed > width:
            yield chosen
            chosen, used = [], 0
        chosen.append(place)
        used += needed
    if chosen:
        yield chosen


# --------------------------------------------------------------------------------------------------------------- as PDF


def template(name: str) -> bytes:
    """The text of one of the package's templates."""
    return files("houseway.books").joinpath("templates", f"{name}.typ").read_bytes()


def render(name: str, data: Mapping[str, Any], at: int) -> bytes:
    """A document as PDF. The same data and time (seconds since 1970) give the same bytes."""
    import typst

    pages = typst.compile(template(name), sys_inputs=_inputs(data), ignore_system_fonts=True, timestamp=at)
    return _one(pages)


def picture(name: str, data: Mapping[str, Any], format: Literal["png", "svg"] = "png") -> list[bytes]:
    """A document as pictures, page by page, for a screen."""
    import typst

    pages = typst.compile(template(name), sys_inputs=_inputs(data), ignore_system_fonts=True, format=format)
    return pages if isinstance(pages, list) else [pages]


def check_target(path: Path, *, force: bool) -> None:
    """Refuse a file that cannot be written, before anything is made for it."""
    if path.suffix.lower() != SUFFIX:
        raise Refusal("output", f"{path} must end in {SUFFIX}: a document is written as PDF and nothing else")
    try:
        if path.is_dir():
            raise Refusal("output", f"{path} is a folder; name a file in it")
        if not force and path.exists():
            raise _exists(path)
        if not path.parent.is_dir():
            raise Refusal("output", f"{path} cannot be written: there is no folder {path.parent}")
    except OSError as error:
        raise _unwritable(path, error) from None


def save(content: bytes, path: Path, *, force: bool = False) -> None:
    """Write a document, whole or not at all; an existing file is replaced only when forced."""
    check_target(path, force=force)
    target = path.with_name(f".{os.getpid()}.part") if force else path
    try:
        # Exclusive also where nothing stood there a moment ago: what somebody else wrote meanwhile is not replaced.
        file = target.open("xb")
    except FileExistsError:
        raise _exists(target) from None
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None
    try:
        with file:
            file.write(content)
        if target != path:
            target.replace(path)
    except OSError as error:
        with suppress(OSError):
            target.unlink()
        raise _unwritable(path, error) from None


def _exists(path: Path) -> Refusal:
    return Refusal("output", f"{path} exists already; name another file, or add --force to replace it")


def _unwritable(path: Path, error: OSError | ValueError) -> Refusal:
    why = error.strerror if isinstance(error, OSError) else str(error)
    return Refusal("output", f"{path} cannot be written: {why}")


def _inputs(data: Mapping[str, Any]) -> dict[str, str]:
    return {"data": json.dumps(data, ensure_ascii=False)}


def _one(pages: bytes | list[bytes]) -> bytes:
    if isinstance(pages, list):
        raise TypeError("a PDF is one file, whatever its pages")
    return pages


# -------------------------------------------------------------------------------------------------------- the documents


def report_pdf(report: Report, path: Path, *, force: bool = False) -> None:
    """PR-25: a report as a document."""
    check_target(path, force=force)
    save(render("report", report_document(report), report.at // MICROSECONDS), path, force=force)


def report_document(report: Report) -> dict[str, Any]:
    """What the template of a report shows."""
    period = f"{report.first}" if report.first == report.last else f"{report.first} to {report.last}"
    return {
        "title": f"Progressive report by {report.by}",
        "site": report.site,
        "facts": [f"gaming days {period}", f"journal at entry {report.head.seq}"],
        "defects": list(report.defects),
        "notes": list(report.notes),
        "sections": _shown(sections(report), report.currency),
        "footer": f"{report.site} · journal entry {report.head.seq} · {report.head.hash}",
    }


def accruals_pdf(weeks: Sequence[Accruals], policies: Policies, path: Path, *, force: bool = False) -> None:
    """FL-17: the accruals and deposits of a week as a document."""
    check_target(path, force=force)
    if not weeks:
        raise Refusal("link", "the floor has no link, so nothing accrues")
    save(render("report", accruals_document(weeks, policies), weeks[0].at // MICROSECONDS), path, force=force)


def accruals_document(weeks: Sequence[Accruals], policies: Policies) -> dict[str, Any]:
    """What the template shows of the accruals of a week."""
    shown = []
    for week in weeks:
        sections = _shown((accruals_section(week),), policies.currency)
        sections[-1]["below"] = list(accruals_words(week, policies.currency))
        shown += sections
    period = f"{weeks[0].first} to {weeks[0].last}"
    return {
        "title": "Progressive accruals and deposits",
        "site": policies.site,
        "facts": [f"gaming days {period}", f"journal at entry {weeks[0].head.seq}"],
        "defects": [],
        "notes": [],
        "sections": shown,
        "footer": f"{policies.site} · journal entry {weeks[0].head.seq} · {weeks[0].head.hash}",
    }


def accruals_words(week: Accruals, currency: str) -> Iterator[str]:
    """FL-17: both figures of a week and the state of its prize account, in sentences."""

    def cents(amount: int) -> str:
        return money(amount * MICROS_PER_CENT, currency)

    yield f"To be deposited for the week: {cents(week.due_cents)}, all that accrued."
    missing = f"{cents(-week.difference_cents)} missing" if week.difference_cents < 0 else "nothing missing"
    over = f", {cents(week.difference_cents)} more than due" if week.difference_cents > 0 else ""
    yield f"Deposited: {cents(week.deposited_cents)}, {missing}{over}."
    for deposit in week.deposits:
        yield f"Entry {deposit.entry}: {cents(deposit.cents)} deposited, {deposit.reference}, recorded by {deposit.by}."
    yield (
        f"Paid from the meters in the week: {money(week.awards, currency)}; seeds put on them by the house: "
        f"{money(week.seeds, currency)}."
    )
    yield f"Meters and reserves hold {money(week.held, currency)}: the prize account must cover it."
    if week.account is None:
        yield "The prize account was never entered."
    else:
        state = "SHORT: the games of this link stand still" if week.account.short else "not short"
        yield f"Prize account as last entered: {cents(week.account.balance_cents)}, {state} ({week.account.reference})."


def _shown(sections: Iterable[Section], currency: str) -> list[dict[str, Any]]:
    return [
        {
            "title": sheet.title,
            "headings": list(sheet.headings),
            "rows": [{"label": label, "cells": list(cells)} for label, cells in sheet.rows],
            "total": None if sheet.total is None else {"label": sheet.total[0], "cells": list(sheet.total[1])},
        }
        for section in sections
        for sheet in sheets(section, currency, PAPER_WIDTH, blank=FIGURE_SPACE)
    ]
