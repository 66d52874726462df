"""A whole floor as it is configured: the checked result of a floor file, as it enters the journal."""

from __future__ import annotations

from typing import Final

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from houseway.manager.transparency.checkpoint import WitnessPolicy
from houseway.progressive.terms import Terms
from houseway.table.approvals import Checklist
from houseway.table.config import Policies, TableConfig
from houseway.table.equipment import Equipment

DEMONSTRATED: Final = "DEMONSTRATION · "
"""Before the name of a site that only demonstrates."""


def demonstrated(policies: Policies) -> Policies:
    """FL-10, TR-9: a demonstration says so wherever its site is named: every page and report."""
    site = policies.site if policies.site.startswith(DEMONSTRATED) else f"{DEMONSTRATED}{policies.site}"
    return replace(policies, site=site, demonstration=True)


class LinkConfig(Struct, frozen=True, kw_only=True):
    """PR-1: a link owns meters and joins tables."""

    id: str
    name: str
    """For displays."""
    tables: tuple[str, ...]
    terms: Terms


class Witnesses(Struct, frozen=True, kw_only=True):
    """TR-13: who must have seen the journal."""

    keys: tuple[str, ...]
    """Their verifier keys, as `houseway witness new-key` shows them."""
    quorum: int
    """How many of them `houseway journal verify` demands."""


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

    witnesses: Witnesses | UnsetType = UNSET
    """TR-13: none where nothing is said; a configuration from before there were any is written as it was."""

    @property
    def witness_policy(self) -> WitnessPolicy:
        """Whose cosignatures count, and how many it takes."""
        if isinstance(self.witnesses, UnsetType):
            return WitnessPolicy()
        return WitnessPolicy.read("witnesses", self.witnesses.keys, self.witnesses.quorum)

    def link_of(self, table: str) -> LinkConfig | None:
        """The link that joins a table; None where it plays no progressive."""
        return next((link for link in self.links if table in link.tables), None)

    def checklist(self, game: str) -> Checklist | None:
        """What is on file for a game."""
        return next((approval for approval in self.approvals if approval.game == game), None)
