"""Checkpoints (c2sp.org/tlog-checkpoint): where a journal stands, as a signed note.

The log's *origin* is its name for good. It is taken from the hash of the founding entry: a floor keeps that through
every change of its name, its key, its database and its machine, and no two floors share it.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from houseway.manager.transparency import note as notes
from houseway.manager.transparency.note import COSIGNATURE, ED25519, Note, Signer, Verifier
from houseway.manager.transparency.tree import HASH_BYTES
from houseway.refusal import Refusal

_ORIGIN: Final = "houseway/"
_ORIGIN_DIGITS: Final = 32
_DIGITS: Final = frozenset("0123456789")
MOST_PROOF_LINES: Final = 63
MOST_WITNESSES: Final = 16
PROOF_HEADING: Final = "c2sp.org/tlog-proof@v1"
MOST_FILE_BYTES: Final = 4_000_000


def origin_of(founding_hash: str) -> str:
    """The name of the log whose first entry has a hash."""
    return f"{_ORIGIN}{founding_hash[:_ORIGIN_DIGITS]}"


class Checkpoint(NamedTuple):
    """The size and root of a log's tree, as a note says them."""

    origin: str
    size: int
    root: bytes
    note: Note

    @property
    def text(self) -> str:
        """The signed checkpoint as it is written."""
        return self.note.whole


@dataclass(frozen=True)
class WitnessPolicy:
    """Whose cosignatures count, and how many it takes."""

    witnesses: tuple[Verifier, ...] = ()
    quorum: int = 0

    @classmethod
    def read(cls, field: str, keys: Iterable[str], quorum: int | None = None) -> WitnessPolicy:
        """A policy from the texts of keys; without a number it takes all of them."""
        verifiers = tuple(notes.read_verifier(field, key, (COSIGNATURE,)) for key in keys)
        if len({verifier.public for verifier in verifiers}) != len(verifiers):
            raise Refusal(field, "names one key twice; a witness counts once")
        least = len(verifiers) if quorum is None else quorum
        if not 0 <= least <= len(verifiers):
            raise Refusal("quorum", f"is {least}, but {len(verifiers)} witnesses are named")
        return cls(verifiers, least)

    def seen_by(self, point: Checkpoint) -> dict[str, int]:
        """The witnesses that cosigned a checkpoint, by name, with the second at which each did."""
        times = {}
        for witness in self.witnesses:
            if (signature := witness.signature_in(point.note)) is not None:
                times[witness.name] = witness.time_of(signature)
        return times


def checkpoint_text(origin: str, size: int, root: bytes) -> str:
    """What a checkpoint's signatures are over."""
    return f"{origin}\n{size}\n{b64encode(root).decode()}\n"


def signed_checkpoint(signer: Signer, size: int, root: bytes) -> Checkpoint:
    """A checkpoint of the log that has its key's name."""
    text = checkpoint_text(signer.name, size, root)
    return Checkpoint(signer.name, size, root, Note(text, (signer.sign(text),)))


def read_checkpoint(field: str, text: str) -> Checkpoint:
    """A checkpoint from its text; its signatures are not looked at."""
    note = notes.read_note(field, text)
    lines = note.text.split("\n")[:-1]
    if len(lines) < 3 or not all(lines) or not is_number(lines[1]):
        raise Refusal(field, "is not a checkpoint: origin, size and root, each on a line, then signatures")
    return Checkpoint(lines[0], int(lines[1]), _hash(field, lines[2]), note)


def is_number(text: str) -> bool:
    """Whether a text is a number as checkpoints write one."""
    return 0 < len(text) < 20 and _DIGITS.issuperset(text) and (text == "0" or text[0] != "0")


def _hash(field: str, line: str) -> bytes:
    try:
        hash_bytes = notes.from_base64(line)
    except ValueError:
        hash_bytes = b""
    if len(hash_bytes) != HASH_BYTES:
        raise Refusal(field, f"{line[:60]!r} is not the base64 of a SHA-256 hash")
    return hash_bytes


def checked_by(point: Checkpoint, keys: Sequence[Verifier]) -> Verifier:
    """The log's key that signed a checkpoint, of those given; refused where none of them did."""
    named = [key for key in keys if key.name == point.origin]
    if not named:
        raise Refusal("checkpoint", f"is of the log {point.origin}, and no key given is of that name")
    for verifier in named:
        if verifier.signature_in(point.note) is not None:
            return verifier
    raise Refusal("checkpoint", f"is not signed by the key of {point.origin}")


# -------------------------------------------------------------------------------------------------------------- proofs


class InclusionProof(NamedTuple):
    """That one entry is in the tree of a checkpoint (c2sp.org/tlog-proof)."""

    extra: bytes
    leaf: int
    """The number of the leaf, from 0 on."""
    hashes: tuple[bytes, ...]
    checkpoint: Checkpoint

    @property
    def text(self) -> str:
        extra = f"extra {b64encode(self.extra).decode()}\n" if self.extra else ""
        return f"{PROOF_HEADING}\n{extra}index {self.leaf}\n{_hash_lines(self.hashes)}\n{self.checkpoint.text}"


class ConsistencyProof(NamedTuple):
    """That the tree of a checkpoint begins with an older one: what a witness is sent (c2sp.org/tlog-witness)."""

    old: int
    hashes: tuple[bytes, ...]
    checkpoint: Checkpoint

    @property
    def text(self) -> str:
        return f"old {self.old}\n{_hash_lines(self.hashes)}\n{self.checkpoint.text}"


def _hash_lines(hashes: Iterable[bytes]) -> str:
    return "".join(f"{b64encode(hash_).decode()}\n" for hash_ in hashes)


def read_proof(field: str, text: str) -> InclusionProof | ConsistencyProof:
    """A proof of either kind from its text; nothing in it is checked yet."""
    wrong = Refusal(field, f"is not a proof; it begins with {PROOF_HEADING}, or with old and a size")
    head, blank, rest = text.partition("\n\n")
    lines = head.split("\n")
    if not blank:
        raise wrong
    extra = b""
    if inclusion := lines[0] == PROOF_HEADING:
        lines.pop(0)
        if lines and lines[0].startswith("extra "):
            try:
                extra = notes.from_base64(lines.pop(0).removeprefix("extra "))
            except ValueError:
                raise wrong from None
    word, _, number = (lines.pop(0) if lines else "").partition(" ")
    if word != ("index" if inclusion else "old") or not is_number(number):
        raise wrong
    if len(lines) > MOST_PROOF_LINES:
        raise Refusal(field, f"has more than {MOST_PROOF_LINES} hashes")
    hashes = tuple(_hash(field, line) for line in lines)
    point = read_checkpoint(field, rest)
    return (
        InclusionProof(extra, int(number), hashes, point) if inclusion else ConsistencyProof(int(number), hashes, point)
    )


def read_text(path: Path) -> str:
    """What a file of checkpoints or proofs holds."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_FILE_BYTES + 1)
        if len(data) > MOST_FILE_BYTES:
            raise Refusal(str(path), f"is longer than {MOST_FILE_BYTES:,} bytes")
        return data.decode()
    except UnicodeDecodeError:
        raise Refusal(str(path), "is not a text") from None
    except OSError as error:
        raise Refusal(str(path), f"cannot be read: {error.strerror}") from None


def log_verifier(origin: str, public: str) -> Verifier:
    """The key of a floor's log, from its public half as the journal names it."""
    return Verifier(origin, bytes.fromhex(public), ED25519)
