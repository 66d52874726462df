"""Whether a table or a display still hears the Game Manager, and what follows when it does not (PR-38).

Not heard for five seconds, the progressive wager is closed: no chip is taken and nothing is locked in. The base game
may go on, and what was acknowledged stays. The same holds at once when the Game Manager says that nothing can be
recorded. It opens again by itself once it is in step: a current view of everything it
follows has arrived over the connection that stands, and the Game Manager's heart beats. A connection that was only
silent goes on where it was, and nothing of it is missing; a new one begins with the views.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Final, NamedTuple

from houseway.api.commands import Bet, CorrectCount, Light, LockIn, TableCommand
from houseway.api.orders import Carried
from houseway.api.stream import Beat, Meters, Stalled, Step
from houseway.client.stream import SILENCE, Lost, StreamEvent, View
from houseway.refusal import Refusal

OPEN: Final = "the progressive wager is open"


class Heard(NamedTuple):
    """How a table stands with the Game Manager."""

    open: bool
    """Whether progressive wagers are taken."""
    silent: float
    """For how many seconds nothing was heard."""
    sentence: str
    """For the people at the table."""


class TableLink:
    """Listens to a stream for one table or display, to all that comes over it; `take` may be called by another thread.

    ``subjects`` are those of its stream: each must be in view before the wager opens again.
    """

    def __init__(
        self, subjects: Sequence[str], *, clock: Callable[[], float] = time.monotonic, silence: float = SILENCE
    ) -> None:
        self._subjects = frozenset(subjects)
        self._clock = clock
        self._silence = silence
        self._lock = Lock()
        self._heard_at: float | None = None
        """When the Game Manager was last heard; None for never."""
        self._began = clock()
        self._missing = set(self._subjects)
        """What has not come into view over this connection."""
        self._stalled = ""
        """Why the Game Manager cannot record; empty while it can."""
        self._shut = True
        """Whether it must be in step before it opens: so at the start, and after a silence."""
        self.acknowledged: Carried | None = None
        """The last order that was carried out; it stays, whatever happens to the link."""

    def take(self, event: StreamEvent) -> Heard:
        """Something came over the stream; how the table stands with it."""
        with self._lock:
            self._close_when_silent()
            match event:
                case Lost():
                    self._missing = set(self._subjects)
                case View():
                    self._missing.discard(event.subject)
                case Beat():
                    self._stalled = ""
                    self._heard_at = self._clock()
                case Stalled():
                    self._stalled = event.why
                    self._heard_at = self._clock()
                case Step() | Meters():
                    # A view alone does not tell that the database is there; these come only while it is.
                    self._heard_at = self._clock()
            return self._stand()

    @property
    def now(self) -> Heard:
        """How the table stands with the Game Manager."""
        with self._lock:
            self._close_when_silent()
            return self._stand()

    @property
    def open(self) -> bool:
        """Whether progressive wagers are taken now."""
        return self.now.open

    def check(self, command: TableCommand) -> None:
        """Refuse a progressive wager while the link is gone; everything else may be tried."""
        now = self.now
        if not now.open and takes_a_wager(command):
            raise Refusal("link", now.sentence)

    def carried(self, answer: Carried) -> Carried:
        """An order was acknowledged; that too is the Game Manager's voice."""
        with self._lock:
            self._close_when_silent()
            self.acknowledged = answer
            self._stalled = ""
            self._heard_at = self._clock()
        return answer

    def _close_when_silent(self) -> None:
        if self._heard_at is not None and self._clock() - self._heard_at >= self._silence:
            self._began = self._heard_at
            self._heard_at = None
            self._shut = True

    def _stand(self) -> Heard:
        silent = self._clock() - (self._began if self._heard_at is None else self._heard_at)
        if self._heard_at is None:
            words = f"the Game Manager is not heard, for {int(silent)} seconds now"
        elif self._stalled:
            words = self._stalled
        elif self._shut and self._missing:
            words = f"the Game Manager is heard again; {', '.join(sorted(self._missing))} is not in view yet"
        else:
            self._shut = False
            return Heard(True, silent, OPEN)
        return Heard(
            False,
            silent,
            f"the progressive wager is closed: {words}; the base game may go on, and recorded wagers stand",
        )


def takes_a_wager(command: TableCommand) -> bool:
    """Whether a command would place or lock in a progressive wager."""
    match command:
        case Light() | LockIn():
            return True
        case CorrectCount():
            return command.wagered
        case Bet():
            return command.wager == "progressive" and command.cents > 0
    return False
