"""The rounds of a table, and the record of each that is over."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, Literal, Union

import msgspec
from msgspec import Struct

from houseway.api.paging import Limit, WalkQuery
from houseway.api.route import JSON, TEXT, Chapter
from houseway.table.event import Event
from houseway.table.notation.form import blank_of, forms

rounds = Chapter("rounds")


class RoundLine(Struct, frozen=True, kw_only=True):
    """A round of a table at a glance."""

    round: int
    state: Literal["open", "closed", "void"]
    day: str
    """The gaming day of its first entry."""
    began: int
    ended: int
    """0 while it is open."""
    first_entry: int
    last_entry: int


class Rounds(Struct, frozen=True, kw_only=True):
    table: str
    items: tuple[RoundLine, ...]
    next: str | None


class Pays(Struct, frozen=True, kw_only=True):
    """Which pay table a wager was settled by."""

    table: str
    digest: str


class RoundDeck(Struct, frozen=True, kw_only=True):
    """TR-11: everything that the deck of a round is computed from, and the deck; docs/deck.md says how."""

    table: str
    round: int
    game: str
    commitment: str
    """Of the house's seed, published before the first wager."""
    seed: str
    """The house's seed, opened at the end: 64 hexadecimal digits."""
    player_seeds: dict[int, str]
    """What players added, by spot."""
    house_only: tuple[int, ...]
    """The spots of the round that added nothing."""
    cards: int
    """How many cards the deck of the game has."""
    order: str
    """The whole deck, the top card first; empty where the round was void before it was shuffled."""
    start: int
    positions: int
    """Where the game draws a start position: which, and among how many; 0 elsewhere."""
    stacked: bool
    """Whether cards were chosen, as on a demonstration floor."""


def step_field(kind: type[Event], path: str, codec: str) -> tuple[Any, ...]:
    """A field of a step as it leaves the house: cards are text, as in the views, and amounts are cents."""
    name = path.rpartition(".")[2]
    match codec:
        case "cards" | "card":
            return name, str, ""
        case "micros":
            return f"{name}_cents", int, 0
        case "chosen":
            return name, bool, False
        case "keys":
            return name, tuple[int, ...], ()
    holder: Any = kind
    for part in path.split("."):
        holder = next(field.type for field in msgspec.structs.fields(holder) if field.name == part)
    return name, holder, attrgetter(path)(blank_of(kind))


def _step_struct(kind: type[Event]) -> type[Struct]:
    return msgspec.defstruct(
        f"{kind.__name__}Step",
        [step_field(kind, *field)[: 2 if _always_told(kind, field[0]) else 3] for field in step_fields(kind).items()],
        frozen=True,
        kw_only=True,
        tag=str(kind.__struct_config__.tag),
        namespace={"__doc__": kind.__doc__},
    )


def step_fields(kind: type[Event]) -> dict[str, str]:
    """What the lines of an event tell, and how: the same at both consoles."""
    return {path: codec for form in forms("touch")[kind] for path, codec in form.fields.items()}


def _always_told(kind: type[Event], path: str) -> bool:
    return all(path in form.needs for form in forms("touch")[kind])


STEPS: Final = {kind: _step_struct(kind) for kind, of_kind in forms("touch").items() if of_kind}
if TYPE_CHECKING:
    AnyStep = Any
else:
    AnyStep = Union[tuple(STEPS.values())]  # noqa: UP007  made of a list


class RoundDoc(Struct, frozen=True, kw_only=True):
    """The record of a round that is over. Amounts are cents."""

    site: str
    currency: str
    table: str
    round: int
    day: str
    began: str
    """UTC, to the second."""
    game: str
    rules: str
    """The documents that the rules come from, and the digest of the rulebook."""
    console: str
    kind: str
    spots: int
    dealing: str
    options: dict[str, Any]
    """House options that differ from the game's defaults."""
    pays: dict[str, Pays]
    """By wager."""
    aggregate_cents: dict[str, int]
    """By wager: the aggregate payout limit of the day."""
    link: str
    fixed_from: str
    seed_cents: dict[str, int]
    """By meter."""
    voided: bool
    deck: RoundDeck | None
    """None where people dealt, and of rounds before the players added to their deck."""
    steps: tuple[AnyStep, ...]
    words: tuple[str, ...]
    """The round told step by step."""
    notation: str
    """The canonical text, which `houseway round check` settles again."""


class RoundsQuery(WalkQuery, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A page of a table's rounds."""

    limit: Limit = 50


ROUNDS_OF_TABLE = rounds.get(
    "rounds_of_table",
    "/tables/{table}/rounds",
    "The rounds of a table, those that are over and the present one.",
    may="rounds",
    answer=Rounds,
    query=RoundsQuery,
)
ROUND_TEXT = rounds.file(
    "round_text",
    "/tables/{table}/rounds/{round}.txt",
    "A round that is over, in its canonical text form.",
    may="rounds",
    media=TEXT,
)
ROUND_RECORD = rounds.get(
    "round_record",
    "/tables/{table}/rounds/{round}",
    "A round that is over: every step, in words, and in its canonical text form, which comes alone as text/plain.",
    may="rounds",
    answer=RoundDoc,
    media=(JSON, TEXT),
)
