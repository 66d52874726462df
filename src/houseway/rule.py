"""The mark that makes a function part of the rulebook.

A rule is a small pure function of integers (and of integer sequences handed in as arguments). At the table it runs
as it is written. The proof hands every marked function to numba's ``register_jitable`` and counts over the very same
source, so a rule is never written twice. Marking costs nothing: the function comes back unchanged.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from inspect import signature
from typing import Any, TypeAlias, TypeVar

Ints: TypeAlias = Sequence[int]
"""A look-up that enters a rule as an argument: a tuple at the table, an integer array in the proof."""

RULES: list[Callable[..., Any]] = []
"""Every rule, in the order its module was imported, so that callees come before their callers."""

Rule = TypeVar("Rule", bound=Callable[..., Any])


def rule(function: Rule) -> Rule:
    """Mark ``function`` as part of the rulebook."""
    RULES.append(function)
    return function


_handed_over: set[Callable[..., Any]] = set()
_lock = threading.Lock()


def hand_to_numba(functions: Iterable[Callable[..., Any]]) -> None:
    """Let compiled code call these functions; each is handed over once, callees before their callers."""
    from numba.extending import register_jitable

    with _lock:
        for function in functions:
            if function not in _handed_over:
                register_jitable(function)
                _handed_over.add(function)


@cache
def arguments_of(function: Callable[..., Any]) -> tuple[str, ...]:
    """The names of a rule's arguments: a declaration gives a rule what it asks for by name."""
    return tuple(signature(function).parameters)
