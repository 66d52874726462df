"""What of an event leaves the house: a list of fields for each kind, and nothing that tells a card.

Answers to orders and the steps of live streams are made by this list alone. Who may see a card finds it in the view
of the table, which `houseway.table.card_round.view` makes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from houseway.manager.entry import Entry
from houseway.manager.events import Event
from houseway.progressive.terms import cents_of
from houseway.table.progressive_round import events as table

FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "sensor_lit": ("spot", "waits"),
    "sensor_dark": ("spot",),
    "locked_in": ("link", "spots", "wager_cents"),
    "count_corrected": ("link", "spot", "wagered", "wager_cents", "reason"),
    "cards_out": (),
    "folded": ("spot",),
    "players_paired": ("spots",),
    "claim_named": ("link",),
    "claim_dropped": ("link", "spot", "reason"),
    "supervisor_arrived": (),
    "win_logged": ("link", "win", "surveillance", "tax_form", "envy_cents"),
    "win_paid": ("link", "win", "spot", "meter", "reseeded"),
    "surveillance_verified": ("win",),
    "envy_paid": ("link", "spot", "win", "winner", "cents"),
    "round_closed": ("link", "spots", "winners"),
    "round_voided": ("link", "cause", "spots"),
    "seated": ("spot", "player"),
    "seat_left": ("spot", "player", "held"),
    "wager_placed": ("spot", "wager", "cents"),
    "bets_closed": ("without",),
    "seed_committed": ("commitment",),
    "player_seed_added": ("spot", "player_seed"),
    "deck_shuffled": ("commitment", "player_seeds", "house_only", "start"),
    "deck_committed": ("commitment", "start"),
    "deck_stacked": ("spot",),
    "packet_dealt": ("target",),
    "cards_entered": ("spot",),
    "acted": ("spot", "point"),
    "spot_decided": ("spot",),
    "forfeit_collected": ("spot", "wagers"),
    "board_turned": ("target", "label", "street"),
    "spot_result": ("spot",),
    "dealer_revealed": (),
    "reconciled": ("spot", "wagers"),
    "payout_verified": ("spot", "wager"),
    "deck_opened": ("commitment",),
    "signed_over": ("to", "by"),
    "malfunction_recorded": ("step", "note", "over"),
    "floor_configured": ("changes", "reason"),
    "meter_opened": ("link", "meter", "taken_over"),
    "staff_enrolled": ("staff", "name", "role"),
    "staff_dismissed": ("staff",),
    "staff_unlocked": ("staff",),
    "pin_set": ("staff",),
    "signed_in": ("staff",),
    "player_admitted": ("player",),
    "player_entered": ("player",),
    "signed_out": ("who",),
    "device_issued": ("device", "right", "subject"),
    "device_revoked": ("device", "reason"),
    "win_undone": ("win", "link", "table", "round", "spot", "meter", "reason", "explanation"),
    "meter_adjusted": ("link", "meter", "reason", "explanation"),
    "late_win_paid": ("win", "link", "table", "round", "spot", "hand", "meter", "cents", "tax_form"),
    "meter_transferred": ("link", "meter", "to_link", "to_meter", "retired"),
    "account_entered": ("link", "balance_cents", "short"),
    "deposit_recorded": ("link", "week", "cents"),
    "suspended": ("what", "id", "why"),
    "resumed": ("what", "id"),
    "alarm_seen": ("alarm",),
    "key_replaced": ("key", "reason"),
    "restored": ("entries", "known_to", "reason"),
    "clock_doubted": ("where", "doubt", "shown"),
    "clock_trusted": ("where",),
    "clock_confirmed": ("was",),
    "clock_repaired": ("was", "reason"),
}
"""What is not listed does not leave the house: hands seen by the system, what the verify display showed, refusals."""


def shown_events(entry: Entry) -> list[dict[str, Any]]:
    """The events of an entry as they leave the house."""
    return list(_shown(entry.events))


def _shown(events: Iterable[Event]) -> Iterable[dict[str, Any]]:
    for event in events:
        kind = str(event.__struct_config__.tag)
        if kind not in FIELDS:
            continue
        shown: dict[str, Any] = {"type": kind}
        for name in FIELDS[kind]:
            shown[name] = getattr(event, name)
        match event:
            case table.ClaimNamed():
                shown |= {"spot": event.claim.spot, "hand": event.claim.hand, "meter": event.claim.meter}
            case table.WinLogged():
                shown |= {
                    "spot": event.claim.spot,
                    "hand": event.claim.hand,
                    "meter": event.claim.meter,
                    "cents": event.due.cents,
                }
            case table.WinPaid():
                shown |= {"before_cents": cents_of(event.before), "after_cents": cents_of(event.after)}
        yield shown
