"""A floor in one SQLite file: the embedded default. One process writes, any number read beside it."""

from __future__ import annotations

import fcntl
import json
import os
import re
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cache
from itertools import chain
from pathlib import Path
from threading import Event
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from houseway.manager.store import migrate, sql
from houseway.manager.store.base import Credential, Head, Posting, Row, Snapshot, StoreFault, Totals
from houseway.manager.store.files import new_file, refuse_leftovers, sync, sync_folder
from houseway.manager.store.migrate import FIELD
from houseway.manager.store.pool import Pool
from houseway.manager.store.strangers import refuse, sqlite_strangers
from houseway.manager.transparency.tree import KeptNode
from houseway.refusal import Refusal

OLDEST: Final = (3, 37, 0)
"""The first SQLite with STRICT tables."""

READERS: Final = 8
BUSY_SECONDS: Final = 5
CACHE_KIB: Final = 65536
LOOK_SECONDS: Final = 0.25
"""So often the log is looked at while order follows order; an order that comes after a pause always looks.

Not at every order: on Linux 6.13 or later a write after a look changes the file's time, and with it the commit took a
sixth longer. The database itself, which a commit does not write to, is looked at for every order, and its folder is
asked whether the names still lead to both files.
"""
COARSE_NANOSECONDS: Final = 50_000_000
LOG_PAGES: Final = 1_000
"""After about so many pages the log is moved into the file, as SQLite would do by itself."""
PAGES_A_COMMIT: Final = 8
ROWS_A_PAGE: Final = 12
"""By these the pages are guessed: the indexes and totals that every commit changes, and what its rows fill."""

BLOCK: Final = 32
"""Rows that one statement adds."""
SYNCHRONOUS: Final = "PRAGMA synchronous = FULL"
FULL: Final = 2

KNOWN: Final = f"SELECT {sql.ROW} FROM journal WHERE order_id IN (SELECT value FROM json_each(?))"
KNOWN_ONE: Final = f"SELECT {sql.ROW} FROM journal WHERE order_id = ?"
ADD_ROW: Final = f"INSERT INTO journal ({sql.ROW}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
ADD_POSTING: Final = "INSERT INTO postings (seq, line, account, purpose, micros) VALUES (?, ?, ?, ?, ?)"
ADD_TOTAL: Final = """
    INSERT INTO totals (day, table_id, account, purpose, micros) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET micros = micros + excluded.micros"""
SET_HEAD: Final = "UPDATE head SET seq = ?, hash = ? WHERE id = 1"

# An integer beyond 64 bits, or half a character, does not even reach SQLite.
FAULTS: Final = (sqlite3.Error, OverflowError, UnicodeError)

WORDS: Final = {
    sqlite3.SQLITE_FULL: "the disk is full; make room, then go on",
    sqlite3.SQLITE_READONLY: "the file or its folder cannot be written to; allow it, then go on",
    sqlite3.SQLITE_CANTOPEN: "the file or its folder cannot be opened for this; allow it, then go on",
    sqlite3.SQLITE_IOERR: "the disk refused to read or write; look after it before going on",
    sqlite3.SQLITE_BUSY: "another program keeps the file locked; close that program, then go on",
    sqlite3.SQLITE_CORRUPT: "the file is damaged; restore a backup",
    sqlite3.SQLITE_NOTADB: "the file is not a SQLite database",
}


def open_sqlite(path: Path, *, create: bool, read_only: bool) -> SqliteStore:
    """Open the floor in a file, new or brought up to date where that is asked and needed."""
    if sqlite3.sqlite_version_info < OLDEST:
        raise Refusal(FIELD, f"SQLite {sqlite3.sqlite_version} is too old; Python needs one of 3.37 or later")
    path = _resolved(path)
    _check_place(path, create=create and not read_only)
    # Before the lock, so that a file which is not ours gets no lock file beside it.
    if path.exists():
        try:
            _needs_upgrade(path, create=create, read_only=read_only)
        except Refusal as refusal:
            if not read_only and getattr(refusal.__cause__, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_IOERR:
                # A file that was moved under its writer may not even be readable: name the writer, not the disk.
                _let_go([_lock_file(path)])
            raise
    if read_only:
        return SqliteStore(path)
    locks = [_lock(path)]
    try:
        locks.append(_lock_file(path))
        if _needs_upgrade(path, create=create, read_only=False):
            _upgrade(path)
        with closing(_connect(path, "ro")) as peek:
            if strangers := sqlite_strangers(peek.execute):
                raise Refusal(FIELD, refuse(str(path), strangers))
        return SqliteStore(path, locks)
    except BaseException:
        _let_go(locks)
        raise


class _Files(NamedTuple):
    """A database file and its log, as they are found by their names."""

    which: tuple[int, int, int, int]
    """The device and the inode of each."""
    written: tuple[int, int]
    """How long the database is, and when it was last written: by a checkpoint, which this store makes itself."""
    log_bytes: int


class SqliteStore(sql.SqlStore):
    """The floor's file, already at this program's version. ``locks`` are held to the end; without, it reads only."""

    def __init__(self, path: Path, locks: Sequence[int] = ()) -> None:
        self.name = str(path)
        self._path = path
        self._log = f"{path}-wal"
        self._folder = str(path.parent)
        self._locks = list(locks)
        self._lost = ""
        """Why nothing more is written, once the file or its log are not those that were opened."""
        self._readers: Pool[sqlite3.Connection] = Pool(self._connect_reader, READERS)
        self._writer = _connect_writer(path) if locks else None
        self._files = self._look() if locks else None
        self._looked = 0.0
        """When the files themselves were last looked at."""
        self._names = self._look_at_names()
        self._unsaved = 0
        """Pages, about, that were added to the log since it was last moved into the file."""

    def begin(self) -> Head:
        """Open the write transaction; answers where the journal stands now."""
        self._must_be_closed()
        if not self._locks:
            raise Refusal(FIELD, f"{self.name} is open for reading only")
        self._check_files()
        writer = self._connected()
        try:
            writer.execute("BEGIN IMMEDIATE")
            self._at = self._one_head(writer.execute(sql.HEAD).fetchall())
        except (*FAULTS, StoreFault) as error:
            raise self._abandoned(error) from error
        return self._at

    def known(self, orders: Sequence[str]) -> dict[str, Row]:
        """Inside the write transaction: the entries that these commands made already, by command id."""
        question = (KNOWN_ONE, orders[0]) if len(orders) == 1 else (KNOWN, json.dumps(list(orders)))
        rows = (Row._make(values) for values in self._write(*question).fetchall())
        return {row.order: row for row in rows}

    def append(self, rows: Sequence[Row], postings: Sequence[Posting], totals: Totals) -> None:
        """Add entries (in order, directly after the head), their postings, and add ``totals`` to those kept."""
        after, writer = self._after(rows), self._writing()
        try:
            _insert(writer, ADD_ROW, rows)
            _insert(writer, ADD_POSTING, postings)
            _insert(writer, ADD_TOTAL, [(*key, micros) for key, micros in totals.items()])
            writer.execute(SET_HEAD, after)
        except FAULTS as error:
            raise self._abandoned(error) from error
        self._at = after
        self._unsaved += (len(rows) + len(postings)) // ROWS_A_PAGE

    def add_credential(self, credential: Credential) -> None:
        """Inside the write transaction: keep a credential, in place of the card's earlier one."""
        self._write(sql.ADD_CREDENTIAL, *credential)

    def save_snapshot(self, snapshot: Snapshot) -> None:
        """Inside the write transaction: keep it in place of the earlier one."""
        self._write(sql.SAVE_SNAPSHOT, *snapshot)

    def add_nodes(self, nodes: Sequence[KeptNode]) -> None:
        """Inside the write transaction: keep nodes of the tree; those that are there stay as they are."""
        writer = self._writing()
        try:
            writer.executemany(sql.ADD_NODE, nodes)
        except FAULTS as error:
            raise self._abandoned(error) from error

    def commit(self) -> None:
        """Make everything since ``begin`` durable."""
        writer = self._writing()
        try:
            writer.execute("COMMIT")
        except FAULTS as error:
            fault = self._abandoned(error)
            # What is left in the log may be found again by a new connection.
            fault.uncertain = self._writer is not writer or not self._swept()
            self._note_files()
            raise fault from error
        self._at = None
        self._check_names()
        self._unsaved += PAGES_A_COMMIT
        if self._unsaved >= LOG_PAGES:
            self._shorten_log(writer)

    def rollback(self) -> None:
        """Forget everything since ``begin``; allowed also when nothing is open."""
        self._at = None
        if self._writer is not None and self._writer.in_transaction:
            try:
                self._writer.execute("ROLLBACK")
            except FAULTS as error:
                # The transaction ends with its connection; the next ``begin`` opens another.
                with suppress(*FAULTS):
                    self._writer.close()
                self._writer = None
                raise self._fault(error) from error

    def strangers(self) -> list[str]:
        """What the file has beside the floor's own tables."""
        return sqlite_strangers(self._rows)

    def wait(self, seconds: float, stopped: Event) -> None:
        """Wait so long, or until it is stopped: nobody else writes here."""
        stopped.wait(seconds)

    def backup(self, target: Path) -> None:
        """Copy the whole database, as of one moment, into a new file, while the floor runs."""
        with new_file(target) as part:
            try:
                with self._readers.lease() as source:
                    copy_file(source, part)
            except FAULTS as error:
                raise self._fault(error, target) from error

    def close(self) -> None:
        """Close every connection and let go of the lock; an open transaction is forgotten."""
        self._at = None
        self._readers.close()
        if self._writer is not None:
            self._writer.close()
            self._writer = None
        # Last: a file that is closed takes the locks of all that have it open in this process with it.
        _let_go(self._locks)

    def _rows(self, question: str, *values: object) -> list[tuple[Any, ...]]:
        try:
            with self._readers.lease() as reader:
                return reader.execute(question, values).fetchall()
        except FAULTS as error:
            raise self._fault(error) from error

    def _connect_reader(self) -> sqlite3.Connection:
        return _connect(self._path, "ro")

    def _writing(self) -> sqlite3.Connection:
        self._open_at()
        if self._writer is None:
            raise RuntimeError("a write to a closed store")
        return self._writer

    def _write(self, statement: str, *values: object) -> sqlite3.Cursor:
        writer = self._writing()
        try:
            return writer.execute(statement, values)
        except FAULTS as error:
            raise self._abandoned(error) from error

    def _abandoned(self, error: Exception) -> StoreFault:
        """The fault, after forgetting the transaction it happened in."""
        try:
            self.rollback()
        except StoreFault as worse:
            return worse
        return error if isinstance(error, StoreFault) else self._fault(error)

    def _swept(self) -> bool:
        """Whether nothing of a failed commit is left in the log, also after a power cut.

        A commit that failed at its last step may lie there whole: unseen by this process, and found again by the
        next one that recovers the file. Moving the log into the file and cutting it to nothing removes it; SQLite
        does not wait until the disk has cut it.
        """
        if self._writer is None:
            return False
        try:
            busy, _, _ = self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if busy:
                return False
            sync(Path(self._log))
            sync_folder(self._path.parent)
        except (*FAULTS, OSError):
            return False
        return True

    def _connected(self) -> sqlite3.Connection:
        """The writer's connection, made again where it was given up."""
        if self._writer is None:
            try:
                self._writer = _connect_writer(self._path)
            except Refusal as refusal:
                raise StoreFault(refusal.sentence) from refusal
            files = self._look()
            if files is None or self._files is None or files.which[:2] != self._files.which[:2]:
                raise self._lose(files)
            self._files = files
        return self._writer

    # --------------------------------------------------------------------------------------- is it still the same file

    def _look(self) -> _Files | None:
        """The file and its log as they are now; None where one is missing."""
        try:
            # Not by the methods of a Path, which took half as long again: every order pays for it.
            file, log = os.stat(self.name), os.stat(self._log)  # noqa: PTH116
        except OSError:
            return None
        which = (file.st_dev, file.st_ino, log.st_dev, log.st_ino)
        return _Files(which, (file.st_size, file.st_mtime_ns), log.st_size)

    def _look_at_names(self) -> tuple[int, int, int] | None:
        """The folder as it is now: no name in it leads elsewhere while it does not change. None while that is unsure.

        One question instead of two, which every order pays for. A file system's clock is coarse, so a change of this
        very moment could hide another one.
        """
        try:
            folder = os.stat(self._folder)  # noqa: PTH116
        except OSError:
            return None
        if abs(time.time_ns() - folder.st_ctime_ns) < COARSE_NANOSECONDS:
            return None
        return folder.st_dev, folder.st_ino, folder.st_ctime_ns

    def _note_files(self) -> None:
        """What this process itself has just changed in the files."""
        files = self._look()
        if self._files is not None and files is not None:
            self._files = files._replace(which=self._files.which)

    def _check_names(self) -> None:
        """After a commit: the names must still lead to what was opened.

        With a file put in its place, or a log taken away, what was just recorded is lost to the next start.
        """
        names = self._look_at_names()
        if names is not None and names == self._names:
            return
        files = self._look()
        if files is None or self._files is None or files.which != self._files.which:
            fault = self._lose(files)
            fault.uncertain = True
            raise fault
        self._names = names

    def _check_files(self) -> None:
        """Before a transaction: the files must be those that were opened, and nobody else may have written to them.

        What another program adds to the log by the rules is for the journal to tell.
        """
        if self._lost:
            raise StoreFault(self._lost, fatal=True)
        if self._writer is None:
            return
        now, names = time.monotonic(), self._look_at_names()
        named = names is not None and names == self._names
        if named and now - self._looked < LOOK_SECONDS and self._written_by_us():
            return
        self._looked = now
        files, known = self._look(), self._files
        if (
            files is None
            or known is None
            or files.which != known.which
            or files.written != known.written
            or files.log_bytes < known.log_bytes
        ):
            raise self._lose(files)
        self._files, self._names = files, names

    def _written_by_us(self) -> bool:
        """Whether nobody else has written to the database since this process did."""
        try:
            file = os.stat(self.name)  # noqa: PTH116
        except OSError:
            return False
        return self._files is not None and (file.st_size, file.st_mtime_ns) == self._files.written

    def _shorten_log(self, writer: sqlite3.Connection) -> None:
        """Move the log into the file, so that it begins anew; what a reader is in the way of is moved later.

        Not by SQLite itself in some commit: what else writes to the file is then somebody else.
        """
        if not self._written_by_us():
            # For the next transaction to say: after writing there ourselves, nobody could tell any more.
            return
        self._unsaved = 0
        with suppress(*FAULTS):
            writer.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        self._note_files()

    def _lose(self, files: _Files | None) -> StoreFault:
        """Write nothing more here: say what became of the file."""
        known = self._files.which if self._files is not None else ()
        try:
            same_file = _which(self._path) == known[:2]
        except OSError:
            what = f"{self.name} was deleted or moved while this floor ran"
        else:
            if not same_file:
                what = f"{self.name} was replaced by another file while this floor ran"
            elif files is None:
                what = f"{self._log} was deleted while this floor ran"
                # Everything that was answered is still open in this process: bring it into the file while it can be.
                what += ", its entries were saved" if self._saved() else ", and its entries with it"
            elif files.which != known:
                what = f"{self._log} was replaced by another file while this floor ran"
            else:
                what = f"another program has written to {self.name} while this floor ran"
        self._lost = what
        return StoreFault(what, fatal=True)

    def _saved(self) -> bool:
        """Whether all that the deleted log held is in the file now."""
        if self._writer is None:
            return False
        with suppress(*FAULTS):
            busy, _, _ = self._writer.execute("PRAGMA wal_checkpoint(FULL)").fetchone()
            return bool(busy == 0)
        return False

    def _fault(self, error: Exception, file: Path | None = None) -> StoreFault:
        return StoreFault(f"{file or self.name}: {in_words(error)}")


def _insert(writer: sqlite3.Connection, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
    """Add rows, a block of them at a time where there are many: a statement for each row cost a tenth of a group."""
    whole = len(rows) - len(rows) % BLOCK
    if whole:
        block = _of_a_block(statement)
        for start in range(0, whole, BLOCK):
            writer.execute(block, list(chain.from_iterable(rows[start : start + BLOCK])))
    if whole < len(rows):
        writer.executemany(statement, rows[whole:])


@cache
def _of_a_block(statement: str) -> str:
    """The statement that adds one row, for a block of rows."""
    before, values, after = re.split(r"(\([?, ]+\))", statement)
    return f"{before}{', '.join([values] * BLOCK)}{after}"


def copy_file(source: sqlite3.Connection, target: Path) -> None:
    """Copy an open database, in one step of one reading, into a file that stands alone."""
    with closing(sqlite3.connect(target, isolation_level=None)) as copy:
        # All pages at once: between two steps another process could write, and the copy would start again.
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")


def file_to_file(source: Path, target: Path, check: Callable[[SqliteStore], None] | None = None) -> None:
    """Copy a backup into a new file, bring it up to date there, and have it checked before it gets its name."""
    backup, version = read_checked(source)
    target = _resolved(target)
    with closing(backup), _only_one(target), new_file(target) as part:
        try:
            copy_file(backup, part)
        except sqlite3.Error as error:
            raise StoreFault(f"{target}: {in_words(error)}") from error
        if version != migrate.CURRENT:
            _upgrade(part)
        if check is not None:
            with closing(SqliteStore(part)) as copy:
                copy.name = str(target)
                check(copy)


@contextmanager
def _only_one(target: Path) -> Iterator[None]:
    """Hold the writer's lock of a file that is being made; a lock made for nothing is taken away again."""
    if not target.parent.is_dir():
        # Said by who makes the file.
        yield
        return
    name = Path(f"{target}-lock")
    new = not name.exists()
    lock = _lock(target)
    try:
        yield
    except BaseException:
        if new:
            name.unlink(missing_ok=True)
        raise
    finally:
        _let_go([lock])


def read_checked(path: Path) -> tuple[sqlite3.Connection, str]:
    """A file made by ``backup``, open for reading, with its version; refuses one that is damaged or not ours."""
    path = _resolved(path)
    _check_place(path, create=False)
    _needs_upgrade(path, create=False, read_only=False)
    try:
        source = _connect(path, "ro")
        (verdict,) = source.execute("PRAGMA quick_check(1)").fetchone()
        version = _version(source)
    except sqlite3.Error as error:
        raise Refusal(FIELD, f"{path}: {in_words(error)}") from error
    if verdict != "ok" or version is None:
        source.close()
        raise Refusal(FIELD, f"{path} is damaged or empty; take another backup ({verdict})")
    return source, version


def _resolved(path: Path) -> Path:
    """The one true name of a file, so that all its names have one lock."""
    try:
        return path.resolve()
    except (OSError, RuntimeError) as error:
        raise Refusal(FIELD, f"{path} leads nowhere, its links go in a circle; name another file") from error


def _check_place(path: Path, *, create: bool) -> None:
    """Refuse a path where no floor is or can be."""
    try:
        folder, below, there = path.is_dir(), path.parent.is_dir(), path.exists()
    except OSError as error:
        raise Refusal(FIELD, f"{path} cannot be opened ({error.strerror}); name another file") from error
    if folder:
        raise Refusal(FIELD, f"{path} is a folder; name a file in it")
    if not below:
        raise Refusal(FIELD, f"{path.parent} is not a folder; create it, or name a file elsewhere")
    if not there and not create:
        raise Refusal(FIELD, f"{path} does not exist; name the file of a floor")
    if there and (names := path.stat().st_nlink) > 1:
        # Each name would have a log of its own, and who opens one sees nothing of the other's.
        raise Refusal(
            FIELD, f"{path} has {names} names (hard links), and a floor's file must have one; delete the others"
        )


def _lock(path: Path) -> int:
    """Become the one process that writes. The system drops the lock with the process, however that ends."""
    name = f"{path}-lock"
    while True:
        try:
            lock = os.open(name, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise Refusal(FIELD, f"{path.parent} cannot be written to ({error.strerror}); allow it") from error
        _take(lock, path)
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(lock), Path(name).stat()):
                return lock
        # A restore that failed has deleted it between the opening and the lock.
        os.close(lock)


def _lock_file(path: Path) -> int:
    """Lock the file itself too, under whichever name; make it where there is none, for its owner only.

    It holds what PINs are checked against.
    """
    if not path.exists():
        refuse_leftovers(path, FIELD)
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        sync_folder(path.parent)
    except OSError as error:
        raise Refusal(FIELD, f"{path} cannot be written to ({error.strerror}); allow it") from error
    if sys.platform == "linux":
        # Elsewhere such a lock and those that SQLite takes get in each other's way.
        _take(file, path)
    return file


def _take(lock: int, path: Path) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(lock)
        raise Refusal(
            FIELD,
            f"{path} is being written by another Houseway; stop that one, or use PostgreSQL, which takes several",
        ) from error


def _let_go(locks: list[int]) -> None:
    """Let go of locks by name: a process that was just begun by this one may hold the files open for a moment yet."""
    while locks:
        lock = locks.pop()
        fcntl.flock(lock, fcntl.LOCK_UN)
        os.close(lock)


def _which(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_dev, status.st_ino


def _needs_upgrade(path: Path, *, create: bool, read_only: bool) -> bool:
    """Whether the file's schema is older than the program; refuses a file that is not ours."""
    try:
        with closing(_connect(path, "ro")) as peek:
            tables = [name for (name,) in peek.execute("SELECT name FROM sqlite_schema")]
            return migrate.needs_upgrade(str(path), tables, lambda: _version(peek), create=create, read_only=read_only)
    except sqlite3.Error as error:
        raise Refusal(FIELD, f"{path}: {in_words(error)}") from error


def _version(connection: sqlite3.Connection) -> str | None:
    row = connection.execute(f"SELECT version_num FROM {migrate.VERSION_TABLE}").fetchone()
    return str(row[0]) if row else None


def _upgrade(path: Path) -> None:
    from sqlalchemy.exc import DBAPIError

    try:
        with migrate.sqlite_transaction(path) as connection:
            migrate.upgrade(connection)
    except DBAPIError as error:
        raise Refusal(FIELD, f"{path}: {in_words(error.orig or error)}") from error


def _connect_writer(path: Path) -> sqlite3.Connection:
    """The writer's connection, with the durability that a ledger needs, and proof that it is in effect."""
    try:
        writer = _connect(path, "rw")
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute(SYNCHRONOUS)
        writer.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        writer.execute("PRAGMA wal_autocheckpoint = 0")
        (mode,) = writer.execute("PRAGMA journal_mode").fetchone()
        (synchronous,) = writer.execute("PRAGMA synchronous").fetchone()
        # The first question makes the log, which from here on must be the same.
        writer.execute("SELECT 1 FROM sqlite_schema").fetchone()
    except sqlite3.Error as error:
        raise Refusal(FIELD, f"{path}: {in_words(error)}") from error
    if (mode, synchronous) != ("wal", FULL):
        writer.close()
        raise Refusal(
            FIELD,
            f"{path} cannot keep what is written through a power cut: its file system gives journal mode {mode} and "
            f"synchronous {synchronous}, needed are wal and {FULL}; use a local disk",
        )
    return writer


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    """A connection that any thread may use; ``mode`` as in SQLite's file names: ro or rw."""
    connection = sqlite3.connect(
        _uri(path, mode), uri=True, isolation_level=None, check_same_thread=False, timeout=BUSY_SECONDS
    )
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def _uri(path: Path, mode: str) -> str:
    place = f"file:{quote(os.fsencode(path))}?mode={mode}"
    if mode == "ro" and not os.access(path.parent, os.W_OK) and not _has_log(path):
        # SQLite wants to keep a log beside a file it reads. Where it cannot, nobody can be writing either.
        place += "&immutable=1"
    return place


def _has_log(path: Path) -> bool:
    log = Path(f"{path}-wal")
    return log.exists() and log.stat().st_size > 0


def in_words(error: BaseException) -> str:
    """A sentence for what SQLite calls a code."""
    code = getattr(error, "sqlite_errorcode", None)
    words = WORDS.get(code & 0xFF) if isinstance(code, int) else None
    return f"{words} ({error})" if words else f"SQLite could not do it: {error}"
