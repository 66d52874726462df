"""Did the steps of a written round come in an order in which a table can take them?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from houseway.games.flow import BOARD, DEALER, targets
from houseway.progressive.awards import fixed_amount, source_meter
from houseway.table.card_round.settle import options_of
from houseway.table.card_round.state import Play
from houseway.table.card_round.streets import last_street, next_street, point_of, turned_last, waiting
from houseway.table.notation import steps as line
from houseway.table.notation.awards import Difference, Settled, differ
from houseway.table.notation.events import NO_ACTION
from houseway.table.notation.form import whom
from houseway.table.state import policy_of

Kinds = tuple[type[line.Step], ...]
IN_ORDER: Final[tuple[Kinds, ...]] = (
    (line.Called,),
    (line.Locked,),
    (line.Counted,),
    # TR-11: what the deck is made of is said before the first card.
    (line.Shuffled, line.Committed, line.FirstCard),
    (line.Dealt,),
    (line.FaceUp,),
    # CS-5, TC-15: forfeits are collected before the dealer's hand is turned over.
    (line.Acted, line.Turned, line.Forfeit),
    (line.Revealed,),
    (line.Seen,),
    (line.Holds, line.Came),
    (line.Named, line.Reconciled, line.Logged, line.Paid, line.Verified, line.Watched),
    (line.OpenedSeed, line.Opened),
    # PR-18: envy is paid at the end of the round.
    (line.Envied,),
    (line.Closed, line.Voided),
)
"""What comes when; steps that are not here can come at any time."""
PHASES: Final = {kind: phase for phase, kinds in enumerate(IN_ORDER) for kind in kinds}
ONCE: Final[Kinds] = (
    *(line.Called, line.Locked, line.Shuffled, line.Committed, line.FirstCard, line.FaceUp, line.Revealed),
    *(line.OpenedSeed, line.Opened),
)
ONCE_A_SPOT: Final[Kinds] = (line.Seen,)


def order_differences(ready: Settled) -> Iterator[Difference]:
    """Everything that comes too early, too late, twice, or not at all."""
    yield from _phases(ready)
    yield from _once(ready)
    yield from _bets(ready)
    yield from _packets(ready)
    yield from _flow(ready)
    yield from _claims(ready)
    yield from _shown(ready)
    yield from _held(ready)


def _phases(ready: Settled) -> Iterator[Difference]:
    last: line.Step | None = None
    for step in ready.record.steps:
        phase = PHASES.get(type(step))
        if phase is None:
            continue
        if last is not None and phase < PHASES[type(last)]:
            yield Difference("order", f"{_text(ready, step)!r} after {_text(ready, last)!r}", "it before that")
        else:
            last = step


def _once(ready: Settled) -> Iterator[Difference]:
    record = ready.record
    for kind in ONCE:
        if len(record.of(kind)) > 1:
            yield Difference("order", f"{_text(ready, record.of(kind)[1])!r} again", "it once")
    for kind in ONCE_A_SPOT:
        spots = [one.spot for one in record.of(kind)]
        for spot in sorted({spot for spot in spots if spots.count(spot) > 1}):
            yield Difference(f"spot {spot}", f"{spots.count(spot)} × {kind.__name__.lower()}", "once")
    if record.kind != "progressive" and not record.of(line.Called):
        yield Difference("order", 'no "no more bets"', "it before the first card")
    if record.link and not record.of(line.Locked) and not record.voided:
        yield Difference("order", "no lock-in", "one before the first card")


def _bets(ready: Settled) -> Iterator[Difference]:
    """Wagers are placed by who sits there, before the call; after it only a corrected count changes one (PR-35)."""
    called = False
    before: line.Step | None = None
    seats: dict[int, str] = {}
    for step in ready.record.steps:
        called = called or isinstance(step, line.Called)
        if isinstance(step, line.Sat):
            seats[step.spot] = step.player
        elif isinstance(step, line.Left):
            seats.pop(step.spot, None)
        elif isinstance(step, line.Placed):
            corrects = isinstance(before, line.Counted) and (step.wager, step.spot) == ("progressive", before.spot)
            if (called and not corrects) or seats.setdefault(step.spot, step.player) != step.player:
                yield differ(ready, "wagers", step, None)
        before = step


def _packets(ready: Settled) -> Iterator[Difference]:
    """TC-6, PG-3: whom the packets go to, in order."""
    record = ready.record
    for promise in (*record.of(line.Shuffled), *record.of(line.Committed)):
        says = [one.target for one in record.of(line.Dealt)]
        gives = targets(ready.game, tuple(ready.play.hands), options_of(ready.config), promise.start)
        if says != list(gives[: len(says)]) or (len(says) < len(gives) and not record.voided):
            told = [", ".join(map(whom, many)) or "nobody" for many in (says, gives)]
            yield Difference("packets", told[0], told[1])


def _flow(ready: Settled) -> Iterator[Difference]:
    """Every spot acted when its decision had come, and every street was turned over when all had."""
    game, play = ready.game, ready.play
    stands = replace(play, hands={spot: replace(hand, actions=()) for spot, hand in play.hands.items()})
    stands = replace(stands, streets=0, board_up={}, board=())
    for step in ready.record.steps:
        match step:
            case line.Acted() if step.action != NO_ACTION and step.spot in stands.hands:
                hand = stands.hands[step.spot]
                point = point_of(game, stands, hand)
                if point is None or point.choice(step.action) is None or step.point not in ("", point.key):
                    yield differ(ready, f"spot {step.spot}", step, None)
                    return
                hand = replace(hand, actions=(*hand.actions, play.hands[step.spot].actions[len(hand.actions)]))
                stands = replace(stands, hands={**stands.hands, step.spot: hand})
            case line.Forfeit() if game.collects_folds == "after_all" or not _has_folded(stands, step.spot):
                for spot in waiting(game, stands):
                    yield Difference(f"spot {spot}", f"no decision before {_text(ready, step)!r}", "one")
                if not _has_folded(stands, step.spot):
                    yield differ(ready, f"spot {step.spot}", step, None)
            case line.Turned():
                after = _turned(ready, stands, step)
                if after is None:
                    yield differ(ready, "street", step, None)
                    return
                stands = after
            case line.Revealed():
                for spot in waiting(game, stands):
                    yield Difference(f"spot {spot}", "no decision before the reveal", "one")
                missing = next_street(game, stands)
                if missing is not None and missing.number:
                    yield Difference("street", "nothing", missing.words)


def _has_folded(stands: Play, spot: int) -> bool:
    return spot in stands.hands and stands.hands[spot].folded


def _turned(ready: Settled, stands: Play, step: line.Turned) -> Play | None:
    """The round after a street; None where it was not its turn."""
    game = ready.game
    places = tuple(place - 1 for place in step.places)
    street = next_street(game, stands)
    if street is None or (street.number and waiting(game, stands)):
        # A physical table may enter the last street again, and enters at the end what is still missing.
        street = turned_last(game, stands) if street is not None or waiting(game, stands) else last_street(game, stands)
    if street is None or (street.target, street.places, street.label) != (step.target, places, step.label):
        return None
    up = {**stands.board_up, **dict(zip(places, step.cards, strict=True))} if step.target == BOARD else stands.board_up
    return replace(stands, streets=street.number, board_up=up)


def _claims(ready: Settled) -> Iterator[Difference]:
    """PR-13 … PR-16: a win is named, then recorded by somebody else, then paid; each once, and one a spot."""
    named: dict[int, line.Named] = {}
    logged: dict[int, line.Logged] = {}
    paid: set[int] = set()
    won: dict[int, int] = {}
    for step in ready.record.steps:
        match step:
            case line.Named():
                if step.spot in named or not _row_is_so(ready, step):
                    yield differ(ready, f"spot {step.spot} claim", step, None)
                named[step.spot] = step
            case line.Dropped():
                if named.pop(step.spot, None) is None:
                    yield differ(ready, f"spot {step.spot} claim", step, None)
            case line.Logged():
                claim = named.pop(step.spot, None)
                wrong = claim is None or claim.hand != step.hand or claim.by == step.by
                if wrong or step.win in logged or step.spot in won:
                    yield differ(ready, f"spot {step.spot} win", step, None)
                logged[step.win], won[step.spot] = step, step.win
            case line.Paid():
                if step.win not in logged or step.win in paid or logged[step.win].spot != step.spot:
                    yield differ(ready, f"spot {step.spot} win", step, None)
                paid.add(step.win)
            case line.Undone() if step.win in logged:
                if step.win not in paid or won.pop(step.spot, None) != step.win:
                    yield differ(ready, f"spot {step.spot} win", step, None)
            case line.Closed():
                for spot in named:
                    yield Difference(f"spot {spot} claim", "that it is open at the close", "confirmed or dropped")
                for win in sorted(logged.keys() - paid):
                    yield Difference(f"win {win}", "that it is not paid at the close", "paid")


def _row_is_so(ready: Settled, step: line.Named) -> bool:
    """Whether a claim is what its row of the pay table says."""
    table, locked = ready.progressive, ready.record.of(line.Locked)
    row = table.row(step.hand) if table is not None else None
    if table is None or row is None or not locked:
        return False
    meter = source_meter(row, table, policy_of(ready.config, ready.record.fixed_from)) or ""
    fixed = 0 if row.percent else fixed_amount(row, table, locked[0].wager_cents)
    return (step.meter, step.percent, step.fixed_cents) == (meter, row.percent or 0, fixed)


def _shown(ready: Settled) -> Iterator[Difference]:
    """FL-5: the verify display shows the house way, and so how the hands that the house sets are set."""
    set_so = {}
    for one in ready.record.of(line.Revealed):
        set_so[DEALER] = one.high, one.low
    asked = {one.spot for one in ready.record.of(line.Acted) if one.action in ready.game.house_ways}
    set_so |= {one.spot: (one.high, one.low) for one in ready.record.of(line.Holds) if one.spot in asked}
    for step in ready.record.of(line.Shown):
        if step.target in set_so and set_so[step.target] != (step.high, step.low):
            yield differ(ready, f"display, {whom(step.target)}", step, None)


def _held(ready: Settled) -> Iterator[Difference]:
    """FL-23: what comes back is held for a player who left, and for nobody else."""
    left: dict[int, str] = {}
    for step in ready.record.steps:
        if isinstance(step, line.Left) and step.held:
            left[step.spot] = step.player
        elif isinstance(step, line.Reconciled) and step.held_for != left.get(step.spot, ""):
            yield Difference(
                f"spot {step.spot}", f"held for {step.held_for or 'nobody'}", f"for {left.get(step.spot) or 'nobody'}"
            )


def _text(ready: Settled, step: line.Step) -> str:
    return line.forms(ready.record.console)[type(step)].written(step)
