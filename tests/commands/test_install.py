"""The built wheel, installed in an empty environment and used: the rulebook works alone, the rest names its extra."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from houseway.extras import EXTRAS, MissingExtra
from houseway.web.problem import problem_of

ROOT = Path(__file__).parents[2]
MEGABYTES = 25
"""The most that the base install may take, the package installer itself left out."""
OF_THE_INSTALLER = ("pip", "setuptools", "pkg_resources", "_distutils_hack")


def run(*arguments: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*map(str, arguments)], cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel and what its base install needs, and nothing else."""
    folder = tmp_path_factory.mktemp("install")
    source = folder / "source"
    shutil.copytree(ROOT / "src", source / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    quiet = ("-m", "pip", "--disable-pip-version-check", "--quiet")
    built = run(sys.executable, *quiet, "wheel", ".", "--no-deps", "--no-build-isolation", "-w", folder, folder=source)
    assert built.returncode == 0, built.stderr
    [wheel] = folder.glob("*.whl")
    environment = folder / "environment"
    assert run(sys.executable, "-m", "venv", environment, folder=folder).returncode == 0
    python = environment / "bin" / "python"
    pinned = ("--constraint", ROOT / "constraints.txt")
    installed = run(python, *quiet, "install", "--no-compile", *pinned, wheel, folder=folder)
    assert installed.returncode == 0, installed.stderr
    return environment


def houseway(base: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run(base / "bin" / "houseway", *arguments, folder=base)


def test_the_base_install_is_small(base: Path) -> None:
    [site] = base.glob("lib/python*/site-packages")
    size = sum(
        file.stat().st_size
        for file in site.rglob("*")
        if file.is_file() and not file.relative_to(site).parts[0].startswith(OF_THE_INSTALLER)
    )
    assert size < MEGABYTES * 1_000_000


def test_the_rulebook_settles_and_tells_its_figures_alone(base: Path) -> None:
    settled = houseway(base, "settle", str(ROOT / "docs" / "example-round.json"))
    assert json.loads(settled.stdout)["spots"][0]["returned"] == 4000
    for arguments in (("--help",), ("games",), ("rules", "caribbean-stud"), ("paytables",), ("figures", "--json")):
        answer = houseway(base, *arguments)
        assert (answer.returncode, answer.stderr) == (0, ""), arguments
    figures = json.loads(answer.stdout)
    assert {figure["game"] for figure in figures} >= {"three-card-poker", "caribbean-stud", "six-card-pai-gow"}


@pytest.mark.parametrize(
    ("extra", "arguments"),
    [
        ("proof", ["advise", "caribbean-stud", "--cards", "Ac Kd 9h 7s 3c", "--up", "2d"]),
        ("proof", ["simulate", "three-card-poker"]),
        ("proof", ["figures", "--game", "three-card-poker", "--fresh"]),
        ("server", ["up"]),
        ("server", ["init"]),
        ("server", ["doctor"]),
        ("server", ["journal", "verify", "--db", "floor.db"]),
    ],
)
def test_what_lacks_its_extra_says_so_in_one_sentence(base: Path, extra: str, arguments: list[str]) -> None:
    answer = houseway(base, *arguments)
    assert answer.returncode == 2
    assert answer.stderr.endswith(f"needs the {extra} extra: pip install 'houseway[{extra}]'\n")
    assert answer.stderr.count("\n") == 1


def test_every_extra_of_the_package_has_its_sentence() -> None:
    """A new extra without modules in `EXTRAS` would end in a traceback where it is missing."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        declared = tomllib.load(file)["project"]["optional-dependencies"]
    assert set(declared) == {*EXTRAS, "all"}


@pytest.mark.parametrize(
    "error", [ModuleNotFoundError("No module named 'numba'", name="numba"), MissingExtra("advice", "proof")]
)
def test_over_http_a_missing_extra_is_an_answer_and_not_a_failure(error: Exception) -> None:
    details = problem_of(error).details
    assert (details.status, details.type) == (501, "urn:houseway:problem:not-installed")
    assert details.detail.endswith("needs the proof extra: pip install 'houseway[proof]'")
