"""The rest of a round: the cards that are dealt in its course, off the top of what is left of the deck."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from houseway.cards import NO_CARD, Card, text_of
from houseway.games.flow import told
from houseway.games.model import Game
from houseway.games.round import Dealt


def deal_rest(game: Game, dealt: Dealt, wagers: Mapping[int, Collection[str]]) -> Dealt:
    """A deal with everything that its rules and wagers call for, a card for every place or `NO_CARD`.

    ``wagers`` is by spot every wager that it wagers, those of its choices too.
    """
    if not game.later_deals:
        return dealt
    rest = iter(dealt.rack)
    zones = {zone.key: zone for zone in game.zones}
    hands = {spot: list(game.fill_places("spot", cards)) for spot, cards in dealt.hands.items()}
    shared = {
        "dealer": list(game.fill_places("dealer", dealt.dealer)),
        "table": list(game.fill_places("table", dealt.board)),
    }
    for deal in game.later_deals:
        spots = [spot for spot in sorted(wagers) if deal.wager in wagers[spot]]
        if not spots if deal.when is None else not told(game, deal.when, (), shared["dealer"], shared["table"]):
            continue
        for _ in range(deal.burns):
            next(rest)
        for zone, place in deal.to:
            owner = zones[zone].owner
            for cards in [hands[spot] for spot in spots] if owner == "spot" else [shared[owner]]:
                cards[place] = next(rest)
    return Dealt(
        {spot: tuple(cards) for spot, cards in hands.items()},
        tuple(shared["dealer"]),
        dealt.face_up,
        tuple(rest),
        tuple(shared["table"]),
    )


def card_fields(game: Game, dealt: Dealt) -> dict[str, str]:
    """The cards that all share, as a request to ``houseway settle`` has them: a text by field."""
    fields: dict[str, str] = {}
    dealer = game.zone_of("dealer")
    if dealer is not None:
        fields["dealer"] = text_of(dealt.dealer[: dealer.cards])
        fields |= later_fields(dealer.later, dealt.dealer[dealer.cards :])
    for name, places in game.board_parts:
        fields[name] = text_of([dealt.board[place] for place in places if dealt.board[place] != NO_CARD])
    if dealt.board and not game.board_parts:
        fields["board"] = text_of(dealt.board)
    return fields


def later_fields(names: Sequence[str], cards: Sequence[Card]) -> dict[str, str]:
    """The cards that were dealt later, by the names of their places; none for a place that stayed empty."""
    return {name: text_of([card]) for name, card in zip(names, cards, strict=False) if card != NO_CARD}
