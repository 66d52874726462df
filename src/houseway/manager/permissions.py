"""Who may do what: one table. A command that is not in it may be given by nobody."""

from __future__ import annotations

from typing import Final, NamedTuple

from houseway.manager.commands import Role


class Right(NamedTuple):
    """The roles that may give a command, and those one of which must second it."""

    roles: frozenset[Role]
    seconds: frozenset[Role] = frozenset()

    @property
    def needs_second(self) -> bool:
        return bool(self.seconds)


def _right(*roles: Role, seconds: tuple[Role, ...] = ()) -> Right:
    return Right(frozenset(roles), frozenset(seconds))


_DEALING: Final = _right("dealer", "supervisor")
_SUPERVISING: Final = _right("supervisor", "executive")
_MONEY: Final = _right("manager", seconds=("executive", "manager", "auditor"))
_MANAGING: Final = _right("manager")
_KEEPING: Final = _right("technician", "supervisor", "executive", "manager")

PLAYERS_MAY: Final = frozenset({"sit_down", "stand_up", "bet", "choose"})
"""What a player may ask for himself, for his own spot."""

PERMISSIONS: Final[dict[str, Right]] = {
    # at the table
    "light": _DEALING,
    "unlight": _DEALING,
    "lock_in": _DEALING,
    "first_card": _DEALING,
    "fold": _DEALING,
    "see_hand": _DEALING,
    "same_player": _DEALING,
    "name_win": _DEALING,
    "close_round": _DEALING,
    "correct_count": _SUPERVISING,
    "drop_claim": _SUPERVISING,
    "arrive": _SUPERVISING,
    "j_pot": _SUPERVISING,
    "run": _SUPERVISING,
    "confirm": _SUPERVISING,
    "surveillance": _SUPERVISING,
    "void_round": _SUPERVISING,
    # a round with cards
    "sit_down": _DEALING,
    "stand_up": _DEALING,
    "bet": _DEALING,
    "no_more_bets": _DEALING,
    "deal": _DEALING,
    "enter_cards": _DEALING,
    "choose": _DEALING,
    "time_up": _DEALING,
    "reveal": _DEALING,
    "reconcile": _DEALING,
    "sign_over": _DEALING,
    "verify_payout": _SUPERVISING,
    "malfunction_step": _right("dealer", "supervisor", "technician"),
    # at the Game Manager
    "configure": _MANAGING,
    "seed_meter": _MANAGING,
    "open_meter": _MONEY,
    "undo_win": _MONEY,
    "adjust_meter": _MONEY,
    "pay_late_win": _MONEY,
    "transfer": _MONEY,
    "replace_key": _MONEY,
    "enter_account": _right("manager", "auditor"),
    "record_deposit": _right("manager", "auditor"),
    "enroll": _MANAGING,
    "dismiss": _MANAGING,
    "unlock": _MANAGING,
    "suspend": _KEEPING,
    "resume": _KEEPING,
    "acknowledge": _KEEPING,
}
