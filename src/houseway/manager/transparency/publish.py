"""Publishing a floor's checkpoints: signed now and then, sent to the witnesses, kept with their cosignatures (TR-13).

It runs beside the floor and never holds it up. A witness that cannot be reached is tried again; one that has seen
another journal than this one is an alarm.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Final, NamedTuple

from houseway.manager.signing import check_in_force
from houseway.manager.store.files import sync_folder
from houseway.manager.transparency.checkpoint import (
    Checkpoint,
    ConsistencyProof,
    WitnessPolicy,
    is_number,
    read_checkpoint,
    read_text,
    signed_checkpoint,
)
from houseway.manager.transparency.kept import node_reader, origin_in
from houseway.manager.transparency.note import Signer, Verifier, read_signatures
from houseway.manager.transparency.tree import Frontier, consistency_proof
from houseway.refusal import Fault, Refusal

if TYPE_CHECKING:
    from houseway.manager.floor import Floor

RENEW_SECONDS: Final = 900
"""So often a checkpoint is cosigned again although nothing was added: it says that nothing was until then."""
ANSWER_SECONDS: Final = 10.0
STOP_SECONDS: Final = 2.0
MOST_ANSWER_BYTES: Final = 64_000
TRIES: Final = 4

log = logging.getLogger("houseway.checkpoints")


class Told(NamedTuple):
    """What a witness said last."""

    address: str
    good: bool
    alarm: bool
    """Whether it has seen another journal than this one."""
    words: str
    at: float
    """In seconds since 1970."""


class Alarm(Fault):
    """A witness has seen another journal than this one."""


class Publisher:
    """Signs and publishes the checkpoints of one floor."""

    def __init__(
        self,
        floor: Floor,
        file: Path,
        witnesses: Sequence[str] = (),
        seconds: float = 60,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._floor = floor
        self._file = file
        self._addresses = tuple(witnesses)
        self._seconds = seconds
        self._clock = clock
        self._sizes: dict[str, int] = {}
        """What each witness cosigned last."""
        self._done: tuple[int, float] = (0, 0.0)
        self._stopped = Event()
        self._thread: Thread | None = None
        self.told: dict[str, Told] = {}
        """What each witness said last, by its address."""
        self.fault = ""
        """Why no checkpoint could be signed or kept; empty where it could."""

    # --------------------------------------------------------------------------------------------------- what is shown

    @property
    def latest(self) -> Checkpoint | None:
        """The newest checkpoint that enough witnesses have cosigned."""
        return kept_checkpoint(self._file)

    @property
    def alarms(self) -> list[str]:
        """What somebody must look into at once."""
        return [f"witness {report.address}: {report.words}" for report in self.told.values() if report.alarm]

    # ------------------------------------------------------------------------------------------------------ one round

    def publish(self) -> Checkpoint:
        """Sign where the journal stands, have it cosigned, and keep it."""
        floor = self._floor
        tree, state = floor.tree, floor.state
        check_in_force(state, floor.keys.signing)
        point = signed_checkpoint(floor_signer(floor), tree.size, tree.root)
        policy = state.config.witness_policy if state.config is not None else WitnessPolicy()
        for address in self._addresses:
            point = self._cosigned(address, point, tree, policy)
        witnesses = policy.seen_by(point)
        if len(witnesses) >= policy.quorum:
            keep_checkpoint(self._file, point)
        if all(self.told[address].good for address in self._addresses):
            self._done = (tree.size, self._clock())
        return point

    def _cosigned(self, address: str, point: Checkpoint, tree: Frontier, policy: WitnessPolicy) -> Checkpoint:
        good = alarm = False
        try:
            answer = self._ask(address, point, policy)
        except Alarm as wrong:
            alarm, words = True, str(wrong)
        except (Refusal, Fault) as wrong:
            words = str(wrong)
        else:
            point, good, words = answer, True, f"cosigned entry {tree.size}"
        before = self.told.get(address)
        self.told[address] = Told(address, good, alarm, words, self._clock())
        if before is None or (before.good, before.alarm) != (good, alarm):
            level = logging.CRITICAL if alarm else logging.INFO if good else logging.WARNING
            log.log(level, "witness %s: %s", address, words)
        return point

    def _ask(self, address: str, point: Checkpoint, policy: WitnessPolicy) -> Checkpoint:
        """The checkpoint with a witness's cosignature."""
        node = node_reader(self._floor.store)
        for _ in range(TRIES):
            if self._stopped.is_set():
                raise Fault("the server stops")
            old = self._sizes.get(address, 0)
            if old > point.size:
                self._behind(old, point)
            proof = ConsistencyProof(old, tuple(consistency_proof(old, point.size, node)), point)
            status, text = _post(f"{address}/add-checkpoint", proof.text)
            if status == 200:
                self._sizes[address] = point.size
                return _with_cosignatures(point, text, policy)
            if status == 409 and is_number(text.removesuffix("\n")):
                self._sizes[address] = int(text)
                continue
            if status == 422:
                raise Alarm(
                    "it has seen another journal than this one: an entry was changed, removed or added before "
                    f"entry {old}; keep a copy of the database, and run houseway journal verify"
                )
            if status == 404:
                raise Fault(f"it does not know this floor; give it --log {self.verifier.text}")
            raise Fault(f"it answered {status}: {text[:200].strip()!r}")
        raise Fault(f"it answered {TRIES} times that it stands elsewhere")

    def _behind(self, size: int, point: Checkpoint) -> None:
        """A witness has seen a longer journal: another process may have written it, or ours was cut off."""
        if size > self._floor.refresh().seq:
            raise Alarm(
                f"it has seen entry {size}, but the journal ends at entry {self._floor.state.seq}: the end was cut "
                "off, or an old backup is served; keep a copy of the database, and compare"
            )
        raise Fault(f"it has cosigned entry {size} already, after entry {point.size}")

    @property
    def verifier(self) -> Verifier:
        """The key that this floor's checkpoints are checked with."""
        return floor_signer(self._floor).verifier

    # -------------------------------------------------------------------------------------------------- again and again

    def start(self) -> None:
        """Publish in the background, at once and then as often as is set."""
        self._thread = Thread(target=self._work, name="houseway-checkpoints", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Publish no more."""
        self._stopped.set()

    def join(self) -> None:
        """Wait a little until what was under way has ended; a witness that is slow to answer holds up no stop."""
        if self._thread is not None:
            self._thread.join(STOP_SECONDS)

    def _work(self) -> None:
        while not self._stopped.is_set():
            self.work_once()
            self._stopped.wait(self._seconds)

    def work_once(self) -> None:
        """Publish where there is something new, or the last time is long ago. Never raises."""
        size, at = self._done
        if self._floor.tree.size == size and self._clock() - at < RENEW_SECONDS:
            return
        try:
            self.publish()
            message = ""
        except (Refusal, Fault, OSError) as error:
            message = str(error)
        except Exception as bug:
            if self._stopped.is_set():
                # The floor was closed behind it.
                return
            log.exception("a checkpoint failed")
            message = f"{type(bug).__name__}: {bug}"
        if message and message != self.fault:
            log.warning("no checkpoint was published: %s", message)
        self.fault = message


def floor_signer(floor: Floor) -> Signer:
    """What signs the checkpoints of a floor: its key, under the name of its log."""
    return Signer(origin_in(floor.store), floor.keys.signing)


def keep_checkpoint(file: Path, point: Checkpoint) -> None:
    """Keep a checkpoint in place of the one before, whole or not at all."""
    part = file.with_name(f"{file.name}.part")
    with part.open("w", encoding="utf-8") as out:
        out.write(point.text)
        out.flush()
        os.fsync(out.fileno())
    part.replace(file)
    sync_folder(file.parent)


def kept_checkpoint(file: Path) -> Checkpoint | None:
    """The checkpoint that was kept last; None where there is none that can be read."""
    try:
        return read_checkpoint("checkpoint", read_text(file))
    except Refusal:
        return None


def _with_cosignatures(point: Checkpoint, text: str, policy: WitnessPolicy) -> Checkpoint:
    """A checkpoint with those of a witness's signatures that are by keys the floor names, and hold."""
    lines = read_signatures("answer", text)
    known = {(witness.name, witness.id): witness for witness in policy.witnesses}
    cosignatures = [line for line in lines if (line.name, line.id) in known]
    if not cosignatures:
        names = ", ".join(sorted({f"{line.name}+{line.id.hex()}" for line in lines}))
        raise Fault(f"it cosigned as {names}, which the floor does not name under [witnesses]")
    signed = point.note.signed_also(cosignatures)
    for signed_line in cosignatures:
        known[signed_line.name, signed_line.id].signature_in(signed)
    return point._replace(note=signed)


def _post(url: str, text: str) -> tuple[int, str]:
    """Send a text; the answer's status and text."""
    import httpx

    try:
        with (
            httpx.Client(timeout=ANSWER_SECONDS, trust_env=False) as client,
            client.stream("POST", url, content=text.encode(), headers={"content-type": "text/plain"}) as response,
        ):
            parts, size, until = [], 0, time.monotonic() + ANSWER_SECONDS
            for part in response.iter_bytes():
                parts.append(part)
                size += len(part)
                if size > MOST_ANSWER_BYTES or time.monotonic() > until:
                    raise Fault("its answer is too long, or takes too long")
            return response.status_code, b"".join(parts).decode("utf-8", "replace")
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise Fault(f"it cannot be reached: {error}") from None
