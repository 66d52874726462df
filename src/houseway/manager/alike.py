"""Whether different games may share a link: the winning hand and its probability must be the same (FL-16, PR-39)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from math import comb
from typing import Final

from houseway.games import all_games
from houseway.games.model import Game, Hand
from houseway.manager.advice import Chances, chances_at
from houseway.paytables import ProgressiveTable

MOST_HANDS: Final = 3_000_000
"""The hands of a game without a progressive are counted on the spot up to this number: about a second."""


def is_multi_game(table: ProgressiveTable) -> bool:
    """Whether a table may link different games: it is marked so, or it belongs to a family and to no single game."""
    return table.multi_game or table.game not in all_games()


def unlike(table: ProgressiveTable, games: Sequence[str]) -> Iterator[str]:
    """Every reason why these games may not share a link on this pay table, with both probabilities.

    Most games of the link win alike: each of the others is set against the first of those, and against any game that it
    may never share a link with.
    """
    if len(games) < 2:
        return
    if not is_multi_game(table):
        yield (
            f"{table.label} is for {table.game} alone; {', '.join(games)} may share "
            "a link only on a multi-game pay table (PR-1, FL-16)"
        )
    usual = max(games, key=lambda game: sum(_win_alike(table, game, other) for other in games))
    for first, other in combinations(games, 2):
        if usual in (first, other) or _never_together(first, other):
            yield from _compared(table, first, other)


def _compared(table: ProgressiveTable, first: str, other: str) -> Iterator[str]:
    """The first row of the pay table whose hand does not come equally often at two games."""
    together = _never_together(first, other)
    rule = "PR-39, FL-16" if together else "FL-16"
    mine, two = _chances(first), _chances(other)
    if mine is None or two is None:
        missing = ", ".join(game for game, chances in ((first, mine), (other, two)) if chances is None)
        yield (
            f"{first} and {other} may share a link only where the winning hand and its probability are the "
            f"same ({rule}); the probabilities of {missing} are not computed, so this cannot be shown"
        )
        return
    hand = _first_different(table, mine, two)
    if hand is None and not together:
        return
    shown = hand or table.rows[0].hand
    yield (
        f"{first} and {other} may share a link only where the winning hand and its probability are the same "
        f"({rule}); row {shown}: {first} {mine.words(shown)}, {other} {two.words(shown)}"
    )


def _never_together(first: str, other: str) -> bool:
    """PR-39: whether one of two games declares that it may never share a link with the other."""
    games = all_games()
    return any(two in games[mine].never_linked_with for mine, two in ((first, other), (other, first)) if mine in games)


def _first_different(table: ProgressiveTable, mine: Chances, two: Chances) -> str | None:
    return next((row.hand for row in table.rows if mine.of(row.hand) != two.of(row.hand)), None)


def _win_alike(table: ProgressiveTable, first: str, other: str) -> bool:
    chances, others = _chances(first), _chances(other)
    return chances is not None and others is not None and _first_different(table, chances, others) is None


def _chances(key: str) -> Chances | None:
    """The hands of a game's progressive; of a game without one, what its own hand would be (FV-2)."""
    game = all_games().get(key)
    return _chances_of_own_hand(game) if game is not None and game.progressive is None else chances_at(key)


@cache
def _chances_of_own_hand(game: Game) -> Chances | None:
    """In how many cases each hand is dealt to a spot; None where that is not one hand of few enough cards."""
    hand, zone = game.value_of(game.hand), game.zone_of("spot")
    if not isinstance(hand, Hand) or zone is None or hand.places != ((zone.key, None),) or game.shoe is not None:
        return None
    if comb(len(game.deck), zone.cards) > MOST_HANDS:
        return None
    try:
        from houseway.proof.cardsets import sorted_deck, tally
    except ImportError:
        return None
    rows: Counter[str] = Counter()
    for (value,), cases in tally(sorted_deck(game.deck), zone.cards, [hand.ranking]).items():
        rows[str(hand.ranking.category(value))] += cases
    return Chances(dict(rows), rows.total())
