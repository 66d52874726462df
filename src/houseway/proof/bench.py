"""What is counted for a question: a base game under its best play, a side wager, or the hands of a progressive.

A bench is what the questions of one game share while they are counted: the solved base game, and the cases of its
rules, which do not depend on what a table pays.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from houseway.cards import RANK_NAMES, Card, rank_of
from houseway.games import approved_book
from houseway.games.model import Game, Wager
from houseway.paytables import Book, PayTable
from houseway.proof.compiled import Progress
from houseway.proof.distribution import Distribution, exact_wager, side_wager
from houseway.proof.figure import BASE, PLAY_FROM, PROGRESSIVE, Counted, Play, Quantity, Simulation
from houseway.proof.fits import ROW, scored_rules
from houseway.proof.solver import prices, solve
from houseway.proof.special import special_solver
from houseway.refusal import Refusal

if TYPE_CHECKING:
    from houseway.proof.collect import Question
    from houseway.proof.sides import Cases
    from houseway.proof.solution import Solution


@dataclass(frozen=True, slots=True)
class Found:
    """What a solver says to a question."""

    distribution: Distribution | None = None
    larger: Distribution | None = None
    rows: Mapping[str, int] = field(default_factory=dict)
    play: Play | None = None
    house_edge: Quantity | None = None
    hit_frequency: Quantity | None = None
    standard_deviation: float | None = None
    results: tuple[tuple[Fraction, Quantity], ...] = ()
    simulation: Simulation | None = None

    def counted(self, question: Question, seconds: float) -> Counted:
        """As it is kept and shipped."""
        return Counted(
            game=question.game.key,
            wager=question.wager,
            table=question.label,
            seconds=seconds,
            distribution=self.distribution,
            larger=self.larger,
            house_edge=self.house_edge,
            hit_frequency=self.hit_frequency,
            standard_deviation=self.standard_deviation,
            results=self.results,
            rows=self.rows,
            total=sum(self.rows.values()),
            play=self.play,
            simulation=self.simulation,
        )


def base_tables(game: Game, chosen: PayTable | None = None, book: Book | None = None) -> dict[str, PayTable]:
    """The tables that the base game pays by: the chosen one, and for the others the first approved."""
    known = book or approved_book()
    tables: dict[str, PayTable] = {}
    for wager in game.wagers:
        if wager.key in game.base and wager.hands and wager.table_key not in tables:
            if chosen is not None and chosen.wager == wager.table_key:
                tables[wager.table_key] = chosen
                continue
            first = next((table for table in known.of(game.families, wager.table_key)), None)
            if not isinstance(first, PayTable):
                raise Refusal("table", f"there is no pay table for {wager.table_key} of {game.key}")
            tables[wager.table_key] = first
    return tables


class Bench:
    """What the questions of one game share while they are counted; one thread at a time."""

    def __init__(self, told: Progress, *, fresh: bool = False) -> None:
        self.told = told
        self._fresh = fresh
        self._counted: set[Any] = set()
        self._solutions: dict[Any, Solution] = {}
        self._special: dict[str, Any] = {}
        self._cases: dict[Any, Cases | None] = {}

    def answer(self, question: Question) -> Found:
        """What is counted for a question."""
        game = question.game
        if question.wager == BASE:
            return self._special_base(question) if game.solver else self._base(question)
        if question.wager == PROGRESSIVE:
            return self._progressive(question)
        wager = wager_of(game, question.wager)
        if wager.by_hands_dealt:
            return self._highest(question, wager)
        return self._side(question, wager)

    def solution(self, question: Question) -> Solution:
        """The base game of a question, or under the first approved table where its own pays something else."""
        base = question.paytable if question.wager == BASE and isinstance(question.paytable, PayTable) else None
        tables = base_tables(question.game, base)
        key = (
            question.game.key,
            tuple((name, table.id, table.approved, table.rows) for name, table in tables.items()),
            question.options if question.wager == BASE else (),
        )
        if key not in self._solutions:
            options = dict(question.options) if question.wager == BASE else {}
            # What is counted afresh is counted once, whatever the number of tables.
            again = self._fresh and (key[0], key[2]) not in self._counted
            self._counted.add((key[0], key[2]))
            self._solutions.clear()
            self._solutions[key] = solve(question.game, tables, options, progress=self.told, fresh=again)
        return self._solutions[key]

    # -------------------------------------------------------------------------------------------- base games

    def _special_base(self, question: Question) -> Found:
        game = question.game
        solver = special_solver(game)
        if game.key not in self._special:
            self._special[game.key] = solver.solved(game, self.told)
        distribution, play = solver.played(self._special[game.key], question.label)
        return Found(distribution, play=play)

    def _base(self, question: Question) -> Found:
        solution = self.solution(question)
        best = solution.best
        edges = {
            thumb.words: solution.edge(solution.by_thumb(thumb))
            for thumb in question.game.thumbs
            if prices(question.game, thumb)
        }
        facts, least = threshold(question.game, solution)
        larger = solution.play(solution.larger).distribution if solution.has_ties else best.distribution
        beside = larger if larger != best.distribution else None
        return Found(best.distribution, beside, play=Play(best.follow_frequency, facts, edges, least))

    # -------------------------------------------------------------------------------------------- without a decision

    def _side(self, question: Question, wager: Wager) -> Found:
        table = question.odds if wager.hands else None
        odds: tuple[Any, Any] = table.schedule(wager.hands) if table is not None else ((), ())
        for_one = table is not None and table.returns_wager is False
        cases, asked = self._cases_of(question, wager.key, wager.pays, len(wager.hands))
        if cases is None:
            return Found(self._against_dealer(question, wager, odds, for_one))
        dens = (*odds[1], wager.parts)
        distribution = side_wager(cases, lambda case, stake: asked(case, stake, odds), dens, for_one=for_one)
        rows = self._categories(question) if table is not None and table.envy_cents else {}
        return Found(distribution, rows=rows)

    def _cases_of(self, question: Question, name: str, rule: Any, rows: int) -> tuple[Cases | None, Any]:
        from houseway.proof.cardsets import sorted_deck
        from houseway.proof.sides import RuleAsked, count_cases

        game, options = question.game, dict(question.options)
        key = (game.key, name, question.options)
        if key not in self._cases and game.shoe is not None:
            from houseway.proof.kernels.shoe_counts import count_shoe_cases

            self._cases[key] = count_shoe_cases(game, rule, options)
        elif key not in self._cases:
            self._cases[key] = count_cases(game, rule, options, rows, sorted_deck(game.deck))
        return self._cases[key], RuleAsked(game, rule, options)

    def _against_dealer(self, question: Question, wager: Wager, odds: tuple[Any, Any], for_one: bool) -> Distribution:
        from houseway.proof.leaves import DealerSolution
        from houseway.proof.sides import refuse_side

        solution = self.solution(question)
        if not isinstance(solution, DealerSolution) or wager.key not in dict(scored_rules(question.game)):
            raise refuse_side(question.game, wager.label)
        unit = exact_wager(odds[1])
        returned = solution.scores(wager.key, None, unit, odds)
        return side_wager(returned, lambda back, stake: back * stake // unit, odds[1] or [unit], for_one=for_one)

    def _categories(self, question: Question) -> dict[str, int]:
        """How often a spot's hand is of each category: the odds of envy."""
        from houseway.games.model import Hand
        from houseway.proof.cardsets import sorted_deck, tally

        game = question.game
        hand = game.value_of(game.hand)
        if not isinstance(hand, Hand):
            raise Refusal("wager", f"{question.wager} of {game.key} pays envy on a hand that is no value of cards")
        ways: dict[str, int] = {}
        for (value,), count in sorted(tally(sorted_deck(game.deck), game.player_cards, [hand.ranking]).items()):
            category = str(hand.ranking.category(value))
            ways[category] = ways.get(category, 0) + count
        return ways

    def _progressive(self, question: Question) -> Found:
        """How often a spot has each row; one that needs the dealer's hand is won only by a hand that is not folded."""
        from houseway.proof.leaves import DealerSolution
        from houseway.proof.sides import refuse_side

        game = question.game
        if game.progressive is None:
            raise Refusal("wager", f"{game.key} has no progressive")
        names = game.progressive.hands
        paid = {hand for schema in game.schemas if schema.wager == PROGRESSIVE for hand in schema.hands}
        ways = dict.fromkeys(names, 0)
        cases, asked = self._cases_of(question, PROGRESSIVE, game.progressive.row, 0)
        if cases is not None:
            for values, count in cases.items():
                ways[names[asked(values)]] += count
        else:
            solution = self.solution(question)
            if not isinstance(solution, DealerSolution) or ROW not in dict(scored_rules(game)):
                raise refuse_side(game, PROGRESSIVE)
            for row, count in solution.scores(ROW, solution.stays_in()).items():
                ways[names[row]] += count
            ways[names[0]] += solution.total - sum(ways.values())
        return Found(rows={hand: count for hand, count in reversed(ways.items()) if count or hand in paid})

    def _highest(self, question: Question, wager: Wager) -> Found:
        from houseway.proof import cover_all

        hands = int(question.label.split()[-1])
        deck = tuple(question.game.deck)
        found = cover_all.cover_all(question.game, wager, question.odds, hands, deck, progress=self.told)
        if found.distribution is not None:
            return Found(found.distribution)
        return Found(
            house_edge=Quantity(found.house_edge.low, found.house_edge.high),
            hit_frequency=Quantity(found.hit_frequency.low, found.hit_frequency.high),
            standard_deviation=found.standard_deviation,
            results=tuple((net, Quantity(chance.low, chance.high)) for net, chance in found.results),
            simulation=cover_all.simulated(question.game, wager, question.odds, hands),
        )


def wager_of(game: Game, table_key: str) -> Wager:
    """The wager beside the base game that is called so, or pays by a table of this name."""
    named = game.wager(table_key)
    if named is not None and named.key not in game.base:
        return named
    found = next((wager for wager in game.wagers if wager.table_key == table_key and wager.key not in game.base), None)
    if found is None:
        raise ValueError(f"{game.key} has no wager {table_key} beside its base game")
    return found


def threshold(game: Game, solution: Solution) -> tuple[dict[str, int], str]:
    """Where the best play folds below a hand and makes one choice from it on: that hand's value, and its words."""
    import numpy as np

    if len(solution.points) != 1:
        return {}, ""
    ((_, table),) = solution.points.items()
    if table.possible.shape[1] != 1 or table.board.shape[1] or not table.point.choices[0].folds:
        return {}, ""
    best, values = table.best[:, 0], np.asarray(table.values)
    played = best > 0
    if not played.any() or len(set(best[played].tolist())) != 1:
        return {}, ""
    least = int(values[played].min())
    if (~played).any() and int(values[~played].max()) >= least:
        return {}, ""
    lowest = table.hands[int(np.flatnonzero(played & (values == least))[0])]
    ranks = sorted((rank_of(Card(int(card))) for card in lowest), reverse=True)
    return {PLAY_FROM: least}, "-".join(RANK_NAMES[rank] for rank in ranks)
