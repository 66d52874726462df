"""The games that the two approval letters name, and what we have of each: its rules, or its name only (FL-11)."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


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


@dataclass(frozen=True, slots=True)
class Document:
    """A document with rules."""

    number: str
    rules: tuple[str, ...]
    """The rule sets here that it describes."""
    letter: int
    """The letter that it carries; 0 where it carries none."""


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(files("houseway.games").joinpath("letters.toml").read_text("utf-8"))


@cache
def documents() -> tuple[Document, ...]:
    """The documents, by number."""
    return tuple(Document(raw["number"], tuple(raw["rules"]), raw.get("letter", 0)) for raw in _data()["document"])


def documents_of(game: str, letter: int = 0) -> tuple[Document, ...]:
    """The documents that describe a game; where ``letter`` approved one of them, only that one."""
    describing = tuple(document for document in documents() if game in document.rules)
    approved = tuple(document for document in describing if letter and document.letter == letter)
    return approved or describing


@cache
def letters() -> tuple[Letter, ...]:
    """Both letters, the newer first."""
    data = _data()
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
