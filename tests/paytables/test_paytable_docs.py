"""The page about pay tables is true: its example is sound, its broken one has the defects it shows."""

from __future__ import annotations

import re
from pathlib import Path

from houseway.games import all_schemas
from houseway.paytables import read
from houseway.paytables.checks import KEYS_OF_KIND, ROW_KEYS

PAGE = (Path(__file__).parents[2] / "docs" / "paytables.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_example_is_sound_and_marked() -> None:
    book, defects = read(blocks("toml")[0], "house.toml", all_schemas(), approved=False)
    assert defects == ()
    assert [table.label for table in book.tables] == [
        "pair_plus HOUSE-1 (not approved)",
        "progressive HOUSE-P (not approved)",
    ]
    assert [one.tables for one in book.designators] == [{"pair_plus": "HOUSE-1", "progressive": "HOUSE-P"}]
    assert book.tables[0].label in PAGE


def test_the_broken_example_has_the_defects_shown() -> None:
    book, defects = read(blocks("toml")[1], "house.toml", all_schemas(), approved=False)
    assert [str(defect) for defect in defects] == blocks("text")[0].splitlines()
    assert book.tables == ()


def test_every_key_is_explained() -> None:
    for key in {key for keys in KEYS_OF_KIND.values() for key in keys}:
        assert f"| `{key}` |" in PAGE, key
    for key in ROW_KEYS:
        assert re.search(rf"\b{key}\b", PAGE), key
