"""Three Card Poker with Pair Plus and 6 Card Bonus (clauses TC, TCB; the progressive's hands, TCX)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar, Final

from houseway.cards import ACE, QUEEN, Card, suit_of
from houseway.games import options as house
from houseway.games.model import (
    FOLD,
    NO_DECISION,
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
from houseway.games.rules import even_money, prize, returned_to
from houseway.paytables import Schema
from houseway.ranking import five_card, poker, three_card
from houseway.ranking.three_card import CATEGORIES, STRAIGHT_FLUSH, category
from houseway.refusal import Refusal
from houseway.rule import Ints, rule

SPADES: Final = 3
AKQ_OTHER_SUIT: Final = 6
AKQ_SPADES: Final = 7
PROGRESSIVE_HANDS: Final = (*CATEGORIES, "akq_other_suit", "akq_spades")
"""Progressive rows by row number: the categories, then the two ace-king-queens (TCX-1)."""


@rule
def dealer_plays(dealer: int) -> bool:
    """TC-7: queen high or better."""
    return dealer >= QUEEN << 8


@rule
def play_for(ante: int) -> int:
    """TC-6: the Play wager equals the Ante."""
    return ante


@rule
def ante_returned(player: int, dealer: int, ante: int, equal_hands_lose: bool) -> int:
    """TC-8, TC-9, TC-A1: what the Ante of a hand that was not folded gives back."""
    if not dealer_plays(dealer) or player > dealer:
        return even_money(ante)
    if player == dealer and not equal_hands_lose:
        return ante
    return 0


@rule
def play_returned(player: int, dealer: int, play: int, equal_hands_lose: bool) -> int:
    """TC-8, TC-9, TC-A1: what the Play wager gives back."""
    if not dealer_plays(dealer):
        return play
    if player > dealer:
        return even_money(play)
    if player == dealer and not equal_hands_lose:
        return play
    return 0


@rule
def ante_bonus(player: int, ante: int, num: Ints, den: Ints) -> int:
    """TC-10: what a hand that was not folded is paid on its Ante, whatever the dealer holds."""
    return prize(ante, category(player), num, den)


@rule
def pair_plus_returned(player: int, pair_plus: int, num: Ints, den: Ints) -> int:
    """TC-11: what Pair Plus gives back, whatever the dealer holds."""
    return returned_to(pair_plus, category(player), num, den)


@rule
def six_card_bonus_returned(best_of_six: int, wager: int, num: Ints, den: Ints) -> int:
    """TCB-1: what the 6 Card Bonus gives back on the best five of the player's and the dealer's cards."""
    return returned_to(wager, poker.category(best_of_six), num, den)


@rule
def progressive_row(player: int, suit: int) -> int:
    """TCX-1: the progressive row of a hand; ``suit`` is the suit of any of its cards."""
    if category(player) == STRAIGHT_FLUSH and player >> 8 & 15 == ACE:
        return AKQ_SPADES if suit == SPADES else AKQ_OTHER_SUIT
    return category(player)


SIX_CARD_HANDS: Final = poker.CATEGORIES[:10]


class ThreeCardPoker(Game):
    """Three cards against the dealer, against a pay table, or both."""

    key = "three-card-poker"
    title = "Three Card Poker"
    document = "004 (2023)"
    player_cards = 3
    dealer_cards = 3
    most_spots = 7
    wagers = (
        Wager("ante", "Ante", "optional"),
        Wager("pair_plus", "Pair Plus", "optional"),
        Wager("six_card_bonus", "6 Card Bonus", "optional", needs="ante", advice_cents=100),
        Wager("progressive", "Progressive", "optional", needs="ante"),
        Wager("play", "Play", "follows"),
        Wager("ante_bonus", "Ante Bonus", "award"),
    )
    table_wagers = ("ante_bonus", "pair_plus", "six_card_bonus", "progressive")
    families = ("three-card-poker",)
    schemas = (
        Schema("three-card-poker", "ante_bonus", "odds", ("straight_flush", "three_of_a_kind", "straight"), award=True),
        Schema("three-card-poker", "pair_plus", "odds", tuple(reversed(CATEGORIES[1:]))),
        Schema("three-card-poker", "six_card_bonus", "odds", tuple(reversed(SIX_CARD_HANDS[3:]))),
        Schema("three-card-poker", "progressive", "progressive", tuple(reversed(PROGRESSIVE_HANDS[1:]))),
    )
    reconcile = ("play", "ante_bonus", "ante", "pair_plus", "six_card_bonus", "progressive")
    second_spot_envies = True
    options: ClassVar[tuple[Option, ...]] = (
        house.switch("ante_required", False, "Every spot must bet the Ante.", "TC-3"),
        house.switch("two_spots", False, "A player may bet two adjacent spots, as two hands.", "TC-4", settles=False),
        house.choice("equal_hands", ("push", "lose"), "Ante and Play on equal hands when the dealer plays.", "TC-A1"),
        house.ordering(
            "reconcile_order",
            ("play", "ante_bonus", "ante", "pair_plus"),
            "The order in which the wagers of a spot are settled.",
            "TC-13",
        ),
        *house.progressive_options(house.folded_qualifies("TCX-2", never=True)),
    )

    def tables_needed(self, wagers: Collection[str]) -> tuple[str, ...]:
        needed = super().tables_needed(wagers)
        return ("ante_bonus", *needed) if "ante" in wagers else needed

    def check_wagers(self, wagers: Mapping[str, int], options: Mapping[str, Any]) -> None:
        super().check_wagers(wagers, options)
        if "ante" not in wagers and options["ante_required"]:
            raise Refusal("wagers.ante", "is missing; the option ante_required makes the Ante required")
        if "ante" not in wagers and "pair_plus" not in wagers:
            raise Refusal("wagers", "must hold an ante, a pair_plus, or both")

    def choices(self, wagers: Mapping[str, int]) -> tuple[str, ...]:
        return super().choices(wagers) if "ante" in wagers else ()

    def read_decision(
        self, raw: Mapping[str, Any], cards: Sequence[Card], wagers: Mapping[str, int], options: Mapping[str, Any]
    ) -> Decision:
        if "ante" in wagers:
            return super().read_decision(raw, cards, wagers, options)
        if raw:
            raise Refusal("decision", "must be left out: Pair Plus alone has no decision to make")
        return NO_DECISION

    def settle(self, round_: Round) -> Settlement:
        dealer = three_card.value(*round_.dealer)
        return Settlement(
            DealerSettlement(three_card.name(dealer), CATEGORIES[category(dealer)], bool(dealer_plays(dealer))),
            tuple(self._settle_spot(round_, spot, dealer) for spot in round_.spots),
        )

    def _settle_spot(self, round_: Round, spot: Spot, dealer: int) -> SpotSettlement:
        player = three_card.value(*spot.cards)
        made = spot.wagers
        folded = spot.decision.folded
        wagers: dict[str, WagerResult] = {}
        outcome: Outcome | None = None
        if "ante" in made and folded:
            outcome = "fold"
            wagers["ante"] = settled(made["ante"], 0)
        elif "ante" in made:
            ante = made["ante"]
            play = play_for(ante)
            equal_lose = round_.options["equal_hands"] == "lose"
            wagers["ante"] = settled(ante, ante_returned(player, dealer, ante, equal_lose))
            wagers["play"] = settled(play, play_returned(player, dealer, play, equal_lose))
            outcome = wagers["ante"].result
            bonus = ante_bonus(player, ante, *round_.tables["ante_bonus"].schedule(CATEGORIES))
            if bonus:
                wagers["ante_bonus"] = settled(0, bonus)
        if "pair_plus" in made:
            # TC-6: a fold takes the spot's Pair Plus with it.
            wagers["pair_plus"] = settled_by(
                round_.tables["pair_plus"],
                CATEGORIES,
                pair_plus_returned,
                player,
                made["pair_plus"],
                kept=not folded,
            )
        if "six_card_bonus" in made:
            best = five_card.value_of_six(*spot.cards, *round_.dealer)
            wagers["six_card_bonus"] = settled_by(
                round_.tables["six_card_bonus"],
                SIX_CARD_HANDS,
                six_card_bonus_returned,
                best,
                made["six_card_bonus"],
            )
        row = progressive_row(player, suit_of(spot.cards[0]))
        return SpotSettlement(
            spot.number,
            three_card.name(player),
            CATEGORIES[category(player)],
            outcome,
            wagers,
            PROGRESSIVE_HANDS[row],
            folded,
        )

    def sample_decision(self, cards: Sequence[Card], face_up: Sequence[Card]) -> Decision:
        """Play queen-six-four or better."""
        return PLAY if three_card.value(*cards) >= QUEEN << 8 | 6 << 4 | 4 else FOLD

    rule_card = (
        RuleSection(
            "The game",
            (
                RuleLine("One deck of 52 cards from an approved shuffler; three cards each, face down.", ("TC-1",)),
                RuleLine("Straight flush, three of a kind, straight, flush, pair, high card: a straight beats a flush. "
                         "The ace is high, but low in 3-2-A, the lowest straight.", ("TC-2",)),
                RuleLine("A spot bets the Ante, Pair Plus, or both, in different amounts if it likes.", ("TC-3",)),
                RuleLine("With an Ante a spot folds, or makes a Play wager equal to it; a fold loses Ante and Pair Plus.",
                         ("TC-6",)),
                RuleLine("The dealer plays with queen high or better.", ("TC-7",)),
                RuleLine("If the dealer does not play, the Ante wins 1 to 1 and Play comes back.", ("TC-8",)),
                RuleLine("If the dealer plays, the better hand wins Ante and Play, 1 to 1 each.", ("TC-9",)),
                RuleLine("A straight or better that was not folded is paid the Ante Bonus, even when it loses.",
                         ("TC-10",)),
                RuleLine("Pair Plus wins with a pair or better, whatever the dealer holds. Alone, it has no decision.",
                         ("TC-11",)),
                RuleLine("Designators TCP-01 to TCP-12 name the approved pairs of tables.", ("TC-12",)),
                RuleLine("Settled from the dealer's right; in a spot Play, Ante Bonus, Ante, Pair Plus, unless the house "
                         "orders otherwise.", ("TC-13",)),
                RuleLine("A wager belongs to one spot and one player; players do not bet with each other.", ("TC-14",)),
            ),
        ),
        RuleSection(
            "6 Card Bonus",
            (
                RuleLine("Wins with three of a kind or better in the best five of the player's three and the dealer's "
                         "three cards, ranked as five-card poker.", ("TCB-1", "TCB-3")),
                RuleLine("Stays in play when the player folds.", ("TCB-2",)),
                RuleLine("A $1 wager is recommended.", ("TCB-4",)),
            ),
        ),
        RuleSection(
            "Progressive",
            (
                RuleLine("Ace-king-queen of spades wins the meter; the other rows pay multiples of the wager from the "
                         "tray, the wager not returned.", ("TCX-1",)),
                RuleLine("A folded hand does not qualify.", ("TCX-2",)),
                RuleLine("Seed, multiples and envy grow with the wager the link is set to.", ("TCX-3",)),
                RuleLine("The two ace-king-queens pay envy; a player with two hands can win it from one on the other.",
                         ("TCX-4",)),
                RuleLine("Several winners are paid from the dealer's farthest right, counter-clockwise.", ("TCX-5",)),
            ),
        ),
    )  # fmt: skip


GAME: Final = ThreeCardPoker()
