"""DJ Wild Stud Poker (clauses DJ)."""

from __future__ import annotations

from typing import Final

from houseway.cards import ACE, DECK_53, KING
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
    Stake,
    Thumb,
    Wager,
    Zone,
)
from houseway.games.rules import always, even_money, returned_to
from houseway.paytables import Schema
from houseway.ranking import wild
from houseway.ranking.poker import category
from houseway.ranking.wild import CATEGORIES, PAIR, STRAIGHT
from houseway.rule import Ints, rule

PAIR_OF_FOURS: Final = PAIR << 20 | 4 << 16
PAIR_OF_FIVES: Final = PAIR << 20 | 5 << 16


@rule
def ante_returned(player: int, dealer: int, ante: int) -> int:
    """DJ-6: what the Ante of a hand that was not folded gives back."""
    if player == dealer:
        return ante
    return even_money(ante) if player > dealer else 0


@rule
def play_returned(player: int, dealer: int, play: int) -> int:
    """DJ-6: what the Play wager gives back."""
    if player == dealer:
        return play
    return even_money(play) if player > dealer else 0


@rule
def blind_returned(player: int, dealer: int, blind: int, num: Ints, den: Ints) -> int:
    """DJ-6: a winning hand is paid from the table, below its last row the Blind pushes."""
    if player < dealer:
        return 0
    if player == dealer or den[category(player)] == 0:
        return blind
    return returned_to(blind, category(player), num, den)


@rule
def fours_without_a_three(player: int) -> bool:
    """The best way to play: a pair of fours or better, but not a pair of fours beside a three."""
    return player >= PAIR_OF_FOURS and (player >= PAIR_OF_FIVES or player >> 4 & 15 > 3)


@rule
def pair_of_fours(player: int) -> bool:
    return player >= PAIR_OF_FOURS


@rule
def pair_of_fives(player: int) -> bool:
    return player >= PAIR_OF_FIVES


@rule
def any_pair(player: int) -> bool:
    return category(player) >= PAIR


@rule
def ace_king(player: int) -> bool:
    return player >= ACE << 16 | KING << 12


BLIND_HANDS: Final = CATEGORIES
DECIDE: Final = "decide"


RULE_CARD: Final = (
    RuleSection(
        "The game",
        (
            RuleLine("53 cards: 52 and one joker. The joker and the four deuces are wild: each stands for any card.",
                     ("DJ-1",)),
            RuleLine("Five wilds, royal flush, five of a kind, straight flush, four of a kind, full house, flush, "
                     "straight, three of a kind, two pair, pair, high card.", ("DJ-2",)),
            RuleLine("In a flush a wild card is the highest rank the flush lacks.", ("DJ-A1",), fixed=True),
            RuleLine("Five cards each, face down; no card of the dealer's is seen.", ("DJ-3",)),
            RuleLine("Ante and Blind are required and equal. Progressive is not offered with this deck.", ("DJ-4",)),
            RuleLine("Cover All and Trips are not offered: no document holds their pay tables for this game.",
                     ("DJ-4",)),
            RuleLine("Each spot folds and loses both, or makes a Play wager of exactly twice its Ante.", ("DJ-5",)),
            RuleLine("The dealer always plays. The better hand wins Ante and Play, 1 to 1 each, and the Blind from its "
                     "table; below the last row the Blind comes back. Equal hands push all three, a worse hand loses "
                     "all three.", ("DJ-6",)),
            RuleLine("Settled from the dealer's right; in a spot Play, Ante, Blind.", ("DJ-7",)),
        ),
    ),
)  # fmt: skip


GAME: Final = Game(
    key="dj-wild",
    title="DJ Wild Stud Poker",
    short_title="DJ Wild",
    document=PUBLIC_RULES,
    most_spots=6,
    deck=DECK_53,
    zones=(Zone("hand", "spot", 5), Zone("dealers", "dealer", 5)),
    values=(Hand("player", wild.FIVE_CARDS, ("hand",)), Hand("dealer", wild.FIVE_CARDS, ("dealers",))),
    flow=(
        Decide(
            DECIDE,
            (Choice("fold", folds=True), Choice("play", stakes=(Stake("play", of="ante", times=2),))),
            sample=fours_without_a_three,
            left="fold",
        ),
    ),
    base=("ante", "blind", "play"),
    wagers=(
        Wager("ante", "Ante", "required", ante_returned),
        Wager("play", "Play", "follows", play_returned),
        Wager("blind", "Blind", "required", blind_returned, equals="ante", hands=BLIND_HANDS, against_dealer=True),
    ),
    outcome="ante",
    families=("dj-wild",),
    schemas=(Schema("dj-wild", "blind", "odds", tuple(reversed(CATEGORIES[STRAIGHT:]))),),
    options=(house.DECISION_TIMEOUT,),
    reconcile=("play", "ante", "blind"),
    method=(
        "Every hand of the player is set against every hand the dealer can then hold, how many are lower, equal and "
        "higher found by inclusion and exclusion over the cards already dealt. A hand is played where that is worth "
        "more on average than the fold."
    ),
    thumbs=(
        Thumb(
            "play a pair of fours or better, but not a pair of fours with a three",
            {DECIDE: fours_without_a_three},
            in_full="Play a pair of fives or better, and a pair of fours unless you also hold a three; fold the rest",
        ),
        Thumb("play a pair of fours or better", {DECIDE: pair_of_fours}),
        Thumb("play a pair of fives or better", {DECIDE: pair_of_fives}),
        Thumb("play any pair or better", {DECIDE: any_pair}),
        Thumb("play ace-king or better", {DECIDE: ace_king}),
        Thumb("play every hand", {DECIDE: always}),
    ),
    published=(LiteratureFigure("base", "standard", "3.47%"),),
    example_hands={
        "Five wilds": "2c 2d 2h 2s Jk",
        "Royal flush": "As Ks Qs 2d Jk",
        "Five of a kind": "9c 9d 9h 2s Jk",
        "Straight flush": "9h 8h 7h 6h 2c",
        "Four of a kind": "Kc Kd Kh 2s 4d",
    },
    rule_card=RULE_CARD,
)
