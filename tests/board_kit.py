"""A game that nobody plays: two cards each, five on the board, and three moments to raise; for tests of the screens.

    def test_something(board_game: Game) -> None: ...

It counts ranks, so that a test sees at once who wins.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from houseway import games
from houseway.cards import rank_of
from houseway.games import Game, all_games
from houseway.games.model import Choice, Decide, Hand, Reveal, RuleLine, RuleSection, Wager, Zone, multiples
from houseway.games.rules import even_money
from houseway.manager.floor_file import example_floor
from houseway.ranking.ranking import by_rule
from houseway.rule import rule

KEY = "sum-of-seven"
CHECK = Choice("check", "Check")


@rule
def ranks_of_seven(a: int, b: int, c: int, d: int, e: int, f: int, g: int) -> int:
    """The ranks of seven cards together."""
    return rank_of(a) + rank_of(b) + rank_of(c) + rank_of(d) + rank_of(e) + rank_of(f) + rank_of(g)  # type: ignore


@rule
def ranks_of_two(a: int, b: int) -> int:
    """The ranks of two cards together."""
    return rank_of(a) + rank_of(b)  # type: ignore


@rule
def returned(player: int, dealer: int, stake: int) -> int:
    """The higher sum wins; equal sums push."""
    if player > dealer:
        return even_money(stake)
    return stake if player == dealer else 0


@rule
def raises_high(hole: int) -> int:
    """Check, or the highest raise with two high cards."""
    return 2 if hole >= 24 else 0


@rule
def always_checks() -> int:
    return 0


@rule
def plays_fair(player: int) -> int:
    """Fold, or play from the usual sum on."""
    return 1 if player >= 50 else 0


@rule
def has_high_cards(hole: int) -> bool:
    return hole >= 24


def _words(value: int) -> str:
    return f"sum {value}"


GAME = Game(
    key=KEY,
    title="Sum of Seven",
    document="a test",
    most_spots=6,
    zones=(Zone("hole", "spot", 2), Zone("dealers", "dealer", 2), Zone("board", "table", 5)),
    values=(
        Hand("hole", by_rule(ranks_of_two, 2, _words, suits_matter=False), ("hole",)),
        Hand("player", by_rule(ranks_of_seven, 7, _words, suits_matter=False), ("hole", "board")),
        Hand("dealer", by_rule(ranks_of_seven, 7, _words, suits_matter=False), ("dealers", "board")),
    ),
    flow=(
        Decide(
            "preflop",
            (CHECK, *multiples("play", "ante", 3), *multiples("play", "ante", 4, when=has_high_cards)),
            sample=raises_high,
            left="check",
            label="Before the flop",
        ),
        Reveal("board", (0, 1, 2), "Flop"),
        Decide("flop", (CHECK, *multiples("play", "ante", 2)), sample=always_checks, left="check", unless=("play",)),
        Reveal("board", (3, 4), "Turn and river"),
        Decide(
            "river",
            (Choice("fold", folds=True), *multiples("play", "ante", 1)),
            sample=plays_fair,
            left="fold",
            unless=("play",),
        ),
    ),
    base=("ante", "play"),
    wagers=(
        Wager("ante", "Ante", "required", returned),
        Wager("play", "Play", "follows", returned),
    ),
    outcome="ante",
    families=(KEY,),
    schemas=(),
    reconcile=("play", "ante"),
    rule_card=(RuleSection("The game", (RuleLine("The higher sum of seven ranks wins.", ("T-1",)),)),),
    example_hands={"Two aces": "As Ah"},
)

TABLES = f"""
[[tables]]
id = "V-SUM"
game = "{KEY}"
console = "touch"
spots = 6
kind = "virtual"
limits.ante = {{ min = "5.00", max = "100.00" }}
limits.play = {{ min = "5.00", max = "400.00" }}

[[tables]]
id = "SUM-1"
game = "{KEY}"
console = "touch"
spots = 6
kind = "cards"
limits.ante = {{ min = "5.00", max = "100.00" }}
limits.play = {{ min = "5.00", max = "400.00" }}
"""
SHUFFLER = """
[[equipment]]
id = "shuffler-of-sum-1"
kind = "i-deal-plus"
version = "NXP 1.0.114"
tables = ["SUM-1"]
"""
APPROVAL = f"""
[[approvals]]
game = "{KEY}"
demonstration = true
submission = 3119
rules = [2023-05-05, 2023-06-05]
items.game = {{ date = 2023-06-14, reference = "DEMONSTRATION: no such file" }}
items.controls_submitted = {{ date = 2023-07-03, reference = "DEMONSTRATION: no such file" }}
items.controls_approved = {{ date = 2023-08-01, reference = "DEMONSTRATION: no such file" }}
items.makers_licensed = {{ date = 2023-06-14, reference = "DEMONSTRATION: no such file", sold = 2023-09-01 }}
"""


def board_floor() -> str:
    """The example floor with a virtual and a physical table of the game."""
    example = example_floor()
    place = example.index("[[tables]]")
    return example[:place] + TABLES.lstrip() + "\n" + example[place:] + SHUFFLER + APPROVAL


@pytest.fixture
def board_game(monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    """The game, installed in this process while the test runs."""
    caches = (games.all_schemas, games.approved_book)
    monkeypatch.setitem(all_games(), KEY, GAME)
    for cached in caches:
        cached.cache_clear()
    yield GAME
    monkeypatch.undo()
    for cached in caches:
        cached.cache_clear()
