"""Decks of rounds before TR-11, "houseway deck 1": the house alone shuffled, and committed to the order itself.

Such rounds stand in older journals and texts, and one may have been in progress when the program was replaced. They are
read, checked and finished; no new one is made. The commitment is the SHA-256 of four lines:

    houseway deck 1
    Ah Kd … (the whole deck, top card first)
    0       (the start position, where the game draws one)
    6f1c…   (the nonce, 64 hexadecimal digits)
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from typing import Final, NamedTuple

from houseway.cards import Card, text_of
from houseway.table.commitment import decrypted

NONCE_BYTES: Final = 32
TITLE: Final = "houseway deck 1"
SEAL: Final = "hw1."


class SealedDeck(NamedTuple):
    """What a seal of that time holds."""

    order: tuple[Card, ...]
    nonce: bytes
    start: int


def commit(order: Sequence[Card], nonce: bytes, start: int = 0) -> str:
    """The promise of that time, 64 hexadecimal digits."""
    return hashlib.sha256(f"{TITLE}\n{text_of(order)}\n{start}\n{nonce.hex()}\n".encode()).hexdigest()


def opens(commitment: str, order: Sequence[Card], nonce: bytes, start: int = 0) -> bool:
    """Whether this is the order that was promised."""
    if len(nonce) != NONCE_BYTES:
        return False
    return hmac.compare_digest(commitment.encode(), commit(order, nonce, start).encode())


def unseal(text: str, keys: Sequence[bytes], *, table: str, round: int) -> SealedDeck:
    """The deck of that table's round; anything else, and anything that was changed, is refused."""
    plain = decrypted(text, keys, SEAL, TITLE, table, round)
    cards = tuple(Card(number) for number in plain[1 + NONCE_BYTES :])
    return SealedDeck(cards, plain[1 : 1 + NONCE_BYTES], plain[0])
