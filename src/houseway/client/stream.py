"""Live streams as typed events: read, checked for gaps, and taken up again where they broke off. Nothing is sent here.

Every step of a subject names the step before it, so that one that is missing is noticed. After a break the stream is
asked for what came since the last entry that was seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeVar

import httpx
import msgspec
from msgspec import Struct

from houseway.api.floor import FloorDoc, LinkDoc, ManagerDoc, TableDoc
from houseway.api.route import PREFIX
from houseway.api.stream import Beat, Bye, Meters, Stalled, Step
from houseway.client.asking import decoder_of
from houseway.client.problems import Failed, Refused, Unreachable
from houseway.client.retry import TOO_MANY, Patience
from houseway.refusal import Fault, Refusal

SILENCE: Final = 5.0
"""A floor that says nothing for so many seconds is not heard (PR-38); its heart beats every second."""
COMING_BACK: Final = Patience(first_wait=0.2, longest_wait=2.0)
MOST_REMEMBERED: Final = 5_000
LONGEST_MESSAGE: Final = 64_000_000
T = TypeVar("T")

Doc = TableDoc | LinkDoc | FloorDoc | ManagerDoc
_DOCS: Final[Mapping[str, type[Doc]]] = {
    "table": TableDoc,
    "link": LinkDoc,
    "floor": FloorDoc,
    "manager": ManagerDoc,
}


class View(NamedTuple):
    """A subject as it stands."""

    subject: str
    entry: int
    last: int
    """The last step that it takes into account."""
    view: Doc
    first: bool
    """Whether it is the one that a connection begins with."""


class Gap(NamedTuple):
    """Steps may be missing: of one subject, or with an empty one of all."""

    subject: str
    since: int
    """The last entry before it."""
    until: int
    why: str


class Lost(NamedTuple):
    """The connection is gone; the stream comes back by itself."""

    why: str


StreamEvent = View | Step | Meters | Beat | Stalled | Gap | Lost | Bye


class _ViewData(Struct, frozen=True, kw_only=True):
    subject: str
    last: int
    view: msgspec.Raw


class _GapData(Struct, frozen=True, kw_only=True, rename={"since": "from", "until": "to"}):
    since: int
    until: int


class Message(NamedTuple):
    """One server-sent event, unread."""

    event: str
    data: bytes
    id: int | None


class Messages:
    """Cuts a stream of bytes into messages."""

    def __init__(self) -> None:
        self._rest = b""
        self._event = ""
        self._data: list[bytes] = []
        self._id: int | None = None

    def take(self, chunk: bytes) -> Iterator[Message]:
        """The messages that are complete with this chunk."""
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        if len(self._rest) > LONGEST_MESSAGE:
            raise Failed("the stream sent a line without an end")
        for raw in lines:
            line = raw.removesuffix(b"\r")
            if line:
                self._field(line)
            elif self._data or self._event:
                yield Message(self._event or "message", b"\n".join(self._data), self._id)
                self._event, self._data, self._id = "", [], None

    def _field(self, line: bytes) -> None:
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        match name:
            case b"event":
                self._event = value.decode("utf-8", "replace")
            case b"data":
                self._data.append(value)
            case b"id" if value.isdigit():
                self._id = int(value)


class Follower:
    """Follows some subjects over as many connections as it takes."""

    def __init__(self, subjects: Sequence[str], last: int | None = None) -> None:
        if not subjects:
            raise Refusal("subjects", "must name what to watch: table/ID, link/ID, floor or manager")
        self.path = f"{PREFIX}/stream"
        self.query: Mapping[str, Sequence[str]] = {"subject": list(subjects)}
        self.last = last
        """The number of the last entry that was seen."""
        self._broken = 0
        self._begin()

    def _begin(self) -> None:
        """A new connection: what was known of the chain is from another."""
        self._messages = Messages()
        self._chain: dict[str, int] = {}
        self._told: dict[str, set[int]] = {}
        self._since = self.last

    @property
    def headers(self) -> dict[str, str]:
        """What a new connection asks with."""
        return {"accept": "text/event-stream", **({} if self.last is None else {"last-event-id": str(self.last)})}

    def wait(self) -> float:
        """How long to wait before coming back."""
        return COMING_BACK.wait(max(self._broken, 1))

    def lost(self, why: str) -> Iterator[StreamEvent]:
        """The connection is gone."""
        self._broken += 1
        self._begin()
        yield Lost(why)

    def refused(self, error: Refusal | Fault) -> None:
        """The stream was not given: raised where asking again does not help."""
        if isinstance(error, Refused) and error.status == TOO_MANY:
            return
        if isinstance(error, Refusal):
            raise error
        if not isinstance(error, Failed | Unreachable):
            raise error

    def take(self, chunk: bytes) -> Iterator[StreamEvent]:
        """What a chunk of the stream says."""
        for message in self._messages.take(chunk):
            self._broken = 0
            yield from self._read(message)
            if message.id is not None:
                self.last = max(message.id, self.last or 0)

    def _read(self, message: Message) -> Iterator[StreamEvent]:
        match message.event:
            case "view":
                yield from self._view(_decoded(message, _ViewData), message.id or 0)
            case "step" | "missed":
                yield from self._step(_decoded(message, Step))
            case "meters":
                yield _decoded(message, Meters)
            case "beat":
                yield _decoded(message, Beat)
            case "stalled":
                yield _decoded(message, Stalled)
            case "gap":
                gap = _decoded(message, _GapData)
                yield Gap("", gap.since, gap.until, "too much happened in between to be told again")
            case "bye":
                yield _decoded(message, Bye)
            # Another kind is a newer server's; what it says is in the views too.

    def _view(self, data: _ViewData, entry: int) -> Iterator[StreamEvent]:
        kind = data.subject.partition("/")[0]
        if kind not in _DOCS:
            raise Failed(f"the stream sent a view of {data.subject!r}, which this client does not know")
        chain = self._chain.get(data.subject)
        if chain is not None and data.last > chain:
            yield Gap(data.subject, chain, data.last, "the view takes a step into account that did not come")
        self._chain[data.subject] = data.last if chain is None else max(chain, data.last)
        doc = _decoded(Message("view", bytes(data.view), None), _DOCS[kind])
        yield View(data.subject, entry, data.last, doc, chain is None)

    def _step(self, step: Step) -> Iterator[StreamEvent]:
        if not step.missed:
            chain = self._chain.get(step.subject)
            if chain is not None and step.previous > chain:
                yield Gap(step.subject, chain, step.previous, "a step names one before it that did not come")
            elif chain is not None and step.previous < chain and step.entry > chain:
                yield Gap(step.subject, step.previous, chain, "a step does not know the one that came before it")
            self._chain[step.subject] = max(chain or 0, step.entry)
        # What came in between may be told twice: as missed, and as it happened.
        steps = self._told.setdefault(step.subject, set())
        if step.entry in steps or (self._since is not None and step.entry <= self._since):
            return
        if len(steps) >= MOST_REMEMBERED:
            self._told[step.subject] = steps = set(sorted(steps)[MOST_REMEMBERED // 2 :])
        steps.add(step.entry)
        yield step


def _decoded(message: Message, answer: type[T]) -> T:
    try:
        return decoder_of(answer).decode(message.data)
    except (msgspec.DecodeError, UnicodeDecodeError) as wrong:
        raise Failed(f"the stream sent a {message.event} that this client cannot read: {wrong}") from None


def stream_timeout() -> httpx.Timeout:
    """A stream that is silent for too long is given up and asked for again."""
    return httpx.Timeout(10.0, read=SILENCE, pool=None)
