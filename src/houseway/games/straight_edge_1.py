"""Straight Edge Poker, version 1 (clauses SE1): the dealer has eight cards, runs wrap, copies go to the player."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import ClassVar, Final

from houseway.cards import Card
from houseway.games import options as house
from houseway.games import straight_edge as shared
from houseway.games.model import (
    FOLD,
    PLAY,
    DealerSettlement,
    Decision,
    Game,
    Option,
    Outcome,
    Round,
    RuleLine,
    RuleSection,
    Settlement,
    Spot,
    SpotSettlement,
    Wager,
    WagerResult,
    settled,
    settled_by,
)
from houseway.games.rules import even_money, returned_to
from houseway.games.straight_edge import INSURANCE_HANDS, LENGTH_HANDS
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


class StraightEdge1(Game):
    """Seven cards against the dealer's eight."""

    key = "straight-edge-1"
    title = "Straight Edge Poker, version 1"
    document = "001"
    player_cards = shared.PLAYER_CARDS
    dealer_cards = 8
    most_spots = shared.MOST_SPOTS
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

    def settle(self, round_: Round) -> Settlement:
        dealer = runs.wrapping_run(runs.ranks_of(round_.dealer, self.dealer_cards))
        return Settlement(
            DealerSettlement(runs.name(dealer), runs.category_of(dealer), None),
            tuple(self._settle_spot(round_, spot, dealer) for spot in round_.spots),
        )

    def _settle_spot(self, round_: Round, spot: Spot, dealer: int) -> SpotSettlement:
        player = runs.wrapping_run(runs.ranks_of(spot.cards, self.player_cards))
        made = spot.wagers
        ante = made["ante"]
        folded = spot.decision.folded
        wagers: dict[str, WagerResult] = {}
        outcome: Outcome
        if folded:
            outcome = "fold"
            wagers["ante"] = settled(ante, 0)
        else:
            play = play_for(ante)
            num, den = round_.tables["play"].schedule(LENGTH_HANDS)
            wagers["ante"] = settled(ante, ante_returned(player, dealer, ante))
            wagers["play"] = settled(play, play_returned(player, dealer, play, num, den))
            outcome = wagers["ante"].result
        if "bonus" in made:
            kept = not folded or round_.options["folded_keeps_bonus"]
            wagers["bonus"] = settled_by(
                round_.tables["bonus"], LENGTH_HANDS, shared.length_returned, player, made["bonus"], kept=kept
            )
        if "insurance" in made:
            # SE1-5: Insurance survives a fold.
            wagers["insurance"] = settled_by(
                round_.tables["insurance"],
                INSURANCE_HANDS,
                shared.insurance_returned,
                player,
                made["insurance"],
            )
        return SpotSettlement(
            spot.number,
            runs.name(player),
            runs.category_of(player),
            outcome,
            wagers,
            shared.bad_beat_hand(player, dealer),
            folded,
        )

    def sample_decision(self, cards: Sequence[Card], face_up: Sequence[Card]) -> Decision:
        """Play a run of three or more."""
        return PLAY if runs.length(runs.wrapping_run(runs.ranks_of(cards, self.player_cards))) >= 3 else FOLD

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
