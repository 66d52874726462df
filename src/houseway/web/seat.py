"""What a screen asks before somebody presses: would this be refused, and what is each choice worth."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final, get_args

import msgspec
from msgspec import Struct

from houseway.cards import text_of
from houseway.client.strategy import advised_action
from houseway.games import all_games
from houseway.games.model import Decide
from houseway.manager.commands import Order, PlainCommand
from houseway.proof.advise import Choice, choices
from houseway.table.card_round.cards import opened
from houseway.table.card_round.decide import Felt
from houseway.table.card_round.state import Hand
from houseway.table.card_round.streets import point_of
from houseway.table.card_round.view import is_own
from houseway.table.progressive_round.commands import TableCommand
from houseway.table.progressive_round.decide import Context
from houseway.table.state import TableState
from houseway.web.orders import body_of
from houseway.web.problem import Problem
from houseway.web.routes import Ask, Route, Routes, decoded

_BODIES: Final[dict[str, Any]] = {
    str(command.__struct_config__.tag): command
    for command in get_args(PlainCommand)
    if issubclass(command, TableCommand)
}

seat = Routes("tables")


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


def try_order(ask: Ask) -> Tried:
    """Say whether an order would be refused now; nothing comes of asking."""
    command = _BODIES.get(ask.body.type)
    if command is None:
        raise Problem(422, "invalid", f"{ask.body.type[:40]!r} is no order of a table", "type")
    if ask.body.type == "act" and ask.who.kind != "player":
        raise Problem(403, "not-allowed", "what a hand may choose is for its player to ask", "type")
    body = decoded(msgspec.json.encode(ask.body.order), msgspec.json.Decoder(body_of(command)))
    values = {one.name: getattr(body, one.name) for one in msgspec.structs.fields(type(body))}
    made = command(table=ask.path["table"], **values)
    refusal = ask.site.floor.would_refuse(Order(id="asked", by=ask.who.id, command=made))
    return Tried(ok=True) if refusal is None else Tried(ok=False, field=refusal.field, sentence=refusal.sentence)


@seat.get("/tables/{table}/advice", may="table", answer=AdviceDoc, query=AdviceQuery, slow=True)
def advice(ask: Ask) -> AdviceDoc:
    """Say what each choice of your own hand is worth, where the floor allows advice."""
    state, name, spot = ask.site.state, ask.path["table"], ask.query.spot
    table = state.tables.get(name)
    if table is None or table.config.kind != "virtual" or not state.policies.advice:
        raise Problem(409, "refused", f"no advice is given at {name!r}; the floor allows it at virtual tables", "table")
    hand = table.round.play.hands.get(spot)
    if hand is None or not _is_own(ask, table, hand):
        raise Problem(403, "not-allowed", "advice is for the player of the hand", "spot")
    game = all_games()[table.config.game]
    point = point_of(game, table.round.play, hand) if table.round.play.dealt else None
    if point is None:
        raise Problem(409, "refused", "advice is given while the hand is to be decided", "spot")
    play = opened(table, ask.site.floor.shoe).round.play
    wager = game.base_table
    known = {option.name for option in game.options}
    worth = choices(
        game,
        play.hands[spot].cards,
        play.face_up[0] if play.face_up else None,
        board=[card for _, card in sorted(play.board_up.items())],
        table=table.config.tables[wager].id if wager in table.config.tables else None,
        options={key: value for key, value in table.config.options.items() if key in known},
    )
    best = worth.choices[0].value
    return AdviceDoc(spot=spot, choices=tuple(_worth(point, choice, best) for choice in worth.choices))


def _worth(point: Decide, choice: Choice, best: Fraction) -> ChoiceWorth:
    action = advised_action(point, choice.what)
    return ChoiceWorth(
        action=action.name,
        card="" if action.card is None else text_of((action.card,)),
        extra=action.cents > 0,
        words=choice.what,
        exact=str(choice.value),
        value=round(float(choice.value), 6),
        best=choice.value == best,
        notes=choice.notes,
    )


def _is_own(ask: Ask, table: TableState, hand: Hand) -> bool:
    """TR-8: whether a hand is that of the player who asks, by admission and not by name."""
    state = ask.site.state
    felt = Felt(table, None, Context(state.seq, 0, ask.who.id, "", state.day, state.policies), None)
    return is_own(felt, ask.who.who, hand)


def seat_routes() -> list[Route]:
    """What is asked before pressing."""
    trying = Route(
        method="POST",
        path="/tables/{table}/try",
        name="try_order",
        tag="tables",
        says=" ".join((try_order.__doc__ or "").split()),
        may="table",
        handler=try_order,
        body=TryBody,
        answer=Tried,
        slow=True,
    )
    return [trying, *seat.all]
