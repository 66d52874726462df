"""What a par sheet is about. It stands in the sheet itself, so that anybody can make the sheet again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from houseway.games import all_schemas, approved_book
from houseway.paytables import Book, read
from houseway.proof.collect import Question, Request, check_link, check_options, questions_of
from houseway.refusal import Refusal


class HouseFile(NamedTuple):
    """A file of the house's own pay tables, whole: a sheet must not depend on a file that can be lost."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """The game, the tables and the circumstances of a sheet."""

    game: str
    wagers: tuple[str, ...] = ()
    """Empty for all."""
    tables: tuple[str, ...] = ()
    """Ids, aliases or designators; empty for all."""
    options: Mapping[str, Any] = field(default_factory=dict)
    contribution: Fraction | None = None
    seeds_cents: Mapping[str, int] = field(default_factory=dict)
    house: tuple[HouseFile, ...] = ()
    """Where there are any, the sheet is about their tables alone, none of them approved."""

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "wagers": list(self.wagers),
            "tables": list(self.tables),
            "options": dict(self.options),
            "contribution": None if self.contribution is None else str(self.contribution),
            "seeds_cents": dict(self.seeds_cents),
            "house_tables": [{"file": file.name, "text": file.text} for file in self.house],
        }

    @staticmethod
    def from_json(data: Any) -> Asked:
        """Anything else than what ``to_json`` writes raises KeyError, TypeError, ValueError or AttributeError."""
        contribution = data["contribution"]
        return Asked(
            game=_text(data["game"]),
            wagers=tuple(map(_text, data["wagers"])),
            tables=tuple(map(_text, data["tables"])),
            options={name: _value(value) for name, value in data["options"].items()},
            contribution=None if contribution is None else Fraction(_text(contribution)),
            seeds_cents={name: int(cents) for name, cents in data["seeds_cents"].items()},
            house=tuple(
                HouseFile(_text(house_table["file"]), _text(house_table["text"]))
                for house_table in data["house_tables"]
            ),
        )

    def book(self) -> Book:
        """The approved tables, with those of the house's files beside them."""
        book = approved_book()
        for file in self.house:
            own, defects = read(file.text, file.name, all_schemas(), approved=False)
            if defects:
                raise Refusal(file.name, f"{defects[0]}; houseway check lists every defect")
            book = book.with_house_tables(own)
        return book

    def request(self, book: Book, *, fresh: bool) -> Request:
        """The same in the words of the proof; the tables are chosen by ``questions``, which knows designators too."""
        return Request(
            book=book,
            games=(self.game,),
            wagers=self.wagers,
            options=self.options,
            contribution=self.contribution,
            seeds_cents=self.seeds_cents,
            house_only=bool(self.house),
            fresh=fresh,
        )

    def questions(self, request: Request) -> list[Question]:
        """Every wager on every table that the sheet is about; a name that nothing has is refused."""
        check_options(request)
        every = questions_of(request)
        for name in self.tables:
            if not any(_named(question, name, request.book) for question in every):
                known = ", ".join(dict.fromkeys(question.label for question in every)) or "none"
                raise Refusal("table", f"{name[:40]!r} has no figure here; there are {known}")
        chosen = [
            question
            for question in every
            if not self.tables or any(_named(question, name, request.book) for name in self.tables)
        ]
        if not chosen:
            raise Refusal("--paytable", f"the files hold no table that {self.game} is counted with")
        check_link(request, chosen)
        return chosen


def _named(question: Question, name: str, book: Book) -> bool:
    table = question.paytable
    if name == question.label:
        return True
    if table is None:
        return False
    designator = book.designator(question.game.key, name)
    return name in (table.id, *table.aliases) or (
        designator is not None and designator.tables.get(table.wager) == table.id
    )


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _value(value: Any) -> Any:
    return int(value) if not isinstance(value, bool | str | list) else value
