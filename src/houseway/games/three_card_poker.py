"""Three Card Poker with Pair Plus and 6 Card Bonus (clauses TC, TCB; the progressive's hands, TCX)."""

from __future__ import annotations

from typing import Final

from houseway.cards import ACE, QUEEN, suit_of
from houseway.games import options as house
from houseway.games.model import (
    Choice,
    Decide,
    Game,
    Hand,
    Mode,
    ProgressiveHand,
    RuleLine,
    RuleSection,
    Stake,
    Thumb,
    Wager,
    Zone,
)
from houseway.games.rules import always, even_money, prize, returned_to
from houseway.paytables import Schema
from houseway.ranking import five_card, poker, three_card
from houseway.ranking.ranking import by_rule
from houseway.ranking.three_card import CATEGORIES, PAIR, STRAIGHT_FLUSH, category
from houseway.rule import Ints, rule

SPADES: Final = 3
AKQ_OTHER_SUIT: Final = 6
AKQ_SPADES: Final = 7
PUSHES: Final = 0
"""The first value of the option equal_hands."""
PROGRESSIVE_HANDS: Final = (*CATEGORIES, "akq_other_suit", "akq_spades")
"""Progressive rows by row number: the categories, then the two ace-king-queens (TCX-1)."""


@rule
def dealer_plays(dealer: int) -> bool:
    """TC-7: queen high or better."""
    return dealer >= QUEEN << 8


@rule
def ante_returned(player: int, dealer: int, ante: int, equal_hands: int) -> int:
    """TC-8, TC-9, TC-A1: what the Ante of a hand that was not folded gives back."""
    if not dealer_plays(dealer) or player > dealer:
        return even_money(ante)
    if player == dealer and equal_hands == PUSHES:
        return ante
    return 0


@rule
def play_returned(player: int, dealer: int, play: int, equal_hands: int) -> int:
    """TC-8, TC-9, TC-A1: what the Play wager gives back."""
    if not dealer_plays(dealer):
        return play
    if player > dealer:
        return even_money(play)
    if player == dealer and equal_hands == PUSHES:
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
def six_card_bonus_returned(best_of_six: int, six_card_bonus: int, num: Ints, den: Ints) -> int:
    """TCB-1: what the 6 Card Bonus gives back on the best five of the player's and the dealer's cards."""
    return returned_to(six_card_bonus, poker.category(best_of_six), num, den)


@rule
def progressive_row(player: int, suit: int) -> int:
    """TCX-1: the progressive row of a hand; ``suit`` is the suit of any of its cards."""
    if category(player) == STRAIGHT_FLUSH and player >> 8 & 15 == ACE:
        return AKQ_SPADES if suit == SPADES else AKQ_OTHER_SUIT
    return category(player)


@rule
def queen_six_four(player: int) -> bool:
    """A simple way to play, and the best: queen-six-four or better."""
    return player >= QUEEN << 8 | 6 << 4 | 4


@rule
def queen_high(player: int) -> bool:
    return player >= QUEEN << 8


@rule
def any_pair(player: int) -> bool:
    return player >= PAIR << 12


SIX_CARD_HANDS: Final = poker.CATEGORIES[:10]
DECIDE: Final = "decide"


RULE_CARD: Final = (
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


GAME: Final = Game(
    key="three-card-poker",
    title="Three Card Poker",
    document="004 (2023)",
    most_spots=7,
    zones=(Zone("hand", "spot", 3), Zone("dealers", "dealer", 3)),
    values=(
        Hand("player", three_card.THREE_CARDS, ("hand",)),
        Hand("dealer", three_card.THREE_CARDS, ("dealers",)),
        Hand("suit", by_rule(suit_of, 1), (("hand", 0),)),
        Hand("best_of_six", five_card.BEST_OF_SIX, ("hand", "dealers")),
    ),
    flow=(
        Decide(
            DECIDE,
            (Choice("fold", folds=True), Choice("play", stakes=(Stake("play", of="ante"),))),
            sample=queen_six_four,
            left="fold",
            needs="ante",
        ),
    ),
    base=("ante", "play", "ante_bonus"),
    wagers=(
        Wager("ante", "Ante", "optional", ante_returned),
        Wager("play", "Play", "follows", play_returned),
        Wager("ante_bonus", "Ante Bonus", "award", ante_bonus, of="ante", hands=CATEGORIES),
        # TC-6: a fold takes the spot's Pair Plus with it.
        Wager("pair_plus", "Pair Plus", "optional", pair_plus_returned, hands=CATEGORIES),
        Wager(
            "six_card_bonus",
            "6 Card Bonus",
            "optional",
            six_card_bonus_returned,
            needs="ante",
            needs_where="side_wagers_need_ante",
            hands=SIX_CARD_HANDS,
            after_fold="stays",
            advice_cents=100,
            judged_on="the best five of the player's and the dealer's cards",
        ),
        Wager("progressive", "Progressive", "optional", needs="ante", needs_where="side_wagers_need_ante"),
    ),
    at_least_one=("ante", "pair_plus"),
    required_by={"ante": "ante_required"},
    outcome="ante",
    qualifies=dealer_plays,
    progressive=ProgressiveHand(progressive_row, PROGRESSIVE_HANDS),
    second_spot_envies=True,
    families=("three-card-poker",),
    schemas=(
        Schema("three-card-poker", "ante_bonus", "odds", ("straight_flush", "three_of_a_kind", "straight"), award=True),
        Schema("three-card-poker", "pair_plus", "odds", tuple(reversed(CATEGORIES[1:]))),
        Schema("three-card-poker", "six_card_bonus", "odds", tuple(reversed(SIX_CARD_HANDS[3:]))),
        Schema("three-card-poker", "progressive", "progressive", tuple(reversed(PROGRESSIVE_HANDS[1:]))),
    ),
    options=(
        house.switch("ante_required", False, "Every spot must bet the Ante.", "TC-3"),
        house.switch("two_spots", False, "A player may bet two adjacent spots, as two hands.", "TC-4", settles=False),
        house.switch(
            "side_wagers_need_ante",
            True,
            "The 6 Card Bonus and the progressive need an Ante; Pair Plus alone does not carry them.",
            "TC-A2",
        ),
        house.choice("equal_hands", ("push", "lose"), "Ante and Play on equal hands when the dealer plays.", "TC-A1"),
        house.ordering(
            "reconcile_order",
            ("play", "ante_bonus", "ante", "pair_plus"),
            "The order in which the wagers of a spot are settled.",
            "TC-13",
        ),
        *house.progressive_options(house.folded_qualifies("TCX-2", never=True)),
    ),
    collects_folds="after_all",
    reconcile=("play", "ante_bonus", "ante", "pair_plus", "six_card_bonus", "progressive"),
    shuffler=(Mode("three-card-poker", "Three Card Poker", ("i-deal", "i-deal-plus", "ace")),),
    call_plays='"dealer plays with a queen"',
    call_does_not_play='"dealer doesn\'t play"',
    method=(
        "Every hand of the player is set against every hand the dealer can then hold. A hand is played where that is "
        "worth more on average than the fold."
    ),
    thumbs=(
        Thumb("play every hand", {DECIDE: always}),
        Thumb("play queen high or better, as the dealer does", {DECIDE: queen_high}),
        Thumb("play any pair or better", {DECIDE: any_pair}),
    ),
    example_hands={
        "Ace king queen of spades": "As Ks Qs",
        "Straight flush": "9h 8h 7h",
        "Three of a kind": "Kc Kd Kh",
        "Straight": "8c 7d 6h",
    },
    rule_card=RULE_CARD,
)
