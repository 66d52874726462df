"""``houseway simulate`` as a person or a program calls it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from houseway.commands.simulate import _plain_lines, simulate
from houseway.refusal import Refusal

APP = typer.Typer(pretty_exceptions_enable=False)
APP.command()(simulate)
GAME = ("caribbean-stud", "--strategy", "three rules", "--workers", "1")


def run(*arguments: str) -> str:
    done = CliRunner().invoke(APP, list(arguments))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.stdout


def data(*arguments: str) -> Any:
    return json.loads(run(*arguments, "--json"))


def test_json_has_the_contract_and_more() -> None:
    made = data(*GAME, "--rounds", "20000", "--spots", "2", "--seed", "5")
    assert (made["rounds"], made["spots"], made["seed"], made["interrupted"]) == (20_000, 2, 5, False)
    assert made["seconds"] > 0
    assert list(made["wagers"]) == ["base", "bonus", "cover_all"]
    base = made["wagers"]["base"]
    assert {"house_edge", "standard_error", "hit_frequency"} <= base.keys()
    assert base["hands"] == 40_000
    assert sum(one["count"] for one in base["outcomes"]) == 40_000
    total = sum(int(one["net"]) * one["count"] for one in base["outcomes"])
    assert base["house_edge"] == round(-total / 40_000, 9)
    assert base["hit_frequency"] == sum(one["count"] for one in base["outcomes"] if int(one["net"]) > 0) / 40_000
    assert made["wagers"]["cover_all"]["table"] == "3"


def test_the_seed_decides_and_nothing_else() -> None:
    first, again, other = (data(*GAME, "--rounds", "3000", "--seed", seed) for seed in ("5", "5", "6"))
    for one in (first, again, other):
        del one["seconds"], one["rounds_per_second"]
    assert first == again
    assert first["wagers"] != other["wagers"]


def test_the_table_has_every_wager_and_the_meter() -> None:
    said = run(*GAME, "--rounds", "30000", "--spots", "3", "--progressive", "CSTUD-15", "--contribution", "20.5%",
               "--reserve", "0.5%", "--seed-amount", "2500")  # fmt: skip
    assert "Caribbean Stud Poker, 3 spots, 30,000 rounds, ace-king by three rules on the up card, seed 1" in said
    for word in ("bonus", "CPSB-01", "cover_all", "progressive", "CSTUD-15", "20.5%", "$2,500.00", "a second"):
        assert word in said


def test_one_spot_and_the_base_game_alone() -> None:
    said = run("straight-edge-2", "--rounds", "2000", "--wager", "base", "--workers", "1")
    assert "1 spot," in said
    assert "four_plus" not in said


def test_tables_and_designators() -> None:
    made = data("three-card-poker", "--rounds", "1000", "--tables", "TCP-05", "--tables", "six_card_bonus=TCP-6B4")
    assert made["wagers"]["six_card_bonus"]["table"] == "TCP-6B4"
    assert {made["wagers"][wager]["table"] for wager in ("base", "pair_plus")} <= set("ABCD")


def test_parquet_and_plot(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    file, picture = tmp_path / "rounds.parquet", tmp_path / "rounds.svg"
    said = data(*GAME, "--rounds", "5000", "--progressive", "CSTUD-01", "--parquet", str(file), "--plot", str(picture))
    table = parquet.read_table(file)
    rows = table.to_pylist()
    assert sum(row["count"] for row in rows if row["wager"] == "bonus") == 5_000
    assert {row["wager"] for row in rows} == {"base", "bonus", "cover_all"}
    kept = json.loads(table.schema.metadata[b"houseway.simulation"])
    assert kept["wagers"] == said["wagers"]
    assert "<svg" in picture.read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["roulette"], "game: 'roulette' is not a game here"),
        ([*GAME, "--rounds", "0"], "rounds: must be"),
        ([*GAME, "--tables", "bonus"], "tables: 'bonus' is neither WAGER=TABLE nor a designator"),
        ([*GAME, "--tables", "bonus=CPSB-01", "--tables", "bonus=CPSB-02"], "tables: bonus is given twice"),
        ([*GAME, "--contribution", "14%"], "progressive: is missing"),
        ([*GAME, "--progressive", "CSTUD-01", "--contribution", "0.12345"], "contribution: '0.12345' must be from 0%"),
        ([*GAME, "--progressive", "CSTUD-01", "--reserve", "much"], "reserve: 'much' is not a rate"),
        ([*GAME, "--progressive", "CSTUD-01", "--reserve", "1%", "--reserve", "2%"], "reserve: is given twice"),
        ([*GAME, "--progressive", "CSTUD-01", "--seed-amount", "1.005"], "seed: '1.005' is not an amount"),
        ([*GAME, "--engine", "dask"], "workers: are those of the cluster|scheduler: is missing"),
        ([*GAME, "--scheduler", "tcp://127.0.0.1:1"], "scheduler: belongs to --engine dask"),
        ([*GAME, "--plot", "rounds.txt"], "plot: 'rounds.txt' must end in"),
        ([*GAME, "--plot", "nowhere/rounds.svg"], "plot: there is no folder nowhere"),
        ([*GAME, "--parquet", "nowhere/rounds.parquet"], "parquet: there is no folder nowhere"),
    ],
)
def test_what_does_not_fit_is_refused_before_anything_is_played(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Refusal, match=said):
        run(*arguments)
    assert not list(tmp_path.iterdir())


def test_without_numba_it_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houseway.extras.find_spec", lambda name: None if name == "numba" else object())
    with pytest.raises(Refusal, match="simulate: needs the proof extra"):
        run(*GAME)


def test_ctrl_c_prints_what_there_is() -> None:
    code = (
        "import signal, typer\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from houseway.commands import simulate as command\n"
        "command.PLAIN_SECONDS = 0.5\n"
        "app = typer.Typer(pretty_exceptions_enable=False)\n"
        "app.command()(command.simulate)\n"
        "app()\n"
    )
    going = subprocess.Popen(
        [sys.executable, "-c", code, *GAME[:3], "--rounds", "50000000000", "--workers", "2", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert going.stderr is not None
    said = going.stderr.readline()
    assert "of 50,000,000,000 rounds" in said
    assert "s left" in said
    going.send_signal(signal.SIGINT)
    out, rest = going.communicate(timeout=120)
    made = json.loads(out)
    assert going.returncode == 130
    assert made["interrupted"]
    assert 0 < made["rounds"] < made["asked"] == 50_000_000_000
    assert sum(one["count"] for one in made["wagers"]["base"]["outcomes"]) == made["rounds"]
    assert f"interrupted after {made['rounds']:,} of 50,000,000,000 rounds" in rest


def test_a_run_that_nobody_watches_says_now_and_then_how_far_it_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr(time, "perf_counter", lambda: now)
    told = _plain_lines()
    now += 5
    told(1_000, 10_000)
    now += 5
    told(2_000, 10_000)
    now += 30
    told(10_000, 10_000)
    assert capsys.readouterr().err == "2,000 of 10,000 rounds, 200 a second, 40 s left\n"
