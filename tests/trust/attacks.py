"""What one address can send to hurt everybody else: run as a process of its own, against a server on this machine.

    python -m tests.trust.attacks PORT SECONDS COOKIE NAME,NAME…

Everything goes to 127.0.0.1, from another loopback address, for some seconds and over so many connections. ``COOKIE``
is one of somebody who is signed in, for what nobody else may ask. It ends by printing how much it sent, as JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

SOURCE: Final = "127.0.0.2"
"""The address it comes from; everybody else comes from 127.0.0.1."""
MOST: Final = 400
"""How many connections it has at a time for each kind of attack, at most."""
HOST: Final = b"Host: 127.0.0.1\r\n"
SLASHES: Final = b'houseway="' + b"\\\\" * 3_900 + b'"'


class Attack:
    """One attack under way: until when, with whose cookie, and what it has sent."""

    def __init__(self, port: int, seconds: float, cookie: str) -> None:
        self.port = port
        self.until = time.monotonic() + seconds
        self.cookie = b"Cookie: " + cookie.encode() + b"\r\n"
        self.sent: Counter[str] = Counter()
        self.answers: Counter[str] = Counter()

    @property
    def goes_on(self) -> bool:
        return time.monotonic() < self.until

    async def connect(self, small: int = 0) -> socket.socket:
        made = socket.socket()
        made.setblocking(False)
        if small:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, small)
        made.bind((SOURCE, 0))
        await asyncio.get_running_loop().sock_connect(made, ("127.0.0.1", self.port))
        return made

    async def again(self, name: str, text: bytes, count: int, *, read: bool = True, pause: float = 0.0) -> None:
        """Send the same over so many connections, each anew when it is answered or refused."""

        async def one() -> None:
            loop = asyncio.get_running_loop()
            while self.goes_on:
                with suppress(OSError, TimeoutError):
                    made = await self.connect()
                    try:
                        async with asyncio.timeout(max(self.until - time.monotonic(), 0.01)):
                            await loop.sock_sendall(made, text)
                            self.sent[name] += 1
                            left = text.count(b" HTTP/1.1\r\n")
                            while read and left > 0 and (part := await loop.sock_recv(made, 65_536)):
                                for status in part.split(b"HTTP/1.1 ")[1:]:
                                    self.answers[f"{name} {status[:3].decode()}"] += 1
                                    left -= 1
                    finally:
                        made.close()
                await asyncio.sleep(pause)

        await asyncio.gather(*(one() for _ in range(count)))


def get(path: bytes, headers: bytes = b"") -> bytes:
    return b"GET " + path + b" HTTP/1.1\r\n" + HOST + headers + b"\r\n"


def post(path: bytes, body: bytes, headers: bytes = b"") -> bytes:
    head = b"POST " + path + b" HTTP/1.1\r\n" + HOST + headers + b"Content-Type: application/json\r\n"
    return head + b"Content-Length: %d\r\n\r\n" % len(body) + body


async def cookies(attack: Attack) -> None:
    """Cookies of backslashes, twelve pipelined on every connection."""
    bad = get(b"/api/v1/session", b"Cookie: " + SLASHES + b"\r\n")
    await attack.again("cookies", bad * 12, 16)


async def pipelining(attack: Attack) -> None:
    """As many requests as a connection may hold, for the dearest page that nobody has to sign in for."""
    await attack.again("pipelining", get(b"/sign-in") * 16, 64)


async def silent_readers(attack: Attack) -> None:
    """Ask for much, and read nothing of it."""
    loop = asyncio.get_running_loop()
    made = []
    for _ in range(100):
        with suppress(OSError):
            one = await attack.connect(small=2_048)
            made.append(one)
            await loop.sock_sendall(one, get(b"/openapi.json") * 4)
            attack.sent["silent_readers"] += 1
    while attack.goes_on:
        await asyncio.sleep(0.1)
    for one in made:
        one.close()


async def deep_json(attack: Attack) -> None:
    """Bodies that are deep, that are one number, and that have thousands of names."""
    names = b"{" + b",".join(b'"%d":1' % number for number in range(7_000)) + b"}"
    await asyncio.gather(
        *(
            attack.again("deep_json", post(b"/api/v1/session", body), 12)
            for body in (b"[" * 60_000, b'{"card": ' + b"9" * 60_000 + b"}", names)
        )
    )


async def crumbs(attack: Attack) -> None:
    """Bodies in chunks of one byte, and headers after a body."""
    head = b"POST /api/v1/session HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\n"
    chunked = head + b"Transfer-Encoding: chunked\r\n\r\n"
    trailers = chunked + b"1\r\n{\r\n0\r\n" + b"".join(b"X%d: y\r\n" % number for number in range(20_000)) + b"\r\n"
    await asyncio.gather(
        attack.again("crumbs", chunked + b"1\r\n \r\n" * 40_000, 16), attack.again("trailers", trailers, 8)
    )


async def long_headers(attack: Attack) -> None:
    """Thousands of headers, long paths, queries of thousands of fields, Range and Accept lists."""
    many = b"".join(b"a%d:\r\n" % number for number in range(1_800))
    lists = b"Accept: " + b"a/b;q=0.1," * 1_400 + b"\r\n"
    ranges = b"Range: bytes=" + b"0-1," * 3_500 + b"\r\n"
    await asyncio.gather(
        attack.again("headers", get(b"/sign-in", many), 12),
        attack.again("accept", get(b"/api/v1/games", lists), 8),
        attack.again("range", get(b"/static/house.css", ranges), 8),
        attack.again("path", get(b"/api/v1/tables/" + b"%61" * 5_000 + b"/light"), 8),
        attack.again("query", get(b"/api/v1/games?" + b"a&" * 7_500), 8),
    )


async def many_streams(attack: Attack) -> None:
    """One person opens as many streams of everything as there are, and never reads them."""
    loop = asyncio.get_running_loop()
    made = []
    subjects = b"&".join(b"subject=table/" + name for name in (b"CS-1", b"CS-2", b"CS-3", b"CS-4", b"PG-1", b"TCP-1"))
    for _ in range(MOST):
        if not attack.goes_on:
            break
        with suppress(OSError):
            one = await attack.connect(small=2_048)
            made.append(one)
            await loop.sock_sendall(one, get(b"/api/v1/stream?" + subjects, attack.cookie))
            attack.sent["many_streams"] += 1
    while attack.goes_on:
        await asyncio.sleep(0.1)
    for one in made:
        one.close()


async def long_sums(attack: Attack) -> None:
    """What takes long to work out, and that anybody may ask."""
    await attack.again("long_sums", get(b"/api/v1/figures?distribution=true&limit=200"), 24)


async def connections(attack: Attack) -> None:
    """Connect and go, as fast as can be; and hold as many as there are."""
    held = []
    for _ in range(MOST):
        with suppress(OSError):
            held.append(await attack.connect())
    while attack.goes_on:
        for _ in range(50):
            with suppress(OSError):
                (await attack.connect()).close()
                attack.sent["connections"] += 1
        await asyncio.sleep(0)
    for one in held:
        one.close()


ATTACKS: Final[dict[str, Callable[[Attack], Awaitable[None]]]] = {
    one.__name__: one
    for one in (
        *(cookies, pipelining, silent_readers, deep_json, crumbs, long_headers, many_streams, long_sums, connections),
    )
}


async def run(port: int, seconds: float, cookie: str, names: list[str]) -> Attack:
    attack = Attack(port, seconds, cookie)
    await asyncio.gather(*(ATTACKS[name](attack) for name in names))
    return attack


if __name__ == "__main__":
    # The machine is shared: what is measured is the server's fairness, not who has more processors.
    os.nice(5)
    done = asyncio.run(run(int(sys.argv[1]), float(sys.argv[2]), sys.argv[3], sys.argv[4].split(",")))
    sys.stdout.write(json.dumps({"sent": done.sent, "answers": done.answers}))
