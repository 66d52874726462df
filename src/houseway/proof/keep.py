"""Leaves are kept: in this process, and in the cache folder under the digest of their game.

On the disk every array is a file of its own that is mapped, not read: advice on one hand touches a few pages of it.
What is too large to be kept is held while the questions of one game are counted.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
import threading
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np

from houseway.cards import Card
from houseway.games.model import Game
from houseway.proof.compiled import cache_root
from houseway.proof.digest import game_digest
from houseway.proof.leaves import Leaves

PLAIN: Final = ("deck", "by_rank", "suits", "cases", "columns")
"""The fields that are no arrays."""

Count = TypeVar("Count")

_kept: dict[tuple[str, str], Leaves] = {}
_held = threading.local()


@contextmanager
def holding() -> Iterator[None]:
    """Hold what this thread counts until the end, so that several pay tables and options are priced from it."""
    before = getattr(_held, "counts", None)
    _held.counts = {}
    try:
        yield
    finally:
        _held.counts = before


def hold(key: Hashable, count: Callable[[], Count]) -> Count:
    """What is held under a key; counted now where nothing is."""
    counts = getattr(_held, "counts", None)
    if counts is None:
        return count()
    if key not in counts:
        counts[key] = count()
    known: Count = counts[key]
    return known


def kept_leaves(
    game: Game,
    deck: tuple[Card, ...],
    options: Mapping[str, int],
    count: Callable[[], Leaves] | None,
    *,
    fresh: bool = False,
) -> Leaves | None:
    """What was counted before, or what ``count`` counts now; None where nothing is kept and nothing may be counted.

    With ``fresh`` it is counted now whatever is kept.
    """
    digest = game_digest(game)
    name = _name(deck, options)
    if digest is None:
        return count() if count is not None else None
    known = None if fresh else _kept.get((digest, name)) or _load(digest, name)
    if known is None and count is not None:
        known = count()
        _save(digest, name, known)
    if known is not None:
        _kept[digest, name] = known
    return known


def replace_leaves(game: Game, deck: tuple[Card, ...], options: Mapping[str, int], leaves: Leaves) -> None:
    """Keep other leaves in place of those that were kept."""
    digest = game_digest(game)
    if digest is not None:
        name = _name(deck, options)
        _kept[digest, name] = leaves
        _save(digest, name, leaves)


def forget() -> None:
    """Let go of what this process keeps; what is on the disk stays."""
    _kept.clear()


def _name(deck: tuple[Card, ...], options: Mapping[str, int]) -> str:
    text = json.dumps([list(map(int, deck)), sorted(options.items())])
    return f"leaves-{hashlib.sha256(text.encode()).hexdigest()[:24]}"


def _folder(digest: str) -> Path | None:
    root = cache_root()
    return None if root is None else root / "games" / digest


def _load(digest: str, name: str) -> Leaves | None:
    folder = _folder(digest)
    if folder is None:
        return None
    try:
        plain = json.loads((folder / name / "plain.json").read_text("utf-8"))
        arrays = {
            field.name: np.load(folder / name / f"{field.name}.npy", mmap_mode="r")
            for field in fields(Leaves)
            if field.name not in PLAIN
        }
        return Leaves(
            **arrays,
            deck=tuple(Card(card) for card in plain["deck"]),
            by_rank=bool(plain["by_rank"]),
            suits=tuple(tuple(group) for group in plain["suits"]),
            cases=int(plain["cases"]),
            columns=int(plain["columns"]),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _save(digest: str, name: str, leaves: Leaves) -> None:
    """Written under another name first: a folder that is there is whole. A full disk loses only the cache."""
    folder = _folder(digest)
    if folder is None:
        return
    part: str | None = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        part = tempfile.mkdtemp(dir=folder, suffix=".part")
        for field in fields(Leaves):
            if field.name not in PLAIN:
                np.save(Path(part) / f"{field.name}.npy", getattr(leaves, field.name))
        plain: dict[str, Any] = {name: getattr(leaves, name) for name in PLAIN}
        (Path(part) / "plain.json").write_text(json.dumps(plain), "utf-8")
        shutil.rmtree(folder / name, ignore_errors=True)
        Path(part).replace(folder / name)
    except OSError:
        if part is not None:
            shutil.rmtree(part, ignore_errors=True)
