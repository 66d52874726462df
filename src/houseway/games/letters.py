"""The games that the two approval letters name, and what we have of each (FL-11).

That is rules from the documents, rules from public sources, or the name only.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

FROM_DOCUMENTS: Final = "rules from the documents"
FROM_PUBLIC_SOURCES: Final = "rules from public sources"
NAME_ONLY: Final = "name only"


@dataclass(frozen=True, slots=True)
class NamedGame:
    """A game as a letter names it."""

    number: int
    name: str
    rules: tuple[str, ...]
    """The rule sets here that describe it; empty when we have its name only."""

    @property
    def status(self) -> str:
        """Where the rules come from that we have of it."""
        if not self.rules:
            return NAME_ONLY
        return FROM_DOCUMENTS if any(documents_of(game) for game in self.rules) else FROM_PUBLIC_SOURCES


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
