"""Shuffling. Where the randomness comes from is the caller's affair: a rule never rolls dice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from houseway.cards.card import Card


class Source(Protocol):
    """Anything that gives an unbiased whole number below a bound: ``secrets.SystemRandom()``, a seeded ``Random``."""

    def randrange(self, stop: int, /) -> int: ...


def shuffled(deck: Sequence[Card], source: Source) -> tuple[Card, ...]:
    """A new order of ``deck``, every order equally likely when ``source`` is unbiased (Fisher and Yates)."""
    order = list(deck)
    for last in range(len(order) - 1, 0, -1):
        chosen = source.randrange(last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)
