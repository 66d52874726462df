"""What both versions of Straight Edge Poker share (clauses SE and SEB): insurance and the Two Way Bad Beat."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from houseway.cards import Card
from houseway.games import options as house
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
    WagerResult,
    settled_by,
)
from houseway.games.rules import returned_to
from houseway.paytables import Schema
from houseway.ranking import runs
from houseway.ranking.runs import length
from houseway.rule import Ints, rule

PLAYER_CARDS: Final = 7
MOST_SPOTS: Final = 6
LONGEST: Final = 7
LENGTH_HANDS: Final = tuple(str(cards) for cards in range(LONGEST + 1))
"""Rows by number of cards, for lengths and for margins."""
INSURANCE_HANDS: Final = ("no_two_card_straight",)
BAD_BEAT_HANDS: Final = ("7", "6", "5", "4")


@rule
def is_single(player: int) -> bool:
    """SE-3: the longest run is one card."""
    return length(player) == 1


@rule
def insurance_returned(player: int, insurance: int, num: Ints, den: Ints) -> int:
    """SE-3: what Insurance gives back."""
    if is_single(player):
        return returned_to(insurance, 0, num, den)
    return 0


@rule
def length_returned(player: int, wager: int, num: Ints, den: Ints) -> int:
    """SE1-9, SE2-7: what a wager on the length of the player's own run gives back."""
    return returned_to(wager, length(player), num, den)


@rule
def margin(player: int, dealer: int) -> int:
    """SE-4: by how many cards the player's run is longer."""
    return length(player) - length(dealer)


@rule
def bad_beat_row(player: int, dealer: int) -> int:
    """SEB-1, SEB-2: the length of the lower of two runs of four or more; 0 for a tie or where one is shorter."""
    lower = min(player, dealer)
    if length(lower) < 4 or player == dealer:
        return 0
    return length(lower)


def bad_beat_hand(player: int, dealer: int) -> str:
    """The progressive row key of a spot, empty when it does not win."""
    row = bad_beat_row(player, dealer)
    return str(row) if row else ""


SHARED_SCHEMAS: Final = (
    Schema("straight-edge", "insurance", "odds", INSURANCE_HANDS),
    Schema("straight-edge", "progressive", "progressive", BAD_BEAT_HANDS),
)


def progressive_options() -> tuple[Option, ...]:
    """The progressive's house options at Straight Edge."""
    return house.progressive_options(house.folded_qualifies("SEB-A1"))


SHARED_RULES: Final = (
    RuleLine("One deck of 52 cards in packets of seven. Suits do not matter; a second card of a rank neither helps nor "
             "hurts.", ("SE-1",)),
    RuleLine("The longer run of consecutive ranks wins; equal runs are compared by their ending card, the ace highest. "
             "Of several longest runs the one with the highest ending card counts.", ("SE-2",)),
    RuleLine("No two ranks in sequence is a one-card straight.", ("SE-4",)),
)  # fmt: skip
INSURANCE_RULE: Final = RuleLine("Insurance wins 25 to 1 when the longest run is a single card.", ("SE-3",))
BAD_BEAT_RULES: Final = RuleSection(
    "Two Way Bad Beat progressive",
    (
        RuleLine("Wins when player and dealer both hold four cards or more in sequence and do not tie, whoever was "
                 "beaten.", ("SEB-1",)),
        RuleLine("Pays on the lower of the two hands.", ("SEB-2",)),
        RuleLine("Table TWBB-1 pays envy on the seven-card row; TWBB-2 has none.", ("SEB-3",)),
        RuleLine("Equal runs are a tie and lose this wager, also where the player wins copies.", ("SEB-A2",), fixed=True),
    ),
)  # fmt: skip


class StraightEdge(Game):
    """What the two versions do alike: the order of a settlement, the wager on the own run's length, and Insurance."""

    player_cards = PLAYER_CARDS
    most_spots = MOST_SPOTS
    length_wager: ClassVar[str]
    """The wager on the length of the player's own run."""

    @abstractmethod
    def run(self, ranks: int) -> int:
        """What a set of ranks is worth."""

    @abstractmethod
    def qualifies(self, dealer: int) -> bool | None:
        """Whether the dealer qualifies; None where there is no such rule."""

    @abstractmethod
    def settle_base(
        self, round_: Round, made: Mapping[str, int], player: int, dealer: int, *, folded: bool
    ) -> tuple[Outcome, dict[str, WagerResult]]:
        """The outcome of the base game and what its wagers give back."""

    @abstractmethod
    def folded_keeps(self, wager: str, options: Mapping[str, Any]) -> bool:
        """Whether a folded hand keeps its Insurance, or its wager on the length."""

    def settle(self, round_: Round) -> Settlement:
        dealer = self.run(runs.ranks_of(round_.dealer, self.dealer_cards))
        return Settlement(
            DealerSettlement(runs.name(dealer), runs.category_of(dealer), self.qualifies(dealer)),
            tuple(self._settle_spot(round_, spot, dealer) for spot in round_.spots),
        )

    def _settle_spot(self, round_: Round, spot: Spot, dealer: int) -> SpotSettlement:
        player = self.run(runs.ranks_of(spot.cards, self.player_cards))
        made = spot.wagers
        folded = spot.decision.folded
        outcome, wagers = self.settle_base(round_, made, player, dealer, folded=folded)
        for wager, hands, rule_of in (
            (self.length_wager, LENGTH_HANDS, length_returned),
            ("insurance", INSURANCE_HANDS, insurance_returned),
        ):
            if wager in made:
                kept = not folded or self.folded_keeps(wager, round_.options)
                wagers[wager] = settled_by(round_.tables[wager], hands, rule_of, player, made[wager], kept=kept)
        return SpotSettlement(
            spot.number,
            runs.name(player),
            runs.category_of(player),
            outcome,
            wagers,
            bad_beat_hand(player, dealer),
            folded,
        )

    def sample_decision(self, cards: Sequence[Card], face_up: Sequence[Card]) -> Decision:
        """Play a run of three or more."""
        return PLAY if runs.length(self.run(runs.ranks_of(cards, self.player_cards))) >= 3 else FOLD
