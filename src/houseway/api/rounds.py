"""The rounds of a table, and the record of each that is over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, Union, get_type_hints

import msgspec
from msgspec import Struct

from houseway.api.paging import Limit, WalkQuery
from houseway.api.route import JSON, TEXT, Chapter
from houseway.cards import Card
from houseway.table.notation import steps as step

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


def _shown_type(kind: Any) -> Any:
    """A field of a step as it leaves the house: cards are text, as in the views."""
    plain = {Card: str, tuple[Card, ...]: str, Card | None: str | None}
    return plain.get(kind, kind)


def _shown_default(default: Any) -> Any:
    """No cards are no text."""
    return "" if default == () else default


def _step_struct(kind: type[step.Step]) -> type[Struct]:
    hints = get_type_hints(kind, vars(step))
    fields: list[Any] = [
        (part.name, _shown_type(hints[part.name]), *(() if part.required else (_shown_default(part.default),)))
        for part in msgspec.structs.fields(kind)
    ]
    return msgspec.defstruct(
        f"Step{kind.__name__}",
        fields,
        frozen=True,
        kw_only=True,
        tag=_snake(kind.__name__),
        namespace={"__doc__": kind.__doc__ if kind.__doc__ and "(" not in kind.__doc__[:40] else None},
    )


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


STEPS: Final = {kind: _step_struct(kind) for kind in step.FORMS}


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
