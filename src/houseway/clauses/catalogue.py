"""The clause catalogue: what the specification demands, by id, read from ``catalogue.toml``.

It travels with the package, so that the matrix can be printed, and a test that names a clause nobody knows
can be refused, where the specification itself is not at hand.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from houseway.refusal import Refusal

CLAUSE_ID = re.compile(r"[A-Z][A-Z0-9]*-A?[1-9][0-9]*")
SAYS_AT_MOST = 140
CLAUSE_FIELDS = ("id", "says", "source", "part")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the program that clauses fall to. One that is not built yet owes no tests."""

    name: str
    title: str
    built: bool


@dataclass(frozen=True, slots=True)
class Clause:
    """One demand of the specification, in one line, with the documents it comes from."""

    id: str
    says: str
    source: str
    part: Part

    @property
    def family(self) -> str:
        """The letters before the hyphen: which chapter of the specification it stands in."""
        return self.id.partition("-")[0]

    @property
    def ambiguous(self) -> bool:
        """Whether the documents are silent or disagree here, so that the clause states a default."""
        return self.id.partition("-")[2].startswith("A")


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All clauses, in the order of the specification."""

    parts: Mapping[str, Part]
    clauses: Mapping[str, Clause]

    def families(self) -> tuple[str, ...]:
        """The known beginnings of ids, each once."""
        return tuple(dict.fromkeys(clause.family for clause in self.clauses.values()))

    def matching(self, prefix: str) -> tuple[Clause, ...]:
        """The clause of that id, else all whose id begins so: ``PR-3`` is one clause, ``CS`` a whole game."""
        start = prefix.upper()
        if start in self.clauses:
            return (self.clauses[start],)
        clauses = tuple(clause for clause in self.clauses.values() if clause.id.startswith(start))
        if not clauses:
            known = ", ".join(self.families())
            raise Refusal("prefix", f"no clause begins with “{prefix}”; the known prefixes are {known}")
        return clauses


def read(text: str) -> Catalogue:
    """Read a catalogue; a defective one is refused with all its defects, not only the first."""
    data = tomllib.loads(text)
    defects = [*_part_defects(data), *_clause_defects(data)]
    if defects:
        raise Refusal("catalogue", "; ".join(defects))
    parts = {name: Part(name, entry["title"], entry["built"]) for name, entry in data["parts"].items()}
    clauses = {
        entry["id"]: Clause(entry["id"], entry["says"], entry["source"], parts[entry["part"]])
        for entry in data["clause"]
    }
    return Catalogue(MappingProxyType(parts), MappingProxyType(clauses))


@cache
def load() -> Catalogue:
    """The catalogue of this version of the program."""
    return read(files("houseway.clauses").joinpath("catalogue.toml").read_text(encoding="utf-8"))


def _part_defects(data: Mapping[str, Any]) -> Iterator[str]:
    for name, entry in data.get("parts", {}).items():
        if set(entry) != {"title", "built"} or not isinstance(entry["built"], bool):
            yield f"part {name} needs a title, and built = true or false"


def _clause_defects(data: Mapping[str, Any]) -> Iterator[str]:
    ids: set[str] = set()
    for entry in data.get("clause", []):
        if set(entry) != set(CLAUSE_FIELDS):
            yield f"clause {entry.get('id', '?')} needs exactly {', '.join(CLAUSE_FIELDS)}"
            continue
        clause_id = entry["id"]
        if not CLAUSE_ID.fullmatch(clause_id):
            yield f"“{clause_id}” is not a clause id"
        if clause_id in ids:
            yield f"clause {clause_id} stands there twice"
        ids.add(clause_id)
        if entry["part"] not in data.get("parts", {}):
            yield f"clause {clause_id} belongs to the unknown part “{entry['part']}”"
        if not 0 < len(entry["says"]) <= SAYS_AT_MOST or "\n" in entry["says"]:
            yield f"clause {clause_id} should say it in one line of at most {SAYS_AT_MOST} characters"
        if not entry["source"]:
            yield f"clause {clause_id} names no source"
