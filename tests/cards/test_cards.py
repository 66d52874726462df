"""Cards as integers, their one text form, the decks, and a shuffle that asks for nothing but whole numbers."""

from __future__ import annotations

import random
from collections import Counter
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from houseway import cards
from houseway.cards import DECK_52, DECK_53, JOKER, Card, parse_card, parse_cards, read_cards, shuffled, text_of
from houseway.refusal import Refusal

TEXTS = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"] + ["Jk"]

steady = settings(max_examples=300, deadline=None, derandomize=True)


def test_every_card_has_one_text_and_every_text_one_card() -> None:
    assert [text_of([card]) for card in DECK_53] == TEXTS
    assert [parse_card(text) for text in TEXTS] == list(DECK_53)


@steady
@given(st.permutations(DECK_53), st.integers(0, 53))
def test_cards_come_back_from_their_text(deck: list[Card], count: int) -> None:
    hand = tuple(deck[:count])
    assert read_cards(text_of(hand)) == hand
    assert parse_cards(text_of(hand), count, joker=True) == hand


@pytest.mark.parametrize("suit", "cdhs")
def test_a_ten_may_be_written_out_and_is_shown_short(suit: str) -> None:
    assert parse_card("10" + suit) == parse_card("T" + suit)
    assert text_of(read_cards(f"10{suit} A{suit}")) == f"T{suit} A{suit}"


def test_any_white_space_separates_cards() -> None:
    assert read_cards("  Ah\tKd\n 3c ") == read_cards("Ah Kd 3c")
    assert read_cards("") == ()


@pytest.mark.parametrize(
    "text",
    ["", "A", "h", "ah", "AH", "hA", "1h", "0h", "11h", "10", "10x", "Ax", "Ahh", "AhKd", "A h", "jk", "JK", "Joker",
     "Jk ", " Ah", "A♥", "Аh", "٢c", "２c", "Ah,", "\x00", "A" * 10_000, "\ud800"],
)  # fmt: skip
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(
        Refusal, match=r"^card: .{2,80} is not a card; write rank then suit, such as Ah, Td or 2c, joker"
    ):
        parse_card(text)


@pytest.mark.parametrize(
    ("text", "count", "joker", "sentence"),
    [
        ("Ah Kd", 3, False, "cards: 2 cards where exactly 3 are dealt"),
        ("", 3, False, "cards: 0 cards where exactly 3 are dealt"),
        ("Ah Kd 3c 4c", 3, False, "cards: 4 cards where exactly 3 are dealt"),
        ("Ah Kd Ah", 3, False, "cards: Ah is there twice"),
        ("Th Kd 10h", 3, False, "cards: Th is there twice"),
        ("Jk Kd Jk", 3, True, "cards: Jk is there twice"),
        ("Jk Kd Ah", 3, False, "cards: a joker in a game played with 52 cards"),
        ("Kd Xx Ah", 3, True, "card: 'Xx' is not a card; write rank then suit, such as Ah, Td or 2c, joker Jk"),
    ],
)
def test_a_wrong_hand_is_refused_with_a_sentence(text: str, count: int, joker: bool, sentence: str) -> None:
    with pytest.raises(Refusal) as refused:
        parse_cards(text, count, joker=joker)
    assert str(refused.value) == sentence


@steady
@given(st.text(max_size=30) | st.lists(st.sampled_from([*TEXTS, "10h", "x"]), max_size=8).map(" ".join))
def test_any_text_is_cards_or_refused(text: str) -> None:
    try:
        hand = read_cards(text)
    except Refusal:
        assert not {word.replace("10", "T") for word in text.split()} <= set(TEXTS)
    else:
        assert text_of(hand) == " ".join(word.replace("10", "T") for word in text.split())


def test_the_decks() -> None:
    assert list(DECK_52) == list(range(52))
    assert (*DECK_52, JOKER) == DECK_53
    assert Counter(cards.rank_of(card) for card in DECK_52) == dict.fromkeys(range(2, 15), 4)
    assert Counter(cards.suit_of(card) for card in DECK_52) == dict.fromkeys(range(4), 13)
    assert (cards.rank_of(JOKER), cards.suit_of(JOKER)) == (14, 4)


def test_ranks_and_suits_have_names() -> None:
    for card, text in zip(DECK_52, TEXTS[:52], strict=True):
        rank, suit = cards.rank_of(card), cards.suit_of(card)
        assert text == "23456789TJQKA"[rank - 2] + cards.SUIT_NAMES[suit][0]
    assert " ".join(cards.RANK_NAMES[2:]) == "two three four five six seven eight nine ten jack queen king ace"
    plurals = "twos threes fours fives sixes sevens eights nines tens jacks queens kings aces"
    assert " ".join(cards.RANK_PLURALS[2:]) == plurals
    assert [text_of([13 * suit + rank - 2]) for suit, rank in [(0, 10), (1, cards.JACK), (3, cards.ACE)]] == [
        "Tc",
        "Jd",
        "As",
    ]


# ------------------------------------------------------------------------------------------------ shuffling


class Tape:
    """A source that gives what it is told and writes down what it was asked; it has nothing but ``randrange``."""

    __slots__ = ("answers", "asked")

    def __init__(self, answers: list[int]) -> None:
        self.answers = answers
        self.asked: list[int] = []

    def randrange(self, stop: int, /) -> int:
        self.asked.append(stop)
        return self.answers.pop(0)


def test_a_shuffle_asks_for_one_number_below_each_bound() -> None:
    tape = Tape([0] * 52)
    assert sorted(shuffled(DECK_53, tape)) == list(DECK_53)
    assert tape.asked == list(range(53, 1, -1))


def test_every_tape_gives_another_order() -> None:
    """Three cards have 3 × 2 tapes and 6 orders: each order comes from exactly one tape, so none is favoured."""
    deck = DECK_52[:3]
    orders = {shuffled(deck, Tape([first, then])) for first in range(3) for then in range(2)}
    assert len(orders) == 6


@steady
@given(st.integers(), st.integers(0, 53))
def test_a_shuffle_is_another_order_of_the_same_cards(seed: int, count: int) -> None:
    deck = DECK_53[:count]
    first = shuffled(deck, random.Random(seed))
    assert sorted(first) == sorted(deck)
    assert deck == DECK_53[:count]
    assert shuffled(deck, random.Random(seed)) == first


def test_every_card_comes_to_every_place_about_equally_often() -> None:
    source = random.Random(1)
    rounds, places = 20_000, 8
    deck = DECK_52[:places]
    seen: Counter[tuple[int, int]] = Counter()
    for _ in range(rounds):
        seen.update(enumerate(shuffled(deck, source)))
    mean = rounds / places
    spread = sqrt(mean * (1 - 1 / places))
    assert len(seen) == places * places
    assert all(abs(count - mean) < 4.5 * spread for count in seen.values())
    chi_square = sum((count - mean) ** 2 / mean for count in seen.values())
    # 49 degrees of freedom: far outside this range the shuffle favours some places, or is suspiciously even.
    assert 20 < chi_square < 95
