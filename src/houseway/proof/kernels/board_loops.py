"""The compiled loops that price a game with a shared board and follow play through it.

A *state* is where play stands: an ending by its place, a node as -2 less its place. Renamings of holes are unsigned, so
that compiled code need not ask whether a place counts from the end.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houseway.proof.compiled import jit, part
from houseway.proof.kernels.board import CLASS_SHIFT, cards_left, edges_beside


@part
def _worth_beside(edges: Any, nets: Any, ending: Any, kind: Any) -> Any:
    """The sum of net results over the dealer's holes."""
    total = np.int64(0)
    before = np.int64(0)
    for at in range(len(edges)):
        total += nets[ending, kind, at] * (edges[at] - before)
        before = edges[at]
    return total


@part
def _worths_here(edges: Any, kind: Any, nets: Any, asked: Any, leads: Any, order: Any, worths: Any) -> None:
    """What the endings asked for and every node of the whole board are worth with one hole."""
    endings = len(nets)
    for at in range(len(asked)):
        worths[asked[at]] = _worth_beside(edges, nets, asked[at], kind)
    for node in range(len(leads)):
        is_first = True
        for at in range(leads.shape[1]):
            choice = order[node, at]
            if leads[node, choice] >= 0:
                worth = worths[leads[node, choice]]
                if is_first or worth > worths[endings + node]:
                    worths[endings + node] = worth
                    is_first = False


@jit()
def push_boards(
    records: Any,
    below: Any,
    boards: Any,
    weights: Any,
    holes: Any,
    segments: Any,
    against: Any,
    deck: Any,
    nets: Any,
    asked: Any,
    leads: Any,
    order: Any,
    wanted: Any,
    parts: Any,
    choose: Any,
    number: Any,
    renaming: Any,
    beside_: Any,
    sums: Any,
) -> None:
    """Add what holes are worth on every board to each part of it, suits renamed into the part's class."""
    own = holes.shape[1]
    left = np.empty(deck, dtype=np.int64)
    worths = np.empty(len(nets) + len(leads), dtype=np.int64)
    edges = np.empty(nets.shape[2], dtype=np.int64)
    values = np.empty((len(holes), len(wanted)), dtype=np.int64)
    numbers = np.empty(len(holes), dtype=np.uint32)
    for board in range(len(boards)):
        cards_left(boards[board], deck, left)
        for hole in range(len(holes)):
            record = np.int64(records[board, hole])
            kind = record >> CLASS_SHIFT
            edges_beside(record, holes, hole, below, board, segments[kind], against, edges)
            _worths_here(edges, kind, nets, asked, leads, order, worths)
            for at in range(len(wanted)):
                values[hole, at] = weights[board] * worths[wanted[at]]
            place = 0
            for at in range(own):
                place += choose[at + 1, left[holes[hole, at]]]
            numbers[hole] = place
        for row in range(len(parts)):
            place = 0
            for at in range(parts.shape[1]):
                place += choose[at + 1, boards[board, parts[row, at]]]
            names = beside_[renaming[place]]
            into = sums[number[place]]
            if len(wanted) == 2:
                for hole in range(len(holes)):
                    slot = names[numbers[hole]]
                    into[slot, 0] += values[hole, 0]
                    into[slot, 1] += values[hole, 1]
            else:
                for hole in range(len(holes)):
                    slot = names[numbers[hole]]
                    for at in range(len(wanted)):
                        into[slot, at] += values[hole, at]


@jit()
def push_rows(
    sets: Any,
    row_class: Any,
    row_hole: Any,
    values: Any,
    parts: Any,
    choose: Any,
    number: Any,
    renaming: Any,
    beside_: Any,
    sums: Any,
) -> None:
    """Add what the rows of a street are worth to each part of their board, suits renamed into the part's class."""
    for row in range(len(values)):
        for at_part in range(len(parts)):
            place = 0
            for at in range(parts.shape[1]):
                place += choose[at + 1, sets[row_class[row], parts[at_part, at]]]
            sums[number[place], beside_[renaming[place], row_hole[row]], 0] += values[row]


@jit()
def merge_holes(holes: Any, row_class: Any, row_hole: Any, row_ways: Any, sums: Any, worth: Any) -> Any:
    """Add up the holes that one row stands for and share the sum among them; rows run by class and hole.

    False where a sum cannot be shared: then the holes are not alike.
    """
    row = 0
    row_at = np.empty(holes.shape[1], dtype=np.int64)
    for kind in range(len(holes)):
        while row < len(row_class) and row_class[row] == kind:
            row_at[row_hole[row]] = row
            row += 1
        for hole in range(holes.shape[1]):
            if holes[kind, hole] >= 0:
                for at in range(sums.shape[2]):
                    worth[row_at[holes[kind, hole]], at] += sums[kind, hole, at]
    for row in range(len(worth)):
        for at in range(worth.shape[1]):
            if worth[row, at] % row_ways[row]:
                return False
            worth[row, at] //= row_ways[row]
    return True


@jit()
def price_boards(
    records: Any,
    below: Any,
    holes: Any,
    segments: Any,
    against: Any,
    nets: Any,
    asked: Any,
    leads: Any,
    order: Any,
    worth: Any,
) -> None:
    """What every choice with the whole board in view is worth."""
    worths = np.empty(len(nets) + len(leads), dtype=np.int64)
    edges = np.empty(nets.shape[2], dtype=np.int64)
    for board in range(len(records)):
        for hole in range(len(holes)):
            record = np.int64(records[board, hole])
            kind = record >> CLASS_SHIFT
            edges_beside(record, holes, hole, below, board, segments[kind], against, edges)
            _worths_here(edges, kind, nets, asked, leads, order, worths)
            for node in range(len(leads)):
                for choice in range(leads.shape[1]):
                    if leads[node, choice] >= 0:
                        worth[node, board, hole, choice] = worths[leads[node, choice]]


@jit()
def choose_on_boards(
    records: Any,
    below: Any,
    holes: Any,
    segments: Any,
    against: Any,
    nets: Any,
    asked: Any,
    leads: Any,
    order: Any,
    node: Any,
    chosen: Any,
) -> None:
    """The best choice at a node with the whole board in view; of equals the first in the order."""
    worths = np.empty(len(nets) + len(leads), dtype=np.int64)
    edges = np.empty(nets.shape[2], dtype=np.int64)
    for board in range(len(records)):
        for hole in range(len(holes)):
            record = np.int64(records[board, hole])
            kind = record >> CLASS_SHIFT
            edges_beside(record, holes, hole, below, board, segments[kind], against, edges)
            _worths_here(edges, kind, nets, asked, leads, order, worths)
            best = -1
            for at in range(leads.shape[1]):
                choice = order[node, at]
                lead = leads[node, choice]
                if lead >= 0 and (best < 0 or worths[lead] > worths[leads[node, best]]):
                    best = choice
            chosen[board, hole] = best


@part
def _name_parts(
    board: Any,
    slots: Any,
    number: Any,
    renaming: Any,
    at_level: Any,
    streets_: Any,
    count: Any,
    parts: Any,
    choose: Any,
    start: Any,
    name: Any,
) -> None:
    """Of every part of a board, by street: where the choices with it start, and how suits are renamed for it."""
    for street in range(len(streets_)):
        for at_part in range(count[street]):
            place = at_level[street]
            for at in range(streets_[street]):
                place += choose[at + 1, board[parts[street, at_part, at]]]
            start[street, at_part] = number[place] * slots
            name[street, at_part] = renaming[place]


@part
def _follow_chains(
    state: Any,
    weight: Any,
    leads: Any,
    level: Any,
    levels: Any,
    here: Any,
    order: Any,
    often: Any,
    ends: Any,
    reached: Any,
) -> None:
    """Follow one hole through every chain of a board, to an ending or to a node with the whole board in view."""
    for chain in range(len(order)):
        now = state
        while now < 0:
            node = -2 - now
            if level[node] == levels:
                reached[node] += 1
                break
            choice = here[node, order[chain, level[node]]]
            often[node, choice] += weight
            now = leads[node, choice]
        if now >= 0:
            ends[now] += 1


@part
def _end_whole_board(
    whole: Any, last: Any, board: Any, hole: Any, weight: Any, leads: Any, often: Any, ends: Any, reached: Any
) -> None:
    """With the whole board in view it does not matter how it came."""
    for at in range(len(whole)):
        node = whole[at]
        if reached[node]:
            choice = last[node, board, hole]
            often[node, choice] += weight * reached[node]
            lead = leads[node, choice]
            if lead >= 0:
                ends[lead] += reached[node]
            else:
                reached[-2 - lead] += reached[node]


@jit()
def play_boards(
    records: Any,
    below: Any,
    boards: Any,
    weights: Any,
    last: Any,
    holes: Any,
    segments: Any,
    against: Any,
    deck: Any,
    first: Any,
    leads: Any,
    level: Any,
    whole: Any,
    chosen: Any,
    at_node: Any,
    number: Any,
    renaming: Any,
    at_level: Any,
    streets_: Any,
    parts: Any,
    order: Any,
    choose: Any,
    beside_: Any,
    deals: Any,
    often: Any,
) -> None:
    """Follow every hole through every chain of every board, and count where it ends."""
    levels = len(streets_)
    left = np.empty(deck, dtype=np.int64)
    edges = np.empty(deals.shape[2], dtype=np.int64)
    ends = np.zeros(len(deals), dtype=np.int64)
    reached = np.zeros(len(leads), dtype=np.int64)
    start = np.empty((levels, parts.shape[1]), dtype=np.int64)
    name = np.empty((levels, parts.shape[1]), dtype=np.int64)
    count = np.empty(levels, dtype=np.int64)
    here = np.zeros((len(leads), parts.shape[1]), dtype=np.int64)
    for street in range(levels):
        count[street] = choose[streets_[street], boards.shape[1]]
    for board in range(len(boards)):
        cards_left(boards[board], deck, left)
        _name_parts(
            boards[board], beside_.shape[1], number, renaming, at_level, streets_, count, parts, choose, start, name
        )
        weight = weights[board]
        for hole in range(len(holes)):
            slot = 0
            for at in range(holes.shape[1]):
                slot += choose[at + 1, left[holes[hole, at]]]
            ends[:] = 0
            state = first
            # Before any card of the board is seen every chain is alike.
            while state < 0 and level[-2 - state] < levels and streets_[level[-2 - state]] == 0:
                node = -2 - state
                choice = chosen[at_node[node] + slot]
                often[node, choice] += weight * len(order)
                state = leads[node, choice]
            if state >= 0:
                ends[state] = len(order)
            else:
                reached[:] = 0
                for node in range(len(leads)):
                    street = level[node]
                    if street < levels and streets_[street] > 0:
                        for at_part in range(count[street]):
                            renamed = beside_[name[street, at_part], slot]
                            here[node, at_part] = chosen[at_node[node] + start[street, at_part] + renamed]
                _follow_chains(state, weight, leads, level, levels, here, order, often, ends, reached)
                _end_whole_board(whole, last, board, hole, weight, leads, often, ends, reached)
            record = np.int64(records[board, hole])
            kind = record >> CLASS_SHIFT
            edges_beside(record, holes, hole, below, board, segments[kind], against, edges)
            for ending in range(len(deals)):
                if ends[ending]:
                    before = np.int64(0)
                    for at in range(len(edges)):
                        deals[ending, kind, at] += weight * ends[ending] * (edges[at] - before)
                        before = edges[at]
