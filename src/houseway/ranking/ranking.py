"""A ranking: how a declaration names what cards are worth, at the table and in compiled loops alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from houseway.cards import Card

Category: TypeAlias = "str | dict[str, int | str] | None"


def _no_lookups() -> tuple[Any, ...]:
    return ()


def _no_name(value: int) -> str:
    return str(value)


def _every_card(cards: Sequence[Card]) -> tuple[Card, ...]:
    return tuple(cards)


@dataclass(frozen=True, slots=True)
class Ranking:
    """What a number of cards is worth: one integer, higher is better."""

    key: str
    cards: int
    """How many cards it takes; 0 for any number."""
    value: Callable[..., int]
    """At the table: the cards, validated."""
    compiled: Callable[..., int]
    """In a compiled loop: a rule of the same cards, followed by what ``lookups`` gives. It checks nothing."""
    lookups: Callable[[], tuple[Any, ...]] = _no_lookups
    """Arrays that ``compiled`` takes after the cards."""
    name: Callable[[int], str] = _no_name
    """A value in words."""
    category: Callable[[int], Category] = _no_name
    """A value as the settling contract writes it."""
    suits_matter: bool = True
    """False where the value depends on ranks alone."""
    card_bit: Callable[[int], int] | None = None
    """Where ``compiled`` takes one set of bits instead of the cards: the bit of a card."""
    best_of: Ranking | None = None
    """Where it is the best value of all hands with one card fewer: their ranking."""
    needed: Callable[[Sequence[Card]], tuple[Card, ...]] = _every_card
    """The cards that make the value; all of them where no card can be laid away."""


def by_rule(
    rule: Callable[..., int],
    cards: int,
    name: Callable[[int], str] = _no_name,
    category: Callable[[int], Category] | None = None,
    *,
    suits_matter: bool = True,
) -> Ranking:
    """A ranking that is one rule of ``cards`` cards: enough for small hands."""
    return Ranking(rule.__name__, cards, rule, rule, name=name, category=category or name, suits_matter=suits_matter)
