"""The shuffler of the virtual tables: decks from the system's secure source, committed to and sealed (FL-3)."""

from __future__ import annotations

import os

from houseway.cards import Card
from houseway.table.commitment import Entropy, EntropySource, commit, new_deck, seal, unseal
from houseway.table.play.decide import Arrange, Fresh


class SealingShoe:
    """Makes decks, and opens those it sealed. The key never leaves the process."""

    def __init__(self, key: bytes, entropy: Entropy = os.urandom) -> None:
        self._key = key
        self._entropy = entropy
        self._last: tuple[tuple[str, str, int], tuple[tuple[Card, ...], str]] | None = None

    def fresh(
        self, deck: tuple[Card, ...], table: str, round: int, positions: int, arrange: Arrange | None = None
    ) -> Fresh:
        """A new deck, and where the game asks for one a start position."""
        order, nonce = new_deck(deck, self._entropy)
        start = EntropySource(self._entropy).randrange(positions) + 1 if positions else 0
        if arrange is not None:
            order = arrange(order, start)
        sealed = seal(order, nonce, self._key, table=table, round=round, start=start, entropy=self._entropy)
        return Fresh(commit(order, nonce, start), sealed, start)

    def order(self, sealed: str, table: str, round: int) -> tuple[tuple[Card, ...], str]:
        """The order of a deck it sealed, and its nonce."""
        key = (sealed, table, round)
        if self._last is None or self._last[0] != key:
            opened = unseal(sealed, self._key, table=table, round=round)
            self._last = key, (opened.order, opened.nonce.hex())
        return self._last[1]
