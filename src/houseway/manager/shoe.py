"""The shuffler of the virtual tables: seeds from the system's secure source, committed to and sealed (FL-3, TR-11)."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Mapping
from threading import Lock
from typing import Any, Final

from houseway.cards import Card
from houseway.table import first_deck
from houseway.table.card_round.cards import Deck, Promise
from houseway.table.commitment import SEED_BYTES, Entropy, Shuffled, commit, seal, shuffle, unseal

DECKS_KEPT: Final = 256
"""A deck is asked for with every look at its table; these many tables' are not computed again."""


class SealingShoe:
    """Draws seeds, and makes the decks of those it sealed. The keys never leave the process."""

    def __init__(self, *keys: bytes, entropy: Entropy = os.urandom) -> None:
        """``keys`` are those it opens seals with; it seals with the first."""
        self._keys = keys
        self._entropy = entropy
        self._known: OrderedDict[tuple[str, int], tuple[Any, Deck]] = OrderedDict()
        self._looking = Lock()

    def promise(self, table: str, round: int) -> Promise:
        """A new seed for a round, committed to and sealed."""
        seed = self._entropy(SEED_BYTES)
        sealed = seal(seed, self._keys[0], table=table, round=round, entropy=self._entropy)
        return Promise(commit(seed, table=table, round=round), sealed)

    def deck(
        self,
        sealed: str,
        table: str,
        round: int,
        cards: tuple[Card, ...],
        player_seeds: Mapping[int, str],
        positions: int,
    ) -> Deck:
        """The deck that follows from a seed it sealed and the players'."""
        deal_key = sealed, cards, dict(player_seeds), positions
        with self._looking:
            known = self._known.get((table, round))
            if known is None or known[0] != deal_key:
                known = deal_key, self._opened(sealed, table, round, cards, player_seeds, positions)
                self._known[table, round] = known
            self._known.move_to_end((table, round))
            if len(self._known) > DECKS_KEPT:
                self._known.popitem(last=False)
        return known[1]

    def _opened(
        self,
        sealed: str,
        table: str,
        round: int,
        cards: tuple[Card, ...],
        player_seeds: Mapping[int, str],
        positions: int,
    ) -> Deck:
        if sealed.startswith(first_deck.SEAL):
            old = first_deck.unseal(sealed, self._keys, table=table, round=round)
            return Deck(old.order, old.start, nonce=old.nonce.hex())
        seed = unseal(sealed, self._keys, table=table, round=round)
        deal = self._shuffled(cards, seed, player_seeds, positions, table=table, round=round)
        return Deck(deal.order, deal.start, seed=seed.hex())

    def _shuffled(
        self,
        cards: tuple[Card, ...],
        seed: bytes,
        player_seeds: Mapping[int, str],
        positions: int,
        *,
        table: str,
        round: int,
    ) -> Shuffled:
        return shuffle(cards, seed, player_seeds, positions, table=table, round=round)
