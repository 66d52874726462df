"""No hand leaks over the wire: every byte sent to every client is searched for cards that he could not know yet.

Whole rounds of every game with a progressive are played over the API, by people who each see only their own screen,
with live streams open on everything they may watch; they look around and try what they may not. Every answer and every
piece of every stream is kept with the number of the last entry that was durable when it was sent. At the end the
journal says which cards were open to whom as of each entry, and what was sent is held against that:

* a table's view names no card but those open to its viewer as of the entry it is of;
* nothing else names any card, unless it is of a round that was over;
* no list of numbers is sent but lists of spots, and no sealed deck, in any form.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Coroutine, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from random import Random
from threading import Event as ThreadEvent
from threading import Thread
from typing import Any, Final, NamedTuple

import msgspec
import pytest
from argon2 import PasswordHasher
from tests.table.card_floor import GAMES, Evening, Staffed, TiltedShoe, floor_of
from tests.table.test_leaks import cards_in, open_to
from tests.web.stream_kit import Reading
from tests.web.web_kit import MANY

from houseway.cards import Card, text_of
from houseway.manager import commands as office
from houseway.manager import credentials
from houseway.manager.entry import Entry, entry_of
from houseway.manager.floor import FirstPerson, Floor
from houseway.manager.keyring import Keyring
from houseway.manager.server_settings import ServerSettings
from houseway.manager.signing import new_key
from houseway.manager.state import FloorState, after
from houseway.manager.store import open_store
from houseway.refusal import Refusal
from houseway.table.card_round import commands as play
from houseway.table.card_round import view as play_views
from houseway.table.card_round.cards import opened
from houseway.table.card_round.decide import PLAYER, Felt
from houseway.table.card_round.events import DeckOpened, FaceUpShown, SeedCommitted
from houseway.table.card_round.view import Who
from houseway.table.event import show
from houseway.table.progressive_round import commands as press
from houseway.table.progressive_round.commands import TableCommand
from houseway.table.progressive_round.decide import Context
from houseway.web import stream
from houseway.web.app import make_app
from houseway.web.orders import KEY

API: Final = "/api/v1"
PIN: Final = "1234"
GUESTS: Final = 3
STAFF: Final[dict[str, office.Role]] = {
    "m1": "manager",
    "d1": "dealer",
    "s1": "supervisor",
    "e1": "executive",
    "a1": "auditor",
    "o1": "surveillance",
}
SPOT_LISTS: Final = frozenset(
    {
        *("spots", "lit", "booked", "waiting", "folded", "face_up", "winners", "claims", "stacked", "unnamed"),
        *("large_wins", "without", "targets", "award_order", "positions", "players", "house_only"),
    }
)
"""The fields whose lists of numbers are lists of spots."""
MOST_SPOTS: Final = 8


class Sent(NamedTuple):
    """Something that a client got."""

    entry: int
    """The last entry that was durable then."""
    path: str
    """Empty for a piece of a stream."""
    said: bytes
    """What the client itself had sent with it."""
    head: bytes
    body: bytes


def weaken(patch: pytest.MonkeyPatch) -> None:
    """PINs are checked as ever, but with less work: no PIN is at stake here."""
    weak = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    patch.setattr(credentials, "_hasher", lambda: weak)


@pytest.fixture(autouse=True)
def quick_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    weaken(monkeypatch)


# ------------------------------------------------------------------------------------------------------------- clients


class Client:
    """Somebody at a screen of his own, inside this process: everything that the application sends him is kept."""

    def __init__(self, house: House, who: Who) -> None:
        self.house, self.who = house, who
        self.headers = {"host": "127.0.0.1"}
        self.sent: list[Sent] = []
        self._keys = 0

    async def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, bytes]:
        """Send a request and keep the answer."""
        text = b"" if body is None else msgspec.json.encode(body)
        given = {**self.headers, **headers}
        if body is not None:
            given["content-type"] = "application/json"
        said, status, head, parts = False, 0, b"", []

        async def receive() -> dict[str, Any]:
            nonlocal said
            if said:
                await asyncio.Event().wait()
            said = True
            return {"type": "http.request", "body": text, "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            nonlocal status, head
            if message["type"] == "http.response.start":
                status = message["status"]
                head = b"\n".join(b"%s: %s" % pair for pair in message["headers"])
                self._cookies(message["headers"])
            else:
                parts.append(message.get("body", b""))

        await self.house.app(self._scope(method, path, given), receive, send)
        answer = b"".join(parts)
        self.sent.append(Sent(self.house.floor.state.seq, path, text, head, answer))
        return status, answer

    async def order(self, path: str, body: Any) -> tuple[int, bytes]:
        self._keys += 1
        return await self.ask("POST", path, body, **{KEY: f"{id(self)}-{self._keys}"})

    async def watch(self, subjects: list[str]) -> None:
        """Watch until cancelled."""

        async def receive() -> dict[str, Any]:
            await asyncio.Event().wait()
            return {"type": "http.disconnect"}

        head = b""

        async def send(message: dict[str, Any]) -> None:
            nonlocal head
            if message["type"] == "http.response.start":
                head = b"\n".join(b"%s: %s" % pair for pair in message["headers"])
                assert message["status"] == 200, (self.who, subjects)
            elif message.get("body"):
                self.sent.append(Sent(self.house.floor.state.seq, "", b"", head, message["body"]))
                head = b""

        query = "&".join(f"subject={subject}" for subject in subjects)
        await self.house.app(self._scope("GET", f"/stream?{query}", self.headers), receive, send)

    def welcome(self, answer: bytes) -> None:
        self.headers["x-csrf-token"] = json.loads(answer)["csrf"]

    def _cookies(self, headers: Any) -> None:
        for name, value in headers:
            if name == b"set-cookie":
                self.headers["cookie"] = value.decode().partition(";")[0]

    def _scope(self, method: str, path: str, headers: dict[str, str]) -> dict[str, Any]:
        place, _, query = path.partition("?")
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": f"{API}{place}",
            "raw_path": f"{API}{place}".encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
            "state": {},
        }


class House:
    """A floor with a virtual table of every game, the application on it, and everybody who is there."""

    def __init__(self, folder: Path, random: Random) -> None:
        key = folder / "houseway.key"
        new_key(key)
        self.shoe = TiltedShoe(random, tilt=0.2)
        self.config = floor_of(random, ("virtual",), GAMES)
        self.floor = Floor(open_store(str(folder / "floor.db")), keys=Keyring.load(key), shoe=self.shoe)
        people = [FirstPerson(staff, staff, role, f"card-{staff}", PIN) for staff, role in STAFF.items()]
        self.floor.found(self.config, people, pin_set=True)
        for link in self.config.links:
            for meter in link.terms.meters:
                seed = office.SeedMeter(link=link.id, meter=meter)
                self.floor.handle(office.Order(id=f"seed-{link.id}-{meter}", by="m1", command=seed))
        settings = ServerSettings(db=str(folder / "floor.db"), key_file=key, **MANY)
        self.app: Any = make_app(self.floor, settings)
        self.clients: dict[str, Client] = {}
        self.loop = asyncio.new_event_loop()

    def run(self, asked: Coroutine[Any, Any, tuple[int, bytes]]) -> tuple[int, bytes]:
        """Have something done on the application's loop, from another thread."""
        return asyncio.run_coroutine_threadsafe(asked, self.loop).result(60)

    async def open(self) -> None:
        """Everybody comes in."""
        for staff in STAFF:
            surveillance = staff in ("m1", "s1", "e1", "a1", "o1")
            await self._signed(staff, Who("surveillance" if surveillance else "dealer"), card=f"card-{staff}", pin=PIN)
        for name in (*(f"guest-{number}" for number in range(1, GUESTS + 1)), "stranger"):
            _, answer = await self.clients["d1"].order("/players/admit", {"player": name})
            code = json.loads(answer)["code"]
            await self._signed(f"{PLAYER}{name}", Who("player", name, self.floor.state.guests[name].id), code=code)
        link, table = self.config.links[0].id, self.config.tables[0].id
        for right, subject in (("display", link), ("sensor", table), ("casino", "")):
            body = {"device": right, "right": right, "subject": subject}
            _, answer = await self.clients["m1"].order("/devices/issue-device", body)
            self.clients[right] = Client(self, Who("display"))
            self.clients[right].headers["authorization"] = f"Bearer {json.loads(answer)['token']}"

    async def _signed(self, name: str, who: Who, **body: str) -> None:
        client = self.clients[name] = Client(self, who)
        status, answer = await client.ask("POST", "/session/player" if "code" in body else "/session", body)
        assert status == 200, answer
        client.welcome(answer)

    def subjects(self, name: str) -> list[str]:
        """Everything that somebody may watch."""
        tables = [f"table/{table.id}" for table in self.config.tables]
        links = [f"link/{link.id}" for link in self.config.links]
        match name:
            case "display":
                return links[:1]
            case "sensor":
                return tables[:1]
            case "casino":
                return [*links, "floor"]
            case "a1":
                return [*tables, *links, "floor", "manager"]
            case "m1" | "e1":
                return ["manager"]
            case "d1" | "s1":
                return [*tables, *links, "floor"]
        return [*tables, *links]

    def journal(self) -> list[Entry]:
        return [entry_of(row.body) for row in self.floor.store.entries()]


@contextmanager
def playing(folder: Path, random: Random) -> Iterator[House]:
    """A house with everybody in it, watching; after it the house is closed."""
    house = House(folder, random)

    async def evening() -> None:
        await house.open()
        async with house.app._app.router.lifespan_context(house.app._app):
            watches = [
                asyncio.create_task(client.watch(house.subjects(name))) for name, client in house.clients.items()
            ]
            ready.set()
            await over.wait()
            await asyncio.sleep(0.7)
            for one in watches:
                assert not one.done(), one
                one.cancel()
            await asyncio.gather(*watches, return_exceptions=True)

    ready, over, failed = ThreadEvent(), asyncio.Event(), []

    def run() -> None:
        try:
            house.loop.run_until_complete(evening())
        except BaseException as error:
            failed.append(error)
        ready.set()

    thread = Thread(target=run, daemon=True)
    thread.start()
    try:
        assert ready.wait(60)
        if not failed:
            yield house
    finally:
        house.loop.call_soon_threadsafe(over.set)
        thread.join(60)
        house.floor.close()
        house.loop.close()
    if failed:
        raise failed[0]


# ------------------------------------------------------------------------------------------------------- those who play


class OverHttp(Staffed):
    """The people of `Evening`, each at his own screen."""

    def __init__(self, house: House, random: Random) -> None:
        self.house, self.random = house, random
        self.floor: Any = house.floor

    @property
    def state(self) -> FloorState:
        return self.house.floor.state

    def felt(self, table: str, by: str = "d1") -> Felt:
        return felt_of(self.house, self.state, table)

    def do(self, by: str, command: office.Command, second: str = "") -> Entry:
        """Give an order over the API; now and then somebody looks around, or tries what he may not."""
        assert isinstance(command, TableCommand)
        if self.random.random() < 0.25:
            self.look_around(command.table)
        if self.random.random() < 0.1:
            self.try_something(command.table)
        status, answer = self.give(by, command)
        if status != 200:
            raise Refusal("order", answer.decode())
        return _NOTHING

    def give(self, by: str, command: TableCommand) -> tuple[int, bytes]:
        tag = str(command.__struct_config__.tag).replace("_", "-")
        body = msgspec.to_builtins(command)
        del body["type"], body["table"]
        return self.house.run(self.house.clients[by].order(f"/tables/{command.table}/{tag}", body))

    def look_around(self, table: str) -> None:
        """Somebody asks for something that he may or may not see."""
        number = self.state.tables[table].round.number
        name = self.random.choice([*self.house.clients])
        link = self.house.config.links[0].id
        paths = (
            *(f"/tables/{table}", f"/tables/{table}", "/tables", "/floor", "/manager", "/claims", "/wins"),
            *(f"/links/{link}", "/links", f"/tables/{table}/rounds", f"/tables/{table}/rounds/{number}"),
            *(f"/tables/{table}/rounds/{number}.txt", f"/tables/{table}/rounds/{max(number - 1, 1)}"),
            *("/journal?limit=12", f"/journal/{self.state.seq}", "/journal/head", f"/tables/{table}/sign", "/session"),
        )
        self.house.run(self.house.clients[name].ask("GET", self.random.choice(paths)))

    def try_something(self, table: str) -> None:
        """An order that is out of turn or another's; its refusal is sent too."""
        spot = self.random.randint(1, 6)
        hands = [row.hand for link in self.state.links.values() for row in link.now.table.rows]
        low = self.random.choice(("Ah", "2c", "Jk"))
        by, command = self.random.choice(
            (
                ("d1", press.NameWin(table=table, spot=spot, hand=self.random.choice(hands))),
                ("player/stranger", play.Act(table=table, spot=spot, action="low", card=low)),
                ("player/guest-1", play.Act(table=table, spot=2, action="low", card=low)),
                ("player/guest-2", play.Bet(table=table, spot=1, wager="ante", cents=1000)),
                ("d1", play.EnterCards(table=table, spot=spot, cards="Ah Kd 2c")),
                ("player/stranger", play.Reveal(table=table)),
                ("display", press.Light(table=table, spot=spot)),
                ("s1", press.Confirm(table=table, spot=spot)),
            )
        )
        # After the reveal wins are named and confirmed in earnest: there these would take part in the round.
        if not isinstance(command, press.NameWin | press.Confirm) or not self.play(table).revealed:
            self.give(by, command)


_NOTHING: Final = Entry(
    seq=0, at=0, day="", order="", digest="", by="", second="", kind="", table="", round=0, events=()
)


def felt_of(house: House, state: FloorState, table: str) -> Felt:
    """A table as of a state."""
    context = Context(state.seq + 1, max(state.at, 1), "d1", "dealer", state.day, state.policies)
    return Felt(opened(state.tables[table], house.shoe), state.link_of(table), context, house.shoe)


def play_rounds(house: House, rounds: int, random: Random) -> int:
    """So many rounds at all tables together, all tables at once; then somebody who played none asks for the last of
    each. Answers how many were closed."""

    def at(table: str, count: int, seed: str) -> int:
        evening = Evening(OverHttp(house, Random(seed)), Random(f"{seed} play"))
        seats = min(GUESTS, house.floor.state.tables[table].config.spots)
        done = 0
        for _ in range(count):
            spots = evening.random.sample(range(1, seats + 1), evening.random.randint(1, min(3, seats)))
            try:
                evening.whole_round(table, spots)
                done += 1
            except Refusal as refused:
                raise AssertionError(f"{table}: {refused}") from refused
        return done

    tables = [table.id for table in house.config.tables]
    with ThreadPoolExecutor(len(tables)) as crowd:
        share = rounds // len(tables)
        working = [crowd.submit(at, table, share, f"{table} {random.random()}") for table in tables]
        closed = sum(one.result() for one in working)
    for table in tables:
        number = house.floor.state.tables[table].round.number - 1
        for before in range(min(number, 3)):
            house.run(house.clients["player/stranger"].ask("GET", f"/tables/{table}/rounds/{number - before}"))
    return closed


# -------------------------------------------------------------------------------------------------------------- search


class Search:
    """Holds everything that was sent against the journal."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.looked: Counter[str] = Counter()
        self.folded_told: list[str] = []
        """Folded hands of others that a player was told after the round."""
        self.states: dict[int, FloorState] = {}
        self.over: dict[tuple[str, int], int] = {}
        """The entry that ended each round."""
        self.last_of: dict[tuple[str, int], int] = {}
        """The last entry of each round before that."""
        self.pairs: dict[tuple[str, int], re.Pattern[str]] = {}
        """Of each round: any two cards that lay on each other in its deck, as numbers."""
        self.sealed: list[str] = []
        state = FloorState()
        for entry in house.journal():
            before = state
            state = self.states[entry.seq] = after(state, entry, "")
            where = entry.table, entry.round
            for event in entry.events:
                if isinstance(event, DeckOpened):
                    self.pairs[where] = as_numbers(event.order)
            if entry.table:
                sealed = state.tables[entry.table].round.play.sealed
                if sealed and sealed != before.tables[entry.table].round.play.sealed:
                    self.sealed.append(sealed)
                if before.tables[entry.table].round.number < state.tables[entry.table].round.number:
                    self.over[where] = entry.seq
                    self.last_of[where] = before.seq
        self._sealed = re.compile("|".join(re.escape(one[:24]) for one in self.sealed).encode() or b"$^")
        self._no_cards: set[bytes] = set()

    def everything(self) -> Counter[str]:
        """Every byte to every client."""
        for client in self.house.clients.values():
            reading = Reading()
            for sent in client.sent:
                self.looked["bytes"] += len(sent.head) + len(sent.body)
                self.head(sent)
                if not sent.path.startswith("/journal") and self._sealed.search(sent.body):
                    raise AssertionError(f"{client.who} got a sealed deck: {sent.path}")
                if not sent.path:
                    self.piece(client, reading, sent)
                    continue
                self.looked["answers"] += 1
                self.answer(client, sent)
        return self.looked

    def piece(self, client: Client, reading: Reading, sent: Sent) -> None:
        """A piece of a stream. It is made of whole messages; a step that many get is the same to the byte for each."""
        assert sent.body.endswith(b"\n\n"), sent.body
        for block in sent.body.split(b"\n\n")[:-1]:
            if block in self._no_cards:
                self.looked["again"] += 1
                continue
            for told in reading.take(block + b"\n\n"):
                self.looked[told.event] += 1
                self.document(client, told.data, sent)
                if told.event != "view":
                    self._no_cards.add(block)

    def head(self, sent: Sent) -> None:
        """No card in any header; a cookie is the client's own secret, drawn before any card."""
        lines = [line for line in sent.head.split(b"\n") if not line.startswith(b"set-cookie")]
        assert not cards_in(b"\n".join(lines).decode("latin-1")), sent.head

    def answer(self, client: Client, sent: Sent) -> None:
        if "/rounds/" in sent.path:
            self.record(client, sent)
        elif sent.path.startswith("/journal"):
            self.books(client, sent)
        else:
            self.document(client, json.loads(sent.body or b"{}"), sent)

    def document(self, client: Client, value: Any, sent: Sent) -> None:
        """Table views by their entry; outside them no card at all, but those that the client itself had sent."""
        rest = self.views(client, value, sent)
        text = msgspec.json.encode(rest)
        if text in self._no_cards and not sent.said:
            return
        own = cards_in(sent.said.decode())
        found = cards_in(text.decode()) - own
        assert not found, f"{client.who} was told {text_of(found)} at entry {sent.entry}: {text.decode()[:400]}"
        if not sent.path.endswith("/sign"):
            self.numbers(rest)
            for table in self.house.config.tables:
                pairs = self.pairs.get((table.id, self.states[sent.entry].tables[table.id].round.number))
                told = pairs.search(text.decode()) if pairs is not None else None
                assert told is None, f"{client.who} was told the numbers {told and told.group()}: {text.decode()[:400]}"
        if not own:
            self._no_cards.add(text)

    def views(self, client: Client, value: Any, sent: Sent) -> Any:
        """Check the views of tables in a document; answers the document without them."""
        if isinstance(value, dict):
            if {"table", "entry", "play", "progressive"} <= value.keys():
                self.table(client, value, sent)
                return None
            return {name: self.views(client, one, sent) for name, one in value.items()}
        if isinstance(value, list):
            return [self.views(client, one, sent) for one in value]
        return value

    def table(self, client: Client, view: dict[str, Any], sent: Sent) -> None:
        """A table's view: what was open to the client as of its entry, which was durable when it was sent."""
        entry = view["entry"]
        assert entry <= sent.entry, f"a view of entry {entry} was sent when the last one was {sent.entry}"
        felt = felt_of(self.house, self.states[entry], view["table"])
        text = msgspec.json.encode(view).decode()
        found, may = cards_in(text), open_to(felt, client.who)
        assert found <= may, f"{client.who} saw {text_of(found - may)} of {view['table']} at entry {entry}: {text}"
        self.numbers(view)
        told = self.pairs[view["table"], felt.round.number].search(text) if felt.play.shuffled else None
        assert told is None, f"{client.who} saw the numbers {told and told.group()} of cards: {text}"
        self.looked["views"] += 1
        self.looked["cards"] += len(found)
        hidden = set(felt.play.dealer).union(*(hand.cards for hand in felt.play.hands.values())) - may
        self.looked["hidden"] += len(hidden)

    def numbers(self, value: Any, key: str = "") -> None:
        """Cards are numbers inside the house: no list of numbers leaves it but lists of spots."""
        if isinstance(value, dict):
            for name, one in value.items():
                self.numbers(one, key if key in SPOT_LISTS else name)
        elif isinstance(value, list):
            for one in value:
                if isinstance(one, int) and not isinstance(one, bool):
                    assert key in SPOT_LISTS, f"a list of numbers in {key!r}: {value}"
                    assert 0 <= one <= MOST_SPOTS, f"{one} is no spot, in {key!r}: {value}"
                else:
                    self.numbers(one, key)

    def record(self, client: Client, sent: Sent) -> None:
        """The record of a round is of one that was over; to a player it tells no more than he saw at its end."""
        _, table, _, place = sent.path.strip("/").split("/")
        where = table, int(place.removesuffix(".txt"))
        found = cards_in(sent.body.decode())
        if where not in self.over or self.over[where] > sent.entry:
            assert not found, f"{client.who} was told {text_of(found)} of {where}, which was not over"
            return
        self.looked["records"] += bool(found)
        if client.who.kind == "player":
            self.folded(client, felt_of(self.house, self.states[self.last_of[where]], table), sent)

    def folded(self, client: Client, felt: Felt, sent: Sent) -> None:
        """FL-3: a folded hand went to the rack unseen; only who played the round is told of it, with the deck."""
        if any(hand.player == client.who.player for hand in felt.play.hands.values()):
            return
        told = hands_in(sent.body.decode())
        for hand in felt.play.hands.values():
            if hand.folded and hand.player != client.who.player and not set(hand.cards) & open_to(felt, client.who):
                self.looked["folded"] += 1
                if any(set(hand.cards) <= one for one in told):
                    self.folded_told.append(f"{client.who} was told {text_of(hand.cards)} by {sent.path}")

    def books(self, client: Client, sent: Sent) -> None:
        """The journal over the API: of a round that is not over it tells no card."""
        answer = json.loads(sent.body or b"{}")
        items = answer.get("items") or ([answer] if "events" in answer else [])
        for item in items:
            where = item["table"], item["round"]
            if not item["table"] or self.over.get(where, sent.entry + 1) <= sent.entry:
                continue
            self.looked["open entries"] += 1
            text = json.dumps({name: one for name, one in item.items() if name != "hash"})
            assert not cards_in(text), f"{client.who} read {text} at entry {sent.entry}"
            assert not self._sealed.search(text.encode()), f"{client.who} read a sealed deck at entry {sent.entry}"
            self.numbers({name: one for name, one in item.items() if name in ("events", "shown")})
        if not items:
            assert not cards_in(json.dumps({k: v for k, v in answer.items() if k not in ("text", "signature")}))


def as_numbers(order: Iterable[Card]) -> re.Pattern[str]:
    """Finds any two cards that lie on each other in a deck, written as numbers; not two that could be spots."""
    pairs = [f"{one}, ?{other}" for one, other in pairwise(order) if max(one, other) > MOST_SPOTS]
    return re.compile(rf"(?<!\d)(?:{'|'.join(pairs)})(?!\d)")


def hands_in(text: str) -> list[set[Card]]:
    """The cards of every line that names some."""
    made = []
    for line in text.replace("\\n", "\n").split("\n"):
        with suppress(Refusal):
            if found := cards_in(line):
                made.append(found)
    return made


def played(folder: Path, rounds: int, seed: int) -> Search:
    """Play, and search everything that was sent."""
    random = Random(seed)
    with playing(folder, random) as house:
        closed = play_rounds(house, rounds, random)
    reopened = open_store(str(folder / "floor.db"), create=False, read_only=True)
    house.floor = Floor(reopened, keys=house.floor.keys, threaded=False)
    try:
        search = Search(house)
        search.everything()
    finally:
        reopened.close()
    search.looked["rounds"] = closed
    return search


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Search]:
    """What 150 rounds showed."""
    with pytest.MonkeyPatch.context() as patch:
        weaken(patch)
        yield played(tmp_path_factory.mktemp("evening"), 150, 1)


def test_no_hand_leaks_over_the_wire_in_150_rounds(evening: Search) -> None:
    looked = evening.looked
    assert looked["rounds"] == 150
    assert looked["views"] > 1_000
    assert min(looked["cards"], looked["hidden"]) > 1_500, looked
    assert min(looked["step"], looked["again"], looked["answers"]) > 1_500, looked
    assert min(looked["records"], looked["open entries"]) > 3, looked


def test_who_did_not_play_a_round_is_told_no_folded_hand_of_it(evening: Search) -> None:
    assert evening.looked["folded"] > 5, evening.looked
    assert evening.folded_told == []


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10, 20))
def test_no_hand_leaks_over_the_wire_in_5000_rounds(tmp_path: Path, seed: int) -> None:
    assert played(tmp_path, 500, seed).looked["rounds"] == 500


# ------------------------------------------------------------------------------------------------------- planted leaks


_HINT: Final = "text/event-stream; hint=Ah"


def _all_hands(felt: Felt, who: Who, hand: Any) -> bool:
    return True


def _dealers_cards(felt: Felt, who: Who) -> str:
    return text_of(felt.play.dealer)


def _numbers(felt: Felt, who: Who, hand: Any) -> str:
    return str(list(hand.cards))


@pytest.mark.parametrize(
    ("where", "name", "leak", "found"),
    [
        pytest.param(play_views, "_sees", _all_hands, "saw .* of ", id="hands"),
        pytest.param(play_views, "_dealer", _dealers_cards, "saw .* of ", id="dealer", marks=pytest.mark.long),
        pytest.param(play_views, "_decided", _numbers, "saw the numbers", id="numbers in views"),
        pytest.param(FaceUpShown, "SHOWN", show("cards"), "a list of numbers in 'cards'", id="numbers in steps"),
        pytest.param(
            SeedCommitted,
            "SHOWN",
            show("commitment", "sealed"),
            "got a sealed deck",
            id="sealed deck",
            marks=pytest.mark.long,
        ),
        pytest.param(stream, "MEDIA_TYPE", _HINT, "hint=Ah", id="header", marks=pytest.mark.long),
    ],
)
def test_a_planted_leak_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: Any, name: str, leak: Any, found: str
) -> None:
    assert hasattr(where, name)
    monkeypatch.setattr(where, name, leak)
    with pytest.raises(AssertionError, match=found):
        played(tmp_path, len(GAMES), 2)
