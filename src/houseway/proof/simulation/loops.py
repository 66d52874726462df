"""The compiled loops of a game: its source is written, kept under its digest, imported and compiled at first use."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from tempfile import NamedTemporaryFile
from types import CodeType, FunctionType, ModuleType
from typing import Any

from houseway.games.model import Game
from houseway.proof.simulation.declared import Declared
from houseway.proof.simulation.kernels import Loop, kept_folder, simulation_digest
from houseway.proof.simulation.source import LoopSource
from houseway.rule import hand_to_numba

PASSES = ("appraise", "decide", "settle")
"""The functions of a written module that its loops are made of."""


class GameLoops:
    """The loops of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.declared = Declared(game)
        writer = LoopSource(game)
        self.source = writer.source()
        self.functions = writer.functions
        self.lookups = tuple(writer.lookups.values())
        """What every loop takes last."""

    @cached_property
    def digest(self) -> str:
        """Of the source and of every function of the declaration that it calls, and of what those call."""
        digest = hashlib.sha256(self.source.encode())
        for name, function in sorted(self.functions.items()):
            digest.update(f"\n{name}\n".encode())
            for part in _code_of(function, set()):
                digest.update(part.encode())
        return digest.hexdigest()

    @cached_property
    def file(self) -> Path | None:
        """Where the source is kept; None where nothing can be written."""
        folder = kept_folder()
        if folder is None:
            return None
        file = folder / f"loops_{self.digest[:32]}.py"
        if not file.exists():
            with NamedTemporaryFile("w", dir=folder, suffix=".py", delete=False) as unfinished:
                unfinished.write(self.source)
            Path(unfinished.name).replace(file)
        return file

    @cached_property
    def module(self) -> ModuleType:
        """The source as a module, with the functions of the declaration under the names that it uses."""
        name = f"houseway_loops_{self.digest[:32]}"
        if self.file is None:
            module = ModuleType(name)
            vars(module).update(self.functions)
            exec(compile(self.source, f"<{name}>", "exec"), vars(module))
            return module
        spec = spec_from_file_location(name, self.file)
        if spec is None or spec.loader is None:
            raise ImportError(f"{self.file} cannot be imported")
        module = module_from_spec(spec)
        vars(module).update(self.functions)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        return module

    def _loop(self, name: str) -> Loop:
        parts = [vars(self.module)[f"set_{split.zone}"] for split in self.game.splits]
        parts += [vars(self.module)[part] for part in PASSES]
        hand_to_numba((*self.functions.values(), *parts))
        return Loop(vars(self.module)[name], {"cache": self.file is not None and kept_folder() is not None})

    @cached_property
    def play(self) -> Loop:
        """Random rounds with their books."""
        return self._loop("play")

    @cached_property
    def settle_given(self) -> Loop:
        """Rounds whose cards and actions are given."""
        return self._loop("settle_given")

    @cached_property
    def find_open(self) -> Loop:
        """Which choices are open with given cards."""
        return self._loop("find_open")


def plan_digest(game: Game) -> str:
    """Of everything that a game is played by here: the simulation, and the functions of its declaration."""
    return hashlib.sha256(f"{simulation_digest()} {loops_of(game).digest}".encode()).hexdigest()


@cache
def loops_of(game: Game) -> GameLoops:
    """The loops of a game, written once in a process."""
    return GameLoops(game)


def _code_of(function: Callable[..., Any], visited: set[int]) -> Iterator[str]:
    """What a function does, in words that differ where it differs: its code and constants, and those it calls."""
    if id(function) in visited or not isinstance(function, FunctionType):
        return
    visited.add(id(function))
    yield from _words_of(function.__code__)
    for cell in function.__closure__ or ():
        yield from _value_of(cell.cell_contents, visited)
    for name in function.__code__.co_names:
        if name in function.__globals__:
            yield name
            yield from _value_of(function.__globals__[name], visited)


def _value_of(value: Any, visited: set[int]) -> Iterator[str]:
    if isinstance(value, FunctionType):
        yield from _code_of(value, visited)
    elif isinstance(value, frozenset):
        yield repr(sorted(map(repr, value)))
    elif isinstance(value, int | str | tuple):
        yield repr(value)


def _words_of(code: CodeType) -> Iterator[str]:
    yield code.co_code.hex()
    yield repr(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _words_of(constant)
        else:
            yield repr(sorted(map(repr, constant)) if isinstance(constant, frozenset) else constant)
