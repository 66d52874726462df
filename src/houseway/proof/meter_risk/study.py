"""Everything about the meters of a link in one study: what is solved, and what is played beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isnan
from typing import Any, Final

from houseway.games import Game
from houseway.progressive.terms import WHOLE_BP, Terms
from houseway.proof.compiled import Progress, silent
from houseway.proof.figure import Quantity
from houseway.proof.meter_risk import dry, simulate
from houseway.proof.meter_risk.dry import DryRisk, Outlook
from houseway.proof.meter_risk.fan import QUANTILES, Fan, fan_of
from houseway.proof.meter_risk.house import House, Winnings, house_of
from houseway.proof.meter_risk.jackpot import Law, jackpot_law
from houseway.proof.meter_risk.ladder import TooHigh
from houseway.proof.meter_risk.model import MeterModel, models_of
from houseway.proof.meter_risk.simulate import Cycles, Runs
from houseway.refusal import Refusal

SHOWN_DAYS: Final = (30, 90, 180, 365, 730, 1825, 3650)
FAN_POINTS: Final = 48
SWINGS: Final = (0.05, 0.5, 0.95)
ASSUMPTIONS: Final = (
    "wagers come one after another, each on the meter before its own hand; hands are independent of each other",
    "meters start at their seed with an empty reserve, and the first seed is not counted as a cost",
    "no posted maximum holds the meter back",
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What is studied: a link, and how it is played."""

    game: Game
    terms: Terms
    rows: Mapping[str, int]
    """In how many of ``total`` cases each hand comes."""
    total: int
    others: int
    """Other spots with the wager, for envy."""
    envy_scales: bool
    """PR-A2: whether envy grows with the wager."""
    break_even_cents: Fraction | None
    """The meter at which the wager costs the player nothing."""
    inferred: bool = False
    """Whether the contribution is the one that the printed edge tells."""
    wagers_per_day: int = 1_000
    days: int = 365
    jackpots: int = 20_000
    """How many to play for each meter; 0 for none."""
    runs: int = 1_000
    """How often to play all the days; 0 for never."""
    seed: int = 1

    @property
    def contribution(self) -> Fraction:
        """What all meters get of a wager, reserves apart."""
        return Fraction(sum(meter.contribution_bp for meter in self.terms.meters.values()), WHOLE_BP)

    @property
    def shown_days(self) -> tuple[int, ...]:
        """The days that a screen shows."""
        return (*(day for day in SHOWN_DAYS if day < self.days), self.days)

    @property
    def fan_days(self) -> tuple[int, ...]:
        """The days that a plot is drawn through, those of the screen among them."""
        even = {round(self.days * point / FAN_POINTS) for point in range(FAN_POINTS + 1)}
        return tuple(sorted(even | set(self.shown_days)))

    @property
    def marks(self) -> tuple[int, ...]:
        """The same in wagers."""
        return tuple(day * self.wagers_per_day for day in self.fan_days)


@dataclass(frozen=True, slots=True)
class MeterStudy:
    """One meter."""

    model: MeterModel
    risk: DryRisk | None
    """None where no fixed award comes off the meter."""
    from_the_seed: Outlook
    after_a_jackpot: Outlook
    law: Law
    fan: Fan
    cycles: Cycles | None

    @property
    def covered(self) -> float:
        """What the house covers in the long run because the meter is dry, with each wager, in cents."""
        return self.after_a_jackpot.shortfall_cents * float(self.model.jackpot_chance)

    @property
    def mean_jackpot(self) -> float:
        """In cents."""
        return float(self.model.mean_jackpot(self.covered))

    @property
    def never_dry(self) -> bool:
        """Whether no fixed award comes off the meter, so that its moments are exact fractions."""
        return self.risk is None

    @property
    def deviation(self) -> float:
        """Of the jackpot, in cents."""
        return self.model.jackpot_deviation if self.never_dry else self.law.deviation


@dataclass(frozen=True, slots=True)
class Study:
    """A link."""

    asked: Asked
    meters: Mapping[str, MeterStudy]
    house: House
    winnings: Mapping[int, Winnings]
    """By day."""
    runs: Runs | None

    @property
    def covered(self) -> float:
        """What the house covers in the long run because meters are dry, with each wager, in cents."""
        return sum(meter.covered for meter in self.meters.values())

    @property
    def interrupted(self) -> bool:
        """Whether less was played than asked for."""
        played = [meter.cycles for meter in self.meters.values()]
        return any(cycles is not None and cycles.jackpots < cycles.asked for cycles in played) or (
            self.runs is not None and self.runs.runs < self.runs.asked
        )

    def mean_win(self, day: int) -> float:
        """What the house has won on average by a day, in cents, dry meters counted."""
        return (float(self.house.mean) - self.covered) * day * self.asked.wagers_per_day

    def win(self, day: int, part: float) -> float:
        """What it has not reached with this chance, in cents; what dry meters cost is taken off as a mean."""
        return self.winnings[day].quantile(part) - self.covered * day * self.asked.wagers_per_day

    def simulated_win(self, day: int) -> Any:
        """The house win of every run on a day, in cents."""
        return None if self.runs is None else self.runs.house_cents[:, self.asked.fan_days.index(day)]


def study(request: Asked, progress: Progress = silent) -> Study:
    """Solve every meter of a link and play it; Ctrl-C while it plays gives what there is by then."""
    models = models_of(request.terms, request.rows, request.total)
    meters = {}
    for number, (name, model) in enumerate(models.items()):
        meters[name] = _meter(request, model, number, progress)
    house = house_of(request.terms, request.rows, request.total, request.others, envy_scales=request.envy_scales)
    runs = None
    if request.runs:
        runs = simulate.play_runs(
            request.terms,
            request.rows,
            request.total,
            request.others,
            request.marks,
            request.runs,
            request.seed,
            progress,
            envy_scales=request.envy_scales,
        )
    winnings = {day: house.after(day * request.wagers_per_day) for day in request.shown_days}
    return Study(request, meters, house, winnings, runs)


def _meter(request: Asked, model: MeterModel, number: int, progress: Progress) -> MeterStudy:
    what = f"{model.name}: solved"
    progress(what, 0.0)
    try:
        risk = dry.dry_risk(model, dry.FINE_RUNGS)
        law = jackpot_law(model)
    except TooHigh:
        raise Refusal(
            "seed-amount", f"is too far from what a wager puts on meter {model.name} for it to be solved"
        ) from None
    progress(what, 0.5)
    fan = fan_of(model, request.marks)
    progress(what, 1.0)
    cycles = None
    if request.jackpots:
        cycles = simulate.play_cycles(model, request.jackpots, request.seed + number, progress)
    return MeterStudy(model, risk, dry.from_the_seed(model, risk), dry.after_a_jackpot(model, risk), law, fan, cycles)


# ------------------------------------------------------------------------------------------------ as data


def to_json(result: Study) -> dict[str, Any]:
    """The study as plain data; amounts in cents, whole ones where the name ends so."""
    request = result.asked
    return {
        "game": request.game.key,
        "table": request.terms.table.id,
        "wager_cents": request.terms.wager_cents,
        "others": request.others,
        "contribution_inferred": request.inferred,
        "wagers_per_day": request.wagers_per_day,
        "days": request.days,
        "seed": request.seed,
        "interrupted": result.interrupted,
        "meters": {name: _meter_json(request, number, result) for number, name in enumerate(result.meters)},
        "house": _house_json(result),
        "assumptions": list(ASSUMPTIONS),
    }


def _meter_json(request: Asked, number: int, result: Study) -> dict[str, Any]:
    name = list(result.meters)[number]
    meter, terms = result.meters[name], request.terms.meters[name]
    model = meter.model
    data: dict[str, Any] = {
        "contribution": terms.contribution_bp / WHOLE_BP,
        "reserve": terms.reserve_bp / WHOLE_BP,
        "seed_cents": terms.seed_cents,
        "jackpot_chance": Quantity.of(model.jackpot_chance).to_json(),
        "drift_cents_per_wager": Quantity.of(model.drift).to_json(),
        "wagers_between_jackpots": _waits(model),
        "jackpot_cents": {
            "mean": {
                "exact": str(model.exact_mean_jackpot) if meter.never_dry else None,
                "value": _cents(meter.mean_jackpot),
            },
            "deviation": _cents(meter.deviation),
            "quantiles": {str(part): _cents(meter.law.quantile(part)) for part in QUANTILES},
        },
        "running_dry": {
            "after_a_jackpot": _outlook_json(meter.after_a_jackpot),
            "from_the_seed": _outlook_json(meter.from_the_seed),
        },
        "level": [
            {"day": day, "mean_cents": _cents(mean), "quantiles_cents": _quantiles(levels)}
            for day, mean, levels in zip(request.fan_days, meter.fan.means_cents, meter.fan.levels_cents, strict=True)
        ],
    }
    if meter.cycles is not None and meter.cycles.jackpots:
        data["simulated"] = _cycles_json(meter.cycles)
    if result.runs is not None and result.runs.runs:
        data["simulated_level"] = _levels_json(request, result.runs, number)
    return data


def _waits(model: MeterModel) -> dict[str, float]:
    return {
        "mean": float(1 / model.jackpot_chance),
        **{str(part): model.wagers_until(part) for part in QUANTILES},
    }


def _outlook_json(outlook: Outlook) -> dict[str, float]:
    return {"chance": outlook.chance, "times": outlook.times, "shortfall_cents": _cents(outlook.shortfall_cents)}


def _cycles_json(cycles: Cycles) -> dict[str, Any]:
    return {
        "jackpots": cycles.jackpots,
        "mean_cents": _estimate(cycles, cycles.jackpots_cents, _cents),
        "quantiles_cents": {str(part): _cents(cycles.quantile(part)) for part in QUANTILES},
        "wagers_between_jackpots": _estimate(cycles, cycles.wagers),
        "running_dry": _estimate(cycles, (cycles.times_dry > 0) * 1.0),
        "shortfall_cents": _estimate(cycles, cycles.missing_cents, _cents),
    }


def _estimate(cycles: Cycles, of: Any, unit: Callable[[float], float] = float) -> dict[str, float | None]:
    """A mean and its standard error; null where there was one batch alone."""
    mean, error = cycles.mean(of)
    return {"value": unit(mean), "standard_error": None if isnan(error) else unit(error)}


def _levels_json(request: Asked, runs: Runs, number: int) -> list[dict[str, Any]]:
    import numpy as np

    levels = np.quantile(runs.levels_cents[:, :, number], QUANTILES, axis=0).T
    means = runs.levels_cents[:, :, number].mean(axis=0)
    return [
        {"day": day, "mean_cents": _cents(mean), "quantiles_cents": _quantiles(line)}
        for day, mean, line in zip(request.fan_days, means, levels.tolist(), strict=True)
    ]


def _house_json(result: Study) -> dict[str, Any]:
    house, request = result.house, result.asked
    even = request.break_even_cents
    days = []
    for day in request.shown_days:
        wagers = day * request.wagers_per_day
        line: dict[str, Any] = {
            "day": day,
            "mean_cents": _cents(result.mean_win(day)),
            "deviation_cents": _cents(house.deviation(wagers)),
            "chance_of_loss": result.winnings[day].chance_of_loss,
            "quantiles_cents": {str(part): _cents(result.win(day, part)) for part in SWINGS},
        }
        simulated = result.simulated_win(day)
        if simulated is not None and len(simulated) > 1:
            line["simulated"] = {
                "runs": len(simulated),
                "mean_cents": _cents(simulated.mean()),
                "standard_error_cents": _cents(simulated.std(ddof=1) / len(simulated) ** 0.5),
                "deviation_cents": _cents(simulated.std(ddof=1)),
            }
        days.append(line)
    return {
        "edge": Quantity.of(house.edge).to_json(),
        "covered_cents_per_wager": result.covered,
        "cents_per_wager": {
            "kept": Quantity.of(house.kept).to_json(),
            "tray": Quantity.of(house.tray).to_json(),
            "envy": Quantity.of(house.envy).to_json(),
            "seeds": Quantity.of(house.seeds).to_json(),
            "reserve": Quantity.of(house.reserve).to_json(),
        },
        "break_even_contribution": Quantity.of(house.break_even_rate).to_json(),
        "break_even_meter_cents": None if even is None else _cents(even),
        "win": days,
    }


def _quantiles(levels: Any) -> dict[str, int]:
    return {str(part): _cents(level) for part, level in zip(QUANTILES, levels, strict=True)}


def _cents(amount: Any) -> int:
    """To the nearest cent."""
    return round(float(amount))
