"""Signing in: cookies, CSRF, how often, lock-outs, expiry, signing out, and cards presented on another's screen."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

import httpx
import pytest
from tests.web.web_kit import API, Person, Server, ServerHere, make_floor, serving_here

from houseway.manager.entry import entry_of
from houseway.manager.floor_file import example_floor
from houseway.manager.state import LONGEST_SIGNED_IN
from houseway.web.secrets import PRESENCE_SECONDS

COOKIE = "houseway"
PRESS = {"key": "k", "path": "floor/suspend", "role": "by"}
ADJUST = {"link": "stud", "meter": "main", "cents": 5, "reason": "malfunction", "explanation": "a test"}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerHere]:
    """A server of the test's own, since it puts its clock on or locks cards."""
    with serving_here(tmp_path) as running:
        yield running


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerHere]:
    """A server for the tests that leave it as it was."""
    with serving_here(tmp_path_factory.mktemp("sessions")) as running:
        yield running


def problem(response: httpx.Response) -> tuple[int, str]:
    """A problem's status and kind."""
    assert response.headers["content-type"] == "application/problem+json", response.text
    told = response.json()
    assert told["status"] == response.status_code
    return response.status_code, told["type"].removeprefix("urn:houseway:problem:")


def try_pin(server: Server, card: str, pin: str) -> httpx.Response:
    return server.somebody().http.post(f"{API}/session", json={"card": card, "pin": pin})


def looks(person: Person) -> int:
    """How he is answered who looks at the floor."""
    return person.http.get(f"{API}/floor").status_code


# -------------------------------------------------------------------------------------------------------------- cookies


def _cookie(response: httpx.Response) -> tuple[str, dict[str, str]]:
    """A cookie's name and what is said of it."""
    first, *rest = response.headers["set-cookie"].split("; ")
    said = {part.partition("=")[0].lower(): part.partition("=")[2] for part in rest}
    return first.partition("=")[0], said


def test_a_cookie_is_for_our_own_pages_alone_and_no_script_reads_it(lasting: ServerHere) -> None:
    name, said = _cookie(try_pin(lasting, "2001", "1234"))
    assert name == COOKIE
    assert said == {"httponly": "", "path": "/", "samesite": "strict"}


def test_under_tls_a_cookie_is_bound_to_it(tmp_path: Path) -> None:
    with serving_here(tmp_path, trusted_proxies=("127.0.0.1",)) as server:
        welcome = try_pin(server, "2001", "1234")
        name, said = _cookie(welcome)
        assert name == f"__Host-{COOKIE}"
        assert said == {"httponly": "", "path": "/", "samesite": "strict", "secure": ""}
        assert welcome.headers["strict-transport-security"].startswith("max-age=")
        value = welcome.headers["set-cookie"].partition(";")[0].partition("=")[2]
        assert httpx.get(f"{server.url}{API}/floor", headers={"Cookie": f"{name}={value}"}).status_code == 200
        # The plain name is one that another, unprotected, page could have set.
        assert httpx.get(f"{server.url}{API}/floor", headers={"Cookie": f"{COOKIE}={value}"}).status_code == 401
        gone = httpx.delete(
            f"{server.url}{API}/session",
            headers={"Cookie": f"{name}={value}", "X-CSRF-Token": welcome.json()["csrf"]},
        )
        assert gone.status_code == 204
        name, said = _cookie(gone)
        assert name == f"__Host-{COOKIE}"
        assert said["max-age"] == "0"
        assert "secure" in said


def test_who_is_signed_in_is_told_who_he_is_and_others_that_they_are_nobody(lasting: ServerHere) -> None:
    dealer = lasting.sign_in("2001")
    told = dealer.get("session")
    assert (told["kind"], told["id"], told["role"]) == ("staff", "demo-dealer", "dealer")
    assert told["csrf"] == dealer.http.headers["X-CSRF-Token"]
    nobody = lasting.somebody().get("session")
    assert (nobody["kind"], nobody["id"], nobody["role"], nobody["csrf"]) == ("nobody", "", "", "")


def test_an_altered_cookie_opens_nothing(lasting: ServerHere) -> None:
    good = lasting.sign_in("5001").http.cookies[COOKIE]
    other = lasting.sign_in("2001").http.cookies[COOKIE]
    secret, seen, mac = good.split(".")
    forged = [good[:place] + chr(ord(letter) ^ 1) + good[place + 1 :] for place, letter in enumerate(good)]
    forged += [good[:place] for place in range(0, len(good), 7)] + [f"{good}0", f"{good}.", f"{good}.{mac}"]
    forged += [f"{secret}.{int(seen) + 1}.{mac}", f"{secret}.{seen}.{other.split('.')[2]}", f"{secret}..{mac}"]
    forged += [f"{secret}.{seen}.", f"{secret}.²{seen}.{mac}", f".{seen}.{mac}", "x", "..", "." * 500, "é.1.é"]
    client = lasting.somebody().http
    assert client.get(f"{API}/floor", headers={"Cookie": f"{COOKIE}={good}"}).status_code == 200
    for text in forged:
        header = {b"Cookie": f"{COOKIE}={text}".encode()}
        assert client.get(f"{API}/floor", headers=header).status_code == 401, text


# ----------------------------------------------------------------------------------------------------------------- CSRF


@pytest.mark.parametrize(
    ("headers", "kind"),
    [
        ({"X-CSRF-Token": ""}, "csrf"),
        ({"X-CSRF-Token": "0" * 32}, "csrf"),
        ({"X-CSRF-Token": "é"}, "csrf"),
        ({"Sec-Fetch-Site": "cross-site"}, "cross-site"),
        ({"Sec-Fetch-Site": "same-site"}, "cross-site"),
        ({"Sec-Fetch-Site": "something"}, "cross-site"),
    ],
)
def test_what_a_foreign_page_sends_does_nothing(lasting: ServerHere, headers: dict[str, str], kind: str) -> None:
    dealer = lasting.sign_in("2001")
    before = lasting.floor.state.seq
    encoded = {name: value.encode() for name, value in headers.items()}
    response = dealer.http.post(
        f"{API}/tables/CS-1/light",
        json={"spot": 3},
        headers={"Idempotency-Key": "a foreign page's", **encoded},  # type: ignore[dict-item]
    )
    assert problem(response) == (403, kind)
    assert problem(dealer.http.delete(f"{API}/session", headers=encoded)) == (403, kind)  # type: ignore[arg-type]
    assert lasting.floor.state.seq == before
    assert looks(dealer) == 200


def test_anothers_token_does_not_fit(lasting: ServerHere) -> None:
    dealer, manager = lasting.sign_in("2001"), lasting.sign_in("5001")
    token = dealer.http.headers["X-CSRF-Token"]
    assert problem(
        manager.send("floor/suspend", headers={"X-CSRF-Token": token}, what="table", id="CS-1", why="x")
    ) == (
        403,
        "csrf",
    )
    del dealer.http.headers["X-CSRF-Token"]
    assert problem(dealer.send("tables/CS-1/light", spot=1)) == (403, "csrf")


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_form_of_another_page_is_no_order(lasting: ServerHere, kind: str) -> None:
    """Such requests a browser sends for any page without asking; even the right token does not make them orders."""
    dealer = lasting.sign_in("2001")
    response = dealer.http.post(
        f"{API}/tables/CS-1/light", content=b'{"spot":1}', headers={"Idempotency-Key": "form", "Content-Type": kind}
    )
    assert problem(response) == (415, "not-json")
    signing = lasting.somebody().http.post(
        f"{API}/session", content=b'{"card":"2001","pin":"1234"}', headers={"Content-Type": kind}
    )
    assert problem(signing) == (415, "not-json")


# --------------------------------------------------------------------------------------------------- tries and lock-out


def test_only_so_many_tries_a_minute(tmp_path: Path) -> None:
    with serving_here(tmp_path, sign_ins_a_minute=6) as server:
        dealer = server.sign_in("2001")
        somebody = server.somebody().http
        tries: list[Callable[[], httpx.Response]] = [
            lambda: somebody.post(f"{API}/session", json={"card": "nobody", "pin": "1234"}),
            lambda: somebody.post(f"{API}/session/player", json={"code": "AAAAAAAA"}),
            lambda: dealer.http.post(f"{API}/presence", json={"card": "no one", "pin": "1234", **PRESS}),
        ]
        for _ in range(2):
            for one in tries[:2]:
                assert one().status_code == 401
        assert tries[2]().status_code == 401
        before = server.floor.state.seq
        for one in (*tries, lambda: somebody.post(f"{API}/session/guest", json={"name": "Guest"})):
            refused = one()
            assert problem(refused) == (429, "too-many")
            assert 1 <= int(refused.headers["retry-after"]) <= 60
        # The right PIN helps as little, and nothing of it reaches the journal.
        assert problem(try_pin(server, "2001", "1234")) == (429, "too-many")
        assert server.floor.state.seq == before
        # Who is signed in works on.
        assert looks(dealer) == 200
        server.clock.later(int(refused.headers["retry-after"]) + 1)
        assert try_pin(server, "2001", "1234").status_code == 200


def test_wrong_pins_wait_until_two_people_free_the_card(server: ServerHere) -> None:
    manager, dealer = server.sign_in("5001"), server.sign_in("2001")
    for number in range(2):
        if number % 2:
            refused = dealer.http.post(f"{API}/presence", json={"card": "3001", "pin": "0000", **PRESS})
        else:
            refused = try_pin(server, "3001", "0000")
        assert problem(refused) == (401, "sign-in")
        assert "do not fit" in refused.json()["detail"]
    for refused in (
        try_pin(server, "3001", "1234"),
        dealer.http.post(f"{API}/presence", json={"card": "3001", "pin": "1234", **PRESS}),
    ):
        assert problem(refused) == (429, "too-many")
        assert refused.headers["Retry-After"] == "2"
    assert problem(dealer.send("staff/unlock", staff="demo-supervisor")) == (403, "not-allowed")
    assert problem(manager.send("staff/unlock", staff="demo-supervisor")) == (403, "not-allowed")
    manager.seconded("staff/unlock", staff="demo-supervisor")
    assert try_pin(server, "3001", "1234").status_code == 200


def test_a_card_that_waits_opens_again_by_itself_and_whoever_was_signed_in_stays(server: ServerHere) -> None:
    supervisor = server.sign_in("3001")
    for _ in range(2):
        try_pin(server, "3001", "0000")
    assert problem(try_pin(server, "3001", "1234")) == (429, "too-many")
    assert looks(supervisor) == 200
    server.clock.later(2)
    assert try_pin(server, "3001", "1234").status_code == 200


def test_an_unknown_card_takes_as_long_and_is_told_the_same(lasting: ServerHere) -> None:
    """By the clock of a try nobody learns which cards there are; the bounds are wide, since machines are busy."""
    manager = lasting.sign_in("5001")
    card = manager.enroll("slow", "dealer")
    took: dict[str, list[float]] = {card: [], "no such card": []}
    answers: dict[str, Any] = {}
    for _ in range(lasting.floor.state.policies.failures_before_lockout - 1):
        for tried, times in took.items():
            began = time.perf_counter()
            response = try_pin(lasting, tried, "0000")
            times.append(time.perf_counter() - began)
            answers[tried] = (response.status_code, response.json())
        lasting.clock.later(60)
    assert answers[card] == answers["no such card"]
    ratio = median(took["no such card"]) / median(took[card])
    assert 1 / 3 < ratio < 3, took


# --------------------------------------------------------------------------------------------------------------- expiry


def test_who_does_nothing_for_long_signs_in_again(server: ServerHere) -> None:
    idle = server.settings.idle_minutes * 60
    dealer, other = server.sign_in("2001"), server.sign_in("2002")
    first = dealer.http.cookies[COOKIE]
    for _ in range(3):
        server.clock.later(idle - 60)
        assert looks(dealer) == 200
    assert dealer.http.cookies[COOKIE] != first
    assert problem(other.http.get(f"{API}/floor")) == (401, "signed-out")
    assert problem(other.send("tables/CS-1/light", spot=1)) == (401, "signed-out")
    assert other.get("session")["kind"] == "nobody"
    server.clock.later(idle + 60)
    assert problem(dealer.http.get(f"{API}/floor")) == (401, "signed-out")
    # Signing in anew is not held up by the cookie that is no good.
    dealer.sign_in("2001")
    assert looks(dealer) == 200


def test_idling_is_known_after_a_restart_too(tmp_path: Path) -> None:
    with serving_here(tmp_path) as server:
        cookie = server.sign_in("2001").http.cookies[COOKIE]
        began = server.clock.time()
        idle = server.settings.idle_minutes * 60
    with serving_here(tmp_path, founded=True) as server:
        again = server.somebody()
        again.http.cookies[COOKIE] = cookie
        assert looks(again) == 200
        server.clock.later(began + idle + 60 - server.clock.time())
        late = server.somebody()
        late.http.cookies[COOKIE] = cookie
        server.clock.later(idle)
        assert looks(late) == 401


def test_after_a_shift_everybody_signs_in_again_however_busy(server: ServerHere) -> None:
    dealer = server.sign_in("2001")
    step = server.settings.idle_minutes * 60 - 30
    for _ in range(LONGEST_SIGNED_IN // 1_000_000 // step):
        server.clock.later(step)
        assert looks(dealer) == 200
    server.clock.later(LONGEST_SIGNED_IN // 1_000_000 % step + 2)
    assert problem(dealer.http.get(f"{API}/floor")) == (401, "signed-out")


# --------------------------------------------------------------------------------------------------- signed out at once


def test_who_signs_out_takes_his_cookie_with_him_and_nobody_elses(server: ServerHere) -> None:
    here, there = server.sign_in("2001"), server.sign_in("2001")
    stolen = here.http.cookies[COOKIE]
    assert here.http.delete(f"{API}/session").status_code == 204
    assert COOKIE not in here.http.cookies
    thief = server.somebody()
    thief.http.cookies[COOKIE] = stolen
    assert looks(thief) == 401
    assert looks(there) == 200
    assert thief.http.delete(f"{API}/session").status_code == 204


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("staff/dismiss", {"staff": "demo-dealer", "reason": "left"}),
        ("staff/enroll", {"staff": "demo-dealer", "name": "Demo dealer", "role": "dealer", "card": "2001x"}),
        ("staff/enroll", {"staff": "demo-dealer", "name": "Demo dealer", "role": "auditor", "card": "2001"}),
    ],
    ids=["dismissed", "another card", "another role"],
)
def test_a_changed_card_signs_its_holder_out_everywhere(server: ServerHere, path: str, body: dict[str, str]) -> None:
    manager, dealer, again = server.sign_in("5001"), server.sign_in("2001"), server.sign_in("2001")
    token = manager.present("2001", "one order", "tables/CS-1/light")
    manager.seconded(path, **body)
    assert (looks(dealer), looks(again)) == (401, 401)
    assert problem(dealer.send("tables/CS-1/light", spot=1)) == (401, "signed-out")
    assert problem(manager.send("tables/CS-1/light", "one order", {"By-Card": token}, spot=1)) == (401, "presence")
    assert try_pin(server, "2001", "1234").status_code == 401
    assert looks(manager) == 200


def test_signing_out_counts_in_every_process(tmp_path: Path, new_postgres: Callable[[], str]) -> None:
    """And so do signing in and being dismissed; a moment after, since one process tells the other."""
    database = new_postgres()
    file = make_floor(tmp_path, database)
    servers = [Server(file, database), Server(file, database)]
    try:
        one, two = (server.start() for server in servers)
        dealer, manager, supervisor = one.sign_in("2001"), one.sign_in("5001"), one.sign_in("3001")
        twins = {}
        for person in (dealer, supervisor):
            twins[person] = two.somebody()
            twins[person].http.cookies.update(person.http.cookies)
            assert _soon(twins[person], 200)
        assert dealer.http.delete(f"{API}/session").status_code == 204
        assert _soon(twins[dealer], 401)
        manager.seconded("staff/dismiss", staff="demo-supervisor", reason="left")
        assert _soon(twins[supervisor], 401)
        assert [server.stop() for server in servers] == [0, 0]
    finally:
        for server in servers:
            if server.process is not None:
                server.stop()


def _soon(person: Person, status: int) -> bool:
    """Whether he is answered so within two seconds."""
    until = time.monotonic() + 2
    while (got := looks(person)) != status and time.monotonic() < until:
        time.sleep(0.02)
    return got == status


# --------------------------------------------------------------------------------- a card presented at another's screen


def test_a_presented_card_is_good_for_one_order(lasting: ServerHere) -> None:
    dealer = lasting.sign_in("2001")
    token = dealer.present("3001", "this one", "floor/suspend")
    assert problem(dealer.send("tables/CS-2/void-round", "another one", {"By-Card": token}, cause="a test")) == (
        401,
        "presence",
    )
    assert problem(dealer.send("tables/CS-2/light", "another one", {"Second-Card": token}, spot=1)) == (401, "presence")
    assert problem(dealer.send("tables/CS-2/suspend", "this one", {"By-Card": token}, spot=1)) == (404, "not-found")
    done = dealer.order("floor/suspend", "this one", {"By-Card": token}, what="table", id="CS-2", why="a test")
    entry = next(entry_of(row.body) for row in lasting.floor.store.entries(done["entry"] - 1))
    assert (entry.seq, entry.order, entry.by) == (done["entry"], "this one", "demo-supervisor")
    # It is nothing to sign in with, and the dealer stays the dealer.
    assert looks(dealer) == 200
    assert dealer.get("session")["id"] == "demo-dealer"
    header = {"Authorization": f"Bearer {token}"}
    assert lasting.somebody().http.get(f"{API}/floor", headers=header).status_code == 401
    with_card = {"By-Card": token, "Idempotency-Key": "this one"}
    refused = lasting.somebody().http.post(
        f"{API}/floor/resume", json={"what": "table", "id": "CS-2"}, headers=with_card
    )
    assert problem(refused) == (401, "sign-in")


def test_a_card_presented_for_one_address_is_good_there_alone(lasting: ServerHere) -> None:
    """Consent to one thing is not consent to another that is sent under the same key."""
    dealer = lasting.sign_in("2001")
    suspend = {"what": "table", "id": "CS-4", "why": "a test"}
    asked = {"card": "3001", "pin": "1234", "key": "only there", "path": "floor/suspend", "role": "by"}
    card = {"By-Card": dealer.http.post(f"{API}/presence", json=asked).json()["token"]}
    assert problem(dealer.send("floor/resume", "only there", card, what="table", id="CS-4")) == (401, "presence")
    assert problem(dealer.send("tables/CS-4/void-round", "only there", card, cause="a test")) == (401, "presence")
    dealer.order("floor/suspend", "only there", card, **suspend)


def test_a_presented_card_is_soon_too_old(server: ServerHere) -> None:
    dealer = server.sign_in("2001")
    token = dealer.present("3001", "late", "floor/suspend")
    server.clock.later(PRESENCE_SECONDS - 5)
    suspend = {"what": "table", "id": "CS-2", "why": "a test"}
    other = dealer.present("3001", "in time")
    assert dealer.send("floor/suspend", "in time", {"By-Card": other}, **suspend).status_code == 200
    server.clock.later(6)
    assert problem(dealer.send("floor/suspend", "late", {"By-Card": token}, **suspend)) == (401, "presence")


def test_a_forged_card_is_none(lasting: ServerHere) -> None:
    dealer = lasting.sign_in("2001")
    token = dealer.present("3001", "forged", "floor/suspend")
    body, mac = token.split(".")
    forged = [token[:place] + chr(ord(letter) ^ 1) + token[place + 1 :] for place, letter in enumerate(token)]
    forged += ["", ".", body, f"{body}.", f".{mac}", f"{body}.{mac}.{mac}", "é.é", token[:-1]]
    for text in forged:
        response = dealer.send(
            "floor/suspend",
            "forged",
            {"By-Card": text.encode()},  # type: ignore[dict-item]
            what="table",
            id="CS-2",
            why="a test",
        )
        assert problem(response) == (401, "presence"), text


def test_an_adjustment_takes_two_people(lasting: ServerHere) -> None:
    manager = lasting.sign_in("5001")
    meter = lasting.floor.state.links["stud"].meters["main"].value

    def tried(second: str = "", by: str = "") -> httpx.Response:
        key = f"adjusted by {by} with {second}."
        headers = {"Second-Card": manager.present(second, key)} if second else {}
        if by:
            headers["By-Card"] = manager.present(by, key)
        return manager.send("adjustments/adjust-meter", key, headers, **ADJUST)

    for refused, words in (
        (tried(), "second person"),
        (tried("5001"), "another than the first"),
        (tried("2001"), "must be"),
        (tried("3001"), "must be"),
        (tried("7001"), "must be"),
        (tried("5002", by="5002"), "another than the first"),
        (tried("4001", by="6001"), "is for: manager"),
    ):
        assert problem(refused) == (403, "not-allowed")
        assert words in refused.json()["detail"]
    assert lasting.floor.state.links["stud"].meters["main"].value == meter
    for second, number in (("4001", 1), ("5002", 2), ("6001", 3)):
        assert tried(second).status_code == 200
        assert lasting.floor.state.links["stud"].meters["main"].value == meter + number * ADJUST["cents"] * 10_000  # type: ignore[operator]


def test_an_order_for_one_person_takes_no_second(lasting: ServerHere) -> None:
    dealer = lasting.sign_in("2001")
    token = dealer.present("3001", "too many people")
    assert problem(dealer.send("tables/CS-1/light", "too many people", {"Second-Card": token}, spot=1)) == (
        409,
        "refused",
    )


@pytest.mark.parametrize("key", ["", "x" * 101, "a\nb", " x", "é"])
def test_a_card_is_presented_for_an_order_with_a_proper_key(lasting: ServerHere, key: str) -> None:
    asked = {"card": "3001", "pin": "1234", **PRESS, "key": key}
    response = lasting.sign_in("2001").http.post(f"{API}/presence", json=asked)
    assert problem(response) == (422, "invalid")


# -------------------------------------------------------------------------------------------------------- strange input


def test_a_strange_card_is_an_unknown_card(tmp_path: Path, database: str) -> None:
    """And the answer says nothing of where the floor's database is."""
    with serving_here(tmp_path, database) as server:
        for card in ("\x00", "2001\x00", "\x7f", "\ufffd", "'; DROP TABLE credentials; --", "x" * 10_000):
            response = try_pin(server, card, "1234")
            assert response.status_code in (401, 422), response.text
            assert "floor" not in response.text
        assert try_pin(server, "2001", "1234").status_code == 200


@pytest.mark.parametrize("member", ["player/Ann", "device/x", "x" * 1000, "a\x00b", "a\nb"])
def test_no_member_of_staff_is_named_like_a_player_or_a_device(lasting: ServerHere, member: str) -> None:
    """Orders and sessions know players and devices by how their names begin."""
    manager = lasting.sign_in("5001")
    response = manager.send_seconded("staff/enroll", staff=member, name="Somebody", role="dealer")
    assert response.status_code in (409, 422), response.text
    assert member not in lasting.floor.state.staff


@pytest.mark.parametrize("path", ["/etc/passwd", "/etc/no-such-file", "../floor.toml", "houseway.key"])
def test_a_floor_file_sent_over_the_network_opens_no_file_of_the_server(lasting: ServerHere, path: str) -> None:
    manager = lasting.sign_in("5001")
    text = f'paytable_files = ["{path}"]\n{example_floor()}'
    refused = manager.send_seconded("floor/configure", floor=text, reason="a test")
    assert refused.status_code in (409, 422)
    for told in ("line 1", "No such file", "cannot be opened", "TOML"):
        assert told not in refused.text


def test_what_no_database_holds_is_refused_at_the_door(lasting: ServerHere) -> None:
    """In the database's own words it would be a fault of the whole group, with every other table's orders."""
    manager = lasting.sign_in("5001")
    for path, body in (
        ("undo-win", {"win": 10**30, "reason": "malfunction", "explanation": "x"}),
        ("undo-win", {"win": 2**63, "reason": "malfunction", "explanation": "x"}),
        ("pay-late-win", {"table": "CS-1", "round": 10**30, "spot": 1, "hand": "flush", "evidence": "x"}),
        ("pay-late-win", {"table": "CS-1\x00", "round": 1, "spot": 1, "hand": "flush", "evidence": "x"}),
        ("adjust-meter", {**ADJUST, "link": "three-card", "cents": 2**50}),
        ("adjust-meter", {**ADJUST, "explanation": "x" * 50_000}),
    ):
        key = f"too much {len(str(body))} {path}"
        second = {"Second-Card": manager.present("4001", key)}
        refused = manager.send(f"adjustments/{path}", key, second, **body)  # type: ignore[arg-type]
        assert refused.status_code == 422, refused.text
