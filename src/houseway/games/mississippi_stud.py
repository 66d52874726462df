"""Mississippi Stud: two cards, three that everybody shares, and a wager before each (clauses MS)."""

from __future__ import annotations

from typing import Final

from houseway.cards import JACK, TEN, rank_of, suit_of
from houseway.games import five_card_link
from houseway.games import options as house
from houseway.games.draws import four_of_a_suit, is_open_ended, needs_one, rank_bit
from houseway.games.model import (
    PUBLIC_RULES,
    Choice,
    Decide,
    Game,
    Hand,
    LiteratureFigure,
    Option,
    Reveal,
    RuleLine,
    RuleSection,
    TableOption,
    Thumb,
    Wager,
    Zone,
    multiples,
)
from houseway.games.rules import returned_to
from houseway.games.three_card_bonus import bonus_schema, bonus_wager
from houseway.paytables import Schema
from houseway.ranking import five_card, three_card
from houseway.ranking.poker import CATEGORIES, HIGH_CARD, PAIR, category, first_rank
from houseway.ranking.ranking import by_rule
from houseway.ranking.two_card import TWO_CARDS, high_rank, is_pair, is_suited, low_rank
from houseway.rule import Ints, rule

LEAST_THAT_PUSHES: Final = 6
ROWS: Final = ("", "pair_of_sixes_to_tens", "pair_of_jacks_or_better", *CATEGORIES[2:10])
"""The rows of its table as `row` numbers them."""
ONCE: Final = 1
THREE_TIMES: Final = 3
"""The places of two choices at every street: 1x and 3x."""


@rule
def row(player: int) -> int:
    """MS-7: a pair pays from jacks up and pushes from sixes up."""
    if category(player) == PAIR:
        rank = first_rank(player)
        return 2 if rank >= JACK else 1 if rank >= LEAST_THAT_PUSHES else 0
    return 0 if category(player) == HIGH_CARD else category(player) + 1


@rule
def base_returned(player: int, stake: int, num: Ints, den: Ints) -> int:
    """MS-7: the Ante and every street wager pay by one hand and one table."""
    return returned_to(stake, row(player), num, den)


@rule
def progressive_row(player: int) -> int:
    """FV-1: the spot's two cards and the three community cards."""
    return category(player)


# ------------------------------------------------------------------------------------------------ the published strategy


@rule
def points(rank: int) -> int:
    """High cards count two, middle ones one, low ones nothing."""
    return 2 if rank >= JACK else 1 if rank >= LEAST_THAT_PUSHES else 0


@rule
def third_street(pocket: int) -> int:
    """Three times with a pair, once with two points or 6-5 of one suit."""
    if is_pair(pocket):
        return THREE_TIMES
    if points(high_rank(pocket)) + points(low_rank(pocket)) >= 2:
        return ONCE
    return ONCE if is_suited(pocket) and high_rank(pocket) == 6 and low_rank(pocket) == 5 else 0


@rule
def fourth_street(a: int, b: int, c: int) -> int:
    """What the strategy does with three cards."""
    x, y, z = rank_of(a), rank_of(b), rank_of(c)
    top, low = max(x, y, z), min(x, y, z)
    middle = x + y + z - top - low
    if middle in (top, low):
        return THREE_TIMES if middle >= LEAST_THAT_PUSHES or top == low else ONCE
    gaps = top - low - 2
    high = (top >= JACK) + (middle >= JACK) + (low >= JACK)
    if suit_of(a) == suit_of(b) and suit_of(b) == suit_of(c):
        if low >= TEN or (gaps == 0 and low >= 5) or (gaps == 1 and high >= 1) or (gaps == 2 and high >= 2):
            return THREE_TIMES
        return ONCE
    if points(x) + points(y) + points(z) >= 3 or (gaps == 0 and low >= 4):
        return ONCE
    mid = (points(top) == 1) + (points(middle) == 1) + (points(low) == 1)
    return ONCE if gaps == 1 and mid >= 2 else 0


@rule
def fifth_street(a: int, b: int, c: int, d: int) -> int:
    """What the strategy does with four cards."""
    mask = rank_bit(a) | rank_bit(b) | rank_bit(c) | rank_bit(d)
    paired = rank_of(a) == rank_of(b) or rank_of(a) == rank_of(c) or rank_of(a) == rank_of(d)
    rank = rank_of(a) if paired else rank_of(b)
    if not paired:
        if rank_of(b) == rank_of(c) or rank_of(b) == rank_of(d):
            paired = True
        elif rank_of(c) == rank_of(d):
            paired = True
            rank = rank_of(c)
    if paired:
        ranks = mask & mask - 1
        one_pair = ranks & ranks - 1 != 0
        return THREE_TIMES if rank >= LEAST_THAT_PUSHES or not one_pair else ONCE
    if four_of_a_suit(a, b, c, d) or (is_open_ended(mask) and mask >> 8 != 0):
        return THREE_TIMES
    if needs_one(mask):
        return ONCE
    worth = points(rank_of(a)) + points(rank_of(b)) + points(rank_of(c)) + points(rank_of(d))
    return ONCE if worth >= 4 else 0


@rule
def play_pocket(pocket: int) -> int:
    return third_street(pocket)


@rule
def play_three(plan_with_three: int) -> int:
    return plan_with_three


@rule
def play_four(plan_with_four: int) -> int:
    return plan_with_four


@rule
def pair_or_two_points(pocket: int) -> int:
    """Pairs three times; two high or middle cards, or one high card, once."""
    if is_pair(pocket):
        return THREE_TIMES
    return ONCE if points(high_rank(pocket)) + points(low_rank(pocket)) >= 2 else 0


FOLD: Final = Choice("fold", folds=True)


def _street(key: str, label: str) -> Wager:
    return Wager(key, label, "follows", base_returned, hands=ROWS, table="base")


GAME: Final = Game(
    key="mississippi-stud",
    title="Mississippi Stud",
    document=PUBLIC_RULES,
    most_spots=7,
    zones=(Zone("hole", "spot", 2), Zone("board", "table", 3)),
    values=(
        Hand("player", five_card.FIVE_CARDS, ("hole", "board")),
        Hand("pocket", TWO_CARDS, ("hole",)),
        Hand("plan_with_three", by_rule(fourth_street, 3), ("hole", ("board", 0))),
        Hand("plan_with_four", by_rule(fifth_street, 4), ("hole", ("board", 0, 1))),
        Hand("three", three_card.THREE_CARDS, ("board",)),
    ),
    flow=(
        Decide(
            "third",
            (FOLD, *multiples("third_street", "ante", 1, 2, 3)),
            sample=play_pocket,
            left="fold",
            label="3rd Street",
        ),
        Reveal("board", (0,), "First community card"),
        Decide(
            "fourth",
            (FOLD, *multiples("fourth_street", "ante", 1, 2, 3)),
            sample=play_three,
            left="fold",
            label="4th Street",
        ),
        Reveal("board", (1,), "Second community card"),
        Decide(
            "fifth",
            (FOLD, *multiples("fifth_street", "ante", 1, 2, 3)),
            sample=play_four,
            left="fold",
            label="5th Street",
        ),
        Reveal("board", (2,), "Third community card"),
    ),
    base=("ante", "third_street", "fourth_street", "fifth_street"),
    wagers=(
        Wager("ante", "Ante", "required", base_returned, hands=ROWS, table="base"),
        _street("third_street", "3rd Street"),
        _street("fourth_street", "4th Street"),
        _street("fifth_street", "5th Street"),
        bonus_wager("ante", "the three community cards", after_fold="stays"),
        Wager("progressive", "Progressive", "optional", needs="ante"),
    ),
    dealer_hand="",
    outcome="ante",
    progressive=five_card_link.five_cards(progressive_row),
    families=("mississippi-stud", five_card_link.FAMILY),
    table_options=(TableOption("straight_pays", "base", ((4, "standard"), (5, "straight-5"))),),
    schemas=(
        Schema("mississippi-stud", "base", "odds", tuple(reversed(ROWS[1:])), pushes=True),
        bonus_schema("mississippi-stud"),
        five_card_link.SCHEMA,
    ),
    options=(
        Option(
            "straight_pays",
            4,
            "4 or 5",
            lambda value: type(value) is int and value in (4, 5),
            "What a straight pays, to 1; it names the pay table of the base game.",
            ("MS-8",),
        ),
        *house.progressive_options(house.folded_qualifies("MS-A1", "FV-3")),
    ),
    reconcile=("ante", "third_street", "fourth_street", "fifth_street", "three_card_bonus", "progressive"),
    method=(
        "What every five cards pay is added into all their smaller sets; at every street the wager that is worth most "
        "on average is made, or the hand folded, from the last street to the first."
    ),
    thumbs=(
        Thumb(
            "the published strategy by points",
            {"third": play_pocket, "fourth": play_three, "fifth": play_four},
            in_full="Count two points for a jack or better and one for a six to a ten. Two cards: three times the Ante "
            "with a pair, once with two points or with 6-5 of one suit. Three cards: three times with a pair of sixes or "
            "better, three to a royal flush, and three of one suit that follow each other from 5-6-7 up, or have one gap "
            "and a high card, or two gaps and two high cards; once with a lower pair, any other three of one suit, three "
            "points, a run from 4-5-6 up, or a run with one gap and two middle cards. Four cards: three times with a pair "
            "of sixes or better, four of one suit, or four in a row up to an eight or higher; once with a lower pair, "
            "any other four to a straight, or four points. Otherwise fold",
            misses="also looks at what was wagered before",
        ),
        Thumb("pairs three times and two points once, then the best", {"third": pair_or_two_points}),
        Thumb("the best that never looks at the community cards", blind_to="board"),
    ),
    published=(
        LiteratureFigure("base", "standard", house_edge="4.91%", element_of_risk="1.37%", average_bet="3.59"),
        LiteratureFigure("base", "straight-5", house_edge="3.76%"),
        LiteratureFigure("three_card_bonus", "1", house_edge="2.14%"),
        LiteratureFigure("three_card_bonus", "2", house_edge="7.10%"),
    ),
    example_hands={"Pair of jacks": "Jc Jd", "Ace and king of one suit": "As Ks", "Seven and deuce": "7d 2c"},
    rule_card=(
        RuleSection(
            "The game",
            (
                RuleLine("Two cards for every spot; three community cards, face down. No dealer's hand.", ("MS-1",)),
                RuleLine("An Ante puts a spot in the round; 3 Card Bonus and Progressive may go beside it, all before "
                         "the deal.", ("MS-2",)),
                RuleLine("With two cards a spot folds, or makes a 3rd Street wager of 1, 2 or 3 times its Ante.",
                         ("MS-3",)),
                RuleLine("The first community card is turned; who is left folds, or wagers 1, 2 or 3 Antes on 4th "
                         "Street.", ("MS-4",)),
                RuleLine("The second is turned; who is left folds, or wagers 1, 2 or 3 Antes on 5th Street.", ("MS-5",)),
                RuleLine("A fold loses the Ante and every street wager made.", ("MS-6",)),
                RuleLine("The third is turned. The two cards and the three pay every wager from one table; a pair of "
                         "sixes to tens gives them back, anything less loses them.", ("MS-7",)),
                RuleLine("A straight pays 4 to 1, or 5 where the house says so.", ("MS-8",)),
                RuleLine("Nobody shows cards to another player.", ("MS-10",)),
                RuleLine("Settled from the dealer's right: the base wagers, 3 Card Bonus, Progressive.", ("MS-11",)),
            ),
        ),
        RuleSection(
            "Side wagers",
            (
                RuleLine("3 Card Bonus is judged on the three community cards, and stays in play after a fold.",
                         ("MS-9",)),
                RuleLine("Progressive is judged on the two cards and the three; a folded hand does not keep it, unless "
                         "the house says so.", ("FV-1", "FV-3", "MS-A1")),
                RuleLine("Cover All is approved for this game too; it is left out until a house brings its pay table.",
                         ("MS-2",)),
            ),
        ),
    ),
)  # fmt: skip
