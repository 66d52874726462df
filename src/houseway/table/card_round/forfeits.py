"""CS-5, TC-15: what folded spots give up, which the dealer takes before the dealer's own hand is turned over."""

from __future__ import annotations

from houseway.games.flow import made_by
from houseway.table.card_round.agenda import judged_on_highest
from houseway.table.card_round.settle import game_of, stays
from houseway.table.card_round.state import Hand, Play
from houseway.table.card_round.streets import actions_of
from houseway.table.config import TableConfig


def forfeits_of(config: TableConfig, hand: Hand) -> dict[str, int]:
    """By wager: the cents of a folded spot that the dealer has still to take; none where it did not fold."""
    if not hand.folded:
        return {}
    stakes = made_by(game_of(config), hand.wagers, actions_of(hand))
    return {
        wager: cents
        for wager, cents in stakes.wagers.items()
        if wager not in ("progressive", *stakes.taken_back, *hand.reconciled) and not stays(config, wager)
    }


def forfeits(config: TableConfig, play: Play) -> dict[int, dict[str, int]]:
    """By spot, from the dealer's right: what is still to be collected. Nothing once the dealer's hand is turned."""
    if play.revealed:
        return {}
    by_spot = {spot: forfeits_of(config, play.hands[spot]) for spot in sorted(play.hands, reverse=True)}
    return {spot: wagers for spot, wagers in by_spot.items() if wagers}


def is_tucked(config: TableConfig, hand: Hand) -> bool:
    """TCB-5, SE1-5: whether a folded hand lies under a wager of its own that is still in play.

    What the highest hand of the round decides does not hold the cards of its spot (CSC-5).
    """
    others = (*hand.reconciled, *judged_on_highest(game_of(config)), "progressive")
    return hand.folded and any(stays(config, wager) for wager in hand.wagers if wager not in others)


def cards_taken(config: TableConfig, hand: Hand) -> int:
    """CS-5: how many cards the dealer counts and takes with the forfeits; none where they stay tucked."""
    return 0 if is_tucked(config, hand) else game_of(config).player_cards
