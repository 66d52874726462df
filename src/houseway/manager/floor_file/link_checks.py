"""What can be wrong with the links of a floor file: a visible list of small functions, one a fault."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from houseway.games.options import FIXED_FROM
from houseway.manager.alike import unlike
from houseway.manager.floor_file.plan import PROGRESSIVE, Plan
from houseway.manager.floor_file.table_checks import unique
from houseway.money import dollars
from houseway.paytables import Defect, ProgressiveTable
from houseway.paytables.checks import listed, shown
from houseway.progressive import Policy, seed_amount
from houseway.progressive.awards import check_policy
from houseway.progressive.terms import WHOLE_BP
from houseway.refusal import Refusal
from houseway.table import limits as law

Defects: TypeAlias = Iterator[Defect]


def link_ids_are_unique(plan: Plan) -> Defects:
    yield from unique("link", (link.part.id for link in plan.links))


def link_tables_exist(plan: Plan) -> Defects:
    known = [table.part.id for table in plan.tables if table.part.id is not None]
    for link in plan.links:
        names = link.part.tables
        if names is not None and not names:
            yield link.defect("tables is an empty list; a link joins one or more tables (PR-1)")
        for name in dict.fromkeys(names or ()):
            if name not in known:
                yield link.defect(f"tables names an unknown table {shown(name)}; the file has {listed(known)}")
            if (names or []).count(name) > 1:
                yield link.defect(f"tables names {name} more than once")


def a_table_has_one_link(plan: Plan) -> Defects:
    homes: dict[str, list[str]] = {}
    for link in plan.links:
        for name in dict.fromkeys(link.part.tables or ()):
            homes.setdefault(name, []).append(link.where)
    for name, links in homes.items():
        if len(links) > 1:
            yield Defect(f"table {name}", f"is joined by {listed(links)}; a table plays one progressive")


def linked_games_have_a_progressive(plan: Plan) -> Defects:
    for link in plan.links:
        for table in link.tables:
            if table.game is not None and PROGRESSIVE not in table.game.wager_keys:
                yield link.defect(f"{table.where} plays {table.game.key}, which has no progressive wager")


def every_game_has_the_pay_table(plan: Plan) -> Defects:
    """PR-1: a link has one pay table, and all its games play it."""
    for link in plan.links:
        for game in link.games:
            if PROGRESSIVE not in game.wager_keys:
                continue
            if link.part.pay_table is not None and link.found_for(game) is None:
                known = listed(_names(pay_table) for pay_table in link.book.of(game.families, PROGRESSIVE))
                yield link.defect(
                    f"pay_table {shown(link.part.pay_table)} is no progressive table of {game.key}; it has {known}"
                )
        tables_by_game = {table.game: table for game in link.games if (table := link.found_for(game)) is not None}
        if len(tables_by_game) > 1:
            yield link.defect(
                f"pay_table {shown(link.part.pay_table)} is not one table but that of {listed(tables_by_game)}; a "
                "link has one pay table (PR-1)"
            )


def different_games_win_alike(plan: Plan) -> Defects:
    """FL-16, PR-39: different games share a link only where the winning hand and its probability are the same."""
    for link in plan.links:
        if link.pay_table is not None:
            for why in unlike(link.pay_table, [game.key for game in link.games]):
                yield link.defect(why)


def the_wager_is_the_stated_one(plan: Plan) -> Defects:
    """PR-8: a table that states its wager takes exactly that wager."""
    for link in plan.links:
        wager, table = link.part.wager, link.pay_table
        if wager == 0:
            yield link.defect("wager is $0.00; a progressive wager is at least a cent")
        stated = table.stated_wager_cents if table else None
        if wager and table is not None and stated is not None and wager != stated:
            yield link.defect(
                f"wager is {dollars(wager)}; {table.label} states its wager, {dollars(stated)}, and takes "
                "exactly that (PR-8)"
            )


def the_wager_is_authorised(plan: Plan) -> Defects:
    """FL-9, FL-19: a progressive wager is a wager too."""
    lawful = law.law_on(plan.rules, plan.on)
    for link in plan.links:
        if lawful is not None and (link.part.wager or 0) > lawful.cents:
            yield link.defect(
                f"wager is {dollars(link.part.wager or 0)}; in force is the law, {dollars(lawful.cents)} since "
                f"{lawful.since} ({lawful.reference}) (FL-9, FL-19)"
            )


def meters_are_the_pay_tables(plan: Plan) -> Defects:
    """PR-3: each meter of the pay table is configured, and no other."""
    for link in plan.links:
        table, shares = link.pay_table, link.part.meters
        if table is None or shares is None:
            continue
        for name in table.meters:
            if name not in shares:
                yield link.defect(f"meters.{_quoted(name)} is missing; {table.label} has {listed(table.meters)}")
        for name in shares:
            if name not in table.meters:
                yield link.defect(
                    f"meters has {shown(name)}, which is no meter of {table.label}; it has {listed(table.meters)}"
                )


def seeds_are_entered(plan: Plan) -> Defects:
    """PR-31: where no seed is printed none is assumed."""
    for link in plan.links:
        table = link.pay_table
        for name, meter in link.meters():
            if table is not None and table.seed_cents is None and "seed" not in meter.model_fields_set:
                yield link.defect(
                    f"meters.{_quoted(name)}.seed is missing; {table.label} prints none, so the operator enters it "
                    "(PR-31)"
                )


def rates_share_out_the_wager(plan: Plan) -> Defects:
    """PR-31: contributions and reserves are together at most the whole wager."""
    for link in plan.links:
        meters = [meter for meter in (link.part.meters or {}).values() if meter is not None]
        total = sum((meter.contribution or 0) + meter.reserve for meter in meters)
        if total > WHOLE_BP:
            yield link.defect(
                f"contributions and reserves of all meters are together {total // 100}.{total % 100:02}% of the wager; "
                "they may be at most 100% (PR-31)"
            )


def maximums_hold_the_seed(plan: Plan) -> Defects:
    for link in plan.links:
        table, wager = link.pay_table, link.part.wager
        for name, meter in link.meters():
            seed = meter.seed
            if seed is None and table is not None and wager:
                seed = seed_amount(table, wager)
            if meter.maximum is not None and (meter.maximum < (seed or 0) or meter.maximum == 0):
                yield link.defect(
                    f"meters.{_quoted(name)}.maximum is {dollars(meter.maximum)}, below the seed of "
                    f"{dollars(seed or 0)} it starts from; it must be above zero and at least the seed"
                )


def fixed_awards_have_a_source(plan: Plan) -> Defects:
    """PR-6: where open rows are paid from, in words that fit the pay table."""
    for link in plan.links:
        sources, table = link.part.fixed_from, link.pay_table
        if not FIXED_FROM.fits(sources):
            yield link.defect(f"fixed_from is {shown(sources)}; allowed is {FIXED_FROM.allowed}")
        elif table is not None:
            try:
                check_policy(table, Policy(fixed_from=sources))
            except Refusal as refusal:
                yield link.defect(f"fixed_from {refusal.sentence}")


CHECKS: Final[tuple[Callable[[Plan], Defects], ...]] = (
    link_ids_are_unique,
    link_tables_exist,
    a_table_has_one_link,
    linked_games_have_a_progressive,
    every_game_has_the_pay_table,
    different_games_win_alike,
    the_wager_is_the_stated_one,
    the_wager_is_authorised,
    meters_are_the_pay_tables,
    seeds_are_entered,
    rates_share_out_the_wager,
    maximums_hold_the_seed,
    fixed_awards_have_a_source,
)


def _names(table: object) -> str:
    return " or ".join((table.id, *table.aliases)) if isinstance(table, ProgressiveTable) else ""


def _quoted(name: str) -> str:
    return name if name.isidentifier() else f'"{name}"'
