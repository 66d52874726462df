"""What a round is, and what a settled round says.

A ``Round`` is one deal at one table, already checked; a ``Settlement`` is what every wager of it gives back. Money is
whole cents. What is made anew for every round is a named tuple: as unchangeable as a frozen dataclass, and made in a
quarter of the time.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from houseway.cards import Card
from houseway.paytables import PayTable
from houseway.ranking.ranking import Category

Result: TypeAlias = Literal["win", "push", "lose", "taken_back", "surrender"]
Outcome: TypeAlias = Literal["win", "lose", "push", "fold", "foul", "surrender"]
NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


class Action(NamedTuple):
    """What a spot did at one decision point: one of the choices of its game, by name."""

    name: str
    card: Card | None = None
    """The card that it names, where the choice sets a hand."""
    cents: int = 0
    """What it adds on the choice's optional wager; 0 for nothing."""


FOLD: Final = Action("fold")
PLAY: Final = Action("play")
HOUSE_WAY: Final = Action("house_way")


class Spot(NamedTuple):
    """One hand of one player in a round."""

    number: int
    cards: tuple[Card, ...]
    wagers: Mapping[str, int]
    actions: tuple[Action, ...] = ()
    """One for each decision that the spot came to, in order."""
    player: str = ""
    """Who plays it, where that is known: two spots of one player are two hands."""


class Round(NamedTuple):
    """One deal, checked: the cards are all of one deck or shoe, the wagers and actions fit the game.

    Where a zone has places that are dealt later, all its places are here, `NO_CARD` in those that stayed empty.
    """

    dealer: tuple[Card, ...]
    spots: tuple[Spot, ...]
    tables: Mapping[str, PayTable] = NOTHING
    """By wager."""
    options: Mapping[str, Any] = NOTHING
    """Every option of the game, defaults filled in."""
    board: tuple[Card, ...] = ()
    """The cards that everybody shares, in the order they are turned."""


class WagerResult(NamedTuple):
    """What one wager came to."""

    result: Result
    wagered: int
    returned: int
    envy: int | None = None
    """Part of ``returned`` won from other players' hands; None where the wager has no envy."""


class Setting(NamedTuple):
    """A hand set into two."""

    high: tuple[Card, ...]
    low: Card
    by: str
    """player, or house way."""


class SpotSettlement(NamedTuple):
    """What one spot came to, the progressive apart."""

    number: int
    hand: str
    category: Category
    outcome: Outcome | None
    wagers: dict[str, WagerResult]
    progressive_hand: str
    """The row key under which this hand stands on a progressive table; empty when it could never win."""
    folded: bool = False
    setting: Setting | None = None


class DealerSettlement(NamedTuple):
    """What the dealer held; nothing, in empty words, where the game has no dealer's hand."""

    hand: str
    category: Category
    qualifies: bool | None
    setting: Setting | None = None


class Settlement(NamedTuple):
    """A settled round, spots in the order asked."""

    dealer: DealerSettlement
    spots: tuple[SpotSettlement, ...]
    winner: str = ""
    """Which side won, at a game that names one."""


class Dealt(NamedTuple):
    """Who got which cards."""

    hands: Mapping[int, tuple[Card, ...]]
    dealer: tuple[Card, ...]
    face_up: tuple[Card, ...]
    """The dealer's cards that everybody sees before any decision."""
    rack: tuple[Card, ...]
    """The rest of the deck."""
    board: tuple[Card, ...] = ()
