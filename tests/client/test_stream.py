"""Streams: cut into messages however they arrive, checked for gaps, taken up again where they broke off."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import httpx
import msgspec
import pytest

from houseway.api.floor import LinkDoc
from houseway.client import Beat, Bye, Client, Gap, Lost, Meters, Step, StreamEvent, View
from houseway.client.problems import Failed, Refused
from houseway.client.stream import Follower, Message, Messages
from houseway.refusal import NotAllowed, Refusal

LINK = LinkDoc(
    entry=9,
    link="L",
    name="L",
    currency="USD",
    tables=(),
    wager_cents=100,
    pay_table="1",
    meters=(),
    pending=(),
    next_cents={},
    stops=(),
    claims=(),
)


def said(event: str, data: Any, id: int | None = None) -> bytes:
    number = b"" if id is None else b"id: %d\n" % id
    return b"%sevent: %s\ndata: %s\n\n" % (number, event.encode(), msgspec.json.encode(data))


def view(last: int, id: int, subject: str = "link/L") -> bytes:
    return said("view", {"subject": subject, "last": last, "view": LINK}, id)


def step(entry: int, previous: int | None, subject: str = "link/L") -> bytes:
    doc = {"subject": subject, "entry": entry, "at": 1, "type": "lock_in", "table": "T", "round": 1, "events": []}
    if previous is None:
        return said("missed", doc)
    return said("step", {**doc, "previous": previous}, entry)


def entries(events: list[StreamEvent]) -> list[int]:
    return [one.entry for one in events if isinstance(one, Step)]


def gaps(events: list[StreamEvent]) -> list[Gap]:
    return [one for one in events if isinstance(one, Gap)]


TEXT = "retry: 1000\n\n: a comment\r\nid: 5\r\nevent: beat\r\ndata: é\ndata:two\n\ndata: x\n\n".encode()


def test_messages_are_the_same_however_they_are_cut() -> None:
    whole = [Message("beat", "é\ntwo".encode(), 5), Message("message", b"x", None)]
    for cut in range(len(TEXT) + 1):
        messages = Messages()
        assert [*messages.take(TEXT[:cut]), *messages.take(TEXT[cut:])] == whole
    one_by_one = Messages()
    assert [one for byte in TEXT for one in one_by_one.take(bytes([byte]))] == whole


def test_events_are_typed() -> None:
    follower = Follower(["link/L"])
    meters = {"subject": "link/L", "entry": 9, "currency": "USD", "meters": {"main": 123}}
    chunk = view(4, 9) + said("meters", meters, 9) + said("beat", {"entry": 9, "at": 2}) + said("bye", {"why": "w"})
    chunk += said("news", {"of": "a later server"})
    assert list(follower.take(chunk)) == [
        View("link/L", 9, 4, LINK, True),
        Meters(subject="link/L", entry=9, currency="USD", meters={"main": 123}),
        Beat(entry=9, at=2),
        Bye(why="w"),
    ]
    assert follower.last == 9


def test_a_whole_chain_has_no_gap() -> None:
    follower = Follower(["link/L"])
    events = list(follower.take(view(4, 9) + step(10, 4) + step(13, 10) + view(13, 14) + step(15, 13)))
    assert entries(events) == [10, 13, 15]
    assert not gaps(events)
    assert follower.last == 15


def test_a_view_that_is_older_than_the_steps_before_it_is_no_gap() -> None:
    events = list(Follower(["link/L"]).take(view(4, 9) + step(10, 4) + step(11, 10) + view(10, 10) + step(12, 11)))
    assert not gaps(events)


@pytest.mark.parametrize("dropped", [1, 2, 3])
def test_a_step_that_did_not_come_is_noticed(dropped: int) -> None:
    parts = [view(4, 9), step(10, 4), step(13, 10), step(15, 13), step(16, 15)]
    del parts[dropped]
    found = gaps(list(Follower(["link/L"]).take(b"".join(parts))))
    assert len(found) == 1
    assert found[0].subject == "link/L"


def test_a_lost_last_step_is_noticed_by_the_next_view() -> None:
    found = gaps(list(Follower(["link/L"]).take(view(4, 9) + step(10, 4) + view(13, 13))))
    assert [(one.since, one.until) for one in found] == [(10, 13)]


def test_chains_of_several_subjects_are_apart() -> None:
    follower = Follower(["link/L", "link/M"])
    chunk = view(4, 9) + view(8, 9, "link/M") + step(10, 4) + step(11, 8, "link/M") + step(12, 10)
    assert not gaps(list(follower.take(chunk)))


def test_after_a_break_what_was_missed_is_told_once() -> None:
    follower = Follower(["link/L"])
    list(follower.take(view(4, 9) + step(10, 4) + b"id: 11\neve"))
    assert list(follower.lost("reset")) == [Lost("reset")]
    assert follower.headers["last-event-id"] == "10"
    # A step that came while the missed ones were read is told both ways, and may come before them.
    chunk = view(12, 12) + step(14, 12) + step(11, None) + step(12, None) + step(14, None) + step(15, 14)
    events = list(follower.take(chunk))
    assert entries(events) == [14, 11, 12, 15]
    assert not gaps(events)
    assert [one.missed for one in events if isinstance(one, Step)] == [False, True, True, False]


def test_a_server_that_lags_behind_tells_nothing_twice() -> None:
    follower = Follower(["link/L"], last=20)
    events = list(follower.take(view(15, 15) + said("gap", {"from": 20, "to": 15}) + step(18, 15) + step(21, 18)))
    assert entries(events) == [21]
    assert [(one.since, one.until) for one in gaps(events)] == [(20, 15)]


@pytest.mark.parametrize(
    "bad", [said("view", {"subject": "moon/1", "last": 1, "view": {}}), b"event: beat\ndata: {\n\n"]
)
def test_what_cannot_be_read_is_a_fault(bad: bytes) -> None:
    with pytest.raises(Failed):
        list(Follower(["link/L"]).take(bad))


def test_nothing_to_watch_is_refused() -> None:
    with pytest.raises(Refusal):
        Follower([])


Serve = Callable[[httpx.Request], httpx.Response]


def watched(monkeypatch: pytest.MonkeyPatch, serve: Serve, count: int) -> list[StreamEvent]:
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    with Client("http://floor.test", transport=httpx.MockTransport(serve)) as client:
        return list(islice(client.stream(["link/L"]), count))


def test_a_stream_comes_back_with_the_last_entry_it_saw(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[httpx.Request] = []

    def broken() -> Iterator[bytes]:
        yield view(4, 9) + step(10, 4)
        raise httpx.ReadError("reset")

    def serve(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        match len(asked):
            case 1:
                return httpx.Response(200, content=broken())
            case 2:
                raise httpx.ConnectError("refused")
            case 3:
                return httpx.Response(503, content=b"")
        return httpx.Response(200, content=view(11, 12) + step(11, None) + step(13, 11))

    events = watched(monkeypatch, serve, 8)
    assert [type(one).__name__ for one in events] == ["View", "Step", "Lost", "Lost", "Lost", "View", "Step", "Step"]
    assert entries(events) == [10, 11, 13]
    assert asked[0].headers.get("last-event-id") is None
    assert [one.headers["last-event-id"] for one in asked[1:]] == ["10", "10", "10"]
    assert asked[0].url.params.get_list("subject") == ["link/L"]


@pytest.mark.parametrize(("status", "error"), [(401, NotAllowed), (404, Refused)])
def test_a_refusal_ends_a_stream(monkeypatch: pytest.MonkeyPatch, status: int, error: type[Exception]) -> None:
    body = {"type": "urn:houseway:problem:x", "title": "t", "status": status, "detail": "d"}
    with pytest.raises(error):
        watched(monkeypatch, lambda request: httpx.Response(status, json=body), 1)
