"""Whether a journal is the one that its checkpoints were signed of, and that witnesses have seen (TR-13).

The root is computed anew from every entry on the way, and held against the checkpoints of each size; nothing that the
database keeps of the tree is believed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from houseway.manager.transparency.checkpoint import (
    Checkpoint,
    WitnessPolicy,
    checked_by,
    log_verifier,
    origin_of,
)
from houseway.manager.transparency.tree import Frontier
from houseway.refusal import Refusal

if TYPE_CHECKING:
    from houseway.manager.state import FloorState

TREE: Final = "SELECT level, place, hash FROM tree ORDER BY level, place"

Find = Callable[[int | None, str, str], None]
"""Told the entry a finding is about, where it is, and what."""


class TreeCheck:
    """The tree of a journal as it is read, beside the checkpoints that were given."""

    def __init__(
        self, checkpoints: Sequence[Checkpoint], keys: Collection[str], policy: WitnessPolicy | None, find: Find
    ) -> None:
        self.checkpoints = checkpoints
        self.witnessed = 0
        """The last entry that the demanded number of witnesses has seen."""
        self._keys = keys
        self._policy = policy
        self._find = find
        self._wrong = 0
        self._tree = Frontier()
        self._origin = ""
        self._nodes: dict[tuple[int, int], str] = {}
        self._due: dict[int, list[Checkpoint]] = {}
        self._agreed: list[Checkpoint] = []
        for point in checkpoints:
            self._due.setdefault(point.size, []).append(point)

    def entry(self, body: object, hash: str, state: FloorState | None) -> None:
        """The next entry of the journal; ``state`` is the floor after it, where that is known."""
        # What is no text is a finding already; here it must only spoil the root.
        data = body.encode("utf-8", "surrogateescape") if isinstance(body, str) else b""
        if not self._tree.size:
            self._origin = origin_of(hash)
        self._tree, new = self._tree.with_leaves([data])
        self._nodes.update(((node.level, node.place), node.hash) for node in new)
        for point in self._due.pop(self._tree.size, ()):
            self._compare(point, state)

    def _compare(self, point: Checkpoint, state: FloorState | None) -> None:
        before = self._wrong
        if point.origin != self._origin:
            self._tell(
                point, f"is of the log {point.origin}, but this journal is {self._origin}: it is another floor's"
            )
        if point.root != self._tree.root:
            self._tell(point, "has another root than the journal: this entry or one before it was changed since")
        in_force = [state.key] if state is not None else []
        try:
            for public in self._keys or in_force:
                checked_by(point, [log_verifier(point.origin, public)])
                if in_force and public not in in_force:
                    self._tell(point, f"is signed by key {public}, but {in_force[0]} was in force then")
                break
        except (Refusal, ValueError) as wrong:
            self._tell(point, wrong.sentence if isinstance(wrong, Refusal) else "the journal names no key then")
        if self._wrong == before:
            self._agreed.append(point)

    def _tell(self, point: Checkpoint, what: str) -> None:
        self._wrong += 1
        self._find(point.size or None, f"checkpoint of {point.size} entries", what)

    def nodes(self, rows: Iterable[tuple[Any, ...]]) -> None:
        """The nodes that the database keeps must be those of the journal; one that keeps none yet makes them later."""
        stored = {(level, place): node for level, place, node in rows}
        if not stored:
            return
        for at, node in stored.items():
            due = self._nodes.get(at)
            if due != node:
                what = "is no node of the journal's tree" if due is None else "is not the hash of the entries below it"
                self._find(None, f"tree {at[0]}/{at[1]}", what)
        for level, place in self._nodes.keys() - stored.keys():
            self._find(None, f"tree {level}/{place}", "is missing")

    def end(self, state: FloorState | None) -> None:
        """After the last entry: checkpoints of longer journals, and whether enough witnesses have seen this one."""
        for points in self._due.values():
            for point in points:
                if point.size == 0:
                    self._tell(point, "names no entry")
                else:
                    self._tell(point, f"the journal ends at entry {self._tree.size}: it was cut off")
        try:
            demanded = self._policy or (state.config.witness_policy if state is not None and state.config else None)
        except Refusal as wrong:
            self._find(None, "witnesses", f"what the floor says of them cannot be read: {wrong}")
            return
        if demanded is not None and demanded.quorum:
            self._demand(demanded)

    def _demand(self, policy: WitnessPolicy) -> None:
        for point in self._agreed:
            try:
                witnesses = policy.seen_by(point)
            except Refusal as wrong:
                self._tell(point, wrong.sentence)
                continue
            if len(witnesses) >= policy.quorum:
                self.witnessed = max(self.witnessed, point.size)
        if not self.witnessed:
            names = ", ".join(witness.name for witness in policy.witnesses)
            self._find(
                None,
                "witnesses",
                f"{policy.quorum} of {names} must have cosigned a checkpoint of this journal, and none that was given "
                "is so; give it with --head",
            )
