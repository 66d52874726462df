"""What a screen asks before somebody presses: would this be refused, and what is each choice worth."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from houseway.api.route import Chapter

seat = Chapter("tables")


class TryBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An order that is not given yet."""

    type: str
    """Its name, such as ``act``."""
    order: dict[str, Any] = {}
    """What its address would be sent."""


class Tried(Struct, frozen=True, kw_only=True):
    """Whether an order would be carried out now."""

    ok: bool
    field: str = ""
    sentence: str = ""
    """Why not."""


class AdviceQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    spot: int


class ChoiceWorth(Struct, frozen=True, kw_only=True):
    """What one choice is worth on average, against all cards the player cannot see."""

    action: str
    """The choice, as an `ActionOffer` names it."""
    card: str
    """The card that it names, where it sets a hand."""
    extra: bool
    """Whether its optional wager is made."""
    words: str
    exact: str
    """Per unit of the first wager of the base game, as an exact fraction."""
    value: float
    best: bool
    notes: tuple[str, ...]


class AdviceDoc(Struct, frozen=True, kw_only=True):
    spot: int
    choices: tuple[ChoiceWorth, ...]


ADVICE = seat.get(
    "advice",
    "/tables/{table}/advice",
    "Say what each choice of your own hand is worth, where the floor allows advice.",
    may="table",
    answer=AdviceDoc,
    query=AdviceQuery,
)
TRY_ORDER = seat.post(
    "try_order",
    "/tables/{table}/try",
    "Say whether an order would be refused now; nothing comes of asking.",
    may="table",
    body=TryBody,
    answer=Tried,
)
