"""``houseway doctor``: what it finds, what it says to do, and that it fails when something is bad."""

from __future__ import annotations

import json
import socket
import sqlite3
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer
from tests.web.web_kit import free_port, make_floor, serving
from typer.testing import CliRunner

from houseway.commands import doctor as room
from houseway.commands.doctor import doctor
from houseway.manager.commands import Dismiss, Order
from houseway.manager.floor import Floor
from houseway.manager.keyring import Keyring
from houseway.manager.signing import new_key
from houseway.manager.store import open_store

app = typer.Typer()
app.command()(doctor)


class Place(NamedTuple):
    file: Path
    db: Path
    key: Path
    port: int

    def look(self, *options: str) -> tuple[int, dict[str, dict[str, str]]]:
        """The exit code, and each line by what it is about."""
        arguments = [str(self.file), "--db", str(self.db), "--key-file", str(self.key), "--port", str(self.port)]
        done = CliRunner().invoke(app, [*arguments, "--json", *options])
        found: dict[str, Any] = json.loads(done.stdout)
        assert found["ok"] is (done.exit_code == 0)
        return done.exit_code, {line["what"]: line for line in found["lines"]}

    def bad(self, what: str, *options: str) -> dict[str, str]:
        """The one bad line."""
        code, lines = self.look(*options)
        assert code == 1
        assert [one["what"] for one in lines.values() if one["how"] == "bad"] == [what]
        return lines[what]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(
        make_floor(tmp_path, str(tmp_path / "floor.db")), tmp_path / "floor.db", tmp_path / "houseway.key", free_port()
    )


def test_a_sound_floor(place: Place) -> None:
    code, lines = place.look()
    assert code == 0
    expected = ["configuration", "Python", "packages", "database", "chain", "clock", "time zone", "key", "in force"]
    assert [name for name, line in lines.items() if line["how"] == "ok"] == [
        *expected,
        "two people",
        "PINs",
        "disk",
        "port",
    ]
    assert lines["demonstration"]["how"] == "warn"
    assert "SQLite" in lines["database"]["says"]
    assert "all 11 entries" in lines["chain"]["says"]


def test_it_reads_well_for_people(place: Place) -> None:
    done = CliRunner().invoke(
        app, [str(place.file), "--db", str(place.db), "--key-file", str(place.key), "--port", "0"]
    )
    assert done.exit_code == 0
    assert done.stdout.endswith("13 ok, 3 warn, 0 bad\n")


def test_no_database(place: Place) -> None:
    place.db.unlink()
    assert "houseway serve" in place.bad("database")["do"]


def test_a_database_that_is_none(place: Place) -> None:
    place.db.write_text("no database")
    place.bad("database")


@pytest.mark.parametrize("options", [(), ("--full",)])
def test_a_changed_entry(place: Place, options: tuple[str, ...]) -> None:
    with sqlite3.connect(place.db) as connection:
        connection.execute("DROP TRIGGER IF EXISTS journal_is_append_only")
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("UPDATE journal SET body = replace(body, 'demo-seed', 'demo-sead') WHERE seq = 5")
    connection.close()
    assert "entry 5" in place.bad("chain", *options)["says"]


def test_only_the_last_entries_are_read_unless_all_are_asked_for(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "LAST_ENTRIES", 5)
    assert place.look()[1]["chain"]["says"] == "the last 5 entries are in order; --full checks all"
    assert place.look("--full")[1]["chain"]["says"].startswith("all 11 entries and ")


def test_a_clock_behind_the_journal(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houseway.manager.clock.time.time_ns", lambda: 1_700_000_000 * 10**9)
    line = place.bad("clock")
    assert "but this machine's clock shows 2023-11-14 22:13:20 UTC" in line["says"]
    assert "set the clock right, or let two people repair the floor's time" in line["do"]


def test_no_room_on_the_disk(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "NO_ROOM", 10**18)
    assert "make room" in place.bad("disk")["do"]


def test_no_key(place: Place) -> None:
    place.key.unlink()
    place.bad("key")


def test_a_key_that_others_may_read(place: Place) -> None:
    place.key.chmod(0o644)
    assert "chmod 600" in place.bad("key")["says"]


def test_a_key_that_is_not_in_force(place: Place) -> None:
    place.key.unlink()
    new_key(place.key)
    assert "in force by the journal" in place.bad("key")["says"]


def test_a_defect_in_the_file(place: Place) -> None:
    place.file.write_text(place.file.read_text().replace('console = "touch"', 'console = "tuch"', 1))
    assert "houseway check" in place.bad("configuration")["do"]


def test_a_file_that_differs_from_what_is_in_force(place: Place) -> None:
    place.file.write_text(place.file.read_text().replace("lockout_minutes = 15", "lockout_minutes = 16"))
    code, lines = place.look()
    assert code == 0
    assert lines["in force"]["how"] == "warn"
    assert "15 became 16" in lines["in force"]["says"]
    assert "houseway floor apply" in lines["in force"]["do"]


def test_demonstration_staff_where_others_can_reach_them(place: Place) -> None:
    code, lines = place.look("--host", "0.0.0.0")
    assert code == 1
    assert lines["demonstration"]["how"] == "bad"
    assert lines["TLS"]["how"] == "bad"
    place.file.write_text(place.file.read_text() + "\n[server]\nplain_http = true\n")
    _, lines = place.look("--host", "0.0.0.0")
    assert lines["TLS"]["how"] == "warn"
    assert "plain_http is set" in lines["TLS"]["says"]


def test_settings_that_are_wrong(place: Place) -> None:
    place.file.write_text(place.file.read_text() + "\n[server]\nheader_seconds = 0\n")
    assert "header_seconds is 0" in place.bad("configuration")["says"]


def test_a_port_in_use_by_something_else(place: Place) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", place.port))
        taken.listen()
        assert "in use" in place.bad("port")["says"]


def test_a_port_in_use_by_our_own_server(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        place = Place(server.file, Path(server.database), server.file.parent / "houseway.key", server.port)
        code, lines = place.look()
        assert (code, lines["port"]["how"]) == (0, "ok")
        assert "a Houseway server answers there" in lines["port"]["says"]


def test_a_floor_where_nobody_can_verify_a_large_win(place: Place) -> None:
    """FL-7, FL-18."""
    assert "surveillance" not in place.look()[1]
    floor = Floor(open_store(str(place.db)), keys=Keyring.load(place.key))
    gone = Order(
        id="gone", by="demo-manager", second="demo-executive", command=Dismiss(staff="demo-surveillance", reason="left")
    )
    floor.handle(gone)
    floor.close()
    line = place.look()[1]["surveillance"]
    assert (line["how"], "nobody holds a surveillance card" in line["says"]) == ("warn", True)
