"""How a bot decides: by the best strategy that the proof found, or simply.

The proof's answer is exact, hand by hand, and takes from a few hundredths of a second to a third of one. Where what is
shipped with the proof says it for a whole class of hands it is looked up instead, and every answer is remembered: hands
that are the same but for the names of their suits are one.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import cache
from itertools import permutations
from threading import Lock
from typing import Final, NamedTuple, Protocol

from houseway.cards import JOKER, Card, rank_of, suit_of
from houseway.games import Game
from houseway.games.flow import sample_action
from houseway.games.round import FOLD, HOUSE_WAY, PLAY, Action

MOST_REMEMBERED: Final = 100_000
_SUITS: Final = tuple(permutations(range(4)))


class Hand(NamedTuple):
    """What a player looks at when he decides."""

    game: Game
    cards: tuple[Card, ...]
    up: Card | None
    """The dealer's card that lies face up, where one does."""
    double_cents: int = 0
    """Pai gow: what a double down would be here; 0 where the limits leave none."""


class Mind(Protocol):
    """Decides on hands."""

    def choose(self, hand: Hand) -> Action: ...


class Simple:
    """A simple way to play, decided at once: for load, where thinking would cost more than what is measured."""

    def choose(self, hand: Hand) -> Action:
        return sample_action(hand.game, hand.game.points[0], hand.cards)


class Best:
    """The decision that is worth most against all cards the player cannot see, exactly.

    Where the proof's room is not installed (it needs numpy), it plays simply.
    """

    def __init__(self, most: int = MOST_REMEMBERED) -> None:
        self._known: OrderedDict[tuple[object, ...], Action] = OrderedDict()
        self._most = most
        self._lock = Lock()
        self.thought = 0
        """How often the answer had to be worked out."""

    def choose(self, hand: Hand) -> Action:
        key = (hand.game.key, *alike(hand), bool(hand.double_cents))
        with self._lock:
            choice = self._known.get(key)
            if choice is not None:
                self._known.move_to_end(key)
        if choice is None:
            choice = _looked_up(hand)
            if choice is None:
                self.thought += 1
                choice = _worked_out(hand)
            self._remember(key, choice)
        return choice._replace(cents=hand.double_cents) if choice.cents else choice

    def _remember(self, key: tuple[object, ...], choice: Action) -> None:
        with self._lock:
            self._known[key] = choice
            if len(self._known) > self._most:
                self._known.popitem(last=False)


def alike(hand: Hand) -> tuple[object, ...]:
    """The same for all hands on which the decision is the same because only suits are named otherwise."""
    cards, up = tuple(sorted(hand.cards)), hand.up
    if hand.game.key.startswith("straight-edge"):
        return tuple(sorted(rank_of(card) for card in cards))
    if hand.game.key == "six-card-pai-gow":
        # The answer names a card, so its suit matters.
        return cards
    pairs = [(rank_of(card), suit_of(card)) for card in cards if card != JOKER]
    shown = None if up is None else (rank_of(up), suit_of(up))
    return min(
        (tuple(sorted((rank, names[suit]) for rank, suit in pairs)), shown and (shown[0], names[shown[1]]))
        for names in _SUITS
    )


def _looked_up(hand: Hand) -> Action | None:
    """What the counts that are shipped say for a whole class of hands; None where the hand must be looked at."""
    if hand.game.key == "three-card-poker":
        from houseway.ranking import three_card

        least = _play_from()
        return None if least is None else PLAY if three_card.value(*hand.cards) >= least else FOLD
    return None


@cache
def _play_from() -> int | None:
    """Three Card Poker: the value from which on every hand is played, where it is the same on every approved table."""
    from houseway.proof.store import shipped
    from houseway.proof.strategy import PLAY_FROM

    counts = (shipped() or {}).items()
    plays = [one.play for (game, wager, _), one in counts if (game, wager) == ("three-card-poker", "base")]
    values = {None if play is None else play.facts.get(PLAY_FROM) for play in plays}
    return values.pop() if len(values) == 1 else None


def _worked_out(hand: Hand) -> Action:
    try:
        if hand.game.key == "six-card-pai-gow":
            return _set(hand)
        from houseway.proof.advise import ADVISERS, choices
    except ImportError:
        return Simple().choose(hand)
    if hand.game.key not in ADVISERS:
        return Simple().choose(hand)
    return PLAY if choices(hand.game, hand.cards, hand.up).choices[0].what == "play" else FOLD


def _set(hand: Hand) -> Action:
    from houseway.proof.six_card_pai_gow import advise

    settings = advise(hand.cards)
    best = settings[0] if hand.double_cents else max(settings, key=lambda one: (one.base, one.house_way))
    double = hand.double_cents if best.double_down > 0 else 0
    if best.house_way:
        return HOUSE_WAY._replace(cents=double)
    return Action("low", best.low, double)


def seen_cards(text: str) -> Sequence[str]:
    """The cards of a view that are face up, as text."""
    return [card for card in text.split() if card != "??"]
