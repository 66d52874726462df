"""What is kept of a simulation belongs to its sources: a changed part is never played from an old file."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from houseway.games import find_game
from houseway.proof import compiled
from houseway.proof.simulation import Setup, plan_of
from houseway.proof.simulation.chunk import play_chunk
from houseway.proof.simulation.kernels import HERE, digest_of, kept_folder, simulation_digest
from houseway.proof.simulation.loops import loops_of


@pytest.mark.parametrize("name", ["stream.py", "tally.py", "search.py", "source.py", "settlement.py", "ways.py"])
def test_any_change_changes_the_digest(tmp_path: Path, name: str) -> None:
    copy = tmp_path / "simulation"
    shutil.copytree(HERE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    assert digest_of(copy) == simulation_digest()
    with (copy / name).open("a") as file:
        file.write("\n")
    assert digest_of(copy) != simulation_digest()


def test_changed_rules_change_the_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    from houseway.proof.simulation import kernels

    before = digest_of(HERE)
    monkeypatch.setattr(kernels, "rules_digest", lambda: "other rules")
    assert digest_of(HERE) != before


def test_compiled_code_and_strategies_lie_under_the_digest() -> None:
    game = find_game("caribbean-stud")
    assert game is not None
    play_chunk(plan_of(Setup(game, wagers=("base",))), 0, 10)
    folder = kept_folder()
    assert folder is not None
    assert simulation_digest()[:32] in folder.name
    assert loops_of(game).play.dispatcher.stats.cache_path.startswith(str(folder))
    assert loops_of(game).file in folder.glob("loops_*.py")
    assert list(folder.glob("caribbean-stud-best-*.npz"))


def test_where_nothing_can_be_written_it_is_solved_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    from houseway.proof.simulation import kernels, solved

    game = find_game("straight-edge-1")
    assert game is not None
    kept = plan_of(Setup(game, wagers=("base",)))
    monkeypatch.setattr(kernels, "cache_folder", lambda: None)
    assert kept_folder() is None
    monkeypatch.setattr(solved, "kept_folder", lambda: None)
    fresh = plan_of(Setup(game, wagers=("base",)))
    for mine, theirs in zip(fresh.way.points, kept.way.points, strict=True):
        assert mine.limits == theirs.limits
        assert all((a == b).all() for a, b in zip(mine.tables(), theirs.tables(), strict=True))
    assert fresh.way.edge == kept.way.edge
    assert compiled.cache_folder() is not None
