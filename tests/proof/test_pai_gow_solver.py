"""Six-card pai gow's counts against brute force on short decks, a second way of counting, printed figures, and play."""

from __future__ import annotations

import secrets
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, sqrt
from random import Random

import pytest
from tests.proof.second_opinions import pai_gow_sides as sides

from houseway.cards import DECK_52, DECK_53, JOKER, Card, parse_cards, shuffled
from houseway.games import approved_book
from houseway.games import six_card_pai_gow as rules
from houseway.games.round import Action, Round, SpotSettlement
from houseway.games.round import Spot as SpotHand
from houseway.games.settle import house_way_place, settings
from houseway.games.six_card_pai_gow import GAME, low_rank
from houseway.paytables import PayTable
from houseway.proof import six_card_pai_gow as solver
from houseway.proof.pai_gow_solver import (
    BEST_SETTING,
    BEST_SETTING_DOUBLING,
    ELEMENTS,
    HOUSE_WAY,
    HOUSE_WAY_DOUBLING,
)
from houseway.proof.six_card_pai_gow import DOUBLING_RULES, SETTING_RULES, BaseGame
from houseway.ranking import joker
from houseway.ranking.poker import CATEGORIES, FLUSH

ROUNDS = 10_000
BASE = 100

Cards = tuple[Card, ...]


def short_deck(ranks: str, suits: int) -> Cards:
    """The joker and the same ranks in the first suits."""
    return (*(card for card in DECK_52 if "23456789TJQKA"[card % 13] in ranks and card // 13 < suits), JOKER)


SHORT = {
    "straights and flushes": short_deck("56789A", 2),
    "full houses, quads and five aces": short_deck("28A", 4),
    "three pairs, two trips": short_deck("7TKA", 3),
}


def table(wager: str, name: str = "standard") -> PayTable:
    found = approved_book().find(GAME.families, wager, name)
    assert isinstance(found, PayTable)
    return found


def settle(cards: Cards, dealer: Cards, decision: Action, *tables: PayTable) -> SpotSettlement:
    wagers = dict.fromkeys(("base", *(table.wager for table in tables)), BASE)
    spot = SpotHand(1, cards, wagers, (decision,))
    return GAME.settle(Round(dealer, (spot,), {table.wager: table for table in tables}, GAME.defaults)).spots[0]


def nets_of(cards: Cards, dealer: Cards, low: Card) -> tuple[int, int]:
    """What the base wager and the double down come to, in units, with a setting."""
    wagers = settle(cards, dealer, Action("low", low, BASE)).wagers
    return tuple((wagers[key].returned - BASE) // BASE for key in ("base", "double_down"))  # type: ignore[return-value]


@cache
def dealt(deck: Cards) -> dict[Cards, list[Cards]]:
    return {
        cards: list(combinations([card for card in deck if card not in cards], 6)) for cards in combinations(deck, 6)
    }


def check_base_game(deck: Cards) -> BaseGame:
    """The solver's base game on a short deck, held against settling every deal in every setting."""
    found = solver.base_game(deck=deck)
    against = comb(len(deck) - 6, 6)
    expected: dict[str, Counter[int]] = {name: Counter() for name in ELEMENTS}
    doubles: Counter[str] = Counter()
    differs = 0
    for cards, dealers in dealt(deck).items():
        nets = {low: [nets_of(cards, dealer, low) for dealer in dealers] for low in cards}
        worth = {low: (sum(net[0] for net in made), sum(net[1] for net in made)) for low, made in nets.items()}
        house = cards[house_way_place(rules.GAME, rules.GAME.splits[0], cards)]
        # Of settings worth the same the house way is meant, then the higher low card, then the better high hand.
        liked = [((cards[place] == house, low, high), cards[place]) for high, low, place in settings(rules.GAME, cards)]
        plain = max((worth[low][0], liking, low) for liking, low in liked)[2]
        with_double = max((worth[low][0] + max(worth[low][1], 0), liking, low) for liking, low in liked)[2]
        differs += plain != house
        for name, low in zip(ELEMENTS, (house, plain, house, with_double), strict=True):
            doubled = "doubling" in name and worth[low][1] > 0
            doubles[name] += doubled
            expected[name].update(base + double * doubled for base, double in nets[low])

        place = found.class_of(cards)
        assert found.worth[0, place, found.chosen[place, 0]] == worth[house][0]
        assert found.worth[1, place, found.chosen[place, 0]] == worth[house][1]
    for name, element in found.elements.items():
        made = element.distribution
        assert made.total == comb(len(deck), 6) * against
        assert made.ways == {net: count for net, count in expected[name].items() if count}, name
        assert element.double_frequency == Fraction(doubles[name], comb(len(deck), 6))
        assert made.wagered == 1 + element.double_frequency
        assert made.hits == sum(count for net, count in expected[name].items() if net > 0)
    assert found.differs_frequency == Fraction(differs, comb(len(deck), 6))
    return found


@pytest.mark.clause("PG-7", "PG-8", "PG-9", "PG-A1", "PG-A2", "PGD-2", "PGD-A1")
@pytest.mark.parametrize("deck", SHORT.values(), ids=SHORT)
def test_the_base_game_is_what_settling_every_deal_gives(deck: Cards) -> None:
    found = check_base_game(deck)
    assert found.differs_frequency > 0
    assert found.elements[HOUSE_WAY_DOUBLING].double_frequency > 0


@pytest.mark.parametrize("deck", SHORT.values(), ids=SHORT)
def test_advice_is_what_settling_every_deal_gives(deck: Cards) -> None:
    against = comb(len(deck) - 6, 6)
    for cards in list(dealt(deck))[::97]:
        advice = solver.advise(cards, deck)
        assert {setting.low for setting in advice} == set(cards)
        assert [setting.house_way for setting in advice].count(True) == 1
        for setting in advice:
            nets = [nets_of(cards, dealer, setting.low) for dealer in dealt(deck)[cards]]
            assert setting.base == Fraction(sum(net[0] for net in nets), against)
            assert setting.double_down == Fraction(sum(net[1] for net in nets), against)
            assert setting.wins == Fraction([net[0] for net in nets].count(1), against)
            assert setting.wins + setting.pushes + setting.loses == 1
            spot = settle(cards, dealt(deck)[cards][0], Action("low", setting.low))
            assert setting.fouls == (spot.outcome == "foul")


def test_a_changed_rule_moves_settlement_and_figure_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    deck = SHORT["straights and flushes"]
    before = solver.base_game(deck=deck).elements
    monkeypatch.setattr(rules, "PAIR_OF_EIGHTS", FLUSH << 20)
    action = solver.base_game(deck=deck).elements
    assert action[HOUSE_WAY] == before[HOUSE_WAY]
    assert action[HOUSE_WAY_DOUBLING] != before[HOUSE_WAY_DOUBLING]

    def player_wins_copies(player_high: int, player_low: int, dealer_high: int, dealer_low: int) -> int:
        return (player_high >= dealer_high) + (player_low >= dealer_low) - 1

    monkeypatch.setattr(rules, "matchup", player_wins_copies)
    copies = check_base_game(deck).elements
    assert copies[HOUSE_WAY].distribution.house_edge < before[HOUSE_WAY].distribution.house_edge


@pytest.mark.clause("PGF-1", "PGI-1", "PGP-1")
@pytest.mark.parametrize("deck", SHORT.values(), ids=SHORT)
def test_side_wagers_are_what_settling_every_hand_gives(deck: Cards) -> None:
    tables = table("fortune", "2"), table("insurance")
    nets: dict[str, Counter[Fraction]] = {"fortune": Counter(), "insurance": Counter()}
    wins: Counter[str] = Counter()
    rows: Counter[str] = Counter()
    for cards, dealers in dealt(deck).items():
        spot = settle(cards, dealers[0], Action("house_way"), *tables)
        for wager, counts in nets.items():
            counts[Fraction(spot.wagers[wager].returned - BASE, BASE)] += 1
            wins[wager] += spot.wagers[wager].result == "win"
        rows[spot.progressive_hand] += 1
    found = {"fortune": sides.fortune(tables[0], deck), "insurance": sides.insurance(tables[1], deck)}
    hands = comb(len(deck), 6)
    for wager, made in found.items():
        assert made.probabilities() == {net: Fraction(count, hands) for net, count in nets[wager].items()}
        assert made.hit_frequency == Fraction(wins[wager], hands)
    assert {row: count for row, count in sides.ways_by_category(deck).items() if count} == rows


@cache
def solution() -> BaseGame:
    return solver.base_game()


def test_printed_figures_of_the_side_wagers() -> None:
    assert sum(sides.ways_by_value().values()) == comb(53, 6)
    assert sides.ways_by_category() == {
        "high_card": 7183140, "pair": 10809876, "two_pair": 2873952, "three_of_a_kind": 853264, "straight": 696228,
        "flush": 314944, "full_house": 196896, "four_of_a_kind": 19752, "straight_flush": 8248, "royal_flush": 1132,
        "five_aces": 48,
    }  # fmt: skip
    fortune = {name: sides.fortune(table("fortune", name)) for name in "123"}
    assert all(f"{float(made.hit_frequency):.2%}" == "9.11%" for made in fortune.values())
    assert f"{float(fortune['3'].house_edge):.2%}" == "8.41%"
    # The documents print 4.10% for table 2: two digits have changed places.
    assert fortune["2"].house_edge == Fraction(1933, 48230)
    assert f"{float(fortune['2'].house_edge):.2%}" == "4.01%"
    insurance = sides.insurance(table("insurance"))
    assert insurance.house_edge == Fraction(87599, 1147874)
    assert insurance.hit_frequency == Fraction(25125, 163982)


def test_the_base_game() -> None:
    edges = {name: element.distribution.house_edge for name, element in solution().elements.items()}
    assert edges == {
        HOUSE_WAY: Fraction(1275674828591, 20542301449670),
        BEST_SETTING: Fraction(810789911017, 20542301449670),
        HOUSE_WAY_DOUBLING: Fraction(30425362258, 790088517295),
        BEST_SETTING_DOUBLING: Fraction(1771891808539, 123253808698020),
    }
    assert solution().differs_frequency == Fraction(94361, 1147874)
    assert solution().elements[HOUSE_WAY].distribution.total == comb(53, 6) * comb(47, 6)


def test_a_second_way_of_counting_finds_the_same() -> None:
    """Advice takes every dealer hand beside one player hand; the base game never looks at a pair of hands."""
    game = solution()
    source = Random(7)
    hands = [shuffled(DECK_53, source)[:6] for _ in range(12)]
    hands += [(*shuffled(DECK_52, source)[:5], JOKER) for _ in range(6)]
    hands += [difference.cards for difference in game.differences()]
    for cards in hands:
        place = game.class_of(cards)
        # A class stands for hands with other suits: the same setting is the one with the same values.
        found = {
            (int(high), int(low)): (int(base), int(double))
            for high, low, base, double in zip(
                game.high_values[place], game.lows[place], *game.worth[:, place], strict=True
            )
            if low
        }
        advice = solver.advise(cards)
        assert advice[0].best == max(Fraction(base + max(double, 0), game.dealers) for base, double in found.values())
        for setting in advice:
            if not setting.fouls:
                base, double = found[joker.value(*setting.high), low_rank(setting.low)]
                assert setting.base == Fraction(base, game.dealers)
                assert setting.double_down == Fraction(double, game.dealers)


def test_hands_that_the_house_way_gives_away() -> None:
    differences = solution().differences()
    assert all(difference.gain > 0 for difference in differences)
    five_aces = next(
        made for made in differences if set(made.cards) >= set(parse_cards("Ac Ad Ah As Jk", 5, joker=True))
    )
    assert five_aces.best_low == JOKER
    for difference in differences[:5]:
        advice = solver.advise(difference.cards)
        by_low = {setting.low: setting.base for setting in advice}
        assert by_low[difference.best_low] - by_low[difference.house_low] == difference.gain


def test_rules_of_thumb() -> None:
    game = solution()
    edges = {name: element.distribution.house_edge for name, element in game.elements.items()}
    setting = [game.cost_of_setting(lines) for lines in SETTING_RULES.values()]
    assert setting[0] == edges[HOUSE_WAY] - edges[BEST_SETTING]
    assert setting == sorted(setting, reverse=True)
    assert setting[-1] > 0
    doubling = {words: game.cost_of_doubling(lines) for words, lines in DOUBLING_RULES.items()}
    assert doubling["never double"] == edges[HOUSE_WAY] - edges[HOUSE_WAY_DOUBLING]
    lines = game.doubling_lines()
    by_table = game.cost_of_doubling(lines)
    assert 0 < by_table < min(doubling.values())
    assert [str(line) for line in lines[-4:]] == [
        "two pair, sevens up, or better beside a low queen",
        "pair of aces or better beside a low king",
        "pair of jacks or better beside a low ace",
        "pair of eights or better beside the joker",
    ]


def test_wrong_cards_are_refused() -> None:
    with pytest.raises(ValueError, match="the same ranks in each"):
        solver.base_game(deck=DECK_53[1:])
    with pytest.raises(ValueError, match="six different"):
        solver.advise(DECK_53[:5])
    with pytest.raises(ValueError, match="six different"):
        solution().class_of(DECK_53[:5])


def test_progress_is_told() -> None:
    told: list[float] = []
    solver.base_game(deck=SHORT["straights and flushes"], progress=lambda _, done: told.append(done))
    assert told == sorted(told)
    assert told[-1] == 1.0


@pytest.mark.parametrize(
    ("seed", "rounds"), [(20260103, ROUNDS), pytest.param(None, 10 * ROUNDS, marks=pytest.mark.long)]
)
def test_play_agrees_within_four_standard_errors(seed: int | None, rounds: int) -> None:
    seed = secrets.randbits(64) if seed is None else seed
    game = solution()
    tables = table("fortune", "2"), table("insurance")
    exact = {name: element.distribution for name, element in game.elements.items()}
    exact |= {"fortune": sides.fortune(tables[0]), "insurance": sides.insurance(tables[1])}
    sums = dict.fromkeys(exact, 0)
    source = Random(seed)
    for _ in range(rounds):
        order = shuffled(DECK_53, source)
        cards, dealer = order[:6], order[6:12]
        place = game.class_of(cards)
        set_ = {(high, low): cards[at] for high, low, at in reversed(settings(rules.GAME, cards))}
        for name, choice in zip(ELEMENTS, (0, 1, 0, 2), strict=True):
            at = game.chosen[place, choice]
            low = set_[int(game.high_values[place, at]), int(game.lows[place, at])]
            double = BASE if "doubling" in name and game.worth[1, place, at] > 0 else 0
            spot = settle(cards, dealer, Action("low", low, double), *tables)
            sums[name] += sum(spot.wagers[key].returned - BASE for key in ("base", "double_down") if key in spot.wagers)
        for wager in ("fortune", "insurance"):
            sums[wager] += spot.wagers[wager].returned - BASE
    for wager, made in exact.items():
        error = made.standard_deviation / sqrt(rounds)
        assert abs(sums[wager] / BASE / rounds + float(made.house_edge)) < 4 * error, f"{wager}, seed {seed}"


def test_rows_are_the_categories_of_the_pay_tables() -> None:
    assert list(sides.ways_by_category(SHORT["straights and flushes"])) == list(CATEGORIES)
