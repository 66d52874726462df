"""A whole floor in one process, by seed: the real engine on real SQL, with a made-up clock, people and disk faults.

Everything that must hold is looked at after every command, or after every group of commands that was made durable
together. Two servers may share the floor, each with a state of its own, behind the other until its next order. And the
database may be replaced under them by an older one. A seed that fails says so, and how to see it again:

    .venv/bin/python -m tests.manager.simulation --seed 7 --trace [--servers 2] [--replace file|log|database]
        [--six-games]
"""

from __future__ import annotations

import argparse
import hashlib
import logging
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple, get_args
from zoneinfo import ZoneInfo

import msgspec
from msgspec.structs import replace
from tests.keys import KEYS
from tests.manager.card_books import CardTable
from tests.manager.second_books import Books, Wrong, hold

from houseway.books.replay import replay
from houseway.books.verify import verify
from houseway.books.view import floor_view
from houseway.manager.commands import Admit, Enroll, Found, Order, PayLateWin, Person, Role, SetPin, SignIn, digest_of
from houseway.manager.credentials import credential_digest
from houseway.manager.entry import Entry, entry_of
from houseway.manager.events import AuthorityRefused
from houseway.manager.floor import INSTALLATION, Done, Floor, _Job
from houseway.manager.shoe import SealingShoe
from houseway.manager.state import FloorState, after, caught_up
from houseway.manager.store import open_store
from houseway.manager.store.base import Credential, Head, Row, Store, StoreFault
from houseway.refusal import NotAllowed, Refusal
from houseway.table.card_round.cards import opened
from houseway.table.commitment import unseal
from houseway.table.progressive_round.events import WinPaid
from houseway.table.state import TableState

# The crash test draws from the same mixture, and tools/ is no package.
sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from card_load import GUESTS
from floor_load import FIRST, RIGHT, SIX_GAMES, STAFF, STUD, Load, Sent, card_of, random_floor

SEEDS = 60
"""So many floors are simulated in every run; within as many every planted bug must show."""
COMMANDS = 250
KEY = "ab" * 32
DECKS = b"seals the decks of a simulation."
MOMENTS = (
    datetime(2026, 3, 8, 9, 30, tzinfo=UTC),  # the night the clocks go forward in America
    datetime(2026, 11, 1, 8, 30, tzinfo=UTC),  # and back
    datetime(2026, 4, 4, 14, 30, tzinfo=UTC),  # half an hour back on Lord Howe Island
    datetime(2025, 12, 31, 23, 0, tzinfo=UTC),  # a new table of tax forms
    datetime(2026, 6, 12, 18, 0, tzinfo=UTC),
)
"""When a simulated floor opens."""


class Broken(AssertionError):  # noqa: N818  what a seed is then
    """A seed that showed something that must not be, with the command that shows it again."""


class Clock:
    """A clock that jumps, comes near midnight and the start of a gaming day, and now and then goes back."""

    def __init__(self, rng: Random, zone: str) -> None:
        self._rng = rng
        self._zone = ZoneInfo(zone)
        self.now = int(rng.choice(MOMENTS).timestamp()) * 1_000_000

    def __call__(self) -> int:
        return self.now

    def tick(self) -> None:
        """Let some time pass."""
        chance = self._rng.random()
        if chance < 0.90:
            self.now += self._rng.randint(0, 20_000_000)
        elif chance < 0.95:
            self.now += self._rng.randint(1, 90) * 60_000_000
        elif chance < 0.98:
            self._to_the_hour()
        else:
            self.now -= self._rng.randint(1, 7_200) * 1_000_000

    def _to_the_hour(self) -> None:
        """To just before or after a full or half hour: that is where days begin and clocks change."""
        local = datetime.fromtimestamp(self.now // 1_000_000, self._zone) + timedelta(hours=self._rng.randint(1, 9))
        hour = local.replace(minute=self._rng.choice((0, 30)), second=0)
        self.now = int(hour.timestamp()) * 1_000_000 + self._rng.choice((-1, 0, 1))


class Flaky:
    """A real store whose commit fails now and then: before or after it was done, and sure of that or not."""

    def __init__(self, store: Store, rng: Random, chance: float) -> None:
        self.store = store
        self._rng = rng
        self._chance = chance
        self._down = False
        self.faults = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

    def begin(self) -> Head:
        if self._down:
            self._down = False
            self.faults += 1
            raise StoreFault("the database does not answer")
        return self.store.begin()

    def commit(self) -> None:
        if self._rng.random() >= self._chance:
            self.store.commit()
            return
        self.faults += 1
        done, sure = self._rng.choice(((False, True), (False, False), (True, False)))
        if done:
            self.store.commit()
        else:
            self.store.rollback()
        self._down = not sure and self._rng.random() < 0.5
        raise StoreFault("the database was lost", uncertain=not sure)


class Shared:
    """A store that several floors of this process are on: closing one floor leaves it open."""

    def __init__(self, store: Flaky) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def close(self) -> None:
        """Left to the end."""
        self._store.rollback()


@dataclass
class Running:
    """One server: a floor in memory, on a store, and the entries it told its listeners of."""

    floor: Floor
    store: Flaky
    told: list[Entry]
    since: int
    """The last entry that was there when it began."""

    @classmethod
    def on(cls, store: Flaky, floor: Floor) -> Running:
        """A server that listens to its own floor."""
        running = cls(floor, store, [], floor.state.seq)
        floor.listen(lambda entries, state: running.told.extend(entries))
        return running


Replacement = Literal["", "file", "log", "database"]
"""What becomes of the database under running servers: an older file gets its name, its log is deleted, or an older
copy answers in its place, as a standby does that was behind."""


class Answered(NamedTuple):
    """An order and what came of it."""

    order: Order
    answer: Done | BaseException


class Played(NamedTuple):
    """What came of a seed."""

    seen: Counter[str]
    """What happened, counted."""
    hash: str
    """The hash of the last entry: the same seed gives the same, to the last letter of the journal."""


class Simulation:
    """One seed: so many servers on one floor, in a file or in the database of ``url``."""

    def __init__(
        self,
        seed: int,
        folder: Path,
        *,
        commands: int = COMMANDS,
        trace: bool = False,
        servers: int = 1,
        replacement: Replacement = "",
        url: str = "",
        six_games: bool = False,
    ) -> None:
        self.seed = seed
        self.rng = Random(seed)
        self.turns = Random(f"turns of {seed}")
        self.decks = Random(f"decks of {seed}")
        self.salts = Random(f"salts of {seed}")
        self.config = random_floor(self.rng, SIX_GAMES if six_games else (STUD, STUD))
        self.games = {table.id: table.game for table in self.config.tables}
        self.six_games = six_games
        self.clock = Clock(self.rng, self.config.policies.time_zone)
        self.file = folder / f"floor-{seed}.db"
        self.url = url or str(self.file)
        self.replacement: Replacement = replacement
        self.running: list[Running] = []
        self.servers = servers
        self.commands = commands
        self.trace = trace
        self.load = Load(self.rng, self.config)
        self.books = Books(lambda sealed, table, number: unseal(sealed, [DECKS], table=table, round=number))
        self.folded = FloorState()
        self.sums: Counter[str] = Counter()
        self.entries: dict[str, Entry] = {}
        self.made: dict[int, tuple[Sent, Order, tuple[Credential, ...]]] = {}
        self.digests: dict[str, str] = {}
        self.seen: Counter[str] = Counter()
        self.faulty = 0.0
        """How often a commit fails; never while the floor is being founded."""

    def run(self) -> Played:
        """Play the seed; raises Broken where something does not hold."""
        step = 0
        self._start()
        try:
            self._open_shop()
            while step < self.commands:
                step += self._step()
            if self.replacement:
                self._replace()
            else:
                self._end()
        except Broken:
            raise
        except Exception as wrong:
            again = f".venv/bin/python -m tests.manager.simulation --seed {self.seed} --commands {self.commands}"
            again += f" --servers {self.servers}" if self.servers > 1 else ""
            again += f" --replace {self.replacement}" if self.replacement else ""
            again += " --six-games" if self.six_games else ""
            raise Broken(
                f"seed {self.seed}, command {step}, entry {self.folded.seq}: {type(wrong).__name__}: {wrong}\n"
                f"see it again: {again} --trace"
            ) from wrong
        finally:
            for one in self.running:
                one.floor.close()
            for one in self.running:
                one.store.store.close()
        return Played(self.seen, self.folded.hash)

    # ------------------------------------------------------------------------------------------------------- the floor

    def _start(self) -> None:
        """Begin all servers. Those of a file share its one store, whose transactions never overlap here."""
        shared = Flaky(open_store(self.url), self.rng, self.faulty)
        for number in range(self.servers):
            own = number and "://" in self.url
            store = Flaky(open_store(self.url), self.rng, self.faulty) if own else shared
            self.running.append(self._begun(store))
        self._take_turns(0)

    def _begun(self, store: Flaky) -> Running:
        shoe, salts = SealingShoe(DECKS, entropy=self.decks.randbytes), self.salts.randbytes
        # What closes a floor must not close the store of the other one.
        held: Any = store if self.servers == 1 else Shared(store)
        floor = Floor(held, keys=KEYS, clock=self.clock, threaded=False, shoe=shoe, random=salts)
        return Running.on(store, floor)

    def _take_turns(self, number: int) -> None:
        """Have one of the servers do what comes next."""
        self.at = number
        self.floor, self.store = self.running[number].floor, self.running[number].store

    def _open_shop(self) -> None:
        """Found the floor and enrol its staff, through the same door as everything else."""
        people: dict[str, Role] = {FIRST: "manager", **STAFF}
        credentials = {staff: self._enrol(staff, role) for staff, role in people.items()}
        command = Found(
            config=self.config,
            people=tuple(
                Person(staff=staff, name=staff.upper(), role=role, card=card_of(staff), credential=digest)
                for (staff, role), (digest, _) in zip(people.items(), credentials.values(), strict=True)
            ),
            key=KEY,
            pin_set=True,
        )
        made = tuple(credential for _, credential in credentials.values())
        self._give([(Order(id="found", by=INSTALLATION, command=command), made)])
        for name in GUESTS:
            admit = Admit(player=name, code=f"code of {name}")
            self._give([(Order(id=f"admit-{name}", by="d1", command=admit), ())])
        self.faulty = self.rng.choice((0.0, 0.01))
        for one in self.running:
            one.store._chance = self.faulty
            one.floor.refresh()

    def _enrol(self, staff: str, role: str) -> tuple[str, Credential]:
        # What argon2 would make of a PIN is not the subject here, and would take most of the time.
        credential = Credential(card_of(staff), staff, f"hash of {staff} as {role}, {len(self.digests)}")
        digest = credential_digest(credential)
        self.digests[card_of(staff)] = digest
        return digest, credential

    def _step(self) -> int:
        """One command, or several in one transaction; now and then a restart."""
        self.clock.tick()
        if self.servers > 1 and self.turns.random() < 0.3:
            self._take_turns(self.turns.randrange(self.servers))
        if self.rng.random() < 0.01:
            self._restart()
        view = msgspec.to_builtins(floor_view(self.floor.state))
        size = 1 if self.rng.random() < 0.85 else self.rng.randint(2, 6)
        self._give([self._order(self.load.next(view)) for _ in range(size)])
        for other in self.running:
            if other.floor is not self.floor and self.turns.random() < 0.02:
                # By itself, without an order, as a server does that hears of an entry.
                hold(other.floor.refresh() == self.folded, "two servers of one floor do not agree")
        return size

    def _order(self, sent: Sent) -> tuple[Order, tuple[Credential, ...]]:
        """The order that a wish becomes; sent again, it is the same."""
        if id(sent) in self.made:
            return self.made[id(sent)][1:]
        command, credentials = sent.wish.command, tuple[Credential, ...]()
        if isinstance(command, SignIn) and command.fits == RIGHT:
            command = replace(command, fits=self.digests[command.card])
        elif isinstance(command, Enroll):
            digest, credential = self._enrol(command.staff, command.role)
            command, credentials = replace(command, credential=digest), (credential,)
        elif isinstance(command, SetPin) and command.fits == RIGHT:
            fits = self.digests.get(command.card, "")
            digest, credential = self._enrol(command.card.removeprefix("card-"), "with a PIN")
            command, credentials = replace(command, fits=fits, credential=digest), (credential,)
        order = Order(id=sent.id, by=sent.wish.by, second=sent.wish.second, command=command)
        self.made[id(sent)] = (sent, order, credentials)
        return order, credentials

    def _restart(self) -> None:
        """PR-38: after a stop the floor stands exactly where it stood."""
        self._check_told(self.running[self.at])
        self.floor.close()
        if self.servers == 1:
            self.running = []
            self._start()
        else:
            self.running[self.at] = self._begun(self.store)
            self._take_turns(self.at)
        self.seen["restarts"] += 1
        hold(self.floor.state == self.folded, "after a restart the floor stands elsewhere")

    # ------------------------------------------------------------------------------------------------------- the checks

    def _give(self, orders: Sequence[tuple[Order, tuple[Credential, ...]]]) -> None:
        """Give orders as one group, then look at everything."""
        jobs = [_Job(order, digest_of(order), credentials, Future()) for order, credentials in orders]
        before, head, faults = self.floor.state, self.store.head(), self.store.faults
        self.floor._carry_out(jobs)
        answers = [Answered(job.order, job.future.exception() or job.future.result()) for job in jobs]
        rows = list(self.store.entries(head.seq))
        if self.trace:
            self._show(answers, rows)
        told = set(self.entries)
        self._check_rows(rows, answers)
        for answered in answers:
            self._check_answer(answered, told, faults)
        failed = [one.answer for one in answers if isinstance(one.answer, StoreFault)]
        stale = any(fault.uncertain for fault in failed) or (failed and self.servers > 1)
        if stale and self.floor.state.head != self.store.head():
            # The floor has said that it does not know; before the next order it must.
            self._catch_up()
        if not rows and self.floor.state != (before if before.head == head else self.folded):
            raise Wrong("nothing was recorded, yet the floor changed")
        self.seen["overtaken"] += before.head != head
        self._check_floor()

    def _catch_up(self) -> None:
        self.seen["caught up"] += 1
        self.floor._begin()
        self.store.rollback()

    def _check_rows(self, rows: list[Row], answers: list[Answered]) -> None:
        """The new entries: chained, balanced, on the right day, and each of them asked for by somebody."""
        asked = {one.order.id: one for one in answers if not isinstance(one.answer, Refusal)}
        # A group that was lost on its way may hold refusals that nobody was told of.
        not_allowed = sum(isinstance(one.answer, NotAllowed | StoreFault) for one in answers)
        for row in rows:
            entry = entry_of(row.body)
            digest = hashlib.sha256(self.folded.hash.encode() + b"\n" + row.body.encode()).hexdigest()
            hold(row.hash == digest, f"entry {row.seq} is not chained to the one before it")
            hold(row.seq == entry.seq == self.folded.seq + 1, f"entry {row.seq} does not follow {self.folded.seq}")
            hold(entry.at >= self.folded.at, f"entry {row.seq} is earlier than the one before it")
            hold(row.day == entry.day == self._day(entry.at), f"entry {row.seq} is on day {row.day}")
            self._check_postings(row.seq)
            self.folded = after(self.folded, entry, row.hash)
            self.seen.update(type(event).__name__ for event in entry.events)
            wins = (event for event in entry.events if isinstance(event, WinPaid))
            self.seen.update(f"{win.meter or 'tray'} at {self.games[win.table]}" for win in wins)
            if any(isinstance(event, AuthorityRefused) for event in entry.events):
                not_allowed -= 1
                hold(len(entry.events) == 1, f"entry {row.seq}: a refusal of authority changed something else")
                continue
            hold(row.order in asked, f"entry {row.seq} is of {row.order!r}, which was not asked or was refused")
            hold(row.order not in self.entries, f"{row.order!r} was carried out twice")
            self.entries[row.order] = entry
            order = asked[row.order].order
            hold(entry.digest == digest_of(order), f"entry {row.seq} is of another order than {row.order!r}")
            self.books.take(order, row.seq, entry.events)
            if isinstance(order.command, PayLateWin):
                self.load.learn(row.seq)
        hold(not_allowed >= 0, "a refusal of authority was written down that was not given")

    def _check_postings(self, seq: int) -> None:
        lines = list(self.store.postings(seq - 1, seq))
        hold(sum(line.micros for line in lines) == 0, f"entry {seq} does not balance: {lines}")
        for line in lines:
            self.sums[line.account] += line.micros

    def _check_answer(self, answered: Answered, told: set[str], faults: int) -> None:
        """Everybody was told what is so: done and there, or refused and, as far as anyone was told by then, not."""
        order, answer = answered
        there = self.entries.get(order.id)
        if isinstance(answer, Done):
            self.seen["repeated" if answer.repeated else "done"] += 1
            hold(answer.entry == there, f"{order.id!r} was answered with another entry than the journal has")
            hold(answer.entry.digest == digest_of(order), f"{order.id!r} was answered with what another order did")
            # After a commit that was lost on its way nobody knows any more who was first.
            sure = faults == self.store.faults
            repeated = order.id in told
            hold(not sure or answer.repeated == repeated, f"{order.id!r} was told wrongly whether it was done before")
            told.add(order.id)
        elif isinstance(answer, Refusal):
            self.seen["refused"] += 1
            same = there is not None and there.digest == digest_of(order) and order.id in told
            hold(not same, f"{order.id!r} was refused ({answer}), yet entry {there and there.seq} has it")
        elif isinstance(answer, StoreFault):
            self.seen["faults"] += 1
            hold(faults != self.store.faults, f"{order.id!r} failed on a database that did not: {answer}")
            unknown = answer.uncertain or order.id in told or there is None
            hold(unknown, f"{order.id!r} was told that nothing was recorded ({answer}), yet it is there")
        else:
            raise Wrong(f"{order} failed: {answer!r}")

    def _check_floor(self) -> None:
        """The floor as a whole: the journal folded, the postings summed and the second books all say the same."""
        state = self.floor.state
        hold(state == self.folded, "the floor is not what its journal makes it")
        hold(self.store.head() == self.folded.head, "the journal's head is not its last entry")
        balances = {name: micros for name, micros in self.store.balances().items() if micros}
        hold(sum(balances.values()) == 0, f"all accounts together hold {sum(balances.values())}")
        _same("the totals", balances, "the postings", {name: one for name, one in self.sums.items() if one})
        _same("the totals", balances, "the second books", self.books.accounts())
        for link in state.links.values():
            for name, meter in link.meters.items():
                shown = balances.get(f"meter/{link.id}/{name}", 0), balances.get(f"reserve/{link.id}/{name}", 0)
                hold((meter.value, meter.reserve) == shown, f"meter {name} of {link.id} is not the sum of its postings")
                hold(min(shown) >= 0, f"meter {name} of {link.id} is below zero: {shown}")
        self._check_rounds(state)

    def _check_rounds(self, state: FloorState) -> None:
        for name, table in state.tables.items():
            now, ours = table.round, self.books.rounds[name]
            theirs = (now.number, now.locked, set(now.lit), set(now.waiting), set(now.folded))
            hold(theirs == (ours.number, ours.locked, ours.lit, ours.waiting, ours.folded), f"the round of {name}")
            claims = {claim.spot: claim.hand for claim in state.links[table.config.link].claims_at(name)}
            hold(claims == {spot: one.hand for spot, one in ours.claims.items()}, f"the claims of {name}: {claims}")
            if name in self.books.card_tables:
                self._check_cards(table, self.books.card_tables[name])

    def _check_cards(self, table: TableState, ours: CardTable) -> None:
        """Who sits where, what lies on the layout, who holds what and what is still to be reconciled."""
        play, now = opened(table, self.floor.shoe).round.play, ours.now
        hands = play.hands.items()
        hold(table.seats == ours.seats, f"the seats of {table.id}: {table.seats}")
        hold({spot: hand.wagers for spot, hand in hands} == now.wagers, f"the wagers at {table.id}")
        made = {spot: hand.actions for spot, hand in hands if hand.actions}
        hold({spot: now.seen(actions) for spot, actions in made.items()} == now.decisions, f"decisions, {table.id}")
        cards = {spot: hand.cards for spot, hand in hands if hand.cards} | ({0: play.dealer} if play.dealer else {})
        hold(cards == now.cards, f"the cards at {table.id}: {cards}")
        left = {(step.spot, wager) for step in play.steps for wager in step.wagers}
        ours_left = {(spot, wager) for spot, lines in now.open.items() for wager in lines}
        hold(left == ours_left, f"what is to be reconciled at {table.id}: {left ^ ours_left}")

    def _day(self, at: int) -> str:
        """FL-24, another way: by the wall clock, less the hours before the day begins."""
        policies = (self.folded.config or self.config).policies
        hours, minutes = map(int, policies.day_starts.split(":"))
        wall = datetime.fromtimestamp(at // 1_000_000, ZoneInfo(policies.time_zone)).replace(tzinfo=None)
        return (wall - timedelta(hours=hours, minutes=minutes)).date().isoformat()

    def _check_told(self, one: Running) -> None:
        """A server told its listeners of every entry once, in order, whichever server wrote it."""
        one.floor.refresh()
        rows = self.store.entries(one.since)
        hold([entry_of(row.body) for row in rows] == one.told, "a server told of other entries than the journal has")

    def _end(self) -> None:
        """The whole floor once more: agreed on by all servers, verified, replayed, and loaded anew."""
        for one in self.running:
            hold(one.floor.refresh() == self.folded, "two servers of one floor do not agree")
            hold(one.floor.tree == self.floor.tree, "two servers of one floor have two trees")
            self._check_told(one)
        self._restart()
        found = verify(self.store.store, ring=KEYS)
        hold(found.whole, f"it does not verify: {[str(one) for one in found.bad]}")
        again = replay(self.store.store, keys=KEYS)
        hold(again.equal, f"replayed, the meters differ: {[row for row in again.rows if not row.equal]}")

    # ------------------------------------------------------------------------------------------------- another database

    def _replace(self) -> None:
        """Go on for a while after a copy was made, then put the copy in the database's place under the servers."""
        copy = self.file.with_suffix(".db-copy")
        self.store.store.backup(copy)
        for one in self.running:
            one.store._chance = 0.0
            one.floor.refresh()
        copied = self.folded
        # One server alone goes on: the other stands where the copy does, and what the copy lacks was never its own.
        self._take_turns(0)
        while self.folded.seq < copied.seq + 3:
            self.clock.tick()
            self._give([self._order(self.load.next(msgspec.to_builtins(floor_view(self.floor.state))))])
        try:
            {"file": self._put_file, "log": self._delete_log, "database": self._put_database}[self.replacement](copy)
            ahead, *others = self.running
            self._must_break(ahead)
            if self.replacement == "database":
                for other in others:
                    self._overtake(other, copied)
                    self._must_break(ahead)
        finally:
            copy.unlink(missing_ok=True)
        self.seen["replaced"] += 1

    def _put_file(self, copy: Path) -> None:
        for leftover in ("-wal", "-shm"):
            Path(f"{self.file}{leftover}").unlink()
        copy.replace(self.file)

    def _delete_log(self, copy: Path) -> None:
        Path(f"{self.file}-wal").unlink()

    def _put_database(self, copy: Path) -> None:
        """The address leads to the copy from now on."""
        older = open_store(str(copy))
        self.store.store.close()
        self.store.store = older

    def _must_break(self, one: Running) -> None:
        """A floor on a journal that is not its own takes nothing more, for good, and leaves everything as it is."""
        state, read = one.floor.state, one.store.store
        head = None if self.replacement in ("file", "log") else read.head()
        for _ in range(3):
            self.clock.tick()
            order, credentials = self._order(self.load.next(msgspec.to_builtins(floor_view(state))))
            job = _Job(order, digest_of(order), credentials, Future())
            one.floor._carry_out([job])
            answer = job.future.exception() or job.future.result()
            hold(isinstance(answer, StoreFault), f"on a database that was replaced {order.id!r} was told {answer!r}")
            hold(bool(one.floor.broken), "a floor whose database was replaced did not say that it takes nothing more")
            hold(one.floor.state == state, "a floor whose database was replaced took in something of it")
        hold(head is None or read.head() == head, "a floor whose database was replaced wrote to it")

    def _overtake(self, other: Running, copied: FloorState) -> None:
        """A server that stood where the copy does goes on, past the entry of the one that was ahead."""
        hold(other.floor.state == copied, "a server took in something without an order")
        for _ in range(200):
            if other.floor.state.seq > self.folded.seq:
                break
            self.clock.tick()
            order, credentials = self._order(self.load.next(msgspec.to_builtins(floor_view(other.floor.state))))
            job = _Job(order, digest_of(order), credentials, Future())
            other.floor._carry_out([job])
            answer = job.future.exception() or job.future.result()
            there = {row.order for row in other.store.entries(copied.seq)}
            hold(not isinstance(answer, Done) or order.id in there | set(self.entries), f"{order.id!r} is not there")
        hold(other.floor.state.seq > self.folded.seq, "the other server does not go on")
        again = caught_up(FloorState(), other.store.store)
        hold(again == other.floor.state, "the server that went on is not what its journal makes it")
        found = verify(other.store.store, ring=KEYS)
        hold(found.whole, f"the journal that went on does not verify: {[str(bad) for bad in found.bad]}")

    def _show(self, answers: list[Answered], rows: list[Row]) -> None:
        for order, answer in answers:
            print(f"{order.id} {order.by}/{order.second} {order.command}"[:300])
            print(f"    {answer!r}"[:400] if not isinstance(answer, Done) else f"    entry {answer.entry.seq}")
        for row in rows:
            print(f"  {row.seq} " + " ".join(map(str, entry_of(row.body).events))[:1500])


def _same(name: str, these: dict[str, int], other: str, those: dict[str, int]) -> None:
    if these != those:
        differ = {one: (these.get(one, 0), those.get(one, 0)) for one in {*these, *those}}
        raise Wrong(f"{name} and {other} differ: { {one: pair for one, pair in differ.items() if pair[0] != pair[1]} }")


# ------------------------------------------------------------------------------------------------------- running seeds


@contextmanager
def workplace() -> Iterator[Path]:
    """A folder that costs no disk writes where there is one: durability is the crash test's subject, not this one's."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(prefix="houseway-", dir=memory if memory.is_dir() else None) as folder:
        yield Path(folder)


def simulate(seed: int, folder: Path, empty: Path | None = None, **manner: Any) -> Played:
    """Play one seed in a folder, on a copy of an empty database where one is given, as `Simulation` is told."""
    one = Simulation(seed, folder, **manner)
    if empty is not None:
        shutil.copyfile(empty, one.file)
    try:
        return one.run()
    finally:
        for file in folder.glob(f"floor-{seed}.db*"):
            file.unlink()


def empty_database(folder: Path) -> Path:
    """An empty database at the present version, to be copied: making one anew takes as long as a simulation."""
    file = folder / "empty.db"
    open_store(str(file)).close()
    return file


def simulate_all(seeds: Sequence[int], **manner: Any) -> Played:
    """Play many seeds; raises Broken at the first that fails. Counts all, and hashes all hashes together."""
    total: Counter[str] = Counter()
    hashes = hashlib.sha256()
    with workplace() as folder, quiet():
        empty = empty_database(folder)
        for seed in seeds:
            played = simulate(seed, folder, empty, **manner)
            total += played.seen
            hashes.update(played.hash.encode())
    return Played(total, played.hash if len(seeds) == 1 else hashes.hexdigest())


@contextmanager
def quiet() -> Iterator[None]:
    """Without the floor's own log: half of what it is asked here is refused on purpose."""
    log = logging.getLogger("houseway")
    before = log.level
    log.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        log.setLevel(before)


def main() -> int:
    """Play one seed, or many from it on."""
    parser = argparse.ArgumentParser(description="Simulate a floor by seed; every invariant after every command.")
    parser.add_argument("--seed", type=int, required=True, help="the first seed")
    parser.add_argument("--seeds", type=int, default=1, help="how many")
    parser.add_argument("--commands", type=int, default=COMMANDS, help="commands a seed")
    parser.add_argument("--trace", action="store_true", help="show every command, answer and entry")
    parser.add_argument("--servers", type=int, default=1, help="servers that share the floor")
    parser.add_argument("--replace", choices=get_args(Replacement), default="", help="what is replaced under them")
    parser.add_argument("--six-games", action="store_true", help="six games on the mega / major / minor link")
    asked = parser.parse_args()
    manner = {"commands": asked.commands, "trace": asked.trace, "servers": asked.servers, "replacement": asked.replace}
    manner["six_games"] = asked.six_games
    try:
        played = simulate_all(range(asked.seed, asked.seed + asked.seeds), **manner)
    except Broken as broken:
        print(broken, file=sys.stderr)
        return 1
    print(", ".join(f"{name} {count}" for name, count in sorted(played.seen.items())))
    print(played.hash)
    return 0


if __name__ == "__main__":
    sys.exit(main())
