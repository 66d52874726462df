"""Every table's machine: the progressive's alone, or a round with cards around it. One door for all commands."""

from __future__ import annotations

from typing import Any, Final, cast, get_args

from msgspec.structs import replace

from houseway.money import dollars
from houseway.progressive.link import LinkState
from houseway.refusal import NotAllowed, Refusal
from houseway.table.card_round import commission
from houseway.table.card_round import events as tell
from houseway.table.card_round.cards import Shoe, opened
from houseway.table.card_round.commands import AnyPlayCommand, MalfunctionStep, SignOver
from houseway.table.card_round.decide import (
    Felt,
    before_close,
    close_without_link,
    decide_play,
    deck_opened,
    fault_voided,
    from_rack,
    promised,
    void_without_link,
    voidable,
)
from houseway.table.progressive_round import commands as ask
from houseway.table.progressive_round.decide import Context
from houseway.table.progressive_round.decide import decide as decide_progressive
from houseway.table.state import TableState

Events = tuple[Any, ...]
_OF_PLAY: Final = frozenset(get_args(AnyPlayCommand))
"""Looked up by type: asked of a union, each of its classes is tried for every coin-in."""
_RECORDS_A_WIN: Final = (ask.Confirm, ask.JPot, ask.Run)


def decide(
    table: TableState,
    link: LinkState | None,
    command: ask.AnyTableCommand | AnyPlayCommand,
    context: Context,
    shoe: Shoe | None = None,
) -> Events:
    """What a command makes happen at a table; a Refusal when it is not allowed now, with what is."""
    if command.round and command.round != table.round.number:
        raise Refusal("round", f"{table.id} is in round {table.round.number}; this was meant for round {command.round}")
    if type(command) in _OF_PLAY:
        # A shift ends and a shuffler fails at every table, whatever the system sees of its cards (FL-13, FL-24).
        if table.config.kind == "progressive" and not isinstance(command, SignOver | MalfunctionStep):
            raise Refusal("table", f"{table.id} uses the system for its progressive alone; cards are not seen here")
        return decide_play(Felt(opened(table, shoe), link, context, shoe), command)
    pressed = cast(ask.AnyTableCommand, command)
    if isinstance(pressed, _RECORDS_A_WIN) and context.by in table.round.play.dealers:
        raise NotAllowed("card", "who dealt this round cannot confirm its claim; another must", rule="own claim")
    if table.config.kind == "progressive":
        return decide_progressive(table, link, pressed, context)
    return _with_cards(Felt(opened(table, shoe), link, context, shoe), pressed)


def _with_cards(felt: Felt, command: ask.AnyTableCommand) -> Events:
    """What the progressive's commands mean where the system sees wagers and cards."""
    table, link, context = felt.table, felt.link, felt.context
    match command:
        case ask.Light() | ask.Unlight():
            raise Refusal("table", f"a progressive wager is placed at {table.id} like any other, with bet")
        case ask.FirstCard() | ask.Fold() | ask.SeeHand() | ask.SamePlayer():
            raise Refusal("table", f"{table.id} sees its cards and players itself; this follows from them")
        case ask.LockIn():
            if not felt.play.called:
                raise Refusal("table", f'call "no more bets" first; {felt.words.lock_in} comes after it')
            if command.lit is not None and set(command.lit) != set(felt.round.lit):
                raise Refusal("lit", "is not what was wagered; the lights follow the wagers here")
            _wagers_still_fit(felt)
        case ask.NameWin() if link is not None and not felt.play.revealed:
            raise Refusal("hand", "the hands are not turned over yet; a win is named while reconciling")
        case ask.CloseRound():
            return (*_closed(felt, command), *promised(felt, felt.round.number + 1))
        case ask.VoidRound():
            return (*_voided(felt, command), *promised(felt, felt.round.number + 1))
        case ask.CorrectCount():
            if felt.is_virtual:
                raise NotAllowed("spot", f"{table.id} counts what its players placed; only they bet", rule="own spot")
            if link is not None:
                _has_base_wager(felt, command)
    if link is None:
        raise Refusal("table", f"{table.id} plays no progressive; a link must join it first")
    events = decide_progressive(table, link, command, context)
    if isinstance(command, ask.CorrectCount) and events:
        cents = felt.round.wager_cents if command.wagered else 0
        hand = felt.play.hands[command.spot]
        placed = tell.WagerPlaced(
            **felt.where, spot=command.spot, player=hand.player, wager="progressive", cents=cents, guest=hand.guest
        )
        return (*events, placed)
    return events


def _closed(felt: Felt, command: ask.CloseRound) -> Events:
    if felt.link is None:
        return close_without_link(felt, command)
    before_close(felt)
    return (*deck_opened(felt), *decide_progressive(felt.table, felt.link, command, felt.context))


def _voided(felt: Felt, command: ask.VoidRound) -> Events:
    voidable(felt)
    fault = fault_voided(felt, command)
    if felt.link is None or not felt.round.locked:
        return (*fault, *void_without_link(felt, command))
    *dropped, voided = decide_progressive(felt.table, felt.link, command, felt.context)
    taken_off = commission.unmark(felt.table)
    return (*fault, *taken_off, *deck_opened(felt), *dropped, replace(voided, rack=from_rack(felt)))


def _wagers_still_fit(felt: Felt) -> None:
    """PR-39: every wager of a link is the same, also where the link was changed while the chips lay there."""
    wager_cents = felt.link.now.wager_cents if felt.link is not None else 0
    for spot, hand in sorted(felt.play.hands.items()):
        if hand.wagers.get("progressive", wager_cents) != wager_cents:
            raise Refusal(
                "table", f"the progressive wager of spot {spot} is not {dollars(wager_cents)}: void the round"
            )


def _has_base_wager(felt: Felt, command: ask.CorrectCount) -> None:
    """PR-10: a spot that is counted in after all has the base game's wager like any other."""
    hand = felt.play.hands.get(command.spot)
    if hand is None:
        raise Refusal("spot", f"spot {command.spot} is not in this round: it has no base wager")
    if command.wagered:
        felt.game.check_wagers({**hand.wagers, "progressive": felt.round.wager_cents}, felt.options)
