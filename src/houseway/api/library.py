"""The library, open to everybody: games and their rules, pay tables, figures, strategies, and the sign of a table."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from houseway.api.paging import PageQuery
from houseway.api.pay_table import PRINTED_IN, AwardTable, OddsTable
from houseway.api.route import Chapter
from houseway.books.signage import Sign
from houseway.games.card import RuleCard

library = Chapter("library")


class GameItem(Struct, frozen=True, kw_only=True):
    """A rule set that can be played and proved."""

    game: str
    title: str
    short_title: str
    """For a small screen."""
    document: str
    most_spots: int


class Games(Struct, frozen=True, kw_only=True):
    items: tuple[GameItem, ...]
    next: str | None


class NamedGame(Struct, frozen=True, kw_only=True):
    """A game as an approval letter names it."""

    number: int
    name: str
    status: str
    rules: tuple[str, ...]
    """The rule sets here that describe it; none where we have its name only."""


class Letter(Struct, frozen=True, kw_only=True):
    """An approval letter."""

    letter: int
    date: str
    games: tuple[NamedGame, ...]


class Letters(Struct, frozen=True, kw_only=True):
    items: tuple[Letter, ...]
    next: str | None


GAMES = library.get("games", "/games", "The games whose rules are known.", may="rules", answer=Games, query=PageQuery)
APPROVAL_LETTERS = library.get(
    "approval_letters",
    "/letters",
    "The approval letters, and what we have of every game that they name.",
    may="rules",
    answer=Letters,
    query=PageQuery,
)
RULES = library.get(
    "rules",
    "/games/{game}",
    "A game's rule card: cards, decisions and streets, the rules in words, the wagers, the house options.",
    may="rules",
    answer=RuleCard,
)


class PayTables(Struct, frozen=True, kw_only=True):
    items: tuple[OddsTable | AwardTable, ...]
    next: str | None


class TablesQuery(PageQuery, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A page of a list of pay tables or figures, of one game or wager where that is named."""

    game: str = ""
    wager: str = ""


PAY_TABLES = library.get(
    "pay_tables",
    "/paytables",
    "The approved pay tables: what each hand pays, and the figures printed beside them.",
    may="rules",
    answer=PayTables,
    query=TablesQuery,
)


class QuantityDoc(Struct, frozen=True, kw_only=True):
    """A number: the exact fraction where every case was counted, and a decimal."""

    exact: str | None
    value: float


class ReturnsDoc(Struct, frozen=True, kw_only=True):
    """What a progressive wager gives back on average, per unit wagered, by where it comes from."""

    tray: QuantityDoc
    seed: QuantityDoc | None
    envy_per_other: QuantityDoc


class ContributionDoc(Struct, frozen=True, kw_only=True):
    value: float
    inferred: bool
    """Whether it is the whole percent that reproduces the printed edge."""


class SimulationDoc(Struct, frozen=True, kw_only=True):
    house_edge: float
    standard_error: float
    rounds: int
    seed: int


class OutcomeDoc(Struct, frozen=True, kw_only=True):
    what: str
    net: str | None
    ways: int | None
    chance: QuantityDoc


class DistributionDoc(Struct, frozen=True, kw_only=True):
    total: int
    outcomes: tuple[OutcomeDoc, ...]


class TiedPlayDoc(Struct, frozen=True, kw_only=True):
    hit_frequency: QuantityDoc
    standard_deviation: float
    element_of_risk: QuantityDoc
    average_bet: QuantityDoc


class TiesDoc(Struct, frozen=True, kw_only=True):
    """Where two choices are worth exactly the same: which the figure takes, and what the other comes to."""

    rule: str
    larger: TiedPlayDoc = field(name="the larger stake")


class FigureDoc(Struct, frozen=True, kw_only=True):
    """What one wager on one pay table really costs, and whether print agrees."""

    game: str
    wager: str
    table: str
    approved: bool = True
    house_edge: QuantityDoc | None
    hit_frequency: QuantityDoc
    standard_deviation: float | None
    element_of_risk: QuantityDoc | None = None
    average_bet: QuantityDoc | None = None
    """Of a base game: everything wagered in a round on average, per unit of its first wager."""
    ties: TiesDoc | None = None
    strategy: str = ""
    returns: ReturnsDoc | None = None
    others: int | None = None
    """Of a progressive: how many other spots the envy counts."""
    contribution: ContributionDoc | None = None
    contribution_and_seed: QuantityDoc | None = None
    break_even_meter_cents: int | None = None
    """Of a progressive with one full award: the meter at which the wager costs nothing, to the nearest cent."""
    currency: str = PRINTED_IN
    printed: dict[str, str | None]
    verdict: Literal["reproduced", "differs", "not printed"]
    why: str = ""
    published: dict[str, str | None]
    """What the trade's literature gives."""
    published_verdict: Literal["reproduced", "differs", "not published"]
    published_why: str = ""
    assumptions: tuple[str, ...]
    notes: tuple[str, ...] = ()
    method: Literal["exact", "bounds"]
    low: float | None = None
    """With bounds: between these the house edge lies."""
    high: float | None = None
    simulation: SimulationDoc | None = None
    seconds: float
    distribution: DistributionDoc | None = None


class Figures(Struct, frozen=True, kw_only=True):
    items: tuple[FigureDoc, ...]
    next: str | None


class FiguresQuery(TablesQuery, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A page of the figures."""

    distribution: bool = False
    """Whether every outcome comes too."""


class Thumb(Struct, frozen=True, kw_only=True):
    """A rule of thumb, and what it costs against perfect play."""

    rule: str
    house_edge: QuantityDoc
    cost: QuantityDoc


class StrategyDoc(Struct, frozen=True, kw_only=True):
    """The best way to play a base game."""

    table: str
    strategy: str
    house_edge: QuantityDoc | None
    rules_of_thumb: tuple[Thumb, ...]


class Strategies(Struct, frozen=True, kw_only=True):
    game: str
    items: tuple[StrategyDoc, ...]
    next: str | None


FIGURES = library.get(
    "figures",
    "/figures",
    "What every wager on every approved table really costs, counted case by case, beside what is printed.",
    may="figures",
    answer=Figures,
    query=FiguresQuery,
)
STRATEGY = library.get(
    "strategy",
    "/games/{game}/strategy",
    "The best way to play a game in words, and what each rule of thumb costs against it.",
    may="figures",
    answer=Strategies,
    query=PageQuery,
)


class SignDoc(Struct, frozen=True, kw_only=True):
    """Everything that is posted at a table."""

    currency: str
    sign: Sign


SIGN = library.get(
    "sign",
    "/tables/{table}/sign",
    "The sign of a table: limits, pay tables, progressive and house options, as they are configured.",
    may="rules",
    answer=SignDoc,
)
