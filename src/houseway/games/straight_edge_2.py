"""Straight Edge Poker, version 2 (clauses SE2): Ante and Blind, a dealer who must qualify, copies push."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from houseway.games import options as house
from houseway.games import straight_edge as shared
from houseway.games.model import (
    Option,
    Outcome,
    Round,
    RuleLine,
    RuleSection,
    Wager,
    WagerResult,
    settled,
)
from houseway.games.rules import even_money, returned_to
from houseway.games.straight_edge import LENGTH_HANDS
from houseway.paytables import Schema
from houseway.ranking import runs
from houseway.rule import Ints, rule

NINE_TEN: Final = 2 << 4 | 10
"""The lowest run with which the dealer qualifies: two cards ending in the ten."""

MARGIN_ZERO: Final = ("push", "one_to_one", "lose")
PUSH: Final = 0
ONE_TO_ONE: Final = 1


@rule
def dealer_qualifies(dealer: int) -> bool:
    """SE2-4: nine-ten or better."""
    return dealer >= NINE_TEN


@rule
def play_for(ante: int) -> int:
    """SE2-3: the Play wager is exactly twice the Ante."""
    return 2 * ante


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
def blind_returned(player: int, dealer: int, blind: int, margin_zero: int, num: Ints, den: Ints) -> int:
    """SE2-5, SE2-6, SE2-A1: what the Blind gives back; ``margin_zero`` is the place in ``MARGIN_ZERO``."""
    if player < dealer:
        return 0
    if player == dealer:
        return blind
    if shared.margin(player, dealer) == 0:
        if margin_zero == PUSH:
            return blind
        if margin_zero == ONE_TO_ONE:
            return even_money(blind)
        return 0
    return returned_to(blind, shared.margin(player, dealer), num, den)


class StraightEdge2(shared.StraightEdge):
    """Seven cards against the dealer's seven."""

    key = "straight-edge-2"
    title = "Straight Edge Poker, version 2"
    document = "001"
    dealer_cards = 7
    length_wager = "four_plus"
    wagers = (
        Wager("ante", "Ante", "required"),
        Wager("blind", "Blind", "required", equals="ante"),
        Wager("four_plus", "4+", "optional", needs="ante"),
        Wager("insurance", "Insurance", "optional", needs="ante"),
        Wager("progressive", "Two Way Bad Beat progressive", "optional", needs="ante"),
        Wager("play", "Play", "follows"),
    )
    table_wagers = ("blind", "four_plus", "insurance", "progressive")
    families = ("straight-edge-2", "straight-edge")
    schemas = (
        Schema("straight-edge-2", "blind", "odds", ("6", "5", "4", "3", "2", "1"), every_hand=True),
        Schema("straight-edge-2", "four_plus", "odds", ("7", "6", "5", "4")),
        *shared.SHARED_SCHEMAS,
    )
    reconcile = ("ante", "play", "blind", "four_plus", "insurance", "progressive")
    options: ClassVar[tuple[Option, ...]] = (
        house.choice(
            "blind_on_margin_zero",
            MARGIN_ZERO,
            "The Blind of a hand won with a run of equal length.",
            "SE2-A1",
        ),
        house.switch("folded_keeps_insurance", True, "A folded hand keeps its Insurance.", "SE2-A2"),
        house.switch("folded_keeps_four_plus", False, "A folded hand keeps its 4+.", "SE2-A2"),
        *shared.progressive_options(),
    )

    def run(self, ranks: int) -> int:
        return runs.straight_run(ranks)

    def qualifies(self, dealer: int) -> bool:
        return bool(dealer_qualifies(dealer))

    def settle_base(
        self, round_: Round, made: Mapping[str, int], player: int, dealer: int, *, folded: bool
    ) -> tuple[Outcome, dict[str, WagerResult]]:
        ante, blind = made["ante"], made["blind"]
        if folded:
            return "fold", {"ante": settled(ante, 0), "blind": settled(blind, 0)}
        play = play_for(ante)
        zero = MARGIN_ZERO.index(round_.options["blind_on_margin_zero"])
        num, den = round_.tables["blind"].schedule(LENGTH_HANDS)
        won = settled(play, play_returned(player, dealer, play))
        return won.result, {
            "ante": settled(ante, ante_returned(player, dealer, ante)),
            "play": won,
            "blind": settled(blind, blind_returned(player, dealer, blind, zero, num, den)),
        }

    def folded_keeps(self, wager: str, options: Mapping[str, Any]) -> bool:
        """SE2-A2: as the house sets it for each."""
        return bool(options[f"folded_keeps_{wager}"])

    rule_card = (
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


GAME: Final = StraightEdge2()
