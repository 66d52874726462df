"""Let It Ride with its 3 Card Bonus: three cards, two that everybody shares, and wagers to take back (clauses LR)."""

from __future__ import annotations

from typing import Final

from houseway.cards import TEN, rank_of, suit_of
from houseway.games import five_card_link
from houseway.games import options as house
from houseway.games.draws import four_of_a_suit, is_open_ended, rank_bit
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
    Thumb,
    Wager,
    Zone,
)
from houseway.games.rules import always, returned_to
from houseway.games.three_card_bonus import bonus_schema, bonus_wager
from houseway.paytables import Schema
from houseway.ranking import five_card, three_card
from houseway.ranking.poker import CATEGORIES, HIGH_CARD, PAIR, category, first_rank
from houseway.ranking.ranking import by_rule
from houseway.rule import Ints, rule

ROWS: Final = ("", "pair_of_tens_or_better", *CATEGORIES[2:10])
"""The rows of its table as `row` numbers them."""


@rule
def row(player: int) -> int:
    """LR-6: a pair pays from tens up."""
    if category(player) == PAIR and first_rank(player) < TEN:
        return HIGH_CARD
    return category(player)


@rule
def base_returned(player: int, stake: int, num: Ints, den: Ints) -> int:
    """LR-6: every wager left pays by one hand and one table."""
    return returned_to(stake, row(player), num, den)


@rule
def progressive_row(player: int) -> int:
    """FV-1: the spot's three cards and the two community cards."""
    return category(player)


# ------------------------------------------------------------------------------------------------ the published strategy


@rule
def rides_with_three(a: int, b: int, c: int) -> int:
    """A paying hand, or three of one suit near enough to a straight flush."""
    x, y, z = rank_of(a), rank_of(b), rank_of(c)
    top, low = max(x, y, z), min(x, y, z)
    middle = x + y + z - top - low
    if middle in (top, low):
        return 1 if middle >= TEN or top == low else 0
    if suit_of(a) != suit_of(b) or suit_of(b) != suit_of(c):
        return 0
    spread = top - low
    high = (top >= TEN) + (middle >= TEN) + (low >= TEN)
    if high == 3 or (spread == 2 and low >= 3):
        return 1
    return 1 if (spread == 3 and high >= 1) or (spread == 4 and high >= 2) else 0


@rule
def rides_with_four(a: int, b: int, c: int, d: int) -> int:
    """A paying hand, four of one suit, or four in a row with a high card."""
    mask = rank_bit(a) | rank_bit(b) | rank_bit(c) | rank_bit(d)
    without_one = mask & mask - 1
    without_two = without_one & without_one - 1
    if without_two == 0:
        return 1  # two ranks or fewer: two pair, three of a kind, four of a kind
    if without_two & without_two - 1 == 0:
        if rank_of(a) == rank_of(b) or rank_of(a) == rank_of(c) or rank_of(a) == rank_of(d):
            return 1 if rank_of(a) >= TEN else 0
        if rank_of(b) == rank_of(c) or rank_of(b) == rank_of(d):
            return 1 if rank_of(b) >= TEN else 0
        return 1 if rank_of(c) >= TEN else 0
    if four_of_a_suit(a, b, c, d):
        return 1
    return 1 if is_open_ended(mask) and mask >> TEN != 0 else 0


@rule
def ride_three(plan_with_three: int) -> int:
    return plan_with_three


@rule
def ride_four(plan_with_four: int) -> int:
    return plan_with_four


@rule
def pays_already(three: int) -> bool:
    """A pair of tens or better in three cards."""
    return three >= three_card.PAIR << 12 | TEN << 8 and three_card.category(three) in (
        three_card.PAIR,
        three_card.THREE_OF_A_KIND,
    )


def _take_back_or_ride(wager: str) -> tuple[Choice, ...]:
    return Choice("take_back", takes_back=wager), Choice("ride", "Let it ride")


def _wager(key: str, label: str, equals: str = "") -> Wager:
    return Wager(key, label, "required", base_returned, equals=equals, hands=ROWS, table="base")


GAME: Final = Game(
    key="let-it-ride",
    title="Let It Ride",
    document=PUBLIC_RULES,
    most_spots=7,
    zones=(Zone("hand", "spot", 3), Zone("board", "table", 2, burned=1)),
    values=(
        Hand("player", five_card.FIVE_CARDS, ("hand", "board")),
        Hand("three", three_card.THREE_CARDS, ("hand",)),
        Hand("plan_with_three", by_rule(rides_with_three, 3), ("hand",)),
        Hand("plan_with_four", by_rule(rides_with_four, 4), ("hand", ("board", 0))),
    ),
    flow=(
        Decide("first", _take_back_or_ride("bet_1"), sample=ride_three, left="take_back", label="Wager 1"),
        Reveal("board", (0,), "First community card"),
        Decide("second", _take_back_or_ride("bet_2"), sample=ride_four, left="take_back", label="Wager 2"),
        Reveal("board", (1,), "Second community card"),
    ),
    base=("bet_dollar", "bet_2", "bet_1"),
    wagers=(
        _wager("bet_1", "1", equals="bet_dollar"),
        _wager("bet_2", "2", equals="bet_dollar"),
        _wager("bet_dollar", "$"),
        bonus_wager("bet_dollar", "the spot's own three cards"),
        Wager("progressive", "Progressive", "optional", needs="bet_dollar"),
    ),
    dealer_hand="",
    outcome="bet_dollar",
    progressive=five_card_link.five_cards(progressive_row),
    families=("let-it-ride", five_card_link.FAMILY),
    schemas=(
        Schema("let-it-ride", "base", "odds", tuple(reversed(ROWS[1:]))),
        bonus_schema("let-it-ride"),
        five_card_link.SCHEMA,
    ),
    options=house.progressive_options(house.folded_qualifies("FV-3", "LR-5")),
    reconcile=("bet_dollar", "bet_2", "bet_1", "three_card_bonus", "progressive"),
    method=(
        "What every five cards pay is added into all their smaller sets; a wager is left where that is worth more on "
        "average than taking it back, from the second wager to the first."
    ),
    thumbs=(
        Thumb(
            "the published strategy by draws",
            {"first": ride_three, "second": ride_four},
            in_full="Three cards: leave wager 1 with a pair of tens or better, three to a royal flush, three of one suit "
            "in a row from 3-4-5 up, three of one suit within four ranks with a ten or better, or within five ranks with "
            "two. Four cards: leave wager 2 with a pair of tens or better, four of one suit, or four in a row with a ten "
            "or better. Otherwise take it back",
        ),
        Thumb("leave wager 1 with a pair of tens or better alone, then the best", {"first": pays_already}),
        Thumb("never take back", {"first": always, "second": always}),
    ),
    published=(
        LiteratureFigure(
            "base", "standard", house_edge="3.51%", element_of_risk="2.85% or 2.86%", standard_deviation="5.17"
        ),
        LiteratureFigure("three_card_bonus", "1", house_edge="2.14%"),
        LiteratureFigure("three_card_bonus", "2", house_edge="7.10%"),
    ),
    example_hands={"Pair of kings": "Kc Kd 4h", "Three to a royal flush": "As Ks Qs", "Nothing yet": "9d 6c 2h"},
    rule_card=(
        RuleSection(
            "The game",
            (
                RuleLine("Three cards for every spot. The dealer gets three, burns one unseen and keeps two face down "
                         "for everybody.", ("LR-1",)),
                RuleLine("Three equal wagers, 1, 2 and $, are required; 3 Card Bonus and Progressive may go beside "
                         "them, all before the deal.", ("LR-2",)),
                RuleLine("With three cards a spot takes wager 1 back, or lets it ride.", ("LR-3",)),
                RuleLine("The first community card is turned; a spot takes wager 2 back, or lets it ride.", ("LR-4",)),
                RuleLine("Wager $ always stays; there is no fold.", ("LR-5",)),
                RuleLine("The second is turned. The three cards and the two pay every wager left, from a pair of tens "
                         "up; anything less loses them.", ("LR-6",)),
                RuleLine("A wager taken back goes to the player at once and is no push.", ("LR-8",)),
                RuleLine("Settled from the dealer's right: $, 2, 1, 3 Card Bonus, Progressive.", ("LR-9",)),
            ),
        ),
        RuleSection(
            "Side wagers",
            (
                RuleLine("3 Card Bonus is judged on the spot's own three cards.", ("LR-7",)),
                RuleLine("Progressive is judged on the three cards and the two.", ("FV-1",)),
                RuleLine("Cover All is approved for this game too; it is left out until a house brings its pay table.",
                         ("LR-2",)),
            ),
        ),
    ),
)  # fmt: skip
