"""Whole cents in words for people: the one place where they are written."""

from __future__ import annotations


def dollars(cents: int) -> str:
    """Whole cents as dollars, such as $1,234.50."""
    sign = "-" if cents < 0 else ""
    return f"{sign}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"
