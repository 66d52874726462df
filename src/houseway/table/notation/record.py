"""A round as a record: the facts that hold for all of it, and its steps in order. Made from what the journal says."""

from __future__ import annotations

import hashlib
import inspect
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple, Protocol

from msgspec import Struct
from msgspec.structs import replace

from houseway import ranking
from houseway.cards import Card
from houseway.games import Game, find_game, flow, rules, settle
from houseway.games.flow import BOARD, DEALER, next_point
from houseway.games.model import declared_rules
from houseway.paytables import PayTable, ProgressiveTable, Table
from houseway.progressive.terms import Terms
from houseway.refusal import Refusal
from houseway.table.card_round import events as play
from houseway.table.card_round.events import NO_ACTION
from houseway.table.config import Console, TableConfig
from houseway.table.event import Event
from houseway.table.limits import aggregate_on
from houseway.table.notation.form import parse_line, write_line
from houseway.table.progressive_round.events import RoundClosed, RoundVoided

DIGITS: Final = 16
"""How many hexadecimal digits of a digest stand in a round: enough to tell versions apart."""


class Entry(Protocol):
    """What is looked at of an entry of the journal."""

    @property
    def at(self) -> int: ...

    @property
    def day(self) -> str: ...

    @property
    def events(self) -> Sequence[Any]: ...


ENDS: Final = (RoundClosed, RoundVoided)
DEMONSTRATION: Final = "DEMONSTRATION"
"""How the site of a demonstration is called, in front of its name."""


class Played(NamedTuple):
    """What a round was played under."""

    site: str
    table: TableConfig
    terms: Terms | None
    """Those of its link; None where it has none."""


class RoundRecord(Struct, frozen=True, kw_only=True):
    """A round from its first seat to its end."""

    site: str
    table: str
    round: int
    day: str
    """The gaming day of its first entry."""
    began: str
    """UTC, to the second."""
    game: str
    rules: str
    """The documents the rules come from, and the digest of the rulebook that wrote this."""
    console: Console
    kind: str
    spots: int
    dealing: str = ""
    procedure: int = 1
    """2 where forfeits are collected before the reveal, and "no hand" is paid in one pass (CS-5, CS-7)."""
    options: dict[str, Any] = {}
    """House options that differ from the game's defaults."""
    pays: dict[str, tuple[str, str]] = {}
    """By wager: the pay table's id, and the digest of what it pays."""
    aggregate: dict[str, int] = {}
    """FL-25: by wager, the aggregate payout limit in force on the day."""
    link: str = ""
    fixed_from: str = ""
    """PR-6, of the link."""
    seeds: dict[str, int] = {}
    """By meter, in cents: what a meter starts again from."""
    steps: tuple[Event, ...] = ()
    """What happened, as the lines tell it: what a line does not tell is blank."""

    def of(self, kind: type[Any]) -> list[Any]:
        """The steps of one kind."""
        return [step for step in self.steps if isinstance(step, kind)]

    @property
    def demonstration(self) -> bool:
        """TR-9: whether the floor says of itself that it only demonstrates."""
        return self.site.startswith(DEMONSTRATION)

    @property
    def voided(self) -> bool:
        return any(isinstance(step, RoundVoided) for step in self.steps)


def record_of(entries: Iterable[Entry], played: Played, promised: Sequence[play.SeedCommitted] = ()) -> RoundRecord:
    """The record of a round that is over, from its entries in the journal.

    ``promised`` is what the house committed to for it when the round before ended.
    """
    rows = list(entries)
    config = played.table
    game = known_game(config.game)
    round_events = [event for entry in rows for event in sort_events(entry.events)]
    numbers = [
        event.round for event in round_events if hasattr(event, "round") and not isinstance(event, play.SeedCommitted)
    ]
    # The promise for the round after it is not of this one.
    events = [
        event for event in round_events if not isinstance(event, play.SeedCommitted) or [event.round] == numbers[:1]
    ]
    if not numbers or not any(isinstance(event, ENDS) for event in events):
        raise Refusal("round", "is not over; it is written down when it has closed or was voided")
    defaults = game.defaults
    tables: dict[str, Table] = dict(config.tables)
    if played.terms is not None:
        tables["progressive"] = played.terms.table
    return RoundRecord(
        site=played.site,
        table=config.id,
        round=numbers[0],
        day=rows[0].day,
        began=f"{datetime.fromtimestamp(rows[0].at // 1_000_000, UTC):%Y-%m-%dT%H:%M:%SZ}",
        game=config.game,
        rules=rules_version(game),
        console=config.console,
        kind=config.kind,
        spots=config.spots,
        dealing=config.dealing,
        procedure=next((event.procedure for event in events if isinstance(event, play.DealerRevealed)), 1),
        options={
            name: plain(value)
            for name, value in config.options.items()
            if name in defaults and plain(value) != plain(defaults[name])
        },
        pays={wager: (table.id, pays_digest(table)) for wager, table in tables.items()},
        aggregate=_aggregate(config, next((entry.day for entry in rows if _reveals(entry)), rows[0].day)),
        link=config.link if played.terms is not None else "",
        fixed_from=played.terms.fixed_from if played.terms is not None else "",
        seeds={name: meter.seed_cents for name, meter in played.terms.meters.items()}
        if played.terms is not None
        else {},
        steps=steps_of(config, (*promised, *events)),
    )


def steps_of(config: TableConfig, events: Sequence[Event]) -> tuple[Event, ...]:
    """Events as the lines of a round tell them: written and read back."""
    lines = [
        write_line(part, config.console)
        for event in _with_cards(known_game(config.game), events)
        if config.kind == "progressive" or not event.FOLLOWS
        for part in event.parts()
        if type(part).TEXT
    ]
    return tuple(parse_line(line, config.console) for line in lines)


def plain(value: Any) -> Any:
    """An option's value as JSON has it."""
    return json.loads(json.dumps(value))


def known_game(key: str) -> Game:
    """The rule set of that name."""
    game = find_game(key)
    if game is None:
        raise Refusal("game", f"{key!r} is not a game here")
    return game


def sort_events(events: Sequence[Any]) -> list[Any]:
    """The dealer's cards before the spots' results, as a dealer does it."""
    return sorted(events, key=lambda event: isinstance(event, play.SpotResult))


def _with_cards(game: Game, events: Sequence[Any]) -> list[Any]:
    """What happened with the cards that were sealed then: those of the deck that was opened at the end.

    The dealer's are those that were turned over, so that they can be held against the deck.
    """
    order = next((event.order for event in events if isinstance(event, play.DeckOpened)), ())
    turned = next((event.cards for event in events if isinstance(event, play.DealerRevealed)), ())
    up = _board_up(events)
    hands: dict[int, tuple[Card, ...]] = {}
    lines: list[Any] = []
    for event in events:
        match event:
            case play.PacketDealt() if event.count:
                # From a shoe every card is dealt face up, and the shoe is opened rounds later.
                cards = event.cards or order[event.first : event.first + event.count]
                if event.cards:
                    pass
                elif event.target == DEALER and turned:
                    cards = turned
                elif event.target == BOARD:
                    cards = tuple(up.get(place, card) for place, card in enumerate(cards))
                hands[event.target] = cards
                lines.append(replace(event, cards=cards))
            case play.Acted() | play.SpotDecided():
                lines.append(_with_card(game, event, hands.get(event.spot, ())))
            case _:
                lines.append(event)
    return _with_idle_spots(game, lines)


def _board_up(events: Sequence[Any]) -> dict[int, Card]:
    """By place: what was turned over of the board, so that it can be held against the deck."""
    return {
        place: card
        for event in events
        if isinstance(event, play.BoardTurned) and event.target == BOARD
        for place, card in zip(event.places, event.cards, strict=True)
    }


def _with_card(game: Game, event: play.Acted | play.SpotDecided, cards: tuple[Card, ...]) -> Any:
    """An action with the card that it named by its place; the decision is named where the game has several."""
    if isinstance(event, play.Acted):
        card = cards[event.place] if event.place is not None and cards else event.card
        return replace(event, card=card, point=event.point if len(game.points) > 1 else "")
    place = event.decision.low_place
    if place is None or not cards:
        return event
    return replace(event, decision=replace(event.decision, low=cards[place]))


def _with_idle_spots(game: Game, events: list[Any]) -> list[Any]:
    """A line for every spot that has no decision to make, once the cards are there.

    Rounds of before actions had names have an event for it.
    """
    if any(isinstance(event, play.SpotDecided) for event in events):
        return events
    wagers: dict[int, dict[str, int]] = {}
    dealt: set[int] = set()
    for place, event in enumerate(events):
        match event:
            case play.WagerPlaced():
                there = {**wagers.get(event.spot, {}), event.wager: event.cents}
                wagers[event.spot] = {wager: cents for wager, cents in there.items() if cents}
            case play.PacketDealt():
                dealt.add(event.target)
            case play.CardsEntered():
                dealt.add(event.spot)
            case play.BoardTurned():
                dealt.add(event.target)
        hands = {spot: stakes for spot, stakes in sorted(wagers.items()) if stakes}
        places = {*(hands if game.player_cards else [BOARD]), *([DEALER] if game.dealer_cards else [])}
        if places <= dealt and _is_last_card(events, place):
            idle = [spot for spot, stakes in hands.items() if next_point(game, stakes) is None]
            idlers = [
                play.Acted(table=event.table, round=event.round, spot=spot, point="", action=NO_ACTION, how="no choice")
                for spot in idle
            ]
            return [*events[: place + 1], *idlers, *events[place + 1 :]]
    return events


def _is_last_card(events: list[Any], place: int) -> bool:
    """Whether nothing more of the deal comes right after an event."""
    after = events[place + 1] if place + 1 < len(events) else None
    return not isinstance(after, play.PacketDealt | play.FaceUpShown | play.BoardTurned)


def _reveals(entry: Entry) -> bool:
    return any(isinstance(event, play.DealerRevealed) for event in entry.events)


def _aggregate(config: TableConfig, day: str) -> dict[str, int]:
    on = datetime.fromisoformat(day).date()
    aggregates = {wager: aggregate_on(limits, on) for wager, limits in config.limits.items() if limits.aggregate}
    return {wager: cents for wager, cents in aggregates.items() if cents is not None}


# ------------------------------------------------------------------------------------------------------------ versions


def rules_version(game: Game) -> str:
    """The documents of a game and the digest of its rulebook: the modules of its rules, what settles, the rankings."""
    return f"{game.document}; rulebook {_rulebook_digest(game)}"


@cache
def _rulebook_digest(game: Game) -> str:
    modules = {rule.__module__ for rule in declared_rules(game)}
    names = sorted(modules | {flow.__name__, rules.__name__, settle.__name__})
    sources = {name: inspect.getsource(sys.modules[name]) for name in names}
    for file in sorted(files(ranking).iterdir(), key=lambda file: file.name):
        # Whole arrays of hands are for the proof; they settle nothing.
        if file.name.endswith(".py") and file.name != "arrays.py":
            sources[file.name] = file.read_text("utf-8")
    digest = hashlib.sha256()
    for name, source in sources.items():
        digest.update(f"{name}\n{len(source)}\n{source}".encode())
    return digest.hexdigest()[:DIGITS]


def pays_digest(table: Table) -> str:
    """The digest of what a pay table pays, whatever it is called and wherever it came from."""
    facts: list[Any]
    if isinstance(table, ProgressiveTable):
        facts = [table.stated_wager_cents, [_progressive_row(row) for row in table.rows]]
    else:
        facts = _odds_facts(table)
    text = json.dumps([table.game, table.wager, *facts])
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def _odds_facts(table: PayTable) -> list[Any]:
    rows = [[row.hand, [[odds.num, odds.den] for odds in row.odds]] for row in table.rows]
    envy = sorted(table.envy_cents.items())
    return [table.returns_wager, list(table.columns), rows, envy, table.envy_minimum_cents]


def _progressive_row(row: Any) -> list[Any]:
    odds = [row.for_one.num, row.for_one.den] if row.for_one is not None else None
    return [row.hand, row.percent, row.meter, row.fixed_cents, odds, row.source, row.envy_cents]


def in_order(values: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """By name."""
    return sorted(values.items())
