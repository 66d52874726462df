"""A deck nobody can foresee, bend or deny: unbiased shuffles, a promise published beforehand, a sealed order (FL-3).

The promise (commitment) is the SHA-256 of four lines of plain text, so that anybody can check an opened one with the
tools of any computer:

    houseway deck 1
    Ah Kd … (the whole deck, top card first)
    0       (the start position, where the game draws one)
    6f1c…   (the nonce, 64 hexadecimal digits)
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from houseway.cards import Card, shuffled, text_of
from houseway.games.model import Dealt, Game
from houseway.refusal import Refusal

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

Entropy: TypeAlias = Callable[[int], bytes]
"""So many bytes nobody can foresee: ``os.urandom``, or a fixed stream in a test."""

NONCE_BYTES: Final = 32
KEY_BYTES: Final = 32
SEAL_NONCE_BYTES: Final = 12
BYTES_A_READ: Final = 96
"""A deck of 53 takes 59 bytes on the average, those thrown away included."""
TITLE: Final = "houseway deck 1"
SEAL: Final = "hw1."
"""How a sealed deck begins; the number is that of the format."""


class EntropySource:
    """Whole numbers below a bound out of plain bytes, each equally likely: a byte that would favour some is skipped."""

    __slots__ = ("_bytes", "_entropy")

    def __init__(self, entropy: Entropy) -> None:
        self._entropy = entropy
        self._bytes: Iterator[int] = iter(b"")

    def randrange(self, stop: int, /) -> int:
        """A whole number from 0 to ``stop`` - 1; at most 256 are told apart by a byte."""
        if not 0 < stop <= 256:
            raise ValueError(f"a byte cannot choose among {stop}; it can among 1 to 256")
        fair = 256 - 256 % stop
        while True:
            for byte in self._bytes:
                if byte < fair:
                    return byte % stop
            self._bytes = iter(self._entropy(BYTES_A_READ))


def new_deck(deck: Sequence[Card], entropy: Entropy = os.urandom) -> tuple[tuple[Card, ...], bytes]:
    """FL-3: a new order of the deck, every order equally likely, and the nonce that hides it in its commitment."""
    return shuffled(deck, EntropySource(entropy)), entropy(NONCE_BYTES)


# --------------------------------------------------------------------------------- promised and opened


def committed_text(order: Sequence[Card], nonce: bytes, start: int = 0) -> str:
    """The four lines a commitment is the SHA-256 of; the start position is promised too: it decides who gets what."""
    if len(nonce) != NONCE_BYTES:
        raise Refusal("nonce", f"has {len(nonce)} bytes; it must have {NONCE_BYTES}")
    return f"{TITLE}\n{text_of(order)}\n{start}\n{nonce.hex()}\n"


def commit(order: Sequence[Card], nonce: bytes, start: int = 0) -> str:
    """FL-3: the promise to publish before the first card, 64 hexadecimal digits."""
    return hashlib.sha256(committed_text(order, nonce, start).encode()).hexdigest()


def opens(commitment: str, order: Sequence[Card], nonce: bytes, start: int = 0) -> bool:
    """Whether this is the order that was promised."""
    if len(nonce) != NONCE_BYTES:
        return False
    return hmac.compare_digest(commitment.encode(), commit(order, nonce, start).encode())


def check_round(
    commitment: str,
    order: Sequence[Card],
    nonce: bytes,
    dealt: Dealt,
    game: Game,
    options: Mapping[str, Any] | None = None,
    start: int = 0,
) -> list[str]:
    """FL-3: everything that is wrong with a round that was opened; nothing where it was dealt as promised.

    ``start`` is the start position of a game that draws one, 0 elsewhere.
    """
    defects = []
    if not opens(commitment, order, nonce, start):
        defects.append("the order, the start position and the nonce do not open the commitment: another was promised")
    if sorted(order) != sorted(game.deck):
        defects.append(f"the order is not the deck of {game.title}: {len(game.deck)} cards, each once")
        return defects
    promised = game.deal(order, tuple(dealt.hands), {**game.defaults, **(options or {})}, start or 1)
    for spot in sorted(dealt.hands):
        defects += _differs(f"spot {spot}", dealt.hands[spot], promised.hands.get(spot, ()))
    defects += _differs("the dealer", dealt.dealer, promised.dealer)
    defects += _differs("the dealer's face-up cards", dealt.face_up, promised.face_up)
    defects += _differs("the rack", dealt.rack, promised.rack)
    return defects


def _differs(who: str, got: Sequence[Card], promised: Sequence[Card]) -> list[str]:
    if tuple(got) == tuple(promised):
        return []
    return [f"{who}: {text_of(got) or 'nothing'} was dealt; the promised order gives {text_of(promised) or 'nothing'}"]


# ------------------------------------------------------------------------------------------------ sealed


class SealedDeck(NamedTuple):
    """What a seal holds."""

    order: tuple[Card, ...]
    nonce: bytes
    start: int


def seal(
    order: Sequence[Card],
    nonce: bytes,
    key: bytes,
    *,
    table: str,
    round: int,
    start: int = 0,
    entropy: Entropy = os.urandom,
) -> str:
    """The deck as the journal may hold it before it is opened: unreadable without the key, bound to table and round."""
    if len(nonce) != NONCE_BYTES:
        raise Refusal("nonce", f"has {len(nonce)} bytes; it must have {NONCE_BYTES}")
    fresh = entropy(SEAL_NONCE_BYTES)
    plain = bytes((start,)) + nonce + bytes(order)
    return SEAL + base64.urlsafe_b64encode(fresh + _cipher(key).encrypt(fresh, plain, _about(table, round))).decode()


def unseal(text: str, key: bytes, *, table: str, round: int) -> SealedDeck:
    """The deck of that table's round; anything else, and anything that was changed, is refused."""
    from cryptography.exceptions import InvalidTag

    cipher = _cipher(key)
    try:
        raw = _unwrapped(text)
        plain = cipher.decrypt(raw[:SEAL_NONCE_BYTES], raw[SEAL_NONCE_BYTES:], _about(table, round))
    except (InvalidTag, ValueError):
        sentence = f"does not open: it was changed, has another key, or is not of {table}, round {round}"
        raise Refusal("deck", sentence) from None
    cards = tuple(Card(number) for number in plain[1 + NONCE_BYTES :])
    return SealedDeck(cards, plain[1 : 1 + NONCE_BYTES], plain[0])


def _unwrapped(text: str) -> bytes:
    """The bytes of a sealed text; ValueError for a text that ``seal`` does not write."""
    raw = base64.urlsafe_b64decode(text.removeprefix(SEAL))
    if SEAL + base64.urlsafe_b64encode(raw).decode() != text:
        raise ValueError("not in the form it is written in")
    return raw


def _cipher(key: bytes) -> ChaCha20Poly1305:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    if len(key) != KEY_BYTES:
        raise Refusal("key", f"has {len(key)} bytes; it must have {KEY_BYTES}")
    return ChaCha20Poly1305(key)


def _about(table: str, round: int) -> bytes:
    """What a sealed deck belongs to; the number comes first, so that no table's name can be read as one."""
    return f"{TITLE}\n{round}\n{table}".encode()
