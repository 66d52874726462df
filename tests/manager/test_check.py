"""``houseway check`` demonstrated: of a sound floor it says nothing, and each fault has its sentence."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from houseway.cli import main
from houseway.manager.floor_file import example_floor
from houseway.proof.figure import percent
from houseway.proof.store import shipped

Change = tuple[str, str]
Check = Callable[..., dict[str, Any]]

VERSION_2 = """[[tables]]
id = "SE2-1"
game = "straight-edge-2"
console = "keypad"
spots = 6
limits.ante = { min = "5.00", max = "100.00" }
limits.blind = { min = "5.00", max = "100.00" }
limits.play = { min = "10.00", max = "200.00" }

"""
ATLAS = """
[[equipment]]
id = "atlas"
kind = "gm-atlas"
version = "5.4.0"
tables = ["TABLE"]

[[equipment]]
id = "command-ii"
kind = "nexus-command-2"
version = "5.4"
tables = ["TABLE"]
"""
COMMAND = '\n[[equipment]]\nid = "command"\n'
READING = 'separate_games = [{ since = 2024-01-01, games = 2, not_counted = ["progressive"], reference = "R-7" }]'


@pytest.fixture
def check(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Check:
    """What the command says of the example floor with some texts replaced, each where it stands first."""

    def command(*changes: Change) -> dict[str, Any]:
        text = example_floor()
        for old, new in changes:
            assert old in text, old
            text = text.replace(old, new, 1)
        file = tmp_path / "floor.toml"
        file.write_text(text, "utf-8")
        monkeypatch.setattr(sys, "argv", ["houseway", "check", str(file), "--json"])
        with pytest.raises(SystemExit) as left:
            main()
        said: dict[str, Any] = json.loads(capfd.readouterr().out)
        assert bool(left.value.code) is bool(said["defects"])
        return said

    return command


def with_atlas(table: str) -> Change:
    return COMMAND, ATLAS.replace("TABLE", table) + COMMAND


def sentences(said: dict[str, Any]) -> list[str]:
    return [f"{one['where']}: {one['what']}" for one in (*said["defects"], *said["advice"])]


@pytest.mark.clause("FL-11", "FL-10")
def test_of_the_example_there_is_nothing_to_say(check: Check) -> None:
    assert sentences(check()) == []


@pytest.mark.clause("FL-11")
def test_straight_edge_is_not_played_with_atlas(check: Check) -> None:
    first = 'game = "straight-edge-1"\nconsole = "keypad"'
    touch = (first, first.replace("keypad", "touch"))
    why = "is not approved for Straight Edge Poker, version 1: document 001 does not name it; SE1-1 needs what it names"
    assert sentences(check(touch, with_atlas("SE1-1"))) == [
        f"equipment atlas: GM Atlas {why} (FL-11)",
        f"equipment command-ii: Nexus Command II {why} (FL-11)",
    ]


@pytest.mark.clause("FL-11")
def test_pai_gow_is_not_played_on_game_manager_2(check: Check) -> None:
    first = 'kind = "nexus-game-manager"\nversion = "1.3.0"\ntables = ["TCP-1", "PG-1", "PG-2"]'
    second = 'version = "2.5.4"\ntables = ["CS-3", "CS-4"]'
    said = check((first, first.replace('"PG-1", ', "")), (second, second.replace("]", ', "PG-1"]')))
    assert sentences(said) == [
        "equipment command-2: Nexus Command Game Manager 2 is not approved for 6 Card Fortune Pai Gow Poker: "
        "document 002 does not name it; PG-1 needs what it names (FL-11)"
    ]


@pytest.mark.clause("FL-11")
def test_caribbean_stud_under_letter_3077_is_not_played_with_atlas(check: Check) -> None:
    """Document 000, which letter 3119 approves, names it; 003 does not."""
    old = 'game = "caribbean-stud"\ndemonstration = true\nsubmission = 3119\nrules = [2023-05-05, 2023-06-05]'
    letter = (old, old.replace("3119", "3077").replace("2023-05-05, 2023-06-05", "2022-05-04"))
    moved = [(f'version = "{one}"\ntables = ["CS-3", "CS-4"]', f'version = "{one}"\ntables = ["CS-4"]') for one in V2]
    assert sentences(check(with_atlas("CS-3"), *moved)) == []
    why = "is not approved for Caribbean Stud Poker: document 003 does not name it; CS-3 needs what it names"
    assert sentences(check(letter, with_atlas("CS-3"), *moved)) == [
        f"equipment atlas: GM Atlas {why} (FL-11)",
        f"equipment command-ii: Nexus Command II {why} (FL-11)",
    ]


V2 = ("2.5.4", "2.6.0")
"""Game Manager 2 and its table controller, which Atlas takes the place of."""


@pytest.mark.clause("PR-9")
def test_a_table_on_which_the_house_loses_is_named_with_the_counted_figure(check: Check) -> None:
    """Version 2 of Straight Edge as it is printed: the figure is that of the shipped count, and of no other place."""
    counted = (shipped() or {})["straight-edge-2", "base", "standard"].distribution
    assert counted is not None
    assert Fraction(-16, 100) < counted.house_edge < Fraction(-14, 100)
    said = check(("[[links]]", f"{VERSION_2}[[links]]"), ('"SE1-2"]', '"SE1-2", "SE2-1"]'))
    assert sentences(said) == [
        "table SE2-1: Straight Edge Poker, version 2: as printed the player has an edge of "
        f"{percent(-counted.house_edge, 2)} of the Ante: the house loses money on it"
    ]


@pytest.mark.clause("FL-9")
def test_what_one_hand_may_carry_is_said_of_every_table_that_offers_more(check: Check) -> None:
    said = check()["separate_games"]
    assert sorted(said) == ["CS-1", "PG-1", "PG-2", "SE1-1", "TCP-1", "V-CS", "V-TCP"]
    assert said["CS-1"] == (
        "One hand may carry 3 separate games (WAC 230-15-040): Ante, Caribbean Stud Bonus and Cover All; "
        "Ante, Caribbean Stud Bonus and Progressive; Ante, Cover All and Progressive."
    )


@pytest.mark.clause("FL-9")
def test_the_operator_enters_another_reading_with_its_reference(check: Check) -> None:
    """What counts as a separate game is a policy; a reading from a later day on is not in force yet."""
    said = check(("[policies]", f"[policies]\n{READING}"))["separate_games"]
    assert said["CS-1"] == (
        "One hand may carry 2 separate games (R-7): Ante, Caribbean Stud Bonus and Progressive; "
        "Ante, Cover All and Progressive."
    )
    later = check(("[policies]", f"[policies]\n{READING.replace('2024', '2999')}"))["separate_games"]
    assert "WAC 230-15-040" in later["CS-1"]


@pytest.mark.clause("FL-9")
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ((', reference = "R-7"', ""), "separate_games.1.reference is missing; it names the rule or the letter"),
        (("progressive", "bonsu"), "separate_games.1.not_counted: unknown wager 'bonsu'; allowed: ante, base, bonus,"),
        (("games = 2", "games = 0"), "separate_games.1.games is 0; it must be a whole number from 1 to 20"),
    ],
)
def test_a_reading_that_cannot_be_used_is_a_defect(check: Check, change: Change, sentence: str) -> None:
    (defect,) = check(("[policies]", f"[policies]\n{READING.replace(*change)}"))["defects"]
    assert defect["where"] == "policies"
    assert defect["what"].startswith(sentence)
