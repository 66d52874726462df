"""Short proofs about a journal that anybody can check: that an entry is in it, and that it extends an older one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

import msgspec
from msgspec import UNSET, Struct, UnsetType

from houseway.manager.store.base import Store
from houseway.manager.transparency.checkpoint import (
    Checkpoint,
    ConsistencyProof,
    InclusionProof,
    WitnessPolicy,
    checked_by,
)
from houseway.manager.transparency.kept import node_reader, origin_in
from houseway.manager.transparency.note import Verifier
from houseway.manager.transparency.tree import (
    HASH_BYTES,
    consistency_proof,
    consistent,
    included,
    inclusion_proof,
    leaf_hash,
    range_root,
)
from houseway.refusal import Refusal


class Extra(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a proof carries beside its hashes, so that it says which entry it is about."""

    entry: int
    leaf: str
    """The hash of the leaf: of a zero byte and the entry's text."""
    text: str | UnsetType = UNSET


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(Extra)


def prove_entry(store: Store, entry: int, point: Checkpoint, *, with_text: bool = False) -> InclusionProof:
    """Prove that an entry is in the journal as a checkpoint signed it."""
    _check_of(store, point)
    if not 1 <= entry <= point.size:
        raise Refusal("entry", f"must be one of the entries 1 to {point.size} of the checkpoint")
    row = store.entry(entry)
    if row is None:
        raise Refusal("entry", f"entry {entry} is missing from the journal; run houseway journal verify")
    extra = Extra(entry=entry, leaf=leaf_hash(row.body.encode()).hex(), text=row.body if with_text else UNSET)
    hashes = inclusion_proof(entry - 1, point.size, node_reader(store))
    return InclusionProof(_ENCODER.encode(extra), entry - 1, tuple(hashes), point)


def prove_extends(store: Store, old: Checkpoint, point: Checkpoint) -> ConsistencyProof:
    """Prove that the journal as a checkpoint signed it begins with what an older one signed."""
    for checkpoint in (old, point):
        _check_of(store, checkpoint)
    if old.size > point.size:
        raise Refusal("--from", f"is of {old.size} entries, more than the {point.size} of the other")
    hashes = consistency_proof(old.size, point.size, node_reader(store))
    return ConsistencyProof(old.size, tuple(hashes), point)


def _check_of(store: Store, point: Checkpoint) -> None:
    """Nothing can be proved of a checkpoint that is not of this journal."""
    if point.origin != (own := origin_in(store)):
        raise Refusal("checkpoint", f"is of the log {point.origin}, but this journal is {own}")
    if point.size > store.head().seq:
        raise Refusal("checkpoint", f"is of {point.size} entries; the journal ends at entry {store.head().seq}")
    if range_root(0, point.size, node_reader(store)) != point.root:
        raise Refusal("checkpoint", f"of {point.size} entries has another root than the journal: it was changed since")


def checked_proof(
    proof: InclusionProof | ConsistencyProof,
    keys: Sequence[Verifier],
    policy: WitnessPolicy,
    *,
    old: Checkpoint | None = None,
    text: str | None = None,
) -> str:
    """What a proof shows, in a sentence; refused where it does not hold."""
    point = proof.checkpoint
    checked_by(point, keys)
    witnesses = policy.seen_by(point)
    if len(witnesses) < policy.quorum:
        raise Refusal(
            "witnesses", f"{len(witnesses)} of the {policy.quorum} that are demanded have cosigned the checkpoint"
        )
    shown = _inclusion(proof, text) if isinstance(proof, InclusionProof) else _extension(proof, keys, old)
    return f"{shown}; {_whom(point, witnesses)}"


def _inclusion(proof: InclusionProof, text: str | None) -> str:
    extra, point = _extra(proof), proof.checkpoint
    note_text = text if text is not None else extra.text
    if not isinstance(note_text, UnsetType) and leaf_hash(note_text.encode()).hex() != extra.leaf:
        raise Refusal("text", f"is not the text of entry {extra.entry} that was proved")
    if not included(bytes.fromhex(extra.leaf), proof.leaf, point.size, proof.hashes, point.root):
        raise Refusal("proof", f"does not show that entry {extra.entry} is in the journal of the checkpoint")
    which = "with the text given" if not isinstance(note_text, UnsetType) else f"whose leaf hash is {extra.leaf}"
    return f"entry {extra.entry}, {which}, is in the journal of {point.size} entries"


def _extra(proof: InclusionProof) -> Extra:
    try:
        extra = _DECODER.decode(proof.extra)
        leaf = bytes.fromhex(extra.leaf)
        if _ENCODER.encode(extra) != proof.extra or len(leaf) != HASH_BYTES or leaf.hex() != extra.leaf:
            raise ValueError(extra.leaf)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise Refusal("proof", "does not say which entry it is about; houseway journal prove writes one") from None
    if extra.entry != proof.leaf + 1:
        raise Refusal(
            "proof", f"says entry {extra.entry}, but proves leaf {proof.leaf}, which is entry {proof.leaf + 1}"
        )
    return extra


def _extension(proof: ConsistencyProof, keys: Sequence[Verifier], old: Checkpoint | None) -> str:
    if old is None:
        raise Refusal("--from", "is missing; this proof is about an older checkpoint, give its file")
    point = proof.checkpoint
    checked_by(old, keys)
    if old.origin != point.origin or old.size != proof.old:
        raise Refusal("--from", f"is of {old.size} entries of {old.origin}, not what the proof is about")
    if not consistent(old.size, point.size, old.root, point.root, proof.hashes):
        raise Refusal(
            "proof", f"does not show that the journal begins with the {old.size} entries of the old checkpoint"
        )
    return f"the journal of {point.size} entries begins with the {old.size} entries of the old checkpoint"


def _whom(point: Checkpoint, witnesses: dict[str, int]) -> str:
    signed = f"the checkpoint is signed by {point.origin}"
    if not witnesses:
        return signed
    times = ", ".join(
        f"{name} at {datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M:%S} UTC" for name, at in witnesses.items()
    )
    return f"{signed} and cosigned by {times}"
