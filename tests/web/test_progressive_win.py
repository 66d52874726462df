"""A progressive win over HTTP, from the sensor to the adjustment, on both consoles.

Each test runs on a server with SQLite, on one with PostgreSQL, and on two processes with PostgreSQL between which every
request goes to the other one than the request before.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import httpx
import pytest
from tests.web.web_kit import PIN, Person, Server, make_floor

from houseway.books.verify import verify
from houseway.manager.floor_file import example_floor
from houseway.manager.store import open_store


class Console(NamedTuple):
    """A table with its console, the link it plays for, and the money of one wager on that link's best meter."""

    name: str
    table: str
    link: str
    meter: str
    lit_cents: int
    """What one wager puts on the meter."""
    reserve_cents: int
    lock_in: str
    close: str


TOUCH = Console("touch", "CS-3", "three-level", "mega", 8, 1, "START GAME", "END GAME")
KEYPAD = Console("keypad", "CS-1", "stud", "main", 70, 2, "COIN IN", "GAME OVER")
SEED = 10_000_00
ENVY = 1_000_00
FLOOR = example_floor().replace('pay_table = "CSTUD-01"', 'pay_table = "CSTUD-15"', 1)
"""The example floor, but that the keypad tables' pay table has envy too."""
MALFUNCTION = {"reason": "malfunction", "explanation": "the hand was misread"}


class Walker:
    """Somebody, or a device, whose every request goes to the next process."""

    def __init__(self, house: House, people: list[Person]) -> None:
        self._house = house
        self._people = people
        self._next = cycle(people)

    def send(self, path: str, key: str = "", headers: dict[str, str] | None = None, **body: Any) -> httpx.Response:
        response = next(self._next).send(path, key, headers, **body)
        if response.status_code == 200:
            self._house.entry = max(self._house.entry, response.json()["entry"])
        return response

    def order(self, path: str, key: str = "", headers: dict[str, str] | None = None, **body: Any) -> dict[str, Any]:
        response = self.send(path, key, headers, **body)
        assert response.status_code == 200, response.text
        answer: dict[str, Any] = response.json()
        return answer

    def refused(self, status: int, path: str, **body: Any) -> str:
        """The sentence with which an order is refused."""
        response = self.send(path, **body)
        assert response.status_code == status, response.text
        return str(response.json()["detail"])

    def get(self, path: str) -> dict[str, Any]:
        """What the next process shows, once it has heard of the last entry: one tells the other within a moment."""
        person, until = next(self._next), time.monotonic() + 5
        while (answer := person.get(path)).get("entry", self._house.entry) < self._house.entry:
            assert time.monotonic() < until, f"{path} stays at entry {answer['entry']}, not {self._house.entry}"
            time.sleep(0.01)
        return answer

    def book(self, path: str) -> dict[str, Any]:
        """What stands in the database, which every process reads as it is."""
        return next(self._next).get(path)

    def present(self, card: str, key: str) -> str:
        return next(self._next).present(card, key)


class House:
    """The processes that serve one floor, and everybody in front of them."""

    def __init__(self, folder: Path, database: str, processes: int) -> None:
        file = make_floor(folder, database, FLOOR)
        self.servers = [Server(file, database) for _ in range(processes)]
        self.entry = 0
        for server in self.servers:
            server.start()
        self.dealer, self.supervisor = self.staff("2001"), self.staff("3001")
        self.executive, self.manager, self.auditor = self.staff("4001"), self.staff("5001"), self.staff("6001")
        self.boxes = {one.table: self.box(one.table) for one in (TOUCH, KEYPAD)}

    def staff(self, card: str) -> Walker:
        """Signed in at one process, and known to all."""
        first = self.servers[0].sign_in(card, PIN)
        people = [first]
        for server in self.servers[1:]:
            person = server.somebody()
            person.http.cookies.update(first.http.cookies)
            person.http.headers["X-CSRF-Token"] = first.http.headers["X-CSRF-Token"]
            people.append(person)
        return self._known(people, "staff")

    def box(self, table: str) -> Walker:
        token = self.manager.order("devices/issue-device", device=f"box-{table}", right="sensor", subject=table)[
            "token"
        ]
        people = [server.somebody() for server in self.servers]
        for person in people:
            person.http.headers["Authorization"] = f"Bearer {token}"
        return self._known(people, "device")

    def _known(self, people: list[Person], kind: str) -> Walker:
        until = time.monotonic() + 5
        while any(person.get("session")["kind"] != kind for person in people):
            assert time.monotonic() < until, "one process does not hear of what another did"
            time.sleep(0.02)
        return Walker(self, people)

    def cents(self, console: Console) -> tuple[int, int]:
        """A console's meter and its reserve, as the Game Manager shows them."""
        link = next(one for one in self.manager.get("manager")["links"] if one["id"] == console.link)
        meter = next(one for one in link["meters"] if one["meter"] == console.meter)
        return meter["cents"], meter["reserve_cents"]

    def progressive(self, console: Console) -> dict[str, Any]:
        shown: dict[str, Any] = self.dealer.get(f"tables/{console.table}")["progressive"]
        return shown

    def power_cut(self) -> None:
        for server in self.servers:
            server.kill()
        for server in self.servers:
            server.start()

    def stop(self) -> None:
        for server in self.servers:
            if server.process is not None:
                assert server.stop() == 0


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.long), "two processes"])
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("win")
    database = str(folder / "floor.db")
    if request.param != "sqlite":
        database = request.getfixturevalue("lasting_postgres")(request.param.replace(" ", "_"))
    made = House(folder, database, 2 if request.param == "two processes" else 1)
    yield made
    made.stop()
    with closing(open_store(database, create=False, read_only=True)) as store:
        assert not sum(store.balances().values()), "the books do not balance after all this"
        found = verify(store)
        assert found.whole, found.bad


both_consoles = pytest.mark.parametrize("console", [TOUCH, KEYPAD], ids=lambda one: one.name)


def events(answer: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [one for one in answer["events"] if one["type"] == kind]


def coin_in(house: House, console: Console, *spots: int) -> dict[str, Any]:
    """The sensor box reports the chips, the dealer locks them in."""
    for spot in spots:
        house.boxes[console.table].order(f"tables/{console.table}/light", spot=spot)
    return house.dealer.order(f"tables/{console.table}/lock-in")


def record(house: House, console: Console, spot: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """A claim is confirmed as the console does it: what was logged, and what was paid."""
    at = f"tables/{console.table}"
    if console is KEYPAD:
        logged = events(house.executive.order(f"{at}/j-pot", spot=spot), "win_logged")
        paid = events(house.supervisor.order(f"{at}/run"), "win_paid")
    else:
        key = str(uuid4())
        card = house.dealer.present("4001", key)
        done = house.dealer.order(f"{at}/confirm", key, {"By-Card": card}, spot=spot)
        logged, paid = events(done, "win_logged"), events(done, "win_paid")
    assert (len(logged), len(paid)) == (1, 1)
    return logged[0], paid[0]


def undo(house: House, win: int) -> None:
    key = str(uuid4())
    second = {"Second-Card": house.manager.present("4001", key)}
    house.manager.order("adjustments/undo-win", key, second, win=win, **MALFUNCTION)


def verified(house: House, console: Console, win: int) -> None:
    at = f"tables/{console.table}"
    house.staff("8001").order(f"{at}/surveillance", win=win, player="P. Winner")


# ------------------------------------------------------------------------------------------------------ sensor, lock-in


@pytest.mark.clause("PR-10", "PR-11")
@both_consoles
def test_chips_light_sensors_and_lock_in_books_each_wager_once(house: House, console: Console) -> None:
    at, box = f"tables/{console.table}", house.boxes[console.table]
    meter, reserve = house.cents(console)
    assert "base game" in box.refused(409, f"{at}/light", spot=4, base_wager=False)
    for spot in (1, 3, 5):
        box.order(f"{at}/light", spot=spot)
    box.order(f"{at}/unlight", spot=5)
    assert house.progressive(console)["lit"] == [1, 3]
    assert house.cents(console) == (meter, reserve)
    locked = events(house.dealer.order(f"{at}/lock-in"), "locked_in")
    assert [one["spots"] for one in locked] == [[1, 3]]
    grown = meter + 2 * console.lit_cents, reserve + 2 * console.reserve_cents
    assert house.cents(console) == grown
    # Pressed again it does nothing, and a chip that comes now waits.
    assert house.dealer.order(f"{at}/lock-in")["events"] == []
    assert events(box.order(f"{at}/light", spot=5), "sensor_lit") == [{"type": "sensor_lit", "spot": 5, "waits": True}]
    shown = house.progressive(console)
    assert (shown["booked"], shown["waiting"]) == ([1, 3], [5])
    assert console.lock_in in str(shown["words"])
    assert house.cents(console) == grown
    house.dealer.order(f"{at}/close-round")
    assert house.progressive(console)["lit"] == [5]
    box.order(f"{at}/unlight", spot=5)


# ------------------------------------------------------------------------------------------------- claim, confirmation


@pytest.mark.clause("PR-13")
@both_consoles
def test_a_win_named_twice_is_taken_back(house: House, console: Console) -> None:
    at = f"tables/{console.table}"
    coin_in(house, console, 1, 2)
    named = events(house.dealer.order(f"{at}/name-win", spot=2, hand="royal_flush"), "claim_named")
    assert [(one["spot"], one["hand"], one["meter"]) for one in named] == [(2, "royal_flush", console.meter)]
    claim = house.progressive(console)["claims"][0]
    assert (claim["spot"], claim["hand"], claim["due_cents"]) == (2, "royal_flush", house.cents(console)[0])
    house.dealer.order(f"{at}/name-win", spot=2, hand="royal_flush")
    assert house.progressive(console)["claims"] == []
    assert house.progressive(console)["wins"] == []
    house.dealer.refused(409, f"{at}/name-win", spot=4, hand="royal_flush")
    house.dealer.order(f"{at}/close-round")


@pytest.mark.clause("PR-15")
def test_on_the_touch_console_a_large_win_takes_an_executive_card(house: House) -> None:
    at = f"tables/{TOUCH.table}"
    coin_in(house, TOUCH, 1, 2)
    meter = house.cents(TOUCH)
    house.dealer.order(f"{at}/name-win", spot=2, hand="royal_flush")
    house.dealer.order(f"{at}/name-win", spot=1, hand="flush")
    claims = {one["spot"]: one["executive"] for one in house.progressive(TOUCH)["claims"]}
    assert claims == {1: False, 2: True}
    house.dealer.refused(403, f"{at}/confirm", spot=1)
    house.dealer.refused(403, f"{at}/confirm", spot=2)
    assert "Executive" in house.supervisor.refused(403, f"{at}/confirm", spot=2)
    # A dealer's card presented again makes him no supervisor.
    key = str(uuid4())
    own = house.dealer.send(f"{at}/confirm", key, {"By-Card": house.dealer.present("2001", key)}, spot=1)
    assert own.status_code == 403
    house.supervisor.refused(409, f"{at}/j-pot", spot=1)
    assert house.cents(TOUCH) == meter
    small = house.supervisor.order(f"{at}/confirm", spot=1)
    assert events(small, "win_logged")[0]["cents"] == 40_00
    house.supervisor.order(f"{at}/drop-claim", spot=2, reason="misread")
    house.dealer.order(f"{at}/close-round")


@pytest.mark.clause("PR-15")
@both_consoles
def test_who_named_a_win_cannot_confirm_it(house: House, console: Console) -> None:
    at = f"tables/{console.table}"
    coin_in(house, console, 1)
    house.supervisor.order(f"{at}/name-win", spot=1, hand="flush")
    step = "j-pot" if console is KEYPAD else "confirm"
    assert "named" in house.supervisor.refused(403, f"{at}/{step}", spot=1)
    # Nor by his card on the dealer's screen.
    key = str(uuid4())
    card = {"By-Card": house.dealer.present("3001", key)}
    assert house.dealer.send(f"{at}/{step}", key, card, spot=1).status_code == 403
    assert house.progressive(console)["wins"] == []
    house.executive.order(f"{at}/{step}", spot=1)
    if console is KEYPAD:
        house.executive.order(f"{at}/run")
    assert [win["spot"] for win in house.progressive(console)["wins"]] == [1]
    house.dealer.order(f"{at}/close-round")


@pytest.mark.clause("PR-4", "PR-16")
@both_consoles
def test_confirming_logs_the_win_and_draws_on_the_meter(house: House, console: Console) -> None:
    at = f"tables/{console.table}"
    coin_in(house, console, 1, 2, 3)
    meter, reserve = house.cents(console)
    house.dealer.order(f"{at}/name-win", spot=2, hand="royal_flush")
    assert house.cents(console) == (meter, reserve)
    if console is KEYPAD:
        house.supervisor.refused(409, f"{at}/confirm", spot=2)
        logged = events(house.executive.order(f"{at}/j-pot", spot=2), "win_logged")[0]
        # Logged with its amount fixed; the meter moves with RUN, and nothing else draws on it until then.
        assert house.cents(console) == (meter, reserve)
        house.dealer.refused(409, f"{at}/close-round")
        key = str(uuid4())
        second = {"Second-Card": house.manager.present("4001", key)}
        drawn = {"link": console.link, "meter": console.meter, "cents": -1, "reason": "undisplayed_funds"}
        refused = house.manager.send("adjustments/adjust-meter", key, second, **drawn, explanation="too early")
        assert refused.status_code == 409, refused.text
        paid = events(house.supervisor.order(f"{at}/run"), "win_paid")[0]
    else:
        logged, paid = record(house, console, 2)
    assert logged["cents"] == meter
    assert (paid["win"], paid["before_cents"], paid["after_cents"]) == (logged["win"], meter, SEED + reserve)
    assert house.cents(console) == (SEED + reserve, 0)
    verified(house, console, logged["win"])
    house.dealer.order(f"{at}/close-round")
    undo(house, logged["win"])


@pytest.mark.clause("PR-18", "PR-19", "FL-18")
@both_consoles
def test_the_round_closes_when_all_is_verified_and_pays_envy(house: House, console: Console) -> None:
    at = f"tables/{console.table}"
    coin_in(house, console, 1, 2, 4)
    house.dealer.order(f"{at}/name-win", spot=2, hand="royal_flush")
    house.dealer.refused(409, f"{at}/close-round")
    logged, _ = record(house, console, 2)
    assert logged["surveillance"]
    assert logged["envy_cents"] == ENVY
    assert "surveillance" in house.dealer.refused(409, f"{at}/close-round").lower()
    for person in (house.dealer, house.supervisor, house.executive):
        person.refused(403, f"{at}/surveillance", win=logged["win"], player="P. Winner")
    verified(house, console, logged["win"])
    shown = house.progressive(console)
    assert {(one["spot"], one["winner"], one["cents"]) for one in shown["envy"]} == {(1, 2, ENVY), (4, 2, ENVY)}
    closed = house.dealer.order(f"{at}/close-round")
    paid = [(one["spot"], one["winner"], one["cents"]) for one in events(closed, "envy_paid")]
    assert sorted(paid) == [(1, 2, ENVY), (4, 2, ENVY)]
    assert len(events(closed, "round_closed")) == 1
    after = house.progressive(console)
    assert (after["round"], after["lit"], after["wins"], after["locked"]) == (shown["round"] + 1, [], [], False)
    undo(house, logged["win"])


# ------------------------------------------------------------------------------------------------- win page, adjustment


@pytest.mark.clause("PR-22", "PR-23")
@both_consoles
def test_a_win_has_its_page_and_is_undone_by_two_people_alone(house: House, console: Console) -> None:
    at = f"tables/{console.table}"
    coin_in(house, console, 2, 3)
    meter, reserve = house.cents(console)
    house.dealer.order(f"{at}/name-win", spot=3, hand="royal_flush")
    logged, _ = record(house, console, 3)
    number = logged["win"]
    verified(house, console, number)
    house.dealer.order(f"{at}/close-round")
    page = house.auditor.book(f"wins/{number}")
    confirmed = "demo-executive"
    assert {name: page[name] for name in ("number", "link", "meter", "table", "spot", "hand", "amount_cents")} == {
        "number": number,
        "link": console.link,
        "meter": console.meter,
        "table": console.table,
        "spot": 3,
        "hand": "royal_flush",
        "amount_cents": meter,
    }
    assert (page["meter_before_micros"], page["meter_after_micros"]) == (meter * 10_000, (SEED + reserve) * 10_000)
    assert (page["named"]["by"]["id"], page["confirmed"]["by"]["id"]) == ("demo-dealer", confirmed)
    assert page["intact"]
    assert page["undone"] is None
    original = house.auditor.book(f"journal/{number}")

    def tried(who: Walker, second: str, **changes: Any) -> httpx.Response:
        key = str(uuid4())
        headers = {"Second-Card": who.present(second, key)} if second else {}
        return who.send("adjustments/undo-win", key, headers, **{"win": number, **MALFUNCTION, **changes})

    for who, second in (
        (house.manager, ""),
        (house.manager, "5001"),
        (house.manager, "3001"),
        (house.executive, "5001"),
    ):
        assert tried(who, second).status_code == 403
    assert tried(house.manager, "4001", reason="because").status_code == 422
    assert tried(house.manager, "4001", explanation=" ").status_code == 409
    assert tried(house.manager, "4001", win=number + 1000).status_code == 409
    assert house.cents(console) == (SEED + reserve, 0)
    undone = tried(house.manager, "6001")
    assert undone.status_code == 200, undone.text
    assert [one["win"] for one in events(undone.json(), "win_undone")] == [number]
    assert house.cents(console) == (meter, reserve)
    assert tried(house.manager, "6001").status_code == 409
    # The entry stands where it stood; the page tells of both.
    assert house.auditor.book(f"journal/{number}") == original
    after = house.auditor.book(f"wins/{number}")
    assert after["undone"] is not None
    assert {name: after[name] for name in page if name not in ("undone", "status")} == {
        name: page[name] for name in page if name not in ("undone", "status")
    }
    line = next(one for one in house.auditor.book("adjustments")["items"] if one["win"] == number)
    assert (line["type"], line["by"], line["second"]) == ("win_undone", "demo-manager", "demo-auditor")
    assert (line["reason"], line["explanation"]) == tuple(MALFUNCTION.values())


# ---------------------------------------------------------------------------------------------------------- a power cut


@pytest.mark.clause("PR-16", "PR-38")
def test_after_a_power_cut_claims_and_wins_stand_where_they_stood(house: House) -> None:
    """The keypad between J-POT and RUN, the touch console with a claim open."""
    for console in (KEYPAD, TOUCH):
        coin_in(house, console, 1, 2)
        house.dealer.order(f"tables/{console.table}/name-win", spot=1, hand="royal_flush")
    meters = {console: house.cents(console) for console in (KEYPAD, TOUCH)}
    j_pot = events(house.executive.order(f"tables/{KEYPAD.table}/j-pot", spot=1), "win_logged")[0]
    stood = {console: house.progressive(console) for console in (KEYPAD, TOUCH)}
    house.power_cut()
    for console in (KEYPAD, TOUCH):
        assert house.progressive(console) == stood[console]
        assert house.cents(console) == meters[console]
    paid = events(house.supervisor.order(f"tables/{KEYPAD.table}/run"), "win_paid")[0]
    assert (paid["win"], paid["before_cents"]) == (j_pot["win"], meters[KEYPAD][0])
    logged, _ = record(house, TOUCH, 1)
    assert logged["cents"] == meters[TOUCH][0]
    for console, win in ((KEYPAD, j_pot["win"]), (TOUCH, logged["win"])):
        verified(house, console, win)
        house.dealer.order(f"tables/{console.table}/close-round")
        undo(house, win)
        assert house.cents(console) == meters[console]


@pytest.mark.clause("PR-38")
@both_consoles
def test_while_the_link_is_lost_nothing_is_locked_in_and_open_claims_go_on(house: House, console: Console) -> None:
    at = f"tables/{console.table}"
    coin_in(house, console, 1)
    house.dealer.order(f"{at}/name-win", spot=1, hand="flush")
    house.supervisor.order("floor/suspend", what="link", id=console.link, why="the line is cut")
    step = "j-pot" if console is KEYPAD else "confirm"
    house.executive.order(f"{at}/{step}", spot=1)
    if console is KEYPAD:
        house.supervisor.order(f"{at}/run")
    house.dealer.order(f"{at}/close-round")
    house.boxes[console.table].order(f"{at}/light", spot=2)
    assert "the line is cut" in house.dealer.refused(409, f"{at}/lock-in")
    assert any("the line is cut" in why for why in house.progressive(console)["stops"])
    house.supervisor.order("floor/resume", what="link", id=console.link)
    assert len(events(house.dealer.order(f"{at}/lock-in"), "locked_in")) == 1
    house.dealer.order(f"{at}/close-round")
