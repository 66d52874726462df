"""``houseway meter``: what a progressive's meter does over months."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from houseway.commands.arguments import AsJson, HouseTables
from houseway.extras import need
from houseway.refusal import Refusal

if TYPE_CHECKING:
    from fractions import Fraction

    from houseway.games import Game
    from houseway.paytables import Book, ProgressiveTable
    from houseway.proof.compiled import Progress
    from houseway.proof.meter_risk.study import Asked, MeterStudy, Study

INTERRUPTED = 130
MOST_WAGERS = 1_000_000_000
MOST_JACKPOTS = 100_000_000
MOST_RUNS = 10_000_000
FOR_ALL = ""
"""The key of a rate or seed that was given without the name of a meter."""


def meter(
    table: Annotated[str, typer.Argument(help="The progressive's pay table, such as CSTUD-01.")],
    game: Annotated[str | None, typer.Option(help="The game, where tables of several games have that name.")] = None,
    contribution: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[METER=]RATE",
            help="What each wager puts on a meter, such as 60% or mega=5%; without it what the printed edge tells.",
        ),
    ] = None,
    reserve: Annotated[
        list[str] | None, typer.Option(metavar="[METER=]RATE", help="What it puts on a reserve; without it nothing.")
    ] = None,
    seed_amount: Annotated[
        list[str] | None,
        typer.Option(metavar="[METER=]DOLLARS", help="What a meter starts again from; without it the printed seed."),
    ] = None,
    compare: Annotated[
        list[str] | None,
        typer.Option(metavar="RATE", help="Another contribution to set beside it; may be given again."),
    ] = None,
    wager: Annotated[
        str | None, typer.Option(metavar="DOLLARS", help="The link's wager, where the table states none.")
    ] = None,
    fixed_from: Annotated[
        str, typer.Option(metavar="WHERE", help="Where fixed awards come from: as_marked, meter, meter:NAME or tray.")
    ] = "as_marked",
    others: Annotated[
        int | None, typer.Option(min=0, help="Other spots with the wager, for envy; without it a full table.")
    ] = None,
    envy_scales: Annotated[
        bool,
        typer.Option(
            "--envy-scales/--envy-as-printed",
            help="Whether envy grows with the wager, where the table prints it in dollars for no particular wager.",
        ),
    ] = True,
    wagers_per_day: Annotated[int, typer.Option(min=1, help="Progressive wagers a day on the whole link.")] = 1_000,
    days: Annotated[int, typer.Option(min=1, max=3650, help="How many days to look ahead.")] = 365,
    jackpots: Annotated[
        int, typer.Option(min=0, max=MOST_JACKPOTS, help="Jackpots to play for each meter; 0 for none.")
    ] = 20_000,
    runs: Annotated[
        int, typer.Option(min=0, max=MOST_RUNS, help="How often to play all the days; 0 for never.")
    ] = 1_000,
    seed: Annotated[int, typer.Option(min=0, help="Of the random hands: the same seed plays the same.")] = 1,
    paytable: HouseTables = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw it into this file: .svg, .png or .pdf.")
    ] = None,
    plot_meter: Annotated[
        str | None, typer.Option(metavar="METER", help="Which meter to draw, where there are several.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show what a meter does over months: its level, the jackpot, the risk of running dry, and what the house wins.

    Solved where it can be, and played with random hands beside it.
    """
    from houseway.commands import screen
    from houseway.commands.tables import book_with
    from houseway.proof.meter_risk.study import study, to_json

    need("proof", "meter")
    choice = _find(table, game, book_with(paytable or []))
    play = (wagers_per_day, days, jackpots, runs, seed)
    rates, reserves = _by_meter("contribution", contribution), _by_meter("reserve", reserve)
    seeds = _by_meter("seed-amount", seed_amount)
    requests = [_asked(*choice, rates, reserves, seeds, wager, fixed_from, others, envy_scales, play)]
    for rate in compare or ():
        if len(requests[0].terms.meters) > 1:
            raise Refusal("compare", "sets contributions to one meter side by side; this table has several")
        requests.append(_asked(*choice, {FOR_ALL: rate}, reserves, seeds, wager, fixed_from, others, envy_scales, play))
    drawn = _drawn(plot, plot_meter, list(requests[0].terms.meters))
    studies: list[Study] = []
    with _progress() as progress:
        for request in requests:
            studies.append(study(request, progress))
            if studies[-1].interrupted:
                break
    if plot is not None:
        from houseway.proof.meter_risk.plots import draw

        try:
            draw(studies, drawn, plot)
        except OSError as error:
            raise Refusal("plot", f"{plot} cannot be written: {error.strerror or error}") from None
    if as_json:
        data = [to_json(study) for study in studies]
        screen.print_json({**data[0], "compared": data[1:]} if compare else data[0])
    else:
        _show(studies)
    if studies[-1].interrupted:
        sys.stderr.write(f"houseway: interrupted: {_played(studies[-1])}\n")
        raise typer.Exit(INTERRUPTED)


# ------------------------------------------------------------------------------------------------ what was asked


def _find(name: str, key: str | None, book: Book) -> tuple[Game, ProgressiveTable]:
    from houseway.commands.rules import named_game
    from houseway.paytables import ProgressiveTable
    from houseway.proof.collect import counted_games

    games = [named_game(key)] if key is not None else counted_games()
    matches = [
        (game, table)
        for game in games
        if isinstance(table := book.find(game.families, "progressive", name), ProgressiveTable)
    ]
    if not matches:
        known = dict.fromkeys(table.id for game in games for table in book.of(game.families, "progressive"))
        raise Refusal("table", f"{name[:40]!r} is no progressive table here; there are {', '.join(known) or 'none'}")
    if len(matches) > 1:
        raise Refusal(
            "game", f"is missing; {name} is a progressive table of {' and '.join(game.key for game, _ in matches)}"
        )
    return matches[0]


def _asked(
    game: Game,
    table: ProgressiveTable,
    contributions: dict[str, str],
    reserves: dict[str, str],
    seeds: dict[str, str],
    wager: str | None,
    fixed_from: str,
    others: int | None,
    envy_scales: bool,
    play: tuple[int, int, int, int, int],
) -> Asked:
    """The link that the words describe, checked."""
    from dataclasses import replace

    from houseway.progressive import Policy, seed_amount
    from houseway.progressive.terms import MeterTerms, Terms
    from houseway.proof.collect import Request, progressive_odds
    from houseway.proof.meter_risk.study import Asked

    wager_cents = _wager(table, wager)
    option = next(option for option in game.options if option.name == "fixed_from")
    if not option.fits(fixed_from):
        raise Refusal("fixed-from", f"{fixed_from[:40]!r} does not fit; allowed is {option.allowed}")
    if not envy_scales and not any(option.name == "envy_scales" for option in game.options):
        raise Refusal("envy-as-printed", f"is not for {game.key}: its tables say for which wager envy is printed")
    spots = game.most_spots - 1
    if others is not None and others > spots:
        raise Refusal("others", f"is {others}; a table of {game.key} has at most {spots} other spots")
    for words, field in ((contributions, "contribution"), (reserves, "reserve"), (seeds, "seed-amount")):
        _check_names(words, field, table)
    printed = seed_amount(table, wager_cents) if len(table.meters) == 1 else None
    seed_cents = {}
    for name in table.meters:
        text = seeds.get(name, seeds.get(FOR_ALL))
        if text is None and printed is None:
            raise Refusal("seed-amount", f"is missing; no seed is printed for meter {name} of {table.label}")
        seed_cents[name] = printed if text is None and printed is not None else _cents("seed-amount", text or "")
    full = spots if others is None else others
    priced = replace(table, figures_wager_cents=wager_cents)
    odds = replace(
        progressive_odds(game.key, priced, Request(options={"fixed_from": fixed_from}, seeds_cents=seed_cents)),
        policy=Policy(fixed_from=fixed_from, envy_scales=envy_scales),
        others=full,
    )
    reserve_bp = {name: _rate("reserve", reserves.get(name, reserves.get(FOR_ALL, "0%"))) for name in table.meters}
    inferred = not contributions
    if inferred:
        rates = {table.meters[0]: _inferred(game, table, wager_cents, sum(reserve_bp.values()))}
    else:
        shares = {name: contributions.get(name, contributions.get(FOR_ALL)) for name in table.meters}
        missing = next((name for name, text in shares.items() if text is None), None)
        if missing is not None:
            raise Refusal("contribution", f"is missing for meter {missing}; write {missing}=RATE")
        rates = {name: _rate("contribution", text or "") for name, text in shares.items()}
    if sum(rates.values()) + sum(reserve_bp.values()) > 10_000:
        raise Refusal("contribution", "and reserve are together at most 100% of the wager, all meters counted")
    terms = Terms(
        table=table,
        wager_cents=wager_cents,
        meters={
            name: MeterTerms(contribution_bp=rates[name], reserve_bp=reserve_bp[name], seed_cents=seed_cents[name])
            for name in table.meters
        },
        fixed_from=fixed_from,
    )
    _check_solvable(terms, odds.rows)
    wagers_per_day, days, jackpots, runs, seed = play
    if wagers_per_day * days > MOST_WAGERS:
        raise Refusal("wagers-per-day", f"comes to more than {MOST_WAGERS:,} wagers in {days:,} days")
    return Asked(
        game=game,
        terms=terms,
        rows=odds.rows,
        total=odds.total,
        others=full,
        envy_scales=envy_scales,
        break_even_cents=odds.break_even_cents,
        inferred=inferred,
        wagers_per_day=wagers_per_day,
        days=days,
        jackpots=jackpots,
        runs=runs,
        seed=seed,
    )


def _check_names(values: dict[str, str], field: str, table: ProgressiveTable) -> None:
    for name in values:
        if name != FOR_ALL and name not in table.meters:
            raise Refusal(field, f"{name[:40]!r} is not a meter of {table.label}; it has {', '.join(table.meters)}")


def _check_solvable(terms: Any, rows: Any) -> None:
    for name, meter in terms.meters.items():
        whole = [row.hand for row in terms.table.rows if row.meter == name and row.percent == 100]
        if not any(rows.get(hand, 0) for hand in whole):
            raise Refusal("table", f"no hand of this game wins all of meter {name}, so it has no jackpot to wait for")
        if meter.contribution_bp == 0:
            raise Refusal("contribution", f"is 0% for meter {name}; a meter that nothing is put on has no life to show")


def _inferred(game: Game, table: ProgressiveTable, wager_cents: int, reserve_bp: int) -> int:
    """The contribution that the printed edge tells, less the reserves."""
    from houseway.proof.collect import progressive_odds
    from houseway.proof.figure import Claim
    from houseway.proof.progressive import inferred_contribution

    printed = table.printed.get("house_edge")
    contribution = None
    if printed is not None and table.seed_cents is not None and len(table.meters) == 1:
        contribution = inferred_contribution(progressive_odds(game.key, table), Claim.of(printed))
    if contribution is None:
        raise Refusal("contribution", f"is missing; none can be told from what is printed beside {table.label}")
    rate = int(contribution * 10_000) - reserve_bp
    if rate <= 0:
        raise Refusal(
            "reserve", f"takes all of the contribution of {_percent(contribution)} that the printed edge tells"
        )
    return rate


def _wager(table: ProgressiveTable, text: str | None) -> int:
    stated = table.stated_wager_cents
    if text is None:
        return stated or table.figures_wager_cents or 100
    cents = _cents("wager", text)
    if stated is not None and cents != stated:
        raise Refusal("wager", f"{table.label} states its wager, ${stated / 100:.2f}, and takes exactly that")
    if cents == 0:
        raise Refusal("wager", "must be above $0.00")
    return cents


def _by_meter(field: str, texts: list[str] | None) -> dict[str, str]:
    values: dict[str, str] = {}
    for text in texts or ():
        name, _, value = text.rpartition("=")
        if name in values:
            raise Refusal(field, f"is given twice{f' for meter {name}' if name else ''}")
        values[name] = value
    return values


def _rate(field: str, text: str) -> int:
    """A rate in hundredths of a percent."""
    try:
        number = Decimal(text.removesuffix("%")) * (100 if text.endswith("%") else 10_000)
        if not number.is_finite() or not 0 <= number <= 10_000 or number != number.to_integral_value():
            raise InvalidOperation
    except InvalidOperation:
        raise Refusal(
            field, f"{text[:40]!r} is not a rate from 0% to 100% in hundredths of a percent, such as 60% or 0.6"
        ) from None
    return int(number)


def _cents(field: str, text: str) -> int:
    try:
        cents = Decimal(text.removeprefix("$").replace(",", "")) * 100
        if not cents.is_finite() or not 0 <= cents <= 10**12 or cents != cents.to_integral_value():
            raise InvalidOperation
    except InvalidOperation:
        raise Refusal(field, f"{text[:40]!r} is not an amount in dollars, such as 5000 or 2.50") from None
    return int(cents)


def _drawn(plot: Path | None, name: str | None, meters: list[str]) -> str:
    from houseway.proof.meter_risk.plots import KINDS

    if name is not None and name not in meters:
        raise Refusal("plot-meter", f"{name[:40]!r} is not a meter of this table; it has {', '.join(meters)}")
    if plot is not None:
        if plot.suffix not in KINDS:
            raise Refusal("plot", f"{plot.name} must end in {', '.join(KINDS)}")
        if not plot.parent.is_dir():
            raise Refusal("plot", f"there is no folder {plot.parent}")
        need("plot", "plot")
    return name or meters[0]


@contextmanager
def _progress() -> Iterator[Progress]:
    """A bar for every part of the work on a terminal; elsewhere nothing."""
    from houseway.proof.compiled import silent

    if not sys.stderr.isatty():
        yield silent
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    bars = Progress(*columns, console=Console(stderr=True), transient=True)
    tasks: dict[str, TaskID] = {}

    def told(what: str, done: float) -> None:
        if what not in tasks or (done == 0 and bars.tasks[tasks[what]].finished):
            tasks[what] = bars.add_task(what, total=1.0)
        bars.update(tasks[what], completed=done)

    with bars:
        yield told


def _played(study: Study) -> str:
    jackpots = sum(meter.cycles.jackpots for meter in study.meters.values() if meter.cycles is not None)
    runs = study.runs.runs if study.runs is not None else 0
    return f"{jackpots:,} jackpots and {runs:,} runs were played; what is shown comes from these"


# ------------------------------------------------------------------------------------------------ what is shown


def _show(studies: list[Study]) -> None:
    from houseway.commands import screen
    from houseway.proof.meter_risk.study import ASSUMPTIONS

    out = screen.console()
    if len(studies) > 1:
        _show_compared(studies)
    for name, meter in studies[0].meters.items():
        _show_meter(studies[0], name, meter)
    _show_house(studies[0])
    for words in ASSUMPTIONS:
        out.print(f"Taken as given: {words}.", markup=False)


def _title(study: Study) -> str:
    from houseway.money import dollars

    request = study.asked
    return f"{request.game.title}, {request.terms.table.label}, wager {dollars(request.terms.wager_cents)}"


def _show_compared(studies: list[Study]) -> None:
    from houseway.commands import screen
    from houseway.proof.figure import percent

    columns = ("contribution", "house edge", "mean jackpot", "dry from the seed", "dry after a jackpot", "shortfall")
    table = screen.table(f"{_title(studies[0])}: contributions side by side", *columns, right=columns[1:])
    for study in studies:
        (meter,) = study.meters.values()
        table.add_row(
            _percent(study.asked.contribution),
            percent(study.house.edge, 2),
            _money(meter.mean_jackpot),
            _chance(meter.from_the_seed.chance),
            _chance(meter.after_a_jackpot.chance),
            _money(meter.after_a_jackpot.shortfall_cents),
        )
    screen.show(screen.console(), table)


def _show_meter(study: Study, name: str, meter: MeterStudy) -> None:
    from houseway.commands import screen
    from houseway.money import dollars
    from houseway.proof.meter_risk.fan import QUANTILES

    request, terms = study.asked, study.asked.terms.meters[name]
    out = screen.console()
    remark = " (told by the printed edge)" if request.inferred else ""
    out.print(
        f"{_title(study)}, meter {name}: contribution {_bp(terms.contribution_bp)}{remark}, reserve "
        f"{_bp(terms.reserve_bp)}, seed {dollars(terms.seed_cents)}; {request.wagers_per_day:,} wagers a day",
        style="bold",
        markup=False,
    )
    table = screen.table("", "between jackpots", "solved", "simulated", right=("solved", "simulated"))
    for words, solved, simulated in _between(meter, request.wagers_per_day):
        table.add_row(words, solved, simulated)
    if meter.cycles is not None and meter.cycles.jackpots:
        table.caption = f"Simulated over {meter.cycles.jackpots:,} jackpots, ± one standard error."
    screen.show(out, table)
    days = tuple(f"{part:.0%}" for part in QUANTILES)
    level = screen.table("Level of the meter, solved", "after", *days, "mean", "simulated", right=(*days, "mean",
                         "simulated"))  # fmt: skip
    number = list(study.meters).index(name)
    for day in request.shown_days:
        place = request.fan_days.index(day)
        quantiles = (_money(cents) for cents in meter.fan.levels_cents[place])
        level.add_row(
            f"{day:,} days", *quantiles, _money(meter.fan.means_cents[place]), _mean_level(study, place, number)
        )
    screen.show(out, level)


def _between(meter: MeterStudy, wagers_per_day: int) -> list[tuple[str, str, str]]:
    model, cycles = meter.model, meter.cycles
    played = cycles if cycles is not None and cycles.jackpots else None

    def mean(of: Any, scale: float, words: str) -> str:
        if played is None:
            return ""
        value, error = played.mean(of)
        return words.format(value * scale, error * scale)

    def quantile(part: float) -> str:
        return "" if played is None else _money(played.quantile(part))

    low, high = meter.law.quantile(0.05), meter.law.quantile(0.95)
    empty, usual = meter.from_the_seed, meter.after_a_jackpot
    ran_dry = None if played is None else (played.times_dry > 0) * 1.0
    days = 1 / wagers_per_day
    lines = [
        ("mean jackpot", _money(meter.mean_jackpot),
         mean(played and played.jackpots_cents, 0.01, "${:,.0f} ± {:,.0f}")),
        ("its deviation", _money(meter.deviation),
         "" if played is None else _money(float(played.jackpots_cents.std()))),
        ("median jackpot", _money(meter.law.quantile(0.5)), quantile(0.5)),
        ("nine of ten between", f"{_money(low)} and {_money(high)}",
         "" if played is None else f"{quantile(0.05)} and {quantile(0.95)}"),
        ("days between jackpots, mean", f"{float(1 / model.jackpot_chance) * days:,.1f}",
         mean(played and played.wagers, days, "{:,.1f} ± {:,.1f}")),
        ("one comes within, in half of all cases", f"{model.wagers_until(0.5) * days:,.1f} days", ""),
        ("and in 95 of 100", f"{model.wagers_until(0.95) * days:,.1f} days", ""),
    ]  # fmt: skip
    if meter.risk is None:
        return [*lines, ("runs dry", "never: no fixed award comes off it", "")]
    return [
        *lines,
        ("runs dry before the next jackpot", _chance(usual.chance), mean(ran_dry, 100, "{:.2f}% ± {:.2f}%")),
        ("the same with an empty reserve", _chance(empty.chance), ""),
        ("awards it cannot pay in full", f"{usual.times:.3g}",
         mean(played and played.times_dry, 1, "{:.3g} ± {:.2g}")),
        ("what the house then covers", f"${usual.shortfall_cents / 100:,.2f}",
         mean(played and played.missing_cents, 0.01, "${:,.2f} ± {:,.2f}")),
    ]  # fmt: skip


def _mean_level(study: Study, place: int, number: int) -> str:
    if study.runs is None or study.runs.runs < 2:
        return ""
    levels = study.runs.levels_cents[:, place, number]
    return f"{_money(float(levels.mean()))} ± {float(levels.std(ddof=1)) / len(levels) ** 0.5 / 100:,.0f}"


def _show_house(study: Study) -> None:
    from houseway.commands import screen
    from houseway.proof.figure import percent

    out, house, request = screen.console(), study.house, study.asked
    columns = ("after", "mean", "deviation", "5%", "50%", "95%", "behind", "simulated")
    table = screen.table("House win, solved", *columns, right=columns[1:])
    for day in request.shown_days:
        wins = study.simulated_win(day)
        simulated = ""
        if wins is not None and len(wins) > 1:
            simulated = f"{_money(float(wins.mean()))} ± {float(wins.std(ddof=1)) / len(wins) ** 0.5 / 100:,.0f}"
        table.add_row(
            f"{day:,} days",
            _money(study.mean_win(day)),
            _money(house.deviation(day * request.wagers_per_day)),
            *(_money(study.win(day, part)) for part in (0.05, 0.5, 0.95)),
            f"{study.winnings[day].chance_of_loss:.2%}",
            simulated,
        )
    screen.show(out, table)
    unit = house.wager_cents
    day = request.wagers_per_day
    envy = f", envy {percent(house.envy / unit, 2)} with {request.others} other spots in" if house.envy else ""
    out.print(
        f"House edge {percent(house.edge, 2)}: of each wager the house keeps {percent(house.kept / unit, 2)}; the tray "
        f"pays {percent(house.tray / unit, 2)}{envy}, seeds cost {percent(house.seeds / unit, 2)} "
        f"({_money(float(house.seeds) * day)} a day).",
        markup=False,
    )
    if study.covered > 0.00005:
        cost = f"${study.covered * day / 100:,.2f}"
        out.print(f"Dry meters cost {cost} a day more, which is taken off the win above.", markup=False)
    if house.reserve:
        out.print(f"Reserves get {_money(float(house.reserve) * day)} a day, which go on the next meter.", markup=False)
    even = request.break_even_cents
    meter = "" if even is None else f"; to the player it costs nothing from a meter of {_money(float(even))} on"
    out.print(
        f"The house breaks even where meters and reserves get {percent(house.break_even_rate, 2)} of the wager{meter}.",
        markup=False,
    )


def _money(cents: float) -> str:
    """Dollars, to the dollar."""
    whole = round(cents / 100)
    return f"{'-' if whole < 0 else ''}${abs(whole):,}"


def _chance(chance: float) -> str:
    return f"{chance:.2%}" if chance >= 1e-4 else f"{chance:.1e}"


def _percent(share: Fraction) -> str:
    from houseway.proof.figure import percent

    return percent(share, 0 if (share * 100).denominator == 1 else 2)


def _bp(rate: int) -> str:
    from fractions import Fraction

    return _percent(Fraction(rate, 10_000))
