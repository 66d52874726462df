"""Compiled loops of a simulation, and what else is kept of it, under a digest of its own.

The digest of a count leaves the simulation out: no figure comes from it. But a loop is compiled around parts that lie
in several modules here, and numba's own cache looks only at the file of the loop; and a worker that deals or counts in
another way must not add to a result. So there is a digest of rules, tables, solvers and the simulation's own sources.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

from houseway.proof.compiled import Kernel, cache_folder, register_rules, rules_digest

HERE: Final = Path(__file__).parent


def digest_of(folder: Path) -> str:
    """The digest of the rules and of the simulation's sources in a folder, as they stand on the disk now."""
    digest = hashlib.sha256(rules_digest().encode())
    for file in sorted(folder.glob("*.py")):
        content = file.read_bytes()
        digest.update(f"{file.name}\n{len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


@cache
def simulation_digest() -> str:
    """The digest of what this process simulates with."""
    return digest_of(HERE)


def kept_folder() -> Path | None:
    """Where whatever was made from these sources may be kept; None where nothing can be written."""
    folder = cache_folder()
    if folder is None:
        return None
    place = folder / f"simulation-{simulation_digest()[:32]}"
    place.mkdir(exist_ok=True)
    return place


class Loop(Kernel):
    """A kernel whose compiled code is kept under the simulation's digest."""

    def _compiled(self) -> Any:
        import numba

        register_rules()
        config: Any = numba.config
        folder = kept_folder()
        options = {"nogil": True, "cache": folder is not None, **self._options}
        before = config.CACHE_DIR
        try:
            config.CACHE_DIR = str(folder / "compiled") if folder else before
            return numba.njit(**options)(self._function)
        finally:
            config.CACHE_DIR = before


def loop(**options: Any) -> Callable[[Callable[..., Any]], Loop]:
    """Make a loop of a function; ``options`` go to ``numba.njit``."""

    def made(function: Callable[..., Any]) -> Loop:
        return Loop(function, options)

    return made
