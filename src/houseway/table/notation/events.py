"""What the journal says of a round, as the lines of its text. What follows from other lines makes none."""

from __future__ import annotations

from functools import singledispatch
from typing import Final

from houseway.progressive.terms import MICROS_PER_CENT
from houseway.table.card_round import events as play
from houseway.table.card_round.state import action_of
from houseway.table.notation import steps as line
from houseway.table.progressive_round import events as base

NO_ACTION: Final = "none"
"""What is written for a spot that has no decision to make."""
Steps = tuple[line.Step, ...]


@singledispatch
def steps_of(event: object) -> Steps:
    """The lines that an event makes; none for one that follows from others."""
    return ()


@steps_of.register
def _(event: line.Step) -> Steps:
    return (event,)


@steps_of.register
def _(event: play.Seated) -> Steps:
    return (line.Sat(spot=event.spot, player=event.player),)


@steps_of.register
def _(event: play.SeatLeft) -> Steps:
    return (line.Left(spot=event.spot, player=event.player, held=event.held),)


@steps_of.register
def _(event: base.PlayersPaired) -> Steps:
    return (line.Paired(spots=event.spots),)


@steps_of.register
def _(event: play.WagerPlaced) -> Steps:
    return (line.Placed(spot=event.spot, wager=event.wager, cents=event.cents, player=event.player),)


@steps_of.register
def _(event: base.SensorLit) -> Steps:
    return (line.Lit(spot=event.spot, waits=event.waits),)


@steps_of.register
def _(event: base.SensorDark) -> Steps:
    return (line.Dark(spot=event.spot),)


@steps_of.register
def _(event: play.BetsClosed) -> Steps:
    return (line.Called(),)


@steps_of.register
def _(event: base.LockedIn) -> Steps:
    return (line.Locked(spots=event.spots, wager_cents=event.wager_cents),)


@steps_of.register
def _(event: base.CountCorrected) -> Steps:
    return (line.Counted(spot=event.spot, wagered=event.wagered, reason=event.reason),)


@steps_of.register
def _(event: play.SeedCommitted) -> Steps:
    return (line.Seeded(commitment=event.commitment),)


@steps_of.register
def _(event: play.PlayerSeedAdded) -> Steps:
    return (line.PlayerSeed(spot=event.spot, text=event.player_seed, player=event.player),)


@steps_of.register
def _(event: play.DeckShuffled) -> Steps:
    return (
        line.Shuffled(
            seeds=tuple(sorted(event.player_seeds)),
            house=event.house_only,
            start=event.start,
            column=event.column,
            stacked=bool(event.stacked),
        ),
    )


@steps_of.register
def _(event: play.FaceUpShown) -> Steps:
    return (line.FaceUp(cards=event.cards),)


@steps_of.register
def _(event: play.DeckCommitted) -> Steps:
    return (line.Committed(commitment=event.commitment, start=event.start, column=event.column),)


@steps_of.register
def _(event: base.CardsOut) -> Steps:
    return (line.FirstCard(),)


@steps_of.register
def _(event: play.PacketDealt) -> Steps:
    return (line.Dealt(target=event.target, cards=event.cards),)


@steps_of.register
def _(event: play.CardsEntered) -> Steps:
    return (line.Entered(target=event.spot, cards=event.cards, column=event.column),)


@steps_of.register
def _(event: play.DeckStacked) -> Steps:
    return (line.Stacked(target=event.spot, cards=event.cards),)


@steps_of.register
def _(event: play.Acted) -> Steps:
    return (
        line.Acted(
            spot=event.spot,
            action=event.action,
            point=event.point,
            card=event.card,
            cents=event.cents,
            how=event.how,
        ),
    )


@steps_of.register
def _(event: play.SpotDecided) -> Steps:
    actions = action_of(event.decision)
    if not actions:
        return (line.Acted(spot=event.spot, action=NO_ACTION, how=event.decision.how),)
    action = actions[0]
    return (line.Acted(spot=event.spot, action=action.action, card=action.card, cents=action.cents, how=action.how),)


@steps_of.register
def _(event: play.BoardTurned) -> Steps:
    if not event.cards:
        return ()
    places = tuple(place + 1 for place in event.places)
    return (line.Turned(target=event.target, label=event.label, places=places, cards=event.cards),)


@steps_of.register
def _(event: base.Folded) -> Steps:
    return (line.Folded(spot=event.spot),)


@steps_of.register
def _(event: play.HandShown) -> Steps:
    return (line.Shown(target=event.spot, high=event.high, low=event.low),)


@steps_of.register
def _(event: play.DealerRevealed) -> Steps:
    return (line.Revealed(name=event.name, plays=event.plays, high=event.high, low=event.low),)


@steps_of.register
def _(event: play.SpotResult) -> Steps:
    holds = line.Holds(
        spot=event.spot, name=event.name, outcome=event.outcome, high=event.high, low=event.low, by=event.by
    )
    return (
        holds,
        *(
            line.Came(
                spot=event.spot,
                wager=wager,
                result=one.result,
                wagered=one.wagered,
                returned=one.returned,
                envy=one.envy,
                why=one.why,
            )
            for wager, one in event.lines.items()
        ),
    )


@steps_of.register
def _(event: base.HandSeen) -> Steps:
    return (line.Seen(spot=event.spot, hand=event.hand),) if event.hand else ()


@steps_of.register
def _(event: base.ClaimNamed) -> Steps:
    claim = event.claim
    return (
        line.Named(
            spot=claim.spot,
            hand=claim.hand,
            by=claim.named_by,
            meter=claim.meter,
            percent=claim.percent,
            fixed_cents=claim.fixed_cents,
        ),
    )


@steps_of.register
def _(event: base.ClaimDropped) -> Steps:
    return (line.Dropped(spot=event.spot, reason=event.reason),)


@steps_of.register
def _(event: base.SupervisorArrived) -> Steps:
    return (line.Arrived(),)


@steps_of.register
def _(event: base.WinLogged) -> Steps:
    due, claim = event.due, event.claim
    return (
        line.Logged(
            win=event.win,
            spot=claim.spot,
            hand=claim.hand,
            from_meter=due.from_meter_cents,
            from_tray=due.from_tray_cents,
            short=due.shortfall_cents,
            meter=claim.meter,
            held=due.held_cents,
            by=event.confirmed_by,
        ),
    )


@steps_of.register
def _(event: base.WinPaid) -> Steps:
    return (line.Paid(win=event.win, spot=event.spot, reseeded=event.reseeded),)


@steps_of.register
def _(event: base.SurveillanceVerified) -> Steps:
    return (line.Watched(win=event.win, observer=event.observer, player=event.player),)


@steps_of.register
def _(event: play.PayoutVerified) -> Steps:
    return (line.Verified(spot=event.spot, wager=event.wager, observer=event.observer, player=event.player),)


@steps_of.register
def _(event: base.EnvyPaid) -> Steps:
    return (line.Envied(spot=event.spot, cents=event.cents, winner=event.winner),)


@steps_of.register
def _(event: play.ForfeitCollected) -> Steps:
    return (line.Forfeit(spot=event.spot, wagers=event.wagers, wagered=event.wagered, counted=event.counted),)


@steps_of.register
def _(event: play.Reconciled) -> Steps:
    return (
        line.Reconciled(
            spot=event.spot,
            wagers=event.wagers,
            wagered=event.wagered,
            returned=event.returned,
            held_for=event.held_for,
        ),
    )


@steps_of.register
def _(event: play.SignedOver) -> Steps:
    return (line.SignedOver(to=event.to, by=event.by),)


@steps_of.register
def _(event: play.MalfunctionRecorded) -> Steps:
    return (line.Malfunctioned(step=event.step, note=event.note, over=event.over),)


@steps_of.register
def _(event: play.DeckOpened) -> Steps:
    if event.seed:
        return (line.OpenedSeed(seed=event.seed, order=event.order),)
    return (line.Opened(nonce=event.nonce, order=event.order),)


@steps_of.register
def _(event: base.RoundClosed) -> Steps:
    return (line.Closed(),)


@steps_of.register
def _(event: base.RoundVoided) -> Steps:
    return (line.Voided(returned=event.returned // MICROS_PER_CENT, cause=event.cause, malfunction=event.malfunction),)
