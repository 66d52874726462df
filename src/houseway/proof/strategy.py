"""The best way to play a base game in words a person can use, and what simpler ways cost against it.

The words are made from what was counted: where a hand is the lowest worth playing, it is the counted one, and the price
of a rule that fits on a card stands beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from houseway.games import Game, find_game
from houseway.proof.figure import Counted, Play, percent
from houseway.proof.special import special_solver


@dataclass(frozen=True, slots=True)
class ThumbCost:
    """A rule of thumb and what it comes to."""

    words: str
    house_edge: Fraction
    cost: Fraction
    """Against perfect play, per unit of the base game's first wager."""


def thumbs_of(counted: Counted) -> list[ThumbCost]:
    """The rules of thumb of a base game, the cheapest first."""
    best = _edge(counted)
    play = counted.play
    if play is None:
        return []
    costs = [ThumbCost(words, edge, edge - best) for words, edge in play.thumbs.items()]
    return sorted(costs, key=lambda thumb: (thumb.cost, thumb.words))


def in_words(counted: Counted) -> str:
    """The best strategy of a base game in words: from which hand on to play, else the cheapest rule of thumb."""
    game, play = find_game(counted.game), counted.play
    if game is None or play is None:
        return ""
    if game.solver:
        return special_solver(game).words(counted, play)
    if not game.points:
        return ""
    if play.least:
        return f"Play {play.least} or better, fold the rest. {_often(game, play)}"
    thumbs = thumbs_of(counted)
    if not thumbs:
        return f"Make the choice that is worth most with every hand; advise tells it. {_often(game, play)}".strip()
    return f"{_in_full(game, thumbs[0])} {_often(game, play)}".strip()


def _in_full(game: Game, cheapest: ThumbCost) -> str:
    thumb = next((thumb for thumb in game.thumbs if thumb.words == cheapest.words), None)
    text = thumb.in_full if thumb is not None else ""
    words = text or f"{cheapest.words[:1].upper()}{cheapest.words[1:]}; fold the rest"
    if not cheapest.cost:
        return f"{words}. That is perfect play."
    beside = f", which {thumb.misses}" if thumb is not None and thumb.misses else ""
    return f"{words}. That costs {percent(cheapest.cost, 4)} of the {unit_words(game)} against perfect play{beside}."


def unit_words(game: Game) -> str:
    """What a base game's figures are a share of: its first wager, in a sentence."""
    wager = game.wager(game.base[0])
    label = wager.label if wager is not None else game.base[0]
    return f"{label[:1].lower()}{label[1:]}" if " " in label else label


def _edge(counted: Counted) -> Fraction:
    if counted.distribution is None:
        raise ValueError(f"{counted.game} {counted.table} was not counted case by case")
    return counted.distribution.house_edge


def _often(game: Game, play: Play) -> str:
    """How often a wager follows; nothing where no choice makes one."""
    return f"Played in {percent(play.frequency, 2)} of hands." if game.followers else ""
