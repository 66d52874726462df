"""Texas Hold'em Bonus: three wagers street by street against the dealer's seven cards (clauses HB)."""

from __future__ import annotations

from typing import Final

from houseway.cards import ACE, JACK, KING, TEN, rank_of, suit_of
from houseway.games import options as house
from houseway.games.draws import has_run, rank_bit
from houseway.games.model import (
    PUBLIC_RULES,
    Choice,
    Decide,
    Game,
    Hand,
    LiteratureFigure,
    Reveal,
    RuleLine,
    RuleSection,
    Stake,
    Thumb,
    Wager,
    Zone,
)
from houseway.games.rules import even_money, returned_to
from houseway.paytables import Schema
from houseway.ranking import five_card
from houseway.ranking.poker import STRAIGHT, category
from houseway.ranking.ranking import by_rule
from houseway.ranking.two_card import TWO_CARDS, high_rank, is_pair, is_suited, low_rank
from houseway.rule import Ints, rule

BONUS_ROWS: Final = (
    *("", "tens_to_deuces", "ace_queen_or_jack", "kings_to_jacks", "ace_king", "ace_queen_or_jack_suited"),
    *("ace_king_suited", "aces", "both_aces"),
)


@rule
def ante_returned(player: int, dealer: int, ante: int, ante_pays_from: int) -> int:
    """HB-7, HB-8: the Ante of a better hand wins from the house's hand on and pushes below it."""
    if player > dealer and category(player) >= STRAIGHT + ante_pays_from:
        return even_money(ante)
    return ante if player >= dealer else 0


@rule
def wager_returned(player: int, dealer: int, stake: int) -> int:
    """HB-7, HB-8: what Flop, Turn and River give back."""
    if player == dealer:
        return stake
    return even_money(stake) if player > dealer else 0


@rule
def bonus_row(pocket: int, dealer_pocket: int) -> int:
    """HB-9: two aces against two aces stand above everything."""
    high = high_rank(pocket)
    low = low_rank(pocket)
    if is_pair(pocket):
        if high == ACE:
            return 8 if dealer_pocket == pocket else 7
        return 3 if high >= JACK else 1
    if high != ACE or low < JACK:
        return 0
    if low == KING:
        return 6 if is_suited(pocket) else 4
    return 5 if is_suited(pocket) else 2


@rule
def bonus_returned(pocket: int, dealer_pocket: int, bonus: int, num: Ints, den: Ints) -> int:
    """HB-9: what the Bonus gives back."""
    return returned_to(bonus, bonus_row(pocket, dealer_pocket), num, den)


# ------------------------------------------------------------------------------------------------ a simple strategy


@rule
def better_than_deuce_seven(pocket: int) -> bool:
    """Everything but a deuce with a three to a seven of another suit."""
    return is_pair(pocket) or is_suited(pocket) or low_rank(pocket) > 2 or high_rank(pocket) > 7


@rule
def bets_on_the_flop(a: int, b: int, c: int, d: int, e: int) -> int:
    """A pair of one's own, a straight, four of a suit, an ace, or two cards from ten up."""
    x, y = rank_of(a), rank_of(b)
    board = rank_bit(c) | rank_bit(d) | rank_bit(e)
    if x == y or board & (1 << x | 1 << y) or has_run(board | 1 << x | 1 << y):
        return 1
    for suit in range(4):
        shared = (suit_of(c) == suit) + (suit_of(d) == suit) + (suit_of(e) == suit)
        own = (suit_of(a) == suit) + (suit_of(b) == suit)
        if own and shared + own >= 4:
            return 1
    return 1 if max(x, y) == ACE or min(x, y) >= TEN else 0


@rule
def bets_on_the_turn(a: int, b: int, c: int, d: int, e: int, f: int) -> int:
    """A pair of one's own, a straight, a flush, or an ace."""
    x, y = rank_of(a), rank_of(b)
    board = rank_bit(c) | rank_bit(d) | rank_bit(e) | rank_bit(f)
    if x == y or board & (1 << x | 1 << y) or has_run(board | 1 << x | 1 << y):
        return 1
    for suit in range(4):
        shared = (suit_of(c) == suit) + (suit_of(d) == suit) + (suit_of(e) == suit) + (suit_of(f) == suit)
        own = (suit_of(a) == suit) + (suit_of(b) == suit)
        if own and shared + own >= 5:
            return 1
    return 1 if max(x, y) == ACE else 0


@rule
def bet_turn(plan_on_the_flop: int) -> int:
    return plan_on_the_flop


@rule
def bet_river(plan_on_the_turn: int) -> int:
    return plan_on_the_turn


FOLD: Final = Choice("fold", folds=True)
CHECK: Final = Choice("check")

GAME: Final = Game(
    key="texas-holdem-bonus",
    title="Texas Hold'em Bonus",
    document=PUBLIC_RULES,
    most_spots=6,
    zones=(Zone("hole", "spot", 2), Zone("dealers", "dealer", 2), Zone("board", "table", 5)),
    values=(
        Hand("player", five_card.BEST_OF_SEVEN, ("hole", "board")),
        Hand("dealer", five_card.BEST_OF_SEVEN, ("dealers", "board")),
        Hand("pocket", TWO_CARDS, ("hole",)),
        Hand("dealer_pocket", TWO_CARDS, ("dealers",)),
        Hand("plan_on_the_flop", by_rule(bets_on_the_flop, 5), ("hole", ("board", 0, 1, 2))),
        Hand("plan_on_the_turn", by_rule(bets_on_the_turn, 6), ("hole", ("board", 0, 1, 2, 3))),
    ),
    flow=(
        Decide(
            "preflop",
            (FOLD, Choice("play", stakes=(Stake("flop", of="ante", times=2),))),
            sample=better_than_deuce_seven,
            left="fold",
            label="Two cards",
        ),
        Reveal("board", (0, 1, 2), "Flop"),
        Decide(
            "turn_wager",
            (CHECK, Choice("bet", stakes=(Stake("turn", of="ante"),))),
            sample=bet_turn,
            left="check",
            label="Turn wager",
        ),
        Reveal("board", (3,), "Turn"),
        Decide(
            "river_wager",
            (CHECK, Choice("bet", stakes=(Stake("river", of="ante"),))),
            sample=bet_river,
            left="check",
            label="River wager",
        ),
        Reveal("board", (4,), "River"),
    ),
    base=("ante", "flop", "turn", "river"),
    wagers=(
        Wager("ante", "Ante", "required", ante_returned),
        Wager("flop", "Flop", "follows", wager_returned),
        Wager("turn", "Turn", "follows", wager_returned),
        Wager("river", "River", "follows", wager_returned),
        Wager(
            "bonus",
            "Bonus",
            "optional",
            bonus_returned,
            needs="ante",
            hands=BONUS_ROWS,
            after_fold="stays",
            judged_on="the spot's two cards, and with two aces the dealer's two",
        ),
    ),
    outcome="flop",
    families=("texas-holdem-bonus",),
    figures_by={"base": "ante_pays_from"},
    schemas=(Schema("texas-holdem-bonus", "bonus", "odds", tuple(reversed(BONUS_ROWS[1:]))),),
    options=(
        house.choice("ante_pays_from", ("straight", "flush"), "From which hand on a winning Ante pays 1 to 1.", "HB-7"),
        house.DECISION_TIMEOUT,
    ),
    reconcile=("river", "turn", "flop", "ante", "bonus"),
    method=(
        "On every board, up to renamed suits, all pairs of cards are put in order once: how many of the dealer's pairs "
        "lose, tie and win follows from the places. A wager is made where it is worth more on average than none, from "
        "the River wager back to the first decision."
    ),
    thumbs=(
        Thumb(
            "fold 7-2 and worse, bet made hands",
            {"preflop": better_than_deuce_seven, "turn_wager": bet_turn, "river_wager": bet_river},
            in_full="Fold a deuce with a three to a seven of another suit, play everything else. Bet the Turn with a "
            "card that pairs the board, a pocket pair, a straight, four of one suit with one of your own, an ace, or two "
            "cards from ten up. Bet the River with a pair, straight or flush that uses your cards, or with an ace. "
            "Otherwise check",
        ),
    ),
    published=(
        LiteratureFigure("base", "straight", house_edge="2.04%"),
        LiteratureFigure("bonus", "standard", house_edge="8.54%"),
    ),
    example_hands={"Pair of aces": "As Ad", "Ace and king of one suit": "Ah Kh", "Seven and deuce": "7d 2c"},
    rule_card=(
        RuleSection(
            "The game",
            (
                RuleLine("Two cards for every spot and the dealer; five community cards, turned three, one and one.",
                         ("HB-1",)),
                RuleLine("An Ante puts a spot in the round; Bonus may go beside it, all before the deal.", ("HB-2",)),
                RuleLine("With two cards a spot folds its Ante, or makes a Flop wager of exactly 2 Antes.", ("HB-3",)),
                RuleLine("After three community cards it checks, or makes a Turn wager equal to the Ante.", ("HB-4",)),
                RuleLine("After the fourth it checks, or makes a River wager equal to the Ante. After the fifth nothing "
                         "more is wagered.", ("HB-5",)),
                RuleLine("The best five of seven cards count; the dealer always plays.", ("HB-6",)),
                RuleLine("A better hand wins Flop, Turn and River 1 to 1 each; the Ante wins 1 to 1 with a straight or "
                         "better (or a flush, as the house says), otherwise it comes back.", ("HB-7",)),
                RuleLine("A worse hand loses everything.", ("HB-8",)),
                RuleLine("Equal hands give everything back.", ("HB-8", "HB-A1"), fixed=True),
                RuleLine("Settled from the dealer's right: River, Turn, Flop, Ante, Bonus.", ("HB-10",)),
            ),
        ),
        RuleSection(
            "Bonus",
            (
                RuleLine("Judged on the spot's two cards: pairs, and an ace with a king, queen or jack; most when spot "
                         "and dealer both hold two aces. It stays in play after a fold.", ("HB-9",)),
            ),
        ),
    ),
)  # fmt: skip
