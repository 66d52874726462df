"""A whole floor as it is configured: the checked result of a floor file, as it enters the journal."""

from __future__ import annotations

from msgspec import Struct

from houseway.progressive.terms import Terms
from houseway.table.approvals import Checklist
from houseway.table.config import Policies, TableConfig
from houseway.table.equipment import Equipment


class LinkConfig(Struct, frozen=True, kw_only=True):
    """PR-1: a link owns meters and joins tables."""

    id: str
    name: str
    """For displays."""
    tables: tuple[str, ...]
    terms: Terms


class FloorConfig(Struct, frozen=True, kw_only=True):
    """The site's policies, its tables and its links, and what is on file for them."""

    policies: Policies
    tables: tuple[TableConfig, ...]
    links: tuple[LinkConfig, ...] = ()
    equipment: tuple[Equipment, ...] = ()
    """FL-11: the machines of the site."""
    approvals: tuple[Checklist, ...] = ()
    """FL-10: the checklist of each game."""
    approvals_kept: bool = False
    """Whether tables open only when these registers are complete for them; every floor file keeps them."""

    def link_of(self, table: str) -> LinkConfig | None:
        """The link that joins a table; None where it plays no progressive."""
        return next((link for link in self.links if table in link.tables), None)

    def checklist(self, game: str) -> Checklist | None:
        """What is on file for a game."""
        return next((one for one in self.approvals if one.game == game), None)
