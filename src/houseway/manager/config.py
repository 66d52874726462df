"""A whole floor as it is configured: the checked result of a floor file, as it enters the journal."""

from __future__ import annotations

from msgspec import Struct

from houseway.progressive.terms import Terms
from houseway.table.config import Policies, TableConfig


class LinkConfig(Struct, frozen=True, kw_only=True):
    """PR-1: a link owns meters and joins tables."""

    id: str
    name: str
    """For displays."""
    tables: tuple[str, ...]
    terms: Terms


class FloorConfig(Struct, frozen=True, kw_only=True):
    """The site's policies, its tables and its links."""

    policies: Policies
    tables: tuple[TableConfig, ...]
    links: tuple[LinkConfig, ...] = ()
