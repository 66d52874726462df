"""Who may do what: one table. A command that is not in it may be given by nobody."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from houseway.manager.commands import AnyRole, DeviceRight, Role


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

PLAYERS_MAY: Final = frozenset({"sit_down", "stand_up", "bet", "choose", "stack_deck"})
"""What a player may ask for himself, for his own spot."""

DEVICES_MAY: Final[dict[DeviceRight, frozenset[str]]] = {
    "display": frozenset(),
    "sensor": frozenset({"light", "unlight"}),
    "casino": frozenset(),
}
"""What a device may ask, at the table its token is for."""

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
    "stack_deck": _DEALING,
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
    "admit": _DEALING,
    "issue_device": _MANAGING,
    "revoke_device": _MANAGING,
}

Reader = AnyRole | DeviceRight | Literal["anyone"]
"""Who looks: a member of staff by role, a player, a device by its right, or anyone at all."""

STAFF: Final[frozenset[Reader]] = frozenset({"dealer", "supervisor", "executive", "manager", "auditor", "technician"})
_FLOORWALKERS: Final[frozenset[Reader]] = frozenset({"supervisor", "executive", "manager", "auditor"})
_BOOKS: Final[frozenset[Reader]] = frozenset({"executive", "manager", "auditor"})

MAY_READ: Final[dict[str, frozenset[Reader]]] = {
    "rules": frozenset({"anyone"}),
    "figures": frozenset({"anyone"}),
    "meters": STAFF | {"player", "display", "sensor", "casino"},
    "table": STAFF | {"player", "sensor"},
    "floor": STAFF | {"casino"},
    "rounds": STAFF | {"player"},
    "claims": STAFF,
    "equipment": STAFF,
    "approvals": STAFF,
    "wins": _FLOORWALKERS | {"casino"},
    "adjustments": _BOOKS,
    "reports": _BOOKS | {"casino"},
    "staff": _BOOKS,
    "devices": _BOOKS | {"technician"},
    "journal": _BOOKS,
    "manager": _BOOKS | {"technician"},
}
"""Who may look at what; of a table's round everybody is shown only what he may see of it."""
