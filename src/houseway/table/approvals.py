"""The approval checklist: what must be approved, filed and licensed before a game opens at a site (FL-10).

A demonstration checklist lets an example floor run. Everything said of one begins with DEMONSTRATION, so that no page
or report can pass it off as a real approval.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from msgspec import Struct

from houseway.games import Game, approved_book
from houseway.games.letters import Letter, documents_of, letters
from houseway.paytables.checks import listed, shown

SiteKind: TypeAlias = Literal["commercial", "tribal"]
DEMONSTRATION: Final = "DEMONSTRATION"


class Item(NamedTuple):
    """One thing the checklist asks for."""

    key: str
    words: str
    kinds: tuple[SiteKind, ...]
    before_sale: bool = False
    """Whether it must be dated before the sale of what it is about."""
    after: str = ""
    """The item that comes first."""
    by_name: bool = False
    """Whether it names the person who did it."""


ITEMS: Final[tuple[Item, ...]] = (
    Item("game", "the game and its version are approved", ("commercial", "tribal")),
    Item("controls_submitted", "its internal controls are submitted", ("commercial",)),
    Item("controls_approved", "its internal controls are approved", ("commercial",), after="controls_submitted"),
    Item("makers_licensed", "makers and distributors are licensed by the State", ("commercial",), before_sale=True),
    Item("agency_approved", "the gaming agency of the Tribe approved", ("tribal",)),
    Item("commission_concurred", "the Commission concurred", ("tribal",)),
    Item("supplement_filed", "the compact's supplemental information (Appendix A, section 18) is filed", ("tribal",)),
    Item("makers_certified", "makers and distributors are certified by the State", ("tribal",), before_sale=True),
    Item(
        "makers_licensed_by_tribe", "makers and distributors are licensed by the Tribe", ("tribal",), before_sale=True
    ),
)
"""FL-10, in the order it is read."""
COMPARED: Final = Item(
    "rules_compared",
    "the rules held here are compared with those that the letter approved",
    ("commercial", "tribal"),
    by_name=True,
)
"""FL-10: for a game of which we do not hold the dated rules that its letter approved."""
_ITEMS: Final = {item.key: item for item in (*ITEMS, COMPARED)}


def items_for(kind: SiteKind, game: Game | None = None) -> tuple[Item, ...]:
    """What a commercial card room, or a tribal casino, must have for every game, or for this one."""
    items = ITEMS if game is None or not must_be_compared(game) else (*ITEMS, COMPARED)
    return tuple(item for item in items if kind in item.kinds)


def must_be_compared(game: Game) -> bool:
    """Whether a letter names a game, and none of the documents that describe it is one that the letter approved."""
    return bool(letters_naming(game)) and not any(document.letter for document in documents_of(game.key))


def marked(reference: str, *, demonstration: bool) -> str:
    """A reference, marked where it only demonstrates, also when it is shown by itself."""
    return reference if not demonstration or reference.startswith(DEMONSTRATION) else f"{DEMONSTRATION}: {reference}"


class Approval(Struct, frozen=True, kw_only=True):
    """One item that is there."""

    date: str
    """ISO."""
    reference: str
    sold: str = ""
    """The day of the sale that had to wait for it, ISO; empty where nothing is sold."""
    by: str = ""
    """Who did it, where the item names a person."""


class Checklist(Struct, frozen=True, kw_only=True):
    """What a site has for one game."""

    game: str
    submission: int
    """The number of the letter that approved it."""
    rules: tuple[str, ...]
    """The days of the rules it approved, ISO."""
    items: dict[str, Approval] = {}
    equipment: tuple[str, ...] = ()
    """FL-11: of a game from public rules, the kinds of progressive equipment that the approval names."""
    demonstration: bool = False

    def said(self, sentence: str) -> str:
        """A sentence about this checklist: marked where it only demonstrates."""
        return f"{DEMONSTRATION}: {sentence}" if self.demonstration else sentence


# -------------------------------------------------------------------------------------------- what is missing


def missing(checklist: Checklist | None, game: Game, kind: SiteKind, on: date) -> list[str]:
    """FL-10: everything that keeps a game from opening on a day, a sentence each; nothing where it may open."""
    if checklist is None:
        return [f"{game.key}: {item.words}: missing (FL-10)" for item in items_for(kind, game)]
    faults = [*_letter_faults(checklist, game)]
    for item in items_for(kind, game):
        faults += _item_faults(checklist, item, on)
    return [checklist.said(f"{game.key}: {fault} (FL-10)") for fault in faults]


def _letter_faults(checklist: Checklist, game: Game) -> list[str]:
    """Whether the letter is one that approved this game, by the rules that are played here."""
    naming = letters_naming(game)
    # A game that no letter of ours names came with its own approval, of which the numbers are all we can know.
    if not naming:
        return []
    letter = next((candidate for candidate in naming if candidate.number == checklist.submission), None)
    if letter is None:
        allowed = listed(f"{candidate.number} of {candidate.date}" for candidate in naming)
        return [f"submission {checklist.submission} does not name it; allowed are {allowed}"]
    faults = []
    rules = approved_rules()[letter.number]
    if tuple(sorted(checklist.rules)) != rules:
        named = " and ".join(checklist.rules) or "no day"
        faults.append(
            f"submission {letter.number} approved the rules of {' and '.join(rules)}; this approval names {named}"
        )
    approval = checklist.items.get("game")
    if approval is not None and approval.date != letter.date:
        faults.append(f"submission {letter.number} is of {letter.date}; this approval is dated {approval.date}")
    return faults


def _item_faults(checklist: Checklist, item: Item, on: date) -> list[str]:
    approval = checklist.items.get(item.key)
    if approval is None:
        return [f"{item.words}: missing"]
    faults = []
    if not approval.reference.strip():
        faults.append(f"{item.words}: its reference is missing")
    if item.by_name and not approval.by.strip():
        faults.append(f"{item.words}: the name of the person who compared them is missing")
    if approval.date > on.isoformat():
        faults.append(f"{item.words}: from {approval.date}; not yet on {on.isoformat()}")
    if item.before_sale and not approval.sold:
        faults.append(f"{item.words}: the day of the sale is missing; it must come before that")
    if approval.sold and approval.date > approval.sold:
        faults.append(f"{item.words}: on {approval.date}, after the sale on {approval.sold}; it must come before that")
    first = checklist.items.get(item.after) if item.after else None
    if first is not None and approval.date < first.date:
        faults.append(f"{item.words}: on {approval.date}, before {_ITEMS[item.after].words} on {first.date}")
    return faults


def letters_naming(game: Game) -> tuple[Letter, ...]:
    """The approval letters that name a game."""
    return tuple(letter for letter in letters() if any(game.key in named.rules for named in letter.games))


@cache
def approved_rules() -> Mapping[int, tuple[str, ...]]:
    """The days of the rules that each letter approved."""
    data = tomllib.loads(files("houseway.table").joinpath("equipment.toml").read_text("utf-8"))
    return {raw["number"]: tuple(day.isoformat() for day in raw["rules"]) for raw in data["letter"]}


# -------------------------------------------------------------------------------------- what reopens a checklist


def reopened_by(game: Game, options: Mapping[str, Any], tables: Mapping[str, str]) -> list[str]:
    """FL-10: every change of a table beyond what the approved rules leave open; nothing where the approval holds.

    ``tables`` are the names of its pay tables by wager, and of a designator, as a table's configuration has them.
    """
    known = {option.name: option for option in game.options}
    faults = []
    for name, value in options.items():
        if name not in known:
            faults.append(f"option {shown(name)} is none of the approved rules; allowed are {listed(known)}")
        elif not known[name].fits(value):
            faults.append(f"option {name} is {shown(value)}; the approved rules allow {known[name].allowed}")
    faults += [
        f"pay table {shown(name)} of {shown(wager)} is not an approved one"
        for wager, name in tables.items()
        if not _is_approved(game, wager, name)
    ]
    return [f"{game.key}: {fault}; this reopens the checklist (FL-10)" for fault in faults]


def _is_approved(game: Game, wager: str, name: str) -> bool:
    book = approved_book()
    if wager == "designator":
        return book.designator(game.key, name) is not None
    return book.find(game.families, wager, name) is not None


# ----------------------------------------------------------------------------------------------------- in words


def lines(checklist: Checklist, kind: SiteKind) -> list[str]:
    """What is there, a line for each item."""
    head = f"{checklist.game}: submission {checklist.submission}, rules of {' and '.join(checklist.rules)}"
    lines = [head]
    for item in (*items_for(kind), COMPARED):
        approval = checklist.items.get(item.key)
        if approval is not None:
            sold = f", sale {approval.sold}" if approval.sold else ""
            by = f", by {approval.by}" if approval.by else ""
            lines.append(f"{checklist.game}: {item.words}: {approval.date}{by}, {approval.reference}{sold}")
    return [checklist.said(line) for line in lines]


class GameState(NamedTuple):
    """Where a floor stands with one of its games."""

    game: str
    checklist: Checklist | None
    faults: tuple[str, ...]
    """What keeps it from opening, changes of its tables that reopen the checklist included."""

    @property
    def demonstration(self) -> bool:
        return self.checklist is not None and self.checklist.demonstration

    @property
    def state(self) -> str:
        """In a word or two, for a column of a report."""
        return self._said("")

    @property
    def line(self) -> str:
        """The same as a line of its own."""
        return self._said(f"{self.game}: ")

    def _said(self, of: str) -> str:
        if self.checklist is None:
            return f"{of}no approval"
        complete = "complete, and no real approval" if self.demonstration else "complete"
        return self.checklist.said(f"{of}{'incomplete' if self.faults else complete}")
