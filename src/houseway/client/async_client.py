"""The client for programs that do many things at once, on asyncio."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
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


class AsyncClient(Asking):
    """The same as `houseway.client.Client`, awaited."""

    def __init__(
        self,
        url: str,
        *,
        token: str = "",
        timeout: float = SECONDS,
        patience: Patience = PATIENT,
        verify: Any = True,
        transport: httpx.AsyncBaseTransport | None = None,
        watcher: Watcher | None = None,
        connections: int = 100,
    ) -> None:
        super().__init__(patience=patience, watcher=watcher)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        # Bots share a session and wait for a connection of it rather than fail.
        limits = httpx.Limits(max_connections=connections, max_keepalive_connections=connections)
        times = httpx.Timeout(timeout, pool=None)
        self._http = httpx.AsyncClient(
            base_url=url, headers=headers, timeout=times, verify=verify, transport=transport, limits=limits
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections; a sign-in stays until it is ended or its time is over."""
        await self._http.aclose()

    def twin(self, transport: httpx.AsyncBaseTransport) -> AsyncClient:
        """The same person at another place: signed in as here, over connections that are the caller's to close."""
        twin = AsyncClient(str(self._http.base_url), patience=self.patience, watcher=self.watcher, transport=transport)
        twin.session = self.session
        twin._http.cookies = self._http.cookies
        twin._http.headers = self._http.headers
        twin._http.timeout = self._http.timeout
        return twin

    # ---------------------------------------------------------------------------------------------------- who is there

    async def sign_in(self, card: str, pin: str) -> SessionDoc:
        """Sign in with card and PIN."""
        return self._welcomed(await self._ask(ask(SIGN_IN, card=card, pin=pin)))

    async def set_pin(self, card: str, pin: str, new_pin: str) -> SessionDoc:
        """Set your own PIN, with the enrolment code or the PIN so far, and sign in."""
        return self._welcomed(await self._ask(ask(SET_PIN, card=card, pin=pin, new_pin=new_pin)))

    async def enter(self, code: str) -> SessionDoc:
        """Sign in as a player, with the code that the dealer gave; it is good once."""
        return self._welcomed(await self._ask(ask(ENTER, code=code)))

    async def guest(self, name: str) -> SessionDoc:
        """Sign in as a guest of a demonstration."""
        return self._welcomed(await self._ask(ask(GUEST, name=name)))

    async def who(self) -> SessionDoc:
        """Who the server says is signed in."""
        return await self._ask(ask(SESSION))

    async def sign_out(self) -> None:
        """Sign out."""
        await self._ask(ask(SIGN_OUT))
        self.session = None
        self._http.cookies.clear()

    def _welcomed(self, session: SessionDoc) -> SessionDoc:
        self.session = session
        return session

    # --------------------------------------------------------------------------------------------------- what is there

    async def get(self, path: str, answer: type[T], **query: Any) -> T:
        """Anything that can be looked at, as a type: ``client.get("tables/CS-1", TableDoc)``."""
        return await self._ask(ask_get(path, answer, query))

    async def table(self, table: str) -> TableDoc:
        """A table, as you may see it."""
        return await self._ask(ask(ONE_TABLE, table))

    async def link(self, link: str) -> LinkDoc:
        """A link and its meters."""
        return await self._ask(ask(ONE_LINK, link))

    async def floor(self) -> FloorDoc:
        """The floor at a glance."""
        return await self._ask(ask(FLOOR))

    async def manager(self) -> ManagerDoc:
        """The Game Manager's own view."""
        return await self._ask(ask(GAME_MANAGER))

    async def floor_file(self) -> FloorInForce:
        """The configuration in force as a floor file: what a change begins from."""
        return await self._ask(ask(FLOOR_IN_FORCE))

    # ---------------------------------------------------------------------------------------------------------- orders

    async def order(
        self, command: PlainCommand, *, key: str = "", by: Card | None = None, second: Card | None = None
    ) -> Carried:
        """Give an order: ``client.order(LockIn(table="CS-1"))``. Answers when it is durable.

        ``by`` is a person who presents a card for it on this screen, ``second`` the second person where it takes two.
        ``key`` is the order's own; without it a new one is made.
        """
        return await self._given(ask_order(command, key or new_key()), by, second)

    async def configure(
        self, floor: str, reason: str, *, key: str = "", by: Card | None = None, second: Card | None = None
    ) -> Carried:
        """Put a changed floor file, as TOML, in force from the next round on."""
        return await self._given(ask_special(Configure, key or new_key(), floor=floor, reason=reason), by, second)

    async def enroll(
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
        return await self._given(
            ask_special(Enroll, key or new_key(), staff=staff, name=name, role=role, card=card), by, second
        )

    async def admit(self, player: str, *, key: str = "") -> Carried:
        """Let a player in under a name; the code to enter with is in the answer."""
        return await self._ask(ask_special(Admit, key or new_key(), player=player))

    async def issue_device(self, device: str, right: DeviceRight, subject: str = "", *, key: str = "") -> Carried:
        """A token for a device; it is in the answer and nowhere else."""
        return await self._ask(ask_special(IssueDevice, key or new_key(), device=device, right=right, subject=subject))

    async def present(self, card: str, pin: str, key: str, path: str, role: PresentedAs) -> Present:
        """Present card and PIN for one order: its key, its path and as whom; `order` does it for ``by`` and ``second``.

        The token is good for that order, given by this client.
        """
        return await self._ask(ask_present(Card(card, pin), key, path, role))

    async def _given(self, request: Asked[Carried], by: Card | None, second: Card | None) -> Carried:
        """Give an order with the cards that are presented for it."""
        cards: dict[PresentedAs, Card | None] = {"by": by, "second": second}
        for role, card in cards.items():
            if card is not None:
                request = request.with_card(role, (await self._ask(request.presented(card, role))).token)
        return await self._ask(request)

    # ----------------------------------------------------------------------------------------------------- live stream

    async def stream(self, subjects: Sequence[str], *, last: int | None = None) -> AsyncIterator[StreamEvent]:
        """Everything that happens to these subjects, for ever: ``table/ID``, ``link/ID``, ``floor`` or ``manager``.

        It comes back by itself when the connection is lost; a `Lost` event says so, and a `Gap` that something may have
        been missed. It ends by a refusal, as when who watches is signed out. ``last`` is the number of the last entry
        that was seen before.
        """
        follower = Follower(subjects, last)
        while True:
            try:
                async with self._http.stream(
                    "GET", follower.path, params=follower.query, headers=follower.headers, timeout=stream_timeout()
                ) as response:
                    if response.status_code != 200:
                        follower.refused(error_of(response.status_code, await response.aread()))
                    else:
                        async for chunk in response.aiter_bytes():
                            for event in follower.take(chunk):
                                yield event
                for event in follower.lost("the stream ended"):
                    yield event
            except httpx.TransportError as error:
                for event in follower.lost(str(error) or type(error).__name__):
                    yield event
            await asyncio.sleep(follower.wait())

    # --------------------------------------------------------------------------------------------------------- sending

    async def _ask(self, request: Asked[T]) -> T:
        tries = Tries(self.patience, repeatable=request.repeatable, key=request.key)
        count = 0
        while True:
            began, count = time.perf_counter(), count + 1
            try:
                response = await self._http.request(
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
            await asyncio.sleep(wait)
