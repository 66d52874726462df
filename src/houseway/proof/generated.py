"""Compiled loops that are written from a declaration: what sets of cards are worth, and what comes back on wagers.

A loop is a few lines of source in which the rules themselves are called by name. The source is a file in the cache
folder, so that what the compiler made of it can be kept beside it; its name is a digest of the text and of everything
that the rules come from.
"""

from __future__ import annotations

import hashlib
import linecache
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import CodeType, ModuleType
from typing import Any

import numpy as np

from houseway.games.model import Derived, Game, Rule
from houseway.proof.compiled import Kernel, cache_folder
from houseway.proof.digest import digest_of_functions
from houseway.proof.fits import Scored
from houseway.proof.shape import needed, needs_options
from houseway.ranking.ranking import Ranking
from houseway.rule import arguments_of

_kernels: dict[str, Kernel] = {}
_lock = threading.RLock()


def plain(name: str, source: str, names: Mapping[str, Any]) -> Callable[..., Any]:
    """A function from its source, to be run as Python."""
    scope = dict(names)
    exec(_code(f"<{name}>", source), scope)
    return scope[name]  # type: ignore[no-any-return]


def compiled(name: str, source: str, names: Mapping[str, Any]) -> Kernel:
    """A function from its source, to be run as machine code."""
    functions = {key: thing for key, thing in names.items() if callable(thing)}
    called = [f"{key} {thing.__module__}.{thing.__qualname__}" for key, thing in functions.items()]
    text = "\n".join([source, *called, digest_of_functions(functions.values())])
    digest = hashlib.sha256(text.encode()).hexdigest()[:24]
    module = f"houseway_generated_{name}_{digest}"
    with _lock:
        if module not in _kernels:
            _kernels[module] = _compiled(name, module, source, names)
        return _kernels[module]


def _compiled(name: str, module: str, source: str, names: Mapping[str, Any]) -> Kernel:
    folder = cache_folder()
    file = f"<{module}>"
    if folder is not None:
        path = folder / "generated" / f"{module}.py"
        try:
            if not path.exists():
                path.parent.mkdir(exist_ok=True)
                path.write_text(source, "utf-8")
            file = str(path)
        except OSError:
            folder = None
    # Compiled code that is loaded again looks for the module that its function was in.
    home = sys.modules[module] = ModuleType(module)
    vars(home).update(names)
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(_code(file, source), vars(home))
    return Kernel(getattr(home, name), {} if folder is not None else {"cache": False})


def _code(file: str, source: str) -> CodeType:
    return compile(source, file, "exec")


# ------------------------------------------------------------------------------------------------ values of cards


@cache
def value_kernel(ranking: Ranking, cards: int) -> Kernel | None:
    """A loop that values sets of cards; None for a ranking that cannot be compiled."""
    if not is_compilable(ranking.compiled) or (ranking.card_bit is not None and not is_compilable(ranking.card_bit)):
        return None
    lookups = [f"look_{place}" for place in range(len(ranking.lookups()))]
    held = [f"deck[sets[row, {place}]]" for place in range(cards)]
    names: dict[str, Any] = {"value_of": ranking.compiled}
    if ranking.card_bit is not None:
        held = [" | ".join(f"card_bit({card})" for card in held)]
        names["card_bit"] = ranking.card_bit
    source = (
        f"def value_sets({', '.join(['deck', 'sets', 'values', *lookups])}):\n"
        "    for row in range(len(sets)):\n"
        f"        values[row] = value_of({', '.join([*held, *lookups])})\n"
    )
    return compiled("value_sets", source, names)


def is_compilable(function: Callable[..., Any]) -> bool:
    """Whether a function is a rule, which compiled loops may call."""
    from houseway.rule import RULES

    return any(function is known for known in RULES)


# ------------------------------------------------------------------------------------------------ what comes back


def outcome_source(game: Game, scored: Sequence[Scored], own: Sequence[str], dealer: Sequence[str]) -> str:
    """The source of a loop over own and dealer values: where, with the dealer's rising, what comes back changes.

    A rule counts with its weight; one whose weight is 0 is not asked. Stakes, weights and odds are given by place in
    ``scored``, options and amounts in the order of ``asked_options`` and ``asked_amounts``.
    """
    derived = [
        value for key in needed(game, [rule for _, rule in scored]) if isinstance(value := game.value_of(key), Derived)
    ]
    lines = [f"    v_{name} = numbers[{place}]" for place, name in enumerate(asked_options(game, scored))]
    lines += [f"    v_{name} = amounts[{place}]" for place, name in enumerate(asked_amounts(game, scored))]
    for place, (_, rule) in enumerate(scored):
        if "num" in arguments_of(rule) or "den" in arguments_of(rule):
            lines += [f"    num_{place} = num[{place}]", f"    den_{place} = den[{place}]"]
    lines += [
        "    for row in range(len(own)):",
        *(f"        v_{name} = own[row, {place}]" for place, name in enumerate(own)),
        "        last = np.int64(0)",
        "        for column in range(len(dealers)):",
        *(f"            v_{name} = dealers[column, {place}]" for place, name in enumerate(dealer)),
        *(f"            v_{value.key} = rule_{value.key}({_given(value.rule)})" for value in derived),
        "            total = np.int64(0)",
    ]
    for place, (_, rule) in enumerate(scored):
        given = [
            f"{name}_{place}" if name in ("num", "den") else f"stakes[{place}]" if name == "stake" else f"v_{name}"
            for name in arguments_of(rule)
        ]
        lines += [
            f"            if weights[{place}] != 0:",
            f"                total += weights[{place}] * np.int64(scored_{place}({', '.join(given)}))",
        ]
    lines += [
        "            if column == 0 or total != last:",
        "                if found[row] < starts.shape[1]:",
        "                    starts[row, found[row]] = column",
        "                    totals[row, found[row]] = total",
        "                found[row] += 1",
        "                last = total",
    ]
    head = "def outcomes(own, dealers, numbers, amounts, stakes, weights, num, den, starts, totals, found):\n"
    return head + "\n".join(lines) + "\n"


def _given(rule: Rule) -> str:
    return ", ".join(f"v_{name}" for name in arguments_of(rule))


def outcome_names(game: Game, scored: Sequence[Scored]) -> dict[str, Any]:
    """The names that the source above uses."""
    names: dict[str, Any] = {"np": np}
    for key in needed(game, [rule for _, rule in scored]):
        value = game.value_of(key)
        if isinstance(value, Derived):
            names[f"rule_{key}"] = value.rule
    for place, (_, rule) in enumerate(scored):
        names[f"scored_{place}"] = rule
    return names


def asked_options(game: Game, scored: Sequence[Scored]) -> tuple[str, ...]:
    """The house options that rules ask for, and the values that they are given."""
    return needs_options(game, [rule for _, rule in scored])


def asked_amounts(game: Game, scored: Sequence[Scored]) -> tuple[str, ...]:
    """The wagers whose amounts rules ask for by name."""
    asked = {name for _, rule in scored for name in arguments_of(rule)}
    return tuple(wager.key for wager in game.wagers if wager.key in asked)
