"""A pay table as it is written in JSON, by the API and on the command line."""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct, field

from houseway.paytables.model import Odds, OddsRow, PayTable, ProgressiveRow, ProgressiveTable

PRINTED_IN: Final = "USD"
"""The approved tables are printed in dollars."""


class OddsTable(Struct, frozen=True, kw_only=True, tag_field="kind", tag="odds"):
    """The odds that a wager pays, by hand."""

    game: str
    wager: str
    id: str
    aliases: tuple[str, ...]
    approved: bool
    printed: dict[str, str]
    """The figures printed beside the table, as printed: claims, which the figures judge."""
    pays: Literal["to", "for"]
    by: str
    columns: tuple[int, ...]
    rows: tuple[OddsRow, ...]
    envy_cents: dict[str, int]
    envy_minimum_cents: int
    currency: str


class AwardPay(Struct, frozen=True, kw_only=True):
    """What one hand wins of a progressive: a share of a meter, an amount, or a multiple of the wager."""

    hand: str
    percent: int | None
    meter: str | None
    fixed_cents: int | None
    for_one: Odds | None
    source: Literal["meter", "tray", "open"] = field(name="from")
    """The meter or the tray; open where the table leaves it to the link."""
    envy_cents: int


class AwardTable(Struct, frozen=True, kw_only=True, tag_field="kind", tag="progressive"):
    """What a progressive wager wins."""

    game: str
    wager: str
    id: str
    aliases: tuple[str, ...]
    approved: bool
    printed: dict[str, str]
    stated_wager_cents: int | None
    seed_cents: int | None
    meters: tuple[str, ...]
    rows: tuple[AwardPay, ...]
    currency: str


def describe_table(table: PayTable | ProgressiveTable) -> OddsTable | AwardTable:
    """One pay table as a record to write."""
    if isinstance(table, PayTable):
        return OddsTable(
            game=table.game,
            wager=table.wager,
            id=table.id,
            aliases=table.aliases,
            approved=table.approved,
            printed=dict(table.printed),
            pays="to" if table.returns_wager else "for",
            by=table.by,
            columns=table.columns,
            rows=table.rows,
            envy_cents=dict(table.envy_cents),
            envy_minimum_cents=table.envy_minimum_cents,
            currency=PRINTED_IN,
        )
    return AwardTable(
        game=table.game,
        wager=table.wager,
        id=table.id,
        aliases=table.aliases,
        approved=table.approved,
        printed=dict(table.printed),
        stated_wager_cents=table.stated_wager_cents,
        seed_cents=table.seed_cents,
        meters=tuple(table.meters),
        rows=tuple(map(_describe_award, table.rows)),
        currency=PRINTED_IN,
    )


def _describe_award(row: ProgressiveRow) -> AwardPay:
    return AwardPay(
        hand=row.hand,
        percent=row.percent,
        meter=row.meter,
        fixed_cents=row.fixed_cents,
        for_one=row.for_one,
        source=row.source,
        envy_cents=row.envy_cents,
    )
