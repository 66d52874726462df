"""What a table's events do to the money: double entry, in micros, every event's lines summing to zero.

An account is a place where money can be:

* ``players/TABLE``: with the players of a table. Wagers come from here, awards go there.
* ``meter/LINK/NAME`` and ``reserve/LINK/NAME``: on a meter, in its reserve.
* ``house/LINK``: with the house, for one link: what it keeps of wagers, less seeds, tray awards, envy and shortfalls.
* ``rack/TABLE``: in a table's rack, won and lost on every wager but the progressive.
* ``commission/TABLE``: chips of the rack that players hold and owe: commission that is marked (BA-10).
* ``taken_over/LINK``: what an earlier system held when this one took over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from houseway.progressive.terms import MICROS_PER_CENT
from houseway.table.card_round.events import (
    AnyPlayEvent,
    CommissionCollected,
    CommissionMarked,
    CommissionUnmarked,
    CommissionWrittenOff,
    ForfeitCollected,
    Reconciled,
)
from houseway.table.progressive_round.events import (
    AnyTableEvent,
    CountCorrected,
    EnvyPaid,
    LockedIn,
    RoundVoided,
    WinPaid,
)


class Line(NamedTuple):
    """So much more, or less, on one account, and what for."""

    account: str
    purpose: str
    micros: int


def meter_account(link: str, meter: str) -> str:
    """The account of a meter."""
    return f"meter/{link}/{meter}"


def reserve_account(link: str, meter: str) -> str:
    """The account of a meter's reserve."""
    return f"reserve/{link}/{meter}"


def house_account(link: str) -> str:
    """The house's own account on a link."""
    return f"house/{link}"


def rack_account(table: str) -> str:
    """The chips of a table, for every wager but the progressive."""
    return f"rack/{table}"


def commission_account(table: str) -> str:
    """BA-10: what the players of a table owe it."""
    return f"commission/{table}"


def players_account(table: str) -> str:
    """The players of a table."""
    return f"players/{table}"


def table_lines(event: AnyTableEvent | AnyPlayEvent) -> list[Line]:
    """The money that an event moves, without empty lines; no lines where it moves none."""
    match event:
        case LockedIn():
            return _shared_out(event, event.wager_cents * len(event.spots), "")
        case CountCorrected():
            return _shared_out(event, event.wager_cents if event.wagered else -event.wager_cents, "count corrected")
        case WinPaid():
            return _made(_award(event))
        case EnvyPaid():
            return moved(house_account(event.link), players_account(event.table), "envy", event.cents * MICROS_PER_CENT)
        case RoundVoided():
            return _made(_given_back(event))
        case ForfeitCollected():
            micros = event.wagered * MICROS_PER_CENT
            return moved(players_account(event.table), rack_account(event.table), "wagers", micros)
        case Reconciled():
            rack, players = rack_account(event.table), players_account(event.table)
            wagered, returned = event.wagered * MICROS_PER_CENT, event.returned * MICROS_PER_CENT
            return [*moved(players, rack, "wagers", wagered), *moved(rack, players, "paid", returned)]
        case CommissionMarked():
            return _move_commission(event, rack_account, commission_account, "commission marked")
        case CommissionCollected():
            return _move_commission(event, commission_account, rack_account, "commission collected")
        case CommissionUnmarked():
            return _move_commission(event, commission_account, rack_account, "void")
        case CommissionWrittenOff():
            return _move_commission(event, commission_account, players_account, "commission written off")
        case _:
            return []


def _move_commission(
    event: CommissionMarked | CommissionCollected | CommissionUnmarked | CommissionWrittenOff,
    source: Callable[[str], str],
    target: Callable[[str], str],
    purpose: str,
) -> list[Line]:
    return moved(source(event.table), target(event.table), purpose, event.cents * MICROS_PER_CENT)


def moved(source: str, target: str, purpose: str, micros: int) -> list[Line]:
    """One amount from one account to another."""
    return _made(iter((Line(source, purpose, -micros), Line(target, purpose, micros))))


def _made(lines: Iterator[Line]) -> list[Line]:
    return [line for line in lines if line.micros]


def _shared_out(event: LockedIn | CountCorrected, wagers_cents: int, corrected: str) -> list[Line]:
    """Wagers from the players to meters, reserves and the house. Built plainly: it is done for every coin-in."""
    link, over = event.link, event.excess
    made = [Line(f"players/{event.table}", corrected or "coin-in", -wagers_cents * MICROS_PER_CENT)]
    for meter, micros in event.meters.items():
        made.append(Line(f"meter/{link}/{meter}", corrected or "contribution", micros))
    for meter, micros in event.reserves.items():
        excess = over.get(meter, 0) if over else 0
        made.append(Line(f"reserve/{link}/{meter}", corrected or "reserve", micros - excess))
        if excess:
            made.append(Line(f"reserve/{link}/{meter}", corrected or "over maximum", excess))
    made.append(Line(f"house/{link}", corrected or "kept", event.kept))
    return [line for line in made if line[2]]


def _award(event: WinPaid) -> Iterator[Line]:
    house, players = house_account(event.link), players_account(event.table)
    if event.meter:
        meter = meter_account(event.link, event.meter)
        yield Line(meter, "award from meter", -event.from_meter)
        yield Line(players, "award from meter", event.from_meter)
        yield Line(house, "seed", -event.seed)
        yield Line(meter, "seed", event.seed)
        yield Line(reserve_account(event.link, event.meter), "reseed from reserve", -event.from_reserve)
        yield Line(meter, "reseed from reserve", event.from_reserve)
    from_tray = event.from_tray - event.shortfall
    yield Line(house, "award from tray", -from_tray)
    yield Line(players, "award from tray", from_tray)
    yield Line(house, "shortfall", -event.shortfall)
    yield Line(players, "shortfall", event.shortfall)


def _given_back(event: RoundVoided) -> Iterator[Line]:
    for meter, micros in event.meters.items():
        yield Line(meter_account(event.link, meter), "void", -micros)
    for meter, micros in event.reserves.items():
        yield Line(reserve_account(event.link, meter), "void", -micros)
    yield Line(house_account(event.link), "void", -event.covered)
    yield Line(rack_account(event.table), "void", -event.rack)
    yield Line(players_account(event.table), "void", event.returned + event.rack)
