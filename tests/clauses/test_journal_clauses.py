"""The journal clause by clause: PR-24, and what FL-14 asks of the record of a meter."""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest
from tests.manager.test_journal import sample_floor

from houseway.books.export import Site, paragraph
from houseway.books.verify import Findings, verify
from houseway.manager.entry import Entry, entry_of
from houseway.manager.state import FloorState, load_state
from houseway.manager.store import open_store
from houseway.manager.store.base import Head, Store, StoreFault
from houseway.refusal import Damaged


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of a floor on which everything has happened."""
    return Path(sample_floor(tmp_path_factory.mktemp("floor")).url)


@pytest.fixture
def store(file: Path) -> Iterator[Store]:
    with closing(open_store(str(file), create=False, read_only=True)) as opened:
        yield opened


@pytest.fixture
def entries(store: Store) -> list[Entry]:
    return [entry_of(row.body) for row in store.entries()]


@pytest.fixture
def state(store: Store) -> FloorState:
    return load_state(store)


def found_after(file: Path, copy: Path, *statements: str) -> Findings:
    """What is found in a copy of the database after somebody wrote to it past the program."""
    copy.unlink(missing_ok=True)
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
        for statement in statements:
            target.execute(statement)
        target.commit()
    with closing(open_store(str(copy), create=False, read_only=True)) as store:
        return verify(store)


@pytest.mark.clause("PR-24")
def test_every_entry_says_who_when_and_what_in_order(entries: list[Entry], state: FloorState) -> None:
    assert [entry.seq for entry in entries] == list(range(1, state.seq + 1))
    # Where two people put the time right, and there alone, an entry is earlier than the one before it.
    assert [after.kind for before, after in pairwise(entries) if after.at < before.at] == ["repair_clock"]
    for entry in entries:
        assert entry.by in {*state.staff, "installation", "player/Ann", "floor/clock"}
        assert entry.events
        assert entry.day
        assert entry.kind


@pytest.mark.clause("PR-24")
def test_what_is_done_by_hand_says_why(entries: list[Entry], state: FloorState) -> None:
    """Reason, explanation, evidence, authority or reference: in the entry, and in the words made of it."""
    site = Site.of(state)
    given = ("reason", "explanation", "evidence", "authority", "reference", "cause", "why")
    kinds = ("undo_win", "adjust_meter", "pay_late_win", "transfer", "open_meter", "configure", "void_round",
             "correct_count", "drop_claim", "dismiss", "suspend", "enter_account", "replace_key",
             "repair_clock")  # fmt: skip
    seen = set()
    for entry in entries:
        if entry.kind in kinds:
            seen.add(entry.kind)
            why = [str(getattr(event, name)) for event in entry.events for name in given if hasattr(event, name)]
            assert any(why), entry
            told = paragraph(entry, site)
            assert all(one in told for one in why), told
    assert seen == set(kinds)


@pytest.mark.clause("PR-24")
def test_an_entry_that_was_changed_is_named(file: Path, store: Store, tmp_path: Path) -> None:
    """Any one of them, however little: who gave it, or when."""
    for row in store.entries():
        by = entry_of(row.body).by
        changed = f'UPDATE journal SET body = replace(body, \'"by":"{by}"\', \'"by":"stranger"\') WHERE seq = {row.seq}'
        assert found_after(file, tmp_path / "copy.db", changed).first_bad == row.seq
    later = "UPDATE journal SET at = at + 1 WHERE seq = 12"
    assert found_after(file, tmp_path / "copy.db", later).first_bad == 12


@pytest.mark.clause("PR-24")
def test_no_floor_starts_from_a_journal_with_a_changed_entry(file: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    found_after(
        file, copy, 'UPDATE journal SET body = replace(body, \'"by":"dealer"\', \'"by":"stranger"\') WHERE seq = 12'
    )
    with closing(open_store(str(copy), create=False, read_only=True)) as store:
        assert entry_of(store.entry(12).body).by == "stranger"  # type: ignore[union-attr]
        with pytest.raises(Damaged, match="entry 12 does not follow from entry 11"):
            load_state(store)


@pytest.mark.clause("PR-24")
def test_an_entry_that_was_removed_is_named(file: Path, state: FloorState, tmp_path: Path) -> None:
    """Any one but the last is missed by those after it; the last by the head of the journal."""
    for seq in range(1, state.seq):
        removed = (f"DELETE FROM journal WHERE seq = {seq}", f"DELETE FROM postings WHERE seq = {seq}")
        assert found_after(file, tmp_path / "copy.db", *removed).first_bad == seq
    last = found_after(file, tmp_path / "copy.db", f"DELETE FROM journal WHERE seq = {state.seq}")
    assert any(finding.where == "head" and f"says entry {state.seq}" in finding.what for finding in last.bad)


@pytest.mark.clause("PR-24")
def test_an_entry_cannot_be_written_twice(file: Path, store: Store, tmp_path: Path) -> None:
    """The store itself takes entries only after the last: neither in the place of one nor with a gap."""
    rows = list(store.entries())
    copy = tmp_path / "copy.db"
    store.backup(copy)
    with closing(open_store(str(copy), create=False)) as writing:
        for row in (rows[4], rows[-1], rows[-1]._replace(seq=len(rows) + 2)):
            assert writing.begin() == Head(rows[-1].seq, rows[-1].hash)
            with pytest.raises((RuntimeError, StoreFault)):
                writing.append([row], [], {})
            writing.rollback()
        assert list(writing.entries()) == rows
        assert verify(writing).whole


@pytest.mark.clause("FL-14")
def test_every_rise_and_fall_of_a_meter_is_on_record_from_its_beginning_on(
    store: Store, entries: list[Entry], state: FloorState
) -> None:
    """From the beginning amount on, the movements in the text of the journal add up to what each meter holds."""
    site = Site.of(state)
    line = re.compile(r"^ {6} *([+-])\$([\d,]+\.\d+)  ((?:meter|reserve)/\S+)  \((.+)\)$", re.MULTILINE)
    held: dict[str, int] = defaultdict(int)
    beginning: dict[str, str] = {}
    for entry in entries:
        for sign, amount, account, purpose in line.findall(paragraph(entry, site)):
            whole, _, part = amount.replace(",", "").partition(".")
            held[account] += int(sign + whole) * 1_000_000 + int(sign + part.ljust(6, "0"))
            beginning.setdefault(account, purpose)
    for link in state.links.values():
        for name, meter in link.meters.items():
            assert held[f"meter/{link.id}/{name}"] == meter.value
            assert held[f"reserve/{link.id}/{name}"] == meter.reserve
            assert beginning[f"meter/{link.id}/{name}"] in ("seed", "taken over")
    assert held == {
        account: held[account] for account in store.balances() if account.startswith(("meter/", "reserve/"))
    }


@pytest.mark.clause("FL-14")
def test_every_movement_of_a_meter_is_explained(store: Store, entries: list[Entry], state: FloorState) -> None:
    """In words: which link, why it moved, and, where a person moved it by hand, the reason that was given."""
    site = Site.of(state)
    moved = {
        posting.seq: posting.account.split("/")[1]
        for posting in store.postings()
        if posting.account.startswith(("meter/", "reserve/"))
    }
    for entry in entries:
        if entry.seq in moved:
            assert f"link {moved[entry.seq]}" in paragraph(entry, site)
    text = "".join(paragraph(entry, site) for entry in entries if entry.seq in moved)
    for explanation in (
        "opened with its seed",
        "Reference: reading of the old system",
        "Wagers locked in",
        "chip slid off the sensor",
        "royal flush",
        "a recorded malfunction: the shuffler jammed",
        "Evidence: camera 4 at 22:40",
        "as found in the count",
        "Authority: letter of 2026-02-01",
    ):
        assert explanation in text
