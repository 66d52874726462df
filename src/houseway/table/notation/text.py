"""A round as text and back. There is one text for a round, so anything written otherwise is refused, line and all."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from datetime import date, datetime
from operator import attrgetter
from typing import Any, Final, get_args

from houseway.cards import text_of
from houseway.games import Game
from houseway.games.flow import BOARD, DEALER, packet_size
from houseway.refusal import Refusal
from houseway.table.card_round import events as play
from houseway.table.card_round.events import NO_ACTION
from houseway.table.card_round.shoe import surplus
from houseway.table.commitment import player_seed_in
from houseway.table.config import Console
from houseway.table.event import Event
from houseway.table.notation.form import (
    BARE,
    MONEY,
    STRING,
    cents_in,
    form_for,
    money,
    name_in,
    named,
    parse_line,
    write_line,
)
from houseway.table.notation.record import ENDS, RoundRecord, in_order, known_game
from houseway.table.progressive_round.adjustments import ManualChange

TITLE: Final = "houseway round 1"
"""The first line of every round; the number is that of the notation."""
HEADER: Final = re.compile(rf"([a-z_]+)(?:\.({BARE.pattern}|{STRING}))? = (.+)")
KINDS: Final = ("progressive", "cards", "virtual")
MOST_LINES: Final = 10_000


def write_round(record: RoundRecord) -> str:
    """The one text of a round."""
    body = [write_line(step, record.console) for step in record.steps]
    return "\n".join([TITLE, *_header(record), "", *body, ""])


def _header(record: RoundRecord) -> Iterator[str]:
    plain: tuple[str, ...] = ("site", "table", "round", "day", "began", "game", "rules", "console", "kind", "spots")
    for key in plain:
        yield _fact(key, getattr(record, key))
    if record.dealing:
        yield _fact("dealing", record.dealing)
    if record.procedure > 1:
        yield _fact("procedure", record.procedure)
    for name, value in in_order(record.options):
        yield _fact(f"option.{named(name)}", value)
    for name, pair in in_order(record.pays):
        yield _fact(f"pays.{named(name)}", list(pair))
    for name, cents in in_order(record.aggregate):
        yield _fact(f"aggregate.{named(name)}", money(cents))
    if record.link:
        yield _fact("link", record.link)
        yield _fact("fixed_from", record.fixed_from)
    for name, cents in in_order(record.seeds):
        yield _fact(f"seed.{named(name)}", money(cents))


def _fact(key: str, value: Any) -> str:
    return f"{key} = {json.dumps(value, ensure_ascii=False)}"


# -------------------------------------------------------------------------------------------------------------- reading


def parse_round(text: str) -> RoundRecord:
    """The round of a text. Refused with the number of the line where it is not one, or not as it is written."""
    lines = text.split("\n")
    if lines[0] != TITLE:
        raise _at(1, f"must be {TITLE!r}")
    if len(lines) > MOST_LINES:
        raise _at(MOST_LINES, "is too far down; no round has so many lines")
    if "" not in lines[1:-1]:
        raise _at(len(lines), "is the end; an empty line parts the head from the steps")
    blank = lines.index("", 1)
    facts = _facts(lines[1:blank])
    if lines[-1] != "":
        raise _at(len(lines), "must end with a new line")
    console = facts["console"]
    steps = tuple(_step(number, line, console) for number, line in enumerate(lines[blank + 1 : -1], blank + 2))
    record = RoundRecord(**facts, steps=steps)
    _check(record, blank + 2)
    again = write_round(record).split("\n")
    for number, (mine, other) in enumerate(zip(lines, again, strict=False), 1):
        if mine != other:
            raise _at(number, f"is not as a round is written; it is {other!r}")
    if len(again) != len(lines):
        raise _at(min(len(again), len(lines)), "is not as a round is written; something stands there twice")
    return record


def _at(number: int, sentence: str) -> Refusal:
    return Refusal(f"line {number}", sentence)


def _facts(lines: list[str]) -> dict[str, Any]:
    """The facts of the head, checked one by one."""
    facts: dict[str, Any] = {"options": {}, "pays": {}, "aggregate": {}, "seeds": {}}
    for number, line in enumerate(lines, 2):
        header = HEADER.fullmatch(line)
        if header is None:
            raise _at(number, f'{line[:60]!r} is not a fact of the head; write it as: game = "caribbean-stud"')
        key, name, raw = header.groups()
        try:
            value = json.loads(raw)
            if name is None:
                _take_fact(facts, key, value)
            else:
                _take_named(facts, key, name_in(name), value)
        except Refusal as refusal:
            raise _at(number, refusal.sentence) from None
        except (ValueError, RecursionError):
            raise _at(number, f"{raw[:60]!r} is not a value; it is written as JSON writes it") from None
    missing = [key for key in FACTS if key not in facts and key not in MAY_LACK]
    if missing:
        raise _at(len(lines) + 2, f"comes too early; {missing[0]} is missing in the head")
    return facts


def _take_fact(facts: dict[str, Any], key: str, value: Any) -> None:
    fits, allowed = FACTS.get(key, (None, ""))
    if fits is None:
        raise Refusal("", f"{key!r} is not a fact of the head; it has {', '.join((*FACTS, *NAMED))}")
    if not fits(value):
        raise Refusal("", f"{key} must be {allowed}")
    facts[key] = value


def _take_named(facts: dict[str, Any], key: str, name: str, value: Any) -> None:
    if key not in NAMED:
        raise Refusal("", f"{key!r} has no names under it; those that have are {', '.join(NAMED)}")
    field = NAMED[key]
    if field == "pays":
        if not (isinstance(value, list) and len(value) == 2 and all(isinstance(text, str) for text in value)):
            raise Refusal("", "must be the id of a pay table and the digest of what it pays")
        value = tuple(value)
    elif field == "options":
        _check_option(facts.get("game"), name, value)
    else:
        if not (isinstance(value, str) and re.fullmatch(MONEY, value)):
            raise Refusal("", 'must be an amount, as "1000.00"')
        value = cents_in(value)
    facts[field][name] = value


def _check_option(key: str | None, name: str, value: Any) -> None:
    """Refuse what is not a house option of the game, or not a value of it."""
    if key is None:
        raise Refusal("", f"option.{name} comes before the game it is an option of")
    option = next((candidate for candidate in known_game(key).options if candidate.name == name), None)
    if option is None:
        raise Refusal("", f"{name} is not a house option of {key}")
    if not option.fits(value):
        raise Refusal("", f"{name} must be {option.allowed}")


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    return type(value) is int and 0 < value < 10**15


def _is_day(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(date.fromisoformat(value))
    except ValueError:
        return False


def _is_moment(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(datetime.strptime(value, "%Y-%m-%dT%H:%M:%SZ"))
    except ValueError:
        return False


def _is_game(value: Any) -> bool:
    return isinstance(value, str) and bool(known_game(value))


FACTS: Final[dict[str, tuple[Callable[[Any], bool], str]]] = {
    "site": (_is_text, "a text"),
    "table": (_is_text, "a text"),
    "round": (_is_number, "a whole number above 0"),
    "day": (_is_day, "a day, as 2026-03-01"),
    "began": (_is_moment, "a moment in UTC, as 2026-03-02T04:00:00Z"),
    "game": (_is_game, "a game"),
    "rules": (_is_text, "a text"),
    "console": (lambda value: value in get_args(Console), " or ".join(get_args(Console))),
    "kind": (lambda value: value in KINDS, " or ".join(KINDS)),
    "spots": (lambda value: _is_number(value) and value < 100, "the number of spots"),
    "dealing": (_is_text, "a text"),
    "procedure": (lambda value: value in (1, 2) and type(value) is int, "1 or 2"),
    "link": (_is_text, "a text"),
    "fixed_from": (_is_text, "a text"),
}
MAY_LACK: Final = ("dealing", "procedure", "link", "fixed_from")
NAMED: Final = {"option": "options", "pays": "pays", "aggregate": "aggregate", "seed": "seeds"}


def _step(number: int, line: str, console: Console) -> Event:
    try:
        return parse_line(line, console)
    except Refusal as refusal:
        raise _at(number, refusal.sentence) from None


# ------------------------------------------------------------------------------------------------- does it make sense


def _check(record: RoundRecord, first: int) -> None:
    """Refuse spots, wagers and cards that the table and its game do not have, and a round without its one end."""
    game = known_game(record.game)
    ends = [place for place, step in enumerate(record.steps) if isinstance(step, ENDS)]
    for number, step in enumerate(record.steps, first):
        for sentence in _wrong_with(step, record, game):
            raise _at(number, sentence)
    if len(ends) != 1:
        where = first + (ends[1] if ends else len(record.steps))
        raise _at(where, "a round ends once, closed or void" if ends else "is the end, but the round has not ended")
    for place, step in enumerate(record.steps[ends[0] + 1 :], ends[0] + 1):
        if not isinstance(step, ManualChange):
            raise _at(first + place, "comes after the end of the round")
    _no_card_twice(record, first)


def _wrong_with(step: Any, record: RoundRecord, game: Game) -> Iterator[str]:
    for path, codec in form_for(step, record.console).fields.items():
        yield from _wrong_value(attrgetter(path)(step), codec, record, game)
    match step:
        case play.PacketDealt(target=target) | play.CardsEntered(spot=target):
            size = packet_size(game, target)
            if len(step.cards) != size:
                yield f"has {len(step.cards)} cards where {size} are dealt"
        case play.BoardTurned(target=target):
            size = packet_size(game, target) if target in (DEALER, BOARD) else 0
            if len(step.cards) != len(step.places) or not all(0 <= place < size for place in step.places):
                places = ", ".join(str(place + 1) for place in step.places)
                yield f"turns over {len(step.cards)} cards at the places {places}; the packet has {size}"
        case play.Acted():
            yield from _wrong_action(step, game)
        case play.PlayerSeedAdded():
            try:
                player_seed_in(step.player_seed)
            except Refusal as refusal:
                yield refusal.sentence


def _wrong_value(value: Any, codec: str, record: RoundRecord, game: Game) -> Iterator[str]:
    """What the table or its game does not have of a value of a line."""
    many = value if isinstance(value, tuple | dict) else (value,)
    match codec:
        case "spot" | "who" | "spots" | "keys":
            for spot in many:
                if not 1 <= spot <= record.spots and not (codec == "who" and spot <= DEALER):
                    yield f"spot {spot} is not at this table; it has 1 to {record.spots}"
        case "wager" | "wagers" | "line":
            for wager in many:
                if wager.removesuffix("_envy") not in game.wager_keys:
                    yield f"{wager!r} is not a wager of {game.key}"
        case "cards" | "card":
            for card in many:
                if card is not None and card not in game.deck:
                    yield f"{text_of((card,))} is not in the deck of {game.title}"


def _wrong_action(step: play.Acted, game: Game) -> Iterator[str]:
    points = [point for point in game.points if step.point in ("", point.key)]
    allowed = [choice.key for point in points for choice in point.choices]
    if step.point and not points:
        yield f"{step.point!r} is no decision of {game.key}"
    elif step.action not in (*allowed, NO_ACTION):
        yield f"{step.action!r} is no choice of {game.key}; allowed: {', '.join(dict.fromkeys(allowed))}"


def _no_card_twice(record: RoundRecord, first: int) -> None:
    """No card is with two hands. Entered cards may be entered again, so the last entry of a hand counts."""
    game = known_game(record.game)
    options = {**game.defaults, **record.options}
    last: dict[Any, tuple[int, tuple[Any, ...]]] = {}
    for number, step in enumerate(record.steps, first):
        match step:
            case play.CardDrawn():
                last[f"drawn {number}"] = number, (step.card,)
            case play.BoardTurned() if record.kind == "cards":
                last[f"turned {step.places}"] = number, step.cards
            case play.CardsEntered():
                last[step.spot] = number, step.cards
            case play.PacketDealt():
                key: Any = step.target if step.target >= 0 else f"empty {number}"
                if key in last:
                    raise _at(number, "is a second packet for the same hand")
                last[key] = number, step.cards
            case play.CardDrawn():
                last[f"drawn {number}"] = number, (step.card,)
    game = known_game(record.game)
    options = {**game.defaults, **record.options}
    before: list[Any] = []
    for number, cards in sorted(last.values()):
        again = surplus(game, options, (*before, *cards))
        if again is not None:
            raise _at(number, f"{text_of((again,))} is in this round already")
        before += cards
