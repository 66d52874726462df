"""The order of a round: where a demonstration's cards go in the deck, and in which steps its wagers are settled."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from houseway.cards import Card
from houseway.games import Game
from houseway.games.flow import packet_size, targets
from houseway.rule import arguments_of
from houseway.table.card_round.state import Hand, Step


def has_positions(game: Game, options: Mapping[str, Any]) -> int:
    """PG-3: how many positions get a packet whoever sits there; 0 where packets go to players only."""
    return int(options["positions"]) if game.by_positions else 0


def counts_hands(game: Game, tables: Collection[str] | None = None) -> tuple[str, ...]:
    """CSC-4: the wagers that pay by the number of hands in the round, the dealer's included.

    With ``tables``, only those that a table with these pay tables offers.
    """
    counted = [wager for wager in game.wagers if wager.by_hands_dealt]
    return tuple(wager.key for wager in counted if tables is None or wager.table_key in tables)


def judged_on_highest(game: Game) -> tuple[str, ...]:
    """The wagers that the highest hand of the round decides."""
    if game.highest is None:
        return ()
    key = game.highest.key
    return tuple(wager.key for wager in game.wagers if wager.pays is not None and key in arguments_of(wager.pays))


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
    cards_left = {card for target, cards in chosen.items() if target in whom for card in cards}
    rest = iter([card for card in order if card not in cards_left])
    deck: list[Card] = []
    for target in whom:
        deck += chosen[target] if target in chosen else islice(rest, packet_size(game, target))
    return (*deck, *rest)


def steps(
    game: Game, hands: Mapping[int, Hand], options: Mapping[str, Any], qualifies: bool | None
) -> tuple[Step, ...]:
    """TC-13, CSC-5, PGF-3: what is reconciled when; spots from the dealer's right, n to 1.

    CS-7, SE2-4: where the dealer does not qualify, one pass around the table comes before everything else.
    """
    order = _in_order(game, options)
    later = [wager for group in game.later for wager in group]
    due = {
        spot: [wager for wager in hand.lines if wager not in hand.reconciled]
        for spot, hand in sorted(hands.items(), reverse=True)
    }
    agenda: list[Step] = []
    if qualifies is False:
        in_play = {spot: wagers for spot, wagers in due.items() if not hands[spot].folded}
        agenda += _take(in_play, tuple(wager for wager in order if wager in game.at_once), at_once=True)
    for group in (tuple(wager for wager in order if wager not in later), *game.later):
        agenda += _take(due, group)
    return tuple(agenda)


def _take(due: Mapping[int, list[str]], group: tuple[str, ...], *, at_once: bool = False) -> Iterator[Step]:
    """Steps that settle these wagers spot by spot; what they settle is no longer due."""
    for spot, wagers in due.items():
        here = tuple(wager for wager in group if wager in wagers)
        if here:
            wagers[:] = [wager for wager in wagers if wager not in here]
            yield Step(spot=spot, wagers=here, at_once=at_once)


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
