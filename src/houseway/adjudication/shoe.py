"""What a request says of cards that are dealt later, of boards in parts, and of cards that come from several decks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from houseway.cards import NO_CARD, Card, text_of
from houseway.games import Game
from houseway.games.flow import course_of, told
from houseway.games.model import LaterDeal, Owner
from houseway.games.round import Spot
from houseway.refusal import Refusal

Reader: TypeAlias = Callable[[Any, str, Sequence[int], Game], tuple[Card, ...]]
"""Reads cards: what was given, the field, how many there may be."""


def own_fields(game: Game) -> Iterator[str]:
    """The fields of a request that only this game has."""
    dealer = game.zone_of("dealer")
    yield from dealer.later if dealer else ()
    yield from (name for name, _ in game.board_parts)


def read_later(game: Game, owner: Owner, fields: Mapping[str, Any], read: Reader) -> tuple[Card, ...]:
    """The cards of a zone that are dealt later, a field each; `NO_CARD` where the field is left out."""
    zone = game.zone_of(owner)
    later = zone.later if zone else ()
    return tuple(read(fields[name], name, (1,), game)[0] if name in fields else NO_CARD for name in later)


def check_dealt_later(game: Game, dealer: Sequence[Card], spots: Sequence[Spot]) -> None:
    """Cards that are dealt with a wager are there where it was made, and nowhere else."""
    for deal in game.later_deals:
        if not deal.wager:
            continue
        calls = [deal.wager in course_of(game, spot.wagers, spot.actions).wagers for spot in spots]
        for zone, place in deal.to:
            owner = next(known for known in game.zones if known.key == zone)
            name = owner.later[place - owner.cards]
            if owner.owner == "dealer":
                _check_place(name, dealer[place], any(calls), deal)
                continue
            for number, (spot, called) in enumerate(zip(spots, calls, strict=True)):
                _check_place(f"spots[{number}].{name}", spot.cards[place], called, deal)


def _check_place(where: str, card: Card, called: bool, deal: LaterDeal) -> None:
    if called and card == NO_CARD:
        raise Refusal(where, f"is missing: with the wager {deal.wager} a card is dealt")
    if not called and card != NO_CARD:
        raise Refusal(where, f"must be left out: no wager {deal.wager} was made")


def read_parts(game: Game, fields: Mapping[str, Any], options: Mapping[str, Any], read: Reader) -> tuple[Card, ...]:
    """A board of several hands, a field each; whether each has the cards that the rules call for is judged."""
    zone = game.zone_of("table")
    if zone is None:
        raise ValueError(f"{game.key} has no board")
    if "board" in fields:
        raise Refusal("board", f"must be left out: {game.key} takes {' and '.join(name for name, _ in zone.parts)}")
    board = [NO_CARD] * zone.places
    named: dict[int, str] = {}
    for name, places in zone.parts:
        if name not in fields:
            raise Refusal(name, "is missing")
        least = sum(place < zone.cards for place in places)
        cards = read(fields[name], name, range(least, len(places) + 1), game)
        for place, card in zip(places, cards, strict=False):
            board[place] = card
        named |= dict.fromkeys(places, name)
    for deal in game.later_deals:
        if deal.when is None:
            continue
        dealt = tuple(board)
        called = bool(told(game, deal.when, (), (), dealt, options))
        for _, place in deal.to:
            if called != (board[place] != NO_CARD):
                says = "lacks a card that the rules call for" if called else "has a card that the rules do not call for"
                raise Refusal(named[place], f"{says}: {deal.label}")
    return tuple(board)


def check_copies(
    game: Game, options: Mapping[str, Any], dealer: Sequence[Card], board: Sequence[Card], spots: Sequence[Spot]
) -> None:
    """Refuse a card that is there more often than there are decks."""
    every = [*dealer, *board]
    for spot in spots:
        every += spot.cards
    most = game.copies(options)
    if most == 1 and len(set(every)) == len(every):
        return
    counts = Counter(card for card in every if card != NO_CARD)
    if not counts or max(counts.values()) <= most:
        return
    card = next(card for card in every if counts[card] > most)
    place = len(every) - 1 - every[::-1].index(card)
    where = "dealer" if place < len(dealer) else _board_field(game, place - len(dealer))
    if place >= len(dealer) + len(board):
        where = f"spots[{(place - len(dealer) - len(board)) // len(spots[0].cards)}].cards"
    often = "twice" if counts[card] == 2 else f"{counts[card]} times"
    decks = "" if game.shoe is None else f", and the shoe has {most} decks"
    raise Refusal(where, f"{text_of([card])} is there {often} in this round{decks}")


def _board_field(game: Game, place: int) -> str:
    return next((name for name, places in game.board_parts if place in places), "board")
