"""A third party adds a game: the package of CONTRIBUTING.md, taken from the page, put beside Houseway, and played.

Nothing of Houseway is touched; the digest of its package says so.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import houseway

ROOT = Path(__file__).parents[2]
PACKAGE = Path(houseway.__file__).parent
FILE = re.compile(r"^\*\*`([^`\n]+)`\*\*\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
GAME = "high-card-flip"


def digest() -> str:
    """Of every file of the installed package."""
    made = hashlib.sha256()
    for file in sorted(PACKAGE.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            made.update(str(file.relative_to(PACKAGE)).encode() + b"\0" + file.read_bytes() + b"\0")
    return made.hexdigest()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the page's files and what an installer would write about them."""
    folder = tmp_path_factory.mktemp("site")
    files = dict(FILE.findall((ROOT / "CONTRIBUTING.md").read_text("utf-8")))
    assert set(files) == {
        "pyproject.toml",
        "high_card_flip/__init__.py",
        "high_card_flip/paytables.toml",
        "tests/test_high_card_flip.py",
        "round.json",
    }
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, "utf-8")
    project = tomllib.loads(files["pyproject.toml"])["project"]
    about = folder / f"high_card_flip-{project['version']}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    (about / "entry_points.txt").write_text(
        "".join(
            f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in entries.items())
            for group, entries in project["entry-points"].items()
        )
    )
    return folder


def python(site: Path | None, *arguments: str, data: str = "") -> subprocess.CompletedProcess[str]:
    path = [str(site)] if site else []
    environment = os.environ | {
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": os.pathsep.join([*path, os.environ.get("PYTHONPATH", "")]),
    }
    command = [sys.executable, "-W", "error", *arguments]
    return subprocess.run(command, input=data, capture_output=True, text=True, env=environment, check=False)


def run(site: Path, *arguments: str, data: str = "", code: int = 0) -> str:
    done = python(site, "-m", "houseway.cli", *arguments, data=data)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout if code == 0 else done.stderr


def settled(site: Path, **changes: Any) -> list[Any]:
    request = json.loads((site / "round.json").read_text()) | changes
    return list(json.loads(run(site, "settle", data=json.dumps(request)))["spots"])


def test_houseway_does_not_know_it_by_itself() -> None:
    done = python(None, "-m", "houseway.cli", "rules", GAME)
    assert done.returncode == 2


def test_every_command_knows_it_and_no_file_of_houseway_changes(site: Path) -> None:
    before = digest()
    games = json.loads(run(site, "games", "--json"))["games"]
    assert [game["game"] for game in games][-1] == GAME
    assert len(games) == 6
    assert "High Card Flip" in run(site, "games")

    card = json.loads(run(site, "rules", GAME, "--json"))
    assert [option["option"] for option in card["options"]] == ["equal_cards"]
    assert [table["id"] for table in card["paytables"]] == ["TWIN-1", "TWIN-2"]
    shown = run(site, "rules", GAME)
    assert all(word in shown for word in ("HF-1", "HF-4", "equal_cards", "TWIN-1", "15 to 1", "25 to 2"))

    assert [table["id"] for table in json.loads(run(site, "paytables", GAME, "--json"))] == ["TWIN-1", "TWIN-2"]
    assert len(json.loads(run(site, "paytables", "--json"))) == 53 + 2

    assert [spot["returned"] for spot in settled(site)] == [3363, 4000, 0]

    for arguments in ((GAME,), (GAME, "--seed", "3", "--spots", "6"), ()):
        shown = run(site, "demo", *arguments)
        assert "High Card Flip" in shown
        assert ("Three Card Poker" in shown) == (not arguments)
    assert digest() == before


def test_it_settles_as_its_rules_say(site: Path) -> None:
    first, second, third = settled(site)
    assert first["wagers"] == {
        "ante": {"result": "push", "wagered": 1000, "returned": 1000},
        "play": {"result": "push", "wagered": 1000, "returned": 1000},
        "twin": {"result": "win", "wagered": 101, "returned": 101 + 1262},
    }
    assert (second["outcome"], second["hand"], second["category"]) == ("win", "ace", "ace")
    assert (third["outcome"], set(third["wagers"])) == ("fold", {"ante"})
    assert [spot["returned"] for spot in settled(site, options={"equal_cards": "lose"})] == [1363, 4000, 0]
    assert [spot["returned"] for spot in settled(site, dealer="9s", tables={"twin": "TWIN-1"})] == [3313, 4000, 0]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"tables": {}}, "tables.twin: is missing"),
        ({"tables": {"twin": "TWIN-3"}}, "tables.twin: "),
        ({"dealer": "9h 9c"}, "dealer: has 2 cards where exactly 1"),
        ({"dealer": "9d"}, "spots[0].cards: 9d is there twice"),
        ({"options": {"equal_hands": "push"}}, "options.equal_hands: is not an option"),
        ({"options": {"equal_cards": "win"}}, "options.equal_cards: "),
        ({"meters": {"main": 1}}, "meters: is given"),
        ({"spots": [{"spot": 1, "cards": "9d", "wagers": {"twin": 5}}]}, "spots[0].wagers.ante: is missing"),
        ({"spots": [{"spot": 1, "cards": "9d", "wagers": {"ante": 5}}]}, "spots[0].decision: is missing"),
    ],
)
def test_it_refuses_as_every_game_does(site: Path, change: dict[str, Any], field: str) -> None:
    request = json.loads((site / "round.json").read_text()) | change
    assert run(site, "settle", data=json.dumps(request), code=2).startswith("houseway: " + field)


def test_a_house_can_write_tables_for_it(site: Path, tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    table = (site / "high_card_flip" / "paytables.toml").read_text()
    file.write_text(table.replace("TWIN-", "HOUSE-"))
    assert "no defect, 2 tables" in run(site, "check", str(file))
    request = json.loads((site / "round.json").read_text()) | {"tables": {"twin": "HOUSE-2"}}
    answer = json.loads(run(site, "settle", "--paytable", str(file), data=json.dumps(request)))
    assert "HOUSE-2" in answer["not_approved"][0]


def test_its_own_tests_pass(site: Path) -> None:
    done = python(site, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(site), str(site / "tests"))
    assert done.returncode == 0, done.stdout
    assert "4 passed" in done.stdout


def test_the_proof_can_compile_its_rules(site: Path) -> None:
    """The very functions that settled the round, as machine code, agree with themselves over all pairs of cards."""
    program = """
import high_card_flip as game
import numba
from numba.extending import register_jitable
from houseway.rule import RULES
for function in RULES:
    register_jitable(function)
wager_returned, twin_row = game.wager_returned, game.twin_row

@numba.njit
def totals():
    paid = twins = 0
    for player in range(52):
        for dealer in range(52):
            if player != dealer:
                paid += wager_returned(player, dealer, 1, False)
                twins += twin_row(player, dealer)
    return paid, twins

print(*totals())
"""
    done = python(site, "-c", program)
    assert done.returncode == 0, done.stderr
    # Of 52 * 51 pairs 52 * 3 are of one rank and push; half of the others win. One twin in three is of one colour.
    assert done.stdout.split() == [str(52 * 51), str(52 * 4)]
