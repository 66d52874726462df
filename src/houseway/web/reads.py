"""What can be looked at: the present floor, its people and its registers. The books, rules and figures stand apart."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

from msgspec import Struct

from houseway.books.view import ClaimLine, DeviceLine, device_lines, link_line
from houseway.client.answers import FloorDoc, FloorInForce, LinkDoc, ManagerDoc, TableDoc
from houseway.games import find_game
from houseway.manager.advice import house_edge
from houseway.manager.commands import AnyRole
from houseway.manager.config import FloorConfig
from houseway.manager.floor_file import names_files, read_floor
from houseway.manager.floor_file.text import floor_text
from houseway.manager.readiness import PROGRESSIVE, needs_of, why_not_open
from houseway.table.approvals import lines as approval_lines
from houseway.table.approvals import missing, reopened_by
from houseway.table.equipment import Equipment, Kind, lacks, register
from houseway.web.books import book_routes
from houseway.web.library import library_routes
from houseway.web.listing import Day, PageQuery, config_of, day_in, page
from houseway.web.problem import Problem
from houseway.web.routes import Ask, Route, Routes
from houseway.web.views import floor_doc, link_doc, manager_doc, table_doc
from houseway.web.who import Principal

present = Routes("floor")


class Tables(Struct, frozen=True, kw_only=True):
    items: tuple[TableDoc, ...]
    next: str | None


class Links(Struct, frozen=True, kw_only=True):
    items: tuple[LinkDoc, ...]
    next: str | None


class Claims(Struct, frozen=True, kw_only=True):
    currency: str
    items: tuple[ClaimLine, ...]
    next: str | None


@present.get("/floor", may="floor", answer=FloorDoc)
def floor(ask: Ask) -> FloorDoc:
    """The floor at a glance, with what needs a person first."""
    return floor_doc(ask.site.state, ask.who)


@present.get("/manager", may="manager", answer=ManagerDoc)
def game_manager(ask: Ask) -> ManagerDoc:
    """The Game Manager's view: meters with their reserves, alarms, prize accounts, devices."""
    return manager_doc(ask.site.state, ask.site.floor.clock)


@present.get("/tables", may="table", answer=Tables, query=PageQuery)
def all_tables(ask: Ask) -> Tables:
    """Every table, as you may see it; a device is shown its own."""
    state, who = ask.site.state, ask.who
    names = [name for name in state.tables if who.kind != "device" or who.subject == name]
    chosen, following = page(names, str, ask.query)
    return Tables(items=tuple(table_doc(state, name, who, ask.site.floor) for name in chosen), next=following)


@present.get("/tables/{table}", may="table", answer=TableDoc)
def one_table(ask: Ask) -> TableDoc:
    """One table, as you may see it."""
    return table_doc(ask.site.state, ask.path["table"], ask.who, ask.site.floor)


@present.get("/links", may="meters", answer=Links, query=PageQuery)
def all_links(ask: Ask) -> Links:
    """Every link with its meters; a display or a sensor is shown its own."""
    state, who = ask.site.state, ask.who
    names = [name for name, link in state.links.items() if _is_for(who, name, link.tables)]
    chosen, following = page(names, str, ask.query)
    return Links(items=tuple(link_doc(state, name, who) for name in chosen), next=following)


def _is_for(who: Principal, link: str, tables: tuple[str, ...]) -> bool:
    if who.reader == "display":
        return who.subject == link
    return who.reader != "sensor" or who.subject in tables


@present.get("/links/{link}", may="meters", answer=LinkDoc)
def one_link(ask: Ask) -> LinkDoc:
    """One link and its meters."""
    return link_doc(ask.site.state, ask.path["link"], ask.who)


@present.get("/claims", may="claims", answer=Claims, query=PageQuery)
def open_claims(ask: Ask) -> Claims:
    """Every claim that waits to be confirmed or paid, link by link."""
    state = ask.site.state
    every = (claim for link in state.links.values() for claim in link_line(link).claims)
    items, following = page(every, lambda one: f"{one.table}/{one.round}/{one.spot}", ask.query)
    return Claims(currency=state.policies.currency, items=items, next=following)


# ------------------------------------------------------------------------------------ staff, devices and the registers

people = Routes("staff")


class StaffItem(Struct, frozen=True, kw_only=True):
    """A member of staff; never his card."""

    id: str
    name: str
    role: AnyRole
    active: bool
    locked_until: int
    """Until when wrong PINs lock his card, in microseconds since 1970; 0 for not."""
    demonstration: bool
    """Whether his card and PIN are no secret."""
    pin_set: bool
    """Whether the member has set a PIN; until then the card opens nothing."""


class StaffPage(Struct, frozen=True, kw_only=True):
    items: tuple[StaffItem, ...]
    next: str | None


class DevicesPage(Struct, frozen=True, kw_only=True):
    items: tuple[DeviceLine, ...]
    next: str | None


@people.get("/staff", may="staff", answer=StaffPage, query=PageQuery)
def all_staff(ask: Ask) -> StaffPage:
    """Everybody on the staff, those who were dismissed too."""
    every = (
        StaffItem(
            id=one.id,
            name=one.name,
            role=one.role,
            active=one.active,
            locked_until=one.locked_until,
            demonstration=one.demonstration,
            pin_set=one.pin_set,
        )
        for one in ask.site.state.staff.values()
    )
    items, following = page(every, lambda one: one.id, ask.query)
    return StaffPage(items=items, next=following)


@people.get("/devices", may="devices", answer=DevicesPage, query=PageQuery)
def devices(ask: Ask) -> DevicesPage:
    """The devices that have, or had, a token of their own."""
    items, following = page(device_lines(ask.site.state), lambda one: one.id, ask.query)
    return DevicesPage(items=items, next=following)


registers = Routes("registers")


class OnQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    on: Day = ""
    """As of this day; today where none is given."""


class GameApproval(Struct, frozen=True, kw_only=True):
    """Where the floor stands with the approval of one of its games."""

    game: str
    demonstration: bool
    there: tuple[str, ...]
    missing: tuple[str, ...]


class TableShut(Struct, frozen=True, kw_only=True):
    """Everything that keeps a table shut; nothing where it may open."""

    table: str
    because: tuple[str, ...]


class Approvals(Struct, frozen=True, kw_only=True):
    site: str
    """commercial or tribal."""
    on: str
    games: tuple[GameApproval, ...]
    tables: tuple[TableShut, ...]


@registers.get("/approvals", may="approvals", answer=Approvals, query=OnQuery, slow=True)
def approvals(ask: Ask) -> Approvals:
    """The approvals of the floor's games, what is missing of them by clause, and which tables that keeps shut."""
    config, on = config_of(ask), day_in(ask, "on", ask.query.on)
    played = dict.fromkeys(table.game for table in config.tables)
    return Approvals(
        site=config.policies.kind,
        on=on.isoformat(),
        games=tuple(_approval(config, game, on) for game in played),
        tables=tuple(TableShut(table=one.id, because=tuple(why_not_open(config, one, on))) for one in config.tables),
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


class EquipmentItem(Struct, frozen=True, kw_only=True):
    """One machine of the site, and what is approved of its kind."""

    id: str
    kind: str
    title: str
    version: str
    tables: tuple[str, ...]
    """The tables it serves; empty for all of them."""
    backup: bool
    approved: Kind | None
    """None where nobody knows its kind."""


class TableLacks(Struct, frozen=True, kw_only=True):
    table: str
    missing: tuple[str, ...]


class EquipmentDoc(Struct, frozen=True, kw_only=True):
    equipment: tuple[EquipmentItem, ...]
    tables: tuple[TableLacks, ...]


class ApprovedEquipment(Struct, frozen=True, kw_only=True):
    items: tuple[Kind, ...]
    next: str | None


@registers.get("/equipment", may="equipment", answer=EquipmentDoc)
def equipment(ask: Ask) -> EquipmentDoc:
    """The floor's equipment, and everything that its tables lack by clause."""
    config = config_of(ask)
    lacking = []
    for table in config.tables:
        game = find_game(table.game)
        found = lacks(config.equipment, needs_of(config, table, game)) if game is not None else []
        lacking.append(TableLacks(table=table.id, missing=tuple(found)))
    return EquipmentDoc(equipment=tuple(map(_machine, config.equipment)), tables=tuple(lacking))


def _machine(one: Equipment) -> EquipmentItem:
    return EquipmentItem(
        id=one.id,
        kind=one.kind,
        title=one.title,
        version=one.version,
        tables=one.tables,
        backup=one.backup,
        approved=register().kinds.get(one.kind),
    )


@registers.get("/equipment/approved", may="equipment", answer=ApprovedEquipment, query=PageQuery)
def approved_equipment(ask: Ask) -> ApprovedEquipment:
    """Every kind of equipment that is approved, with its version and documents."""
    items, following = page(register().kinds.values(), lambda one: one.key, ask.query)
    return ApprovedEquipment(items=items, next=following)


# ------------------------------------------------------------------------------------------------------- a floor file


@registers.get("/floor/file", may="manager", answer=FloorInForce)
def floor_in_force(ask: Ask) -> FloorInForce:
    """The configuration in force as a floor file, to begin a change from."""
    return FloorInForce(entry=ask.site.state.configured[-1], floor=floor_text(config_of(ask)))


class FloorText(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A floor file to look through."""

    floor: str
    """The file, as TOML."""


class FoundDefect(Struct, frozen=True, kw_only=True):
    where: str
    what: str


class FoundAdvice(Struct, frozen=True, kw_only=True):
    where: str
    clause: str
    what: str


class ExactEdge(Struct, frozen=True, kw_only=True):
    """A share of the wager: as a fraction, and as a decimal."""

    exact: str
    value: float


class CheckedLink(Struct, frozen=True, kw_only=True):
    id: str
    tables: tuple[str, ...]
    pay_table: str
    approved: bool
    wager_cents: int
    house_edge: ExactEdge | None
    """Null where it is not computed."""


class FloorCheck(Struct, frozen=True, kw_only=True):
    """What is wrong with a floor file, and the advice on it."""

    currency: str
    """Empty where the file has a defect."""
    tables: tuple[str, ...]
    links: tuple[CheckedLink, ...]
    defects: tuple[FoundDefect, ...]
    advice: tuple[FoundAdvice, ...]


def check_floor(ask: Ask) -> FloorCheck:
    """Look through a floor file: every defect, and the advice on it. Nothing is changed."""
    text = ask.body.floor
    if names_files(text):
        raise Problem(
            422,
            "invalid",
            "names pay table files, which a file sent over the network cannot; use houseway check",
            "floor",
        )
    found = read_floor(text.encode("utf-8", "surrogatepass"), "floor", Path())
    config = found.config
    return FloorCheck(
        currency=config.policies.currency if config else "",
        tables=tuple(one.id for one in config.tables) if config else (),
        links=tuple(_checked_links(config)) if config else (),
        defects=tuple(FoundDefect(where=one.where, what=one.what) for one in found.defects),
        advice=tuple(FoundAdvice(where=one.where, clause=one.clause, what=one.what) for one in found.advice),
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


registers.add(
    Route(
        method="POST",
        path="/floor/check",
        name="check_floor",
        tag="registers",
        says=" ".join((check_floor.__doc__ or "").split()),
        may="manager",
        handler=check_floor,
        answer=FloorCheck,
        body=FloorText,
        slow=True,
    )
)


def read_routes() -> list[Route]:
    """Everything that can be looked at."""
    return [*present.all, *people.all, *registers.all, *book_routes(), *library_routes()]
