"""Pay tables as data: what a wager pays for which hand, exactly, and nothing about how a hand is made.

A game's module declares with a `Schema` what its tables may hold; the loader turns a file into the frozen
tables below; a `Book` holds every table that is loaded and finds one by the name people use for it.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from houseway.refusal import Refusal

Schedule: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""Numerators and denominators of the odds, row by row."""


@dataclass(frozen=True, slots=True)
class Schema:
    """What a pay table of one wager may hold; declared by the game's module, never here."""

    game: str
    wager: str
    kind: Literal["odds", "columns", "progressive"]
    hands: tuple[str, ...]
    """Every hand a row may name, best paying first."""
    columns: tuple[int, ...] = ()
    """For the kind "columns": what the pays depend on, such as 2 to 8 hands in the round."""
    every_hand: bool = False
    """Whether each hand must have a row: where a winner without one would lose his wager."""
    envy: bool = False
    """Whether the wager pays flat envy."""
    pushes: bool = False
    """Whether a row may say "push": the wager comes back."""
    award: bool = False
    """Whether it is paid without a wager of its own, so that only "to" has a meaning."""


@dataclass(frozen=True, slots=True)
class Odds:
    """An exact multiple of the wager, in lowest terms: 3 to 2 is `Odds(3, 2)`."""

    num: int
    den: int


@dataclass(frozen=True, slots=True)
class OddsRow:
    """What one hand pays: a single entry, or one for every column of its table."""

    hand: str
    odds: tuple[Odds, ...]


@dataclass(frozen=True, slots=True)
class ProgressiveRow:
    """What one hand wins of a progressive: exactly one of `percent`, `fixed_cents` and `for_one` is set."""

    hand: str
    percent: int | None
    """Share of `meter`, 1 to 100."""
    meter: str | None
    """The meter of a percentage, "main" where the table names none; None for the other rows."""
    fixed_cents: int | None
    """For the table's stated wager."""
    for_one: Odds | None
    """A multiple of the wager; the wager itself is not returned."""
    source: Literal["meter", "tray", "open"]
    """Who pays; "open" where the table leaves it to the link."""
    envy_cents: int
    """For the stated wager, or for each $1 where none is stated; 0 means none."""


@dataclass(frozen=True, slots=True)
class PayTable:
    """The odds a wager pays, by hand and, for some wagers, by column."""

    game: str
    wager: str
    id: str
    aliases: tuple[str, ...]
    returns_wager: bool | None
    """True where the pays are "to" one (the wager comes back too), False where they are "for" one."""
    columns: tuple[int, ...]
    by: str
    """What the rows stand for, in words, where they are not poker hands."""
    rows: tuple[OddsRow, ...]
    envy_cents: Mapping[str, int] = field(hash=False)
    """Flat envy: it does not grow with the wager."""
    envy_minimum_cents: int
    """The least wager that takes part in envy; 0 where there is none."""
    printed: Mapping[str, str] = field(hash=False)
    """The figures printed beside the table, as printed: claims to be checked, not truths."""
    approved: bool
    source: str
    """The file it came from, for messages."""
    # Settling asks for the same few schedules thousands of times a second.
    _schedules: dict[tuple[tuple[str, ...], int | None], Schedule] = field(
        init=False, repr=False, compare=False, hash=False, default_factory=dict
    )

    @property
    def label(self) -> str:
        """The table's name on a screen; it never hides that a table is the house's own."""
        return _label(self.wager, self.id, self.approved)

    def odds(self, hand: str, column: int | None = None) -> Odds | None:
        """What `hand` pays, or None where there is no such row; `column` is the number of hands itself."""
        place = self._place(column)
        for row in self.rows:
            if row.hand == hand:
                return row.odds[place]
        return None

    def schedule(self, hands: tuple[str, ...], column: int | None = None) -> Schedule:
        """The table as a rule takes it: numerators and denominators "to" one aligned with `hands`, 0/0 for no row.

        A table that pays "for" one gives back as much as the same table one lower "to" one.
        """
        known = self._schedules.get((hands, column))
        if known is None:
            known = self._schedules[hands, column] = self._schedule(hands, column)
        return known

    def _schedule(self, hands: tuple[str, ...], column: int | None) -> Schedule:
        place = self._place(column)
        paid = {row.hand: row.odds[place] for row in self.rows}
        nothing = Odds(0, 0)
        aligned = [paid.get(hand, nothing) for hand in hands]
        kept = 0 if self.returns_wager else 1
        return tuple(odds.num - kept * odds.den for odds in aligned), tuple(odds.den for odds in aligned)

    def _place(self, column: int | None) -> int:
        if not self.columns and column is None:
            return 0
        if column not in self.columns:
            allowed = ", ".join(map(str, self.columns)) or "none"
            raise ValueError(f"{self.game} {self.label} has no column {column}; its columns are {allowed}")
        return self.columns.index(column)


@dataclass(frozen=True, slots=True)
class ProgressiveTable:
    """What a progressive wager wins: shares of meters, fixed amounts, multiples of the wager, and envy."""

    game: str
    wager: str
    id: str
    aliases: tuple[str, ...]
    printed: Mapping[str, str] = field(hash=False)
    """The figures printed beside the table, as printed: claims to be checked, not truths."""
    approved: bool
    source: str
    """The file it came from, for messages."""
    stated_wager_cents: int | None
    """The one wager the table is made for, where it states one."""
    figures_wager_cents: int | None
    """The wager the printed figures are for, where no wager is stated."""
    seed_cents: int | None
    """The pre-configured seed, where one is printed."""
    multi_game: bool
    """Whether the table may also link different games of one family."""
    rows: tuple[ProgressiveRow, ...]
    by: str = ""
    """What the rows stand for, in words, where they are not poker hands."""

    @property
    def label(self) -> str:
        """The table's name on a screen; it never hides that a table is the house's own."""
        return _label(self.wager, self.id, self.approved)

    @property
    def meters(self) -> tuple[str, ...]:
        """The meters the rows draw on, in row order, each once; one unnamed meter is called "main"."""
        return tuple(dict.fromkeys(row.meter for row in self.rows if row.meter is not None)) or ("main",)

    def row(self, hand: str) -> ProgressiveRow | None:
        """The row of `hand`, or None where it wins nothing."""
        for row in self.rows:
            if row.hand == hand:
                return row
        return None


Table: TypeAlias = PayTable | ProgressiveTable


def _label(wager: str, name: str, approved: bool) -> str:
    return f"{wager} {name}" if approved else f"{wager} {name} (not approved)"


@dataclass(frozen=True, slots=True)
class Designator:
    """One approved name for a set of tables, one table for each of several wagers."""

    game: str
    id: str
    tables: Mapping[str, str] = field(hash=False)
    """The table id of each wager."""


@dataclass(frozen=True, slots=True)
class Book:
    """Every table that is loaded."""

    tables: tuple[Table, ...] = ()
    designators: tuple[Designator, ...] = ()
    # Settling looks tables up thousands of times a second, so the indexes are built once, with the book.
    _by_name: Mapping[tuple[str, str, str], Table] = field(init=False, repr=False, compare=False)
    _by_designator: Mapping[tuple[str, str], Designator] = field(init=False, repr=False, compare=False)

    memo: dict[Hashable, Any] = field(init=False, repr=False, compare=False, default_factory=dict)
    """For whoever asks the same of the book again and again; it holds nothing that the tables do not say."""

    def __post_init__(self) -> None:
        by_name: dict[tuple[str, str, str], Table] = {}
        for table in self.tables:
            for name in (table.id, *table.aliases):
                by_name.setdefault((table.game, table.wager, name), table)
        by_designator: dict[tuple[str, str], Designator] = {}
        for designator in self.designators:
            by_designator.setdefault((designator.game, designator.id), designator)
        object.__setattr__(self, "_by_name", by_name)
        object.__setattr__(self, "_by_designator", by_designator)

    def find(self, families: Sequence[str], wager: str, name: str) -> Table | None:
        """The table with this id or alias, letter case included: an approved one before a house's own."""
        own = None
        for family in families:
            table = self._by_name.get((family, wager, name))
            if table is not None and table.approved:
                return table
            own = own or table
        return own

    def of(self, families: Sequence[str], wager: str | None = None) -> tuple[Table, ...]:
        """The tables of these families, family by family in the order they were loaded."""
        return tuple(
            table
            for family in families
            for table in self.tables
            if table.game == family and wager in (None, table.wager)
        )

    def only_approved(self, families: tuple[str, ...], wager: str) -> Table | None:
        """The approved table of this wager where just one is printed."""
        printed = [table for table in self.of(families, wager) if table.approved]
        return printed[0] if len(printed) == 1 else None

    def designator(self, game: str, id: str) -> Designator | None:
        """The designator of this game with this id."""
        return self._by_designator.get((game, id))

    def with_house_tables(self, other: Book) -> Book:
        """Both books in one; a name that is already taken is refused, so nothing here can be replaced."""
        for table in other.tables:
            for name in (table.id, *table.aliases):
                taken = self._by_name.get((table.game, table.wager, name))
                if taken is not None:
                    raise Refusal(
                        f"{table.game} {table.wager} {table.id}",
                        f'the name "{name}" in {table.source} already belongs to a table in {taken.source}; '
                        "choose an id and aliases that no table of this game and wager has",
                    )
        for designator in other.designators:
            if self.designator(designator.game, designator.id) is not None:
                raise Refusal(
                    f"designators {designator.game} {designator.id}",
                    "this designator already exists; choose an id that no designator of this game has",
                )
        return Book(self.tables + other.tables, self.designators + other.designators)
