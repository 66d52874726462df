"""The order of a round: where a demonstration's cards go in the deck, and in which steps its wagers are settled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from houseway.cards import Card
from houseway.games import Game
from houseway.games.flow import packet_size, targets
from houseway.table.card_round.state import Hand, Step


def has_positions(game: Game, options: Mapping[str, Any]) -> int:
    """PG-3: how many positions get a packet whoever sits there; 0 where packets go to players only."""
    return int(options["positions"]) if game.by_positions else 0


def counts_hands(game: Game) -> tuple[str, ...]:
    """CSC-4: the wagers that pay by the number of hands in the round, the dealer's included."""
    return tuple(wager.key for wager in game.wagers if wager.by_hands_dealt)


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
    deck: list[Card] = []
    for target in whom:
        deck += chosen[target] if target in chosen else islice(rest, packet_size(game, target))
    return (*deck, *rest)


def steps(game: Game, hands: Mapping[int, Hand], options: Mapping[str, Any]) -> tuple[Step, ...]:
    """TC-13, CSC-5, PGF-3: what is reconciled when; spots from the dealer's right, n to 1."""
    order = _in_order(game, options)
    later = [wager for group in game.later for wager in group]
    first = tuple(wager for wager in order if wager not in later)
    found = []
    for group in (first, *game.later):
        for spot in sorted(hands, reverse=True):
            here = tuple(wager for wager in group if wager in hands[spot].lines)
            if here:
                found.append(Step(spot=spot, wagers=here))
    return tuple(found)


def is_later(game: Game, step: Step) -> bool:
    """Whether a step waits until every spot's other wagers are settled."""
    return step.wagers in game.later


def _in_order(game: Game, options: Mapping[str, Any]) -> tuple[str, ...]:
    """The wagers of a spot in the order they are settled; the progressive has its own way, by claim.

    An award is settled with the wager that it is paid on, where the game does not say otherwise.
    """
    chosen = str(options.get("reconcile_order", "")).split()
    awards = [wager.key for wager in game.wagers if wager.kind == "award" and wager.key not in game.reconcile]
    rest = [wager for wager in (*game.reconcile, *awards) if wager not in chosen and wager != "progressive"]
    return (*chosen, *rest)
