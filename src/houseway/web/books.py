"""The books over HTTP: rounds that are over, wins, adjustments, reports, and the journal itself.

Everything here reads the floor's database, in the readers' threads. Lists that come out of the journal are found by
walking it: one request looks at so many entries and no more, so a page can hold less than was asked for; where `next`
is null the list has ended.
"""

from __future__ import annotations

from houseway.web.journal_books import journal
from houseway.web.report_books import reporting
from houseway.web.round_books import rounds
from houseway.web.routes import Served
from houseway.web.win_books import wins


def book_handlers() -> list[Served]:
    """Everything that is read in the books."""
    return [*rounds.all, *wins.all, *reporting.all, *journal.all]
