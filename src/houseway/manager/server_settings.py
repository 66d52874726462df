"""How a floor is served: every setting once, with its default, what it may be and what it sets.

`[server]` in the floor file, the options and variables of `houseway serve`, and what the server runs by are made from
`ServerSettings`. docs/server.md explains each setting.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal, get_args, get_origin, get_type_hints

from msgspec import Struct

TLS_KEY_ALONE: Final = "tls_key stands without tls_certificate; TLS needs a certificate"
Reader = Callable[[object], Any]
"""Reads a value as a floor file holds it; ValueError where it is not allowed."""


@dataclass(frozen=True, slots=True)
class SettingText:
    """What a person must know about a setting; its name, type and default are those of its field."""

    help: str
    allowed: str = ""
    read: Reader | None = None
    """None where the type says enough."""
    flag: str = ""
    """Where it is not the name."""
    variable: str = ""
    """What follows HOUSEWAY_, where it is not the name."""
    metavar: str | None = None


def read_text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("not a text")
    return value


def read_matching(value: object, pattern: str) -> str:
    text = read_text(value)
    if re.fullmatch(pattern, text) is None:
        raise ValueError("it does not match")
    return text


def read_place(value: object) -> str:
    """What names a place: a host, a file, the address of a database."""
    text = read_text(value)
    if not 1 <= len(text) <= 1000 or not text.isprintable() or text != text.strip():
        raise ValueError("not the name of a place")
    return text


def count_reader(least: int, most: int) -> Callable[[object], int]:
    def read_count(value: object) -> int:
        if type(value) is not int or not least <= value <= most:
            raise ValueError("out of range")
        return value

    return read_count


def choice_reader(allowed: Iterable[object]) -> Reader:
    choices = tuple(allowed)

    def read_choice(value: object) -> object:
        if not any(value is choice or (isinstance(value, str) and value == choice) for choice in choices):
            raise ValueError("not one of the choices")
        return value

    return read_choice


def _read_proxies(value: object) -> list[str]:
    """Addresses and networks; a name would be trusted by whoever answers for it."""
    if not isinstance(value, list):
        raise ValueError("not a list")
    texts = [read_text(item) for item in value]
    return [str(ip_network(text)) if "/" in text else str(ip_address(text)) for text in texts]


def _read_addresses(value: object) -> list[str]:
    from houseway.manager.transparency.checkpoint import MOST_WITNESSES

    if not isinstance(value, list) or len(value) > MOST_WITNESSES:
        raise ValueError("not a list of addresses")
    return [read_matching(item, r"https?://[^\s/?#@]{1,200}(?:/[^\s?#]{0,200})?").rstrip("/") for item in value]


def _count(help: str, least: int = 1, most: int = 100_000) -> SettingText:
    return SettingText(help, f"a whole number from {least:,} to {most:,}", count_reader(least, most))


def _file(help: str, variable: str = "") -> SettingText:
    return SettingText(help, "the name of a file in quotes", read_place, variable=variable)


_PROXIES = SettingText(
    "A proxy whose word about a client's address and TLS is taken; may be given again.",
    'a list of addresses or networks in quotes, such as ["127.0.0.1", "10.1.0.0/16"]',
    _read_proxies,
    flag="--trusted-proxy",
)
_WITNESSES = SettingText(
    "The address of a witness that checkpoints are sent to; may be given again.",
    'a list of addresses in quotes, such as ["http://10.1.0.9:8421"]',
    _read_addresses,
    flag="--witness",
)
_HOST = SettingText("The address to listen on.", 'an address to listen on in quotes, such as "127.0.0.1"', read_place)
_DATABASE = SettingText(
    "The floor's database: a file (SQLite), or postgresql://… .",
    "a file in quotes, or the address of a PostgreSQL database",
    read_place,
    metavar="FILE|URL",
)


class ServerSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that can be set about a server."""

    host: Annotated[str, _HOST] = "127.0.0.1"
    port: Annotated[int, _count("The port to listen on; 0 for any that is free.", 0, 65_535)] = 8420
    db: Annotated[str, _DATABASE] = "houseway.db"
    key_file: Annotated[Path, _file("The file of the floor's key.", variable="KEY")] = Path("houseway.key")
    tls_certificate: Annotated[Path | None, _file("The certificate for TLS, with its chain.")] = None
    tls_key: Annotated[Path | None, _file("The certificate's key, where it is in a file of its own.")] = None
    plain_http: Annotated[bool, SettingText("Let others reach it without TLS.")] = False
    trusted_proxies: Annotated[tuple[str, ...], _PROXIES] = ()
    idle_minutes: Annotated[int, _count("Minutes without a request until everybody signs in again.", 1, 720)] = 30
    log: Annotated[Literal["people", "json"], SettingText("The log: people or json.")] = "people"
    log_level: Annotated[
        Literal["debug", "info", "warning"], SettingText("From where on it is logged: debug, info or warning.")
    ] = "info"
    metrics: Annotated[Literal["local", "open"], SettingText("Who may read /metrics: local or open.")] = "local"
    sign_ins_a_minute: Annotated[int, _count("Tries to sign in that an address has in a minute.")] = 20
    most_streams: Annotated[int, _count("Live streams at once.")] = 2_000
    streams_per_address: Annotated[int | None, _count("Live streams of one address at once.")] = None
    streams_per_person: Annotated[int, _count("Live streams of one person or device at once.")] = 20
    most_connections: Annotated[int, _count("Connections at once.", 10)] = 4_000
    connections_per_address: Annotated[int | None, _count("Connections of one address at once.")] = None
    orders_a_second: Annotated[int, _count("Orders a second in all.")] = 5_000
    orders_a_second_per_address: Annotated[int, _count("Orders a second of one address.")] = 500
    orders_a_second_per_person: Annotated[int, _count("Orders a second of one member of staff or device.")] = 20
    orders_a_second_per_player: Annotated[int, _count("Orders a second of one player.")] = 10
    most_waiting: Annotated[int, _count("Requests that may wait for their answer at once.", 8)] = 512
    order_seconds: Annotated[int, _count("Seconds for an order to be recorded.", 1, 600)] = 10
    header_seconds: Annotated[int, _count("Seconds for a request's headers to arrive.", 1, 600)] = 10
    body_seconds: Annotated[int, _count("Seconds for a request's body to arrive.", 1, 600)] = 10
    write_seconds: Annotated[int, _count("Seconds that a client may take nothing of its answer.", 1, 600)] = 10
    keep_alive_seconds: Annotated[int, _count("Seconds that a connection waits for its next request.", 1, 3_600)] = 60
    stop_seconds: Annotated[int, _count("Seconds that a stop waits for answers under way.", 1, 600)] = 10
    witnesses: Annotated[tuple[str, ...], _WITNESSES] = ()
    checkpoint_file: Annotated[Path | None, _file("Where the latest cosigned checkpoint is kept.")] = None
    checkpoint_seconds: Annotated[int, _count("Seconds from one checkpoint to the next.", 1, 86_400)] = 60

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
        """How many connections one address may have; a quarter of all where nothing is set."""
        return self.connections_per_address or max(self.most_connections // 4, 1)

    @property
    def streams_from_one_address(self) -> int:
        """How many live streams one address may have; a third of all where nothing is set."""
        return self.streams_per_address or max(self.most_streams // 3, 1)


@dataclass(frozen=True, slots=True)
class ServerSetting:
    """A setting as the floor file and the command line need it."""

    name: str
    allowed: str
    read: Reader
    option_type: Any
    """What an option of the command line gives."""
    flag: str
    variable: str
    help: str
    metavar: str | None

    @property
    def is_path(self) -> bool:
        return self.option_type is Path


def _declare(name: str, annotation: Any) -> ServerSetting:
    kind, setting = get_args(annotation)
    kind = next((choice for choice in get_args(kind) if choice is not type(None)), kind) if _is_union(kind) else kind
    choices: tuple[object, ...] = (True, False) if kind is bool else get_args(kind)
    *first, last = ("true", "false") if kind is bool else [f'"{choice}"' for choice in choices] or [""]
    return ServerSetting(
        name=name,
        allowed=setting.allowed or f"{', '.join(first)} or {last}",
        read=setting.read or choice_reader(choices),
        option_type=str if get_origin(kind) is Literal else list[str] if get_origin(kind) is tuple else kind,
        flag=setting.flag or f"--{name.replace('_', '-')}",
        variable=f"HOUSEWAY_{setting.variable or name.upper()}",
        help=setting.help,
        metavar=setting.metavar,
    )


def _is_union(kind: Any) -> bool:
    return type(None) in get_args(kind)


DECLARED: Final[Mapping[str, ServerSetting]] = MappingProxyType(
    {
        name: _declare(name, annotation)
        for name, annotation in get_type_hints(ServerSettings, include_extras=True).items()
        if get_origin(annotation) is Annotated
    }
)
"""Every setting by its name, in the order of the documentation."""
