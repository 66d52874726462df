"""How a server runs: the `[server]` part of a floor file, then the environment, then the command line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from houseway.manager.floor_file.draft import read_server
from houseway.manager.server_settings import DECLARED, TLS_KEY_ALONE, ServerSettings
from houseway.refusal import Refusal

_PATHS: Final = tuple(name for name, setting in DECLARED.items() if setting.is_path)
_FILES: Final = ("db", *_PATHS)


def checkpoint_place(settings: ServerSettings) -> Path:
    """Where the latest checkpoint is kept: beside the database file, or, where that is on a server, beside the key."""
    if settings.checkpoint_file is not None:
        return settings.checkpoint_file
    beside = settings.key_file if is_server(settings.db) else Path(settings.db.removeprefix("sqlite:///"))
    return beside.with_suffix(".checkpoint")


def is_server(db: str) -> bool:
    """Whether a database is on a server of its own."""
    return "://" in db and not db.startswith("sqlite:")


def resolve_settings(in_file: Mapping[str, Any], folder: Path, arguments: Mapping[str, Any]) -> ServerSettings:
    """What a floor file sets, and over it what the environment and the command line gave; None is not given.

    Files named in the floor file are meant from its folder; files named elsewhere, from where the program runs.
    """
    values = dict(in_file)
    for name in _FILES:
        if name in values and "://" not in values[name]:
            values[name] = str(folder / values[name])
    over, defects = read_server({name: _plain(value) for name, value in arguments.items() if value not in (None, [])})
    if defects:
        raise Refusal("server", defects[0].what)
    values |= over
    if "tls_key" in values and "tls_certificate" not in values:
        raise Refusal("server", TLS_KEY_ALONE)
    return msgspec.convert(values, ServerSettings, dec_hook=lambda kind, value: kind(value))


def _plain(value: object) -> object:
    return str(value) if isinstance(value, Path) else list(value) if isinstance(value, tuple) else value
