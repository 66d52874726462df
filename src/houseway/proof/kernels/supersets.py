"""Own and community cards against a pay table, with several decisions: sums over supersets.

Nothing but the set of all cards of a hand decides what comes back, so what a spot sees at a decision is worth the same
for every way in which that set is its own cards and the board's. Every whole hand is counted under its outcome class
in each of its subsets; that is done once. Pricing goes from the last street to the first: a choice is worth what its
classes pay, or the sum, over the sets that one street more makes of a set, of the best that can be done with them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import comb
from typing import Any, Final

import numpy as np

from houseway.cards import Card
from houseway.games.flow import shown_at
from houseway.games.model import Choice, Game
from houseway.paytables import PayTable
from houseway.proof.cardsets import (
    Deck,
    Ints,
    class_sizes,
    every_set,
    in_class_form,
    set_number,
    sorted_deck,
    values_of_sets,
    verified_suits,
)
from houseway.proof.compiled import Progress, jit, silent
from houseway.proof.distribution import Distribution
from houseway.proof.hands import binomials
from houseway.proof.kernels.streets import (
    BoardOutcomes,
    UnequalClassError,
    board_sides,
    chains,
    follows,
    seen_cards,
    stakes_by_choice,
    streets,
    tree_of,
    ways_to_deal,
    why_no_board_game,
)
from houseway.proof.shape import Node, base_rules, exact_unit, needed_hands
from houseway.proof.solution import PlayResult, PointTable, Policy, Solution, told
from houseway.refusal import Refusal

MOST_SETS: Final = 25_000_000
"""More whole hands than so many would take too long, and too much room."""


def why_not_supersets(game: Game, deck: Sequence[Card]) -> str:
    """Why this kernel cannot count a game, in a sentence; empty where it can."""
    reason = why_no_board_game(game)
    if reason:
        return reason
    if board_sides(game, base_rules(game))[1]:
        return "its base game looks at the dealer's hand"
    sets = comb(len(deck), game.player_cards + game.board_cards)
    return f"it has {sets:,} whole hands; {MOST_SETS:,} can be counted" if sets > MOST_SETS else ""


@dataclass(frozen=True, eq=False)
class SightRows:
    """What a spot may see at a street: every class of own cards with every set of board cards."""

    hands: Ints
    board: Ints
    ways: Ints
    sets: Ints
    """By row: the number of the set of all its cards."""
    boards: int
    """How many rows go with one class of own cards."""


@dataclass(frozen=True, eq=False)
class SupersetCounts:
    """Whole hands by outcome class, counted under all that may be seen of them; no pay table has a part in it."""

    deck: Deck
    suits: list[list[int]]
    """Groups of suits that may be renamed."""
    values: Ints
    """What whole hands may be worth, rising."""
    classes: Ints
    """By value: its outcome class."""
    counts: Mapping[int, Ints]
    """By number of cards seen: sets by outcome class."""
    rows: Mapping[int, SightRows]
    """By number of board cards seen."""


def count_supersets(
    game: Game,
    options: Mapping[str, Any] | None = None,
    deck: Sequence[Card] | None = None,
    progress: Progress | None = None,
) -> SupersetCounts:
    """Count a game once; pay tables price it afterwards."""
    cards = sorted_deck(game.deck if deck is None else deck)
    reason = why_not_supersets(game, cards)
    if reason:
        raise Refusal(game.key, f"cannot be counted by sums over supersets: {reason}")
    report = progress or silent
    report(game.key, 0.0)
    own, size = game.player_cards, game.player_cards + game.board_cards
    if len(cards) < size:
        raise Refusal("deck", f"{len(cards)} cards are too few to deal {game.key}")
    outcomes = BoardOutcomes(game, options or {})
    sets = every_set(cards, size)
    values, value = np.unique(values_of_sets(outcomes.own[0].ranking, cards, size), return_inverse=True)
    suits = verified_suits(cards, [(sets, values[value])])
    report(game.key, 0.3)
    alike = [
        outcomes.told_apart(ending, values[:, None], np.zeros((1, 0), dtype=np.int64))[1][:, 0]
        for ending in tree_of(game).endings
    ]
    kinds, classes = np.unique(np.stack(alike, axis=1), axis=0, return_inverse=True)
    classes = classes.ravel()
    counts = {
        own + seen: _counted(cards, sets, classes[value].astype(np.int64), own + seen, len(kinds))
        for seen in streets(game)
    }
    report(game.key, 0.9)
    rows = {seen: _rows_at(cards, suits, own, seen) for seen in streets(game)[:-1]}
    if any(seen_cards(game, point) == game.board_cards for point in game.points):
        rows[game.board_cards] = _rows_at(cards, suits, own, game.board_cards)
    found = SupersetCounts(cards, suits, values, classes, counts, rows)
    _check(found, size)
    report(game.key, 1.0)
    return found


def _check(counts: SupersetCounts, size: int) -> None:
    """Every set has as many whole hands as its missing cards can be dealt, and the rows stand for every deal."""
    deck = len(counts.deck)
    for seen, by_class in counts.counts.items():
        if not (by_class.sum(axis=1, dtype=np.int64) == comb(deck - seen, size - seen)).all():
            raise ArithmeticError(f"sets of {seen} cards do not have {comb(deck - seen, size - seen)} hands each")
    for board, rows in counts.rows.items():
        own = rows.hands.shape[1]
        if int(rows.ways.sum()) != comb(deck, own) * comb(deck - own, board):
            raise ArithmeticError(f"the rows stand for {rows.ways.sum()} deals of {own} and {board} cards")


def _counted(deck: Deck, sets: Ints, kinds: Ints, size: int, classes: int) -> Ints:
    counts = np.zeros((comb(len(deck), size), classes), dtype=np.int32)
    _count_in_subsets(sets, kinds, _subsets(sets.shape[1], size), binomials(len(deck), size), counts)
    return counts


def _subsets(size: int, part: int) -> Ints:
    """The places of every part of so many in a set."""
    return np.array(list(combinations(range(size), part)), dtype=np.int64).reshape(comb(size, part), part)


def _rows_at(deck: Deck, suits: Sequence[Sequence[int]], own: int, seen: int) -> SightRows:
    """Every class of own cards, with every set of board cards from the rest of the deck."""
    holes = every_set(deck, own)
    sizes = class_sizes(deck, holes, suits).astype(np.int64)
    holes, sizes = holes[sizes > 0].astype(np.int64), sizes[sizes > 0]
    rest = np.array([[place for place in range(len(deck)) if place not in hole] for hole in holes.tolist()])
    boards = every_set(deck[: len(deck) - own], seen).astype(np.int64) if seen else np.zeros((1, 0), dtype=np.int64)
    board = rest[:, boards].reshape(len(holes) * len(boards), seen)
    hands = np.repeat(holes, len(boards), axis=0)
    every = np.sort(np.concatenate([hands, board], axis=1), axis=1)
    choose = binomials(len(deck), own + seen)
    sets = sum((choose[at + 1, every[:, at]] for at in range(own + seen)), np.zeros(len(every), dtype=np.int64))
    cards = np.array(deck, dtype=np.uint8)
    return SightRows(cards[hands], cards[board], np.repeat(sizes, len(boards)), sets, len(boards))


# ------------------------------------------------------------------------------------------------ prices


class SupersetSolution(Solution):
    """A game of own and community cards against a pay table, priced from its counts."""

    def __init__(
        self,
        game: Game,
        tables: Mapping[str, PayTable],
        options: Mapping[str, Any],
        counts: SupersetCounts,
    ) -> None:
        self.game = game
        self.deck = counts.deck
        self.options = {**game.defaults, **options}
        self.unit = exact_unit(game, tables)
        self.counts = counts
        self.tree = tree_of(game)
        self._outcomes = BoardOutcomes(game, self.options)
        self._nets = np.stack([self._priced(place, tables) for place in range(len(self.tree.endings))])
        self._nodes = {node.key: node for node in self.tree.nodes}
        self._worths: dict[str, Ints] = {}
        self._open: dict[str, Ints] = {}
        for node in reversed(self.tree.nodes):
            self._worths[node.key] = self._worth(node)

    @cached_property
    def points(self) -> Mapping[str, PointTable]:  # type: ignore[override]
        return {node.key: self._table(node) for node in self.tree.nodes}

    def row_of(
        self, node: str, cards: Sequence[Card], dealer: Sequence[Card], board: Sequence[Card]
    ) -> tuple[int, int]:
        named = in_class_form(self.counts.suits, cards, board)
        own, lying = named[: len(cards)], named[len(cards) :]
        rows = self.counts.rows[seen_cards(self.game, self._nodes[node].point)]
        rest = tuple(card for card in self.deck if card not in own)
        return self._hole_rows[set_number(self.deck, own)] * rows.boards + set_number(rest, lying), 0

    @cached_property
    def _hole_rows(self) -> dict[int, int]:
        rows = next(iter(self.counts.rows.values()))
        hands = rows.hands[:: rows.boards].tolist()
        return {set_number(self.deck, hand): place for place, hand in enumerate(hands)}

    # -------------------------------------------------------------------------------------------- worths

    def _priced(self, place: int, tables: Mapping[str, PayTable]) -> Ints:
        """The net result of an ending by outcome class."""
        nothing = np.zeros((1, 0), dtype=np.int64)
        _, totals = self._outcomes.nets(
            self.tree.endings[place], self.counts.values[:, None], nothing, self.unit, tables
        )
        classes = self.counts.classes
        nets = np.zeros(int(classes.max()) + 1, dtype=np.int64)
        nets[classes] = totals[:, 0]
        if not np.array_equal(nets[classes], totals[:, 0]):
            raise UnequalClassError(f"a pay table of {self.game.key} tells hands apart that were counted as one class")
        return nets

    def _seen_from(self, seen: int) -> tuple[int, ...]:
        """The streets from that one on."""
        return tuple(street for street in streets(self.game) if street >= seen)

    def _worth(self, node: Node) -> Ints:
        """By set of cards seen and choice: net results summed over every way in which the board goes on."""
        seen = seen_cards(self.game, node.point)
        size = self.game.player_cards + seen
        counts = self.counts.counts[size]
        worth = np.zeros((len(counts), len(node.point.choices)), dtype=np.int64)
        for place, after in enumerate(self.tree.branches[node.key]):
            if isinstance(after, int):
                worth[:, place] = counts @ self._nets[after] * chains(self._seen_from(seen))
                continue
            then = seen_cards(self.game, self._nodes[after].point)
            skipped = [street for street in self._seen_from(seen) if street <= then]
            worth[:, place] = self._summed(self._best_of(after), size, size + then - seen) * chains(skipped)
        self._open[node.key] = np.stack(
            [self._is_open(node, choice, len(counts)) for choice in node.point.choices], axis=1
        )
        return worth

    def _best_of(self, node: str) -> Ints:
        worth = np.where(self._open[node], self._worths[node], np.iinfo(np.int64).min)
        best: Ints = worth.max(axis=1)
        return best

    def _summed(self, values: Ints, size: int, larger: int) -> Ints:
        """By set of ``size`` cards: the sum of what the larger sets around it are worth."""
        if larger == size:
            return values
        sums = np.zeros(comb(len(self.deck), size), dtype=np.int64)
        _add_to_subsets(
            every_set(self.deck, larger), values, _subsets(larger, size), binomials(len(self.deck), size), sums
        )
        return sums

    def _is_open(self, node: Node, choice: Choice, sets: int) -> Ints:
        if choice.when is None:
            return np.ones(sets, dtype=np.bool_)
        shown = shown_at(self.game, node.point)
        for hand in needed_hands(self.game, [choice.when]):
            looks = {zone: set(shown[zone] if places is None else places) for zone, places in hand.places}
            if looks != {zone: set(places) for zone, places in shown.items() if places}:
                raise Refusal(
                    f"choice {choice.key}", f"is open by {hand.key}, which is not of all the cards seen at {node.key}"
                )
        cards = np.array(self.deck, dtype=np.uint8)[every_set(self.deck, self._size(node))]
        own = self.game.player_cards
        everything = self._blank(node, cards[:, :own], cards[:, own:], np.zeros((sets, 1), dtype=np.int64))
        said = told(self.game, everything, choice.when, self.deck, self.options)
        opened: Ints = said[:, 0] != 0
        return opened

    def _size(self, node: Node) -> int:
        return self.game.player_cards + seen_cards(self.game, node.point)

    def _blank(self, node: Node, hands: Ints, board: Ints, worth: Ints) -> PointTable:
        """A table of what is seen at a node, before anything is known of its rows."""
        choices = len(node.point.choices)
        seen = self._seen_from(board.shape[1])
        return PointTable(
            point=node.point,
            hands=hands,
            board=board,
            keys=(np.int64(1) << hands.astype(np.int64)).sum(axis=1),
            values=np.zeros(len(hands), dtype=np.int64),
            ways=np.ones(len(hands), dtype=np.int64),
            possible=np.ones((len(hands), 1), dtype=np.bool_),
            worth=worth,
            cases=ways_to_deal(len(self.deck), self.game.player_cards, seen),
            unit=self.unit,
            open=np.ones((len(hands), choices), dtype=np.bool_),
            stakes=stakes_by_choice(node),
        )

    def _table(self, node: Node) -> PointTable:
        rows = self.counts.rows[seen_cards(self.game, node.point)]
        worth = self._worths[node.key][rows.sets][:, :, None]
        table = self._blank(node, rows.hands, rows.board, worth)
        return replace(table, ways=rows.ways, open=self._open[node.key][rows.sets])

    # -------------------------------------------------------------------------------------------- what play comes to

    @property
    def total(self) -> int:
        """How many deals there are, the board street by street."""
        own = self.game.player_cards
        seen = self._seen_from(0 if self.game.points else self.game.board_cards)
        return comb(len(self.deck), own) * ways_to_deal(len(self.deck), own, (0, *seen) if seen[0] else seen)

    def play(self, policy: Policy | None = None) -> PlayResult:
        chosen = {
            key: table.best if policy is None or key not in policy else policy[key]
            for key, table in self.points.items()
        }
        deals = self._deals_by_class(chosen)
        nets: dict[int, int] = {}
        wagered = following = 0
        for place, by_class in enumerate(deals["endings"]):
            ending = self.tree.endings[place]
            cases = sum(by_class)
            wagered += cases * ending.wagered
            following += cases if follows(self.game, ending) else 0
            for kind, count in enumerate(by_class):
                net = int(self._nets[place, kind])
                nets[net] = nets.get(net, 0) + count
        total = self.total
        if sum(nets.values()) != total:
            raise ArithmeticError(f"{sum(nets.values())} deals where {total} are")
        return PlayResult(
            Distribution(
                self.unit,
                nets,
                total,
                sum(count for net, count in nets.items() if net > 0),
                Fraction(wagered, total),
            ),
            {key: tuple(Fraction(count, total) for count in deals["choices"][key]) for key in self.points},
            Fraction(following, total),
        )

    def _deals_by_class(self, chosen: Mapping[str, Ints]) -> Any:
        """By ending and outcome class, and by node and choice: in how many deals play comes there."""
        deck, own = len(self.deck), self.game.player_cards
        classes = self._nets.shape[1]
        endings = [[0] * classes for _ in self.tree.endings]
        choices: dict[str, list[int]] = {}
        first = self.tree.first
        if isinstance(first, int):
            endings[first] = [int(count) for count in self._whole_hands()]
            return {"endings": endings, "choices": choices}
        reached: dict[str, Ints] = {}
        seen = seen_cards(self.game, self._nodes[first].point)
        start = chains([street for street in (0, *streets(self.game)) if street <= seen]) if seen else 1
        reached[first] = self.counts.rows[seen].ways * start
        for node in self.tree.nodes:
            here = reached.get(node.key)
            seen = seen_cards(self.game, node.point)
            rows = self.counts.rows[seen]
            further = self._seen_from(seen)
            ways = ways_to_deal(deck, own, further)
            choices[node.key] = [0] * len(node.point.choices)
            if here is None:
                continue
            for place, after in enumerate(self.tree.branches[node.key]):
                goes = np.where(chosen[node.key][:, 0] == place, here, 0)
                choices[node.key][place] = int(goes.sum()) * ways
                if isinstance(after, int):
                    by_class = goes @ self.counts.counts[own + seen][rows.sets].astype(np.int64)
                    endings[after] = [
                        before + int(count) * chains(further)
                        for before, count in zip(endings[after], by_class, strict=True)
                    ]
                    continue
                then = seen_cards(self.game, self._nodes[after].point)
                skipped = [street for street in further if street <= then]
                comes = self._carried(goes, seen, then) * chains(skipped)
                reached[after] = reached.get(after, 0) + comes
        return {"endings": endings, "choices": choices}

    def _whole_hands(self) -> Ints:
        """Of a game without decisions: whole deals by outcome class."""
        own, board = self.game.player_cards, self.game.board_cards
        every: Ints = self.counts.counts[own + board].sum(axis=0, dtype=np.int64) * comb(own + board, own)
        return every

    def _carried(self, goes: Ints, seen: int, then: int) -> Ints:
        """What came to rows of one street, at the rows of a later one: from every part of the board there."""
        if seen == then:
            return goes
        before, after = self.counts.rows[seen], self.counts.rows[then]
        rest = len(self.deck) - self.game.player_cards
        boards = every_set(self.deck[:rest], then).astype(np.int64)
        choose = binomials(rest, then)
        by_hole = goes.reshape(-1, before.boards)
        comes = np.zeros((len(by_hole), after.boards), dtype=np.int64)
        for part in _subsets(then, seen):
            number = np.zeros(len(boards), dtype=np.int64)
            for at, place in enumerate(part):
                number += choose[at + 1, boards[:, place]]
            comes += by_hole[:, number]
        return comes.ravel()


def solve_supersets(
    game: Game,
    tables: Mapping[str, PayTable],
    options: Mapping[str, Any] | None = None,
    deck: Sequence[Card] | None = None,
    progress: Progress | None = None,
) -> SupersetSolution:
    """The best play of a game of own and community cards against a pay table."""
    counts = count_supersets(game, options, deck, progress)
    return SupersetSolution(game, tables, options or {}, counts)


# ------------------------------------------------------------------------------------------------ compiled


@jit()
def _count_in_subsets(sets: Any, kinds: Any, parts: Any, choose: Any, counts: Any) -> None:
    """Count every set under its class in each of its parts."""
    for row in range(len(sets)):
        for part in range(len(parts)):
            number = 0
            for at in range(parts.shape[1]):
                number += choose[at + 1, sets[row, parts[part, at]]]
            counts[number, kinds[row]] += 1


@jit()
def _add_to_subsets(sets: Any, values: Any, parts: Any, choose: Any, sums: Any) -> None:
    """Add what every set is worth to each of its parts."""
    for row in range(len(sets)):
        for part in range(len(parts)):
            number = 0
            for at in range(parts.shape[1]):
                number += choose[at + 1, sets[row, parts[part, at]]]
            sums[number] += values[row]
