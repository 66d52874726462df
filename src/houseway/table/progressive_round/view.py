"""What the console of a table shows: lights, claims with what they are due, wins, and what may be pressed now.

Nothing is decided here: a button can be pressed when `houseway.table.progressive_round.decide` would not refuse it.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from houseway.progressive.link import Claim, dues, queue
from houseway.refusal import Refusal
from houseway.table.progressive_round import commands as ask
from houseway.table.progressive_round.console import Words
from houseway.table.progressive_round.decide import Desk, decide, envy_by, needs_executive, unnamed
from houseway.table.state import Win


class ClaimView(Struct, frozen=True, kw_only=True):
    """An open claim as the console shows it."""

    spot: int
    hand: str
    due_cents: int
    meter: str
    """Empty for an award from the tray."""
    turn: int
    """PR-32: its place among all claims on its meter, at whatever table; 1 when it may be confirmed."""
    executive: bool
    """PR-15: whether a touch console asks for an Executive card."""
    named_by: str
    at_j_pot: bool
    """PR-16, keypad: whether its amount is fixed and only RUN is missing."""


class EnvyView(Struct, frozen=True, kw_only=True):
    """PR-18: what a spot will be paid at the end of the round, by the wins recorded so far."""

    spot: int
    winner: int
    cents: int


class Press(Struct, frozen=True, kw_only=True):
    """A button that may be pressed now."""

    command: str
    """The command's name, as the journal writes it."""
    label: str
    """In the words of the table's generation."""
    spots: tuple[int, ...] = ()
    """For which spots; empty where the button is the table's."""


class TableView(Struct, frozen=True, kw_only=True):
    """Everything a console shows of its table."""

    table: str
    round: int
    words: Words
    locked: bool
    dealt: bool
    lit: tuple[int, ...]
    """PR-28: the lights, which stay on all round."""
    booked: tuple[int, ...]
    waiting: tuple[int, ...]
    """PR-11: chips for the next round."""
    folded: tuple[int, ...]
    meters: dict[str, int]
    """FL-14: the amount that can be won of each meter, in whole cents."""
    claims: tuple[ClaimView, ...]
    """In the order of their spots' awards; those on one meter in the order they must be confirmed."""
    wins: tuple[Win, ...]
    """The confirmed wins that stand."""
    envy: tuple[EnvyView, ...]
    face_up: tuple[int, ...]
    """PR-30: the hands that stay face up until envy is paid; all others are locked up."""
    unnamed: tuple[tuple[int, str], ...]
    """PR-13: wins that the system saw and nobody named."""
    called_at: int
    """PR-29: when a supervisor was called, 0 for not; and when the supervisor came."""
    arrived_at: int
    stops: tuple[str, ...]
    """Why no wager is locked in now."""
    presses: tuple[Press, ...]


def table_view(desk: Desk, *, presses: bool = True) -> TableView:
    """What the table's console shows as things stand; without ``presses`` for those who only look."""
    table, state, link = desk.table, desk.round, desk.link
    return TableView(
        table=table.id,
        round=state.number,
        words=desk.words,
        locked=state.locked,
        dealt=state.dealt,
        lit=state.lit,
        booked=state.booked,
        waiting=state.waiting,
        folded=state.folded,
        meters={name: meter.shown_cents for name, meter in link.meters.items() if name in link.now.meters},
        claims=_claims(desk),
        wins=tuple(win for win in state.wins if win.stands),
        envy=_envy(desk),
        face_up=face_up(desk),
        unnamed=tuple(unnamed(desk)),
        called_at=state.called_at,
        arrived_at=state.arrived_at,
        stops=(*table.stops.values(), *link.stops.values()),
        presses=tuple(_presses(desk)) if presses else (),
    )


def face_up(desk: Desk) -> tuple[int, ...]:
    """PR-30: the spots whose hand causes envy, recorded or only claimed so far."""
    if not desk.round.locked:
        return ()
    claimed = {claim.spot: claim.hand for claim in desk.link.claims_at(desk.table.id)}
    return tuple(sorted({envy.winner for envy in envy_by(desk, {**_won(desk), **claimed})}))


def _won(desk: Desk) -> dict[int, str]:
    return {win.spot: win.hand for win in desk.round.wins if win.stands}


def _envy(desk: Desk) -> tuple[EnvyView, ...]:
    if not desk.round.locked:
        return ()
    return tuple(
        EnvyView(spot=envy.spot, winner=envy.winner, cents=envy.amount_cents) for envy in envy_by(desk, _won(desk))
    )


def _claims(desk: Desk) -> tuple[ClaimView, ...]:
    amounts, policies = dues(desk.link), desk.context.policies
    shown = []
    for claim in sorted(
        desk.link.claims_at(desk.table.id), key=lambda candidate: (_turn(desk, candidate), candidate.place)
    ):
        cents = amounts[claim.table, claim.spot].cents
        shown.append(
            ClaimView(
                spot=claim.spot,
                hand=claim.hand,
                due_cents=cents,
                meter=claim.meter,
                turn=_turn(desk, claim),
                executive=needs_executive(policies, claim, cents),
                named_by=claim.named_by,
                at_j_pot=claim.fixed is not None,
            )
        )
    return tuple(shown)


def _turn(desk: Desk, claim: Claim) -> int:
    if not claim.meter:
        return 1
    waiting = [(waiter.table, waiter.spot) for waiter in queue(desk.link, claim.meter)]
    return waiting.index((claim.table, claim.spot)) + 1


def _presses(desk: Desk) -> Iterable[Press]:
    """Every button that would not be refused, whoever presses it; a card or key may still be asked for."""
    name, words, spots = desk.table.id, desk.words, range(1, desk.table.config.spots + 1)
    hands = [row.hand for row in desk.terms.table.rows] if desk.round.locked else []
    for label, command in (
        (words.lock_in, ask.LockIn(table=name)),
        ("first card", ask.FirstCard(table=name)),
        ("supervisor here", ask.Arrive(table=name)),
        ("RUN", ask.Run(table=name)),
        (words.close, ask.CloseRound(table=name)),
        ("void the round", ask.VoidRound(table=name, cause=_ANY)),
    ):
        if _may(desk, command):
            yield Press(command=_tag(command), label=label)
    by_spot: tuple[tuple[str, list[list[ask.AnyTableCommand]]], ...] = (
        (words.name_win, [[ask.NameWin(table=name, spot=spot, hand=hand) for hand in hands] for spot in spots]),
        ("J-POT", [[ask.JPot(table=name, spot=spot)] for spot in spots]),
        ("CONFIRM", [[ask.Confirm(table=name, spot=spot)] for spot in spots]),
        ("no win", [[ask.DropClaim(table=name, spot=spot, reason=_ANY)] for spot in spots]),
        ("fold", [[ask.Fold(table=name, spot=spot)] for spot in spots]),
        (
            "correct the count",
            [
                [ask.CorrectCount(table=name, spot=spot, wagered=spot not in desk.round.booked, reason=_ANY)]
                for spot in spots
            ],
        ),
    )
    for label, choices in by_spot:
        able = tuple(
            spot for spot, tried in zip(spots, choices, strict=True) if any(_may(desk, choice) for choice in tried)
        )
        if able:
            yield Press(command=_tag(choices[0][0]), label=label, spots=able)


_ANY = "any"
"""Words that a person will give in their place."""


def _may(desk: Desk, command: ask.AnyTableCommand) -> bool:
    """Whether something would come of it if the right person did it: one who named nothing, with an Executive card."""
    anybody = desk.context._replace(by="", role="executive")
    try:
        return bool(decide(desk.table, desk.link, command, anybody))
    except Refusal:
        return False


def _tag(command: ask.AnyTableCommand) -> str:
    return str(type(command).__struct_config__.tag)
