"""What `houseway equipment` lists where no floor is given, files that it cannot read, and its page of the docs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from houseway.cli import program
from houseway.games import all_games
from houseway.refusal import Refusal
from houseway.table.approvals import ITEMS
from houseway.table.equipment import register
from houseway.table.shuffler import MachineMode, modes


def run(*arguments: object) -> Any:
    return CliRunner().invoke(program(), ["equipment", *map(str, arguments)])


def test_the_approved_equipment_is_listed() -> None:
    listed = json.loads(run("--json").stdout)
    assert {kind["kind"] for kind in listed} == set(register().kinds)
    assert "6.5.6SP exactly" in [kind["approved"] for kind in listed]
    assert run().exit_code == 0


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "cannot be opened"),
        (b"a = ", "as TOML"),
        (b"\xff", "as TOML"),
        (b"a=" + b"[" * 5000, "as TOML"),
        (b" " * 1_000_001, "longer"),
    ],
    ids=["missing", "broken", "not-text", "deep", "long"],
)
def test_a_file_that_cannot_be_read_is_answered(tmp_path: Path, content: bytes | None, said: str) -> None:
    file = tmp_path / "floor.toml"
    if content is not None:
        file.write_bytes(content)
    for command in ("equipment", "approvals"):
        done = CliRunner().invoke(program(), [command, str(file)])
        if content is None:
            assert isinstance(done.exception, Refusal)
            assert said in str(done.exception)
        else:
            assert done.exit_code == 1
            assert said in done.stdout


# ----------------------------------------------------------------------------------------- the documentation

PAGE = (Path(__file__).parents[2] / "docs" / "equipment.md").read_text("utf-8")


PACKET_MODES = tuple(mode for mode in modes() if not any(all_games()[game].shoe for game in mode.games))
"""A shoe deals no packets: its mode is the system's own, at virtual tables alone."""


def test_every_mode_and_item_is_listed() -> None:
    names = [*(mode.key for mode in PACKET_MODES), *(item.key for item in ITEMS)]
    assert [name for name in names if f"\n| `{name}` |" not in PAGE] == []


def test_the_page_lists_the_approved_versions() -> None:
    for kind in json.loads(run("--json").stdout):
        row = f"| `{kind['kind']}` | {kind['title']} | {kind['approved']} | {', '.join(kind['documents'])} |"
        assert row in PAGE


@pytest.mark.parametrize("mode", PACKET_MODES, ids=lambda mode: mode.key)
def test_the_page_says_what_a_mode_deals_and_where(mode: MachineMode) -> None:
    machines = ", ".join(register().kinds[model].title for model in mode.models)
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| `{mode.key}` | {mode.packet} | {mode.deck} |"))
    assert row.endswith(f"| {machines} |")
    assert ("the Cover All column" in row) == ("cover_all" in mode.shows)
    assert ("the start position" in row) == ("start_position" in mode.shows)
