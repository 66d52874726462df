"""Who may do what: one table. A command that is not in it may be given by nobody."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from houseway.manager.commands import AnyRole, DeviceRight, Role
from houseway.table.state import TableState


class SecondWhen(NamedTuple):
    """Where an order takes a second person only sometimes: in words, and asked of the table it is for."""

    words: str
    asks: Callable[[TableState], bool]


class Right(NamedTuple):
    """The roles that may give a command, and those one of which must second it."""

    roles: frozenset[Role]
    seconds: frozenset[Role] = frozenset()
    second_when: SecondWhen | None = None
    """When the second person is needed; None for always, where there are seconds."""

    def takes_second(self, table: TableState | None) -> bool:
        """Whether the order takes a second person, at this table as it stands now."""
        if self.second_when is None or table is None:
            return bool(self.seconds)
        return self.second_when.asks(table)

    @property
    def seconded(self) -> str:
        """Who must second it and when, in words; empty where nobody must."""
        if not self.seconds:
            return ""
        when = f", {self.second_when.words}" if self.second_when else ""
        return f"{', '.join(sorted(self.seconds))}{when}"


def _right(*roles: Role, seconds: tuple[Role, ...] = (), second_when: SecondWhen | None = None) -> Right:
    return Right(frozenset(roles), frozenset(seconds), second_when)


Rights: TypeAlias = Mapping[str, Right]
"""By kind of order: who may give it."""


def _cards_turned(table: TableState) -> bool:
    """TR-7: whether the outcome of the round can be known.

    A table that sees no cards cannot say when the dealer's are turned: there it is from the first card on.
    """
    return table.round.dealt if table.config.kind == "progressive" else table.round.play.revealed


_DEALING: Final = _right("dealer", "supervisor")
_SUPERVISING: Final = _right("supervisor", "executive")
_VOIDING: Final = _right(
    "supervisor",
    "executive",
    seconds=("supervisor", "executive", "manager"),
    second_when=SecondWhen("once the dealer's cards are turned", _cards_turned),
)
_FORGIVING: Final = _right("supervisor", "executive", seconds=("supervisor", "executive", "manager"))
_BY_TWO: Final = _right("manager", seconds=("executive", "manager", "auditor"))
_OBSERVING: Final = _right("surveillance")
_MANAGING: Final = _right("manager")
_KEEPING: Final = _right("technician", "supervisor", "executive", "manager")

PLAYERS_MAY: Final = frozenset({"sit_down", "stand_up", "bet", "act", "stack_deck"})
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
    "surveillance": _OBSERVING,
    "void_round": _VOIDING,
    # a round with cards
    "sit_down": _DEALING,
    "stand_up": _DEALING,
    "bet": _DEALING,
    "no_more_bets": _DEALING,
    "deal": _DEALING,
    "stack_deck": _DEALING,
    "enter_cards": _DEALING,
    "act": _DEALING,
    "time_up": _DEALING,
    "collect": _DEALING,
    "reveal": _DEALING,
    "reconcile": _DEALING,
    "collect_commission": _DEALING,
    "change_shoe": _DEALING,
    "sign_over": _DEALING,
    "write_off_commission": _FORGIVING,
    "verify_payout": _OBSERVING,
    "malfunction_step": _right("dealer", "supervisor", "technician"),
    # at the Game Manager
    "configure": _BY_TWO,
    "seed_meter": _MANAGING,
    "open_meter": _BY_TWO,
    "undo_win": _BY_TWO,
    "adjust_meter": _BY_TWO,
    "pay_late_win": _right("manager", seconds=("executive", "manager", "auditor", "surveillance")),
    "transfer": _BY_TWO,
    "replace_key": _BY_TWO,
    "recover": _BY_TWO,
    "confirm_clock": _BY_TWO,
    "repair_clock": _BY_TWO,
    "enter_account": _right("manager", "auditor"),
    "record_deposit": _right("manager", "auditor"),
    "enroll": _BY_TWO,
    "dismiss": _BY_TWO,
    "unlock": _BY_TWO,
    "suspend": _KEEPING,
    "resume": _KEEPING,
    "acknowledge": _KEEPING,
    "admit": _DEALING,
    "issue_device": _MANAGING,
    "revoke_device": _MANAGING,
}

LONG_PIN: Final[frozenset[Role]] = frozenset[Role].union(
    _SUPERVISING.roles, _OBSERVING.roles, *(right.seconds for right in PERMISSIONS.values())
)
"""TR-6: the roles that second, confirm or verify, whose PINs are longer."""

_SINCE_SURVEILLANCE: Final = ("collect_commission", "write_off_commission", "change_shoe")
_BEFORE_SURVEILLANCE: Final[Rights] = {
    **{kind: right for kind, right in PERMISSIONS.items() if kind not in _SINCE_SURVEILLANCE},
    "surveillance": _SUPERVISING,
    "verify_payout": _SUPERVISING,
    "pay_late_win": _BY_TWO,
}
_BEFORE_ACTIONS: Final[Rights] = {
    **{kind: right for kind, right in _BEFORE_SURVEILLANCE.items() if kind != "act"},
    "choose": _DEALING,
}
RIGHTS_OF: Final[dict[int, Rights]] = {
    1: {
        kind: Right(frozenset(roles.split()), frozenset(seconds.split()))  # type: ignore[arg-type]
        for roles, seconds, kinds in (
            (
                "dealer supervisor",
                "",
                "light unlight lock_in first_card fold see_hand same_player name_win close_round sit_down stand_up "
                "bet no_more_bets deal stack_deck enter_cards choose time_up reveal reconcile sign_over admit",
            ),
            (
                "supervisor executive",
                "",
                "correct_count drop_claim arrive j_pot run confirm surveillance void_round verify_payout",
            ),
            ("dealer supervisor technician", "", "malfunction_step"),
            ("manager", "", "configure seed_meter enroll dismiss unlock issue_device revoke_device"),
            (
                "manager",
                "executive manager auditor",
                "open_meter undo_win adjust_meter pay_late_win transfer replace_key",
            ),
            ("manager auditor", "", "enter_account record_deposit"),
            ("technician supervisor executive manager", "", "suspend resume acknowledge"),
        )
        for kind in kinds.split()
    },
    2: {kind: right for kind, right in _BEFORE_ACTIONS.items() if kind not in ("confirm_clock", "repair_clock")},
    3: _BEFORE_ACTIONS,
    4: _BEFORE_SURVEILLANCE,
    5: PERMISSIONS,
}
"""Who could do what when the entries of each format were written. Those of an earlier format never change."""

_PLAYERS_MIGHT: Final = PLAYERS_MAY - {"act"} | {"choose"}


def players_may(rights: Rights) -> frozenset[str]:
    """What players may ask for themselves under the rights of a format: before actions had names, they chose."""
    return _PLAYERS_MIGHT if "choose" in rights else PLAYERS_MAY


Reader = AnyRole | DeviceRight | Literal["anyone"]
"""Who looks: a member of staff by role, a player, a device by its right, or anyone at all."""

STAFF: Final[frozenset[Reader]] = frozenset(get_args(Role))
_FLOORWALKERS: Final[frozenset[Reader]] = frozenset({"supervisor", "executive", "manager", "auditor", "surveillance"})
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
    "observations": frozenset({"surveillance"}),
    "adjustments": _BOOKS,
    "reports": _BOOKS | {"casino"},
    "staff": _BOOKS,
    "devices": _BOOKS | {"technician"},
    "journal": _BOOKS,
    "checkpoint": _BOOKS | {"casino"},
    "manager": _BOOKS | {"technician"},
}
"""Who may look at what; of a table's round everybody is shown only what he may see of it."""
