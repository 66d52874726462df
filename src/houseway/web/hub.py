"""Live streams: what changes on the floor, to everybody who watches it; each viewer is shown what that viewer may see.

The floor tells the hub of every durable entry, whichever process wrote it. For each subject that somebody watches the
hub sends the entry as a *step*, never skipped, and soon after the subject's new *view*, where only the latest counts.
A meter's value is sent at most five times a second and always ends on the true one. A reader who is too far behind is
cut off, and starts again from the current view.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from threading import Event, Lock, Thread
from typing import Any, Final, NamedTuple

import msgspec

from houseway.books.view import next_prizes
from houseway.manager.entry import Entry, entry_of
from houseway.manager.events import FloorConfigured, Resumed, Suspended
from houseway.manager.floor import Floor
from houseway.manager.permissions import MAY_READ
from houseway.manager.state import FloorState
from houseway.manager.store.base import StoreFault
from houseway.table.event import Audience, Watched
from houseway.web.problem import Problem, away
from houseway.web.recording import Recording
from houseway.web.views import floor_doc, link_doc, manager_doc, table_doc
from houseway.web.who import Principal, check_may_read

VIEW_SECONDS: Final = 0.04
"""How soon a changed view is sent; longer when many change at once."""
SLOW_VIEW_SECONDS: Final = 0.5
"""The same for the floor and the Game Manager, which change with everything."""
METER_SECONDS: Final = 0.2
BEAT_SECONDS: Final = 1.0
MOST_WAITING: Final = 1_000
"""How many steps may wait for a reader before the reader is cut off."""
MOST_WAITING_BYTES: Final = 2_000_000
"""How much may wait for a reader, of all kinds."""
MOST_MISSED: Final = 2_000
"""How many steps are told again to a reader who comes back; after more the reader is told of a gap."""

log = logging.getLogger("houseway.hub")
_ENCODER: Final = msgspec.json.Encoder()


class Subject(NamedTuple):
    """Something that can be watched."""

    kind: Watched
    id: str = ""

    @property
    def name(self) -> str:
        return f"{self.kind}/{self.id}" if self.id else self.kind

    @classmethod
    def read(cls, text: str) -> Subject:
        """A subject from its name: ``table/T1``, ``link/L1``, ``floor`` or ``manager``."""
        kind, _, name = text.partition("/")
        match kind:
            case "table" | "link" if name:
                return cls(kind, name)
            case "floor" | "manager" if not name:
                return cls(kind)
        raise Problem(
            422, "invalid", f"unknown subject {text[:60]!r}; allowed: table/ID, link/ID, floor or manager", "subject"
        )


def audience_of(viewer: Principal) -> Audience:
    """Which steps somebody is told."""
    if viewer.reader in MAY_READ["adjustments"]:
        return "books"
    return "staff" if viewer.kind == "staff" or viewer.reader == "casino" else "public"


class Stream:
    """One reader, and what waits to be read."""

    def __init__(
        self, viewer: Principal, subjects: tuple[Subject, ...], still_good: Callable[[], bool], network: str = ""
    ) -> None:
        self.viewer = viewer
        self.network = network
        """The address it goes to, as limits count it."""
        self.subjects = subjects
        self.still_good = still_good
        self.audience = audience_of(viewer)
        self.ended = ""
        """Why it is over, once it is."""
        self.until = 0
        """The entry it was let in at: what was before that is in the first view, or is told as missed."""
        self._waiting: dict[object, tuple[int, bytes]] = {}
        """In the order they are to be sent; a step with its entry, anything else with 0."""
        self._steps = 0
        self._bytes = 0
        self._wake = asyncio.Event()

    def step(self, entry: int, message: bytes) -> None:
        """A message that is never skipped. All steps of an entry are given before anything else."""
        if self.ended:
            return
        self._steps += 1
        self._keep(object(), entry, message)

    def latest(self, key: str, message: bytes) -> None:
        """A message in place of an earlier one that still waits; it comes after every step before it."""
        if self.ended:
            return
        self._bytes -= len(self._waiting.pop(key, (0, b""))[1])
        self._keep(key, 0, message)

    def _keep(self, key: object, entry: int, message: bytes) -> None:
        self._bytes += len(message)
        if self._steps > MOST_WAITING or self._bytes > MOST_WAITING_BYTES:
            self._waiting.clear()
            self.end("too far behind; come back for the current view")
            return
        self._waiting[key] = (entry, message)
        self._wake.set()

    def end(self, why: str) -> None:
        """Nothing more comes."""
        self.ended = self.ended or why
        self._wake.set()

    async def take(self) -> bytes:
        """Everything that waits, once something does."""
        await self._wake.wait()
        self._wake.clear()
        parts = list(_numbered(list(self._waiting.values())))
        self._waiting.clear()
        self._steps = self._bytes = 0
        if self.ended:
            parts.append(message("bye", {"why": self.ended}))
        return b"".join(parts)


def _numbered(waiting: Sequence[tuple[int, bytes]]) -> Iterable[bytes]:
    """Only the last step of an entry has its number: who is cut off before it is told all of them again."""
    for place, (entry, frame) in enumerate(waiting):
        following = waiting[place + 1][0] if place + 1 < len(waiting) else 0
        yield b"id: %d\n%s" % (entry, frame) if entry and entry != following else frame


def message(event: str, data: Any, id: int | None = None) -> bytes:
    """One server-sent event."""
    number = b"" if id is None else b"id: %d\n" % id
    return b"%sevent: %s\ndata: %s\n\n" % (number, event.encode(), _ENCODER.encode(data))


class Hub:
    """All streams of one process. Everything but `note` runs on the event loop."""

    def __init__(self, floor: Floor, most_streams: int, per_address: int, per_person: int) -> None:
        self._floor = floor
        self._most = most_streams
        self._per_address = per_address
        self._per_person = per_person
        self._of: Counter[tuple[str, str]] = Counter()
        """How many streams each address and each person has."""
        self.state = floor.state
        """The floor as the streams know it."""
        self.recording = Recording(floor)
        self._streams: set[Stream] = set()
        self._watched: dict[Subject, set[Stream]] = {}
        self._last_step: dict[tuple[Subject, Audience], int] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._arrived: deque[tuple[Sequence[Entry], FloorState]] = deque()
        self._note_lock = Lock()
        self._scheduled = False
        self._views: set[Subject] = set()
        self._views_due = False
        self._slow_views: set[Subject] = set()
        self._slow_due = False
        self._meters: dict[str, float] = {}
        """When each link's meters were last sent."""
        self._meters_due: set[str] = set()
        self._stopping = Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._follower: Thread | None = None

    # ------------------------------------------------------------------------------------------------ beginning and end

    def start(self) -> None:
        """Begin to listen; called on the event loop."""
        self._loop = asyncio.get_running_loop()
        self._floor.listen(self.note)
        # After listening: what is told again is in this state already, and passed over.
        self.state = self._floor.state
        self._tasks = [self._loop.create_task(self._beat())]
        self._follower = Thread(target=self._follow, name="houseway-follow", daemon=True)
        self._follower.start()
        self.recording.start()

    def stop(self) -> None:
        """End every stream."""
        self._stopping.set()
        self.recording.stop()
        for task in self._tasks:
            task.cancel()
        for stream in self._streams:
            stream.end(self._floor.broken or "the server stops; come back")

    def join(self) -> None:
        """Wait until nothing reads the database any more."""
        if self._follower is not None:
            self._follower.join(2 * BEAT_SECONDS)
        self.recording.join(2 * BEAT_SECONDS)

    @property
    def streams(self) -> int:
        return len(self._streams)

    def _follow(self) -> None:
        """Take in what other processes write."""
        while not self._stopping.is_set():
            try:
                self._floor.refresh()
                self._floor.store.wait(BEAT_SECONDS, self._stopping)
            except StoreFault as fault:
                log.warning("the database was not heard: %s", fault)
                self._stopping.wait(BEAT_SECONDS)
            except Exception:
                log.exception("following the journal failed; trying again")
                self._stopping.wait(BEAT_SECONDS)

    async def _beat(self) -> None:
        """Tell every reader whether the Game Manager can record; who may watch no more is sent away."""
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            # Not a beat with a flag: a reader who does not know `stalled` must take it for silence (PR-38).
            now, why = {"entry": self.state.seq, "at": time.time_ns() // 1_000}, self.recording.why_not
            beat = message("stalled", {**now, "why": why}) if why else message("beat", now)
            for stream in tuple(self._streams):
                try:
                    good = stream.still_good()
                except Exception:
                    log.exception("who watches could not be checked")
                    good = False
                if self._floor.broken:
                    stream.end(self._floor.broken)
                elif good:
                    stream.latest("beat", beat)
                else:
                    stream.end("you are signed out; sign in again")

    # ------------------------------------------------------------------------------------------------ who watches what

    def watch(self, stream: Stream, since: int | None = None) -> bytes:
        """Let a reader in; answers with the current views. ``since`` is the last entry that reader has heard of.

        For a reader who comes back the views carry that number, until the missed steps have been told.
        """
        if self._stopping.is_set():
            raise away("stopping", "the server stops; come back", 2)
        if self._floor.broken:
            raise away("unavailable", self._floor.broken, 5)
        if len(self._streams) >= self._most:
            raise away("too-many-streams", "too many live streams are open; try again later", 5)
        for owner, most, whose in (
            (("person", stream.viewer.id), self._per_person, "you have"),
            (("address", stream.network), self._per_address, "your address has"),
        ):
            if self._of[owner] >= most:
                raise Problem(
                    429,
                    "too-many-streams",
                    f"{whose} {most:,} live streams open, which is the most; close one first",
                    Retry_After="5",
                )
        stream.until = self.state.seq
        views = [self.view_message(subject, stream.viewer, since) for subject in stream.subjects]
        for subject in stream.subjects:
            if not any(other.audience == stream.audience for other in self._watched.get(subject, ())):
                # Nobody was told of what happened meanwhile.
                self._last_step[subject, stream.audience] = self.state.seq
        self._streams.add(stream)
        self._of.update(_owners(stream))
        for subject in stream.subjects:
            self._watched.setdefault(subject, set()).add(stream)
        return b"".join(views)

    def leave(self, stream: Stream) -> None:
        """A reader is gone."""
        if stream in self._streams:
            self._streams.discard(stream)
            for owner in _owners(stream):
                self._of[owner] -= 1
                if not self._of[owner]:
                    del self._of[owner]
        for subject in stream.subjects:
            watching = self._watched.get(subject)
            if watching is not None:
                watching.discard(stream)
                if not any(other.audience == stream.audience for other in watching):
                    self._last_step.pop((subject, stream.audience), None)
                if not watching:
                    del self._watched[subject]

    def view_message(self, subject: Subject, viewer: Principal, number: int | None = None) -> bytes:
        """A subject as a viewer sees it now; refused where the viewer may not see it."""
        state = self.state
        match subject.kind:
            case "table":
                check_may_read(viewer, "table")
                doc: Any = table_doc(state, subject.id, viewer, self._floor)
            case "link":
                check_may_read(viewer, "meters")
                doc = link_doc(state, subject.id, viewer)
            case "floor":
                check_may_read(viewer, "floor")
                doc = floor_doc(state, viewer)
            case _:
                check_may_read(viewer, "manager")
                doc = manager_doc(state, self._floor.clock)
        last = self._last_step.get((subject, audience_of(viewer)), state.seq)
        return message(
            "view", {"subject": subject.name, "last": last, "view": doc}, state.seq if number is None else number
        )

    def missed(self, stream: Stream, since: int) -> list[bytes]:
        """The steps that somebody who comes back has missed, read from the journal; or that there is a gap."""
        until = stream.until
        if since > until or until - since > MOST_MISSED:
            return [message("gap", {"from": since, "to": until}, until)]
        frames: list[tuple[int, bytes]] = []
        for row in self._floor.store.entries(since, until):
            entry = entry_of(row.body)
            for subject in stream.subjects:
                step = self._step_of(entry, subject, stream.audience)
                if step is not None:
                    frames.append((entry.seq, message("missed", {"subject": subject.name, **step})))
        return [*_numbered(frames), b"id: %d\n\n" % until]

    # ------------------------------------------------------------------------------------------------ what happens

    def note(self, entries: Sequence[Entry], state: FloorState) -> None:
        """Told by the floor, from whichever thread: entries that are durable now."""
        with self._note_lock:
            self._arrived.append((entries, state))
            if self._scheduled or self._loop is None:
                return
            self._scheduled = True
        try:
            self._loop.call_soon_threadsafe(self._take_arrived)
        except RuntimeError:
            log.debug("the loop is closed; nobody watches any more")

    def _take_arrived(self) -> None:
        with self._note_lock:
            arrived = list(self._arrived)
            self._arrived.clear()
            self._scheduled = False
        for entries, state in arrived:
            if state.seq <= self.state.seq:
                continue
            self.state = state
            try:
                for entry in entries:
                    self._entry(entry)
            except Exception:
                log.exception("telling of an entry failed; every stream begins anew")
                for stream in tuple(self._streams):
                    stream.end("the server failed; come back for the current view")

    def _entry(self, entry: Entry) -> None:
        links = set(_links_of(entry))
        of_links = any(event.SHOWN is not None and event.SHOWN.on == "link" for event in entry.events)
        for subject in self._touched(entry, links, of_links):
            watching = self._watched.get(subject)
            if watching:
                self._send_step(entry, subject, watching)
                # A link whose meters only rose is told by its meters.
                if subject.kind != "link" or of_links:
                    self._changed(subject)
        for link in links:
            if Subject("link", link) in self._watched:
                self._meter_changed(link)

    def _touched(self, entry: Entry, links: Iterable[str], of_links: bool) -> Iterable[Subject]:
        if entry.table:
            yield Subject("table", entry.table)
        for link in links:
            yield Subject("link", link)
            # A claim moves the turns and amounts of those at the link's other tables.
            if of_links:
                for table in self.state.links[link].tables if link in self.state.links else ():
                    if table != entry.table and Subject("table", table) in self._watched:
                        self._changed(Subject("table", table))
        yield from _ALL_OF_IT
        if any(isinstance(event, FloorConfigured) for event in entry.events):
            for subject in tuple(self._watched):
                self._changed(subject)

    def _send_step(self, entry: Entry, subject: Subject, watching: set[Stream]) -> None:
        for audience in {stream.audience for stream in watching}:
            step = self._step_of(entry, subject, audience)
            if step is None:
                continue
            previous = self._last_step.get((subject, audience), entry.seq)
            self._last_step[subject, audience] = entry.seq
            frame = message("step", {"subject": subject.name, "previous": previous, **step})
            for stream in watching:
                if stream.audience == audience:
                    stream.step(entry.seq, frame)

    def _step_of(self, entry: Entry, subject: Subject, audience: Audience) -> dict[str, Any] | None:
        """An entry as a step of a subject; None where it is none for this audience."""
        if subject.kind == "table" and entry.table != subject.id:
            return None
        events = [
            event.show_fields()
            for event in entry.events
            if event.SHOWN is not None
            and event.SHOWN.is_told(subject.kind, audience)
            and (subject.kind != "link" or subject.id in _link_names(event))
        ]
        if not events:
            return None
        step = {
            "entry": entry.seq,
            "at": entry.at,
            "type": entry.kind,
            "table": entry.table,
            "round": entry.round,
            "events": events,
        }
        return step if audience == "public" else {**step, "by": entry.by}

    # ------------------------------------------------------------------------------------------------ views and meters

    def _changed(self, subject: Subject) -> None:
        """Send a subject's new view before long."""
        assert self._loop is not None
        if subject in _ALL_OF_IT:
            self._slow_views.add(subject)
            if not self._slow_due:
                self._slow_due = True
                self._loop.call_later(SLOW_VIEW_SECONDS, self._send_slow_views)
            return
        self._views.add(subject)
        if not self._views_due:
            self._views_due = True
            self._loop.call_later(VIEW_SECONDS, self._send_views)

    def _send_views(self) -> None:
        """Send what changed; when that took long, wait longer the next time, so that orders are not held up."""
        assert self._loop is not None
        began = time.perf_counter()
        changed, self._views = self._views, set()
        for subject in changed:
            self._send_view(subject)
        took = time.perf_counter() - began
        self._views_due = bool(self._views) or took > VIEW_SECONDS / 4
        if self._views_due:
            self._loop.call_later(max(VIEW_SECONDS, 3 * took), self._send_views)

    def _send_slow_views(self) -> None:
        changed, self._slow_views, self._slow_due = self._slow_views, set(), False
        for subject in changed:
            self._send_view(subject)

    def _send_view(self, subject: Subject) -> None:
        frames: dict[tuple[str, str, str, str], bytes] = {}
        for stream in tuple(self._watched.get(subject, ())):
            viewer = stream.viewer
            key = (viewer.kind, viewer.reader, viewer.subject, viewer.name if viewer.kind == "player" else "")
            try:
                if key not in frames:
                    frames[key] = self.view_message(subject, viewer)
            except Problem as gone:
                stream.end(str(gone))
                continue
            except Exception:
                log.exception("the view of %s failed", subject.name)
                stream.end("the server failed; come back for the current view")
                continue
            stream.latest(subject.name, frames[key])

    def _meter_changed(self, link: str) -> None:
        assert self._loop is not None
        if link in self._meters_due:
            return
        wait = self._meters.get(link, 0.0) + METER_SECONDS - time.monotonic()
        if wait <= 0:
            self._send_meters(link)
        else:
            self._meters_due.add(link)
            self._loop.call_later(wait, self._send_meters, link)

    def _send_meters(self, link: str) -> None:
        self._meters_due.discard(link)
        self._meters[link] = time.monotonic()
        subject, state = Subject("link", link), self.state.links.get(link)
        watching = self._watched.get(subject)
        if state is None or not watching:
            return
        frame = message(
            "meters",
            {
                "subject": subject.name,
                "entry": self.state.seq,
                "currency": self.state.policies.currency,
                "meters": {name: meter.shown_cents for name, meter in state.meters.items()},
                "next_cents": next_prizes(state),
            },
        )
        for stream in watching:
            stream.latest(f"meters/{link}", frame)


def _owners(stream: Stream) -> tuple[tuple[str, str], ...]:
    return ("person", stream.viewer.id), ("address", stream.network)


_ALL_OF_IT: Final = (Subject("floor"), Subject("manager"))


def _links_of(entry: Entry) -> Iterable[str]:
    for event in entry.events:
        yield from _link_names(event)


def _link_names(event: Any) -> Iterable[str]:
    """The links that an event is of."""
    names = [getattr(event, "link", ""), getattr(event, "to_link", "")]
    if isinstance(event, Suspended | Resumed) and event.what == "link":
        names.append(event.id)
    return filter(None, names)
