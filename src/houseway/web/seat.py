"""What a screen asks before somebody presses: would this be refused, and what is each choice worth."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final, get_args

import msgspec

from houseway.api import seat as api_seat
from houseway.api.orders import body_of
from houseway.api.seat import AdviceDoc, ChoiceWorth, Tried
from houseway.cards import text_of
from houseway.games import all_games
from houseway.games.model import Decide
from houseway.manager.commands import Order, PlainCommand
from houseway.proof.advise import Choice, advised_action, choices
from houseway.table.card_round.cards import opened
from houseway.table.card_round.decide import Felt
from houseway.table.card_round.state import Hand
from houseway.table.card_round.streets import point_of
from houseway.table.card_round.view import is_own
from houseway.table.progressive_round.commands import TableCommand
from houseway.table.progressive_round.decide import Context
from houseway.table.state import TableState
from houseway.web.problem import Problem
from houseway.web.routes import Ask, Handlers, decoded

_BODIES: Final[dict[str, Any]] = {
    str(command.__struct_config__.tag): command
    for command in get_args(PlainCommand)
    if issubclass(command, TableCommand)
}

seat = Handlers()


@seat.answers(api_seat.TRY_ORDER, slow=True)
def try_order(ask: Ask) -> Tried:
    command = _BODIES.get(ask.body.type)
    if command is None:
        raise Problem(422, "invalid", f"{ask.body.type[:40]!r} is no order of a table", "type")
    if ask.body.type == "act" and ask.who.kind != "player":
        raise Problem(403, "not-allowed", "what a hand may choose is for its player to ask", "type")
    body = decoded(msgspec.json.encode(ask.body.order), msgspec.json.Decoder(body_of(command)))
    values = {field.name: getattr(body, field.name) for field in msgspec.structs.fields(type(body))}
    order = command(table=ask.path["table"], **values)
    refusal = ask.site.floor.would_refuse(Order(id="asked", by=ask.who.id, command=order))
    return Tried(ok=True) if refusal is None else Tried(ok=False, field=refusal.field, sentence=refusal.sentence)


@seat.answers(api_seat.ADVICE, slow=True)
def advice(ask: Ask) -> AdviceDoc:
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
