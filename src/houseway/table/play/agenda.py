"""The order of a round: whom the packets go to, and in which steps its wagers are taken and paid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, Final

from houseway.cards import Card
from houseway.games import Game
from houseway.table.play.state import Hand, Step

DEALER: Final = 0
EMPTY: Final = -1
LATER: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = {
    # CSC-5: Cover All is settled after every other wager.
    "caribbean-stud": (("cover_all",),),
    # PGF-3: envy after all Fortune wagers, Insurance after that.
    "six-card-pai-gow": (("fortune_envy",), ("insurance",)),
}
"""Wagers that wait until every spot's others are settled, by game, in their order."""


def has_positions(game: Game, options: Mapping[str, Any]) -> int:
    """PG-3: how many positions get a packet whoever sits there; 0 where packets go to players only."""
    return int(options.get("positions", 0))


def targets(game: Game, spots: Sequence[int], options: Mapping[str, Any], start: int) -> tuple[int, ...]:
    """Whom the packets go to, in order: spot 1 up and the dealer last, or counter-clockwise from a position (PG-3)."""
    positions = has_positions(game, options)
    if not positions:
        return (*sorted(spots), DEALER)
    dealer_at = options["dealer_position"]
    found = []
    for turn in range(positions):
        position = (start - 1 + turn) % positions + 1
        spot = positions - (position - dealer_at) % positions
        found.append(DEALER if position == dealer_at else spot if spot in spots else EMPTY)
    return tuple(found)


def arranged(
    game: Game,
    order: Sequence[Card],
    spots: Sequence[int],
    options: Mapping[str, Any],
    start: int,
    chosen: Mapping[int, Sequence[Card]],
) -> tuple[Card, ...]:
    """A demonstration's deck: chosen cards where they are dealt, 0 for the dealer's; the others keep their order."""
    whom = targets(game, spots, options, start)
    kept = {card for target, cards in chosen.items() if target in whom for card in cards}
    rest = iter([card for card in order if card not in kept])
    made: list[Card] = []
    for target in whom:
        size = game.dealer_cards if target == DEALER else game.player_cards
        made += chosen[target] if target in chosen else islice(rest, size)
    return (*made, *rest)


def steps(game: Game, hands: Mapping[int, Hand], options: Mapping[str, Any]) -> tuple[Step, ...]:
    """TC-13, CSC-5, PGF-3: what is reconciled when; spots from the dealer's right, n to 1."""
    order = _in_order(game, options)
    later = [wager for group in LATER.get(game.key, ()) for wager in group]
    first = tuple(wager for wager in order if wager not in later)
    found = []
    for group in (first, *LATER.get(game.key, ())):
        for spot in sorted(hands, reverse=True):
            here = tuple(wager for wager in group if wager in hands[spot].lines)
            if here:
                found.append(Step(spot=spot, wagers=here))
    return tuple(found)


def is_later(game: Game, step: Step) -> bool:
    """Whether a step waits until every spot's other wagers are settled."""
    return step.wagers in LATER.get(game.key, ())


def _in_order(game: Game, options: Mapping[str, Any]) -> tuple[str, ...]:
    """The wagers of a spot in the order they are settled; the progressive has its own way, by claim."""
    chosen = str(options.get("reconcile_order", "")).split()
    rest = [wager for wager in game.reconcile if wager not in chosen and wager != "progressive"]
    return (*chosen, *rest)
