"""Three Card Poker's counts against brute force on short decks, known figures, and play."""

from __future__ import annotations

import secrets
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, sqrt
from random import Random
from typing import Any

import pytest
from tests.proof.second_opinions import three_card_poker as solver

from houseway.cards import DECK_52, Card, read_cards, shuffled
from houseway.games import approved_book
from houseway.games.round import PLAY, Round, SpotSettlement
from houseway.games.round import Spot as SpotHand
from houseway.games.three_card_poker import GAME
from houseway.paytables import Odds, OddsRow, PayTable
from houseway.ranking import three_card

ROUNDS = 20_000


def table(wager: str, name: str) -> PayTable:
    found = approved_book().find(GAME.families, wager, name)
    assert isinstance(found, PayTable)
    return found


def house_bonus() -> PayTable:
    """Pays that are no whole multiples, and a hand so dear that it changes what is worth playing."""
    rows = (
        OddsRow("straight_flush", (Odds(7, 2),)),
        OddsRow("three_of_a_kind", (Odds(4, 3),)),
        OddsRow("straight", (Odds(1, 1),)),
    )
    return PayTable("three-card-poker", "ante_bonus", "H", (), True, (), "", rows, {}, 0, {}, False, "a test")


SHORT = {
    "four suits alike": tuple(card for card in DECK_52 if card % 13 in (0, 1, 10)),
    "two suits": tuple(card for card in DECK_52 if card // 13 in (1, 3) and card % 13 in (2, 3, 4, 9, 11, 12)),
    "no suits alike": tuple(sorted(read_cards("Ac Kc Qc Jc Ad Qd 9d Jh 9h 8h As 3s"))),
}


def settle(
    cards: tuple[Card, ...], dealer: tuple[Card, ...], tables: dict[str, PayTable], equal: str = "push"
) -> SpotSettlement:
    wagers = {"ante": 600, **{wager: 600 for wager in tables if wager != "ante_bonus"}}
    spot = SpotHand(1, cards, wagers, (PLAY,))
    options: dict[str, Any] = {**GAME.defaults, "equal_hands": equal}
    return GAME.settle(Round(dealer, (spot,), tables, options)).spots[0]


@cache
def dealt(deck: tuple[Card, ...]) -> list[tuple[tuple[Card, ...], tuple[Card, ...]]]:
    return [
        (cards, dealer)
        for cards in combinations(deck, 3)
        for dealer in combinations([card for card in deck if card not in cards], 3)
    ]


@pytest.mark.parametrize("deck", SHORT.values(), ids=SHORT)
@pytest.mark.parametrize(("bonus", "equal"), [("A", "push"), ("C", "lose"), ("H", "push")])
def test_the_base_game_is_what_settling_every_deal_gives(deck: tuple[Card, ...], bonus: str, equal: str) -> None:
    pays = house_bonus() if bonus == "H" else table("ante_bonus", bonus)
    nets: dict[tuple[Card, ...], Counter[int]] = {}
    for cards, dealer in dealt(deck):
        spot = settle(cards, dealer, {"ante_bonus": pays}, equal)
        results = spot.wagers.values()
        net = sum(wager.returned for wager in results) - sum(wager.wagered for wager in results)
        nets.setdefault(cards, Counter())[net] += 1
    expected: Counter[Fraction] = Counter()
    played = 0
    against = comb(len(deck) - 3, 3)
    for counts in nets.values():
        if sum(net * count for net, count in counts.items()) > -600 * against:
            expected.update({Fraction(net, 600): count for net, count in counts.items()})
            played += 1
        else:
            expected[Fraction(-1)] += against
    found = solver.base_game(pays, equal, deck=deck)
    total = found.distribution.total
    assert {net: chance * total for net, chance in found.distribution.probabilities().items()} == expected
    assert found.play_frequency == Fraction(played, comb(len(deck), 3))
    assert found.distribution.wagered == 1 + found.play_frequency
    for hand in found.classes[:: len(found.classes) // 7 + 1]:
        counts = nets[hand.cards]
        worth = Fraction(sum(net * count for net, count in counts.items()), 600 * against)
        assert hand.play == worth
        assert solver.advise(hand.cards, pays, equal, deck) == {"play": worth, "fold": Fraction(-1)}


@pytest.mark.clause("TC-11", "TCB-1")
@pytest.mark.parametrize("deck", SHORT.values(), ids=SHORT)
def test_side_wagers_are_what_settling_every_deal_gives(deck: tuple[Card, ...]) -> None:
    plus, six = table("pair_plus", "B"), table("six_card_bonus", "TCP-6B2")
    tables = {"ante_bonus": table("ante_bonus", "A"), "pair_plus": plus, "six_card_bonus": six}
    found = {"pair_plus": solver.pair_plus(plus, deck), "six_card_bonus": solver.six_card_bonus(six, deck)}
    nets: dict[str, Counter[Fraction]] = {"pair_plus": Counter(), "six_card_bonus": Counter()}
    wins: Counter[str] = Counter()
    rows: Counter[str] = Counter()
    deals = dealt(deck)
    for cards, dealer in deals:
        spot = settle(cards, dealer, tables)
        for wager, counts in nets.items():
            counts[Fraction(spot.wagers[wager].returned - 600, 600)] += 1
            wins[wager] += spot.wagers[wager].result == "win"
        rows[spot.progressive_hand] += 1
    for wager, made in found.items():
        assert made.probabilities() == {net: Fraction(count, len(deals)) for net, count in nets[wager].items()}
        assert made.hit_frequency == Fraction(wins[wager], len(deals))
    against = comb(len(deck) - 3, 3)
    assert {row: count * against for row, count in solver.ways_by_row(deck).items() if count} == rows


def test_known_figures() -> None:
    assert solver.pair_plus(table("pair_plus", "A")).house_edge == Fraction(128, 5525)
    assert solver.pair_plus(table("pair_plus", "A")).hit_frequency == Fraction(283, 1105)
    assert solver.ways_by_row() == {
        "high_card": 16440, "pair": 3744, "flush": 1096, "straight": 720, "three_of_a_kind": 52,
        "straight_flush": 44, "akq_other_suit": 3, "akq_spades": 1,
    }  # fmt: skip
    six = solver.six_card_ways()
    assert sum(six.values()) == comb(52, 6)
    assert solver.six_card_bonus(table("six_card_bonus", "TCP-6B1")).house_edge == Fraction(15306, 149695)
    for name, edge in (("A", 0.0337), ("B", 0.0361), ("C", 0.0383)):
        game = solver.base_game(table("ante_bonus", name))
        assert float(game.distribution.house_edge) == pytest.approx(edge, abs=0.00005)
        assert game.play_from == three_card.value(*read_cards("Qc 6d 4h"))
    game = solver.base_game(table("ante_bonus", "A"))
    assert game.distribution.house_edge == Fraction(686689, 20358520)
    assert float(game.distribution.element_of_risk) == pytest.approx(0.0201, abs=0.00005)
    assert sum(hand.ways for hand in game.classes) == comb(52, 3)


def test_no_other_threshold_does_better() -> None:
    bonus = table("ante_bonus", "A")
    best = solver.base_game(bonus)
    edges = {
        text: solver.base_game(bonus, decide=three_card.value(*read_cards(text)).__le__)
        for text in ("Qc 6d 3h", "Qc 6d 4h", "Qc 6d 5h", "Qc 3d 2h", "Kc 3d 2h")
    }
    at_best = edges.pop("Qc 6d 4h")
    assert at_best.distribution == best.distribution
    assert all(game.distribution.house_edge > best.distribution.house_edge for game in edges.values())
    every = solver.base_game(bonus, decide=lambda _: True)
    assert every.play_frequency == 1
    assert every.distribution.wagered == 2


def test_progress_is_told() -> None:
    told: list[float] = []
    solver.base_game(table("ante_bonus", "A"), progress=lambda _, done: told.append(done))
    assert told == sorted(told)
    assert told[-1] == 1.0


@pytest.mark.parametrize(
    ("seed", "rounds"), [(20260101, ROUNDS), pytest.param(None, 10 * ROUNDS, marks=pytest.mark.long)]
)
def test_play_agrees_within_four_standard_errors(seed: int | None, rounds: int) -> None:
    seed = secrets.randbits(64) if seed is None else seed
    tables = {
        "ante_bonus": table("ante_bonus", "A"),
        "pair_plus": table("pair_plus", "A"),
        "six_card_bonus": table("six_card_bonus", "TCP-6B1"),
    }
    base = solver.base_game(tables["ante_bonus"])
    exact = {
        "base": base.distribution,
        "pair_plus": solver.pair_plus(tables["pair_plus"]),
        "six_card_bonus": solver.six_card_bonus(tables["six_card_bonus"]),
    }
    source = Random(seed)
    sums = dict.fromkeys(exact, 0)
    least = base.play_from
    assert least is not None
    for _ in range(rounds):
        order = shuffled(DECK_52, source)
        spot = settle(order[:3], order[3:6], tables)
        for wager in ("pair_plus", "six_card_bonus"):
            sums[wager] += spot.wagers[wager].returned - 600
        if three_card.value(*order[:3]) >= least:
            for wager in ("ante", "play", "ante_bonus"):
                if wager in spot.wagers:
                    sums["base"] += spot.wagers[wager].returned - spot.wagers[wager].wagered
        else:
            sums["base"] -= 600
    for wager, made in exact.items():
        error = made.standard_deviation / sqrt(rounds)
        assert abs(sums[wager] / 600 / rounds + float(made.house_edge)) < 4 * error, f"{wager}, seed {seed}"
