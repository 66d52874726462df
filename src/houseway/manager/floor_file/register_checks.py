"""What can be wrong with how tables deal and with the registers of a floor file: equipment and approvals.

What is merely not there yet is no defect of the file: the table stays shut (``houseway.manager.readiness``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from houseway.games import all_games
from houseway.manager.floor_file.plan import Plan
from houseway.manager.floor_file.table_checks import unique
from houseway.paytables import Defect
from houseway.paytables.checks import listed, shown
from houseway.table.approvals import COMPARED, DEMONSTRATION, items_for
from houseway.table.equipment import (
    DISPLAY,
    OTHER_SHUFFLER,
    SYSTEM,
    check_item,
    dealing_faults,
    item_faults,
    register,
)

Defects: TypeAlias = Iterator[Defect]


def the_dealing_fits_the_game(plan: Plan) -> Defects:
    """FL-1, CSC-4: a shuffler is set to the table's game; by hand only where that is allowed."""
    for needs in plan.needs:
        for sentence in dealing_faults(needs):
            yield Defect(f"table {needs.table}", f"dealing: {sentence.removeprefix(f'{needs.table}: ')}")


def tables_with_cards_post_their_limits(plan: Plan) -> Defects:
    """FL-8: where the system takes the wagers, it must know what may be wagered."""
    for table in plan.tables:
        if table.part.kind != "progressive" and not table.part.limits:
            kind = table.part.kind
            yield table.defect(f'limits is missing; a table of kind "{kind}" takes wagers within its limits (FL-8)')


def equipment_ids_are_unique(plan: Plan) -> Defects:
    yield from unique("equipment", (machine.part.id for machine in plan.machines))


def equipment_serves_tables_of_the_floor(plan: Plan) -> Defects:
    known = [table.part.id for table in plan.tables if table.part.id is not None]
    for machine in plan.machines:
        for table in machine.part.tables:
            if table not in known:
                yield machine.defect(
                    f"tables names {shown(table)}, which is no table of the floor; it has {listed(known)}"
                )


def equipment_keys_belong_to_the_kind(plan: Plan) -> Defects:
    for machine in plan.machines:
        if machine.equipment is None:
            continue
        if machine.equipment.part != DISPLAY and (
            machine.part.intelligence is not None or machine.part.network is not None
        ):
            yield machine.defect("intelligence and network belong to a progressive display; leave them out here")
        if machine.part.backup and machine.equipment.part != "shuffler":
            yield machine.defect("backup belongs to a shuffler; leave it out here")
        if machine.equipment.kind != OTHER_SHUFFLER and (
            machine.part.model or machine.part.modes or machine.part.reference
        ):
            yield machine.defect(f'model, modes and reference belong to kind = "{OTHER_SHUFFLER}"; leave them out here')


def equipment_is_approved(plan: Plan) -> Defects:
    """FL-11: refused below the approved version, or at another where one is printed exact."""
    for machine in plan.machines:
        item = machine.equipment
        if item is None or (machine.part.version is None and machine.part.model_fields_set >= {"version"}):
            # What could not be read has its own defect.
            continue
        served = [needs for needs in plan.needs if item.serves(needs.table) and not needs.virtual]
        at_tables = [sentence for needs in served for sentence in item_faults([item], needs)]
        for sentence in dict.fromkeys(at_tables if served else check_item(item)):
            yield machine.defect(sentence.removeprefix(f"{item.id}: "))


def approvals_are_of_known_games(plan: Plan) -> Defects:
    for approval in plan.approvals:
        if approval.part.game is not None and approval.part.game not in all_games():
            yield approval.defect(f"unknown game {shown(approval.part.game)}; known are {listed(all_games())}")


def a_game_has_one_checklist(plan: Plan) -> Defects:
    names = set()
    for approval in plan.approvals:
        if approval.part.game is not None and approval.part.game in names:
            yield approval.defect("is there twice; every game has one checklist")
        names.add(approval.part.game)


def approval_items_belong_to_the_site(plan: Plan) -> Defects:
    """FL-10: a commercial card room and a tribal casino have different lists."""
    known = [item.key for item in (*items_for(plan.site.kind), COMPARED)]
    for approval in plan.approvals:
        for key in approval.part.items:
            if key not in known:
                site = f"a {plan.site.kind} site"
                yield approval.defect(f"items.{_short(key)} is no item of {site}; allowed are {listed(known)}")


def approvals_name_known_equipment(plan: Plan) -> Defects:
    """FL-11: an approval names the equipment of a game from public rules; elsewhere the game's document does."""
    kinds = [kind.key for kind in register().kinds.values() if kind.part in (SYSTEM, DISPLAY)]
    for approval in plan.approvals:
        game = all_games().get(approval.part.game or "")
        if approval.part.equipment and game is not None and not game.has_public_rules:
            yield approval.defect(f"equipment is named by the document of {game.key}; leave it out")
        for key in approval.part.equipment:
            if key not in kinds:
                yield approval.defect(f"equipment names {shown(key)}; allowed are {listed(kinds)}")


def demonstrations_say_that_they_are(plan: Plan) -> Defects:
    """FL-10: no demonstration passes for a real approval."""
    for approval in plan.approvals:
        for key, item in approval.part.items.items():
            words = item.reference if item is not None and item.reference is not None else ""
            if not approval.part.demonstration and DEMONSTRATION.casefold() in words.casefold():
                yield approval.defect(
                    f"items.{_short(key)}.reference speaks of a demonstration; say demonstration = true, or give "
                    "the real reference"
                )


def _short(key: str) -> str:
    return key if len(key) <= 40 and key.isprintable() else "…"


CHECKS: Final[tuple[Callable[[Plan], Defects], ...]] = (
    the_dealing_fits_the_game,
    tables_with_cards_post_their_limits,
    equipment_ids_are_unique,
    equipment_serves_tables_of_the_floor,
    equipment_keys_belong_to_the_kind,
    equipment_is_approved,
    approvals_are_of_known_games,
    a_game_has_one_checklist,
    approval_items_belong_to_the_site,
    approvals_name_known_equipment,
    demonstrations_say_that_they_are,
)
