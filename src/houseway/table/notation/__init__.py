"""A round as text: one canonical, readable form, written and read back, that settles to the same cents."""

from houseway.table.notation.check import Difference, settle_record
from houseway.table.notation.deck import check_deck, deck_from_seeds
from houseway.table.notation.record import Played, RoundRecord, record_of
from houseway.table.notation.text import parse_round, write_round
from houseway.table.notation.words import in_words

__all__ = [
    "Difference",
    "Played",
    "RoundRecord",
    "check_deck",
    "deck_from_seeds",
    "in_words",
    "parse_round",
    "record_of",
    "settle_record",
    "write_round",
]
