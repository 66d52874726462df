"""Which state of the source this is: results prove only the commit they were made on."""

from __future__ import annotations

import os
import subprocess
import tomllib
from dataclasses import dataclass
from pathlib import Path

PROJECT = "houseway"
REDIRECTIONS = {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"}
"""Set by git for its hooks: they would answer for another repository than the one that is asked about."""


@dataclass(frozen=True, slots=True)
class Checkout:
    """The commit that is checked out, if there is one, and whether anything differs from it."""

    commit: str | None
    dirty: bool


def state(root: Path) -> Checkout:
    """Ask git about ``root``; without git, a repository or a first commit there is no commit to name."""
    commit = _git(root, "rev-parse", "--verify", "--quiet", "HEAD")
    return Checkout(commit or None, bool(_git(root, "status", "--porcelain")))


def find_root(start: Path) -> Path | None:
    """The checkout around ``start``, else the one this source runs from, else none (an installed package)."""
    for folder in (start, *start.parents, *Path(__file__).resolve().parents):
        if _is_root(folder):
            return folder
    return None


def _is_root(folder: Path) -> bool:
    try:
        project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8")).get("project", {})
    except (OSError, ValueError):
        return False
    return bool(project.get("name") == PROJECT)


def _git(root: Path, *arguments: str) -> str:
    environment = {name: value for name, value in os.environ.items() if name not in REDIRECTIONS}
    try:
        answer = subprocess.run(
            ["git", "-C", str(root), *arguments], capture_output=True, text=True, check=False, env=environment
        )
    except OSError:
        return ""
    return answer.stdout.strip() if answer.returncode == 0 else ""
