"""From a plan without defects to the configuration that a floor runs on."""

from __future__ import annotations

from dataclasses import replace as copied
from typing import TypeVar

from msgspec import UNSET, UnsetType

from houseway.manager.config import FloorConfig, LinkConfig, Witnesses, demonstrated
from houseway.manager.floor_file.draft import MeterPart, WitnessesPart
from houseway.manager.floor_file.plan import Plan, PlannedLink, PlannedTable
from houseway.paytables import PayTable, ProgressiveTable
from houseway.progressive import seed_amount
from houseway.progressive.terms import MeterTerms, Terms
from houseway.table.config import Policies, TableConfig

Value = TypeVar("Value")


def sure(value: Value | None) -> Value:
    """A value that the checks have made sure of."""
    if value is None:
        raise ValueError("a floor file with defects was built")
    return value


def floor(plan: Plan) -> FloorConfig:
    """The floor of a plan in which no check found a defect."""
    home = {sure(table.part.id): link for link in plan.links for table in link.tables}
    return FloorConfig(
        policies=_policies(plan),
        tables=tuple(_table(table, home.get(sure(table.part.id))) for table in plan.tables),
        links=tuple(map(link_config, plan.links)),
        equipment=plan.equipment,
        approvals=plan.checklists,
        approvals_kept=True,
        witnesses=_witnesses(plan.witnesses),
    )


def _witnesses(part: WitnessesPart | None) -> Witnesses | UnsetType:
    """TR-13: who must have seen the journal."""
    return UNSET if part is None else Witnesses(keys=tuple(sure(part.keys)), quorum=sure(part.quorum))


def _policies(plan: Plan) -> Policies:
    """TR-9: one demonstration approval makes a floor that is founded with it a demonstration; a real one refuses it."""
    return demonstrated(plan.rules) if any(checklist.demonstration for checklist in plan.checklists) else plan.rules


def _table(table: PlannedTable, link: PlannedLink | None) -> TableConfig:
    game = sure(table.game)
    needed = game.tables_needed(table.part.limits) if table.part.limits else ()
    only = {wager: pay_table.id for wager in needed if (pay_table := table.pay_table(wager)) is not None}
    options = dict(table.options)
    if link is not None:
        # PR-6: the link decides for all its tables.
        options["fixed_from"] = link.part.fixed_from
    return TableConfig(
        id=sure(table.part.id),
        game=game.key,
        console=sure(table.part.console),
        spots=sure(table.part.spots),
        link=sure(link.part.id) if link is not None else "",
        kind=table.part.kind,
        dealing=table.dealing,
        tables=_tables(table),
        pay_tables={**only, **{wager: pay_table.id for wager, pay_table in table.pay_tables.items()}},
        options=options,
        second_spot_envies=game.second_spot_envies,
        limits=dict(table.limits),
        award_order_reference=table.part.award_order_reference,
    )


def _tables(table: PlannedTable) -> dict[str, PayTable]:
    """The pay tables a round can settle by: those named, and the only approved one of every other wager."""
    game = sure(table.game)
    pay_tables = {wager: table.pay_table(wager) for wager in game.table_wagers if wager != "progressive"}
    # Copies: a table that has settled keeps what it worked out, and that is no part of a configuration.
    return {wager: copied(pay_table) for wager, pay_table in pay_tables.items() if pay_table is not None}


def link_config(link: PlannedLink) -> LinkConfig:
    """A link in which no check found a defect."""
    part = link.part
    table = sure(link.pay_table)
    wager = sure(part.wager)
    return LinkConfig(
        id=sure(part.id),
        name=part.name or sure(part.id),
        tables=tuple(sure(part.tables)),
        terms=Terms(
            table=table,
            wager_cents=wager,
            meters={name: _meter(meter, table, wager) for name, meter in link.meters()},
            fixed_from=part.fixed_from,
            reference=part.reference,
        ),
    )


def _meter(meter: MeterPart, table: ProgressiveTable, wager_cents: int) -> MeterTerms:
    seed = meter.seed if meter.seed is not None else sure(seed_amount(table, wager_cents))
    return MeterTerms(
        contribution_bp=sure(meter.contribution),
        reserve_bp=meter.reserve,
        seed_cents=seed,
        maximum_cents=meter.maximum,
    )
