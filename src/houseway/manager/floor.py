"""A running floor: takes orders, decides them one after another, and makes each group of them durable in one step.

One at a time writes. While it waits for the disk, orders queue up; whoever writes next takes all of them into one
transaction. An order is answered only when it is durable, and a refused order is refused alone.
"""

from __future__ import annotations

import logging
import os
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
from houseway.manager.clock import CLOCK, Clock, Reading
from houseway.manager.codes import Codes, read_next
from houseway.manager.commands import (
    Command,
    ConfirmClock,
    Enroll,
    Found,
    NoteClock,
    Order,
    Person,
    RepairClock,
    ReplaceKey,
    Role,
    SetPin,
    SignIn,
    digest_of,
    kind_of,
)
from houseway.manager.config import FloorConfig
from houseway.manager.credentials import (
    check_pin,
    credential_digest,
    new_credential,
    pin_fits,
    random_card,
    random_code,
)
from houseway.manager.decide import Office, Past, PinNotSet, decide, refused_event
from houseway.manager.entry import FORMAT, SALT_BYTES, Entry, entry_of, row_of
from houseway.manager.gaming_day import Calendar
from houseway.manager.keyring import PURPOSES, Keyring, note_uncoded
from houseway.manager.ledger import lines, postings_of, totals_of
from houseway.manager.mark import Mark, check_marks, defect, read_marks
from houseway.manager.past import Journal
from houseway.manager.shoe import SealingShoe
from houseway.manager.state import FloorState, Staff, after, caught_up, checked, kept_state, snapshot_of
from houseway.manager.store.base import Credential, Head, Posting, Row, Store, StoreFault, TotalKey
from houseway.manager.transparency.kept import fill_tree, frontier_of
from houseway.manager.transparency.tree import Frontier
from houseway.manager.waiting import Waiting
from houseway.refusal import NotAllowed, Refusal
from houseway.table.card_round.cards import Shoe
from houseway.table.progressive_round.commands import TableCommand

INSTALLATION: Final = "installation"
"""Who founds a floor: nobody on its staff yet."""
OWN: Final = "refused/"
"""How the ids of the floor's own entries begin."""
MOST_IN_GROUP: Final = 256
SNAPSHOT_EVERY: Final = 5_000
REFUSALS_A_MINUTE: Final = 30
"""How many refusals of authority are written down in a minute; a wrong PIN for a known card always is."""
_MINUTE: Final = 60_000_000
_LONGEST_ID: Final = 100

log = logging.getLogger("houseway.floor")


class UsedId(Refusal):
    """An id that another order has: its sender made a mistake, the floor is as it was."""


class Done(NamedTuple):
    """An order that was carried out and is durable."""

    entry: Entry
    repeated: bool
    """Whether it had been carried out before, under the same id."""


class FirstPerson(NamedTuple):
    """One of the first people of a floor: the card, and the enrolment code or PIN, which is shown once."""

    staff: str
    name: str
    role: Role
    card: str
    secret: str


def first_people() -> tuple[FirstPerson, ...]:
    """TR-5: a manager and an executive, each with a new card and code.

    The manager may give every order that takes two people and the executive may second each of them; and since an
    executive vouches for everybody these two enrol, the new people may second the manager at once.
    """
    return (
        FirstPerson("manager-1", "First manager", "manager", random_card(), random_code()),
        FirstPerson("executive-1", "First executive", "executive", random_card(), random_code()),
    )


Listener = Callable[[Sequence[Entry], FloorState], None]
"""Told of entries that are durable now, and of the floor after the last of them."""


class _Answer(Future[Done]):
    """What an order will be told. One that was taken is carried out, also when nobody waits for it any more."""

    def cancel(self) -> bool:
        """Never."""
        return False


class _Job(NamedTuple):
    order: Order
    digest: str
    credentials: tuple[Credential, ...]
    future: Future[Done]


class _Group:
    """The entries of one transaction, as they are being made."""

    def __init__(self, state: FloorState, store: Store, codes: Codes, salts: str, reading: Reading) -> None:
        self.state = state
        self.reading = reading
        """The clock, looked at once: everything in one transaction becomes durable at one moment."""
        self._codes = codes
        self._ids = state.key_ids
        self._code_of = codes.maker(state.key_ids)
        self._salts = salts
        self.entries: list[Entry] = []
        self.past = Journal(store, self.entries, codes.past)
        self.rows: list[Row] = []
        self.postings: list[Posting] = []
        self.totals: dict[TotalKey, int] = {}
        self.credentials: list[Credential] = []
        self.by_order: dict[str, Entry] = {}

    def add(self, entry: Entry) -> None:
        """Take an entry in, if everything about it is in order."""
        state = self.state
        if state.key_ids is not self._ids:
            self._ids, self._code_of = state.key_ids, self._codes.maker(state.key_ids)
        row = row_of(entry, state.head, self._code_of)
        moves = list(map(lines, entry.events))
        postings = postings_of(entry, moves)
        self.state = after(state, entry, row.hash, moves)
        totals_of(entry, postings, self.totals)
        self.entries.append(entry)
        self.rows.append(row)
        self.postings.extend(postings)
        self.by_order[entry.order] = entry

    def salt(self) -> str:
        """TR-10: random digits for the next entry, of those that were drawn for the whole group."""
        at = len(self.entries) * SALT_BYTES * 2
        return self._salts[at : at + SALT_BYTES * 2]


class Floor:
    """A floor on its database. `handle` may be called from any thread."""

    def __init__(
        self,
        store: Store,
        *,
        keys: Keyring,
        clock: Clock | Callable[[], int] | None = None,
        threaded: bool = True,
        shoe: Shoe | None = None,
        random: Callable[[int], bytes] = os.urandom,
        recovering: bool = False,
    ) -> None:
        """``recovering`` opens a floor that is not the one its mark remembers, for `recover` alone."""
        self._store = store
        # A clock of the caller's own is the time itself; only the machine's is held against another.
        self._clock = clock if isinstance(clock, Clock) else Clock() if clock is None else Clock(clock, None)
        self._waiting = Waiting(self._clock.ticks)
        self._random = random
        self._given_shoe = shoe
        self._broken = ""
        """Why this floor takes nothing more, once that is so."""
        self.recorded_at = time.monotonic()
        """When something was last made durable here, or a probe found that it could be; on the monotonic clock."""
        self._queue: SimpleQueue[_Job] = SimpleQueue()
        self._writing = Lock()
        self._calendars: dict[tuple[str, str], Calendar] = {}
        self._refusals: list[int] = []
        self._unrecorded = 0
        self._closed = False
        self._listeners: list[Listener] = []
        self._handed_in = ThreadEvent()
        self._thread: Thread | None = None
        self._floor_hash = ""
        # Taken before anything is read: a mark that another process keeps now stays that process's own.
        self._mark = Mark(keys.file) if keys.file is not None and not recovering else None
        try:
            self._open(keys)
        except BaseException:
            if self._mark is not None:
                self._mark.close()
            raise
        if threaded:
            self._thread = Thread(target=self._work, name="houseway-floor", daemon=True)
            self._thread.start()

    def _open(self, keys: Keyring) -> None:
        """Read where the floor stands, from a journal that has everything the marks remember; then mark it."""
        store, marked = self._store, keys.file if self._mark is not None else None
        if marked is not None:
            check_marks(store, marked)
        codes = Codes(keys)
        saved = kept_state(store, codes)
        self._state = checked(caught_up(saved or FloorState(), store, codes=codes), keys)
        if marked is not None:
            # Once more: what was read may be of another database than what was checked, as when a standby has taken
            # over in between; and a mark must never be set back.
            check_marks(store, marked)
        self._clock.start(self._state.at, may_rest=self._state.demonstration)
        self._snapshot_at = saved.seq if saved else 0
        self._use(keys)
        self._note_uncoded()
        # The tree of a floor that is older than trees is made now; later, each entry adds to it.
        fill_tree(store)
        self._tree = frontier_of(store, self._state.seq)
        self._set_mark()
        if saved is None and self._state.seq:
            # There was none, or one that is not used: the next start need not read everything again.
            self._keep_snapshot()

    # ------------------------------------------------------------------------------------------------ what people call

    @property
    def state(self) -> FloorState:
        """The floor as of the last durable entry."""
        return self._state

    @property
    def tree(self) -> Frontier:
        """The Merkle tree over the durable entries (TR-13)."""
        return self._tree

    @property
    def store(self) -> Store:
        return self._store

    @property
    def broken(self) -> str:
        """Why this floor takes nothing more; empty while it does."""
        return self._broken

    @property
    def clock(self) -> Reading:
        """A look at the clock: the time that an entry would carry now, and whether the wall clock is believed."""
        return self._clock.read(self._state.at)

    def handle(self, order: Order, *credentials: Credential) -> Done:
        """Carry out an order and wait until it is durable. Raises Refusal, or StoreFault when the database fails."""
        job = self._taken(order, credentials)
        if not job.future.done():
            # A caller whose order still waits when the turn to write comes writes for everybody in the queue.
            with self._writing:
                while not job.future.done():
                    self._carry_out(self._group())
        return job.future.result()

    def submit(self, order: Order, *credentials: Credential) -> Future[Done]:
        """Hand in an order; the answer comes when it is durable."""
        job = self._taken(order, credentials)
        if self._thread is not None and not self._handed_in.is_set():
            self._handed_in.set()
        if self._thread is None or self._closed:
            with self._writing:
                while not job.future.done():
                    self._carry_out(self._group())
        return job.future

    def _taken(self, order: Order, credentials: tuple[Credential, ...]) -> _Job:
        """An order in the queue, or refused at the door."""
        job = _Job(order, digest_of(order), credentials, _Answer())
        named = _named(order.command)
        if (named or credentials) and named != tuple(
            (credential.card, credential_digest(credential)) for credential in credentials
        ):
            job.future.set_exception(Refusal("credential", "must come with an enrolment, and be the one it names"))
            return job
        command = order.command
        if isinstance(command, ReplaceKey) and command.purpose != "signing" and not self._holds(command):
            job.future.set_exception(
                Refusal("secret_id", "is not in this floor's key file; houseway journal key replace writes it there")
            )
            return job
        if not order.id or len(order.id) > _LONGEST_ID or not order.id.isprintable() or order.id.startswith(OWN):
            job.future.set_exception(
                Refusal("id", f"must be 1 to {_LONGEST_ID} printable characters that do not begin with {OWN}")
            )
        else:
            self._queue.put(job)
        return job

    def would_refuse(self, order: Order) -> Refusal | None:
        """Why an order would be refused now, None where it would not; nothing comes of asking."""
        state = self._state
        past = Journal(self._store, (), self._codes.past)
        try:
            decide(self._office(order, state, past, self._clock.read(state.at)))
        except Refusal as refusal:
            return refusal
        return None

    def sign_in(self, card: str, pin: str, session: str = "", network: str = "") -> Staff:
        """Whose card and PIN these are; a NotAllowed when they do not fit, or the card is locked.

        ``session`` is the digest of a secret by which the member stays signed in, ``network`` the place it comes from.
        """
        credential, right = self._tried(card, pin, network)
        fits = credential_digest(credential) if credential is not None and right else ""
        order = Order(
            id=f"sign-in-{uuid4()}",
            by=credential.staff if credential else "",
            command=SignIn(card=card, fits=fits, session=session, network=network),
        )
        try:
            self.handle(order)
        except PinNotSet:
            self._waiting.right(card, network)
            raise
        self._waiting.right(card, network)
        return self._state.staff[order.by]

    def set_pin(self, card: str, pin: str, new_pin: str, session: str = "", network: str = "") -> Staff:
        """TR-5: set a card's own PIN, with its enrolment code or the PIN so far. Signs in where a session is given."""
        credential, right = self._tried(card, pin, network)
        command = SetPin(card=card, fits="", credential="", session=session, network=network)
        if credential is not None and right:
            command = replace(command, fits=credential_digest(credential))
        order = Order(id=f"set-pin-{uuid4()}", by=credential.staff if credential else "", command=command)
        member = self._state.member(card)
        refusal = self.would_refuse(order)
        if isinstance(refusal, NotAllowed) or credential is None or member is None:
            # Refused, and written down, before anything is said about the new PIN.
            self.handle(order)
        else:
            self._waiting.right(card, network)
            check_pin(new_pin, member.role, card)
            if new_pin == pin:
                raise Refusal("new_pin", "is the PIN so far; choose another")
            new = new_credential(card, credential.staff, new_pin, self.keys)
            self.handle(replace(order, command=replace(command, credential=credential_digest(new))), new)
        return self._state.staff[order.by]

    def _tried(self, card: str, pin: str, network: str) -> tuple[Credential | None, bool]:
        """What a card is checked against, and whether a PIN or code fits it; refused while there is to wait."""
        config = self._state.config
        longest = config.policies.lockout_minutes * _MINUTE if config else _MINUTE
        self._waiting.begin(card, network, longest)
        credential = self._store.credential(card)
        return credential, pin_fits(credential, pin, self.keys)

    def found(
        self,
        config: FloorConfig,
        people: Sequence[FirstPerson] = (),
        *,
        demonstration: bool = False,
        pin_set: bool = False,
    ) -> tuple[FirstPerson, ...]:
        """The first start of a floor: its configuration, its signing key, and its first people.

        They are a manager and an executive unless others are given. With ``pin_set`` their secrets are PINs already.
        """
        first = tuple(people) or first_people()
        credentials = [new_credential(person.card, person.staff, person.secret, self.keys) for person in first]
        command = Found(
            config=config,
            people=tuple(
                Person(
                    staff=person.staff,
                    name=person.name,
                    role=person.role,
                    card=person.card,
                    credential=credential_digest(credential),
                )
                for person, credential in zip(first, credentials, strict=True)
            ),
            key=self.keys.public,
            key_ids=self.keys.names,
            demonstration=demonstration,
            pin_set=pin_set,
        )
        self.handle(Order(id=f"found-{uuid4()}", by=INSTALLATION, command=command), *credentials)
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
            if self._broken:
                raise StoreFault(self._broken)
            if not self._closed:
                self._catch_up(self._store.head())
                if self._clock_jobs(self.clock):
                    self._carry_out(())
        return self._state

    def probe(self) -> None:
        """Whether an order could be recorded now, by recording nothing in the same way; a StoreFault where not."""
        with self._writing:
            if self._broken or self._closed:
                raise StoreFault(self._broken or "the floor is closed")
            try:
                if self._mark is not None:
                    self._mark.must_be_writable()
                self._catch_up(self._store.probe())
                self.recorded_at = time.monotonic()
            except StoreFault as fault:
                with suppress(StoreFault):
                    self._store.rollback()
                if fault.fatal:
                    raise self._break(str(fault)) from fault
                raise

    def compare_marks(self) -> None:
        """Take nothing more if the journal is behind what any process of this machine has recorded."""
        file = self.keys.file
        if self._mark is None or file is None:
            return
        try:
            marks = read_marks(file)
        except Refusal as refusal:
            log.error("%s", refusal)
            return
        with self._writing:
            for known in marks:
                if why := defect(self._store, known):
                    raise self._break(why)

    def recover(self, order: Order) -> Done:
        """Carry out an order to recover a floor that was opened for it; from here on it is what the mark remembers."""
        if self.keys.file is None or self._mark is not None:
            return self.handle(order)
        mark = Mark(self.keys.file)
        try:
            mark.must_be_alone()
            done = self.handle(order)
            mark.begin_anew()
        except BaseException:
            mark.close()
            raise
        self._mark = mark
        self._set_mark()
        return done

    def close(self) -> None:
        """Finish what was handed in, keep a snapshot, and close the database."""
        with self._writing:
            if self._closed:
                return
            while group := self._group():
                self._carry_out(group)
            self._closed = True
            with suppress(StoreFault):
                if not self._broken:
                    self._keep_snapshot()
            self._store.close()
            if self._mark is not None:
                self._mark.close()
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
        if self._closed or self._broken:
            why = self._broken or "the floor is closed"
            for job in jobs:
                job.future.set_exception(StoreFault(f"{why}; nothing was recorded"))
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
        reading = self.clock
        own = self._clock_jobs(reading)
        known = self._store.known([job.order.id for job in jobs])
        # Every order makes one entry at most.
        salts = self._random((len(own) + len(jobs)) * SALT_BYTES).hex()
        group = _Group(self._state, self._store, self._codes, salts, reading)
        for job in own:
            self._answer(job, known, group)
        answers = [self._answer(job, known, group) for job in jobs]
        if group.rows:
            self._store.append(group.rows, group.postings, group.totals)
            tree, nodes = self._tree.with_leaves(row.body.encode() for row in group.rows)
            self._store.add_nodes(nodes)
            for credential in group.credentials:
                self._store.add_credential(credential)
            keep = not self._snapshot_at or group.state.seq - self._snapshot_at >= SNAPSHOT_EVERY
            if keep:
                self._store.save_snapshot(self._codes.sealed(snapshot_of(group.state)))
            self._store.commit()
            self.recorded_at = time.monotonic()
            replaced = group.state.key_ids != self._state.key_ids or group.state.key != self._state.key
            self._state, self._tree = group.state, tree
            self._set_mark()
            self._free(group.entries)
            self._set_clock(group.entries)
            if keep:
                self._snapshot_at = group.state.seq
            self._tell(group.entries)
            if replaced:
                self._use_again()
        else:
            self._store.rollback()
        return answers

    def _begin(self) -> None:
        """Take the floor's lock, and take in what other processes wrote since."""
        if self._mark is not None:
            self._mark.must_be_writable()
        try:
            self._catch_up(self._store.begin())
        except StoreFault:
            with suppress(StoreFault):
                self._store.rollback()
            raise
        if self._broken:
            raise StoreFault(f"{self._broken}; nothing was recorded")

    def _catch_up(self, head: Head) -> None:
        """The entries that others wrote, told like our own.

        They must follow from our own last entry and have the floor's code, and the journal may not end before it or
        otherwise. Where that is not so, this process and the database are of two minds for good.
        """
        state, tree, new = self._state, self._tree, list[Entry]()
        try:
            if head.seq > state.seq:
                for row in self._store.entries(state.seq, head.seq):
                    entry = read_next(row, state.head, state.uncoded, state.key_ids, self._codes)
                    state = after(state, entry, row.hash)
                    tree, _ = tree.with_leaves([row.body.encode()])
                    new.append(entry)
            if head != state.head:
                raise Refusal("journal", f"ends at entry {head.seq}, but not as this floor wrote or read it")
        except StoreFault:
            raise
        except Exception as wrong:
            raise self._break(str(wrong)) from wrong
        replaced = state.key_ids != self._state.key_ids or state.key != self._state.key
        self._state, self._tree = state, tree
        if new:
            self._set_mark()
        self._free(new)
        self._set_clock(new)
        self._tell(new)
        if replaced:
            self._use_again()

    def _set_mark(self) -> None:
        """Remember outside the database what is durable now, before anybody hears of it."""
        if self._mark is None or not self._state.seq:
            return
        if not self._floor_hash:
            first = self._store.entry(1)
            self._floor_hash = first.hash if first is not None else ""
        self._mark.set(self._floor_hash, self._state.head, self._state.at)

    def _break(self, why: str) -> StoreFault:
        """Take nothing more: what this process knows and what the database holds cannot both be true."""
        self._broken = f"this floor takes nothing more: {why}; stop it, verify the journal, and start it again"
        log.critical("%s", self._broken)
        with suppress(StoreFault):
            self._store.rollback()
        return StoreFault(f"{self._broken}; nothing was recorded")

    # ---------------------------------------------------------------------------------------------------- the keys

    def _use(self, keys: Keyring) -> None:
        """Work with the keys that are in force by the journal."""
        self.keys = keys.in_force(self._state.key_ids, self._state.key)
        self._codes = Codes(self.keys)
        self.shoe: Shoe = (
            self._given_shoe if self._given_shoe is not None else SealingShoe(*self.keys.secrets("sealing"))
        )

    def _use_again(self) -> None:
        """TR-14: a key was replaced, here or by another process. The key file holds the new one, or nothing goes on."""
        # The saved state must be good for the new secret too.
        self._snapshot_at = 0
        try:
            self._use(self.keys.again())
        except Refusal as refusal:
            self._break(f"a key was replaced, and {refusal}")

    def _holds(self, command: ReplaceKey) -> bool:
        """Whether the key file holds the secret that an order would put in force."""
        keys = self.keys.again()
        return any(
            keys.named(purpose, command.secret_id or "none") for purpose in PURPOSES if purpose == command.purpose
        )

    def _note_uncoded(self) -> None:
        """The first start with a key file writes down which entries have no code: later ones must have one."""
        file = self.keys.file
        if file is None or self.keys.uncoded is not None:
            return
        try:
            note_uncoded(file, self._state.uncoded)
        except Refusal as refusal:
            log.warning("%s; entries up to %d have no code, and the file does not say so", refusal, self._state.seq)
        else:
            self._use(self.keys.again())

    def _free(self, entries: Sequence[Entry]) -> None:
        """TR-6: nobody waits any more for a card that two people freed, in whichever process."""
        for entry in entries:
            for event in entry.events if entry.kind == "unlock" else ():
                if isinstance(event, tell.StaffUnlocked):
                    self._waiting.forget(self._state.staff[event.staff].card)

    def _tell(self, entries: Sequence[Entry]) -> None:
        if entries:
            for listener in self._listeners:
                listener(entries, self._state)

    def _answer(self, job: _Job, known: dict[str, Row], group: _Group) -> Done | Exception:
        """One order's answer. What it makes goes into the group, or, refused, nothing does."""
        order = job.order
        done = group.by_order.get(order.id)
        try:
            if done is None and order.id in known:
                done = self._codes.past(known[order.id])
        except Refusal as refusal:
            return refusal
        if done is not None:
            return _known_answer(job, done, repeated=True)
        office = self._office(order, group.state, group.past, group.reading)
        try:
            entry = self._entry(office, job, decide(office), group.salt())
            group.add(entry)
        except NotAllowed as refusal:
            self._note(office, job, refusal, group)
            return refusal
        except Refusal as refusal:
            # Not its sentence: why a setting is refused tells of the hand (TR-10).
            log.info("refused %s %s by %s: %s", kind_of(order.command), order.id, order.by, refusal.field)
            return refusal
        except Exception as bug:
            log.exception("order %s failed", order.id)
            return bug
        group.credentials.extend(job.credentials)
        return Done(entry, repeated=False)

    def _office(self, order: Order, state: FloorState, past: Past, reading: Reading) -> Office:
        if state.clock_set != self._state.clock_set:
            # Two people have set the time in this very transaction.
            reading = Reading(max(reading.wall, state.at), reading.wall, state.at)
        command, now = order.command, max(reading.now, state.at)
        if isinstance(command, RepairClock):
            now = reading.wall
        elif isinstance(command, ConfirmClock):
            now = max(reading.wall, state.at)
        config = command.config if isinstance(command, Found) else state.config
        day = self._day(config, now) if config else ""
        return Office(state, order, state.seq + 1, now, day, past, self.shoe, reading)

    def _clock_jobs(self, reading: Reading) -> list[_Job]:
        """What the floor itself has to write down about its clock: that it is not believed, or is again."""
        state, where = self._state, self._clock.where
        if state.config is None:
            return []
        if state.doubts.get(where, "") == reading.doubt:
            return []
        command = NoteClock(where=where, doubt=reading.doubt, shown=reading.wall)
        order = Order(id=f"clock-{uuid4()}", by=CLOCK, command=command)
        if reading.doubt:
            log.error("the clock is not believed: %s", reading.words)
        return [_Job(order, digest_of(order), (), _Answer())]

    def _set_clock(self, entries: Sequence[Entry]) -> None:
        """Go by the time that two people have confirmed or put right, in whichever process."""
        for entry in entries:
            if entry.seq == self._state.clock_set:
                self._clock.set(entry.at)

    def _day(self, config: FloorConfig, now: int) -> str:
        key = config.policies.time_zone, config.policies.day_starts
        calendar = self._calendars.get(key)
        if calendar is None:
            calendar = self._calendars[key] = Calendar(*key)
        return calendar.day_of(now)

    @staticmethod
    def _entry(office: Office, job: _Job, events: tuple[tell.Event, ...], salt: str) -> Entry:
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
            screen=order.screen,
            kind=kind_of(order.command),
            table=table,
            round=number,
            events=events,
            format=FORMAT,
            salt=salt,
        )

    def _note(self, office: Office, job: _Job, refusal: NotAllowed, group: _Group) -> None:
        """Write down a refusal of authority, unless there are too many of them; then only count it."""
        log.warning("not allowed (%s) %s by %s: %s", refusal.rule, job.order.id, job.order.by, refusal)
        config = office.state.config
        if config is None:
            return
        if office.now != office.clock.now:
            # Who may not set the clock has not set it: the refusal carries the time that the floor goes by.
            office = office._replace(now=office.clock.now, day=self._day(config, office.clock.now))
        event = refused_event(office, refusal, self._unrecorded)
        ticks = self._clock.ticks()
        self._refusals = [at for at in self._refusals if at > ticks - _MINUTE]
        if len(self._refusals) >= REFUSALS_A_MINUTE and not event.failed:
            self._unrecorded += 1
            return
        self._refusals.append(ticks)
        self._unrecorded = 0
        entry = self._entry(office, job, (event,), group.salt())
        group.add(_renamed(entry))

    def _after_fault(self, jobs: Sequence[_Job], fault: StoreFault) -> list[Done | Exception]:
        """Answer a group whose transaction failed; where the commit itself may have happened, look first."""
        log.error("the database failed: %s", fault)
        with suppress(StoreFault):
            self._store.rollback()
        broken = self._break(str(fault)) if fault.fatal else None
        if not fault.uncertain:
            return [broken or fault] * len(jobs)
        # Also when it is not seen now: a log that could not be cut may hold it whole, for the next start to find.
        unsure = StoreFault(
            f"{self._broken or fault}; whether this was recorded is not certain: send the order again with the same id",
            uncertain=True,
        )
        if broken is not None:
            return [unsure] * len(jobs)
        before = self._state.seq
        try:
            self._begin()
            known = self._store.known([job.order.id for job in jobs])
            self._store.rollback()
        except StoreFault:
            return [unsure] * len(jobs)
        rows = [known.get(job.order.id) for job in jobs]
        return [
            unsure if row is None else _known_answer(job, entry_of(row.body), repeated=row.seq <= before)
            for job, row in zip(jobs, rows, strict=True)
        ]

    def _keep_snapshot(self) -> None:
        if self._state.seq == self._snapshot_at:
            return
        self._begin()
        self._store.save_snapshot(self._codes.sealed(snapshot_of(self._state)))
        self._store.commit()
        self._snapshot_at = self._state.seq


def _named(command: Command) -> tuple[tuple[str, str], ...]:
    """The credentials that must come with a command, each by its card and its digest."""
    match command:
        case Found():
            return tuple((person.card, person.credential) for person in command.people)
        case Enroll() | SetPin():
            return ((command.card, command.credential),) if command.credential else ()
        case _:
            return ()


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
    return replace(entry, order=f"{OWN}{entry.seq}", table="", round=0)
