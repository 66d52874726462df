"""A game is known through its declaration alone: nothing outside ``games/`` imports one, or holds its key."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from houseway.games import all_games

PACKAGE = Path(__file__).parents[2] / "src" / "houseway"
GAMES = {key: key.replace("-", "_") for key in all_games()}
KEY = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, GAMES))})(?![\w-])")
MAY_NAME = {
    "games/": "the declarations themselves, and the letters that list them",
    "paytables/data/": "pay tables, by family",
    "proof/approved_figures.json": "the figures that ship",
    "proof/six_card_pai_gow.py": "a special solver, named by its declaration",
    "proof/pai_gow_hands.py": "its hands",
    "proof/pai_gow_solver.py": "its door",
    "manager/example_floor.toml": "an example for people",
    "manager/demonstration_floor.toml": "what a demonstration has beside it",
    "commands/load_floor.toml": "the floor of `houseway load`: data",
}
"""Files, or folders, that may name a game, and why. Nothing is added here without a reason as good."""
EXAMPLE = re.compile(r"such as|for example|write it as")
"""A key in a description or a refusal is an example there, and says so; docstrings are for readers."""


def files(*endings: str) -> list[Path]:
    found = [file for ending in endings for file in PACKAGE.rglob(f"*{ending}")]
    return [file for file in sorted(found) if not str(file.relative_to(PACKAGE)).startswith(tuple(MAY_NAME))]


def keys_in(text: str) -> list[str]:
    return KEY.findall(text)


def test_no_module_imports_a_game_or_holds_its_key() -> None:
    named = [sentence for file in files(".py") for sentence in games_named_in(file)]
    assert not named, "\n".join(named)


def games_named_in(file: Path) -> Iterator[str]:
    """Where a module names a game, in code."""
    tree = ast.parse(file.read_text("utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            modules = [alias.name for alias in node.names]
            if isinstance(node, ast.ImportFrom) and node.module:
                modules = [f"{node.module}.{name}" for name in modules] + [node.module]
            for module in modules:
                if module.startswith(tuple(f"houseway.games.{game}" for game in GAMES.values())):
                    yield f"{file}:{node.lineno}: imports {module}"
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in docstrings:
            continue
        if keys_in(node.value) and not EXAMPLE.search(node.value):
            yield f"{file}:{node.lineno}: {node.value[:80]!r}"


def test_no_page_and_no_text_holds_the_key_of_a_game() -> None:
    named = [
        f"{file}:{number}: {line.strip()[:80]}"
        for file in files(".js", ".html", ".toml")
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1)
        if keys_in(line)
    ]
    assert not named, "\n".join(named)


def test_every_exception_is_needed() -> None:
    """So that the list cannot rot: each of them is there and names a game."""
    for prefix in MAY_NAME:
        below = [PACKAGE / prefix] if (PACKAGE / prefix).is_file() else list((PACKAGE / prefix).rglob("*.*"))
        texts = [file.read_text("utf-8") for file in below if file.suffix in (".py", ".toml", ".json")]
        assert any(keys_in(text) or any(module in text for module in GAMES.values()) for text in texts), prefix
