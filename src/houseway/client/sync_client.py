"""The client for programs that do one thing after another."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx

from houseway.api.commands import Admit, Configure, DeviceRight, Enroll, IssueDevice, PlainCommand, Role
from houseway.api.floor import FLOOR, GAME_MANAGER, ONE_LINK, ONE_TABLE, FloorDoc, LinkDoc, ManagerDoc, TableDoc
from houseway.api.orders import Carried
from houseway.api.registers import FLOOR_IN_FORCE, FloorInForce
from houseway.api.session import ENTER, GUEST, SESSION, SET_PIN, SIGN_IN, SIGN_OUT, Present, SessionDoc
from houseway.client.asking import (
    SECONDS,
    Asked,
    Asking,
    Card,
    PresentedAs,
    Watcher,
    ask,
    ask_get,
    ask_order,
    ask_present,
    ask_special,
    new_key,
)
from houseway.client.problems import error_of
from houseway.client.retry import PATIENT, Patience, Tries
from houseway.client.stream import Follower, StreamEvent, stream_timeout
from houseway.refusal import Fault, Refusal

T = TypeVar("T")


class Client(Asking):
    """Somebody's, or some device's, connection to a floor.

    What may be tried again is: an order carries a key of its own, so that it is carried out once however often it is
    sent. A refusal is raised as `houseway.refusal.Refusal` or `NotAllowed`, with the server's sentence; a floor that
    cannot be reached as `houseway.client.Unreachable`.
    """

    def __init__(
        self,
        url: str,
        *,
        token: str = "",
        timeout: float = SECONDS,
        patience: Patience = PATIENT,
        verify: Any = True,
        transport: httpx.BaseTransport | None = None,
        watcher: Watcher | None = None,
    ) -> None:
        super().__init__(patience=patience, watcher=watcher)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._http = httpx.Client(base_url=url, headers=headers, timeout=timeout, verify=verify, transport=transport)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections; a sign-in stays until it is ended or its time is over."""
        self._http.close()

    # ---------------------------------------------------------------------------------------------------- who is there

    def sign_in(self, card: str, pin: str) -> SessionDoc:
        """Sign in with card and PIN."""
        return self._welcomed(self._ask(ask(SIGN_IN, card=card, pin=pin)))

    def set_pin(self, card: str, pin: str, new_pin: str) -> SessionDoc:
        """Set your own PIN, with the enrolment code or the PIN so far, and sign in."""
        return self._welcomed(self._ask(ask(SET_PIN, card=card, pin=pin, new_pin=new_pin)))

    def enter(self, code: str) -> SessionDoc:
        """Sign in as a player, with the code that the dealer gave; it is good once."""
        return self._welcomed(self._ask(ask(ENTER, code=code)))

    def guest(self, name: str) -> SessionDoc:
        """Sign in as a guest of a demonstration."""
        return self._welcomed(self._ask(ask(GUEST, name=name)))

    def who(self) -> SessionDoc:
        """Who the server says is signed in."""
        return self._ask(ask(SESSION))

    def sign_out(self) -> None:
        """Sign out."""
        self._ask(ask(SIGN_OUT))
        self.session = None
        self._http.cookies.clear()

    def _welcomed(self, session: SessionDoc) -> SessionDoc:
        self.session = session
        return session

    # --------------------------------------------------------------------------------------------------- what is there

    def get(self, path: str, answer: type[T], **query: Any) -> T:
        """Anything that can be looked at, as a type: ``client.get("tables/CS-1", TableDoc)``."""
        return self._ask(ask_get(path, answer, query))

    def table(self, table: str) -> TableDoc:
        """A table, as you may see it."""
        return self._ask(ask(ONE_TABLE, table))

    def link(self, link: str) -> LinkDoc:
        """A link and its meters."""
        return self._ask(ask(ONE_LINK, link))

    def floor(self) -> FloorDoc:
        """The floor at a glance."""
        return self._ask(ask(FLOOR))

    def manager(self) -> ManagerDoc:
        """The Game Manager's own view."""
        return self._ask(ask(GAME_MANAGER))

    def floor_file(self) -> FloorInForce:
        """The configuration in force as a floor file: what a change begins from."""
        return self._ask(ask(FLOOR_IN_FORCE))

    # ---------------------------------------------------------------------------------------------------------- orders

    def order(
        self, command: PlainCommand, *, key: str = "", by: Card | None = None, second: Card | None = None
    ) -> Carried:
        """Give an order: ``client.order(LockIn(table="CS-1"))``. Answers when it is durable.

        ``by`` is a person who presents a card for it on this screen, ``second`` the second person where it takes two.
        ``key`` is the order's own; without it a new one is made.
        """
        return self._given(ask_order(command, key or new_key()), by, second)

    def configure(
        self, floor: str, reason: str, *, key: str = "", by: Card | None = None, second: Card | None = None
    ) -> Carried:
        """Put a changed floor file, as TOML, in force from the next round on."""
        return self._given(ask_special(Configure, key or new_key(), floor=floor, reason=reason), by, second)

    def enroll(
        self,
        staff: str,
        name: str,
        role: Role,
        *,
        card: str = "",
        key: str = "",
        by: Card | None = None,
        second: Card | None = None,
    ) -> Carried:
        """A new member of staff, by two people; the card and the code to set a PIN with are in the answer."""
        return self._given(
            ask_special(Enroll, key or new_key(), staff=staff, name=name, role=role, card=card), by, second
        )

    def admit(self, player: str, *, key: str = "") -> Carried:
        """Let a player in under a name; the code to enter with is in the answer."""
        return self._ask(ask_special(Admit, key or new_key(), player=player))

    def issue_device(self, device: str, right: DeviceRight, subject: str = "", *, key: str = "") -> Carried:
        """A token for a device; it is in the answer and nowhere else."""
        return self._ask(ask_special(IssueDevice, key or new_key(), device=device, right=right, subject=subject))

    def present(self, card: str, pin: str, key: str, path: str, role: PresentedAs) -> Present:
        """Present card and PIN for one order: its key, its path and as whom; `order` does it for ``by`` and ``second``.

        The token is good for that order, given by this client.
        """
        return self._ask(ask_present(Card(card, pin), key, path, role))

    def _given(self, request: Asked[Carried], by: Card | None, second: Card | None) -> Carried:
        """Give an order with the cards that are presented for it."""
        cards: dict[PresentedAs, Card | None] = {"by": by, "second": second}
        for role, card in cards.items():
            if card is not None:
                request = request.with_card(role, (self._ask(request.presented(card, role))).token)
        return self._ask(request)

    # ----------------------------------------------------------------------------------------------------- live stream

    def stream(self, subjects: Sequence[str], *, last: int | None = None) -> Iterator[StreamEvent]:
        """Everything that happens to these subjects, for ever: ``table/ID``, ``link/ID``, ``floor`` or ``manager``.

        It comes back by itself when the connection is lost; a `Lost` event says so, and a `Gap` that something may have
        been missed. It ends by a refusal, as when who watches is signed out. ``last`` is the number of the last entry
        that was seen before.
        """
        follower = Follower(subjects, last)
        while True:
            try:
                with self._http.stream(
                    "GET", follower.path, params=follower.query, headers=follower.headers, timeout=stream_timeout()
                ) as response:
                    if response.status_code != 200:
                        follower.refused(error_of(response.status_code, response.read()))
                    else:
                        for chunk in response.iter_bytes():
                            yield from follower.take(chunk)
                yield from follower.lost("the stream ended")
            except httpx.TransportError as error:
                yield from follower.lost(str(error) or type(error).__name__)
            time.sleep(follower.wait())

    # --------------------------------------------------------------------------------------------------------- sending

    def _ask(self, request: Asked[T]) -> T:
        tries = Tries(self.patience, repeatable=request.repeatable, key=request.key)
        count = 0
        while True:
            began, count = time.perf_counter(), count + 1
            try:
                response = self._http.request(
                    request.method,
                    request.path,
                    content=request.body,
                    params=request.query,
                    headers=self.headers_of(request),
                )
            except httpx.TransportError as error:
                self.told(request, count, began, 0, error)
                wait = tries.broken(error)
            else:
                outcome = self.read(request, response)
                self.told(request, count, began, response.status_code, outcome)
                if not isinstance(outcome, Refusal | Fault):
                    return outcome
                wait = tries.answered(response, outcome)
            time.sleep(wait)
