"""The 3 Card Bonus of games with a shared board (clauses MS-9 and LR-7): one rule over three cards, one set of rows."""

from __future__ import annotations

from typing import Final

from houseway.cards import ACE
from houseway.games.model import Wager
from houseway.games.rules import returned_to
from houseway.paytables import Schema
from houseway.ranking.three_card import CATEGORIES, STRAIGHT_FLUSH, category
from houseway.rule import Ints, rule

KEY: Final = "three_card_bonus"
MINI_ROYAL: Final = 6
ROWS: Final = (*CATEGORIES, "mini_royal")
HANDS: Final = ("mini_royal", *reversed(CATEGORIES[1:]))


@rule
def three_card_row(three: int) -> int:
    """A straight flush to the ace is a row of its own, where the table has one."""
    if category(three) == STRAIGHT_FLUSH and three >> 8 & 15 == ACE:
        return MINI_ROYAL
    return category(three)


@rule
def bonus_returned(three: int, three_card_bonus: int, num: Ints, den: Ints) -> int:
    """MS-9, LR-7: a straight flush to the ace pays as any other where the table has no row for it."""
    row = three_card_row(three)
    if row == MINI_ROYAL and den[row] == 0:
        row = STRAIGHT_FLUSH
    return returned_to(three_card_bonus, row, num, den)


def bonus_wager(needs: str, judged_on: str, after_fold: str = "loses") -> Wager:
    """The wager, judged on the value ``three`` of its game."""
    return Wager(
        KEY,
        "3 Card Bonus",
        "optional",
        bonus_returned,
        needs=needs,
        hands=ROWS,
        after_fold=after_fold,
        judged_on=judged_on,
    )


def bonus_schema(game: str) -> Schema:
    """What its tables may hold."""
    return Schema(game, KEY, "odds", HANDS)
