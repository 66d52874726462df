"""The games that the two approval letters name, and what we have of each: its rules, or its name only (FL-11)."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class NamedGame:
    """A game as a letter names it."""

    number: int
    name: str
    rules: tuple[str, ...]
    """The rule sets here that describe it; empty when we have its name only."""

    @property
    def status(self) -> str:
        return "described" if self.rules else "name only"


@dataclass(frozen=True, slots=True)
class Letter:
    """One approval letter."""

    number: int
    date: str
    games: tuple[NamedGame, ...]


@cache
def letters() -> tuple[Letter, ...]:
    """Both letters, the newer first."""
    data = tomllib.loads(files("houseway.games").joinpath("letters.toml").read_text("utf-8"))
    described: dict[str, list[str]] = data["described"]
    return tuple(
        Letter(
            letter["number"],
            letter["date"],
            tuple(
                NamedGame(number, name, tuple(described.get(name, ())))
                for number, name in enumerate(letter["games"], start=1)
            ),
        )
        for letter in data["letter"]
    )
