"""Whether different games may share a link: the winning hand and its probability must be the same (FL-16, PR-39)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from houseway.games import all_games
from houseway.manager.advice import Chances, chances_at
from houseway.paytables import ProgressiveTable


def is_multi_game(table: ProgressiveTable) -> bool:
    """Whether a table may link different games: it is marked so, or it belongs to a family and to no single game."""
    return table.multi_game or table.game not in all_games()


def unlike(table: ProgressiveTable, games: Sequence[str]) -> Iterator[str]:
    """Every reason why these games may not share a link on this pay table, with both probabilities."""
    if len(games) < 2:
        return
    if not is_multi_game(table):
        yield (
            f"{table.label} is for {table.game} alone; {', '.join(games)} may share "
            "a link only on a multi-game pay table (PR-1, FL-16)"
        )
    for first, other in combinations(games, 2):
        yield from _compared(table, first, other)


def _compared(table: ProgressiveTable, first: str, other: str) -> Iterator[str]:
    """The first row of the pay table whose hand does not come equally often at two games."""
    together = _never_together(first, other)
    rule = "PR-39, FL-16" if together else "FL-16"
    one, two = chances_at(first), chances_at(other)
    if one is None or two is None:
        missing = ", ".join(game for game, found in ((first, one), (other, two)) if found is None)
        yield (
            f"{first} and {other} may share a link only where the winning hand and its probability are the "
            f"same ({rule}); the probabilities of {missing} are not computed, so this cannot be shown"
        )
        return
    hand = _first_different(table, one, two)
    if hand is None and not together:
        return
    shown = hand or table.rows[0].hand
    yield (
        f"{first} and {other} may share a link only where the winning hand and its probability are the same "
        f"({rule}); row {shown}: {first} {one.words(shown)}, {other} {two.words(shown)}"
    )


def _never_together(first: str, other: str) -> bool:
    """PR-39: whether one of two games declares that it may never share a link with the other."""
    games = all_games()
    return any(two in games[one].never_linked_with for one, two in ((first, other), (other, first)) if one in games)


def _first_different(table: ProgressiveTable, one: Chances, two: Chances) -> str | None:
    return next((row.hand for row in table.rows if one.of(row.hand) != two.of(row.hand)), None)
