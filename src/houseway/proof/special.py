"""Solvers of their own: what a declaration names as its ``solver`` is an entry point of the group ``houseway.solvers``.

Such a solver counts the base game and advises on it; side wagers, the progressive, figures, strategies and par sheets
come from the declaration as for every game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, NamedTuple, Protocol

from houseway.cards import Card
from houseway.games.model import Game
from houseway.proof.compiled import Progress
from houseway.proof.distribution import Distribution
from houseway.proof.figure import Counted, Play
from houseway.refusal import Refusal

ENTRY_POINTS: Final = "houseway.solvers"


class Advised(NamedTuple):
    """One choice with a hand and what it is worth."""

    what: str
    value: Any
    notes: tuple[str, ...] = ()


class SettingThumb(NamedTuple):
    """A rule of thumb by which hands are set and the optional wager is made: low card and high hand at least so good.

    A setting fits where it meets one of the lines; of those that fit the highest low card is set, then the better high
    hand, and the house way where none fits.
    """

    label: str
    """Beside which way to play it is priced."""
    setting: tuple[tuple[int, int], ...] = ()
    extra: tuple[tuple[int, int], ...] = ()


class SpecialSolver(Protocol):
    """What such a solver can do."""

    labels: Sequence[str]
    """The ways to play that have a figure of the base game, as figures name them."""
    best: str
    """The label of the best way to play."""
    house_way: str
    """The label of hands set by the house way and nothing else."""

    def solved(self, game: Game, told: Progress) -> Any:
        """The base game, whole; asked once for all labels."""

    def played(self, solved: Any, label: str) -> tuple[Distribution, Play]:
        """What one way to play comes to."""

    def settings(self, solved: Any, label: str) -> tuple[Any, Any, Any]:
        """Every class of hands as bits by card, the place of its low card, and whether it makes the optional wager."""

    def setting_thumbs(self) -> Mapping[str, SettingThumb]:
        """The rules of thumb, by their words."""

    def words(self, counted: Counted, play: Play) -> str:
        """The way to play in words."""

    def advise(self, game: Game, cards: Sequence[Card], options: Mapping[str, Any]) -> Sequence[Advised]:
        """Every choice with a hand."""


@cache
def _entry(name: str) -> EntryPoint | None:
    return next(iter(entry_points(group=ENTRY_POINTS, name=name)), None)


@cache
def special_solver(game: Game) -> SpecialSolver:
    """The solver that a declaration names."""
    entry = _entry(game.solver)
    if entry is None:
        raise Refusal("game", f"{game.key} names the solver {game.solver!r}, which no package brings")
    solver: SpecialSolver = entry.load()
    return solver


def special_modules(game: Game) -> tuple[str, ...]:
    """The module that the solver of a game is in."""
    entry = _entry(game.solver)
    return (entry.module,) if entry is not None else ()
