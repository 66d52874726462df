"""What the law of the day allows at a table: the most it may post, and how much one hand may carry (FL-9).

A table with cards judges by the gaming day of every order, so that a change takes effect on its day.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date
from typing import Final, NamedTuple

from houseway.games import Game
from houseway.money import dollars
from houseway.table.config import Limits, Policies
from houseway.table.limits import follows_at, law_on


class SeparateGames(NamedTuple):
    """FL-9: how many separate games one hand may carry, from a day on."""

    since: str
    """The first day, ISO."""
    games: int
    reference: str = "WAC 230-15-040"


# Only the year is known; January 1 of it stands here. The operator verifies the text in force.
WASHINGTON_COMMERCIAL: Final = (SeparateGames("2008-01-01", 3),)


def separate_games_on(policies: Policies, day: str) -> SeparateGames | None:
    """FL-9: the limit in force on a day; None where none is known."""
    washington = policies.jurisdiction.strip().casefold() == "washington" and policies.kind == "commercial"
    begun = [rule for rule in WASHINGTON_COMMERCIAL if rule.since <= day] if washington else []
    return max(begun, key=lambda rule: rule.since, default=None)


def separate_games(game: Game, wagers: Collection[str]) -> int:
    """How many games a hand with these wagers plays: the base game is one, every other wager one more."""
    leaders = {follow.leader for follow in follows_at(game)}
    base = {
        wager.key
        for wager in game.wagers
        if wager.kind in ("required", "follows") or wager.equals or wager.key in leaders
    }
    return len({"" if wager in base else wager for wager in wagers})


def unauthorised(limits: Mapping[str, Limits], policies: Policies, day: str) -> str:
    """FL-9: which posted limit exceeds the authorised one of the day, in words; empty where none does.

    On a day when the law allows more at a few tables, that is the most that one table may post.
    """
    law = law_on(policies, date.fromisoformat(day)) if day else None
    if law is None:
        return ""
    most = max(law.cents, law.few_cents)
    for wager, limit in limits.items():
        if limit.maximum_cents > most:
            return (
                f"{wager} is posted up to {dollars(limit.maximum_cents)}; authorised on {day} are {dollars(most)}, "
                f"since {law.since} ({law.reference}, FL-9)"
            )
    return ""
