"""Shoe by counts: deals of several decks, weighed by how many cards of each kind are left.

Two cards are of one kind where no value that is looked at tells them apart, whatever lies beside them: that is looked
for, not claimed. A deal is then an order of kinds, and its weight a product of falling factors: so many cards of the
first kind, so many of the second that are left, and so on. Cards that nobody looks at, burned ones too, are left out:
any card is as likely as any other to be among them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import product
from math import perm
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from houseway.cards import NO_CARD, Card, rank_of
from houseway.games.flow import is_asked, is_open
from houseway.games.model import Decide, Derived, Game, Hand, Rule
from houseway.games.round import Action, Round, Spot
from houseway.paytables import PayTable
from houseway.proof.distribution import Distribution
from houseway.proof.kernels.brute import stakes_after
from houseway.proof.shape import (
    base_rules,
    base_stakes,
    decision_rules,
    exact_unit,
    needed,
    nodes,
    option_numbers,
)
from houseway.proof.solution import Ints, PlayResult, PointTable, Policy, Solution
from houseway.refusal import Refusal
from houseway.rule import arguments_of

Place: TypeAlias = tuple[str, int]
Cases: TypeAlias = dict[tuple[int, ...], int]

MOST_CARDS: Final = 3
"""A value is worked out for every hand of so many ranks; larger hands would be too many."""
TRIED: Final = 300
"""Random hands on which it is tried that suits do not matter."""


def why_not_counts(game: Game, _deck: Sequence[Card]) -> str:
    """What stands against counting a game so; empty where nothing does."""
    if game.shoe is None:
        return "it is not dealt from a shoe"
    hands = [value for value in game.values if isinstance(value, Hand)]
    for hand in hands:
        if hand.ranking.suits_matter:
            return f"the value {hand.key} depends on suits"
        if hand.ranking.cards > MOST_CARDS or not hand.ranking.cards:
            return f"the value {hand.key} takes more than {MOST_CARDS} cards"
    if len(game.points) > 1:
        return "it has more than one decision"
    if game.points and (game.player_cards, game.dealer_cards, game.dealer_face_up) != (1, 1, (0,)):
        return "it decides by other cards than one of the spot's and one of the dealer's, face up"
    return ""


class CardKind(NamedTuple):
    """Cards that no value tells apart."""

    card: Card
    """The one that stands for all."""
    ranks: frozenset[int]


def find_kinds(game: Game, hands: Sequence[Hand]) -> tuple[CardKind, ...]:
    """The kinds of cards that these values tell apart: ranks that can take each other's place in every hand."""
    alike = np.ones((13, 13), dtype=np.bool_)
    ranks = [Card(place) for place in range(13)]
    sizes = {zone.key: zone for zone in game.zones}
    for hand in hands:
        _check_suits(hand)
        places = [
            (zone, place)
            for zone, some in hand.places
            for place in (range(sizes[zone].places) if some is None else some)
        ]
        # A place that is dealt later may be empty.
        options_by_place = [[*ranks, *([NO_CARD] if place >= sizes[zone].cards else [])] for zone, place in places]
        values = np.array([hand.ranking.value(*cards) for cards in product(*options_by_place)])
        table = values.reshape([len(cards) for cards in options_by_place])
        for axis in range(len(places)):
            rows = np.moveaxis(table, axis, 0).reshape(len(options_by_place[axis]), -1)[:13]
            alike &= (rows[:, None, :] == rows[None, :, :]).all(axis=2)
    kinds: dict[int, list[int]] = {}
    for rank in range(13):
        kinds.setdefault(int(np.flatnonzero(alike[rank])[0]), []).append(rank)
    return tuple(CardKind(Card(first), frozenset(rank + 2 for rank in some)) for first, some in kinds.items())


def _check_suits(hand: Hand) -> None:
    source = Random(20_260_417)
    value = hand.ranking.value
    for _ in range(TRIED):
        ranks = [source.randrange(13) for _ in range(hand.ranking.cards)]
        suited = [Card(13 * source.randrange(4) + rank) for rank in ranks]
        if value(*suited) != value(*[Card(rank) for rank in ranks]):
            raise ArithmeticError(f"{hand.ranking.key} says that suits do not matter, and tells suits apart")


class _Draw(NamedTuple):
    """Some cards that lie somewhere, and in how many ways they came there."""

    lying: tuple[Card, ...]
    """By the number of the place; `NO_CARD` where none lies."""
    dealt: int
    left: tuple[int, ...]
    """Kind by kind: how many cards are left."""
    ways: int


class _RuleInputs(NamedTuple):
    """A rule, and what has to be known for it."""

    rule: Rule
    hands: tuple[Hand, ...]
    derived: tuple[Derived, ...]
    answers: dict[tuple[int, ...], int]
    """By the values of the hands."""


class ShoeDeals:
    """The deals of one spot from a full shoe."""

    def __init__(self, game: Game, options: Mapping[str, Any], hands: Sequence[Hand], pack: Sequence[Card]) -> None:
        self.game = game
        self.options = {**game.defaults, **options}
        self.kinds = find_kinds(game, hands)
        by_rank = Counter(rank_of(card) for card in pack)
        self.full = tuple(sum(by_rank[rank] for rank in kind.ranks) for kind in self.kinds)
        self.cards = len(pack)
        every = [(zone.key, place) for zone in game.zones for place in range(zone.places)]
        self.at: dict[Place, int] = {place: number for number, place in enumerate(every)}
        self.places = len(every)
        self.total = perm(self.cards, self.places)
        """In how many ways cards come to all places, those that stay empty in some deals included."""
        if not self.total:
            raise Refusal("shoe", f"{self.cards} cards are too few to deal {game.key}")
        self._known: dict[tuple[str, tuple[Card, ...]], int] = {}
        self._looks = {hand.key: self._numbers_of(hand) for hand in game.values if isinstance(hand, Hand)}
        self._rules: dict[Rule, _RuleInputs] = {}
        self._options = option_numbers(game, self.options)
        self._later = [(deal, [self.at[place] for place in deal.to]) for deal in game.later_deals]

    def _numbers_of(self, hand: Hand) -> tuple[int, ...]:
        sizes = {zone.key: zone.places for zone in self.game.zones}
        return tuple(
            self.at[zone, place]
            for zone, places in hand.places
            for place in (range(sizes[zone]) if places is None else places)
        )

    def first(self) -> Iterator[_Draw]:
        """The cards that are dealt at once."""
        places = [self.at[zone.key, place] for zone in self.game.zones for place in range(zone.cards)]
        yield from self._fill(_Draw((NO_CARD,) * self.places, 0, self.full, 1), places)

    def _fill(self, draw: _Draw, places: Sequence[int]) -> Iterator[_Draw]:
        if not places:
            yield draw
            return
        at, *rest = places
        lying, dealt, left, ways = draw
        for number, kind in enumerate(self.kinds):
            count = left[number]
            if count:
                after = _Draw(
                    (*lying[:at], kind.card, *lying[at + 1 :]),
                    dealt + 1,
                    (*left[:number], count - 1, *left[number + 1 :]),
                    ways * count,
                )
                if rest:
                    yield from self._fill(after, rest)
                else:
                    yield after

    def later(self, draw: _Draw, wagers: frozenset[str]) -> Iterator[_Draw]:
        """The cards that the rules call for then, with these wagers wagers."""
        yield from self._deal(draw, 0, wagers)

    def _deal(self, draw: _Draw, step: int, wagers: frozenset[str]) -> Iterator[_Draw]:
        while step < len(self._later):
            deal, places = self._later[step]
            step += 1
            if deal.wager in wagers if deal.when is None else self.answer_to(deal.when, draw.lying):
                for after in self._fill(draw, places):
                    yield from self._deal(after, step, wagers)
                return
        yield draw

    def weight(self, draw: _Draw) -> int:
        """In how many of ``total`` ways the cards come to lie so."""
        return draw.ways * perm(self.cards - draw.dealt, self.places - draw.dealt)

    def value(self, hand: Hand, lying: tuple[Card, ...]) -> int:
        """A value of cards that lie there."""
        cards = tuple([lying[at] for at in self._looks[hand.key]])
        known = self._known.get((hand.key, cards))
        if known is None:
            known = self._known[hand.key, cards] = hand.ranking.value(*cards)
        return known

    def answer_to(self, rule: Rule, lying: tuple[Card, ...]) -> int:
        """What a rule of values and options says."""
        rule_inputs = self._rules.get(rule)
        if rule_inputs is None:
            values = [self.game.value_of(key) for key in needed(self.game, [rule])]
            rule_inputs = self._rules[rule] = _RuleInputs(
                rule,
                tuple(value for value in values if isinstance(value, Hand)),
                tuple(value for value in values if isinstance(value, Derived)),
                {},
            )
        key = tuple([self.value(hand, lying) for hand in rule_inputs.hands])
        answer = rule_inputs.answers.get(key)
        if answer is None:
            env = {**self._options, **{hand.key: value for hand, value in zip(rule_inputs.hands, key, strict=True)}}
            for derived in rule_inputs.derived:
                env[derived.key] = derived.rule(*[env[name] for name in arguments_of(derived.rule)])
            answer = rule_inputs.answers[key] = int(rule(*[env[name] for name in arguments_of(rule)]))
        return answer

    def of_owner(self, owner: str, lying: tuple[Card, ...]) -> tuple[Card, ...]:
        """The cards of a zone as a round holds them."""
        zone = next((known for known in self.game.zones if known.owner == owner), None)
        return tuple(lying[self.at[zone.key, place]] for place in range(zone.places)) if zone else ()


# ------------------------------------------------------------------------------------------------ without a decision


def count_shoe_cases(game: Game, rule: Rule, options: Mapping[str, Any], pack: Sequence[Card] | None = None) -> Cases:
    """The cases of a rule by the values of its cards, in the order of the declaration."""
    hands = tuple(value for key in needed(game, [rule]) if isinstance(value := game.value_of(key), Hand))
    chosen = {**game.defaults, **options}
    with_wager = {place for deal in game.later_deals if deal.wager for place in deal.to}
    for hand in hands:
        for zone, places in hand.places:
            if any((zone, place) in with_wager for place in places or ()):
                raise Refusal(
                    "wager", f"looks at {hand.key} of {game.key}, which is dealt with a wager: no kernel counts it"
                )
    every = _all_cases(game, tuple(sorted(game.pack(chosen) if pack is None else pack)))
    known = _hands_without_wager(game)
    columns = [known.index(hand) for hand in hands]
    cases: Cases = {}
    for values, ways in every.items():
        key = tuple([values[column] for column in columns])
        cases[key] = cases.get(key, 0) + ways
    return cases


def _hands_without_wager(game: Game) -> list[Hand]:
    """The values of cards that no wager has to be wagers for."""
    with_wager = {place for deal in game.later_deals if deal.wager for place in deal.to}
    return [
        value
        for value in game.values
        if isinstance(value, Hand)
        and not any((zone, place) in with_wager for zone, places in value.places for place in places or ())
    ]


@lru_cache(maxsize=4)
def _all_cases(game: Game, pack: tuple[Card, ...]) -> Cases:
    """The deals of a shoe by all values of cards: the wagers of a game share this count."""
    hands = _hands_without_wager(game)
    deals = ShoeDeals(game, {}, hands, pack)
    cases: Cases = {}
    for draw in deals.first():
        for end in deals.later(draw, frozenset()):
            key = tuple([deals.value(hand, end.lying) for hand in hands])
            cases[key] = cases.get(key, 0) + deals.weight(end)
    if sum(cases.values()) != deals.total:
        raise ArithmeticError(f"the deals of {game.key} do not sum to {deals.total}")
    return cases


# ------------------------------------------------------------------------------------------------ with a decision


class _Leaf(NamedTuple):
    net: int
    ways: int


class _SightRow(NamedTuple):
    """What a spot sees at the decision, and what every choice comes to."""

    own: Card
    up: Card
    ways: int
    open: tuple[bool, ...]
    leaves: tuple[tuple[_Leaf, ...], ...]
    """By choice; the ways of each sum to ``ways``."""

    def worth(self, place: int) -> int:
        return sum(leaf.net * leaf.ways for leaf in self.leaves[place])


class ShoeSolution(Solution):
    """A base game with one decision, or none, dealt from a full shoe."""

    def __init__(
        self, game: Game, tables: Mapping[str, PayTable], options: Mapping[str, Any], pack: Sequence[Card] | None
    ) -> None:
        self.game = game
        self.options = {**game.defaults, **options}
        self.deck = tuple(sorted(game.deck))
        self.unit = exact_unit(game, tables)
        self._tables = tables
        rules = (*base_rules(game), *decision_rules(game), *(deal.when for deal in game.later_deals if deal.when))
        rules += tuple(point.when for point in game.points if point.when is not None)
        hands = [value for key in needed(game, rules) if isinstance(value := game.value_of(key), Hand)]
        cards = game.pack(self.options) if pack is None else pack
        self._deals = ShoeDeals(game, self.options, hands, cards)
        self._stakes = {key: units * self.unit for key, units in base_stakes(game).items()}
        self.undecided: list[_Leaf] = []
        """Deals with which a spot has no decision."""
        self.rows: list[_SightRow] = []
        point = game.points[0] if game.points else None
        for draw in self._deals.first():
            self._look(point, draw)
        counted = sum(leaf.ways for leaf in self.undecided) + sum(row.ways for row in self.rows)
        if counted != self._deals.total:
            raise ArithmeticError(f"the deals of {game.key} do not sum to {self._deals.total}")
        self.points = {} if point is None else {nodes(game)[0].key: self._table}

    def _look(self, point: Decide | None, draw: _Draw) -> None:
        own, dealer, board = (self._deals.of_owner(owner, draw.lying) for owner in ("spot", "dealer", "table"))
        if point is None or not is_asked(self.game, point, own, dealer, board, self.options):
            self.undecided += self._ends(draw, ())
            return
        leaves = tuple(tuple(self._ends(draw, (Action(choice.key),))) for choice in point.choices)
        opened = tuple(is_open(self.game, choice, own, dealer, board, self.options) for choice in point.choices)
        self.rows.append(_SightRow(own[0], dealer[0], self._deals.weight(draw), opened, leaves))

    def _ends(self, draw: _Draw, actions: tuple[Action, ...]) -> Iterator[_Leaf]:
        """What a course comes to, over the cards that are still dealt; settled by the game."""
        point = self.game.points[0] if actions else None
        choice = point.choice(actions[0].name) if point else None
        wagers = frozenset(stake.wager for stake in choice.stakes) if choice else frozenset()
        for end in self._deals.later(draw, wagers):
            own, dealer, board = (self._deals.of_owner(owner, end.lying) for owner in ("spot", "dealer", "table"))
            spot = Spot(1, own, self._stakes, actions)
            settled = self.game.settle(Round(dealer, (spot,), self._tables, self.options, board))
            results = settled.spots[0].wagers.values()
            yield _Leaf(sum(result.returned - result.wagered for result in results), self._deals.weight(end))

    # -------------------------------------------------------------------------------------------- as a table

    @cached_property
    def _table(self) -> PointTable:
        """By own card and the dealer's: what every choice is worth. Cards of one kind have the same row."""
        node = nodes(self.game)[0]
        choices = node.point.choices
        kinds = {kind.card: kind for kind in self._deals.kinds}
        owns = sorted({row.own for row in self.rows})
        shape = (len(owns), len(self.deck))
        worth = np.zeros((len(owns), len(choices), len(self.deck)), dtype=object)
        possible = np.zeros(shape, dtype=np.bool_)
        opened = np.zeros((len(owns), len(choices)), dtype=np.bool_)
        cases = perm(self._deals.cards - 2, self._deals.places - 2)
        for row in self.rows:
            at = owns.index(row.own)
            opened[at] = row.open
            for column, card in enumerate(self.deck):
                if rank_of(card) in kinds[row.up].ranks:
                    possible[at, column] = True
                    for place in range(len(choices)):
                        # Every pair of cards of these kinds has the same worth, so the sum is divided evenly.
                        pairs = row.ways // cases
                        worth[at, place, column] = row.worth(place) // pairs
        return PointTable(
            point=node.point,
            hands=np.array([[own] for own in owns], dtype=np.uint8),
            board=np.zeros((len(owns), 0), dtype=np.uint8),
            keys=np.array([1 << 4 * (rank_of(own) - 2) for own in owns], dtype=np.int64),
            values=np.array([self._own_value(own) for own in owns], dtype=np.int64),
            ways=np.array([self._deals.full[self._kind(own)] for own in owns], dtype=np.int64),
            possible=possible,
            worth=worth,
            cases=cases,
            unit=self.unit,
            open=opened,
            stakes=stakes_after(node),
        )

    def _own_value(self, own: Card) -> int:
        hand = self.game.value_of(self.game.hand)
        lying = tuple(own if place == 0 else NO_CARD for place in range(self._deals.places))
        return self._deals.value(hand, lying) if isinstance(hand, Hand) else 0

    def _kind(self, card: Card) -> int:
        return next(place for place, kind in enumerate(self._deals.kinds) if rank_of(card) in kind.ranks)

    def row_of(
        self, node: str, cards: Sequence[Card], dealer: Sequence[Card], board: Sequence[Card]
    ) -> tuple[int, int]:
        card = self._deals.kinds[self._kind(cards[0])].card
        table = self.points[node]
        column = self.deck.index(dealer[0])
        for row, own in enumerate(table.hands[:, 0].tolist()):
            if own == card and table.possible[row, column]:
                return row, column
        raise Refusal("up", f"with these cards {self.game.key} has no decision to make")

    # -------------------------------------------------------------------------------------------- played

    def play(self, policy: Policy | None = None) -> PlayResult:
        nets: Counter[int] = Counter()
        for leaf in self.undecided:
            nets[leaf.net] += leaf.ways
        chosen: Counter[int] = Counter()
        stakes = base_stakes(self.game)
        wagered = sum(stakes.values()) * self._deals.total
        follows = 0
        for key, table in self.points.items():
            for row in self.rows:
                place = self._choice_at(key, table, policy, row)
                chosen[place] += row.ways
                wagered += (table.stakes[place] - sum(stakes.values())) * row.ways
                follows += row.ways if table.point.choices[place].stakes else 0
                for leaf in row.leaves[place]:
                    nets[leaf.net] += leaf.ways
        total = self._deals.total
        distribution = Distribution(
            self.unit, nets, total, sum(ways for net, ways in nets.items() if net > 0), Fraction(wagered, total)
        )
        frequencies = {
            key: tuple(Fraction(chosen[place], total) for place in range(len(table.point.choices)))
            for key, table in self.points.items()
        }
        return PlayResult(distribution, frequencies, Fraction(follows, total))

    def _choice_at(self, key: str, table: PointTable, policy: Policy | None, row: _SightRow) -> int:
        at = table.hands[:, 0].tolist().index(row.own)
        chosen: Ints = table.best if policy is None or key not in policy else policy[key]
        return int(chosen[at, self.deck.index(row.up)])

    def edge(self, policy: Policy) -> Fraction:
        """The house edge of a way to play."""
        return self.play(policy).distribution.house_edge


def solve_shoe(
    game: Game, tables: Mapping[str, PayTable], options: Mapping[str, Any], pack: Sequence[Card] | None = None
) -> ShoeSolution:
    """The best play of a base game that is dealt from a full shoe; ``pack`` in place of all its cards."""
    return ShoeSolution(game, tables, options, pack)
