"""The registers of a floor file as far as they can be read, with what is missing: what two commands list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from houseway.games import Game
from houseway.manager.floor_file.plan import PROGRESSIVE, Plan, PlannedTable
from houseway.table.approvals import GameState, SiteKind, missing, reopened_by
from houseway.table.equipment import Equipment, lacks


@dataclass(frozen=True, slots=True)
class Registers:
    """What a floor has on file on a day."""

    kind: SiteKind
    on: date
    equipment: tuple[Equipment, ...]
    lacking: Mapping[str, list[str]]
    """What each table needs and has not, by table (FL-1, FL-11)."""
    games: tuple[GameState, ...]
    """Where it stands with each game that it plays (FL-10)."""


def registers(plan: Plan) -> Registers:
    """The registers of a plan, whatever else is wrong with it."""
    lacking = {needs.table: lacks(plan.equipment, needs) for needs in plan.needs}
    played = dict.fromkeys(table.game for table in plan.tables if table.game is not None)
    games = tuple(_game_state(plan, game) for game in played)
    return Registers(plan.site.kind, plan.on, plan.equipment, lacking, games)


def _game_state(plan: Plan, game: Game) -> GameState:
    checklist = next((checklist for checklist in plan.checklists if checklist.game == game.key), None)
    faults = missing(checklist, game, plan.site.kind, plan.on)
    for table in plan.tables:
        if table.game is game:
            reopened = reopened_by(game, table.part.options, dict(_pay_tables(plan, table)))
            faults += reopened if checklist is None else map(checklist.said, reopened)
    return GameState(game.key, checklist, tuple(dict.fromkeys(faults)))


def _pay_tables(plan: Plan, table: PlannedTable) -> Iterator[tuple[str, str]]:
    """The names of a table's pay tables by wager, its link's included."""
    yield from ((wager, name) for wager, name in table.part.pay_tables.items() if name is not None)
    link = plan.link_of(table)
    if link is not None and link.part.pay_table is not None:
        yield PROGRESSIVE, link.part.pay_table
