"""A floor of any size for a load test: virtual tables of every game, and progressives alone, on a few links."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from importlib.resources import files
from itertools import accumulate
from math import lcm
from typing import Final, NamedTuple

from houseway.manager.floor_file import example_floor
from houseway.refusal import Refusal


class Kind(NamedTuple):
    """A kind of table, and the link that all tables of the kind share."""

    table: str
    link: str = ""
    equipment: str = ""


def _kinds() -> dict[str, Kind]:
    text = files("houseway.commands").joinpath("load_floor.toml").read_text("utf-8")
    return {name: Kind(**kind) for name, kind in tomllib.loads(text).items()}


KINDS: Final[Mapping[str, Kind]] = _kinds()
"""The kinds of tables; the part of the name before the dash is enough where all of it are meant."""

_WHOLE: Final = lcm(*Counter(kind.partition("-")[0] for kind in KINDS).values())
"""The weight of 1, which the kinds of a name share without a rest."""
DEFAULT_MIX: Final = "virtual=1,progressive=1"
_MACHINES: Final[Mapping[str, tuple[tuple[str, str, bool], ...]]] = {
    "keypad": (
        ("game-manager", "6.6 build 520", True),
        ("aquarius-controller", "6.5.6SP", True),
        ("coin-spot", "6.0", True),
        ("vips", "1.2.0", False),
        ("i-deal-plus", "NXP 1.0.114", True),
    ),
    "touch": (
        ("nexus-game-manager", "1.3.0", True),
        ("nexus-table-controller", "2.0.0", True),
        ("vips", "1.2.0", False),
        ("i-deal-plus", "NXP 1.0.114", True),
    ),
}
"""What stands at tables that are not virtual, by console: kind, version, and whether it thinks."""


def read_mix(text: str) -> dict[str, int]:
    """``virtual=3,progressive-stud=1``: how many of each kind there are to one of another."""
    weights = dict.fromkeys(KINDS, 0)
    for part in text.split(","):
        name, _, weight = part.strip().partition("=")
        meant = [kind for kind in KINDS if kind == name or kind.partition("-")[0] == name]
        if not meant:
            raise Refusal("mix", f"unknown kind {name[:40]!r}; allowed: virtual, progressive, {', '.join(KINDS)}")
        if not (weight or "1").isascii() or not (weight or "1").isdigit() or len(weight) > 6:
            raise Refusal("mix", f"{name}={weight[:20]} must be a whole number")
        # A part's weight is shared by the kinds it means: virtual=1,progressive=1 is as many of either.
        for kind in meant:
            weights[kind] += int(weight or "1") * _WHOLE // len(meant)
    if not any(weights.values()):
        raise Refusal("mix", "leaves no table")
    return weights


def shares(mix: Mapping[str, int], tables: int) -> dict[str, int]:
    """How many tables of each kind come of a mix: as near to it as whole tables are, in all exactly so many."""
    total = sum(mix.values())
    edges = [tables * weight // total for weight in accumulate(mix.values())]
    return {kind: edge - before for kind, edge, before in zip(mix, edges, [0, *edges], strict=False)}


def floor_text(tables: int, mix: Mapping[str, int]) -> str:
    """The floor file of a load test."""
    example = example_floor()
    approvals = example[example.index("[[approvals]]") :]
    return "\n".join([*_head(), *_floor(shares(mix, tables)), approvals])


def _head() -> Iterator[str]:
    yield '[site]\nname = "Load test"\njurisdiction = "Washington"\nkind = "commercial"'
    yield 'time_zone = "America/Los_Angeles"\nday_starts = "06:00"\nweek_starts = "monday"\ncurrency = "USD"\n'
    yield '[policies]\nwashington = true\nexecutive_from = "10,000.00"\nsurveillance_over = "3,000.00"\n'


def _floor(counts: Mapping[str, int]) -> Iterator[str]:
    standing: dict[str, list[str]] = {}
    links = []
    for name, count in counts.items():
        kind = KINDS[name]
        ids = [f"{name}-{number}" for number in range(1, count + 1)]
        for table in ids:
            yield f'[[tables]]\nid = "{table}"\n{kind.table}'
        if ids and kind.link:
            links.append(f'[[links]]\nid = "{name}"\nname = "{name}"\ntables = {_list(ids)}\n{kind.link}')
        if ids and kind.equipment:
            standing.setdefault(kind.equipment, []).extend(ids)
    yield from links
    for console, ids in standing.items():
        for machine, version, thinks in _MACHINES[console]:
            yield f'[[equipment]]\nid = "{machine}-{console}"\nkind = "{machine}"\ntables = {_list(ids)}'
            yield f'version = "{version}"' if version else ""
            yield "" if thinks else "intelligence = false\nnetwork = false"


def _list(ids: list[str]) -> str:
    return "[" + ", ".join(f'"{table}"' for table in ids) + "]"
