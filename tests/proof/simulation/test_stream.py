"""Random deals: the published generator, every deal equally likely, and nothing but seed and round decide."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from math import prod

import numpy as np
import pytest

from houseway.proof.simulation import stream
from houseway.proof.simulation.stream import BITS, FRACTION, cards_of_round, deal, drawn, groups, philox, seed_words

WORD = 0xFFFFFFFF


@pytest.mark.parametrize(
    ("counter", "key", "words"),
    [
        ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        ((WORD,) * 4, (WORD,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
        (
            (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
            (0xA4093822, 0x299F31D0),
            (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
        ),
    ],
)
def test_philox_gives_its_published_answers(
    counter: tuple[int, ...], key: tuple[int, ...], words: tuple[int, ...]
) -> None:
    assert philox(*counter, *key) == words


@pytest.mark.parametrize(("deck", "cards"), [(52, 10), (52, 6), (52, 40), (52, 50), (53, 42), (5, 2)])
@pytest.mark.parametrize("seed", [0, 7, (1 << 64) - 1])
def test_compiled_deals_are_those_of_plain_python(deck: int, cards: int, seed: int) -> None:
    """Across a block's end, and where the number of the round outgrows a word."""
    for first in (0, (1 << 32) - 700):
        rounds = range(first, first + 1400)
        made = deal(seed, rounds, deck, cards)
        for place in (0, 1, 699, 700, 1023, 1024, 1399):
            assert tuple(made[place]) == cards_of_round(seed, rounds[place], deck, cards)
        assert (np.diff(np.sort(made, axis=1)) > 0).all()
        assert made.max() < deck


def test_a_round_does_not_depend_on_where_a_chunk_begins() -> None:
    whole = deal(3, range(5000), 52, 10)
    assert (deal(3, range(1234, 5000), 52, 10) == whole[1234:]).all()
    assert (deal(4, range(5000), 52, 10) != whole).any()


@pytest.mark.parametrize(("deck", "cards"), [(52, 10), (52, 50), (53, 42), (5, 3)])
def test_every_deal_of_a_group_has_as_many_draws(deck: int, cards: int) -> None:
    """Draws from ``least`` on: their number is a whole multiple of the deals, and no group draws again often."""
    first = 0
    for last, least in groups(deck, cards).tolist():
        deals = prod(deck - place for place in range(first, last))
        assert ((1 << BITS) - least) % deals == 0
        assert least < deals <= FRACTION
        assert least * stream.SELDOM <= 1 << BITS
        first = last
    assert first == cards


def test_draws_that_would_favour_some_deals_are_drawn_again() -> None:
    """With few bits it can be seen: 3 of 7 cards are 210 deals, and 256 draws would give 46 of them twice."""
    bits = 8
    deals: Counter[tuple[int, ...]] = Counter()
    for fraction in range(1 << bits):
        rest, cards = fraction, []
        for left in (7, 6, 5):
            cards.append(rest * left >> bits)
            rest = rest * left & (1 << bits) - 1
        if rest >= (1 << bits) % 210:
            deals[tuple(cards)] += 1
    assert len(deals) == 210
    assert set(deals.values()) == {1}


def test_a_round_that_is_drawn_again_is_the_same_everywhere() -> None:
    """The second group of twenty cards is drawn again now and then: such rounds are compared."""
    (first, _), (last, least) = groups(52, 20).tolist()
    again = []
    for round_ in range(3000):
        rest = drawn(round_, 1, 0, *seed_words(11))
        for place in range(first, last):
            rest = rest * (52 - place) & FRACTION
        if rest < least:
            again.append(round_)
    assert again
    made = deal(11, range(3000), 52, 20)
    for round_ in again[:20]:
        assert tuple(made[round_]) == cards_of_round(11, round_, 52, 20)


def test_all_orders_come_equally_often() -> None:
    made = deal(5, range(240_000), 5, 2)
    counts = Counter(map(tuple, made.tolist()))
    assert set(counts) == set(permutations(range(5), 2))
    expected = 240_000 / 20
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < 43.8  # 19 degrees, one in a thousand


def test_every_card_comes_equally_often_at_every_place() -> None:
    made = deal(6, range(104_000), 52, 12)
    for place in range(12):
        counts = np.bincount(made[:, place], minlength=52)
        assert ((counts - 2000) ** 2 / 2000).sum() < 93  # 51 degrees, about one in five thousand


def test_more_cards_than_a_deck_has_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot be dealt"):
        groups(52, 53)
