"""What the tests of the Game Manager share: databases of both kinds."""

from __future__ import annotations

from tests.databases import database, kind, new_postgres, postgres, postgres_url, store
from tests.staff_kit import cheap_pins

__all__ = ["cheap_pins", "database", "kind", "new_postgres", "postgres", "postgres_url", "store"]
