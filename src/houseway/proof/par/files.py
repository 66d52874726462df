"""A par sheet on the disk: the kind of file by its suffix, written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from houseway.proof.par import document, sheet, workbook
from houseway.refusal import Refusal


def _json(data: Mapping[str, Any]) -> bytes:
    return sheet.as_text(data).encode()


WRITERS: Final[Mapping[str, Callable[[Mapping[str, Any]], bytes]]] = {
    ".pdf": document.render,
    ".xlsx": workbook.render,
    ".json": _json,
}


def check_target(path: Path, *, force: bool) -> None:
    """Refuse a file that cannot be written, before anything is counted for it."""
    if path.suffix.lower() not in WRITERS:
        raise Refusal("output", f"{path} must end in {', '.join(WRITERS)}: the ending says what is written")
    if path.is_dir():
        raise Refusal("output", f"{path} is a folder; name a file in it")
    if not path.parent.is_dir():
        raise Refusal("output", f"{path} cannot be written: there is no folder {path.parent}")
    if not force and path.exists():
        raise Refusal("output", f"{path} exists already; name another file, or add --force to replace it")


def save(data: Mapping[str, Any], path: Path, *, force: bool = False) -> None:
    """Write a sheet; an existing file is replaced only when forced."""
    check_target(path, force=force)
    content = WRITERS[path.suffix.lower()](data)
    target = path.with_name(f".{os.getpid()}.part") if force else path
    complete = False
    try:
        # Exclusive also where nothing stood there a moment ago: what somebody else wrote meanwhile is not replaced.
        with target.open("xb") as file:
            complete = True
            file.write(content)
        if target != path:
            target.replace(path)
    except (OSError, ValueError) as error:
        if complete:
            with suppress(OSError):
                target.unlink()
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise Refusal("output", f"{path} cannot be written: {why}") from None
