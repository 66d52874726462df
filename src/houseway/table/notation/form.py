"""How one line of a round is written and read back: a form per kind of line, as ``bet {spot:number} {cents:money}``.

``{field:codec}`` is a value, ``[ …]`` a part that is left out where its fields have their defaults. One form serves
both ways, so that what is written is what is read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from msgspec import Struct
from msgspec.structs import fields as struct_fields

from houseway.cards import read_cards, text_of
from houseway.games.flow import BOARD, DEALER, EMPTY
from houseway.refusal import Refusal

PART: Final = re.compile(r"(\[[^\]]*\]|\{[^}]*\})")
BARE: Final = re.compile(r"[A-Za-z0-9_./-]+")
STRING: Final = r'"(?:[^"\\]|\\.)*"'
CARDS: Final = r"[0-9A-Za-z]+(?: [0-9A-Za-z]+)*"


class Codec(NamedTuple):
    """One kind of value: what it looks like, and how it is read and written."""

    pattern: str
    read: Callable[[str], Any]
    write: Callable[[Any], str]


class Form(NamedTuple):
    """A compiled form."""

    kind: type[Struct]
    text: str
    pattern: re.Pattern[str]
    codecs: dict[str, Codec]
    defaults: dict[str, Any]

    @property
    def verb(self) -> str:
        """The words it begins with."""
        return PART.split(self.text)[0].strip()

    @property
    def spoken(self) -> str:
        """The form as a message shows it: ``bet SPOT WAGER CENTS``."""
        return re.sub(r"\{(\w+)(?::(\w+))?\}", _spoken_field, self.text)

    def written(self, step: Struct) -> str:
        """A step as its line."""
        return _written(self, self.text, step)

    def parsed(self, line: str) -> Struct | None:
        """The step of a line; None where the line does not have this form."""
        found = self.pattern.fullmatch(line)
        if found is None:
            return None
        values = {name: self.codecs[name].read(text) for name, text in found.groupdict().items() if text is not None}
        return self.kind(**values)


def compiled(kind: type[Struct], text: str) -> Form:
    """A form ready for use."""
    codecs: dict[str, Codec] = {}
    pattern = re.compile(_pattern(text, codecs))
    defaults = {one.name: one.default for one in struct_fields(kind)}
    return Form(kind, text, pattern, codecs, defaults)


def _pattern(text: str, codecs: dict[str, Codec]) -> str:
    made = ""
    for part in PART.split(text):
        if part.startswith("["):
            made += f"(?:{_pattern(part[1:-1], codecs)})?"
        elif part.startswith("{"):
            name, _, codec = part[1:-1].partition(":")
            codecs[name] = CODECS[codec]
            made += f"(?P<{name}>{CODECS[codec].pattern})"
        else:
            made += re.escape(part)
    return made


def _written(form: Form, text: str, step: Struct) -> str:
    made = ""
    for part in PART.split(text):
        if part.startswith("["):
            inner = part[1:-1]
            names = [one[1:-1].partition(":")[0] for one in PART.findall(inner)]
            if any(getattr(step, name) != form.defaults[name] for name in names):
                made += _written(form, inner, step)
        elif part.startswith("{"):
            name = part[1:-1].partition(":")[0]
            made += form.codecs[name].write(getattr(step, name))
        else:
            made += part
    return made


def _spoken_field(found: re.Match[str]) -> str:
    name, codec = found.group(1), found.group(2)
    return f" {name}" if codec.startswith("flag") else name.upper()


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
        found = json.loads(text)
    except ValueError:
        raise Refusal("", f"{text[:40]} is not a text in quotation marks") from None
    return str(found)


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


def _flag(word: str) -> Codec:
    """A word that is there or not, with the space before it."""
    return Codec(f"(?: {re.escape(word)})?", bool, lambda on: f" {word}" if on else "")


def _several(pattern: str, read: Callable[[str], Any], write: Callable[[Any], str]) -> Codec:
    return Codec(
        f"none|{pattern}(?: {pattern})*",
        lambda text: () if text == "none" else tuple(map(read, text.split(" "))),
        lambda values: " ".join(map(write, values)) or "none",
    )


def _set_or(action: str) -> str:
    return "set" if action == "low" else action


CODECS: Final[dict[str, Codec]] = {
    "number": Codec(r"\d{1,15}", int, str),
    "who": Codec(r"\d{1,3}|dealer|empty|board", target_in, whom),
    "spots": _several(r"\d{1,3}", int, str),
    "money": Codec(r"\d{1,15}\.\d\d", cents_in, money),
    "name": Codec(f"{BARE.pattern}|{STRING}", name_in, named),
    "names": _several(BARE.pattern, str, str),
    "text": Codec(STRING, unquoted, quoted),
    "hex": Codec(r"[0-9a-f]{64}", str, str),
    "cards": Codec(CARDS, read_cards, text_of),
    "card": Codec(r"[0-9A-Za-z]+", lambda text: read_cards(text)[0], lambda card: text_of((card,))),
    # A hand that its player sets is written with the card: "set low Kd".
    "action": Codec(BARE.pattern, lambda text: "low" if text == "set" else text, _set_or),
    "result": Codec(r"win|push|lose|fold|foul|taken_back", str, str),
    "how": Codec(r"left|time|no choice", str, str),
    "inout": Codec(r"in|out", lambda text: text == "in", lambda wagered: "in" if wagered else "out"),
    "plays": Codec(r"plays|does not play", lambda text: text == "plays", lambda on: "plays" if on else "does not play"),
    "flag_held": _flag("held"),
    "flag_waits": _flag("waits"),
    "flag_malfunction": _flag("malfunction"),
    "flag_over": _flag("over"),
    "flag_reseeded": _flag("reseeded"),
    "flag_late": _flag("late"),
    "flag_stacked": _flag("stacked"),
}
