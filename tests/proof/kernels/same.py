"""What it means that a kernel and brute force agree, and the short decks on which they are asked to."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from houseway.cards import Card
from houseway.proof.solution import PlayResult, Solution


def short_decks(least: int, most: int) -> Any:
    """Decks of so many cards: any, and such as have suits that can be renamed."""
    anything = st.lists(st.integers(0, 51), min_size=least, max_size=most, unique=True)
    ranks = st.lists(st.integers(0, 12), min_size=3, max_size=3, unique=True)
    suits = st.lists(st.integers(0, 3), min_size=3, max_size=3, unique=True)
    alike = st.builds(
        lambda ranks, suits, rest: list(
            dict.fromkeys([*(13 * suit + rank for suit in suits[: most // 3] for rank in ranks), *rest])
        )[:most],
        ranks,
        suits,
        anything,
    )
    return st.one_of(anything, alike).filter(lambda deck: len(deck) >= least).map(lambda deck: [Card(c) for c in deck])


def hold_plays(ours: PlayResult, brute: PlayResult) -> None:
    """Both ways to play come to the same."""
    assert ours.distribution.unit == brute.distribution.unit
    assert ours.distribution.probabilities() == brute.distribution.probabilities()
    assert ours.distribution.hit_frequency == brute.distribution.hit_frequency
    assert ours.distribution.wagered == brute.distribution.wagered
    assert ours.frequencies == brute.frequencies
    assert ours.follow_frequency == brute.follow_frequency


def hold_against(ours: Solution, brute: Solution) -> None:
    """Every choice is worth the same with everything that may be seen, and the best play comes to the same."""
    assert ours.points.keys() == brute.points.keys()
    for node, table in brute.points.items():
        for row in range(len(table.hands)):
            cards = [Card(card) for card in table.hands[row].tolist()]
            board = [Card(card) for card in table.board[row].tolist()]
            worth = table.fractions(row)
            known = {
                choice.key: worth[place] for place, choice in enumerate(table.point.choices) if table.open[row, place]
            }
            advice = ours.advise(cards, (), board, node)
            assert dict(advice) == known
            assert advice[0][0] == table.point.choices[table.best[row, 0]].key
    hold_plays(ours.play(), brute.play())
