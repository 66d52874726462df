"""Every hand there is, through the array door, against a second opinion that shares no table and no code with it.

A digest pins the values themselves (they stand in journals and are compared by others); the second opinion says that
they are right: the same category for every hand, and the same order among all of them.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator
from itertools import combinations, combinations_with_replacement, permutations
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.ranking import second_opinion as second
from tests.ranking.comparison import Comparison, compare

from houseway.cards import parse_cards
from houseway.ranking import arrays, five_card, four_card, joker, poker, runs, three_card, wild
from houseway.refusal import Refusal

FIVE_OF_52 = [1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4, 0]
FIVE_OF_53 = [1418964, 1215024, 138600, 63360, 20532, 7804, 4368, 828, 180, 24, 1]
SIX_OF_52 = [6612900, 9730740, 2532816, 732160, 361620, 205792, 165984, 14664, 1656, 188, 0]
SIX_OF_53 = [7183140, 10809876, 2873952, 853264, 696228, 314944, 196896, 19752, 8248, 1132, 48]
SEVEN_OF_52 = [23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 37260, 4324, 0]
THREE_OF_52 = [16440, 3744, 1096, 720, 52, 48]
"""Hands by category number, the weakest first."""

RANKS = "23456789TJQKA"


@pytest.fixture(scope="module")
def scores_52() -> Any:
    return second.five_card_scores(52)


@pytest.fixture(scope="module")
def scores_53() -> Any:
    return second.five_card_scores(53)


def test_all_five_card_hands() -> None:
    made = compare(52, 5, arrays.of_five, lambda hands: second.score_five(hands, False))
    assert made.counts.tolist()[:11] == FIVE_OF_52
    assert made.distinct() == 7462
    assert made.digest.hexdigest() == "11d20edb4daca96bca50c1a4a383d6d0e1c41515aa60abd90d75706e8a7c3d74"


def test_all_three_card_hands() -> None:
    made = compare(52, 3, arrays.of_three, second.score_three, (1 << 12, 10_000))
    assert made.counts.tolist()[:6] == THREE_OF_52
    assert made.distinct() == 741
    assert made.digest.hexdigest() == "05029ab8fd6959a0f05076bc0c85f0dcc93bfb7bbf9123e955821362554f8864"


def test_all_five_card_hands_with_a_joker() -> None:
    made = compare(53, 5, arrays.joker_of_five, lambda hands: second.score_five(hands, True))
    assert made.counts.tolist()[:11] == FIVE_OF_53
    assert made.digest.hexdigest() == "555ecdc449ab5973ab23a25d2f84baf61d942f63e518c897356b842358502ae3"


def test_all_six_card_hands(scores_52: Any) -> None:
    made = compare(52, 6, arrays.best_of_six, lambda hands: second.score_six(hands, *scores_52))
    assert made.counts.tolist()[:11] == SIX_OF_52
    assert made.digest.hexdigest() == "a3d4be6ab09780abfa8f065012dedc96f15d2132567ae8a75a2f4899bd7c5dc5"


def test_seven_card_hands_against_a_second_opinion() -> None:
    """The best of twenty-one fives that the second opinion scores, on many random hands and on all of a short deck."""
    source = np.random.default_rng(20240607)
    anything = np.argsort(source.random((300_000, 52)), axis=1)[:, :7].astype(np.uint8)
    few = [card for card in range(52) if card % 13 in (0, 3, 4, 9, 12)]
    few_hands = np.array(list(combinations(few, 7)), dtype=np.uint8)
    one_suit = np.array([(*hand, 20, 35) for hand in combinations(range(13), 5)], dtype=np.uint8)
    made = Comparison(1 << 20, second.CATEGORY_STEP)
    for hands in (anything, few_hands, one_suit):
        scores = np.zeros(len(hands), dtype=np.int32)
        for five in combinations(range(7), 5):
            scores = np.maximum(scores, second.score_five(np.ascontiguousarray(hands[:, five].T), False))
        made.add(arrays.best_of_seven(*hands.T), scores)
    made.check_order()
    assert made.digest.hexdigest() == "c30ae3a857a2256a401163db4be4a909c6333cc1afc8525094a08cae499e4d39"


@pytest.mark.long
def test_all_seven_card_hands() -> None:
    counts = np.zeros(11, dtype=np.int64)
    digest = hashlib.sha256()
    found = np.zeros(11 << 20, dtype=np.bool_)
    for hands in second.all_hands(52, 7):
        values = arrays.best_of_seven(*hands)
        counts += np.bincount(values >> 20, minlength=11)
        digest.update(values.astype("<i4").tobytes())
        found[values] = True
    assert counts.tolist() == SEVEN_OF_52
    assert counts.sum() == comb(52, 7)
    assert int(found.sum()) == 4824
    assert digest.hexdigest() == "5b9217b1a217053acf9fb8a47caef962b3ea82ff8ffad4b48e794b399a397c36"


def test_all_six_card_hands_with_a_joker(scores_53: Any) -> None:
    made = compare(53, 6, arrays.joker_best_of_six, lambda hands: second.score_six(hands, *scores_53))
    assert made.counts.tolist()[:11] == SIX_OF_53
    assert made.digest.hexdigest() == "2b4fd0e4469b9bb5286e7ce2e38dd387fe32292dc71d1377a33eab1ca9e211dc"


@pytest.mark.parametrize(
    ("door", "one_hand", "circle", "wraps", "digest"),
    [
        (
            arrays.wrapping_runs,
            runs.wrapping_run,
            RANKS,
            True,
            "54fc2ca5aa057087b08d59208ee1de56432cc499dbb1d02f7dc7c59cf786968f",
        ),
        (
            arrays.straight_runs,
            runs.straight_run,
            "A" + RANKS,
            False,
            "66bfb57dacaa3e0a834f8d6425199edb03c55d5d441913902498e3effe699aec",
        ),
    ],
    ids=["version 1", "version 2"],
)
def test_all_rank_sets_for_runs(
    door: Callable[..., Any], one_hand: Callable[[int], int], circle: str, wraps: bool, digest: str
) -> None:
    values = np.zeros(1 << 13, dtype=np.int32)
    for count in range(1, 14):
        sets = list(combinations(range(13), count))
        columns = np.array([[rank + 13 * (rank % 4) for rank in ranks] for ranks in sets], dtype=np.uint8).T
        values[[sum(1 << rank for rank in ranks) for ranks in sets]] = door(*columns)
    assert hashlib.sha256(values.astype("<i4").tobytes()).hexdigest() == digest
    found: dict[int, tuple[int, int]] = {}
    for bits in range(1, 1 << 13):
        held = {RANKS[rank] for rank in range(13) if bits >> rank & 1}
        length, ending = second.longest_run(held, circle, wraps=wraps)
        value = int(values[bits])
        assert (runs.length(value), RANKS[runs.ending(value) - 2]) == (length, ending)
        assert one_hand(bits) == value
        assert runs.category_of(value) == {"length": length, "ending": ending}
        assert found.setdefault(value, (length, RANKS.index(ending))) == (length, RANKS.index(ending))
    assert [found[value] for value in sorted(found)] == sorted(found.values())
    assert one_hand(0) == 0


def test_runs_that_people_know() -> None:
    def of(text: str, run: Callable[[int], int]) -> tuple[int, str]:
        cards = parse_cards(text, len(text.split()))
        value = run(runs.ranks_of(cards, len(cards)))
        return runs.length(value), RANKS[runs.ending(value) - 2]

    assert of("Jc Qd Kh As 2c 3d 7h", runs.wrapping_run) == (6, "3")
    assert of("Jc Qd Kh As 2c 3d 7h", runs.straight_run) == (4, "A")
    assert of("Ac 2d 3h 5s 6c 7d 9h", runs.straight_run) == (3, "7")
    assert of("2c 4d 6h 8s Tc Qd 2h", runs.straight_run) == (1, "Q")
    assert of("Kc Kd Kh As 2c 2d 2h", runs.wrapping_run) == (3, "2")


# ------------------------------------------------------------------------------------- one hand, validated

DOORS: dict[str, tuple[Callable[..., int], int, int]] = {
    "five cards": (five_card.value, 5, 52),
    "best of six": (five_card.value_of_six, 6, 52),
    "best of seven": (five_card.value_of_seven, 7, 52),
    "three cards": (three_card.value, 3, 52),
    "four cards": (four_card.value, 4, 52),
    "four of five": (four_card.best_of_five, 5, 52),
    "four of six": (four_card.best_of_six, 6, 52),
    "wild": (wild.value, 5, 53),
    "joker, five cards": (joker.value, 5, 53),
    "joker, best of six": (joker.value_of_six, 6, 53),
    "runs of seven": (lambda *cards: runs.ranks_of(cards, 7), 7, 52),
    "runs of eight": (lambda *cards: runs.ranks_of(cards, 8), 8, 52),
}
every_door = pytest.mark.parametrize(("door", "count", "deck"), DOORS.values(), ids=DOORS)


def test_one_three_card_hand_at_a_time_is_worth_the_same() -> None:
    hands = next(second.all_hands(52, 3))
    values = arrays.of_three(*hands).tolist()
    assert [three_card.value(*hand) for hand in hands.T.tolist()] == values


@pytest.mark.parametrize(
    ("one", "many", "count", "deck", "hands"),
    [
        (five_card.value, arrays.of_five, 5, 52, 200_000),
        (joker.value, arrays.joker_of_five, 5, 53, 200_000),
        (five_card.value_of_six, arrays.best_of_six, 6, 52, 50_000),
        (joker.value_of_six, arrays.joker_best_of_six, 6, 53, 50_000),
        (five_card.value_of_seven, arrays.best_of_seven, 7, 52, 20_000),
        (four_card.value, arrays.of_four, 4, 52, 20_000),
        (four_card.best_of_five, arrays.four_of_five, 5, 52, 20_000),
        (four_card.best_of_six, arrays.four_of_six, 6, 52, 20_000),
        (wild.value, arrays.wild_of_five, 5, 53, 50_000),
    ],
    ids=["five", "joker five", "six", "joker six", "seven", "four", "four of five", "four of six", "wild"],
)
def test_one_hand_at_a_time_is_worth_the_same(
    one: Callable[..., int], many: Callable[..., Any], count: int, deck: int, hands: int
) -> None:
    source = random.Random(20240607)
    chosen = [source.sample(range(deck), count) for _ in range(hands)]
    # A joker in one hand of ten is too rare: every other hand gets one.
    if deck == 53:
        for hand in chosen[::2]:
            if 52 not in hand:
                hand[source.randrange(count)] = 52
    values = many(*np.array(chosen, dtype=np.uint8).T).tolist()
    assert [one(*hand) for hand in chosen] == values


@every_door
def test_suits_can_be_renamed_and_cards_reordered(door: Callable[..., int], count: int, deck: int) -> None:
    @settings(max_examples=300, deadline=None, derandomize=True)
    @given(
        st.lists(st.integers(0, deck - 1), min_size=count, max_size=count, unique=True),
        st.sampled_from(list(permutations(range(4)))),
        st.randoms(use_true_random=False),
    )
    def same_value(cards: list[int], suits: tuple[int, ...], source: random.Random) -> None:
        renamed = [card if card == 52 else 13 * suits[card // 13] + card % 13 for card in cards]
        source.shuffle(renamed)
        assert door(*renamed) == door(*cards)

    same_value()


@every_door
@pytest.mark.parametrize(
    "wrong",
    [
        -1,
        -2,
        -52,
        -53,
        -77,
        -128,
        -129,
        53,
        54,
        128,
        255,
        10**30,
        True,
        False,
        1.0,
        "x",
        "Ah",
        "",
        None,
        b"1",
        (1,),
        [1],
    ],
    ids=repr,
)
def test_what_is_no_card_is_refused(door: Callable[..., int], count: int, deck: int, wrong: Any) -> None:
    for place in range(count):
        for rest in (range(10, 51), range(12, 51, 5)):
            hand: list[Any] = list(rest)[: count - 1]
            hand.insert(place, wrong)
            with pytest.raises(Refusal, match="is not a card; a card is a whole number from 0 to"):
                door(*hand)


@every_door
def test_a_joker_is_no_card_of_a_52_card_deck(door: Callable[..., int], count: int, deck: int) -> None:
    hand = [52, *range(20, 19 + count)]
    if deck == 53:
        assert door(*hand) > 0
    else:
        with pytest.raises(Refusal, match="52 is not a card; a card is a whole number from 0 to 51"):
            door(*hand)


@every_door
def test_a_card_twice_is_refused(door: Callable[..., int], count: int, deck: int) -> None:
    source = random.Random(7)
    for _ in range(2_000):
        hand = source.sample(range(deck), count - 1)
        hand.insert(source.randrange(count), source.choice(hand))
        with pytest.raises(Refusal, match=r"^cards: \w\w is there twice$"):
            door(*hand)


@every_door
def test_one_card_many_times_is_refused(door: Callable[..., int], count: int, deck: int) -> None:
    for card in range(deck):
        with pytest.raises(Refusal, match="is there twice"):
            door(*[card] * count)


@pytest.mark.parametrize(
    ("door", "deck"), [(five_card.value, 52), (joker.value, 53)], ids=["five cards", "joker, five cards"]
)
def test_no_impossible_set_of_ranks_has_a_value(door: Callable[..., int], deck: int) -> None:
    """Weight sums could meet by chance: five of a rank or two jokers must never pass for a hand."""
    for kinds in combinations_with_replacement(range(deck - 39), 5):
        for hand in duplicated(kinds):
            with pytest.raises(Refusal, match="is there twice"):
                door(*hand)


def duplicated(kinds: tuple[int, ...]) -> Iterator[list[int]]:
    """Hands of these ranks (13 is the joker) with some card twice: all of one suit, and in as many suits as can be."""
    joker_kind = 13
    if len(set(kinds)) == 5:
        return
    yield [52 if kind == joker_kind else kind + 13 for kind in kinds]
    dealt = [52 if kind == joker_kind else kind + 13 * (place % 4) for place, kind in enumerate(kinds)]
    if len(set(dealt)) < 5:
        yield dealt


@pytest.mark.parametrize(
    ("door", "count", "deck"),
    [
        (arrays.of_five, 5, 52),
        (arrays.best_of_six, 6, 52),
        (arrays.best_of_seven, 7, 52),
        (arrays.of_three, 3, 52),
        (arrays.of_four, 4, 52),
        (arrays.four_of_five, 5, 52),
        (arrays.four_of_six, 6, 52),
        (arrays.wild_of_five, 5, 53),
        (arrays.joker_of_five, 5, 53),
        (arrays.joker_best_of_six, 6, 53),
        (arrays.wrapping_runs, 7, 52),
        (arrays.straight_runs, 7, 52),
    ],
)
def test_the_array_door_refuses_what_is_no_column_of_cards(door: Callable[..., Any], count: int, deck: int) -> None:
    good = [np.array([card, card + 13], dtype=np.int64) for card in range(count)]
    assert door(*good).dtype == np.int32
    assert len(door(*[column[:0] for column in good])) == 0
    for wrong in ([-1, 5], [5, deck], [5, 256], [1.0, 2.0], [True, False], ["x", "y"], [1, 2, 3], [[1, 2]], [1]):
        with pytest.raises(Refusal, match=r"^columns: "):
            door(*good[1:], np.array(wrong))
    if door not in (arrays.wrapping_runs, arrays.straight_runs):
        for columns in (good[1:], [*good, good[0]], []):
            with pytest.raises(Refusal, match=rf"^columns: {len(columns)} columns where one for each of {count} cards"):
                door(*columns)
    with pytest.raises(Refusal, match=r"^columns: "):
        door()


def test_runs_of_a_wrong_number_of_cards_are_refused() -> None:
    for cards in ((), (1,), tuple(range(6)), tuple(range(8))):
        with pytest.raises(Refusal, match=f"^cards: {len(cards)} cards where exactly 7 are dealt"):
            runs.ranks_of(cards, 7)


# -------------------------------------------------------------------------------------------- names for people


@pytest.mark.parametrize(
    ("ranking", "cards", "category", "name"),
    [
        (five_card, "Kc Kd Kh Ts Tc", "full_house", "full house, kings over tens"),
        (five_card, "6c 6d Kh Ts 2c", "pair", "pair of sixes"),
        (five_card, "6c 6d 6h Ts 2c", "three_of_a_kind", "three of a kind, sixes"),
        (five_card, "Ac 2d 3h 4s 5c", "straight", "straight, five high"),
        (five_card, "Ac Kd Qh Js Tc", "straight", "straight, ace high"),
        (five_card, "Ac 2c 3c 4c 5c", "straight_flush", "straight flush, five high"),
        (five_card, "Ac Kc Qc Jc Tc", "royal_flush", "royal flush"),
        (five_card, "9c Kc Qc Jc Tc", "straight_flush", "straight flush, king high"),
        (five_card, "2c Kc Qc Jc Tc", "flush", "flush, king high"),
        (five_card, "2c 2d 2h 2s Tc", "four_of_a_kind", "four of a kind, twos"),
        (five_card, "2c 2d 8h 8s Tc", "two_pair", "two pair, eights and twos"),
        (five_card, "Ac Kd 8h 7s Tc", "high_card", "ace king high"),
        (five_card, "Ac Qd 8h 7s Tc", "high_card", "ace high"),
        (five_card, "9c Qd 8h 7s Tc", "high_card", "queen high"),
        (joker, "Ac Ad Ah As Jk", "five_aces", "five aces"),
        (joker, "Kc Qc Jc Tc Jk", "royal_flush", "royal flush"),
        (joker, "2c 3d 4h 5s Jk", "straight", "straight, ace to five"),
        (joker, "Ac 2c 3c 5c Jk", "straight_flush", "straight flush, ace to five"),
        (joker, "Kc Qd Jh Ts Jk", "straight", "straight, ace high"),
        (joker, "9c Qd Jh Ts Jk", "straight", "straight, king high"),
        (joker, "Ac 9c 5c 2c Jk", "flush", "flush, ace high"),
        (joker, "Kc Kd Ah As Jk", "full_house", "full house, aces over kings"),
        (joker, "Kc Kd Kh 2s Jk", "three_of_a_kind", "three of a kind, kings"),
        (joker, "Kc 9d 5h 2s Jk", "high_card", "ace king high"),
        (three_card, "Ah Kd 3c", "high_card", "ace high"),
        (three_card, "Ah 2d 3c", "straight", "straight, three high"),
        (three_card, "Ah Kh Qh", "straight_flush", "straight flush, ace high"),
        (three_card, "6h 6d Qh", "pair", "pair of sixes"),
        (three_card, "6h 6d 6c", "three_of_a_kind", "three of a kind, sixes"),
        (three_card, "Jh 6h 4h", "flush", "flush, jack high"),
        (four_card, "6h 6d 6c 6s", "four_of_a_kind", "four of a kind, sixes"),
        (four_card, "4h 2h Ah 3h", "straight_flush", "straight flush, four high"),
        (four_card, "6h 6d 6c As", "three_of_a_kind", "three of a kind, sixes"),
        (four_card, "Jh 6h 4h 2h", "flush", "flush, jack high"),
        (four_card, "Jh Qd Kc As", "straight", "straight, ace high"),
        (four_card, "Jh Jd 9c 9s", "two_pair", "two pair, jacks and nines"),
        (four_card, "Jh Jd 9c 8s", "pair", "pair of jacks"),
        (four_card, "Ah Kd 9c 8s", "high_card", "ace king high"),
        (four_card, "Ah Qd 9c 8s", "high_card", "ace high"),
        (wild, "2c 2d 2h 2s Jk", "five_wilds", "five wilds"),
        (wild, "2c 2d 2h Ts Jk", "royal_flush", "royal flush"),
        (wild, "2c 2d 2h 9s Jk", "five_of_a_kind", "five of a kind, nines"),
        (wild, "2c 2d Ah As Jk", "five_of_a_kind", "five of a kind, aces"),
        (wild, "2c 2d 9h 5h Jk", "straight_flush", "straight flush, nine high"),
        (wild, "2c 2d 9h 4h Jk", "four_of_a_kind", "four of a kind, nines"),
        (wild, "Ac 3c 4c 5c Jk", "straight_flush", "straight flush, five high"),
        (wild, "Kc Kd 9h 9s 2c", "full_house", "full house, kings over nines"),
        (wild, "Kc 3d 9h 9s 2c", "three_of_a_kind", "three of a kind, nines"),
        (wild, "Ac 9c 5c 3c 2d", "flush", "flush, ace high"),
        (wild, "3c 4d 5h 6s 2d", "straight", "straight, seven high"),
        (wild, "3c 4d 5h 9s 2d", "pair", "pair of nines"),
        (wild, "3c 4d 5h 9s Kd", "high_card", "king high"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_names_for_people(ranking: Any, cards: str, category: str, name: str) -> None:
    hand = parse_cards(cards, len(cards.split()), joker=True)
    value = ranking.value(*hand)
    own = three_card if ranking is three_card else four_card if ranking is four_card else poker
    key = (wild if ranking is wild else own).CATEGORIES[own.category(value)]
    assert (key, ranking.name(value)) == (category, name)


def test_every_hand_has_a_name_of_its_category() -> None:
    for ranking in (five_card, joker):
        tables = ranking.tables()
        for value in {*tables.plain.values(), *tables.suited.values()}:
            words = poker.CATEGORIES[poker.category(value)].replace("_", " ")
            name = ranking.name(value)
            assert name.startswith("" if words == "high card" else words)
            assert name.endswith(" high") or words != "high card"


@pytest.mark.parametrize(
    ("text", "name"), [("4c 5d 6h 7s", "4-card straight to the seven"), ("2c 4d 6h 8s", "1-card straight to the eight")]
)
def test_names_of_runs(text: str, name: str) -> None:
    assert runs.name(runs.straight_run(runs.ranks_of(parse_cards(text, 4), 4))) == name
