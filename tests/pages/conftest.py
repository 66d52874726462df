"""The fixtures of the pages' tests."""

from __future__ import annotations

from tests.pages.pages_kit import browser, house, playwright

__all__ = ["browser", "house", "playwright"]
