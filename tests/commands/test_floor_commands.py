"""A floor by its commands: started, looked at, changed, backed up and restored; and what is refused on the way."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.staff_kit import PIN, cheap_pins

from houseway.cli import main

__all__ = ["cheap_pins"]


class Done(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """The ``houseway`` command in this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    for name in ("HOUSEWAY_DB", "HOUSEWAY_KEY", "HOUSEWAY_CARD", "HOUSEWAY_PIN", "HOUSEWAY_SECOND_PIN"):
        monkeypatch.delenv(name, raising=False)

    def command(*arguments: str) -> Done:
        monkeypatch.setattr(sys, "argv", ["houseway", *arguments])
        with pytest.raises(SystemExit) as left:
            main()
        done = Done(int(left.value.code or 0), *capfd.readouterr())
        assert "Traceback" not in done.err
        return done

    return command


@pytest.fixture
def manager(run: Run, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A floor with the cards and PINs of its two people in the environment."""
    assert run("init").code == 0
    first: dict[str, Any] = json.loads(run("floor", "start", "floor.toml", "--json").out)
    people = [line.split() for line in Path(first["codes_file"]).read_text("utf-8").splitlines()]
    for _, _, card, code in people:
        monkeypatch.setenv("HOUSEWAY_PIN", code)
        monkeypatch.setenv("HOUSEWAY_NEW_PIN", PIN)
        assert run("staff", "pin", "--card", card).code == 0
    monkeypatch.setenv("HOUSEWAY_CARD", people[0][2])
    for name in ("", "SECOND_"):
        monkeypatch.setenv(f"HOUSEWAY_{name}PIN", PIN)
    first |= {"codes": [code for *_, code in people], "second": people[1][2]}
    return first


def test_a_floor_is_started_once_with_a_key_only_its_owner_reads(
    run: Run, manager: dict[str, Any], tmp_path: Path
) -> None:
    assert (tmp_path / "houseway.key").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "houseway.db").stat().st_mode & 0o777 == 0o600
    again = run("floor", "start", "floor.toml")
    assert again.code == 2
    assert "started already" in again.err
    told = run("journal", "export").out
    assert not any(secret in told for secret in (*manager["codes"], PIN))


@pytest.mark.usefixtures("manager")
def test_what_is_in_force_is_printed_as_a_file_or_put_into_your_own(run: Run, tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text((tmp_path / "floor.toml").read_text().replace('"Riverside Card Room"', '"Lakeside" # new sign'))
    updated = run("floor", "file", "mine.toml")
    assert updated.code == 0
    assert 'name = "Riverside Card Room" # new sign' in updated.out.splitlines()
    (tmp_path / "new.toml").write_text(run("floor", "file").out)
    assert "no defect" in run("check", "new.toml").out
    mine.write_text("[site]")
    refused = run("floor", "file", "mine.toml")
    assert (refused.code, refused.out) == (2, "")
    assert "mine.toml: file: tables is missing" in refused.err


def test_a_floor_without_defects_is_needed_to_start(run: Run, tmp_path: Path) -> None:
    (tmp_path / "floor.toml").write_text("[site]\n")
    done = run("floor", "start", "floor.toml")
    assert done.code == 2
    assert not (tmp_path / "houseway.db").exists()
    assert not (tmp_path / "houseway.key").exists()


def test_a_changed_floor_file_comes_into_force_by_a_manager_and_says_what_changed(
    run: Run, manager: dict[str, Any], tmp_path: Path
) -> None:
    file = tmp_path / "floor.toml"
    second = ("--second-card", manager["second"])
    assert run("floor", "apply", "floor.toml", "--reason", "a look").code == 2
    assert "nothing differs" in run("floor", "apply", "floor.toml", "--reason", "a look", *second).out
    text = file.read_text("utf-8")
    assert 'contribution = "13%"' in text
    file.write_text(text.replace('contribution = "13%"', 'contribution = "12%"', 1), "utf-8")
    done = run("floor", "apply", "floor.toml", "--reason", "memo 12", *second)
    assert done.code == 0
    assert "link three-card terms meters main contribution_bp: 1300 became 1200" in done.out
    assert "1 changes" in done.out


def test_orders_are_given_once_and_shown(run: Run, manager: dict[str, Any]) -> None:
    order = '{"type": "seed_meter", "link": "three-card", "meter": "main"}'
    first = json.loads(run("floor", "do", order, "--id", "seed", "--json").out)
    again = json.loads(run("floor", "do", order, "--id", "seed", "--json").out)
    assert (first["repeated"], again["repeated"], again["entry"]) == (False, True, first["entry"])
    assert "$1,000.00" in run("floor", "show").out
    shown = json.loads(run("floor", "show", "--json").out)
    assert shown["links"][0]["id"] == "three-card"
    assert "manager-1" in run("staff", "list").out
    known = {one["type"] for one in json.loads(run("floor", "orders", "--json").out)}
    assert {"lock_in", "confirm", "deal", "transfer"} <= known
    assert "enroll" not in known


def test_a_backup_restores_to_a_floor_that_verifies(run: Run, manager: dict[str, Any], tmp_path: Path) -> None:
    run("floor", "do", '{"type": "seed_meter", "link": "stud", "meter": "main"}')
    assert run("backup", "copy.db").code == 0
    assert run("backup", "copy.db").code == 2
    done = run("restore", "copy.db", "--db", "again.db")
    assert done.code == 0
    assert "every meter replays to the same" in done.out
    assert run("restore", "copy.db", "--db", "again.db").code == 2
    assert run("floor", "show", "--db", "again.db").out == run("floor", "show").out


def test_without_a_pin_nothing_is_done(run: Run, manager: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOUSEWAY_PIN")
    done = run("floor", "do", '{"type": "seed_meter", "link": "stud", "meter": "main"}')
    assert done.code == 2
    assert "HOUSEWAY_PIN" in done.err
