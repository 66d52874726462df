"""The page about the proof is true: its commands print what it shows, its Python runs, its words are the program's."""

from __future__ import annotations

import re
import shlex
import tempfile
from importlib.util import find_spec
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from houseway.commands import proof
from houseway.proof import __all__ as names

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "proof.md").read_text("utf-8")

app = typer.Typer(pretty_exceptions_enable=False)
for command in (proof.figures, proof.prove, proof.strategy, proof.advise):
    app.command()(command)


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("block", [*blocks("text"), *blocks("console")], ids=lambda block: block.split("\n")[0])
def test_commands_print_what_the_page_shows(block: str) -> None:
    line, _, expected = block.partition("\n")
    asked, _, pipe = line.removeprefix("$ houseway ").partition(" | ")
    done = CliRunner().invoke(app, shlex.split(asked))
    assert done.exit_code == 0
    shown = [one.rstrip() for one in done.stdout.rstrip().split("\n")]
    if pipe:
        assert pipe == "tail -1"
        shown = shown[-1:]
    assert "\n".join(shown) == expected.rstrip()


def test_the_python_of_the_page_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """All blocks as one program; its picture, where matplotlib is installed, goes to a folder of the test's own."""
    make = tempfile.mkdtemp
    monkeypatch.setattr("tempfile.mkdtemp", lambda **given: make(**given) if given else str(tmp_path))
    scope: dict[str, object] = {"__name__": "docs_proof"}
    for block in blocks("python"):
        exec(compile(block, "docs/proof.md", "exec"), scope)
    assert set(scope) >= {"edges", "before", "after"}
    assert (tmp_path / "edge-against-meter.svg").exists() == (find_spec("matplotlib") is not None)


def test_every_option_of_figures_is_on_the_page() -> None:
    shown = CliRunner().invoke(app, ["figures", "--help"]).stdout
    for option in re.findall(r"--[a-z]+", shown):
        assert option in PAGE or option == "--help", option


def test_public_names_are_what_the_package_gives() -> None:
    import houseway.proof

    for name in names:
        assert getattr(houseway.proof, name) is not None
    with pytest.raises(AttributeError):
        _ = houseway.proof.nothing
    used = set(re.findall(r"from houseway\.proof import ([\w, ]+)", PAGE))
    assert {name for line in used for name in line.split(", ")} <= set(names)
