"""The floor file: the example is sound, every check fires, all defects come at once, and nothing makes it raise."""

from __future__ import annotations

import dataclasses
import json
import re
import subprocess
import sys
import time
from datetime import date
from pathlib import Path

import msgspec
import pytest
import typer
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from houseway.cli import program
from houseway.commands.floor_file import init
from houseway.games import all_games, find_game
from houseway.manager import floor_file
from houseway.manager.config import FloorConfig
from houseway.manager.floor_file import (
    FloorFile,
    demonstration_floor,
    draft,
    example_floor,
    is_floor,
    load_floor,
    read_floor,
)
from houseway.manager.floor_file.text import floor_text, update_floor_text
from houseway.manager.readiness import why_not_open
from houseway.refusal import Refusal
from houseway.table import limits
from houseway.table.config import Dated, Limits
from houseway.table.limits import Limit

EXAMPLE = example_floor()
ON = date(2026, 3, 1)
PAGE = (Path(__file__).parents[2] / "docs" / "floor.md").read_text("utf-8")
HERE = Path(__file__).parent

OF_THE_DOCUMENTS = {key for key, game in all_games().items() if not game.has_public_rules}
"""The games of the example floor."""


def read(text: str, on: date = ON) -> FloorFile:
    return read_floor(text.encode(), "floor.toml", HERE, on)


def changed(*changes: tuple[str, str]) -> str:
    """The example with each of these texts replaced where it stands first."""
    text = EXAMPLE
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def sound(text: str = EXAMPLE, on: date = ON) -> FloorConfig:
    found = read(text, on)
    assert not found.defects, [str(defect) for defect in found.defects]
    assert found.config is not None
    return found.config


def defects(*changes: tuple[str, str]) -> list[str]:
    found = read(changed(*changes))
    assert found.config is None
    return [str(defect) for defect in found.defects]


# ---------------------------------------------------------------------------------------------- the example


def test_the_example_has_every_game_of_the_documents_and_every_kind_of_link() -> None:
    """But for version 2 of Straight Edge, on which the house loses as it is printed."""
    floor = sound()
    assert {table.game for table in floor.tables} == OF_THE_DOCUMENTS - {"straight-edge-2"}
    assert {table.console for table in floor.tables} == {"keypad", "touch"}
    links = {link.id: (len(link.tables), tuple(link.terms.meters)) for link in floor.links}
    assert links == {
        "three-card": (1, ("main",)),
        "stud": (2, ("main",)),
        "three-level": (2, ("mega", "major", "minor")),
        "pai-gow": (2, ("five aces", "royal flush")),
        "bad-beat": (1, ("main",)),
        "virtual-three-card": (1, ("main",)),
        "virtual-stud": (1, ("main",)),
    }
    three_level = next(link for link in floor.links if link.id == "three-level")
    assert three_level.terms.table.game == "five-card-link"


def test_the_example_gives_no_reason_for_advice() -> None:
    assert [str(advice) for advice in read(EXAMPLE).advice] == []


@pytest.mark.clause("FL-16", "FV-2")
def test_the_demonstration_adds_every_other_game_and_gives_one_reason_for_advice() -> None:
    """The example, part by part, each followed by what the demonstration adds to it."""
    text = demonstration_floor()
    found = read(text)
    assert found.config is not None, [str(defect) for defect in found.defects]
    (advice,) = found.advice
    assert str(advice).startswith("table V-SE2: Straight Edge Poker, version 2: as printed the player has an edge of")
    assert {table.game for table in found.config.tables if table.kind == "virtual"} == set(all_games())
    games = {table.id: table.game for table in found.config.tables}
    links = {link.id: {games[table] for table in link.tables} for link in found.config.links}
    five_card = {game.key for game in all_games().values() if "five-card-link" in game.families}
    assert links["virtual-three-level"] == five_card
    assert [line for line in EXAMPLE.splitlines() if line not in text.splitlines()] == []
    only = sound()
    assert found.config.tables[: len(only.tables)] == only.tables
    assert found.config.links[: len(only.links)] == only.links


def test_every_line_of_the_example_is_what_the_configuration_says() -> None:
    floor = sound()
    policies = floor.policies
    # FL-10: its approvals are a demonstration, so every page that names the site says so.
    assert policies.site == "DEMONSTRATION · Riverside Card Room"
    assert (policies.jurisdiction, policies.kind) == ("Washington", "commercial")
    assert (policies.time_zone, policies.day_starts, policies.week_starts) == ("America/Los_Angeles", "06:00", 0)
    assert (policies.executive_from_cents, policies.surveillance_over_cents) == (1_000_000, 300_000)
    assert policies.tax_forms == (Dated("1977-01-01", 60_000), Dated("2026-01-01", 200_000))
    assert policies.washington is True
    three_card = floor.tables[0]
    assert three_card.pay_tables == {"ante_bonus": "A", "pair_plus": "A", "six_card_bonus": "TCP-6B1"}
    assert three_card.options == {**all_games()["three-card-poker"].defaults, "two_spots": True}
    assert three_card.second_spot_envies is True
    assert (three_card.link, three_card.spots) == ("three-card", 7)
    stud = floor.tables[1]
    assert stud.pay_tables == {"bet": "standard", "bonus": "CPSB-01", "cover_all": "standard"}
    assert stud.limits["bonus"] == Limits(minimum_cents=100, maximum_cents=2_500)
    terms = floor.links[1].terms
    assert (terms.wager_cents, terms.fixed_from, terms.table.id) == (100, "as_marked", "CSTUD-01")
    meter = terms.meters["main"]
    assert (meter.contribution_bp, meter.reserve_bp, meter.seed_cents, meter.maximum_cents) == (
        *(7_000, 200),
        *(1_000_000, 50_000_000),
    )
    minor = floor.links[2].terms.meters["minor"]
    assert (minor.contribution_bp, minor.reserve_bp) == (200, 25)
    assert floor.tables[4].award_order_reference == "Internal controls 4.2"
    straight_edge = next(table for table in floor.tables if table.id == "SE1-2")
    assert straight_edge.link == ""


def test_the_example_has_every_kind_of_table_and_a_demonstration_for_every_game() -> None:
    floor = sound()
    assert {table.kind for table in floor.tables} == {"progressive", "cards", "virtual"}
    virtual = {(table.game, table.console, table.dealing) for table in floor.tables if table.kind == "virtual"}
    assert virtual == {
        ("three-card-poker", "touch", "three-card-poker"),
        ("caribbean-stud", "keypad", "caribbean-stud-cover-all"),
    }
    assert {one.game for one in floor.approvals} == OF_THE_DOCUMENTS
    assert all(one.demonstration for one in floor.approvals)
    assert floor.approvals_kept is True
    assert all(why_not_open(floor, table, ON) == [] for table in floor.tables)


def test_what_would_stay_shut_is_advice_where_the_floor_keeps_registers() -> None:
    without = EXAMPLE.replace("items.controls_approved", "# ", 1)
    (advice,) = [one for one in read(without).advice if one.where == "table TCP-1"]
    assert advice.what == (
        "stays shut on 2026-03-01: DEMONSTRATION: three-card-poker: its internal controls are approved: missing (FL-10)"
    )
    assert read(EXAMPLE[: EXAMPLE.index("[[equipment]]")]).advice == []


def test_the_link_says_where_the_fixed_awards_of_its_tables_come_from() -> None:
    floor = sound(changed(('fixed_from = "tray"', 'fixed_from = "meter:mega"')))
    tables = {table.id: table.options["fixed_from"] for table in floor.tables}
    assert tables["CS-3"] == tables["CS-4"] == "meter:mega"
    assert tables["CS-1"] == "as_marked"


def test_a_floor_goes_into_the_journal_and_comes_back() -> None:
    floor = sound()
    assert msgspec.json.decode(msgspec.json.encode(floor), type=FloorConfig) == floor


def test_the_configuration_in_force_is_written_as_a_floor_file() -> None:
    text = changed(
        ('name = "Riverside Card Room"', 'name = "Räuber \\"and\\" \\\\ son"'),
        ('contribution = "13%", reserve = "1%"', 'contribution = "13.05%", reserve = "0.5%"'),
        ('amount = "600.00" }', 'amount = "601.00", reference = "7.1" }'),
        ("# authorised_limits", "authorised_limits"),
        ('amount = "500.00", reference = "Compact, app', 'amount = "400.00", reference = "Compact, app'),
    )
    config = sound(text)
    again = floor_text(config)
    assert sound(again) == config
    assert floor_text(sound(again)) == again
    for line in (
        'name = "Räuber \\"and\\" \\\\ son"',
        'meters."five aces" = {contribution = "10%", reserve = "1%", seed = "5,000.00"}',
        'limits.bet = {min = "10.00", max = "200.00", aggregate = [{since = 2026-01-01, amount = "25,000.00"}]}',
        'options = {award_order = "left_to_right"}',
    ):
        assert line in again.split("\n"), line


def test_what_is_in_force_is_put_into_the_operators_file_and_its_comments_stay() -> None:
    more = """
    # a table for the summer
    [[tables]]
    id = "NEW-1"
    game = "three-card-poker"
    console = "touch"
    spots = 5 # the small one
    """
    other = changed(
        ("[[links]]", f"{more}\n[[links]]"),
        ('name = "Riverside Card Room"', 'name = "Lakeside" # since May'),
        ('"13%", reserve = "1%"', '"12%", reserve = "2%"'),
        ('limits.six_card_bonus = { min = "1.00", max = "25.00" }', ""),
        ('options = { award_order = "left_to_right" }', ""),
        ("# authorised_limits", "authorised_limits"),
        ('amount = "500.00", reference = "Compact, app', 'amount = "400.00", reference = "Compact, app'),
    )
    for mine, in_force in ((EXAMPLE, other), (other, EXAMPLE), (EXAMPLE, EXAMPLE)):
        text = update_floor_text(mine, sound(mine), sound(in_force))
        assert sound(text) == sound(in_force)
        lines = [line.strip() for line in text.split("\n")]
        own = [line.strip() for line in mine.replace(more, "").split("\n")]
        assert [line for line in own if line.startswith("#") and line not in lines] == []
    assert "# the small one" not in update_floor_text(other, sound(other), sound())


def test_what_is_left_out_has_its_default() -> None:
    text = """
    [site]
    name = "Small Room"
    jurisdiction = "Washington"
    time_zone = "America/Los_Angeles"

    [[tables]]
    id = "T"
    game = "three-card-poker"
    console = "touch"
    spots = 1

    [[links]]
    id = "L"
    tables = ["T"]
    pay_table = "2"
    wager = "2.50"
    meters.main = { contribution = "20%" }
    """
    floor = sound(text)
    assert floor.policies.day_starts == "06:00"
    assert [form.cents for form in floor.policies.tax_forms] == [60_000, 200_000]
    assert floor.links[0].name == "L"
    assert floor.links[0].terms.meters["main"].seed_cents == 250_000  # printed for $1, grown with the wager
    assert floor.tables[0].options == dict(all_games()["three-card-poker"].defaults)
    assert (floor.tables[0].kind, floor.tables[0].dealing) == ("progressive", "three-card-poker")
    assert (floor.equipment, floor.approvals) == ((), ())


# ------------------------------------------------------------------------------------------- every check

CS_2 = 'id = "CS-2"'
LAST_LINK = 'id = "bad-beat"'
DEFECTS: dict[str, list[tuple[str, str, str]]] = {
    "the_site_has_a_name": [('name = "Riverside Card Room"', 'name = " "', "site: name is empty")],
    "the_time_zone_exists": [
        ("America/Los_Angeles", name, f'time_zone "{name}" is not known')
        for name in ("America/Spokane", "America", "../etc/localtime", "/etc/passwd")
    ],
    "dated_policies_are_in_order": [
        ('since = 2026-01-01, amount = "2,000.00"', 'since = 1970-01-01, amount = "1"', "1970-01-01 after 1977-01-01")
    ],
    "authorised_limits_have_a_reference": [
        (
            "[policies]",
            '[policies]\nauthorised_limits = [{ since = 2020-01-01, amount = "9" }]',
            "1.reference is missing",
        )
    ],
    "a_tribal_site_enters_its_limits": [
        ('kind = "commercial" ', 'kind = "tribal" ', "authorised_limits has nothing in force on 2026-03-01")
    ],
    "entered_limits_do_not_widen_the_law": [
        (
            "[policies]",
            '[policies]\nauthorised_limits = [{ since = 2024-01-01, amount = "500", reference = "x" }]',
            "allows $500.00 since 2024-01-01; the law is in force, $400.00 since 2023-08-19",
        )
    ],
    "table_ids_are_unique": [(CS_2, 'id = "CS-1"', "table CS-1: the id is there 2 times")],
    "games_are_known": [('game = "caribbean-stud"', 'game = "whist"', 'table CS-1: unknown game "whist"; known are')],
    "spots_fit_the_game": [
        ("spots = 7", "spots = 8", "table TCP-1: spots is 8; the maker's rules for three-card-poker allow 1 to 7")
    ],
    "positions_fit_the_spots": [
        ("positions = 7", "positions = 6", "table PG-1: spots is 6; options.positions is 6"),
        ("positions = 7, dealer_position = 1", "positions = 4, dealer_position = 5", "there are 4 positions"),
    ],
    "options_are_known_and_fit": [
        ("two_spots = true", "three_spots = true", 'unknown option "three_spots"; three-card-poker has ante_required'),
        ("two_spots = true", "two_spots = 2", "options.two_spots is 2; allowed is true or false"),
        ("two_spots = true", "folded_qualifies = true", "a folded hand never qualifies at this game"),
        ("two_spots = true", 'fixed_from = "tray"', "options.fixed_from belongs to the link"),
    ],
    "another_award_order_is_complete_and_authorised": [
        ('award_order_reference = "Internal controls 4.2"', "", "table CS-4: award_order_reference is missing"),
        ('"left_to_right"', "[1, 2, 3, 4]", "table CS-4: options.award_order must name every spot from 1 to 5 once"),
        ('"left_to_right"', "[1, 2, 3, 4, 6]", "options.award_order must name every spot from 1 to 5 once"),
    ],
    "pay_tables_exist": [
        ('bonus = "CPSB-01"', 'bonus = "CPSB-09"', '"CPSB-09" is no bonus table of caribbean-stud; it has CPSB-01'),
        ('bonus = "CPSB-01"', 'ante = "A"', "pay_tables.ante is no wager of caribbean-stud that pays by a table"),
        ('bonus = "CPSB-01"', 'progressive = "CSTUD-01"', "pay_tables.progressive belongs to the link"),
        ('"TCP-01"', '"TCP-13"', 'designator "TCP-13" is not known; three-card-poker has TCP-01'),
        (
            '"TCP-01"',
            '"TCP-01", pair_plus = "B"',
            'pay_tables.pair_plus is "B", but the designator TCP-01 stands for A',
        ),
    ],
    "offered_wagers_have_a_pay_table": [
        ('pay_tables = { bonus = "CPSB-01" }', "", "pay_tables.bonus is missing; the wager is offered"),
        ('designator = "TCP-01", ', "", "pay_tables.ante_bonus is missing"),
    ],
    "limits_are_of_wagers": [
        ("limits.cover_all", "limits.covers", "limits.covers is no wager of caribbean-stud; it has ante, bet, bonus"),
        ("limits.cover_all", "limits.progressive", "every table of a link takes its one wager (PR-39)"),
        ("limits.pair_plus", "limits.ante_bonus", "limits.ante_bonus is no wager of three-card-poker"),
    ],
    "limits_are_complete": [
        (
            'limits.bet = { min = "20.00", max = "400.00" }',
            "",
            "table CS-2: limits.bet is missing; it follows from ante",
        ),
        (
            'limits.base = { min = "10.00", max = "200.00" }',
            "",
            "limits.base is missing; it is required to be dealt in",
        ),
    ],
    "minimum_is_below_maximum": [
        ('limits.bonus = { min = "1.00"', 'limits.bonus = { min = "26.00"', "$26.00, above its max of $25.00"),
        ('limits.bonus = { min = "1.00"', 'limits.bonus = { min = "0"', "a wager is at least a cent"),
    ],
    "separate_games_name_wagers_and_a_reference": [
        (
            "[policies]",
            "[policies]\nseparate_games = [{ since = 2024-01-01, games = 3 }]",
            "separate_games.1.reference is missing",
        )
    ],
    "wagers_that_follow_are_possible": [
        (
            'limits.bet = { min = "10.00", max = "400.00" }',
            'limits.bet = { min = "1.00", max = "8.00" }',
            "limits.ante leaves no amount: with the limits of bet (2 × ante) it must be at least $5.00",
        ),
        (
            'game = "straight-edge-1"\nconsole = "keypad"\nspots = 6\nlimits.ante = { min = "5.00", max = "100.00" }\n',
            'game = "straight-edge-2"\nconsole = "keypad"\nspots = 6\nlimits.ante = { min = "5.00", max = "100.00" }\n'
            'limits.blind = { min = "101.00", max = "200.00" }\n',
            "limits.ante leaves no amount",
        ),
    ],
    "posted_limits_are_authorised": [
        (
            'limits.bet = { min = "10.00", max = "400.00" }',
            'limits.bet = { min = "10.00", max = "400.01" }',
            "limits.bet.max is $400.01; in force is the law, $400.00 since 2023-08-19",
        )
    ],
    "aggregate_limits_are_high_enough": [
        ('amount = "25,000.00"', 'amount = "9,999.99"', "it may not be below $10,000.00, the maximum wager times")
    ],
    "aggregate_limits_are_in_order": [
        (
            'amount = "25,000.00" }',
            'amount = "25,000.00" }, { since = 2026-01-01, amount = "26,000" }',
            "limits.bet.aggregate has 2026-01-01 after 2026-01-01",
        )
    ],
    "link_ids_are_unique": [(LAST_LINK, 'id = "stud"', "link stud: the id is there 2 times")],
    "link_tables_exist": [
        (
            'tables = ["SE1-1"]',
            'tables = ["SE9"]',
            'link bad-beat: tables names an unknown table "SE9"; the file has TCP-1',
        ),
        ('tables = ["SE1-1"]', "tables = []", "a link joins one or more tables (PR-1)"),
        ('tables = ["SE1-1"]', 'tables = ["SE1-1", "SE1-1"]', "tables names SE1-1 more than once"),
    ],
    "a_table_has_one_link": [
        ('["CS-3", "CS-4"]', '["CS-2", "CS-4"]', "table CS-2: is joined by link stud, link three-level")
    ],
    "every_game_has_the_pay_table": [
        ('"TWBB-1"', '"CSTUD-01"', '"CSTUD-01" is no progressive table of straight-edge-1; it has TWBB-1 or 01'),
        (
            'tables = ["TCP-1"]\npay_table = "1"',
            'tables = ["TCP-1", "PG-1"]\npay_table = "2"',
            "is not one table but that of",
        ),
    ],
    "different_games_win_alike": [
        (
            '[[links]]\nid = "bad-beat"\nname = "Two Way Bad Beat"\ntables = ["SE1-1"]',
            '[[tables]]\nid = "SE2-1"\ngame = "straight-edge-2"\nconsole = "keypad"\nspots = 6\n'
            '[[links]]\nid = "bad-beat"\nname = "Two Way Bad Beat"\ntables = ["SE1-1", "SE2-1"]',
            "(PR-39, FL-16); row 7: straight-edge-1 440,798,871,552 of",
        ),
        ('["CS-1", "CS-2"]', '["CS-1", "CS-2", "SE1-2"]', "is for caribbean-stud alone"),
    ],
    "the_wager_is_the_stated_one": [
        ('"CSTUD-01"\nwager = "1.00"', '"CSTUD-01"\nwager = "2.00"', "states its wager, $1.00, and takes exactly that"),
        ('"TWBB-1"\nwager = "5.00"', '"TWBB-1"\nwager = "0.00"', "a progressive wager is at least a cent"),
    ],
    "the_wager_is_authorised": [
        (
            '"TWBB-1"\nwager = "5.00"',
            '"TWBB-1"\nwager = "401"',
            "link bad-beat: wager is $401.00; in force is the law, $400.00",
        )
    ],
    "meters_are_the_pay_tables": [
        ("meters.minor", "meters.mini", "meters.minor is missing; progressive ML03 has mega, major, minor"),
        ("meters.minor", "meters.mini", 'meters has "mini", which is no meter of progressive ML03'),
        ('meters."five aces"', 'meters."4 aces"', 'meters."five aces" is missing'),
    ],
    "seeds_are_entered": [
        (
            ', seed = "5,000.00" }\nmeters."royal',
            ' }\nmeters."royal',
            'meters."five aces".seed is missing; progressive 3 prints',
        )
    ],
    "rates_share_out_the_wager": [
        (
            'contribution = "70%", reserve = "2%"',
            'contribution = "98.01%", reserve = "2%"',
            "together 100.01% of the wager",
        ),
        ('contribution = "8%"', 'contribution = "92.26%"', "together 100.01% of the wager; they may be at most 100%"),
    ],
    "maximums_hold_the_seed": [
        ('maximum = "500,000.00"', 'maximum = "9,999.99"', "maximum is $9,999.99, below the seed of $10,000.00"),
        ('seed = "1,000.00" }', 'seed = "0", maximum = "0" }', "it must be above zero and at least the seed"),
    ],
    "fixed_awards_have_a_source": [
        ('fixed_from = "tray"', 'fixed_from = "house"', 'fixed_from is "house"; allowed is as_marked, tray'),
        ('fixed_from = "tray"', 'fixed_from = "meter"', "must name the meter, meter:NAME"),
        ('fixed_from = "tray"', 'fixed_from = "meter:mini"', "'mini' is not a meter of progressive ML03"),
    ],
    "options_and_pay_tables_agree": [
        (
            'game = "straight-edge-1"\nconsole = "keypad"\nspots = 6\npay_tables = { bonus = "1" }',
            'game = "mississippi-stud"\nconsole = "keypad"\nspots = 6\npay_tables = { base = "standard" }\n'
            "options = { straight_pays = 5 }",
            "pay_tables.base is standard, but the option straight_pays = 5 names straight-5; give one of the two",
        ),
    ],
    "the_dealing_fits_the_game": [
        (
            'dealing = "hand" ',
            'dealing = "straight-edge" ',
            "table CS-2: dealing: the mode Straight Edge deals packets of 7",
        ),
        (
            'dealing = "hand" ',
            'dealing = "foot" ',
            "table CS-2: dealing: no mode 'foot'; allowed are baccarat, caribbean-stud",
        ),
        (
            '\nkind = "cards"',
            '\ndealing = "hand"',
            "table PG-2: dealing: 6 Card Fortune Pai Gow Poker is dealt from an approved",
        ),
        (
            'dealing = "caribbean-stud-cover-all"',
            'dealing = "caribbean-stud"',
            "shows no Cover All column; Cover All needs Caribbean Stud Poker Cover All (CSC-4)",
        ),
        (
            'dealing = "caribbean-stud-cover-all"',
            'dealing = "hand"',
            "table V-CS: dealing: a virtual table is dealt by",
        ),
    ],
    "tables_with_cards_post_their_limits": [
        (
            'id = "SE1-2"\n',
            'id = "SE3"\ngame = "straight-edge-2"\nconsole = "touch"\nspots = 1\nkind = "virtual"\n'
            '[[tables]]\nid = "SE1-2"\n',
            'table SE3: limits is missing; a table of kind "virtual" takes wagers within its limits (FL-8)',
        )
    ],
    "equipment_ids_are_unique": [('id = "command"', 'id = "displays"', "equipment displays: the id is there 2 times")],
    "equipment_serves_tables_of_the_floor": [
        (
            'version = "1.0.017"\ntables = ["PG-1", "PG-2"]',
            'version = "1.0.017"\ntables = ["PG-9"]',
            'equipment verify-displays: tables names "PG-9", which is no table of the floor; it has TCP-1',
        )
    ],
    "equipment_keys_belong_to_the_kind": [
        ('version = "6.0"', 'version = "6.0"\nnetwork = false', "coin-spots: intelligence and network belong to a"),
        ('version = "6.0"', 'version = "6.0"\nbackup = true', "equipment coin-spots: backup belongs to a shuffler"),
    ],
    "equipment_is_approved": [
        (
            '"6.6 build 520"',
            '"6.6 build 519"',
            "Game Manager 6.6 build 519 is not approved; approved is 6.6 build 520 or",
        ),
        ('version = "6.0"', 'version = "6.1"', "Coin Spot 6.1 is not approved; approved is exactly 6.0 (FL-11"),
        ("network = false", "network = true", "equipment displays: ViPS: it has network of its own"),
    ],
    "approvals_are_of_known_games": [
        (
            '[[approvals]]\ngame = "three-card-poker"',
            '[[approvals]]\ngame = "whist"',
            'DEMONSTRATION: approvals whist: unknown game "whist"; known are',
        )
    ],
    "approvals_name_known_equipment": [
        (
            '[[approvals]]\ngame = "three-card-poker"',
            '[[approvals]]\nequipment = ["vips"]\ngame = "three-card-poker"',
            "approvals three-card-poker: equipment is named by the document of three-card-poker; leave it out",
        ),
        (
            '[[approvals]]\ngame = "three-card-poker"',
            '[[approvals]]\nequipment = ["abacus"]\ngame = "casino-war"',
            'approvals casino-war: equipment names "abacus"; allowed are game-manager, aquarius-controller',
        ),
    ],
    "a_game_has_one_checklist": [
        (
            '[[approvals]]\ngame = "three-card-poker"',
            '[[approvals]]\ngame = "caribbean-stud"',
            "approvals caribbean-stud: is there twice; every game has one checklist",
        )
    ],
    "approval_items_belong_to_the_site": [
        (
            "items.controls_approved",
            "items.commission_concurred",
            "items.commission_concurred is no item of a commercial",
        ),
        ('kind = "commercial" ', 'kind = "tribal" ', "items.controls_submitted is no item of a tribal site"),
    ],
    "demonstrations_say_that_they_are": [
        ("demonstration = true\n", "", "approvals three-card-poker: items.game.reference speaks of a demonstration")
    ],
}
WITHOUT_A_CASE = {"linked_games_have_a_progressive"}
"""Every game of ours has a progressive; a third party's that has none is tried below."""


@pytest.mark.parametrize(
    ("check", "old", "new", "says"),
    [pytest.param(name, *case, id=f"{name}-{n}") for name, cases in DEFECTS.items() for n, case in enumerate(cases)],
)
def test_each_check_finds_its_defect(check: str, old: str, new: str, says: str) -> None:
    found = defects((old, new))
    assert any(says in sentence for sentence in found), found
    own = next(one for one in floor_file.CHECKS if one.__name__ == check)
    plan = floor_file._plan(floor_file._toml(changed((old, new)).encode()), HERE, ON, [])
    assert plan is not None
    assert any(says in str(defect) for defect in own(plan))


def test_every_check_has_a_case() -> None:
    assert {check.__name__ for check in floor_file.CHECKS} == DEFECTS.keys() | WITHOUT_A_CASE


def test_a_game_without_a_progressive_cannot_be_linked(monkeypatch: pytest.MonkeyPatch) -> None:
    stud = all_games()["caribbean-stud"]
    others = tuple(wager for wager in stud.wagers if wager.key != "progressive")
    schemas = tuple(schema for schema in stud.schemas if schema.wager != "progressive")
    reconcile = tuple(wager for wager in stud.reconcile if wager != "progressive")
    plain = dataclasses.replace(
        stud,
        key="plain-stud",
        wagers=others,
        progressive=None,
        schemas=schemas,
        families=("caribbean-stud",),
        reconcile=reconcile,
    )
    monkeypatch.setitem(all_games(), plain.key, plain)
    text = EXAMPLE.replace('id = "CS-1"\ngame = "caribbean-stud"', 'id = "CS-1"\ngame = "plain-stud"')
    found = [str(defect) for defect in read(text).defects]
    assert "link stud: table CS-1 plays plain-stud, which has no progressive wager" in found


def test_all_defects_come_at_once() -> None:
    """A value that cannot be read hides nothing else, not even in the same table."""
    found = defects(
        ('id = "CS-1"', 'id = "CS-1"\ncolour = "green"'),
        ('console = "keypad"\nspots = 7', 'console = "lever"\nspots = 9'),
        (
            'limits.ante = { min = "5.00", max = "200.00" }\nlimits.bet',
            'limits.ante = { min = 5, max = "9" }\nlimits.bet',
        ),
        ('limits.bonus = { min = "1.00"', 'limits.bonus = { min = "30.00"'),
        ("America/Los_Angeles", "Mars/Olympus"),
        ('pay_table = "3"', 'pay_table = "33"'),
        ('"TWBB-1"\nwager = "5.00"', '"TWBB-1"\nwager = 5.00'),
        ('meters.minor = { contribution = "2%"', 'meters.minor = { contribution = "2 percent"'),
    )
    for says in (
        'table CS-1: unknown key "colour"; allowed are id, game',
        'table CS-1: console is "lever"; it must be "keypad" or "touch"',
        "table CS-1: limits.ante.min is 5; it must be dollars in quotes",
        "table CS-1: spots is 9",
        "table CS-1: limits.bonus.min is $30.00, above its max of $25.00",
        'site: time_zone "Mars/Olympus" is not known',
        'link pai-gow: pay_table "33" is no progressive table of six-card-pai-gow',
        "link bad-beat: wager is 5.0; it must be dollars in quotes",
        'link three-level: meters.minor.contribution is "2 percent"; it must be a percentage in quotes',
    ):
        assert any(sentence.startswith(says) for sentence in found), (says, found)
    assert len(found) == 9, found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('seed = "5,000.00" }\nmeters."royal', 'seed = 5000 }\nmeters."royal'),
        ('bonus = "CPSB-01"', "bonus = 1"),
        ('limits.base = { min = "10.00", max = "200.00" }', "limits.base = 10"),
        ('limits.base = { min = "10.00", max', 'limits.base = { min = "10.0", max'),
        ('meters.minor = { contribution = "2%", reserve = "0.25%", seed = "100.00" }', 'meters.minor = "2%"'),
        ('designator = "TCP-01"', "designator = 1"),
        ('tables = ["SE1-1"]', "tables = 1"),
        ('pay_table = "TWBB-1"', "pay_table = 1"),
        ('game = "straight-edge-2"', "game = 2"),
        ('maximum = "500,000.00"', "maximum = 1"),
        ('reserve = "2%"', "reserve = 99"),
    ],
)
def test_what_cannot_be_read_is_not_called_missing_as_well(old: str, new: str) -> None:
    (sentence,) = defects((old, new))
    assert " is missing" not in sentence


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", ["file: site is missing; it must be a table, written under [site]", "file: tables is missing"]),
        ("[site]\nname = 1\n[[tables]]", ["site: name is 1", "site: time_zone is missing", "table 1: id is missing"]),
        ("tables = []\nsite = 3", ["file: site is 3", "file: tables is an empty list; it must be a list of at least"]),
        (
            "tables = [1]\nlinks = [2]\n[site]",
            ["table 1: is 1; it must be a table", "link 1: is 2; it must be a table"],
        ),
        ("[site]\n[[tables]]\n[staff]", ['file: unknown key "staff"; allowed are site, policies, tables, links']),
        ('paytable_files = ["none.toml", 5]\n[site]', ["paytable_files none.toml: the file cannot be opened: No such"]),
    ],
)
def test_what_is_no_floor_says_what_a_floor_is(text: str, says: list[str]) -> None:
    found = [str(defect) for defect in read(text).defects]
    for words in says:
        assert any(sentence.startswith(words) for sentence in found), found


def test_links_without_a_defect_are_advised_all_the_same() -> None:
    found = read(
        changed(('reserve = "1%", seed = "1,000.00" }', 'seed = "1,000.00" }'), ('"70%"', '"60%"'), ('"ML03"', '"ML3"'))
    )
    assert {defect.where for defect in found.defects} == {"link three-level"}
    assert [advice.where for advice in found.advice] == ["link three-card, meter main", "link stud"]


def test_a_syntax_error_is_one_defect_with_its_line() -> None:
    found = [str(defect) for defect in read(changed(("[policies]", "[policies"))).defects]
    assert len(found) == 1
    assert re.fullmatch(r"floor\.toml: the file cannot be read as TOML: .*\(at line \d+, column \d+\)", found[0])


# -------------------------------------------------------------------------------------- money, rates, days


@pytest.mark.parametrize(
    ("written", "cents"),
    [('"0"', 0), ('"5"', 500), ('"5.00"', 500), ('"0.01"', 1), ('"10,000"', 1_000_000), ('"1,000,000,000"', 10**11)],
)
def test_money_is_exact(written: str, cents: int) -> None:
    floor = sound(changed(('surveillance_over = "3,000.00"', f"surveillance_over = {written}")))
    assert floor.policies.surveillance_over_cents == cents


@pytest.mark.parametrize(
    "written",
    ['"5.0"', '"5.001"', '"$5"', '"-5"', '"1,00"', '"1000,000"', '" 5"', '""', '"5."', '".50"', '"1e3"', '"٣"',
     '"1,000,000,000.01"', "5", "5.00", "5e2", "inf", "nan", "true", "[]", "{}", "2026-01-01"],
)  # fmt: skip
def test_what_is_no_money_is_refused(written: str) -> None:
    (sentence,) = defects(('surveillance_over = "3,000.00"', f"surveillance_over = {written}"))
    assert sentence.startswith("policies: surveillance_over is ")
    assert sentence.endswith('; it must be dollars in quotes, such as "5.00" or "10,000", so that it is exact')


@pytest.mark.parametrize(
    ("written", "hundredths"),
    [("0%", 0), ("13%", 1300), ("0.5%", 50), ("0.25%", 25), ("13.05%", 1305), ("100%", 10_000)],
)
def test_rates_are_exact(written: str, hundredths: int) -> None:
    text = changed(('contribution = "13%", reserve = "1%"', f'contribution = "{written}", reserve = "0%"'))
    assert sound(text).links[0].terms.meters["main"].contribution_bp == hundredths


@pytest.mark.parametrize("written", ['"13"', '"100.01%"', '"101%"', '"-1%"', '"0.125%"', '"%"', '"1 %"', "13", "0.13"])
def test_what_is_no_rate_is_refused(written: str) -> None:
    (sentence,) = defects(('contribution = "13%"', f"contribution = {written}"))
    assert sentence.startswith("link three-card: meters.main.contribution is ")
    assert '; it must be a percentage in quotes with at most two decimals, from "0%" to "100%"' in sentence


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('day_starts = "06:00"', 'day_starts = "24:00"'),
        ('day_starts = "06:00"', 'day_starts = "6:00"'),
        ('day_starts = "06:00"', "day_starts = 06:00:00"),
        ('week_starts = "monday"', 'week_starts = "Monday"'),
        ('currency = "USD"', 'currency = "dollars"'),
        ("since = 2026-01-01, amount = \"2", 'since = "2026-01-01", amount = "2'),
        ("since = 2026-01-01, amount = \"2", 'since = 2026-01-01T00:00:00Z, amount = "2'),
        ("failures_before_lockout = 5", "failures_before_lockout = 0"),
        ("lockout_minutes = 15", "lockout_minutes = true"),
        ('id = "CS-1"', 'id = "CS 1"'),
        ("spots = 7", "spots = 0"),
        ("washington = true", 'washington = "yes"'),
    ],
)  # fmt: skip
def test_other_values_are_as_strict(old: str, new: str) -> None:
    key = new.partition(" = ")[0]
    found = defects((old, new))
    assert any(f"{key} is " in sentence and "must be" in sentence for sentence in found), found


# ------------------------------------------------------------------------------------------ pay table files

HOUSE = """
[[paytable]]
game = "three-card-poker"
wager = "progressive"
id = "HOUSE-P"
seed = 2500
stated_wager = 2.50
rows.akq_spades = { percent = 100 }
"""


def test_a_house_table_is_used_and_marked(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text(HOUSE)
    text = changed(
        ('# paytable_files = ["house.toml"] ', 'paytable_files = ["house.toml"]'),
        ('pay_table = "1"\nwager = "1.00"', 'pay_table = "HOUSE-P"\nwager = "2.50"'),
        ('seed = "1,000.00" }', 'seed = "2,500.00" }'),
    )
    found = read_floor(text.encode(), "floor.toml", tmp_path, ON)
    assert found.defects == []
    assert found.config is not None
    assert found.config.links[0].terms.table.label == "progressive HOUSE-P (not approved)"
    again = floor_text(found.config)
    first, rest = again.split("\n", 1)
    assert first == "# Pay tables of the house's own, to be named in paytable_files: progressive HOUSE-P"
    named = f'paytable_files = ["house.toml"]\n{rest}'
    assert read_floor(named.encode(), "floor.toml", tmp_path, ON).config == found.config


def test_every_defect_of_a_pay_table_file_is_shown_with_the_floors_own(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text(HOUSE.replace("2500", "-1").replace("akq_spades", "akq"))
    (tmp_path / "again.toml").write_text(HOUSE.replace("HOUSE-P", "1"))
    text = changed(
        ('# paytable_files = ["house.toml"] ', 'paytable_files = ["house.toml", "again.toml", "none.toml"]'),
        ("America/Los_Angeles", "Mars"),
    )
    found = [str(defect) for defect in read_floor(text.encode(), "floor.toml", tmp_path, ON).defects]
    for says in (
        "paytable_files house.toml: three-card-poker progressive HOUSE-P: seed is -1",
        'paytable_files house.toml: three-card-poker progressive HOUSE-P: rows names an unknown hand "akq"',
        'paytable_files again.toml: the name "1" in again.toml already belongs to a table',
        "paytable_files none.toml: the file cannot be opened: No such file",
        'site: time_zone "Mars" is not known',
    ):
        assert any(sentence.startswith(says) for sentence in found), found


# ------------------------------------------------------------------------------------------------- limits


@pytest.mark.parametrize(
    ("on", "most"),
    [
        ("1996-12-31", None), ("1997-01-01", 2_500), ("1999-12-31", 2_500), ("2000-01-01", 10_000),
        ("2004-07-01", 10_000), ("2008-12-31", 10_000), ("2009-01-01", 30_000), ("2023-08-18", 30_000),
        ("2023-08-19", 40_000), ("2030-01-01", 40_000),
    ],
)  # fmt: skip
def test_authorised_limits_go_by_the_day(on: str, most: int | None) -> None:
    found = limits.authorised_on(limits.law_for("Washington", "commercial"), date.fromisoformat(on))
    assert (found.cents if found else None) == most


def test_one_to_three_tables_could_have_more() -> None:
    on = date(2005, 1, 1)
    base = re.sub(r'max = "(400|200)\.00"', 'max = "100.00"', EXAMPLE).replace("25,000.00", "5,000.00")
    base = base.replace('min = "20.00"', 'min = "10.00"')
    assert read(base, on).defects == []
    pair_plus = 'limits.pair_plus = { min = "5.00", max = '
    assert read(base.replace(f'{pair_plus}"100.00"', f'{pair_plus}"200.00"'), on).defects == []
    beyond = [str(defect) for defect in read(base.replace(f'{pair_plus}"100.00"', f'{pair_plus}"200.01"'), on).defects]
    assert len(beyond) == 1
    assert "limits.pair_plus.max is $200.01; in force is the law, $200.00 since 2004-07-01" in beyond[0]
    follower = r'limits\.(play|bet|double_down) = \{ min = "(.*?)", max = "100\.00"'
    raised = re.sub(follower, r'limits.\1 = { min = "\2", max = "150.00"', base.replace("5,000.00", "7,500.00"))
    everywhere = read(raised, on)
    (sentence,) = [str(defect) for defect in everywhere.defects]
    assert sentence.startswith("tables: table TCP-1, table CS-1, table CS-2")
    assert "the law allows that on 3 tables, since 2004-07-01 (FL-9)" in sentence


def test_a_tribal_site_goes_by_its_compact() -> None:
    compact = (
        '[policies]\nauthorised_limits = [{ since = 2020-01-01, amount = "%s", reference = "Compact, appendix X" }]'
    )

    def with_limit(amount: str) -> str:
        text = changed(('kind = "commercial" ', 'kind = "tribal" '), ("[policies]", compact % amount))
        return text[: text.index("[[approvals]]")]  # those of the example are a card room's

    assert sound(with_limit("500")).policies.authorised_limits == (Dated("2020-01-01", 50_000, "Compact, appendix X"),)
    found = [str(defect) for defect in read(with_limit("399.99")).defects]
    assert len(found) == 2  # the Bets of CS-1 and CS-2
    assert all("the law, $399.99 since 2020-01-01 (Compact, appendix X)" in sentence for sentence in found)


def test_the_effective_maximum_leaves_room_for_what_follows() -> None:
    stud, pai_gow, edge = find_game("caribbean-stud"), find_game("six-card-pai-gow"), find_game("straight-edge-2")
    assert stud is not None
    assert pai_gow is not None
    assert edge is not None

    def limit(low: int, high: int) -> Limits:
        return Limits(minimum_cents=low, maximum_cents=high)

    found = limits.effective(stud, "ante", {"ante": limit(500, 30_000), "bet": limit(2_001, 40_001)})
    assert (found.minimum_cents, found.maximum_cents) == (1_001, 20_000)
    assert [follow.wager for follow in found.because] == ["bet"]
    double = {"base": limit(500, 10_000), "double_down": limit(500, 5_000)}
    assert limits.effective(pai_gow, "base", double).maximum_cents == 10_000  # PGD-1
    both = {"ante": limit(500, 10_000), "blind": limit(500, 8_000), "play": limit(500, 14_000)}
    assert limits.effective(edge, "ante", both).maximum_cents == 7_000
    assert limits.effective(edge, "blind", both) == (500, 8_000, ())


def test_the_rulebooks_amounts_are_multiples() -> None:
    """The effective maximum divides by the lowest multiple, and the minimum by the highest."""
    for game in all_games().values():
        for follow in limits.follows_at(game):
            assert follow.times == tuple(sorted(set(follow.times)))
            assert follow.times[0] >= 1


def test_every_wager_made_by_a_decision_is_known_to_follow() -> None:
    for game in all_games().values():
        # An optional double never lowers the limit of the base wager (PGD-1).
        made = {wager.key for wager in game.wagers if wager.kind == "follows"} - {"double_down"}
        matched = {wager.key for wager in game.wagers if wager.equals}
        assert made | matched == {follow.wager for follow in limits.follows_at(game)}


def test_of_equal_limits_the_higher_authority_is_named() -> None:
    assert limits.ruling([Limit("house", 500), Limit("law", 500)]) == Limit("law", 500)
    assert limits.ruling([]) is None


# ------------------------------------------------------------------------------------------------ the doors


def test_load_floor_gives_the_configuration(tmp_path: Path) -> None:
    file = tmp_path / "floor.toml"
    file.write_text(EXAMPLE, "utf-8")
    assert load_floor(file, ON) == sound()


def test_load_floor_names_the_first_defects(tmp_path: Path) -> None:
    file = tmp_path / "floor.toml"
    file.write_text(
        EXAMPLE.replace('console = "keypad"', 'console = "lever"').replace("spots = 6", "spots = 9"), "utf-8"
    )
    with pytest.raises(Refusal) as refusal:
        load_floor(file, ON)
    assert refusal.value.field == str(file)
    assert refusal.value.sentence.startswith(
        'table CS-1: console is "lever"; it must be "keypad" or "touch"; table CS-2'
    )
    assert re.search(r"; and \d+ more$", refusal.value.sentence)


@pytest.mark.parametrize("name", ["none.toml", ".", "nul\0.toml"])
def test_load_floor_refuses_what_it_cannot_open(tmp_path: Path, name: str) -> None:
    with pytest.raises(Refusal):
        load_floor(tmp_path / name, ON)


def test_a_floor_file_is_told_from_a_pay_table_file() -> None:
    assert is_floor(EXAMPLE.encode())
    assert is_floor(b"[site]\nname = ")
    assert not is_floor(HOUSE.encode())
    assert not is_floor(b"\xff\x00")


def test_the_floor_needs_no_numba() -> None:
    program = (
        "import sys\nfrom pathlib import Path\nfrom houseway.manager.floor_file import example_floor, read_floor\n"
        "found = read_floor(example_floor().encode(), 'floor.toml', Path())\n"
        "assert found.config is not None\n"
        "print([name for name in ('numba', 'numpy', 'typer', 'rich') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")


run = CliRunner()
starter = typer.Typer()
starter.command()(init)


def test_init_writes_the_example_and_check_finds_it_sound(tmp_path: Path) -> None:
    made = run.invoke(starter, [str(tmp_path / "new" / "room")])
    assert made.exit_code == 0, made.output
    file = tmp_path / "new" / "room" / "floor.toml"
    assert file.read_text("utf-8") == EXAMPLE
    checked = run.invoke(program(), ["check", str(file)])
    assert checked.exit_code == 0
    assert checked.stdout.splitlines()[-1] == f"{file}: no defect, 11 tables, 7 links, 0 pieces of advice"
    assert "link three-card: TCP-1 on progressive 1, wager $1.00, house edge 22.33%" in checked.stdout


def test_init_replaces_nothing_without_force(tmp_path: Path) -> None:
    file = tmp_path / "floor.toml"
    file.write_text("mine")
    refused = run.invoke(starter, [str(tmp_path)])
    assert isinstance(refused.exception, Refusal)
    assert refused.exception.sentence == "is already there; --force replaces it"
    assert file.read_text() == "mine"
    assert run.invoke(starter, [str(tmp_path), "--force"]).exit_code == 0
    assert file.read_text("utf-8") == EXAMPLE
    assert [one.name for one in tmp_path.iterdir()] == ["floor.toml"]


def test_init_refuses_a_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    refused = run.invoke(starter, [str(tmp_path / "file")])
    assert isinstance(refused.exception, Refusal)


def test_check_lists_every_defect_then_leaves_with_1(tmp_path: Path) -> None:
    file = tmp_path / "floor.toml"
    file.write_text(changed(('console = "keypad"', 'console = "lever"'), ("America/Los_Angeles", "Mars")), "utf-8")
    checked = run.invoke(program(), ["check", str(file)])
    assert checked.exit_code == 1
    assert checked.stdout.splitlines()[0].startswith('table CS-1: console is "lever"')
    assert checked.stdout.splitlines()[-1] == f"{file}: 2 defects, 0 pieces of advice"
    data = json.loads(run.invoke(program(), ["check", str(file), "--json"]).stdout)
    assert [defect["where"] for defect in data["defects"]] == ["table CS-1", "site"]
    assert (data["tables"], data["links"], data["advice"]) == ([], [], [])


def test_check_gives_advice_and_the_house_edge_also_as_json(tmp_path: Path) -> None:
    file = tmp_path / "floor.toml"
    file.write_text(changed(('contribution = "13%", reserve = "1%"', 'contribution = "20%", reserve = "0%"')), "utf-8")
    checked = run.invoke(program(), ["check", str(file)])
    assert checked.exit_code == 0
    assert checked.stdout.count("advice: link three-card") == 2
    assert "the house edge shrinks from 22.33% to 16.33%" in checked.stdout
    data = json.loads(run.invoke(program(), ["check", str(file), "--json"]).stdout)
    assert [one["clause"] for one in data["advice"]] == ["PR-9", "PR-9"]
    assert data["links"][0]["house_edge"]["value"] == pytest.approx(0.1633, abs=5e-5)
    assert data["defects"] == []


def test_check_still_checks_pay_tables(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text(HOUSE)
    checked = run.invoke(program(), ["check", str(file)])
    assert checked.stdout == f"{file}: no defect, 1 table in order, not approved\n"


# ------------------------------------------------------------------------------------------- documentation


@pytest.mark.parametrize("part", draft.PARTS, ids=lambda part: part.__name__)
def test_every_key_is_documented(part: type[draft.Part]) -> None:
    """Each kind of table has a table on the page, under its own heading, with a row for each key."""
    heading = {
        draft.FilePart: "The file",
        draft.SitePart: "`[site]`",
        draft.PolicyPart: "`[policies]`",
        draft.AmountPart: "An amount from a day on",
        draft.TablePart: "`[[tables]]`",
        draft.LimitPart: "Limits",
        draft.LinkPart: "`[[links]]`",
        draft.MeterPart: "Meters",
        draft.EquipmentPart: "`[[equipment]]`",
        draft.ApprovalPart: "`[[approvals]]`",
        draft.ItemPart: "An item of a checklist",
        draft.WitnessesPart: "`[witnesses]`",
    }[part]
    section = re.search(rf"^#+ {re.escape(heading)}$(.*?)(?=^#|\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert section is not None, heading
    rows = re.findall(r"^\| `([a-z_]+)` \|", section[1], re.MULTILINE)
    assert rows == list(part.model_fields)


def test_every_key_says_what_may_stand_there() -> None:
    for part in draft.PARTS:
        assert all(field.description for field in part.model_fields.values()), part


def test_the_pages_broken_floor_has_the_defects_it_shows() -> None:
    block = re.search(r"^```toml\n(# broken.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    shown = re.search(r"^```text\n(table .*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert block is not None
    assert shown is not None
    found = read_floor(block[1].encode(), "floor.toml", HERE, ON)
    assert [str(defect) for defect in found.defects] == shown[1].splitlines()


# ---------------------------------------------------------------------------------------------------- fuzz

VALUE = re.compile(r'"[^"\n]*"|\b\d+(?:\.\d+)?\b|\{[^{}\n]*\}|\[[^\[\]\n]*\]|\b[a-z_]+(?= =)')
REPLACEMENTS = (
    "", "0", "-1", "1.5", "nan", "inf", "1e999999999", "9" * 5000, "0x" + "f" * 5000, "true", '""', '"x"',
    '"\\u0000"', '"0%"', '"100%"', '"-1%"', '"5.00"', '"999,999,999"', "[]", "[1, 2]", "[[]]", "{}", "[{}]",
    "{ a = { b = [{}] } }", "1979-05-27", "1979-05-27T00:00:00Z", "07:32:00", "\n", "]", "}", '"""', "'", "=", "#",
    "[" * 2000, "a." * 45 + "a", '"caribbean-stud"', '"three-card-poker"', '"CSTUD-01"', '"2"', '"CS-1"', '"main"',
    '"meter"', '"meter:mega"', "id", "tables", "meters", "game", "limits", "options", '"designator"', '"progressive"',
    "\ud800", "\x00", "\u202e",
)  # fmt: skip
fuzzed = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def answered(text: bytes) -> FloorFile:
    """The file is read without an exception, in a moment, and with printable sentences."""
    started = time.process_time()
    found = read_floor(text, "floor.toml", HERE, ON)
    assert time.process_time() - started < 3
    assert (found.config is None) == bool(found.defects)
    for one in (*found.defects, *found.advice):
        assert str(one).isprintable(), str(one)
        assert len(str(one)) < 1_500
    if found.config is not None:
        assert read(floor_text(found.config)).config == found.config
    return found


@fuzzed
@given(st.text() | st.binary())
def test_any_text_is_answered(text: str | bytes) -> None:
    assert answered(text if isinstance(text, bytes) else text.encode("utf-8", "replace")).defects


@fuzzed
@given(st.data())
def test_any_change_to_the_example_is_answered(data: st.DataObject) -> None:
    text = EXAMPLE
    for _ in range(data.draw(st.integers(1, 5))):
        places = [found.span() for found in VALUE.finditer(text)]
        start, end = data.draw(st.sampled_from(places))
        text = text[:start] + data.draw(st.sampled_from(REPLACEMENTS)) + text[end:]
        if not VALUE.search(text):
            break
    answered(text.encode("utf-8", "surrogatepass"))


@fuzzed
@given(st.data())
def test_any_values_of_the_example_exchanged_are_answered(data: st.DataObject) -> None:
    """Well-formed values in each other's place go past the first door and meet the checks behind it."""
    values = list(re.finditer(r"(?<== )(\"[^\"\n]*\"|\d+|true|\{[^\n]*\}|\[[^\n]*\])", EXAMPLE))
    first, second = data.draw(st.sampled_from(values)), data.draw(st.sampled_from(values))
    text = EXAMPLE[: first.start()] + second[0] + EXAMPLE[first.end() :]
    answered(text.encode())


@fuzzed
@given(st.data())
def test_any_part_cut_out_of_the_example_is_answered(data: st.DataObject) -> None:
    text = EXAMPLE.encode()
    start = data.draw(st.integers(0, len(text)))
    answered(text[:start] + text[start + data.draw(st.integers(0, 300)) :])


HOSTILE = {
    "deep lists": "x = " + "[" * 150_000,
    "deep tables": "[site]\nx = " + "{ a = " * 30_000,
    "deep keys": "\n".join("a." * 49 + f"a{number} = 1" for number in range(1_700)),
    "many tables": "[[tables]]\n" * 15_000,
    "many links": '[[links]]\nid="x"\n' * 5_000,
    "many alike": '[[tables]]\nid = "x"\ngame = "caribbean-stud"\n' * 4_000,
    "a table joined often": "[[tables]]\nid='x'\n[[links]]\ntables = [" + "'x', " * 40_000 + "]",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_file_takes_no_longer(text: str) -> None:
    assert answered(text.encode()).defects
