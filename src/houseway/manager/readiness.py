"""Whether a table may open on a day: its approvals, its equipment, its posted limits (FL-1, FL-8 to FL-11).

Pure: the same configuration and day always give the same answer, so that a replay shuts the same tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Final

from houseway.games import Game, approved_book, find_game
from houseway.manager.config import FloorConfig
from houseway.money import dollars
from houseway.paytables import Table
from houseway.table.approvals import missing, reopened_by
from houseway.table.card_round.agenda import counts_hands
from houseway.table.card_round.law import unauthorised
from houseway.table.config import TableConfig
from houseway.table.equipment import Needs, check
from houseway.table.limits import law_on
from houseway.table.shuffler import usual_dealing

PROGRESSIVE: Final = "progressive"
REASONS_SHOWN: Final = 2
"""A stop is one sentence: it names the first reasons, and counts the others."""


def why_not_open(config: FloorConfig, table: TableConfig, day: date) -> list[str]:
    """Everything that keeps a table shut on a day, a sentence each with its clause; nothing where it may open."""
    game = find_game(table.game)
    if game is None:
        return [f"{table.game}: this game is not installed, so nothing is known of its approval (FL-10)"]
    return [
        *_approval_faults(config, table, game, day),
        *check(config.equipment, needs_of(config, table, game)),
        *_limit_faults(config, table, day),
    ]


def stops(config: FloorConfig, day: str) -> dict[str, str]:
    """Why each table is shut on a gaming day, in one sentence; empty for one that is open."""
    if not config.approvals_kept or not day:
        return {table.id: "" for table in config.tables}
    on = date.fromisoformat(day)
    return {table.id: _one_sentence(why_not_open(config, table, on)) for table in config.tables}


def _one_sentence(reasons: list[str]) -> str:
    first = "; ".join(reasons[:REASONS_SHOWN])
    more = len(reasons) - REASONS_SHOWN
    return f"{first}; and {more} more" if more > 0 else first


def needs_of(config: FloorConfig, table: TableConfig, game: Game) -> Needs:
    """FL-11: what a table asks of its equipment."""
    cover_all = any(wager in table.limits for wager in counts_hands(game))
    checklist = config.checklist(game.key)
    return Needs(
        table=table.id,
        game=game,
        console=table.console,
        dealing=table.dealing or usual_dealing(game, cover_all=cover_all),
        progressive=config.link_of(table.id) is not None,
        offers_cover_all=cover_all,
        virtual=table.kind == "virtual",
        letter=checklist.submission if checklist is not None else 0,
        named=checklist.equipment if checklist is not None else (),
    )


def demonstrations(config: FloorConfig) -> tuple[str, ...]:
    """FL-10: the games that are open by a demonstration alone; whatever is printed of them says so."""
    return tuple(approval.game for approval in config.approvals if approval.demonstration)


def _approval_faults(config: FloorConfig, table: TableConfig, game: Game, day: date) -> list[str]:
    """FL-10: the checklist of its game, and what about this very table reopens it."""
    checklist = config.checklist(game.key)
    played = _pay_tables(config, table)
    named = {**table.pay_tables, **{wager: pay_table.id for wager, pay_table in played.items()}}
    reopened = [*reopened_by(game, table.options, named), *_altered(game, played)]
    faults = missing(checklist, game, config.policies.kind, day)
    return faults + (reopened if checklist is None else [checklist.said(item) for item in reopened])


def _pay_tables(config: FloorConfig, table: TableConfig) -> dict[str, Table]:
    """What a table settles by, its link's progressive included."""
    link = config.link_of(table.id)
    return {**table.tables, **({PROGRESSIVE: link.terms.table} if link is not None else {})}


def _altered(game: Game, played: Mapping[str, Table]) -> Iterator[str]:
    """A pay table that has the name of an approved one and pays otherwise."""
    for wager, table in played.items():
        printed = approved_book().find(game.families, wager, table.id)
        if printed is not None and printed.rows != table.rows:
            yield (
                f'{game.key}: pay table "{table.id}" of "{wager}" does not pay as the approved one of that name; '
                "this reopens the checklist (FL-10)"
            )


def _limit_faults(config: FloorConfig, table: TableConfig, day: date) -> Iterator[str]:
    """FL-9: no posted limit exceeds the authorised one of the day."""
    lawful = law_on(config.policies, day)
    if lawful is None:
        if config.policies.kind == "tribal" and table.limits:
            yield f"{table.id}: no authorised limit of the compact is in force on {day} (FL-9)"
        return
    unlawful = unauthorised(table.limits, config.policies, day.isoformat())
    if unlawful:
        yield f"{table.id}: {unlawful}"
    if lawful.few_tables and _highest(table) > lawful.cents:
        above = [table.id for table in config.tables if lawful.cents < _highest(table) <= lawful.few_cents]
        if len(above) > lawful.few_tables:
            yield (
                f"{', '.join(above)} post more than {dollars(lawful.cents)}; the law allows that on "
                f"{lawful.few_tables} tables, since {lawful.since} (FL-9)"
            )


def _highest(table: TableConfig) -> int:
    return max((limit.maximum_cents for limit in table.limits.values()), default=0)
