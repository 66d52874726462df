"""Reports, accruals and the history of a meter, over HTTP."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec
from msgspec import Struct, field
from starlette.responses import Response

from houseway.books import reports
from houseway.books.pdf import accrual_cells, accruals_document, render, report_document
from houseway.manager.gaming_day import MICROS as MICROSECONDS
from houseway.spreadsheet import csv_text
from houseway.web.listing import (
    CSV,
    MOST_HISTORY_DAYS,
    PDF,
    Day,
    Limit,
    Number,
    asked,
    day_in,
    document,
    media_for,
)
from houseway.web.problem import Problem
from houseway.web.routes import JSON, Ask, Routes, json_response

reporting = Routes("reports")


class Position(Struct, frozen=True, kw_only=True):
    """Where the journal stood when the books were read."""

    entry: int
    hash: str
    at: int


_PERIOD: Final[list[Any]] = [
    ("from", Day, ""),
    ("to", Day, ""),
]
PeriodQuery = msgspec.defstruct("PeriodQuery", _PERIOD, frozen=True, kw_only=True, forbid_unknown_fields=True)
HistoryQuery = msgspec.defstruct(
    "HistoryQuery",
    [*_PERIOD, ("after", Number, ""), ("limit", Limit, 100)],
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
)
ReportGroup = msgspec.defstruct(
    "ReportGroup",
    [
        ("key", str),
        *((f"{name}_micros", int) for name in reports.FIELDS),
        *((f"{when}_{part}_micros", int | None) for part in ("meter", "reserve") for when in ("opening", "closing")),
    ],
    frozen=True,
    kw_only=True,
    namespace={"__doc__": "One line of a report, in millionths; null where a figure has no meaning there."},
)
if TYPE_CHECKING:
    AnyGroup = Any
else:
    AnyGroup = ReportGroup


class ReportDoc(Struct, frozen=True, kw_only=True):
    """What a floor took in and paid out."""

    site: str
    currency: str
    first: str = field(name="from")
    last: str = field(name="to")
    by: Literal["day", "table", "link", "meter"]
    journal: Position
    groups: tuple[AnyGroup, ...]
    total: AnyGroup
    defects: tuple[str, ...]
    """Everything that does not reconcile; empty in a sound database."""
    notes: tuple[str, ...]


def _period(ask: Ask) -> tuple[date, date]:
    first = day_in(ask, "from", getattr(ask.query, "from"))
    return first, day_in(ask, "to", ask.query.to, first)


def _report(ask: Ask) -> reports.Report:
    by = ask.path["by"]
    grouping = next((one for one in reports.GROUPINGS if one == by), None)
    if grouping is None:
        raise Problem(404, "no-report", f"there are reports by {', '.join(reports.GROUPINGS)}, and accruals", "by")
    with asked():
        return reports.report(ask.site.floor.store, ask.site.state.policies, *_period(ask), grouping)


def _report_csv(ask: Ask) -> Response:
    made = _report(ask)
    rows = (
        (group.key, *("" if one is None else reports.plain(one) for one in reports.figures(group).values()))
        for group in made.groups
    )
    return document(
        "".join(csv_text((made.by, *reports.figures(made.total)), rows)), CSV, f"report-{made.by}-{made.first}.csv"
    )


def _report_pdf(ask: Ask) -> Response:
    made = _report(ask)
    content = render("report", report_document(made), made.at // MICROSECONDS)
    return document(content, PDF, f"report-{made.by}-{made.first}.pdf")


class DepositLine(Struct, frozen=True, kw_only=True):
    entry: int
    at: int
    by: str
    cents: int
    reference: str


class AccruedMeter(Struct, frozen=True, kw_only=True):
    meter: str
    contributions_micros: int
    reserve_micros: int
    corrections_micros: int
    accrued_micros: int


class AccruedDay(Struct, frozen=True, kw_only=True):
    day: str
    accrued_micros: int
    meters: tuple[AccruedMeter, ...]


class Week(Struct, frozen=True, kw_only=True):
    first: str
    last: str


class EnteredAccount(Struct, frozen=True, kw_only=True):
    """The prize account of a link as it was last entered."""

    balance_cents: int
    short: bool
    at: int
    reference: str


class AccrualsItem(Struct, frozen=True, kw_only=True):
    """The week of a link: what accrued, what is to be deposited for it, and what was."""

    link: str
    name: str
    week: Week
    journal: Position
    days: tuple[AccruedDay, ...]
    accrued_micros: int
    awards_micros: int
    seeds_micros: int
    held_micros: int
    due_cents: int
    deposited_cents: int
    difference_cents: int
    deposits: tuple[DepositLine, ...]
    account: EnteredAccount | None


class AccrualsDoc(Struct, frozen=True, kw_only=True):
    currency: str
    items: tuple[AccrualsItem, ...]


class AccrualsQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    day: Day = ""
    """A gaming day of the week; today where none is given."""
    link: str = ""
    """Only this link."""


def _weeks(ask: Ask) -> tuple[reports.Accruals, ...]:
    store, policies, query = ask.site.floor.store, ask.site.state.policies, ask.query
    day = day_in(ask, "day", query.day)
    with asked():
        if query.link:
            return (reports.accruals(store, policies, query.link, day, ask.site.state),)
        return reports.all_accruals(store, policies, day, ask.site.state)


def _accruals_csv(ask: Ask) -> Response:
    weeks = _weeks(ask)
    heading = ("link", "day", "meter", "contributions", "reserve", "corrections", "accrued")
    rows = (
        (week.link, one.day, meter.meter, *map(reports.plain, accrual_cells(meter)))
        for week in weeks
        for one in week.days
        for meter in one.meters
    )
    return document("".join(csv_text(heading, rows)), CSV, f"accruals-{weeks[0].first if weeks else 'none'}.csv")


def _accruals_pdf(ask: Ask) -> Response:
    weeks = _weeks(ask)
    if not weeks:
        raise Problem(404, "no-link", "the floor has no link, so nothing accrues")
    made = render("report", accruals_document(weeks, ask.site.state.policies), weeks[0].at // MICROSECONDS)
    return document(made, PDF, f"accruals-{weeks[0].first}.pdf")


@reporting.get("/reports/accruals.csv", may="reports", query=AccrualsQuery, slow=True, media=(CSV,))
def accruals_csv(ask: Ask) -> Response:
    """The accruals of a week for a spreadsheet."""
    return _accruals_csv(ask)


@reporting.get("/reports/accruals.pdf", may="reports", query=AccrualsQuery, slow=True, media=(PDF,))
def accruals_pdf(ask: Ask) -> Response:
    """The accruals and deposits of a week as a document."""
    return _accruals_pdf(ask)


@reporting.get(
    "/reports/accruals", may="reports", answer=AccrualsDoc, query=AccrualsQuery, slow=True, media=(JSON, CSV, PDF)
)
def accruals(ask: Ask) -> Response:
    """What each link accrued day by day in a week, what is to be deposited for it, and what was."""
    media = media_for(ask, JSON, CSV, PDF)
    if media != JSON:
        return _accruals_csv(ask) if media == CSV else _accruals_pdf(ask)
    items = tuple(msgspec.convert(reports.accruals_data(week), AccrualsItem) for week in _weeks(ask))
    return json_response(AccrualsDoc(currency=ask.site.state.policies.currency, items=items))


@reporting.get("/reports/{by}.csv", may="reports", query=PeriodQuery, slow=True, media=(CSV,))
def report_csv(ask: Ask) -> Response:
    """A report for a spreadsheet."""
    return _report_csv(ask)


@reporting.get("/reports/{by}.pdf", may="reports", query=PeriodQuery, slow=True, media=(PDF,))
def report_pdf(ask: Ask) -> Response:
    """A report as a document."""
    return _report_pdf(ask)


@reporting.get("/reports/{by}", may="reports", answer=ReportDoc, query=PeriodQuery, slow=True, media=(JSON, CSV, PDF))
def report(ask: Ask) -> Response:
    """What the floor took in and paid out in some days, by day, table, link or meter, reconciled to the micro."""
    media = media_for(ask, JSON, CSV, PDF)
    if media != JSON:
        return _report_csv(ask) if media == CSV else _report_pdf(ask)
    return json_response(msgspec.convert(reports.report_data(_report(ask)), ReportDoc))


class MovementDoc(Struct, frozen=True, kw_only=True):
    """One rise or fall of a meter or its reserve."""

    entry: int
    """0 for what was brought forward."""
    at: int
    day: str
    part: Literal["meter", "reserve"]
    purpose: str
    micros: int
    meter_after_micros: int
    reserve_after_micros: int
    by: str
    second: str
    table: str
    round: int
    explanation: str


class History(Struct, frozen=True, kw_only=True):
    link: str
    meter: str
    currency: str
    items: tuple[MovementDoc, ...]
    next: str | None


@reporting.get("/links/{link}/meters/{meter}/history", may="reports", answer=History, query=HistoryQuery, slow=True)
def meter_history(ask: Ask) -> History:
    """Every rise and fall of a meter and its reserve in a month or less, with its explanation, oldest first."""
    link, meter = ask.path["link"], ask.path["meter"]
    first, last = _period(ask)
    if (last - first).days >= MOST_HISTORY_DAYS:
        raise Problem(422, "invalid", f"at most {MOST_HISTORY_DAYS} days are told at once", "to")
    with asked():
        reports.check_period(first, last)
    with asked(404, "no-meter"):
        moved = reports.meter_history(ask.site.floor.store, link, meter, first, last)
    after = int(ask.query.after or -1)
    items: list[MovementDoc] = []
    following = None
    for one in moved:
        if one.entry <= after:
            continue
        if len(items) >= ask.query.limit and one.entry != items[-1].entry:
            # A page ends between two entries: what one entry moved stays together.
            following = str(items[-1].entry)
            break
        items.append(_movement(one))
    currency = ask.site.state.policies.currency
    return History(link=link, meter=meter, currency=currency, items=tuple(items), next=following)


def _movement(one: reports.Movement) -> MovementDoc:
    values = one._asdict()
    return MovementDoc(
        meter_after_micros=values.pop("meter_after"), reserve_after_micros=values.pop("reserve_after"), **values
    )
