"""Looking a hand up: a table of keys and values, hashed, that a compiled loop can ask."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from houseway.proof.compiled import part

Ints: TypeAlias = npt.NDArray[np.int64]

SPREAD: Final = 0x1E3779B97F4A7C15
"""An odd number whose product with a key has well mixed top bits."""


def hashed(keys: Ints, values: Ints) -> Ints:
    """A table for ``looked_up``: a key above zero and its value in each row, at least half of the rows empty."""
    bits = max(2 * len(keys), 2).bit_length()
    table = np.zeros((1 << bits, 2), np.int64)
    for key, value in zip(keys.tolist(), values.tolist(), strict=True):
        row = key * SPREAD >> 64 - bits & len(table) - 1
        while table[row, 0]:
            row = row + 1 & len(table) - 1
        table[row] = key, value
    return table


def bits_of(table: Ints) -> int:
    """What ``looked_up`` needs to know of a table's size."""
    return len(table).bit_length() - 1


@part
def looked_up(table: Any, bits: int, key: int) -> Any:
    """The value of a key; 0 where the table does not have it."""
    last = (1 << bits) - 1
    row = key * 0x1E3779B97F4A7C15 >> 64 - bits & last
    while table[row, 0] != key:
        if table[row, 0] == 0:
            return 0
        row = row + 1 & last
    return table[row, 1]
