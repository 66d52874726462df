"""Caribbean Stud's counts against brute force on short decks, known figures, and play."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, prod, sqrt
from random import Random

import pytest
from tests.proof.second_opinions import caribbean_stud as solver
from tests.proof.second_opinions.caribbean_stud import RULES_OF_THUMB, Solution

from houseway.cards import DECK_52, Card, rank_of, read_cards, shuffled
from houseway.games import approved_book
from houseway.games.caribbean_stud import ACE_KING, GAME
from houseway.games.round import PLAY, Round, SpotSettlement
from houseway.games.round import Spot as SpotHand
from houseway.paytables import PayTable
from houseway.proof import cover_all as cover
from houseway.ranking import five_card, poker

ROUNDS = 20_000

COVER_ALL = next(wager for wager in GAME.wagers if wager.by_hands_dealt)
Cards = tuple[Card, ...]


def table(wager: str, name: str = "standard") -> PayTable:
    found = approved_book().find(GAME.families, wager, name)
    assert isinstance(found, PayTable)
    return found


def settle(hands: tuple[Cards, ...], **tables: PayTable) -> SpotSettlement:
    """The first spot of a round in which the last hand is the dealer's."""
    wagers = {"ante": 100, **{wager: 100 for wager in tables if wager != "bet"}}
    spots = tuple(SpotHand(number, hand, wagers, (PLAY,)) for number, hand in enumerate(hands[:-1], start=1))
    return GAME.settle(Round(hands[-1], spots, {"bet": table("bet"), **tables}, GAME.defaults)).spots[0]


def net_of(spot: SpotSettlement) -> int:
    return sum(spot.wagers[wager].returned - spot.wagers[wager].wagered for wager in ("ante", "bet"))


@cache
def solution() -> Solution:
    return solver.solve(table("bet"))


SHORT = {
    "straights in two suits": tuple(card for card in DECK_52 if card // 13 in (0, 2) and card % 13 >= 7),
    "ace-king, no suits alike": tuple(sorted(read_cards("Ac Kc 9c 7c 5c 2c Ad Kd 9d 7d 5h 2h"))),
}


@pytest.mark.clause("CS-6", "CS-7", "CS-8", "CS-9")
@pytest.mark.parametrize("deck", SHORT.values(), ids=SHORT)
def test_the_base_game_is_what_settling_every_deal_gives(deck: Cards) -> None:
    nets: dict[tuple[Cards, Card], Counter[int]] = {}
    hands: Iterator[Cards] = combinations(deck, 5)
    for cards in hands:
        for dealer in combinations([card for card in deck if card not in cards], 5):
            net = net_of(settle((cards, dealer)))
            for up in dealer:
                nets.setdefault((cards, up), Counter())[net] += 1
    holes = comb(len(deck) - 6, 4)
    worth = {seen: sum(net * count for net, count in counts.items()) for seen, counts in nets.items()}
    found = solver.solve(table("bet"), deck)

    def expected(bets: set[tuple[Cards, Card]]) -> dict[Fraction, int]:
        made: Counter[Fraction] = Counter()
        for seen, counts in nets.items():
            if seen in bets:
                made.update({Fraction(net, 100): count for net, count in counts.items()})
            else:
                made[Fraction(-1)] += holes
        return dict(made)

    best = {seen for seen, sum_ in worth.items() if sum_ > -100 * holes}
    assert 0 < len(best) < len(worth)
    blind: Counter[Cards] = Counter()
    for (own, _), sum_ in worth.items():
        blind[own] += sum_
    without_up = {seen for seen in worth if blind[seen[0]] > -100 * holes * (len(deck) - 5)}
    pairs = {seen for seen in worth if five_card.value(*seen[0]) >= 1 << 20}
    for flags, bets in (
        (found.best, best),
        (found.best_without_up_card, without_up),
        (RULES_OF_THUMB["raise any pair or better"](found), pairs),
    ):
        game = found.play(flags)
        total = game.distribution.total
        assert {net: chance * total for net, chance in game.distribution.probabilities().items()} == expected(bets)
        assert game.raise_frequency == Fraction(len(bets), len(worth))
        assert game.distribution.wagered == 1 + 2 * game.raise_frequency
    for cards, up in Random(3).sample(sorted(worth), 60):
        value = Fraction(worth[cards, up], 100 * holes)
        assert found.worth_of(cards, up) == value
        assert solver.advise(cards, up, table("bet"), deck) == {"play": value, "fold": Fraction(-1)}


@pytest.mark.clause("CSB-2")
def test_the_bonus_is_what_settling_every_hand_gives() -> None:
    deck = tuple(card for card in DECK_52 if card % 13 in (6, 7, 8, 9, 12))
    dealer = (*(card for card in DECK_52 if card % 13 == 0), Card(1))
    pays = table("bonus", "CPSB-02")
    nets = Counter(
        Fraction(settle((cards, dealer), bonus=pays).wagers["bonus"].returned - 100, 100)
        for cards in combinations(deck, 5)
    )
    found = solver.bonus(pays, deck)
    assert {net: chance * found.total for net, chance in found.probabilities().items()} == nets
    assert found.hits == sum(count for net, count in nets.items() if net > 0)


def test_known_figures() -> None:
    assert solver.ways_by_category() == {
        "high_card": 1302540, "pair": 1098240, "two_pair": 123552, "three_of_a_kind": 54912, "straight": 10200,
        "flush": 5108, "full_house": 3744, "four_of_a_kind": 624, "straight_flush": 36, "royal_flush": 4,
    }  # fmt: skip
    assert len(solver.ways_by_value()) == 7462
    assert solver.bonus(table("bonus", "CPSB-01")).house_edge == Fraction(1347, 43316)
    found = solution()
    assert len(found.values) == 134_459
    assert int(found.ways.sum()) == comb(52, 5)
    best = found.play(found.best)
    assert best.distribution.house_edge == Fraction(142031221, 2718662100)
    assert float(best.distribution.house_edge) == pytest.approx(0.05224, abs=0.000005)
    assert float(best.distribution.element_of_risk) == pytest.approx(0.02555, abs=0.000005)
    assert best.distribution.standard_deviation == pytest.approx(2.243, abs=0.0005)
    assert found.bet_from == five_card.value(*read_cards("Ac Kd Qh Js 2c"))
    assert found.fold_below == five_card.value(*read_cards("Ac Kd 4h 3s 2c"))


def test_what_rules_of_thumb_cost() -> None:
    found = solution()
    best = found.play(found.best).distribution.house_edge
    cost = {words: found.play(bets(found)).distribution.house_edge - best for words, bets in RULES_OF_THUMB.items()}
    assert all(extra > 0 for extra in cost.values())
    assert float(cost["raise any pair or better"]) == pytest.approx(0.00245, abs=0.00001)
    assert float(cost["raise A-K-4-3-2 or better"]) == pytest.approx(0.00458, abs=0.00001)
    assert float(cost["raise A-K-J-8-3 or better"]) == pytest.approx(0.00092, abs=0.00001)
    assert cost["the best that ignores the up card"] < cost["raise A-K-J-8-3 or better"]
    assert float(cost["ace-king by three rules on the up card"]) < 0.00001


def test_the_sum_over_subsets_agrees_with_dealing_every_hole_card() -> None:
    source = Random(7)
    found = solution()
    for text in (
        "Ah Kd Js 8c 3h 8d",
        "Ac Kc Qc Jc 2d As",
        "2c 2d 3h 5s 9h Kd",
        "7c 5d 4h 3s 2h Ac",
        "Ts Js Qs Ks As 9s",
    ):
        *cards, up = read_cards(text)
        assert found.worth_of(cards, up) == solver.advise(cards, up, table("bet"))["play"]
    for _ in range(20):
        *cards, up = source.sample(DECK_52, 6)
        assert found.worth_of(cards, up) == solver.advise(cards, up, table("bet"))["play"]


def bets_by_three_rules(cards: Cards, up: Card) -> bool:
    value = five_card.value(*cards)
    if value < ACE_KING or poker.category(value):
        return value >= ACE_KING
    ranks = sorted((rank_of(card) for card in cards), reverse=True)
    shown = rank_of(up)
    if shown in ranks:
        return shown <= 12 or 12 in ranks or 11 in ranks
    return 12 in ranks and shown < ranks[3]


def fresh_seed() -> int:
    return secrets.randbits(64)


@pytest.mark.parametrize(
    ("seed", "rounds"), [(20260102, ROUNDS), pytest.param(None, 10 * ROUNDS, marks=pytest.mark.long)]
)
def test_play_agrees_within_four_standard_errors(seed: int | None, rounds: int) -> None:
    seed = fresh_seed() if seed is None else seed
    found = solution()
    bonus = table("bonus", "CPSB-01")
    exact = {
        "best": found.play(found.best).distribution,
        "three rules": found.play(RULES_OF_THUMB["ace-king by three rules on the up card"](found)).distribution,
        "bonus": solver.bonus(bonus),
    }
    sums = dict.fromkeys(exact, 0)
    source = Random(seed)
    for _ in range(rounds):
        order = shuffled(DECK_52, source)
        cards, dealer = order[:5], order[5:10]
        up = dealer[GAME.dealer_face_up[0]]
        spot = settle((cards, dealer), bonus=bonus)
        sums["bonus"] += spot.wagers["bonus"].returned - 100
        sums["three rules"] += net_of(spot) if bets_by_three_rules(cards, up) else -100
        sums["best"] += net_of(spot) if found.worth_of(cards, up) > -1 else -100
    for name, made in exact.items():
        error = made.standard_deviation / sqrt(rounds)
        assert abs(sums[name] / 100 / rounds + float(made.house_edge)) < 4 * error, f"{name}, seed {seed}"


def deals(deck: Cards, hands: int) -> int:
    return prod(comb(len(deck) - 5 * hand, 5) for hand in range(hands))


def partitions(deck: Cards, hands: int) -> Iterator[tuple[Cards, ...]]:
    """Every set of disjoint hands; which hand is whose does not matter to the highest."""
    if hands == 0:
        yield ()
        return
    for place, first in enumerate(deck[: len(deck) - 5 * hands + 1]):
        # The lowest card of all is in the first hand, and the cards below it in none.
        for others in combinations(deck[place + 1 :], 4):
            rest = tuple(card for card in deck[place + 1 :] if card not in others)
            for beside in partitions(rest, hands - 1):
                yield ((first, *others), *beside)


@pytest.mark.clause("CSC-2", "CSC-3", "CSC-A2")
@pytest.mark.parametrize(
    ("deck", "hands"),
    [
        (SHORT["straights in two suits"], 2),
        (SHORT["ace-king, no suits alike"], 2),
        (tuple(sorted(read_cards("Ac Kc Qc Jc Tc Ad Kd Qd 9d 8d 7d Qh 7h"))), 2),
        (tuple(card for card in DECK_52 if card // 13 < 3 and card % 13 >= 8), 3),
    ],
)
def test_cover_all_is_what_settling_every_deal_gives(deck: Cards, hands: int) -> None:
    pays = table("cover_all")
    values: dict[Cards, int] = {hand: five_card.value(*hand) for hand in combinations(deck, 5)}
    nets: Counter[int] = Counter()
    settled: dict[int, int] = {}
    deals_seen = 0
    for dealt in partitions(deck, hands):
        # Rounds with one and the same highest value are settled once.
        highest = max(values[hand] for hand in dealt)
        if highest not in settled:
            settled[highest] = settle(dealt, cover_all=pays).wagers["cover_all"].returned - 100
        nets[settled[highest]] += 1
        deals_seen += 1
    found = cover.cover_all(GAME, COVER_ALL, pays, hands, deck)
    assert found.distribution is not None
    assert found.distribution.total == deals(deck, hands)
    assert found.distribution.probabilities() == {
        Fraction(net, 100): Fraction(count, deals_seen) for net, count in nets.items()
    }
    assert found.hit_frequency.low == Fraction(sum(count for net, count in nets.items() if net > 0), deals_seen)


def test_bounds_hold_the_truth_where_it_can_be_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    deck = tuple(card for card in DECK_52 if card // 13 < 3 and card % 13 >= 6)
    pays = table("cover_all")
    bounds = [cover.cover_all(GAME, COVER_ALL, pays, hands, deck) for hands in (2, 3, 4)]
    monkeypatch.setattr(cover, "FEW", 10_000)
    cover.none_reaches.cache_clear()
    counted = [cover.cover_all(GAME, COVER_ALL, pays, hands, deck) for hands in (2, 3, 4)]
    cover.none_reaches.cache_clear()
    assert [made.exact for made in bounds] == [True, True, False]
    assert [made.exact for made in counted] == [True, True, True]
    assert bounds[:2] == counted[:2]
    for held, truth in (
        (bounds[2].house_edge, counted[2].house_edge),
        (bounds[2].hit_frequency, counted[2].hit_frequency),
    ):
        assert held.low <= truth.low <= held.high


def test_cover_all_of_the_whole_deck() -> None:
    pays = table("cover_all")
    made = {hands: cover.cover_all(GAME, COVER_ALL, pays, hands) for hands in range(2, 9)}
    assert [made[hands].exact for hands in made] == [True, True, *[False] * 5]
    assert made[2].house_edge.low == Fraction(21713491627, 249165381465)
    assert made[3].house_edge.low == Fraction(4996717263218503, 70652338906689540)
    for found in made.values():
        assert found.house_edge.high - found.house_edge.low < Fraction(1, 50_000)
        assert sum(chance.low for _, chance in found.results) <= 1 <= sum(chance.high for _, chance in found.results)


@pytest.mark.parametrize(
    ("seed", "deals_made"), [(20260103, 16_000), pytest.param(None, 400_000, marks=pytest.mark.long)]
)
@pytest.mark.parametrize("hands", [2, 3, 5, 8])
def test_cover_all_agrees_with_play(hands: int, seed: int | None, deals_made: int) -> None:
    seed = fresh_seed() if seed is None else seed
    pays = table("cover_all")
    found = cover.cover_all(GAME, COVER_ALL, pays, hands)
    source = Random(seed)
    rounds = deals_made // hands
    sum_ = 0
    for _ in range(rounds):
        order = shuffled(DECK_52, source)
        dealt = tuple(order[5 * hand : 5 * hand + 5] for hand in range(hands))
        sum_ += settle(dealt, cover_all=pays).wagers["cover_all"].returned - 100
    error = found.standard_deviation / sqrt(rounds)
    edge = -sum_ / 100 / rounds
    assert float(found.house_edge.low) - 4 * error < edge, f"seed {seed}"
    assert edge < float(found.house_edge.high) + 4 * error, f"seed {seed}"
