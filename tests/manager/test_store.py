"""The stores: the same promises on SQLite and on PostgreSQL, kept through faults, kills and copies."""

from __future__ import annotations

import inspect
import json
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest
from alembic import op
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import Column, Integer, MetaData, create_engine

from houseway.manager.store import migrate, open_store, postgres, restore, sql, sqlite
from houseway.manager.store.base import EMPTY, Credential, Head, Posting, Row, Snapshot, Store, StoreFault, TotalKey
from houseway.manager.store.pool import Pool
from houseway.manager.store.schema import metadata
from houseway.refusal import Refusal

DAY = "2026-03-07"
NEXT_DAY = "2026-03-08"
BIGGEST = 2**63 - 1


def entry(seq: int, order: str = "", *, at: int = 0, day: str = DAY, table: str = "T1", number: int = 1) -> Row:
    """An entry that is told from every other by its number."""
    body = json.dumps({"entry": seq, "why": 'né "quoted"\n\t\\ 7♠'}, ensure_ascii=False)
    return Row(seq, at or seq * 1000, day, order or f"order-{seq}", "coin-in", table, number, body, f"{seq:064x}")


def money(row: Row, micros: int) -> tuple[list[Posting], dict[TotalKey, int]]:
    """What a wager moves: from the tray to the meter."""
    lines = [
        Posting(row.seq, 0, "tray", "contribution", -micros),
        Posting(row.seq, 1, "meter:main", "contribution", micros),
    ]
    return lines, {TotalKey(row.day, row.table, line.account, line.purpose): line.micros for line in lines}


def add(store: Store, *rows: Row, micros: int = 250_000) -> None:
    """Record entries in one transaction."""
    store.begin()
    for row in rows:
        store.append([row], *money(row, micros))
    store.commit()


def everything(store: Store) -> tuple[object, ...]:
    """All that a store holds, to compare with another's."""
    return (
        store.head(),
        list(store.entries()),
        list(store.postings()),
        store.totals(),
        store.balances(),
        store.snapshot(),
        list(store.credentials()),
    )


def fill(store: Store, entries: int = 5) -> None:
    """Something of everything."""
    add(store, *(entry(seq, table=f"T{seq % 2}", number=seq) for seq in range(1, entries + 1)), micros=1)
    store.begin()
    store.add_credential(Credential("card-1", "ann", "argon2 one"))
    store.save_snapshot(Snapshot(entries, f"{entries:064x}", bytes(range(256))))
    store.commit()


# Not an import of this file: what the tests need would make every process start slowly.
PREAMBLE = """
from __future__ import annotations
import json, signal, sys
from pathlib import Path
from houseway.manager.store import open_store
from houseway.manager.store.base import *
from houseway.refusal import Refusal
""" + "".join(
    [f"DAY = {DAY!r}\n", *(inspect.getsource(part) for part in (entry, money, add, fill))],
)


class Script:
    """A process of its own that runs a piece of Python with a store's address as its argument."""

    def __init__(self, code: str, *arguments: str, before: Sequence[str] = ()) -> None:
        command = [*before, sys.executable, "-c", PREAMBLE + textwrap.dedent(code), *arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def line(self) -> str:
        """The next line it prints; waits for it."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()

    def finish(self) -> str:
        """What it printed, once it has ended well."""
        printed, _ = self.process.communicate(timeout=30)
        assert self.process.returncode == 0
        return printed.strip()


# What is written comes back


def test_a_new_floor_is_empty(store: Store) -> None:
    assert everything(store) == (EMPTY, [], [], {}, {}, None, [])
    assert store.entry(1) is None
    assert store.round_entries("T1", 1) == []
    assert store.credential("card-1") is None


def test_entries_and_postings_come_back_as_they_were_given(store: Store) -> None:
    rows = [entry(1), entry(2, table="", number=0), entry(3, number=BIGGEST)]
    add(store, *rows, micros=123_456_789_012_345)

    assert list(store.entries()) == rows
    assert [store.entry(row.seq) for row in rows] == rows
    assert store.head() == Head(3, rows[-1].hash)
    assert list(store.postings()) == [line for row in rows for line in money(row, 123_456_789_012_345)[0]]
    assert all(type(line.micros) is int for line in store.postings())


def test_the_largest_amounts_stay_exact(store: Store) -> None:
    add(store, entry(1), micros=BIGGEST)

    assert store.balances() == {"meter:main": BIGGEST, "tray": -BIGGEST}
    assert [line.micros for line in store.postings()] == [-BIGGEST, BIGGEST]


def test_a_transaction_begins_where_the_last_one_ended(store: Store) -> None:
    assert store.begin() == EMPTY
    store.append([entry(1), entry(2)], [], {})
    store.append([entry(3)], [], {})
    store.commit()

    assert store.begin() == Head(3, entry(3).hash)
    store.rollback()


def test_a_known_command_is_found_in_the_transaction(store: Store) -> None:
    add(store, entry(1, 'odd "id", {with}'), entry(2, "b"))
    store.begin()

    assert store.known([]) == {}
    assert store.known(["a"]) == {}
    assert store.known(["b"]) == {"b": entry(2, "b")}
    assert store.known(['odd "id", {with}', "b", "c"]) == {
        'odd "id", {with}': entry(1, 'odd "id", {with}'),
        "b": entry(2, "b"),
    }
    store.append([entry(3, "c")], *money(entry(3), 5))
    assert store.known(["c"]) == {"c": entry(3, "c")}
    store.append([entry(4, "d")], [], {})
    store.commit()
    assert store.head().seq == 4
    assert store.balances()["tray"] == -2 * 250_000 - 5


def test_entries_and_postings_are_streamed_in_pages(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sql, "PAGE", 3)
    add(store, *(entry(seq) for seq in range(1, 11)))

    assert [row.seq for row in store.entries()] == list(range(1, 11))
    assert [row.seq for row in store.entries(2, 9)] == list(range(3, 10))
    assert [row.seq for row in store.entries(after=9)] == [10]
    assert list(store.entries(10)) == []
    assert [(line.seq, line.line) for line in store.postings()] == [(s, n) for s in range(1, 11) for n in (0, 1)]
    assert [line.seq for line in store.postings(3, 5)] == [4, 4, 5, 5]


def test_a_round_is_found(store: Store) -> None:
    add(store, entry(1, number=1), entry(2, number=2), entry(3, number=1), entry(4, table="T2", number=1))

    assert [row.seq for row in store.round_entries("T1", 1)] == [1, 3]
    assert store.round_entries("T2", 2) == []


def test_orders_of_many_tables_at_once_write_few_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page of the index of rounds for every table was two thirds of all that a group of orders wrote."""
    monkeypatch.setattr(sqlite, "LOG_PAGES", 10**9)
    tables, rounds, log = 64, 100, tmp_path / "floor.db-wal"
    with closing(open_store(str(tmp_path / "floor.db"))) as store:
        for number in range(1, rounds + 1):
            before = log.stat().st_size
            first = (number - 1) * tables + 1
            rows = [entry(first + place, table=f"T{place}", number=number) for place in range(tables)]
            postings = [line for row in rows for line in money(row, 1)[0]]
            store.begin()
            store.append(rows, postings, {TotalKey(DAY, f"T{place}", "tray", "kept"): 1 for place in range(tables)})
            store.commit()
        pages = (log.stat().st_size - before) / (4096 + 24)
        assert [row.seq for row in store.round_entries("T5", rounds)] == [(rounds - 1) * tables + 6]
    assert pages < 30


def test_a_period_is_found_also_where_the_clock_went_back(store: Store) -> None:
    add(store, entry(1, at=100), entry(2, at=300), entry(3, at=200), entry(4, at=400))

    assert store.between(0, 1000) == (1, 4)
    assert store.between(200, 300) == (3, 3)
    assert store.between(200, 301) == (2, 3)
    assert store.between(401, 1000) == (0, 0)


def test_totals_add_up_by_day_and_balances_over_days(store: Store) -> None:
    add(store, entry(1), entry(2), entry(3, day=NEXT_DAY), micros=10)
    add(store, entry(4), micros=7)

    def meter(day: str) -> TotalKey:
        return TotalKey(day, "T1", "meter:main", "contribution")

    assert {key: micros for key, micros in store.totals().items() if key.account == "meter:main"} == {
        meter(DAY): 27,
        meter(NEXT_DAY): 10,
    }
    assert {key.day for key in store.totals(NEXT_DAY)} == {NEXT_DAY}
    assert {key.day for key in store.totals(last_day=DAY)} == {DAY}
    assert {key.day for key in store.totals(DAY, NEXT_DAY)} == {DAY, NEXT_DAY}
    assert store.totals("2026-03-09", "2026-03-10") == {}
    assert store.balances() == {"meter:main": 37, "tray": -37}
    assert store.balances(NEXT_DAY) == {"meter:main": 27, "tray": -27}
    assert store.balances(DAY) == {}


def test_many_groups_sum_as_a_dictionary_does(store: Store) -> None:
    dice = random.Random(7)
    kept: dict[TotalKey, int] = {}
    seq = 0
    for _ in range(25):
        rows = [entry(seq + n, table=f"T{dice.randrange(3)}") for n in range(1, dice.randrange(1, 6))]
        moves = {
            TotalKey(DAY, row.table, dice.choice(["a", "b"]), dice.choice(["x", "y"])): dice.randrange(-9, 10)
            for row in rows
        }
        store.begin()
        store.append(rows, [], moves)
        if dice.random() < 0.3:
            store.rollback()
            continue
        store.commit()
        seq += len(rows)
        kept = {key: kept.get(key, 0) + moves.get(key, 0) for key in kept | moves}

    assert store.totals() == kept
    assert store.head().seq == seq == len(list(store.entries()))


def test_the_snapshot_is_the_latest(store: Store) -> None:
    for seq, body in ((1, b"first"), (2, bytes(range(256)))):
        store.begin()
        store.save_snapshot(Snapshot(seq, f"{seq:064x}", body))
        store.commit()

    assert store.snapshot() == Snapshot(2, f"{2:064x}", bytes(range(256)))


def test_a_new_credential_takes_the_place_of_the_cards_earlier_one(store: Store) -> None:
    store.begin()
    store.add_credential(Credential("card-2", "bob", "two"))
    store.add_credential(Credential("card-1", "ann", "one"))
    store.add_credential(Credential("card-2", "cleo", "three"))
    store.commit()

    assert store.credential("card-2") == Credential("card-2", "cleo", "three")
    assert list(store.credentials()) == [Credential("card-1", "ann", "one"), Credential("card-2", "cleo", "three")]


# A transaction is whole or not at all


def test_a_rollback_leaves_nothing(store: Store) -> None:
    fill(store)
    before = everything(store)
    store.begin()
    store.append([entry(6)], *money(entry(6), 9))
    store.add_credential(Credential("card-1", "eve", "stolen"))
    store.save_snapshot(Snapshot(6, "", b""))
    store.rollback()
    store.rollback()

    assert everything(store) == before
    add(store, entry(6))
    assert store.head().seq == 6


def test_readers_see_only_what_is_committed(store: Store) -> None:
    fill(store)
    before = everything(store)
    store.begin()
    store.append([entry(6)], *money(entry(6), 9))
    store.known(["order-6"])
    store.add_credential(Credential("card-1", "eve", "not yet"))

    assert everything(store) == before
    store.commit()
    assert store.head().seq == 6


def test_many_threads_read_beside_the_writer(store: Store) -> None:
    done = threading.Event()

    def read() -> int:
        reads = 0
        while not done.is_set() or not reads:
            assert sum(store.balances().values()) == 0
            head = store.head()
            assert [row.seq for row in store.entries(until=head.seq)] == list(range(1, head.seq + 1))
            reads += 1
        return reads

    with ThreadPoolExecutor(12) as threads:
        readers = [threads.submit(read) for _ in range(12)]
        for seq in range(1, 31):
            add(store, entry(seq))
        done.set()
        assert all(reader.result() for reader in readers)


def test_a_stream_begun_before_a_commit_goes_on(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sql, "PAGE", 2)
    add(store, *(entry(seq) for seq in range(1, 6)))
    stream = store.entries()
    assert next(stream).seq == 1
    add(store, entry(6))

    assert [row.seq for row in stream] == [2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    "mistake",
    [
        lambda store: store.append([entry(2)], [], {}),
        lambda store: store.append([entry(1), entry(3)], [], {}),
        lambda store: store.begin(),
    ],
    ids=["a gap before", "a gap between", "begun twice"],
)
def test_a_writer_that_miscounts_is_stopped(store: Store, mistake: Callable[[Store], object]) -> None:
    store.begin()
    with pytest.raises(RuntimeError, match=r"comes next|begin inside"):
        mistake(store)
    store.rollback()
    assert store.head() == EMPTY


@pytest.mark.parametrize(
    "write",
    [
        lambda store: store.append([entry(1)], [], {}),
        lambda store: store.known(["a"]),
        lambda store: store.add_credential(Credential("c", "s", "p")),
        lambda store: store.save_snapshot(Snapshot(1, "", b"")),
        lambda store: store.commit(),
    ],
    ids=["append", "known", "add_credential", "save_snapshot", "commit"],
)
def test_nothing_is_written_outside_a_transaction(store: Store, write: Callable[[Store], object]) -> None:
    with pytest.raises(RuntimeError, match="outside begin"):
        write(store)


@pytest.mark.parametrize(
    ("row", "lines", "totals"),
    [
        (entry(2, "order-1"), [], {}),
        (entry(2), [Posting(2, 0, "a", "p", 1), Posting(2, 0, "a", "p", 1)], {}),
        (entry(2), [Posting(2, 0, "a", "p", 2**63)], {}),
        (entry(2), [], {TotalKey(DAY, "T1", "meter:main", "contribution"): BIGGEST}),
        (entry(2, "half \ud800"), [], {}),
    ],
    ids=["a command twice", "a line twice", "an amount too large", "a total too large", "half a character"],
)
def test_what_the_database_refuses_leaves_nothing(
    store: Store, row: Row, lines: list[Posting], totals: dict[TotalKey, int]
) -> None:
    add(store, entry(1))
    before = everything(store)

    def attempt() -> None:
        store.begin()
        store.append([row], lines, totals)
        store.commit()

    with pytest.raises(StoreFault) as fault:
        attempt()
    assert not fault.value.uncertain
    assert "\n" not in str(fault.value)
    assert everything(store) == before
    add(store, entry(2))
    assert store.head().seq == 2


def test_the_head_is_one_row(store: Store, kind: str, database: str) -> None:
    with raw(kind, database) as connection:
        with pytest.raises((sqlite3.IntegrityError, psycopg.errors.CheckViolation)):
            connection.execute("INSERT INTO head (id, seq, hash) VALUES (2, 0, '')")
        connection.execute("DELETE FROM head")
    with pytest.raises(StoreFault, match="the table head has 0 rows"):
        store.head()
    with pytest.raises(StoreFault, match=r"the table head has 0 rows|another program has written"):
        store.begin()


@contextmanager
def raw(kind: str, database: str) -> Iterator[Any]:
    """The database without us, each statement a transaction."""
    opened: Any = (
        sqlite3.connect(database, isolation_level=None)
        if kind == "sqlite"
        else psycopg.connect(database, autocommit=True)
    )
    with closing(opened) as connection:
        yield connection


# Opening


def test_a_floor_is_there_again_after_closing(database: str) -> None:
    with closing(open_store(database)) as store:
        fill(store)
        before = everything(store)
    with closing(open_store(database, create=False)) as store:
        assert everything(store) == before


def test_a_reader_works_beside_the_writer_and_changes_nothing(store: Store, database: str) -> None:
    fill(store)
    with closing(open_store(database, read_only=True)) as reader:
        assert everything(reader) == everything(store)
        add(store, entry(6))
        assert reader.head().seq == 6
        with pytest.raises(Refusal, match="reading only"):
            reader.begin()


def test_a_start_that_finds_its_version_imports_no_migrations(database: str) -> None:
    open_store(database).close()
    code = """
        import sys
        from houseway.manager.store import open_store
        store = open_store(sys.argv[1])
        store.begin(), store.commit(), store.close()
        print([name for name in ("alembic", "sqlalchemy") if name in sys.modules])
    """
    command = [sys.executable, "-c", textwrap.dedent(code), database]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip() == "[]"


@pytest.mark.parametrize("choice", [{"create": False}, {"read_only": True}])
def test_a_floor_that_is_not_there_is_not_made_unasked(database: str, choice: dict[str, bool]) -> None:
    with pytest.raises(Refusal, match=r"does not exist|is empty"):
        open_store(database, **choice)
    with closing(open_store(database)) as store:
        assert store.head() == EMPTY


def test_a_database_newer_than_the_program_is_refused(kind: str, database: str) -> None:
    open_store(database).close()
    with raw(kind, database) as connection:
        connection.execute(f"UPDATE {migrate.VERSION_TABLE} SET version_num = '9999'")
    for read_only in (False, True):
        with pytest.raises(Refusal, match="version 9999, which is newer than this program knows"):
            open_store(database, read_only=read_only)


def test_an_older_database_is_brought_up_to_date_only_for_writing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrate, "REVISIONS", ("0001", "0002"))
    monkeypatch.setattr(migrate, "CURRENT", "0002")
    monkeypatch.setattr(migrate, "READ_ALIKE", ("0002",))

    def needed(*, read_only: bool) -> bool:
        tables = ["journal", migrate.VERSION_TABLE]
        return migrate.needs_upgrade("floor.db", tables, lambda: "0001", create=True, read_only=read_only)

    assert needed(read_only=False)
    with pytest.raises(Refusal, match="older than 0002"):
        needed(read_only=True)


def test_a_floor_whose_rounds_lie_by_table_gets_them_side_by_side(kind: str, database: str) -> None:
    """From revision 0002, on both databases, with every entry where it was."""
    opened: Any = migrate.sqlite_transaction(Path(database))
    if kind == "postgresql":
        opened = migrate.postgres_transaction(lambda: psycopg.connect(database))
    with opened as connection:
        migrate.upgrade(connection, "0002")
    add_row = f"INSERT INTO journal ({sql.ROW}) VALUES ({', '.join(['%s'] * 10)})"
    with raw(kind, database) as connection:
        for seq in range(1, 5):
            connection.execute(
                add_row if kind == "postgresql" else add_row.replace("%s", "?"), entry(seq, number=seq // 2)
            )
        connection.execute(f"UPDATE head SET seq = 4, hash = '{4:064x}'")
    for read_only in (True, False):
        with closing(open_store(database, create=False, read_only=read_only)) as store:
            assert list(store.entries()) == [entry(seq, number=seq // 2) for seq in range(1, 5)]
            assert [row.seq for row in store.round_entries("T1", 1)] == [2, 3]
    with raw(kind, database) as connection:
        question = "SELECT sql FROM sqlite_schema WHERE name = 'journal_round'"
        if kind == "postgresql":
            question = "SELECT indexdef FROM pg_indexes WHERE indexname = 'journal_round'"
        ((made,),) = connection.execute(question).fetchall()
    assert made.endswith("(round, table_id)")


def test_a_database_of_something_else_is_refused_and_left_alone(kind: str, database: str) -> None:
    with raw(kind, database) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    for read_only in (False, True):
        with pytest.raises(Refusal, match="is not a Houseway database"):
            open_store(database, read_only=read_only)
    with raw(kind, database) as connection:
        assert tables(kind, connection) == ["recipes"]
    if kind == "sqlite":
        assert [file.name for file in Path(database).parent.iterdir()] == ["floor.db"]


def tables(kind: str, connection: Any) -> list[str]:
    """The names of the tables that a database has."""
    question = "SELECT name FROM sqlite_schema WHERE type = 'table'"
    if kind == "postgresql":
        question = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
    return sorted(name for (name,) in connection.execute(question))


@pytest.mark.parametrize("content", [b"just a letter to my aunt " * 50, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "floor.db"
    file.write_bytes(content)
    with pytest.raises(Refusal, match=r"floor\.db: "):
        open_store(str(file))
    assert file.read_bytes() == content
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(
    "place", ["mysql://root:secret@server/floor", "sqlite://", "sqlite:///", ":memory:", "", "sqlite:///:memory:"]
)
def test_a_place_that_is_none_is_refused(place: str) -> None:
    with pytest.raises(Refusal, match="names no database") as refusal:
        open_store(place)
    assert "secret" not in str(refusal.value)


def test_a_path_where_no_file_can_be_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="is a folder"):
        open_store(str(tmp_path))
    with pytest.raises(Refusal, match="is not a folder"):
        open_store(str(tmp_path / "none" / "floor.db"))
    with pytest.raises(Refusal, match="File name too long"):
        open_store(str(tmp_path / ("x" * 300)))
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    with pytest.raises(Refusal, match="go in a circle"):
        open_store(str(tmp_path / "circle"))


def test_a_path_may_be_written_as_an_address(tmp_path: Path) -> None:
    file = tmp_path / "the floor? 100%.db"
    with closing(open_store(f"sqlite:///{file}")) as store:
        add(store, entry(1))
        assert store.name == str(file)
        assert store.head().seq == 1
    assert file.stat().st_mode & 0o777 == 0o600


# The schema


def test_the_migrated_database_is_the_schema_of_the_program(kind: str, database: str) -> None:
    open_store(database).close()
    assert not differences(kind, database, metadata)

    other = MetaData()
    for table in metadata.tables.values():
        table.to_metadata(other)
    other.tables["totals"].append_column(Column("extra", Integer))
    assert len(differences(kind, database, other)) == 1


def differences(kind: str, database: str, wanted: MetaData) -> list[Any]:
    """What Alembic would change to make the database the wanted one."""
    engine = (
        create_engine(f"sqlite:///{database}")
        if kind == "sqlite"
        else create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(database))
    )
    options = {"version_table": migrate.VERSION_TABLE, "compare_type": True}
    try:
        with engine.connect() as connection:
            return list(compare_metadata(MigrationContext.configure(connection, opts=options), wanted))
    finally:
        engine.dispose()


def test_the_revisions_that_the_program_names_are_those_it_has() -> None:
    scripts = ScriptDirectory(str(Path(migrate.__file__).parent / "migrations"))
    assert tuple(script.revision for script in reversed(list(scripts.walk_revisions()))) == migrate.REVISIONS


def test_an_amount_is_an_integer_whoever_writes_it(store: Store, kind: str, database: str) -> None:
    add(store, entry(1))
    for amount in ("'much'", "1.5"):
        if kind == "postgresql" and amount == "1.5":
            continue
        with raw(kind, database) as connection, pytest.raises((sqlite3.IntegrityError, psycopg.DataError)):
            connection.execute(f"UPDATE totals SET micros = {amount}")


def test_a_migration_that_fails_leaves_the_database_as_it_was(
    kind: str, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class PowerCutError(Exception):
        pass

    def fail(*_: object, **__: object) -> None:
        raise PowerCutError

    with monkeypatch.context() as patch:
        patch.setattr(op, "bulk_insert", fail)
        with pytest.raises(PowerCutError):
            open_store(database)
    with raw(kind, database) as connection:
        assert tables(kind, connection) == []
    with closing(open_store(database)) as store:
        assert store.head() == EMPTY


# Processes


def test_a_writer_killed_before_its_commit_leaves_nothing(database: str) -> None:
    with closing(open_store(database)) as store:
        fill(store)
        before = everything(store)
    script = Script(
        """
        store = open_store(sys.argv[1])
        store.begin()
        store.append([entry(6)], *money(entry(6), 9))
        store.known(["order-6"])
        store.add_credential(Credential("card-1", "eve", "stolen"))
        print("appended", flush=True)
        signal.pause()
        """,
        database,
    )
    assert script.line() == "appended"
    script.kill()

    with closing(open_store(database)) as store:
        assert everything(store) == before
        add(store, entry(6))
        assert store.head().seq == 6


def test_a_writer_killed_after_its_commit_leaves_all(database: str) -> None:
    script = Script(
        """
        store = open_store(sys.argv[1])
        fill(store)
        print("committed", flush=True)
        signal.pause()
        """,
        database,
    )
    assert script.line() == "committed"
    script.kill()

    with closing(open_store(database)) as store:
        assert [row.seq for row in store.entries()] == [1, 2, 3, 4, 5]
        assert store.credential("card-1") is not None


def test_a_closed_file_can_be_opened_while_somebody_still_holds_what_he_was_born_with(tmp_path: Path) -> None:
    """A process that is begun while the floor is open has all its files for a moment, the lock among them."""
    database = str(tmp_path / "floor.db")
    store = open_store(database)
    lock = next(int(one.name) for one in Path("/proc/self/fd").iterdir() if one.resolve() == tmp_path / "floor.db-lock")
    heir = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, pass_fds=(lock,))
    store.close()
    with closing(open_store(database)) as again:
        assert again.head() == EMPTY
    heir.communicate(b"\n", timeout=30)


def test_a_second_writer_of_a_file_is_refused_while_the_first_lives(tmp_path: Path) -> None:
    database = str(tmp_path / "floor.db")
    (tmp_path / "other name.db").symlink_to(database)
    script = Script("store = open_store(sys.argv[1]); print('open', flush=True); signal.pause()", database)
    assert script.line() == "open"

    for name in (database, str(tmp_path / "other name.db")):
        with pytest.raises(Refusal, match="is being written by another Houseway"):
            open_store(name)
    with closing(open_store(database, read_only=True)) as reader:
        assert reader.head() == EMPTY
    script.kill()
    with closing(open_store(database)) as store:
        with pytest.raises(Refusal, match="is being written"):
            open_store(database)
        add(store, entry(1))


def test_those_who_find_no_floor_at_once_make_one(
    new_postgres: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    database = new_postgres()
    together = threading.Barrier(3)
    upgrade = postgres._upgrade

    def late(url: str, name: str) -> None:
        together.wait(10)
        upgrade(url, name)

    monkeypatch.setattr(postgres, "_upgrade", late)
    with ThreadPoolExecutor(3) as threads:
        for store in threads.map(open_store, [database] * 3):
            assert store.head() == EMPTY
            store.close()


def test_processes_that_write_one_floor_lose_and_double_nothing(new_postgres: Callable[[], str]) -> None:
    database = new_postgres()
    code = """
        store = open_store(sys.argv[1])
        for turn in range(20):
            at = store.begin().seq
            rows = [entry(at + n, f"{sys.argv[2]}-{turn}-{n}") for n in (1, 2)]
            assert not store.known([row.order for row in rows])
            for row in rows:
                store.append([row], *money(row, 3))
            store.rollback() if turn % 10 == 9 else store.commit()
        store.close()
    """
    scripts = [Script(code, database, name) for name in "abc"]
    for script in scripts:
        script.finish()

    with closing(open_store(database)) as store:
        rows = list(store.entries())
        assert [row.seq for row in rows] == list(range(1, 3 * 36 + 1))
        assert {row.order[0] for row in rows} == set("abc")
        assert len({row.order for row in rows}) == len(rows)
        assert store.balances() == {"meter:main": 3 * 3 * 36, "tray": -3 * 3 * 36}
        assert store.head() == Head(rows[-1].seq, rows[-1].hash)


# Durability


def test_a_file_system_that_cannot_keep_a_log_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite itself cannot keep one with this way of locking, which has no shared memory."""
    honest = sqlite._uri
    monkeypatch.setattr(sqlite, "_uri", lambda path, mode: honest(path, mode) + "&vfs=unix-dotfile")
    with pytest.raises(Refusal, match="journal mode delete and synchronous 2, needed are wal and 2"):
        open_store(str(tmp_path / "floor.db"))


def test_a_database_that_does_not_wait_for_the_disk_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "SYNCHRONOUS", "PRAGMA synchronous = NORMAL")
    with pytest.raises(Refusal, match="journal mode wal and synchronous 1, needed are wal and 2"):
        open_store(str(tmp_path / "floor.db"))


@pytest.mark.parametrize("value", ["off", "local", "remote_write"])
def test_a_server_that_does_not_wait_for_the_disk_is_refused(new_postgres: Callable[[], str], value: str) -> None:
    database = new_postgres()
    with closing(open_store(database)) as store:
        add(store, entry(1))
        with raw("postgresql", database) as connection:
            connection.execute(f"ALTER DATABASE floor_1 SET synchronous_commit = {value}")
        cut_connections(database)
        with pytest.raises(StoreFault, match=f"synchronous_commit = {value}"):
            store.begin()
        assert store.head().seq == 1
    with pytest.raises(Refusal, match=f"synchronous_commit = {value} and could lose what it confirmed; set it to on"):
        open_store(database)


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [("'on', 'off', 'on', 'UTF8'", "fsync = off"), ("'on', 'on', 'on', 'LATIN1'", "encoded as LATIN1")],
)
def test_the_other_settings_of_a_server_are_looked_at(
    new_postgres: Callable[[], str], monkeypatch: pytest.MonkeyPatch, answer: str, complaint: str
) -> None:
    monkeypatch.setattr(postgres, "SETTINGS", f"SELECT {answer}")
    with pytest.raises(Refusal, match=complaint):
        open_store(new_postgres())


# Disks


def test_a_full_database_loses_nothing_and_goes_on_when_there_is_room(tmp_path: Path) -> None:
    with closing(open_store(str(tmp_path / "floor.db"))) as store:
        fill(store)
        before = everything(store)
        writer = store._writer  # type: ignore[attr-defined]
        (pages,) = writer.execute("PRAGMA page_count").fetchone()
        writer.execute(f"PRAGMA max_page_count = {pages}")
        big = entry(6)._replace(body="x" * 100_000)
        store.begin()
        with pytest.raises(StoreFault, match="the disk is full; make room, then go on") as fault:
            store.append([big], *money(big, 1))
        assert not fault.value.uncertain
        assert everything(store) == before

        writer.execute("PRAGMA max_page_count = 1000000")
        add(store, big)
        assert store.entry(6) == big


FAULTY = """
    store = open_store(sys.argv[1])
    fill(store)
    big = entry(6)._replace(body="x" * 3_000_000)
    shrink()
    try:
        store.begin()
        store.append([big], *money(big, 1))
        store.commit()
    except StoreFault as fault:
        print(fault.uncertain, str(fault).partition(": ")[2])
    assert [row.seq for row in store.entries()] == [1, 2, 3, 4, 5], "kept half"
    enlarge()
    add(store, entry(6))
    print(store.head().seq)
    signal.raise_signal(signal.SIGKILL)
"""


def test_a_limit_on_the_files_size_loses_nothing(tmp_path: Path) -> None:
    database = str(tmp_path / "floor.db")
    code = """
        import resource
        def limit(size): resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
        def shrink(): limit(1_000_000)
        def enlarge(): limit(resource.RLIM_INFINITY)
    """
    script = Script(textwrap.dedent(code) + textwrap.dedent(FAULTY), database)
    printed, _ = script.process.communicate(timeout=30)
    assert script.process.returncode == -signal.SIGKILL
    assert printed.splitlines() == [
        "False the disk refused to read or write; look after it before going on (disk I/O error)",
        "6",
    ]
    with closing(open_store(database)) as store:
        assert store.entry(6) == entry(6)


def private_mount(options: str, folder: Path) -> list[str]:
    """What to write before a command so that it alone sees another file system at a folder."""
    before = ["unshare", "--mount", "sh", "-c", f'mount {options} "$0" && exec "$@"', str(folder)]
    if subprocess.run([*before, "true"], check=False, capture_output=True).returncode:
        pytest.skip("this machine lets nobody mount a file system of their own")
    return before


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    before = private_mount("-t tmpfs -o size=2m tmpfs", tmp_path)
    code = """
        def shrink(): Path(sys.argv[1] + "-other").write_bytes(bytes(200_000))
        def enlarge(): Path(sys.argv[1] + "-other").unlink()
    """
    code = textwrap.dedent(code) + textwrap.dedent(FAULTY)
    script = Script(code, str(tmp_path / "floor.db"), before=before)
    printed, _ = script.process.communicate(timeout=30)
    assert printed.splitlines() == [
        "False the disk is full; make room, then go on (database or disk is full)",
        "6",
    ]


def test_a_read_only_folder_can_be_read(tmp_path: Path) -> None:
    database = tmp_path / "floor.db"
    with closing(open_store(str(database))) as store:
        fill(store)
    before = private_mount(f'--bind -o ro "{tmp_path}"', tmp_path)
    script = Script(
        """
        for place in (sys.argv[1], sys.argv[1] + "-new"):
            try:
                open_store(place)
            except Refusal as refusal:
                print(refusal.sentence.partition("cannot ")[2])
        print(len(list(open_store(sys.argv[1], read_only=True).entries())))
        try:
            open_store(sys.argv[1], read_only=True).backup(Path(sys.argv[1] + "-copy"))
        except Refusal as refusal:
            print(refusal.sentence.partition("cannot ")[2])
        """,
        str(database),
        before=before,
    )
    allowed = "be written to (Read-only file system); allow it"
    assert script.finish().splitlines() == [
        allowed,
        allowed,
        "5",
        "be written (Read-only file system); name a file elsewhere",
    ]


def test_a_file_that_turns_read_only_is_a_fault_and_then_none(tmp_path: Path) -> None:
    with closing(open_store(str(tmp_path / "floor.db"))) as store:
        store._writer.execute("PRAGMA query_only = ON")  # type: ignore[attr-defined]
        with pytest.raises(StoreFault, match="cannot be written to"):
            add(store, entry(1))
        store._writer.execute("PRAGMA query_only = OFF")  # type: ignore[attr-defined]
        add(store, entry(1))
        assert store.head().seq == 1


def test_another_program_that_locks_the_file_is_a_fault_and_then_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.1)
    database = str(tmp_path / "floor.db")
    with closing(open_store(database)) as store, raw("sqlite", database) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreFault, match="another program keeps the file locked"):
            store.begin()
        assert store.head() == EMPTY
        other.execute("ROLLBACK")
        add(store, entry(1))


class FailingCommit:
    """A connection whose commit fails at its last step, as when the disk refuses to confirm."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def execute(self, statement: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        """Pass everything on but the commit."""
        if statement == "COMMIT":
            raise sqlite3.OperationalError("disk I/O error")
        return self.connection.execute(statement, values)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.connection, name)


@pytest.mark.parametrize("reading", [False, True], ids=["no reader", "a reader in the way"])
def test_a_failed_commit_is_certain_only_when_its_log_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reading: bool
) -> None:
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.1)
    database = tmp_path / "floor.db"
    with closing(open_store(str(database))) as store, raw("sqlite", str(database)) as reader:
        add(store, entry(1))
        if reading:
            reader.execute("BEGIN")
            reader.execute("SELECT * FROM head").fetchall()
        store._writer = FailingCommit(store._writer)  # type: ignore[attr-defined]
        with pytest.raises(StoreFault) as fault:
            add(store, entry(2))
        assert fault.value.uncertain is reading
        assert (Path(f"{database}-wal").stat().st_size == 0) is not reading
        assert store.head().seq == 1
        store._writer = store._writer.connection  # type: ignore[attr-defined]
        add(store, entry(2))
        assert store.head().seq == 2


# Connections


def cut_connections(database: str) -> None:
    """What a restart of the server, or a broken cable, does to everyone."""
    with raw("postgresql", database) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def test_a_connection_lost_between_transactions_is_made_again(new_postgres: Callable[[], str]) -> None:
    database = new_postgres()
    with closing(open_store(database)) as store:
        fill(store)
        before = everything(store)
        cut_connections(database)
        assert everything(store) == before
        cut_connections(database)
        add(store, entry(6))
        assert store.head().seq == 6


def test_a_connection_lost_in_a_transaction_is_a_fault_that_leaves_nothing(new_postgres: Callable[[], str]) -> None:
    database = new_postgres()
    with closing(open_store(database)) as store:
        fill(store)
        before = everything(store)
        store.begin()
        store.append([entry(6)], *money(entry(6), 9))
        cut_connections(database)
        with pytest.raises(StoreFault, match="the server ended the session before this order reached it") as fault:
            store.known(["order-6"])
        assert not fault.value.uncertain
        store.rollback()
        assert everything(store) == before
        add(store, entry(6))
        assert store.head().seq == 6


class Cable:
    """A socket in front of the server's, which can be cut while a commit is on its way."""

    def __init__(self, database: str, folder: Path) -> None:
        parts = conninfo_to_dict(database)
        self.server = f"{parts['host']}/.s.PGSQL.5432"
        self.address = f"postgresql://{parts['user']}@/{parts['dbname']}?host={folder}"
        self.cut: str | None = None
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(f"{folder}/.s.PGSQL.5432")
        self.listener.listen()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        """Take whoever connects."""
        with suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client: socket.socket) -> None:
        """Carry one connection to the server and back, until either side or the cable ends it."""
        with closing(client), closing(socket.socket(socket.AF_UNIX)) as server:
            server.connect(self.server)
            back = threading.Thread(target=self.carry, args=(server, client), daemon=True)
            back.start()
            self.carry(client, server, asking=True)
            back.join()

    def carry(self, source: socket.socket, target: socket.socket, asking: bool = False) -> None:
        """Pass bytes on in one direction."""
        with suppress(OSError):
            while data := source.recv(1 << 16):
                cut = self.cut if asking and b"commit" in data else None
                if cut is not None:
                    source.shutdown(socket.SHUT_RDWR)
                if cut == "before":
                    break
                target.sendall(data)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """A folder whose path leaves room for a socket's name."""
    with tempfile.TemporaryDirectory(prefix="hw") as folder:
        yield Path(folder)


@pytest.mark.parametrize("cut", ["before", "behind"])
def test_a_connection_lost_in_a_commit_is_uncertain_until_looked_at(
    new_postgres: Callable[[], str], short_folder: Path, cut: str
) -> None:
    database = new_postgres()
    open_store(database).close()
    cable = Cable(database, short_folder)
    with closing(cable.listener), closing(open_store(cable.address)) as store:
        add(store, entry(1))
        cable.cut = cut
        with pytest.raises(StoreFault) as fault:
            add(store, entry(2))
        assert fault.value.uncertain
        cable.cut = None
        committed = cut == "behind"
        head = store.begin()
        assert head.seq == (2 if committed else 1)
        assert store.known(["order-2"]) == ({"order-2": entry(2)} if committed else {})
        store.append([entry(head.seq + 1, "again")], [], {})
        store.commit()


def test_a_server_that_is_not_there_is_a_fault_without_the_password(tmp_path: Path) -> None:
    with pytest.raises(StoreFault, match="cannot be reached") as fault:
        open_store(f"postgresql://ann:secret@/floor?host={tmp_path}")
    assert "secret" not in str(fault.value)


def test_an_address_that_is_none_is_refused_without_the_password() -> None:
    with pytest.raises(Refusal, match="not an address of a PostgreSQL database") as refusal:
        open_store("postgresql://ann:secret@server:port:port/floor?nothing=1")
    assert "secret" not in str(refusal.value)


def test_a_lock_that_another_process_keeps_is_a_fault(
    new_postgres: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "WRITER", "SET lock_timeout = '200ms'")
    monkeypatch.setattr(postgres, "BEGIN_SECONDS", postgres.LOCK_SECONDS)
    database = new_postgres()
    with closing(open_store(database)) as store, closing(open_store(database)) as other:
        other.begin()
        with pytest.raises(StoreFault, match="another process has kept the floor locked"):
            store.begin()
        other.append([entry(1)], [], {})
        other.commit()
        assert store.begin().seq == 1
        store.rollback()


def test_a_writer_notices_that_a_newer_program_took_over(new_postgres: Callable[[], str]) -> None:
    database = new_postgres()
    with closing(open_store(database)) as store:
        add(store, entry(1))
        with raw("postgresql", database) as connection:
            connection.execute(f"UPDATE {migrate.VERSION_TABLE} SET version_num = '9999'")
        with pytest.raises(StoreFault, match="another Houseway brought it to version 9999"):
            store.begin()
        assert store.head().seq == 1


def test_a_commit_calls_those_who_listen(new_postgres: Callable[[], str]) -> None:
    database = new_postgres()
    with closing(open_store(database)) as store, raw("postgresql", database) as listener:
        listener.execute(f"LISTEN {postgres.CHANNEL}")
        store.begin()
        store.append([entry(1)], [], {})
        store.known(["order-1"])
        store.rollback()
        add(store, entry(1), entry(2))
        assert [call.payload for call in listener.notifies(timeout=5, stop_after=1)] == ["2"]
        assert list(listener.notifies(timeout=0)) == []


def test_a_reader_that_met_a_fault_is_not_used_again() -> None:
    class Reader:
        closed = False

        def close(self) -> None:
            self.closed = True

    pool = Pool(Reader, 2)
    with pool.lease() as first:
        pass
    with pytest.raises(OSError, match="gone"), pool.lease() as again:
        raise OSError("gone")
    with pool.lease() as other:
        assert again is first
        assert first.closed
        assert other is not first
        pool.close()
        assert not other.closed
    assert other.closed


# Copies


@pytest.fixture(params=["sqlite", "postgresql"])
def elsewhere(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where to restore to: a database that is not there yet, or is empty."""
    if request.param == "sqlite":
        return str(tmp_path / "restored.db")
    return str(request.getfixturevalue("new_postgres")())


def test_a_backup_restores_everything_everywhere(store: Store, elsewhere: str, tmp_path: Path) -> None:
    fill(store, 20)
    copy = tmp_path / "copy.db"
    store.backup(copy)
    before = everything(store)
    add(store, entry(21))

    restore(copy, elsewhere)
    assert sorted(file.name for file in tmp_path.glob("copy*")) == ["copy.db"]
    assert copy.stat().st_mode & 0o777 == 0o600
    with closing(open_store(str(copy), read_only=True)) as kept, closing(open_store(elsewhere)) as restored:
        assert everything(kept) == everything(restored) == before
        add(restored, entry(21))
        assert everything(restored) == everything(store)


def test_a_backup_is_taken_as_of_one_moment_while_the_floor_runs(store: Store, tmp_path: Path) -> None:
    add(store, *(entry(seq) for seq in range(1, 200)), micros=5)
    writing, done = threading.Event(), threading.Event()

    def write() -> int:
        seq = 199
        while not done.is_set():
            seq += 1
            add(store, entry(seq), micros=5)
            writing.set()
        return seq

    with ThreadPoolExecutor(1) as thread:
        last = thread.submit(write)
        assert writing.wait(30)
        copies = [tmp_path / f"copy-{n}.db" for n in range(3)]
        for copy in copies:
            store.backup(copy)
        done.set()
        assert last.result() > 199
    for copy in copies:
        with closing(open_store(str(copy), read_only=True)) as kept:
            count = kept.head().seq
            assert [row.seq for row in kept.entries()] == list(range(1, count + 1))
            assert len(list(kept.postings())) == 2 * count
            assert kept.balances() == {"meter:main": 5 * count, "tray": -5 * count}


def test_a_tool_may_take_the_backup_beside_the_floor(store: Store, database: str, tmp_path: Path) -> None:
    fill(store)
    with closing(open_store(database, read_only=True)) as tool:
        tool.backup(tmp_path / "copy.db")
    with closing(open_store(str(tmp_path / "copy.db"))) as kept:
        assert everything(kept) == everything(store)


def test_a_backup_replaces_no_file(store: Store, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    copy.write_text("precious")
    with pytest.raises(Refusal, match=r"copy\.db exists"):
        store.backup(copy)
    with pytest.raises(Refusal, match="cannot be written"):
        store.backup(tmp_path / "none" / "copy.db")
    assert copy.read_text() == "precious"
    assert not list(tmp_path.glob("*.part"))


def test_a_backup_that_does_not_fit_leaves_no_half(store: Store, tmp_path: Path) -> None:
    fill(store)
    code = """
        import resource
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, resource.RLIM_INFINITY))
        store = open_store(sys.argv[1], read_only=True)
        try:
            store.backup(Path(sys.argv[2]))
        except StoreFault as fault:
            print(fault)
        store.close()
    """
    copy = tmp_path / "copy.db"
    database = store._url if isinstance(store, postgres.PostgresStore) else store.name
    printed = Script(code, database, str(copy)).finish()
    assert printed.startswith(f"{copy}: the disk refused to read or write")
    assert not list(tmp_path.glob("copy*"))


def test_a_restore_goes_only_into_a_new_database(database: str, tmp_path: Path) -> None:
    with closing(open_store(database)) as store:
        fill(store)
        store.backup(tmp_path / "copy.db")
        add(store, entry(6))
        before = everything(store)
    with pytest.raises(Refusal, match=r"exists|is not empty"):
        restore(tmp_path / "copy.db", database)
    with closing(open_store(database)) as store:
        assert everything(store) == before


def test_only_a_whole_backup_is_restored(elsewhere: str, tmp_path: Path) -> None:
    with closing(open_store(str(tmp_path / "floor.db"))) as store:
        add(store, *(entry(seq) for seq in range(1, 200)))
        store.backup(tmp_path / "copy.db")
    whole = (tmp_path / "copy.db").read_bytes()
    for name, content in {
        "torn.db": whole[: len(whole) // 2],
        "scratched.db": whole[:20480] + b"\xff" * 4096 + whole[24576:],
        "letter.db": b"no database",
        "empty.db": b"",
    }.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(Refusal, match=name):
            restore(tmp_path / name, elsewhere)
    with pytest.raises(Refusal, match="does not exist"):
        restore(tmp_path / "none.db", elsewhere)
    with closing(open_store(elsewhere)) as fresh:
        assert fresh.head() == EMPTY


def test_a_restore_that_fails_leaves_the_new_database_empty(new_postgres: Callable[[], str], tmp_path: Path) -> None:
    database = new_postgres()
    with closing(open_store(str(tmp_path / "floor.db"))) as store:
        fill(store)
        store.backup(tmp_path / "copy.db")
    with raw("sqlite", str(tmp_path / "copy.db")) as connection:
        # A character that PostgreSQL keeps in no text.
        connection.execute("UPDATE totals SET purpose = 'a' || char(0)")
    with pytest.raises(StoreFault):
        restore(tmp_path / "copy.db", database)
    with raw("postgresql", database) as connection:
        assert tables("postgresql", connection) == []


def test_a_new_database_is_not_put_beside_the_log_of_a_lost_one(tmp_path: Path) -> None:
    with closing(open_store(str(tmp_path / "floor.db"))) as store:
        fill(store)
        store.backup(tmp_path / "copy.db")
    (tmp_path / "lost.db-wal").write_bytes(b"its last entries")
    for attempt in (
        lambda: restore(tmp_path / "copy.db", str(tmp_path / "lost.db")),
        lambda: open_store(str(tmp_path / "lost.db")),
    ):
        with pytest.raises(Refusal, match="left of another database"):
            attempt()
    assert (tmp_path / "lost.db-wal").read_bytes() == b"its last entries"


def test_who_waits_for_others_is_let_go_when_he_is_stopped(store: Store) -> None:
    stopped = threading.Event()
    # On PostgreSQL the first call only begins to listen.
    store.wait(0, stopped)
    waiting = threading.Thread(target=store.wait, args=(600, stopped), daemon=True)
    waiting.start()
    waiting.join(0.5)
    assert waiting.is_alive()
    stopped.set()
    waiting.join(60)
    assert not waiting.is_alive()


def test_who_waits_for_others_is_called_by_them(new_postgres: Callable[[], str]) -> None:
    database = new_postgres()
    with closing(open_store(database)) as store, closing(open_store(database)) as other:
        store.wait(0, threading.Event())
        waiting = threading.Thread(target=store.wait, args=(600, threading.Event()), daemon=True)
        waiting.start()
        add(other, entry(1))
        waiting.join(60)
        assert not waiting.is_alive()
