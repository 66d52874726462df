"""The sign of a table, made from the configuration it is played under, so that the two cannot differ (FL-21).

Plain frozen data: a page, a printer or a display lays it out. Amounts are cents; a pay is the odds as they are printed,
such as "3 to 2".
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

from msgspec import Struct

from houseway.games import Game, find_game
from houseway.manager.config import FloorConfig, LinkConfig
from houseway.paytables import PayTable
from houseway.paytables.words import odds_words
from houseway.progressive.awards import envy_amount, fixed_amount
from houseway.progressive.terms import Terms
from houseway.refusal import Refusal
from houseway.table.approvals import DEMONSTRATION
from houseway.table.card_round.law import combinations_in_words, separate_games_on
from houseway.table.config import Dated, TableConfig
from houseway.table.limits import effective


class PostedWager(Struct, frozen=True, kw_only=True):
    """FL-8: what may be wagered in one place of the layout."""

    wager: str
    label: str
    minimum_cents: int
    maximum_cents: int
    effective_minimum_cents: int
    effective_maximum_cents: int
    """What it can really be, with the wagers that follow from it; the table shows this figure."""
    narrowed_by: tuple[str, ...] = ()
    """The wagers that make it so."""
    aggregate: tuple[Dated, ...] = ()
    """FL-25: the limits on what one round pays on it in all, each from a day on."""


class PostedPay(Struct, frozen=True, kw_only=True):
    """What one hand pays."""

    hand: str
    pays: tuple[str, ...]
    """The odds, one for each column where the table has columns."""
    envy_cents: int = 0


class PostedTable(Struct, frozen=True, kw_only=True):
    """A pay table in force."""

    wager: str
    id: str
    approved: bool
    columns: tuple[int, ...]
    rows: tuple[PostedPay, ...]
    envy_minimum_cents: int = 0


class PostedAward(Struct, frozen=True, kw_only=True):
    """What one hand wins of the progressive: a share of a meter, or an amount."""

    hand: str
    percent: int | None = None
    meter: str = ""
    cents: int | None = None
    envy_cents: int = 0


class PostedMeter(Struct, frozen=True, kw_only=True):
    """FL-14, FL-15: a meter, what it starts again from, and its posted maximum."""

    meter: str
    seed_cents: int
    maximum_cents: int | None = None


class PostedProgressive(Struct, frozen=True, kw_only=True):
    """The progressive of a table."""

    link: str
    name: str
    pay_table: str
    approved: bool
    wager_cents: int
    meters: tuple[PostedMeter, ...]
    rows: tuple[PostedAward, ...]


class PostedOption(Struct, frozen=True, kw_only=True):
    """A house option in force, with what it says."""

    name: str
    value: Any
    says: str
    clauses: tuple[str, ...]


class Sign(Struct, frozen=True, kw_only=True):
    """Everything that is posted at a table."""

    site: str
    table: str
    game: str
    title: str
    notice: str = ""
    """Begins with DEMONSTRATION where the game is open by a demonstration alone, and says where its rules come from
    when that is no document (FL-10)."""
    wagers: tuple[PostedWager, ...] = ()
    pay_tables: tuple[PostedTable, ...] = ()
    progressive: PostedProgressive | None = None
    options: tuple[PostedOption, ...] = ()
    separate_games: str = ""
    """FL-9: what one hand may carry, where the table offers more; else empty."""


def signage(config: FloorConfig, table: str, day: str = "") -> Sign:
    """FL-21: the sign of a table of the floor; ``day`` is the gaming day, or else today."""
    table_config = next((candidate for candidate in config.tables if candidate.id == table), None)
    if table_config is None:
        known = ", ".join(table.id for table in config.tables)
        raise Refusal("table", f"{table!r} is not a table of this floor; it has {known}")
    game = find_game(table_config.game)
    if game is None:
        raise Refusal("table", f"{table} plays {table_config.game}, which is not installed")
    link = config.link_of(table)
    return Sign(
        site=config.policies.site,
        table=table,
        game=game.key,
        title=game.title,
        notice=_notice(config, game),
        wagers=tuple(_wagers(table_config, game)),
        pay_tables=tuple(map(_pay_table, _in_force(table_config, game))),
        progressive=_progressive(link, table_config) if link is not None else None,
        options=tuple(_options(table_config, game)),
        separate_games=combinations_at(config, table_config, day or date.today().isoformat()),
    )


def combinations_at(config: FloorConfig, table: TableConfig, day: str) -> str:
    """FL-9: which wagers one hand may carry at a table on a day, where it offers more; else empty."""
    game = find_game(table.game)
    if game is None:
        return ""
    posted = {*table.limits, *(["progressive"] if config.link_of(table.id) else [])}
    offered = [wager.key for wager in game.wagers if wager.key in posted and wager.kind in ("required", "optional")]
    options = {**game.defaults, **table.options}
    return combinations_in_words(game, offered, options, separate_games_on(config.policies, day))


def _notice(config: FloorConfig, game: Game) -> str:
    checklist = config.checklist(game.key)
    demonstrates = checklist is not None and checklist.demonstration
    sentences = [f"{DEMONSTRATION}: {game.title} has no real approval at this site"] if demonstrates else []
    sentences += [f"the rules of {game.title} come from {game.source_words}"] if game.has_public_rules else []
    words = "; ".join(sentences)
    return f"{words[:1].upper()}{words[1:]}"


def _wagers(table: TableConfig, game: Game) -> Iterator[PostedWager]:
    for wager in game.wagers:
        limits = table.limits.get(wager.key)
        if limits is None:
            continue
        real = effective(game, wager.key, table.limits)
        yield PostedWager(
            wager=wager.key,
            label=wager.label,
            minimum_cents=limits.minimum_cents,
            maximum_cents=limits.maximum_cents,
            effective_minimum_cents=real.minimum_cents,
            effective_maximum_cents=real.maximum_cents,
            narrowed_by=tuple(follow.wager for follow in real.because),
            aggregate=limits.aggregate,
        )


def _in_force(table: TableConfig, game: Game) -> Iterator[PayTable]:
    """The pay tables of the wagers that are offered; of all where no limits say which are."""
    offered = game.tables_needed(table.limits) if table.limits else game.table_wagers
    pay_tables = [table.tables[wager] for wager in offered if wager in table.tables]
    # Two wagers may be paid by one table; it is posted once.
    return iter({(pay_table.wager, pay_table.id): pay_table for pay_table in pay_tables}.values())


def _pay_table(table: PayTable) -> PostedTable:
    return PostedTable(
        wager=table.wager,
        id=table.id,
        approved=table.approved,
        columns=table.columns,
        rows=tuple(
            PostedPay(
                hand=row.hand,
                pays=tuple(odds_words(table, odds) for odds in row.odds),
                envy_cents=table.envy_cents.get(row.hand, 0),
            )
            for row in table.rows
        ),
        envy_minimum_cents=table.envy_minimum_cents,
    )


def _progressive(link: LinkConfig, table: TableConfig) -> PostedProgressive:
    terms = link.terms
    return PostedProgressive(
        link=link.id,
        name=link.name,
        pay_table=terms.table.id,
        approved=terms.table.approved,
        wager_cents=terms.wager_cents,
        meters=tuple(
            PostedMeter(meter=name, seed_cents=meter.seed_cents, maximum_cents=meter.maximum_cents)
            for name, meter in terms.meters.items()
        ),
        rows=tuple(_awards(terms, envy_scales=table.options.get("envy_scales", True))),
    )


def _awards(terms: Terms, *, envy_scales: bool) -> Iterator[PostedAward]:
    for row in terms.table.rows:
        yield PostedAward(
            hand=row.hand,
            percent=row.percent,
            meter=row.meter or "",
            cents=fixed_amount(row, terms.table, terms.wager_cents) if row.percent is None else None,
            envy_cents=envy_amount(row, terms.table, terms.wager_cents, scales=envy_scales),
        )


def _options(table: TableConfig, game: Game) -> Iterator[PostedOption]:
    for option in game.options:
        value = table.options.get(option.name, option.default)
        yield PostedOption(name=option.name, value=value, says=option.says, clauses=option.clauses)
