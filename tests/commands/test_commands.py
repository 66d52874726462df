"""The commands as a person and as a program meet them: words, JSON, exit codes; nothing is asserted about layout."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer.main

from houseway.cli import main, program
from houseway.games import all_games

ROOT = Path(__file__).parents[2]
GAMES = (
    *("baccarat", "caribbean-stud", "casino-war", "crazy-four-poker", "dj-wild", "four-card-poker", "let-it-ride"),
    *("mississippi-stud", "six-card-pai-gow", "straight-edge-1", "straight-edge-2", "texas-holdem-bonus"),
    *("three-card-poker", "ultimate-texas-holdem"),
)
STATUSES = ("rules from the documents", "rules from public sources", "name only")
TOP: dict[str, Any] = typer.main.get_command(program()).commands  # type: ignore[attr-defined]


def every_command(group: dict[str, Any], before: str = "") -> dict[str, Any]:
    """Every command by its full name, those of the groups within included."""
    found: dict[str, Any] = {}
    for name, command in group.items():
        found[f"{before}{name}"] = command
        found |= every_command(getattr(command, "commands", {}), f"{before}{name} ")
    return found


COMMANDS = every_command(TOP)

PROGRESSIVE = {
    *("folded_qualifies", "fixed_from", "award_order", "envy_needs_wager", "folded_wins_envy"),
    "decision_timeout_seconds",
}
OPTIONS = {
    "caribbean-stud": {"folded_keeps_bonus", "cover_all_counts_folded", "cover_all_expose_from"},
    "straight-edge-1": {"folded_keeps_bonus", "envy_scales"},
    "straight-edge-2": {"blind_on_margin_zero", "folded_keeps_insurance", "folded_keeps_four_plus", "envy_scales"},
    "three-card-poker": {"ante_required", "side_wagers_need_ante", "two_spots", "equal_hands", "reconcile_order"},
    "six-card-pai-gow": {"double_down_for_less", "positions", "dealer_position", "envy_scales"},
    "baccarat": {"commission_collected", "decks", "version"},
    "casino-war": {"decision_timeout_seconds", "decks", "penetration", "war_tie_bonus"},
    "crazy-four-poker": {"folded_keeps_queens_up"},
    "dj-wild": {"decision_timeout_seconds"},
    "four-card-poker": set(),
    "let-it-ride": set(),
    "mississippi-stud": {"straight_pays"},
    "texas-holdem-bonus": {"ante_pays_from", "decision_timeout_seconds"},
    "ultimate-texas-holdem": {"folded_keeps_trips", "preflop_multiples"},
}
"""The house options of the specification, beside those of every progressive."""

TWO_TABLES = """
[[paytable]]
game = "three-card-poker"
wager = "pair_plus"
id = "HOUSE-1"
pays = "to"
rows = { straight_flush = "35", three_of_a_kind = "33", straight = "6", flush = "3", pair = "1" }

[[paytable]]
game = "straight-edge"
wager = "progressive"
id = "HOUSE-P"
rows.7 = { percent = 100 }
"""
EVERY_DEFECT = """
[[paytable]]
game = "three-card-poker"
wager = "pair_plus"
id = "HOUSE-2"
colour = "green"
rows = { straight_flush = "40", flush = 3.5, straight = "6", three_of_a_kind = "-1", pear = "1" }

[[paytable]]
game = "three-card-poker"
wager = "ante"
id = "HOUSE-3"
pays = "to"

[[paytable]]
wager = "progressive"

[[paytable]]
game = "caribbean-stud"
wager = "progressive"
id = "HOUSE-4"
rows.royal_flush = { percent = 100 }
rows.straight_flush = { percent = 101 }
rows.flush = { fixed = 5, from = "purse" }
"""


class Done(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """The ``houseway`` command in this process, with standard output piped."""
    for name in ("FORCE_COLOR", "COLUMNS", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    # What a terminal would be asked for must not matter to a pipe.
    monkeypatch.setenv("TERM", "xterm-256color")

    def command(*arguments: str) -> Done:
        monkeypatch.setattr(sys, "argv", ["houseway", *arguments])
        with pytest.raises(SystemExit) as left:
            main()
        done = Done(int(left.value.code or 0), *capfd.readouterr())
        assert "\x1b" not in done.out + done.err
        assert "Traceback" not in done.err
        return done

    return command


def words(text: str) -> str:
    return " ".join(text.split())


# ------------------------------------------------------------------------------------------------- games


def test_games_lists_the_rule_sets_and_what_the_letters_name(run: Run) -> None:
    done = run("games", "--json")
    assert (done.code, done.err) == (0, "")
    data = json.loads(done.out)
    assert [game["game"] for game in data["games"]] == list(GAMES)
    letters = data["letters"]
    assert [len(letter["games"]) for letter in letters] == [66, 8]
    for letter in letters:
        assert [named["number"] for named in letter["games"]] == list(range(1, len(letter["games"]) + 1))
        assert all(named["name"] and named["status"] in STATUSES for named in letter["games"])
        assert all(bool(named["rules"]) == (named["status"] != "name only") for named in letter["games"])
    newer, older = (
        {named["name"]: named["rules"] for named in letter["games"] if named["rules"]} for letter in letters
    )
    assert (len(newer), len(older)) == (15, 7)
    assert {rules for names in newer.values() for rules in names} == set(GAMES)
    assert older["Caribbean Stud Poker"] == ["caribbean-stud"]


def test_games_for_a_person(run: Run) -> None:
    done = run("games")
    assert done.code == 0
    names = [named["name"] for letter in json.loads(run("games", "--json").out)["letters"] for named in letter["games"]]
    shown = words(done.out)
    assert all(words(name) in shown for name in (*GAMES, *names))
    assert shown.count("name only") == (66 - 15) + (8 - 7)


# ----------------------------------------------------------------------------------------- rules and pay tables


@pytest.mark.parametrize("game", GAMES)
def test_rules_show_clauses_options_and_tables(run: Run, game: str) -> None:
    card = json.loads(run("rules", game, "--json").out)
    rules = all_games()[game]
    assert (card["game"], card["title"], card["most_spots"]) == (game, rules.title, rules.most_spots)
    beside = PROGRESSIVE if rules.progressive is not None else set()
    assert {option["option"] for option in card["options"]} == OPTIONS[game] | beside
    assert all(option["allowed"] and option["says"] and option["clauses"] for option in card["options"])
    lines = [line for section in card["rules"] for line in section["lines"]]
    assert all(line["text"].endswith(".") and line["clauses"] for line in lines)
    assert any(line["clauses"][0][-2:] in ("-1", "-2") for line in lines)
    tables = json.loads(run("paytables", game, "--json").out)
    assert card["paytables"] == tables
    shown = words(run("rules", game).out)
    assert rules.title in shown
    seen = set(shown.split())
    for line in lines:
        # No sentence is cut off, and no clause.
        assert {*line["text"].split(), *line["clauses"]} <= seen, line
    for option in card["options"]:
        assert option["option"] in shown
    for table in tables:
        assert table["id"] in shown


def test_paytables_of_every_game(run: Run) -> None:
    everything = json.loads(run("paytables", "--json").out)
    assert len(everything) == 89
    assert all(table["approved"] for table in everything)
    ids = [(table["game"], table["wager"], table["id"]) for table in everything]
    assert len(set(ids)) == 89
    found = {
        (table["game"], table["wager"], table["id"])
        for game in GAMES
        for table in json.loads(run("paytables", game, "--json").out)
    }
    assert found == set(ids)


@pytest.mark.parametrize("game", [(), *((game,) for game in GAMES)], ids=str)
def test_paytables_for_a_person(run: Run, game: tuple[str, ...]) -> None:
    done = run("paytables", *game)
    assert done.code == 0
    for table in json.loads(run("paytables", *game, "--json").out):
        assert table["id"] in done.out
        assert all(row["hand"].replace("_", " ") in done.out for row in table["rows"])
    assert ("TCP-12" in done.out) == (game in ((), ("three-card-poker",)))


@pytest.mark.parametrize("command", [("paytables",), ("paytables", "three-card-poker"), ("rules", "three-card-poker")])
def test_house_tables_are_shown_as_not_approved(run: Run, tmp_path: Path, command: tuple[str, ...]) -> None:
    file = tmp_path / "house.toml"
    file.write_text(TWO_TABLES)
    assert "HOUSE-1" not in run(*command).out
    line = next(line for line in run(*command, "--paytable", str(file)).out.splitlines() if "HOUSE-1" in line)
    assert "not approved" in line
    data = json.loads(run(*command, "--paytable", str(file), "--json").out)
    tables = data["paytables"] if isinstance(data, dict) else data
    assert "HOUSE-1" in [table["id"] for table in tables if not table["approved"]]


# ----------------------------------------------------------------------------------------------------- check


def test_check_finds_nothing_wrong(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text(TWO_TABLES)
    done = run("check", str(file))
    assert (done.code, done.err) == (0, "")
    assert words(done.out) == f"{file}: no defect, 2 tables in order, not approved"
    data = json.loads(run("check", str(file), "--json").out)
    assert [table["id"] for table in data["tables"]] == ["HOUSE-1", "HOUSE-P"]
    assert data["defects"] == []


def test_check_lists_every_defect(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text(EVERY_DEFECT)
    done = run("check", str(file), "--json")
    assert (done.code, done.err) == (1, "")
    data = json.loads(done.out)
    assert data["tables"] == []
    found = [f"{defect['where']}: {defect['what']}" for defect in data["defects"]]
    for part in ("pays is missing", "colour", "row flush", "pear", "row straight", "three_of_a_kind", "paytable 2",
                 "game is missing", "row straight_flush", "HOUSE-4, row flush"):  # fmt: skip
        assert any(part in defect for defect in found), part
    lines = run("check", str(file)).out.splitlines()
    assert lines[:-1] == found
    assert lines[-1] == f"{file}: {len(found)} defects, 0 tables in order, not approved"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00\x01\x02" * 1000,
        bytes(range(256)),
        b"\xff\xfe",
        b"[[paytable]]",
        b"= = =",
        b"a." * 5000,
        b"x" * 10**6,
    ],
)
def test_check_survives_any_content(run: Run, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "house.toml"
    file.write_bytes(content)
    done = run("check", str(file))
    assert (done.code, done.err) == (1, "")
    assert "1 defect" in done.out or " defects" in done.out
    assert json.loads(run("check", str(file), "--json").out)["defects"]


@pytest.mark.parametrize("name", ["missing.toml", ".", "a\nb.toml"])
def test_check_refuses_what_it_cannot_read(run: Run, tmp_path: Path, name: str) -> None:
    done = run("check", str(tmp_path / name))
    assert (done.code, done.out, len(done.err.splitlines())) == (2, "", 1)
    assert "cannot be read" in done.err


def test_the_packaged_tables_have_no_defect(run: Run) -> None:
    for file in sorted((ROOT / "src/houseway/paytables/data").glob("*.toml")):
        assert run("check", str(file)).code == 0


# ----------------------------------------------------------------------------------------------------- demo


def test_demo_deals_every_game_and_the_same_again_with_a_seed(run: Run) -> None:
    first = run("demo", "--seed", "7")
    assert (first.code, first.err) == (0, "")
    for game in all_games().values():
        assert game.title in first.out
    assert first == run("demo", "--seed", "7")
    assert first != run("demo", "--seed", "8")
    assert run("demo").out != run("demo").out


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("spots", ["1", "6"])
def test_demo_of_one_game(run: Run, game: str, spots: str) -> None:
    for seed in range(10):
        done = run("demo", game, "--spots", spots, "--seed", str(seed))
        assert (done.code, done.err) == (0, "")
        assert done.out.startswith(all_games()[game].title)
        assert sum(other.title in done.out for other in all_games().values()) == 1
        assert done.out.count("together") == int(spots)
        assert re.search(r"\$\d", done.out)


# ----------------------------------------------------------------------------------- what is wrong, and what is said


@pytest.mark.parametrize("command", [("rules",), ("paytables",), ("demo",)])
@pytest.mark.parametrize("game", ["nonsense", "", "x" * 5000, "a\nb", "Caribbean-Stud", "[bold]x[/bold]"])
def test_an_unknown_game_is_one_sentence(run: Run, command: tuple[str, ...], game: str) -> None:
    done = run(*command, game)
    assert (done.code, done.out, len(done.err.splitlines())) == (2, "", 1)
    assert done.err.startswith("houseway: game: ")
    assert all(known in done.err for known in GAMES)
    assert len(done.err) < 350


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("nonsense",), "No such command 'nonsense'"),
        (("settel",), "No such command 'settel'"),
        (("games", "--jsno"), "No such option: --jsno"),
        (("rules",), "Missing argument 'game'"),
        (("check",), "Missing argument 'file'"),
        (("games", "x"), "unexpected extra argument"),
        (("demo", "--spots", "0"), "--spots"),
        (("demo", "--spots", "seven"), "--spots"),
        (("demo", "--seed", "x"), "--seed"),
    ],
)
def test_a_wrong_command_line_says_what_is_wrong(run: Run, arguments: tuple[str, ...], sentence: str) -> None:
    done = run(*arguments)
    assert (done.code, done.out) == (2, "")
    said = [line for line in done.err.splitlines() if line.strip()]
    assert sentence in said[-1]
    assert len(said) <= 3


def test_a_house_file_that_is_wrong_is_refused_everywhere(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text(EVERY_DEFECT)
    for command in (("paytables",), ("rules", "caribbean-stud")):
        for path in (str(file), str(tmp_path / "missing.toml")):
            done = run(*command, "--paytable", path)
            assert (done.code, done.out, len(done.err.splitlines())) == (2, "", 1)


def test_a_real_program_that_is_asked_nonsense_leaves_no_traceback() -> None:
    for arguments in (["nonsense"], ["rules", "nonsense"], ["settle", "/nowhere"], ["check", "/"]):
        done = subprocess.run([sys.executable, "-m", "houseway.cli", *arguments], capture_output=True, check=False)
        assert (done.returncode, done.stdout) == (2, b"")
        assert done.stderr
        assert b"Traceback" not in done.stderr


# ----------------------------------------------------------------------------------------------------- help


def test_version_and_help(run: Run) -> None:
    assert re.fullmatch(r"houseway \d+\.\d+\.\d+\n", run("--version").out)
    for word in ("--help", "-h"):
        done = run(word)
        assert done.code == 0
        assert all(name in done.out for name in TOP)


def test_the_commands_are_those_we_know() -> None:
    assert set(COMMANDS) >= {"settle", "games", "rules", "paytables", "check", "clauses", "demo"}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_explained(run: Run, name: str) -> None:
    command = COMMANDS[name]
    done = run(*name.split(), "--help")
    assert (done.code, done.err) == (0, "")
    assert words(command.help.split("\n\n")[0]) in words(done.out)
    for parameter in command.params:
        assert parameter.help, f"houseway {name}: {parameter.name} has no help"
        shown = parameter.opts[0] if parameter.opts[0].startswith("-") else parameter.metavar or parameter.name
        assert shown in done.out
    page = (ROOT / "docs" / "commands.md").read_text("utf-8")
    assert re.search(rf"^## houseway {name}$", page, re.MULTILINE)
    assert all(option in page for parameter in command.params for option in parameter.opts if option.startswith("--"))


@pytest.mark.parametrize(
    "arguments", [("games",), ("rules", "caribbean-stud"), ("paytables",), ("paytables", "straight-edge-1")]
)
def test_json_is_one_line_that_a_program_can_read(run: Run, arguments: tuple[str, ...]) -> None:
    done = run(*arguments, "--json")
    assert (done.code, done.err, len(done.out.splitlines())) == (0, "", 1)
    assert json.loads(done.out)


def test_a_database_that_cannot_be_reached_is_one_line(run: Run) -> None:
    done = run("floor", "show", "--db", "postgresql://nobody@127.0.0.1:1/none")
    assert (done.code, done.out) == (75, "")
    assert re.fullmatch(r"houseway: .*cannot be reached.*\n", done.err)
