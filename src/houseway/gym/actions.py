"""What a player can do at a game, as numbers: each stands for a decision in the words of the rulebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

from houseway.cards import Card, text_of
from houseway.games import Game
from houseway.games.flow import next_point
from houseway.games.settle import settings


class Actions(Protocol):
    """The actions of a game."""

    @property
    def count(self) -> int:
        """How many there are."""

    def decision(self, action: int, cards: Sequence[Card], wagers: Mapping[str, int]) -> dict[str, Any]:
        """The decision that an action stands for, as the game's ``read_decision`` takes it."""

    def open(self, cards: Sequence[Card], wagers: Mapping[str, int]) -> tuple[bool, ...]:
        """Which actions make sense with these cards."""

    def words(self, action: int, cards: Sequence[Card]) -> str:
        """An action for people."""


class FoldOrPlay:
    """0 folds, 1 plays. A spot without a decision to make has action 1 alone."""

    count: Final = 2

    def __init__(self, game: Game) -> None:
        self._game = game

    def decision(self, action: int, cards: Sequence[Card], wagers: Mapping[str, int]) -> dict[str, Any]:
        if next_point(self._game, wagers) is None:
            return {}
        return {"play": True} if action else {"fold": True}

    def open(self, cards: Sequence[Card], wagers: Mapping[str, int]) -> tuple[bool, ...]:
        return next_point(self._game, wagers) is not None, True

    def words(self, action: int, cards: Sequence[Card]) -> str:
        return "play" if action else "fold"


class Settings:
    """0 to 5 play that card of the hand low, 6 asks for the house way; 7 to 13 are the same doubled.

    Cards are counted from the highest. A setting that fouls is possible and loses; it is left out of what is open.
    """

    CARDS: Final = 6

    def __init__(self, game: Game) -> None:
        self._game = game

    HOUSE_WAY: Final = 6
    DOUBLED: Final = 7
    count: Final = 14

    def decision(self, action: int, cards: Sequence[Card], wagers: Mapping[str, int]) -> dict[str, Any]:
        doubled, low = divmod(action, self.DOUBLED)
        made: dict[str, Any] = {"house_way": True} if low == self.HOUSE_WAY else {"low": text_of([cards[low]])}
        return {**made, "double_down": wagers["base"]} if doubled else made

    def open(self, cards: Sequence[Card], wagers: Mapping[str, int]) -> tuple[bool, ...]:
        merit = self._game.splits[0].merit
        sound = [merit(high, low) >= 0 for high, low, _place in settings(self._game, cards)]
        return (*sound, True) * 2

    def words(self, action: int, cards: Sequence[Card]) -> str:
        doubled, low = divmod(action, self.DOUBLED)
        said = "house way" if low == self.HOUSE_WAY else f"{text_of([cards[low]])} low"
        return f"{said}, double down" if doubled else said


def actions_of(game: Game) -> Actions | None:
    """The actions of a game; None where its decisions are of a kind that is not known here."""
    if len(game.points) == 1 and game.splits and game.player_cards == Settings.CARDS:
        return Settings(game)
    if len(game.points) == 1 and len(game.points[0].choices) == 2:
        return FoldOrPlay(game)
    return None
