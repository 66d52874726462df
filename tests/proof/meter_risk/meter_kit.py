"""Links and meters for the tests of meter risk."""

from __future__ import annotations

from fractions import Fraction

from houseway.games import all_games, approved_book
from houseway.manager.advice import Chances, chances_at
from houseway.paytables import ProgressiveTable
from houseway.progressive.terms import MeterTerms, Terms
from houseway.proof.meter_risk.model import Fixed, MeterModel, Share, models_of

STUD, THREE, PAI_GOW = "caribbean-stud", "three-card-poker", "six-card-pai-gow"


def table_of(game: str, name: str) -> ProgressiveTable:
    table = approved_book().find(all_games()[game].families, "progressive", name)
    assert isinstance(table, ProgressiveTable)
    return table


def chances_of(game: str) -> Chances:
    chances = chances_at(game)
    assert chances is not None
    return chances


def terms_of(
    game: str, name: str, contribution_bp: int, reserve_bp: int = 0, seed_cents: int | None = None,
    fixed_from: str = "as_marked", wager_cents: int | None = None,
) -> Terms:  # fmt: skip
    """A link whose meters are all set alike; without a seed the printed one."""
    table = table_of(game, name)
    seed = table.seed_cents if seed_cents is None else seed_cents
    assert seed is not None
    meter = MeterTerms(contribution_bp=contribution_bp, reserve_bp=reserve_bp, seed_cents=seed)
    return Terms(
        table=table,
        wager_cents=wager_cents or table.stated_wager_cents or 100,
        meters=dict.fromkeys(table.meters, meter),
        fixed_from=fixed_from,
    )


def meter_of(game: str, name: str, contribution_bp: int, reserve_bp: int = 0, seed_cents: int | None = None,
             fixed_from: str = "as_marked") -> MeterModel:  # fmt: skip
    """The first meter of such a link."""
    terms = terms_of(game, name, contribution_bp, reserve_bp, seed_cents, fixed_from)
    chances = chances_of(game)
    return next(iter(models_of(terms, chances.rows, chances.total).values()))


def toy(
    *, jackpot: int = 5, shares: tuple[tuple[int, int], ...] = (), fixed: tuple[tuple[int, int], ...] = (),
    contribution: int = 50, reserve: Fraction = Fraction(0), seed: int = 1_000, total: int = 1_000,
) -> MeterModel:  # fmt: skip
    """A meter in round numbers: ways and percent of shares, ways and cents of fixed awards, all money in cents."""
    return MeterModel(
        name="toy",
        total=total,
        jackpot_ways=jackpot,
        shares=tuple(Share(f"share {number}", *one) for number, one in enumerate(shares)),
        fixed=tuple(Fixed(f"fixed {number}", *one) for number, one in enumerate(fixed)),
        contribution_micros=contribution * 10_000,
        reserve_micros=int(reserve * 10_000),
        seed_cents=seed,
    )
