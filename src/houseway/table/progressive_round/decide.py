"""The round machine of a table with a progressive: what a command makes happen, or why not now (PR-10 … PR-20).

Pure: it looks at the table, its link and the command, and answers with events. Nothing is changed here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from houseway.money import dollars
from houseway.paytables import ProgressiveRow
from houseway.progressive import Entry, Envy, Meter, award_round
from houseway.progressive.awards import envy_amount, fixed_amount, source_meter
from houseway.progressive.link import (
    Claim,
    Due,
    LinkState,
    after_drawing,
    dues,
    earlier,
    promised,
    without_round,
)
from houseway.progressive.terms import MICROS_PER_CENT, Split, Terms, split
from houseway.refusal import NotAllowed, Refusal
from houseway.table.config import Console, Policies
from houseway.table.progressive_round import commands as ask
from houseway.table.progressive_round import events as tell
from houseway.table.progressive_round.console import WORDS, Words
from houseway.table.state import Round, TableState, policy_of

Events = tuple[tell.AnyTableEvent, ...]


class Context(NamedTuple):
    """What comes from outside: who asks, when, and what the site has decided."""

    seq: int
    """The number of the entry these events will be in."""
    now: int
    by: str
    role: str
    day: str
    """The gaming day."""
    policies: Policies
    guest: int = 0
    """TR-8: the admission of the player who asks; 0 for staff."""
    demonstration: bool = False
    """TR-9: whether the floor was founded as a demonstration."""
    name: str = ""
    """What the person who asks is called."""


class Desk(NamedTuple):
    """Everything a decision looks at."""

    table: TableState
    link: LinkState
    context: Context

    @property
    def round(self) -> Round:
        return self.table.round

    @property
    def terms(self) -> Terms:
        """The terms this round is played under."""
        return self.link.terms[self.round.terms]

    @property
    def words(self) -> Words:
        return WORDS[self.table.config.console]

    @property
    def where(self) -> dict[str, Any]:
        """What every event of this round begins with."""
        return {"table": self.table.id, "round": self.round.number}


def decide(table: TableState, link: LinkState | None, command: ask.AnyTableCommand, context: Context) -> Events:
    """What a command makes happen at a table; a Refusal when it is not allowed now, with what is."""
    if link is None:
        raise Refusal("table", f"{table.id} plays no progressive; a link must join it first")
    return _DECIDE[type(command)](Desk(table, link, context), command)


# ---------------------------------------------------------------------------------------------- before the first card


def _light(desk: Desk, command: ask.Light) -> Events:
    spot = _spot(desk, command.spot)
    if not command.base_wager:
        raise Refusal("spot", f"spot {spot} has not made the base game's wager; the progressive needs it")
    if spot in (desk.round.waiting if desk.round.locked else desk.round.lit):
        return ()
    return (tell.SensorLit(**desk.where, spot=spot, waits=desk.round.locked),)


def _unlight(desk: Desk, command: ask.Unlight) -> Events:
    spot = _spot(desk, command.spot)
    if spot not in (desk.round.waiting if desk.round.locked else desk.round.lit):
        return ()
    return (tell.SensorDark(**desk.where, spot=spot),)


def _lock_in(desk: Desk, command: ask.LockIn) -> Events:
    if desk.round.locked:
        return ()
    link = desk.link
    if stops := desk.table.stops or link.stops:
        raise Refusal("table", f"{desk.table.id} takes no progressive wager now: {next(iter(stops.values()))}")
    terms = link.now
    for name, meter in link.meters.items():
        if (not meter.opened or meter.retired) and name in terms.meters:
            state = "is retired" if meter.retired else "has not been opened: give it its seed or its opening balance"
            raise Refusal("link", f"meter {name} of {link.id} {state}")
    reported = desk.round.lit if command.lit is None else command.lit
    spots = tuple(sorted(set(reported)))
    for spot in spots[:1] + spots[-1:]:
        _spot(desk, spot)
    parts, excess = _within_maximum(link, terms, split(terms, len(spots)))
    return (
        tell.LockedIn(
            table=desk.table.id,
            round=desk.table.round.number,
            link=link.id,
            terms=link.version,
            spots=spots,
            wager_cents=terms.wager_cents,
            meters=parts.meters,
            reserves=parts.reserves,
            excess=excess,
            kept=parts.kept,
        ),
    )


def _within_maximum(link: LinkState, terms: Terms, parts: Split) -> tuple[Split, dict[str, int]]:
    """FL-15: what would lift a meter over its posted maximum goes to its reserve instead."""
    excess = {}
    for name, meter in terms.meters.items():
        if meter.maximum_cents is not None:
            room = max(0, meter.maximum_cents * MICROS_PER_CENT - link.meters[name].value)
            over = max(0, parts.meters[name] - room)
            if over:
                excess[name] = over
    if not excess:
        return parts, excess
    meters = {name: micros - excess.get(name, 0) for name, micros in parts.meters.items()}
    reserves = {name: parts.reserves.get(name, 0) + excess.get(name, 0) for name in {**parts.reserves, **excess}}
    return Split(meters, reserves, parts.kept), excess


def _correct_count(desk: Desk, command: ask.CorrectCount) -> Events:
    spot, state = _spot(desk, command.spot), desk.round
    _reason("reason", command.reason)
    _must_be_locked(desk)
    if state.dealt:
        raise Refusal("spot", "the first card is out: the count stands, and a chip that was not counted goes back")
    if command.wagered == (spot in state.booked):
        raise Refusal("spot", f"spot {spot} {'is in' if command.wagered else 'is not in'} this round already")
    one = split(desk.terms, 1)
    if command.wagered:
        one, excess = _within_maximum(desk.link, desk.terms, one)
        meters, reserves = one.meters, one.reserves
    else:
        # What this spot's contribution lifted over a maximum lies in the reserve.
        excess = {name: min(over, one.meters[name]) for name, over in state.excess.items() if over}
        wanted = Split(
            {name: micros - excess.get(name, 0) for name, micros in one.meters.items()},
            {name: one.reserves.get(name, 0) + excess.get(name, 0) for name in {**one.reserves, **excess}},
            one.kept,
        )
        _must_not_be_fixed(desk)
        off = _taken_back(desk.link, wanted.meters, wanted.reserves, _seeds(desk))
        meters = {name: -micros for name, micros in off.meters.items()}
        reserves = {name: -micros for name, micros in off.reserves.items()}
        excess = {name: -min(over, off.reserves.get(name, 0)) for name, over in excess.items()}
    wager = state.wager_cents * MICROS_PER_CENT * (1 if command.wagered else -1)
    return (
        tell.CountCorrected(
            **desk.where,
            link=desk.link.id,
            spot=spot,
            wagered=command.wagered,
            wager_cents=state.wager_cents,
            meters=meters,
            reserves=reserves,
            excess=excess,
            kept=wager - sum(meters.values()) - sum(reserves.values()),
            reason=command.reason,
        ),
    )


def _first_card(desk: Desk, command: ask.FirstCard) -> Events:
    _must_be_locked(desk)
    return () if desk.round.dealt else (tell.CardsOut(**desk.where),)


# ------------------------------------------------------------------------------------------------------- with cards out


def _fold(desk: Desk, command: ask.Fold) -> Events:
    spot = _spot(desk, command.spot)
    _must_be_locked(desk)
    if spot in desk.round.folded:
        return ()
    if desk.link.claim(desk.table.id, spot) is not None or desk.round.win(spot) is not None:
        raise Refusal("spot", f"spot {spot} has a claim or a win; it cannot fold now")
    return (*_dealt(desk), tell.Folded(**desk.where, spot=spot))


def _see_hand(desk: Desk, command: ask.SeeHand) -> Events:
    spot = _spot(desk, command.spot)
    _must_be_locked(desk)
    if command.hand:
        _row(desk, command.hand)
    if desk.round.seen.get(spot) == command.hand:
        return ()
    return (*_dealt(desk), tell.HandSeen(**desk.where, spot=spot, hand=command.hand))


def _same_player(desk: Desk, command: ask.SamePlayer) -> Events:
    spots = tuple(sorted({_spot(desk, spot) for spot in command.spots}))
    if len(spots) < 2:
        raise Refusal("spots", "must name at least two different spots that one person plays")
    if spots in desk.round.players:
        return ()
    if any(spot in other for other in desk.round.players for spot in spots):
        raise Refusal("spots", "one of them is named as another player's already")
    return (tell.PlayersPaired(**desk.where, spots=spots),)


def _name_win(desk: Desk, command: ask.NameWin) -> Events:
    spot, state, link = _spot(desk, command.spot), desk.round, desk.link
    _must_be_locked(desk)
    row = _row(desk, command.hand)
    if spot not in state.booked:
        raise Refusal("spot", f"spot {spot} has no progressive wager in this round; {_in_words(state)}")
    open_claim = link.claim(desk.table.id, spot)
    if open_claim is not None:
        return _toggled(desk, open_claim, command.hand)
    if state.win(spot) is not None:
        raise Refusal("spot", f"spot {spot} has won in this round already; a spot wins once a round")
    policy = policy_of(desk.table.config, desk.terms.fixed_from)
    if spot in state.folded and not policy.folded_qualifies:
        raise Refusal("spot", f"spot {spot} folded; a folded hand does not qualify")
    _cards_support(desk, spot, command.hand)
    meter = source_meter(row, desk.terms.table, policy) or ""
    claim = Claim(
        **desk.where,
        spot=spot,
        hand=row.hand,
        meter=meter,
        percent=row.percent or 0,
        fixed_cents=0 if row.percent else fixed_amount(row, desk.terms.table, state.wager_cents),
        seed_cents=desk.terms.meters[meter].seed_cents if meter else 0,
        place=_place(policy.award_order, spot),
        named_by=desk.context.by,
        named_at=desk.context.now,
    )
    return (*_dealt(desk), tell.ClaimNamed(**desk.where, link=link.id, claim=claim))


def _cards_support(desk: Desk, spot: int, hand: str) -> None:
    """PR-13: where the system saw the cards, they decide; where it did not, it takes the dealer's word."""
    seen = desk.round.seen.get(spot, hand)
    if seen != hand:
        made = seen or "no hand that wins"
        raise Refusal("hand", f"the cards of spot {spot} make {_spoken(made)}, not {_spoken(hand)}")


def _toggled(desk: Desk, claim: Claim, hand: str) -> Events:
    """PR-13: the same button again takes a claim back; another button must wait for that."""
    if claim.fixed is not None:
        raise Refusal("spot", f"spot {claim.spot} stands at J-POT; only a manual adjustment undoes a recorded win")
    if claim.hand != hand:
        raise Refusal(
            "hand",
            f"spot {claim.spot} claims {_spoken(claim.hand)}; press that again to take it back, then name the other",
        )
    return (tell.ClaimDropped(**desk.where, link=desk.link.id, spot=claim.spot, reason="pressed again"),)


def _place(order: str | tuple[int, ...], spot: int) -> int:
    """PR-17: a spot's place in the award order, lowest first; spots that a list leaves out come after it."""
    if isinstance(order, tuple):
        return order.index(spot) if spot in order else len(order) + spot
    return -spot if order == "right_to_left" else spot


def _drop_claim(desk: Desk, command: ask.DropClaim) -> Events:
    claim = _claim(desk, command.spot)
    _reason("reason", command.reason)
    if claim.fixed is not None:
        raise Refusal("spot", f"spot {claim.spot} stands at J-POT; only a manual adjustment undoes a recorded win")
    return (tell.ClaimDropped(**desk.where, link=desk.link.id, spot=claim.spot, reason=command.reason),)


def _arrive(desk: Desk, command: ask.Arrive) -> Events:
    state = desk.round
    if not state.called_at:
        raise Refusal("table", f"nobody called a supervisor to {desk.table.id}; naming a win does")
    if state.arrived_at:
        return ()
    return (tell.SupervisorArrived(**desk.where, waited=desk.context.now - state.called_at),)


# ------------------------------------------------------------------------------------------------------ recording a win


def _confirm(desk: Desk, command: ask.Confirm) -> Events:
    _needs_console(desk, "touch")
    logged = _logged(desk, _claim(desk, command.spot))
    return logged, _paid(desk, logged.claim, logged.due, logged.win)


def _j_pot(desk: Desk, command: ask.JPot) -> Events:
    _needs_console(desk, "keypad")
    for claim in desk.link.claims_at(desk.table.id):
        if claim.fixed is not None:
            raise Refusal("spot", f"spot {claim.spot} stands at J-POT; turn the key back to RUN first")
    return (_logged(desk, _claim(desk, command.spot)),)


def _run(desk: Desk, command: ask.Run) -> Events:
    _needs_console(desk, "keypad")
    for claim in desk.link.claims_at(desk.table.id):
        if claim.fixed is not None:
            _not_own(desk, claim)
            return (_paid(desk, claim, claim.fixed, claim.win),)
    raise Refusal("table", f"no win stands at J-POT on {desk.table.id}; J-POT comes first")


def _logged(desk: Desk, claim: Claim) -> tell.WinLogged:
    """PR-15, PR-17, PR-32: a claim becomes a win when it is its turn and the right person says so."""
    _not_own(desk, claim)
    _cards_support(desk, claim.spot, claim.hand)
    before = earlier(desk.link, claim)
    if before is not None:
        raise Refusal(
            "spot",
            f"table {before.table} spot {before.spot} ({_spoken(before.hand)}) comes first on meter {claim.meter}; "
            "confirm or drop it before this one",
        )
    context, policies = desk.context, desk.context.policies
    amount = dues(desk.link)[claim.table, claim.spot]
    if needs_executive(policies, claim, amount.cents) and context.role != "executive":
        raise NotAllowed(
            "card",
            f"{dollars(amount.cents)} needs an Executive card: one is asked for from "
            f"{dollars(policies.executive_from_cents)} up",
            rule="executive",
        )
    terms, wager = desk.terms, desk.round.wager_cents
    scales = policy_of(desk.table.config, terms.fixed_from).envy_scales
    return tell.WinLogged(
        **desk.where,
        link=desk.link.id,
        win=context.seq,
        claim=claim,
        due=amount,
        confirmed_by=context.by,
        waited=context.now - claim.named_at,
        surveillance=policies.needs_surveillance(amount.cents),
        tax_form=needs_tax_form(policies, amount.cents, wager, context.day),
        envy_cents=envy_amount(_row(desk, claim.hand), terms.table, wager, scales=scales),
    )


def needs_executive(policies: Policies, claim: Claim, cents: int) -> bool:
    """PR-15, TR-7: whether recording a claim takes an Executive card, on either console; RUN only pays it."""
    return claim.fixed is None and cents >= policies.executive_from_cents


def needs_tax_form(policies: Policies, cents: int, wager_cents: int, day: str) -> bool:
    """FL-18: whether winnings of a day reach the dated amount and the multiple of the wager."""
    least = [
        form.cents for form in sorted(policies.tax_forms, key=lambda tax_form: tax_form.since) if form.since <= day
    ]
    return bool(least) and cents >= least[-1] and cents >= policies.tax_multiple * wager_cents


def _paid(desk: Desk, claim: Claim, amount: Due, win: int) -> tell.WinPaid:
    """PR-4 … PR-7: what comes off the meter, and what it starts again from."""
    meter = desk.link.meters[claim.meter] if claim.meter else None
    before = meter.value if meter else 0
    seed = claim.seed_cents if claim.takes_all else None
    after, reserve = after_drawing(before, meter.reserve if meter else 0, amount.from_meter_cents, seed)
    if amount.from_meter_cents * MICROS_PER_CENT > before:
        raise RuntimeError(f"meter {claim.meter} of {desk.link.id} holds less than it promised: {before}, {amount}")
    return tell.WinPaid(
        **desk.where,
        link=desk.link.id,
        win=win,
        spot=claim.spot,
        meter=claim.meter,
        from_meter=amount.from_meter_cents * MICROS_PER_CENT,
        from_tray=amount.from_tray_cents * MICROS_PER_CENT,
        shortfall=amount.shortfall_cents * MICROS_PER_CENT,
        seed=(seed or 0) * MICROS_PER_CENT,
        from_reserve=meter.reserve - reserve if meter else 0,
        reseeded=claim.takes_all,
        before=before,
        after=after if meter else 0,
    )


def _surveillance(desk: Desk, command: ask.Surveillance) -> Events:
    win = next((win for win in desk.round.wins if win.number == command.win and win.stands), None)
    if win is None:
        raise Refusal("win", f"{desk.table.id} has no win {command.win} in this round")
    _reason("player", command.player)
    if win.verified:
        return ()
    verified = tell.SurveillanceVerified(
        **desk.where, win=win.number, observer=desk.context.name, player=command.player
    )
    return (verified,)


# -------------------------------------------------------------------------------------------------- the end of a round


def _close_round(desk: Desk, command: ask.CloseRound) -> Events:
    _must_be_locked(desk)
    state, link = desk.round, desk.link
    for why in _still_open(desk):
        raise Refusal("table", f"{desk.words.close} must wait: {why}")
    closed = tell.RoundClosed(
        **desk.where,
        link=link.id,
        meters={name: meter.value for name, meter in link.meters.items()},
        spots=state.booked,
        winners=tuple(win.spot for win in state.wins if win.stands),
        terms=state.terms,
        wager_cents=state.wager_cents,
    )
    return (*_envy(desk), closed)


def _still_open(desk: Desk) -> list[str]:
    """PR-13, PR-19, FL-18: everything that keeps a round from closing, in words."""
    state = desk.round
    claims = [
        f"spot {claim.spot} claims {_spoken(claim.hand)} and is not confirmed"
        for claim in desk.link.claims_at(desk.table.id)
    ]
    unverified = [
        f"win {win.number} of spot {win.spot} needs surveillance to verify hand, wager, payout and player"
        for win in state.wins
        if win.stands and win.surveillance and not win.verified
    ]
    return [
        *claims,
        *(f"spot {spot} holds {_spoken(hand)} that nobody named" for spot, hand in unnamed(desk)),
        *unverified,
    ]


def unnamed(desk: Desk) -> list[tuple[int, str]]:
    """PR-13: wins that the system saw and nobody named, by spot and hand."""
    state = desk.round
    if not state.locked:
        return []
    policy = policy_of(desk.table.config, desk.terms.fixed_from)
    return [
        (spot, hand)
        for spot, hand in sorted(state.seen.items())
        if hand
        and spot in state.booked
        and (spot not in state.folded or policy.folded_qualifies)
        and state.win(spot) is None
        and desk.link.claim(desk.table.id, spot) is None
    ]


def _envy(desk: Desk) -> tuple[tell.EnvyPaid, ...]:
    """PR-18, PR-37: envy for every standing win of the round."""
    wins = {win.spot: win for win in desk.round.wins if win.stands}
    return tuple(
        tell.EnvyPaid(
            **desk.where,
            link=desk.link.id,
            spot=one.spot,
            win=wins[one.winner].number if one.winner in wins else 0,
            winner=one.winner,
            cents=one.amount_cents,
        )
        for one in envy_by(desk, {spot: win.hand for spot, win in wins.items()})
    )


def envy_by(desk: Desk, hands: Mapping[int, str]) -> tuple[Envy, ...]:
    """PR-18: the envy that these hands of spots with the wager cause, by the same rule that settles a round."""
    state, terms = desk.round, desk.terms
    policy = policy_of(desk.table.config, terms.fixed_from)
    if not hands and policy.envy_needs_wager:
        return ()
    player = {spot: f"p{spots[0]}" for spots in state.players for spot in spots}
    entries = [
        Entry(spot, hands.get(spot, ""), state.wager_cents, spot in state.folded, player.get(spot, ""))
        for spot in state.booked
    ] + [
        Entry(spot, hand, 0, spot in state.folded, player.get(spot, ""))
        for spot, hand in state.seen.items()
        if spot not in state.booked
    ]
    # Only the envy is wanted here: the awards were drawn when they were confirmed, so the meters do not matter.
    empty = {name: Meter(0) for name in desk.link.meters}
    order = policy._replace(award_order="right_to_left")
    return award_round(terms.table, empty, entries, order).envy


def _void_round(desk: Desk, command: ask.VoidRound) -> Events:
    state, link = desk.round, desk.link
    _reason("cause", command.cause)
    _must_be_locked(desk)
    for win in state.wins:
        if win.stands:
            raise Refusal(
                "table", f"win {win.number} of spot {win.spot} is recorded; adjust it before the round is voided"
            )
    _must_not_be_fixed(desk)
    wagers = len(state.booked) * state.wager_cents * MICROS_PER_CENT
    dropped = [
        tell.ClaimDropped(**desk.where, link=link.id, spot=claim.spot, reason="round voided")
        for claim in link.claims_at(desk.table.id)
    ]
    if desk.context.policies.washington and not command.malfunction:
        off = Split({}, {}, 0)
    else:
        off = _taken_back(without_round(link, desk.table.id, state.number), state.meters, state.reserves, _seeds(desk))
    covered = wagers - sum(off.meters.values()) - sum(off.reserves.values())
    voided = tell.RoundVoided(
        **desk.where,
        link=link.id,
        cause=command.cause,
        malfunction=command.malfunction,
        spots=state.booked,
        returned=wagers,
        meters=off.meters,
        reserves=off.reserves,
        covered=covered,
        short=off.kept,
    )
    return (*dropped, voided)


def _seeds(desk: Desk) -> dict[str, int]:
    """PR-20: what nothing that is taken back brings a meter below."""
    return {name: desk.terms.meters[name].seed_cents * MICROS_PER_CENT for name in desk.round.meters}


def _taken_back(link: LinkState, meters: dict[str, int], reserves: dict[str, int], floors: dict[str, int]) -> Split:
    """PR-20: what meters and reserves can give back: never below the floor, nor what a claim was promised.

    ``kept`` of the answer is what they could not give.
    """
    off_meters = {
        name: min(micros, max(0, link.meters[name].value - max(floors.get(name, 0), promised(link, name).held)))
        for name, micros in meters.items()
    }
    off_reserves = {
        name: min(micros, max(0, link.meters[name].reserve - promised(link, name).reserve))
        for name, micros in reserves.items()
    }
    wanted = sum(meters.values()) + sum(reserves.values())
    return Split(off_meters, off_reserves, wanted - sum(off_meters.values()) - sum(off_reserves.values()))


# ----------------------------------------------------------------------------------------------------- small questions


def _spot(desk: Desk, spot: int) -> int:
    if not 1 <= spot <= desk.table.config.spots:
        raise Refusal("spot", f"{spot} is not a spot of {desk.table.id}; it has 1 to {desk.table.config.spots}")
    return spot


def _must_be_locked(desk: Desk) -> None:
    if not desk.round.locked:
        raise Refusal("table", f"{desk.table.id} has not locked its wagers in; {desk.words.lock_in} comes first")


def _must_not_be_fixed(desk: Desk) -> None:
    """PR-16: between J-POT and RUN nothing else draws on a meter, at whatever table."""
    for name in desk.round.meters:
        fixed = desk.link.fixed_on(name)
        if fixed is not None:
            raise Refusal(
                "table", f"meter {name} stands between J-POT and RUN at {fixed.table}; turn the key to RUN first"
            )


def _needs_console(desk: Desk, console: Console) -> None:
    if desk.table.config.console != console:
        raise Refusal("table", f"{desk.table.id} records a win with {desk.words.record}")


def _not_own(desk: Desk, claim: Claim) -> None:
    if claim.named_by == desk.context.by:
        raise NotAllowed("card", "who named a win cannot confirm it; another supervisor must", rule="own claim")


def _claim(desk: Desk, spot: int) -> Claim:
    claim = desk.link.claim(desk.table.id, _spot(desk, spot))
    if claim is None:
        raise Refusal("spot", f"spot {spot} has no open claim at {desk.table.id}; {desk.words.name_win} makes one")
    return claim


def _row(desk: Desk, hand: str) -> ProgressiveRow:
    table = desk.terms.table
    row = table.row(hand)
    if row is None:
        allowed = ", ".join(row.hand for row in table.rows)
        raise Refusal("hand", f"{hand!r} wins nothing on {table.label}; its hands are {allowed}")
    return row


def _dealt(desk: Desk) -> Events:
    """A fold or a named win shows that the cards are out, where nothing else said so."""
    return () if desk.round.dealt else (tell.CardsOut(**desk.where),)


def _reason(field: str, text: str) -> None:
    if not text.strip():
        raise Refusal(field, "must be given in words")


def _in_words(state: Round) -> str:
    return f"in are spots {', '.join(map(str, state.booked))}" if state.booked else "no spot is in"


def _spoken(hand: str) -> str:
    return hand.replace("_", " ")


_DECIDE: Final[dict[type, Callable[[Desk, Any], Events]]] = {
    ask.Light: _light,
    ask.Unlight: _unlight,
    ask.LockIn: _lock_in,
    ask.CorrectCount: _correct_count,
    ask.FirstCard: _first_card,
    ask.Fold: _fold,
    ask.SeeHand: _see_hand,
    ask.SamePlayer: _same_player,
    ask.NameWin: _name_win,
    ask.DropClaim: _drop_claim,
    ask.Arrive: _arrive,
    ask.JPot: _j_pot,
    ask.Run: _run,
    ask.Confirm: _confirm,
    ask.Surveillance: _surveillance,
    ask.CloseRound: _close_round,
    ask.VoidRound: _void_round,
}
