"""The one loader of pay tables: a TOML file in, a book and a list of every defect out.

Nothing in a file can make `read` raise, because a house writes its own files and deserves to hear about all
of its mistakes at once. A table with a defect is left out of the book, so nothing downstream checks again.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from importlib.resources import files
from importlib.resources.abc import Traversable
from math import gcd
from pathlib import Path
from typing import Generic, Literal, TypeAlias, TypeVar

from houseway.paytables.checks import (
    KEYS_OF_KIND,
    ROW_KEYS,
    Defect,
    Draft,
    defects_of_odds,
    defects_of_progressive,
    listed,
    shown,
    unknown_keys,
)
from houseway.paytables.model import (
    Book,
    Designator,
    Odds,
    OddsRow,
    PayTable,
    ProgressiveRow,
    ProgressiveTable,
    Schema,
    Table,
)
from houseway.refusal import Refusal

__all__ = ["Defect", "approved_files", "load_approved", "load_house_file", "read"]

MOST_CHARACTERS = 200_000
MOST_DOTS_A_LINE = 50  # dotted keys cost the TOML reader the square of their depth
MOST_ODDS = 1_000_000
MOST_DOLLARS = 1_000_000_000
DEFECTS_IN_A_REFUSAL = 5

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Form(Generic[Value]):
    """A kind of value: how it is read (None where it is not one), and the words for what it must be."""

    parse: Callable[[object], Value | None]
    must_be: str


def _name(value: object) -> str | None:
    if isinstance(value, str) and 1 <= len(value) <= 64 and value.isprintable() and value == value.strip():
        return value
    return None


def _names(value: object) -> tuple[str, ...] | None:
    names = [_name(name) for name in (value if isinstance(value, list) else [value])]
    known = tuple(name for name in names if name is not None)
    return known if len(known) == len(names) else None


def _words(value: object) -> str | None:
    return value if isinstance(value, str) and len(value) <= 200 and value.isprintable() else None


def _flag(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _table(value: object) -> Mapping[str, object] | None:
    return value if isinstance(value, dict) else None


def _rows(value: object) -> Mapping[str, object] | None:
    return value if isinstance(value, dict) and value else None


def _columns(value: object) -> tuple[int, ...] | None:
    if not isinstance(value, list) or not value:
        return None
    columns = tuple(one for one in value if type(one) is int and 1 <= one <= 100)
    return columns if len(columns) == len(value) else None


def _cents(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    if isinstance(value, Decimal) and not value.is_finite():
        return None
    if not 0 <= value <= MOST_DOLLARS:
        return None
    if isinstance(value, int):
        return value * 100
    # Below the limit this is exact: quantize keeps two places, and the comparison sees every digit.
    rounded = value.quantize(Decimal("0.01"))
    return int(rounded * 100) if rounded == value else None


def _cents_above_zero(value: object) -> int | None:
    return _cents(value) or None


def _percent(value: object) -> int | None:
    return value if type(value) is int and 1 <= value <= 100 else None


def _odds(value: object) -> Odds | None:
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    if isinstance(value, int):
        return Odds(value, 1) if 1 <= value <= MOST_ODDS else None
    written = re.fullmatch(r"([0-9]{1,7})(?:/([0-9]{1,7}))?", value)
    if written is None:
        return None
    num, den = int(written[1]), int(written[2] or 1)
    if not (1 <= num <= MOST_ODDS and 1 <= den <= MOST_ODDS):
        return None
    common = gcd(num, den)
    return Odds(num // common, den // common)


def _odds_or_push(value: object) -> Odds | None:
    return Odds(0, 1) if value == "push" else _odds(value)


def _returns_wager(value: object) -> bool | None:
    return {"to": True, "for": False}.get(value) if isinstance(value, str) else None


def _source(value: object) -> Literal["meter", "tray", "open"] | None:
    match value:
        case "meter" | "tray":
            return value
        case "tray or meter":
            return "open"
    return None


def _printed_percentage(value: object) -> str | None:
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,3}(\.[0-9]{1,9})?%", value):
        return value
    return None


def _printed(value: object) -> str | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int) and abs(value) < 10**15:
        return str(value)
    if isinstance(value, Decimal) and value.is_finite():
        return _words(str(value))
    return _words(value)


NAME = Form(_name, "a text of 1 to 64 printable characters without blanks around it")
NAMES = Form(_names, "a name, or a list of names")
WORDS = Form(_words, "a text of at most 200 printable characters")
FLAG = Form(_flag, "true or false")
TABLE = Form(_table, "a table")
ROWS = Form(_rows, "a table with at least one row")
COLUMNS = Form(_columns, "a list of whole numbers from 1 to 100")
MONEY = Form(_cents, f"dollars in whole cents, from 0 to {MOST_DOLLARS:,}")
MONEY_ABOVE_ZERO = Form(_cents_above_zero, f"dollars in whole cents, above 0 and up to {MOST_DOLLARS:,}")
PERCENT = Form(_percent, "a whole number from 1 to 100")
ODDS = Form(_odds, f'an exact fraction above zero, such as 40, "40" or "3/2", of numbers up to {MOST_ODDS:,}')
ODDS_OR_PUSH = Form(_odds_or_push, f'{ODDS.must_be}, or "push"')
PAYS = Form(_returns_wager, '"to" (the wager is returned too) or "for" (it is not)')
FROM: Form[Literal["meter", "tray", "open"]] = Form(_source, '"meter", "tray" or "tray or meter"')
PRINTED_PERCENTAGE = Form(_printed_percentage, 'a percentage as printed, such as "3.37%"')
PRINTED = Form(_printed, "a text of at most 200 printable characters, or a number")


@dataclass(slots=True)
class Page:
    """One table of the file while it is read: hands out values, and notes what is wrong with them."""

    where: str
    raw: Mapping[str, object]
    defects: list[Defect] = field(default_factory=list)

    def note(self, what: str) -> None:
        self.defects.append(Defect(self.where, what))

    def fit(self, value: object, form: Form[Value], called: str) -> Value | None:
        fitted = form.parse(value)
        if fitted is None:
            self.note(f"{called} is {shown(value)}; it must be {form.must_be}")
        return fitted

    def take(self, key: str, form: Form[Value], required: bool = False) -> Value | None:
        if key in self.raw:
            return self.fit(self.raw[key], form, key)
        if required:
            self.note(f"{key} is missing; it must be {form.must_be}")
        return None

    def row(self, hand: str) -> Page:
        """The page of one row; its defects are this page's too."""
        return Page(f"{self.where}, row {hand}", {}, self.defects)


@dataclass(frozen=True, slots=True)
class Origin:
    """What every table of one file has in common."""

    source: str
    schemas: Sequence[Schema]
    approved: bool

    @property
    def games(self) -> list[str]:
        return list(dict.fromkeys(schema.game for schema in self.schemas))

    def wagers(self, game: str) -> list[str]:
        return [schema.wager for schema in self.schemas if schema.game == game]

    def schema(self, game: str, wager: str) -> Schema | None:
        return next((one for one in self.schemas if (one.game, one.wager) == (game, wager)), None)


Taken: TypeAlias = dict[tuple[str, str], dict[str, str]]
"""By game and wager: the ids and aliases that the file has used so far, and where their tables are."""


def read(text: str | bytes, source: str, schemas: Sequence[Schema], approved: bool) -> tuple[Book, tuple[Defect, ...]]:
    """The tables of a file that have no defect, and every defect of the others."""
    try:
        top = _toml(text)
    except (ValueError, RecursionError) as error:
        why = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        return Book(), (Defect(source, f"the file cannot be read as TOML: {why}"),)

    origin = Origin(source, schemas, approved)
    page = Page(source, top)
    page.defects.extend(unknown_keys(source, top, ("paytable", "designators")))
    taken: Taken = {}
    sound: list[Table] = []
    faulty: list[Table] = []
    for number, raw in _paytables(page):
        one = Page(f"paytable {number}", raw)
        table = _read_table(one, origin, taken)
        if table is not None:
            (faulty if one.defects else sound).append(table)
        page.defects.extend(one.defects)
    designators = _read_designators(page, origin, Book(tuple(sound)), Book(tuple(faulty)))
    return Book(tuple(sound), designators), tuple(page.defects)


def load_house_file(path: Path, schemas: Sequence[Schema]) -> Book:
    """The tables of a house's own file, none of them approved; a file with any defect is refused whole."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_CHARACTERS + 1)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise Refusal(str(path), f"the file cannot be opened: {why}") from error
    book, defects = read(content, path.name, schemas, approved=False)
    if defects:
        first = "; ".join(
            defect.what if defect.where == path.name else str(defect) for defect in defects[:DEFECTS_IN_A_REFUSAL]
        )
        more = len(defects) - DEFECTS_IN_A_REFUSAL
        raise Refusal(str(path), f"{first}; and {more} more" if more > 0 else first)
    return book


def load_approved(resources: Sequence[Traversable], schemas: Sequence[Schema]) -> Book:
    """The approved tables; they are shipped with the program, so a defect in one is a bug."""
    whole = Book()
    for resource in resources:
        book, defects = read(resource.read_bytes(), resource.name, schemas, approved=True)
        if defects:
            raise RuntimeError(f"{resource.name}: " + "; ".join(map(str, defects)))
        try:
            whole = whole.with_house_tables(book)
        except Refusal as refusal:
            raise RuntimeError(f"{resource.name}: {refusal}") from refusal
    return whole


def approved_files() -> tuple[Traversable, ...]:
    """The data files of this package, one for each family of games."""
    data = files("houseway.paytables").joinpath("data")
    return tuple(sorted((one for one in data.iterdir() if one.name.endswith(".toml")), key=lambda one: one.name))


def _toml(text: str | bytes) -> Mapping[str, object]:
    """The file as TOML, with exact numbers; ValueError or RecursionError where it is none."""
    if len(text) > MOST_CHARACTERS:
        raise ValueError(f"it is longer than {MOST_CHARACTERS:,} characters")
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise ValueError(f"it is not UTF-8 text (byte {error.start + 1})") from error
    for number, line in enumerate(text.split("\n"), start=1):
        if line.count(".") > MOST_DOTS_A_LINE:
            raise ValueError(f"line {number} holds more than {MOST_DOTS_A_LINE} dots")
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError:
        raise
    except (ValueError, ArithmeticError) as error:
        raise ValueError("it holds a number that is out of range") from error


def _paytables(page: Page) -> Iterator[tuple[int, Mapping[str, object]]]:
    entries = page.raw.get("paytable")
    if not isinstance(entries, list) or not entries:
        page.note("paytable must be a list of at least one table, each written under [[paytable]]")
        return
    for number, entry in enumerate(entries, start=1):
        table = page.fit(entry, TABLE, f"paytable {number}")
        if table is not None:
            yield number, table


def _read_table(page: Page, origin: Origin, taken: Taken) -> Table | None:
    """The table as far as it can be read, or None where nobody can say what it should hold."""
    game, wager = page.take("game", NAME, required=True), page.take("wager", NAME, required=True)
    name = page.take("id", NAME, required=True)
    schema = _schema(page, origin, game, wager)
    if schema is not None and name is not None:
        page.where = f"{schema.game} {schema.wager} {name}"
    aliases = page.take("alias", NAMES) or ()
    by = page.take("by", WORDS) or ""
    printed = _read_printed(page)
    rows = page.take("rows", ROWS, required=True) or {}
    if schema is None:
        every_key = dict.fromkeys(key for keys in KEYS_OF_KIND.values() for key in keys)
        page.defects.extend(unknown_keys(page.where, page.raw, every_key))
        return None

    identity = Identity(schema, name or "", aliases, by, printed, origin)
    earlier = taken.setdefault((schema.game, schema.wager), {})
    table: Table
    if schema.kind == "progressive":
        table = _read_progressive(page, identity, rows)
        page.defects.extend(defects_of_progressive(Draft(page.where, schema, page.raw, table, earlier)))
    else:
        table = _read_odds(page, identity, rows)
        page.defects.extend(defects_of_odds(Draft(page.where, schema, page.raw, table, earlier)))
    for known in (table.id, *aliases):
        if known:
            earlier.setdefault(known, page.where)
    return table


def _schema(page: Page, origin: Origin, game: str | None, wager: str | None) -> Schema | None:
    if game is None:
        return None
    if game not in origin.games:
        page.note(f"unknown game {shown(game)}; known are {listed(origin.games)}")
        return None
    if wager is None:
        return None
    schema = origin.schema(game, wager)
    if schema is None:
        page.note(f"unknown wager {shown(wager)}; known for {game} are {listed(origin.wagers(game))}")
    return schema


@dataclass(frozen=True, slots=True)
class Identity:
    """What a table of either kind is told about itself."""

    schema: Schema
    id: str
    aliases: tuple[str, ...]
    by: str
    printed: Mapping[str, str]
    origin: Origin


def _read_printed(page: Page) -> dict[str, str]:
    printed: dict[str, str] = {}
    for key, value in (page.take("printed", TABLE) or {}).items():
        form = PRINTED_PERCENTAGE if key in ("house_edge", "hit_frequency") else PRINTED
        name, words = page.fit(key, NAME, "a key of printed"), page.fit(value, form, f"printed {shown(key)}")
        if name is not None and words is not None:
            printed[name] = words
    return printed


def _read_odds(page: Page, identity: Identity, rows: Mapping[str, object]) -> PayTable:
    schema = identity.schema
    columns = schema.columns
    if schema.kind == "columns":
        columns = page.take("by_hands_in_round", COLUMNS, required=True) or columns
    known = ((hand, raw) for hand, raw in rows.items() if hand in schema.hands)
    read_rows = (_read_odds_row(page.row(hand), schema, hand, raw, columns) for hand, raw in known)
    return PayTable(
        game=schema.game,
        wager=schema.wager,
        id=identity.id,
        aliases=identity.aliases,
        returns_wager=page.take("pays", PAYS, required=True),
        columns=columns,
        by=identity.by,
        rows=tuple(row for row in read_rows if row is not None),
        envy_cents=_read_flat_envy(page, schema),
        envy_minimum_cents=page.take("envy_minimum_wager", MONEY_ABOVE_ZERO) or 0,
        printed=identity.printed,
        approved=identity.origin.approved,
        source=identity.origin.source,
    )


def _read_odds_row(page: Page, schema: Schema, hand: str, raw: object, columns: tuple[int, ...]) -> OddsRow | None:
    form = ODDS_OR_PUSH if schema.pushes else ODDS
    if not columns:
        odds = page.fit(raw, form, "the pay")
        return None if odds is None else OddsRow(hand, (odds,))
    if not isinstance(raw, list) or len(raw) != len(columns):
        has = f"{len(raw)}" if isinstance(raw, list) else "none"
        page.note(f"a list of {len(columns)} pays is needed, one for each of {listed(columns)} hands; it has {has}")
        return None
    entries = [
        page.fit(entry, form, f"the pay with {column} hands") for column, entry in zip(columns, raw, strict=True)
    ]
    every = tuple(odds for odds in entries if odds is not None)
    return OddsRow(hand, every) if len(every) == len(columns) else None


def _read_flat_envy(page: Page, schema: Schema) -> dict[str, int]:
    envy: dict[str, int] = {}
    for hand, raw in (page.take("envy", TABLE) or {}).items():
        cents = page.row(hand).fit(raw, MONEY, "envy") if hand in schema.hands else None
        if cents is not None:
            envy[hand] = cents
    return envy


def _read_progressive(page: Page, identity: Identity, rows: Mapping[str, object]) -> ProgressiveTable:
    schema = identity.schema
    known = ((hand, raw) for hand, raw in rows.items() if hand in schema.hands)
    read_rows = (_read_progressive_row(page.row(hand), hand, raw) for hand, raw in known)
    return ProgressiveTable(
        game=schema.game,
        wager=schema.wager,
        id=identity.id,
        aliases=identity.aliases,
        printed=identity.printed,
        approved=identity.origin.approved,
        source=identity.origin.source,
        stated_wager_cents=page.take("stated_wager", MONEY_ABOVE_ZERO),
        figures_wager_cents=page.take("figures_for_wager", MONEY_ABOVE_ZERO),
        seed_cents=page.take("seed", MONEY),
        multi_game=page.take("multi_game", FLAG) or False,
        rows=tuple(row for row in read_rows if row is not None),
        by=identity.by,
    )


def _read_progressive_row(row: Page, hand: str, raw: object) -> ProgressiveRow | None:
    fields = row.fit(raw, TABLE, "the row")
    if fields is None:
        return None
    row.raw, defects_before = fields, len(row.defects)
    row.defects.extend(unknown_keys(row.where, fields, ROW_KEYS))
    awards = [key for key in ("percent", "fixed", "for_one") if key in fields]
    if len(awards) != 1:
        row.note(f"exactly one of percent, fixed and for_one is needed; it has {' and '.join(awards) or 'none'}")
    percent, fixed_cents = row.take("percent", PERCENT), row.take("fixed", MONEY_ABOVE_ZERO)
    for_one, envy_cents = row.take("for_one", ODDS), row.take("envy", MONEY) or 0
    meter = row.take("meter", NAME)
    source: Literal["meter", "tray", "open"] | None = row.take(
        "from", FROM, required=bool(awards) and "percent" not in awards
    )
    if awards == ["percent"] and "from" in fields:
        row.note("from is given, but a percentage always comes from its meter; leave from out")
    if awards and "percent" not in awards and "meter" in fields:
        row.note("meter is given, but only a percentage names its meter; leave meter out")
    if percent is not None:
        meter, source = meter or "main", "meter"
    if source is None or len(row.defects) > defects_before:
        return None
    return ProgressiveRow(hand, percent, meter, fixed_cents, for_one, source, envy_cents)


def _read_designators(page: Page, origin: Origin, sound: Book, faulty: Book) -> tuple[Designator, ...]:
    """The designators whose tables are all sound; one that names a faulty table is not blamed for it."""
    designators: list[Designator] = []
    for game, entries in (page.take("designators", TABLE) or {}).items():
        if game not in origin.games:
            page.note(f"designators names an unknown game {shown(game)}; known are {listed(origin.games)}")
            continue
        for name, raw in (page.fit(entries, TABLE, f"designators.{game}") or {}).items():
            one = Page(f"designators {game} {_name(name) or shown(name)}", {}, page.defects)
            tables = _read_designator(one, origin, game, raw, (sound, faulty))
            if one.fit(name, NAME, "the designator") is not None and tables is not None:
                designators.append(Designator(game, name, tables))
    return tuple(designators)


def _read_designator(
    page: Page, origin: Origin, game: str, raw: object, books: tuple[Book, Book]
) -> dict[str, str] | None:
    sound, faulty = books
    tables: dict[str, str] = {}
    entries = page.fit(raw, ROWS, "the designator") or {}
    for wager, name in entries.items():
        if wager not in origin.wagers(game):
            page.note(f"unknown wager {shown(wager)}; known are {listed(origin.wagers(game))}")
        elif isinstance(name, str) and (table := sound.find((game,), wager, name)) is not None:
            tables[wager] = table.id
        elif not isinstance(name, str) or faulty.find((game,), wager, name) is None:
            known = listed(table.id for book in books for table in book.of((game,), wager))
            page.note(f"{wager} names an unknown table {shown(name)}; the file has {known}")
    return tables if entries and len(tables) == len(entries) else None
