"""The advice in words and figures: every figure is held against the proof's own, reached another way."""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest

from houseway.games import all_games, approved_book
from houseway.manager import advice as advice_module
from houseway.manager.advice import ADVISERS, Advice, advise, chances_at, house_edge
from houseway.manager.config import LinkConfig
from houseway.manager.floor_file import example_floor, read_floor
from houseway.paytables import ProgressiveTable
from houseway.progressive.terms import MeterTerms, Terms
from houseway.proof import Request, all_figures
from houseway.proof.figure import percent
from houseway.proof.meter_risk.dry import FINE_RUNGS, Outlook, dry_risk, from_the_seed
from houseway.proof.meter_risk.model import models_of

STUD, THREE, PAI_GOW = "caribbean-stud", "three-card-poker", "six-card-pai-gow"


def table_of(game: str, name: str) -> ProgressiveTable:
    table = approved_book().find(all_games()[game].families, "progressive", name)
    assert isinstance(table, ProgressiveTable)
    return table


def link(game: str, name: str, wager: int | None = None, fixed_from: str = "as_marked", **meter: int) -> LinkConfig:
    """A link whose meters are all set alike: contribution and reserve in hundredths of a percent, seed in cents."""
    table = table_of(game, name)
    terms = MeterTerms(**{"contribution_bp": 1_000, "reserve_bp": 100, "seed_cents": 1_000_000, **meter})
    return LinkConfig(
        id="L",
        name="L",
        tables=("T",),
        terms=Terms(
            table=table,
            wager_cents=wager or table.stated_wager_cents or 100,
            meters=dict.fromkeys(table.meters, terms),
            fixed_from=fixed_from,
        ),
    )


def sentences(game: str, name: str, wager: int | None = None, fixed_from: str = "as_marked", **meter: int) -> list[str]:
    return [str(one) for one in advise(link(game, name, wager, fixed_from, **meter), [game])]


def edge(game: str, name: str, contribution: Fraction, **seeds: int) -> Fraction:
    """The house edge as ``houseway figures`` would give it."""
    request = Request(
        games=(game,), wagers=("progressive",), tables=(name,), contribution=contribution, seeds_cents=seeds
    )
    (figure,) = all_figures(request)
    assert figure.house_edge is not None
    assert figure.house_edge.exact is not None
    return figure.house_edge.exact


def words(share: Fraction) -> str:
    return percent(share, 2)


# ------------------------------------------------------------------------------------------- contributions


@pytest.mark.parametrize("name", [f"CSTUD-0{number}" for number in range(1, 7)])
def test_all_from_the_meter_grows_from_seventy_percent(name: str) -> None:
    (sentence,) = sentences(STUD, name, contribution_bp=6_999)
    now, better = edge(STUD, name, Fraction(7_099, 10_000)), edge(STUD, name, Fraction(71, 100))
    assert sentence.startswith("link L: the contribution is 69.99%; where every award comes off the meter 70% or more")
    assert f"The house edge is {words(now)} now and {words(better)} with 70%" in sentence
    assert sentences(STUD, name, contribution_bp=7_000) == []


def test_open_rows_count_by_where_the_link_pays_them_from() -> None:
    from_meter = sentences(STUD, "01", fixed_from="meter", contribution_bp=2_000)
    assert any("running dry" in sentence for sentence in from_meter)
    assert not any("running dry" in sentence for sentence in sentences(STUD, "01", contribution_bp=2_000))
    # Every fixed row of CSTUD-01 is marked as the meter's; paid from the tray it is another kind of table.
    assert not any("running dry" in one for one in sentences(STUD, "CSTUD-01", fixed_from="tray", contribution_bp=100))


@pytest.mark.parametrize(
    ("game", "name", "usual"), [(THREE, "1", 14), (THREE, "2", 20), (STUD, "CSTUD-14", 25), (STUD, "CSTUD-15", 21)]
)
def test_above_the_preconfigured_rate_the_edge_shrinks(game: str, name: str, usual: int) -> None:
    seed = table_of(game, name).seed_cents
    assert seed is not None
    exactly = (usual - 1) * 100
    assert sentences(game, name, contribution_bp=exactly, reserve_bp=100, seed_cents=seed) == []
    (sentence,) = sentences(game, name, contribution_bp=exactly + 1, reserve_bp=100, seed_cents=seed)
    before = edge(game, name, Fraction(usual, 100))
    assert (
        f"contribution and reserve are {usual}.01%, above the pre-configured {usual}% of progressive {name}" in sentence
    )
    assert f"shrinks from {words(before)} to {words(before - Fraction(1, 10_000))}" in sentence


@pytest.mark.parametrize("name", ["2", "3", "4", "5"])
def test_where_no_seed_is_printed_contribution_and_seed_cost_are_judged_together(name: str) -> None:
    """Pai gow: the printed edge leaves so much for both; what the seeds cost comes off what may be contributed."""
    (figure,) = all_figures(Request(games=(PAI_GOW,), wagers=("progressive",), tables=(name,)))
    assert figure.returns is not None
    together = figure.returns.contribution_and_seed
    assert together is not None
    meters = len(table_of(PAI_GOW, name).meters)
    (probe,) = all_figures(
        Request(
            games=(PAI_GOW,), wagers=("progressive",), tables=(name,), contribution=Fraction(0),
            seeds_cents=dict.fromkeys(table_of(PAI_GOW, name).meters, 500_000),
        )
    )  # fmt: skip
    assert probe.returns is not None
    assert probe.returns.seed is not None
    below = int((together - probe.returns.seed) * 10_000) // meters
    meter = {"reserve_bp": 1, "seed_cents": 500_000}
    assert sentences(PAI_GOW, name, contribution_bp=below - 1, **meter) == []
    (sentence,) = sentences(PAI_GOW, name, contribution_bp=below + 1, **meter)
    assert f"(found from its printed house edge of {table_of(PAI_GOW, name).printed['house_edge']})" in sentence


def test_nothing_is_said_of_a_rate_that_nobody_printed() -> None:
    assert sentences(STUD, "ML03", contribution_bp=900, seed_cents=10_000) == []


@pytest.mark.parametrize("number", range(7, 14))
def test_mixed_tables_are_judged_by_their_drift(number: int) -> None:
    """PR-40, against the same drift taken term by term from the counts."""
    name = f"CSTUD-{number:02}"
    table = table_of(STUD, name)
    wager, seed = table.stated_wager_cents, table.seed_cents
    assert wager is not None
    assert seed is not None
    drift = Fraction(wager * 60, 100)
    chances = chances_at(STUD)
    assert chances is not None
    for row in table.rows:
        chance = chances.of(row.hand)
        if row.percent is not None:
            drift -= chance * seed * row.percent / 100
            drift += chance * seed if row.percent == 100 else 0
        elif row.source == "meter":
            assert row.fixed_cents is not None
            drift -= chance * row.fixed_cents
    (sentence,) = sentences(STUD, name, contribution_bp=6_000, reserve_bp=100, seed_cents=seed)
    shown = sentence.partition(" on average")[0]
    assert shown.startswith("link L, meter main: the meter moves by ")
    moved = shown.rpartition(" ")[2]
    assert Fraction(moved.replace("$", "")) == pytest.approx(float(drift / 100), abs=5e-5)
    assert ". The chance that it runs dry before the next jackpot, from the seed, is " in sentence
    if drift < 0:
        assert "it falls, and may run dry" in sentence
        held = sentence.rpartition("; from ")[2].partition("% on it would hold")[0]
        needed = Fraction(60, 100) - drift / wager
        assert needed <= Fraction(held) / 100 < needed + Fraction(1, 10_000)
    else:
        assert "it grows, up to about $" in sentence


def test_a_mixed_meter_that_nothing_holds() -> None:
    (sentence, *_) = sentences(STUD, "CSTUD-09", contribution_bp=0, seed_cents=100_000_000)
    assert "no contribution would hold it" in sentence


def test_an_edge_that_is_gone_is_told() -> None:
    assert any(
        "on average the house pays for this wager" in one for one in sentences(THREE, "1", contribution_bp=9_000)
    )
    assert not any("house pays" in one for one in sentences(THREE, "1", **SOUND))


# ------------------------------------------------------------------------------------------- running dry


def risk(name: str, fixed_from: str = "as_marked", **meter: int) -> Outlook:
    """What a link's first meter risks from its seed, on a ladder finer than the adviser's."""
    terms, chances = link(STUD, name, None, fixed_from, **meter).terms, chances_at(STUD)
    assert chances is not None
    model = next(iter(models_of(terms, chances.rows, chances.total).values()))
    return from_the_seed(model, dry_risk(model, FINE_RUNGS))


QUOTED = re.compile(r"runs dry before the next jackpot, from the seed, is ([\d.]+)%")


def quoted(sentence: str) -> float:
    found = QUOTED.search(sentence)
    assert found is not None, sentence
    return float(found[1]) / 100


@pytest.mark.clause("PR-9")
@pytest.mark.parametrize(("name", "seed"), [("CSTUD-01", 50_000), ("CSTUD-02", 1_000_000), ("CSTUD-03", 600_000)])
def test_the_risk_of_running_dry_is_quoted(name: str, seed: int) -> None:
    sentence = sentences(STUD, name, contribution_bp=5_000, seed_cents=seed)[0]
    now, better = (risk(name, contribution_bp=rate, seed_cents=seed) for rate in (5_000, 7_000))
    assert quoted(sentence) == pytest.approx(now.chance, rel=0.02)
    with_more = sentence.rpartition(" now and ")[2]
    assert with_more.endswith("% with 70%")
    assert float(with_more.partition("%")[0]) / 100 == pytest.approx(better.chance, rel=0.02, abs=6e-4)
    covered = sentence.partition("the house covers about $")[2].partition(" ")[0].replace(",", "")
    assert int(covered) == pytest.approx(now.shortfall_cents / 100, rel=0.02, abs=1)


def test_a_risk_that_is_next_to_nothing_is_told_as_that() -> None:
    (sentence,) = sentences(STUD, "CSTUD-01", contribution_bp=6_000)
    assert risk("CSTUD-01", contribution_bp=6_000).chance < 1e-12
    assert sentence.endswith(
        "from the seed, is less than 1 in a million million now and less than 1 in a million million with 70%"
    )
    (sentence,) = sentences(STUD, "CSTUD-01", contribution_bp=5_000)
    assert "is 1 in 4,100,000,000 now" in sentence


@pytest.mark.clause("PR-40")
def test_the_drift_of_a_mixed_table_comes_with_its_risk() -> None:
    (grows,) = sentences(STUD, "CSTUD-10", contribution_bp=5_000, seed_cents=1_500_000)
    assert "it grows" in grows
    assert quoted(grows) == pytest.approx(
        risk("CSTUD-10", contribution_bp=5_000, seed_cents=1_500_000).chance, rel=0.02
    )


@pytest.mark.clause("PR-9", "PR-31")
def test_a_seed_away_from_the_recommended_comes_with_its_risk() -> None:
    terms = {"contribution_bp": 7_000, "seed_cents": 400_000}
    below, other = sentences(STUD, "CSTUD-02", **terms)
    yours = risk("CSTUD-02", **terms).chance
    assert "is below the largest fixed award" in below
    assert quoted(below) == quoted(other) == pytest.approx(yours, rel=0.02)
    printed = other.rpartition(" with yours and ")[2].removesuffix("% with that")
    assert float(printed) / 100 == pytest.approx(risk("CSTUD-02", contribution_bp=7_000).chance, rel=0.05)


@pytest.mark.clause("PR-9")
def test_a_reserve_in_place_of_the_seed_comes_with_both_its_risks() -> None:
    found = sentences(STUD, "CSTUD-01", contribution_bp=7_000, seed_cents=0)
    alone = next(one for one in found if "the reserve alone takes its place" in one)
    assert "is 1.7% with what the reserve usually holds (and the house covers about $4 until then), and 51." in alone
    nothing = sentences(STUD, "CSTUD-01", contribution_bp=7_000, seed_cents=0, reserve_bp=0)
    assert any("starts from nothing. The chance that it runs dry" in one for one in nothing)


def test_only_a_meter_that_fixed_awards_come_off_has_a_risk() -> None:
    assert not any("runs dry" in one for one in sentences(STUD, "CSTUD-14", contribution_bp=9_000, seed_cents=0))
    several = sentences(STUD, "ML01", 100, "meter:major", contribution_bp=3_000, seed_cents=100_000)
    assert "The chance that meter major runs dry before the next jackpot, from the seed, is 93.9%" in several[0]
    assert not any("meter mega runs dry" in one for one in several)


def test_a_risk_that_cannot_be_solved_is_not_computed() -> None:
    for terms in ({"contribution_bp": 0}, {"contribution_bp": 10, "seed_cents": 900_000_000_000}):
        (sentence, *_) = sentences(STUD, "CSTUD-12", **terms)
        assert sentence.endswith("from the seed, is not computed")


def test_the_adviser_needs_neither_numpy_nor_numba() -> None:
    program = (
        "import sys\n"
        "from tests.manager.test_advice import sentences\n"
        "heavy = {'numpy', 'numba', 'llvmlite', 'matplotlib'}\n"
        "for name in heavy: sys.modules[name] = None\n"
        "print('runs dry' in sentences('caribbean-stud', 'CSTUD-02', contribution_bp=5000)[0])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False
    )
    assert done.stdout == "True\n", done.stderr


# ------------------------------------------------------------------------------------------- seeds and reserves

SOUND = {"contribution_bp": 1_300, "reserve_bp": 100, "seed_cents": 100_000}


@pytest.mark.parametrize(
    ("meter", "says"),
    [
        ({"reserve_bp": 0}, ["there is no reserve"]),
        (
            {"seed_cents": 0, "reserve_bp": 0},
            ["there is no reserve", "the seed is $0.00: after", "the seed is $0.00; prog"],
        ),
        (
            {"seed_cents": 0},
            ["the seed is $0.00 and the reserve alone takes its place", "the seed is $0.00; progressive"],
        ),
        (
            {"seed_cents": 49_999},
            ["the seed of $499.99 is below the largest fixed award, $500.00", "the seed is $499.99"],
        ),
        ({"seed_cents": 50_000}, ["the seed is $500.00; progressive 1 is made for $1,000.00 at a wager of $1.00"]),
        ({}, []),
    ],
)
def test_each_seed_and_reserve_has_its_sentence(meter: dict[str, int], says: list[str]) -> None:
    found = sentences(THREE, "1", **{**SOUND, **meter})
    assert len(found) == len(says), found
    for sentence, start in zip(found, says, strict=True):
        assert sentence.startswith(f"link L, meter main: {start}"), found


def test_the_printed_seed_grows_with_the_wager() -> None:
    assert sentences(THREE, "1", 500, **{**SOUND, "seed_cents": 500_000}) == []
    (sentence,) = sentences(THREE, "1", 500, **{**SOUND, "seed_cents": 400_000})
    # The edge at $5 with a seed of $4,000 is that at $1 with $800.
    yours, printed = edge(THREE, "1", Fraction(14, 100), main=80_000), edge(THREE, "1", Fraction(14, 100))
    assert "made for $5,000.00 at a wager of $5.00" in sentence
    assert f"The house edge is {words(yours)} with yours and {words(printed)} with that" in sentence


def test_the_largest_fixed_award_grows_with_the_wager_and_says_where_it_comes_from() -> None:
    meter = {"contribution_bp": 100, "seed_cents": 150_000}
    open_rows = [one for one in sentences(STUD, "ML01", 501, "meter:major", **meter) if "largest fixed" in one]
    assert [one.partition(":")[0] for one in open_rows] == ["link L, meter mega", "link L, meter major"]
    assert "$1,503.00 for four of a kind, which does not come off this meter (probability: 624 of" in open_rows[0]
    assert "which comes off this meter, which would run dry" in open_rows[1]
    assert not [one for one in sentences(STUD, "ML01", 500, "meter:major", **meter) if "largest fixed" in one]


# ------------------------------------------------------------------------------------------------ figures


@pytest.fixture
def no_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the rules were changed and nothing has been counted for them."""
    monkeypatch.setattr("houseway.proof.store.shipped", lambda: None)


@pytest.mark.usefixtures("no_figures")
@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("CSTUD-01", "The house edge is not computed now and not computed with 70%"),
        ("CSTUD-14", "the pre-configured contribution of progressive CSTUD-14 is not computed"),
        ("CSTUD-07", "its drift is not computed"),
    ],
)
def test_without_figures_the_advice_says_so(name: str, says: str) -> None:
    assert any(says in sentence for sentence in sentences(STUD, name, contribution_bp=1_000))
    assert house_edge(link(STUD, name), [STUD]) is None


def test_a_game_that_nobody_counted_has_no_figures() -> None:
    assert chances_at("whist") is None
    found = [str(one) for one in advise(link(STUD, "CSTUD-01"), ["whist"])]
    assert any("not computed" in sentence for sentence in found)


def test_every_adviser_speaks_somewhere() -> None:
    """None of them is dead: each has a configuration it warns of, and each is silent on the example."""
    tried = [
        link(STUD, "CSTUD-01", contribution_bp=100, reserve_bp=0, seed_cents=1),
        link(STUD, "CSTUD-14", contribution_bp=9_000, seed_cents=0),
        link(STUD, "CSTUD-07"),
    ]
    for adviser in ADVISERS:
        found: list[Advice] = []
        for one in tried:
            found += adviser(advice_module.Advised(one, chances_at(STUD), 6))
        assert found, adviser.__name__


# ------------------------------------------------------------------------------------------------ the floor


def floor_advice(old: str, new: str) -> list[str]:
    text = example_floor()
    assert old in text
    found = read_floor(text.replace(old, new, 1).encode(), "floor.toml", Path(), date(2026, 3, 1))
    assert found.defects == []
    return [str(one) for one in found.advice]


def test_a_floor_in_washington_without_its_rules_is_pointed_out() -> None:
    assert floor_advice("washington = true ", "washington = false ") == [
        "policies: washington is false: FL-14, FL-15, FL-17 and FL-18 are not in force"
    ]


def test_where_no_limit_is_known_the_operator_hears_of_it() -> None:
    (sentence,) = floor_advice('jurisdiction = "Washington"', 'jurisdiction = "Washingtn"')
    assert sentence.startswith("policies: no authorised limit of Washingtn is known for 2026-03-01")


def test_the_effective_maximum_is_shown() -> None:
    old = 'limits.ante = { min = "10.00", max = "200.00" }'
    assert floor_advice(old, 'limits.ante = { min = "5.00", max = "300.00" }') == [
        "table CS-2: ante can only be $10.00 to $200.00, not $5.00 to $300.00: bet is 2 × ante, within limits of "
        "its own"
    ]
