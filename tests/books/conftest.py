"""What the tests of the books share: databases of both kinds, PINs that are cheap to check, and a browser."""

from __future__ import annotations

from tests.databases import database, kind, new_postgres, postgres, postgres_url, store
from tests.pages.pages_kit import browser, playwright
from tests.staff_kit import cheap_pins

__all__ = [
    "browser",
    "cheap_pins",
    "database",
    "kind",
    "new_postgres",
    "playwright",
    "postgres",
    "postgres_url",
    "store",
]
