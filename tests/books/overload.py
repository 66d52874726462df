"""A crowd of terminals that want more than a server can do: each sends its next order when the last was answered.

    python -m tests.books.overload PORT COOKIE CSRF CLIENTS SECONDS PATIENCE

A process of its own, on raw sockets. A terminal that gets no answer within PATIENCE seconds hangs up and sends the same
order again; one that is told to come back later does so when it is told. The last line of the output is a JSON object.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections import Counter
from typing import Any

import uvloop

TABLES = ("CS-1", "CS-2", "CS-3", "CS-4")


class Terminal(asyncio.Protocol):
    """One connection, with one request under way."""

    def __init__(self) -> None:
        self.transport: Any = None
        self._held = b""
        self._answer: asyncio.Future[tuple[int, bytes]] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self._held += data
        head, end, body = self._held.partition(b"\r\n\r\n")
        if not end:
            return
        _, _, length = head.lower().partition(b"content-length: ")
        if len(body) >= int(length.partition(b"\r\n")[0] or b"0"):
            self._held = b""
            self._tell((int(head.split(b" ", 2)[1]), head))

    def connection_lost(self, exc: Exception | None) -> None:
        self._tell((0, b""))

    def _tell(self, answer: tuple[int, bytes]) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(answer)

    async def ask(self, request: bytes, patience: float) -> tuple[int, bytes]:
        """The status and head of the answer; 0 where the connection was closed."""
        if self.transport.is_closing():
            return 0, b""
        self._answer = asyncio.get_running_loop().create_future()
        self.transport.write(request)
        return await asyncio.wait_for(self._answer, patience)


class Crowd:
    def __init__(self, port: int, cookie: str, csrf: str, patience: float) -> None:
        self.port, self.patience = port, patience
        self.head = f"Host: 127.0.0.1\r\nCookie: houseway={cookie}\r\nX-CSRF-Token: {csrf}\r\n"
        self.counts: Counter[str] = Counter()
        self.took: list[float] = []
        self.until = 0.0

    async def work(self, number: int) -> None:
        """One terminal's shift."""
        terminal: Terminal | None = None
        loop = asyncio.get_running_loop()
        table, spot, count = TABLES[number % len(TABLES)], number // len(TABLES) % 7 + 1, 0
        await asyncio.sleep(random.random())
        while loop.time() < self.until:
            body = b'{"spot":%d}' % spot
            what = "unlight" if count % 2 else "light"
            request = (
                f"POST /api/v1/tables/{table}/{what} HTTP/1.1\r\n{self.head}Content-Type: application/json\r\n"
                f"Idempotency-Key: {number}-{count}\r\nContent-Length: {len(body)}\r\n\r\n"
            ).encode() + body
            while loop.time() < self.until:
                try:
                    if terminal is None:
                        _, terminal = await loop.create_connection(Terminal, "127.0.0.1", self.port)
                    began = loop.time()
                    status, head = await terminal.ask(request, self.patience)
                except TimeoutError:
                    self.counts["timed out"] += 1
                    assert terminal is not None
                    terminal.transport.abort()
                    terminal = None
                    continue
                except OSError:
                    self.counts["not connected"] += 1
                    terminal = None
                    await asyncio.sleep(0.5)
                    continue
                self.counts[str(status)] += 1
                if status in (0, 429, 503):
                    if b"connection: close" in head.lower() or not status:
                        terminal.transport.abort()
                        terminal = None
                    later = head.lower().partition(b"retry-after: ")[2].partition(b"\r\n")[0]
                    await asyncio.sleep(int(later or b"1") * (1 + random.random()))
                    continue
                self.took.append(loop.time() - began)
                break
            count += 1

    async def run(self, clients: int, seconds: float) -> None:
        self.until = asyncio.get_running_loop().time() + seconds
        await asyncio.gather(*(self.work(number) for number in range(clients)))


def main() -> None:
    port, cookie, csrf, clients, seconds, patience = sys.argv[1:]
    crowd = Crowd(int(port), cookie, csrf, float(patience))
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(crowd.run(int(clients), float(seconds)))
    took = sorted(crowd.took)
    answered = crowd.counts["200"] + crowd.counts["409"]
    print(
        json.dumps(
            {
                **crowd.counts,
                "a_second": round(answered / float(seconds)),
                "p50": round(took[len(took) // 2], 3) if took else None,
                "p99": round(took[len(took) * 99 // 100], 3) if took else None,
                "worst": round(took[-1], 3) if took else None,
            }
        )
    )


if __name__ == "__main__":
    main()
