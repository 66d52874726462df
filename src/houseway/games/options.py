"""The house options that several games share, and the small makers that games declare their own with."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

from houseway.games.model import Option


def switch(name: str, default: bool, says: str, *clauses: str, settles: bool = True) -> Option:
    """An option that is on or off."""
    return Option(name, default, "true or false", lambda value: isinstance(value, bool), says, clauses, settles)


def choice(name: str, values: Sequence[str], says: str, *clauses: str, settles: bool = True) -> Option:
    """An option with named values, the default first."""
    allowed = tuple(values)
    return Option(
        name,
        allowed[0],
        _either(allowed),
        lambda value: isinstance(value, str) and value in allowed,
        says,
        clauses,
        settles,
        allowed,
    )


def number(name: str, default: int, least: int, most: int | None, says: str, *clauses: str) -> Option:
    """An option that is a whole number and changes no settlement."""
    words = f"a whole number from {least} to {most}" if most is not None else f"a whole number, {least} or more"

    def fits(value: Any) -> bool:
        return type(value) is int and value >= least and (most is None or value <= most)

    return Option(name, default, words, fits, says, clauses, settles=False)


def one_of(name: str, values: Sequence[int], says: str, *clauses: str) -> Option:
    """An option that is one of some whole numbers, the default first."""
    allowed = tuple(values)

    def fits(value: Any) -> bool:
        return type(value) is int and value in allowed

    return Option(name, allowed[0], _either([str(value) for value in allowed]), fits, says, clauses)


def ordering(name: str, words: Sequence[str], says: str, *clauses: str) -> Option:
    """An option that is an order of the given words, separated by spaces; changes no settlement."""
    allowed = {" ".join(order) for order in permutations(words)}
    return Option(
        name,
        " ".join(words),
        f"the words {' '.join(words)} in any order, each once",
        lambda value: isinstance(value, str) and value in allowed,
        says,
        clauses,
        settles=False,
    )


def _either(values: Sequence[str]) -> str:
    return " or ".join([", ".join(values[:-1]), values[-1]] if len(values) > 1 else values)


def _is_award_order(value: Any) -> bool:
    if isinstance(value, str):
        return value in ("right_to_left", "left_to_right")
    return (
        isinstance(value, list | tuple)
        and len(value) > 0
        and all(type(spot) is int and spot > 0 for spot in value)
        and len(set(value)) == len(value)
    )


def _is_fixed_from(value: Any) -> bool:
    return isinstance(value, str) and (
        value in ("as_marked", "meter", "tray") or (value.startswith("meter:") and len(value) > len("meter:"))
    )


AWARD_ORDER = Option(
    "award_order",
    "right_to_left",
    "right_to_left, left_to_right, or a list of different spot numbers",
    _is_award_order,
    "In which order the winners of one round are paid from the meter.",
    ("PR-17", "TCX-5"),
)
FIXED_FROM = Option(
    "fixed_from",
    "as_marked",
    "as_marked, tray, meter, or meter:NAME with the name of one of the table's meters",
    _is_fixed_from,
    "Where fixed awards come from: marked rows as marked and open rows from the tray, open rows from a meter, or "
    "every fixed row from the tray.",
    ("CSP-A2", "PR-6", "SEB-4", "PGP-4"),
)
ENVY_NEEDS_WAGER = switch(
    "envy_needs_wager",
    True,
    "Only a hand with a progressive wager of its own pays envy to the others.",
    "PR-18",
)
FOLDED_WINS_ENVY = switch("folded_wins_envy", True, "A spot that folded still wins envy.", "PR-A1")
ENVY_SCALES = switch(
    "envy_scales",
    True,
    "Envy grows with the progressive wager. If this is off, it is paid as printed whatever the wager.",
    "PR-A2",
)
"""For the games whose tables print envy in dollars and do not say for which wager."""
DECISION_TIMEOUT = Option(
    "decision_timeout_seconds",
    0,
    "0 for none, or a number of seconds",
    lambda value: isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < float("inf"),
    "On a virtual table, how long a player may think.",
    ("FL-23",),
    settles=False,
)
COMMISSION_COLLECTED = choice(
    "commission_collected",
    ("at_once", "marked"),
    "Whether commission is collected at once, or marked at the spot until the player leaves.",
    "BA-10",
    settles=False,
)


def folded_qualifies(*clauses: str, never: bool = False) -> Option:
    """Whether a folded hand can win the progressive; at some games it never may."""
    if never:
        return Option(
            "folded_qualifies",
            False,
            "false: a folded hand never qualifies at this game",
            lambda value: value is False,
            "A folded hand never wins the progressive.",
            clauses,
        )
    return switch("folded_qualifies", False, "A folded hand can still win the progressive.", *clauses)


def progressive_options(qualifies: Option) -> tuple[Option, ...]:
    """The options that every game's progressive has."""
    return (qualifies, FIXED_FROM, AWARD_ORDER, ENVY_NEEDS_WAGER, FOLDED_WINS_ENVY, DECISION_TIMEOUT)
