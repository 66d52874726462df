"""TR-4: what people typed is text in every file for a spreadsheet. Through real exports, and read back."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from openpyxl import load_workbook
from tests.web.web_kit import API, ServerHere, serving_here
from typer.testing import CliRunner

from houseway import spreadsheet
from houseway.cli import program
from houseway.proof.par import workbook
from houseway.spreadsheet import cell, csv_line, runs

EVIL = "=cmd|' /C calc'!A0"


@pytest.mark.clause("TR-4")
@pytest.mark.parametrize(
    "text",
    [
        *(EVIL, "+1+1", "-2+3", "@SUM(A1)", "=1", "-", "+", "--5", "-1-1", "+cmd"),
        *(" =1+1", "\t=1+1", "\r=1+1", "\n=1", "\u00a0=1", "\u200b=1", "\ufeff=1", "\u202e=1", "\x00=1"),
        *("＝1+1", "＋1+1", "－1+1", "＠SUM(A1)", "﹦1", "\u3000＝1"),
        *("\tplain", "\rplain", "-1/2+1", "=" * 100_000),
    ],
)
def test_what_a_spreadsheet_would_run_is_written_as_text(text: str) -> None:
    assert runs(text)
    assert cell(text) == f"'{text}"
    if "\x00" not in text:
        assert next(csv.reader(io.StringIO(csv_line([text, 1]), newline=""))) == [f"'{text}", "1"]


@pytest.mark.clause("TR-4")
@pytest.mark.parametrize(
    "text", ["Ann", "O'Hara", "a=b", "x-1", "", "12", "-12", "-0.012500", "+5", "-3/8", "1e-9", "-1e-9"]
)
def test_everything_else_stays_as_it_is(text: str) -> None:
    assert cell(text) == text


@pytest.mark.clause("TR-4")
@pytest.mark.parametrize("end", ["\r", "\n", "\r\n"])
def test_a_line_end_in_a_cell_begins_no_row(end: str) -> None:
    """In a row of its own the formula would stand first."""
    assert csv_line(["Ann", f"x{end}{EVIL}"]) == f'Ann,"x{end}{EVIL}"\n'


@pytest.mark.clause("TR-4")
def test_our_own_numbers_stay_numbers() -> None:
    assert [cell(one) for one in (-5, 0, -1.5, None, True)] == [-5, 0, -1.5, None, True]


def rows_of(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def harmless(rows: list[list[str]]) -> None:
    """No cell of a file is one that a spreadsheet would run."""
    assert rows
    for row in rows:
        for one in row:
            assert not runs(one), one


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerHere]:
    with serving_here(tmp_path_factory.mktemp("sheets")) as made:
        manager, dealer = made.sign_in("5001"), made.sign_in("2001")
        dealer.order("players/admit", player=EVIL)
        manager.order("floor/suspend", EVIL, what="table", id="CS-2", why=EVIL)
        adjust = {"link": "stud", "meter": "main", "cents": -5, "reason": "malfunction", "explanation": EVIL}
        manager.order(
            "adjustments/adjust-meter", "adjust", {"Second-Card": manager.present("4001", "adjust")}, **adjust
        )
        yield made


def run(*arguments: str) -> str:
    done = CliRunner().invoke(program(), list(arguments))
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.clause("TR-4")
def test_every_csv_of_a_floor_is_harmless(server: ServerHere) -> None:
    made = {
        "entries": run("journal", "export", "--csv-entries", "--db", server.database),
        "postings": run("journal", "export", "--csv", "--db", server.database),
        "report": run("report", "--csv", "--db", server.database),
        "accruals": run("accruals", "--csv", "--db", server.database),
        "history": run("history", "stud", "main", "--csv", "--db", server.database),
    }
    manager = server.sign_in("5001")
    for path in ("reports/day.csv", "reports/link.csv", "reports/staff.csv", "reports/accruals.csv"):
        answer = manager.http.get(f"{API}/{path}")
        if answer.status_code == 200:
            made[path] = answer.text
    for text in made.values():
        harmless(rows_of(text))
    assert EVIL in made["history"], "the explanation is there"
    assert f",'{EVIL}," in made["entries"], "and the key of an order, as text"
    movement = next(row for row in rows_of(made["history"]) if "-0.05" in row)
    assert movement, "an amount of our own stays a number"


@pytest.mark.clause("TR-4")
def test_planted_without_the_guard_a_cell_would_run(server: ServerHere, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spreadsheet, "cell", lambda value: value)
    found = rows_of(run("journal", "export", "--csv-entries", "--db", server.database))
    assert any(runs(one) for row in found for one in row)


@pytest.mark.clause("TR-4")
def test_a_cell_of_a_workbook_is_text(tmp_path: Path) -> None:
    """By the writer of par sheets, with names that people chose."""
    page = workbook.Page("Sheet", ("what",), ((EVIL,), ("＝1",), (-5,), ("Ann",)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workbook, "pages", lambda data: (page,))
        data = {"game": {"title": EVIL}, "program": {"name": "houseway", "version": "1"}}
        file = tmp_path / "sheet.xlsx"
        file.write_bytes(workbook.render(data))
    sheet = load_workbook(file)["Sheet"]
    cells = [sheet.cell(row, 1) for row in range(2, 6)]
    assert [one.data_type for one in cells] == ["s", "s", "n", "s"]
    assert [bool(one.quotePrefix) for one in cells] == [True, True, False, False]
    assert cells[0].value == EVIL
