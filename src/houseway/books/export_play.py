"""What happened in a round with cards, in words; `houseway.books.export` has those of everything else."""

from __future__ import annotations

from functools import singledispatch

from houseway.cards import Card, text_of
from houseway.games.flow import BOARD, DEALER, EMPTY
from houseway.money import dollars
from houseway.table.card_round import events as play


def _who(target: int) -> str:
    return {DEALER: "the dealer", EMPTY: "an empty position", BOARD: "the board"}.get(target, f"spot {target}")


def _named(wagers: tuple[str, ...]) -> str:
    return ", ".join(wagers).replace("_", " ")


@singledispatch
def play_words(event: object) -> str:
    """What happened, as one or more sentences."""
    raise TypeError(f"no words for {type(event).__name__}")


@play_words.register
def _(event: play.Seated) -> str:
    return f"{event.player} took spot {event.spot}."


@play_words.register
def _(event: play.SeatLeft) -> str:
    held = "; the wagers of the round stand, and winnings are held" if event.held else ""
    return f"{event.player} left spot {event.spot}{held}."


@play_words.register
def _(event: play.WagerPlaced) -> str:
    if not event.cents:
        return f"Spot {event.spot} took back its {_named((event.wager,))} wager."
    return f"Spot {event.spot} has {dollars(event.cents)} on {_named((event.wager,))}."


@play_words.register
def _(event: play.BetsClosed) -> str:
    without = "; ".join(
        f"without {_named((wager,))}: spot {', '.join(map(str, spots))}" for wager, spots in event.without.items()
    )
    return f'"No more bets" was called.{f" {without}." if without else ""}'


@play_words.register
def _(event: play.SeedCommitted) -> str:
    return f"The house committed to its secret seed for round {event.round}: {event.commitment}."


@play_words.register
def _(event: play.PlayerSeedAdded) -> str:
    return f'{event.player}, at spot {event.spot}, added "{event.player_seed}" to the deck.'


@play_words.register
def _(event: play.DeckShuffled) -> str:
    start = f" Position {event.start} gets the first packet." if event.start else ""
    column = f" Cover All pays by the column of {event.column} hands." if event.column else ""
    chosen = " DEMONSTRATION: cards were chosen." if event.stacked else ""
    return f"A deck was shuffled from {_seeds(event)}.{start}{column}{chosen}"


def _seeds(event: play.DeckShuffled) -> str:
    if not event.player_seeds:
        return "the house's seed alone: no player added one"
    added = ", ".join(map(str, event.player_seeds))
    alone = f"; spot {', '.join(map(str, event.house_only))} added none" if event.house_only else ""
    return f"the house's seed and those of spot {added}{alone}"


@play_words.register
def _(event: play.DeckCommitted) -> str:
    start = f" Position {event.start} gets the first packet." if event.start else ""
    column = f" Cover All pays by the column of {event.column} hands." if event.column else ""
    return f"A deck was shuffled and its order committed to: {event.commitment}.{start}{column}"


@play_words.register
def _(event: play.PacketDealt) -> str:
    if event.cards:
        return f"A packet went to {_who(event.target)}: {text_of(event.cards)}."
    last = event.first + event.count
    return f"A packet went to {_who(event.target)}: cards {event.first + 1} to {last} of the sealed deck."


@play_words.register
def _(event: play.FaceUpShown) -> str:
    return f"Face up lies of the dealer's cards: {text_of(event.cards)}."


@play_words.register
def _(event: play.CardsEntered) -> str:
    return f"The cards of {_who(event.spot)} were entered: {text_of(event.cards)}."


@play_words.register
def _(event: play.DeckStacked) -> str:
    chosen = text_of(event.cards) if event.cards else "whatever comes"
    return f"DEMONSTRATION: the next deck is stacked for {_who(event.spot)}: {chosen}."


@play_words.register
def _(event: play.Acted) -> str:
    return _acted(event.spot, event.action, event.card, event.place, event.cents, event.how)


@play_words.register
def _(event: play.SpotDecided) -> str:
    decided = event.decision
    return _acted(event.spot, decided.kind, decided.low, decided.low_place, decided.double_cents, decided.how)


def _acted(spot: int, action: str, card: Card | None, place: int | None, cents: int, how: str) -> str:
    named = f", {text_of((card,))}" if card is not None else ""
    named = f", card {place + 1} of its hand" if place is not None else named
    added = f", adding {dollars(cents)}" if cents else ""
    why = {"left": " (the player left)", "time": " (time ran out)"}.get(how, "")
    return f"Spot {spot} decided: {action.replace('_', ' ')}{named}{added}{why}."


@play_words.register
def _(event: play.ForfeitCollected) -> str:
    cents, cards = sum(event.wagers.values()), _counted(event.cards)
    return f"Spot {event.spot} folded: {_named(tuple(event.wagers))} collected, {dollars(cents)}; {cards}."


def _counted(cards: int) -> str:
    return f"{cards} cards counted and racked" if cards else "its cards stay tucked under its wager"


@play_words.register
def _(event: play.BoardTurned) -> str:
    whose = "of the dealer's cards" if event.target == DEALER else "of the board"
    street = f"{event.label}: " if event.label else ""
    return f"{street}turned over {whose}: {text_of(event.cards) or 'not entered yet'}."


@play_words.register
def _(event: play.HandShown) -> str:
    return f"The verify display showed {_who(event.spot)}: high {text_of(event.high)}, low {text_of((event.low,))}."


@play_words.register
def _(event: play.SpotResult) -> str:
    lines = "; ".join(
        f"{_named((wager,))} {line.result}, {dollars(line.wagered)} made {dollars(line.returned)} ({line.why})"
        for wager, line in event.lines.items()
    )
    return f"Spot {event.spot} holds {event.name}: {lines}."


@play_words.register
def _(event: play.DealerRevealed) -> str:
    plays = "" if event.plays is None else "; the dealer plays" if event.plays else "; the dealer does not play"
    return f"The dealer's cards were turned over: {text_of(event.cards)}, {event.name}{plays}."


@play_words.register
def _(event: play.Reconciled) -> str:
    held = f" Held for {event.held_for}, who left." if event.held_for else ""
    return (
        f"Spot {event.spot} reconciled, {_named(event.wagers)}: {dollars(event.wagered)} lay there, "
        f"{dollars(event.returned)} came back.{held}"
    )


@play_words.register
def _(event: play.PayoutVerified) -> str:
    return (
        f"Surveillance ({event.observer}) verified the {_named((event.wager,))} win of spot {event.spot}, "
        f"player {event.player}."
    )


@play_words.register
def _(event: play.DeckOpened) -> str:
    secret = f"seed {event.seed}" if event.seed else f"nonce {event.nonce}"
    order = f"{text_of(event.order)}, " if event.order else ""
    return f"The commitment {event.commitment} was opened: {order}{secret}."


@play_words.register
def _(event: play.SignedOver) -> str:
    claims = f"open claims of spot {', '.join(map(str, event.claims))}" if event.claims else "no open claim"
    stands = "in a round" if event.locked else "between rounds"
    return f"The table was signed over to {event.to}, {stands}, {claims}."


@play_words.register
def _(event: play.MalfunctionRecorded) -> str:
    note = f" ({event.note})" if event.note else ""
    return f"Shuffler malfunction: {event.step}{note}."
