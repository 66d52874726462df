"""What the view of a table is made of: the table's own records."""

from __future__ import annotations

from houseway.table.card_round.next_press import NextPress
from houseway.table.card_round.offers import ActionOffer, RepairOffer, SpotTotal, VerifyOffer, WagerOffer
from houseway.table.card_round.step_offer import StepOffer
from houseway.table.card_round.view import PlayView
from houseway.table.progressive_round.view import ClaimView, Press, TableView
