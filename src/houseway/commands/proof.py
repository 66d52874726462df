"""``houseway figures``, ``prove``, ``strategy`` and ``advise``: the mathematics of every game and pay table."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from houseway.commands.arguments import AsJson
from houseway.commands.proof_screen import by_document, exact_json, show_document, show_figures, write_csv
from houseway.refusal import Refusal

if TYPE_CHECKING:
    from fractions import Fraction

    from houseway.games import Game
    from houseway.proof.collect import Request
    from houseway.proof.compiled import Progress
    from houseway.proof.executors import Engine

INTERRUPTED = 130
VERDICTS = ("reproduced", "differs", "not printed")
PUBLISHED_VERDICTS = ("reproduced", "differs", "not published")

Made = TypeVar("Made")

GameOption = Annotated[list[str] | None, typer.Option("--game", help="Only this game; may be given again.")]
WagerOption = Annotated[
    list[str] | None, typer.Option("--wager", help="Only this wager, such as base or progressive; may be given again.")
]
TableOption = Annotated[
    list[str] | None, typer.Option("--table", help="Only this pay table, by id or alias; may be given again.")
]
HouseOption = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="A house option away from its default; may be given again."),
]
HouseFile = Annotated[
    list[Path] | None,
    typer.Option(
        "--paytable", metavar="FILE", help="Count the tables in this file of the house's own instead, not approved."
    ),
]
Fresh = Annotated[bool, typer.Option("--fresh", help="Count again, whatever was counted before.")]
EngineOption = Annotated[
    str,
    typer.Option("--engine", metavar="local|dask", help="Where the work is done: here, or on a cluster."),
]
SchedulerOption = Annotated[
    str | None, typer.Option("--scheduler", metavar="ADDRESS", help="The Dask scheduler, such as tcp://10.0.0.5:8786.")
]


def figures(
    game: GameOption = None,
    wager: WagerOption = None,
    table: TableOption = None,
    option: HouseOption = None,
    paytable: HouseFile = None,
    contribution: Annotated[
        str | None,
        typer.Option(metavar="RATE", help="What progressive wagers put on meters and reserves, such as 0.14 or 14%."),
    ] = None,
    seed: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[METER=]DOLLARS",
            help="The seed of a progressive's meter, where none is printed or another is set.",
        ),
    ] = None,
    fresh: Fresh = False,
    distribution: Annotated[bool, typer.Option("--distribution", help="With --json: every outcome too.")] = False,
    as_json: AsJson = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="As comma separated values, for a spreadsheet.")] = False,
    engine: EngineOption = "local",
    scheduler: SchedulerOption = None,
) -> None:
    """Show what every wager really costs: house edge, hit frequency and deviation, counted case by case.

    The approved tables' figures come with the program; what has to be counted is counted once and kept.
    """
    from houseway.commands import screen
    from houseway.proof.collect import all_figures

    if as_json and as_csv:
        raise Refusal("--csv", "stands beside --json; choose one of them")
    request = _request(game, wager, table, option, paytable or [], contribution, seed, fresh)
    figures = _counting(lambda progress: all_figures(request, progress, _engine(engine, scheduler)))
    if as_json:
        screen.print_json([figure.to_json(distribution=distribution) for figure in figures])
    elif as_csv:
        write_csv(figures)
    else:
        show_figures(figures)


def prove(
    game: GameOption = None,
    fresh: Fresh = False,
    as_json: AsJson = False,
    engine: EngineOption = "local",
    scheduler: SchedulerOption = None,
) -> None:
    """Hold every printed figure against our count, document by document and table by table, and say why one differs.

    A printed figure is reproduced when our exact count, rounded to the printed digits, is that figure.
    """
    from houseway.commands import screen
    from houseway.games import all_games
    from houseway.proof.collect import all_figures

    request = _request(game, None, None, None, [], None, None, fresh)
    figures = _counting(lambda progress: all_figures(request, progress, _engine(engine, scheduler)))
    counts = {verdict: sum(figure.verdict == verdict for figure in figures) for verdict in VERDICTS}
    published = {word: sum(figure.published_verdict == word for figure in figures) for word in PUBLISHED_VERDICTS}
    if as_json:
        screen.print_json(
            {
                "figures": [
                    {
                        "document": all_games()[figure.game].document,
                        **figure.to_json(),
                        "notes": list(figure.notes),
                    }
                    for figure in figures
                ],
                **{verdict.replace(" ", "_"): count for verdict, count in counts.items()},
                "published": {verdict.replace(" ", "_"): count for verdict, count in published.items()},
            }
        )
        return
    for document, games in by_document(figures).items():
        show_document(document, games)
    sys.stdout.write(", ".join(f"{verdict} {count}" for verdict, count in counts.items()) + "\n")
    if len(figures) > published["not published"]:
        words = ", ".join(f"{verdict} {count}" for verdict, count in published.items())
        sys.stdout.write(f"published figures: {words}\n")


def strategy(
    game: Annotated[str, typer.Argument(help="The game, such as caribbean-stud.")],
    option: HouseOption = None,
    paytable: HouseFile = None,
    fresh: Fresh = False,
    as_json: AsJson = False,
) -> None:
    """Show the best strategy of a game in words, and what each simple rule of thumb costs against perfect play."""
    from houseway.commands import screen
    from houseway.proof.collect import check_options, count, questions_of
    from houseway.proof.figure import percent
    from houseway.proof.strategy import in_words, thumbs_of

    request = _request([game], ["base"], None, option, paytable or [], None, None, fresh)
    check_options(request)
    questions = questions_of(request)
    counted = _counting(lambda progress: count(questions, fresh=fresh, progress=progress))
    if as_json:
        screen.print_json(
            [
                {
                    "game": figure.game,
                    "table": figure.table,
                    "strategy": in_words(figure),
                    "house_edge": exact_json(figure.distribution.house_edge) if figure.distribution else None,
                    "rules_of_thumb": [
                        {
                            "rule": thumb.words,
                            "house_edge": exact_json(thumb.house_edge),
                            "cost": exact_json(thumb.cost),
                        }
                        for thumb in thumbs_of(figure)
                    ],
                }
                for figure in counted
            ]
        )
        return
    out = screen.console()
    for question, counted_figure in zip(questions, counted, strict=True):
        label = question.label if question.approved else f"{question.label} (not approved)"
        out.print(f"{question.game.title}, {label}", style="bold", markup=False)
        if counted_figure.distribution is not None:
            out.print(f"House edge {percent(counted_figure.distribution.house_edge, 4)}.", markup=False)
        out.print(f"{in_words(counted_figure)}\n", markup=False)
        thumbs = thumbs_of(counted_figure)
        if thumbs:
            rules = screen.table("", "rule of thumb", "house edge", "costs", right=("house edge", "costs"))
            for thumb in thumbs:
                rules.add_row(thumb.words, percent(thumb.house_edge, 4), percent(thumb.cost, 4))
            screen.show(out, rules)


def advise(
    game: Annotated[str, typer.Argument(help="The game, such as caribbean-stud.")],
    cards: Annotated[str, typer.Option(help='The player\'s cards, such as "Ah Kd 3c".')],
    up: Annotated[str | None, typer.Option(help="The dealer's up card, where one is seen.")] = None,
    board: Annotated[str | None, typer.Option(help="The shared cards in view, where there are any.")] = None,
    table: Annotated[
        str | None,
        typer.Option(help="The pay table that decides the base game, where there are several; without it the first."),
    ] = None,
    option: HouseOption = None,
    as_json: AsJson = False,
) -> None:
    """Show the exact value of every choice a player has with a hand, best first."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # whole numbers alone are added: idle threads would only spin
    from houseway.cards import parse_card, parse_cards
    from houseway.commands import screen
    from houseway.commands.rules import named_game
    from houseway.proof.advise import choices
    from houseway.proof.strategy import unit_words

    chosen = named_game(game)
    hand = parse_cards(cards, chosen.player_cards, joker=chosen.has_joker)
    try:
        up_card = None if up is None else parse_card(up)
    except Refusal as refusal:
        raise Refusal("up", refusal.sentence) from None
    shared = () if board is None else parse_cards(board, len(board.split()), joker=chosen.has_joker)
    options = _options(option, [chosen])
    with _progress() as progress:
        advice = choices(chosen, hand, up_card, table=table, options=options, board=shared, progress=progress)
    if as_json:
        screen.print_json(advice.to_json())
        return
    unit = unit_words(chosen)
    beside = f", dealer shows {up}" if up_card is not None else ""
    by = f" (table {advice.table})" if advice.table else ""
    rows = screen.table(f"{chosen.title}{by}: {cards}{beside}", "choice", f"worth per {unit}", "exactly", "",
                        right=(f"worth per {unit}",))  # fmt: skip
    for choice in advice.choices:
        rows.add_row(choice.what, f"{float(choice.value):+.6f}", str(choice.value), ", ".join(choice.notes))
    screen.show(screen.console(), rows)


# ------------------------------------------------------------------------------------------------ what was asked


def _request(
    games: list[str] | None,
    wagers: list[str] | None,
    tables: list[str] | None,
    options: list[str] | None,
    files: list[Path],
    contribution: str | None,
    seeds: list[str] | None,
    fresh: bool,
) -> Request:
    from houseway.commands.rules import named_game
    from houseway.commands.tables import book_with
    from houseway.proof.collect import Request, counted_games

    chosen = [named_game(key) for key in games] if games else counted_games()
    return Request(
        book=book_with(files),
        games=tuple(game.key for game in chosen) if games else (),
        wagers=tuple(wagers or ()),
        tables=tuple(tables or ()),
        options=_options(options, chosen),
        contribution=None if contribution is None else _rate(contribution),
        seeds_cents=dict(_seed(text) for text in seeds or ()),
        house_only=bool(files),
        fresh=fresh,
    )


def _engine(name: str, scheduler: str | None) -> Engine:
    from houseway.proof.executors import Engine

    engine = Engine(name, scheduler=scheduler)
    engine.check()
    return engine


def _options(texts: list[str] | None, games: list[Game]) -> dict[str, Any]:
    """House options from the command line: true and false, whole numbers, and words."""
    options: dict[str, Any] = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise Refusal("option", f"{text[:40]!r} is not NAME=VALUE, such as equal_hands=lose")
        if name in options:
            raise Refusal(f"option {name}", "is given twice")
        options[name] = {"true": True, "false": False}.get(value, int(value) if value.isdecimal() else value)
    return options


def _rate(text: str) -> Fraction:
    from fractions import Fraction

    try:
        number = Fraction(text.removesuffix("%"))
    except (ValueError, ZeroDivisionError):
        raise Refusal("contribution", f"{text[:40]!r} is not a rate; write 0.14 or 14%") from None
    return number / 100 if text.endswith("%") else number


def _seed(text: str) -> tuple[str, int]:
    from decimal import Decimal, InvalidOperation

    name, _, amount = text.rpartition("=")
    try:
        cents = Decimal(amount.removeprefix("$")) * 100
        if not cents.is_finite() or cents < 0 or cents != cents.to_integral_value():
            raise InvalidOperation
    except InvalidOperation:
        raise Refusal("seed", f"{text[:40]!r} is not an amount in dollars, such as 5000 or mega=5000") from None
    return name or "main", int(cents)


# ------------------------------------------------------------------------------------------------ while it counts


def _counting(work: Callable[[Progress], Made]) -> Made:
    """Do work that may count for a while: progress on standard error, and a word when it is interrupted."""
    from houseway.proof.collect import Interrupted

    try:
        with _progress() as progress:
            return work(progress)
    except Interrupted as interrupted:
        sys.stdout.flush()
        sys.stderr.write(f"houseway: {interrupted}\n")
        sys.stderr.flush()
        # A solver does not stop in the middle of a loop; what it has finished is on the disk.
        os._exit(INTERRUPTED)


@contextmanager
def _progress() -> Iterator[Progress]:
    """A bar for every count on a terminal; elsewhere a plain line when one is done."""
    if not sys.stderr.isatty():
        yield _plain_lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

    bars = Progress(
        *(TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()),
        console=Console(stderr=True),
        transient=True,
    )
    tasks: dict[str, TaskID] = {}

    def told(what: str, done: float) -> None:
        if what not in tasks:
            tasks[what] = bars.add_task(what, total=1.0)
        bars.update(tasks[what], completed=done)

    with bars:
        yield told


def _plain_lines() -> Progress:
    started: dict[str, float] = {}

    def told(what: str, done: float) -> None:
        began = started.setdefault(what, time.perf_counter())
        if done >= 1.0:
            del started[what]
            sys.stderr.write(f"counted {what} in {time.perf_counter() - began:.1f} s\n")

    return told
