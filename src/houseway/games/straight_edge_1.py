"""Straight Edge Poker, version 1 (clauses SE1): the dealer has eight cards, runs wrap, copies go to the player."""

from __future__ import annotations

from collections.abc import Collection, Mapping
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


@rule
def play_for(ante: int) -> int:
    """SE1-4: the Play wager equals the Ante."""
    return ante


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


class StraightEdge1(shared.StraightEdge):
    """Seven cards against the dealer's eight."""

    key = "straight-edge-1"
    title = "Straight Edge Poker, version 1"
    document = "001"
    dealer_cards = 8
    length_wager = "bonus"
    wagers = (
        Wager("ante", "Ante", "required"),
        Wager("bonus", "Bonus", "optional", needs="ante"),
        Wager("insurance", "Insurance", "optional", needs="ante"),
        Wager("progressive", "Two Way Bad Beat progressive", "optional", needs="ante"),
        Wager("play", "Play", "follows"),
    )
    table_wagers = ("play", "bonus", "insurance", "progressive")
    families = ("straight-edge-1", "straight-edge")
    schemas = (
        Schema("straight-edge-1", "play", "odds", ("6", "5", "4", "3", "2", "1", "0"), every_hand=True),
        Schema("straight-edge-1", "bonus", "odds", ("7", "6", "5", "4")),
        *shared.SHARED_SCHEMAS,
    )
    reconcile = ("ante", "play", "bonus", "insurance", "progressive")
    options: ClassVar[tuple[Option, ...]] = (
        house.switch("folded_keeps_bonus", False, "A folded hand keeps its Bonus.", "SE1-A1"),
        *shared.progressive_options(),
    )

    def tables_needed(self, wagers: Collection[str]) -> tuple[str, ...]:
        return ("play", *super().tables_needed(wagers))

    def run(self, ranks: int) -> int:
        return runs.wrapping_run(ranks)

    def qualifies(self, dealer: int) -> None:
        return None

    def settle_base(
        self, round_: Round, made: Mapping[str, int], player: int, dealer: int, *, folded: bool
    ) -> tuple[Outcome, dict[str, WagerResult]]:
        ante = made["ante"]
        if folded:
            return "fold", {"ante": settled(ante, 0)}
        play = play_for(ante)
        num, den = round_.tables["play"].schedule(LENGTH_HANDS)
        won = settled(ante, ante_returned(player, dealer, ante))
        return won.result, {"ante": won, "play": settled(play, play_returned(player, dealer, play, num, den))}

    def folded_keeps(self, wager: str, options: Mapping[str, Any]) -> bool:
        """SE1-5: Insurance survives a fold. SE1-A1: the Bonus only where the house says so."""
        return wager == "insurance" or bool(options["folded_keeps_bonus"])

    rule_card = (
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


GAME: Final = StraightEdge1()
