"""The floor file: one TOML file that describes a floor, read whole, with every defect at once.

Nothing in a file can make ``read_floor`` raise. ``docs/floor.md`` describes the format.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

from houseway.games import all_schemas, approved_book, find_game
from houseway.manager.advice import Advice, advise
from houseway.manager.config import FloorConfig
from houseway.manager.floor_advice import advise_floor
from houseway.manager.floor_file import link_checks, register_checks, table_checks
from houseway.manager.floor_file.build import floor, link_config
from houseway.manager.floor_file.draft import (
    ApprovalPart,
    EquipmentPart,
    FilePart,
    LinkPart,
    PolicyPart,
    SitePart,
    TablePart,
    WitnessesPart,
    drafted,
    read_server,
)
from houseway.manager.floor_file.plan import Plan, PlannedApproval, PlannedLink, PlannedMachine, PlannedTable
from houseway.manager.floor_file.registers import Registers, registers
from houseway.manager.readiness import why_not_open
from houseway.manager.server_settings import TLS_KEY_ALONE
from houseway.paytables import Book, Defect, read
from houseway.refusal import Refusal

__all__ = ["Defect", "FloorFile", "demonstration_floor", "example_floor", "is_floor", "load_floor", "read_floor"]

MOST_BYTES: Final = 1_000_000
MOST_PAY_TABLE_BYTES: Final = 200_001
MOST_DOTS_A_LINE: Final = 50
"""Dotted keys cost the TOML reader the square of their depth."""
DEFECTS_IN_A_REFUSAL: Final = 5
CHECKS: Final = (*table_checks.CHECKS, *link_checks.CHECKS, *register_checks.CHECKS)
"""Everything that is checked once the file could be read, in the order it is reported."""


class NotToml(ValueError):  # noqa: N818  a finding, not an error of the program
    """A file that is no TOML; the words say where and why."""


@dataclass(frozen=True, slots=True)
class FloorFile:
    """What a floor file says, or everything that is wrong with it."""

    config: FloorConfig | None
    """The floor; None where there is a defect."""
    defects: list[Defect]
    advice: list[Advice]
    """What the maker would say to it; where there are defects, to the links that have none."""
    registers: Registers | None = None
    """What is on file and what is missing, defects or not; None where nothing could be read."""
    server: Mapping[str, Any] | None = None
    """What `[server]` sets, which is no part of the floor; None where something about it is wrong."""


def read_floor(text: bytes, name: str, folder: Path, on: date | None = None) -> FloorFile:
    """Read a floor file; ``folder`` is where its pay table files are, ``on`` the day dated limits are judged for."""
    defects: list[Defect] = []
    try:
        top = _toml(text)
        plan, server = _plan(top, folder, on, defects), _server(top, defects)
    except RecursionError:
        return FloorFile(None, [Defect(name, "the file cannot be read as TOML: it is nested too deeply")], [])
    except NotToml as error:
        return FloorFile(None, [Defect(name, f"the file cannot be read as TOML: {error}")], [])
    if plan is not None:
        defects += [defect for check in CHECKS for defect in check(plan)]
    if plan is None or defects:
        advice = _advice_on_sound_links(plan, defects) if plan is not None else []
        return FloorFile(None, defects, advice, registers(plan) if plan is not None else None, server)
    config = floor(plan)
    advice = [*advise_floor(config, plan.on), *_shut_tables(config, plan.on)]
    return FloorFile(config, [], advice, registers(plan), server)


def _shut_tables(config: FloorConfig, on: date) -> list[Advice]:
    """FL-10, FL-11: the tables that would not open; nothing is said while a floor has no registers at all."""
    if not config.approvals and not config.equipment:
        return []
    reasons = {table.id: why_not_open(config, table, on) for table in config.tables}
    return [
        Advice(f"table {table}", "FL-10, FL-11", f"stays shut on {on}: {'; '.join(why)}")
        for table, why in reasons.items()
        if why
    ]


def _advice_on_sound_links(plan: Plan, defects: list[Defect]) -> list[Advice]:
    faulty = {defect.where for defect in defects}
    return [
        advice
        for link in plan.links
        if link.where not in faulty and all(table.game is not None for table in link.tables)
        for advice in advise(link_config(link), [game.key for game in link.games])
    ]


def load_floor(path: Path, on: date | None = None) -> FloorConfig:
    """The floor that a file describes; a file with any defect is refused, and the first of them are named."""
    floor_file = read_floor(read_bytes(path, MOST_BYTES + 1), path.name, path.parent, on)
    if floor_file.config is None:
        first = "; ".join(map(str, floor_file.defects[:DEFECTS_IN_A_REFUSAL]))
        more = len(floor_file.defects) - DEFECTS_IN_A_REFUSAL
        raise Refusal(str(path), f"{first}; and {more} more" if more > 0 else first)
    return floor_file.config


def read_bytes(path: Path, most: int) -> bytes:
    """The beginning of a file; a folder, a device or what cannot be read is refused."""
    try:
        if path.exists() and not path.is_file():
            raise Refusal(str(path), "is not a file")
        with path.open("rb") as file:
            return file.read(most)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise Refusal(str(path), f"the file cannot be opened: {why}") from None


def example_floor() -> str:
    """The commented example that ``houseway init`` writes."""
    return _read_shipped("example_floor.toml")


def demonstration_floor() -> str:
    """The example with a virtual table for every other game, which ``houseway up`` writes."""
    _, *more = _PART.split(_read_shipped("demonstration_floor.toml"))
    added = dict(zip(more[::2], more[1::2], strict=True))
    head, *parts = _PART.split(example_floor())
    whole = [
        f"{ruler}{text.rstrip()}\n\n{added.get(ruler, '').strip()}".rstrip()
        for ruler, text in zip(parts[::2], parts[1::2], strict=True)
    ]
    return head + "\n\n".join(whole) + "\n"


_PART: Final = re.compile(r"^(# -+ \w+)$", re.MULTILINE)
"""The line above each part of those files."""


def _read_shipped(name: str) -> str:
    from importlib.resources import files

    return files("houseway.manager").joinpath(name).read_text("utf-8")


def names_files(text: str) -> bool:
    """Whether a floor file would have files of this machine read."""
    try:
        return bool(_toml(text.encode("utf-8", "surrogatepass")).get("paytable_files"))
    except (NotToml, RecursionError):
        return False


def is_floor(text: bytes) -> bool:
    """Whether a file means to be a floor file: it has a site or tables; one that is no TOML, by its headings."""
    try:
        return not {"site", "tables"}.isdisjoint(_toml(text))
    except (NotToml, RecursionError):
        lines = [line.strip() for line in text.split(b"\n")]
        return b"[site]" in lines or b"[[tables]]" in lines


def _toml(text: bytes) -> dict[str, Any]:
    """The file as TOML; NotToml or RecursionError where it is none."""
    if len(text) > MOST_BYTES:
        raise NotToml(f"it is longer than {MOST_BYTES:,} bytes")
    try:
        words = text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NotToml(f"it is not UTF-8 text (byte {error.start + 1})") from error
    for number, line in enumerate(words.split("\n"), start=1):
        if line.count(".") > MOST_DOTS_A_LINE:
            raise NotToml(f"line {number} holds more than {MOST_DOTS_A_LINE} dots")
    try:
        return tomllib.loads(words)
    except tomllib.TOMLDecodeError as error:
        raise NotToml(str(error)) from error
    except ValueError as error:
        raise NotToml("it holds a number that is out of range") from error


def _plan(top: dict[str, Any], folder: Path, on: date | None, defects: list[Defect]) -> Plan | None:
    """The file as far as it can be read; None where nothing more can be said about it."""
    whole = drafted(FilePart, top, "file", defects)
    if whole is None:
        return None
    site = drafted(SitePart, whole.site or {}, "site", defects if whole.site is not None else [])
    policies = drafted(PolicyPart, whole.policies, "policies", defects)
    book = _book(whole.paytable_files, folder, defects)
    tables = []
    for number, raw in enumerate(whole.tables or (), start=1):
        where = _called("table", number, raw)
        table = drafted(TablePart, raw, where, defects)
        if table is not None:
            tables.append(PlannedTable(where, table, find_game(table.game or ""), book))
    links = []
    for number, raw in enumerate(whole.links, start=1):
        where = _called("link", number, raw)
        link = drafted(LinkPart, raw, where, defects)
        if link is not None:
            named = frozenset(link.tables or ())
            links.append(PlannedLink(where, link, tuple(table for table in tables if table.part.id in named), book))
    machines = []
    for number, raw in enumerate(whole.equipment, start=1):
        where = _called("equipment", number, raw)
        machine = drafted(EquipmentPart, raw, where, defects)
        if machine is not None:
            machines.append(PlannedMachine(where, machine))
    approvals = []
    for number, raw in enumerate(whole.approvals, start=1):
        where = _called("approvals", number, raw, "game")
        approval = drafted(ApprovalPart, raw, where, defects)
        if approval is not None:
            approvals.append(PlannedApproval(where, approval))
    witnesses = drafted(WitnessesPart, whole.witnesses, "witnesses", defects) if whole.witnesses is not None else None
    if witnesses is not None and (witnesses.quorum or 0) > len(witnesses.keys or ()):
        defects.append(Defect("witnesses", "quorum is larger than the number of keys"))
    if site is None or policies is None:
        return None
    day = on or _today(site.time_zone)
    return Plan(site, policies, tuple(tables), tuple(links), day, tuple(machines), tuple(approvals), witnesses)


def _server(top: dict[str, Any], defects: list[Defect]) -> Mapping[str, Any] | None:
    """What `[server]` sets, where nothing about it is wrong."""
    raw = top.get("server", {})
    # Anything but a table was reported with the whole file.
    if not isinstance(raw, dict):
        return None
    settings, own_defects = read_server(raw)
    if "tls_key" in settings and "tls_certificate" not in settings:
        own_defects.append(Defect("server", TLS_KEY_ALONE))
    defects += own_defects
    return None if own_defects else settings


def _called(kind: str, number: int, raw: object, key: str = "id") -> str:
    """A table or link as messages call it: by its id where that can be read."""
    name = raw.get(key) if isinstance(raw, dict) else None
    readable = isinstance(name, str) and 0 < len(name) <= 32 and name.isprintable()
    return f"{kind} {name if readable else number}"


def _today(time_zone: str | None) -> date:
    try:
        return datetime.now(ZoneInfo(time_zone or "UTC")).date()
    except (KeyError, ValueError, OSError):
        return datetime.now(UTC).date()


def _book(names: list[str], folder: Path, defects: list[Defect]) -> Book:
    """The approved pay tables, with those of the house's own files beside them."""
    book = approved_book()
    for name in names:
        try:
            text = read_bytes(folder / name, MOST_PAY_TABLE_BYTES)
            own, problems = read(text, name, all_schemas(), approved=False)
            defects += [Defect(f"paytable_files {name}", str(problem)) for problem in problems]
            book = book.with_house_tables(own)
        except Refusal as refusal:
            defects.append(Defect(f"paytable_files {name}", refusal.sentence))
    return book
