"""New database files, which appear whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from houseway.refusal import Refusal

LOGS: Final = ("-wal", "-journal")
"""What SQLite keeps beside a database while it is written."""


@contextmanager
def new_file(target: Path) -> Iterator[Path]:
    """A file to fill, under another name until it is whole and on disk; refuses one that exists."""
    part = _claim(target)
    try:
        yield part
        sync(part)
        if target.exists():
            raise Refusal("target", f"{target} exists; name a file that does not")
        part.rename(target)
    except BaseException:
        for suffix in ("", *LOGS, "-shm"):
            with suppress(OSError):
                part.with_name(part.name + suffix).unlink(missing_ok=True)
        raise
    sync_folder(target.parent)


def _claim(target: Path) -> Path:
    """An empty file of our own beside the target, for its owner only: it will hold what PINs are checked against."""
    try:
        if target.is_dir():
            raise Refusal("target", f"{target} is a folder; name a file in it")
        if target.exists():
            raise Refusal("target", f"{target} exists; name a file that does not")
        refuse_leftovers(target, "target")
        part = target.with_name(f"{target.name}.part")
        if not part.exists():
            refuse_leftovers(part, "target")
        os.close(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError as error:
        raise Refusal("target", f"{part} exists: another copy runs, or one was cut short; then delete it") from error
    except OSError as error:
        raise Refusal("target", f"{target} cannot be written ({error.strerror}); name a file elsewhere") from error
    return part


def refuse_leftovers(path: Path, field: str) -> None:
    """Refuse a new database beside the log of a lost one: SQLite would take that log for its own."""
    for suffix in LOGS:
        log = path.with_name(path.name + suffix)
        # An empty one, which a reader leaves, says nothing.
        if log.exists() and log.stat().st_size:
            raise Refusal(field, f"{log} is left of another database of that name; move it away first")


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    sync(folder)


def sync(path: Path) -> None:
    """Make what was written to a file durable."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
