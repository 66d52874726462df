"""Every figure has the shape of the contract, is what an independent count says, and is what is shipped."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb, isclose, sqrt
from typing import Any

import pytest

from houseway import extras
from houseway.cards import read_cards
from houseway.games import all_games, approved_book, find_game
from houseway.paytables import Odds, PayTable, ProgressiveTable
from houseway.progressive import Policy
from houseway.proof import advise, bench, collect, progressive_odds
from houseway.proof.collect import Interrupted, Question, Request, all_figures, count, questions_of
from houseway.proof.figure import Claim, Counted, Figure, Quantity, percent
from houseway.proof.progressive import Odds as ProgressiveOdds
from houseway.proof.progressive import inferred_contribution, returns
from houseway.proof.store import approved_figures, shipped
from houseway.ranking import five_card, runs, three_card
from houseway.refusal import Refusal

FIVE_CARDS = {
    "royal_flush": 4,
    "straight_flush": 36,
    "four_of_a_kind": 624,
    "full_house": 3744,
    "flush": 5108,
    "straight": 10200,
    "three_of_a_kind": 54912,
    "two_pair": 123552,
    "pair": 1098240,
    "high_card": 1302540,
}
"""The well-known counts of five-card poker."""
SIX_CARDS = {
    "royal_flush": 188,
    "straight_flush": 1656,
    "four_of_a_kind": 14664,
    "full_house": 165984,
    "flush": 205792,
    "straight": 361620,
    "three_of_a_kind": 732160,
}
"""The well-known counts of the best five of six cards."""
THREE_CARDS = {"straight_flush": 48, "three_of_a_kind": 52, "straight": 720, "flush": 1096, "pair": 3744}
JOKER_SIX_CARDS = {
    "five_aces": 48,
    "royal_flush": 1132,
    "straight_flush": 8248,
    "four_of_a_kind": 19752,
    "full_house": 196896,
    "flush": 314944,
    "straight": 696228,
    "three_of_a_kind": 853264,
}

Key = tuple[str, str, str]
FIVE_CARD_LINK = ["01", "ML01", "ML03"]
"""The progressive tables that several games share (FV-1)."""


@pytest.fixture(scope="module")
def figures() -> Mapping[Key, Figure]:
    made = approved_figures()
    assert made is not None, "the shipped figures are not of these rules: run tools/ship_figures.py"
    return {(one.game, one.wager, one.table): one for one in made}


@pytest.fixture(scope="module")
def elements(figures: Mapping[Key, Figure]) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = json.loads(json.dumps([one.to_json() for one in figures.values()]))
    return made


def table(game: str, wager: str, name: str) -> Any:
    chosen = find_game(game)
    assert chosen is not None
    found = approved_book().find(chosen.families, wager, name)
    assert found is not None
    return found


def figure(**asked: Any) -> Figure:
    made = all_figures(Request(**asked))
    assert len(made) == 1
    return made[0]


@pytest.mark.parametrize(
    "games",
    [
        pytest.param(
            ("three-card-poker", "straight-edge-1", "mississippi-stud", "casino-war"), id="one of each kernel"
        ),
        pytest.param(tuple(all_games()), id="every game", marks=pytest.mark.long),
    ],
)
def test_the_shipped_file_is_what_a_fresh_count_gives(games: tuple[str, ...]) -> None:
    """Every figure of these games from nothing; those of a shared board with the dealer take minutes."""
    questions = questions_of(Request(games=games))
    told: dict[str, float] = {}
    counts = count(questions, fresh=True, progress=lambda what, done: told.update({what: done}))
    known = shipped()
    assert known is not None
    assert set(told.values()) == {1.0}
    for one in counts:
        theirs = known[one.game, one.wager, one.table]
        assert replace(theirs, seconds=0.0).to_json() == replace(one, seconds=0.0).to_json()
    assert len(counts) == len(questions) == sum(game in games for game, _, _ in known)


# ------------------------------------------------------------------------------------------------ the contract


def test_every_table_has_its_element(elements: list[dict[str, Any]]) -> None:
    keys = {(one["game"], one["wager"], one["table"]) for one in elements}
    assert len(keys) == len(elements)
    progressives = [f"CSTUD-{number:02}" for number in range(1, 17)] + FIVE_CARD_LINK
    pai_gow = ["house way", "best setting", "house way, doubling", "best setting, doubling"]
    wanted = {
        "three-card-poker": {
            "base": ["A", "B", "C"],
            "pair_plus": ["A", "B", "C", "D"],
            "six_card_bonus": ["TCP-6B1", "TCP-6B2", "TCP-6B3", "TCP-6B4"],
            "progressive": ["1", "2"],
        },
        "caribbean-stud": {
            "base": ["standard"],
            "bonus": ["CPSB-01", "CPSB-02", "CPSB-03"],
            "cover_all": ["2", "3", "4", "5", "6", "7", "8"],
            "progressive": progressives,
        },
        "straight-edge-1": {
            "base": ["standard"],
            "bonus": ["1", "2"],
            "insurance": ["standard"],
            "progressive": ["TWBB-1", "TWBB-2"],
        },
        "straight-edge-2": {
            "base": ["standard"],
            "four_plus": ["1"],
            "insurance": ["standard"],
            "progressive": ["TWBB-1", "TWBB-2"],
        },
        "six-card-pai-gow": {
            "base": pai_gow,
            "fortune": ["1", "2", "3"],
            "insurance": ["standard"],
            "progressive": ["2", "3", "4", "5"],
        },
        "mississippi-stud": {
            "base": ["standard", "straight-5"],
            "three_card_bonus": ["1", "2"],
            "progressive": FIVE_CARD_LINK,
        },
        "let-it-ride": {
            "base": ["standard"],
            "three_card_bonus": ["1", "2", "3", "4"],
            "progressive": FIVE_CARD_LINK,
        },
        "ultimate-texas-holdem": {
            "base": ["A", "B"],
            "trips": ["A", "B", "C", "D"],
            "progressive": FIVE_CARD_LINK,
        },
        "texas-holdem-bonus": {"base": ["straight", "flush"], "bonus": ["standard"]},
        "crazy-four-poker": {
            "base": ["standard"],
            "queens_up": ["1", "2", "3", "4"],
            "progressive": FIVE_CARD_LINK,
        },
        "four-card-poker": {
            "base": ["1", "2"],
            "aces_up": ["1", "2", "3", "4", "5"],
            "progressive": FIVE_CARD_LINK,
        },
        "dj-wild": {"base": ["standard"]},
        "casino-war": {"base": ["standard"], "tie": ["10", "11"]},
        "baccarat": {
            "player": ["standard"],
            "banker": ["commission", "ez"],
            "tie": ["8", "9"],
            "dragon_7": ["40"],
            "panda_8": ["25"],
            "dragon_bonus_player": ["standard"],
            "dragon_bonus_banker": ["standard"],
        },
    }
    assert keys == {
        (game, wager, name) for game, wagers in wanted.items() for wager, names in wagers.items() for name in names
    }
    shown = {(question.game.key, question.paytable) for question in questions_of(Request())}
    for game in all_games().values():
        for paytable in approved_book().of(game.families):
            assert (game.key, paytable) in shown


def is_exact(value: Any) -> bool:
    return (
        set(value) == {"exact", "value"}
        and isinstance(value["exact"], str)
        and isclose(float(Fraction(value["exact"])), value["value"], abs_tol=1e-10)
    )


def test_every_element_has_the_shape_of_the_contract(elements: list[dict[str, Any]]) -> None:
    always = {"game", "wager", "table", "house_edge", "hit_frequency", "standard_deviation", "printed", "verdict"}
    always |= {"assumptions", "method", "seconds", "published", "published_verdict"}
    base = {"element_of_risk", "strategy"}
    progressive = {"returns", "others", "contribution", "break_even_meter"}
    for one in elements:
        kind = base if one["wager"] == "base" else progressive if one["wager"] == "progressive" else set()
        optional = {"why", "low", "high", "simulation", "contribution_and_seed", "published_why", "average_bet", "ties"}
        assert always | kind <= set(one) <= always | kind | optional, one
        assert one["method"] in ("exact", "bounds")
        if one["method"] == "exact":
            assert one["house_edge"] is None or is_exact(one["house_edge"])
            assert is_exact(one["hit_frequency"])
            assert "low" not in one
        else:
            assert one["wager"] == "cover_all"
            assert one["house_edge"]["exact"] is None
            assert one["low"] <= one["house_edge"]["value"] <= one["high"]
            assert one["high"] - one["low"] < 0.0005
        assert set(one["printed"]) == {"house_edge", "hit_frequency"}
        assert one["verdict"] in ("reproduced", "differs", "not printed")
        assert ("why" in one) == (one["verdict"] == "differs")
        assert one["published_verdict"] in ("reproduced", "differs", "not published")
        assert ("published_why" in one) == (one["published_verdict"] == "differs")
        assert all(isinstance(words, str) for words in one["assumptions"])
        assert one["seconds"] >= 0
        if one["wager"] == "base":
            assert is_exact(one["element_of_risk"])
            assert len(one["strategy"]) > 20
            edge, risk = one["house_edge"]["value"], one["element_of_risk"]["value"]
            assert abs(risk) <= abs(edge) + 1e-10
        if one["wager"] == "progressive":
            check_progressive(one)


def check_progressive(one: dict[str, Any]) -> None:
    assert is_exact(one["returns"]["tray"])
    assert is_exact(one["returns"]["envy_per_other"])
    assert one["returns"]["seed"] is None or is_exact(one["returns"]["seed"])
    assert one["others"] == all_games()[one["game"]].most_spots - 1
    assert (one["contribution"] is None) == (one["house_edge"] is None)
    if one["contribution"] is not None:
        assert one["contribution"]["inferred"] is True
        tray, seed, envy = (Fraction(one["returns"][name]["exact"]) for name in ("tray", "seed", "envy_per_other"))
        rate = Fraction(str(one["contribution"]["value"]))
        assert rate.denominator in (1, 2, 4, 5, 10, 20, 25, 50, 100)
        assert Fraction(one["house_edge"]["exact"]) == 1 - tray - rate - seed - envy * one["others"]
    elif one["printed"]["house_edge"]:
        assert one["returns"]["seed"] is None
        assert is_exact(one["contribution_and_seed"])
    several = one["table"] in ("ML01", "ML03") or (one["game"], one["table"]) == ("six-card-pai-gow", "3")
    assert (one["break_even_meter"] is None) == several


def test_the_example_of_the_contract(figures: Mapping[Key, Figure]) -> None:
    data = figures["three-card-poker", "pair_plus", "A"].to_json()
    assert data["house_edge"] == {"exact": "128/5525", "value": 0.0231674208}
    assert data["hit_frequency"] == {"exact": "283/1105", "value": 0.2561085973}
    assert round(data["standard_deviation"], 4) == 2.9106
    assert data["assumptions"] == []


# ------------------------------------------------------------------------------------------------ independent counts


def odds_edge(paytable: PayTable, ways: Mapping[str, int], total: int) -> Fraction:
    """The edge of a table of odds from how often its rows come, by hand."""
    return 1 - sum(
        Fraction(ways[row.hand], total) * (Fraction(row.odds[0].num, row.odds[0].den) + (paytable.returns_wager or 0))
        for row in paytable.rows
    )


def test_side_wagers_of_poker_hands(figures: Mapping[Key, Figure]) -> None:
    tens = {"pair_of_tens_or_better": FIVE_CARDS["pair"] * 5 // 13}
    for wager, game, ways, total in (
        ("pair_plus", "three-card-poker", THREE_CARDS, comb(52, 3)),
        ("six_card_bonus", "three-card-poker", SIX_CARDS, comb(52, 6)),
        ("bonus", "caribbean-stud", FIVE_CARDS | tens, comb(52, 5)),
    ):
        for paytable in approved_book().of((game,), wager):
            assert isinstance(paytable, PayTable)
            made = figures[game, wager, paytable.id]
            assert made.house_edge == Quantity.of(odds_edge(paytable, ways, total))
            hits = sum(ways[row.hand] for row in paytable.rows)
            assert made.hit_frequency == Quantity.of(Fraction(hits, total))


def test_fortune_and_its_envy(figures: Mapping[Key, Figure]) -> None:
    total = comb(53, 6)
    for name, envy in (("1", Fraction(1000 * 48 + 200 * 1132 + 50 * 8248 + 15 * 19752 + 5 * 196896, total)), ("3", 0)):
        paytable = table("six-card-pai-gow", "fortune", name)
        made = figures["six-card-pai-gow", "fortune", name]
        # Five others, a $5 wager: the dollars of one other's hand, five times, a fifth of them per dollar wagered.
        assert made.house_edge == Quantity.of(odds_edge(paytable, JOKER_SIX_CARDS, total) - envy)
        assert made.hit_frequency == Quantity.of(Fraction(sum(JOKER_SIX_CARDS.values()), total))


def ways_by_run(cards: int, wraps: bool) -> dict[int, int]:
    """How often the longest run of so many cards is worth a value: every set of ranks, and the ways to hold just it."""
    ways = [[1] + [0] * cards]
    for _ in range(cards):
        fewer = ways[-1]
        ways.append([sum(fewer[n - k] * comb(4, k) for k in range(1, 5) if n >= k) for n in range(cards + 1)])
    found: dict[int, int] = {}
    for ranks in range(1, 1 << 13):
        size = ranks.bit_count()
        if size <= cards:
            value = runs.wrapping_run(ranks) if wraps else runs.straight_run(ranks)
            found[value] = found.get(value, 0) + ways[size][cards]
    assert sum(found.values()) == comb(52, cards)
    return found


@pytest.mark.parametrize(("game", "wager"), [("straight-edge-1", "bonus"), ("straight-edge-2", "four_plus")])
def test_wagers_on_the_own_run(game: str, wager: str, figures: Mapping[Key, Figure]) -> None:
    lengths: dict[str, int] = {}
    for value, count_ in ways_by_run(7, wraps=game == "straight-edge-1").items():
        lengths[str(runs.length(value))] = lengths.get(str(runs.length(value)), 0) + count_
    for paytable in approved_book().of((game,), wager):
        assert isinstance(paytable, PayTable)
        made = figures[game, wager, paytable.id]
        assert made.house_edge == Quantity.of(odds_edge(paytable, lengths, comb(52, 7)))
    single = {"no_two_card_straight": lengths["1"]}
    made = figures[game, "insurance", "standard"]
    assert made.house_edge == Quantity.of(odds_edge(table(game, "insurance", "standard"), single, comb(52, 7)))


def test_base_games_known_from_elsewhere(figures: Mapping[Key, Figure]) -> None:
    for key, edge in (
        (("three-card-poker", "base", "A"), Fraction(686689, 20358520)),
        (("caribbean-stud", "base", "standard"), Fraction(142031221, 2718662100)),
    ):
        assert figures[key].house_edge == Quantity.of(edge)
    assert figures["caribbean-stud", "base", "standard"].standard_deviation == pytest.approx(2.243, abs=0.001)
    assert "queen-six-four" in figures["three-card-poker", "base", "A"].strategy


def test_cover_all_is_exact_for_two_and_three_hands(figures: Mapping[Key, Figure]) -> None:
    two, three = (figures["caribbean-stud", "cover_all", hands] for hands in ("2", "3"))
    assert two.method == three.method == "exact"
    assert two.total == comb(52, 5) * comb(47, 5)
    assert three.total == two.total * comb(42, 5)


def test_cover_all_simulation_is_a_witness(figures: Mapping[Key, Figure]) -> None:
    for hands in range(4, 9):
        made = figures["caribbean-stud", "cover_all", str(hands)]
        assert made.method == "bounds"
        assert made.simulation is not None
        assert made.house_edge is not None
        apart = abs(float(made.house_edge.middle) - made.simulation.house_edge)
        assert apart < 4 * made.simulation.standard_error
        assert made.simulation.rounds >= 1_000_000


def test_outcomes_are_the_whole_distribution(figures: Mapping[Key, Figure]) -> None:
    for made in figures.values():
        assert made.outcomes
        if made.method == "bounds":
            assert sum(one.chance.low for one in made.outcomes) <= 1 <= sum(one.chance.high for one in made.outcomes)
            continue
        assert sum(one.ways or 0 for one in made.outcomes) == made.total
        assert sum((one.chance.low for one in made.outcomes), Fraction(0)) == 1
        nets = [one.net for one in made.outcomes]
        if None not in nets and made.wager != "fortune":
            mean = sum((one.chance.low * (one.net or 0) for one in made.outcomes), Fraction(0))
            assert made.house_edge == Quantity.of(-mean)


def test_no_winning_side_wager_is_folded_by_best_play() -> None:
    """Side wagers and progressives are counted as kept, which is what a player who plays well does with a winner."""
    three = find_game("three-card-poker")
    stud = find_game("caribbean-stud")
    assert three is not None
    assert stud is not None
    for cards in combinations(range(0, 52, 7), 3):
        if three_card.value(*cards) >> 12:
            assert advise.choices(three, [three.deck[card] for card in cards]).choices[0].what == "play"
    for cards_text, up in (("2c 2d 3h 4s 5c", "Ah"), ("Tc Td 9h 8s 7c", "Kh"), ("2c 2d Th 9s 8c", "2h")):
        held = read_cards(cards_text)
        assert five_card.value(*held) >> 20 == 1
        assert advise.choices(stud, held, read_cards(up)[0]).choices[0].what == "play"


# ------------------------------------------------------------------------------------------------ options move figures


def test_equal_hands_lose() -> None:
    asked: dict[str, Any] = {"games": ("three-card-poker",), "wagers": ("base",), "tables": ("A",)}
    made = figure(**asked, options={"equal_hands": "lose"})
    assert made.house_edge is not None
    assert percent(made.house_edge.middle, 4) == "3.5044%"
    assert made.verdict == "differs"
    assert "equal_hands = lose" in made.why
    assert made.assumptions == ("house option equal_hands = lose",)
    assert figure(**asked).verdict == "reproduced"


def test_blind_on_margin_zero() -> None:
    asked: dict[str, Any] = {"games": ("straight-edge-2",), "wagers": ("base",)}
    edges = [
        float(quantity.middle)
        for value in ("one_to_one", "push", "lose")
        if (quantity := figure(**asked, options={"blind_on_margin_zero": value}).house_edge) is not None
    ]
    assert edges == sorted(edges)
    assert len(set(edges)) == 3
    assert edges[1] == pytest.approx(-0.1501640467, abs=1e-9)


@pytest.mark.parametrize(
    ("game", "option", "value"),
    [
        ("caribbean-stud", "folded_keeps_bonus", True),
        ("caribbean-stud", "cover_all_counts_folded", False),
        ("straight-edge-1", "folded_keeps_bonus", True),
        ("straight-edge-2", "folded_keeps_four_plus", True),
        ("straight-edge-2", "folded_keeps_insurance", False),
        ("six-card-pai-gow", "double_down_for_less", True),
        ("three-card-poker", "award_order", "left_to_right"),
    ],
)
def test_options_that_change_no_count(game: str, option: str, value: Any, figures: Mapping[Key, Figure]) -> None:
    for made in all_figures(Request(games=(game,), options={option: value})):
        same = figures[made.game, made.wager, made.table]
        assert (made.house_edge, made.hit_frequency) == (same.house_edge, same.hit_frequency)


def test_where_fixed_awards_come_from_moves_the_edge() -> None:
    asked: dict[str, Any] = {"games": ("caribbean-stud",), "wagers": ("progressive",), "contribution": Fraction(1, 5)}
    as_marked = figure(**asked, tables=("CSTUD-01",))
    tray = figure(**asked, tables=("CSTUD-01",), options={"fixed_from": "tray"})
    assert as_marked.returns is not None
    assert tray.returns is not None
    assert as_marked.returns.tray == 0
    assert tray.returns.tray == Fraction(624 * 500 + 3744 * 100 + 5108 * 50, comb(52, 5))
    assert as_marked.house_edge is not None
    assert tray.house_edge == Quantity.of(as_marked.house_edge.low - tray.returns.tray)
    open_rows = figure(**asked, tables=("01",), options={"fixed_from": "meter"})
    assert open_rows.returns is not None
    assert open_rows.returns.tray == 0
    with pytest.raises(Refusal, match="must name the meter"):
        figure(**asked, tables=("ML01",), options={"fixed_from": "meter"})
    named = figure(**asked, tables=("ML01",), options={"fixed_from": "meter:major"})
    assert named.returns is not None
    assert named.returns.tray == 0
    every = all_figures(Request(wagers=("progressive",), options={"fixed_from": "meter"}))
    left = {made.table: made for made in every if made.game == "caribbean-stud"}["ML01"]
    assert left.returns is not None
    assert left.returns.tray > 0


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"games": ("blackjack",)}, "game"),
        ({"wagers": ("raise",)}, "wager"),
        ({"tables": ("CSTUD-99",)}, "table"),
        ({"options": {"equal_cards": "lose"}}, "option equal_cards"),
        ({"options": {"equal_hands": "win"}}, "option equal_hands"),
        ({"games": ("caribbean-stud",), "options": {"equal_hands": "lose"}}, "option equal_hands"),
        ({"contribution": Fraction(3, 2)}, "contribution"),
        ({"seeds_cents": {"grand": 100}}, "seed"),
        ({"house_only": True, "wagers": ("base",)}, "wager"),
    ],
)
def test_what_is_refused(asked: dict[str, Any], field: str) -> None:
    with pytest.raises(Refusal) as refused:
        all_figures(Request(**asked))
    assert refused.value.field == field


# ------------------------------------------------------------------------------------------------ progressives


def stud_odds(name: str, **changed: Any) -> ProgressiveOdds:
    paytable: ProgressiveTable = table("caribbean-stud", "progressive", name)
    return ProgressiveOdds(paytable, FIVE_CARDS, comb(52, 5), 6, **changed)


def test_returns_of_a_table_by_hand() -> None:
    total = comb(52, 5)
    odds = stud_odds("CSTUD-15")
    assert odds.tray == Fraction(624 * 300 + 3744 * 50 + 5108 * 40 + 10200 * 30 + 54912 * 9, total)
    assert odds.seed_cost == Fraction(4 * 10_000, total)
    assert odds.envy_per_other == Fraction(4 * 1000 + 36 * 300, total)
    assert odds.hit_frequency == Fraction(4 + 36 + 624 + 3744 + 5108 + 10200 + 54912, total)
    rate = Fraction(21, 100)
    assert odds.house_edge(rate) == 1 - odds.tray - rate - odds.seed_cost - 6 * odds.envy_per_other


def test_amounts_are_for_the_stated_wager() -> None:
    cheap, dear = stud_odds("CSTUD-08"), stud_odds("CSTUD-12")
    assert cheap.tray == dear.tray
    assert cheap.seed_cost == dear.seed_cost
    assert dear.break_even_cents == 5 * (cheap.break_even_cents or 0)
    assert stud_odds("CSTUD-16").tray == stud_odds("CSTUD-15").tray / 5


@pytest.mark.clause("CSP-A3")
def test_cstud_16_says_what_its_printed_edge_needs(figures: Mapping[Key, Figure]) -> None:
    made = figures["caribbean-stud", "progressive", "CSTUD-16"]
    assert made.returns is not None
    assert made.returns.contribution == Fraction(65, 100)
    assert any("CSTUD-15" in words and "65% here" in words and "21% there" in words for words in made.assumptions)


def test_contributions_are_inferred(figures: Mapping[Key, Figure]) -> None:
    whole = {}
    for (game, wager, name), made in figures.items():
        if wager == "progressive" and made.returns is not None and made.returns.contribution is not None:
            assert made.returns.inferred
            whole[game, name] = int(made.returns.contribution * 100)
    stud = {f"CSTUD-{number:02}": 70 for number in range(1, 7)} | {"CSTUD-07": 61}
    stud |= {f"CSTUD-{number:02}": 68 for number in range(8, 14)}
    stud |= {"CSTUD-14": 25, "CSTUD-15": 21, "CSTUD-16": 65}
    assert whole == {("caribbean-stud", name): rate for name, rate in stud.items()} | {
        ("three-card-poker", "1"): 14,
        ("three-card-poker", "2"): 20,
    }


def test_break_even_is_where_the_players_edge_is_zero(figures: Mapping[Key, Figure]) -> None:
    odds = stud_odds("CSTUD-14")
    even = odds.break_even_cents
    assert even is not None
    assert odds.player_edge({"main": int(even)}) <= 0 < odds.player_edge(int(even) + 1)
    assert odds.player_edge(0) == odds.tray - 1
    slope = odds.player_edge(100) - odds.player_edge(0)
    assert slope == Fraction(4 + Fraction(36, 10), comb(52, 5))
    made = figures["caribbean-stud", "progressive", "CSTUD-14"]
    assert made.returns is not None
    assert made.returns.break_even_dollars == even / 100
    generous = replace(odds.table, rows=tuple(replace(row, fixed_cents=10**7) for row in odds.table.rows[2:3]))
    with_top = replace(generous, rows=(odds.table.rows[0], *generous.rows))
    assert replace(odds, table=with_top).break_even_cents == 0


def test_drift_of_a_meter() -> None:
    odds = stud_odds("CSTUD-01")
    rate = Fraction(7, 10)
    at_zero = odds.drift_cents(rate, 0)
    assert at_zero == 100 * (rate + Fraction(4 * 10_000, comb(52, 5)) - odds.fixed_from_meter)
    assert odds.drift_cents(rate, 100_000_00) < at_zero
    with pytest.raises(ValueError, match="several meters"):
        stud_odds("ML01").drift_cents(rate, 0)


def test_seeds_may_be_given_where_none_is_printed() -> None:
    asked: dict[str, Any] = {"games": ("six-card-pai-gow",), "wagers": ("progressive",), "tables": ("2",)}
    without = figure(**asked, contribution=Fraction(1, 5))
    given = figure(**asked, contribution=Fraction(1, 5), seeds_cents={"main": 1_000_000})
    assert without.house_edge is not None
    assert given.house_edge == Quantity.of(without.house_edge.low - Fraction(48 * 10_000, comb(53, 6)))
    inferred = figure(**asked, seeds_cents={"main": 0})
    assert inferred.returns is not None
    assert inferred.returns.contribution is None, "no whole percent gives 19.00% without a seed"
    assert any("no whole percent" in words for words in inferred.assumptions)


def test_inference_tells_when_no_whole_percent_does() -> None:
    odds = stud_odds("CSTUD-14")
    assert inferred_contribution(odds, Claim.of("23%")) == Fraction(1, 4)
    assert inferred_contribution(odds, Claim.of("23.123%")) is None
    assert returns(odds, Claim.of("23.123%")).contribution is None
    with pytest.raises(Refusal):
        returns(odds, given=Fraction(-1, 100))


def test_a_table_made_up_on_the_spot() -> None:
    paytable: ProgressiveTable = table("three-card-poker", "progressive", "1")
    rows = tuple(replace(row, for_one=Odds(143, 2)) if row.hand == "straight_flush" else row for row in paytable.rows)
    mine = replace(paytable, id="MINE", rows=rows, approved=False)
    theirs, ours = progressive_odds("three-card-poker", paytable), progressive_odds("three-card-poker", mine)
    assert ours.tray - theirs.tray == Fraction(44, 22100) * (Fraction(143, 2) - 70)
    with pytest.raises(Refusal):
        ProgressiveOdds(mine, ours.rows, ours.total, 6, Policy(fixed_from="meter:grand"))
    with pytest.raises(Refusal):
        ProgressiveOdds(mine, ours.rows, ours.total, 6, seeds_cents={"grand": 1})


def test_deviation_of_a_progressive_at_its_seed(figures: Mapping[Key, Figure]) -> None:
    total = comb(52, 5)
    awards = ((4, 10_000), (36, 1000), (624, 200), (3744, 50), (5108, 40), (10200, 30), (54912, 9))
    mean = sum(ways * award for ways, award in awards) / total
    square = sum(ways * award**2 for ways, award in awards) / total
    made = figures["caribbean-stud", "progressive", "CSTUD-14"]
    assert made.standard_deviation == pytest.approx(sqrt(square - mean**2))


# ------------------------------------------------------------------------------------------------ counting itself


def test_an_interrupt_says_what_is_done_and_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C comes to the thread that waits; the counts that are done are in the store."""
    game = find_game("three-card-poker")
    assert game is not None
    saved: list[str] = []
    going = threading.Event()

    def slow(_bench: Any, question: Question) -> bench.Found:
        if question.label == "2":
            going.set()
            raise KeyboardInterrupt
        return bench.Found(rows={"pair": 1})

    monkeypatch.setattr(bench.Bench, "answer", slow)
    monkeypatch.setattr(collect.Store, "find", lambda _self, _question: None)
    monkeypatch.setattr(collect.Store, "save", lambda _self, question, _counted: saved.append(question.label))
    with pytest.raises(Interrupted, match="1 of 2 counts are done and saved"):
        count(questions_of(Request(games=("three-card-poker",), wagers=("progressive",))))
    assert going.is_set()
    assert saved == ["1"]


def test_counting_without_the_proof_extra_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    with pytest.raises(Refusal, match=r"counting these figures: needs the proof extra: .*houseway\[proof\]"):
        count(questions_of(Request(games=("three-card-poker",), wagers=("pair_plus",))), fresh=True)


def test_counts_come_back_from_plain_data_exactly() -> None:
    known = shipped()
    assert known is not None
    for one in known.values():
        assert Counted.from_json(json.loads(json.dumps(one.to_json()))) == one
    with pytest.raises(ValueError, match="do not sum"):
        Counted("game", "wager", "table", 0.0, rows={"pair": 3}, total=4)
