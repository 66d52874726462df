"""Straight Edge's counts, both versions, against brute force on short decks, printed figures, and play."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, sqrt
from random import Random
from typing import Any

import pytest
from tests.proof.second_opinions import straight_edge as solver
from tests.proof.second_opinions.straight_edge import BaseGame, Version

from houseway.cards import DECK_52, Card, read_cards, shuffled
from houseway.games import Game, approved_book
from houseway.games import straight_edge_2 as two
from houseway.games.round import PLAY, Round, SpotSettlement
from houseway.games.round import Spot as SpotHand
from houseway.games.straight_edge_1 import GAME as GAME_1
from houseway.games.straight_edge_2 import GAME as GAME_2
from houseway.paytables import Odds, OddsRow, PayTable
from houseway.ranking import runs

ROUNDS = 10_000
ANTE = 600
GAMES: dict[Version, Game] = {1: GAME_1, 2: GAME_2}
BASE: dict[Version, tuple[str, ...]] = {1: ("ante", "play"), 2: ("ante", "blind", "play")}
BEFORE: dict[Version, int] = {1: ANTE, 2: 2 * ANTE}
ON_LENGTH: dict[Version, str] = {1: "bonus", 2: "four_plus"}

Cards = tuple[Card, ...]

SHORT: dict[Version, tuple[Cards, ...]] = {
    1: (
        tuple(sorted(read_cards("Ac 2c 3c 4d 6d 6h 8s 9c Tc Td Js Qs Kc Kd Kh"))),
        tuple(sorted(read_cards("Ac Ad 2c 2d 3c 3h 5d 6d 7h 7s 8s 9c Qd Kc Kh Ks"))),
    ),
    2: (
        tuple(sorted(read_cards("Ac 2c 3c 4d 6d 6h 8s 9c Tc Td Js Qs Kc Kd"))),
        tuple(sorted(read_cards("Ac Ad 2c 2d 3c 3h 5d 6d 7h 7s 9c Td Th Kc Ks"))),
    ),
}
DECKS = [(version, deck) for version, decks in SHORT.items() for deck in decks]


def table(version: Version, wager: str, name: str = "standard") -> PayTable:
    found = approved_book().find(GAMES[version].families, wager, name)
    assert isinstance(found, PayTable)
    return found


def base_table(version: Version) -> PayTable:
    return table(version, "play" if version == 1 else "blind")


def house_play() -> PayTable:
    """Pays that are no whole multiples."""
    rows = tuple(OddsRow(hand, (Odds(2 * int(hand) + 1, 3),)) for hand in "6543210")
    return PayTable("straight-edge-1", "play", "H", (), True, (), "", rows, {}, 0, {}, False, "a test")


def settle(version: Version, cards: Cards, dealer: Cards, *tables: PayTable, **options: Any) -> SpotSettlement:
    """A hand that is played, with a wager for every table."""
    wagers = {wager: ANTE for wager in ("ante", *(table.wager for table in tables)) if wager != "play"}
    spot = SpotHand(1, cards, wagers, (PLAY,))
    game = GAMES[version]
    by_wager = {table.wager: table for table in tables}
    return game.settle(Round(dealer, (spot,), by_wager, {**game.defaults, **options})).spots[0]


def side_tables(version: Version) -> tuple[PayTable, PayTable]:
    return table(version, ON_LENGTH[version], "1"), table(version, "insurance")


def net_of(version: Version, spot: SpotSettlement) -> int:
    return sum(spot.wagers[wager].returned - spot.wagers[wager].wagered for wager in BASE[version])


def deals(version: Version, deck: Cards) -> Iterator[tuple[Cards, Cards]]:
    for cards in combinations(deck, 7):
        for dealer in combinations([card for card in deck if card not in cards], GAMES[version].dealer_cards):
            yield cards, dealer


def check_base_game(version: Version, deck: Cards, pays: PayTable, zero: str = "push") -> BaseGame:
    """The solver's base game on a short deck, held against settling every deal."""
    options = {"blind_on_margin_zero": zero} if version == 2 else {}
    nets: dict[Cards, Counter[int]] = {}
    rows: dict[Cards, Counter[str]] = {}
    for cards, dealer in deals(version, deck):
        spot = settle(version, cards, dealer, pays, **options)
        nets.setdefault(cards, Counter())[net_of(version, spot)] += 1
        rows.setdefault(cards, Counter())[spot.progressive_hand] += 1
    against = comb(len(deck) - 7, GAMES[version].dealer_cards)
    worth = {cards: sum(net * count for net, count in counts.items()) for cards, counts in nets.items()}
    played = {cards for cards in nets if worth[cards] > -BEFORE[version] * against}
    expected: Counter[Fraction] = Counter()
    bad_beats: Counter[str] = Counter()
    for cards, counts in nets.items():
        if cards in played:
            expected.update({Fraction(net, ANTE): count for net, count in counts.items()})
            bad_beats.update(rows[cards])
        else:
            expected[Fraction(-BEFORE[version], ANTE)] += against

    found = solver.base_game(version, pays, zero, deck=deck)
    total = comb(len(deck), 7) * against
    made = found.distribution
    assert made.total == total
    assert {net: chance * total for net, chance in made.probabilities().items()} == expected
    assert found.play_frequency == Fraction(len(played), len(nets))
    assert made.wagered == version * (1 + found.play_frequency)
    assert made.hits == sum(count for net, count in expected.items() if net > 0)
    assert found.bad_beats() == {int(row): count for row, count in bad_beats.items() if row}
    every: Counter[str] = sum(rows.values(), Counter())
    assert found.bad_beats(folded_qualify=True) == {int(row): count for row, count in every.items() if row}
    for cards in list(nets)[:: len(nets) // 11]:
        assert solver.advise(version, cards, pays, zero, deck) == {
            "play": Fraction(worth[cards], ANTE * against),
            "fold": Fraction(-BEFORE[version], ANTE),
        }
    run = {cards: runs_of(version, cards) for cards in nets}
    for hands in found.classes:
        here = [worth[cards] for cards in nets if run[cards] == hands.run]
        assert hands.ways == len(here)
        assert hands.played == sum(cards in played for cards in nets if run[cards] == hands.run)
        assert (hands.least, hands.most) == tuple(Fraction(end, ANTE * against) for end in (min(here), max(here)))
        assert hands.average == Fraction(sum(here), ANTE * against * len(here))
    return found


def runs_of(version: Version, cards: Cards) -> int:
    ranks = runs.ranks_of(cards, 7)
    return runs.wrapping_run(ranks) if version == 1 else runs.straight_run(ranks)


@pytest.mark.clause("SE1-4", "SE1-7", "SE1-8", "SE2-3", "SE2-4", "SE2-5", "SE2-6", "SEB-1", "SEB-2")
@pytest.mark.parametrize(("version", "deck"), DECKS)
def test_the_base_game_is_what_settling_every_deal_gives(version: Version, deck: Cards) -> None:
    found = check_base_game(version, deck, base_table(version))
    assert 0 < found.play_frequency < 1


def test_a_house_table_with_odds_that_are_no_whole_multiples() -> None:
    found = check_base_game(1, SHORT[1][0], house_play())
    assert found.distribution.unit == 3


@pytest.mark.clause("SE2-A1")
@pytest.mark.parametrize("zero", ["one_to_one", "lose"])
def test_the_blind_on_margin_zero_as_the_house_has_it(zero: str) -> None:
    check_base_game(2, SHORT[2][0], base_table(2), zero)


def test_a_changed_rule_moves_settlement_and_figure_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    deck = SHORT[2][0]
    before = solver.base_game(2, base_table(2), deck=deck).distribution
    monkeypatch.setattr(two, "NINE_TEN", 3 << 4 | 3)
    after = check_base_game(2, deck, base_table(2)).distribution
    assert before != after


@pytest.mark.clause("SE-3", "SE1-9", "SE2-7")
@pytest.mark.parametrize(("version", "deck"), DECKS)
def test_side_wagers_are_what_settling_every_hand_gives(version: Version, deck: Cards) -> None:
    nets: dict[str, Counter[Fraction]] = {ON_LENGTH[version]: Counter(), "insurance": Counter()}
    wins: Counter[str] = Counter()
    for cards in combinations(deck, 7):
        rest = [card for card in deck if card not in cards]
        dealer = tuple(rest[: GAMES[version].dealer_cards])
        spot = settle(version, cards, dealer, base_table(version), *side_tables(version))
        for wager, counts in nets.items():
            counts[Fraction(spot.wagers[wager].returned - ANTE, ANTE)] += 1
            wins[wager] += spot.wagers[wager].result == "win"
    hands = comb(len(deck), 7)
    on_length, insured = side_tables(version)
    found = {
        ON_LENGTH[version]: solver.on_length(version, on_length, deck),
        "insurance": solver.insurance(version, insured, deck),
    }
    for wager, made in found.items():
        assert made.probabilities() == {net: Fraction(count, hands) for net, count in nets[wager].items()}
        assert made.hit_frequency == Fraction(wins[wager], hands)


@cache
def solution(version: Version, zero: str = "push") -> BaseGame:
    return solver.base_game(version, base_table(version), zero)


def test_printed_edges_of_the_side_wagers() -> None:
    edges = {
        "3.60%": solver.on_length(1, table(1, "bonus", "1")).house_edge,
        "5.86%": solver.on_length(1, table(1, "bonus", "2")).house_edge,
        "5.60%": solver.on_length(2, table(2, "four_plus", "1")).house_edge,
        "9.12%": solver.insurance(1, table(1, "insurance")).house_edge,
    }
    assert all(f"{float(edge):.2%}" == printed for printed, edge in edges.items())
    assert edges["3.60%"] == Fraction(23159, 643195)
    assert edges["9.12%"] == Fraction(30, 329)
    # No two ranks in sequence, the ace beside the two and the king in both versions: the same hands.
    assert solver.insurance(2, table(2, "insurance")) == solver.insurance(1, table(1, "insurance"))


def test_every_seven_cards_have_a_run() -> None:
    for version in GAMES:
        ways = solver.ways_by_run(version)
        assert sum(ways.values()) == comb(52, 7)
        longest = 13 if version == 1 else 8
        # Seven ranks in a row: one run for each ending card, four suits a rank.
        assert sum(count for run, count in ways.items() if runs.length(run) == 7) == longest * 4**7


@pytest.mark.clause("SE2-A2")
def test_a_side_wager_that_does_not_survive_a_fold() -> None:
    game = solution(2)
    folded = game.folded()
    assert sum(folded.values()) == comb(52, 7) * (1 - game.play_frequency)
    insured = table(2, "insurance")
    # A hand without two cards in sequence is never worth playing, so Insurance could not win.
    assert solver.insurance(2, insured, folded=folded).hits == 0
    four_plus = table(2, "four_plus", "1")
    assert solver.on_length(2, four_plus, folded=folded) == solver.on_length(2, four_plus)


def test_the_base_games() -> None:
    assert solution(1).distribution.house_edge == Fraction(30253968530771, 1201570389569550)
    assert solution(2).distribution.house_edge == Fraction(-11395747713653, 75888656183340)
    assert solution(1).distribution.total == comb(52, 7) * comb(45, 8)
    assert solution(2).distribution.total == comb(52, 7) * comb(45, 7)
    edges = [solution(2, zero).distribution.house_edge for zero in ("one_to_one", "push", "lose")]
    assert edges == sorted(edges)
    for version in GAMES:
        game = solution(version)
        assert sum(game.pairs.values()) == game.distribution.total
        # Whoever is dealt the better hand, seven against seven cards is the same game for both.
        if version == 2:
            assert all(game.pairs.get((b, a)) == count for (a, b), count in game.pairs.items())


def test_rules_of_thumb_cost_what_playing_by_them_costs() -> None:
    for version in GAMES:
        best = solution(version).distribution.house_edge
        rules = solution(version).rules_of_thumb()
        assert [rule.cost for rule in rules] == sorted(rule.cost for rule in rules)
        assert rules[0].cost > 0
        assert rules[0].holdings
        for rule in rules[1:3]:
            assert not rule.holdings
            game = solver.base_game(version, base_table(version), decide=rule.least.__le__)
            assert game.distribution.house_edge == best + rule.cost
            assert game.play_frequency == rule.play_frequency
    assert str(solution(1).rules_of_thumb()[0]) == (
        "play a 2-card straight to the king or better, but a 2-card straight to the king only with no two"
    )


def test_wrong_cards_are_refused() -> None:
    with pytest.raises(ValueError, match="without a joker"):
        solver.ways_by_run(1, (*DECK_52, Card(52)))
    with pytest.raises(ValueError, match="seven different"):
        solver.advise(1, DECK_52[:6], base_table(1))


def test_progress_is_told() -> None:
    told: list[float] = []
    solver.base_game(1, base_table(1), deck=SHORT[1][0], progress=lambda _, done: told.append(done))
    assert told == sorted(told)
    assert told[-1] == 1.0


@pytest.mark.parametrize("version", GAMES)
@pytest.mark.parametrize(
    ("seed", "rounds"), [(20260102, ROUNDS), pytest.param(None, 10 * ROUNDS, marks=pytest.mark.long)]
)
def test_play_agrees_within_four_standard_errors(version: Version, seed: int | None, rounds: int) -> None:
    seed = secrets.randbits(64) if seed is None else seed
    game = solution(version)
    choice = {tuple(held): bool(plays) for held, plays in zip(game.held.tolist(), game.played, strict=True)}
    on_length, insured = side_tables(version)
    exact = {
        "base": game.distribution,
        ON_LENGTH[version]: solver.on_length(version, on_length),
        "insurance": solver.insurance(version, insured),
    }
    sums = dict.fromkeys(exact, 0)
    beats: Counter[str] = Counter()
    source = Random(seed)
    for _ in range(rounds):
        order = shuffled(DECK_52, source)
        cards, dealer = order[:7], order[7 : 7 + GAMES[version].dealer_cards]
        spot = settle(version, cards, dealer, base_table(version), *side_tables(version))
        held = [0] * 13
        for card in cards:
            held[card % 13] += 1
        played = choice[tuple(held)]
        sums["base"] += net_of(version, spot) if played else -BEFORE[version]
        for wager in (ON_LENGTH[version], "insurance"):
            sums[wager] += spot.wagers[wager].returned - ANTE
        beats[spot.progressive_hand] += played
    for wager, made in exact.items():
        error = made.standard_deviation / sqrt(rounds)
        assert abs(sums[wager] / ANTE / rounds + float(made.house_edge)) < 4 * error, f"{wager}, seed {seed}"
    for row, count in game.bad_beats().items():
        chance = count / game.distribution.total
        error = sqrt(chance * (1 - chance) / rounds)
        assert abs(beats[str(row)] / rounds - chance) < 4 * error, f"row {row}, seed {seed}"
