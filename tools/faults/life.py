"""One floor of a run: founded, served, given orders, and checked after whatever happens to it."""

from __future__ import annotations

import hashlib
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Final
from unittest.mock import patch

from argon2 import PasswordHasher
from card_load import GUESTS
from floor_load import FIRST, PIN, STAFF, STUD, Load, Sent, card_of, random_floor

from faults.check import check
from faults.counts import Counts, Ended
from faults.databases import Database
from faults.server import Attempt, Attempts, Manner, Server, key_beside
from houseway.manager import credentials
from houseway.manager.commands import Admit, Enter, Order, PayLateWin, Role
from houseway.manager.config import FloorConfig
from houseway.manager.entry import Entry
from houseway.manager.floor import FirstPerson, Floor
from houseway.manager.keyring import Keyring
from houseway.manager.store import open_store

WINDOW: Final = 24
"""How many orders wait for their answers at the same time."""
LONGEST: Final = 0.6
"""How many seconds the mixture is played at most before something happens."""


class Life:
    """One floor, with everything that was asked of it."""

    def __init__(
        self,
        database: Database,
        rng: Random,
        folder: Path,
        counts: Counts,
        planted: str = "",
        joined: Sequence[str] = (STUD, STUD),
    ) -> None:
        folder.mkdir()
        self.rng = rng
        self.plan = rng
        """Decides about events. It is another one than that of the orders, whose number is the machine's."""
        self.counts = counts
        self.database = database
        self.planted = planted
        self.log = folder / "server.log"
        self.config = random_floor(rng, joined)
        self.url = database.new()
        self.attempts: Attempts = defaultdict(list)
        self.entries: dict[str, Entry] = {}
        self.load = Load(rng, self.config)
        self.servers: list[Server] = []
        found_floor(self.url, self.config, Keyring.load(key_beside(self.log)))

    # -------------------------------------------------------------------------------------------------------- servers

    def start(self, many: int = 1, manner: Manner | None = None) -> None:
        """Begin so many servers."""
        manner = manner or Manner(planted=self.planted)
        self.servers = [Server(self.url, self.log, manner) for _ in range(many)]

    def serve(self, many: int = 1, manner: Manner | None = None) -> None:
        """Begin so many servers, wait until they serve, and settle what is open."""
        self.start(many, manner)
        for server in self.servers:
            server.ready()
        self.send_again()

    def kill(self, servers: Sequence[Server] | None = None) -> None:
        """Kill servers; all of them where none are named."""
        killed = list(self.servers if servers is None else servers)
        for server in killed:
            server.kill()
        self.servers = [server for server in self.servers if server not in killed]

    def answered(self) -> None:
        """Wait until every order has its answer."""
        for server in self.servers:
            server.answered()

    def finish(self) -> None:
        """Serve once more, settle what is open, stop in good order, and check."""
        self.serve()
        (server,) = self.servers
        code = server.stop()
        self.servers = []
        if code:
            self.counts.find("lost", f"the server ended with {code}: {server.last_words()}")
        self.check()

    def check(self) -> None:
        """Everything that must hold, with nobody serving."""
        self.database.settle(self.url)
        self.entries = check(self.url, self.attempts, self.counts)

    # --------------------------------------------------------------------------------------------------------- orders

    def send(self, server: Server, sent: Sent) -> Attempt | None:
        """Send one order, and remember it."""
        attempt = server.send(sent)
        if attempt is not None:
            self.attempts[sent.id].append(attempt)
            self.counts.orders += 1
        return attempt

    def play(self, seconds: float | None = None, *, may_end: bool = False) -> None:
        """The mixture, with many orders on their way at any time; ``may_end`` allows servers to end meanwhile."""
        ends = time.monotonic() + (self.plan.uniform(0.02, LONGEST) if seconds is None else seconds)
        there = list(self.servers)
        while there and time.monotonic() < ends:
            server = self.rng.choice(there)
            try:
                self._step(server, ends)
            except Ended:
                if not may_end:
                    raise
                there.remove(server)
        for tries in self.attempts.values():
            for one in tries:
                if one.done and isinstance(one.sent.wish.command, PayLateWin):
                    self.load.learn((one.answer or {})["entry"])

    def _step(self, server: Server, ends: float) -> None:
        if server.view is not None and server.in_flight < WINDOW:
            order = self.load.next(server.view)
            self.send(server, order)
            if len(self.servers) > 1 and self.rng.random() < 0.05:
                # The same order at both servers at once: one of them carries it out.
                for other in self.servers:
                    self.send(other, order)
            server.sent += 1
            if server.sent % 10 == 0:
                server.say({"op": "view", "id": f"view-{server.sent}"})
        else:
            server.take(min(0.05, ends - time.monotonic()))
        while server.take(0):
            pass

    def send_again(self) -> None:
        """Send every order again that nobody was told the outcome of, and some that are known."""
        # A member whose card is locked cannot sign in again now, and sends nothing.
        sendable = [one for tries in self.attempts.values() for one in tries if self._signed_in(one.sent)]
        known = [one for one in sendable if one.done]
        chosen = [one for one in sendable if one.open] + self.rng.sample(known, min(5, len(known)))
        again = [(one, self.send(self.rng.choice(self.servers), one.sent)) for one in chosen]
        self.answered()
        for before, after in again:
            if after is None or after.open:
                continue
            self._check_again(before, after)
            if before.open:
                # Now somebody was told: from here on only that counts.
                self.attempts[before.sent.id] = [
                    attempt for attempt in self.attempts[before.sent.id] if attempt is not before
                ]

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


def found_floor(url: str, config: FloorConfig, keys: Keyring) -> None:
    """A new floor with its staff. Their PINs are hashed as weakly as argon2 allows: they sign in at every start."""
    floor = Floor(open_store(url), keys=keys)
    try:
        people: dict[str, Role] = {FIRST: "manager", **STAFF}
        first_persons = [FirstPerson(staff, staff.upper(), role, card_of(staff), PIN) for staff, role in people.items()]
        weak = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        with patch.object(credentials, "_hasher", lambda: weak):
            floor.found(config, first_persons, pin_set=True)
        for name in GUESTS:
            secret = hashlib.sha256(f"secret of {name}".encode()).hexdigest()
            floor.handle(Order(id=f"admit-{name}", by="d1", command=Admit(player=name, code=f"code of {name}")))
            enter = Enter(code=f"code of {name}", session=secret)
            floor.handle(Order(id=f"enter-{name}", by=f"player/{name}", command=enter))
    finally:
        floor.close()
