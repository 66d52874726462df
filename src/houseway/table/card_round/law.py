"""What the law of the day allows at a table: the most it may post, and how much one hand may carry (FL-9).

A table with cards judges by the gaming day of every order, so that a change takes effect on its day.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date
from itertools import combinations
from typing import Any, Final

from houseway.games import Game
from houseway.money import dollars
from houseway.refusal import Refusal
from houseway.table.config import Limits, Policies, SeparateGames
from houseway.table.event import join
from houseway.table.limits import follows_at, law_on

# Only the year is known; January 1 of it stands here. The operator verifies the text in force.
WASHINGTON_COMMERCIAL: Final = (SeparateGames("2008-01-01", 3, "WAC 230-15-040"),)
MOST_NAMED: Final = 6
"""So many combinations are named one by one."""


def separate_games_on(policies: Policies, day: str) -> SeparateGames | None:
    """FL-9: the limit in force on a day, the operator's own reading before the known one; None where there is none."""
    washington = policies.jurisdiction.strip().casefold() == "washington" and policies.kind == "commercial"
    for dated in (policies.separate_games, WASHINGTON_COMMERCIAL if washington else ()):
        begun = [reading for reading in dated if reading.since <= day]
        if begun:
            return max(begun, key=lambda reading: reading.since)
    return None


def separate_games(game: Game, wagers: Collection[str], law: SeparateGames) -> int:
    """How many games a hand with these wagers plays: the base game is one, every other wager that counts one more."""
    base = _base_wagers(game)
    return len({"" if wager in base else wager for wager in wagers if wager not in law.not_counted})


def _base_wagers(game: Game) -> frozenset[str]:
    """The wagers that are one game together: what is required, equal to it, follows from it or leads it."""
    leaders = {follow.leader for follow in follows_at(game)}
    return frozenset(
        wager.key
        for wager in game.wagers
        if wager.kind in ("required", "follows") or wager.equals or wager.key in leaders
    )


def too_many(game: Game, wagers: Collection[str], offered: Collection[str], law: SeparateGames | None) -> list[str]:
    """FL-9: of the wagers offered, those that a hand with these wagers can carry no more."""
    if law is None:
        return []
    return [
        wager for wager in offered if wager not in wagers and separate_games(game, {*wagers, wager}, law) > law.games
    ]


def combinations_in_words(
    game: Game, offered: Collection[str], options: Mapping[str, Any], law: SeparateGames | None
) -> str:
    """FL-9: what one hand may carry, where the table offers more; empty where everything may be combined.

    A combination stands for all its parts. One that the game does not take, such as a bonus without its Ante, is none.
    """
    if law is None or separate_games(game, offered, law) <= law.games:
        return ""
    names = {wager.key: wager.label for wager in game.wagers}
    base = _base_wagers(game)
    together: dict[str, list[str]] = {}
    for wager in offered:
        together.setdefault("" if wager in base else wager, []).append(wager)
    free = [wager for wager in offered if wager in law.not_counted and wager not in base]
    counted = [name for name in together if not set(together[name]) <= set(law.not_counted)]
    hands = [
        [wager for name in chosen for wager in together[name]] + free for chosen in combinations(counted, law.games)
    ]
    allowed = "; ".join(join(names[wager] for wager in hand) for hand in hands if _is_taken(game, hand, options))
    if len(hands) > MOST_NAMED:
        allowed = f"any {law.games} of {join(names[wager] for wager in offered)} that the game takes together"
    return f"One hand may carry {law.games} separate games ({law.reference}): {allowed}."


def _is_taken(game: Game, wagers: Collection[str], options: Mapping[str, Any]) -> bool:
    try:
        game.check_wagers(dict.fromkeys(wagers, 100), options)
    except Refusal:
        return False
    return True


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
