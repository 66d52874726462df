"""Live streams: first the view, then every change once and in order; nobody holds up the floor or sees too much."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import pytest
from tests.web.stream_kit import (
    OF_FLOOR,
    OF_LINKS,
    PATIENCE,
    PUBLIC_OF_LINKS,
    Watcher,
    again,
    chained,
    headers_of,
    journal_of,
    steps_of_table,
    steps_with,
    token_headers,
    watching,
)
from tests.web.web_kit import NEW_PIN, Person, Server, make_floor

from houseway.manager.commands import Order
from houseway.manager.floor import Floor
from houseway.manager.keyring import Keyring
from houseway.manager.state import load_state
from houseway.manager.store import open_store
from houseway.table.progressive_round.commands import Light, Unlight
from houseway.web.hub import MOST_MISSED

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from crash import PostgresServer

TABLES: Final = ("CS-1", "CS-2", "CS-3", "TCP-1")


class House:
    """A served floor and those who work there; everybody signs in once, since there is a limit to that."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.dealer = server.sign_in("2001")
        self.supervisor = server.sign_in("3001")
        self.manager = server.sign_in("5001")
        self.tokens: dict[str, str] = {}

    def display(self, link: str, name: str = "") -> dict[str, str]:
        """A display of a link, as its headers."""
        name = name or f"display-{link}"
        if name not in self.tokens:
            given = self.manager.order("devices/issue-device", device=name, right="display", subject=link)
            self.tokens[name] = given["token"]
        return token_headers(self.tokens[name])

    def last_entry(self) -> int:
        return int(self.manager.get("manager")["entry"])


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A floor on SQLite whose journal is long enough that one can have missed too much."""
    folder = tmp_path_factory.mktemp("house")
    database = str(folder / "floor.db")
    file = make_floor(folder, database)
    floor = Floor(open_store(database), keys=Keyring.load(folder / "houseway.key"))
    commands: list[type[Light] | type[Unlight]] = [Light, Unlight]
    orders = [
        Order(id=f"before-{number}", by="demo-dealer", command=commands[number % 2](table="CS-4", spot=1))
        for number in range(MOST_MISSED + 100)
    ]
    for done in [floor.submit(order) for order in orders]:
        done.result()
    floor.close()
    server = Server(file, database).start()
    try:
        yield House(server)
    finally:
        server.stop()


def play(dealer: Person, table: str, rounds: int) -> None:
    """Whole rounds at a table without cards."""
    for number in range(rounds):
        spot = number % 4 + 1
        dealer.order(f"tables/{table}/light", spot=spot)
        dealer.order(f"tables/{table}/lock-in", lit=[spot, 5])
        dealer.order(f"tables/{table}/first-card")
        dealer.order(f"tables/{table}/fold", spot=5)
        dealer.order(f"tables/{table}/close-round")


def play_beside(person: Person, table: str, rounds: int, url: str = "") -> None:
    """The same from another window, so that several play at once."""
    with again(person) as other:
        other.http.base_url = url or other.http.base_url
        play(other, table, rounds)


def win(house: House, table: str, hand: str, spot: int = 2) -> None:
    """A round with a win, confirmed on a keypad console."""
    dealer, supervisor = house.dealer, house.supervisor
    dealer.order(f"tables/{table}/lock-in", lit=[spot])
    dealer.order(f"tables/{table}/first-card")
    dealer.order(f"tables/{table}/name-win", spot=spot, hand=hand)
    view = dealer.get(f"tables/{table}")
    if view["console"] == "touch":
        supervisor.order(f"tables/{table}/confirm", spot=spot)
    else:
        supervisor.order(f"tables/{table}/j-pot", spot=spot)
        supervisor.order(f"tables/{table}/run")
    dealer.order(f"tables/{table}/close-round")


def hand_of(house: House, table: str) -> str:
    """A hand that wins a little."""
    link = house.manager.get(f"tables/{table}")["link"]
    store = open_store(house.server.database, create=False, read_only=True)
    try:
        return str(load_state(store).links[link].now.table.rows[-1].hand)
    finally:
        store.close()


# ---------------------------------------------------------------------------------------------------- views, then steps


def test_every_step_of_every_table_comes_once_and_in_order_under_load(house: House) -> None:
    subjects = [f"table/{table}" for table in TABLES]
    before = house.last_entry()
    watch = Watcher(house.server.port, headers_of(house.dealer), [*subjects, "floor"]).start()
    for subject in subjects:
        watch.wait("view", lambda one, name=subject: one.subject == name)
    with ThreadPoolExecutor(len(TABLES)) as crowd:
        for done in [crowd.submit(play_beside, house.dealer, table, 8) for table in TABLES]:
            done.result()
    entries = journal_of(house.server.database, before)
    for table in TABLES:
        wanted = steps_of_table(entries, table)
        assert len(wanted) == 40
        watch.wait("step", lambda one, last=wanted[-1]: one.data["entry"] == last)
        assert chained(watch.told, f"table/{table}") == wanted
        watch.wait("view", lambda one, name=table, last=wanted[-1]: one.subject == f"table/{name}" and one.id >= last)
    kinds = [one.event for one in watch.told if one.subject == "table/CS-1"]
    assert kinds[0] == "view"
    watch.close()


def test_a_view_is_never_older_than_a_step_that_came_before_it(house: House) -> None:
    """Who shows the latest view and the latest step shows one floor."""
    with watching(house.server, house.dealer, "table/CS-1") as watch:
        play(house.dealer, "CS-1", 30)
        last = journal_of(house.server.database)[-1].seq
        watch.wait("view", lambda one: one.id is not None and one.id >= last)
        newest = 0
        for one in watch.of("view", "step", subject="table/CS-1"):
            entry = one.data["entry"] if one.event == "step" else one.data["view"]["entry"]
            assert entry >= newest, f"a {one.event} of entry {entry} after one of entry {newest}"
            newest = entry


def test_claims_and_wins_are_told_on_every_subject_they_belong_to(house: House) -> None:
    before = house.last_entry()
    subjects = ("table/CS-1", "table/CS-2", "link/stud", "floor")
    hand = hand_of(house, "CS-1")
    with (
        watching(house.server, house.dealer, *subjects) as staff,
        watching(house.server, house.manager, "manager") as office,
        watching(house.server, house.display("stud"), "link/stud") as display,
    ):
        with ThreadPoolExecutor(2) as crowd:
            beside = crowd.submit(play_beside, house.dealer, "CS-2", 10)
            for _ in range(3):
                win(house, "CS-1", hand)
            beside.result()
        entries = journal_of(house.server.database, before)
        of_link = steps_with(entries, OF_LINKS, "stud")
        of_floor = steps_with(entries, OF_FLOOR)
        public = steps_with(entries, PUBLIC_OF_LINKS, "stud")
        assert len(of_link) >= 9
        assert 3 <= len(public) < len(of_link)
        staff.wait("step", lambda one: one.subject == "floor" and one.data["entry"] == of_floor[-1])
        office.wait("step", lambda one: one.data["entry"] >= of_floor[-1])
        display.wait("step", lambda one: one.data["entry"] == public[-1])
        assert chained(staff.told, "link/stud") == of_link
        assert chained(staff.told, "floor") == of_floor
        assert chained(display.told, "link/stud") == public
        assert set(of_floor) <= set(chained(office.told, "manager"))
        for one in display.of("step"):
            assert "by" not in one.data
            assert {event["type"] for event in one.data["events"]} <= PUBLIC_OF_LINKS


def test_a_chain_that_is_broken_is_noticed(house: House) -> None:
    """The check of the tests above can fail."""
    with watching(house.server, house.dealer, "table/CS-1") as watch:
        play(house.dealer, "CS-1", 2)
        last = journal_of(house.server.database)[-1].seq
        watch.wait("step", lambda one: one.data["entry"] == last)
        steps = watch.of("view", "step")
        with pytest.raises(AssertionError):
            chained([one for one in steps if one is not watch.of("step")[3]], "table/CS-1")
        with pytest.raises(AssertionError):
            chained([*steps, watch.of("step")[-1]], "table/CS-1")


# --------------------------------------------------------------------------------------------------------------- meters


def test_meters_come_at_most_five_times_a_second_and_end_on_the_true_value(house: House) -> None:
    with (
        watching(house.server, house.display("stud"), "link/stud") as display,
        watching(house.server, house.dealer, "link/stud", "table/CS-1") as staff,
    ):
        began = time.monotonic()
        with ThreadPoolExecutor(2) as crowd:
            for done in [crowd.submit(play_beside, house.dealer, table, 25) for table in ("CS-1", "CS-2")]:
                done.result()
        ended = time.monotonic()
        last = max(steps_with(journal_of(house.server.database), {"locked_in"}, "stud"))
        true = {one["meter"]: one["cents"] for one in house.manager.get("links/stud")["meters"]}
        for watcher in (display, staff):
            final = watcher.wait("meters", lambda one: one.data["entry"] >= last)
            assert final.data["meters"] == true
            assert final.data["currency"] == "USD"
            told = watcher.of("meters", "view", subject="link/stud")
            assert len(told) <= 5 * (ended - began) + 3, "meter values, in meters or views"
            values = [one.data["meters"]["main"] for one in watcher.of("meters")]
            assert values == sorted(values)
            assert len(set(values)) > 1


# ---------------------------------------------------------------------------------------------------------- coming back


def test_who_comes_back_gets_the_view_then_all_he_missed_then_the_rest(house: House) -> None:
    with watching(house.server, house.dealer, "table/CS-1", "link/stud") as first:
        play(house.dealer, "CS-1", 2)
        since = first.wait("step", lambda one: one.data["type"] == "close_round").id
        assert since is not None
    play(house.dealer, "CS-1", 3)
    win(house, "CS-1", hand_of(house, "CS-1"))
    away = journal_of(house.server.database, since)
    with ThreadPoolExecutor(1) as crowd:
        # While he comes back the table goes on: what he missed and what is new must meet without a gap or an overlap.
        beside = crowd.submit(play_beside, house.dealer, "CS-1", 12)
        with watching(house.server, house.dealer, "table/CS-1", "link/stud", since=since) as back:
            beside.result()
            entries = journal_of(house.server.database, since)
            for subject, wanted in (
                ("table/CS-1", steps_of_table(entries, "CS-1")),
                ("link/stud", steps_with(entries, OF_LINKS, "stud")),
            ):
                back.wait("step", lambda one: one.data["entry"] == entries[-1].seq)
                missed = [one.data["entry"] for one in back.of("missed", subject=subject)]
                live = chained(back.told, subject)
                assert missed + live == wanted
                assert set(missed) >= {seq for seq in wanted if seq <= away[-1].seq}
            kinds = [one.event for one in back.told if one.event in ("view", "missed", "step")]
            assert kinds[:2] == ["view", "view"]
            assert "step" not in kinds[: kinds.index("missed")]


def test_cut_off_after_any_message_nothing_is_lost(house: House) -> None:
    """The number to come back with moves on only when all of an entry was told, on every subject, missed or live."""
    subjects = ("table/CS-1", "link/stud", "floor")
    hand = hand_of(house, "CS-1")
    with watching(house.server, house.dealer, *subjects) as first:
        play(house.dealer, "CS-1", 1)
        since = first.wait("step", lambda one: one.data["type"] == "close_round").id
    win(house, "CS-1", hand)
    with watching(house.server, house.dealer, *subjects, since=since) as back:
        win(house, "CS-1", hand)
        entries = journal_of(house.server.database, since or 0)
        back.wait("step", lambda one: one.data["entry"] == entries[-1].seq)
        told = back.told
    wanted = {
        *(("table/CS-1", seq) for seq in steps_of_table(entries, "CS-1")),
        *(("link/stud", seq) for seq in steps_with(entries, OF_LINKS, "stud")),
        *(("floor", seq) for seq in steps_with(entries, OF_FLOOR)),
    }
    assert len([seq for _, seq in wanted]) > len({seq for _, seq in wanted}), "no entry is of several subjects"
    assert {one.event for one in told} >= {"view", "missed", "step"}
    number, have = since or 0, set()
    for one in told:
        if one.event in ("missed", "step"):
            have.add((one.subject, one.data["entry"]))
        number = number if one.id is None else one.id
        lost = {step for step in wanted if step[1] <= number} - have
        assert not lost, f"cut off after the {one.event} he comes back with {number}, and is never told {lost}"
    assert have == wanted


def test_who_missed_too_much_is_told_that_there_is_a_gap(house: House) -> None:
    with watching(house.server, house.dealer, "table/CS-1", since=3) as back:
        gap = back.wait("gap")
        assert gap.data["from"] == 3
        assert gap.data["to"] >= MOST_MISSED
        assert not back.of("missed")
        order = house.dealer.order("tables/CS-1/light", spot=1)
        back.wait("step", lambda one: one.data["entry"] == order["entry"])
        house.dealer.order("tables/CS-1/unlight", spot=1)


def test_the_view_says_the_truth_about_what_came_while_nobody_watched(house: House) -> None:
    """Its ``last`` is no step that others followed since: or who compares it with his own thinks he missed nothing."""
    with watching(house.server, house.dealer, "table/TCP-1") as first:
        house.dealer.order("tables/TCP-1/light", spot=1)
        own = first.wait("step").data["entry"]
    house.dealer.order("tables/TCP-1/unlight", spot=1)
    with watching(house.server, house.dealer, "table/TCP-1") as back:
        assert back.wait("view").data["last"] > own


# ------------------------------------------------------------------------------------------------------- slow readers


@pytest.mark.long
def test_who_never_reads_is_cut_off_and_memory_stays_flat(house: House) -> None:
    process = house.server.process
    assert process is not None
    tables = ("CS-1", "CS-2", "CS-3", "CS-4", "PG-1", "SE1-1", "TCP-1")
    subjects = [*(f"table/{table}" for table in tables), "floor", "link/stud", "link/three-level"]
    handles = len(list(Path(f"/proc/{process.pid}/fd").iterdir()))
    with watching(house.server, house.dealer, *subjects) as reader:
        sleepers = [Watcher(house.server.port, headers_of(house.dealer), subjects, small=2_048) for _ in range(10)]
        sizes = []
        until = time.monotonic() + 120
        while time.monotonic() < until:
            with ThreadPoolExecutor(4) as crowd:
                for done in [crowd.submit(play_beside, house.dealer, table, 20) for table in tables[:4]]:
                    done.result()
            sizes.append(memory_of(process.pid))
            if len(list(Path(f"/proc/{process.pid}/fd").iterdir())) <= handles + 8:
                break
        assert len(list(Path(f"/proc/{process.pid}/fd").iterdir())) <= handles + 8, "the sleepers were not cut off"
        assert sizes[-1] < sizes[0] + 60_000_000, sizes
        last = journal_of(house.server.database)[-1].seq
        reader.wait("step", lambda one: one.data["entry"] == last)
        for sleeper in sleepers:
            sleeper.close()


def memory_of(pid: int) -> int:
    """Bytes that a process holds."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096


# ----------------------------------------------------------------------------------------------------- who may no more


def test_a_stream_ends_soon_after_its_reader_may_watch_no_more(house: House) -> None:
    manager, server = house.manager, house.server
    manager.enroll("passing", "dealer", card="9001")
    passing = server.sign_in("9001", NEW_PIN)
    leaving = server.sign_in("2002")
    device = house.display("stud", "passing-display")
    with (
        watching(server, leaving, "table/CS-1") as signed_out,
        watching(server, passing, "table/CS-1") as dismissed,
        watching(server, device, "link/stud") as revoked,
        watching(server, house.dealer, "table/CS-1") as stays,
    ):
        assert leaving.http.delete("/api/v1/session").status_code == 204
        manager.seconded("staff/dismiss", staff="passing", reason="left")
        manager.order("devices/revoke-device", device="passing-display", reason="lost")
        asked = time.monotonic()
        for watcher in (signed_out, dismissed, revoked):
            bye = watcher.wait("bye", seconds=5)
            assert "signed out" in bye.data["why"]
            assert watcher.wait_over(5)
            assert bye.at - asked < 3
        play(house.dealer, "CS-1", 1)
        stays.wait("step", lambda one: one.data["type"] == "close_round")
        assert not stays.over
        for watcher in (signed_out, dismissed, revoked):
            assert not watcher.of("step")


@pytest.mark.parametrize(
    ("who", "subject", "status"),
    [
        ("nobody", "floor", 401),
        ("display", "table/CS-1", 403),
        ("display", "floor", 403),
        ("display", "manager", 403),
        ("display", "link/three-card", 403),
        ("dealer", "manager", 403),
        ("player", "floor", 403),
        ("player", "manager", 403),
        ("dealer", "table/none", 404),
        ("dealer", "link/none", 404),
        ("dealer", "tables", 422),
    ],
)
def test_who_may_not_watch_gets_no_stream(house: House, who: str, subject: str, status: int) -> None:
    headers = {"nobody": {}, "display": house.display("stud"), "dealer": headers_of(house.dealer)}
    given = headers_of(player_of(house)) if who == "player" else headers[who]
    watcher = Watcher(house.server.port, given, ["link/stud", subject] if who == "dealer" else [subject]).start()
    until = time.monotonic() + PATIENCE
    while not watcher.status and time.monotonic() < until:
        time.sleep(0.01)
    assert watcher.status == status, watcher.head
    watcher.close()


_PLAYERS: dict[int, Person] = {}


def player_of(house: House) -> Person:
    """The one player of a house."""
    if id(house) not in _PLAYERS:
        _PLAYERS[id(house)] = house.server.player("Ann Onym", house.dealer)
    return _PLAYERS[id(house)]


def test_every_viewer_is_told_what_he_would_see_if_he_asked(house: House) -> None:
    """The views of a stream are those of the API, to each his own, through a round with cards."""
    player, dealer, supervisor, table = player_of(house), house.dealer, house.supervisor, "V-TCP"
    other = house.server.player("Bea Low", dealer)
    subject = f"table/{table}"
    with (
        watching(house.server, player, subject) as ann,
        watching(house.server, other, subject) as bea,
        watching(house.server, dealer, subject) as deals,
        watching(house.server, supervisor, subject) as walks,
    ):
        people = ((ann, player), (bea, other), (deals, dealer), (walks, supervisor))

        def same() -> list[dict[str, Any]]:
            shown = []
            for watcher, person in people:
                doc = person.get(f"tables/{table}")
                told = watcher.wait("view", lambda one, entry=doc["entry"]: one.data["view"]["entry"] >= entry)
                assert told.data["view"] == doc
                shown.append(doc)
            return shown

        player.order(f"tables/{table}/sit-down", spot=1, player="Ann Onym")
        other.order(f"tables/{table}/sit-down", spot=2, player="Bea Low")
        for person, spot in ((player, 1), (other, 2)):
            person.order(f"tables/{table}/bet", spot=spot, wager="ante", cents=1000)
        same()
        dealer.order(f"tables/{table}/no-more-bets")
        dealer.order(f"tables/{table}/lock-in")
        dealer.order(f"tables/{table}/deal", packets=0)
        mine, hers, deal, walk = ([one["cards"] for one in doc["play"]["spots"]] for doc in same())
        assert "?" not in mine[0]
        assert "?" not in hers[1]
        assert mine[1] == hers[0] == deal[0] == deal[1] == walk[0] == "?? ?? ??"
        player.order(f"tables/{table}/act", spot=1, action="fold")
        other.order(f"tables/{table}/act", spot=2, action="play")
        dealer.order(f"tables/{table}/collect")
        dealer.order(f"tables/{table}/reveal")
        mine, hers, deal, walk = ([one["cards"] for one in doc["play"]["spots"]] for doc in same())
        assert hers[0] == "?? ?? ??"
        assert mine == deal == walk
        while dealer.get(f"tables/{table}")["play"]["next_step"]:
            dealer.order(f"tables/{table}/reconcile")
        dealer.order(f"tables/{table}/close-round")
        same()
        entries = [one for one in journal_of(house.server.database) if one.table == table]
        for watcher, _ in people:
            public = watcher in (ann, bea)
            assert chained(watcher.told, subject) == steps_of_table(entries, table, cards=True, public=public)
            assert all(("by" in one.data) is not public for one in watcher.of("step"))


# ----------------------------------------------------------------------------------------------------- beats and stops


class Pair:
    """Two servers of one floor on PostgreSQL, and a dealer who signed in at the first."""

    def __init__(self, folder: Path) -> None:
        self.postgres = PostgresServer(folder / "pg")
        self.database = self.postgres.new()
        (folder / "floor").mkdir()
        file = make_floor(folder / "floor", self.database)
        self.one, self.other = Server(file, self.database), Server(file, self.database)
        try:
            self.dealer = self.started().one.sign_in("2001")
            with again(self.dealer) as there:
                there.http.base_url = self.other.url
                until(lambda: there.http.get("/api/v1/floor").status_code == 200)
        except BaseException:
            self.stop()
            raise

    def started(self) -> Pair:
        for server in (self.one, self.other):
            if server.process is None:
                server.start()
        return self

    def stop(self) -> None:
        for server in (self.one, self.other):
            if server.process is not None:
                server.stop()
        self.postgres.close()


@pytest.fixture(scope="module")
def the_pair() -> Iterator[Pair]:
    with tempfile.TemporaryDirectory(prefix="hw") as folder:
        made = Pair(Path(folder))
        try:
            yield made
        finally:
            made.stop()


@pytest.fixture
def pair(the_pair: Pair) -> Pair:
    """Both servers, running."""
    return the_pair.started()


def test_an_order_given_to_one_server_reaches_the_streams_of_another(pair: Pair) -> None:
    dealer, database = pair.dealer, pair.database
    took = []
    # The sign-in, too, is known to the other server.
    with watching(pair.other, dealer, "table/CS-1", "link/stud") as watch:
        for number in range(15):
            kind = "unlight" if number % 2 else "light"
            done = dealer.order(f"tables/CS-1/{kind}", spot=1)
            answered = time.monotonic()
            took.append(watch.wait("step", lambda one, seq=done["entry"]: one.data["entry"] == seq).at - answered)
        locked = dealer.order("tables/CS-1/lock-in", lit=[1, 2])
        watch.wait("meters", lambda one: one.data["entry"] >= locked["entry"])
        with ThreadPoolExecutor(2) as crowd:
            there = crowd.submit(play_beside, dealer, "CS-3", 4, pair.other.url)
            here = crowd.submit(play_beside, dealer, "CS-2", 4)
            there.result()
            here.result()
        closed = dealer.order("tables/CS-1/close-round")
        watch.wait("step", lambda one: one.data["entry"] == closed["entry"])
        assert chained(watch.told, "table/CS-1") == steps_of_table(journal_of(database), "CS-1")
    # Looking once a second would take half a second; being told takes next to nothing.
    assert sorted(took)[len(took) // 2] < 0.3, took
    assert max(took) < 1, took


def test_beats_stop_with_the_database_and_come_back_with_it(pair: Pair) -> None:
    dealer, before = pair.dealer, journal_of(pair.database)[-1].seq
    with watching(pair.one, dealer, "table/TCP-1") as watch:
        dealer.order("tables/TCP-1/light", spot=1)
        watch.wait("beat")
        pair.postgres.kill()
        killed = time.monotonic()
        until(lambda: dealer.http.get("/readyz").status_code == 503)
        time.sleep(0.5)  # for a beat that was on its way
        silent_from = time.monotonic()
        assert silent_from - killed < 5
        assert dealer.send("tables/TCP-1/light", spot=2).status_code == 503
        time.sleep(2.5)
        assert not [one for one in watch.of("beat") if one.at > silent_from]
        pair.postgres.start()
        watch.wait("beat", lambda one: one.at > silent_from)
        until(lambda: dealer.send("tables/TCP-1/unlight", key="after", spot=1).status_code == 200)
        entries = journal_of(pair.database, before)
        watch.wait("step", lambda one: one.data["entry"] == entries[-1].seq)
        assert chained(watch.told, "table/TCP-1") == steps_of_table(entries, "TCP-1")
        assert dealer.http.get("/readyz").status_code == 200


def test_a_server_that_stops_says_goodbye_and_is_not_held_up(pair: Pair) -> None:
    with watching(pair.other, pair.dealer, "floor") as watch:
        assert watch.wait("beat").data["entry"] > 0
        began = time.monotonic()
        assert pair.other.stop() == 0
        assert time.monotonic() - began < 8, "an open stream held up the stop"
        assert "come back" in watch.wait("bye").data["why"]


def until(holds: Callable[[], bool]) -> None:
    """Wait for something."""
    ends = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.1)
