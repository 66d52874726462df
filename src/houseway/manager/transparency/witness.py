"""A witness (c2sp.org/tlog-witness): keeps the newest checkpoint of each log it knows, and cosigns what extends it.

It has a key of its own, on a machine of its own. It sees sizes and hashes, never an entry. For each log its folder
holds the checkpoint that it cosigned last, and what it refused that its log should not have signed: the evidence.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Lock
from typing import Final, NamedTuple

from houseway.manager.store.files import sync_folder
from houseway.manager.transparency.checkpoint import (
    Checkpoint,
    ConsistencyProof,
    checked_by,
    read_checkpoint,
    read_proof,
    read_text,
)
from houseway.manager.transparency.note import Signer, Verifier
from houseway.manager.transparency.tree import EMPTY_ROOT, consistent
from houseway.refusal import Refusal

MOST_REQUEST_BYTES: Final = 48_000
MOST_EVIDENCE: Final = 200
"""So many files of each kind are kept of a log: anybody with old checkpoints can send them again and again."""
SIZE_MEDIA: Final = "text/x.tlog.size"
PLAIN: Final = "text/plain; charset=utf-8"

FORK: Final = "fork"
"""Two roots for one size: the log's key signed two journals. Nobody without that key can make this."""
UNPROVED: Final = "unproved"
"""A longer tree without a proof that it begins with the one that was cosigned."""
SMALLER: Final = "smaller"
"""A shorter tree than the one that was cosigned: cut off, or an old checkpoint that somebody sent again."""
WORDS: Final = {
    FORK: "two different journals of the same length, both signed by the log's key",
    UNPROVED: "a longer journal that was not shown to begin with the one seen before",
    SMALLER: "a shorter journal than the one seen before: cut off, or an old checkpoint sent again",
}


class Answer(NamedTuple):
    """What a request is answered with."""

    status: int
    text: str
    media: str = PLAIN


class Seen(NamedTuple):
    """One log as a witness knows it."""

    origin: str
    checkpoint: Checkpoint
    at: int
    """When it was cosigned last, in seconds since 1970."""
    evidence: tuple[Path, ...]


class Witness:
    """A witness on its folder. May be asked from any thread; one process at a time has the folder."""

    def __init__(
        self, signer: Signer, folder: Path, logs: Sequence[Verifier], clock: Callable[[], float] = time.time
    ) -> None:
        self.signer = signer
        self._folder = folder
        self._clock = clock
        self._logs: dict[str, list[Verifier]] = {}
        for log in logs:
            self._logs.setdefault(log.name, []).append(log)
        self._working = Lock()
        self._lock = _locked(folder)
        self._latest = {origin: self._kept(origin) for origin in self._logs}

    def close(self) -> None:
        """Let go of the folder."""
        os.close(self._lock)

    def add_checkpoint(self, body: bytes) -> Answer:
        """Cosign a checkpoint that extends the last one of its log, or say why not."""
        try:
            proof = read_proof("request", body.decode())
        except UnicodeDecodeError:
            return Answer(400, "request: is not UTF-8\n")
        except Refusal as refusal:
            return Answer(400, f"{refusal}\n")
        if not isinstance(proof, ConsistencyProof):
            return Answer(400, "request: must begin with old and a size\n")
        point = proof.checkpoint
        keys = self._logs.get(point.origin)
        if keys is None:
            return Answer(404, f"checkpoint: {point.origin} is not a log that this witness knows\n")
        try:
            checked_by(point, keys)
        except Refusal as refusal:
            return Answer(403, f"{refusal}\n")
        if proof.old > point.size:
            return Answer(400, "old: is larger than the size of the checkpoint\n")
        # Between looking at the last checkpoint and keeping the next, nobody else may do the same.
        with self._working:
            return self._extended(proof)

    def _extended(self, proof: ConsistencyProof) -> Answer:
        point = proof.checkpoint
        latest = self._latest[point.origin]
        size, root = (latest.size, latest.root) if latest is not None else (0, EMPTY_ROOT)
        if latest is not None and point.size == size and point.root != root:
            self._keep_evidence(FORK, latest, point)
        elif latest is not None and point.size < size:
            self._keep_evidence(SMALLER, latest, point)
        if proof.old != size:
            return Answer(409, f"{size}\n", SIZE_MEDIA)
        if point.size == 0 and point.root != EMPTY_ROOT:
            return Answer(422, "checkpoint: an empty log has the hash of nothing as its root\n")
        if not consistent(size, point.size, root, point.root, proof.hashes):
            if latest is not None and point.size > size:
                self._keep_evidence(UNPROVED, latest, point)
            return Answer(422, "proof: does not show that this checkpoint extends the one cosigned before\n")
        cosigned = self._cosigned(point)
        self._keep(cosigned)
        self._latest[point.origin] = cosigned
        own = self.signer.verifier.signature_in(cosigned.note)
        return Answer(200, own.line if own is not None else "")

    def _cosigned(self, point: Checkpoint) -> Checkpoint:
        """A checkpoint with the log's own signatures and ours, and no others."""
        keys = {(log.name, log.id) for log in self._logs[point.origin]}
        logs = tuple(signature for signature in point.note.signatures if (signature.name, signature.id) in keys)
        ours = self.signer.sign(point.note.text, max(int(self._clock()), self._last_time(point.origin), 1))
        return point._replace(note=point.note._replace(signatures=(*logs, ours)))

    def _last_time(self, origin: str) -> int:
        latest = self._latest[origin]
        return _time_of(self.signer.verifier, latest) if latest is not None else 0

    def latest(self, origin_hash: str) -> str | None:
        """The newest cosigned checkpoint of a log, by the hash of its origin in hex."""
        for origin, point in self._latest.items():
            if point is not None and _name(origin) == origin_hash:
                return point.text
        return None

    # ------------------------------------------------------------------------------------------------- what is kept

    def _kept(self, origin: str) -> Checkpoint | None:
        file = self._folder / _name(origin) / "checkpoint"
        if not file.exists():
            return None
        point = read_checkpoint(str(file), read_text(file))
        try:
            # A key of the log that was replaced may be taken off the list; our own cosignature says we checked it.
            if self.signer.verifier.signature_in(point.note) is None or point.origin != origin:
                raise Refusal(str(file), "is not cosigned by this witness's key")
        except Refusal as refusal:
            raise Refusal(
                str(file), f"{refusal.sentence}; it was changed, or is another witness's: find out before going on"
            ) from None
        return point

    def _keep(self, point: Checkpoint) -> None:
        folder = self._folder / _name(point.origin)
        _write(folder / "checkpoint", point.text)

    def _keep_evidence(self, kind: str, known: Checkpoint, refused: Checkpoint) -> None:
        """Both checkpoints, each with its signatures: what the log signed, and what it signed before."""
        folder = self._folder / _name(refused.origin) / "evidence"
        digest = hashlib.sha256(refused.note.text.encode()).hexdigest()[:16]
        file = folder / f"{kind}-{refused.size}-{digest}.txt"
        if file.exists() or len(list(folder.glob(f"{kind}-*.txt"))) >= MOST_EVIDENCE:
            return
        at = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(self._clock()))
        _write(file, evidence_text(kind, at, known, refused))


def evidence_text(kind: str, at: str, known: Checkpoint, refused: Checkpoint) -> str:
    """Evidence as people and programs read it."""
    return f"{WORDS[kind]}\nrefused on {at} UTC\n\n=== cosigned before\n{known.text}\n=== refused\n{refused.text}"


def read_evidence(text: str) -> tuple[Checkpoint, Checkpoint]:
    """The two checkpoints of an evidence file: the one cosigned before, and the one refused."""
    _, first, rest = text.partition("=== cosigned before\n")
    known, second, refused = rest.partition("\n=== refused\n")
    if not first or not second:
        raise Refusal("evidence", "is not the evidence of a witness")
    return read_checkpoint("evidence", known), read_checkpoint("evidence", refused)


def seen_in(folder: Path) -> Iterator[Seen]:
    """What a witness's folder holds, log by log; signatures are not looked at."""
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        file, evidence = path / "checkpoint", path / "evidence"
        if not file.exists():
            continue
        point = read_checkpoint(str(file), read_text(file))
        at = int.from_bytes(point.note.signatures[-1].signature[:8], "big")
        yield Seen(point.origin, point, at, tuple(sorted(evidence.glob("*.txt"))))


def _time_of(verifier: Verifier, point: Checkpoint) -> int:
    signature = verifier.signature_in(point.note)
    return verifier.time_of(signature) if signature is not None else 0


def _name(origin: str) -> str:
    return hashlib.sha256(origin.encode()).hexdigest()


def _locked(folder: Path) -> int:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise Refusal(str(folder), f"cannot be used: {error.strerror}") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise Refusal(str(folder), "is in use by another witness; each has a folder of its own") from None
    return lock


def _write(file: Path, text: str) -> None:
    """Whole and durable, or not at all: a witness that forgot what it cosigned would cosign a fork."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = file.with_name(f".{file.name}.part")
    with part.open("w", encoding="utf-8") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    part.replace(file)
    sync_folder(file.parent)
