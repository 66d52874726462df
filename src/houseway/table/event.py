"""What every event says of itself, beside its fields: its line of text, its sentence, and what of it leaves the house.

An event is one class. What is written here of it is read everywhere: the notation of rounds writes and reads `TEXT`,
the journal, its export and the pages tell `in_words`, answers and live streams show the fields of `SHOWN`. What an
event does to a table and to its money stands in the `evolve` and `ledger` modules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import attrgetter
from typing import Any, ClassVar, Final, Literal, NamedTuple, Self

from msgspec import Struct

from houseway.games.flow import BOARD, DEALER, EMPTY

Watched = Literal["table", "link", "floor", "manager"]
"""What can be watched; an event of a link is told to those who watch the floor or the Game Manager too."""
Audience = Literal["books", "staff", "public"]
"""Those who may read the adjustments; other staff and the casino's system; everybody else."""
Readers = Literal["everybody", "players", "staff", "books"]
"""Whom an event is for: everybody; the public at its table only; no public; those who may read the adjustments."""
_WIDER: Final[dict[Watched, tuple[Watched, ...]]] = {
    "table": ("table", "link", "floor", "manager"),
    "link": ("link",),
    "floor": ("link", "floor"),
    "manager": ("link", "floor", "manager"),
}


class Show(NamedTuple):
    """What of an event leaves the house, where to, and for whom."""

    fields: Mapping[str, Callable[[Any], Any]]
    on: Watched
    to: Readers
    withheld: Mapping[str, str]
    """By field: who may read it in the record of a round that is over, by the names of `permissions.MAY_READ`."""

    def is_told(self, watched: Watched, audience: Audience) -> bool:
        """Whether an audience hears of it where it watches."""
        if self.on not in _WIDER[watched] or (self.to == "books" and audience != "books"):
            return False
        return audience != "public" or self.to == "everybody" or (self.to == "players" and watched != "link")


def show(*fields: str, on: Watched = "table", to: Readers = "players", **withheld: str) -> Show:
    """Let these fields leave the house, and none that tells a card; ``claim.spot`` is shown as ``spot``."""
    return Show({path.rpartition(".")[2]: attrgetter(path) for path in fields}, on, to, withheld)


def speak(key: str) -> str:
    """A key in words."""
    return key.replace("_", " ")


class Say(NamedTuple):
    """The words that a sentence borrows from its console and its game."""

    lock_in: str = "Wagers locked in"
    close: str = "Round closed"
    wager: Callable[[str], str] = speak


class Event(Struct, frozen=True, kw_only=True, tag=True):
    """Something that happened on the floor."""

    TEXT: ClassVar[str | tuple[str, ...]] = ""
    """Its line in the text of a round (`notation.form` has the forms), or the forms that a part of it can have."""
    SHOWN: ClassVar[Show | None] = None
    """None for an event that does not leave the house: hands seen by the system, what the verify display showed."""
    PRESS: ClassVar[type[Struct] | None] = None
    """The command that makes it: so the lines of a round are played again. Its fields are those of the event."""
    FOLLOWS: ClassVar[bool] = False
    """Whether it follows from the others where the system sees wagers and cards: then the text leaves it out."""

    def in_words(self, say: Say) -> str:
        """What happened, for people. What the text of a round does not tell is blank: leave it out."""
        raise NotImplementedError(f"{type(self).__name__} has no sentence")

    def parts(self) -> Iterable[Event]:
        """What its lines tell, one each; none where it has nothing to tell."""
        return (self,)

    @property
    def kind(self) -> str:
        """Its name in the journal and on the wire."""
        return str(self.__struct_config__.tag)

    def show_fields(self) -> dict[str, Any]:
        """The event as it leaves the house."""
        fields = self.SHOWN.fields if self.SHOWN is not None else {}
        return {"type": self.kind, **{name: value(self) for name, value in fields.items()}}

    @classmethod
    def kinds(cls) -> Iterator[type[Self]]:
        """Every event declared below a class."""
        for below in cls.__subclasses__():
            yield from below.kinds() if below.__subclasses__() else (below,)


# ------------------------------------------------------------------------------------------------------ small phrases


def join(parts: Iterable[object]) -> str:
    """A list in words: a, b and c."""
    words = [str(part) for part in parts]
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words) or "nothing"


def name_spots(spots: Iterable[int]) -> str:
    """Spots in words."""
    numbers = [*spots]
    return f"spot{'' if len(numbers) == 1 else 's'} {join(numbers)}" if numbers else "no spot"


def name_target(target: int) -> str:
    """Whose cards, in words."""
    return {DEALER: "the dealer", EMPTY: "an empty position", BOARD: "the board"}.get(target, f"spot {target}")


def count_seconds(micros: int) -> str:
    """How long something took."""
    minutes, seconds = divmod(micros // 1_000_000, 60)
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"


def if_any(value: object, phrase: str) -> str:
    """A phrase where there is something to say."""
    return phrase if value else ""
