"""What is known of a floor outside its database, and what a restored journal lacks by it (docs/recovery.md)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from houseway.manager.keyring import Keyring
from houseway.manager.mark import defect, missing_words, moment, read_marks
from houseway.manager.signing import SignedHead, head_signature_holds, load_head, public_hex
from houseway.manager.state import FloorState
from houseway.manager.store.base import Store
from houseway.manager.transparency.checkpoint import (
    Checkpoint,
    checked_by,
    log_verifier,
    read_checkpoint,
    read_text,
)
from houseway.manager.transparency.kept import frontier_of, origin_in
from houseway.refusal import Refusal


class Claim(NamedTuple):
    """An entry that a floor is known to have had, and whether the journal has it."""

    source: str
    """Who knows it, for people."""
    known_to: int
    """The number of the entry."""
    holds: bool
    """Whether the journal has that very entry."""
    at: int = 0
    """When it was made, in microseconds since 1970; 0 where nobody knows."""
    hash: str = ""
    root: str = ""
    """The root over all entries up to it, in hex."""


def read_heads(files: Iterable[Path]) -> tuple[list[SignedHead], list[Checkpoint]]:
    """Signed heads from their files: checkpoints, and the JSON of earlier versions."""
    heads, points = [], []
    for file in files:
        text = read_text(file)
        if text.lstrip().startswith("{"):
            heads.append(load_head(file))
        else:
            points.append(read_checkpoint(str(file), text))
    return heads, points


def claims(store: Store, state: FloorState, keys: Keyring | None, files: Sequence[Path]) -> list[Claim]:
    """What the marks beside the key file and these signed heads know, the furthest last.

    Refused is what is not of this floor, or signed by a key that neither its journal nor its key file has.
    """
    claims = [*_by_marks(store, keys)]
    heads, points = read_heads(files)
    publics = {state.key, *(public_hex(key) for key in (keys.signing, *keys.others))} if keys else {state.key}
    claims += [_by_head(store, head, publics) for head in heads]
    claims += [_by_checkpoint(store, state, point, publics) for point in points]
    return sorted(claims, key=lambda claim: claim.known_to)


def _by_marks(store: Store, keys: Keyring | None) -> Iterable[Claim]:
    if keys is None or keys.file is None:
        return
    first = store.entry(1)
    for known in read_marks(keys.file):
        why = defect(store, known)
        if first is None or first.hash != known.floor:
            raise Refusal("journal", why)
        yield Claim("the mark beside the key file", known.seq, not why, known.at, known.hash)


def _by_head(store: Store, head: SignedHead, publics: set[str]) -> Claim:
    if head.key not in publics or not head_signature_holds(head):
        raise Refusal("checkpoint", f"the head of entry {head.seq} is not signed by a key of this floor")
    row = store.entry(head.seq)
    return Claim("a signed head", head.seq, row is not None and row.hash == head.hash, head.at, head.hash)


def _by_checkpoint(store: Store, state: FloorState, point: Checkpoint, publics: set[str]) -> Claim:
    if point.origin != origin_in(store):
        raise Refusal("checkpoint", f"is of the log {point.origin}, but this journal is {origin_in(store)}")
    for public in publics:
        with suppress(Refusal):
            checked_by(point, [log_verifier(point.origin, public)])
            break
    else:
        raise Refusal("checkpoint", f"of {point.size} entries is not signed by a key of this floor")
    holds = point.size <= state.seq and frontier_of(store, point.size).root == point.root
    return Claim("a checkpoint", point.size, holds, root=point.root.hex())


def in_words(state: FloorState, claim: Claim) -> str:
    """What a journal lacks by a claim that does not hold."""
    when = f" of {moment(claim.at)}" if claim.at else ""
    says = f"by {claim.source} this floor had entry {claim.known_to}{when}"
    missing = claim.known_to - state.seq
    if missing <= 0:
        return f"{says}, and the journal has another one under that number"
    until = f" and {moment(claim.at)}" if claim.at else ""
    span = f"between {moment(state.at)}{until}" if claim.at else f"after {moment(state.at)}"
    return f"{says}: {missing_words(missing)}, made {span}"
