"""House files beside the approved tables: what is accepted, what is refused, and in which words."""

from __future__ import annotations

from pathlib import Path

import pytest

from houseway.games import all_schemas
from houseway.paytables import Book, approved_files, load_approved, load_house_file
from houseway.refusal import Refusal

TABLE = """
[[paytable]]
game = "three-card-poker"
wager = "pair_plus"
id = "{id}"
pays = "to"
rows = {{ straight_flush = "35", three_of_a_kind = "33", straight = "6", flush = "3", pair = "1" }}
"""


@pytest.fixture(scope="module")
def approved() -> Book:
    return load_approved(approved_files(), all_schemas())


def write(folder: Path, text: str, name: str = "house.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_house_table_is_found_beside_the_approved_ones(tmp_path: Path, approved: Book) -> None:
    house = load_house_file(write(tmp_path, TABLE.format(id="HOUSE-1")), all_schemas())
    both = approved.with_house_tables(house)
    table = both.find(("three-card-poker",), "pair_plus", "HOUSE-1")
    assert table is not None
    assert (table.approved, table.source) == (False, "house.toml")
    assert table.label == "pair_plus HOUSE-1 (not approved)"
    assert len(both.tables) == len(approved.tables) + 1
    assert both.designators == approved.designators
    assert approved.find(("three-card-poker",), "pair_plus", "HOUSE-1") is None


def test_a_house_progressive_says_that_it_is_not_approved(tmp_path: Path) -> None:
    text = '[[paytable]]\ngame = "straight-edge"\nwager = "progressive"\nid = "H"\nrows.7 = { percent = 100 }\n'
    (table,) = load_house_file(write(tmp_path, text), all_schemas()).tables
    assert table.label == "progressive H (not approved)"


@pytest.mark.parametrize("names", ['A"\nalias = "B2', 'NEW"\nalias = "A'])
def test_a_house_table_cannot_take_the_name_of_an_approved_one(tmp_path: Path, approved: Book, names: str) -> None:
    house = load_house_file(write(tmp_path, TABLE.format(id=names)), all_schemas())
    with pytest.raises(Refusal, match=r'"A" in house\.toml already belongs to a table in three-card-poker'):
        approved.with_house_tables(house)


def test_a_house_designator_cannot_take_an_approved_name(tmp_path: Path, approved: Book) -> None:
    text = TABLE.format(id="H") + '[designators.three-card-poker]\n"TCP-01" = { pair_plus = "H" }\n'
    house = load_house_file(write(tmp_path, text), all_schemas())
    with pytest.raises(Refusal, match="designators three-card-poker TCP-01: this designator already exists"):
        approved.with_house_tables(house)


def test_the_same_name_for_another_wager_is_free(tmp_path: Path, approved: Book) -> None:
    house = load_house_file(write(tmp_path, TABLE.format(id="TCP-6B1")), all_schemas())
    assert approved.with_house_tables(house).find(("three-card-poker",), "pair_plus", "TCP-6B1")


def test_a_file_with_defects_is_refused_whole_with_the_first_of_them(tmp_path: Path) -> None:
    path = write(tmp_path, TABLE.format(id="H") + "[[paytable]]\n[[paytable]]\n")
    with pytest.raises(Refusal) as refused:
        load_house_file(path, all_schemas())
    assert refused.value.field == str(path)
    assert refused.value.sentence.startswith("paytable 2: game is missing; ")
    assert refused.value.sentence.count(" is missing; ") == 5
    assert refused.value.sentence.endswith("; and 3 more")


def test_a_file_that_is_no_toml_is_refused_with_its_name_once(tmp_path: Path) -> None:
    with pytest.raises(Refusal) as refused:
        load_house_file(write(tmp_path, "pays to"), all_schemas())
    assert refused.value.sentence.startswith("the file cannot be read as TOML: ")


def test_a_file_that_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.toml", tmp_path, Path("no\0path")):
        with pytest.raises(Refusal, match="the file cannot be opened"):
            load_house_file(path, all_schemas())


def test_a_defect_in_an_approved_file_is_a_bug(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"approved\.toml: paytable 1: game is missing"):
        load_approved([write(tmp_path, "[[paytable]]\n", "approved.toml")], all_schemas())


def test_one_name_in_two_approved_files_is_a_bug(tmp_path: Path) -> None:
    twice = [write(tmp_path, TABLE.format(id="A"), name) for name in ("one.toml", "two.toml")]
    with pytest.raises(RuntimeError, match=r'two\.toml: .* "A" in two\.toml already belongs to .* one\.toml'):
        load_approved(twice, all_schemas())
