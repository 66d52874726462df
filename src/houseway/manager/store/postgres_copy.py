"""A whole floor between a PostgreSQL database and a SQLite file, table by table, each side in one transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any, Final, cast

import psycopg
from psycopg.sql import SQL, Composable, Identifier

from houseway.manager.store import migrate, postgres, sqlite
from houseway.manager.store.base import StoreFault
from houseway.manager.store.files import new_file
from houseway.manager.store.migrate import FIELD
from houseway.refusal import Refusal

BATCH: Final = 2000


def postgres_to_file(source: postgres.Connection, name: str, target: Path) -> None:
    """Copy a floor as of one moment into a new SQLite file."""
    source.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
    source.read_only = True
    with new_file(target) as part, source.transaction():
        version = postgres.version_of(source)
        if version not in migrate.READ_ALIKE:
            raise StoreFault(f"{name} has version {version}, this program copies only version {migrate.CURRENT}")
        try:
            with migrate.sqlite_transaction(part) as connection:
                migrate.upgrade(connection)
                _fill_file(source, cast(sqlite3.Connection, connection.connection.driver_connection))
        except _database_error() as error:
            raise StoreFault(f"{target}: {sqlite.in_words(error.orig or error)}") from error
        except sqlite3.Error as error:
            raise StoreFault(f"{target}: {sqlite.in_words(error)}") from error


def refuse_unfit(url: str) -> None:
    """Refuse a database that a backup cannot be restored into."""
    name = postgres.name_of(url)
    with postgres.connect(url) as peek:
        if defect := postgres.not_durable(peek):
            raise Refusal(FIELD, f"{name}: {defect}")
        if postgres.tables_of(peek):
            raise Refusal("target", f"{name} is not empty; restore into a new database")


def file_to_postgres(source: Path, url: str) -> None:
    """Copy a backup into a new database, and bring it up to date there."""
    name = postgres.name_of(url)
    backup, version = sqlite.read_checked(source)
    try:
        with (
            closing(backup),
            migrate.postgres_transaction(lambda: postgres.connect(url, autocommit=False)) as connection,
        ):
            target = cast(postgres.Connection, connection.connection.driver_connection)
            if postgres.tables_of(target):
                raise Refusal("target", f"{name} is not empty; restore into a new database")
            migrate.upgrade(connection, version)
            _fill_postgres(backup, target)
            migrate.upgrade(connection)
    except _database_error() as error:
        raise StoreFault(f"{name}: {postgres.in_words(error.orig or error)}") from error
    except psycopg.Error as error:
        raise StoreFault(f"{name}: {postgres.in_words(error)}") from error
    except sqlite3.Error as error:
        raise StoreFault(f"{source}: {sqlite.in_words(error)}") from error


def _fill_file(source: postgres.Connection, target: sqlite3.Connection) -> None:
    for table, columns in _tables(target):
        target.execute(f"DELETE FROM {table}")
        places = ", ".join("?" * len(columns))
        insert = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})"
        question = SQL("SELECT {} FROM {} ORDER BY 1").format(_names(columns), Identifier(table))
        with source.cursor(f"copy_{table}") as rows:
            rows.itersize = BATCH
            rows.execute(question)
            while batch := list(islice(rows, BATCH)):
                target.executemany(insert, batch)


def _fill_postgres(source: sqlite3.Connection, target: postgres.Connection) -> None:
    source.execute("BEGIN")
    for table, columns in _tables(source):
        target.execute(SQL("DELETE FROM {}").format(Identifier(table)))
        rows: Iterator[tuple[Any, ...]] = source.execute(f"SELECT {', '.join(columns)} FROM {table}")
        into = SQL("COPY {} ({}) FROM STDIN").format(Identifier(table), _names(columns))
        with target.cursor() as cursor, cursor.copy(into) as copy:
            for row in rows:
                copy.write_row(row)


def _tables(file: sqlite3.Connection) -> list[tuple[str, list[str]]]:
    """The tables of a floor and their columns, whatever its version."""
    row = file.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name <> ? ORDER BY name",
        (migrate.VERSION_TABLE,),
    ).fetchall()
    return [(name, [column[1] for column in file.execute(f"PRAGMA table_info({name})")]) for (name,) in row]


def _names(columns: Sequence[str]) -> Composable:
    return SQL(", ").join(map(Identifier, columns))


def _database_error() -> Any:
    from sqlalchemy.exc import DBAPIError

    return DBAPIError
