"""The example package, installed as a reader would: a game with a board, a dealer and two decisions in 150 lines."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from tests.games.installed import ROOT, install, played, run

from houseway.cards import DECK_52
from houseway.ranking import three_card

FOLDER = ROOT / "examples" / "games" / "lone_card_holdem"
GAME = "lone-card-holdem"
ROUND = re.compile(r'^\{"game": "lone-card-holdem".*?\]\}$', re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    names = ("pyproject.toml", "lone_card_holdem/__init__.py", "lone_card_holdem/paytables.toml")
    files = {name: (FOLDER / name).read_text("utf-8") for name in names}
    assert sum(text.count("\n") for text in files.values()) < 150
    return install(tmp_path_factory.mktemp("example"), files)


def settled(site: Path, page: Path) -> list[dict[str, Any]]:
    (request,) = ROUND.findall(page.read_text("utf-8"))
    spots: list[dict[str, Any]] = json.loads(run(site, "settle", data=request))["spots"]
    return spots


def test_the_rounds_of_the_pages_are_settled(site: Path) -> None:
    """The dealer has no pair: every Ante that was not folded comes back, and Play wins."""
    for page in (FOLDER / "README.md", ROOT / "docs" / "settle.md"):
        first, second, third = settled(site, page)
        assert first["wagers"]["ante"]["result"] == second["wagers"]["ante"]["result"] == "push"
        assert (first["wagers"]["play"]["returned"], second["wagers"]["play"]["returned"]) == (4000, 2000)
        assert (third["outcome"], third["returned"]) == ("fold", 0)


def test_the_rule_card_and_the_demonstration_know_it(site: Path) -> None:
    card = json.loads(run(site, "rules", GAME, "--json"))
    assert [step["kind"] for step in card["flow"]] == ["decide", "reveal", "decide"]
    assert "Lone Card Hold'em" in run(site, "demo", GAME)


@pytest.mark.parametrize(
    "part", ["virtual", "physical", "limits", "gym", pytest.param("many", marks=pytest.mark.long), "screens"]
)
def test_it_is_played(site: Path, part: str, tmp_path: Path) -> None:
    played(site, part, GAME, tmp_path)


def edge() -> Fraction:
    """By hand: every board, every card of the spot and of the dealer; the better choice after and before the board."""
    value = {frozenset(three): three_card.value(*three) for three in combinations(DECK_52, 3)}
    checked: dict[int, int] = defaultdict(int)
    raised: dict[int, int] = defaultdict(int)
    for board in combinations(DECK_52, 2):
        values = {card: value[frozenset((*board, card))] for card in DECK_52 if card not in board}
        for card, own in values.items():
            others = [dealers for other, dealers in values.items() if other != card]
            ante = sum((own > dealers) - (own < dealers) for dealers in others if dealers >= three_card.PAIR << 12)
            play = sum(1 if own > dealers else -1 for dealers in others)
            checked[card] += max(-len(others), ante + play)
            raised[card] += ante + 2 * play
    total = sum(max(checked[card], raised[card]) for card in DECK_52)
    return Fraction(-total, 52 * (51 * 50 // 2) * 49)


def test_the_readme_says_what_perfect_play_leaves_the_house() -> None:
    assert f"{float(edge()):.2%} of the Ante" in (FOLDER / "README.md").read_text("utf-8")


def test_it_is_counted_and_its_strategy_told(site: Path) -> None:
    """The board kernel finds the edge that the hand count finds, and says how to play."""
    (figure,) = json.loads(run(site, "figures", "--game", GAME, "--wager", "base", "--json"))
    assert Fraction(figure["house_edge"]["exact"]) == edge()
    assert figure["strategy"]
    assert "Lone Card Hold'em" in run(site, "strategy", GAME)


@pytest.mark.long
def test_it_is_simulated(site: Path) -> None:
    """By the simple way to play that the module declares. The games of CONTRIBUTING.md are simulated in every run."""
    arguments = (GAME, "--strategy", "simple", "--rounds", "200000", "--workers", "1", "--json")
    assert json.loads(run(site, "simulate", *arguments))["rounds"] == 200_000
