"""What play comes to in a game with a shared board: every hole followed through every way the board may come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import comb
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from houseway.cards import Card
from houseway.games.model import Game, Rule, Thumb
from houseway.paytables import PayTable
from houseway.proof.cardsets import Ints
from houseway.proof.compiled import Progress, side_by_side
from houseway.proof.distribution import Distribution
from houseway.proof.hands import binomials
from houseway.proof.keep import hold
from houseway.proof.kernels.board import count_boards, halves, option_sets, portions
from houseway.proof.kernels.board_loops import play_boards
from houseway.proof.kernels.board_prices import FIRST, SECOND, BoardPrices, chain_parts, set_numbers
from houseway.proof.kernels.streets import chains, follows, stakes_by_choice, streets, ways_to_deal
from houseway.proof.shape import Node
from houseway.proof.solution import PlayResult, best_choice, told

Followed: TypeAlias = tuple[Ints, Ints]
"""In how many deals play comes to each ending, and makes each choice."""


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

    @cached_property
    def has_ties(self) -> bool:
        """Whether two choices are somewhere worth exactly the same."""
        if bool((self._on_boards & FIRST != self._on_boards >> SECOND).any()):
            return True
        return any(
            bool((self._chosen(node) != self._chosen(node, larger=True)).any())
            for node in self.tree.nodes
            if node.key not in self._last
        )

    def on_boards(self, node: str) -> Ints:
        """The best choice at a node with the whole board in view, by board and hole."""
        chosen: Ints = self._on_boards[self._last_place(node)] & FIRST
        return chosen

    def _chosen(self, node: Node, larger: bool = False) -> Any:
        if node.key in self._last:
            return BoardByBoard(larger)
        if (node.key, larger) not in self._choices:
            stakes = stakes_by_choice(node)
            ordered = tuple(-stake for stake in stakes) if larger else stakes
            choices = best_choice(self._worths[node.key][:, :, None], self._open[node.key], ordered)
            self._choices[node.key, larger] = choices
        return self._choices[node.key, larger]

    @cached_property
    def _choices(self) -> dict[tuple[str, bool], Ints]:
        """The best choices by node and tie rule, as far as they were asked for."""
        return {}

    def by_thumb(self, thumb: Thumb) -> dict[str, Any]:
        """The policy of a rule of thumb; with the whole board in view it is asked board by board."""
        found: dict[str, Any] = {}
        for node in self.tree.nodes:
            rule = thumb.rules.get(node.point.key)
            alike = next((other.key for other in self.tree.nodes if other.point is node.point), node.key)
            if rule is not None and not thumb.blind_to and alike in found:
                found[node.key] = found[alike]  # a rule looks at cards, not at what was wagered
            elif thumb.blind_to or node.key in self.points:
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

    @cached_property
    def _best_deals(self) -> tuple[Followed, Followed]:
        """What the best play comes to, and what it comes to where ties on whole boards go to the larger stake."""
        return self._deals({})

    def play(self, policy: Mapping[str, Any] | None = None) -> PlayResult:
        given = dict(policy or {})
        last = [given.get(key, BoardByBoard()) for key in self._last]
        if all(isinstance(how, BoardByBoard) and how.rule is None for how in last) and len({*last}) <= 1:
            tie_rule = int(any(how.larger for how in last))
            apart = self._boards_apart(given)
            if 2 * len(apart) < len(self.counts.boards):
                # The best play, and what is different where other choices are made.
                deals, often = self._best_deals[tie_rule]
                if len(apart):
                    more, less = self._deals(given, apart)[0], self._deals({}, apart)[tie_rule]
                    deals, often = deals + more[0] - less[0], often + more[1] - less[1]
                return self._result(deals, often)
        return self._result(*self._deals(given)[0])

    def _boards_apart(self, policy: Mapping[str, Any]) -> Ints:
        """The boards on which some part is played otherwise than best, before the whole board is in view."""
        boards = self.counts.boards
        found = np.zeros(len(boards), dtype=np.bool_)
        for node in self.tree.nodes:
            if node.key not in policy or node.key in self._last:
                continue
            classes = self._classes[self._street[node.key]]
            kinds = np.unique(classes.row_class[np.asarray(policy[node.key])[:, 0] != self._chosen(node)[:, 0]])
            for places in combinations(range(boards.shape[1]), classes.size):
                found |= np.isin(classes.number[set_numbers(boards[:, list(places)], len(self.deck))], kinds)
        return np.flatnonzero(found)

    def _result(self, deals: Ints, often: Ints) -> PlayResult:
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

    def _deals(self, policy: Mapping[str, Any], boards: Ints | None = None) -> tuple[Followed, Followed]:
        """By ending, outcome class and place beside it: in how many deals play comes there; and by node and choice.

        The second is the same where, of the choices on whole boards, those with the larger stake are made. With
        ``boards`` only these are played.
        """
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
        at_level = np.cumsum([0, *(len(kind.number) for kind in kinds)])[:-1].astype(np.int64)
        size = counts.boards.shape[1]
        parts, within = chain_parts(size, early)
        onward = [chains((*early[place:], size)) for place in range(len(early))]
        every = comb(size, early[0]) * onward[0] if early else 1
        first = self.tree.first
        whole = np.array([place_of[key] for key in self._last], dtype=np.int64)
        shared = (
            *(counts.holes, counts.segments, counts.against, len(self.deck)),
            *(first if isinstance(first, int) else -2 - place_of[first], leads, level, whole),
            *(chosen, at_node, *self._part_names, at_level, np.array(early, dtype=np.int64), parts, within),
            np.array([*onward, every], dtype=np.int64),
            *(binomials(len(self.deck), max(*early, self.game.player_cards, 1)), self._beside),
        )

        among = np.arange(len(counts.boards)) if boards is None else boards

        def follow(half: slice) -> tuple[Ints, Ints]:
            deals = np.zeros((2, *self._nets.shape), dtype=np.int64)
            often = np.zeros((2, len(nodes), most), dtype=np.int64)
            for portion in portions(half):
                rows = portion if boards is None else among[portion]
                play_boards(
                    *(counts.records[rows], counts.below[rows], counts.boards[rows], counts.weights[rows]),
                    *(self._last_choices(policy, rows), *shared, deals, often),
                )
            return deals, often

        lower, upper = halves(len(among))
        (deals, often), (others, others_often) = side_by_side(lambda: follow(lower), lambda: follow(upper))
        scale = self.total // (comb(len(self.deck), self.game.board_cards) * len(counts.holes) * every * counts.against)
        deals, often = (deals + others) * scale, (often + others_often) * scale
        return (deals[0], often[0]), (deals[0] + deals[1], often[0] + often[1])

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

    def _last_choices(self, policy: Mapping[str, Any], rows: Any) -> Ints:
        """By node of the whole board, board and hole: the choices by both tie rules, as `push_boards` gives them."""
        counts = self.counts
        found = np.zeros((len(self._last), len(counts.boards[rows]), len(counts.holes)), dtype=np.uint8)
        for place, key in enumerate(self._last):
            how = policy.get(key, BoardByBoard())
            if not isinstance(how, BoardByBoard):
                chosen = np.asarray(how)[:, 0].reshape(-1, len(counts.holes))[rows]
            elif how.rule is not None:
                chosen = self._told(self._nodes[key], how.rule, rows)
            else:
                found[place] = self._on_boards[self._last_place(key), rows]
                if not how.larger:
                    continue
                chosen = found[place] >> SECOND
            found[place] = chosen | chosen << SECOND
        return found

    def _told(self, node: Node, rule: Rule, rows: Any) -> Ints:
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
    cards = tuple(sorted(game.deck if deck is None else deck))
    key = game.key, cards, repr(option_sets(game, options or {}))
    counts = hold(key, lambda: count_boards(game, options, cards, progress))
    return BoardSolution(game, tables, options or {}, counts)
