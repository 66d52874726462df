"""Straight Edge Poker, version 2 (clauses SE2): Ante and Blind, a dealer who must qualify, copies push."""

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

NINE_TEN: Final = 2 << 4 | 10
"""The lowest run with which the dealer qualifies: two cards ending in the ten."""

TWO_TO_JACK: Final = 2 << 4 | 11
TWO_TO_QUEEN: Final = 2 << 4 | 12
TWO_TO_KING: Final = 2 << 4 | 13
TWO_TO_ACE: Final = 2 << 4 | 14
"""Runs by length and ending card."""

MARGIN_ZERO: Final = ("push", "one_to_one", "lose")
PUSH: Final = 0
ONE_TO_ONE: Final = 1


@rule
def dealer_qualifies(dealer: int) -> bool:
    """SE2-4: nine-ten or better."""
    return dealer >= NINE_TEN


@rule
def play_returned(player: int, dealer: int, play: int) -> int:
    """SE2-5, SE2-6: what the Play wager gives back."""
    if player > dealer:
        return even_money(play)
    if player == dealer:
        return play
    return 0


@rule
def ante_returned(player: int, dealer: int, ante: int) -> int:
    """SE2-4, SE2-5, SE2-6: what the Ante of a hand that was not folded gives back."""
    if not dealer_qualifies(dealer) or player == dealer:
        return ante
    if player > dealer:
        return even_money(ante)
    return 0


@rule
def blind_returned(player: int, dealer: int, blind: int, blind_on_margin_zero: int, num: Ints, den: Ints) -> int:
    """SE2-5, SE2-6, SE2-A1: what the Blind gives back; ``blind_on_margin_zero`` is the place in ``MARGIN_ZERO``."""
    if player < dealer:
        return 0
    if player == dealer:
        return blind
    if shared.margin(player, dealer) == 0:
        if blind_on_margin_zero == PUSH:
            return blind
        if blind_on_margin_zero == ONE_TO_ONE:
            return even_money(blind)
        return 0
    return returned_to(blind, shared.margin(player, dealer), num, den)


@rule
def from_king_or_queen_with_three(player: int, queens_and_aces: int) -> bool:
    return player >= TWO_TO_KING or (player == TWO_TO_QUEEN and queens_and_aces >= 3)


@rule
def from_king(player: int) -> bool:
    return player >= TWO_TO_KING


@rule
def from_queen(player: int) -> bool:
    return player >= TWO_TO_QUEEN


@rule
def from_jack(player: int) -> bool:
    return player >= TWO_TO_JACK


@rule
def from_ace(player: int) -> bool:
    return player >= TWO_TO_ACE


RULE_CARD: Final = (
    RuleSection(
        "The game",
        (
            *shared.SHARED_RULES,
            RuleLine("Player and dealer get seven cards each. The ace is the lowest or the highest card of a run, "
                     "never inside one.", ("SE2-1",)),
            RuleLine("Ante and Blind are required and equal; 4+ and Insurance may go beside them.", ("SE2-2",)),
            RuleLine("A spot folds and loses both, or makes a Play wager of exactly twice the Ante.", ("SE2-3",)),
            RuleLine("The dealer needs nine-ten, a two-card run, or better; otherwise every Ante in play comes back, "
                     "and Play and Blind are settled as usual.", ("SE2-4",)),
            RuleLine("A win pays Ante and Play 1 to 1 and the Blind by the cards it was won by.", ("SE2-5",)),
            RuleLine("A loss takes all three; a copy gives all three back.", ("SE2-6",)),
        ),
    ),
    RuleSection(
        "4+ and Insurance",
        (
            RuleLine("4+ wins with a run of four or more, even when the hand loses.", ("SE2-7",)),
            shared.INSURANCE_RULE,
        ),
    ),
    shared.BAD_BEAT_RULES,
)  # fmt: skip


GAME: Final = Game(
    key="straight-edge-2",
    title="Straight Edge Poker, version 2",
    short_title="Straight Edge, version 2",
    document="001",
    most_spots=shared.MOST_SPOTS,
    zones=shared.zones(dealer_cards=7),
    values=(*shared.values(runs.STRAIGHT), shared.cards_of_rank("queens_and_aces", 12, 14)),
    flow=shared.decision(times=2),
    base=("ante", "play", "blind"),
    wagers=(
        Wager("ante", "Ante", "required", ante_returned),
        Wager("play", "Play", "follows", play_returned, compared_always=True),
        Wager("blind", "Blind", "required", blind_returned, equals="ante", hands=LENGTH_HANDS),
        Wager(
            "four_plus",
            "4+",
            "optional",
            shared.length_returned,
            needs="ante",
            hands=LENGTH_HANDS,
            after_fold="folded_keeps_four_plus",
        ),
        shared.insurance(after_fold="folded_keeps_insurance"),
        shared.PROGRESSIVE,
    ),
    outcome="play",
    qualifies=dealer_qualifies,
    progressive=shared.BAD_BEAT,
    families=("straight-edge-2", "straight-edge"),
    schemas=(
        Schema("straight-edge-2", "blind", "odds", ("6", "5", "4", "3", "2", "1"), every_hand=True),
        Schema("straight-edge-2", "four_plus", "odds", ("7", "6", "5", "4")),
        *shared.SHARED_SCHEMAS,
    ),
    options=(
        house.choice(
            "blind_on_margin_zero",
            MARGIN_ZERO,
            "The Blind of a hand won with a run of equal length.",
            "SE2-A1",
        ),
        house.switch("folded_keeps_insurance", True, "A folded hand keeps its Insurance.", "SE2-A2"),
        house.switch("folded_keeps_four_plus", False, "A folded hand keeps its 4+.", "SE2-A2"),
        *shared.progressive_options(),
    ),
    reconcile=("ante", "play", "blind", "four_plus", "insurance", "progressive"),
    at_once=("ante",),
    at_once_words="give every Ante back",
    shuffler=shared.SHUFFLER,
    any_mode_of_its_size=True,
    never_linked_with=("straight-edge-1",),
    lays_away=True,
    method=shared.METHOD,
    thumbs=(
        Thumb(
            "play a 2-card straight to the king or better, and a 2-card straight to the queen with at least 3 queens and "
            "aces",
            {DECIDE: from_king_or_queen_with_three},
            misses=shared.MISSES,
        ),
        Thumb("play a 2-card straight to the king or better", {DECIDE: from_king}, misses=shared.MISSES),
        Thumb("play a 2-card straight to the queen or better", {DECIDE: from_queen}, misses=shared.MISSES),
        Thumb("play a 2-card straight to the jack or better", {DECIDE: from_jack}, misses=shared.MISSES),
        Thumb("play a 2-card straight to the ace or better", {DECIDE: from_ace}, misses=shared.MISSES),
    ),
    example_hands=shared.EXAMPLE_HANDS,
    rule_card=RULE_CARD,
)
