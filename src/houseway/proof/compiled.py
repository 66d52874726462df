"""How the rulebook becomes machine code: the same sources, compiled when a count first needs them.

A loop over cases is a *kernel*: a plain function under ``@jit()``, compiled at its first call. What it calls is either
a rule (``houseway.rule``) or, where it is no rule of a game but a piece of counting, a *part* under ``@part``. numba is
imported by the first call of a kernel and not before.

numba freezes the globals of what it compiles, and its own disk cache looks only at the file of the kernel, so a rule
changed in another module would go unnoticed. Compiled code is therefore kept in a folder named by the digest of every
source and table that can bear on a count; a change anywhere means another folder.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, update_wrapper
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

from houseway.rule import RULES, hand_to_numba

Progress: TypeAlias = Callable[[str, float], None]
"""Told what is being counted and how much of it is done, 0 to 1; from any thread."""

Part = TypeVar("Part", bound=Callable[..., Any])
Result = TypeVar("Result")

PACKAGE: Final = Path(__file__).parent.parent
SOURCES: Final = (
    *("rule.py", "cards/**/*.py", "ranking/**/*.py", "paytables/**/*.py", "paytables/**/*.toml"),
    *("games/**/*.py", "proof/**/*.py"),
)
"""What a figure comes from: rules, rankings, pay tables, and the solvers themselves."""
REPORTING: Final = frozenset(
    f"proof/{name}.py" for name in ("__init__", "advise", "figure", "printed", "progressive", "store", "strategy")
)
"""Modules that no count comes from: they word, compare and keep what was counted."""

PLAYED: Final = ("proof/meter_risk/", "proof/par/", "proof/simulation/", "proof/executors.py")
"""Rooms that no count comes from: they start from what was counted."""

CACHE_VARIABLE: Final = "HOUSEWAY_CACHE"

PARTS: list[Callable[..., Any]] = []
"""Every part, in the order its module was imported."""

_lock = threading.RLock()


def digest_of(package: Path) -> str:
    """The digest of the sources in a package folder, as they stand on the disk now."""
    digest = hashlib.sha256()
    files = {path.relative_to(package).as_posix(): path for pattern in SOURCES for path in package.glob(pattern)}
    for name in sorted(name for name in files.keys() - REPORTING if not name.startswith(PLAYED)):
        content = files[name].read_bytes()
        digest.update(f"{name}\n{len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


@cache
def rules_digest() -> str:
    """The digest of what this process counts with: rules, rankings, pay tables and solvers."""
    return digest_of(PACKAGE)


def cache_root() -> Path | None:
    """Where anything is kept; None where nothing can be written.

    It is ``$HOUSEWAY_CACHE``, or where the user's caches are. A folder that cannot be written is no error: everything
    is then counted and compiled afresh.
    """
    folder = cache_folder()
    return None if folder is None else folder.parent


@cache
def cache_folder() -> Path | None:
    """Where what was compiled from this digest's sources is kept; None where nothing can be written."""
    users = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "houseway"
    folder = Path(os.environ.get(CACHE_VARIABLE) or users) / rules_digest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder.resolve()
    except OSError:
        return None


def part(function: Part) -> Part:
    """Mark a function as a piece of counting that kernels call; like a rule it comes back unchanged."""
    PARTS.append(function)
    return function


def register_rules() -> None:
    """Let kernels call every rule and part there is by now."""
    hand_to_numba((*RULES, *PARTS))


class Kernel:
    """A loop over cases, compiled around the rules at its first call and free of the interpreter's lock."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        update_wrapper(self, function)
        self._function = function
        self._options = options
        self._dispatcher: Any = None

    def __call__(self, *arguments: Any) -> Any:
        return self.dispatcher(*arguments)

    @property
    def dispatcher(self) -> Any:
        """What numba made of the function."""
        with _lock:
            if self._dispatcher is None:
                self._dispatcher = self._compiled()
            return self._dispatcher

    def _compiled(self) -> Any:
        try:
            import numba
        except ImportError as missing:
            raise RuntimeError("counting needs the proof extra: pip install 'houseway[proof]'") from missing

        register_rules()
        config: Any = numba.config
        folder = cache_folder()
        options = {"nogil": True, "cache": folder is not None, **self._options}
        # The folder is looked up once, when the dispatcher is made; other users of numba keep their own.
        before = config.CACHE_DIR
        try:
            config.CACHE_DIR = str(folder / "compiled") if folder else before
            return numba.njit(**options)(self._function)
        finally:
            config.CACHE_DIR = before


def jit(**options: Any) -> Callable[[Callable[..., Any]], Kernel]:
    """Make a kernel of a function; ``options`` go to ``numba.njit``."""

    def made(function: Callable[..., Any]) -> Kernel:
        return Kernel(function, options)

    return made


def side_by_side(*jobs: Callable[[], Result]) -> list[Result]:
    """The results of several counts that run at once; kernels do not hold the interpreter's lock."""
    with ThreadPoolExecutor(max_workers=min(len(jobs), os.cpu_count() or 1)) as pool:
        return [future.result() for future in [pool.submit(job) for job in jobs]]


def silent(_what: str, _done: float) -> None:
    """The progress of a caller who does not ask for it."""
