"""The steps of a round, one line each, and the form of every line. Amounts are cents."""

from __future__ import annotations

from functools import cache
from typing import Final

from msgspec import Struct

from houseway.cards import Card
from houseway.table.config import Console
from houseway.table.notation.form import Form, compiled
from houseway.table.progressive_round.console import WORDS


class Step(Struct, frozen=True, kw_only=True):
    """One thing that happened in a round."""


class Sat(Step, frozen=True, kw_only=True):
    spot: int
    player: str


class Left(Step, frozen=True, kw_only=True):
    """FL-23: ``held`` where wagers of the round stand for him still."""

    spot: int
    player: str
    held: bool = False


class Paired(Step, frozen=True, kw_only=True):
    """PR-18: these spots are one player's."""

    spots: tuple[int, ...]


class Placed(Step, frozen=True, kw_only=True):
    """What lies on a betting place from now on; 0 for nothing any more."""

    spot: int
    wager: str
    cents: int
    player: str


class Lit(Step, frozen=True, kw_only=True):
    """PR-10, at a table that uses the system for its progressive alone."""

    spot: int
    waits: bool = False


class Dark(Step, frozen=True, kw_only=True):
    spot: int


class Called(Step, frozen=True, kw_only=True):
    """TC-5: "no more bets"."""


class Locked(Step, frozen=True, kw_only=True):
    """PR-11: the progressive wagers of the round, and what each is."""

    spots: tuple[int, ...]
    wager_cents: int


class Counted(Step, frozen=True, kw_only=True):
    """PR-35: a spot is in, or out, after all."""

    spot: int
    wagered: bool
    reason: str


class Seeded(Step, frozen=True, kw_only=True):
    """FL-3, TR-11: what the house's seed for the round was committed to, before the first wager."""

    commitment: str


class PlayerSeed(Step, frozen=True, kw_only=True):
    """TR-11: what a player added to the deck."""

    spot: int
    text: str
    player: str


class Shuffled(Step, frozen=True, kw_only=True):
    """TR-11: the spots whose seeds are in the deck, and those without; PG-3's start position; CSC-4's column."""

    seeds: tuple[int, ...] = ()
    house: tuple[int, ...] = ()
    start: int = 0
    column: int = 0
    stacked: bool = False
    """A demonstration's own: chosen cards were put in their places."""


class FaceUp(Step, frozen=True, kw_only=True):
    """CS-3: the dealer's cards that lie face up."""

    cards: tuple[Card, ...]


class Committed(Step, frozen=True, kw_only=True):
    """What a deck of before TR-11 was committed to; PG-3's start position; CSC-4's column."""

    commitment: str
    start: int = 0
    column: int = 0


class FirstCard(Step, frozen=True, kw_only=True):
    """The first card, where the system does not see the cards."""


class Dealt(Step, frozen=True, kw_only=True):
    """FL-2: one packet, to a spot, the dealer or an empty position."""

    target: int
    cards: tuple[Card, ...]


class Entered(Step, frozen=True, kw_only=True):
    """FL-4: cards as a physical table dealt them; CSC-4's column with the dealer's."""

    target: int
    cards: tuple[Card, ...]
    column: int = 0


class Stacked(Step, frozen=True, kw_only=True):
    """A demonstration's own: cards chosen for a hand before the deck was shuffled."""

    target: int
    cards: tuple[Card, ...] = ()


class Acted(Step, frozen=True, kw_only=True):
    """What a spot did at a decision; ``none`` where it had none to make."""

    spot: int
    action: str
    point: str = ""
    """The decision, where the game has several."""
    card: Card | None = None
    cents: int = 0
    how: str = "player"


class Turned(Step, frozen=True, kw_only=True):
    """A street: cards of the board, or of the dealer's, that were turned over before the end."""

    target: int
    label: str = ""
    places: tuple[int, ...]
    """In the packet, from 1."""
    cards: tuple[Card, ...]


class Folded(Step, frozen=True, kw_only=True):
    """PR-34, where the system does not see the cards."""

    spot: int


class Shown(Step, frozen=True, kw_only=True):
    """FL-7: what the verify display showed."""

    target: int
    high: tuple[Card, ...]
    low: Card


class Revealed(Step, frozen=True, kw_only=True):
    """What the dealer has, whether that plays, and at pai gow how it is set."""

    name: str
    plays: bool | None = None
    high: tuple[Card, ...] = ()
    low: Card | None = None


class Holds(Step, frozen=True, kw_only=True):
    """What a spot has."""

    spot: int
    name: str
    outcome: str = ""
    high: tuple[Card, ...] = ()
    low: Card | None = None
    by: str = ""


class Came(Step, frozen=True, kw_only=True):
    """What one wager came to, and why."""

    spot: int
    wager: str
    result: str
    wagered: int
    returned: int
    envy: int = 0
    why: str


class Seen(Step, frozen=True, kw_only=True):
    """PR-13: what a spot's cards make on the progressive's pay table."""

    spot: int
    hand: str


class Named(Step, frozen=True, kw_only=True):
    """PR-13: a win was named: its share of a meter, or a fixed amount."""

    spot: int
    hand: str
    by: str
    meter: str = ""
    percent: int = 0
    fixed_cents: int = 0


class Dropped(Step, frozen=True, kw_only=True):
    spot: int
    reason: str


class Arrived(Step, frozen=True, kw_only=True):
    """PR-29."""


class Logged(Step, frozen=True, kw_only=True):
    """PR-16: a win is recorded and its amount fixed."""

    win: int
    spot: int
    hand: str
    from_meter: int
    from_tray: int
    by: str
    short: int = 0
    """PR-7: the part of ``from_tray`` that the meter could not give."""
    meter: str = ""
    held: int = 0
    """What the meter held for this win."""


class Paid(Step, frozen=True, kw_only=True):
    """PR-16: the award is off the meter or out of the tray."""

    win: int
    spot: int
    reseeded: bool = False


class Watched(Step, frozen=True, kw_only=True):
    """FL-18: surveillance verified a win of the progressive."""

    win: int
    observer: str
    player: str


class Verified(Step, frozen=True, kw_only=True):
    """FL-18: surveillance verified a large win of another wager."""

    spot: int
    wager: str
    observer: str
    player: str


class Envied(Step, frozen=True, kw_only=True):
    """PR-18: one spot is paid because of another's hand."""

    spot: int
    cents: int
    winner: int


class Forfeit(Step, frozen=True, kw_only=True):
    """CS-5, TC-15: what a folded spot gave up, taken before the reveal, and how many cards were counted with it."""

    spot: int
    wagers: tuple[str, ...]
    wagered: int
    counted: int = 0


class Reconciled(Step, frozen=True, kw_only=True):
    """Wagers of a spot taken and paid."""

    spot: int
    wagers: tuple[str, ...]
    wagered: int
    returned: int
    held_for: str = ""


class SignedOver(Step, frozen=True, kw_only=True):
    """FL-24."""

    to: str
    by: str


class Malfunctioned(Step, frozen=True, kw_only=True):
    """FL-13."""

    step: str
    note: str = ""
    over: bool = False


class OpenedSeed(Step, frozen=True, kw_only=True):
    """FL-3: the house's seed, and the whole deck that followed from it, where one was shuffled."""

    seed: str
    order: tuple[Card, ...] = ()


class Opened(Step, frozen=True, kw_only=True):
    """The whole deck of before TR-11, and the nonce of its commitment."""

    nonce: str
    order: tuple[Card, ...]


class Closed(Step, frozen=True, kw_only=True):
    """PR-19."""


class Voided(Step, frozen=True, kw_only=True):
    """FL-12, PR-20: all wagers go back; ``returned`` is that of the progressive's."""

    returned: int
    cause: str
    malfunction: bool = False


class Undone(Step, frozen=True, kw_only=True):
    """PR-23: a win was undone by a manual adjustment."""

    win: int
    spot: int
    why: str


class PaidLate(Step, frozen=True, kw_only=True):
    """PR-36: a win that was noticed after the close."""

    win: int
    spot: int
    hand: str
    cents: int
    why: str


ENDS: Final = (Closed, Voided)
FORMS: Final[dict[type[Step], str]] = {
    Sat: "sit {spot:number} {player:name}",
    Left: "leave {spot:number} {player:name}{held:flag_held}",
    Paired: "same player {spots:spots}",
    Placed: "bet {spot:number} {wager:name} {cents:money} by {player:name}",
    Lit: "light {spot:number}{waits:flag_waits}",
    Dark: "dark {spot:number}",
    Called: "no more bets",
    Locked: "@lock_in {spots:spots} at {wager_cents:money}",
    Counted: "count {spot:number} {wagered:inout} {reason:text}",
    Seeded: "seed {commitment:hex}",
    PlayerSeed: "player seed {spot:number} {text:text} by {player:name}",
    Shuffled: "shuffle[ seeds {seeds:spots}][ house alone {house:spots}][ start {start:number}]"
    "[ column {column:number}]{stacked:flag_stacked}",
    FaceUp: "face up {cards:cards}",
    Committed: "commit {commitment:hex}[ start {start:number}][ column {column:number}]",
    FirstCard: "first card",
    Dealt: "deal {target:who}: {cards:cards}",
    Entered: "enter {target:who}[ column {column:number}]: {cards:cards}",
    Stacked: "stack {target:who}[: {cards:cards}]",
    Acted: "decide {spot:number} {action:action}[ at {point:name}][ low {card:card}][ double {cents:money}]"
    "[ because {how:how}]",
    Turned: "turn {target:who}[ {label:text}] {places:spots}: {cards:cards}",
    Folded: "fold {spot:number}",
    Shown: "show {target:who}: {high:cards} / {low:card}",
    Revealed: "reveal {name:text}[ {plays:plays}][ set {high:cards} / {low:card}]",
    Holds: "hand {spot:number} {name:text}[ {outcome:result}][ set {high:cards} / {low:card} by {by:name}]",
    Came: "pay {spot:number} {wager:name} {result:result} {wagered:money} -> {returned:money}"
    "[ envy {envy:money}] {why:text}",
    Seen: "see {spot:number} {hand:name}",
    Named: "name {spot:number} {hand:name}[ {percent:number}%][ fixed {fixed_cents:money}]"
    "[ from {meter:name}] by {by:name}",
    Dropped: "drop {spot:number} {reason:text}",
    Arrived: "supervisor arrives",
    Logged: "@record {spot:number} {hand:name} win {win:number}: meter {from_meter:money} tray {from_tray:money}"
    "[ short {short:money}][ of {meter:name} holding {held:money}] by {by:name}",
    Paid: "@paid {spot:number} win {win:number}{reseeded:flag_reseeded}",
    Watched: "surveillance win {win:number} player {player:name} by {observer:name}",
    Verified: "surveillance {spot:number} {wager:name} player {player:name} by {observer:name}",
    Envied: "envy {spot:number} {cents:money} for {winner:number}",
    Forfeit: "collect {spot:number} {wagers:names}: {wagered:money}[ and {counted:number} cards]",
    Reconciled: "reconcile {spot:number} {wagers:names}: {wagered:money} -> {returned:money}"
    "[ held for {held_for:name}]",
    SignedOver: "sign over to {to:name} by {by:name}",
    Malfunctioned: "shuffler {step:text}[ note {note:text}]{over:flag_over}",
    OpenedSeed: "open seed {seed:hex}[: {order:cards}]",
    Opened: "open {nonce:hex}: {order:cards}",
    Closed: "@close",
    Voided: "void {cause:text} returning {returned:money}{malfunction:flag_malfunction}",
    Undone: "undo {spot:number} win {win:number} {why:text}",
    PaidLate: "late {spot:number} {hand:name} win {win:number}: {cents:money} {why:text}",
}
"""What a line looks like; ``@word`` is the console's own word for it."""
RECORD: Final = {"keypad": "J-POT", "touch": "CONFIRM"}
PAID: Final = {"keypad": "RUN", "touch": "paid"}


@cache
def forms(console: Console) -> dict[type[Step], Form]:
    """The forms in the words of a console generation."""
    words = WORDS[console]
    spoken = {
        "@lock_in": words.lock_in,
        "@close": words.close,
        "@record": RECORD[console],
        "@paid": PAID[console],
    }
    made = {}
    for kind, text in FORMS.items():
        for mark, word in spoken.items():
            text = text.replace(mark, word)  # noqa: PLW2901  the marks are replaced one after another
        made[kind] = compiled(kind, text)
    return made
