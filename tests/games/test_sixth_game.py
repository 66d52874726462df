"""A third party adds two games: the package of CONTRIBUTING.md, taken from the page, put beside Houseway, and played.

Nothing of Houseway is touched; the digest of its package says so. Each thing that a game gets is a test of its own.
"""

from __future__ import annotations

import hashlib
import json
import re
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from tests.games.installed import ROOT, install, played, python, run

import houseway
from houseway.cards import DECK_52, rank_of
from houseway.games import all_games, approved_book
from houseway.ranking import three_card

PACKAGE = Path(houseway.__file__).parent
FILE = re.compile(r"^\*\*`([^`\n]+)`\*\*\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
GAME = "high-card-flip"
BOARD_GAME = "short-street"
GAMES = (GAME, BOARD_GAME)


def digest() -> str:
    """Of every file of the installed package."""
    made = hashlib.sha256()
    for file in sorted(PACKAGE.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            made.update(str(file.relative_to(PACKAGE)).encode() + b"\0" + file.read_bytes() + b"\0")
    return made.hexdigest()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the page's files, installed."""
    files = dict(FILE.findall((ROOT / "CONTRIBUTING.md").read_text("utf-8")))
    assert set(files) == {
        "pyproject.toml",
        "high_card_flip/__init__.py",
        "high_card_flip/paytables.toml",
        "short_street/__init__.py",
        "short_street/paytables.toml",
        "tests/test_corner_games.py",
        "round.json",
        "street.json",
    }
    assert files["short_street/__init__.py"].count("\n") <= files["high_card_flip/__init__.py"].count("\n")
    return install(tmp_path_factory.mktemp("site"), files)


def settled(site: Path, **changes: Any) -> list[Any]:
    request = json.loads((site / "round.json").read_text()) | changes
    return list(json.loads(run(site, "settle", data=json.dumps(request)))["spots"])


def test_houseway_does_not_know_it_by_itself() -> None:
    done = python(None, "-m", "houseway.cli", "rules", GAME)
    assert done.returncode == 2


def test_every_command_knows_it_and_no_file_of_houseway_changes(site: Path) -> None:
    before = digest()
    games = json.loads(run(site, "games", "--json"))["games"]
    assert [game["game"] for game in games][-2:] == [GAME, BOARD_GAME]
    assert len(games) == len(all_games()) + 2
    assert "High Card Flip" in run(site, "games")

    card = json.loads(run(site, "rules", GAME, "--json"))
    assert card["options"][0]["option"] == "equal_cards"
    assert [table["id"] for table in card["paytables"]] == ["TWIN-1", "TWIN-2", "ACES-1"]
    shown = run(site, "rules", GAME)
    assert all(word in shown for word in ("HF-1", "HF-6", "equal_cards", "TWIN-1", "15 to 1", "25 to 2"))

    assert [table["id"] for table in json.loads(run(site, "paytables", GAME, "--json"))] == [
        "TWIN-1",
        "TWIN-2",
        "ACES-1",
    ]
    assert len(json.loads(run(site, "paytables", "--json"))) == len(approved_book().tables) + 4

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
        ({"board": "Ah"}, "board: must be left out: high-card-flip deals the board no cards"),
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
    file.write_text(table.replace("TWIN-", "HOUSE-").replace("ACES-", "HOUSE-A"))
    assert "no defect, 3 tables" in run(site, "check", str(file))
    request = json.loads((site / "round.json").read_text()) | {"tables": {"twin": "HOUSE-2"}}
    answer = json.loads(run(site, "settle", "--paytable", str(file), data=json.dumps(request)))
    assert "HOUSE-2" in answer["not_approved"][0]


def test_its_own_tests_pass(site: Path) -> None:
    done = python(site, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(site), str(site / "tests"))
    assert done.returncode == 0, done.stdout
    assert "5 passed" in done.stdout


def test_a_round_with_a_board_settles_as_the_page_says(site: Path) -> None:
    answer = json.loads(run(site, "settle", str(site / "street.json")))
    assert "dealer" not in answer
    assert [spot["returned"] for spot in answer["spots"]] == [15000, 3000, 0]
    assert [spot["outcome"] for spot in answer["spots"]] == ["win", "push", "fold"]


# ------------------------------------------------------------------------------------------------ the mathematics


def flip_edge() -> Fraction:
    """High Card Flip by hand: every card against every other, the better of fold and play."""
    total = 0
    for player in DECK_52:
        played_for = 0
        for dealer in DECK_52:
            if dealer == player:
                continue
            if rank_of(dealer) < 5:
                played_for += 1
            else:
                played_for += 2 * ((rank_of(player) > rank_of(dealer)) - (rank_of(player) < rank_of(dealer)))
        total += max(-51, played_for)
    return Fraction(-total, 52 * 51)


def street_edge() -> Fraction:
    """Short Street by hand: backward from all three cards to the first card."""
    pays = {"pair": 2, "flush": 3, "straight": 4, "three_of_a_kind": 20, "straight_flush": 40}
    net = {}
    for three in combinations(DECK_52, 3):
        value = three_card.value(*three)
        name = three_card.CATEGORIES[three_card.category(value)]
        net[frozenset(three)] = 0 if name == "pair" and value >> 8 & 15 < 11 else pays.get(name, -1)
    total = 0
    for hole in DECK_52:
        worth = 0
        for first in set(DECK_52) - {hole}:
            unit = sum(net[frozenset((hole, first, second))] for second in set(DECK_52) - {hole, first})
            worth += max(-2 * 50, 3 * unit, 5 * unit)
        total += max(-51 * 50, worth)
    return Fraction(-total, 52 * 51 * 50)


EDGES = {GAME: flip_edge, BOARD_GAME: street_edge}


def figures(site: Path, game: str) -> dict[tuple[str, str], Any]:
    return {(one["wager"], one["table"]): one for one in json.loads(run(site, "figures", "--game", game, "--json"))}


@pytest.mark.parametrize("game", GAMES)
def test_the_exact_edge_is_what_one_counts_by_hand(site: Path, game: str) -> None:
    (base,) = [one for (wager, _), one in figures(site, game).items() if wager == "base"]
    assert base["method"] == "exact"
    assert Fraction(base["house_edge"]["exact"]) == EDGES[game]()


def test_side_wagers_are_counted(site: Path) -> None:
    known = figures(site, GAME)
    # Of 51 cards three are of the rank: one of the same colour, two of the other.
    assert Fraction(known["twin", "TWIN-1"]["house_edge"]["exact"]) == 1 - Fraction(16 + 2 * 13, 51)
    assert Fraction(known["progressive", "ACES-1"]["hit_frequency"]["exact"]) == Fraction(3, 13 * 51)


@pytest.mark.parametrize("game", GAMES)
def test_prove_holds_nothing_against_it(site: Path, game: str) -> None:
    assert "reproduced 0, differs 0" in run(site, "prove", "--game", game)


def test_the_best_play_is_told_in_words(site: Path) -> None:
    assert "Play six or better, fold the rest." in run(site, "strategy", GAME)
    assert f"House edge {float(street_edge()):.4%}" in run(site, "strategy", BOARD_GAME)


def test_advice_has_the_exact_worth_of_every_choice(site: Path) -> None:
    first, second = json.loads(run(site, "advise", GAME, "--cards", "6c", "--json"))["choices"]
    assert (first["choice"], first["exact"], second["choice"], second["exact"]) == ("play", "-44/51", "fold", "-1")
    choices = json.loads(run(site, "advise", BOARD_GAME, "--cards", "Jd", "--board", "Jh", "--json"))["choices"]
    assert [choice["choice"] for choice in choices] == ["3x", "1x", "fold"]


def test_a_par_sheet_is_written(site: Path, tmp_path: Path) -> None:
    for game in GAMES:
        file = tmp_path / f"{game}.json"
        assert "wrote" in run(site, "par", game, "-o", str(file), "--kept")
        assert game in file.read_text()


def test_a_simulation_comes_close_to_the_count(site: Path) -> None:
    told = json.loads(run(site, "simulate", GAME, "--rounds", "200000", "--workers", "1", "--json"))
    for wager in ("base", "twin"):
        assert abs(told["wagers"][wager]["deviations"]) < 5, told["wagers"][wager]


# ------------------------------------------------------------------------------------------------ the floor


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("part", ["virtual", "physical", "limits", "gym", "many", "screens"])
def test_it_is_played(site: Path, part: str, game: str, tmp_path: Path) -> None:
    """Two rounds at tables, limits of what follows, both environments, and a real server's pages and orders."""
    played(site, part, game, tmp_path)


def test_the_proof_can_compile_its_rules(site: Path) -> None:
    """The very functions that settled the round, as machine code, agree with themselves over all pairs of cards."""
    program = """
import high_card_flip as game
import numba
from numba.extending import register_jitable
from houseway.rule import RULES
for function in RULES:
    register_jitable(function)
ante_returned, twin_row = game.ante_returned, game.twin_row

@numba.njit
def totals():
    paid = twins = 0
    for player in range(52):
        for dealer in range(52):
            if player != dealer:
                paid += ante_returned(player % 13 + 2, dealer % 13 + 2, 1, 0)
                twins += twin_row(player, dealer)
    return paid, twins

print(*totals())
"""
    done = python(site, "-c", program)
    assert done.returncode == 0, done.stderr
    # Of 52 * 51 pairs 12 * 51 have a dealer below five, and win; of the 40 * 51 others 40 * 3 push, and those with the
    # higher card win. One twin in three is of one colour: 1 + 1 + 2.
    higher = sum(4 * 4 * (14 - rank) for rank in range(5, 15))
    assert done.stdout.split() == [str(2 * 12 * 51 + 40 * 3 + 2 * higher), str(52 * 4)]
