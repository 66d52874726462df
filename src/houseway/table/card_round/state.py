"""A round with cards as it stands."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from houseway.cards import Card
from houseway.table.verify_display import Shown


class SpotAction(Struct, frozen=True, kw_only=True):
    """What a spot did at one decision, and how it came about."""

    point: str
    """The decision; empty in rounds of before actions had names."""
    action: str
    folds: bool = False
    card: Card | None = None
    """The card that it names; at a virtual table the shoe has it."""
    place: int | None = None
    """At a virtual table in place of the card: its place in the hand, which is sealed."""
    cents: int = 0
    """What it adds on the optional wager of the choice."""
    how: str = "player"
    """player, left (FL-23) or time."""


class Decided(Struct, frozen=True, kw_only=True):
    """A decision of before there were actions by name."""

    kind: str
    low: Card | None = None
    low_place: int | None = None
    double_cents: int = 0
    how: str = "player"


def action_of(decided: Decided) -> tuple[SpotAction, ...]:
    """The action that such a decision was; none where the spot had no choice."""
    if decided.kind == "none":
        return ()
    return (
        SpotAction(
            point="",
            action="low" if decided.kind == "set" else decided.kind,
            folds=decided.kind == "fold",
            card=decided.low,
            place=decided.low_place,
            cents=decided.double_cents,
            how=decided.how,
        ),
    )


class Line(Struct, frozen=True, kw_only=True):
    """What one wager came to, and why."""

    result: str
    wagered: int
    returned: int
    envy: int = 0
    commission: int = 0
    """BA-10: the commission that is marked when it is paid, which ``returned`` leaves out; 0 where none is marked."""
    why: str = ""


def forfeit_lines(wagers: Mapping[str, int]) -> dict[str, Line]:
    """CS-5, TC-15: what the wagers of a folded spot came to that do not stay in play."""
    return {wager: Line(result="lose", wagered=cents, returned=0, why="folded") for wager, cents in wagers.items()}


class Hand(Struct, frozen=True, kw_only=True):
    """One spot of the round."""

    player: str
    guest: int = 0
    """TR-8: the player's admission; 0 where a dealer wrote the name down."""
    wagers: dict[str, int] = {}
    cards: tuple[Card, ...] = ()
    """As a physical table entered them; at a virtual one they are in the shoe (`houseway.table.card_round.cards`)."""
    first: int = 0
    count: int = 0
    """At a virtual table: the place of its first card in the deck, and how many it has."""
    later: tuple[Card, ...] = ()
    """Cards that were dealt in the course of the round, face up."""
    actions: tuple[SpotAction, ...] = ()
    """One for each decision that it came to, in order."""
    since: int = 0
    """When its player could first decide, and after every street and action anew."""
    name: str = ""
    """What the hand is called, once the round is settled."""
    outcome: str = ""
    set_high: tuple[Card, ...] = ()
    set_low: Card | None = None
    set_by: str = ""
    lines: dict[str, Line] = {}
    """By wager, once the round is settled."""
    reconciled: tuple[str, ...] = ()
    """The wagers that were taken or paid."""
    verified: tuple[str, ...] = ()
    """FL-18: wagers whose large win surveillance verified."""
    marked: int = 0
    """BA-10: the commission in cents that was marked in this round."""
    left: bool = False

    @property
    def dealt(self) -> bool:
        """Whether it has its cards, sealed or not."""
        return bool(self.count or self.cards)

    @property
    def folded(self) -> bool:
        return any(action.folds for action in self.actions)


class Step(Struct, frozen=True, kw_only=True):
    """One step of reconciling: some wagers of one spot."""

    spot: int
    wagers: tuple[str, ...]
    at_once: bool = False
    """CS-7, SE2-4: part of the one pass around the table that comes before everything else."""


class DeckSeeds(Struct, frozen=True, kw_only=True):
    """TR-11: what the deck of a round, or a shoe, is made of, as everybody sees it."""

    round: int
    commitment: str
    """Of the house's secret seed."""
    player_seeds: dict[int, str]
    """What players added, by spot."""
    house_only: tuple[int, ...]
    """The spots of the round that added nothing."""
    players: dict[int, str] = {}
    """Who played in it, by spot."""
    decks: int = 1
    """How many decks are shuffled together."""
    seed: str = ""
    """The house's seed, 64 hexadecimal digits; empty until the round is over, and for those who were not in it."""


class ShoeState(Struct, frozen=True, kw_only=True):
    """The shoe that the rounds of a table are dealt from, one after the other."""

    game: str
    round: int
    """The first round that is dealt from it."""
    commitment: str = ""
    """TR-11: of the house's secret seed for the whole shoe; empty where people shuffle."""
    sealed: str = ""
    player_seeds: dict[int, str] = {}
    """What the players of its first round added, by spot."""
    house_only: tuple[int, ...] = ()
    """The spots of its first round that added nothing."""
    decks: int = 0
    """How many decks it has; 0 until it is shuffled."""
    cards: int = 0
    """All of them together."""
    cut: int = 0
    """How many cards lie before the cut card."""
    out: int = 0
    """How many cards are dealt or burned."""
    results: tuple[str, ...] = ()
    """BA-11: which side won, round by round; those of the shoe before until this one is shuffled."""
    players: tuple[str, ...] = ()
    """Everybody who played from it."""

    @property
    def shuffled(self) -> bool:
        return self.decks > 0

    @property
    def left(self) -> int:
        """How many cards are in it still."""
        return self.cards - self.out

    @property
    def before_cut(self) -> int:
        """How many cards come before the cut card; 0 once it is out."""
        return max(0, self.cut - self.out)


class Play(Struct, frozen=True, kw_only=True):
    """The cards and wagers of the present round."""

    hands: dict[int, Hand] = {}
    called: bool = False
    """After "no more bets"."""
    commitment: str = ""
    """FL-3: what the house's seed for the round was committed to before the first wager."""
    sealed: str = ""
    """The seed, sealed: no card lies open anywhere until it is shown."""
    player_seeds: dict[int, str] = {}
    """TR-11: what players added to the deck, by spot; once it is shuffled, what is in it."""
    start: int = 0
    """PG-3: the position that gets the first packet; 0 where the game has none."""
    targets: tuple[int, ...] = ()
    """Whom the packets go to, in order: a spot, 0 for the dealer, -1 for an empty position, -2 for the board."""
    out: int = 0
    """Packets that are out."""
    first: int = 0
    """The place in the shoe that the round begins at."""
    taken: int = 0
    """The place in the deck, or in the shoe, of the next card."""
    stacked: dict[int, tuple[Card, ...]] = {}
    """On a demonstration floor: cards chosen for spots, 0 for the dealer. No real floor has any."""
    dealer: tuple[Card, ...] = ()
    """Once they are turned over; at a physical table as they were entered."""
    dealer_first: int = 0
    dealer_count: int = 0
    """At a virtual table, as those of a hand."""
    dealer_later: tuple[Card, ...] = ()
    """The dealer's cards that were dealt in the course of the round, face up."""
    face_up: tuple[Card, ...] = ()
    """CS-3: those that lie face up."""
    board: tuple[Card, ...] = ()
    """At a virtual table, whole, from the shoe; never in the journal."""
    board_first: int = 0
    board_count: int = 0
    """At a virtual table, as those of a hand."""
    board_up: dict[int, Card] = {}
    """By place: the cards of the board that are turned over."""
    streets: int = 0
    """How many of the game's streets are turned over."""
    revealed: bool = False
    dealer_hand: str = ""
    dealer_plays: bool | None = None
    dealer_high: tuple[Card, ...] = ()
    dealer_low: Card | None = None
    steps: tuple[Step, ...] = ()
    """What is still to be reconciled, in order."""
    column: int = 0
    """CSC-4: the Cover All column in force, the number of hands in the round; 0 where the table does not offer it."""

    shown: tuple[Shown, ...] = ()
    """FL-7: what the verify display showed, in order."""
    dealers: tuple[str, ...] = ()
    """FL-24: who signed the table over in this round, and to whom."""

    @property
    def shuffled(self) -> bool:
        """Whether the deck of the round is shuffled: nothing can be added to it any more."""
        return bool(self.targets)

    @property
    def dealer_dealt(self) -> bool:
        """Whether the dealer has cards, sealed or not."""
        return bool(self.dealer_count or self.dealer)

    @property
    def house_only(self) -> tuple[int, ...]:
        """TR-11: the spots of the round that added nothing to the deck."""
        return tuple(spot for spot in sorted(self.hands) if spot not in self.player_seeds)

    @property
    def contributed(self) -> dict[int, str]:
        """TR-11: what the spots of the round added to the deck."""
        return {spot: text for spot, text in sorted(self.player_seeds.items()) if spot in self.hands}

    @property
    def dealt(self) -> bool:
        """Whether every packet of the round is out."""
        return bool(self.targets) and self.out >= len(self.targets)
