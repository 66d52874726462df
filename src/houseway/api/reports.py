"""Reports, accruals and the history of a meter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec
from msgspec import Struct, field

from houseway.api.paging import Day, Limit, Number
from houseway.api.route import CSV, JSON, PDF, Chapter
from houseway.books import meter_history, reports

reporting = Chapter("reports")


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


ACCRUALS_CSV = reporting.file(
    "accruals_csv",
    "/reports/accruals.csv",
    "The accruals of a week for a spreadsheet.",
    may="reports",
    query=AccrualsQuery,
    media=CSV,
)
ACCRUALS_PDF = reporting.file(
    "accruals_pdf",
    "/reports/accruals.pdf",
    "The accruals and deposits of a week as a document.",
    may="reports",
    query=AccrualsQuery,
    media=PDF,
)
ACCRUALS = reporting.get(
    "accruals",
    "/reports/accruals",
    "What each link accrued day by day in a week, what is to be deposited for it, and what was.",
    may="reports",
    answer=AccrualsDoc,
    query=AccrualsQuery,
    media=(JSON, CSV, PDF),
)
REPORT_CSV = reporting.file(
    "report_csv", "/reports/{by}.csv", "A report for a spreadsheet.", may="reports", query=PeriodQuery, media=CSV
)
REPORT_PDF = reporting.file(
    "report_pdf", "/reports/{by}.pdf", "A report as a document.", may="reports", query=PeriodQuery, media=PDF
)
REPORT = reporting.get(
    "report",
    "/reports/{by}",
    "What the floor took in and paid out in some days, by day, table, link or meter, reconciled to the micro.",
    may="reports",
    answer=ReportDoc,
    query=PeriodQuery,
    media=(JSON, CSV, PDF),
)


class History(Struct, frozen=True, kw_only=True):
    link: str
    meter: str
    currency: str
    items: tuple[meter_history.Movement, ...]
    next: str | None


METER_HISTORY = reporting.get(
    "meter_history",
    "/links/{link}/meters/{meter}/history",
    "Every rise and fall of a meter and its reserve in a month or less, with its explanation, oldest first.",
    may="reports",
    answer=History,
    query=HistoryQuery,
)
