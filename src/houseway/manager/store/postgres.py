"""A floor on a PostgreSQL server: several processes may write it, one transaction at a time."""

from __future__ import annotations

import json
import time
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Event
from typing import Any, Final, TypeAlias, cast

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from houseway.manager.store import migrate, sql
from houseway.manager.store.base import Credential, Head, Posting, Row, Snapshot, StoreFault, TotalKey, Totals
from houseway.manager.store.migrate import FIELD
from houseway.manager.store.pool import Pool
from houseway.manager.store.strangers import postgres_strangers, refuse
from houseway.manager.store.wire import ANSWER_SECONDS, Answer, Ended, NoAnswer, Step, Wire
from houseway.manager.transparency.tree import KeptNode
from houseway.refusal import Refusal

Connection: TypeAlias = psycopg.Connection[tuple[Any, ...]]

READERS: Final = 8
IDLE_SECONDS: Final = 2
"""How long a process may keep the floor's lock and do nothing; then the server ends its session.

A paused process so stops nobody for longer, and when it wakes its transaction is gone with its connection.
"""
LOCK_SECONDS: Final = 3
"""How long to wait for the lock at a time: longer than anybody who does nothing can keep it."""
BEGIN_SECONDS: Final = 8
"""How long to try for the lock altogether."""
READ_SECONDS: Final = 60
"""How long a reader waits for an answer."""

DEFAULTS: Final[Mapping[str, str | int]] = {
    "application_name": "houseway",
    "connect_timeout": 5,
    # A server that vanished without a word is noticed in half a minute, not in the two hours of the system.
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
"""What a connection is told that the address leaves open."""

CHANNEL: Final = "houseway"
LOOKS_UP: Final = 0.2
"""How often, in seconds, a waiting caller looks whether it must stop."""

# A plan made while the journal was short would go on reading all of it when it is long.
WRITER: Final = f"""
    SET enable_seqscan = off;
    SET lock_timeout = '{LOCK_SECONDS}s';
    SET idle_in_transaction_session_timeout = '{IDLE_SECONDS}s'"""
READER: Final = "SET default_transaction_read_only = on"

# READ COMMITTED, whatever the server's default: each statement then sees all that was committed before the lock.
BEGIN: Final = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
LOCK: Final = f"""
    SELECT seq, hash, (SELECT max(version_num) FROM {migrate.VERSION_TABLE}) FROM head FOR UPDATE OF head"""
# An array, made before the search, keeps the planner on the index however many there are.
KNOWN: Final = f"""
    SELECT {sql.ROW} FROM journal WHERE order_id = ANY (ARRAY(SELECT json_array_elements_text($1::json)))"""

# One statement, so that a transaction is three round trips however much it holds. JSON, because it was the fastest
# way in, for one entry and for many; an amount in it is digits, which the server reads as an integer.
APPEND: Final = f"""
    WITH entries AS (
        INSERT INTO journal ({sql.ROW}) SELECT {sql.ROW} FROM json_to_recordset($1::json) AS new (
            seq bigint, at bigint, day text, order_id text, kind text, table_id text, round bigint, body text,
            hash text, code text)
    ), lines AS (
        INSERT INTO postings (seq, line, account, purpose, micros)
        SELECT seq, line, account, purpose, micros FROM json_to_recordset($2::json) AS new (
            seq bigint, line integer, account text, purpose text, micros bigint)
    ), sums AS (
        INSERT INTO totals (day, table_id, account, purpose, micros)
        SELECT day, table_id, account, purpose, micros FROM json_to_recordset($3::json) AS new (
            day text, table_id text, account text, purpose text, micros bigint)
        ON CONFLICT (day, table_id, account, purpose) DO UPDATE SET micros = totals.micros + excluded.micros
    )
    UPDATE head SET seq = $4, hash = $5 WHERE id = 1 RETURNING pg_notify('{CHANNEL}', seq::text)"""

ADD_NODES: Final = """
    INSERT INTO tree (level, place, hash)
    SELECT * FROM unnest(?::integer[], ?::bigint[], ?::text[]) ON CONFLICT DO NOTHING"""

STATEMENTS: Final = {b"begin": BEGIN, b"lock": LOCK, b"known": KNOWN, b"append": APPEND, b"commit": "COMMIT"}

ROW_NAMES: Final = tuple(sql.ROW.split(", "))
POSTING_NAMES: Final = Posting._fields
TOTAL_NAMES: Final = ("day", "table_id", "account", "purpose", "micros")

SETTINGS: Final = """
    SELECT current_setting('synchronous_commit'), current_setting('fsync'), current_setting('full_page_writes'),
           current_setting('server_encoding')"""
DURABLE: Final = (("synchronous_commit", ("on", "remote_apply")), ("fsync", ("on",)), ("full_page_writes", ("on",)))
TABLES_THERE: Final = """
    SELECT relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = current_schema() AND relkind IN ('r', 'p', 'v', 'm', 'f')"""
VERSION: Final = f"SELECT version_num FROM {migrate.VERSION_TABLE}"


def open_postgres(url: str, *, create: bool, read_only: bool) -> PostgresStore:
    """Open the floor in a server's database, new or brought up to date where that is asked and needed."""
    name = name_of(url)
    with connect(url) as peek:
        upgrade = needs_upgrade(peek, name, create=create, read_only=read_only)
        if not read_only and (defect := not_durable(peek)):
            raise Refusal(FIELD, f"{name}: {defect}")
    if upgrade:
        _upgrade(url, name)
    store = PostgresStore(url, read_only=read_only)
    if not read_only and (strangers := store.strangers()):
        store.close()
        raise Refusal(FIELD, refuse(name, strangers))
    return store


class PostgresStore(sql.SqlStore):
    """The floor's database, already at this program's version."""

    def __init__(self, url: str, *, read_only: bool = False) -> None:
        self.name = name_of(url)
        self._url = url
        self._read_only = read_only
        self._readers: Pool[Connection] = Pool(self._connect_reader, READERS)
        self._writer: Wire | None = None
        self._listener: Connection | None = None
        self._forget()

    def begin(self) -> Head:
        """Open the write transaction and take the floor's lock; answers where the journal stands now."""
        self._must_be_closed()
        if self._read_only:
            raise Refusal(FIELD, f"{self.name} is open for reading only")
        has_writer, until = self._writer is not None, time.monotonic() + BEGIN_SECONDS
        while self._at is None:
            try:
                self._at = self._begun()
            except psycopg.errors.LockNotAvailable as error:
                if self._writer is None or time.monotonic() + LOCK_SECONDS > until:
                    raise self._abandoned(error) from error
                # Nothing was asked for yet but the lock: whoever waits in the queue need not fail.
                self._drop()
            except psycopg.OperationalError as error:
                # A connection that was lost while nothing was asked of it is not worth a fault.
                lost = has_writer and self._writer is not None and self._writer.lost
                if not lost or isinstance(error, NoAnswer):
                    raise self._abandoned(error) from error
                has_writer = False
                self._drop()
            except (psycopg.Error, StoreFault) as error:
                raise self._abandoned(error) from error
        return self._at

    def known(self, orders: Sequence[str]) -> dict[str, Row]:
        """Inside the write transaction: the entries that these commands made already, by command id."""
        if (new := self._take_new()) is not None:
            self._ask(new)
        known_rows = self._ask(Step(b"known", (json.dumps(list(orders)).encode(),)))
        rows = map(_row, known_rows)
        return {row.order: row for row in rows}

    def append(self, rows: Sequence[Row], postings: Sequence[Posting], totals: Totals) -> None:
        """Add entries (in order, directly after the head), their postings, and add ``totals`` to those kept.

        They travel together with the commit, which then also reports what the server finds wrong with them.
        """
        self._at = self._after(rows)
        self._new_rows.extend(rows)
        self._new_postings.extend(postings)
        for key, micros in totals.items():
            self._new_totals[key] = self._new_totals.get(key, 0) + micros

    def add_credential(self, credential: Credential) -> None:
        """Inside the write transaction: keep a credential, in place of the card's earlier one."""
        self._write(sql.ADD_CREDENTIAL, *credential)

    def save_snapshot(self, snapshot: Snapshot) -> None:
        """Inside the write transaction: keep it in place of the earlier one."""
        self._write(sql.SAVE_SNAPSHOT, *snapshot)

    def add_nodes(self, nodes: Sequence[KeptNode]) -> None:
        """Inside the write transaction: keep nodes of the tree; those that are there stay as they are."""
        if nodes:
            levels, places, hashes = zip(*nodes, strict=True)
            self._write(ADD_NODES, list(levels), list(places), list(hashes))

    def commit(self) -> None:
        """Make everything since ``begin`` durable."""
        writer = self._writing()
        new = self._take_new()
        commit = Step(b"commit")
        try:
            *_, (outcome, _) = writer.run(commit) if new is None else writer.run(new, commit)
        except psycopg.Error as error:
            # The server said no, or it said nothing: only then may it have committed.
            lost = writer.lost and not isinstance(error, Ended)
            fault = self._abandoned(error)
            fault.uncertain = lost
            raise fault from error
        except BaseException:
            self._abandon()
            raise
        if outcome != b"COMMIT":
            raise self._abandoned(StoreFault(f"{self.name}: the server answered {outcome!r} to COMMIT"))
        self._at = None

    def rollback(self) -> None:
        """Forget everything since ``begin``; allowed also when nothing is open."""
        was_open = self._at is not None
        self._forget()
        if self._writer is None or not was_open:
            return
        try:
            self._writer.connection.execute("ROLLBACK")
        except psycopg.Error:
            # Without its connection the server forgets the transaction by itself.
            self._drop()

    def backup(self, target: Path) -> None:
        """Copy the whole database, as of one moment, into a new SQLite file, while the floor runs."""
        from houseway.manager.store.postgres_copy import postgres_to_file

        try:
            with connect(self._url) as source:
                postgres_to_file(source, self.name, target)
        except psycopg.Error as error:
            raise self._fault(error) from error

    def strangers(self) -> list[str]:
        """What the database has beside the floor's own tables."""
        return postgres_strangers(self._rows)

    def wait(self, seconds: float, stopped: Event) -> None:
        """Wait until another process wrote, as the server tells all of them: at most so long, or until stopped."""
        try:
            if self._listener is None:
                self._listener = connect(self._url)
                self._listener.execute(f"LISTEN {CHANNEL}")
                # Something may have been written before it listened: that is for the caller to see now.
                return
            until = time.monotonic() + seconds
            while not stopped.is_set() and (left := until - time.monotonic()) > 0:
                if list(self._listener.notifies(timeout=min(left, LOOKS_UP), stop_after=1)):
                    return
        except psycopg.Error as error:
            self._stop_listening()
            raise self._fault(error) from error

    def _stop_listening(self) -> None:
        if self._listener is not None:
            self._listener.close()
            self._listener = None

    def close(self) -> None:
        """Close every connection; an open transaction is forgotten."""
        self._stop_listening()
        self._readers.close()
        self._abandon()

    def _rows(self, question: str, *values: object) -> list[tuple[Any, ...]]:
        try:
            return self._read(question, values)
        except psycopg.OperationalError:
            # The connection may have been lost since it was last used, and reading twice is harmless.
            self._readers.clear()
        except psycopg.Error as error:
            raise self._fault(error) from error
        try:
            return self._read(question, values)
        except psycopg.Error as error:
            raise self._fault(error) from error

    def _read(self, question: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        with self._readers.lease() as reader:
            return reader.execute(_ours(question), values, prepare=True).fetchall()

    def _connect_reader(self) -> Connection:
        reader = connect(self._url, seconds=READ_SECONDS)
        with _closed_on_error(reader):
            reader.execute(READER)
        return reader

    def _connect_writer(self) -> Wire:
        """The writer's connection; the server's settings are checked again, for it may have been restarted."""
        writer = connect(self._url, seconds=ANSWER_SECONDS)
        with _closed_on_error(writer):
            if defect := not_durable(writer):
                raise StoreFault(f"{self.name}: {defect}")
            writer.execute(WRITER)
            # At a ROLLBACK psycopg forgets all statements of a connection where it prepared one, and with them ours.
            writer.prepare_threshold = None
            return Wire(writer, STATEMENTS)

    def _begun(self) -> Head:
        """Take the lock, and look whether the database is still of this program's version."""
        if self._writer is None:
            self._writer = self._connect_writer()
        _, (_, row) = self._writer.run(Step(b"begin"), Step(b"lock"))
        head = self._one_head([(int(seq), hash_.decode()) for seq, hash_, _ in row])
        version = row[0][2].decode()
        if version != migrate.CURRENT:
            raise StoreFault(
                f"{self.name}: another Houseway brought it to version {version} while this one, which knows "
                f"{migrate.CURRENT}, was running; start the newer one here too"
            )
        return head

    def _writing(self) -> Wire:
        self._open_at()
        if self._writer is None:
            raise RuntimeError("a write to a closed store")
        return self._writer

    def _ask(self, step: Step) -> Answer:
        writer = self._writing()
        try:
            return writer.ask(step)
        except psycopg.Error as error:
            raise self._abandoned(error) from error

    def _write(self, statement: str, *values: object) -> None:
        writer = self._writing()
        try:
            writer.connection.execute(_ours(statement), values)
        except (psycopg.Error, UnicodeError) as error:
            raise self._abandoned(error) from error

    def _take_new(self) -> Step | None:
        """What was appended since, ready to send; None where nothing was."""
        at = self._open_at()
        if not (self._new_rows or self._new_postings or self._new_totals):
            return None
        sums = [(*key, micros) for key, micros in self._new_totals.items()]
        new = (
            _records(ROW_NAMES, self._new_rows),
            _records(POSTING_NAMES, self._new_postings),
            _records(TOTAL_NAMES, sums),
            str(at.seq).encode(),
            at.hash.encode(),
        )
        self._forget_new()
        return Step(b"append", new)

    def _forget(self) -> None:
        self._at = None
        self._forget_new()

    def _forget_new(self) -> None:
        self._new_rows: list[Row] = []
        self._new_postings: list[Posting] = []
        self._new_totals: dict[TotalKey, int] = {}

    def _drop(self) -> None:
        """Close the writer's connection, and with it its transaction; the next ``begin`` opens another."""
        if self._writer is not None:
            self._writer.connection.close()
            self._writer = None

    def _abandoned(self, error: Exception) -> StoreFault:
        """The fault, after forgetting the transaction it happened in, together with its connection."""
        self._abandon()
        return error if isinstance(error, StoreFault) else self._fault(error)

    def _abandon(self) -> None:
        self._forget()
        self._drop()

    def _fault(self, error: Exception) -> StoreFault:
        return StoreFault(f"{self.name}: {in_words(error)}")


class _Impatient(psycopg.Connection[tuple[Any, ...]]):
    """A connection that waits only so long for an answer, and is closed when there is none."""

    seconds = 0.0

    def wait(self, gen: Any, interval: float = LOOKS_UP, *more: Any, **named: Any) -> Any:
        """As psycopg does, but not for ever."""
        return super().wait(self._limited(gen) if self.seconds else gen, interval, *more, **named)

    def _limited(self, gen: Any) -> Generator[Any, Any, Any]:
        """What psycopg waits for, until it has waited too long: it says so at every interval."""
        until = time.monotonic() + self.seconds
        try:
            step = next(gen)
            while (ready := (yield step)) or time.monotonic() < until:
                step = gen.send(ready)
        except StopIteration as end:
            return end.value
        self.pgconn.finish()
        raise NoAnswer(self.seconds)


def connect(url: str, *, autocommit: bool = True, seconds: float = 0) -> Connection:
    """A connection where each statement is its own transaction, unless it begins one, or unless told otherwise.

    With ``seconds`` it waits no longer than that for any answer.
    """
    name, parameters = name_of(url), conninfo_to_dict(url)
    ours = {option: value for option, value in DEFAULTS.items() if option not in parameters}
    try:
        connection = _Impatient.connect(make_conninfo(url, client_encoding="utf8", **ours), autocommit=autocommit)
        connection.seconds = seconds
        return connection
    except psycopg.OperationalError as error:
        raise StoreFault(f"{name}: {in_words(error)}") from error


@contextmanager
def _closed_on_error(connection: Connection) -> Iterator[None]:
    try:
        yield
    except BaseException:
        connection.close()
        raise


def name_of(url: str) -> str:
    """The server and database of an address, without user and password."""
    try:
        parts = conninfo_to_dict(url)
    except psycopg.Error as error:
        # What the library says repeats the address, and with it the password.
        raise Refusal(
            FIELD, "this is not an address of a PostgreSQL database; write postgresql://user@server/database"
        ) from error
    place = parts.get("host") or parts.get("hostaddr") or "this machine"
    return f"PostgreSQL database {parts.get('dbname') or parts.get('user') or ''} on {place}"


def needs_upgrade(connection: Connection, name: str, *, create: bool, read_only: bool) -> bool:
    """Whether the schema is older than the program; refuses a database that is not ours."""
    tables = tables_of(connection)
    return migrate.needs_upgrade(name, tables, lambda: version_of(connection), create=create, read_only=read_only)


def tables_of(connection: Connection) -> list[str]:
    """The tables that a database has, in any schema."""
    return [table for (table,) in connection.execute(TABLES_THERE)]


def version_of(connection: Connection) -> str | None:
    """The version of a database that is ours."""
    row = connection.execute(VERSION).fetchone()
    return str(row[0]) if row else None


def not_durable(connection: Connection) -> str | None:
    """What keeps this server from being trusted with money, in words; None where nothing does."""
    row = connection.execute(SETTINGS).fetchone()
    *values, encoding = row or ("", "", "", "")
    for (setting, allowed), value in zip(DURABLE, values, strict=True):
        if value not in allowed:
            return f"the server has {setting} = {value} and could lose what it confirmed; set it to {allowed[0]}"
    if encoding != "UTF8":
        return f"the database is encoded as {encoding}; create it with UTF8"
    return None


def _upgrade(url: str, name: str) -> None:
    from sqlalchemy.exc import DBAPIError

    try:
        with migrate.postgres_transaction(lambda: connect(url, autocommit=False)) as connection:
            # Another process may have done it while this one waited for its turn.
            driver = cast(Connection, connection.connection.driver_connection)
            if needs_upgrade(driver, name, create=True, read_only=False):
                migrate.upgrade(connection)
    except DBAPIError as error:
        raise Refusal(FIELD, f"{name}: {in_words(error.orig or error)}") from error


def _records(names: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """Rows as JSON objects; characters beyond ASCII are escaped, so that any text can travel."""
    return json.dumps([dict(zip(names, row, strict=True)) for row in rows]).encode()


def _row(values: Sequence[bytes]) -> Row:
    seq, at, day, order, kind, table, number, body, hash_, code = (value.decode() for value in values)
    return Row(int(seq), int(at), day, order, kind, table, int(number), body, hash_, code)


@cache
def _ours(statement: str) -> str:
    """A statement of ``sql`` with psycopg's placeholders."""
    return statement.replace("?", "%s")


def in_words(error: BaseException) -> str:
    """A sentence for what the server or the connection reported."""
    diagnosis = getattr(error, "diag", None)
    message = (diagnosis.message_primary if diagnosis else None) or str(error)
    sentence = " ".join(message.split())
    if isinstance(error, psycopg.errors.DiskFull):
        return f"the server's disk is full; make room, then go on ({sentence})"
    if isinstance(error, psycopg.errors.LockNotAvailable):
        return f"another process has kept the floor locked for {BEGIN_SECONDS} seconds; look after it ({sentence})"
    if isinstance(error, Ended):
        return (
            "the server ended the session before this order reached it; it does that to a process that stands still "
            f"for {IDLE_SECONDS} seconds with the floor's lock"
        )
    if isinstance(error, psycopg.OperationalError):
        return f"the server cannot be reached or stopped answering; see that it runs ({sentence})"
    return f"the server could not do it: {sentence}"
