"""Displays, sensor boxes and casino systems: each has a token of its own for one narrow purpose, until revoked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.web.web_kit import API, Person, Server, ServerHere, serving, serving_here

from houseway.manager.floor_file import example_floor

READS = {
    "display": {"links", "links/stud"},
    "sensor": {"links", "links/stud", "tables", "tables/CS-1"},
    "casino": {"links", "links/stud", "links/three-card", "floor", "wins", "reports/day", "reports/accruals"},
}
"""What each of these devices is shown, of everything below; the display is for stud, the sensor box for CS-1."""
EVERYTHING = (
    *("floor", "manager", "tables", "tables/CS-1", "tables/CS-2", "tables/V-TCP", "links", "links/stud"),
    *("links/three-card", "claims", "wins", "adjustments", "reports/day", "reports/accruals", "staff", "devices"),
    *("journal", "equipment", "approvals", "tables/V-TCP/rounds"),
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerHere]:
    with serving_here(tmp_path_factory.mktemp("devices")) as running:
        yield running


@pytest.fixture(scope="module")
def manager(server: ServerHere) -> Person:
    return server.sign_in("5001")


def issue(server: Server, manager: Person, name: str, right: str, subject: str = "") -> Person:
    """A device with its token."""
    token = manager.order("devices/issue-device", device=name, right=right, subject=subject)["token"]
    device = server.somebody()
    device.http.headers["Authorization"] = f"Bearer {token}"
    return device


def status(response: httpx.Response) -> tuple[int, str]:
    return response.status_code, response.json()["type"].rpartition(":")[2]


def test_a_token_is_issued_used_and_revoked(server: ServerHere, manager: Person) -> None:
    sensor = issue(server, manager, "box-1", "sensor", "CS-2")
    assert sensor.get("session")["id"] == "device/box-1"
    done = sensor.order("tables/CS-2/light", spot=4)
    assert done["events"] == [{"type": "sensor_lit", "spot": 4, "waits": False}]
    assert sensor.order("tables/CS-2/unlight", spot=4)["events"] == [{"type": "sensor_dark", "spot": 4}]
    assert server.floor.state.devices["box-1"].active
    refused = manager.send("devices/issue-device", device="box-1", right="sensor", subject="CS-1")
    assert status(refused) == (409, "refused")
    assert status(manager.send("devices/revoke-device", device="box-1", reason=" ")) == (409, "refused")
    manager.order("devices/revoke-device", device="box-1", reason="taken down")
    for response in (sensor.send("tables/CS-2/light", spot=4), sensor.http.get(f"{API}/tables/CS-2")):
        assert status(response) == (401, "token")
        assert response.headers["www-authenticate"].startswith("Bearer")
    # A new token under the old name does not bring the old one back.
    anew = issue(server, manager, "box-1", "sensor", "CS-2")
    assert sensor.send("tables/CS-2/light", spot=4).status_code == 401
    assert anew.send("tables/CS-2/light", spot=4).status_code == 200
    assert anew.send("tables/CS-2/unlight", spot=4).status_code == 200


def test_a_sensor_box_lights_its_own_table_and_does_nothing_else(server: ServerHere, manager: Person) -> None:
    box = issue(server, manager, "box-cs-1", "sensor", "CS-1")
    before = server.floor.state.tables
    for table in ("CS-2", "TCP-1", "V-TCP", "no-such-table"):
        assert status(box.send(f"tables/{table}/light", spot=1)) == (403, "not-allowed")
    for path, body in (
        ("tables/CS-1/lock-in", {}),
        ("tables/CS-1/lock-in", {"lit": [1]}),
        ("tables/CS-1/name-win", {"spot": 1, "hand": "royal_flush"}),
        ("tables/CS-1/close-round", {}),
        ("floor/suspend", {"what": "table", "id": "CS-1", "why": "a test"}),
        ("devices/issue-device", {"device": "another", "right": "casino"}),
        ("devices/revoke-device", {"device": "box-cs-1", "reason": "a test"}),
        ("players/admit", {"player": "Ann"}),
    ):
        assert status(box.send(path, **body)) == (403, "not-allowed"), path  # type: ignore[arg-type]
    assert server.floor.state.tables == before
    assert box.send("tables/CS-1/light", spot=1).status_code == 200
    assert box.send("tables/CS-1/unlight", spot=1).status_code == 200


@pytest.mark.clause("PR-27")
@pytest.mark.parametrize(("right", "subject"), [("display", "stud"), ("sensor", "CS-1"), ("casino", "")])
def test_a_device_is_shown_what_it_is_for(server: ServerHere, manager: Person, right: str, subject: str) -> None:
    device = issue(server, manager, f"reader-{right}", right, subject)
    shown = set()
    for path in EVERYTHING:
        response = device.http.get(f"{API}/{path}")
        assert response.status_code in (200, 403, 422), (path, response.text)
        if response.status_code != 403:
            shown.add(path)
    assert shown == READS[right]


@pytest.mark.parametrize(("right", "subject"), [("display", "stud"), ("sensor", "CS-1")])
def test_a_list_shows_a_device_its_own_line_alone(
    server: ServerHere, manager: Person, right: str, subject: str
) -> None:
    device = issue(server, manager, f"lister-{right}", right, subject)
    assert [one["link"] for one in device.get("links")["items"]] == ["stud"]
    if right == "sensor":
        assert [one["table"] for one in device.get("tables")["items"]] == ["CS-1"]


@pytest.mark.parametrize(
    ("right", "subject", "watched"),
    [
        ("display", "stud", {"link/stud"}),
        ("sensor", "CS-1", {"link/stud", "table/CS-1"}),
        ("casino", "", {"link/stud", "link/three-card", "floor"}),
    ],
)
def test_a_device_watches_what_it_is_for(
    server: ServerHere, manager: Person, right: str, subject: str, watched: set[str]
) -> None:
    device = issue(server, manager, f"watcher-{right}", right, subject)
    for name in ("link/stud", "link/three-card", "table/CS-1", "table/CS-2", "floor", "manager"):
        with device.http.stream("GET", f"{API}/stream", params={"subject": name}) as stream:
            assert stream.status_code == (200 if name in watched else 403), name
        both = {"subject": [name, "link/stud"]}
        with device.http.stream("GET", f"{API}/stream", params=both) as stream:
            assert stream.status_code == (200 if name in watched else 403), name


@pytest.mark.clause("PR-27")
def test_nothing_of_the_houses_own_is_on_a_display(server: ServerHere, manager: Person) -> None:
    """Who named a claim, and what the reserve holds, are not for the wall."""
    display = issue(server, manager, "wall", "display", "stud")
    dealer, supervisor = server.sign_in("2001"), server.sign_in("3001")
    dealer.order("tables/CS-1/lock-in", lit=[2, 5])
    dealer.order("tables/CS-1/name-win", spot=2, hand="flush")
    shown = display.http.get(f"{API}/links/stud").text
    assert "demo-dealer" not in shown
    assert "reserve" not in shown
    supervisor.order("tables/CS-1/drop-claim", spot=2, reason="a test")
    dealer.order("tables/CS-1/close-round")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"device": "d", "right": "display", "subject": "CS-1"}, "subject"),
        ({"device": "d", "right": "display"}, "subject"),
        ({"device": "d", "right": "sensor", "subject": "stud"}, "subject"),
        ({"device": "d", "right": "casino", "subject": "stud"}, "subject"),
        ({"device": "", "right": "casino"}, "device"),
        ({"device": "a.b", "right": "casino"}, "device"),
        ({"device": "a/b", "right": "casino"}, "device"),
        ({"device": "x" * 41, "right": "casino"}, "device"),
    ],
)
def test_a_token_is_for_something_that_is_there(
    server: ServerHere, manager: Person, body: dict[str, str], field: str
) -> None:
    refused = manager.send("devices/issue-device", **body)
    assert status(refused) == (409, "refused")
    assert refused.json()["field"] == field


def test_an_altered_token_opens_nothing(server: ServerHere, manager: Person) -> None:
    token = issue(server, manager, "altered", "casino").http.headers["Authorization"].partition(" ")[2]
    other = issue(server, manager, "other", "casino").http.headers["Authorization"].partition(" ")[2]
    forged = [token[:place] + chr(ord(letter) ^ 1) + token[place + 1 :] for place, letter in enumerate(token)]
    forged += [f"altered.{other.partition('.')[2]}", "altered.", "altered", "", ".", token[:-1], f"{token}0", "é.é"]
    forged.append(f"altered.{server.floor.state.devices['altered'].token}")
    client = server.somebody().http
    assert client.get(f"{API}/floor", headers={"Authorization": f"Bearer {token}"}).status_code == 200
    assert client.get(f"{API}/floor", headers={"Authorization": f"bearer {token}"}).status_code == 200
    headers = [f"Bearer {text}".rstrip() for text in forged] + [f"Basic {token}", token, "", f"Bearer,{token}"]
    for text in headers:
        refused = client.get(f"{API}/floor", headers={b"Authorization": text.encode()})
        assert status(refused) == (401, "token"), text


def test_a_bad_token_is_not_made_good_by_a_cookie(server: ServerHere, manager: Person) -> None:
    person = server.sign_in("2001")
    header = {"Authorization": "Bearer nobody.0"}
    assert person.http.get(f"{API}/floor", headers=header).status_code == 401
    # And what a good token may not do, the cookie sent along does not allow.
    box = issue(server, manager, "mixed", "display", "stud").http.headers["Authorization"]
    assert status(person.send("tables/CS-1/light", headers={"Authorization": box}, spot=1)) == (403, "not-allowed")


def test_a_token_is_in_no_log_journal_or_listing(tmp_path: Path) -> None:
    """It is shown once, to who asked for it; what is kept does not give it back."""
    with serving(tmp_path) as server:
        manager = server.sign_in("5001")
        told: list[Any] = []
        for name, right, subject in (("d", "display", "stud"), ("s", "sensor", "CS-1"), ("c", "casino", "")):
            told.append(manager.order("devices/issue-device", device=name, right=right, subject=subject)["token"])
            device = server.somebody()
            device.http.headers["Authorization"] = f"Bearer {told[-1]}"
            device.http.get(f"{API}/links/stud")
            device.http.get(f"{API}/staff")
            device.http.get(f"{API}/nothing/here")
            device.send("tables/CS-1/light", spot=1)
            device.send("tables/CS-1/light", spot="one")
        manager.order("devices/revoke-device", device="c", reason="a test")
        assert server.somebody().http.get(f"{API}/floor", headers={"Authorization": told[-1]}).status_code == 401
        seen = [manager.http.get(f"{API}/{path}").text for path in ("manager", "devices", "journal", "floor")]
        assert all('"c"' in text for text in seen[:3])
        assert server.stop() == 0
        seen.append(server.log.read_text())
        seen += [file.read_bytes().decode("latin-1") for file in tmp_path.glob("floor.db*")]
    assert any("device_issued" in text for text in seen[5:])
    for token in told:
        for text in seen:
            assert token not in text
            assert token.partition(".")[2] not in text


def test_a_table_that_is_gone_takes_its_sensor_box_with_it(tmp_path: Path) -> None:
    """The token outlives the table in the floor file; it opens nothing then."""
    with serving_here(tmp_path) as server:
        manager = server.sign_in("5001")
        box = issue(server, manager, "box", "sensor", "CS-4")
        text = example_floor()
        start = text.index('[[tables]]\nid = "CS-4"')
        without = (text[:start] + text[text.index("# 6 Card Fortune Pai Gow on") :]).replace(', "CS-4"', "")
        manager.seconded("floor/configure", floor=without, reason="a table is taken down")
        assert box.send("tables/CS-4/light", spot=1).status_code == 409
        assert box.http.get(f"{API}/tables/CS-4").status_code == 404
