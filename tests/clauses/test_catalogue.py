"""The catalogue holds every clause of the specification, once, in our own words."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from houseway.clauses import catalogue
from houseway.refusal import Refusal

ROOT = Path(__file__).resolve().parents[2]
SPECIFICATION = ROOT.parent / "shared" / "spec"
BOLD_ID = re.compile(r"\*\*([A-Z][A-Z0-9]*-A?[0-9]+)\*\*(.*)")

COUNTS = {
    "CS": 11,
    "CSB": 4,
    "CSC": 9,
    "CSP": 8,
    "TC": 17,
    "TCB": 5,
    "TCX": 5,
    "SE": 5,
    "SE1": 11,
    "SE2": 9,
    "SEB": 6,
    "PG": 20,
    "PGD": 3,
    "PGF": 3,
    "PGI": 1,
    "PGP": 4,
    "PR": 42,
    "FL": 25,
    "TR": 14,
}
FROM_PUBLIC_RULES = {"MS": 12, "LR": 9, "UT": 14, "HB": 11, "CF": 11, "FC": 8, "DJ": 8, "CW": 9, "BA": 12}
"""Games that no document describes: each is a part of its own, built when its game is."""
BUILT = {"BA", "CF", "CW", "DJ", "FC", "FV", "HB", "LR", "MS", "UT"}
LIVE_PROCEDURE_OF_THE_GAMES = {
    *("CS-5", "CS-7", "CS-10", "CS-11", "CSC-4", "CSC-5", "CSC-A1", "CSC-A3"),
    *("TC-5", "TC-15", "TCB-5", "SE-5", "SE2-4", "PGF-2", "PG-3", "PG-6", "PG-18"),
}
TIGHTENED = {"PR-A2", "FL-7", "FL-9"}


def specified() -> dict[str, str]:
    """The clauses as the specification has them, where it stands beside the repository."""
    text = "\n".join(file.read_text(encoding="utf-8") for file in sorted(SPECIFICATION.rglob("*.md")))
    return dict(BOLD_ID.findall(text))


beside_the_specification = pytest.mark.skipif(
    not SPECIFICATION.is_dir(), reason="the specification does not stand beside the repository"
)


@beside_the_specification
def test_the_catalogue_has_the_clauses_of_the_specification_and_no_others() -> None:
    assert set(catalogue.load().clauses) == set(specified())


@beside_the_specification
def test_the_words_are_our_own() -> None:
    def runs(text: str) -> set[tuple[str, ...]]:
        words = re.findall(r"[\w%$.'-]+", text.lower())
        return {tuple(words[start : start + 8]) for start in range(len(words) - 7)}

    texts = specified()
    assert [c.id for c in catalogue.load().clauses.values() if runs(c.says) & runs(texts[c.id])] == []


def test_the_counts_are_pinned() -> None:
    found = Counter(clause.family for clause in catalogue.load().clauses.values())
    assert found == {**COUNTS, **FROM_PUBLIC_RULES, "FV": 4}
    assert found.total() == 300


def test_what_is_built_and_what_is_not_yet() -> None:
    assert {part.name: part.built for part in catalogue.load().parts.values()} == {
        "rulebook": True,
        "table": True,
        "manager": True,
        "screens": True,
        "trust": True,
        "procedure": True,
        **{family: family in BUILT for family in (*FROM_PUBLIC_RULES, "FV")},
    }


def test_of_the_games_only_live_procedure_waits_for_the_table() -> None:
    games = [
        c for c in catalogue.load().clauses.values() if c.family not in ("PR", "FL", "TR", "FV", *FROM_PUBLIC_RULES)
    ]
    assert {c.id for c in games if c.part.name == "table"} == LIVE_PROCEDURE_OF_THE_GAMES
    assert {c.part.name for c in games} == {"table", "rulebook"}


def test_clauses_that_the_specification_tightened_wait_to_be_built_again() -> None:
    clauses = catalogue.load().clauses.values()
    assert {c.id for c in clauses if c.part.name == "procedure"} == TIGHTENED
    assert {c.part.name for c in clauses if c.family == "TR"} == {"trust"}


def test_progressive_and_floor_clauses_fall_to_their_parts() -> None:
    clauses = catalogue.load().clauses.values()
    parts = {family: Counter(c.part.name for c in clauses if c.family == family) for family in ("PR", "FL")}
    assert parts == {
        "PR": {"manager": 37, "screens": 4, "procedure": 1},
        "FL": {"table": 16, "manager": 7, "procedure": 2},
    }


def test_clauses_of_games_without_documents_fall_to_their_game() -> None:
    clauses = [c for c in catalogue.load().clauses.values() if c.family in (*FROM_PUBLIC_RULES, "FV")]
    assert {c.source for c in clauses} == {"public rules"}
    assert all(c.part.name == c.family for c in clauses)


def test_every_source_is_a_document_a_law_public_rules_or_ours() -> None:
    known = re.compile(r"ours|public rules|.*\b00[0-4] \((2022|2023|undated)\).*|WAC 230-15.*")
    assert [c.id for c in catalogue.load().clauses.values() if not known.fullmatch(c.source)] == []


def test_an_ambiguity_is_known_by_its_id() -> None:
    clauses = catalogue.load().clauses
    assert clauses["CSB-A1"].ambiguous
    assert not clauses["CSB-1"].ambiguous
    assert clauses["SE2-A1"].family == "SE2"


@pytest.mark.parametrize(
    ("prefix", "ids"),
    [
        ("CSB", ["CSB-1", "CSB-2", "CSB-3", "CSB-A1"]),
        ("csb-a", ["CSB-A1"]),
        ("PR-4", ["PR-4"]),
        ("PGI", ["PGI-1"]),
    ],
)
def test_clauses_are_found_by_the_beginning_of_their_id(prefix: str, ids: list[str]) -> None:
    assert [clause.id for clause in catalogue.load().matching(prefix)] == ids


def test_a_game_is_found_with_its_side_wagers() -> None:
    assert {clause.family for clause in catalogue.load().matching("CS")} == {"CS", "CSB", "CSC", "CSP"}


def test_an_unknown_prefix_is_refused_with_the_known_ones() -> None:
    with pytest.raises(Refusal, match=r"“XY”.*CS, CSB, CSC.*FL"):
        catalogue.load().matching("XY")


def test_all_defects_of_a_catalogue_are_listed_at_once() -> None:
    text = """
[parts.rulebook]
title = "the rulebook"
built = "yes"

[[clause]]
id = "CS-1"
says = "fine"
source = "ours"
part = "rulebook"

[[clause]]
id = "CS-1"
says = ""
source = ""
part = "kitchen"

[[clause]]
id = "cs one"
says = "fine"
source = "ours"
part = "rulebook"

[[clause]]
id = "CS-2"
says = "no more"
"""
    with pytest.raises(Refusal) as refused:
        catalogue.read(text)
    for defect in ("built =", "twice", "kitchen", "one line", "no source", "“cs one”", "CS-2 needs exactly"):
        assert defect in refused.value.sentence
