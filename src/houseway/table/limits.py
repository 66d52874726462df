"""Limits of wagers and payouts: what the law authorises on a day, what follows from it, and which rule is in force.

Dated tables, never constants (FL-9, FL-25): whoever asks says for which day. Money is whole cents.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from fractions import Fraction
from math import ceil
from typing import Final, Literal, NamedTuple, TypeAlias

from houseway.games import Game
from houseway.paytables import PayTable
from houseway.table.config import Dated, Limits, Policies

Authority: TypeAlias = Literal["law", "maker", "house"]
AUTHORITIES: Final[tuple[Authority, ...]] = ("law", "maker", "house")
"""FL-19: the order of authority, the highest first."""
ODDS_COUNTED_TO: Final = 50
"""FL-25: higher odds count as these."""


class Authorised(NamedTuple):
    """FL-9: the most a single wager may be, from a day on."""

    since: str
    """The first day, ISO."""
    cents: int
    few_tables: int = 0
    """On so many tables, and no more, a higher limit is authorised."""
    few_cents: int = 0
    reference: str = "WAC 230-15-040 and 230-15-140"


# Where only the year is known, January 1 of it stands here. The operator verifies the text in force.
WASHINGTON_COMMERCIAL: Final = (
    Authorised("1997-01-01", 2_500),
    Authorised("2000-01-01", 10_000),
    Authorised("2004-07-01", 10_000, few_tables=3, few_cents=20_000),
    Authorised("2009-01-01", 30_000),
    Authorised("2023-08-19", 40_000),
)
"""Single wagers of house-banked games in Washington's card rooms."""


def law_for(jurisdiction: str, kind: str) -> tuple[Authorised, ...]:
    """The authorised limits that are known here; none where the operator must enter them."""
    washington = jurisdiction.strip().casefold() == "washington"
    return WASHINGTON_COMMERCIAL if washington and kind == "commercial" else ()


def entered(limits: Iterable[Dated]) -> tuple[Authorised, ...]:
    """Authorised limits as the operator entered them, such as a compact's."""
    return tuple(Authorised(limit.since, limit.cents, reference=limit.reference) for limit in limits)


def authorised_on(limits: Sequence[Authorised], on: date) -> Authorised | None:
    """The limit in force on a day; None before the first."""
    begun = [limit for limit in limits if limit.since <= on.isoformat()]
    return max(begun, key=lambda rule: rule.since, default=None)


def in_force(amounts: Sequence[Dated], on: date) -> Dated | None:
    """The entry of a dated table that is in force on a day; None before the first."""
    begun = [amount for amount in amounts if amount.since <= on.isoformat()]
    return max(begun, key=lambda rule: rule.since, default=None)


# ------------------------------------------------------------------------------------- which rule is in force


class Limit(NamedTuple):
    """The most that one authority allows."""

    authority: Authority
    cents: int
    reference: str = ""


def ruling(limits: Iterable[Limit]) -> Limit | None:
    """FL-19: the limit in force. The lowest rules, so nobody widens another's; of equals the higher authority's."""
    return min(limits, key=lambda limit: (limit.cents, AUTHORITIES.index(limit.authority)), default=None)


def widened(limit: Limit, by: Iterable[Limit]) -> Limit | None:
    """FL-19: the lowest limit of a higher authority that this one goes beyond; None where there is none."""
    higher = (
        candidate for candidate in by if AUTHORITIES.index(candidate.authority) < AUTHORITIES.index(limit.authority)
    )
    above = ruling(higher)
    return above if above is not None and above.cents < limit.cents else None


def law_on(policies: Policies, on: date) -> Authorised | None:
    """FL-9: what the law authorises at a site on a day: the known law, or what was entered where that is lower."""
    known = authorised_on(law_for(policies.jurisdiction, policies.kind), on)
    own = authorised_on(entered(policies.authorised_limits), on)
    if known is None or own is None:
        return known or own
    return own if own.cents < known.cents else known


# ------------------------------------------------------------------------------------ wagers that follow


class Follow(NamedTuple):
    """A wager whose amount another one decides."""

    wager: str
    leader: str
    times: tuple[int, ...] = (1,)
    """The multiples of the leader that it may be, rising."""

    @property
    def words(self) -> str:
        """The multiples, for a sentence: ``2`` or ``1, 2 or 3``."""
        *others, last = (str(number) for number in self.times)
        return f"{', '.join(others)} or {last}" if others else last


def follows_at(game: Game) -> tuple[Follow, ...]:
    """Every wager of the game that another one decides (CS-4, TC-6, SE1-4, SE2-3).

    An optional stake never lowers the limit of the wager that it follows (PGD-1), so it is not among them.
    """
    spots: dict[tuple[str, str], set[int]] = {}
    for stakes in game.followers.values():
        for stake in stakes:
            if not stake.optional:
                spots.setdefault((stake.wager, stake.of), set()).add(stake.times)
    follows = (Follow(wager, leader, tuple(sorted(times))) for (wager, leader), times in spots.items())
    matched = (Follow(wager.key, wager.equals) for wager in game.wagers if wager.equals)
    return (*follows, *matched)


class Effective(NamedTuple):
    """FL-8: what a wager can really be, with the wagers that follow from it."""

    minimum_cents: int
    maximum_cents: int
    because: tuple[Follow, ...] = ()
    """The wagers whose own limits narrow it."""

    @property
    def possible(self) -> bool:
        """Whether any amount is left."""
        return self.minimum_cents <= self.maximum_cents


def effective(game: Game, wager: str, limits: Mapping[str, Limits]) -> Effective:
    """FL-8: the limits of a wager, narrowed so that every wager that follows from it is possible within its own."""
    own = limits[wager]
    effective = Effective(own.minimum_cents, own.maximum_cents)
    for follow in follows_at(game):
        other = limits.get(follow.wager)
        if follow.leader != wager or other is None:
            continue
        low = max(effective.minimum_cents, ceil(Fraction(other.minimum_cents, follow.times[-1])))
        high = min(effective.maximum_cents, other.maximum_cents // follow.times[0])
        if (low, high) != effective[:2]:
            effective = Effective(low, high, (*effective.because, follow))
    return effective


# ------------------------------------------------------------------------------- aggregate payout limits (FL-25)


def highest_odds(table: PayTable | None) -> Fraction:
    """The highest odds a wager pays, in any column; even money where no pay table decides it."""
    if table is None:
        return Fraction(1)
    return max(Fraction(odds.num, odds.den) for row in table.rows for odds in row.odds)


def least_aggregate(maximum_cents: int, odds: Fraction) -> int:
    """FL-25: no aggregate payout limit may be lower: the maximum wager times the highest odds, counted to 50."""
    return ceil(maximum_cents * min(odds, Fraction(ODDS_COUNTED_TO)))


def aggregate_on(limits: Limits, on: date) -> int | None:
    """FL-25: the aggregate payout limit of a wager in force on a day; None where none applies."""
    amount = in_force(limits.aggregate, on)
    return None if amount is None else amount.cents


def within_aggregate(payouts: Sequence[int], limit_cents: int | None) -> list[int]:
    """FL-25: payouts shared pro rata where together they exceed the limit, each rounded down to the cent."""
    total = sum(payouts)
    if limit_cents is None or total <= limit_cents:
        return list(payouts)
    return [payout * limit_cents // total for payout in payouts]
