"""Two opinions about all hands, held against each other: the same category for every hand, and one order among them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt
from tests.ranking import second_opinion as second


class Comparison:
    """Adds up what the two opinions say about all hands, a chunk at a time."""

    def __init__(self, value_step: int, score_step: int) -> None:
        self.value_step = value_step
        self.score_step = score_step
        self.digest = hashlib.sha256()
        self.counts = np.zeros(12, dtype=np.int64)
        self.score_of_value = np.full(12 * value_step, -1, dtype=np.int32)

    def add(self, values: npt.NDArray[np.int32], scores: npt.NDArray[np.int32]) -> None:
        self.digest.update(values.astype("<i4").tobytes())
        categories = values // self.value_step
        self.counts += np.bincount(categories, minlength=12)
        assert np.array_equal(categories, scores // self.score_step)
        assert second.hold_against(values, scores, self.score_of_value) == 0

    def check_order(self) -> None:
        """Each value stands for one score; where the values rise the scores must rise too, so the orders are one."""
        scores = self.score_of_value[self.score_of_value >= 0]
        assert np.all(np.diff(scores) > 0)

    def distinct(self) -> int:
        return int(np.count_nonzero(self.score_of_value >= 0))


def compare(
    deck: int, count: int, door: Callable[..., Any], score: Callable[[Any], Any], steps: tuple[int, int] | None = None
) -> Comparison:
    made = Comparison(*(steps or (1 << 20, second.CATEGORY_STEP)))
    for hands in second.all_hands(deck, count):
        made.add(door(*hands), score(hands))
    assert made.counts.sum() == comb(deck, count)
    made.check_order()
    return made
