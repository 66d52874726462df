"""The library, open to everybody: games and their rules, pay tables, figures, strategies, and the sign of a table."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct, field

from houseway.books.signage import Sign, signage
from houseway.games import Game, all_games, approved_book, find_game
from houseway.games.card import RuleCard, rule_card
from houseway.games.letters import letters
from houseway.paytables import Odds, PayTable, ProgressiveRow, ProgressiveTable
from houseway.proof.figure import BASE, Figure, Quantity
from houseway.proof.store import approved_figures, shipped
from houseway.proof.strategy import in_words, thumbs_of
from houseway.web.listing import PageQuery, config_of, page
from houseway.web.problem import Problem, away
from houseway.web.routes import Ask, Route, Routes

library = Routes("library")
NOT_COMPUTED: Final = "the figures that come with the program are not those of its rules; run houseway figures"


def named_game(key: str) -> Game:
    """The game of that name; there is none otherwise."""
    game = find_game(key)
    if game is None:
        raise Problem(404, "no-game", f"{key[:40]!r} is not a game here; known are {', '.join(all_games())}", "game")
    return game


# -------------------------------------------------------------------------------------------------- games and letters


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


@library.get("/games", may="rules", answer=Games, query=PageQuery)
def games(ask: Ask) -> Games:
    """The games whose rules are known."""
    every = (
        GameItem(
            game=game.key,
            title=game.title,
            short_title=game.short_title or game.title,
            document=game.document,
            most_spots=game.most_spots,
        )
        for game in all_games().values()
    )
    items, following = page(every, lambda one: one.game, ask.query)
    return Games(items=items, next=following)


@library.get("/letters", may="rules", answer=Letters, query=PageQuery)
def approval_letters(ask: Ask) -> Letters:
    """The approval letters, and what we have of every game that they name."""
    every = (
        Letter(
            letter=letter.number,
            date=letter.date,
            games=tuple(
                NamedGame(number=one.number, name=one.name, status=one.status, rules=one.rules) for one in letter.games
            ),
        )
        for letter in letters()
    )
    items, following = page(every, lambda one: str(one.letter), ask.query)
    return Letters(items=items, next=following)


@library.get("/games/{game}", may="rules", answer=RuleCard)
def rules(ask: Ask) -> RuleCard:
    """A game's rule card: cards, decisions and streets, the rules in words, the wagers, the house options."""
    return rule_card(named_game(ask.path["game"]))


# --------------------------------------------------------------------------------------------------------- pay tables


class OddsDoc(Struct, frozen=True, kw_only=True):
    """An exact multiple of the wager."""

    num: int
    den: int


class OddsPay(Struct, frozen=True, kw_only=True):
    hand: str
    odds: tuple[OddsDoc, ...]
    """One for each column where the table has columns."""


class OddsTable(Struct, frozen=True, kw_only=True, tag_field="kind", tag="odds"):
    """The odds that a wager pays, by hand."""

    game: str
    wager: str
    id: str
    aliases: tuple[str, ...]
    approved: bool
    printed: dict[str, str]
    """The figures printed beside the table, as printed: claims, which the figures judge."""
    pays: Literal["to", "for"]
    by: str
    columns: tuple[int, ...]
    rows: tuple[OddsPay, ...]
    envy_cents: dict[str, int]
    envy_minimum_cents: int
    currency: str


class AwardPay(Struct, frozen=True, kw_only=True):
    """What one hand wins of a progressive: a share of a meter, an amount, or a multiple of the wager."""

    hand: str
    percent: int | None
    meter: str | None
    fixed_cents: int | None
    for_one: OddsDoc | None
    source: Literal["meter", "tray", "open"] = field(name="from")
    """Who pays; open where the table leaves it to the link."""
    envy_cents: int


class AwardTable(Struct, frozen=True, kw_only=True, tag_field="kind", tag="progressive"):
    """What a progressive wager wins."""

    game: str
    wager: str
    id: str
    aliases: tuple[str, ...]
    approved: bool
    printed: dict[str, str]
    stated_wager_cents: int | None
    seed_cents: int | None
    meters: tuple[str, ...]
    rows: tuple[AwardPay, ...]
    currency: str


class PayTables(Struct, frozen=True, kw_only=True):
    items: tuple[OddsTable | AwardTable, ...]
    next: str | None


class TablesQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A page of a list of pay tables or figures, of one game or wager where that is named."""

    after: Annotated[
        str, Meta(max_length=200, description="What came as `next` with the page before; empty for the first.")
    ] = ""
    limit: Annotated[int, Meta(ge=1, le=500, description="How many, 1 to 500.")] = 100
    game: str = ""
    wager: str = ""


PRINTED_IN: Final = "USD"
"""The approved tables are printed in dollars."""


@library.get("/paytables", may="rules", answer=PayTables, query=TablesQuery)
def pay_tables(ask: Ask) -> PayTables:
    """The approved pay tables: what each hand pays, and the figures printed beside them."""
    query = ask.query
    if query.game:
        families: tuple[str, ...] = tuple(named_game(query.game).families)
    else:
        families = tuple(dict.fromkeys(family for game in all_games().values() for family in game.families))
    every = [_table_doc(one) for one in approved_book().of(families) if query.wager in ("", one.wager)]
    items, following = page(every, lambda one: f"{one.game}/{one.wager}/{one.id}", _page(query))
    return PayTables(items=items, next=following)


def _page(query: TablesQuery) -> PageQuery:
    return PageQuery(after=query.after, limit=query.limit)


def _table_doc(table: PayTable | ProgressiveTable) -> OddsTable | AwardTable:
    if isinstance(table, PayTable):
        return OddsTable(
            game=table.game,
            wager=table.wager,
            id=table.id,
            aliases=table.aliases,
            approved=table.approved,
            printed=dict(table.printed),
            pays="to" if table.returns_wager else "for",
            by=table.by,
            columns=table.columns,
            rows=tuple(OddsPay(hand=row.hand, odds=tuple(map(_odds, row.odds))) for row in table.rows),
            envy_cents=dict(table.envy_cents),
            envy_minimum_cents=table.envy_minimum_cents,
            currency=PRINTED_IN,
        )
    return AwardTable(
        game=table.game,
        wager=table.wager,
        id=table.id,
        aliases=table.aliases,
        approved=table.approved,
        printed=dict(table.printed),
        stated_wager_cents=table.stated_wager_cents,
        seed_cents=table.seed_cents,
        meters=tuple(table.meters),
        rows=tuple(map(_award, table.rows)),
        currency=PRINTED_IN,
    )


def _odds(odds: Odds) -> OddsDoc:
    return OddsDoc(num=odds.num, den=odds.den)


def _award(row: ProgressiveRow) -> AwardPay:
    return AwardPay(
        hand=row.hand,
        percent=row.percent,
        meter=row.meter,
        fixed_cents=row.fixed_cents,
        for_one=None if row.for_one is None else _odds(row.for_one),
        source=row.source,
        envy_cents=row.envy_cents,
    )


# ------------------------------------------------------------------------------------------------------------ figures


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


@cache
def _figures() -> tuple[Figure, ...] | None:
    return approved_figures()


@library.get("/figures", may="figures", answer=Figures, query=FiguresQuery, slow=True)
def figures(ask: Ask) -> Figures:
    """What every wager on every approved table really costs, counted case by case, beside what is printed."""
    query, counted = ask.query, _figures()
    if query.game:
        named_game(query.game)
    if counted is None:
        raise away("not-computed", NOT_COMPUTED, 60)
    every = [one for one in counted if query.game in ("", one.game) and query.wager in ("", one.wager)]
    chosen, following = page(every, lambda one: f"{one.game}/{one.wager}/{one.table}", _page(query))
    return Figures(items=tuple(_figure_doc(one, query.distribution) for one in chosen), next=following)


def _figure_doc(figure: Figure, distribution: bool) -> FigureDoc:
    data: dict[str, Any] = figure.to_json(distribution=distribution)
    data.pop("break_even_meter", None)
    even = figure.returns.break_even_dollars if figure.returns is not None else None
    data["break_even_meter_cents"] = None if even is None else _nearest(even * 100)
    data["notes"] = figure.notes
    return msgspec.convert(data, FigureDoc)


def _nearest(number: Fraction) -> int:
    """The nearest whole number, halves up."""
    return (2 * number + 1) // 2


@library.get("/games/{game}/strategy", may="figures", answer=Strategies, query=PageQuery, slow=True)
def strategy(ask: Ask) -> Strategies:
    """The best way to play a game in words, and what each rule of thumb costs against it."""
    game, counts = named_game(ask.path["game"]), shipped()
    if counts is None:
        raise away("not-computed", NOT_COMPUTED, 60)
    every = [
        StrategyDoc(
            table=one.table,
            strategy=in_words(one),
            house_edge=_quantity(one.distribution.house_edge) if one.distribution else None,
            rules_of_thumb=tuple(
                Thumb(rule=thumb.words, house_edge=_quantity(thumb.house_edge), cost=_quantity(thumb.cost))
                for thumb in thumbs_of(one)
            ),
        )
        for (of, wager, _), one in counts.items()
        if (of, wager) == (game.key, BASE)
    ]
    items, following = page(every, lambda one: one.table, ask.query)
    return Strategies(game=game.key, items=items, next=following)


def _quantity(number: Fraction) -> QuantityDoc:
    data: Mapping[str, Any] = Quantity.of(number).to_json()
    return QuantityDoc(exact=data["exact"], value=data["value"])


# --------------------------------------------------------------------------------------------------------------- signs


class SignDoc(Struct, frozen=True, kw_only=True):
    """Everything that is posted at a table."""

    currency: str
    sign: Sign


@library.get("/tables/{table}/sign", may="rules", answer=SignDoc)
def sign(ask: Ask) -> SignDoc:
    """The sign of a table: limits, pay tables, progressive and house options, as they are configured."""
    config, table = config_of(ask), ask.path["table"]
    if table not in ask.site.state.tables:
        known = ", ".join(ask.site.state.tables)
        raise Problem(404, "no-table", f"there is no table {table!r}; the floor has {known}", "table")
    return SignDoc(currency=config.policies.currency, sign=signage(config, table))


def library_routes() -> list[Route]:
    """Everything that anyone may read."""
    return library.all
