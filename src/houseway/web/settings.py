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
_PATHS: Final = ("key_file", "tls_certificate", "tls_key", "checkpoint_file")
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
    plain_http: bool = False
    """Whether others may reach it without TLS, which shows PINs and cookies to everybody on the way."""
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
    streams_per_address: int | None = None
    """How many of them one address may have; a third of them unless it is set."""
    streams_per_person: int = 20
    """How many of them one person, or one device's token, may have."""
    most_connections: int = 4_000
    """How many connections are held at once; one that waits idle makes room for a new one."""
    connections_per_address: int | None = None
    """How many of them one address may have; a quarter of them unless it is set."""
    orders_a_second: int = 5_000
    """How many orders a second are taken in all; after a quiet time those of five seconds at once."""
    orders_a_second_per_address: int = 500
    """How many of them one address may give."""
    orders_a_second_per_person: int = 20
    """How many of them one of the staff, or one device, may give."""
    orders_a_second_per_player: int = 10
    """How many of them one player may give."""
    most_waiting: int = 512
    """How many requests may wait for their answer at once; one address has half of that, and reading half of either."""
    order_seconds: int = 10
    """How long an order may take to be recorded before its sender is told to ask again."""
    header_seconds: int = 10
    """How long a request's headers, or a TLS handshake, may take to arrive."""
    body_seconds: int = 10
    """How long a request may take to arrive."""
    write_seconds: int = 10
    """How long a client may take nothing of what it asked for."""
    keep_alive_seconds: int = 60
    """How long a connection may wait for its next request."""
    stop_seconds: int = 10
    """How long a stop waits for answers that are under way."""
    witnesses: tuple[str, ...] = ()
    """The addresses of the witnesses that checkpoints of the journal are sent to."""
    checkpoint_file: Path | None = None
    """Where the latest checkpoint is kept, with the cosignatures of the witnesses; beside the database unless set."""
    checkpoint_seconds: int = 60
    """How often a checkpoint is signed and sent, where there are new entries."""

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

    @property
    def reached_by_proxies_alone(self) -> bool:
        """Whether only its proxies may connect: they speak TLS, and it does not."""
        return bool(self.trusted_proxies) and not (self.tls_certificate or self.plain_http or self.on_loopback)

    @property
    def connections_from_one_address(self) -> int:
        """How many connections one address may have."""
        return self.connections_per_address or max(self.most_connections // 4, 1)

    @property
    def streams_from_one_address(self) -> int:
        """How many live streams one address may have."""
        return self.streams_per_address or max(self.most_streams // 3, 1)


def checkpoint_place(settings: ServerSettings) -> Path:
    """Where the latest checkpoint is kept: beside the database file, or, where that is on a server, beside the key."""
    if settings.checkpoint_file is not None:
        return settings.checkpoint_file
    beside = settings.key_file if is_server(settings.db) else Path(settings.db.removeprefix("sqlite:///"))
    return beside.with_suffix(".checkpoint")


def is_server(db: str) -> bool:
    """Whether a database is on a server of its own."""
    return "://" in db and not db.startswith("sqlite:")


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
