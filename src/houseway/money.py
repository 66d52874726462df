"""Amounts in words for people: the one place where they are written."""

from __future__ import annotations


def dollars(cents: int) -> str:
    """Whole cents as dollars, such as $1,234.50."""
    sign = "-" if cents < 0 else ""
    return f"{sign}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def exact_dollars(micros: int, *, sign: bool = False) -> str:
    """Millionths of a dollar as dollars: to the cent where they are whole cents, else to the last of them."""
    whole, part = divmod(abs(micros), 1_000_000)
    digits = f"{part // 10_000:02}" if part % 10_000 == 0 else f"{part:06}"
    return f"{'-' if micros < 0 else '+' if sign else ''}${whole:,}.{digits}"
