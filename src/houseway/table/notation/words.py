"""A written round in words: one sentence a step, for whoever follows it later."""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch

from houseway.cards import text_of
from houseway.games import Game
from houseway.games.flow import BOARD, DEALER, EMPTY
from houseway.money import dollars
from houseway.table.notation import steps as line
from houseway.table.notation.events import NO_ACTION
from houseway.table.notation.record import RoundRecord, known_game
from houseway.table.progressive_round.console import WORDS


def in_words(record: RoundRecord) -> Iterator[str]:
    """What happened, step by step."""
    game = known_game(record.game)
    yield (
        f"{record.site}, table {record.table}, round {record.round} of {game.title}, "
        f"gaming day {record.day}, {record.console} console."
    )
    for step in record.steps:
        yield _worded(step, record, game)


def _worded(step: line.Step, record: RoundRecord, game: Game) -> str:
    """A step in words, in those of its console and game where they have their own."""
    words = WORDS[record.console]
    match step:
        case line.Placed():
            wager = _label(game, step.wager)
            lies = f"has {dollars(step.cents)} on {wager}" if step.cents else f"takes the {wager} wager back"
            return f"{step.player}, at spot {step.spot}, {lies}."
        case line.Locked():
            spots = _spots(step.spots) if step.spots else "no spot"
            return f"{words.lock_in}: {spots} in the progressive at {dollars(step.wager_cents)}."
        case line.Came():
            envy = f", {dollars(step.envy)} of it envy" if step.envy else ""
            verb = {"win": "wins", "push": "pushes", "lose": "loses"}.get(step.result, step.result)
            return (
                f"Spot {step.spot}, {_label(game, step.wager)}, {verb}: {dollars(step.wagered)} makes "
                f"{dollars(step.returned)}{envy} ({step.why})."
            )
        case line.Forfeit():
            wagers = ", ".join(_label(game, wager) for wager in step.wagers)
            cards = f"counts its {step.counted} cards and racks them" if step.counted else "leaves its cards tucked"
            return f"The dealer takes what spot {step.spot} gave up, {wagers}: {dollars(step.wagered)}, and {cards}."
        case line.Reconciled():
            wagers = ", ".join(_label(game, wager) for wager in step.wagers)
            held = f" It is held for {step.held_for}, who left." if step.held_for else ""
            return (
                f"Spot {step.spot} is reconciled, {wagers}: {dollars(step.wagered)} lay there, "
                f"{dollars(step.returned)} comes back.{held}"
            )
        case line.Closed():
            return f"{words.close}: the round is over."
        case line.Logged():
            return _logged(step, words.record)
        case _:
            return sentence(step)


def _logged(step: line.Logged, how: str) -> str:
    source = f" Meter {step.meter} held {dollars(step.held)}." if step.meter else ""
    short = f" The house covers {dollars(step.short)} that the meter could not give." if step.short else ""
    return (
        f"{how}: win {step.win}, spot {step.spot}, {_spoken(step.hand)}, "
        f"{dollars(step.from_meter + step.from_tray)}: {dollars(step.from_meter)} from the meter and "
        f"{dollars(step.from_tray)} from the tray, by {step.by}.{source}{short}"
    )


@singledispatch
def sentence(step: line.Step) -> str:
    """A step as one or two sentences."""
    raise TypeError(f"no words for {type(step).__name__}")


@sentence.register
def _(step: line.Sat) -> str:
    return f"{step.player} sits down at spot {step.spot}."


@sentence.register
def _(step: line.Left) -> str:
    return f"{step.player} leaves spot {step.spot}{'; the wagers stand' if step.held else ''}."


@sentence.register
def _(step: line.Paired) -> str:
    return f"One player plays {_spots(step.spots)}."


@sentence.register
def _(step: line.Lit) -> str:
    return f"The sensor of spot {step.spot} lights{'; the chip waits for the next round' if step.waits else ''}."


@sentence.register
def _(step: line.Dark) -> str:
    return f"The sensor of spot {step.spot} goes dark."


@sentence.register
def _(step: line.Called) -> str:
    return '"No more bets."'


@sentence.register
def _(step: line.Counted) -> str:
    return f"The count is corrected: spot {step.spot} is {'in' if step.wagered else 'out'}. Reason: {step.reason}."


@sentence.register
def _(step: line.Seeded) -> str:
    return f"The house commits to its secret seed for the round: {step.commitment}."


@sentence.register
def _(step: line.PlayerSeed) -> str:
    return f'{step.player}, at spot {step.spot}, adds "{step.text}" to the deck.'


@sentence.register
def _(step: line.Shuffled) -> str:
    start = f" Position {step.start} gets the first packet." if step.start else ""
    column = f" Cover All pays by the column of {step.column} hands." if step.column else ""
    chosen = " DEMONSTRATION: the chosen cards are put in their places." if step.stacked else ""
    return f"The deck is shuffled from {_seeds(step)}.{start}{column}{chosen}"


def _seeds(step: line.Shuffled) -> str:
    if not step.seeds:
        return "the house's seed alone: no player added one"
    alone = f"; {_spots(step.house)} added none" if step.house else ""
    return f"the house's seed and that of {_spots(step.seeds)}{alone}"


@sentence.register
def _(step: line.FaceUp) -> str:
    return f"Face up lies of the dealer's cards: {text_of(step.cards)}."


@sentence.register
def _(step: line.Committed) -> str:
    start = f" Position {step.start} gets the first packet." if step.start else ""
    column = f" Cover All pays by the column of {step.column} hands." if step.column else ""
    return f"A deck is shuffled and its order committed to: {step.commitment}.{start}{column}"


@sentence.register
def _(step: line.FirstCard) -> str:
    return "The first card is dealt."


@sentence.register
def _(step: line.Dealt) -> str:
    return f"A packet goes to {_whom(step.target)}: {text_of(step.cards)}."


@sentence.register
def _(step: line.Entered) -> str:
    return f"The cards of {_whom(step.target)} are entered: {text_of(step.cards)}."


@sentence.register
def _(step: line.Stacked) -> str:
    chosen = text_of(step.cards) if step.cards else "whatever comes"
    return f"DEMONSTRATION: the deck is stacked for {_whom(step.target)}: {chosen}."


@sentence.register
def _(step: line.Acted) -> str:
    if step.action == NO_ACTION:
        return f"Spot {step.spot} has nothing to decide."
    verbs = {"play": "plays", "fold": "folds", "low": "sets its hand", "house_way": "asks for the house way"}
    made = verbs.get(step.action, f"chooses {_spoken(step.action)}")
    at = f" at {_spoken(step.point)}" if step.point else ""
    low = f", {text_of((step.card,))} low" if step.card is not None else ""
    double = f", adding {dollars(step.cents)}" if step.cents else ""
    how = {"left": ", because its player left", "time": ", because time ran out"}.get(step.how, "")
    return f"Spot {step.spot} {made}{at}{low}{double}{how}."


@sentence.register
def _(step: line.Turned) -> str:
    street = f"{step.label}: the" if step.label else "The"
    whose = "of the board" if step.target == BOARD else "of its own cards"
    return f"{street} dealer turns over {whose}: {text_of(step.cards)}."


@sentence.register
def _(step: line.Folded) -> str:
    return f"Spot {step.spot} folds."


@sentence.register
def _(step: line.Shown) -> str:
    return f"The verify display shows {_whom(step.target)}: high {text_of(step.high)}, low {text_of((step.low,))}."


@sentence.register
def _(step: line.Revealed) -> str:
    plays = "" if step.plays is None else ", which plays" if step.plays else ", which does not play"
    low = f", set {text_of(step.high)} over {text_of((step.low,))}" if step.low is not None else ""
    return f"The dealer turns over {step.name}{plays}{low}."


@sentence.register
def _(step: line.Holds) -> str:
    low = f", set {text_of(step.high)} over {text_of((step.low,))} by {step.by}" if step.low is not None else ""
    outcome = f": {step.outcome}" if step.outcome else ""
    return f"Spot {step.spot} holds {step.name}{low}{outcome}."


@sentence.register
def _(step: line.Seen) -> str:
    return f"The cards of spot {step.spot} make {_spoken(step.hand)} on the progressive table."


@sentence.register
def _(step: line.Named) -> str:
    share = f"{step.percent}%" if step.percent else dollars(step.fixed_cents)
    source = f"of meter {step.meter}" if step.percent else f"from meter {step.meter}" if step.meter else "from the tray"
    return f"{step.by} names a win: spot {step.spot}, {_spoken(step.hand)}, {share} {source}. A supervisor is called."


@sentence.register
def _(step: line.Dropped) -> str:
    return f"The claim of spot {step.spot} is dropped: {step.reason}."


@sentence.register
def _(step: line.Arrived) -> str:
    return "The supervisor arrives."


@sentence.register
def _(step: line.Paid) -> str:
    return f"Win {step.win} is paid to spot {step.spot}{'; the meter is reseeded' if step.reseeded else ''}."


@sentence.register
def _(step: line.Watched) -> str:
    return f"Surveillance ({step.observer}) verifies win {step.win}, player {step.player}."


@sentence.register
def _(step: line.Verified) -> str:
    wager = step.wager.replace("_", " ")
    return f"Surveillance ({step.observer}) verifies the {wager} win of spot {step.spot}, player {step.player}."


@sentence.register
def _(step: line.Envied) -> str:
    return f"Spot {step.spot} is paid {dollars(step.cents)} envy for the hand of spot {step.winner}."


@sentence.register
def _(step: line.SignedOver) -> str:
    return f"{step.by} signs the table over to {step.to}."


@sentence.register
def _(step: line.Malfunctioned) -> str:
    note = f" ({step.note})" if step.note else ""
    return f"The shuffler fails: {step.step}{note}{'; play goes on' if step.over else ''}."


@sentence.register
def _(step: line.OpenedSeed) -> str:
    order = f" The deck was {text_of(step.order)}." if step.order else " No deck was made of it."
    return f"The house opens its seed: {step.seed}.{order}"


@sentence.register
def _(step: line.Opened) -> str:
    return f"The commitment is opened: {text_of(step.order)}, nonce {step.nonce}."


@sentence.register
def _(step: line.Voided) -> str:
    cause = f"{step.cause}{' (a recorded malfunction)' if step.malfunction else ''}"
    return (
        f"The round is void: {cause}. All wagers go back, {dollars(step.returned)} of the progressive's from the tray."
    )


@sentence.register
def _(step: line.Undone) -> str:
    return f"Win {step.win} of spot {step.spot} is undone by a manual adjustment: {step.why}."


@sentence.register
def _(step: line.PaidLate) -> str:
    return f"Noticed late: spot {step.spot}, {_spoken(step.hand)}, {dollars(step.cents)}, win {step.win}: {step.why}."


def _spots(spots: tuple[int, ...]) -> str:
    return f"spot{'s' if len(spots) > 1 else ''} {', '.join(map(str, spots))}"


def _whom(target: int) -> str:
    return {DEALER: "the dealer", EMPTY: "an empty position", BOARD: "the board"}.get(target, f"spot {target}")


def _spoken(hand: str) -> str:
    return hand.replace("_", " ")


def _label(game: Game, wager: str) -> str:
    """What a betting place is called on the layout."""
    found = game.wager(wager)
    return found.label if found is not None else _spoken(wager)
