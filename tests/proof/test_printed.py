"""Printed against counted: what counts as reproduced, what differs, and that every reason given is true."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from houseway.games import approved_book, find_game
from houseway.paytables import ProgressiveTable
from houseway.proof.figure import Claim, Counted, Figure, Quantity, half_up, percent
from houseway.proof.printed import Setup, figure_of, judge
from houseway.proof.store import approved_figures, shipped

Key = tuple[str, str, str]

DIFFERING = {
    *(("caribbean-stud", "progressive", f"CSTUD-{number:02}") for number in range(7, 14)),
    *(("six-card-pai-gow", "fortune", name) for name in ("1", "2")),
    *(("six-card-pai-gow", "progressive", name) for name in ("2", "3", "4", "5")),
    ("three-card-poker", "six_card_bonus", "TCP-6B1"),
    ("three-card-poker", "progressive", "1"),
}


@pytest.fixture(scope="module")
def figures() -> Mapping[Key, Figure]:
    made = approved_figures()
    assert made is not None, "the shipped figures are not of these rules: run tools/ship_figures.py"
    return {(one.game, one.wager, one.table): one for one in made}


def again(game: str, wager: str, name: str, printed: Mapping[str, str], **changed: Any) -> Figure:
    """The figure of an approved table as if something else were printed beside it."""
    chosen = find_game(game)
    counts = shipped()
    assert chosen is not None
    assert counts is not None
    table = approved_book().find(chosen.families, "ante_bonus" if wager == "base" else wager, name)
    assert table is not None
    counted = counts[game, wager, name]
    return figure_of(counted, replace(table, printed=printed, **changed), Setup(chosen, approved_book()))


@pytest.mark.parametrize(
    ("counted", "printed", "same"),
    [
        (Fraction(33730, 10**6), "3.37%", True),
        (Fraction(33650, 10**6), "3.37%", True),  # a half goes up
        (Fraction(336499999, 10**10), "3.37%", False),
        (Fraction(33749, 10**6), "3.37%", True),
        (Fraction(33750, 10**6), "3.37%", False),
        (Fraction(285, 1000), "28%", False),
        (Fraction(275, 1000), "28%", True),
        (Fraction(0), "0%", True),
        (Fraction(-33650, 10**6), "-3.37%", True),  # and away from zero
        (Fraction(1, 10), "10%", True),
        (Fraction(1, 10), "10.0%", True),
        (Fraction(10005, 100000), "10.0%", True),
        (Fraction(10005, 100000), "10.00%", False),
    ],
)
def test_rounding_is_half_up_on_the_exact_fraction(counted: Fraction, printed: str, same: bool) -> None:
    assert Claim.of(printed).reproduced_by(counted) is same


def test_shares_are_written_from_the_exact_fraction() -> None:
    assert percent(Fraction(1, 3), 4) == "33.3333%"
    assert percent(Fraction(1, 200), 0) == "1%"
    assert percent(Fraction(-1, 200), 1) == "-0.5%"
    assert percent(Fraction(5, 10**6), 2) == "0.00%"
    assert half_up(Fraction(15, 10**4), 1) == 2


def test_the_verdicts(figures: Mapping[Key, Figure]) -> None:
    assert {key for key, one in figures.items() if one.verdict == "differs"} == DIFFERING
    for one in figures.values():
        judged = [
            Claim.of(text).reproduced_by(quantity.middle)
            for text, quantity in (
                (one.printed["house_edge"], one.house_edge),
                (one.printed["hit_frequency"], one.hit_frequency),
            )
            if text is not None and quantity is not None
        ]
        expected = "not printed" if not judged else "reproduced" if all(judged) else "differs"
        assert one.verdict == expected


def test_a_wrong_printed_figure_is_caught() -> None:
    for printed in ({"house_edge": "2.33%"}, {"hit_frequency": "25.6%", "house_edge": "2.31%"}):
        made = again("three-card-poker", "pair_plus", "A", printed)
        assert made.verdict == "differs"
        assert "2.3167%" in made.why
        assert "128/5525" in made.why
        assert "25.6" not in made.why
    right = again("three-card-poker", "pair_plus", "A", {"house_edge": "2.32%", "hit_frequency": "25.6%"})
    assert (right.verdict, right.why) == ("reproduced", "")
    assert again("three-card-poker", "pair_plus", "A", {}).verdict == "not printed"
    both = again("three-card-poker", "pair_plus", "A", {"house_edge": "9%", "hit_frequency": "9%"})
    assert both.why.count("is printed as") == 2


def test_a_base_game_is_judged_by_its_par_per_ante() -> None:
    assert again("three-card-poker", "base", "A", {"par_per_ante": "3.38%"}).verdict == "differs"
    assert again("three-card-poker", "base", "A", {"par_per_ante": "3.4%"}).verdict == "reproduced"
    assert again("three-card-poker", "base", "A", {"par_per_ante": "low"}).verdict == "not printed"


def test_bounds_reproduce_only_where_both_ends_do() -> None:
    game = find_game("caribbean-stud")
    assert game is not None
    evidence: Any = None
    bounds = Quantity(Fraction(694, 10**4), Fraction(696, 10**4))
    claims = {"house_edge": Claim.of("7%")}
    assert judge(claims, {"house_edge": bounds}, evidence)[0] == "reproduced"
    table = approved_book().find(game.families, "cover_all", "standard")
    assert table is not None
    counted = Counted("caribbean-stud", "cover_all", "4", 0.0, house_edge=bounds, hit_frequency=bounds)
    differing = figure_of(counted, replace(table, printed={"house_edge": "6.9%"}), Setup(game, approved_book()))
    assert differing.verdict == "differs"
    assert differing.method == "bounds"


# ------------------------------------------------------------------------------------------------ reasons


def test_a_frequency_of_other_tables_rows(figures: Mapping[Key, Figure]) -> None:
    made = figures["caribbean-stud", "progressive", "CSTUD-07"]
    assert "royal flush to flush alone" in made.why
    assert "right for CSTUD-01, CSTUD-02, CSTUD-03, CSTUD-04, CSTUD-05 and CSTUD-06; straight" in made.why
    assert Claim.of("0.37%").reproduced_by(Fraction(4 + 36 + 624 + 3744 + 5108, 2598960))
    assert figures["caribbean-stud", "progressive", "CSTUD-01"].hit_frequency.exact == Fraction(9516, 2598960)


def test_no_selection_of_rows(figures: Mapping[Key, Figure]) -> None:
    rows = (4, 36, 624, 3744, 5108, 10200, 54912, 123552)
    claim = Claim.of("0.77%")
    for chosen in range(1 << len(rows)):
        ways = sum(row for place, row in enumerate(rows) if chosen >> place & 1)
        assert not claim.reproduced_by(Fraction(ways, 2598960))
    for number in range(8, 14):
        why = figures["caribbean-stud", "progressive", f"CSTUD-{number:02}"].why
        assert "No selection of its rows comes to 0.77%" in why
        assert "0.7586%" in why
        assert why.endswith("The reason is not known.")


def test_cut_off_or_without_rows(figures: Mapping[Key, Figure]) -> None:
    for name in ("2", "3", "4", "5"):
        why = figures["six-card-pai-gow", "progressive", name].why
        assert "Cut off after the printed digits instead of rounded it is 5.38%." in why
        assert "Without royal flush, or without five aces and royal flush, the rows come to it." in why
    assert Claim.of("5.38%").reproduced_by(Fraction(1237248 - 1132, 22957480))
    assert not Claim.of("5.38%").reproduced_by(Fraction(1237248 - 48, 22957480))


def test_rounded_up(figures: Mapping[Key, Figure]) -> None:
    assert "Rounded up instead of to the nearest" in figures["three-card-poker", "six_card_bonus", "TCP-6B1"].why


def test_the_figure_beside_the_table_is_judged_and_the_other_mentioned(figures: Mapping[Key, Figure]) -> None:
    made = figures["three-card-poker", "progressive", "1"]
    assert made.printed["hit_frequency"] == "3.72%"
    assert "Elsewhere the same document prints 3.71%, which is the count." in made.why
    wrong = again(
        "three-card-poker", "progressive", "1", {"hit_frequency": "3.71%", "hit_frequency_elsewhere": "3.72%"}
    )
    assert wrong.verdict == "reproduced"
    assert any("printed elsewhere as 3.72%, which is not the count" in note for note in wrong.notes)


def test_digits_in_another_order_and_one_digit_apart(figures: Mapping[Key, Figure]) -> None:
    assert "same digits in another order, 4.10 for 4.01" in figures["six-card-pai-gow", "fortune", "2"].why
    first = figures["six-card-pai-gow", "fortune", "1"]
    assert "differ in one digit, 4.56 for 3.56" in first.why
    assert "5.27% with 4, 3.56% with 5 and 1.84% with 6" in first.why
    assert "a $5 wager and 5 other players" in first.assumptions[0]


def test_another_number_of_players_is_found() -> None:
    made = again("six-card-pai-gow", "fortune", "1", {"house_edge": "5.27%"})
    assert "With 4 other players it is 5.27%." in made.why
    total, ways = 22957480, {"five_aces": 48, "royal_flush": 1132, "straight_flush": 8248, "four_of_a_kind": 19752}
    counts = shipped()
    assert counts is not None
    counted = counts["six-card-pai-gow", "fortune", "1"]
    assert counted.distribution is not None
    own = counted.distribution.house_edge
    dollars = {"five_aces": 1000, "royal_flush": 200, "straight_flush": 50, "four_of_a_kind": 15}
    without = own - sum(Fraction(ways[hand] * dollars[hand], total) for hand in ways)
    text = percent(without, 2)
    assert (
        f"Without envy on full house and with 5 other players it is {text}."
        in again("six-card-pai-gow", "fortune", "1", {"house_edge": text}).why
    )


def test_a_given_contribution_is_the_reason() -> None:
    game = find_game("caribbean-stud")
    counts = shipped()
    assert game is not None
    assert counts is not None
    table = approved_book().find(game.families, "progressive", "CSTUD-01")
    setup = Setup(game, approved_book(), contribution=Fraction(1, 2))
    made = figure_of(counts["caribbean-stud", "progressive", "CSTUD-01"], table, setup)
    assert made.verdict == "differs"
    assert "counted with the contribution given; 28% takes 70%." in made.why
    assert made.returns is not None
    assert not made.returns.inferred


def test_an_edge_that_nobody_can_judge_leaves_the_hits(figures: Mapping[Key, Figure]) -> None:
    made = figures["six-card-pai-gow", "progressive", "5"]
    assert made.house_edge is None
    assert made.printed["house_edge"] == "21.25%"
    assert "house edge" not in made.why
    assert any("contribution and seed cost together come to 21.84%" in words for words in made.assumptions)
    fair = again("six-card-pai-gow", "progressive", "5", {"house_edge": "21.25%", "hit_frequency": "5.39%"})
    assert fair.verdict == "reproduced"
    assert again("six-card-pai-gow", "progressive", "5", {"house_edge": "21.25%"}).verdict == "not printed"


def test_what_else_is_printed(figures: Mapping[Key, Figure]) -> None:
    notes = figures["three-card-poker", "progressive", "2"].notes
    assert any("once in 22,100 hands, which is 22,099 to 1" in note for note in notes)
    assert any("printed as $5000; a seed of $1,000 and a contribution of 20% make $5,420" in note for note in notes)


def test_a_player_advantage_is_said(figures: Mapping[Key, Figure]) -> None:
    made = figures["straight-edge-2", "base", "standard"]
    assert made.house_edge is not None
    assert made.house_edge.high < 0
    assert "as printed the player has an edge of 15.02% of the Ante: the house loses money on it" in made.notes


def test_a_house_table_is_never_shown_as_approved() -> None:
    made = again("three-card-poker", "pair_plus", "A", {}, approved=False, id="OURS")
    assert made.label == "A (not approved)"
    assert made.to_json()["approved"] is False
    assert "approved" not in replace(made, approved=True).to_json()


def test_tables_without_a_meter_break_even_nowhere() -> None:
    table = approved_book().find(("three-card-poker",), "progressive", "1")
    assert isinstance(table, ProgressiveTable)
    fixed = replace(table, rows=table.rows[1:], printed={})
    game = find_game("three-card-poker")
    counts = shipped()
    assert game is not None
    assert counts is not None
    made = figure_of(counts["three-card-poker", "progressive", "1"], fixed, Setup(game, approved_book()))
    assert made.returns is not None
    assert made.returns.break_even_dollars is None
    assert made.returns.seed == 0
