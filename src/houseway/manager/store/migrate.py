"""Which version a database has, and bringing an older one up to this program's.

A start asks one question of the database and imports Alembic only when there is something to do.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from houseway.refusal import Refusal

if TYPE_CHECKING:
    from sqlalchemy import Connection

VERSION_TABLE = "houseway_version"
REVISIONS = ("0001", "0002", "0003")
"""Every revision this program knows, oldest first."""
CURRENT = REVISIONS[-1]
READ_ALIKE = ("0002", "0003")
"""Revisions whose tables are the same to a reader: only an index is another."""

FIELD = "database"


def needs_upgrade(
    name: str, tables: Collection[str], version: Callable[[], str | None], *, create: bool, read_only: bool
) -> bool:
    """Whether the database must be brought up to date first; refuses one that is not ours to open."""
    if not tables:
        if create and not read_only:
            return True
        raise Refusal(FIELD, f"{name} is empty: there is no floor in it; open it for writing once to create one")
    revision = version() if VERSION_TABLE in tables else None
    if revision is None:
        raise Refusal(FIELD, f"{name} is not a Houseway database; name one of ours, or a new one")
    if revision not in REVISIONS:
        raise Refusal(
            FIELD,
            f"{name} has version {revision}, which is newer than this program knows (up to {CURRENT}); "
            "start the newer Houseway, this one could damage it",
        )
    if read_only and revision not in READ_ALIKE:
        raise Refusal(
            FIELD,
            f"{name} has version {revision}, older than {CURRENT}; open it for writing once to bring it up to date",
        )
    return revision != CURRENT and not read_only


def upgrade(connection: Connection, revision: str = CURRENT) -> None:
    """Run the revisions up to one, inside the connection's transaction: whole or not at all."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "houseway.manager.store:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


@contextmanager
def sqlite_transaction(path: Path) -> Iterator[Connection]:
    """A SQLAlchemy connection in one write transaction of the file."""
    from sqlalchemy import event

    def connect() -> sqlite3.Connection:
        # The driver would begin only at the first change of a row, and leave changes of the schema outside.
        return sqlite3.connect(path, isolation_level=None)

    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    engine = _engine("sqlite://", connect)
    event.listen(engine, "begin", begin)
    with engine.begin() as connection:
        yield connection


@contextmanager
def postgres_transaction(connect: Callable[[], Any]) -> Iterator[Connection]:
    """A SQLAlchemy connection in one transaction of the server, alone among those that change the schema."""
    with _engine("postgresql+psycopg://", connect).begin() as connection:
        # Whatever the server's default: what is read after the lock must be what the one before left.
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL READ COMMITTED")
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(hashtext('houseway'))")
        # Whoever is writing finishes first, and whoever comes next sees the new version.
        head = connection.exec_driver_sql("SELECT to_regclass(quote_ident(current_schema()) || '.head')").scalar()
        if head is not None:
            connection.exec_driver_sql(f"LOCK TABLE {head} IN ACCESS EXCLUSIVE MODE")
        yield connection


def _engine(url: str, connect: Callable[[], Any]) -> Any:
    from sqlalchemy import create_engine
    from sqlalchemy.pool import NullPool

    return create_engine(url, creator=connect, poolclass=NullPool)
