"""The record (TR-10, TR-12, TR-14): what is done to it by people who can write to the database, and what comes of it.

Every attack is made for real, on a real SQLite file or PostgreSQL database, by somebody without the floor's key, or
with it. Each is kept as a planted bug too: with its guard taken out the attack works, so that the check can fail.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import httpx
import msgspec
import psycopg
import pytest
from msgspec.structs import replace
from tests.databases import new_postgres, postgres  # noqa: F401  fixtures
from tests.keys import KEYS
from tests.manager.floor_kit import House
from tests.manager.test_journal import SampleFloor, sample_floor
from tests.manager.test_tampering import rewritten
from tests.web.web_kit import Server, make_floor

from houseway.books import verify
from houseway.books.audit import MAKES
from houseway.books.replay import replay
from houseway.manager import commands as office
from houseway.manager import floor
from houseway.manager.clock import system_clock
from houseway.manager.codes import Codes
from houseway.manager.commands import KeyPurpose, Order
from houseway.manager.entry import FORMAT, SALT_BYTES, Entry, chained, entry_of, row_of
from houseway.manager.events import Event, KeyReplaced, StaffEnrolled
from houseway.manager.floor import FirstPerson, Floor
from houseway.manager.keyring import PURPOSES, Keyring, add_secret, add_signing_key, note_uncoded, secret_id
from houseway.manager.permissions import PERMISSIONS, RIGHTS_OF
from houseway.manager.signing import new_key, pem_of
from houseway.manager.state import FloorState, load_state
from houseway.manager.store import open_store
from houseway.manager.store.base import EMPTY, Head, Row, StoreFault
from houseway.manager.store.schema import metadata
from houseway.manager.store.strangers import COLUMNS, INDEXES
from houseway.refusal import Damaged, Refusal
from houseway.table.progressive_round.commands import LockIn
from houseway.table.progressive_round.events import ClaimNamed
from houseway.web.secrets import Keys

FLOORS: Final = Path(__file__).parent / "floors"
"""Floors that the last version without salts and codes made, as SQL: nothing of today wrote them."""
ROW: Final = "seq, at, day, order_id, kind, table_id, round, body, hash, code"


def promoted(entry: Entry, staff: str = "d1") -> Entry:
    """An entry like another, in which a dealer is made a manager."""
    event = StaffEnrolled(staff=staff, name="D1", role="manager", card=f"card-{staff}", credential="0" * 64)
    order = f"order-{entry.seq + 1}-forged"
    return replace(entry, seq=entry.seq + 1, order=order, by="m1", kind="enroll", table="", round=0, events=(event,))


def append_row(file: Path, row: Row) -> None:
    """Write a row to the journal, and the head after it, as anybody with the file can."""
    with closing(sqlite3.connect(file, timeout=10)) as database:
        database.execute(f"INSERT INTO journal ({ROW}) VALUES ({', '.join('?' * len(row))})", row)
        database.execute("UPDATE head SET seq = ?, hash = ?", (row.seq, row.hash))
        database.commit()


def forged(house: House, code: str = "ab" * 16) -> Row:
    """A row that follows from a floor's last entry, chained as it should be, with a made-up code."""
    last = house.entries()[-1]
    return row_of(promoted(last), house.state.head, lambda *_: code)


def reopened(house: House, keys: Keyring = KEYS) -> Floor:
    """The floor started again, after the house was closed."""
    store = open_store(str(house.file))
    try:
        return Floor(store, keys=keys, clock=house.clock, threaded=False)
    except BaseException:
        store.close()
        raise


def refusal_of(ask: Callable[[], object]) -> str:
    with pytest.raises(Refusal) as raised:
        ask()
    return str(raised.value)


def found_in(file: Path | str, ring: Keyring | None = KEYS) -> list[str]:
    """What `houseway journal verify` finds."""
    with closing(open_store(str(file), create=False, read_only=True)) as store:
        return [str(one) for one in verify.verify(store, ring=ring).bad]


# ----------------------------------------------------------------------------- a dealer made manager in the saved state


def in_the_snapshot(file: Path) -> None:
    """TR-12 as it was tried: the dealer's role in the saved state, without the key."""
    with closing(sqlite3.connect(file)) as database:
        (body,) = database.execute("SELECT body FROM snapshot").fetchone()
        floor_ = json.loads(body)
        floor_["staff"]["d1"]["role"] = "manager"
        # As the program writes it, so that nothing but the code gives it away.
        made = msgspec.json.encode(msgspec.json.decode(json.dumps(floor_), type=FloorState))
        database.execute("UPDATE snapshot SET body = ?", (made,))
        database.commit()


@pytest.mark.clause("TR-12")
def test_a_dealer_made_manager_in_the_saved_state_is_a_dealer(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    house = House(tmp_path)
    house.floor.close()
    in_the_snapshot(house.file)
    assert found_in(house.file) == [
        f"snapshot: its floor is not that of the journal at entry {house.state.seq}",
        "snapshot: its code does not fit the floor's key: the floor did not save it",
    ]
    with closing(reopened(house)) as again:
        assert again.state.staff["d1"].role == "dealer"
        assert "does not fit the floor's key" in caplog.text
    assert not found_in(house.file), "and it was saved anew"


def test_planted_a_saved_state_that_anybody_may_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    house = House(tmp_path)
    house.floor.close()
    in_the_snapshot(house.file)
    monkeypatch.setattr(Codes, "snapshot_fits", lambda *_: True)
    with closing(reopened(house)) as again:
        assert again.state.staff["d1"].role == "manager"


# -------------------------------------------------------------------------------- entries that the floor did not write


@pytest.mark.clause("TR-12")
def test_an_entry_written_without_the_key_is_refused_at_start(tmp_path: Path) -> None:
    house = House(tmp_path)
    row = forged(house)
    house.floor.close()
    append_row(house.file, row)
    said = refusal_of(lambda: reopened(house))
    assert f"entry {row.seq} was not written by this floor" in said
    assert any("its code does not fit" in one for one in found_in(house.file))


def test_planted_entries_that_anybody_may_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    house = House(tmp_path)
    row = forged(house)
    house.floor.close()
    append_row(house.file, row)
    monkeypatch.setattr(Codes, "entry_fits", lambda *_: True)
    with closing(reopened(house)) as again:
        assert again.state.staff["d1"].role == "manager"


@pytest.mark.clause("TR-12")
def test_a_command_ends_with_a_sentence(tmp_path: Path) -> None:
    """Exit code 2, one line, no traceback."""
    key = tmp_path / "houseway.key"
    key.write_bytes(pem_of(KEYS.signing))
    key.chmod(0o600)
    house = House(tmp_path)
    row = forged(house)
    house.floor.close()
    append_row(house.file, row)
    for command in (["floor", "serve"], ["floor", "show"], ["staff", "list"]):
        done = subprocess.run(
            [sys.executable, "-c", "from houseway.cli import main; main()", *command, "--db", house.file],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), done.stderr
        assert f"entry {row.seq} was not written by this floor" in done.stderr


@pytest.mark.clause("TR-12")
def test_a_running_floor_takes_nothing_more_once_its_journal_is_not_its_own(tmp_path: Path) -> None:
    """A break latches: nothing more is taken."""
    house = House(tmp_path)
    before = house.state
    append_row(house.file, forged(house))
    for _ in range(3):
        with pytest.raises(StoreFault, match="this floor takes nothing more: journal: entry 3 was not written by"):
            house.coin_in("T1", 1)
    assert house.floor.broken
    with pytest.raises(StoreFault, match="takes nothing more"):
        house.floor.refresh()
    assert house.state == before, "nothing of it was believed"
    house.floor.close()


@pytest.mark.clause("TR-12")
@pytest.mark.parametrize("what", ["an earlier copy", "another entry in the last one's place"])
def test_a_running_floor_notices_a_journal_that_is_not_the_one_it_wrote(tmp_path: Path, what: str) -> None:
    house = House(tmp_path)
    with closing(sqlite3.connect(house.file, timeout=10)) as database:
        last = house.state.seq
        if what == "an earlier copy":
            database.execute("DELETE FROM journal WHERE seq = ?", (last,))
            before = house.store.entry(last - 1)
            assert before is not None
            database.execute("UPDATE head SET seq = ?, hash = ?", (last - 1, before.hash))
        else:
            database.execute("UPDATE head SET hash = ?", ("ab" * 32,))
        database.commit()
    for _ in range(2):
        with pytest.raises(StoreFault, match="not as this floor wrote or read it"):
            house.coin_in("T1", 1)
    house.floor.close()


def test_planted_a_floor_that_takes_in_what_it_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    house = House(tmp_path)
    append_row(house.file, forged(house))
    monkeypatch.setattr(floor, "read_next", lambda row, *_: entry_of(row.body))
    house.coin_in("T1", 1, by="d2")
    assert house.state.staff["d1"].role == "manager"
    house.floor.close()


@pytest.mark.clause("TR-12")
def test_a_server_whose_journal_was_changed_is_not_ready(tmp_path: Path) -> None:
    database = str(tmp_path / "floor.db")
    server = Server(make_floor(tmp_path, database), database).start()
    try:
        with closing(open_store(database, create=False, read_only=True)) as store:
            last, head = entry_of([*store.entries()][-1].body), store.head()
        append_row(Path(database), row_of(promoted(last), head, lambda *_: "ab" * 16))
        with httpx.Client(base_url=server.url) as http:
            until = time.monotonic() + 10
            while (answer := http.get("/readyz")).status_code == 200 and time.monotonic() < until:
                time.sleep(0.05)
        assert answer.status_code == 503
        assert "takes nothing more" in answer.json()["status"]
    finally:
        server.stop()


@pytest.mark.clause("TR-12")
def test_an_old_entry_that_was_changed_decides_nothing(tmp_path: Path) -> None:
    """A win of long ago is looked up where it is undone; a start did not read it again."""
    house = House(tmp_path)
    house.coin_in("T1", 1)
    win = house.win("T1", 1, "royal_flush")
    house.end("T1")
    house.restart()
    with closing(sqlite3.connect(house.file, timeout=10)) as database:
        database.execute("UPDATE journal SET body = replace(body, '\"spot\":1', '\"spot\":2') WHERE seq = ?", (win,))
        database.commit()
    assert f"entry {win} was changed since it was written" in refusal_of(lambda: house.undo(win))
    house.floor.close()


# --------------------------------------------------------------------------------------------- written anew as a whole


def rewrite(file: Path, change: Callable[[Entry], Entry]) -> None:
    """The whole journal anew, every hash of it, by somebody without the key."""
    with closing(sqlite3.connect(file)) as database:
        place, rows = EMPTY, []
        for (body,) in database.execute("SELECT body FROM journal ORDER BY seq").fetchall():
            row = row_of(change(entry_of(body)), place)
            rows.append(row)
            place = Head(row.seq, row.hash)
        database.execute("DELETE FROM journal")
        database.execute("DELETE FROM snapshot")
        database.executemany(f"INSERT INTO journal ({ROW}) VALUES ({', '.join('?' * 10)})", rows)
        database.execute("UPDATE head SET seq = ?, hash = ?", place)
        database.commit()


def as_of_before(entry: Entry) -> Entry:
    """The entry in the words of the version without codes, and the dealer a manager."""
    events: tuple[Event, ...] = tuple(
        replace(one, role="manager") if isinstance(one, StaffEnrolled) and one.staff == "d1" else one
        for one in entry.events
    )
    return replace(entry, format=1, salt="", events=events)


def key_file(folder: Path, keys: Keyring = KEYS) -> Path:
    """A key file with the keys that the tests' floors have."""
    file = folder / "houseway.key"
    file.write_bytes(pem_of(keys.signing))
    file.chmod(0o600)
    return file


@pytest.mark.clause("TR-12")
def test_a_journal_written_anew_in_the_old_format_is_refused(tmp_path: Path) -> None:
    """The key file knows which entries have no code: the first start wrote it there."""
    file = key_file(tmp_path)
    house = House(tmp_path)
    house.floor.close()
    reopened(house, Keyring.load(file)).close()
    assert f"houseway uncoded 0 {'0' * 64}\n" in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600
    rewrite(house.file, as_of_before)
    assert "is another floor than the one that the mark" in refusal_of(lambda: reopened(house, Keyring.load(file)))
    # Nor is it believed by who has lost the mark.
    file.with_name("houseway.key.mark").unlink()
    assert "but the key file says" in refusal_of(lambda: reopened(house, Keyring.load(file)))
    assert any("has no codes up to entry 2" in one for one in found_in(house.file, Keyring.load(file)))


def test_planted_a_border_that_nobody_keeps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = key_file(tmp_path)
    house = House(tmp_path)
    house.floor.close()
    reopened(house, Keyring.load(file)).close()
    rewrite(house.file, as_of_before)
    file.with_name("houseway.key.mark").unlink()
    monkeypatch.setattr(floor, "checked", lambda state, keys: state)
    with closing(reopened(house, Keyring.load(file))) as again:
        assert again.state.staff["d1"].role == "manager"


@pytest.mark.clause("TR-12")
def test_after_an_entry_with_a_code_none_comes_without(tmp_path: Path) -> None:
    house = House(tmp_path)
    row = row_of(replace(promoted(house.entries()[-1]), format=1, salt=""), house.state.head)
    house.floor.close()
    append_row(house.file, row)
    with pytest.raises(Damaged, match=f"entry {row.seq} has no code, but the one before it has"):
        reopened(house)
    assert any("without a code, but entry 2 has one" in one for one in found_in(house.file))


def test_an_entry_of_a_newer_program_is_refused_with_a_sentence(tmp_path: Path) -> None:
    house = House(tmp_path)
    last = house.entries()[-1]
    body = row_of(replace(promoted(last), format=FORMAT + 1), house.state.head).body
    for text in (body, body.replace('"staff_enrolled"', '"something_new"')):
        hash_ = chained(house.state.hash, text)
        row = row_of(promoted(last), house.state.head)._replace(body=text, hash=hash_, code="ab" * 16)
        file = tmp_path / "newer.db"
        house.store.backup(file)
        append_row(file, row)
        with closing(open_store(str(file), create=False, read_only=True)) as store:
            assert "start the newer Houseway" in refusal_of(lambda store=store: load_state(store))
        file.unlink()
    house.floor.close()


# ---------------------------------------------------------------------------------------------- with the key: authority


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> SampleFloor:
    """A floor on which everything has happened, closed."""
    return sample_floor(tmp_path_factory.mktemp("sample"))


def laundered(entry: Entry) -> Entry | None:
    """As the dealer did who was a manager for an hour: entry 40 enrols another manager, alone."""
    if entry.seq != 40:
        return entry
    event = StaffEnrolled(staff="pal", name="Pal", role="manager", card="card-pal", credential="0" * 64)
    return replace(entry, kind="enroll", by="dealer", second="", table="", round=0, events=(event,))


@pytest.mark.clause("TR-12")
def test_an_order_that_was_not_its_givers_to_give_is_found_even_with_the_key(
    sample: SampleFloor, tmp_path: Path
) -> None:
    """Every hash, code, posting, total and the saved state fit: the dealer could not have given that order."""
    with rewritten(sample, tmp_path / "forged.db", laundered):
        found = found_in(tmp_path / "forged.db")
        assert found[0].startswith("entry 40: dealer may not have made it: enroll is for: manager")
    with rewritten(sample, tmp_path / "without.db", laundered, Keyring.new()):
        found = found_in(tmp_path / "without.db")
        assert any("its code does not fit the floor's key" in one for one in found)
        assert any("enroll is for: manager" in one for one in found)


def test_planted_a_verification_that_asks_nobody_for_authority(
    sample: SampleFloor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verify, "authorised", lambda *_: "")
    with rewritten(sample, tmp_path / "forged.db", laundered):
        # Nothing but the new card's missing credential is left to be found, and that is one more row to forge.
        assert found_in(tmp_path / "forged.db") == ["credentials card-pal: is missing"]


def changed(seq: int, **changes: Any) -> Callable[[Entry], Entry]:
    return lambda entry: replace(entry, **changes) if entry.seq == seq else entry


def named_by_its_confirmer(entry: Entry) -> Entry:
    """The supervisor named the win that she confirms in the next entry."""
    if entry.seq != 30:
        return entry
    events = tuple(
        replace(one, claim=replace(one.claim, named_by="super")) if isinstance(one, ClaimNamed) else one
        for one in entry.events
    )
    return replace(entry, by="super", events=events)


@pytest.mark.clause("TR-12")
@pytest.mark.parametrize(
    ("change", "says"),
    [
        (changed(28, by="dealer"), "dealer may not have made it: confirm is for: executive or supervisor"),
        (named_by_its_confirmer, "who named a win cannot confirm it"),
        (changed(46, second="boss"), "boss may not have made it: the second person must be another than the first"),
        (changed(46, second="dealer"), "the second person must be: auditor or executive or manager"),
        (changed(46, second=""), "adjust meter takes a second person"),
        (changed(1, by="boss"), "a floor is founded once, by its installation"),
        (changed(28, by="device/wall"), "has no valid token"),
        (changed(28, by="player/Ann"), "confirm is not for players"),
        (changed(28, kind="light"), "light makes no win_logged"),
        (changed(28, table="K1"), "happened at T1, but the order was for K1"),
        (changed(52, kind="unlock"), "it is not the refusal of the order that it names"),
        (changed(57, by="dealer"), "signed out of a session that is another's"),
    ],
)
def test_authority_is_asked_of_every_entry(
    sample: SampleFloor, tmp_path: Path, change: Callable[[Entry], Entry], says: str
) -> None:
    with rewritten(sample, tmp_path / "forged.db", change):
        found = found_in(tmp_path / "forged.db")
        assert any(says in one for one in found), found


@pytest.mark.clause("TR-12")
def test_a_wager_enrols_nobody(sample: SampleFloor, tmp_path: Path) -> None:
    event = StaffEnrolled(staff="pal", name="Pal", role="manager", card="card-pal", credential="0" * 64)
    with rewritten(sample, tmp_path / "forged.db", lambda one: replace(one, events=(*one.events, event))):
        assert any("lock_in makes no staff_enrolled" in one for one in found_in(tmp_path / "forged.db"))


def test_every_kind_of_order_says_what_it_makes() -> None:
    others = {"found", "sign_in", "set_pin", "enter", "sign_out", "note_clock"}
    assert set(MAKES) == {*PERMISSIONS, *others, "choose"}, "choose was an order of before there were actions by name"
    assert "choose" in RIGHTS_OF[3]
    made = frozenset[str]().union(*MAKES.values())
    events = {str(one.__struct_config__.tag) for one in Event.__args__}
    assert events - made == {"authority_refused"}
    assert made <= events


def test_the_rights_of_before_are_what_they_were() -> None:
    """Data, never changed: who could do what when the entries without a code were written."""
    assert len(RIGHTS_OF[1]) == 50
    assert not RIGHTS_OF[1]["enroll"].seconds
    assert RIGHTS_OF[1]["adjust_meter"].seconds
    assert RIGHTS_OF[FORMAT] is PERMISSIONS


# -------------------------------------------------------------------------------------------- strangers in the database

SQLITE_STRANGERS: Final = {
    "CREATE TRIGGER later AFTER INSERT ON totals BEGIN UPDATE totals SET micros = micros + 1; END": "trigger later",
    "CREATE VIEW richer AS SELECT * FROM totals": "view richer",
    "CREATE TABLE notes (text TEXT)": "table notes",
    "CREATE UNIQUE INDEX once ON journal (hash)": "index once",
    "ALTER TABLE credentials ADD COLUMN pin TEXT": "column pin of table credentials",
}
POSTGRES_STRANGERS: Final = {
    "CREATE VIEW richer AS SELECT * FROM totals": "view richer",
    "CREATE TABLE notes (words TEXT)": "table notes",
    "CREATE INDEX once ON journal (kind, at)": "index once",
    "ALTER TABLE credentials ADD COLUMN pin TEXT": "column pin of table credentials",
    "CREATE RULE never AS ON DELETE TO totals DO INSTEAD NOTHING": "rule never",
    "CREATE POLICY hidden ON journal USING (kind <> 'void_round')": "policy hidden",
    "CREATE FUNCTION more() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'": "function more",
    "CREATE FUNCTION more() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'; "
    "CREATE TRIGGER later BEFORE INSERT ON totals FOR EACH ROW EXECUTE FUNCTION more()": "trigger later",
    "ALTER TABLE journal ALTER COLUMN code SET DEFAULT 'x'": "column code of table journal is filled by",
}


@pytest.mark.clause("TR-12")
@pytest.mark.parametrize("statement", SQLITE_STRANGERS)
def test_what_is_not_the_floors_is_named_and_refused(tmp_path: Path, statement: str) -> None:
    house = House(tmp_path)
    house.floor.close()
    assert not found_in(house.file)
    with closing(sqlite3.connect(house.file)) as database:
        database.executescript(statement)
    assert any(SQLITE_STRANGERS[statement] in one for one in found_in(house.file))
    said = refusal_of(lambda: open_store(str(house.file)))
    assert SQLITE_STRANGERS[statement] in said
    assert "could change what is written or read" in said


def test_planted_a_trigger_that_nobody_looks_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It keeps a part of every coin-in from the totals that reports come from."""
    house = House(tmp_path)
    house.floor.close()
    with closing(sqlite3.connect(house.file)) as database:
        database.executescript(
            "CREATE TRIGGER skim AFTER INSERT ON postings WHEN NEW.purpose = 'contribution' "
            "BEGIN UPDATE totals SET micros = micros - 10000 WHERE account = NEW.account; END"
        )
    monkeypatch.setattr("houseway.manager.store.sqlite.sqlite_strangers", lambda ask: [])
    with closing(reopened(house)) as again:
        again.handle(Order(id="in", by="d1", command=LockIn(table="T1", lit=(1,))))
    monkeypatch.undo()
    assert any("its totals do not sum" in one for one in found_in(house.file))


@pytest.mark.clause("TR-12")
@pytest.mark.parametrize("statement", POSTGRES_STRANGERS)
def test_what_is_not_the_floors_is_named_and_refused_on_postgresql(
    new_postgres: Callable[[], str],  # noqa: F811
    statement: str,
) -> None:
    url = new_postgres()
    store = open_store(url)
    assert store.strangers() == []
    store.close()
    with psycopg.connect(url, autocommit=True) as database:
        database.execute(statement)  # type: ignore[call-overload]
    with closing(open_store(url, create=False, read_only=True)) as store:
        assert any(POSTGRES_STRANGERS[statement] in one for one in store.strangers())
        assert any(POSTGRES_STRANGERS[statement] in str(one) for one in verify.verify(store).bad)
    assert "could change what is written or read" in refusal_of(lambda: open_store(url))


def test_what_is_the_floors_is_said_once() -> None:
    """The list that a start can wait for is the one that the migrations end in."""
    ours = {name: " ".join(table.columns.keys()) for name, table in metadata.tables.items()}
    assert {**ours, "houseway_version": "version_num"} == COLUMNS
    indexes = {str(one.name) for table in metadata.tables.values() for one in table.indexes}
    assert indexes == INDEXES


# ----------------------------------------------------------------------------------------------------------- the salt


def search(body: str, previous: str, hash_: str) -> list[int]:
    """TR-10 as it was tried: somebody knows everything of an entry but one of its values, and tries them all."""
    blank = body.replace('"spot":3', '"spot":?')
    return [spot for spot in range(1, 8) if chained(previous, blank.replace("?", str(spot))) == hash_]


def without_salt(body: str) -> str:
    """What somebody can know of an entry: all but the random part of it."""
    entry = entry_of(body)
    return body.replace(f'"salt":"{entry.salt}"', f'"salt":"{"00" * SALT_BYTES}"')


@pytest.mark.clause("TR-10")
def test_a_hash_cannot_be_searched(tmp_path: Path) -> None:
    house = House(tmp_path)
    head = house.state.head
    house.light("T1", 3)
    row = house.store.entry(head.seq + 1)
    assert row is not None
    assert search(without_salt(row.body), head.hash, row.hash) == []
    assert search(row.body, head.hash, row.hash) == [3], "only with the salt"
    salts = [entry.salt for entry in house.entries()]
    assert len({*salts}) == len(salts)
    assert all(len(bytes.fromhex(salt)) == SALT_BYTES for salt in salts)
    house.floor.close()


def test_planted_a_salt_that_is_no_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    house = House(tmp_path)
    monkeypatch.setattr(house.floor, "_random", bytes)
    head = house.state.head
    house.light("T1", 3)
    row = house.store.entry(head.seq + 1)
    assert row is not None
    assert search(without_salt(row.body), head.hash, row.hash) == [3]
    house.floor.close()


def test_a_group_draws_once_and_no_two_entries_share(tmp_path: Path) -> None:
    """One call for a group, refusals of authority included."""
    house, drawn = House(tmp_path), list[int]()

    def random(size: int) -> bytes:
        drawn.append(size)
        return os.urandom(size)

    house.floor._random = random
    orders = [
        Order(id=f"g{number}", by=by, command=LockIn(table="T1", lit=(1,)))
        for number, by in enumerate(("d1", "t1", "d1"))
    ]
    jobs = [house.floor._taken(order, ()) for order in orders]
    house.floor._carry_out(house.floor._group())
    assert drawn == [3 * SALT_BYTES]
    assert [job.future.exception() is None for job in jobs] == [True, False, True]
    assert len({entry.salt for entry in house.entries()}) == house.state.seq
    house.floor.close()


# ---------------------------------------------------------------------------------------------------- keys by purpose


TWO_MANAGERS = (
    FirstPerson("m1", "M1", "manager", "card-m1", "834519"),
    FirstPerson("m2", "M2", "manager", "card-m2", "834512"),
)


class Keyed:
    """A floor with two managers who have real PINs, and a key file of its own, as the commands use them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "houseway.db"
        self.key = folder / "houseway.key"
        new_key(self.key)
        house = House(folder)
        config = house.config
        house.floor.close()
        floor_ = Floor(open_store(str(self.file)), keys=Keyring.load(self.key), threaded=False)
        floor_.found(config, TWO_MANAGERS, pin_set=True)
        self.people = {"m1": ("card-m1", "834519")}
        floor_.close()

    def run(self, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """A command on this floor, as two people give it."""
        card, pin = self.people["m1"]
        given = {"HOUSEWAY_CARD": card, "HOUSEWAY_PIN": pin}
        second = {"HOUSEWAY_SECOND_CARD": "card-m2", "HOUSEWAY_SECOND_PIN": "834512"}
        return subprocess.run(
            [sys.executable, "-c", "from houseway.cli import main; main()", *words],
            cwd=self.folder,
            env={**os.environ, **given, **second, **environment},
            capture_output=True,
            text=True,
            check=False,
        )

    def opened(self, key: Path | None = None) -> Floor:
        store = open_store(str(self.file))
        try:
            return Floor(store, keys=Keyring.load(key or self.key), threaded=False)
        except BaseException:
            store.close()
            raise


@pytest.fixture(scope="module")
def keyed_once(tmp_path_factory: pytest.TempPathFactory) -> Keyed:
    """Such a floor; argon2 takes its time, so it is made once and copied."""
    return Keyed(tmp_path_factory.mktemp("keyed"))


@pytest.fixture
def keyed(keyed_once: Keyed, tmp_path: Path) -> Keyed:
    """A copy of it."""
    made = Keyed.__new__(Keyed)
    made.folder, made.file, made.key = tmp_path, tmp_path / "houseway.db", tmp_path / "houseway.key"
    made.people = keyed_once.people
    shutil.copy(keyed_once.file, made.file)
    shutil.copy(keyed_once.key, made.key)
    return made


@pytest.mark.clause("TR-14")
def test_every_purpose_has_a_key_of_its_own_on_record(keyed: Keyed) -> None:
    keys = Keyring.load(keyed.key)
    secrets = [keys.secret(purpose) for purpose in PURPOSES] + [keys.signing.private_bytes_raw()]
    assert len({*secrets}) == len(PURPOSES) + 1
    with closing(keyed.opened()) as floor_:
        assert floor_.state.key_ids == {one: secret_id(one, keys.secret(one)) for one in PURPOSES}
        assert floor_.state.key == keys.public


@pytest.mark.clause("TR-14")
def test_every_key_can_be_replaced_by_two_people(keyed: Keyed) -> None:
    """One after the other, by command; after each the floor starts, signs and verifies, under the new key alone."""
    old = keyed.folder / "old.key"
    for purpose in ("pepper", "signing", "codes"):
        shutil.copy(keyed.key, old)
        before = Keyring.load(keyed.key)
        done = keyed.run("journal", "key", "replace", "--purpose", purpose, "--reason", "yearly")
        assert done.returncode == 0, done.stderr
        assert keyed.key.stat().st_mode & 0o777 == 0o600
        with closing(keyed.opened()) as floor_:
            keys = floor_.keys
            assert keys.public == floor_.state.key
            for other in PURPOSES:
                assert (keys.secret(other) == before.in_force(before_ids(keyed, floor_)).secret(other)) is (
                    other != purpose
                ), (purpose, other)
        if purpose != "signing":
            assert f"not hold the {purpose} secret" in refusal_of(lambda: keyed.opened(old))
        assert not found_in(keyed.file, Keyring.load(keyed.key))
    done = keyed.run("journal", "head")
    assert done.returncode == 0, done.stderr
    assert Keyring.load(keyed.key).others, "the first key is still in the file"


def before_ids(keyed: Keyed, floor_: Floor) -> dict[str, str]:
    """The secrets in force before the last replacement."""
    ids: dict[str, str] = {}
    replaced = [
        event for row in floor_.store.entries() for event in entry_of(row.body).events if isinstance(event, KeyReplaced)
    ]
    for event in replaced[:-1]:
        if event.purpose != "signing":
            ids[event.purpose] = event.secret_id
    return ids


@pytest.mark.clause("TR-14")
def test_a_key_takes_two_people_and_leaves_the_file_as_it_is_when_refused(keyed: Keyed) -> None:
    text = keyed.key.read_bytes()
    card, pin = keyed.people["m1"]
    alone = {"HOUSEWAY_SECOND_CARD": card, "HOUSEWAY_SECOND_PIN": pin}
    done = keyed.run("journal", "key", "replace", "--purpose", "pepper", "--reason", "x", **alone)
    assert done.returncode == 2
    assert "must be another than the first" in done.stderr
    assert keyed.key.read_bytes() == text
    assert "allowed: signing, codes" in keyed.run("journal", "key", "replace", "--purpose", "x", "--reason", "y").stderr


@pytest.mark.clause("TR-14")
@pytest.mark.parametrize("purpose", ["signing", *PURPOSES])
def test_a_replacement_cut_short_leaves_a_floor_that_starts(keyed: Keyed, purpose: KeyPurpose) -> None:
    """The file was written, the order never given: the journal names the old key, and the file still holds it."""
    with closing(keyed.opened()) as floor_:
        before = {one: floor_.keys.secret(one) for one in PURPOSES}, floor_.keys.public
        for one in PURPOSES:
            if one == purpose:
                add_secret(keyed.key, floor_.keys, one)
        if purpose == "signing":
            add_signing_key(keyed.key, floor_.keys)
    with closing(keyed.opened()) as floor_:
        assert ({one: floor_.keys.secret(one) for one in PURPOSES}, floor_.keys.public) == before
        floor_.handle(Order(id="on", by="m1", command=office.SeedMeter(link="L1", meter="main")))
    assert not [one for one in found_in(keyed.file, Keyring.load(keyed.key)) if "entry" in one]


@pytest.mark.clause("TR-14")
def test_an_order_cannot_put_a_secret_in_force_that_nobody_has(keyed: Keyed) -> None:
    with closing(keyed.opened()) as floor_:
        command = office.ReplaceKey(purpose="web", secret_id="ab" * 16, reason="yearly")
        said = refusal_of(lambda: floor_.handle(Order(id="k", by="m1", second="m2", command=command)))
        assert "is not in this floor's key file" in said
        assert not floor_.broken


@pytest.mark.clause("TR-14")
def test_after_the_web_key_is_replaced_everybody_signs_in_again(keyed: Keyed) -> None:
    """While the server runs: no cookie and no token of before is good any more."""
    with closing(keyed.opened()) as floor_:
        keys = Keys(lambda: floor_.keys.secret("web"))
        cookie, csrf = keys.cookie("secret", 7), keys.csrf("secret")
        assert keys.read_cookie(cookie) == ("secret", 7)
        name = add_secret(keyed.key, floor_.keys, "web")
        command = office.ReplaceKey(purpose="web", secret_id=name, reason="yearly")
        floor_.handle(Order(id="k", by="m1", second="m2", command=command))
        assert keys.read_cookie(cookie) is None
        assert not keys.csrf_fits(csrf, "secret")


@pytest.mark.clause("TR-14")
@pytest.mark.parametrize("holds", [True, False], ids=["with the new file", "without it"])
def test_a_server_notices_that_another_replaced_a_key(
    new_postgres: Callable[[], str],  # noqa: F811
    tmp_path: Path,
    holds: bool,
) -> None:
    """Two processes on one database: the other takes the new secret from its file, or takes nothing more."""
    url, key, there = new_postgres(), tmp_path / "here.key", tmp_path / "there.key"
    new_key(key)
    note_uncoded(key, EMPTY)
    shutil.copy(key, there)
    here = Floor(open_store(url), keys=Keyring.load(key), threaded=False)
    house = House(tmp_path)
    config = house.config
    house.floor.close()
    here.found(config, TWO_MANAGERS, pin_set=True)
    first = "m1"
    other = Floor(open_store(url), keys=Keyring.load(there), threaded=False)
    name = add_secret(key, here.keys, "codes")
    if holds:
        shutil.copy(key, there)
    command = office.ReplaceKey(purpose="codes", secret_id=name, reason="yearly")
    here.handle(Order(id="k", by=first, second="m2", command=command))
    seed = Order(id="seed", by=first, command=office.SeedMeter(link="L1", meter="main"))
    if holds:
        other.handle(seed)
        assert other.keys.secret("codes") == here.keys.secret("codes")
        assert here.refresh() == other.state
    else:
        for _ in range(2):
            with pytest.raises(StoreFault, match=r"a key was replaced, and key_file: .* not hold the codes secret"):
                other.handle(seed)
    other.close()
    here.close()
    assert not found_in(url, Keyring.load(key))


# ------------------------------------------------------------------------------------- floors of the version before


def floor_of_before(name: str, folder: Path) -> Path:
    """A floor as the last version without codes left it."""
    file = folder / f"{name}.db"
    with closing(sqlite3.connect(file)) as database:
        database.executescript(gzip.decompress((FLOORS / f"{name}.sql.gz").read_bytes()).decode())
    return file


@pytest.fixture
def old_key(tmp_path: Path) -> Path:
    """The key file of the sample floor, as that version made it."""
    file = tmp_path / "old.key"
    shutil.copy(FLOORS / "sample.key", file)
    file.chmod(0o600)
    return file


@pytest.mark.clause("TR-12", "TR-10")
@pytest.mark.parametrize("name", ["sample", "played-3", "played-5"])
def test_a_floor_of_before_opens_verifies_and_goes_on(name: str, tmp_path: Path, old_key: Path) -> None:
    """Its old entries stay as they are and verify as they were; new ones have salt and code."""
    file = floor_of_before(name, tmp_path)
    with closing(sqlite3.connect(file)) as database:
        old = database.execute("SELECT seq, body, hash FROM journal ORDER BY seq").fetchall()
    # It was written long ago, which is no news here: the clock is believed.
    floor_ = Floor(open_store(str(file)), keys=Keyring.load(old_key), clock=system_clock, threaded=False)
    last = floor_.state.head
    assert last == Head(old[-1][0], old[-1][2])
    assert floor_.state.uncoded == last
    assert f"houseway uncoded {last.seq} {last.hash}\n" in old_key.read_text()
    assert found_in(file, Keyring.load(old_key)) == []
    boss = next(one.id for one in floor_.state.staff.values() if one.role == "manager" and one.active)
    link = next(iter(floor_.state.links))
    for number in range(3):
        told = office.EnterAccount(link=link, balance_cents=number, short=False, reference=f"statement {number}")
        floor_.handle(Order(id=f"new-{number}", by=boss, command=told))
    floor_.close()
    assert found_in(file, Keyring.load(old_key)) == []
    with closing(Floor(open_store(str(file)), keys=Keyring.load(old_key), threaded=False)) as again:
        assert again.state.seq == last.seq + 3
        rows = list(again.store.entries())
        assert [(row.seq, row.body, row.hash) for row in rows[: last.seq]] == old
        assert {row.code for row in rows[: last.seq]} == {""}
        assert all(len(row.code) == 32 and entry_of(row.body).salt for row in rows[last.seq :])
        assert replay(again.store, keys=again.keys).equal


@pytest.mark.clause("TR-12")
def test_a_floor_whose_spots_decided_in_five_kinds_goes_on(tmp_path: Path) -> None:
    """A pai gow round in format 3: its decisions are read as actions, verify as they were, and the next entry has 4."""
    file = floor_of_before("format-3", tmp_path)
    with closing(sqlite3.connect(file)) as database:
        bodies = [body for (body,) in database.execute("SELECT body FROM journal ORDER BY seq")]
    assert {entry_of(body).format for body in bodies} == {3}
    assert sum('"spot_decided"' in body for body in bodies) == 3
    with closing(Floor(open_store(str(file)), keys=KEYS, clock=system_clock, threaded=False)) as floor_:
        assert found_in(file, KEYS) == []
        assert replay(floor_.store, keys=KEYS).equal
        boss = next(one.id for one in floor_.state.staff.values() if one.role == "manager" and one.active)
        told = office.EnterAccount(link="L1", balance_cents=1, short=False, reference="statement 1")
        assert floor_.handle(Order(id="new", by=boss, command=told)).entry.format == FORMAT
        assert replay(floor_.store, keys=KEYS).equal
    assert found_in(file, KEYS) == []


@pytest.mark.clause("TR-12", "FL-7")
def test_a_floor_whose_supervisors_recorded_what_surveillance_saw_goes_on(tmp_path: Path) -> None:
    """Format 4: the supervisor's entries verify as they were; an entry of today by a supervisor would not."""
    file = floor_of_before("format-4", tmp_path)
    with closing(Floor(open_store(str(file)), keys=KEYS, clock=system_clock, threaded=False)) as floor_:
        entries = [entry_of(row.body) for row in floor_.store.entries()]
        assert {entry.format for entry in entries} == {4}
        (verified, *_) = [one for one in entries if one.kind == "surveillance"]
        assert (verified.by, verified.events[0].observer) == ("super", "O. Server")  # type: ignore[union-attr]
        assert found_in(file, KEYS) == []
        assert replay(floor_.store, keys=KEYS).equal
        told = office.EnterAccount(link="stud", balance_cents=1, short=False, reference="statement 1")
        assert floor_.handle(Order(id="new", by="boss", command=told)).entry.format == FORMAT
    assert found_in(file, KEYS) == []
    assert "supervisor" in RIGHTS_OF[4]["surveillance"].roles
    assert RIGHTS_OF[FORMAT]["surveillance"].roles == {"surveillance"}


@pytest.mark.clause("TR-12")
@pytest.mark.parametrize("at", [5, 64])
def test_an_old_entry_is_held_to_its_own_form(tmp_path: Path, old_key: Path, at: int) -> None:
    """Spaced out, with a field more, a field moved, or another value: each is found, though every hash fits."""
    file = floor_of_before("sample", tmp_path)
    open_store(str(file)).close()
    with closing(sqlite3.connect(file)) as database:
        bodies = [body for (body,) in database.execute("SELECT body FROM journal ORDER BY seq").fetchall()]
    fields = list(json.loads(bodies[at - 1]).items())
    moved = json.dumps(dict([*fields[1:], fields[0]]), separators=(",", ":"), ensure_ascii=False)
    for changed_ in (
        bodies[at - 1].replace(":", ": ", 1),
        bodies[at - 1].replace("{", '{"more":1,', 1),
        bodies[at - 1].replace('"second":', '"salt":"","second":', 1),
        moved,
    ):
        assert changed_ != bodies[at - 1]
        with closing(sqlite3.connect(file)) as database:
            place = EMPTY.hash
            for seq, body in enumerate([*bodies[: at - 1], changed_, *bodies[at:]], 1):
                place = chained(place, body)
                database.execute("UPDATE journal SET body = ?, hash = ? WHERE seq = ?", (body, place, seq))
            database.execute("UPDATE head SET hash = ?", (place,))
            database.commit()
        assert f"entry {at}: its body is not written as the program writes it" in found_in(file, Keyring.load(old_key))


@pytest.mark.clause("TR-12")
def test_the_saved_state_of_before_is_not_believed(tmp_path: Path, old_key: Path) -> None:
    file = floor_of_before("sample", tmp_path)
    with closing(sqlite3.connect(file)) as database:
        database.execute(
            'UPDATE snapshot SET body = CAST(replace(CAST(body AS TEXT), \'"dealer","card"\', '
            '\'"manager","card"\') AS BLOB)'
        )
        database.commit()
    with closing(Floor(open_store(str(file)), keys=Keyring.load(old_key), threaded=False)) as floor_:
        assert floor_.state.staff["dealer"].role == "dealer"
