"""A Merkle tree over a list that only grows (RFC 6962, section 2.1; RFC 9162, section 2.1).

Pure: numbers and hashes. Level 0 are the leaves; node ``(level, place)`` is the root of the ``2**level`` leaves from
``place * 2**level`` on. Only whole subtrees have a node.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

HASH_BYTES: Final = 32
EMPTY_ROOT: Final = hashlib.sha256().digest()
BLOCK_LEVEL: Final = 8
BLOCK: Final = 1 << BLOCK_LEVEL
"""So many leaves make one block. Nodes below a block are never kept: 256 leaves are hashed again in no time."""
_BLOCK_BYTES: Final = BLOCK * HASH_BYTES

Node: TypeAlias = Callable[[int, int], bytes]
"""Answers with the hash of a whole subtree, by its level and place."""


class KeptNode(NamedTuple):
    """A whole subtree of at least a block, as it is stored."""

    level: int
    place: int
    hash: str
    """In hex."""


def leaf_hash(data: bytes) -> bytes:
    """The hash of one leaf."""
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash over two subtrees."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def root_of(leaves: Sequence[bytes]) -> bytes:
    """The root over the hashes of some leaves."""
    if not leaves:
        return EMPTY_ROOT
    row = list(leaves)
    while len(row) > 1:
        # A last one without a neighbour moves up as it is, which is what the recursion of RFC 6962 comes to.
        odd = row[-1:] if len(row) % 2 else []
        row = [node_hash(row[at], row[at + 1]) for at in range(0, len(row) - 1, 2)] + odd
    return row[0]


def kept_count(size: int) -> int:
    """How many nodes are kept of a tree of that size."""
    count, level = 0, BLOCK_LEVEL
    while size >> level:
        count += size >> level
        level += 1
    return count


class Frontier(NamedTuple):
    """All that is needed of a tree to let it grow: its last, unfinished block and the whole subtrees before it."""

    size: int = 0
    block: bytes = b""
    """The leaf hashes of the unfinished block, at most 255, one after another: copying them costs next to nothing."""
    peaks: tuple[bytes, ...] = ()
    """The roots of the whole subtrees before that block, the largest first."""

    def with_leaves(self, data: Iterable[bytes]) -> tuple[Frontier, list[KeptNode]]:
        """The tree with more leaves, and the nodes to keep that they completed."""
        block = self.block + b"".join([leaf_hash(leaf) for leaf in data])
        size = self.size + (len(block) - len(self.block)) // HASH_BYTES
        if len(block) < _BLOCK_BYTES:
            return Frontier(size, block, self.peaks), []
        peaks, new = list(self.peaks), []
        first = self.size // BLOCK
        whole = len(block) // _BLOCK_BYTES
        for number in range(whole):
            level, place = BLOCK_LEVEL, first + number
            root = root_of(_hashes(block[number * _BLOCK_BYTES : (number + 1) * _BLOCK_BYTES]))
            new.append(KeptNode(level, place, root.hex()))
            while place % 2:
                level, place, root = level + 1, place // 2, node_hash(peaks.pop(), root)
                new.append(KeptNode(level, place, root.hex()))
            peaks.append(root)
        return Frontier(size, block[whole * _BLOCK_BYTES :], tuple(peaks)), new

    @property
    def root(self) -> bytes:
        """The root hash of the whole tree."""
        parts = [*self.peaks, root_of(_hashes(self.block))] if self.block or not self.peaks else list(self.peaks)
        node = parts.pop()
        while parts:
            node = node_hash(parts.pop(), node)
        return node


def _hashes(joined: bytes) -> list[bytes]:
    return [joined[at : at + HASH_BYTES] for at in range(0, len(joined), HASH_BYTES)]


# ------------------------------------------------------------------------------------------------------------- proofs


def subtrees(first: int, last: int) -> Iterator[tuple[int, int]]:
    """The whole subtrees that leaves ``first`` to ``last`` (not included) fall into, by level and place.

    ``first`` is where a subtree of that size may begin, as in every part of a proof.
    """
    while first < last:
        level = (last - first).bit_length() - 1
        yield level, first >> level
        first += 1 << level


def range_root(first: int, last: int, node: Node) -> bytes:
    """The root over some leaves of a tree."""
    parts = [node(level, place) for level, place in subtrees(first, last)]
    if not parts:
        return EMPTY_ROOT
    right_part = parts.pop()
    while parts:
        right_part = node_hash(parts.pop(), right_part)
    return right_part


def _split(size: int) -> int:
    """The largest power of two that is smaller than a size."""
    return 1 << (size - 1).bit_length() - 1


def inclusion_proof(index: int, size: int, node: Node) -> list[bytes]:
    """What shows that a leaf is in the tree of a size (RFC 9162, section 2.1.3.1)."""
    if not 0 <= index < size:
        raise ValueError(f"a tree of {size} leaves has no leaf {index}")
    first, last, nodes = 0, size, []
    while last - first > 1:
        middle = first + _split(last - first)
        if index < middle:
            nodes.append(range_root(middle, last, node))
            last = middle
        else:
            nodes.append(range_root(first, middle, node))
            first = middle
    return nodes[::-1]


def consistency_proof(old: int, size: int, node: Node) -> list[bytes]:
    """What shows that the tree of a size begins with that of an old size (RFC 9162, section 2.1.4.1)."""
    if not 0 <= old <= size:
        raise ValueError(f"a tree of {size} leaves does not begin with one of {old}")
    if old in (0, size):
        return []
    first, last, whole, nodes = 0, size, True, []
    while last != old:
        middle = first + _split(last - first)
        if old <= middle:
            nodes.append(range_root(middle, last, node))
            last = middle
        else:
            nodes.append(range_root(first, middle, node))
            first, whole = middle, False
    if not whole:
        nodes.append(range_root(first, last, node))
    return nodes[::-1]


def included(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Whether a proof shows that a leaf is in the tree with a root (RFC 9162, section 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    place, end, node = index, size - 1, leaf
    for part in proof:
        if end == 0:
            return False
        if place % 2 or place == end:
            node = node_hash(part, node)
            while place % 2 == 0 and place:
                place, end = place >> 1, end >> 1
        else:
            node = node_hash(node, part)
        place, end = place >> 1, end >> 1
    return end == 0 and node == root


def consistent(old: int, size: int, old_root: bytes, root: bytes, proof: Sequence[bytes]) -> bool:
    """Whether a proof shows that one tree begins with another (RFC 9162, section 2.1.4.2)."""
    if old == size:
        return not proof and old_root == root
    if old == 0:
        return not proof and old_root == EMPTY_ROOT
    if not 0 < old < size or not proof:
        return False
    parts = list(proof)
    if old & (old - 1) == 0:
        parts.insert(0, old_root)
    place, end = old - 1, size - 1
    while place % 2:
        place, end = place >> 1, end >> 1
    was = now = parts[0]
    for part in parts[1:]:
        if end == 0:
            return False
        if place % 2 or place == end:
            was, now = node_hash(part, was), node_hash(part, now)
            while place % 2 == 0 and place:
                place, end = place >> 1, end >> 1
        else:
            now = node_hash(now, part)
        place, end = place >> 1, end >> 1
    return end == 0 and was == old_root and now == root
