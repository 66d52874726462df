"""Pay tables in words, for people."""

from __future__ import annotations

from houseway.paytables.model import Odds, PayTable


def odds_words(table: PayTable, odds: Odds) -> str:
    """What a row pays: "40 to 1", "40 for 1", or "push" where the wager comes back and nothing more."""
    if table.returns_wager and not odds.num:
        return "push"
    return f"{odds.num} {'to' if table.returns_wager else 'for'} {odds.den}"
