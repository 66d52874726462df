"""A figure: what a wager costs, how often it hits, how far it swings, and whether print agrees.

A ``Counted`` is what a solver found out about a wager: whole numbers of cases, and nothing about money put on meters or
about print. It is what is cached and shipped. A ``Figure`` is made of it and of the pay table each time it is read,
in plain Python, so that a figure can never be older than the words beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor
from typing import Any, Final, Literal, TypeAlias

from houseway.proof.distribution import Distribution

Verdict: TypeAlias = Literal["reproduced", "differs", "not printed"]
PublishedVerdict: TypeAlias = Literal["reproduced", "differs", "not published"]
Method: TypeAlias = Literal["exact", "bounds"]

BASE: Final = "base"
"""How figures call the base game."""
PROGRESSIVE: Final = "progressive"
PLAY_FROM: Final = "play_from"
"""The fact from which value on every hand is played; absent where there is no such value."""
VALUE_DIGITS: Final = 10
"""Digits behind the point of a value that stands beside its exact fraction."""
DEVIATION_DIGITS: Final = 6


@dataclass(frozen=True, slots=True)
class Quantity:
    """An exact number, or two numbers that hold the truth between them."""

    low: Fraction
    high: Fraction

    @staticmethod
    def of(number: Fraction) -> Quantity:
        return Quantity(number, number)

    @property
    def exact(self) -> Fraction | None:
        return self.low if self.low == self.high else None

    @property
    def middle(self) -> Fraction:
        return (self.low + self.high) / 2

    def to_json(self) -> dict[str, Any]:
        exact = None if self.exact is None else str(self.exact)
        return {"exact": exact, "value": round(float(self.middle), VALUE_DIGITS)}


@dataclass(frozen=True, slots=True)
class Claim:
    """A percentage as the documents print it, such as 3.37%: a share, and how many digits of it were shown."""

    text: str
    share: Fraction
    digits: int
    """Digits behind the point."""

    @staticmethod
    def of(text: str) -> Claim:
        number = text.removesuffix("%")
        return Claim(text, Fraction(number) / 100, len(number.partition(".")[2]))

    def reproduced_by(self, counted: Fraction) -> bool:
        """Whether the count, rounded to the printed digits, is what is printed."""
        return half_up(counted, self.digits) == half_up(self.share, self.digits)


def half_up(share: Fraction, digits: int) -> int:
    """A share as a percentage rounded to so many digits behind the point, point left out; halves go away from zero."""
    rounded = int(abs(share) * 100 * 10**digits + Fraction(1, 2))
    return rounded if share >= 0 else -rounded


def players_edge(edge: Fraction, wager: str) -> str:
    """Where the house loses on a wager, the sentence that says so; empty elsewhere."""
    if edge >= 0:
        return ""
    return f"as printed the player has an edge of {percent(-edge, 2)} of the {wager}: the house loses money on it"


def percent(share: Fraction, digits: int) -> str:
    """A share as a percentage with so many digits behind the point, rounded half up from the exact fraction."""
    rounded = half_up(share, digits)
    whole, rest = divmod(abs(rounded), 10**digits)
    return f"{'-' if rounded < 0 else ''}{whole}{f'.{rest:0{digits}d}' if digits else ''}%"


@dataclass(frozen=True, slots=True)
class Simulation:
    """The same wager played out with random cards: a second witness, never the figure itself."""

    house_edge: float
    standard_error: float
    rounds: int
    seed: int


@dataclass(frozen=True, slots=True)
class Play:
    """How a base game was played: how often the second wager is made, and what simpler ways to play cost."""

    frequency: Fraction
    """How often the wager that follows from the decision is made."""
    facts: Mapping[str, int] = field(default_factory=dict)
    """What the words of the strategy are made of, beside the rules of thumb."""
    thumbs: Mapping[str, Fraction] = field(default_factory=dict)
    """The house edge under each rule of thumb, by its words."""
    least: str = ""
    """Where every hand from one on is played: that hand, by its ranks."""


@dataclass(frozen=True, slots=True)
class Counted:
    """What was counted for one wager; the part of a figure that costs time."""

    game: str
    wager: str
    table: str
    seconds: float
    distribution: Distribution | None = None
    """Every net result of the wager on the player's own cards, where every case was counted and the pays are fixed."""
    larger: Distribution | None = None
    """The same where ties between choices go to the larger stake, and not to the smaller; None where there are none."""
    house_edge: Quantity | None = None
    """Where there is no distribution but bounds."""
    hit_frequency: Quantity | None = None
    standard_deviation: float | None = None
    results: tuple[tuple[Fraction, Quantity], ...] = ()
    """Every net result per unit of the wager and the bounds of its chance, where there is no distribution."""
    rows: Mapping[str, int] = field(default_factory=dict)
    """In how many of ``total`` cases each hand comes, paid or not; for progressives and envy."""
    total: int = 0
    play: Play | None = None
    simulation: Simulation | None = None

    def __post_init__(self) -> None:
        if self.rows and (sum(self.rows.values()) != self.total or min(self.rows.values()) < 0):
            raise ValueError(f"the hands of {self.game} {self.wager} {self.table} do not sum to {self.total}")

    def to_json(self) -> dict[str, Any]:
        """As plain data, exactly; ``from_json`` is the way back."""
        data: dict[str, Any] = {
            "game": self.game,
            "wager": self.wager,
            "table": self.table,
            "seconds": round(self.seconds, 2),
        }
        for name, distribution in (("distribution", self.distribution), ("larger", self.larger)):
            if distribution is not None:
                data[name] = {
                    "unit": distribution.unit,
                    "total": distribution.total,
                    "hits": distribution.hits,
                    "wagered": str(distribution.wagered),
                    "ways": {str(net): count for net, count in distribution.ways.items()},
                }
        for name, quantity in (("house_edge", self.house_edge), ("hit_frequency", self.hit_frequency)):
            if quantity is not None:
                data[name] = [str(quantity.low), str(quantity.high)]
        if self.standard_deviation is not None:
            data["standard_deviation"] = self.standard_deviation
        if self.results:
            data["results"] = [[str(net), str(chance.low), str(chance.high)] for net, chance in self.results]
        if self.rows:
            data["rows"] = dict(self.rows)
            data["total"] = self.total
        if self.play is not None:
            data["play"] = {
                "frequency": str(self.play.frequency),
                "facts": dict(self.play.facts),
                "thumbs": {words: str(edge) for words, edge in self.play.thumbs.items()},
            }
            if self.play.least:
                data["play"]["least"] = self.play.least
        if self.simulation is not None:
            play = self.simulation
            data["simulation"] = [play.house_edge, play.standard_error, play.rounds, play.seed]
        return data

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Counted:
        """Anything else than what ``to_json`` writes raises KeyError, TypeError or ValueError."""
        play = simulation = None
        results = data.get("results", ())
        if "play" in data:
            raw = data["play"]
            thumbs = {words: Fraction(edge) for words, edge in raw["thumbs"].items()}
            play = Play(Fraction(raw["frequency"]), raw["facts"], thumbs, raw.get("least", ""))
        if "simulation" in data:
            simulation = Simulation(*data["simulation"])
        return Counted(
            game=data["game"],
            wager=data["wager"],
            table=data["table"],
            seconds=float(data["seconds"]),
            distribution=_distribution(data.get("distribution")),
            larger=_distribution(data.get("larger")),
            house_edge=_quantity(data.get("house_edge")),
            hit_frequency=_quantity(data.get("hit_frequency")),
            standard_deviation=data.get("standard_deviation"),
            results=tuple((Fraction(net), Quantity(Fraction(low), Fraction(high))) for net, low, high in results),
            rows=data.get("rows", {}),
            total=data.get("total", 0),
            play=play,
            simulation=simulation,
        )


def _distribution(raw: Mapping[str, Any] | None) -> Distribution | None:
    if raw is None:
        return None
    ways = {int(net): int(count) for net, count in raw["ways"].items()}
    return Distribution(raw["unit"], ways, raw["total"], raw["hits"], Fraction(raw["wagered"]))


def _quantity(raw: list[str] | None) -> Quantity | None:
    return None if raw is None else Quantity(Fraction(raw[0]), Fraction(raw[1]))


@dataclass(frozen=True, slots=True)
class Outcome:
    """One line of a full distribution: what happens, how often, and what it comes to."""

    what: str
    chance: Quantity
    ways: int | None
    """The number of cases; None where there are bounds."""
    net: Fraction | None
    """Per unit of the wager; None where it depends on a meter."""


@dataclass(frozen=True, slots=True)
class Returns:
    """What a progressive wager gives back on average, per unit wagered, by where it comes from."""

    tray: Fraction
    seed: Fraction | None
    """Seed cost; None where no seed is printed or given."""
    envy_per_other: Fraction
    others: int
    """How many other spots the envy counts."""
    contribution: Fraction | None
    inferred: bool
    """Whether the contribution is the whole percent that reproduces the printed edge."""
    contribution_and_seed: Fraction | None
    """Their sum, where the printed edge needs it and no seed is printed."""
    break_even_dollars: Fraction | None
    """Where one meter has a 100% row: the meter at which the wager costs nothing."""


@dataclass(frozen=True, slots=True)
class Figure:
    """Everything that is known of one wager on one pay table."""

    game: str
    wager: str
    table: str
    approved: bool
    house_edge: Quantity | None
    """Per unit of the wager; of a base game per unit of Ante (pai gow: of the base wager)."""
    hit_frequency: Quantity
    standard_deviation: float | None
    element_of_risk: Fraction | None
    """Of a base game: the expected loss per unit of everything wagered."""
    strategy: str
    """Of a base game: the best way to play, in words."""
    printed: Mapping[str, str | None]
    """What the documents print for ``house_edge`` and ``hit_frequency``."""
    verdict: Verdict
    why: str
    """Where a printed figure differs: which, by how much, and what is known of the reason."""
    assumptions: tuple[str, ...]
    seconds: float
    returns: Returns | None = None
    """Of a progressive."""
    outcomes: tuple[Outcome, ...] = ()
    """The full distribution."""
    total: int = 0
    """The cases that the ways sum to; 0 where there are bounds."""
    simulation: Simulation | None = None
    average_bet: Fraction | None = None
    """Of a base game: everything wagered in a round on average, per unit of its first wager."""
    larger: Distribution | None = None
    """Of a base game: the same play where ties between choices go to the larger stake; None where there are no ties."""
    published: Mapping[str, str | None] = field(default_factory=dict)
    """What the trade's literature gives."""
    published_verdict: PublishedVerdict = "not published"
    published_why: str = ""
    notes: tuple[str, ...] = ()
    """What else the documents print beside the table and what it needs, each with our count; none of it is judged."""

    @property
    def method(self) -> Method:
        bounded = self.house_edge is not None and self.house_edge.exact is None
        return "bounds" if bounded or self.hit_frequency.exact is None else "exact"

    @property
    def label(self) -> str:
        """The table's name on a screen; it never hides that a table is the house's own."""
        return self.table if self.approved else f"{self.table} (not approved)"

    def to_json(self, *, distribution: bool = False) -> dict[str, Any]:
        """The element that the contract describes; with ``distribution`` every outcome too."""
        data: dict[str, Any] = {"game": self.game, "wager": self.wager, "table": self.table}
        if not self.approved:
            data["approved"] = False
        data["house_edge"] = None if self.house_edge is None else self.house_edge.to_json()
        data["hit_frequency"] = self.hit_frequency.to_json()
        deviation = self.standard_deviation
        data["standard_deviation"] = None if deviation is None else round(deviation, DEVIATION_DIGITS)
        if self.element_of_risk is not None:
            data["element_of_risk"] = Quantity.of(self.element_of_risk).to_json()
        if self.average_bet is not None:
            data["average_bet"] = Quantity.of(self.average_bet).to_json()
        if self.larger is not None:
            data["ties"] = _ties_json(self.larger)
        if self.strategy:
            data["strategy"] = self.strategy
        if self.returns is not None:
            data |= _returns_json(self.returns)
        data["printed"] = dict(self.printed)
        data["verdict"] = self.verdict
        if self.why:
            data["why"] = self.why
        data["published"] = dict(self.published)
        data["published_verdict"] = self.published_verdict
        if self.published_why:
            data["published_why"] = self.published_why
        data["assumptions"] = list(self.assumptions)
        data["method"] = self.method
        if self.method == "bounds" and self.house_edge is not None:
            data["low"] = _outward(self.house_edge.low, floor)
            data["high"] = _outward(self.house_edge.high, ceil)
        if self.simulation is not None:
            data["simulation"] = {
                "house_edge": self.simulation.house_edge,
                "standard_error": self.simulation.standard_error,
                "rounds": self.simulation.rounds,
                "seed": self.simulation.seed,
            }
        data["seconds"] = round(self.seconds, 2)
        if distribution:
            data["distribution"] = {
                "total": self.total,
                "outcomes": [
                    {
                        "what": outcome.what,
                        "net": None if outcome.net is None else str(outcome.net),
                        "ways": outcome.ways,
                        "chance": outcome.chance.to_json(),
                    }
                    for outcome in self.outcomes
                ],
            }
        return data


def _ties_json(larger: Distribution) -> dict[str, Any]:
    """Where two choices are worth exactly the same: which the figure takes, and what the other comes to."""
    return {
        "rule": "the smaller stake",
        "the larger stake": {
            "hit_frequency": Quantity.of(larger.hit_frequency).to_json(),
            "standard_deviation": round(larger.standard_deviation, DEVIATION_DIGITS),
            "element_of_risk": Quantity.of(larger.element_of_risk).to_json(),
            "average_bet": Quantity.of(larger.wagered).to_json(),
        },
    }


def _returns_json(returns: Returns) -> dict[str, Any]:
    contribution = returns.contribution
    data: dict[str, Any] = {
        "returns": {
            "tray": Quantity.of(returns.tray).to_json(),
            "seed": None if returns.seed is None else Quantity.of(returns.seed).to_json(),
            "envy_per_other": Quantity.of(returns.envy_per_other).to_json(),
        },
        "others": returns.others,
        "contribution": None
        if contribution is None
        else {"value": round(float(contribution), VALUE_DIGITS), "inferred": returns.inferred},
    }
    if returns.contribution_and_seed is not None:
        data["contribution_and_seed"] = Quantity.of(returns.contribution_and_seed).to_json()
    even = returns.break_even_dollars
    data["break_even_meter"] = None if even is None else round(float(even), 2)
    return data


def _outward(bound: Fraction, rounded: Any) -> float:
    """A bound as a decimal, rounded away from the truth, so that it still holds it."""
    return float(Fraction(rounded(bound * 10**VALUE_DIGITS), 10**VALUE_DIGITS))
