"""The equipment register: versions, approved systems, displays, and the section of a floor file."""

from __future__ import annotations

import dataclasses
import json
from datetime import date
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from houseway.cli import program
from houseway.games import all_games
from houseway.manager.floor_file import FloorFile, example_floor, read_floor
from houseway.refusal import Refusal
from houseway.table.equipment import (
    Equipment,
    Needs,
    check,
    check_item,
    compare,
    item_faults,
    lacks,
    parse_version,
    register,
)
from houseway.table.shuffler import HAND

GAMES = all_games()
STUD = GAMES["caribbean-stud"]

# ------------------------------------------------------------------------------------------------- versions

LADDERS = [
    ["6.5 build 999", "6.6", "6.6 build 519", "6.6 Build 520", "6.6 build 1000", "6.7", "6.10 build 1", "7"],
    ["3.7.999", "3.8.23", "3.8.024", "3.8.25", "3.8.100", "3.10.1", "4.0"],
    ["NXP 1.0.99", "NXP 1.0.102", "NXP v1.0.114", "nxp 1.0.115", "NXP 1.1", "NXP 2.0.0"],
    ["5.3.9", "5.4.0", "5.4.1", "5.10"],
    ["1.0P$", "1.66P$", "1.67p$", "2.0P$"],
    ["6.5.5SP", "6.5.6SP", "6.5.6.1SP"],
]


@pytest.mark.parametrize("ladder", LADDERS, ids=lambda ladder: str(ladder[1]))
def test_versions_are_in_order(ladder: list[str]) -> None:
    for lower, higher in combinations(ladder, 2):
        assert compare(lower, higher) == -1
        assert compare(higher, lower) == 1
    assert all(compare(one, one) == 0 for one in ladder)


@pytest.mark.parametrize(
    ("one", "other"), [("5.4", "5.4.0"), ("3.8.024", "3.8.24"), ("v1.3.0", "1.3"), ("6.6 build 0520", "6.6 BUILD 520")]
)
def test_the_same_version_written_differently(one: str, other: str) -> None:
    assert compare(one, other) == 0


@pytest.mark.parametrize(
    ("one", "other"), [("6.5.6", "6.5.6SP"), ("1.70", "1.66P$"), ("1.0.114", "NXP 1.0.114"), ("1.66P", "1.66P$")]
)
def test_another_line_of_software_cannot_be_compared(one: str, other: str) -> None:
    assert compare(one, other) is None


@pytest.mark.parametrize(
    "text", ["", "latest", "1..2", "1.2.", ".5", "1.2 build", "1.2 build x", "1 2", "-1", "1.2\n", "٣.1"]
)
def test_what_is_no_version_is_refused(text: str) -> None:
    with pytest.raises(Refusal, match="is no version; it must be"):
        parse_version(text)


# ------------------------------------------------------------------------------------------- approved versions


def item(kind: str, version: str = "", **more: Any) -> Equipment:
    if register().kinds[kind].part == "progressive display":
        more = {"intelligence": False, "network": False, **more}
    return Equipment(id=f"X-{kind}", kind=kind, version=version, **more)


PRINTED = {
    "game-manager": ("6.6 build 519", "6.6 build 520", "6.6 build 521"),
    "cham2-plus": ("1.65P$", "1.66P$", "1.67P$"),
    "vips": ("1.1.9", "1.2.0", "1.2.1"),
    "nexus-game-manager": ("1.2.9", "1.3.0", "1.3.1"),
    "nexus-table-controller": ("1.9.9", "2.0.0", "2.0.1"),
    "nexus-game-manager-2": ("2.5.3", "2.5.4", "2.5.5"),
    "nexus-table-controller-2": ("2.5.9", "2.6.0", "2.6.1"),
    "gm-atlas": ("5.3.9", "5.4.0", "5.4.1"),
    "nexus-command-2": ("5.3", "5.4", "5.5"),
    "i-deal": ("3.8.023", "3.8.024", "3.8.025"),
    "i-deal-plus": ("NXP 1.0.113", "NXP 1.0.114", "NXP 1.0.115"),
    "i-verify": ("1.0.016", "1.0.017", "1.0.018"),
}
"""Below, at and above each printed minimum."""
EXACT = {"aquarius-controller": ("6.5.5SP", "6.5.6SP", "6.5.7SP"), "coin-spot": ("5.9", "6.0", "6.1")}


@pytest.mark.parametrize("kind", PRINTED)
def test_below_the_minimum_is_refused_and_higher_is_not(kind: str) -> None:
    below, at, above = PRINTED[kind]
    (sentence,) = check_item(item(kind, below))
    assert f"{below} is not approved; approved is {at} or higher (FL-11, document" in sentence
    assert check_item(item(kind, at)) == check_item(item(kind, above)) == []


@pytest.mark.parametrize("kind", EXACT)
def test_an_exact_version_is_exact(kind: str) -> None:
    below, at, above = EXACT[kind]
    assert check_item(item(kind, at)) == []
    for version in (below, above):
        (sentence,) = check_item(item(kind, version))
        assert f"approved is exactly {at} (FL-11" in sentence


def test_every_kind_with_a_version_is_held_against_print() -> None:
    unprinted = {key for key, kind in register().kinds.items() if kind.approved == "any"}
    assert unprinted == {"monitor", "ace", "other-shuffler"}
    assert set(register().kinds) == {*PRINTED, *EXACT, *unprinted}
    assert all(kind.documents for kind in register().kinds.values())


def test_a_missing_version_and_another_line_are_refused() -> None:
    assert "has no version" in check_item(item("game-manager"))[0]
    assert "another line of the software" in check_item(item("i-deal-plus", "1.0.200"))[0]
    assert check_item(item("ace")) == []


def test_cover_all_takes_an_older_i_deal_plus() -> None:
    older = item("i-deal-plus", "NXP 1.0.102")
    assert check_item(older, cover_all=True) == []
    assert check_item(older) != []
    (sentence,) = check_item(item("i-deal-plus", "NXP 1.0.101"), cover_all=True)
    assert "NXP 1.0.102 or higher (FL-11, documents 000, 003)" in sentence


@pytest.mark.parametrize("kind", ["cham2-plus", "vips", "monitor"])
def test_a_display_has_neither_intelligence_nor_network(kind: str) -> None:
    version = register().kinds[kind].version
    assert check_item(item(kind, version)) == []
    for has in ({"intelligence": True}, {"network": True}, {"intelligence": True, "network": True}):
        (sentence,) = check_item(item(kind, version, **has))
        assert f"it has {' and '.join(has)} of its own" in sentence
    for unsaid in ("intelligence", "network"):
        (sentence,) = check_item(item(kind, version, **{unsaid: None}))
        assert f"not said whether it has {unsaid} of its own" in sentence


# ----------------------------------------------------------------------------------------------- whole tables


def approved(*kinds: str) -> list[Equipment]:
    return [item(kind, register().kinds[kind].version) for kind in kinds]


def needs(console: Any = "keypad", dealing: str = HAND, **more: Any) -> Needs:
    return Needs("CS-1", STUD, console, dealing, **more)


KEYPAD = ("game-manager", "aquarius-controller", "coin-spot", "vips")
TOUCH = [
    ("nexus-game-manager", "nexus-table-controller", "monitor"),
    ("nexus-game-manager-2", "nexus-table-controller-2", "vips"),
    ("gm-atlas", "nexus-command-2", "monitor"),
]


@pytest.mark.parametrize(
    ("console", "whole"),
    [("keypad", KEYPAD), ("keypad", (*KEYPAD[:3], "cham2-plus")), *(("touch", system) for system in TOUCH)],
)
def test_a_progressive_runs_on_one_whole_system(console: str, whole: tuple[str, ...]) -> None:
    assert check(approved(*whole), needs(console)) == []
    for left_out in whole:
        (sentence,) = check(approved(*(kind for kind in whole if kind != left_out)), needs(console))
        part = register().kinds[left_out]
        assert ("progressive display" if part.part == "progressive display" else part.title) in sentence
        assert "(FL-11)" in sentence


def at(game: str, letter: int = 3119) -> Needs:
    return Needs("T-1", GAMES[game], "touch", HAND, letter=letter)


NEXUS = ("nexus-game-manager", "nexus-table-controller")
NEXUS_2 = ("nexus-game-manager-2", "nexus-table-controller-2")
ATLAS = ("gm-atlas", "nexus-command-2")


@pytest.mark.parametrize(
    ("needs", "named"),
    [
        (at("caribbean-stud"), {NEXUS, NEXUS_2, ATLAS}),
        (at("caribbean-stud", 3077), {NEXUS, NEXUS_2}),
        (at("straight-edge-1"), {NEXUS}),
        (at("straight-edge-2"), {NEXUS}),
        (at("six-card-pai-gow"), {NEXUS, ATLAS}),
        (at("three-card-poker"), {NEXUS, ATLAS}),
    ],
    ids=lambda one: f"{one.game.key} {one.letter}" if isinstance(one, Needs) else "",
)
def test_a_progressive_runs_on_what_the_document_of_its_own_game_names(needs: Needs, named: set[Any]) -> None:
    for system in (NEXUS, NEXUS_2, ATLAS):
        here = approved(*system, "vips")
        assert (lacks(here, needs) == []) == (system in named)
        for sentence in item_faults(here, needs):
            assert f"is not approved for {needs.game.title}: document 00" in sentence
        assert (item_faults(here, needs) == []) == (system in named)


def test_a_plain_monitor_is_named_for_caribbean_stud_alone() -> None:
    for game in ("straight-edge-1", "six-card-pai-gow", "three-card-poker"):
        assert lacks(approved(*NEXUS, "monitor"), at(game)) != []
        assert "table mounted monitor is not approved for" in item_faults(approved("monitor"), at(game))[0]
    assert check(approved(*NEXUS, "monitor"), needs("touch", letter=3077)) == []


def test_two_documents_print_the_table_controller_without_or_higher() -> None:
    newer = item("nexus-table-controller", "2.0.1")
    for game in ("straight-edge-1", "three-card-poker"):
        (sentence,) = item_faults([newer], at(game))
        assert "2.0.1 is not approved; approved is exactly 2.0.0 (FL-11, document 00" in sentence
    assert item_faults([newer], at("six-card-pai-gow")) == item_faults([newer], at("caribbean-stud")) == []


def test_a_game_that_no_document_describes_is_judged_by_all_of_them() -> None:
    other = at("caribbean-stud")._replace(game=dataclasses.replace(STUD, key="lone-stud"))
    for system in (NEXUS, NEXUS_2, ATLAS):
        assert lacks(approved(*system, "monitor"), other) == []


@pytest.mark.clause("FL-1")
def test_an_operator_registers_a_shuffler_that_no_document_names() -> None:
    plain = needs(progressive=False, dealing="caribbean-stud")
    another = item("other-shuffler", model="Acme 5", modes=("caribbean-stud",), reference="approval 77")
    assert check([another], plain) == []
    assert another.title == "Acme 5"
    cover_all = needs(progressive=False, dealing="caribbean-stud-cover-all", offers_cover_all=True)
    assert (
        "X-other-shuffler is an Acme 5, which has no mode Caribbean Stud Poker Cover All"
        in check([another], cover_all)[0]
    )
    for less in ({"model": ""}, {"modes": ()}, {"reference": ""}):
        (sentence, *_) = check([replace(another, **less)], plain)
        assert "needs its model, its modes and the reference of its approval (FL-1)" in sentence
    (sentence,) = check_item(replace(another, modes=("caribbean-stud", "roulette")))
    assert 'unknown mode "roulette"; allowed: ' in sentence


def test_the_generations_are_not_mixed() -> None:
    (sentence,) = check(approved("nexus-game-manager", "nexus-table-controller-2", "monitor"), needs("touch"))
    assert "allowed is Nexus Command Game Manager 1.3.0, Nexus Command table controller 2.0.0; or " in sentence
    assert check(approved(*KEYPAD), needs("touch")) != []
    assert check(approved(*TOUCH[0]), needs("keypad")) != []
    assert check(approved(*KEYPAD[:3], "monitor"), needs("keypad")) != [], "the keypad generation names its displays"


def test_a_table_without_a_progressive_needs_no_system() -> None:
    assert check([], needs(progressive=False)) == []


def test_a_virtual_table_needs_no_machine() -> None:
    assert check([], needs(dealing="caribbean-stud", virtual=True)) == []


@pytest.mark.clause("FL-1")
def test_a_table_needs_a_shuffler_with_its_mode() -> None:
    plain = needs(progressive=False, dealing="caribbean-stud")
    assert check([], plain) == [
        "CS-1: no shuffler is registered; the mode Caribbean Stud Poker needs i-Deal or i-Deal Plus (FL-1)"
    ]
    assert check(approved("i-deal"), plain) == []
    cover_all = needs(progressive=False, dealing="caribbean-stud-cover-all", offers_cover_all=True)
    assert (
        "X-i-deal is an i-Deal, which has no mode Caribbean Stud Poker Cover All"
        in check(approved("i-deal"), cover_all)[0]
    )
    assert check([item("i-deal-plus", "NXP 1.0.102")], cover_all) == []
    assert check([item("i-deal-plus", "NXP 1.0.102")], plain) != []
    assert check(approved("ace"), plain) != []
    poker = Needs("TCP-1", GAMES["three-card-poker"], "touch", "three-card-poker", progressive=False)
    assert check(approved("ace"), poker) == []


def test_a_backup_does_not_deal_but_must_be_approved() -> None:
    plain = needs(progressive=False, dealing="caribbean-stud")
    backup = item("i-deal", "3.8.024", backup=True)
    assert "no shuffler is registered" in check([backup], plain)[0]
    old = item("i-deal", "3.8.001", backup=True)
    assert ["is not approved" in sentence for sentence in check([*approved("i-deal-plus"), old], plain)] == [True]


def test_equipment_of_another_table_does_not_count() -> None:
    elsewhere = [item("i-deal", "3.8.024", tables=("CS-2",))]
    assert check(elsewhere, needs(progressive=False, dealing="caribbean-stud")) != []
    here = [item("i-deal", "3.8.024", tables=("CS-2", "CS-1"))]
    assert check(here, needs(progressive=False, dealing="caribbean-stud")) == []


@pytest.mark.parametrize("virtual", [False, True])
def test_a_table_set_to_another_game_is_refused(virtual: bool) -> None:
    wrong = Needs("TCP-1", GAMES["three-card-poker"], "touch", "caribbean-stud", progressive=False, virtual=virtual)
    assert "Three Card Poker takes packets of 3 from 52 (FL-1)" in check([], wrong)[0]
    by_hand = check([], wrong._replace(dealing=HAND, virtual=False))
    assert "only Baccarat, Caribbean Stud and Casino War may be dealt by hand (FL-1)" in by_hand[0]
    unknown = wrong._replace(dealing="roulette")
    assert "no mode 'roulette'" in check([], unknown)[0]


@pytest.mark.clause("FL-1")
def test_a_mode_of_the_right_size_is_refused_where_it_is_another_games() -> None:
    lone = dataclasses.replace(STUD, key="lone-stud", title="Lone Stud")
    there = Needs("LS-1", lone, "touch", "caribbean-stud", progressive=False, virtual=True)
    (sentence,) = check([], there)
    assert sentence.startswith("LS-1: the mode Caribbean Stud Poker is not set to Lone Stud")
    assert check([], there._replace(game=dataclasses.replace(lone, any_mode_of_its_size=True))) == []


@pytest.mark.clause("FL-1")
def test_a_virtual_table_is_never_dealt_by_hand() -> None:
    assert check([], needs(dealing=HAND, progressive=False)) == []
    (sentence,) = check([], needs(dealing=HAND, virtual=True))
    assert sentence == "CS-1: a virtual table is dealt by the system's own shuffler, never by hand (FL-1)"


def test_a_machine_at_a_virtual_table_is_nobodys_business() -> None:
    old = [item("i-deal-plus", "NXP 1.0.102")]
    assert check(old, needs(dealing="caribbean-stud", virtual=True)) == []
    assert check(old, needs(dealing="caribbean-stud", progressive=False)) != []


@pytest.mark.clause("FL-11")
def test_what_nobody_knows_is_refused_and_breaks_nothing() -> None:
    toaster = Equipment(id="X", kind="toaster", version="1")
    assert toaster.title == "toaster"
    assert check([toaster], needs(progressive=False)) == [
        'X: "toaster" is no kind of equipment that is approved (FL-11)'
    ]
    (sentence,) = check_item(Equipment(id="X", kind="i-deal", version="newest"))
    assert sentence.startswith("X: i-Deal newest is not approved; approved is 3.8.024 or higher")


# -------------------------------------------------------------------------------------------- the floor file

FLOOR = """
[site]
name = "Small Room"
jurisdiction = "Washington"
time_zone = "America/Los_Angeles"

[[tables]]
id = "CS-1"
game = "caribbean-stud"
console = "touch"
spots = 6
dealing = "caribbean-stud-cover-all"
limits.ante = { min = "5.00", max = "100.00" }
limits.bet = { min = "10.00", max = "200.00" }
limits.cover_all = { min = "1.00", max = "25.00" }

[[links]]
id = "L"
tables = ["CS-1"]
pay_table = "CSTUD-01"
wager = "1.00"
meters.main = { contribution = "70%", reserve = "1%", seed = "10,000.00" }
"""
MACHINES = "".join(
    f'[[equipment]]\nid = "{one.id}"\nkind = "{one.kind}"\nversion = "{one.version}"\n'
    for one in approved("nexus-game-manager", "nexus-table-controller", "i-deal-plus")
)
DISPLAY = '[[equipment]]\nid = "D"\nkind = "monitor"\nintelligence = false\nnetwork = false\n'
BACKUP = '[[equipment]]\nid = "S-2"\nkind = "i-deal"\nversion = "3.8.024"\ntables = ["CS-1"]\nbackup = true\n'


def read(text: str) -> FloorFile:
    return read_floor(text.encode(), "floor.toml", Path(), date(2026, 3, 1))


def test_the_section_is_read() -> None:
    found = read(FLOOR + MACHINES + DISPLAY + BACKUP)
    assert found.config is not None, found.defects
    assert found.config.equipment[2:] == (
        Equipment(id="X-i-deal-plus", kind="i-deal-plus", version="NXP 1.0.114"),
        Equipment(id="D", kind="monitor", intelligence=False, network=False),
        Equipment(id="S-2", kind="i-deal", version="3.8.024", tables=("CS-1",), backup=True),
    )


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ('version = "6.6"', "id is missing; it must be a text of 1 to 32"),
        ('id = "A B"\nkind = "i-deal"', 'id is "A B"; it must be a text of 1 to 32 letters'),
        ('id = "A"\nkind = "toaster"', 'kind is "toaster"; it must be a kind of equipment'),
        ('id = "A"\nkind = "i-deal"\nversion = "new"', 'version is "new"; it must be a version in quotes'),
        ('id = "A"\nkind = "i-deal"\nversion = 3.8', "version is 3.8; it must be a version in quotes"),
        ('id = "A"\nkind = "i-deal"\nbackup = 1', "backup is 1; it must be true or false"),
        ('id = "A"\nkind = "i-deal"\ncolour = "red"', 'unknown key "colour"; allowed are id, kind'),
        ('id = "A"\nkind = "i-deal"\ntables = ["X-9"]', 'tables names "X-9", which is no table of the floor'),
        ('id = "A"\nkind = "i-deal"\nnetwork = false', "belong to a progressive display"),
        ('id = "A"\nkind = "vips"\nbackup = true', "backup belongs to a shuffler"),
        ('id = "D"\nkind = "i-deal"', "the id is there 2 times"),
        ('id = "A"\nkind = "i-deal"', "equipment A: i-Deal has no version; approved is 3.8.024 or higher"),
        ('id = "A"\nkind = "coin-spot"\nversion = "6.1"', "Coin Spot 6.1 is not approved; approved is exactly 6.0"),
        (
            'id = "A"\nkind = "monitor"\nintelligence = true\nnetwork = false',
            "equipment A: table mounted monitor: it has intelligence of its own",
        ),
    ],
)
def test_every_defect_is_a_sentence(written: str, said: str) -> None:
    found = read(f"{FLOOR}{MACHINES}{DISPLAY}[[equipment]]\n{written}\n")
    assert found.config is None
    assert any(said in str(defect) for defect in found.defects), list(map(str, found.defects))


def test_a_version_that_cannot_be_read_is_not_called_missing_as_well() -> None:
    found = read(f'{FLOOR}[[equipment]]\nid = "A"\nkind = "i-deal"\nversion = "new"\n')
    assert len(found.defects) == 1


def test_an_older_i_deal_plus_is_for_cover_all_alone() -> None:
    older = MACHINES.replace("1.0.114", "1.0.102") + DISPLAY
    assert read(FLOOR + older).defects == []
    second = FLOOR[FLOOR.index("[[tables]]") : FLOOR.index("[[links]]")].replace("CS-1", "CS-2")
    plain = second.replace('dealing = "caribbean-stud-cover-all"\n', "").replace("limits.cover_all", "# ")
    (defect,) = read(FLOOR + plain + older).defects
    assert "NXP 1.0.102 is not approved; approved is NXP 1.0.114 or higher" in str(defect)


@pytest.mark.parametrize("value", ['"none"', "3", "[1]", "{ id = 1 }", '["a"]', "[[]]"])
def test_whatever_stands_there_is_a_defect(value: str) -> None:
    found = read(f"equipment = {value}\napprovals = {value}\n{FLOOR}")
    assert found.config is None
    assert {defect.where.split()[0] for defect in found.defects} <= {"file", "equipment", "approvals"}
    assert len(found.defects) >= 2


def test_how_the_tables_of_the_example_deal() -> None:
    config = read(example_floor()).config
    assert config is not None
    dealing = {table.id: table.dealing for table in config.tables}
    assert dealing["CS-1"] == "caribbean-stud-cover-all", "it offers Cover All"
    assert dealing["CS-2"] == HAND
    assert dealing["CS-3"] == "caribbean-stud"
    assert dealing["SE1-1"] == dealing["SE1-2"] == "straight-edge"
    assert {table.id: table.kind for table in config.tables if table.kind != "progressive"} == {
        "PG-2": "cards",
        "V-TCP": "virtual",
        "V-CS": "virtual",
    }


# ------------------------------------------------------------------------------------------------ the command


def run(*arguments: object) -> Any:
    return CliRunner().invoke(program(), ["equipment", *map(str, arguments)])


def test_the_command_lists_what_is_there_and_what_is_missing(tmp_path: Path) -> None:
    file = tmp_path / "floor.toml"
    file.write_text(FLOOR + MACHINES + DISPLAY)
    done = run(file)
    assert done.exit_code == 0, done.output
    assert "nothing is missing" in done.stdout
    assert "X-i-deal-plus" in done.stdout
    file.write_text(FLOOR + MACHINES)
    done = run(file)
    assert done.exit_code == 1
    assert (
        "CS-1: its progressive lacks progressive display (ViPS or table mounted monitor) for Nexus Command"
        in done.stdout
    )
    answer = json.loads(run(file, "--json").stdout)
    assert [one["id"] for one in answer["equipment"]] == [
        "X-nexus-game-manager",
        "X-nexus-table-controller",
        "X-i-deal-plus",
    ]
    assert [len(one["missing"]) for one in answer["tables"]] == [1]
    assert answer["defects"] == []


def test_a_machine_below_its_minimum_is_named_once_and_listed_all_the_same(tmp_path: Path) -> None:
    file = tmp_path / "floor.toml"
    second = FLOOR[FLOOR.index("[[tables]]") : FLOOR.index("[[links]]")].replace("CS-1", "CS-2")
    file.write_text(FLOOR + second + MACHINES.replace("2.0.0", "1.9.0") + DISPLAY)
    done = run(file)
    assert done.exit_code == 1
    assert done.stdout.count("1.9.0 is not approved; approved is 2.0.0 or higher") == 1
    assert "X-nexus-table-controller" in done.stdout
    assert "0 missing, 1 defects" in done.stdout
