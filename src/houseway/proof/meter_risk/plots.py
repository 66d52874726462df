"""Four pictures of a meter: its level over time, the jackpot, the risk of running dry, and what the house wins."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from houseway.money import dollars
from houseway.proof.figure import percent
from houseway.proof.meter_risk.fan import QUANTILES
from houseway.proof.meter_risk.study import MeterStudy, Study

COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
KINDS: Final = (".svg", ".png", ".pdf")
BARS: Final = 40
CURVE_POINTS: Final = 240
LEAST_SHOWN: Final = 1e-20


def draw(studies: Sequence[Study], meter: str, file: Path) -> None:
    """Draw one meter of each study, in one colour each, and write the picture."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    first = studies[0].asked
    with mpl.rc_context({"svg.hashsalt": "houseway", "font.size": 9, "axes.titlesize": 10}):
        figure = Figure(figsize=(11, 8), layout="constrained")
        name = "" if len(first.terms.meters) == 1 else f", meter {meter}"
        figure.suptitle(
            f"{first.game.title}, {first.terms.table.label}{name}: {first.wagers_per_day:,} wagers a day of "
            f"{dollars(first.terms.wager_cents)}, seed {dollars(first.terms.meters[meter].seed_cents)}",
            parse_math=False,
        )
        panels = figure.subplots(2, 2)
        far = max(study.meters[meter].law.quantile(0.995) for study in studies)
        for place, plotted_study in enumerate(studies):
            colour = COLOURS[place % len(COLOURS)]
            label = percent(plotted_study.asked.contribution, 2).replace(".00%", "%")
            label = label if len(studies) > 1 else f"solved, contribution {label}"
            meter_study = plotted_study.meters[meter]
            _level(panels[0][0], plotted_study, meter, colour, label, full=len(studies) == 1)
            _jackpot(panels[0][1], meter_study, far, colour, label, bars=len(studies) == 1)
            _dry(panels[1][0], meter_study, colour, label)
            _house(panels[1][1], plotted_study, colour, label)
        _words(panels, studies, meter)
        if file.suffix == ".svg":
            figure.savefig(file, metadata={"Date": None})
        else:
            figure.savefig(file, dpi=150)


def _level(axes: Any, study: Study, meter: str, colour: str, label: str, *, full: bool) -> None:
    meter_study, days = study.meters[meter], study.asked.fan_days
    lines = [[levels[place] / 100 for levels in meter_study.fan.levels_cents] for place in range(len(QUANTILES))]
    axes.fill_between(days, lines[0], lines[4], color=colour, alpha=0.13, linewidth=0)
    if full:
        axes.fill_between(days, lines[1], lines[3], color=colour, alpha=0.22, linewidth=0)
    axes.plot(days, lines[2], color=colour, label=label)
    if full and study.runs is not None and study.runs.runs:
        import numpy as np

        place = list(study.meters).index(meter)
        played = np.quantile(study.runs.levels_cents[:, :, place], QUANTILES, axis=0) / 100
        for number, line in enumerate(played):
            axes.plot(days, line, color="black", linewidth=0.7, linestyle=":", label="" if number else "simulated")


def _jackpot(axes: Any, meter_study: MeterStudy, far: float, colour: str, label: str, *, bars: bool) -> None:
    import numpy as np

    edges = np.linspace(0, far, BARS + 1)
    chances, _ = np.histogram(meter_study.law.cents, edges, weights=meter_study.law.chances)
    axes.stairs(chances * 100, edges / 100, color=colour, label=label, fill=bars, alpha=0.35 if bars else 1)
    axes.axvline(meter_study.mean_jackpot / 100, color=colour, linestyle="--", linewidth=1)
    if bars and meter_study.cycles is not None and meter_study.cycles.jackpots:
        played, _ = np.histogram(meter_study.cycles.jackpots_cents, edges)
        shares = played / meter_study.cycles.jackpots * 100
        axes.stairs(shares, edges / 100, color="black", linewidth=0.8, linestyle=":", label="simulated")


def _dry(axes: Any, meter_study: MeterStudy, colour: str, label: str) -> None:
    if meter_study.risk is None:
        return
    import numpy as np

    largest = max(award.cents for award in meter_study.model.fixed)
    far = max(1.2 * meter_study.model.seed_cents, 4 * largest)
    levels = np.linspace(0, far, CURVE_POINTS)
    chances = np.array([meter_study.risk.chance(level) for level in levels])
    shown = chances > LEAST_SHOWN
    axes.plot(levels[shown] / 100, chances[shown], color=colour, label=label)
    axes.plot([meter_study.model.seed_cents / 100], [meter_study.from_the_seed.chance], "o", color=colour, markersize=5)


def _house(axes: Any, study: Study, colour: str, label: str) -> None:
    days = (0, *study.asked.shown_days)
    low, middle, high = ([0.0, *(study.win(day, part) / 100 for day in days[1:])] for part in (0.05, 0.5, 0.95))
    axes.fill_between(days, low, high, color=colour, alpha=0.18, linewidth=0)
    axes.plot(days, middle, color=colour, label=label)


def _words(panels: Any, studies: Sequence[Study], meter: str) -> None:
    several = len(studies) > 1
    level, jackpot, dry, house = panels[0][0], panels[0][1], panels[1][0], panels[1][1]
    level.set(title="level of the meter: median and 5% to 95%" if several else
              "level of the meter: median, 25% to 75%, 5% to 95%", xlabel="day", ylabel="dollars")  # fmt: skip
    jackpot.set(title="jackpot when it is hit (dashed: mean)", xlabel="dollars", ylabel="% of jackpots")
    dry.set(title="risk of running dry before the next jackpot", xlabel="dollars on the meter (dot: the seed)",
            ylabel="chance")  # fmt: skip
    house.set(title="house win: median and 5% to 95%", xlabel="day", ylabel="dollars")
    for axes in (level, jackpot, dry, house):
        axes.grid(alpha=0.25)
        axes.set_xlim(left=0)
    for axes in (level, jackpot, house):
        axes.ticklabel_format(style="plain")
        axes.yaxis.set_major_formatter("{x:,.0f}")
        axes.xaxis.set_major_formatter("{x:,.0f}")
    jackpot.yaxis.set_major_formatter("{x:g}")
    dry.xaxis.set_major_formatter("{x:,.0f}")
    if all(study.meters[meter].risk is None for study in studies):
        dry.text(0.5, 0.5, "no fixed award comes off this meter:\nit cannot run dry", transform=dry.transAxes,
                 ha="center", va="center")  # fmt: skip
    else:
        dry.set_yscale("log")
        dry.set_ylim(top=1.5)
    title = "contribution" if several else None
    for axes in (level, jackpot, house, dry):
        if axes.get_legend_handles_labels()[0]:
            axes.legend(title=title, fontsize=8)
