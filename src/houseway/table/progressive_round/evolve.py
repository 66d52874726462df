"""How a table and its link change by what happened. No decision is made here: the events say it all."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from houseway.progressive import link as links
from houseway.progressive.link import LinkState, MeterState
from houseway.table.card_round.commission import evolve_commission
from houseway.table.card_round.events import AnyPlayEvent, CardEvent
from houseway.table.card_round.evolve import (
    evolve_guests,
    evolve_last_deck,
    evolve_malfunction,
    evolve_play,
    evolve_seats,
    evolve_shoe,
    shoe_after_round,
)
from houseway.table.progressive_round import events as tell
from houseway.table.progressive_round.ledger import Line
from houseway.table.state import Round, TableState, Win


def evolve(table: TableState, event: tell.AnyTableEvent | AnyPlayEvent, now: int) -> TableState:
    """The table after an event."""
    if isinstance(event, CardEvent):
        return replace(
            table,
            round=replace(table.round, play=evolve_play(table.round.play, event, now)),
            seats=evolve_seats(table.seats, event),
            guests=evolve_guests(table.guests, event),
            commission=evolve_commission(table.commission, event),
            malfunction=evolve_malfunction(table.malfunction, event),
            shoe=evolve_shoe(table, event),
            last_deck=evolve_last_deck(table, event),
        )
    if isinstance(event, tell.RoundClosed | tell.RoundVoided):
        return replace(table, round=_round(table.round, event, now), shoe=shoe_after_round(table))
    return replace(table, round=_round(table.round, event, now))


def not_after(table: TableState, now: int) -> TableState:
    """The table without a time in the future, once a clock that was ahead is put right."""
    here = table.round
    hands = {spot: replace(hand, since=min(hand.since, now)) for spot, hand in here.play.hands.items()}
    return replace(
        table,
        round=replace(
            here,
            called_at=min(here.called_at, now),
            arrived_at=min(here.arrived_at, now),
            play=replace(here.play, hands=hands),
        ),
    )


def _round(state: Round, event: tell.AnyTableEvent | AnyPlayEvent, now: int) -> Round:
    match event:
        case tell.SensorLit():
            if event.waits:
                return replace(state, waiting=_with(state.waiting, event.spot))
            return replace(state, lit=_with(state.lit, event.spot))
        case tell.SensorDark():
            if state.locked:
                return replace(state, waiting=_less(state.waiting, event.spot))
            return replace(state, lit=_less(state.lit, event.spot))
        case tell.LockedIn():
            return replace(
                state,
                locked=True,
                lit=event.spots,
                terms=event.terms,
                wager_cents=event.wager_cents,
                meters=event.meters,
                reserves=event.reserves,
                excess=event.excess,
            )
        case tell.CountCorrected():
            return replace(
                state,
                lit=_with(state.lit, event.spot) if event.wagered else _less(state.lit, event.spot),
                # A chip that is counted in after all does not wait for the next round as well.
                waiting=_less(state.waiting, event.spot) if event.wagered else state.waiting,
                meters=_added(state.meters, event.meters),
                reserves=_added(state.reserves, event.reserves),
                excess=_added(state.excess, event.excess),
            )
        case tell.CardsOut():
            return replace(state, dealt=True)
        case tell.Folded():
            return replace(state, folded=_with(state.folded, event.spot))
        case tell.HandSeen():
            return replace(state, seen={**state.seen, event.spot: event.hand})
        case tell.PlayersPaired():
            return replace(state, players=(*state.players, event.spots))
        case tell.ClaimNamed():
            # PR-29: a call that was answered is over; naming another win calls again.
            calls = {**state.calls, event.claim.spot: now}
            if state.called_at and not state.arrived_at:
                return replace(state, calls=calls)
            return replace(state, called_at=now, arrived_at=0, calls=calls)
        case tell.ClaimDropped():
            return _end_call(state, event.spot)
        case tell.SupervisorArrived():
            return replace(state, arrived_at=now)
        case tell.WinLogged():
            win = Win(
                number=event.win,
                spot=event.claim.spot,
                hand=event.claim.hand,
                cents=event.due.cents,
                envy_cents=event.envy_cents,
                surveillance=event.surveillance,
                tax_form=event.tax_form,
            )
            calls = {spot: at for spot, at in state.calls.items() if spot != event.claim.spot}
            return replace(state, wins=(*state.wins, win), arrived_at=state.arrived_at or now, calls=calls)
        case tell.WinPaid():
            return replace(state, wins=_changed(state.wins, event.win, paid=True))
        case tell.SurveillanceVerified():
            return replace(state, wins=_changed(state.wins, event.win, verified=True))
        case tell.RoundClosed() | tell.RoundVoided():
            return Round(number=state.number + 1, lit=state.waiting)
        case _:
            return state


def undo_win(table: TableState, number: int) -> TableState:
    """The table after one of its present round's wins was undone by an adjustment (PR-23)."""
    return replace(table, round=replace(table.round, wins=_changed(table.round.wins, number, undone=True)))


def evolve_link(link: LinkState, event: tell.AnyTableEvent | AnyPlayEvent) -> LinkState:
    """The claims and marks of a link after an event at one of its tables; its money moves by `apply_lines`."""
    if type(event) is tell.LockedIn:
        return link
    match event:
        case tell.ClaimNamed():
            return links.with_claim(link, event.claim)
        case tell.ClaimDropped():
            return links.without_claim(link, event.table, event.spot)
        case tell.WinLogged():
            return links.with_fixed(link, event.table, event.claim.spot, event.due, event.win, event.confirmed_by)
        case tell.WinPaid():
            claim = link.claim(event.table, event.spot)
            if claim is None or claim.fixed is None:
                raise RuntimeError(f"win {event.win} was paid without having been logged")
            return links.without_claim(links.with_draw(link, claim, claim.fixed), event.table, event.spot)
        case tell.RoundClosed() | tell.RoundVoided():
            return links.without_round(link, event.table, event.round)
        case _:
            return link


def apply_lines(link: LinkState, lines: Iterable[Line]) -> LinkState:
    """The meters of a link after money moved: each is the sum of its lines and nothing else."""
    meters: dict[str, MeterState] | None = None
    for account, _, micros in lines:
        kind, _, rest = account.partition("/")
        if kind not in ("meter", "reserve"):
            continue
        owner, _, name = rest.partition("/")
        if owner != link.id:
            continue
        if meters is None:
            meters = dict(link.meters)
        meter = meters[name]
        if kind == "meter":
            changed = replace(meter, value=meter.value + micros)
        else:
            changed = replace(meter, reserve=meter.reserve + micros)
        if changed.value < 0 or changed.reserve < 0:
            raise RuntimeError(f"{account} would fall below zero")
        meters[name] = changed
    return link if meters is None else replace(link, meters=meters)


def _with(spots: tuple[int, ...], spot: int) -> tuple[int, ...]:
    return tuple(sorted({*spots, spot}))


def _end_call(state: Round, spot: int) -> Round:
    """PR-29: a name that is taken back ends its call; an unanswered one goes on from the first name that is left."""
    calls = {other: at for other, at in state.calls.items() if other != spot}
    if not calls:
        return replace(state, called_at=0, arrived_at=0, calls=calls)
    return replace(state, called_at=state.called_at if state.arrived_at else min(calls.values()), calls=calls)


def _less(spots: tuple[int, ...], spot: int) -> tuple[int, ...]:
    return tuple(one for one in spots if one != spot)


def _added(amounts: dict[str, int], more: dict[str, int]) -> dict[str, int]:
    return {name: amounts.get(name, 0) + more.get(name, 0) for name in {**amounts, **more}}


def _changed(wins: tuple[Win, ...], number: int, **changes: bool) -> tuple[Win, ...]:
    return tuple(replace(win, **changes) if win.number == number else win for win in wins)
