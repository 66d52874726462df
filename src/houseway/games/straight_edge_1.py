"""Straight Edge Poker, version 1 (clauses SE1): the dealer has eight cards, runs wrap, copies go to the player."""

from __future__ import annotations

from typing import Final

from houseway.games import options as house
from houseway.games import straight_edge as shared
from houseway.games.model import Game, RuleLine, RuleSection, Thumb, Wager
from houseway.games.rules import even_money, returned_to
from houseway.games.straight_edge import DECIDE, LENGTH_HANDS
from houseway.paytables import Schema
from houseway.ranking import runs
from houseway.rule import Ints, rule

TWO_TO_QUEEN: Final = 2 << 4 | 12
TWO_TO_KING: Final = 2 << 4 | 13
TWO_TO_ACE: Final = 2 << 4 | 14
THREE_TO_TWO: Final = 3 << 4 | 2
"""Runs by length and ending card."""


@rule
def player_wins(player: int, dealer: int) -> bool:
    """SE1-6: a longer run, or an equal length with an equal or higher ending card."""
    return player >= dealer


@rule
def ante_returned(player: int, dealer: int, ante: int) -> int:
    """SE1-7, SE1-8: what the Ante of a hand that was not folded gives back."""
    if player_wins(player, dealer):
        return even_money(ante)
    return 0


@rule
def play_returned(player: int, dealer: int, play: int, num: Ints, den: Ints) -> int:
    """SE1-7, SE1-8: what the Play wager gives back; a win pays by the margin in cards."""
    if player_wins(player, dealer):
        return returned_to(play, shared.margin(player, dealer), num, den)
    return 0


@rule
def from_king_without_two(player: int, twos: int) -> bool:
    return player > TWO_TO_KING or (player == TWO_TO_KING and twos == 0)


@rule
def from_king(player: int) -> bool:
    return player >= TWO_TO_KING


@rule
def from_ace(player: int) -> bool:
    return player >= TWO_TO_ACE


@rule
def from_three(player: int) -> bool:
    return player >= THREE_TO_TWO


@rule
def from_queen(player: int) -> bool:
    return player >= TWO_TO_QUEEN


RULE_CARD: Final = (
    RuleSection(
        "The game",
        (
            *shared.SHARED_RULES,
            RuleLine("Players get seven cards, the dealer a packet of seven and the top card of the next, all face "
                     "down.", ("SE1-1",)),
            RuleLine("A run may pass through the ace: J-Q-K-A-2-3 is six cards ending in the three.", ("SE1-2",)),
            RuleLine("An ending card beyond the ace counts by its own rank.", ("SE1-A2",), fixed=True),
            RuleLine("An Ante is required; Bonus and Insurance may go beside it.", ("SE1-3",)),
            RuleLine("A spot folds and loses its Ante, or makes a Play wager equal to it.", ("SE1-4",)),
            RuleLine("The player wins with a longer run, or with equal length and an equal or higher ending card.",
                     ("SE1-6",)),
            RuleLine("A win pays the Ante 1 to 1 and Play by the cards it was won by; otherwise both lose.",
                     ("SE1-7", "SE1-8")),
        ),
    ),
    RuleSection(
        "Bonus and Insurance",
        (
            RuleLine("Bonus wins with a run of four or more, even when the hand loses.", ("SE1-9",)),
            shared.INSURANCE_RULE,
            RuleLine("Insurance survives a fold.", ("SE1-5",)),
        ),
    ),
    shared.BAD_BEAT_RULES,
)  # fmt: skip


GAME: Final = Game(
    key="straight-edge-1",
    title="Straight Edge Poker, version 1",
    short_title="Straight Edge, version 1",
    document="001",
    most_spots=shared.MOST_SPOTS,
    zones=shared.zones(dealer_cards=8),
    values=(*shared.values(runs.WRAPPING), shared.cards_of_rank("twos", 2)),
    flow=shared.decision(times=1),
    base=("ante", "play"),
    wagers=(
        Wager("ante", "Ante", "required", ante_returned),
        Wager("play", "Play", "follows", play_returned, hands=LENGTH_HANDS),
        Wager(
            "bonus",
            "Bonus",
            "optional",
            shared.length_returned,
            needs="ante",
            hands=LENGTH_HANDS,
            after_fold="folded_keeps_bonus",
        ),
        # SE1-5: Insurance survives a fold.
        shared.insurance(after_fold="stays"),
        shared.PROGRESSIVE,
    ),
    outcome="ante",
    progressive=shared.BAD_BEAT,
    families=("straight-edge-1", "straight-edge"),
    schemas=(
        Schema("straight-edge-1", "play", "odds", ("6", "5", "4", "3", "2", "1", "0"), every_hand=True),
        Schema("straight-edge-1", "bonus", "odds", ("7", "6", "5", "4")),
        *shared.SHARED_SCHEMAS,
    ),
    options=(
        house.switch("folded_keeps_bonus", False, "A folded hand keeps its Bonus.", "SE1-A1"),
        *shared.progressive_options(),
    ),
    reconcile=("ante", "play", "bonus", "insurance", "progressive"),
    shuffler=shared.SHUFFLER,
    any_mode_of_its_size=True,
    never_linked_with=("straight-edge-2",),
    lays_away=True,
    method=shared.METHOD,
    thumbs=(
        Thumb(
            "play a 2-card straight to the king or better, but a 2-card straight to the king only with no two",
            {DECIDE: from_king_without_two},
            misses=shared.MISSES,
        ),
        Thumb("play a 2-card straight to the king or better", {DECIDE: from_king}, misses=shared.MISSES),
        Thumb("play a 2-card straight to the ace or better", {DECIDE: from_ace}, misses=shared.MISSES),
        Thumb("play a 3-card straight to the two or better", {DECIDE: from_three}, misses=shared.MISSES),
        Thumb("play a 2-card straight to the queen or better", {DECIDE: from_queen}, misses=shared.MISSES),
    ),
    example_hands=shared.EXAMPLE_HANDS,
    rule_card=RULE_CARD,
)
