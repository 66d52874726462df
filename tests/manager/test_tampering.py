"""Thousands of single changes to a floor's database, by seed, one at a time: ``verify`` must find every one (PR-24).

The database is real and everything has happened in it. Each change is made, looked for, and rolled back. A change
that the database itself does not take is counted as prevented; so half of them are made where nothing is prevented:
in the same tables without a type, key or check, as somebody could rebuild them.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple, Protocol

import psycopg
import pytest
from msgspec.structs import replace
from tests.keys import KEYS
from tests.manager.test_journal import SampleFloor, sample_floor

from houseway.books.bundle import check_bundle, write_bundle
from houseway.books.export import Period
from houseway.books.verify import Findings, verify, verify_reading
from houseway.manager.codes import Codes
from houseway.manager.entry import Entry, entry_of, row_of
from houseway.manager.events import KeyReplaced
from houseway.manager.keyring import Keyring
from houseway.manager.ledger import postings_of, totals_of
from houseway.manager.signing import SignedHead, load_key, sign_head
from houseway.manager.state import FloorState, after, load_state, snapshot_of
from houseway.manager.store import open_store
from houseway.manager.store.base import EMPTY, Head, TotalKey

SEED: Final = 20260224
COLUMNS: Final = {
    "journal": ("seq", "at", "day", "order_id", "kind", "table_id", "round", "body", "hash", "code"),
    "postings": ("seq", "line", "account", "purpose", "micros"),
    "totals": ("day", "table_id", "account", "purpose", "micros"),
    "head": ("id", "seq", "hash"),
    "credentials": ("card", "staff", "pin_hash"),
    "snapshot": ("id", "seq", "hash", "body", "code"),
}
PRIMARY: Final = {
    "journal": ("seq",),
    "postings": ("seq", "line"),
    "totals": ("day", "table_id", "account", "purpose"),
    "head": ("id",),
    "credentials": ("card",),
    "snapshot": ("id",),
}
Values = tuple[Any, ...]
Content = dict[str, list[Values]]


class Statement(NamedTuple):
    """One SQL statement and its values."""

    sql: str
    values: Sequence[Any] = ()


class Change(NamedTuple):
    """One change: what it is called, and how it is made."""

    name: str
    statements: tuple[Statement, ...]


class Bench(Protocol):
    """A database that can be changed, looked at, and put back."""

    content: Content
    """Everything in it before the change."""

    def make(self, change: Change) -> bool:
        """Make a change; False when the database does not take it."""
        ...

    def now(self) -> Content: ...

    def verify(self) -> Findings: ...

    def undo(self) -> None: ...


# ------------------------------------------------------------------------------------------------------ random changes


def random_change(random: Random, content: Content) -> Change:
    """A change of a random kind to a random table, weighed so that the small tables are not all there is."""
    table = random.choices(list(COLUMNS), (30, 25, 20, 7, 10, 8))[0]
    kind = random.choice((change_value, change_value, change_value, delete_row, insert_copy, insert_new, swap))
    return kind(random, table, content)


def change_value(random: Random, table: str, content: Content) -> Change:
    """One value of one row becomes another."""
    row = random.choice(content[table])
    column = random.randrange(len(row))
    others = [one[column] for one in content[table]]
    name = COLUMNS[table][column]
    where, key = where_row(table, row)
    value = other_value(random, row[column], others)
    return Change(
        f"{table}.{name} of {key!r}: {short(row[column])} became {short(value)}",
        (Statement(f"UPDATE {table} SET {name} = ? WHERE {where}", (value, *key)),),
    )


def delete_row(random: Random, table: str, content: Content) -> Change:
    """One row is gone."""
    where, key = where_row(table, random.choice(content[table]))
    return Change(f"{table} {key!r} deleted", (Statement(f"DELETE FROM {table} WHERE {where}", key),))


def insert_copy(random: Random, table: str, content: Content) -> Change:
    """A row is there again, under another key more often than not."""
    row = list(random.choice(content[table]))
    if random.random() < 0.8:
        for column in random.sample(range(len(PRIMARY[table])), 1):
            at = COLUMNS[table].index(PRIMARY[table][column])
            row[at] = other_value(random, row[at], [one[at] for one in content[table]])
    if table == "journal" and random.random() < 0.8:
        row[COLUMNS[table].index("order_id")] = f"copy-{random.random()}"
    return inserted(table, row)


def insert_new(random: Random, table: str, content: Content) -> Change:
    """A row is made up, value by value, of what other rows have and what none has."""
    row = []
    for column in range(len(COLUMNS[table])):
        pool = [one[column] for one in content[table]]
        value = random.choice(pool)
        row.append(value if random.random() < 0.5 else plausible(random, value))
    return inserted(table, row)


def inserted(table: str, row: Sequence[Any]) -> Change:
    marks = ", ".join("?" * len(row))
    names = ", ".join(COLUMNS[table])
    return Change(
        f"{table} got {[short(value) for value in row]}",
        (Statement(f"INSERT INTO {table} ({names}) VALUES ({marks})", row),),
    )


def swap(random: Random, table: str, content: Content) -> Change:
    """Two rows change places, whole or in one column; a table of one row loses it for a changed one."""
    if len(content[table]) < 2:
        return change_value(random, table, content)
    one, other = random.sample(content[table], 2)
    free = [name for name in COLUMNS[table] if name not in PRIMARY[table]]
    chosen = free if random.random() < 0.5 else [random.choice(free)]
    at = [COLUMNS[table].index(name) for name in chosen]
    sets = ", ".join(f"{name} = ?" for name in chosen)
    statements = [
        # The order id is unique: it steps aside for a moment.
        *([Statement("UPDATE journal SET order_id = 'aside' WHERE seq = ?", one[:1])] if "order_id" in chosen else ()),
    ]
    for target, source in ((other, one), (one, other)):
        where, key = where_row(table, target)
        statements.append(
            Statement(f"UPDATE {table} SET {sets} WHERE {where}", (*(source[column] for column in at), *key))
        )
    return Change(f"{table} {one[:2]!r} and {other[:2]!r} swapped {chosen}", tuple(statements))


def where_row(table: str, row: Values) -> tuple[str, Values]:
    key = tuple(row[COLUMNS[table].index(name)] for name in PRIMARY[table])
    return " AND ".join(f"{name} = ?" for name in PRIMARY[table]), key


def plausible(random: Random, value: Any) -> Any:
    """A made-up value of the same type."""
    if isinstance(value, int):
        return random.choice((0, 1, value + 1, random.randrange(-(10**9), 10**9)))
    if isinstance(value, bytes):
        return bytes(random.randrange(256) for _ in range(random.randrange(40)))
    return "".join(random.choice('abcdef0123456789-/ {}":é') for _ in range(random.randrange(1, 70)))


def other_value(random: Random, value: Any, others: Sequence[Any]) -> Any:
    """Another value: near by, far off, from another row, or of another type."""
    kind = random.random()
    if kind < 0.2:
        return random.choice(others)
    if kind < 0.35:
        return random.choice((None, "", 0, 1, -1, 2**62, 1.5, b"", b"\x00\xff", "x", float(len(str(value)))))
    if isinstance(value, int):
        return random.choice((value + 1, value - 1, -value, value * 10, 0, value ^ (1 << random.randrange(40)),
                              float(value), str(value), float(value) + 0.25))  # fmt: skip
    if isinstance(value, bytes):
        return other_bytes(random, value)
    return random.choice((other_text(random, value), other_text(random, value), value.encode(), value.upper()))


def other_text(random: Random, text: str) -> str:
    at = random.randrange(len(text) + 1)
    return random.choice(
        (
            text[:at] + random.choice('0129abzé \n"\\{}\u200b') + text[at:],
            text[:at] + text[at + 1 :],
            text[:at] + random.choice("0123456789abcdef,") + text[at + 1 :],
            text[:at],
            text + " ",
            text.replace("0", "1", 1),
            text.replace("false", "true", 1),
        )
    )


def other_bytes(random: Random, body: bytes) -> Any:
    at = random.randrange(max(len(body), 1))
    flipped = body[:at] + bytes([body[at] ^ (1 << random.randrange(8))]) + body[at + 1 :] if body else b"x"
    return random.choice((flipped, flipped, body[:at], body + b" ", body.replace(b"false", b"true", 1), body.decode()))


def short(value: object) -> str:
    text = repr(value)
    return text if len(text) < 80 else f"{text[:77]}..."


# ------------------------------------------------------------------------------------------------------ the databases


class SqliteBench:
    """A copy of a floor's database in memory; ``loose`` without any type, key or check."""

    def __init__(self, file: Path, *, loose: bool) -> None:
        self.connection = sqlite3.connect(":memory:", isolation_level=None)
        self.connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
        with closing(sqlite3.connect(file)) as source:
            if loose:
                for table, columns in COLUMNS.items():
                    names, marks = ", ".join(columns), ", ".join("?" * len(columns))
                    self.connection.execute(f"CREATE TABLE {table} ({names})")
                    rows = source.execute(f"SELECT {names} FROM {table}")
                    self.connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
                # So short a journal keeps no node of its tree; tests/trust changes those of a longer one.
                self.connection.execute("CREATE TABLE tree (level, place, hash)")
            else:
                source.backup(self.connection)
                # Checks can be switched off by whoever opens the file; types and keys cannot.
                self.connection.execute("PRAGMA ignore_check_constraints = ON")
        self.content = self.now()

    def make(self, change: Change) -> bool:
        self.connection.execute("SAVEPOINT trial")
        try:
            for statement in change.statements:
                self.connection.execute(statement.sql, statement.values)
        except (sqlite3.IntegrityError, sqlite3.DataError, OverflowError):
            self.undo()
            return False
        return True

    def now(self) -> Content:
        return {
            table: list(self.connection.execute(f"SELECT {', '.join(columns)} FROM {table}"))
            for table, columns in COLUMNS.items()
        }

    def verify(self) -> Findings:
        return verify_reading(lambda: nullcontext(self.connection.execute), ring=KEYS)

    def undo(self) -> None:
        self.connection.execute("ROLLBACK TO trial")
        self.connection.execute("RELEASE trial")


class PostgresBench:
    """A floor's database on a real server, changed inside a transaction that is never committed."""

    def __init__(self, url: str) -> None:
        self.connection = psycopg.connect(url)
        self.content = self.now()
        self.connection.rollback()

    def make(self, change: Change) -> bool:
        try:
            for statement in change.statements:
                self.connection.execute(statement.sql.replace("?", "%s"), list(statement.values))  # type: ignore[arg-type]
        except (psycopg.DataError, psycopg.IntegrityError, psycopg.ProgrammingError):
            self.undo()
            return False
        return True

    def now(self) -> Content:
        return {
            table: self.connection.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall()  # type: ignore[arg-type]
            for table, columns in COLUMNS.items()
        }

    def verify(self) -> Findings:
        ask: Any = self.connection.execute
        return verify_reading(lambda: nullcontext(lambda question: iter(ask(question))), ring=KEYS)

    def undo(self) -> None:
        self.connection.rollback()


def same(one: Content, other: Content) -> bool:
    """Whether two databases hold the same rows, type by type: 1 is not 1.0."""
    return all(sorted(map(typed, one[table])) == sorted(map(typed, other[table])) for table in COLUMNS)


def typed(row: Values) -> str:
    return repr([(type(value).__name__, value) for value in row])


def tamper(bench: Bench, wanted: int, seed: int) -> Counter[str]:
    """Make so many changes, one at a time, and fail on the first that is not found."""
    random, counts = Random(seed), Counter[str]()
    assert bench.verify().whole, bench.verify().bad
    while counts["found"] < wanted:
        change = random_change(random, bench.content)
        if not bench.make(change):
            counts["prevented"] += 1
            continue
        findings = bench.verify()
        if not findings.bad:
            assert same(bench.now(), bench.content), f"seed {seed}, not found: {change}"
            counts["no change"] += 1
        else:
            counts["found"] += 1
        bench.undo()
    assert bench.verify().whole
    print(f"seed {seed}: " + ", ".join(f"{name} {number}" for name, number in sorted(counts.items())))
    return counts


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> SampleFloor:
    """A floor on which everything has happened, closed."""
    return sample_floor(tmp_path_factory.mktemp("sample"))


@pytest.mark.parametrize("loose", [False, True], ids=["as-it-is", "without-constraints"])
def test_a_thousand_changes_are_all_found(sample: SampleFloor, loose: bool) -> None:
    assert tamper(SqliteBench(Path(sample.url), loose=loose), 500, SEED)["found"] == 500


@pytest.mark.long
@pytest.mark.parametrize("loose", [False, True], ids=["as-it-is", "without-constraints"])
def test_ten_thousand_changes_are_all_found(sample: SampleFloor, loose: bool) -> None:
    assert tamper(SqliteBench(Path(sample.url), loose=loose), 5_000, SEED + 1)["found"] == 5_000


def test_two_hundred_changes_on_postgresql_are_all_found(new_postgres: Callable[[], str], tmp_path: Path) -> None:
    made = sample_floor(tmp_path, new_postgres())
    bench = PostgresBench(made.url)
    with closing(bench.connection):
        assert tamper(bench, 200, SEED)["found"] == 200


def test_changes_are_found_across_pages(sample: SampleFloor, monkeypatch: pytest.MonkeyPatch) -> None:
    """A journal of many pages is checked as one of a single page is."""
    monkeypatch.setattr("houseway.books.reading.PAGE", 7)
    assert tamper(SqliteBench(Path(sample.url), loose=True), 150, SEED + 2)["found"] == 150


def test_changes_in_the_file_itself_are_found(sample: SampleFloor, tmp_path: Path) -> None:
    """As a tool would meet them: committed to the file, and the file opened anew."""
    random, found = Random(SEED), 0
    bench = SqliteBench(Path(sample.url), loose=False)
    while found < 25:
        change = random_change(random, bench.content)
        made = bench.make(change)
        real = made and not same(bench.now(), bench.content)
        if made:
            bench.undo()
        if not real:
            continue
        file = tmp_path / f"{found}.db"
        with closing(sqlite3.connect(file, isolation_level=None)) as copy:
            bench.connection.backup(copy)
            copy.execute("PRAGMA ignore_check_constraints = ON")
            for statement in change.statements:
                copy.execute(statement.sql, statement.values)
        assert verified(file).bad, change
        found += 1


def verified(file: Path | str, *heads: SignedHead) -> Findings:
    """What is found in a database, opened as a tool opens it."""
    with closing(open_store(str(file), create=False, read_only=True)) as store:
        return verify(store, heads, ring=KEYS)


# ----------------------------------------------------------------------------------------- the checks are all needed


def without_columns(check: Any, stored: Values, entry: Entry) -> None:
    """Neither the columns nor the hash of a row are looked at."""


def without_postings(check: Any, seq: int, entry: Entry, lines: list[Values]) -> None:
    """The money of an entry goes into the totals, but its lines are not looked at."""
    totals_of(entry, postings_of(entry), check.totals)


def without_rows(check: Any, rows: Any) -> None:
    """A table is not looked at."""


@pytest.mark.parametrize(
    ("check", "instead"),
    [
        ("_check_row", without_columns),
        ("_check_postings", without_postings),
        ("_find_stray", without_rows),
        ("_check_totals", without_rows),
        ("_check_head", without_rows),
        ("_check_credentials", without_rows),
        ("_check_snapshot", without_rows),
        ("_snapshots", lambda check, rows: check.snapshots.update(rows)),
    ],
)
def test_without_any_one_check_changes_go_unfound(
    sample: SampleFloor, monkeypatch: pytest.MonkeyPatch, check: str, instead: Callable[..., None]
) -> None:
    """The trials above can fail: each check that is left out lets some change through."""
    monkeypatch.setattr(f"houseway.books.verify._Check.{check}", instead)
    with pytest.raises(AssertionError, match="not found"):
        tamper(SqliteBench(Path(sample.url), loose=True), 1_000, SEED + 3)


# ----------------------------------------------------------------------- what only a signed head, kept elsewhere, finds


@contextmanager
def rewritten(
    sample: SampleFloor, file: Path, change: Callable[[Entry], Entry | None], keys: Keyring = KEYS
) -> Iterator[None]:
    """The whole database written anew as a clever forger would: every hash, posting, total, head and snapshot fits.

    He has the floor's own keys, unless others are given: then the codes are those that he can make.
    """
    codes = Codes(keys)
    with closing(open_store(sample.url, create=False, read_only=True)) as store:
        entries = [changed for row in store.entries() if (changed := change(entry_of(row.body))) is not None]
        store.backup(file)
    place, state = EMPTY, FloorState()
    rows, postings, totals = [], [], dict[TotalKey, int]()
    for entry in entries:
        row = row_of(entry, place)
        row = row._replace(code=codes.of_entry(state.key_ids if keys is KEYS else {}, row.hash, row.body))
        lines = postings_of(entry)
        totals_of(entry, lines, totals)
        rows.append(row)
        postings.extend(lines)
        state = after(state, entry, row.hash)
        place = Head(row.seq, row.hash)
    with closing(sqlite3.connect(file)) as forged:
        for table, values in (
            ("journal", rows),
            ("postings", postings),
            ("totals", [(*key, micros) for key, micros in totals.items()]),
            ("head", [(1, *place)]),
            ("snapshot", [(1, *codes.sealed(snapshot_of(state)))]),
        ):
            forged.execute(f"DELETE FROM {table}")
            forged.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(COLUMNS[table]))})", values)
        forged.commit()
    yield


def head_of(sample: SampleFloor) -> SignedHead:
    with closing(open_store(sample.url, create=False, read_only=True)) as store:
        state = load_state(store)
    return sign_head(state, load_key(sample.key_file), state.at + 1)


def head_before(sample: SampleFloor, seq: int, key_file: Path) -> SignedHead:
    """The head as it was signed when the journal had come to an entry."""
    with closing(open_store(sample.url, create=False, read_only=True)) as store:
        state = FloorState()
        for row in store.entries(0, seq):
            state = after(state, entry_of(row.body), row.hash)
    return sign_head(state, load_key(key_file), state.at + 1)


@pytest.mark.clause("PR-24")
def test_a_chain_rebuilt_from_an_edited_entry_on_is_found_by_a_signed_head(sample: SampleFloor, tmp_path: Path) -> None:
    def edited(entry: Entry) -> Entry:
        return replace(entry, digest="0" * 32) if entry.seq == 20 else entry

    first_key = sample.key_file.with_name("first.key")
    early, late = head_before(sample, 19, first_key), head_before(sample, 30, first_key)
    with rewritten(sample, tmp_path / "forged.db", edited):
        assert verified(tmp_path / "forged.db").whole, "nothing in the database itself gives it away"
        assert verified(tmp_path / "forged.db", early).whole, "what came before the edit is as it was"
        found = verified(tmp_path / "forged.db", early, late)
        assert (found.first_bad, found.bad[0].where) == (30, "signed head of entry 30")
        assert "was changed since" in found.bad[0].what


@pytest.mark.clause("TR-12")
def test_a_forger_without_the_key_is_found_by_the_codes(sample: SampleFloor, tmp_path: Path) -> None:
    """TR-12: he can make every hash fit, but no code."""

    def edited(entry: Entry) -> Entry:
        return replace(entry, digest="0" * 32) if entry.seq == 20 else entry

    with rewritten(sample, tmp_path / "forged.db", edited, Keyring.new()):
        found = verified(tmp_path / "forged.db")
        assert found.first_bad == 1
        assert "its code does not fit the floor's key" in found.bad[0].what


@pytest.mark.clause("PR-24")
def test_a_cut_off_tail_is_found_by_a_signed_head(sample: SampleFloor, tmp_path: Path) -> None:
    head = head_of(sample)
    assert verified(sample.url, head).whole
    with rewritten(sample, tmp_path / "cut.db", lambda entry: entry if entry.seq < head.seq else None):
        assert verified(tmp_path / "cut.db").whole, "a shorter journal is a journal"
        found = verified(tmp_path / "cut.db", head)
        assert found.first_bad == head.seq
        assert "cut off" in found.bad[0].what


def test_a_forger_who_signs_with_a_key_of_his_own_is_found(sample: SampleFloor, tmp_path: Path) -> None:
    """He can make the forged journal name his key, but not the head that was signed before."""
    from houseway.manager.signing import new_key

    own = tmp_path / "own.key"
    public = new_key(own)

    def with_his_key(entry: Entry) -> Entry:
        events = tuple(
            replace(one, key=public) if isinstance(one, KeyReplaced) and one.key else one for one in entry.events
        )
        return replace(entry, events=events)

    genuine = head_of(sample)
    with rewritten(sample, tmp_path / "forged.db", with_his_key):
        found = verified(tmp_path / "forged.db", genuine)
        assert any("was in force then" in finding.what for finding in found.bad)
        with closing(open_store(str(tmp_path / "forged.db"), create=False, read_only=True)) as store:
            his = sign_head(load_state(store), load_key(own), genuine.at)
            assert verify(store, [his]).whole, "his head and his journal agree"
            pinned = verify(store, [his], keys=[genuine.key])
        assert "not one of those given" in pinned.bad[0].what


def test_one_order_done_twice_is_found(sample: SampleFloor, tmp_path: Path) -> None:
    """Also where the table no longer keeps order ids apart, and every hash fits."""

    def repeated(entry: Entry) -> Entry:
        return replace(entry, order="order-12") if entry.seq == 31 else entry

    with closing(sqlite3.connect(sample.url)) as source:
        rows, place = [], EMPTY
        for (body,) in source.execute("SELECT body FROM journal ORDER BY seq"):
            row = row_of(repeated(entry_of(body)), place)
            rows.append(row._replace(code=Codes(KEYS).of_entry({}, row.hash, row.body)))
            place = Head(row.seq, row.hash)
    bench = SqliteBench(Path(sample.url), loose=True)
    bench.connection.execute("DELETE FROM journal")
    bench.connection.executemany("INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
    bench.connection.execute("UPDATE head SET hash = ?", (place.hash,))
    found = bench.verify()
    assert found.first_bad == 31
    assert found.bad[0].what == "has the order id of entry 12: one order is done once"


# -------------------------------------------------------------------------------------------------------- worse garbage


@pytest.mark.parametrize("table", list(COLUMNS))
@pytest.mark.parametrize(
    "damage", ["DROP TABLE {0}", "DELETE FROM {0}", "ALTER TABLE {0} RENAME COLUMN {1} TO other", "view"]
)
def test_a_damaged_table_is_a_finding_and_nothing_is_raised(sample: SampleFloor, table: str, damage: str) -> None:
    bench = SqliteBench(Path(sample.url), loose=True)
    if damage == "view":
        bench.connection.execute(f"DROP TABLE {table}")
        bench.connection.execute(f"CREATE VIEW {table} AS SELECT {', '.join(f'1 AS {one}' for one in COLUMNS[table])}")
    else:
        bench.connection.execute(damage.format(table, COLUMNS[table][-1]))
    assert bench.verify().bad


@pytest.mark.parametrize("value", ["NULL", "'text'", "x'00ff'", "1.5", "-1", "0", "9223372036854775807", "9e999",
                                   "CAST(x'fffe' AS TEXT)", "''", "zeroblob(100)", "char(55296)"])  # fmt: skip
def test_every_column_may_hold_anything(sample: SampleFloor, value: str) -> None:
    """One row's value, and a whole column's, become any value of SQLite: always a finding, never more."""
    bench = SqliteBench(Path(sample.url), loose=True)
    for table, columns in COLUMNS.items():
        for column in columns:
            for where in ("", f"WHERE rowid = (SELECT max(rowid) FROM {table})"):
                bench.connection.execute("SAVEPOINT trial")
                bench.connection.execute(f"UPDATE {table} SET {column} = {value} {where}")
                unchanged = same(bench.now(), bench.content)
                assert bool(bench.verify().bad) is not unchanged, (table, column, where)
                bench.undo()


@pytest.mark.parametrize("body", [
    "", "{", "[]", "null", "[" * 5_000, '{"seq":1}', '{"seq":' + "9" * 400 + "}", b"\xed\xa0\x80",
    '"\\ud800"', b"\xff\xfe", "\x00", "{" + '"a":' * 3_000,
])  # fmt: skip
def test_a_body_may_be_anything(sample: SampleFloor, body: str | bytes) -> None:
    bench = SqliteBench(Path(sample.url), loose=True)
    for table in ("journal", "snapshot"):
        bench.connection.execute("SAVEPOINT trial")
        bench.connection.execute(f"UPDATE {table} SET body = ? WHERE seq = (SELECT max(seq) FROM {table})", (body,))
        found = bench.verify()
        assert found.bad
        assert table == "snapshot" or found.first_bad == found.entries
        bench.undo()


def test_the_first_bad_entry_is_named(sample: SampleFloor) -> None:
    bench = SqliteBench(Path(sample.url), loose=False)
    bench.connection.execute("UPDATE postings SET micros = micros + 1 WHERE seq = 28 AND line = 0")
    bench.connection.execute("UPDATE journal SET body = replace(body, 'Tech Smith', 'Tech Smyth') WHERE seq = 1")
    bench.connection.execute("DELETE FROM journal WHERE seq = 40")
    found = bench.verify()
    assert found.first_bad == 1
    assert str(found.bad[0]).startswith("entry 1: its hash does not fit its body after an empty journal")
    assert [finding.entry for finding in found.bad if finding.entry] == [1, 1, 28, 40, 41]


# -------------------------------------------------------------------------------------------------------------- bundles


@pytest.fixture(scope="module")
def bundle(sample: SampleFloor) -> bytes:
    """The bundle of the whole sample."""
    file = sample.key_file.with_name("whole.bundle")
    with closing(open_store(sample.url, create=False, read_only=True)) as store:
        write_bundle(store, load_state(store), Period(), load_key(sample.key_file), sample.now, file)
    return file.read_bytes()


def changed_bundle(random: Random, whole: bytes) -> bytes:
    """A bundle with one change to a byte or a line."""
    lines = whole.splitlines(keepends=True)
    at, line, other = random.randrange(len(whole)), random.randrange(len(lines)), random.randrange(len(lines))
    swapped = list(lines)
    swapped[line], swapped[other] = swapped[other], swapped[line]
    return random.choice(
        (
            whole[:at] + bytes([whole[at] ^ (1 << random.randrange(8))]) + whole[at + 1 :],
            whole[:at] + whole[at + 1 :],
            whole[:at] + random.choice((b" ", b"\n", b"0", b"\xff")) + whole[at:],
            whole[:at],
            b"".join(lines[:line] + lines[line + 1 :]),
            b"".join([*lines[:line], lines[other], *lines[line:]]),
            b"".join(swapped),
        )
    )


def test_every_change_to_a_bundle_is_found(bundle: bytes, tmp_path: Path) -> None:
    random, file, tried = Random(SEED), tmp_path / "changed.bundle", 0
    file.write_bytes(bundle)
    assert check_bundle(file).whole
    while tried < 400:
        changed = changed_bundle(random, bundle)
        if changed != bundle:
            file.write_bytes(changed)
            assert check_bundle(file).bad, tried
            tried += 1
