"""The compiled loops that price a game with a shared board and follow play through it.

A *state* is where play stands: an ending by its place, a node as -2 less its place. Renamings of holes are unsigned, so
that compiled code need not ask whether a place counts from the end.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houseway.proof.compiled import jit, part
from houseway.proof.kernels.board import cards_left, places_on_board


@part
def _appraise_board(
    records: Any,
    below: Any,
    board: Any,
    holes: Any,
    segments: Any,
    against: Any,
    nets: Any,
    asked: Any,
    kinds: Any,
    places: Any,
    worths: Any,
) -> None:
    """What the endings asked for are worth with every hole on a board."""
    places_on_board(records, below, board, holes, segments, against, kinds, places)
    for at in range(len(asked)):
        for hole in range(len(holes)):
            total = np.int64(0)
            for place in range(nets.shape[2]):
                total += nets[asked[at], kinds[hole], place] * places[hole, place]
            worths[asked[at], hole] = total


@part
def _decide_on_board(
    worths: Any, endings: Any, leads: Any, smaller: Any, larger: Any, holes: Any, board: Any, last: Any
) -> None:
    """What every node of the whole board is worth with every hole, and its best choices, twice: see `push_boards`."""
    for node in range(len(leads)):
        for hole in range(holes):
            best = -1
            most = np.int64(0)
            for at in range(leads.shape[1]):
                choice = smaller[node, at]
                lead = leads[node, choice]
                if lead >= 0 and (best < 0 or worths[lead, hole] > most):
                    best = choice
                    most = worths[lead, hole]
            other = -1
            for at in range(leads.shape[1]):
                choice = larger[node, at]
                lead = leads[node, choice]
                if other < 0 and lead >= 0 and worths[lead, hole] == most:
                    other = choice
            worths[endings + node, hole] = most
            last[node, board, hole] = best | other << 4


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
    smaller: Any,
    larger: Any,
    wanted: Any,
    sizes: Any,
    starts: Any,
    parts: Any,
    choose: Any,
    number: Any,
    renaming: Any,
    beside_: Any,
    sums: Any,
    last: Any,
) -> None:
    """Add what holes are worth on every board to each part of it, suits renamed into the part's class.

    By street ``wanted`` says what is added up, from which place of each hole's worths on; ``sizes`` how many cards a
    part has and how many parts there are, ``starts`` where its sets and its sums begin. ``last`` is given the best
    choices with the whole board in view: of equals that with the smaller stake, and 16 times that with the larger.
    """
    own = holes.shape[1]
    slots = beside_.shape[1]
    left = np.empty(deck, dtype=np.int64)
    kinds = np.empty(len(holes), dtype=np.int64)
    places = np.empty((len(holes), nets.shape[2]), dtype=np.int64)
    worths = np.empty((len(nets) + len(leads), len(holes)), dtype=np.int64)
    values = np.empty((len(holes), len(wanted)), dtype=np.int64)
    numbers = np.empty(len(holes), dtype=np.uint32)
    for board in range(len(boards)):
        cards_left(boards[board], deck, left)
        _appraise_board(records, below, board, holes, segments, against, nets, asked, kinds, places, worths)
        _decide_on_board(worths, len(nets), leads, smaller, larger, len(holes), board, last)
        for hole in range(len(holes)):
            for at in range(len(wanted)):
                values[hole, at] = weights[board] * worths[wanted[at], hole]
            place = 0
            for at in range(own):
                place += choose[at + 1, left[holes[hole, at]]]
            numbers[hole] = place
        for street in range(len(sizes)):
            first, count = starts[street, 2], starts[street, 3]
            for row in range(sizes[street, 1]):
                place = starts[street, 0]
                for at in range(sizes[street, 0]):
                    place += choose[at + 1, boards[board, parts[street, row, at]]]
                names = beside_[renaming[place]]
                start = starts[street, 1] + number[place] * slots * count
                into = sums[start : start + slots * count].reshape(slots, count)
                if count == 2:
                    for hole in range(len(holes)):
                        slot = names[numbers[hole]]
                        into[slot, 0] += values[hole, first]
                        into[slot, 1] += values[hole, first + 1]
                else:
                    for hole in range(len(holes)):
                        slot = names[numbers[hole]]
                        for at in range(count):
                            into[slot, at] += values[hole, first + at]


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
    kinds = np.empty(len(holes), dtype=np.int64)
    places = np.empty((len(holes), nets.shape[2]), dtype=np.int64)
    worths = np.empty((len(nets) + len(leads), len(holes)), dtype=np.int64)
    last = np.empty((len(leads), 1, len(holes)), dtype=np.uint8)
    for board in range(len(records)):
        _appraise_board(records, below, board, holes, segments, against, nets, asked, kinds, places, worths)
        _decide_on_board(worths, len(nets), leads, order, order, len(holes), 0, last)
        for node in range(len(leads)):
            for hole in range(len(holes)):
                for choice in range(leads.shape[1]):
                    if leads[node, choice] >= 0:
                        worth[node, board, hole, choice] = worths[leads[node, choice], hole]


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
def _look_up(count: Any, slots: Any, names: Any, choices: Any, found: Any) -> None:
    """The choices of holes with a part of the board."""
    for at in range(count):
        found[at] = choices[names[slots[at]]]


@part
def _move(count: Any, here: Any, choice: Any, chains: Any, times: Any, into: Any) -> Any:
    """Chains that take a choice go on, each so many times; gives back how many they are, of all holes together."""
    total = np.int64(0)
    for at in range(count):
        going = chains[at] if here[at] == choice else np.uint16(0)
        into[at] += np.uint16(going * times)
        total += going
    return total


@part
def _add_chains(count: Any, chains: Any, into: Any) -> None:
    for at in range(count):
        into[at] += chains[at]


@part
def _follow_streets(
    on: Any,
    weight: Any,
    slots: Any,
    leads: Any,
    level: Any,
    streets_: Any,
    count: Any,
    within: Any,
    onward: Any,
    chosen: Any,
    at_node: Any,
    start: Any,
    name: Any,
    beside_: Any,
    here: Any,
    now: Any,
    later: Any,
    ends: Any,
    often: Any,
) -> None:
    """Follow holes through every chain of a board at once, street by street.

    ``onward`` is by street in how many ways the board goes on from one of its parts. ``now`` is by node, part and hole
    how chains have come there; those that do not end are left there, at the first part, with the whole
    board in view.
    """
    levels = len(streets_)
    for street in range(levels):
        if streets_[street] == 0:
            continue
        for node in range(len(leads)):
            if level[node] != street:
                continue
            for at_part in range(count[street]):
                at = at_node[node] + start[street, at_part]
                choices = chosen[at : at + beside_.shape[1]]
                _look_up(on, slots, beside_[name[street, at_part]], choices, here)
                chains = now[node, at_part]
                for choice in range(leads.shape[1]):
                    lead = leads[node, choice]
                    if lead >= 0:
                        often[node, choice] += (
                            weight * onward[street] * _move(on, here, choice, chains, onward[street], ends[lead])
                        )
                    elif lead < -1:
                        often[node, choice] += (
                            weight * onward[street] * _move(on, here, choice, chains, 1, now[-2 - lead, at_part])
                        )
                chains[:] = 0
        # What is still under way goes on to every part that this one lies in, or to the whole board.
        for node in range(len(leads)):
            if level[node] > street:
                parts_then = 1 if street + 1 == levels else count[street + 1]
                for after in range(parts_then):
                    later[after, :on] = 0
                    for at_part in range(count[street]):
                        if street + 1 == levels or within[street, at_part, after]:
                            _add_chains(on, now[node, at_part], later[after])
                for after in range(parts_then):
                    now[node, after, :on] = later[after, :on]


@part
def _end_larger(
    whole: Any, last: Any, board: Any, hole: Any, at: Any, weight: Any, leads: Any, now: Any, ends: Any,
    places: Any, kind: Any, reached: Any, deals: Any, often: Any,
) -> None:  # fmt: skip
    """Where a hole ends with the larger choices of ``last``, less where it ends with the smaller ones."""
    for shift in (0, 4):
        sign = weight if shift else -weight
        for node in range(len(leads)):
            reached[node] = now[node, 0, at]
        for nth in range(len(whole)):
            node = whole[nth]
            choice = last[nth, board, hole] >> shift & 15
            often[node, choice] += sign * reached[node]
            lead = leads[node, choice]
            if lead < 0:
                reached[-2 - lead] += reached[node]
                continue
            for place in range(places.shape[1]):
                deals[lead, kind, place] += sign * reached[node] * places[hole, place]


@part
def _end_holes(
    on: Any, going: Any, whole: Any, last: Any, board: Any, weight: Any, leads: Any, now: Any, ends: Any,
    kinds: Any, places: Any, reached: Any, deals: Any, change: Any, often: Any, often_change: Any,
) -> None:  # fmt: skip
    """Count holes where their chains end, and what the larger choices of ``last`` change."""
    for at in range(on):
        hole = going[at]
        kind = kinds[hole]
        differs = False
        for nth in range(len(whole)):
            differs |= last[nth, board, hole] >> 4 != last[nth, board, hole] & 15
        if differs:
            _end_larger(
                whole, last, board, hole, at, weight, leads, now, ends, places, kind, reached, change, often_change
            )
        # With the whole board in view it does not matter how it came.
        for nth in range(len(whole)):
            node = whole[nth]
            if now[node, 0, at]:
                choice = last[nth, board, hole] & 15
                often[node, choice] += weight * now[node, 0, at]
                lead = leads[node, choice]
                if lead >= 0:
                    ends[lead, at] += now[node, 0, at]
                else:
                    now[-2 - lead, 0, at] += now[node, 0, at]
        for ending in range(len(ends)):
            if ends[ending, at]:
                times = weight * ends[ending, at]
                for place in range(places.shape[1]):
                    deals[ending, kind, place] += times * places[hole, place]


@part
def _start_holes(
    first: Any, every: Any, weight: Any, leads: Any, level: Any, streets_: Any, chosen: Any, at_node: Any,
    left: Any, holes: Any, choose: Any, kinds: Any, places: Any, parts: Any, slots: Any, going: Any, now: Any,
    deals: Any, often: Any,
) -> Any:  # fmt: skip
    """Make the choices before any card of the board is seen, when every chain is alike; gives back how many holes
    are still in play then."""
    on = 0
    for hole in range(len(holes)):
        slot = 0
        for at in range(holes.shape[1]):
            slot += choose[at + 1, left[holes[hole, at]]]
        state = first
        while state < 0 and level[-2 - state] < len(streets_) and streets_[level[-2 - state]] == 0:
            node = -2 - state
            choice = chosen[at_node[node] + slot]
            often[node, choice] += weight * every
            state = leads[node, choice]
        if state >= 0:
            for place in range(places.shape[1]):
                deals[state, kinds[hole], place] += weight * every * places[hole, place]
            continue
        slots[on] = slot
        going[on] = hole
        for at_part in range(parts):
            now[-2 - state, at_part, on] = 1
        on += 1
    return on


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
    within: Any,
    onward: Any,
    choose: Any,
    beside_: Any,
    deals: Any,
    often: Any,
) -> None:
    """Follow every hole through every chain of every board, and count where it ends.

    ``last`` is as `push_boards` gives it. ``deals`` and ``often`` come twice: for its smaller choices, and what its
    larger ones make different.
    """
    levels = len(streets_)
    most = parts.shape[1]
    smaller, change = deals[0], deals[1]
    often_smaller, often_change = often[0], often[1]
    left = np.empty(deck, dtype=np.int64)
    kinds = np.empty(len(holes), dtype=np.int64)
    places = np.empty((len(holes), deals.shape[3]), dtype=np.int64)
    reached = np.empty(len(leads), dtype=np.int64)
    start = np.empty((levels, most), dtype=np.int64)
    name = np.empty((levels, most), dtype=np.int64)
    count = np.array([choose[street, boards.shape[1]] for street in streets_])
    # The first street with cards in view; where there is none the whole board is seen at once.
    start_at = 1 if levels and streets_[0] == 0 else 0
    at_first = count[start_at] if start_at < levels else 1
    here = np.empty(len(holes), dtype=np.uint8)
    now = np.zeros((len(leads), most, len(holes)), dtype=np.uint16)
    later = np.zeros((most, len(holes)), dtype=np.uint16)
    ends = np.zeros((deals.shape[1], len(holes)), dtype=np.uint16)
    slots = np.empty(len(holes), dtype=np.uint32)
    going = np.empty(len(holes), dtype=np.uint32)
    for board in range(len(boards)):
        cards_left(boards[board], deck, left)
        _name_parts(
            boards[board], beside_.shape[1], number, renaming, at_level, streets_, count, parts, choose, start, name
        )
        places_on_board(records, below, board, holes, segments, against, kinds, places)
        now[:] = 0
        ends[:] = 0
        on = _start_holes(
            *(first, onward[levels], weights[board], leads, level, streets_, chosen, at_node, left, holes, choose),
            *(kinds, places, at_first, slots, going, now, smaller, often_smaller),
        )
        _follow_streets(
            *(on, weights[board], slots, leads, level, streets_, count, within, onward, chosen, at_node, start, name),
            *(beside_, here, now, later, ends, often_smaller),
        )
        _end_holes(
            *(on, going, whole, last, board, weights[board], leads, now, ends, kinds, places, reached),
            *(smaller, change, often_smaller, often_change),
        )
