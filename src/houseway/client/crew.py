"""Everybody it takes to keep a floor alive: bots for its staff and players, at as many tables as are wanted."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import Callable, Sequence
from random import Random
from types import TracebackType
from typing import Final, NamedTuple, Self

import httpx

from houseway.client.asking import Card, Watcher
from houseway.client.async_client import AsyncClient
from houseway.client.floor_bots import DealerBot, Manner, SupervisorBot
from houseway.client.layout import Layout, layout_of
from houseway.client.player_bot import PlayerBot
from houseway.client.retry import PATIENT, Patience
from houseway.client.strategy import Mind
from houseway.refusal import Fault, NotAllowed, Refusal

NAMES: Final = ("Ada", "Blaise", "Carl", "Daniel", "Emmy", "Fermat", "Galton")
MOST_NAMESAKES: Final = 99
CONNECTIONS: Final = 4
"""Of one table's bots together."""
SHUT_SECONDS: Final = 2.0
AGAIN_SECONDS: Final = 0.05
SIGNED_OUT: Final = frozenset({"signed-out", "sign-in"})
"""Rules that say that everybody must sign in again."""


class Cards(NamedTuple):
    """The cards that the house's bots sign in with."""

    dealer: Card
    supervisor: Card
    executive: Card
    surveillance: Card


class Happened(NamedTuple):
    """Something to tell who watches the crew."""

    table: str
    what: str
    """``round`` for one that was closed, ``shut``, ``refused`` or ``fault``."""
    words: str = ""


class Crew:
    """Signs bots in and lets them play until it is told to stop."""

    def __init__(
        self,
        url: str,
        cards: Cards,
        *,
        mind: Mind,
        random: Random,
        players: int = 3,
        manner: Manner,
        patience: Patience = PATIENT,
        watcher: Watcher | None = None,
    ) -> None:
        self._url = url
        self._cards = cards
        self._mind = mind
        self._random = random
        self._wanted = players
        self._names: list[str] = []
        self._manner = manner
        self._patience = patience
        self._watcher = watcher
        self._open = contextlib.AsyncExitStack()
        self._players: list[AsyncClient] = []
        # Made once: to read the authorities' certificates for every connection takes longer than to connect.
        self._tls = ssl.create_default_context()

    async def __aenter__(self) -> Self:
        """Sign everybody in."""
        try:
            self._dealer = await self._signed_in(self._cards.dealer)
            supervisor = await self._signed_in(self._cards.supervisor)
            executive = await self._signed_in(self._cards.executive)
            surveillance = await self._signed_in(self._cards.surveillance)
            self._supervisor = SupervisorBot(supervisor, executive, surveillance)
            for name in NAMES[: self._wanted]:
                await self._let_in(name)
        except BaseException:
            await self._open.aclose()
            raise
        return self

    async def _let_in(self, name: str) -> None:
        """A player under a name that is free: bots that were stopped short may still hold theirs (TR-8)."""
        player = await self._client()
        for number in range(1, MOST_NAMESAKES + 1):
            called = f"{name} (bot)" if number == 1 else f"{name} (bot {number})"
            try:
                await player.enter((await self._dealer.admit(called)).code)
            except NotAllowed:
                raise
            except Refusal:
                if number == MOST_NAMESAKES:
                    raise
                continue
            self._players.append(player)
            self._names.append(called)
            return

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._open.aclose()

    async def _client(self) -> AsyncClient:
        client = AsyncClient(self._url, patience=self._patience, watcher=self._watcher, verify=self._tls)
        return await self._open.enter_async_context(client)

    async def _signed_in(self, card: Card) -> AsyncClient:
        client = await self._client()
        await client.sign_in(*card)
        return client

    async def layouts(self, only: Sequence[str] = ()) -> list[Layout]:
        """The tables of the floor, or those that are named."""
        floor = await self._dealer.floor()
        known = [one.id for one in floor.tables]
        for name in only:
            if name not in known:
                raise Refusal("tables", f"{name!r} is not a table of this floor; it has {', '.join(known)}")
        found = []
        for name in only or known:
            table = await self._dealer.table(name)
            if table.kind != "progressive" or table.link:
                found.append(layout_of(table))
        return found

    async def dealer(self, layout: Layout) -> DealerBot:
        """A dealer for a table, with its players; they share connections of the table's own."""
        limits = httpx.Limits(max_connections=CONNECTIONS, max_keepalive_connections=CONNECTIONS)
        transport = await self._open.enter_async_context(httpx.AsyncHTTPTransport(limits=limits, verify=self._tls))
        # Each with a source of its own, so that what a table does depends on nothing but its own seed.
        random = Random(self._random.getrandbits(64))
        players = [
            PlayerBot(client.twin(transport), name, self._mind, random)
            for client, name in zip(self._players, self._names, strict=True)
        ]
        mine = players[: max(1, min(len(players), layout.spots - 1))] if players else []
        return DealerBot(self._dealer.twin(transport), self._supervisor, layout, mine, random, self._manner)

    async def keep_alive(
        self, dealers: Sequence[DealerBot], told: Callable[[Happened], None], stop: asyncio.Event
    ) -> None:
        """Play round after round at all these tables until ``stop`` is set; the rounds that are open are finished."""
        async with asyncio.TaskGroup() as group:
            for dealer in dealers:
                group.create_task(self._table(dealer, told, stop))

    async def _table(self, dealer: DealerBot, told: Callable[[Happened], None], stop: asyncio.Event) -> None:
        name = dealer.layout.table
        while not stop.is_set():
            try:
                if await dealer.play_round():
                    told(Happened(name, "round"))
                    continue
                told(Happened(name, "shut"))
            except NotAllowed as refusal:
                if refusal.rule in SIGNED_OUT:
                    raise
                told(Happened(name, "refused", str(refusal)))
            except Refusal as refusal:
                # People are at work here too: look again at how the table stands.
                told(Happened(name, "refused", str(refusal)))
            except Fault as fault:
                told(Happened(name, "fault", str(fault)))
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), SHUT_SECONDS if self._manner.pace else AGAIN_SECONDS)
