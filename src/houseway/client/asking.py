"""What both clients share: every request as data, and what an answer is read as. Nothing is sent here."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, Generic, Literal, NamedTuple, TypeVar, cast
from urllib.parse import quote
from uuid import uuid4

import httpx
import msgspec

from houseway.api.commands import Admit, Configure, Enroll, IssueDevice, PlainCommand
from houseway.api.orders import ORDERS, Carried, address_of
from houseway.api.route import PREFIX, Route
from houseway.api.session import PRESENT, Present, SessionDoc
from houseway.client.problems import Failed, error_of
from houseway.client.retry import Patience
from houseway.refusal import Fault, Refusal

T = TypeVar("T")
JSON: Final = {"content-type": "application/json"}
SECONDS: Final = 15.0
"""How long one try may take: longer than a server lets an order wait, so that it is the server that answers."""


class Card(NamedTuple):
    """A card and its PIN, to be presented for one order on another's screen."""

    card: str
    pin: str

    def __repr__(self) -> str:
        return f"Card({self.card!r}, pin='…')"


PresentedAs = Literal["by", "second"]
"""Whether a card is of who gives an order, or of the second person."""


class Answered(NamedTuple):
    """One try and what came of it, for who watches a client."""

    name: str
    """What was asked: the order's name, or ``table``, ``sign_in``, …"""
    key: str
    """The order's; empty where it is none."""
    tries: int
    """The how manieth try it was."""
    seconds: float
    """How long it took."""
    status: int
    """Of the answer; 0 where none came."""
    outcome: object
    """The answer, or the exception that it is."""


Watcher = Callable[[Answered], None]


class Asked(NamedTuple, Generic[T]):
    """One request, and the type of its answer."""

    name: str
    """In a word, for who watches."""
    method: str
    path: str
    answer: type[T]
    body: bytes | None = None
    query: Mapping[str, Any] | None = None
    headers: Mapping[str, str] = {}
    key: str = ""
    repeatable: bool = True
    """Whether it may be sent again when it is not known what became of it."""

    def presented(self, card: Card, role: PresentedAs) -> Asked[Present]:
        """Presenting a card for this very order."""
        return ask_present(card, self.key, self.path.removeprefix(f"{PREFIX}/"), role)

    def with_card(self, role: PresentedAs, token: str) -> Asked[T]:
        """The same order with a card that was presented for it."""
        return self._replace(headers={**self.headers, f"{role.capitalize()}-Card": token})


class Asking:
    """Makes requests and reads answers; what a client knows between them is who is signed in."""

    def __init__(self, *, patience: Patience, watcher: Watcher | None) -> None:
        self.patience = patience
        self.watcher = watcher
        self.session: SessionDoc | None = None
        """Who is signed in; None before anybody is."""

    def headers_of(self, request: Asked[Any]) -> dict[str, str]:
        """The headers of a request, with what proves that it comes from this client."""
        headers = dict(request.headers)
        if request.body is not None:
            headers |= JSON
        if self.session is not None and self.session.csrf:
            headers["X-CSRF-Token"] = self.session.csrf
        return headers

    def read(self, request: Asked[T], response: httpx.Response) -> T | Refusal | Fault:
        """An answer as its type, or the exception that it is."""
        if response.status_code >= 400:
            return error_of(response.status_code, response.content)
        if request.answer is type(None):
            return None
        try:
            return decoder_of(request.answer).decode(response.content)
        except (msgspec.DecodeError, UnicodeDecodeError) as wrong:
            return Failed(f"the answer to {request.name} is not what this client knows: {wrong}")

    def told(self, request: Asked[Any], tries: int, began: float, status: int, outcome: object) -> None:
        """Tell who watches."""
        if self.watcher is not None:
            seconds = time.perf_counter() - began
            self.watcher(Answered(request.name, request.key, tries, seconds, status, outcome))


_DECODERS: Final[dict[Any, msgspec.json.Decoder[Any]]] = {}


def decoder_of(answer: type[T]) -> msgspec.json.Decoder[T]:
    """The decoder of a type, made once."""
    if answer not in _DECODERS:
        _DECODERS[answer] = msgspec.json.Decoder(answer)
    return _DECODERS[answer]


def new_key() -> str:
    """A key that no other order has."""
    return str(uuid4())


def ask(route: Route[T], at: str = "", /, **fields: Any) -> Asked[T]:
    """A request at one of the API's addresses; ``at`` is the name in its path, ``fields`` are those of its body."""
    path = re.sub(r"{\w+}", lambda _: _named(at), route.path)
    body = None if route.body is None else msgspec.json.encode(route.body(**fields))
    answer = cast(type[T], type(None)) if route.answer is None else route.answer
    # A try to sign in counts; an order has its key.
    repeatable = route.order or route.method != "POST"
    return Asked(route.name, route.method, f"{PREFIX}{path}", answer, body, repeatable=repeatable)


def ask_get(path: str, answer: type[T], query: Mapping[str, Any]) -> Asked[T]:
    """Anything the API shows; ``path`` is what stands after ``/api/v1/``."""
    whole = path if path.startswith(PREFIX) else f"{PREFIX}/{path.lstrip('/')}"
    return Asked("get", "GET", whole, answer, query=query)


def ask_present(card: Card, key: str, path: str, role: PresentedAs) -> Asked[Present]:
    """Card and PIN of somebody, for the order with that key at that path."""
    return ask(PRESENT, card=card.card, pin=card.pin, key=key, path=path, role=role)


def ask_order(command: PlainCommand, key: str) -> Asked[Carried]:
    """An order in so many words."""
    address = address_of(command)
    route = ORDERS[type(command)]
    headers = {"Idempotency-Key": key}
    return Asked(route.name, route.method, address.path, Carried, address.body, headers=headers, key=key)


def ask_special(command: type[Configure | Enroll | Admit | IssueDevice], key: str, **fields: Any) -> Asked[Carried]:
    """The orders whose body is not the command: what is checked, made or kept apart is the server's work."""
    return ask(ORDERS[command], **fields)._replace(headers={"Idempotency-Key": key}, key=key)


def _named(name: str) -> str:
    """A name as part of an address."""
    if not name:
        raise Refusal("name", "must not be empty")
    return quote(name, safe="")
