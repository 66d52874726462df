"""The examples in the README and in docs/ are run as they stand."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(page: Path, kind: str) -> list[str]:
    return [body for found, body in BLOCK.findall(page.read_text("utf-8")) if found == kind]


def commands(page: Path) -> list[tuple[str, str]]:
    made = []
    for block in blocks(page, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, expected = part.partition("\n")
            made.append((command, expected))
    return made


def pattern(expected: str) -> str:
    """The expected output as a pattern in which an ellipsis stands for anything."""
    return ".*".join(re.escape(part) for part in expected.rstrip("\n").split("…"))


@pytest.mark.parametrize(
    ("command", "expected"),
    [pytest.param(*pair, id=f"{page.stem}-{n}") for page in PAGES for n, pair in enumerate(commands(page))],
)
def test_command_prints_what_the_page_says(command: str, expected: str) -> None:
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-c", command], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    lines = (done.stdout + done.stderr + (f"[exit {done.returncode}]" if done.returncode else "")).splitlines()
    shown = "\n".join(line.rstrip() for line in lines).rstrip("\n")
    assert re.fullmatch(pattern(expected), shown, re.DOTALL), shown


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=lambda page: page.stem)
def test_python_examples_run(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python blocks of a page, one after another, as one program."""
    monkeypatch.chdir(ROOT)
    scope: dict[str, object] = {"__name__": f"docs_{page.stem}"}
    for block in blocks(page, "python"):
        exec(compile(block, str(page), "exec"), scope)


def test_pages_link_to_pages_that_exist() -> None:
    missing = [
        f"{page.name}: {target}"
        for page in [*PAGES, ROOT / "CONTRIBUTING.md"]
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8"))
        if not (page.parent / target).exists()
    ]
    assert not missing


@pytest.mark.parametrize("tool", ["cli_reference.py", "house.py"])
def test_what_a_tool_makes_from_the_code_is_current(tool: str) -> None:
    """The reference of the commands, from their own help; the picture of the house, from its real imports."""
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / tool, "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
