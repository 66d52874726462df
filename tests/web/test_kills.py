"""A server is killed again and again while people work and watch: nothing is lost or doubled, no gap goes unnoticed.

Four dealers give order after order, each under a key of its own; what was not answered is sent again under the same
key until it is. Others watch, and come back with the last number they got. At the end the journal is held against
what everybody was told.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from threading import Event, Thread
from typing import Any, Final, NamedTuple

import httpx
import pytest
from tests.web.stream_kit import (
    OF_LINKS,
    PATIENCE,
    PUBLIC_OF_LINKS,
    Told,
    Watcher,
    again,
    headers_of,
    journal_of,
    steps_of_table,
    steps_with,
    token_headers,
)
from tests.web.web_kit import Person, Server, make_floor

from houseway.books.verify import verify
from houseway.manager.entry import Entry
from houseway.manager.store import open_store

TABLES: Final = ("CS-1", "CS-2", "CS-3", "TCP-1")
LONGEST_LIFE: Final = 0.8


class Given(NamedTuple):
    """An order as its giver knows it."""

    key: str
    table: str
    kind: str
    entry: int
    """Where it stands, as it was acknowledged."""
    tries: int


@dataclass
class Evidence:
    """What everybody was told."""

    given: list[Given] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    other_answers: list[str] = field(default_factory=list)
    """Orders that answered differently when they were sent again."""
    resent: int = 0
    streams: list[Diary] = field(default_factory=list)


class Dealer(Thread):
    """Plays at one table without a pause, until told to stop; what is open then is brought to its end."""

    def __init__(self, person: Person, table: str, evidence: Evidence, seed: int) -> None:
        super().__init__(daemon=True)
        self._person, self._table, self._evidence = person, table, evidence
        self._random = Random(seed)
        self.stopping = Event()
        self.failed: BaseException | None = None

    def run(self) -> None:
        try:
            with again(self._person) as person:
                self._play(person)
        except BaseException as error:
            self.failed = error

    def _play(self, person: Person) -> None:
        done: list[tuple[Given, str, dict[str, Any], dict[str, Any]]] = []
        for number, (kind, body) in enumerate(self._orders()):
            key = f"{self._table}-{number}"
            answer, tries = self._sent(person, kind, key, body)
            if answer is None:
                return
            given = Given(key, self._table, kind, answer["entry"], tries)
            self._evidence.given.append(given)
            done.append((given, kind, body, answer))
            if self._random.random() < 0.1:
                # Long after it was answered: the same answer again, and nothing done.
                earlier, its_kind, its_body, its_answer = self._random.choice(done[-40:])
                repeated, _ = self._sent(person, its_kind, earlier.key, its_body)
                self._evidence.resent += 1
                if repeated != its_answer:
                    self._evidence.other_answers.append(earlier.key)

    def _orders(self) -> Iterator[tuple[str, dict[str, Any]]]:
        while not self.stopping.is_set():
            spot = self._random.randint(1, 4)
            yield "light", {"spot": spot}
            yield "lock-in", {"lit": [spot, 5]}
            yield "first-card", {}
            yield "fold", {"spot": 5}
            yield "close-round", {}

    def _sent(self, person: Person, kind: str, key: str, body: dict[str, Any]) -> tuple[dict[str, Any] | None, int]:
        """Send until there is an answer."""
        until, tries = time.monotonic() + 3 * PATIENCE, 0
        while time.monotonic() < until:
            tries += 1
            try:
                response = person.send(f"tables/{self._table}/{kind}", key=key, **body)
            except httpx.TransportError:
                time.sleep(0.1)
                continue
            if response.status_code == 200:
                return dict(response.json()), tries
            if response.status_code != 503:
                self._evidence.refused.append(f"{key}: {response.text}")
                return None, tries
            time.sleep(0.1)
        raise AssertionError(f"{key} was never answered")


class Diary(Thread):
    """Watches, comes back whenever the stream ends, and writes down what it was told."""

    def __init__(
        self, port: int, headers: dict[str, str], subjects: list[str], *, public: bool, rests: float = 0.0
    ) -> None:
        super().__init__(daemon=True)
        self.subjects, self.public = subjects, public
        self.rests = rests
        """How many seconds it stays away: others play on meanwhile."""
        self.told: list[list[Told]] = []
        """By connection."""
        self.now: list[Told] = []
        """What has come by the present one."""
        self.stopping = Event()
        self._port, self._headers = port, headers
        self.last_id: int | None = None

    def run(self) -> None:
        while not self.stopping.is_set():
            try:
                watcher = Watcher(self._port, self._headers, self.subjects, since=self.last_id).start()
            except OSError:
                time.sleep(0.1)
                continue
            while not watcher.wait_over(0.1) and not self.stopping.is_set():
                self.now = watcher.told
            watcher.close()
            if watcher.told:
                self.told.append(watcher.told)
                self.last_id = watcher.reading.last_id or self.last_id
                self.stopping.wait(self.rests)

    @property
    def entry(self) -> int:
        """Where the floor stood by the last beat: all up to there was told before it."""
        told = [one for connection in (*self.told, self.now) for one in connection]
        return max((one.data["entry"] for one in told if one.event == "beat"), default=0)


def what_is_wrong(evidence: Evidence, entries: list[Entry]) -> list[str]:
    """Everything in which the journal and what people were told differ."""
    wrong = [*(f"refused: {one}" for one in evidence.refused)]
    wrong += [f"{key} answered differently the second time" for key in evidence.other_answers]
    by_key = Counter(entry.order for entry in entries)
    where = {entry.order: entry.seq for entry in entries}
    for one in evidence.given:
        if one.key not in where:
            wrong.append(f"lost: {one.key} was acknowledged as entry {one.entry}")
        elif where[one.key] != one.entry:
            wrong.append(f"{one.key} was acknowledged as entry {one.entry}, but is entry {where[one.key]}")
    wrong += [f"doubled: {key}" for key, times in by_key.items() if times > 1]
    for table in TABLES:
        acknowledged = [one.key for one in evidence.given if one.table == table]
        done = [entry.order for entry in entries if entry.table == table]
        if acknowledged != done:
            wrong.append(
                f"{table}: {len(acknowledged)} orders were acknowledged, {len(done)} done, or in another order"
            )
    for diary in evidence.streams:
        for subject in diary.subjects:
            wrong += gaps(diary, subject, entries)
    return wrong


def gaps(diary: Diary, subject: str, entries: list[Entry]) -> Iterator[str]:
    """Steps of a subject that a reader should have been told, and was not, nor that there was a gap."""
    kind, _, name = subject.partition("/")
    if kind == "table":
        wanted = steps_of_table(entries, name, public=diary.public)
    else:
        wanted = steps_with(entries, PUBLIC_OF_LINKS if diary.public else OF_LINKS, name)
    first: int | None = None
    told: set[int] = set()
    for connection in diary.told:
        last: int | None = None
        for one in connection:
            if one.event == "gap":
                told |= {seq for seq in wanted if one.data["from"] < seq <= one.data["to"]}
            if one.subject != subject:
                continue
            if one.event == "view" and last is None:
                last = one.data["last"]
                first = one.data["view"]["entry"] if first is None else first
            elif one.event == "missed":
                told.add(one.data["entry"])
            elif one.event == "step":
                if one.data["previous"] != last:
                    yield f"{subject}: entry {one.data['entry']} says it follows {one.data['previous']}, had {last}"
                last = one.data["entry"]
                told.add(last)
    if first is None:
        yield f"{subject}: no view was ever told"
        return
    missing = [seq for seq in wanted if first < seq <= diary.entry and seq not in told]
    if missing:
        yield f"{subject}: {len(missing)} steps were never told, the first is entry {missing[0]}"
    strange = told - set(wanted)
    if strange:
        yield f"{subject}: told steps that are none, the first is entry {min(strange)}"


def killed(folder: Path, database: str, kills: int, seed: int) -> tuple[Evidence, int]:
    """So many kills; answers what everybody was told, and how often orders had to be sent again."""
    random = Random(seed)
    server = Server(make_floor(folder, database), database).start()
    dealer, manager = server.sign_in("2001"), server.sign_in("5001")
    token = manager.order("devices/issue-device", device="wall", right="display", subject="stud")["token"]
    evidence = Evidence()
    everything = [*(f"table/{table}" for table in TABLES), "link/stud", "link/three-level"]
    evidence.streams = [
        Diary(server.port, headers_of(dealer), everything, public=False),
        Diary(server.port, headers_of(dealer), ["table/CS-1"], public=False, rests=1.5),
        Diary(server.port, token_headers(token), ["link/stud"], public=True),
    ]
    dealers = [Dealer(dealer, table, evidence, seed + number) for number, table in enumerate(TABLES)]
    for thread in (*evidence.streams, *dealers):
        thread.start()
    try:
        for _ in range(kills):
            time.sleep(random.uniform(0.1, LONGEST_LIFE))
            server.kill()
            server.start()
        # The one who rests comes back after play went on.
        time.sleep(1.5)
    finally:
        for one in dealers:
            one.stopping.set()
        for one in dealers:
            one.join(4 * PATIENCE)
        last = journal_of(database)[-1].seq
        until = time.monotonic() + PATIENCE
        while any(diary.entry < last for diary in evidence.streams) and time.monotonic() < until:
            time.sleep(0.1)
        for diary in evidence.streams:
            diary.stopping.set()
            diary.join(PATIENCE)
        with suppress(AssertionError):
            server.stop()
    for one in dealers:
        if one.failed is not None:
            raise one.failed
        assert not one.is_alive()
    return evidence, sum(one.tries - 1 for one in evidence.given)


def hold(folder: Path, database: str, kills: int, seed: int) -> None:
    evidence, sent_again = killed(folder, database, kills, seed)
    entries = journal_of(database)
    assert what_is_wrong(evidence, entries) == []
    assert all(diary.entry == entries[-1].seq for diary in evidence.streams)
    assert len(evidence.given) > 20 * kills
    assert sent_again > 0, "no order was under way at any kill"
    assert evidence.resent > 0
    for diary in evidence.streams:
        # One who rests sleeps through some of the kills.
        assert len(diary.told) > kills / (4 if diary.rests else 2), "the readers did not come back"
    # Whether somebody missed a step is luck: the server may have been down all the while. test_streams.py sees to that.
    store = open_store(database, create=False, read_only=True)
    try:
        found = verify(store)
        assert found.bad == ()
        assert sum(store.balances().values()) == 0
    finally:
        store.close()


def test_a_few_kills_lose_nothing(tmp_path: Path, database: str) -> None:
    hold(tmp_path, database, 2, 1)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5))  # On each kind of database: 100 kills together.
def test_a_hundred_kills_lose_nothing(tmp_path: Path, database: str, seed: int) -> None:
    hold(tmp_path, database, 10, 100 + seed)


# ------------------------------------------------------------------------------------------------ that it would be seen


def test_what_is_lost_doubled_or_skipped_would_be_seen() -> None:
    """The same evidence with one thing wrong at a time."""

    def entry(seq: int, order: str) -> Entry:
        from houseway.table.progressive_round.events import SensorLit

        lit = SensorLit(table="CS-1", round=1, spot=1, waits=False)
        return Entry(
            seq=seq,
            at=seq,
            day="",
            order=order,
            digest="",
            by="d",
            second="",
            kind="light",
            table="CS-1",
            round=1,
            events=(lit,),
        )

    def told(event: str, **data: Any) -> Told:
        return Told(event, {"subject": "table/CS-1", **data}, data.get("entry"), 0.0)

    def diary(*connections: list[Told]) -> Diary:
        made = Diary(0, {}, ["table/CS-1"], public=False)
        made.told = [*connections, [told("beat", entry=6)]]
        return made

    entries = [entry(seq, f"k{seq}") for seq in (3, 4, 5, 6)]
    given = [Given(f"k{seq}", "CS-1", "light", seq, 1) for seq in (3, 4, 5, 6)]
    view = told("view", last=2, view={"entry": 2})
    first = [view, told("step", entry=3, previous=2)]
    back = [told("view", last=5, view={"entry": 5}), told("missed", entry=4), told("missed", entry=5)]
    back.append(told("step", entry=6, previous=5))
    right = Evidence(given=given, streams=[diary(first, back)])
    assert what_is_wrong(right, entries) == []
    for wrong, journal in (
        (right, entries[:-1]),
        (right, [*entries, entry(7, "k3")]),
        (Evidence(given=given[:-1], streams=right.streams), entries),
        (Evidence(given=[given[1], given[0], *given[2:]], streams=right.streams), entries),
        (Evidence(given=[*given[:-1], given[-1]._replace(entry=9)], streams=right.streams), entries),
        (Evidence(given=given, other_answers=["k3"], streams=right.streams), entries),
        (Evidence(given=given, refused=["k9"], streams=right.streams), entries),
        (Evidence(given=given, streams=[diary(first, [back[0], back[1], back[3]])]), entries),
        (Evidence(given=given, streams=[diary(first, [*back[:3], told("step", entry=6, previous=4)])]), entries),
        (Evidence(given=given, streams=[diary(first[1:], back)]), entries),
    ):
        assert what_is_wrong(wrong, journal), (wrong, journal)
