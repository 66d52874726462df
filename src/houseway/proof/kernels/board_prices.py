"""A game with a shared board, priced from its counts: what every choice is worth by what a spot sees.

Streets before the whole board have tables. With the whole board in view there may be more than a hundred million
sights: there a table is made only for a short deck, and otherwise choices are found board by board as they are needed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import comb, prod
from typing import Any, Final

import numpy as np

from houseway.cards import Card
from houseway.games.model import Game
from houseway.paytables import PayTable
from houseway.proof.cardsets import Ints, every_set, in_class_form, set_number
from houseway.proof.compiled import side_by_side
from houseway.proof.hands import binomials
from houseway.proof.kernels.board import (
    BoardCounts,
    beside,
)
from houseway.proof.kernels.board_loops import merge_holes, price_boards, push_boards, push_rows
from houseway.proof.kernels.streets import (
    BoardOutcomes,
    UnequalClassError,
    chains,
    seen_cards,
    stakes_by_choice,
    streets,
    tree_of,
    ways_to_deal,
)
from houseway.proof.kernels.suit_classes import SuitClasses, renamed_sets, suit_classes
from houseway.proof.shape import Node, exact_unit, needed_hands
from houseway.proof.solution import PointTable, Solution, told
from houseway.refusal import Refusal

MOST_ROWS: Final = 2_000_000
"""With the whole board in view: up to so many rows are kept as a table."""


SECOND: Final = 4
FIRST: Final = (1 << SECOND) - 1
"""A choice on a whole board is kept with that of the other tie rule, which is moved up by so many bits."""
MOST_SUMS_TWICE: Final = 100_000_000
"""Up to so many sums are added up in two halves at once, each with room of its own."""


class BoardPrices(Solution):
    """What every choice is worth in a game in which the dealer shares the board."""

    def __init__(
        self, game: Game, tables: Mapping[str, PayTable], options: Mapping[str, Any], counts: BoardCounts
    ) -> None:
        self.game = game
        self.deck = counts.deck
        self.options = {**game.defaults, **options}
        self.unit = exact_unit(game, tables)
        self.counts = counts
        self.tree = tree_of(game)
        self._nodes = {node.key: node for node in self.tree.nodes}
        self._street = {node.key: seen_cards(game, node.point) for node in self.tree.nodes}
        outcomes = BoardOutcomes(game, self.options)
        self._nets = np.stack([self._priced(outcomes, place, tables) for place in range(len(self.tree.endings))])
        self._last = [node.key for node in self.tree.nodes if self._street[node.key] == game.board_cards]
        self._beside = renamed_sets(self.deck, game.player_cards, counts.renamed)
        self._worths: dict[str, Ints] = {}
        self._open: dict[str, Ints] = {}
        self._sums: dict[str, Ints] = {}
        self._seen: dict[int, tuple[Ints, Ints]] = {}
        for node in self._last:
            self._open[node] = self._open_whole_board(self._nodes[node])
        if any(len(self._open[node]) > FIRST for node in self._last):
            raise Refusal(game.key, f"has a decision of more than {FIRST} choices with the whole board in view")
        self._on_boards = np.zeros((len(self._last), *counts.records.shape), dtype=np.uint8)
        self._direct = self._push()
        for street in reversed(self._early):
            self._price_street(street)

    # -------------------------------------------------------------------------------------------- streets

    @property
    def _early(self) -> tuple[int, ...]:
        """The streets of decisions before the whole board is seen."""
        return tuple(sorted({street for street in self._street.values() if street < self.game.board_cards}))

    def _from(self, seen: int) -> tuple[int, ...]:
        return tuple(street for street in streets(self.game) if street >= seen)

    @cached_property
    def _classes(self) -> dict[int, SuitClasses]:
        return {
            street: suit_classes(self.deck, street, self.game.player_cards, self.counts.renamed)
            for street in self._early
        }

    def _priced(self, outcomes: BoardOutcomes, place: int, tables: Mapping[str, PayTable]) -> Ints:
        """The net result of an ending by outcome class and place of the dealer's hand beside it."""
        counts = self.counts
        values = counts.values[:, None]
        starts, totals = outcomes.nets(self.tree.endings[place], values, values, self.unit, tables)
        try:
            by_value = beside(starts, totals, counts.cuts)
        except ArithmeticError as error:
            raise UnequalClassError(f"a pay table of {self.game.key} changes results between cuts") from error
        nets = np.zeros((len(counts.segments), by_value.shape[1]), dtype=np.int64)
        nets[counts.classes] = by_value
        if not np.array_equal(nets[counts.classes], by_value):
            raise UnequalClassError(f"a pay table of {self.game.key} tells hands apart that were counted as one class")
        return nets

    def _open_whole_board(self, node: Node) -> Ints:
        """Which choices are open with the whole board in view: by house options alone."""
        opened = []
        for choice in node.point.choices:
            if choice.when is not None and needed_hands(self.game, [choice.when]):
                raise Refusal(f"choice {choice.key}", f"is open by cards at {node.key}, where the whole board is seen")
            said = choice.when is None or bool(
                told(self.game, self._blank(node, np.zeros((1, 0)), np.zeros((1, 0))), choice.when, (), self.options)[0]
            )
            opened.append(said)
        return np.array(opened, dtype=np.bool_)

    # -------------------------------------------------------------------------------------------- worths

    def _machine(self) -> tuple[Ints, Ints, Ints]:
        """The nodes with the whole board in view, last first: where their choices lead, and how ties are broken.

        What may be worth something is numbered: the endings first, then these nodes in this order.
        """
        order = list(reversed(self._last))
        most = max((len(self.tree.branches[key]) for key in order), default=1)
        leads = np.full((len(order), most), -1, dtype=np.int64)
        for row, key in enumerate(order):
            for place, after in enumerate(self.tree.branches[key]):
                if self._open[key][place]:
                    leads[row, place] = self._numbered(after)
        smaller = np.zeros(leads.shape, dtype=np.int64)
        larger = np.zeros(leads.shape, dtype=np.int64)
        for row, key in enumerate(order):
            stakes = stakes_by_choice(self._nodes[key])
            for at, place in enumerate(sorted(range(len(stakes)), key=lambda place: (stakes[place], place))):
                smaller[row, at] = place
            for at, place in enumerate(sorted(range(len(stakes)), key=lambda place: (-stakes[place], place))):
                larger[row, at] = place
        return leads, smaller, larger

    def _asked(self, leads: Ints, wanted: Sequence[int] = ()) -> Ints:
        """The endings that these choices lead to, and those wanted."""
        numbers = {int(lead) for lead in leads.ravel()} | set(wanted)
        return np.array(sorted(lead for lead in numbers if 0 <= lead < len(self.tree.endings)), dtype=np.int64)

    def _numbered(self, after: str | int) -> int:
        if isinstance(after, int):
            return after
        return len(self.tree.endings) + list(reversed(self._last)).index(after)

    def _wanted(self, street: int) -> list[str | int]:
        """The endings and the nodes of the whole board that choices of a street's nodes lead to."""
        here = [node.key for node in self.tree.nodes if self._street[node.key] == street]
        leads = dict.fromkeys(after for key in here for after in self.tree.branches[key])
        return [after for after in leads if isinstance(after, int) or after in self._last]

    def _price_street(self, street: int) -> None:
        """What every choice of a street's nodes is worth, by row, summed over the ways in which the board goes on."""
        classes = self._classes[street]
        here = [node for node in self.tree.nodes if self._street[node.key] == street]
        direct = self._direct.pop(street)
        by_name: dict[str | int, Ints] = {
            after: direct[place] * chains(self._from(street)) for place, after in enumerate(self._wanted(street))
        }
        for node in reversed(here):
            worth = np.empty((len(classes.row_ways), len(node.point.choices)), dtype=np.int64)
            for place, after in enumerate(self.tree.branches[node.key]):
                if after not in by_name:
                    by_name[after] = self._carried(str(after), street)
                worth[:, place] = by_name[after]
            self._worths[node.key] = worth
            self._open[node.key] = self._open_by_row(node)
            self._sums[node.key] = self._best_of(worth, self._open[node.key]) * classes.row_ways

    @staticmethod
    def _best_of(worth: Ints, opened: Ints) -> Ints:
        best: Ints = np.where(opened, worth, np.iinfo(np.int64).min).max(axis=1)
        return best

    def _open_by_row(self, node: Node) -> Ints:
        rows = len(self._classes[self._street[node.key]].row_ways)
        opened = np.ones((rows, len(node.point.choices)), dtype=np.bool_)
        for place, choice in enumerate(node.point.choices):
            if choice.when is not None:
                table = self._blank(node, *self._sights(self._street[node.key]))
                opened[:, place] = told(self.game, table, choice.when, self.deck, self.options)[:, 0] != 0
        return opened

    def _push(self) -> dict[int, list[Ints]]:
        """By street, what is wanted there and row: its sum over the boards around the cards seen.

        Beside that the best choices with the whole board in view are found.
        """
        counts, early = self.counts, self._early
        own, deck = counts.holes.shape[1], len(self.deck)
        leads, smaller, larger = self._machine()
        made_of = [self._combine([self._numbered(after) for after in self._wanted(street)]) for street in early]
        wanted = [columns for columns, _ in made_of]
        kinds = [self._classes[street] for street in early]
        shapes = [(len(kind.sets), comb(deck, own), len(some)) for kind, some in zip(kinds, wanted, strict=True)]
        at_sets = np.cumsum([0, *(len(kind.number) for kind in kinds)])
        at_sums = np.cumsum([0, *(prod(shape) for shape in shapes)])
        firsts = np.cumsum([0, *map(len, wanted)])
        starts = np.stack([at_sets[:-1], at_sums[:-1], firsts[:-1], np.diff(firsts)], axis=1).astype(np.int64)
        parts, _ = chain_parts(counts.boards.shape[1], early)
        every = [number for some in wanted for number in some]
        shared = (
            *(counts.holes, counts.segments, counts.against, deck),
            *(self._nets, self._asked(leads, every), leads, smaller, larger, np.array(every, dtype=np.int64)),
            np.array([[street, comb(counts.boards.shape[1], street)] for street in early], np.int64).reshape(-1, 2),
            *(starts.reshape(-1, 4), parts, binomials(deck, max(*early, own, 1)), *self._part_names, self._beside),
        )

        def add(rows: slice, into: Ints) -> Ints:
            push_boards(
                *(counts.records[rows], counts.below[rows], counts.boards[rows], counts.weights[rows]),
                *(*shared, into, self._on_boards[:, rows]),
            )
            return into

        total, half = int(at_sums[-1]), len(counts.boards) // 2
        if total > MOST_SUMS_TWICE:
            sums = add(slice(0, len(counts.boards)), np.zeros(total, dtype=np.int64))
        else:
            sums, others = side_by_side(
                lambda: add(slice(0, half), np.zeros(total, dtype=np.int64)),
                lambda: add(slice(half, len(counts.boards)), np.zeros(total, dtype=np.int64)),
            )
            sums += others
        by_street = {}
        for place, street in enumerate(early):
            rows = self._by_row(kinds[place], sums[at_sums[place] : at_sums[place + 1]].reshape(shapes[place]))
            constant = counts.against * comb(deck - street - own, counts.boards.shape[1] - street)
            by_street[street] = [
                np.full(len(rows), first * constant) + sum(rows[:, at] * times for at, times in enumerate(by) if times)
                for first, *by in made_of[place][1]
            ]
        return by_street

    def _combine(self, wanted: Sequence[int]) -> tuple[list[int], list[list[int]]]:
        """Which of the endings and nodes are added up, and how all are made of those: a constant, and times of each.

        What comes back is linear in the stakes, so that few endings make all the others.
        """
        endings, ones = len(self._nets), np.ones(self._nets[0].size, dtype=np.int64)
        columns = [number for number in wanted if number >= endings]
        parts = [ones, *(np.zeros_like(ones) for _ in columns)]
        terms: dict[int, list[int]] = {number: [0] * (place + 1) + [1] for place, number in enumerate(columns)}
        for number in wanted:
            if number in terms:
                continue
            net = self._nets[number].ravel()
            times = np.rint(np.linalg.lstsq(np.stack(parts, axis=1), net, rcond=None)[0]).astype(np.int64)
            if not np.array_equal(np.stack(parts, axis=1) @ times, net):
                times = np.zeros(len(parts) + 1, dtype=np.int64)
                times[-1] = 1
                columns.append(number)
                parts.append(net)
            terms[number] = times.tolist()
        return columns, [terms[number] for number in wanted]

    @cached_property
    def _part_names(self) -> tuple[Ints, Ints]:
        """By street and set of board cards: its class, and the renaming into it; in one list."""
        kinds = [self._classes[street] for street in self._early]
        return (
            np.concatenate([kind.number for kind in kinds] or [np.zeros(0, dtype=np.int32)]),
            np.concatenate([kind.renaming for kind in kinds] or [np.zeros(0, dtype=np.uint8)]),
        )

    def _carried(self, node: str, street: int) -> Ints:
        """By row of a street: a node of a later one, summed over the boards there around the cards seen."""
        later, classes = self._classes[self._street[node]], self._classes[street]
        if later is classes:
            return self._sums[node] // classes.row_ways
        sums = np.zeros((len(classes.sets), self._beside.shape[1], 1), dtype=np.int64)
        push_rows(
            *(later.sets, later.row_class, later.row_hole, self._sums[node]),
            *(_parts(later.size, classes.size), binomials(len(self.deck), max(classes.size, 1))),
            *(classes.number, classes.renaming, self._beside, sums),
        )
        between = [seen for seen in self._from(street) if seen <= later.size]
        return self._by_row(classes, sums)[:, 0] * chains(between)

    @staticmethod
    def _by_row(classes: SuitClasses, sums: Ints) -> Ints:
        """Sums over everything that a row stands for, as that of the one sight that stands there."""
        worth = np.zeros((len(classes.row_ways), sums.shape[2]), dtype=np.int64)
        if not merge_holes(classes.holes, classes.row_class, classes.row_hole, classes.row_ways, sums, worth):
            raise ArithmeticError("sights that differ in the names of suits are not worth the same")
        return worth

    # -------------------------------------------------------------------------------------------- tables

    @cached_property
    def points(self) -> Mapping[str, PointTable]:  # type: ignore[override]
        """By node; a node with the whole board in view only where its table is small."""
        found = {}
        for node in self.tree.nodes:
            if self._street[node.key] < self.game.board_cards:
                found[node.key] = self._table(node)
            elif self.counts.records.size <= MOST_ROWS:
                found[node.key] = self._whole_board_table(node)
        return found

    def _sights(self, street: int) -> tuple[Ints, Ints]:
        """The own cards and the board of every row, with suits named so that the own cards stand for their class."""
        if street not in self._seen:
            classes = self._classes[street]
            holes = every_set(self.deck, self.game.player_cards)
            self._seen[street] = self._own_first(holes[classes.row_hole], classes.sets[classes.row_class])
        return self._seen[street]

    def _own_first(self, hands: Ints, boards: Ints) -> tuple[Ints, Ints]:
        by = self._own_classes.renaming[set_numbers(hands, len(self.deck))]
        cards = np.array(self.deck, dtype=np.uint8)
        own, lying = np.empty_like(hands), np.empty_like(boards)
        for place, names in enumerate(self.counts.renamed.astype(np.uint8)):
            rows = np.flatnonzero(by == place)
            own[rows], lying[rows] = names[hands[rows]], names[boards[rows]]
        return cards[np.sort(own, axis=1)], cards[np.sort(lying, axis=1)]

    @cached_property
    def _own_classes(self) -> SuitClasses:
        return suit_classes(self.deck, self.game.player_cards, 0, self.counts.renamed)

    def _blank(self, node: Node, hands: Ints, board: Ints) -> PointTable:
        choices = len(node.point.choices)
        seen = self._from(self._street[node.key])
        own = self.game.player_cards
        return PointTable(
            point=node.point,
            hands=hands,
            board=board,
            keys=(np.int64(1) << hands.astype(np.int64)).sum(axis=1),
            values=np.zeros(len(hands), dtype=np.int64),
            ways=np.ones(len(hands), dtype=np.int64),
            possible=np.ones((len(hands), 1), dtype=np.bool_),
            worth=np.zeros((len(hands), choices, 1), dtype=np.int64),
            cases=ways_to_deal(len(self.deck), own, seen) * self.counts.against,
            unit=self.unit,
            open=np.ones((len(hands), choices), dtype=np.bool_),
            stakes=stakes_by_choice(node),
        )

    def _table(self, node: Node) -> PointTable:
        table = self._blank(node, *self._sights(self._street[node.key]))
        return replace(
            table,
            ways=self._classes[self._street[node.key]].row_ways,
            worth=self._worths[node.key][:, :, None],
            open=self._open[node.key],
        )

    def _whole_board_table(self, node: Node) -> PointTable:
        counts = self.counts
        holes, boards = self._laid(slice(0, len(counts.boards)))
        table = self._blank(node, *self._own_first(holes, boards))
        worth = self._whole_board_worth(slice(0, len(counts.boards)))[self._last_place(node.key)]
        choices = len(node.point.choices)
        return replace(
            table,
            ways=np.repeat(counts.weights, len(counts.holes)),
            worth=worth.reshape(len(holes), -1, 1)[:, :choices],
            open=np.broadcast_to(self._open[node.key], (len(holes), choices)).copy(),
        )

    def _laid(self, rows: Any) -> tuple[Ints, Ints]:
        """Every hole on boards, and its board, as places in the deck."""
        counts = self.counts
        deck = range(len(self.deck))
        left = np.array([[place for place in deck if place not in board] for board in counts.boards[rows].tolist()])
        holes = left[:, counts.holes.astype(np.int64)].reshape(-1, counts.holes.shape[1]).astype(np.uint8)
        return holes, np.repeat(counts.boards[rows], len(counts.holes), axis=0)

    def _last_place(self, node: str) -> int:
        return list(reversed(self._last)).index(node)

    def _whole_board_worth(self, rows: slice) -> Ints:
        """By node of the whole board, board, hole and choice: what it is worth."""
        counts = self.counts
        leads, smaller, _ = self._machine()
        boards = len(counts.boards[rows])
        worth = np.zeros((len(leads), boards, len(counts.holes), leads.shape[1]), dtype=np.int64)
        price_boards(
            *(counts.records[rows], counts.below[rows], counts.holes, counts.segments, counts.against),
            *(self._nets, self._asked(leads), leads, smaller, worth),
        )
        return worth

    # -------------------------------------------------------------------------------------------- advice

    def row_of(
        self, node: str, cards: Sequence[Card], dealer: Sequence[Card], board: Sequence[Card]
    ) -> tuple[int, int]:
        street = self._street[node]
        if street < self.game.board_cards:
            own, seen = set_number(self.deck, cards), set_number(self.deck, board)
            return self._classes[street].row_of(seen, own, self._beside), 0
        place, hole = self._board_and_hole(cards, board)
        return place * len(self.counts.holes) + hole, 0

    def _board_and_hole(self, cards: Sequence[Card], board: Sequence[Card]) -> tuple[int, int]:
        named = in_class_form(self.counts.suits, board, cards)
        lying, own = named[: len(board)], named[len(board) :]
        place = int(np.searchsorted(self._board_numbers, set_number(self.deck, lying)))
        rest = tuple(card for card in self.deck if card not in lying)
        return place, set_number(rest, own)

    @cached_property
    def _board_numbers(self) -> Ints:
        return set_numbers(self.counts.boards, len(self.deck))

    def advise(
        self, cards: Sequence[Card], dealer_seen: Sequence[Card] = (), board_seen: Sequence[Card] = (), node: str = ""
    ) -> list[tuple[str, Fraction]]:
        """As for every solution; only what belongs to this sight is looked up."""
        known = node or next((key for key, street in self._street.items() if street == len(board_seen)), "")
        if known not in self._nodes:
            raise Refusal("board", f"no decision of {self.game.key} is made with {len(board_seen)} board cards in view")
        chosen = self._nodes[known]
        if self._street[known] < self.game.board_cards:
            row, _ = self.row_of(known, cards, dealer_seen, board_seen)
            worth, opened = self._worths[known][row].tolist(), self._open[known][row]
        else:
            place, hole = self._board_and_hole(cards, board_seen)
            every = self._whole_board_worth(slice(place, place + 1))
            worth, opened = every[self._last_place(known), 0, hole].tolist(), self._open[known]
        table = self._blank(chosen, np.zeros((1, 0)), np.zeros((1, 0)))
        order = sorted(
            (place for place in range(len(chosen.point.choices)) if opened[place]),
            key=lambda place: (-worth[place], table.stakes[place], place),
        )
        parts = table.cases * self.unit
        return [(chosen.point.choices[place].key, Fraction(worth[place], parts)) for place in order]


def _parts(size: int, smaller: int) -> Ints:
    return np.array(list(combinations(range(size), smaller)), dtype=np.int64).reshape(comb(size, smaller), smaller)


def set_numbers(sets: Ints, deck: int) -> Ints:
    """The numbers of sets of rising places."""
    choose = binomials(deck, max(sets.shape[1], 1))
    found = np.zeros(len(sets), dtype=np.int64)
    for at in range(sets.shape[1]):
        found += choose[at + 1, sets[:, at].astype(np.int64)]
    return found


def chain_parts(size: int, early: Sequence[int]) -> tuple[Ints, Ints]:
    """By street the parts of a board, as places on it; and whether a part lies in one of the next street."""
    parts = [list(combinations(range(size), street)) for street in early]
    most = max((len(every) for every in parts), default=1)
    places = np.zeros((len(early), most, size), dtype=np.int64)
    within = np.zeros((len(early), most, most), dtype=np.bool_)
    for street, every in enumerate(parts):
        for place, cards in enumerate(every):
            places[street, place, : len(cards)] = cards
            for after, others in enumerate(parts[street + 1] if street + 1 < len(parts) else ()):
                within[street, place, after] = set(cards) <= set(others)
    return places, within
