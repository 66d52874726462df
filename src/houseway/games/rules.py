"""The few rules that every game shares: what a pay table row gives back, to the cent.

A schedule enters as two integer look-ups by row number, numerator and denominator; a denominator of 0 means that the
table has no such row. A payout that is not a whole number of cents is rounded down.
"""

from __future__ import annotations

from typing import Final

from houseway.rule import Ints, rule

WIN: Final = 1
PUSH: Final = 0
LOSE: Final = -1
FOUL: Final = -2
"""What a value may say that is declared as the outcome of a game."""


@rule
def prize(wager: int, row: int, num: Ints, den: Ints) -> int:
    """What row ``row`` pays on ``wager``, the wager itself not counted."""
    if den[row] == 0:
        return 0
    return wager * num[row] // den[row]


@rule
def returned_to(wager: int, row: int, num: Ints, den: Ints) -> int:
    """What a wager paid "to 1" gives back: prize and wager, or nothing where the table has no such row."""
    if den[row] == 0:
        return 0
    return wager + wager * num[row] // den[row]


@rule
def even_money(wager: int) -> int:
    """What a wager that wins 1 to 1 gives back."""
    return 2 * wager


@rule
def always() -> bool:
    """The second of two choices, whatever the spot sees: to play every hand."""
    return True
