"""The notebooks in examples/ are run as they stand, and print what they show."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
PLACES = re.compile(r"/(?:home|root|tmp|usr|var|work|Users|mnt)/|[A-Z]:\\\\|://(?:localhost|127\.)")

RUN = """
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

path, made = map(Path, sys.argv[1:])
notebook = nbformat.read(path, as_version=4)
for cell in notebook.cells:
    if cell.cell_type == "code":
        cell.outputs = []
places = {"metadata": {"path": str(path.parent)}}
NotebookClient(notebook, timeout=120, kernel_name="python3", resources=places).execute()
nbformat.write(notebook, made)
"""
"""In a process of its own: a kernel's client leaves loops and callbacks behind."""


def printed(notebook: Any) -> list[str]:
    """What every cell prints, cell by cell."""
    return [
        "".join(one.text for one in cell.get("outputs", ()) if one.output_type == "stream") for cell in notebook.cells
    ]


def pictures(notebook: Any) -> list[int]:
    """How many pictures every cell shows."""
    return [sum("image/png" in one.get("data", {}) for one in cell.get("outputs", ())) for cell in notebook.cells]


def test_there_are_notebooks() -> None:
    assert [one.stem for one in NOTEBOOKS] == ["a-meters-life", "a-par-sheet", "edit-a-pay-table"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_prints_what_it_shows(path: Path, tmp_path: Path) -> None:
    made = tmp_path / path.name
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(path), str(made)], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    shown, fresh = nbformat.read(path, as_version=4), nbformat.read(made, as_version=4)
    assert printed(fresh) == printed(shown)
    assert pictures(fresh) == pictures(shown)
    assert any(printed(shown))
    assert sum(pictures(shown)) == 1


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_holds_nothing_of_a_machine(path: Path) -> None:
    text = path.read_text("utf-8")
    assert not PLACES.search(text)
    notebook = nbformat.reads(text, as_version=4)
    nbformat.validate(notebook)
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    assert notebook.metadata.kernelspec.name == "python3"
    assert not any(one.output_type == "error" for cell in notebook.cells for one in cell.get("outputs", ()))
    assert all(set(cell.metadata) == set() for cell in notebook.cells)
