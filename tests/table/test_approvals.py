"""The approval checklist: what each kind of site must have, demonstrations, and what reopens it."""

from __future__ import annotations

import dataclasses
import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from houseway.cli import program
from houseway.games import all_games
from houseway.games.letters import letters
from houseway.manager.floor_file import FloorFile, example_floor, read_floor
from houseway.refusal import Refusal
from houseway.table.approvals import (
    ITEMS,
    Approval,
    Checklist,
    SiteKind,
    approved_rules,
    items_for,
    lines,
    marked,
    missing,
    must_be_compared,
    reopened_by,
)

GAMES = all_games()
STUD = GAMES["caribbean-stud"]
ON = date(2026, 3, 1)

COMMERCIAL = {"game", "controls_submitted", "controls_approved", "makers_licensed"}
TRIBAL = {
    *("game", "agency_approved", "commission_concurred", "supplement_filed", "makers_certified"),
    "makers_licensed_by_tribe",
}


def complete(kind: SiteKind, game: str = "caribbean-stud", **more: Any) -> Checklist:
    dates = {"game": "2023-06-14", "controls_submitted": "2023-07-01", "controls_approved": "2023-08-01"}
    return Checklist(
        game=game,
        submission=3119,
        rules=("2023-05-05", "2023-06-05"),
        items={
            item.key: Approval(
                date=dates.get(item.key, "2023-09-01"),
                reference=f"file {item.key}",
                sold="2023-10-01" if item.before_sale else "",
                by="P. Sato" if item.by_name else "",
            )
            for item in items_for(kind, GAMES.get(game))
        },
        **more,
    )


def changed(checklist: Checklist, item: str, **values: Any) -> Checklist:
    return replace(checklist, items={**checklist.items, item: replace(checklist.items[item], **values)})


def test_each_kind_of_site_has_its_own_list() -> None:
    assert {item.key for item in items_for("commercial")} == COMMERCIAL
    assert {item.key for item in items_for("tribal")} == TRIBAL
    assert {item.key for item in ITEMS} == COMMERCIAL | TRIBAL


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kind", ["commercial", "tribal"])
def test_a_game_opens_only_when_every_item_is_there(game: str, kind: SiteKind) -> None:
    whole = complete(kind, game)
    assert missing(whole, GAMES[game], kind, ON) == []
    for item in items_for(kind, GAMES[game]):
        less = replace(whole, items={key: one for key, one in whole.items.items() if key != item.key})
        assert missing(less, GAMES[game], kind, ON) == [f"{game}: {item.words}: missing (FL-10)"]
    assert len(missing(None, GAMES[game], kind, ON)) == len(items_for(kind, GAMES[game]))


@pytest.mark.clause("FL-10")
def test_undated_rules_stay_open_until_somebody_by_name_has_compared_them() -> None:
    """Document 001 is undated and carries no letter; of a game from public rules we hold no document at all."""
    asked = {key for key, game in GAMES.items() if must_be_compared(game)}
    assert asked == {
        "straight-edge-1",
        "straight-edge-2",
        *(key for key, game in GAMES.items() if game.has_public_rules),
    }
    edge, whole = GAMES["straight-edge-1"], complete("commercial", "straight-edge-1")
    without = replace(whole, items={key: one for key, one in whole.items.items() if key != "rules_compared"})
    assert missing(without, edge, "commercial", ON) == [
        "straight-edge-1: the rules held here are compared with those that the letter approved: missing (FL-10)"
    ]
    (sentence,) = missing(changed(whole, "rules_compared", by=" "), edge, "commercial", ON)
    assert "the name of the person who compared them is missing" in sentence
    assert any("2023-09-01, by P. Sato, file rules_compared" in line for line in lines(whole, "commercial"))


def test_one_kinds_approvals_do_not_open_the_other() -> None:
    assert len(missing(complete("commercial"), STUD, "tribal", ON)) == len(TRIBAL) - 1
    assert len(missing(complete("tribal"), STUD, "commercial", ON)) == len(COMMERCIAL) - 1


@pytest.mark.clause("FL-10")
def test_every_item_has_a_reference_and_a_day_that_has_come() -> None:
    whole = complete("commercial")
    (sentence,) = missing(changed(whole, "controls_approved", reference=" "), STUD, "commercial", ON)
    assert "its reference is missing" in sentence
    future = changed(whole, "controls_approved", date="2026-03-02")
    (sentence,) = missing(future, STUD, "commercial", ON)
    assert "from 2026-03-02; not yet on 2026-03-01" in sentence
    assert missing(future, STUD, "commercial", date(2026, 3, 2)) == []


@pytest.mark.parametrize(
    ("kind", "item"),
    [("commercial", "makers_licensed"), ("tribal", "makers_certified"), ("tribal", "makers_licensed_by_tribe")],
)
def test_makers_are_licensed_before_the_sale(kind: SiteKind, item: str) -> None:
    whole = complete(kind)
    (sentence,) = missing(changed(whole, item, sold="2023-08-31"), STUD, kind, ON)
    assert "after the sale on 2023-08-31; it must come before that (FL-10)" in sentence
    (sentence,) = missing(changed(whole, item, sold=""), STUD, kind, ON)
    assert "the day of the sale is missing" in sentence


@pytest.mark.clause("FL-10")
def test_controls_are_not_approved_before_they_are_submitted() -> None:
    (sentence,) = missing(
        changed(complete("commercial"), "controls_approved", date="2023-06-30"), STUD, "commercial", ON
    )
    assert "on 2023-06-30, before its internal controls are submitted on 2023-07-01" in sentence


# ----------------------------------------------------------------------------------------------------- letters


def test_the_letters_and_the_rules_they_approved() -> None:
    assert approved_rules() == {3077: ("2022-05-04",), 3119: ("2023-05-05", "2023-06-05")}
    assert {letter.number for letter in letters()} == set(approved_rules())


@pytest.mark.parametrize("rules", [(), ("2023-05-05",), ("2022-05-04",), ("2023-05-05", "2023-06-05", "2024-01-01")])
def test_an_approval_names_the_rules_it_approved(rules: tuple[str, ...]) -> None:
    (sentence,) = missing(replace(complete("commercial"), rules=rules), STUD, "commercial", ON)
    assert "submission 3119 approved the rules of 2023-05-05 and 2023-06-05; this approval names" in sentence


def test_the_order_of_the_days_does_not_matter() -> None:
    turned = replace(complete("commercial"), rules=("2023-06-05", "2023-05-05"))
    assert missing(turned, STUD, "commercial", ON) == []


@pytest.mark.clause("FL-10")
def test_only_a_letter_that_names_the_game_approves_it() -> None:
    older = replace(changed(complete("commercial"), "game", date="2022-05-23"), submission=3077, rules=("2022-05-04",))
    assert missing(older, STUD, "commercial", ON) == []
    named_by_it = {
        rules for letter in letters() if letter.number == 3077 for named in letter.games for rules in named.rules
    }
    for game in set(GAMES) - named_by_it:
        (sentence,) = missing(
            replace(older, game=game, items={**complete("commercial", game).items, "game": older.items["game"]}),
            GAMES[game],
            "commercial",
            ON,
        )
        assert "submission 3077 does not name it; allowed are 3119 of 2023-06-14" in sentence
    (sentence,) = missing(replace(complete("commercial"), submission=9999), STUD, "commercial", ON)
    assert "allowed are 3119 of 2023-06-14, 3077 of 2022-05-23" in sentence


@pytest.mark.clause("FL-10")
def test_an_approval_has_the_date_of_its_letter() -> None:
    (sentence,) = missing(changed(complete("commercial"), "game", date="2023-06-15"), STUD, "commercial", ON)
    assert "submission 3119 is of 2023-06-14; this approval is dated 2023-06-15" in sentence


def test_a_game_of_another_package_brings_its_own_approval() -> None:
    own = dataclasses.replace(STUD, key="own")
    checklist = replace(complete("commercial", "own"), submission=4000, rules=("2025-01-01",))
    assert missing(checklist, own, "commercial", ON) == []


# --------------------------------------------------------------------------------------------- demonstrations


def test_everything_said_of_a_demonstration_begins_so() -> None:
    for kind in ("commercial", "tribal"):
        whole = complete(kind, demonstration=True)
        bare = replace(whole, items={}, submission=1)
        said = [*lines(whole, kind), *missing(bare, STUD, kind, ON), *missing(replace(bare, rules=()), STUD, kind, ON)]
        assert said
        assert all(sentence.startswith("DEMONSTRATION: ") for sentence in said)
        assert missing(whole, STUD, kind, ON) == []


def test_a_real_approval_is_not_marked() -> None:
    assert not any("DEMONSTRATION" in line for line in lines(complete("commercial"), "commercial"))


# ------------------------------------------------------------------------------------------------- reopening


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_options_the_rules_allow_reopen_nothing(game: Any) -> None:
    assert reopened_by(game, game.defaults, {}) == []


@pytest.mark.parametrize(
    ("options", "tables", "said"),
    [
        ({"cover_all_expose_from": "straight"}, {"bonus": "CPSB-01", "progressive": "CSTUD-01"}, None),
        ({"colour": "red"}, {}, 'option "colour" is none of the approved rules'),
        ({"cover_all_expose_from": "pair"}, {}, "the approved rules allow"),
        ({"two_spots": True}, {}, 'option "two_spots" is none of the approved rules'),
        ({}, {"bonus": "HOUSE-1"}, 'pay table "HOUSE-1" of "bonus" is not an approved one'),
        ({}, {"designator": "TCP-01"}, "is not an approved one"),
    ],
)
def test_a_change_beyond_the_options_reopens_the_checklist(
    options: dict[str, Any], tables: dict[str, str], said: str | None
) -> None:
    found = reopened_by(STUD, options, tables)
    if said is None:
        assert found == []
    else:
        (sentence,) = found
        assert said in sentence
        assert sentence.endswith("; this reopens the checklist (FL-10)")


def test_an_approved_designator_reopens_nothing() -> None:
    assert reopened_by(GAMES["three-card-poker"], {"two_spots": True}, {"designator": "TCP-01"}) == []


# ---------------------------------------------------------------------------------------------- the floor file

SECTION = """
[site]
name = "Small Room"
jurisdiction = "Washington"
time_zone = "America/Los_Angeles"
kind = "commercial"

[[tables]]
id = "CS-1"
game = "caribbean-stud"
console = "touch"
spots = 6

[[approvals]]
game = "caribbean-stud"
submission = 3119
rules = [2023-05-05, 2023-06-05]
items.game = { date = 2023-06-14, reference = "letter 3119" }
items.controls_submitted = { date = 2023-07-01, reference = "IC-7" }
items.controls_approved = { date = 2023-08-01, reference = "IC-7, approved" }
items.makers_licensed = { date = 2023-09-01, reference = "licence 12", sold = 2023-10-01 }
"""
DEMO = SECTION.replace("submission", "demonstration = true\nsubmission")


def read(text: str, folder: Path = Path()) -> FloorFile:
    return read_floor(text.encode(), "floor.toml", folder, ON)


def checklist_of(text: str) -> Checklist:
    found = read(text)
    assert found.config is not None, found.defects
    (checklist,) = found.config.approvals
    return checklist


def test_the_section_is_read() -> None:
    checklist = checklist_of(SECTION)
    assert missing(checklist, STUD, "commercial", ON) == []
    assert checklist.items["makers_licensed"] == Approval(date="2023-09-01", reference="licence 12", sold="2023-10-01")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("submission = 3119", "", "submission is missing; it must be the number of a letter"),
        ("submission = 3119", 'submission = "3119"', 'submission is "3119"'),
        ("rules = [2023-05-05, 2023-06-05]", "rules = []", "rules is an empty list; it must be a list of days"),
        (
            "rules = [2023-05-05, 2023-06-05]",
            'rules = ["2023-05-05"]',
            "rules is a list; it must be a list of days without quotes",
        ),
        ("2023-07-01", "2023-07-01T10:00:00", "it must be a day without quotes"),
        ('"IC-7"', '" "', "items.controls_submitted.reference is"),
        ("items.controls_submitted", "items.agency_approved", "items.agency_approved is no item of a commercial site"),
        (", sold =", ", bought =", 'unknown key "bought" under "items.makers_licensed"; allowed are date, reference'),
        ('"licence 12"', '"a Demonstration"', "speaks of a demonstration; say demonstration = true"),
        ("[[approvals]]", '[[approvals]]\ndemonstration = "no"', 'demonstration is "no"; it must be true or false'),
        ('kind = "commercial"', 'kind = "tribal"', "items.controls_approved is no item of a tribal site"),
        ('[[approvals]]\ngame = "caribbean-stud"', '[[approvals]]\ngame = "whist"', 'unknown game "whist"'),
    ],
)
def test_every_defect_is_a_sentence(old: str, new: str, said: str) -> None:
    assert old in SECTION
    found = read(SECTION.replace(old, new, 1))
    assert found.config is None
    assert any(said in str(defect) for defect in found.defects), [str(defect) for defect in found.defects]


def test_a_game_has_one_checklist() -> None:
    twice = SECTION + SECTION[SECTION.index("[[approvals]]") :]
    assert [str(defect) for defect in read(twice).defects] == [
        "approvals caribbean-stud: is there twice; every game has one checklist"
    ]


def test_a_demonstration_marks_its_references_and_its_defects() -> None:
    checklist = checklist_of(DEMO)
    assert all(item.reference.startswith("DEMONSTRATION: ") for item in checklist.items.values())
    assert marked("DEMONSTRATION only", demonstration=True) == "DEMONSTRATION only"
    assert marked("letter 3119", demonstration=False) == "letter 3119"
    (defect,) = read(DEMO.replace("items.controls_submitted", "items.agency_approved")).defects
    assert str(defect).startswith("DEMONSTRATION: approvals caribbean-stud: items.agency_approved is no item")


def test_a_floor_without_approvals_opens_nothing() -> None:
    without = example_floor()[: example_floor().index("[[approvals]]")]
    found = read(without)
    assert found.config is not None
    assert found.registers is not None
    states = found.registers.games
    assert [state.game for state in states] == list(dict.fromkeys(table.game for table in found.config.tables))
    assert all(len(state.faults) == len(items_for("commercial", GAMES[state.game])) for state in states)
    assert {state.state for state in states} == {"no approval"}


# -------------------------------------------------------------------------------------------------- the command


def run(file: Path, *arguments: str) -> Any:
    return CliRunner().invoke(program(), ["approvals", str(file), *arguments])


def test_the_command_lists_what_is_there_and_what_is_missing(tmp_path: Path) -> None:
    file = tmp_path / "floor.toml"
    file.write_text(SECTION)
    done = run(file)
    assert done.exit_code == 0, done.output
    assert "caribbean-stud: complete\n" in done.stdout
    assert "its internal controls are approved: 2023-08-01, IC-7, approved" in done.stdout
    assert "DEMONSTRATION" not in done.stdout
    done = run(file, "--on", "2023-07-15")
    assert done.exit_code == 1
    assert "from 2023-08-01; not yet on 2023-07-15 (FL-10)" in done.stdout


def test_the_command_marks_every_line_of_a_demonstration(tmp_path: Path) -> None:
    file = tmp_path / "floor.toml"
    for text in (DEMO, DEMO.replace("items.controls_approved", "# ")):
        file.write_text(text)
        done = run(file)
        assert done.stdout
        assert all(line.startswith("DEMONSTRATION: ") for line in done.stdout.splitlines())
        (answer,) = json.loads(run(file, "--json").stdout)["games"]
        assert answer["demonstration"] is True
        assert answer["state"].startswith("DEMONSTRATION: ")
        assert all(line.startswith("DEMONSTRATION: ") for line in [*answer["there"], *answer["missing"]])


def test_the_command_says_what_reopens_a_checklist(tmp_path: Path) -> None:
    file = tmp_path / "floor.toml"
    changed_table = 'game = "caribbean-stud"\noptions = { seven_spots = true }\npay_tables = { bonus = "HOUSE-1" }\n'
    file.write_text(SECTION.replace('game = "caribbean-stud"\n', changed_table, 1))
    done = run(file, "--json")
    assert done.exit_code == 1
    answer = json.loads(done.stdout)
    (game,) = answer["games"]
    option, pay_table = game["missing"]
    assert option.startswith('caribbean-stud: option "seven_spots" is none of the approved rules')
    assert pay_table == (
        'caribbean-stud: pay table "HOUSE-1" of "bonus" is not an approved one; this reopens the checklist (FL-10)'
    )
    assert game["state"] == "incomplete"
    assert len(answer["defects"]) == 2


def test_a_wrong_day_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "floor.toml"
    file.write_text(SECTION)
    done = run(file, "--on", "tomorrow")
    assert isinstance(done.exception, Refusal)
    assert str(done.exception) == "--on: is 'tomorrow'; it must be a day such as 2026-01-01"
