"""An order sent again is done once and answers the same; its key with anything else is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.web.web_kit import API, NEW_PIN, Person, Server, ServerHere, make_floor, serving, serving_here

from houseway.manager.entry import Entry, entry_of
from houseway.manager.floor_file import example_floor

REPLAYED = "idempotent-replayed"
SUSPEND = {"what": "table", "id": "TCP-1", "why": "a test"}
SECRETS = [
    ("5001", "staff/enroll", {"staff": "kim", "name": "Kim", "role": "dealer"}, ("card", "code")),
    ("5001", "staff/enroll", {"staff": "kim", "name": "Kim", "role": "dealer", "card": "77"}, ("card", "code")),
    ("2001", "players/admit", {"player": "Ann"}, ("code",)),
    ("5001", "devices/issue-device", {"device": "box", "right": "sensor", "subject": "CS-1"}, ("token",)),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerHere]:
    with serving_here(tmp_path_factory.mktemp("keys")) as running:
        yield running


def status(response: httpx.Response) -> tuple[int, str]:
    return response.status_code, response.json()["type"].rpartition(":")[2]


def same(first: httpx.Response, again: httpx.Response) -> None:
    """Byte for byte the same answer, said to be a repetition."""
    assert (first.status_code, again.status_code) == (200, 200), again.text
    assert again.content == first.content
    assert REPLAYED not in first.headers
    assert again.headers[REPLAYED] == "true"
    for name in ("content-type", "cache-control"):
        assert again.headers[name] == first.headers[name]


def entries(server: ServerHere) -> list[Entry]:
    return [entry_of(row.body) for row in server.floor.store.entries()]


# ------------------------------------------------------------------------------------------------------- the same again


def test_an_order_sent_again_answers_the_same_and_does_nothing(server: ServerHere) -> None:
    dealer, other = server.sign_in("2001"), server.sign_in("2001")
    first = dealer.send("tables/CS-1/lock-in", "twice", lit=[1, 2])
    seq = server.floor.state.seq
    meter = server.floor.state.links["stud"].meters["main"].value
    for person in (dealer, other):
        same(first, person.send("tables/CS-1/lock-in", "twice", lit=[1, 2]))
    # The floor goes on, and the answer stays what it was.
    dealer.order("tables/CS-1/close-round")
    same(first, dealer.send("tables/CS-1/lock-in", "twice", lit=[1, 2]))
    assert server.floor.state.seq == seq + 1
    assert server.floor.state.links["stud"].meters["main"].value == meter
    # The same order in other words: spaces and fields at their defaults make no other order of it.
    spaced = dealer.http.post(
        f"{API}/tables/CS-1/lock-in",
        content=b' {\n"round": 0, "lit" :[1,2]}',
        headers={"Idempotency-Key": "twice", "Content-Type": "application/json; charset=utf-8"},
    )
    same(first, spaced)


def test_an_order_that_changed_nothing_is_remembered_too(server: ServerHere) -> None:
    dealer = server.sign_in("2001")
    dealer.order("tables/CS-2/lock-in", lit=[1])
    nothing = dealer.send("tables/CS-2/lock-in", "nothing", lit=[3])
    assert nothing.json()["events"] == []
    dealer.order("tables/CS-2/close-round")
    # In the next round it would book spot 3; it is the old order, and books nothing.
    same(nothing, dealer.send("tables/CS-2/lock-in", "nothing", lit=[3]))
    assert not server.floor.state.tables["CS-2"].round.locked


def test_a_refused_order_was_none_and_may_be_given_again(server: ServerHere) -> None:
    dealer = server.sign_in("2001")
    assert status(dealer.send("tables/CS-3/fold", "early", spot=1)) == (409, "refused")
    dealer.order("tables/CS-3/lock-in", lit=[1])
    again = dealer.send("tables/CS-3/fold", "early", spot=1)
    assert again.status_code == 200
    assert REPLAYED not in again.headers
    dealer.order("tables/CS-3/close-round")
    assert status(dealer.send("staff/unlock", "not his", staff="demo-dealer")) == (403, "not-allowed")
    manager = server.sign_in("5001")
    assert manager.send_seconded("staff/unlock", "not his", staff="demo-dealer").status_code == 200


@pytest.mark.parametrize(("card", "path", "body", "names"), SECRETS, ids=lambda one: str(one)[:40])
def test_what_is_shown_once_is_shown_the_same_when_asked_again(
    tmp_path: Path, card: str, path: str, body: dict[str, str], names: tuple[str, ...]
) -> None:
    """Lost on the way, a PIN, a code or a token is not lost; and the one that came twice is the one that opens."""
    with serving_here(tmp_path) as server:
        person = server.sign_in(card)
        send = person.send_seconded if "staff" in body else person.send
        first = send(path, "once", **body)
        same(first, send(path, "once", **body))
        told = first.json()
        assert all(told[name] for name in names)
        assert {"card", "code", "token"} & set(told) == set(names)
        # Under another key the secrets are others.
        other = {**body, "player": "Ben"} if "player" in body else {**body, "device": "box-2"}
        if "staff" in body:
            other = {**body, "staff": "lee", "card": ""}
        second = send(path, **other).json()
        assert all(second[name] != told[name] for name in names)
    with serving_here(tmp_path, founded=True) as server:
        person = server.sign_in(card)
        send = person.send_seconded if "staff" in body else person.send
        again = send(path, "once", **body)
        same(first, again)
        told = again.json()
        if "token" in told:
            box = server.somebody()
            box.http.headers["Authorization"] = f"Bearer {told['token']}"
            box.order("tables/CS-1/light", spot=1)
        elif "card" in told:
            given = {"card": told["card"], "pin": told["code"], "new_pin": NEW_PIN}
            server.somebody().welcomed(httpx.post(f"{server.url}{API}/session/pin", json=given))
        else:
            server.somebody().welcomed(httpx.post(f"{server.url}{API}/session/player", json={"code": told["code"]}))


# ----------------------------------------------------------------------------------------------- a key of another order


def test_a_key_with_another_body_is_refused(server: ServerHere) -> None:
    dealer = server.sign_in("2001")
    dealer.order("tables/CS-1/light", "taken", spot=1)
    seq = server.floor.state.seq
    for path, body in (
        ("tables/CS-1/light", {"spot": 2}),
        ("tables/CS-1/light", {"spot": 1, "round": 1}),
        ("tables/CS-1/light", {"spot": 1, "base_wager": False}),
        ("tables/CS-2/light", {"spot": 1}),
        ("tables/CS-1/unlight", {"spot": 1}),
        ("players/admit", {"player": "Ann"}),
    ):
        refused = dealer.send(path, "taken", **body)  # type: ignore[arg-type]
        assert status(refused) == (422, "used-key"), path
        assert refused.json()["field"] == "Idempotency-Key"
        assert "code" not in refused.json()
    assert server.floor.state.seq == seq
    dealer.order("tables/CS-1/unlight", spot=1)


def test_a_key_of_another_person_is_refused(server: ServerHere) -> None:
    """Nobody learns by its key what another did, and what two people did is not what one did."""
    manager = server.sign_in("5001")
    adjust = {"link": "stud", "meter": "main", "cents": 5, "reason": "malfunction", "explanation": "a test"}
    second = {"Second-Card": manager.present("4001", "adjusted")}
    first = manager.send("adjustments/adjust-meter", "adjusted", second, **adjust)
    same(first, manager.send("adjustments/adjust-meter", "adjusted", second, **adjust))
    again = {"Second-Card": manager.present("4001", "adjusted")}
    same(first, manager.send("adjustments/adjust-meter", "adjusted", again, **adjust))
    for headers in ({}, {"Second-Card": manager.present("6001", "adjusted")}):
        refused = manager.send("adjustments/adjust-meter", "adjusted", headers, **adjust)
        assert status(refused) == (422, "used-key")
    suspended = manager.send("floor/suspend", "suspended", **SUSPEND)
    for card in ("5002", "3001", "2001", "6001"):
        refused = server.sign_in(card).send("floor/suspend", "suspended", **SUSPEND)
        assert status(refused) == (422, "used-key")
        assert "demo-manager" not in refused.text
    by = {"By-Card": manager.present("3001", "suspended")}
    assert status(manager.send("floor/suspend", "suspended", by, **SUSPEND)) == (422, "used-key")
    same(suspended, manager.send("floor/suspend", "suspended", **SUSPEND))
    manager.order("floor/resume", what="table", id="TCP-1")


@pytest.mark.parametrize("then", [{"card": "78"}, {"role": "manager"}, {"name": "Kimberly"}])
def test_an_enrolment_of_something_else_is_another_order(server: ServerHere, then: dict[str, str]) -> None:
    """Answered as the old one, it would leave somebody with a code that opens nothing."""
    manager = server.sign_in("5001")
    kim = {"staff": "kim", "name": "Kim", "role": "dealer", "card": "77"}
    key = f"enrolled {then}."
    done = manager.send_seconded("staff/enroll", key, **kim)
    assert done.status_code == 200
    assert status(manager.send_seconded("staff/enroll", key, **{**kim, **then})) == (422, "used-key")
    same(done, manager.send_seconded("staff/enroll", key, **kim))
    given = {"card": "77", "pin": done.json()["code"], "new_pin": NEW_PIN}
    new = server.somebody()
    new.welcomed(new.http.post(f"{API}/session/pin", json=given))


def test_a_code_is_not_to_be_found_by_what_is_kept_of_its_order(server: ServerHere) -> None:
    manager = server.sign_in("5001")
    done = manager.seconded("staff/enroll", "a digest", staff="kim", name="Kim", role="dealer", card="77")
    (one,) = (one for one in entries(server) if one.order == "a digest")
    assert done["code"] not in "".join(row.body for row in server.floor.store.entries(one.seq - 1))


# ---------------------------------------------------------------------------------------------------------- proper keys


@pytest.mark.parametrize(
    ("key", "kind"),
    [
        (None, "no-key"),
        ("", "no-key"),
        ("x" * 101, "bad-key"),
        ("a\tb", "bad-key"),
        ("é", "bad-key"),
        ("refused/7", "bad-key"),
        ("sign-in-7", "bad-key"),
    ],
)
@pytest.mark.parametrize(("path", "body"), [("tables/CS-1/light", {"spot": 1}), ("players/admit", {"player": "Ann"})])
def test_an_order_without_a_proper_key_is_none(
    server: ServerHere, path: str, body: dict[str, Any], key: str | None, kind: str
) -> None:
    dealer = server.sign_in("2001")
    seq = server.floor.state.seq
    headers = {} if key is None else {b"Idempotency-Key": key.encode()}
    refused = dealer.http.post(f"{API}/{path}", json=body, headers=headers)  # type: ignore[arg-type]
    assert status(refused) == (400, kind)
    assert refused.json()["field"] == "Idempotency-Key"
    assert server.floor.state.seq == seq


@pytest.mark.parametrize("key", ["x", "x" * 100, "a b", "!~", "found-1", 'quo"ted', "../../x", "%00"])
def test_a_key_is_its_senders_own_choice(server: ServerHere, key: str) -> None:
    dealer = server.sign_in("2001")
    first = dealer.send("tables/CS-4/light", key, spot=1)
    same(first, dealer.send("tables/CS-4/light", key, spot=1))
    assert entries(server)[-1].order == key


# ----------------------------------------------------------------------------------------- at once, after and elsewhere


def test_the_same_order_from_many_at_once_is_one_entry(tmp_path: Path, database: str) -> None:
    with serving_here(tmp_path, database) as server:
        people = [server.sign_in("2001")]
        for _ in range(31):
            twin = server.somebody()
            twin.http.cookies.update(people[0].http.cookies)
            twin.http.headers.update({"X-CSRF-Token": people[0].http.headers["X-CSRF-Token"]})
            people.append(twin)
        for number in range(3):
            before = server.floor.state.seq
            with ThreadPoolExecutor(32) as pool:
                answers = list(
                    pool.map(lambda one: one.send("tables/CS-1/lock-in", f"at once {number}", lit=[1, 2]), people)  # noqa: B023
                )
            assert {one.status_code for one in answers} == {200}
            assert len({one.content for one in answers}) == 1
            assert sum(REPLAYED not in one.headers for one in answers) == 1
            assert server.floor.state.seq == before + 1
            assert [one.order for one in entries(server)].count(f"at once {number}") == 1
            people[0].order("tables/CS-1/close-round")
        # Of different orders under one key at once, one is done and all others are told so.
        with ThreadPoolExecutor(32) as pool:
            mixed = list(
                pool.map(lambda one: one[1].send("tables/CS-1/light", "mixed", spot=one[0] % 4 + 1), enumerate(people))
            )
        done = [one for one in mixed if one.status_code == 200]
        assert len(done) == 8
        assert len({one.content for one in done}) == 1
        assert {status(one) for one in mixed if one.status_code != 200} == {(422, "used-key")}
        assert len(server.floor.state.tables["CS-1"].round.lit) == 1


def _like(person: Person, server: Server) -> Person:
    """The same person, with his browser pointed at another process."""
    twin = server.somebody()
    twin.http.cookies.update(person.http.cookies)
    twin.http.headers["X-CSRF-Token"] = person.http.headers["X-CSRF-Token"]
    return twin


def test_a_restart_forgets_no_key(tmp_path: Path) -> None:
    """Neither a clean stop nor a kill in the moment after the answer."""
    with serving(tmp_path) as server:
        dealer = server.sign_in("2001")
        first = dealer.send("tables/CS-1/lock-in", "kept", lit=[1])
        server.kill()
        server.start()
        same(first, dealer.send("tables/CS-1/lock-in", "kept", lit=[1]))
        assert status(dealer.send("tables/CS-1/lock-in", "kept", lit=[2])) == (422, "used-key")
        assert dealer.get("tables/CS-1")["progressive"]["booked"] == [1]


def test_a_key_counts_in_every_process(tmp_path: Path, new_postgres: Callable[[], str]) -> None:
    database = new_postgres()
    file = make_floor(tmp_path, database)
    servers = [Server(file, database), Server(file, database)]
    try:
        one, two = (server.start() for server in servers)
        here = one.sign_in("2001")
        there = _like(here, two)
        assert there.get("tables/CS-1")
        first = here.send("tables/CS-1/lock-in", "shared", lit=[1, 2])
        same(first, there.send("tables/CS-1/lock-in", "shared", lit=[1, 2]))
        assert status(there.send("tables/CS-1/lock-in", "shared", lit=[1])) == (422, "used-key")
        admitted = there.send("players/admit", "code", player="Ann")
        same(admitted, here.send("players/admit", "code", player="Ann"))
        people = [here, there] * 8
        with ThreadPoolExecutor(16) as pool:
            answers = list(pool.map(lambda who: who.send("tables/CS-2/lock-in", "both at once", lit=[3]), people))
        assert {answer.status_code for answer in answers} == {200}
        assert len({answer.content for answer in answers}) == 1
        assert sum(REPLAYED not in answer.headers for answer in answers) == 1
    finally:
        for server in servers:
            if server.process is not None:
                server.stop()


def test_the_answer_stays_the_same_when_the_floor_file_changes(tmp_path: Path) -> None:
    with serving_here(tmp_path) as server:
        manager, dealer = server.sign_in("5001"), server.sign_in("2001")
        first = dealer.send("tables/CS-4/lock-in", "before", lit=[1])
        dealer.order("tables/CS-4/close-round")
        text = example_floor()
        start = text.index('[[tables]]\nid = "CS-4"')
        without = (text[:start] + text[text.index("# 6 Card Fortune Pai Gow on") :]).replace(', "CS-4"', "")
        changed = manager.send_seconded("floor/configure", "changed", floor=without, reason="a table is taken down")
        assert changed.json()["events"][0]["type"] == "floor_configured"
        same(
            changed, manager.send_seconded("floor/configure", "changed", floor=without, reason="a table is taken down")
        )
        same(first, dealer.send("tables/CS-4/lock-in", "before", lit=[1]))
        refused = manager.send_seconded("floor/configure", "changed", floor=text, reason="a table is taken down")
        assert status(refused) == (422, "used-key")
