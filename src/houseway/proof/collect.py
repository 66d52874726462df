"""Every figure there is: which wagers the games have, which solver counts each, and all of them at once.

A question is one wager on one pay table under the house options that bear on it. What was counted for it before, and is
shipped or cached, is taken from there; the rest goes to the solvers, two of them at a time, and is saved as it comes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from importlib.util import find_spec
from math import sqrt
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from houseway.games import Game, all_games, approved_book, find_game
from houseway.paytables import Book, PayTable, ProgressiveTable, Table
from houseway.progressive import Policy
from houseway.progressive.awards import check_policy
from houseway.proof.compiled import Progress, jit, part, rules_digest, silent
from houseway.proof.distribution import Distribution
from houseway.proof.figure import Counted, Figure, Play, Quantity, Simulation
from houseway.proof.printed import Setup, figure_of, odds_of
from houseway.proof.progressive import Odds
from houseway.proof.store import Store
from houseway.proof.strategy import PLAY_FROM
from houseway.ranking.poker import value_of_five
from houseway.refusal import Fault, Refusal

if TYPE_CHECKING:
    from houseway.proof.executors import Engine

WORKERS: Final = 2
BASE: Final = "base"
BASE_TABLES: Final[Mapping[str, str]] = {
    "three-card-poker": "ante_bonus",
    "caribbean-stud": "bet",
    "straight-edge-1": "play",
    "straight-edge-2": "blind",
}
"""The wager whose pay table decides the base game."""
PAI_GOW_ELEMENTS: Final = ("house way", "best setting", "house way, doubling", "best setting, doubling")

BEARING: Final[Mapping[tuple[str, str], tuple[str, ...]]] = {
    ("three-card-poker", BASE): ("equal_hands",),
    ("straight-edge-2", BASE): ("blind_on_margin_zero",),
}
"""The house options that a count depends on."""
SHOWN: Final[Mapping[str, tuple[str, ...]]] = {
    "progressive": ("fixed_from",),
    "insurance": ("folded_keeps_insurance",),
}
"""House options, by wager, that change no count but how it is read."""

SIMULATED_ROUNDS: Final = 2_000_000
SIMULATION_SEED: Final = 20_230_401


@dataclass(frozen=True, slots=True)
class Question:
    """One wager on one pay table, under the options that its count depends on."""

    game: Game
    wager: str
    label: str
    """The table as a figure names it: its id, a number of hands, or a way to play."""
    paytable: Table | None
    options: tuple[tuple[str, Any], ...] = ()

    @property
    def approved(self) -> bool:
        return self.paytable is None or self.paytable.approved

    def option(self, name: str) -> Any:
        return dict(self.options).get(name, self.game.defaults[name])

    @property
    def odds(self) -> PayTable:
        """The pay table of a wager that pays odds."""
        if not isinstance(self.paytable, PayTable):
            raise ValueError(f"{self.game.key} {self.wager} {self.label} pays no odds")
        return self.paytable

    @property
    def rows(self) -> Any:
        """What of the pay table the count depends on; nothing for a progressive, whose hands alone are counted."""
        table = self.paytable
        if not isinstance(table, PayTable):
            return None
        return [
            [[row.hand, [[odds.num, odds.den] for odds in row.odds]] for row in table.rows],
            *(list(table.columns), table.returns_wager, sorted(table.envy_cents.items())),
        ]


@dataclass(frozen=True, slots=True)
class Request:
    """Which figures are asked for, and under which circumstances."""

    book: Book = field(default_factory=approved_book)
    games: tuple[str, ...] = ()
    """Empty for all."""
    wagers: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    """Ids or aliases."""
    options: Mapping[str, Any] = field(default_factory=dict)
    contribution: Fraction | None = None
    seeds_cents: Mapping[str, int] = field(default_factory=dict)
    others: int | None = None
    house_only: bool = False
    """Only the tables of the house's own files."""
    fresh: bool = False
    """Count again what is shipped or cached."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C while counting: what is done is saved."""

    def __init__(self, done: int, asked: int) -> None:
        super().__init__(
            f"interrupted: {done} of {asked} counts are done and saved; without --fresh the next run goes on from there"
        )
        self.done = done
        self.asked = asked


def all_figures(
    request: Request | None = None, progress: Progress | None = None, engine: Engine | None = None
) -> list[Figure]:
    """Every figure that is asked for, game by game; without a request every figure of every approved table.

    What has to be counted is counted in threads of this process, or by the workers of the engine's cluster.
    """
    asked = request or Request()
    check_options(asked)
    questions = questions_of(asked)
    check_link(asked, questions)
    counts = count(questions, fresh=asked.fresh, progress=progress, engine=engine)
    return [
        figure_of(counted, question.paytable, setup_of(question, asked))
        for question, counted in zip(questions, counts, strict=True)
    ]


def progressive_odds(game: str, table: ProgressiveTable, request: Request | None = None) -> Odds:
    """A progressive table, approved or made up on the spot, with how often its hands come at this game."""
    asked = request or Request()
    question = Question(_games(replace(asked, games=(game,)))[0], "progressive", table.id, table)
    return odds_of(count([question])[0], table, setup_of(question, asked))


def setup_of(question: Question, request: Request) -> Setup:
    """The circumstances that a figure is read under: of the options given those that bear on it."""
    names = (*BEARING.get((question.game.key, question.wager), ()), *SHOWN.get(question.wager, ()))
    defaults = question.game.defaults
    bearing = {
        name: request.options[name]
        for name in names
        if name in defaults and request.options.get(name, defaults[name]) != defaults[name]
    }
    if "fixed_from" in bearing and isinstance(question.paytable, ProgressiveTable) and not request.tables:
        try:
            check_policy(question.paytable, Policy(fixed_from=bearing["fixed_from"]))
        except Refusal:
            del bearing["fixed_from"]  # meant for the tables that have that meter; this one stays as marked
    return Setup(question.game, request.book, bearing, request.contribution, request.seeds_cents, request.others)


def counted_games() -> list[Game]:
    """The games that there are solvers for."""
    return [game for game in all_games().values() if game.key in COUNTERS]


def check_options(request: Request) -> None:
    """Refuse an option that none of the games asked for has, or a value that it does not take."""
    games = _games(request)
    for name, value in request.options.items():
        options = [option for game in games for option in game.options if option.name == name]
        if not options:
            known = sorted({option.name for game in games for option in game.options if option.settles})
            raise Refusal(
                f"option {name}", f"is no option of {_listed(game.key for game in games)}; there are {_listed(known)}"
            )
        if not any(option.fits(value) for option in options):
            raise Refusal(f"option {name}", f"{value!r} does not fit; allowed is {options[0].allowed}")


def check_link(request: Request, questions: Sequence[Question]) -> None:
    """Refuse a contribution that is no rate, and a seed for a meter that no table asked for has."""
    if request.contribution is not None and not 0 <= request.contribution <= 1:
        raise Refusal("contribution", "must be a rate from 0 to 1, or from 0% to 100%")
    tables = [question.paytable for question in questions if isinstance(question.paytable, ProgressiveTable)]
    meters = list(dict.fromkeys(meter for table in tables for meter in table.meters))
    for name in request.seeds_cents:
        if name not in meters:
            raise Refusal("seed", f"no table asked for has a meter {name!r}; there are {_listed(meters) or 'none'}")


def _games(request: Request) -> list[Game]:
    known = counted_games()
    for key in request.games:
        if find_game(key) is None:
            raise Refusal("game", f"{key[:40]!r} is not a game here; known are {_listed(game.key for game in known)}")
        if key not in COUNTERS:
            raise Refusal("game", f"no solver counts {key}; counted are {_listed(game.key for game in known)}")
    return [game for game in known if not request.games or game.key in request.games]


def questions_of(request: Request) -> list[Question]:
    """Every wager and table that the request names; a name that nothing has is refused."""
    games = _games(request)
    every = [question for game in games for question in _questions(game, request)]
    if request.house_only:
        every = [question for question in every if not question.approved]
    wagers = list(dict.fromkeys(question.wager for question in every))
    for wager in request.wagers:
        if wager not in wagers:
            raise Refusal("wager", f"{wager[:40]!r} has no figure here; there are {_listed(wagers) or 'none'}")
    chosen = [question for question in every if not request.wagers or question.wager in request.wagers]
    for name in request.tables:
        if not any(_named(question, name) for question in chosen):
            labels = list(dict.fromkeys(question.label for question in chosen))
            raise Refusal("table", f"{name[:40]!r} has no figure here; there are {_listed(labels) or 'none'}")
    return [
        question for question in chosen if not request.tables or any(_named(question, name) for name in request.tables)
    ]


def _named(question: Question, name: str) -> bool:
    table = question.paytable
    return name == question.label or (table is not None and name in table.aliases)


def _questions(game: Game, request: Request) -> Iterator[Question]:
    base_wager = BASE_TABLES.get(game.key)
    if base_wager is None:
        for label in PAI_GOW_ELEMENTS:
            yield Question(game, BASE, label, None, _options(game, BASE, request))
    for wager in game.table_wagers:
        named = BASE if wager == base_wager else wager
        if named not in COUNTERS[game.key]:
            continue
        for table in request.book.of(game.families, wager):
            labels = [str(column) for column in table.columns] if isinstance(table, PayTable) and table.columns else []
            for label in labels or [table.id]:
                shown = f"{table.id} {label}" if labels and not table.approved else label
                yield Question(game, named, shown, table, _options(game, named, request))


def _options(game: Game, wager: str, request: Request) -> tuple[tuple[str, Any], ...]:
    return tuple(
        (name, request.options[name])
        for name in BEARING.get((game.key, wager), ())
        if request.options.get(name, game.defaults[name]) != game.defaults[name]
    )


def _listed(words: Iterable[str]) -> str:
    return ", ".join(words)


# ------------------------------------------------------------------------------------------------ counting


def count(
    questions: Sequence[Question],
    *,
    fresh: bool = False,
    progress: Progress | None = None,
    engine: Engine | None = None,
) -> list[Counted]:
    """What the solvers find for every question, in order; known counts are not counted again unless ``fresh``."""
    told = progress or silent
    store = Store()
    known: dict[Question, Counted] = {}
    if not fresh:
        known = {question: found for question in questions if (found := store.find(question)) is not None}
    open_ = [question for question in questions if question not in known]
    if open_:
        if find_spec("numba") is None or find_spec("numpy") is None:
            raise Refusal(
                "figures",
                "not computed for the rules and tables of this installation, and counting needs the proof extra: "
                "pip install 'houseway[proof]'",
            )
        if engine is not None and engine.scheduler is not None:
            known |= _counted_elsewhere(open_, store, told, engine)
        else:
            known |= _counted_side_by_side(open_, store, told)
    return [known[question] for question in questions]


def _counted_side_by_side(questions: Sequence[Question], store: Store, told: Progress) -> dict[Question, Counted]:
    """The solvers' answers, saved as they come. Each game is one job, so that what its questions share is made once."""
    found: dict[Question, Counted] = {}

    def job(mine: Collection[Question]) -> None:
        bench = Bench(told)
        for question in mine:
            if stopped:
                return
            started = time.perf_counter()
            made = COUNTERS[question.game.key][question.wager](bench, question)
            seconds = time.perf_counter() - started
            found[question] = made.counted(question, seconds)
            store.save(question, found[question])

    stopped: list[bool] = []
    jobs = sorted(_by_game(questions).values(), key=lambda mine: LONGEST_FIRST.index(mine[0].game.key))
    pool = ThreadPoolExecutor(max_workers=WORKERS, thread_name_prefix="solver")
    futures: set[Future[None]] = {pool.submit(job, mine) for mine in jobs}
    try:
        while futures:
            done, futures = wait(futures, timeout=0.2, return_when=FIRST_COMPLETED)
            for one in done:
                one.result()
    except KeyboardInterrupt:
        raise Interrupted(len(found), len(questions)) from None
    finally:
        stopped.append(True)
        pool.shutdown(wait=False, cancel_futures=True)
    return found


def _counted_elsewhere(
    questions: Sequence[Question], store: Store, told: Progress, engine: Engine
) -> dict[Question, Counted]:
    """The answers of a cluster's workers, one job a game, saved here as they come."""
    from houseway.proof.executors import crew, result_of

    found: dict[Question, Counted] = {}
    jobs = sorted(_by_game(questions).values(), key=lambda mine: LONGEST_FIRST.index(mine[0].game.key))
    with crew(engine) as made:
        going: dict[Future[list[Counted]], list[Question]] = {}
        for mine in jobs:
            told(f"{mine[0].game.key}, elsewhere", 0.0)
            sent = [(one.wager, one.label, one.paytable, one.options) for one in mine]
            going[made.executor.submit(count_one_game, rules_digest(), mine[0].game.key, sent)] = mine
        try:
            while going:
                done, _ = wait(going, timeout=0.2, return_when=FIRST_COMPLETED)
                for job in done:
                    mine = going.pop(job)
                    answers = result_of(job)
                    for question, counted in zip(mine, answers, strict=True):
                        found[question] = counted
                        store.save(question, counted)
                    told(f"{mine[0].game.key}, elsewhere", 1.0)
        except KeyboardInterrupt:
            raise Interrupted(len(found), len(questions)) from None
        finally:
            for job in going:
                job.cancel()
    return found


def count_one_game(
    digest: str, game: str, asked: Sequence[tuple[str, str, Table | None, tuple[tuple[str, Any], ...]]]
) -> list[Counted]:
    """What a worker is sent: the questions of one game, as plain data."""
    if digest != rules_digest():
        raise Fault("a worker has other rules, pay tables or solvers than the one who asks; install the same version")
    played = find_game(game)
    if played is None:
        raise Fault(f"a worker does not know the game {game}")
    bench = Bench(silent)
    made = []
    for wager, label, paytable, options in asked:
        question = Question(played, wager, label, paytable, options)
        started = time.perf_counter()
        found = COUNTERS[game][wager](bench, question)
        made.append(found.counted(question, time.perf_counter() - started))
    return made


def _by_game(questions: Sequence[Question]) -> dict[str, list[Question]]:
    made: dict[str, list[Question]] = {}
    for question in questions:
        made.setdefault(question.game.key, []).append(question)
    return made


@dataclass(frozen=True, slots=True)
class Found:
    """What a solver says to a question."""

    distribution: Distribution | None = None
    rows: Mapping[str, int] = field(default_factory=dict)
    play: Play | None = None
    house_edge: Quantity | None = None
    hit_frequency: Quantity | None = None
    standard_deviation: float | None = None
    results: tuple[tuple[Fraction, Quantity], ...] = ()
    simulation: Simulation | None = None

    def counted(self, question: Question, seconds: float) -> Counted:
        return Counted(
            game=question.game.key,
            wager=question.wager,
            table=question.label,
            seconds=seconds,
            distribution=self.distribution,
            house_edge=self.house_edge,
            hit_frequency=self.hit_frequency,
            standard_deviation=self.standard_deviation,
            results=self.results,
            rows=self.rows,
            total=sum(self.rows.values()),
            play=self.play,
            simulation=self.simulation,
        )


class Bench:
    """What the questions of one game share while they are counted; one thread at a time."""

    def __init__(self, told: Progress) -> None:
        self.told = told
        self._straight_edge: dict[Any, Any] = {}

    @cached_property
    def pai_gow(self) -> Any:
        from houseway.proof import six_card_pai_gow

        return six_card_pai_gow.base_game(progress=self.told)

    def straight_edge(self, question: Question) -> Any:
        """The base game of a version; side wagers and progressives do not depend on its pay table."""
        from houseway.proof import straight_edge

        version = _version(question)
        wager = BASE_TABLES[question.game.key]
        table = question.paytable if question.wager == BASE else approved_book().of((question.game.key,), wager)[0]
        if not isinstance(table, PayTable):
            raise ValueError(f"{question.game.key} has no pay table for {wager}")
        margin_zero = question.option("blind_on_margin_zero") if version == 2 else "push"
        key = (version, table.id, table.approved, margin_zero)
        if key not in self._straight_edge:
            self._straight_edge[key] = straight_edge.base_game(version, table, margin_zero, progress=self.told)
        return self._straight_edge[key]

    @cached_property
    def highest_dealt(self) -> Any:
        """By number of hands: how often a hand of each place in the order of values was the highest of random deals."""
        import numpy as np

        from houseway.cards import DECK_52
        from houseway.proof.hands import deck_array, five_card_order

        words, places, values = five_card_order()
        most = max(approved_columns())
        highest = np.zeros((most + 1, len(values)), np.int64)
        _deal_rounds(deck_array(DECK_52), most, SIMULATED_ROUNDS, np.array([SIMULATION_SEED]), words, places, highest)
        return highest, values


Counter: TypeAlias = Callable[[Bench, Question], Found]


def _version(question: Question) -> Literal[1, 2]:
    return 1 if question.game.key == "straight-edge-1" else 2


def _three_card_base(bench: Bench, question: Question) -> Found:
    from houseway.proof import three_card_poker

    equal = question.option("equal_hands")
    made = three_card_poker.base_game(question.odds, equal, progress=bench.told)
    facts = {} if made.play_from is None else {PLAY_FROM: made.play_from}
    edges = {
        words: three_card_poker.base_game(question.odds, equal, decide=decide).distribution.house_edge
        for words, decide in three_card_thumbs().items()
    }
    return Found(made.distribution, play=Play(made.play_frequency, facts, edges))


def three_card_thumbs() -> dict[str, Callable[[int], bool]]:
    """Three card poker's rules of thumb, each from a value on."""
    from houseway.cards import QUEEN
    from houseway.ranking.three_card import PAIR

    return {
        "play every hand": lambda _value: True,
        "play queen high or better, as the dealer does": lambda value: value >= QUEEN << 8,
        "play any pair or better": lambda value: value >= PAIR << 12,
    }


def _pair_plus(bench: Bench, question: Question) -> Found:
    from houseway.proof import three_card_poker

    return Found(three_card_poker.pair_plus(question.odds))


def _six_card_bonus(bench: Bench, question: Question) -> Found:
    from houseway.proof import three_card_poker

    return Found(three_card_poker.six_card_bonus(question.odds))


def _three_card_rows(bench: Bench, question: Question) -> Found:
    from houseway.proof import three_card_poker

    return Found(rows=three_card_poker.ways_by_row())


def _caribbean_base(bench: Bench, question: Question) -> Found:
    from houseway.proof import caribbean_stud

    solution = caribbean_stud.solve(question.odds, progress=bench.told)
    best = solution.play(solution.best)
    edges = {
        words: solution.play(rule(solution)).distribution.house_edge
        for words, rule in caribbean_stud.RULES_OF_THUMB.items()
    }
    return Found(best.distribution, play=Play(best.raise_frequency, thumbs=edges))


def _caribbean_bonus(bench: Bench, question: Question) -> Found:
    from houseway.proof import caribbean_stud

    return Found(caribbean_stud.bonus(question.odds))


def _five_card_rows(bench: Bench, question: Question) -> Found:
    from houseway.proof import caribbean_stud

    return Found(rows=caribbean_stud.ways_by_category())


def _cover_all(bench: Bench, question: Question) -> Found:
    from houseway.proof import cover_all

    hands = int(question.label.split()[-1])
    made = cover_all.cover_all(question.odds, hands, progress=bench.told)
    if made.distribution is not None:
        return Found(made.distribution)
    return Found(
        house_edge=Quantity(made.house_edge.low, made.house_edge.high),
        hit_frequency=Quantity(made.hit_frequency.low, made.hit_frequency.high),
        standard_deviation=made.standard_deviation,
        results=tuple((net, Quantity(chance.low, chance.high)) for net, chance in made.results),
        simulation=_simulated_cover_all(bench, question.odds, hands),
    )


def _straight_edge_base(bench: Bench, question: Question) -> Found:
    made = bench.straight_edge(question)
    best = made.distribution.house_edge
    edges = {str(rule): best + rule.cost for rule in made.rules_of_thumb()[:STRAIGHT_EDGE_THUMBS]}
    return Found(made.distribution, play=Play(made.play_frequency, thumbs=edges))


STRAIGHT_EDGE_THUMBS: Final = 5


def _straight_edge_length(bench: Bench, question: Question) -> Found:
    from houseway.proof import straight_edge

    return Found(straight_edge.on_length(_version(question), question.odds))


def _straight_edge_insurance(bench: Bench, question: Question) -> Found:
    from houseway.proof import straight_edge

    return Found(straight_edge.insurance(_version(question), question.odds))


def _bad_beat_rows(bench: Bench, question: Question) -> Found:
    made = bench.straight_edge(question)
    rows = {str(length): ways for length, ways in made.bad_beats().items()}
    return Found(rows={**rows, "": made.distribution.total - sum(rows.values())})


def _pai_gow_base(bench: Bench, question: Question) -> Found:
    from houseway.proof import six_card_pai_gow as solver

    game = bench.pai_gow
    element = game.elements[question.label]
    best = element.distribution.house_edge
    costs: dict[str, Fraction] = {}
    if question.label == solver.BEST_SETTING:
        costs = {words: game.cost_of_setting(lines) for words, lines in solver.SETTING_RULES.items()}
    elif question.label == solver.HOUSE_WAY_DOUBLING:
        costs = {words: game.cost_of_doubling(lines) for words, lines in solver.DOUBLING_RULES.items()}
    edges = {words: best + cost for words, cost in costs.items()}
    return Found(element.distribution, play=Play(element.double_frequency, thumbs=edges))


def _fortune(bench: Bench, question: Question) -> Found:
    from houseway.proof import six_card_pai_gow as solver

    return Found(solver.fortune(question.odds), solver.ways_by_category() if question.odds.envy_cents else {})


def _pai_gow_insurance(bench: Bench, question: Question) -> Found:
    from houseway.proof import six_card_pai_gow as solver

    return Found(solver.insurance(question.odds))


def _pai_gow_rows(bench: Bench, question: Question) -> Found:
    from houseway.proof import six_card_pai_gow as solver

    return Found(rows=solver.ways_by_category())


COUNTERS: Final[Mapping[str, Mapping[str, Counter]]] = {
    "three-card-poker": {
        BASE: _three_card_base,
        "pair_plus": _pair_plus,
        "six_card_bonus": _six_card_bonus,
        "progressive": _three_card_rows,
    },
    "caribbean-stud": {
        BASE: _caribbean_base,
        "bonus": _caribbean_bonus,
        "cover_all": _cover_all,
        "progressive": _five_card_rows,
    },
    "straight-edge-1": {
        BASE: _straight_edge_base,
        "bonus": _straight_edge_length,
        "insurance": _straight_edge_insurance,
        "progressive": _bad_beat_rows,
    },
    "straight-edge-2": {
        BASE: _straight_edge_base,
        "four_plus": _straight_edge_length,
        "insurance": _straight_edge_insurance,
        "progressive": _bad_beat_rows,
    },
    "six-card-pai-gow": {
        BASE: _pai_gow_base,
        "fortune": _fortune,
        "insurance": _pai_gow_insurance,
        "progressive": _pai_gow_rows,
    },
}
"""Who counts what."""

LONGEST_FIRST: Final = ("six-card-pai-gow", "caribbean-stud", "three-card-poker", "straight-edge-1", "straight-edge-2")


# ------------------------------------------------------------------------------------------------ a second witness


def approved_columns() -> list[int]:
    """The numbers of hands that Cover All has a column for."""
    tables = approved_book().of(("caribbean-stud",), "cover_all")
    return [column for table in tables if isinstance(table, PayTable) for column in table.columns]


def _simulated_cover_all(bench: Bench, table: PayTable, hands: int) -> Simulation:
    """Cover All over random deals, paid by the rule; the error is that of the sample."""
    from houseway.games.caribbean_stud import cover_all_returned
    from houseway.proof.distribution import exact_wager
    from houseway.ranking.poker import CATEGORIES

    highest, values = bench.highest_dealt
    num, den = table.schedule(CATEGORIES, hands)
    unit = exact_wager(den)
    net = square = 0
    for place, times in enumerate(highest[hands].tolist()):
        if times:
            result = cover_all_returned(int(values[place]), unit, num, den) - unit
            net += result * times
            square += result * result * times
    mean = net / (SIMULATED_ROUNDS * unit)
    variance = square / (SIMULATED_ROUNDS * unit**2) - mean**2
    return Simulation(round(-mean, 6), round(sqrt(variance / SIMULATED_ROUNDS), 6), SIMULATED_ROUNDS, SIMULATION_SEED)


@part
def drawn_below(limit: Any, state: Any) -> Any:
    """A random whole number below ``limit``, from the high bits of Knuth's linear congruential generator.

    Only compiled does the multiplication wrap around, as the generator wants.
    """
    most = (1 << 31) - (1 << 31) % limit
    while True:
        state[0] = state[0] * 6364136223846793005 + 1442695040888963407
        drawn = state[0] >> 33 & 0x7FFFFFFF
        if drawn < most:
            return drawn % limit


@jit()
def _deal_rounds(deck: Any, hands: Any, rounds: Any, state: Any, words: Any, places: Any, highest: Any) -> None:
    """Deal rounds of ``hands`` hands; of the first n hands of a round the highest is counted at ``highest[n]``."""
    for _ in range(rounds):
        best = 0
        for hand in range(hands):
            first = 5 * hand
            for at in range(first, first + 5):
                other = at + drawn_below(len(deck) - at, state)
                card = deck[other]
                deck[other] = deck[at]
                deck[at] = card
            place = value_of_five(
                deck[first], deck[first + 1], deck[first + 2], deck[first + 3], deck[first + 4], words, places
            )
            best = max(best, place)
            highest[hand + 1, best] += 1
