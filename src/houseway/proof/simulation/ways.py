"""Ways to play, as the loops ask for them: the best one, the house way, the declared simple way, and rules of thumb.

A rule of thumb is a rule of the declaration and is called as it stands. The best decisions come from the exact solvers,
hand by hand, and become look-ups: by the value of the hand where that decides, else by class of cards. Rules of thumb
are named by the words that ``houseway strategy`` prints, or any part of them that fits only one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from houseway.games import Game, all_games
from houseway.paytables import PayTable
from houseway.proof.collect import Question, count, implied_by, is_counted, label_of
from houseway.proof.compiled import Progress
from houseway.proof.distribution import Distribution
from houseway.proof.figure import Counted
from houseway.proof.simulation.decisions import COLUMNS, LOOK
from houseway.proof.simulation.declared import BASE, SIMPLE
from houseway.proof.simulation.kernels import loop
from houseway.proof.simulation.search import bits_of, class_key, column_of, hashed, ranks_key
from houseway.proof.solver import prices
from houseway.refusal import Refusal

Ints: TypeAlias = npt.NDArray[np.int64]
Bytes: TypeAlias = npt.NDArray[np.uint8]

BEST: Final = "best"
HOUSE_WAY: Final = "house-way"
NEVER: Final = 1 << 40
"""Above the value of any hand."""
MOST_VALUES: Final = 1 << 16
"""A choice by value is looked up where values are lower than this."""


@dataclass(frozen=True, slots=True)
class PointWay:
    """How one decision is made: by a rule of the declaration, or by the value of the hand and look-ups."""

    rule: int = -1
    """The place of the rule among those of the point; -1 for none."""
    limits: tuple[int, int, int, int] = (0, LOOK, NEVER, LOOK)
    """Below which value the choice is which, and from which value on."""
    by_value: Bytes | None = None
    """Between the limits, the choice by value; 255 where the value does not decide."""
    classes: Ints | None = None
    """The row of ``choices`` for a class of cards, hashed."""
    choices: Bytes | None = None
    """By row, and by the dealer's up card where one is seen: the choice. Row 0 is for cards that are not known."""

    def tables(self) -> tuple[Bytes, Ints, Bytes]:
        """The look-ups, empty where there are none."""
        return (
            np.zeros(0, np.uint8) if self.by_value is None else self.by_value,
            hashed(np.zeros(0, np.int64), np.zeros(0, np.int64)) if self.classes is None else self.classes,
            np.full((1, 64), LOOK, np.uint8) if self.choices is None else self.choices,
        )

    def numbers(self) -> tuple[int, ...]:
        """The limits, and the size of the classes, as ``decide`` takes them."""
        return (*self.limits, bits_of(self.tables()[1]))


@dataclass(frozen=True, slots=True)
class Way:
    """A way to play one game: its name, what it costs by count, and how each decision is made."""

    name: str
    edge: Fraction | None = None
    """The exact house edge of the base game played so, where it is known."""
    distribution: Distribution | None = None
    """Every result of the base game played so, where it was counted."""
    points: tuple[PointWay, ...] = ()
    """By decision point."""
    settings: str = ""
    """Where hands are set: the name of the table of every hand that is played by; empty where there is none."""
    setting_lines: tuple[tuple[int, int], ...] = ()
    """Where hands are set by a rule of thumb: low card and high hand that a setting must at least have."""
    extra_lines: tuple[tuple[int, int], ...] = ()
    """The same for making the optional wager."""


def way_to_play(
    game: Game,
    name: str,
    tables: Mapping[str, PayTable],
    options: Mapping[str, Any],
    progress: Progress | None = None,
) -> Way:
    """The way of that name, by the pay tables and the options that bear on the base game."""
    from houseway.proof.simulation import solved

    request = Asked(game, name, tables, options, progress)
    if not game.base:
        return Way(name)
    if name == SIMPLE and not game.splits:
        return Way(SIMPLE, points=tuple(PointWay(rule=0) for _ in game.points))
    if game.splits:
        return solved.way_to_set(request)
    if name == HOUSE_WAY:
        having = ", ".join(other.key for other in all_games().values() if other.splits)
        raise Refusal("strategy", f"only {having} has a house way; choose best or a rule of thumb")
    if name == BEST:
        return request.with_figure(Way(BEST, points=solved.best_points(request)))
    words = request.thumb(thumb.words for thumb in game.thumbs)
    thumb = next(thumb for thumb in game.thumbs if thumb.words == words)
    if thumb.blind_to:
        return request.with_figure(Way(words, points=solved.blind_points(request, thumb)))
    rules = [
        [rule for rule in (point.sample, *(other.rules.get(point.key) for other in game.thumbs)) if rule is not None]
        for point in game.points
    ]
    points = tuple(
        PointWay(rule=known.index(thumb.rules[point.key]) if point.key in thumb.rules else 0)
        for point, known in zip(game.points, rules, strict=True)
    )
    way = Way(words, points=points)
    return request.with_figure(way) if prices(game, thumb) else way


@dataclass(frozen=True, slots=True)
class Asked:
    """What a way to play is made for."""

    game: Game
    name: str
    tables: Mapping[str, PayTable]
    options: Mapping[str, Any]
    """Both those that bear on the base game."""
    progress: Progress | None

    def counted(self, label: str = "") -> Counted | None:
        """What was counted of the base game, shipped or kept or counted now; None where no solver counts it."""
        if not is_counted(self.game):
            return None
        table = self.tables.get(self.game.base_table)
        named = label or (table.id if table is not None else label_of(self.game, BASE, self.options))
        options = tuple(self.options.items())
        implied = implied_by(self.game, BASE, self.options)
        return count([Question(self.game, BASE, named, table, options, implied)], progress=self.progress)[0]

    def with_figure(self, way: Way) -> Way:
        """A way with its exact edge, and for the best way every result."""
        counted = self.counted()
        if counted is None:
            return way
        if way.name != BEST:
            return replace(way, edge=counted.play.thumbs.get(way.name) if counted.play else None)
        distribution = counted.distribution
        return replace(way, edge=distribution.house_edge if distribution else None, distribution=distribution)

    def thumb(self, known: Iterable[str]) -> str:
        """The rule of thumb that is meant."""
        words = list(known)
        if self.name in words:
            return self.name
        fitting = [sentence for sentence in words if self.name.lower() in sentence.lower()]
        if len(fitting) == 1:
            return fitting[0]
        problem = "fits more than one" if fitting else "is not known"
        others = HOUSE_WAY if self.game.splits else SIMPLE
        raise Refusal(
            "strategy", f"{self.name[:60]!r} {problem}; there are {', '.join([BEST, others, '; '.join(words)])}"
        )


# ------------------------------------------------------------------------------------------------ look-ups


def point_way(keys: Ints, values: Ints | None, choices: Bytes) -> PointWay:
    """Look-ups from every class of cards: its key, its value where one is seen, and the choice by up card.

    A choice of 255 is one for cards that cannot be.
    """
    most = np.where(choices == LOOK, 0, choices).max(axis=1)
    alike = ((choices == most[:, None]) | (choices == LOOK)).all(axis=1)
    if values is None:
        return PointWay(classes=_rows(keys), choices=_with_unknown(choices))
    known, place = np.unique(values, return_inverse=True)
    least_choice = np.full(len(known), LOOK, np.int64)
    most_choice = np.full(len(known), -1, np.int64)
    np.minimum.at(least_choice, place, np.where(alike, most, 0))
    np.maximum.at(most_choice, place, np.where(alike, most, LOOK))
    decided = np.where(least_choice == most_choice, most_choice, LOOK).astype(np.uint8)
    first, last = decided[0], decided[-1]
    low = int(np.argmin(decided == first)) if (decided != first).any() else len(known)
    low = 0 if first == LOOK else low
    high = len(known) - int(np.argmin((decided == last)[::-1])) if (decided != last).any() else 0
    high = len(known) if last == LOOK else max(high, low)
    below = int(known[low]) if low < len(known) else NEVER
    above = int(known[high]) if high < len(known) else NEVER
    between = (known >= below) & (known < above)
    by_value = None
    if known[-1] < MOST_VALUES and (decided[between] != LOOK).any():
        by_value = np.full(int(known[-1]) + 1, LOOK, np.uint8)
        by_value[known[between]] = decided[between]
        between &= decided == LOOK
    look = between[place]
    return PointWay(
        limits=(below, int(first), above, int(last)),
        by_value=by_value,
        classes=_rows(keys[look]),
        choices=_with_unknown(choices[look]),
    )


def _rows(keys: Ints) -> Ints:
    if len(np.unique(keys)) != len(keys):
        raise ValueError("two classes of cards have one key")
    return hashed(keys, np.arange(1, len(keys) + 1, dtype=np.int64))


def _with_unknown(choices: Bytes) -> Bytes:
    return np.vstack([np.full((1, choices.shape[1]), LOOK, np.uint8), choices]).astype(np.uint8)


def keyed(own: Any, board: Any, deck: Any, possible: Any, best: Any, *, ups: bool, by_rank: bool) -> tuple[Ints, Bytes]:
    """Keys of classes by the cards that stand for them, and their choices by up card as ``column_of`` names it."""
    cards = np.ascontiguousarray(own, np.int64)
    shown = np.ascontiguousarray(board, np.int64).reshape(len(cards), -1)
    keys = np.zeros(len(cards), np.int64)
    chosen = np.where(possible, best, LOOK).astype(np.uint8)
    choices = np.full((len(cards), COLUMNS if ups else 1), LOOK, np.uint8)
    _key(cards, shown, np.ascontiguousarray(deck, np.int64), chosen, int(ups), int(by_rank), keys, choices)
    return keys, choices


@loop()
def _key(own: Any, board: Any, deck: Any, chosen: Any, ups: Any, by_rank: Any, keys: Any, choices: Any) -> None:
    for hand in range(len(own)):
        mine = np.int64(0)
        for place in range(own.shape[1]):
            mine += ranks_key(own[hand, place]) if by_rank == 1 else np.int64(1) << own[hand, place]
        shown = np.int64(0)
        for place in range(board.shape[1]):
            shown += ranks_key(board[hand, place]) if by_rank == 1 else np.int64(1) << board[hand, place]
        keys[hand] = class_key(mine, shown, by_rank)
        for up in range(chosen.shape[1]):
            column = column_of(mine, shown, deck[up], by_rank) if ups == 1 else up
            if chosen[hand, up] != LOOK:
                choices[hand, column] = chosen[hand, up]


def save(file: Path, write: Callable[[Any], None]) -> None:
    """Written under another name first: a file that is there is whole."""
    with NamedTemporaryFile(dir=file.parent, suffix=file.suffix, delete=False) as unfinished:
        write(unfinished)
    Path(unfinished.name).replace(file)
