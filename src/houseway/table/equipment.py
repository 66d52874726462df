"""The equipment register: which machines and versions are approved, and what a table lacks (FL-11).

The approved versions are data (``equipment.toml``), each with the documents that name it. A progressive is judged for
the game of its table, by the document that the game's approval rests on. Versions are compared number by number, so 5.4
is 5.4.0 and 3.8.024 is 3.8.24. The letters around the numbers name a line of the software (NXP, SP, P$) and must be
those that were approved, because another line is another product.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from houseway.games import Game
from houseway.games.letters import documents_of
from houseway.paytables.checks import shown
from houseway.refusal import Refusal
from houseway.table.config import Console
from houseway.table.shuffler import HAND, MachineMode, dealing_fits, modes

Part: TypeAlias = Literal["progressive system", "progressive display", "shuffler", "verify display"]
Approved: TypeAlias = Literal["minimum", "exact", "any"]
DISPLAY: Final = "progressive display"
SYSTEM: Final = "progressive system"
OTHER_SHUFFLER: Final = "other-shuffler"
"""FL-1: a model that no document names, with the reference of its approval."""

# ------------------------------------------------------------------------------------------------ versions


class Version(NamedTuple):
    """A software version as the makers write them."""

    line: tuple[str, str]
    """The letters before and after the numbers, in capitals: ("NXP", ""), ("", "SP")."""
    numbers: tuple[int, ...]
    """Without zeros at the end."""
    build: int = 0


WRITTEN: Final = re.compile(
    r"(?P<before>[a-z]+ )?v?(?P<numbers>\d{1,6}(\.\d{1,6}){0,5})(?P<after>[a-z]{1,4}\$?|\$)?"
    r"( build (?P<build>\d{1,9}))?",
    re.IGNORECASE | re.ASCII,
)
VERSION: Final = 'a version in quotes as the maker writes it, such as "6.6 build 520", "6.5.6SP" or "NXP 1.0.114"'


def parse_version(text: str) -> Version:
    """The version that is written; anything else is refused."""
    match = WRITTEN.fullmatch(text)
    if match is None:
        raise Refusal("version", f"{shown(text)} is no version; it must be {VERSION}")
    numbers = [int(number) for number in match["numbers"].split(".")]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    line = ((match["before"] or "").strip().upper(), (match["after"] or "").upper())
    return Version(line, tuple(numbers), int(match["build"] or 0))


def is_version(text: str) -> bool:
    """Whether a version is written there."""
    return WRITTEN.fullmatch(text) is not None


def compare(version: str, other: str) -> int | None:
    """-1, 0 or 1 as one version is below, at or above another; None where they are of different lines."""
    first, second = parse_version(version), parse_version(other)
    if first.line != second.line:
        return None
    a, b = (first.numbers, first.build), (second.numbers, second.build)
    return (a > b) - (a < b)


# ------------------------------------------------------------------------------------------------ the register


class Kind(Struct, frozen=True, kw_only=True):
    """One kind of equipment that is approved."""

    key: str
    title: str
    part: Part
    approved: Approved
    documents: tuple[str, ...]
    """Those that name it."""
    exact_documents: tuple[str, ...] = ()
    """Those of them that print the version without "or higher", where others print it with."""
    version: str = ""
    cover_all_version: str = ""
    """The lower version that is enough at a table with Cover All; empty where that makes no difference."""
    cover_all_documents: tuple[str, ...] = ()

    def naming(self, documents: Sequence[str]) -> tuple[str, ...]:
        """Those of a game's documents that name it; all that do, for a game that none of ours describes."""
        return tuple(number for number in self.documents if not documents or number in documents)


class System(Struct, frozen=True, kw_only=True):
    """What the progressive of a table may run on."""

    title: str
    console: Console
    parts: tuple[str, ...]
    displays: tuple[str, ...]


class Register(NamedTuple):
    """Everything that is approved."""

    kinds: Mapping[str, Kind]
    systems: tuple[System, ...]


@cache
def register() -> Register:
    """The approved equipment as the documents print it."""
    from msgspec import convert

    data = tomllib.loads(files("houseway.table").joinpath("equipment.toml").read_text("utf-8"))
    kinds = {raw["key"]: convert(raw, Kind) for raw in data["kind"]}
    return Register(kinds, tuple(convert(raw, System) for raw in data["system"]))


class Equipment(Struct, frozen=True, kw_only=True):
    """One machine of the site."""

    id: str
    kind: str
    version: str = ""
    """Empty only where no version is printed for its kind."""
    tables: tuple[str, ...] = ()
    """The tables it serves; empty for all of them."""
    backup: bool = False
    """Whether it stands by."""
    intelligence: bool | None = None
    """Of a progressive display: whether it does anything of its own."""
    network: bool | None = None
    """Of a progressive display: whether it can join a network, wired or wireless."""
    model: str = ""
    """Of a shuffler that no document names: what it is."""
    modes: tuple[str, ...] = ()
    """Of such a shuffler: the modes that it has."""
    reference: str = ""
    """Of such a shuffler: its approval."""

    def serves(self, table: str) -> bool:
        """Whether it is at this table, or at all of them."""
        return not self.tables or table in self.tables

    @property
    def title(self) -> str:
        """Its kind in words; as it is written where nobody knows it."""
        known = register().kinds.get(self.kind)
        return self.kind if known is None else self.model or known.title

    @property
    def part(self) -> Part | None:
        """What it is for; None where nobody knows its kind."""
        known = register().kinds.get(self.kind)
        return None if known is None else known.part


class Needs(NamedTuple):
    """What a table asks of its equipment."""

    table: str
    game: Game
    console: Console
    dealing: str
    """The mode of its shuffler, or ``hand``."""
    progressive: bool = True
    """Whether it plays for a link."""
    offers_cover_all: bool = False
    virtual: bool = False
    """Whether our own shuffler and sensors do the work, so that it needs no machine."""
    letter: int = 0
    """The letter that its game's approval names; 0 where there is none."""
    named: tuple[str, ...] = ()
    """Of a game from public rules: the kinds that the approval names, which the operator entered."""

    @property
    def documents(self) -> tuple[str, ...]:
        """FL-11: the documents that its equipment is judged by; empty where none of ours describes its game."""
        return tuple(document.number for document in documents_of(self.game.key, self.letter))

    @property
    def goes_by_approval(self) -> bool:
        """FL-11: whether no document describes its game, so that the operator's approval names its equipment."""
        return self.game.has_public_rules and not self.documents

    @property
    def mode(self) -> MachineMode | None:
        """The mode its machine must have; None where it needs no machine."""
        return None if self.virtual else next((mode for mode in modes() if mode.key == self.dealing), None)

    @property
    def shows_cover_all(self) -> bool:
        """Whether its machine shows the Cover All column."""
        return self.mode is not None and "cover_all" in self.mode.shows


# ------------------------------------------------------------------------------------------------- the checks


def check(equipment: Iterable[Equipment], needs: Needs) -> list[str]:
    """FL-11: everything that a table's equipment lacks, a sentence each; nothing where it may be used."""
    here = tuple(equipment)
    return [*item_faults(here, needs), *dealing_faults(needs), *lacks(here, needs)]


def item_faults(equipment: Iterable[Equipment], needs: Needs) -> list[str]:
    """FL-11: what is wrong with the machines at a table, each by itself; those that stand by included."""
    here = (item for item in equipment if item.serves(needs.table) and not needs.virtual)
    return [sentence for item in here for sentence in _faults_at(item, needs)]


def _faults_at(item: Equipment, needs: Needs) -> list[str]:
    """FL-11: what is wrong with one machine at a table; first of all, whether a document of its game names it."""
    kind = register().kinds.get(item.kind)
    documents = needs.documents
    if kind is not None and kind.part in (SYSTEM, DISPLAY) and needs.goes_by_approval and kind.key not in needs.named:
        return [
            f"{item.id}: {kind.title} is not approved for {needs.game.title}: no document describes that game, and its "
            f'approval does not name "{kind.key}" under equipment (FL-11)'
        ]
    if kind is not None and kind.part in (SYSTEM, DISPLAY) and not kind.naming(documents):
        single = len(documents) == 1
        named, needed = ("does", "it names") if single else ("do", "they name")
        return [
            f"{item.id}: {kind.title} is not approved for {needs.game.title}: {_documents(documents)} {named} not name "
            f"it; {needs.table} needs what {needed} (FL-11)"
        ]
    return check_item(item, cover_all=needs.shows_cover_all, documents=documents)


def dealing_faults(needs: Needs) -> list[str]:
    """FL-1: the shuffler is set to the table's game, or it is dealt by hand where that is allowed."""
    if needs.virtual and needs.dealing == HAND:
        return [f"{needs.table}: a virtual table is dealt by the system's own shuffler, never by hand (FL-1)"]
    fault = dealing_fits(needs.dealing, needs.game, cover_all=needs.offers_cover_all)
    return [] if fault is None else [f"{needs.table}: {fault}"]


def lacks(equipment: Iterable[Equipment], needs: Needs) -> list[str]:
    """FL-1, FL-11: the machines that a table needs and has not."""
    in_use = [item for item in equipment if item.serves(needs.table) and not item.backup]
    return [*_check_shuffler(in_use, needs), *_check_progressive(in_use, needs)]


def check_item(item: Equipment, *, cover_all: bool = False, documents: Sequence[str] = ()) -> list[str]:
    """FL-11: what is wrong with one machine by these documents; by all of them, where none are given."""
    kind = register().kinds.get(item.kind)
    if kind is None:
        return [f"{item.id}: {shown(item.kind)} is no kind of equipment that is approved (FL-11)"]
    return [
        *_version_faults(item, kind, cover_all, documents),
        *_display_faults(item, kind),
        *_model_faults(item),
    ]


def _version_faults(item: Equipment, kind: Kind, cover_all: bool, judged_by: Sequence[str]) -> list[str]:
    if kind.approved == "any":
        return []
    lower = cover_all and bool(kind.cover_all_version)
    due = kind.cover_all_version if lower else kind.version
    documents = kind.cover_all_documents if lower else kind.naming(judged_by) or kind.documents
    exact = kind.approved == "exact" or set(documents) <= set(kind.exact_documents)
    order = compare(item.version, due) if is_version(item.version) else None
    if order == 0 or (order == 1 and not exact):
        return []
    allowed = f"approved is exactly {due}" if exact else f"approved is {due} or higher"
    have = f"{item.version} is not approved" if item.version else "has no version"
    why = ", it is another line of the software" if is_version(item.version) and order is None else ""
    return [f"{item.id}: {kind.title} {have}{why}; {allowed} (FL-11, {_documents(documents)})"]


def _display_faults(item: Equipment, kind: Kind) -> list[str]:
    if kind.part != DISPLAY or (item.intelligence is False and item.network is False):
        return []
    unsaid = [name for name in ("intelligence", "network") if getattr(item, name) is None]
    if unsaid:
        return [
            f"{item.id}: {kind.title}: it is not said whether it has {' or '.join(unsaid)} of its own; "
            "a progressive display must have neither intelligence nor network (FL-11)"
        ]
    has = [name for name in ("intelligence", "network") if getattr(item, name)]
    return [
        f"{item.id}: {kind.title}: it has {' and '.join(has)} of its own; "
        "a progressive display must have neither intelligence nor network (FL-11)"
    ]


def _model_faults(item: Equipment) -> Iterator[str]:
    """FL-1: a shuffler that no document names has a model, its modes and the reference of its approval."""
    if item.kind != OTHER_SHUFFLER:
        return
    if not (item.model and item.modes and item.reference):
        yield (
            f"{item.id}: a shuffler that no document names needs its model, its modes and the reference of its "
            "approval (FL-1)"
        )
    known = [mode.key for mode in modes()]
    for mode in item.modes:
        if mode not in known:
            yield f"{item.id}: unknown mode {shown(mode)}; allowed: {', '.join(known)} (FL-1)"


def _check_shuffler(equipment: Sequence[Equipment], needs: Needs) -> list[str]:
    """FL-1: a table that is not dealt by hand has a shuffler with its mode."""
    mode = needs.mode
    if mode is None:
        return []
    shufflers = [item for item in equipment if item.part == "shuffler"]
    models = _titles(mode.models)
    if not shufflers:
        return [f"{needs.table}: no shuffler is registered; the mode {mode.name} needs {models} (FL-1)"]
    return [
        f"{needs.table}: {item.id} is an {item.title}, which has no mode {mode.name}; it needs {models} (FL-1)"
        for item in shufflers
        if item.kind not in mode.models and mode.key not in item.modes
    ]


def _check_progressive(equipment: Sequence[Equipment], needs: Needs) -> list[str]:
    """FL-11: a progressive runs on one whole system of its console's generation that a document of its game names."""
    if needs.virtual or not needs.progressive:
        return []
    kinds = {item.kind for item in equipment}
    systems = _systems(needs)
    if not systems:
        return [
            f"{needs.table}: its progressive has no system: no document describes {needs.game.title}, and its approval "
            f"names no whole system for a {needs.console} console under equipment (FL-11)"
        ]
    lacking = [(system, _lacks(system, kinds)) for system in systems]
    if any(not lacks for _, lacks in lacking):
        return []
    # The system that is nearest to being whole is the one that was meant.
    meant, lacks = min(lacking, key=lambda pair: (len(pair[1]) - _has(pair[0], kinds), len(pair[1])))
    allowed = "; or ".join(map(_system_words, systems))
    return [f"{needs.table}: its progressive lacks {', '.join(lacks)} for {meant.title}; allowed is {allowed} (FL-11)"]


def _systems(needs: Needs) -> list[System]:
    """The systems that one document of a table's game names as a whole, with the displays that it names.

    FL-11: at a game from public rules, what its approval names.
    """
    kinds = register().kinds
    if needs.goes_by_approval:
        whole = [
            replace(system, displays=tuple(display for display in system.displays if display in needs.named))
            for system in register().systems
            if system.console == needs.console and set(system.parts) <= set(needs.named)
        ]
        return [system for system in whole if system.displays]
    systems: dict[str, System] = {}
    for number in needs.documents or tuple(dict.fromkeys(name for kind in kinds.values() for name in kind.documents)):
        for system in register().systems:
            displays = tuple(display for display in system.displays if number in kinds[display].documents)
            if system.console != needs.console or any(number not in kinds[part].documents for part in system.parts):
                continue
            before = systems.get(system.title)
            every = dict.fromkeys((*(before.displays if before else ()), *displays))
            systems[system.title] = replace(system, displays=tuple(every))
    return list(systems.values())


def _lacks(system: System, kinds: set[str]) -> list[str]:
    """What a table with these kinds of equipment lacks for a system."""
    parts = [register().kinds[part].title for part in system.parts if part not in kinds]
    display = [] if kinds.intersection(system.displays) else [f"progressive display ({_titles(system.displays)})"]
    return [*parts, *display]


def _has(system: System, kinds: set[str]) -> int:
    return len(kinds.intersection(system.parts))


def _system_words(system: System) -> str:
    return ", ".join(f"{register().kinds[part].title} {register().kinds[part].version}" for part in system.parts)


def _titles(kinds: Iterable[str]) -> str:
    return " or ".join(register().kinds[kind].title for kind in kinds)


def _documents(numbers: Sequence[str]) -> str:
    return f"document{'s' if len(numbers) > 1 else ''} {', '.join(numbers)}"
