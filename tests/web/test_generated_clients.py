"""The API's description, judged by others: a linter, and the clients that two generators make of it.

Both clients do the same against a running server. The TypeScript part needs packages from the npm registry, at the
versions of `typescript/package-lock.json`. They are installed once, below `build`; node itself comes with the
development packages. Where they cannot be had the tests are skipped and say so, or fail where `CI` is set.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import pkgutil
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from tests.web.web_kit import Server, serving

from houseway.api.routes import ROUTES
from houseway.games import all_games

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "docs" / "openapi.json"
SOURCES = Path(__file__).with_name("typescript")
BIN = Path(sys.executable).parent
ENVIRONMENT = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}"}
PLAYED = {
    "role": "dealer",
    "repeated": True,
    "lit": True,
    "refused": [409, "spot"],
    "games": list(all_games())[:2],
}
"""What a client sees: an order that is carried out once, a refusal with its field, and a page of a list."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("floor")) as server:
        yield server


def run(*command: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        list(map(str, command)), cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=300, check=False
    )


# ----------------------------------------------------------------------------------------------------------- TypeScript


@pytest.fixture(scope="module")
def packages() -> Path:
    """The npm packages of the lock file, installed once."""
    lock = SOURCES / "package-lock.json"
    place = ROOT / "build" / f"npm-{hashlib.sha256(lock.read_bytes()).hexdigest()[:12]}"
    place.mkdir(parents=True, exist_ok=True)
    with (place / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        if not (place / "ready").exists():
            for name in ("package.json", "package-lock.json"):
                shutil.copy(SOURCES / name, place)
            try:
                installed = run(BIN / "npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", folder=place)
                trouble = "" if installed.returncode == 0 else installed.stderr[-400:]
            except (OSError, subprocess.TimeoutExpired) as error:
                trouble = str(error)
            if trouble:
                words = f"the npm packages could not be installed, so the TypeScript client was not made: {trouble}"
                if os.environ.get("CI"):
                    pytest.fail(words)
                pytest.skip(words)
            (place / "ready").touch()
    return place / "node_modules"


def workshop(folder: Path, packages: Path) -> Path:
    """A folder with our TypeScript in it, where the packages are found."""
    shutil.copytree(SOURCES, folder, dirs_exist_ok=True)
    (folder / "node_modules").symlink_to(packages)
    return folder


def test_the_linter_finds_nothing_and_finds_what_is_planted(packages: Path, tmp_path: Path) -> None:
    folder = workshop(tmp_path, packages)
    clean = run(BIN / "node", "lint.mjs", KEPT, folder=folder)
    assert (clean.returncode, clean.stdout) == (0, ""), clean.stdout + clean.stderr
    broken = json.loads(KEPT.read_text("utf-8"))
    del broken["paths"]["/api/v1/games"]["get"]["security"]
    broken["paths"]["/api/v1/floor"]["get"]["operationId"] = "all_tables"
    (folder / "broken.json").write_text(json.dumps(broken), "utf-8")
    found = run(BIN / "node", "lint.mjs", "broken.json", folder=folder)
    assert found.returncode == 1
    assert {line.partition(":")[0] for line in found.stdout.splitlines()} == {
        "security-defined",
        "operation-operationId-unique",
    }


def test_a_typescript_client_compiles_and_plays(packages: Path, server: Server, tmp_path: Path) -> None:
    folder = workshop(tmp_path, packages)
    generator = packages / "openapi-typescript" / "bin" / "cli.js"
    made = run(BIN / "node", generator, KEPT, "--output", "schema.d.ts", folder=folder)
    assert made.returncode == 0, made.stdout + made.stderr
    compiled = run(BIN / "node", packages / "typescript" / "bin" / "tsc", folder=folder)
    assert compiled.returncode == 0, compiled.stdout
    played = run(BIN / "node", "out/floor.js", server.url, folder=folder)
    assert played.returncode == 0, played.stderr
    assert json.loads(played.stdout) == PLAYED


# --------------------------------------------------------------------------------------------------------------- Python


@pytest.fixture
def generated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a package that openapi-python-client made."""
    config = tmp_path / "generator.json"
    config.write_text(json.dumps({"content_type_overrides": {"application/pdf": "application/octet-stream"}}), "utf-8")
    package = tmp_path / "floor_client"
    made = run(
        *(sys.executable, "-m", "openapi_python_client", "generate", "--path", KEPT, "--config", config),
        *("--meta", "none", "--output-path", package, "--fail-on-warning"),
        folder=tmp_path,
    )
    assert made.returncode == 0, made.stdout + made.stderr
    assert "WARNING" not in made.stdout + made.stderr
    monkeypatch.syspath_prepend(tmp_path)
    return package.name


def test_a_python_client_compiles_and_plays(generated: str, server: Server) -> None:
    package = import_module(generated)
    names = [module.name for module in pkgutil.walk_packages(package.__path__, f"{generated}.")]
    operations = {name.rpartition(".")[2] for name in names if f"{generated}.api." in name}
    assert {route.name for route in ROUTES} <= operations

    def call(operation: str, client: Any, **given: Any) -> Any:
        module = next(name for name in names if name.endswith(f".{operation}") and ".api." in name)
        return import_module(module).sync_detailed(client=client, **given)

    models = import_module(f"{generated}.models")
    with package.Client(base_url=server.url) as client:
        session = call("sign_in", client, body=models.SignInBody(card="2001", pin="1234")).parsed
        order = {
            "table": "CS-1",
            "body": models.LightBody(spot=3),
            "idempotency_key": "python-1",
            "x_csrf_token": session.csrf,
        }
        carried = call("light", client, **order)
        again = call("light", client, **order)
        wrong = call("light", client, **{**order, "body": models.LightBody(spot=99), "idempotency_key": "python-2"})
        table = call("one_table", client, table="CS-1").parsed
        games = call("games", client, limit=2).parsed
        assert {
            "role": session.role,
            "repeated": carried.parsed.entry == again.parsed.entry and again.headers["idempotent-replayed"] == "true",
            "lit": 3 in table.progressive.lit,
            "refused": [wrong.parsed.status, wrong.parsed.field],
            "games": [game.game for game in games.items],
        } == PLAYED
