"""Pay tables: the approved schedules, a house's own beside them, and the one loader that checks both."""

from houseway.paytables.loader import Defect, approved_files, load_approved, load_house_file, read
from houseway.paytables.model import (
    Book,
    Designator,
    Odds,
    OddsRow,
    PayTable,
    ProgressiveRow,
    ProgressiveTable,
    Schema,
    Table,
)

__all__ = [
    "Book",
    "Defect",
    "Designator",
    "Odds",
    "OddsRow",
    "PayTable",
    "ProgressiveRow",
    "ProgressiveTable",
    "Schema",
    "Table",
    "approved_files",
    "load_approved",
    "load_house_file",
    "read",
]
