"""What was counted is kept: beside the program for the approved tables, and in the user's cache for the rest.

The counts of a game belong to one digest of its rules, rankings, pay tables and kernel. With any other digest they are
as if they were not there: the answer is then *not computed*, never an old figure, and the other games' counts stay.
Figures are made from counts when they are read, so the digest leaves out the modules that only word and compare them.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from houseway.proof import compiled
from houseway.proof.figure import Counted, Figure

if TYPE_CHECKING:
    from houseway.proof.collect import Question

FORMAT: Final = 2
SHIPPED: Final = Path(__file__).with_name("approved_figures.json")
Key = tuple[str, str, str]


def approved_figures() -> tuple[Figure, ...] | None:
    """The figures of every approved table, from the shipped file and without numba; None means *not computed*.

    A game whose rules, tables or kernel are not those of the file has none; the others have theirs.
    """
    from houseway.games import all_games, approved_book
    from houseway.proof.collect import Request, questions_about, setup_of
    from houseway.proof.printed import figure_of

    counts = shipped() or {}
    request = Request(approved_book())
    counted = {game for game, _, _ in counts}
    asked_by_game = [list(questions_about(game, request)) for key, game in all_games().items() if key in counted]
    whole = [questions for questions in asked_by_game if all(_key(question) in counts for question in questions)]
    if not whole:
        return None
    return tuple(
        figure_of(counts[_key(question)], question.paytable, setup_of(question, request))
        for questions in whole
        for question in questions
    )


@cache
def shipped(file: Path = SHIPPED) -> Mapping[Key, Counted] | None:
    """What the shipped file holds of games that are as they were then; None where there is nothing, or no file."""
    from houseway.games import find_game
    from houseway.proof.digest import game_digest

    try:
        data = json.loads(file.read_text("utf-8"))
        if data["format"] != FORMAT:
            return None
        same = {
            key
            for key, digest in data["digests"].items()
            if (game := find_game(key)) is not None and game_digest(game) == digest
        }
        counts = [Counted.from_json(item) for item in data["counts"] if item["game"] in same]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return {(count.game, count.wager, count.table): count for count in counts} or None


def shipped_text(counts: Iterable[Counted]) -> str:
    """The shipped file: one count a line, so that a change shows which it is."""
    from houseway.games import all_games
    from houseway.proof.digest import game_digest

    saved = list(counts)
    digests = {key: game_digest(all_games()[key]) for key in dict.fromkeys(count.game for count in saved)}
    lines = ",\n".join(json.dumps(count.to_json(), ensure_ascii=False) for count in saved)
    return f'{{"format": {FORMAT}, "digests": {json.dumps(digests)}, "counts": [\n{lines}\n]}}\n'


class Store:
    """Counts of the shipped file and of the cache; without a cache folder nothing is kept, and nothing breaks."""

    def __init__(self) -> None:
        self._shipped = shipped() or {}

    def find(self, question: Question) -> Counted | None:
        """What was counted for the question before."""
        if (
            question.approved
            and question.options == question.implied
            and (known := self._shipped.get(_key(question))) is not None
        ):
            return known
        return self._any_progressive(question) if question.wager == "progressive" else self._cached(question)

    def save(self, question: Question, counted: Counted) -> None:
        """Keep a count; it replaces the one before whole or not at all."""
        file = self._file(question)
        if file is None:
            return
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=file.parent, suffix=".part")
            with os.fdopen(handle, "w", encoding="utf-8") as part:
                json.dump(counted.to_json(), part, ensure_ascii=False)
            Path(name).replace(file)
        except OSError:
            return

    def _any_progressive(self, question: Question) -> Counted | None:
        """The hands of a progressive are those of its game, whatever the table pays for them."""
        for (game, wager, _), counted in self._shipped.items():
            if (game, wager) == (question.game.key, question.wager):
                return replace(counted, table=question.label)
        count = self._cached(question)
        return None if count is None else replace(count, table=question.label)

    def _cached(self, question: Question) -> Counted | None:
        file = self._file(question)
        try:
            return None if file is None else Counted.from_json(json.loads(file.read_text("utf-8")))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _file(self, question: Question) -> Path | None:
        from houseway.proof.digest import game_digest

        root, digest = compiled.cache_root(), game_digest(question.game)
        if root is None or digest is None:
            return None
        progressive = question.wager == "progressive"
        parts: list[Any] = [question.game.key, question.wager, "" if progressive else question.label]
        depends = json.dumps([*parts, question.rows, question.options])
        name = f"{question.wager}-{hashlib.sha256(depends.encode()).hexdigest()[:24]}.json"
        return root / "games" / digest / "counts" / name


def _key(question: Question) -> Key:
    return question.game.key, question.wager, question.label
