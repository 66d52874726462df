"""Every figure there is: which wagers the games have, and all of them counted at once.

A question is one wager on one pay table under the house options that bear on it. What was counted for it before, and is
shipped or cached, is taken from there; the rest goes to the solvers, two of them at a time, and is saved as it comes.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from houseway.extras import need
from houseway.games import Game, all_games, approved_book, find_game
from houseway.paytables import Book, PayTable, ProgressiveTable, Table
from houseway.progressive import Policy
from houseway.progressive.awards import check_policy
from houseway.proof import figure
from houseway.proof.compiled import Progress, silent
from houseway.proof.digest import game_digest
from houseway.proof.figure import PROGRESSIVE, Counted, Figure
from houseway.proof.printed import Setup, figure_of, odds_of
from houseway.proof.progressive import Odds
from houseway.proof.solver import (
    BOARD,
    BY_RANKS,
    SHOE_COUNTS,
    SPECIAL,
    SUPERSETS,
    SWEEP,
    choose_kernel,
    refusal_words,
)
from houseway.proof.special import special_solver
from houseway.proof.store import Store
from houseway.refusal import Fault, Refusal

if TYPE_CHECKING:
    from houseway.proof.executors import Engine

BASE: Final = figure.BASE
WORKERS: Final = 2
HEAVIEST: Final = (SPECIAL, BOARD, SWEEP, SUPERSETS, SHOE_COUNTS, BY_RANKS)
"""Kernels, those that take longest first: with two workers they are begun in this order."""
STANDARD: Final = "standard"
"""How a figure is called that neither a pay table nor a house option decides."""


@dataclass(frozen=True, slots=True)
class Question:
    """One wager on one pay table, under the options that its count depends on."""

    game: Game
    wager: str
    label: str
    """The table as a figure names it: its id, a number of hands, or a way to play."""
    paytable: Table | None
    options: tuple[tuple[str, Any], ...] = ()
    implied: tuple[tuple[str, Any], ...] = ()
    """Those of the options that the label already says."""

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
    names = (*bearing_on(question.game, question.wager), *shown_beside(question.game, question.wager))
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


def bearing_on(game: Game, wager: str) -> tuple[str, ...]:
    """The house options that the count of a wager depends on: those that its rules ask for."""
    if wager == BASE:
        return game.bearing[BASE]
    named = game.wager(wager)
    if named is not None and named.pays is not None:
        return game.bearing[wager]
    paid = [known.key for known in game.wagers if known.table_key == wager and known.pays is not None]
    return tuple(dict.fromkeys(name for key in paid for name in game.bearing[key]))


def shown_beside(game: Game, wager: str) -> tuple[str, ...]:
    """House options that change no count but how it is read: where awards come from, and whether a wager survives."""
    if wager == PROGRESSIVE:
        return ("fixed_from",)
    kept = [one.after_fold for one in game.wagers if one.table_key == wager and one.key not in game.base]
    return tuple(name for name in kept if game.defaults.get(name) is True)


def is_counted(game: Game) -> bool:
    """Whether some kernel, or a solver of its own, counts a game."""
    return bool(choose_kernel(game).kernel)


def counted_games() -> list[Game]:
    """The games that can be counted."""
    return [game for game in all_games().values() if is_counted(game)]


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
        if all(game.key != key for game in known):
            game = all_games()[key]
            raise Refusal("game", refusal_words(game, choose_kernel(game)))
    return [game for game in known if not request.games or game.key in request.games]


def questions_of(request: Request) -> list[Question]:
    """Every wager and table that the request names; a name that nothing has is refused."""
    games = _games(request)
    every = [question for game in games for question in questions_about(game, request)]
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


def questions_about(game: Game, request: Request) -> Iterator[Question]:
    base = game.base_table
    if not base:
        if game.solver:
            for label in special_solver(game).labels:
                yield Question(game, BASE, label, None, _options(game, BASE, request))
        elif game.base:
            yield from _by_rule(game, BASE, request)
    deciding = {wager.table_key for wager in game.wagers if wager.key in game.base}
    for wager in game.table_wagers:
        if wager in deciding and wager != base:
            continue
        for named in (BASE,) if wager == base else side_names(game, wager):
            for table in request.book.of(game.families, wager):
                columns = table.columns if isinstance(table, PayTable) else ()
                for label in [str(column) for column in columns] or [table.id]:
                    shown = f"{table.id} {label}" if columns and not table.approved else label
                    yield Question(game, named, shown, table, _options(game, named, request))
    for known in game.wagers:
        if known.key not in game.base and known.pays is not None and not known.hands and known.kind != "award":
            yield from _by_rule(game, known.key, request)


def side_names(game: Game, table_key: str) -> tuple[str, ...]:
    """How figures call the wagers that pay by a table: as the table, or each as itself where several share it."""
    sharing = [wager.key for wager in game.wagers if wager.table_key == table_key and wager.key not in game.base]
    return tuple(sharing) if len(sharing) > 1 else (table_key,)


def figure_name(game: Game, wager: str) -> str:
    """How figures call a wager beside the base game."""
    known = game.wager(wager)
    names = side_names(game, known.table_key) if known is not None else (wager,)
    return wager if wager in names else names[0]


def _by_rule(game: Game, wager: str, request: Request) -> Iterator[Question]:
    """The figures of a wager that no pay table decides: one, or one for each value of the option that decides it."""
    beside = _options(game, wager, request)
    deciding = game.figures_by.get(wager)
    if deciding is None:
        yield Question(game, wager, STANDARD, None, beside)
        return
    option = game.options_by_name[deciding]
    for value in option.values:
        if request.options.get(deciding, value) == value:
            implied = ((deciding, value),) if value != option.default else ()
            others = tuple((name, set_to) for name, set_to in beside if name != deciding)
            yield Question(game, wager, value, None, (*implied, *others), implied)


def label_of(game: Game, wager: str, options: Mapping[str, Any]) -> str:
    """How the figure of a wager that no pay table decides is called under these options."""
    deciding = game.figures_by.get(wager)
    return STANDARD if deciding is None else str(options.get(deciding, game.defaults[deciding]))


def implied_by(game: Game, wager: str, options: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """Those of the options that this name says already."""
    return tuple((name, value) for name, value in options.items() if name == game.figures_by.get(wager))


def _options(game: Game, wager: str, request: Request) -> tuple[tuple[str, Any], ...]:
    return tuple(
        (name, request.options[name])
        for name in bearing_on(game, wager)
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
        need("proof", "counting these figures")
        if engine is not None and engine.scheduler is not None:
            known |= _counted_elsewhere(open_, store, told, engine)
        else:
            known |= _counted_side_by_side(open_, store, told, fresh)
    return [known[question] for question in questions]


def _counted_side_by_side(
    questions: Sequence[Question], store: Store, told: Progress, fresh: bool
) -> dict[Question, Counted]:
    """The solvers' answers, saved as they come. Each game is one job, so that what its questions share is made once."""
    from houseway.proof.bench import Bench
    from houseway.proof.keep import holding

    found: dict[Question, Counted] = {}

    def job(mine: Collection[Question]) -> None:
        bench = Bench(told, fresh=fresh)
        with holding():
            for question in mine:
                if stopped:
                    return
                started = time.perf_counter()
                answer = bench.answer(question)
                found[question] = answer.counted(question, time.perf_counter() - started)
                store.save(question, found[question])

    stopped: list[bool] = []
    jobs = sorted(_by_game(questions).values(), key=_weight)
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
    jobs = sorted(_by_game(questions).values(), key=_weight)
    with crew(engine) as made:
        going: dict[Future[list[Counted]], list[Question]] = {}
        for mine in jobs:
            told(f"{mine[0].game.key}, elsewhere", 0.0)
            sent = [(one.wager, one.label, one.paytable, one.options) for one in mine]
            going[made.executor.submit(count_one_game, game_digest(mine[0].game), mine[0].game.key, sent)] = mine
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
    digest: str | None, game: str, asked: Sequence[tuple[str, str, Table | None, tuple[tuple[str, Any], ...]]]
) -> list[Counted]:
    """What a worker is sent: the questions of one game, as plain data."""
    from houseway.proof.bench import Bench
    from houseway.proof.keep import holding

    played = find_game(game)
    if played is None:
        raise Fault(f"a worker does not know the game {game}")
    if digest != game_digest(played):
        raise Fault("a worker has other rules, pay tables or solvers than the one who asks; install the same version")
    bench = Bench(silent, fresh=True)
    made = []
    with holding():
        for wager, label, paytable, options in asked:
            question = Question(played, wager, label, paytable, options)
            started = time.perf_counter()
            made.append(bench.answer(question).counted(question, time.perf_counter() - started))
    return made


def _weight(questions: Sequence[Question]) -> tuple[int, int]:
    """The longest jobs first: by kernel, and by how many cards are dealt."""
    game = questions[0].game
    return HEAVIEST.index(choose_kernel(game).kernel), -game.player_cards - game.dealer_cards - game.board_cards


def _by_game(questions: Sequence[Question]) -> dict[str, list[Question]]:
    made: dict[str, list[Question]] = {}
    for question in questions:
        made.setdefault(question.game.key, []).append(question)
    return made
