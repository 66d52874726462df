"""What the tests of trust share."""

from __future__ import annotations

from tests.pages.pages_kit import browser, house, playwright
from tests.staff_kit import cheap_pins

__all__ = ["browser", "cheap_pins", "house", "playwright"]
