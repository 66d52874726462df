"""How a bot decides: by the best strategy that the proof found, or simply.

The proof's answer is exact, hand by hand, and takes from a few hundredths of a second to a third of one. Where what is
shipped with the proof says it for a whole class of hands it is looked up instead, and every answer is remembered: hands
that are the same but for the names of their suits are one.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import cache
from itertools import permutations
from threading import Lock
from typing import Final, NamedTuple, Protocol

from houseway.cards import JOKER, Card, parse_card, rank_of, suit_of
from houseway.games import Game
from houseway.games.flow import sample_action
from houseway.games.model import Decide, Derived, Hand
from houseway.games.round import Action
from houseway.refusal import Refusal
from houseway.rule import arguments_of

MOST_REMEMBERED: Final = 100_000
HIDDEN: Final = Card(-1)
"""A card that lies face down."""
_SUITS: Final = tuple(permutations(range(4)))
_NO_SUITS: Final = ((0, 0, 0, 0),)


class Sight(NamedTuple):
    """What a player looks at when deciding."""

    game: Game
    point: Decide
    cards: tuple[Card, ...]
    dealer: tuple[Card, ...] = ()
    """By place; `HIDDEN` for a card that lies face down."""
    board: tuple[Card, ...] = ()
    """Likewise."""
    actions: tuple[str, ...] = ()
    """What the spot did at the decisions before."""
    offered: tuple[str, ...] = ()
    """The choices that the table offers; empty for all of the point's."""
    extra_cents: int = 0
    """What the optional wager of a choice would be here; 0 where there is none, or the limits leave none."""

    def takes(self, action: Action) -> bool:
        """Whether the table would take an action now."""
        return (not self.offered or action.name in self.offered) and (not action.cents or self.extra_cents > 0)


class Mind(Protocol):
    """Decides on hands."""

    def choose(self, sight: Sight) -> Action: ...


class Simple:
    """A simple way to play, decided at once: for load, where thinking would cost more than what is measured."""

    def choose(self, sight: Sight) -> Action:
        action = sample_action(sight.game, sight.point, sight.cards, sight.dealer, sight.board)
        return action if sight.takes(action) else Action(sight.point.left)


class Best:
    """The decision that is worth most against all cards the player cannot see, exactly.

    Where the proof's room is not installed (it needs numpy), or no solver knows the game, it plays simply.
    """

    def __init__(self, most: int = MOST_REMEMBERED) -> None:
        self._known: OrderedDict[tuple[object, ...], Action] = OrderedDict()
        self._most = most
        self._lock = Lock()
        self.thought = 0
        """How often the answer had to be worked out."""

    def choose(self, sight: Sight) -> Action:
        key = (
            *(sight.game.key, sight.point.key, sight.actions, sight.offered, bool(sight.extra_cents)),
            *alike(sight),
        )
        with self._lock:
            action = self._known.get(key)
            if action is not None:
                self._known.move_to_end(key)
        if action is None:
            action = _looked_up(sight)
            if action is None:
                self.thought += 1
                action = _worked_out(sight)
            self._remember(key, action)
        return action._replace(cents=sight.extra_cents) if action.cents else action

    def _remember(self, key: tuple[object, ...], action: Action) -> None:
        with self._lock:
            self._known[key] = action
            if len(self._known) > self._most:
                self._known.popitem(last=False)


# ------------------------------------------------------------------------------------------------ hands that are alike


def alike(sight: Sight) -> tuple[object, ...]:
    """The same for all hands on which the decision is the same because only suits are named otherwise."""
    game = sight.game
    cards_by_zone = {"spot": sight.cards, "dealer": sight.dealer, "table": sight.board}
    zones = [(cards_by_zone[zone.owner], zone.key in _ordered_zones(game)) for zone in game.zones]
    if any(choice.sets == "player" for choice in sight.point.choices):
        # The answer names a card, so its suit matters.
        return tuple(cards if ordered else tuple(sorted(cards)) for cards, ordered in zones)
    namings = _SUITS if _suits_matter(game) else _NO_SUITS
    return min(tuple(_renamed(cards, ordered, names) for cards, ordered in zones) for names in namings)


def _renamed(cards: tuple[Card, ...], ordered: bool, names: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Cards as rank and suit, the suits named otherwise; in order of their places only where that matters."""
    pairs = [
        (int(card), 0) if card in (HIDDEN, JOKER) else (int(rank_of(card)), names[suit_of(card)]) for card in cards
    ]
    return tuple(pairs if ordered else sorted(pairs))


@cache
def _base_hands(game: Game) -> tuple[Hand, ...]:
    """The values of cards that decide the base game and its choices."""
    rules = [wager.pays for wager in game.wagers if wager.key in game.base]
    rules += [choice.when for point in game.points for choice in point.choices]
    waiting = [name for rule in rules if rule is not None for name in arguments_of(rule)]
    hands: dict[str, Hand] = {}
    while waiting:
        value = game.value_of(waiting.pop())
        if isinstance(value, Derived):
            waiting += arguments_of(value.rule)
        elif value is not None:
            hands[value.key] = value
    return tuple(hands.values())


@cache
def _ordered_zones(game: Game) -> frozenset[str]:
    """The zones where it matters at which place a card lies."""
    places = [part for hand in _base_hands(game) for part in hand.places]
    return frozenset(zone for zone, cards in places if cards is not None)


@cache
def _suits_matter(game: Game) -> bool:
    return any(hand.ranking.suits_matter for hand in _base_hands(game))


# ------------------------------------------------------------------------------------------------ what is best


def _looked_up(sight: Sight) -> Action | None:
    """What the counts that are shipped say for a whole class of hands; None where the hand must be looked at."""
    game, point = sight.game, sight.point
    hand = game.value_of(game.hand)
    folds = [choice.key for choice in point.choices if choice.folds]
    plays = [choice.key for choice in point.choices if not choice.folds]
    if len(game.points) > 1 or (len(folds), len(plays)) != (1, 1) or not isinstance(hand, Hand):
        return None
    own = game.zone_of("spot")
    if own is None or hand.places != ((own.key, None),):
        return None
    least = _play_from(game.key)
    if least is None:
        return None
    return Action(plays[0] if hand.ranking.value(*sight.cards) >= least else folds[0])


@cache
def _play_from(game: str) -> int | None:
    """The value from which on every hand is played, where it is the same on every approved table."""
    from houseway.proof.figure import BASE, PLAY_FROM
    from houseway.proof.store import shipped

    counts = (shipped() or {}).items()
    plays = [counted.play for (of, wager, _), counted in counts if (of, wager) == (game, BASE)]
    values = {None if play is None else play.facts.get(PLAY_FROM) for play in plays}
    return values.pop() if len(values) == 1 else None


def _worked_out(sight: Sight) -> Action:
    """The proof's answer; where equal choices are best, the house way of setting before others."""
    try:
        from houseway.proof.advise import advised_action, choices

        up = next((card for card in sight.dealer if card != HIDDEN), None)
        board = [card for card in sight.board if card != HIDDEN]
        advice = choices(sight.game, sight.cards, up, board=board)
    except (ImportError, Refusal):
        return Simple().choose(sight)
    best = None
    for worth in advice.choices:
        house_way = next((choice.key for choice in sight.point.choices if choice.sets == "house_way"), "")
        action = advised_action(sight.point, worth.what)
        if house_way and HOUSE_WAY_NOTE in worth.notes:
            action = action._replace(name=house_way, card=None)
        if not sight.takes(action):
            continue
        rank = (worth.value, action.name == house_way)
        if best is None or rank > best[0]:
            best = rank, action
    return Simple().choose(sight) if best is None else best[1]


HOUSE_WAY_NOTE: Final = "house way"


def seen_cards(text: str) -> tuple[Card, ...]:
    """The cards of a view by place, `HIDDEN` for those that lie face down."""
    return tuple(HIDDEN if card == "??" else parse_card(card) for card in text.split())
