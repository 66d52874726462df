"""What can be asked of a table that plays with cards, beside what is asked of its progressive."""

from __future__ import annotations

from houseway.table.progressive_round.commands import TableCommand


class SitDown(TableCommand, frozen=True, kw_only=True, tag="sit_down"):
    """Somebody takes a spot; it is his until he leaves it."""

    spot: int
    player: str


class StandUp(TableCommand, frozen=True, kw_only=True, tag="stand_up"):
    """FL-23: a player leaves. In mid-round the wagers stand, and the game says what an undecided hand does."""

    spot: int


class Bet(TableCommand, frozen=True, kw_only=True, tag="bet"):
    """A wager is placed, in place of what lay there; 0 takes it back."""

    spot: int
    wager: str
    cents: int
    player_seed: str = ""
    """TR-11: what the player adds to the deck of this round: 1 to 128 printable ASCII characters, once a round."""


class NoMoreBets(TableCommand, frozen=True, kw_only=True, tag="no_more_bets"):
    """TC-5: the call, before the first packet."""


class Deal(TableCommand, frozen=True, kw_only=True, tag="deal"):
    """FL-2: the green button, so many times; 0 for as many as the round needs."""

    packets: int = 1


class StackDeck(TableCommand, frozen=True, kw_only=True, tag="stack_deck"):
    """A demonstration's own: the cards that the next deck has for a spot, or with spot 0 for the dealer."""

    spot: int
    cards: str
    """As many as the game deals; empty for whatever comes."""


class EnterCards(TableCommand, frozen=True, kw_only=True, tag="enter_cards"):
    """FL-4: the cards that a physical table dealt to a spot, with spot 0 to the dealer, or with spot -2 turned over on
    the board, street by street.
    """

    spot: int
    cards: str
    hands: int = 0
    """CSC-A3: with the dealer's own cards at a hand-dealt table with Cover All: how many hands are in the round."""


class Act(TableCommand, frozen=True, kw_only=True, tag="act"):
    """A spot takes one of the choices of the decision that it has come to, by name."""

    spot: int
    action: str
    card: str = ""
    """The card that it names, where the choice sets a hand."""
    cents: int = 0
    """What it adds on the optional wager of the choice; 0 for nothing."""


class TimeUp(TableCommand, frozen=True, kw_only=True, tag="time_up"):
    """FL-23: a player on a virtual table has not decided in time."""

    spot: int


class Collect(TableCommand, frozen=True, kw_only=True, tag="collect"):
    """CS-5, TC-15: the dealer takes what folded spots give up, and their cards. ``spot`` is one of them, 0 for all."""

    spot: int = 0


class Reveal(TableCommand, frozen=True, kw_only=True, tag="reveal"):
    """The dealer turns over what comes next: a street or, at the end, everything that is still face down (PG-6)."""


class Reconcile(TableCommand, frozen=True, kw_only=True, tag="reconcile"):
    """The next step of reconciling is done: wagers taken and paid. ``spot`` is the one meant, 0 for the next.

    CS-7, SE2-4: where the dealer does not qualify, 0 first settles the whole pass around the table.
    """

    spot: int = 0


class VerifyPayout(TableCommand, frozen=True, kw_only=True, tag="verify_payout"):
    """FL-18: surveillance verified a large win of a wager other than the progressive."""

    spot: int
    wager: str
    player: str


class CollectCommission(TableCommand, frozen=True, kw_only=True, tag="collect_commission"):
    """BA-10: a player pays the commission that is marked at the spot. ``spot`` 0 is for every spot."""

    spot: int = 0


class WriteOffCommission(TableCommand, frozen=True, kw_only=True, tag="write_off_commission"):
    """BA-10: commission that is marked at a spot and will not be paid, such as when a player walked away."""

    spot: int
    cause: str


class ChangeShoe(TableCommand, frozen=True, kw_only=True, tag="change_shoe"):
    """BA-1, CW-1: the people at a physical table shuffled, and deal from a new shoe now."""


class SignOver(TableCommand, frozen=True, kw_only=True, tag="sign_over"):
    """FL-24: one dealer leaves the table to another, who sees what is open."""

    to: str


class MalfunctionStep(TableCommand, frozen=True, kw_only=True, tag="malfunction_step"):
    """FL-13: ``failed`` with what happened, then step by step what was done, or ``procedure`` with its name."""

    step: str
    note: str = ""


AnyPlayCommand = (
    SitDown
    | StandUp
    | Bet
    | NoMoreBets
    | Deal
    | StackDeck
    | EnterCards
    | Act
    | TimeUp
    | Collect
    | Reveal
    | Reconcile
    | VerifyPayout
    | CollectCommission
    | WriteOffCommission
    | ChangeShoe
    | SignOver
    | MalfunctionStep
)
