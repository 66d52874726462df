"""A link: its meters, the claims that wait on them, and what each claim is due (PR-4 … PR-7, PR-16, PR-32).

A claim is due what its meter held when the first claim of its round was named, after the claims before it. So each
round with a claim on a meter leaves a *mark* there: what the meter and its reserve held then. Whatever is booked later
raises the meter but not the mark; whatever is drawn comes off the meter and off every mark.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from houseway.progressive.awards import drawn, share
from houseway.progressive.terms import MICROS_PER_CENT, Terms, cents_of

WHOLE_PERCENT = 100


class MeterState(Struct, frozen=True):
    """What a meter and its reserve hold, in micros."""

    value: int = 0
    reserve: int = 0
    opened: bool = False
    """Whether it has its first money: seed, or the balance it was taken over with."""
    retired: bool = False
    reseeds: dict[int, int] = {}
    """The last win of all of it that stands, by number: the entry that reseeded the meter."""

    @property
    def shown_cents(self) -> int:
        """What displays show: rounded down to the cent."""
        return cents_of(self.value)


class Mark(Struct, frozen=True):
    """What a meter held for one round: as it was when that round's first claim on it was named."""

    table: str
    round: int
    held: int
    reserve: int
    drawn: bool = False
    """Whether a win of this round was confirmed on the meter: its mark then stays until the round closes."""


class Due(Struct, frozen=True, kw_only=True):
    """What one claim is to be paid, and what that does to its meter."""

    from_meter_cents: int
    from_tray_cents: int
    shortfall_cents: int
    """PR-7: the part of ``from_tray_cents`` that the meter should have paid and could not."""
    held_cents: int
    """What the meter held for this claim."""

    @property
    def cents(self) -> int:
        """The whole amount to pay."""
        return self.from_meter_cents + self.from_tray_cents


class Claim(Struct, frozen=True, kw_only=True):
    """A named win that nobody has confirmed yet."""

    table: str
    round: int
    spot: int
    hand: str
    meter: str
    """The meter it draws on; empty for an award from the tray."""
    percent: int = 0
    """Its share of the meter, or 0 for a fixed award."""
    fixed_cents: int = 0
    seed_cents: int = 0
    """What the meter restarts from when this claim takes all of it."""
    place: int
    """PR-17: its place in the round's award order, lowest first."""
    rank: int = 0
    """Set once the first claim of its round is confirmed: those named by then keep their order, others follow."""
    named_by: str
    named_at: int
    fixed: Due | None = None
    """PR-16, keypad: the amount that J-POT fixed."""
    win: int = 0
    """The number under which J-POT logged it."""
    fixed_by: str = ""

    @property
    def takes_all(self) -> bool:
        """Whether it is a 100% award, after which the meter is reseeded."""
        return self.percent == WHOLE_PERCENT

    def is_at(self, table: str, round: int) -> bool:
        """Whether it was named in that round."""
        return self.table == table and self.round == round


class LinkState(Struct, frozen=True, kw_only=True):
    """A link as it stands."""

    id: str
    name: str
    tables: tuple[str, ...]
    version: int
    """The number of its present terms."""
    terms: dict[int, Terms]
    """The present terms, and earlier ones that a round is still played under."""
    meters: dict[str, MeterState]
    marks: dict[str, tuple[Mark, ...]] = {}
    """By meter, in the order in which their rounds are served."""
    claims: tuple[Claim, ...] = ()
    stops: dict[str, str] = {}
    """Why no wager is locked in on this link now: reason by kind. Empty when it plays."""

    @property
    def now(self) -> Terms:
        """The terms a new round is played under."""
        return self.terms[self.version]

    def claim(self, table: str, spot: int) -> Claim | None:
        """The open claim of a spot."""
        return next((claim for claim in self.claims if claim.table == table and claim.spot == spot), None)

    def claims_at(self, table: str) -> tuple[Claim, ...]:
        """The open claims of a table."""
        return tuple(claim for claim in self.claims if claim.table == table)

    def fixed_on(self, meter: str) -> Claim | None:
        """The claim between J-POT and RUN on a meter: until RUN nothing else draws on it (PR-16)."""
        return next((claim for claim in self.claims if claim.meter == meter and claim.fixed is not None), None)


class _Pool(NamedTuple):
    held: int
    reserve: int


def after_drawing(value: int, reserve: int, from_meter_cents: int, seed_cents: int | None) -> tuple[int, int]:
    """PR-4, PR-5: what a meter and its reserve hold after an award; a seed is given when all of it was won.

    Nothing falls below zero: a mark may hold less than a later round was paid.
    """
    left = max(0, value - from_meter_cents * MICROS_PER_CENT)
    if seed_cents is None:
        return left, reserve
    return left + seed_cents * MICROS_PER_CENT + reserve, 0


def due(claim: Claim, value: int) -> Due:
    """What a claim is paid when the meter holds this for it."""
    before = cents_of(value)
    if not claim.meter:
        return Due(from_meter_cents=0, from_tray_cents=claim.fixed_cents, shortfall_cents=0, held_cents=0)
    if claim.percent:
        return Due(
            from_meter_cents=share(before, claim.percent), from_tray_cents=0, shortfall_cents=0, held_cents=before
        )
    paid = drawn(before, claim.fixed_cents)
    short = claim.fixed_cents - paid
    return Due(from_meter_cents=paid, from_tray_cents=short, shortfall_cents=short, held_cents=before)


def queue(link: LinkState, meter: str) -> Iterator[Claim]:
    """PR-32: the claims on a meter in the order in which they must be confirmed.

    PR-16: one that J-POT has fixed comes before all others, also before those of a round with an earlier mark.
    """
    fixed = link.fixed_on(meter)
    if fixed is not None:
        yield fixed
    waiting = [claim for claim in link.claims if claim.meter == meter and claim is not fixed]
    for mark in link.marks.get(meter, ()):
        here = [claim for claim in waiting if claim.is_at(mark.table, mark.round)]
        yield from sorted(here, key=lambda claim: (claim.rank == 0, claim.rank, claim.place))


def dues(link: LinkState) -> dict[tuple[str, int], Due]:
    """What every open claim of the link is due, by table and spot, were they confirmed in their order."""
    amounts = {(claim.table, claim.spot): due(claim, 0) for claim in link.claims if not claim.meter}
    for meter, marks in link.marks.items():
        pools = [_Pool(mark.held, mark.reserve) for mark in marks]
        places = {(mark.table, mark.round): place for place, mark in enumerate(marks)}
        for claim in queue(link, meter):
            amount = claim.fixed or due(claim, pools[places[claim.table, claim.round]].held)
            amounts[claim.table, claim.spot] = amount
            seed = claim.seed_cents if claim.takes_all else None
            # Off every mark, as when it is paid: the one that J-POT fixed may stand before a claim on an earlier mark.
            pools = [_Pool(*after_drawing(*pool, amount.from_meter_cents, seed)) for pool in pools]
    return amounts


def next_prize(link: LinkState, meter: str) -> int:
    """PR-33: what the meter has for the next prize so far, in micros: were all its open claims paid now."""
    amounts, here = dues(link), link.meters[meter]
    value, reserve = here.value, here.reserve
    for claim in queue(link, meter):
        seed = claim.seed_cents if claim.takes_all else None
        value, reserve = after_drawing(value, reserve, amounts[claim.table, claim.spot].from_meter_cents, seed)
    return value


def earlier(link: LinkState, claim: Claim) -> Claim | None:
    """The claim that must be confirmed or dropped before this one, if any."""
    if not claim.meter:
        return None
    first = next(queue(link, claim.meter))
    return None if (first.table, first.spot) == (claim.table, claim.spot) else first


def with_claim(link: LinkState, claim: Claim) -> LinkState:
    """The link after a win was named: the first of its round on a meter leaves the mark."""
    marks = link.marks
    if claim.meter:
        here = marks.get(claim.meter, ())
        if not any(mark.table == claim.table and mark.round == claim.round for mark in here):
            meter = link.meters[claim.meter]
            mark = Mark(claim.table, claim.round, meter.value, meter.reserve)
            marks = {**marks, claim.meter: (*here, mark)}
    return replace(link, claims=(*link.claims, claim), marks=marks)


def without_claim(link: LinkState, table: str, spot: int) -> LinkState:
    """The link after a claim was dropped or paid; a mark that serves nothing any more goes with it."""
    claims = tuple(claim for claim in link.claims if not (claim.table == table and claim.spot == spot))
    return _swept(replace(link, claims=claims))


def with_fixed(link: LinkState, table: str, spot: int, fixed: Due, win: int, by: str) -> LinkState:
    """PR-16: the link after a claim's amount was fixed, and the order of its round's other claims made firm (PR-32)."""
    logged = link.claim(table, spot)
    meter = logged.meter if logged else ""
    firm = {(claim.table, claim.spot): rank for rank, claim in enumerate(queue(link, meter), start=1)} if meter else {}
    claims = []
    for claim in link.claims:
        if (claim.table, claim.spot) == (table, spot):
            claims.append(replace(claim, fixed=fixed, win=win, fixed_by=by))
        elif logged and meter and claim.meter == meter and claim.is_at(table, logged.round):
            claims.append(replace(claim, rank=firm[claim.table, claim.spot]))
        else:
            claims.append(claim)
    return replace(link, claims=tuple(claims))


def with_draw(link: LinkState, paid: Claim, amount: Due) -> LinkState:
    """The marks after a claim was paid (PR-32)."""
    if not paid.meter:
        return link
    seed = paid.seed_cents if paid.takes_all else None
    marks = []
    for mark in link.marks.get(paid.meter, ()):
        value, reserve = after_drawing(mark.held, mark.reserve, amount.from_meter_cents, seed)
        own = mark.table == paid.table and mark.round == paid.round
        marks.append(replace(mark, held=value, reserve=reserve, drawn=mark.drawn or own))
    return replace(link, marks={**link.marks, paid.meter: tuple(marks)})


def without_round(link: LinkState, table: str, round: int) -> LinkState:
    """The link after a round was closed or voided."""
    claims = tuple(claim for claim in link.claims if not claim.is_at(table, round))
    marks = {
        meter: tuple(mark for mark in here if not (mark.table == table and mark.round == round))
        for meter, here in link.marks.items()
    }
    return replace(link, claims=claims, marks={meter: here for meter, here in marks.items() if here})


class Promised(NamedTuple):
    """What a meter and its reserve must keep for the rounds that have a claim on it, in micros."""

    held: int
    reserve: int


def promised(link: LinkState, meter: str) -> Promised:
    """What must stay: the reserve too, since the second winner of all is paid from it."""
    marks = link.marks.get(meter, ())
    return Promised(
        max((mark.held for mark in marks), default=0),
        max((mark.reserve for mark in marks), default=0),
    )


def _swept(link: LinkState) -> LinkState:
    """Without the marks that no claim and no paid win of an open round needs."""
    marks: dict[str, tuple[Mark, ...]] = {}
    for meter, here in link.marks.items():
        left = tuple(mark for mark in here if mark.drawn or _claimed(link.claims, meter, mark))
        if left:
            marks[meter] = left
    return replace(link, marks=marks)


def _claimed(claims: Iterable[Claim], meter: str, mark: Mark) -> bool:
    return any(claim.meter == meter and claim.is_at(mark.table, mark.round) for claim in claims)
