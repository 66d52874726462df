"""Which hands lie where while a round is reconciled: in hand, tucked under a wager, face up and why, or in the rack."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from houseway.cards import Card, rank_of
from houseway.games.settle import values_for
from houseway.progressive.link import LinkState
from houseway.ranking import five_card, runs
from houseway.ranking.poker import CATEGORIES, category
from houseway.table.decide import unnamed
from houseway.table.play.agenda import is_later
from houseway.table.play.decide import Felt
from houseway.table.play.settle import stays
from houseway.table.play.state import Hand

COVER_ALL: Final = "cover_all"


def place_of(felt: Felt, spot: int) -> str:
    """Where the cards of a spot lie now; empty before it has any."""
    play, hand = felt.play, felt.play.hands[spot]
    if not hand.cards:
        return ""
    if hand.folded and any(stays(felt.table.config, wager) for wager in _waiting(felt, spot)):
        # TCB-5, SE1-5: the wager is still in play, so its hand is not collected.
        return "tucked under its wager"
    if not play.revealed:
        # TC-15: forfeited cards are collected only after every decision.
        return "folded, to be collected" if hand.folded else "with the player"
    if kept_for(felt, spot):
        return "face up"
    # SE-5: also what was discarded stays at the spot until that is settled.
    return "at the spot" if _waiting(felt, spot) else "racked"


def _waiting(felt: Felt, spot: int) -> list[str]:
    """The wagers of a spot that its cards are still needed for; Cover All keeps the highest hand alone (CSC-5)."""
    hand = felt.play.hands[spot]
    return [wager for wager in hand.lines or hand.wagers if wager not in (*hand.reconciled, COVER_ALL, "progressive")]


def kept_for(felt: Felt, spot: int) -> tuple[str, ...]:
    """Why a hand stays face up on the layout after the reveal."""
    return tuple(_reasons(felt, spot)) if felt.play.revealed else ()


def _reasons(felt: Felt, spot: int) -> Iterator[str]:
    if felt.link is not None and _unverified(felt, felt.link, spot):
        yield "a supervisor must verify its progressive win"
    won = felt.round.win(spot)
    if won is not None and won.envy_cents:
        # PR-30: until envy is paid, which the close of the round does.
        yield "it triggers envy"
    if candidate(felt) == spot:
        yield "it is the highest hand so far for Cover All"


def _unverified(felt: Felt, link: LinkState, spot: int) -> bool:
    """CS-10: whether a spot has a progressive hand that no supervisor has confirmed or dropped."""
    desk = felt.desk
    named = link.claim(felt.table.id, spot) is not None
    return named or (desk is not None and any(one == spot for one, _ in unnamed(desk)))


# ------------------------------------------------------------------------------------------------------------ Cover All


def candidate(felt: Felt) -> int | None:
    """CSC-5, CSC-A1: the spot whose hand is kept as the highest of those turned over so far; None for none, or the
    dealer's, which lies open anyway.
    """
    play = felt.play
    if not any(COVER_ALL in step.wagers for step in play.steps):
        return None
    highest, found = five_card.value(*play.dealer), None
    for spot in sorted(play.hands, reverse=True):
        value = five_card.value(*play.hands[spot].cards)
        if _turned_over(felt, spot) and _exposes(felt, value) and value > highest:
            highest, found = value, spot
    return found


def _turned_over(felt: Felt, spot: int) -> bool:
    """Whether a hand has been reconciled, and counts towards the highest (CSC-A2)."""
    hand = felt.play.hands[spot]
    if hand.folded and not felt.options["cover_all_counts_folded"]:
        return False
    return not any(step.spot == spot and not is_later(felt.game, step) for step in felt.play.steps)


def _exposes(felt: Felt, value: int) -> bool:
    return category(value) >= CATEGORIES.index(str(felt.options["cover_all_expose_from"]))


# -------------------------------------------------------------------------------------------------------- Straight Edge


def discards(felt: Felt, hand: Hand) -> tuple[Card, ...]:
    """SE-5: what a playing spot lays away: the cards outside its run; nothing at other games."""
    game = felt.game
    if not game.lays_away or not hand.cards or hand.decision is None or hand.folded:
        return ()
    value = values_for(game, (game.hand,), hand.cards)[game.hand]
    wanted = [(runs.ending(value) - 2 - turn) % 13 + 2 for turn in range(runs.length(value))]
    kept: list[Card] = []
    for card in hand.cards:
        if rank_of(card) in wanted:
            wanted.remove(rank_of(card))
            kept.append(card)
    return tuple(card for card in hand.cards if card not in kept)
