"""Reports, accruals and the history of a meter, over HTTP."""

from __future__ import annotations

from datetime import date

import msgspec
from starlette.responses import Response

from houseway.api import reports as api_reports
from houseway.api.reports import AccrualsDoc, AccrualsItem, History, ReportDoc
from houseway.api.route import CSV, JSON, PDF
from houseway.books import accruals as accruals_book
from houseway.books import meter_history as history
from houseway.books import period, reports
from houseway.books.pdf import accrual_cells, accruals_document, render, report_document
from houseway.manager.gaming_day import MICROS as MICROSECONDS
from houseway.spreadsheet import csv_text
from houseway.web.listing import MOST_HISTORY_DAYS, asked, day_in, document, media_for
from houseway.web.problem import Problem
from houseway.web.routes import Ask, Handlers, json_response

reporting = Handlers()


def _period(ask: Ask) -> tuple[date, date]:
    first = day_in(ask, "from", getattr(ask.query, "from"))
    return first, day_in(ask, "to", ask.query.to, first)


def _report(ask: Ask) -> reports.Report:
    by = ask.path["by"]
    grouping = next((name for name in reports.GROUPINGS if name == by), None)
    if grouping is None:
        raise Problem(404, "no-report", f"there are reports by {', '.join(reports.GROUPINGS)}, and accruals", "by")
    with asked():
        return reports.report(ask.site.floor.store, ask.site.state.policies, *_period(ask), grouping)


def _report_csv(ask: Ask) -> Response:
    report = _report(ask)
    rows = (
        (group.key, *("" if figure is None else period.plain(figure) for figure in reports.figures(group).values()))
        for group in report.groups
    )
    return document(
        "".join(csv_text((report.by, *reports.figures(report.total)), rows)),
        CSV,
        f"report-{report.by}-{report.first}.csv",
    )


def _report_pdf(ask: Ask) -> Response:
    report = _report(ask)
    content = render("report", report_document(report), report.at // MICROSECONDS)
    return document(content, PDF, f"report-{report.by}-{report.first}.pdf")


def _weeks(ask: Ask) -> tuple[accruals_book.Accruals, ...]:
    store, policies, query = ask.site.floor.store, ask.site.state.policies, ask.query
    day = day_in(ask, "day", query.day)
    with asked():
        if query.link:
            return (accruals_book.accruals(store, policies, query.link, day, ask.site.state),)
        return accruals_book.all_accruals(store, policies, day, ask.site.state)


def _accruals_csv(ask: Ask) -> Response:
    weeks = _weeks(ask)
    heading = ("link", "day", "meter", "contributions", "reserve", "corrections", "accrued")
    rows = (
        (week.link, day.day, meter.meter, *map(period.plain, accrual_cells(meter)))
        for week in weeks
        for day in week.days
        for meter in day.meters
    )
    return document("".join(csv_text(heading, rows)), CSV, f"accruals-{weeks[0].first if weeks else 'none'}.csv")


def _accruals_pdf(ask: Ask) -> Response:
    weeks = _weeks(ask)
    if not weeks:
        raise Problem(404, "no-link", "the floor has no link, so nothing accrues")
    pdf = render("report", accruals_document(weeks, ask.site.state.policies), weeks[0].at // MICROSECONDS)
    return document(pdf, PDF, f"accruals-{weeks[0].first}.pdf")


@reporting.answers(api_reports.ACCRUALS_CSV, slow=True)
def accruals_csv(ask: Ask) -> Response:
    return _accruals_csv(ask)


@reporting.answers(api_reports.ACCRUALS_PDF, slow=True)
def accruals_pdf(ask: Ask) -> Response:
    return _accruals_pdf(ask)


@reporting.answers(api_reports.ACCRUALS, slow=True)
def accruals(ask: Ask) -> Response:
    media = media_for(ask, JSON, CSV, PDF)
    if media != JSON:
        return _accruals_csv(ask) if media == CSV else _accruals_pdf(ask)
    items = tuple(msgspec.convert(accruals_book.accruals_data(week), AccrualsItem) for week in _weeks(ask))
    return json_response(AccrualsDoc(currency=ask.site.state.policies.currency, items=items))


@reporting.answers(api_reports.REPORT_CSV, slow=True)
def report_csv(ask: Ask) -> Response:
    return _report_csv(ask)


@reporting.answers(api_reports.REPORT_PDF, slow=True)
def report_pdf(ask: Ask) -> Response:
    return _report_pdf(ask)


@reporting.answers(api_reports.REPORT, slow=True)
def report(ask: Ask) -> Response:
    media = media_for(ask, JSON, CSV, PDF)
    if media != JSON:
        return _report_csv(ask) if media == CSV else _report_pdf(ask)
    return json_response(msgspec.convert(reports.report_data(_report(ask)), ReportDoc))


@reporting.answers(api_reports.METER_HISTORY, slow=True)
def meter_history(ask: Ask) -> History:
    link, meter = ask.path["link"], ask.path["meter"]
    first, last = _period(ask)
    if (last - first).days >= MOST_HISTORY_DAYS:
        raise Problem(422, "invalid", f"at most {MOST_HISTORY_DAYS} days are told at once", "to")
    with asked():
        period.check_period(first, last)
    with asked(404, "no-meter"):
        moved = history.meter_history(ask.site.floor.store, link, meter, first, last)
    after = int(ask.query.after or -1)
    items: list[history.Movement] = []
    following = None
    for movement in moved:
        if movement.entry <= after:
            continue
        if len(items) >= ask.query.limit and movement.entry != items[-1].entry:
            # A page ends between two entries: what one entry moved stays together.
            following = str(items[-1].entry)
            break
        items.append(movement)
    currency = ask.site.state.policies.currency
    return History(link=link, meter=meter, currency=currency, items=tuple(items), next=following)
