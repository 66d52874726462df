"""What happened in a round with cards."""

from __future__ import annotations

from houseway.cards import Card
from houseway.games.flow import BOARD
from houseway.table.card_round.state import Decided, Line, Step
from houseway.table.progressive_round.events import TableEvent


class Seated(TableEvent, frozen=True, kw_only=True, tag="seated"):
    spot: int
    player: str
    guest: int = 0
    """TR-8: the player's admission; 0 where a dealer wrote the name down, and before seats had it."""


class SeatLeft(TableEvent, frozen=True, kw_only=True, tag="seat_left"):
    """FL-23: ``held`` when wagers of the round stand for him still."""

    spot: int
    player: str
    held: bool


class WagerPlaced(TableEvent, frozen=True, kw_only=True, tag="wager_placed"):
    """What lies on a betting place now; 0 for nothing any more."""

    spot: int
    player: str
    wager: str
    cents: int
    guest: int = 0
    """TR-8: the admission of the player whose seat it is, as in `Seated`."""


class BetsClosed(TableEvent, frozen=True, kw_only=True, tag="bets_closed"):
    """TC-5: "no more bets", and the spots without the side wager that the display names."""

    without: dict[str, tuple[int, ...]]


class SeedCommitted(TableEvent, frozen=True, kw_only=True, tag="seed_committed"):
    """FL-3, TR-11: the house's secret seed for the round, before its first wager."""

    commitment: str
    sealed: str


class PlayerSeedAdded(TableEvent, frozen=True, kw_only=True, tag="player_seed_added"):
    """TR-11: what a player adds to the deck."""

    spot: int
    player: str
    player_seed: str


class DeckShuffled(TableEvent, frozen=True, kw_only=True, tag="deck_shuffled"):
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


class DeckCommitted(TableEvent, frozen=True, kw_only=True, tag="deck_committed"):
    """A deck of before TR-11, committed to before the first card."""

    commitment: str
    sealed: str
    start: int
    targets: tuple[int, ...]
    column: int


class DeckStacked(TableEvent, frozen=True, kw_only=True, tag="deck_stacked"):
    """A demonstration's own: cards chosen for a spot, 0 for the dealer; none for whatever comes."""

    spot: int
    cards: tuple[Card, ...]


class PacketDealt(TableEvent, frozen=True, kw_only=True, tag="packet_dealt"):
    """FL-2: one packet: so many cards of the deck from a place on, the top card's being 0; target -2 is the board."""

    target: int
    first: int = 0
    count: int = 0
    cards: tuple[Card, ...] = ()
    """In rounds of before TR-10 the cards themselves."""


class FaceUpShown(TableEvent, frozen=True, kw_only=True, tag="face_up_shown"):
    """CS-3: the dealer's cards that lie face up once the cards are dealt."""

    cards: tuple[Card, ...]


class CardsEntered(TableEvent, frozen=True, kw_only=True, tag="cards_entered"):
    """FL-4: cards as a physical table dealt them; spot 0 is the dealer."""

    spot: int
    cards: tuple[Card, ...]
    column: int


class Acted(TableEvent, frozen=True, kw_only=True, tag="acted"):
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


class SpotDecided(TableEvent, frozen=True, kw_only=True, tag="spot_decided"):
    """A decision of before there were actions by name."""

    spot: int
    decision: Decided


class ForfeitCollected(TableEvent, frozen=True, kw_only=True, tag="forfeit_collected"):
    """CS-5, TC-15: what a folded spot gave up is taken, before the dealer's hand is turned over."""

    spot: int
    wagers: dict[str, int]
    """By wager: the cents that lay there."""
    cards: int
    """How many cards were counted and taken; 0 where they stay tucked under a wager that is still in play (TCB-5)."""


class BoardTurned(TableEvent, frozen=True, kw_only=True, tag="board_turned"):
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


class HandShown(TableEvent, frozen=True, kw_only=True, tag="hand_shown"):
    """FL-5, FL-7: what the verify display showed; spot 0 is the dealer."""

    spot: int
    high: tuple[Card, ...]
    low: Card
    hand: str = ""
    """The high hand in words."""


class SpotResult(TableEvent, frozen=True, kw_only=True, tag="spot_result"):
    """What a spot's wagers came to, before anything is taken or paid."""

    spot: int
    name: str
    outcome: str
    high: tuple[Card, ...]
    low: Card | None
    by: str
    lines: dict[str, Line]


class DealerRevealed(TableEvent, frozen=True, kw_only=True, tag="dealer_revealed"):
    cards: tuple[Card, ...]
    name: str
    plays: bool | None
    high: tuple[Card, ...]
    low: Card | None
    steps: tuple[Step, ...]
    procedure: int = 1
    """Which dealing procedure the round follows: 2 takes forfeits before the reveal, and pays "no hand" in one pass."""


class Reconciled(TableEvent, frozen=True, kw_only=True, tag="reconciled"):
    """Wagers of a spot taken and paid: cents that lay there, and cents that came back."""

    spot: int
    wagers: tuple[str, ...]
    wagered: int
    returned: int
    held_for: str
    """FL-23: the player who left, for whom the winnings are held; empty where he is there."""


class PayoutVerified(TableEvent, frozen=True, kw_only=True, tag="payout_verified"):
    """FL-18."""

    spot: int
    wager: str
    observer: str
    player: str


class DeckOpened(TableEvent, frozen=True, kw_only=True, tag="deck_opened"):
    """FL-3: at the end of the round, what the commitment was to, and the deck that followed from it."""

    commitment: str
    order: tuple[Card, ...]
    """None where the round was voided before its deck was shuffled."""
    seed: str = ""
    nonce: str = ""
    """In place of the seed, of a deck of before TR-11."""


class SignedOver(TableEvent, frozen=True, kw_only=True, tag="signed_over"):
    """FL-24: what the next dealer was shown."""

    to: str
    by: str = ""
    """Who leaves."""
    locked: bool
    claims: tuple[int, ...]
    meters: dict[str, int]


class MalfunctionRecorded(TableEvent, frozen=True, kw_only=True, tag="malfunction_recorded"):
    """FL-13."""

    step: str
    note: str
    over: bool
    """Whether play may go on."""


AnyPlayEvent = (
    Seated
    | SeatLeft
    | WagerPlaced
    | BetsClosed
    | SeedCommitted
    | PlayerSeedAdded
    | DeckShuffled
    | DeckCommitted
    | DeckStacked
    | PacketDealt
    | FaceUpShown
    | CardsEntered
    | Acted
    | SpotDecided
    | ForfeitCollected
    | BoardTurned
    | HandShown
    | SpotResult
    | DealerRevealed
    | Reconciled
    | PayoutVerified
    | DeckOpened
    | SignedOver
    | MalfunctionRecorded
)
