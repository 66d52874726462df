"""A written round in words: one sentence a step, for whoever follows it later."""

from __future__ import annotations

from collections.abc import Iterator

from houseway.table.event import Say, speak
from houseway.table.notation.record import RoundRecord, known_game
from houseway.table.progressive_round.console import WORDS


def in_words(record: RoundRecord) -> Iterator[str]:
    """What happened, step by step, in the words of its console and game."""
    game, words = known_game(record.game), WORDS[record.console]
    labels = {wager.key: wager.label for wager in game.wagers}
    say = Say(words.lock_in, words.close, lambda wager: labels.get(wager, speak(wager)))
    yield (
        f"{record.site}, table {record.table}, round {record.round} of {game.title}, "
        f"gaming day {record.day}, {record.console} console."
    )
    for step in record.steps:
        yield step.in_words(say)
