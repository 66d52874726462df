"""The rulebooks, one module a game. Games are found through entry points, so that another package can bring its own."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from houseway.games.check import DeclarationError
from houseway.games.model import Game
from houseway.paytables import Book, Schema, approved_files, load_approved
from houseway.refusal import Refusal

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS = "houseway.games"


@cache
def all_games() -> dict[str, Game]:
    """Every installed game by key, Houseway's own first. A package whose game cannot be used is refused by name."""
    from importlib.metadata import entry_points

    games: dict[str, Game] = {}
    for entry in sorted(
        entry_points(group=ENTRY_POINTS),
        key=lambda point: (not point.value.startswith("houseway."), point.name),
    ):
        game = _load(entry)
        games.setdefault(game.key, game)
    return games


def _load(entry: EntryPoint) -> Game:
    """The game of an entry point. Whatever a package raises while it is imported becomes one sentence."""
    where = f"entry point {entry.name} = {entry.value} of {ENTRY_POINTS}"
    try:
        game = entry.load()
    except (Exception, SystemExit) as error:
        said = " ".join(str(error).split())
        if not isinstance(error, DeclarationError):
            said = f"{type(error).__name__}: {said}" if said else type(error).__name__
        raise Refusal(where, f"cannot be loaded: {said}") from error
    if not isinstance(game, Game):
        raise Refusal(where, f"must be a Game, and is a {type(game).__name__}")
    if game.key != entry.name:
        raise Refusal(where, f"must have the key of its game, {game.key}, as its name")
    return game


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
