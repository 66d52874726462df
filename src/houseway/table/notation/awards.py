"""The progressive of a written round: who won what of which meter, and who envied whom, by the rules that pay it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from houseway.games import Game
from houseway.games.round import Settlement
from houseway.paytables import ProgressiveTable
from houseway.progressive import Entry, Meter, Policy, award_round
from houseway.table.card_round.state import Play
from houseway.table.config import TableConfig
from houseway.table.notation import steps as line
from houseway.table.notation.form import money
from houseway.table.notation.record import RoundRecord
from houseway.table.state import policy_of


class Difference(NamedTuple):
    """Where a round says one thing and the rules another."""

    where: str
    says: str
    gives: str

    def __str__(self) -> str:
        return f"{self.where}: the round says {self.says}; the rules give {self.gives}"


class Settled(NamedTuple):
    """A round made ready to be compared."""

    record: RoundRecord
    config: TableConfig
    game: Game
    progressive: ProgressiveTable | None
    play: Play
    settlement: Settlement | None
    """None where there are no cards to settle by."""


def differ(ready: Settled, where: str, says: line.Step | None, gives: line.Step | None) -> Difference:
    written = line.forms(ready.record.console)
    told = [written[type(one)].written(one) if one is not None else "nothing" for one in (says, gives)]
    return Difference(where, told[0], told[1])


def booked(record: RoundRecord) -> tuple[int, ...]:
    """PR-11, PR-35: the spots with a progressive wager in the round."""
    spots: set[int] = set()
    for step in record.steps:
        if isinstance(step, line.Locked):
            spots = {*step.spots}
        elif isinstance(step, line.Counted):
            spots = spots | {step.spot} if step.wagered else spots - {step.spot}
    return tuple(sorted(spots))


def progressive_differences(ready: Settled) -> Iterator[Difference]:
    record, table = ready.record, ready.progressive
    locked = record.of(line.Locked)
    if table is None or not locked:
        back = [one for one in record.of(line.Voided) if one.returned]
        for one in (*record.of(line.Logged), *record.of(line.Envied), *locked, *back):
            yield differ(ready, "progressive", one, None)
        return
    wager = locked[0].wager_cents
    if record.kind != "progressive":
        bets = {
            spot: hand.wagers["progressive"] for spot, hand in ready.play.hands.items() if "progressive" in hand.wagers
        }
        if bets != dict.fromkeys(booked(record), wager):
            said = ", ".join(f"{spot} {money(cents)}" for spot, cents in bets.items()) or "none"
            gives = ", ".join(f"{spot} {money(wager)}" for spot in booked(record)) or "none"
            yield Difference("progressive wagers", said, gives)
    for voided in record.of(line.Voided):
        if voided.returned != wager * len(booked(record)):
            yield Difference("void", money(voided.returned), money(wager * len(booked(record))))
    if record.voided:
        return
    policy = policy_of(ready.config, record.fixed_from)
    wins = _standing(record)
    yield from _awards(ready, table, wager, policy, wins)
    yield from _winners(ready, table, policy, wins)
    yield from _envy(ready, table, wager, policy, wins)


def _standing(record: RoundRecord) -> dict[int, line.Logged]:
    """By spot, the wins that stood when the round closed."""
    wins: dict[int, line.Logged] = {}
    for step in record.steps:
        match step:
            case line.Logged():
                wins[step.spot] = step
            case line.Undone() if wins.get(step.spot) is not None and wins[step.spot].win == step.win:
                del wins[step.spot]
            case line.Closed():
                break
    return wins


def _awards(
    ready: Settled, table: ProgressiveTable, wager: int, policy: Policy, wins: Mapping[int, line.Logged]
) -> Iterator[Difference]:
    """PR-4 … PR-7: each award from what its meter held for it."""
    seeds = ready.record.seeds
    for spot, win in wins.items():
        where = f"spot {spot} progressive"
        if table.row(win.hand) is None or spot not in booked(ready.record):
            yield differ(ready, where, win, None)
            continue
        meters = {name: Meter(win.held if name == win.meter else 0, seeds.get(name, 0)) for name in table.meters}
        one = Entry(spot, win.hand, wager)
        award = award_round(table, meters, [one], policy._replace(award_order="right_to_left")).awards[0]
        gives = line.Logged(
            win=win.win,
            spot=spot,
            hand=win.hand,
            from_meter=award.from_meter_cents,
            from_tray=award.from_tray_cents,
            short=award.shortfall_cents,
            meter=award.meter or "",
            held=win.held if award.meter else 0,
            by=win.by,
        )
        if gives != win:
            yield differ(ready, where, win, gives)
        paid = [step for step in ready.record.of(line.Paid) if step.win == win.win]
        if paid != [line.Paid(win=win.win, spot=spot, reseeded=award.reseeded)]:
            right = line.Paid(win=win.win, spot=spot, reseeded=award.reseeded)
            yield differ(ready, where, paid[0] if paid else None, right)


def _winners(
    ready: Settled, table: ProgressiveTable, policy: Policy, wins: Mapping[int, line.Logged]
) -> Iterator[Difference]:
    """PR-13: where the cards were seen, who wins follows from them; nobody else does."""
    if ready.settlement is None:
        return
    seen = {spot.number: spot.progressive_hand for spot in ready.settlement.spots}
    held = {spot: hand for spot, hand in seen.items() if table.row(hand) is not None}
    said = {one.spot: one.hand for one in ready.record.of(line.Seen)}
    if said != held:
        yield Difference("seen", _hands(said), _hands(held))
    gives = {
        spot: hand
        for spot, hand in held.items()
        if spot in booked(ready.record) and (policy.folded_qualifies or not ready.play.hands[spot].folded)
    }
    won = {spot: win.hand for spot, win in wins.items()}
    if won != gives:
        yield Difference("progressive wins", _hands(won), _hands(gives))


def _hands(hands: Mapping[int, str]) -> str:
    return ", ".join(f"spot {spot} {hand}" for spot, hand in sorted(hands.items())) or "none"


def _envy(
    ready: Settled, table: ProgressiveTable, wager: int, policy: Policy, wins: Mapping[int, line.Logged]
) -> Iterator[Difference]:
    """PR-18: envy for every standing win, by the rule that settles a round."""
    record = ready.record
    folded = {spot for spot, hand in ready.play.hands.items() if hand.folded}
    folded |= {step.spot for step in record.of(line.Folded)}
    players = {spot: hand.player for spot, hand in ready.play.hands.items()}
    players |= {spot: f"same {pair.spots[0]}" for pair in record.of(line.Paired) for spot in pair.spots}
    inside = booked(record)
    entries = [
        Entry(spot, wins[spot].hand if spot in wins else "", wager, spot in folded, players.get(spot, ""))
        for spot in inside
    ]
    if ready.settlement is not None:
        entries += [
            Entry(spot.number, spot.progressive_hand, 0, spot.number in folded, players.get(spot.number, ""))
            for spot in ready.settlement.spots
            if spot.number not in inside
        ]
    empty = {name: Meter(0) for name in table.meters}
    order = policy._replace(award_order="right_to_left")
    gives = [
        line.Envied(spot=one.spot, cents=one.amount_cents, winner=one.winner)
        for one in award_round(table, empty, entries, order).envy
    ]
    says = record.of(line.Envied)
    if says != gives:
        told = ["; ".join(f"{one.spot} {money(one.cents)} for {one.winner}" for one in many) for many in (says, gives)]
        yield Difference("envy", told[0] or "none", told[1] or "none")
