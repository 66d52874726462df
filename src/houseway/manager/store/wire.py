"""The writer's talk with PostgreSQL, on psycopg's libpq itself.

Through psycopg's cursors a transaction of one entry cost more time here than the server's disk, so the three
exchanges that every transaction makes are prepared once and sent as they are. Everything else goes through psycopg.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from select import POLLIN, POLLOUT, poll
from typing import Any, Final, NamedTuple

import psycopg
from psycopg import pq
from psycopg.errors import lookup

Values = Sequence[bytes]
Answer = list[tuple[bytes, ...]]

ANSWER_SECONDS: Final = 8
"""How long the writer waits for an answer. A server that hangs is then left, and what it did last is not certain."""
GOOD: Final = (pq.ExecStatus.COMMAND_OK, pq.ExecStatus.TUPLES_OK)


class NoAnswer(psycopg.OperationalError):
    """The server took too long; the connection to it is closed."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"no answer for {seconds:g} seconds")


class Ended(psycopg.OperationalError):
    """The server had ended the session before anything was sent: it has carried out nothing of it."""

    def __init__(self) -> None:
        super().__init__("the server ended this session while nothing was asked of it")


class Step(NamedTuple):
    """A statement prepared under a name, and its values as text."""

    name: bytes
    values: Values = ()


class Wire:
    """One connection's prepared statements. Not for two threads at a time."""

    def __init__(self, connection: psycopg.Connection[Any], statements: Mapping[bytes, str]) -> None:
        self.connection = connection
        self._pg = connection.pgconn
        self._poll = poll()
        for name, statement in statements.items():
            self._checked(self._pg.prepare(name, statement.encode()))

    @property
    def lost(self) -> bool:
        """Whether the server has gone."""
        return self.connection.closed

    def ask(self, step: Step) -> Answer:
        """Run one statement and wait for its answer."""
        ((_, answer),) = self.run(step)
        return answer

    def run(self, *steps: Step) -> list[tuple[bytes, Answer]]:
        """Run statements in one round trip; the first that fails stops those behind it, and is raised.

        Each answers with its command's tag and its rows.
        """
        self._must_be_silent()
        self._pg.enter_pipeline_mode()
        for step in steps:
            self._pg.send_query_prepared(step.name, step.values)
        self._pg.pipeline_sync()
        until = time.monotonic() + ANSWER_SECONDS
        self._flush(until)
        results = list(self._results(until))
        self._pg.exit_pipeline_mode()
        return [(result.command_status or b"", _answer(self._checked(result))) for result in results]

    def _must_be_silent(self) -> None:
        """Between two exchanges the server has nothing to say but that it ends the session."""
        self._poll.register(self._pg.socket, POLLIN)
        while self._poll.poll(0):
            try:
                self._pg.consume_input()
            except psycopg.OperationalError:
                self.connection.close()
                raise Ended from None

    def _flush(self, until: float) -> None:
        self._poll.register(self._pg.socket, POLLIN | POLLOUT)
        while self._pg.flush():
            self._await(until)

    def _await(self, until: float) -> None:
        """Wait for the server to read or write; a server that does neither for too long is left."""
        left = until - time.monotonic()
        if left <= 0 or not self._poll.poll(left * 1_000):
            self.connection.close()
            raise NoAnswer(ANSWER_SECONDS)
        self._pg.consume_input()

    def _results(self, until: float) -> Iterator[pq.abc.PGresult]:
        """The results up to the end of the pipeline. Other threads run while the server works."""
        self._poll.register(self._pg.socket, POLLIN)
        while True:
            while self._pg.is_busy():
                self._await(until)
            result = self._pg.get_result()
            if result is None:
                self._must_be_alive()
            elif result.status == pq.ExecStatus.PIPELINE_SYNC:
                return
            else:
                yield result

    def _checked(self, result: pq.abc.PGresult) -> pq.abc.PGresult:
        """The result, or the error it reports as psycopg's exception for it."""
        if result.status in GOOD:
            return result
        self._must_be_alive(result)
        message = result.error_field(pq.DiagnosticField.MESSAGE_PRIMARY) or result.error_message
        state = result.error_field(pq.DiagnosticField.SQLSTATE)
        raise _kind(state)(message.decode(errors="replace"))

    def _must_be_alive(self, result: pq.abc.PGresult | None = None) -> None:
        if self._pg.status != pq.ConnStatus.OK:
            message = result.error_message if result is not None else self._pg.error_message
            raise psycopg.OperationalError(message.decode(errors="replace"))


def _kind(state: bytes | None) -> type[psycopg.Error]:
    if state is None:
        return psycopg.OperationalError
    try:
        return lookup(state.decode())
    except KeyError:
        return psycopg.DatabaseError


def _answer(result: pq.abc.PGresult) -> Answer:
    return [
        tuple(result.get_value(row, column) or b"" for column in range(result.nfields)) for row in range(result.ntuples)
    ]
