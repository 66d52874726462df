"""Openings: what choices are worth before any card of a shared board is seen, kept where counting takes long.

Where the dealer shares the board, the first decision depends on every board there is. A whole solution says it once for
every class of own cards, and with it the cuts by which all later decisions are counted in a moment
(`houseway.proof.sight`). Openings belong to the digest of a game, the pay tables and the options. Those of approved
tables are shipped; others are kept in the cache.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from houseway.cards import Card, text_of
from houseway.games.model import Game
from houseway.paytables import PayTable
from houseway.proof.compiled import cache_root
from houseway.proof.digest import game_digest
from houseway.proof.shape import decision_rules, needs_options

if TYPE_CHECKING:
    from houseway.proof.kernels.board_play import BoardSolution

FORMAT: Final = 1
SHIPPED: Final = Path(__file__).with_name("approved_openings.json")

Worths = Mapping[str, Sequence[tuple[str, Fraction]]]
"""By own cards that stand for their class: choices and what they are worth, the best first."""


@dataclass(frozen=True, slots=True)
class Opening:
    """What is kept of a solution."""

    cuts: tuple[int, ...]
    suits: tuple[tuple[int, ...], ...]
    """Groups of suits that may be renamed."""
    worths: Worths

    def advise(self, cards: Sequence[Card]) -> list[tuple[str, Fraction]]:
        """Every open choice with these cards, the best first."""
        return list(self.worths[standing_for(self.suits, cards)])

    def to_json(self) -> dict[str, Any]:
        worths = {
            hand: [[choice, worth.numerator, worth.denominator] for choice, worth in advice]
            for hand, advice in self.worths.items()
        }
        return {"cuts": self.cuts, "suits": self.suits, "worths": worths}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Opening:
        """Anything else than what ``to_json`` writes raises KeyError, TypeError or ValueError."""
        worths = {
            hand: [(str(choice), Fraction(above, below)) for choice, above, below in advice]
            for hand, advice in data["worths"].items()
        }
        return Opening(tuple(data["cuts"]), tuple(tuple(group) for group in data["suits"]), worths)


def standing_for(suits: Sequence[Sequence[int]], cards: Sequence[Card]) -> str:
    """The cards that stand for a class of own cards, as text."""
    from houseway.proof.cardsets import in_class_form

    return text_of(sorted(in_class_form(suits, cards)))


def opening_of(solution: BoardSolution) -> Opening:
    """What is kept of a solution."""
    from itertools import combinations

    from houseway.proof.sight import node_at

    counts = solution.counts
    suits = tuple(tuple(group) for group in counts.suits)
    worths: dict[str, list[tuple[str, Fraction]]] = {}
    first = node_at(solution.game, 0)
    for cards in combinations(solution.deck, solution.game.player_cards) if first is not None else ():
        name = standing_for(suits, cards)
        if name not in worths:
            worths[name] = solution.advise(cards)
    return Opening(tuple(int(value) for value in counts.values[counts.cuts]), suits, worths)


def find_opening(game: Game, tables: Mapping[str, PayTable], options: Mapping[str, Any]) -> Opening | None:
    """The opening that is shipped or kept; None where there is none."""
    digest, name = game_digest(game), name_of(game, tables, options)
    if digest is None:
        return None
    data = shipped_openings().get(f"{digest} {name}") or _read(_file(digest, name))
    try:
        return None if data is None else Opening.from_json(data)
    except (KeyError, TypeError, ValueError):
        return None


def keep_opening(game: Game, tables: Mapping[str, PayTable], options: Mapping[str, Any], opening: Opening) -> None:
    """Keep an opening; it replaces the one before whole or not at all. A full disk loses only the cache."""
    digest = game_digest(game)
    file = None if digest is None else _file(digest, name_of(game, tables, options))
    if file is None:
        return
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, part = tempfile.mkstemp(dir=file.parent, suffix=".part")
        with os.fdopen(handle, "w", encoding="utf-8") as text:
            json.dump(opening.to_json(), text)
        Path(part).replace(file)
    except OSError:
        return


def name_of(game: Game, tables: Mapping[str, PayTable], options: Mapping[str, Any]) -> str:
    """What of tables and options an opening depends on, as a short digest."""
    chosen = {**game.defaults, **options}
    bearing = {*game.bearing["base"], *needs_options(game, decision_rules(game))}
    bearing |= {wager.after_fold for wager in game.wagers if wager.key in game.base and wager.after_fold in chosen}
    rows = {
        key: [[row.hand, [[odds.num, odds.den] for odds in row.odds]] for row in table.rows]
        for key, table in sorted(tables.items())
    }
    text = json.dumps([rows, sorted((name, chosen[name]) for name in bearing)])
    return hashlib.sha256(text.encode()).hexdigest()[:24]


@cache
def shipped_openings(file: Path = SHIPPED) -> Mapping[str, Any]:
    """Openings of the shipped file, by digest and name, as they stand there."""
    data = _read(file)
    return data["openings"] if isinstance(data, dict) and data.get("format") == FORMAT else {}


def shipped_text(openings: Iterable[tuple[str, Mapping[str, Any]]]) -> str:
    """The shipped file: one opening a line."""
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(data)}" for name, data in openings)
    return f'{{"format": {FORMAT}, "openings": {{\n{lines}\n}}}}\n'


def _read(file: Path | None) -> Any:
    try:
        return None if file is None else json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return None


def _file(digest: str, name: str) -> Path | None:
    root = cache_root()
    return None if root is None else root / "games" / digest / "openings" / f"{name}.json"
