"""A deck that neither side can choose: the house commits to a seed, the players add theirs, the deck follows (TR-11).

The procedure is "houseway deck 2"; docs/deck.md has it in full, docs/deck-vectors.json has worked examples.

1. The house draws 32 random bytes for the round, its seed, and publishes the SHA-256 of four lines before any wager:

       houseway seed 2
       CS-1    (the table)
       12      (the round)
       6f1c…   (the seed, 64 hexadecimal digits)

2. With a wager a player adds a text, which everybody sees.
3. HMAC-SHA256 with the seed as its key, over the same table and round and everybody's text, gives the key of a stream
   of bytes; the stream decides a Fisher-Yates shuffle, and the start position where the game draws one.
4. When the round is over, the seed is opened.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from houseway.cards import Card, shuffled, text_of
from houseway.games.model import Game
from houseway.games.round import Dealt
from houseway.refusal import Refusal

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

Entropy: TypeAlias = Callable[[int], bytes]
"""So many bytes nobody can foresee: ``os.urandom``, or a fixed stream in a test."""

SEED_BYTES: Final = 32
KEY_BYTES: Final = 32
SEAL_NONCE_BYTES: Final = 12
SEED_TITLE: Final = "houseway seed 2"
TITLE: Final = "houseway deck 2"
SEAL: Final = "hw2."
"""How a sealed seed begins; the number is that of the format."""
LONGEST_PLAYER_SEED: Final = 128
PLAYER_SEED: Final = re.compile(r"[!-~](?:[ -~]*[!-~])?")
_BYTE: Final = 256
_TWO_BYTES: Final = 65_536


class Shuffled(NamedTuple):
    """What follows from the seeds."""

    order: tuple[Card, ...]
    """The top card first."""
    start: int
    """PG-3: the position that gets the first packet, from 1; 0 where the game draws none."""


class SeedStream:
    """Whole numbers below a bound out of HMAC-SHA256 of a counter; what would favour some is skipped."""

    __slots__ = ("_at", "_block", "_counter", "_key")

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._counter = 0
        self._block = b""
        self._at = 0

    def block(self, counter: int) -> bytes:
        """One block of the stream."""
        return hmac.digest(self._key, counter.to_bytes(8, "big"), "sha256")

    def randrange(self, stop: int, /) -> int:
        """A whole number from 0 to ``stop`` - 1, each equally likely."""
        if not 0 < stop <= _TWO_BYTES:
            raise ValueError(f"two bytes cannot choose among {stop}; they can among 1 to {_TWO_BYTES}")
        whole = _BYTE if stop <= _BYTE else _TWO_BYTES
        fair = whole - whole % stop
        while True:
            drawn = self._byte() if whole == _BYTE else self._byte() << 8 | self._byte()
            if drawn < fair:
                return drawn % stop

    def _byte(self) -> int:
        if self._at == len(self._block):
            self._block, self._at = self.block(self._counter), 0
            self._counter += 1
        self._at += 1
        return self._block[self._at - 1]


def player_seed_in(text: str) -> str:
    """A player's own seed; refused where it could not be written down and typed again."""
    if len(text) > LONGEST_PLAYER_SEED or not PLAYER_SEED.fullmatch(text):
        raise Refusal(
            "player_seed",
            f"must be 1 to {LONGEST_PLAYER_SEED} printable ASCII characters, without a space at either end",
        )
    return text


# ------------------------------------------------------------------------------------------------ the deck of the seeds


def key_text(player_seeds: Mapping[int, str], *, table: str, round: int) -> str:
    """What the key of the stream is made over: table, round, and every player's seed by spot."""
    lines = "".join(f"{spot} {text}\n" for spot, text in sorted(player_seeds.items()))
    return f"{TITLE}\n{table}\n{round}\n{lines}"


def deck_key(seed: bytes, player_seeds: Mapping[int, str], *, table: str, round: int) -> bytes:
    """The key of the stream that decides the deck."""
    return hmac.digest(seed, key_text(player_seeds, table=table, round=round).encode(), "sha256")


def shuffle(
    deck: Sequence[Card], seed: bytes, player_seeds: Mapping[int, str], positions: int, *, table: str, round: int
) -> Shuffled:
    """TR-11: the one deck that follows from the house's seed and the players'; every order is equally likely."""
    stream = SeedStream(deck_key(seed, player_seeds, table=table, round=round))
    order = shuffled(deck, stream)
    return Shuffled(order, stream.randrange(positions) + 1 if positions else 0)


def new_deck(deck: Sequence[Card], entropy: Entropy = os.urandom) -> tuple[Card, ...]:
    """A deck as a table gets it from a new seed of the house alone."""
    return shuffle(deck, entropy(SEED_BYTES), {}, 0, table="", round=0).order


# --------------------------------------------------------------------------------- promised and opened


def committed_text(seed: bytes, *, table: str, round: int) -> str:
    """The four lines a commitment is the SHA-256 of."""
    if len(seed) != SEED_BYTES:
        raise Refusal("seed", f"has {len(seed)} bytes; it must have {SEED_BYTES}")
    return f"{SEED_TITLE}\n{table}\n{round}\n{seed.hex()}\n"


def commit(seed: bytes, *, table: str, round: int) -> str:
    """FL-3: the promise to publish before the first wager, 64 hexadecimal digits."""
    return hashlib.sha256(committed_text(seed, table=table, round=round).encode()).hexdigest()


def opens(commitment: str, seed: bytes, *, table: str, round: int) -> bool:
    """Whether this is the seed that was promised."""
    if len(seed) != SEED_BYTES:
        return False
    return hmac.compare_digest(commitment.encode(), commit(seed, table=table, round=round).encode())


def check_dealt(
    order: Sequence[Card], dealt: Dealt, game: Game, options: Mapping[str, Any] | None = None, start: int = 0
) -> list[str]:
    """FL-3: everything in which the hands of a round are not those that the order of its deck gives."""
    if sorted(order) != sorted(game.deck):
        return [f"the order is not the deck of {game.title}: {len(game.deck)} cards, each once"]
    promised = game.deal(order, tuple(dealt.hands), {**game.defaults, **(options or {})}, start or 1)
    defects = []
    for spot in sorted(dealt.hands):
        defects += _differs(f"spot {spot}", dealt.hands[spot], promised.hands.get(spot, ()))
    defects += _differs("the dealer", dealt.dealer, promised.dealer)
    defects += _differs("the dealer's face-up cards", dealt.face_up, promised.face_up)
    defects += _differs("the board", dealt.board, promised.board)
    defects += _differs("the rack", dealt.rack, promised.rack)
    return defects


def _differs(who: str, got: Sequence[Card], promised: Sequence[Card]) -> list[str]:
    if tuple(got) == tuple(promised):
        return []
    return [f"{who}: {text_of(got) or 'nothing'} was dealt; the promised order gives {text_of(promised) or 'nothing'}"]


# ------------------------------------------------------------------------------------------------ sealed


def seal(seed: bytes, key: bytes, *, table: str, round: int, entropy: Entropy = os.urandom) -> str:
    """The seed as the journal may hold it before it is opened: unreadable without the key, bound to table and round."""
    if len(seed) != SEED_BYTES:
        raise Refusal("seed", f"has {len(seed)} bytes; it must have {SEED_BYTES}")
    fresh = entropy(SEAL_NONCE_BYTES)
    sealed = cipher(key).encrypt(fresh, seed, about(TITLE, table, round))
    return SEAL + base64.urlsafe_b64encode(fresh + sealed).decode()


def unseal(text: str, keys: Sequence[bytes], *, table: str, round: int) -> bytes:
    """The seed of that table's round, sealed with one of the keys; anything else, and what was changed, is refused."""
    seed = decrypted(text, keys, SEAL, TITLE, table, round)
    if len(seed) != SEED_BYTES:
        raise Refusal("seed", f"has {len(seed)} bytes; it must have {SEED_BYTES}")
    return seed


def decrypted(text: str, keys: Sequence[bytes], mark: str, title: str, table: str, round: int) -> bytes:
    """What a seal holds."""
    from cryptography.exceptions import InvalidTag

    ciphers = [cipher(key) for key in keys]
    try:
        raw = _unwrapped(text, mark)
    except ValueError:
        ciphers = []
    for candidate in ciphers:
        try:
            return candidate.decrypt(raw[:SEAL_NONCE_BYTES], raw[SEAL_NONCE_BYTES:], about(title, table, round))
        except (InvalidTag, ValueError):
            continue
    raise Refusal("deck", f"does not open: it was changed, has another key, or is not of {table}, round {round}")


def _unwrapped(text: str, mark: str) -> bytes:
    """The bytes of a sealed text; ValueError for a text that ``seal`` does not write."""
    raw = base64.urlsafe_b64decode(text.removeprefix(mark))
    if mark + base64.urlsafe_b64encode(raw).decode() != text:
        raise ValueError("not in the form it is written in")
    return raw


def cipher(key: bytes) -> ChaCha20Poly1305:
    """What seals with a key."""
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    if len(key) != KEY_BYTES:
        raise Refusal("key", f"has {len(key)} bytes; it must have {KEY_BYTES}")
    return ChaCha20Poly1305(key)


def about(title: str, table: str, round: int) -> bytes:
    """What a seal belongs to; the number comes first, so that no table's name can be read as one."""
    return f"{title}\n{round}\n{table}".encode()
