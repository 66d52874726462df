"""What can be looked at: the present floor, its people and its registers. The books, rules and figures stand apart."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

from houseway.api import floor as api_floor
from houseway.api import registers as api_registers
from houseway.api.floor import Claims, FloorDoc, LinkDoc, Links, ManagerDoc, TableDoc, Tables
from houseway.api.registers import (
    Approvals,
    ApprovedEquipment,
    CheckedLink,
    DevicesPage,
    EquipmentDoc,
    EquipmentItem,
    ExactEdge,
    FloorCheck,
    FloorInForce,
    GameApproval,
    StaffItem,
    StaffPage,
    TableLacks,
    TableShut,
)
from houseway.books.view import device_lines, link_line
from houseway.games import find_game
from houseway.manager.advice import house_edge
from houseway.manager.config import FloorConfig
from houseway.manager.floor_file import names_files, read_floor
from houseway.manager.floor_file.text import floor_text
from houseway.manager.readiness import PROGRESSIVE, needs_of, why_not_open
from houseway.table.approvals import lines as approval_lines
from houseway.table.approvals import missing, reopened_by
from houseway.table.equipment import Equipment, lacks, register
from houseway.web.books import book_handlers
from houseway.web.library import library
from houseway.web.listing import config_of, day_in, page
from houseway.web.problem import Problem
from houseway.web.routes import Ask, Handlers, Served
from houseway.web.views import floor_doc, link_doc, manager_doc, table_doc
from houseway.web.who import Principal

present = Handlers()


@present.answers(api_floor.FLOOR)
def floor(ask: Ask) -> FloorDoc:
    return floor_doc(ask.site.state, ask.who)


@present.answers(api_floor.GAME_MANAGER)
def game_manager(ask: Ask) -> ManagerDoc:
    return manager_doc(ask.site.state, ask.site.floor.clock)


@present.answers(api_floor.ALL_TABLES)
def all_tables(ask: Ask) -> Tables:
    state, who = ask.site.state, ask.who
    names = [name for name in state.tables if who.kind != "device" or who.subject == name]
    chosen, following = page(names, str, ask.query)
    return Tables(items=tuple(table_doc(state, name, who, ask.site.floor) for name in chosen), next=following)


@present.answers(api_floor.ONE_TABLE)
def one_table(ask: Ask) -> TableDoc:
    return table_doc(ask.site.state, ask.path["table"], ask.who, ask.site.floor)


@present.answers(api_floor.ALL_LINKS)
def all_links(ask: Ask) -> Links:
    state, who = ask.site.state, ask.who
    names = [name for name, link in state.links.items() if _is_for(who, name, link.tables)]
    chosen, following = page(names, str, ask.query)
    return Links(items=tuple(link_doc(state, name, who) for name in chosen), next=following)


def _is_for(who: Principal, link: str, tables: tuple[str, ...]) -> bool:
    if who.reader == "display":
        return who.subject == link
    return who.reader != "sensor" or who.subject in tables


@present.answers(api_floor.ONE_LINK)
def one_link(ask: Ask) -> LinkDoc:
    return link_doc(ask.site.state, ask.path["link"], ask.who)


@present.answers(api_floor.OPEN_CLAIMS)
def open_claims(ask: Ask) -> Claims:
    state = ask.site.state
    every = (claim for link in state.links.values() for claim in link_line(link).claims)
    items, following = page(every, lambda claim: f"{claim.table}/{claim.round}/{claim.spot}", ask.query)
    return Claims(currency=state.policies.currency, items=items, next=following)


# ------------------------------------------------------------------------------------ staff, devices and the registers

people = Handlers()


@people.answers(api_registers.ALL_STAFF)
def all_staff(ask: Ask) -> StaffPage:
    every = (
        StaffItem(
            id=person.id,
            name=person.name,
            role=person.role,
            active=person.active,
            locked_until=person.locked_until,
            demonstration=person.demonstration,
            pin_set=person.pin_set,
        )
        for person in ask.site.state.staff.values()
    )
    items, following = page(every, lambda item: item.id, ask.query)
    return StaffPage(items=items, next=following)


@people.answers(api_registers.DEVICES)
def devices(ask: Ask) -> DevicesPage:
    items, following = page(device_lines(ask.site.state), lambda device: device.id, ask.query)
    return DevicesPage(items=items, next=following)


registers = Handlers()


@registers.answers(api_registers.APPROVALS, slow=True)
def approvals(ask: Ask) -> Approvals:
    config, on = config_of(ask), day_in(ask, "on", ask.query.on)
    played = dict.fromkeys(table.game for table in config.tables)
    return Approvals(
        site=config.policies.kind,
        on=on.isoformat(),
        games=tuple(_approval(config, game, on) for game in played),
        tables=tuple(
            TableShut(table=table.id, because=tuple(why_not_open(config, table, on))) for table in config.tables
        ),
    )


def _approval(config: FloorConfig, name: str, on: date) -> GameApproval:
    checklist = config.checklist(name)
    game = find_game(name)
    faults = ["this game is not installed (FL-10)"] if game is None else []
    if game is not None:
        faults += missing(checklist, game, config.policies.kind, on)
        for table in config.tables:
            link = config.link_of(table.id)
            if table.game == name:
                named = {**table.pay_tables, **({PROGRESSIVE: link.terms.table.id} if link is not None else {})}
                reopened = reopened_by(game, table.options, named)
                faults += reopened if checklist is None else map(checklist.said, reopened)
    return GameApproval(
        game=name,
        demonstration=checklist is not None and checklist.demonstration,
        there=tuple(approval_lines(checklist, config.policies.kind)) if checklist is not None else (),
        missing=tuple(dict.fromkeys(faults)),
    )


@registers.answers(api_registers.EQUIPMENT)
def equipment(ask: Ask) -> EquipmentDoc:
    config = config_of(ask)
    lacking = []
    for table in config.tables:
        game = find_game(table.game)
        missing = lacks(config.equipment, needs_of(config, table, game)) if game is not None else []
        lacking.append(TableLacks(table=table.id, missing=tuple(missing)))
    return EquipmentDoc(equipment=tuple(map(_machine, config.equipment)), tables=tuple(lacking))


def _machine(machine: Equipment) -> EquipmentItem:
    return EquipmentItem(
        id=machine.id,
        kind=machine.kind,
        title=machine.title,
        version=machine.version,
        tables=machine.tables,
        backup=machine.backup,
        approved=register().kinds.get(machine.kind),
    )


@registers.answers(api_registers.APPROVED_EQUIPMENT)
def approved_equipment(ask: Ask) -> ApprovedEquipment:
    items, following = page(register().kinds.values(), lambda kind: kind.key, ask.query)
    return ApprovedEquipment(items=items, next=following)


# ------------------------------------------------------------------------------------------------------- a floor file


@registers.answers(api_registers.FLOOR_IN_FORCE)
def floor_in_force(ask: Ask) -> FloorInForce:
    return FloorInForce(entry=ask.site.state.configured[-1], floor=floor_text(config_of(ask)))


@registers.answers(api_registers.CHECK_FLOOR, slow=True)
def check_floor(ask: Ask) -> FloorCheck:
    text = ask.body.floor
    if names_files(text):
        raise Problem(
            422,
            "invalid",
            "names pay table files, which a file sent over the network cannot; use houseway check",
            "floor",
        )
    floor_file = read_floor(text.encode("utf-8", "surrogatepass"), "floor", Path())
    config = floor_file.config
    return FloorCheck(
        currency=config.policies.currency if config else "",
        tables=tuple(table.id for table in config.tables) if config else (),
        links=tuple(_checked_links(config)) if config else (),
        defects=tuple(floor_file.defects),
        advice=tuple(floor_file.advice),
    )


def _checked_links(config: FloorConfig) -> Iterator[CheckedLink]:
    games = {table.id: table.game for table in config.tables}
    for link in config.links:
        edge = house_edge(link, list(dict.fromkeys(games[table] for table in link.tables)))
        yield CheckedLink(
            id=link.id,
            tables=link.tables,
            pay_table=link.terms.table.id,
            approved=link.terms.table.approved,
            wager_cents=link.terms.wager_cents,
            house_edge=None if edge is None else ExactEdge(exact=str(edge), value=round(float(edge), 10)),
        )


def read_handlers() -> list[Served]:
    """Everything that can be looked at."""
    return [*present.all, *people.all, *registers.all, *book_handlers(), *library.all]
