"""A running floor: takes orders, decides them one after another, and makes each group of them durable in one step.

One at a time writes. While it waits for the disk, orders queue up; whoever writes next takes all of them into one
transaction. Nobody is answered before his order is durable, and an order that is refused is refused alone.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Event as ThreadEvent
from threading import Lock, Thread
from typing import Final, NamedTuple
from uuid import uuid4

from msgspec.structs import replace

from houseway.manager import events as tell
from houseway.manager.commands import Enroll, Found, Order, SignIn, digest_of, kind_of
from houseway.manager.config import FloorConfig
from houseway.manager.credentials import credential_digest, new_credential, pin_fits, random_card, random_pin
from houseway.manager.decide import Office, decide, refused_event
from houseway.manager.entry import Entry, entry_of, row_of
from houseway.manager.gaming_day import Calendar
from houseway.manager.keyring import Keyring
from houseway.manager.ledger import lines, postings_of, totals_of
from houseway.manager.past import Journal
from houseway.manager.shoe import SealingShoe
from houseway.manager.state import FloorState, Staff, after, is_current, load_state, snapshot_of
from houseway.manager.store.base import Credential, Head, Posting, Row, Store, StoreFault, TotalKey
from houseway.refusal import NotAllowed, Refusal
from houseway.table.commands import TableCommand
from houseway.table.play.decide import Shoe

INSTALLATION: Final = "installation"
"""Who founds a floor: nobody on its staff yet."""
MOST_IN_GROUP: Final = 256
SNAPSHOT_EVERY: Final = 5_000
REFUSALS_A_MINUTE: Final = 30
"""How many refusals of authority are written down in a minute; a wrong PIN for a known card always is."""
_MINUTE: Final = 60_000_000
_OWN: Final = "refused/"
"""How the ids of the floor's own entries begin."""
_LONGEST_ID: Final = 100

log = logging.getLogger("houseway.floor")


def system_clock() -> int:
    """Now, in microseconds since 1970."""
    return time.time_ns() // 1_000


class UsedId(Refusal):
    """An id that another order has: its sender made a mistake, the floor is as it was."""


class Done(NamedTuple):
    """An order that was carried out and is durable."""

    entry: Entry
    repeated: bool
    """Whether it had been carried out before, under the same id."""


class FirstCard(NamedTuple):
    """The first manager's card, shown once."""

    staff: str
    card: str
    pin: str


Listener = Callable[[Sequence[Entry], FloorState], None]
"""Told of entries that are durable now, and of the floor after the last of them."""


class _Job(NamedTuple):
    order: Order
    digest: str
    credential: Credential | None
    future: Future[Done]


class _Group:
    """The entries of one transaction, as they are being made."""

    def __init__(self, state: FloorState) -> None:
        self.state = state
        self.entries: list[Entry] = []
        self.rows: list[Row] = []
        self.postings: list[Posting] = []
        self.totals: dict[TotalKey, int] = {}
        self.credentials: list[Credential] = []
        self.by_order: dict[str, Entry] = {}

    def add(self, entry: Entry) -> None:
        """Take an entry in, if everything about it is in order."""
        row = row_of(entry, self.state.head)
        moves = [lines(event) for event in entry.events]
        postings = postings_of(entry, moves)
        self.state = after(self.state, entry, row.hash, moves)
        totals_of(entry, postings, self.totals)
        self.entries.append(entry)
        self.rows.append(row)
        self.postings.extend(postings)
        self.by_order[entry.order] = entry


class Floor:
    """A floor on its database. `handle` may be called from any thread."""

    def __init__(
        self,
        store: Store,
        *,
        keys: Keyring,
        clock: Callable[[], int] = system_clock,
        threaded: bool = True,
        shoe: Shoe | None = None,
    ) -> None:
        self._store = store
        self.keys = keys
        self._clock = clock
        self._shoe = shoe if shoe is not None else SealingShoe(keys.secret("sealing"))
        self._state = load_state(store)
        kept = store.snapshot()
        # One that an earlier version wrote in other words is written anew.
        current = kept is not None and is_current(kept)
        self._snapshot_at = kept.seq if kept and current else 0
        self._queue: SimpleQueue[_Job] = SimpleQueue()
        self._writing = Lock()
        self._calendars: dict[tuple[str, str], Calendar] = {}
        self._refusals: list[int] = []
        self._unrecorded = 0
        self._closed = False
        self._listeners: list[Listener] = []
        self._handed_in = ThreadEvent()
        self._thread: Thread | None = None
        if kept and not current:
            self._keep_snapshot()
        if threaded:
            self._thread = Thread(target=self._work, name="houseway-floor", daemon=True)
            self._thread.start()

    # ------------------------------------------------------------------------------------------------ what people call

    @property
    def state(self) -> FloorState:
        """The floor as of the last durable entry."""
        return self._state

    @property
    def store(self) -> Store:
        return self._store

    def handle(self, order: Order, credential: Credential | None = None) -> Done:
        """Carry out an order and wait until it is durable. Raises Refusal, or StoreFault when the database fails."""
        job = self._taken(order, credential)
        if not job.future.done():
            # Who finds his order still waiting once it is his turn to write writes for everybody in the queue.
            with self._writing:
                while not job.future.done():
                    self._carry_out(self._group())
        return job.future.result()

    def submit(self, order: Order, credential: Credential | None = None) -> Future[Done]:
        """Hand in an order; the answer comes when it is durable."""
        job = self._taken(order, credential)
        if self._thread is not None:
            self._handed_in.set()
        if self._thread is None or self._closed:
            with self._writing:
                while not job.future.done():
                    self._carry_out(self._group())
        return job.future

    def _taken(self, order: Order, credential: Credential | None) -> _Job:
        """An order in the queue, or refused at the door."""
        job = _Job(order, digest_of(order), credential, Future())
        # An order that was taken is carried out, also when nobody waits for the answer any more.
        job.future.set_running_or_notify_cancel()
        command = order.command
        named = command.credential if isinstance(command, Found | Enroll) else None
        if named != (credential_digest(credential) if credential is not None else None):
            job.future.set_exception(Refusal("credential", "must come with an enrolment, and be the one it names"))
            return job
        if not order.id or len(order.id) > _LONGEST_ID or not order.id.isprintable() or order.id.startswith(_OWN):
            job.future.set_exception(
                Refusal("id", f"must be 1 to {_LONGEST_ID} printable characters that do not begin with {_OWN}")
            )
        else:
            self._queue.put(job)
        return job

    def would_refuse(self, order: Order) -> Refusal | None:
        """Why an order would be refused now, None where it would not; nothing comes of asking."""
        state = self._state
        now = max(self._clock(), state.at)
        day = self._day(state.config, now) if state.config else ""
        past = Journal(self._store, (), state)
        try:
            decide(Office(state, order, state.seq + 1, now, day, past, self._shoe))
        except Refusal as refusal:
            return refusal
        return None

    def sign_in(self, card: str, pin: str, session: str = "") -> Staff:
        """Whose card and PIN these are; a NotAllowed when they do not fit, or the card is locked.

        ``session`` is the digest of a secret by which he stays signed in.
        """
        credential = self._store.credential(card)
        right = pin_fits(credential, pin)
        fits = credential_digest(credential) if credential is not None and right else ""
        order = Order(
            id=f"sign-in-{uuid4()}",
            by=credential.staff if credential else "",
            command=SignIn(card=card, fits=fits, session=session),
        )
        done = self.handle(order)
        return self._state.staff[next(one.staff for one in done.entry.events if isinstance(one, tell.SignedIn))]

    def found(
        self, config: FloorConfig, name: str = "First manager", demonstration: FirstCard | None = None
    ) -> FirstCard:
        """The first start of a floor: its configuration, its signing key, and one manager's card."""
        first = demonstration or FirstCard("manager-1", random_card(), random_pin())
        credential = new_credential(first.card, first.staff, first.pin)
        command = Found(
            config=config,
            staff=first.staff,
            name=name,
            card=first.card,
            credential=credential_digest(credential),
            key=self.keys.public,
            demonstration=demonstration is not None,
        )
        self.handle(Order(id=f"found-{uuid4()}", by=INSTALLATION, command=command), credential)
        return first

    def listen(self, listener: Listener) -> None:
        """Have every new entry told to a listener, in order, once it is durable, whichever process wrote it.

        It is called while the floor waits, from any thread: it must be quick, and only take note.
        """
        with self._writing:
            self._listeners.append(listener)

    def refresh(self) -> FloorState:
        """Take in what other processes wrote, without an order of one's own."""
        with self._writing:
            if not self._closed:
                self._catch_up(self._store.head())
        return self._state

    def close(self) -> None:
        """Finish what was handed in, keep a snapshot, and close the database."""
        with self._writing:
            if self._closed:
                return
            while group := self._group():
                self._carry_out(group)
            self._closed = True
            with suppress(StoreFault):
                self._keep_snapshot()
            self._store.close()
        if self._thread is not None:
            self._handed_in.set()
            self._thread.join()

    # ------------------------------------------------------------------------------------------------ one at a time

    def _work(self) -> None:
        """Write for those who handed in orders and did not wait."""
        while not self._closed:
            self._handed_in.wait()
            self._handed_in.clear()
            while not self._queue.empty():
                with self._writing:
                    if group := self._group():
                        self._carry_out(group)

    def _group(self) -> list[_Job]:
        """The orders that wait, as many as go into one transaction."""
        group: list[_Job] = []
        with suppress(Empty):
            while len(group) < MOST_IN_GROUP:
                group.append(self._queue.get_nowait())
        return group

    def _carry_out(self, jobs: Sequence[_Job]) -> None:
        """Decide a group of orders, make them durable together, then answer them."""
        if self._closed:
            for job in jobs:
                job.future.set_exception(StoreFault("the floor is closed; nothing was recorded"))
            return
        try:
            answers = self._recorded(jobs)
        except StoreFault as fault:
            answers = self._after_fault(jobs, fault)
        except Exception as bug:
            # A bug in one order must not end the floor: nobody is told that something happened which did not.
            log.exception("a group of %d orders failed", len(jobs))
            with suppress(StoreFault):
                self._store.rollback()
            answers = [bug] * len(jobs)
        for job, answer in zip(jobs, answers, strict=True):
            if isinstance(answer, Done):
                job.future.set_result(answer)
            else:
                job.future.set_exception(answer)

    def _recorded(self, jobs: Sequence[_Job]) -> list[Done | Exception]:
        self._begin()
        known = self._store.known([job.order.id for job in jobs])
        group = _Group(self._state)
        answers = [self._answer(job, known, group) for job in jobs]
        if group.rows:
            self._store.append(group.rows, group.postings, group.totals)
            for credential in group.credentials:
                self._store.add_credential(credential)
            keep = not self._snapshot_at or group.state.seq - self._snapshot_at >= SNAPSHOT_EVERY
            if keep:
                self._store.save_snapshot(snapshot_of(group.state))
            self._store.commit()
            self._state = group.state
            if keep:
                self._snapshot_at = group.state.seq
            self._tell(group.entries)
        else:
            self._store.rollback()
        return answers

    def _begin(self) -> None:
        """Take the floor's lock, and take in what other processes wrote since."""
        head = self._store.begin()
        self._catch_up(head)
        if head != self._state.head:
            raise StoreFault(f"the journal ends at entry {head.seq}, but not as this floor knows it; verify it")

    def _catch_up(self, head: Head) -> None:
        """The entries that others wrote, told like our own."""
        if head.seq <= self._state.seq:
            return
        new: list[Entry] = []
        for row in self._store.entries(self._state.seq, head.seq):
            entry = entry_of(row.body)
            self._state = after(self._state, entry, row.hash)
            if self._listeners:
                new.append(entry)
        self._tell(new)

    def _tell(self, entries: Sequence[Entry]) -> None:
        if entries:
            for listener in self._listeners:
                listener(entries, self._state)

    def _answer(self, job: _Job, known: dict[str, Row], group: _Group) -> Done | Exception:
        """One order's answer. What it makes goes into the group, or, refused, nothing does."""
        order = job.order
        done = group.by_order.get(order.id)
        if done is None and order.id in known:
            done = entry_of(known[order.id].body)
        if done is not None:
            return _known_answer(job, done, repeated=True)
        office = self._office(order, group)
        try:
            entry = self._entry(office, job, decide(office))
            group.add(entry)
        except NotAllowed as refusal:
            self._note(office, job, refusal, group)
            return refusal
        except Refusal as refusal:
            log.info("refused %s %s by %s: %s", kind_of(order.command), order.id, order.by, refusal)
            return refusal
        except Exception as bug:
            log.exception("order %s failed", order.id)
            return bug
        if job.credential is not None:
            group.credentials.append(job.credential)
        return Done(entry, repeated=False)

    def _office(self, order: Order, group: _Group) -> Office:
        now = max(self._clock(), group.state.at)
        config = order.command.config if isinstance(order.command, Found) else group.state.config
        day = self._day(config, now) if config else ""
        past = Journal(self._store, group.entries, group.state)
        return Office(group.state, order, group.state.seq + 1, now, day, past, self._shoe)

    def _day(self, config: FloorConfig, now: int) -> str:
        key = config.policies.time_zone, config.policies.day_starts
        calendar = self._calendars.get(key)
        if calendar is None:
            calendar = self._calendars[key] = Calendar(*key)
        return calendar.day_of(now)

    @staticmethod
    def _entry(office: Office, job: _Job, events: tuple[tell.Event, ...]) -> Entry:
        order = office.order
        table, number = _subject(order, events)
        if not number and table in office.state.tables:
            number = office.state.tables[table].round.number
        return Entry(
            seq=office.seq,
            at=office.now,
            day=office.day,
            order=order.id,
            digest=job.digest,
            by=order.by,
            second=order.second,
            kind=kind_of(order.command),
            table=table,
            round=number,
            events=events,
        )

    def _note(self, office: Office, job: _Job, refusal: NotAllowed, group: _Group) -> None:
        """Write down a refusal of authority, unless there are too many of them; then only count it."""
        log.warning("not allowed (%s) %s by %s: %s", refusal.rule, job.order.id, job.order.by, refusal)
        if office.state.config is None:
            return
        event = refused_event(office, refusal, self._unrecorded)
        self._refusals = [at for at in self._refusals if at > office.now - _MINUTE]
        if len(self._refusals) >= REFUSALS_A_MINUTE and not event.failed:
            self._unrecorded += 1
            return
        self._refusals.append(office.now)
        self._unrecorded = 0
        entry = self._entry(office, job, (event,))
        group.add(_renamed(entry))

    def _after_fault(self, jobs: Sequence[_Job], fault: StoreFault) -> list[Done | Exception]:
        """Answer a group whose transaction failed; where the commit itself may have happened, look first."""
        log.error("the database failed: %s", fault)
        with suppress(StoreFault):
            self._store.rollback()
        if not fault.uncertain:
            return [fault] * len(jobs)
        # Also when it is not seen now: a log that could not be cut may hold it whole, for the next start to find.
        unsure = StoreFault(
            f"{fault}; whether this was recorded is not certain: send the order again with the same id", uncertain=True
        )
        try:
            self._begin()
            known = self._store.known([job.order.id for job in jobs])
            self._store.rollback()
        except StoreFault:
            return [unsure] * len(jobs)
        return [
            _known_answer(job, entry_of(known[job.order.id].body), repeated=False) if job.order.id in known else unsure
            for job in jobs
        ]

    def _keep_snapshot(self) -> None:
        if self._state.seq == self._snapshot_at:
            return
        self._begin()
        self._store.save_snapshot(snapshot_of(self._state))
        self._store.commit()
        self._snapshot_at = self._state.seq


def _known_answer(job: _Job, done: Entry, *, repeated: bool) -> Done | Refusal:
    """What an order is told whose id is in the journal: its entry, if that is of this order and no other."""
    if done.digest != job.digest:
        return UsedId("id", f"{job.order.id!r} was used for another order, entry {done.seq}; every order has its own")
    return Done(done, repeated)


def _subject(order: Order, events: tuple[tell.Event, ...]) -> tuple[str, int]:
    """The table and round an entry is found by: those of what happened, else those of the command."""
    for event in events:
        table, number = getattr(event, "table", ""), getattr(event, "round", 0)
        if table:
            return table, number
    command = order.command
    return (command.table, 0) if isinstance(command, TableCommand) else ("", 0)


def _renamed(entry: Entry) -> Entry:
    """A refusal's entry under an id of its own: the order may yet be given by someone who may."""
    return replace(entry, order=f"{_OWN}{entry.seq}", table="", round=0)
