"""What a player can do at a game, as numbers: the choices of its declaration by name, over all decision points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from houseway.cards import Card, text_of
from houseway.games import Game
from houseway.games.flow import is_open, read_action
from houseway.games.model import Choice, Decide
from houseway.games.round import Action
from houseway.games.settle import settings


class NumberedChoice(NamedTuple):
    """One action: a choice, the card that it sets low, and whether it makes its optional wager."""

    choice: Choice
    low: int | None = None
    """The place of the low card in the hand, where the player sets it."""
    extra: bool = False


class Actions:
    """The actions of a game.

    Choices are numbered as the declaration first names them. A choice that sets the hand is one action for each card
    that may lie low. Behind them all stand the same ones with their optional wager, where a choice has one.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        choices: dict[str, Choice] = {}
        for point in game.points:
            for choice in point.choices:
                choices.setdefault(choice.key, choice)
        plain = [
            NumberedChoice(choice, low)
            for choice in choices.values()
            for low in (range(game.player_cards) if choice.sets == "player" else (None,))
        ]
        doubled = [action._replace(extra=True) for action in plain if _optional(action.choice)]
        self.every = (*plain, *doubled)
        self.only = len(plain) - 1
        """The action that is open where there is nothing to decide."""
        self._alone = tuple(number == self.only for number in range(self.count))
        self._places = {point.key: self._places_at(point) for point in game.points}
        self._has = {point.key: tuple(place is not None for place in self._places[point.key]) for point in game.points}
        """By point: which actions it has, whatever the cards are."""
        self._lows = [action.low for action in self.every]
        self.by_cards = {
            point.key
            for point in game.points
            if point.choices[0].sets or any(choice.when is not None for choice in point.choices)
        }
        """The points at which the cards decide what is open."""
        self._known: dict[tuple[str, int], Action] = {}

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.every)

    def at(self, point: Decide) -> tuple[int | None, ...]:
        """By action: the place of its choice at a point; None where the point does not have it."""
        return self._places[point.key]

    def _places_at(self, point: Decide) -> tuple[int | None, ...]:
        keys = [choice.key for choice in point.choices]
        return tuple(keys.index(action.choice.key) if action.choice.key in keys else None for action in self.every)

    def decision(self, action: int, point: Decide, cards: Sequence[Card], wagers: Mapping[str, int]) -> dict[str, Any]:
        """The decision that an action stands for, as the game reads it."""
        chosen = self.every[action]
        spaces: dict[str, Any] = {
            chosen.choice.key: True if chosen.low is None else text_of([cards[chosen.low]]),
        }
        here = point.choice(chosen.choice.key)
        if chosen.extra and here is not None:
            spaces |= {stake.wager: stake.times * wagers[stake.of] for stake in here.stakes if stake.optional}
        return spaces

    def read(
        self, action: int, point: Decide, cards: Sequence[Card], wagers: Mapping[str, int], options: Mapping[str, Any]
    ) -> Action:
        """The action of a round that a number stands for; the game reads one that is always the same only once."""
        known = self._known.get((point.key, action))
        if known is not None:
            return known
        action_read = read_action(
            self._game, point, self.decision(action, point, cards, wagers), cards, wagers, options
        )
        chosen = self.every[action]
        if chosen.low is None and not chosen.extra and not chosen.choice.sets:
            self._known[point.key, action] = action_read
        return action_read

    def open(
        self,
        point: Decide | None,
        cards: Sequence[Card],
        dealer: Sequence[Card] = (),
        board: Sequence[Card] = (),
        options: Mapping[str, Any] | None = None,
    ) -> tuple[bool, ...]:
        """Which actions make sense at a point with these cards; a setting that fouls does not."""
        if point is None:
            return self._alone
        places = self._has[point.key]
        if point.key not in self.by_cards:
            return places
        if any(choice.when is not None for choice in point.choices):
            here = {choice.key: is_open(self._game, choice, cards, dealer, board, options) for choice in point.choices}
            places = tuple([here.get(action.choice.key, False) for action in self.every])
        if not point.choices[0].sets:
            return places
        split = self._game.splits[0]
        merit = split.merit
        fouls = {place for high, low, place in settings(self._game, cards, split) if merit(high, low) < 0}
        if not fouls:
            return places
        return tuple([has and low not in fouls for has, low in zip(places, self._lows, strict=True)])

    def words(self, action: int, cards: Sequence[Card]) -> str:
        """An action for people."""
        chosen = self.every[action]
        words = chosen.choice.words.lower() if chosen.low is None else f"{text_of([cards[chosen.low]])} low"
        extra = ", ".join(stake.wager.replace("_", " ") for stake in chosen.choice.stakes if stake.optional)
        return f"{words}, {extra}" if chosen.extra else words


def _optional(choice: Choice) -> bool:
    return any(stake.optional for stake in choice.stakes)
