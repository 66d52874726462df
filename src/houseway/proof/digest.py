"""Digests of what a count comes from: of one game, so that its change discards its figures and no other's.

A game's digest covers the module of its declaration and every module that it imports, its pay tables, the kernel that
counts it and the core of the solver. A third party's package is covered in the same way as Houseway's own modules.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib.machinery import ModuleSpec
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from houseway.games import ENTRY_POINTS as GAMES
from houseway.games.model import Derived, Game, Hand
from houseway.paytables import approved_files

FORMAT: Final = 2
"""Of what is kept under a digest."""

CORE: Final = tuple(
    f"houseway.proof.{name}" for name in ("bench", "cardsets", "distribution", "leaves", "sides", "solution")
)
"""The modules that have a part in every count."""

NOT_CORE: Final = tuple(
    f"houseway.proof.{name}"
    for name in (
        *(
            "advise",
            "collect",
            "digest",
            "figure",
            "par",
            "printed",
            "progressive",
            "published",
            "solver",
            "store",
            "strategy",
        ),
        *("cover_all", "keep", "kernels"),
    )
)
"""What words, compares and keeps counts, or chooses who counts, and what counts for some games alone."""

IMPORT: Final = re.compile(r"^\s*(?:from\s+([\w.]+)\s+import\s+(\([^)]*\)|[^\n]+)|import\s+([\w.]+))", re.MULTILINE)
FAMILY: Final = re.compile(r'^game\s*=\s*"([^"]+)"', re.MULTILINE)


@cache
def game_digest(game: Game) -> str | None:
    """The digest of everything that the figures of a game come from; None for one that no module holds."""
    home = module_of(game)
    if home is None:
        return None
    from houseway.proof.solver import kernel_modules

    digest = hashlib.sha256(f"{FORMAT}\n{game.key}\n".encode())
    sources = _sources((home, *_modules_of_rules(game)), rooms=("houseway.proof",))
    sources |= _sources((*CORE, *kernel_modules(game)), rooms=NOT_CORE)
    for name, content in (*sorted(sources.items()), *_table_files(game)):
        digest.update(f"{name}\n{len(content)}\n".encode() + content)
    return digest.hexdigest()


def digest_of_functions(functions: Iterable[Callable[..., Any]]) -> str:
    """The digest of the modules that functions are written in, and of everything that these import."""
    digest = hashlib.sha256()
    for name, content in sorted(_sources({function.__module__ for function in functions}).items()):
        digest.update(f"{name}\n{len(content)}\n".encode() + content)
    return digest.hexdigest()


def module_of(game: Game) -> str | None:
    """The module that holds a declaration: that of its entry point, or the first that has it."""
    for entry in entry_points(group=GAMES, name=game.key):
        module = sys.modules.get(entry.module)
        if module is not None and any(value is game for value in vars(module).values()):
            return entry.module
    for name, module in sorted(sys.modules.items()):
        if module is not None and name != "__main__" and any(value is game for value in vars(module).values()):
            return name
    return None


def _modules_of_rules(game: Game) -> Iterator[str]:
    for wager in game.wagers:
        if wager.pays is not None:
            yield wager.pays.__module__
    for value in game.values:
        if isinstance(value, Hand):
            yield value.ranking.compiled.__module__
        elif isinstance(value, Derived):
            yield value.rule.__module__


def _table_files(game: Game) -> Iterator[tuple[str, bytes]]:
    for resource in (*approved_files(), *game.table_files):
        content = resource.read_bytes()
        if set(FAMILY.findall(content.decode("utf-8"))) & set(game.families):
            yield resource.name, content


# ------------------------------------------------------------------------------------------------ sources


def _sources(roots: Iterable[str], rooms: Sequence[str] = ()) -> dict[str, bytes]:
    """By module: the source of the roots and of everything that they import of Houseway and of their own packages.

    What is imported of these rooms is left out.
    """
    sources: dict[str, bytes] = {}
    packages = {"houseway"}
    waiting = []
    for root in roots:
        packages.add(root.partition(".")[0])
        waiting.append(root)
    while waiting:
        name = waiting.pop()
        if name in sources:
            continue
        sources[name] = _content(name)
        waiting += [
            other
            for other in imported_by(name)
            if other not in sources and other.partition(".")[0] in packages and not _is_in(other, rooms)
        ]
    return sources


def _is_in(module: str, rooms: Sequence[str]) -> bool:
    return any(module == room or module.startswith(f"{room}.") for room in rooms)


@cache
def _content(name: str) -> bytes:
    spec = _spec(name)
    return Path(spec.origin).read_bytes() if spec is not None and spec.origin and spec.has_location else b""


@cache
def imported_by(name: str) -> Sequence[str]:
    """The modules of Houseway and of its own package that a module imports, packages and their parts alike."""
    module_names: dict[str, None] = {}
    near = ("houseway", name.partition(".")[0])
    for source, names, whole in IMPORT.findall(_content(name).decode("utf-8", "replace")):
        if (source or whole).partition(".")[0] not in near:
            continue
        module_names[source or whole] = None
        for part in re.findall(r"(\w+)(?:\s+as\s+\w+)?", names):
            if _is_part(source, part):
                module_names[f"{source}.{part}"] = None
    return tuple(module_names)


def _is_part(package: str, name: str) -> bool:
    spec = _spec(package)
    folders = spec.submodule_search_locations if spec is not None else None
    return any(
        (Path(folder) / f"{name}.py").exists() or (Path(folder) / name / "__init__.py").exists()
        for folder in folders or ()
    )


@cache
def _spec(name: str) -> ModuleSpec | None:
    try:
        return find_spec(name)
    except (ImportError, ValueError):
        return None
