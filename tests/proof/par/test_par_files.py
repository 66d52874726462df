"""A par sheet on paper and in a workbook says what its JSON says, and the command writes all three or nothing."""

from __future__ import annotations

import io
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import typer
from typer.testing import CliRunner

from houseway.commands.par import par
from houseway.proof.par import Asked, document, make, workbook
from houseway.refusal import Refusal

GAMES = ("caribbean-stud", "six-card-pai-gow", "straight-edge-1", "straight-edge-2", "three-card-poker")
HOUSE = """
[[paytable]]
game = "three-card-poker"
wager = "pair_plus"
id = "=1+1"
pays = "to"
rows = { straight_flush = "35", three_of_a_kind = "33", straight = "6", flush = "3", pair = "1" }
"""

app = typer.Typer(pretty_exceptions_enable=False)
app.command()(par)


@cache
def sheet(game: str) -> dict[str, Any]:
    return make(Asked(game))


@cache
def book(game: str) -> Any:
    return openpyxl.load_workbook(io.BytesIO(workbook.render(sheet(game))))


def run(*arguments: str | Path) -> Any:
    return CliRunner().invoke(app, [str(one) for one in arguments])


def refusal(*arguments: str | Path) -> Refusal:
    done = run(*arguments)
    assert isinstance(done.exception, Refusal), done.output
    return done.exception


# ---------------------------------------------------------------------------------------------------------------- paper


@pytest.mark.parametrize("game", GAMES)
def test_the_pdf_has_a_page_for_every_wager(game: str) -> None:
    made = document.render(sheet(game))
    assert made.startswith(b"%PDF-")
    assert made.rstrip().endswith(b"%%EOF")
    pages = len(re.findall(rb"/Type ?/Page\b", made))
    assert pages >= 4 + len(sheet(game)["wagers"]) - 1


def test_the_same_sheet_gives_the_same_bytes() -> None:
    assert document.render(sheet("straight-edge-2")) == document.render(sheet("straight-edge-2"))


def test_a_picture_shows_what_the_document_holds() -> None:
    pages = document.pictures(sheet("straight-edge-2"), "png", 30)
    assert all(page.startswith(b"\x89PNG") for page in pages)
    assert len(pages) == len(re.findall(rb"/Type ?/Page\b", document.render(sheet("straight-edge-2"))))


@pytest.mark.parametrize("game", GAMES)
def test_the_document_shows_the_figures_of_the_sheet(game: str) -> None:
    data = sheet(game)
    made = document.document(data)
    assert (made["digest"], made["hash"]) == (data["digest"], data["content_sha256"])
    assert [one["title"] for one in made["summary"]] == [one["title"] for one in data["wagers"]]
    for shown, one in zip(made["wagers"], data["wagers"], strict=True):
        facts = dict(shown["facts"])
        edge = one["figures"]["house_edge"]
        key = next(name for name in facts if name.startswith("House edge"))
        if edge is None:
            assert facts[key] == document.NONE
        else:
            said = float(facts[key].removesuffix("%").replace(document.MINUS, "-")) / 100
            assert said == pytest.approx(edge["value"], abs=5.1e-7)
            assert edge["exact"] is None or facts["exactly"].replace(document.MINUS, "-") == edge["exact"]
        rows = (shown["awards"] or shown["distribution"])["rows"]
        assert len(rows) == len(one["distribution"]["outcomes"])
        cases = [row["ways"] for row in one["distribution"]["outcomes"] if row["ways"] is not None]
        if cases:
            assert all(f"{ways:,}" in row["cells"] for ways, row in zip(cases, rows, strict=True))
        if one["house_result"]:
            assert len(shown["confidence"]["rows"]) == len(one["house_result"]["confidence"])


def test_what_print_says_is_judged_as_the_proof_judges_it() -> None:
    for game in GAMES:
        made = document.document(sheet(game))
        for one in sheet(game)["wagers"]:
            judged = [row[4] for row in made["printed"] if row[0] == one["title"]]
            expected = {"differs": True, "reproduced": False, "not printed": False}[one["figures"]["verdict"]]
            assert ("no" in judged) == expected
            assert bool(judged) == (one["figures"]["verdict"] != "not printed")


def test_an_inferred_contribution_is_not_called_a_confirmation() -> None:
    rows = document.document(sheet("caribbean-stud"))["printed"]
    assert ["Progressive, table CSTUD-01", "house edge", "28%", "28.4609%", "with 70% inferred"] in rows


def test_envy_that_stands_beside_a_distribution_is_said() -> None:
    made = document.document(sheet("six-card-pai-gow"))
    notes = {one["title"]: (one["distribution"] or {}).get("note") for one in made["wagers"]}
    assert notes["Fortune, table 1"].startswith("These are the results of the own hand. Envy gives back 8.5705% ")
    assert notes["Fortune, table 2"] == ""


# ------------------------------------------------------------------------------------------------------------- workbook


@pytest.mark.parametrize("game", GAMES)
def test_the_workbook_holds_the_figures_of_the_sheet(game: str) -> None:
    data = sheet(game)
    tables = {page.title: list(page.iter_rows(values_only=True)) for page in book(game).worksheets}
    identity = dict(tables["Sheet"][1:])
    assert identity["content of the sheet, SHA-256"] == data["content_sha256"]
    assert identity["digest of rules, rankings, pay tables and solvers"] == data["digest"]
    named = [dict(zip(tables["Figures"][0], row, strict=True)) for row in tables["Figures"][1:]]
    assert len(named) == len(data["wagers"])
    for row, one in zip(named, data["wagers"], strict=True):
        figures = one["figures"]
        assert row["title"] == one["title"]
        assert row["house edge"] == (figures["house_edge"] or {}).get("value")
        assert row["house edge, exactly"] == (figures["house_edge"] or {}).get("exact")
        assert row["hit frequency"] == figures["hit_frequency"]["value"]
        assert row["standard deviation"] == figures["standard_deviation"]
        assert row["volatility index"] == (one["house_result"] or {}).get("volatility_index")
        assert row["verdict"] == figures["verdict"]
    distribution = [dict(zip(tables["Distribution"][0], row, strict=True)) for row in tables["Distribution"][1:]]
    outcomes = [(one["title"], row) for one in data["wagers"] for row in one["distribution"]["outcomes"]]
    assert len(distribution) == len(outcomes)
    for line, (title, outcome) in zip(distribution, outcomes, strict=True):
        assert (line["title"], line["result"], line["net"]) == (title, outcome["what"], outcome["net"])
        assert (None if line["cases"] is None else int(line["cases"])) == outcome["ways"]
        assert line["chance"] == outcome["chance"]["value"]
        assert [line["at least"], line["at most"]] == outcome.get("bounds", [None, None])
    confidence = [row for one in data["wagers"] for row in (one["house_result"] or {"confidence": ()})["confidence"]]
    assert len(tables["Confidence"]) - 1 == len(confidence)
    for cells, after in zip(tables["Confidence"][1:], confidence, strict=True):
        assert list(cells[1:]) == [
            *(after["rounds"], after["normal"], *after["90%"], *after["95%"], *after["99%"], after["house_behind"])
        ]
    awards = [(one["title"], row) for one in data["wagers"] for row in (one["progressive"] or {"rows": ()})["rows"]]
    assert [(row[0], row[1], int(row[5])) for row in tables["Progressive"][1:]] == [
        (title, row["hand"], row["ways"]) for title, row in awards
    ]
    assert len(tables["Rules"]) - 1 == sum(len(section["lines"]) for section in data["game"]["rules"])


def test_a_count_beyond_a_spreadsheets_digits_stands_exactly() -> None:
    cells = [cell for row in book("caribbean-stud")["Distribution"].iter_rows(values_only=True) for cell in row]
    assert "3391312267521097920" in cells


# -------------------------------------------------------------------------------------------------------------- command


def test_the_command_writes_all_three_and_verifies(tmp_path: Path) -> None:
    for suffix in (".pdf", ".xlsx", ".json"):
        done = run("three-card-poker", "--table", "TCP-01", "-o", tmp_path / f"sheet{suffix}")
        assert done.exit_code == 0, done.output
        assert done.stdout.startswith(f"wrote {tmp_path / f'sheet{suffix}'}: Three Card Poker, 2 wagers, content ")
    assert (tmp_path / "sheet.pdf").read_bytes().startswith(b"%PDF-")
    assert len(openpyxl.load_workbook(tmp_path / "sheet.xlsx").worksheets) > 5
    done = run("--verify", tmp_path / "sheet.json", "--kept")
    assert (done.exit_code, done.stdout) == (
        0,
        f"{tmp_path / 'sheet.json'} holds: Three Card Poker, 2 wagers, computed again from the kept counts\n",
    )
    assert sorted(one.name for one in tmp_path.iterdir()) == ["sheet.json", "sheet.pdf", "sheet.xlsx"]


def test_the_command_counts_again_and_names_what_does_not_hold(tmp_path: Path) -> None:
    file = tmp_path / "sheet.json"
    assert run("three-card-poker", "--wager", "pair_plus", "--table", "A", "-o", file).exit_code == 0
    done = run("--verify", file)
    assert done.exit_code == 0
    assert done.stdout.endswith("1 wager, every case counted again\n")
    file.write_text(file.read_text("utf-8").replace('"128/5525"', '"129/5525"'), "utf-8")
    done = run("--verify", file)
    assert done.exit_code == 1
    first, *_, last = done.stdout.splitlines()
    assert first == (
        'wagers[Pair Plus, table A].figures.house_edge.exact: the sheet says "129/5525", counted is "128/5525"'
    )
    assert last == f"{file} does not hold"
    told = json.loads(run("--verify", file, "--json", "--kept").stdout)
    assert told["holds"] is False
    assert told["differences"][0]["counted"] == '"128/5525"'


def test_a_sheet_on_standard_output(tmp_path: Path) -> None:
    done = run("straight-edge-1", "--json", "--wager", "base")
    assert json.loads(done.stdout)["game"]["key"] == "straight-edge-1"


def test_a_sheet_of_the_houses_own_table(tmp_path: Path) -> None:
    """Its name begins like a formula and stays a name; its file may go."""
    tables = tmp_path / "house.toml"
    tables.write_text(HOUSE, "utf-8")
    for suffix in (".json", ".xlsx", ".pdf"):
        assert run("three-card-poker", "--paytable", tables, "-o", tmp_path / f"own{suffix}").exit_code == 0
    tables.unlink()
    data = json.loads((tmp_path / "own.json").read_text("utf-8"))
    assert str(tmp_path) not in json.dumps(data)
    assert document.document(data)["approved"] is False
    cell = openpyxl.load_workbook(tmp_path / "own.xlsx")["Figures"]["B2"]
    assert (cell.value, cell.data_type) == ("=1+1", "s")
    assert run("--verify", tmp_path / "own.json", "--kept").exit_code == 0


def test_circumstances_reach_the_sheet(tmp_path: Path) -> None:
    given = ("--contribution", "30%", "--seed", "2500", "--option", "fixed_from=tray", "--table", "CSTUD-01")
    done = run("caribbean-stud", *given, "--json")
    asked = json.loads(done.stdout)["asked"]
    assert asked["contribution"] == "3/10"
    assert asked["seeds_cents"] == {"main": 250_000}
    assert asked["options"] == {"fixed_from": "tray"}


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ((), "game"),
        (("whist", "-o", "x.pdf"), "game"),
        (("three-card-poker",), "output"),
        (("three-card-poker", "-o", "x.doc"), "output"),
        (("three-card-poker", "-o", "nowhere/x.pdf"), "output"),
        (("three-card-poker", "-o", "folder.pdf"), "output"),
        (("three-card-poker", "-o", "there.pdf"), "output"),
        (("three-card-poker", "-o", "x.pdf", "--table", "Z"), "table"),
        (("three-card-poker", "-o", "x.pdf", "--contribution", "much"), "contribution"),
        (("three-card-poker", "-o", "x.pdf", "--seed", "-1"), "seed"),
        (("three-card-poker", "-o", "x.pdf", "--option", "equal_hands"), "option"),
        (("three-card-poker", "-o", "x.pdf", "--paytable", "none.toml"), "none.toml"),
        (("--verify", "none.json"), "none.json"),
        (("--verify", "there.pdf"), "there.pdf"),
        (("--verify", "list.json"), "list.json"),
        (("--verify", "twice.json"), "twice.json"),
        (("--verify", "list.json", "-o", "x.pdf"), "--output"),
        (("three-card-poker", "--verify", "list.json"), "GAME"),
    ],
)
def test_what_cannot_be_done_is_refused_and_nothing_written(
    arguments: tuple[str, ...], field: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.pdf").mkdir()
    (tmp_path / "there.pdf").write_text("mine", "utf-8")
    (tmp_path / "list.json").write_text("[1]", "utf-8")
    (tmp_path / "twice.json").write_text('{"kind": 1, "kind": 2}', "utf-8")
    before = sorted(tmp_path.iterdir())
    assert refusal(*arguments).field == field
    assert sorted(tmp_path.iterdir()) == before
    assert (tmp_path / "there.pdf").read_text("utf-8") == "mine"


def test_an_existing_file_is_replaced_only_when_forced(tmp_path: Path) -> None:
    file = tmp_path / "sheet.json"
    file.write_text("mine", "utf-8")
    assert refusal("straight-edge-1", "-o", file).field == "output"
    assert run("straight-edge-1", "-o", file, "--force").exit_code == 0
    assert json.loads(file.read_text("utf-8"))["kind"] == "houseway par sheet"
    assert [one.name for one in tmp_path.iterdir()] == ["sheet.json"]
