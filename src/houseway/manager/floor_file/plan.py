"""A floor as it is planned in a file: its parts as far as they can be read, with what they refer to found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

from houseway.games import Game
from houseway.manager.floor_file.draft import (
    WEEKDAYS,
    AmountPart,
    ApprovalPart,
    EquipmentPart,
    LinkPart,
    MeterPart,
    PolicyPart,
    SitePart,
    TablePart,
    WitnessesPart,
)
from houseway.paytables import Book, Defect, PayTable, ProgressiveTable, Table
from houseway.refusal import Refusal
from houseway.table.approvals import DEMONSTRATION, Approval, Checklist, marked
from houseway.table.card_round.agenda import counts_hands
from houseway.table.config import Dated, Limits, Policies, SeparateGames
from houseway.table.equipment import Equipment, Needs
from houseway.table.shuffler import usual_dealing

PROGRESSIVE = "progressive"
DESIGNATOR = "designator"
TAX_FORMS = Policies(site="", jurisdiction="").tax_forms
"""FL-18: the thresholds where the file gives none."""


@dataclass(frozen=True)
class PlannedTable:
    """One table of the file."""

    where: str
    """What messages call it: by its id, or by its place in the file."""
    part: TablePart
    game: Game | None
    book: Book

    def defect(self, what: str) -> Defect:
        return Defect(self.where, what)

    @cached_property
    def options(self) -> Mapping[str, Any]:
        """Every house option of the game: as written where it fits, else its default."""
        if self.game is None:
            return {}
        return {**self.game.defaults, **self.written_options}

    @cached_property
    def written_options(self) -> Mapping[str, Any]:
        """The house options that the file sets, where they fit."""
        return {
            option.name: self.part.options[option.name]
            for option in (self.game.options if self.game else ())
            if option.name in self.part.options and option.fits(self.part.options[option.name])
        }

    @cached_property
    def pay_tables(self) -> Mapping[str, Table]:
        """The pay tables that are named, directly or by designator, and exist, by wager."""
        if self.game is None:
            return {}
        named = {wager: name for wager, name in self.part.pay_tables.items() if wager != DESIGNATOR and name}
        designator = self.book.designator(self.game.key, self.part.pay_tables.get(DESIGNATOR) or "")
        both = {**(designator.tables if designator else {}), **named}
        with suppress(Refusal):  # a defect of its own
            both = self.game.named_tables(both, self.written_options)
        pay_tables = {wager: self.book.find(self.game.families, wager, name) for wager, name in both.items()}
        return {wager: table for wager, table in pay_tables.items() if table is not None}

    def pay_table(self, wager: str) -> PayTable | None:
        """The pay table of a wager: the one named, or the only approved one."""
        if self.game is None:
            return None
        table = self.pay_tables.get(wager) or self.book.only_approved(self.game.families, wager)
        return table if isinstance(table, PayTable) else None

    @property
    def offers_cover_all(self) -> bool:
        """Whether Cover All has limits here; a wager without them is not offered."""
        return self.game is not None and any(wager in self.part.limits for wager in counts_hands(self.game))

    @property
    def dealing(self) -> str:
        """FL-1: how it deals: as written, or the usual way of its game."""
        if self.part.dealing is not None or self.game is None:
            return self.part.dealing or ""
        return usual_dealing(self.game, cover_all=self.offers_cover_all)

    def needs(self, linked: bool, checklist: Checklist | None) -> Needs | None:
        """FL-11: what it asks of its equipment; None where that cannot be told."""
        part = self.part
        if part.id is None or part.console is None or self.game is None:
            return None
        virtual = part.kind == "virtual"
        letter, named = (checklist.submission, checklist.equipment) if checklist is not None else (0, ())
        return Needs(
            part.id, self.game, part.console, self.dealing, linked, self.offers_cover_all, virtual, letter, named
        )

    @cached_property
    def limits(self) -> Mapping[str, Limits]:
        """The limits that can be read, by wager."""
        return {
            wager: Limits(
                minimum_cents=limit.min,
                maximum_cents=limit.max,
                aggregate=dated(limit.aggregate),
            )
            for wager, limit in self.part.limits.items()
            if limit is not None and limit.min is not None and limit.max is not None
        }


@dataclass(frozen=True)
class PlannedLink:
    """One link of the file."""

    where: str
    part: LinkPart
    tables: tuple[PlannedTable, ...]
    """The tables it joins, as far as they exist."""
    book: Book

    def defect(self, what: str) -> Defect:
        return Defect(self.where, what)

    @cached_property
    def games(self) -> tuple[Game, ...]:
        """The games it joins, each once, in the order of its tables."""
        return tuple(dict.fromkeys(table.game for table in self.tables if table.game is not None))

    def found_for(self, game: Game) -> ProgressiveTable | None:
        """The pay table that the link's name means at a game; None where the game has none of that name."""
        if self.part.pay_table is None:
            return None
        table = self.book.find(game.families, PROGRESSIVE, self.part.pay_table)
        return table if isinstance(table, ProgressiveTable) else None

    @cached_property
    def pay_table(self) -> ProgressiveTable | None:
        """The pay table, as the first of the games that has it knows it."""
        return next((pay_table for game in self.games if (pay_table := self.found_for(game)) is not None), None)

    def meters(self) -> Iterator[tuple[str, MeterPart]]:
        """The configured meters that the pay table has."""
        names = self.pay_table.meters if self.pay_table else ()
        for name, meter in (self.part.meters or {}).items():
            if name in names and meter is not None:
                yield name, meter


@dataclass(frozen=True)
class PlannedMachine:
    """One entry of the equipment register."""

    where: str
    part: EquipmentPart

    def defect(self, what: str) -> Defect:
        return Defect(self.where, what)

    @cached_property
    def equipment(self) -> Equipment | None:
        """The machine; None where its id or kind cannot be read."""
        part = self.part
        if part.id is None or part.kind is None:
            return None
        return Equipment(
            id=part.id,
            kind=part.kind,
            version=part.version or "",
            tables=tuple(part.tables),
            backup=part.backup,
            intelligence=part.intelligence,
            network=part.network,
            model=part.model or "",
            modes=tuple(part.modes),
            reference=part.reference or "",
        )


@dataclass(frozen=True)
class PlannedApproval:
    """The checklist of one game."""

    called: str
    part: ApprovalPart

    @property
    def where(self) -> str:
        """What messages call it; a demonstration is never mistaken for a real approval."""
        return f"{DEMONSTRATION}: {self.called}" if self.part.demonstration else self.called

    def defect(self, what: str) -> Defect:
        return Defect(self.where, what)

    @cached_property
    def checklist(self) -> Checklist | None:
        """What is on file, as far as it can be read; None where nobody can say for what."""
        part = self.part
        if part.game is None or part.submission is None:
            return None
        return Checklist(
            game=part.game,
            submission=part.submission,
            rules=tuple(day.isoformat() for day in part.rules or ()),
            equipment=tuple(part.equipment),
            demonstration=part.demonstration,
            items={
                key: Approval(
                    date=item.date.isoformat(),
                    reference=marked(item.reference, demonstration=part.demonstration),
                    sold=item.sold.isoformat() if item.sold else "",
                    by=item.by or "",
                )
                for key, item in part.items.items()
                if item is not None and item.date is not None and item.reference is not None
            },
        )


@dataclass(frozen=True)
class Plan:
    """The whole file."""

    site: SitePart
    policies: PolicyPart
    tables: tuple[PlannedTable, ...]
    links: tuple[PlannedLink, ...]
    on: date
    """The day for which dated limits and approvals are judged."""
    machines: tuple[PlannedMachine, ...] = ()
    approvals: tuple[PlannedApproval, ...] = ()
    witnesses: WitnessesPart | None = None

    @cached_property
    def equipment(self) -> tuple[Equipment, ...]:
        """The machines that can be read."""
        return tuple(machine.equipment for machine in self.machines if machine.equipment is not None)

    @cached_property
    def checklists(self) -> tuple[Checklist, ...]:
        """The checklists that can be read."""
        return tuple(approval.checklist for approval in self.approvals if approval.checklist is not None)

    def link_of(self, table: PlannedTable) -> PlannedLink | None:
        """The first link that joins a table."""
        return next((link for link in self.links if table in link.tables), None)

    @cached_property
    def needs(self) -> tuple[Needs, ...]:
        """What the tables ask of their equipment, as far as it can be told."""
        checklists = {checklist.game: checklist for checklist in self.checklists}
        needs = (
            table.needs(self.link_of(table) is not None, checklists.get(table.game.key) if table.game else None)
            for table in self.tables
        )
        return tuple(need for need in needs if need is not None)

    @cached_property
    def rules(self) -> Policies:
        """The site's policies as far as they can be read."""
        return policies(self.site, self.policies)


def policies(site: SitePart, part: PolicyPart) -> Policies:
    """The site and its policies in one."""
    return Policies(
        site=site.name or "",
        jurisdiction=site.jurisdiction or "",
        kind=site.kind,
        currency=site.currency,
        time_zone=site.time_zone or "UTC",
        day_starts=site.day_starts,
        week_starts=WEEKDAYS.index(site.week_starts),
        executive_from_cents=part.executive_from,
        washington=part.washington,
        surveillance_over_cents=part.surveillance_over,
        tax_forms=dated(part.tax_forms) or TAX_FORMS,
        tax_multiple=part.tax_multiple,
        failures_before_lockout=part.failures_before_lockout,
        lockout_minutes=part.lockout_minutes,
        seconding_wait_hours=part.seconding_wait_hours,
        advice=part.advice,
        authorised_limits=dated(part.authorised_limits),
        separate_games=tuple(
            SeparateGames(reading.since.isoformat(), reading.games, reading.reference, tuple(reading.not_counted))
            for reading in part.separate_games
            if reading.since is not None and reading.games is not None
        ),
    )


def dated(amounts: list[AmountPart]) -> tuple[Dated, ...]:
    """The entries of a dated table that can be read."""
    return tuple(
        Dated(amount.since.isoformat(), amount.amount, amount.reference)
        for amount in amounts
        if amount.since is not None and amount.amount is not None
    )
