"""The proof: exact counts of every game and pay table, over the very rules the table pays by.

Nothing here is needed to run a floor, and numba is imported only when something is counted. The names below are what
other programs use; ``docs/proof.md`` shows how.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from houseway.proof.advise import choices
    from houseway.proof.collect import Request, all_figures, progressive_odds
    from houseway.proof.figure import Figure
    from houseway.proof.progressive import Odds
    from houseway.proof.store import approved_figures

__all__ = ["Figure", "Odds", "Request", "all_figures", "approved_figures", "choices", "progressive_odds"]

_HOMES = {
    "Figure": "figure",
    "Odds": "progressive",
    "Request": "collect",
    "all_figures": "collect",
    "approved_figures": "store",
    "choices": "advise",
    "progressive_odds": "collect",
}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
