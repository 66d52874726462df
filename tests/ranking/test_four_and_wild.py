"""Every four-card hand and every hand with wild cards, through the array door, against a second opinion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.ranking import second_four_and_wild as second
from tests.ranking.comparison import Comparison, compare

from houseway.ranking import arrays

FOUR_OF_52 = [177408, 82368, 2808, 2772, 2816, 2496, 44, 13]
FOUR_IN_FIVE = [1150080, 1047552, 123552, 101808, 114616, 58656, 2072, 624]
FOUR_IN_SIX = [4872000, 8194320, 2342736, 1744080, 2245352, 897616, 47752, 14664]
WILD_OF_53 = [799680, 1341180, 95040, 458040, 84000, 18956, 15048, 51688, 3648, 1400, 1004, 1]
"""Hands by category number, the weakest first."""


@pytest.mark.parametrize(
    ("count", "door", "counts", "distinct", "digest"),
    [
        (4, arrays.of_four, FOUR_OF_52, 2535, "559f32bdcb92e00057ea4421e6112742ff1decd399fd8023ed6e3323d525c19c"),
        (
            5,
            arrays.four_of_five,
            FOUR_IN_FIVE,
            2150,
            "d11bf5bfa760bae42c6d819b89a78960dd9e3cddf307071ea7a40f9c4b6fd72b",
        ),
        pytest.param(
            *(6, arrays.four_of_six, FOUR_IN_SIX, 1755),
            "db2092665e46d6a6e17224c8adc5cfdcd4898eaa0c7b6ebf0ed4a48528dfed43",
            marks=pytest.mark.long,
        ),
    ],
)
def test_the_best_four_of_all_hands(
    count: int, door: Callable[..., Any], counts: list[int], distinct: int, digest: str
) -> None:
    made = compare(52, count, door, second.score_four, (1 << 16, second.STEP))
    assert made.counts.tolist()[:8] == counts
    assert made.distinct() == distinct
    assert made.digest.hexdigest() == digest


def test_all_hands_with_wild_cards() -> None:
    made = compare(53, 5, arrays.wild_of_five, second.score_wild)
    assert made.counts.tolist() == WILD_OF_53
    assert made.distinct() == 5163
    assert made.digest.hexdigest() == "bac67755ca672da38c6f19fdaf0357869db567541c42807b6cc90339951cce61"


def test_the_best_four_of_random_sixes() -> None:
    source = np.random.default_rng(20240607)
    hands = np.argsort(source.random((100_000, 52)), axis=1)[:, :6].T.astype(np.uint8)
    made = Comparison(1 << 16, second.STEP)
    made.add(arrays.four_of_six(*hands), second.score_four(hands))
    made.check_order()
