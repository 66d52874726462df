"""What play comes to in a game with a shared board: every hole followed through every way the board may come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np

from houseway.cards import Card
from houseway.games.model import Game, Rule, Thumb
from houseway.paytables import PayTable
from houseway.proof.cardsets import Ints
from houseway.proof.compiled import Progress, side_by_side
from houseway.proof.distribution import Distribution
from houseway.proof.hands import binomials
from houseway.proof.kernels.board import PORTION, count_boards
from houseway.proof.kernels.board_loops import choose_on_boards, play_boards
from houseway.proof.kernels.board_prices import BoardPrices
from houseway.proof.kernels.streets import follows, stakes_by_choice, streets, ways_to_deal
from houseway.proof.shape import Node
from houseway.proof.solution import PlayResult, best_choice, told


class BoardByBoard(NamedTuple):
    """How to choose at a node that has no table."""

    larger: bool = False
    """Whether ties go to the larger stake."""
    rule: Rule | None = None
    """Choose by this rule; the best where there is none."""


class BoardSolution(BoardPrices):
    """A game in which the dealer shares the board: what choices are worth, and what play comes to."""

    @property
    def larger(self) -> Mapping[str, Any]:
        """The best play where ties go to the larger stake."""
        return {node.key: self._chosen(node, larger=True) for node in self.tree.nodes}

    @property
    def has_ties(self) -> bool:
        """Whether two choices may be worth exactly the same: with the whole board in view that is not looked up."""
        return bool(self._last) or any(
            bool((self._chosen(node) != self._chosen(node, larger=True)).any()) for node in self.tree.nodes
        )

    def _chosen(self, node: Node, larger: bool = False) -> Any:
        if node.key in self._last:
            return BoardByBoard(larger)
        stakes = stakes_by_choice(node)
        ordered = tuple(-stake for stake in stakes) if larger else stakes
        return best_choice(self._worths[node.key][:, :, None], self._open[node.key], ordered)

    def by_thumb(self, thumb: Thumb) -> dict[str, Any]:
        """The policy of a rule of thumb; with the whole board in view it is asked board by board."""
        found: dict[str, Any] = {}
        for node in self.tree.nodes:
            rule = thumb.rules.get(node.point.key)
            if thumb.blind_to or node.key in self.points:
                found[node.key] = self._thumb_at(self.points[node.key], thumb)
            else:
                found[node.key] = BoardByBoard(rule=rule)
        return found

    @property
    def total(self) -> int:
        """How many deals there are, the board street by street."""
        own, deck = self.game.player_cards, len(self.deck)
        seen = streets(self.game) if 0 in streets(self.game) else (0, *streets(self.game))
        return comb(deck, own) * ways_to_deal(deck, own, seen) * self.counts.against

    def play(self, policy: Mapping[str, Any] | None = None) -> PlayResult:
        given = dict(policy or {})
        deals, often = self._deals(given)
        nets: dict[int, int] = {}
        wagered = following = 0
        for place, ending in enumerate(self.tree.endings):
            cases = int(deals[place].sum())
            wagered += cases * ending.wagered
            following += cases if follows(self.game, ending) else 0
            kinds, kind = np.unique(self._nets[place], return_inverse=True)
            sums = np.zeros(len(kinds), dtype=np.int64)
            np.add.at(sums, kind.ravel(), deals[place].ravel())
            for net, count in zip(kinds.tolist(), sums.tolist(), strict=True):
                nets[net] = nets.get(net, 0) + count
        total = self.total
        if sum(nets.values()) != total:
            raise ArithmeticError(f"{sum(nets.values())} deals where {total} are")
        frequencies = {
            node.key: tuple(
                Fraction(int(count) * self.counts.against, total) for count in often[place, : len(node.point.choices)]
            )
            for place, node in enumerate(self.tree.nodes)
        }
        hits = sum(count for net, count in nets.items() if net > 0)
        return PlayResult(
            Distribution(self.unit, nets, total, hits, Fraction(wagered, total)),
            frequencies,
            Fraction(following, total),
        )

    def _deals(self, policy: Mapping[str, Any]) -> tuple[Ints, Ints]:
        """By ending, outcome class and place beside it: in how many deals play comes there; and by node and choice."""
        counts, nodes = self.counts, self.tree.nodes
        early = self._early
        place_of = {node.key: place for place, node in enumerate(nodes)}
        most = max((len(node.point.choices) for node in nodes), default=1)
        leads = np.full((len(nodes), most), -1, dtype=np.int64)
        for node in nodes:
            for place, after in enumerate(self.tree.branches[node.key]):
                leads[place_of[node.key], place] = after if isinstance(after, int) else -2 - place_of[after]
        level = np.array(
            [early.index(self._street[node.key]) if node.key not in self._last else len(early) for node in nodes],
            dtype=np.int64,
        )
        chosen, at_node = self._early_choices(policy)
        kinds = [self._classes[street] for street in early]
        numbers = np.concatenate([kind.number for kind in kinds] or [np.zeros(0, dtype=np.int32)])
        names = np.concatenate([kind.renaming for kind in kinds] or [np.zeros(0, dtype=np.uint8)])
        at_level = np.cumsum([0, *(len(kind.number) for kind in kinds)])[:-1].astype(np.int64)
        parts, order = _chain_parts(counts.boards.shape[1], early)
        first = self.tree.first
        machine = self._machine()
        whole = np.array([place_of[key] for key in self._last], dtype=np.int64)
        shared = (
            *(counts.holes, counts.segments, counts.against, len(self.deck)),
            *(first if isinstance(first, int) else -2 - place_of[first], leads, level, whole),
            *(chosen, at_node, numbers, names, at_level, np.array(early, dtype=np.int64), parts, order),
            *(binomials(len(self.deck), max(*early, self.game.player_cards, 1)), self._beside),
        )

        def follow(boards: range) -> tuple[Ints, Ints]:
            deals = np.zeros(self._nets.shape, dtype=np.int64)
            often = np.zeros((len(nodes), most), dtype=np.int64)
            for start in range(boards.start, boards.stop, PORTION):
                rows = slice(start, min(start + PORTION, boards.stop))
                play_boards(
                    *(counts.records[rows], counts.below[rows], counts.boards[rows], counts.weights[rows]),
                    *(self._last_choices(policy, rows, machine), *shared, deals, often),
                )
            return deals, often

        half = len(counts.boards) // 2
        (deals, often), (others, others_often) = side_by_side(
            lambda: follow(range(half)), lambda: follow(range(half, len(counts.boards)))
        )
        deals, often = deals + others, often + others_often
        scale = self.total // (
            comb(len(self.deck), self.game.board_cards) * len(counts.holes) * len(order) * counts.against
        )
        return deals * scale, often * scale

    def _early_choices(self, policy: Mapping[str, Any]) -> tuple[Ints, Ints]:
        """The choices of every node before the whole board, by class and hole, in one list; and where each starts."""
        found: list[Ints] = []
        starts = np.zeros(len(self.tree.nodes), dtype=np.int64)
        start = 0
        for place, node in enumerate(self.tree.nodes):
            if node.key in self._last:
                continue
            by_row = policy[node.key] if node.key in policy else self._chosen(node)
            dense = self._classes[self._street[node.key]].dense(np.asarray(by_row)[:, 0].astype(np.uint8))
            starts[place] = start
            start += dense.size
            found.append(dense.ravel())
        return np.concatenate(found or [np.zeros(0, dtype=np.uint8)]), starts

    def _last_choices(self, policy: Mapping[str, Any], rows: slice, machine: tuple[Ints, Ints, Ints]) -> Ints:
        """By node, board and hole: the choice with the whole board in view; 0 at the other nodes."""
        counts = self.counts
        boards = len(counts.boards[rows])
        found = np.zeros((len(self.tree.nodes), boards, len(counts.holes)), dtype=np.uint8)
        leads, smaller, larger = machine
        for place, node in enumerate(self.tree.nodes):
            if node.key not in self._last:
                continue
            how = policy.get(node.key, BoardByBoard())
            if not isinstance(how, BoardByBoard):
                every = np.asarray(how)[:, 0].reshape(-1, len(counts.holes))
                found[place] = every[rows]
            elif how.rule is not None:
                found[place] = self._told(node, how.rule, rows)
            else:
                choose_on_boards(
                    *(counts.records[rows], counts.below[rows], counts.holes, counts.segments, counts.against),
                    *(self._nets, self._asked(leads), leads, larger if how.larger else smaller),
                    *(self._last_place(node.key), found[place]),
                )
        return found

    def _told(self, node: Node, rule: Rule, rows: slice) -> Ints:
        holes, boards = self._laid(rows)
        cards = np.array(self.deck, dtype=np.uint8)
        said = told(self.game, self._blank(node, cards[holes], cards[boards]), rule, self.deck, self.options)
        return said[:, 0].reshape(-1, len(self.counts.holes)).astype(np.uint8)


def solve_board(
    game: Game,
    tables: Mapping[str, PayTable],
    options: Mapping[str, Any] | None = None,
    deck: Sequence[Card] | None = None,
    progress: Progress | None = None,
) -> BoardSolution:
    """The best play of a game in which the dealer shares the board."""
    return BoardSolution(game, tables, options or {}, count_boards(game, options, deck, progress))


def _chain_parts(size: int, early: Sequence[int]) -> tuple[Ints, Ints]:
    """The parts of a board by street, as places on it; and every chain of them: by street the place of the part."""
    parts = [list(combinations(range(size), street)) for street in early]
    found: list[tuple[int, ...]] = [()]
    for at in reversed(range(len(early))):
        found = [
            (place, *chain)
            for chain in found
            for place, cards in enumerate(parts[at])
            if not chain or set(cards) <= set(parts[at + 1][chain[0]])
        ]
    most = max((len(every) for every in parts), default=1)
    places = np.zeros((len(early), most, size), dtype=np.int64)
    for street, every in enumerate(parts):
        for place, cards in enumerate(every):
            places[street, place, : len(cards)] = cards
    return places, np.array(found, dtype=np.int64).reshape(len(found), len(early))
