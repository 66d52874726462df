"""Rounds that are over, over HTTP."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Any, Literal

from msgspec.structs import replace
from starlette.responses import Response

from houseway.api import rounds as api_rounds
from houseway.api.rounds import STEPS, Pays, RoundDeck, RoundDoc, RoundLine, Rounds, step_field, step_fields
from houseway.api.route import JSON, TEXT
from houseway.books.export import read_entry
from houseway.books.rounds import journalled
from houseway.cards import text_of
from houseway.manager.permissions import MAY_READ
from houseway.manager.state import FloorState
from houseway.manager.store.base import Row
from houseway.progressive.terms import cents_of
from houseway.table.card_round.agenda import has_positions
from houseway.table.card_round.events import DeckOpened, DeckShuffled, SeedCommitted, WagerPlaced
from houseway.table.event import Event
from houseway.table.notation import RoundRecord, in_words, write_round
from houseway.table.notation.deck import player_seeds_in
from houseway.table.notation.form import blank_of
from houseway.table.notation.record import known_game
from houseway.table.progressive_round import events as at_table
from houseway.web.listing import WITHHELD, media_for, number_in
from houseway.web.problem import Problem
from houseway.web.routes import Ask, Handlers, json_response
from houseway.web.who import Principal

rounds = Handlers()


def _last_round(state: FloorState, table: str) -> int:
    """The round that a table is in, or stopped at; refused where the floor never had it."""
    if table in state.tables:
        return state.tables[table].round.number
    if table in state.rounds:
        return state.rounds[table]
    raise Problem(404, "no-table", f"there is no table {table!r}; the floor has {', '.join(state.tables)}", "table")


@rounds.answers(api_rounds.ROUNDS_OF_TABLE, slow=True)
def rounds_of_table(ask: Ask) -> Rounds:
    table, query = ask.path["table"], ask.query
    last = _last_round(ask.site.state, table)
    after = int(query.after or 0)
    if query.order == "oldest":
        numbers = range(after + 1, last + 1)
    else:
        numbers = range(min(after - 1, last) if query.after else last, 0, -1)
    items: list[RoundLine] = []
    for number in numbers[: query.limit]:
        rows = ask.site.floor.store.round_entries(table, number)
        if rows:
            items.append(_round_line(number, rows))
    more = len(numbers) > query.limit
    return Rounds(table=table, items=tuple(items), next=str(numbers[query.limit - 1]) if more else None)


def _round_line(number: int, rows: Sequence[Row]) -> RoundLine:
    state: Literal["open", "closed", "void"] = "open"
    ended = 0
    for row in rows:
        for event in read_entry(row).events if '"round_' in row.body else ():
            if isinstance(event, at_table.RoundClosed | at_table.RoundVoided):
                state = "closed" if isinstance(event, at_table.RoundClosed) else "void"
                ended = row.at
    return RoundLine(
        round=number,
        state=state,
        day=rows[0].day,
        began=rows[0].at,
        ended=ended,
        first_entry=rows[0].seq,
        last_entry=rows[-1].seq,
    )


def _record(ask: Ask) -> RoundRecord:
    """The round that is asked for. One that is open is nobody's to read: its cards are in the views alone."""
    state, table, number = ask.site.state, ask.path["table"], number_in(ask, "round")
    last = _last_round(state, table)
    if not 0 < number <= last:
        raise Problem(404, "no-round", f"table {table} has the rounds 1 to {last}", "round")
    if table in state.tables and number == last:
        raise Problem(409, "open", "is not over; what you may see of it is in your view of the table", "round")
    store = ask.site.floor.store
    rows = store.round_entries(table, number)
    if not rows:
        raise Problem(404, "no-round", f"the journal has no round {number} of table {table}", "round")
    record = journalled(store, table, number, state.configured)
    if ask.who.kind == "player" and not played_in(rows, ask.who.guest):
        raise Problem(403, "not-allowed", "is for those who played in it; its deck is open to them (FL-3)", "round")
    return _readable_by(record, ask.who)


def played_in(rows: Sequence[Row], guest: int) -> bool:
    """FL-3, TR-8: who played a round can check its deck, which tells every hand of it; no namesake is told.

    It goes by the admission that the wagers carry; a wager that was taken back is none.
    """
    there: dict[tuple[int, str], int] = {}
    for row in rows:
        for event in read_entry(row).events if '"wager_placed"' in row.body else ():
            if isinstance(event, WagerPlaced):
                there[event.spot, event.wager] = event.guest if event.cents else 0
    return bool(guest) and guest in there.values()


def _readable_by(record: RoundRecord, who: Principal) -> RoundRecord:
    """A record without the names and reasons that are the house's own, for those who may not read its books."""
    steps: list[Any] = []
    for step in record.steps:
        secrets = step.SHOWN.withheld if step.SHOWN is not None else {}
        hidden = [name for name, subject in secrets.items() if who.reader not in MAY_READ[subject]]
        steps.append(replace(step, **dict.fromkeys(hidden, WITHHELD)))
    return replace(record, steps=tuple(steps))


@rounds.answers(api_rounds.ROUND_TEXT, slow=True)
def round_text(ask: Ask) -> Response:
    return Response(write_round(_record(ask)), media_type=TEXT)


@rounds.answers(api_rounds.ROUND_RECORD, slow=True)
def round_record(ask: Ask) -> Response:
    media = media_for(ask, JSON, TEXT)
    record = _record(ask)
    if media == TEXT:
        return Response(write_round(record), media_type=TEXT)
    return json_response(_round_doc(record, ask.site.state.policies.currency))


def _round_doc(record: RoundRecord, currency: str) -> RoundDoc:
    return RoundDoc(
        site=record.site,
        currency=currency,
        table=record.table,
        round=record.round,
        day=record.day,
        began=record.began,
        game=record.game,
        rules=record.rules,
        console=record.console,
        kind=record.kind,
        spots=record.spots,
        dealing=record.dealing,
        options=record.options,
        pays={wager: Pays(table=table, digest=digest) for wager, (table, digest) in record.pays.items()},
        aggregate_cents=record.aggregate,
        link=record.link,
        fixed_from=record.fixed_from,
        seed_cents=record.seeds,
        voided=record.voided,
        deck=_round_deck(record),
        steps=tuple(map(_step_doc, record.steps)),
        words=tuple(in_words(record)),
        notation=write_round(record),
    )


def _round_deck(record: RoundRecord) -> RoundDeck | None:
    openings, promises = [deck for deck in record.of(DeckOpened) if deck.seed], record.of(SeedCommitted)
    if not openings or not promises:
        return None
    game = known_game(record.game)
    deck = next(iter(record.of(DeckShuffled)), blank_of(DeckShuffled))
    return RoundDeck(
        table=record.table,
        round=record.round,
        game=record.game,
        commitment=promises[-1].commitment,
        seed=openings[0].seed,
        player_seeds={spot: text for spot, text in player_seeds_in(record).items() if spot in deck.player_seeds},
        house_only=deck.house_only,
        cards=len(game.deck),
        order=text_of(openings[0].order),
        start=deck.start,
        positions=has_positions(game, {**game.defaults, **record.options}),
        stacked=bool(deck.stacked),
    )


def _step_value(value: Any, codec: str) -> Any:
    match codec:
        case "cards":
            return text_of(value)
        case "card":
            return "" if value is None else text_of((value,))
        case "micros":
            return cents_of(value)
        case "chosen":
            return bool(value)
        case "keys":
            return tuple(value)
    return value


def _step_doc(step: Event) -> Any:
    kind = type(step)
    fields = step_fields(kind).items()
    return STEPS[kind](
        **{step_field(kind, path, codec)[0]: _step_value(attrgetter(path)(step), codec) for path, codec in fields}
    )
