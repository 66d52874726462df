"""Signatures over the journal (PR-24): the key, a file outside the database, and the signed head of a journal.

Whoever can write to the database can write a whole journal anew, every hash in it included. He cannot sign it. A head
that was signed and kept elsewhere shows that an entry had a certain hash at a certain time, for good.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec
from msgspec import Struct

from houseway.refusal import Refusal

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from houseway.manager.state import FloorState

HEAD_PURPOSE: Final = b"houseway journal head 1\n"
"""What a head's signature begins with, so that it can be taken for no other signature."""
MOST_HEAD_BYTES: Final = 10_000
_MOST_KEY_BYTES: Final = 100_000
"""Room for hundreds of replacements."""
_RAW_KEY_BYTES: Final = 32
_PRIVATE: Final = 0o600
_PEM: Final = re.compile(rb"-----BEGIN [A-Z ]+-----\n.*?-----END [A-Z ]+-----\n?", re.DOTALL)
_HEX: Final = frozenset("0123456789abcdef")


class HeadClaim(NamedTuple):
    """What a signed head says of a journal."""

    site: str
    seq: int
    hash: str
    at: int
    """When it was signed, in microseconds since 1970."""


class SignedHead(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The head of a site's journal, signed. Its text is one line of JSON."""

    site: str
    seq: int
    hash: str
    at: int
    """When it was signed, in microseconds since 1970."""
    key: str
    """The public key, in hex."""
    signature: str
    """Over everything else."""

    @property
    def text(self) -> str:
        """The head as it is exported: the same text for the same head, always."""
        return _ENCODER.encode(self).decode() + "\n"


_ENCODER = msgspec.json.Encoder(order="sorted")
_DECODER = msgspec.json.Decoder(SignedHead)


# -------------------------------------------------------------------------------------------------------------- the key


def new_key(path: Path) -> str:
    """Write a new signing key to a file that did not exist, for its owner alone; answers its public half in hex."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.generate()
    write_key_file(path, pem_of(key))
    return public_hex(key)


def write_key_file(path: Path, text: bytes) -> None:
    """Write a key to a file that did not exist, for its owner alone."""
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE)
    except FileExistsError:
        raise Refusal(str(path), "exists already; a key is never written over, choose another file") from None
    except (OSError, ValueError) as error:
        raise Refusal(str(path), f"cannot be written: {_why(error)}") from None
    try:
        with os.fdopen(file, "wb") as out:
            os.fchmod(out.fileno(), _PRIVATE)
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
    except OSError as error:
        path.unlink(missing_ok=True)
        raise Refusal(str(path), f"cannot be written: {_why(error)}") from None


def pem_of(key: Ed25519PrivateKey) -> bytes:
    """A key as its file holds it."""
    from cryptography.hazmat.primitives import serialization

    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def load_key(path: Path) -> Ed25519PrivateKey:
    """The first signing key in a file, PEM or 32 raw bytes; refused when anybody but its owner may read the file."""
    return key_in(read_key_file(path), path)


def read_key_file(path: Path) -> bytes:
    """What a key file holds; refused when anybody but its owner may read it."""
    try:
        # Without O_NONBLOCK a pipe in the key's place would wait for a writer for ever.
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        with os.fdopen(file, "rb") as opened:
            mode = os.fstat(opened.fileno()).st_mode
            if not stat.S_ISREG(mode):
                raise Refusal(str(path), "is not a file")
            if mode & 0o077:
                raise Refusal(str(path), f"may be read by others than its owner; run: chmod 600 {path}")
            return opened.read(_MOST_KEY_BYTES)
    except (OSError, ValueError) as error:
        if isinstance(error, Refusal):
            raise
        raise Refusal(str(path), f"cannot be read: {_why(error)}") from None


def keys_in(text: bytes, path: Path) -> list[Ed25519PrivateKey]:
    """The signing keys that a key file's text holds, in its order; at least one."""
    first = key_in(text, path)
    return [first, *(key_in(block, path) for block in _PEM.findall(text)[1:])]


def key_in(text: bytes, path: Path) -> Ed25519PrivateKey:
    """The signing key that a key file's text holds, the first where there are several."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    if len(text) == _RAW_KEY_BYTES:
        return Ed25519PrivateKey.from_private_bytes(text)
    try:
        key = load_pem_private_key(text, password=None)
    except TypeError:
        raise Refusal(str(path), "is encrypted; the signing key is kept in a file without a password") from None
    except (ValueError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        raise Refusal(str(path), "is not an Ed25519 private key, in PEM or 32 raw bytes")
    return key


def public_hex(key: Ed25519PrivateKey) -> str:
    """The public half of a key, as the journal names it."""
    return key.public_key().public_bytes_raw().hex()


def check_public(field: str, text: str) -> str:
    """A public key as a person gives it; refused unless it is 64 hexadecimal digits."""
    key = text.strip().lower()
    if len(key) != 64 or not _HEX.issuperset(key):
        raise Refusal(field, "must be an Ed25519 public key: 64 hexadecimal digits")
    return key


def signed(key: Ed25519PrivateKey, purpose: bytes, message: bytes) -> str:
    """A signature in hex, good for one purpose only."""
    return key.sign(purpose + message).hex()


def signature_holds(public: str, signature: str, purpose: bytes, message: bytes) -> bool:
    """Whether a signature is that key's, over that message, for that purpose."""
    from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    # One signature has one spelling: upper case or blanks between the digits are not it.
    if len(public) != 64 or len(signature) != 128 or not _HEX.issuperset(public + signature):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(bytes.fromhex(signature), purpose + message)
    except (InvalidSignature, UnsupportedAlgorithm, ValueError):
        return False
    return True


# ------------------------------------------------------------------------------------------------------- signed heads


def sign_head(state: FloorState, key: Ed25519PrivateKey, at: int) -> SignedHead:
    """Sign where a floor's journal stands; refused for a key that is not in force."""
    public = check_in_force(state, key)
    claim = HeadClaim(state.policies.site, state.seq, state.hash, at)
    return SignedHead(**claim._asdict(), key=public, signature=signed(key, HEAD_PURPOSE, _ENCODER.encode(claim)))


def check_in_force(state: FloorState, key: Ed25519PrivateKey) -> str:
    """The key's public half; refused unless the journal names it as the one that signs now."""
    if state.config is None:
        raise Refusal("floor", "it has not been founded; there is nothing to sign")
    public = public_hex(key)
    if public != state.key:
        raise Refusal("key-file", f"is key {public}, but the journal is signed with {state.key}; replace the key first")
    return public


def read_head(text: str) -> SignedHead:
    """A signed head from its text; its signature is not looked at."""
    try:
        head = _DECODER.decode(text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        raise Refusal("head", "is not a signed head; `houseway journal head` writes one") from None
    if head.text.rstrip("\n") != text.strip():
        raise Refusal("head", "is not written as it was exported: something was added, moved or spaced out")
    return head


def head_signature_holds(head: SignedHead) -> bool:
    """Whether the key that a head names has signed it."""
    claim = HeadClaim(head.site, head.seq, head.hash, head.at)
    return signature_holds(head.key, head.signature, HEAD_PURPOSE, _ENCODER.encode(claim))


def check_head(text: str, public_key: str | None = None) -> SignedHead:
    """A signed head from its text, refused unless its key has signed it, and is the expected one where one is given."""
    head = read_head(text)
    if not head_signature_holds(head):
        raise Refusal("head", f"entry {head.seq} of {head.site} is not signed by the key it names")
    if public_key is not None and head.key != public_key:
        raise Refusal("head", f"is signed by key {head.key}, not by {public_key}")
    return head


def load_head(path: Path) -> SignedHead:
    """A signed head from a file; its signature is not looked at."""
    try:
        with path.open("rb") as file:
            text = file.read(MOST_HEAD_BYTES)
        return read_head(text.decode())
    except UnicodeDecodeError:
        raise Refusal(str(path), "is not a signed head; `houseway journal head` writes one") from None
    except OSError as error:
        raise Refusal(str(path), f"cannot be read: {_why(error)}") from None
    except Refusal as refusal:
        raise Refusal(str(path), refusal.sentence) from None


def _why(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
