"""Games of other people, installed beside Houseway as a package would be: through the path of another Python.

site = install(folder, files)
run(site, "settle", data=request)          # a command
played(site, "virtual", "short-street")    # a part of `tests.games.walk`
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]


def install(folder: Path, files: Mapping[str, str]) -> Path:
    """The files of a package, and what an installer would write about it."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    project = tomllib.loads(files["pyproject.toml"])["project"]
    about = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    (about / "entry_points.txt").write_text(
        "".join(
            f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in entries.items())
            for group, entries in project["entry-points"].items()
        )
    )
    return folder


def python(site: Path | None, *arguments: str, data: str = "") -> subprocess.CompletedProcess[str]:
    """Another Python, with the packages of the site."""
    path = [str(site)] if site else []
    environment = os.environ | {
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": os.pathsep.join([*path, str(ROOT)]),
        "HOUSEWAY_CACHE": str(site / "cache") if site else "",
    }
    command = [sys.executable, "-W", "error", *arguments]
    return subprocess.run(command, input=data, capture_output=True, text=True, env=environment, check=False)


def run(site: Path, *arguments: str, data: str = "", code: int = 0) -> str:
    """What a command says."""
    done = python(site, "-m", "houseway.cli", *arguments, data=data)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout if code == 0 else done.stderr


def played(site: Path, part: str, game: str, folder: Path) -> None:
    """A part of the walk, where the game is installed."""
    done = python(site, "-m", "tests.games.walk", part, game, str(folder))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "played" in done.stdout
