"""What is tried again, how often and after how long, and what a refusal becomes; sync and async alike."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import httpx
import msgspec
import pytest

from houseway.client import Answered, AsyncClient, Card, Client, Failed, Patience, Refused, Unreachable
from houseway.client.retry import PATIENT
from houseway.refusal import Fault, NotAllowed, Refusal
from houseway.table.progressive_round.commands import LockIn

URL = "http://floor.test"
CARRIED = {
    "entry": 7,
    "at": 1,
    "day": "2026-03-01",
    "type": "lock_in",
    "table": "T",
    "round": 1,
    "currency": "USD",
    "events": [],
}
Answer = httpx.Response | Exception


def carried() -> httpx.Response:
    return httpx.Response(200, json=CARRIED)


def problem(status: int, kind: str, detail: str = "no", field: str = "", **headers: str) -> httpx.Response:
    body = {
        "type": f"urn:houseway:problem:{kind}",
        "title": "t",
        "status": status,
        "detail": detail,
        **({"field": field} if field else {}),
    }
    return httpx.Response(
        status, content=msgspec.json.encode(body), headers={k.replace("_", "-"): v for k, v in headers.items()}
    )


class Floor:
    """Answers one after another as it is told, and keeps what it was asked."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.asked: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)

    @property
    def keys(self) -> list[str]:
        return [one.headers["idempotency-key"] for one in self.asked]


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long both clients would have waited."""
    waits: list[float] = []

    async def later(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr(time, "sleep", waits.append)
    monkeypatch.setattr(asyncio, "sleep", later)
    return waits


Ask = Callable[..., Any]


@pytest.fixture(params=["sync", "async"])
def ask(request: pytest.FixtureRequest) -> Ask:
    """Call a method of a client of either kind on a floor: ``ask(floor, "order", command)``."""

    def sync(
        floor: Floor, method: str, *args: Any, watcher: Any = None, patience: Patience = PATIENT, **kw: Any
    ) -> Any:
        with Client(URL, transport=httpx.MockTransport(floor), watcher=watcher, patience=patience) as client:
            return getattr(client, method)(*args, **kw)

    def awaited(
        floor: Floor, method: str, *args: Any, watcher: Any = None, patience: Patience = PATIENT, **kw: Any
    ) -> Any:
        async def run() -> Any:
            transport = httpx.MockTransport(floor)
            async with AsyncClient(URL, transport=transport, watcher=watcher, patience=patience) as client:
                return await getattr(client, method)(*args, **kw)

        return asyncio.run(run())

    return sync if request.param == "sync" else awaited


BROKEN = [
    httpx.ConnectError("refused"),
    httpx.ReadTimeout("slow"),
    httpx.ReadError("reset"),
    httpx.RemoteProtocolError("closed"),
]


@pytest.mark.parametrize("error", BROKEN, ids=lambda one: type(one).__name__)
def test_an_order_is_sent_again_with_the_same_key(ask: Ask, slept: list[float], error: Exception) -> None:
    floor = Floor(error, error, carried())
    assert ask(floor, "order", LockIn(table="T")).entry == 7
    assert len(floor.keys) == 3
    assert len(set(floor.keys)) == 1
    assert {one.content for one in floor.asked} == {b'{"round":0,"lit":null}'}
    assert len(slept) == 2


def test_two_orders_have_two_keys(ask: Ask) -> None:
    floor = Floor(carried())
    ask(floor, "order", LockIn(table="T"))
    ask(floor, "order", LockIn(table="T"))
    assert len(set(floor.keys)) == 2


def test_the_caller_may_choose_the_key(ask: Ask) -> None:
    floor = Floor(carried())
    ask(floor, "order", LockIn(table="T"), key="mine")
    assert floor.keys == ["mine"]


def test_retry_after_is_honoured(ask: Ask, slept: list[float]) -> None:
    floor = Floor(problem(503, "unavailable", Retry_After="3"), carried())
    ask(floor, "order", LockIn(table="T"))
    assert slept[0] >= 3


def test_a_retry_after_beyond_ones_patience_is_shortened_to_it(ask: Ask, slept: list[float]) -> None:
    floor = Floor(problem(503, "unavailable", Retry_After="3600"), carried())
    ask(floor, "order", LockIn(table="T"), patience=Patience(longest_wait=2.0))
    assert slept == [2.0]


def test_after_the_last_try_the_key_is_told(ask: Ask, slept: list[float]) -> None:
    floor = Floor(httpx.ReadError("reset"))
    with pytest.raises(Unreachable, match="after 4 tries") as caught:
        ask(floor, "order", LockIn(table="T"), key="mine", patience=Patience(tries=4))
    assert caught.value.key == "mine"
    assert isinstance(caught.value, Fault)
    assert len(floor.asked) == 4


def test_waits_grow_and_differ() -> None:
    patience = Patience(first_wait=0.1, longest_wait=5.0)
    assert [patience.wait(tried, lambda: 1.0) for tried in (1, 2, 3, 7, 100)] == [0.1, 0.2, 0.4, 5.0, 5.0]
    assert patience.wait(1, lambda: 0.0) == 0.05
    assert len({patience.wait(3) for _ in range(20)}) > 1


@pytest.mark.parametrize("call", [("sign_in", "2001", "1234"), ("enter", "ABCDEFGH")], ids=lambda one: one[0])
def test_what_has_no_key_is_sent_again_only_where_it_did_not_arrive(ask: Ask, slept: list[float], call: Any) -> None:
    lost = Floor(httpx.ReadTimeout("slow"), carried())
    with pytest.raises(Unreachable):
        ask(lost, *call)
    assert len(lost.asked) == 1
    uncertain = Floor(problem(503, "uncertain"), carried())
    with pytest.raises(Unreachable):
        ask(uncertain, *call)
    assert len(uncertain.asked) == 1
    never_sent = Floor(httpx.ConnectError("refused"), problem(503, "unavailable"), session())
    assert ask(never_sent, *call).name == "Ann"
    assert len(never_sent.asked) == 3


def session() -> httpx.Response:
    doc = {
        "kind": "staff",
        "id": "a",
        "name": "Ann",
        "role": "dealer",
        "csrf": "c",
        "demonstration": True,
        "site": "s",
    }
    return httpx.Response(200, json=doc)


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        (problem(409, "refused", "T is in round 2", "round"), Refused, "round: T is in round 2"),
        (problem(422, "used-key", "was used", "Idempotency-Key"), Refused, "Idempotency-Key: was used"),
        (problem(404, "no-table", "there is none", "table"), Refused, "table: there is none"),
        (problem(403, "not-allowed", "for dealers", "by"), NotAllowed, "by: for dealers"),
        (problem(401, "signed-out", "sign in again"), NotAllowed, "sign in again"),
        (problem(500, "failed", "the program failed"), Failed, "the program failed"),
        (httpx.Response(500, content=b"<html>"), Failed, "answered 500"),
        (httpx.Response(200, content=b"{}"), Failed, "is not what this client knows"),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_a_refusal_is_raised_with_its_sentence_and_not_tried_again(
    ask: Ask, slept: list[float], answer: httpx.Response, kind: type[Exception], words: str
) -> None:
    floor = Floor(answer)
    with pytest.raises(kind, match=words) as caught:
        ask(floor, "order", LockIn(table="T"))
    assert len(floor.asked) == 1
    assert not slept
    if isinstance(caught.value, Refused):
        assert isinstance(caught.value, Refusal)
        assert (caught.value.status, bool(caught.value.kind)) == (answer.status_code, True)


def test_a_problem_of_authority_names_its_rule(ask: Ask) -> None:
    with pytest.raises(NotAllowed) as caught:
        ask(Floor(problem(401, "signed-out")), "table", "T")
    assert caught.value.rule == "signed-out"


def test_too_many_sign_ins_wait_where_the_wait_is_short(ask: Ask, slept: list[float]) -> None:
    floor = Floor(problem(429, "too-many", Retry_After="2"), session())
    ask(floor, "sign_in", "2001", "1234")
    assert slept[0] >= 2
    with pytest.raises(Refused):
        ask(Floor(problem(429, "too-many", Retry_After="50")), "sign_in", "2001", "1234")


def test_cards_are_presented_for_the_key_of_the_order(ask: Ask) -> None:
    present = {"token": "t", "staff": "s", "name": "n", "role": "supervisor", "seconds": 90}
    floor = Floor(httpx.Response(200, json=present), httpx.Response(200, json={**present, "token": "u"}), carried())
    ask(floor, "order", LockIn(table="T"), by=Card("3001", "1"), second=Card("4001", "2"))
    first, second, order = floor.asked
    key = order.headers["idempotency-key"]
    assert [msgspec.json.decode(one.content) for one in (first, second)] == [
        {"card": "3001", "pin": "1", "key": key, "path": "tables/T/lock-in", "role": "by"},
        {"card": "4001", "pin": "2", "key": key, "path": "tables/T/lock-in", "role": "second"},
    ]
    assert (order.headers["by-card"], order.headers["second-card"]) == ("t", "u")


def test_a_pin_is_not_shown() -> None:
    assert "1234" not in repr(Card("2001", "1234"))


def test_who_watches_is_told_of_every_try(ask: Ask, slept: list[float]) -> None:
    seen: list[Answered] = []
    floor = Floor(httpx.ReadError("reset"), problem(503, "unavailable"), carried())
    ask(floor, "order", LockIn(table="T"), key="k", watcher=seen.append)
    assert [(one.name, one.key, one.tries, one.status) for one in seen] == [
        ("lock_in", "k", 1, 0),
        ("lock_in", "k", 2, 503),
        ("lock_in", "k", 3, 200),
    ]
    assert getattr(seen[-1].outcome, "entry", 0) == 7


def test_a_token_is_sent_with_everything() -> None:
    floor = Floor(carried())
    with Client(URL, token="box.secret", transport=httpx.MockTransport(floor)) as client:
        client.order(LockIn(table="T"))
    assert floor.asked[0].headers["authorization"] == "Bearer box.secret"


def test_an_address_that_is_none_is_refused() -> None:
    with Client("nowhere") as client, pytest.raises(Refusal, match="url"):
        client.who()
