"""Count once, price many: the outcomes of a game with one decision against a dealer, counted without its pay tables.

For every class of own hands, and for every card that the dealer may show, *leaves* say how many of the dealer's hands
lie in each *step*: a stretch of the dealer's rising values in which nothing that comes back changes. Where steps begin
is read off the rules, with odds that are all different, so that it holds for every pay table; that it does is verified
when a table is priced. Pricing multiplies: no dealer's hand is counted again for another pay table or raise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import comb
from typing import Any, Final, TypeAlias

import numpy as np

from houseway.cards import Card
from houseway.games.flow import is_open
from houseway.games.model import Game
from houseway.paytables import PayTable
from houseway.proof import generated
from houseway.proof.cardsets import Deck, Ints, in_class_form
from houseway.proof.distribution import Distribution
from houseway.proof.fits import Scored, is_by_rank, scored_rules, sides_of
from houseway.proof.hands import SUITS
from houseway.proof.shape import Course, Node, courses, exact_unit, nodes, option_numbers
from houseway.proof.solution import PlayResult, PointTable, Policy, Solution, told
from houseway.refusal import Refusal

Odds: TypeAlias = tuple[Sequence[int], Sequence[int]]
"""Numerators and denominators by row."""

MOST_STEPS: Final = 64
"""More steps than any rules make; rules that made more would be refused, not miscounted."""
FEW_STEPS: Final = 8
MOST_LISTED: Final = 1 << 24
PLAIN_PAIRS: Final = 40_000
"""Up to so many pairs of values the rules are asked as they stand; a compiler takes longer."""


@dataclass(frozen=True, eq=False)
class Leaves:
    """How many of the dealer's hands lie in each step, by class of own hands and by the card that the dealer shows."""

    deck: Deck
    by_rank: bool
    """Whether a class is a count of ranks; else it is hands that differ in the names of suits alone."""
    suits: tuple[tuple[int, ...], ...]
    """Groups of suits that were renamed."""
    hands: Ints
    """The hand that stands for each class."""
    keys: Ints
    """As in `PointTable`, rising."""
    ways: Ints
    own: Ints
    """By class: the row of ``own_values``."""
    own_values: Ints
    dealer_values: Ints
    """Rising; a step is a stretch of them."""
    starts: Ints
    """By row of ``own_values`` and step: the first dealer value in it; a step that does not exist starts at the end."""
    counts: Ints
    """By step, class and column."""
    cases: int
    """How many hands the dealer may hold with what is seen."""
    columns: int

    def check(self) -> None:
        """Weights sum to the number of hands, and the steps of every class to the number of the dealer's hands."""
        cards = self.hands.shape[1]
        if int(self.ways.sum()) != comb(len(self.deck), cards):
            raise ArithmeticError(f"classes of {self.ways.sum()} hands where {comb(len(self.deck), cards)} are")
        for portion in range(0, len(self.hands), 1 << 14):
            rows = slice(portion, portion + (1 << 14))
            sums = self.counts[:, rows].sum(axis=0, dtype=np.int64)
            if not np.array_equal(sums, np.where(self.possible(rows), self.cases, 0)):
                raise ArithmeticError(f"the steps of some hand do not sum to {self.cases} hands of the dealer's")

    def possible(self, rows: slice = slice(None)) -> Any:
        """Rows by columns: whether the dealer may show the card."""
        hands = self.hands[rows]
        if self.columns == 1:
            return np.ones((len(hands), 1), dtype=np.bool_)
        shown = np.array(self.deck, dtype=np.uint8)
        return ~(hands[:, :, None] == shown[None, None, :]).any(axis=1)

    def row_of(self, cards: Sequence[Card], dealer: Sequence[Card]) -> tuple[int, int]:
        """Row and column of what a spot sees."""
        if self.by_rank:
            key, column = sum(1 << 4 * (int(card) % 13) for card in cards), 0
        else:
            named = in_class_form(self.suits, cards, dealer)
            key = sum(1 << int(card) for card in named[: len(cards)])
            column = self.deck.index(named[-1]) if dealer else 0
        row = int(np.searchsorted(self.keys, key))
        if row == len(self.keys) or int(self.keys[row]) != key:
            raise ValueError("these cards are no hand of the deck")
        return row, column


# ------------------------------------------------------------------------------------------------ what comes back


class Outcomes:
    """What comes back, by own and dealer value: the loop written from the declaration, run plainly or compiled."""

    plain_pairs: int = PLAIN_PAIRS

    def __init__(
        self, game: Game, options: Mapping[str, Any], scored: Sequence[Scored] | None = None, sides: Any = sides_of
    ) -> None:
        self.game = game
        self.scored = scored_rules(game) if scored is None else tuple(scored)
        own, theirs, _ = sides(game, [rule for _, rule in self.scored])
        self.own, self.theirs = own, theirs
        self._source = generated.outcome_source(
            game, self.scored, [hand.key for hand in own], [hand.key for hand in theirs]
        )
        self._names = generated.outcome_names(game, self.scored)
        numbers = option_numbers(game, options)
        self._numbers = _ints([numbers[name] for name in generated.asked_options(game, self.scored)])
        self._amounts = generated.asked_amounts(game, self.scored)
        self._hands = [wager.hands if (wager := game.wager(name)) else () for name, _ in self.scored]

    @cached_property
    def _plain(self) -> Any:
        return generated.plain("outcomes", self._source, self._names)

    @cached_property
    def _compiled(self) -> Any:
        return generated.compiled("outcomes", self._source, self._names)

    def found(
        self,
        own: Ints,
        dealers: Ints,
        stakes: Mapping[str, int],
        weights: Mapping[str, int],
        odds: Mapping[str, Odds],
    ) -> tuple[Ints, Ints]:
        """By own value and step: where it starts (the end, where there is no such step), and the weighted sum there."""
        most = FEW_STEPS
        while True:
            starts = np.full((len(own), most), len(dealers), dtype=np.int64)
            totals = np.zeros((len(own), most), dtype=np.int64)
            steps = np.zeros(len(own), dtype=np.int64)
            given = (
                *(own, dealers, self._numbers, _ints([stakes.get(name, 0) for name in self._amounts])),
                _ints([stakes.get(name, 0) for name, _ in self.scored]),
                _ints([weights.get(name, 0) for name, _ in self.scored]),
                *self._schedules(odds),
                *(starts, totals, steps),
            )
            if len(own) * len(dealers) <= self.plain_pairs:
                self._plain(*[_listed(part) for part in given[:-3]], *given[-3:])
            else:
                self._compiled(*given)
            used = int(steps.max(initial=1))
            if used <= most:
                return starts[:, :used], totals[:, :used]
            if used > max(MOST_STEPS, FEW_STEPS):
                raise Refusal(
                    "rules", f"what comes back at {self.game.key} changes {used} times with the dealer's hand; the "
                    f"solver follows {MOST_STEPS} changes at most"
                )  # fmt: skip
            most = used

    def _schedules(self, odds: Mapping[str, Odds]) -> tuple[Ints, Ints]:
        rows = max((len(hands) for hands in self._hands), default=0) + 1
        num = np.zeros((len(self.scored), rows), dtype=np.int64)
        den = np.zeros((len(self.scored), rows), dtype=np.int64)
        for place, (name, _) in enumerate(self.scored):
            if name in odds:
                nums, dens = odds[name]
                num[place, : len(nums)], den[place, : len(dens)] = nums, dens
        return num, den

    def steps(self, own: Ints, dealers: Ints) -> Ints:
        """Where steps start whatever the tables pay: every rule counts, with odds and stakes that are all different."""
        names = [name for name, _ in self.scored]
        stakes = {wager.key: 1 for wager in self.game.wagers}
        weights = {name: 1_000_003 * (place + 1) ** 3 + 7_919 * place for place, name in enumerate(names)}
        odds: dict[str, Odds] = {
            name: ([101 + 13 * row * row + row for row in range(len(hands))], [1] * len(hands))
            for name, hands in zip(names, self._hands, strict=True)
            if hands
        }
        return self.found(own, dealers, stakes, weights, odds)[0]


def _ints(numbers: Sequence[int]) -> Ints:
    return np.array(numbers, dtype=np.int64)


def _listed(part: Any) -> Any:
    """Rows of plain integers: rules at the table take no arrays."""
    return _Rows(part.tolist()) if part.ndim == 2 else part.tolist()


class _Rows(list[Any]):
    """A list of lists that is read as an array is: ``rows[2, 0]``."""

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, tuple):
            return super().__getitem__(place[0])[place[1]]
        return super().__getitem__(place)


# ------------------------------------------------------------------------------------------------ what it is worth


class DealerSolution(Solution):
    """A game with one decision, or none, against a dealer's own hand, priced from its leaves."""

    def __init__(self, game: Game, tables: Mapping[str, PayTable], options: Mapping[str, Any], leaves: Leaves) -> None:
        self.game = game
        self.deck = leaves.deck
        self.options = {**game.defaults, **options}
        self.leaves = leaves
        self.unit = exact_unit(game, tables)
        self._tables = tables
        self._outcomes = Outcomes(game, self.options)
        self._nodes = nodes(game)

    def price(self) -> None:
        """Price every course, which verifies the steps of the leaves."""
        _ = self._nets

    @cached_property
    def points(self) -> Mapping[str, PointTable]:  # type: ignore[override]
        return {node.key: self._table(node) for node in self._nodes}

    def row_of(
        self, node: str, cards: Sequence[Card], dealer: Sequence[Card], board: Sequence[Card] = ()
    ) -> tuple[int, int]:
        return self.leaves.row_of(cards, dealer)

    def _table(self, node: Node) -> PointTable:
        leaves = self.leaves
        choices = node.point.choices
        worth = np.zeros((len(leaves.hands), len(choices), leaves.columns), dtype=np.int64)
        for place in range(len(choices)):
            nets = self._nets[place][leaves.own]
            if (nets == nets[:1, :1]).all():
                worth[:, place] = int(nets[0, 0]) * leaves.cases
                continue
            for step in range(len(leaves.counts)):
                worth[:, place] += leaves.counts[step] * nets[:, step, None]
        hand = next((hand for hand in self._outcomes.own if hand.key == self.game.hand), None)
        values = (
            leaves.own_values[leaves.own, self._outcomes.own.index(hand)]
            if hand is not None
            else np.zeros(len(leaves.hands), dtype=np.int64)
        )
        table = PointTable(
            point=node.point,
            hands=leaves.hands,
            board=np.zeros((len(leaves.hands), 0), dtype=np.uint8),
            keys=leaves.keys,
            values=values,
            ways=leaves.ways,
            possible=leaves.possible(),
            worth=worth,
            cases=leaves.cases,
            unit=self.unit,
            open=np.ones(worth.shape[:2], dtype=np.bool_),
            stakes=tuple(course.wagered for course in self._courses),
        )
        for place, choice in enumerate(choices):
            if choice.when is not None:
                said = told(self.game, table, choice.when, self.deck, self.options)
                if said.shape[1] > 1 and (said != said[:, :1]).any():
                    raise Refusal(f"choice {choice.key}", "is open by the dealer's card, which no kernel can count")
                table.open[:, place] = said[:, 0] != 0
        return table

    @cached_property
    def _courses(self) -> tuple[Course, ...]:
        return courses(self.game)

    @cached_property
    def _nets(self) -> list[Ints]:
        """By choice: net results in parts of the unit, by own value and step."""
        return [self._priced(course, self.leaves.own_values, self.leaves.starts) for course in self._courses]

    def _priced(self, course: Course, own: Ints, starts: Ints) -> Ints:
        alive = self._alive(course)
        wagered = course.wagered * self.unit
        if not alive:
            return np.full(starts.shape, -wagered, dtype=np.int64)
        stakes = {name: units * self.unit for name, units in course.stakes.items()}
        for name in alive:
            stakes.setdefault(name, 0)
        odds = {
            wager.key: self._tables[wager.table_key].schedule(wager.hands)
            for wager in self.game.wagers
            if wager.key in alive and wager.hands
        }
        found, totals = self._outcomes.found(own, self.leaves.dealer_values, stakes, dict.fromkeys(alive, 1), odds)
        return _at_steps(found, totals, starts, len(self.leaves.dealer_values)) - wagered

    def _alive(self, course: Course) -> list[str]:
        """The wagers and awards of the base game that are settled by their rules."""
        found = []
        for key in self.game.base:
            wager = self.game.wager(key)
            if wager is None or wager.pays is None or key in course.taken_back:
                continue
            made = wager.of in course.stakes if wager.kind == "award" else key in course.stakes
            if made and (not course.folded or self.game.stays(key, self.options)):
                found.append(key)
        return found

    def advise(
        self, cards: Sequence[Card], dealer_seen: Sequence[Card] = (), board_seen: Sequence[Card] = (), node: str = ""
    ) -> list[tuple[str, Fraction]]:
        """As for every solution; only what belongs to this hand is priced."""
        row, column = self.leaves.row_of(cards, dealer_seen)
        if not self._nodes:
            return []
        own = int(self.leaves.own[row])
        counts = [int(count) for count in self.leaves.counts[:, row, column]]
        found = []
        for place, choice in enumerate(self._nodes[0].point.choices):
            if not is_open(self.game, choice, cards, self._as_dealt(dealer_seen), (), self.options):
                continue
            course = self._courses[place]
            nets = self._priced(course, self.leaves.own_values[own : own + 1], self.leaves.starts[own : own + 1])
            net = sum(count * int(net) for count, net in zip(counts, nets[0], strict=True))
            found.append((choice.key, Fraction(net, self.leaves.cases * self.unit), course.wagered))
        return [(key, worth) for key, worth, _ in sorted(found, key=lambda choice: (-choice[1], choice[2]))]

    def _as_dealt(self, seen: Sequence[Card]) -> list[Card]:
        """The dealer's cards by place; those that are not seen are not asked for."""
        lying = [Card(-1)] * self.game.dealer_cards
        for place, card in zip(self.game.dealer_face_up, seen, strict=False):
            lying[place] = card
        return lying

    # -------------------------------------------------------------------------------------------- what play comes to

    @property
    def total(self) -> int:
        """How many deals there are."""
        shown = len(self.deck) - self.leaves.hands.shape[1] if self.leaves.columns > 1 else 1
        return comb(len(self.deck), self.leaves.hands.shape[1]) * shown * self.leaves.cases

    def chosen(self, policy: Policy | None = None) -> list[Any]:
        """By choice: the rows and columns at which it is made."""
        possible = self.leaves.possible()
        if not self._nodes:
            return [possible]
        node = self._nodes[0].key
        place = self.points[node].best if policy is None or node not in policy else policy[node]
        return [possible & (place == at) for at in range(len(self._courses))]

    def play(self, policy: Policy | None = None) -> PlayResult:
        leaves = self.leaves
        nets: dict[int, int] = {}
        often: list[int] = []
        for place, mask in enumerate(self.chosen(policy)):
            seen = int((mask.sum(axis=1) * leaves.ways).sum()) * leaves.cases
            often.append(seen)
            by_value = self._nets[place]
            if (by_value == by_value[:1, :1]).all():
                net = int(by_value[0, 0])
                nets[net] = nets.get(net, 0) + seen
                continue
            for net, count in self._summed(by_value, mask).items():
                nets[net] = nets.get(net, 0) + count
        total = self.total
        if sum(nets.values()) != total:
            raise ArithmeticError(f"{sum(nets.values())} deals where {total} are")
        hits = sum(count for net, count in nets.items() if net > 0)
        wagered = sum(count * course.wagered for count, course in zip(often, self._courses, strict=True))
        follows = sum(
            count
            for count, course in zip(often, self._courses, strict=True)
            if any(key in self.game.followers for key in course.stakes)
        )
        shares = tuple(Fraction(count, total) for count in often)
        return PlayResult(
            Distribution(self.unit, nets, total, hits, Fraction(wagered, total)),
            {node.key: shares for node in self._nodes},
            Fraction(follows, total),
        )

    def _summed(self, by_value: Ints, mask: Any) -> dict[int, int]:
        """By result: in how many deals, with the rows and columns chosen, it comes."""
        leaves = self.leaves
        order, ends = self._by_own
        sums: dict[int, int] = {}
        for step in range(len(leaves.counts)):
            counts = np.where(mask, leaves.counts[step], 0).sum(axis=1, dtype=np.int64) * leaves.ways
            by_own = np.add.reduceat(counts[order], ends)
            for result, count in zip(by_value[:, step].tolist(), by_own.tolist(), strict=True):
                if count:
                    sums[result] = sums.get(result, 0) + count
        return sums

    @cached_property
    def _by_own(self) -> tuple[Ints, Ints]:
        """The classes in the order of their own values, and where each value begins."""
        order = np.argsort(self.leaves.own, kind="stable")
        return order, np.searchsorted(self.leaves.own[order], np.arange(len(self.leaves.own_values)))

    def scores(self, name: str, rows: Any = None, stake: int = 0, odds: Odds | None = None) -> dict[int, int]:
        """In how many deals a rule that sets the two hands against each other gives each result.

        ``rows`` says of which hands and cards that are seen, all of them where it is left out; a wager's rule is asked
        with this stake, and with these odds where it pays by a table.
        """
        stakes = dict.fromkeys((*self.game.base, name), stake)
        found, totals = self._outcomes.found(
            self.leaves.own_values, self.leaves.dealer_values, stakes, {name: 1}, {name: odds} if odds else {}
        )
        by_value = _at_steps(found, totals, self.leaves.starts, len(self.leaves.dealer_values))
        return self._summed(by_value, self.leaves.possible() if rows is None else rows)

    def stays_in(self) -> Any:
        """The rows and columns at which the best play does not fold."""
        return np.any(
            [mask for mask, course in zip(self.chosen(), self._courses, strict=True) if not course.folded], axis=0
        )


class StepsDifferError(ArithmeticError):
    """A pay table by which results change inside a step; the leaves must be counted with more steps."""

    def __init__(self, starts: Ints) -> None:
        super().__init__("results change inside a step")
        self.starts = starts


def _at_steps(found: Ints, totals: Ints, starts: Ints, end: int) -> Ints:
    """What was found for steps of its own, by the steps of the leaves; those must be as fine."""
    known = (found[:, :, None] == starts[:, None, :]).any(axis=2) | (found >= end)
    if not known.all():
        raise StepsDifferError(found)
    place = ((found[:, None, :] <= starts[:, :, None]) & (found[:, None, :] < end)).sum(axis=2) - 1
    return np.take_along_axis(totals, place, axis=1)


def joined(starts: Ints, more: Ints | None, end: int) -> Ints:
    """The starts of steps of two kinds together, by own value; the end fills rows that have fewer."""
    if more is None:
        return np.ascontiguousarray(starts)
    rows = [sorted({*one, *two, end}) for one, two in zip(starts.tolist(), more.tolist(), strict=True)]
    most = max(len(row) for row in rows) - 1
    return np.array([(row + [end] * most)[: max(most, 1)] for row in rows], dtype=np.int64)


def in_key_order(leaves: Leaves) -> Leaves:
    """The same with rising keys, so that a hand is found by halving."""
    order = np.argsort(leaves.keys, kind="stable")
    if (order[1:] > order[:-1]).all():
        return leaves
    return Leaves(
        leaves.deck, leaves.by_rank, leaves.suits, leaves.hands[order], leaves.keys[order], leaves.ways[order],
        leaves.own[order], leaves.own_values, leaves.dealer_values, leaves.starts, leaves.counts[:, order],
        leaves.cases, leaves.columns,
    )  # fmt: skip


def distinct_rows(columns: list[Ints], size: int) -> tuple[Ints, Ints]:
    """The different rows of columns side by side, rising, and which of them stands where."""
    if not columns:
        return np.zeros((1, 0), dtype=np.int64), np.zeros(size, dtype=np.int64)
    if len(columns) == 1 and int(columns[0].min()) >= 0 and int(columns[0].max()) < MOST_LISTED:
        # Values below a few million are ticked off in a list: sorting twenty million hands takes seconds.
        is_there = np.zeros(int(columns[0].max()) + 1, dtype=np.bool_)
        is_there[columns[0]] = True
        return np.flatnonzero(is_there)[:, None], (np.cumsum(is_there, dtype=np.int64) - 1)[columns[0]]
    rows, place = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)
    return rows, place.ravel()


# ------------------------------------------------------------------------------------------------ one hand alone


MOST_DIRECT: Final = 250_000
"""So many hands of the dealer's are valued one by one in about half a second."""


def leaves_of_hand(game: Game, deck: Deck, cards: Sequence[Card], seen: Sequence[Card]) -> Leaves | None:
    """The leaves of one hand, counted as at the table and without a compiler; None where that would take long."""
    own, theirs, _ = sides_of(game, [rule for _, rule in scored_rules(game)])
    rest = tuple(card for card in deck if card not in (*cards, *seen))
    hidden = game.dealer_cards - len(seen)
    found: dict[tuple[int, ...], int] = {}
    if len(theirs) == 1 and not seen and is_by_rank(theirs[0].ranking):
        from houseway.proof.kernels.by_ranks import ways_by_value

        found = {(value,): ways for value, ways in ways_by_value(theirs[0].ranking, rest, hidden).items()}
    elif comb(len(rest), hidden) > MOST_DIRECT:
        return None
    else:
        rankings = [hand.ranking.value for hand in theirs]
        for others in combinations(rest, hidden):
            key = tuple([value(*seen, *others) for value in rankings])
            found[key] = found.get(key, 0) + 1
    dealers = sorted(found)
    own_values = [[hand.ranking.value(*cards) for hand in own]]
    held = tuple(sorted(cards))
    return Leaves(
        deck=deck,
        by_rank=False,
        suits=tuple((suit,) for suit in range(SUITS)),
        hands=np.array([held], dtype=np.uint8),
        keys=np.array([sum(1 << int(card) for card in held)], dtype=np.int64),
        ways=np.ones(1, dtype=np.int64),
        own=np.zeros(1, dtype=np.int64),
        own_values=np.array(own_values, dtype=np.int64).reshape(1, len(own)),
        dealer_values=np.array(dealers, dtype=np.int64).reshape(len(dealers), len(theirs)),
        starts=np.arange(len(dealers))[None, :],
        counts=np.array([found[key] for key in dealers], dtype=np.int64)[:, None, None]
        * np.ones((1, 1, len(deck) if seen else 1), dtype=np.int64),
        cases=comb(len(rest), hidden),
        columns=len(deck) if seen else 1,
    )
