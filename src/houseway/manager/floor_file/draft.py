"""The floor file as it is written: one model for each of its tables, strict about every key and value.

A key that must be there and is not, or that holds what it may not, becomes a defect and is left empty, so that the
checks after this can say what else is wrong. That is why needed keys, and entries that the writer names himself, may
also be None here: None is what was there and could not be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from datetime import date, datetime
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar, get_args, get_origin

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, create_model

from houseway.manager.server_settings import DECLARED, ServerSetting, count_reader, read_matching, read_text
from houseway.manager.transparency.checkpoint import MOST_WITNESSES, WitnessPolicy
from houseway.paytables import Defect
from houseway.paytables.checks import listed, shown
from houseway.table.equipment import VERSION, parse_version, register

MOST_DOLLARS: Final = 1_000_000_000
Weekday: TypeAlias = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
WEEKDAYS: Final[tuple[str, ...]] = get_args(Weekday)

MONEY: Final = 'dollars in quotes, such as "5.00" or "10,000", so that it is exact'
RATE: Final = 'a percentage in quotes with at most two decimals, from "0%" to "100%", such as "61%" or "0.25%"'
ID: Final = "a text of 1 to 32 letters, digits, dots, dashes and underscores"
NAME: Final = "a text of 1 to 64 printable characters without blanks around it"
WORDS: Final = "a text of at most 200 printable characters"
REFERENCE: Final = "a text of 1 to 200 printable characters, not blank"
DAY: Final = "a day without quotes, such as 2026-01-01"


def _dollars(value: object) -> int:
    """Dollars as written, in cents."""
    match = re.fullmatch(r"([0-9]{1,10}|[0-9]{1,3}(?:,[0-9]{3}){1,3})(?:\.([0-9]{2}))?", read_text(value))
    if match is None:
        raise ValueError("no dollars")
    cents = int(match[1].replace(",", "")) * 100 + int(match[2] or 0)
    if cents > MOST_DOLLARS * 100:
        raise ValueError("too much")
    return cents


def _rate(value: object) -> int:
    """A percentage as written, in hundredths of a percent."""
    match = re.fullmatch(r"([0-9]{1,3})(?:\.([0-9]{1,2}))?%", read_text(value))
    if match is None:
        raise ValueError("no percentage")
    rate = int(match[1]) * 100 + int((match[2] or "").ljust(2, "0"))
    if rate > 100 * 100:
        raise ValueError("more than everything")
    return rate


def _id(value: object) -> str:
    return read_matching(value, r"[A-Za-z0-9._-]{1,32}")


def _name(value: object) -> str:
    text = read_text(value)
    if not 1 <= len(text) <= 64 or not text.isprintable() or text != text.strip():
        raise ValueError("no name")
    return text


def _words(value: object) -> str:
    text = read_text(value)
    if len(text) > 200 or not text.isprintable():
        raise ValueError("no words")
    return text


def _reference(value: object) -> str:
    text = _words(value)
    if not text.strip():
        raise ValueError("blank")
    return text


def _equipment_kind(value: object) -> str:
    text = read_text(value)
    if text not in register().kinds:
        raise ValueError("no kind")
    return text


def _version(value: object) -> str:
    parse_version(read_text(value))
    return read_text(value)


def _clock(value: object) -> str:
    return read_matching(value, r"(?:[01][0-9]|2[0-3]):[0-5][0-9]")


def _currency(value: object) -> str:
    return read_matching(value, r"[A-Z]{3}")


def _day(value: object) -> date:
    # A date with a time is a date to Python, and none to us.
    if not isinstance(value, date) or isinstance(value, datetime):
        raise ValueError("no day")
    return value


def _days(value: object) -> list[date]:
    if not isinstance(value, list) or not value:
        raise ValueError("no days")
    return [_day(item) for item in value]


def _witnesses(value: object) -> list[str]:
    if not isinstance(value, list) or not 1 <= len(value) <= MOST_WITNESSES:
        raise ValueError("no list of keys")
    return [witness.text for witness in WitnessPolicy.read("keys", map(read_text, value)).witnesses]


Money: TypeAlias = Annotated[int, BeforeValidator(_dollars)]
Rate: TypeAlias = Annotated[int, BeforeValidator(_rate)]
Id: TypeAlias = Annotated[str, BeforeValidator(_id)]
Name: TypeAlias = Annotated[str, BeforeValidator(_name)]
Words: TypeAlias = Annotated[str, BeforeValidator(_words)]
Reference: TypeAlias = Annotated[str, BeforeValidator(_reference)]
Clock: TypeAlias = Annotated[str, BeforeValidator(_clock)]
Currency: TypeAlias = Annotated[str, BeforeValidator(_currency)]
Day: TypeAlias = Annotated[date, BeforeValidator(_day)]


class Part(BaseModel):
    """A table of the file. The description of a field says what may stand there."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class SitePart(Part):
    """``[site]``"""

    name: Words | None = Field(description=WORDS)
    jurisdiction: Words | None = Field(description='the name of the state or tribe, such as "Washington"')
    kind: Literal["commercial", "tribal"] = Field("commercial", description='"commercial" or "tribal"')
    time_zone: Name | None = Field(description='a time zone by its IANA name, such as "America/Los_Angeles"')
    day_starts: Clock = Field("06:00", description='a time of day in quotes from "00:00" to "23:59", such as "06:00"')
    week_starts: Weekday = Field("monday", description='a day of the week in small letters, such as "monday"')
    currency: Currency = Field("USD", description='the three capital letters of a currency, such as "USD"')


class AmountPart(Part):
    """An amount from a day on."""

    since: Day | None = Field(description=DAY)
    amount: Money | None = Field(description=MONEY)
    reference: Words = Field("", description=WORDS)


class SeparateGamesPart(Part):
    """How many separate games one hand may carry, from a day on."""

    since: Day | None = Field(description=DAY)
    games: Annotated[int, BeforeValidator(count_reader(1, 20))] | None = Field(
        description="a whole number from 1 to 20"
    )
    not_counted: list[Words] = Field([], description="a list of wagers")
    reference: Words = Field("", description=WORDS)


class PolicyPart(Part):
    """``[policies]``"""

    washington: bool = Field(False, description="true or false")
    executive_from: Money = Field(1_000_000, description=MONEY)
    surveillance_over: Money = Field(300_000, description=MONEY)
    tax_forms: list[AmountPart] = Field([], description="a list of days and amounts")
    tax_multiple: Annotated[int, BeforeValidator(count_reader(0, 1_000_000))] = Field(
        300, description="a whole number from 0 to 1,000,000"
    )
    failures_before_lockout: Annotated[int, BeforeValidator(count_reader(1, 100))] = Field(
        5, description="a whole number from 1 to 100"
    )
    lockout_minutes: Annotated[int, BeforeValidator(count_reader(1, 10_080))] = Field(
        15, description="a whole number from 1 to 10,080, which is a week"
    )
    seconding_wait_hours: Annotated[int, BeforeValidator(count_reader(1, 720))] = Field(
        24, description="a whole number from 1 to 720, which is a month"
    )
    authorised_limits: list[AmountPart] = Field([], description="a list of days and amounts")
    separate_games: list[SeparateGamesPart] = Field([], description="a list of days, numbers and references")
    advice: bool = Field(False, description="true or false")


class LimitPart(Part):
    """The posted limits of one wager."""

    min: Money | None = Field(description=MONEY)
    max: Money | None = Field(description=MONEY)
    aggregate: list[AmountPart] = Field([], description="a list of days and amounts")


class TablePart(Part):
    """``[[tables]]``"""

    id: Id | None = Field(description=ID)
    game: Name | None = Field(description='the key of a game in quotes, such as "caribbean-stud"')
    console: Literal["keypad", "touch"] | None = Field(description='"keypad" or "touch"')
    spots: Annotated[int, BeforeValidator(count_reader(1, 100))] | None = Field(description="a whole number, 1 or more")
    kind: Literal["progressive", "cards", "virtual"] = Field(
        "progressive", description='"progressive", "cards" or "virtual"'
    )
    dealing: Name | None = Field(
        None, description='the mode of its shuffler in quotes, such as "caribbean-stud", or "hand"'
    )
    pay_tables: dict[str, Name | None] = Field(
        {}, description="names of pay tables in quotes, by wager or as designator"
    )
    options: dict[str, Any] = Field({}, description="a table of house options, by name")
    limits: dict[str, LimitPart | None] = Field({}, description='{ min = "5.00", max = "100.00" } for each wager')
    award_order_reference: Words = Field("", description=WORDS)


class MeterPart(Part):
    """What one meter of a link is set to."""

    contribution: Rate | None = Field(description=RATE)
    reserve: Rate = Field(0, description=RATE)
    seed: Money | None = Field(None, description=MONEY)
    maximum: Money | None = Field(None, description=MONEY)


class LinkPart(Part):
    """``[[links]]``"""

    id: Id | None = Field(description=ID)
    name: Words | None = Field(None, description=WORDS)
    tables: list[Id] | None = Field(description="a list of the ids of tables")
    pay_table: Name | None = Field(description="the id or alias of a progressive pay table in quotes")
    wager: Money | None = Field(description=MONEY)
    fixed_from: Name = Field("as_marked", description='"as_marked", "tray", "meter" or "meter:NAME"')
    meters: dict[str, MeterPart | None] | None = Field(
        description='{ contribution = "14%", reserve = "1%", seed = "1,000.00" } for each meter of the pay table'
    )
    reference: Words = Field("", description=WORDS)


class EquipmentPart(Part):
    """``[[equipment]]``"""

    id: Id | None = Field(description=ID)
    kind: Annotated[str, BeforeValidator(_equipment_kind)] | None = Field(
        description='a kind of equipment that houseway equipment lists, in quotes, such as "i-deal-plus"'
    )
    version: Annotated[str, BeforeValidator(_version)] | None = Field(None, description=VERSION)
    tables: list[Id] = Field([], description="a list of the ids of tables")
    backup: bool = Field(False, description="true or false")
    intelligence: bool | None = Field(None, description="true or false")
    network: bool | None = Field(None, description="true or false")
    model: Name | None = Field(None, description='what the machine is called in quotes, such as "Acme Shuffle 5"')
    modes: list[Id] = Field([], description="a list of shuffler modes in quotes")
    reference: Reference | None = Field(None, description=REFERENCE)


class ItemPart(Part):
    """One item of a checklist."""

    date: Day | None = Field(description=DAY)
    reference: Reference | None = Field(description=REFERENCE)
    sold: Day | None = Field(None, description=DAY)
    by: Name | None = Field(None, description="the name of a person in quotes")


class ApprovalPart(Part):
    """``[[approvals]]``"""

    game: Name | None = Field(description='the key of a game in quotes, such as "caribbean-stud"')
    submission: Annotated[int, BeforeValidator(count_reader(1, 999_999))] | None = Field(
        description="the number of a letter, such as 3119"
    )
    rules: Annotated[list[date], BeforeValidator(_days)] | None = Field(
        description="a list of days without quotes, such as [2023-05-05, 2023-06-05]"
    )
    equipment: list[Name] = Field(
        [], description='a list of kinds of equipment in quotes, such as ["vips"]; for a game from public rules'
    )
    demonstration: bool = Field(False, description="true or false")
    items: dict[str, ItemPart | None] = Field(
        {}, description='{ date = 2026-01-01, reference = "…" } for each item of the checklist'
    )


class WitnessesPart(Part):
    """``[witnesses]``"""

    keys: Annotated[list[str], BeforeValidator(_witnesses)] | None = Field(
        description="a list of 1 to 16 keys in quotes, each once, as houseway witness new-key shows them"
    )
    quorum: Annotated[int, BeforeValidator(count_reader(0, MOST_WITNESSES))] | None = Field(
        description="a whole number from 0 to the number of keys"
    )


def _server_field(setting: ServerSetting) -> Any:
    return Annotated[Any, BeforeValidator(setting.read)] | None, Field(None, description=setting.allowed)


ServerPart: Final[type[Part]] = create_model(
    "ServerPart",
    __base__=Part,
    __doc__="``[server]``: how the floor is served. No part of the floor itself; what is not set here is None.",
    **{name: _server_field(setting) for name, setting in DECLARED.items()},
)


class FilePart(Part):
    """The whole file, whose tables, links and registers are read one by one."""

    site: dict[str, Any] | None = Field(description="a table, written under [site]")
    policies: dict[str, Any] = Field({}, description="a table, written under [policies]")
    tables: list[Any] | None = Field(
        min_length=1, description="a list of at least one table, each table written under [[tables]]"
    )
    links: list[Any] = Field([], description="a list, each link written under [[links]]")
    equipment: list[Any] = Field([], description="a list, each machine written under [[equipment]]")
    approvals: list[Any] = Field([], description="a list, each checklist written under [[approvals]]")
    witnesses: dict[str, Any] | None = Field(None, description="a table, written under [witnesses]")
    server: dict[str, Any] = Field({}, description="a table, written under [server]")
    paytable_files: list[Name] = Field([], description="a list of file names in quotes, relative to the floor file")


PARTS: Final = (
    *(FilePart, SitePart, PolicyPart, AmountPart, TablePart, LimitPart, LinkPart, MeterPart),
    *(EquipmentPart, ApprovalPart, ItemPart, WitnessesPart),
)
"""Every kind of table that describes the floor; `[server]` stands on a page of its own, docs/server.md."""

Drafted = TypeVar("Drafted", bound=Part)
Loc: TypeAlias = tuple[int | str, ...]


def drafted(model: type[Drafted], raw: object, where: str, defects: list[Defect]) -> Drafted | None:
    """The part as far as it can be read, its defects noted; None where it is no table at all."""
    if not isinstance(raw, dict):
        defects.append(Defect(where, f"is {shown(raw)}; it must be a table of keys and values"))
        return None
    try:
        return model.model_validate(raw)
    except ValidationError as invalid:
        errors = invalid.errors(include_url=False, include_context=False)
    defects += [Defect(where, _sentence(model, error["type"], error["loc"], error["input"])) for error in errors]
    mended = deepcopy(raw)
    for error in reversed(errors):
        _leave_empty(mended, error["loc"], known=error["type"] != "extra_forbidden")
    try:
        return model.model_validate(mended)
    except ValidationError as invalid:
        # What may not be empty has a default.
        for error in invalid.errors(include_url=False):
            _leave_empty(mended, error["loc"], known=False)
    return model.model_validate(mended)


def read_server(raw: Mapping[str, Any]) -> tuple[dict[str, Any], list[Defect]]:
    """What is set of a server, and what is wrong with it."""
    defects: list[Defect] = []
    part = drafted(ServerPart, dict(raw), "server", defects)
    return part.model_dump(exclude_none=True) if part is not None else {}, defects


def _leave_empty(tree: Any, loc: Loc, *, known: bool) -> None:
    """Take a value out of the file: a key that is known stays and is empty."""
    parent, last = _parent(tree, loc), loc[-1]
    if isinstance(parent, dict) and known:
        parent[last] = None
    elif isinstance(parent, dict):
        parent.pop(last, None)
    elif isinstance(parent, list) and isinstance(last, int) and last < len(parent):
        del parent[last]


def _parent(tree: Any, loc: Loc) -> Any:
    for step in loc[:-1]:
        try:
            tree = tree[step]
        except (KeyError, IndexError, TypeError):
            return None
    return tree


def _sentence(model: type[Part], kind: str, loc: Loc, value: object) -> str:
    """What is wrong with one value, and what is allowed."""
    path = ".".join(str(step) if isinstance(step, str) else str(step + 1) for step in loc)
    path = path if path.isprintable() and len(path) <= 100 else ascii(path[:100])[1:-1]
    owner, words, entry_of = _described(model, loc)
    if kind == "extra_forbidden":
        return f"unknown key {shown(str(loc[-1]))}{_under(loc)}; allowed are {listed(owner.model_fields)}"
    if kind == "missing":
        return f"{path} is missing; it must be {words}"
    return f"{path} is {shown(value)}; {entry_of or 'it'} must be {words}"


def _under(loc: Loc) -> str:
    above = [str(step) for step in loc[:-1]]
    return f" under {shown('.'.join(above))}" if above else ""


def _described(model: type[Part], loc: Loc) -> tuple[type[Part], str, str]:
    """The part that a place belongs to, what may stand there, and the key it is an entry of, where it is an entry."""
    words = key = ""
    chosen = False
    for step in loc:
        # Below a table whose keys the writer chooses, such as wagers, the next step is his and no key of ours.
        field = model.model_fields.get(step) if isinstance(step, str) and not chosen else None
        if field is not None:
            words, key = field.description or "", str(step)
            model = next(_parts_in(field.annotation), model)
        chosen = field is not None and _keys_are_free(field.annotation)
    return model, words, "" if loc[-1] == key else key


def _keys_are_free(annotation: Any) -> bool:
    return get_origin(annotation) is dict or any(get_origin(argument) is dict for argument in get_args(annotation))


def _parts_in(annotation: Any) -> Iterator[type[Part]]:
    if isinstance(annotation, type) and issubclass(annotation, Part):
        yield annotation
    for argument in get_args(annotation):
        yield from _parts_in(argument)


def keys() -> Mapping[str, tuple[str, ...]]:
    """Every key that a floor file may hold, by the kind of table it stands in; the documentation explains each."""
    return {part.__name__: tuple(part.model_fields) for part in PARTS}
