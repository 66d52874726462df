"""What happened in a round with cards.

Over 500 lines because every event has its line of text and its sentence beside it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, Union

from msgspec.structs import replace

from houseway.cards import Card, text_of
from houseway.games.flow import BOARD, DEALER
from houseway.money import dollars
from houseway.table.card_round import commands as ask
from houseway.table.card_round.state import Decided, Line, Step, action_of
from houseway.table.event import Event, Say, if_any, name_spots, name_target, show, speak
from houseway.table.progressive_round.events import TableEvent

NO_ACTION: Final = "none"
"""What is written for a spot that has no decision to make."""


class CardEvent(TableEvent, frozen=True, kw_only=True, tag=True):
    """Something that happened in a round with cards."""


class Seated(CardEvent, frozen=True, kw_only=True, tag="seated"):
    spot: int
    player: str
    guest: int = 0
    """TR-8: the player's admission; 0 where a dealer wrote the name down, and before seats had it."""

    PRESS = ask.SitDown
    TEXT = "sit {spot:spot} {player:name}"
    SHOWN = show("spot", "player")

    def in_words(self, say: Say) -> str:
        return f"{self.player} took spot {self.spot}."


class SeatLeft(CardEvent, frozen=True, kw_only=True, tag="seat_left"):
    """FL-23: ``held`` when wagers of the round still stand."""

    spot: int
    player: str
    held: bool

    PRESS = ask.StandUp
    TEXT = "leave {spot:spot} {player:name}{held:flag}"
    SHOWN = show("spot", "player", "held")

    def in_words(self, say: Say) -> str:
        stand = if_any(self.held, "; the wagers of the round stand, and winnings are held")
        return f"{self.player} left spot {self.spot}{stand}."


class WagerPlaced(CardEvent, frozen=True, kw_only=True, tag="wager_placed"):
    """What lies on a betting place now; 0 for nothing any more."""

    spot: int
    player: str
    wager: str
    cents: int
    guest: int = 0
    """TR-8: the admission of the player whose seat it is, as in `Seated`."""

    PRESS = ask.Bet
    TEXT = "bet {spot:spot} {wager:wager} {cents:money} by {player:name}"
    SHOWN = show("spot", "wager", "cents")

    def in_words(self, say: Say) -> str:
        wager = say.wager(self.wager)
        lies = f"has {dollars(self.cents)} on {wager}" if self.cents else f"took back its {wager} wager"
        return f"Spot {self.spot}, {self.player}, {lies}."


class BetsClosed(CardEvent, frozen=True, kw_only=True, tag="bets_closed"):
    """TC-5: "no more bets", and the spots without the side wager that the display names."""

    without: dict[str, tuple[int, ...]]

    PRESS = ask.NoMoreBets
    TEXT = "no more bets"
    SHOWN = show("without")

    def in_words(self, say: Say) -> str:
        lacking = [f" {say.wager(wager)}: {name_spots(spots)}" for wager, spots in self.without.items()]
        return f'"No more bets" was called.{if_any(lacking, " Without")}{";".join(lacking)}{if_any(lacking, ".")}'


class SeedCommitted(CardEvent, frozen=True, kw_only=True, tag="seed_committed"):
    """FL-3, TR-11: the house's secret seed for the round, before its first wager."""

    commitment: str
    sealed: str

    TEXT = "seed {commitment:hex}"
    SHOWN = show("commitment")

    def in_words(self, say: Say) -> str:
        number = if_any(self.round, f" for round {self.round}")
        return f"The house committed to its secret seed{number}: {self.commitment}."


class PlayerSeedAdded(CardEvent, frozen=True, kw_only=True, tag="player_seed_added"):
    """TR-11: what a player adds to the deck."""

    spot: int
    player: str
    player_seed: str

    TEXT = "player seed {spot:spot} {player_seed:text} by {player:name}"
    SHOWN = show("spot", "player_seed")

    def in_words(self, say: Say) -> str:
        return f'{self.player}, at spot {self.spot}, added "{self.player_seed}" to the deck.'


class DeckShuffled(CardEvent, frozen=True, kw_only=True, tag="deck_shuffled"):
    """TR-11: the deck follows from the committed seed and these; before the first card."""

    commitment: str
    player_seeds: dict[int, str]
    house_only: tuple[int, ...]
    """The spots of the round that added nothing."""
    start: int
    targets: tuple[int, ...]
    column: int
    stacked: dict[int, tuple[Card, ...]]
    """A demonstration's own: cards that were chosen, and so do not follow from the seeds; 0 for the dealer."""
    decks: int = 0
    """CW-1, BA-1: of a shoe, how many decks it has."""
    cut: int = 0
    """Of a shoe: how many cards lie before the cut card."""

    TEXT = (
        "shuffle[ seeds {player_seeds:keys}][ house alone {house_only:spots}][ start {start:number}]"
        "[ column {column:number}]{stacked:chosen}[ decks {decks:number}][ cut {cut:number}]"
    )
    SHOWN = show("commitment", "player_seeds", "house_only", "start")

    def in_words(self, say: Say) -> str:
        alone = if_any(self.house_only, f"; {name_spots(self.house_only)} added none")
        seeds = f"the house's seed and that of {name_spots(self.player_seeds)}{alone}"
        source = seeds if self.player_seeds else "the house's seed alone: no player added one"
        chosen = if_any(self.stacked, " DEMONSTRATION: cards were chosen.")
        what = f"A shoe of {self.decks} decks" if self.decks else "The deck"
        cut = if_any(self.decks, f" {self.cut} cards lie before the cut card.")
        return f"{what} was shuffled from {source}.{cut}{_start(self.start, self.column)}{chosen}"


class ShoeContinued(CardEvent, frozen=True, kw_only=True, tag="shoe_continued"):
    """The round is dealt from the shoe of the rounds before."""

    shoe: int
    """The first round of the shoe."""
    first: int
    """The place in the shoe that this round begins at, the top card's being 0."""
    targets: tuple[int, ...]

    TEXT = "shoe {shoe:number} from card {first:number}"
    SHOWN = show("shoe", "first")

    def in_words(self, say: Say) -> str:
        return f"The round was dealt from the shoe of round {self.shoe}, after {self.first} cards."


def _start(start: int, column: int) -> str:
    position = if_any(start, f" Position {start} gets the first packet.")
    return f"{position}{if_any(column, f' Cover All pays by the column of {column} hands.')}"


class DeckCommitted(CardEvent, frozen=True, kw_only=True, tag="deck_committed"):
    """A deck of before TR-11, committed to before the first card."""

    commitment: str
    sealed: str
    start: int
    targets: tuple[int, ...]
    column: int

    TEXT = "commit {commitment:hex}[ start {start:number}][ column {column:number}]"
    SHOWN = show("commitment", "start")

    def in_words(self, say: Say) -> str:
        promise = f"A deck was shuffled and its order committed to: {self.commitment}."
        return f"{promise}{_start(self.start, self.column)}"


class DeckStacked(CardEvent, frozen=True, kw_only=True, tag="deck_stacked"):
    """A demonstration's own: cards chosen for a spot, 0 for the dealer; none for whatever comes."""

    spot: int
    cards: tuple[Card, ...]

    PRESS = ask.StackDeck
    TEXT = "stack {spot:who}[: {cards:cards}]"
    SHOWN = show("spot")

    def in_words(self, say: Say) -> str:
        chosen = text_of(self.cards) or "whatever comes"
        return f"DEMONSTRATION: the next deck is stacked for {name_target(self.spot)}: {chosen}."


class PacketDealt(CardEvent, frozen=True, kw_only=True, tag="packet_dealt"):
    """FL-2: one packet: so many cards of the deck from a place on, the top card's being 0; target -2 is the board."""

    target: int
    first: int = 0
    count: int = 0
    cards: tuple[Card, ...] = ()
    """In rounds of before TR-10 the cards themselves."""

    PRESS = ask.Deal
    TEXT = "deal {target:who}: {cards:cards}"
    SHOWN = show("target")

    def in_words(self, say: Say) -> str:
        sealed = f"cards {self.first + 1} to {self.first + self.count} of the sealed deck"
        return f"A packet went to {name_target(self.target)}: {text_of(self.cards) or sealed}."


class CardDrawn(CardEvent, frozen=True, kw_only=True, tag="card_drawn"):
    """A card that is dealt face up in the course of a round, because the cards or a wager call for it."""

    target: int
    """A spot, 0 for the dealer, -2 for the board."""
    place: int
    """Its place there, from 0."""
    card: Card
    first: int = 0
    """Its place in the deck or shoe; 0 where people deal."""
    burned: int = 0
    """Cards laid aside unseen right before it."""
    label: str = ""
    street: int
    """How many streets are over now."""

    PRESS = ask.Reveal
    TEXT = "draw {target:who}[ burn {burned:number}][ {label:text}]: {card:card}"
    SHOWN = show("target", "place", "card", "burned", "label")

    def in_words(self, say: Say) -> str:
        burned = if_any(self.burned, f"{self.burned} cards were burned. ")
        label = if_any(self.label, f"{self.label}: ")
        return f"{burned}{label}{text_of((self.card,))} was dealt to {name_target(self.target)}."


class FaceUpShown(CardEvent, frozen=True, kw_only=True, tag="face_up_shown"):
    """CS-3: the dealer's cards that lie face up once the cards are dealt."""

    cards: tuple[Card, ...]

    TEXT = "face up {cards:cards}"

    def in_words(self, say: Say) -> str:
        return f"The dealer shows face up: {text_of(self.cards)}."


class CardsEntered(CardEvent, frozen=True, kw_only=True, tag="cards_entered"):
    """FL-4: cards as a physical table dealt them; spot 0 is the dealer."""

    spot: int
    cards: tuple[Card, ...]
    column: int

    PRESS = ask.EnterCards
    TEXT = "enter {spot:who}[ column {column:number}]: {cards:cards}"
    SHOWN = show("spot")

    def in_words(self, say: Say) -> str:
        return f"The cards of {name_target(self.spot)} were entered: {text_of(self.cards)}."


class Acted(CardEvent, frozen=True, kw_only=True, tag="acted"):
    """A spot took a choice of its game's declaration."""

    spot: int
    point: str
    """The decision that it had come to."""
    action: str
    folds: bool = False
    card: Card | None = None
    """The card that it names, at a physical table."""
    place: int | None = None
    """At a virtual table in place of the card: its place in the hand, which is sealed."""
    cents: int = 0
    """What it adds on the optional wager of the choice."""
    how: str = "player"
    """player, left (FL-23) or time."""

    PRESS = ask.Act
    TEXT = (
        "decide {spot:spot} {action:action}[ at {point:name}][ low {card:card}][ double {cents:money}]"
        "[ because {how:how}]"
    )
    SHOWN = show("spot", "point")

    def in_words(self, say: Say) -> str:
        if self.action == NO_ACTION:
            return f"Spot {self.spot} has nothing to decide."
        named = f", {text_of((self.card,))}" if self.card is not None else ""
        named = f", card {self.place + 1} of its hand" if self.place is not None else named
        added = if_any(self.cents, f", adding {dollars(self.cents)}")
        why = {"left": " (the player left)", "time": " (time ran out)"}.get(self.how, "")
        return f"Spot {self.spot} decided: {speak(self.action)}{named}{added}{why}."


class SpotDecided(CardEvent, frozen=True, kw_only=True, tag="spot_decided"):
    """A decision of before there were actions by name."""

    spot: int
    decision: Decided

    SHOWN = show("spot")

    def in_words(self, say: Say) -> str:
        return "".join(part.in_words(say) for part in self.parts())

    def parts(self) -> Iterable[Event]:
        actions = action_of(self.decision)
        return (
            Acted(
                table=self.table,
                round=self.round,
                spot=self.spot,
                point="",
                action=actions[0].action if actions else NO_ACTION,
                card=self.decision.low,
                place=self.decision.low_place,
                cents=self.decision.double_cents,
                how=self.decision.how,
            ),
        )


class ForfeitCollected(CardEvent, frozen=True, kw_only=True, tag="forfeit_collected"):
    """CS-5, TC-15: what a folded spot gave up is taken, before the dealer's hand is turned over."""

    spot: int
    wagers: tuple[str, ...]
    wagered: int
    """The cents that lay there, together."""
    counted: int
    """How many cards were counted and taken; 0 where they stay tucked under a wager that is still in play (TCB-5)."""
    each: dict[str, int]
    """By wager: its cents."""

    PRESS = ask.Collect
    TEXT = "collect {spot:spot} {wagers:wagers}: {wagered:money}[ and {counted:number} cards]"
    SHOWN = show("spot", "wagers")

    def in_words(self, say: Say) -> str:
        wagers = ", ".join(map(say.wager, self.wagers))
        cards = f"{self.counted} cards counted and racked" if self.counted else "its cards stay tucked under its wager"
        return f"Spot {self.spot} folded: {wagers} collected, {dollars(self.wagered)}; {cards}."


class BoardTurned(CardEvent, frozen=True, kw_only=True, tag="board_turned"):
    """Cards that everybody shares, turned over; or some of the dealer's, where the game turns them before the end."""

    target: int = BOARD
    """-2 for the board, 0 for the dealer."""
    cards: tuple[Card, ...]
    places: tuple[int, ...]
    """Their places in the packet, from 0."""
    label: str = ""
    """What the street is called."""
    street: int
    """How many streets are turned over now."""

    PRESS = ask.Reveal
    TEXT = "turn {target:who}[ {label:text}] {places:places}: {cards:cards}"
    SHOWN = show("target", "label", "street")

    def in_words(self, say: Say) -> str:
        whose = "its own hand" if self.target == DEALER else "the board"
        street = f"{self.label}: the" if self.label else "The"
        return f"{street} dealer turned over {text_of(self.cards) or 'cards not entered yet'}, of {whose}."

    def parts(self) -> Iterable[Event]:
        return (self,) if self.cards else ()


class HandShown(CardEvent, frozen=True, kw_only=True, tag="hand_shown"):
    """FL-5, FL-7: what the verify display showed; spot 0 is the dealer."""

    spot: int
    high: tuple[Card, ...]
    low: Card
    hand: str = ""
    """The high hand in words."""

    TEXT = "show {spot:who}: {high:cards} / {low:card}"

    def in_words(self, say: Say) -> str:
        hand = f"high {text_of(self.high)}, low {text_of((self.low,))}"
        return f"The verify display showed {name_target(self.spot)}: {hand}."


class SpotResult(CardEvent, frozen=True, kw_only=True, tag="spot_result"):
    """What a spot's wagers came to, before anything is taken or paid."""

    spot: int
    name: str
    outcome: str
    high: tuple[Card, ...]
    low: Card | None
    by: str
    lines: dict[str, Line]

    TEXT = (
        "hand {spot:spot} {name:text}[ {outcome:result}][ set {high:cards} / {low:card} by {by:name}]",
        "pay {spot:spot} {lines:line}",
    )
    SHOWN = show("spot")

    def in_words(self, say: Say) -> str:
        results = "; ".join(
            f"{say.wager(wager)} {speak(line.result)}, "
            f"{dollars(line.wagered)} made {dollars(line.returned)} ({line.why})"
            for wager, line in self.lines.items()
        )
        if not self.name:
            return f"Spot {self.spot}: {results}."
        low = f", set {text_of(self.high)} over {text_of((self.low,))} by {self.by}" if self.low is not None else ""
        outcome = if_any(self.outcome, f" ({self.outcome})")
        return f"Spot {self.spot} holds {self.name}{low}{outcome}{if_any(results, f': {results}')}."

    def parts(self) -> Iterable[Event]:
        yield replace(self, lines={})
        for wager, line in self.lines.items():
            yield replace(self, name="", outcome="", high=(), low=None, by="", lines={wager: line})


class DealerRevealed(CardEvent, frozen=True, kw_only=True, tag="dealer_revealed"):
    cards: tuple[Card, ...]
    name: str
    plays: bool | None
    high: tuple[Card, ...]
    low: Card | None
    steps: tuple[Step, ...]
    procedure: int = 1
    """Which dealing procedure the round follows: 2 takes forfeits before the reveal, and pays "no hand" in one pass."""
    winner: str = ""
    """Which side won, at a game that names one."""

    PRESS = ask.Reveal
    TEXT = "reveal {name:text}[ {plays:plays}][ set {high:cards} / {low:card}]"
    SHOWN = show()

    def in_words(self, say: Say) -> str:
        plays = "" if self.plays is None else "; the dealer plays" if self.plays else "; the dealer does not play"
        low = f", set {text_of(self.high)} over {text_of((self.low,))}" if self.low is not None else ""
        cards = if_any(self.cards, f"{text_of(self.cards)}, ")
        return f"The dealer's cards were turned over: {cards}{self.name}{low}{plays}."


class Reconciled(CardEvent, frozen=True, kw_only=True, tag="reconciled"):
    """Wagers of a spot taken and paid: cents that lay there, and cents that came back."""

    spot: int
    wagers: tuple[str, ...]
    wagered: int
    returned: int
    held_for: str
    """FL-23: the player who left, for whom the winnings are held; empty where the player is there."""

    PRESS = ask.Reconcile
    TEXT = "reconcile {spot:spot} {wagers:wagers}: {wagered:money} -> {returned:money}[ held for {held_for:name}]"
    SHOWN = show("spot", "wagers")

    def in_words(self, say: Say) -> str:
        owner = if_any(self.held_for, f" Held for {self.held_for}, who left.")
        wagers = ", ".join(map(say.wager, self.wagers))
        amounts = f"{dollars(self.wagered)} lay there, {dollars(self.returned)} came back"
        return f"Spot {self.spot} reconciled, {wagers}: {amounts}.{owner}"


class CommissionMarked(CardEvent, frozen=True, kw_only=True, tag="commission_marked"):
    """BA-10: a win was paid in full, and its commission marked at the spot."""

    spot: int
    player: str
    cents: int

    TEXT = "commission marked {spot:spot} {cents:money} by {player:name}"
    SHOWN = show("spot", "cents")

    def in_words(self, say: Say) -> str:
        return f"{self.player}, at spot {self.spot}, was paid in full; {dollars(self.cents)} commission was marked."


class CommissionCollected(CardEvent, frozen=True, kw_only=True, tag="commission_collected"):
    """BA-10: what was marked at a spot was paid."""

    spot: int
    player: str
    cents: int

    PRESS = ask.CollectCommission
    TEXT = "commission collected {spot:spot} {cents:money} by {player:name}"
    SHOWN = show("spot", "cents")

    def in_words(self, say: Say) -> str:
        return f"{self.player}, at spot {self.spot}, paid the {dollars(self.cents)} commission that was marked."


class CommissionWrittenOff(CardEvent, frozen=True, kw_only=True, tag="commission_written_off"):
    """BA-10: what was marked at a spot will not be paid."""

    spot: int
    player: str
    cents: int
    cause: str

    PRESS = ask.WriteOffCommission
    TEXT = "commission written off {spot:spot} {cents:money} by {player:name} because {cause:text}"
    SHOWN = show("spot", "cents", cause="wins")

    def in_words(self, say: Say) -> str:
        whose = f"{dollars(self.cents)} commission of {self.player}, at spot {self.spot},"
        return f"{whose} was written off: {self.cause}."


class CommissionUnmarked(CardEvent, frozen=True, kw_only=True, tag="commission_unmarked"):
    """FL-12, BA-10: the round is void, and with it the commission that it marked."""

    spot: int
    player: str
    cents: int

    TEXT = "commission unmarked {spot:spot} {cents:money} by {player:name}"
    SHOWN = show("spot", "cents")

    def in_words(self, say: Say) -> str:
        return f"The mark of {dollars(self.cents)} commission at spot {self.spot} was taken off with the round."


class ShoeChanged(CardEvent, frozen=True, kw_only=True, tag="shoe_changed"):
    """BA-1, CW-1: a physical table deals from a new shoe from here on; its history begins anew."""

    decks: int
    cut: int
    """How many cards lie before the cut card."""

    PRESS = ask.ChangeShoe
    TEXT = "new shoe decks {decks:number} cut {cut:number}"
    SHOWN = show("decks", "cut")

    def in_words(self, say: Say) -> str:
        return f"A new shoe of {self.decks} decks was put on the table; {self.cut} cards lie before its cut card."


class PayoutVerified(CardEvent, frozen=True, kw_only=True, tag="payout_verified"):
    """FL-18."""

    spot: int
    wager: str
    observer: str
    player: str

    TEXT = "surveillance {spot:spot} {wager:wager} player {player:name} by {observer:name}"
    SHOWN = show("spot", "wager", observer="wins", player="wins")

    def in_words(self, say: Say) -> str:
        return (
            f"Surveillance ({self.observer}) verified the {say.wager(self.wager)} win of spot {self.spot}, "
            f"player {self.player}."
        )


class DeckOpened(CardEvent, frozen=True, kw_only=True, tag="deck_opened"):
    """FL-3: at the end of the round, what the commitment was to, and the deck that followed from it."""

    commitment: str
    order: tuple[Card, ...]
    """None where the round was voided before its deck was shuffled."""
    seed: str = ""
    nonce: str = ""
    """In place of the seed, of a deck of before TR-11."""
    shoe: int = 0
    """Of a shoe: its first round, under whose number it was committed to."""
    decks: int = 0
    player_seeds: dict[int, str] = {}  # noqa: RUF012  msgspec copies it
    """Of a shoe: what the players of its first round added."""

    TEXT = (
        "open {nonce:hex}: {order:cards}",
        "open seed {seed:hex}[: {order:cards}]",
        "open shoe {shoe:number} decks {decks:number} promised {commitment:hex} seed {seed:hex}: {order:cards}"
        "[ with {player_seeds:seeds}]",
    )
    SHOWN = show("commitment")

    def in_words(self, say: Say) -> str:
        secret = f"seed {self.seed}" if self.seed else f"nonce {self.nonce}"
        order = text_of(self.order) or "no deck was made of it"
        return f"The commitment{if_any(self.commitment, f' {self.commitment}')} was opened: {order}, {secret}."


class SignedOver(CardEvent, frozen=True, kw_only=True, tag="signed_over"):
    """FL-24: what the next dealer was shown."""

    to: str
    by: str = ""
    """Who leaves."""
    locked: bool
    claims: tuple[int, ...]
    meters: dict[str, int]

    PRESS = ask.SignOver
    TEXT = "sign over to {to:name} by {by:name}"
    SHOWN = show("to", "by", to="staff")

    def in_words(self, say: Say) -> str:
        claims = f"open claims of {name_spots(self.claims)}" if self.claims else "no open claim"
        stands = "in a round" if self.locked else "between rounds"
        return f"The table was signed over to {self.to}{if_any(self.by, f' by {self.by}')}, {stands}, {claims}."


class MalfunctionRecorded(CardEvent, frozen=True, kw_only=True, tag="malfunction_recorded"):
    """FL-13."""

    step: str
    note: str
    over: bool
    """Whether play may go on."""

    PRESS = ask.MalfunctionStep
    TEXT = "shuffler {step:text}[ note {note:text}]{over:flag}"
    SHOWN = show("step", "note", "over", on="floor", to="staff")

    def in_words(self, say: Say) -> str:
        note = if_any(self.note, f" ({self.note})")
        return f"Shuffler malfunction: {self.step}{note}{if_any(self.over, '; play may go on')}."


if TYPE_CHECKING:
    AnyPlayEvent = CardEvent
else:
    AnyPlayEvent = Union[tuple(CardEvent.kinds())]  # noqa: UP007  made of what is declared above
