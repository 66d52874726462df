"""Which hands lie where while a round is reconciled: in hand, tucked under a wager, face up and why, or in the rack."""

from __future__ import annotations

from collections.abc import Iterator

from houseway.cards import Card
from houseway.games import Game
from houseway.games.model import Hand as HandValue
from houseway.games.settle import values_for
from houseway.progressive.link import LinkState
from houseway.rule import arguments_of
from houseway.table.card_round.agenda import is_later, judged_on_highest
from houseway.table.card_round.decide import Felt
from houseway.table.card_round.forfeits import forfeits_of, is_tucked
from houseway.table.card_round.state import Hand
from houseway.table.card_round.streets import board_of
from houseway.table.progressive_round.decide import unnamed


def place_of(felt: Felt, spot: int) -> str:
    """Where the cards of a spot lie now; empty before it has any."""
    play, hand = felt.play, felt.play.hands[spot]
    if not hand.cards:
        return ""
    if is_tucked(felt.table.config, hand):
        return "tucked under its wager"
    if not play.revealed:
        if not hand.folded:
            return "with the player"
        return "folded, to be collected" if forfeits_of(felt.table.config, hand) else _once_collected(felt)
    if kept_for(felt, spot):
        return "face up"
    # SE-5: also what was discarded stays at the spot until that is settled.
    return "at the spot" if _waiting(felt, spot) else "racked"


def _once_collected(felt: Felt) -> str:
    """CSC-A2: where folded hands count for the highest of the round, they stay on the layout until the reveal."""
    declared = felt.game.highest
    bet = {wager for hand in felt.play.hands.values() for wager in hand.wagers}
    counts = declared is not None and felt.options[declared.counts_folded]
    return "counted, kept on the layout" if counts and bet.intersection(judged_on_highest(felt.game)) else "racked"


def _waiting(felt: Felt, spot: int) -> list[str]:
    """The wagers of a spot that its cards are still needed for; Cover All keeps the highest hand alone (CSC-5)."""
    hand = felt.play.hands[spot]
    others = (*hand.reconciled, *judged_on_highest(felt.game), "progressive")
    return [wager for wager in hand.lines or hand.wagers if wager not in others]


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
        yield f"it is the highest hand so far for {_labels(felt.game)}"


def _labels(game: Game) -> str:
    labels = {wager.key: wager.label for wager in game.wagers}
    return ", ".join(labels[key] for key in judged_on_highest(game))


def _unverified(felt: Felt, link: LinkState, spot: int) -> bool:
    """CS-10: whether a spot has a progressive hand that no supervisor has confirmed or dropped."""
    desk = felt.desk
    named = link.claim(felt.table.id, spot) is not None
    return named or (desk is not None and any(number == spot for number, _ in unnamed(desk)))


# ---------------------------------------------------------------------------------------------------- the highest hand


def candidate(felt: Felt) -> int | None:
    """CSC-5, CSC-A1: the spot whose hand is kept as the highest of those turned over so far; None for none, or the
    dealer's, which lies open anyway.
    """
    play, game, declared = felt.play, felt.game, felt.game.highest
    open_wagers = {wager for step in play.steps for wager in step.wagers}
    if declared is None or not open_wagers.intersection(judged_on_highest(game)):
        return None
    names = (declared.of, declared.dealer, *arguments_of(declared.exposes))
    highest, best = 0, None
    for spot in sorted(play.hands, reverse=True):
        values = values_for(game, names, play.hands[spot].cards, play.dealer, board_of(game, play), felt.options)
        highest = highest or values[declared.dealer]
        exposes = declared.exposes(*[values[name] for name in arguments_of(declared.exposes)])
        if _turned_over(felt, spot) and exposes and values[declared.of] > highest:
            highest, best = values[declared.of], spot
    return best


def _turned_over(felt: Felt, spot: int) -> bool:
    """Whether a hand has been reconciled, and counts towards the highest (CSC-A2)."""
    hand, declared = felt.play.hands[spot], felt.game.highest
    if hand.folded and declared is not None and not felt.options[declared.counts_folded]:
        return False
    return not any(step.spot == spot and not is_later(felt.game, step) for step in felt.play.steps)


# -------------------------------------------------------------------------------------------------- cards laid away


def discards(felt: Felt, hand: Hand) -> tuple[Card, ...]:
    """SE-5: what a playing spot lays away: the cards that its hand does not need; nothing at other games."""
    game = felt.game
    value = game.value_of(game.hand)
    if not game.lays_away or not isinstance(value, HandValue) or not hand.cards or not hand.actions or hand.folded:
        return ()
    cards = value.ranking.needed(hand.cards)
    return tuple(card for card in hand.cards if card not in cards)
