"""The array door: whole columns of hands at once, for the proof. It needs the ``proof`` extra (numpy, numba).

Each function takes one array a card place and gives one value a hand, the same integers as the validated door. Cards
outside the deck are refused; a card repeated within a hand is not looked for here: the solver that makes the columns
answers for that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from houseway.ranking import five_card, four_card, joker, poker, runs, three_card, wild
from houseway.ranking.points import DECK, card_points
from houseway.refusal import Refusal
from houseway.rule import RULES, hand_to_numba

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Column = npt.NDArray[np.uint8]
    Values = npt.NDArray[np.int32]


def of_five(*columns: Column) -> Values:
    """Five-card poker values of five columns."""
    return _poker(columns, 5, "five_card")


def best_of_six(*columns: Column) -> Values:
    """Five-card poker values of the best five of six columns."""
    return _poker(columns, 6, "five_card")


def best_of_seven(*columns: Column) -> Values:
    """Five-card poker values of the best five of seven columns."""
    worth: Values = _kernels()["seven"](*_checked(columns, 7, five_card.DECK), *seven_card_arrays())
    return worth


def joker_of_five(*columns: Column) -> Values:
    """Joker-deck values of five columns."""
    return _poker(columns, 5, "joker")


def joker_best_of_six(*columns: Column) -> Values:
    """Joker-deck values of the best five of six columns."""
    return _poker(columns, 6, "joker")


def wild_of_five(*columns: Column) -> Values:
    """DJ Wild's values of five columns."""
    values: Values = _kernels()["five"](*_checked(columns, 5, wild.DECK), *wild_arrays())
    return values


def of_four(*columns: Column) -> Values:
    """Four-card poker values of four columns."""
    return _four(columns, 4)


def four_of_five(*columns: Column) -> Values:
    """Four-card poker values of the best four of five columns."""
    return _four(columns, 5)


def four_of_six(*columns: Column) -> Values:
    """Four-card poker values of the best four of six columns."""
    return _four(columns, 6)


def of_three(*columns: Column) -> Values:
    """Three-card poker values of three columns."""
    worth: Values = _kernels()["three"](*_checked(columns, 3, three_card.DECK))
    return worth


def points(*columns: Column) -> Values:
    """Baccarat's points of two or three columns (BA-1); the same card may be there more than once."""
    import numpy as np

    worth = np.array([card_points(card) for card in range(DECK)], dtype=np.int32)
    checked = _checked(columns, len(columns), DECK)
    total: Values = sum((worth[column] for column in checked), np.zeros(len(checked[0]), dtype=np.int32)) % 10
    return total


def wrapping_runs(*columns: Column) -> Values:
    """Straight Edge version 1 values of as many columns as there are cards."""
    return _run(columns, "wrapping")


def straight_runs(*columns: Column) -> Values:
    """Straight Edge version 2 values of as many columns as there are cards."""
    return _run(columns, "straight")


def _poker(columns: tuple[Column, ...], count: int, ranking: str) -> Values:
    deck = joker.DECK if ranking == "joker" else five_card.DECK
    checked = _checked(columns, count, deck)
    words, values = table_arrays(ranking)
    worth: Values = _kernels()["five" if count == 5 else "six"](*checked, words, values)
    return worth


def _four(columns: tuple[Column, ...], count: int) -> Values:
    values: Values = _kernels()[f"four of {count}"](*_checked(columns, count, four_card.DECK), *four_card_arrays())
    return values


def _run(columns: tuple[Column, ...], kind: str) -> Values:
    import numpy as np

    checked = _checked(columns, len(columns), runs.DECK)
    ranks = np.zeros(len(checked[0]), dtype=np.int16)
    for column in checked:
        ranks |= np.left_shift(1, column % 13, dtype=np.int16)
    worth: Values = _kernels()["runs"](kind)[ranks]
    return worth


def _checked(columns: tuple[Column, ...], count: int, deck: int) -> tuple[Column, ...]:
    import numpy as np

    if len(columns) != count or count == 0:
        raise Refusal("columns", f"{len(columns)} columns where one for each of {count} cards is needed")
    cards = []
    for column in columns:
        array = np.asarray(column)
        if array.ndim != 1 or array.shape != np.shape(columns[0]) or array.dtype.kind not in "iu":
            raise Refusal("columns", "every column must be a flat array of whole numbers, all of one length")
        if array.size and not (int(array.min()) >= 0 and int(array.max()) < deck):
            raise Refusal("columns", f"a card is a whole number from 0 to {deck - 1}")
        cards.append(np.ascontiguousarray(array, dtype=np.uint8))
    return tuple(cards)


@cache
def table_arrays(ranking: str) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int32]]:
    """``words`` and ``values`` of ``poker.value_of_five`` as arrays, for ``five_card`` or ``joker``."""
    import numpy as np

    tables = joker.tables() if ranking == "joker" else five_card.tables()
    return np.array(tables.words, dtype=np.uint32), np.array(tables.values(), dtype=np.int32)


@cache
def seven_card_arrays() -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """``words`` and ``values`` of ``poker.value_of_seven`` as arrays."""
    import numpy as np

    values = np.array(poker.seven_card_values(five_card.tables()), dtype=np.int32)
    return np.array(poker.seven_card_words(), dtype=np.int64), values


@cache
def four_card_arrays() -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int32]]:
    """``words`` and ``values`` of ``four_card.value_of_four`` as arrays."""
    return _look_ups(four_card.words(), four_card.values(), 2 * four_card.SUITED)


@cache
def wild_arrays() -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int32]]:
    """``words`` and ``values`` of ``poker.value_of_five`` as arrays, for the ranking with wild cards."""
    return _look_ups(wild.words(), wild.values(), 2 * poker.SUITED)


def _look_ups(
    words: Sequence[int], values: Mapping[int, int], size: int
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int32]]:
    import numpy as np

    by_place = np.zeros(size, dtype=np.int32)
    by_place[list(values)] = list(values.values())
    return np.array(words, dtype=np.uint32), by_place


@cache
def _kernels() -> dict[str, Any]:
    """The loops, compiled around the very rule functions of the rankings."""
    try:
        import numba
        import numpy as np
    except ImportError as missing:
        raise RuntimeError("the array door needs the proof extra: pip install 'houseway[proof]'") from missing

    hand_to_numba(RULES)
    value_of_five = poker.value_of_five
    value_of_six = poker.value_of_six
    value_of_seven = poker.value_of_seven
    value_of_three = three_card.value_of_three
    value_of_four = four_card.value_of_four
    four_of_five = four_card.value_of_five
    four_of_six = four_card.value_of_six

    @numba.njit
    def five(a: Any, b: Any, c: Any, d: Any, e: Any, words: Any, values: Any) -> Any:
        worth = np.empty(len(a), dtype=np.int32)
        for hand in range(len(a)):
            worth[hand] = value_of_five(a[hand], b[hand], c[hand], d[hand], e[hand], words, values)
        return worth

    @numba.njit
    def six(a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, words: Any, values: Any) -> Any:
        worth = np.empty(len(a), dtype=np.int32)
        for hand in range(len(a)):
            worth[hand] = value_of_six(a[hand], b[hand], c[hand], d[hand], e[hand], f[hand], words, values)
        return worth

    @numba.njit
    def seven(a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any, words: Any, values: Any) -> Any:
        worth = np.empty(len(a), dtype=np.int32)
        for hand in range(len(a)):
            worth[hand] = value_of_seven(a[hand], b[hand], c[hand], d[hand], e[hand], f[hand], g[hand], words, values)
        return worth

    @numba.njit
    def four(a: Any, b: Any, c: Any, d: Any, words: Any, values: Any) -> Any:
        worth = np.empty(len(a), dtype=np.int32)
        for hand in range(len(a)):
            worth[hand] = value_of_four(a[hand], b[hand], c[hand], d[hand], words, values)
        return worth

    @numba.njit
    def best_four_of_five(a: Any, b: Any, c: Any, d: Any, e: Any, words: Any, values: Any) -> Any:
        worth = np.empty(len(a), dtype=np.int32)
        for hand in range(len(a)):
            worth[hand] = four_of_five(a[hand], b[hand], c[hand], d[hand], e[hand], words, values)
        return worth

    @numba.njit
    def best_four_of_six(a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, words: Any, values: Any) -> Any:
        worth = np.empty(len(a), dtype=np.int32)
        for hand in range(len(a)):
            worth[hand] = four_of_six(a[hand], b[hand], c[hand], d[hand], e[hand], f[hand], words, values)
        return worth

    @numba.njit
    def three(a: Any, b: Any, c: Any) -> Any:
        worth = np.empty(len(a), dtype=np.int32)
        for hand in range(len(a)):
            worth[hand] = value_of_three(a[hand], b[hand], c[hand])
        return worth

    @cache
    def run_table(kind: str) -> Any:
        of_ranks = runs.wrapping_run if kind == "wrapping" else runs.straight_run
        return np.array([of_ranks(ranks) for ranks in range(1 << 13)], dtype=np.int32)

    fours = {"four of 4": four, "four of 5": best_four_of_five, "four of 6": best_four_of_six}
    return {"five": five, "six": six, "seven": seven, "three": three, "runs": run_table, **fours}
