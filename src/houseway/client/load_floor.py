"""A floor of any size for a load test: virtual tables of every game, and progressives alone, on a few links."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Final, NamedTuple

from houseway.manager.floor_file import example_floor
from houseway.refusal import Refusal


class Kind(NamedTuple):
    """A kind of table, and the link that all tables of the kind share."""

    table: str
    link: str = ""
    equipment: str = ""


_STUD: Final = """game = "caribbean-stud"
spots = 7
limits.ante = { min = "5.00", max = "100.00" }
limits.bet = { min = "10.00", max = "200.00" }
"""
_THREE: Final = """game = "three-card-poker"
console = "touch"
spots = 7
pay_tables = { designator = "TCP-01", six_card_bonus = "TCP-6B1" }
limits.ante = { min = "5.00", max = "100.00" }
limits.play = { min = "5.00", max = "100.00" }
limits.pair_plus = { min = "5.00", max = "50.00" }
limits.six_card_bonus = { min = "1.00", max = "25.00" }
"""
_THREE_METER: Final = """pay_table = "1"
wager = "1.00"
meters.main = { contribution = "13%", reserve = "1%", seed = "1,000.00" }
"""
_STUD_METER: Final = """pay_table = "CSTUD-01"
wager = "1.00"
meters.main = { contribution = "70%", reserve = "2%", seed = "10,000.00" }
"""

KINDS: Final[Mapping[str, Kind]] = {
    "virtual-three-card": Kind(f'{_THREE}kind = "virtual"\n', _THREE_METER),
    "virtual-stud": Kind(
        f'{_STUD}console = "keypad"\nkind = "virtual"\ndealing = "caribbean-stud-cover-all"\n'
        'pay_tables = { bonus = "CPSB-01" }\n'
        'limits.bonus = { min = "1.00", max = "25.00" }\nlimits.cover_all = { min = "1.00", max = "25.00" }\n',
        _STUD_METER,
    ),
    "virtual-pai-gow": Kind(
        """game = "six-card-pai-gow"
console = "touch"
spots = 6
kind = "virtual"
pay_tables = { fortune = "1" }
limits.base = { min = "10.00", max = "200.00" }
limits.double_down = { min = "10.00", max = "200.00" }
limits.fortune = { min = "1.00", max = "50.00" }
limits.insurance = { min = "1.00", max = "50.00" }
""",
        """pay_table = "3"
wager = "1.00"
meters."five aces" = { contribution = "10%", reserve = "1%", seed = "5,000.00" }
meters."royal flush" = { contribution = "5%", reserve = "1%", seed = "1,000.00" }
""",
    ),
    "virtual-edge-1": Kind(
        """game = "straight-edge-1"
console = "keypad"
spots = 6
kind = "virtual"
pay_tables = { bonus = "1" }
limits.ante = { min = "5.00", max = "100.00" }
limits.play = { min = "5.00", max = "100.00" }
limits.bonus = { min = "1.00", max = "25.00" }
limits.insurance = { min = "1.00", max = "25.00" }
""",
        """pay_table = "TWBB-1"
wager = "5.00"
meters.main = { contribution = "10%", reserve = "1%", seed = "5,000.00" }
""",
    ),
    "virtual-edge-2": Kind(
        """game = "straight-edge-2"
console = "touch"
spots = 6
kind = "virtual"
limits.ante = { min = "5.00", max = "100.00" }
limits.blind = { min = "5.00", max = "100.00" }
limits.play = { min = "10.00", max = "200.00" }
"""
    ),
    "progressive-stud": Kind(f'{_STUD}console = "keypad"\n', _STUD_METER, "keypad"),
    "progressive-levels": Kind(
        f'{_STUD}console = "touch"\n',
        """pay_table = "ML03"
wager = "1.00"
fixed_from = "tray"
meters.mega = { contribution = "8%", reserve = "1%", seed = "10,000.00" }
meters.major = { contribution = "4%", reserve = "0.5%", seed = "1,000.00" }
meters.minor = { contribution = "2%", reserve = "0.25%", seed = "100.00" }
""",
        "touch",
    ),
    "progressive-three-card": Kind(_THREE, _THREE_METER, "touch"),
}
"""The kinds of tables; the part of the name before the dash is enough where all of it are meant."""

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
        ("nexus-game-manager-2", "2.5.4", True),
        ("nexus-table-controller-2", "2.6.0", True),
        ("monitor", "", False),
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
            raise Refusal("mix", f"{name[:40]!r} is none; there are virtual, progressive, {', '.join(KINDS)}")
        if not (weight or "1").isascii() or not (weight or "1").isdigit() or len(weight) > 6:
            raise Refusal("mix", f"{name}={weight[:20]} must be a whole number")
        # A part's weight is shared by the kinds it means: virtual=1,progressive=1 is as many of either.
        for kind in meant:
            weights[kind] += int(weight or "1") * 60 // len(meant)
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
        for one in ids:
            yield f'[[tables]]\nid = "{one}"\n{kind.table}'
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
    return "[" + ", ".join(f'"{one}"' for one in ids) + "]"
