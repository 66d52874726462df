"""Nothing that stands in a file makes the loader raise or take long, and what it accepts is sound."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from houseway.games import all_schemas
from houseway.paytables import Defect, PayTable, approved_files, read

FILES = [file.read_text(encoding="utf-8") for file in approved_files()]
PUSHES = {(schema.game, schema.wager) for schema in all_schemas() if schema.pushes}
VALUE = re.compile(r'"[^"\n]*"|\b\d+(?:\.\d+)?\b|\{[^{}\n]*\}|\b(?:to|percent|rows|from|game|true)\b')
REPLACEMENTS = (
    "", "0", "-1", "1.5", "7.505", "nan", "-inf", "1e999999999", "1e99999999999999999999", "9" * 5000,
    "0x" + "f" * 5000, "true", '""', '"x"', '"\\u0000"', '"3/2"', '"1/0"', '"tray"', "[]", "[1, 2]", "{}",
    "{ percent = 100 }", "{ a = { b = [{}] } }", "1979-05-27", "07:32:00", "\n", "]", "}", '"""', "'", "=",
    "#", "[" * 2000, "a." * 45 + "a", '"royal_flush"', "100", "\ud800", "\x00",
)  # fmt: skip

fuzzed = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def check(text: str | bytes) -> tuple[Defect, ...]:
    started = time.process_time()
    book, defects = read(text, "house.toml", all_schemas(), approved=False)
    assert time.process_time() - started < 3
    assert bool(defects) or bool(book.tables)
    assert all(str(defect).isprintable() for defect in defects)
    for table in book.tables:
        assert table.rows
        if isinstance(table, PayTable):
            assert all(len(row.odds) == len(table.columns or (0,)) for row in table.rows)
            least = 0 if (table.game, table.wager) in PUSHES else 1
            assert all(odds.num >= least and odds.den > 0 for row in table.rows for odds in row.odds)
    return defects


@fuzzed
@given(st.text() | st.binary())
def test_any_text_is_answered(text: str | bytes) -> None:
    assert check(text)


@fuzzed
@given(
    st.text(alphabet='[]{}="\n.,0123456789 abdegimnoprstwy_-#').map(
        lambda text: "[[paytable]]\n" + text,
    )
)
def test_any_toml_like_text_is_answered(text: str) -> None:
    assert check(text)


@fuzzed
@given(st.data())
def test_any_change_to_an_approved_file_is_answered(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(FILES))
    for _ in range(data.draw(st.integers(1, 4))):
        places = [found.span() for found in VALUE.finditer(text)]
        if not places:
            break
        start, end = data.draw(st.sampled_from(places))
        text = text[:start] + data.draw(st.sampled_from(REPLACEMENTS)) + text[end:]
    check(text)


@fuzzed
@given(st.data())
def test_any_part_cut_out_of_an_approved_file_is_answered(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(FILES)).encode()
    start = data.draw(st.integers(0, len(text)))
    check(text[:start] + text[start + data.draw(st.integers(0, 200)) :])


HOSTILE = {
    "deep lists": "x = " + "[" * 150_000,
    "deep tables": "x = " + "{ a = " * 30_000,
    "deep keys": "\n".join("a." * 49 + f"a{number} = 1" for number in range(1_700)),
    "deep headers": "\n".join(f"[{'a.' * 48}a{number}]\nb.c = 1" for number in range(1_650)),
    "many tables": "[[paytable]]\n" * 15_000,
    "many sound names": "".join(
        f'[[paytable]]\ngame = "straight-edge"\nwager = "insurance"\nid = "{number}"\npays = "to"\n'
        "rows = { no_two_card_straight = 1 }\n"
        for number in range(1_500)
    ),
    "many unknown keys": "".join(f"a{number} = 1\n" for number in range(15_000)),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_file_takes_no_longer(text: str) -> None:
    defects = check(text)
    assert not any("longer than" in defect.what for defect in defects)
