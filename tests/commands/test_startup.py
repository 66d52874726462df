"""What starting costs: the command line and the floor must not wait for what only the proof or a screen needs.

No seconds are asserted here (`make bench` shows them); what is imported is.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from typer.main import get_command

from houseway.cli import COMMANDS, GROUPS, program

HEAVY = ("numpy", "numba", "llvmlite")
REPORT = """
import json, sys
sys.stdout.flush()
sys.stderr.write("\\n" + json.dumps([name for name in {names!r} if name in sys.modules]))
"""
ROUND = {
    "game": "caribbean-stud",
    "dealer": "Ac Kd 9h 7s 3c",
    "spots": [{"spot": 2, "cards": "2c 2d 5h 8s Tc", "wagers": {"ante": 500}, "decision": {"play": True}}],
}
PAI_GOW = {
    "game": "six-card-pai-gow",
    "dealer": "Ac Kd 9h 7s 3c 2d",
    "spots": [{"spot": 2, "cards": "2c 2h 5h 8s Tc Jk", "wagers": {"base": 500}, "decision": {"house_way": True}}],
}


def imported(program: str, *names: str, data: str = "") -> tuple[list[str], str]:
    """Which of ``names`` a small program has imported at its end, and what it wrote."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program + REPORT.format(names=names)],
        input=data,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stderr.splitlines()[-1])
    assert isinstance(found, list)
    return found, done.stdout


def command(*arguments: str) -> str:
    return f"""
import sys
from houseway.cli import main
sys.argv = {["houseway", *arguments]!r}
try:
    main()
except SystemExit as left:
    assert not left.code, left.code
"""


def test_importing_houseway_imports_nothing_heavy() -> None:
    found, _ = imported("import houseway", *HEAVY, "rich", "typer", "click", "importlib.metadata")
    assert found == []


@pytest.mark.parametrize(
    "module", ["cards", "ranking.five_card", "ranking.joker", "games", "progressive", "paytables", "adjudication"]
)
def test_the_rulebook_needs_neither_numba_nor_a_screen(module: str) -> None:
    found, _ = imported(f"import houseway.{module}", *HEAVY, "rich", "typer", "click")
    assert found == []


@pytest.mark.parametrize(
    "arguments",
    [("--help",), ("settle", "--help"), ("games",), ("rules", "caribbean-stud"), ("paytables",), ("demo",)],
    ids=" ".join,
)
def test_no_command_of_the_rulebook_waits_for_numba(arguments: tuple[str, ...]) -> None:
    found, shown = imported(command(*arguments), *HEAVY)
    assert found == []
    assert shown


@pytest.mark.parametrize("arguments", [("settle",), ("settle", "--lines")], ids=" ".join)
def test_settling_waits_for_neither_numba_nor_a_screen(arguments: tuple[str, ...]) -> None:
    for request in (ROUND, PAI_GOW):
        found, shown = imported(command(*arguments), *HEAVY, "rich.table", data=json.dumps(request))
        assert found == []
        assert json.loads(shown)["game"] == request["game"]


def test_the_array_door_is_what_needs_them() -> None:
    """A check that could not fail would be none."""
    program = "from houseway.ranking import arrays\narrays.of_three([0], [1], [2])"
    found, _ = imported(program, *HEAVY)
    assert found == list(HEAVY)


def test_a_command_is_the_same_whether_built_alone_or_with_all() -> None:
    every = get_command(program()).commands  # type: ignore[attr-defined]
    assert list(every) == [*COMMANDS, *GROUPS]
    for name, command in every.items():
        alone = get_command(program(name)).commands  # type: ignore[attr-defined]
        assert list(alone) == [name]
        assert [(one.name, one.opts) for one in alone[name].params] == [(one.name, one.opts) for one in command.params]
        assert list(getattr(alone[name], "commands", ())) == list(getattr(command, "commands", ()))


def test_a_command_waits_for_no_other() -> None:
    others = [f"houseway.{module}" for module in {*COMMANDS.values(), *GROUPS.values()} if module != "commands.rules"]
    assert imported(command("games"), *others)[0] == []
