"""The commands of the proof: what they print, what they refuse, and how they stop."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from houseway import cli
from houseway.commands import proof
from houseway.games import find_game
from houseway.proof.advise import choices
from houseway.proof.collect import Request, questions_of
from houseway.proof.store import approved_figures
from houseway.refusal import Refusal

app = typer.Typer(pretty_exceptions_enable=False)
for command in (proof.figures, proof.prove, proof.strategy, proof.advise):
    app.command()(command)

HOUSE = """
[[paytable]]
game = "three-card-poker"
wager = "pair_plus"
id = "HOUSE-1"
pays = "to"
rows = { straight_flush = "35", three_of_a_kind = "33", straight = "6", flush = "7/2", pair = "1" }

[[paytable]]
game = "three-card-poker"
wager = "ante_bonus"
id = "HOUSE-A"
pays = "to"
rows = { straight_flush = "4", three_of_a_kind = "3", straight = "3/2" }

[[paytable]]
game = "three-card-poker"
wager = "progressive"
id = "HOUSE-P"
stated_wager = 2.50
seed = 2500
rows.akq_spades = { percent = 100, envy = 250 }
rows.akq_other_suit = { percent = 10, envy = 50 }
rows.straight_flush = { fixed = 200, from = "tray" }
rows.three_of_a_kind = { for_one = 60, from = "tray or meter" }
"""


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def ok(*words: str) -> str:
    done = run(*words)
    assert done.exit_code == 0, done.exception
    return done.stdout


def data(*words: str) -> Any:
    return json.loads(ok(*words, "--json"))


def refused(*words: str) -> Refusal:
    done = run(*words)
    assert isinstance(done.exception, Refusal), done.exception
    return done.exception


@pytest.fixture
def house(tmp_path: Path) -> str:
    file = tmp_path / "house.toml"
    file.write_text(HOUSE)
    return str(file)


# ------------------------------------------------------------------------------------------------ figures


def test_figures_json_is_one_array_of_everything() -> None:
    made = approved_figures()
    assert made is not None
    assert data("figures") == [figure.to_json() for figure in made]


def test_figures_can_be_chosen() -> None:
    chosen = data("figures", "--game", "caribbean-stud", "--wager", "progressive", "--table", "PCSA1", "--table", "01")
    assert [one["table"] for one in chosen] == ["CSTUD-01", "01"]
    assert {one["wager"] for one in data("figures", "--wager", "base")} == {"base"}


def test_figures_with_every_outcome() -> None:
    one = data("figures", "--wager", "pair_plus", "--table", "A", "--distribution")[0]
    assert one["distribution"]["total"] == 22100
    assert one["distribution"]["outcomes"][0] == {
        "what": "wins 40",
        "net": "40",
        "ways": 48,
        "chance": {"exact": "12/5525", "value": round(12 / 5525, 10)},
    }


def test_figures_as_a_table_and_as_csv() -> None:
    shown = ok("figures")
    assert "Caribbean Stud Poker" in shown
    assert "15 differ from print; houseway prove says why." in shown
    assert max(len(line.rstrip()) for line in shown.splitlines()) <= 120
    rows = list(csv.DictReader(io.StringIO(ok("figures", "--csv"))))
    assert len(rows) == len(questions_of(Request()))
    by_key = {(row["game"], row["wager"], row["table"]): row for row in rows}
    pair_plus = by_key["three-card-poker", "pair_plus", "A"]
    assert pair_plus["house_edge_exact"] == "128/5525"
    assert by_key["caribbean-stud", "progressive", "CSTUD-01"]["contribution"] == "0.7"
    assert by_key["caribbean-stud", "cover_all", "8"]["low"] < by_key["caribbean-stud", "cover_all", "8"]["high"]


def test_figures_of_a_house_file(house: str) -> None:
    made = data("figures", "--paytable", house)
    assert [(one["wager"], one["table"], one["approved"]) for one in made] == [
        ("base", "HOUSE-A", False),
        ("pair_plus", "HOUSE-1", False),
        ("progressive", "HOUSE-P", False),
    ]
    pair_plus = made[1]
    edge = 1 - Fraction(48 * 36 + 52 * 34 + 720 * 7 + 3744 * 2, 22100) - Fraction(1096, 22100) * Fraction(9, 2)
    assert Fraction(pair_plus["house_edge"]["exact"]) == edge
    assert made[2]["house_edge"] is None
    shown = ok("figures", "--paytable", house)
    assert shown.count("(not approved)") == 3
    given = data("figures", "--paytable", house, "--wager", "progressive", "--contribution", "15%")[0]
    assert given["contribution"] == {"value": 0.15, "inferred": False}
    returns = {name: Fraction(given["returns"][name]["exact"]) for name in ("tray", "seed", "envy_per_other")}
    assert returns["seed"] == Fraction(1000, 22100)
    left = 1 - returns["tray"] - returns["seed"] - 6 * returns["envy_per_other"] - Fraction(15, 100)
    assert Fraction(given["house_edge"]["exact"]) == left


def test_options_contribution_and_seed_on_the_command_line() -> None:
    lose = data("figures", "--wager", "base", "--table", "A", "--option", "equal_hands=lose")[0]
    assert lose["house_edge"]["value"] == pytest.approx(0.0350444826)
    seeded = data("figures", "--game", "six-card-pai-gow", "--wager", "progressive", "--table", "3", "--seed",
                  "five aces=10000", "--seed", "royal flush=1000", "--contribution", "0.2")[0]  # fmt: skip
    assert Fraction(seeded["returns"]["seed"]["exact"]) == Fraction(48 * 10_000 + 1132 * 1000, 22957480)


@pytest.mark.parametrize(
    ("words", "field"),
    [
        (("figures", "--game", "faro"), "game"),
        (("figures", "--wager", "lammer"), "wager"),
        (("figures", "--table", "Z"), "table"),
        (("figures", "--option", "equal_hands"), "option"),
        (("figures", "--option", "=lose"), "option"),
        (("figures", "--option", "equal_hands=maybe"), "option equal_hands"),
        (("figures", "--option", "equal_hands=lose", "--option", "equal_hands=push"), "option equal_hands"),
        (("figures", "--option", "colour=red"), "option colour"),
        (("figures", "--contribution", "lots"), "contribution"),
        (("figures", "--contribution", "1/0"), "contribution"),
        (("figures", "--contribution", "140%"), "contribution"),
        (("figures", "--seed", "rich"), "seed"),
        (("figures", "--seed", "1.005"), "seed"),
        (("figures", "--seed", "NaN"), "seed"),
        (("figures", "--seed", "grand=1"), "seed"),
        (("figures", "--json", "--csv"), "--csv"),
        (("figures", "--paytable", "/nowhere/house.toml"), "/nowhere/house.toml"),
        (("prove", "--game", "faro"), "game"),
        (("strategy", "faro"), "game"),
        (("advise", "faro", "--cards", "Ah"), "game"),
        (("advise", "three-card-poker", "--cards", "Ah Kd"), "cards"),
        (("advise", "three-card-poker", "--cards", "Ah Kd Xx"), "card"),
        (("advise", "three-card-poker", "--cards", "Ah Kd Kd"), "cards"),
        (("advise", "three-card-poker", "--cards", "Ah Kd Jk"), "cards"),
        (("advise", "three-card-poker", "--cards", "Ah Kd 3c", "--up", "2c"), "up"),
        (("advise", "three-card-poker", "--cards", "Ah Kd 3c", "--table", "Q"), "table"),
        (("advise", "three-card-poker", "--cards", "Ah Kd 3c", "--option", "equal_hands=no"), "option equal_hands"),
        (("advise", "caribbean-stud", "--cards", "Ah Kd 3c 4c 5c"), "up"),
        (("advise", "caribbean-stud", "--cards", "Ah Kd 3c 4c 5c", "--up", "Ah"), "up"),
        (("advise", "caribbean-stud", "--cards", "Ah Kd 3c 4c 5c", "--up", "Z"), "up"),
        (("advise", "six-card-pai-gow", "--cards", "Ah Kd 3c 4c 5c 6c", "--table", "A"), "table"),
    ],
)
def test_what_is_refused_and_which_field_it_names(words: tuple[str, ...], field: str) -> None:
    refusal = refused(*words)
    assert refusal.field == field
    assert len(refusal.sentence) > 10


def test_a_refusal_is_one_line_and_exit_code_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["houseway", "figures", "--game", "faro"])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


# ------------------------------------------------------------------------------------------------ prove


def test_prove_is_the_page_a_regulator_reads() -> None:
    shown = ok("prove")
    assert shown.splitlines()[-2:] == [
        "reproduced 26, differs 15, not printed 83",
        "published figures: reproduced 29, differs 0, not published 95",
    ]
    for document in ("000 (2023), 003 (2022)", "001", "002 (2023)", "004 (2023)"):
        assert f"Documents {document}:" in shown
    told = " ".join(shown.split())
    assert "progressive CSTUD-08, CSTUD-09, CSTUD-10, CSTUD-11, CSTUD-12, CSTUD-13: The hit frequency" in told
    assert "a contribution of 65% here and of 21% there" in told
    assert max(len(line.rstrip()) for line in shown.splitlines()) <= 120


def test_prove_as_json_counts_the_same() -> None:
    made = data("prove")
    assert (made["reproduced"], made["differs"], made["not_printed"]) == (26, 15, 83)
    assert {one["document"] for one in made["figures"]} == {
        "000 (2023), 003 (2022)",
        "001",
        "002 (2023)",
        "004 (2023)",
        "public rules",
    }
    assert all(one["why"] for one in made["figures"] if one["verdict"] == "differs")
    one_game = data("prove", "--game", "straight-edge-1")
    assert {one["game"] for one in one_game["figures"]} == {"straight-edge-1"}


# ------------------------------------------------------------------------------------------------ strategy


@pytest.mark.parametrize(
    "game", ["caribbean-stud", "three-card-poker", "straight-edge-1", "straight-edge-2", "six-card-pai-gow"]
)
def test_strategy_of_every_game(game: str) -> None:
    shown = ok("strategy", game)
    assert "House edge" in shown
    assert "costs" in shown
    for one in data("strategy", game):
        edge = Fraction(one["house_edge"]["exact"])
        assert len(one["strategy"]) > 20
        for rule in one["rules_of_thumb"]:
            assert Fraction(rule["cost"]["exact"]) == Fraction(rule["house_edge"]["exact"]) - edge >= 0


def test_the_rules_of_thumb_of_caribbean_stud() -> None:
    rules = {one["rule"]: one["cost"]["value"] for one in data("strategy", "caribbean-stud")[0]["rules_of_thumb"]}
    costs = [
        rules[words]
        for words in (
            "the best that ignores the up card",
            "raise A-K-J-8-3 or better",
            "raise any pair or better",
            "raise A-K-4-3-2 or better",
        )
    ]
    assert costs == sorted(costs)
    assert costs[0] > 0
    assert rules["raise any pair or better"] == pytest.approx(0.0024531492, abs=1e-9)


# ------------------------------------------------------------------------------------------------ advise


def test_advise_gives_every_choice_best_first() -> None:
    made = data("advise", "three-card-poker", "--cards", "Qs 6d 4c")
    assert [choice["choice"] for choice in made["choices"]] == ["play", "fold"]
    assert made["choices"][0]["value"] > made["choices"][1]["value"] == -1
    worse = data("advise", "three-card-poker", "--cards", "Qs 6d 3c")
    assert worse["choices"][0]["choice"] == "fold"
    assert worse["table"] == "A"
    shown = ok("advise", "caribbean-stud", "--cards", "As Kd Qc 4h 2s", "--up", "Qd")
    assert "dealer shows Qd" in shown
    assert shown.index("play") < shown.index("fold")


def test_advise_agrees_with_the_solver() -> None:
    """The plain adviser of Caribbean Stud and the compiled one count the same dealer hands."""
    from tests.proof.second_opinions import caribbean_stud

    from houseway.cards import read_cards
    from houseway.games import approved_book
    from houseway.paytables import PayTable

    game = find_game("caribbean-stud")
    table = approved_book().find(("caribbean-stud",), "bet", "standard")
    assert game is not None
    assert isinstance(table, PayTable)
    for cards, up in (("As Kd Qc 4h 2s", "Qd"), ("2c 2d 9h Ts Jd", "2h"), ("5c 6c 7c 8c 9c", "Tc")):
        held, seen = read_cards(cards), read_cards(up)[0]
        ours = {choice.what: choice.value for choice in choices(game, held, seen).choices}
        assert ours == caribbean_stud.advise(held, seen, table)


def test_advise_at_pai_gow_sets_and_doubles() -> None:
    made = data("advise", "six-card-pai-gow", "--cards", "As Kd Kc 4h 2s Jk")
    assert len(made["choices"]) == 12
    assert made["choices"][0]["choice"] == "low Jk, high As Kd Kc 4h 2s, double down"
    assert made["choices"][0]["best"] is True
    assert [one["notes"] for one in made["choices"] if "house way" in one["notes"]] == [["house way"], ["house way"]]
    fouled = data("advise", "six-card-pai-gow", "--cards", "As 3d 5c 7h 9s Jd")
    assert any("fouls" in one["notes"] for one in fouled["choices"])


@pytest.mark.parametrize(("game", "fold"), [("straight-edge-1", -1), ("straight-edge-2", -2)])
def test_advise_at_straight_edge(game: str, fold: int) -> None:
    made = data("advise", game, "--cards", "2c 4d 6h 8s Tc Qd 4h")
    assert [choice["value"] for choice in made["choices"] if choice["choice"] == "fold"] == [fold]
    assert made["choices"][0]["choice"] == "fold"
    best = data("advise", game, "--cards", "2c 3d 4h 5s 6c 7d 8h")
    assert best["choices"][0]["choice"] == "play"


# ------------------------------------------------------------------------------------------------ a process of its own

ONE = (
    "import signal, sys, time, typer\n"
    # A shell that runs the tests in the background lets its children ignore the interrupt.
    "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    "from houseway.commands import proof\n"
    "app = typer.Typer(pretty_exceptions_enable=False)\n"
    "for command in (proof.figures, proof.prove, proof.strategy, proof.advise): app.command()(command)\n"
    "try: app(standalone_mode=False)\n"
    "finally: sys.stderr.write(f'{time.process_time():.2f} ' + str('numba' in sys.modules))\n"
)


def process(*words: str, cache: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"HOUSEWAY_CACHE": str(cache)}
    return subprocess.run(
        [sys.executable, "-c", ONE, *words], env=environment, capture_output=True, text=True, check=True
    )


def test_figures_that_are_known_need_no_compiler_and_no_time(tmp_path: Path) -> None:
    for words in (("figures", "--json"), ("prove",), ("strategy", "caribbean-stud")):
        done = process(*words, cache=tmp_path)
        seconds, numba = done.stderr.split()
        assert float(seconds) < 2
        assert numba == "False"
    assert not list(tmp_path.iterdir())


def test_advise_is_quick(tmp_path: Path) -> None:
    for words in (
        ("advise", "caribbean-stud", "--cards", "As Kd Qc 4h 2s", "--up", "Qd"),
        ("advise", "three-card-poker", "--cards", "As Kd Qc"),
        ("advise", "straight-edge-2", "--cards", "2c 4d 6h 8s Tc Qd 4h"),
    ):
        seconds, numba = process(*words, cache=tmp_path).stderr.split()
        assert float(seconds) < 2
        assert numba == "False"


def test_ctrl_c_stops_and_says_what_is_saved(tmp_path: Path) -> None:
    environment = os.environ | {"HOUSEWAY_CACHE": str(tmp_path)}
    # Every game: after the first count there is always enough left to be stopped in.
    words = ("figures", "--fresh", "--json")
    with subprocess.Popen(
        [sys.executable, "-c", ONE, *words],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as going:
        assert going.stderr is not None
        assert going.stdout is not None
        first = going.stderr.readline()
        going.send_signal(signal.SIGINT)
        rest = going.stderr.read()
        assert going.stdout.read() == ""
        assert going.wait(timeout=60) == proof.INTERRUPTED
    assert first.startswith("counted ")
    assert "of 124 counts are done and saved; without --fresh the next run goes on from there" in rest
    assert "Traceback" not in rest
