"""A server process under test: orders go in by lines, and what each was told is kept."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import time
from collections import defaultdict, deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import IO, Any, Final

import msgspec
from card_load import GUESTS
from floor_load import CLUMSY, FIRST, PIN, RIGHT, STAFF, Sent, View, card_of

from faults.counts import Ended, Stuck
from faults.databases import PATIENCE
from faults.defects import JUMP
from faults.syncs import Syncs
from houseway.manager.commands import Enroll, Order, ReplaceKey, SetPin, SignIn, digest_of
from houseway.manager.signing import new_key

TOOL: Final = Path(__file__).parents[1] / "crash.py"
HOUSEWAY: Final = (sys.executable, "-m", "houseway.cli")
SIGN_IN: Final = "sign-in-of/"
_ENCODER: Final = msgspec.json.Encoder()


@dataclass(eq=False)
class Attempt:
    """An order as it was sent, and the answer, once there is one."""

    sent: Sent
    digest: str
    """What it asks, in short."""
    at: float
    """When it was sent, by the clock that never jumps."""
    answer: dict[str, Any] | None = None
    answered: float = 0.0

    @property
    def done(self) -> bool:
        """Whether it was acknowledged as carried out."""
        return self.answer is not None and bool(self.answer["ok"])

    @property
    def open(self) -> bool:
        """Whether nobody was told for certain what became of it."""
        return self.answer is None or bool(self.answer.get("fault"))


Attempts = dict[str, list[Attempt]]


def key_beside(log: Path) -> Path:
    """The key file of a floor, made where there is none: with it the decks of virtual tables are sealed and opened."""
    file = log.with_name("houseway.key")
    if not file.exists():
        new_key(file)
    return file


@dataclass
class Manner:
    """How a server is begun, where it is not as everybody begins it."""

    planted: str = ""
    """A defect built into it, or a clock that a signal sets wrong."""
    syncs: Syncs | None = None
    jump: int = 0
    """By how many seconds its clock jumps, where it can be set wrong."""


class Server:
    """One ``houseway floor serve``."""

    def __init__(self, url: str, log: Path, manner: Manner | None = None) -> None:
        manner = manner or Manner()
        serve = [sys.executable, str(TOOL), "--serve-planted", manner.planted]
        if not manner.planted:
            serve = [*HOUSEWAY, "floor", "serve"]
        self._log = log
        self._said_before = log.stat().st_size if log.exists() else 0
        command = [*serve, "--db", url, "--key-file", str(key_beside(log))]

        def begin() -> subprocess.Popen[bytes]:
            with log.open("ab") as errors:
                return subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    start_new_session=True,
                    env={**os.environ, JUMP: str(manner.jump)},
                )

        self.process = manner.syncs.spawn(begin) if manner.syncs else begin()
        if self.process.stdin is None or self.process.stdout is None:
            raise RuntimeError("the server was started without pipes")
        self._input: IO[bytes] = self.process.stdin
        self._output: IO[bytes] = self.process.stdout
        self.tokens: dict[str, str] = {f"player/{name}": f"secret of {name}" for name in GUESTS}
        self.view: View | None = None
        self.sent = 0
        self.signed_in: dict[str, dict[str, Any]] = {}
        """What members of staff were told who signed in here, by member."""
        self.waiting: dict[str, deque[Attempt]] = defaultdict(deque)
        self._presented = 0
        """Cards that were presented and have no answer yet: each makes an entry, as an order does."""
        self._answers: queue.SimpleQueue[tuple[float, dict[str, Any]] | None] = queue.SimpleQueue()
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def in_flight(self) -> int:
        return self._presented + sum(map(len, self.waiting.values()))

    def _read(self) -> None:
        for line in self._output:
            # A line that the kill cut short was never said.
            if line.endswith(b"\n"):
                self._answers.put((time.monotonic(), msgspec.json.decode(line)))
        self._answers.put(None)

    def say(self, request: dict[str, Any]) -> bool:
        """Send one line; answers whether anybody is there to read it."""
        try:
            self._input.write(_ENCODER.encode(request) + b"\n")
            self._input.flush()
        except (BrokenPipeError, ValueError):
            return False
        return True

    def send(self, sent: Sent) -> Attempt | None:
        """Send an order; None for what is none, such as a card that is presented, and for what cannot be sent now."""
        wish, command = sent.wish, sent.wish.command
        request: dict[str, Any] = {"id": sent.id, "token": self.tokens.get(wish.by, "none")}
        # No server with pages serves with a key that is not in force, and the mixture makes up the keys it names.
        if isinstance(command, SetPin | ReplaceKey):
            return None
        if isinstance(command, SignIn):
            pin = PIN if command.fits == RIGHT else "0000"
            self._present(command.card, command.card, pin)
            return None
        second = ""
        if isinstance(command, Enroll):
            request |= {"op": "enroll", "staff": command.staff, "name": command.name, "role": command.role}
            request |= {"card": command.card}
        else:
            request |= {"op": "do", "command": command}
        if wish.second or isinstance(command, Enroll):
            second = wish.second
            request["second"] = self.tokens.get(second, "none")
        digest = digest_of(Order(id=sent.id, by=wish.by, second=second, command=command))
        if any(attempt.digest != digest for attempt in self.waiting[sent.id]):
            # Two different orders under one id, both on their way: nobody could tell whose answer comes first.
            return None
        attempt = Attempt(sent, digest, time.monotonic())
        self.waiting[sent.id].append(attempt)
        self.say(request)
        return attempt

    def take(self, seconds: float) -> bool:
        """Take in one answer, waiting so long at most; answers whether one came. Raises Ended after the last one."""
        try:
            answer = self._answers.get(timeout=max(0.0, seconds))
        except queue.Empty:
            return False
        if answer is None:
            self._answers.put(None)
            raise Ended(f"the server has ended: {self.last_words()}")
        self._note(*answer)
        return True

    def _note(self, at: float, answer: dict[str, Any]) -> None:
        if "floor" in answer:
            self.view = answer["floor"]
        elif answer["id"].startswith(SIGN_IN):
            self._presented -= 1
            self.signed_in[answer["id"].removeprefix(SIGN_IN)] = answer
            if answer["ok"]:
                self.tokens[answer["staff"]] = answer["token"]
        elif self.waiting[answer["id"]]:
            attempt = self.waiting[answer["id"]].popleft()
            attempt.answer, attempt.answered = answer, at

    def ready(self) -> None:
        """Wait until it serves, with everybody signed in."""
        for staff in (FIRST, *STAFF):
            self.sign_in(staff)
        self.serves()
        self.until(lambda: {FIRST, *STAFF} <= {*self.tokens, CLUMSY})

    def sign_in(self, staff: str) -> None:
        """Have somebody sign in; the answer comes among the others."""
        self._present(staff, card_of(staff), PIN)

    def _present(self, who: str, card: str, pin: str) -> None:
        self._presented += 1
        self.say({"op": "sign_in", "id": f"{SIGN_IN}{who}", "card": card, "pin": pin})

    def serves(self) -> None:
        """Wait until it has begun to serve; raises Ended where it does not."""
        self.say({"op": "view", "id": "view"})
        self.until(lambda: self.view is not None)

    def until(self, there: Callable[[], bool]) -> None:
        """Take answers until something is so."""
        ends = time.monotonic() + PATIENCE
        while not there():
            if time.monotonic() > ends:
                raise Stuck(f"the server has not answered for {PATIENCE} s: {self.last_words()}")
            self.take(0.5)

    def answered(self) -> None:
        """Wait until every order and every card has its answer: then nothing more is being recorded."""
        self.until(lambda: not self.in_flight)

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal, where it is still there."""
        with suppress(ProcessLookupError):
            self.process.send_signal(number)

    def kill(self) -> None:
        """End it with kill -9, then take in what it had said before."""
        self.process.kill()
        self._end()

    def stop(self) -> int:
        """Let it finish: no more orders, then wait for its end."""
        with suppress(BrokenPipeError):
            self._input.close()
        return self._end()

    def _end(self) -> int:
        code = self.process.wait()
        self._reader.join()
        with suppress(Stuck):
            while self.take(0):
                pass
        with suppress(BrokenPipeError):
            self._input.close()
        self._output.close()
        return code

    def last_words(self) -> str:
        """The end of what was written on standard error since it began."""
        if not self._log.exists():
            return ""
        return self._log.read_bytes()[self._said_before :].decode(errors="replace")[-2_000:]
