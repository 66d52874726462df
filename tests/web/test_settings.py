"""Settings: the floor file, then the environment, then the command line; and what is refused in one sentence."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import msgspec
import pytest
import typer
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from tests.nursery import Forked
from tests.web.web_kit import free_port, make_floor
from typer.testing import CliRunner

from houseway.cli import program
from houseway.manager.floor_file import example_floor, read_floor
from houseway.manager.server_settings import ServerSettings
from houseway.refusal import Refusal
from houseway.web import server as running
from houseway.web.settings import resolve_settings

FIELDS = [field.name for field in msgspec.structs.fields(ServerSettings)]
OTHER: dict[str, tuple[Any, Any, Any]] = {
    "host": ("127.0.0.2", "127.0.0.3", "127.0.0.4"),
    "trusted_proxies": (["10.1.2.3"], ["10.1.2.4", "10.2.0.0/16"], ["10.1.2.5", "10.1.2.6"]),
    "log": ("json", "people", "json"),
    "log_level": ("debug", "info", "warning"),
    "metrics": ("open", "local", "open"),
    "streams_per_address": (1, 2, 3),
    "connections_per_address": (1, 2, 3),
    "witnesses": (["http://10.1.0.9:8421"], ["http://10.1.0.8:1", "https://w.example/w"], ["http://10.1.0.7:1"]),
}
PAGE = (Path(__file__).parents[2] / "docs" / "server.md").read_text("utf-8")


def make_certificate(folder: Path, days: int = 10) -> tuple[Path, Path]:
    """A self-signed certificate for 127.0.0.1 and its key, as files."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "houseway test")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=30))
        .not_valid_after(now + timedelta(days=days))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    paths = folder / "certificate.pem", folder / "key.pem"
    paths[0].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    paths[1].write_bytes(pem)
    paths[1].chmod(0o600)
    return paths


def part(text: str = "") -> Mapping[str, Any]:
    found = read_floor(f"{example_floor()}\n[server]\n{text}".encode(), "floor.toml", Path())
    assert found.server is not None, found.defects
    return found.server


@cache
def options() -> dict[str, typer.core.TyperOption]:
    command: Any = typer.main.get_command(program())
    return {one.name: one for one in command.commands["serve"].params if one.param_type_name == "option"}


# ------------------------------------------------------------------------------------------------ the layers


def test_every_setting_is_documented_with_its_flag_variable_and_default() -> None:
    rows = {row[0]: row[1:] for row in re.findall(r"^\| `(\w+)` \| `(\S+)` \| `(\S+)` \| (.*?) \|", PAGE, re.MULTILINE)}
    assert list(rows) == FIELDS
    defaults = ServerSettings()
    for name, (flag, variable, default) in rows.items():
        option = options()[name]
        assert flag in option.opts, name
        assert variable == option.envvar, name
        value = getattr(defaults, name)
        assert default.strip("`") == ("none" if value in (None, ()) else str(value)), name


def test_the_command_line_is_over_the_environment_and_that_over_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the very command: what it would serve with, every field set in all three places."""
    seen: list[ServerSettings] = []
    monkeypatch.setattr(running, "serve", lambda settings, *rest, **more: seen.append(settings))
    file = tmp_path / "floor.toml"
    given = [{name: values(name)[place] for name in FIELDS} for place in range(3)]
    lines = [f"{name} = {msgspec.json.encode(value).decode()}" for name, value in given[0].items()]
    file.write_text("\n".join([example_floor(), "[server]", *lines]), "utf-8")

    def served(*arguments: str) -> dict[str, Any]:
        done = CliRunner().invoke(program(), ["serve", str(file), *arguments])
        assert done.exit_code == 0, done.output
        settings = seen.pop()
        return {name: plain(getattr(settings, name)) for name in FIELDS}

    def plain(value: Any) -> Any:
        return str(value) if isinstance(value, Path) else list(value) if isinstance(value, tuple) else value

    files = ("db", "key_file", "tls_certificate", "tls_key", "checkpoint_file")
    in_folder = {name: str(tmp_path / given[0][name]) for name in files}
    assert served() == given[0] | in_folder
    for name, option in options().items():
        if name in FIELDS:
            assert isinstance(option.envvar, str)
            value = given[1][name]
            monkeypatch.setenv(option.envvar, " ".join(value) if isinstance(value, list) else str(value))
    assert served() == given[1]
    flags: list[str] = []
    for name in FIELDS:
        value = given[2][name]
        for one in value if isinstance(value, list) else [value]:
            flags += [options()[name].opts[0]] if one is True else [options()[name].opts[0], str(one)]
    assert served(*flags) == given[2]


def values(name: str) -> tuple[Any, Any, Any]:
    """What the file, the environment and the command line say: three that differ as far as there are three."""
    usual = getattr(ServerSettings(), name)
    if isinstance(usual, bool):
        return True, False, True
    if isinstance(usual, int):
        return usual + 1, usual + 2, usual + 3
    return OTHER.get(name, ("file", "environment", "flag"))


def test_the_address_of_a_database_is_no_file() -> None:
    url = "postgresql://floor@db.example/floor"
    assert resolve_settings(part(f'db = "{url}"'), Path("/etc/houseway"), {}).db == url


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("port = 65536", "port is 65536; it must be a whole number from 0 to 65,535"),
        ('port = "80"', "port is"),
        ("port = true", "port is true"),
        ('log = "xml"', '"people" or "json"'),
        ('trusted_proxies = ["*"]', "a list of addresses or networks"),
        ('trusted_proxies = ["proxy.example"]', "a list of addresses or networks"),
        ('trusted_proxies = ["10.0.0.1/8"]', "a list of addresses or networks"),
        ('tls_key = "key.pem"', "tls_key stands without tls_certificate"),
        ("idle_minutes = 0", "from 1 to 720"),
        ('hots = "x"', 'unknown key "hots"; allowed are host, port'),
    ],
)
def test_check_lists_what_is_wrong_with_server(text: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "floor.toml"
    file.write_text(f"{example_floor()}\n[server]\n{text}\n")
    done = CliRunner().invoke(program(), ["check", str(file)])
    assert done.exit_code == 1
    assert f"server: {words}" in done.stdout or words in done.stdout
    assert "1 defect" in done.stdout


def test_check_accepts_a_sound_server_part_which_is_no_part_of_the_floor() -> None:
    plain = read_floor(example_floor().encode(), "floor.toml", Path())
    served = read_floor(f'{example_floor()}\n[server]\nport = 80\nlog = "json"\n'.encode(), "floor.toml", Path())
    assert served.defects == []
    assert served.config == plain.config


def test_what_the_command_line_gives_is_held_to_the_same() -> None:
    with pytest.raises(Refusal, match="header_seconds is 0; it must be a whole number from 1 to 600"):
        resolve_settings(part(), Path(), {"header_seconds": 0})
    with pytest.raises(Refusal, match="stands without tls_certificate"):
        resolve_settings(part(), Path(), {"tls_key": Path("key.pem")})


# ------------------------------------------------------------------------------------------------ bad settings end it


def refused(folder: Path, *options: str) -> str:
    """The one sentence with which `houseway serve` ends."""
    command = ["serve", "floor.toml", "--db", "floor.db", "--key-file", "houseway.key", *options]
    log = folder / "log"
    server = Forked(command, log, folder, dict(os.environ))
    code = server.wait(60)
    lines = log.read_text().splitlines()
    log.unlink()
    assert code == 2, lines
    assert len(lines) == 1, lines
    return lines[0]


def test_a_port_in_use_is_said_and_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "floor.toml").write_text(example_floor())
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        said = refused(tmp_path, "--port", str(taken.getsockname()[1]))
    assert "is in use by another program" in said
    assert sorted(one.name for one in tmp_path.iterdir()) == ["floor.toml"]


@pytest.mark.parametrize("host", ["192.0.2.1", "no.such.host.invalid", "not a host"])
def test_a_host_that_is_not_ours(host: str) -> None:
    with pytest.raises(Refusal, match="cannot be listened on"):
        running.listen(ServerSettings(host=host, port=0))


def test_no_key_file_for_a_floor_that_is_there(tmp_path: Path) -> None:
    make_floor(tmp_path, str(tmp_path / "floor.db"))
    (tmp_path / "houseway.key").unlink()
    assert "houseway.key is not there" in refused(tmp_path, "--port", "0")


def test_another_key_than_the_one_in_force(tmp_path: Path) -> None:
    make_floor(tmp_path, str(tmp_path / "floor.db"))
    (tmp_path / "houseway.key").unlink()
    running.make_key(tmp_path / "houseway.key")
    assert "its code does not fit the key" in refused(tmp_path, "--port", "0")


def test_a_floor_file_that_is_not_there(tmp_path: Path) -> None:
    assert "cannot be opened" in refused(tmp_path)


def test_a_defective_floor_file_founds_nothing(tmp_path: Path) -> None:
    (tmp_path / "floor.toml").write_text(example_floor().replace('console = "touch"', 'console = "tuch"', 1))
    assert "tuch" in refused(tmp_path)
    assert not (tmp_path / "floor.db").exists()


def test_wrong_tls_files(tmp_path: Path) -> None:
    certificate, key = make_certificate(tmp_path)
    (tmp_path / "other").mkdir()
    _, other = make_certificate(tmp_path / "other")
    text = tmp_path / "text"
    text.write_text("no certificate")
    for settings, words in (
        (ServerSettings(tls_certificate=tmp_path / "none"), "cannot be read"),
        (ServerSettings(tls_certificate=certificate, tls_key=tmp_path / "none"), "cannot be read"),
        (ServerSettings(tls_certificate=text, tls_key=key), "not a certificate and key in PEM"),
        (ServerSettings(tls_certificate=certificate, tls_key=text), "not a certificate and key in PEM"),
        (ServerSettings(tls_certificate=certificate, tls_key=other), "is not the key of the certificate"),
    ):
        with pytest.raises(Refusal, match=words):
            running.tls_context(settings)
    assert running.tls_context(ServerSettings(tls_certificate=certificate, tls_key=key)) is not None
    assert running.tls_context(ServerSettings()) is None


# ------------------------------------------------------------------------------------------------ demonstrations


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--host", "0.0.0.0", "--plain-http"), "0.0.0.0 can be reached by others, but"),
        (("--host", "::", "--plain-http"), ":: can be reached by others, but"),
        (("--trusted-proxy", "127.0.0.1"), "a proxy lets others in"),
    ],
)
def test_a_demonstration_is_served_to_this_machine_alone(options: tuple[str, ...], words: str, tmp_path: Path) -> None:
    make_floor(tmp_path, str(tmp_path / "floor.db"))
    said = refused(tmp_path, "--port", str(free_port()), *options)
    assert words in said
    assert "founded as a demonstration" in said
