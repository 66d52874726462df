"""Four Card Poker with Aces Up (clauses FC; the progressive's five cards, FV)."""

from __future__ import annotations

from typing import Final

from houseway.cards import ACE, TEN, rank_of
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
from houseway.games.rules import always, even_money, prize, returned_to
from houseway.paytables import Schema
from houseway.ranking import five_card, four_card, poker
from houseway.ranking.four_card import CATEGORIES, PAIR, THREE_OF_A_KIND, category, first_rank
from houseway.ranking.ranking import by_rule
from houseway.rule import Ints, rule

FOLD: Final = 0
ONCE: Final = 1
THREE_TIMES: Final = 3
"""Choices by their place in the decision."""
PAIR_OF_TENS: Final = PAIR << 16 | TEN << 12


@rule
def ante_returned(player: int, dealer: int, ante: int) -> int:
    """FC-4: what the Ante of a hand that was not folded gives back; equal hands win."""
    return even_money(ante) if player >= dealer else 0


@rule
def play_returned(player: int, dealer: int, play: int) -> int:
    """FC-4: what the Play wager gives back; equal hands win."""
    return even_money(play) if player >= dealer else 0


@rule
def ante_bonus(player: int, ante: int, num: Ints, den: Ints) -> int:
    """FC-5: what a hand that was not folded is paid on its Ante, whatever the dealer holds."""
    return prize(ante, category(player), num, den)


@rule
def aces_up_row(player: int) -> int:
    """FC-6: of the pairs only the aces count; a lower one stands with the hands that do not pay."""
    if category(player) == PAIR and first_rank(player) < ACE:
        return 0
    return category(player)


@rule
def aces_up_returned(player: int, aces_up: int, num: Ints, den: Ints) -> int:
    """FC-6: what Aces Up gives back."""
    return returned_to(aces_up, aces_up_row(player), num, den)


@rule
def progressive_row(five: int) -> int:
    """FV-1: the spot's own five cards, as five-card poker ranks them."""
    return poker.category(five)


@rule
def tens_three_times(player: int) -> int:
    """The maker's simple way to play: three times with a pair of tens or better, once with a lower pair."""
    if player >= PAIR_OF_TENS:
        return THREE_TIMES
    return ONCE if category(player) >= PAIR else FOLD


@rule
def any_pair_three_times(player: int) -> int:
    return THREE_TIMES if category(player) >= PAIR else FOLD


@rule
def by_up_card(player: int, up: int) -> int:
    """Three times with a pair above the up card or two pair and better, once with any other pair."""
    if category(player) < PAIR:
        return FOLD
    if category(player) > PAIR or first_rank(player) == ACE:
        return THREE_TIMES
    if first_rank(player) >= TEN and first_rank(player) >= up:
        return THREE_TIMES
    return THREE_TIMES if first_rank(player) > up else ONCE


ACES_UP_HANDS: Final = ("", "pair_of_aces", *CATEGORIES[2:])
DECIDE: Final = "decide"


RULE_CARD: Final = (
    RuleSection(
        "The game",
        (
            RuleLine("One deck of 52 cards; five cards for each spot, six for the dealer, of which one lies face up "
                     "before anyone decides. Every hand is its best four cards: four of a kind, straight flush, three "
                     "of a kind, flush, straight, two pair, pair, high card.", ("FC-1", "CF-2")),
            RuleLine("A spot bets the Ante, Aces Up, or both. Progressive needs the Ante.", ("FC-2",)),
            RuleLine("A spot with an Ante folds and loses it, or makes a Play wager of 1, 2 or 3 times the Ante.",
                     ("FC-3",)),
            RuleLine("The dealer always plays. The better hand wins Ante and Play, 1 to 1 each, and equal hands win "
                     "for the player; a worse hand loses both.", ("FC-4",)),
            RuleLine("Three of a kind or better that was not folded is paid the Ante Bonus, whatever the dealer "
                     "holds.", ("FC-5",)),
            RuleLine("Settled from the dealer's right; in a spot Ante, Play, Ante Bonus, Aces Up, Progressive.",
                     ("FC-8",)),
        ),
    ),
    RuleSection(
        "Aces Up",
        (
            RuleLine("Wins with a pair of aces or better in the spot's best four cards, whatever the dealer holds. A "
                     "fold loses it.", ("FC-6",)),
            RuleLine("A spot with Aces Up alone has no decision to make.", ("FC-7",)),
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
    key="four-card-poker",
    title="Four Card Poker",
    document=PUBLIC_RULES,
    most_spots=7,
    zones=(Zone("hand", "spot", 5), Zone("dealers", "dealer", 6, shown=(0,))),
    values=(
        Hand("player", four_card.BEST_OF_FIVE, ("hand",)),
        Hand("dealer", four_card.BEST_OF_SIX, ("dealers",)),
        Hand("five", five_card.FIVE_CARDS, ("hand",)),
        Hand("up", by_rule(rank_of, 1), (("dealers", 0),)),
    ),
    flow=(
        Decide(
            DECIDE,
            (Choice("fold", folds=True), *multiples("play", "ante", 1, 2, 3)),
            sample=tens_three_times,
            left="fold",
            needs="ante",
        ),
    ),
    base=("ante", "play", "ante_bonus"),
    wagers=(
        Wager("ante", "Ante", "optional", ante_returned),
        Wager("play", "Play", "follows", play_returned),
        Wager("ante_bonus", "Ante Bonus", "award", ante_bonus, of="ante", hands=CATEGORIES),
        Wager("aces_up", "Aces Up", "optional", aces_up_returned, hands=ACES_UP_HANDS),
        Wager("progressive", "Progressive", "optional", needs="ante"),
    ),
    at_least_one=("ante", "aces_up"),
    outcome="ante",
    progressive=five_card_link.five_cards(progressive_row),
    families=("four-card-poker", five_card_link.FAMILY),
    schemas=(
        Schema("four-card-poker", "ante_bonus", "odds", tuple(reversed(CATEGORIES[THREE_OF_A_KIND:])), award=True),
        Schema("four-card-poker", "aces_up", "odds", tuple(reversed(ACES_UP_HANDS[1:]))),
        five_card_link.SCHEMA,
    ),
    options=house.progressive_options(house.folded_qualifies("FV-3")),
    reconcile=("ante", "play", "ante_bonus", "aces_up", "progressive"),
    method=(
        "Every hand of the player is set against every up card, and against every dealer hand with that card: how many "
        "are not better is found by inclusion and exclusion over the cards already dealt. Of fold and the three sizes "
        "of Play the one that is worth most on average is taken."
    ),
    thumbs=(
        Thumb(
            "3x with a pair of tens or better, 1x with a lower pair",
            {DECIDE: tens_three_times},
            in_full="Bet three times the Ante with a pair of tens or better, bet it once with a pair of deuces to "
            "nines, and fold the rest",
        ),
        Thumb(
            "3x with a pair above the up card or better, 1x with other pairs",
            {DECIDE: by_up_card},
            in_full="Bet three times the Ante with two pair or better, with a pair of aces, with a pair above the "
            "dealer's up card, and with a pair of tens or higher that equals it. Bet once with any other pair, and "
            "fold the rest",
        ),
        Thumb("3x with any pair or better", {DECIDE: any_pair_three_times}),
        Thumb("the best that ignores the up card", blind_to="dealers"),
        Thumb("1x with every hand", {DECIDE: always}),
    ),
    published=(
        LiteratureFigure("base", "1", "2.79%"),
        LiteratureFigure("aces_up", "1", "1.98%"),
        LiteratureFigure("aces_up", "5", "6.15%"),
    ),
    example_hands={
        "Four of a kind": "7c 7d 7h 7s Kd",
        "Straight flush": "9h 8h 7h 6h 2c",
        "Three of a kind": "Jc Jd Jh 8s 3d",
        "Pair of tens": "Tc Td 9h 6s 3c",
    },
    rule_card=RULE_CARD,
)
