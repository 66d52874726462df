"""The approved tables: complete, unchanged, and the same as the specification where it stands beside us."""

from __future__ import annotations

import hashlib
import json
import pickle
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from houseway.games import all_schemas
from houseway.paytables import (
    Book,
    Odds,
    PayTable,
    ProgressiveTable,
    Table,
    approved_files,
    load_approved,
    read,
)

SPECIFICATION = Path(__file__).parents[3] / "shared" / "spec"
DIGESTS = {
    "baccarat.toml": (5, "dcfeff16cc2f8869"),
    "caribbean-stud.toml": (21, "19853e370966e11d"),
    "casino-war.toml": (2, "217b90d4695927e5"),
    "crazy-four-poker.toml": (5, "f84ae0a4163390c6"),
    "dj-wild.toml": (1, "992a0397d8901560"),
    "five-card-link.toml": (3, "527c836deeed2b2c"),
    "four-card-poker.toml": (7, "211f94b3dcdd2900"),
    "let-it-ride.toml": (5, "374cd93ccc74e975"),
    "mississippi-stud.toml": (4, "f8744ef6c4cd66c2"),
    "six-card-pai-gow.toml": (8, "9ac34d31fd1bac35"),
    "straight-edge.toml": (8, "cb679fc42158ab46"),
    "texas-holdem-bonus.toml": (1, "dc4098959e872ada"),
    "three-card-poker.toml": (13, "3ce87bdde41a2570"),
    "ultimate-texas-holdem.toml": (6, "28ae35ea404c5e4a"),
}
"""By file: how many tables it holds, and the digest of what they say. A game brings its own line."""


@pytest.fixture(scope="module")
def book() -> Book:
    return load_approved(approved_files(), all_schemas())


def without_source(book: Book) -> dict[tuple[str, str, str], Table]:
    return {(table.game, table.wager, table.id): replace(table, source="") for table in book.tables}


def odds_table(book: Book, game: str, wager: str, name: str) -> PayTable:
    table = book.find((game,), wager, name)
    assert isinstance(table, PayTable)
    return table


def progressive(book: Book, game: str, name: str) -> ProgressiveTable:
    table = book.find((game,), "progressive", name)
    assert isinstance(table, ProgressiveTable)
    return table


def test_every_table_is_there_and_none_has_changed(book: Book) -> None:
    files: dict[str, tuple[int, str]] = {}
    for file in approved_files():
        tables = [
            {key: value for key, value in asdict(replace(table, source="")).items() if not key.startswith("_")}
            for table in sorted(book.tables, key=lambda table: (table.game, table.wager, table.id))
            if table.source == file.name
        ]
        canonical = json.dumps(tables, sort_keys=True)
        files[file.name] = (len(tables), hashlib.sha256(canonical.encode()).hexdigest()[:16])
    assert files == DIGESTS
    assert len(book.designators) == 12


@pytest.mark.skipif(not SPECIFICATION.exists(), reason="the specification does not stand beside the project")
def test_the_tables_are_those_of_the_specification(book: Book) -> None:
    """Those of the documents, all of them, and those from public rules of every game that is here."""
    documents = (SPECIFICATION / "paytables.toml").read_bytes()
    specified, defects = read(documents + public_tables(), "paytables.toml", all_schemas(), approved=True)
    assert defects == ()
    assert without_source(book) == without_source(specified)
    assert set(map(repr, book.designators)) == set(map(repr, specified.designators))


def public_tables() -> bytes:
    """The tables from public rules, those of games that are not here left out."""
    heading = "[[paytable]]\n"
    _, *tables = (SPECIFICATION / "games" / "paytables.toml").read_text("utf-8").split(heading)
    here = {f'game = "{schema.game}"' for schema in all_schemas()}
    return "".join(heading + table for table in tables if table.split("\n", 1)[0] in here).encode()


def test_approved_tables_say_so_and_know_their_file(book: Book) -> None:
    assert all(table.approved for table in book.tables)
    table = odds_table(book, "three-card-poker", "pair_plus", "A")
    assert (table.label, table.source) == ("pair_plus A", "three-card-poker.toml")


@pytest.mark.clause("TC-12")
def test_designators_name_the_approved_pairs(book: Book) -> None:
    pairs = ["AA", "AB", "BA", "BB", "CA", "CB", "AC", "BC", "CC", "AD", "BD", "CD"]
    assert len(book.designators) == len(pairs)
    for number, pair in enumerate(pairs, start=1):
        designator = book.designator("three-card-poker", f"TCP-{number:02}")
        assert designator is not None
        assert designator.tables == {"ante_bonus": pair[0], "pair_plus": pair[1]}
    assert book.designator("three-card-poker", "TCP-13") is None
    assert book.designator("caribbean-stud", "TCP-01") is None


def test_odds_are_exact_and_in_lowest_terms(book: Book) -> None:
    table = odds_table(book, "straight-edge-1", "bonus", "1")
    assert table.odds("4") == Odds(3, 2)
    assert table.odds("7") == Odds(40, 1)
    assert table.odds("3") is None
    assert table.returns_wager is True
    assert table.by == "length of straight"


def test_a_schedule_is_aligned_with_the_hands_asked_for(book: Book) -> None:
    table = odds_table(book, "straight-edge-1", "bonus", "1")
    assert table.schedule(("3", "4", "5")) == ((0, 3, 6), (0, 2, 1))


def test_a_table_by_columns_is_asked_by_number_of_hands(book: Book) -> None:
    table = odds_table(book, "caribbean-stud", "cover_all", "standard")
    assert table.columns == (2, 3, 4, 5, 6, 7, 8)
    assert table.odds("royal_flush", 2) == Odds(500, 1)
    assert table.odds("three_of_a_kind", 8) == Odds(3, 1)
    assert table.schedule(("flush", "pair"), column=8) == ((5, 0), (1, 0))
    for column in (None, 1, 9):
        with pytest.raises(ValueError, match="its columns are 2, 3, 4, 5, 6, 7, 8"):
            table.odds("flush", column)
    with pytest.raises(ValueError, match="its columns are none"):
        odds_table(book, "caribbean-stud", "bet", "standard").odds("flush", 2)


def test_money_is_whole_cents(book: Book) -> None:
    table = progressive(book, "caribbean-stud", "CSTUD-10")
    assert table.stated_wager_cents == 250
    assert table.seed_cents == 1_500_000
    row = table.row("three_of_a_kind")
    assert row is not None
    assert (row.fixed_cents, row.source, row.percent, row.for_one, row.meter) == (
        750,
        "tray",
        None,
        None,
        None,
    )


def test_a_progressive_row_says_where_its_money_comes_from(book: Book) -> None:
    table = progressive(book, "three-card-poker", "1")
    spades, other = table.row("akq_spades"), table.row("akq_other_suit")
    assert spades is not None
    assert other is not None
    assert (spades.percent, spades.meter, spades.source, spades.envy_cents) == (100, "main", "meter", 10_000)
    assert (other.for_one, other.source, other.envy_cents) == (Odds(500, 1), "tray", 2_500)
    assert table.row("flush") is None
    assert (table.figures_wager_cents, table.stated_wager_cents) == (100, None)
    open_row = progressive(book, "five-card-link", "01").row("flush")
    assert open_row is not None
    assert open_row.source == "open"


def test_meters_are_named_in_row_order(book: Book) -> None:
    assert progressive(book, "caribbean-stud", "CSTUD-06").meters == ("main",)
    assert progressive(book, "five-card-link", "ML03").meters == ("mega", "major", "minor")
    assert progressive(book, "six-card-pai-gow", "QH").meters == ("five aces", "royal flush")


def test_some_caribbean_tables_are_also_for_several_games(book: Book) -> None:
    tables = book.of(("caribbean-stud",), "progressive")
    several = [one.id for one in tables if isinstance(one, ProgressiveTable) and one.multi_game]
    assert several == ["CSTUD-15", "CSTUD-16"]


def test_fortune_envy_is_flat_and_has_a_least_wager(book: Book) -> None:
    table = odds_table(book, "six-card-pai-gow", "fortune", "1")
    assert (table.envy_cents["five_aces"], table.envy_cents["full_house"]) == (100_000, 500)
    assert "flush" not in table.envy_cents
    assert table.envy_minimum_cents == 500
    assert odds_table(book, "six-card-pai-gow", "fortune", "2").envy_minimum_cents == 0


def test_printed_figures_stay_as_printed(book: Book) -> None:
    printed = progressive(book, "three-card-poker", "1").printed
    assert printed["house_edge"] == "22.33%"
    assert printed["average_top_award"] == "4000"
    assert odds_table(book, "three-card-poker", "ante_bonus", "A").printed == {"par_per_ante": "3.37%"}


def test_a_table_is_found_by_id_or_alias_in_the_first_family_that_has_it(book: Book) -> None:
    families = ("caribbean-stud", "five-card-link")
    by_alias = book.find(families, "progressive", "PCSA1")
    assert by_alias is book.find(families, "progressive", "CSTUD-01")
    assert by_alias is not None
    link, edge = book.find(families, "progressive", "01"), book.find(("straight-edge",), "progressive", "01")
    assert link is not None
    assert edge is not None
    assert (link.game, edge.id) == ("five-card-link", "TWBB-1")
    both = book.find(("straight-edge", "five-card-link"), "progressive", "01")
    assert both is edge
    assert book.find(families, "progressive", "pcsa1") is None
    assert book.find(families, "bonus", "PCSA1") is None


def test_the_tables_of_a_game_come_family_by_family(book: Book) -> None:
    tables = book.of(("five-card-link", "caribbean-stud"))
    assert [table.id for table in tables[:4]] == ["01", "ML01", "ML03", "standard"]
    assert len(tables) == 3 + 1 + 3 + 1 + 16
    assert {table.wager for table in book.of(("straight-edge",), "insurance")} == {"insurance"}


def test_books_can_travel_to_another_process_and_tables_can_be_keys(book: Book) -> None:
    copy = pickle.loads(pickle.dumps(book))
    assert copy == book
    assert copy.find(("straight-edge",), "progressive", "02") == book.find(("straight-edge",), "progressive", "TWBB-2")
    assert len(set(book.tables)) == len(book.tables)
    assert hash(copy) == hash(book)
