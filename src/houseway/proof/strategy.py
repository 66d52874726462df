"""The best way to play a base game in words a person can use, and what simpler ways cost against it.

The words are made from what was counted: where a hand is the lowest worth playing, it is the counted one, and the price
of a rule that fits on a card stands beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from houseway.cards import RANK_NAMES
from houseway.proof.figure import Counted, Play, percent

PLAY_FROM: Final = "play_from"
"""The fact, at three card poker, from which value on every hand is played; absent where there is no such value."""

CARIBBEAN_RULES: Final = (
    "Raise with any pair or better. Fold anything below ace-king. With ace-king look at the dealer's up card and raise "
    "(1) when it is a queen or lower and you hold its rank; (2) when it is an ace or a king and you hold a queen or a "
    "jack; (3) when you hold a queen, do not hold its rank, and it is lower than your fourth highest card. Otherwise "
    "fold"
)
CARIBBEAN_THUMB: Final = "ace-king by three rules on the up card"

HOUSE_WAY_WORDS: Final = (
    "Set by the house way: keep the best category the six cards make whole, then play the highest low card that leaves "
    "it so and does not foul."
)


@dataclass(frozen=True, slots=True)
class Thumb:
    """A rule of thumb and what it comes to."""

    words: str
    house_edge: Fraction
    cost: Fraction
    """Against perfect play, per unit of Ante or base wager."""


def thumbs_of(counted: Counted) -> list[Thumb]:
    """The rules of thumb of a base game, the cheapest first."""
    best = _edge(counted)
    play = counted.play
    if play is None:
        return []
    made = [Thumb(words, edge, edge - best) for words, edge in play.thumbs.items()]
    return sorted(made, key=lambda thumb: (thumb.cost, thumb.words))


def in_words(counted: Counted) -> str:
    """The best strategy of a base game in words; empty where nobody has written them."""
    writer = WRITERS.get(counted.game)
    return writer(counted, counted.play) if writer is not None and counted.play is not None else ""


def _edge(counted: Counted) -> Fraction:
    if counted.distribution is None:
        raise ValueError(f"{counted.game} {counted.table} was not counted case by case")
    return counted.distribution.house_edge


def _three_card_poker(counted: Counted, play: Play) -> str:
    value = play.facts.get(PLAY_FROM)
    if value is None:
        return "Play every hand that wins more than its fold loses; there is no single hand from which on to play."
    if value >> 12:
        return "Play the hands that advise names; the border does not lie among the hands without a pair."
    ranks = "-".join(RANK_NAMES[value >> shift & 15] for shift in (8, 4, 0))
    return f"Play {ranks} or better, fold the rest. {_often(play)}"


def _caribbean_stud(counted: Counted, play: Play) -> str:
    edge = play.thumbs.get(CARIBBEAN_THUMB)
    if edge is None:
        return f"Bet every hand that is worth more so than folded. {_often(play)}"
    cost = percent(edge - _edge(counted), 4)
    return f"{CARIBBEAN_RULES}. That costs {cost} of the Ante against perfect play. {_often(play)}"


def _straight_edge(counted: Counted, play: Play) -> str:
    thumbs = thumbs_of(counted)
    if not thumbs:
        return f"Play every hand that is worth more so than folded. {_often(play)}"
    best = thumbs[0]
    return (
        f"{_capital(best.words)}; fold the rest. That costs {percent(best.cost, 4)} of the Ante against perfect play, "
        f"which also looks at the cards outside the run. {_often(play)}"
    )


def _six_card_pai_gow(counted: Counted, play: Play) -> str:
    setting, _, doubling = counted.table.partition(", ")
    said = [HOUSE_WAY_WORDS if setting == "house way" else "Set the way that wins most against every dealer hand."]
    said.append(
        f"Double where that wins more than it loses, in {percent(play.frequency, 2)} of hands."
        if doubling
        else "Never double."
    )
    thumbs = [thumb for thumb in thumbs_of(counted) if thumb.cost > 0]
    if thumbs:
        best = thumbs[0]
        said.append(f"A rule to remember: {best.words}. It costs {percent(best.cost, 4)} of the base wager.")
    return " ".join(said)


def _often(play: Play) -> str:
    return f"Played in {percent(play.frequency, 2)} of hands."


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


WRITERS: Final[Mapping[str, Callable[[Counted, Play], str]]] = {
    "three-card-poker": _three_card_poker,
    "caribbean-stud": _caribbean_stud,
    "straight-edge-1": _straight_edge,
    "straight-edge-2": _straight_edge,
    "six-card-pai-gow": _six_card_pai_gow,
}
