"""How a server runs: the `[server]` part of a floor file, then the environment, then the command line."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from houseway.manager.floor_file.draft import ServerPart, drafted
from houseway.paytables import Defect
from houseway.refusal import Refusal

DEFAULT_PORT = 8420
_PATHS: Final = ("key_file", "tls_certificate", "tls_key")
_FILES: Final = ("db", *_PATHS)


class ServerSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that can be set about a server."""

    host: str = "127.0.0.1"
    """The address to listen on."""
    port: int = DEFAULT_PORT
    """The port to listen on; 0 for any that is free."""
    db: str = "houseway.db"
    """The floor's database: a file, or the address of a PostgreSQL database."""
    key_file: Path = Path("houseway.key")
    """The floor's key file."""
    tls_certificate: Path | None = None
    """The certificate file for TLS, with the chain; none for plain HTTP."""
    tls_key: Path | None = None
    """The file of the certificate's key, where it is not in the same file."""
    trusted_proxies: tuple[str, ...] = ()
    """The addresses of proxies whose word about the client's address and TLS is taken."""
    idle_minutes: int = 30
    """After so long without a request everybody signs in again."""
    log: Literal["people", "json"] = "people"
    """How the log on standard error is written."""
    log_level: Literal["debug", "info", "warning"] = "info"
    """From where on something is logged; debug has a line for every request."""
    metrics: Literal["local", "open"] = "local"
    """Whether everybody may read /metrics, or this machine, a casino's system and staff only."""
    sign_ins_a_minute: int = 20
    """How many tries to sign in one address has in a minute."""
    most_streams: int = 2_000
    """How many live streams are served at once."""
    most_connections: int = 4_000
    """How many connections are held at once; one that waits idle makes room for a new one."""
    header_seconds: int = 10
    """How long a request's headers, or a TLS handshake, may take to arrive."""
    body_seconds: int = 10
    """How long a request may take to arrive."""
    keep_alive_seconds: int = 60
    """How long a connection may wait for its next request."""
    stop_seconds: int = 10
    """How long a stop waits for answers that are under way."""

    @property
    def on_loopback(self) -> bool:
        """Whether only this machine can reach it."""
        if self.host == "localhost":
            return True
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def secure(self) -> bool:
        """Whether browsers reach it by TLS, its own or a proxy's."""
        return self.tls_certificate is not None or bool(self.trusted_proxies)


def layered(part: ServerPart, folder: Path, given: Mapping[str, Any]) -> ServerSettings:
    """What a floor file sets, and over it what the environment and the command line gave; None is not given.

    Files named in the floor file are meant from its folder; files named elsewhere, from where the program runs.
    """
    values = {name: value for name, value in part.model_dump().items() if value is not None}
    for name in _FILES:
        if name in values and "://" not in values[name]:
            values[name] = str(folder / values[name])
    values |= _checked(given)
    if "tls_key" in values and "tls_certificate" not in values:
        raise Refusal("tls_key", "stands without tls_certificate; TLS needs a certificate")
    for name in _PATHS:
        if name in values:
            values[name] = Path(values[name])
    return msgspec.convert(values, ServerSettings)


def _checked(given: Mapping[str, Any]) -> dict[str, Any]:
    """What was given, held to what a floor file may say."""
    plain = {name: _plain(value) for name, value in given.items() if value not in (None, [])}
    defects: list[Defect] = []
    part = drafted(ServerPart, plain, "server", defects)
    if defects or part is None:
        raise Refusal("server", defects[0].what)
    return {name: value for name, value in part.model_dump().items() if value is not None}


def _plain(value: object) -> object:
    return str(value) if isinstance(value, Path) else list(value) if isinstance(value, tuple) else value
