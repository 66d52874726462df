"""``houseway simulate``: whole tables over random deals, beside the exact figures."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from houseway.commands.arguments import AsJson, HouseTables
from houseway.commands.proof import INTERRUPTED, EngineOption, HouseOption, SchedulerOption, _options, _rate, _seed
from houseway.extras import need
from houseway.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable

    from houseway.proof.simulation.plan import Plan
    from houseway.proof.simulation.results import Results, WagerResult
    from houseway.proof.simulation.run import Told

PLAIN_SECONDS = 10
"""How often a run that no terminal watches says how far it is."""
WHOLE_BP = 10_000


def simulate(
    game: Annotated[str, typer.Argument(help="The game, such as caribbean-stud.")],
    rounds: Annotated[int, typer.Option(help="How many rounds are dealt.")] = 1_000_000,
    spots: Annotated[int, typer.Option(help="Spots at the table, all against one dealer's hand from one deck.")] = 1,
    wager: Annotated[
        list[str] | None,
        typer.Option(
            "--wager", help="Beside the base game only this wager; base for none; may be given again. Else all."
        ),
    ] = None,
    tables: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WAGER=TABLE",
            help="The pay table of a wager, or a designator such as TCP-05; may be given again. "
            "Else the first approved one.",
        ),
    ] = None,
    strategy: Annotated[
        str,
        typer.Option(help="best, house-way, or a rule of thumb: part of its words in houseway strategy."),
    ] = "best",
    progressive: Annotated[
        list[str] | None,
        typer.Option(metavar="TABLE", help="Every spot also bets this progressive; may be given again."),
    ] = None,
    contribution: Annotated[
        list[str] | None,
        typer.Option(metavar="[METER=]RATE", help="What of a progressive wager goes to a meter, such as 14%."),
    ] = None,
    reserve: Annotated[
        list[str] | None, typer.Option(metavar="[METER=]RATE", help="What of it goes to the meter's reserve.")
    ] = None,
    seed_amount: Annotated[
        list[str] | None, typer.Option(metavar="[METER=]DOLLARS", help="What a meter starts again from.")
    ] = None,
    option: HouseOption = None,
    paytable: HouseTables = None,
    seed: Annotated[int, typer.Option(help="The same seed deals the same rounds, whoever deals them.")] = 1,
    engine: EngineOption = "local",
    scheduler: SchedulerOption = None,
    workers: Annotated[
        int | None, typer.Option(help="Processes on this machine; else as many as it has cores.", show_default=False)
    ] = None,
    parquet: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write every outcome to this Parquet file.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also draw it, by the ending as SVG, PNG or PDF.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play whole tables with random cards by the very rules, and set what comes out beside the exact figures.

    The result depends on the seed and the number of rounds alone, not on the number of workers or machines. Ctrl-C ends
    a run early with what it has.
    """
    need("proof", "simulate")
    from houseway.commands import screen
    from houseway.commands.rules import named_game
    from houseway.commands.tables import book_with
    from houseway.proof.executors import Engine
    from houseway.proof.simulation import files
    from houseway.proof.simulation.plan import Link, Setup, check_rounds, plan_of, wagers_of
    from houseway.proof.simulation.results import results_of
    from houseway.proof.simulation.run import simulate as play

    chosen = named_game(game)
    book = book_with(paytable or [])
    engine_plan = Engine(engine, workers, scheduler)
    engine_plan.check()
    check_rounds(rounds)
    if parquet is not None:
        files.check_parquet(parquet)
    if plot is not None:
        files.check_plot(plot)
    if not progressive and (contribution or reserve or seed_amount):
        raise Refusal("progressive", "is missing; contribution, reserve and seed-amount are those of a progressive")
    setup = Setup(
        game=chosen,
        spots=spots,
        seed=seed,
        wagers=tuple(wager or ()),
        tables=wagers_of(chosen, book, tables or ()),
        strategy=strategy,
        progressives=tuple(dict.fromkeys(progressive or ())),
        link=Link(
            _by_meter("contribution", contribution, _basis_points),
            _by_meter("reserve", reserve, _basis_points),
            _by_meter("seed-amount", seed_amount, lambda _, text: _seed(text)[1]),
        ),
        options=_options(option, [chosen]),
        book=book,
    )
    plan = plan_of(setup)
    with _progress(rounds) as progress:
        played = play(plan, rounds, engine_plan, progress)
    results = results_of(played, book)
    if parquet is not None:
        files.write_parquet(results, parquet)
    if plot is not None:
        files.draw(results, plot)
    if as_json:
        screen.print_json(results.to_json())
    else:
        _show(plan, results)
    if results.interrupted:
        sys.stdout.flush()
        sys.stderr.write(f"houseway: interrupted after {results.rounds:,} of {rounds:,} rounds\n")
        raise typer.Exit(INTERRUPTED)


def _by_meter(field: str, texts: list[str] | None, read: Callable[[str, str], int]) -> dict[str, int]:
    """``[METER=]VALUE`` by meter; an empty name where none is given."""
    totals: dict[str, int] = {}
    for text in texts or ():
        name, _, value = text.rpartition("=")
        if name in totals:
            raise Refusal(field, f"is given twice{f' for {name[:40]}' if name else ''}")
        totals[name] = read(field, value)
    return totals


def _basis_points(field: str, text: str) -> int:
    try:
        rate = _rate(text) * WHOLE_BP
    except Refusal as refusal:
        raise Refusal(field, refusal.sentence) from None
    if rate.denominator != 1 or not 0 <= rate <= WHOLE_BP:
        raise Refusal(field, f"{text[:40]!r} must be from 0% to 100%, in whole hundredths of a percent")
    return int(rate)


# ------------------------------------------------------------------------------------------------ while it plays


@contextmanager
def _progress(rounds: int) -> Iterator[Told]:
    """A bar with rate and time left on a terminal; elsewhere a line now and then. All on standard error."""
    if not sys.stderr.isatty():
        yield _plain_lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        """Rounds a second."""

        def render(self, task: Task) -> Text:
            return Text(f"{task.speed or 0:,.0f} a second")

    bars = Progress(
        *(TextColumn("{task.completed:,} of {task.total:,} rounds"), BarColumn(), Rate(), TimeRemainingColumn()),
        console=Console(stderr=True),
        transient=True,
    )
    with bars:
        task = bars.add_task("rounds", total=rounds)
        yield lambda done, _: bars.update(task, completed=done)


def _plain_lines() -> Told:
    began = last = time.perf_counter()

    def told(done: int, total: int) -> None:
        nonlocal last
        now = time.perf_counter()
        if now - last >= PLAIN_SECONDS and done < total:
            last = now
            rate = done / (now - began)
            left = (total - done) / rate
            sys.stderr.write(f"{done:,} of {total:,} rounds, {rate:,.0f} a second, {left:,.0f} s left\n")
            sys.stderr.flush()

    return told


# ------------------------------------------------------------------------------------------------ what is shown


def _show(plan: Plan, results: Results) -> None:
    from houseway.commands import screen
    from houseway.games import all_games

    out = screen.console()
    spots = "1 spot" if plan.spots == 1 else f"{plan.spots} spots"
    columns = ("wager", "table", "house edge", "error", "counted", "apart", "hits", "counted hits")
    title = f"{all_games()[plan.game].title}, {spots}, {results.rounds:,} rounds, {plan.way.name}, seed {plan.seed}"
    table = screen.table(title, *columns, right=columns[2:])
    for wager in results.wagers:
        table.add_row(*_cells(wager))
    screen.show(out, table)
    bankroll = results.bankroll
    out.print(
        f"Bankroll of spot 1, one unit on every wager: ends at {_units(bankroll.end)}, "
        f"lowest {_units(bankroll.least)}, highest {_units(bankroll.most)}, "
        f"deepest fall {_units(bankroll.deepest_fall)}.",
        markup=False,
    )
    if bankroll.quantiles:
        quantiles = dict(bankroll.quantiles)
        out.print(
            f"Sessions of 1,000 rounds ({bankroll.sessions:,}): half come to {_units(quantiles[25])} to "
            f"{_units(quantiles[75])}, nine of ten to {_units(quantiles[5])} to {_units(quantiles[95])}.",
            markup=False,
        )
    for meters in results.meters:
        _show_meters(out, meters.to_json())
    rate = results.rounds / results.seconds if results.seconds else 0
    out.print(f"{results.rounds:,} rounds in {results.seconds:.1f} s, {rate:,.0f} a second.", markup=False)


def _cells(wager: WagerResult) -> tuple[str, ...]:
    from houseway.proof.figure import percent

    exact = wager.exact
    hits = exact.hit_frequency if exact else None
    edge = "" if exact is None else percent(exact.house_edge.middle, 4)
    bounds = "~" if exact is not None and exact.house_edge.exact is None else ""
    apart = wager.deviations
    hands = wager.sample.hands
    return (
        wager.wager,
        wager.table,
        f"{wager.sample.house_edge:.4%}",
        f"{wager.error:.4%}" if hands else "",
        f"{bounds}{edge}",
        "" if apart is None else f"{apart:+.2f}",
        f"{wager.hits / hands:.4%}" if hands else "",
        "" if hits is None else f"{'~' if hits.exact is None else ''}{percent(hits.middle, 4)}",
    )


def _show_meters(out: Any, data: dict[str, Any]) -> None:
    from houseway.commands import screen
    from houseway.money import dollars

    columns = ("meter", "contribution", "seed", "stands at", "reserve", "jackpots", "mean jackpot", "largest")
    title = f"Progressive {data['table']}: {data['wagers']:,} wagers of {dollars(data['wager_cents'])}"
    table = screen.table(title, *columns, right=columns[1:])
    for meter in data["meters"]:
        mean, largest = meter["mean_jackpot_cents"], meter["largest_jackpot_cents"]
        table.add_row(
            *(meter["meter"], f"{meter['contribution_bp'] / 100:g}%", dollars(meter["seed_cents"])),
            *(dollars(meter["cents"]), dollars(meter["reserve_cents"]), f"{meter['jackpots']:,}"),
            *("" if mean is None else dollars(round(mean)), "" if largest is None else dollars(largest)),
        )
    screen.show(out, table)
    dry = sum(row["ran_dry"] for row in data["rows"])
    short = sum(row["shortfall_cents"] for row in data["rows"])
    out.print(
        f"Players got back {data['player_return']:.4%} of it. "
        + (f"The meter ran dry {dry:,} times and the house covered {dollars(short)}." if dry else "No meter ran dry."),
        markup=False,
    )


def _units(value: Any) -> str:
    return f"{float(value):,.1f}".removesuffix(".0")
