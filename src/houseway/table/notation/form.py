"""How an event is written as one line of a round, and read back, by the form its class declares in `TEXT`.

In ``bet {spot:spot} {cents:money}[ because {how:how}]`` each ``{field:codec}`` is a value and ``[ …]`` a part that is
left out where its fields are blank; ``@word`` is the console's own word. One form serves both ways, so that what is
written is what is read. A line tells less than its event holds: what it does not tell is blank in what is read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, Final, NamedTuple, get_args, get_origin

from msgspec import Struct
from msgspec.structs import fields as struct_fields
from msgspec.structs import replace

from houseway.cards import read_cards, text_of
from houseway.games.flow import BOARD, DEALER, EMPTY
from houseway.progressive.terms import MICROS_PER_CENT
from houseway.refusal import Refusal
from houseway.table.card_round.state import Line
from houseway.table.config import Console
from houseway.table.event import Event
from houseway.table.progressive_round.console import WORDS

FIELD: Final = re.compile(r"\{([\w.]+):(\w+)\}")
PART: Final = re.compile(r"(\[[^\]]*\]|\{[^}]*\})")
BARE: Final = re.compile(r"[A-Za-z0-9_./-]+")
STRING: Final = r'"(?:[^"\\]|\\.)*"'
CARDS: Final = r"[0-9A-Za-z]+(?: [0-9A-Za-z]+)*"
MONEY: Final = r"\d{1,15}\.\d\d"
RESULT: Final = r"win|push|lose|fold|foul|taken_back|surrender"
RECORD: Final = {"keypad": "J-POT", "touch": "CONFIRM"}
PAID: Final = {"keypad": "RUN", "touch": "paid"}


class Codec(NamedTuple):
    """One kind of value: what it looks like, and how it is read and written."""

    pattern: str
    read: Callable[[str], Any]
    write: Callable[[Any], str]
    hint: str = ""
    """What a message shows for it; empty for the name of the field."""


class Form(NamedTuple):
    """A compiled form of one kind of event."""

    kind: type[Event]
    text: str
    pattern: re.Pattern[str]
    fields: dict[str, str]
    """The codec of each field, which may be one of a part: ``claim.spot``."""
    needs: tuple[str, ...]
    """The fields outside brackets."""

    @property
    def verb(self) -> str:
        """The words it begins with."""
        return PART.split(self.text)[0].strip()

    @property
    def hint(self) -> str:
        """The form as a message shows it: ``bet SPOT WAGER CENTS``."""
        return FIELD.sub(_hint, self.text)

    def write(self, event: Event) -> str:
        """An event as its line."""
        return self._write(self.text, event)

    def _write(self, text: str, event: Event) -> str:
        line = ""
        for part, fields in _parts(text):
            if part.startswith("["):
                line += self._write(part[1:-1], event) if any(self.tells(event, path) for path, _ in fields) else ""
            elif fields:
                path, codec = fields[0]
                line += codec.write(_getter(path)(event))
            else:
                line += part
        return line

    def tells(self, event: Event, path: str) -> bool:
        """Whether an event has something to tell in a field."""
        value = _getter(path)
        return bool(value(event) != value(blank_of(self.kind)))

    def parse(self, line: str) -> Event | None:
        """The event of a line; None where the line does not have this form."""
        match = self.pattern.fullmatch(line)
        if match is None:
            return None
        values: dict[str, Any] = {}
        parts: dict[str, dict[str, Any]] = {}
        for (path, codec), text in zip(self.fields.items(), match.groups(), strict=True):
            if text is not None:
                head, _, rest = path.rpartition(".")
                (parts.setdefault(head, {}) if head else values)[rest] = _codec(path, codec).read(text)
        blank = blank_of(self.kind)
        for head, inner in parts.items():
            values[head] = replace(getattr(blank, head), **inner)
        event: Event = replace(blank, **values)
        return event


@cache
def blank_of(kind: Any) -> Any:
    """An event with nothing in it but its defaults."""
    if isinstance(kind, type) and issubclass(kind, Struct):
        return kind(**{field.name: blank_of(field.type) for field in struct_fields(kind) if field.required})
    if get_origin(kind) is UnionType or NoneType in get_args(kind):
        return None
    origin = get_origin(kind) or kind
    return origin() if origin in (int, str, bool, tuple, dict) else ""


@cache
def forms(console: Console) -> Mapping[type[Event], tuple[Form, ...]]:
    """The forms of every kind of event, in the words of a console generation."""
    words = {
        "@lock_in": WORDS[console].lock_in,
        "@close": WORDS[console].close,
        "@record": RECORD[console],
        "@paid": PAID[console],
    }
    every = {}
    for kind in Event.kinds():
        texts = (kind.TEXT,) if isinstance(kind.TEXT, str) else kind.TEXT
        every[kind] = tuple(
            _compile(kind, re.sub("@[a-z_]+", lambda mark: words[mark.group()], text)) for text in texts if text
        )
    return every


def form_for(event: Event, console: Console) -> Form:
    """The form of an event, or of its part: the last one that it has everything for."""
    first, *others = forms(console)[type(event)]
    return next((form for form in reversed(others) if all(form.tells(event, path) for path in form.needs)), first)


def write_line(event: Event, console: Console) -> str:
    """An event as its line."""
    return form_for(event, console).write(event)


def parse_line(line: str, console: Console) -> Event:
    """The event of a line."""
    near: Form | None = None
    for form in _forms_by_word(console).get(line.partition(" ")[0], ()):
        event = form.parse(line)
        if event is not None:
            return event
        near = form
    if near is not None:
        raise Refusal("", f"{line[:60]!r} is not a step; one that begins so is written: {near.hint}")
    raise Refusal("", f"{line[:60]!r} is not a step of a round at a {console} console")


@cache
def _forms_by_word(console: Console) -> Mapping[str, Sequence[Form]]:
    by_word: dict[str, list[Form]] = {}
    for form in (form for of_kind in forms(console).values() for form in of_kind):
        by_word.setdefault(form.verb.partition(" ")[0], []).append(form)
    return by_word


@cache
def _parts(text: str) -> tuple[tuple[str, tuple[tuple[str, Codec], ...]], ...]:
    """A form taken apart: its texts, values and brackets, each with the fields in it."""
    return tuple(
        (part, tuple((path, _codec(path, codec)) for path, codec in FIELD.findall(part))) for part in PART.split(text)
    )


_getter: Final = cache(attrgetter)


def _compile(kind: type[Event], text: str) -> Form:
    outside = PART.sub(lambda part: "" if part.group().startswith("[") else part.group(), text)
    fields = dict(FIELD.findall(text))
    return Form(kind, text, re.compile(_pattern(text)), fields, tuple(_paths(outside)))


def _paths(text: str) -> Iterator[str]:
    for path, codec in FIELD.findall(text):
        if codec not in ("flag", "chosen"):
            yield path


def _pattern(text: str) -> str:
    pattern = ""
    for part in PART.split(text):
        if part.startswith("["):
            pattern += f"(?:{_pattern(part[1:-1])})?"
        elif part.startswith("{"):
            pattern += f"({_codec(*part[1:-1].split(':')).pattern})"
        else:
            pattern += re.escape(part)
    return pattern


def _hint(field: re.Match[str]) -> str:
    name, codec = field.group(1).rpartition(".")[2], field.group(2)
    return f" {name}" if codec in ("flag", "chosen") else _codec(name, codec).hint or name.upper()


# ----------------------------------------------------------------------------------------------------------- the values


def money(cents: int) -> str:
    """Whole cents as dollars: 1234.50."""
    return f"{cents // 100}.{cents % 100:02}"


def cents_in(text: str) -> int:
    """What `money` wrote."""
    return int(text.replace(".", ""))


def quoted(text: str) -> str:
    """Any text in quotation marks, as JSON has it."""
    return json.dumps(text, ensure_ascii=False)


def unquoted(text: str) -> str:
    """What `quoted` wrote."""
    try:
        return str(json.loads(text))
    except ValueError:
        raise Refusal("", f"{text[:40]} is not a text in quotation marks") from None


def named(text: str) -> str:
    """A name: bare where it is one plain word, else in quotation marks."""
    return text if BARE.fullmatch(text) else quoted(text)


def name_in(text: str) -> str:
    """What `named` wrote."""
    return unquoted(text) if text.startswith('"') else text


def whom(target: int) -> str:
    """A spot, the dealer, an empty position or the board."""
    return {DEALER: "dealer", EMPTY: "empty", BOARD: "board"}.get(target, str(target))


def target_in(text: str) -> int:
    """What `whom` wrote."""
    return {"dealer": DEALER, "empty": EMPTY, "board": BOARD}[text] if text.isalpha() else int(text)


NAME: Final = f"{BARE.pattern}|{STRING}"
_LINE: Final = re.compile(
    rf"({NAME}) ({RESULT}) ({MONEY}) -> ({MONEY})(?: envy ({MONEY}))?(?: commission ({MONEY}))? ({STRING})"
)


def _write_lines(lines: dict[str, Line]) -> str:
    ((wager, line),) = lines.items()
    envy = f" envy {money(line.envy)}" if line.envy else ""
    commission = f" commission {money(line.commission)}" if line.commission else ""
    amounts = f"{money(line.wagered)} -> {money(line.returned)}{envy}{commission}"
    return f"{named(wager)} {line.result} {amounts} {quoted(line.why)}"


def _read_lines(text: str) -> dict[str, Line]:
    wager, result, wagered, returned, envy, commission, why = _LINE.fullmatch(text).groups()  # type: ignore[union-attr]
    line = Line(
        result=result,
        wagered=cents_in(wagered),
        returned=cents_in(returned),
        envy=cents_in(envy or "0"),
        commission=cents_in(commission or "0"),
        why=unquoted(why),
    )
    return {name_in(wager): line}


def _read_seeds(text: str) -> dict[int, str]:
    """What players added, by spot, as JSON has it."""
    try:
        return {int(spot): str(added) for spot, added in json.loads(text).items()}
    except (ValueError, AttributeError):
        raise Refusal("", f"{text[:40]} is not a JSON object of texts by spot") from None


def _several(pattern: str, read: Callable[[str], Any], write: Callable[[Any], str]) -> Codec:
    return Codec(
        f"none|{pattern}(?: {pattern})*",
        lambda text: () if text == "none" else tuple(map(read, text.split(" "))),
        lambda values: " ".join(map(write, values)) or "none",
    )


def _codec(path: str, codec: str) -> Codec:
    """A codec by its name; a flag is a word that is there or not, with the space before it."""
    if codec == "flag":
        return Codec(f"(?: {path})?", bool, lambda on: f" {path}" if on else "")
    return CODECS[codec]


_SPOTS: Final = _several(r"\d{1,3}", int, str)
CODECS: Final[dict[str, Codec]] = {
    "number": Codec(r"\d{1,15}", int, str),
    "spot": Codec(r"\d{1,15}", int, str),
    "who": Codec(r"\d{1,3}|dealer|empty|board", target_in, whom),
    "spots": _SPOTS,
    # A deck's line says whose seeds are in it, and that cards were chosen; which they are stands in other lines.
    "keys": Codec(
        _SPOTS.pattern, lambda text: dict.fromkeys(_SPOTS.read(text), ""), lambda seeds: _SPOTS.write(sorted(seeds))
    ),
    "seeds": Codec(
        r"\{.*\}", _read_seeds, lambda seeds: json.dumps({str(spot): seeds[spot] for spot in sorted(seeds)})
    ),
    "chosen": Codec(r"(?: stacked)?", lambda text: {DEALER: ()} if text else {}, lambda of: " stacked" if of else ""),
    "places": _several(r"\d{1,3}", lambda text: int(text) - 1, lambda place: str(place + 1)),
    "money": Codec(MONEY, cents_in, money),
    "micros": Codec(
        MONEY, lambda text: cents_in(text) * MICROS_PER_CENT, lambda micros: money(micros // MICROS_PER_CENT)
    ),
    "name": Codec(NAME, name_in, named),
    "wager": Codec(NAME, name_in, named),
    "wagers": _several(BARE.pattern, str, str),
    "text": Codec(STRING, unquoted, quoted),
    "hex": Codec(r"[0-9a-f]{64}", str, str),
    "cards": Codec(CARDS, read_cards, text_of),
    "card": Codec(r"[0-9A-Za-z]+", lambda text: read_cards(text)[0], lambda card: text_of((card,))),
    # A hand that its player sets is written with the card: "set low Kd".
    "action": Codec(
        BARE.pattern,
        lambda text: "low" if text == "set" else text,
        lambda action: "set" if action == "low" else action,
    ),
    "result": Codec(RESULT, str, str),
    "how": Codec(r"left|time|no choice", str, str),
    "inout": Codec(r"in|out", lambda text: text == "in", lambda wagered: "in" if wagered else "out"),
    "plays": Codec(r"plays|does not play", lambda text: text == "plays", lambda on: "plays" if on else "does not play"),
    "line": Codec(
        re.sub(r"\((?!\?)", "(?:", _LINE.pattern),
        _read_lines,
        _write_lines,
        "WAGER RESULT WAGERED -> RETURNED[ envy ENVY][ commission COMMISSION] WHY",
    ),
}
