"""What the clause tests share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from houseway.adjudication import settle_object
from houseway.games import approved_book


@pytest.fixture(scope="session")
def settle() -> Callable[[dict[str, Any]], dict[str, Any]]:
    """The answer of the program to one request, from the approved pay tables."""
    book = approved_book()
    return lambda request: settle_object(request, book)
