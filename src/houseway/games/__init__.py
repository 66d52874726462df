"""The rulebooks, one module a game. Games are found through entry points, so that another package can bring its own."""

from __future__ import annotations

from functools import cache

from houseway.games.model import Game
from houseway.paytables import Book, Schema, approved_files, load_approved

ENTRY_POINTS = "houseway.games"


@cache
def all_games() -> dict[str, Game]:
    """Every installed game by key, Houseway's own first."""
    from importlib.metadata import entry_points

    found: dict[str, Game] = {}
    for entry in sorted(
        entry_points(group=ENTRY_POINTS),
        key=lambda point: (not point.value.startswith("houseway."), point.name),
    ):
        game = entry.load()
        if not isinstance(game, Game) or game.key != entry.name:
            raise RuntimeError(f"entry point {entry.name!r} of {ENTRY_POINTS} must be a Game whose key is its name")
        found.setdefault(game.key, game)
    return found


def find_game(key: str) -> Game | None:
    """The game of that key, or None."""
    return all_games().get(key)


@cache
def all_schemas() -> tuple[Schema, ...]:
    """What the pay tables of every installed game may hold, each once."""
    return tuple(dict.fromkeys(schema for game in all_games().values() for schema in game.schemas))


@cache
def approved_book() -> Book:
    """Every approved pay table of the installed games."""
    own = tuple(resource for game in all_games().values() for resource in game.table_files)
    return load_approved((*approved_files(), *own), all_schemas())


__all__ = ["Game", "all_games", "all_schemas", "approved_book", "find_game"]
