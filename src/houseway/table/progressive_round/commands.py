"""What can be asked of a table with a progressive. Every command names the round it means, 0 for the present one."""

from __future__ import annotations

from msgspec import Struct


class TableCommand(Struct, frozen=True, kw_only=True, tag=True):
    """Something a person or a sensor does at one table."""

    table: str
    round: int = 0
    """The round it is meant for; a command that comes late, for another round, is refused. 0 for the present one."""


class Light(TableCommand, frozen=True, kw_only=True, tag="light"):
    """PR-10: a chip on the sensor of a spot. After lock-in it waits for the next round (PR-11)."""

    spot: int
    base_wager: bool = True
    """Whether the spot has the base game's required wager."""


class Unlight(TableCommand, frozen=True, kw_only=True, tag="unlight"):
    """The chip is taken off again. A booked wager stays booked (PR-28)."""

    spot: int


class LockIn(TableCommand, frozen=True, kw_only=True, tag="lock_in"):
    """PR-11: COIN IN / START GAME. ``lit`` is what the sensors report then; None for what they said before."""

    lit: tuple[int, ...] | None = None


class CorrectCount(TableCommand, frozen=True, kw_only=True, tag="correct_count"):
    """PR-35: a supervisor corrects whether a spot is in, before the first card."""

    spot: int
    wagered: bool
    reason: str


class FirstCard(TableCommand, frozen=True, kw_only=True, tag="first_card"):
    """The first card leaves the shuffler: from now on the count of sensors stands."""


class Fold(TableCommand, frozen=True, kw_only=True, tag="fold"):
    """PR-34: a spot folds; its wager and contribution stay."""

    spot: int


class SeeHand(TableCommand, frozen=True, kw_only=True, tag="see_hand"):
    """PR-13: what the cards of a spot make on the progressive table, where the system saw them; empty for nothing."""

    spot: int
    hand: str


class SamePlayer(TableCommand, frozen=True, kw_only=True, tag="same_player"):
    """PR-18: these spots are played by one person."""

    spots: tuple[int, ...]


class NameWin(TableCommand, frozen=True, kw_only=True, tag="name_win"):
    """PR-13: the hand button. Pressed again for the same spot and hand, the claim is taken back."""

    spot: int
    hand: str


class DropClaim(TableCommand, frozen=True, kw_only=True, tag="drop_claim"):
    """A supervisor finds that a claim is none."""

    spot: int
    reason: str


class Arrive(TableCommand, frozen=True, kw_only=True, tag="arrive"):
    """PR-29: the supervisor who was called stands at the table."""


class JPot(TableCommand, frozen=True, kw_only=True, tag="j_pot"):
    """PR-16, keypad: key to JPH, J-POT. The win is logged and its amount fixed."""

    spot: int


class Run(TableCommand, frozen=True, kw_only=True, tag="run"):
    """PR-16, keypad: key back to RUN. The meter is adjusted and the table freed."""


class Confirm(TableCommand, frozen=True, kw_only=True, tag="confirm"):
    """PR-15, touch console: CONFIRM and a card. Logged and adjusted in one step."""

    spot: int


class Surveillance(TableCommand, frozen=True, kw_only=True, tag="surveillance"):
    """FL-18: surveillance verified hand, wager, payout and player of a win."""

    win: int
    player: str


class CloseRound(TableCommand, frozen=True, kw_only=True, tag="close_round"):
    """PR-19: END GAME / GAME OVER."""


class VoidRound(TableCommand, frozen=True, kw_only=True, tag="void_round"):
    """PR-20, FL-12: the round is void for everybody."""

    cause: str
    malfunction: bool = False
    """Whether the cause is a recorded malfunction (it matters where FL-15 is in force)."""


AnyTableCommand = (
    Light
    | Unlight
    | LockIn
    | CorrectCount
    | FirstCard
    | Fold
    | SeeHand
    | SamePlayer
    | NameWin
    | DropClaim
    | Arrive
    | JPot
    | Run
    | Confirm
    | Surveillance
    | CloseRound
    | VoidRound
)
