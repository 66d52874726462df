"""A simulation as a Parquet file, and as a picture."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from houseway.extras import need
from houseway.proof.figure import percent
from houseway.proof.simulation.results import Results
from houseway.refusal import Fault, Refusal

if TYPE_CHECKING:
    from matplotlib.axes import Axes

METADATA: Final = b"houseway.simulation"
"""Under which name the Parquet file carries everything that ``--json`` prints."""
PICTURES: Final = (".svg", ".png", ".pdf")


def check_parquet(file: Path) -> None:
    """Refuse, before anything is played, a file that could not be written."""
    need("parquet", "parquet")
    _check_folder("parquet", file)


def check_plot(file: Path) -> None:
    """Refuse, before anything is played, a picture that could not be drawn."""
    if file.suffix.lower() not in PICTURES:
        raise Refusal("plot", f"{file.name!r} must end in {', '.join(PICTURES[:-1])} or {PICTURES[-1]}")
    need("plot", "plot")
    _check_folder("plot", file)


def _check_folder(field: str, file: Path) -> None:
    if not file.parent.is_dir():
        raise Refusal(field, f"there is no folder {file.parent}")
    if file.is_dir():
        raise Refusal(field, f"{file} is a folder")


def write_parquet(results: Results, file: Path) -> None:
    """One row for every wager and net result, and the whole of ``--json`` in the file's metadata."""
    pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    columns: dict[str, list[Any]] = {
        name: [] for name in ("game", "wager", "table", "net", "net_exact", "count", "share", "exact_share")
    }
    for wager in results.wagers:
        chances = dict(wager.exact.outcomes) if wager.exact else {}
        for net, count in wager.outcomes:
            chance = chances.get(net)
            row = (
                *(results.plan.game, wager.wager, wager.table, float(net), str(net)),
                *(count, count / wager.sample.hands, None if chance is None else float(chance.middle)),
            )
            for column, value in zip(columns.values(), row, strict=True):
                column.append(value)
    types = (*("string",) * 3, "double", "string", "int64", "double", "double")
    schema = pyarrow.schema(
        [(name, pyarrow.type_for_alias(type_)) for name, type_ in zip(columns, types, strict=True)],
        metadata={METADATA: json.dumps(results.to_json()).encode()},
    )
    try:
        parquet.write_table(pyarrow.table(columns, schema=schema), file)
    except OSError as error:
        raise Fault(f"{file} could not be written: {error.strerror or error}") from None


def draw(results: Results, file: Path) -> None:
    """The edges beside the counted ones, the base game's outcomes, the bankroll, and the meters where there are any."""
    from matplotlib.figure import Figure

    panels = [_draw_edges, _draw_outcomes, _draw_bankroll, *([_draw_meters] if results.meters else [])]
    picture = Figure(figsize=(11, 3.4 * len(panels)), layout="constrained")
    for place, panel in enumerate(panels):
        panel(picture.add_subplot(len(panels), 1, place + 1), results)
    spots = "1 spot" if results.plan.spots == 1 else f"{results.plan.spots} spots"
    picture.suptitle(
        f"{results.plan.game}: {results.rounds:,} rounds, {spots}, {results.plan.way.name}, seed {results.plan.seed}"
    )
    try:
        picture.savefig(file)
    except OSError as error:
        raise Fault(f"{file} could not be written: {error.strerror or error}") from None


def _draw_edges(axes: Axes, results: Results) -> None:
    """How far each edge lies from the counted one, in standard errors."""
    shown = [wager for wager in results.wagers if wager.deviations is not None]
    axes.axvspan(-4, 4, color="0.93")
    axes.axvline(0, color="0.4", linewidth=1)
    for place, wager_result in enumerate(shown):
        deviations = wager_result.deviations or 0.0
        axes.plot([0, deviations], [place, place], color="tab:blue", linewidth=1)
        axes.plot(deviations, place, "o", color="tab:blue")
        counted = "" if wager_result.exact is None else percent(wager_result.exact.house_edge.middle, 3)
        axes.annotate(
            f"{wager_result.sample.house_edge:.3%} ± {wager_result.sample.standard_error:.3%}, counted {counted}",
            (4.2, place),
            va="center",
            fontsize=8,
        )
    axes.set(
        yticks=range(len(shown)),
        yticklabels=[wager.name for wager in shown],
        xlim=(-5, 9),
        ylim=(len(shown) - 0.5, -0.5),
        xticks=range(-4, 5),
        xlabel="standard errors from the counted house edge",
    )


def _draw_outcomes(axes: Axes, results: Results) -> None:
    base = results.wagers[0]
    nets = [float(net) for net, _ in base.outcomes]
    shares = [count / base.sample.hands for _, count in base.outcomes]
    chances = dict(base.exact.outcomes) if base.exact else {}
    places = range(len(nets))
    axes.bar(places, shares, color="tab:blue", alpha=0.6, label="simulated")
    if chances:
        counted = [float(chances[net].middle) if net in chances else 0.0 for net, _ in base.outcomes]
        axes.plot(places, counted, "k_", markersize=14, label="counted")
    axes.set(
        yscale="log",
        xticks=list(places),
        xticklabels=[f"{net:+g}" for net in nets],
        xlabel="net result of the base game, in units of its first wager",
        ylabel="share of hands",
    )
    axes.legend()


def _draw_bankroll(axes: Axes, results: Results) -> None:
    path = results.bankroll.path
    axes.plot([rounds for rounds, _ in path], [float(value) for _, value in path], linewidth=1)
    axes.axhline(0, color="0.4", linewidth=1)
    axes.set(xlabel="rounds", ylabel="bankroll of spot 1, units")


def _draw_meters(axes: Axes, results: Results) -> None:
    for meter_result in results.meters:
        for place, meter in enumerate(meter_result.meters):
            name = f"{meter_result.table} {meter['meter']}" if len(meter_result.meters) > 1 else meter_result.table
            line = axes.plot(
                [point[0] for point in meter_result.path],
                [point[1 + place] / 100 for point in meter_result.path],
                label=name,
                lw=1,
            )[0]
            won = [(rounds, cents / 100) for at, cents, rounds in meter_result.jackpots if at == place][:2000]
            axes.plot([rounds for rounds, _ in won], [cents for _, cents in won], ".", color=line.get_color())
    axes.set(xlabel="rounds", ylabel="meter, dollars (dots: jackpots)")
    axes.legend()
