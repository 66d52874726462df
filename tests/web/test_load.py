"""``houseway load`` and ``houseway bots``: a few tables for a few seconds, and what happens when something is wrong."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.web.web_kit import Server, serving
from typer.testing import CliRunner

from houseway.cli import program
from houseway.client.tally import Tally
from houseway.commands import load as command
from houseway.refusal import FAULT_EXIT, Refusal

TINY = ["load", "--tables", "8", "--seconds", "2", "--json"]


def run(*arguments: str) -> tuple[int, dict[str, Any]]:
    done = CliRunner().invoke(program(), list(arguments), catch_exceptions=False)
    return done.exit_code, json.loads(done.stdout)


def test_a_small_floor_bears_a_little_load() -> None:
    code, report = run(*TINY)
    assert report["wrong"] == []
    assert code == 0
    assert report["rounds"] >= 8
    assert report["verified"]["bad"] == 0
    # Every order that was not refused is an entry; so are four sign-ins, and three players who came in by a code.
    assert report["entries"] == report["orders"] - sum(report["refused"].values()) + 4 + 3 + 3
    assert 0 < report["p50_ms"] <= report["p99_ms"] <= report["worst_ms"]


@pytest.mark.long
def test_a_small_floor_bears_a_little_load_on_postgres(postgres_url: str) -> None:
    code, report = run(*TINY, "--db", postgres_url)
    assert (code, report["wrong"]) == (0, [])
    again = CliRunner().invoke(program(), [*TINY, "--db", postgres_url])
    assert isinstance(again.exception, Refusal)
    assert "holds a floor already" in str(again.exception)


def test_a_server_that_dies_and_an_answer_that_is_gone_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: the server is killed while the bots play, and one order was acknowledged that it never wrote."""
    monkeypatch.setattr(command, "LOAD_TRIES", 2)
    start, watch = command._Server.start, Tally.watch
    servers: list[Any] = []

    def started(self: Any) -> str:
        url = start(self)
        servers.append(self._process)
        return url

    def watched(self: Tally, answered: Any) -> None:
        watch(self, answered)
        if self.orders == 30:
            self.carried["an order nobody wrote down"] = 10**9
            servers[-1].kill()

    monkeypatch.setattr(command._Server, "start", started)
    monkeypatch.setattr(Tally, "watch", watched)
    code, report = run("load", "--tables", "2", "--seconds", "5", "--json", "--mix", "progressive-stud")
    assert code == 1
    wrong = "\n".join(report["wrong"])
    assert "the floor cannot be reached after 2 tries" in wrong
    assert "exit code -9" in wrong
    assert "an order nobody wrote down" in wrong


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("load", "--tables", "1", "--mix", "moon=1"), "mix: unknown kind 'moon'"),
        (("bots", "--url", "http://casino.test:1"), "dealer: must be given"),
        (("bots", "--url", "http://casino.test:1", "--dealer", "77"), "dealer: has a card but no PIN"),
        (("bots", "--url", "http://[bad"), "url: "),
    ],
)
def test_what_cannot_be_is_refused(arguments: tuple[str, ...], words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOUSEWAY_PIN", raising=False)
    done = CliRunner().invoke(program(), list(arguments))
    assert isinstance(done.exception, Refusal)
    assert words in str(done.exception)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("bots")) as made:
        yield made


def started(server: Server, *arguments: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "houseway.cli", "bots", "--url", server.url, "--pace", "0.05", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


def test_bots_stop_cleanly_at_ctrl_c(server: Server) -> None:
    bots = started(server, "--tables", "V-TCP,CS-1")
    assert bots.stdout is not None
    assert bots.stdout.readline() == "bots play at V-TCP, CS-1; Ctrl-C stops them\n"
    dealer = server.sign_in("2001")
    while dealer.get("tables/V-TCP")["play"]["round"] < 2 or dealer.get("tables/CS-1")["progressive"]["round"] < 2:
        assert bots.poll() is None
    bots.send_signal(signal.SIGINT)
    out, err = bots.communicate(timeout=60)
    assert (bots.returncode, err) == (0, "")
    assert out.endswith(" rounds at 2 tables\n")
    # The rounds that were open were finished: nothing waits for anybody.
    assert dealer.get("tables/V-TCP")["play"]["stage"] == "betting"
    assert not dealer.get("tables/CS-1")["progressive"]["locked"]


def test_bots_go_on_where_others_were_stopped_at_once(server: Server) -> None:
    killed = started(server, "--tables", "V-CS")
    assert killed.stdout is not None
    killed.stdout.readline()
    dealer = server.sign_in("2001")
    while dealer.get("tables/V-CS")["play"]["stage"] == "betting":
        assert killed.poll() is None
    killed.kill()
    killed.communicate()
    round_ = dealer.get("tables/V-CS")["play"]["round"]
    done = started(server, "--tables", "V-CS", "--seconds", "0.1")
    out, err = done.communicate(timeout=60)
    assert (done.returncode, err) == (0, ""), out
    assert dealer.get("tables/V-CS")["play"]["round"] > round_


def test_a_floor_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "houseway.cli", "bots", "--url", "http://127.0.0.1:9"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == FAULT_EXIT
    assert done.stderr.startswith("houseway: the floor cannot be reached after 6 tries")
    assert done.stderr.count("\n") == 1
