"""Whether an entry of the journal was its giver's to make (TR-12): the staff as they stood then, the rules of then.

The same permission table that lets an order in judges its entry again. The command itself is not in the journal, only
what came of it, so what a rule asks beside who and what (a table, a spot) is taken from the events. Besides, every kind
of order makes only some kinds of events: no wager enrols a manager.
"""

from __future__ import annotations

from typing import Final

from houseway.manager import events as tell
from houseway.manager.authority import asked_by, check_authority
from houseway.manager.clock import CLOCK
from houseway.manager.entry import FIRST_CODED, Entry
from houseway.manager.floor import INSTALLATION, OWN
from houseway.manager.permissions import RIGHTS_OF, players_may
from houseway.manager.state import FloorState
from houseway.refusal import NotAllowed, Refusal
from houseway.table.card_round.decide import PLAYER
from houseway.table.card_round.events import Acted, SpotDecided
from houseway.table.machine import decide as decide_table
from houseway.table.progressive_round.commands import AnyTableCommand, Confirm, JPot, Run
from houseway.table.progressive_round.decide import Context
from houseway.table.progressive_round.events import TableEvent, WinLogged

MAKES: Final[dict[str, frozenset[str]]] = {
    kind: frozenset(events.split())
    for kind, events in {
        # at the table
        "light": "sensor_lit",
        "unlight": "sensor_dark",
        "lock_in": "locked_in",
        "first_card": "cards_out",
        "fold": "cards_out folded",
        "see_hand": "cards_out hand_seen",
        "same_player": "players_paired",
        "name_win": "cards_out claim_named claim_dropped",
        "close_round": "envy_paid round_closed deck_opened seed_committed",
        "correct_count": "count_corrected wager_placed",
        "drop_claim": "claim_dropped",
        "arrive": "supervisor_arrived",
        "j_pot": "win_logged",
        "run": "win_paid",
        "confirm": "win_logged win_paid",
        "surveillance": "surveillance_verified",
        "void_round": "malfunction_recorded commission_unmarked deck_opened claim_dropped round_voided seed_committed",
        # a round with cards
        "sit_down": "seated seed_committed",
        "stand_up": "commission_collected wager_placed sensor_dark seat_left cards_out acted spot_decided folded "
        "hand_shown",
        "bet": "wager_placed sensor_lit sensor_dark seed_committed player_seed_added",
        "no_more_bets": "bets_closed players_paired",
        "deal": "seed_committed deck_committed deck_shuffled shoe_continued packet_dealt face_up_shown board_turned "
        "cards_out acted spot_decided folded hand_shown",
        "stack_deck": "deck_stacked",
        "enter_cards": "cards_entered cards_out board_turned card_drawn acted spot_decided folded hand_shown",
        "act": "cards_out acted folded hand_shown",
        "choose": "cards_out spot_decided folded hand_shown",
        "time_up": "cards_out acted spot_decided folded hand_shown",
        "collect": "forfeit_collected",
        "reveal": "board_turned card_drawn acted folded spot_result dealer_revealed hand_seen hand_shown",
        "reconcile": "reconciled commission_marked hand_shown",
        "collect_commission": "commission_collected",
        "write_off_commission": "commission_written_off",
        "change_shoe": "shoe_changed",
        "sign_over": "signed_over",
        "verify_payout": "payout_verified",
        "malfunction_step": "malfunction_recorded",
        # at the Game Manager
        "found": "floor_configured staff_enrolled key_replaced",
        "configure": "floor_configured",
        "seed_meter": "meter_opened",
        "open_meter": "meter_opened",
        "undo_win": "win_undone",
        "adjust_meter": "meter_adjusted",
        "pay_late_win": "late_win_paid",
        "transfer": "meter_transferred",
        "replace_key": "key_replaced",
        "recover": "restored",
        "confirm_clock": "clock_confirmed",
        "repair_clock": "clock_repaired",
        "note_clock": "clock_doubted clock_trusted",
        "enter_account": "account_entered",
        "record_deposit": "deposit_recorded",
        "enroll": "staff_enrolled",
        "dismiss": "staff_dismissed",
        "unlock": "staff_unlocked",
        "sign_in": "signed_in",
        "set_pin": "pin_set signed_in",
        "suspend": "suspended",
        "resume": "resumed",
        "acknowledge": "alarm_seen",
        "admit": "player_admitted",
        "enter": "player_entered",
        "sign_out": "signed_out",
        "issue_device": "device_issued",
        "revoke_device": "device_revoked",
    }.items()
}
"""By kind of order, ``choose`` of before there were actions by name too: the events it can make."""


def authorised(state: FloorState, entry: Entry) -> str:
    """Why an entry was not its giver's to make on the floor as it stood before it; empty where it was."""
    try:
        _check(state, entry)
    except Refusal as refusal:
        return refusal.sentence
    return ""


def _check(state: FloorState, entry: Entry) -> None:
    if any(isinstance(event, tell.AuthorityRefused) for event in entry.events) or entry.order.startswith(OWN):
        _check_refusal(state, entry)
        return
    _check_events(entry)
    match entry.kind:
        case "found":
            if state.config is not None or entry.seq != 1 or entry.by != INSTALLATION:
                raise Refusal("by", "a floor is founded once, by its installation, in its first entry")
        case _ if state.config is None:
            raise Refusal("by", f"{entry.kind} was given before the floor was founded")
        case "sign_in" | "set_pin":
            _check_sign_in(state, entry)
        case "enter":
            pass
        case "note_clock":
            if entry.by != CLOCK or entry.second:
                raise Refusal("by", "the floor alone writes down what it makes of its clock")
        case "sign_out":
            for event in entry.events:
                if isinstance(event, tell.SignedOut) and not _is_own_session(state, entry, event):
                    raise Refusal("by", "signed out of a session that is another's")
        case _:
            _check_order(state, entry)


def _check_events(entry: Entry) -> None:
    """Every event must be one that this kind of order makes, at the table that the entry is about."""
    made = MAKES.get(entry.kind)
    if made is None:
        raise Refusal("kind", f"{entry.kind!r} is no order of this program")
    for event in entry.events:
        name = str(type(event).__struct_config__.tag)
        if name not in made:
            raise Refusal("events", f"{entry.kind} makes no {name}")
        if isinstance(event, TableEvent) and event.table != entry.table:
            raise Refusal("events", f"{name} happened at {event.table}, but the order was for {entry.table}")


def _check_refusal(state: FloorState, entry: Entry) -> None:
    """A refusal is the floor's own entry. It moves nothing, and tells of the card that was presented."""
    event, *others = entry.events or (None,)
    if others or not isinstance(event, tell.AuthorityRefused):
        raise Refusal("events", "an entry of a refusal tells of that alone")
    if entry.order != f"{OWN}{entry.seq}" or event.asked != entry.kind or entry.kind not in MAKES:
        raise Refusal("events", "it is not the refusal of the order that it names")
    if event.failed or event.locked_until:
        member = state.staff.get(event.staff)
        if member is None or not member.active or (event.card and member.card[: len(event.card)] != event.card):
            raise Refusal("events", f"a wrong PIN is counted against {event.staff!r}, whose card was not presented")


def _check_sign_in(state: FloorState, entry: Entry) -> None:
    for event in entry.events:
        member = state.staff.get(event.staff) if isinstance(event, tell.SignedIn | tell.PinSet) else None
        if member is None or not member.active:
            raise Refusal("by", "nobody on the staff then holds the card that signed in")
        if member.locked_until > entry.at:
            raise Refusal("by", f"{member.name} signed in with a card that was locked")
        if not member.pin_set and entry.kind == "sign_in":
            raise Refusal("by", f"{member.name} signed in before setting a PIN of their own")


def _is_own_session(state: FloorState, entry: Entry, event: tell.SignedOut) -> bool:
    signed = state.signed.get(event.session)
    return signed is not None and signed.who == event.who == entry.by


def _check_order(state: FloorState, entry: Entry) -> None:
    """Who may give this kind of order, and with whom."""
    rights = RIGHTS_OF.get(entry.format)
    if rights is None or entry.kind not in rights:
        raise Refusal("kind", f"{entry.kind} may be given by nobody")
    if entry.by.startswith(PLAYER):
        _check_own_spot(state, entry)
        if entry.format < FIRST_CODED:
            # In those days a player was the name on the screen.
            if entry.kind not in players_may(rights):
                raise NotAllowed("by", f"{entry.kind} is not for players", rule="role")
            return
    member = check_authority(state, asked_by(entry), entry.at, rights)
    command = _win_command(entry) if entry.format >= FIRST_CODED else None
    table = state.tables.get(entry.table)
    if command is not None and table is not None:
        context = Context(entry.seq, entry.at, member.id, member.role, entry.day, state.policies)
        try:
            decide_table(table, state.links.get(table.config.link), command, context)
        except NotAllowed:
            raise
        except Refusal:
            # What is not a matter of authority the fold and the money tell.
            return


def _check_own_spot(state: FloorState, entry: Entry) -> None:
    """A player acts for a spot of their own."""
    name = entry.by.removeprefix(PLAYER)
    table = state.tables.get(entry.table)
    for event in entry.events:
        whose = getattr(event, "player", name)
        if isinstance(event, Acted | SpotDecided) and table is not None and event.spot in table.round.play.hands:
            whose = table.round.play.hands[event.spot].player
        if whose != name:
            raise NotAllowed("by", f"{entry.by} acted for the spot of {whose!r}", rule="own spot")


def _win_command(entry: Entry) -> AnyTableCommand | None:
    """The order that recorded a win: who may do that depends on the claim and its amount."""
    spot = next((event.claim.spot for event in entry.events if isinstance(event, WinLogged)), 0)
    match entry.kind:
        case "confirm" if spot:
            return Confirm(table=entry.table, spot=spot)
        case "j_pot" if spot:
            return JPot(table=entry.table, spot=spot)
        case "run":
            return Run(table=entry.table)
    return None
