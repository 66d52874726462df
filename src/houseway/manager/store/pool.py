"""A few connections for readers, lent to one thread at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore
from typing import Generic, Protocol, TypeVar


class Closable(Protocol):
    """All that the pool asks of a connection."""

    def close(self) -> None: ...


C = TypeVar("C", bound=Closable)


class Pool(Generic[C]):
    """Connections made when first needed and kept. Nobody holds one while other code of the program runs."""

    def __init__(self, connect: Callable[[], C], size: int) -> None:
        self._connect = connect
        self._slots = BoundedSemaphore(size)
        self._idle: deque[C] = deque()
        self._closed = False

    @contextmanager
    def lease(self) -> Iterator[C]:
        """Lend a connection; one that an exception passed through is not lent again."""
        with self._slots:
            connection = self._take()
            try:
                yield connection
            except BaseException:
                connection.close()
                raise
            self._give_back(connection)

    def clear(self) -> None:
        """Close those that nobody uses: after a fault they are likely broken."""
        while self._idle:
            try:
                self._idle.pop().close()
            except IndexError:
                return

    def close(self) -> None:
        """Close them all, those on loan when they come back."""
        self._closed = True
        self.clear()

    def _take(self) -> C:
        try:
            return self._idle.pop()
        except IndexError:
            return self._connect()

    def _give_back(self, connection: C) -> None:
        self._idle.append(connection)
        if self._closed:
            self.clear()
