"""The Merkle tree of a journal in its database: its upper nodes are kept, its leaves are the bodies of the entries.

Entry 1 is leaf 0. What is not kept is computed from the bodies, so that a proof is the same with and without the table.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from houseway.manager.store.base import Store, StoreFault
from houseway.manager.transparency.checkpoint import origin_of
from houseway.manager.transparency.tree import (
    BLOCK,
    BLOCK_LEVEL,
    Frontier,
    Node,
    kept_count,
    leaf_hash,
    node_hash,
    root_of,
    subtrees,
)

BATCH: Final = 64 * BLOCK
"""So many entries are read at a time where the nodes of an old journal are made."""


def node_reader(store: Store) -> Node:
    """The nodes of a journal's tree, read when they are asked for."""

    @lru_cache(maxsize=4)
    def block(place: int) -> list[bytes]:
        return _leaves(store, place * BLOCK, (place + 1) * BLOCK)

    def node(level: int, place: int) -> bytes:
        if level >= BLOCK_LEVEL:
            saved_node = store.node(level, place)
            if saved_node is not None:
                return bytes.fromhex(saved_node)
            if level > BLOCK_LEVEL:
                return node_hash(node(level - 1, 2 * place), node(level - 1, 2 * place + 1))
        first = place << level
        leaves = block(first // BLOCK)
        within = first % BLOCK
        part = leaves[within : within + (1 << level)]
        if len(part) != 1 << level:
            raise StoreFault(f"{store.name}: the journal ends before entry {first + (1 << level)}")
        return root_of(part)

    return node


def _leaves(store: Store, first: int, last: int) -> list[bytes]:
    """The hashes of the leaves from one index to another, that not included, as far as the journal goes."""
    return [leaf_hash(body.encode()) for body in store.bodies(first + 1, last)]


def frontier_of(store: Store, size: int) -> Frontier:
    """The tree over the first entries of a journal."""
    whole = size - size % BLOCK
    node = node_reader(store)
    block = _leaves(store, whole, size)
    if len(block) != size - whole:
        raise StoreFault(f"{store.name}: entries are missing before entry {size}; run houseway journal verify")
    return Frontier(size, b"".join(block), tuple(node(level, place) for level, place in subtrees(0, whole)))


def fill_tree(store: Store) -> None:
    """Make the nodes of entries that were written before there was a tree, some at a time."""
    size = store.head().seq
    if store.node_count() >= kept_count(size):
        return
    tree = Frontier()
    while tree.size + BLOCK <= size:
        until = min(tree.size + BATCH, size)
        tree, nodes = tree.with_leaves(body.encode() for body in store.bodies(tree.size + 1, until))
        if tree.size != until:
            raise StoreFault(f"{store.name}: entries are missing before entry {until}; run houseway journal verify")
        store.begin()
        store.add_nodes(nodes)
        store.commit()


def origin_in(store: Store) -> str:
    """The origin of a journal's checkpoints; empty where nothing is founded yet."""
    first = store.entry(1)
    return origin_of(first.hash) if first is not None else ""
