"""How much one client may have: tries to sign in, live streams, orders, and turns on the event loop.

A client is the address it comes from, as `network_of` counts it, and the person who is signed in.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil
from random import randint
from typing import Final

from houseway.web.problem import Problem, away

MINUTE: Final = 60.0
MOST_REMEMBERED: Final = 10_000
BURST_SECONDS: Final = 5
"""Who was quiet for so long may send at once what they could have sent in that time."""
STARTS_AT_ONCE: Final = 8
"""How many requests of one address are begun before everything else on the event loop has had its turn."""
PROBES_AT_ONCE: Final = 2
"""The same for the questions whether the server is alive and ready: they do not wait behind anything else."""
ANSWERS_AT_ONCE: Final = 32
"""How many orders are answered before everything else has its turn, when many become durable together."""
BUSY_SECONDS: Final = (2, 5)
"""When to come back: after so many seconds, from and to."""
READS_AT_ONCE: Final = 32
"""The same for what arrives on its connections."""
HANDSHAKES_AT_ONCE: Final = 32
"""The same for TLS handshakes that are under way."""
SLOW_AT_ONCE: Final = 2
"""How many long sums and searches are done for one address at a time; the others wait for them."""


@lru_cache(MOST_REMEMBERED)
def network_of(address: str) -> str:
    """What limits count a client by: its IPv4 address, or the /64 of its IPv6 address.

    One subscriber has a whole /64. An IPv4 address written as IPv6 counts as the IPv4 address.
    """
    try:
        network = ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if isinstance(network, IPv6Address):
        mapped = network.ipv4_mapped
        return str(mapped or ip_network((int(network) >> 64 << 64, 64)))
    return str(network)


class Limiter:
    """Counts tries to sign in by address within the last minute; it remembers only so many addresses."""

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._clock = clock
        self._tries: OrderedDict[str, deque[float]] = OrderedDict()

    def count(self, address: str) -> None:
        """Count a try; refused when there were too many."""
        now, network = self._clock(), network_of(address)
        tries = self._tries.setdefault(network, deque())
        self._tries.move_to_end(network)
        while tries and tries[0] <= now - MINUTE:
            tries.popleft()
        if len(tries) >= self._most:
            wait = int(tries[0] + MINUTE - now) + 1
            raise Problem(
                429, "too-many", f"too many tries from this address; try again in {wait} seconds", Retry_After=str(wait)
            )
        tries.append(now)
        if len(self._tries) > MOST_REMEMBERED:
            self._tries.popitem(last=False)


class Rate:
    """So many a second for each name, and a burst after a quiet time."""

    def __init__(self, a_second: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.a_second = a_second
        self._clock = clock
        self._due: OrderedDict[str, float] = OrderedDict()
        """When each name will have made up for what it sent; only those who have not yet need a place."""

    def wait(self, name: str) -> float:
        """How many seconds until the name may send one more; 0 when it may now."""
        return max(self._due.get(name, 0.0) + 1 / self.a_second - self._clock() - BURST_SECONDS, 0.0)

    def take(self, name: str) -> None:
        """The name sends one."""
        self._due[name] = max(self._due.get(name, 0.0), self._clock()) + 1 / self.a_second
        self._due.move_to_end(name)
        if len(self._due) > MOST_REMEMBERED:
            self._due.popitem(last=False)


class Quiet:
    """Lets so many lines a second be logged about each address, and counts those that are left out."""

    def __init__(self, a_second: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = Rate(a_second, clock)
        self._left_out: Counter[str] = Counter()

    def left_out(self, address: str) -> int | None:
        """How many lines were left out before this one; None where it is left out too."""
        network = network_of(address)
        if self._rate.wait(network):
            if network in self._left_out or len(self._left_out) < MOST_REMEMBERED:
                self._left_out[network] += 1
            return None
        self._rate.take(network)
        return self._left_out.pop(network, 0)


class OrderRates:
    """How many orders a second there may be: in all, from one address, from one person or device, from one player."""

    def __init__(self, in_all: int, address: int, person: int, player: int) -> None:
        self._in_all, self._address, self._person, self._player = (
            Rate(a_second) for a_second in (in_all, address, person, player)
        )

    def count(self, address: str, person: str, *, player: bool) -> None:
        """Count an order; refused when there were too many."""
        rates: Iterable[tuple[Rate, str, str]] = (
            (self._player if player else self._person, person, "from you"),
            (self._address, network_of(address), "from your address"),
            (self._in_all, "", "on this server"),
        )
        for rate, name, where in rates:
            wait = rate.wait(name)
            if wait:
                seconds = ceil(wait)
                raise Problem(
                    429,
                    "too-many-orders",
                    f"too many orders {where}: at most {rate.a_second:,} a second; nothing was recorded; "
                    f"{_again(seconds)}",
                    Retry_After=str(seconds),
                )
        for rate, name, _ in rates:
            rate.take(name)


class Place:
    """Where one request waits for its answer; given back once, however it ends."""

    __slots__ = ("_network", "_room")

    def __init__(self, room: Room, network: str) -> None:
        self._room: Room | None = room
        self._network = network

    def leave(self) -> None:
        if self._room is not None:
            self._room.left(self._network)
            self._room = None

    def __enter__(self) -> None:
        return None

    def __exit__(self, *error: object) -> None:
        self.leave()


class Room:
    """How many requests wait for their answer. One address has half of it; what is no order half of either.

    So when too many ask, displays and readers are sent away first, and dealers, players and terminals last.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._of: Counter[str] = Counter()
        self._count = 0

    def has(self, network: str, *, order: bool) -> bool:
        """Whether there is room for one more request of an address; of nobody in particular where that is empty."""
        most = self._most if order else self._most // 2
        return self._count < most and (not network or self._of[network] < max(most // 2, 1))

    def check(self, network: str, *, order: bool) -> None:
        """Refuse a request for which there is no room."""
        if not self.has(network, order=order):
            raise busy()

    def place(self, network: str) -> Place:
        """Count a request until it is answered."""
        self._count += 1
        self._of[network] += 1
        return Place(self, network)

    def left(self, network: str) -> None:
        """A request has its answer."""
        self._count -= 1
        self._of[network] -= 1
        if not self._of[network]:
            del self._of[network]


def busy() -> Problem:
    """A request for which there is no room: nothing of it was read, so nothing of it is recorded."""
    # Not all at the same moment.
    seconds = randint(*BUSY_SECONDS)
    return away("busy", f"too much is asked of this server now; nothing was recorded; {_again(seconds)}", seconds)


def _again(seconds: int) -> str:
    return f"send it again in {seconds} second{'s' if seconds > 1 else ''}"


class Turns:
    """Lets every address do a little before anything else has its turn: one that sends much waits for itself.

    Everything is called on the event loop. Work that may wait comes as a callback; it is begun at once as long as its
    address has begun little since the loop last went round.
    """

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._begun: Counter[str] = Counter()
        self._waiting: dict[str, deque[Callable[[], None]]] = {}
        self._due = False

    def run(self, network: str, work: Callable[[], None]) -> None:
        """Do some work now, or when it is its address's turn."""
        if not self._due:
            self._due = True
            asyncio.get_running_loop().call_soon(self._go_round)
        if network in self._waiting or self._begun[network] >= self._at_once:
            self._waiting.setdefault(network, deque()).append(work)
            return
        self._begun[network] += 1
        work()

    async def mine(self, network: str) -> None:
        """Wait for the address's turn."""
        turn: asyncio.Future[None] | None = None
        come = False

        def work() -> None:
            nonlocal come
            come = True
            if turn is not None and not turn.done():
                turn.set_result(None)

        self.run(network, work)
        if not come:
            turn = asyncio.get_running_loop().create_future()
            await turn

    def _go_round(self) -> None:
        """Once in every round of the loop, as long as somebody waits."""
        self._begun.clear()
        self._due = bool(self._waiting)
        if self._due:
            asyncio.get_running_loop().call_soon(self._go_round)
        for network in tuple(self._waiting):
            line = self._waiting[network]
            for _ in range(min(self._at_once, len(line))):
                self._begun[network] += 1
                line.popleft()()
            if not line:
                del self._waiting[network]


class Lines:
    """So many at once for each address; the others stand in line."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._lines: dict[str, tuple[asyncio.Semaphore, list[None]]] = {}

    @asynccontextmanager
    async def place(self, network: str) -> AsyncIterator[None]:
        semaphore, inside = self._lines.setdefault(network, (asyncio.Semaphore(self._at_once), []))
        inside.append(None)
        try:
            async with semaphore:
                yield
        finally:
            inside.pop()
            if not inside:
                del self._lines[network]
