"""Where a floor keeps its journal and its money: a SQLite file, or a PostgreSQL database by its address."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from houseway.manager.store.base import Store
from houseway.manager.store.migrate import FIELD
from houseway.refusal import Refusal

__all__ = ["open_store", "restore"]

SQLITE: Final = "sqlite:///"
POSTGRES: Final = ("postgresql://", "postgres://")


def open_store(url_or_path: str, *, create: bool = True, read_only: bool = False) -> Store:
    """Open a floor's database, created or brought up to date where that is asked and needed."""
    if url_or_path.startswith(POSTGRES):
        from houseway.manager.store.postgres import open_postgres

        return open_postgres(url_or_path, create=create, read_only=read_only)
    from houseway.manager.store.sqlite import open_sqlite

    return open_sqlite(_file(url_or_path), create=create, read_only=read_only)


def restore(source: Path, target_url: str, check: Callable[[Store], None] | None = None) -> None:
    """Copy a backup, whole or not at all, into a new database of either kind.

    ``check`` is given the copy before anybody can take it for a floor; where it raises, nothing is left of the copy.
    """
    from houseway.manager.store.sqlite import file_to_file

    if not target_url.startswith(POSTGRES):
        return file_to_file(source, _file(target_url), check)
    from houseway.manager.store.postgres_copy import file_to_postgres, refuse_unfit

    refuse_unfit(target_url)
    if check is None:
        return file_to_postgres(source, target_url)
    with TemporaryDirectory(prefix="houseway-restore-") as folder:
        copy = Path(folder) / "copy.db"
        file_to_file(source, copy, check)
        return file_to_postgres(copy, target_url)


def _file(url_or_path: str) -> Path:
    """The file that is meant; refuses what names none."""
    path = url_or_path.removeprefix(SQLITE)
    if not path or "://" in path or path == ":memory:" or "\0" in path:
        raise Refusal(
            FIELD,
            f"{_without_password(url_or_path)!r} names no database; write a file, sqlite:///FILE or postgresql://…",
        )
    return Path(path)


def _without_password(url: str) -> str:
    """An address that can be shown: everything between the scheme and the server is left out."""
    scheme, slashes, rest = url.partition("://")
    return f"{scheme}{slashes}{rest.rpartition('@')[2]}"
