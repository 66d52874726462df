"""Crazy 4 Poker with Queens Up (clauses CF; the progressive's five cards, FV)."""

from __future__ import annotations

from typing import Final

from houseway.cards import ACE, KING, QUEEN
from houseway.games import five_card_link
from houseway.games import options as house
from houseway.games.model import (
    PUBLIC_RULES,
    Choice,
    Decide,
    Game,
    Hand,
    LiteratureFigure,
    RuleLine,
    RuleSection,
    Thumb,
    Wager,
    Zone,
    multiples,
)
from houseway.games.rules import always, even_money, returned_to
from houseway.paytables import Schema
from houseway.ranking import five_card, four_card, poker
from houseway.ranking.four_card import CATEGORIES, FOUR_OF_A_KIND, PAIR, STRAIGHT, category, first_rank
from houseway.rule import Ints, rule

DEALER_NEEDS: Final = KING << 12
"""The lowest hands that hold a king stand above this."""
PAIR_OF_ACES: Final = PAIR << 16 | ACE << 12
KING_QUEEN_84: Final = KING << 12 | QUEEN << 8 | 8 << 4 | 4

FOLD: Final = 0
ONCE: Final = 1
THREE_TIMES: Final = 3
"""Choices by their place in the decision."""


@rule
def dealer_qualifies(dealer: int) -> bool:
    """CF-5: king high or better."""
    return dealer >= DEALER_NEEDS


@rule
def aces_or_better(player: int) -> bool:
    """CF-4: what it takes to bet two or three times the Ante."""
    return player >= PAIR_OF_ACES


@rule
def ante_returned(player: int, dealer: int, ante: int) -> int:
    """CF-5, CF-6: what the Ante of a hand that was not folded gives back."""
    if not dealer_qualifies(dealer) or player == dealer:
        return ante
    return even_money(ante) if player > dealer else 0


@rule
def play_returned(player: int, dealer: int, play: int) -> int:
    """CF-5, CF-6, CF-A1: what the Play wager gives back; it wins whenever the dealer does not qualify."""
    if not dealer_qualifies(dealer) or player > dealer:
        return even_money(play)
    return play if player == dealer else 0


@rule
def super_bonus_row(player: int) -> int:
    """CF-7: a straight or better, four aces apart; 0 below."""
    if category(player) < STRAIGHT:
        return 0
    if category(player) == FOUR_OF_A_KIND and first_rank(player) == ACE:
        return FOUR_OF_A_KIND - STRAIGHT + 2
    return category(player) - STRAIGHT + 1


@rule
def super_bonus_returned(player: int, dealer: int, super_bonus: int, num: Ints, den: Ints) -> int:
    """CF-7, CF-8: by the table, and below its rows a push for a hand that does not lose."""
    row = super_bonus_row(player)
    if den[row] != 0:
        return returned_to(super_bonus, row, num, den)
    return super_bonus if player >= dealer or not dealer_qualifies(dealer) else 0


@rule
def queens_up_row(player: int) -> int:
    """CF-9: a pair counts from queens up; a lower one stands with the hands that do not pay."""
    if category(player) == PAIR and first_rank(player) < QUEEN:
        return 0
    return category(player)


@rule
def queens_up_returned(player: int, queens_up: int, num: Ints, den: Ints) -> int:
    """CF-9: what Queens Up gives back."""
    return returned_to(queens_up, queens_up_row(player), num, den)


@rule
def progressive_row(five: int) -> int:
    """FV-1: the spot's own five cards, as five-card poker ranks them."""
    return poker.category(five)


@rule
def king_queen_eight_four(player: int) -> int:
    """The published way to play: three times with a pair of aces or better, once from K-Q-8-4 up."""
    if player >= PAIR_OF_ACES:
        return THREE_TIMES
    return ONCE if player >= KING_QUEEN_84 else FOLD


@rule
def as_dealer(player: int) -> int:
    if player >= PAIR_OF_ACES:
        return THREE_TIMES
    return ONCE if player >= DEALER_NEEDS else FOLD


@rule
def pairs_only(player: int) -> int:
    if player >= PAIR_OF_ACES:
        return THREE_TIMES
    return ONCE if category(player) >= PAIR else FOLD


@rule
def never_three_times(player: int) -> int:
    return ONCE if player >= KING_QUEEN_84 else FOLD


SUPER_BONUS_HANDS: Final = ("", *CATEGORIES[STRAIGHT:], "four_aces")
QUEENS_UP_HANDS: Final = ("", "pair_of_queens_or_better", *CATEGORIES[2:])
DECIDE: Final = "decide"


RULE_CARD: Final = (
    RuleSection(
        "The game",
        (
            RuleLine("One deck of 52 cards; five cards each, face down, the dealer too. Every hand is its best four "
                     "cards.", ("CF-1",)),
            RuleLine("Four of a kind, straight flush, three of a kind, flush, straight, two pair, pair, high card. The "
                     "ace is high, and low in A-2-3-4.", ("CF-2",)),
            RuleLine("Ante and Super Bonus are required and equal. Queens Up and Progressive may go beside them, all "
                     "before the deal.", ("CF-3",)),
            RuleLine("Each spot folds and loses Ante and Super Bonus, or makes a Play wager equal to its Ante. With a "
                     "pair of aces or better Play may be 2 or 3 times the Ante.", ("CF-4",)),
            RuleLine("The dealer needs king high or better. Without it every Play wins 1 to 1 and every Ante comes "
                     "back, whatever the spot holds.", ("CF-5", "CF-A1")),
            RuleLine("With it the better hand wins Ante and Play, 1 to 1 each; equal hands push both; a lower hand "
                     "loses both.", ("CF-6",)),
            RuleLine("Super Bonus pays a straight or better from its table, even when the hand loses.", ("CF-7",)),
            RuleLine("Below a straight Super Bonus comes back when the spot wins or ties, or the dealer does not "
                     "qualify. Otherwise it loses.", ("CF-8",)),
            RuleLine("Cover All is not offered: no document holds its pay table for this game.", ("CF-3",)),
            RuleLine("Settled from the dealer's right; in a spot Ante, Play, Super Bonus, Queens Up, Progressive.",
                     ("CF-10",)),
        ),
    ),
    RuleSection(
        "Queens Up",
        (
            RuleLine("Wins with a pair of queens or better in the spot's best four cards, whatever the dealer holds. "
                     "A fold loses it unless the house says otherwise.", ("CF-9",)),
        ),
    ),
    RuleSection(
        "Progressive",
        (
            RuleLine("Judged on the spot's own five cards, ranked as five-card poker.", ("FV-1",)),
        ),
    ),
)  # fmt: skip


GAME: Final = Game(
    key="crazy-four-poker",
    title="Crazy 4 Poker",
    document=PUBLIC_RULES,
    most_spots=7,
    zones=(Zone("hand", "spot", 5), Zone("dealers", "dealer", 5)),
    values=(
        Hand("player", four_card.BEST_OF_FIVE, ("hand",)),
        Hand("dealer", four_card.BEST_OF_FIVE, ("dealers",)),
        Hand("five", five_card.FIVE_CARDS, ("hand",)),
    ),
    flow=(
        Decide(
            DECIDE,
            (
                Choice("fold", folds=True),
                *multiples("play", "ante", 1),
                *multiples("play", "ante", 2, 3, when=aces_or_better),
            ),
            sample=king_queen_eight_four,
            left="fold",
        ),
    ),
    base=("ante", "super_bonus", "play"),
    wagers=(
        Wager("ante", "Ante", "required", ante_returned),
        Wager("play", "Play", "follows", play_returned),
        Wager(
            "super_bonus",
            "Super Bonus",
            "required",
            super_bonus_returned,
            equals="ante",
            hands=SUPER_BONUS_HANDS,
            against_dealer=True,
        ),
        Wager(
            "queens_up",
            "Queens Up",
            "optional",
            queens_up_returned,
            hands=QUEENS_UP_HANDS,
            after_fold="folded_keeps_queens_up",
        ),
        Wager("progressive", "Progressive", "optional"),
    ),
    outcome="play",
    qualifies=dealer_qualifies,
    progressive=five_card_link.five_cards(progressive_row),
    families=("crazy-four-poker", five_card_link.FAMILY),
    schemas=(
        Schema("crazy-four-poker", "super_bonus", "odds", tuple(reversed(SUPER_BONUS_HANDS[1:]))),
        Schema("crazy-four-poker", "queens_up", "odds", tuple(reversed(QUEENS_UP_HANDS[1:]))),
        five_card_link.SCHEMA,
    ),
    options=(
        house.switch("folded_keeps_queens_up", False, "A folded hand keeps its Queens Up.", "CF-9"),
        *house.progressive_options(house.folded_qualifies("FV-3")),
    ),
    reconcile=("ante", "play", "super_bonus", "queens_up", "progressive"),
    call_does_not_play='"dealer does not qualify"',
    method=(
        "Every hand of the player is set against every hand the dealer can then hold, how many are lower, equal and "
        "higher found by inclusion and exclusion over the cards already dealt. Of the choices that are open the one "
        "that is worth most on average is taken."
    ),
    thumbs=(
        Thumb(
            "3x with a pair of aces or better, 1x from K-Q-8-4",
            {DECIDE: king_queen_eight_four},
            in_full="With a pair of aces or better bet three times the Ante. Otherwise bet the Ante once with "
            "king-queen-eight-four or better, and fold the rest",
        ),
        Thumb("1x from king high, as the dealer qualifies; 3x with aces or better", {DECIDE: as_dealer}),
        Thumb("1x with any pair; 3x with aces or better", {DECIDE: pairs_only}),
        Thumb("1x from K-Q-8-4, never more", {DECIDE: never_three_times}),
        Thumb("1x with every hand", {DECIDE: always}),
    ),
    published=(LiteratureFigure("base", "standard", "3.42%", element_of_risk="1.09%", standard_deviation="3.13"),),
    example_hands={
        "Four aces": "Ac Ad Ah As 9d",
        "Four of a kind": "7c 7d 7h 7s Kd",
        "Straight flush": "9h 8h 7h 6h 2c",
        "Three of a kind": "Jc Jd Jh 8s 3d",
        "Pair of aces": "Ac Ad 9h 6s 3c",
    },
    rule_card=RULE_CARD,
)
