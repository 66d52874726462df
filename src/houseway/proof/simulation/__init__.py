"""Simulation: whole tables over random deals, by the very rules, the same whoever deals them (docs/simulate.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from houseway.proof.simulation.plan import Link, Setup, plan_of
    from houseway.proof.simulation.results import Results, results_of
    from houseway.proof.simulation.run import simulate

__all__ = ["Link", "Results", "Setup", "plan_of", "results_of", "simulate"]

_HOMES = {
    "Link": "plan",
    "Results": "results",
    "Setup": "plan",
    "plan_of": "plan",
    "results_of": "results",
    "simulate": "run",
}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
