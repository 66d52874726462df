"""The terms of a link: how each progressive wager is shared out (PR-2, PR-3), and what its meters start again from."""

from __future__ import annotations

from typing import Final, NamedTuple

from msgspec import Struct, field

from houseway.paytables import ProgressiveTable

MICROS_PER_CENT: Final = 10_000
"""The ledger counts in millionths of a dollar: a hundredth of a percent of a cent is one of them."""
WHOLE_BP: Final = 10_000
"""The whole of a wager, in hundredths of a percent."""


class MeterTerms(Struct, frozen=True, kw_only=True):
    """What one meter of a link gets of every wager, and what it starts again from."""

    contribution_bp: int
    """Its share of each wager, in hundredths of a percent."""
    reserve_bp: int = 0
    """Its reserve's share."""
    seed_cents: int = 0
    maximum_cents: int | None = None
    """The posted maximum (FL-15): what would rise above it goes to the reserve. None for none."""


class Terms(Struct, frozen=True, kw_only=True):
    """Everything that a round on a link is played under; a round keeps the terms it was locked in with."""

    table: ProgressiveTable
    wager_cents: int
    meters: dict[str, MeterTerms]
    fixed_from: str = "as_marked"
    """PR-6: where open rows are paid from, in the words of the house option."""
    reference: str = field(default="")
    """What authorised these terms, in the operator's words."""


class Split(NamedTuple):
    """Some wagers shared out, in micros; nothing is lost: all parts add up to the wagers."""

    meters: dict[str, int]
    reserves: dict[str, int]
    kept: int


def split(terms: Terms, wagers: int) -> Split:
    """PR-2: so many wagers shared out between meters, reserves and the house, to the micro."""
    cents = terms.wager_cents * wagers
    # cents * micros per cent * rate / whole, where micros per cent and whole are equal: exact by construction.
    meters, reserves, rest = {}, {}, cents * MICROS_PER_CENT
    for name, meter in terms.meters.items():
        meters[name] = part = cents * meter.contribution_bp
        rest -= part
        if meter.reserve_bp:
            reserves[name] = part = cents * meter.reserve_bp
            rest -= part
    return Split(meters, reserves, rest)


def cents_of(micros: int) -> int:
    """What a meter shows: rounded down to the cent."""
    return micros // MICROS_PER_CENT
