"""What the dealer, or whoever stands at the table, presses next: one button, decided here and drawn by the page."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Literal

from msgspec import Struct

from houseway.games.flow import BOARD, DEALER
from houseway.money import dollars
from houseway.table.card_round.decide import FAILED, Felt
from houseway.table.card_round.offers import (
    ActionOffer,
    actions,
    board_to_enter,
    later_to_enter,
    repair,
    to_verify,
)
from houseway.table.card_round.step_offer import step
from houseway.table.card_round.streets import lacking_cards, waiting
from houseway.table.card_round.view import Who, stage_of
from houseway.table.event import name_target
from houseway.table.progressive_round.view import Press, TableView


class NextPress(Struct, frozen=True, kw_only=True):
    """The one big button of a table's console."""

    command: str
    """The order that it sends; ``wait`` where it sends none, because others are to act."""
    label: str
    more: str = ""
    """Whose turn it is, or how much: the small words on the button."""
    body: dict[str, Any] = {}
    """What the order is sent with."""
    fields: tuple[str, ...] = ()
    """What a person still fills in before it is sent: the cards, a note, who verified."""
    cards: int = 0
    """How many cards are to be entered."""
    urgent: bool = False
    """Whether it stands out: a win, a malfunction."""


def next_press(
    felt: Felt, who: Who, may: Collection[str], presses: Sequence[Press], console: TableView | None
) -> NextPress | None:
    """The next press for somebody who may give these orders; None for those who only look.

    ``presses`` are the buttons that would not be refused now, and ``console`` what the progressive shows.
    """
    if felt.table.malfunction and "malfunction_step" in may:
        return next(_repairs(felt), None)
    if not {"lock_in", "confirm"} & set(may):
        return None
    able = {press.command: press for press in presses}
    if "run" in able:
        return NextPress(command="run", label="RUN", urgent=True)
    for found in (_dealing(felt, who, able, console) if "lock_in" in may else None, _winning(felt, able, console)):
        if found is not None:
            return found
    if "lock_in" in may and "close_round" in able:
        return NextPress(command="close_round", label=able["close_round"].label, more=f"round {felt.round.number}")
    return _wait(felt)


def _repairs(felt: Felt) -> Iterator[NextPress]:
    """FL-13: the usual next step of a repair."""
    for offer in repair(felt):
        if offer.step != FAILED:
            fields = ("note",) if offer.needs_note else ()
            yield NextPress(
                command="malfunction_step", label=offer.words, body={"step": offer.step}, fields=fields, urgent=True
            )


# ----------------------------------------------------------------------------------------------------- the dealer's own


def _dealing(felt: Felt, who: Who, able: dict[str, Press], console: TableView | None) -> NextPress | None:
    cards = felt.table.config.kind == "cards"
    if cards:
        found = _cards_to_enter(felt, able) or _action_to_say(felt, who)
        if found is not None:
            return found
    for command in ("no_more_bets", "lock_in", "first_card", "deal", "reveal"):
        if command in able:
            return NextPress(command=command, label=able[command].label)
    due = step(felt)
    if due is not None and due.command in able:
        spots = dict.fromkeys(line.spot for line in due.lines)
        whose = f"spot {', '.join(map(str, spots))}"
        return NextPress(command=due.command, label=able[due.command].label, more=whose, body={"spot": due.spot})
    unnamed = _unnamed(felt, able, console)
    if unnamed is not None:
        return unnamed
    late = able.get("time_up")
    if late is not None:
        return NextPress(command="time_up", label=late.label, more=_whose(late.spots[0]), body={"spot": late.spots[0]})
    return None


def _cards_to_enter(felt: Felt, able: dict[str, Press]) -> NextPress | None:
    """FL-4: whose cards a physical table enters next: the spots', the dealer's, then street by street the board's."""
    entering = able.get("enter_cards")
    if entering is None:
        return None
    play, game = felt.play, felt.game
    if stage_of(felt) == "dealing":
        for spot in entering.spots:
            if spot > 0 and not play.hands[spot].cards:
                return _enter(spot, game.player_cards, _whose(spot))
        if DEALER in entering.spots and not play.dealer:
            return _enter(DEALER, game.dealer_cards, "the dealer")
    later = later_to_enter(felt)
    if later is not None:
        target = lacking_cards(game, play, later)[0][0]
        burns = later.deal.burns if later.deal is not None and not play.dealer_later else 0
        return _enter(target, 1, f"{f'burn {burns}, then ' if burns else ''}{later.words}: {name_target(target)}")
    street = board_to_enter(felt)
    if street is None or (waiting(game, play) and street.number):
        return None
    return _enter(BOARD, len(street.places), street.words)


def _enter(spot: int, cards: int, whose: str) -> NextPress:
    return NextPress(
        command="enter_cards", label="enter cards", more=whose, body={"spot": spot}, fields=("cards",), cards=cards
    )


def _action_to_say(felt: Felt, who: Who) -> NextPress | None:
    """What the first undecided spot of a physical table most likely did: the dealer says what was seen."""
    if stage_of(felt) != "deciding":
        return None
    offers = list(actions(felt, who))
    here = [offer for offer in offers if offer.spot == offers[0].spot]
    offer = next((offer for offer in here if not offer.takes_card and not offer.folds), here[0] if here else None)
    return None if offer is None else act_press(offer)


def act_press(offer: ActionOffer) -> NextPress:
    """The button of an action."""
    added = "".join(f" · +{dollars(cents)}" for cents in offer.adds.values())
    return NextPress(
        command="act",
        label=offer.label,
        more=f"{_whose(offer.spot)}{added}",
        body={"spot": offer.spot, "action": offer.action},
        fields=("card",) if offer.takes_card else (),
    )


def _unnamed(felt: Felt, able: dict[str, Press], console: TableView | None) -> NextPress | None:
    """PR-13: a win that the cards show and no person has named, the spot that is reconciled now first."""
    naming = able.get("name_win")
    if naming is None or console is None or not console.unnamed:
        return None
    due = step(felt)
    first = next(((spot, hand) for spot, hand in console.unnamed if due is not None and spot == due.spot), None)
    spot, hand = first or console.unnamed[0]
    if spot not in naming.spots:
        return None
    words = hand.replace("_", " ")
    return NextPress(command="name_win", label=words, more=_whose(spot), body={"spot": spot, "hand": hand}, urgent=True)


# ------------------------------------------------------------------------------------------------- the supervisor's


def _winning(felt: Felt, able: dict[str, Press], console: TableView | None) -> NextPress | None:
    command = "j_pot" if felt.table.config.console == "keypad" else "confirm"
    recording = able.get(command)
    for claim in console.claims if console is not None and recording is not None else ():
        if recording is not None and claim.spot in recording.spots:
            return NextPress(
                command=command,
                label=recording.label,
                more=f"{_whose(claim.spot)} · {dollars(claim.due_cents)}",
                body={"spot": claim.spot},
                urgent=True,
            )
    for offer in to_verify(felt.table, felt.context.policies):
        about: dict[str, Any] = {"win": offer.win} if offer.win else {"spot": offer.spot, "wager": offer.wager}
        return NextPress(
            command="surveillance" if offer.win else "verify_payout",
            label="verify",
            more=f"{_whose(offer.spot)} · {dollars(offer.cents)}",
            body=about,
            fields=("player",),
            urgent=True,
        )
    return None


def _wait(felt: Felt) -> NextPress:
    stage: Literal["deciding", "betting"] | str = stage_of(felt) if felt.table.config.kind != "progressive" else ""
    if stage == "deciding":
        spots = ", ".join(map(str, waiting(felt.game, felt.play)))
        return NextPress(command="wait", label="wait", more=f"for spot {spots}")
    return NextPress(command="wait", label="wait", more="for wagers" if stage == "betting" else "")


def _whose(spot: int) -> str:
    return f"spot {spot}"
