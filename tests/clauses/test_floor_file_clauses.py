"""What the floor file holds a floor to, clause by clause: PR-1 to PR-9, PR-31, PR-39, PR-40, FL-16, FL-19, FL-25.

A floor is written as a small TOML text; each test says what it means or why it is refused.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.games import Game, all_games
from houseway.games.caribbean_stud import GAME as CARIBBEAN_STUD
from houseway.manager import alike
from houseway.manager.advice import Chances, chances_at
from houseway.manager.config import LinkConfig
from houseway.manager.floor_file import FloorFile, read_floor
from houseway.progressive.terms import split
from houseway.table import limits

ON = date(2026, 3, 1)
SITE = """
[site]
name = "Riverside Card Room"
jurisdiction = "Washington"
time_zone = "America/Los_Angeles"
[policies]
washington = true
"""
STUD, THREE, PAI_GOW = "caribbean-stud", "three-card-poker", "six-card-pai-gow"
MAIN = 'meters.main = { contribution = "10%", reserve = "1%", seed = "10,000.00" }'


def table(name: str, game: str, more: str = "", spots: int = 5) -> str:
    return f'[[tables]]\nid = "{name}"\ngame = "{game}"\nconsole = "touch"\nspots = {spots}\n{more}\n'


def link(tables: str, pay_table: str, wager: str = "1.00", meters: str = MAIN, more: str = "") -> str:
    names = ", ".join(f'"{name}"' for name in tables.split())
    return f'[[links]]\nid = "L"\ntables = [{names}]\npay_table = "{pay_table}"\nwager = "{wager}"\n{meters}\n{more}\n'


def read(*parts: str, on: date = ON) -> FloorFile:
    return read_floor((SITE + "".join(parts)).encode(), "floor.toml", Path(), on)


def accepted(*parts: str, on: date = ON) -> list[LinkConfig]:
    found = read(*parts, on=on)
    assert found.config is not None, [str(defect) for defect in found.defects]
    return list(found.config.links)


def refused(*parts: str, on: date = ON) -> str:
    """The one defect of a floor."""
    found = read(*parts, on=on)
    assert found.config is None
    assert len(found.defects) == 1, [str(defect) for defect in found.defects]
    return str(found.defects[0])


def advised(*parts: str) -> list[str]:
    found = read(*parts)
    assert found.config is not None, [str(defect) for defect in found.defects]
    return [str(advice) for advice in found.advice]


def stud(pay_table: str, meter: str, wager: str = "1.00", more: str = "") -> tuple[str, str]:
    """A Caribbean Stud table alone on a link."""
    return table("A", STUD), link("A", pay_table, wager, f"meters.main = {{ {meter} }}", more)


def three(meter: str, wager: str = "1.00", pay_table: str = "1") -> tuple[str, str]:
    """A Three Card Poker table alone on a link."""
    return table("A", THREE), link("A", pay_table, wager, f"meters.main = {{ {meter} }}")


# ------------------------------------------------------------------------------------------------- PR-1


@pytest.mark.clause("PR-1")
def test_a_link_owns_one_meter_or_several_and_joins_one_table_or_several() -> None:
    (alone,) = accepted(table("A", THREE), link("A", "1"))
    assert (alone.tables, list(alone.terms.meters)) == (("A",), ["main"])
    (same_game,) = accepted(table("A", STUD), table("B", STUD), table("C", STUD), link("A C", "CSTUD-01"))
    assert same_game.tables == ("A", "C")
    rate = '{ contribution = "5%", reserve = "1%", seed = "1,000.00" }'
    levels = f"meters.mega = {rate}\nmeters.major = {rate}\nmeters.minor = {rate}"
    (three_levels,) = accepted(table("A", STUD), table("B", STUD), link("A B", "ML03", meters=levels))
    assert list(three_levels.terms.meters) == ["mega", "major", "minor"]
    rows = f'meters."five aces" = {rate}\nmeters."royal flush" = {rate}'
    (one_a_row,) = accepted(table("A", PAI_GOW), link("A", "3", meters=rows))
    assert list(one_a_row.terms.meters) == ["five aces", "royal flush"]


@pytest.mark.clause("PR-1")
def test_a_table_is_in_one_link_and_a_link_has_a_table() -> None:
    twice = read(table("A", THREE), link("A", "1"), link("A", "2").replace('"L"', '"M"'))
    assert [str(defect) for defect in twice.defects] == [
        "table A: is joined by link L, link M; a table plays one progressive"
    ]
    assert "a link joins one or more tables (PR-1)" in refused(table("A", THREE), link("", "1"))


@pytest.mark.clause("PR-1")
def test_the_pay_tables_meters_are_owned_all_of_them_and_no_other() -> None:
    both = read(table("A", STUD), link("A", "ML01", meters='meters.mega = { contribution = "5%", seed = "1" }'))
    assert [str(defect) for defect in both.defects] == [
        "link L: meters.major is missing; progressive ML01 has mega, major"
    ]
    assert 'meters has "minor", which is no meter of progressive 1; it has main' in refused(
        table("A", THREE), link("A", "1", meters=f'{MAIN}\nmeters.minor = {{ contribution = "1%", seed = "1" }}')
    )


# ------------------------------------------------------------------------------------------------- PR-3


@pytest.mark.clause("PR-3")
def test_contribution_reserve_and_seed_are_set_for_each_meter() -> None:
    meters = (
        'meters.mega = { contribution = "8%", reserve = "1%", seed = "10,000.00" }\n'
        'meters.major = { contribution = "4.25%", reserve = "0.5%", seed = "1,000.00" }'
    )
    (found,) = accepted(table("A", STUD), link("A", "ML01", meters=meters))
    terms = {name: (one.contribution_bp, one.reserve_bp, one.seed_cents) for name, one in found.terms.meters.items()}
    assert terms == {"mega": (800, 100, 1_000_000), "major": (425, 50, 100_000)}
    shared = split(found.terms, 1)
    assert shared.meters == {"mega": 80_000, "major": 42_500}
    assert shared.reserves == {"mega": 10_000, "major": 5_000}
    changed = meters.replace("4.25%", "4.26%")
    (after,) = accepted(table("A", STUD), link("A", "ML01", meters=changed))
    assert after.terms.meters["mega"] == found.terms.meters["mega"]
    assert after.terms.meters["major"].contribution_bp == 426


# ------------------------------------------------------------------------------------------------- PR-8


@pytest.mark.clause("PR-8")
def test_a_table_that_states_its_wager_takes_exactly_that() -> None:
    accepted(*stud("CSTUD-10", 'contribution = "68%", seed = "15,000.00"', "2.50"))
    for wager in ("1.00", "2.49", "2.51", "5.00"):
        sentence = refused(*stud("CSTUD-10", 'contribution = "68%", seed = "15,000.00"', wager))
        assert sentence == (
            f"link L: wager is ${wager}; progressive CSTUD-10 states its wager, $2.50, and takes exactly that (PR-8)"
        )


@pytest.mark.clause("PR-8")
def test_elsewhere_the_wager_is_the_links_and_the_printed_seed_grows_with_it() -> None:
    for wager, cents, seed in (("1.00", 100, 100_000), ("2.50", 250, 250_000), ("5.00", 500, 500_000)):
        (found,) = accepted(*three('contribution = "13%"', wager))
        assert (found.terms.wager_cents, found.terms.meters["main"].seed_cents) == (cents, seed)


# ------------------------------------------------------------------------------------------------- PR-9


@pytest.mark.clause("PR-9")
def test_all_from_the_meter_under_seventy_percent_is_warned_about() -> None:
    (sentence,) = advised(*stud("CSTUD-01", 'contribution = "60%", reserve = "1%", seed = "10,000.00"'))
    assert "risk of the meter running dry" in sentence
    assert "The house edge is 37.46% now and 27.46% with 70%" in sentence
    assert advised(*stud("CSTUD-01", 'contribution = "70%", reserve = "1%", seed = "10,000.00"')) == []


@pytest.mark.clause("PR-9")
def test_percentages_alone_from_the_meter_above_the_preconfigured_rate_are_warned_about() -> None:
    (sentence,) = advised(*three('contribution = "23%", reserve = "1%", seed = "1,000.00"'))
    assert "above the pre-configured 14%" in sentence
    assert "the house edge shrinks from 22.33% to 12.33%" in sentence
    assert advised(*three('contribution = "13%", reserve = "1%", seed = "1,000.00"')) == []
    assert advised(*three('contribution = "1%", reserve = "1%", seed = "1,000.00"')) == []


@pytest.mark.clause("PR-9")
def test_no_reserve_is_warned_about() -> None:
    (sentence,) = advised(*three('contribution = "13%", seed = "1,000.00"'))
    assert "there is no reserve" in sentence


@pytest.mark.clause("PR-9")
def test_seed_zero_and_a_reserve_in_its_place_are_warned_about() -> None:
    nothing = advised(*three('contribution = "13%", seed = "0"'))
    assert any("the seed is $0.00: after a 100% award the meter starts from nothing" in one for one in nothing)
    instead = advised(*three('contribution = "13%", reserve = "1%", seed = "0"'))
    assert any("the seed is $0.00 and the reserve alone takes its place" in one for one in instead)
    assert not any("starts from nothing" in one for one in instead)


@pytest.mark.clause("PR-9")
def test_a_seed_below_the_largest_fixed_award_is_warned_about() -> None:
    below = advised(*stud("CSTUD-02", 'contribution = "70%", reserve = "1%", seed = "4,999.99"'))
    assert any("below the largest fixed award, $5,000.00 for straight flush" in one for one in below)
    enough = advised(*stud("CSTUD-02", 'contribution = "70%", reserve = "1%", seed = "5,000.00"'))
    assert not any("largest fixed award" in one for one in enough)


# ------------------------------------------------------------------------------------------------- PR-17


@pytest.mark.clause("PR-17")
def test_another_order_of_awards_comes_from_internal_controls_with_their_reference() -> None:
    order = 'options = { award_order = "left_to_right" }'
    assert "award_order_reference is missing" in refused(table("A", STUD, order))
    accepted(table("A", STUD, f'{order}\naward_order_reference = "IC 12"'))
    accepted(table("A", STUD, 'options = { award_order = "right_to_left" }'))


# ------------------------------------------------------------------------------------------------- PR-31


@pytest.mark.clause("PR-31")
def test_rates_are_up_to_everything_and_together_not_more() -> None:
    accepted(*three('contribution = "100%", seed = "1,000.00"'))
    accepted(*three('contribution = "0%", reserve = "100%", seed = "1,000.00"'))
    accepted(*three('contribution = "99.99%", reserve = "0.01%", seed = "1,000.00"'))
    assert "together 100.01% of the wager" in refused(
        *three('contribution = "99.99%", reserve = "0.02%", seed = "1,000.00"')
    )
    for rate in ("100.01%", "-1%", "1000%"):
        assert "from \"0%\" to \"100%\"" in refused(*three(f'contribution = "{rate}", seed = "1,000.00"'))  # fmt: skip
    two = (
        'meters.mega = { contribution = "50%", reserve = "RATE", seed = "1,000" }\n'
        'meters.major = { contribution = "49%", seed = "1,000" }'
    )
    accepted(table("A", STUD), link("A", "ML01", meters=two.replace("RATE", "1%")))
    assert "together 101.00%" in refused(table("A", STUD), link("A", "ML01", meters=two.replace("RATE", "2%")))


@pytest.mark.clause("PR-31")
def test_a_seed_other_than_the_printed_one_is_warned_about() -> None:
    (sentence,) = advised(*stud("CSTUD-01", 'contribution = "70%", reserve = "1%", seed = "9,999.00"'))
    assert "the seed is $9,999.00; progressive CSTUD-01 is made for $10,000.00" in sentence
    assert advised(*stud("CSTUD-01", 'contribution = "70%", reserve = "1%", seed = "10,000.00"')) == []
    assert advised(*three('contribution = "13%", reserve = "1%", seed = "5,000.00"', "5.00")) == []


@pytest.mark.clause("PR-31")
def test_where_no_seed_is_printed_none_is_assumed() -> None:
    edge = table("A", "straight-edge-1")
    without = link("A", "TWBB-1", meters='meters.main = { contribution = "10%" }')
    assert "seed is missing; progressive TWBB-1 prints none, so the operator enters it (PR-31)" in refused(
        edge, without
    )
    accepted(edge, link("A", "TWBB-1", meters='meters.main = { contribution = "10%", seed = "0" }'))


# ------------------------------------------------------------------------------------------------- PR-39


@pytest.mark.clause("PR-39")
def test_every_table_of_a_link_takes_its_one_wager() -> None:
    (found,) = accepted(table("A", STUD), table("B", STUD), link("A B", "01", "2.00"))
    assert found.terms.wager_cents == 200
    own = (
        'limits.ante = { min = "5", max = "10" }\nlimits.bet = { min = "10", max = "20" }\n'
        'limits.progressive = { min = "1", max = "5" }'
    )
    assert refused(table("A", STUD, own), table("B", STUD), link("A B", "01", "2.00")) == (
        "table A: limits.progressive belongs to the link: every table of a link takes its one wager (PR-39)"
    )
    two = link("A B", "01").replace('wager = "1.00"', 'wager = ["1.00", "2.00"]')
    assert "wager is a list; it must be dollars in quotes" in refused(table("A", STUD), table("B", STUD), two)


@pytest.mark.clause("PR-39")
def test_the_versions_of_straight_edge_never_share_a_link() -> None:
    one, two = table("A", "straight-edge-1"), table("B", "straight-edge-2")
    accepted(one, table("C", "straight-edge-1"), link("A C", "TWBB-1"))
    accepted(two, table("C", "straight-edge-2"), link("B C", "TWBB-1"))
    assert "straight-edge-1 and straight-edge-2 may share a link only where" in refused(one, two, link("A B", "TWBB-1"))


@pytest.mark.clause("PR-39")
def test_not_even_if_their_figures_were_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alike, "chances_at", lambda _game: chances_at("straight-edge-1"))
    assert "(PR-39, FL-16)" in refused(
        table("A", "straight-edge-1"), table("B", "straight-edge-2"), link("A B", "TWBB-1")
    )


# ------------------------------------------------------------------------------------------------- PR-40


@pytest.mark.clause("PR-40")
def test_mixed_tables_are_advised_from_the_drift_and_by_no_rule_of_thumb() -> None:
    (falls,) = advised(*stud("CSTUD-08", 'contribution = "40%", reserve = "1%", seed = "10,000.00"'))
    assert falls.startswith("link L, meter main: the meter moves by -$0.0316 ")
    assert "it falls, and may run dry; from " in falls
    (grows,) = advised(*stud("CSTUD-08", 'contribution = "69%", reserve = "1%", seed = "10,000.00"'))
    assert "it grows, up to about $" in grows
    for sentence in (falls, grows):
        assert "70% or more" not in sentence
        assert "pre-configured" not in sentence


@pytest.mark.clause("PR-40")
def test_with_the_contribution_that_is_said_to_hold_it_does() -> None:
    (falls,) = advised(*stud("CSTUD-10", 'contribution = "40%", reserve = "1%", seed = "15,000.00"', "2.50"))
    holds = falls.rpartition("; from ")[2].partition("%")[0]
    (held,) = advised(*stud("CSTUD-10", f'contribution = "{holds}%", reserve = "1%", seed = "15,000.00"', "2.50"))
    assert "it grows" in held
    less = f"{float(holds) - 0.01:.2f}"
    (short,) = advised(*stud("CSTUD-10", f'contribution = "{less}%", reserve = "1%", seed = "15,000.00"', "2.50"))
    assert f"it falls, and may run dry; from {holds}% on" in short


# ------------------------------------------------------------------------------------------------- FL-16


@pytest.fixture
def other_stud(monkeypatch: pytest.MonkeyPatch) -> Game:
    """Another five-card game of the family, as a third party might bring it."""
    game = replace(CARIBBEAN_STUD, key="other-stud", families=("other-stud", STUD, "five-card-link"))
    monkeypatch.setitem(all_games(), game.key, game)
    return game


def as_counted(monkeypatch: pytest.MonkeyPatch, rows: dict[str, int]) -> None:
    """The other game's hands come as often as Caribbean Stud's, but for these."""
    usual = chances_at(STUD)
    assert usual is not None
    own = Chances({**usual.rows, **rows}, usual.total)
    monkeypatch.setattr(alike, "chances_at", lambda game: own if game == "other-stud" else chances_at(game))


MIXED = (table("A", STUD), table("B", "other-stud"))


OTHER_FIVE_CARD_GAMES = [key for key, game in all_games().items() if "five-card-link" in game.families and key != STUD]


@pytest.mark.clause("FL-16", "PR-1")
@pytest.mark.parametrize("game", OTHER_FIVE_CARD_GAMES)
@pytest.mark.parametrize("pay_table", ["01", "ML01"])
def test_different_games_share_a_multi_game_table_where_they_win_alike(game: str, pay_table: str) -> None:
    """Real games with hands of five cards out of 52: by the counts of both, every row comes equally often."""
    rate = '{ contribution = "5%", reserve = "1%", seed = "1,000.00" }'
    meters = MAIN if pay_table == "01" else f"meters.mega = {rate}\nmeters.major = {rate}"
    (found,) = accepted(table("A", STUD), table("B", game), link("A B", pay_table, meters=meters))
    assert found.tables == ("A", "B")


def test_there_is_another_five_card_game() -> None:
    assert OTHER_FIVE_CARD_GAMES


@pytest.mark.clause("FL-16")
@pytest.mark.usefixtures("other_stud")
def test_one_case_more_and_they_do_not_with_both_probabilities_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    as_counted(monkeypatch, {"flush": 5_109})
    sentence = refused(*MIXED, link("A B", "01"))
    assert sentence.endswith(
        "(FL-16); row flush: caribbean-stud 5,108 of 2,598,960 cases (0.196540%), "
        "other-stud 5,109 of 2,598,960 cases (0.196579%)"
    )
    # A hand that the pay table does not pay may come as often as it likes.
    as_counted(monkeypatch, {"pair": 1})
    accepted(*MIXED, link("A B", "01"))


@pytest.mark.clause("FL-16", "PR-1")
@pytest.mark.usefixtures("other_stud")
def test_a_table_of_one_game_links_that_game_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    as_counted(monkeypatch, {})
    assert "progressive CSTUD-01 is for caribbean-stud alone" in refused(*MIXED, link("A B", "CSTUD-01"))


@pytest.mark.clause("FL-16")
@pytest.mark.usefixtures("other_stud")
def test_what_is_not_computed_cannot_be_shown_to_be_the_same() -> None:
    sentence = refused(*MIXED, link("A B", "01"))
    assert "the probabilities of other-stud are not computed, so this cannot be shown" in sentence


@pytest.mark.clause("FL-16")
def test_games_of_different_families_show_both_probabilities_too() -> None:
    found = read(table("A", STUD), table("B", THREE), link("A B", "CSTUD-15"))
    assert any(
        "row royal_flush: caribbean-stud 4 of 2,598,960 cases (0.000154%), three-card-poker never" in defect.what
        for defect in found.defects
    )


# ------------------------------------------------------------------------------------------------- FL-8


@pytest.mark.clause("FL-8")
@pytest.mark.parametrize("kind", ["virtual", "cards"])
def test_a_table_that_takes_wagers_posts_a_limit_for_each_of_them(kind: str) -> None:
    sentence = refused(table("A", PAI_GOW, f'kind = "{kind}"'))
    assert f'limits is missing; a table of kind "{kind}" takes wagers within its limits (FL-8)' in sentence
    accepted(table("A", PAI_GOW))
    followed = table("A", PAI_GOW, f'kind = "{kind}"\nlimits.fortune = {{ min = "1", max = "5" }}')
    assert (
        "limits.base is missing; it is required to be dealt in, and every wager has its own limits (FL-8)"
        in "".join(str(defect) for defect in read(followed).defects)
    )


# ------------------------------------------------------------------------------------------------- FL-19


def posted(highest: str, more: str = "") -> tuple[str, str]:
    """A table that posts this maximum, beside policies."""
    limit = f'{{ min = "5", max = "{highest}" }}'
    return more, table("A", PAI_GOW, f"limits.base = {limit}\nlimits.double_down = {limit}")


@pytest.mark.clause("FL-19")
def test_the_law_is_over_the_house_and_named() -> None:
    accepted(*posted("400.00"))
    accepted(*posted("25.00"))
    over = read(*posted("400.01"))
    assert [str(defect) for defect in over.defects] == [
        f"table A: limits.{wager}.max is $400.01; in force is the law, $400.00 since 2023-08-19 (WAC 230-15-040 and "
        "230-15-140), and the house may only go below it (FL-9, FL-19)"
        for wager in ("base", "double_down")
    ]
    assert len(read(*posted("400.00"), on=date(2023, 8, 18)).defects) == 2


@pytest.mark.clause("FL-19")
def test_what_the_operator_enters_narrows_the_law_and_never_widens_it() -> None:
    stricter = 'authorised_limits = [{ since = 2025-01-01, amount = "200", reference = "Local ordinance 7" }]\n'
    found = read(*posted("300.00", stricter))
    assert all("the law, $200.00 since 2025-01-01 (Local ordinance 7)" in defect.what for defect in found.defects)
    assert len(found.defects) == 2
    looser = stricter.replace('"200"', '"600"')
    assert "and nothing may widen it (FL-19)" in refused(*posted("300.00", looser))


@pytest.mark.clause("FL-19")
def test_the_makers_rules_are_over_the_house() -> None:
    accepted(table("A", THREE, spots=7))
    accepted(table("A", THREE, spots=1))
    assert "the maker's rules for three-card-poker allow 1 to 7" in refused(table("A", THREE, spots=8))
    for option in ("folded_qualifies = true", 'equal_hands = "win"', "award_order = [1, 1]"):
        assert "a house option may not go beyond the maker's rules (FL-19)" in refused(
            table("A", THREE, f'options = {{ {option} }}\naward_order_reference = "IC 1"')
        )
    accepted(table("A", THREE, 'options = { equal_hands = "lose" }'))


@pytest.mark.clause("FL-19")
@given(law=st.integers(0, 9), maker=st.integers(0, 9), house=st.integers(0, 9))
def test_the_lowest_limit_is_in_force_whoever_sets_it(law: int, maker: int, house: int) -> None:
    given_limits = [limits.Limit("house", house), limits.Limit("law", law), limits.Limit("maker", maker)]
    ruling = limits.ruling(given_limits)
    assert ruling is not None
    assert ruling.cents == min(law, maker, house)
    assert ruling.authority == ("law" if law == ruling.cents else "maker" if maker == ruling.cents else "house")
    beyond = limits.widened(limits.Limit("house", house), given_limits)
    assert (beyond is not None) == (house > min(law, maker))
    assert limits.widened(limits.Limit("law", law), given_limits) is None


# ------------------------------------------------------------------------------------------------- FL-25


def aggregate(game: str, wagers: str, wager: str, highest: str, amount: str, pay_tables: str = "") -> str:
    """A table with an aggregate payout limit on one wager, beside its other limits."""
    limit = f'[{{ since = 2026-01-01, amount = "{amount}" }}]'
    own = f'limits.{wager} = {{ min = "1", max = "{highest}", aggregate = {limit} }}'
    return table("A", game, f"{wagers}\n{own}\n{pay_tables}")


ANTE = 'limits.ante = { min = "5", max = "100" }'
BET = 'limits.bet = { min = "1", max = "200" }'
CASES: dict[str, tuple[Any, ...]] = {
    "odds of 100 count as 50": (STUD, ANTE, "bet", "200", "10,000", "9,999.99"),
    "odds in a column": (STUD, f"{ANTE}\n{BET}", "cover_all", "10", "500", "499.99"),
    "odds below 50 as they are": (
        *("straight-edge-1", f'{ANTE}\nlimits.play = {{ min = "1", max = "100" }}', "bonus", "10", "400", "399.99"),
        'pay_tables = { bonus = "1" }',
    ),
    "even money without a pay table": (THREE, ANTE, "play", "100", "100", "99.99", 'pay_tables = { ante_bonus = "A" }'),
}  # fmt: skip


@pytest.mark.clause("FL-25")
@pytest.mark.parametrize(("game", "wagers", "wager", "highest", "least", "below", "tables"),
                         [(*case, *[""] * (7 - len(case))) for case in CASES.values()], ids=CASES)  # fmt: skip
def test_an_aggregate_limit_still_pays_the_most_one_wager_can_win(
    game: str, wagers: str, wager: str, highest: str, least: str, below: str, tables: str
) -> None:
    accepted(aggregate(game, wagers, wager, highest, least, tables))
    sentence = refused(aggregate(game, wagers, wager, highest, below, tables))
    assert f"limits.{wager}.aggregate is ${below} since 2026-01-01; it may not be below ${least}" in sentence
